/* The simulation object. */
#ifndef PICUS_SIM_INTERNAL_H
#define PICUS_SIM_INTERNAL_H

#include "adaptive/internal.h"
#include "record/internal.h"
#include "scheme/internal.h"

#include <picus/sim.h>

struct picus_sim {
  picus_context *context;
  const picus_system *system;
  const scheme_ops *scheme;
  picus_sim_options options; /* scheme and solver names are those of the tables, not of the caller */
  stepper stepper;
  double *velocities, *gaps; /* relative velocities and gaps for picus_sim_laws */
  picus_law_state *laws;     /* for rows */
  /* adaptive runs: zeroed in others */
  driver driver;
  interpolation interpolation;
  double *q_inside, *u_inside; /* a state inside of a step */
  double step_dt;              /* of the last step, for the record */
  int step_order;
};

/* views.c: the data for the recorder, at the start of a run, after a step, and as a row. */
picus_status picus_sim_watch(picus_sim *sim, picus_recorder *recorder);
picus_step_view picus_sim_step_view(const picus_sim *sim);
picus_status picus_sim_record_row(picus_sim *sim, picus_recorder *recorder);

#endif
