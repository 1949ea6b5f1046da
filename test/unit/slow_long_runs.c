/* Long runs: memory stays flat, a tower of planks stands. With PICUS_TEST_LONG (make test-long) as long as in the
 * papers, otherwise a tenth of it. */
#include "support/check.h"
#include "support/trial.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>

static long longer(long steps) {
  if (getenv("PICUS_TEST_REDUCED")) return steps / 20;
  return getenv("PICUS_TEST_LONG") ? 10 * steps : steps;
}

/* By friction and weight alone, for 60 000 steps of 0.01 s. */
static void kapla_tower_stands(void) {
  enum { PLANKS = 48 };
  const long steps = longer(6000);
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
         o.summary.worst_penetration);
  CHECK(o.summary.steps == steps && most < 1e-10 && o.summary.worst_penetration < 1e-10);
  CHECK(o.summary.accepted == 0);
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

/* 1000 disks in a box: once they are at rest, no step takes memory for itself, nor does a row. */
static void memory_is_flat(void) {
  const long steps = longer(2000);
  memory_watch w = {.t_end = 1e-3 * (double)steps};
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
  picus_recorder *recorder;
  REQUIRE(picus_context_create(NULL, &w.context) == PICUS_OK);
  REQUIRE(picus_model_load(w.context, "disks", NULL, &model) == PICUS_OK);
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
  if (!getenv("PICUS_TEST_REDUCED")) CHECK(w.used[1] > 0 && w.used[3] == w.used[1]); /* else they still fall */
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  CHECK(picus_context_memory(w.context) == 0);
  picus_context_destroy(w.context);
  remove("flat.h5");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"kapla_tower_stands", kapla_tower_stands}, {"memory_is_flat", memory_is_flat}};
  return test_main(argc, argv, "slow_long_runs", cases, sizeof cases / sizeof cases[0]);
}
