/* Runs with fixed steps whose velocities alternate because a force is too stiff.
 *
 * A symmetric implicit scheme multiplies a velocity by nearly -1 in each step if a damper on it is far too stiff for
 * dt: it neither grows, which the alarm of alarm.h would see, nor decays, as the motion does. So the changes of each
 * velocity are followed over some steps at the start of a run, and again from time to time. A velocity whose changes
 * alternate in sign, with an amplitude of 1 % of the velocities of the run or more that does not decay, ends the run if
 * forces damp this motion faster than steps of dt can. A spring that steps do not resolve alternates as well, and so do
 * contacts that chatter: nothing damps these, and bounded vibrations are what a user of long steps expects. */
#ifndef PICUS_SIM_ALTERNATION_H
#define PICUS_SIM_ALTERNATION_H

#include "adaptive/internal.h"

typedef struct alternation_alarm {
  alternation seen;
  double *motion; /* nu: changes that alternate */
  long last;      /* number of the last step that was looked at; 0: none */
} alternation_alarm;

picus_status picus_alternation_alarm_create(stepper *s, alternation_alarm *out);
void picus_alternation_alarm_release(stepper *s, alternation_alarm *alarm); /* a zeroed one is fine */

/* Whether this step, from 1, is one to look at: 20 in a row, soon twice, then from time to time. */
static inline bool picus_alternation_is_due(long step) { return step % (step < 64 ? 32 : 512) < 20; }
/* The stepper is at the end of it; weight: M_ii. PICUS_ERROR_STEP with a message if a velocity alternates. */
picus_status picus_alternation_look(alternation_alarm *alarm, stepper *s, const double *weight, double dt, long step);

#endif
