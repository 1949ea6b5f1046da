/* The parts of the phases of a step that few steps need. */
#include "stepper/stepper_phases.h"
#include "stepper/impacts.h"

#include <float.h>
#include <math.h>

/* Adaptive runs: an open contact that touches, or is below 0 by the drift of its gap, and which parts, stays open. With
 * the directions of the midpoint at both ends the law would see half of the change that a curved or moving surface
 * makes to its velocity, and close a contact that lifts off. Its velocity at the end is gamma_M(u_free) + gamma_M(u) -
 * gamma_B(u). Adhesion may hold a contact that parts without it. */
picus_status picus_phase_leave_parting(stepper *s, const moving_point *middle) {
  picus_evaluation *e = s->evaluation;
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    bool touches = picus_law_can_open(&law->data) && s->contacts.modes[i] == PICUS_OPEN &&
                   s->gap[i] <= s->contacts.gap_rounding[i];
    const bool may_hold = law->data.adhesion > 0 && !picus_step_is_torn(&s->contacts, i);
    if (!touches || may_hold) continue;
    picus_evaluation_set_point(e, s->t, s->q, s->u);
    picus_status status = picus_evaluation_update_directions(e);
    if (status) return status;
    double at_begin = picus_law_velocity(e, law, 0, s->u);
    picus_evaluation_set_point(e, middle->t, middle->q, s->u);
    if ((status = picus_evaluation_update_directions(e))) return status;
    double change = picus_law_velocity(e, law, 0, s->u) - at_begin,
           free_velocity = picus_law_velocity(e, law, 0, s->u_free);
    double rounding = 32 * DBL_EPSILON * (fabs(at_begin) + fabs(e->chi[law->data.first_row]));
    if (at_begin >= -rounding && free_velocity + change > 0) s->gap[i] = INFINITY;
  }
  return PICUS_OK;
}

/* What the velocities of all laws change from the start of the step to its middle, with u held. Behind an event, at
 * which the velocity of a surface may jump, it begins with the new one. */
picus_status picus_phase_note_turning(stepper *s, const moving_point *middle) {
  const double behind = s->t + fmin(4 * DBL_EPSILON * fabs(s->t), 0.5 * (middle->t - s->t));
  picus_evaluation *e = s->evaluation;
  double *at_begin = s->contacts.turning + s->set->row_count;
  picus_status status = picus_evaluate_velocities(e, s->contacts.turning);
  picus_evaluation_set_point(e, behind, s->q, s->u);
  if (!status) status = picus_evaluate_velocities(e, at_begin);
  picus_evaluation_set_point(e, middle->t, middle->q, s->u);
  for (int i = 0; i < s->set->row_count; i++) s->contacts.turning[i] -= at_begin[i];
  return status;
}

/* With the gap term, f is the gap of the midpoint, before u_E acts: the next midpoint is q_M + dt u_E. */
picus_status picus_phase_solve_active(stepper *s, double dt, const moving_point *middle, picus_step_info *info) {
  const bool with_gaps = s->gap_term.on;
  gap_step gaps;
  picus_status status = PICUS_OK;
  s->request.t = s->t;
  s->request.dt = dt;
  s->request.offset = with_gaps ? s->gap_term.offset : NULL;
  s->request.ahead = s->has_preloads ? s->gap : NULL;
  if (s->contacts.laws_at_end && s->problem.active_count > 0) status = picus_phase_note_turning(s, middle);
  if (!status && (s->problem.active_count > 0 || with_gaps)) status = picus_evaluation_update_directions(s->evaluation);
  if (!status && with_gaps) {
    gaps = (gap_step){.dt = dt, .directions = s->evaluation, .u_begin = s->u, .u_free = s->u_free};
    picus_copy(s->set->law_count, s->gap, s->gap_term.ahead);
    status = picus_gap_term_begin(s, &gaps, s->gap_term.offset, info);
  }
  if (status) return status;
  s->joining.ahead = s->gap;
  s->joining.middle = middle;
  s->joining.gaps = with_gaps ? &gaps : NULL;
  return picus_step_problem_solve(&s->problem, &s->request, s->u_next, info);
}

picus_status picus_phase_blame(stepper *s) {
  picus_status status = picus_evaluate_force(s->evaluation, s->h);
  return status ? status : picus_step_blame_velocity(&s->contacts, s->t, s->u_free);
}

const double *picus_phase_moving_velocity(stepper *s, double dt) {
  double *w = s->gap_term.drift.w;
  if (!picus_gap_drift_find(s, dt)) return s->u_next;
  for (int i = 0; i < s->system->nu; i++) w[i] = s->u_next[i] + 2 * w[i];
  return w;
}

void picus_phase_predict_exactly(stepper *s, double dt, const double *rate) {
  picus_add_multiple(s->system->nq, s->q_low, dt, rate, s->q_change);
  picus_add_multiple(s->system->nq, s->q, 1, s->q_change, s->q_next);
}

void picus_phase_advance_exactly(stepper *s, double dt, const double *rate) {
  for (int i = 0; i < s->system->nq; i++) s->q[i] = picus_two_sum(s->q[i], s->q_change[i] + dt * rate[i], &s->q_low[i]);
}
