/* One system, many threads: each with its context and simulation, all with the same bits as one alone. */
#define _POSIX_C_SOURCE 200809L /* ThreadSanitizer knows POSIX threads, not those of C11 */
#include "support/check.h"

#include <picus/picus.h>
#include <pthread.h>
#include <string.h>

enum { THREADS = 4 };

typedef struct worker {
  const picus_system *system;
  const picus_sim_options *options;
  picus_status status;
  double q[3], u[3];
} worker;

static void *run_worker(void *argument) {
  worker *w = argument;
  picus_context *context = NULL;
  picus_sim *sim = NULL;
  w->status = picus_context_create(NULL, &context);
  if (w->status == PICUS_OK) w->status = picus_sim_create(context, w->system, w->options, &sim);
  if (w->status == PICUS_OK) w->status = picus_sim_run(sim, NULL, NULL, NULL);
  if (w->status == PICUS_OK) {
    memcpy(w->q, picus_sim_state(sim).q, sizeof w->q);
    memcpy(w->u, picus_sim_state(sim).u, sizeof w->u);
  }
  picus_sim_destroy(sim);
  picus_context_destroy(context);
  return NULL;
}

static void a_system_is_shared_between_threads(void) {
  picus_context *context;
  picus_model *model;
  picus_system *system;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(picus_model_load(context, "woodpecker", NULL, &model) == PICUS_OK);
  REQUIRE(picus_system_create(model, &system) == PICUS_OK);
  picus_sim_options options = picus_model_sim_options(model);
  options.t_end = 0.2;
  worker alone = {.system = system, .options = &options}, workers[THREADS];
  run_worker(&alone);
  CHECK(alone.status == PICUS_OK);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){.system = system, .options = &options};
    REQUIRE(pthread_create(&threads[i], NULL, run_worker, &workers[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    CHECK(workers[i].status == PICUS_OK);
    CHECK(memcmp(workers[i].q, alone.q, sizeof alone.q) == 0 && memcmp(workers[i].u, alone.u, sizeof alone.u) == 0);
  }
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"a_system_is_shared_between_threads", a_system_is_shared_between_threads}};
  return test_main(argc, argv, "system_threads", cases, 1);
}
