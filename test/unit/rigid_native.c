/* Rigid bodies evaluated by code against the same bodies derived as formulas: values and Jacobians of random
 * mechanisms, runs of models with all schemes, and which bodies stay formulas. */
#include "formulas/formulas.h"
#include "stepper/internal.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- random mechanisms ----------------------------------------------------------------------------------------------
 */

enum { BODIES = 4, SPRINGS = 3, VALUES = 8192 };

static void random_vector(test_random *r, double size, double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = test_uniform(r, -size, size);
}

static void random_direction(test_random *r, bool planar, double out[3]) {
  double length = 0;
  do {
    random_vector(r, 1, out);
    if (planar) out[2] = 0;
    length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  } while (length < 0.1);
  for (int i = 0; i < 3; i++) out[i] /= length;
}

/* The inertia of six point masses at random places. */
static void random_inertia(test_random *r, double J[9]) {
  memset(J, 0, 9 * sizeof *J);
  for (int k = 0; k < 6; k++) {
    double x[3], m = test_uniform(r, 0.1, 1);
    random_vector(r, 1, x);
    const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) J[3 * i + j] += m * ((i == j ? square : 0) - x[i] * x[j]);
  }
}

static picus_body add_body(picus_model *model, test_random *r, int index, bool planar) {
  char name[16];
  snprintf(name, sizeof name, "b%d", index);
  const picus_body_kind kind = index == BODIES - 1 ? PICUS_PARTICLE : (planar ? PICUS_PLANAR_BODY : PICUS_SPATIAL_BODY);
  picus_body_def def = picus_default_body_def(kind);
  def.name = name;
  def.planar = planar;
  def.mass = test_uniform(r, 0.5, 3);
  random_inertia(r, def.inertia);
  random_vector(r, 1, def.position);
  random_vector(r, 1, def.velocity);
  random_vector(r, 1, def.angular_velocity);
  if (planar) def.position[2] = def.velocity[2] = 0;
  def.position[0] += 4 * index;
  picus_body body;
  CHECK(picus_model_add_body(model, &def, &body) == PICUS_OK);
  const double gravity[3] = {test_uniform(r, -1, 1), -9.81, test_uniform(r, -1, 1)};
  CHECK(picus_body_add_gravity(&body, gravity) == PICUS_OK);
  return body;
}

static void add_forces(picus_model *model, test_random *r, const picus_body *bodies, bool planar) {
  for (int k = 0; k < SPRINGS; k++) {
    picus_spring_def spring = picus_default_spring_def();
    spring.a = &bodies[k];
    spring.b = &bodies[k + 1];
    spring.stiffness = test_uniform(r, 10, 100);
    spring.damping = test_uniform(r, 0, 2);
    spring.rest = k % 2 ? 0.5 : 0;
    for (int i = 0; i < 2; i++) {
      random_vector(r, 0.5, spring.point[i]);
      if (planar) spring.point[i][2] = 0;
    }
    if (bodies[k + 1].kind == PICUS_PARTICLE) memset(spring.point[1], 0, sizeof spring.point[1]);
    CHECK(picus_model_add_spring(model, &spring) == PICUS_OK);
    if (k > 0) continue;
    random_direction(r, false, spring.axis);
    CHECK(picus_model_add_torsion_spring(model, &spring) == PICUS_OK);
  }
  picus_expr x = picus_model_symbol(model, "x_b0"), t = picus_model_symbol(model, "t");
  picus_expr spin = picus_model_symbol(model, planar ? "omega_b1" : "wy_b1");
  CHECK(picus_model_add_potential(model, picus_mul(model->pool, x, picus_mul(model->pool, x, x))) == PICUS_OK);
  CHECK(picus_model_add_dissipation(model, picus_mul(model->pool, spin, picus_mul(model->pool, spin, spin))) ==
        PICUS_OK);
  CHECK(picus_model_add_force(model, "vx_b2", picus_mul(model->pool, t, x)) == PICUS_OK);
  if (planar) return; /* a potential of the orientation: B^T dV/dq */
  picus_expr p = picus_model_symbol(model, "p1_b0"), other = picus_model_symbol(model, "p2_b1");
  CHECK(picus_model_add_potential(model, picus_mul(model->pool, p, picus_mul(model->pool, p, other))) == PICUS_OK);
}

static void add_laws(picus_model *model, test_random *r, const picus_body *bodies, bool planar) {
  picus_joint_def joint = picus_default_joint_def(PICUS_REVOLUTE);
  joint.name = "hinge";
  joint.a = &bodies[0];
  joint.b = &bodies[1];
  random_vector(r, 1, joint.point[0]);
  random_direction(r, planar, joint.axis[0]);
  if (planar) joint.point[0][2] = 0;
  CHECK(picus_model_add_joint(model, &joint) == PICUS_OK);
  picus_frame_def floor = picus_default_frame_def(model);
  floor.name = "floor";
  picus_body ground;
  CHECK(picus_model_make_frame(model, &floor, &ground) == PICUS_OK);
  picus_pair_def pair = picus_default_pair_def(PICUS_BALL_PLANE);
  pair.name = "touch";
  pair.a = &ground;
  pair.b = &bodies[2];
  memset(pair.axis[0], 0, sizeof pair.axis[0]);
  pair.axis[0][1] = 1;
  pair.point[0][1] = -20;
  pair.point[1][0] = 0.3;
  pair.radius[1] = 0.1;
  pair.mu = 0.3;
  if (!CHECK(picus_model_add_pair(model, &pair) == PICUS_OK))
    printf("  %s\n", picus_last_error(model->context)->message);
  if (planar) return; /* a gap without a given rate: dg/dq B */
  picus_contact_def contact = picus_default_contact_def();
  contact.name = "own";
  contact.gap = picus_add(model->pool, picus_number(model->pool, 2), picus_model_symbol(model, "p3_b2"));
  CHECK(picus_model_add_contact(model, &contact) == PICUS_OK);
}

static picus_model *random_mechanism(picus_context *context, unsigned long long seed, bool planar) {
  picus_model *model = NULL;
  test_random r = {seed};
  picus_body bodies[BODIES];
  CHECK(picus_model_create(context, "random", &model) == PICUS_OK);
  for (int i = 0; i < BODIES; i++) bodies[i] = add_body(model, &r, i, planar);
  add_forces(model, &r, bodies, planar);
  add_laws(model, &r, bodies, planar);
  return model;
}

/* --- values ---------------------------------------------------------------------------------------------------------
 */

/* Everything that can be evaluated at a point: name and count of each array, and where it starts. */
typedef struct all_values {
  double values[VALUES];
  int count;
} all_values;

static double *next(all_values *all, int count) {
  double *block = all->values + all->count;
  all->count += count;
  CHECK(all->count <= VALUES);
  return block;
}

typedef struct point {
  double t, q[64], u[64], v[64], P[64];
} point;

static point random_point(test_random *r, const picus_system *s) {
  point x = {.t = test_uniform(r, 0, 1)};
  picus_system_start(s, x.q, x.u);
  for (int i = 0; i < picus_system_nq(s); i++) x.q[i] += test_uniform(r, -0.3, 0.3);
  for (int i = 0; i < picus_system_nu(s); i++) x.u[i] += test_uniform(r, -2, 2), x.v[i] = test_uniform(r, -1, 1);
  for (int i = 0; i < picus_system_row_count(s); i++) x.P[i] = test_uniform(r, -1, 1);
  return x;
}

enum { QUANTITIES = 12 };
typedef struct quantity_sizes {
  int end[QUANTITIES];
} quantity_sizes;

static quantity_sizes evaluate(picus_context *context, const picus_system *s, const point *x, all_values *all) {
  const int nq = picus_system_nq(s), nu = picus_system_nu(s), laws = picus_system_law_count(s);
  const int rows = picus_system_row_count(s);
  picus_evaluation *e = NULL;
  quantity_sizes sizes = {0};
  int k = 0;
  double *dh_dq, *drate_dq, *W, *T;
  all->count = 0;
  CHECK(picus_evaluation_create(context, s, &e) == PICUS_OK);
  picus_evaluation_set_point(e, x->t, x->q, x->u);
  CHECK(picus_evaluate_rate(e, next(all, nq)) == PICUS_OK);
  sizes.end[k++] = all->count;
  CHECK(picus_evaluate_force(e, next(all, nu)) == PICUS_OK);
  sizes.end[k++] = all->count;
  CHECK(picus_evaluate_gaps(e, next(all, laws)) == PICUS_OK);
  sizes.end[k++] = all->count;
  CHECK(picus_evaluate_mass(e, next(all, nu * nu)) == PICUS_OK);
  sizes.end[k++] = all->count;
  W = next(all, rows * nu);
  CHECK(picus_evaluate_directions(e, W, next(all, rows)) == PICUS_OK);
  sizes.end[k++] = all->count;
  T = next(all, 2);
  CHECK(picus_evaluate_energy(e, T, T + 1) == PICUS_OK);
  sizes.end[k++] = all->count;
  dh_dq = next(all, nu * nq);
  CHECK(picus_evaluate_force_jacobian(e, dh_dq, next(all, nu * nu)) == PICUS_OK);
  sizes.end[k++] = all->count;
  drate_dq = next(all, nq * nq);
  CHECK(picus_evaluate_rate_jacobian(e, drate_dq, next(all, nq * nu)) == PICUS_OK);
  sizes.end[k++] = all->count;
  CHECK(picus_evaluate_mass_jacobian(e, x->v, next(all, nu * nq)) == PICUS_OK);
  sizes.end[k++] = all->count;
  CHECK(picus_evaluate_gap_jacobian(e, next(all, laws * nq)) == PICUS_OK);
  sizes.end[k++] = all->count;
  CHECK(picus_evaluate_velocity_jacobian(e, next(all, rows * nq)) == PICUS_OK);
  sizes.end[k++] = all->count;
  CHECK(picus_evaluate_direction_jacobian(e, x->P, next(all, nu * nq)) == PICUS_OK);
  sizes.end[k++] = all->count;
  picus_evaluation_destroy(e);
  return sizes;
}

/* Ways to derive a model; SPARSE: by code, and each body is a part of its own, whatever forces couple. */
typedef enum way { CODE, SPARSE, FORMULAS, MOVED } way;

static picus_system *derive(picus_model *model, way how) {
  picus_system *system = NULL;
  const picus_derivation derivation = {.bodies_as_formulas = how >= FORMULAS, .largest_dense = how == SPARSE ? 1 : 0};
  if (!CHECK(picus_system_create_within(model, &derivation, &system) == PICUS_OK))
    printf("  %s\n", picus_last_error(model->context)->message);
  return system;
}

static const rigid_bodies *rigid_of(const picus_system *system) {
  return &((const formulas_source *)system->sources[0].self)->rigid;
}

static void compare_values(bool planar, way how) {
  static const char *const names[QUANTITIES] = {"q'", "h",   "gaps", "M",  "W",      "energy",
                                                "dh", "dq'", "dMv",  "dg", "dgamma", "dWP"};
  static all_values code, formulas;
  for (unsigned long long seed = 1; seed <= 8; seed++) {
    picus_context *context = NULL;
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    picus_model *model = random_mechanism(context, seed, planar);
    picus_system *a = derive(model, how), *b = derive(model, FORMULAS);
    REQUIRE(a && b);
    CHECK(picus_rigid_any(rigid_of(a)) && !picus_rigid_any(rigid_of(b)));
    CHECK(a->part_count == (how == SPARSE ? BODIES : 1) && a->group_count == 1 && b->part_count == 1);
    test_random r = {seed + 100};
    for (int k = 0; k < 5; k++) {
      const point x = random_point(&r, a);
      const quantity_sizes sizes = evaluate(context, a, &x, &code);
      evaluate(context, b, &x, &formulas);
      for (int i = 0, j = 0; i < QUANTITIES; i++) {
        double largest = 0, worst = 0;
        for (; j < sizes.end[i]; j++) {
          largest = fmax(largest, fabs(formulas.values[j]));
          worst = fmax(worst, fabs(code.values[j] - formulas.values[j]));
        }
        if (!CHECK(worst <= 1e-13 * largest)) printf("  %s: off by %g of %g\n", names[i], worst, largest);
      }
    }
    picus_system_destroy(a);
    picus_system_destroy(b);
    picus_model_destroy(model);
    picus_context_destroy(context);
  }
}

static void planar_values_agree(void) { compare_values(true, CODE); }
static void spatial_values_agree(void) { compare_values(false, CODE); }
static void coupled_parts_agree(void) {
  compare_values(true, SPARSE);
  compare_values(false, SPARSE);
}

/* --- Jacobians against differences
 * ------------------------------------------------------------------------------------ */

typedef picus_status (*evaluate_fn)(picus_evaluation *e, double *values);

/* Column k of d f / d x by central differences of fourth order. */
static void difference(picus_evaluation *e, point *x, double *variable, evaluate_fn f, int count, double *out) {
  static const double weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, steps[4] = {-2, -1, 1, 2};
  const double middle = *variable, size = 1e-3;
  double values[64];
  memset(out, 0, (size_t)count * sizeof *out);
  for (int k = 0; k < 4; k++) {
    *variable = middle + size * steps[k];
    picus_evaluation_set_point(e, x->t, x->q, x->u);
    CHECK(f(e, values) == PICUS_OK);
    for (int i = 0; i < count; i++) out[i] += weights[k] * values[i] / size;
  }
  *variable = middle;
}

static void check_columns(picus_evaluation *e, point *x, evaluate_fn f, int rows, int columns, bool by_u,
                          const double *matrix) {
  double slopes[64], largest = 1;
  for (int k = 0; k < rows * columns; k++) largest = fmax(largest, fabs(matrix[k]));
  for (int j = 0; j < columns; j++) {
    difference(e, x, by_u ? &x->u[j] : &x->q[j], f, rows, slopes);
    for (int i = 0; i < rows; i++) CHECK_NEAR(matrix[i * columns + j], slopes[i], 1e-8 * largest);
  }
}

static void jacobians_are_derivatives(void) {
  picus_context *context = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_model *model = random_mechanism(context, 5, false);
  picus_system *s = derive(model, CODE);
  REQUIRE(s);
  test_random r = {77};
  point x = random_point(&r, s);
  const int nq = picus_system_nq(s), nu = picus_system_nu(s);
  static double by_q[VALUES], by_u[VALUES];
  picus_evaluation *e = NULL;
  REQUIRE(picus_evaluation_create(context, s, &e) == PICUS_OK);
  picus_evaluation_set_point(e, x.t, x.q, x.u);
  CHECK(picus_evaluate_force_jacobian(e, by_q, by_u) == PICUS_OK);
  check_columns(e, &x, picus_evaluate_force, nu, nq, false, by_q);
  check_columns(e, &x, picus_evaluate_force, nu, nu, true, by_u);
  picus_evaluation_set_point(e, x.t, x.q, x.u);
  CHECK(picus_evaluate_rate_jacobian(e, by_q, by_u) == PICUS_OK);
  check_columns(e, &x, picus_evaluate_rate, nq, nq, false, by_q);
  check_columns(e, &x, picus_evaluate_rate, nq, nu, true, by_u);
  picus_evaluation_destroy(e);
  picus_system_destroy(s);
  picus_model_destroy(model);
  picus_context_destroy(context);
}

/* --- terms of accelerations -----------------------------------------------------------------------------------------
 */

/* Relative velocities at fixed u along q' against the terms, by central differences of fourth order. */
static void check_terms(picus_context *context, const picus_system *s, const point *at) {
  static const double weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, steps[4] = {-2, -1, 1, 2};
  const double size = 1e-3;
  const int nq = picus_system_nq(s), rows = picus_system_row_count(s);
  double rate[64], terms[64], differences[64] = {0}, largest = 0;
  picus_evaluation *e = NULL;
  REQUIRE(picus_evaluation_create(context, s, &e) == PICUS_OK);
  picus_evaluation_set_point(e, at->t, at->q, at->u);
  CHECK(picus_evaluate_rate(e, rate) == PICUS_OK);
  CHECK(picus_evaluate_acceleration_terms(e, terms) == PICUS_OK);
  for (int k = 0; k < 4; k++) {
    double q[64], gamma[64];
    for (int i = 0; i < nq; i++) q[i] = at->q[i] + size * steps[k] * rate[i];
    picus_evaluation_set_point(e, at->t + size * steps[k], q, at->u);
    CHECK(picus_evaluate_velocities(e, gamma) == PICUS_OK);
    for (int r = 0; r < rows; r++) differences[r] += weights[k] * gamma[r] / size;
  }
  for (int r = 0; r < rows; r++) largest = fmax(largest, fabs(terms[r]));
  for (int r = 0; r < rows; r++) CHECK_NEAR(terms[r], differences[r], 1e-8 * (1 + largest));
  CHECK(largest > 0.01); /* they do not just vanish */
  picus_evaluation_destroy(e);
}

static void acceleration_terms_of_bodies(void) {
  for (unsigned long long seed = 1; seed <= 6; seed++) {
    picus_context *context = NULL;
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    picus_model *model = random_mechanism(context, seed, seed % 2 == 0);
    picus_system *s = derive(model, seed % 3 == 0 ? SPARSE : CODE);
    REQUIRE(s);
    test_random r = {seed + 50};
    const point x = random_point(&r, s);
    check_terms(context, s, &x);
    picus_system_destroy(s);
    picus_model_destroy(model);
    picus_context_destroy(context);
  }
}

/* Frames and coefficients that move with time, and a flexible component. */
static void acceleration_terms_with_time(void) {
  static const char text[] =
      "local rod = bar {'rod', elements = 3, length = 1, area = 0.5, density = 4, young = 30}\n"
      "local table = frame {'table', position = {0.1 * sin(2 * t), 0}, angle = 0.3 * t^2}\n"
      "local b = planar_body {'b', mass = 1, inertia = 0.1, position = {0.3, 1}, velocity = {1, 2}, omega = 3}\n"
      "plane_contact {'c', table, b, normal = {0, 1}, radius = 0.1, mu = 0.3}\n"
      "local q, u = coordinates {}\n"
      "contact {'tip', gap = 1 + rod.x[1] + q.y_b * q.x_b + sin(5 * t)}\n"
      "friction {'brake', slip = cos(3 * t) * rod.v[2] - q.y_b * u.vx_b, reservoir = 1}\n"
      "constraint {'drive', velocity = u.omega_b - sin(t) * u.vx_b * q.y_b - 3}\n"
      "simulate {dt = 1e-3, t_end = 1}\n";
  simulation s;
  picus_sim_options options;
  if (simulation_load_text(&s, text, &options)) {
    test_random r = {9};
    const point x = random_point(&r, s.system);
    check_terms(s.context, s.system, &x);
  }
  simulation_close(&s);
}

/* The end of a pendulum of length 2 that turns at 3 rad/s as functions: x = 2 cos(phi + t). */
static int pendulum_mass(void *user, double t, const double *q, double *M) {
  (void)user, (void)t, (void)q;
  M[0] = 1;
  return 0;
}
static int pendulum_force(void *user, double t, const double *q, const double *u, double *h) {
  (void)user, (void)t, (void)q, (void)u;
  h[0] = 0;
  return 0;
}
static int pendulum_gap(void *user, double t, const double *q, double *gap) {
  (void)user;
  gap[0] = 3 + 2 * cos(q[0] + t);
  return 0;
}
static int pendulum_directions(void *user, double t, const double *q, double *W, double *chi) {
  (void)user;
  W[0] = chi[0] = -2 * sin(q[0] + t);
  return 0;
}

static void acceleration_terms_of_functions(void) {
  const picus_system_law law = {.kind = PICUS_UNILATERAL, .has_gap = true, .name = "end"};
  const picus_system_functions f = {.nq = 1,
                                    .nu = 1,
                                    .law_count = 1,
                                    .laws = &law,
                                    .mass = pendulum_mass,
                                    .force = pendulum_force,
                                    .gaps = pendulum_gap,
                                    .directions = pendulum_directions};
  picus_context *context = NULL;
  picus_system *s = NULL;
  picus_evaluation *e = NULL;
  const double phi = 0.4, speed = 3, t = 0.2;
  double terms = 0;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(picus_system_from_functions(context, &f, NULL, &s) == PICUS_OK);
  REQUIRE(picus_evaluation_create(context, s, &e) == PICUS_OK);
  picus_evaluation_set_point(e, t, &phi, &speed);
  CHECK(picus_evaluate_acceleration_terms(e, &terms) == PICUS_OK);
  CHECK_NEAR(terms, -2 * cos(phi + t) * (speed + 1) * (speed + 1), 1e-8);
  picus_evaluation_destroy(e);
  picus_system_destroy(s);
  picus_context_destroy(context);
}

/* --- runs -----------------------------------------------------------------------------------------------------------
 */

typedef struct compared_run {
  const char *model; /* a name, or a text with simulate { ... } */
  double dt, t_end;
  const char *but; /* the schemes that do not run it, as its laws have friction; NULL: none */
} compared_run;

#define SPRINGS_AND_FLOOR(friction)                                                                                    \
  "gravity { 0, 0, -9.81 }\n"                                                                                          \
  "local last\n"                                                                                                       \
  "for i = 1, 3 do\n"                                                                                                  \
  "  local b = spatial_body { 'b' .. i, mass = i, inertia = { 0.1 * i, 0.2, 0.25 }, omega = { 1, 0.3 * i, -2 },\n"     \
  "                           position = { i, 0, 0.5 + 0.1 * i } }\n"                                                  \
  "  if last then spring { last, b, stiffness = 50, damping = 0.2, length = 0.9 } end\n"                               \
  "  plane_contact { 'c' .. i, ground, b, normal = { 0, 0, 1 }, radius = 0.5" friction ", eN = 0.4 }\n"                \
  "  last = b\n"                                                                                                       \
  "end\n"                                                                                                              \
  "simulate { scheme = 'moreau', dt = 1e-3, t_end = 0.5 }\n"

typedef struct end_state {
  double q[64], u[64];
  int nq, nu;
  bool reached;
} end_state;

/* The end of a run; MOVED: formulas, from a state that differs by one rounding in every number. */
static end_state run(const compared_run *of, const char *scheme, bool adaptive, way how) {
  end_state end = {0};
  simulation s;
  picus_sim_options options;
  const bool text = strchr(of->model, '\n') != NULL;
  if (!(text ? simulation_load_text(&s, of->model, &options) : simulation_load(&s, of->model, "", &options)))
    return end;
  picus_system_destroy(s.system);
  s.system = derive(s.model, how);
  options.scheme = scheme;
  options.dt = of->dt;
  options.t_end = of->t_end;
  options.adaptive = adaptive;
  if (adaptive) options.atol = options.rtol = 1e-6;
  if (!s.system || !simulation_start(&s, &options)) return end;
  picus_system_start(s.system, end.q, end.u);
  end.nq = picus_system_nq(s.system);
  end.nu = picus_system_nu(s.system);
  for (int i = 0; how == MOVED && i < end.nq; i++) end.q[i] = nextafter(end.q[i], INFINITY);
  for (int i = 0; how == MOVED && i < end.nu; i++) end.u[i] = nextafter(end.u[i], INFINITY);
  if (how == MOVED) CHECK(picus_sim_set_state(s.sim, picus_sim_state(s.sim).t, end.q, end.u) == PICUS_OK);
  picus_summary summary = {0};
  end.reached = picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK;
  const picus_state state = picus_sim_state(s.sim);
  memcpy(end.q, state.q, (size_t)state.nq * sizeof(double));
  memcpy(end.u, state.u, (size_t)state.nu * sizeof(double));
  simulation_close(&s);
  return end;
}

static double apart(const end_state *a, const end_state *b) {
  double largest = 0;
  for (int i = 0; i < a->nq; i++) largest = fmax(largest, fabs(a->q[i] - b->q[i]));
  for (int i = 0; i < a->nu; i++) largest = fmax(largest, fabs(a->u[i] - b->u[i]) / 10);
  return largest;
}

/* Whether the name is among those of the list, which blanks separate. */
static bool is_listed(const char *list, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = list; (at = strstr(at, name)); at++)
    if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' ')) return true;
  return false;
}

/* Two ways differ by what a rounding of the initial state grows to, at most a hundred times. */
static void compare_runs(const compared_run *of, way how, bool adaptive) {
  for (int k = 0; picus_scheme_at(k); k++) {
    const picus_scheme_description *scheme = picus_scheme_at(k);
    if (of->but && is_listed(of->but, scheme->name)) continue;
    if (adaptive && strcmp(scheme->name, "moreau") != 0 && strcmp(scheme->name, "rattle") != 0) continue;
    const end_state one = run(of, scheme->name, adaptive, how), formulas = run(of, scheme->name, adaptive, FORMULAS);
    const end_state moved = run(of, scheme->name, adaptive, MOVED);
    CHECK(one.reached == formulas.reached);
    if (!formulas.reached || !moved.reached) continue;
    const double difference = apart(&one, &formulas), growth = apart(&moved, &formulas);
    if (!CHECK(difference <= 100 * growth + 1e-13))
      printf("  %s%s: %g, a rounding grows to %g\n", scheme->name, adaptive ? ", adaptive" : "", difference, growth);
  }
}

static void shipped_models_run_alike(void) {
  static const compared_run runs[] = {
      {"slider-crank-bodies", 1e-5, 2e-3, "schatzman-paoli half-explicit-acc trapezoidal-position"},
      {"tippedisk", 1e-3, 0.1, "schatzman-paoli half-explicit-acc trapezoidal-position"}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) compare_runs(&runs[i], CODE, false);
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) compare_runs(&runs[i], CODE, true);
}

static void springs_run_alike(void) {
  const compared_run rough = {SPRINGS_AND_FLOOR(", mu = 0.3"), 1e-3, 0.3,
                              "schatzman-paoli half-explicit-acc trapezoidal-position"};
  const compared_run smooth = {SPRINGS_AND_FLOOR(""), 1e-3, 0.3, NULL};
  for (way how = CODE; how <= SPARSE; how++) {
    compare_runs(&rough, how, false);
    compare_runs(&rough, how, true);
    compare_runs(&smooth, how, false);
  }
}

/* --- free rotation --------------------------------------------------------------------------------------------------
 */

enum { SIZES = 4 };

/* Energy and angular momentum (inertial frame) of one body with the moments 1, 2, 2.5. */
static void integrals(const simulation *s, double out[4]) {
  static const double J[3] = {1, 2, 2.5};
  const picus_state state = picus_sim_state(s->sim);
  const double *p = state.q + 3, *w = state.u + 3;
  const double L[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]};
  out[3] = 0.5 * (L[0] * w[0] + L[1] * w[1] + L[2] * w[2]);
  for (int i = 0; i < 3; i++) { /* R L = L + 2 p0 e x L + 2 e x (e x L) */
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double *e = p + 1;
    double turn[3];
    for (int a = 0; a < 3; a++) turn[a] = e[(a + 1) % 3] * L[(a + 2) % 3] - e[(a + 2) % 3] * L[(a + 1) % 3];
    out[i] = L[i] + 2 * p[0] * turn[i] + 2 * (e[j] * turn[k] - e[k] * turn[j]);
  }
}

static void top_keeps_its_integrals(const char *scheme, double order) {
  static const char text[] =
      "spatial_body { 'top', mass = 1, inertia = { 1, 2, 2.5 }, omega = { 0.1, 2, 0.2 }, velocity = { 1, 0, 0 } }\n";
  double dt[SIZES] = {0}, error[SIZES] = {0};
  for (int i = 0; i < SIZES; i++) {
    char whole[512];
    double begin[4], end[4];
    simulation s;
    picus_summary summary = {0};
    dt[i] = 0.01 / (1 << i);
    snprintf(whole, sizeof whole, "%ssimulate { scheme = '%s', dt = %.17g, t_end = 5 }\n", text, scheme, dt[i]);
    REQUIRE(simulation_open_text(&s, whole));
    integrals(&s, begin);
    CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
    integrals(&s, end);
    for (int k = 0; k < 4; k++) error[i] = fmax(error[i], fabs(end[k] - begin[k]));
    simulation_close(&s);
  }
  const double observed = observed_order(SIZES, dt, error);
  printf("  %s: error %.2g at dt = %g, order %.2f\n", scheme, error[SIZES - 1], dt[SIZES - 1], observed);
  CHECK(error[SIZES - 1] < 0.1);
  CHECK(observed > order - 0.3);
}

static void euler_top_by_moreau(void) { top_keeps_its_integrals("moreau", 1); }
static void euler_top_by_rattle(void) { top_keeps_its_integrals("rattle", 2); }
static void euler_top_by_moreau_jean(void) { top_keeps_its_integrals("moreau-jean", 2); }

/* --- which bodies are evaluated by code
 * ------------------------------------------------------------------------------- */

static int axes_by_code(const char *text) {
  simulation s;
  picus_sim_options options;
  int count = -1;
  if (simulation_load_text(&s, text, &options)) count = rigid_of(s.system)->axes.count;
  simulation_close(&s);
  return count;
}

#define TWO_BODIES                                                                                                     \
  "local a = planar_body { 'a', mass = 1, inertia = 1 }\n"                                                             \
  "local b = planar_body { 'b', mass = 1, inertia = 1, position = { 3, 0 } }\n"                                        \
  "local q, u = coordinates { { 's', velocity = 'w', start = { 0, 0 } } }\n"                                           \
  "simulate { dt = 1e-3, t_end = 1 }\n"

static void kinetic_energy_makes_formulas(void) {
  CHECK(axes_by_code(TWO_BODIES "kinetic(u.w^2 / 2)") == 6);
  CHECK(axes_by_code(TWO_BODIES "kinetic(u.w^2 / 2 + u.omega_a * u.w / 4)") == 3);
  CHECK(axes_by_code(TWO_BODIES "kinetic(u.w^2 / 2 + u.vx_b * u.vx_a / 4)") == 0);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"planar_values_agree", planar_values_agree},
                                    {"spatial_values_agree", spatial_values_agree},
                                    {"coupled_parts_agree", coupled_parts_agree},
                                    {"jacobians_are_derivatives", jacobians_are_derivatives},
                                    {"acceleration_terms_of_bodies", acceleration_terms_of_bodies},
                                    {"acceleration_terms_with_time", acceleration_terms_with_time},
                                    {"acceleration_terms_of_functions", acceleration_terms_of_functions},
                                    {"shipped_models_run_alike", shipped_models_run_alike},
                                    {"springs_run_alike", springs_run_alike},
                                    {"euler_top_by_moreau", euler_top_by_moreau},
                                    {"euler_top_by_rattle", euler_top_by_rattle},
                                    {"euler_top_by_moreau_jean", euler_top_by_moreau_jean},
                                    {"kinetic_energy_makes_formulas", kinetic_energy_makes_formulas}};
  return test_main(argc, argv, "rigid_native", cases, sizeof cases / sizeof *cases);
}
