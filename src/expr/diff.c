/* Exact derivatives and substitution: both rebuild the part of the graph that depends on the variable, each node once,
 * with an explicit stack. */
#include "expr/internal.h"

/* ---- the rules; a, b are the arguments, da, db their derivatives, self the node itself */

static int32_t add(picus_pool *pool, int32_t a, int32_t b) { return picus_make_sum(pool, a, 1, b); }
static int32_t subtract(picus_pool *pool, int32_t a, int32_t b) { return picus_make_sum(pool, a, -1, b); }
static int32_t multiply(picus_pool *pool, int32_t a, int32_t b) { return picus_make_product(pool, a, b); }
static int32_t divide(picus_pool *pool, int32_t a, int32_t b) { return picus_make_quotient(pool, a, b); }
static int32_t scale(picus_pool *pool, double factor, int32_t a) { return picus_make_scaled(pool, factor, a); }
static int32_t unary(picus_pool *pool, picus_op op, int32_t a) { return picus_make_unary(pool, op, a); }
static int32_t square(picus_pool *pool, int32_t a) { return picus_make_product(pool, a, a); }

/* sqrt(1 - a^2) as sqrt((1-a)(1+a)), which keeps its digits near |a| = 1. */
static int32_t cosine_of_arc(picus_pool *pool, int32_t a) {
  int32_t below = subtract(pool, PICUS_ID_ONE, a), above = add(pool, PICUS_ID_ONE, a);
  return unary(pool, PICUS_SQRT, multiply(pool, below, above));
}

/* The derivative of an operation with one operand; self: its value, da: the derivative of the operand. */
static int32_t unary_derivative(picus_pool *pool, picus_op op, int32_t self, int32_t a, int32_t da) {
  switch (op) {
  case PICUS_NEGATE:
    return scale(pool, -1, da);
  case PICUS_SQRT:
    return scale(pool, 0.5, divide(pool, da, self));
  case PICUS_EXP:
    return multiply(pool, self, da);
  case PICUS_LOG:
    return divide(pool, da, a);
  case PICUS_SIN:
    return multiply(pool, unary(pool, PICUS_COS, a), da);
  case PICUS_COS:
    return scale(pool, -1, multiply(pool, unary(pool, PICUS_SIN, a), da));
  case PICUS_TAN:
    return multiply(pool, add(pool, PICUS_ID_ONE, square(pool, self)), da);
  case PICUS_ASIN:
    return divide(pool, da, cosine_of_arc(pool, a));
  case PICUS_ACOS:
    return scale(pool, -1, divide(pool, da, cosine_of_arc(pool, a)));
  case PICUS_ATAN:
    return divide(pool, da, add(pool, PICUS_ID_ONE, square(pool, a)));
  case PICUS_SINH:
    return multiply(pool, unary(pool, PICUS_COSH, a), da);
  case PICUS_COSH:
    return multiply(pool, unary(pool, PICUS_SINH, a), da);
  case PICUS_TANH:
    return multiply(pool, subtract(pool, PICUS_ID_ONE, square(pool, self)), da);
  case PICUS_ABS: {
    int32_t negative = picus_make_binary(pool, PICUS_LESS, a, PICUS_ID_ZERO);
    return picus_make_when(pool, negative, scale(pool, -1, da), da);
  }
  default:
    return PICUS_ID_ZERO; /* sign, not */
  }
}

/* (a^b)' = b a^(b-1) a' + a^b log(a) b'; a vanishing term is left out before log(a) or a^(b-1) can do harm. */
static int32_t power_derivative(picus_pool *pool, int32_t self, const int32_t argument[3], int32_t da, int32_t db) {
  int32_t a = argument[0], b = argument[1], by_base = PICUS_ID_ZERO, by_exponent = PICUS_ID_ZERO;
  if (da != PICUS_ID_ZERO) {
    int32_t lower = picus_make_power(pool, a, subtract(pool, b, PICUS_ID_ONE));
    by_base = multiply(pool, b, multiply(pool, lower, da));
  }
  if (db != PICUS_ID_ZERO) by_exponent = multiply(pool, self, multiply(pool, unary(pool, PICUS_LOG, a), db));
  return add(pool, by_base, by_exponent);
}

static int32_t quotient_derivative(picus_pool *pool, int32_t self, const int32_t argument[3], int32_t da, int32_t db) {
  return divide(pool, subtract(pool, da, multiply(pool, self, db)), argument[1]);
}

static int32_t product_derivative(picus_pool *pool, const int32_t argument[3], int32_t da, int32_t db) {
  if (argument[0] == argument[1]) return scale(pool, 2, multiply(pool, argument[0], da));
  int32_t first = multiply(pool, da, argument[1]);
  return add(pool, first, multiply(pool, argument[0], db));
}

static int32_t atan2_derivative(picus_pool *pool, const int32_t argument[3], int32_t dy, int32_t dx) {
  int32_t y = argument[0], x = argument[1];
  int32_t first = multiply(pool, x, dy), above = subtract(pool, first, multiply(pool, y, dx));
  int32_t squared = square(pool, x);
  return divide(pool, above, add(pool, squared, square(pool, y)));
}

int32_t picus_derivative_rule(picus_pool *pool, int32_t id, const int32_t derivative[3]) {
  picus_node node = *picus_node_at(pool, id); /* a copy: the pool's array may move while the rule builds */
  const int32_t *argument = node.argument;
  picus_op op = (picus_op)node.op;
  int32_t da = derivative[0], db = derivative[1];
  switch (op) {
  case PICUS_ADD:
    return add(pool, da, db);
  case PICUS_SUBTRACT:
    return subtract(pool, da, db);
  case PICUS_MULTIPLY:
    return product_derivative(pool, argument, da, db);
  case PICUS_DIVIDE:
    return quotient_derivative(pool, id, argument, da, db);
  case PICUS_POWER:
    return power_derivative(pool, id, argument, da, db);
  case PICUS_ATAN2:
    return atan2_derivative(pool, argument, da, db);
  case PICUS_MIN:
    return picus_make_when(pool, picus_make_binary(pool, PICUS_LESS, argument[1], argument[0]), db, da);
  case PICUS_MAX:
    return picus_make_when(pool, picus_make_binary(pool, PICUS_LESS, argument[0], argument[1]), db, da);
  case PICUS_WHEN:
    return picus_make_when(pool, argument[0], db, derivative[2]);
  case PICUS_TABLE:
    return picus_table_derived(pool, id, da);
  default:
    return picus_op_arity(op) == 1 ? unary_derivative(pool, op, id, argument[0], da) : PICUS_ID_ZERO;
  }
}

/* ---- the traversals */

static uint64_t derivative_key(int32_t id, int variable) { return (uint64_t)(uint32_t)id << 32 | (uint32_t)variable; }

/* The derivative if it needs no work or is known already. */
static int32_t known_derivative(const picus_pool *pool, int32_t id, int variable) {
  if (!picus_may_depend_on(pool, id, variable)) return PICUS_ID_ZERO;
  if (pool->variable_ids[variable] == id) return PICUS_ID_ONE;
  if (picus_op_at(pool, id) == PICUS_VARIABLE) return PICUS_ID_ZERO;
  return picus_id_map_get(&pool->derivatives, derivative_key(id, variable));
}

/* Takes the top of the stack: either its arguments have to come first, or its derivative is made and stored. */
static picus_status differentiate_top(picus_pool *pool, picus_id_stack *stack, int variable) {
  int32_t id = stack->ids[stack->count - 1], derivative[3] = {PICUS_ID_ZERO, PICUS_ID_ZERO, PICUS_ID_ZERO};
  if (known_derivative(pool, id, variable) >= 0) {
    stack->count--;
    return PICUS_OK;
  }
  picus_node node = *picus_node_at(pool, id);
  bool ready = true;
  for (int k = 0; k < picus_op_arity((picus_op)node.op); k++) {
    if (node.op == PICUS_WHEN && k == 0) continue; /* the condition is piecewise constant */
    derivative[k] = known_derivative(pool, node.argument[k], variable);
    if (derivative[k] >= 0) continue;
    ready = false;
    if (picus_id_stack_push(pool->context, stack, node.argument[k])) return PICUS_ERROR_MEMORY;
  }
  if (!ready) return PICUS_OK;
  int32_t result = picus_derivative_rule(pool, id, derivative);
  if (result < 0) return pool->status;
  stack->count--;
  return picus_id_map_put(pool->context, &pool->derivatives, derivative_key(id, variable), result);
}

picus_expr picus_derivative(picus_pool *pool, picus_expr expr, int variable) {
  if (!picus_pool_owns(pool, expr.id)) return (picus_expr){PICUS_ID_INVALID};
  if (variable < 0 || variable >= pool->variable_count)
    return (picus_expr){picus_pool_fail(
        pool, PICUS_ERROR_ARGUMENT, "a derivative with respect to variable %d is requested, but there are %d variables",
        variable, (int)pool->variable_count)};
  picus_id_stack stack = {0};
  picus_status status = PICUS_OK;
  if (known_derivative(pool, expr.id, variable) < 0) status = picus_id_stack_push(pool->context, &stack, expr.id);
  while (!status && stack.count > 0) status = differentiate_top(pool, &stack, variable);
  picus_release(pool->context, stack.ids);
  if (status == PICUS_ERROR_MEMORY) return (picus_expr){picus_pool_out_of_memory(pool)};
  if (status) return (picus_expr){PICUS_ID_INVALID};
  return (picus_expr){known_derivative(pool, expr.id, variable)};
}

/* The variables to replace and their replacements: one of them, or all that have a replacement in a list. */
typedef struct substitution {
  int variable; /* -1: those of the list */
  int32_t replacement;
  const int32_t *list; /* for each variable of the pool: an id, or -1 */
  uint64_t signature;  /* of the variables, as in picus_node */
  picus_id_map done;
  picus_id_stack stack;
} substitution;

static int32_t replacement_of(const substitution *by, int variable) {
  if (by->variable < 0) return by->list[variable];
  return variable == by->variable ? by->replacement : -1;
}

static int32_t known_substitute(const picus_pool *pool, const substitution *by, int32_t id) {
  const picus_node *node = picus_node_at(pool, id);
  if (!(node->variables & by->signature)) return id;
  if (node->op != PICUS_VARIABLE) return picus_id_map_get(&by->done, (uint64_t)id);
  const int32_t replacement = replacement_of(by, node->argument[0]);
  return replacement >= 0 ? replacement : id;
}

static picus_status substitute_top(picus_pool *pool, substitution *by) {
  int32_t id = by->stack.ids[by->stack.count - 1], argument[3] = {PICUS_ID_ZERO, PICUS_ID_ZERO, PICUS_ID_ZERO};
  if (known_substitute(pool, by, id) >= 0) {
    by->stack.count--;
    return PICUS_OK;
  }
  picus_node node = *picus_node_at(pool, id);
  bool ready = true;
  for (int k = 0; k < picus_op_arity((picus_op)node.op); k++) {
    bool is_branch = node.op == PICUS_WHEN && k > 0;
    if (is_branch && argument[0] < 0) break; /* the condition first: a branch that is never taken may not be finite */
    if (is_branch && picus_is_number(pool, argument[0]) && (k == 1) != (pool->nodes[argument[0]].value != 0)) continue;
    argument[k] = known_substitute(pool, by, node.argument[k]);
    if (argument[k] >= 0) continue;
    ready = false;
    if (picus_id_stack_push(pool->context, &by->stack, node.argument[k])) return PICUS_ERROR_MEMORY;
  }
  if (!ready) return PICUS_OK;
  int32_t result = picus_make_operation(pool, (picus_op)node.op, argument);
  if (result < 0) return pool->status;
  by->stack.count--;
  return picus_id_map_put(pool->context, &by->done, (uint64_t)id, result);
}

static picus_expr substitute(picus_pool *pool, picus_expr expr, substitution *by) {
  picus_status status = PICUS_OK;
  if (known_substitute(pool, by, expr.id) < 0) status = picus_id_stack_push(pool->context, &by->stack, expr.id);
  while (!status && by->stack.count > 0) status = substitute_top(pool, by);
  int32_t result = status ? PICUS_ID_INVALID : known_substitute(pool, by, expr.id);
  picus_id_map_clear(pool->context, &by->done);
  picus_release(pool->context, by->stack.ids);
  if (status == PICUS_ERROR_MEMORY) return (picus_expr){picus_pool_out_of_memory(pool)};
  return (picus_expr){result};
}

picus_expr picus_substitute(picus_pool *pool, picus_expr expr, int variable, picus_expr replacement) {
  if (!picus_pool_owns(pool, expr.id) || !picus_pool_owns(pool, replacement.id)) return (picus_expr){PICUS_ID_INVALID};
  if (variable < 0 || variable >= pool->variable_count)
    return (picus_expr){picus_pool_fail(pool, PICUS_ERROR_ARGUMENT,
                                        "variable %d is to be replaced, but there are %d variables", variable,
                                        (int)pool->variable_count)};
  substitution by = {.variable = variable, .replacement = replacement.id, .signature = UINT64_C(1) << (variable & 63)};
  return substitute(pool, expr, &by);
}

picus_replacements picus_replacements_of(const picus_pool *pool, const int32_t *list) {
  picus_replacements all = {.list = list};
  for (int variable = 0; variable < pool->variable_count; variable++)
    if (list[variable] >= 0) all.signature |= UINT64_C(1) << (variable & 63);
  return all;
}

picus_expr picus_substitute_all(picus_pool *pool, picus_expr expr, const picus_replacements *all) {
  if (!picus_pool_owns(pool, expr.id)) return (picus_expr){PICUS_ID_INVALID};
  return substitute(pool, expr, &(substitution){.variable = -1, .list = all->list, .signature = all->signature});
}
