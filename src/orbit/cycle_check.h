/* Whether a cycle is a motion. */
#ifndef PICUS_ORBIT_CYCLE_CHECK_H
#define PICUS_ORBIT_CYCLE_CHECK_H

#include "flow/conditions.h"
#include "orbit/cycle.h"

/* All conditions of a cycle. */
picus_status picus_cycle_check(cycle_problem *b, const cycle *c, condition_list *out);
/* The value of the condition of the same kind; INFINITY: there is none. */
double picus_cycle_condition(const condition_list *m, const condition *like);

#endif
