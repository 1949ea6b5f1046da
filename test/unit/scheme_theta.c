/* What the implicit schemes have in common: accuracy and energy in smooth motion, Newton's loop and its stopping,
 * general kinematics, sparse parts, failures, memory. */
#include "support/allocations.h"
#include "support/chain.h"
#include "support/check.h"
#include "support/simulate.h"
#include "support/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMES = 4 };
static const char *const schemes[SCHEMES] = {"moreau-jean", "moreau-projected", "moreau-combined", "schatzman-paoli"};

/* Runs a model text and copies the last state. */
static bool run_text(const char *text, const char *scheme, double theta, double dt, double t_end, double *q, double *u,
                     picus_summary *summary) {
  simulation s;
  picus_sim_options options;
  picus_summary unread = {0};
  bool done = simulation_load_text(&s, text, &options);
  options.scheme = scheme;
  options.theta = theta;
  options.dt = dt;
  options.t_end = t_end;
  done = done && simulation_start(&s, &options) &&
         CHECK(picus_sim_run(s.sim, NULL, NULL, summary ? summary : &unread) == PICUS_OK);
  if (done && q) memcpy(q, picus_sim_state(s.sim).q, (size_t)picus_sim_state(s.sim).nq * sizeof *q);
  if (done && u) memcpy(u, picus_sim_state(s.sim).u, (size_t)picus_sim_state(s.sim).nu * sizeof *u);
  simulation_close(&s);
  return done;
}

/* --- smooth motion --------------------------------------------------------------------------------------- */

static const char oscillator[] = "local q, u = coordinates { { 'q', velocity = 'v', start = { 1, 0 } } }\n"
                                 "kinetic(u.v^2 / 2)\n"
                                 "potential(q.q^2 / 2)\n"
                                 "simulate { dt = 0.1, t_end = 1 }\n";

static void order_of_oscillator(const char *scheme, double theta, double low, double high) {
  double dt[STUDY_SIZES], error[STUDY_SIZES];
  for (int i = 0; i < STUDY_SIZES; i++) {
    double q = 0, u = 0;
    dt[i] = 0.1 / study_factors[i];
    REQUIRE(run_text(oscillator, scheme, theta, dt[i], 5, &q, &u, NULL));
    error[i] = hypot(q - cos(5), u + sin(5));
  }
  printf("  %s theta = %g:\n", scheme, theta);
  study_check_order("error", dt, error, low, high);
}

static void smooth_order_is_two_with_theta_one_half_and_one_else(void) {
  for (int i = 0; i < SCHEMES; i++) order_of_oscillator(schemes[i], 0.5, 1.95, 2.05);
  order_of_oscillator("moreau-jean", 1, 0.95, 1.1);
  order_of_oscillator("moreau-jean", 0.75, 0.95, 1.1);
}

/* theta = 1/2: q^2 + v^2 stays; theta = 1: each step divides it by 1 + dt^2 (the exact figures of the theta method). */
static void energy_of_the_oscillator(void) {
  const double dt = 0.1;
  double q = 0, u = 0;
  REQUIRE(run_text(oscillator, "moreau-jean", 0.5, dt, 1000, &q, &u, NULL));
  CHECK_NEAR(q * q + u * u, 1, 1e-11);
  REQUIRE(run_text(oscillator, "moreau-jean", 1, dt, 10, &q, &u, NULL));
  CHECK_NEAR((q * q + u * u) * pow(1 + dt * dt, 100), 1, 1e-12);
  REQUIRE(run_text(oscillator, "moreau-jean", 0, dt, 10, &q, &u, NULL));
  CHECK_NEAR((q * q + u * u) * pow(1 + dt * dt, -100), 1, 1e-12); /* explicit: multiplied instead */
}

/* M(q), gyroscopic terms, damping, time: all derivatives of the tangent matrix are needed. */
static const char double_pendulum[] =
    "local q, u = coordinates { { 'a', velocity = 'va', start = { 1, 0.5 } }, { 'b', velocity = 'vb', start = 2 } }\n"
    "kinetic(u.va^2 + u.vb^2 / 2 + u.va * u.vb * cos(q.a - q.b))\n"
    "potential(-9.81 * (2 * cos(q.a) + cos(q.b)))\n"
    "dissipation(0.05 * (u.va - u.vb)^2)\n"
    "force { a = sin(3 * t) }\n"
    "simulate { dt = 0.01, t_end = 1 }\n";

static void a_double_pendulum_converges_with_order_two(void) {
  double fine[4] = {0}, dt[STUDY_SIZES], error[STUDY_SIZES];
  REQUIRE(run_text(double_pendulum, "moreau-jean", 0.5, 1e-5, 1, fine, fine + 2, NULL));
  for (int i = 0; i < STUDY_SIZES; i++) {
    double x[4] = {0};
    picus_summary summary = {0};
    dt[i] = 0.02 / study_factors[i];
    REQUIRE(run_text(double_pendulum, "moreau-jean", 0.5, dt[i], 1, x, x + 2, &summary));
    CHECK(summary.implicit.newton_iterations_max <= 6);
    error[i] = 0;
    for (int k = 0; k < 4; k++) error[i] = fmax(error[i], fabs(x[k] - fine[k]));
  }
  study_check_order("error", dt, error, 1.9, 2.1);
  CHECK(error[STUDY_SIZES - 1] < 2e-5);
}

/* A spring of 1e12 N/m beside a pendulum: the explicit rule explodes at 1e-6 s, the implicit ones keep the energy. */
static const char stiff[] = "local q, u = coordinates { { 'x', velocity = 'v', start = { 1e-6, 0 } },\n"
                            "                           { 'y', velocity = 'w', start = { 0, 1 } } }\n"
                            "kinetic(u.v^2 / 2 + u.w^2 / 2)\n"
                            "potential(1e12 * q.x^2 / 2 + q.y^2 / 2)\n"
                            "simulate { dt = 1e-3, t_end = 1 }\n";

static void stiff_springs_need_no_small_steps(void) {
  double q[2] = {0}, u[2] = {0};
  REQUIRE(run_text(stiff, "moreau-jean", 0.5, 1e-3, 10, q, u, NULL));
  CHECK_NEAR(1e12 * q[0] * q[0] + u[0] * u[0], 1, 1e-6);
  CHECK_NEAR(q[1], sin(10), 1e-5);
  REQUIRE(run_text(stiff, "moreau-jean", 1, 1e-3, 10, q, u, NULL));
  CHECK(1e12 * q[0] * q[0] + u[0] * u[0] < 1e-12); /* damped away */
}

/* --- the residual ---------------------------------------------------------------------------------------- */

/* The balance of one step, computed anew from the states before and after it and the percussions: its largest component
 * over the largest of its terms, in the units of the step's own measure, and over the rounding of u. */
static double balance_of_step(const simulation *s, double t, double dt, const double *q0, const double *u0) {
  const double theta = picus_sim_options_of(s->sim)->theta;
  const picus_state end = picus_sim_state(s->sim);
  const int nq = end.nq, nu = end.nu, rows = picus_system_row_count(s->system);
  double q[8] = {0}, u[8] = {0}, M[64] = {0}, h[8] = {0}, W[96] = {0}, chi[12] = {0}, P[12] = {0};
  picus_law_state laws[8] = {{0}};
  picus_evaluation *e = NULL;
  if (!CHECK(nq <= 8 && rows <= 12 && picus_evaluation_create(s->context, s->system, &e) == PICUS_OK)) return NAN;
  for (int i = 0; i < nq; i++) q[i] = theta * end.q[i] + (1 - theta) * q0[i];
  for (int i = 0; i < nu; i++) u[i] = theta * end.u[i] + (1 - theta) * u0[i];
  picus_evaluation_set_point(e, t + theta * dt, q, u);
  CHECK(picus_evaluate_mass(e, M) == PICUS_OK && picus_evaluate_force(e, h) == PICUS_OK);
  picus_evaluation_set_point(e, t + dt, end.q, end.u);
  CHECK(picus_evaluate_directions(e, W, chi) == PICUS_OK && picus_sim_laws(s->sim, laws) == PICUS_OK);
  for (int i = 0; i < picus_system_law_count(s->system); i++) {
    picus_system_law law = picus_system_law_at(s->system, i);
    P[law.first_row] = laws[i].PN;
    for (int k = 0; k < law.slips; k++) P[law.first_row + 1 + k] = laws[i].PF[k];
  }
  double worst = 0, scale = 0, rounding = 0;
  for (int i = 0; i < nu; i++) {
    double momentum = 0, impulse = 0, root = sqrt(M[i * nu + i]);
    for (int j = 0; j < nu; j++) momentum += M[i * nu + j] * (end.u[j] - u0[j]);
    for (int r = 0; r < rows; r++) impulse += W[r * nu + i] * P[r];
    worst = fmax(worst, fabs(momentum - dt * h[i] - impulse) / root);
    scale = fmax(scale, (fabs(momentum) + dt * fabs(h[i]) + fabs(impulse)) / root);
    rounding = fmax(rounding, 1e-14 * root * fabs(end.u[i]));
  }
  picus_evaluation_destroy(e);
  return worst / (scale + rounding * 1e10);
}

/* A shorter step is solved as accurately as a long one: the balance holds to 1e-10 of its own terms, down to steps in
 * which velocities change by 1e-8 only. */
static void the_balance_holds_at_every_step_size(void) {
  const char *const models[] = {"slider-crank", "rocking-block", "rotating-ball", "slope"};
  for (int m = 0; m < 4; m++)
    for (int i = 0; i < 3; i++) { /* schatzman-paoli has another balance */
      double worst = 0;
      for (double dt = 1e-3; dt > 1e-9; dt /= 30) {
        simulation s;
        picus_sim_options options;
        REQUIRE(simulation_load(&s, models[m], "", &options));
        options.scheme = schemes[i];
        options.dt = dt;
        REQUIRE(simulation_start(&s, &options));
        for (int k = 0; k < 300; k++) {
          double q[8] = {0}, u[8] = {0};
          picus_state begin = picus_sim_state(s.sim);
          memcpy(q, begin.q, (size_t)begin.nq * sizeof *q);
          memcpy(u, begin.u, (size_t)begin.nu * sizeof *u);
          REQUIRE(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
          worst = fmax(worst, balance_of_step(&s, begin.t, dt, q, u));
        }
        simulation_close(&s);
      }
      printf("  %s, %s: worst balance %.2g\n", models[m], schemes[i], worst);
      CHECK(worst < 1.1e-10);
    }
}

/* --- general kinematics ---------------------------------------------------------------------------------- */

/* A force-free gyroscope in unit quaternions: u = angular velocity in the body, q' = B(q) u. */
static const char gyroscope[] =
    "local q, u = coordinates { { 'e0', start = 1 }, { 'e1' }, { 'e2' }, { 'e3' } }\n"
    "u = velocities { { 'wx', start = 0.3 }, { 'wy', start = 5 }, { 'wz', start = 0.1 } }\n"
    "rates { e0 = -(q.e1 * u.wx + q.e2 * u.wy + q.e3 * u.wz) / 2, e1 = (q.e0 * u.wx - q.e3 * u.wy + q.e2 * u.wz) / 2,\n"
    "        e2 = (q.e3 * u.wx + q.e0 * u.wy - q.e1 * u.wz) / 2, e3 = (-q.e2 * u.wx + q.e1 * u.wy + q.e0 * u.wz) / 2 "
    "}\n"
    "mass { { 1, 0, 0 }, { 0, 2, 0 }, { 0, 0, 3 } }\n"
    "force_vector { (2 - 3) * u.wy * u.wz, (3 - 1) * u.wz * u.wx, (1 - 2) * u.wx * u.wy }\n"
    "simulate { dt = 0.01, t_end = 2 }\n";

static void quaternions_keep_length_and_order(void) {
  double fine[7] = {0}, dt[STUDY_SIZES], error[STUDY_SIZES];
  REQUIRE(run_text(gyroscope, "moreau-jean", 0.5, 2e-5, 2, fine, fine + 4, NULL));
  for (int i = 0; i < STUDY_SIZES; i++) {
    double x[7] = {0};
    dt[i] = 0.02 / study_factors[i];
    REQUIRE(run_text(gyroscope, "moreau-jean", 0.5, dt[i], 2, x, x + 4, NULL));
    CHECK_NEAR(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3], 1,
               1e-9); /* B(q_M) u; 1e-10 of the travel, 5, twice */
    CHECK_NEAR(x[4] * x[4] + 2 * x[5] * x[5] + 3 * x[6] * x[6], 0.09 + 50 + 0.03, 1e-8);
    error[i] = 0;
    for (int k = 0; k < 7; k++) error[i] = fmax(error[i], fabs(x[k] - fine[k]));
  }
  study_check_order("error", dt, error, 1.9, 2.1);
}

/* A pendulum as a point with Cartesian velocities and polar coordinates, held at r = 1 by a constraint. */
static const char polar_pendulum[] =
    "local q, u = coordinates { { 'r', start = 1 }, { 'phi', start = 1 } }\n"
    "u = velocities { { 'vx' }, { 'vy' } }\n"
    "rates { r = u.vx * sin(q.phi) - u.vy * cos(q.phi), phi = (u.vx * cos(q.phi) + u.vy * sin(q.phi)) / q.r }\n"
    "mass { { 2, 0 }, { 0, 2 } }\n"
    "force_vector { 0, -2 * 9.81 }\n"
    "constraint { 'rod', position = q.r - 1 }\n"
    "simulate { dt = 1e-3, t_end = 2 }\n";
static const char angle_pendulum[] = "local q, u = coordinates { { 'phi', velocity = 'omega', start = 1 } }\n"
                                     "kinetic(u.omega^2)\n"
                                     "potential(-2 * 9.81 * cos(q.phi))\n"
                                     "simulate { dt = 1e-3, t_end = 2 }\n";

static void constraints_hold_without_drift_under_general_kinematics(void) {
  double exact = 0, q[2] = {0}, worst[3] = {0};
  picus_summary summary = {0};
  REQUIRE(run_text(angle_pendulum, "moreau-jean", 0.5, 1e-4, 2, &exact, NULL, NULL));
  for (int i = 0; i < 3; i++) {
    double error[2] = {0};
    for (int k = 0; k < 2; k++) {
      REQUIRE(run_text(polar_pendulum, schemes[i], 0.5, k ? 1e-4 : 1e-3, 2, q, NULL, &summary));
      error[k] = fabs(q[1] - exact);
      if (k == 0) worst[i] = summary.gaps.constraint;
    }
    printf("  %s: errors %.2g, %.2g, constraint violated by %.2g\n", schemes[i], error[0], error[1], worst[i]);
    CHECK(error[1] < 0.2 * error[0] && error[0] < 2e-2);
  }
  CHECK(worst[0] > 1e-7); /* on velocity level it drifts */
  CHECK(worst[1] < 1e-11 && worst[2] < 1e-11);
}

/* The same rod in Cartesian coordinates, over a long time; its error on velocity level is of order dt^2. */
static const char cartesian_pendulum[] =
    "local q, u = coordinates { { 'x', velocity = 'vx', start = 0.6 }, { 'y', velocity = 'vy', start = -0.8 } }\n"
    "kinetic(u.vx^2 + u.vy^2)\n"
    "potential(2 * 9.81 * q.y)\n"
    "constraint { 'rod', position = sqrt(q.x^2 + q.y^2) - 1 }\n"
    "simulate { dt = 1e-2, t_end = 20 }\n";

static void constraints_hold_without_drift(void) {
  for (int i = 0; i < SCHEMES; i++) {
    picus_summary summary = {0};
    REQUIRE(run_text(cartesian_pendulum, schemes[i], 0.5, 1e-2, 20, NULL, NULL, &summary));
    printf("  %s: constraint violated by %.2g\n", schemes[i], summary.gaps.constraint);
    CHECK(i == 0 ? summary.gaps.constraint > 1e-5 : summary.gaps.constraint < 1e-11);
  }
}

/* Coupled and decoupled projection solve the same equations, with general kinematics too. */
static void coupled_and_decoupled_agree(void) {
  const char *const texts[] = {polar_pendulum, NULL};
  for (int m = 0; m < 2; m++)
    for (int i = 1; i < 3; i++) {
      double q[2][8] = {{0}};
      for (int coupled = 0; coupled < 2; coupled++) {
        simulation s;
        picus_sim_options options;
        REQUIRE(texts[m] ? simulation_load_text(&s, texts[m], &options)
                         : simulation_load(&s, "rocking-block", "", &options));
        options.scheme = schemes[i];
        options.t_end = 0.5;
        options.implicit.projection = coupled ? PICUS_PROJECTION_COUPLED : PICUS_PROJECTION_DECOUPLED;
        REQUIRE(simulation_start(&s, &options));
        CHECK(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK);
        memcpy(q[coupled], picus_sim_state(s.sim).q, (size_t)picus_sim_state(s.sim).nq * sizeof(double));
        simulation_close(&s);
      }
      for (int k = 0; k < 8; k++) CHECK_NEAR(q[1][k], q[0][k], 1e-8);
    }
}

/* --- parts ----------------------------------------------------------------------------------------------- */

static picus_sim *chain_sim(picus_context *context, const picus_system *chain, const char *scheme, double dt) {
  picus_sim_options options = picus_default_sim_options();
  options.scheme = scheme;
  options.dt = dt;
  options.t_end = 100 * dt;
  picus_sim *sim = NULL;
  CHECK(picus_sim_create(context, chain, &options, &sim) == PICUS_OK);
  return sim;
}

/* A chain of stiff springs hits a wall: the same motion with and without a sparsity pattern; one iteration a step. */
static void a_sparse_part_moves_as_a_dense_one(void) {
  enum { N = 12 };
  for (int i = 0; i < SCHEMES; i++) {
    double q[2][N] = {{0}};
    for (int sparse = 0; sparse < 2; sparse++) {
      picus_context *context;
      REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
      picus_system *chain = chain_system(context, N, 1e6, 1, 0.5, 1e-2, -1, sparse == 1);
      picus_sim *sim = chain_sim(context, chain, schemes[i], 1e-3);
      REQUIRE(sim != NULL);
      picus_summary summary = {0};
      CHECK(picus_sim_run(sim, NULL, NULL, &summary) == PICUS_OK && summary.impacts > 0);
      if (i == 0) CHECK(summary.implicit.newton_iterations == summary.steps); /* linear: once, and seen to be solved */
      memcpy(q[sparse], picus_sim_state(sim).q, sizeof q[0]);
      picus_sim_destroy(sim);
      picus_system_destroy(chain);
      picus_context_destroy(context);
    }
    for (int k = 0; k < N; k++) CHECK_NEAR(q[1][k], q[0][k], 1e-9);
  }
}

static void a_long_chain_is_never_dense(void) {
  const int n = 20000;
  for (int i = 0; i < SCHEMES; i++) {
    picus_context *context;
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    picus_system *chain = chain_system(context, n, 1e6, 0, 0.5, 1e-3, -1, true);
    picus_sim *sim = chain_sim(context, chain, schemes[i], 1e-4);
    REQUIRE(sim != NULL);
    CHECK(picus_sim_run(sim, NULL, NULL, NULL) == PICUS_OK);
    CHECK(picus_context_memory_peak(context) < 300 * (size_t)n * sizeof(double));
    picus_sim_destroy(sim);
    picus_system_destroy(chain);
    CHECK(picus_context_memory(context) == 0);
    picus_context_destroy(context);
  }
}

/* --- failures -------------------------------------------------------------------------------------------- */

/* A step that Newton's loop does not solve is divided, and counted; here the parts are short enough. */
static void a_step_that_does_not_converge_is_divided(void) {
  simulation s;
  picus_sim_options options;
  picus_summary summary = {0};
  REQUIRE(simulation_load(&s, "rocking-block", "", &options));
  options.scheme = "moreau-jean";
  options.implicit.newton_max = 3;
  REQUIRE(simulation_start(&s, &options));
  CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
  printf("  %ld of %ld steps were divided\n", summary.shortened, summary.steps);
  CHECK(summary.shortened > 0 && summary.steps > 200);
  simulation_close(&s);
}

/* x = 1 - 20 t would leave the range of sqrt within the step; the particle turns at x = 1/4. Shorter steps show it. */
static void an_iterate_outside_of_a_formula_is_not_the_end(void) {
  static const char text[] = "local q, u = coordinates {{'x', velocity = 'v', start = {1, -20}}}\n"
                             "kinetic(u.v^2 / 2)\n"
                             "potential(-400 * sqrt(q.x))\n"
                             "simulate {dt = 0.1, t_end = 1}\n";
  for (int i = 0; i < SCHEMES; i++) {
    picus_summary summary = {0};
    double q = 0, u = 0;
    REQUIRE(run_text(text, schemes[i], 0.5, 0.1, 0.2, &q, &u, &summary));
    CHECK(q > 0.25 && isfinite(u));
    CHECK(summary.shortened > 0 || i == 3); /* schatzman-paoli looks at forces nearer to the start of the step */
  }
}

/* One iteration is never enough at an impact on a corner: the run ends, says where, and keeps the state before. */
static void a_step_that_never_converges_ends_the_run_with_its_contact_named(void) {
  simulation s;
  picus_sim_options options;
  picus_summary summary = {0};
  REQUIRE(simulation_load(&s, "rocking-block", "", &options));
  options.scheme = "moreau-combined";
  options.implicit.newton_max = 1;
  REQUIRE(simulation_start(&s, &options));
  CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_NOT_CONVERGED);
  const char *message = picus_last_error(s.context)->message;
  printf("  %s\n", message);
  CHECK(strstr(message, "did not converge in 1 iterations") && strstr(message, "residual"));
  CHECK(strstr(message, "'A'") || strstr(message, "'B'"));
  CHECK(summary.shortened >= 1 && summary.steps > 10 && summary.t_end > 0.1 && summary.t_end < 0.3);
  CHECK(picus_sim_state(s.sim).t == summary.t_end && isfinite(picus_sim_state(s.sim).q[1]));
  simulation_close(&s);
}

static void a_failed_step_leaves_the_state_untouched(void) {
  simulation s;
  picus_sim_options options;
  REQUIRE(simulation_load(&s, "slider-crank", "", &options));
  options.scheme = "moreau-combined";
  options.implicit.newton_max = 2;
  REQUIRE(simulation_start(&s, &options));
  double q[3] = {0}, u[3] = {0};
  picus_law_state before[4], after[4];
  for (int k = 0; k < 500; k++) CHECK(picus_sim_step(s.sim, 1e-6, NULL) >= 0);
  memcpy(q, picus_sim_state(s.sim).q, sizeof q);
  memcpy(u, picus_sim_state(s.sim).u, sizeof u);
  CHECK(picus_sim_laws(s.sim, before) == PICUS_OK);
  CHECK(picus_sim_step(s.sim, 3e-3, NULL) == PICUS_NOT_CONVERGED);
  CHECK(picus_sim_laws(s.sim, after) == PICUS_OK);
  for (int i = 0; i < 3; i++) CHECK(picus_sim_state(s.sim).q[i] == q[i] && picus_sim_state(s.sim).u[i] == u[i]);
  for (int i = 0; i < 4; i++)
    CHECK(before[i].PN == after[i].PN && before[i].mode == after[i].mode &&
          before[i].dissipated == after[i].dissipated);
  simulation_close(&s);
}

static void friction_is_refused_by_schatzman_paoli(void) {
  const char *const models[] = {"slope", "sliding-mass"};
  for (int i = 0; i < 2; i++) {
    simulation s;
    picus_sim_options options;
    REQUIRE(simulation_load(&s, models[i], "", &options));
    options.scheme = "schatzman-paoli";
    CHECK(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_ERROR_UNSUPPORTED);
    CHECK(strstr(picus_last_error(s.context)->message, "does not support friction") && s.sim == NULL);
    simulation_close(&s);
  }
}

static void wrong_options_are_refused(void) {
  simulation s;
  picus_sim_options good;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &good));
  good.scheme = "moreau-projected"; /* it heeds them all */
  for (int i = 0; i < 9; i++) {
    picus_sim_options o = good;
    if (i == 0) o.implicit.forecast = (picus_forecast)7;
    if (i == 1) o.implicit.metric = (picus_metric)-1;
    if (i == 2) o.implicit.forecast_factor = -0.1;
    if (i == 3) o.implicit.forecast_factor = 2.5;
    if (i == 4) o.implicit.newton_tolerance = 0;
    if (i == 5) o.implicit.newton_tolerance = NAN;
    if (i == 6) o.implicit.projection_tolerance = -1;
    if (i == 7) o.implicit.newton_max = 0;
    if (i == 8) o.theta = 1.5;
    picus_sim *sim = NULL;
    CHECK(picus_sim_create(s.context, s.system, &o, &sim) == PICUS_ERROR_ARGUMENT && sim == NULL);
  }
  simulation_close(&s);
}

/* --- memory ---------------------------------------------------------------------------------------------- */

static void steps_allocate_nothing(void) {
  for (int i = 0; i < 2 * SCHEMES; i++) {
    simulation s = {0};
    test_allocations a = test_grant_all();
    picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
    REQUIRE(picus_context_create(&def, &s.context) == PICUS_OK);
    REQUIRE(picus_model_load(s.context, "rocking-block", NULL, &s.model) == PICUS_OK);
    REQUIRE(picus_system_create(s.model, &s.system) == PICUS_OK);
    picus_sim_options options = picus_model_sim_options(s.model);
    options.scheme = schemes[i % SCHEMES];
    options.implicit.projection = i >= SCHEMES ? PICUS_PROJECTION_COUPLED : PICUS_PROJECTION_DECOUPLED;
    REQUIRE(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_OK);
    CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
    long before = a.calls;
    for (int k = 0; k < 300; k++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
    CHECK(a.calls == before);
    simulation_close(&s);
  }
}

/* What schatzman-paoli remembers of the last step belongs to the state: set anew, it starts again; the same start gives
 * the same bits. */
static void a_new_state_forgets_the_last_step(void) {
  simulation s;
  picus_sim_options options;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  options.scheme = "schatzman-paoli";
  REQUIRE(simulation_start(&s, &options));
  double q[2], u[2], q0 = 1, u0 = 0;
  for (int turn = 0; turn < 2; turn++) {
    CHECK(picus_sim_set_state(s.sim, 0, &q0, &u0) == PICUS_OK);
    for (int k = 0; k < 60; k++) CHECK(picus_sim_step(s.sim, k % 2 ? 0.02 : 0.03, NULL) == PICUS_OK);
    q[turn] = picus_sim_state(s.sim).q[0];
    u[turn] = picus_sim_state(s.sim).u[0];
  }
  CHECK(q[0] == q[1] && u[0] == u[1]);
  simulation_close(&s);
}

/* Free fall with steps of changing size is followed to rounding: the differences are divided. */
static void schatzman_paoli_takes_steps_of_any_size(void) {
  simulation s;
  picus_sim_options options;
  REQUIRE(simulation_load(&s, "bouncing-ball", "q0=100", &options));
  options.scheme = "schatzman-paoli";
  REQUIRE(simulation_start(&s, &options));
  test_random random = {3};
  for (int k = 0; k < 100; k++) {
    REQUIRE(picus_sim_step(s.sim, test_uniform(&random, 0.01, 0.1), NULL) == PICUS_OK);
    picus_state state = picus_sim_state(s.sim);
    CHECK_NEAR(state.q[0], 100 - state.t * state.t, 1e-10);
  }
  simulation_close(&s);
}

/* M (u_1 - u_0) = dt (theta h_1 + (1 - theta) h_0) with M at the end of the step; h = -q u^2 - q^3 + sin 5t. */
static double mean_force_residual(picus_state a, picus_state b, double theta) {
  const double h_a = -a.q[0] * a.u[0] * a.u[0] - pow(a.q[0], 3) + sin(5 * a.t);
  const double h_b = -b.q[0] * b.u[0] * b.u[0] - pow(b.q[0], 3) + sin(5 * b.t);
  return (1 + b.q[0] * b.q[0]) * (b.u[0] - a.u[0]) - (b.t - a.t) * (theta * h_b + (1 - theta) * h_a);
}

static void mean_forces_are_of_both_ends(void) {
  static const char text[] = "local q, u = coordinates {{'q', velocity = 'v', start = {0.4, 1.5}}}\n"
                             "kinetic((1 + q.q^2) * u.v^2 / 2) potential(q.q^4 / 4) force {q = sin(5 * t)}\n";
  for (int way = 0; way < 8; way++) {
    simulation s;
    picus_sim_options options;
    REQUIRE(simulation_load_text(&s, text, &options));
    options.scheme = way & 1 ? "moreau-combined" : "moreau-jean";
    options.theta = way & 2 ? 0.8 : 0.5;
    options.implicit.newton_printed = way & 4;
    options.implicit.mean_forces = true;
    options.dt = 0.05;
    REQUIRE(simulation_start(&s, &options));
    for (int k = 0; k < 40; k++) {
      double q = picus_sim_state(s.sim).q[0], u = picus_sim_state(s.sim).u[0];
      const picus_state before = {.t = picus_sim_state(s.sim).t, .q = &q, .u = &u};
      REQUIRE(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
      CHECK_NEAR(mean_force_residual(before, picus_sim_state(s.sim), options.theta), 0, 1e-9);
    }
    simulation_close(&s);
  }
}

static void mean_forces_refuse_bodies_in_space(void) {
  simulation s;
  picus_sim_options options;
  REQUIRE(simulation_load(&s, "tippedisk", "", &options));
  options.scheme = "moreau-jean";
  options.implicit.mean_forces = true;
  CHECK(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_ERROR_UNSUPPORTED);
  CHECK(strstr(picus_last_error(s.context)->message, "mean_forces needs") != NULL);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"smooth_order_is_two_with_theta_one_half_and_one_else", smooth_order_is_two_with_theta_one_half_and_one_else},
      {"energy_of_the_oscillator", energy_of_the_oscillator},
      {"a_double_pendulum_converges_with_order_two", a_double_pendulum_converges_with_order_two},
      {"stiff_springs_need_no_small_steps", stiff_springs_need_no_small_steps},
      {"the_balance_holds_at_every_step_size", the_balance_holds_at_every_step_size},
      {"quaternions_keep_length_and_order", quaternions_keep_length_and_order},
      {"constraints_hold_without_drift_under_general_kinematics",
       constraints_hold_without_drift_under_general_kinematics},
      {"constraints_hold_without_drift", constraints_hold_without_drift},
      {"coupled_and_decoupled_agree", coupled_and_decoupled_agree},
      {"mean_forces_are_of_both_ends", mean_forces_are_of_both_ends},
      {"mean_forces_refuse_bodies_in_space", mean_forces_refuse_bodies_in_space},
      {"a_sparse_part_moves_as_a_dense_one", a_sparse_part_moves_as_a_dense_one},
      {"a_long_chain_is_never_dense", a_long_chain_is_never_dense},
      {"a_step_that_does_not_converge_is_divided", a_step_that_does_not_converge_is_divided},
      {"an_iterate_outside_of_a_formula_is_not_the_end", an_iterate_outside_of_a_formula_is_not_the_end},
      {"a_step_that_never_converges_ends_the_run_with_its_contact_named",
       a_step_that_never_converges_ends_the_run_with_its_contact_named},
      {"a_failed_step_leaves_the_state_untouched", a_failed_step_leaves_the_state_untouched},
      {"friction_is_refused_by_schatzman_paoli", friction_is_refused_by_schatzman_paoli},
      {"wrong_options_are_refused", wrong_options_are_refused},
      {"steps_allocate_nothing", steps_allocate_nothing},
      {"a_new_state_forgets_the_last_step", a_new_state_forgets_the_last_step},
      {"schatzman_paoli_takes_steps_of_any_size", schatzman_paoli_takes_steps_of_any_size},
  };
  return test_main(argc, argv, "scheme_theta", cases, sizeof cases / sizeof cases[0]);
}
