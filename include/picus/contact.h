/* The contact problem of one step, its residual, and the solvers. It is standalone: no time, no bodies, no files.
 *
 * Find the percussions P (contact impulses, N s) with   xi = G P + c   and   -xi_i in N_{C_i(P)}(P_i)   for every law
 * i, where G = W^T M^-1 W is the Delassus matrix and C_i the set of admissible percussions of law i. */
#ifndef PICUS_CONTACT_H
#define PICUS_CONTACT_H

#include <picus/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum picus_law_kind {
  PICUS_BILATERAL,  /* dim 1; P free, xi = 0 */
  PICUS_UNILATERAL, /* dim 1; P >= 0, xi >= 0, P xi = 0 */
  PICUS_COULOMB,   /* dim 2, 3 or 4: normal row as unilateral, then 1 to 3 friction rows in the ball of radius mu P_N */
  PICUS_RESERVOIR, /* dim 1, 2 or 3: friction rows in the ball of a constant radius */
  PICUS_ROLLING /* dim 1, 2 or 3: friction rows in the ball of radius rho P_N, with P_N of the law before it, which is
                   unilateral or Coulomb. If that law is open, so is this one */
} picus_law_kind;

typedef struct picus_law {
  picus_law_kind kind;
  int dim; /* rows of the law in G and c */
  /* COULOMB: friction coefficient mu; RESERVOIR: largest percussion; ROLLING: rolling radius rho, in m if the rows are
   * angular velocities; else unused */
  double radius;
} picus_law;

/* State of a law at the solution, from the argument of its projection (Studer 2008, section 4): either its kinematic
 * equation holds, or its force is prescribed. */
typedef enum picus_mode {
  PICUS_OPEN = 0,  /* P_N = 0 */
  PICUS_STICK = 1, /* closed and sticking; closed, if there is no friction; bilateral laws always */
  PICUS_SLIP = 2   /* closed and slipping; rolling friction: closed and rolling */
} picus_mode;

/* Block-sparse G: its nonzero blocks. Block (i, j) couples law i with law j and has dim_i x dim_j values, row-major. G
 * need not be symmetric. A rolling law has the same blocks as its contact, in rows and in columns. */
typedef struct picus_block_matrix {
  const int *first_row; /* law_count + 1: first row of each law; the last entry is the size */
  const int *row_start; /* law_count + 1: the blocks of law i are row_start[i] ... row_start[i + 1] - 1 */
  const int *column;    /* law j of each block, increasing within a row; every diagonal block must be present */
  const size_t *offset; /* first value of each block */
  const double *values; /* of all blocks, each row-major */
} picus_block_matrix;

/* Factored G = W^T (M^-1 W), for many contacts on few bodies: the work for a law is proportional to the number of
 * velocities it acts on, not to the number of laws it is coupled with. gs, psor, pjor and the residuals use the
 * factors. For the other solvers, the solver object forms a block-sparse or dense G in the first solve that needs it,
 * and keeps that memory. Because of its scratch, two threads must not use one such structure at the same time. */
typedef struct picus_factored_matrix {
  int unknowns;         /* velocities of the system */
  const int *start;     /* law_count + 1: the columns of law i are start[i] ... start[i + 1] - 1 */
  const int *column;    /* velocities the law acts on or changes, increasing within a law; a rolling law lists those of
                           its contact */
  const size_t *offset; /* law_count: first value of each law, in W and in change */
  const double *W;      /* of law i: dim x columns, row-major: its rows of W^T */
  const double *change; /* as W: its rows of (M^-1 W)^T, the change of these velocities per unit percussion */
  double *scratch;      /* unknowns; after picus_contact_residual: M^-1 W P, the change of all velocities */
  const double *trace;  /* NULL, or law_count: sum of |w . M^-1 w| over the rows of a law, for frequent evaluations */
} picus_factored_matrix;

/* Fills change from W by solving with M: solve(user, x) replaces x (unknowns doubles) by M^-1 x. The columns of a law
 * must cover every velocity that its percussion changes through M; otherwise the result is PICUS_ERROR_ARGUMENT.
 * scratch is used. */
PICUS_API picus_status picus_factored_matrix_fill(picus_context *context, const picus_factored_matrix *matrix,
                                                  int law_count, const picus_law *laws,
                                                  void (*solve)(void *user, double *x), void *user, double *change);

/* The rows of a law are contiguous: law i starts where law i-1 ends. G has one of three forms: dense, block-sparse or
 * factored. */
typedef struct picus_contact_problem {
  int law_count;                    /* in laws */
  const picus_law *laws;            /* law_count */
  int size;                         /* number of rows of all laws */
  const double *G;                  /* size x size, row-major; row i holds d xi_i / d P_j; NULL: G has another form */
  const double *c;                  /* size */
  const picus_block_matrix *blocks; /* NULL: G has another form */
  const picus_factored_matrix *factors; /* NULL: G has another form */
} picus_contact_problem;

/* How well P solves a problem; see docs/solvers.md. The scale of `relative` counts |P_i| only up to a thousand times
 * the largest rho_i |c_i|: a diverging P must not count as a solution. */
typedef struct picus_residual {
  double relative; /* natural map over the percussion scale of the problem, max_i(|P_i|, rho_i |c_i|): dimensionless */
  double natural;  /* max_i |P_i - prox(P_i - rho_i xi_i)|, rho_i = 1 / mean diagonal of G_ii, over max(1, |P|) */
  int worst_law;   /* law with the largest natural map; -1: there is no law */
} picus_residual;

/* xi (size doubles) receives G P + c; may be NULL. Input that is not finite gives infinite residuals. */
PICUS_API picus_residual picus_contact_residual(const picus_contact_problem *problem, const double *P, double *xi);

/* Residual of each condition: Signorini, cone, dissipation. Each is the largest over the laws, a percussion over the
 * scale of picus_residual.relative. The last two are used by other codes and depend on units. */
typedef struct picus_residuals {
  double signorini;   /* |min(P_N, rho xi_N)| of normal rows; rho |xi| of bilateral rows */
  double cone;        /* distance by which P_N is negative or friction is outside its ball */
  double dissipation; /* friction does not dissipate most within its ball: not opposite to slip, or too small */
  int worst_signorini, worst_cone, worst_dissipation; /* laws; -1: no law has such rows */
  double de_saxce; /* |P - proj_K(P - xi - mu |xi_T| e_N)| over |c|, K the friction cones; Euclidean over all laws */
  double fclib;    /* the same over 1 + sqrt |c|: MERIT_1 of FCLIB, which excludes planar friction */
} picus_residuals;

/* All residuals at once, for reports; slower than picus_contact_residual. Input that is not finite gives infinite
 * ones. */
PICUS_API picus_residuals picus_contact_residuals(const picus_contact_problem *problem, const double *P);

/* PICUS_OK, or the error in the problem (dimensions, numbers, coefficients); the context holds the message. */
PICUS_API picus_status picus_contact_problem_check(picus_context *context, const picus_contact_problem *problem);

typedef struct picus_solver_options {
  const char *solver; /* "auto", or a name from picus_solver_at: "direct", "gs", ... */
  double tolerance;   /* on picus_residual.relative; default 1e-12 */
  int max_iterations; /* of one solver; default 10000 */
  double relaxation;  /* relaxation factor omega of gs, psor and pjor, in (0, 2); default 1 */
  bool no_fallback;   /* true: no fallback chain, a solver that fails is not followed by another */
  int facets;         /* facets of the pyramids by which lemke replaces spatial friction cones: even; default 8 */
  bool minimum_norm;  /* true: if many percussions give the same velocities, return the one of minimum norm */
  /* If no solver reaches the tolerance, the best P is accepted up to this residual, and info.accepted is set; 0: never.
   * Negative, the default: never; in a simulation 1e-8 if the system has detected contacts, and 1e-6
   * where tens of them creep. */
  double accept_residual;
  /* In a simulation with detected contacts: the tolerance of problems with 1000 laws or more, if accept_residual
   * is negative and solver "auto"; from 500 to 1000 laws it changes from `tolerance` to this. 0, the default:
   * `tolerance`, or 1e-7 if that has its default, 1e-12. */
  double heap_tolerance;
} picus_solver_options;

typedef struct picus_solve_info {
  picus_status status; /* PICUS_OK, PICUS_NOT_CONVERGED, PICUS_NO_SOLUTION */
  int iterations;      /* of all solvers that ran: mode sets tried, sweeps, pivots */
  int fallbacks;       /* number of times another solver took over */
  /* Number of islands (decoupled subproblems) if there are several, else 0. iterations and fallbacks then belong to the
   * most expensive island. */
  int islands;
  const char *solver;      /* the one whose P is returned */
  picus_residual residual; /* of the P that is returned, computed from G and c after the solve */
  int facets; /* not 0: P is not a solution; it solves the problem with friction pyramids of this many facets (lemke),
                 and residual is its residual for the round cones */
  bool minimum_norm; /* P is the minimum-norm percussion for its velocities; false if not requested, not found, or if
                        the problem has rolling friction */
  bool accepted;     /* residual is above the tolerance, but at most accept_residual */
} picus_solve_info;  /* Lifetime: its texts are static */

typedef struct picus_solver picus_solver;

PICUS_API picus_solver_options picus_default_solver_options(void);
PICUS_API picus_status picus_solver_create(picus_context *context, const picus_solver_options *options,
                                           picus_solver **out);
PICUS_API void picus_solver_destroy(picus_solver *solver);
/* Allocates for problems of this size: later solves of such problems allocate nothing. */
PICUS_API picus_status picus_solver_reserve(picus_solver *solver, int law_count, int size);
/* P (size) and modes (law_count) hold the initial guess on entry and the solution on return: a warm start is the
 * solution of the last step, a cold start is zero. The problem must be well formed; it is not checked. On failure P is
 * the best found. */
PICUS_API picus_status picus_solver_solve(picus_solver *solver, const picus_contact_problem *problem, double *P,
                                          picus_mode *modes, picus_solve_info *info);

/* After a solve that ended in PICUS_NO_SOLUTION: the laws that cannot be satisfied together. If the solver cannot
 * identify them, *count is 0 and the list NULL. Lifetime: until the next solve. */
PICUS_API const int *picus_solver_conflict(const picus_solver *solver, int *count);

/* The solvers by index, from 0; NULL ends the list. */
typedef struct picus_solver_description {
  const char *name;
  const char *summary;   /* one line */
  const char *reference; /* paper and section */
} picus_solver_description;
PICUS_API const picus_solver_description *picus_solver_at(int index); /* Lifetime: static */
/* By name; "lcp" is an alias of "lemke". NULL: no such solver. */
PICUS_API const picus_solver_description *picus_solver_find(const char *name); /* Lifetime: static */

/* --- files of contact problems ---------------------------------------------------------------------------------- */

/* Contact problem files: the HDF5 layout of FCLIB, the collection of friction contact problems (Acary, Bremond,
 * Koziara, Perignon 2014). See docs/problem-files.md.
 *
 * FCLIB's W is G, q is c and r is P; the normal row is the first of each contact. Bilateral rows (V, R, s) become
 * bilateral laws and come first. Reading the global form (M, H, G, f, w, b) converts it to the local form, or to
 * factors. */
/* A contact problem that owns its numbers; block-sparse unless stated otherwise. */
typedef struct picus_problem picus_problem;

/* Further contents of a problem file. When read, texts are never NULL; when written, NULL means: omit. */
typedef struct picus_problem_notes {
  const char *title;
  const char *description;
  const char *math_info;  /* known properties: existence, uniqueness */
  const double *guess;    /* initial guess of P, size doubles; NULL: none */
  const double *solution; /* P that solves the problem, size doubles; NULL: none */
} picus_problem_notes;

/* PICUS_ERROR_IO: the file cannot be read, is not a contact problem, or has inconsistent parts. PICUS_ERROR_MODEL:
 * impossible mechanics, such as a negative friction coefficient. PICUS_ERROR_SINGULAR: a global form whose M has no
 * inverse. The message names the file and the error. */
PICUS_API picus_status picus_problem_read(picus_context *context, const char *path, picus_problem **out);
/* The same, but G of a global form stays factored (picus_factored_matrix), with the columns of the connected parts of
 * M; the local form is read as above. A factored problem has a scratch: use it in one thread at a time. */
PICUS_API picus_status picus_problem_read_factored(picus_context *context, const char *path, picus_problem **out);
/* A block-sparse copy of a problem; notes may be NULL. */
PICUS_API picus_status picus_problem_copy(picus_context *context, const picus_contact_problem *source,
                                          const picus_problem_notes *notes, picus_problem **out);
PICUS_API void picus_problem_destroy(picus_problem *problem);

/* Views. Lifetime: as long as the problem. */
PICUS_API const picus_contact_problem *picus_problem_contacts(const picus_problem *problem);
/* Lifetime: as long as the problem. */
PICUS_API const picus_problem_notes *picus_problem_notes_of(const picus_problem *problem);

/* Writes the local form, which FCLIB reads; notes may be NULL. Reading it back gives the same numbers bit for bit, with
 * the bilateral laws first. FCLIB does not support unilateral laws without friction rows, reservoirs, planar and
 * spatial contacts in one problem, or unsymmetric bilateral rows. Such problems are written in the same layout under
 * another name, which FCLIB rejects and Picus reads. */
PICUS_API picus_status picus_problem_write(picus_context *context, const char *path,
                                           const picus_contact_problem *problem, const picus_problem_notes *notes);

#ifdef __cplusplus
}
#endif

#endif
