/* Bodies and frames: coordinates, inertias, and the expressions of their points and directions. The equations of motion
 * of bodies are derived, or evaluated by code, in src/system. */
#include "base/elementary.h"
#include "bodies/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static picus_pool *pool_of(const picus_body *body) { return body->model->pool; }

picus_body_def picus_default_body_def(picus_body_kind kind) {
  return (picus_body_def){.kind = kind, .orientation = {1, 0, 0, 0}};
}

static picus_status check_numbers(picus_model *model, const picus_body_def *def) {
  const struct {
    const char *what;
    const double *values;
    int count;
  } lists[] = {{"the inertia of body", def->inertia, 9},   {"the position of body", def->position, 3},
               {"the angle of body", &def->angle, 1},      {"the orientation of body", def->orientation, 4},
               {"the velocity of body", def->velocity, 3}, {"the angular velocity of body", def->angular_velocity, 3}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    for (int k = 0; k < lists[i].count; k++) {
      picus_status status = picus_model_check_finite(model, lists[i].values[k], lists[i].what, def->name);
      if (status) return status;
    }
  picus_status status = picus_model_check_finite(model, def->mass, "the mass of body", def->name);
  if (!status && !(def->mass > 0))
    status =
        picus_model_fail(model, PICUS_ERROR_MODEL,
                         "the mass of body '%s' is %g; it must be positive (a body that forces do not move is a frame)",
                         def->name, def->mass);
  return status;
}

/* Principal moments of a symmetric tensor, decreasing (Smith 1961). */
static void principal_moments(const double *J, double out[3]) {
  const double mean = (J[0] + J[4] + J[8]) / 3, a = J[0] - mean, b = J[4] - mean, c = J[8] - mean;
  const double apart = J[1] * J[1] + J[2] * J[2] + J[5] * J[5];
  const double p = sqrt((a * a + b * b + c * c + 2 * apart) / 6);
  out[0] = out[1] = out[2] = mean;
  if (p == 0) return;
  const double det = a * (b * c - J[5] * J[5]) - J[1] * (J[1] * c - J[5] * J[2]) + J[2] * (J[1] * J[5] - b * J[2]);
  const double angle = picus_acos(fmax(-1, fmin(1, det / (2 * p * p * p)))) / 3;
  out[0] = mean + 2 * p * picus_cos(angle);
  out[2] = mean + 2 * p * picus_cos(angle + 2.0943951023931954923); /* 2 pi / 3 */
  out[1] = 3 * mean - out[0] - out[2];
}

/* Of any distribution of mass, J_1 <= J_2 + J_3 in principal axes, with equality for a lamina. Published data are
 * rounded, hence the slack. */
static picus_status check_triangle(picus_model *model, const picus_body_def *def) {
  const double slack = 1e-3;
  double J[3];
  principal_moments(def->inertia, J);
  if (J[0] <= (J[1] + J[2]) * (1 + slack)) return PICUS_OK;
  return picus_model_fail(model, PICUS_ERROR_MODEL,
                          "body '%s' has the principal moments of inertia %.6g, %.6g and %.6g; the first exceeds the "
                          "sum of the others, which is impossible for a rigid body; check axes and units",
                          def->name, J[0], J[1], J[2]);
}

/* Symmetric, positive definite (leading minors), and the inertia of a body that can exist. */
static picus_status check_inertia(picus_model *model, const picus_body_def *def) {
  const double *J = def->inertia;
  if (def->kind == PICUS_PLANAR_BODY) {
    if (J[8] > 0) return PICUS_OK;
    return picus_model_fail(model, PICUS_ERROR_MODEL, "the moment of inertia of body '%s' is %g; it must be positive",
                            def->name, J[8]);
  }
  const double size = fabs(J[0]) + fabs(J[4]) + fabs(J[8]);
  if (fabs(J[1] - J[3]) + fabs(J[2] - J[6]) + fabs(J[5] - J[7]) > 1e-12 * size)
    return picus_model_fail(model, PICUS_ERROR_MODEL, "the inertia tensor of body '%s' is not symmetric", def->name);
  double minor = J[0] * J[4] - J[1] * J[3];
  double whole =
      J[0] * (J[4] * J[8] - J[5] * J[7]) - J[1] * (J[3] * J[8] - J[5] * J[6]) + J[2] * (J[3] * J[7] - J[4] * J[6]);
  if (!(J[0] > 0 && minor > 0 && whole > 0))
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "the inertia tensor of body '%s' is not positive definite; all three moments of inertia "
                            "must be positive",
                            def->name);
  return check_triangle(model, def);
}

static picus_status check_orientation(picus_model *model, const char *what, const char *name, const double p[4]) {
  double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  if (fabs(length - 1) <= 1e-6) return PICUS_OK;
  return picus_model_fail(model, PICUS_ERROR_MODEL,
                          "the orientation of %s '%s' is a quaternion of length %.6g; its length must be 1", what, name,
                          length);
}

/* One coordinate, with or without its own velocity; the names in def get the suffix of the body. */
static picus_status add_coordinate(picus_model *model, picus_coordinate_def def, const char *suffix, picus_expr *q,
                                   picus_expr *u) {
  char q_name[128], u_name[128] = "";
  snprintf(q_name, sizeof q_name, "%s%.100s", def.name, suffix);
  if (def.velocity) snprintf(u_name, sizeof u_name, "%s%.100s", def.velocity, suffix);
  def.name = q_name;
  if (def.velocity) def.velocity = u_name;
  return picus_model_add_coordinate(model, &def, q, u);
}

static const char *name_of(const picus_body *body, picus_expr symbol) {
  return picus_variable_name(pool_of(body), picus_expr_variable_index(pool_of(body), symbol));
}

/* x, y and, unless planar, z. */
static picus_status add_translation(picus_model *model, const picus_body_def *def, const char *suffix,
                                    picus_body *body) {
  static const char *const q_names[] = {"x", "y", "z"}, *const u_names[] = {"vx", "vy", "vz"};
  for (int i = 0; i < (body->planar ? 2 : 3); i++) {
    picus_coordinate_def x = picus_default_coordinate_def();
    x.name = q_names[i];
    x.velocity = u_names[i];
    x.start = def->position[i];
    x.velocity_start = def->velocity[i];
    x.unit = "m";
    picus_status status = add_coordinate(model, x, suffix, &body->position.x[i], &body->velocity.x[i]);
    if (status) return status;
    body->start_position[i] = def->position[i];
  }
  return PICUS_OK;
}

static picus_status add_planar_rotation(picus_model *model, const picus_body_def *def, const char *suffix,
                                        picus_body *body) {
  picus_pool *pool = model->pool;
  picus_coordinate_def phi = picus_default_coordinate_def();
  phi.name = "phi";
  phi.velocity = "omega";
  phi.start = def->angle;
  phi.velocity_start = def->angular_velocity[2];
  phi.unit = "rad";
  picus_status status = add_coordinate(model, phi, suffix, &body->angle, &body->spin.x[2]);
  if (status) return status;
  picus_expr c = picus_unary(pool, PICUS_COS, body->angle), s = picus_unary(pool, PICUS_SIN, body->angle);
  body->rotation[0] = body->rotation[4] = c;
  body->rotation[1] = picus_neg(pool, s);
  body->rotation[3] = s;
  body->start_angle = def->angle;
  body->start_rotation[0] = body->start_rotation[4] = picus_cos(def->angle);
  body->start_rotation[3] = picus_sin(def->angle);
  body->start_rotation[1] = -body->start_rotation[3];
  return PICUS_OK;
}

/* R = R_h(p) / |p|^2: of degree 0 in p, so that normalizing p changes no gap. R' = R omega~ holds for p of any length
 * with p' = p * omega / 2. */
static void quaternion_rotation(picus_pool *pool, const picus_expr p[4], picus_expr R[9]) {
  picus_expr square = picus_mul(pool, p[0], p[0]);
  for (int i = 1; i < 4; i++) square = picus_add(pool, square, picus_mul(pool, p[i], p[i]));
  picus_expr s = picus_div(pool, picus_number(pool, 2), square), one = picus_number(pool, 1);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    picus_expr square_k = picus_mul(pool, p[1 + k], p[1 + k]), square_j = picus_mul(pool, p[1 + j], p[1 + j]);
    picus_expr others = picus_add(pool, square_j, square_k);
    picus_expr even = picus_mul(pool, p[1 + i], p[1 + j]), odd = picus_mul(pool, p[0], p[1 + k]);
    R[3 * i + i] = picus_sub(pool, one, picus_mul(pool, s, others));
    R[3 * i + j] = picus_mul(pool, s, picus_sub(pool, even, odd));
    R[3 * j + i] = picus_mul(pool, s, picus_add(pool, even, odd));
  }
}

static picus_status add_spatial_rotation(picus_model *model, const picus_body_def *def, const char *suffix,
                                         picus_body *body) {
  static const char *const p_names[] = {"p0", "p1", "p2", "p3"}, *const w_names[] = {"wx", "wy", "wz"};
  picus_expr p[4];
  picus_status status = PICUS_OK;
  char name[128];
  for (int i = 0; !status && i < 4; i++) {
    picus_coordinate_def p_i = picus_default_coordinate_def();
    p_i.name = p_names[i];
    p_i.start = def->orientation[i];
    p_i.unit = "";
    status = add_coordinate(model, p_i, suffix, &p[i], NULL);
  }
  for (int i = 0; !status && i < 3; i++) {
    snprintf(name, sizeof name, "%s%.100s", w_names[i], suffix);
    status = picus_model_add_velocity(model, name, def->angular_velocity[i], "rad/s", &body->spin.x[i]);
  }
  if (!status) status = picus_model_mark_quaternion(model, name_of(body, p[0]));
  if (status) return status;
  quaternion_rotation(model->pool, p, body->rotation);
  picus_numbers_rotation(def->orientation, body->start_rotation);
  return PICUS_OK;
}

/* At rest in the origin by default. */
picus_body picus_body_blank(picus_model *model, picus_body_kind kind, const char *name) {
  picus_body body = {.model = model, .kind = kind};
  picus_expr zero = picus_number(model->pool, 0), one = picus_number(model->pool, 1);
  snprintf(body.name, sizeof body.name, "%s", name);
  for (int i = 0; i < 3; i++) body.position.x[i] = body.velocity.x[i] = body.spin.x[i] = zero;
  for (int i = 0; i < 9; i++) {
    body.rotation[i] = i % 4 == 0 ? one : zero;
    body.start_rotation[i] = i % 4 == 0 ? 1 : 0;
  }
  return body;
}

picus_model_body *picus_body_own_data(const picus_body *body) {
  const picus_model *model = body->model;
  const int variable = picus_expr_variable_index(model->pool, body->position.x[0]);
  return picus_model_body_of(model, picus_model_variable_of(model, variable).index);
}

picus_status picus_body_check_name(picus_model *model, const char *what, const char *name) {
  picus_status status = picus_model_check_form(model, what, name);
  if (!status && strlen(name) >= PICUS_BODY_NAME_SIZE)
    status = picus_model_fail(model, PICUS_ERROR_NAME, "the name of a %s is too long; use at most %d characters", what,
                              PICUS_BODY_NAME_SIZE - 1);
  return status;
}

picus_status picus_model_add_body(picus_model *model, const picus_body_def *def, picus_body *out) {
  picus_status status = picus_body_check_name(model, "body", def->name);
  if (!status) status = check_numbers(model, def);
  if (!status && def->kind != PICUS_PARTICLE) status = check_inertia(model, def);
  if (!status && def->kind == PICUS_SPATIAL_BODY)
    status = check_orientation(model, "body", def->name, def->orientation);
  if (status) return status;
  if (def->kind == PICUS_FRAME)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "'%s' is a frame; use picus_model_make_frame", def->name);
  if (def->kind != PICUS_PARTICLE && def->kind != PICUS_PLANAR_BODY && def->kind != PICUS_SPATIAL_BODY)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "body '%s' cannot have the kind %d", def->name,
                            (int)def->kind);
  char suffix[PICUS_BODY_NAME_SIZE + 1];
  snprintf(suffix, sizeof suffix, "%s%s", def->suffix ? "" : "_", def->suffix ? def->suffix : def->name);
  *out = picus_body_blank(model, def->kind, def->name);
  picus_model_body data = {.q0 = model->coordinate_count, .u0 = model->velocity_count, .mass = def->mass};
  memcpy(data.inertia, def->inertia, sizeof data.inertia);
  out->mass = def->mass;
  out->planar = def->kind == PICUS_PLANAR_BODY || (def->kind == PICUS_PARTICLE && def->planar);
  status = add_translation(model, def, suffix, out);
  if (!status && def->kind == PICUS_PLANAR_BODY) status = add_planar_rotation(model, def, suffix, out);
  if (!status && def->kind == PICUS_SPATIAL_BODY) status = add_spatial_rotation(model, def, suffix, out);
  data.axes = out->planar ? 2 : 3;
  if (!status) status = picus_model_mark_body(model, data);
  return status ? status : picus_pool_status(model->pool);
}

picus_frame_def picus_default_frame_def(picus_model *model) {
  picus_expr zero = picus_number(model->pool, 0);
  return (picus_frame_def){
      .position = {{zero, zero, zero}}, .orientation = {1, 0, 0, 0}, .axis = {0, 0, 1}, .angle = zero};
}

/* A function of time: its initial value and its derivative. */
static picus_status examine_motion(picus_model *model, const char *name, picus_expr expr, double *start,
                                   picus_expr *rate) {
  picus_dependencies dependencies;
  picus_status status = picus_model_examine(model, expr, "the motion of frame", name, &dependencies);
  if (!status) status = picus_model_require_rates(model, &dependencies, "the motion of frame", name);
  if (status) return status;
  if (dependencies.coordinate >= 0 || dependencies.velocity >= 0)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "the motion of frame '%s' depends on '%s'; it may depend on time and inputs only", name,
                            dependencies.velocity >= 0 ? model->velocities[dependencies.velocity].name
                                                       : model->coordinates[dependencies.coordinate].name);
  double *x = picus_allocate(model->context, (size_t)picus_variable_count(model->pool), sizeof *x);
  if (!x) return PICUS_ERROR_MEMORY;
  x[0] = model->run.values.sim.t_start;
  picus_model_fill_inputs(model, x);
  status = picus_expr_evaluate(model->pool, expr, x, start);
  picus_release(model->context, x);
  *rate = picus_derivative(model->pool, expr, picus_expr_variable_index(model->pool, model->time));
  return status ? status : picus_model_check_finite(model, *start, "the initial position of frame", name);
}

/* Rodrigues: 1 + sin(angle) n~ + (1 - cos(angle)) n~ n~, as formulas and as numbers. */
static void axis_rotation(picus_pool *pool, const double n[3], picus_expr angle, picus_expr R[9]) {
  picus_expr s = picus_unary(pool, PICUS_SIN, angle), c = picus_unary(pool, PICUS_COS, angle);
  picus_expr rest = picus_sub(pool, picus_number(pool, 1), c);
  const double cross[9] = {0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      picus_expr entry = picus_mul(pool, picus_number(pool, n[i] * n[j]), rest);
      entry = picus_add(pool, entry, picus_mul(pool, picus_number(pool, cross[3 * i + j]), s));
      R[3 * i + j] = i == j ? picus_add(pool, entry, c) : entry;
    }
}

static void product(picus_pool *pool, const double A[9], const picus_expr B[9], picus_expr out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] =
          picus_vector_dot(pool, picus_vector_number(pool, A + 3 * i), (picus_vector){{B[j], B[3 + j], B[6 + j]}});
}

/* Does the frame stay in the plane z = 0 and turn about z only? */
static bool is_planar_frame(const picus_frame_def *def, picus_pool *pool) {
  double z = 1, angle = 1;
  if (!picus_expr_is_number(pool, def->position.x[2], &z) || z != 0) return false;
  bool turns = !picus_expr_is_number(pool, def->angle, &angle) || angle != 0;
  return def->orientation[1] == 0 && def->orientation[2] == 0 && (!turns || (def->axis[0] == 0 && def->axis[1] == 0));
}

/* Initial R = R_orientation R_axis(angle). */
static void set_start_rotation(const picus_frame_def *def, const double fixed[9], double angle, picus_body *out) {
  double half = 0.5 * angle, turn[4] = {picus_cos(half), 0, 0, 0}, turned[9];
  for (int i = 0; i < 3; i++) turn[1 + i] = picus_sin(half) * def->axis[i];
  picus_numbers_rotation(turn, turned);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out->start_rotation[3 * i + j] =
          fixed[3 * i] * turned[j] + fixed[3 * i + 1] * turned[3 + j] + fixed[3 * i + 2] * turned[6 + j];
}

picus_status picus_model_make_frame(picus_model *model, const picus_frame_def *def, picus_body *out) {
  picus_pool *pool = model->pool;
  picus_status status = picus_body_check_name(model, "frame", def->name);
  if (!status) status = check_orientation(model, "frame", def->name, def->orientation);
  if (!status) status = picus_body_check_unit(model, def->axis, "axis", "frame", def->name);
  if (status) return status;
  *out = picus_body_blank(model, PICUS_FRAME, def->name);
  for (int i = 0; !status && i < 3; i++)
    status = examine_motion(model, def->name, def->position.x[i], &out->start_position[i], &out->velocity.x[i]);
  double angle = 0;
  picus_expr speed = PICUS_NO_EXPR;
  if (!status) status = examine_motion(model, def->name, def->angle, &angle, &speed);
  if (status) return status;
  out->position = def->position;
  out->spin = picus_vector_scale(pool, speed, picus_vector_number(pool, def->axis));
  double fixed[9];
  picus_numbers_rotation(def->orientation, fixed);
  set_start_rotation(def, fixed, angle, out);
  picus_expr R[9] = {0};
  axis_rotation(pool, def->axis, def->angle, R);
  product(pool, fixed, R, out->rotation);
  out->planar = is_planar_frame(def, pool);
  if (out->planar) { /* joints of planar bodies need the angle itself, with its sense about +z */
    double begin = 2 * picus_atan2(def->orientation[3], def->orientation[0]), sense = def->axis[2] < 0 ? -1 : 1;
    picus_expr turned = picus_mul(pool, picus_number(pool, sense), def->angle);
    out->angle = picus_add(pool, picus_number(pool, begin), turned);
    out->start_angle = begin + sense * angle;
  }
  return picus_pool_status(pool);
}

picus_vector picus_body_direction_of(const picus_body *body, picus_vector direction) {
  return picus_vector_rotate(pool_of(body), body->rotation, direction);
}

picus_vector picus_body_direction(const picus_body *body, const double direction[3]) {
  return picus_body_direction_of(body, picus_vector_number(pool_of(body), direction));
}

picus_vector picus_body_point_of(const picus_body *body, picus_vector point) {
  return picus_vector_add(pool_of(body), body->position, picus_body_direction_of(body, point));
}

picus_vector picus_body_point(const picus_body *body, const double point[3]) {
  return picus_body_point_of(body, picus_vector_number(pool_of(body), point));
}

picus_vector picus_body_angular_velocity(const picus_body *body) {
  if (body->kind == PICUS_NODE) return body->omega;
  return picus_vector_rotate(pool_of(body), body->rotation, body->spin);
}

/* v + R (omega x s) */
picus_vector picus_body_velocity_of(const picus_body *body, picus_vector point) {
  picus_pool *pool = pool_of(body);
  if (body->kind == PICUS_NODE)
    return picus_vector_add(pool, body->velocity, picus_vector_rotate(pool, body->rotation_rate, point));
  picus_vector turn = picus_vector_cross(pool, body->spin, point);
  return picus_vector_add(pool, body->velocity, picus_vector_rotate(pool, body->rotation, turn));
}

picus_vector picus_body_point_velocity(const picus_body *body, const double point[3]) {
  return picus_body_velocity_of(body, picus_vector_number(pool_of(body), point));
}

picus_vector picus_body_velocity_at(const picus_body *body, picus_vector place) {
  picus_pool *pool = pool_of(body);
  if (!picus_body_turns(body)) return body->velocity;
  picus_vector arm = picus_vector_sub(pool, place, body->position);
  return picus_vector_add(pool, body->velocity, picus_vector_cross(pool, picus_body_angular_velocity(body), arm));
}

picus_vector picus_body_contact_velocity(const picus_body *body, const double point[3], picus_vector place) {
  picus_pool *pool = pool_of(body);
  if (body->kind != PICUS_NODE) return picus_body_velocity_at(body, place);
  picus_vector arm = picus_vector_sub(pool, place, picus_body_point(body, point));
  picus_vector turning = picus_vector_cross(pool, picus_body_angular_velocity(body), arm);
  return picus_vector_add(pool, picus_body_point_velocity(body, point), turning);
}

void picus_body_to_local(const picus_body *body, const double v[3], double out[3]) {
  const double *R = body->start_rotation;
  if (body->kind != PICUS_NODE) {
    picus_numbers_rotate_back(R, v, out);
    return;
  }
  double C[9], determinant = 0; /* 1 + r~ is not orthogonal: C / determinant, the transposed inverse */
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      C[3 * i + j] = R[3 * a + c] * R[3 * b + d] - R[3 * a + d] * R[3 * b + c];
    }
  for (int j = 0; j < 3; j++) determinant += R[j] * C[j];
  picus_numbers_rotate_back(C, v, out);
  for (int i = 0; i < 3; i++) out[i] /= determinant;
}

picus_status picus_body_check_pair(picus_model *model, const picus_body *a, const picus_body *b, const char *what,
                                   const char *name, bool *planar) {
  if (!a || !b || a->model != model || b->model != model)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "%s '%s' needs two bodies of this model", what, name);
  if (strcmp(a->name, b->name) == 0)
    return picus_model_fail(model, PICUS_ERROR_MODEL, "%s '%s' is between '%s' and itself; use two different bodies",
                            what, name, a->name);
  if (a->kind == PICUS_FRAME && b->kind == PICUS_FRAME)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "%s '%s' is between the frames '%s' and '%s'; at least one must be a body", what, name,
                            a->name, b->name);
  bool flat = (a->kind != PICUS_FRAME && a->planar) || (b->kind != PICUS_FRAME && b->planar);
  *planar = a->planar && b->planar && flat;
  const picus_body *frame = a->kind == PICUS_FRAME ? a : b;
  if (flat && frame->kind == PICUS_FRAME && !frame->planar)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "%s '%s' joins the planar body '%s' to the frame '%s', which leaves the plane z = 0", what,
                            name, frame == a ? b->name : a->name, frame->name);
  return PICUS_OK;
}

picus_status picus_body_check_unit(picus_model *model, const double v[3], const char *which, const char *what,
                                   const char *name) {
  double length = picus_numbers_length(v);
  if (fabs(length - 1) <= 1e-9) return PICUS_OK;
  if (!isfinite(length) || length == 0)
    return picus_model_fail(model, PICUS_ERROR_MODEL, "the %s of %s '%s' must be finite and not zero", which, what,
                            name);
  return picus_model_fail(model, PICUS_ERROR_MODEL,
                          "the %s of %s '%s' has the length %.6g; use the unit vector { %.9g, %.9g, %.9g }", which,
                          what, name, length, v[0] / length, v[1] / length, v[2] / length);
}
