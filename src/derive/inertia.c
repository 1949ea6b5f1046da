/* Lagrange's equations of the second kind, by exact differentiation:
 *
 *   d/dt (dT/du_j) - dT/dq_j + dV/dq_j = Q_j - dD/du_j     with u = q'
 *
 * With T = u^T M u / 2 + b^T u + T0 (b and T0 only if constraints move with time) that is M u' = h,
 *
 *   h_j = Q_j - dV/dq_j - dD/du_j + sum_kl (dM_kl/dq_j / 2 - dM_jk/dq_l) u_k u_l
 *         + sum_k (db_k/dq_j - db_j/dq_k - dM_jk/dt) u_k + dT0/dq_j - db_j/dt.
 *
 * With the simplified M the quadratic terms are compact; differentiating T itself would hide cancellations. Only the
 * terms that are not zero are visited: which they are follows from the variables of the entries of M. */
#include "base/internal.h"
#include "derive/derivation.h"

#include <stdlib.h>

/* --- the mass matrix --------------------------------------------------------------------------------------------- */

/* Row i of the lower triangle: derivatives of the momentum dT/du_i. */
static picus_status derive_mass_row(derivation *d, int i, picus_expr momentum) {
  const picus_model *model = d->model;
  picus_status status = picus_gradient_find(d->pool, momentum, &d->gradient);
  for (size_t k = 0; !status && k < d->gradient.count; k++) {
    const int j = picus_derive_velocity(d, d->gradient.slopes[k].variable);
    if (j < 0 || j > i) continue;
    picus_expr entry = d->gradient.slopes[k].value;
    bool is_free;
    status = picus_derive_free_of_velocities(d, &entry, &is_free);
    if (!status && !is_free)
      return picus_fail_at(model->context, PICUS_ERROR_MODEL, model->kinetic.place.file, model->kinetic.place.line,
                           "the kinetic energy is not quadratic in the velocities: its second derivative with respect "
                           "to '%s' and '%s' depends on velocities",
                           model->velocities[i].name, model->velocities[j].name);
    if (!status) status = picus_derive_entry(d, &d->eq->M, i, j, entry);
  }
  return status ? status : picus_derive_go_on(d);
}

/* dT/du_j for all velocities, into nu expressions. */
static picus_status find_momenta(derivation *d, picus_expr *momenta) {
  for (int j = 0; j < d->eq->nu; j++) momenta[j] = picus_derive_zero(d);
  picus_status status = picus_gradient_find(d->pool, d->eq->kinetic, &d->gradient);
  for (size_t k = 0; !status && k < d->gradient.count; k++) {
    const int j = picus_derive_velocity(d, d->gradient.slopes[k].variable);
    if (j >= 0) momenta[j] = d->gradient.slopes[k].value;
  }
  return status;
}

/* M from the kinetic energy; it must be a quadratic form in u (plus linear and constant terms if rheonomic). */
static picus_status mass_from_energy(derivation *d) {
  picus_expr *momenta = picus_allocate(d->model->context, (size_t)d->eq->nu, sizeof *momenta);
  picus_status status = momenta ? find_momenta(d, momenta) : PICUS_ERROR_MEMORY;
  for (int i = 0; !status && i < d->eq->nu; i++) status = derive_mass_row(d, i, momenta[i]);
  picus_release(d->model->context, momenta);
  return status;
}

/* u_i u_j M_ij / 2 of a given entry joins the kinetic energy. */
static picus_status take_entry(derivation *d, int i, int j, picus_expr value) {
  const picus_model *model = d->model;
  bool is_free;
  picus_status status = picus_derive_free_of_velocities(d, &value, &is_free);
  if (status) return status;
  if (!is_free)
    return picus_fail_at(model->context, PICUS_ERROR_MODEL, model->mass_place.file, model->mass_place.line,
                         "entry (%d, %d) of the mass matrix depends on velocities", i + 1, j + 1);
  const picus_expr product = picus_mul(d->pool, model->velocities[i].symbol, model->velocities[j].symbol);
  const picus_expr half_product = picus_mul(d->pool, picus_number(d->pool, 0.5), product);
  d->eq->kinetic = picus_add(d->pool, d->eq->kinetic, picus_mul(d->pool, half_product, value));
  return j <= i ? picus_derive_entry(d, &d->eq->M, i, j, value) : PICUS_OK;
}

static picus_status mass_as_given(derivation *d) {
  const size_t n = (size_t)d->eq->nu;
  picus_status status = PICUS_OK;
  d->eq->kinetic = picus_derive_zero(d);
  for (size_t at = 0; !status && d->model->mass_count && at < n * n; at++) {
    if (at % n == 0) status = picus_derive_go_on(d);
    if (!status) status = take_entry(d, (int)(at / n), (int)(at % n), d->model->mass[at]);
  }
  return status;
}

picus_status picus_derive_mass(derivation *d) {
  picus_status status = picus_expr_valid(d->model->kinetic.expr) ? mass_from_energy(d) : mass_as_given(d);
  return status ? status : picus_expr_matrix_sort(d->model->context, d->pool, &d->eq->M);
}

picus_status picus_derive_inertia(derivation *d, picus_model_inertia inertia) {
  equations *eq = d->eq;
  const int a = inertia.a, b = inertia.b;
  picus_status status =
      picus_derive_entry(d, &eq->M, a > b ? a : b, a > b ? b : a, picus_number(d->pool, inertia.value));
  picus_expr product = picus_mul(d->pool, d->model->velocities[a].symbol, d->model->velocities[b].symbol);
  const double factor = a == b ? 0.5 * inertia.value : inertia.value;
  eq->kinetic = picus_add(d->pool, eq->kinetic, picus_mul(d->pool, picus_number(d->pool, factor), product));
  return status;
}

picus_status picus_derive_inertias(derivation *d) {
  const picus_model *model = d->model;
  if (!picus_expr_valid(d->eq->kinetic)) d->eq->kinetic = picus_derive_zero(d);
  picus_status status = picus_derive_body_inertias(d);
  for (int i = 0; !status && i < model->inertia_count; i++) status = picus_derive_inertia(d, model->inertias[i]);
  return status ? status : picus_expr_matrix_sort(model->context, d->pool, &d->eq->M);
}

/* --- terms of the kinetic energy in h ---------------------------------------------------------------------------- */

static int time_variable(const derivation *d) { return picus_expr_variable_index(d->pool, d->model->time); }

/* d expr / dq of the coordinate whose velocity is u_k. If it is not the derivative of a coordinate, the kinetic energy
 * does not depend on it (picus_model_check). */
static picus_expr by_coordinate(derivation *d, picus_expr expr, int k) {
  const int coordinate = d->model->velocities[k].coordinate;
  if (coordinate < 0) return picus_derive_zero(d);
  return picus_derivative(d->pool, expr, d->model->coordinates[coordinate].variable);
}

/* The same of M_ij. */
static picus_expr mass_by_coordinate(derivation *d, int i, int j, int k) {
  const expr_entry *entry = picus_expr_matrix_at(&d->eq->M, i > j ? i : j, i > j ? j : i);
  return entry ? by_coordinate(d, entry->value, k) : picus_derive_zero(d);
}

/* A term of h_j: of u_k u_l, k >= l, or of u_k alone. */
typedef struct inertia_term {
  int j, k, l;
} inertia_term;
typedef struct inertia_terms {
  inertia_term *terms;
  size_t count, capacity;
} inertia_terms;

static picus_status note_term(derivation *d, inertia_terms *list, int j, int k, int l) {
  picus_status status = picus_grow(d->model->context, &list->terms, list->count, &list->capacity, sizeof *list->terms);
  if (status) return status;
  list->terms[list->count++] = (inertia_term){j, k > l ? k : l, k > l ? l : k};
  return PICUS_OK;
}

static int compare_terms(const void *a, const void *b) {
  const inertia_term *x = a, *y = b;
  if (x->j != y->j) return x->j < y->j ? -1 : 1;
  if (x->k != y->k) return x->k < y->k ? -1 : 1;
  return (x->l > y->l) - (x->l < y->l);
}

static void sort_terms(inertia_terms *list) {
  size_t kept = 0;
  if (list->count) qsort(list->terms, list->count, sizeof *list->terms, compare_terms);
  for (size_t k = 0; k < list->count; k++)
    if (kept == 0 || compare_terms(&list->terms[kept - 1], &list->terms[k]) != 0) list->terms[kept++] = list->terms[k];
  list->count = kept;
}

/* The velocity whose coordinate a variable is; -1: none. */
static int velocity_of(const derivation *d, int variable) {
  const int coordinate = picus_derive_coordinate(d, variable);
  return coordinate < 0 ? -1 : d->velocity_of[coordinate];
}

/* M_ab that depends on q_j is in dM_ab/dq_j of h_j, in dM_ab/dq_j of h_a, and in dM_ba/dq_j of h_b. */
static picus_status list_quadratic_terms(derivation *d, inertia_terms *list) {
  const expr_matrix *M = &d->eq->M;
  for (size_t at = 0; at < M->count; at++) {
    const expr_entry *entry = &M->entries[at];
    picus_status status = picus_expr_variables(d->pool, entry->value, &d->variables);
    for (size_t k = 0; !status && k < d->variables.count; k++) {
      const int j = velocity_of(d, d->variables.ids[k]);
      if (j < 0) continue;
      status = note_term(d, list, j, entry->row, entry->column);
      if (!status) status = note_term(d, list, entry->row, entry->column, j);
      if (!status) status = note_term(d, list, entry->column, entry->row, j);
    }
    if (status) return status;
  }
  sort_terms(list);
  return PICUS_OK;
}

/* (dM_kl/dq_j / 2 - dM_jk/dq_l) u_k u_l, the terms of u_k u_l and u_l u_k taken together. */
static picus_expr quadratic_term(derivation *d, const inertia_term *term) {
  const int j = term->j, k = term->k, l = term->l;
  picus_expr factor, slope = mass_by_coordinate(d, k, l, j);
  if (k == l) {
    slope = picus_mul(d->pool, picus_number(d->pool, 0.5), slope);
    factor = picus_sub(d->pool, slope, mass_by_coordinate(d, j, k, k));
  } else {
    factor = picus_sub(d->pool, slope, mass_by_coordinate(d, j, k, l));
    factor = picus_sub(d->pool, factor, mass_by_coordinate(d, j, l, k));
  }
  picus_expr product = picus_mul(d->pool, d->model->velocities[k].symbol, d->model->velocities[l].symbol);
  return picus_mul(d->pool, factor, product);
}

/* b_k that depends on q_j is in h_j and in h_k; M_jk that depends on time is also in both. */
static picus_status list_linear_terms(derivation *d, const picus_expr *b, inertia_terms *list) {
  const expr_matrix *M = &d->eq->M;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < d->eq->nu; k++) {
    status = picus_expr_variables(d->pool, b[k], &d->variables);
    for (size_t at = 0; !status && at < d->variables.count; at++) {
      const int j = velocity_of(d, d->variables.ids[at]);
      if (j < 0) continue;
      status = note_term(d, list, j, k, -1);
      if (!status) status = note_term(d, list, k, j, -1);
    }
  }
  for (size_t at = 0; !status && at < M->count; at++) {
    const expr_entry *entry = &M->entries[at];
    if (!picus_expr_depends_on(d->pool, entry->value, time_variable(d))) continue;
    status = note_term(d, list, entry->row, entry->column, -1);
    if (!status) status = note_term(d, list, entry->column, entry->row, -1);
  }
  sort_terms(list);
  return status;
}

/* (db_k/dq_j - db_j/dq_k - dM_jk/dt) u_k */
static picus_expr linear_term(derivation *d, const picus_expr *b, const inertia_term *term) {
  const int j = term->j, k = term->k;
  const picus_expr other = by_coordinate(d, b[j], k);
  picus_expr factor = picus_sub(d->pool, by_coordinate(d, b[k], j), other);
  const expr_entry *entry = picus_expr_matrix_at(&d->eq->M, j > k ? j : k, j > k ? k : j);
  if (entry) factor = picus_sub(d->pool, factor, picus_derivative(d->pool, entry->value, time_variable(d)));
  return picus_mul(d->pool, factor, d->model->velocities[k].symbol);
}

/* dT0/dq_j for all velocities, into nu expressions. */
static picus_status find_centrifugal(derivation *d, picus_expr *slopes) {
  for (int j = 0; j < d->eq->nu; j++) slopes[j] = picus_derive_zero(d);
  picus_status status = picus_gradient_find(d->pool, picus_derive_at_rest(d, d->eq->kinetic), &d->gradient);
  for (size_t k = 0; !status && k < d->gradient.count; k++) {
    const int j = velocity_of(d, d->gradient.slopes[k].variable);
    if (j >= 0) slopes[j] = d->gradient.slopes[k].value;
  }
  return status;
}

/* Adds the terms of row j from a sorted list, *at being the first that is left. */
static picus_expr add_terms(derivation *d, const inertia_terms *list, size_t *at, int j, const picus_expr *b,
                            picus_expr sum) {
  for (; *at < list->count && list->terms[*at].j == j; ++*at) {
    const inertia_term *term = &list->terms[*at];
    sum = picus_add(d->pool, sum, b ? linear_term(d, b, term) : quadratic_term(d, term));
  }
  return sum;
}

static picus_status add_inertia_terms(derivation *d, picus_expr *b, picus_expr *centrifugal) {
  inertia_terms quadratic = {0}, linear = {0};
  picus_status status = find_momenta(d, b);
  for (int j = 0; !status && j < d->eq->nu; j++) b[j] = picus_derive_at_rest(d, b[j]);
  if (!status) status = find_centrifugal(d, centrifugal);
  if (!status) status = list_quadratic_terms(d, &quadratic);
  if (!status) status = list_linear_terms(d, b, &linear);
  size_t next_quadratic = 0, next_linear = 0;
  for (int j = 0; !status && j < d->eq->nu; j++) {
    picus_expr sum = add_terms(d, &quadratic, &next_quadratic, j, NULL, picus_derive_zero(d));
    picus_expr rest = picus_sub(d->pool, centrifugal[j], picus_derivative(d->pool, b[j], time_variable(d)));
    rest = add_terms(d, &linear, &next_linear, j, b, rest);
    d->eq->h[j] = picus_add(d->pool, d->eq->h[j], picus_add(d->pool, sum, rest));
    status = picus_derive_go_on(d);
  }
  picus_release(d->model->context, quadratic.terms);
  picus_release(d->model->context, linear.terms);
  return status;
}

static picus_status add_kinetic_forces(derivation *d) {
  picus_expr *b = picus_allocate(d->model->context, 2 * (size_t)d->eq->nu, sizeof *b);
  picus_status status = b ? add_inertia_terms(d, b, b + d->eq->nu) : PICUS_ERROR_MEMORY;
  picus_release(d->model->context, b);
  return status;
}

/* --- forces ------------------------------------------------------------------------------------------------------ */

/* The force on a node is reduced by a slope of V or D. */
static void reduce_node_force(derivation *d, int node, picus_expr slope) {
  picus_expr *force = &d->eq->node_force[node];
  *force = picus_expr_valid(*force) ? picus_sub(d->pool, *force, slope) : picus_neg(d->pool, slope);
}

/* - B^T dV/dq, coordinate by coordinate, and - dV/dx of nodes. */
static picus_status add_potential_forces(derivation *d) {
  equations *eq = d->eq;
  picus_status status = picus_gradient_find(d->pool, eq->potential, &d->gradient);
  for (size_t k = 0; !status && k < d->gradient.count; k++) {
    const int i = picus_derive_coordinate(d, d->gradient.slopes[k].variable);
    const picus_model_variable variable = picus_model_variable_of(d->model, d->gradient.slopes[k].variable);
    if (variable.kind == PICUS_VARIABLE_DISPLACEMENT) reduce_node_force(d, variable.index, d->gradient.slopes[k].value);
    if (i >= 0 && (status = picus_derive_reject_state(d, i, "a potential energy"))) return status;
    for (size_t at = i < 0 ? 0 : eq->B.row_start[i]; i >= 0 && at < eq->B.row_start[i + 1]; at++) {
      const expr_entry *B = &eq->B.entries[at];
      picus_expr force = picus_mul(d->pool, d->gradient.slopes[k].value, B->value);
      eq->h[B->column] = picus_sub(d->pool, eq->h[B->column], force);
    }
    if (k % 64 == 0) status = picus_derive_go_on(d);
  }
  return status;
}

/* - dD/du */
static picus_status add_dissipation_forces(derivation *d) {
  if (!picus_expr_valid(d->model->dissipation.expr)) return PICUS_OK;
  picus_status status = picus_gradient_find(d->pool, d->model->dissipation.expr, &d->gradient);
  for (size_t k = 0; !status && k < d->gradient.count; k++) {
    const int j = picus_derive_velocity(d, d->gradient.slopes[k].variable);
    if (j >= d->eq->nu)
      reduce_node_force(d, j - d->eq->nu, d->gradient.slopes[k].value);
    else if (j >= 0)
      d->eq->h[j] = picus_sub(d->pool, d->eq->h[j], d->gradient.slopes[k].value);
  }
  return status;
}

picus_status picus_derive_forces(derivation *d) {
  const picus_model *model = d->model;
  for (int j = 0; j < d->eq->nu; j++) {
    picus_expr h = model->force_vector_count ? model->force_vector[j] : picus_derive_zero(d);
    d->eq->h[j] = picus_expr_valid(model->velocities[j].force) ? picus_add(d->pool, h, model->velocities[j].force) : h;
  }
  picus_derive_body_forces(d);
  picus_status status = add_potential_forces(d);
  if (!status) status = add_dissipation_forces(d);
  if (!status && picus_expr_valid(model->kinetic.expr)) status = add_kinetic_forces(d);
  return status ? status : picus_derive_go_on(d);
}
