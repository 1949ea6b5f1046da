/* The interface of a method: one file with its ops, one line in solver/plan.c. The methods in this folder go from law
 * to law; those in src/simultaneous take all laws at once.
 *
 * A method takes P and modes as its initial guess and leaves its best P there. It need not check its result: solver.c
 * computes the residual of the returned P from G and c, and relies on it alone. */
#ifndef PICUS_SWEEP_METHOD_H
#define PICUS_SWEEP_METHOD_H

#include "contact/internal.h"
#include "linalg/internal.h"

/* When a method gives up, beside its limit of iterations. Zeros: not before it makes no progress at all. A method that
 * others follow ends as soon as these will probably take less work than what it has left. */
typedef struct picus_limits {
  bool others_follow; /* a small residual is the end, and steps that lead nowhere are few */
  int rate_seen;      /* sweeps after which those to come are compared with the work of the others; 0: never */
  double early;       /* then the others take so many times the work, until the rate is known better */
  bool is_warm;       /* the start is good: the others gain only the digits that are missing */
  int patience;       /* sweeps in which the residual must fall; 0: as the method has it, */
  double gain;        /* and by which factor; 0: the same */
} picus_limits;
extern const picus_limits picus_no_limits; /* zeros */

/* Memory of a solver during one solve, of the requested size; its contents do not survive the solve. The sparse systems
 * do: the next one with the same pattern needs no analysis and no memory. */
typedef struct picus_solver_memory {
  double *doubles;
  int *ints;
  picus_sparse_system *reduced, *coupled; /* of newton; of admm and homotopy */
  picus_block_lu *blocks;                 /* of newton and proximal */
  struct picus_body_memory *bodies;       /* of gs, for factored problems */
  struct picus_body_graph *graph;         /* of homotopy, for factored problems */
  const picus_limits *limits;             /* never NULL */
  picus_residual *judged; /* a solver that judged the P and modes it returns may leave the result here */
} picus_solver_memory;

typedef struct picus_memory_need {
  size_t doubles, ints;
} picus_memory_need;

typedef struct picus_solver_ops {
  picus_solver_description description;
  /* NULL, or why this kind of problem cannot be solved; *law receives the number of the law that is in the way. */
  const char *(*refusal)(const picus_contact_problem *problem, int *law);
  /* Memory for any problem with at most so many laws and rows; NULL: none. */
  picus_memory_need (*need)(int law_count, int size);
  picus_memory_need (*need_by_options)(const picus_solver_options *options, int law_count, int size); /* NULL: need */
  bool takes_factors; /* of G; for other solvers they are multiplied out, to a block-sparse or dense G */
  /* NULL, or whether a solver that takes factors is faster with them */
  bool (*prefers_factors)(const picus_contact_problem *problem);
  bool needs_whole_G; /* block-sparse problems are expanded for it: problem->G is always present */
  bool factorizes;    /* an iteration is a factorization of G, or takes as long */
  bool uses_pyramids; /* with spatial friction, it solves the problem with friction pyramids */
  /* Adds to *iterations. PICUS_OK: its own test is satisfied; PICUS_NOT_CONVERGED; PICUS_NO_SOLUTION: it has shown that
   * there is none, and memory.ints starts with law_count flags of the laws that exclude each other, as far as known. */
  picus_status (*solve)(const picus_solver_options *options, const picus_contact_problem *problem,
                        picus_solver_memory memory, double *P, picus_mode *modes, int *iterations);
} picus_solver_ops;

extern const picus_solver_ops picus_closed_form_solver, picus_small_solver; /* of one law; of few spatial contacts */
extern const picus_solver_ops picus_direct_solver, picus_gs_solver, picus_psor_solver, picus_pjor_solver,
    picus_planar_lemke_solver, picus_lemke_solver;
extern const picus_solver_ops picus_newton_solver, picus_newton_jm_solver;
extern const picus_solver_ops picus_admm_solver, picus_homotopy_solver;
extern const picus_solver_ops picus_proximal_solver;     /* redundant contacts that creep */
extern const picus_solver_ops picus_continuation_solver; /* finishes problems that others almost solved */

#endif
