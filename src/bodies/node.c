/* Nodes of beams as bodies, and frames that follow coordinates. Rotations are small, R = 1 + r~, so that points of a
 * node are linear in its displacements. A shaft that spins about x turns by an angle of any size, R = (1 + r~) R_x,
 * with r across x; in rotating axes everything turns with them. */
#include "bodies/internal.h"

#include <math.h>
#include <stdio.h>

typedef struct node_symbols {
  picus_pool *pool;
  picus_vector u, v; /* displacements and their rates */
  picus_vector r, w; /* rotations and their rates */
} node_symbols;

/* v~ */
static void cross_matrix(picus_pool *pool, picus_vector v, picus_expr out[9]) {
  const picus_expr zero = picus_number(pool, 0);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out[4 * i] = zero;
    out[3 * i + j] = picus_neg(pool, v.x[k]);
    out[3 * j + i] = v.x[k];
  }
}

static void add_identity(picus_pool *pool, picus_expr R[9]) {
  for (int i = 0; i < 3; i++) R[4 * i] = picus_add(pool, R[4 * i], picus_number(pool, 1));
}

/* out = A B, which is not one of them */
static void multiply(picus_pool *pool, const picus_expr A[9], const picus_expr B[9], picus_expr out[9]) {
  for (int j = 0; j < 3; j++) {
    picus_vector column = picus_vector_rotate(pool, A, (picus_vector){{B[j], B[3 + j], B[6 + j]}});
    for (int i = 0; i < 3; i++) out[3 * i + j] = column.x[i];
  }
}

/* R_x of an angle, and its derivative for the rate of the angle. */
static void turn_about_x(picus_pool *pool, picus_expr angle, picus_expr rate, picus_expr R[9], picus_expr R_rate[9]) {
  const picus_expr zero = picus_number(pool, 0), c = picus_unary(pool, PICUS_COS, angle),
                   s = picus_unary(pool, PICUS_SIN, angle);
  for (int i = 0; i < 9; i++) R[i] = R_rate[i] = zero;
  R[0] = picus_number(pool, 1);
  R[4] = R[8] = c;
  R[7] = s;
  R[5] = picus_neg(pool, s);
  R_rate[4] = R_rate[8] = picus_neg(pool, picus_mul(pool, rate, s));
  R_rate[7] = picus_mul(pool, rate, c);
  R_rate[5] = picus_neg(pool, R_rate[7]);
}

static void set_small_rotation(const node_symbols *n, picus_body *out) {
  cross_matrix(n->pool, n->r, out->rotation);
  add_identity(n->pool, out->rotation);
  cross_matrix(n->pool, n->w, out->rotation_rate);
  out->omega = out->spin = n->w;
}

/* R = (1 + r~) R_x(angle), angle = spin t + rx: Omega = angle' (1, rz, -ry) + (0, ry', rz'). */
static void set_spinning_rotation(const node_symbols *n, double spin, picus_body *out) {
  picus_pool *pool = n->pool;
  picus_model *model = out->model;
  const picus_expr zero = picus_number(pool, 0), speed = picus_number(pool, spin);
  const picus_expr angle = picus_add(pool, picus_mul(pool, speed, model->time), n->r.x[0]);
  const picus_expr rate = picus_add(pool, speed, n->w.x[0]);
  const picus_vector r = {{zero, n->r.x[1], n->r.x[2]}}, w = {{zero, n->w.x[1], n->w.x[2]}};
  picus_expr T[9], T_rate[9], X[9], X_rate[9], first[9], second[9];
  cross_matrix(pool, r, T);
  add_identity(pool, T);
  cross_matrix(pool, w, T_rate);
  turn_about_x(pool, angle, rate, X, X_rate);
  multiply(pool, T, X, out->rotation);
  multiply(pool, T_rate, X, first);
  multiply(pool, T, X_rate, second);
  for (int i = 0; i < 9; i++) out->rotation_rate[i] = picus_add(pool, first[i], second[i]);
  out->omega = picus_vector_add(pool, picus_vector_rotate(pool, T, (picus_vector){{rate, zero, zero}}), w);
  out->spin = picus_vector_rotate_back(pool, X, w);
  out->spin.x[0] = picus_add(pool, out->spin.x[0], rate);
}

/* Everything so far is relative to axes that turn about x with the angle spin t. */
static void turn_axes(const node_symbols *n, double spin, picus_body *out) {
  picus_pool *pool = n->pool;
  const picus_expr speed = picus_number(pool, spin), zero = picus_number(pool, 0);
  picus_expr A[9], A_rate[9], R[9], first[9], second[9];
  turn_about_x(pool, picus_mul(pool, speed, out->model->time), speed, A, A_rate);
  for (int i = 0; i < 9; i++) R[i] = out->rotation[i];
  multiply(pool, A, R, out->rotation);
  multiply(pool, A_rate, R, first);
  multiply(pool, A, out->rotation_rate, second);
  for (int i = 0; i < 9; i++) out->rotation_rate[i] = picus_add(pool, first[i], second[i]);
  picus_vector turned = picus_vector_rotate(pool, A, out->velocity);
  out->velocity = picus_vector_add(pool, picus_vector_rotate(pool, A_rate, out->position), turned);
  out->position = picus_vector_rotate(pool, A, out->position);
  const picus_vector axis = {{speed, zero, zero}};
  out->omega = picus_vector_rotate(pool, A, picus_vector_add(pool, out->omega, axis));
  out->spin = picus_vector_add(pool, out->spin, axis);
}

static picus_status read_symbols(picus_model *model, const char *framework, int node, bool planar, picus_body *out,
                                 node_symbols *n) {
  picus_expr x[6], v[6];
  picus_status status = PICUS_OK;
  for (int c = 0; !status && c < 6; c++) {
    x[c] = v[c] = picus_number(model->pool, 0);
    if (planar && c >= PICUS_UZ && c <= PICUS_RY) continue;
    status = picus_model_beam_node(model, framework, node, (picus_component)c, &x[c], &v[c]);
  }
  if (status) return status;
  for (int c = 0; c < 6; c++) out->rates[c] = v[c];
  *n = (node_symbols){
      model->pool, {{x[0], x[1], x[2]}}, {{v[0], v[1], v[2]}}, {{x[3], x[4], x[5]}}, {{v[3], v[4], v[5]}}};
  return PICUS_OK;
}

static void add_motion(const picus_framework_map *map, picus_body *out) {
  picus_pool *pool = out->model->pool;
  const int time = picus_expr_variable_index(pool, out->model->time);
  for (int k = 0; k < 3; k++) {
    if (!picus_expr_given(map->motion[k])) continue;
    out->position.x[k] = picus_add(pool, out->position.x[k], map->motion[k]);
    out->velocity.x[k] = picus_add(pool, out->velocity.x[k], picus_derivative(pool, map->motion[k], time));
  }
}

/* The initial configuration, from the expressions. */
static picus_status find_start(picus_body *out) {
  picus_model *model = out->model;
  double *x = picus_allocate(model->context, (size_t)picus_variable_count(model->pool), sizeof *x);
  if (!x) return PICUS_ERROR_MEMORY;
  x[0] = model->run.values.sim.t_start;
  picus_model_fill_inputs(model, x);
  for (int i = 0; i < model->coordinate_count; i++) x[model->coordinates[i].variable] = model->coordinates[i].start;
  for (int i = 0; i < model->node_count; i++) {
    const picus_model_displacement *node = &model->nodes[i];
    x[node->x_variable] = model->structures[node->structure].start[node->index];
  }
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < 3; i++)
    status = picus_expr_evaluate(model->pool, out->position.x[i], x, &out->start_position[i]);
  for (int i = 0; !status && i < 9; i++)
    status = picus_expr_evaluate(model->pool, out->rotation[i], x, &out->start_rotation[i]);
  if (!status && out->planar) status = picus_expr_evaluate(model->pool, out->angle, x, &out->start_angle);
  picus_release(model->context, x);
  return status;
}

/* The same of a node whose axes neither move nor spin, by numbers: long beams have many nodes. */
static void set_start(const picus_model_structure *s, int node, picus_body *out) {
  const picus_framework_map *map = &s->map;
  const int *index = map->index + (size_t)node * (size_t)map->component_count;
  double x[6] = {0};
  for (int k = 0; k < map->component_count; k++) {
    const int component = map->component_count == 6 || k < 2 ? k : PICUS_RZ;
    if (index[k] >= 0) x[component] = s->start[index[k]];
  }
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out->start_position[i] = map->position[3 * (size_t)node + (size_t)i] + x[i];
    out->start_rotation[3 * i + j] = -x[3 + k];
    out->start_rotation[3 * j + i] = x[3 + k];
  }
  out->start_angle = x[PICUS_RZ];
}

static bool axes_move(const picus_framework_map *map) {
  for (int k = 0; k < 3; k++)
    if (picus_expr_given(map->motion[k])) return true;
  return map->spin != 0;
}

picus_status picus_model_make_node(picus_model *model, const char *framework, int node, picus_body *out) {
  picus_expr first;
  picus_status status = picus_model_beam_node(model, framework, node, PICUS_UX, &first, NULL); /* it exists */
  if (status) return status;
  const picus_model_structure *s = &model->structures[picus_model_find_name(model, framework).index];
  const picus_framework_map *map = &s->map;
  char name[PICUS_BODY_NAME_SIZE];
  snprintf(name, sizeof name, "%.50s.node%d", framework, node);
  *out = picus_body_blank(model, PICUS_NODE, name);
  out->planar = map->component_count == 3;
  node_symbols n;
  status = read_symbols(model, framework, node, out->planar, out, &n);
  if (status) return status;
  out->position =
      picus_vector_add(n.pool, picus_vector_number(n.pool, map->position + 3 * (size_t)(node - s->first)), n.u);
  out->velocity = n.v;
  if (out->planar) out->angle = n.r.x[2];
  if (map->spin != 0 && !map->rotating)
    set_spinning_rotation(&n, map->spin, out);
  else
    set_small_rotation(&n, out);
  if (map->spin != 0 && map->rotating) turn_axes(&n, map->spin, out);
  add_motion(map, out);
  status = picus_pool_status(model->pool);
  if (status || axes_move(map)) return status ? status : find_start(out);
  set_start(s, node - s->first, out);
  return PICUS_OK;
}

/* --- frames that follow coordinates ------------------------------------------------------------------------------- */

/* The rate of a variable of position: the velocity of a coordinate or displacement; invalid: it has none. */
static picus_expr rate_of(const picus_model *model, picus_model_variable variable) {
  if (variable.kind == PICUS_VARIABLE_DISPLACEMENT) return model->nodes[variable.index].v;
  const picus_model_coordinate *q = &model->coordinates[variable.index];
  return q->velocity >= 0 && !picus_expr_valid(q->rate) ? model->velocities[q->velocity].symbol : PICUS_NO_EXPR;
}

/* Adds the rate by one variable to the velocity, and notes it among the rates. */
static picus_status follow(picus_body *out, int *count, int axis, int variable) {
  picus_model *model = out->model;
  picus_pool *pool = model->pool;
  const picus_expr rate = rate_of(model, picus_model_variable_of(model, variable));
  if (!picus_expr_valid(rate))
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "the position of follower '%s' depends on '%s', which has no corresponding velocity",
                            out->name, picus_variable_name(pool, variable));
  const picus_expr slope = picus_derivative(pool, out->position.x[axis], variable);
  out->velocity.x[axis] = picus_add(pool, out->velocity.x[axis], picus_mul(pool, slope, rate));
  for (int k = 0; k < *count; k++)
    if (out->rates[k].id == rate.id) return PICUS_OK;
  if (*count == PICUS_FOLLOWER_MOST)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "the position of follower '%s' depends on more than %d coordinates", out->name,
                            PICUS_FOLLOWER_MOST);
  out->rates[(*count)++] = rate;
  return PICUS_OK;
}

static picus_status find_velocity(picus_body *out, int axis, int *count) {
  picus_model *model = out->model;
  picus_dependencies on;
  const picus_expr position = out->position.x[axis];
  picus_status status = picus_model_examine(model, position, "the position of follower", out->name, &on);
  if (!status) status = picus_model_require_rates(model, &on, "the position of follower", out->name);
  if (!status && (on.velocity >= 0 || on.displacement_velocity >= 0))
    status =
        picus_model_fail(model, PICUS_ERROR_MODEL, "the position of follower '%s' depends on a velocity", out->name);
  out->velocity.x[axis] = picus_derivative(model->pool, position, picus_expr_variable_index(model->pool, model->time));
  for (int v = 0; !status && v < picus_variable_count(model->pool); v++) {
    const picus_variable_kind kind = picus_model_variable_of(model, v).kind;
    const bool moves = kind == PICUS_VARIABLE_COORDINATE || kind == PICUS_VARIABLE_DISPLACEMENT;
    if (moves && picus_expr_depends_on(model->pool, position, v)) status = follow(out, count, axis, v);
  }
  return status;
}

picus_status picus_model_make_follower(picus_model *model, const char *name, picus_vector position, picus_body *out) {
  picus_status status = picus_body_check_name(model, "follower", name);
  if (status) return status;
  *out = picus_body_blank(model, PICUS_NODE, name);
  const picus_expr zero = picus_number(model->pool, 0);
  out->omega = out->spin;
  for (int i = 0; i < 9; i++) out->rotation_rate[i] = zero;
  for (int k = 0; k < 6; k++) out->rates[k] = zero;
  out->position = position;
  int count = 0;
  for (int i = 0; !status && i < 3; i++) status = find_velocity(out, i, &count);
  double z = 1;
  out->planar = picus_expr_is_number(model->pool, position.x[2], &z) && z == 0;
  out->angle = zero;
  if (!status) status = picus_pool_status(model->pool);
  return status ? status : find_start(out);
}
