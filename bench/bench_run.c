#include "bench.h"
#include "clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool bench_failed(const char *what, const picus_context *context) {
  fprintf(stderr, "bench: %s: %s\n", what, context ? picus_last_error(context)->message : "no context");
  return false;
}

bool bench_open_scheme(bench_run *run, const char *model, const char *scheme, double dt, double t_end) {
  memset(run, 0, sizeof *run);
  if (picus_context_create(NULL, &run->context) != PICUS_OK ||
      picus_model_load(run->context, model, NULL, &run->model) != PICUS_OK ||
      picus_system_create(run->model, &run->system) != PICUS_OK) {
    return bench_failed(model, run->context);
  }
  run->options = picus_model_sim_options(run->model);
  if (scheme) run->options.scheme = scheme;
  if (dt > 0) run->options.dt = dt;
  if (t_end > 0) run->options.t_end = t_end;
  run->options.every = 0;
  run->options.sample = 0;
  const picus_status status = picus_sim_create(run->context, run->system, &run->options, &run->sim);
  if (status == PICUS_ERROR_UNSUPPORTED) return false; /* the scheme is not for this model */
  return status == PICUS_OK || bench_failed(model, run->context);
}

bool bench_open(bench_run *run, const char *model, double dt, double t_end) {
  return bench_open_scheme(run, model, NULL, dt, t_end);
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
