/* Checkpoints: a run that is saved, loaded by a new simulation and continued has the bits of the run that was never
 * stopped: states, rows, switching points, contacts, summary. For every scheme, with fixed and adaptive steps, and with
 * laws that come and go. */
#include "support/check.h"
#include "support/run_story.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct subject {
  const char *model, *scheme;
  double dt, t_end, sample;
  bool adaptive;
  long every;
  const char *overrides, *solver;
} subject;

#define CASES TEST_DATA "/cases/"
static const subject fixed_steps[] = {
    {"woodpecker", "moreau", 1e-4, 0.05, 0, false, 7, "", NULL},
    {"woodpecker", "moreau-explicit", 1e-4, 0.05, 0, false, 1, "", NULL},
    {"woodpecker", "moreau-jean", 1e-4, 0.05, 0.0037, false, 0, "", NULL},
    {"woodpecker", "rattle", 1e-4, 0.05, 0, false, 3, "", NULL},
    {"woodpecker", "half-explicit", 1e-4, 0.05, 0, false, 1, "", NULL},
    {"bouncing-ball", "half-explicit-acc", 1e-3, 2, 0, false, 1, "", NULL},
    {"woodpecker", "half-explicit-rk", 1e-4, 0.05, 0, false, 1, "", NULL},
    {"slider-crank", "moreau-projected", 1e-4, 0.05, 0, false, 1, "", NULL},
    {"slider-crank", "moreau-combined", 1e-4, 0.05, 0, false, 1, "", NULL},
    {"slider-crank", "moreau-jean", 1e-4, 0.05, 0.001, false, 0, "", NULL},
    {"bouncing-ball", "schatzman-paoli", 1e-3, 2, 0, false, 1, "", NULL},
    {"bouncing-ball", "trapezoidal-position", 1e-3, 2, 0, false, 1, "", NULL},
    {"elastic-bar", "moreau-jean", 1e-6, 4e-5, 3.5e-6, false, 0, "", NULL},
    {"elastic-bar", "rattle", 1e-7, 4e-6, 0, false, 1, "", NULL},
    {"cantilever-stop", "moreau-jean", 1e-4, 0.02, 0.00075, false, 0, "", NULL},
    {CASES "box3d.lua", "moreau", 1e-3, 1, 0, false, 1, "", NULL},
    {CASES "box3d.lua", "rattle", 1e-3, 1, 0, false, 1, "", NULL},
    {"tippedisk", "moreau-jean", 1e-3, 0.5, 0, false, 1, "", NULL},
    {CASES "bump.lua", "half-explicit-rk", 1e-3, 2, 0, false, 1, "", NULL},
    {"stribeck-belt", "moreau", 1e-3, 1, 0, false, 1, "", NULL},
    {"stribeck-belt", "moreau-jean", 1e-3, 1, 0, false, 1, "", NULL},
    {"stribeck-belt", "half-explicit", 1e-3, 1, 0, false, 1, "", NULL},
    {"stribeck-belt", "half-explicit-rk", 1e-3, 1, 0, false, 1, "", NULL},
    {"stribeck-belt", "rattle", 1e-3, 1, 0, false, 1, "", NULL},
    {"drawer", "rattle", 1e-3, 0.3, 0, false, 1, "", NULL},
    {"drawer", "moreau", 1e-3, 0.3, 0, false, 1, "", NULL},
    {"drawer", "half-explicit-rk", 1e-3, 0.3, 0, false, 1, "", NULL},
    {"billiard", "rattle", 1e-3, 0.2, 0.1, false, 1, "", NULL},
    {"turntable", "rattle", 2e-3, 0.2, 0, false, 1, "", NULL},
    {"rattleback", "rattle", 1e-3, 0.2, 0, false, 1, "", NULL},
    {"rattleback", "moreau-jean", 1e-3, 0.2, 0, false, 1, "", NULL},
};
static const subject adaptive_steps[] = {
    {"falling-mass", "moreau", 1e-3, 0, 0, true, 1, "", NULL},
    {"woodpecker", "moreau", 1e-4, 0.1, 1e-3, true, 0, "", NULL},
    {"woodpecker", "rattle", 1e-4, 0.1, 0, true, 1, "", NULL},
    {"woodpecker", "moreau-explicit", 1e-4, 0.05, 0, true, 1, "", NULL},
    {"woodpecker", "half-explicit", 1e-4, 0.05, 0, true, 1, "", NULL},
    {"slider-crank", "moreau-jean", 1e-4, 0.02, 0, true, 1, "", NULL},
    {"bouncing-ball", "moreau", 1e-3, 2, 0.01, true, 0, "", NULL},
    {"rocking-block", "rattle", 1e-3, 0.5, 0, true, 1, "", NULL},
    {CASES "relay.lua", "moreau", 1e-3, 20, 0.1, true, 0, "", NULL},
    {CASES "bump.lua", "rattle", 1e-3, 2, 0, true, 1, "", NULL},
    {"stribeck-belt", "rattle", 1e-5, 1, 0, true, 1, "", NULL},
    {"stribeck-belt", "moreau", 1e-5, 1, 0, true, 1, "", NULL},
    {"brake-squeal", "half-explicit-rk", 1e-8, 0.015, 0, true, 1, "", NULL},
};
static const subject shapes[] = {
    {"dominoes", "moreau", 2e-3, 0.3, 0, false, 2, "", NULL},
    {"dominoes", "rattle", 2e-3, 0.1, 0, false, 1, "", NULL},
    {"dominoes", "moreau-jean", 2e-3, 0.1, 0, false, 1, "", NULL},
    {"disks", "moreau", 2e-3, 0.15, 0, false, 3, "n=100", NULL},
    {"chute", "moreau", 2e-3, 0.2, 0, false, 5, "", NULL},
    {"tower", "moreau", 2e-3, 0.1, 0, false, 3, "", "newton"},
    {CASES "domino.lua", "moreau", 1e-3, 0.1, 0, true, 1, "", NULL},
    {"newtons-cradle", "moreau", 1e-3, 0.1, 0, true, 1, "", NULL},
};
#define COUNT(list) ((int)(sizeof list / sizeof list[0]))

/* --- runs --------------------------------------------------------------------------------------------------------- */

static bool open_subject(const subject *c, simulation *s) {
  picus_sim_options options;
  if (!simulation_load(s, c->model, c->overrides, &options)) return false;
  options.scheme = c->scheme;
  options.dt = c->dt;
  options.adaptive = c->adaptive;
  options.dt_min = c->adaptive ? c->dt / 10 : 0;
  options.dt_max = 0;
  options.every = c->every;
  options.sample = c->sample;
  if (c->t_end > 0) options.t_end = c->t_end;
  if (c->solver) options.solver.solver = c->solver;
  return simulation_start(s, &options);
}

typedef struct stopper {
  long stop, steps; /* after which the run is saved and stopped; 0: never */
  story_bytes saved;
} stopper;

static int save_and_stop(void *user, picus_sim *sim, const picus_step_info *info) {
  stopper *s = user;
  if (!info || ++s->steps != s->stop) return 0;
  s->saved = run_story_save(sim);
  return 1;
}

static bool run_unbroken(const subject *c, run_story *out) {
  simulation s;
  *out = (run_story){0};
  if (!open_subject(c, &s)) return false;
  const picus_status status = run_story_tell(&s, NULL, out);
  if (status) printf("  %s %s: %s\n", c->model, c->scheme, out->message);
  simulation_close(&s);
  return status == PICUS_OK;
}

/* Stopped after so many steps, loaded and continued, as often as the list says. */
static bool run_broken(const subject *c, int stops, const long *stop, run_story *out) {
  story_bytes saved = {0};
  bool is_fine = true;
  *out = (run_story){0};
  for (int part = 0; is_fine && part <= stops; part++) {
    simulation s;
    stopper one = {.stop = part < stops ? stop[part] - (part > 0 ? stop[part - 1] : 0) : 0};
    const picus_run_hooks hooks = {.user = &one, .step = save_and_stop};
    if (!open_subject(c, &s)) return false;
    picus_status status = part > 0 ? picus_sim_load(s.sim, saved.at, saved.count, PICUS_LOAD_SAME_MODEL) : PICUS_OK;
    if (!status) status = run_story_tell(&s, part < stops ? &hooks : NULL, out);
    is_fine = status == (part < stops ? PICUS_INTERRUPTED : PICUS_OK);
    if (!is_fine) printf("  %s %s, part %d: %s\n", c->model, c->scheme, part, picus_last_error(s.context)->message);
    free(saved.at);
    saved = one.saved;
    simulation_close(&s);
  }
  free(saved.at);
  return is_fine;
}

static void check_subject(const subject *c, test_random *random) {
  run_story whole, broken;
  char why[STORY_WHY];
  REQUIRE(run_unbroken(c, &whole));
  CHECK(whole.steps > 10);
  const long places[][3] = {{1, 0, 0},
                            {whole.steps / 2, 0, 0},
                            {test_integer(random, 2, (int)whole.steps - 1), 0, 0},
                            {whole.steps / 5, whole.steps / 2, whole.steps - 1}};
  for (int k = test_is_reduced() ? COUNT(places) - 1 : 0; k < COUNT(places); k++) {
    const int stops = k == COUNT(places) - 1 ? 3 : 1;
    if (CHECK(run_broken(c, stops, places[k], &broken)) && !CHECK(run_story_same(&whole, &broken, why)))
      printf("  %s %s%s, stopped after %ld of %ld steps: other %s\n", c->model, c->scheme,
             c->adaptive ? " adaptive" : "", places[k][0], whole.steps, why);
    run_story_free(&broken);
  }
  run_story_free(&whole);
}

static void check_all(const subject *list, int count) {
  test_random random = {20};
  for (int k = 0; k < count; k++) check_subject(&list[k], &random);
}

static void runs_with_fixed_steps_go_on(void) { check_all(fixed_steps, COUNT(fixed_steps)); }
static void adaptive_runs_go_on(void) { check_all(adaptive_steps, COUNT(adaptive_steps)); }
static void runs_with_contacts_that_come_and_go_go_on(void) { check_all(shapes, COUNT(shapes)); }

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"runs_with_fixed_steps_go_on", runs_with_fixed_steps_go_on},
      {"adaptive_runs_go_on", adaptive_runs_go_on},
      {"runs_with_contacts_that_come_and_go_go_on", runs_with_contacts_that_come_and_go_go_on},
  };
  return test_main(argc, argv, "checkpoint", cases, COUNT(cases));
}
