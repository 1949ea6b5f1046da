/* The value of one expression, node by node. */
#include "expr/internal.h"

static void mark_needed(const picus_pool *pool, int32_t id, bool *needed) {
  needed[id] = true;
  for (; id >= 0; id--) {
    if (!needed[id]) continue;
    const picus_node *node = picus_node_at(pool, id);
    for (int k = 0; k < picus_op_arity((picus_op)node->op); k++) needed[node->argument[k]] = true;
  }
}

static double node_value(const picus_node *node, const double *variables, const double *values) {
  if (node->op == PICUS_NUMBER) return node->value;
  if (node->op == PICUS_VARIABLE) return variables[node->argument[0]];
  double argument[3] = {0, 0, 0};
  for (int k = 0; k < picus_op_arity((picus_op)node->op); k++) argument[k] = values[node->argument[k]];
  return picus_apply((picus_op)node->op, argument[0], argument[1], argument[2]);
}

picus_status picus_expr_evaluate(picus_pool *pool, picus_expr expr, const double *variables, double *value) {
  if (!picus_pool_owns(pool, expr.id)) return picus_pool_report(pool);
  size_t count = (size_t)expr.id + 1;
  double *values = picus_allocate(pool->context, count, sizeof *values);
  bool *needed = values ? picus_allocate(pool->context, count, sizeof *needed) : NULL;
  picus_status status = needed ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    mark_needed(pool, expr.id, needed);
    for (int32_t id = 0; id <= expr.id; id++)
      if (needed[id]) values[id] = node_value(picus_node_at(pool, id), variables, values);
    *value = values[expr.id];
  }
  picus_release(pool->context, needed);
  picus_release(pool->context, values);
  return status;
}
