/* Single adaptive steps, for a program that makes the steps itself. */
#include "sim/internal.h"

#include "base/internal.h"

#include <math.h>
#include <stdlib.h>

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The stop times of the model up to t_stop, and t_stop; returns their number. */
static int fill_stops(picus_sim *sim, double t_stop) {
  int count = 0;
  for (int i = 0; i < sim->system->stop_count; i++)
    if (sim->system->stop_times[i] < t_stop) sim->stops[count++] = sim->system->stop_times[i];
  qsort(sim->stops, (size_t)count, sizeof *sim->stops, compare_times);
  sim->stops[count] = t_stop;
  return count + 1;
}

/* The driver goes on from the end of the step it returned last, or begins at another state. */
static picus_status prepare_driver(picus_sim *sim, double t_stop) {
  driver *d = &sim->driver;
  const bool goes_on = d->stops == sim->stops && picus_driver_is_at(d, &sim->stepper);
  const bool same_stop = goes_on && sim->stops[d->stop_count - 1] == t_stop;
  if (same_stop) return PICUS_OK;
  const int count = fill_stops(sim, t_stop);
  if (sim->was_loaded && picus_driver_is_at(d, &sim->stepper)) { /* a checkpoint */
    sim->was_loaded = false;
    picus_driver_go_on(d, sim->stops, count);
    return PICUS_OK;
  }
  if (!goes_on) return picus_driver_begin(d, sim->stops, count);
  d->stop_count = count;
  d->is_stale = true;
  return PICUS_OK;
}

picus_status picus_sim_advance(picus_sim *sim, double t_stop, picus_step_info *info) {
  if (sim->is_running) return picus_sim_fail_running(sim);
  if (!sim->options.adaptive)
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT,
                      "picus_sim_advance needs an adaptive simulation; set adaptive in its options, or use "
                      "picus_sim_step");
  if (!(t_stop > sim->stepper.t) || !isfinite(t_stop))
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT, "the stop time %g must be finite and after t = %.9g", t_stop,
                      sim->stepper.t);
  const driven_step *step, *before;
  picus_sim_drop_saved_run(sim);
  picus_status status = prepare_driver(sim, t_stop);
  if (!status) status = picus_driver_next(&sim->driver, &step, &before);
  if (status) return status;
  sim->has_stepped = true;
  sim->step_dt = step->step.info.dt;
  sim->step_order = step->step.info.order;
  if (info) *info = step->step.info;
  return PICUS_OK;
}
