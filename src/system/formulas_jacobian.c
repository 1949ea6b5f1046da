/* The Jacobians of a model of formulas, as two tapes with a stage for each, holding only entries that are not zero. */
#include "system/formulas.h"

#include "base/internal.h"
#include "expr/internal.h"

#include <stdio.h>

typedef struct jacobian_builder {
  picus_model *model;
  const equations *eq;
  const picus_system *system;
  formulas_source *formulas;
  picus_gradient gradient;
  picus_expr *v, *P;           /* symbols of the given v and P */
  picus_expr *Mv, *gamma, *WP; /* nu, rows, nu: sums of products whose derivatives are needed */
  expr_matrix lists[JACOBIAN_COUNT];
} jacobian_builder;

static void release_builder(jacobian_builder *b) {
  picus_context *context = b->model->context;
  void *const arrays[] = {b->v, b->P, b->Mv, b->gamma, b->WP};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) picus_release(context, arrays[i]);
  for (int k = 0; k < JACOBIAN_COUNT; k++) picus_expr_matrix_release(context, &b->lists[k]);
  picus_gradient_release(context, &b->gradient);
}

static picus_status new_variables(jacobian_builder *b, const char *letter, int count, int **indices,
                                  picus_expr **symbols) {
  picus_pool *pool = b->model->pool;
  *indices = picus_allocate(b->model->context, (size_t)count, sizeof **indices);
  *symbols = picus_allocate(b->model->context, (size_t)count, sizeof **symbols);
  if (!*indices || !*symbols) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s.%d", letter, i);
    (*symbols)[i] = picus_variable(pool, name);
    (*indices)[i] = picus_expr_variable_index(pool, (*symbols)[i]);
  }
  return picus_pool_status(pool);
}

static picus_expr plus_product(picus_pool *pool, picus_expr sum, picus_expr a, picus_expr b) {
  return picus_add(pool, sum, picus_mul(pool, a, b));
}

/* Row by row: M v and W^T u + chi from rows, W P from columns of W^T. Nodes do not appear in them: the coefficients of
 * flexible components in a law do not depend on q. */
static void sum_products(jacobian_builder *b) {
  picus_pool *pool = b->model->pool;
  const equations *eq = b->eq;
  for (int i = 0; i < eq->nu; i++) b->Mv[i] = b->WP[i] = picus_number(pool, 0);
  for (int r = 0; r < eq->row_count; r++) b->gamma[r] = eq->chi[r];
  for (size_t k = 0; k < eq->M.count && picus_pool_may_go_on(pool, 1); k++) {
    const expr_entry *e = &eq->M.entries[k];
    b->Mv[e->row] = plus_product(pool, b->Mv[e->row], e->value, b->v[e->column]);
    if (e->row != e->column) b->Mv[e->column] = plus_product(pool, b->Mv[e->column], e->value, b->v[e->row]);
  }
  for (size_t k = 0; k < eq->W.count && picus_pool_may_go_on(pool, 1); k++) {
    const expr_entry *e = &eq->W.entries[k];
    if (e->column >= eq->nu) continue;
    b->gamma[e->row] = plus_product(pool, b->gamma[e->row], e->value, b->model->velocities[e->column].symbol);
    b->WP[e->column] = plus_product(pool, b->WP[e->column], e->value, b->P[e->row]);
  }
}

/* M v, W P and W^T u + chi with symbols for v and P: one derivative of a product replaces those of all entries. */
static picus_status make_products(jacobian_builder *b) {
  picus_context *context = b->model->context;
  const int nu = b->eq->nu, rows = b->eq->row_count;
  picus_status status = new_variables(b, "v", nu, &b->formulas->v_variable, &b->v);
  if (!status) status = new_variables(b, "P", rows, &b->formulas->P_variable, &b->P);
  if (status) return status;
  b->Mv = picus_allocate(context, (size_t)nu, sizeof(picus_expr));
  b->WP = picus_allocate(context, (size_t)nu, sizeof(picus_expr));
  b->gamma = picus_allocate(context, (size_t)rows, sizeof(picus_expr));
  if (!b->Mv || !b->WP || !b->gamma) return PICUS_ERROR_MEMORY;
  sum_products(b);
  return picus_pool_status(b->model->pool);
}

/* Derivatives of a list of expressions by all coordinates, or all velocities, of the model. */
static picus_status add_derivatives(jacobian_builder *b, int rows, const picus_expr *exprs, bool by_velocity,
                                    expr_matrix *list) {
  const picus_variable_kind wanted = by_velocity ? PICUS_VARIABLE_VELOCITY : PICUS_VARIABLE_COORDINATE;
  picus_status status = picus_expr_matrix_create(b->model->context, rows, list);
  for (int i = 0; !status && i < rows; i++) {
    status = picus_gradient_find(b->model->pool, exprs[i], &b->gradient);
    for (size_t k = 0; !status && k < b->gradient.count; k++) {
      const picus_slope *slope = &b->gradient.slopes[k];
      const picus_model_variable variable = picus_model_variable_of(b->model, slope->variable);
      if (variable.kind != wanted) continue;
      status =
          picus_expr_matrix_add(b->model->context, b->model->pool, list, (expr_entry){i, variable.index, slope->value});
    }
  }
  return status ? status : picus_expr_matrix_sort(b->model->context, b->model->pool, list);
}

static picus_status collect(jacobian_builder *b) {
  const equations *eq = b->eq;
  const struct {
    int rows;
    const picus_expr *exprs;
    bool by_velocity;
  } wanted[JACOBIAN_COUNT] = {
      [JACOBIAN_FORCE_Q] = {eq->nu, eq->h, false},
      [JACOBIAN_FORCE_U] = {eq->nu, eq->h, true},
      [JACOBIAN_GAP_Q] = {eq->law_count, eq->gap, false},
      [JACOBIAN_RATE_Q] = {eq->nq, eq->rate, false},
      [JACOBIAN_RATE_U] = {eq->nq, eq->rate, true},
      [JACOBIAN_MASS_Q] = {eq->nu, b->Mv, false},
      [JACOBIAN_VELOCITY_Q] = {eq->row_count, b->gamma, false},
      [JACOBIAN_DIRECTION_Q] = {eq->nu, b->WP, false},
  };
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < JACOBIAN_COUNT; k++)
    status = add_derivatives(b, wanted[k].rows, wanted[k].exprs, wanted[k].by_velocity, &b->lists[k]);
  return status;
}

/* --- places ------------------------------------------------------------------------------------------------------ */

/* The place of a coordinate of the system in a law's rows over coordinates. */
static size_t place_in_row(const picus_system *system, const system_law *law, int coordinate) {
  size_t place = 0;
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &system->parts[law->parts[b]];
    if (coordinate >= part->q0 && coordinate < part->q0 + part->nq) return place + (size_t)(coordinate - part->q0);
    place += (size_t)part->nq;
  }
  return place;
}

static void place_gaps(const picus_system *system, formula_entries *entries) {
  for (int k = 0; k < entries->count; k++) {
    const system_law *law = &system->fixed.laws[entries->row[k]];
    entries->at[k] = law->gap_q0 + place_in_row(system, law, entries->column[k]);
  }
}

static void place_velocities(const picus_system *system, formula_entries *entries) {
  for (int k = 0, i = 0; k < entries->count; k++) {
    while (entries->row[k] >= system->fixed.laws[i].data.first_row + system->fixed.laws[i].data.dim) i++;
    const system_law *law = &system->fixed.laws[i];
    entries->at[k] = law->Q0 + (size_t)(entries->row[k] - law->data.first_row) * (size_t)law->q_width +
                     place_in_row(system, law, entries->column[k]);
  }
}

/* Where each entry goes: into a block of a part, into the rows of a law, or into a dense matrix of the source. */
static picus_status place(jacobian_builder *b, jacobian_kind kind, formula_entries *entries) {
  picus_context *context = b->model->context;
  switch (kind) {
  case JACOBIAN_FORCE_Q:
  case JACOBIAN_MASS_Q:
    return picus_formula_entries_place(context, b->formulas, false, true, entries);
  case JACOBIAN_FORCE_U:
    return picus_formula_entries_place(context, b->formulas, false, false, entries);
  case JACOBIAN_RATE_Q:
    return picus_formula_entries_place(context, b->formulas, true, true, entries);
  case JACOBIAN_RATE_U:
    return picus_formula_entries_place(context, b->formulas, true, false, entries);
  case JACOBIAN_GAP_Q:
    place_gaps(b->system, entries);
    break;
  case JACOBIAN_VELOCITY_Q:
    place_velocities(b->system, entries);
    break;
  default:
    for (int k = 0; k < entries->count; k++)
      entries->at[k] = (size_t)entries->row[k] * (size_t)b->eq->nq + (size_t)entries->column[k];
  }
  return PICUS_OK;
}

static bool rows_are_numbers(const picus_pool *pool, const expr_matrix *list, int first, int count) {
  for (size_t k = list->row_start[first]; k < list->row_start[first + count]; k++)
    if (!picus_expr_is_number(pool, list->entries[k].value, NULL)) return false;
  return true;
}

static void note_constant_tangents(const jacobian_builder *b) {
  const picus_pool *pool = b->model->pool;
  for (int p = 0; p < b->formulas->part_count; p++) {
    system_part *part = &b->formulas->parts[p];
    part->tangents_constant = rows_are_numbers(pool, &b->lists[JACOBIAN_FORCE_Q], part->u0, part->nu) &&
                              rows_are_numbers(pool, &b->lists[JACOBIAN_FORCE_U], part->u0, part->nu);
  }
}

static picus_status compile(jacobian_builder *b) {
  picus_tape_stage stages[JACOBIAN_COUNT];
  picus_status status = PICUS_OK;
  size_t total = 0, at = 0;
  for (int k = 0; k < JACOBIAN_COUNT; k++) total += b->lists[k].count;
  picus_expr *outputs = picus_allocate(b->model->context, total, sizeof *outputs);
  if (!outputs) return PICUS_ERROR_MEMORY;
  for (int k = 0; !status && k < JACOBIAN_COUNT; k++) {
    formula_entries *entries = &b->formulas->jacobian[k];
    status = picus_formula_entries_create(b->model->context, &b->lists[k], entries);
    if (!status) status = place(b, (jacobian_kind)k, entries);
    stages[k] = (picus_tape_stage){(int)b->lists[k].count, outputs + at};
    for (size_t i = 0; i < b->lists[k].count; i++) outputs[at++] = b->lists[k].entries[i].value;
  }
  /* forces and laws have tapes of their own: few schemes need both at the same point */
  const int first[] = {0, JACOBIAN_FIRST_OF_LAWS, JACOBIAN_COUNT};
  for (int g = 0; !status && g < JACOBIAN_GROUP_COUNT; g++)
    status =
        picus_tape_create(b->model->pool, first[g + 1] - first[g], stages + first[g], &b->formulas->jacobian_tape[g]);
  picus_release(b->model->context, outputs);
  return status;
}

picus_status picus_formulas_compile_jacobians(picus_model *model, const equations *eq, const picus_system *system,
                                              formulas_source *formulas) {
  jacobian_builder b = {.model = model, .eq = eq, .system = system, .formulas = formulas};
  picus_status status = make_products(&b);
  if (!status) status = collect(&b);
  if (!status) note_constant_tangents(&b);
  if (!status) status = compile(&b);
  release_builder(&b);
  return status;
}
