/* Rates of the coordinates and the kinematics of the laws, by exact differentiation:
 *
 *   q' = B u + beta,     gap velocity g' = (dg/dq B) u + dg/dq beta + dg/dt = W_N^T u + chi_N. */
#include "base/internal.h"
#include "derive/derivation.h"

static const char *velocity_name(const picus_model *model, int j) {
  return j < model->velocity_count ? model->velocities[j].name : model->nodes[j - model->velocity_count].v_name;
}

static picus_status fail_nonlinear(const derivation *d, const named_expr *linear, int velocity) {
  return picus_fail_at(d->model->context, PICUS_ERROR_MODEL, linear->place.file, linear->place.line,
                       "%s '%s' is not linear in the velocity '%s'; write it as a sum of velocities times "
                       "coefficients, plus a term without velocities",
                       linear->what, linear->name, velocity_name(d->model, velocity));
}

/* A coefficient that contains velocities: they may cancel. */
static picus_status check_coefficient(derivation *d, const named_expr *linear, int velocity, picus_expr *coefficient) {
  bool is_free;
  picus_status status = picus_derive_free_of_velocities(d, coefficient, &is_free);
  if (status || is_free) return status;
  if (!linear->is_nonlinear) return fail_nonlinear(d, linear, velocity);
  *linear->is_nonlinear = true;
  return PICUS_OK;
}

/* expr = sum_j coefficient_j u_j + rest, the coefficients into a row of a matrix; or an error that names the nonlinear
 * velocity. What is not a sum of products as it stands is differentiated. */
static picus_status split_linear(derivation *d, const named_expr *linear, expr_matrix *matrix, int row,
                                 picus_expr *rest) {
  picus_status status = picus_linear_find(d->pool, linear->expr, &d->at_rest, &d->linear, &d->gradient);
  const bool by_form = d->linear.is_linear;
  if (!status && !by_form) status = picus_gradient_find(d->pool, linear->expr, &d->gradient);
  for (size_t k = 0; !status && k < d->gradient.count; k++) {
    const int j = picus_derive_velocity(d, d->gradient.slopes[k].variable);
    if (j < 0 || (linear->rigid && j >= d->eq->nu)) continue;
    picus_expr coefficient = d->gradient.slopes[k].value;
    if (!by_form) status = check_coefficient(d, linear, j, &coefficient);
    if (!status) status = picus_derive_entry(d, matrix, row, j, coefficient);
  }
  if (status) return status;
  *rest = by_form && !d->linear.has_rest ? picus_derive_zero(d) : picus_derive_at_rest(d, linear->expr);
  return picus_derive_go_on(d);
}

picus_status picus_derive_rates(derivation *d) {
  const picus_model *model = d->model;
  equations *eq = d->eq;
  eq->identity_rates = eq->nq == eq->nu;
  picus_status quaternions = picus_derive_quaternion_rates(d);
  if (quaternions) return quaternions;
  for (int k = 0; k < eq->nq; k++) {
    const picus_model_coordinate *q = &model->coordinates[k];
    const bool by_formula = picus_expr_valid(q->rate);
    if (!by_formula && q->velocity < 0) continue; /* of a quaternion of a body */
    eq->rate[k] = by_formula ? q->rate : model->velocities[q->velocity].symbol;
    bool *is_nonlinear = q->is_state ? &d->model->coordinates[k].is_nonlinear : NULL;
    const named_expr rate = {eq->rate[k], "the rate of", q->name, by_formula ? q->rate_place : q->place,
                             false,       is_nonlinear};
    picus_status status = split_linear(d, &rate, &eq->B, k, &eq->beta[k]);
    if (status) return status;
    if (eq->rate[k].id != (k < eq->nu ? model->velocities[k].symbol.id : -1)) eq->identity_rates = false;
  }
  return picus_expr_matrix_sort(model->context, d->pool, &eq->B);
}

picus_status picus_derive_reject_state(const derivation *d, int coordinate, const char *what) {
  const picus_model_coordinate *q = &d->model->coordinates[coordinate];
  if (!q->is_nonlinear) return PICUS_OK;
  return picus_fail_at(
      d->model->context, PICUS_ERROR_UNSUPPORTED, q->rate_place.file, q->rate_place.line,
      "%s depends on the state '%s', whose rate is not linear in the velocities; make the rate linear, "
      "or use the state in forces only",
      what, q->name);
}

/* --- laws -------------------------------------------------------------------------------------------------------- */

int picus_model_law_rows(const picus_model_law *law) { return law->slips + picus_model_law_has_normal(law); }

/* Row of W^T and chi from the derivative of a function of position by one coordinate. */
static picus_status add_coordinate(derivation *d, int row, int coordinate, picus_expr slope) {
  equations *eq = d->eq;
  picus_status status = picus_derive_reject_state(d, coordinate, "a gap or a constraint");
  for (size_t at = eq->B.row_start[coordinate]; !status && at < eq->B.row_start[coordinate + 1]; at++) {
    const expr_entry *B = &eq->B.entries[at];
    status = picus_derive_entry(d, &eq->W, row, B->column, picus_mul(d->pool, slope, B->value));
  }
  eq->chi[row] = picus_add(d->pool, eq->chi[row], picus_mul(d->pool, slope, eq->beta[coordinate]));
  return status;
}

/* One row of W^T from a function of position, g(t, q, x): with_own: also chi and the entries of the model's own
 * velocities, not only those of nodes, whose velocities are the derivatives of their displacements x. */
static picus_status row_of_position(derivation *d, picus_expr g, int row, bool with_own) {
  if (with_own) d->eq->chi[row] = picus_derivative(d->pool, g, picus_expr_variable_index(d->pool, d->model->time));
  picus_status status = picus_gradient_find(d->pool, g, &d->gradient);
  for (size_t k = 0; !status && k < d->gradient.count; k++) {
    const picus_slope *slope = &d->gradient.slopes[k];
    const picus_model_variable variable = picus_model_variable_of(d->model, slope->variable);
    if (variable.kind == PICUS_VARIABLE_COORDINATE && with_own)
      status = add_coordinate(d, row, variable.index, slope->value);
    if (variable.kind == PICUS_VARIABLE_DISPLACEMENT)
      status = picus_derive_entry(d, &d->eq->W, row, d->eq->nu + variable.index, slope->value);
  }
  return status ? status : picus_derive_go_on(d);
}

/* The dependencies of an expression, except on flexible components. */
static picus_status find_dependence(derivation *d, picus_expr expr, bool *on_displacements, bool *on_coordinates) {
  *on_displacements = *on_coordinates = false;
  picus_status status = picus_expr_variables(d->pool, expr, &d->variables);
  for (size_t k = 0; !status && k < d->variables.count; k++) {
    const picus_variable_kind kind = picus_model_variable_of(d->model, d->variables.ids[k]).kind;
    *on_displacements = *on_displacements || kind == PICUS_VARIABLE_DISPLACEMENT;
    *on_coordinates = *on_coordinates || kind == PICUS_VARIABLE_COORDINATE;
  }
  return status;
}

/* If a law acts on flexible components with constant or time-dependent coefficients, and on the rest with coefficients
 * independent of their displacements, gap = g(t,q) + sum_i c_i(t) x_i, tangents have no terms that couple parts. Other
 * laws are noted. Rows without nodes may depend on anything. */
static picus_status check_separate(derivation *d, const expr_entry *entries, size_t count, int row) {
  bool has_nodes = false, displacements, coordinates;
  for (size_t k = 0; k < count; k++) has_nodes = has_nodes || entries[k].column >= d->eq->nu;
  if (!has_nodes) return PICUS_OK;
  picus_status status = find_dependence(d, d->eq->chi[row], &displacements, &coordinates);
  bool mixed = displacements;
  for (size_t k = 0; !status && !mixed && k < count; k++) {
    status = find_dependence(d, entries[k].value, &displacements, &coordinates);
    mixed = displacements || (entries[k].column >= d->eq->nu && coordinates);
  }
  if (!status && mixed) d->eq->turning = true;
  return status;
}

static picus_status derive_gap(derivation *d, const picus_model_law *law, int index, int row) {
  equations *eq = d->eq;
  eq->gap[index] = picus_expr_valid(law->gap) ? law->gap : law->position;
  if (!picus_expr_valid(law->rate)) return row_of_position(d, eq->gap[index], row, true);
  const named_expr rate = {law->rate, "the rate of", law->name, law->place, .rigid = true, .is_nonlinear = NULL};
  picus_status status = split_linear(d, &rate, &eq->W, row, &eq->chi[row]);
  return status ? status : row_of_position(d, eq->gap[index], row, false);
}

static picus_status derive_law(derivation *d, int index, int row) {
  const picus_model_law *law = &d->model->laws[index];
  equations *eq = d->eq;
  picus_status status = PICUS_OK;
  eq->gap[index] = picus_derive_zero(d);
  if (picus_expr_valid(law->velocity)) {
    const char *what = law->kind == PICUS_MODEL_CLUTCH ? "the velocity of clutch" : "the velocity constraint";
    const named_expr velocity = {law->velocity, what, law->name, law->place, false, NULL};
    return split_linear(d, &velocity, &eq->W, row, &eq->chi[row]);
  }
  if (law->kind == PICUS_MODEL_PRELOAD) return derive_gap(d, law, index, row);
  if (picus_model_law_has_normal(law)) status = derive_gap(d, law, index, row++);
  for (int s = 0; !status && s < law->slips; s++, row++) {
    const char *what = law->kind == PICUS_MODEL_ROLLING ? "the rolling velocity of" : "the slip of";
    const named_expr slip = {law->slip[s], what, law->name, law->place, false, NULL};
    status = split_linear(d, &slip, &eq->W, row, &eq->chi[row]);
  }
  return status;
}

static picus_status check_laws(derivation *d) {
  const expr_matrix *W = &d->eq->W;
  picus_status status = PICUS_OK;
  for (int i = 0, row = 0; i < d->eq->law_count; i++)
    for (int end = row + picus_model_law_rows(&d->model->laws[i]); !status && row < end; row++)
      status = check_separate(d, W->entries + W->row_start[row], W->row_start[row + 1] - W->row_start[row], row);
  return status;
}

picus_status picus_derive_laws(derivation *d) {
  picus_status status = PICUS_OK;
  for (int i = 0, row = 0; !status && i < d->eq->law_count; i++) {
    status = derive_law(d, i, row);
    if (!status) status = picus_derive_go_on(d);
    row += picus_model_law_rows(&d->model->laws[i]);
  }
  if (!status) status = picus_expr_matrix_sort(d->model->context, d->pool, &d->eq->W);
  return status || d->model->node_count == 0 ? status : check_laws(d);
}
