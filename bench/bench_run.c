#include "bench.h"
#include "clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool bench_failed(const char *what, const picus_context *context) {
  fprintf(stderr, "bench: %s: %s\n", what, context ? picus_last_error(context)->message : "no context");
  return false;
}

static int by_value(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

double bench_median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_value);
  return values[count / 2];
}

static picus_status make_context(bench_run *run, const bench_request *r) {
  picus_status status = picus_context_create(NULL, &run->context);
  if (status || r->threads == 0) return status;
  return r->run_tasks ? picus_context_set_tasks(run->context, r->threads, r->run_tasks, r->tasks_user)
                      : picus_context_set_threads(run->context, r->threads);
}

static picus_sim_options options_of(const picus_model *model, const bench_request *r) {
  picus_sim_options options = picus_model_sim_options(model);
  if (r->scheme) options.scheme = r->scheme;
  if (r->dt > 0) options.dt = r->dt;
  if (r->t_end > 0) options.t_end = r->t_end;
  if (r->tolerance > 0) options.solver.tolerance = r->tolerance;
  if (r->fixed) options.adaptive = false;
  if (r->heap_tolerance > 0) options.solver.heap_tolerance = r->heap_tolerance;
  if (r->accept_residual > 0) options.solver.accept_residual = r->accept_residual;
  options.every = 0;
  options.sample = 0;
  return options;
}

bool bench_open_request(bench_run *run, const bench_request *request) {
  picus_override overrides[2];
  picus_load_options load = {.overrides = overrides};
  if (request->n > 0) overrides[load.override_count++] = (picus_override){"n", request->n};
  if (request->g > 0) overrides[load.override_count++] = (picus_override){"g", request->g};
  memset(run, 0, sizeof *run);
  if (make_context(run, request) != PICUS_OK ||
      picus_model_load(run->context, request->model, &load, &run->model) != PICUS_OK ||
      picus_system_create(run->model, &run->system) != PICUS_OK) {
    return bench_failed(request->model, run->context);
  }
  run->options = options_of(run->model, request);
  const picus_status status = picus_sim_create(run->context, run->system, &run->options, &run->sim);
  if (status == PICUS_ERROR_UNSUPPORTED) return false; /* the scheme is not for this model */
  return status == PICUS_OK || bench_failed(request->model, run->context);
}

bool bench_open(bench_run *run, const char *model, double dt, double t_end) {
  return bench_open_request(run, &(bench_request){.model = model, .dt = dt, .t_end = t_end});
}

void bench_close(bench_run *run) {
  picus_sim_destroy(run->sim);
  picus_system_destroy(run->system);
  picus_model_destroy(run->model);
  picus_context_destroy(run->context);
  memset(run, 0, sizeof *run);
}

double bench_run_once(bench_run *run, picus_summary *summary) {
  const size_t nq = (size_t)picus_system_nq(run->system), nu = (size_t)picus_system_nu(run->system);
  double *q = malloc((nq + nu) * sizeof *q);
  if (!q) return -1;
  picus_system_start(run->system, q, q + nq);
  const picus_status placed = picus_sim_set_state(run->sim, run->options.t_start, q, q + nq);
  free(q);
  if (placed != PICUS_OK) {
    bench_failed(picus_model_name(run->model), run->context);
    return -1;
  }
  const double start = process_seconds_now();
  const picus_status status = picus_sim_run(run->sim, NULL, NULL, summary);
  const double seconds = process_seconds_now() - start;
  if (status != PICUS_OK) bench_failed(picus_model_name(run->model), run->context);
  return status == PICUS_OK ? seconds : -1;
}
