/* Force elements: gravity, forces and torques by expressions, springs and dampers. Elements with a potential use it, so
 * that it counts in E.pot; the others are generalized forces. */
#include "bodies/internal.h"

#include <math.h>
#include <stdio.h>

picus_status picus_body_add_gravity(const picus_body *body, const double acceleration[3]) {
  picus_model *model = body->model;
  if (body->kind == PICUS_FRAME) return PICUS_OK;
  if (body->kind == PICUS_NODE)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "the node '%s' has no mass; give gravity to its beam or framework", body->name);
  for (int i = 0; i < 3; i++) {
    picus_status status = picus_model_check_finite(model, acceleration[i], "gravity on body", body->name);
    if (status) return status;
  }
  const int variable = picus_expr_variable_index(model->pool, body->position.x[0]);
  picus_model_body *own = picus_model_body_of(model, picus_model_variable_of(model, variable).index);
  if (!own) return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "'%s' is not a body of this model", body->name);
  for (int i = 0; i < own->axes; i++) own->gravity[i] += acceleration[i];
  return PICUS_OK;
}

/* A generalized force on a velocity; frames and directions in which a body cannot move have none. */
static picus_status act_on(const picus_body *body, picus_expr velocity, picus_expr force) {
  picus_pool *pool = body->model->pool;
  int variable = picus_expr_variable_index(pool, velocity);
  double value;
  if (body->kind == PICUS_FRAME || variable < 0) return PICUS_OK;
  if (picus_expr_is_number(pool, force, &value) && value == 0) return PICUS_OK;
  return picus_model_add_force(body->model, picus_variable_name(pool, variable), force);
}

/* The generalized forces on a node by a force or torque: that on a rate is the load times the derivative of the
 * velocity of the point, or of the angular velocity, by the rate. */
static picus_status act_on_node(const picus_body *node, picus_vector load, picus_vector velocity) {
  picus_pool *pool = node->model->pool;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < 6; k++) {
    const int variable = picus_expr_variable_index(pool, node->rates[k]);
    if (variable < 0) continue; /* supported */
    picus_expr force = picus_number(pool, 0);
    for (int i = 0; i < 3; i++)
      force = picus_add(pool, force, picus_mul(pool, load.x[i], picus_derivative(pool, velocity.x[i], variable)));
    status = act_on(node, node->rates[k], force);
  }
  return status;
}

static picus_status check_load(const picus_body *body, picus_vector load, const char *what) {
  for (int i = 0; i < 3; i++) {
    picus_dependencies dependencies;
    picus_status status = picus_model_examine(body->model, load.x[i], what, body->name, &dependencies);
    if (status) return status;
  }
  return PICUS_OK;
}

/* The work of all forces on a body has one account, unless it is booked by whoever adds them. */
static void open_account(const picus_body *body, char name[static PICUS_WORK_NAME]) {
  snprintf(name, PICUS_WORK_NAME, "force.%s", body->name);
  body->model->account = name;
}

static picus_status add_torque(const picus_body *body, picus_vector torque) {
  picus_status status = check_load(body, torque, "the torque on body");
  if (!status && body->kind == PICUS_PARTICLE)
    status = picus_model_fail(body->model, PICUS_ERROR_MODEL, "a torque cannot act on the particle '%s'", body->name);
  if (status) return status;
  if (body->kind == PICUS_NODE) return act_on_node(body, torque, body->omega);
  picus_vector turned = picus_vector_rotate_back(body->model->pool, body->rotation, torque);
  for (int i = 0; !status && i < 3; i++) status = act_on(body, body->spin.x[i], turned.x[i]);
  return status;
}

picus_status picus_body_add_torque(const picus_body *body, picus_vector torque) {
  char account[PICUS_WORK_NAME];
  open_account(body, account);
  picus_status status = add_torque(body, torque);
  body->model->account = NULL;
  return status;
}

static picus_status add_force(const picus_body *body, const double point[3], picus_vector force) {
  picus_pool *pool = body->model->pool;
  picus_status status = check_load(body, force, "the force on body");
  if (!status && body->kind == PICUS_NODE) return act_on_node(body, force, picus_body_point_velocity(body, point));
  for (int i = 0; !status && i < 3; i++) status = act_on(body, body->velocity.x[i], force.x[i]);
  if (status || body->kind == PICUS_PARTICLE) return status;
  /* the torque s x (R^T F), body frame */
  picus_vector turned = picus_vector_rotate_back(pool, body->rotation, force);
  picus_vector torque = picus_vector_cross(pool, picus_vector_number(pool, point), turned);
  for (int i = 0; !status && i < 3; i++) status = act_on(body, body->spin.x[i], torque.x[i]);
  return status;
}

picus_status picus_body_add_force(const picus_body *body, const double point[3], picus_vector force) {
  char account[PICUS_WORK_NAME];
  open_account(body, account);
  picus_status status = add_force(body, point, force);
  body->model->account = NULL;
  return status;
}

picus_spring_def picus_default_spring_def(void) { return (picus_spring_def){.axis = {0, 0, 1}}; }

static picus_status check_varying_stiffness(picus_model *model, const picus_spring_def *def) {
  picus_dependencies on;
  if (!picus_expr_given(def->varying_stiffness)) return PICUS_OK;
  picus_status status = picus_model_examine(model, def->varying_stiffness, "the stiffness of a spring", NULL, &on);
  if (status) return status;
  if (on.coordinate < 0 && on.velocity < 0 && on.displacement < 0 && on.displacement_velocity < 0) return PICUS_OK;
  return picus_model_fail(model, PICUS_ERROR_MODEL,
                          "the stiffness of a spring depends on the state; it may depend on time and inputs only, a "
                          "nonlinear spring is a potential or an actuator");
}

static picus_status check_spring(picus_model *model, const picus_spring_def *def, const char *what, bool *planar) {
  picus_status status = picus_body_check_pair(model, def->a, def->b, what, "spring", planar);
  const double values[] = {def->stiffness, def->damping, def->rest};
  static const char *const names[] = {"the stiffness of a spring", "the damping of a spring",
                                      "the rest length or angle of a spring"};
  if (!status) status = check_varying_stiffness(model, def);
  for (int i = 0; !status && i < 3; i++) {
    status = picus_model_check_finite(model, values[i], names[i], NULL);
    if (!status && i < 2 && values[i] < 0)
      status = picus_model_fail(model, PICUS_ERROR_ARGUMENT, "%s is %g; it must not be negative", names[i], values[i]);
  }
  return status;
}

/* A force F at the point of b, -F at the point of a. Its power is booked apart: damper and actuator. */
static picus_status act_between(const picus_spring_def *def, picus_vector force) {
  picus_pool *pool = def->a->model->pool;
  picus_vector reaction = picus_vector_scale(pool, picus_number(pool, -1), force);
  def->a->model->books_itself = true;
  picus_status status = picus_body_add_force(def->b, def->point[1], force);
  if (!status) status = picus_body_add_force(def->a, def->point[0], reaction);
  def->a->model->books_itself = false;
  return status;
}

/* The same of a torque. */
static picus_status twist_between(const picus_spring_def *def, picus_expr torque, picus_vector axis) {
  picus_pool *pool = def->a->model->pool;
  def->a->model->books_itself = true;
  picus_status status = picus_body_add_torque(def->b, picus_vector_scale(pool, torque, axis));
  if (!status) status = picus_body_add_torque(def->a, picus_vector_scale(pool, picus_neg(pool, torque), axis));
  def->a->model->books_itself = false;
  return status;
}

/* Of a frame that moves: the load on the other body takes the power of its own motion from the drive of the frame. */
static picus_status book_frame(const picus_body *frame, picus_vector load, picus_vector velocity) {
  picus_pool *pool = frame->model->pool;
  const picus_expr power = picus_vector_dot(pool, load, velocity);
  double value;
  if (frame->kind != PICUS_FRAME || (picus_expr_is_number(pool, power, &value) && value == 0)) return PICUS_OK;
  char name[PICUS_WORK_NAME];
  snprintf(name, sizeof name, "motion.%s", frame->name);
  return picus_model_book(frame->model, name, power);
}

/* The same of both ends, with the velocities of their points or their angular velocities; load: on b. */
static picus_status book_frames(const picus_spring_def *def, picus_vector load, const picus_vector velocity[2]) {
  picus_pool *pool = def->a->model->pool;
  picus_status status = book_frame(def->a, load, velocity[0]);
  return status ? status : book_frame(def->b, picus_vector_scale(pool, picus_number(pool, -1), load), velocity[1]);
}

/* Power of the damping, -d |v|^2, and of the actuation, with which the points part at the rate v. */
static picus_status book(const picus_spring_def *def, picus_expr square, picus_expr rate) {
  picus_model *model = def->a->model;
  picus_pool *pool = model->pool;
  char name[PICUS_WORK_NAME];
  picus_status status = PICUS_OK;
  if (def->damping != 0) {
    snprintf(name, sizeof name, "damper.%s.%s", def->a->name, def->b->name);
    status = picus_model_book(model, name, picus_mul(pool, picus_number(pool, -def->damping), square));
  }
  if (status || !picus_expr_given(def->actuation)) return status;
  snprintf(name, sizeof name, "actuator.%s.%s", def->a->name, def->b->name);
  return picus_model_book(model, name, picus_mul(pool, def->actuation, rate));
}

static bool has_stiffness(const picus_spring_def *def) {
  return def->stiffness > 0 || picus_expr_given(def->varying_stiffness);
}

static picus_expr half_stiffness(picus_pool *pool, const picus_spring_def *def) {
  picus_expr varying = def->varying_stiffness;
  if (!picus_expr_given(varying)) return picus_number(pool, 0.5 * def->stiffness);
  return picus_mul(pool, picus_number(pool, 0.5), varying);
}

static picus_status add_elastic_energy(picus_model *model, const picus_spring_def *def, picus_expr length) {
  picus_pool *pool = model->pool;
  if (!has_stiffness(def)) return PICUS_OK;
  picus_expr x = picus_sub(pool, length, picus_number(pool, def->rest));
  picus_expr square = picus_mul(pool, x, x);
  return picus_model_add_potential(model, picus_mul(pool, half_stiffness(pool, def), square));
}

/* Its width is an eighth of the free length; without one, of the distance. */
static picus_status draw_spring(const picus_spring_def *def, bool planar, picus_vector d) {
  picus_pool *pool = def->a->model->pool;
  const picus_body *const bodies[2] = {def->a, def->b};
  const picus_expr length = def->rest > 0 ? picus_number(pool, def->rest) : picus_vector_length(pool, d);
  return picus_bodies_draw_link(bodies, def->point, planar, picus_mul(pool, picus_number(pool, 1.0 / 16), length));
}

picus_status picus_model_add_spring(picus_model *model, const picus_spring_def *def) {
  picus_pool *pool = model->pool;
  bool planar;
  picus_status status = check_spring(model, def, "a", &planar);
  if (status) return status;
  picus_vector from = picus_body_point(def->a, def->point[0]);
  picus_vector d = picus_vector_sub(pool, picus_body_point(def->b, def->point[1]), from);
  status = draw_spring(def, planar, d);
  if (status) return status;
  const picus_vector velocity[2] = {picus_body_point_velocity(def->a, def->point[0]),
                                    picus_body_point_velocity(def->b, def->point[1])};
  picus_vector v = picus_vector_sub(pool, velocity[1], velocity[0]);
  bool actuated = picus_expr_given(def->actuation);
  if (def->rest == 0 && !actuated) { /* no direction is needed; if the points meet, there is none */
    if (has_stiffness(def)) {
      picus_expr square = picus_vector_dot(pool, d, d);
      status = picus_model_add_potential(model, picus_mul(pool, half_stiffness(pool, def), square));
    }
    if (status || def->damping == 0) return status;
    const picus_vector damping = picus_vector_scale(pool, picus_number(pool, -def->damping), v);
    status = act_between(def, damping);
    if (!status) status = book_frames(def, damping, velocity);
    return status ? status : book(def, picus_vector_dot(pool, v, v), PICUS_NO_EXPR);
  }
  picus_expr length = picus_vector_length(pool, d);
  status = add_elastic_energy(model, def, length);
  if (status || (def->damping == 0 && !actuated)) return status;
  picus_vector n = picus_vector_scale(pool, picus_div(pool, picus_number(pool, 1), length), d);
  const picus_expr rate = picus_vector_dot(pool, n, v);
  picus_expr force = picus_mul(pool, picus_number(pool, -def->damping), rate);
  if (actuated) force = picus_add(pool, force, def->actuation);
  const picus_vector load = picus_vector_scale(pool, force, n);
  status = act_between(def, load);
  if (!status) status = book_frames(def, load, velocity);
  return status ? status : book(def, picus_mul(pool, rate, rate), rate);
}

/* Angle of b relative to a about an axis of a, initially 0: atan2 of the directions across it. */
static picus_expr spatial_angle(const picus_spring_def *def, const double axis[2][3]) {
  picus_pool *pool = def->a->model->pool;
  double first[3], second[3], on_b[3], turned[3];
  picus_numbers_tangents(axis[0], first, second);
  picus_numbers_rotate(def->a->start_rotation, first, turned);
  picus_body_to_local(def->b, turned, on_b);
  picus_vector x = picus_body_direction(def->a, first), y = picus_body_direction(def->a, second);
  picus_vector w = picus_body_direction(def->b, on_b);
  picus_expr cosine = picus_vector_dot(pool, x, w);
  return picus_binary(pool, PICUS_ATAN2, picus_vector_dot(pool, y, w), cosine);
}

picus_status picus_model_add_torsion_spring(picus_model *model, const picus_spring_def *def) {
  picus_pool *pool = model->pool;
  bool planar;
  picus_status status = check_spring(model, def, "a torsion", &planar);
  if (!status && !planar) status = picus_body_check_unit(model, def->axis, "axis", "torsion spring", "between");
  if (status) return status;
  if (!picus_body_turns(def->a) || !picus_body_turns(def->b))
    return picus_model_fail(model, PICUS_ERROR_MODEL, "a torsion spring cannot act on the particle '%s'",
                            picus_body_turns(def->a) ? def->b->name : def->a->name);
  const double z[3] = {0, 0, 1};
  double axis[2][3]; /* in the frames of the bodies */
  picus_body_to_local(def->a, planar ? z : def->axis, axis[0]);
  picus_body_to_local(def->b, planar ? z : def->axis, axis[1]);
  picus_expr angle = planar ? picus_sub(pool, def->b->angle, def->a->angle) : spatial_angle(def, axis);
  status = add_elastic_energy(model, def, angle);
  bool actuated = picus_expr_given(def->actuation);
  if (status || (def->damping == 0 && !actuated)) return status;
  /* damping and actuation: a torque and its reaction about the axis of the first body */
  picus_vector n = picus_body_direction(def->a, axis[0]);
  const picus_vector omega[2] = {picus_body_angular_velocity(def->a), picus_body_angular_velocity(def->b)};
  picus_vector spin = picus_vector_sub(pool, omega[1], omega[0]);
  const picus_expr rate = picus_vector_dot(pool, n, spin);
  picus_expr torque = picus_mul(pool, picus_number(pool, -def->damping), rate);
  if (actuated) torque = picus_add(pool, torque, def->actuation);
  status = twist_between(def, torque, n);
  if (!status) status = book_frames(def, picus_vector_scale(pool, torque, n), omega);
  return status ? status : book(def, picus_mul(pool, rate, rate), rate);
}
