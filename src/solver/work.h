/* What sweeps and factorizations of a contact problem cost, so that "auto" can weigh the one against the other. */
#ifndef PICUS_SOLVER_WORK_H
#define PICUS_SOLVER_WORK_H

#include "contact/internal.h"

/* Estimates from sizes and couplings alone: the same problem has the same work on every machine. The unit is about a
 * nanosecond; only ratios count. The second one analyses the pattern of G, which takes as long as two to five sweeps.
 */
double picus_sweep_work(const picus_contact_problem *problem);
/* share: of the rows that are unknown. */
double picus_factor_work(const picus_contact_problem *problem, double share);

#endif
