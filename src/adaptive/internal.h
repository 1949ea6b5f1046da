/* Steps of chosen size and order (Studer, Leine and Glocker 2008, sections 5 to 9). Three modules that share only this
 * interface: the base step is any scheme of src/scheme; the extrapolation step (extrapolation.c) makes one step of high
 * order from base steps and reports whether a law switched; the driver (step_sizes.c) chooses the sizes and searches
 * for switching points, with accuracy.c for steps that miss their tolerance. gaps.c checks gaps inside a step.
 * interpolation.c computes states between the ends of a step. */
#ifndef PICUS_ADAPTIVE_INTERNAL_H
#define PICUS_ADAPTIVE_INTERNAL_H

#include "adaptive/extrapolation.h"

/* --- largest step (time_scale.c) ---------------------------------------------------------------------------------- */

/* From the time scales of the system, for a run without a given dt_max. */
picus_status picus_default_dt_max(picus_context *context, const picus_system *s, double t_start, double t_end,
                                  double *dt_max);

/* --- driver ------------------------------------------------------------------------------------------------------ */

/* The accuracy of the steps of a run (accuracy.c): which steps the driver accepts, and the data of the summary. */
typedef struct accuracy_watch {
  double dt_min;
  bool accepts_inaccurate;     /* misses are counted and never end the run */
  double error_least;          /* estimate over tolerance of the last smooth step at dt_min if that missed it; else 0 */
  double q_largest, u_largest; /* of all accepted steps */
  double tried_t, tried_dt;    /* start and size of the last step that was rejected because of its error; */
  double tried_error;          /* estimate over tolerance of it */
  double roundings;            /* the largest error that shorter steps have not reduced, over round-off, */
  double rounding_error;       /* and over tolerance: rows of other orders have other round-off */
  long missed;                 /* steps that were taken though they miss the tolerance, */
  long rounded;                /* those of them whose error is round-off */
  double worst, worst_t;       /* the largest estimate over tolerance, and the end of its step */
  int window, hopeless;        /* smooth steps in the current window, and those that miss by far */
  double kinetic_largest;      /* J, at the ends of all steps without an estimate */
  int unconfirmed;             /* those of them that gain kinetic energy, which two half steps do not confirm */
  double unconfirmed_t;        /* the start of the last one, */
  double unconfirmed_u;        /* and by how much the half steps differ from it, over its largest velocity */
} accuracy_watch;
void picus_accuracy_begin(accuracy_watch *a, const stepper *s, double dt_min);
/* True if a step that misses its tolerance may be accepted: at dt_min always; a longer one if it is no worse per unit
 * of time than the last one at dt_min. */
bool picus_accuracy_tolerates(const accuracy_watch *a, double dt, const step_error *error);
/* True if the error of a step that begins at t is round-off, so that shorter steps are useless. Else it is repeated. */
bool picus_accuracy_is_rounding(accuracy_watch *a, double t, double dt, const step_error *error);
/* The driver continues from this smooth step. */
void picus_accuracy_note(accuracy_watch *a, double dt, const step_error *error);
/* Fails if a smooth step of size dt_min is completely wrong. */
picus_status picus_accuracy_alarm(const accuracy_watch *a, const stepper *s, const stepper_snapshot *end, double dt,
                                  const step_error *error);
/* A step that is handed out. */
void picus_accuracy_count(accuracy_watch *a, const stepper *s, const stepper_snapshot *end,
                          const extrapolated_step *step);
/* A step that is handed out and has no estimate, because it contains a switching point: compares it with its halves if
 * it gains much kinetic energy. The stepper is left at the end of the step. */
picus_status picus_accuracy_confirm(accuracy_watch *a, extrapolation *e, const stepper_snapshot *begin, double dt,
                                    const stepper_snapshot *end);
/* Fails when most of the last smooth steps that were handed out miss their tolerance by far, or when the energy of
 * several steps was not confirmed. */
picus_status picus_accuracy_verdict(accuracy_watch *a, const stepper *s, bool is_end);

/* Times of onsets of slip and of openings, which steps see late (onset.c). */
enum { ONSET_STEPS = 64 };
typedef struct onset_watch {
  stepper *stepper;
  int count;             /* entries, the oldest first */
  double t[ONSET_STEPS]; /* ends of steps since the last switching point */
  double *sums;          /* [ONSET_STEPS][rows] percussions since then */
  double *radii;         /* [ONSET_STEPS][laws] of laws whose coefficients vary, without slip; NULL: none do */
  double *times;         /* laws: when each switched in the last step; NAN: at its end, as far as is known */
} onset_watch;
picus_status picus_onset_create(stepper *s, onset_watch *out);
void picus_onset_begin(onset_watch *w, const stepper_snapshot *at);
/* A step that is returned. at_stop: forces may be different after its end. */
void picus_onset_note(onset_watch *w, const stepper_snapshot *before, const stepper_snapshot *end, step_outcome outcome,
                      bool at_stop);

/* Steps that end before the next contact closes (closing_forecast.c). */
typedef struct approach {
  stepper *stepper;
  double dt_min;
  double *gap[2], *velocities[2]; /* at the start and at the end of the last step */
  int steps;                      /* in a row that were shortened */
  double rest;                    /* from the last of them until the step that resolves the impact; INFINITY: none */
  bool is_corrected;              /* the last correction has not led to an impact yet */
} approach;
picus_status picus_approach_create(stepper *s, double dt_min, approach *out);
/* Shortens dt, the size of the step after the smooth one from begin to end, if an open contact closes in it. */
picus_status picus_approach_limit(approach *a, const stepper_snapshot *begin, const stepper_snapshot *end, double *dt);
/* For a step of size dt that came too close to the impact, according to the prediction from its end: the size it should
 * have had. dt: there is none, or it was tried before. */
double picus_approach_correct(approach *a, double dt);

typedef struct driven_step {
  stepper_snapshot end;
  double t_low; /* round-off error of end.t: short steps add up, and surfaces move with the bodies on them */
  double t_begin, dt;
  bool is_switch; /* it ends at the zero of a switching function */
  extrapolated_step step;
} driven_step;

enum { DRIVER_RING = 6 };

typedef struct driver driver;
/* The sizes of the steps, after each of the results that an attempt may have (Studer 2008, tables IV and V). */
typedef struct size_control {
  picus_status (*limit)(driver *d, double *dt); /* optional: of the next step, by what lies ahead */
  void (*smooth)(driver *d, bool was_clipped);
  void (*inaccurate)(driver *d, double dt, double t_end);
  void (*detected)(driver *d);
  bool as_printed; /* of the extrapolation */
  bool doubts;     /* gaps inside steps, errors that are round-off, and the step before a resolved one are judged */
} size_control;
extern const size_control picus_forecast_sizes, picus_printed_sizes;

/* The steps are in a ring, ordered by time: the last returned step, whose end is the start of the next; accepted steps
 * that are not returned yet; the previous step, not accepted yet; and space for the actual one. */
struct driver {
  extrapolation extrapolation;
  const size_control *control;
  double dt_min, dt_max;
  const double *stops; /* times at which a step must end, increasing; the last one is the end of the run */
  int stop_count;
  driven_step ring[DRIVER_RING];
  int handed_out;     /* its place in the ring */
  int accepted_count; /* after it, accepted */
  bool has_previous;  /* after these */
  double dt, t_no_increase;
  double dt_inaccurate;           /* size of the last step that missed its tolerance */
  double dt_given_up;             /* the largest of them since a switching point was last seen or resolved; 0: none */
  int hold, patience;             /* smooth steps until it is tried again; the next time so many */
  double t_detected, dt_detected; /* end and size of the step in which a switching point was last seen, until it is
                                   * resolved; INFINITY: none */
  bool is_first;
  bool is_stale; /* inputs have changed: steps after the last returned one must be made again */
  bool accepts_inaccurate;
  double t_last;           /* of a driver that was read: the last stop until then */
  picus_decision_fn watch; /* NULL: nobody */
  void *watch_user;
  approach approach;
  accuracy_watch accuracy;
  onset_watch onset;
  long rejected, switching_points, shortened;
  const stepper_snapshot *ends[2]; /* of the step returned last, if there are switching functions; NULL: none */
};

/* Steps of the ring, from the one that was returned last. */
static inline driven_step *picus_driver_at(driver *d, int places_on) {
  return &d->ring[(d->handed_out + places_on) % DRIVER_RING];
}
static inline driven_step *picus_driver_previous(driver *d) {
  return picus_driver_at(d, d->accepted_count + (d->has_previous ? 1 : 0));
}
static inline driven_step *picus_driver_actual(driver *d) {
  return picus_driver_at(d, d->accepted_count + (d->has_previous ? 1 : 0) + 1);
}

/* Sizes that differ by so much are equal: they come out of divisions. Extrapolation needs three substeps of dt_min. */
#define PICUS_SIZE_SLACK 1e-9
static inline bool picus_driver_is_least(const driver *d, double dt) {
  return dt <= d->dt_min * (1 + PICUS_SIZE_SLACK);
}
static inline double picus_driver_shorter(const driver *d, double dt) {
  return 0.5 * dt < 3 * d->dt_min ? d->dt_min : 0.5 * dt;
}
static inline double picus_driver_longer(const driver *d, double dt, double factor) {
  return fmin(fmax(factor * dt, 3 * d->dt_min), d->dt_max);
}
/* A smooth step: it is the previous one now, and the one before it is accepted. at_once: it is as well. */
void picus_driver_take_smooth(driver *d, bool at_once);

picus_status picus_driver_create(stepper *s, const picus_sim_options *options, driver *out);
void picus_driver_release(driver *d); /* a zeroed one is fine */
/* From the state of the stepper on. stops must stay until the last step. */
picus_status picus_driver_begin(driver *d, const double *stops, int stop_count);
/* The stepper, at the end of the step that was returned last, has another state now: steps begin there anew. */
void picus_driver_jump(driver *d);
/* Whether the stepper is at the end of the step that was returned last. */
bool picus_driver_is_at(const driver *d, const stepper *s);
/* The next accepted step and the one before it, at whose end it starts; the stepper is left at its end. NULL: the end
 * is reached. Both are valid until the next call. */
picus_status picus_driver_next(driver *d, const driven_step **step, const driven_step **before);

/* The step of size dt from the end of another one, shortened to end at the next stop if it would pass it. */
double picus_driver_clip(const driver *d, const driven_step *from, double dt, double *t_end, double *t_low);
/* Failures that a shorter step may avoid. */
bool picus_driver_may_retry(picus_status status);

/* Switching functions in the actual step (crossing.c), which was made, or failed with the given status. */
typedef struct crossing_result {
  step_outcome outcome; /* of the step before, and after */
  bool again;           /* a function turned at the start: the step must be made again */
  bool is_other;        /* the step is another one, which ends where a function switches */
  int turns;            /* at the start, in this attempt */
} crossing_result;
picus_status picus_crossing_settle(driver *d, driven_step *from, driven_step *step, picus_status made,
                                   crossing_result *out);

/* In a checkpoint (driver_archive.c), after the stepper. A reader continues from the step that was returned last; stops
 * are given with picus_driver_resume. */
void picus_driver_archive(driver *d, picus_archive *archive);
/* The stops of a driver that was read. Steps made ahead that end where the run no longer does are made again. */
void picus_driver_resume(driver *d, const double *stops, int stop_count);

/* --- states inside of a step -------------------------------------------------------------------------------------- */

enum { DENSE_NODES_MOST = PICUS_ORDER_MOST + 6 }; /* even powers have up to two orders more */

typedef struct interpolation {
  extrapolation *extrapolation;
  const stepper_snapshot *begin;
  const driven_step *step;
  int node_count; /* 0: the polynomial has not been made for this step */
  double nodes[DENSE_NODES_MOST], weights[DENSE_NODES_MOST];
  double *values[DENSE_NODES_MOST]; /* q and u at the nodes */
} interpolation;

picus_status picus_interpolation_create(extrapolation *e, interpolation *out);
void picus_interpolation_release(interpolation *d); /* a zeroed one is fine */
/* For the step from begin. */
void picus_interpolation_set_step(interpolation *d, const stepper_snapshot *begin, const driven_step *step);
/* The state at t in the step. expected: number of further states in this step. The state of the stepper is not kept. */
picus_status picus_interpolation_state(interpolation *d, double t, long expected, double *q, double *u);

#endif
