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
picus_status picus_alarm_begin(growth_alarm *alarm, const scheme_ops *scheme, stepper *s, double dt, long steps);
/* Before a step: whether it is one to compare. */
static inline bool picus_alarm_compares(growth_alarm *a) { return a->to_compare > 0 && --a->wait <= 0; }
/* Around a compared step. PICUS_ERROR_STEP with a message if the evidence suffices. */
void picus_alarm_before_step(growth_alarm *alarm, const stepper *s);
picus_status picus_alarm_after_step(growth_alarm *alarm, const scheme_ops *scheme, stepper *s, double dt);
/* At the end of a run that was too short for a complete window. */
picus_status picus_alarm_at_end(growth_alarm *alarm, const scheme_ops *scheme, stepper *s, double dt, long steps);

/* The limits of the step of an explicit scheme at a state, in stiffness.c: the largest rates of position-dependent
 * forces (omega, rad/s, from the spectral radius of M^-1 dh/dq B) and velocity-dependent forces (rate, 1/s, from M^-1
 * dh/du), with the dominant velocity. PICUS_OK with zeros if the system is too large. */
typedef struct stiffness_report {
  double omega, rate;
  int omega_velocity, rate_velocity;
} stiffness_report;
picus_status picus_stiffness_examine(stepper *s, double t, const double *q, const double *u, stiffness_report *out);
/* 1/s: the rate at which velocity-dependent forces damp a motion with these velocities, v^T C v / v^T M v; M_ii: mass.
 * 0 for a large system. */
picus_status picus_stiffness_damping(stepper *s, const double *v, const double *mass, double *rate);

#endif
