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

/* A spinning body in a joint above a plane: rates, M, W and forces that all depend on q. */
static const char BODY[] =
    "gravity {0, 0, -9.81}\n"
    "local a = spatial_body {'a', mass = 1, inertia = {1, 2, 3}, position = {0.3, 0, 0.5}, omega = {1, 2, 0}}\n"
    "spherical {'tip', ground, a, points = {{0, 0, 0}, {-0.3, 0, -0.5}}}\n"
    "plane_contact {'floor', ground, a, normal = {0, 0, 1}, radius = 0.45, mu = 0.3}\n"
    "simulate {dt = 0.005, t_end = 0.3}\n";
enum { SCHEMES = 5, BODY_NQ = 7, BODY_NU = 6 };
static const char *const schemes[SCHEMES] = {"moreau-jean", "rattle", "moreau", "moreau-projected", "moreau-combined"};

typedef struct scheme_worker {
  const picus_system *system;
  picus_sim_options options;
  picus_status status;
  double q[BODY_NQ], u[BODY_NU], dh_dq[BODY_NU * BODY_NQ], dh_du[BODY_NU * BODY_NU];
} scheme_worker;

/* A simulation, then Jacobians of another evaluation, which are derived on their first use. */
static void *run_scheme(void *argument) {
  scheme_worker *w = argument;
  picus_context *context = NULL;
  picus_sim *sim = NULL;
  picus_evaluation *e = NULL;
  w->status = picus_context_create(NULL, &context);
  if (w->status == PICUS_OK) w->status = picus_sim_create(context, w->system, &w->options, &sim);
  if (w->status == PICUS_OK) w->status = picus_sim_run(sim, NULL, NULL, NULL);
  if (w->status == PICUS_OK) {
    memcpy(w->q, picus_sim_state(sim).q, sizeof w->q);
    memcpy(w->u, picus_sim_state(sim).u, sizeof w->u);
    w->status = picus_evaluation_create(context, w->system, &e);
  }
  if (w->status == PICUS_OK) {
    picus_evaluation_set_point(e, 0, w->q, w->u);
    w->status = picus_evaluate_force_jacobian(e, w->dh_dq, w->dh_du);
  }
  picus_evaluation_destroy(e);
  picus_sim_destroy(sim);
  picus_context_destroy(context);
  return NULL;
}

static picus_system *body_system(picus_context *context, picus_sim_options *options) {
  picus_model *model = NULL;
  picus_system *system = NULL;
  CHECK(picus_model_load_text(context, "body.lua", BODY, sizeof BODY - 1, NULL, &model) == PICUS_OK);
  CHECK(picus_system_create(model, &system) == PICUS_OK);
  *options = picus_model_sim_options(model);
  picus_model_destroy(model); /* a system needs its model no longer */
  return system;
}

/* Each thread asks for Jacobians that nobody has derived yet, the same ones or others. */
static void schemes_of_one_system_in_many_threads(void) {
  picus_context *context;
  scheme_worker alone[SCHEMES], workers[2 * SCHEMES];
  pthread_t threads[2 * SCHEMES];
  picus_sim_options options;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int i = 0; i < SCHEMES; i++) { /* alone: nothing has been derived before */
    picus_system *system = body_system(context, &options);
    options.scheme = schemes[i];
    alone[i] = (scheme_worker){.system = system, .options = options};
    run_scheme(&alone[i]);
    CHECK(alone[i].status == PICUS_OK);
    picus_system_destroy(system);
  }
  for (int round = 0; round < 5; round++) {
    picus_system *system = body_system(context, &options);
    for (int i = 0; i < 2 * SCHEMES; i++) {
      options.scheme = schemes[(i + round) % SCHEMES];
      workers[i] = (scheme_worker){.system = system, .options = options};
      REQUIRE(pthread_create(&threads[i], NULL, run_scheme, &workers[i]) == 0);
    }
    /* meanwhile, objects of the system's own context */
    picus_system *other = body_system(context, &options);
    picus_system_destroy(other);
    for (int i = 0; i < 2 * SCHEMES; i++) {
      const scheme_worker *w = &workers[i], *same = &alone[(i + round) % SCHEMES];
      pthread_join(threads[i], NULL);
      CHECK(w->status == PICUS_OK);
      CHECK(memcmp(w->q, same->q, sizeof w->q) == 0 && memcmp(w->u, same->u, sizeof w->u) == 0);
      CHECK(memcmp(w->dh_dq, same->dh_dq, sizeof w->dh_dq) == 0 && memcmp(w->dh_du, same->dh_du, sizeof w->dh_du) == 0);
    }
    picus_system_destroy(system);
  }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"a_system_is_shared_between_threads", a_system_is_shared_between_threads},
                                    {"schemes_of_one_system_in_many_threads", schemes_of_one_system_in_many_threads}};
  return test_main(argc, argv, "system_threads", cases, sizeof cases / sizeof *cases);
}
