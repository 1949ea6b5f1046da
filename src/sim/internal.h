/* The simulation object. */
#ifndef PICUS_SIM_INTERNAL_H
#define PICUS_SIM_INTERNAL_H

#include "scheme/internal.h"

struct picus_sim {
  picus_context *context;
  const picus_system *system;
  const scheme_ops *scheme;
  picus_sim_options options; /* scheme and solver names are those of the tables, not the caller's */
  stepper stepper;
  double *velocities, *gaps; /* law velocities and gaps for picus_sim_laws */
};

picus_evaluation *picus_sim_evaluation(picus_sim *sim);

#endif
