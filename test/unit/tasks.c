/* Tasks on the threads of a context or of a host: each runs once, failures are found again, results do not depend on
 * the number of threads. */
#define _POSIX_C_SOURCE 200809L
#include "base/tasks.h"
#include "support/allocations.h"
#include "support/check.h"

#include <picus/picus.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 3000 };

typedef struct job {
  int runs[MOST];
  double value[MOST];
  int length; /* of the work of a task */
} job;

/* The work of tasks differs, so that threads overtake each other. */
static picus_status work_one(void *work, int task) {
  job *j = work;
  double sum = 0;
  for (int k = 0; k < j->length * (task % 7); k++) sum += 1.0 / (task + k + 1);
  j->runs[task]++;
  j->value[task] = sum;
  return PICUS_OK;
}

static picus_context *context_with(int threads) {
  picus_context *context = NULL;
  if (picus_context_create(NULL, &context)) return NULL;
  if (!CHECK(picus_context_set_threads(context, threads) == PICUS_OK)) return context;
  CHECK(threads == 0 || picus_context_threads(context) == threads);
  return context;
}

static void every_task_runs_once(void) {
  static const int threads[] = {1, 2, 3, 8, 0};
  test_random random = {17};
  for (int k = 0; k < 5; k++) {
    picus_context *context = context_with(threads[k]);
    REQUIRE(context);
    for (int batch = 0; batch < 400; batch++) {
      job j = {.length = test_integer(&random, 0, 60)}, alone = j;
      const int count = test_integer(&random, 0, batch % 10 ? 40 : MOST);
      CHECK(picus_tasks_run(context, count, work_one, &j) == PICUS_OK);
      bool once = true;
      for (int i = 0; i < count; i++) work_one(&alone, i);
      for (int i = 0; i < MOST; i++) once = once && j.runs[i] == (i < count);
      CHECK(once);
      CHECK(memcmp(j.value, alone.value, sizeof j.value) == 0);
      if (batch % 100 == 50) nanosleep(&(struct timespec){0, 3000000}, NULL); /* threads fall asleep */
    }
    picus_context_destroy(context);
  }
}

typedef struct failing {
  atomic_int runs;
  int first, every;
} failing;

static picus_status fail_sometimes(void *work, int task) {
  failing *f = work;
  atomic_fetch_add(&f->runs, 1);
  if (task < f->first) return PICUS_OK;
  if (task == f->first) return PICUS_ERROR_NUMBER;
  return (task - f->first) % f->every ? PICUS_NOT_CONVERGED : PICUS_ERROR_SINGULAR;
}

static void the_first_failure_counts(void) {
  for (int threads = 1; threads < 4; threads++) {
    picus_context *context = context_with(threads);
    REQUIRE(context);
    for (int k = 0; k < 200; k++) {
      failing f = {.first = k, .every = 1 + k % 3};
      CHECK(picus_tasks_run(context, 201, fail_sometimes, &f) == PICUS_ERROR_NUMBER);
      CHECK(f.runs == 201);
    }
    job j = {0};
    CHECK(picus_tasks_run(context, 50, work_one, &j) == PICUS_OK); /* and the next batch is sound */
    picus_context_destroy(context);
  }
}

typedef struct nested {
  picus_context *context;
  atomic_int rejected, divided;
} nested;

static picus_status do_nothing(void *work, int task) {
  (void)work;
  (void)task;
  return PICUS_OK;
}

static picus_status call_again(void *work, int task) {
  nested *n = work;
  (void)task;
  if (picus_tasks_run(n->context, 3, do_nothing, NULL) == PICUS_ERROR_UNSUPPORTED) atomic_fetch_add(&n->rejected, 1);
  if (picus_context_set_threads(n->context, 2) == PICUS_ERROR_UNSUPPORTED) atomic_fetch_add(&n->rejected, 1);
  if (picus_tasks_for(n->context, 1000000, 1) != 1) atomic_fetch_add(&n->divided, 1);
  return PICUS_OK;
}

static void nested_calls_are_rejected(void) {
  picus_context *context = context_with(3);
  REQUIRE(context);
  nested n = {.context = context};
  CHECK(picus_tasks_run(context, 40, call_again, &n) == PICUS_OK);
  CHECK(n.rejected == 80 && n.divided == 0);
  CHECK(picus_tasks_run(context, 40, do_nothing, NULL) == PICUS_OK);
  picus_context_destroy(context);
}

/* --- hosts -------------------------------------------------------------------------------------------------------- */

typedef struct host {
  int batches, skipped;
} host;

static void run_backwards(void *user, int count, picus_task_fn task, void *work) {
  host *h = user;
  h->batches++;
  for (int i = count - 1; i >= h->skipped; i--) task(work, i);
  task(work, count);
  task(work, -1);
}

static void hosts_run_tasks_on_their_own_threads(void) {
  picus_context *context = context_with(1);
  REQUIRE(context);
  host h = {0};
  CHECK(picus_context_set_tasks(context, 4, run_backwards, &h) == PICUS_OK);
  CHECK(picus_context_threads(context) == 4 && picus_tasks_for(context, 100, 10) == 4);
  job j = {0};
  CHECK(picus_tasks_run(context, 20, work_one, &j) == PICUS_OK);
  for (int i = 0; i < 25; i++) CHECK(j.runs[i] == (i < 20));
  CHECK(h.batches == 1);
  failing f = {.first = 3, .every = 2};
  CHECK(picus_tasks_run(context, 20, fail_sometimes, &f) == PICUS_ERROR_NUMBER);
  h.skipped = 2;
  CHECK(picus_tasks_run(context, 20, work_one, &j) == PICUS_ERROR_ARGUMENT);
  CHECK_TEXT(picus_last_error(context)->message, "the host's threads did 18 tasks of 20; each must run once");
  CHECK(picus_context_set_tasks(context, 4, NULL, NULL) == PICUS_OK);
  CHECK(picus_context_threads(context) == 1);
  picus_context_destroy(context);
}

/* --- settings ------------------------------------------------------------------------------------------------------
 */

static void numbers_of_threads_are_checked(void) {
  picus_context *context = context_with(1);
  REQUIRE(context);
  CHECK(picus_context_set_threads(context, -1) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_context_set_threads(context, 257) == PICUS_ERROR_ARGUMENT);
  CHECK_TEXT(picus_last_error(context)->message,
             "the number of threads must be from 1 to 256, or 0 for all cores, not 257");
  CHECK(picus_context_set_tasks(context, -2, run_backwards, NULL) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_context_set_threads(context, 0) == PICUS_OK && picus_context_threads(context) >= 1);
  CHECK(picus_context_set_threads(context, 256) == PICUS_OK);
  CHECK(picus_tasks_run(context, 10, do_nothing, NULL) == PICUS_OK);
  CHECK(picus_context_set_threads(context, 1) == PICUS_OK);
  CHECK(picus_context_memory(context) == 0);
  CHECK(picus_tasks_for(context, 1000, 1) == 1);
  picus_context_destroy(context);
}

static void little_work_is_not_divided(void) {
  picus_context *context = context_with(3);
  REQUIRE(context);
  CHECK(picus_tasks_for(context, 0, 10) == 1 && picus_tasks_for(context, 19, 10) == 1);
  CHECK(picus_tasks_for(context, 20, 10) == 2 && picus_tasks_for(context, 1000, 10) == 3);
  for (int size = 0; size < 50; size++) {
    CHECK(picus_task_start(size, 3, 0) == 0 && picus_task_start(size, 3, 3) == size);
    for (int k = 0; k < 3; k++) CHECK(picus_task_start(size, 3, k) <= picus_task_start(size, 3, k + 1));
  }
  CHECK(picus_task_start(2000000000, 256, 255) == 1992187500);
  picus_context_destroy(context);
}

static void memory_may_run_out(void) {
  for (long n = 0; n < 4; n++) {
    picus_context *context;
    test_allocations a = test_refuse_one(n);
    picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
    if (picus_context_create(&def, &context)) continue;
    picus_status status = picus_context_set_threads(context, 3);
    if (status) CHECK(status == PICUS_ERROR_MEMORY && picus_context_threads(context) == 1);
    CHECK(picus_tasks_run(context, 10, do_nothing, NULL) == PICUS_OK);
    picus_context_destroy(context);
    CHECK(a.outstanding == 0);
  }
}

/* Contexts have threads of their own; unused ones never start any. */
static void contexts_are_independent(void) {
  picus_context *contexts[20];
  for (int k = 0; k < 20; k++) contexts[k] = context_with(1 + k % 4);
  for (int k = 0; k < 20; k += 2) {
    job j = {.length = 5};
    CHECK(picus_tasks_run(contexts[k], 100, work_one, &j) == PICUS_OK);
  }
  for (int k = 0; k < 20; k++) picus_context_destroy(contexts[k]);
}

/* --- runs ----------------------------------------------------------------------------------------------------------
 */

/* So many that loops over laws, bodies and pairs are divided, and the sweeps as well. */
enum { EDGE = 12, SPHERES = EDGE * EDGE * EDGE };
static const char PACKING[] =
    "model 'packing'\n"
    "gravity {0, 0, -9.81}\n"
    "material {'default', mu = 0.4}\n"
    "local r, c = 0.01, 12\n"
    "half_space {'floor', normal = {0, 0, 1}}\n"
    "half_space {'left', normal = {1, 0, 0}}\n"
    "half_space {'front', normal = {0, 1, 0}}\n"
    "for i = 0, c^3 - 1 do\n"
    "  sphere {'sphere' .. i, suffix = tostring(i), radius = r, density = 1000 + 100 * (i % 11),\n"
    "    position = {r + 2 * r * (i % c), r + 2 * r * (i // c % c), r + 2 * r * (i // c^2)},\n"
    "    velocity = {0.01 * (i % 3 - 1), 0.01 * (i % 5 - 2), -0.1}}\n"
    "end\n"
    "simulate {scheme = 'moreau', dt = 2e-3, t_end = 1}\n";
typedef struct fallen {
  double q[7 * SPHERES], u[6 * SPHERES];
  long impacts;
} fallen;

/* Spheres that touch fall into a corner, on the threads of the context or, backwards, on those of a host. */
static bool run_spheres(int threads, host *on, int steps, fallen *out) {
  picus_context *context = context_with(on ? 1 : threads);
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  const picus_load_options load = {.override_count = 0};
  if (!context) return false;
  bool fine = !on || !picus_context_set_tasks(context, threads, run_backwards, on);
  fine = fine && !picus_model_load_text(context, "packing.lua", PACKING, strlen(PACKING), &load, &model) &&
         !picus_system_create(model, &system);
  picus_sim_options options = model ? picus_model_sim_options(model) : picus_default_sim_options();
  options.solver.tolerance = 1e-3;
  options.solver.accept_residual = 0.5;
  fine = fine && !picus_sim_create(context, system, &options, &sim);
  out->impacts = 0;
  for (int k = 0; fine && k < steps; k++) {
    picus_step_info info;
    fine = !picus_sim_step(sim, 0, &info);
    out->impacts += info.impacts;
  }
  if (fine) {
    memcpy(out->q, picus_sim_state(sim).q, sizeof out->q);
    memcpy(out->u, picus_sim_state(sim).u, sizeof out->u);
  }
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(context);
  return fine;
}

static void runs_have_the_same_bits_for_any_number_of_threads(void) {
  static fallen alone, other;
  const int steps = test_is_reduced() ? 2 : 6;
  REQUIRE(run_spheres(1, NULL, steps, &alone));
  CHECK(alone.impacts > 20);
  for (int threads = 2; threads < 5; threads++) {
    host h = {0};
    REQUIRE(run_spheres(threads, threads == 4 ? &h : NULL, steps, &other));
    CHECK(memcmp(&alone, &other, sizeof alone) == 0);
    CHECK(threads < 4 || h.batches > steps); /* the work was divided */
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"every_task_runs_once", every_task_runs_once},
      {"the_first_failure_counts", the_first_failure_counts},
      {"nested_calls_are_rejected", nested_calls_are_rejected},
      {"hosts_run_tasks_on_their_own_threads", hosts_run_tasks_on_their_own_threads},
      {"numbers_of_threads_are_checked", numbers_of_threads_are_checked},
      {"little_work_is_not_divided", little_work_is_not_divided},
      {"memory_may_run_out", memory_may_run_out},
      {"contexts_are_independent", contexts_are_independent},
      {"runs_have_the_same_bits_for_any_number_of_threads", runs_have_the_same_bits_for_any_number_of_threads},
  };
  return test_main(argc, argv, "tasks", cases, sizeof cases / sizeof cases[0]);
}
