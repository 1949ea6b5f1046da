/* The step of the implicit schemes: start, forecasts, Newton loop, acceptance. */
#include "scheme/theta/theta_step.h"
#include "base/internal.h"
#include "stepper/impacts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static picus_status allocate_arrays(stepper *s) {
  theta_step *t = theta_of(s);
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu, unit = sizeof(double);
  picus_status status = PICUS_FIXED(&s->arrays, unit, nq, &t->q, &t->q_theta, &t->rate, &t->rate_change);
  if (!status)
    status =
        PICUS_FIXED(&s->arrays, unit, nu, &t->w, &t->w_free, &t->u_end, &t->u_theta, &t->h, &t->momentum, &t->balance);
  if (!status) status = PICUS_SCRATCH(&s->arrays, unit, picus_by_law, &t->gap_begin, &t->ahead, &t->gap, &t->forecast);
  return status ? status : PICUS_SCRATCH(&s->arrays, unit, picus_by_row, &t->gamma_begin, &t->offset);
}

/* Flexible components alone: their forces are linear by their nature, not only by their derivatives, which a sign or a
 * jump of a formula would hide. */
static bool is_linear(const picus_system *system) {
  bool linear = system->constants.mass && system->constants.directions && !system->has_loads && !system->coupling_count;
  for (int p = 0; p < system->part_count; p++)
    linear = linear && (system->parts[p].nu == 0 || system->parts[p].tangents_constant);
  return linear;
}

picus_status picus_theta_create(stepper *s, bool projects) {
  picus_status status = PICUS_FIXED(&s->arrays, sizeof(theta_step), 1, &s->own);
  if (!status) status = allocate_arrays(s);
  if (!status) status = picus_stepper_add_evaluation(s, &theta_of(s)->end);
  if (!status) picus_evaluation_laws_only(theta_of(s)->end);
  if (!status) status = picus_newton_residual_create(s, &theta_of(s)->residual);
  if (!status) status = picus_theta_tangent_create(s);
  if (!status && projects) status = picus_projection_create(s);
  if (status) return status;
  theta_of(s)->is_linear = is_linear(s->system);
  const int order = theta_of(s)->tangent_constant ? 1 : PICUS_GUESS_ORDER; /* one iteration, from anywhere */
  if ((status = picus_velocity_guess_create(&s->arrays, s->system->nu, order, &theta_of(s)->guess))) return status;
  s->judged.directions = theta_of(s)->end;
  s->judged.u_free = theta_of(s)->w_free;
  return PICUS_OK;
}

void picus_theta_release(stepper *s) {
  theta_step *t = theta_of(s);
  if (!t) return;
  if (t->tangent.blocks) picus_system_matrix_release(s->context, &t->tangent);
}

/* --- points of evaluation ------------------------------------------------------------------------- */

static void locate_velocity(stepper *s) {
  theta_step *t = theta_of(s);
  const double by_w = t->shape.u_share;
  picus_combine(s->system->nu, by_w, t->w, 1 - by_w, t->shape.w_begin, t->u_theta);
}

static void locate(stepper *s) {
  theta_step *t = theta_of(s);
  const double by_q = t->shape.q_share;
  locate_velocity(s);
  picus_combine(s->system->nq, by_q, t->q, 1 - by_q, s->q, t->q_theta);
  if (!t->shape.shift) return;
  for (int i = 0; i < s->system->nq; i++) t->q_theta[i] += t->shape.shift[i];
}

/* The evaluation of the stepper is already at this point, unless the rates are those of w. */
picus_evaluation *picus_theta_rate_point(stepper *s) {
  theta_step *t = theta_of(s);
  if (!t->shape.rate_by_w) return s->evaluation;
  double *middle = s->q_next;
  for (int i = 0; i < s->system->nq; i++) middle[i] = 0.5 * (s->q[i] + t->q[i]);
  picus_evaluation_set_point(t->end, s->t + 0.5 * t->dt, middle, t->w);
  return t->end;
}

/* The residual of the positions: (1 - dt drate/dq)^-1 (q_begin + dt (B u_rate + beta) + B y - q), where q' is not u.
 * The factor is that of the last tangent matrix. If q' = u, q follows w exactly in every iterate. */
static picus_status look_at_rates(stepper *s) {
  theta_step *t = theta_of(s);
  if (s->system->constants.identity_rates) return PICUS_OK;
  picus_status status = picus_evaluate_rate(picus_theta_rate_point(s), t->rate);
  if (status) return status;
  for (int i = 0; i < s->system->nq; i++) {
    double by_rates = t->projection.by_rates ? t->projection.by_rates[i] : 0;
    t->rate_change[i] = s->q[i] + t->dt * t->rate[i] + by_rates - t->q[i];
  }
  return PICUS_OK;
}

/* M, h and the balance at the middle of the step. With mean forces, M is that of the end. */
static picus_status look_at_middle(stepper *s) {
  theta_step *t = theta_of(s);
  picus_evaluation *e = s->evaluation;
  locate(s);
  if (t->h_begin)
    picus_evaluation_set_point(e, t->t_end, t->q, t->w);
  else
    picus_evaluation_set_point(e, t->t_theta, t->q_theta, t->u_theta);
  picus_status status = picus_evaluate_force(e, t->h);
  if (t->h_begin) picus_combine(s->system->nu, s->theta, t->h, 1 - s->theta, t->h_begin, t->h);
  if (!status) status = picus_evaluation_update_mass(e);
  if (status) return status;
  picus_subtract(s->system->nu, t->w, t->shape.w_begin, t->balance);
  picus_system_matrix_multiply(&e->mass, t->balance, t->momentum);
  picus_add_multiple(s->system->nu, t->momentum, -t->shape.force_dt, t->h, t->balance);
  return look_at_rates(s);
}

/* Of the gap term, which only moreau-jean has. */
static gap_step gap_step_of(const stepper *s) {
  const theta_step *t = theta_of(s);
  return (gap_step){
      .dt = t->dt, .directions = t->end, .u_begin = s->u, .u_free = t->w_free, .gamma_begin = t->gamma_begin};
}

/* The offset of xi: of the gap term, or of Newton's law. */
static void fill_offset(stepper *s) {
  theta_step *t = theta_of(s);
  if (s->gap_term.on) {
    const gap_step step = gap_step_of(s);
    picus_gap_term_fill(s, &step, t->offset);
  } else
    picus_step_offset(&s->contacts, t->dt, t->end->chi, t->gamma_begin, t->offset);
}

/* Coefficients that vary: those of the middle of the step, as its forces. */
static friction_point friction_of(const stepper *s) {
  return (friction_point){.at = {s->evaluation}, .share = s->theta > 0 ? s->theta : 0.5};
}

picus_status picus_theta_look(stepper *s) {
  theta_step *t = theta_of(s);
  if (t->end_ready) return PICUS_OK;
  picus_evaluation_set_point(t->end, t->t_end, t->q, t->w);
  picus_status status = picus_evaluate_gaps(t->end, t->gap);
  if (!status) status = picus_evaluation_update_directions(t->end);
  if (!status && s->contacts.coefficients) {
    const contact_request at = {.directions = t->end, .u_begin = t->shape.w_begin, .friction = friction_of(s)};
    status = picus_varying_evaluate(&s->contacts, &at); /* restitution */
  }
  if (!status) fill_offset(s);
  t->end_ready = !status;
  return status;
}

/* --- beginning ------------------------------------------------------------------------------------------- */

void picus_theta_change_laws(stepper *s) { theta_of(s)->kept_laws = false; }

void picus_theta_forget(stepper *s) { theta_of(s)->kept = theta_of(s)->kept_laws = false; }

void picus_theta_archive(stepper *s, picus_archive *a) {
  theta_step *t = theta_of(s);
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu;
  picus_archive_mark(a, "last step");
  picus_archive_bool(a, &t->kept);
  picus_archive_bool(a, &t->kept_laws);
  picus_archive_double(a, &t->t_end);
  picus_archive_doubles(a, t->q, nq);
  picus_archive_doubles(a, t->w, nu);
  picus_archive_doubles(a, t->u_end, nu);
  picus_velocity_guess_archive(&t->guess, a);
  picus_archive_doubles(a, t->gap, (size_t)s->set->law_count);
  picus_theta_tangent_archive(s, a);
  if (!picus_archive_reads(a)) return;
  if (t->kept_laws) picus_evaluation_set_point(t->end, t->t_end, t->q, t->w); /* where gaps and W were evaluated last */
}

/* Gaps and relative velocities of the state. */
static picus_status look_at_begin(stepper *s) {
  theta_step *t = theta_of(s);
  if (t->kept && t->kept_laws) {
    picus_copy(s->set->law_count, t->gap, t->gap_begin);
    return picus_evaluate_velocities(t->end, t->gamma_begin);
  }
  picus_evaluation_set_point(t->end, s->t, s->q, s->u);
  picus_status status = picus_evaluate_gaps(t->end, t->gap_begin);
  return status ? status : picus_evaluate_velocities(t->end, t->gamma_begin);
}

theta_shape picus_theta_shape(const stepper *s, double dt) {
  return (theta_shape){.force_dt = dt, .t_share = s->theta, .u_share = s->theta, .q_share = s->theta, .w_begin = s->u};
}

picus_status picus_theta_begin(stepper *s, double dt, const theta_shape *shape) {
  theta_step *t = theta_of(s);
  const int nq = s->system->nq;
  /* whether the state is the one in which the last step ended: the driver may have rounded its time */
  t->kept = t->kept && fabs(s->t - t->t_end) <= 4 * DBL_EPSILON * fabs(s->t) && picus_equal(nq, s->q, t->q) &&
            picus_equal(s->system->nu, s->u, t->u_end);
  picus_status status = look_at_begin(s);
  if (!status && t->h_begin) {
    picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
    status = picus_evaluate_force(s->evaluation, t->h_begin);
  }
  if (status) return status;
  if (t->gap_noise) picus_clear(s->set->law_count, t->gap_noise);
  t->dt = dt;
  t->shape = *shape;
  t->t_end = s->t + dt;
  const double before = shape->rate_by_w ? 0 : (1 - shape->u_share) * dt; /* w acts */
  for (int i = 0; s->has_preloads && i < s->set->law_count; i++)
    t->ahead[i] = t->gap_begin[i] + before * t->gamma_begin[s->set->laws[i].data.first_row];
  t->t_theta = s->t + shape->t_share * dt;
  t->solved = t->end_ready = false;
  if (!t->kept) {
    picus_velocity_guess_forget(&t->guess);
    t->tangent_serves = false;
  }
  if (t->as_printed) picus_velocity_guess_forget(&t->guess);
  picus_velocity_guess_find(&t->guess, shape->force_dt, shape->w_begin, t->w);
  t->kept = t->kept_laws = false;
  locate_velocity(s);
  const double *u_rate = shape->rate_by_w ? t->w : t->u_theta;
  if (!s->system->constants.identity_rates) {
    picus_evaluation_set_point(t->end, s->t, s->q, u_rate);
    status = picus_evaluate_rate(t->end, t->rate);
    u_rate = t->rate;
  }
  picus_add_multiple(nq, s->q, dt, u_rate, t->q);
  t->behind = t->as_printed;
  if (t->behind) {
    picus_subtract(nq, t->q, s->q, t->rate_change);
    picus_copy(nq, s->q, t->q);
  }
  picus_projection_begin(s);
  return status;
}

/* --- forecasts ------------------------------------------------------------------------------------------- */

/* Mixed: a contact that was closed, up to four steps ago, is open by few dt^2 at most and acts if the step would end
 * below it. One that comes from far would be stopped above the ground by that, by up to v dt: there g + s dt U decides.
 */
static bool looks_free(const stepper *s, int law) {
  const picus_forecast forecast = s->options.forecast;
  if (forecast != PICUS_FORECAST_MIXED) return forecast == PICUS_FORECAST_FREE;
  return s->contacts.modes[law] != PICUS_OPEN ||
         s->t - s->contacts.history.opened[law] <= PICUS_RESOLVED_STEPS * theta_of(s)->dt;
}

#define TOUCHING 0.01 /* of the distance that a part would travel in the step: a gap that is round-off beside it */

/* The relative velocity at the end of a step without percussions. Between two bodies of a stack it says nothing: both
 * fall alike, and a gap of round-off would leave the upper one without support. So at a contact that was closed, and
 * still touches, a part that recedes from the other is taken as held by its other contacts. If it does recede, its
 * percussion is zero. */
static double free_approach(const stepper *s, const system_law *law, int i) {
  const theta_step *t = theta_of(s);
  const double gamma_free = picus_law_velocity(t->end, law, 0, t->w_free);
  if (law->part_count < 2 || s->contacts.modes[i] == PICUS_OPEN) return gamma_free;
  double approach = 0; /* of the parts that do not recede */
  const double *row = picus_law_row(law, t->end->W, 0);
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &s->system->parts[law->parts[b]];
    double change = 0;
    for (int k = 0; k < part->nu; k++) change += row[k] * (t->w_free[part->u0 + k] - t->shape.w_begin[part->u0 + k]);
    approach += fmin(change, 0);
    row += part->nu;
  }
  if (t->gap_begin[i] > -TOUCHING * t->dt * approach) return gamma_free;
  return fmin(gamma_free, t->gamma_begin[law->data.first_row] + approach);
}

static picus_status activate_by_forecast(stepper *s, bool first, picus_step_info *info) {
  theta_step *t = theta_of(s);
  if (!first) return PICUS_OK;
  const picus_implicit_options *o = &s->options;
  /* as the projection leaves closed gaps, or by the option */
  const double closed = fmax(t->projection.member ? o->projection_tolerance : 0, s->half_explicit.closed_gap);
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    if (!picus_law_can_open(&law->data)) continue;
    const int row = law->data.first_row;
    double travel = o->forecast_factor * t->dt * t->gamma_begin[row];
    if (looks_free(s, i)) travel = t->dt * (s->theta * free_approach(s, law, i) + (1 - s->theta) * t->gamma_begin[row]);
    t->forecast[i] = t->gap_begin[i] + travel - closed;
    const bool is_held = law->data.adhesion > 0 && t->gap_begin[i] <= picus_step_largest_closed_gap(&s->contacts, i);
    if (is_held) t->forecast[i] = t->gap_begin[i]; /* its law decides whether it opens */
  }
  picus_step_problem_activate(&s->problem, t->forecast, info);
  return PICUS_OK;
}

/* Newton's loop --------------------------------------------------------------------------------------- */

/* w without percussions: one Newton step on the balance. */
static void free_velocity(stepper *s) {
  theta_step *t = theta_of(s);
  const int nu = s->system->nu;
  double *step = s->h;
  picus_copy(nu, t->balance, step);
  if (!s->system->constants.identity_rates || t->behind) {
    for (int p = 0; p < s->system->part_count; p++) {
      const system_part *part = &s->system->parts[p];
      if (part->identity_rates && t->behind) continue;
      if (part->identity_rates) /* q follows w exactly */
        memset(t->rate_change + part->q0, 0, (size_t)part->nq * sizeof(double));
      else
        picus_rate_factors_solve(&t->parts[p].rates, t->rate_change + part->q0);
    }
    picus_theta_add_slope(s, t->rate_change, step);
  }
  picus_system_matrix_solve(&t->tangent, step);
  picus_subtract(nu, t->w, step, t->w_free);
}

/* The positions follow the new velocities. */
static void move_positions(stepper *s, const double *w_new) {
  theta_step *t = theta_of(s);
  const int nu = s->system->nu, nq = s->system->nq;
  double *change = s->h, *dq = s->q_next;
  picus_subtract(nu, w_new, t->w, change);
  picus_theta_positions(s, change, dq);
  picus_add_multiple(nq, t->q, 1, dq, t->q);
  if (!s->system->constants.identity_rates || t->behind)
    for (int i = 0; i < nq; i++) t->q[i] += t->rate_change[i];
  t->behind = false;
  picus_copy(nu, w_new, t->w);
  t->end_ready = false;
}

/* Percussions and projection from one problem. */
static picus_status iterate_coupled(stepper *s, const theta_rules *rules, const contact_request *request,
                                    picus_step_info *info) {
  picus_projection_choose(s, rules->projection);
  picus_status status = picus_projection_find_both(s, request, s->theta * theta_of(s)->dt, s->u_next, info);
  if (status) return status;
  move_positions(s, s->u_next);
  return picus_projection_move(s);
}

static picus_status iterate(stepper *s, const theta_rules *rules, const contact_request *request, bool first,
                            picus_step_info *info) {
  theta_step *t = theta_of(s);
  free_velocity(s);
  picus_status status = rules->activate ? rules->activate(s, first, info) : PICUS_OK;
  if (status) return status;
  info->implicit.newton_iterations++;
  t->solved = true;
  if (rules->projection != PROJECT_NOTHING && picus_theta_is_coupled(s) && s->theta > 0)
    return iterate_coupled(s, rules, request, info);
  status = picus_step_problem_solve(&s->problem, request, s->u_next, info);
  if (status) return status;
  move_positions(s, s->u_next);
  if (rules->projection == PROJECT_NOTHING || !picus_theta_laws_matter(s, rules)) return PICUS_OK;
  locate(s); /* the end moves with the velocities */
  status = rules->look(s);
  if (!status && picus_projection_needed(s, rules->projection)) status = picus_projection_find(s, info);
  return status;
}

/* Whether the iterate solves the step; before: the residual one iteration ago. */
static bool is_solved(stepper *s, const theta_rules *rules, const contact_request *request, int iteration,
                      double before) {
  newton_residual *residual = &theta_of(s)->residual;
  const double if_stalled = iteration < PICUS_UNSETTLED ? INFINITY : before;
  if (picus_theta_is_settled(s, rules, request, if_stalled)) return true;
  if (!picus_newton_residual_give_up(s, residual, before)) return false;
  const bool settled = picus_theta_is_settled(s, rules, request, if_stalled);
  if (!settled) picus_newton_residual_try(s, residual);
  return settled;
}

/* Whether the first iterate already solves the step, up to round-off: in flight with constant forces the guess does. */
static bool flies(stepper *s, const theta_rules *rules, picus_step_info *info) {
  theta_step *t = theta_of(s);
  if (t->as_printed || t->solved || (s->problem.active_count > 0 && !rules->activate)) return false;
  picus_copy(s->system->nu, t->w, t->w_free);
  if (rules->activate && rules->activate(s, true, info)) return false;
  if (s->problem.active_count > 0) return false;
  picus_newton_residual_clear(&t->residual, INFINITY);
  const bool flies =
      picus_theta_is_exact(s) && (rules->projection == PROJECT_NOTHING || !picus_theta_laws_matter(s, rules) ||
                                  !picus_projection_needed(s, rules->projection));
  info->implicit.newton_iterations += flies;
  return flies;
}

#define SERVES 0.5 /* of the bound: a residual after one iteration with which the matrix serves the next step */

static picus_status iterate_until_solved(stepper *s, const theta_rules *rules, picus_step_info *info) {
  theta_step *t = theta_of(s);
  const bool once = t->is_linear && !s->contacts.coefficients && rules->projection == PROJECT_NOTHING &&
                    rules->look == picus_theta_look;
  const contact_request request = {.t = s->t,
                                   .dt = t->shape.force_dt,
                                   .directions = t->end,
                                   .matrix = &t->tangent,
                                   .u_begin = t->shape.w_begin,
                                   .u_free = t->w_free,
                                   .offset = t->offset,
                                   .ahead = s->has_preloads ? t->ahead : NULL,
                                   .ahead_dt = t->dt,
                                   .rounding = t->rounding,
                                   .friction = friction_of(s)};
  const bool keeps =
      t->keeps_tangent && !t->as_printed && rules->projection == PROJECT_NOTHING && rules->look == picus_theta_look;
  bool fresh = false;       /* the matrix belongs to this step */
  double before = INFINITY; /* the residual one iteration ago */
  picus_newton_residual_try(s, &t->residual);
  for (int iteration = 0;; iteration++) {
    picus_status status = look_at_middle(s);
    if (!status && iteration >= PICUS_UNSETTLED && t->gap_noise)
      status = picus_gap_noise(t->end, &(moving_point){t->t_end, t->q, t->w}, iteration - PICUS_UNSETTLED, s->q_next,
                               t->gap_noise);
    if (!status && picus_theta_laws_matter(s, rules)) status = rules->look(s);
    if (status) return status;
    if (iteration == 0 && flies(s, rules, info)) return picus_theta_laws_matter(s, rules) ? PICUS_OK : rules->look(s);
    if (iteration > 0 && is_solved(s, rules, &request, iteration, before)) {
      t->tangent_serves = keeps && iteration == 1 && t->residual.value <= SERVES * t->residual.bound;
      return picus_theta_laws_matter(s, rules) ? PICUS_OK : rules->look(s);
    }
    if (iteration == s->options.newton_max) return picus_newton_residual_fail(s, &s->problem, &t->residual, t->dt);
    /* the matrix of an earlier step serves one iteration, that of this step as long as each gains a digit with it */
    const bool serves = iteration == 0 ? keeps && t->tangent_serves && picus_theta_tangent_is_known(t)
                                       : fresh && !t->as_printed && t->residual.value < 0.1 * before;
    if (!serves) {
      if ((status = picus_theta_tangent_update(s))) return status;
      fresh = true;
    }
    if (iteration > 0) before = t->residual.value;
    status = iterate(s, rules, &request, !t->solved, info);
    if (status) return status;
    if (once) return rules->look(s); /* as exact as its factors, like the step of an explicit scheme */
  }
}

/* Moves the positions until all gaps are closed; the velocities stay. */
static picus_status project(stepper *s, const theta_rules *rules, picus_step_info *info) {
  theta_step *t = theta_of(s);
  for (int n = 0; n < s->options.newton_max; n++) {
    locate(s);
    picus_status status = rules->look(s);
    picus_newton_residual_clear(&t->residual, INFINITY);
    if (status || !picus_projection_needed(s, rules->projection)) return status;
    if ((status = picus_projection_find(s, info))) return status;
  }
  return picus_newton_residual_fail(s, &s->problem, &t->residual, t->dt);
}

picus_status picus_theta_iterate(stepper *s, const theta_rules *rules, picus_step_info *info) {
  if (rules->projection == PROJECT_NOTHING || s->options.projection != PICUS_PROJECTION_AFTER)
    return iterate_until_solved(s, rules, info);
  theta_rules of_newton = *rules;
  of_newton.projection = PROJECT_NOTHING;
  picus_status status = iterate_until_solved(s, &of_newton, info);
  return status ? status : project(s, rules, info);
}

void picus_theta_accept(stepper *s, picus_step_info *info) {
  theta_step *t = theta_of(s);
  picus_step_problem_accept(s, NULL, info);
  picus_step_note_gaps(s, t->gap, info);
  if (info->impacts == 0)
    picus_velocity_guess_note(&t->guess, t->shape.force_dt, t->shape.w_begin, t->w, t->residual.root_mass);
  else
    picus_velocity_guess_forget(&t->guess);
  t->kept = true;
  t->kept_laws = t->end_ready;
}

void picus_theta_advance(stepper *s, const double *u) {
  theta_step *t = theta_of(s);
  picus_copy(s->system->nq, t->q, s->q);
  picus_copy(s->system->nu, u, s->u);
  picus_copy(s->system->nu, u, t->u_end);
}

/* Whether the free velocity decides about any contact; else all are chosen before the step, without looking at W. */
static bool any_looks_free(const stepper *s) {
  for (int i = 0; i < s->set->law_count; i++)
    if (picus_law_can_open(&s->set->laws[i].data) && looks_free(s, i)) return true;
  return false;
}

picus_status picus_theta_step(stepper *s, double dt, projection_kind projection, picus_step_info *info) {
  /* gaps and velocities of laws at the start of the step; the first iterate */
  const theta_shape shape = picus_theta_shape(s, dt);
  picus_status status = picus_theta_begin(s, dt, &shape);
  if (status) return status;

  /* the active laws by a forecast (Acary 2012, section 4.4) */
  const bool by_free_velocity = any_looks_free(s);
  const theta_rules rules = {
      .projection = projection, .activate = by_free_velocity ? activate_by_forecast : NULL, .look = picus_theta_look};
  if (!by_free_velocity) (void)activate_by_forecast(s, true, info);

  /* (18), (28): M (u_E - u_B) = dt h + W P with the laws between P and xi = gamma_E + e gamma_B, by Newton's method
   * (47) */
  for (bool again = true; again;) {
    if ((status = picus_theta_iterate(s, &rules, info))) return status;
    const theta_step *t = theta_of(s);
    const closed_look look = {.dt = dt, .u_end = t->w, .gap = t->gap_begin, .ahead = t->forecast};
    if ((status = picus_step_join_laws(s, &look, NULL, info, &again))) return status;
  }
  picus_theta_accept(s, info);
  picus_theta_advance(s, theta_of(s)->w);
  return PICUS_OK;
}

/* --- the gap term ---------------------------------------------------------------------------------------- */

static picus_status choose_by_gaps(stepper *s, bool first, picus_step_info *info) {
  const gap_step step = gap_step_of(s);
  return first ? picus_gap_term_begin(s, &step, theta_of(s)->offset, info) : PICUS_OK;
}

picus_status picus_theta_gap_step(stepper *s, double dt, picus_step_info *info) {
  theta_step *t = theta_of(s);
  const theta_shape shape = picus_theta_shape(s, dt);
  picus_status status = picus_theta_begin(s, dt, &shape);
  if (status) return status;
  for (int i = 0; i < s->set->law_count; i++)
    s->gap_term.ahead[i] = t->gap_begin[i] + (1 - s->theta) * dt * t->gamma_begin[s->set->laws[i].data.first_row];
  theta_rules rules = {.projection = PROJECT_NOTHING, .activate = choose_by_gaps, .look = picus_theta_look};
  for (bool missed = true; !status && missed;) {
    status = picus_theta_iterate(s, &rules, info);
    const gap_step gaps = gap_step_of(s);
    if (!status) status = picus_step_join_laws(s, &(closed_look){.u_end = t->w}, &gaps, info, &missed);
  }
  if (status) return status;
  picus_theta_accept(s, info);
  picus_theta_advance(s, t->w);
  return PICUS_OK;
}

/* What the implicit schemes with contacts at position level share: the laws they support, and which contacts act. */

picus_status picus_theta_check_position_law(const stepper *s, const picus_system_law *law) {
  const char *scheme = s->scheme->description.name;
  if ((law->kind == PICUS_COULOMB && (law->mu > 0 || law->varies)) ||
      (law->kind == PICUS_RESERVOIR && (law->reservoir > 0 || law->varies || law->loaded) && !law->displaced) ||
      law->kind == PICUS_ROLLING)
    return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                      "the scheme %s does not support friction, but '%s' has friction; use moreau-jean or one of the "
                      "projected schemes",
                      scheme, law->name);
  if (!law->has_gap && law->kind != PICUS_RESERVOIR)
    return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                      "the scheme %s works at position level, but '%s' is a %s at velocity level; use "
                      "moreau-jean or one of the projected schemes",
                      scheme, law->name, picus_law_is_clutch(law) ? "clutch" : "constraint");
  return PICUS_OK;
}

picus_status picus_theta_create_at_positions(stepper *s) {
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < s->set->law_count; i++)
    status = picus_theta_check_position_law(s, &s->set->laws[i].data);
  if (!status) status = picus_theta_create(s, false);
  if (status) return status;
  theta_step *t = theta_of(s);
  status = PICUS_SCRATCH(&s->arrays, sizeof(double), picus_by_row, &t->rounding);
  return status ? status : PICUS_SCRATCH(&s->arrays, sizeof(double), picus_gap_noise_size, &t->gap_noise);
}

picus_status picus_theta_activate_crossed(stepper *s, bool first, picus_step_info *info) {
  theta_step *t = theta_of(s);
  bool changed = first;
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    double xi =
        picus_law_row_dot(s->system, law, picus_law_row(law, t->end->W, 0), t->w_free) + t->offset[law->data.first_row];
    bool joins = xi <= 0 && (first || t->forecast[i] > 0);
    if (first || joins) t->forecast[i] = joins ? -1 : 1;
    changed = changed || joins;
  }
  if (changed) picus_step_problem_activate(&s->problem, t->forecast, info);
  return PICUS_OK;
}
