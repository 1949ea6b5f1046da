/* Bodies that sleep: the motion is the one without sleep, up to what counts as rest, whatever moves them. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Boxes with one disk above each other, apart; what moves one of them follows. */
#define STACKS                                                                                                         \
  "model 'stacks'\n"                                                                                                   \
  "gravity {0, -10}\n"                                                                                                 \
  "material {'default', mu = 0.4}\n"                                                                                   \
  "local base, top = {}, {}\n"                                                                                         \
  "for i = 1, 8 do\n"                                                                                                  \
  "  base[i] = rectangle {'base' .. i, suffix = 'a' .. i, size = {0.2, 0.1}, mass = 1, position = {i, 0.05}}\n"        \
  "  top[i] = rectangle {'top' .. i, suffix = 'b' .. i, size = {0.1, 0.1}, mass = 2, position = {i, 0.15}}\n"          \
  "end\n"
#define FLOOR "half_space {'floor', normal = {0, 1}}\n"
#define RUN "simulate {scheme = 'moreau', dt = 2e-3, t_end = 1}\n"

static const char AT_REST[] = STACKS FLOOR RUN;
/* A disk slides against a stack. */
static const char HIT[] = STACKS FLOOR
    "disk {'ball', suffix = 'c', radius = 0.03, mass = 1, position = {-0.5, 0.0301}, velocity = {2.5, 0}}\n" RUN;
/* The floor begins to move at 0.5 s. */
static const char MOVING[] = STACKS "frame {'belt', position = {when(lt(t, 0.5), 0, 2 * (t - 0.5)^2), 0}, shape = "
                                    "{'half_space', normal = {0, 1}}}\n" RUN;
/* A force that grows from 0.4 s on, and is stronger than friction from 0.7 s on. */
static const char PULLED[] =
    STACKS FLOOR "body_force {base[3], force = {when(lt(t, 0.4), 0, 40 * (t - 0.4)), 0}}\n" RUN;

typedef struct noted {
  int asleep, most; /* bodies after the last step; most of all steps */
  long iterations;
} noted;

static int note_step(void *user, picus_sim *sim, const picus_step_info *info) {
  noted *n = user;
  (void)sim;
  if (!info) return 0;
  n->asleep = info->asleep;
  if (info->asleep > n->most) n->most = info->asleep;
  n->iterations += info->solver.last.iterations;
  return 0;
}

enum { NUMBERS = 256 };

/* The state at the end: coordinates, then velocities. */
static int run(const char *text, const char *scheme, bool sleep, int threads, double *state, noted *n) {
  simulation s;
  picus_sim_options options;
  const picus_run_hooks hooks = {.user = n, .step = note_step};
  *n = (noted){0};
  if (!simulation_load_text(&s, text, &options)) return 0;
  options.scheme = scheme;
  options.sleep = sleep;
  CHECK(picus_context_set_threads(s.context, threads) == PICUS_OK);
  if (!simulation_start(&s, &options)) return 0;
  if (!CHECK(picus_sim_run(s.sim, NULL, &hooks, NULL) == PICUS_OK))
    printf("  %s\n", picus_last_error(s.context)->message);
  const picus_state end = picus_sim_state(s.sim);
  const int count = end.nq + end.nu;
  CHECK(count <= NUMBERS);
  memcpy(state, end.q, (size_t)end.nq * sizeof *state);
  memcpy(state + end.nq, end.u, (size_t)end.nu * sizeof *state);
  simulation_close(&s);
  return count;
}

static double difference(int count, const double *a, const double *b) {
  double most = 0;
  for (int k = 0; k < count; k++) most = fmax(most, fabs(a[k] - b[k]));
  return most;
}

/* asleep: bodies at the end, moved: the least motion of some coordinate that makes the case worth something. */
static void compare(const char *name, const char *text, const char *scheme, int asleep, double moved) {
  static double with[NUMBERS], without[NUMBERS], still[NUMBERS], threads[NUMBERS];
  noted slept, awake, other;
  const int count = run(text, scheme, true, 1, with, &slept);
  REQUIRE(count > 0 && run(text, scheme, false, 1, without, &awake) == count);
  CHECK(run(AT_REST, scheme, false, 1, still, &other) <= count);
  const double error = difference(count, with, without);
  printf("  %s, %s: difference %.1e, %d bodies asleep at the end, %d at most; %ld and %ld iterations\n", name, scheme,
         error, slept.asleep, slept.most, slept.iterations, awake.iterations);
  CHECK(error < 1e-10);
  CHECK(slept.asleep == asleep && slept.most >= 16 && awake.most == 0);
  CHECK(slept.iterations < awake.iterations);
  CHECK(fabs(without[6] - still[6]) >= moved || fabs(without[12] - still[12]) >= moved ||
        fabs(without[0] - still[0]) >= moved);
  CHECK(run(text, scheme, true, 3, threads, &other) == count);
  CHECK(memcmp(with, threads, (size_t)count * sizeof *with) == 0);
}

static void sleep_changes_nothing_but_time(void) {
  static const char *const schemes[] = {"moreau", "moreau-explicit"};
  for (int k = 0; k < 2; k++) {
    compare("at rest", AT_REST, schemes[k], 16, 0);
    compare("hit by a disk", HIT, schemes[k], 17, 1e-3);
    compare("on a belt that starts", MOVING, schemes[k], 0, 0.1);
    compare("pulled", PULLED, schemes[k], 14, 1e-2);
  }
}

/* Bodies in the air never sleep; other schemes say that they cannot. */
static void who_cannot_sleep(void) {
  static double state[NUMBERS];
  noted n;
  CHECK(run("model 'falls'\ngravity {0, 0}\nfor i = 1, 30 do disk {'d' .. i, suffix = 'd' .. i, radius = 0.1, mass = 1,"
            " position = {i, 0}} end\nsimulate {dt = 0.01, t_end = 1}\n",
            "moreau", true, 1, state, &n) > 0);
  CHECK(n.most == 0);
  simulation s;
  picus_sim_options options;
  REQUIRE(simulation_load_text(&s, AT_REST, &options));
  options.sleep = true;
  options.scheme = "rattle";
  CHECK(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_ERROR_UNSUPPORTED);
  CHECK_TEXT(picus_last_error(s.context)->message,
             "bodies sleep with the schemes moreau and moreau-explicit and fixed steps only; omit sleep");
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"sleep_changes_nothing_but_time", sleep_changes_nothing_but_time},
      {"who_cannot_sleep", who_cannot_sleep},
  };
  return test_main(argc, argv, "sleep", cases, sizeof cases / sizeof *cases);
}
