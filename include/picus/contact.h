/* The contact problem of one step, its residual, and the solvers. Usable alone: no time, no bodies, no files.
 *
 * Find the percussions P with   xi = G P + c   and   -xi_i in N_{C_i(P)}(P_i)   for every law i,
 * where G = W^T M^-1 W is the Delassus matrix and C_i the set of admissible percussions of law i. */
#ifndef PICUS_CONTACT_H
#define PICUS_CONTACT_H

#include <picus/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum picus_law_kind {
  PICUS_BILATERAL,  /* dim 1; P free, xi = 0 */
  PICUS_UNILATERAL, /* dim 1; P >= 0, xi >= 0, P xi = 0 */
  PICUS_COULOMB,  /* dim 2, 3 or 4: normal row as unilateral, then 1 to 3 friction rows in the ball of radius mu P_N */
  PICUS_RESERVOIR /* dim 1, 2 or 3: friction rows in the ball of a constant radius */
} picus_law_kind;

typedef struct picus_law {
  picus_law_kind kind;
  int dim;       /* rows of the law in G and c */
  double radius; /* COULOMB: friction coefficient mu; RESERVOIR: largest percussion; else unused */
} picus_law;

/* What a law does at the solution, read from the argument of its projection (Studer 2008, section 4): a constraint
 * holds its kinematic equation, otherwise the law impresses its force. */
typedef enum picus_mode {
  PICUS_OPEN = 0,  /* P_N = 0 */
  PICUS_STICK = 1, /* closed and sticking; closed where there is no friction; bilateral laws always */
  PICUS_SLIP = 2   /* closed and slipping */
} picus_mode;

/* G by the blocks that are not zero: block (i, j) couples law i with law j and has dim_i x dim_j values, row-major. G
 * need not be symmetric. */
typedef struct picus_block_matrix {
  const int *first_row; /* law_count + 1: where the rows of each law begin, and at the end the size */
  const int *row_start; /* law_count + 1: the blocks of law i are row_start[i] ... row_start[i + 1] - 1 */
  const int *column;    /* the law j of each block, increasing within a row; every diagonal block must be there */
  const size_t *offset; /* where the values of each block begin */
  const double *values;
} picus_block_matrix;

/* G by its factors, G = W^T (M^-1 W), for many contacts on few bodies: the work for a law is proportional to the number
 * of velocities it acts on, not to the number of laws it is coupled with. gs, psor and pjor work with the factors, and
 * so do the residuals; the other solvers get G by blocks or whole, for which the solver object then takes memory, in
 * the first solve that needs it, and keeps it. One such structure must not be used by two threads at a time, because of
 * its scratch. */
typedef struct picus_factored_matrix {
  int unknowns;         /* velocities of the system */
  const int *start;     /* law_count + 1: the columns of law i are start[i] ... start[i + 1] - 1 */
  const int *column;    /* velocities that the law acts on or changes, increasing within a law */
  const size_t *offset; /* law_count: where the numbers of each law begin, in W and in change */
  const double *W;      /* of law i: dim x columns, row-major: its rows of W^T */
  const double *change; /* as W: its rows of (M^-1 W)^T, what a unit percussion changes in these velocities */
  double *scratch;      /* unknowns; after picus_contact_residual: M^-1 W P, the change of all velocities */
} picus_factored_matrix;

/* Fills change from W by solving with M: solve(user, x) replaces x (unknowns doubles) by M^-1 x. Columns must cover
 * what M couples: a law whose percussion changes a velocity that is not among its columns gives PICUS_ERROR_ARGUMENT.
 * scratch is used. */
PICUS_API picus_status picus_factored_matrix_fill(picus_context *context, const picus_factored_matrix *matrix,
                                                  int law_count, const picus_law *laws,
                                                  void (*solve)(void *user, double *x), void *user, double *change);

/* The rows of a law are contiguous and the laws follow each other: law i starts where law i-1 ends. G is given in one
 * of three ways: whole, by blocks, or by factors. */
typedef struct picus_contact_problem {
  int law_count;
  const picus_law *laws;                /* law_count */
  int size;                             /* total number of rows */
  const double *G;                      /* size x size, row-major; row i holds d xi_i / d P_j; NULL: see blocks */
  const double *c;                      /* size */
  const picus_block_matrix *blocks;     /* NULL where G is given otherwise */
  const picus_factored_matrix *factors; /* NULL where G is given otherwise */
} picus_contact_problem;

/* Three measures of how well P solves a problem; see docs/solvers.md. In the scale of `relative`, |P_i| counts up to a
 * thousand times the largest rho_i |c_i|: a P on its way to infinity must not look like a solution. */
typedef struct picus_residual {
  double relative; /* natural map over the problem's own percussion scale max_i(|P_i|, rho_i |c_i|): free of units */
  double natural;  /* max_i |P_i - prox(P_i - rho_i xi_i)|, rho_i = 1 / mean diagonal of G_ii, over max(1, |P|) */
  int worst_law;   /* where the natural map is largest; -1: there is no law */
} picus_residual;

/* xi (size doubles) receives G P + c; may be NULL. Not-finite input gives infinite residuals. */
PICUS_API picus_residual picus_contact_residual(const picus_contact_problem *problem, const double *P, double *xi);

/* What is wrong, law by law of nature; each is the largest over the laws, a percussion over the scale of
 * picus_residual.relative, except the last two, which other codes use and which depend on units. */
typedef struct picus_residuals {
  double signorini;   /* |min(P_N, rho xi_N)| of normal rows; rho |xi| of bilateral rows */
  double cone;        /* how far P_N is negative or friction outside its ball */
  double dissipation; /* friction is not the one of its ball that dissipates most: not against the slip, or too small */
  int worst_signorini, worst_cone, worst_dissipation; /* the laws; -1: no law has such rows */
  double de_saxce; /* |P - proj_K(P - xi - mu |xi_T| e_N)| over |c|, K the friction cones; Euclidean over all laws */
  double fclib;    /* the same over 1 + sqrt |c|: MERIT_1 of FCLIB, there without planar friction */
} picus_residuals;

/* All residuals at once, for reports: slower than picus_contact_residual. Not-finite input gives infinite ones. */
PICUS_API picus_residuals picus_contact_residuals(const picus_contact_problem *problem, const double *P);

/* PICUS_OK, or what is wrong with the problem (dimensions, numbers, coefficients); the sentence is on the context. */
PICUS_API picus_status picus_contact_problem_check(picus_context *context, const picus_contact_problem *problem);

typedef struct picus_solver_options {
  const char *solver; /* "auto", or a name of picus_solver_at: "direct", "gs", ... */
  double tolerance;   /* on picus_residual.relative; default 1e-12 */
  int max_iterations; /* of one solver; default 10000 */
  double relaxation;  /* omega of gs, psor and pjor, in (0, 2); default 1 */
  bool no_fallback;   /* true: a solver that fails is not followed by another */
  int facets;         /* of the pyramids by which lemke replaces the cones of spatial friction: even; default 8 */
  bool minimum_norm;  /* true: where many percussions give the same velocities, the shortest of them is returned */
} picus_solver_options;

typedef struct picus_solve_info {
  picus_status status;     /* PICUS_OK, PICUS_NOT_CONVERGED, PICUS_NO_SOLUTION */
  int iterations;          /* of all solvers that ran: mode sets tried, sweeps, pivots */
  int fallbacks;           /* how often another solver had to take over */
  const char *solver;      /* the one whose P is returned */
  picus_residual residual; /* of the P that is returned, computed from G and c after the solve */
  int facets; /* not 0: P is not a solution, but solves the problem with friction pyramids of so many facets (lemke);
                 residual tells how far that is from the round cones */
  bool minimum_norm; /* P is the shortest percussion with its velocities; false where it was not asked for or not found
                      */
} picus_solve_info;  /* Lifetime: its texts live as long as the program */

typedef struct picus_solver picus_solver;

PICUS_API picus_solver_options picus_default_solver_options(void);
PICUS_API picus_status picus_solver_create(picus_context *context, const picus_solver_options *options,
                                           picus_solver **out);
PICUS_API void picus_solver_destroy(picus_solver *solver);
/* Room for problems of this size: later solves of such problems allocate nothing. */
PICUS_API picus_status picus_solver_reserve(picus_solver *solver, int law_count, int size);
/* P (size) and modes (law_count) hold the start on entry and the solution on return: a warm start is last step's
 * solution, a cold one zeros. The problem is trusted to be well formed. On failure P is the best found. */
PICUS_API picus_status picus_solver_solve(picus_solver *solver, const picus_contact_problem *problem, double *P,
                                          picus_mode *modes, picus_solve_info *info);

/* After a solve that ended in PICUS_NO_SOLUTION: the laws that cannot be fulfilled together, as far as the solver that
 * found this out can tell; *count is 0 and the list NULL if it cannot. Lifetime: until the next solve. */
PICUS_API const int *picus_solver_conflict(const picus_solver *solver, int *count);

/* The solvers by number, from 0, until NULL. */
typedef struct picus_solver_description {
  const char *name;
  const char *summary;   /* one line */
  const char *reference; /* paper and section */
} picus_solver_description;
PICUS_API const picus_solver_description *picus_solver_at(int index); /* Lifetime: that of the program */
/* By name; "lcp" is a second name of "lemke". NULL: there is no such solver. */
PICUS_API const picus_solver_description *picus_solver_find(const char *name); /* Lifetime: that of the program */

#ifdef __cplusplus
}
#endif

#endif
