/* The minimum-norm percussion among those with the same effect. */
#ifndef PICUS_SOLVER_MINIMUM_NORM_H
#define PICUS_SOLVER_MINIMUM_NORM_H

#include "solver/internal.h"

picus_memory_need picus_minimum_norm_need(int law_count, int size);

/* P solves the problem (dense G) to the tolerance and is replaced by the minimum-norm percussion with the same
 * velocities. false: not found; P is then undefined. The caller checks the result. */
bool picus_minimum_norm(const picus_contact_problem *problem, double tolerance, picus_solver_memory memory, double *P);

#endif
