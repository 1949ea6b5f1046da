/* The equations of motion of a model, derived by exact differentiation; inertia.c and kinematics.c have the parts. */
#include "derive/equations.h"

#include "base/internal.h"
#include "derive/derivation.h"

#include <math.h>

enum { default_largest_dense = 48 };

/* --- tools ------------------------------------------------------------------------------------------------------- */

picus_expr picus_derive_zero(derivation *d) { return picus_number(d->pool, 0); }

picus_status picus_derive_entry(derivation *d, expr_matrix *matrix, int row, int column, picus_expr value) {
  return picus_expr_matrix_add(d->model->context, d->pool, matrix, (expr_entry){row, column, value});
}

picus_status picus_derive_go_on(derivation *d) {
  return picus_pool_look(d->pool) ? PICUS_OK : picus_pool_status(d->pool);
}

int picus_derive_velocity(const derivation *d, int variable) {
  const picus_model_variable v = picus_model_variable_of(d->model, variable);
  if (v.kind == PICUS_VARIABLE_VELOCITY) return v.index;
  return v.kind == PICUS_VARIABLE_DISPLACEMENT_VELOCITY ? d->model->velocity_count + v.index : -1;
}

int picus_derive_coordinate(const derivation *d, int variable) {
  const picus_model_variable v = picus_model_variable_of(d->model, variable);
  return v.kind == PICUS_VARIABLE_COORDINATE ? v.index : -1;
}

picus_expr picus_derive_at_rest(derivation *d, picus_expr expr) {
  return picus_substitute_all(d->pool, expr, &d->at_rest);
}

static picus_status depends_on_velocities(derivation *d, picus_expr expr, bool *depends) {
  *depends = false;
  picus_status status = picus_expr_variables(d->pool, expr, &d->variables);
  for (size_t k = 0; !status && k < d->variables.count; k++)
    *depends = *depends || picus_derive_velocity(d, d->variables.ids[k]) >= 0;
  return status;
}

/* A fixed sequence in [-1, 1] (additive recurrence with the golden ratio), so that checks are repeatable. */
static double scatter(int k) { return 2 * fmod(0.5 + 0.6180339887498949 * (double)(k + 1), 1.0) - 1; }

static void set_velocities(const derivation *d, double *x, int *k, bool moving) {
  for (int variable = 0; variable < picus_variable_count(d->pool); variable++)
    if (picus_derive_velocity(d, variable) >= 0) x[variable] = moving ? 1 + 2 * scatter((*k)++) : 0;
}

/* Does the value really change with u? Compares it at rest and at several velocities, around the initial state. */
static picus_status varies_with_velocities(derivation *d, picus_expr expr, bool *varies) {
  enum { POINTS = 6 };
  const picus_model *model = d->model;
  *varies = false;
  double *x = picus_allocate(model->context, (size_t)picus_variable_count(d->pool), sizeof *x);
  if (!x) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  int k = 0;
  for (int point = 0; !status && point < POINTS && !*varies; point++) {
    x[0] = model->run.values.sim.t_start;
    picus_model_fill_inputs(model, x);
    for (int i = 0; i < model->coordinate_count; i++)
      x[model->coordinates[i].variable] = model->coordinates[i].start + 0.1 * scatter(k++);
    for (int i = 0; i < model->node_count; i++) x[model->nodes[i].x_variable] = 0.1 * scatter(k++);
    double rest, moving;
    set_velocities(d, x, &k, false);
    status = picus_expr_evaluate(d->pool, expr, x, &rest);
    set_velocities(d, x, &k, true);
    if (!status) status = picus_expr_evaluate(d->pool, expr, x, &moving);
    if (status || !isfinite(moving)) continue;
    *varies = !isfinite(rest) || fabs(moving - rest) > 1e-9 * (fabs(moving) + fabs(rest));
  }
  picus_release(model->context, x);
  return status;
}

picus_status picus_derive_free_of_velocities(derivation *d, picus_expr *expr, bool *is_free) {
  bool varies = false;
  picus_status status = depends_on_velocities(d, *expr, &varies);
  *is_free = !varies;
  if (status || !varies) return status;
  status = varies_with_velocities(d, *expr, &varies);
  *is_free = !varies;
  if (!status && !varies) *expr = picus_derive_at_rest(d, *expr);
  return status;
}

/* --- the derivation ---------------------------------------------------------------------------------------------- */

static picus_status begin(picus_model *model, equations *eq, derivation *d) {
  *d = (derivation){.model = model, .pool = model->pool, .eq = eq};
  const size_t variables = (size_t)picus_variable_count(model->pool);
  d->zeros = picus_allocate(model->context, variables, sizeof *d->zeros);
  d->velocity_of = picus_allocate(model->context, (size_t)model->coordinate_count, sizeof *d->velocity_of);
  if (!d->zeros || !d->velocity_of) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < variables; k++)
    d->zeros[k] = picus_derive_velocity(d, (int)k) >= 0 ? PICUS_ID_ZERO : PICUS_ID_INVALID;
  d->at_rest = picus_replacements_of(d->pool, d->zeros);
  for (int i = 0; i < model->coordinate_count; i++) d->velocity_of[i] = -1;
  for (int j = 0; j < model->velocity_count; j++)
    if (model->velocities[j].coordinate >= 0) d->velocity_of[model->velocities[j].coordinate] = j;
  return PICUS_OK;
}

static void end(derivation *d) {
  picus_release(d->model->context, d->zeros);
  picus_release(d->model->context, d->velocity_of);
  picus_release(d->model->context, d->variables.ids);
  picus_gradient_release(d->model->context, &d->gradient);
  picus_linear_release(d->model->context, &d->linear);
}

static picus_status allocate_equations(picus_model *model, equations *eq) {
  *eq = (equations){.nq = model->coordinate_count, .nu = model->velocity_count, .law_count = model->law_count};
  for (int i = 0; i < eq->law_count; i++) eq->row_count += picus_model_law_rows(&model->laws[i]);
  picus_context *context = model->context;
  eq->rate = picus_allocate(context, (size_t)eq->nq, sizeof(picus_expr));
  eq->beta = picus_allocate(context, (size_t)eq->nq, sizeof(picus_expr));
  eq->h = picus_allocate(context, (size_t)eq->nu, sizeof(picus_expr));
  eq->gap = picus_allocate(context, (size_t)eq->law_count, sizeof(picus_expr));
  eq->chi = picus_allocate(context, (size_t)eq->row_count, sizeof(picus_expr));
  eq->native = picus_allocate(context, (size_t)model->body_count, sizeof *eq->native);
  eq->node_force = picus_allocate(context, (size_t)model->node_count, sizeof(picus_expr));
  if (!eq->rate || !eq->beta || !eq->h || !eq->gap || !eq->chi || !eq->native || !eq->node_force)
    return PICUS_ERROR_MEMORY;
  for (int i = 0; i < model->node_count; i++) eq->node_force[i] = model->nodes[i].force;
  picus_status status = picus_expr_matrix_create(context, eq->nq, &eq->B);
  if (!status) status = picus_expr_matrix_create(context, eq->nu, &eq->M);
  if (!status) status = picus_expr_matrix_create(context, eq->row_count, &eq->W);
  return status;
}

static picus_status derive(derivation *d, bool as_formulas) {
  const picus_model *model = d->model;
  equations *eq = d->eq;
  eq->kinetic = model->kinetic.expr;
  eq->potential = picus_expr_valid(model->potential.expr) ? model->potential.expr : picus_derive_zero(d);
  picus_status status = picus_derive_choose_bodies(d, as_formulas);
  if (!status) picus_derive_weight_energy(d);
  if (!status) status = picus_derive_rates(d);
  if (!status) status = picus_derive_mass(d);
  if (!status) status = picus_derive_forces(d);
  if (!status) status = picus_derive_inertias(d);
  if (!status) status = picus_derive_laws(d);
  if (!status) status = picus_derive_works(d);
  return status ? status : picus_pool_status(d->pool);
}

picus_status picus_equations_derive(picus_model *model, const picus_derivation *options, equations *out) {
  derivation d;
  picus_status status = allocate_equations(model, out);
  if (status) return status;
  out->largest_dense = options->largest_dense > 0 ? options->largest_dense : default_largest_dense;
  status = begin(model, out, &d);
  if (!status) status = derive(&d, options->bodies_as_formulas);
  end(&d);
  return status;
}

void picus_equations_release(picus_context *context, equations *eq) {
  picus_release(context, eq->rate);
  picus_release(context, eq->beta);
  picus_release(context, eq->h);
  picus_release(context, eq->gap);
  picus_release(context, eq->chi);
  picus_release(context, eq->native);
  picus_release(context, eq->node_force);
  picus_release(context, eq->works);
  picus_expr_matrix_release(context, &eq->B);
  picus_expr_matrix_release(context, &eq->M);
  picus_expr_matrix_release(context, &eq->W);
  *eq = (equations){0};
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

/* Limits of deriving equations and Jacobians. */

/* 4 GiB; a quarter of the address space where a size has 32 bits */
static const size_t default_memory_limit = SIZE_MAX > UINT32_MAX ? (size_t)(UINT64_C(4) << 30) : SIZE_MAX / 4;
static const uint64_t default_node_limit = 10000000000;
static const double default_native_seconds = 300;

picus_derivation picus_derivation_complete(const picus_derivation *given) {
  picus_derivation most = given ? *given : (picus_derivation){0};
  if (!most.memory_limit) most.memory_limit = default_memory_limit;
  if (!most.node_limit) most.node_limit = default_node_limit;
  if (!(most.native_seconds > 0)) most.native_seconds = default_native_seconds;
  return most;
}

void picus_limits_begin(picus_context *context, const derivation_limits *limits, picus_pool_watch *watch) {
  const picus_derivation *most = &limits->most;
  *watch = (picus_pool_watch){.most = most->node_limit, .interrupt = most->interrupt, .user = most->user};
  picus_memory_limit(context, most->memory_limit);
}

void picus_limits_watch(picus_pool *pool, picus_pool_watch *watch) { picus_pool_set_watch(pool, watch); }

static picus_status fail_limit(picus_context *context, const derivation_limits *limits, uint64_t limit,
                               const char *unit) {
  return picus_fail(context, PICUS_ERROR_FILE_LIMIT,
                    "deriving the equations of '%s' exceeds the limit of %llu %s (%d velocities, %d laws); increase it "
                    "(--derive-memory, --derive-nodes), or make the model smaller",
                    limits->model, (unsigned long long)limit, unit, limits->velocity_count, limits->law_count);
}

picus_status picus_limits_end(picus_context *context, picus_pool *pool, const derivation_limits *limits,
                              picus_pool_watch *watch, picus_status status) {
  const bool refused = picus_memory_unlimit(context);
  if (pool && pool->watch) picus_pool_unwatch(pool, refused);
  if (refused && status) return fail_limit(context, limits, limits->most.memory_limit >> 20, "MB of memory");
  if (watch->exceeded) return fail_limit(context, limits, watch->most, "expression nodes");
  if (watch->interrupted)
    return picus_fail(context, PICUS_INTERRUPTED, "interrupted while deriving the equations of '%s'", limits->model);
  return status;
}
