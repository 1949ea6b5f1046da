/* The step that ends where a switching function leaves its side.
 *
 * Steps with the sides of their start are smooth beyond the zero, so that it is a root of a smooth function of the step
 * size, and the accuracy of the last trial is that of any step. The root is enclosed: from below by a step in which
 * nothing leaves its side, from above by one in which something does. The step just beyond the zero is taken, so that
 * the other side begins on its own ground.
 *
 * Where an expression has no value beyond the zero, as x^1.5 has none for x < 0, such steps cannot be made. Then the
 * zero is approached from below, by the values at the ends of the last substeps. */
#include "adaptive/internal.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>

enum { TRIALS_MOST = 80, SECANTS_MOST = 12, TURNS_MOST = 20 };
#define APPROACH 0.97 /* part of the predicted way to a zero beyond which steps cannot be made */

typedef struct zero_search {
  driver *d;
  driven_step *from;
  driven_step *step;
  double low, high;       /* sizes */
  double at_low, at_high; /* values; NAN: not known */
  int index;              /* of the function that leaves at high; -1: not known */
  double made;            /* size of the last trial, */
  bool is_made;           /* whether it could be made, */
  step_outcome outcome;   /* its outcome, */
  switch_crossing found;  /* and what was found in it */
  int same;               /* how often the same bound has moved */
  bool low_moved;
  bool bisects; /* secants do not get nearer: the function jumps, as an angle between -pi and pi does */
} zero_search;

static bool is_least(const driver *d, double dt) { return dt <= d->dt_min * (1 + 1e-9); }
static bool is_smooth(step_outcome outcome) { return outcome == STEP_SMOOTH || outcome == STEP_INACCURATE; }
static double resolution(const zero_search *z) { return 4 * DBL_EPSILON * fmax(fabs(z->from->end.t), z->made); }
static bool is_left(const zero_search *z) { return !z->is_made || z->found.index >= 0; }

/* A step of this size. That it cannot be made is no failure. */
static picus_status make_trial(zero_search *z, double dt) {
  driver *d = z->d;
  extrapolation *e = &d->extrapolation;
  driven_step *step = z->step;
  double t_end;
  bool missed = false;
  dt = picus_driver_clip(d, z->from, dt, &t_end, &step->t_low);
  z->made = step->dt = dt;
  step->t_begin = z->from->end.t;
  picus_status status = picus_extrapolation_step(e, &z->from->end, dt, t_end, &step->end, &step->step);
  z->is_made = !status;
  if (status) return picus_driver_may_retry(status) ? PICUS_OK : status;
  z->outcome = step->step.outcome;
  if (!is_smooth(z->outcome)) return PICUS_OK;
  status = picus_extrapolation_look(e, &z->from->end, dt, &step->end, &missed);
  if (missed) z->outcome = STEP_DETECTED;
  if (!status) picus_switches_look(&e->switches, &z->from->end, &step->end, dt, &z->found);
  if (!status && z->found.index < 0 && z->index >= 0)
    picus_switches_look_at(&e->switches, &z->from->end, z->index, &z->found);
  return status;
}

/* The last trial is a new bound. A value that belongs to a bound that stays is halved (Illinois). */
static void narrow(zero_search *z) {
  const bool leaves = is_left(z);
  z->same = z->low_moved != leaves ? z->same + 1 : 0;
  z->low_moved = !leaves;
  z->bisects = z->bisects || z->same >= SECANTS_MOST;
  if (leaves) {
    z->high = z->made;
    z->at_high = z->is_made ? z->found.value : NAN;
    if (z->is_made && z->found.index != z->index) z->at_low = NAN;
    if (z->is_made) z->index = z->found.index;
    if (z->same > 0) z->at_low *= 0.5;
  } else {
    z->low = z->made;
    z->at_low = z->index >= 0 ? picus_switches_value(&z->d->extrapolation.switches, &z->from->end, z->index) : NAN;
    if (z->same > 0) z->at_high *= 0.5;
  }
}

/* From below, where steps beyond cannot be made; false: the zero is reached, or there is none. */
static bool approach_from_below(zero_search *z, double *next) {
  int index = -1;
  *next = 0.5 * (z->low + z->high);
  if (z->low <= 0 || !z->low_moved) return z->high - z->low > resolution(z);
  const double zero = picus_switches_predict(&z->d->extrapolation.switches, &z->from->end, z->low, &index);
  if (zero - z->low <= resolution(z)) z->index = index;
  *next = z->low + APPROACH * (zero - z->low);
  return z->index < 0 && zero < z->high; /* beyond: a shorter step is needed for another reason */
}

/* The next size; false: the last one is the best. */
static bool choose_next(zero_search *z, double *next) {
  const double width = z->high - z->low;
  if (isnan(z->at_high) && !(z->index >= 0 && z->is_made)) return approach_from_below(z, next);
  /* a function that starts at 0 and returns: near the start its value says nothing about the zero */
  const bool is_wide = z->high > 4 * z->low && !(z->at_low > 1e-3 * fabs(z->at_high));
  double x = is_wide && z->low > 0 ? (sqrt(z->low * z->high) - z->low) / width : 0.5;
  if (!is_wide && z->at_low > 0 && z->at_high < 0 && !z->bisects) x = z->at_low / (z->at_low - z->at_high);
  *next = z->low + fmin(fmax(x * width, resolution(z)), width - resolution(z));
  const bool is_at_zero = is_left(z) && z->is_made && z->found.value < 0 && -z->found.value <= z->found.rounding;
  return !is_at_zero && width > 2 * resolution(z);
}

/* Narrows the bounds. *is_over: a law switched on the way, or the step is too long to know. */
static picus_status search(zero_search *z, double next, bool *is_over) {
  const bool has_shorter = !is_least(z->d, z->high);
  *is_over = false;
  for (int i = 0; i < TRIALS_MOST; i++) {
    picus_status status = make_trial(z, next);
    if (status) return status;
    if (z->is_made && is_smooth(z->outcome) && z->found.is_unclear && z->found.index < 0 && !is_least(z->d, z->made))
      *is_over = true;
    if (*is_over) z->outcome = STEP_INACCURATE;
    if (z->is_made && !is_smooth(z->outcome)) *is_over = true;
    if (*is_over) return PICUS_OK;
    narrow(z);
    if (!choose_next(z, &next)) return PICUS_OK;
  }
  *is_over = has_shorter; /* a shorter step will do better */
  if (*is_over) z->outcome = STEP_INACCURATE;
  return PICUS_OK;
}

/* The other side of a function holds from this state on. */
static picus_status turn(driver *d, stepper_snapshot *at, int index) {
  picus_status status = picus_switches_turn(&d->extrapolation.switches, at, index);
  return status ? status : picus_extrapolation_open_hit(&d->extrapolation, at);
}

/* The step to the zero is taken, or its function turns at the start. */
static picus_status finish(zero_search *z, crossing_result *out) {
  const bool takes_high = !isnan(z->at_high);
  const double dt = takes_high ? z->high : z->low;
  out->again = !takes_high && z->low <= 0;
  if (out->again) return turn(z->d, &z->from->end, z->index);
  picus_status status = z->is_made && z->made == dt ? PICUS_OK : make_trial(z, dt);
  out->outcome = z->outcome;
  if (status || !is_smooth(z->outcome)) return status;
  z->step->is_switch = z->index >= 0;
  extrapolation *e = &z->d->extrapolation;
  status = picus_switches_finish(&e->switches, &z->from->end, &z->step->end, z->index);
  return status || !z->step->is_switch ? status : picus_extrapolation_open_hit(e, &z->step->end);
}

static picus_status locate(zero_search *z, double first, picus_status made, crossing_result *out) {
  bool is_over;
  picus_status status = search(z, first, &is_over);
  out->outcome = z->outcome;
  out->is_other = !is_over; /* else it is rejected, whatever its accuracy */
  if (status || is_over) return status;
  if (z->index < 0 && z->low <= 0) return made;
  return finish(z, out);
}

/* What the switching functions of a step require: nothing, another size, the other side at once, or the search for a
 * zero. */
picus_status picus_crossing_settle(driver *d, driven_step *from, driven_step *step, picus_status made,
                                   crossing_result *out) {
  switch_watch *w = &d->extrapolation.switches;
  *out = (crossing_result){.outcome = out->outcome, .turns = out->turns};
  step->is_switch = false;
  if (w->count == 0 || (made && made != PICUS_ERROR_NUMBER)) return made;
  if (!made && out->outcome == STEP_RESOLVED) picus_switches_read(w, &step->end, false);
  if (!made && out->outcome != STEP_SMOOTH) return PICUS_OK;
  zero_search z = {
      .d = d, .from = from, .step = step, .high = step->dt, .made = step->dt, .index = -1, .is_made = !made};
  z.outcome = out->outcome;
  z.at_low = z.at_high = NAN;
  out->is_other = true;
  if (made) return locate(&z, 0.5 * step->dt, made, out);
  picus_switches_look(w, &from->end, &step->end, step->dt, &z.found);
  if (z.found.at_once && out->turns++ > TURNS_MOST) { /* round-off: neither side is left for long */
    z.found.index = -1;
    z.found.is_unclear = true;
  }
  if (z.found.index < 0 && z.found.is_unclear && !is_least(d, step->dt)) {
    out->outcome = STEP_INACCURATE;
    out->is_other = false; /* however small its estimate is */
    return PICUS_OK;
  }
  out->is_other = z.found.index >= 0 && !z.found.at_once;
  if (z.found.index < 0) return picus_switches_finish(w, &from->end, &step->end, -1);
  out->again = z.found.at_once;
  if (out->again) return turn(d, &from->end, z.found.index);
  z.index = z.found.index;
  z.at_low = z.found.begin;
  z.at_high = z.found.value;
  return locate(&z, fmin(fmax(z.found.place, 1e-9), 0.999) * step->dt, PICUS_OK, out);
}
