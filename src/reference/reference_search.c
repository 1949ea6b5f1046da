/* The search for a reference solution: adaptive runs with ever smaller dt_min and tolerance, until two agree.
 *
 * A switching step has an error of dt_min times the jump of velocities (Studer, Leine and Glocker 2008, 9.1), a smooth
 * step that of the tolerance; both are divided by the same number from attempt to attempt, so that the errors shrink
 * accordingly. dt_max shrinks as well: a contact that closes and opens between two evaluations is missed with one
 * dt_max and found with another. */
#include "base/internal.h"
#include "base/output_file.h"
#include "options/table.h"
#include "reference/internal.h"
#include "sim/internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  REFINEMENT = 10,      /* dt_min and tolerance are divided by it */
  LEAST_REFINEMENT = 3, /* the agreement of two runs with almost the same dt_min is meaningless */
  ROWS_DEFAULT = 1000,
  STALLS_MOST = 2 /* differences that do not shrink, one after the other, before the search ends */
};
static const double SAFETY = 4, SAFETY_AT_REST = 2; /* of estimates: differences shrink, or do not any more */
static const double LEAST_TOLERANCE = 1e-15;

typedef struct search {
  picus_context *context;
  picus_run_description run;
  picus_sim_options sim_options;
  const picus_reference_options *options;
  picus_reference_report *report;
  double dt_floor; /* s, steps below are lost in the round-off of times */
  memory_trajectory now, before;
  const picus_sim *sim; /* of the attempt that runs */
  bool out_of_work;
  picus_output_file output; /* the best attempt so far, if has_file */
  bool has_file;
  char *attempt; /* path of the file that an attempt writes; NULL: none */
} search;

picus_reference_options picus_default_reference_options(void) {
  return (picus_reference_options){.accuracy = 1e-10, .work_most = 20000000};
}

/* --- how two attempts differ -------------------------------------------------------------------------------------- */

static void take_difference(const search *s, const picus_comparison *c, picus_reference_attempt *attempt) {
  attempt->difference = 0;
  for (int k = 0; k < c->column_count; k++) {
    const double scale = c->columns[k].scale;
    double difference = c->columns[k].uniform / (scale > 0 ? scale : 1);
    if (difference <= attempt->difference) continue; /* not so for NAN */
    attempt->difference = difference;
    snprintf(attempt->worst, sizeof attempt->worst, "%s", c->columns[k].name);
  }
  for (int k = 0; k < c->law_count; k++) {
    attempt->time_difference = fmax(attempt->time_difference, c->laws[k].time_difference);
    attempt->unlike += c->laws[k].missing + c->laws[k].extra;
  }
  double of_times = attempt->time_difference / (s->sim_options.t_end - s->sim_options.t_start);
  if (of_times > attempt->difference) {
    attempt->difference = of_times;
    snprintf(attempt->worst, sizeof attempt->worst, "switching times");
  }
}

static picus_status compare_attempts(search *s, picus_reference_attempt *attempt) {
  trajectory now = picus_memory_view(&s->now), before = picus_memory_view(&s->before);
  picus_comparison *comparison;
  const compared_columns states = {.kind = COMPARE_STATES};
  picus_status status = picus_trajectories_compare(s->context, &before, &now, states, 0, &comparison);
  if (!status) take_difference(s, comparison, attempt);
  picus_comparison_destroy(s->context, comparison);
  return status;
}

/* The expected ratio of the error of attempt k to that of the previous attempt: both come from switching times with
 * errors of a part of dt_min and the round-off of time, and the motion amplifies them equally. */
static double expected_ratio(const search *s, int k) {
  const double rounding = 4 * s->dt_floor;
  const picus_reference_attempt *attempts = s->report->attempts;
  return (attempts[k].dt_min + rounding) / (attempts[k - 1].dt_min + rounding);
}

/* The error of attempt k. If errors shrink by the ratio r, that of attempt k is r / (1 - r) times the difference to the
 * one before. The position of a switching point within its step is random, so that an attempt may be accurate by
 * chance: its error and the difference of the next one are then meaningless. So every difference counts, each scaled to
 * attempt k by the expected ratios in between, and the largest is multiplied by SAFETY. An observed ratio that is worse
 * than the expected one replaces it; if differences do not shrink by half, the rest is round-off of this size. */
static double estimated_error(const search *s, int k) {
  const picus_reference_attempt *attempts = s->report->attempts, *is = &attempts[k];
  if (k == 0 || is->unlike > 0 || isnan(is->difference)) return INFINITY;
  double error = SAFETY_AT_REST * is->difference;
  bool is_second = k == 1 || attempts[k - 1].unlike > 0 || !(attempts[k - 1].difference > 0);
  double seen = is_second ? 1 : is->difference / attempts[k - 1].difference, ratio = fmax(seen, expected_ratio(s, k));
  if (ratio < 0.5) {
    error = 0;
    double factor = SAFETY / (1 - ratio), down = ratio;
    for (int j = k; j >= 1 && attempts[j].unlike == 0; j--) {
      error = fmax(error, factor * down * attempts[j].difference);
      if (j > 1) down *= expected_ratio(s, j - 1);
    }
  }
  if (is->switchings > 0) /* a switching time is accurate to its step */
    error = fmax(error, is->dt_min / (s->sim_options.t_end - s->sim_options.t_start));
  return fmax(error, 4 * DBL_EPSILON);
}

/* --- one attempt -------------------------------------------------------------------------------------------------- */

static int watch_progress(void *user, double t, double t_end, long steps) {
  search *s = user;
  const picus_reference_options *o = s->options;
  s->out_of_work = s->report->base_steps + s->sim->driver.extrapolation.base_steps > o->work_most;
  if (s->out_of_work) return 1;
  return o->progress ? o->progress(o->user, s->report->attempt_count + 1, t, t_end, steps) : 0;
}

static picus_status record(search *s, picus_sim *sim, picus_summary *summary) {
  picus_recorder *recorder = NULL;
  picus_run_description run = s->run;
  run.options = picus_sim_options_of(sim);
  picus_status status = picus_recorder_create(s->context, &run, &recorder);
  if (!status) status = picus_recorder_add_sink(recorder, picus_memory_sink(s->context, &s->now));
  if (!status && s->attempt) status = picus_recorder_add_hdf5(recorder, s->attempt);
  picus_run_hooks hooks = {.progress = watch_progress, .user = s};
  if (!status) status = picus_sim_run(sim, recorder, &hooks, summary);
  picus_recorder_destroy(recorder);
  return status;
}

static picus_status run_attempt(search *s, picus_reference_attempt *attempt) {
  picus_memory_release(&s->before);
  s->before = s->now;
  s->now = (memory_trajectory){0};
  picus_sim_options o = s->sim_options;
  o.dt_min = attempt->dt_min;
  o.dt_max = attempt->dt_max;
  o.atol = o.rtol = attempt->tolerance;
  o.order_max = attempt->order_max;
  picus_sim *sim = NULL;
  picus_status status = picus_sim_create(s->context, s->run.system, &o, &sim);
  s->sim = sim;
  if (!status) status = record(s, sim, &attempt->summary);
  s->report->base_steps += attempt->summary.adaptive.base_steps;
  attempt->switchings = (long)s->now.switching_count;
  picus_sim_destroy(sim);
  s->sim = NULL;
  return status;
}

/* The file of the attempt, with its error estimate, becomes the current result of the search. */
static picus_status keep_file(search *s, const picus_reference_attempt *is) {
  enum { NUMBERS = 6 };
  static const char *const names[NUMBERS] = {"accuracy", "asked",      "reached",
                                             "attempts", "difference", "time_difference"};
  const double numbers[NUMBERS] = {is->accuracy,   s->options->accuracy, s->report->reached, s->report->attempt_count,
                                   is->difference, is->time_difference};
  if (!s->attempt) return PICUS_OK;
  picus_status status = picus_result_add_numbers(s->context, s->attempt, "reference", NUMBERS, names, numbers);
  if (!status) status = picus_output_take(&s->output, s->attempt);
  if (!status) s->has_file = true;
  return status;
}

/* --- the attempts ------------------------------------------------------------------------------------------------- */

static picus_status first_attempt(const search *s, picus_reference_attempt *attempt) {
  const picus_sim_options *o = &s->sim_options;
  double asked = s->options->accuracy, duration = o->t_end - o->t_start;
  double usual = o->dt_min > 0 ? o->dt_min : o->dt / 100;
  picus_status status = PICUS_OK;
  attempt->dt_max = o->dt_max;
  if (!(o->dt_max > 0))
    status = picus_default_dt_max(s->context, s->run.system, o->t_start, o->t_end, &attempt->dt_max);
  attempt->dt_min = fmax(fmin(usual, 10 * asked * duration), 1e3 * s->dt_floor);
  attempt->dt_min = fmin(attempt->dt_min, attempt->dt_max / 10);
  attempt->tolerance = fmin(fmax(asked, 1e3 * LEAST_TOLERANCE), 1e-6);
  attempt->order_max = o->order_max;
  return status;
}

static void next_attempt(const search *s, const picus_reference_attempt *last, picus_reference_attempt *attempt) {
  enum { ORDER_USEFUL = 8 }; /* more rows of the extrapolation gain less than their round-off costs */
  attempt->dt_min = fmax(last->dt_min / REFINEMENT, s->dt_floor);
  attempt->dt_max = 0.75 * last->dt_max;
  attempt->tolerance = fmax(last->tolerance / REFINEMENT, LEAST_TOLERANCE);
  attempt->order_max = last->order_max < ORDER_USEFUL ? last->order_max + 1 : last->order_max;
}

static picus_status cannot_reach(const search *s, const char *why) {
  const picus_reference_report *r = s->report;
  if (!isfinite(r->accuracy))
    return picus_fail(s->context, PICUS_NOT_CONVERGED,
                      "the accuracy %.3g was not reached: no two runs agree, so their error is unknown; %s",
                      s->options->accuracy, why);
  return picus_fail(
      s->context, PICUS_NOT_CONVERGED,
      "the accuracy %.3g was not reached: the best runs differ by %.2g, their estimated error is %.2g; %s",
      s->options->accuracy, r->attempts[r->best].difference, r->accuracy, why);
}

static bool has_stalled(const picus_reference_report *r) {
  int stalls = 0;
  for (int k = r->attempt_count - 1; k >= 2 && stalls < STALLS_MOST; k--, stalls++)
    if (r->attempts[k].unlike == 0 && !(r->attempts[k].difference > 0.5 * r->attempts[k - 1].difference)) return false;
  return stalls == STALLS_MOST;
}

/* Why another attempt is useless; NULL: it is useful. */
static const char *reason_to_stop(const search *s) {
  const picus_reference_report *r = s->report;
  const picus_reference_attempt *last = &r->attempts[r->attempt_count - 1];
  if (has_stalled(r))
    return last->unlike > 0
               ? "the runs switch differently for all step sizes: the motion is not unique, or amplifies round-off"
               : "differences no longer decrease: round-off, amplified by the motion, remains";
  if (last->dt_min < LEAST_REFINEMENT * s->dt_floor) return "smaller steps are below the round-off of time";
  if (r->attempt_count == PICUS_REFERENCE_ATTEMPTS) return "the limit of attempts is reached";
  return NULL;
}

/* After a run: its difference to the one before, and whether it is the best so far. */
static picus_status judge(search *s, picus_reference_attempt *attempt) {
  picus_reference_report *r = s->report;
  int k = r->attempt_count;
  attempt->difference = NAN;
  picus_status status = k > 0 ? compare_attempts(s, attempt) : PICUS_OK;
  if (status) return status;
  attempt->accuracy = estimated_error(s, k);
  r->attempt_count++;
  r->reached = attempt->difference <= s->options->accuracy && attempt->accuracy <= s->options->accuracy;
  bool is_best = k == 0 || attempt->accuracy <= r->accuracy;
  if (is_best) {
    r->best = k;
    r->accuracy = attempt->accuracy;
    status = keep_file(s, attempt);
  }
  if (!status && s->options->attempted) s->options->attempted(s->options->user, k + 1, attempt);
  return status;
}

static picus_status search_all(search *s) {
  picus_reference_report *r = s->report;
  const char *why = NULL;
  while (!why) {
    picus_reference_attempt *attempt = &r->attempts[r->attempt_count];
    picus_status status = PICUS_OK;
    if (r->attempt_count == 0)
      status = first_attempt(s, attempt);
    else
      next_attempt(s, attempt - 1, attempt);
    if (!status) status = run_attempt(s, attempt);
    if (status == PICUS_INTERRUPTED && s->out_of_work) return cannot_reach(s, "the work limit is reached");
    if (!status) status = judge(s, attempt);
    if (status || r->reached) return status;
    why = reason_to_stop(s);
  }
  return cannot_reach(s, why);
}

static picus_status check(picus_context *context, const picus_run_description *run,
                          const picus_reference_options *options) {
  if (!(options->accuracy > 0) || !isfinite(options->accuracy))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the accuracy of a reference must be a positive number");
  if (options->work_most < 1)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the work limit must be at least one step");
  const picus_sim_options *o = run->options;
  if (!(o->t_end > o->t_start) || !isfinite(o->t_end - o->t_start))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "t_end = %.9g s must be after t_start", o->t_end);
  return PICUS_OK;
}

/* The file of an attempt that is not kept, complete or not. The lock of the search keeps others away from it. */
static void remove_attempt(const search *s) {
  char part[PICUS_PATH_SIZE];
  if (!s->attempt) return;
  remove(s->attempt);
  if (picus_part_name(s->attempt, part) == 0) remove(part);
}

static picus_status begin(search *s) {
  picus_sim_options *o = &s->sim_options;
  *o = *s->run.options;
  o->adaptive = true;
  picus_options_drop(o, NULL); /* those of fixed steps and other schemes */
  o->order = 0;
  o->every = 0;
  if (!(o->sample > 0)) o->sample = (o->t_end - o->t_start) / ROWS_DEFAULT;
  s->dt_floor = 8 * DBL_EPSILON * fmax(fabs(o->t_start), fabs(o->t_end));
  if (!s->options->path) return PICUS_OK;
  picus_status status = picus_output_check_regular(s->context, s->options->path, "a reference");
  if (!status) status = picus_output_open(s->context, s->options->path, &s->output);
  if (status) return status;
  static const char ending[] = ".attempt";
  size_t size = strlen(s->output.target) + sizeof ending;
  s->attempt = picus_allocate(s->context, size, 1);
  if (!s->attempt) return PICUS_ERROR_MEMORY;
  snprintf(s->attempt, size, "%s%s", s->output.target, ending);
  remove_attempt(s); /* of a search that was killed */
  return PICUS_OK;
}

/* The best attempt gets its name, also if the search did not reach its end. */
static picus_status end(search *s, picus_status status) {
  if (!s->output.path) return status;
  remove_attempt(s);
  if (!s->has_file) {
    picus_output_discard(&s->output);
    return status;
  }
  picus_status named = picus_output_publish(&s->output);
  return named ? named : status;
}

picus_status picus_reference_search(picus_context *context, const picus_run_description *run,
                                    const picus_reference_options *options, picus_reference_report *report) {
  search s = {.context = context, .run = *run, .options = options, .report = report};
  *report = (picus_reference_report){.best = -1, .accuracy = INFINITY};
  picus_status status = check(context, run, options);
  if (!status) status = begin(&s);
  if (!status) status = search_all(&s);
  status = end(&s, status);
  picus_memory_release(&s.now);
  picus_memory_release(&s.before);
  picus_release(context, s.attempt);
  return status;
}
