/* The sizes of the steps (Studer 2008, 9.3, tables IV to VI).
 *
 * Three steps are kept: the accepted one, which is final; the previous one, which is complete but can still be
 * rejected; the actual one, which is being computed. Two neighbours in different modes mean a switching point in either
 * of them, so that both are rejected. The size is halved until dt_min, which resolves the switching point; it grows
 * again only after the step in which a switching point was last detected (t_no_increase).
 *
 * Picus adds stop times, at which a step ends exactly; a step that was shortened for a stop keeps its former size. */
#include "adaptive/internal.h"

#include "base/internal.h"

#include <math.h>

enum { DIVISIONS_MOST = 10 }; /* of a step of size dt_min whose contact problem is not solved */

picus_status picus_driver_create(stepper *s, const picus_sim_options *o, driver *out) {
  extrapolation_options options = {.dt_min = o->dt_min,
                                   .atol = o->atol,
                                   .rtol = o->rtol,
                                   .order_max = o->order_max,
                                   .order = o->order,
                                   .substeps = o->substeps};
  const size_control *control =
      o->step_control == PICUS_STEP_CONTROL_PAPER ? &picus_printed_sizes : &picus_forecast_sizes;
  options.as_printed = control->as_printed;
  *out = (driver){
      .control = control, .dt_min = o->dt_min, .dt_max = o->dt_max, .accepts_inaccurate = o->accept_inaccurate};
  picus_status status = picus_extrapolation_create(s, &options, &out->extrapolation);
  if (!status) status = picus_onset_create(s, &out->onset);
  if (!status) status = picus_approach_create(s, o->dt_min, &out->approach);
  for (int i = 0; !status && i < DRIVER_RING; i++) status = picus_snapshot_create(s, &out->ring[i].end);
  return status;
}

void picus_driver_release(driver *d) {
  picus_context *context = d->extrapolation.context;
  if (!context) return;
  for (int i = 0; i < DRIVER_RING; i++) picus_snapshot_release(d->extrapolation.stepper, &d->ring[i].end);
  picus_extrapolation_release(&d->extrapolation);
  *d = (driver){0};
}

static void forget_detection(driver *d) {
  d->t_detected = INFINITY;
  d->extrapolation.dt_resolve = d->dt_min;
  d->dt_inaccurate = INFINITY;
  d->dt_given_up = 0;
  d->hold = d->patience = 0;
}

/* At the state of the stepper. */
static picus_status note_rounding(driver *d) {
  stepper *s = d->extrapolation.stepper;
  return picus_stepper_note_gap_rounding(s, &(moving_point){s->t, s->q, s->u});
}

picus_status picus_driver_begin(driver *d, const double *stops, int stop_count) {
  d->stops = stops;
  d->stop_count = stop_count;
  d->handed_out = d->accepted_count = 0;
  d->has_previous = false;
  d->dt = d->dt_min;
  d->is_first = true;
  d->is_stale = false;
  forget_detection(d);
  d->rejected = d->switching_points = d->shortened = d->extrapolation.base_steps = 0;
  picus_snapshot_save(d->extrapolation.stepper, &d->ring[0].end);
  picus_switches_read(&d->extrapolation.switches, &d->ring[0].end, true);
  d->ring[0].t_low = 0;
  d->ring[0].t_begin = d->ring[0].end.t;
  d->t_no_increase = d->ring[0].end.t - d->dt_min; /* the first step may be followed by a longer one */
  picus_onset_begin(&d->onset, &d->ring[0].end);
  picus_accuracy_begin(&d->accuracy, d->extrapolation.stepper, d->dt_min);
  d->accuracy.accepts_inaccurate = d->accepts_inaccurate;
  return note_rounding(d);
}

void picus_driver_jump(driver *d) {
  picus_snapshot_save(d->extrapolation.stepper, &d->ring[d->handed_out].end);
  d->ring[d->handed_out].t_low = 0;
  d->dt = d->dt_min;
  d->is_first = true;
  d->is_stale = true;
}

bool picus_driver_is_at(const driver *d, const stepper *s) {
  const stepper_snapshot *end = &d->ring[d->handed_out].end;
  return picus_stepper_is_at(s, end->t, end->q, end->u);
}

/* Behind a change of inputs or stops: steps that were made ahead are made again, and neither the search for a switching
 * point nor the prediction of an impact looks back beyond it. A closed contact whose surface has another velocity now
 * has an impact. */
static picus_status look_again(driver *d) {
  driven_step *from = &d->ring[d->handed_out];
  d->is_stale = false;
  d->accepted_count = 0;
  d->has_previous = false;
  d->t_no_increase = from->t_begin = from->end.t;
  forget_detection(d);
  d->approach.steps = 0;
  d->approach.rest = INFINITY;
  d->approach.is_corrected = false;
  picus_onset_begin(&d->onset, &from->end);
  picus_switches_read(&d->extrapolation.switches, &from->end, false);
  picus_status status = picus_extrapolation_open_hit(&d->extrapolation, &from->end);
  picus_snapshot_restore(&from->end, d->extrapolation.stepper);
  return status ? status : note_rounding(d);
}

static driven_step *accepted(driver *d) { return picus_driver_at(d, d->accepted_count); }

/* The first stop after t, or the last stop if all are over. */
static int first_stop_after(const driver *d, double t) {
  int low = 0, high = d->stop_count - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (d->stops[middle] <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

double picus_driver_clip(const driver *d, const driven_step *from, double dt, double *t_end, double *t_low) {
  const double t = from->end.t;
  const int k = first_stop_after(d, t);
  double left = d->stops[k] - t - from->t_low;
  if (dt >= left - PICUS_SIZE_SLACK * d->dt_min) {
    *t_end = d->stops[k];
    *t_low = 0;
    return left;
  }
  *t_end = picus_two_sum(t, from->t_low + dt, t_low);
  return dt;
}

void picus_driver_take_smooth(driver *d, bool at_once) {
  if (d->has_previous) d->accepted_count++;
  d->has_previous = !at_once;
  if (at_once) d->accepted_count++;
}

/* Only the previous step is rejected. */
static void take_back_previous(driver *d) {
  d->t_no_increase = picus_driver_previous(d)->end.t;
  d->dt = picus_driver_shorter(d, picus_driver_previous(d)->dt);
  d->has_previous = false;
  d->rejected++;
}

/* Table VI. */
static picus_status note_resolved(driver *d) {
  stepper *s = d->extrapolation.stepper;
  d->t_no_increase = picus_driver_actual(d)->end.t;
  d->dt = picus_driver_longer(d, picus_driver_actual(d)->dt, 2);
  forget_detection(d);
  d->approach.is_corrected = false;
  d->accuracy.roundings = d->accuracy.rounding_error = 0; /* of the contact problems until now */
  d->accepted_count += d->has_previous ? 2 : 1;
  d->has_previous = false;
  d->switching_points += !d->is_first;
  picus_snapshot_restore(&accepted(d)->end, s);
  return note_rounding(d);
}

bool picus_driver_may_retry(picus_status status) {
  return (status > 0 && status != PICUS_INTERRUPTED) || status == PICUS_ERROR_NUMBER ||
         status == PICUS_ERROR_SINGULAR || status == PICUS_ERROR_STEP;
}

/* A base step that fails: shorter, and from the accepted step on, as the previous one may already have led too far; at
 * dt_min some more halvings, as in a run with fixed steps. */
static picus_status note_failure(driver *d, picus_status status, double dt) {
  if (!picus_driver_may_retry(status) || (!d->has_previous && dt <= ldexp(d->dt_min, -DIVISIONS_MOST))) return status;
  d->shortened++;
  if (d->has_previous) {
    take_back_previous(d);
    return PICUS_OK;
  }
  d->dt = picus_driver_is_least(d, dt) ? 0.5 * dt : picus_driver_shorter(d, dt);
  return PICUS_OK;
}

/* The initial modes of a run are those of its first base step; but approaching contacts are open until the first step
 * resolves their impacts. */
static picus_status find_first_modes(driver *d, stepper_snapshot *begin, double dt) {
  extrapolation *e = &d->extrapolation;
  stepper *s = e->stepper;
  picus_step_info unread;
  bool agree;
  picus_status status = picus_extrapolation_probe(e, begin, dt, &unread, &agree);
  if (status) return status;
  picus_evaluation_set_point(s->evaluation, begin->t, begin->q, begin->u);
  if ((status = picus_evaluate_velocities(s->evaluation, e->velocities))) return status;
  for (int i = 0; i < s->set->law_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    bool is_hit = picus_law_can_open(law) && e->velocities[law->first_row] < -e->options.atol;
    if (!is_hit) begin->modes[i] = s->contacts.modes[i];
  }
  return PICUS_OK;
}

/* A step that misses its tolerance is repeated with a smaller size, unless that is useless. */
static picus_status judge_accuracy(driver *d, driven_step *step, step_outcome *outcome) {
  step_error *error = &step->step.error;
  bool is_taken = d->accepts_inaccurate || picus_driver_is_least(d, step->dt) ||
                  (d->control->doubts && picus_accuracy_tolerates(&d->accuracy, step->dt, error));
  if (*outcome == STEP_INACCURATE && !is_taken && d->control->doubts)
    is_taken = error->is_rounding = picus_accuracy_is_rounding(&d->accuracy, step->t_begin, step->dt, error);
  if (*outcome == STEP_INACCURATE && is_taken) {
    picus_status status = PICUS_OK;
    if (picus_driver_is_least(d, step->dt))
      status = picus_accuracy_alarm(&d->accuracy, d->extrapolation.stepper, &step->end, step->dt, error);
    if (status) return status;
    *outcome = STEP_SMOOTH;
  }
  if (*outcome == STEP_SMOOTH) picus_accuracy_note(&d->accuracy, step->dt, error);
  return PICUS_OK;
}

/* A contact that closed and opened between two evaluations is a switching point like any other. */
static picus_status look_inside(driver *d, const driven_step *from, const driven_step *step, step_outcome *outcome) {
  bool missed;
  bool holds_a_switch = picus_driver_is_least(d, step->dt) && step->step.rows == 1; /* which is over at its end */
  if (*outcome != STEP_SMOOTH || holds_a_switch || !d->control->doubts) return PICUS_OK;
  picus_status status = picus_extrapolation_look(&d->extrapolation, &from->end, step->dt, &step->end, &missed);
  if (missed) *outcome = STEP_DETECTED;
  return status;
}

/* The laws that the next attempts see: found for the largest of them, and those that a state needs to which the driver
 * may return. The round-off of gaps is that of the state, so that it does not depend on when a law appeared. */
static picus_status find_laws(driver *d) {
  stepper *s = d->extrapolation.stepper;
  if (!s->system->appears) return PICUS_OK;
  const stepper_snapshot *kept[DRIVER_RING];
  const int count = d->accepted_count + (d->has_previous ? 2 : 1);
  for (int k = 0; k < count; k++) kept[k] = &picus_driver_at(d, k)->end;
  const stepper_snapshot *from = kept[count - 1];
  const law_search search = {.t = from->t, .q = from->q, .u = from->u, .dt = d->dt, .kept = kept, .kept_count = count};
  picus_status status = picus_stepper_find_laws(s, &search);
  return status ? status : picus_stepper_note_gap_rounding(s, &(moving_point){from->t, from->q, from->u});
}

/* Decides about the three steps. */
static picus_status decide(driver *d, step_outcome outcome, double dt, double t_end) {
  const bool was_clipped = dt < d->dt;
  switch (outcome) {
  case STEP_SMOOTH:
    d->control->smooth(d, was_clipped);
    break;
  case STEP_INACCURATE:
    d->rejected++;
    d->control->inaccurate(d, dt, t_end);
    break;
  case STEP_DETECTED:
    d->rejected += d->has_previous ? 2 : 1;
    d->t_no_increase = picus_driver_actual(d)->step.info.t;
    d->control->detected(d);
    d->has_previous = false;
    break;
  case STEP_RESOLVED:
    return note_resolved(d);
  }
  return PICUS_OK;
}

/* The actual step, of the size it has: what it is, with its switching functions, which may make it shorter. */
static picus_status make_step(driver *d, driven_step *from, double t_end, step_outcome *outcome) {
  driven_step *step = picus_driver_actual(d);
  crossing_result crossing = {.again = true};
  picus_status status = PICUS_OK;
  const double t_low = step->t_low, dt = step->dt;
  while (!status && crossing.again) {
    step->t_low = t_low;
    step->dt = dt;
    status = picus_extrapolation_step(&d->extrapolation, &from->end, dt, t_end, &step->end, &step->step);
    crossing.outcome = step->step.outcome;
    if (!status) status = judge_accuracy(d, step, &crossing.outcome);
    if (!status) status = look_inside(d, from, step, &crossing.outcome);
    status = picus_crossing_settle(d, from, step, status, &crossing);
  }
  if (!status && crossing.is_other) status = judge_accuracy(d, step, &crossing.outcome);
  *outcome = crossing.outcome;
  return status;
}

/* Computes the actual step and decides about the three. The decision has what the attempt was. */
static picus_status attempt(driver *d, picus_decision *decision) {
  driven_step *from = picus_driver_previous(d), *step = picus_driver_actual(d);
  double t_end, dt = d->dt;
  *decision = (picus_decision){.kind = PICUS_DECISION_FAILED, .t = from->end.t, .dt = d->dt};
  picus_status status = find_laws(d);
  if (!status && d->control->limit) status = d->control->limit(d, &dt);
  if (status) return note_failure(d, status, d->dt);
  dt = picus_driver_clip(d, from, dt, &t_end, &step->t_low);
  step->t_begin = from->end.t;
  step->dt = decision->dt = dt;
  status = d->is_first ? find_first_modes(d, &from->end, dt) : PICUS_OK;
  step_outcome outcome = STEP_DETECTED;
  if (!status) status = make_step(d, from, t_end, &outcome);
  dt = step->dt;
  t_end = step->step.info.t;
  if (status) return note_failure(d, status, dt);
  if (outcome == STEP_RESOLVED && d->has_previous && picus_driver_is_least(d, dt) && d->control->doubts)
    outcome = STEP_DETECTED; /* the previous step may hold the switch */
  decision->kind = (picus_decision_kind)outcome;
  decision->order = step->step.order;
  decision->error = outcome == STEP_DETECTED ? 0 : step->step.error.relative;
  status = decide(d, outcome, dt, t_end);
  d->is_first = false;
  return status;
}

static picus_status advance(driver *d) {
  picus_decision decision;
  const long base_steps = d->extrapolation.base_steps;
  picus_status status = attempt(d, &decision);
  if (!d->watch) return status;
  decision.base_steps = d->extrapolation.base_steps - base_steps;
  decision.t_accepted = accepted(d)->end.t;
  decision.t_previous = picus_driver_previous(d)->end.t;
  decision.t_no_increase = d->t_no_increase;
  decision.dt_next = d->dt;
  d->watch(d->watch_user, &decision);
  return status;
}

/* The last step has no successor that could show a switching point at its end: a base step of size dt_min after it
 * serves this purpose only. */
static bool last_step_holds(driver *d) {
  picus_step_info unread;
  bool agree;
  picus_status status =
      picus_extrapolation_probe(&d->extrapolation, &picus_driver_previous(d)->end, d->dt_min, &unread, &agree);
  return status || agree;
}

static bool is_stop(const driver *d, double t) {
  const int after = first_stop_after(d, t);
  return d->stops[after] == t || (after > 0 && d->stops[after - 1] == t);
}

/* The oldest accepted step goes out. */
static picus_status hand_out(driver *d, const driven_step **step, const driven_step **before) {
  stepper *s = d->extrapolation.stepper;
  *before = picus_driver_at(d, 0);
  *step = picus_driver_at(d, 1);
  d->handed_out = (d->handed_out + 1) % DRIVER_RING;
  d->accepted_count--;
  picus_snapshot_restore(&(*step)->end, s);
  picus_accuracy_count(&d->accuracy, s, &(*step)->end, &(*step)->step);
  picus_onset_note(&d->onset, &(*before)->end, &(*step)->end, (*step)->step.outcome,
                   is_stop(d, (*step)->end.t) || (*step)->is_switch);
  d->switching_points += (*step)->is_switch;
  d->ends[0] = s->holds_sides ? &(*before)->end : NULL;
  d->ends[1] = s->holds_sides ? &(*step)->end : NULL;
  if ((*step)->step.rows > 1) return PICUS_OK;
  return picus_accuracy_confirm(&d->accuracy, &d->extrapolation, &(*before)->end, (*step)->dt, &(*step)->end);
}

picus_status picus_driver_next(driver *d, const driven_step **step, const driven_step **before) {
  *step = *before = NULL;
  const double t_end = d->stops[d->stop_count - 1];
  stepper *s = d->extrapolation.stepper;
  picus_status status = picus_accuracy_verdict(&d->accuracy, s, false);
  if (!status && d->is_stale) status = look_again(d);
  while (!status && d->accepted_count == 0) {
    if (picus_driver_previous(d)->end.t >= t_end) {
      if (!d->has_previous) return picus_accuracy_verdict(&d->accuracy, s, true);
      if (last_step_holds(d)) {
        d->accepted_count++;
        d->has_previous = false;
        break;
      }
      take_back_previous(d);
    }
    status = advance(d);
  }
  if (!status)
    status = hand_out(d, step, before);
  else
    picus_snapshot_restore(&picus_driver_at(d, 0)->end, s); /* end of the steps returned so far */
  return status;
}

/* --- the sizes of the paper --------------------------------------------------------------------------------------- */

/* The sizes of steps as Studer, Leine and Glocker 2008 print them (9.3, tables IV to VI): a switching point is found by
 * halving, sizes double in smooth motion, and nothing looks ahead. The extrapolation removes one power of dt per row
 * and makes no substep shorter than dt_min (9.2). For comparison with the paper. */

/* Table IV. A step of dt_min is accepted at once. The text of 9.3 has the opposite sign in its condition for growth;
 * the table counts. */
static void note_smooth(driver *d, bool was_clipped) {
  const driven_step *step = picus_driver_actual(d);
  const double accepted_begin = picus_driver_previous(d)->t_begin; /* of the step that is accepted now */
  picus_driver_take_smooth(d, picus_driver_is_least(d, step->dt) || step->is_switch);
  if (accepted_begin > d->t_no_increase && !was_clipped) d->dt = picus_driver_longer(d, d->dt, 2);
}

/* "Recalculate it with a diminished step size" (9.3). */
static void note_inaccurate(driver *d, double dt, double t_end) {
  (void)t_end;
  d->dt = picus_driver_shorter(d, dt);
}

/* Table V. */
static void note_detected(driver *d) { d->dt = picus_driver_shorter(d, picus_driver_actual(d)->dt); }

const size_control picus_printed_sizes = {
    .smooth = note_smooth, .inaccurate = note_inaccurate, .detected = note_detected, .as_printed = true};
