/* The half-explicit scheme at velocity level (Schindler, Rezaei, Kursawe, Acary 2015, section 4, Fig. 6 and Appendix A;
 * docs/theory/half-explicit.md derives it). One step from (q_0, u_0):
 *
 *   u_1 = u_0 + dt M_0^-1 (h_0 + W_0 lambda+),      gamma(q~, u_1) against lambda+,  q~ = q_0 + dt q'(q_0, u_0),
 *   q_1 = q_0 + dt/2 (q'(q_0, u_0) + q'(q~, u_1)),
 *   u- = u_0 + dt/2 M_0^-1 (h_0 + W_0 lambda+) + dt/2 M_1^-1 (h(q_1, u_1) + W_1 lambda-),  gamma(q_1, u-) against
 * lambda-,
 *
 * with lambda+ of the contacts that are closed at q_0 and lambda- of those closed at q_1. If a contact closes,
 * everything that is connected with it (half_explicit_impact.c) loses the contact forces of this step, and an impulse
 * follows:
 *
 *   u = u- + M_1^-1 W_1 Lambda,     gamma(q_1, u) + e gamma(q_1, u-) against Lambda of all contacts closed at q_1.
 *
 * Constraints and friction elements keep their forces in such a step: both stages are solved again with these alone.
 * Lambda also contains the impulses of constraints. A friction element has no impulse: its force is bounded.
 *
 * The memory of the scheme: lambda+, lambda- and Lambda of the last step, and the energy that impulses dissipated. */
#include "scheme/half_explicit/half_explicit.h"

#include "base/internal.h"
#include "scheme/linear_motion.h"
#include "stepper/stepper_phases.h"

#include <float.h>
#include <math.h>
#include <string.h>

half_explicit_memory picus_half_explicit_memory(const stepper *s, double *values) {
  const size_t rows = (size_t)s->set->row_count, laws = (size_t)s->set->law_count;
  return (half_explicit_memory){values, values + rows, values + 2 * rows, values + 3 * rows, values + 3 * rows + laws};
}

static size_t sums_size(const law_sizes *n) { return 5 * n->rows; }

static picus_status allocate_arrays(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  law_arrays *a = &s->arrays;
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu, unit = sizeof(double);
  picus_status status = PICUS_FIXED(a, unit, nq, &r->q_forecast, &r->rate, &r->rate_forecast);
  if (!status)
    status = PICUS_FIXED(a, unit, nu, &r->u_forced, &r->u_1, &r->u_kept, &r->u_before, &r->u_unloaded, &r->change);
  if (!status) status = PICUS_SCRATCH(a, unit, picus_by_law, &r->gap_begin, &r->gap_end, &r->gap_forecast);
  if (!status)
    status = PICUS_SCRATCH(a, unit, picus_by_row, &r->P1, &r->P2, &r->Lambda, &r->energies.lost, &r->energies.driven);
  if (!status) status = PICUS_SCRATCH(a, unit, sums_size, &r->sums);
  if (!status)
    status = PICUS_SCRATCH(a, sizeof(bool), picus_by_law, &r->closed_begin, &r->closed_end, &r->chosen, &r->acting,
                           &r->impulsive);
  if (!status && s->contacts.impacts) status = PICUS_SCRATCH(a, unit, picus_by_row, &r->transfer);
  r->components.system = s->system;
  if (!status) status = PICUS_FIXED(a, sizeof(int), nu, &r->components.parent);
  return status ? status : PICUS_FIXED(a, sizeof(bool), nu, &r->components.marked);
}

void picus_half_explicit_restart(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  picus_step_problem_forget(&r->first);
  picus_step_problem_forget(&r->other);
}

static picus_status create_problems(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  picus_status status = picus_step_problem_create(&s->contacts, &r->first);
  if (!status) status = picus_step_problem_create(&s->contacts, &r->other);
  if (!status) status = picus_stepper_add_evaluation(s, &r->begin);
  if (!status) status = picus_stepper_add_evaluation(s, &r->end);
  if (status) return status;
  picus_evaluation_set_point(r->begin, s->t, s->q, s->u);
  picus_evaluation_set_point(r->end, s->t, s->q, s->u);
  status = picus_step_problem_fill_constant(&s->problem, r->end);
  if (!status) status = picus_step_problem_fill_constant(&r->first, r->begin);
  return status ? status : picus_step_problem_fill_constant(&r->other, r->end);
}

picus_status picus_half_explicit_create(stepper *s, half_explicit_attempt attempt_step, bool drifts) {
  picus_status status = PICUS_FIXED(&s->arrays, sizeof(half_explicit_step), 1, &s->own);
  if (status) return status;
  half_explicit_step *r = half_explicit_of(s);
  r->attempt = attempt_step;
  r->velocities_drift = drifts;
  status = picus_stepper_remember_laws(s, 3, drifts ? 2 : 1);
  if (!status) status = allocate_arrays(s);
  if (!status) status = picus_half_explicit_start_create(s);
  if (!status) status = create_problems(s);
  if (!status) status = picus_given_slip_create(&s->contacts, &r->slip);
  r->can_divide = s->half_explicit.impact_substeps > 1;
  if (!status && r->can_divide) status = picus_snapshot_create(s, &r->start);
  if (status) return status;
  const picus_system_constants constants = s->system->constants;
  r->needs_forecast = !constants.directions || !constants.identity_rates || s->half_explicit.predicted;
  s->judged.directions = r->end;
  s->judged.u_free = r->u_unloaded;
  s->judged.impulse = &r->Lambda;
  return PICUS_OK;
}

picus_status picus_half_explicit_check_options(const stepper *s) {
  if (!s->half_explicit.predicted) return PICUS_OK;
  return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                    "the scheme '%s' does not support the option 'predicted', which belongs to half-explicit; leave it "
                    "out, or use half-explicit",
                    s->scheme->description.name);
}

/* --- active sets -------------------------------------------------------------------------------------------------- */

#define ROUNDINGS 8 /* of a gap */

/* A gap counts as closed up to its round-off, and up to that of the velocity that the laws leave in a closed contact:
 * both relative to the terms that a gap and its rate are sums of. In a persistent contact they add up over many
 * steps. */
static double round_off_of_gap(stepper *s, const picus_evaluation *e, const double *q, int i) {
  const half_explicit_step *r = half_explicit_of(s);
  const system_law *law = &s->set->laws[i];
  const double *row = picus_law_row(law, e->W, 0);
  const double terms =
      picus_law_gap_terms(s, law, row, q) + r->dt * picus_law_row_terms(s->system, law, row, r->u_forced);
  return (s->contacts.modes[i] == PICUS_OPEN ? ROUNDINGS : PICUS_DRIFT_ROUNDINGS) * DBL_EPSILON * terms;
}

/* No round-off of a gap is wider: |q| with levers of up to 1e4. */
static void find_widest(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  double largest = 0;
  for (int i = 0; i < s->system->nq; i++) largest = picus_larger(largest, fabs(s->q[i]));
  for (int i = 0; i < s->system->nu; i++) largest = picus_larger(largest, r->dt * fabs(r->u_forced[i]));
  r->widest = 1e4 * PICUS_DRIFT_ROUNDINGS * DBL_EPSILON * largest;
}

/* A gap that the forces of a step can change by a step is an error of the scheme: the contact is still closed. A wider
 * one belongs to a surface that jumped away, or to a contact that opens. */
double picus_half_explicit_drift(stepper *s, picus_evaluation *e, int i) {
  const half_explicit_step *r = half_explicit_of(s);
  const system_law *law = &s->set->laws[i];
  if (picus_evaluation_update_directions(e)) return 0;
  if (r->velocities_drift && !picus_half_explicit_is_drift(s, i)) return 0;
  const double *row = picus_law_row(law, e->W, 0);
  const double forced = picus_law_row_change(s->system, law, row, s->u, r->u_forced);
  return r->dt * (r->velocities_drift ? forced + picus_law_row_terms(s->system, law, row, r->pressed) : forced);
}

/* Whether contacts are closed, by their gaps at the point of the evaluation. Directions are needed for round-off only,
 * that is almost never: an open gap is wide. */
picus_status picus_half_explicit_find_closed(stepper *s, picus_evaluation *e, const double *gap, bool *closed) {
  const double widest = half_explicit_of(s)->widest;
  const bool opens_by_law = half_explicit_of(s)->opens_by_law;
  bool found = false;
  for (int i = 0; i < s->set->law_count; i++) {
    closed[i] = !picus_law_can_open(&s->set->laws[i].data) || gap[i] <= s->half_explicit.closed_gap ||
                gap[i] <= picus_step_largest_closed_gap(&s->contacts, i) ||
                (opens_by_law && s->contacts.modes[i] != PICUS_OPEN && gap[i] <= picus_half_explicit_drift(s, e, i));
    if (closed[i] || gap[i] > widest) continue;
    picus_status status = found ? PICUS_OK : picus_evaluation_update_directions(e);
    if (status) return status;
    if (!found) picus_stepper_find_largest(s, e->q);
    found = true;
    closed[i] = gap[i] <= round_off_of_gap(s, e, e->q, i);
  }
  return PICUS_OK;
}

picus_status picus_half_explicit_find_closed_at_end(stepper *s) {
  const half_explicit_step *r = half_explicit_of(s);
  const contact_state *state = &s->contacts;
  bool closes = false;
  picus_status status = picus_half_explicit_find_closed(s, r->end, r->gap_end, r->closed_end);
  if (status || !(state->gap_accuracy > 0)) return status;
  for (int i = 0; i < s->set->law_count && !closes; i++)
    closes = r->closed_end[i] && !r->closed_begin[i] && picus_step_closes(state, i, r->gap_end[i]);
  for (int i = 0; i < s->set->law_count && closes; i++)
    r->closed_end[i] = r->closed_end[i] || picus_step_closes_alike(state, i, r->gap_end[i]);
  return PICUS_OK;
}

/* --- first stage -------------------------------------------------------------------------------------------------- */

static picus_status force_at_begin(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  picus_status status = picus_evaluate_force(r->begin, s->h);
  if (!status) status = picus_evaluation_factor_mass(r->begin);
  if (status) return status;
  picus_evaluation_solve_mass(r->begin, s->h);
  picus_add_multiple(s->system->nu, s->u, r->dt, s->h, r->u_forced);
  if (!r->velocities_drift) return PICUS_OK;
  return picus_half_explicit_press(s, r->begin, picus_half_explicit_memory(s, s->law_memory).force_end);
}

/* Forces and gaps at the start, and q~ with W there. */
picus_status picus_half_explicit_begin(stepper *s, double dt, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  picus_evaluation *e = r->begin;
  picus_status status;
  r->dt = dt;
  picus_step_times(s, dt, &r->t_begin, &r->t_end);
  picus_evaluation_set_point(e, r->t_begin, s->q, s->u);
  if ((status = picus_evaluate_gaps(e, r->gap_begin))) return status;
  for (bool first = true, struck = true; struck; first = false) {
    if ((status = force_at_begin(s))) return status;
    if (first) find_widest(s);
    if (first && (status = picus_half_explicit_find_closed(s, e, r->gap_begin, r->closed_begin))) return status;
    if ((status = picus_half_explicit_strike(s, info, &struck))) return status;
    if (struck) picus_evaluation_set_velocity(e, s->u); /* for other forces */
  }
  if (!s->system->constants.identity_rates)
    status = picus_evaluate_rate(e, r->rate);
  else
    picus_copy(s->system->nq, s->u, r->rate);
  if (status || !r->needs_forecast) return status;
  picus_add_multiple(s->system->nq, s->q, dt, r->rate, r->q_forecast);
  picus_evaluation_set_point(s->evaluation, r->t_end, r->q_forecast, s->u);
  return PICUS_OK;
}

/* Slip before the step gives the direction of friction at the point whose forces are sought; the law would give that at
 * the point which they lead to, and lose an order if it turns. Heaps leave it to the laws: their impacts cost the order
 * in every step, and most of their contacts are close to sticking. */
slip_request picus_half_explicit_slip(stepper *s, const step_problem *p, const picus_evaluation *at,
                                      const picus_evaluation *laws) {
  given_slip *slip = &half_explicit_of(s)->slip;
  if (!slip->possible || s->set->row_count > PICUS_DENSE_ROWS) return (slip_request){0};
  for (int k = 0; k < p->active_count; k++) {
    const int i = p->active[k];
    const system_law *law = &s->set->laws[i];
    const int first = law->data.dim - law->data.slips;
    double velocity[PICUS_LAW_ROWS] = {0};
    slip->given[i] = false;
    if (s->contacts.modes[i] == PICUS_STICK) continue; /* in the first step of a run, laws have no mode yet */
    for (int j = 0; j < law->data.slips; j++) velocity[j] = picus_law_velocity(at, law, first + j, at->u);
    slip->given[i] = picus_given_slip_set(slip, i, velocity);
  }
  return (slip_request){slip, laws, .is_explicit = true};
}

/* u_1 with dt lambda+ of the chosen laws. */
static picus_status solve_first(stepper *s, const double *start, double factor, double *u, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  const bool constant = s->system->constants.directions;
  picus_status status = PICUS_OK;
  picus_step_problem_choose(&r->first, r->chosen);
  picus_clear(s->set->row_count, r->P1);
  if (r->first.active_count > 0) {
    status = picus_evaluation_update_directions(r->begin);
    if (!status && !constant) status = picus_evaluation_update_directions(s->evaluation);
    if (status) return status;
    picus_step_problem_guess(&r->first, factor, start);
  }
  const contact_request request = {
      .t = s->t,
      .dt = r->dt,
      .directions = r->begin,
      .matrix = &r->begin->mass,
      .symmetric = constant,
      .u_begin = s->u,
      .u_free = r->u_forced,
      .offset = constant ? r->begin->chi : s->evaluation->chi,
      .ahead = s->has_preloads ? r->gap_begin : NULL,
      .rows = constant ? NULL : s->evaluation->W,
      .slip = picus_half_explicit_slip(s, &r->first, r->begin, constant ? r->begin : s->evaluation)};
  status = picus_step_problem_solve(&r->first, &request, u, info);
  if (!status) picus_step_problem_keep(&r->first, r->P1);
  return status;
}

static picus_status first_stage(stepper *s, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  const half_explicit_memory memory = picus_half_explicit_memory(s, s->law_memory);
  picus_status status = PICUS_OK;
  memcpy(r->chosen, r->closed_begin, (size_t)s->set->law_count * sizeof *r->chosen);
  if (s->half_explicit.predicted) {
    /* the variant of section 6.2, eqs. (75) to (77): lambda+ of the contacts that are closed at q~, whether they are at
     * q_0 or not. A contact that is about to close and does not, because lambda+ takes half of its approach, never
     * gives it back: the variant does not converge with impacts */
    status = picus_evaluate_gaps(s->evaluation, r->gap_forecast);
    if (!status) status = picus_half_explicit_find_closed(s, s->evaluation, r->gap_forecast, r->chosen);
  }
  memcpy(r->acting, r->chosen, (size_t)s->set->law_count * sizeof *r->acting);
  if (!status) status = solve_first(s, memory.force_end, r->dt, r->u_1, info);
  if (!status) picus_copy(s->system->nu, r->u_1, r->u_kept);
  return status;
}

/* q_1 is final: it is not computed again if there is an impact. */
picus_status picus_half_explicit_find_positions(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  const double *rate = r->u_1;
  if (!s->system->constants.identity_rates) {
    picus_evaluation_set_velocity(s->evaluation, r->u_1);
    picus_status status = picus_evaluate_rate(s->evaluation, r->rate_forecast);
    if (status) return status;
    rate = r->rate_forecast;
  }
  for (int i = 0; i < s->system->nq; i++) r->rate[i] = 0.5 * (r->rate[i] + rate[i]);
  picus_step_advance(s, r->dt, r->rate);
  return PICUS_OK;
}

/* --- second stage ------------------------------------------------------------------------------------------------- */

picus_status picus_half_explicit_look_at_end(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  picus_evaluation *e = r->end;
  const int nu = s->system->nu;
  picus_status status;
  const moving_point end = {r->t_end, s->q_next, r->u_1};
  if ((status = picus_evaluate_motion(e, &end, r->gap_end, r->change))) return status;
  if ((status = picus_evaluation_check_force(e, r->change))) return status;
  if ((status = picus_evaluation_factor_mass(e))) return status;
  picus_evaluation_solve_mass(e, r->change);
  for (int i = 0; i < nu; i++) {
    r->change[i] *= 0.5 * r->dt;
    r->u_unloaded[i] = 0.5 * (s->u[i] + r->u_forced[i]) + r->change[i];
  }
  return picus_half_explicit_find_closed_at_end(s);
}

/* u- with dt/2 lambda- of the chosen laws. */
static picus_status solve_second(stepper *s, step_problem *p, double *u, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  const int nu = s->system->nu;
  for (int i = 0; i < nu; i++) s->u_free[i] = 0.5 * (s->u[i] + r->u_kept[i]) + r->change[i];
  picus_step_problem_choose(p, r->chosen);
  picus_clear(s->set->row_count, r->P2);
  if (p->active_count > 0) {
    picus_status status = picus_evaluation_update_directions(r->end);
    if (status) return status;
    picus_step_problem_guess(p, 0.5, r->P1);
  }
  const contact_request request = {.t = s->t,
                                   .dt = 0.5 * r->dt,
                                   .directions = r->end,
                                   .matrix = &r->end->mass,
                                   .symmetric = true,
                                   .u_begin = s->u,
                                   .u_free = s->u_free,
                                   .offset = r->end->chi,
                                   .ahead = s->has_preloads ? r->gap_end : NULL,
                                   .ahead_dt = r->dt};
  picus_status status = picus_step_problem_solve(p, &request, u, info);
  if (!status) picus_step_problem_keep(p, r->P2);
  return status;
}

static picus_status second_stage(stepper *s, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  memcpy(r->chosen, r->closed_end, (size_t)s->set->law_count * sizeof *r->chosen);
  picus_clear(s->set->row_count, r->Lambda);
  picus_status status = solve_second(s, &s->problem, s->u_next, info);
  if (!status) picus_copy(s->system->nu, s->u_next, r->u_before);
  return status;
}

/* --- impacts ------------------------------------------------------------------------------------------------------ */

/* The forces that a step with an impact keeps: all but those of contacts connected with it. */
void picus_half_explicit_choose_kept(stepper *s, const bool *closed) {
  half_explicit_step *r = half_explicit_of(s);
  for (int i = 0; i < s->set->law_count; i++)
    r->chosen[i] = closed[i] && !(r->impulsive[i] && picus_law_can_open(&s->set->laws[i].data));
}

void picus_half_explicit_keep_common_modes(step_problem *all, const step_problem *p) {
  for (int k = 0, n = 0; k < p->active_count; k++) {
    while (n < all->active_count && all->active[n] < p->active[k]) n++;
    if (n == all->active_count) return;
    if (all->active[n] != p->active[k]) continue;
    all->modes[n] = p->modes[k];
    all->doubtful[n] = p->doubtful[k];
  }
}

/* The impact at the end of a step: Lambda of the contacts that are struck, from the velocities before it, without
 * forces. */
picus_status picus_half_explicit_impulse_stage(stepper *s, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  for (int i = 0; i < s->set->law_count; i++)
    r->chosen[i] = r->impulsive[i] && r->closed_end[i] && picus_law_strikes(&s->set->laws[i].data);
  picus_step_problem_choose(&r->other, r->chosen);
  picus_clear(s->set->row_count, r->Lambda);
  contact_request request = picus_impact_request(s->t, r->dt, r->end, r->u_before);
  request.friction.share = 0.5;
  picus_status status = picus_step_problem_solve(&r->other, &request, s->u_next, info);
  if (!status) picus_step_problem_keep(&r->other, r->Lambda);
  if (!status && r->transfer) picus_step_problem_spread(&r->other, r->other.transfer, r->transfer);
  return status;
}

/* The stepper's problem of all laws closed at the end, for modes, impacts and the paradox; it is not solved. */
picus_status picus_half_explicit_prepare_record(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  picus_step_problem_choose(&s->problem, r->closed_end);
  if (s->problem.active_count == 0) return PICUS_OK;
  picus_status status = picus_evaluation_factor_mass(r->end);
  if (!status) status = picus_evaluation_update_directions(r->end);
  if (status) return status;
  const contact_request request = {.t = s->t,
                                   .dt = r->dt,
                                   .directions = r->end,
                                   .matrix = &r->end->mass,
                                   .symmetric = true,
                                   .u_begin = s->u,
                                   .u_free = r->u_unloaded};
  return picus_step_problem_prepare(&s->problem, &request);
}

static picus_status impact_stage(stepper *s, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  picus_half_explicit_choose_kept(s, r->acting);
  picus_status status = solve_first(s, r->P1, 1, r->u_kept, info);
  if (status) return status;
  picus_half_explicit_choose_kept(s, r->closed_end);
  if ((status = solve_second(s, &r->other, r->u_before, info))) return status;
  if ((status = picus_half_explicit_prepare_record(s))) return status;
  picus_half_explicit_keep_common_modes(&s->problem, &r->other);
  if ((status = picus_half_explicit_impulse_stage(s, info))) return status;
  picus_half_explicit_keep_common_modes(&s->problem, &r->other);
  return PICUS_OK;
}

/* --- results ------------------------------------------------------------------------------------------------------ */

/* Energy that a row dissipates, exact for the kinetic energy with the M of each stage: P1/2 acts with W_0 from u_0 to
 * the mean of u_0 and u_1, P2 with W_1 from there to u-, and Lambda from u- to u. Returns the part of Lambda. */
static double find_loss(stepper *s, const system_law *law, int j, bool acted) {
  half_explicit_step *r = half_explicit_of(s);
  const picus_system *system = s->system;
  const int row = law->data.first_row + j;
  const double *W_0 = picus_law_row(law, r->begin->W, j), *W_1 = picus_law_row(law, r->end->W, j);
  double lost = 0, impulsive = 0, driven = 0;
  if (acted && r->P1[row] != 0) {
    const row_products by_0 = picus_law_W_dots(system, law, W_0, s->u, r->u_kept);
    lost -= 0.5 * r->P1[row] * (0.75 * by_0.u + 0.25 * by_0.v + r->begin->chi[row]);
    driven -= 0.5 * r->P1[row] * r->begin->chi[row];
  }
  if (r->P2[row] != 0 || r->Lambda[row] != 0) {
    const row_products at_0 = picus_law_W_dots(system, law, W_1, s->u, r->u_kept);
    const row_products at_1 = picus_law_W_dots(system, law, W_1, r->u_before, s->u_next);
    const double chi = r->end->chi[row];
    lost -= r->P2[row] * (0.25 * (at_0.u + at_0.v) + 0.5 * at_1.u + chi);
    impulsive = -0.5 * r->Lambda[row] * (at_1.u + at_1.v + 2 * chi) + picus_half_explicit_transfer(r, row);
    driven -= (r->P2[row] + r->Lambda[row]) * chi;
  }
  r->energies.lost[row] = lost + impulsive;
  r->energies.driven[row] = driven;
  return impulsive;
}

/* The stepper's problem with the percussions of the complete step, and the velocities without any of them. */
static void complete_problem(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  step_problem *p = &s->problem;
  int at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const picus_system_law *law = &s->set->laws[p->active[k]].data;
    for (int j = 0, row = law->first_row; j < law->dim; j++, row++, at++)
      p->P[at] = 0.5 * r->P1[row] + r->P2[row] + r->Lambda[row];
  }
  at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->set->laws[p->active[k]];
    for (int j = 0; j < law->data.dim; j++, at++) {
      const double end = picus_law_velocity(r->end, law, j, s->u_next);
      p->gamma_free[at] = p->c[at] = end - picus_delassus_row(&p->G, k, at, p->P);
    }
  }
}

/* Laws that acted in the step and are open at its end: their share of the step, and their losses. */
static void add_opened(stepper *s, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  for (int i = 0; i < s->set->law_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    if (!r->acting[i] || r->closed_end[i]) continue;
    for (int j = 0, row = law->first_row; j < law->dim; j++, row++) {
      s->contacts.P[row] = 0.5 * r->P1[row] + r->P2[row];
      s->contacts.dissipated[i] += r->energies.lost[row];
      s->contacts.driven[i] += r->energies.driven[row];
      info->dissipated += r->energies.lost[row];
    }
    picus_step_problem_disown(&s->problem); /* clears P in the next step */
  }
}

/* Forces and impulses, into the memory of the scheme, and what they dissipate. */
void picus_half_explicit_remember(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  const half_explicit_memory memory = picus_half_explicit_memory(s, s->law_memory);
  const double per_dt = 1 / r->dt;
  picus_clear(3 * s->set->row_count, s->law_memory);
  for (int i = 0; i < s->set->law_count; i++) {
    if (!r->acting[i] && !r->closed_end[i]) continue;
    const system_law *law = &s->set->laws[i];
    for (int j = 0, row = law->data.first_row; j < law->data.dim; j++, row++) {
      memory.impulse_loss[i] += find_loss(s, law, j, r->acting[i]);
      memory.force_begin[row] = per_dt * r->P1[row];
      memory.force_end[row] = 2 * per_dt * r->P2[row];
      memory.impulse[row] = r->Lambda[row];
    }
  }
}

void picus_half_explicit_accept(stepper *s, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  complete_problem(s);
  picus_step_note_gaps(s, r->gap_end, info);
  info->active = s->problem.active_count > r->first.active_count ? s->problem.active_count : r->first.active_count;
  picus_step_problem_accept(s, &r->energies, info);
  add_opened(s, info);
  picus_phase_arrive(s);
}

picus_status picus_half_explicit_trapezoidal(stepper *s, double dt, bool *impact, picus_step_info *info) {
  const bool may_leave = *impact;
  /* M_0, h_0, and the contacts that are closed at q_0 */
  picus_status status = picus_half_explicit_begin(s, dt, info);
  /* u_1 = u_0 + dt M_0^-1 (h_0 + W_0 lambda+), gamma(q~, u_1) against lambda+ */
  if (!status) status = first_stage(s, info);
  /* q_1 = q_0 + dt/2 (q'(q_0, u_0) + q'(q~, u_1)) */
  if (!status) status = picus_half_explicit_find_positions(s);
  /* M_1, h(q_1, u_1), and the contacts that are closed at q_1: does one of them close in this step? */
  if (!status) status = picus_half_explicit_look_at_end(s);
  if (!status) status = picus_half_explicit_find_impulsive(s, impact);
  if (status || (*impact && may_leave)) return status;
  /* the impulse Lambda at q_1, or u = u_0 + dt/2 M_0^-1 (h_0 + W_0 lambda+) + dt/2 M_1^-1 (h(q_1, u_1) + W_1 lambda-),
   * gamma(q_1, u) against lambda- */
  status = *impact ? impact_stage(s, info) : second_stage(s, info);
  if (status) return status;
  picus_half_explicit_remember(s);
  picus_half_explicit_accept(s, info);
  return PICUS_OK;
}

static picus_status create(stepper *s) { return picus_half_explicit_create(s, picus_half_explicit_trapezoidal, false); }

void picus_half_explicit_linear_step(const linear_motion *m, double dt, double *x, double *v) {
  double *a_0 = m->work, *a_1 = a_0 + m->n, *v_1 = a_1 + m->n;
  picus_linear_acceleration(m, x, v, a_0);
  picus_add_multiple(m->n, v, dt, a_0, v_1);
  for (int i = 0; i < m->n; i++) x[i] += 0.5 * dt * (v[i] + v_1[i]);
  picus_linear_acceleration(m, x, v_1, a_1);
  for (int i = 0; i < m->n; i++) v[i] += 0.5 * dt * (a_0[i] + a_1[i]);
}

const scheme_ops picus_half_explicit_scheme = {
    .description =
        {.name = "half-explicit",
         .summary = "half-explicit at velocity level: explicit forces, order 2 in smooth motion, impacts by impulses",
         .reference = "Schindler, Rezaei, Kursawe, Acary 2015, section 4 and Appendix A",
         .forces = true},
    .has_impact_laws = true,
    .has_adhesion = true,
    .order = 2,
    .power = 1,
    .even_at_rest = true,
    .explicit_forces = true,
    .velocity_level = true,
    .penetrates = PENETRATES_BY_APPROACH,
    .create = create,
    .restart = picus_half_explicit_restart,
    .change_laws = picus_half_explicit_restart,
    .linear_step = picus_half_explicit_linear_step,
    .step = picus_half_explicit_step};
