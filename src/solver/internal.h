/* The interface of a solver: one file with its ops, one line in plan.c.
 *
 * A solver takes P and modes as its initial guess and leaves its best P there. It need not check its result: solver.c
 * computes the residual of the returned P from G and c, and relies on it alone. */
#ifndef PICUS_SOLVER_INTERNAL_H
#define PICUS_SOLVER_INTERNAL_H

#include "contact/internal.h"
#include "linalg/internal.h"

/* When a method gives up, beside its limit of iterations. Zeros: not before it makes no progress at all. A method that
 * others follow ends as soon as these will probably take less work than what it has left. */
typedef struct picus_limits {
  bool others_follow; /* a small residual is the end, and steps that lead nowhere are few */
  int rate_seen;      /* sweeps after which those to come are compared with the work of the others; 0: never */
  double early;       /* then the others take so many times the work, until the rate is known better */
  bool is_warm;       /* the start is good: the others gain only the digits that are missing */
  int factorizations; /* sweeps may take the work of so many; 0: no limit */
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

/* For measurements: sees each stage before it runs (iterations -1) and after it. Islands report from their own solvers,
 * from several threads at a time where there are some. */
typedef struct picus_stage_watch {
  void (*see)(void *user, int stage, int iterations, bool solved); /* NULL: nobody watches */
  void *user;
} picus_stage_watch;
void picus_solver_watch_stages(picus_solver *solver, picus_stage_watch watch);

/* P, residual and mode of a contact to which no other law is coupled, with its block G = [NN NT; TN TT]: without
 * friction or with friction along a line by its cases; with friction in space by one scalar equation (local.h). P is a
 * candidate: its residual decides. false: a number is not finite, or the contact acts on nothing. */
void picus_planar_cases(const double *G, const double *c, double mu, double *P);
void picus_spatial_percussion(const picus_law *law, const double *G, const double *c, double *P);
/* Inline: for steps of microseconds, with the number of rows as a constant. */
static inline bool picus_solve_contact(const picus_law *law, const double *G, const double *c, double *P,
                                       picus_mode *mode, picus_residual *residual) {
  if (law->dim == 1) {
    P[0] = c[0] < 0 && G[0] > 0 ? -c[0] / G[0] : 0;
    return picus_judge_plain_contact(G[0], c[0], P[0], mode, residual);
  }
  if (law->dim > 2) {
    picus_spatial_percussion(law, G, c, P);
    return picus_judge_spatial_contact(law, G, c, P, mode, residual);
  }
  picus_planar_cases(G, c, law->radius, P);
  return picus_judge_planar_contact(G, c, law->radius, P, mode, residual);
}

/* Whether no law of a problem with several is coupled to another: each is an island. false also for a G by its factors.
 */
bool picus_laws_are_decoupled(const picus_contact_problem *problem);
/* The tolerance up to which picus_solve_contact on each of so many decoupled contacts gives the answer of a solver;
 * -1: its plan begins with another method. */
double picus_solver_closed_form_tolerance(const picus_solver *solver, int law_count);

/* Of the contacts, at least four in five: then a path of homotopy is short. */
bool picus_nearly_all_stick(const picus_contact_problem *problem, const picus_mode *modes);

/* Rejection by the solvers that support only friction along a line. */
const char *picus_refuse_spatial_friction(const picus_contact_problem *problem, int *law);

/* Units out of the way: d_i = 1 / sqrt(|G_ii|), so that D G D has a unit diagonal. A zero diagonal gets the mean. */
void picus_scale_factors(const picus_contact_problem *problem, double *d);

/* The same for rows that share a ball, by the mean of their diagonals, so that it stays round. */
void picus_scale_balls_alike(const picus_contact_problem *problem, double *d);

/* --- why a problem was not solved, in words (failure.c) --------------------------------------------------------------
 */

enum { PICUS_NAMES_TEXT = 160 };
/* The names visited by next, with commas; a text that is too long is cut. */
void picus_write_names(char text[PICUS_NAMES_TEXT], const char *(*next)(const void *user, int k), const void *user);

/* The laws of a problem that may be part of another one, whose numbers the user knows. */
typedef struct picus_law_numbers {
  const int *numbers; /* of the laws in the whole; NULL: the problem is the whole */
  int whole_laws;
} picus_law_numbers;

/* The end of a plan without a solution. */
typedef struct picus_unsolved {
  picus_law_numbers laws;
  double tolerance;
  const picus_solve_info *best;
  const char *const *tried;
  int tried_count;
  const int *conflict; /* laws that exclude each other; */
  int conflict_count;  /* so many, if there is no solution */
  bool no_solution;    /* a method has shown that there is none, and none came near to one */
} picus_unsolved;
/* PICUS_NO_SOLUTION or PICUS_NOT_CONVERGED. */
picus_status picus_fail_unsolved(picus_context *context, const picus_unsolved *unsolved);

/* A solver that was named does not take a law; a number of a law is not finite; the rows of the laws do not fit. */
picus_status picus_fail_kind(picus_context *context, const char *solver, picus_law_numbers laws, int law,
                             const char *why);
picus_status picus_fail_not_finite(picus_context *context, picus_law_numbers laws, int law);
picus_status picus_fail_rows(picus_context *context, const picus_contact_problem *problem);

/* --- minimum norm (minimum_norm.c) -----------------------------------------------------------------------------------
 */

picus_memory_need picus_minimum_norm_need(int law_count, int size);

/* P solves the problem (dense G) to the tolerance and is replaced by the minimum-norm percussion with the same
 * velocities. false: not found; P is then undefined. The caller checks the result. */
bool picus_minimum_norm(const picus_contact_problem *problem, double tolerance, picus_solver_memory memory, double *P);

#endif
