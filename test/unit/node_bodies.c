/* Nodes of beams as bodies: joints, springs, contacts and forces on them, moving and spinning axes. */
#include "support/check.h"
#include "support/simulate.h"
#include "system/internal.h"

#include <math.h>
#include <picus/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* --- kinematics ----------------------------------------------------------------------------------------------------
 */

#define BODIES                                                                                                         \
  "local p = planar_body {'p', mass = 1, inertia = 1, position = {0.3, 0.2}, angle = 0.1}\n"                           \
  "local s = spatial_body {'s', mass = 1, inertia = {1, 1, 1}, position = {0.3, 0.2, 0.4}}\n"                          \
  "local f = frame {'f', position = {0.1 * sin(t), 0.2 * t, 0}, angle = 0.3 * t}\n"                                    \
  "local g = frame {'g', position = {0.1 * sin(t), 0.2 * t, t^2}, axis = {1, 0, 0}, angle = 0.3 * t}\n"

/* Laws of every kind between nodes, bodies and moving frames. */
static const char planar_laws[] = BODIES
    "local b = beam {'b', length = 1, elements = 2, circle = 0.05, density = 1, young = 1, start = {ux = 0.01, rz = "
    "0.1}%s}\n"
    "local c = beam {'c', length = 1, elements = 1, circle = 0.05, density = 1, young = 1, origin = {0.2, 0.1}}\n"
    "revolute {'j1', b:node(1), p, at = {0.6, 0.1}}\n"
    "weld {'j2', b:node(2), c:node(0)}\n"
    "prismatic {'j3', b:node(0), p, axis = {0.6, 0.8}}\n"
    "distance {'j4', p, c:node(1), points = {{0.1, 0.2}, {0.3, 0.4}}}\n"
    "revolute {'j5', f, c:node(1), at = {1, 0.2}}\n"
    "gear {'j6', b:node(1), p, ratio = -2}\n"
    "motor {'j7', p, b:node(2), position = 0.3 * t}\n"
    "plane_contact {'k1', ground, b:node(1), origin = {0, -3}, normal = {0, 1}, point = {0.1, 0.2}, radius = 0.1, mu = "
    "0.3}\n"
    "plane_contact {'k2', p, b:node(2), origin = {-3, -3}, normal = {0.6, 0.8}, point = {0.1, 0.2}, mu = 0.3}\n"
    "plane_contact {'k3', b:node(2), p, origin = {-3, -3}, normal = {0.6, 0.8}, radius = 0.2, mu = 0.3}\n"
    "ball_contact {'k4', b:node(0), c:node(1), point_a = {0.2, 0.1}, radius_a = 0.1, radius_b = 0.2, mu = 0.3}\n"
    "journal_contact {'k5', p, b:node(1), point_b = {0.1, 0.3}, radius_a = 2.5, radius_b = 0.4, mu = 0.1}\n";
static const char spatial_laws[] = BODIES
    "local b = beam {'b', spatial = true, length = 1, elements = 2, circle = 0.05, density = 1, young = 1, theory = "
    "'rayleigh'%s}\n"
    "local c = framework {'c', nodes = {{0, 0, 1}, {0, 1, 1}}, members = {{1, 2}}, circle = 0.05, density = 1, young = "
    "1, start = {rx = 0.1, ry = 0.2, uz = 0.1}}\n"
    "revolute {'j1', b:node(1), s, at = {0.6, 0.1, 0.2}, axis = {0, 0.6, 0.8}}\n"
    "weld {'j2', b:node(2), c:node(1)}\n"
    "prismatic {'j3', b:node(0), s, axis = {0.6, 0.8, 0}}\n"
    "cylindrical {'j4', s, c:node(1), axis = {0, 0, 1}}\n"
    "spherical {'j5', g, c:node(2), at = {0.1, 0.2, 0.3}}\n"
    "universal {'j6', c:node(2), s, at = {0.1, 0, 0}, axes = {{1, 0, 0}, {0, 1, 0}}}\n"
    "distance {'j7', s, b:node(2), points = {{0.1, 0.2, 0}, {0.3, 0.4, 0.5}}}\n"
    "plane_contact {'k1', ground, b:node(1), origin = {0, 0, -3}, normal = {0, 0, 1}, point = {0.1, 0.2, 0.3}, radius "
    "= 0.1, mu = 0.3}\n"
    "plane_contact {'k2', s, b:node(2), origin = {-3, -3, -3}, normal = {0.6, 0, 0.8}, point = {0.1, 0.2, 0.3}, mu = "
    "0.3}\n"
    "plane_contact {'k3', c:node(2), s, origin = {-3, -3, -3}, normal = {0.6, 0, 0.8}, radius = 0.2, mu = 0.3}\n"
    "hole_contact {'k4', s, b:node(1), radius_a = 2, radius_b = 1, axis = {1, 0, 0}, mu = 0.3}\n"
    "journal_contact {'k5', s, b:node(1), point_b = {0.1, 0.3, 0.2}, radius_a = 2.5, radius_b = 0.4, axis = {1, 0, 0}, "
    "mu = 0.1}\n"
    "journal_contact {'k6', ground, c:node(1), radius_a = 2.5, radius_b = 0.4, axis = {1, 0, 0}, mu = 0.1, axial = "
    "false}\n";

typedef struct point {
  picus_evaluation *e;
  int nq, nu, laws, rows;
  double *q, *u, *rate, *moved, *gap[2], *gamma;
} point;

static bool open_point(simulation *x, const char *text, point *p) {
  if (!simulation_open_text(x, text)) return false;
  *p = (point){.nq = picus_system_nq(x->system),
               .nu = picus_system_nu(x->system),
               .laws = picus_system_law_count(x->system),
               .rows = picus_system_row_count(x->system)};
  const size_t n = (size_t)(p->nq + p->nu + p->rows + 1);
  double **const arrays[] = {&p->q, &p->u, &p->rate, &p->moved, &p->gap[0], &p->gap[1], &p->gamma};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    if (!CHECK((*arrays[i] = calloc(n, sizeof(double))) != NULL)) return false;
  return CHECK(picus_evaluation_create(x->context, x->system, &p->e) == PICUS_OK);
}

static void close_point(simulation *x, point *p) {
  double *const arrays[] = {p->q, p->u, p->rate, p->moved, p->gap[0], p->gap[1], p->gamma};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  picus_evaluation_destroy(p->e);
  simulation_close(x);
}

static void scatter(const simulation *x, point *p, test_random *random, double size) {
  picus_system_start(x->system, p->q, p->u);
  for (int i = 0; i < p->nq; i++) p->q[i] += test_uniform(random, -size, size);
  for (int i = 0; i < p->nu; i++) p->u[i] = test_uniform(random, -1, 1);
}

/* q after the time d along its rates */
static void move(point *p, double t, double d) {
  for (int i = 0; i < p->nq; i++) p->moved[i] = p->q[i] + d * p->rate[i];
  picus_evaluation_set_point(p->e, t + d, p->moved, p->u);
}

/* W^T u + chi is the derivative of the gap along the motion. */
static void check_rates(const char *text, const char *what) {
  simulation x;
  point p;
  test_random random = {7};
  double worst = 0;
  if (!open_point(&x, text, &p)) return;
  for (int trial = 0; trial < 10; trial++) {
    const double t = 0.3 * trial, d = 1e-5;
    scatter(&x, &p, &random, 0.2);
    picus_evaluation_set_point(p.e, t, p.q, p.u);
    CHECK(picus_evaluate_rate(p.e, p.rate) == PICUS_OK && picus_evaluate_velocities(p.e, p.gamma) == PICUS_OK);
    for (int side = 0; side < 2; side++) {
      move(&p, t, side ? d : -d);
      CHECK(picus_evaluate_gaps(p.e, p.gap[side]) == PICUS_OK);
    }
    for (int i = 0; i < p.laws; i++) {
      const picus_system_law law = picus_system_law_at(x.system, i);
      if (!law.has_gap) continue;
      const double error = fabs((p.gap[1][i] - p.gap[0][i]) / (2 * d) - p.gamma[law.first_row]);
      if (!CHECK(error < 1e-7)) printf("  %s: %s, error %.2g\n", what, law.name, error);
      worst = fmax(worst, error);
    }
  }
  printf("  %-20s %d laws, worst error of a gap velocity %.2g\n", what, p.laws, worst);
  close_point(&x, &p);
}

static void gaps_have_their_rates(void) {
  static const char end[] = "simulate {scheme = 'moreau-jean', dt = 1e-3, t_end = 1}\n";
  static const struct {
    bool spatial;
    const char *what, *more;
  } cases[] = {{false, "plane", ""},
               {false, "plane, moving", ", motion = {0.1 * sin(t), t^2}"},
               {true, "space", ""},
               {true, "space, moving", ", motion = {0.1 * sin(t), t^2, cos(t)}"},
               {true, "spinning", ", spin = 2"},
               {true, "rotating", ", spin = 2, axes = 'rotating'"},
               {true, "rotating, moving", ", spin = 2, axes = 'rotating', motion = {t, t^2, sin(t)}"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    static char text[8000];
    int length = snprintf(text, sizeof text, cases[k].spatial ? spatial_laws : planar_laws, cases[k].more);
    snprintf(text + length, sizeof text - (size_t)length, "%s", end);
    check_rates(text, cases[k].what);
  }
}

/* --- power ----------------------------------------------------------------------------------------------------------
 */

/* The power of the forces of springs is the loss of potential energy, that of forces and torques follows from the
 * velocity of their point and the angular velocity. */
static void forces_have_their_power(void) {
  static const char elements[] =
      "spring {b:node(1), s, stiffness = 3, point_a = {0.1, 0.2, 0.3}, point_b = {0, 0.1, 0}, length = 0.2}\n"
      "spring {b:node(2), c:node(1), stiffness = 2}\n"
      "torsion_spring {b:node(2), s, stiffness = 5, axis = {0, 0, 1}}\n";
  static const char powers[] =
      "body_force {b:node(1), point = {0.1, 0.2, 0.3}, force = {1, t, 3}, torque = {2, 3, b.ux[1]}}\n"
      "local vx, vy, vz = b:node(1):velocity {0.1, 0.2, 0.3}\n"
      "local wx, wy, wz = %s\n"
      "observe {'power', vx + t * vy + 3 * vz + 2 * wx + 3 * wy + b.ux[1] * wz}\n";
  static const struct {
    const char *what, *more, *omega;
  } cases[] = {
      {"space", "", "b.wx[1], b.wy[1], b.wz[1]"},
      {"spinning", ", spin = 2", "2 + b.wx[1], b.wy[1] + (2 + b.wx[1]) * b.rz[1], b.wz[1] - (2 + b.wx[1]) * b.ry[1]"}};
  for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
    static char text[8000], some[2000];
    const char *more = cases[k / 2].more;
    snprintf(some, sizeof some, k % 2 ? powers : "%s", k % 2 ? cases[k / 2].omega : elements);
    snprintf(
        text, sizeof text,
        "local s = spatial_body {'s', mass = 1, inertia = {1, 1, 1}, position = {0.3, 0.2, 0.4}}\n"
        "local b = beam {'b', spatial = true, length = 1, elements = 2, circle = 0.05, density = 1, young = 1e-9, "
        "theory = 'rayleigh'%s}\n"
        "local c = framework {'c', nodes = {{0, 0, 1}, {0, 1, 1}}, members = {{1, 2}}, circle = 0.05, density = 1, "
        "young = 1e-9}\n%ssimulate {scheme = 'moreau-jean', dt = 1e-3, t_end = 1}\n",
        more, some);
    simulation x;
    point p;
    test_random random = {3};
    if (!open_point(&x, text, &p)) return;
    double worst = 0;
    for (int trial = 0; trial < 10; trial++) {
      const double t = 0.2 * trial, d = 1e-5;
      double power = 0, expected = 0, T, V[2];
      scatter(&x, &p, &random, 0.2);
      picus_evaluation_set_point(p.e, t, p.q, p.u);
      CHECK(picus_evaluate_rate(p.e, p.rate) == PICUS_OK && picus_evaluate_force(p.e, p.moved) == PICUS_OK);
      for (int i = 0; i < p.nu; i++) power += p.moved[i] * p.u[i];
      if (k % 2) {
        double driven; /* by the spin, without velocities */
        CHECK(picus_system_observe(p.e, &expected) == PICUS_OK);
        memset(p.u, 0, (size_t)p.nu * sizeof *p.u);
        picus_evaluation_set_point(p.e, t, p.q, p.u);
        CHECK(picus_system_observe(p.e, &driven) == PICUS_OK);
        expected -= driven;
      } else {
        for (int side = 0; side < 2; side++) { /* the springs do not depend on time */
          for (int i = 0; i < p.nq; i++) p.moved[i] = p.q[i] + (side ? d : -d) * p.rate[i];
          picus_evaluation_set_point(p.e, t, p.moved, p.u);
          CHECK(picus_evaluate_energy(p.e, &T, &V[side]) == PICUS_OK);
        }
        expected = -(V[1] - V[0]) / (2 * d);
      }
      worst = fmax(worst, fabs(power - expected));
    }
    printf("  %s, %s: error of the power %.2g\n", cases[k / 2].what, k % 2 ? "forces" : "springs", worst);
    CHECK(worst < 1e-7);
    close_point(&x, &p);
  }
}

/* --- frequencies ----------------------------------------------------------------------------------------------------
 */

static int modes_of(const char *text, int count, double *omega) {
  simulation x;
  picus_modes *modes = NULL;
  const picus_modes_options options = {.count = count};
  if (!simulation_open_text(&x, text)) return 0;
  if (CHECK(picus_modes_create(x.context, x.system, &options, &modes) == PICUS_OK))
    for (int i = 0; i < count; i++) omega[i] = picus_modes_at(modes, i).omega;
  else
    printf("  %s\n", picus_last_error(x.context)->message);
  const bool found = modes != NULL;
  picus_modes_destroy(modes);
  simulation_close(&x);
  return found ? count : 0;
}

/* rho A = 1, E I = 1, L = 1, and a large axial stiffness. */
#define UNIT_BEAM "area = 1, Iz = 1e-4, density = 1, young = 1e4"

/* A mass m on a spring k at the tip of a cantilever: 1 = alpha k m w^2 / (k - m w^2), with the receptance of the tip
 * alpha = (sin cosh - cos sinh) / (b^3 (1 + cos cosh)), w = b^2. */
static double sprung(double b, double k, double m) {
  const double w2 = b * b * b * b, alpha = (sin(b) * cosh(b) - cos(b) * sinh(b)) / (b * b * b * (1 + cos(b) * cosh(b)));
  return (k - m * w2) * (1 + cos(b) * cosh(b)) - alpha * (1 + cos(b) * cosh(b)) * k * m * w2;
}

static double root(double low, double high, double k, double m) {
  const double sign = sprung(low, k, m);
  for (int i = 0; i < 200; i++) {
    const double middle = 0.5 * (low + high);
    if (sprung(middle, k, m) * sign > 0)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

static void mass_on_spring_at_tip(void) {
  const double k = 5, m = 0.5;
  static const char text[] =
      "local b = beam {'b', length = 1, elements = 20, " UNIT_BEAM ", supports = {{0, 'clamped'}}}\n"
      "local m = particle {'m', mass = 0.5, position = {1, 0}}\n"
      "spring {b:node(20), m, stiffness = 5}\n"
      "simulate {scheme = 'moreau-jean', dt = 1e-3, t_end = 1}\n";
  double omega[4] = {0}, first = root(0.1, 1.8, k, m), second = root(1.9, 2.9, k, m);
  if (modes_of(text, 4, omega) == 0) return;
  printf("  %.9g %.9g %.9g, bending %.9g %.9g\n", omega[0], omega[1], omega[2], first * first, second * second);
  for (int i = 0; i < 2; i++) { /* beside them, the mass swings along the beam */
    const double exact = i ? second * second : first * first;
    double nearest = INFINITY;
    for (int j = 0; j < 4; j++) nearest = fmin(nearest, fabs(omega[j] - exact));
    CHECK(nearest < 1e-6 * exact);
  }
}

/* Two clamped beams joined by a hinge: cantilevers that move together, or clamped and supported ones in turn. */
static void hinge_between_beams(void) {
  static const char text[] =
      "local b = beam {'b', length = 1, elements = 40, " UNIT_BEAM ", supports = {{0, 'clamped'}}}\n"
      "local c = beam {'c', length = 1, elements = 40, " UNIT_BEAM ", origin = {1, 0}, supports = {{40, 'clamped'}}}\n"
      "revolute {'hinge', b:node(40), c:node(0), at = {1, 0}}\n"
      "simulate {scheme = 'moreau-jean', dt = 1e-3, t_end = 1}\n";
  static const double exact[] = {1.8751040687119611, 3.9266023120479188, 4.6940911329741746, 7.0685827456287321};
  double omega[4] = {0};
  if (modes_of(text, 4, omega) == 0) return;
  for (int i = 0; i < 4; i++) {
    const double w = exact[i] * exact[i];
    printf("  %.9g, exact %.9g\n", omega[i], w);
    CHECK(fabs(omega[i] - w) < 2e-6 * w);
  }
}

/* A weld of a free body equals the body of the framework, with offset and inertia. */
static void weld_equals_body_of_framework(void) {
  static const char head[] =
      "local b = beam {'b', %slength = 1, elements = 6, circle = 0.02, density = 7800, young = "
      "2.1e11, supports = {{0, 'clamped'}}%s}\n%ssimulate {scheme = 'moreau-jean', dt = 1e-3, t_end = 1}\n";
  char inside[900], outside[900];
  double a[6], b[6];
  snprintf(inside, sizeof inside, head, "", ", bodies = {{6, mass = 3, inertia = 0.2, offset = {0.1, 0}}}", "");
  snprintf(outside, sizeof outside, head, "", "",
           "local p = planar_body {'p', mass = 3, inertia = 0.2, position = {1.1, 0}}\n"
           "local q = b:node(6)\nlocal x, y = q:point {0.1, 0}\nlocal X, Y = p:point()\n"
           "constraint {'x', position = X - x}\nconstraint {'y', position = Y - y}\n"
           "constraint {'r', position = p:angle() - q:angle()}\n");
  if (modes_of(inside, 6, a) && modes_of(outside, 6, b))
    for (int i = 0; i < 6; i++) {
      printf("  %.10g, with a welded body %.10g\n", a[i], b[i]);
      CHECK(fabs(a[i] - b[i]) < 1e-8 * a[i]);
    }
}

/* The same in space: the directions of the body's frame follow the small rotations. */
static void weld_in_space(void) {
  static const char head[] =
      "local b = beam {'b', spatial = true, theory = 'rayleigh', length = 1, elements = 4, circle "
      "= 0.02, density = 7800, young = 2.1e11, supports = {{0, 'clamped'}}%s}\n%ssimulate {scheme "
      "= 'moreau-jean', dt = 1e-3, t_end = 1}\n";
  char inside[1200], outside[1200];
  double a[8], b[8];
  snprintf(inside, sizeof inside, head,
           ", bodies = {{4, mass = 3, inertia = {0.2, 0.3, 0.4}, offset = {0.1, 0.2, -0.1}}}", "");
  snprintf(
      outside, sizeof outside, head, "",
      "local p = spatial_body {'p', mass = 3, inertia = {0.2, 0.3, 0.4}, position = {1.1, 0.2, -0.1}}\n"
      "local x, y, z = b:node(4):point {0.1, 0.2, -0.1}\nlocal X, Y, Z = p:point()\n"
      "constraint {'x', position = X - x}\nconstraint {'y', position = Y - y}\nconstraint {'z', position = Z - z}\n"
      "local _, xy = p:direction {1, 0, 0}\nlocal _, _, yz = p:direction {0, 1, 0}\n"
      "local zx = p:direction {0, 0, 1}\n"
      "constraint {'rx', position = yz - b.rx[4]}\nconstraint {'ry', position = zx - b.ry[4]}\n"
      "constraint {'rz', position = xy - b.rz[4]}\n");
  char joint[1200];
  double c[8] = {0};
  snprintf(joint, sizeof joint, head, "",
           "local p = spatial_body {'p', mass = 3, inertia = {0.2, 0.3, 0.4}, position = {1.1, 0.2, -0.1}}\n"
           "weld {'w', b:node(4), p}\n");
  if (modes_of(inside, 8, a) && modes_of(outside, 8, b) && modes_of(joint, 8, c))
    for (int i = 0; i < 8; i++) {
      printf("  %.10g, with a body held by hand %.10g, by a weld %.10g\n", a[i], b[i], c[i]);
      CHECK(fabs(a[i] - b[i]) < 1e-8 * a[i] && fabs(a[i] - c[i]) < 1e-8 * a[i]);
    }
}

/* --- motion ---------------------------------------------------------------------------------------------------------
 */

/* The end of a run: the last columns by name. */
static double run_to_end(const char *text, const char *scheme, double dt, const char *column, double *drift) {
  simulation x;
  picus_sim_options options;
  double value = NAN, T = 0, V = 0, E0 = 0, half[2] = {0, 0};
  if (!simulation_load_text(&x, text, &options)) return NAN;
  options.scheme = scheme;
  options.dt = dt;
  if (simulation_start(&x, &options)) {
    const long steps = lround(options.t_end / dt);
    CHECK(picus_sim_energy(x.sim, &T, &V) == PICUS_OK);
    E0 = T + V;
    for (long k = 0; k < steps; k++) {
      if (!CHECK(picus_sim_step(x.sim, dt, NULL) == PICUS_OK)) {
        printf("  %s: %s\n", scheme, picus_last_error(x.context)->message);
        break;
      }
      if (!drift) continue;
      CHECK(picus_sim_energy(x.sim, &T, &V) == PICUS_OK);
      half[k >= steps / 2] = fmax(half[k >= steps / 2], fabs(T + V - E0));
    }
    for (int i = 0; i < picus_system_nq(x.system); i++)
      if (strcmp(picus_system_q_name(x.system, i), column) == 0) value = picus_sim_state(x.sim).q[i];
    if (drift) drift[0] = half[0], drift[1] = half[1];
  }
  simulation_close(&x);
  return value;
}

/* A force on a follower acts on its coordinates, a spring to it is a spring between coordinates. */
static void follower_carries_forces(void) {
  static const char head[] =
      "local q, u = coordinates {{'a', velocity = 'va', start = 0.3}, {'s', velocity = 'vs'}}\n"
      "kinetic(u.va^2 + 2 * u.vs^2)\n%ssimulate {scheme = 'moreau-jean', theta = 0.5, dt = 1e-3, "
      "t_end = 1}\n";
  char one[900], two[900];
  snprintf(one, sizeof one, head,
           "local f = follower {'f', position = {q.s * cos(q.a), q.s * sin(q.a)}}\n"
           "spring {ground, f, stiffness = 30, damping = 0.3, length = 0.5, point_a = {-1, 0}}\n"
           "body_force {f, force = {1, 2 * t}}\n");
  snprintf(two, sizeof two, head,
           "local x, y = q.s * cos(q.a), q.s * sin(q.a)\n"
           "local vx, vy = u.vs * cos(q.a) - y * u.va, u.vs * sin(q.a) + x * u.va\n"
           "local L = sqrt((x + 1)^2 + y^2)\n"
           "potential(15 * (L - 0.5)^2)\ndissipation(0.15 * (((x + 1) * vx + y * vy) / L)^2)\n"
           "force {s = cos(q.a) + 2 * t * sin(q.a), a = -y + 2 * t * x}\n");
  static const char *const columns[] = {"a", "s"};
  for (int k = 0; k < 2; k++) {
    const double a = run_to_end(one, "moreau-jean", 1e-3, columns[k], NULL);
    const double b = run_to_end(two, "moreau-jean", 1e-3, columns[k], NULL);
    printf("  %s: %.12g and %.12g\n", columns[k], a, b);
    CHECK(fabs(a - b) < 1e-11);
  }
}

/* A pendulum on the tip of a beam of one element, and the same system by energies and constraints of hand. */
static const char pendulum_head[] =
    "local l, rhoA, EI, EA = 0.5, 2, 30, 4e3\n"
    "gravity {0, -9.81}\n"
    "local p = planar_body {'p', mass = 0.4, inertia = 0.002, position = {0.7, 0.05}, angle = 0.1}\n";
static const char pendulum_nodes[] =
    "local b = beam {'b', length = l, elements = 1, area = 1, density = rhoA, young = EA, Iz = EI / EA, supports = "
    "{{0, 'clamped'}}}\n"
    "revolute {'hinge', b:node(1), p, at = {0.52, 0.03}}\n"
    "spring {b:node(1), p, stiffness = 20, point_a = {0, 0.1}, point_b = {0.05, 0}, length = 0.1, damping = 0.2}\n";
static const char pendulum_hand[] =
    "local q, u = coordinates {{'ux', velocity = 'vx'}, {'uy', velocity = 'vy'}, {'rz', velocity = 'wz'}}\n"
    "kinetic(rhoA * l * (u.vx^2 / 6 + (156 * u.vy^2 - 44 * l * u.vy * u.wz + 4 * l^2 * u.wz^2) / 840))\n"
    "potential(EA / l * q.ux^2 / 2 + EI / l^3 * (12 * q.uy^2 - 12 * l * q.uy * q.rz + 4 * l^2 * q.rz^2) / 2)\n"
    "local function at(x, y) return l + q.ux + x - q.rz * y, q.uy + y + q.rz * x end\n"
    "local c, s = math.cos(0.1), math.sin(0.1)\n"
    "local dx, dy = 0.52 - 0.7, 0.03 - 0.05\n"
    "local x, y = at(0.02, 0.03)\n"
    "local X, Y = p:point {c * dx + s * dy, -s * dx + c * dy}\n"
    "constraint {'hx', position = X - x}\nconstraint {'hy', position = Y - y}\n"
    "local ax, ay = at(0, 0.1)\nlocal bx, by = p:point {0.05, 0}\n"
    "local vbx, vby = p:velocity {0.05, 0}\n"
    "local vax, vay = u.vx - u.wz * 0.1, u.vy\n"
    "local L = sqrt((bx - ax)^2 + (by - ay)^2)\n"
    "potential(10 * (L - 0.1)^2)\n"
    "dissipation(0.1 * (((bx - ax) * (vbx - vax) + (by - ay) * (vby - vay)) / L)^2)\n";

static void pendulum_on_beam(void) {
  static const char *const schemes[] = {"rattle", "moreau-jean", "moreau-combined", "half-explicit"};
  char one[2400], two[2400];
  snprintf(one, sizeof one, "%s%ssimulate {dt = 1e-4, t_end = 0.3}\n", pendulum_head, pendulum_nodes);
  snprintf(two, sizeof two, "%s%ssimulate {dt = 1e-4, t_end = 0.3}\n", pendulum_head, pendulum_hand);
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    const double a = run_to_end(one, schemes[i], 1e-4, "b.uy1", NULL),
                 b = run_to_end(two, schemes[i], 1e-4, "uy", NULL);
    const double c = run_to_end(one, schemes[i], 1e-4, "phi_p", NULL),
                 d = run_to_end(two, schemes[i], 1e-4, "phi_p", NULL);
    printf("  %-15s tip %.12g and %.12g, angle %.12g and %.12g\n", schemes[i], a, b, c, d);
    CHECK(fabs(a - b) < 1e-9 && fabs(c - d) < 1e-9);
  }
}

/* The hinge is off the axis of the beam: its direction turns with the node, and its force adds to the stiffness. */
static void modes_with_a_joint_off_the_axis(void) {
  char one[2400], two[2400];
  double a[4], b[4];
  static const char end[] = "simulate {scheme = 'moreau-jean', dt = 1e-4, t_end = 0.3}\n";
  snprintf(one, sizeof one, "%s%s%s", pendulum_head, pendulum_nodes, end);
  snprintf(two, sizeof two, "%s%s%s", pendulum_head, pendulum_hand, end);
  if (!modes_of(one, 4, a) || !modes_of(two, 4, b)) return;
  for (int i = 0; i < 4; i++) {
    printf("  %.10g and by hand %.10g\n", a[i], b[i]);
    CHECK(fabs(a[i] - b[i]) < 1e-8 * fabs(b[i]));
  }
}

/* A body slides on the tip of a beam, a ball joint holds a rod in space: rattle keeps the energy. */
static void energy_does_not_drift(void) {
  static const char text[] =
      "gravity {0, 0, -9.81}\n"
      "local b = beam {'b', spatial = true, length = 0.5, elements = 4, circle = 0.01, density = 2700, young = 7e9, "
      "gravity = {0, 0, -9.81}, supports = {{0, 'clamped'}}}\n"
      "local r = spatial_body {'r', mass = 0.3, inertia = {0.001, 0.002, 0.002}, position = {0.5, 0.1, 0}}\n"
      "local s = spatial_body {'s', mass = 0.2, inertia = {0.001, 0.001, 0.001}, position = {0.35, 0, 0}, velocity = "
      "{0, 0.4, 0}}\n"
      "spherical {'ball', b:node(4), r, at = {0.5, 0, 0}}\n"
      "prismatic {'slide', b:node(3), s, axis = {0, 1, 0}}\n"
      "spring {b:node(2), s, stiffness = 50, point_a = {0, 0, 0.1}}\n"
      "simulate {dt = 4e-5, t_end = 1}\n";
  double drift[2] = {0, 0};
  run_to_end(text, "rattle", 4e-5, "x_r", drift);
  printf("  largest change of energy: %.3g J in the first half, %.3g J in the second\n", drift[0], drift[1]);
  CHECK(drift[0] > 0 && drift[0] < 1e-3 && drift[1] < 1.5 * drift[0]);
}

/* Relative to a moving clamp, and as a beam whose first node is moved. */
static void moving_axis(void) {
  static const char relative[] =
      "local b = beam {'b', length = 1, elements = 4, circle = 0.02, density = 7800, young = 2e9, damping = {0, 1e-4},"
      "motion = {0, 0.01 * (1 - cos(30 * t))}, supports = {{0, 'clamped'}}}\n"
      "simulate {theta = 0.5, dt = 1e-4, t_end = 0.4}\n";
  static const char absolute[] = "local b = beam {'b', length = 1, elements = 4, circle = 0.02, density = 7800, young "
                                 "= 2e9, damping = {0, 1e-4}}\n"
                                 "local f = frame {'f', position = {0, 0.01 * (1 - cos(30 * t)), 0}}\n"
                                 "weld {'clamp', f, b:node(0), at = {0, 0}}\n"
                                 "simulate {theta = 0.5, dt = 1e-4, t_end = 0.4}\n";
  double dt[3], error[3];
  const double base = 0.01 * (1 - cos(30 * 0.4));
  for (int i = 0; i < 3; i++) {
    dt[i] = 4e-4 / (1 << i);
    const double a = run_to_end(relative, "moreau-jean", dt[i], "b.uy4", NULL);
    const double b = run_to_end(absolute, "moreau-projected", dt[i], "b.uy4", NULL);
    error[i] = fabs(a + base - b);
    printf("  dt %.1e: tip %.9g relative to the clamp, %.9g absolute, difference %.2e\n", dt[i], a, b, error[i]);
  }
  CHECK(error[2] < 1e-5 && error[2] < 0.6 * error[0]);
}

/* A slow body on a plane that is fixed to a node presses with its weight: the node deflects as by a force. */
static void contact_on_node_carries_weight(void) {
  static const char text[] =
      "gravity {0, -9.81}\n"
      "local b = beam {'b', length = 1, elements = 4, circle = 0.02, density = 1, young = 2e11, damping = {5, 1e-3}, "
      "supports = {{0, 'clamped'}}}\n"
      "local p = particle {'p', mass = 3, position = {1, 0.01}}\n"
      "plane_contact {'on', b:node(4), p, normal = {0, 1}, radius = 0.01, mu = 0.5}\n"
      "simulate {theta = 1, dt = 1e-3, t_end = 3}\n";
  const double w = 3 * 9.81 / (3 * 2e11 * pi * 0.02 * 0.02 * 0.02 * 0.02 / 4);
  const double uy = run_to_end(text, "moreau-jean", 1e-3, "b.uy4", NULL);
  printf("  deflection %.9g, closed form %.9g\n", uy, -w);
  CHECK(fabs(uy + w) < 1e-6 * w);
}

/* --- journals -------------------------------------------------------------------------------------------------------
 */

/* The keyword against gaps and slips by hand: gaps, directions and chi at random states. */
static void journal_equals_formulas(void) {
  static const char text[] =
      "local B = planar_body {'B', mass = 1, inertia = 1, position = {0.5, 0}}\n"
      "local q, u = coordinates {{'yB', velocity = 'vyB'}, {'zB', velocity = 'vzB'}}\n"
      "kinetic(u.vyB^2 + u.vzB^2)\n"
      "local A = beam {'A', spatial = true, length = 1, elements = 2, circle = 0.01, density = 1, young = 1}\n"
      "local P = beam {'P', length = 1, elements = 2, circle = 0.01, density = 1, young = 1}\n"
      "local f = frame {'f', position = {0, 0.01 * t, 0}}\n"
      "local c = 0.1\n"
      "journal_contact {'k', f, A:node(0), point_b = {0.2, 0, 0}, radius_a = 0.5, radius_b = 0.4, axis = {1, 0, 0}, mu "
      "= 0.1, axial = false}\n"
      "local y, z = A.uy[0] + 0.2 * A.rz[0] - 0.01 * t, A.uz[0] - 0.2 * A.ry[0]\n"
      "local vy, vz = A.vy[0] + 0.2 * A.wz[0] - 0.01, A.vz[0] - 0.2 * A.wy[0]\n"
      "contact {'h', gap = (c^2 - y^2 - z^2) / (2 * c), slip = (y * vz - z * vy) / c + 0.4 * A.wx[0], mu = 0.1}\n"
      "journal_contact {'kp', B, P:node(1), radius_a = 0.5, radius_b = 0.4, mu = 0.1}\n"
      "local X, Y = B:point()\nlocal VX, VY = B:velocity()\n"
      "local x, y = 0.5 + P.ux[1] - X, P.uy[1] - Y\n"
      "local vx, vy = P.vx[1] - VX, P.vy[1] - VY\n"
      "contact {'hp', gap = (c^2 - x^2 - y^2) / (2 * c), slip = (x * vy - y * vx) / c + 0.4 * P.wz[1] - 0.5 * "
      "B:omega(), mu = 0.1}\n"
      "local bearing = follower {'fo', position = {0, q.yB, q.zB}}\n"
      "journal_contact {'kf', bearing, A:node(2), radius_a = 0.5, radius_b = 0.4, axis = {1, 0, 0}, mu = 0.1, axial = "
      "false}\n"
      "local y, z, vy, vz = A.uy[2] - q.yB, A.uz[2] - q.zB, A.vy[2] - u.vyB, A.vz[2] - u.vzB\n"
      "contact {'hf', gap = (c^2 - y^2 - z^2) / (2 * c), slip = (y * vz - z * vy) / c + 0.4 * A.wx[2], mu = 0.1}\n"
      "simulate {scheme = 'moreau-jean', dt = 1e-3, t_end = 1}\n";
  simulation x;
  point p;
  test_random random = {11};
  if (!open_point(&x, text, &p)) return;
  double worst = 0;
  for (int trial = 0; trial < 20; trial++) {
    scatter(&x, &p, &random, 0.1);
    picus_evaluation_set_point(p.e, 0.1 * trial, p.q, p.u);
    CHECK(picus_evaluate_gaps(p.e, p.gap[0]) == PICUS_OK && picus_evaluate_velocities(p.e, p.gamma) == PICUS_OK);
    for (int k = 0; k < 3; k++) {
      worst = fmax(worst, fabs(p.gap[0][2 * k] - p.gap[0][2 * k + 1]));
      for (int r = 0; r < 2; r++) worst = fmax(worst, fabs(p.gamma[4 * k + r] - p.gamma[4 * k + 2 + r]));
    }
  }
  printf("  largest difference %.2g\n", worst);
  CHECK(worst < 1e-13);
  close_point(&x, &p);
}

/* --- wrong input -----------------------------------------------------------------------------------------------------
 */

static void wrong_input(void) {
  static const char *const cases[][2] = {
      {"b:node(7)", "'b' has no node 7; its nodes are 0 to 2"},
      {"b:node('x')", "takes the number of a node"},
      {"weld {'w', b:node(1), b:node(1)}", "is between 'b.node1' and itself"},
      {"journal_contact {'j', ground, b:node(1), radius_a = 1, radius_b = 2}", "the hole must be larger"},
      {"journal_contact {'j', ground, b:node(1), radius_a = 2, radius_b = 1, axial = 3}", "must be true or false"},
      {"plane_contact {'k', ground, b:node(1)}", "needs the normal"},
      {"beam {'c', length = 1, elements = 1, circle = 1, density = 1, young = 1, motion = {t}}",
       "must have 2 functions"},
      {"beam {'c', length = 1, elements = 1, circle = 1, density = 1, young = 1, motion = {0, b.uy[1]}}",
       "may depend on time only"},
      {"b.knot(1)", "section and node(i)"},
      {"follower {'f', position = {b.vx[1], 0}}", "depends on a velocity"},
      {"follower {'f', position = {1}}", "must have 2 or 3 components"},
      {"body_force {b:node(1), point = 3}", "body_force"},
      {"universal {'u', b:node(1), ground, at = {0, 0}, axes = {{1, 0}, {0, 1}}}", "needs spatial bodies"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[900];
    picus_context *context = NULL;
    picus_model *model = NULL;
    snprintf(text, sizeof text,
             "local b = beam {'b', length = 1, elements = 2, circle = 0.1, density = 1, young = 1}\n%s%s\n",
             strchr(cases[k][0], '{') ? "" : "local n = ", cases[k][0]);
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    CHECK(picus_model_load_text(context, "text", text, strlen(text), NULL, &model) != PICUS_OK);
    if (!CHECK(strstr(picus_last_error(context)->message, cases[k][1]) != NULL))
      printf("  %s: %s\n", cases[k][0], picus_last_error(context)->message);
    picus_model_destroy(model);
    picus_context_destroy(context);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"gaps_have_their_rates", gaps_have_their_rates},
      {"forces_have_their_power", forces_have_their_power},
      {"mass_on_spring_at_tip", mass_on_spring_at_tip},
      {"hinge_between_beams", hinge_between_beams},
      {"weld_equals_body_of_framework", weld_equals_body_of_framework},
      {"weld_in_space", weld_in_space},
      {"follower_carries_forces", follower_carries_forces},
      {"pendulum_on_beam", pendulum_on_beam},
      {"modes_with_a_joint_off_the_axis", modes_with_a_joint_off_the_axis},
      {"energy_does_not_drift", energy_does_not_drift},
      {"moving_axis", moving_axis},
      {"contact_on_node_carries_weight", contact_on_node_carries_weight},
      {"journal_equals_formulas", journal_equals_formulas},
      {"wrong_input", wrong_input},
  };
  return test_main(argc, argv, "node_bodies", cases, sizeof cases / sizeof cases[0]);
}
