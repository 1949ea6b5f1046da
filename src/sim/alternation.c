/* Velocities that alternate in runs with fixed steps; see alternation.h. */
#include "sim/alternation.h"

#include "base/internal.h"
#include "sim/alarm.h"

#include <math.h>

enum { STREAK = 16 };                    /* steps in a row that are evidence */
static const double decay = 0.9;         /* of a motion that steps do not resolve: a faster one is seen to end */
static const double significant = 0.01;  /* of the velocities of the run */
static const double rate_resolved = 2.0; /* of damping, times dt */

picus_status picus_alternation_alarm_create(stepper *s, alternation_alarm *a) {
  *a = (alternation_alarm){.motion = picus_allocate(s->context, (size_t)s->system->nu, sizeof(double))};
  return a->motion ? picus_alternation_create(s, decay, &a->seen) : PICUS_ERROR_MEMORY;
}

void picus_alternation_alarm_release(stepper *s, alternation_alarm *a) {
  picus_alternation_release(&a->seen);
  picus_release(s->context, a->motion);
  *a = (alternation_alarm){0};
}

/* The velocity with the longest streak. */
static int longest_of(const alternation *seen, int nu) {
  int longest = 0;
  for (int i = 0; i < nu; i++)
    if (seen->streak[i] > seen->streak[longest]) longest = i;
  return longest;
}

static bool is_significant(const alternation_alarm *a, const stepper *s, const double *weight, int velocity) {
  double all = 0;
  for (int i = 0; i < s->system->nu; i++) all += weight[i] * (s->u[i] * s->u[i]);
  const double amplitude = 0.5 * a->seen.change[velocity];
  return weight[velocity] * amplitude * amplitude >= significant * significant * all;
}

/* 1/s: how fast forces damp the motion that alternates. */
static double damping_of(const alternation_alarm *a, stepper *s, const double *weight) {
  double rate;
  for (int i = 0; i < s->system->nu; i++) a->motion[i] = a->seen.streak[i] >= STREAK ? a->seen.change[i] : 0;
  return picus_stiffness_damping(s, a->motion, weight, &rate) ? 0 : rate;
}

picus_status picus_alternation_look(alternation_alarm *a, stepper *s, const double *weight, double dt, long step) {
  if (s->system->nu == 0) return PICUS_OK;
  if (step == a->last + 1)
    picus_alternation_note(&a->seen);
  else
    picus_alternation_begin(&a->seen);
  a->last = step;
  if (a->seen.steps <= STREAK) return PICUS_OK; /* the first change alternates with none */
  const int velocity = longest_of(&a->seen, s->system->nu);
  if (a->seen.streak[velocity] != STREAK || !is_significant(a, s, weight, velocity)) return PICUS_OK;
  const double rate = damping_of(a, s, weight);
  if (rate * dt <= rate_resolved) return PICUS_OK;
  return picus_fail(
      s->context, PICUS_ERROR_STEP,
      "'%s' alternates from step to step at t = %.6g with an amplitude of %.3g that does not decay: "
      "dampers on it correspond to %.3g 1/s, and %s does not damp motion that its steps do not resolve; use dt "
      "below %.2g s, or the scheme moreau-jean with theta = 1",
      s->system->u_names[velocity].name, s->t, 0.5 * fabs(a->seen.change[velocity]), rate, s->scheme->description.name,
      rate_resolved / rate);
}
