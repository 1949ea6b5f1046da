/* Handles: points of the drawing that a program pulls by a spring while a simulation runs (picus_sim_push). They are
 * ordinary forces with inputs: schemes, Jacobians, works and checkpoints treat them as any other force.
 *
 * All handles share the target, the place on the object and the damping time; each has a stiffness of its own, which is
 * 0 while nobody pulls it. The place is origin + a e1 + b e2 + c e3: of a moving frame of the drawing its origin and
 * axes, of an object that is drawn by coordinates one of its points and the vectors to up to three others. */
#include "bodies/internal.h"

#include "expr/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHARED = 7, POINTS_TRIED = 64 }; /* target x, y, z; place a, b, c; damping time. Of a shape, for the base */
#define HANDLE_ACCOUNT "push"

typedef struct handle_maker {
  picus_model *model;
  picus_expr shared[SHARED];
  double *start; /* of all variables of the pool when the first handle is made */
  picus_gradient position, velocity;
  int count, most;
} handle_maker;

/* --- the force ---------------------------------------------------------------------------------------------------- */

/* The rate of a coordinate of a quaternion, p' = p * (0, omega) / 2, omega in the body frame. */
static picus_expr quaternion_rate(picus_model *model, const picus_model_body *body, int coordinate) {
  static const struct {
    int p, sign;
  } terms[4][3] = {
      {{1, -1}, {2, -1}, {3, -1}}, {{0, 1}, {3, -1}, {2, 1}}, {{3, 1}, {0, 1}, {1, -1}}, {{2, -1}, {1, 1}, {0, 1}}};
  picus_pool *pool = model->pool;
  const int first = body->q0 + body->axes, spin = body->u0 + body->axes, row = coordinate - first;
  picus_expr sum = picus_number(pool, 0);
  for (int k = 0; k < 3; k++) {
    picus_expr p = model->coordinates[first + terms[row][k].p].symbol;
    picus_expr product = picus_mul(pool, p, model->velocities[spin + k].symbol);
    sum = picus_add(pool, sum, picus_mul(pool, picus_number(pool, 0.5 * terms[row][k].sign), product));
  }
  return sum;
}

static picus_expr rate_of(picus_model *model, picus_model_variable variable) {
  if (variable.kind == PICUS_VARIABLE_TIME) return picus_number(model->pool, 1);
  if (variable.kind == PICUS_VARIABLE_DISPLACEMENT) return model->nodes[variable.index].v;
  if (variable.kind != PICUS_VARIABLE_COORDINATE) return picus_number(model->pool, 0); /* inputs are held */
  const picus_model_coordinate *q = &model->coordinates[variable.index];
  if (picus_expr_valid(q->rate)) return q->rate;
  if (q->velocity >= 0) return model->velocities[q->velocity].symbol;
  return quaternion_rate(model, picus_model_body_of(model, variable.index), variable.index);
}

static picus_status velocity_of(handle_maker *m, picus_expr position, picus_expr *velocity) {
  picus_pool *pool = m->model->pool;
  *velocity = picus_number(pool, 0);
  picus_status status = picus_gradient_find(pool, position, &m->position);
  for (size_t k = 0; !status && k < m->position.count; k++) {
    const picus_slope *slope = &m->position.slopes[k];
    const picus_expr rate = rate_of(m->model, picus_model_variable_of(m->model, slope->variable));
    *velocity = picus_add(pool, *velocity, picus_mul(pool, slope->value, rate));
  }
  return status ? status : picus_pool_status(pool);
}

/* The generalized forces of a force along one axis: on each velocity it times the derivative of the velocity of the
 * point. */
static picus_status pull_along(handle_maker *m, picus_expr position, int axis, picus_expr stiffness) {
  picus_model *model = m->model;
  picus_pool *pool = model->pool;
  picus_expr velocity;
  picus_status status = velocity_of(m, position, &velocity);
  if (status) return status;
  const picus_expr ahead = picus_add(pool, position, picus_mul(pool, m->shared[6], velocity));
  const picus_expr force = picus_mul(pool, stiffness, picus_sub(pool, m->shared[axis], ahead));
  status = picus_gradient_find(pool, velocity, &m->velocity);
  for (size_t k = 0; !status && k < m->velocity.count; k++) {
    const picus_slope *slope = &m->velocity.slopes[k];
    const picus_variable_kind kind = picus_model_variable_of(model, slope->variable).kind;
    if (kind == PICUS_VARIABLE_VELOCITY || kind == PICUS_VARIABLE_DISPLACEMENT_VELOCITY)
      status = picus_model_add_force(model, picus_variable_name(pool, slope->variable),
                                     picus_mul(pool, force, slope->value));
  }
  return status;
}

static picus_status add_input(picus_model *model, const char *name, picus_expr *value) {
  picus_input_def def = picus_default_input_def();
  def.name = name;
  return picus_model_add_input(model, &def, value);
}

static picus_status add_handle(handle_maker *m, picus_handle handle, const picus_draw_vector base[4]) {
  picus_model *model = m->model;
  picus_pool *pool = model->pool;
  char name[PICUS_HANDLE_NAME];
  picus_expr stiffness;
  if (m->count == m->most) return PICUS_OK;
  snprintf(name, sizeof name, PICUS_HANDLE_INPUT "%d", m->count + 1);
  picus_status status = add_input(model, name, &stiffness);
  for (int i = 0; !status && i < 3; i++) {
    picus_expr position = base[0].x[i];
    if (!picus_expr_given(position)) continue; /* planar */
    for (int k = 1; k < handle.count; k++)
      if (picus_expr_given(base[k].x[i]))
        position = picus_add(pool, position, picus_mul(pool, m->shared[2 + k], base[k].x[i]));
    status = pull_along(m, position, i, stiffness);
  }
  if (!status)
    status = picus_grow(model->context, &model->handles, (size_t)model->handle_count, &model->handle_capacity,
                        sizeof *model->handles);
  if (status) return status;
  model->handles[model->handle_count++] = handle;
  m->count++;
  return PICUS_OK;
}

/* --- what is drawn in moving frames ------------------------------------------------------------------------------- */

/* Whether expressions of a point move with coordinates or displacements, and not with velocities: *moves. */
static picus_status examine_point(picus_model *model, const picus_expr *x, int count, bool *moves, bool *fit) {
  for (int i = 0; i < count; i++) {
    picus_dependencies on;
    if (!picus_expr_given(x[i])) continue;
    picus_status status = picus_model_examine(model, x[i], "a drawn point", NULL, &on);
    if (status) return status;
    if (on.coordinate >= 0 || on.displacement >= 0) *moves = true;
    if (on.velocity >= 0 || on.displacement_velocity >= 0) *fit = false;
  }
  return PICUS_OK;
}

static picus_status add_frame(handle_maker *m, int frame) {
  const picus_model_draw_frame *f = &m->model->draw.frames[frame - 1];
  bool moves = false, fit = true;
  picus_status status = examine_point(m->model, f->position.x, 3, &moves, &fit);
  if (!status) status = examine_point(m->model, f->rotation, 9, &moves, &fit);
  if (status || !moves || !fit) return status;
  picus_draw_vector base[4] = {f->position};
  const int axes = f->planar ? 2 : 3;
  for (int k = 0; k < axes; k++)
    for (int i = 0; i < axes; i++) base[1 + k].x[i] = f->rotation[3 * i + k];
  return add_handle(m, (picus_handle){.frame = frame, .count = 1 + axes}, base);
}

/* --- what is drawn by coordinates --------------------------------------------------------------------------------- */

static picus_status place_at_start(const handle_maker *m, const picus_draw_vector *point, double place[3]) {
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < 3; i++) {
    place[i] = 0;
    if (picus_expr_given(point->x[i])) status = picus_expr_evaluate(m->model->pool, point->x[i], m->start, &place[i]);
  }
  return status;
}

/* The part of v that is at right angles to the axes so far, which are unit vectors; its length. */
static double remove_axes(double axes[3][3], int count, double v[3]) {
  for (int k = 0; k < count; k++) {
    const double along = v[0] * axes[k][0] + v[1] * axes[k][1] + v[2] * axes[k][2];
    for (int i = 0; i < 3; i++) v[i] -= along * axes[k][i];
  }
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Takes a point into the base if it moves and does not lie in the span of those before. */
static picus_status take_point(handle_maker *m, int index, picus_handle *handle, double origin[3], double axes[3][3]) {
  const picus_draw_vector *point = &m->model->draw.points[index];
  bool moves = false, fit = true;
  double place[3];
  picus_status status = examine_point(m->model, point->x, 3, &moves, &fit);
  if (!status) status = place_at_start(m, point, place);
  if (status || !moves || !fit || !isfinite(place[0] + place[1] + place[2])) return status;
  if (handle->count == 0) {
    memcpy(origin, place, sizeof place);
  } else {
    double size = 0;
    for (int i = 0; i < 3; i++) {
      place[i] -= origin[i];
      size += place[i] * place[i];
    }
    const double rest = remove_axes(axes, handle->count - 1, place);
    if (!(rest > 0.1 * sqrt(size))) return PICUS_OK; /* also the same point */
    for (int i = 0; i < 3; i++) axes[handle->count - 1][i] = place[i] / rest;
  }
  handle->point[handle->count++] = index;
  return PICUS_OK;
}

static bool has_handle_kind(const picus_model_shape *shape) {
  return shape->frame == 0 && shape->kind != PICUS_DRAW_SPRING && shape->kind != PICUS_DRAW_ARROW &&
         shape->kind != PICUS_DRAW_TEXT;
}

/* Objects are shapes of one name; those before `first` have been treated. */
static bool is_first_of_name(const picus_model_draw *draw, int first) {
  for (int k = 0; k < first; k++)
    if (has_handle_kind(&draw->shapes[k]) && strcmp(draw->shapes[k].name, draw->shapes[first].name) == 0) return false;
  return true;
}

static picus_status add_object(handle_maker *m, int first) {
  const picus_model_draw *draw = &m->model->draw;
  const char *name = draw->shapes[first].name;
  picus_handle handle = {.frame = 0};
  double origin[3] = {0}, axes[3][3] = {{0}};
  picus_status status = PICUS_OK;
  for (int k = first; !status && k < draw->shape_count; k++) {
    const picus_model_shape *shape = &draw->shapes[k];
    if (!has_handle_kind(shape) || strcmp(shape->name, name) != 0) continue;
    for (int i = 0; !status && i < shape->count && i < POINTS_TRIED && handle.count < 4; i++)
      status = take_point(m, shape->first_point + i, &handle, origin, axes);
    if (!*name) break; /* shapes without a name are objects of their own */
  }
  if (status || handle.count == 0) return status;
  picus_draw_vector base[4] = {draw->points[handle.point[0]]};
  for (int k = 1; k < handle.count; k++)
    for (int i = 0; i < 3; i++) {
      const picus_expr at = draw->points[handle.point[k]].x[i];
      if (picus_expr_given(at)) base[k].x[i] = picus_sub(m->model->pool, at, base[0].x[i]);
    }
  return add_handle(m, handle, base);
}

/* --- all of a model ----------------------------------------------------------------------------------------------- */

static picus_status fill_start(handle_maker *m) {
  const picus_model *model = m->model;
  m->start = picus_allocate(model->context, (size_t)picus_variable_count(model->pool), sizeof *m->start);
  if (!m->start) return PICUS_ERROR_MEMORY;
  m->start[0] = model->run.values.sim.t_start;
  picus_model_fill_inputs(model, m->start);
  for (int i = 0; i < model->coordinate_count; i++)
    m->start[model->coordinates[i].variable] = model->coordinates[i].start;
  for (int i = 0; i < model->node_count; i++) {
    const picus_model_displacement *node = &model->nodes[i];
    m->start[node->x_variable] = model->structures[node->structure].start[node->index];
  }
  return PICUS_OK;
}

static picus_status add_all(handle_maker *m) {
  static const char *const shared[SHARED] = {"push_x", "push_y", "push_z", "push_a", "push_b", "push_c", "push_time"};
  const picus_model_draw *draw = &m->model->draw;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < SHARED; k++) status = add_input(m->model, shared[k], &m->shared[k]);
  if (!status) status = fill_start(m);
  for (int k = 1; !status && k <= draw->frame_count; k++) status = add_frame(m, k);
  for (int k = 0; !status && k < draw->shape_count; k++)
    if (has_handle_kind(&draw->shapes[k]) && (!*draw->shapes[k].name || is_first_of_name(draw, k)))
      status = add_object(m, k);
  return status;
}

picus_status picus_model_add_handles(picus_model *model, int most) {
  handle_maker m = {.model = model, .most = most};
  if (most < 0)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "%d handles are asked for; it must be 0 or more", most);
  if (model->handle_count > 0)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "the model has handles already; they can be added once");
  model->account = HANDLE_ACCOUNT;
  picus_status status = add_all(&m);
  model->account = NULL;
  picus_gradient_release(model->context, &m.position);
  picus_gradient_release(model->context, &m.velocity);
  picus_release(model->context, m.start);
  return status;
}

int picus_model_handle_count(const picus_model *model) { return model->handle_count; }

picus_handle picus_model_handle(const picus_model *model, int index) {
  return index >= 0 && index < model->handle_count ? model->handles[index] : (picus_handle){0};
}
