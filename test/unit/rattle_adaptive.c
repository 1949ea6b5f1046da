/* The work of rattle: adaptive runs pass accumulation points however small dt_min is, and bodies that lean on each
 * other at rest are solved in few iterations. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>

enum { BASE_STEPS_MOST = 30000 };

/* Ends a run that has made no progress for long. */
static int too_many_steps(void *user, double t, double t_end, long steps) {
  (void)user;
  (void)t;
  (void)t_end;
  return steps > BASE_STEPS_MOST;
}

/* Positions move by less than their last bit per step, and contacts stay closed by their laws: the work grows with the
 * number of impacts that dt_min lets see, not with 1 / dt_min. */
static void accumulation_points_are_passed(void) {
  static const struct {
    const char *model, *overrides;
    double t_end;
  } models[] = {{"ball-in-box", "", 3},
                {"rotating-ball", "eN=0.5", 2},
                {TEST_DATA "/cases/cam.lua", "", 0.3},
                {"bouncing-ball", "", 3}};
  const picus_run_hooks hooks = {.progress = too_many_steps};
  for (int m = 0; m < 4; m++)
    for (double dt_min = 1e-7; dt_min > 5e-14; dt_min *= 1e-2) {
      simulation s;
      picus_summary summary = {0};
      adaptive_run options = {
          .scheme = "rattle", .dt_min = dt_min, .dt_max = 0.05, .tolerance = 1e-10, .t_end = models[m].t_end};
      REQUIRE(simulation_open_adaptive(&s, models[m].model, models[m].overrides, options));
      CHECK(picus_sim_run(s.sim, NULL, &hooks, &summary) == PICUS_OK);
      printf("  %-13s dt_min = %.0e: %ld base steps, %ld switching points\n", m == 2 ? "cam" : models[m].model, dt_min,
             summary.adaptive.base_steps, summary.adaptive.switching_points);
      CHECK(summary.t_end == models[m].t_end);
      CHECK(summary.adaptive.base_steps < BASE_STEPS_MOST);
      CHECK(summary.gaps.penetration < 1e-12);
      simulation_close(&s);
    }
}

/* 1e-4 m/s and rad/s in steps of 1e-13 s move positions of size 1 by less than their last bit. 20000 steps add up. */
static const char spinning[] =
    "model('spinning', 'a body in space')\n"
    "spatial_body {'body', mass = 1, inertia = {1, 1, 1}, position = {1, 0, 0}, axis = {0, 0, 1}, angle = 1,\n"
    "              velocity = {1e-4, 0, 0}, omega = {0, 0, 1e-4}}\n"
    "simulate {scheme = 'rattle', dt = 1e-13, t_end = 2e-9}\n";

static void short_steps_add_up(void) {
  simulation s;
  picus_sim_options options;
  picus_summary summary = {0};
  REQUIRE(simulation_load_text(&s, spinning, &options));
  options.adaptive = true;
  options.dt_min = options.dt_max = 1e-13;
  options.order = 2;
  REQUIRE(simulation_start(&s, &options));
  REQUIRE(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
  picus_state state = picus_sim_state(s.sim);
  double turned = 2 * (atan2(state.q[6], state.q[3]) - 0.5);
  printf("  %ld steps: moved by %.6g m, turned by %.6g rad\n", summary.steps, state.q[0] - 1, turned);
  CHECK_NEAR(state.q[0] - 1, 2e-13, 4e-16);
  CHECK_NEAR(turned, 2e-13, 1e-15);
  simulation_close(&s);
}

/* Fallen dominoes: 19 contacts for 18 degrees of freedom. All that were closed take part from the first iteration on,
 * and gaps within their rounding are none; then nothing moves, and each problem is solved from the last one. How often
 * it is not depends on round-off, so that the mean of several pushes counts. */
static void fallen_dominoes(void) {
  long steps = 0, contact_steps = 0, sweeps = 0, newton_steps = 0, fallbacks = 0;
  for (int k = 0; k < 10; k++) {
    char push[32];
    snprintf(push, sizeof push, "push=%.1f,n=6", -5.5 - 0.1 * k);
    simulation s;
    picus_sim_options options;
    picus_summary summary = {0};
    REQUIRE(simulation_load(&s, TEST_DATA "/cases/domino.lua", push, &options));
    options.scheme = "rattle";
    options.t_end = 0.5;
    REQUIRE(simulation_start(&s, &options));
    REQUIRE(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
    CHECK(summary.gaps.penetration < 1e-14);
    steps += summary.steps;
    contact_steps += summary.contact_steps;
    sweeps += summary.solver.iterations;
    newton_steps += summary.implicit.newton_iterations;
    fallbacks += summary.solver.fallbacks;
    simulation_close(&s);
  }
  const double iterations = (double)sweeps / (double)contact_steps, newton = (double)newton_steps / (double)steps;
  printf("  %.3g solver iterations and %.3g of Newton's method in a step, %ld fallbacks in %ld steps\n", iterations,
         newton, fallbacks, steps);
  CHECK(iterations < 10 && newton < 2 && fallbacks < steps / 20);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"accumulation_points_are_passed", accumulation_points_are_passed},
                                    {"short_steps_add_up", short_steps_add_up},
                                    {"fallen_dominoes", fallen_dominoes}};
  return test_main(argc, argv, "rattle_adaptive", cases, (int)(sizeof cases / sizeof *cases));
}
