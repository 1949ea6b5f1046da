/* The Jacobians of a model of formulas, as one tape with a stage for each, holding only entries that are not zero. */
#include "system/formulas.h"

#include "base/internal.h"
#include "expr/internal.h"

#include <stdio.h>

/* Outputs collected for one Jacobian. */
typedef struct entry_list {
  size_t count, row_capacity, column_capacity, value_capacity;
  int *row, *column;
  picus_expr *value;
} entry_list;

static picus_status add_entry(picus_context *context, entry_list *list, int row, int column, picus_expr value) {
  picus_status status = picus_grow(context, &list->row, list->count, &list->row_capacity, sizeof(int));
  if (status == PICUS_OK) status = picus_grow(context, &list->column, list->count, &list->column_capacity, sizeof(int));
  if (status == PICUS_OK)
    status = picus_grow(context, &list->value, list->count, &list->value_capacity, sizeof(picus_expr));
  if (status != PICUS_OK) return status;
  list->row[list->count] = row;
  list->column[list->count] = column;
  list->value[list->count++] = value;
  return PICUS_OK;
}

/* Derivatives of `rows` expressions by the given variables. */
static picus_status add_derivatives(picus_model *model, int rows, const picus_expr *exprs, int columns,
                                    const int *variables, entry_list *list) {
  for (int i = 0; i < rows; i++) {
    if (!picus_pool_look(model->pool)) return picus_pool_status(model->pool);
    for (int j = 0; j < columns; j++) {
      picus_expr derivative = picus_derivative(model->pool, exprs[i], variables[j]);
      double value;
      if (picus_expr_is_number(model->pool, derivative, &value) && value == 0) continue;
      picus_status status = add_entry(model->context, list, i, j, derivative);
      if (status != PICUS_OK) return status;
    }
  }
  return PICUS_OK;
}

static picus_status new_variables(picus_model *model, const char *letter, int count, int **indices,
                                  picus_expr **symbols) {
  *indices = picus_allocate(model->context, (size_t)count, sizeof **indices);
  *symbols = picus_allocate(model->context, (size_t)count, sizeof **symbols);
  if (!*indices || !*symbols) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s.%d", letter, i);
    (*symbols)[i] = picus_variable(model->pool, name);
    (*indices)[i] = picus_expr_variable_index(model->pool, (*symbols)[i]);
  }
  return picus_pool_status(model->pool);
}

/* Sums of products whose derivatives are wanted: M v, W P, W^T u + chi. */
static picus_expr weighted_sum(picus_pool *pool, int count, const picus_expr *a, size_t stride, const picus_expr *b,
                               picus_expr start) {
  for (int i = 0; i < count; i++) start = picus_add(pool, start, picus_mul(pool, a[(size_t)i * stride], b[i]));
  return start;
}

typedef struct product_expressions {
  picus_expr *Mv, *gamma, *WP; /* nu, rows, nu */
  picus_expr *u, *v, *P;
} product_expressions;

static void release_products(picus_context *context, product_expressions *products) {
  picus_release(context, products->Mv);
  picus_release(context, products->gamma);
  picus_release(context, products->WP);
  picus_release(context, products->u);
  picus_release(context, products->v);
  picus_release(context, products->P);
}

/* M v, W P and W^T u + chi with symbols for v and P: one derivative of a product with respect to q replaces those of
 * all entries. */
static picus_status make_products(picus_model *model, const equations *eq, formulas_part *part,
                                  product_expressions *products) {
  picus_context *context = model->context;
  picus_pool *pool = model->pool;
  const int nu = eq->nu, rows = eq->row_count;
  picus_status status = new_variables(model, "v", nu, &part->v_variable, &products->v);
  if (status == PICUS_OK) status = new_variables(model, "P", rows, &part->P_variable, &products->P);
  if (status != PICUS_OK) return status;
  products->Mv = picus_allocate(context, (size_t)nu, sizeof(picus_expr));
  products->WP = picus_allocate(context, (size_t)nu, sizeof(picus_expr));
  products->u = picus_allocate(context, (size_t)nu, sizeof(picus_expr));
  products->gamma = picus_allocate(context, (size_t)rows, sizeof(picus_expr));
  if (!products->Mv || !products->WP || !products->u || !products->gamma) return PICUS_ERROR_MEMORY;
  picus_expr zero = picus_number(pool, 0);
  for (int i = 0; i < nu && picus_pool_look(pool); i++) {
    products->u[i] = model->velocities[i].symbol;
    products->Mv[i] = weighted_sum(pool, nu, eq->M + (size_t)i * (size_t)nu, 1, products->v, zero);
    products->WP[i] = weighted_sum(pool, rows, eq->W + i, (size_t)nu, products->P, zero);
  }
  for (int r = 0; r < rows && picus_pool_look(pool); r++)
    products->gamma[r] = weighted_sum(pool, nu, eq->W + (size_t)r * (size_t)nu, 1, products->u, eq->chi[r]);
  return picus_pool_status(pool);
}

static picus_status collect(picus_model *model, const equations *eq, const formulas_part *part,
                            const product_expressions *products, entry_list *lists) {
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
      [JACOBIAN_MASS_Q] = {eq->nu, products->Mv, false},
      [JACOBIAN_VELOCITY_Q] = {eq->row_count, products->gamma, false},
      [JACOBIAN_DIRECTION_Q] = {eq->nu, products->WP, false},
  };
  for (int k = 0; k < JACOBIAN_COUNT; k++) {
    picus_status status =
        add_derivatives(model, wanted[k].rows, wanted[k].exprs, wanted[k].by_velocity ? eq->nu : eq->nq,
                        wanted[k].by_velocity ? part->u_variable : part->q_variable, &lists[k]);
    if (status != PICUS_OK) return status;
  }
  return picus_pool_status(model->pool);
}

static bool all_numbers(const picus_pool *pool, const entry_list *list) {
  for (size_t i = 0; i < list->count; i++)
    if (!picus_expr_is_number(pool, list->value[i], NULL)) return false;
  return true;
}

picus_status picus_formulas_compile_jacobians(picus_model *model, const equations *eq, formulas_part *part) {
  product_expressions products = {0};
  entry_list lists[JACOBIAN_COUNT] = {0};
  picus_status status = make_products(model, eq, part, &products);
  if (status == PICUS_OK) status = collect(model, eq, part, &products, lists);
  part->tangents_constant =
      all_numbers(model->pool, &lists[JACOBIAN_FORCE_Q]) && all_numbers(model->pool, &lists[JACOBIAN_FORCE_U]);
  picus_tape_stage stages[JACOBIAN_COUNT];
  for (int k = 0; k < JACOBIAN_COUNT; k++) { /* rows and columns go over to the part, values to the tape */
    stages[k] = (picus_tape_stage){(int)lists[k].count, lists[k].value};
    part->jacobian[k] = (sparse_entries){(int)lists[k].count, lists[k].row, lists[k].column};
    if ((int)lists[k].count > part->longest_output) part->longest_output = (int)lists[k].count;
  }
  if (status == PICUS_OK) status = picus_tape_create(model->pool, JACOBIAN_COUNT, stages, &part->jacobian_tape);
  for (int k = 0; k < JACOBIAN_COUNT; k++) picus_release(model->context, lists[k].value);
  release_products(model->context, &products);
  return status;
}
