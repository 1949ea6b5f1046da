/* Memory refused at the n-th allocation, for every n, from loading a model to its first steps and a recorded run: an
 * error each time, never a crash, and nothing is lost (run under AddressSanitizer to see leaks). */
#include "support/check.h"

#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct budget {
  long left;        /* allocations still granted */
  long outstanding; /* blocks not given back */
} budget;

static void *grant(void *user, void *old, size_t old_size, size_t new_size) {
  (void)old_size;
  budget *b = user;
  if (new_size == 0) {
    if (old) b->outstanding--;
    free(old);
    return NULL;
  }
  if (b->left-- <= 0) return NULL;
  void *block = realloc(old, new_size);
  if (block && !old) b->outstanding++;
  return block;
}

static picus_status drop_switchings(void *self, long count, const picus_switching *switchings) {
  (void)self;
  (void)count;
  (void)switchings;
  return PICUS_OK;
}
static picus_status drop_rows(void *self, long rows, int columns, const double *values) {
  (void)self, (void)rows, (void)columns, (void)values;
  return PICUS_OK;
}
static picus_status open_nothing(void *self, const picus_run_description *run, int count, const picus_column *columns) {
  (void)self, (void)run, (void)count, (void)columns;
  return PICUS_OK;
}
static picus_status close_nothing(void *self, const picus_summary *summary) {
  (void)self, (void)summary;
  return PICUS_OK;
}
static void destroy_nothing(void *self) { (void)self; }

static picus_status whole_run(picus_context *context, const char *name) {
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  picus_status status = picus_model_load(context, name, NULL, &model);
  if (status == PICUS_OK) status = picus_system_create(model, &system);
  if (status == PICUS_OK) {
    picus_sim_options options = picus_model_sim_options(model);
    options.t_end = 5 * options.dt;
    status = picus_sim_create(context, system, &options, &sim);
  }
  if (status == PICUS_OK) {
    picus_run_description run = {model, system, picus_sim_options_of(sim), ""};
    status = picus_recorder_create(context, &run, &recorder);
  }
  picus_sink sink = {.self = NULL,
                     .open = open_nothing,
                     .write = drop_rows,
                     .close = close_nothing,
                     .destroy = destroy_nothing,
                     .write_switchings = drop_switchings};
  if (status == PICUS_OK) status = picus_recorder_add_sink(recorder, sink);
  if (status == PICUS_OK) status = picus_sim_run(sim, recorder, NULL, NULL);
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  return status;
}

static void refuse_each(const char *name, long stride) {
  for (long n = 0;; n += stride) {
    budget b = {n, 0};
    picus_context_def def = {.allocate = grant, .allocate_user = &b};
    picus_context *context;
    if (picus_context_create(&def, &context) != PICUS_OK) {
      CHECK(n == 0);
      continue;
    }
    picus_status status = whole_run(context, name);
    if (status != PICUS_OK && status != PICUS_ERROR_MEMORY)
      printf("  %s, allocation %ld: %s\n", name, n, picus_last_error(context)->message);
    CHECK(status == PICUS_OK || (status == PICUS_ERROR_MEMORY && picus_last_error(context)->message[0]));
    CHECK(picus_context_memory(context) == 0);
    picus_context_destroy(context);
    CHECK(b.outstanding == 0);
    if (status == PICUS_OK) {
      printf("  %s: %ld allocations\n", name, n);
      return;
    }
    REQUIRE(n < 1000000);
  }
}

static void woodpecker(void) { refuse_each("woodpecker", getenv("PICUS_TEST_REDUCED") ? 13 : 1); }
static void sliding_mass(void) { refuse_each("sliding-mass", getenv("PICUS_TEST_REDUCED") ? 7 : 1); }

int main(int argc, char **argv) {
  static const test_case cases[] = {{"woodpecker", woodpecker}, {"sliding_mass", sliding_mass}};
  return test_main(argc, argv, "refused_memory", cases, 2);
}
