/* Gauss-Seidel on the level of bodies, for many contacts. */
#ifndef PICUS_SOLVER_GS_BODIES_H
#define PICUS_SOLVER_GS_BODIES_H

#include "solver/body_problem.h"
#include "solver/internal.h"

/* Sweeps a factored problem. false: it cannot be treated in this way, and nothing has happened. */
typedef struct picus_gs_task {
  const picus_solver_options *options;
  const picus_contact_problem *problem;
  picus_body_memory *memory;
  picus_stop stop; /* if others follow, or where it stagnates, it does without the drift */
} picus_gs_task;
/* Of PICUS_STOP_STAGNANT: */
enum { PICUS_SHORT_PATIENCE = 32 }; /* sweeps in which the residual must fall */
#define PICUS_LARGE_GAIN 0.5        /* by this factor */
bool picus_gs_bodies(const picus_gs_task *task, double *P, int *iterations, picus_status *status);

#endif
