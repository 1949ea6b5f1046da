#include "bench.h"

#include <stdio.h>

enum { steps_wanted = 200000, repetitions = 3, most_models = 64, most_coordinates = 30 };

static const double seconds_most = 0.5;

/* Steps per second over whole runs from the model's start, as many as make up the wanted number of steps or time. */
static double steps_per_second(bench_run *run) {
  double seconds = 0;
  long steps = 0;
  while (steps < steps_wanted && seconds < seconds_most) {
    picus_summary summary;
    const double taken = bench_run_once(run, &summary);
    if (taken < 0 || summary.steps < 1) return 0;
    seconds += taken;
    steps += summary.steps;
  }
  return (double)steps / seconds;
}

/* The models take turns, so that a disturbance of the machine does not hit all repetitions of one. */
bool bench_models(void) {
  const int count = picus_shipped_model_count() < most_models ? picus_shipped_model_count() : most_models;
  double best[most_models] = {0};
  bool good = true;
  for (int repetition = 0; repetition < repetitions; repetition++) {
    for (int i = 0; i < count; i++) {
      bench_run run;
      const bool opened = bench_open(&run, picus_shipped_model_name(i), 0, 0);
      /* models of many bodies have long steps; bench/stacks measures them */
      const bool small = opened && picus_model_coordinate_count(run.model) <= most_coordinates;
      const double rate = small ? steps_per_second(&run) : 0;
      bench_close(&run);
      if (rate > best[i]) best[i] = rate;
      good = good && opened && (rate > 0 || !small);
    }
  }
  printf("%-36s %12s %10s\n", "model, its own step size", "steps/s", "ns/step");
  for (int i = 0; i < count; i++) {
    if (best[i] > 0) printf("  %-34s %12.4g %10.1f\n", picus_shipped_model_name(i), best[i], 1e9 / best[i]);
  }
  return good;
}
