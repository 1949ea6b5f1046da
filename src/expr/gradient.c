/* All derivatives of an expression at once. Energies of many bodies are long sums ((a + b) + c) + d ..., most terms of
 * which depend on few variables: each term is differentiated by its own variables only, and the derivatives are added
 * in the order of the terms, which gives the same expressions as picus_derivative. */
#include "expr/internal.h"

#include <stdlib.h>

/* ---- variables */

static int compare_ids(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

picus_status picus_expr_variables(picus_pool *pool, picus_expr expr, picus_id_stack *out) {
  out->count = 0;
  if (!picus_pool_owns(pool, expr.id)) return picus_pool_report(pool);
  picus_visit *visits = pool->visits;
  picus_status status = PICUS_OK;
  int32_t count = 0;
  visits[expr.id].seen = true;
  visits[count++].queued = expr.id;
  for (int32_t next = 0; next < count && !status; next++) {
    const picus_node *node = picus_node_at(pool, visits[next].queued);
    if (node->op == PICUS_VARIABLE) status = picus_id_stack_push(pool->context, out, node->argument[0]);
    for (int k = 0; k < picus_op_arity((picus_op)node->op); k++) {
      const int32_t argument = node->argument[k];
      if (visits[argument].seen || !pool->nodes[argument].variables) continue;
      visits[argument].seen = true;
      visits[count++].queued = argument;
    }
  }
  for (int32_t k = 0; k < count; k++) visits[visits[k].queued].seen = false;
  if (status) return status;
  if (out->count) qsort(out->ids, out->count, sizeof *out->ids, compare_ids);
  return picus_pool_may_go_on(pool, (uint64_t)count) ? PICUS_OK : picus_pool_status(pool);
}

/* ---- the spine of a sum: from the whole expression down its first operands */

/* The operand that a node multiplies by a number, or whose sign it turns; -1: it does something else. */
static int scaled_operand(const picus_pool *pool, int32_t id) {
  const picus_node *node = picus_node_at(pool, id);
  if (node->op == PICUS_NEGATE) return 0;
  if (node->op == PICUS_DIVIDE && picus_is_number(pool, node->argument[1])) return 0;
  if (node->op != PICUS_MULTIPLY) return -1;
  if (picus_is_number(pool, node->argument[0])) return 1;
  return picus_is_number(pool, node->argument[1]) ? 0 : -1;
}

static bool is_sum(const picus_pool *pool, int32_t id) {
  return picus_op_at(pool, id) == PICUS_ADD || picus_op_at(pool, id) == PICUS_SUBTRACT;
}

/* The next node of the spine below a node; -1: the node is its last term. */
static int32_t next_on_spine(const picus_pool *pool, int32_t id) {
  if (is_sum(pool, id)) return picus_argument_at(pool, id, 0);
  const int operand = scaled_operand(pool, id);
  return operand < 0 ? -1 : picus_argument_at(pool, id, operand);
}

/* The term that a node of the spine adds; -1: it scales the rest. */
static int32_t term_of(const picus_pool *pool, int32_t id) {
  if (is_sum(pool, id)) return picus_argument_at(pool, id, 1);
  return scaled_operand(pool, id) < 0 ? id : -1;
}

static picus_status list_spine(picus_pool *pool, int32_t id, picus_gradient *g) {
  g->spine.count = 0;
  for (; id >= 0; id = next_on_spine(pool, id)) {
    picus_status status = picus_id_stack_push(pool->context, &g->spine, id);
    if (status) return status;
  }
  return PICUS_OK;
}

/* The node at a height above the last term, which is at 0. */
static int32_t spine_at(const picus_gradient *g, size_t height) { return g->spine.ids[g->spine.count - 1 - height]; }

/* ---- which variable occurs at which height: variable << 32 | height */

static picus_status note_use(picus_pool *pool, picus_gradient *g, int32_t variable, size_t height) {
  picus_status status = picus_grow(pool->context, &g->uses, g->use_count, &g->use_capacity, sizeof *g->uses);
  if (status) return status;
  g->uses[g->use_count++] = (uint64_t)(uint32_t)variable << 32 | (uint32_t)height;
  return PICUS_OK;
}

static int compare_uses(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static picus_status list_uses(picus_pool *pool, picus_gradient *g) {
  g->use_count = 0;
  for (size_t height = 0; height < g->spine.count; height++) {
    const int32_t term = term_of(pool, spine_at(g, height));
    if (term < 0 || !pool->nodes[term].variables) continue;
    picus_status status = picus_expr_variables(pool, (picus_expr){term}, &g->variables);
    for (size_t k = 0; !status && k < g->variables.count; k++) status = note_use(pool, g, g->variables.ids[k], height);
    if (status) return status;
  }
  if (g->use_count) qsort(g->uses, g->use_count, sizeof *g->uses, compare_uses);
  return PICUS_OK;
}

/* ---- derivatives */

/* The derivative of a node of the spine from those of the node below it and of its own term. */
static int32_t climb(picus_pool *pool, int32_t id, int32_t below, int32_t by_term) {
  int32_t derivative[3] = {PICUS_ID_ZERO, PICUS_ID_ZERO, PICUS_ID_ZERO};
  if (is_sum(pool, id)) {
    derivative[0] = below;
    derivative[1] = by_term;
  } else {
    derivative[scaled_operand(pool, id)] = below;
  }
  return picus_derivative_rule(pool, id, derivative);
}

/* Nodes that only scale, between two heights. */
static int32_t climb_scales(picus_pool *pool, const picus_gradient *g, const picus_id_stack *scales, size_t *next,
                            size_t height, int32_t value) {
  for (; *next < scales->count && (size_t)scales->ids[*next] < height; ++*next)
    if (value > PICUS_ID_ZERO) value = climb(pool, spine_at(g, (size_t)scales->ids[*next]), value, PICUS_ID_ZERO);
  return value;
}

/* The derivative by the variable whose uses are [first, end). */
static int32_t differentiate(picus_pool *pool, const picus_gradient *g, const picus_id_stack *scales, size_t first,
                             size_t end) {
  const int variable = (int)(g->uses[first] >> 32);
  int32_t value = PICUS_ID_ZERO;
  size_t scale = 0;
  for (size_t use = first; use < end && value >= 0; use++) {
    const size_t height = (uint32_t)g->uses[use];
    const int32_t id = spine_at(g, height);
    value = climb_scales(pool, g, scales, &scale, height, value);
    const int32_t by_term = picus_derivative(pool, (picus_expr){term_of(pool, id)}, variable).id;
    if (by_term < 0 || value < 0) return PICUS_ID_INVALID;
    value = height == 0 ? by_term : climb(pool, id, value, by_term);
  }
  return climb_scales(pool, g, scales, &scale, g->spine.count, value);
}

/* Heights of the nodes that scale. */
static picus_status list_scales(picus_pool *pool, const picus_gradient *g, picus_id_stack *scales) {
  picus_status status = PICUS_OK;
  for (size_t height = 1; !status && height < g->spine.count; height++)
    if (!is_sum(pool, spine_at(g, height))) status = picus_id_stack_push(pool->context, scales, (int32_t)height);
  return status;
}

static picus_status add_slope(picus_pool *pool, picus_gradient *g, int variable, int32_t value) {
  if (value < 0) return picus_pool_report(pool);
  if (value == PICUS_ID_ZERO) return PICUS_OK;
  picus_status status = picus_grow(pool->context, &g->slopes, g->count, &g->capacity, sizeof *g->slopes);
  if (status) return status;
  g->slopes[g->count++] = (picus_slope){variable, {value}};
  return PICUS_OK;
}

picus_status picus_gradient_find(picus_pool *pool, picus_expr expr, picus_gradient *g) {
  g->count = 0;
  if (!picus_pool_owns(pool, expr.id)) return picus_pool_report(pool);
  picus_id_stack scales = {0};
  picus_status status = list_spine(pool, expr.id, g);
  if (!status) status = list_uses(pool, g);
  if (!status) status = list_scales(pool, g, &scales);
  for (size_t first = 0, end; !status && first < g->use_count; first = end) {
    end = first;
    while (end < g->use_count && g->uses[end] >> 32 == g->uses[first] >> 32) end++;
    status = add_slope(pool, g, (int)(g->uses[first] >> 32), differentiate(pool, g, &scales, first, end));
  }
  picus_release(pool->context, scales.ids);
  return status;
}

void picus_gradient_release(picus_context *context, picus_gradient *g) {
  picus_release(context, g->slopes);
  picus_release(context, g->spine.ids);
  picus_release(context, g->variables.ids);
  picus_release(context, g->uses);
  *g = (picus_gradient){0};
}
