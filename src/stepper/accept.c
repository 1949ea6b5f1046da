/* What a step leaves at its laws: percussions, modes, dissipated energy and impacts. */
#include "base/elementary.h"
#include "base/internal.h"
#include "linalg/internal.h"
#include "stepper/impacts.h"

#include <float.h>
#include <math.h>

void picus_step_note_joints(const stepper *s, const double *gap, picus_step_info *info) {
  for (int i = 0; i < s->set->law_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    if (law->kind == PICUS_BILATERAL && law->has_gap && fabs(gap[i]) > info->gaps.constraint_error) {
      info->gaps.constraint_error = fabs(gap[i]);
      info->gaps.constraint_law = i;
    }
  }
}

/* Energy that law k dissipates: - P . (gamma_end + gamma_begin) / 2, exact for the kinetic energy with the M of the
 * step. gamma_end = gamma_free + G P. */
static double dissipated_by(const step_problem *p, int k, int first, int dim) {
  double work = 0;
  for (int r = first; r < first + dim; r++) {
    double end = p->gamma_free[r] + picus_step_problem_row(p, k, r);
    work += 0.5 * p->P[r] * (end + p->gamma_begin[r]);
  }
  return -work;
}

/* The same for a decoupled planar contact, whose G is its own; dim is a constant for the compiler. */
static inline double dissipated_by_decoupled(const step_problem *p, int at, const int dim) {
  const double *G = p->rows[at].G, *P = p->P + at;
  const double *begin = p->gamma_begin + at, *without = p->gamma_free + at;
  double work = 0.5 * P[0] * (without[0] + picus_dot(dim, G, P) + begin[0]);
  if (dim == 2) work += 0.5 * P[1] * (without[1] + picus_dot(2, G + 2, P) + begin[1]);
  return -work;
}

/* Laws that are not active any more are cleared. */
static void clear_inactive(stepper *s, step_problem *p) {
  for (int i = 0, k = 0; i < s->set->law_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    if (k < p->active_count && p->active[k] == i) {
      k++;
      continue;
    }
    if (s->contacts.modes[i] != PICUS_OPEN) s->contacts.history.opened[i] = s->t;
    s->contacts.modes[i] = picus_law_idle_mode(law);
    for (int r = 0; r < law->dim; r++) s->contacts.P[law->first_row + r] = 0;
  }
}

static double sum_of(const double *values, int first, int count) {
  double sum = 0;
  for (int r = first; r < first + count; r++) sum += values[r];
  return sum;
}

/* Work of the moving surface, or of the motor, of law k: - P chi. The energy of the system changes by this work less
 * what the law dissipates. */
static double driven_by(const stepper *s, const picus_system_law *law, int first) {
  const double *P = s->problem.P + first, *chi = s->judged.directions->chi + law->first_row;
  double work = 0;
  for (int r = 0; r < law->dim; r++) work -= P[r] * chi[r];
  return work;
}

/* Energy that law k of the problem dissipates in one solve. */
static inline double dissipated_in_solve(const step_problem *p, int k, int at, int dim) {
  if (!p->plan.decoupled || dim > 2)
    return dissipated_by(p, k, at, dim) + (p->transfer ? sum_of(p->transfer, at, dim) : 0);
  return dim == 2 ? dissipated_by_decoupled(p, at, 2) : dissipated_by_decoupled(p, at, 1);
}

/* Newton's law with friction, or with coefficients that differ, may gain energy (Kane's example): the sum over all
 * contacts, because one may pass on what another one receives. */
static void note_gain(const stepper *s, const row_energies *energies, picus_step_info *info) {
  const step_problem *p = &s->problem;
  double lost = 0, passed = 0;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const picus_system_law *law = &s->set->laws[p->active[k]].data;
    if (law->kind == PICUS_RESERVOIR) continue;
    lost += energies ? sum_of(energies->lost, law->first_row, law->dim) : dissipated_in_solve(p, k, at, law->dim);
    for (int r = at; r < at + law->dim; r++) passed += 0.5 * fabs(p->P[r] * p->gamma_begin[r]);
  }
  picus_impacts_note_gain(lost, passed, info);
}

void picus_step_problem_accept(stepper *s, const row_energies *energies, picus_step_info *info) {
  step_problem *p = &s->problem;
  contact_state *state = &s->contacts;
  if (p->plan.may_jam && p->active_count > 0) picus_step_note_paradox(p, info);
  if (!picus_step_problem_persists(p)) clear_inactive(s, p);
  p->accepted = p->laws_now;
  impact_count count = {0};
  const bool watched = state->watched;
  for (int k = 0, at = 0, active = p->active_count; k < active; k++) {
    const int i = p->active[k];
    const picus_system_law *law = &s->set->laws[i].data;
    const int row = law->first_row, dim = law->dim;
    /* a mode that round-off alone may have changed stays as it was, so that no switching point is seen there */
    const picus_mode before = state->modes[i],
                     mode = state->keep_doubtful_modes && p->doubtful[k] ? before : p->modes[k];
    /* an impact shows as another mode, or as a percussion that grows: all other contacts need no check */
    if (watched || mode != before || (p->P[at] > PICUS_GROWN * state->P[row] && picus_law_can_open(law)))
      picus_impacts_look(s, k, at, mode, &count);
    const double energy = energies ? sum_of(energies->lost, row, dim) : dissipated_in_solve(p, k, at, dim);
    state->dissipated[i] += energy;
    if (!s->system->at_rest) state->driven[i] += energies ? sum_of(energies->driven, row, dim) : driven_by(s, law, at);
    info->dissipated += energy;
    state->modes[i] = mode;
    picus_copy(dim, p->P + at, state->P + row);
    at += dim;
  }
  if (count.struck | count.chatter) picus_impacts_note(s, &count, info);
  if (count.struck > 0) note_gain(s, energies, info);
}

/* Impacts and chatter, counted from the data of a step, the same way for every scheme (docs/results.md).
 *
 * The relative velocity gamma of a contact (normal and slip) jumps in a step if
 *
 *   |gamma_end - gamma_begin| > 4 (|W|^T |u_free - u_begin| + 2 |gamma_begin - gamma(q_begin, u_begin)|) ,
 *
 * that is by more than four times the effect of forces on the velocities of its bodies in the step, without
 * cancellation, and of the motion of the bodies on W. A contact that closes and jumps is an impact. So is a closed
 * contact that jumps with a percussion far larger than before (a rod that jams), unless another contact closes with an
 * impact in the same step, which explains it. A contact that closes within four steps after it opened chatters, and
 * jumps within four steps after an impact belong to it: steps cannot resolve them. An impact may take more than one
 * step (schatzman-paoli): a contact that closes without a jump is watched for four more steps. A scheme that tells
 * impulses from forces says itself which contacts close with an impulse: these are impacts however small they are.
 *
 * Almost no step needs this: picus_impacts_look is called if a mode changes, if a percussion grows eightfold, and in
 * those four steps. */

#define ROUNDINGS 64 /* a jump of so many units of round-off of the terms of the velocity is none */

picus_status picus_impacts_create(stepper *s) {
  contact_history *h = &s->contacts.history;
  const law_array arrays[] = {picus_carried_by_law(&h->opened, sizeof(double), -INFINITY),
                              picus_carried_by_law(&h->closed, sizeof(double), -INFINITY),
                              picus_carried_by_law(&h->struck, sizeof(double), -INFINITY),
                              picus_carried_by_law(&h->impacts, sizeof(double), 0),
                              picus_carried_by_law(&h->chatter, sizeof(double), 0)};
  picus_status status = picus_law_arrays_add(&s->arrays, sizeof arrays / sizeof arrays[0], arrays);
  if (!status) picus_impacts_forget(s);
  return status;
}

void picus_impacts_forget(stepper *s) {
  contact_history *h = &s->contacts.history;
  s->contacts.watched = false;
  h->watch_until = -INFINITY;
  h->gone = (law_totals){0};
  for (int i = 0; i < s->set->law_count; i++) {
    h->opened[i] = h->closed[i] = h->struck[i] = -INFINITY;
    h->impacts[i] = h->chatter[i] = 0;
  }
}

/* |gamma_end - gamma_begin| of law k of the contact problem. */
static double jump_of(const step_problem *p, int k, int at, int dim) {
  double square = 0;
  for (int r = at; r < at + dim; r++) {
    double end = p->gamma_free[r] + picus_step_problem_row(p, k, r);
    square += (end - p->gamma_begin[r]) * (end - p->gamma_begin[r]);
  }
  return sqrt(square);
}

/* |W|^T |u_free - u_begin|, the largest of the law's rows: bodies that fall side by side do not cancel. Of its first
 * rows if these explain the jump. */
static double explained_by_forces(const stepper *s, const system_law *law, double jump) {
  double largest = 0;
  for (int r = 0; r < law->data.dim && jump > PICUS_EXPLAINED * largest; r++) {
    const double *row = picus_law_row(law, s->judged.directions->W, r);
    largest = picus_larger(largest, picus_law_row_change(s->system, law, row, s->judged.u_begin, s->judged.u_free));
  }
  return largest;
}

/* gamma of a law at the initial state of the step; NULL: it cannot be found. Of contacts that come and go only those
 * that are asked for, because few of very many change; all others at once. */
static const double *gamma_at_begin(stepper *s, int law, impact_count *count) {
  const law_set *set = s->set;
  double *gamma = s->problem.xi; /* free after the solve */
  if (!count->is_at_begin) picus_evaluation_set_point(s->evaluation, s->t, s->q, s->judged.u_begin);
  count->is_at_begin = true;
  if (law >= set->fixed_count && !count->has_all) {
    gamma += set->laws[law].data.first_row;
    return picus_present_velocity(s->evaluation, law, gamma) ? NULL : gamma;
  }
  if (!count->has_all && picus_evaluate_velocities(s->evaluation, gamma)) return NULL;
  count->has_all = true;
  return gamma + set->laws[law].data.first_row;
}

/* The difference of gamma at the start of the step between the W of the step and the W of its initial state. */
static double explained_by_motion(stepper *s, int law, int at, impact_count *count) {
  const double *gamma = gamma_at_begin(s, law, count), *in_step = s->problem.gamma_begin + at;
  double largest = 0;
  for (int r = 0; gamma && r < s->set->laws[law].data.dim; r++)
    largest = picus_larger(largest, fabs(in_step[r] - gamma[r]));
  return largest;
}

/* A change of velocities that the solver and round-off leave, without any force. */
static bool is_round_off(const stepper *s, const system_law *law, double jump) {
  double terms = 0;
  for (int r = 0; r < law->data.dim; r++)
    terms = picus_larger(
        terms, picus_law_row_terms(s->system, law, picus_law_row(law, s->judged.directions->W, r), s->judged.u_begin));
  return jump <= ROUNDINGS * DBL_EPSILON * terms;
}

bool picus_law_jumps(stepper *s, int k, int at, impact_count *count) {
  const int number = s->problem.active[k];
  const system_law *law = &s->set->laws[number];
  if (s->judged.find_free && !count->has_free) s->judged.find_free(s);
  count->has_free = true;
  const double jump = jump_of(&s->problem, k, at, law->data.dim), forces = explained_by_forces(s, law, jump);
  return jump > PICUS_EXPLAINED * forces &&
         jump > PICUS_EXPLAINED * (forces + 2 * explained_by_motion(s, number, at, count)) &&
         !is_round_off(s, law, jump);
}

void picus_impacts_look(stepper *s, int k, int at, picus_mode mode, impact_count *count) {
  const step_problem *p = &s->problem;
  const int i = p->active[k];
  contact_history *h = &s->contacts.history;
  s->contacts.watched = s->t < h->watch_until;
  if (!picus_law_can_open(&s->set->laws[i].data)) return;
  const bool was_open = s->contacts.modes[i] == PICUS_OPEN, is_open = mode == PICUS_OPEN;
  if (is_open && !was_open) h->opened[i] = s->t;
  if (is_open) return;
  const double since = s->t - PICUS_RESOLVED_STEPS * p->dt; /* a few steps are one event */
  if (was_open && h->opened[i] >= since) {
    h->chatter[i]++;
    count->chatter++;
    return;
  }
  const bool closes = was_open || h->closed[i] >= since;
  if (was_open) h->closed[i] = s->t;
  if (h->struck[i] >= since) return;
  const double *impulse = closes && s->judged.impulse ? *s->judged.impulse : NULL;
  if ((impulse && impulse[s->set->laws[i].data.first_row] > 0) || picus_law_jumps(s, k, at, count)) {
    count->closing += closes;
    p->struck[count->struck++] = closes ? i : -1 - i;
  } else if (was_open) { /* it closed without a jump: the impact may follow in the next steps */
    h->watch_until = s->t + PICUS_RESOLVED_STEPS * p->dt;
    s->contacts.watched = true;
  }
}

jump_kind picus_impacts_judge(const stepper *s, int law, double dt) {
  const contact_history *h = &s->contacts.history;
  const double since = s->t - PICUS_RESOLVED_STEPS * dt;
  if (!picus_law_can_open(&s->set->laws[law].data) || h->struck[law] >= since) return JUMP_NOT_COUNTED;
  return h->opened[law] >= since ? JUMP_IS_CHATTER : JUMP_IS_IMPACT;
}

void picus_impacts_add(stepper *s, int law, jump_kind kind, picus_step_info *info) {
  contact_history *h = &s->contacts.history;
  if (kind == JUMP_NOT_COUNTED) return;
  if (kind == JUMP_IS_CHATTER) {
    h->chatter[law]++;
    info->chatter++;
    return;
  }
  h->closed[law] = h->struck[law] = s->t;
  h->impacts[law]++;
  info->impacts++;
}

void picus_impacts_note(stepper *s, const impact_count *count, picus_step_info *info) {
  info->chatter += count->chatter;
  for (int n = 0; n < count->struck; n++) {
    const bool was_closed = s->problem.struck[n] < 0;
    const int law = was_closed ? -1 - s->problem.struck[n] : s->problem.struck[n];
    if (was_closed && count->closing > 0) continue;
    s->contacts.history.struck[law] = s->t;
    s->contacts.history.impacts[law]++;
    info->impacts++;
  }
}
