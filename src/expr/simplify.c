/* Constructors with their simplifications: functions, comparisons, when. A rule is used only if it is exact wherever
 * the original is defined. */
#include "expr/internal.h"

#include <math.h>
#include <stdio.h>

static bool has_op(const picus_pool *pool, int32_t id, picus_op op) { return pool->nodes[id].op == (int32_t)op; }

/* ---- numbers */

enum { OPERAND_TEXT_SIZE = PICUS_NUMBER_TEXT_SIZE + 2 };

static void describe_operand(double value, bool infix, char text[OPERAND_TEXT_SIZE]) {
  char number[PICUS_NUMBER_TEXT_SIZE];
  picus_format_number(value, number);
  bool parentheses = infix && value < 0;
  snprintf(text, OPERAND_TEXT_SIZE, "%s%s%s", parentheses ? "(" : "", number, parentheses ? ")" : "");
}

/* "log(-1)", "1 / 0", "(-2) ^ 0.3"; no operation on three numbers can fail. */
static void describe_operation(picus_op op, double a, double b, char *text, size_t size) {
  const char *name = picus_op_name(op);
  bool infix = op >= PICUS_ADD && op <= PICUS_POWER;
  char first[OPERAND_TEXT_SIZE], second[OPERAND_TEXT_SIZE];
  describe_operand(a, infix, first);
  describe_operand(b, infix, second);
  if (infix)
    snprintf(text, size, "%s %s %s", first, name, second);
  else if (picus_op_arity(op) == 1)
    snprintf(text, size, "%s(%s)", name, first);
  else
    snprintf(text, size, "%s(%s, %s)", name, first, second);
}

int32_t picus_fold(picus_pool *pool, picus_op op, double a, double b) {
  double result = picus_apply(op, a, b, 0);
  if (isfinite(result)) return picus_intern_number(pool, result);
  char text[4 * PICUS_NUMBER_TEXT_SIZE];
  describe_operation(op, a, b, text, sizeof text);
  return picus_pool_fail(pool, PICUS_ERROR_NUMBER, "%s is not a finite number", text);
}

int32_t picus_make_number(picus_pool *pool, double value) {
  if (isfinite(value)) return picus_intern_number(pool, value);
  const char *name = isnan(value) ? "NaN (not a number)" : value > 0 ? "infinity" : "minus infinity";
  return picus_pool_fail(pool, PICUS_ERROR_NUMBER, "a number in an expression is %s", name);
}

/* ---- unary */

static bool is_odd_function(picus_op op) {
  return op == PICUS_SIN || op == PICUS_TAN || op == PICUS_ASIN || op == PICUS_ATAN || op == PICUS_SINH ||
         op == PICUS_TANH || op == PICUS_SIGN;
}

static bool is_even_function(picus_op op) { return op == PICUS_COS || op == PICUS_COSH || op == PICUS_ABS; }

/* f(g(x)) = x wherever g is defined. */
static bool undoes(picus_op outer, picus_op inner) {
  switch (outer) {
  case PICUS_EXP:
    return inner == PICUS_LOG;
  case PICUS_LOG:
    return inner == PICUS_EXP;
  case PICUS_SIN:
    return inner == PICUS_ASIN;
  case PICUS_COS:
    return inner == PICUS_ACOS;
  case PICUS_TAN:
    return inner == PICUS_ATAN;
  default:
    return false;
  }
}

static bool is_square(const picus_pool *pool, int32_t id) {
  return has_op(pool, id, PICUS_MULTIPLY) && picus_argument_at(pool, id, 0) == picus_argument_at(pool, id, 1);
}

static bool is_never_negative(const picus_pool *pool, int32_t id) {
  picus_op op = picus_op_at(pool, id);
  return op == PICUS_ABS || op == PICUS_SQRT || op == PICUS_EXP || op == PICUS_COSH || picus_is_boolean_op(op) ||
         is_square(pool, id);
}

static bool is_boolean(const picus_pool *pool, int32_t id) {
  return picus_is_boolean_op(picus_op_at(pool, id)) || id == PICUS_ID_ZERO || id == PICUS_ID_ONE;
}

/* abs and sign of c*x: the number's part is known. */
static int32_t without_factor(picus_pool *pool, picus_op op, int32_t a) {
  picus_scaled_term split = picus_split_factor(pool, a);
  if (split.term < 0) return PICUS_ID_INVALID;
  if (picus_has_factor(pool, split.term)) return picus_intern(pool, op, a, -1, -1);
  double outside = picus_apply(op, split.factor, 0, 0);
  return picus_make_scaled(pool, outside, picus_make_unary(pool, op, split.term));
}

int32_t picus_make_unary(picus_pool *pool, picus_op op, int32_t a) {
  if (a < 0) return PICUS_ID_INVALID;
  picus_op inner = picus_op_at(pool, a);
  int32_t argument = picus_argument_at(pool, a, 0);
  if (op == PICUS_NEGATE) return picus_make_scaled(pool, -1, a);
  if (inner == PICUS_NUMBER) return picus_fold(pool, op, pool->nodes[a].value, 0);
  if (undoes(op, inner)) return argument;
  if (op == PICUS_SQRT && is_square(pool, a)) return picus_make_unary(pool, PICUS_ABS, argument);
  if (op == PICUS_ABS && is_never_negative(pool, a)) return a;
  if (op == PICUS_SIGN && inner == PICUS_SIGN) return a;
  if (op == PICUS_NOT && inner == PICUS_NOT && is_boolean(pool, argument)) return argument;
  if ((op == PICUS_ABS || op == PICUS_SIGN) && picus_has_factor(pool, a)) return without_factor(pool, op, a);
  if (is_even_function(op) && picus_is_negative(pool, a))
    return picus_intern(pool, op, picus_make_scaled(pool, -1, a), -1, -1);
  if (is_odd_function(op) && picus_is_negative(pool, a)) {
    int32_t opposite = picus_intern(pool, op, picus_make_scaled(pool, -1, a), -1, -1);
    return picus_make_scaled(pool, -1, opposite);
  }
  return picus_intern(pool, op, a, -1, -1);
}

/* ---- binary */

/* The truth value of a: itself if it is 0 or 1 only. */
static int32_t truth(picus_pool *pool, int32_t a) {
  if (is_boolean(pool, a)) return a;
  return picus_intern(pool, PICUS_NOT, picus_make_unary(pool, PICUS_NOT, a), -1, -1);
}

static int32_t make_logical(picus_pool *pool, picus_op op, int32_t a, int32_t b) {
  if (picus_is_number(pool, a) || a == b) {
    if (a == b) return truth(pool, a);
    bool known = pool->nodes[a].value != 0;
    if (op == PICUS_AND) return known ? truth(pool, b) : PICUS_ID_ZERO;
    return known ? PICUS_ID_ONE : truth(pool, b);
  }
  if (picus_is_number(pool, b)) return make_logical(pool, op, b, a);
  return picus_intern(pool, op, a < b ? a : b, a < b ? b : a, -1);
}

static int32_t make_comparison(picus_pool *pool, picus_op op, int32_t a, int32_t b) {
  if (a == b) return op == PICUS_LESS ? PICUS_ID_ZERO : PICUS_ID_ONE;
  if (op == PICUS_EQUAL && b < a) return picus_intern(pool, op, b, a, -1);
  return picus_intern(pool, op, a, b, -1);
}

int32_t picus_make_binary(picus_pool *pool, picus_op op, int32_t a, int32_t b) {
  if (a < 0 || b < 0) return PICUS_ID_INVALID;
  if (picus_is_number(pool, a) && picus_is_number(pool, b))
    return picus_fold(pool, op, pool->nodes[a].value, pool->nodes[b].value);
  switch (op) {
  case PICUS_ADD:
    return picus_make_sum(pool, a, 1, b);
  case PICUS_SUBTRACT:
    return picus_make_sum(pool, a, -1, b);
  case PICUS_MULTIPLY:
    return picus_make_product(pool, a, b);
  case PICUS_DIVIDE:
    return picus_make_quotient(pool, a, b);
  case PICUS_POWER:
    return picus_make_power(pool, a, b);
  case PICUS_MIN:
  case PICUS_MAX:
    if (a == b) return a;
    return picus_intern(pool, op, a < b ? a : b, a < b ? b : a, -1);
  case PICUS_LESS:
  case PICUS_LESS_EQUAL:
  case PICUS_EQUAL:
    return make_comparison(pool, op, a, b);
  case PICUS_AND:
  case PICUS_OR:
    return make_logical(pool, op, a, b);
  default:
    return picus_intern(pool, op, a, b, -1);
  }
}

/* ---- when */

int32_t picus_make_when(picus_pool *pool, int32_t condition, int32_t a, int32_t b) {
  if (condition < 0 || a < 0 || b < 0) return PICUS_ID_INVALID;
  if (picus_is_number(pool, condition)) return pool->nodes[condition].value != 0 ? a : b;
  if (has_op(pool, condition, PICUS_NOT)) return picus_make_when(pool, picus_argument_at(pool, condition, 0), b, a);
  if (has_op(pool, a, PICUS_WHEN) && picus_argument_at(pool, a, 0) == condition) a = picus_argument_at(pool, a, 1);
  if (has_op(pool, b, PICUS_WHEN) && picus_argument_at(pool, b, 0) == condition) b = picus_argument_at(pool, b, 2);
  if (a == b) return a;
  return picus_intern(pool, PICUS_WHEN, condition, a, b);
}

int32_t picus_make_operation(picus_pool *pool, picus_op op, const int32_t argument[3]) {
  switch (picus_op_arity(op)) {
  case 1:
    return picus_make_unary(pool, op, argument[0]);
  case 2:
    return picus_make_binary(pool, op, argument[0], argument[1]);
  default:
    if (op == PICUS_TABLE) return picus_make_table(pool, argument[0], argument[1], argument[2]);
    return picus_make_when(pool, argument[0], argument[1], argument[2]);
  }
}

/* ---- the public constructors */

static picus_expr wrong_operation(picus_pool *pool, picus_op op, const char *kind) {
  return (picus_expr){picus_pool_fail(pool, PICUS_ERROR_ARGUMENT, "\"%s\" (%d) is not a %s operation",
                                      picus_op_name(op), (int)op, kind)};
}

picus_expr picus_number(picus_pool *pool, double value) { return (picus_expr){picus_make_number(pool, value)}; }

picus_expr picus_unary(picus_pool *pool, picus_op op, picus_expr a) {
  if (picus_op_arity(op) != 1) return wrong_operation(pool, op, "unary");
  if (!picus_pool_owns(pool, a.id)) return (picus_expr){PICUS_ID_INVALID};
  return (picus_expr){picus_make_unary(pool, op, a.id)};
}

picus_expr picus_binary(picus_pool *pool, picus_op op, picus_expr a, picus_expr b) {
  if (picus_op_arity(op) != 2) return wrong_operation(pool, op, "binary");
  if (!picus_pool_owns(pool, a.id) || !picus_pool_owns(pool, b.id)) return (picus_expr){PICUS_ID_INVALID};
  return (picus_expr){picus_make_binary(pool, op, a.id, b.id)};
}

picus_expr picus_when(picus_pool *pool, picus_expr condition, picus_expr a, picus_expr b) {
  if (!picus_pool_owns(pool, condition.id) || !picus_pool_owns(pool, a.id) || !picus_pool_owns(pool, b.id))
    return (picus_expr){PICUS_ID_INVALID};
  return (picus_expr){picus_make_when(pool, condition.id, a.id, b.id)};
}
