/* Long runs: memory stays flat, a tower of planks stands. In make test-long as long as in the papers, in make test a
 * twentieth of it. */
#define _DEFAULT_SOURCE
#include "support/check.h"
#include "support/trial.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* By friction and weight alone, for 60 000 steps of 0.01 s. */
static void kapla_tower_stands(void) {
  enum { PLANKS = 48 };
  const long steps = test_size(300, 3000, 60000);
  trial_outcome o;
  REQUIRE(
      trial_run((trial){.model = "kapla-tower", .t_end = 0.01 * (double)steps, .sample = 0.005 * (double)steps}, &o));
  static const char *const names[] = {"x", "y", "z"};
  double most = 0;
  const long last = picus_result_row_count(o.result) - 1;
  for (int k = 1; k <= PLANKS; k++)
    for (int i = 0; i < 3; i++)
      most = fmax(most, fabs(trial_value(&o, names[i], k, last) - trial_value(&o, names[i], k, 0)));
  printf("  %ld steps: planks have moved by %.1e m, overlap %.1e m\n", o.summary.steps, most,
         o.summary.gaps.penetration);
  CHECK(o.summary.steps == steps && most < 1e-10 && o.summary.gaps.penetration < 1e-10);
  CHECK(o.summary.solver.accepted == 0);
  trial_end(&o);
}

/* Memory in use, at the end of each quarter of a run. */
typedef struct memory_watch {
  picus_context *context;
  double t_end;
  size_t used[4];
} memory_watch;

static int note_memory(void *user, picus_sim *sim, const picus_step_info *info) {
  (void)info;
  memory_watch *w = user;
  const int quarter = (int)(4 * picus_sim_state(sim).t / w->t_end * (1 - 1e-12));
  if (quarter >= 0 && quarter < 4) w->used[quarter] = picus_context_memory(w->context);
  return 0;
}

/* Disks in a box: once they are nearly at rest, steps and rows take no memory for themselves: less than a byte for each
 * step, as lists of contacts that still come and go do. */
static void memory_is_flat(void) {
  const long steps = test_size(100, 2000, 20000);
  const picus_override number = {"n", (double)test_size(1000, 250, 1000)};
  const picus_load_options options_of_model = {.override_count = 1, .overrides = &number};
  memory_watch w = {.t_end = 1e-3 * (double)steps};
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
  picus_recorder *recorder;
  REQUIRE(picus_context_create(NULL, &w.context) == PICUS_OK);
  REQUIRE(picus_model_load(w.context, "disks", &options_of_model, &model) == PICUS_OK);
  REQUIRE(picus_system_create(model, &system) == PICUS_OK);
  picus_sim_options options = picus_model_sim_options(model);
  options.t_end = w.t_end;
  options.sample = 0.02;
  options.every = 0;
  options.solver.tolerance = 1e-4; /* memory does not depend on it */
  REQUIRE(picus_sim_create(w.context, system, &options, &sim) == PICUS_OK);
  const picus_run_description run = {model, system, picus_sim_options_of(sim), ""};
  REQUIRE(picus_recorder_create(w.context, &run, &recorder) == PICUS_OK);
  CHECK(picus_recorder_add_hdf5(recorder, "flat.h5") == PICUS_OK);
  const picus_run_hooks hooks = {.step = note_memory, .user = &w};
  picus_summary summary;
  CHECK(picus_sim_run(sim, recorder, &hooks, &summary) == PICUS_OK);
  for (int k = 0; k < 4; k++) printf("  after quarter %d: %.3f MB\n", k + 1, 1e-6 * (double)w.used[k]);
  if (!test_is_reduced())
    CHECK(w.used[1] > 0 && (double)w.used[3] - (double)w.used[1] < 0.5 * (double)steps); /* else they still fall */
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  CHECK(picus_context_memory(w.context) == 0);
  picus_context_destroy(w.context);
  remove("flat.h5");
}

/* Resident memory of this process at its peak, bytes. */
static long peak_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024L * usage.ru_maxrss : 0;
}

enum { PARTS = 10 };
typedef struct step_watch {
  picus_context *context;
  long steps, every; /* looks at the memory after so many steps */
  double dt;
  long off_grid; /* steps that do not end at n dt, rounded once */
  int looks;
  size_t used[PARTS];
  long peak[PARTS];
} step_watch;

static int count_step(void *user, picus_sim *sim, const picus_step_info *info) {
  step_watch *w = user;
  if (!info) return 0;
  w->steps++;
  if (info->t != (double)w->steps * w->dt) w->off_grid++;
  if (w->steps % w->every != 0 || w->looks >= PARTS) return 0;
  w->used[w->looks] = picus_context_memory(w->context);
  w->peak[w->looks++] = peak_memory();
  (void)sim;
  return 0;
}

/* The woodpecker for so many steps that something would add up: memory of the context and of the process, steps, time.
 * 10^6 steps, in make test-long 10^8, and 10^5 rows. */
static void many_steps(void) {
  const bool reduced = test_is_reduced();
  const long steps = test_size(100000, 1000000, 100000000);
  step_watch w = {.every = steps / PARTS, .dt = 1e-5};
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
  picus_recorder *recorder;
  picus_summary summary;
  REQUIRE(picus_context_create(NULL, &w.context) == PICUS_OK);
  REQUIRE(picus_model_load(w.context, "woodpecker", NULL, &model) == PICUS_OK);
  REQUIRE(picus_system_create(model, &system) == PICUS_OK);
  picus_sim_options options = picus_model_sim_options(model);
  options.dt = w.dt;
  options.t_end = (double)steps * w.dt;
  options.sample = 0;
  options.every = steps / 100000;
  REQUIRE(picus_sim_create(w.context, system, &options, &sim) == PICUS_OK);
  const picus_run_description run = {model, system, picus_sim_options_of(sim), ""};
  REQUIRE(picus_recorder_create(w.context, &run, &recorder) == PICUS_OK);
  CHECK(picus_recorder_add_hdf5(recorder, "many.h5") == PICUS_OK);
  const picus_run_hooks hooks = {.step = count_step, .user = &w};
  CHECK(picus_sim_run(sim, recorder, &hooks, &summary) == PICUS_OK);
  CHECK(summary.steps == steps && w.steps == steps && summary.rows == 100001 && w.off_grid == 0);
  REQUIRE(w.looks == PARTS);
  for (int k = 0; k < PARTS; k++)
    printf("  %ld steps: %.3f MB, peak of the process %.3f MB\n", (k + 1) * w.every, 1e-6 * (double)w.used[k],
           1e-6 * (double)w.peak[k]);
  CHECK(w.used[PARTS - 1] == w.used[1]);
  if (!reduced) CHECK(w.peak[PARTS - 1] - w.peak[1] < 500000); /* sanitizers keep freed memory */
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(w.context);
  remove("many.h5");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"kapla_tower_stands", kapla_tower_stands}, {"memory_is_flat", memory_is_flat}, {"many_steps", many_steps}};
  return test_main(argc, argv, "slow_long_runs", cases, sizeof cases / sizeof cases[0]);
}
