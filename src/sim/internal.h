/* The simulation object. */
#ifndef PICUS_SIM_INTERNAL_H
#define PICUS_SIM_INTERNAL_H

#include "adaptive/internal.h"
#include "scheme/internal.h"

struct picus_sim {
  picus_context *context;
  const picus_system *system;
  const scheme_ops *scheme;
  picus_sim_options options; /* scheme and solver names are those of the tables, not of the caller */
  stepper stepper;
  double *velocities, *gaps; /* relative velocities and gaps for picus_sim_laws */
  /* adaptive runs: zeroed in others */
  driver driver;
  dense dense;
  double *q_inside, *u_inside; /* a state inside of a step */
  double step_dt;              /* of the last step, for the record */
  int step_order;
};

picus_evaluation *picus_sim_evaluation(picus_sim *sim);

#endif
