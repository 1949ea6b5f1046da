/* How even the steps of a run are: picus_step_times MODEL STEPS [--scheme NAME] [--set n=N]
 *
 * Runs the first steps of a model, with its own step size, fixed steps and one thread, twice, and prints the median and
 * the largest CPU time of a step in microseconds. Of each step the shorter of both times counts: both runs take the
 * same steps, and what else the machine does makes one of them longer. */
#include "bench.h"
#include "clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool run_steps(const bench_request *request, long steps, double *times) {
  bench_run run;
  bool fine = bench_open_request(&run, request);
  for (long k = 0; fine && k < steps; k++) {
    const double begin = processor_seconds_now();
    if (picus_sim_step(run.sim, 0, NULL)) fine = bench_failed(request->model, run.context);
    times[k] = fmin(times[k], processor_seconds_now() - begin);
  }
  bench_close(&run);
  return fine;
}

int main(int count, char **argument) {
  if (count < 3) return 2;
  bench_request request = {.model = argument[1], .threads = 1, .fixed = true};
  const long steps = atol(argument[2]);
  for (int k = 3; k + 1 < count; k += 2) {
    if (strcmp(argument[k], "--scheme") == 0) request.scheme = argument[k + 1];
    if (strcmp(argument[k], "--set") == 0) request.n = atoi(argument[k + 1] + 2);
  }
  double *times = steps > 0 ? malloc((size_t)steps * sizeof *times) : NULL;
  if (!times) return 2;
  for (long k = 0; k < steps; k++) times[k] = INFINITY;
  const bool fine = run_steps(&request, steps, times) && run_steps(&request, steps, times);
  if (fine) {
    const double median = bench_median(times, (int)steps); /* they are sorted now */
    printf("%.4g %.4g\n", 1e6 * median, 1e6 * times[steps - 1]);
  }
  free(times);
  return fine ? 0 : 1;
}
