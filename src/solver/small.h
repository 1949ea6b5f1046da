/* Few spatial contacts at once, without the overhead of a chain: the hot path of models with a handful of contacts. */
#ifndef PICUS_SOLVER_SMALL_H
#define PICUS_SOLVER_SMALL_H

#include "contact/internal.h"

enum { PICUS_SMALL_LAWS = 10, PICUS_SMALL_ROWS = 30 };

typedef struct picus_small_task {
  double tolerance;
  int most_iterations;
  bool keeps_solutions; /* an initial guess that is a solution is returned as it is */
} picus_small_task;

typedef struct picus_small_result {
  picus_residual residual;
  int iterations; /* sweeps and steps */
} picus_small_result;

/* Whether it has the size for it, a G that is not factored, and a law with three rows. */
bool picus_is_small(const picus_contact_problem *problem);

/* Solves a small problem with a dense G that consists of contacts with and without friction and of bilateral laws.
 * false: it has other laws, redundant contacts or parts that are nearly so, or it needs more than a few steps; P and
 * modes are unchanged, and the other solvers decide. true: P and modes are those of a solution, with the residual that
 * picus_contact_judge gives them. The numbers need no check before: one that is not finite never looks like a solution.
 */
bool picus_solve_small(const picus_contact_problem *problem, const picus_small_task *task, double *P, picus_mode *modes,
                       picus_small_result *result);

/* Whether a problem of this size with a dense G is one island: then nobody needs to search for islands. */
bool picus_small_is_connected(const picus_contact_problem *problem);

#endif
