/* Rigid bodies in the derivation: which of them are left to the code of rigid.c, and the formulas of the others. */
#include "base/internal.h"
#include "derive/derivation.h"

/* --- the choice -------------------------------------------------------------------------------------------------- */

static void take_back(derivation *d, const picus_model_body *body) {
  if (body) d->eq->native[body - d->model->bodies] = false;
}

static const picus_model_body *body_of_velocity(const picus_model *model, int velocity) {
  for (int low = 0, high = model->body_count; low < high;) { /* they are in the order of their velocities */
    const int middle = low + (high - low) / 2;
    const picus_model_body *body = &model->bodies[middle];
    if (velocity >= body->u0 && velocity < body->u0 + body->nu) return body;
    if (velocity < body->u0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

/* A kinetic energy may couple bodies to each other, and to other coordinates. */
static picus_status take_back_by_energy(derivation *d) {
  const picus_model *model = d->model;
  if (!picus_expr_valid(model->kinetic.expr)) return PICUS_OK;
  picus_status status = picus_expr_variables(d->pool, model->kinetic.expr, &d->variables);
  for (size_t k = 0; !status && k < d->variables.count; k++) {
    const picus_model_variable variable = picus_model_variable_of(model, d->variables.ids[k]);
    if (variable.kind == PICUS_VARIABLE_COORDINATE) take_back(d, picus_model_body_of(model, variable.index));
    if (variable.kind == PICUS_VARIABLE_VELOCITY) take_back(d, body_of_velocity(model, variable.index));
  }
  return status;
}

picus_status picus_derive_choose_bodies(derivation *d, bool as_formulas) {
  const picus_model *model = d->model;
  for (int i = 0; i < model->body_count; i++) d->eq->native[i] = !as_formulas && model->mass_count == 0;
  for (int i = 0; i < model->coordinate_count && model->body_count > 0; i++)
    if (picus_expr_valid(model->coordinates[i].rate)) take_back(d, picus_model_body_of(model, i));
  for (int i = 0; i < model->inertia_count; i++) {
    take_back(d, body_of_velocity(model, model->inertias[i].a));
    take_back(d, body_of_velocity(model, model->inertias[i].b));
  }
  return take_back_by_energy(d);
}

/* --- rates ------------------------------------------------------------------------------------------------------- */

static picus_expr p_of(const derivation *d, const picus_model_body *body, int i) {
  return d->model->coordinates[body->q0 + body->axes + i].symbol;
}

static picus_expr w_of(const derivation *d, const picus_model_body *body, int i) {
  return d->model->velocities[body->u0 + body->axes + i].symbol;
}

/* a_j b_k - a_k b_j of the axes j, k after i. */
static picus_expr cross_part(derivation *d, const picus_expr a[3], const picus_expr b[3], int i) {
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  const picus_expr less = picus_mul(d->pool, a[k], b[j]);
  return picus_sub(d->pool, picus_mul(d->pool, a[j], b[k]), less);
}

static picus_expr dot(derivation *d, const picus_expr a[3], const picus_expr b[3]) {
  picus_expr sum = picus_mul(d->pool, a[0], b[0]);
  for (int i = 1; i < 3; i++) sum = picus_add(d->pool, sum, picus_mul(d->pool, a[i], b[i]));
  return sum;
}

/* p' = p * (0, omega) / 2 with omega in the body frame. */
static void quaternion_rates(derivation *d, const picus_model_body *body, picus_expr *rate) {
  picus_pool *pool = d->pool;
  const picus_expr half = picus_number(pool, 0.5);
  const picus_expr e[3] = {p_of(d, body, 1), p_of(d, body, 2), p_of(d, body, 3)};
  const picus_expr w[3] = {w_of(d, body, 0), w_of(d, body, 1), w_of(d, body, 2)};
  rate[0] = picus_neg(pool, picus_mul(pool, half, dot(d, e, w)));
  for (int i = 0; i < 3; i++) {
    const picus_expr across = cross_part(d, e, w, i);
    picus_expr turn = picus_add(pool, picus_mul(pool, p_of(d, body, 0), w[i]), across);
    rate[1 + i] = picus_mul(pool, half, turn);
  }
}

/* The same as entries of B: which p, and its sign, times 1/2. */
static picus_status quaternion_entries(derivation *d, const picus_model_body *body) {
  static const struct {
    int p, sign;
  } entries[4][3] = {
      {{1, -1}, {2, -1}, {3, -1}}, {{0, 1}, {3, -1}, {2, 1}}, {{3, 1}, {0, 1}, {1, -1}}, {{2, -1}, {1, 1}, {0, 1}}};
  const int row = body->q0 + body->axes, column = body->u0 + body->axes;
  picus_status status = PICUS_OK;
  for (int i = 0; i < 4; i++)
    for (int j = 0; !status && j < 3; j++) {
      picus_expr factor = picus_number(d->pool, 0.5 * entries[i][j].sign);
      picus_expr value = picus_mul(d->pool, factor, p_of(d, body, entries[i][j].p));
      status = picus_derive_entry(d, &d->eq->B, row + i, column + j, value);
    }
  return status;
}

picus_status picus_derive_quaternion_rates(derivation *d) {
  const picus_model *model = d->model;
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < model->body_count; i++) {
    const picus_model_body *body = &model->bodies[i];
    if (!picus_model_body_is_spatial(body)) continue;
    const int first = body->q0 + body->axes;
    for (int k = 0; k < 4; k++) d->eq->rate[first + k] = d->eq->beta[first + k] = picus_derive_zero(d);
    if (!d->eq->native[i]) quaternion_rates(d, body, d->eq->rate + first);
    status = quaternion_entries(d, body);
    if (!status) status = picus_derive_go_on(d);
  }
  return status;
}

/* --- inertia and forces ------------------------------------------------------------------------------------------ */

static picus_status add_inertia(derivation *d, int a, int b, double value) {
  return value == 0 ? PICUS_OK : picus_derive_inertia(d, (picus_model_inertia){.a = a, .b = b, .value = value});
}

static picus_status body_inertias(derivation *d, const picus_model_body *body) {
  picus_status status = PICUS_OK;
  const int turn = body->u0 + body->axes;
  for (int i = 0; !status && i < body->axes; i++) status = add_inertia(d, body->u0 + i, body->u0 + i, body->mass);
  if (!picus_model_body_is_spatial(body))
    return status || body->nu == body->axes ? status : add_inertia(d, turn, turn, body->inertia[8]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; !status && j <= i; j++) status = add_inertia(d, turn + i, turn + j, body->inertia[3 * i + j]);
  return status;
}

picus_status picus_derive_body_inertias(derivation *d) {
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < d->model->body_count; i++)
    if (!d->eq->native[i]) status = body_inertias(d, &d->model->bodies[i]);
  return status;
}

/* The gyroscopic torque -omega x J omega. */
static void add_gyroscopic_torque(derivation *d, const picus_model_body *body) {
  const picus_expr w[3] = {w_of(d, body, 0), w_of(d, body, 1), w_of(d, body, 2)};
  picus_expr momentum[3], *h = d->eq->h + body->u0 + body->axes;
  for (int i = 0; i < 3; i++) {
    const double *J = body->inertia + (ptrdiff_t)3 * i;
    const picus_expr row[3] = {picus_number(d->pool, J[0]), picus_number(d->pool, J[1]), picus_number(d->pool, J[2])};
    momentum[i] = dot(d, row, w);
  }
  for (int i = 0; i < 3; i++) h[i] = picus_add(d->pool, h[i], cross_part(d, momentum, w, i));
}

/* Of a native body the weight alone: its energy is evaluated by code. */
static void add_weight(derivation *d, const picus_model_body *body) {
  for (int k = 0; k < body->axes; k++) {
    if (body->gravity[k] == 0) continue;
    picus_expr *h = &d->eq->h[body->u0 + k];
    *h = picus_add(d->pool, *h, picus_number(d->pool, body->mass * body->gravity[k]));
  }
}

void picus_derive_body_forces(derivation *d) {
  for (int i = 0; i < d->model->body_count; i++) {
    const picus_model_body *body = &d->model->bodies[i];
    if (d->eq->native[i])
      add_weight(d, body);
    else if (picus_model_body_is_spatial(body))
      add_gyroscopic_torque(d, body);
  }
}

void picus_derive_weight_energy(derivation *d) {
  for (int i = 0; i < d->model->body_count; i++) {
    const picus_model_body *body = &d->model->bodies[i];
    for (int k = 0; k < body->axes && !d->eq->native[i]; k++) {
      if (body->gravity[k] == 0) continue;
      picus_expr weight = picus_number(d->pool, body->mass * body->gravity[k]);
      picus_expr energy = picus_mul(d->pool, weight, d->model->coordinates[body->q0 + k].symbol);
      d->eq->potential = picus_sub(d->pool, d->eq->potential, energy);
    }
  }
}
