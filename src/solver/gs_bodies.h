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
  const picus_limits *limits; /* if others follow, it does without the drift */
} picus_gs_task;
bool picus_gs_bodies(const picus_gs_task *task, double *P, int *iterations, picus_status *status);

#endif
