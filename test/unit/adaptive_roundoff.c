/* Tolerances below what round-off allows: an adaptive run ends with the accuracy that can be had, counts the steps that
 * round-off limits, and takes no shorter steps in vain. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>

static const double g = 9.81;

static int is_too_long(void *user, double t, double t_end, long steps) {
  (void)t, (void)t_end;
  return steps > *(const long *)user;
}

static picus_status run_at_most(simulation *s, long steps, picus_summary *summary) {
  const picus_run_hooks hooks = {.progress = is_too_long, .user = &steps};
  return picus_sim_run(s->sim, NULL, &hooks, summary);
}

/* Four corners share the load of a sliding box in many ways. An extrapolated share may be negative: its friction has
 * not turned round. */
static const char box[] =
    "model('box', '')\nlocal al = 0.5\ngravity {0, 0, -9.81}\nmaterial {'default', mu = 0.3}\n"
    "half_space {'slope', normal = {sin(al), 0, cos(al)}}\n"
    "box {'b', suffix = '', size = {0.4, 0.3, 0.2}, density = 500, position = {0.1*sin(al), 0, 0.1*cos(al)},\n"
    "     axis = {0, 1, 0}, angle = al}\n"
    "simulate {dt = 1e-3, t_end = 1}\n";

static void shared_loads_do_not_turn_friction(void) {
  const double al = 0.5, a = g * (sin(al) - 0.3 * cos(al)), truth = 0.1 * sin(al) + 0.5 * a * cos(al);
  for (double tolerance = 1e-9; tolerance > 5e-14; tolerance /= 10) {
    simulation s;
    picus_summary summary = {0};
    REQUIRE(simulation_open_adaptive_text(&s, box,
                                          (adaptive_run){.scheme = "moreau", .dt_min = 1e-11, .tolerance = tolerance}));
    picus_status status = run_at_most(&s, 2000, &summary);
    const double error = fabs(picus_sim_state(s.sim).q[0] - truth);
    printf("  box, tolerance %.0e: %ld base steps, %ld switching points, error %.1e\n", tolerance,
           summary.adaptive.base_steps, summary.adaptive.switching_points, error);
    CHECK(status == PICUS_OK && summary.adaptive.switching_points == 0 && summary.adaptive.base_steps < 2000);
    CHECK(error < 2e-12);
    simulation_close(&s);
  }
}

/* Where slip ends, the direction of friction has the round-off of the slip over the slip. */
static const char cylinder[] =
    "model('cylinder', '')\nlocal al = 0.4\ngravity {9.81*sin(al), 0, -9.81*cos(al)}\n"
    "material {'default', mu = 0.2}\nhalf_space {'plane', normal = {0, 0, 1}}\n"
    "cylinder {'b', suffix = '', length = 0.3, radius = 0.1, mass = 2, position = {0, 0, 0.1}, axis = {1, 0, 0},\n"
    "          angle = pi/2, velocity = {1, 0, 0}, omega = {0, 0, 8}}\n"
    "simulate {scheme = 'rattle', dt = 1e-3, t_end = 1.5}\n";

static void slip_that_ends(void) {
  const double al = 0.4, along = g * sin(al), friction = 0.2 * g * cos(al), t = 1.8 / (3 * friction - along);
  const double truth = 1 + (along - friction) * t + along * (1.5 - t) * 2 / 3;
  for (double tolerance = 1e-10; tolerance > 5e-14; tolerance /= 10) {
    simulation s;
    picus_summary summary = {0};
    REQUIRE(simulation_open_adaptive_text(
        &s, cylinder, (adaptive_run){.scheme = "rattle", .dt_min = 1e-11, .tolerance = tolerance, .order_max = 8}));
    picus_status status = run_at_most(&s, 15000, &summary);
    const double error = fabs(picus_sim_state(s.sim).u[0] - truth);
    printf("  cylinder, tolerance %.0e: %ld base steps, %ld of %ld limited by round-off, %ld points, error %.1e\n",
           tolerance, summary.adaptive.base_steps, summary.adaptive.rounded, summary.adaptive.missed,
           summary.adaptive.switching_points, error);
    CHECK(status == PICUS_OK && summary.adaptive.base_steps < 40000);
    CHECK(summary.adaptive.switching_points >= 1 &&
          summary.adaptive.switching_points <= 2); /* of the two ends of its line */
    CHECK(error < 1e-11);
    CHECK(summary.adaptive.rounded <= summary.adaptive.missed && (tolerance > 2e-12 || summary.adaptive.rounded > 0));
    simulation_close(&s);
  }
}

/* The round-off of twenty joints at position and velocity level. */
static const char chain[] =
    "model('chain', '')\ngravity {0, -9.81}\nlocal n, l, m, th = 20, 0.1, 0.2, 1\nlocal before = ground\n"
    "for i = 1, n do\n"
    "  local b = planar_body {'b'..i, mass = m, inertia = m*l^2/12, angle = th,\n"
    "                         position = {(i-0.5)*l*sin(th), -(i-0.5)*l*cos(th)}}\n"
    "  revolute {'j'..i, before, b, at = {(i-1)*l*sin(th), -(i-1)*l*cos(th)}}\n  before = b\nend\n"
    "simulate {scheme = 'rattle', dt = 1e-3, t_end = 0.04}\n";

static void a_chain_of_joints(void) {
  enum { MOST = 120 };
  double reference[MOST] = {0};
  for (double tolerance = 1e-9; tolerance > 5e-14; tolerance /= 1e3) {
    simulation s;
    picus_summary summary = {0};
    double difference = 0;
    REQUIRE(simulation_open_adaptive_text(
        &s, chain, (adaptive_run){.scheme = "rattle", .dt_min = 1e-11, .tolerance = tolerance, .order_max = 8}));
    picus_status status = run_at_most(&s, 2000, &summary);
    const picus_state state = picus_sim_state(s.sim);
    REQUIRE(state.nq <= MOST);
    for (int i = 0; i < state.nq; i++) difference = fmax(difference, fabs(state.q[i] - reference[i]));
    for (int i = 0; i < state.nq; i++) reference[i] = state.q[i];
    printf("  chain, tolerance %.0e: %ld base steps, %ld of %ld limited by round-off, difference %.1e\n", tolerance,
           summary.adaptive.base_steps, summary.adaptive.rounded, summary.adaptive.missed, difference);
    CHECK(status == PICUS_OK && summary.adaptive.base_steps < 10000);
    CHECK(tolerance > 5e-10 ? summary.adaptive.missed == 0 : summary.adaptive.rounded > 0 && difference < 1e-11);
    simulation_close(&s);
  }
}

/* A pendulum in space on an oblique hinge. */
static const char pendulum[] =
    "model('pendulum', '')\ngravity {-5.93, 6.76, -3.92}\nlocal n = sqrt(0.716^2 + 0.69^2 + 0.108^2)\n"
    "local b = spatial_body {'b', mass = 3.8, inertia = {0.025, 0.025, 0.025}, position = {-0.215, 0.331, -0.689}}\n"
    "revolute {'h', ground, b, at = {0, 0, 0}, axis = {-0.716/n, -0.69/n, -0.108/n}}\n"
    "simulate {dt = 1e-3, t_end = 1, newton_tolerance = 1e-6, projection_tolerance = 1e-6}\n";

/* Iterations end far below the tolerance of a step, whatever their own is: else extrapolation multiplies their
 * residuals, and no step, however short, has less of them. */
static void residuals_of_iterations_are_no_round_off(void) {
  static const char *const bases[] = {"moreau-jean", "moreau-projected", "moreau-combined", "rattle"};
  double truth[3];
  simulation s;
  REQUIRE(simulation_open_adaptive_text(
      &s, pendulum, (adaptive_run){.scheme = "half-explicit-rk", .dt_min = 1e-10, .tolerance = 1e-12}));
  CHECK(run_at_most(&s, 2000, NULL) == PICUS_OK);
  for (int i = 0; i < 3; i++) truth[i] = picus_sim_state(s.sim).q[i];
  simulation_close(&s);
  for (size_t b = 0; b < sizeof bases / sizeof *bases; b++)
    for (double tolerance = 1e-9; tolerance > 5e-13; tolerance /= 10) {
      picus_summary summary = {0};
      double error = 0;
      REQUIRE(simulation_open_adaptive_text(
          &s, pendulum, (adaptive_run){.scheme = bases[b], .dt_min = 1e-10, .tolerance = tolerance}));
      CHECK(run_at_most(&s, 2000, &summary) == PICUS_OK);
      for (int i = 0; i < 3; i++) error = fmax(error, fabs(picus_sim_state(s.sim).q[i] - truth[i]));
      printf("  %s, tolerance %.0e: %ld base steps, %ld missed, error %.1e\n", bases[b], tolerance,
             summary.adaptive.base_steps, summary.adaptive.missed, error);
      CHECK(summary.adaptive.missed == 0 && summary.adaptive.base_steps < 6000);
      CHECK(error < tolerance);
      simulation_close(&s);
    }
}

/* Rows of low order have less round-off than others, and may be kept for that: what one size has learned of it serves
 * twice the size, where another row is kept. Behind the impact at 7 ms, steps grow again. */
static void sizes_grow_beyond_round_off(void) {
  simulation s;
  picus_summary summary = {0};
  REQUIRE(simulation_open_adaptive(
      &s, "slider-crank-clearance", NULL,
      (adaptive_run){.scheme = "moreau-jean", .dt_min = 1e-9, .tolerance = 1e-12, .t_end = 7.5e-3}));
  CHECK(run_at_most(&s, 2000, &summary) == PICUS_OK);
  printf("  slider-crank: %ld base steps, %ld of %ld limited by round-off\n", summary.adaptive.base_steps,
         summary.adaptive.rounded, summary.adaptive.missed);
  CHECK(summary.adaptive.base_steps < 40000);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"shared_loads_do_not_turn_friction", shared_loads_do_not_turn_friction},
      {"slip_that_ends", slip_that_ends},
      {"a_chain_of_joints", a_chain_of_joints},
      {"residuals_of_iterations_are_no_round_off", residuals_of_iterations_are_no_round_off},
      {"sizes_grow_beyond_round_off", sizes_grow_beyond_round_off}};
  return test_main(argc, argv, "adaptive_roundoff", cases, (int)(sizeof cases / sizeof *cases));
}
