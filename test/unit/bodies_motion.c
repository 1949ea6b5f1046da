/* The motion of rigid bodies, joints, motors and springs against closed forms, with moreau (order 1) and rattle (order
 * 2). */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZES = 4 };
static const double pi = 3.14159265358979323846;

/* Runs the text to its end; the scheme and dt stand before t_end. */
static bool run_text(simulation *s, const char *text, const char *scheme, double dt, double t_end,
                     picus_summary *summary) {
  char whole[8192];
  snprintf(whole, sizeof whole, "%s\nsimulate { scheme = '%s', dt = %.17g, t_end = %.17g }\n", text, scheme, dt, t_end);
  return simulation_open_text(s, whole) && CHECK(picus_sim_run(s->sim, NULL, NULL, summary) == PICUS_OK);
}

/* A coordinate or velocity at the state reached. */
static double value_of(const simulation *s, const char *name) {
  picus_state state = picus_sim_state(s->sim);
  for (int i = 0; i < state.nq; i++)
    if (strcmp(picus_system_q_name(s->system, i), name) == 0) return state.q[i];
  for (int i = 0; i < state.nu; i++)
    if (strcmp(picus_system_u_name(s->system, i), name) == 0) return state.u[i];
  CHECK(false);
  return NAN;
}

/* The direction of the body's axis k in the inertial frame, by its quaternion. */
static void axis_of(const simulation *s, const char *suffix, int k, double out[3]) {
  double p[4] = {0};
  for (int i = 0; i < 4; i++) {
    char name[32];
    snprintf(name, sizeof name, "p%d%s", i, suffix);
    p[i] = value_of(s, name);
  }
  CHECK_NEAR(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3], 1, 1e-14);
  const double R[3][3] = {
      {1 - 2 * (p[2] * p[2] + p[3] * p[3]), 2 * (p[1] * p[2] - p[0] * p[3]), 2 * (p[1] * p[3] + p[0] * p[2])},
      {2 * (p[1] * p[2] + p[0] * p[3]), 1 - 2 * (p[1] * p[1] + p[3] * p[3]), 2 * (p[2] * p[3] - p[0] * p[1])},
      {2 * (p[1] * p[3] - p[0] * p[2]), 2 * (p[2] * p[3] + p[0] * p[1]), 1 - 2 * (p[1] * p[1] + p[2] * p[2])}};
  for (int i = 0; i < 3; i++) out[i] = R[i][k];
}

/* An error after t_end as a function of dt, and the order of its decay. */
typedef double (*error_fn)(const simulation *s);
static double order_of(const char *what, const char *text, const char *scheme, double t_end, double steps,
                       error_fn error, double largest) {
  double dt[SIZES] = {0}, e[SIZES] = {0};
  for (int i = 0; i < SIZES; i++) {
    simulation s;
    picus_summary summary = {0};
    dt[i] = t_end / (steps * (1 << i));
    e[i] = NAN;
    if (run_text(&s, text, scheme, dt[i], t_end, &summary)) e[i] = error(&s);
    simulation_close(&s);
  }
  double order = observed_order(SIZES, dt, e);
  printf("    %s, %s: error %.2e at dt = %.2g, order %.2f\n", what, scheme, e[SIZES - 1], dt[SIZES - 1], order);
  CHECK(e[SIZES - 1] < largest);
  return order;
}

static void check_orders(const char *what, const char *text, double t_end, double steps, error_fn error, double moreau,
                         double rattle) {
  double first = order_of(what, text, "moreau", t_end, steps, error, moreau);
  CHECK(first > 0.85 && first < 1.3);
  double second = order_of(what, text, "rattle", t_end, steps, error, rattle);
  CHECK(second > 1.85 && second < 2.3);
}

/* --- free bodies ---------------------------------------------------------------------------------------------------
 */

/* sn, cn, dn by the arithmetic-geometric mean (Abramowitz and Stegun 16.4). */
static void jacobi(double tau, double m, double *sn, double *cn, double *dn) {
  double a[20] = {0}, c[20] = {0}, b = sqrt(1 - m);
  int n = 0;
  a[0] = 1;
  c[0] = sqrt(m);
  for (; n < 18 && fabs(c[n]) > 1e-17; n++) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = sqrt(a[n] * b);
  }
  double phi = ldexp(a[n] * tau, n), before = phi;
  for (int i = n; i > 0; i--) {
    before = phi;
    phi = 0.5 * (phi + asin(c[i] / a[i] * sin(phi)));
  }
  *sn = sin(phi);
  *cn = cos(phi);
  *dn = cos(phi) / cos(before - phi);
}

static const char wingnut[] =
    "spatial_body { 'nut', suffix = '', mass = 1, inertia = { 1, 2, 3 }, omega = { 1.7, 0, 1 } }";

/* Free rotation of a body with three different moments of inertia (Landau and Lifshitz, Mechanics, section 37): it
 * turns over again and again about its middle axis. */
static double wingnut_error(const simulation *s) {
  const double E2 = 1.7 * 1.7 + 3, L2 = 1.7 * 1.7 + 9, t = picus_sim_state(s->sim).t;
  const double m = (E2 * 3 - L2) / (L2 - E2), rate = sqrt((L2 - E2) / 6);
  double sn, cn, dn;
  jacobi(rate * t, m, &sn, &cn, &dn);
  const double w[3] = {sqrt((E2 * 3 - L2) / 2) * cn, sqrt((E2 * 3 - L2) / 2) * sn, sqrt((L2 - E2) / 6) * dn};
  double ex = value_of(s, "wx") - w[0], ey = value_of(s, "wy") - w[1], ez = value_of(s, "wz") - w[2];
  return sqrt(ex * ex + ey * ey + ez * ez);
}

static void a_free_body_turns_over_as_euler_says(void) {
  check_orders("wingnut", wingnut, 12, 1500, wingnut_error, 1e-2, 1e-5);
}

/* R J omega is constant in the inertial frame, (1.7, 0, 3). */
static double momentum_error(const simulation *s) {
  const double J[3] = {1, 2, 3}, L0[3] = {1.7, 0, 3}, w[3] = {value_of(s, "wx"), value_of(s, "wy"), value_of(s, "wz")};
  double L[3] = {0}, axis[3] = {0}, error = 0;
  for (int k = 0; k < 3; k++) {
    axis_of(s, "", k, axis);
    for (int i = 0; i < 3; i++) L[i] += axis[i] * J[k] * w[k];
  }
  for (int i = 0; i < 3; i++) error = fmax(error, fabs(L[i] - L0[i]));
  return error;
}

static void angular_momentum_is_kept(void) {
  check_orders("angular momentum", wingnut, 12, 1500, momentum_error, 3e-2, 1e-4);
  simulation s;
  picus_summary summary = {0};
  REQUIRE(run_text(&s, wingnut, "rattle", 1e-2, 200, &summary));
  printf("    rattle, 20000 steps: energy %.9g -> %.9g, momentum off by %.2e\n", summary.energy.start,
         summary.energy.end, momentum_error(&s));
  CHECK_NEAR(summary.energy.end, summary.energy.start, 1e-3 * summary.energy.start);
  simulation_close(&s);
}

/* Orientation of a free symmetric body: R = exp(t L~/J1) exp(-t (J3 - J1)/J1 omega3 e3~). */
static const char plate[] =
    "spatial_body { 'plate', suffix = '', mass = 1, inertia = { 2, 2, 3 }, omega = { 0.5, 0, 2 } }";

static void turn_about(const double n[3], double angle, double v[3]) {
  double along = (n[0] * v[0] + n[1] * v[1] + n[2] * v[2]) * (1 - cos(angle));
  double cross[3] = {n[1] * v[2] - n[2] * v[1], n[2] * v[0] - n[0] * v[2], n[0] * v[1] - n[1] * v[0]};
  for (int i = 0; i < 3; i++) v[i] = cos(angle) * v[i] + sin(angle) * cross[i] + along * n[i];
}

static double plate_error(const simulation *s) {
  const double t = picus_sim_state(s->sim).t, L[3] = {1, 0, 6}, length = sqrt(37), z[3] = {0, 0, 1};
  const double n[3] = {L[0] / length, 0, L[2] / length};
  double error = 0;
  for (int k = 0; k < 3; k++) {
    double expected[3] = {k == 0, k == 1, k == 2}, axis[3] = {0};
    turn_about(z, -t * (3 - 2) / 2.0 * 2, expected);
    turn_about(n, t * length / 2, expected);
    axis_of(s, "", k, axis);
    for (int i = 0; i < 3; i++) error = fmax(error, fabs(axis[i] - expected[i]));
  }
  return error;
}

static void the_orientation_follows_the_angular_velocity(void) {
  check_orders("free plate", plate, 5, 2000, plate_error, 3e-2, 1e-5);
}

/* --- joints --------------------------------------------------------------------------------------------------------
 */

/* A top in steady precession: J1' Omega^2 cos(theta) - J3 omega3 Omega + m g l = 0, J1' about the tip. */
enum { PRECESSION = 2 };
static const double tilt = 0.6;
static double top_error(const simulation *s) {
  const double angle = PRECESSION * picus_sim_state(s->sim).t, l = 0.3;
  double ex = value_of(s, "x") - l * sin(tilt) * sin(angle), ey = value_of(s, "y") + l * sin(tilt) * cos(angle);
  double ez = value_of(s, "z") - l * cos(tilt);
  return sqrt(ex * ex + ey * ey + ez * ez) / l;
}

static void a_top_precesses_steadily(void) {
  const double l = 0.3, J1 = 0.02 + 0.5 * l * l, J3 = 0.03, Omega = PRECESSION;
  const double spin = (J1 * Omega * Omega * cos(tilt) + 0.5 * 9.81 * l) / (J3 * Omega);
  char text[1024];
  snprintf(
      text, sizeof text,
      "gravity { 0, 0, -9.81 }\n"
      "local top = spatial_body { 'top', suffix = '', mass = 0.5, inertia = { 0.02, 0.02, 0.03 }, axis = { 1, 0, 0 },\n"
      "  angle = %.17g, position = { 0, %.17g, %.17g }, velocity = { %.17g, 0, 0 }, omega = { 0, %.17g, %.17g } }\n"
      "spherical { 'tip', ground, top, at = { 0, 0, 0 } }\n",
      tilt, -l * sin(tilt), l * cos(tilt), Omega * l * sin(tilt), Omega * sin(tilt), spin);
  check_orders("top", text, 2, 1000, top_error, 3e-2, 1e-4);
}

/* A pendulum released at angle0 hangs down after a quarter of its period 4 K(sin(angle0 / 2)) / omega0. */
static const double angle0 = 1.2;
static double quarter_period(double omega0) {
  double a = 1, b = cos(angle0 / 2);
  for (int i = 0; i < 10; i++) {
    double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return pi / (2 * a) / omega0;
}

static double planar_pendulum_error(const simulation *s) { return fabs(value_of(s, "phi")); }
static double spatial_pendulum_error(const simulation *s) { return fabs(value_of(s, "x") / 0.4); }

static void a_pendulum_in_a_revolute_joint_keeps_its_period(void) {
  const double l = 0.4, J = 0.05, m = 2, g = 9.81, quarter = quarter_period(sqrt(m * g * l / (J + m * l * l)));
  char text[1024];
  snprintf(text, sizeof text,
           "gravity { 0, -9.81 }\n"
           "local a = planar_body { 'a', suffix = '', mass = 2, inertia = 0.05, position = { %.17g, %.17g }, angle = "
           "%.17g }\n"
           "revolute { 'hinge', ground, a, at = { 0, 0 } }\n",
           l * sin(angle0), -l * cos(angle0), angle0);
  check_orders("planar pendulum", text, quarter, 500, planar_pendulum_error, 1e-3, 1e-5);
  snprintf(text, sizeof text,
           "gravity { 0, -9.81, 0 }\n"
           "local a = spatial_body { 'a', suffix = '', mass = 2, inertia = { 0.1, 0.12, 0.05 }, position = { %.17g, "
           "%.17g, 0 },\n"
           "  axis = { 0, 0, 1 }, angle = %.17g }\n"
           "revolute { 'hinge', ground, a, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }\n",
           l * sin(angle0), -l * cos(angle0), angle0);
  check_orders("spatial pendulum", text, quarter, 500, spatial_pendulum_error, 1e-3, 1e-5);
}

/* A four-bar linkage of planar bodies, and the same of spatial ones, whose loop has three constraints too many. */
static const char four_bar_planar[] =
    "gravity { 0, -9.81 }\n"
    "local function link(name, x1, y1, x2, y2)\n"
    "  return planar_body { name, mass = 1, inertia = 0.01, position = { (x1 + x2) / 2, (y1 + y2) / 2 },\n"
    "    angle = atan2(y2 - y1, x2 - x1) }\n"
    "end\n"
    "local a, b, c = link('a', 0, 0, 0.3, 0.4), link('b', 0.3, 0.4, 1.5, 0.9), link('c', 1.5, 0.9, 1.2, 0)\n"
    "revolute { 'A', ground, a, at = { 0, 0 } }\n"
    "revolute { 'B', a, b, at = { 0.3, 0.4 } }\n"
    "revolute { 'C', b, c, at = { 1.5, 0.9 } }\n"
    "revolute { 'D', c, ground, at = { 1.2, 0 } }\n";
static const char four_bar_spatial[] =
    "gravity { 0, -9.81, 0 }\n"
    "local function link(name, x1, y1, x2, y2)\n"
    "  return spatial_body { name, mass = 1, inertia = { 0.02, 0.03, 0.01 }, position = { (x1 + x2) / 2, (y1 + y2) / "
    "2, 0 },\n"
    "    axis = { 0, 0, 1 }, angle = atan2(y2 - y1, x2 - x1) }\n"
    "end\n"
    "local a, b, c = link('a', 0, 0, 0.3, 0.4), link('b', 0.3, 0.4, 1.5, 0.9), link('c', 1.5, 0.9, 1.2, 0)\n"
    "local z = { 0, 0, 1 }\n"
    "revolute { 'A', ground, a, at = { 0, 0, 0 }, axis = z }\n"
    "revolute { 'B', a, b, at = { 0.3, 0.4, 0 }, axis = z }\n"
    "revolute { 'C', b, c, at = { 1.5, 0.9, 0 }, axis = z }\n"
    "revolute { 'D', c, ground, at = { 1.2, 0, 0 }, axis = z }\n";

static void loop_position(const char *text, const char *scheme, double dt, double position[2], double *closure,
                          double *energy) {
  simulation s;
  picus_summary summary = {0};
  if (run_text(&s, text, scheme, dt, 1, &summary)) {
    position[0] = value_of(&s, "x_b");
    position[1] = value_of(&s, "y_b");
    *energy = summary.energy.end - summary.energy.start;
    picus_law_state laws[32] = {0};
    CHECK(picus_sim_laws(s.sim, laws) == PICUS_OK);
    *closure = 0;
    for (int i = 0; i < picus_system_law_count(s.system); i++) *closure = fmax(*closure, fabs(laws[i].gap));
  }
  simulation_close(&s);
}

static void a_redundant_loop_moves_like_the_planar_one(void) {
  double planar[2] = {0}, spatial[2] = {NAN, NAN}, closure[2] = {0}, energy[2] = {0};
  static const struct {
    const char *scheme;
    double dt, closed, apart;
  } runs[] = {{"rattle", 1e-3, 1e-10, 1e-4}, {"moreau", 1e-4, 1e-2, 1e-2}, {"moreau-projected", 1e-3, 1e-10, 1e-1}};
  for (int k = 0; k < 3; k++) {
    loop_position(four_bar_planar, runs[k].scheme, runs[k].dt, planar, &closure[0], &energy[0]);
    loop_position(four_bar_spatial, runs[k].scheme, runs[k].dt, spatial, &closure[1], &energy[1]);
    printf("    %s: planar (%.6f, %.6f), spatial (%.6f, %.6f), closed to %.1e and %.1e, energy %+.1e and %+.1e\n",
           runs[k].scheme, planar[0], planar[1], spatial[0], spatial[1], closure[0], closure[1], energy[0], energy[1]);
    CHECK(fabs(planar[0] - spatial[0]) < runs[k].apart && fabs(planar[1] - spatial[1]) < runs[k].apart);
    CHECK(closure[0] < runs[k].closed && closure[1] < runs[k].closed);
  }
}

static void redundant_constraints_are_found(void) {
  simulation s;
  picus_evaluation *e = NULL;
  char text[4096];
  snprintf(text, sizeof text, "%s\nsimulate { dt = 1e-3, t_end = 1 }\n", four_bar_spatial);
  REQUIRE(simulation_open_text(&s, text));
  REQUIRE(picus_evaluation_create(s.context, s.system, &e) == PICUS_OK);
  picus_state state = picus_sim_state(s.sim);
  picus_evaluation_set_point(e, 0, state.q, state.u);
  picus_constraint_report report = {0};
  bool redundant[32] = {0};
  CHECK(picus_system_examine_constraints(e, &report, redundant) == PICUS_OK);
  CHECK(report.constraints == 20 && report.rank == 17 && report.freedom == 1);
  int count = 0;
  for (int i = 0; i < picus_system_law_count(s.system); i++) count += redundant[i];
  CHECK(count == 3);
  picus_evaluation_destroy(e);
  simulation_close(&s);
}

/* --- motors and gears ----------------------------------------------------------------------------------------------
 */

static double driven_error(const simulation *s) {
  return fabs(value_of(s, "phi") - 2 * sin(picus_sim_state(s->sim).t));
}

static void a_motor_keeps_its_speed(void) {
  static const char text[] = "gravity { 0, -9.81 }\n"
                             "local a = planar_body { 'a', suffix = '', mass = 1, inertia = 1, position = { 1, 0 }, "
                             "velocity = { 0, 2 }, omega = 2 }\n"
                             "revolute { 'hinge', ground, a, at = { 0, 0 } }\n"
                             "motor { 'drive', ground, a, speed = 2 * cos(t) }\n";
  double order = order_of("motor", text, "moreau", 1, 200, driven_error, 1e-3);
  CHECK(order > 0.85 && order < 1.3);
  /* rattle asks the velocity in the middle of the step for the mean of the speeds at its ends */
  order = order_of("motor", text, "rattle", 1, 200, driven_error, 1e-6);
  CHECK(order > 1.9 && order < 2.1);
}

/* Position-level motors and moving frames: rattle meets them exactly, whatever the step. */
static void prescribed_positions_are_met(void) {
  static const char *const texts[] = {"local a = planar_body { 'a', suffix = '', mass = 1, inertia = 1, position = { "
                                      "1, 0 }, velocity = { 0, 2 }, omega = 2 }\n"
                                      "revolute { 'hinge', ground, a, at = { 0, 0 } }\n"
                                      "motor { 'drive', ground, a, position = 2 * sin(t) }\n",
                                      "local moving = frame { 'moving', angle = 2 * sin(t) }\n"
                                      "local a = planar_body { 'a', suffix = '', mass = 1, inertia = 1, position = { "
                                      "1, 0 }, velocity = { 0, 2 }, omega = 2 }\n"
                                      "weld { 'joint', moving, a }\n"};
  for (int k = 0; k < 2; k++) {
    simulation s;
    picus_summary summary = {0};
    REQUIRE(run_text(&s, texts[k], "rattle", 1e-2, 1, &summary));
    CHECK_NEAR(value_of(&s, "phi"), 2 * sin(1), 1e-12);
    CHECK_NEAR(value_of(&s, "x"), cos(2 * sin(1)), 1e-12);
    CHECK_NEAR(value_of(&s, "y"), sin(2 * sin(1)), 1e-12);
    CHECK_NEAR(value_of(&s, "omega"), 2 * cos(1), 1e-10);
    simulation_close(&s);
  }
}

/* A spatial motor turns its body by sin(2 t) about the axis; a linear motor slides by t^2 / 10. */
static void spatial_motors_follow_their_formulas(void) {
  simulation s;
  picus_summary summary = {0};
  REQUIRE(run_text(&s,
                   "local a = spatial_body { 'a', suffix = '', mass = 1, inertia = { 1, 2, 3 }, omega = { 0, 0, 2 } }\n"
                   "cylindrical { 'slide', ground, a, axis = { 0, 0, 1 } }\n"
                   "motor { 'turn', ground, a, axis = { 0, 0, 1 }, position = sin(2 * t) }\n"
                   "linear_motor { 'push', ground, a, axis = { 0, 0, 1 }, position = t^2 / 10 }\n",
                   "rattle", 1e-2, 1, &summary));
  CHECK_NEAR(value_of(&s, "z"), 0.1, 1e-12);
  CHECK_NEAR(value_of(&s, "p0"), cos(sin(2) / 2), 1e-12);
  CHECK_NEAR(value_of(&s, "p3"), sin(sin(2) / 2), 1e-12);
  CHECK_NEAR(value_of(&s, "wz"), 2 * cos(2), 1e-10);
  simulation_close(&s);
}

/* A torque on the first of two wheels, phi2 = -3 phi1: accelerations tau / (J1 + 9 J2). */
static void gears_share_a_torque(void) {
  static const char planar[] = "local a = planar_body { 'a', mass = 1, inertia = 2 }\n"
                               "local b = planar_body { 'b', mass = 1, inertia = 0.5, position = { 1, 0 } }\n"
                               "revolute { 'A', ground, a, at = { 0, 0 } }\n"
                               "revolute { 'B', ground, b, at = { 1, 0 } }\n"
                               "gear { 'mesh', a, b, ratio = -3 }\n"
                               "body_force { a, torque = 4 }\n";
  static const char spatial[] =
      "local a = spatial_body { 'a', mass = 1, inertia = { 3, 3, 2 } }\n"
      "local b = spatial_body { 'b', mass = 1, inertia = { 0.5, 3, 3 }, position = { 1, 0, 0 } }\n"
      "revolute { 'A', ground, a, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }\n"
      "revolute { 'B', ground, b, at = { 1, 0, 0 }, axis = { 1, 0, 0 } }\n"
      "gear { 'mesh', a, b, ratio = -3, axes = { { 0, 0, 1 }, { 1, 0, 0 } } }\n"
      "body_force { a, torque = 4 }\n";
  simulation s;
  picus_summary summary = {0};
  REQUIRE(run_text(&s, planar, "rattle", 1e-2, 1, &summary));
  CHECK_NEAR(value_of(&s, "omega_a"), 4 / 6.5, 1e-10);
  CHECK_NEAR(value_of(&s, "phi_b"), -3 * 0.5 * 4 / 6.5, 1e-10);
  simulation_close(&s);
  REQUIRE(run_text(&s, spatial, "rattle", 1e-2, 1, &summary));
  CHECK_NEAR(value_of(&s, "wz_a"), 4 / 6.5, 1e-10);
  CHECK_NEAR(value_of(&s, "wx_b"), -3 * 4 / 6.5, 1e-10);
  simulation_close(&s);
}

/* --- force elements ------------------------------------------------------------------------------------------------
 */

/* h of the start. */
static void force_at_start(simulation *s, const char *text, double *h) {
  char whole[2048];
  picus_evaluation *e = NULL;
  snprintf(whole, sizeof whole, "%s\nsimulate { dt = 1e-3, t_end = 1 }\n", text);
  REQUIRE(simulation_open_text(s, whole));
  REQUIRE(picus_evaluation_create(s->context, s->system, &e) == PICUS_OK);
  picus_state state = picus_sim_state(s->sim);
  picus_evaluation_set_point(e, 0.5, state.q, state.u);
  CHECK(picus_evaluate_force(e, h) == PICUS_OK);
  picus_evaluation_destroy(e);
  simulation_close(s);
}

static void forces_act_at_their_points(void) {
  simulation s;
  double h[12] = {0};
  force_at_start(&s,
                 "local a = planar_body { 'a', mass = 1, inertia = 1, angle = pi / 2 }\n"
                 "body_force { a, point = { 2, 0 }, force = { 3 * t, 4 }, torque = 5 }\n",
                 h);
  CHECK_NEAR(h[0], 1.5, 1e-14);
  CHECK_NEAR(h[1], 4, 1e-14);
  CHECK_NEAR(h[2], -2 * 1.5 + 5, 1e-14); /* the arm is (0, 2) */
  force_at_start(&s,
                 "local a = spatial_body { 'a', mass = 1, inertia = { 1, 1, 1 }, axis = { 0, 0, 1 }, angle = pi / 2 }\n"
                 "body_force { a, point = { 0, 0, 2 }, force = { 3, 0, 0 }, torque = { 0, 7, 0 } }\n",
                 h);
  CHECK_NEAR(h[0], 3, 1e-14);
  /* in the body frame the force is (0, -3, 0): (0, 0, 2) x (0, -3, 0) = (6, 0, 0); the torque is (7, 0, 0) */
  CHECK_NEAR(h[3], 6 + 7, 1e-14);
  CHECK_NEAR(h[4], 0, 1e-14);
  /* a spring of rest length 1 between (0, 0) and (3, 4): length 5 */
  force_at_start(&s,
                 "local a = particle { 'a', mass = 1, position = { 3, 4 }, velocity = { 1, 0 } }\n"
                 "spring { ground, a, stiffness = 10, length = 1, damping = 5 }\n"
                 "actuator { ground, a, force = 20 * t }\n",
                 h);
  CHECK_NEAR(h[0], (-10 * 4 - 5 * 0.6 + 10) * 0.6, 1e-13);
  CHECK_NEAR(h[1], (-10 * 4 - 5 * 0.6 + 10) * 0.8, 1e-13);
  /* the gyroscopic torque -omega x J omega */
  force_at_start(&s,
                 "local a = spatial_body { 'a', mass = 1, omega = { 1, 2, 3 },\n"
                 "  inertia = { { 4, 1, 0 }, { 1, 5, 0 }, { 0, 0, 6 } } }\n",
                 h);
  const double w[3] = {1, 2, 3}, L[3] = {4 + 2, 1 + 10, 18};
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(h[3 + i], -(w[(i + 1) % 3] * L[(i + 2) % 3] - w[(i + 2) % 3] * L[(i + 1) % 3]), 1e-13);
}

/* A damped oscillator: m = 2, k = 50, d = 2, from 0.1 beyond the rest length. */
static double damped(double t, double omega0_squared, double delta, double start) {
  double omega = sqrt(omega0_squared - delta * delta);
  return start * exp(-delta * t) * (cos(omega * t) + delta / omega * sin(omega * t));
}
static double spring_error(const simulation *s) {
  return fabs(value_of(s, "x") - 1 - damped(picus_sim_state(s->sim).t, 25, 0.5, 0.1));
}
static double torsion_error(const simulation *s) {
  double angle = 2 * atan2(value_of(s, "p3"), value_of(s, "p0"));
  return fabs(angle - 0.5 - damped(picus_sim_state(s->sim).t, 25, 0.5, -0.5));
}

static void springs_swing(void) {
  check_orders("spring",
               "local a = planar_body { 'a', suffix = '', mass = 2, inertia = 1, position = { 1.1, 0 } }\n"
               "spring { ground, a, stiffness = 50, damping = 2, length = 1 }\n",
               2, 1000, spring_error, 1e-3, 1e-5);
  check_orders("torsion spring",
               "local a = spatial_body { 'a', suffix = '', mass = 1, inertia = { 1, 1, 2 } }\n"
               "revolute { 'hinge', ground, a, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }\n"
               "torsion_spring { ground, a, stiffness = 50, damping = 2, angle = 0.5, axis = { 0, 0, 1 } }\n",
               2, 1000, torsion_error, 5e-3, 1e-4);
}

/* --- mixed with formulas -------------------------------------------------------------------------------------------
 */

static double mixed_error(const simulation *s) {
  return fabs(value_of(s, "s") - 0.1 * cos(5 * picus_sim_state(s->sim).t));
}

/* A formula coordinate with half of the mass, held to a body by a constraint of one's own: omega^2 = k / (m1 + m2). */
static void bodies_and_formulas_share_a_model(void) {
  static const char text[] = "local b = planar_body { 'b', mass = 1, inertia = 1, position = { 1.1, 0.3 } }\n"
                             "local q, u = coordinates { { 's', velocity = 'v', start = 0.1 } }\n"
                             "kinetic(3 * u.v^2 / 2)\n"
                             "potential(100 * q.s^2 / 2)\n"
                             "constraint { 'rod', position = q.x_b - 1 - q.s }\n";
  /* without damping and with constant M and W moreau is the leapfrog rule, of order 2, too */
  static const char *const schemes[] = {"moreau", "rattle"};
  for (int k = 0; k < 2; k++) {
    double order = order_of("mixed", text, schemes[k], 1, 100, mixed_error, 1e-6);
    CHECK(order > 1.85 && order < 2.3);
  }
}

/* The shipped rotating-ball is written in formulas; as a planar body on a plane it makes the same steps. */
static void a_body_equals_its_formulas(void) {
  simulation formulas, body;
  picus_summary summary = {0};
  REQUIRE(simulation_open(&formulas, "rotating-ball", "omega=50,eN=0", 1e-3, 2, NULL));
  REQUIRE(picus_sim_run(formulas.sim, NULL, NULL, &summary) == PICUS_OK);
  REQUIRE(run_text(
      &body,
      "gravity { 0, -9.81 }\n"
      "local b = planar_body { 'b', suffix = '', mass = 1, inertia = 2 / 5 * 0.1^2, position = { 0, 1 }, omega = 50 }\n"
      "plane_contact { 'ground', ground, b, normal = { 0, 1 }, radius = 0.1, mu = 0.2 }\n",
      "moreau", 1e-3, 2, &summary));
  picus_state a = picus_sim_state(formulas.sim), b = picus_sim_state(body.sim);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(b.q[i], a.q[i], 1e-12);
    CHECK_NEAR(b.u[i], a.u[i], 1e-12);
  }
  simulation_close(&formulas);
  simulation_close(&body);
}

/* --- assembly ------------------------------------------------------------------------------------------------------
 */

static const char crooked[] =
    "local function link(name, x, y, angle)\n"
    "  return spatial_body { name, mass = 1, inertia = { 0.02, 0.03, 0.01 }, position = { x, y, 0.02 }, axis = { 0, 0, "
    "1 },\n"
    "    angle = angle, omega = { 0.1, 0.2, 3 }, velocity = { 1, 0, 0.5 } }\n"
    "end\n"
    "local a, b, c = link('a', 0.1, 0.25, 0.95), link('b', 0.9, 0.7, 0.4), link('c', 1.4, 0.4, -1.8)\n"
    "local z = { { 0, 0, 1 }, { 0, 0, 1 } }\n"
    "revolute { 'A', ground, a, points = { { 0, 0, 0 }, { -0.25, 0, 0 } }, axes = z }\n"
    "revolute { 'B', a, b, points = { { 0.25, 0, 0 }, { -0.65, 0, 0 } }, axes = z }\n"
    "revolute { 'C', b, c, points = { { 0.65, 0, 0 }, { -0.47, 0, 0 } }, axes = z }\n"
    "revolute { 'D', c, ground, points = { { %g, 0, 0 }, { 1.2, 0, 0 } }, axes = z }\n"
    "simulate { dt = 1e-3, t_end = 1, assemble = true }\n";

static void a_crooked_loop_is_assembled(void) {
  char text[4096];
  simulation s;
  snprintf(text, sizeof text, crooked, 0.47);
  REQUIRE(simulation_open_text(&s, text));
  picus_evaluation *e = NULL;
  REQUIRE(picus_evaluation_create(s.context, s.system, &e) == PICUS_OK);
  picus_state state = picus_sim_state(s.sim);
  picus_evaluation_set_point(e, 0, state.q, state.u);
  picus_constraint_report report = {0};
  CHECK(picus_system_examine_constraints(e, &report, NULL) == PICUS_OK);
  CHECK(report.worst_position < 1e-10 && report.worst_velocity < 1e-9);
  CHECK(report.rank == 17);
  CHECK(fabs(value_of(&s, "x_b") - 0.9) < 0.1 && fabs(value_of(&s, "y_b") - 0.7) < 0.1); /* it stays near */
  CHECK(fabs(value_of(&s, "wz_a")) > 0.1);                                               /* and keeps on moving */
  picus_evaluation_destroy(e);
  simulation_close(&s);
}

/* Without the option the start is refused with the offer; lengths that cannot meet are told apart from that. */
static void what_cannot_be_assembled_is_said(void) {
  char text[4096];
  picus_context *context;
  picus_model *model = NULL;
  picus_system *system = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  snprintf(text, sizeof text, crooked, 9.0);
  REQUIRE(picus_model_load_text(context, "test.lua", text, strlen(text), NULL, &model) == PICUS_OK);
  CHECK(picus_system_create(model, &system) == PICUS_ERROR_MODEL);
  CHECK(strstr(picus_last_error(context)->message, "cannot be moved onto the constraints") != NULL);
  CHECK(picus_model_set_run_number(model, "assemble", 0) == PICUS_OK);
  CHECK(picus_system_create(model, &system) == PICUS_ERROR_MODEL);
  CHECK(strstr(picus_last_error(context)->message, "assemble = true") != NULL);
  CHECK(picus_model_set_run_number(model, "assemble", 2) == PICUS_ERROR_ARGUMENT);
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case list[] = {
      {"a_free_body_turns_over_as_euler_says", a_free_body_turns_over_as_euler_says},
      {"angular_momentum_is_kept", angular_momentum_is_kept},
      {"the_orientation_follows_the_angular_velocity", the_orientation_follows_the_angular_velocity},
      {"a_top_precesses_steadily", a_top_precesses_steadily},
      {"a_pendulum_in_a_revolute_joint_keeps_its_period", a_pendulum_in_a_revolute_joint_keeps_its_period},
      {"a_redundant_loop_moves_like_the_planar_one", a_redundant_loop_moves_like_the_planar_one},
      {"redundant_constraints_are_found", redundant_constraints_are_found},
      {"a_motor_keeps_its_speed", a_motor_keeps_its_speed},
      {"prescribed_positions_are_met", prescribed_positions_are_met},
      {"spatial_motors_follow_their_formulas", spatial_motors_follow_their_formulas},
      {"gears_share_a_torque", gears_share_a_torque},
      {"forces_act_at_their_points", forces_act_at_their_points},
      {"springs_swing", springs_swing},
      {"bodies_and_formulas_share_a_model", bodies_and_formulas_share_a_model},
      {"a_body_equals_its_formulas", a_body_equals_its_formulas},
      {"a_crooked_loop_is_assembled", a_crooked_loop_is_assembled},
      {"what_cannot_be_assembled_is_said", what_cannot_be_assembled_is_said},
  };
  return test_main(argc, argv, "bodies_motion", list, (int)(sizeof list / sizeof *list));
}
