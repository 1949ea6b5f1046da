/* The works of a model by name, as expressions. With T = u^T M u / 2 + b^T u + T0 and V(t, q), Lagrange's equations
 * give
 *
 *   d/dt (u^T M u / 2 - T0 + V) = u^T (Q - dD/du + W lambda) - dT/dt + dV/dt     (partial derivatives by t)
 *
 * and T + V is larger than the bracket by b^T u + 2 T0, which is stored. A mass matrix and a force vector that are
 * given do not follow from a T: their power is u^T h + u^T M' u / 2. */
#include "base/internal.h"
#include "derive/derivation.h"

enum { OWN_WORKS = 4 }; /* damping, time, force vector, inputs */

static picus_status add_work(derivation *d, const char *name, picus_expr power, picus_expr stored) {
  if (!picus_expr_valid(power) || !picus_expr_valid(stored)) return picus_pool_status(d->pool);
  d->eq->works[d->eq->work_count++] = (equation_work){name, power, stored};
  return PICUS_OK;
}

static bool is_zero(const derivation *d, picus_expr expr) {
  double value;
  return picus_expr_is_number(d->pool, expr, &value) && value == 0;
}

static picus_expr plus_product(derivation *d, picus_expr sum, picus_expr a, picus_expr b) {
  return picus_add(d->pool, sum, picus_mul(d->pool, a, b));
}

static picus_expr velocity_symbol(const derivation *d, int j) {
  const picus_model *model = d->model;
  return j < model->velocity_count ? model->velocities[j].symbol : model->nodes[j - model->velocity_count].v;
}

/* - u^T dD/du */
static picus_status book_damping(derivation *d) {
  if (!picus_expr_valid(d->model->dissipation.expr)) return PICUS_OK;
  picus_expr power = picus_derive_zero(d);
  picus_status status = picus_gradient_find(d->pool, d->model->dissipation.expr, &d->gradient);
  for (size_t k = 0; !status && k < d->gradient.count; k++) {
    const int j = picus_derive_velocity(d, d->gradient.slopes[k].variable);
    if (j >= 0) power = plus_product(d, power, d->gradient.slopes[k].value, velocity_symbol(d, j));
  }
  const picus_expr zero = picus_derive_zero(d);
  return status ? status : add_work(d, "damping", picus_neg(d->pool, power), zero);
}

static bool sets_motion(const picus_model *model) {
  for (int k = 0; k < model->setting_count; k++) {
    const picus_setting_kind kind = model->settings[k].kind;
    if (kind == SETTING_COORDINATE || kind == SETTING_VELOCITY) return true;
  }
  return false;
}

static int time_variable(const derivation *d) { return picus_expr_variable_index(d->pool, d->model->time); }

static bool is_input(const derivation *d, int variable) {
  for (int i = 0; i < d->model->input_count; i++)
    if (d->model->inputs[i].value_variable == variable) return true;
  return false;
}

/* dV/dt + dV/dq beta. *by_inputs: V changes when inputs are set. */
static picus_status power_of_potential(derivation *d, picus_expr *power, bool *by_inputs) {
  picus_status status = picus_gradient_find(d->pool, d->eq->potential, &d->gradient);
  for (size_t k = 0; !status && k < d->gradient.count; k++) {
    const int variable = d->gradient.slopes[k].variable, i = picus_derive_coordinate(d, variable);
    if (variable == time_variable(d)) *power = picus_add(d->pool, *power, d->gradient.slopes[k].value);
    if (i >= 0) *power = plus_product(d, *power, d->gradient.slopes[k].value, d->eq->beta[i]);
    *by_inputs = *by_inputs || is_input(d, variable);
  }
  return status;
}

/* - dT/dt, and b^T u + 2 T0 into what is stored. */
static picus_status power_of_kinetic(derivation *d, picus_expr *power, picus_expr *stored) {
  picus_status status = picus_gradient_find(d->pool, d->eq->kinetic, &d->gradient);
  const picus_expr rest = picus_derive_at_rest(d, d->eq->kinetic);
  *stored = plus_product(d, *stored, picus_number(d->pool, 2), rest);
  for (size_t k = 0; !status && k < d->gradient.count; k++) {
    const int variable = d->gradient.slopes[k].variable, j = picus_derive_velocity(d, variable);
    const picus_expr slope = d->gradient.slopes[k].value;
    if (variable == time_variable(d)) *power = picus_sub(d->pool, *power, slope);
    if (j >= 0) *stored = plus_product(d, *stored, picus_derive_at_rest(d, slope), velocity_symbol(d, j));
  }
  return status;
}

/* What depends on time explicitly: moving supports, stiffnesses that vary. */
static picus_status book_time(derivation *d) {
  picus_expr power = picus_derive_zero(d), stored = power;
  bool by_inputs = false;
  picus_status status = power_of_potential(d, &power, &by_inputs);
  if (!status && picus_expr_valid(d->model->kinetic.expr)) status = power_of_kinetic(d, &power, &stored);
  if (!status && !(is_zero(d, power) && is_zero(d, stored))) status = add_work(d, "time", power, stored);
  if (!status && by_inputs) status = add_work(d, PICUS_WORK_INPUTS, picus_derive_zero(d), picus_derive_zero(d));
  if (!status && sets_motion(d->model))
    status = add_work(d, PICUS_WORK_EVENTS, picus_derive_zero(d), picus_derive_zero(d));
  return status;
}

/* u^T h of a force vector, and u^T M' u / 2 of a given M. */
static picus_status book_given(derivation *d) {
  const picus_model *model = d->model;
  picus_expr power = picus_derive_zero(d);
  picus_status status = PICUS_OK;
  for (int j = 0; j < model->force_vector_count; j++)
    power = plus_product(d, power, model->force_vector[j], model->velocities[j].symbol);
  if (model->mass_count) status = picus_gradient_find(d->pool, d->eq->kinetic, &d->gradient);
  for (size_t k = 0; !status && model->mass_count && k < d->gradient.count; k++) {
    const int variable = d->gradient.slopes[k].variable, i = picus_derive_coordinate(d, variable);
    if (variable == time_variable(d)) power = picus_add(d->pool, power, d->gradient.slopes[k].value);
    if (i >= 0) power = plus_product(d, power, d->gradient.slopes[k].value, d->eq->rate[i]);
  }
  if (status || is_zero(d, power)) return status;
  return add_work(d, "force_vector", power, picus_derive_zero(d));
}

picus_status picus_derive_works(derivation *d) {
  const picus_model *model = d->model;
  d->eq->works = picus_allocate(model->context, (size_t)model->work_count + OWN_WORKS, sizeof *d->eq->works);
  if (!d->eq->works) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < model->work_count; i++)
    status = add_work(d, model->works[i].name, model->works[i].power, picus_derive_zero(d));
  if (!status) status = book_given(d);
  if (!status) status = book_damping(d);
  if (!status) status = book_time(d);
  return status ? status : picus_derive_go_on(d);
}
