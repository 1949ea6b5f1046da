/* How cost grows with the number of bodies or beam elements: set-up, memory and time of a step for the scenes of
 * scenes/many or scenes/beams.
 *
 *   picus_scale_bench FOLDER [N...]             scenes/many; numbers of bodies, default 10 100 1000 10000
 *   picus_scale_bench --beams FOLDER [N...]     scenes/beams; numbers of elements, default 100 1000 10000 100000 */
#include "clock.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZES = 16, FEWEST_STEPS = 5 };
#define SECONDS_OF_STEPS 0.2

typedef struct cost {
  double setup; /* s */
  double megabytes;
  double step; /* s */
  double iterations;
} cost;

typedef struct scene_run {
  const char *path, *scheme;
  int n;
} scene_run;

static bool failed(const scene_run *of, picus_context *context) {
  fprintf(stderr, "scale: %s with n = %d and %s: %s\n", of->path, of->n, of->scheme,
          picus_last_error(context)->message);
  return false;
}

/* Steps for a while, after some that fill caches and warm starts. */
static bool measure_steps(picus_sim *sim, cost *out) {
  picus_step_info info;
  long iterations = 0, steps = 0;
  for (int k = 0; k < FEWEST_STEPS; k++)
    if (picus_sim_step(sim, 0, &info) != PICUS_OK) return false;
  stop_watch watch = stop_watch_start();
  do {
    if (picus_sim_step(sim, 0, &info) != PICUS_OK) return false;
    iterations += info.solver.last.iterations;
    steps++;
  } while (steps < FEWEST_STEPS || stop_watch_read(watch) < SECONDS_OF_STEPS);
  out->step = stop_watch_read(watch) / (double)steps;
  out->iterations = (double)iterations / (double)steps;
  return true;
}

static bool measure(const scene_run *of, cost *out) {
  picus_context *context = NULL;
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  const picus_override n = {"n", of->n};
  const picus_load_options options = {.override_count = 1, .overrides = &n};
  if (picus_context_create(NULL, &context) != PICUS_OK) return false;
  stop_watch watch = stop_watch_start();
  bool good = picus_model_load(context, of->path, &options, &model) == PICUS_OK &&
              picus_system_create(model, &system) == PICUS_OK;
  if (good) {
    picus_sim_options run = picus_model_sim_options(model);
    run.scheme = of->scheme;
    good = picus_sim_create(context, system, &run, &sim) == PICUS_OK;
  }
  out->setup = stop_watch_read(watch);
  out->megabytes = (double)picus_context_memory(context) / 1048576;
  good = good && measure_steps(sim, out);
  if (!good) failed(of, context);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(context);
  return good;
}

/* The exponent of growth between two sizes. */
static double growth(double before, double now, int n_before, int n) {
  return log(now / before) / log((double)n / n_before);
}

static bool print_scene(const char *folder, const char *name, const char *scheme, int count, const int *sizes) {
  char path[1024];
  cost last = {0};
  snprintf(path, sizeof path, "%s/%s.lua", folder, name);
  for (int k = 0; k < count; k++) {
    cost now = {0};
    if (!measure(&(scene_run){path, scheme, sizes[k]}, &now)) return false;
    printf("%-16s %-16s %7d %10.4f %10.2f %12.2f %10.1f", name, scheme, sizes[k], now.setup, now.megabytes,
           1e6 * now.step, now.iterations);
    if (k > 0)
      printf("   %5.2f %5.2f %5.2f", growth(last.setup, now.setup, sizes[k - 1], sizes[k]),
             growth(last.megabytes, now.megabytes, sizes[k - 1], sizes[k]),
             growth(last.step, now.step, sizes[k - 1], sizes[k]));
    printf("\n");
    (void)fflush(stdout);
    last = now;
  }
  return true;
}

int main(int argc, char **argv) {
  static const char *const bodies[] = {"balls-in-a-row", "free-bodies", "falling-chain",
                                       "spring-chain",   "woodpeckers", NULL};
  static const char *const body_schemes[] = {"moreau",          "moreau-jean", "moreau-projected",
                                             "moreau-combined", "rattle",      NULL};
  static const char *const beams[] = {"cantilever", "truss", NULL};
  static const char *const beam_schemes[] = {"moreau", "moreau-jean", "rattle", "half-explicit", NULL};
  const bool of_beams = argc > 1 && strcmp(argv[1], "--beams") == 0;
  const char *const *scenes = of_beams ? beams : bodies, *const *schemes = of_beams ? beam_schemes : body_schemes;
  int sizes[MOST_SIZES] = {10, 100, 1000, 10000}, count = 4;
  for (int k = 0; of_beams && k < count; k++) sizes[k] *= 10;
  if (of_beams) argc--, argv++;
  if (argc < 2) {
    fprintf(stderr, "usage: picus_scale_bench [--beams] FOLDER [N...]\n");
    return 2;
  }
  for (int k = 2; k < argc && k - 2 < MOST_SIZES; k++) {
    sizes[k - 2] = atoi(argv[k]);
    count = k - 1;
  }
  printf("%-16s %-16s %7s %10s %10s %12s %10s   %s\n", "scene", "scheme", "n", "set-up, s", "MB", "step, us",
         "iterations", "growth of set-up, memory, step");
  bool good = true;
  for (int i = 0; scenes[i]; i++)
    for (int j = 0; schemes[j]; j++) good = print_scene(argv[1], scenes[i], schemes[j], count, sizes) && good;
  return good ? 0 : 1;
}
