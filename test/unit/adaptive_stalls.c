/* Adaptive runs end: behind accumulation points, on surfaces that move and curve, with every dt_min, and with the
 * accuracy that was asked for. Each of these took millions of base steps, or did not end. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>

typedef struct stall {
  const char *name, *model, *overrides, *scheme;
  double dt_min, dt_max, t_end;
  long base_steps; /* at most */
} stall;

static int is_too_long(void *user, double t, double t_end, long steps) {
  (void)t, (void)t_end;
  return steps > *(const long *)user;
}

static void runs_end(void) {
  static const stall stalls[] = {
      {"cam", TEST_DATA "/cases/cam.lua", "", "moreau", 1e-8, 0.005, 0.3, 10000},
      {"cam", TEST_DATA "/cases/cam.lua", "", "moreau", 1e-12, 0.005, 0.3, 10000},
      {"cam", TEST_DATA "/cases/cam.lua", "", "moreau-jean", 1e-10, 0.005, 0.3, 10000},
      {"cam", TEST_DATA "/cases/cam.lua", "", "rattle", 1e-12, 0.005, 0.3, 10000},
      {"shaken table", TEST_DATA "/cases/shaken-table.lua", "", "moreau", 1e-8, 0.02, 2, 40000},
      {"shaken table", TEST_DATA "/cases/shaken-table.lua", "", "moreau", 1e-11, 0.02, 2, 40000},
      {"shaken table", TEST_DATA "/cases/shaken-table.lua", "", "rattle", 1e-11, 0.02, 2, 50000},
      {"shaken table", TEST_DATA "/cases/shaken-table.lua", "", "rattle", 1e-13, 0.02, 2, 60000},
      {"belt", TEST_DATA "/cases/belt.lua", "", "moreau-projected", 1e-9, 0.1, 3, 15000},
      {"belt", TEST_DATA "/cases/belt.lua", "", "moreau-combined", 1e-9, 0.1, 3, 15000},
      {"belt", TEST_DATA "/cases/belt.lua", "", "moreau-combined", 1e-11, 0.1, 3, 15000},
      {"slider-crank", "slider-crank", "", "moreau", 1e-8, 1e-3, 0.02, 30000},
      {"slider-crank", "slider-crank", "", "moreau", 1e-11, 1e-3, 0.02, 30000},
      {"slider-crank", "slider-crank", "", "rattle", 1e-13, 1e-3, 0.02, 30000},
      {"slider-crank of bodies", "slider-crank-bodies", "", "moreau", 1e-8, 1e-3, 0.02, 30000},
      {"slider-crank of bodies", "slider-crank-bodies", "", "moreau", 1e-11, 1e-3, 0.02, 30000},
      {"slider-crank of bodies", "slider-crank-bodies", "", "rattle", 1e-9, 1e-3, 0.02, 30000},
      {"gripper", TEST_DATA "/cases/gripper.lua", "", "moreau", 1e-8, 0.02, 1, 5000},
      {"rocking block", "rocking-block", "", "moreau", 1e-11, 0.05, 2, 120000},
      {"rocking block", "rocking-block", "", "rattle", 1e-13, 0.05, 2, 120000},
      {"ball in a box", "ball-in-box", "", "rattle", 1e-13, 0.05, 3, 30000},
      {"rotating ball", "rotating-ball", "eN=0.5", "rattle", 1e-13, 0.05, 2, 30000},
  };
  for (size_t k = 0; k < sizeof stalls / sizeof *stalls; k++) {
    const stall *is = &stalls[k];
    simulation s;
    picus_summary summary = {0};
    long most = is->base_steps;
    const picus_run_hooks hooks = {.progress = is_too_long, .user = &most};
    adaptive_run run = {.scheme = is->scheme,
                        .dt_min = is->dt_min,
                        .dt_max = is->dt_max,
                        .tolerance = 1e-10,
                        .order_max = 8,
                        .t_end = is->t_end};
    REQUIRE(simulation_open_adaptive(&s, is->model, is->overrides, run));
    picus_status status = picus_sim_run(s.sim, NULL, &hooks, &summary);
    printf("  %-22s %-11s dt_min = %.0e: %ld base steps, %ld switching points\n", is->name, is->scheme, is->dt_min,
           summary.adaptive.base_steps, summary.adaptive.switching_points);
    CHECK(status == PICUS_OK && summary.t_end == is->t_end && summary.adaptive.base_steps < most);
    CHECK(summary.adaptive.missed == 0);
    simulation_close(&s);
  }
}

/* A mass that is thrown on a floor, comes to rest through an accumulation, and is lifted by a force that grows: the gap
 * behind the lift-off is that of its equation. */
static const char lifted[] = "model('lifted', '')\n"
                             "local q, u = coordinates {{'y', velocity = 'v', start = {0.1, 0}}}\n"
                             "kinetic(u.v^2 / 2)\npotential(9.81 * q.y)\nforce {y = 9.81 * t / 3}\n"
                             "contact {'floor', gap = q.y, eN = 0.6}\n"
                             "simulate {dt = 1e-3, t_end = 4}\n";

static void a_body_that_rests_is_lifted(void) {
  static const char *const schemes[] = {"moreau", "moreau-jean", "moreau-combined", "rattle"};
  const double truth = 9.81 / 3 / 6; /* 9.81 (t - 3) / 3 since t = 3 */
  for (int k = 0; k < 4; k++)
    for (double dt_min = 1e-6; dt_min > 5e-13; dt_min *= 1e-2) {
      simulation s;
      picus_summary summary = {0};
      adaptive_run run = {.scheme = schemes[k], .dt_min = dt_min, .tolerance = 1e-10};
      REQUIRE(simulation_open_adaptive_text(&s, lifted, run));
      REQUIRE(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
      double error = fabs(picus_sim_state(s.sim).q[0] - truth);
      printf("  %-11s dt_min = %.0e: %ld base steps, y off by %.1e m\n", schemes[k], dt_min,
             summary.adaptive.base_steps, error);
      CHECK(error < 1e-8 + 2 * dt_min && summary.adaptive.base_steps < 60000);
      simulation_close(&s);
    }
}

static bool run_text(simulation *s, const char *text, const char *scheme) {
  return simulation_open_adaptive_text(s, text, (adaptive_run){.scheme = scheme, .dt_min = 1e-8}) &&
         CHECK(picus_sim_run(s->sim, NULL, NULL, NULL) == PICUS_OK);
}

/* A floor that is gone from an event on: what rested on it falls, though nothing has pulled it off. */
static const char trapdoor[] = "model('trapdoor', '')\n"
                               "local q, u = coordinates {{'y', velocity = 'v', start = {0, 0}}}\n"
                               "kinetic(u.v^2 / 2)\npotential(9.81 * q.y)\n"
                               "contact {'floor', gap = q.y + max(0, sign(t - 1)), eN = 0.5}\n"
                               "stop_time(1)\nsimulate {dt = 1e-3, t_end = 1.3}\n";

static void a_floor_that_is_gone_carries_nothing(void) {
  static const char *const schemes[] = {"moreau", "moreau-jean", "rattle"};
  for (int k = 0; k < 3; k++) {
    simulation s;
    REQUIRE(run_text(&s, trapdoor, schemes[k]));
    CHECK_NEAR(picus_sim_state(s.sim).q[0], -9.81 * 0.3 * 0.3 / 2, 1e-6);
    simulation_close(&s);
  }
}

/* A floor that begins to rise with 1 m/s at an event: what rests on it is hit, with restitution. */
static const char ram[] = "model('ram', '')\n"
                          "local q, u = coordinates {{'y', velocity = 'v', start = {0, 0}}}\n"
                          "kinetic(u.v^2 / 2)\npotential(9.81 * q.y)\n"
                          "contact {'floor', gap = q.y - max(0, t - 1), eN = 0.5}\n"
                          "stop_time(1)\nsimulate {dt = 1e-3, t_end = 1.02}\n";

static void a_resting_body_is_hit(void) {
  static const char *const schemes[] = {"moreau", "rattle"}; /* moreau-jean takes the velocity before the event */
  for (int k = 0; k < 2; k++) {
    simulation s;
    REQUIRE(run_text(&s, ram, schemes[k]));
    CHECK_NEAR(picus_sim_state(s.sim).u[0], 1.5 - 9.81 * 0.02, 1e-6);
    simulation_close(&s);
  }
}

/* A run that starts with an impact: gap 0, and a velocity into the floor. */
static void a_start_with_an_impact(void) {
  static const char *const schemes[] = {"moreau", "moreau-jean", "rattle"};
  for (int k = 0; k < 3; k++)
    for (double speed = 1; speed > 5e-5; speed *= 1e-2) {
      char text[400];
      snprintf(text, sizeof text,
               "model('start', '')\nlocal q, u = coordinates {{'y', velocity = 'v', start = {0, -%g}}}\n"
               "kinetic(u.v^2 / 2)\npotential(9.81 * q.y)\ncontact {'floor', gap = q.y, eN = 0.8}\n",
               speed);
      simulation s;
      adaptive_run run = {.scheme = schemes[k], .dt_min = 1e-9, .t_end = 0.05 * speed};
      REQUIRE(simulation_open_adaptive_text(&s, text, run));
      REQUIRE(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK);
      CHECK_NEAR(picus_sim_state(s.sim).u[0], 0.8 * speed - 9.81 * 0.05 * speed, 2e-8);
      simulation_close(&s);
    }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"runs_end", runs_end},
                                    {"a_body_that_rests_is_lifted", a_body_that_rests_is_lifted},
                                    {"a_floor_that_is_gone_carries_nothing", a_floor_that_is_gone_carries_nothing},
                                    {"a_resting_body_is_hit", a_resting_body_is_hit},
                                    {"a_start_with_an_impact", a_start_with_an_impact}};
  return test_main(argc, argv, "adaptive_stalls", cases, (int)(sizeof cases / sizeof *cases));
}
