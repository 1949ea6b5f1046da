/* Checkpoints that do not fit, that are cut or damaged, and that somebody made to do harm: each ends in a sentence, and
 * the simulation can be used afterwards. Steps of a program, files, changed inputs, and runs that are extended. */
#include "base/archive.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(list) ((int)(sizeof list / sizeof list[0]))

typedef struct checkpoint {
  unsigned char *at;
  size_t size;
} checkpoint;

static checkpoint save(picus_sim *sim) {
  checkpoint c = {0};
  CHECK(picus_sim_save(sim, NULL, 0, &c.size) == PICUS_OK);
  c.at = malloc(c.size + 1);
  CHECK(picus_sim_save(sim, c.at, c.size, &c.size) == PICUS_OK);
  return c;
}

static bool open_model(simulation *s, const char *model, const char *overrides, const char *scheme, bool adaptive) {
  picus_sim_options options;
  if (!simulation_load(s, model, overrides, &options)) return false;
  options.scheme = scheme;
  options.dt = 1e-4;
  options.t_end = 0.05;
  options.adaptive = adaptive;
  options.dt_min = adaptive ? 1e-5 : 0;
  return simulation_start(s, &options);
}

static bool same_state(const simulation *a, const simulation *b) {
  const picus_state x = picus_sim_state(a->sim), y = picus_sim_state(b->sim);
  return memcmp(&x.t, &y.t, sizeof x.t) == 0 && memcmp(x.q, y.q, (size_t)x.nq * sizeof *x.q) == 0 &&
         memcmp(x.u, y.u, (size_t)x.nu * sizeof *x.u) == 0;
}

static void make_steps(simulation *s, bool adaptive, int count) {
  for (int k = 0; k < count; k++)
    CHECK((adaptive ? picus_sim_advance(s->sim, 1, NULL) : picus_sim_step(s->sim, 0, NULL)) == PICUS_OK);
}

/* Without a run: a program that makes its steps. */
static void steps_of_a_program_go_on(void) {
  static const char *const schemes[] = {"moreau", "moreau-jean", "rattle"};
  for (int k = 0; k < 2 * COUNT(schemes); k++) {
    simulation first, second;
    const bool adaptive = k % 2 == 1;
    REQUIRE(open_model(&first, "woodpecker", "", schemes[k / 2], adaptive) &&
            open_model(&second, "woodpecker", "", schemes[k / 2], adaptive));
    make_steps(&first, adaptive, 60);
    checkpoint saved = save(first.sim);
    CHECK(picus_sim_load(second.sim, saved.at, saved.size, PICUS_LOAD_SAME_MODEL) == PICUS_OK);
    CHECK(same_state(&first, &second));
    make_steps(&first, adaptive, 60);
    make_steps(&second, adaptive, 60);
    CHECK(same_state(&first, &second));
    free(saved.at);
    simulation_close(&first);
    simulation_close(&second);
  }
}

static void a_file_has_the_same_bytes(void) {
  static const char path[] = "checkpoint_misuse.checkpoint";
  simulation first, second;
  REQUIRE(open_model(&first, "woodpecker", "", "moreau", false) &&
          open_model(&second, "woodpecker", "", "moreau", false));
  make_steps(&first, false, 100);
  CHECK(picus_sim_save_file(first.sim, path) == PICUS_OK);
  CHECK(picus_sim_load_file(second.sim, path, PICUS_LOAD_SAME_MODEL) == PICUS_OK);
  CHECK(same_state(&first, &second));
  remove(path);
  CHECK(picus_sim_load_file(second.sim, path, PICUS_LOAD_SAME_MODEL) == PICUS_ERROR_IO);
  simulation_close(&first);
  simulation_close(&second);
}

/* A run that is extended makes the steps of the longer run, if its last step was not shortened for its end. */
static void a_run_can_be_extended(void) {
  simulation part, rest, whole;
  picus_sim_options options;
  REQUIRE(open_model(&part, "woodpecker", "", "moreau", false));
  REQUIRE(simulation_load(&rest, "woodpecker", "", &options));
  options.scheme = "moreau";
  options.dt = 1e-4;
  options.t_end = 0.1;
  REQUIRE(simulation_start(&rest, &options));
  REQUIRE(simulation_load(&whole, "woodpecker", "", &options));
  options.scheme = "moreau";
  options.dt = 1e-4;
  options.t_end = 0.1;
  REQUIRE(simulation_start(&whole, &options));
  CHECK(picus_sim_run(part.sim, NULL, NULL, NULL) == PICUS_OK);
  checkpoint saved = save(part.sim);
  CHECK(picus_sim_load(rest.sim, saved.at, saved.size, PICUS_LOAD_SAME_MODEL) == PICUS_OK);
  CHECK(picus_sim_run(rest.sim, NULL, NULL, NULL) == PICUS_OK &&
        picus_sim_run(whole.sim, NULL, NULL, NULL) == PICUS_OK);
  const picus_state a = picus_sim_state(rest.sim), b = picus_sim_state(whole.sim);
  CHECK(a.t == b.t);
  for (int i = 0; i < a.nq; i++) CHECK_NEAR(a.q[i], b.q[i], 1e-9);
  free(saved.at);
  simulation_close(&part);
  simulation_close(&rest);
  simulation_close(&whole);
}

/* --- what does not fit -------------------------------------------------------------------------------------------- */

static void expect(simulation *s, const checkpoint *c, picus_status status, const char *words) {
  CHECK(picus_sim_load(s->sim, c->at, c->size, PICUS_LOAD_SAME_MODEL) == status);
  if (!CHECK(strstr(picus_last_error(s->context)->message, words) != NULL))
    printf("  %s\n", picus_last_error(s->context)->message);
}

static void other_models_and_options_are_named(void) {
  simulation first, other;
  REQUIRE(open_model(&first, "woodpecker", "", "moreau", false));
  make_steps(&first, false, 100);
  checkpoint saved = save(first.sim);
  REQUIRE(open_model(&other, "slider-crank", "", "moreau", false));
  expect(&other, &saved, PICUS_ERROR_ARGUMENT, "another model");
  CHECK(picus_sim_load(other.sim, saved.at, saved.size, PICUS_LOAD_CHANGED_MODEL) == PICUS_ERROR_IO);
  make_steps(&other, false, 10);
  simulation_close(&other);
  REQUIRE(open_model(&other, "woodpecker", "", "rattle", false));
  expect(&other, &saved, PICUS_ERROR_ARGUMENT, "scheme");
  simulation_close(&other);
  REQUIRE(open_model(&other, "woodpecker", "", "moreau", true));
  expect(&other, &saved, PICUS_ERROR_ARGUMENT, "the checkpoint was written with");
  simulation_close(&other);
  REQUIRE(open_model(&other, "woodpecker", "mM=0.0004", "moreau", false));
  expect(&other, &saved, PICUS_ERROR_ARGUMENT, "other parameters");
  CHECK(picus_sim_load(other.sim, saved.at, saved.size, PICUS_LOAD_CHANGED_MODEL) == PICUS_OK);
  CHECK(same_state(&first, &other));
  make_steps(&other, false, 100);
  simulation_close(&other);
  free(saved.at);
  simulation_close(&first);
}

static void renew_sum(checkpoint *c) {
  const uint64_t sum = picus_check_sum(c->at, c->size - sizeof sum);
  memcpy(c->at + c->size - sizeof sum, &sum, sizeof sum);
}

static void other_versions_are_named(void) {
  simulation s;
  REQUIRE(open_model(&s, "woodpecker", "", "moreau", false));
  checkpoint saved = save(s.sim);
  memcpy(saved.at + 24, "0.0.1", 6);
  renew_sum(&saved);
  expect(&s, &saved, PICUS_ERROR_IO, "Picus 0.0.1");
  free(saved.at);
  simulation_close(&s);
}

static void cut_and_damaged_ones_are_noticed(void) {
  simulation s;
  REQUIRE(open_model(&s, "woodpecker", "", "moreau-jean", true));
  make_steps(&s, true, 30);
  const checkpoint saved = save(s.sim);
  for (size_t size = 0; size < saved.size; size += 1 + size / 7) {
    unsigned char *cut = malloc(size + 1); /* of its own, so that a read behind it is seen */
    memcpy(cut, saved.at, size);
    CHECK(picus_sim_load(s.sim, cut, size, PICUS_LOAD_SAME_MODEL) == PICUS_ERROR_IO);
    free(cut);
  }
  for (size_t place = 0; place < saved.size; place += 1 + saved.size / (size_t)test_size(50, 211, 1000)) {
    saved.at[place] ^= 4;
    CHECK(picus_sim_load(s.sim, saved.at, saved.size, PICUS_LOAD_SAME_MODEL) == PICUS_ERROR_IO);
    saved.at[place] ^= 4;
  }
  CHECK(picus_sim_load(s.sim, saved.at, saved.size, PICUS_LOAD_SAME_MODEL) == PICUS_OK);
  free(saved.at);
  simulation_close(&s);
}

/* --- made to do harm ---------------------------------------------------------------------------------------------- */

typedef struct kept_run {
  checkpoint saved;
} kept_run;

static int keep_it(void *user, picus_sim *sim, const picus_step_info *info) {
  kept_run *kept = user;
  static int steps;
  steps = info ? steps + 1 : 0;
  if (steps != 20) return 0;
  kept->saved = save(sim);
  return 1;
}

static picus_status record(simulation *s, const picus_run_hooks *hooks) {
  picus_run_description description = {s->model, s->system, picus_sim_options_of(s->sim), ""};
  recorded_switchings switchings = {0};
  picus_recorder *recorder = NULL;
  picus_summary summary;
  picus_status status = picus_recorder_create(s->context, &description, &recorder);
  if (!status) status = picus_recorder_add_sink(recorder, recorded_switchings_sink(&switchings));
  if (!status) status = picus_sim_run(s->sim, recorder, hooks, &summary);
  picus_recorder_destroy(recorder);
  recorded_switchings_free(&switchings);
  return status;
}

static int stop_soon(void *user, picus_sim *sim, const picus_step_info *info) {
  int *left = user;
  (void)sim, (void)info;
  return --*left <= 0;
}

/* Some bytes are others, and the check sum is right: it is rejected with a sentence, or makes steps, which may fail. */
static void try_mutant(const char *model, const char *scheme, bool adaptive, const checkpoint *c) {
  simulation s;
  int left = 5;
  const picus_run_hooks hooks = {.user = &left, .step = stop_soon};
  REQUIRE(open_model(&s, model, "", scheme, adaptive));
  picus_status status = picus_sim_load(s.sim, c->at, c->size, PICUS_LOAD_CHANGED_MODEL);
  if (!status) status = record(&s, &hooks);
  CHECK(status == PICUS_OK || picus_last_error(s.context)->message[0] != 0);
  simulation_close(&s);
}

static void mutate(test_random *random, checkpoint *c) {
  static const unsigned char bytes[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0xf0};
  const int count = test_integer(random, 1, 3);
  for (int k = 0; k < count; k++) {
    const size_t place = (size_t)test_integer(random, 60, (int)c->size - 9),
                 length = (size_t)test_integer(random, 1, 8);
    const unsigned char byte = bytes[test_integer(random, 0, COUNT(bytes) - 1)];
    for (size_t i = place; i < place + length && i + 8 < c->size; i++)
      c->at[i] = test_integer(random, 0, 1) ? byte : (unsigned char)test_integer(random, 0, 255);
  }
  renew_sum(c);
}

static void any_bytes_end_in_a_sentence(void) {
  static const struct {
    const char *model, *scheme;
    bool adaptive;
  } subjects[] = {{"woodpecker", "moreau-jean", false}, {"woodpecker", "rattle", true}, {"dominoes", "moreau", false}};
  test_random random = {7};
  for (int k = 0; k < COUNT(subjects); k++) {
    simulation s;
    kept_run kept = {{0}};
    const picus_run_hooks hooks = {.user = &kept, .step = keep_it};
    REQUIRE(open_model(&s, subjects[k].model, "", subjects[k].scheme, subjects[k].adaptive));
    CHECK(record(&s, &hooks) == PICUS_INTERRUPTED);
    simulation_close(&s);
    REQUIRE(kept.saved.at != NULL);
    checkpoint mutant = {malloc(kept.saved.size), kept.saved.size};
    for (int i = 0; i < test_size(40, 150, 500); i++) {
      memcpy(mutant.at, kept.saved.at, mutant.size);
      mutate(&random, &mutant);
      try_mutant(subjects[k].model, subjects[k].scheme, subjects[k].adaptive, &mutant);
    }
    free(mutant.at);
    free(kept.saved.at);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"steps_of_a_program_go_on", steps_of_a_program_go_on},
      {"a_file_has_the_same_bytes", a_file_has_the_same_bytes},
      {"a_run_can_be_extended", a_run_can_be_extended},
      {"other_models_and_options_are_named", other_models_and_options_are_named},
      {"other_versions_are_named", other_versions_are_named},
      {"cut_and_damaged_ones_are_noticed", cut_and_damaged_ones_are_noticed},
      {"any_bytes_end_in_a_sentence", any_bytes_end_in_a_sentence},
  };
  return test_main(argc, argv, "checkpoint_misuse", cases, COUNT(cases));
}
