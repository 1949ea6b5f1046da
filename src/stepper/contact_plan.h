/* The plan of a contact problem; see contact_plan.c. */
#ifndef PICUS_STEPPER_CONTACT_PLAN_H
#define PICUS_STEPPER_CONTACT_PLAN_H

#include "stepper/impacts.h"

/* Data and rows of the active laws, unless they are those of the plan. */
void picus_plan_laws(step_problem *p, double dt);
/* Then A^-1 W and G, with all that follows from them; what is still valid is kept. */
picus_status picus_plan_matrices(step_problem *p, const contact_request *request);

/* Work on active laws with factors, which are independent of each other. */
typedef struct row_work {
  step_problem *p;
  const contact_request *request;
} row_work;

/* The rows of laws that stand before law k. */
static inline int picus_rows_before(const step_problem *p, int k) {
  int rows = 0;
  for (int i = 0; i < k; i++) rows += p->laws[i].dim;
  return rows;
}

#endif
