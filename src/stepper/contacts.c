/* What a step leaves at its laws: percussions, modes, dissipated energy and impacts; and the restitution that the next
 * one applies. */
#include "linalg/internal.h"
#include "stepper/impacts.h"

#include <math.h>

#define FLIGHT_STEPS 2     /* of dt_min: shorter flights after an impact cannot be resolved */
#define FLIGHT_ROUNDINGS 8 /* of the gap: lower flights cannot be seen */

/* An impact whose rebound cannot be resolved: with the acceleration a at which the gap closes, e v leads to a flight of
 * 2 e v / a and of the height (e v)^2 / (2 a). */
static bool rebound_is_lost(const contact_state *c, int law, double e, double v) {
  double a = c->closing[law], rebound = e * v;
  return 2 * rebound <= FLIGHT_STEPS * a * c->restitution_dt ||
         rebound * rebound <= 2 * FLIGHT_ROUNDINGS * a * c->gap_rounding[law];
}

/* In a persistent contact the approach velocity is an error of O(dt), which restitution must not return. */
double picus_step_restitution_at(const contact_state *c, int law, int row, double dt, double gamma) {
  const picus_system_law *data = &c->set->laws[law].data;
  double e = picus_law_restitution(data, row);
  if (c->restitution == PICUS_RESTITUTION_MODIFIED) return e > 0 ? pow(e, dt / c->restitution_dt) : e;
  if (row != 0 || !picus_law_can_open(data)) return e;
  return c->modes[law] != PICUS_OPEN || rebound_is_lost(c, law, e, -gamma) ? 0 : e;
}

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

/* The same for a decoupled contact, whose G is its own; dim is a constant for the compiler. */
static inline double dissipated_by_decoupled(const step_problem *p, int k, int at, const int dim) {
  const double *G = p->plan.contacts[k].G, *P = p->P + at;
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
  if (!p->plan.contacts) return dissipated_by(p, k, at, dim);
  return dim == 2 ? dissipated_by_decoupled(p, k, at, 2) : dissipated_by_decoupled(p, k, at, 1);
}

void picus_step_problem_accept(stepper *s, const row_energies *energies, picus_step_info *info) {
  step_problem *p = &s->problem;
  contact_state *c = &s->contacts;
  if (p->plan.may_jam && p->active_count > 0) picus_step_note_paradox(s, info);
  if (!picus_step_problem_persists(p)) clear_inactive(s, p);
  p->accepted = p->laws_now;
  impact_count count = {0};
  const bool watched = c->watched;
  for (int k = 0, at = 0, active = p->active_count; k < active; k++) {
    const int i = p->active[k];
    const picus_system_law *law = &s->set->laws[i].data;
    const int row = law->first_row, dim = law->dim;
    /* a mode that round-off alone may have changed stays as it was, so that no switching point is seen there */
    const picus_mode before = c->modes[i], mode = c->keep_doubtful_modes && p->doubtful[k] ? before : p->modes[k];
    /* an impact shows as another mode, or as a percussion that grows: all other contacts are spared the look */
    if (watched || mode != before || (p->P[at] > PICUS_GROWN * c->P[row] && picus_law_can_open(law)))
      picus_impacts_look(s, k, at, mode, &count);
    const double energy = energies ? sum_of(energies->lost, row, dim) : dissipated_in_solve(p, k, at, dim);
    c->dissipated[i] += energy;
    if (!s->system->at_rest) c->driven[i] += energies ? sum_of(energies->driven, row, dim) : driven_by(s, law, at);
    info->dissipated += energy;
    c->modes[i] = mode;
    picus_copy(dim, p->P + at, c->P + row);
    at += dim;
  }
  if (count.struck | count.chatter) picus_impacts_note(s, &count, info);
}
