/* Velocities that alternate in runs with fixed steps; see alternation.h. */
#include "sim/alternation.h"

#include "base/internal.h"
#include "sim/alarm.h"

#include <math.h>

enum { STREAK = 16 };                    /* steps in a row that are evidence */
static const double decay = 0.9;         /* a change that is smaller than so much of the last one decays */
static const double significant = 0.01;  /* of the velocities of the run */
static const double rate_resolved = 2.0; /* of damping, times dt */

picus_status picus_alternation_alarm_create(stepper *s, alternation_alarm *a) {
  const size_t nu = (size_t)s->system->nu;
  *a = (alternation_alarm){.u = picus_allocate(s->context, 3 * nu, sizeof(double)),
                           .streak = picus_allocate(s->context, nu, sizeof *a->streak)};
  if (!a->u || !a->streak) return PICUS_ERROR_MEMORY;
  a->change = a->u + nu;
  a->motion = a->change + nu;
  return PICUS_OK;
}

void picus_alternation_alarm_release(stepper *s, alternation_alarm *a) {
  picus_release(s->context, a->u);
  picus_release(s->context, a->streak);
  *a = (alternation_alarm){0};
}

/* The velocity with the longest streak; its changes are noted. */
static int follow(alternation_alarm *a, const stepper *s, bool goes_on) {
  int longest = 0;
  for (int i = 0; i < s->system->nu; i++) {
    const double change = s->u[i] - a->u[i];
    const bool alternates = goes_on && change * a->change[i] < 0 && fabs(change) >= decay * fabs(a->change[i]);
    a->streak[i] = alternates ? a->streak[i] + 1 : 0;
    a->change[i] = goes_on ? change : 0;
    a->u[i] = s->u[i];
    if (a->streak[i] > a->streak[longest]) longest = i;
  }
  return longest;
}

static bool is_significant(const alternation_alarm *a, const stepper *s, const double *weight, int velocity) {
  double all = 0;
  for (int i = 0; i < s->system->nu; i++) all += weight[i] * (s->u[i] * s->u[i]);
  const double amplitude = 0.5 * a->change[velocity];
  return weight[velocity] * amplitude * amplitude >= significant * significant * all;
}

/* 1/s: how fast forces damp the motion that alternates. */
static double damping_of(const alternation_alarm *a, stepper *s, const double *weight) {
  double rate;
  for (int i = 0; i < s->system->nu; i++) a->motion[i] = a->streak[i] >= STREAK ? a->change[i] : 0;
  return picus_stiffness_damping(s, a->motion, weight, &rate) ? 0 : rate;
}

picus_status picus_alternation_look(alternation_alarm *a, stepper *s, const double *weight, double dt, long step) {
  if (s->system->nu == 0) return PICUS_OK;
  const int velocity = follow(a, s, step == a->last + 1);
  a->last = step;
  if (a->streak[velocity] != STREAK || !is_significant(a, s, weight, velocity)) return PICUS_OK;
  const double rate = damping_of(a, s, weight);
  if (rate * dt <= rate_resolved) return PICUS_OK;
  return picus_fail(
      s->context, PICUS_ERROR_STEP,
      "'%s' alternates from step to step at t = %.6g with an amplitude of %.3g that does not decay: "
      "dampers on it correspond to %.3g 1/s, and %s does not damp motion that its steps do not resolve; use dt "
      "below %.2g s, or the scheme moreau-jean with theta = 1",
      s->system->u_names[velocity].name, s->t, 0.5 * fabs(a->change[velocity]), rate, s->scheme->description.name,
      rate_resolved / rate);
}
