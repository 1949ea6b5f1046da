/* The alarm of runs with fixed steps: growth that halved steps do not confirm.
 *
 * The measure is sum M_ii u_i^2 with the initial masses. Whenever it has grown a hundredfold, and not much slower than
 * the last time (a free fall takes ten times as long, exponential growth does not), some of the next steps are repeated
 * as two half steps; real growth is the same in both. They are spread over as many steps as the growth took, so that
 * they cover all phases of an oscillation. The growth is suspicious if most of them differ from their halves by more
 * than 10 %, or if nearly all of them grow faster than their halves by more than 30 % of the growth seen. Once the
 * steps that are left cannot change that verdict, they are made once. After three suspicious growths in a row the run
 * has no meaning. One is not enough: an implicit scheme that does not resolve a released stiff spring jumps once. */
#ifndef PICUS_SIM_ALARM_H
#define PICUS_SIM_ALARM_H

#include "adaptive/internal.h"
#include "stepper/internal.h"

/* Results of the steps of a window. */
typedef struct growth_window {
  int compared;         /* steps made twice */
  int off;              /* that differ by more than is tolerated */
  int faster;           /* that grow faster than their halves */
  double whole, halved; /* sums of log(measure after / before), as they are and in halves */
} growth_window;

typedef struct growth_alarm {
  double *weight; /* nu: M_ii; NULL: no alarm */
  double limit;   /* of the measure, beyond which steps are compared */
  long last;      /* number of the step in which that happened last */
  long took;      /* steps from the time before until then; 0: it happened once */
  double rate;    /* of log(measure) per step until then */
  int to_compare; /* steps still to be compared, every stride-th one, the next in `wait` steps */
  long stride, wait;
  growth_window window;
  /* the suspicion: since the first hundredfold growth whose steps differ */
  double level;                /* of the measure before it; 0: none */
  int growths;                 /* hundredfold ones since then */
  double t, *q, *u;            /* its start */
  double difference;           /* largest of the compared steps, relative */
  int velocity;                /* that differed most */
  stepper_snapshot begin, end; /* of the step that is compared */
} growth_alarm;

/* For the state of the stepper. The alarm must be released, even after a failure. */
picus_status picus_alarm_create(stepper *s, growth_alarm *out);
void picus_alarm_release(stepper *s, growth_alarm *alarm); /* a zeroed one is fine */

/* After every step: whether the measure has grown beyond its limit, or is not a number. */
static inline bool picus_alarm_is_due(const growth_alarm *a, const stepper *s) {
  double measure = 0;
  for (int i = 0; i < s->system->nu; i++) measure += a->weight[i] * (s->u[i] * s->u[i]);
  return !(measure <= a->limit);
}
/* Then: steps are compared from now on. steps: made so far. PICUS_ERROR_NUMBER if the measure overflows. */
picus_status picus_alarm_begin(growth_alarm *alarm, stepper *s, double dt, long steps);
/* Before a step: whether it is one to compare. */
static inline bool picus_alarm_compares(growth_alarm *a) { return a->to_compare > 0 && --a->wait <= 0; }
/* Around a compared step. PICUS_ERROR_STEP with a message if the evidence suffices. */
void picus_alarm_before_step(growth_alarm *alarm, const stepper *s);
picus_status picus_alarm_after_step(growth_alarm *alarm, stepper *s, double dt);
/* At the end of a run that was too short for a complete window. */
picus_status picus_alarm_at_end(growth_alarm *alarm, stepper *s, double dt, long steps);

/* --- alternation -------------------------------------------------------------------------------------------------- */

/* Runs with fixed steps whose velocities alternate because a force is too stiff.
 *
 * A symmetric implicit scheme multiplies a velocity by nearly -1 in each step if a damper on it is far too stiff for
 * dt: it neither grows, which the alarm above would see, nor decays, as the motion does. So the changes of each
 * velocity are followed over some steps at the start of a run, and again from time to time. A velocity whose changes
 * alternate in sign, with an amplitude of 1 % of the velocities of the run or more that does not decay, ends the run if
 * forces damp this motion faster than steps of dt can. A spring that steps do not resolve alternates as well, and so do
 * contacts that chatter: nothing damps these, and bounded vibrations are what a user of long steps expects. */
typedef struct alternation_alarm {
  alternation seen;
  double *motion; /* nu: changes that alternate */
  long last;      /* number of the last step that was examined; 0: none */
  long next;      /* no step before this one is to be examined */
} alternation_alarm;

picus_status picus_alternation_alarm_create(stepper *s, alternation_alarm *out);
void picus_alternation_alarm_release(stepper *s, alternation_alarm *alarm); /* a zeroed one is fine */

/* The stepper is at the end of a step, numbered from 1, that may be one to examine; weight: M_ii. PICUS_ERROR_STEP with
 * a message if a velocity alternates. */
picus_status picus_alternation_look(alternation_alarm *alarm, stepper *s, const double *weight, double dt, long step);

#endif
