/* The loops of costs.py in C: prints their CPU time. costs step N, or costs run T_END. */
#define _POSIX_C_SOURCE 200809L
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int go_on(void *user, double t, double t_end, long steps) {
  (void)user, (void)t, (void)t_end, (void)steps;
  return 0;
}

int main(int argc, char **argv) {
  picus_context *context = NULL;
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_sim_options options;
  const picus_setting dt = {"dt", NULL, 1e-5};
  if (argc < 3 || picus_context_create(NULL, &context) || picus_model_load(context, "woodpecker", NULL, &model) ||
      picus_system_create(model, &system) || picus_model_choose_options(model, 1, &dt, &options) ||
      picus_sim_create(context, system, &options, &sim))
    return 1;
  const double begin = now();
  if (strcmp(argv[1], "step") == 0) {
    picus_step_info info;
    for (long k = atol(argv[2]); k > 0; k--)
      if (picus_sim_step(sim, 0, &info)) return 1;
  } else {
    const picus_run_hooks hooks = {.progress = go_on};
    picus_summary summary;
    if (picus_sim_set_end(sim, atof(argv[2])) || picus_sim_run(sim, NULL, &hooks, &summary)) return 1;
  }
  printf("%.9g\n", now() - begin);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(context);
  return 0;
}
