/* Moreau's midpoint rule and the run driver on small systems whose motion is known. */
#include "support/allocations.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ball[] = "model 'ball'\n"
                           "local q, u = coordinates { { 'z', velocity = 'v', start = { 1, 0 } } }\n"
                           "kinetic(0.5 * 2 * u.v^2)\n"
                           "potential(2 * 10 * q.z)\n"
                           "contact { 'ground', gap = q.z, eN = 0.5 }\n"
                           "simulate { dt = 1/1024, t_end = 4 }\n";

static void free_fall_is_exact(void) {
  simulation s;
  REQUIRE(simulation_open_text(&s, ball));
  for (int k = 1; k <= 400; k++) {
    picus_step_info info;
    CHECK(picus_sim_step(s.sim, 0, &info) == PICUS_OK && info.active == 0);
    double t = k / 1024.0;
    picus_state state = picus_sim_state(s.sim);
    CHECK_NEAR(state.q[0], 1 - 5 * t * t, 1e-14);
    CHECK_NEAR(state.u[0], -10 * t, 1e-14);
  }
  simulation_close(&s);
}

static void an_impact_restores_e_times_the_velocity_and_takes_its_energy(void) {
  simulation s;
  REQUIRE(simulation_open_text(&s, ball));
  picus_step_info info;
  double before;
  do {
    before = picus_sim_state(s.sim).u[0];
    REQUIRE(picus_sim_step(s.sim, 0, &info) == PICUS_OK);
  } while (info.active == 0);
  CHECK(info.impacts == 1);
  double after = picus_sim_state(s.sim).u[0];
  CHECK_NEAR(after, -0.5 * before, 1e-14); /* xi = gamma_E + e gamma_B = 0, whatever the step size */
  picus_law_state law;
  CHECK(picus_sim_laws(s.sim, &law) == PICUS_OK);
  double PN = 2 * (after - before) + 2 * 10 / 1024.0; /* M (u_E - u_B) = h dt + P */
  CHECK_NEAR(law.PN, PN, 1e-14);
  CHECK_NEAR(info.dissipated, -PN * (after + before) / 2, 1e-14);
  CHECK(law.mode == PICUS_STICK);
  simulation_close(&s);
}

static void a_ball_at_rest_stays_and_presses_with_its_weight(void) {
  simulation s;
  REQUIRE(simulation_open_text(&s, ball));
  recorded_rows rows;
  picus_summary summary;
  REQUIRE(simulation_run(&s, &rows, &summary));
  picus_law_state law;
  CHECK(picus_sim_laws(s.sim, &law) == PICUS_OK);
  CHECK_NEAR(picus_sim_state(s.sim).u[0], 0, 2 * 10 / 1024.0); /* after the accumulation point: below 2 g dt */
  double impulse = 0; /* total percussion balances weight and change of momentum */
  for (long k = 0; k < rows.row_count; k++) impulse += recorded_value(&rows, k, "ground.PN");
  CHECK_NEAR(impulse, 2 * 10 * 4 + 2 * picus_sim_state(s.sim).u[0], 1e-9);
  CHECK_NEAR(summary.energy.end - summary.energy.start + summary.energy.dissipated, 0, 0.05);
  CHECK(summary.gaps.penetration < 2 * 4.5 / 1024);
  recorded_rows_free(&rows);
  simulation_close(&s);
}

/* A block on an incline, coordinates along and across it. */
static const char incline[] = "model 'incline'\n"
                              "local p = parameters { mu = 0.3, alpha = 0.2, v0 = 0 }\n"
                              "local q, u = coordinates { { 's', velocity = 'v', start = { 0, p.v0 } }, { 'n', "
                              "velocity = 'w', start = { 0, 0 } } }\n"
                              "kinetic(0.5 * 3 * (u.v^2 + u.w^2))\n"
                              "potential(3 * 9.81 * (q.n * cos(p.alpha) - q.s * sin(p.alpha)))\n"
                              "contact { 'plane', gap = q.n, slip = u.v, mu = p.mu }\n"
                              "simulate { dt = 1e-3, t_end = 10 }\n";

static void sticking_sticks(void) {
  simulation s;
  REQUIRE(simulation_open_text(&s, incline)); /* tan 0.2 = 0.203 < 0.3 */
  for (int k = 0; k < 10000; k++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
  CHECK(fabs(picus_sim_state(s.sim).u[0]) < 1e-15 && fabs(picus_sim_state(s.sim).q[0]) < 1e-15);
  picus_law_state law;
  CHECK(picus_sim_laws(s.sim, &law) == PICUS_OK);
  CHECK(law.mode == PICUS_STICK);
  CHECK_NEAR(law.PN, 3 * 9.81 * cos(0.2) * 1e-3, 1e-15);
  CHECK_NEAR(law.PF[0], -3 * 9.81 * sin(0.2) * 1e-3, 1e-15);
  simulation_close(&s);
}

static void slipping_accelerates_as_coulomb_says(void) {
  simulation s;
  char text[1024];
  snprintf(text, sizeof text, "%s", incline);
  memcpy(strstr(text, "mu = 0.3"), "mu = 0.1", 8);
  REQUIRE(simulation_open_text(&s, text));
  for (int k = 0; k < 1000; k++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
  double a = 9.81 * (sin(0.2) - 0.1 * cos(0.2)), t = 1;
  CHECK_NEAR(picus_sim_state(s.sim).u[0], a * t, 1e-12);
  CHECK_NEAR(picus_sim_state(s.sim).q[0], 0.5 * a * t * t, 1e-12);
  simulation_close(&s);
}

/* Two slips: a disk sliding on a table slows down along its path and stops at v/(mu g); friction is isotropic. */
static void spatial_friction_opposes_the_slip_and_stops_it(void) {
  simulation s;
  REQUIRE(simulation_open_text(
      &s, "model 'puck'\n"
          "local q, u = coordinates { { 'x', velocity = 'vx', start = { 0, 3 } },\n"
          "  { 'y', velocity = 'vy', start = { 0, 4 } }, { 'z', velocity = 'vz', start = { 0, 0 } } }\n"
          "kinetic(0.5 * (u.vx^2 + u.vy^2 + u.vz^2))\n"
          "potential(10 * q.z)\n"
          "contact { 'table', gap = q.z, slip = { u.vx, u.vy }, mu = 0.5 }\n"
          "simulate { dt = 1/256, t_end = 2 }\n"));
  for (int k = 0; k < 128; k++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
  picus_state state = picus_sim_state(s.sim);
  CHECK_NEAR(state.u[0], 0.6 * 2.5, 1e-11); /* speed 5 - 5 t along (3, 4)/5 */
  CHECK_NEAR(state.u[1], 0.8 * 2.5, 1e-11);
  for (int k = 0; k < 384; k++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
  CHECK(hypot(state.u[0], state.u[1]) < 1e-12);
  CHECK_NEAR(hypot(state.q[0], state.q[1]), 2.5, 5 / 256.0);
  simulation_close(&s);
}

/* Three equal balls on a line, e = 1: the first hits two that touch. Newton's law applied to all contacts at once
 * gives (-1/3, 2/3, 2/3) v; nature prefers (0, 0, 1) v. Picus documents what the law does. */
static void simultaneous_newton_impact_in_a_chain(void) {
  simulation s;
  REQUIRE(simulation_open_text(
      &s, "model 'cradle'\n"
          "local q, u = coordinates { { 'a', velocity = 'va', start = { 0, 3 } },\n"
          "  { 'b', velocity = 'vb', start = { 1, 0 } }, { 'c', velocity = 'vc', start = { 2, 0 } } }\n"
          "kinetic(0.5 * (u.va^2 + u.vb^2 + u.vc^2))\n"
          "contact { 'ab', gap = q.b - q.a - 1, eN = 1 }\n"
          "contact { 'bc', gap = q.c - q.b - 1, eN = 1 }\n"
          "simulate { dt = 1e-3, t_end = 1 }\n"));
  CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
  const double *u = picus_sim_state(s.sim).u;
  CHECK_NEAR(u[0], -1, 1e-14);
  CHECK_NEAR(u[1], 2, 1e-14);
  CHECK_NEAR(u[2], 2, 1e-14);
  simulation_close(&s);
}

/* A pendulum in Cartesian coordinates: velocity-level constraint, so the length drifts by O(dt); the motion converges
 * to that of the angle with order 1. */
static double pendulum_error(double dt) {
  simulation s;
  char text[1024];
  snprintf(text, sizeof text,
           "model 'pendulum'\n"
           "local q, u = coordinates { { 'x', velocity = 'vx', start = { 1, 0 } }, { 'y', velocity = 'vy', start = { "
           "0, 0 } } }\n"
           "kinetic(0.5 * (u.vx^2 + u.vy^2))\n"
           "potential(9.81 * q.y)\n"
           "constraint { 'rod', position = sqrt(q.x^2 + q.y^2) - 1 }\n"
           "simulate { dt = %.17g, t_end = 1 }\n",
           dt);
  if (!simulation_open_text(&s, text)) return NAN;
  CHECK(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK);
  double angle = 0, rate = 0, h = 1e-4; /* classical Runge-Kutta for phi'' = -g cos phi, from the horizontal */
  for (int k = 0; k < 10000; k++) {
    double k1 = -9.81 * cos(angle), k2 = -9.81 * cos(angle + 0.5 * h * rate);
    double k3 = -9.81 * cos(angle + 0.5 * h * (rate + 0.5 * h * k1)),
           k4 = -9.81 * cos(angle + h * (rate + 0.5 * h * k2));
    angle += h * rate + h * h / 6 * (k1 + k2 + k3);
    rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  picus_state state = picus_sim_state(s.sim);
  double error = hypot(state.q[0] - cos(angle), state.q[1] - sin(angle));
  simulation_close(&s);
  return error;
}

static void a_bilateral_constraint_holds_and_converges(void) {
  double dt[4] = {4e-3, 2e-3, 1e-3, 5e-4}, error[4];
  for (int i = 0; i < 4; i++) error[i] = pendulum_error(dt[i]);
  double order = observed_order(4, dt, error);
  printf("  pendulum: error %.2e at dt = 5e-4, order %.2f\n", error[3], order);
  CHECK(order > 0.9 && error[3] < 1e-2);
}

/* General kinematics x' = v cos phi, y' = v sin phi, phi' = w with constant v, w: a circle. */
static double circle_error(double dt) {
  simulation s;
  char text[1024];
  snprintf(text, sizeof text,
           "model 'circle'\n"
           "local q, u = coordinates { { 'x', start = { 0 } }, { 'y', start = { 0 } }, { 'phi', velocity = 'w', start "
           "= { 0, 2 } } }\n"
           "local r = velocities { { 'v', start = 3 } }\n"
           "rates { x = r.v * cos(q.phi), y = r.v * sin(q.phi) }\n"
           "mass { { 1, 0 }, { 0, 1 } }\n"
           "simulate { dt = %.17g, t_end = 1 }\n",
           dt);
  if (!simulation_open_text(&s, text)) return NAN;
  CHECK(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK);
  picus_state state = picus_sim_state(s.sim);
  double error = hypot(state.q[0] - 1.5 * sin(2), state.q[1] - 1.5 * (1 - cos(2)));
  simulation_close(&s);
  return error;
}

static void general_kinematics_converge(void) {
  double dt[4] = {4e-3, 2e-3, 1e-3, 5e-4}, error[4];
  for (int i = 0; i < 4; i++) error[i] = circle_error(dt[i]);
  double order = observed_order(4, dt, error);
  printf("  circle: error %.2e at dt = 5e-4, order %.2f\n", error[3], order);
  CHECK(order > 0.9 && error[3] < 2e-3);
}

/* --- the driver ----------------------------------------------------------------------------------------------------
 */

static void samples_and_stop_times_land_exactly(void) {
  simulation s;
  REQUIRE(simulation_open_text(&s, "model 'm'\n"
                                   "local q, u = coordinates { { 'x', velocity = 'v', start = { 0, 0 } } }\n"
                                   "kinetic(0.5 * u.v^2)\n"
                                   "force { x = when(lt(t, 0.37), 1, 0) }\n"
                                   "stop_time(0.37)\n"
                                   "simulate { dt = 0.03, t_end = 1, sample = 0.1 }\n"));
  recorded_rows rows;
  picus_summary summary;
  REQUIRE(simulation_run(&s, &rows, &summary));
  CHECK(rows.row_count == 11);
  for (long k = 0; k < rows.row_count; k++) CHECK(recorded_value(&rows, k, "t") == (double)k * 0.1);
  CHECK_NEAR(picus_sim_state(s.sim).u[0], 0.37, 1e-14); /* the force acted exactly until 0.37 */
  CHECK(summary.steps == 3 * 4 + 3 + 1 + 6 * 4);        /* 0.1 is 4 steps; 0.3 to 0.37 is 3; 0.37 to 0.4 is 1 */
  recorded_rows_free(&rows);
  simulation_close(&s);
}

/* The same stop time from the model and from the caller: the same bits. */
static void stop_times_of_model_and_caller(void) {
  static const char *const words[] = {"stop_time(0.37)", ""};
  const double time = 0.37;
  const picus_run_hooks hooks[] = {{0}, {.stop_count = 1, .stop_times = &time}};
  for (int k = 0; k < 2; k++) {
    char text[300];
    simulation s;
    picus_summary summary;
    snprintf(text, sizeof text,
             "model 'm'\nlocal q, u = coordinates { { 'x', velocity = 'v', start = { 0, 0 } } }\n"
             "kinetic(0.5 * u.v^2)\nforce { x = when(lt(t, 0.37), 1, 0) }\n%s\nsimulate { dt = 0.03, t_end = 1 }\n",
             words[k]);
    REQUIRE(simulation_open_text(&s, text));
    CHECK(picus_sim_run(s.sim, NULL, &hooks[k], &summary) == PICUS_OK);
    CHECK(summary.steps == 13 + 21); /* 0.37 is 12 steps and a remainder, the rest is 21 steps */
    CHECK_NEAR(picus_sim_state(s.sim).u[0], 0.37, 1e-14);
    simulation_close(&s);
  }
}

static void every_nth_step_and_the_end_are_recorded(void) {
  simulation s;
  REQUIRE(simulation_open_text(&s, "model 'm'\n"
                                   "local q, u = coordinates { { 'x', velocity = 'v', start = { 0, 1 } } }\n"
                                   "kinetic(0.5 * u.v^2)\n"
                                   "simulate { dt = 0.1, t_end = 1, every = 4 }\n"));
  recorded_rows rows;
  picus_summary summary;
  REQUIRE(simulation_run(&s, &rows, &summary));
  CHECK(summary.steps == 10 && rows.row_count == 4);
  const double expected[] = {0, 0.4, 0.8, 1};
  for (long k = 0; k < rows.row_count; k++) CHECK_NEAR(recorded_value(&rows, k, "t"), expected[k], 1e-16);
  recorded_rows_free(&rows);
  simulation_close(&s);
}

static int stop_at_once(void *user, double t, double t_end, long steps) {
  (void)t, (void)t_end;
  return steps >= *(long *)user;
}

static void an_interrupted_run_says_so_and_can_go_on(void) {
  simulation s;
  REQUIRE(simulation_open_text(&s, ball));
  long limit = 100;
  picus_run_hooks hooks = {.progress = stop_at_once, .user = &limit};
  picus_summary summary;
  CHECK(picus_sim_run(s.sim, NULL, &hooks, &summary) == PICUS_INTERRUPTED);
  CHECK(summary.status == PICUS_INTERRUPTED && summary.steps >= 100 && summary.t_end < 4);
  CHECK(strstr(picus_last_error(s.context)->message, "interrupted at t") != NULL);
  CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK); /* from where it stopped */
  CHECK(picus_sim_state(s.sim).t == 4);
  simulation_close(&s);
}

static void a_force_that_is_no_number_ends_the_run_with_its_velocity_named(void) {
  simulation s;
  REQUIRE(simulation_open_text(&s, "model 'm'\n"
                                   "local q, u = coordinates { { 'x', velocity = 'v', start = { 1, -1 } } }\n"
                                   "kinetic(0.5 * u.v^2)\n"
                                   "force { x = log(q.x) }\n"
                                   "simulate { dt = 0.01, t_end = 3 }\n"));
  recorded_rows rows = {0};
  picus_summary summary;
  CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_ERROR_NUMBER);
  CHECK(strstr(picus_last_error(s.context)->message, "'v'") != NULL);
  CHECK(summary.steps > 10 && isfinite(picus_sim_state(s.sim).q[0]) && isfinite(picus_sim_state(s.sim).u[0]));
  recorded_rows_free(&rows);
  simulation_close(&s);
}

static void a_contact_problem_without_solution_ends_the_run_with_its_law_named(void) {
  simulation s;
  REQUIRE(simulation_open_text(&s, "model 'm'\n"
                                   "local q, u = coordinates { { 'x', velocity = 'v', start = { 0, 0 } } }\n"
                                   "kinetic(0.5 * u.v^2)\n"
                                   "constraint { 'still', velocity = u.v }\n"
                                   "constraint { 'moving', velocity = u.v - 1 }\n"
                                   "simulate { dt = 0.01, t_end = 1 }\n"));
  picus_summary summary;
  picus_status status = picus_sim_run(s.sim, NULL, NULL, &summary);
  CHECK(status == PICUS_NO_SOLUTION || status == PICUS_NOT_CONVERGED);
  CHECK(summary.shortened == 1 && summary.steps == 0);
  const char *message = picus_last_error(s.context)->message;
  CHECK(strstr(message, "'still'") != NULL || strstr(message, "'moving'") != NULL);
  simulation_close(&s);
}

/* --- no allocation, same bits ---------------------------------------------------------------------------------------
 */

static void steps_allocate_nothing(void) {
  simulation s = {0};
  test_allocations a = test_grant_all();
  picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
  REQUIRE(picus_context_create(&def, &s.context) == PICUS_OK);
  REQUIRE(picus_model_load(s.context, "woodpecker", NULL, &s.model) == PICUS_OK);
  REQUIRE(picus_system_create(s.model, &s.system) == PICUS_OK);
  const char *const solvers[] = {"auto", "direct", "psor", "lemke"};
  for (int i = 0; i < 4; i++) {
    picus_sim_options options = picus_model_sim_options(s.model);
    options.solver.solver = solvers[i];
    REQUIRE(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_OK);
    CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
    long before = a.calls;
    size_t memory = picus_context_memory(s.context);
    for (int k = 0; k < 20000; k++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
    CHECK(a.calls == before && picus_context_memory(s.context) == memory);
    picus_sim_destroy(s.sim);
  }
  s.sim = NULL;
  simulation_close(&s);
}

static void two_runs_have_the_same_bits(void) {
  simulation a, b;
  REQUIRE(simulation_open(&a, "woodpecker", "", 1e-5, 0.3, NULL));
  REQUIRE(simulation_open(&b, "woodpecker", "", 1e-5, 0.3, NULL));
  CHECK(picus_sim_run(a.sim, NULL, NULL, NULL) == PICUS_OK && picus_sim_run(b.sim, NULL, NULL, NULL) == PICUS_OK);
  CHECK(memcmp(picus_sim_state(a.sim).q, picus_sim_state(b.sim).q, 3 * sizeof(double)) == 0);
  CHECK(memcmp(picus_sim_state(a.sim).u, picus_sim_state(b.sim).u, 3 * sizeof(double)) == 0);
  simulation_close(&a);
  simulation_close(&b);
}

static void wrong_options_are_refused(void) {
  simulation s;
  REQUIRE(simulation_open_text(&s, ball));
  picus_sim_options good = *picus_sim_options_of(s.sim), o;
  picus_sim *sim;
  const struct {
    const char *what;
    double dt, t_start, t_end, theta, sample, tolerance;
    long every;
    const char *scheme, *solver;
    picus_status status;
  } wrong[] = {
      {"no dt", 0, 0, 1, 0.5, 0, 1e-12, 1, "moreau", "auto", PICUS_ERROR_ARGUMENT},
      {"negative dt", -1, 0, 1, 0.5, 0, 1e-12, 1, "moreau", "auto", PICUS_ERROR_ARGUMENT},
      {"NaN dt", NAN, 0, 1, 0.5, 0, 1e-12, 1, "moreau", "auto", PICUS_ERROR_ARGUMENT},
      {"infinite dt", INFINITY, 0, 1, 0.5, 0, 1e-12, 1, "moreau", "auto", PICUS_ERROR_ARGUMENT},
      {"tiny dt", 1e-20, 0, 1, 0.5, 0, 1e-12, 1, "moreau", "auto", PICUS_ERROR_ARGUMENT},
      {"end before start", 0.1, 2, 1, 0.5, 0, 1e-12, 1, "moreau", "auto", PICUS_ERROR_ARGUMENT},
      {"NaN end", 0.1, 0, NAN, 0.5, 0, 1e-12, 1, "moreau", "auto", PICUS_ERROR_NUMBER},
      {"theta", 0.1, 0, 1, 1.5, 0, 1e-12, 1, "moreau-jean", "auto", PICUS_ERROR_ARGUMENT},
      {"negative sample", 0.1, 0, 1, 0.5, -1, 1e-12, 1, "moreau", "auto", PICUS_ERROR_ARGUMENT},
      {"negative every", 0.1, 0, 1, 0.5, 0, 1e-12, -1, "moreau", "auto", PICUS_ERROR_ARGUMENT},
      {"zero tolerance", 0.1, 0, 1, 0.5, 0, 0, 1, "moreau", "auto", PICUS_ERROR_ARGUMENT},
      {"unknown scheme", 0.1, 0, 1, 0.5, 0, 1e-12, 1, "moro", "auto", PICUS_ERROR_NAME},
      {"unknown solver", 0.1, 0, 1, 0.5, 0, 1e-12, 1, "moreau", "psr", PICUS_ERROR_NAME},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    o = good;
    o.dt = wrong[i].dt, o.t_start = wrong[i].t_start, o.t_end = wrong[i].t_end, o.theta = wrong[i].theta;
    o.sample = wrong[i].sample, o.every = wrong[i].every, o.scheme = wrong[i].scheme;
    o.solver.tolerance = wrong[i].tolerance, o.solver.solver = wrong[i].solver;
    picus_status status = picus_sim_create(s.context, s.system, &o, &sim);
    if (status != wrong[i].status) printf("  %s: %s\n", wrong[i].what, picus_status_name(status));
    CHECK(status == wrong[i].status && sim == NULL && picus_last_error(s.context)->message[0] != '\0');
  }
  double nan_state = NAN, zero = 0;
  CHECK(picus_sim_set_state(s.sim, 0, &nan_state, &zero) == PICUS_ERROR_NUMBER);
  CHECK(picus_sim_step(s.sim, -1, NULL) == PICUS_ERROR_ARGUMENT);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"free_fall_is_exact", free_fall_is_exact},
      {"an_impact_restores_e_times_the_velocity_and_takes_its_energy",
       an_impact_restores_e_times_the_velocity_and_takes_its_energy},
      {"a_ball_at_rest_stays_and_presses_with_its_weight", a_ball_at_rest_stays_and_presses_with_its_weight},
      {"sticking_sticks", sticking_sticks},
      {"slipping_accelerates_as_coulomb_says", slipping_accelerates_as_coulomb_says},
      {"spatial_friction_opposes_the_slip_and_stops_it", spatial_friction_opposes_the_slip_and_stops_it},
      {"simultaneous_newton_impact_in_a_chain", simultaneous_newton_impact_in_a_chain},
      {"a_bilateral_constraint_holds_and_converges", a_bilateral_constraint_holds_and_converges},
      {"general_kinematics_converge", general_kinematics_converge},
      {"samples_and_stop_times_land_exactly", samples_and_stop_times_land_exactly},
      {"stop_times_of_model_and_caller", stop_times_of_model_and_caller},
      {"every_nth_step_and_the_end_are_recorded", every_nth_step_and_the_end_are_recorded},
      {"an_interrupted_run_says_so_and_can_go_on", an_interrupted_run_says_so_and_can_go_on},
      {"a_force_that_is_no_number_ends_the_run_with_its_velocity_named",
       a_force_that_is_no_number_ends_the_run_with_its_velocity_named},
      {"a_contact_problem_without_solution_ends_the_run_with_its_law_named",
       a_contact_problem_without_solution_ends_the_run_with_its_law_named},
      {"steps_allocate_nothing", steps_allocate_nothing},
      {"two_runs_have_the_same_bits", two_runs_have_the_same_bits},
      {"wrong_options_are_refused", wrong_options_are_refused},
  };
  return test_main(argc, argv, "scheme_moreau", cases, sizeof cases / sizeof cases[0]);
}
