/* The scheme of Schatzman and Paoli: order and energy in smooth motion, the meaning of its velocity, Newton's loop with
 * short steps, steps of changing size, and contacts whose friction is zero. */
#include "support/check.h"
#include "support/simulate.h"
#include "support/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STATE_MOST = 8 };

typedef struct state {
  double q[STATE_MOST], u[STATE_MOST];
} state;

static bool start(simulation *s, const char *text, double theta, double dt, double t_end) {
  picus_sim_options options;
  if (!simulation_load_text(s, text, &options)) return false;
  options.scheme = "schatzman-paoli";
  options.theta = theta;
  options.dt = dt;
  options.t_end = t_end;
  return simulation_start(s, &options);
}

static void read_state(const simulation *s, state *x) {
  picus_state now = picus_sim_state(s->sim);
  memcpy(x->q, now.q, (size_t)now.nq * sizeof *x->q);
  memcpy(x->u, now.u, (size_t)now.nu * sizeof *x->u);
}

static bool run_text(const char *text, double theta, double dt, double t_end, state *x) {
  simulation s;
  *x = (state){{0}, {0}};
  bool done = start(&s, text, theta, dt, t_end) && CHECK(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK);
  if (done) read_state(&s, x);
  simulation_close(&s);
  return done;
}

static double distance(const state *a, const state *b) {
  double largest = 0;
  for (int i = 0; i < STATE_MOST; i++) largest = fmax(largest, fmax(fabs(a->q[i] - b->q[i]), fabs(a->u[i] - b->u[i])));
  return largest;
}

/* --- smooth motion --------------------------------------------------------------------------------------- */

static const char oscillator[] = "local q, u = coordinates { { 'q', velocity = 'v', start = { 1, 0 } } }\n"
                                 "kinetic(u.v^2 / 2)\n"
                                 "potential(98 * q.q^2 / 2)\n"
                                 "simulate { dt = 1e-3, t_end = 3 }\n";
static const char double_pendulum[] =
    "local q, u = coordinates { { 'a', velocity = 'va', start = { 1, 0.5 } }, { 'b', velocity = 'vb', start = 2 } }\n"
    "kinetic(u.va^2 + u.vb^2 / 2 + u.va * u.vb * cos(q.a - q.b))\n"
    "potential(-9.81 * (2 * cos(q.a) + cos(q.b)))\n"
    "dissipation(0.5 * (u.va - u.vb)^2)\n"
    "force { a = sin(3 * t) }\n"
    "simulate { dt = 0.01, t_end = 1 }\n";
/* the same point on a rod, held by a constraint */
static const char held_pendulum[] =
    "local q, u = coordinates { { 'x', velocity = 'vx', start = 0.6 }, { 'y', velocity = 'vy', start = -0.8 } }\n"
    "kinetic((u.vx^2 + u.vy^2) / 2)\n"
    "potential(9.81 * q.y)\n"
    "constraint { 'rod', position = (q.x^2 + q.y^2 - 1) / 2 }\n"
    "simulate { dt = 0.01, t_end = 1 }\n";
static const char gyroscope[] = "spatial_body { 'top', mass = 1, inertia = { 1, 2, 2.5 }, omega = { 1, 2, 0.5 } }\n"
                                "simulate { dt = 0.01, t_end = 1 }\n";

static void check_order(const char *label, const char *text, double theta, double largest_dt, double order) {
  state fine, coarse;
  double dt[STUDY_SIZES], error[STUDY_SIZES];
  REQUIRE(run_text(text, theta, largest_dt / 2000, 1, &fine));
  for (int i = 0; i < STUDY_SIZES; i++) {
    dt[i] = largest_dt / study_factors[i];
    REQUIRE(run_text(text, theta, dt[i], 1, &coarse));
    error[i] = distance(&coarse, &fine);
  }
  printf("  %s, theta = %g:\n", label, theta);
  study_check_order("error", dt, error, order - 0.1, order + 0.1);
}

/* With constraints it is 1: reactions act along W at the end of the step. */
static void free_motion_has_order_two_for_every_theta(void) {
  const double thetas[] = {0, 0.5, 1};
  for (int i = 0; i < 3; i++) {
    check_order("oscillator", oscillator, thetas[i], 0.02, 2);
    check_order("double pendulum", double_pendulum, thetas[i], 0.02, 2);
    check_order("pendulum on a constraint", held_pendulum, thetas[i], 0.02, 1);
  }
  check_order("gyroscope", gyroscope, 0.5, 0.05, 2);
}

/* Forces that belong to another time than the differences damp: 13.7 % of the energy in 3 s before they did not. */
static void an_oscillator_keeps_its_energy(void) {
  state x;
  const double thetas[] = {0, 0.5, 1};
  for (int i = 0; i < 3; i++) {
    REQUIRE(run_text(oscillator, thetas[i], 1e-3, 3, &x));
    CHECK_NEAR((x.u[0] * x.u[0] / 98 + x.q[0] * x.q[0]), 1, 1e-4);
    CHECK_NEAR(x.q[0], cos(3 * sqrt(98)), 1e-3);
  }
}

/* omega dt = 1000: theta = 1/2 is stable at any step size. */
static void stiff_springs_need_no_small_steps(void) {
  const char stiff[] = "local q, u = coordinates { { 'x', velocity = 'v', start = { 1e-6, 0 } },\n"
                       "                           { 'y', velocity = 'w', start = { 0, 1 } } }\n"
                       "kinetic(u.v^2 / 2 + u.w^2 / 2)\n"
                       "potential(1e12 * q.x^2 / 2 + q.y^2 / 2)\n"
                       "simulate { dt = 1e-3, t_end = 1 }\n";
  state x;
  REQUIRE(run_text(stiff, 0.5, 1e-3, 10, &x));
  CHECK(fabs(x.q[0]) < 3e-6);
  CHECK_NEAR(x.q[1], sin(10), 1e-5);
}

/* --- the state ------------------------------------------------------------------------------------------- */

/* Runs to the middle, hands the state to a new simulation, and goes on: the difference to a run without a break. */
static double break_error(const char *text, double dt, double middle, double t_end) {
  simulation first, second;
  state whole, broken;
  if (!run_text(text, 0.5, dt, t_end, &whole)) return NAN;
  bool done = start(&first, text, 0.5, dt, middle) && start(&second, text, 0.5, dt, t_end) &&
              CHECK(picus_sim_run(first.sim, NULL, NULL, NULL) == PICUS_OK);
  picus_state reached = done ? picus_sim_state(first.sim) : (picus_state){0};
  done = done && CHECK(picus_sim_set_state(second.sim, reached.t, reached.q, reached.u) == PICUS_OK) &&
         CHECK(picus_sim_run(second.sim, NULL, NULL, NULL) == PICUS_OK);
  broken = whole;
  if (done) read_state(&second, &broken);
  simulation_close(&first);
  simulation_close(&second);
  return done ? distance(&whole, &broken) : NAN;
}

static const char falling[] = "local q, u = coordinates { { 'y', velocity = 'v', start = 1 } }\n"
                              "kinetic(u.v^2 / 2)\n"
                              "potential(9.81 * q.y)\n"
                              "contact { 'ground', gap = q.y, eN = 0.5 }\n"
                              "simulate { dt = 1e-3, t_end = 0.4 }\n";

static void a_run_goes_on_from_the_state_that_it_reports(void) {
  CHECK(break_error(falling, 1e-3, 0.2, 0.4) < 1e-12); /* free fall: exact */
  CHECK(break_error(falling, 1e-3, 0.6, 0.8) < 1e-12); /* after an impact */
  const struct {
    const char *label, *text;
  } cases[] = {{"oscillator", oscillator}, {"double pendulum", double_pendulum}, {"held pendulum", held_pendulum}};
  for (int k = 0; k < 3; k++) {
    double dt[STUDY_SIZES], error[STUDY_SIZES];
    for (int i = 0; i < STUDY_SIZES; i++) {
      dt[i] = 0.01 / study_factors[i];
      error[i] = break_error(cases[k].text, dt[i], 0.5, 1);
    }
    printf("  %s, broken and whole:\n", cases[k].label);
    study_check_order("difference", dt, error, 1.9, 3.2);
  }
}

static void a_ball_at_rest_has_no_velocity(void) {
  state x;
  REQUIRE(run_text(falling, 0.5, 1e-3, 4, &x));
  CHECK(fabs(x.u[0]) < 1e-12 && fabs(x.q[0]) < 1e-12);
}

/* --- Newton's loop --------------------------------------------------------------------------------------- */

static void solve_undivided(const char *scheme, const char *model, const char *overrides, double dt, double t_end) {
  simulation s;
  picus_sim_options options;
  picus_summary summary = {0};
  REQUIRE(simulation_load(&s, model, overrides, &options));
  options.scheme = scheme;
  options.dt = dt;
  options.t_end = t_end;
  REQUIRE(simulation_start(&s, &options));
  if (!CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK))
    printf("  %s\n", picus_last_error(s.context)->message);
  if (!CHECK(summary.shortened == 0))
    printf("  %s %s, dt = %g: %ld divided\n", model, overrides, dt, summary.shortened);
  simulation_close(&s);
}

/* Gaps are divided by dt, and their rounding with them: 1e-16 m are 1e-9 m/s in a step of 1e-7 s. Where large constants
 * cancel in a gap, as between the balls of a cradle, slopes and coordinates do not show the rounding. */
static void short_steps_are_solved_as_well_as_rounding_allows(void) {
  const double sizes[] = {1e-3, 2.5e-4, 1.25e-4, 1e-5, 1e-6};
  for (int i = 0; i < 5; i++) {
    solve_undivided("schatzman-paoli", "rocking-block", "", sizes[i], sizes[i] < 1e-5 ? 0.02 : 0.8);
    solve_undivided("schatzman-paoli", "slider-crank", "c=0", sizes[i] / 10, sizes[i] < 1e-5 ? 0.002 : 0.02);
  }
  const char *const cradles[] = {"e=1", "e=0.5", "e=0", "e=0.9,gap=1e-5", "e=0,a=0.1,r=0.013"};
  for (int k = 0; k < 5; k++)
    for (int i = 1; i < 4; i++) {
      solve_undivided("schatzman-paoli", TEST_DATA "/cases/cradle.lua", cradles[k], sizes[i], 0.6);
      solve_undivided("rattle", TEST_DATA "/cases/cradle.lua", cradles[k], sizes[i], 0.6);
    }
}

/* --- steps of changing size ------------------------------------------------------------------------------ */

/* A gap that an impact leaves below zero is not thrown out faster by a shorter step. */
static void steps_of_changing_size_add_no_energy(void) {
  test_random random = {11};
  for (int turn = 0; turn < 40; turn++) {
    simulation s;
    char text[400];
    const double e = turn % 4 == 0 ? 1 : test_uniform(&random, 0, 1);
    snprintf(text, sizeof text,
             "local q, u = coordinates { { 'y', velocity = 'v', start = %.17g } }\n"
             "kinetic(u.v^2 / 2)\npotential(9.81 * q.y)\ncontact { 'ground', gap = q.y, eN = %.17g }\n"
             "simulate { dt = 1e-3, t_end = 10 }\n",
             test_uniform(&random, 0.2, 1), e);
    REQUIRE(start(&s, text, 0.5, 1e-3, 10));
    double kinetic, potential, before = INFINITY, most = 0;
    for (int k = 0; k < 4000; k++) {
      REQUIRE(picus_sim_step(s.sim, pow(10, test_uniform(&random, -4, -2.7)), NULL) == PICUS_OK);
      CHECK(picus_sim_energy(s.sim, &kinetic, &potential) == PICUS_OK);
      if (k == 0) before = kinetic + potential;
      most = fmax(most, kinetic + potential);
    }
    if (!CHECK(most < before + 9.81 * 4.43 * 2e-3)) /* g v dt: the height of a step */
      printf("  e = %g: %g -> %g J\n", e, before, most);
    simulation_close(&s);
  }
}

/* --- friction of zero ------------------------------------------------------------------------------------ */

static const char sledge[] =
    "local q, u = coordinates { { 'x', velocity = 'vx', start = { 0, 1 } }, { 'y', velocity = 'vy', start = 0.1 } }\n"
    "kinetic((u.vx^2 + u.vy^2) / 2)\n"
    "potential(9.81 * (q.y + 0.1 * q.x))\n"
    "simulate { dt = 1e-3, t_end = 1 }\n";

static void friction_of_zero_is_no_friction(void) {
  const char *const laws[] = {
      "contact { 'ground', gap = q.y + 0.02 * cos(q.x), eN = 0.3 }\n",
      "contact { 'ground', gap = q.y + 0.02 * cos(q.x), slip = u.vx, mu = 0, eN = 0.3 }\n",
      "contact { 'ground', gap = q.y + 0.02 * cos(q.x), slip = { u.vx, u.vx + u.vy }, mu = 0, eN = 0.3 }\n",
      "contact { 'ground', gap = q.y + 0.02 * cos(q.x), eN = 0.3 }\n friction { 'b', slip = u.vx, reservoir = 0 }\n"};
  state first = {{0}, {0}}, x;
  for (int i = 0; i < 4; i++) {
    char text[600];
    snprintf(text, sizeof text, "%s%s", sledge, laws[i]);
    REQUIRE(run_text(text, 0.5, 1e-3, 1, i ? &x : &first));
    if (i) CHECK(distance(&x, &first) < 1e-12);
  }
  simulation s;
  picus_sim_options options;
  char text[600];
  snprintf(text, sizeof text, "%scontact { 'ground', gap = q.y, slip = u.vx, mu = 0.1 }\n", sledge);
  REQUIRE(simulation_load_text(&s, text, &options));
  options.scheme = "schatzman-paoli";
  CHECK(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_ERROR_UNSUPPORTED);
  CHECK(strstr(picus_last_error(s.context)->message, "does not support friction, but 'ground' has friction"));
  simulation_close(&s);
}

/* --- impacts ---------------------------------------------------------------------------------------------- */

/* Without forces the velocity at the end of a step is the one that moved the positions in it, in an impact, too. Two
 * contacts of different restitution, and slopes that change with the position. */
static void an_impact_leaves_the_velocity_of_its_step(void) {
  static const char *laws[] = {"contact { 'wall', gap = q.x + q.x^3, eN = 0.5 }\n",
                               "contact { 'wall', gap = q.x + q.x^3, eN = 0.5 }\n"
                               "contact { 'far', gap = 5 - q.x - q.x^3, eN = 0.2 }\n"};
  const double dt = 1e-3;
  for (int i = 0; i < 2; i++) {
    simulation s;
    char text[600];
    state before, after;
    snprintf(text, sizeof text,
             "local q, u = coordinates { { 'x', velocity = 'v', start = { 0.01, -1 } } }\n"
             "kinetic(4 * u.v^2 / 2)\nsimulate { dt = 1e-3, t_end = 1 }\n%s",
             laws[i]);
    REQUIRE(start(&s, text, 0.5, dt, 1));
    for (int k = 0; k < 30; k++) {
      read_state(&s, &before);
      REQUIRE(picus_sim_step(s.sim, dt, NULL) == PICUS_OK);
      read_state(&s, &after);
      CHECK_NEAR(after.u[0], (after.q[0] - before.q[0]) / dt, 1e-9);
    }
    CHECK(after.u[0] > 0.4);
    simulation_close(&s);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"free_motion_has_order_two_for_every_theta", free_motion_has_order_two_for_every_theta},
      {"an_oscillator_keeps_its_energy", an_oscillator_keeps_its_energy},
      {"stiff_springs_need_no_small_steps", stiff_springs_need_no_small_steps},
      {"a_run_goes_on_from_the_state_that_it_reports", a_run_goes_on_from_the_state_that_it_reports},
      {"a_ball_at_rest_has_no_velocity", a_ball_at_rest_has_no_velocity},
      {"short_steps_are_solved_as_well_as_rounding_allows", short_steps_are_solved_as_well_as_rounding_allows},
      {"steps_of_changing_size_add_no_energy", steps_of_changing_size_add_no_energy},
      {"an_impact_leaves_the_velocity_of_its_step", an_impact_leaves_the_velocity_of_its_step},
      {"friction_of_zero_is_no_friction", friction_of_zero_is_no_friction},
  };
  return test_main(argc, argv, "scheme_schatzman_paoli", cases, sizeof cases / sizeof cases[0]);
}
