/* The sizes of steps by what lies ahead: impacts are predicted and approached with one short step, sizes grow by the
 * estimated error, and sizes that were given up come back with some patience. */
#include "adaptive/internal.h"
#include "base/elementary.h"

#include <math.h>

#define GROWTH_MOST 32     /* of the size from step to step */
#define GROWTH_SAFETY 0.01 /* of the tolerance */

/* Shorter steps have passed the one in which a switching point was seen, and have not seen it: it changes percussions
 * by less than their round-off, which is the larger the shorter the step. The next time it is resolved at the size that
 * sees it. */
static void note_passed_detection(driver *d, double t) {
  if (t < d->t_detected) return;
  d->t_detected = INFINITY;
  d->extrapolation.dt_resolve = fmax(d->dt_min, d->dt_detected);
}

/* A size that was not accurate is tried again after some smooth steps, each time after more of them. */
static void note_inaccurate(driver *d, double dt, double t_end) {
  enum { PATIENCE_MOST = 16 };
  d->t_no_increase = fmax(d->t_no_increase, t_end);
  d->dt = picus_driver_shorter(d, dt);
  d->dt_inaccurate = dt;
  d->dt_given_up = fmax(d->dt_given_up, dt);
  d->patience = d->patience < PATIENCE_MOST / 2 ? 2 * d->patience + 1 : PATIENCE_MOST;
  d->hold = d->patience;
}

static bool may_grow(driver *d, double dt) {
  if (dt >= d->dt_inaccurate * (1 - PICUS_SIZE_SLACK)) d->patience = 0; /* it is accurate now */
  if (d->hold > 0) d->hold--;
  return d->hold == 0;
}

/* Sizes double (Studer 2008). If the estimated error is far below the tolerance, they grow faster: it has the order of
 * the row before the last. */
static double growth(const driver *d, const extrapolated_step *step) {
  const extrapolation *e = &d->extrapolation;
  if (e->options.order != 0 || step->rows < 2) return 2;
  double order = step->order - (step->is_even ? e->even.power : e->any.power) + 1;
  return fmin(fmax(picus_pow(GROWTH_SAFETY / step->error.relative, 1 / order), 2), GROWTH_MOST);
}

/* Table IV. A step of a size up to 2 dt_min is accepted at once. Sizes that were given up in vain, because of
 * round-off, come back also where a switching point lies ahead. */
static void note_smooth(driver *d, bool was_clipped) {
  driven_step *step = picus_driver_actual(d);
  note_passed_detection(d, step->end.t);
  double accepted_begin = picus_driver_previous(d)->t_begin; /* of the step that is accepted now */
  bool least =
      picus_driver_is_least(d, 0.5 * step->dt) || step->is_switch; /* what follows a switch tells nothing about it */
  picus_driver_take_smooth(d, least);
  bool grows = may_grow(d, step->dt);
  if (grows && accepted_begin >= d->t_no_increase && !was_clipped)
    d->dt = picus_driver_longer(d, d->dt, growth(d, &step->step));
  else if (isfinite(d->t_detected) && step->step.error.is_rounding &&
           2 * step->dt <= d->dt_given_up * (1 + PICUS_SIZE_SLACK))
    d->dt = 2 * step->dt;
}

/* Table V. */
static void note_detected(driver *d) {
  driven_step *step = picus_driver_actual(d);
  d->t_detected = d->t_no_increase;
  d->dt_detected = step->dt;
  d->dt_given_up = 0;
  double dt = d->has_previous ? fmax(step->dt, picus_driver_previous(d)->dt)
                              : step->dt; /* a step shortened by a stop gives no information */
  double corrected = d->has_previous && picus_driver_is_least(d, 0.5 * step->dt)
                         ? picus_approach_correct(&d->approach, picus_driver_previous(d)->dt)
                         : dt;
  d->dt = corrected < dt ? corrected : picus_driver_shorter(d, dt);
}

/* The size of the actual step: ahead of the next impact, as far as it can be predicted from the step before. */
static picus_status limit(driver *d, double *dt) {
  const int place = d->accepted_count + (d->has_previous ? 1 : 0);
  const driven_step *from = picus_driver_at(d, place), *before = picus_driver_at(d, place + DRIVER_RING - 1);
  bool was_smooth = !d->is_first && from->step.outcome == STEP_SMOOTH && before->end.t == from->t_begin;
  return was_smooth && !picus_driver_is_least(d, d->dt)
             ? picus_approach_limit(&d->approach, &before->end, &from->end, dt)
             : PICUS_OK;
}

const size_control picus_forecast_sizes = {
    .limit = limit, .smooth = note_smooth, .inaccurate = note_inaccurate, .detected = note_detected, .doubts = true};
