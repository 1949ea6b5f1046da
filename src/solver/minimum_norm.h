/* The percussion of smallest norm among those that do the same. */
#ifndef PICUS_SOLVER_MINIMUM_NORM_H
#define PICUS_SOLVER_MINIMUM_NORM_H

#include "solver/internal.h"

enum { PICUS_MINIMUM_NORM_ROWS = 1000 }; /* largest problem: its matrices are dense */

picus_memory_need picus_minimum_norm_need(int law_count, int size);

/* P solves the problem (G whole) to the tolerance, and is replaced by the minimum-norm percussion with the same
 * velocities. false: that one was not found; P is then of no use. The caller judges the result. */
bool picus_minimum_norm(const picus_contact_problem *problem, double tolerance, picus_solver_memory memory, double *P);

#endif
