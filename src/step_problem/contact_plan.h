/* The plan of a contact problem: what its active laws need besides velocities; see contact_plan.c. */
#ifndef PICUS_STEP_PROBLEM_CONTACT_PLAN_H
#define PICUS_STEP_PROBLEM_CONTACT_PLAN_H

#include <picus/base.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct step_problem step_problem;
typedef struct contact_request contact_request;

/* What the active laws need besides velocities, made when they change, or dt, or a matrix, and executed until then. */
typedef struct contact_plan {
  unsigned long laws;     /* the epoch of the active laws that it is made for; 0: none */
  unsigned long matrices; /* the epoch of A and W that A^-1 W belongs to; 0: none that lasts */
  bool may_jam;           /* a contact whose friction could outweigh its normal percussion, see paradox.c */
  /* with constant M and W, or of one law alone: all active laws are contacts that are not coupled to others, and which
   * the solver treats one by one */
  bool decoupled;
  double tolerance; /* of their residuals */
} contact_plan;

/* Data and rows of the active laws, unless they are those of the plan. */
void picus_plan_laws(step_problem *p, double dt);
/* Then A^-1 W and G, with all that follows from them; what is still valid is kept. */
picus_status picus_plan_matrices(step_problem *p, const contact_request *request);

/* Work on active laws with factors, which are independent of each other. */
typedef struct row_work {
  step_problem *p;
  const contact_request *request;
} row_work;
int picus_rows_before(const step_problem *p, int law); /* rows of the laws that stand before it */

#endif
