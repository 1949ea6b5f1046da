/* The phases of a step at velocity level: predict, evaluate, choose laws, solve, accept, finish. A scheme puts its
 * equations into them, one after the other. What only some runs ask for (exact sums of positions, the gap term, drift,
 * sleep, doubtful modes, laws at the end of a step) is in the phases and does nothing elsewhere; the parts that few
 * steps need are in stepper_phases.c. */
#ifndef PICUS_STEPPER_PHASES_H
#define PICUS_STEPPER_PHASES_H

#include "linalg/internal.h"
#include "stepper/impacts.h"

/* Adaptive runs: open contacts that part get an infinite gap, so that they stay open. */
picus_status picus_phase_leave_parting(stepper *s, const moving_point *middle);
/* What velocities of laws change from the start of the step to its middle, into contacts.turning. */
picus_status picus_phase_note_turning(stepper *s, const moving_point *middle);
/* The percussions of the laws that act. */
picus_status picus_phase_solve_active(stepper *s, double dt, const moving_point *middle, picus_step_info *info);
/* With the gap term: the velocity by which positions move, against the drift of gaps; u_next elsewhere. */
const double *picus_phase_moving_velocity(stepper *s, double dt);
/* Steps whose positions keep their round-off: q_M from q and q_low; then q from q and the change up to q_M. */
void picus_phase_predict_exactly(stepper *s, double dt, const double *rate);
void picus_phase_advance_exactly(stepper *s, double dt, const double *rate);

/* The error of forces that lead to a velocity that is not finite. */
picus_status picus_phase_blame(stepper *s);

/* B u + beta at (t, q): u itself where q' = u. */
static inline picus_status picus_phase_rate(stepper *s, double t, const double *q, const double *u,
                                            const double **rate) {
  *rate = u;
  if (s->system->constants.identity_rates) return PICUS_OK;
  *rate = s->rate;
  picus_evaluation_set_point(s->evaluation, t, q, u);
  return picus_evaluate_rate(s->evaluation, s->rate);
}

/* q_next := q + dt (B u + beta), with B and beta at the start of the step. */
static inline picus_status picus_phase_predict(stepper *s, double dt) {
  const double *rate;
  picus_status status = picus_phase_rate(s, s->t, s->q, s->u, &rate);
  if (status) return status;
  if (s->q_low)
    picus_phase_predict_exactly(s, dt, rate);
  else
    picus_add_multiple(s->system->nq, s->q, dt, rate, s->q_next);
  return PICUS_OK;
}

/* Gaps, M and u_free = u + dt M^-1 h at a point of the step; u_free is finite. */
static inline picus_status picus_phase_evaluate(stepper *s, double dt, const moving_point *at, picus_step_info *info) {
  picus_status status = picus_evaluate_motion(s->evaluation, at, s->gap, s->h);
  if (status || (status = picus_evaluation_factor_mass(s->evaluation))) return status;
  picus_step_note_gaps(s, s->gap, info);
  picus_evaluation_accelerate(s->evaluation, s->u, dt, s->h, s->u_free);
  return picus_all_finite(s->u_free, (size_t)s->system->nu) ? PICUS_OK : picus_phase_blame(s);
}

/* For schemes that reach the end of the step in q_next, with the round-off error in q_change, and u_next. The step is
 * accepted. */
static inline void picus_phase_arrive(stepper *s) {
  picus_copy(s->system->nq, s->q_next, s->q);
  if (s->q_low) picus_copy(s->system->nq, s->q_change, s->q_low);
  picus_copy(s->system->nu, s->u_next, s->u);
}

/* The laws whose gaps at the point are closed, and u_next with their percussions. */
static inline picus_status picus_phase_contacts(stepper *s, double dt, const moving_point *at, picus_step_info *info) {
  picus_status status = PICUS_OK;
  if (s->contacts.keep_doubtful_modes && (status = picus_phase_leave_parting(s, at))) return status;
  const bool flies = s->problem.active_count == 0 && info->gaps.lowest > s->contacts.open_gap;
  const bool by_rule = s->contacts.keep_doubtful_modes | s->gap_term.on; /* not by the gaps of fixed steps alone */
  if (!s->gap_term.on && (by_rule || !flies)) picus_step_problem_activate(&s->problem, s->gap, info);
  if (by_rule || s->problem.active_count > 0)
    status = picus_phase_solve_active(s, dt, at, info);
  else
    picus_copy(s->system->nu, s->u_free, s->u_next);
  if (!status && s->sleep.on) picus_sleep_settle(s, &s->evaluation->mass, s->u_next, info);
  return status;
}

/* q := q_next + dt (B u_next + beta), with B and beta at the point; u := u_next. The step is accepted: nothing can fail
 * after it. */
static inline picus_status picus_phase_finish(stepper *s, double dt, const moving_point *at, picus_step_info *info) {
  const double *rate, *u = s->gap_term.on ? picus_phase_moving_velocity(s, 2 * dt) : s->u_next;
  picus_status status = picus_phase_rate(s, at->t, at->q, u, &rate);
  if (status) return status;
  if (s->problem.active_count > 0 || !picus_step_problem_persists(&s->problem))
    picus_step_problem_accept(s, NULL, info);
  if (u != s->u_next) picus_gap_drift_settle(s, info);
  if (s->q_low)
    picus_phase_advance_exactly(s, dt, rate);
  else
    picus_add_multiple(s->system->nq, s->q_next, dt, rate, s->q);
  picus_copy(s->system->nu, s->u_next, s->u);
  return PICUS_OK;
}

#endif
