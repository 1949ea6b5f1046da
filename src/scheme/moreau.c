/* Moreau's midpoint rule (Moreau 1988; Glocker and Studer 2005, section 5; Studer, Leine and Glocker 2008, section 3).
 */
#include "scheme/internal.h"

#include "scheme/linear_motion.h"

#include <float.h>
#include <math.h>

/* q' at the point of the evaluation. If q' = u, the tape is not needed. */
static picus_status rate_at(stepper *s, const double *u, const double **rate) {
  *rate = u;
  if (s->system->constants.identity_rates) return PICUS_OK;
  *rate = s->rate;
  return picus_evaluate_rate(s->evaluation, s->rate);
}

/* q := q + change + dt rate, and the round-off into q_low. */
static void advance_exactly(stepper *s, double dt, const double *rate) {
  for (int i = 0; i < s->system->nq; i++) s->q[i] = picus_two_sum(s->q[i], s->q_change[i] + dt * rate[i], &s->q_low[i]);
}

static picus_status create(stepper *s) {
  picus_status status = s->gap_term.on ? picus_gap_drift_create(s) : PICUS_OK;
  return status ? status : picus_step_problem_fill_constant(&s->problem, s->evaluation);
}

/* Adaptive runs: an open contact that touches, or is below 0 by the drift of its gap, and which parts, stays open. With
 * the directions of the midpoint at both ends the law would see half of the change that a curved or moving surface
 * makes to its velocity, and close a contact that lifts off. Its velocity at the end is gamma_M(u_free) + gamma_M(u) -
 * gamma_B(u). */
static picus_status leave_parting_contacts(stepper *s, const moving_point *middle) {
  picus_evaluation *e = s->evaluation;
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    bool touches = picus_law_can_open(&law->data) && s->contacts.modes[i] == PICUS_OPEN &&
                   s->gap[i] <= s->contacts.gap_rounding[i];
    if (!touches) continue;
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
static picus_status note_turning(stepper *s, const moving_point *middle) {
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

/* The gap of the midpoint is that before u_E acts: the next midpoint is q_M + dt u_E. */
static picus_status solve_with_gaps(stepper *s, const contact_request *request, picus_step_info *info) {
  picus_status status = picus_evaluation_update_directions(s->evaluation);
  if (status) return status;
  picus_copy(s->set->law_count, s->gap, s->gap_term.ahead);
  return picus_gap_term_solve(
      s, request, &(gap_step){.dt = request->dt, .directions = s->evaluation, .u_begin = s->u, .u_free = s->u_free},
      s->u_next, info);
}

/* The velocity of the second half of the step, by whose positions a heap also moves against the drift of its gaps. */
static const double *end_velocity(stepper *s, double dt) {
  double *w = s->gap_term.drift.w;
  if (!s->gap_term.on || !picus_gap_drift_find(s, dt)) return s->u_next;
  for (int i = 0; i < s->system->nu; i++) w[i] = s->u_next[i] + 2 * w[i];
  return w;
}

/* u_E with the percussions of the active laws. */
static picus_status solve_active(stepper *s, double dt, const moving_point *middle, picus_step_info *info) {
  picus_evaluation *e = s->evaluation;
  picus_status status = PICUS_OK;
  if (s->contacts.laws_at_end && s->problem.active_count && (status = note_turning(s, middle))) return status;
  if (s->problem.active_count && (status = picus_evaluation_update_directions(e))) return status;
  const contact_request request = {.t = s->t,
                                   .dt = dt,
                                   .directions = e,
                                   .matrix = &e->mass,
                                   .symmetric = true,
                                   .u_begin = s->u,
                                   .u_free = s->u_free,
                                   .ahead = s->has_preloads ? s->gap : NULL};
  return s->gap_term.on ? solve_with_gaps(s, &request, info)
                        : picus_step_problem_solve(&s->problem, &request, s->u_next, info);
}

/* The laws that act during the step, and u_E with their percussions. */
static picus_status solve_contacts(stepper *s, double dt, const moving_point *middle, picus_step_info *info) {
  picus_status status = PICUS_OK;
  if (s->contacts.keep_doubtful_modes && (status = leave_parting_contacts(s, middle))) return status;
  if (!s->gap_term.on) picus_step_problem_activate(&s->problem, s->gap, info);
  for (bool added = true; added;) {
    if ((status = solve_active(s, dt, middle, info))) return status;
    if (s->gap_term.on || !picus_step_may_strike(s)) break;
    const closed_look look = {.dt = dt, .u_end = s->u_next, .gap = s->gap, .ahead = s->gap, .middle = middle};
    if ((status = picus_step_add_closed(s, &look, info, &added))) return status;
  }
  return PICUS_OK;
}

static picus_status step(stepper *s, double dt, picus_step_info *info) {
  picus_evaluation *e = s->evaluation;
  const int nq = s->system->nq, nu = s->system->nu;
  const bool general_rates = !s->system->constants.identity_rates;
  const double *rate;
  picus_status status;

  /* t_M = t + dt/2, q_M = q + dt/2 (B u + beta) with B, beta at the start of the step */
  if (general_rates) picus_evaluation_set_point(e, s->t, s->q, s->u);
  if ((status = rate_at(s, s->u, &rate))) return status;
  double *q_M = s->q_next;
  const moving_point middle = {s->t + 0.5 * dt, q_M, s->u};
  if (s->q_low) {
    picus_add_multiple(nq, s->q_low, 0.5 * dt, rate, s->q_change);
    picus_add_multiple(nq, s->q, 1, s->q_change, q_M);
  } else
    picus_add_multiple(nq, s->q, 0.5 * dt, rate, q_M);

  /* M, h(t_M, q_M, u) and the gaps there decide which contacts act during the step */
  if ((status = picus_evaluate_motion(e, &middle, s->gap, s->h))) return status;
  if ((status = picus_evaluation_factor_mass(e))) return status;
  picus_step_note_gaps(s, s->gap, info);

  /* M (u_E - u) = h dt + W P */
  picus_evaluation_solve_mass(e, s->h);
  picus_add_multiple(nu, s->u, dt, s->h, s->u_free);
  if ((status = solve_contacts(s, dt, &middle, info))) return status;
  if (s->sleep.on) picus_sleep_settle(s, &e->mass, s->u_next, info);

  /* q_E = q_M + dt/2 (B u_E + beta) with B, beta at the midpoint */
  const double *u_E = end_velocity(s, dt);
  if (general_rates) picus_evaluation_set_point(e, middle.t, q_M, u_E);
  if ((status = rate_at(s, u_E, &rate))) return status;
  picus_step_problem_accept(s, NULL, info);
  if (u_E != s->u_next) picus_gap_drift_settle(s, info);
  if (s->q_low)
    advance_exactly(s, 0.5 * dt, rate);
  else
    picus_add_multiple(nq, q_M, 0.5 * dt, rate, s->q);
  picus_copy(nu, s->u_next, s->u);
  return PICUS_OK;
}

static void linear_step(const linear_motion *m, double dt, double *x, double *v) {
  picus_add_multiple(m->n, x, 0.5 * dt, v, x);
  picus_linear_acceleration(m, x, v, m->work);
  picus_add_multiple(m->n, v, dt, m->work, v);
  picus_add_multiple(m->n, x, 0.5 * dt, v, x);
}

const scheme_ops picus_moreau_scheme = {
    .description = {.name = "moreau",
                    .summary = "Moreau's midpoint rule: explicit, contacts at velocity level, order 1",
                    .reference = "Glocker and Studer 2005, section 5; Studer, Leine and Glocker 2008, section 3"},
    .order = 1,
    .power = 1,
    .laws_in_middle = true,
    .explicit_forces = true,
    .velocity_level = true,
    .penetrates = PENETRATES_BY_APPROACH,
    .looks_at_middle = true,
    .has_gap_term = true,
    .has_sleep = true,
    .by_factors = true,
    .create = create,
    .linear_step = linear_step,
    .go_on = picus_steps_go_on,
    .step = step};
