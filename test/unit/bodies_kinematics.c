/* Joints and contacts of bodies: what W^T u + chi gives is the time derivative of the gap, at any state and for any
 * velocities; joints take the degrees of freedom they should; gaps and slips are those of independent geometry. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

/* Two bodies of each sort, of which a joint or contact takes what it needs. */
static const char planar_pair[] =
    "local a = planar_body { 'a', mass = 2, inertia = 0.3, position = { 0.1, 0.2 }, angle = 0.4 }\n"
    "local b = planar_body { 'b', mass = 1, inertia = 0.2, position = { 1.1, -0.3 }, angle = -0.7 }\n"
    "local p = particle { 'p', mass = 1, position = { 0.4, 0.9 } }\n"
    "local moving = frame { 'moving', position = { 0.1 * sin(3 * t), 0.2 * t }, angle = 0.5 * t + 0.2 }\n";
static const char spatial_pair[] =
    "local a = spatial_body { 'a', mass = 2, inertia = { 0.3, 0.2, 0.4 }, position = { 0.1, 0.2, 0.3 },\n"
    "  axis = { 0.6, 0, 0.8 }, angle = 0.4 }\n"
    "local b = spatial_body { 'b', mass = 1, inertia = { { 0.3, 0.01, 0 }, { 0.01, 0.2, 0.02 }, { 0, 0.02, 0.4 } },\n"
    "  position = { 1.1, -0.3, 0.2 }, axis = { 0, 1, 0 }, angle = -0.7 }\n"
    "local p = particle { 'p', mass = 1, position = { 0.4, 0.9, -0.2 } }\n"
    "local moving = frame { 'moving', position = { 0.1 * sin(3 * t), 0.2 * t, 0.1 }, axis = { 0, 0.6, 0.8 },\n"
    "  angle = 0.5 * t + 0.2 }\n";

typedef struct law_case {
  const char *name;
  bool planar;
  const char *text;
  int equations; /* independent constraints it adds; -1: a contact */
} law_case;

static const law_case cases[] = {
    {"planar revolute", true, "revolute { 'j', a, b, at = { 0.5, 0.1 } }", 2},
    {"planar revolute in body frames", true, "revolute { 'j', a, b, points = { { 0.5, 0.1 }, { -0.2, 0.3 } } }", 2},
    {"planar revolute on a moving frame", true, "revolute { 'j', moving, b, at = { 0.5, 0.1 } }", 2},
    {"planar revolute of a particle", true, "revolute { 'j', a, p, at = { 0.4, 0.9 } }", 2},
    {"planar prismatic", true, "prismatic { 'j', a, b, at = { 0.5, 0.1 }, axis = { 0.6, 0.8 } }", 2},
    {"planar prismatic in body frames", true,
     "prismatic { 'j', a, b, points = { { 0.5, 0.1 }, { 0, 0 } }, axes = { { 0.6, 0.8 }, { 1, 0 } } }", 2},
    {"planar prismatic on a moving frame", true, "prismatic { 'j', moving, b, axis = { 0, 1 } }", 2},
    {"planar weld", true, "weld { 'j', a, b }", 3},
    {"planar distance", true, "distance { 'j', a, b, points = { { 0.1, 0.2 }, { 0.3, -0.1 } } }", 1},
    {"planar distance of a particle", true, "distance { 'j', a, p, points = { { 0.1, 0.2 }, { 0, 0 } } }", 1},
    {"planar gear", true, "gear { 'j', a, b, ratio = -2.5 }", 1},
    {"planar motor, speed", true, "motor { 'j', a, b, speed = 2 * cos(t) }", 1},
    {"planar motor, position", true, "motor { 'j', ground, b, position = sin(2 * t) }", 1},
    {"planar linear motor", true, "linear_motor { 'j', a, b, axis = { 0, 1 }, position = 0.1 * t^2 }", 1},
    {"planar linear motor, speed", true, "linear_motor { 'j', moving, p, axis = { 0.6, 0.8 }, speed = 0.1 * t }", 1},
    {"spatial revolute", false, "revolute { 'j', a, b, at = { 0.5, 0.1, 0.2 }, axis = { 0.48, 0.64, 0.6 } }", 5},
    {"spatial revolute in body frames", false,
     "revolute { 'j', a, b, points = { { 0.5, 0.1, 0.2 }, { 0, 1, 2 } }, axes = { { 0, 0, -1 }, { 0.6, 0, 0.8 } } }",
     5},
    {"spatial revolute on a moving frame", false,
     "revolute { 'j', moving, b, at = { 0.5, 0.1, 0.2 }, axis = { 0.48, 0.64, 0.6 } }", 5},
    {"spherical", false, "spherical { 'j', a, b, at = { 0.5, 0.1, 0.2 } }", 3},
    {"spherical of a particle", false, "spherical { 'j', p, b, at = { 0.4, 0.9, -0.2 } }", 3},
    {"spatial prismatic", false, "prismatic { 'j', a, b, at = { 0.5, 0.1, 0.2 }, axis = { 0.48, 0.64, 0.6 } }", 5},
    {"cylindrical", false, "cylindrical { 'j', a, b, at = { 0.5, 0.1, 0.2 }, axis = { 0.48, 0.64, 0.6 } }", 4},
    {"universal", false, "universal { 'j', a, b, at = { 0.5, 0.1, 0.2 }, axes = { { 0, 0.8, 0.6 }, { 1, 0, 0 } } }", 4},
    {"spatial weld", false, "weld { 'j', a, b }", 6},
    {"weld on a moving frame", false, "weld { 'j', moving, b }", 6},
    {"spatial distance", false, "distance { 'j', a, b, points = { { 0.1, 0.2, 0 }, { 0.3, -0.1, 1 } }, length = 2 }",
     1},
    {"spatial gear", false, "gear { 'j', a, b, ratio = 3, axes = { { 0, 0, 1 }, { 0, 1, 0 } } }", 1},
    {"spatial motor, speed", false, "motor { 'j', a, b, axis = { 0, 0.6, 0.8 }, speed = 2 * cos(t) }", 1},
    {"spatial motor, position", false, "motor { 'j', a, b, axis = { 0, 0.6, 0.8 }, position = sin(2 * t) }", 1},
    {"spatial linear motor", false, "linear_motor { 'j', a, b, axis = { 0, 0, 1 }, position = 0.1 * t^2 }", 1},
    {"point on line", true,
     "plane_contact { 'c', a, b, origin = { 0, -9 }, normal = { 0.6, 0.8 }, point = { 1, 2 }, mu = 1 }", -1},
    {"disk on a moving line", true,
     "plane_contact { 'c', moving, b, origin = { 0, -9 }, normal = { 0.6, 0.8 }, radius = 0.2, mu = 1 }", -1},
    {"particle on line", true, "plane_contact { 'c', a, p, origin = { 0, -9 }, normal = { 0.6, 0.8 }, mu = 1 }", -1},
    {"notch", true, "notch_contact { 'c', a, b, normal = { 0.6, 0.8 }, width = 9, mu = 1 }", -1},
    {"disk on disk", true, "ball_contact { 'c', a, b, point_a = { 0.1, 0 }, radius_a = 0.2, radius_b = 0.1, mu = 1 }",
     -1},
    {"pin in hole, planar", true,
     "hole_contact { 'c', a, b, point_a = { 0.1, 0 }, radius_a = 9, radius_b = 0.1, mu = 1 }", -1},
    {"point on curve", true,
     "level_contact { 'c', a, b, point = { 0.1, 0.2 }, level = function(x, y) return y + 9 + sin(3 * x) end, mu = 1 }",
     -1},
    {"ball on plane", false,
     "plane_contact { 'c', a, b, origin = { 0, 0, -9 }, normal = { 0.48, 0.64, 0.6 }, point = { 0.1, 0.2, 0 }, radius "
     "= 0.3, "
     "mu = 1, spin_radius = 0.01 }",
     -1},
    {"ball on a moving plane", false,
     "plane_contact { 'c', moving, b, origin = { 0, 0, -9 }, normal = { 0, 0, 1 }, mu = 1 }", -1},
    {"ball on ball", false,
     "ball_contact { 'c', a, b, point_a = { 0.1, 0, 0.2 }, radius_a = 0.2, radius_b = 0.1, mu = 1, spin_radius = 0.1 }",
     -1},
    {"pin in hole, spatial", false,
     "hole_contact { 'c', a, b, point_a = { 0.1, 0, 0 }, radius_a = 9, radius_b = 0.1, axis = { 0, 0.6, 0.8 }, mu = 1 "
     "}",
     -1},
    {"rim on plane", false,
     "rim_contact { 'c', a, b, origin = { 0, 0, -9 }, normal = { 0, 0.6, 0.8 }, centre = { 0.1, 0, 0.2 }, axis = { 0, "
     "1, 0 }, "
     "radius = 0.4, mu = 1, spin_radius = 0.02 }",
     -1},
    {"point on surface", false,
     "level_contact { 'c', a, b, level = function(x, y, z) return z + 9 + sin(x) * y end, mu = 1 }", -1},
};

static bool open_case(simulation *s, const law_case *c, const char *more) {
  char text[4096];
  snprintf(text, sizeof text, "%s%s\n%s\nsimulate { dt = 1e-3, t_end = 1 }\n", c->planar ? planar_pair : spatial_pair,
           c->text, more);
  return simulation_open_text(s, text);
}

/* Any state: quaternions of any length, too, because gaps must not depend on it. */
static void scatter(test_random *random, int nq, int nu, double *q, double *u) {
  for (int i = 0; i < nq; i++) q[i] += test_uniform(random, -0.3, 0.3);
  for (int i = 0; i < nu; i++) u[i] = test_uniform(random, -2, 2);
}

static void gaps_at(picus_evaluation *e, double t, const double *q, const double *u, double *gap) {
  picus_evaluation_set_point(e, t, q, u);
  CHECK(picus_evaluate_gaps(e, gap) == PICUS_OK);
}

/* gamma of gap rows against the central difference of the gap along q' = B u + beta, Richardson-extrapolated. */
static double worst_rate_error(picus_evaluation *e, const picus_system *system, double t, const double *q,
                               const double *u) {
  double gap[4][MOST] = {0}, gamma[MOST] = {0}, rate[MOST] = {0}, moved[MOST] = {0}, worst = 0;
  const int nq = picus_system_nq(system);
  const double h = 2e-4, factors[4] = {-2, -1, 1, 2};
  picus_evaluation_set_point(e, t, q, u);
  CHECK(picus_evaluate_velocities(e, gamma) == PICUS_OK);
  CHECK(picus_evaluate_rate(e, rate) == PICUS_OK);
  /* along the straight path q + tau q' the derivative at tau = 0 is dg/dq q' + dg/dt */
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < nq; i++) moved[i] = q[i] + factors[k] * h * rate[i];
    gaps_at(e, t + factors[k] * h, moved, u, gap[k]);
  }
  for (int i = 0; i < picus_system_law_count(system); i++) {
    picus_system_law law = picus_system_law_at(system, i);
    if (!law.has_gap) continue;
    double near = (gap[2][i] - gap[1][i]) / (2 * h), far = (gap[3][i] - gap[0][i]) / (4 * h);
    worst = fmax(worst, fabs((4 * near - far) / 3 - gamma[law.first_row]));
  }
  return worst;
}

static void velocities_are_derivatives_of_gaps(void) {
  test_random random = {2023};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    simulation s;
    picus_evaluation *e = NULL;
    REQUIRE(open_case(&s, &cases[k], "simulate { assemble = true }"));
    REQUIRE(picus_evaluation_create(s.context, s.system, &e) == PICUS_OK);
    double worst = 0;
    for (int trial = 0; trial < 5; trial++) {
      double q[MOST] = {0}, u[MOST] = {0};
      picus_system_start(s.system, q, u);
      scatter(&random, picus_system_nq(s.system), picus_system_nu(s.system), q, u);
      worst = fmax(worst, worst_rate_error(e, s.system, 0.3 + 0.1 * trial, q, u));
    }
    if (!CHECK(worst < 1e-8)) printf("  %s: %g\n", cases[k].name, worst);
    picus_evaluation_destroy(e);
    simulation_close(&s);
  }
}

/* Normalising a quaternion changes no gap: R is of degree 0 in it. */
static void gaps_do_not_depend_on_the_length_of_quaternions(void) {
  test_random random = {5};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    if (cases[k].planar) continue;
    simulation s;
    picus_evaluation *e = NULL;
    REQUIRE(open_case(&s, &cases[k], "simulate { assemble = true }"));
    REQUIRE(picus_evaluation_create(s.context, s.system, &e) == PICUS_OK);
    double q[MOST] = {0}, u[MOST] = {0}, before[MOST] = {0}, after[MOST] = {0};
    CHECK(picus_system_quaternion_count(s.system) == 2);
    CHECK(picus_system_quaternion(s.system, 0) == 3 && picus_system_quaternion(s.system, 2) == -1);
    picus_system_start(s.system, q, u);
    scatter(&random, picus_system_nq(s.system), picus_system_nu(s.system), q, u);
    gaps_at(e, 0.3, q, u, before);
    picus_system_normalise(s.system, q);
    CHECK_NEAR(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6], 1, 1e-15);
    gaps_at(e, 0.3, q, u, after);
    for (int i = 0; i < picus_system_law_count(s.system); i++) CHECK_NEAR(after[i], before[i], 1e-13);
    picus_evaluation_destroy(e);
    simulation_close(&s);
  }
}

/* Each joint has as many constraints as its kind takes degrees of freedom, all independent, and is closed where it was
 * given by the start. */
static void joints_take_their_degrees_of_freedom(void) {
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    if (cases[k].equations < 0) continue;
    bool closed = strstr(cases[k].text, "points =") == NULL && strstr(cases[k].text, "length =") == NULL;
    simulation s;
    REQUIRE(open_case(&s, &cases[k], closed ? "" : "simulate { assemble = true }"));
    picus_evaluation *e = NULL;
    REQUIRE(picus_evaluation_create(s.context, s.system, &e) == PICUS_OK);
    double q[MOST] = {0}, u[MOST] = {0};
    picus_system_start(s.system, q, u);
    picus_evaluation_set_point(e, 0, q, u);
    picus_constraint_report report = {0};
    CHECK(picus_system_examine_constraints(e, &report, NULL) == PICUS_OK);
    bool right = report.constraints == cases[k].equations && report.rank == cases[k].equations &&
                 report.freedom == picus_system_nu(s.system) - cases[k].equations && report.worst_position < 1e-12;
    if (!CHECK(right))
      printf("  %s: %d constraints of rank %d, worst %g\n", cases[k].name, report.constraints, report.rank,
             report.worst_position);
    picus_evaluation_destroy(e);
    simulation_close(&s);
  }
}

/* --- independent geometry ------------------------------------------------------------------------------------------
 */

/* v turned by the quaternion: p v p*, by the two products. */
static void turn(const double p[4], const double v[3], double out[3]) {
  double length2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
  double w = -p[1] * v[0] - p[2] * v[1] - p[3] * v[2];
  double x = p[0] * v[0] + p[2] * v[2] - p[3] * v[1];
  double y = p[0] * v[1] + p[3] * v[0] - p[1] * v[2];
  double z = p[0] * v[2] + p[1] * v[1] - p[2] * v[0];
  out[0] = (-w * p[1] + x * p[0] - y * p[3] + z * p[2]) / length2;
  out[1] = (-w * p[2] + y * p[0] - z * p[1] + x * p[3]) / length2;
  out[2] = (-w * p[3] + z * p[0] - x * p[2] + y * p[1]) / length2;
}

/* Where a point fixed in body 0 or 1 is; q of either pair. */
static void place(bool planar, const double *q, int body, const double point[3], double out[3]) {
  if (planar) {
    const double *x = q + 3 * body;
    out[0] = x[0] + cos(x[2]) * point[0] - sin(x[2]) * point[1];
    out[1] = x[1] + sin(x[2]) * point[0] + cos(x[2]) * point[1];
    out[2] = 0;
    return;
  }
  turn(q + 7 * body + 3, point, out);
  for (int i = 0; i < 3; i++) out[i] += q[7 * body + i];
}

static void direction(bool planar, const double *q, int body, const double v[3], double out[3]) {
  const double origin[3] = {0};
  double from[3] = {0};
  place(planar, q, body, v, out);
  place(planar, q, body, origin, from);
  for (int i = 0; i < 3; i++) out[i] -= from[i];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The components of a place in the frame of a body: by the directions of its axes. */
static void components(bool planar, const double *q, int body, const double at[3], double out[3]) {
  const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, origin[3] = {0};
  double from[3] = {0}, arm[3] = {0}, axis[3] = {0};
  place(planar, q, body, origin, from);
  for (int i = 0; i < 3; i++) arm[i] = at[i] - from[i];
  for (int k = 0; k < 3; k++) {
    direction(planar, q, body, axes[k], axis);
    out[k] = planar && k == 2 ? 0 : dot(axis, arm);
  }
}

/* Velocity of body 1's material point against body 0's, both being at the place now: by moving both bodies. */
static void relative_velocity(bool planar, int nq, const double *q, const double *rate, const double at[3],
                              double out[3]) {
  const double h = 1e-5;
  double ahead[MOST] = {0}, back[MOST] = {0};
  for (int i = 0; i < nq; i++) ahead[i] = q[i] + h * rate[i], back[i] = q[i] - h * rate[i];
  double velocity[2][3] = {0};
  for (int body = 0; body < 2; body++) {
    double point[3] = {0}, to[3] = {0}, from[3] = {0};
    components(planar, q, body, at, point);
    place(planar, ahead, body, point, to);
    place(planar, back, body, point, from);
    for (int i = 0; i < 3; i++) velocity[body][i] = (to[i] - from[i]) / (2 * h);
  }
  for (int i = 0; i < 3; i++) out[i] = velocity[1][i] - velocity[0][i];
}

/* What the geometry of one contact is: gap, place of contact and normal from a to b. */
typedef void (*geometry_fn)(bool planar, const double *q, double *gap, double at[3], double normal[3]);

static void point_line_geometry(bool planar, const double *q, double *gap, double at[3], double normal[3]) {
  const double origin[3] = {0, -9, 0}, n[3] = {0.6, 0.8, 0}, point[3] = {1, 2, 0};
  double from[3] = {0}, arm[3] = {0};
  place(planar, q, 0, origin, from);
  direction(planar, q, 0, n, normal);
  place(planar, q, 1, point, at);
  for (int i = 0; i < 3; i++) arm[i] = at[i] - from[i];
  *gap = dot(normal, arm);
}

/* Shortest distance of two circles or spheres by their centres. */
static void round_geometry(bool planar, const double *q, double *gap, double at[3], double normal[3]) {
  const double in_a[3] = {0.1, 0, planar ? 0 : 0.2}, in_b[3] = {0};
  double a[3] = {0}, b[3] = {0}, distance = 0;
  place(planar, q, 0, in_a, a);
  place(planar, q, 1, in_b, b);
  for (int i = 0; i < 3; i++) distance += (b[i] - a[i]) * (b[i] - a[i]);
  distance = sqrt(distance);
  for (int i = 0; i < 3; i++) normal[i] = (b[i] - a[i]) / distance;
  for (int i = 0; i < 3; i++) at[i] = b[i] - 0.1 * normal[i];
  *gap = distance - 0.3;
}

static void hole_geometry(bool planar, const double *q, double *gap, double at[3], double normal[3]) {
  const double in_a[3] = {0.1, 0, 0}, axis_a[3] = {0, 0.6, 0.8}, in_b[3] = {0};
  double a[3] = {0}, b[3] = {0}, axis[3] = {0}, d[3] = {0};
  place(planar, q, 0, in_a, a);
  place(planar, q, 1, in_b, b);
  direction(planar, q, 0, axis_a, axis);
  for (int i = 0; i < 3; i++) d[i] = b[i] - a[i];
  double shift = planar ? 0 : dot(axis, d);
  for (int i = 0; i < 3; i++) d[i] -= shift * axis[i];
  double distance = sqrt(dot(d, d));
  for (int i = 0; i < 3; i++) normal[i] = -d[i] / distance;
  for (int i = 0; i < 3; i++) at[i] = b[i] - 0.1 * normal[i];
  *gap = 8.9 - distance;
}

static void ball_plane_geometry(bool planar, const double *q, double *gap, double at[3], double normal[3]) {
  const double origin[3] = {0, 0, -9}, n[3] = {0.48, 0.64, 0.6}, point[3] = {0.1, 0.2, 0};
  double from[3] = {0}, arm[3] = {0};
  place(planar, q, 0, origin, from);
  direction(planar, q, 0, n, normal);
  place(planar, q, 1, point, at);
  for (int i = 0; i < 3; i++) arm[i] = at[i] - from[i];
  *gap = dot(normal, arm) - 0.3;
  for (int i = 0; i < 3; i++) at[i] -= 0.3 * normal[i];
}

/* The lowest point of the rim by looking: golden section around the best of many points on the circle. */
static double rim_height(const double *q, double angle, const double normal[3], const double from[3], double at[3]) {
  const double point[3] = {0.1 + 0.4 * cos(angle), 0, 0.2 + 0.4 * sin(angle)};
  double arm[3] = {0};
  place(false, q, 1, point, at);
  for (int i = 0; i < 3; i++) arm[i] = at[i] - from[i];
  return dot(normal, arm);
}

static void rim_geometry(bool planar, const double *q, double *gap, double at[3], double normal[3]) {
  const double origin[3] = {0, 0, -9}, n[3] = {0, 0.6, 0.8};
  double from[3] = {0}, best = 0, scratch[3] = {0};
  place(planar, q, 0, origin, from);
  direction(planar, q, 0, n, normal);
  for (int k = 1; k < 360; k++)
    if (rim_height(q, 0.0174533 * k, normal, from, scratch) < rim_height(q, best, normal, from, scratch))
      best = 0.0174533 * k;
  double low = best - 0.02, high = best + 0.02;
  for (int k = 0; k < 60; k++) {
    double first = low + 0.381966 * (high - low), second = low + 0.618034 * (high - low);
    if (rim_height(q, first, normal, from, scratch) < rim_height(q, second, normal, from, scratch))
      high = second;
    else
      low = first;
  }
  *gap = rim_height(q, 0.5 * (low + high), normal, from, at);
}

static const law_case *find_case(const char *name) {
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    if (strcmp(cases[k].name, name) == 0) return &cases[k];
  return NULL;
}

/* Relative spin about the normal: the rate at which a tangent of b turns against one of a. */
static double spin_about(const double *q, const double *rate, int nq, const double normal[3]) {
  const double h = 1e-5, axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double ahead[MOST] = {0}, back[MOST] = {0}, spin = 0;
  for (int i = 0; i < nq; i++) ahead[i] = q[i] + h * rate[i], back[i] = q[i] - h * rate[i];
  for (int body = 0; body < 2; body++) { /* Omega = sum_k e_k x e_k' / 2 */
    double omega[3] = {0};
    for (int k = 0; k < 3; k++) {
      double e[3] = {0}, to[3] = {0}, from[3] = {0}, d[3] = {0};
      direction(false, q, body, axes[k], e);
      direction(false, ahead, body, axes[k], to);
      direction(false, back, body, axes[k], from);
      for (int i = 0; i < 3; i++) d[i] = (to[i] - from[i]) / (2 * h);
      for (int i = 0; i < 3; i++) omega[i] += 0.5 * (e[(i + 1) % 3] * d[(i + 2) % 3] - e[(i + 2) % 3] * d[(i + 1) % 3]);
    }
    spin += (body ? 1 : -1) * dot(omega, normal);
  }
  return spin;
}

static void compare_contact(const char *name, geometry_fn geometry, double tolerance, double spin_radius) {
  test_random random = {77};
  const law_case *c = find_case(name);
  simulation s = {0};
  picus_evaluation *e = NULL;
  REQUIRE(c);
  REQUIRE(open_case(&s, c, ""));
  REQUIRE(picus_evaluation_create(s.context, s.system, &e) == PICUS_OK);
  const int nq = picus_system_nq(s.system);
  for (int trial = 0; trial < 6; trial++) {
    double q[MOST] = {0}, u[MOST] = {0}, gap[MOST] = {0}, gamma[MOST] = {0}, rate[MOST] = {0}, expected = 0,
           at[3] = {0}, normal[3] = {0}, v[3] = {0};
    picus_system_start(s.system, q, u);
    scatter(&random, nq, picus_system_nu(s.system), q, u);
    picus_system_normalise(s.system, q);
    picus_evaluation_set_point(e, 0, q, u);
    CHECK(picus_evaluate_gaps(e, gap) == PICUS_OK && picus_evaluate_velocities(e, gamma) == PICUS_OK &&
          picus_evaluate_rate(e, rate) == PICUS_OK);
    geometry(c->planar, q, &expected, at, normal);
    relative_velocity(c->planar, nq, q, rate, at, v);
    double along = dot(normal, v), tangential = sqrt(fmax(0, dot(v, v) - along * along));
    bool right = fabs(gap[0] - expected) < tolerance && fabs(gamma[0] - along) < 1e-6;
    if (c->planar) /* to the right of the normal */
      right = right && fabs(gamma[1] - (normal[1] * v[0] - normal[0] * v[1])) < 1e-6;
    else
      right = right && fabs(sqrt(gamma[1] * gamma[1] + gamma[2] * gamma[2]) - tangential) < 1e-6;
    if (spin_radius > 0)
      right = right && fabs(gamma[3] - 3 * acos(-1) / 16 * spin_radius * spin_about(q, rate, nq, normal)) < 1e-6;
    if (!CHECK(right)) printf("  %s: gap %.9g instead of %.9g\n", name, gap[0], expected);
  }
  picus_evaluation_destroy(e);
  simulation_close(&s);
}

static void contacts_have_the_geometry_they_should(void) {
  compare_contact("point on line", point_line_geometry, 1e-12, 0);
  compare_contact("disk on disk", round_geometry, 1e-12, 0);
  compare_contact("pin in hole, planar", hole_geometry, 1e-12, 0);
  compare_contact("ball on plane", ball_plane_geometry, 1e-12, 0.01);
  compare_contact("ball on ball", round_geometry, 1e-12, 0.1);
  compare_contact("pin in hole, spatial", hole_geometry, 1e-12, 0);
  compare_contact("rim on plane", rim_geometry, 1e-12, 0.02);
}

/* The level's gap is zero on the curve, its slope there is that of the distance, and the normal is that of the curve.
 */
static void a_curve_is_met_at_right_angles(void) {
  simulation s;
  picus_evaluation *e = NULL;
  REQUIRE(simulation_open_text(&s,
                               "local p = particle { 'p', mass = 1, position = { 0.3, 1 } }\n"
                               "level_contact { 'c', ground, p, level = function(x, y) return y - x^2 end, mu = 0.3 }\n"
                               "simulate { dt = 1e-3, t_end = 1 }\n"));
  REQUIRE(picus_evaluation_create(s.context, s.system, &e) == PICUS_OK);
  const double x = 0.7, slope = 2 * x, length = sqrt(1 + slope * slope), distance = 1e-6;
  double q[2] = {x - distance * slope / length, x * x + distance / length}, u[2] = {3, -2}, gap = 0, gamma[2] = {0};
  picus_evaluation_set_point(e, 0, q, u);
  CHECK(picus_evaluate_gaps(e, &gap) == PICUS_OK && picus_evaluate_velocities(e, gamma) == PICUS_OK);
  CHECK_NEAR(gap, distance, 1e-11);
  CHECK_NEAR(gamma[0], (-slope * u[0] + u[1]) / length, 1e-4);
  CHECK_NEAR(gamma[1], (u[0] + slope * u[1]) / length, 1e-4);
  picus_evaluation_destroy(e);
  simulation_close(&s);
}

/* A pin that stands exactly in the middle of its hole has a gap and finite directions. */
static void a_pin_may_start_in_the_middle(void) {
  simulation s;
  REQUIRE(simulation_open_text(&s, "local a = planar_body { 'a', mass = 1, inertia = 1 }\n"
                                   "hole_contact { 'c', ground, a, radius_a = 0.2, radius_b = 0.1, mu = 0.3 }\n"
                                   "simulate { scheme = 'rattle', dt = 1e-3, t_end = 1 }\n"));
  picus_law_state law = {0};
  CHECK(picus_sim_laws(s.sim, &law) == PICUS_OK);
  CHECK_NEAR(law.gap, 0.1, 1e-11);
  CHECK(isfinite(law.normal_velocity) && isfinite(law.slip[0]));
  for (int k = 0; k < 5; k++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
  CHECK_NEAR(picus_sim_state(s.sim).q[0], 0, 1e-14);
  simulation_close(&s);
}

/* Markers in model files: a point, its velocity, directions and angles as formulas. */
static void markers_are_formulas(void) {
  simulation s;
  recorded_rows rows = {0};
  picus_summary summary = {0};
  REQUIRE(simulation_open_text(
      &s, "local a = planar_body { 'a', mass = 1, inertia = 1, position = { 1, 2 }, angle = pi / 2, velocity = { 3, 4 "
          "}, omega = 5 }\n"
          "local b = spatial_body { 'b', mass = 1, inertia = { 1, 1, 1 }, axis = { 1, 0, 0 }, angle = pi / 2, omega = "
          "{ 0, 0, 2 } }\n"
          "local x, y = a:point { 1, 0 }\n"
          "local vx, vy = a:velocity { 1, 0 }\n"
          "local dx, dy, dz = b:direction { 0, 1, 0 }\n"
          "local wx, wy, wz = b:omega()\n"
          "local ux, uy, uz = b:velocity { 1, 0, 0 }\n"
          "observe { 'ox', x } observe { 'oy', y } observe { 'ovx', vx } observe { 'ovy', vy }\n"
          "observe { 'oa', a:angle() } observe { 'ow', a:omega() } observe { 'odz', dz } observe { 'owz', wz }\n"
          "observe { 'ouz', uz }\n"
          "local q, u = coordinates {{'s', velocity = 'vs', start = {2, 7}}} kinetic(u.vs^2 / 2)\n"
          "local sx, sy = a:point { q.s, 0 }\nlocal svx, svy = a:velocity { q.s, 0 }\n"
          "local ex, ey = a:direction { q.s, 1 }\n"
          "observe { 'svx', svx } observe { 'svy', svy } observe { 'ex', ex } observe { 'ey', ey }\n"
          "contact { 'sx', gap = 100 + sx } contact { 'sy', gap = 100 + sy }\n"
          "simulate { dt = 1e-3, t_end = 1e-3 }\n"));
  REQUIRE(simulation_run(&s, &rows, &summary));
  CHECK_NEAR(recorded_value(&rows, 0, "ox"), 1, 1e-14);
  CHECK_NEAR(recorded_value(&rows, 0, "oy"), 3, 1e-14);
  CHECK_NEAR(recorded_value(&rows, 0, "ovx"), 3 - 5, 1e-14);
  CHECK_NEAR(recorded_value(&rows, 0, "ovy"), 4, 1e-14);
  CHECK_NEAR(recorded_value(&rows, 0, "oa"), acos(-1) / 2, 1e-14);
  CHECK_NEAR(recorded_value(&rows, 0, "ow"), 5, 1e-14);
  CHECK_NEAR(recorded_value(&rows, 0, "odz"), 1, 1e-14); /* e_y turned about e_x by 90 degrees */
  CHECK_NEAR(recorded_value(&rows, 0, "owz"), 2, 1e-14);
  CHECK_NEAR(recorded_value(&rows, 0, "ouz"), 2, 1e-14); /* omega x e_x = 2 e_y in the body: e_z outside */
  /* the material point at s = 2, and the point that moves along with 7 m/s */
  CHECK_NEAR(recorded_value(&rows, 0, "svx"), 3 - 5 * 2, 1e-14);
  CHECK_NEAR(recorded_value(&rows, 0, "svy"), 4, 1e-14);
  CHECK_NEAR(recorded_value(&rows, 0, "ex"), -1, 1e-14);
  CHECK_NEAR(recorded_value(&rows, 0, "ey"), 2, 1e-14);
  CHECK_NEAR(recorded_value(&rows, 0, "sx.gap"), 101, 1e-13);
  CHECK_NEAR(recorded_value(&rows, 0, "sy.gap"), 104, 1e-13);
  CHECK_NEAR(recorded_value(&rows, 0, "sx.vN"), 3 - 5 * 2, 1e-13);
  CHECK_NEAR(recorded_value(&rows, 0, "sy.vN"), 4 + 7, 1e-13);
  recorded_rows_free(&rows);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case list[] = {
      {"velocities_are_derivatives_of_gaps", velocities_are_derivatives_of_gaps},
      {"gaps_do_not_depend_on_the_length_of_quaternions", gaps_do_not_depend_on_the_length_of_quaternions},
      {"joints_take_their_degrees_of_freedom", joints_take_their_degrees_of_freedom},
      {"contacts_have_the_geometry_they_should", contacts_have_the_geometry_they_should},
      {"a_curve_is_met_at_right_angles", a_curve_is_met_at_right_angles},
      {"a_pin_may_start_in_the_middle", a_pin_may_start_in_the_middle},
      {"markers_are_formulas", markers_are_formulas},
  };
  return test_main(argc, argv, "bodies_kinematics", list, sizeof list / sizeof *list);
}
