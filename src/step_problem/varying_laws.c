/* Laws whose coefficients vary: mu, reservoir, rolling radius, eN and eF are evaluated for each contact problem.
 *
 * What depends on time, coordinates and inputs is taken at the point that the request names. The slip speed v is that
 * of a velocity of the scheme, given explicitly, or in between the velocities before and after the step,
 *
 *   gamma = (1 - share) gamma_begin + share gamma_end,     share = 1/2 for rules of the midpoint,
 *
 * so that smooth slip keeps the order of the scheme. gamma_end is a result of the problem, whose radius r is then found
 * by iteration: the problem is solved with r, gives v, and r(v) is compared with r. Friction changes the slip by dgamma
 * =
 * - share G_TT P_N dr, so the correction of Newton's method is
 *
 *   dr = (r(v) - r) / D,     D = 1 + r'(v) share G_TT P_N,
 *
 * with P_N = dt for a friction element. D <= 0 says that friction falls faster with v than inertia allows in a step of
 * this size: the problem has several solutions, whatever the solver (`steep` in the summary). The one that is found
 * begins at the slip before the step: a law that sticks leaves its state at the radius of v = 0 only.
 *
 * The friction of a guide or joint has the radius mu |P| of the percussions of its constraints, which depend on it as
 * well: the same iteration finds it, so that every solver serves. */
#include "base/internal.h"
#include "linalg/internal.h"
#include "step_problem/step_problem.h"

#include <float.h>
#include <math.h>

enum { ITERATIONS = 100, CORRECTIONS = 20 }; /* of each load by itself, then together */
#define SETTLED (16 * DBL_EPSILON)           /* a radius that changes by less, relative to itself, has settled */
#define ROUNDINGS 64                         /* of the terms of a slip speed that is 0 */
#define STEEP 0.1                            /* D below which Newton's correction is not used */
#define FAST 0.25                            /* ratio of changes up to which the plain iteration of loads continues */
#define SLOW 0.8                             /* ratio of changes beyond which a correction is halved */

static size_t mixing_size(const law_sizes *n) { return 3 * n->laws + picus_anderson_need((int)n->laws); }

picus_status picus_varying_create(contact_state *state) {
  if (!state->set->system->varies) return PICUS_OK;
  for (int i = 0; i < state->set->law_count; i++)
    state->has_loaded = state->has_loaded || state->set->laws[i].data.loaded;
  picus_status status = PICUS_SCRATCH(state->arrays, sizeof *state->coefficients, picus_by_law, &state->coefficients,
                                      &state->other_coefficients);
  if (!status && state->has_loaded)
    status = PICUS_SCRATCH(state->arrays, sizeof(double), mixing_size, &state->load_mixing);
  return status ? status
                : PICUS_SCRATCH(state->arrays, sizeof(double), picus_by_law, &state->slip_speed, &state->last_used,
                                &state->last_found);
}

void picus_varying_reset(const contact_state *state) {
  if (!state->coefficients) return;
  for (int i = 0; i < state->set->law_count; i++) {
    state->coefficients[i] = state->other_coefficients[i] = picus_law_constants(&state->set->laws[i].data);
    state->slip_speed[i] = 0;
  }
}

static int first_slip(const picus_system_law *law) { return law->dim - law->slips; }

/* --- slip speeds ---------------------------------------------------------------------------------------------- */

/* The length of (1 - share) W^T u + share W^T v + chi of a law. */
typedef struct between {
  const picus_evaluation *laws;
  const double *u, *v;
  double share;
} between;

static double speed_between(const between *at, const system_law *law) {
  double square = 0;
  for (int r = first_slip(&law->data); r < law->data.dim; r++) {
    double slip = picus_law_velocity(at->laws, law, r, at->u);
    if (at->share > 0) slip += at->share * (picus_law_velocity(at->laws, law, r, at->v) - slip);
    square += slip * slip;
  }
  return sqrt(square);
}

/* A speed that is round-off of its terms is 0, where friction at rest may differ from that of the slowest slip. */
static double settled_speed(const picus_evaluation *e, const system_law *law, const double *u, double speed) {
  double terms = 0;
  for (int r = first_slip(&law->data); r < law->data.dim; r++)
    terms +=
        picus_law_row_terms(e->system, law, picus_law_row(law, e->W, r), u) + fabs(e->chi[law->data.first_row + r]);
  return speed > ROUNDINGS * DBL_EPSILON * terms ? speed : 0;
}

static void find_speeds(const contact_state *state, const contact_request *request) {
  const double *u = request->friction.share > 0 ? request->u_begin : request->directions->u;
  const between begin = {request->directions, u, u, 0};
  for (int i = 0; i < state->set->law_count; i++) {
    const system_law *law = &state->set->laws[i];
    if (!law->data.varies || law->data.slips == 0) continue;
    const double *given = request->friction.slip;
    if (given) given += law->data.first_row + first_slip(&law->data);
    const double speed = given ? picus_length(law->data.slips, given) : speed_between(&begin, law);
    state->slip_speed[i] = settled_speed(request->directions, law, u, speed);
  }
}

/* --- coefficients --------------------------------------------------------------------------------------------- */

/* All coefficients at the slip speeds that have been found; at two points, their mean. */
static picus_status evaluate(const contact_state *state, const contact_request *request) {
  const picus_evaluation *at = request->friction.at[0] ? request->friction.at[0] : request->directions;
  picus_status status = picus_evaluate_coefficients(at, state->slip_speed, state->coefficients);
  if (status || !request->friction.at[1]) return status;
  status = picus_evaluate_coefficients(request->friction.at[1], state->slip_speed, state->other_coefficients);
  for (int i = 0; i < state->set->law_count; i++) {
    law_coefficients *mean = &state->coefficients[i];
    const law_coefficients *other = &state->other_coefficients[i];
    if (!state->set->laws[i].data.varies) continue;
    *mean = (law_coefficients){0.5 * (mean->radius + other->radius), 0.5 * (mean->slope + other->slope),
                               0.5 * (mean->eN + other->eN), 0.5 * (mean->eF + other->eF)};
  }
  return status;
}

picus_status picus_varying_evaluate(const contact_state *state, const contact_request *request) {
  if (!state->coefficients) return PICUS_OK;
  find_speeds(state, request);
  picus_status status = evaluate(state, request);
  for (int i = 0; i < state->set->law_count && !status; i++)
    if (state->set->laws[i].data.varies)
      picus_impact_set_restitution(state, i, state->coefficients[i].eN, state->coefficients[i].eF);
  return status;
}

picus_status picus_varying_evaluate_at(const contact_state *state, const picus_evaluation *at) {
  return picus_varying_evaluate(state, &(contact_request){.directions = at});
}

picus_status picus_varying_evaluate_still(const contact_state *state, picus_evaluation *e, double t, const double *q,
                                          const double *u) {
  picus_evaluation_set_point(e, t, q, u);
  for (int i = 0; i < state->set->law_count; i++) state->slip_speed[i] = 0;
  return picus_evaluate_coefficients(e, state->slip_speed, state->coefficients);
}

double picus_law_radius_now(const contact_state *state, int law) {
  return state->coefficients ? state->coefficients[law].radius
                             : picus_law_constants(&state->set->laws[law].data).radius;
}

/* --- guides and joints ------------------------------------------------------------------------------------------ */

double picus_law_load(const system_law *law, const double *P) {
  if (law->load_length > 0) { /* of two pads: forces, then torques */
    const int n = law->load_count / 2;
    double front[PICUS_LAW_LOADS] = {0}, back[PICUS_LAW_LOADS] = {0};
    for (int k = 0; k < n; k++) {
      const double force = (law->turned >> k & 1 ? -0.5 : 0.5) * P[k];
      const double couple = (law->turned >> (n + k) & 1 ? -1 : 1) * P[n + k] / law->load_length;
      front[k] = force + couple;
      back[k] = force - couple;
    }
    return picus_length(n, front) + picus_length(n, back);
  }
  return picus_length(law->load_count, P);
}

/* In the problem; a constraint that does not take part has none. */
static double load_now(const step_problem *p, const system_law *law) {
  double P[PICUS_LAW_LOADS] = {0};
  for (int row = 0; row < p->size; row++)
    for (int j = 0; j < law->load_count; j++)
      if (p->rows[row].law == law->load[j]) P[j] = p->P[row];
  return picus_law_load(law, P);
}

/* Where the iteration begins. A guide that slips may have a second solution, in which it locks: the one with less
 * friction continues with the motion, and is found from below. Percussions of the last step may be those of a longer
 * one.
 */
static double first_load(const step_problem *p, const system_law *law, int index) {
  const contact_state *state = p->contacts;
  double P[PICUS_LAW_LOADS] = {0}; /* as the last step left them */
  if (state->modes[index] == PICUS_SLIP && p->started) return load_now(p, law);
  if (state->modes[index] == PICUS_SLIP && state->keep_doubtful_modes) return 0; /* an adaptive run */
  for (int j = 0; j < law->load_count; j++) P[j] = state->P[state->set->laws[law->load[j]].data.first_row];
  return picus_law_load(law, P);
}

/* What the radius of active law k is multiplied by: the dt of friction elements, whose radius is a force, and the load
 * of guides. */
static double unit_of(const step_problem *p, const contact_request *request, int k) {
  const system_law *law = &p->contacts->set->laws[p->active[k]];
  if (law->data.loaded) return load_now(p, law);
  return p->laws[k].kind == PICUS_RESERVOIR ? request->dt : 1;
}

static bool is_found(const system_law *law) { return law->data.varies || law->data.loaded; }

picus_status picus_varying_prepare(step_problem *p, const contact_request *request) {
  const contact_state *state = p->contacts;
  picus_status status = picus_varying_evaluate(state, request);
  if (status) return status;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const system_law *law = &state->set->laws[p->active[k]];
    if (!is_found(law)) continue;
    const double unit = law->data.loaded ? first_load(p, law, p->active[k]) : unit_of(p, request, k);
    p->laws[k].radius = state->coefficients[p->active[k]].radius * unit;
    state->last_used[p->active[k]] = NAN;
    for (int r = 0; r < p->laws[k].dim; r++)
      p->rows[at + r].restitution = state->row_restitution[law->data.first_row + r];
  }
  return PICUS_OK;
}

/* --- iteration ------------------------------------------------------------------------------------------------ */

/* The normal percussion that the radius of active law k is multiplied by, 1 for a friction element. */
static double load_of(const step_problem *p, int k, int at) {
  if (p->laws[k].kind == PICUS_RESERVOIR) return 1;
  const int normal = p->laws[k].kind == PICUS_ROLLING ? at - p->laws[k - 1].dim : at;
  return p->P[normal] > 0 ? p->P[normal] : 0;
}

/* An entry of the diagonal of G. Factors have the trace of each law alone: there it is the mean over its rows. */
static double diagonal_of(const step_problem *p, int k, int row) {
  return p->G.is_factored ? p->G.factor_trace[k] / p->laws[k].dim : picus_delassus_diagonal(&p->G, k, row);
}

/* D of active law k, whose rows begin at `at`; share 0 stands for a rule that takes the slip before the step. */
static double slope_of(const step_problem *p, const contact_request *request, int k, int at) {
  const law_coefficients *own = &p->contacts->coefficients[p->active[k]];
  const double share = request->friction.share > 0 ? request->friction.share : 1;
  if (p->modes[k] != PICUS_SLIP || own->slope == 0 || !isfinite(own->slope)) return 1;
  double G = 0;
  const int slips = p->contacts->set->laws[p->active[k]].data.slips, first = at + p->laws[k].dim - slips;
  for (int r = first; r < first + slips; r++) G = picus_larger(G, diagonal_of(p, k, r));
  return 1 + own->slope * unit_of(p, request, k) * share * G * load_of(p, k, at);
}

static void note_steep(const step_problem *p, int k, picus_step_info *info) {
  if (info->paradox.kind != PICUS_PARADOX_NONE) return;
  info->paradox = (picus_step_paradox){PICUS_PARADOX_STEEP, p->active[k], PICUS_BRANCH_SLID};
}

/* The radius of a guide, found for the one that was used: its friction changes its load, by a slope that two iterations
 * tell. It is needed where the plain iteration is slow; in most joints the slope is small. A slope of 1 or more may be
 * that of a guide which locks itself: friction grows until it sticks, or falls until its load changes its sign. Returns
 * what is left of the difference. */
static double correct_load(step_problem *p, int k, int at, double found, varying_iteration *it) {
  const contact_state *state = p->contacts;
  const int law = p->active[k];
  const double used = p->laws[k].radius, before = state->last_used[law];
  const bool sticks = p->modes[k] == PICUS_STICK;
  if (sticks && found >= picus_length(p->laws[k].dim, p->P + at)) {
    p->laws[k].radius = found;
    state->last_used[law] = NAN;
    return 0;
  }
  double D = 1;
  if (it->is_slow && !isnan(before) && used != before) D = 1 - (found - state->last_found[law]) / (used - before);
  state->last_used[law] = sticks ? NAN : used;
  state->last_found[law] = found;
  if (D <= STEEP && !sticks) { /* no solution is near */
    it->leaps = true;
    if (found > used) it->lock.law = k + 1;
    p->laws[k].radius = found > used ? 2 * found : 0.5 * found;
  } else
    p->laws[k].radius = used + it->factor * (found - used) / (D > STEEP ? D : 1);
  if (!(p->laws[k].radius >= 0)) p->laws[k].radius = 0;
  return found == used ? 0 : fabs(found - used) / picus_larger(found, used);
}

/* Guides that load each other, where corrections of each by itself did not settle: the mixture of the last iterations
 * whose difference would be smallest. */
static void mix_loads(step_problem *p, varying_iteration *it) {
  const contact_state *state = p->contacts;
  const int laws = state->set->law_count;
  double *used = state->load_mixing, *found = used + laws, *weight = found + laws;
  int n = 0;
  if (it->count == CORRECTIONS) {
    for (int k = 0; k < laws; k++) weight[k] = 1;
    for (int k = 0; k < p->active_count; k++) n += state->set->laws[p->active[k]].data.loaded;
    picus_anderson_start(&it->mixing, n, weight, weight + laws);
    n = 0;
  }
  it->change = 0;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const system_law *law = &state->set->laws[p->active[k]];
    if (!law->data.loaded) continue;
    const double radius = state->coefficients[p->active[k]].radius * load_now(p, law);
    const bool stays = p->modes[k] == PICUS_STICK && radius >= picus_length(p->laws[k].dim, p->P + at);
    used[n] = p->laws[k].radius;
    found[n] = stays ? used[n] : radius;
    if (found[n] != used[n])
      it->change = picus_larger(it->change, fabs(found[n] - used[n]) / picus_larger(found[n], used[n]));
    n++;
  }
  picus_anderson_mix(&it->mixing, used, found);
  n = 0;
  for (int k = 0; k < p->active_count; k++)
    if (state->set->laws[p->active[k]].data.loaded) p->laws[k].radius = picus_larger(found[n++], 0);
}

/* Coefficients at the slip of the solution u; the radii of the problem are corrected. */
static picus_status correct(step_problem *p, const contact_request *request, const double *u, varying_iteration *it,
                            picus_step_info *info) {
  const contact_state *state = p->contacts;
  const between now = {request->directions, request->u_begin, u, request->friction.share};
  it->change = 0;
  it->leaps = false;
  const bool mixes = it->count >= CORRECTIONS && state->has_loaded;
  for (int k = 0; k < p->active_count && now.share > 0; k++) {
    const system_law *law = &state->set->laws[p->active[k]];
    if (law->data.varies && law->data.slips > 0)
      state->slip_speed[p->active[k]] = settled_speed(now.laws, law, u, speed_between(&now, law));
  }
  picus_status status = now.share > 0 ? evaluate(state, request) : PICUS_OK;
  for (int k = 0, at = 0; !status && k < p->active_count; at += p->laws[k++].dim) {
    const system_law *law = &state->set->laws[p->active[k]];
    if (!is_found(law) || p->modes[k] == PICUS_OPEN) continue;
    const double radius = state->coefficients[p->active[k]].radius * unit_of(p, request, k);
    if (law->data.loaded) {
      if (!mixes) it->change = picus_larger(it->change, correct_load(p, k, at, radius, it));
      continue;
    }
    const double step = radius - p->laws[k].radius, D = slope_of(p, request, k, at);
    if (D <= 0) note_steep(p, k, info);
    if (step != 0) it->change = picus_larger(it->change, fabs(step) / picus_larger(radius, p->laws[k].radius));
    const double next = p->laws[k].radius + it->factor * step / (D > STEEP ? D : 1);
    p->laws[k].radius = next > 0 ? next : 0;
  }
  if (!status && mixes) mix_loads(p, it);
  return status;
}

/* Whether every friction force of a guide that sticks would cause a larger one: by two problems in which it slips with
 * less. Then the solution is found again. true: another problem is to be solved. */
static bool confirms_lock(step_problem *p, varying_iteration *it, picus_step_info *info) {
  const int k = it->lock.law - 1;
  const system_law *law = &p->contacts->set->laws[p->active[k]];
  const int at = picus_rows_before(p, k);
  switch (it->lock.tries++) {
  case 0:
    it->lock.radius = p->laws[k].radius;
    it->lock.needed = picus_length(p->laws[k].dim, p->P + at);
    p->laws[k].radius = 0.25 * it->lock.needed;
    return true;
  case 1:
    it->lock.load = load_now(p, law);
    p->laws[k].radius = 0.75 * it->lock.needed;
    return true;
  case 2:
    it->lock.load = load_now(p, law) - it->lock.load;
    p->laws[k].radius = it->lock.radius;
    return true;
  default:
    if (p->modes[k] == PICUS_STICK &&
        p->contacts->coefficients[p->active[k]].radius * it->lock.load >= 0.5 * it->lock.needed)
      info->paradox = (picus_step_paradox){PICUS_PARADOX_LOCKED, p->active[k], PICUS_BRANCH_IMPACT};
    return false;
  }
}

/* A radius that jumps has no solution in between: the last one is taken. The load of a guide must have one. */
static picus_status end_unsettled(const step_problem *p, double t, picus_step_info *info) {
  for (int k = 0; k < p->active_count; k++) {
    const picus_system_law *law = &p->contacts->set->laws[p->active[k]].data;
    if (law->loaded)
      return picus_fail(p->contacts->context, PICUS_NOT_CONVERGED,
                        "the friction of '%s' was not found at t = %.9g: it and the forces of its constraints do not "
                        "settle in %d iterations; use a smaller step or a smaller mu",
                        law->name, t, ITERATIONS);
    if (law->varies) note_steep(p, k, info);
  }
  return PICUS_OK;
}

/* Whether an active law, whose rows begin at `at`, was at rest before the step, or its friction pushes along the slip
 * before the step: then its slip has passed through rest. */
static bool passes_rest(const step_problem *p, const contact_request *request, int k, int at) {
  const system_law *law = &p->contacts->set->laws[p->active[k]];
  const int slip = first_slip(&law->data);
  if (!law->data.varies || law->data.loaded || law->data.slips != 1 || p->modes[k] != PICUS_SLIP) return false;
  const double *u = request->u_begin ? request->u_begin : request->directions->u;
  const double before = picus_law_velocity(request->directions, law, slip, u);
  return settled_speed(request->directions, law, u, fabs(before)) == 0 || p->P[at + p->laws[k].dim - 1] * before > 0;
}

/* The radius at rest, if it is larger than that of the slowest slip; else 0. */
static double radius_at_rest(const step_problem *p, const contact_request *request, int k, picus_status *status) {
  const contact_state *state = p->contacts;
  const int law = p->active[k];
  const double kept = state->slip_speed[law];
  double radius[2] = {0, 0};
  for (int i = 0; i < 2 && !*status; i++) {
    state->slip_speed[law] = i == 0 ? 0 : DBL_MIN;
    *status = evaluate(state, request);
    radius[i] = state->coefficients[law].radius * unit_of(p, request, k);
  }
  state->slip_speed[law] = kept;
  if (!*status) *status = evaluate(state, request);
  return radius[0] > radius[1] ? radius[0] : 0;
}

/* Static friction: a law whose slip would reverse passes through rest, where it sticks if its friction at rest
 * suffices. One after the other is tried. true: the problem is to be solved again. */
static bool tries_rest(step_problem *p, const contact_request *request, varying_iteration *it, picus_status *status) {
  if (it->rest.law > 0) {
    const int k = it->rest.law - 1;
    it->rest.law = 0;
    if (p->modes[k] != PICUS_STICK) {
      p->laws[k].radius = it->rest.radius;
      return true;
    }
  }
  for (int k = 0, at = 0; !*status && k < p->active_count; at += p->laws[k++].dim) {
    if (k < it->rest.next || !passes_rest(p, request, k, at)) continue;
    const double radius = radius_at_rest(p, request, k, status);
    it->rest.next = k + 1;
    if (*status || radius == 0) continue;
    it->rest.law = k + 1;
    it->rest.radius = p->laws[k].radius;
    p->laws[k].radius = radius;
    return true;
  }
  return false;
}

bool picus_varying_continues(step_problem *p, const contact_request *request, const double *u, varying_iteration *it,
                             picus_step_info *info, picus_status *status) {
  const bool explicit = !(request->friction.share > 0);
  if (it->lock.tries > 0) return confirms_lock(p, it, info);
  if (it->count == 0 && p->contacts->set->system->has_rest_friction) {
    const bool was_tried = it->rest.law > 0, again = tries_rest(p, request, it, status);
    if (again || was_tried || *status) return again; /* a law that came to rest keeps its friction there */
  }
  if (it->count == 0) {
    for (int k = 0, at = 0; explicit && k < p->active_count; at += p->laws[k++].dim)
      if (p->contacts->set->laws[p->active[k]].data.varies && slope_of(p, request, k, at) <= 0) note_steep(p, k, info);
    if (explicit && !p->contacts->has_loaded) return false;
    it->factor = 1;
    it->before = INFINITY;
  }
  if (it->count == ITERATIONS) {
    *status = end_unsettled(p, request->t, info);
    return false;
  }
  if ((*status = correct(p, request, u, it, info))) return false;
  bool settled = it->change <= SETTLED;
  if (it->leaps || (it->count >= CORRECTIONS && p->contacts->has_loaded))
    it->factor = 1;
  else if (it->count > 1 && it->change > SLOW * it->before) { /* round-off of the solver, or a correction too large */
    settled = settled || (it->change <= 1e-12 && ++it->worse > 1);
    it->factor *= 0.5;
  } else if (it->factor < 1)
    it->factor *= 2;
  if (settled) return it->lock.law > 0 && p->modes[it->lock.law - 1] == PICUS_STICK && confirms_lock(p, it, info);
  it->is_slow = it->count > 0 && it->change > FAST * it->before;
  it->before = it->change;
  it->count++;
  return true;
}

double picus_varying_change(const step_problem *p, const contact_request *request, const double *u, int *law) {
  const contact_state *state = p->contacts;
  const between now = {request->directions, request->u_begin, u, request->friction.share};
  double worst = 0;
  if (!state->coefficients || p->active_count == 0) return 0;
  find_speeds(state, request);
  for (int i = 0; !request->friction.slip && request->friction.share > 0 && i < state->set->law_count; i++)
    if (state->set->laws[i].data.varies && state->set->laws[i].data.slips > 0)
      state->slip_speed[i] =
          settled_speed(now.laws, &state->set->laws[i], u, speed_between(&now, &state->set->laws[i]));
  if (evaluate(state, request)) return INFINITY;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const int slips = state->set->laws[p->active[k]].data.slips;
    const picus_system_law *data = &state->set->laws[p->active[k]].data;
    if (!data->varies || data->loaded || slips == 0 || p->modes[k] != PICUS_SLIP) continue;
    const double radius = state->coefficients[p->active[k]].radius * unit_of(p, request, k);
    const double G = diagonal_of(p, k, at + p->laws[k].dim - slips);
    const double rounding = 64 * DBL_EPSILON * radius;
    const double change = picus_larger(fabs(radius - p->laws[k].radius) - rounding, 0) * load_of(p, k, at) * sqrt(G);
    if (!(change > worst)) continue;
    worst = change;
    *law = p->active[k];
  }
  return worst;
}
