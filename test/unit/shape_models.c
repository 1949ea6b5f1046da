/* The shipped models of bodies with shapes: stacks that stand, thresholds and velocities in closed form, balances. */
#include "support/check.h"
#include "support/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The largest change of the given columns, numbered from 1, over the run. */
static double drift(const trial_outcome *o, const char *const *names, int count) {
  double most = 0;
  for (; *names; names++)
    for (int k = 1; k <= count; k++)
      most = fmax(most, fabs(trial_value(o, *names, k, -1) - trial_value(o, *names, k, 0)));
  return most;
}

static const char *const spatial[] = {"x", "y", "z", "p0", "p1", "p2", "p3", NULL};

/* Twenty cubes for 10 s at dt = 5 ms: no drift, twist or sag. */
static void tower_stands(void) {
  trial_outcome o;
  REQUIRE(trial_run((trial){.model = "tower"}, &o));
  const double moved = drift(&o, spatial, 20);
  printf("  tower: moved by %.1e in 10 s\n", moved);
  CHECK(moved < 1e-9);
  trial_end(&o);
}

static void small_wall_stands(void) {
  trial_outcome o;
  REQUIRE(trial_run((trial){.model = "wall", .overrides = "rows=4,columns=4", .t_end = 2}, &o));
  const double moved = drift(&o, spatial, 16);
  printf("  wall of 4 x 4 bricks: moved by %.1e in 2 s\n", moved);
  CHECK(moved < 1e-10);
  trial_end(&o);
}

static void planks_and_cards_stand(void) {
  static const char *const cards[] = {"x_L1", "y_L1", "phi_L1", "x_R1", "y_R1", "phi_R1", NULL};
  trial_outcome o;
  REQUIRE(trial_run((trial){.model = "kapla-tower"}, &o));
  CHECK(drift(&o, spatial, 48) < 1e-10);
  trial_end(&o);
  REQUIRE(trial_run((trial){.model = "card-house"}, &o));
  CHECK(drift(&o, cards, 3) < 1e-10);
  trial_end(&o);
  /* with little friction it falls */
  REQUIRE(trial_run((trial){.model = "card-house", .overrides = "mu=0.15", .dt = 1e-3, .t_end = 0.5}, &o));
  CHECK(trial_value(&o, "y_L3", 1, -1) < 0.5 * trial_value(&o, "y_L3", 1, 0));
  trial_end(&o);
}

/* Friction carries weight and acceleration: 2 mu F >= m (g + a) with a = 10 lift / (sqrt(3) T^2) at most. */
static void gripper_threshold(void) {
  const double mu = 0.2 * (9.81 + 10 * 0.1 / sqrt(3)) / (2 * 5);
  for (int k = 0; k < 2; k++) {
    char overrides[40];
    snprintf(overrides, sizeof overrides, "mu=%.17g", mu * (k ? 0.995 : 1.005));
    trial_outcome o;
    REQUIRE(trial_run((trial){.model = "gripper", .overrides = overrides}, &o));
    const double slipped = 0.1 - trial_value(&o, "y", -1, -1);
    printf("  gripper with mu %s the threshold slips by %.1e m\n", k ? "below" : "above", slipped);
    CHECK(k ? slipped > 1e-6 : fabs(slipped) < 1e-9);
    CHECK(o.summary.gaps.penetration < 1e-10);
    trial_end(&o);
  }
}

/* All at once: with v2 - v1 = v and the others together, momentum gives v1 = -(n - 2) v / n and v2 = 2 v / n. One after
 * the other: each ball hands on its velocity. The velocity before is that of a pendulum. */
static void cradle_laws(void) {
  const double pi = acos(-1.0), g = 9.81, l = 0.2, r = 0.02;
  const double v = sqrt(2 * g * l * (1 - cos(pi / 6)) / (l * l + r * r / 2)); /* angular; a disk on a string */
  trial_outcome o;
  REQUIRE(trial_run((trial){.model = "newtons-cradle", .t_end = 0.25}, &o));
  /* shortly after the impact at the lowest point the velocities have changed by second order only */
  double first = trial_value(&o, "omega", 1, -1), last = trial_value(&o, "omega", 5, -1);
  printf("  newtons-cradle: %.4f and %.4f of the velocity before, touching\n", first / v, last / v);
  CHECK_NEAR(first / v, -0.6, 0.02);
  CHECK_NEAR(last / v, 0.4, 0.01);
  trial_end(&o);
  REQUIRE(trial_run((trial){.model = "newtons-cradle", .overrides = "gap=1e-4", .dt = 1e-5, .t_end = 0.25}, &o));
  first = trial_value(&o, "omega", 1, -1);
  last = trial_value(&o, "omega", 5, -1);
  printf("  newtons-cradle: %.4f and %.4f of the velocity before, with gaps of 1e-4 m\n", first / v, last / v);
  CHECK_NEAR(first / v, 0, 0.02);
  CHECK_NEAR(last / v, 1, 0.02);
  trial_end(&o);
}

static void dominoes_fall(void) {
  trial_outcome o;
  REQUIRE(trial_run((trial){.model = "dominoes", .overrides = "n=15", .t_end = 1}, &o));
  for (int k = 1; k <= 15; k++) CHECK(trial_value(&o, "phi", k, -1) < -0.8);
  CHECK(o.summary.gaps.penetration < 1e-10);
  CHECK(o.summary.energy.dissipated > 0);
  CHECK(fabs(o.summary.energy.end - o.summary.energy.start + o.summary.energy.dissipated) <
        1e-3 * o.summary.energy.start);
  trial_end(&o);
}

static void disks_come_to_rest(void) {
  trial_outcome o;
  REQUIRE(trial_run((trial){.model = "disks", .overrides = "n=40,columns=6", .t_end = 2}, &o));
  CHECK(trial_value(&o, "E.kin", -1, -1) < 1e-8 * o.summary.energy.dissipated);
  CHECK(o.summary.gaps.penetration < 1e-10); /* the gap term */
  CHECK(fabs(o.summary.energy.end - o.summary.energy.start + o.summary.energy.dissipated) <
        1e-9 * o.summary.energy.start);
  trial_end(&o);
  for (int container = 1; container < 3; container++) {
    char overrides[60];
    snprintf(overrides, sizeof overrides, "n=30,columns=6,container=%d", container);
    REQUIRE(trial_run((trial){.model = "disks", .overrides = overrides, .t_end = 1}, &o));
    CHECK(o.summary.solver.worst_residual < 1e-9);
    trial_end(&o);
  }
}

/* The chain slides off; nothing but contacts takes its energy. */
static void chain_slides_off(void) {
  trial_outcome o;
  REQUIRE(trial_run((trial){.model = "chain-over-edge", .overrides = "n=40,hanging=16", .t_end = 0.8}, &o));
  CHECK(trial_value(&o, "y", 1, -1) < -0.01); /* the last link has left the table */
  CHECK(o.summary.energy.dissipated > 0);
  /* with what joints take by the error of the scheme */
  const double lost = o.summary.energy.dissipated + o.summary.energy.spurious;
  CHECK(fabs(o.summary.energy.end - o.summary.energy.start + lost) < 1e-9);
  trial_end(&o);
  REQUIRE(trial_run((trial){.model = "chain-over-edge", .overrides = "n=40,hanging=8,mu=0.5", .t_end = 0.3}, &o));
  CHECK_NEAR(trial_value(&o, "x", 1, -1), trial_value(&o, "x", 1, 0), 1e-9); /* friction holds it */
  trial_end(&o);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"tower_stands", tower_stands},
                                    {"small_wall_stands", small_wall_stands},
                                    {"planks_and_cards_stand", planks_and_cards_stand},
                                    {"gripper_threshold", gripper_threshold},
                                    {"cradle_laws", cradle_laws},
                                    {"dominoes_fall", dominoes_fall},
                                    {"disks_come_to_rest", disks_come_to_rest},
                                    {"chain_slides_off", chain_slides_off}};
  return test_main(argc, argv, "shape_models", cases, sizeof cases / sizeof cases[0]);
}
