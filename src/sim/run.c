/* The run driver: steps from stop to stop, records, reports progress, and adds up the summary.
 *
 * Stops are times at which a step must end exactly: stop times of the model and of the caller, the end, and in runs
 * with fixed steps sample times. Between two stops fixed steps have the full size dt on the grid that starts at the
 * last stop; the remainder, if any, is one shorter step. In adaptive runs the driver of src/adaptive chooses the steps,
 * and samples lie inside of them.
 */
#include "sim/run.h"
#include "base/internal.h"
#include "sim/summary.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* --- callbacks ---------------------------------------------------------------------------------------------------- */

/* After a complete step: calls `step`; inputs that were set act from now on. PICUS_INTERRUPTED: a function wants it. */
static picus_status callbacks_step(run_callbacks *c, const picus_step_info *info) {
  if (!c->hooks) return PICUS_OK;
  picus_sim *sim = c->sim;
  bool changed;
  if (!c->is_stopped && c->hooks->step && c->hooks->step(c->hooks->user, sim, info) != 0) c->is_stopped = true;
  picus_sim_apply_inputs(sim, &changed);
  if (!c->is_stopped) return PICUS_OK;
  return picus_fail(sim->context, PICUS_INTERRUPTED, "the program stopped the run at t = %.9g of %.9g", sim->stepper.t,
                    sim->options.t_end);
}

static picus_status begin_log(run_callbacks *c) {
  picus_sim *sim = c->sim;
  const picus_step_view view = picus_sim_step_view(sim);
  picus_status status = picus_event_log_create(sim->context, sim->system, &c->log);
  if (!status) status = picus_sim_laws(sim, sim->laws);
  if (!status) picus_event_log_begin(c->log, &view, sim->laws);
  return status;
}

/* Before the first step: calls `step` without a step, unless the run resumes. The callbacks must be released, even
 * after a failure. */
static picus_status callbacks_begin(run_callbacks *c, picus_sim *sim, const picus_run_hooks *hooks, bool resumes) {
  *c = (run_callbacks){.sim = sim};
  if (!hooks || (!hooks->step && !hooks->event)) return PICUS_OK;
  c->hooks = hooks;
  picus_status status = resumes ? PICUS_OK : callbacks_step(c, NULL);
  return status || !hooks->event ? status : begin_log(c);
}

/* A zeroed one is fine. */
static void callbacks_release(run_callbacks *c) {
  picus_event_log_destroy(c->log);
  *c = (run_callbacks){0};
}

static picus_status call_event(void *user, const picus_switching *event) {
  run_callbacks *c = user;
  if (c->hooks->event(c->hooks->user, c->sim, event) != 0) c->is_stopped = true;
  return PICUS_OK;
}

/* An accepted step, or a part of one: calls `event` for its switching points. */
static picus_status callbacks_note(run_callbacks *c, const picus_step_view *view, const picus_step_info *info) {
  if (!c->log) return PICUS_OK;
  picus_status status = PICUS_OK;
  if (picus_event_log_is_behind(c->log, view)) status = picus_event_log_follow(c->log, view, info, call_event, c);
  if (status) return status;
  const int first = picus_event_log_look(c->log, view, info);
  return first < 0 ? PICUS_OK : picus_event_log_note(c->log, view, info, first, call_event, c);
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

enum { DIVISIONS_MOST = 10 }; /* largest number of halvings of a step before the run fails */

static picus_status check_stops(const run *r) {
  const picus_run_hooks *hooks = r->hooks;
  if (!hooks || hooks->stop_count == 0) return PICUS_OK;
  if (hooks->stop_count < 0 || !hooks->stop_times)
    return picus_fail(r->sim->context, PICUS_ERROR_ARGUMENT,
                      "stop_count = %d stop times are given%s; it must be 0 or the length of stop_times",
                      hooks->stop_count, hooks->stop_times ? "" : " without stop_times");
  for (int i = 0; i < hooks->stop_count; i++)
    if (isnan(hooks->stop_times[i]))
      return picus_fail(r->sim->context, PICUS_ERROR_NUMBER, "stop time %d of %d is not a number", i + 1,
                        hooks->stop_count);
  return PICUS_OK;
}

static picus_status collect_stops(run *r) {
  const int extra = r->hooks ? r->hooks->stop_count : 0;
  int count = 1;
  picus_status status = check_stops(r);
  if (status) return status;
  r->stops = picus_allocate(r->sim->context, (size_t)r->sim->system->stop_count + (size_t)extra + 1, sizeof *r->stops);
  if (!r->stops) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < extra; i++) r->stops[i] = r->hooks->stop_times[i];
  status = picus_sim_collect_stops(r->sim, r->sim->options.t_end, &r->stops, extra, &count);
  r->stop_count = count - 1;
  return status;
}

static double sample_time(const run *r, long k) { return r->sim->options.t_start + (double)k * r->sim->options.sample; }

/* Whether the next sample is at the stop t, but for the round-off of times and the digits that a user gives. */
static bool is_next_sample(const run *r, double t) {
  const picus_sim_options *o = &r->sim->options;
  const double round_off = 4 * DBL_EPSILON * fmax(fabs(o->t_start), fabs(o->t_end));
  return fabs(sample_time(r, r->next_sample) - t) <= fmax(1e-9 * (o->adaptive ? o->sample : o->dt), round_off);
}

/* The next time at which a step must end. A sample and a stop time that differ only by round-off are one stop. */
static double next_stop(run *r) {
  const picus_sim_options *o = &r->sim->options;
  double t = r->sim->stepper.t, stop = o->t_end;
  while (r->next_stop < r->stop_count && r->stops[r->next_stop] <= t) r->next_stop++;
  if (r->next_stop < r->stop_count) stop = fmin(stop, r->stops[r->next_stop]);
  if (o->sample > 0 && !is_next_sample(r, stop)) stop = fmin(stop, sample_time(r, r->next_sample));
  return stop;
}

/* A contact that touches initially may have several solutions without being active in the first step. An error: memory
 * ran out, and the first row would lack contacts; a step will report others. */
static picus_status examine_start(run *r) {
  const picus_sim_options *o = &r->sim->options;
  picus_step_info info;
  const double dt = o->adaptive ? o->dt_min : o->dt;
  picus_status status = picus_stepper_update_laws(&r->sim->stepper, dt);
  if (!status) status = picus_stepper_examine_start(&r->sim->stepper, dt, &info);
  if (status == PICUS_ERROR_MEMORY) return status;
  if (status || info.paradox.kind != PICUS_PARADOX_INDETERMINATE) return PICUS_OK;
  r->start_paradox = info.paradox.kind;
  r->start_law = info.paradox.law;
  return PICUS_OK;
}

/* Whether a row follows each step at once, which then needs no contacts of its own. */
static bool has_row_for_step(const run *r) {
  const picus_sim_options *o = &r->sim->options;
  return o->every == 1 && !(o->sample > 0) && !o->adaptive && !r->in_parts;
}

/* Where laws come and go, the arrays of the view may have moved. */
static picus_status renew_view(run *r) {
  if (!r->sim->system->appears) return PICUS_OK;
  r->view = picus_sim_step_view(r->sim);
  const bool shows = r->recorder && (!has_row_for_step(r) || picus_recorder_follows_places(r->recorder));
  return shows ? picus_sim_view_contacts(r->sim, r->recorder, &r->view) : PICUS_OK;
}

/* The switching points of a step, for the recorder and the program's own functions. */
static picus_status show_step(run *r, const picus_step_info *info) {
  picus_status status = renew_view(r);
  r->view.t = r->sim->stepper.t;
  if (!status && r->recorder) status = picus_recorder_take_step(r->recorder, &r->view, info);
  return status ? status : callbacks_note(&r->callbacks, &r->view, info);
}

/* The data of the first step: if a run starts with several solutions, it reports the chosen one, unless its own contact
 * problem shows it. */
static const picus_step_info *report_first(run *r, const picus_step_info *info) {
  static const picus_branch branches[] = {
      [PICUS_OPEN] = PICUS_BRANCH_OPENED, [PICUS_STICK] = PICUS_BRANCH_IMPACT, [PICUS_SLIP] = PICUS_BRANCH_SLID};
  picus_sim_note_first_step(r->sim, r->summary);
  if (r->start_paradox == PICUS_PARADOX_NONE || info->paradox.kind != PICUS_PARADOX_NONE) return info;
  r->info = *info;
  r->info.paradox.kind = r->start_paradox;
  r->info.paradox.law = r->start_law;
  r->info.paradox.branch = branches[r->sim->stepper.contacts.modes[r->start_law]];
  return &r->info;
}

/* A step that counts. */
static picus_status accept(run *r, const picus_step_info *info) {
  if (r->summary->steps == 0) info = report_first(r, info);
  picus_summary_add_step(r->summary, r->sim->stepper.set, info);
  picus_status status = r->passage.is_on ? picus_passage_look(&r->passage, &r->sim->stepper, info) : PICUS_OK;
  return status || !r->has_watchers ? status : show_step(r, info);
}

/* Whether a shorter step may succeed: the contact problem was not solved, or an iterate of an implicit scheme left the
 * domain of an expression, although the solution need not. */
static bool may_divide(const run *r, picus_status status) {
  if (status > 0) return status != PICUS_INTERRUPTED;
  return status == PICUS_ERROR_NUMBER && r->sim->stepper.scheme->description.implicit;
}

/* Overlaps that are left at the end of a step count as failure as long as it can be divided. */
static picus_status make_part(run *r, double dt, bool is_shortest) {
  redetection *again = &r->sim->stepper.redetection;
  again->may_leave = is_shortest;
  picus_status status = picus_sim_make_step(r->sim, dt, &r->info);
  again->may_leave = true;
  return status;
}

/* The interval in 2, 4, 8, ... parts. */
static picus_status make_parts(run *r, double dt, double end) {
  picus_status status = PICUS_OK;
  double done = 0, part = dt;
  for (int divisions = 1; divisions <= DIVISIONS_MOST; divisions++) {
    part *= 0.5;
    while (done < dt) {
      status = make_part(r, part, divisions == DIVISIONS_MOST);
      if (status) break;
      done += part; /* exact: multiples of dt / 2^k */
      if (done >= dt) r->sim->stepper.t = r->info.t = end;
      if ((status = accept(r, &r->info))) return status;
    }
    if (done >= dt || !may_divide(r, status)) return status;
  }
  return status;
}

static picus_status step_in_parts(run *r, double dt, double end) {
  r->in_parts = true;
  picus_status status = make_parts(r, dt, end);
  r->in_parts = false;
  return status;
}

/* One step of size dt that ends at `end`, which is t + dt without accumulated round-off; if its contact problem is not
 * solved, the same interval is subdivided. */
static picus_status step_with_division(run *r, double dt, double end) {
  picus_status status = make_part(r, dt, false);
  if (status) {
    if (!may_divide(r, status)) return status;
    r->summary->shortened++;
    return step_in_parts(r, dt, end);
  }
  r->sim->stepper.t = r->info.t = end;
  return accept(r, &r->info);
}

static picus_status check_progress(run *r) {
  double time = picus_clock_steady(), elapsed = time - r->last_check;
  if (elapsed < 0.01 && r->check_interval < 65536) r->check_interval *= 2;
  if (elapsed > 0.04 && r->check_interval > 1) r->check_interval /= 2;
  r->steps_to_check = r->check_interval;
  r->last_check = time;
  const picus_run_hooks *hooks = r->hooks;
  if (hooks && hooks->checkpoint) {
    picus_status status = hooks->checkpoint(hooks->user, r->sim, false);
    if (status) return status;
  }
  if (!hooks || !hooks->progress) return PICUS_OK;
  if (hooks->progress(hooks->user, r->sim->stepper.t, r->sim->options.t_end, r->summary->steps) == 0) return PICUS_OK;
  return picus_fail(r->sim->context, PICUS_INTERRUPTED, "interrupted at t = %.9g of %.9g after %ld steps",
                    r->sim->stepper.t, r->sim->options.t_end, r->summary->steps);
}

/* Events and controls of the model. */
static picus_status act(run *r, const picus_step_info *info) {
  const controls_step step = {info->dt, r->sim->options.adaptive};
  controls_result result;
  const picus_status status = picus_controls_act(r->sim, r->t_complete, &step, &result);
  r->t_complete = r->sim->stepper.t;
  r->summary->model_events += result.happened;
  if (result.stopped_by) snprintf(r->summary->stopped_by, sizeof r->summary->stopped_by, "%s", result.stopped_by);
  return status;
}

/* After a complete step, recorded if it is due: the program's own functions, and the progress from time to time. */
static inline picus_status look_up(run *r, const picus_step_info *info) {
  const bool is_time = --r->steps_to_check <= 0;
  if (!is_time && !r->is_attended) return PICUS_OK;
  r->sim->is_between_steps = true;
  picus_status status = r->sim->system->controls ? act(r, info) : PICUS_OK;
  if (!status) status = callbacks_step(&r->callbacks, info);
  if (!status && is_time) status = check_progress(r);
  r->sim->is_between_steps = false;
  return status;
}

/* After the last step, before the run is completed. */
static picus_status save_last(run *r) {
  if (!r->hooks || !r->hooks->checkpoint) return PICUS_OK;
  r->sim->is_between_steps = true;
  picus_status status = r->hooks->checkpoint(r->hooks->user, r->sim, true);
  r->sim->is_between_steps = false;
  return status;
}

static picus_status record_row(run *r) {
  if (!r->recorder || !picus_recorder_wants_rows(r->recorder)) return PICUS_OK;
  picus_status status = picus_sim_record_row(r->sim, r->recorder);
  if (!status) r->summary->rows++;
  return status;
}

/* Called after a step: records according to step count or sampling. */
static picus_status record_if_due(run *r, bool at_stop) {
  const picus_sim_options *o = &r->sim->options;
  if (o->sample > 0) {
    if (!at_stop || !is_next_sample(r, r->sim->stepper.t)) return PICUS_OK;
    r->next_sample++;
    return record_row(r);
  }
  bool last = at_stop && r->sim->stepper.t == o->t_end;
  return o->every > 0 && (last || r->summary->steps % o->every == 0) ? record_row(r) : PICUS_OK;
}

/* The growth of the motion is checked in every fourth step, but always in the first ones and while there is a
 * suspicion. */
enum { GROWTH_STEPS = 4, FIRST_STEPS = 64 };

static bool is_uneventful_growth(const growth_alarm *alarm) { return alarm->level == 0 && alarm->to_compare == 0; }

/* After a step that was recorded: has the motion grown in a way that shorter steps do not confirm? */
static inline picus_status watch_growth(run *r, double dt, bool compare) {
  const long steps = r->summary->steps;
  if (steps < r->next_growth_look) return PICUS_OK;
  stepper *s = &r->sim->stepper;
  picus_status status = compare ? picus_alarm_after_step(&r->alarm, s, dt) : PICUS_OK;
  if (!status && picus_alarm_is_due(&r->alarm, s)) status = picus_alarm_begin(&r->alarm, s, dt, steps);
  r->next_growth_look = steps + (steps > FIRST_STEPS && is_uneventful_growth(&r->alarm) ? GROWTH_STEPS : 1);
  return status;
}

/* After the same step: does a velocity alternate because a force is too stiff? */
static inline picus_status watch_alternation(run *r, double dt) {
  const long steps = r->summary->steps;
  if (steps < r->alternation.next) return PICUS_OK;
  return picus_alternation_look(&r->alternation, &r->sim->stepper, r->alarm.weight, dt, steps);
}

/* Whether nothing but the end of the run stops there: a run that continues beyond it keeps the grid. */
static bool is_only_the_end(const run *r, double stop) {
  const picus_sim_options *o = &r->sim->options;
  const picus_system *system = r->sim->system;
  if (stop != o->t_end) return false;
  if (o->sample > 0 && is_next_sample(r, stop)) return false;
  for (int i = 0; i < system->stop_count; i++)
    if (system->stop_times[i] == stop) return false;
  for (int i = 0; r->hooks && i < r->hooks->stop_count; i++)
    if (r->hooks->stop_times[i] == stop) return false;
  return true;
}

/* To the stop: full steps on the grid, then the remainder. */
static picus_status run_to(run *r, double stop) {
  const double begin = r->grid_begin, dt = r->sim->options.dt;
  const double full = floor((stop - begin) / dt + 1e-9);
  const double remainder = stop - (begin + full * dt);
  const bool has_remainder = full == 0 || remainder > 1e-9 * dt;
  const double count = full + (has_remainder ? 1 : 0);
  const bool records = r->recorder || r->sim->options.sample > 0;
  const bool keeps_grid = !has_remainder && is_only_the_end(r, stop);
  for (double k = r->grid_steps + 1; k <= count; k++) {
    bool last = k == count;
    double end = last ? stop : begin + k * dt; /* no accumulated round-off, and exactly the stop */
    double size = last && has_remainder ? remainder : dt;
    const bool compare = picus_alarm_compares(&r->alarm);
    if (compare) picus_alarm_before_step(&r->alarm, &r->sim->stepper);
    picus_status status = step_with_division(r, size, end);
    if (!status && records) status = record_if_due(r, last);
    if (!status) status = watch_growth(r, size, compare);
    if (!status) status = watch_alternation(r, size);
    r->grid_steps = k;
    if (last && !keeps_grid) { /* a stop begins another grid */
      r->grid_begin = stop;
      r->grid_steps = 0;
    }
    if (!status) status = look_up(r, &r->info);
    if (status || *r->summary->stopped_by) return status;
  }
  return PICUS_OK;
}

/* The samples in the step just made, at the states inside of it. */
static picus_status record_samples(run *r, const driven_step *step, const driven_step *before) {
  picus_sim *sim = r->sim;
  stepper *s = &sim->stepper;
  const picus_sim_options *o = &sim->options;
  const double slack = 1e-9 * o->dt_min;
  picus_interpolation_set_step(&sim->interpolation, &before->end, step);
  const bool at_end = step->end.t >= o->t_end; /* the last row must not be lost to round-off */
  for (double t; (t = sample_time(r, r->next_sample)) <= step->end.t + slack || (at_end && is_next_sample(r, o->t_end));
       r->next_sample++) {
    bool inside = t < step->end.t - slack && !(at_end && is_next_sample(r, o->t_end));
    if (inside) {
      /* q and u inside the step; modes and percussions are those of its end */
      long expected = (long)fmin((step->end.t - t) / o->sample, 1e6) + 1;
      picus_status status = picus_interpolation_state(&sim->interpolation, t, expected, sim->q_inside, sim->u_inside);
      picus_snapshot_restore(&step->end, s);
      if (status) return status;
      s->t = t;
      for (int i = 0; i < sim->system->nq; i++) s->q[i] = sim->q_inside[i];
      for (int i = 0; i < sim->system->nu; i++) s->u[i] = sim->u_inside[i];
    }
    picus_status status = record_row(r);
    if (inside) picus_snapshot_restore(&step->end, s);
    if (status) return status;
  }
  return PICUS_OK;
}

static picus_status run_adaptive(run *r) {
  picus_sim *sim = r->sim;
  const driven_step *step, *before;
  picus_status status = PICUS_OK;
  if (r->resumes) {
    picus_run_archive(r, &r->saved);
    status = r->saved.status;
    if (!status) picus_driver_resume(&sim->driver, r->stops, r->stop_count + 1);
  } else
    status = picus_driver_begin(&sim->driver, r->stops, r->stop_count + 1);
  while (!status) {
    status = picus_driver_next(&sim->driver, &step, &before);
    picus_summary_add_driver(r->summary, &sim->driver);
    if (status) return status;
    if (!step) return save_last(r);
    const picus_step_info *info = &step->step.info;
    sim->has_stepped = true;
    sim->step_dt = info->dt;
    sim->step_order = info->order;
    picus_summary_add_size(r->summary, info);
    status = accept(r, info);
    if (!status)
      status = sim->options.sample > 0 ? record_samples(r, step, before)
                                       : record_if_due(r, sim->stepper.t == sim->options.t_end);
    if (!status) status = look_up(r, info);
    if (!status && *r->summary->stopped_by) return save_last(r);
  }
  return status;
}

static picus_status run_fixed(run *r) {
  const picus_sim_options *o = &r->sim->options;
  stepper *s = &r->sim->stepper;
  picus_status status = picus_alarm_create(s, &r->alarm);
  if (!status) status = picus_alternation_alarm_create(s, &r->alternation);
  if (!status) status = picus_passage_create(s, r->summary, &r->passage);
  r->grid_begin = s->t;
  if (r->resumes && !status) {
    picus_run_archive(r, &r->saved);
    status = r->saved.status;
  } else if (!status && picus_alarm_is_due(&r->alarm, s))
    status = picus_alarm_begin(&r->alarm, s, o->dt, 0);
  while (!status && s->t < o->t_end && !*r->summary->stopped_by) status = run_to(r, next_stop(r));
  if (!status) status = save_last(r);
  if (!status) status = picus_alarm_at_end(&r->alarm, s, o->dt, r->summary->steps);
  if (!status) status = picus_passage_at_end(&r->passage, s, o->dt);
  picus_alarm_release(s, &r->alarm);
  picus_alternation_alarm_release(s, &r->alternation);
  picus_passage_release(s, &r->passage);
  return status;
}

/* The recorder knows its counts before its sinks are opened. */
static picus_status resume(run *r) {
  const picus_sim_options *o = &r->sim->options;
  bool changed;
  if (r->sim->stepper.t > o->t_end)
    return picus_fail(r->sim->context, PICUS_ERROR_ARGUMENT,
                      "the saved run is at t = %.9g s, after t_end = %.9g s; give a later t_end", r->sim->stepper.t,
                      o->t_end);
  picus_sim_apply_inputs(r->sim, &changed);
  picus_status status = collect_stops(r);
  if (!status) {
    picus_run_archive_recorder(r, &r->saved);
    status = r->saved.status;
  }
  if (!status && r->recorder) status = picus_recorder_begin(r->recorder);
  if (!status && r->recorder) status = picus_recorder_replay(r->recorder);
  if (status) return status;
  return o->adaptive ? run_adaptive(r) : run_fixed(r);
}

/* Options that are longer than the run: what they say does not happen. */
static void tell_long_options(const run *r) {
  const picus_sim_options *o = &r->sim->options;
  const double duration = o->t_end - r->sim->stepper.t;
  if (!(duration > 0)) return;
  if (!o->adaptive && o->dt > duration * (1 + 1e-9))
    picus_log(r->sim->context, PICUS_LOG_NOTE, "dt = %g s exceeds the duration of the run: its only step has %g s",
              o->dt, duration);
  if (r->recorder && o->sample > duration * (1 + 1e-9))
    picus_log(r->sim->context, PICUS_LOG_NOTE,
              "sample = %g s exceeds the duration of the run, %g s: only the first row is recorded", o->sample,
              duration);
}

static picus_status run_all(run *r) {
  if (r->recorder && r->hooks && r->hooks->checkpoint) picus_recorder_keep_contacts(r->recorder);
  if (r->resumes) return resume(r);
  const picus_sim_options *o = &r->sim->options;
  picus_status status = collect_stops(r);
  if (!status) tell_long_options(r);
  if (!status) status = examine_start(r);
  if (!status && r->recorder) status = picus_recorder_begin(r->recorder);
  if (!status && r->recorder) status = picus_sim_watch(r->sim, r->recorder);
  if (!status && (o->every > 0 || o->sample > 0)) status = record_row(r);
  r->next_sample = o->sample > 0 ? (long)floor((r->sim->stepper.t - o->t_start) / o->sample + 1e-9) + 1 : 1;
  if (status || r->sim->stepper.t >= o->t_end) return status;
  return o->adaptive ? run_adaptive(r) : run_fixed(r);
}

picus_status picus_sim_run(picus_sim *sim, picus_recorder *recorder, const picus_run_hooks *hooks,
                           picus_summary *summary) {
  picus_summary local;
  if (sim->is_running)
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT, "a function that a run calls cannot start another run of it");
  if (!summary) summary = &local;
  *summary = (picus_summary){.t_start = sim->stepper.t, .gaps.penetration_law = -1, .gaps.constraint_law = -1};
  run r = {.sim = sim,
           .recorder = recorder,
           .view = picus_sim_step_view(sim),
           .hooks = hooks,
           .summary = summary,
           .t_complete = sim->stepper.t,
           .steps_to_check = 1,
           .check_interval = 1};
  r.begin = r.last_check = picus_clock_steady();
  picus_sim_take_saved_run(sim, &r);
  if (!r.resumes) picus_sim_note_works(sim, -1, summary);
  sim->is_running = true;
  sim->run = &r;
  picus_status status = callbacks_begin(&r.callbacks, sim, hooks, r.resumes);
  r.has_watchers = recorder || r.callbacks.hooks;
  r.is_attended = r.callbacks.hooks || sim->system->controls;
  if (!r.resumes) status = picus_sim_note_energy(sim, status, &summary->energy.start);
  if (!status) status = run_all(&r);
  sim->is_running = false;
  sim->run = NULL;
  picus_sim_drop_saved_run(sim);
  sim->driver.stops = NULL; /* the next steps begin anew */
  callbacks_release(&r.callbacks);
  picus_release(sim->context, r.stops);
  status = picus_sim_note_energy(sim, status, &summary->energy.end);
  picus_sim_note_impulses(sim, summary);
  picus_sim_note_works(sim, 1, summary);
  picus_sim_note_spurious(sim, summary);
  summary->status = status;
  summary->t_end = sim->stepper.t;
  summary->seconds = r.seconds_before + picus_clock_steady() - r.begin;
  if (recorder) {
    summary->events_cut = picus_recorder_cut_events(recorder, &summary->events_until);
    picus_status closed = picus_recorder_end(recorder, summary);
    if (!status) status = summary->status = closed;
  }
  return status;
}
