/* The driver of an adaptive run in a checkpoint: its steps, sizes and decisions. */
#include "adaptive/internal.h"

#include "base/internal.h"

#include <limits.h>
#include <math.h>

/* The part of a step that later decisions and results use. */
static void archive_info(picus_step_info *info, picus_archive *a) {
  picus_archive_double(a, &info->t);
  picus_archive_double(a, &info->dt);
  int *const numbers[] = {&info->order,
                          &info->active,
                          &info->impacts,
                          &info->chatter,
                          &info->impact_limits,
                          &info->gaps.lowest_law,
                          &info->gaps.constraint_law,
                          &info->paradox.law,
                          &info->implicit.newton_iterations,
                          &info->implicit.projection_iterations,
                          &info->implicit.set_iterations,
                          &info->implicit.prox_first,
                          &info->implicit.prox_second,
                          &info->implicit.prox_failed,
                          &info->shapes.repetitions,
                          &info->shapes.overlap_law,
                          &info->solver.last.iterations,
                          &info->solver.last.fallbacks,
                          &info->solver.last.facets,
                          &info->solver.last.residual.worst_law};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) picus_archive_choice(a, numbers[i], -1, INT_MAX / 2);
  picus_archive_choice(a, &info->solver.worst.above, 0, INT_MAX / 2);
  for (int k = 0; k < PICUS_WORST_LAWS; k++) {
    picus_archive_choice(a, &info->solver.worst.law[k], 0, INT_MAX / 2);
    picus_archive_double(a, &info->solver.worst.relative[k]);
  }
  double *const values[] = {&info->gaps.lowest,
                            &info->solver.residual,
                            &info->dissipated,
                            &info->gained,
                            &info->gaps.constraint_error,
                            &info->implicit.projection,
                            &info->shapes.overlap,
                            &info->solver.last.residual.relative,
                            &info->solver.last.residual.natural};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) picus_archive_double(a, values[i]);
  int paradox = (int)info->paradox.kind, branch = (int)info->paradox.branch;
  picus_archive_choice(a, &paradox, PICUS_PARADOX_NONE, PICUS_PARADOX_LOCKED);
  picus_archive_choice(a, &branch, PICUS_BRANCH_OPENED, PICUS_BRANCH_IMPACT);
  info->paradox.kind = (picus_paradox)paradox;
  info->paradox.branch = (picus_branch)branch;
  picus_archive_bool(a, &info->solver.last.accepted);
  picus_archive_bool(a, &info->solver.last.minimum_norm);
  if (picus_archive_reads(a)) info->solver.last.solver = "";
}

static void archive_step(const driver *d, driven_step *step, picus_archive *a) {
  extrapolated_step *own = &step->step;
  picus_snapshot_archive(d->extrapolation.stepper, &step->end, a);
  double *const values[] = {&step->t_low,  &step->t_begin,       &step->dt, &own->error.relative, &own->error.q,
                            &own->error.u, &own->error.roundings};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) picus_archive_double(a, values[i]);
  int outcome = (int)own->outcome;
  picus_archive_choice(a, &outcome, STEP_SMOOTH, STEP_RESOLVED);
  own->outcome = (step_outcome)outcome;
  picus_archive_choice(a, &own->rows, 0, PICUS_ORDER_MOST);
  picus_archive_int(a, &own->order);
  picus_archive_bool(a, &own->laws_at_end);
  picus_archive_bool(a, &own->is_even);
  picus_archive_bool(a, &own->error.is_rounding);
  picus_archive_bool(a, &step->is_switch);
  archive_info(&own->info, a);
  if (own->laws_at_end && !d->extrapolation.stepper->contacts.turning)
    picus_archive_reject(a, "its laws hold elsewhere in a step");
}

static void archive_accuracy(accuracy_watch *w, picus_archive *a) {
  double *const values[] = {&w->error_least,     &w->q_largest,     &w->u_largest,     &w->worst,   &w->worst_t,
                            &w->kinetic_largest, &w->unconfirmed_t, &w->unconfirmed_u, &w->tried_t, &w->tried_dt,
                            &w->tried_error,     &w->roundings,     &w->rounding_error};
  picus_archive_mark(a, "accuracy");
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) picus_archive_double(a, values[i]);
  picus_archive_long(a, &w->missed);
  picus_archive_long(a, &w->rounded);
  picus_archive_int(a, &w->window);
  picus_archive_int(a, &w->hopeless);
  picus_archive_int(a, &w->unconfirmed);
}

static void archive_sizes(driver *d, picus_archive *a) {
  double *const values[] = {&d->dt_max,       &d->dt,         &d->t_no_increase, &d->dt_inaccurate,
                            &d->dt_given_up,  &d->t_detected, &d->dt_detected,   &d->extrapolation.dt_resolve,
                            &d->approach.rest};
  picus_archive_mark(a, "step sizes");
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) picus_archive_double(a, values[i]);
  picus_archive_int(a, &d->hold);
  picus_archive_int(a, &d->patience);
  picus_archive_int(a, &d->approach.steps);
  picus_archive_bool(a, &d->approach.is_corrected);
  picus_archive_bool(a, &d->is_first);
  picus_archive_bool(a, &d->is_stale);
  picus_archive_long(a, &d->rejected);
  picus_archive_long(a, &d->switching_points);
  picus_archive_long(a, &d->shortened);
  picus_archive_long(a, &d->extrapolation.base_steps);
  if (picus_archive_reads(a) && !(d->dt > 0 && isfinite(d->dt) && d->dt_max > 0 && isfinite(d->dt_max)))
    picus_archive_reject(a, "a step size is not a positive number");
}

void picus_driver_archive(driver *d, picus_archive *a) {
  double t_last = d->stops ? d->stops[d->stop_count - 1] : d->t_last;
  picus_archive_mark(a, "driver");
  picus_archive_choice(a, &d->handed_out, 0, DRIVER_RING - 1);
  picus_archive_choice(a, &d->accepted_count, 0, DRIVER_RING - 3);
  picus_archive_bool(a, &d->has_previous);
  picus_archive_double(a, &t_last);
  d->t_last = t_last;
  archive_sizes(d, a);
  archive_accuracy(&d->accuracy, a);
  picus_archive_choice(a, &d->onset.count, 0, ONSET_STEPS);
  picus_archive_doubles(a, d->onset.t, ONSET_STEPS);
  for (int i = 0; i < DRIVER_RING; i++) archive_step(d, &d->ring[i], a);
  if (!picus_archive_reads(a)) return;
  d->accuracy.accepts_inaccurate = d->accepts_inaccurate;
  d->accuracy.dt_min = d->dt_min;
  d->stops = NULL;
}

void picus_driver_resume(driver *d, const double *stops, int stop_count) {
  const int ahead = d->accepted_count + (d->has_previous ? 1 : 0);
  const driven_step *last = &d->ring[(d->handed_out + ahead) % DRIVER_RING];
  d->stops = stops;
  d->stop_count = stop_count;
  if (stops[stop_count - 1] != d->t_last && last->end.t >= fmin(d->t_last, stops[stop_count - 1])) d->is_stale = true;
}
