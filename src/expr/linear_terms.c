/* Expressions that are linear in some variables, as velocities are linear in generalized velocities: all coefficients
 * in one pass from the expression down to its variables. Each node on the way has the factor with which it enters the
 * expression: n . (v + omega x r) gives n to v, and (r x n) to omega, so the work is that of one expression, not of one
 * derivative for each variable. */
#include "expr/internal.h"

/* Largest ids first. By Shell's method: hundreds of ids at most, nearly in order. */
static void sort_queue(picus_visit *visits, int32_t count) {
  static const int32_t gaps[] = {701, 301, 132, 57, 23, 10, 4, 1}; /* Ciura 2001 */
  for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
    for (int32_t k = gaps[g]; k < count; k++) {
      const int32_t id = visits[k].queued;
      int32_t at = k;
      for (; at >= gaps[g] && visits[at - gaps[g]].queued < id; at -= gaps[g])
        visits[at].queued = visits[at - gaps[g]].queued;
      visits[at].queued = id;
    }
}

/* The place of a node in the list; -1: it is not there, since it cannot depend on the variables. The queue has the
 * places of the nodes that are there, and anything of others. */
static int32_t place_of(const picus_visit *visits, const picus_linear *linear, int32_t id) {
  const int32_t at = visits[id].queued;
  return at >= 0 && (size_t)at < linear->count && linear->terms[at].id == id ? at : -1;
}

/* Of all nodes, where their operands are in the list. */
static void find_operands(picus_pool *pool, picus_linear *linear) {
  picus_visit *visits = pool->visits;
  for (size_t at = 0; at < linear->count; at++) visits[linear->terms[at].id].queued = (int32_t)at;
  for (size_t at = 0; at < linear->count; at++) {
    picus_linear_term *term = &linear->terms[at];
    const picus_node *node = picus_node_at(pool, term->id);
    const int arity = picus_op_arity((picus_op)node->op);
    for (int k = 0; k < 3; k++) term->operand[k] = k < arity ? place_of(visits, linear, node->argument[k]) : -1;
  }
}

/* The nodes that may depend on the variables, those first that contain the others. */
static picus_status list_nodes(picus_pool *pool, int32_t id, uint64_t signature, picus_linear *linear) {
  picus_visit *visits = pool->visits;
  int32_t count = 0;
  linear->count = 0;
  visits[id].seen = true;
  visits[count++].queued = id;
  for (int32_t next = 0; next < count; next++) {
    const picus_node *node = picus_node_at(pool, visits[next].queued);
    for (int k = 0; k < picus_op_arity((picus_op)node->op); k++) {
      const int32_t argument = node->argument[k];
      if (visits[argument].seen || !(pool->nodes[argument].variables & signature)) continue;
      visits[argument].seen = true;
      visits[count++].queued = argument;
    }
  }
  picus_status status = PICUS_OK;
  sort_queue(visits, count);
  for (int32_t k = 0; k < count; k++) {
    if (!status)
      status = picus_grow(pool->context, &linear->terms, linear->count, &linear->capacity, sizeof *linear->terms);
    if (!status) linear->terms[linear->count++] = (picus_linear_term){.id = visits[k].queued, .factor = PICUS_ID_ZERO};
    visits[visits[k].queued].seen = false;
  }
  if (!status) find_operands(pool, linear);
  return status;
}

static bool depends(const picus_linear *linear, int32_t place) { return place >= 0 && linear->terms[place].depends; }

/* Signatures of variables may coincide: which nodes depend on the variables is found from the variables up. */
static void find_dependence(const picus_pool *pool, const picus_replacements *of, picus_linear *linear) {
  for (size_t at = linear->count; at-- > 0;) {
    picus_linear_term *term = &linear->terms[at];
    const picus_node *node = picus_node_at(pool, term->id);
    if (node->op == PICUS_VARIABLE) term->depends = of->list[node->argument[0]] >= 0;
    for (int k = 0; k < 3; k++) term->depends = term->depends || depends(linear, term->operand[k]);
  }
}

/* What an operation passes on to one of its operands: +1 or -1 times its factor, or its factor times or over the other
 * operand. */
typedef enum passing { PASS_NOT, PASS_PLUS, PASS_MINUS, PASS_PRODUCT, PASS_QUOTIENT } passing;

static const passing passed_on[PICUS_OP_COUNT][2] = {
    [PICUS_NEGATE] = {PASS_MINUS, PASS_NOT},    [PICUS_ADD] = {PASS_PLUS, PASS_PLUS},
    [PICUS_SUBTRACT] = {PASS_PLUS, PASS_MINUS}, [PICUS_MULTIPLY] = {PASS_PRODUCT, PASS_PRODUCT},
    [PICUS_DIVIDE] = {PASS_QUOTIENT, PASS_NOT},
};

static int32_t factor_for(picus_pool *pool, passing how, int32_t before, int32_t factor, int32_t other) {
  switch (how) {
  case PASS_MINUS:
    return picus_make_sum(pool, before, -1, factor);
  case PASS_PRODUCT:
    return picus_make_sum(pool, before, 1, picus_make_product(pool, factor, other));
  case PASS_QUOTIENT:
    return picus_make_sum(pool, before, 1, picus_make_quotient(pool, factor, other));
  default:
    return picus_make_sum(pool, before, 1, factor);
  }
}

/* Passes the factor of a node on to its operands; false: it is not linear in the variables, as far as this can tell. */
static bool pass_on(picus_pool *pool, picus_linear *linear, size_t at) {
  const picus_linear_term *term = &linear->terms[at];
  const picus_node node = *picus_node_at(pool, term->id); /* a copy: the array may move */
  const int arity = picus_op_arity((picus_op)node.op);
  if (arity > 2) return false;
  for (int k = 0; k < arity; k++) {
    const passing how = passed_on[node.op][k];
    const int32_t to = term->operand[k], other = arity == 2 ? node.argument[1 - k] : PICUS_ID_ONE;
    if (!depends(linear, to)) {
      const bool is_term = how == PASS_PLUS || how == PASS_MINUS;
      linear->has_rest = linear->has_rest || (is_term && node.argument[k] != PICUS_ID_ZERO);
      continue;
    }
    if (how == PASS_NOT || (how == PASS_PRODUCT && depends(linear, term->operand[1 - k]))) return false;
    int32_t *factor = &linear->terms[to].factor;
    *factor = factor_for(pool, how, *factor, term->factor, other);
  }
  return true;
}

/* The variables of the list alone, as slopes. */
static picus_status list_slopes(picus_pool *pool, const picus_linear *linear, picus_gradient *out) {
  picus_status status = PICUS_OK;
  for (size_t at = linear->count; !status && at-- > 0;) {
    const picus_linear_term *term = &linear->terms[at];
    if (!term->depends || picus_op_at(pool, term->id) != PICUS_VARIABLE || term->factor == PICUS_ID_ZERO) continue;
    status = picus_grow(pool->context, &out->slopes, out->count, &out->capacity, sizeof *out->slopes);
    if (!status) out->slopes[out->count++] = (picus_slope){picus_argument_at(pool, term->id, 0), {term->factor}};
  }
  return status;
}

picus_status picus_linear_find(picus_pool *pool, picus_expr expr, const picus_replacements *of, picus_linear *linear,
                               picus_gradient *out) {
  out->count = 0;
  linear->is_linear = linear->has_rest = false;
  if (!picus_pool_owns(pool, expr.id)) return picus_pool_report(pool);
  picus_status status = list_nodes(pool, expr.id, of->signature, linear);
  if (status) return status;
  find_dependence(pool, of, linear);
  linear->has_rest = !linear->terms[0].depends && expr.id != PICUS_ID_ZERO;
  linear->terms[0].factor = PICUS_ID_ONE;
  linear->is_linear = true;
  for (size_t at = 0; at < linear->count && linear->is_linear; at++) {
    const picus_linear_term *term = &linear->terms[at];
    if (term->factor < 0) return picus_pool_report(pool);
    if (!term->depends || term->factor == PICUS_ID_ZERO || picus_op_at(pool, term->id) == PICUS_VARIABLE) continue;
    linear->is_linear = pass_on(pool, linear, at);
  }
  if (!linear->is_linear) return PICUS_OK;
  status = list_slopes(pool, linear, out);
  return status || picus_pool_may_go_on(pool, linear->count) ? status : picus_pool_status(pool);
}

void picus_linear_release(picus_context *context, picus_linear *linear) {
  picus_release(context, linear->terms);
  *linear = (picus_linear){0};
}
