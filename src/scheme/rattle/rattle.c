/* The nonsmooth RATTLE scheme (Breuling, Capobianco, Eugster, Leine 2023, sections 3 and 4).
 *
 * First stage, for the velocity u_h in the middle, the position q_1 at the end and the percussions P1:
 *
 *   M_0 (u_h - u_0) = dt/2 h(t_0, q_0, u_h) + W_0 P1,     q_1 = q_0 + dt/2 (q'(t_0, q_0, u_h) + q'(t_1, q_1, u_h)),
 *   g(t_1, q_1) = 0 or >= 0 against P1,                   gamma(t_1, q_1, u_h) against P1,
 *
 * second stage, for the velocity u_1 at the end and the percussions P = P1 + P2 of the complete step:
 *
 *   M_1 (u_1 - u_h) = dt/2 h(t_1, q_1, u_h) + W_1 P2,     gamma(t_1, q_1, u_1) + e gamma(t_0, q_0, u_0) against P.
 *
 * The second stage is one contact problem. The first is nonlinear: each Newton iteration linearizes its equations and
 * solves the remaining contact problem, with all its inclusions, so that the iteration also finds the active set
 * (Josephy 1979). Its G = V^T A^-1 W_0 has the slopes V of the laws at the end on the left and W at the start on the
 * right, and is not symmetric. Gaps are divided by dt: all rows are then velocities, and a shorter step is solved as
 * accurately, relative to what happens in it.
 *
 * A friction element of force a may take up a dt/2 in the first stage and a dt in the whole step.
 *
 * The memory of the scheme: P1 of the last step, from which the next one starts, and the number of further steps with
 * plain friction rows (see picus_rattle_rows). */
#include "scheme/rattle/rattle.h"

#include "base/internal.h"
#include "scheme/linear_motion.h"
#include "stepper/impacts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of iterations that keep their rows: how far a secant step goes, in steps, beyond the last iterate and back between
 * the last two; and the growth of the residual, or the number of slow iterations, after which the rows are renewed. */
#define MOST_BEYOND 10
#define MOST_BETWEEN 0.9
#define GROWTH 4
enum { MOST_SLOW = 4 };

static picus_status allocate_arrays(stepper *s) {
  rattle_step *r = rattle_of(s);
  law_arrays *a = &s->arrays;
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu, unit = sizeof(double);
  picus_status status = PICUS_FIXED(a, unit, nq, &r->q, &r->rate_begin, &r->rate, &r->q_low);
  if (!status)
    status = PICUS_FIXED(a, unit, nu, &r->u, &r->u_free, &r->h, &r->balance, &r->momentum, &r->u_kept, &r->u_unloaded);
  if (!status)
    status = PICUS_SCRATCH(a, unit, picus_by_row, &r->gamma_begin, &r->offset, &r->rounding, &r->energies.lost,
                           &r->energies.driven, &r->slip_velocity);
  if (!status) status = PICUS_FIXED(a, unit, nu, &r->last.u, &r->last.f);
  if (!status) status = PICUS_SCRATCH(a, unit, picus_by_row, &r->last.P);
  if (!status) status = PICUS_SCRATCH(a, unit, picus_by_law, &r->gap, &r->gap_begin, &r->forecast);
  if (!status) status = PICUS_SCRATCH(a, unit, picus_gap_noise_size, &r->gap_noise);
  if (!status) status = PICUS_SCRATCH(a, sizeof *r->taken_back, picus_by_law, &r->taken_back);
  return status || r->rows_are_W ? status : PICUS_SCRATCH(a, unit, picus_by_W, &r->rows);
}

static void release(stepper *s) {
  if (s->own && rattle_of(s)->matrix.blocks) picus_system_matrix_release(s->context, &rattle_of(s)->matrix);
}

static void restart(stepper *s) {
  picus_step_problem_forget(&rattle_of(s)->problem);
  picus_rattle_prox_restart(s);
}

static void forget_guess(stepper *s) { picus_velocity_guess_forget(&rattle_of(s)->guess); }

/* The pivots of the matrix, and the guess for the next step. */
static void archive(stepper *s, picus_archive *a) {
  rattle_step *r = rattle_of(s);
  picus_archive_mark(a, "matrix");
  picus_system_matrix_archive(&r->matrix, a);
  picus_velocity_guess_archive(&r->guess, a);
  picus_archive_double(a, &r->t_kept);
  picus_archive_doubles(a, r->u_kept, (size_t)s->system->nu);
  picus_rattle_prox_archive(s, a);
  if (picus_archive_reads(a)) r->matrix_dt = 0;
}

/* The velocity that forces alone would give. u_free of the second stage is another one: if W changes in the step, it
 * keeps (W_0 - W_1) P1 of the first stage, which is large for light bodies just if they have an impact. */
static void find_unloaded(stepper *s) {
  rattle_step *r = rattle_of(s);
  double *impulse = r->balance; /* of the first stage, which is over */
  for (int i = 0; i < s->system->nu; i++) impulse[i] = r->dt * r->h[i];
  picus_evaluation_solve_mass(r->end, impulse);
  picus_add_multiple(s->system->nu, s->u, 1, impulse, r->u_unloaded);
}

/* The memory of both stages, the evaluation of the end of a step, and the derivatives that it needs. */
static picus_status create(stepper *s) {
  picus_status status = PICUS_FIXED(&s->arrays, sizeof(rattle_step), 1, &s->own);
  if (status) return status;
  rattle_step *r = rattle_of(s);
  status = picus_stepper_remember_laws(s, 1, 0);
  if (!status) status = picus_rattle_slopes_create(s);
  if (!status) status = allocate_arrays(s);
  if (!status && s->options.slip_direction != PICUS_SLIP_END) status = picus_given_slip_create(&s->contacts, &r->slip);
  if (!status) status = picus_rattle_prox_create(s);
  if (!status) status = picus_newton_residual_create(s, &r->residual);
  if (!status) status = picus_velocity_guess_create(&s->arrays, s->system->nu, PICUS_GUESS_ORDER, &r->guess);
  if (!status) status = picus_step_problem_create(&s->contacts, &r->problem);
  if (!status) status = picus_stepper_add_evaluation(s, &r->end);
  unsigned jacobians = r->rows_are_W ? 0 : PICUS_JACOBIAN(JACOBIAN_VELOCITY_Q); /* at the end of the step */
  if (!s->system->constants.identity_rates) jacobians |= PICUS_JACOBIAN(JACOBIAN_GAP_Q) | PICUS_JACOBIANS_OF_RATES;
  if (!status) status = picus_evaluation_request(r->end, jacobians);
  if (status) return status;
  s->judged.directions = r->end;
  s->judged.u_free = r->u_unloaded;
  s->judged.find_free = find_unloaded;
  picus_evaluation_set_point(r->end, s->t, s->q, s->u);
  return picus_step_problem_fill_constant(&s->problem, r->end);
}

/* --- first stage -------------------------------------------------------------------------------------------------- */

/* Values at (t_0, q_0, u_0), and the first iterate of u_h and q_1. */
static picus_status begin(stepper *s, double dt) {
  rattle_step *r = rattle_of(s);
  picus_evaluation *e = s->evaluation;
  r->dt = dt;
  picus_step_times(s, dt, &r->t_begin, &r->t_end);
  /* the state in which the last step ended? The driver may have rounded its time, and quaternions are renormalized */
  r->has_force = false;
  const bool is_kept = fabs(s->t - r->t_kept) <= 4 * DBL_EPSILON * fabs(s->t);
  if (!is_kept || !picus_equal(s->system->nu, s->u, r->u_kept)) forget_guess(s);
  picus_velocity_guess_find(&r->guess, dt, s->u, r->u);
  picus_copy(s->system->nq, s->q, r->q);
  for (int i = 0; i < s->set->law_count; i++) {
    r->forecast[i] = 1;
    r->gap_noise[i] = 0;
  }
  picus_evaluation_set_point(e, r->t_begin, s->q, s->u);
  picus_status status = s->system->constants.mass ? picus_evaluation_factor_mass(e) : picus_evaluation_update_mass(e);
  if (status) return status;
  picus_newton_residual_weigh(s, &r->residual);
  return picus_rattle_begin_rates(s);
}

/* Relative velocities of the state, and gaps where laws ask for them. */
static picus_status look_at_begin(stepper *s) {
  rattle_step *r = rattle_of(s);
  picus_evaluation_set_velocity(s->evaluation, s->u);
  picus_status status = picus_evaluate_velocities(s->evaluation, r->gamma_begin);
  if (status || !(s->has_preloads || s->contacts.adheres)) return status;
  return picus_evaluate_gaps(s->evaluation, r->gap_begin);
}

/* A relative velocity with u_h: the mean of both ends of the step, which is symmetric in time, or that at the end. */
static double law_velocity(const stepper *s, const system_law *law, int k) {
  const rattle_step *r = rattle_of(s);
  const size_t at = picus_law_row_at(law, k);
  const int row = law->data.first_row + k;
  double end = picus_law_row_dot(s->system, law, r->end->W + at, r->u) + r->end->chi[row];
  if (s->options.slip_direction == PICUS_SLIP_END) return end;
  double begin = picus_law_row_dot(s->system, law, s->evaluation->W + at, r->u) + s->evaluation->chi[row];
  return 0.5 * (begin + end);
}

/* Coefficients that vary: the mean of both ends, with the slip of u_h, for both stages. */
static friction_point friction_of(const stepper *s) {
  const rattle_step *r = rattle_of(s);
  return (friction_point){.at = {s->evaluation, r->end}, .slip = r->slip_velocity};
}

/* The round-off of the gaps at the end of the step, over dt: of the first iterate, and the noise that is measured
 * later. */
static void find_rounding(stepper *s) {
  rattle_step *r = rattle_of(s);
  r->has_rounding = true;
  picus_stepper_find_largest(s, r->q);
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    double *rounding = r->rounding + law->data.first_row;
    picus_clear(law->data.dim, rounding);
    if (!law->data.has_gap) continue;
    const double *slope = picus_law_row(law, r->rows_are_W ? r->end->W : r->rows, 0);
    const double terms = picus_law_gap_terms(s, law, slope, r->q) + fabs(r->gap[i]);
    rounding[0] = (8 * DBL_EPSILON * terms + r->gap_noise[i]) / r->dt;
  }
}

/* Gaps over dt at the end of the step and relative velocities, as rows u + offset. */
static void fill_offset(stepper *s) {
  rattle_step *r = rattle_of(s);
  if (!r->has_rounding) find_rounding(s);
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    const double *slope = picus_law_row(law, r->rows_are_W ? r->end->W : r->rows, 0);
    for (int k = 0; k < law->data.dim; k++, slope += picus_law_row_size(law)) {
      const int row = law->data.first_row + k;
      double linear = picus_law_row_dot(s->system, law, slope, r->u); /* row u is added again by the contact problem */
      if (law->data.has_gap && k == 0) {
        /* A gap within its round-off counts as zero. Divided by dt, round-off would separate redundant contacts at
         * rest: their velocities could not vanish together, and only pivoting solvers find how they share friction. */
        const double gap = fabs(r->gap[i]) <= r->dt * r->rounding[row] ? 0 : r->gap[i];
        r->offset[row] = gap / r->dt - linear;
      } else {
        r->slip_velocity[row] = law_velocity(s, law, k);
        r->offset[row] = r->slip_velocity[row] - linear;
      }
    }
  }
}

/* Whether one contact problem has been the whole stage: forces, directions and coefficients are the same at every
 * iterate, and no law was left out of it. */
static bool is_linear(const stepper *s) {
  const rattle_step *r = rattle_of(s);
  return r->has_force && r->rows_are_W && !s->contacts.coefficients && !r->problem.left_out.any;
}

/* The same for another iterate: of a linear stage all but the slip stays. */
static void renew_offset(stepper *s) {
  rattle_step *r = rattle_of(s);
  if (!is_linear(s)) {
    fill_offset(s);
    return;
  }
  for (int i = 0; i < s->set->law_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    for (int k = law->has_gap ? 1 : 0; k < law->dim; k++)
      r->slip_velocity[law->first_row + k] = law_velocity(s, &s->set->laws[i], k);
  }
}

/* The balance of the first stage at the present u. Forces of positions alone are those of the first iterate. */
static picus_status look_at_balance(stepper *s) {
  rattle_step *r = rattle_of(s);
  picus_evaluation *e = s->evaluation;
  picus_evaluation_set_velocity(e, r->u);
  picus_status status = r->has_force ? PICUS_OK : picus_evaluate_force(e, r->h);
  if (status) return status;
  r->has_force = s->system->constants.position_forces;
  picus_subtract(s->system->nu, r->u, s->u, r->balance);
  picus_system_matrix_multiply(&e->mass, r->balance, r->momentum);
  picus_add_multiple(s->system->nu, r->momentum, -0.5 * r->dt, r->h, r->balance);
  return PICUS_OK;
}

/* The equations of the first stage at the present u. */
picus_status picus_rattle_look(stepper *s) {
  rattle_step *r = rattle_of(s);
  picus_status status = look_at_balance(s);
  if (!status) status = picus_rattle_positions(s);
  if (!status) status = picus_evaluate_gaps(r->end, r->gap);
  return status ? status : picus_evaluation_update_directions(r->end);
}

/* The same linearized: the rows of the laws at the present u. */
picus_status picus_rattle_linearize(stepper *s) {
  picus_status status = picus_rattle_rows(s);
  if (!status) fill_offset(s);
  return status;
}

static bool is_below_zero(const rattle_step *r, const picus_system_law *law, int i) {
  return r->gap[i] < -r->dt * r->rounding[law->first_row];
}

/* A contact is active if it was closed before the step, and from the first iteration in which it would close in this
 * step: without percussions, or with those of the other contacts. Bodies that lean on each other fall alike without
 * percussions: only the percussions of other contacts would show, in a distant iterate, that they stay in contact. This
 * costs iterations and makes the velocities of redundant contacts incompatible, so closed contacts are active from the
 * first iteration. */
static void activate(stepper *s, bool first, picus_step_info *info) {
  rattle_step *r = rattle_of(s);
  bool changed = first;
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    if (!picus_law_can_open(&law->data) || r->forecast[i] < 0) continue;
    const double *slope = picus_law_row(law, r->rows_are_W ? r->end->W : r->rows, 0);
    double xi = picus_law_row_dot(s->system, law, slope, r->u_free) + r->offset[law->data.first_row];
    const bool is_held = law->data.adhesion > 0 && r->gap_begin[i] <= picus_step_largest_closed_gap(&s->contacts, i);
    bool was_closed = first && (s->contacts.modes[i] != PICUS_OPEN || is_held);
    bool joins = was_closed || xi <= r->rounding[law->data.first_row] || (!first && is_below_zero(r, &law->data, i));
    if (joins) r->forecast[i] = -1;
    changed = changed || joins;
  }
  if (!changed) return;
  picus_step_problem_activate(&r->problem, r->forecast, info);
  picus_step_problem_guess(&r->problem, 1, s->law_memory); /* P1 of the last step, or of the last iteration */
}

/* The bound of the residual, and the balance M (u_h - u_0) - dt/2 h - W P1. */
static void measure_balance(stepper *s) {
  rattle_step *r = rattle_of(s);
  double *impulse = s->h, scale = 0, rounding = 0;
  const int nu = s->system->nu;
  picus_clear(nu, impulse);
  picus_step_problem_add_impulse(&r->problem, s->evaluation, impulse);
  for (int i = 0; i < nu; i++) {
    scale = picus_larger(scale, r->residual.weight[i] *
                                    (fabs(r->momentum[i]) + 0.5 * r->dt * fabs(r->h[i]) + fabs(impulse[i])));
    rounding = picus_larger(rounding, r->residual.root_mass[i] * picus_larger(fabs(r->u[i]), fabs(s->u[i])));
  }
  picus_newton_residual_clear(&r->residual, r->residual.tolerance.balance * scale + 8 * DBL_EPSILON * rounding);
  for (int i = 0; i < nu; i++)
    picus_newton_residual_note(&r->residual, r->residual.weight[i] * fabs(r->balance[i] - impulse[i]), "the balance of",
                               s->system->u_names[i].name);
}

/* True if the iterate solves the first stage: its balance, measured as r_i / sqrt(M_ii), and its laws, measured as xi_r
 * / sqrt(G_rr), are small relative to the terms of the balance, or at round-off level; and no contact was left out
 * although its gap is below zero. */
static bool is_settled(stepper *s, const contact_request *request) {
  rattle_step *r = rattle_of(s);
  const bool linear = is_linear(s);
  if (linear)
    picus_newton_residual_clear(&r->residual, 0);
  else
    measure_balance(s);
  if (s->set->law_count && !linear) {
    int law = 0;
    double change = picus_step_problem_change(&r->problem, request, r->u, &law);
    picus_newton_residual_note(&r->residual, change, "the law", s->set->laws[law].data.name);
  }
  if (s->contacts.coefficients) {
    int law = 0;
    const double change = picus_varying_change(&r->problem, request, r->u, &law);
    picus_newton_residual_note(&r->residual, change, "the friction of", s->set->laws[law].data.name);
  }
  for (int i = 0; i < s->set->law_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    if (picus_law_can_open(law) && r->forecast[i] > 0 && is_below_zero(r, law, i))
      picus_newton_residual_note(&r->residual, INFINITY, "the gap of", law->name);
  }
  return r->residual.value <= r->residual.bound;
}

/* Whether the iterate solves the first stage to the goal of the run or, if iterations no longer reduce the residual, to
 * the tolerance of the options. before: the residual one iteration ago. */
static bool is_solved(stepper *s, const contact_request *request, double before) {
  newton_residual *residual = &rattle_of(s)->residual;
  picus_newton_residual_try(s, residual);
  if (is_settled(s, request)) return true;
  return picus_newton_residual_give_up(s, residual, before) && is_settled(s, request);
}

/* Iterations with the same rows converge linearly, slowly or with alternating signs where a slope is next to nothing: a
 * secant step through the last two, for u_next and the percussions. f: of the fixed point u = u_next(u). */
static void accelerate(stepper *s) {
  rattle_step *r = rattle_of(s);
  kept_iterate *last = &r->last;
  step_problem *p = &r->problem;
  const int nu = s->system->nu;
  double product = 0, square = 0;
  for (int i = 0; i < nu; i++) {
    const double f = s->u_next[i] - r->u[i], difference = f - last->f[i], mass = r->residual.root_mass[i];
    product += mass * f * (mass * difference);
    square += mass * difference * (mass * difference);
    last->f[i] = f;
  }
  const double share = last->known && square > 0 ? picus_larger(-MOST_BEYOND, fmin(product / square, MOST_BETWEEN)) : 0;
  for (int i = 0; i < nu; i++) {
    const double u = s->u_next[i];
    if (last->known) s->u_next[i] -= share * (u - last->u[i]);
    last->u[i] = u;
  }
  for (int k = 0, at = 0; k < p->active_count; k++) {
    const picus_system_law *law = &s->set->laws[p->active[k]].data;
    for (int row = law->first_row; row < law->first_row + law->dim; row++, at++) {
      const double P = p->P[at];
      if (last->known) p->P[at] -= share * (P - last->P[row]);
      last->P[row] = P;
    }
  }
  last->known = true;
}

/* u_free by the balance at the present u. */
static picus_status find_free(stepper *s, bool first) {
  rattle_step *r = rattle_of(s);
  picus_status status = picus_rattle_matrix(s, first);
  if (status) return status;
  picus_copy(s->system->nu, r->balance, r->u_free);
  picus_system_matrix_solve(&r->matrix, r->u_free);
  picus_subtract(s->system->nu, r->u, r->u_free, r->u_free);
  return PICUS_OK;
}

static picus_status iterate(stepper *s, const contact_request *request, bool first, picus_step_info *info) {
  rattle_step *r = rattle_of(s);
  const int nu = s->system->nu;
  picus_status status = find_free(s, first);
  if (status) return status;
  activate(s, first, info);
  info->implicit.newton_iterations++;
  status = picus_step_problem_solve(&r->problem, request, s->u_next, info);
  if (status) return status;
  if (r->last.keeps_rows) accelerate(s);
  picus_copy(nu, s->u_next, r->u);
  picus_clear(s->set->row_count, s->law_memory);
  picus_step_problem_keep(&r->problem, s->law_memory);
  return PICUS_OK;
}

/* Near a dead centre the slopes of a contact alternate between nothing and next to nothing, and iterates with them. If
 * iterations no longer reduce the residual, the rows stay as they are, unless the residual then grows, or falls slowly:
 * with the rows of the wrong one of both iterates, secant steps approach the dead centre itself, a double root. */
static void choose_rows(rattle_step *r, double before) {
  kept_iterate *last = &r->last;
  const bool stalls = picus_newton_residual_stalls(&r->residual, before);
  last->slow = last->known ? last->slow + stalls : 0;
  if (last->known && (last->slow > MOST_SLOW || r->residual.value > GROWTH * before))
    last->keeps_rows = last->known = false;
  else if (stalls)
    last->keeps_rows = true;
}

/* M_0 (u_h - u_0) = dt/2 h(t_0, q_0, u_h) + W_0 P1 with the laws at q_1: gaps, and relative velocities at u_h (Breuling
 * 2023, eq. 41). */
static picus_status first_stage(stepper *s, picus_step_info *info) {
  rattle_step *r = rattle_of(s);
  const contact_request request = {.t = s->t,
                                   .dt = 0.5 * r->dt,
                                   .directions = s->evaluation,
                                   .matrix = &r->matrix,
                                   .stays = true,
                                   .u_begin = s->u,
                                   .u_free = r->u_free,
                                   .offset = r->offset,
                                   .ahead = s->has_preloads ? r->gap_begin : NULL,
                                   .ahead_dt = r->dt,
                                   .rows = r->rows_are_W ? NULL : r->rows,
                                   .rounding = r->rounding,
                                   .friction = friction_of(s)};
  picus_step_problem_renew(&r->problem);
  picus_status status = PICUS_OK;
  double before = INFINITY; /* the residual one iteration ago */
  r->last.keeps_rows = r->last.known = r->has_rounding = false;
  for (int iteration = 0;; iteration++) {
    /* an iteration that does not settle may have reached the round-off of the gaps, which is then measured */
    const moving_point end = {r->t_end, r->q, r->u};
    if (iteration >= PICUS_UNSETTLED) {
      status = picus_gap_noise(r->end, &end, iteration - PICUS_UNSETTLED, s->q_next, r->gap_noise);
      r->has_rounding = false;
    }
    if (!status) status = picus_rattle_look(s);
    if (status) return status;
    if (iteration > 0) renew_offset(s); /* the rows of the last iterate do: row u + offset is what it is */
    if (iteration > 0 && is_solved(s, &request, before)) return PICUS_OK;
    if (iteration >= PICUS_UNSETTLED) choose_rows(r, before);
    if (iteration > 0) before = r->residual.value;
    if (iteration == s->options.newton_max) return picus_newton_residual_fail(s, &r->problem, &r->residual, r->dt);
    if (!r->last.keeps_rows) status = picus_rattle_linearize(s);
    if (!status) status = iterate(s, &request, iteration == 0, info);
    if (status) return status;
  }
}

/* --- second stage ------------------------------------------------------------------------------------------------- */

/* Contacts that are closed at the end of the step: those that pressed in the first stage, and those that touch. In
 * adaptive runs a closed contact stays active with a gap of the size of the tolerance, and its law opens it: positions
 * from extrapolation have such gaps, and a contact opened by them would close again by an impact. */
static void choose_closed(stepper *s, picus_step_info *info) {
  rattle_step *r = rattle_of(s);
  for (int i = 0; i < s->set->law_count; i++) {
    const int row = s->set->laws[i].data.first_row;
    const bool is_closed =
        r->gap[i] <= r->dt * r->rounding[row] || r->gap[i] <= picus_step_largest_closed_gap(&s->contacts, i);
    const bool touches = s->law_memory[row] > 0 || is_closed;
    r->forecast[i] = touches ? -1 : 1;
  }
  picus_step_problem_activate(&s->problem, r->forecast, info);
}

/* Energy that each row dissipates, exact for the kinetic energy: P1 acts from u_0 to u_h with W_0, P2 from u_h to u_1
 * with W_1; and if P1 is withdrawn, - P1 with W_0 and P with W_1. */
static void find_losses(stepper *s, const double *u_end) {
  rattle_step *r = rattle_of(s);
  const step_problem *p = &s->problem;
  int at = 0;
  picus_clear(s->set->row_count, r->energies.lost);
  picus_clear(s->set->row_count, r->energies.driven);
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->set->laws[p->active[k]];
    const bool taken_back = r->taken_back[p->active[k]];
    const double *W_0 = picus_law_row(law, s->evaluation->W, 0), *W_1 = picus_law_row(law, r->end->W, 0);
    for (int j = 0; j < law->data.dim; j++, at++, W_0 += picus_law_row_size(law), W_1 += picus_law_row_size(law)) {
      const int row = law->data.first_row + j;
      /* relative velocities at u_h and u_1: with W_0, and with W_1 (without chi) */
      const row_products by_0 = picus_law_row_dots(s->system, law, W_0, r->u, u_end);
      const row_products by_1 = picus_law_row_dots(s->system, law, W_1, r->u, u_end);
      const double half_0 = by_0.u + s->evaluation->chi[row], end_0 = by_0.v + s->evaluation->chi[row];
      const double P1 = s->law_memory[row];
      double lost = -0.5 * P1 * (r->gamma_begin[row] + half_0);
      if (taken_back) lost += 0.5 * P1 * (half_0 + end_0);
      const double P2 = taken_back ? p->P[at] : p->P[at] - P1, chi = r->end->chi[row];
      r->energies.lost[row] = lost - 0.5 * P2 * (by_1.u + by_1.v + 2 * chi) + (p->transfer ? p->transfer[at] : 0);
      r->energies.driven[row] = -P2 * chi - (taken_back ? 0 : P1 * s->evaluation->chi[row]);
    }
  }
}

/* u at the end of the step without percussions: P1 has acted with W_0 and is replaced by P, which acts with W_1. */
static void find_free_velocity(stepper *s) {
  rattle_step *r = rattle_of(s);
  const int nu = s->system->nu;
  double *impulse = s->h;
  for (int i = 0; i < nu; i++) impulse[i] = 0.5 * r->dt * r->h[i];
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    const double *W = picus_law_row(law, r->taken_back[i] ? s->evaluation->W : r->end->W, 0);
    for (int k = 0; k < law->data.dim; k++, W += picus_law_row_size(law)) {
      const double P1 = s->law_memory[law->data.first_row + k];
      if (P1 != 0) picus_law_row_add(s->system, law, W, -P1, impulse);
    }
  }
  picus_evaluation_solve_mass(r->end, impulse);
  picus_add_multiple(nu, r->u, 1, impulse, r->u_free);
}

/* Contacts with a percussion in the first stage and none in the complete step. P1 is then withdrawn along W_0, where it
 * acted; with W_1 the momentum (W_0 - W_1) P1 would remain, from a contact that did not act. */
static bool release_open_contacts(stepper *s) {
  rattle_step *r = rattle_of(s);
  const step_problem *p = &s->problem;
  bool any = false;
  for (int k = 0; k < p->active_count; k++) {
    const int i = p->active[k];
    const picus_system_law *law = &s->set->laws[i].data;
    if (!picus_law_can_open(law) || p->modes[k] != PICUS_OPEN || s->law_memory[law->first_row] == 0) continue;
    r->taken_back[i] = any = true;
  }
  return any;
}

/* The direction of persistent slip, to second order. In the paper (34) the friction of a complete step opposes the slip
 * at its end: a right-endpoint rule, of order 1 if the direction turns. Here the total P_F = - mu P_N d opposes the
 * mean slip of the first stage, d = (gamma(q_0, u_h) + gamma(q_1, u_h)) / |...|, a midpoint rule; see given_slip.h.
 * Laws that slip before the step and in its first stage have a direction, if their slip velocity has one. */
static void choose_directions(stepper *s) {
  rattle_step *r = rattle_of(s);
  const step_problem *p = &s->problem, *first_stage = &r->problem;
  for (int k = 0, j = 0; k < p->active_count; k++) {
    const int i = p->active[k];
    while (j < first_stage->active_count && first_stage->active[j] < i) j++;
    bool acted = j < first_stage->active_count && first_stage->active[j] == i;
    const picus_system_law *law = &s->set->laws[i].data;
    const bool may_rest = s->system->has_rest_friction && law->varies; /* where its friction is another one */
    const bool slips =
        s->contacts.modes[i] == PICUS_SLIP && !may_rest && !(acted && first_stage->modes[j] == PICUS_STICK);
    r->slip.given[i] =
        slips && picus_given_slip_set(&r->slip, i, r->slip_velocity + law->first_row + law->dim - law->slips);
  }
}

/* The laws that were chosen, from the start: nothing is taken back before the percussions are known. */
static picus_status solve_chosen(stepper *s, const contact_request *request, picus_step_info *info) {
  rattle_step *r = rattle_of(s);
  for (int i = 0; i < s->set->law_count; i++) r->taken_back[i] = false;
  picus_step_problem_renew(&s->problem);
  for (bool first = true, again = true; again; first = false) {
    find_free_velocity(s);
    if (r->slip.possible) choose_directions(s);
    picus_status status = picus_step_problem_solve(&s->problem, request, s->u_next, info);
    if (status) return status;
    again = first && !r->rows_are_W && release_open_contacts(s);
  }
  return PICUS_OK;
}

/* M_1 (u_1 - u_h) = dt/2 h(t_1, q_1, u_h) + W_1 P2 with gamma_1 + e gamma_0 against the total P = P1 + P2, of all laws
 * that are closed at q_1. */
static picus_status second_stage(stepper *s, picus_step_info *info) {
  rattle_step *r = rattle_of(s);
  picus_evaluation *end = r->end;
  bool join = false;
  picus_status status = picus_evaluate_force(end, r->h);
  if (!status) status = picus_evaluation_factor_mass(end);
  const friction_point friction = friction_of(s);
  if (!status)
    status = picus_varying_evaluate(&s->contacts, &(contact_request){.directions = end, .friction = friction});
  if (status) return status;
  picus_step_offset(&s->contacts, r->dt, end->chi, r->gamma_begin, r->offset);
  choose_closed(s, info); /* by g_N(q_1) <= 0, and by the percussions of the first stage */
  /* M_1 (u_1 - u_h) = dt/2 h_1 + W_1 P2 with the law on the total P1 + P2 (Breuling 2023, eq. 43) */
  const contact_request request = {.t = s->t,
                                   .dt = r->dt,
                                   .directions = end,
                                   .matrix = &end->mass,
                                   .stays = true,
                                   .symmetric = true,
                                   .u_begin = s->u,
                                   .u_free = r->u_free,
                                   .offset = r->offset,
                                   .restores = true,
                                   .gamma_begin = r->gamma_begin,
                                   .ahead = s->has_preloads ? r->gap : NULL,
                                   .friction = friction,
                                   .slip = {r->slip.possible ? &r->slip : NULL, end, false}};
  picus_rattle_prox_second(s, info);
  status = solve_chosen(s, &request, info);
  if (!status) status = picus_rattle_join_closed(s, s->u_next, &join);
  if (status || !join) return status;
  picus_step_problem_activate(&s->problem, r->forecast, info);
  return solve_chosen(s, &request, info);
}

/* --- flight -------------------------------------------------------------------------------------------------------
 *
 * If no contact is closed at the start of a step and all gaps are far from zero at its end, both stages have forces
 * alone. Then directions, relative velocities and rows of the laws are not evaluated. */

#define FAR 1e-8 /* of the largest coordinate: a gap that round-off cannot have closed */

static bool is_open(const stepper *s) {
  for (int i = 0; i < s->set->law_count; i++)
    if (!picus_law_can_open(&s->set->laws[i].data) || s->contacts.modes[i] != PICUS_OPEN) return false;
  return !s->contacts.adheres;
}

static bool stays_far(const stepper *s) {
  const rattle_step *r = rattle_of(s);
  double size = 0;
  for (int i = 0; i < s->system->nq; i++) size = picus_larger(size, fabs(r->q[i]));
  for (int i = 0; i < s->set->law_count; i++)
    if (!(r->gap[i] > FAR * size + picus_step_largest_closed_gap(&s->contacts, i))) return false;
  return true;
}

static void release_all(stepper *s, step_problem *p, picus_step_info *info) {
  if (p->active_count > 0) picus_step_problem_activate(p, rattle_of(s)->forecast, info);
}

/* u_h by the balance alone: forces of positions are known before it, others take a Newton step from the guess. */
static picus_status find_flight(stepper *s) {
  rattle_step *r = rattle_of(s);
  picus_evaluation *e = s->evaluation;
  picus_status status = PICUS_OK;
  if (!s->system->constants.position_forces) {
    status = look_at_balance(s);
    if (!status) status = find_free(s, true);
    if (status) return status;
    picus_copy(s->system->nu, r->u_free, r->u);
    return look_at_balance(s);
  }
  if (!r->has_force) status = picus_evaluate_force(e, r->h);
  if (!status) status = picus_evaluation_factor_mass(e);
  if (status) return status;
  r->has_force = true;
  picus_copy(s->system->nu, r->h, r->balance);
  picus_evaluation_accelerate(e, s->u, 0.5 * r->dt, r->balance, r->u);
  if (!s->system->constants.identity_rates) picus_evaluation_set_velocity(e, r->u);
  return PICUS_OK;
}

/* u_h and q_1 by the balance alone; *flies: they are the solution of the first stage. */
static picus_status first_of_flight(stepper *s, picus_step_info *info, bool *flies) {
  rattle_step *r = rattle_of(s);
  picus_status status = find_flight(s);
  if (!status) status = picus_rattle_positions(s);
  if (status) return status;
  if ((status = picus_evaluate_gaps(r->end, r->gap)) || !stays_far(s)) return status;
  release_all(s, &r->problem, info);
  picus_newton_residual_try(s, &r->residual);
  if (!r->has_force) measure_balance(s);
  *flies = r->has_force || r->residual.value <= r->residual.bound;
  return PICUS_OK;
}

/* u_1 = u_h + dt/2 M_1^-1 h_1. */
static picus_status second_of_flight(stepper *s, picus_step_info *info) {
  rattle_step *r = rattle_of(s);
  picus_status status = picus_evaluate_force(r->end, r->h);
  if (!status) status = picus_evaluation_factor_mass(r->end);
  if (status) return status;
  picus_clear(s->set->row_count, s->law_memory);
  if (r->prox.r != 0) { /* its iterations look at all laws */
    if ((status = picus_evaluation_update_directions(r->end))) return status;
    picus_step_offset(&s->contacts, r->dt, r->end->chi, r->gamma_begin, r->offset);
    picus_rattle_prox_second(s, info);
  }
  picus_evaluation_accelerate(r->end, r->u, 0.5 * r->dt, r->h, s->u_next);
  release_all(s, &s->problem, info);
  info->implicit.newton_iterations++;
  return picus_step_check_finite(&s->contacts, s->t, s->u_next);
}

static picus_status step_with_laws(stepper *s, picus_step_info *info) {
  picus_status status = look_at_begin(s);
  /* (25a), (27), (28a), (29a), (33), (36): u_h, q_1 and P1 by Newton's method */
  if (!status) status = first_stage(s, info);
  /* (25b), (28b), (29b), (32), (34): u_1 and P by one contact problem */
  if (!status) status = second_stage(s, info);
  if (!status) find_losses(s, s->u_next);
  return status;
}

/* One step from (t_0, q_0, u_0) to (t_1, q_1, u_1); (n) are equations of Breuling et al. */
static picus_status step(stepper *s, double dt, picus_step_info *info) {
  rattle_step *r = rattle_of(s);
  picus_status status = picus_rattle_prox_begin(s, dt);
  if (!status) status = begin(s, dt);
  bool flies = false;
  if (!status && r->prox.r != 0) status = look_at_begin(s);
  if (!status) status = picus_rattle_prox_first(s, info);
  if (!status && is_open(s)) status = first_of_flight(s, info, &flies);
  if (!status && flies) status = second_of_flight(s, info);
  if (!status && !flies) status = step_with_laws(s, info);
  if (status) return status;
  picus_step_note_gaps(s, r->gap, info);
  picus_step_problem_accept(s, &r->energies, info);
  picus_copy(s->system->nq, r->q, s->q);
  if (s->q_low) picus_copy(s->system->nq, r->q_low, s->q_low);
  const bool guesses = !flies || !r->has_force; /* else the balance gives the velocity */
  if (info->impacts == 0 && guesses)
    picus_velocity_guess_note(&r->guess, dt, s->u, r->u, r->residual.root_mass);
  else
    forget_guess(s);
  picus_copy(s->system->nu, s->u_next, s->u);
  picus_copy(s->system->nu, s->u_next, r->u_kept);
  r->t_kept = s->t + dt;
  picus_rattle_prox_end(s);
  return PICUS_OK;
}

/* Without damping: it is implicit, and a step is stable if it is stable without. */
static void linear_step(const linear_motion *m, double dt, double *x, double *v) {
  double *a = m->work, *at_rest = a + m->n;
  picus_clear(m->n, at_rest);
  picus_linear_acceleration(m, x, at_rest, a);
  picus_add_multiple(m->n, v, 0.5 * dt, a, v);
  picus_add_multiple(m->n, x, dt, v, x);
  picus_linear_acceleration(m, x, at_rest, a);
  picus_add_multiple(m->n, v, 0.5 * dt, a, v);
}

const scheme_ops picus_rattle_scheme = {
    .description =
        {.name = "rattle",
         .summary =
             "nonsmooth RATTLE: contacts at position and velocity level, no penetration, order 2 in smooth motion",
         .reference = "Breuling, Capobianco, Eugster, Leine 2023, sections 3 and 4",
         .implicit = true},
    .has_impact_laws = true,
    .has_adhesion = true,
    .order = 2,
    .power = 2, /* its own inverse, with forces that depend on velocities too: both halves take them at u_h */
    .explicit_stiffness = true,
    .has_stages = true,
    .jacobians = PICUS_JACOBIAN(JACOBIAN_FORCE_U) | PICUS_JACOBIANS_OF_RATES,
    .create = create,
    .release = release,
    .restart = restart,
    .forget_guess = forget_guess,
    .archive = archive,
    .change_laws = restart,
    .linear_step = linear_step,
    .step = step};
