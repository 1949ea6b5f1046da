/* Works by name, integrated along the steps: power times dt at the mean of both ends of a base step, the same for every
 * scheme. With theta = 1/2 this is the work that the forces of the scheme do, also in stiff damping. Its error has the
 * powers of dt that the error of the scheme has, so that extrapolation removes it together with that of the state.
 * Schemes of higher order integrate the powers at their stages. */
#include "stepper/internal.h"

#include <string.h>

picus_status picus_works_create(stepper *s) {
  step_works *w = &s->works;
  const size_t count = (size_t)s->system->work_count;
  w->count = s->system->work_count;
  if (count == 0) return PICUS_OK;
  picus_status status = PICUS_FIXED(&s->arrays, sizeof(double), count, &w->work, &w->power, &w->stored[0],
                                    &w->stored[1], &w->attempt, &w->accepted);
  if (!status) status = PICUS_FIXED(&s->arrays, sizeof(double), (size_t)s->system->nq, &w->q);
  if (!status) status = PICUS_FIXED(&s->arrays, sizeof(double), (size_t)s->system->nu, &w->u);
  if (!status) status = picus_stepper_add_evaluation(s, &w->evaluation);
  if (!status) picus_evaluation_laws_only(w->evaluation); /* powers are computed separately from forces and masses */
  return status;
}

void picus_works_begin(stepper *s) {
  step_works *w = &s->works;
  picus_copy(s->system->nq, s->q, w->q);
  picus_copy(s->system->nu, s->u, w->u);
  picus_clear(w->count, w->accepted);
  w->at_stages = false;
  if (!s->system->stores) return;
  picus_evaluation_set_point(w->evaluation, s->t, s->q, s->u);
  picus_evaluate_powers(w->evaluation, w->power, w->stored[0]);
}

void picus_works_add_stage(stepper *s, picus_evaluation *e, double dt, bool is_first) {
  step_works *w = &s->works;
  if (w->count == 0) return;
  if (is_first) picus_clear(w->count, w->attempt);
  picus_evaluate_powers(e, w->power, w->stored[1]);
  picus_add_multiple(w->count, w->attempt, dt, w->power, w->attempt);
}

void picus_works_accept_stages(stepper *s) {
  step_works *w = &s->works;
  w->at_stages = true;
  for (int i = 0; i < w->count; i++) w->accepted[i] += w->attempt[i];
}

void picus_works_add(stepper *s, double dt) {
  step_works *w = &s->works;
  if (w->at_stages)
    for (int i = 0; i < w->count; i++) w->work[i] += w->accepted[i];
  else {
    for (int i = 0; i < s->system->nq; i++) w->q[i] = 0.5 * (w->q[i] + s->q[i]);
    for (int i = 0; i < s->system->nu; i++) w->u[i] = 0.5 * (w->u[i] + s->u[i]);
    picus_evaluation_set_point(w->evaluation, s->t + 0.5 * dt, w->q, w->u);
    picus_evaluate_powers(w->evaluation, w->power, w->stored[1]);
    picus_add_multiple(w->count, w->work, dt, w->power, w->work);
  }
  if (!s->system->stores) return;
  picus_evaluation_set_point(w->evaluation, s->t + dt, s->q, s->u);
  picus_evaluate_powers(w->evaluation, w->power, w->stored[1]);
  for (int i = 0; i < w->count; i++) w->work[i] += w->stored[1][i] - w->stored[0][i];
}

double picus_works_total(const stepper *s) {
  double sum = 0;
  for (int i = 0; i < s->works.count; i++) sum += s->works.work[i];
  return sum;
}

double picus_constraint_losses(const stepper *s) {
  double sum = 0;
  for (int i = 0; s->system->knows_moves && i < s->set->fixed_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    if (law->kind == PICUS_BILATERAL && !law->moves) sum += s->contacts.dissipated[i];
  }
  return sum;
}

double picus_driven_total(const stepper *s) {
  double sum = s->contacts.history.gone.driven;
  for (int i = 0; i < s->set->law_count; i++) sum += s->contacts.driven[i];
  return sum;
}
