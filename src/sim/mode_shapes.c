/* Mode shapes as rows of a recorder. */
#include "sim/internal.h"

#include <math.h>
#include <string.h>

/* q := state + amplitude * shape, the shape scaled to a largest number of 1. Work: nq of rates, nu of velocities. */
static picus_status displace(picus_sim *sim, const picus_modes *modes, int m, double *q, double *rate) {
  const picus_system *system = sim->system;
  const picus_natural_mode mode = picus_modes_at(modes, m);
  double *u = rate + system->nq, largest = 0;
  for (int i = 0; i < system->nu; i++) largest = fmax(largest, fabs(mode.shape[i]));
  for (int i = 0; i < system->nu; i++) u[i] = largest > 0 ? mode.shape[i] / largest : 0;
  memcpy(q, picus_modes_state(modes), (size_t)system->nq * sizeof *q);
  picus_evaluation_set_point(sim->stepper.evaluation, system->t_start, q, u);
  picus_status status = picus_evaluate_rate(sim->stepper.evaluation, rate);
  for (int i = 0; !status && i < system->nq; i++) q[i] += rate[i];
  picus_system_normalise(system, q);
  return status;
}

picus_status picus_sim_record_modes(picus_sim *sim, const picus_modes *modes, picus_recorder *recorder) {
  const size_t nq = (size_t)sim->system->nq, nu = (size_t)sim->system->nu;
  double *q = picus_allocate(sim->context, 2 * nq + 2 * nu, sizeof *q), *rate = q ? q + nq : NULL;
  picus_summary summary = {.gaps.penetration_law = -1, .gaps.constraint_law = -1};
  picus_status status = q ? picus_recorder_begin(recorder) : PICUS_ERROR_MEMORY;
  double *rest = q ? q + 2 * nq + nu : NULL; /* velocities of 0 */
  if (!status) status = picus_sim_set_state(sim, 0, picus_modes_state(modes), rest);
  if (!status) status = picus_sim_record_row(sim, recorder);
  for (int m = 0; !status && m < picus_modes_count(modes); m++) {
    status = displace(sim, modes, m, q, rate);
    if (!status) status = picus_sim_set_state(sim, m + 1, q, rest);
    if (!status) status = picus_sim_record_row(sim, recorder);
  }
  summary.status = status;
  if (q) {
    picus_status closed = picus_recorder_end(recorder, &summary);
    if (!status) status = closed;
  }
  picus_release(sim->context, q);
  return status;
}
