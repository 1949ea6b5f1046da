/* Equations of motion from formulas: closed forms, Jacobians against differences, and the same system by functions. */
#include "support/check.h"
#include "system/internal.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static picus_context *context;
static picus_pool *pool;
static picus_model *model;

static picus_expr number(double value) { return picus_number(pool, value); }
static picus_expr times(picus_expr a, picus_expr b) { return picus_mul(pool, a, b); }
static picus_expr plus(picus_expr a, picus_expr b) { return picus_add(pool, a, b); }
static picus_expr scaled(double factor, picus_expr a) { return times(number(factor), a); }
static picus_expr half_square(double factor, picus_expr a) { return scaled(0.5 * factor, times(a, a)); }
static picus_expr sine(picus_expr a) { return picus_unary(pool, PICUS_SIN, a); }
static picus_expr cosine(picus_expr a) { return picus_unary(pool, PICUS_COS, a); }

static bool begin(const char *name) {
  if (picus_context_create(NULL, &context) != PICUS_OK) return false;
  if (picus_model_create(context, name, &model) != PICUS_OK) return false;
  pool = picus_model_pool(model);
  return true;
}

static void end(void) {
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0); /* everything was given back */
  picus_context_destroy(context);
}

static void add_coordinate(const char *name, const char *velocity, double q0, double u0, picus_expr *q, picus_expr *u) {
  picus_coordinate_def def = picus_default_coordinate_def();
  def.name = name;
  def.velocity = velocity;
  def.start = q0;
  def.velocity_start = u0;
  CHECK(picus_model_add_coordinate(model, &def, q, u) == PICUS_OK);
}

static bool finish(picus_system **system, picus_evaluation **evaluation) {
  bool fine = CHECK(picus_system_create(model, system) == PICUS_OK);
  if (!fine) {
    const picus_error *error = picus_last_error(context);
    test_text(error->message, "no error", __FILE__, __LINE__, "message");
    return false;
  }
  return CHECK(picus_evaluation_create(context, *system, evaluation) == PICUS_OK);
}

/* --- the woodpecker (Glocker and Studer 2005, Table I, eqs. 14 to 16) -------------------------------------------- */

static const double rO = 0.0025, rM = 0.0031, hM = 0.0058, lM = 0.010, lG = 0.015, hS = 0.02, lS = 0.0201;
static const double mM = 0.0003, mS = 0.0045, JM = 5e-9, JS = 7e-7, c_phi = 0.0056, g = 9.81;

static void build_woodpecker(void) {
  picus_expr y, v, phiM, oM, phiS, oS;
  add_coordinate("y", "v", 0, -0.3411, &y, &v);
  add_coordinate("phiM", "omegaM", -0.1036, 0, &phiM, &oM);
  add_coordinate("phiS", "omegaS", -0.2788, -7.4583, &phiS, &oS);
  picus_expr vS = plus(v, plus(scaled(lM, oM), scaled(lG, oS)));
  picus_expr T = plus(plus(half_square(mM, v), half_square(JM, oM)), plus(half_square(JS, oS), half_square(mS, vS)));
  picus_expr height = plus(y, plus(scaled(lM, phiM), scaled(lG, phiS)));
  picus_expr twist = picus_sub(pool, phiM, phiS);
  picus_expr V = plus(plus(scaled(mM * g, y), scaled(mS * g, height)), half_square(c_phi, twist));
  CHECK(picus_model_add_kinetic(model, T) == PICUS_OK);
  CHECK(picus_model_add_potential(model, V) == PICUS_OK);
  picus_contact_def beak = picus_default_contact_def();
  beak.name = "beak";
  beak.gap = picus_sub(pool, number(lM + lG - lS - rO), scaled(hS, phiS));
  beak.slips = 1;
  beak.slip[0] = plus(v, plus(scaled(lM, oM), scaled(lG - lS, oS)));
  beak.mu = 0.3;
  beak.eN = 0.5;
  CHECK(picus_model_add_contact(model, &beak) == PICUS_OK);
  picus_contact_def lower = picus_default_contact_def();
  lower.name = "lower";
  lower.gap = plus(number(rM - rO), scaled(hM, phiM));
  lower.slips = 1;
  lower.slip[0] = plus(v, scaled(rM, oM));
  lower.mu = 0.3;
  CHECK(picus_model_add_contact(model, &lower) == PICUS_OK);
}

static void woodpecker_has_the_papers_matrices_and_they_are_constant(void) {
  REQUIRE(begin("woodpecker"));
  build_woodpecker();
  picus_system *system;
  picus_evaluation *e;
  REQUIRE(finish(&system, &e));
  picus_system_constants constant = picus_system_constant_parts(system);
  CHECK(constant.mass && constant.directions && constant.identity_rates);
  double q[3] = {0.1, -0.05, 0.2}, u[3] = {1, 2, 3}, M[9], h[3], W[12], chi[4], gap[2];
  picus_evaluation_set_point(e, 0, q, u);
  CHECK(picus_evaluate_mass(e, M) == PICUS_OK && picus_evaluate_force(e, h) == PICUS_OK);
  CHECK(picus_evaluate_directions(e, W, chi) == PICUS_OK && picus_evaluate_gaps(e, gap) == PICUS_OK);
  double M_paper[9] = {mS + mM,      mS * lM, mS * lG,      mS * lM,          JM + mS * lM * lM,
                       mS * lM * lG, mS * lG, mS * lM * lG, JS + mS * lG * lG};
  for (int i = 0; i < 9; i++) CHECK_NEAR(M[i], M_paper[i], 1e-15 * M_paper[i]);
  double h_paper[3] = {-(mS + mM) * g, -c_phi * (q[1] - q[2]) - mS * lM * g, -c_phi * (q[2] - q[1]) - mS * lG * g};
  for (int i = 0; i < 3; i++) CHECK_NEAR(h[i], h_paper[i], 1e-15);
  double W_paper[12] = {0, 0, -hS, 1, lM, lG - lS, 0, hM, 0, 1, rM, 0};
  for (int i = 0; i < 12; i++) CHECK_NEAR(W[i], W_paper[i], 1e-17);
  CHECK_NEAR(gap[0], (lM + lG - lS - rO) - hS * q[2], 1e-17);
  CHECK_NEAR(gap[1], (rM - rO) + hM * q[1], 1e-17);
  picus_evaluation_destroy(e);
  picus_system_destroy(system);
  end();
}

/* --- forces and velocities ---------------------------------------------------------------------------------------- */

/* h at its initial state, and with other velocities: the same where position_forces says so. */
static bool force_ignores_velocities(picus_context *own, const picus_system *system) {
  const int nq = picus_system_nq(system), nu = picus_system_nu(system);
  double *numbers = calloc((size_t)(nq + 4 * nu), sizeof *numbers);
  double *q = numbers, *u = q + nq, *other = u + nu, *h = other + nu, *h_other = h + nu;
  picus_evaluation *e = NULL;
  bool same = CHECK(numbers && picus_evaluation_create(own, system, &e) == PICUS_OK);
  if (same) picus_system_start(system, q, u);
  for (int i = 0; same && i < nu; i++) other[i] = u[i] + sin(1.7 * i + 0.3);
  for (int i = 0; same && i < nq; i++) q[i] += 1e-3 * cos(2.3 * i);
  if (same) {
    picus_evaluation_set_point(e, 0.01, q, u);
    same = CHECK(picus_evaluate_force(e, h) == PICUS_OK);
    picus_evaluation_set_point(e, 0.01, q, other);
    same = same && CHECK(picus_evaluate_force(e, h_other) == PICUS_OK);
  }
  for (int i = 0; same && i < nu; i++) same = h[i] == h_other[i];
  picus_evaluation_destroy(e);
  free(numbers);
  return same;
}

static void position_forces_are_told_from_others(void) {
  static const struct {
    const char *model;
    bool expected;
  } models[] = {{"woodpecker", true},       {"impact-oscillator", true}, {"ball-in-box", true},
                {"elastic-balls", true},    {"slider-crank", false},     {"rotor", false},
                {"tippedisk", false},       {"box-tumbling", false},     {"newtons-cradle", true},
                {"pendulum-in-ring", true}, {"rocking-block", true}};
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    picus_context *own = NULL;
    picus_model *loaded = NULL;
    picus_system *system = NULL;
    if (CHECK(!picus_context_create(NULL, &own)) && CHECK(!picus_model_load(own, models[k].model, NULL, &loaded)) &&
        CHECK(!picus_system_create(loaded, &system))) {
      const bool says = picus_system_constant_parts(system).position_forces, is = force_ignores_velocities(own, system);
      printf("  %-20s says %d, is %d\n", models[k].model, says, is);
      CHECK(says == models[k].expected && (!says || is));
    }
    picus_system_destroy(system);
    picus_model_destroy(loaded);
    picus_context_destroy(own);
  }
}

/* --- gyroscopic and rheonomic terms ------------------------------------------------------------------------------ */

/* Spherical pendulum, unit mass and length: theta'' = sin cos psi'^2 - g sin, d/dt(sin^2 psi') = 0. */
static void spherical_pendulum_has_its_gyroscopic_terms(void) {
  REQUIRE(begin("pendulum"));
  picus_expr theta, psi, w, p;
  add_coordinate("theta", "w", 0.4, 0.1, &theta, &w);
  add_coordinate("psi", "p", 0, 2, &psi, &p);
  picus_expr s = sine(theta);
  picus_model_add_kinetic(model, plus(half_square(1, w), half_square(1, times(s, p))));
  picus_model_add_potential(model, scaled(-g, cosine(theta)));
  picus_system *system;
  picus_evaluation *e;
  REQUIRE(finish(&system, &e));
  CHECK(!picus_system_constant_parts(system).mass);
  double q[2] = {0.7, 0.3}, u[2] = {-0.4, 1.9}, M[4], h[2];
  picus_evaluation_set_point(e, 0, q, u);
  CHECK(picus_evaluate_mass(e, M) == PICUS_OK && picus_evaluate_force(e, h) == PICUS_OK);
  double sn = sin(q[0]), cs = cos(q[0]);
  CHECK_NEAR(M[0], 1, 1e-15);
  CHECK_NEAR(M[3], sn * sn, 1e-15);
  CHECK_NEAR(h[0], sn * cs * u[1] * u[1] - g * sn, 1e-14);
  CHECK_NEAR(h[1], -2 * sn * cs * u[0] * u[1], 1e-14);
  picus_evaluation_destroy(e);
  picus_system_destroy(system);
  end();
}

/* A bead on a rod that turns with angle(t) = 3 t^2: T = (r'^2 + r^2 angle'^2)/2, so r'' = r angle'^2; and a mass
 * carried along x(t) = s + sin 2t, with a term linear in the velocity: s'' = 4 sin 2t. Gap s - t: chi = -1. */
static void rheonomic_terms_enter_h_and_chi(void) {
  REQUIRE(begin("bead"));
  picus_expr r, v, s, w, t = picus_model_time(model);
  add_coordinate("r", "v", 1, 0, &r, &v);
  add_coordinate("s", "w", 1, 0, &s, &w);
  picus_expr angle_rate = scaled(6, t);
  picus_expr carried = plus(w, scaled(2, cosine(scaled(2, t))));
  picus_model_add_kinetic(model,
                          plus(plus(half_square(1, v), half_square(1, times(r, angle_rate))), half_square(1, carried)));
  picus_contact_def wall = picus_default_contact_def();
  wall.name = "wall";
  wall.gap = picus_sub(pool, s, t);
  CHECK(picus_model_add_contact(model, &wall) == PICUS_OK);
  picus_system *system;
  picus_evaluation *e;
  REQUIRE(finish(&system, &e));
  double q[2] = {1.5, 2}, u[2] = {0.3, 0.4}, h[2], W[2], chi[1], now = 0.6;
  picus_evaluation_set_point(e, now, q, u);
  CHECK(picus_evaluate_force(e, h) == PICUS_OK && picus_evaluate_directions(e, W, chi) == PICUS_OK);
  CHECK_NEAR(h[0], 1.5 * 36 * now * now, 1e-13);
  CHECK_NEAR(h[1], 4 * sin(2 * now), 1e-14);
  CHECK_NEAR(chi[0], -1, 0);
  CHECK_NEAR(W[0], 0, 0);
  CHECK_NEAR(W[1], 1, 0);
  picus_evaluation_destroy(e);
  picus_system_destroy(system);
  end();
}

/* --- general kinematics: a knife edge, x' = v cos phi, y' = v sin phi, phi' = w ----------------------------------- */

static void build_knife_edge(void) {
  picus_expr x, y, phi, v, w, none;
  picus_coordinate_def def = picus_default_coordinate_def();
  def.name = "x";
  CHECK(picus_model_add_coordinate(model, &def, &x, &none) == PICUS_OK && !picus_expr_valid(none));
  def.name = "y";
  CHECK(picus_model_add_coordinate(model, &def, &y, &none) == PICUS_OK);
  add_coordinate("phi", "w", 0.3, 1, &phi, &w);
  CHECK(picus_model_add_velocity(model, "v", 2, "m/s", &v) == PICUS_OK);
  CHECK(picus_model_set_rate(model, "x", times(v, cosine(phi))) == PICUS_OK);
  CHECK(picus_model_set_rate(model, "y", times(v, sine(phi))) == PICUS_OK);
  picus_expr M[4] = {number(2), number(0), number(0), number(3)}; /* w, v */
  CHECK(picus_model_set_mass_matrix(model, 2, M) == PICUS_OK);
  CHECK(picus_model_add_potential(model, scaled(5, y)) == PICUS_OK);
  picus_contact_def wall = picus_default_contact_def();
  wall.name = "wall";
  wall.gap = picus_sub(pool, number(4), x);
  CHECK(picus_model_add_contact(model, &wall) == PICUS_OK);
}

static void general_kinematics_give_B_and_pull_forces_back(void) {
  REQUIRE(begin("knife"));
  build_knife_edge();
  picus_system *system;
  picus_evaluation *e;
  REQUIRE(finish(&system, &e));
  CHECK(picus_system_nq(system) == 3 && picus_system_nu(system) == 2);
  CHECK(!picus_system_constant_parts(system).identity_rates);
  double q[3] = {0.1, 0.2, 0.9}, u[2] = {1.5, 2.5}, rate[3], h[2], W[2], chi[1], J[9], B[6];
  picus_evaluation_set_point(e, 0, q, u);
  CHECK(picus_evaluate_rate(e, rate) == PICUS_OK && picus_evaluate_force(e, h) == PICUS_OK);
  CHECK(picus_evaluate_directions(e, W, chi) == PICUS_OK && picus_evaluate_rate_jacobian(e, J, B) == PICUS_OK);
  CHECK_NEAR(rate[0], 2.5 * cos(0.9), 1e-15);
  CHECK_NEAR(rate[1], 2.5 * sin(0.9), 1e-15);
  CHECK_NEAR(rate[2], 1.5, 0);
  CHECK_NEAR(h[0], 0, 0); /* -B^T dV/dq */
  CHECK_NEAR(h[1], -5 * sin(0.9), 1e-15);
  CHECK_NEAR(W[0], 0, 0);
  CHECK_NEAR(W[1], -cos(0.9), 1e-15);
  CHECK_NEAR(J[2], -2.5 * sin(0.9), 1e-15);
  CHECK_NEAR(J[5], 2.5 * cos(0.9), 1e-15);
  CHECK_NEAR(B[1], cos(0.9), 1e-15);
  CHECK_NEAR(B[4], 1, 0);
  picus_evaluation_destroy(e);
  picus_system_destroy(system);
  end();
}

/* --- Jacobians against central differences ------------------------------------------------------------------------ */

/* Two pendulums coupled by everything at once: nonconstant M, damping, time, spatial slips, a constraint. */
static void build_rich_model(void) {
  picus_expr a, b, c, u, v, w, t = picus_model_time(model);
  add_coordinate("a", "u", 0.5, 0.2, &a, &u);
  add_coordinate("b", "v", -0.3, 0.1, &b, &v);
  add_coordinate("c", "w", 1.2, -0.4, &c, &w);
  picus_expr coupling = times(cosine(picus_sub(pool, a, b)), times(u, v));
  picus_expr T =
      plus(plus(half_square(3, u), half_square(2, v)), plus(coupling, half_square(1, times(w, plus(c, number(2))))));
  picus_model_add_kinetic(model, plus(T, scaled(0.3, times(w, sine(t)))));
  picus_model_add_potential(model,
                            plus(scaled(-4, cosine(a)), times(times(b, b), plus(c, picus_unary(pool, PICUS_EXP, a)))));
  picus_model_add_dissipation(model, half_square(0.7, times(u, plus(number(1), times(b, b)))));
  picus_model_add_force(model, "c", times(sine(scaled(3, t)), plus(v, times(u, u))));
  picus_contact_def ball = picus_default_contact_def();
  ball.name = "ball";
  ball.gap = plus(times(c, cosine(a)), plus(number(3), times(b, sine(c))));
  ball.slips = 2;
  ball.slip[0] = plus(times(u, c), times(v, sine(b)));
  ball.slip[1] = plus(times(w, cosine(plus(a, t))), scaled(0.5, t));
  ball.mu = 0.4;
  CHECK(picus_model_add_contact(model, &ball) == PICUS_OK);
  picus_friction_def brake = picus_default_friction_def();
  brake.name = "brake";
  brake.slips = 1;
  brake.slip[0] = times(w, plus(a, number(1)));
  brake.reservoir = 2;
  CHECK(picus_model_add_friction(model, &brake) == PICUS_OK);
}

typedef picus_status (*vector_of_point)(picus_evaluation *e, const double *extra, int rows, double *value);

static picus_status force_at(picus_evaluation *e, const double *extra, int rows, double *value) {
  (void)extra;
  (void)rows;
  return picus_evaluate_force(e, value);
}
static picus_status gaps_at(picus_evaluation *e, const double *extra, int rows, double *value) {
  (void)extra;
  (void)rows;
  return picus_evaluate_gaps(e, value);
}
static picus_status velocities_at(picus_evaluation *e, const double *extra, int rows, double *value) {
  (void)extra;
  (void)rows;
  return picus_evaluate_velocities(e, value);
}
static picus_status mass_times(picus_evaluation *e, const double *v, int rows, double *value) {
  double M[9];
  picus_status status = picus_evaluate_mass(e, M);
  for (int i = 0; i < rows; i++) value[i] = M[3 * i] * v[0] + M[3 * i + 1] * v[1] + M[3 * i + 2] * v[2];
  return status;
}
static picus_status directions_times(picus_evaluation *e, const double *P, int rows, double *value) {
  double W[12], chi[4];
  picus_status status = picus_evaluate_directions(e, W, chi);
  for (int i = 0; i < rows; i++) {
    value[i] = 0;
    for (int r = 0; r < 4; r++) value[i] += W[3 * r + i] * P[r];
  }
  return status;
}

/* Fourth-order differences with step 1e-3: truncation about 1e-12 times the fifth derivative, rounding about 1e-12. */
static void check_jacobian(picus_evaluation *e, double t, double *q, double *u, bool by_u, vector_of_point function,
                           const double *extra, int rows, const double *J) {
  const double d = 1e-3;
  double *x = by_u ? u : q;
  for (int j = 0; j < 3; j++) {
    double value[4][4], x_j = x[j];
    const double shifts[4] = {-2, -1, 1, 2};
    for (int k = 0; k < 4; k++) {
      x[j] = x_j + shifts[k] * d;
      picus_evaluation_set_point(e, t, q, u);
      CHECK(function(e, extra, rows, value[k]) == PICUS_OK);
    }
    x[j] = x_j;
    for (int i = 0; i < rows; i++) {
      double slope = (value[0][i] - 8 * value[1][i] + 8 * value[2][i] - value[3][i]) / (12 * d);
      CHECK_NEAR(J[3 * i + j], slope, 1e-9 * (1 + fabs(slope)));
    }
  }
}

static void check_all_jacobians(picus_evaluation *e, double t, double *q, double *u) {
  const double v[3] = {0.3, -1.1, 0.8}, P[4] = {0.5, -0.2, 0.9, -1.3};
  double dh_dq[9], dh_du[9], dg_dq[6], dMv[9], dgamma[12], dWP[9];
  picus_evaluation_set_point(e, t, q, u);
  CHECK(picus_evaluate_force_jacobian(e, dh_dq, dh_du) == PICUS_OK);
  CHECK(picus_evaluate_gap_jacobian(e, dg_dq) == PICUS_OK);
  CHECK(picus_evaluate_mass_jacobian(e, v, dMv) == PICUS_OK);
  CHECK(picus_evaluate_velocity_jacobian(e, dgamma) == PICUS_OK);
  CHECK(picus_evaluate_direction_jacobian(e, P, dWP) == PICUS_OK);
  check_jacobian(e, t, q, u, false, force_at, NULL, 3, dh_dq);
  check_jacobian(e, t, q, u, true, force_at, NULL, 3, dh_du);
  check_jacobian(e, t, q, u, false, gaps_at, NULL, 2, dg_dq);
  check_jacobian(e, t, q, u, false, mass_times, v, 3, dMv);
  check_jacobian(e, t, q, u, false, velocities_at, NULL, 4, dgamma);
  check_jacobian(e, t, q, u, false, directions_times, P, 3, dWP);
}

static void jacobians_agree_with_differences(void) {
  REQUIRE(begin("rich"));
  build_rich_model();
  picus_system *system;
  picus_evaluation *e;
  REQUIRE(finish(&system, &e));
  test_random random = {7};
  for (int trial = 0; trial < 50; trial++) {
    double q[3], u[3], t = test_uniform(&random, 0, 2);
    for (int i = 0; i < 3; i++) {
      q[i] = test_uniform(&random, -1, 1);
      u[i] = test_uniform(&random, -2, 2);
    }
    check_all_jacobians(e, t, q, u);
  }
  picus_evaluation_destroy(e);
  picus_system_destroy(system);
  end();
}

/* Lagrange's equations term by term from the energies themselves: d/dt(dT/du) along the motion is taken by the chain
 * rule, with the accelerations M^-1 h that the system gives. */
static double value_of(picus_expr expr, const double *x) {
  double value = NAN;
  CHECK(picus_expr_evaluate(pool, expr, x, &value) == PICUS_OK);
  return value;
}

static void forces_satisfy_lagranges_equations(void) {
  REQUIRE(begin("rich"));
  picus_expr T, V, D, Q; /* as in build_rich_model */
  build_rich_model();
  picus_expr a = picus_model_symbol(model, "a"), b = picus_model_symbol(model, "b"), c = picus_model_symbol(model, "c");
  picus_expr u = picus_model_symbol(model, "u"), v = picus_model_symbol(model, "v"), w = picus_model_symbol(model, "w");
  picus_expr t = picus_model_time(model);
  T = plus(plus(half_square(3, u), half_square(2, v)),
           plus(times(cosine(picus_sub(pool, a, b)), times(u, v)), half_square(1, times(w, plus(c, number(2))))));
  T = plus(T, scaled(0.3, times(w, sine(t))));
  V = plus(scaled(-4, cosine(a)), times(times(b, b), plus(c, picus_unary(pool, PICUS_EXP, a))));
  D = half_square(0.7, times(u, plus(number(1), times(b, b))));
  Q = times(sine(scaled(3, t)), plus(v, times(u, u)));
  picus_system *system;
  picus_evaluation *e;
  REQUIRE(finish(&system, &e));
  const int qi[3] = {picus_expr_variable_index(pool, a), picus_expr_variable_index(pool, b),
                     picus_expr_variable_index(pool, c)};
  const int ui[3] = {picus_expr_variable_index(pool, u), picus_expr_variable_index(pool, v),
                     picus_expr_variable_index(pool, w)};
  test_random random = {11};
  double x[64] = {0};
  REQUIRE(picus_variable_count(pool) <= 64);
  for (int trial = 0; trial < 100; trial++) {
    double q[3], velocity[3], h[3];
    x[0] = test_uniform(&random, 0, 3);
    for (int i = 0; i < 3; i++) {
      x[qi[i]] = q[i] = test_uniform(&random, -1, 1);
      x[ui[i]] = velocity[i] = test_uniform(&random, -2, 2);
    }
    picus_evaluation_set_point(e, x[0], q, velocity);
    CHECK(picus_evaluate_force(e, h) == PICUS_OK);
    CHECK(picus_evaluation_factor_mass(e) == PICUS_OK);
    picus_evaluation_solve_mass(e, h); /* accelerations */
    for (int j = 0; j < 3; j++) {
      picus_expr momentum = picus_derivative(pool, T, ui[j]);
      double rate = value_of(picus_derivative(pool, momentum, 0), x);
      for (int k = 0; k < 3; k++) {
        rate += value_of(picus_derivative(pool, momentum, qi[k]), x) * velocity[k];
        rate += value_of(picus_derivative(pool, momentum, ui[k]), x) * h[k];
      }
      double right = value_of(picus_derivative(pool, T, qi[j]), x) - value_of(picus_derivative(pool, V, qi[j]), x) -
                     value_of(picus_derivative(pool, D, ui[j]), x) + (j == 2 ? value_of(Q, x) : 0);
      CHECK_NEAR(rate, right, 1e-11 * (1 + fabs(right)));
    }
  }
  picus_evaluation_destroy(e);
  picus_system_destroy(system);
  end();
}

/* --- the same system by the user's own functions ------------------------------------------------------------------ */

static picus_evaluation *inner; /* of the model, asked by the functions below */

static int user_mass(void *user, double t, const double *q, double *M) {
  double u[3] = {0};
  picus_evaluation_set_point(user, t, q, u);
  return picus_evaluate_mass(user, M);
}
static int user_force(void *user, double t, const double *q, const double *u, double *h) {
  picus_evaluation_set_point(user, t, q, u);
  return picus_evaluate_force(user, h);
}
static int user_gaps(void *user, double t, const double *q, double *gap) {
  double u[3] = {0};
  picus_evaluation_set_point(user, t, q, u);
  return picus_evaluate_gaps(user, gap);
}
static int user_directions(void *user, double t, const double *q, double *W, double *chi) {
  double u[3] = {0};
  picus_evaluation_set_point(user, t, q, u);
  return picus_evaluate_directions(user, W, chi);
}
static int user_failure(void *user, double t, const double *q, const double *u, double *h) {
  (void)user, (void)t, (void)q, (void)u, (void)h;
  return 1;
}

static picus_system_functions user_functions(const picus_system_law *laws, const double *q0, const double *u0) {
  return (picus_system_functions){.nq = 3,
                                  .nu = 3,
                                  .q_start = q0,
                                  .u_start = u0,
                                  .law_count = 2,
                                  .laws = laws,
                                  .mass = user_mass,
                                  .force = user_force,
                                  .gaps = user_gaps,
                                  .directions = user_directions};
}

static void functions_give_the_same_system_with_differences_for_derivatives(void) {
  REQUIRE(begin("rich"));
  build_rich_model();
  picus_system *system, *by_functions;
  REQUIRE(finish(&system, &inner));
  picus_system_law laws[2] = {picus_system_law_at(system, 0), picus_system_law_at(system, 1)};
  double q0[3], u0[3];
  picus_system_start(system, q0, u0);
  picus_system_functions functions = user_functions(laws, q0, u0);
  REQUIRE(picus_system_from_functions(context, &functions, inner, &by_functions) == PICUS_OK);
  picus_evaluation *e;
  REQUIRE(picus_evaluation_create(context, by_functions, &e) == PICUS_OK);
  CHECK_TEXT(picus_system_q_name(by_functions, 2), "q3");
  double q[3] = {0.2, -0.6, 0.9}, u[3] = {0.5, 1.5, -0.7}, J[9], Ju[9], exact[9], exact_u[9];
  picus_evaluation_set_point(inner, 0.4, q, u);
  CHECK(picus_evaluate_force_jacobian(inner, exact, exact_u) == PICUS_OK);
  picus_evaluation_set_point(e, 0.4, q, u);
  CHECK(picus_evaluate_force_jacobian(e, J, Ju) == PICUS_OK);
  for (int i = 0; i < 9; i++) CHECK_NEAR(J[i], exact[i], 1e-8);
  for (int i = 0; i < 9; i++) CHECK_NEAR(Ju[i], exact_u[i], 1e-8);
  const double v[3] = {0.3, -1.1, 0.8}, P[4] = {0.5, -0.2, 0.9, -1.3};
  picus_evaluation_set_point(inner, 0.4, q, u);
  CHECK(picus_evaluate_mass_jacobian(inner, v, exact) == PICUS_OK);
  CHECK(picus_evaluate_direction_jacobian(inner, P, exact_u) == PICUS_OK);
  picus_evaluation_set_point(e, 0.4, q, u);
  CHECK(picus_evaluate_mass_jacobian(e, v, J) == PICUS_OK);
  CHECK(picus_evaluate_direction_jacobian(e, P, Ju) == PICUS_OK);
  for (int i = 0; i < 9; i++) CHECK_NEAR(J[i], exact[i], 1e-8);
  for (int i = 0; i < 9; i++) CHECK_NEAR(Ju[i], exact_u[i], 1e-8);
  picus_evaluation_destroy(e);
  picus_system_destroy(by_functions);
  functions.force = user_failure;
  CHECK(picus_system_from_functions(context, &functions, inner, &by_functions) == PICUS_ERROR_STEP);
  CHECK(strstr(picus_last_error(context)->message, "force") != NULL);
  picus_evaluation_destroy(inner);
  picus_system_destroy(system);
  end();
}

/* --- mistakes ------------------------------------------------------------------------------------------------------
 */

static void expect_refusal(picus_status status, const char *fragment) {
  picus_system *system;
  CHECK(picus_system_create(model, &system) == status && system == NULL);
  bool said = strstr(picus_last_error(context)->message, fragment) != NULL;
  if (!said) test_text(picus_last_error(context)->message, fragment, __FILE__, __LINE__, "sentence");
  end();
}

static void wrong_mechanics_is_refused_with_a_sentence(void) {
  picus_expr x, v, y, w;
  REQUIRE(begin("quartic"));
  add_coordinate("x", "v", 0, 0, &x, &v);
  picus_model_add_kinetic(model, times(times(v, v), times(v, v)));
  expect_refusal(PICUS_ERROR_MODEL, "quadratic in the velocities");

  REQUIRE(begin("massless"));
  add_coordinate("x", "v", 0, 0, &x, &v);
  add_coordinate("y", "w", 0, 0, &y, &w);
  picus_model_add_kinetic(model, half_square(1, v));
  expect_refusal(PICUS_ERROR_MODEL, "'w'");

  REQUIRE(begin("negative mass"));
  add_coordinate("x", "v", 0, 0, &x, &v);
  picus_model_add_kinetic(model, half_square(-1, v));
  expect_refusal(PICUS_ERROR_MODEL, "positive definite");

  REQUIRE(begin("nonlinear"));
  add_coordinate("x", "v", 1, 0, &x, &v);
  picus_model_add_kinetic(model, half_square(1, v));
  picus_contact_def ground = picus_default_contact_def();
  ground.name = "ground";
  ground.gap = x;
  ground.slips = 1;
  ground.slip[0] = times(v, v);
  picus_model_add_contact(model, &ground);
  expect_refusal(PICUS_ERROR_MODEL, "not linear");

  REQUIRE(begin("below"));
  add_coordinate("x", "v", -0.5, 0, &x, &v);
  picus_model_add_kinetic(model, half_square(1, v));
  ground = picus_default_contact_def();
  ground.name = "ground";
  ground.gap = x;
  picus_model_add_contact(model, &ground);
  expect_refusal(PICUS_ERROR_MODEL, "'ground' has the initial gap -0.5");
}

/* A cancellation that no simplifier need see: (v+1)^2 - 2 v - 1 is quadratic all the same; so is a slip that only
 * looks nonlinear. */
static void hidden_linearity_is_recognised(void) {
  REQUIRE(begin("hidden"));
  picus_expr x, v;
  add_coordinate("x", "v", 1, 0, &x, &v);
  picus_expr shifted = plus(v, number(1));
  picus_expr square = times(shifted, shifted);
  picus_expr slip = picus_div(pool, picus_sub(pool, times(square, shifted), number(0)), square); /* = v + 1 */
  picus_model_add_kinetic(model, scaled(0.5, picus_sub(pool, square, plus(scaled(2, v), number(1)))));
  picus_contact_def ground = picus_default_contact_def();
  ground.name = "ground";
  ground.gap = x;
  ground.slips = 1;
  ground.slip[0] = slip;
  picus_model_add_contact(model, &ground);
  picus_system *system;
  picus_evaluation *e;
  REQUIRE(finish(&system, &e));
  double q = 1, u = 3, M, W[2], chi[2];
  picus_evaluation_set_point(e, 0, &q, &u);
  CHECK(picus_evaluate_mass(e, &M) == PICUS_OK && picus_evaluate_directions(e, W, chi) == PICUS_OK);
  CHECK_NEAR(M, 1, 1e-14);
  CHECK_NEAR(W[1], 1, 1e-14);
  CHECK_NEAR(chi[1], 1, 1e-14);
  picus_evaluation_destroy(e);
  picus_system_destroy(system);
  end();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"woodpecker_has_the_papers_matrices_and_they_are_constant",
       woodpecker_has_the_papers_matrices_and_they_are_constant},
      {"position_forces_are_told_from_others", position_forces_are_told_from_others},
      {"spherical_pendulum_has_its_gyroscopic_terms", spherical_pendulum_has_its_gyroscopic_terms},
      {"rheonomic_terms_enter_h_and_chi", rheonomic_terms_enter_h_and_chi},
      {"general_kinematics_give_B_and_pull_forces_back", general_kinematics_give_B_and_pull_forces_back},
      {"forces_satisfy_lagranges_equations", forces_satisfy_lagranges_equations},
      {"jacobians_agree_with_differences", jacobians_agree_with_differences},
      {"functions_give_the_same_system_with_differences_for_derivatives",
       functions_give_the_same_system_with_differences_for_derivatives},
      {"wrong_mechanics_is_refused_with_a_sentence", wrong_mechanics_is_refused_with_a_sentence},
      {"hidden_linearity_is_recognised", hidden_linearity_is_recognised},
  };
  return test_main(argc, argv, "system_equations", cases, sizeof cases / sizeof cases[0]);
}
