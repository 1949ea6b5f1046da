/* Lagrange's equations of the second kind and the kinematics of the laws, by exact differentiation:
 *
 *   d/dt (dT/du_j) - dT/dq_j + dV/dq_j = Q_j - dD/du_j     with u = q'
 *
 * With T = u^T M u / 2 + b^T u + T0 (b and T0 only if constraints move with time) that is M u' = h,
 *
 *   h_j = Q_j - dV/dq_j - dD/du_j + sum_kl (dM_kl/dq_j / 2 - dM_jk/dq_l) u_k u_l
 *         + sum_k (db_k/dq_j - db_j/dq_k - dM_jk/dt) u_k + dT0/dq_j - db_j/dt.
 *
 * With the simplified M the quadratic terms are compact; differentiating T itself would hide cancellations.
 *
 *   gap velocity g' = (dg/dq B) u + dg/dq beta + dg/dt = W_N^T u + chi_N. */
#include "system/equations.h"

#include "base/internal.h"
#include "expr/internal.h"

#include <math.h>

static picus_expr zero(picus_model *model) { return picus_number(model->pool, 0); }

/* The velocities of the model, followed by those of nodes of flexible components. */
static int velocity_count(const picus_model *model) { return model->velocity_count + model->node_count; }
static int velocity_variable(const picus_model *model, int j) {
  return j < model->velocity_count ? model->velocities[j].variable : model->nodes[j - model->velocity_count].v_variable;
}

static bool depends_on_velocities(const picus_model *model, picus_expr expr) {
  for (int j = 0; j < velocity_count(model); j++)
    if (picus_expr_depends_on(model->pool, expr, velocity_variable(model, j))) return true;
  return false;
}

static picus_expr at_rest(picus_model *model, picus_expr expr) {
  for (int j = 0; j < velocity_count(model); j++)
    expr = picus_substitute(model->pool, expr, velocity_variable(model, j), zero(model));
  return expr;
}

/* Checked once per row of a matrix: if a limit is exceeded, derivation stops. */
static picus_status go_on(picus_model *model) {
  return picus_pool_look(model->pool) ? PICUS_OK : picus_pool_status(model->pool);
}

/* A fixed sequence in [-1, 1] (additive recurrence with the golden ratio), so that checks are repeatable. */
static double scatter(int k) { return 2 * fmod(0.5 + 0.6180339887498949 * (double)(k + 1), 1.0) - 1; }

/* Does the value really change with u? Compares it at rest and at several velocities, near the initial state. */
static picus_status varies_with_velocities(picus_model *model, picus_expr expr, bool *varies) {
  enum { POINTS = 6 };
  picus_pool *pool = model->pool;
  *varies = false;
  double *x = picus_allocate(model->context, (size_t)picus_variable_count(pool), sizeof *x);
  if (!x) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  int k = 0;
  for (int point = 0; status == PICUS_OK && point < POINTS && !*varies; point++) {
    x[0] = model->run.t_start_given ? model->run.t_start : 0;
    for (int i = 0; i < model->coordinate_count; i++)
      x[model->coordinates[i].variable] = model->coordinates[i].start + 0.1 * scatter(k++);
    for (int i = 0; i < model->node_count; i++) x[model->nodes[i].x_variable] = 0.1 * scatter(k++);
    double rest, moving;
    for (int j = 0; j < velocity_count(model); j++) x[velocity_variable(model, j)] = 0;
    status = picus_expr_evaluate(pool, expr, x, &rest);
    for (int j = 0; j < velocity_count(model); j++) x[velocity_variable(model, j)] = 1 + 2 * scatter(k++);
    if (status == PICUS_OK) status = picus_expr_evaluate(pool, expr, x, &moving);
    if (status != PICUS_OK || !isfinite(moving)) continue; /* a point outside the domain of the expression */
    *varies = !isfinite(rest) || fabs(moving - rest) > 1e-9 * (fabs(moving) + fabs(rest));
  }
  picus_release(model->context, x);
  return status;
}

/* Makes an expression free of u: unchanged, or, if it only seems to depend on u (an undetected cancellation), at u = 0.
 * *possible: whether that is possible. */
static picus_status free_of_velocities(picus_model *model, picus_expr *expr, bool *possible) {
  *possible = true;
  if (!depends_on_velocities(model, *expr)) return PICUS_OK;
  bool varies;
  picus_status status = varies_with_velocities(model, *expr, &varies);
  if (status != PICUS_OK) return status;
  *possible = !varies;
  if (!varies) *expr = at_rest(model, *expr);
  return PICUS_OK;
}

/* An expression that must be linear in the velocities, and its name in messages. */
typedef struct velocity_formula {
  picus_expr expr;
  const char *what, *name;
  picus_place place;
} velocity_formula;

/* d expr / du by one velocity, which must be free of velocities: expr is linear in it. */
static picus_status linear_coefficient(picus_model *model, const velocity_formula *formula, int variable,
                                       const char *velocity, picus_expr *coefficient) {
  bool linear;
  *coefficient = picus_derivative(model->pool, formula->expr, variable);
  picus_status status = free_of_velocities(model, coefficient, &linear);
  if (status != PICUS_OK || linear) return status;
  return picus_fail_at(model->context, PICUS_ERROR_MODEL, formula->place.file, formula->place.line,
                       "%s '%s' is not linear in the velocity '%s'; write it as a sum of velocities times "
                       "coefficients, plus a term without velocities",
                       formula->what, formula->name, velocity);
}

/* expr = sum_j coefficients[j] u_j + rest, or an error that names the nonlinear velocity. */
static picus_status split_linear(picus_model *model, const velocity_formula *formula, picus_expr *coefficients,
                                 picus_expr *rest) {
  for (int j = 0; j < model->velocity_count; j++) {
    picus_status status =
        linear_coefficient(model, formula, model->velocities[j].variable, model->velocities[j].name, &coefficients[j]);
    if (status != PICUS_OK) return status;
  }
  *rest = at_rest(model, formula->expr);
  return go_on(model);
}

static picus_status derive_rates(picus_model *model, equations *eq) {
  eq->identity_rates = eq->nq == eq->nu;
  for (int k = 0; k < eq->nq; k++) {
    const picus_model_coordinate *q = &model->coordinates[k];
    bool by_formula = picus_expr_valid(q->rate);
    eq->rate[k] = by_formula ? q->rate : model->velocities[q->velocity].symbol;
    const velocity_formula rate = {eq->rate[k], "the rate of", q->name, by_formula ? q->rate_place : q->place};
    picus_status status = split_linear(model, &rate, eq->B + (size_t)k * (size_t)eq->nu, &eq->beta[k]);
    if (status != PICUS_OK) return status;
    if (eq->rate[k].id != (k < eq->nu ? model->velocities[k].symbol.id : -1)) eq->identity_rates = false;
  }
  return PICUS_OK;
}

/* M from the kinetic energy; it must be a quadratic form in u (plus linear and constant terms if rheonomic). */
static picus_status derive_mass(picus_model *model, equations *eq) {
  picus_pool *pool = model->pool;
  for (int i = 0; i < eq->nu && go_on(model) == PICUS_OK; i++) {
    picus_expr momentum = picus_derivative(pool, eq->kinetic, model->velocities[i].variable);
    for (int j = 0; j <= i; j++) {
      picus_expr entry = picus_derivative(pool, momentum, model->velocities[j].variable);
      bool quadratic;
      picus_status status = free_of_velocities(model, &entry, &quadratic);
      if (status != PICUS_OK) return status;
      if (!quadratic)
        return picus_fail_at(model->context, PICUS_ERROR_MODEL, model->kinetic.place.file, model->kinetic.place.line,
                             "the kinetic energy is not quadratic in the velocities: its second derivative with "
                             "respect to '%s' and '%s' depends on velocities",
                             model->velocities[i].name, model->velocities[j].name);
      eq->M[(size_t)i * (size_t)eq->nu + (size_t)j] = eq->M[(size_t)j * (size_t)eq->nu + (size_t)i] = entry;
    }
  }
  return PICUS_OK;
}

static picus_status take_given_mass(picus_model *model, equations *eq) {
  picus_pool *pool = model->pool;
  eq->kinetic = zero(model);
  for (int i = 0; i < eq->nu && go_on(model) == PICUS_OK; i++) {
    for (int j = 0; j < eq->nu; j++) {
      size_t at = (size_t)i * (size_t)eq->nu + (size_t)j;
      bool possible;
      eq->M[at] = model->mass_count ? model->mass[at] : zero(model);
      picus_status status = free_of_velocities(model, &eq->M[at], &possible);
      if (status != PICUS_OK) return status;
      if (!possible)
        return picus_fail_at(model->context, PICUS_ERROR_MODEL, model->mass_place.file, model->mass_place.line,
                             "entry (%d, %d) of the mass matrix depends on velocities", i + 1, j + 1);
      picus_expr half_product = picus_mul(pool, picus_number(pool, 0.5),
                                          picus_mul(pool, model->velocities[i].symbol, model->velocities[j].symbol));
      eq->kinetic = picus_add(pool, eq->kinetic, picus_mul(pool, half_product, eq->M[at]));
    }
  }
  return PICUS_OK;
}

static int time_variable(const picus_model *model) { return picus_expr_variable_index(model->pool, model->time); }

/* d expr / dq of the coordinate whose velocity is u_k. If it is not the derivative of a coordinate, the kinetic energy
 * does not depend on it (picus_model_check). */
static picus_expr by_coordinate(picus_model *model, picus_expr expr, int k) {
  if (model->velocities[k].coordinate < 0) return zero(model);
  return picus_derivative(model->pool, expr, model->coordinates[model->velocities[k].coordinate].variable);
}

/* sum_kl (dM_kl/dq_j / 2 - dM_jk/dq_l) u_k u_l, the terms of u_k u_l and u_l u_k taken together. */
static picus_expr quadratic_terms(picus_model *model, const equations *eq, int j) {
  picus_pool *pool = model->pool;
  const size_t n = (size_t)eq->nu;
  const picus_expr *row = eq->M + (size_t)j * n;
  picus_expr sum = zero(model);
  for (int k = 0; k < eq->nu && go_on(model) == PICUS_OK; k++) {
    for (int l = 0; l <= k; l++) {
      picus_expr slope = by_coordinate(model, eq->M[(size_t)k * n + (size_t)l], j);
      picus_expr factor;
      if (k == l) {
        slope = picus_mul(pool, picus_number(pool, 0.5), slope);
        factor = picus_sub(pool, slope, by_coordinate(model, row[k], k));
      } else {
        factor = picus_sub(pool, slope, by_coordinate(model, row[k], l));
        factor = picus_sub(pool, factor, by_coordinate(model, row[l], k));
      }
      picus_expr product = picus_mul(pool, model->velocities[k].symbol, model->velocities[l].symbol);
      sum = picus_add(pool, sum, picus_mul(pool, factor, product));
    }
  }
  return sum;
}

/* sum_k (db_k/dq_j - db_j/dq_k - dM_jk/dt) u_k + dT0/dq_j - db_j/dt; b: nu expressions */
static picus_expr rheonomic_terms(picus_model *model, const equations *eq, const picus_expr *b, picus_expr T0, int j) {
  picus_pool *pool = model->pool;
  const int time = time_variable(model);
  picus_expr sum = picus_sub(pool, by_coordinate(model, T0, j), picus_derivative(pool, b[j], time));
  for (int k = 0; k < eq->nu; k++) {
    picus_expr factor = picus_sub(pool, by_coordinate(model, b[k], j), by_coordinate(model, b[j], k));
    picus_expr growth = picus_derivative(pool, eq->M[(size_t)j * (size_t)eq->nu + (size_t)k], time);
    factor = picus_sub(pool, factor, growth);
    sum = picus_add(pool, sum, picus_mul(pool, factor, model->velocities[k].symbol));
  }
  return sum;
}

/* The parts of h that come from the kinetic energy, added to it. */
static picus_status add_inertia_terms(picus_model *model, equations *eq) {
  picus_expr *b = picus_allocate(model->context, (size_t)eq->nu, sizeof *b);
  if (!b) return PICUS_ERROR_MEMORY;
  picus_expr T0 = at_rest(model, eq->kinetic);
  for (int k = 0; k < eq->nu; k++)
    b[k] = at_rest(model, picus_derivative(model->pool, eq->kinetic, model->velocities[k].variable));
  for (int j = 0; j < eq->nu && go_on(model) == PICUS_OK; j++) {
    picus_expr inertia = picus_add(model->pool, quadratic_terms(model, eq, j), rheonomic_terms(model, eq, b, T0, j));
    eq->h[j] = picus_add(model->pool, eq->h[j], inertia);
  }
  picus_release(model->context, b);
  return PICUS_OK;
}

/* Constant entries of M and their kinetic energy; nothing to differentiate. */
static void add_inertias(picus_model *model, equations *eq) {
  picus_pool *pool = model->pool;
  if (!picus_expr_valid(eq->kinetic)) eq->kinetic = zero(model);
  for (int i = 0; i < model->inertia_count; i++) {
    const picus_model_inertia *inertia = &model->inertias[i];
    const size_t a = (size_t)inertia->a, b = (size_t)inertia->b, n = (size_t)eq->nu;
    picus_expr entry = picus_add(pool, eq->M[a * n + b], picus_number(pool, inertia->value));
    eq->M[a * n + b] = eq->M[b * n + a] = entry;
    picus_expr product = picus_mul(pool, model->velocities[a].symbol, model->velocities[b].symbol);
    double factor = a == b ? 0.5 * inertia->value : inertia->value;
    eq->kinetic = picus_add(pool, eq->kinetic, picus_mul(pool, picus_number(pool, factor), product));
  }
}

static picus_status derive_forces(picus_model *model, equations *eq) {
  picus_pool *pool = model->pool;
  for (int j = 0; j < eq->nu && go_on(model) == PICUS_OK; j++) {
    const picus_model_velocity *u = &model->velocities[j];
    picus_expr h = model->force_vector_count ? model->force_vector[j] : zero(model);
    if (picus_expr_valid(u->force)) h = picus_add(pool, h, u->force);
    for (int k = 0; k < eq->nq; k++) { /* - B^T dV/dq */
      picus_expr slope = picus_derivative(pool, eq->potential, model->coordinates[k].variable);
      h = picus_sub(pool, h, picus_mul(pool, slope, eq->B[(size_t)k * (size_t)eq->nu + (size_t)j]));
    }
    if (picus_expr_valid(model->dissipation.expr))
      h = picus_sub(pool, h, picus_derivative(pool, model->dissipation.expr, u->variable));
    eq->h[j] = h;
  }
  return picus_expr_valid(model->kinetic.expr) ? add_inertia_terms(model, eq) : PICUS_OK;
}

/* One row of W^T and its chi from a function of position, g(t,q). */
static void row_of_position(picus_model *model, const equations *eq, picus_expr g, picus_expr *row, picus_expr *chi) {
  picus_pool *pool = model->pool;
  for (int j = 0; j < eq->nu; j++) row[j] = zero(model);
  *chi = picus_derivative(pool, g, time_variable(model));
  for (int k = 0; k < eq->nq && go_on(model) == PICUS_OK; k++) {
    picus_expr slope = picus_derivative(pool, g, model->coordinates[k].variable);
    for (int j = 0; j < eq->nu; j++)
      row[j] = picus_add(pool, row[j], picus_mul(pool, slope, eq->B[(size_t)k * (size_t)eq->nu + (size_t)j]));
    *chi = picus_add(pool, *chi, picus_mul(pool, slope, eq->beta[k]));
  }
}

int picus_model_law_rows(const picus_model_law *law) {
  return law->slips + (law->kind == PICUS_MODEL_FRICTION ? 0 : 1);
}

static bool depends_on_displacements(const picus_model *model, picus_expr expr) {
  for (int i = 0; i < model->node_count; i++)
    if (picus_expr_depends_on(model->pool, expr, model->nodes[i].x_variable)) return true;
  return false;
}

static bool depends_on_coordinates(const picus_model *model, picus_expr expr) {
  for (int i = 0; i < model->coordinate_count; i++)
    if (picus_expr_depends_on(model->pool, expr, model->coordinates[i].variable)) return true;
  return false;
}

/* A law acts on flexible components with constant or time-dependent coefficients, and on the rest with coefficients
 * independent of their displacements: gap = g(t,q) + sum_i c_i(t) x_i. Tangents then have no terms that couple
 * parts. */
static picus_status check_separate(picus_model *model, const equations *eq, const picus_model_law *law, int row,
                                   size_t first) {
  const picus_expr *W = eq->W + (size_t)row * (size_t)eq->nu;
  bool mixed = depends_on_displacements(model, eq->chi[row]);
  for (int j = 0; !mixed && j < eq->nu; j++) mixed = depends_on_displacements(model, W[j]);
  for (size_t k = first; !mixed && k < eq->node_W_count; k++)
    mixed = depends_on_displacements(model, eq->node_W[k].value) || depends_on_coordinates(model, eq->node_W[k].value);
  if (!mixed) return PICUS_OK;
  return picus_fail_at(
      model->context, PICUS_ERROR_UNSUPPORTED, law->place.file, law->place.line,
      "the law '%s' is not linear in the displacements of flexible components; write gap and slip velocities as terms "
      "in t and q plus displacements times constant or time-dependent coefficients",
      law->name);
}

/* A row of a law: of all rows its number, and the expression that W and chi follow from. */
typedef struct law_row {
  const picus_model_law *law;
  int number;
  bool is_velocity; /* linear in velocities; else a position */
  picus_expr expr;
} law_row;

/* The entries of one row that belong to nodes: derivatives with respect to their displacements or velocities. */
static picus_status derive_node_row(picus_model *model, equations *eq, law_row row, int *nodes) {
  const velocity_formula formula = {row.expr, "the law", row.law->name, row.law->place};
  const size_t first = eq->node_W_count;
  const int count = picus_model_nodes_of(model, row.expr, nodes);
  if (count < 0) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < count; k++) {
    const picus_model_displacement *node = &model->nodes[nodes[k]];
    node_direction entry = {.row = row.number, .node = nodes[k]};
    picus_status status = PICUS_OK;
    if (row.is_velocity)
      status = linear_coefficient(model, &formula, node->v_variable, node->v_name, &entry.value);
    else
      entry.value = picus_derivative(model->pool, row.expr, node->x_variable);
    if (status == PICUS_OK)
      status = picus_grow(model->context, &eq->node_W, eq->node_W_count, &eq->node_W_capacity, sizeof *eq->node_W);
    if (status != PICUS_OK) return status;
    eq->node_W[eq->node_W_count++] = entry;
  }
  return count ? check_separate(model, eq, row.law, row.number, first) : PICUS_OK;
}

/* W^T u + chi from a velocity that the model gives. */
static picus_status derive_velocity_row(picus_model *model, equations *eq, law_row row, const char *what, int *nodes) {
  const velocity_formula formula = {row.expr, what, row.law->name, row.law->place};
  picus_status status =
      split_linear(model, &formula, eq->W + (size_t)row.number * (size_t)eq->nu, eq->chi + row.number);
  return status == PICUS_OK ? derive_node_row(model, eq, row, nodes) : status;
}

/* The first row of a law with a gap: its rate, which the model may give in a shorter form than the derivative. */
static picus_status derive_gap_row(picus_model *model, equations *eq, law_row row, int *nodes) {
  picus_expr *W = eq->W + (size_t)row.number * (size_t)eq->nu, *chi = eq->chi + row.number;
  const velocity_formula rate = {row.law->rate, "the rate of", row.law->name, row.law->place};
  picus_status status = PICUS_OK;
  if (picus_expr_valid(rate.expr))
    status = split_linear(model, &rate, W, chi);
  else
    row_of_position(model, eq, row.expr, W, chi);
  return status == PICUS_OK ? derive_node_row(model, eq, row, nodes) : status;
}

static picus_status derive_law(picus_model *model, equations *eq, int index, int row, int *nodes) {
  const picus_model_law *law = &model->laws[index];
  eq->gap[index] = zero(model);
  if (law->kind == PICUS_MODEL_CONSTRAINT && picus_expr_valid(law->velocity))
    return derive_velocity_row(model, eq, (law_row){law, row, true, law->velocity}, "the velocity constraint", nodes);
  picus_status status = PICUS_OK;
  if (law->kind != PICUS_MODEL_FRICTION) {
    eq->gap[index] = law->kind == PICUS_MODEL_CONTACT ? law->gap : law->position;
    status = derive_gap_row(model, eq, (law_row){law, row++, false, eq->gap[index]}, nodes);
  }
  for (int s = 0; status == PICUS_OK && s < law->slips; s++, row++)
    status = derive_velocity_row(model, eq, (law_row){law, row, true, law->slip[s]}, "the slip of", nodes);
  return status;
}

static picus_status derive_laws(picus_model *model, equations *eq) {
  int row = 0, *nodes = picus_allocate(model->context, (size_t)model->node_count, sizeof *nodes);
  picus_status status = nodes ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (int i = 0; status == PICUS_OK && i < eq->law_count; i++) {
    status = derive_law(model, eq, i, row, nodes);
    if (status == PICUS_OK) status = go_on(model);
    row += picus_model_law_rows(&model->laws[i]);
  }
  picus_release(model->context, nodes);
  return status;
}

static picus_status allocate_equations(picus_model *model, equations *eq) {
  *eq = (equations){.nq = model->coordinate_count, .nu = model->velocity_count, .law_count = model->law_count};
  for (int i = 0; i < eq->law_count; i++) eq->row_count += picus_model_law_rows(&model->laws[i]);
  size_t nq = (size_t)eq->nq, nu = (size_t)eq->nu, rows = (size_t)eq->row_count;
  picus_context *context = model->context;
  eq->rate = picus_allocate(context, nq, sizeof(picus_expr));
  eq->B = picus_allocate(context, nq * nu, sizeof(picus_expr));
  eq->beta = picus_allocate(context, nq, sizeof(picus_expr));
  eq->M = picus_allocate(context, nu * nu, sizeof(picus_expr));
  eq->h = picus_allocate(context, nu, sizeof(picus_expr));
  eq->gap = picus_allocate(context, (size_t)eq->law_count, sizeof(picus_expr));
  eq->W = picus_allocate(context, rows * nu, sizeof(picus_expr));
  eq->chi = picus_allocate(context, rows, sizeof(picus_expr));
  bool all = eq->rate && eq->B && eq->beta && eq->M && eq->h && eq->gap && eq->W && eq->chi;
  return all ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_equations_derive(picus_model *model, equations *out) {
  picus_status status = allocate_equations(model, out);
  if (status == PICUS_OK) status = derive_rates(model, out);
  if (status != PICUS_OK) return status;
  bool has_kinetic = picus_expr_valid(model->kinetic.expr);
  out->kinetic = model->kinetic.expr;
  out->potential = picus_expr_valid(model->potential.expr) ? model->potential.expr : zero(model);
  status = has_kinetic ? derive_mass(model, out) : take_given_mass(model, out);
  if (status == PICUS_OK) status = go_on(model);
  if (status == PICUS_OK) status = derive_forces(model, out);
  if (status == PICUS_OK) add_inertias(model, out);
  if (status == PICUS_OK) status = derive_laws(model, out);
  return status == PICUS_OK ? picus_pool_status(model->pool) : status;
}

void picus_equations_release(picus_context *context, equations *eq) {
  picus_release(context, eq->rate);
  picus_release(context, eq->B);
  picus_release(context, eq->beta);
  picus_release(context, eq->M);
  picus_release(context, eq->h);
  picus_release(context, eq->gap);
  picus_release(context, eq->W);
  picus_release(context, eq->chi);
  picus_release(context, eq->node_W);
}
