/* Products, quotients and powers. Numeric factors are collected in front of a product; common factors of numerator
 * and denominator cancel; everything else keeps the grouping in which it was written. */
#include "expr/internal.h"

#include <math.h>
#include <stdlib.h>

/* --- monomials ---------------------------------------------------------------------------------------------------- */

/* Products as lists of powers: c * x1^n1 * x2^n2 ... with integer exponents. This form finds equal products regardless
 * of grouping, and cancels common factors of quotients. Only products of moderate size are treated, so that building
 * stays linear in the number of operations. */

static int32_t make_integer_power(picus_pool *pool, int32_t a, int exponent);

enum { MOST_VISITS = 48 };

bool picus_is_pure_product(const picus_pool *pool, picus_op op, int32_t a, int32_t b) {
  switch (op) {
  case PICUS_MULTIPLY:
    return !picus_is_number(pool, a) && !picus_is_number(pool, b);
  case PICUS_DIVIDE:
    return (a == PICUS_ID_ONE || !picus_is_number(pool, a)) && !picus_is_number(pool, b);
  case PICUS_POWER: {
    if (picus_is_number(pool, a) || !picus_is_number(pool, b)) return false;
    double exponent = pool->nodes[b].value;
    return exponent != 0 && fabs(exponent) <= PICUS_LARGEST_EXPONENT && exponent == floor(exponent);
  }
  default:
    return false;
  }
}

/* If id is a power with a small integer exponent, that exponent, else 0. */
static int integer_exponent(const picus_pool *pool, int32_t id) {
  const picus_node *node = picus_node_at(pool, id);
  if (node->op != PICUS_POWER || !picus_is_pure_product(pool, PICUS_POWER, node->argument[0], node->argument[1]))
    return 0;
  return (int)pool->nodes[node->argument[1]].value;
}

static bool multiply_power(picus_monomial *monomial, int32_t base, int exponent) {
  for (int k = 0; k < monomial->count; k++) {
    picus_factor *factor = &monomial->factor[k];
    if (factor->base != base) continue;
    factor->exponent += exponent;
    if (factor->exponent == 0)
      *factor = monomial->factor[--monomial->count];
    else if (abs(factor->exponent) > PICUS_LARGEST_EXPONENT)
      return false;
    return true;
  }
  if (monomial->count == PICUS_MOST_FACTORS) return false;
  monomial->factor[monomial->count++] = (picus_factor){base, exponent};
  return true;
}

static bool multiply_number(picus_monomial *monomial, double value, int exponent) {
  monomial->coefficient *= picus_integer_power(value, exponent);
  return isnormal(monomial->coefficient);
}

bool picus_monomial_multiply(const picus_pool *pool, picus_monomial *monomial, int32_t id, int exponent) {
  picus_factor open[MOST_VISITS];
  int open_count = 0, visits = 0;
  open[open_count++] = (picus_factor){id, exponent};
  while (open_count > 0) {
    picus_factor next = open[--open_count];
    const picus_node *node = picus_node_at(pool, next.base);
    /* factors may be shared, and a walk through all of them exponentially long: it is bounded */
    if (++visits > MOST_VISITS || open_count + 2 > MOST_VISITS || abs(next.exponent) > PICUS_LARGEST_EXPONENT)
      return false;
    int inner = integer_exponent(pool, next.base);
    bool fits = true;
    if (node->op == PICUS_NUMBER) {
      fits = multiply_number(monomial, node->value, next.exponent);
    } else if (node->op == PICUS_NEGATE) {
      open[open_count++] = (picus_factor){node->argument[0], next.exponent};
      if (next.exponent & 1) monomial->coefficient = -monomial->coefficient;
    } else if (node->op == PICUS_MULTIPLY || node->op == PICUS_DIVIDE) {
      int sign = node->op == PICUS_DIVIDE ? -1 : 1;
      open[open_count++] = (picus_factor){node->argument[1], sign * next.exponent};
      open[open_count++] = (picus_factor){node->argument[0], next.exponent};
    } else if (inner != 0 && abs(inner) <= PICUS_LARGEST_EXPONENT / abs(next.exponent)) {
      open[open_count++] = (picus_factor){node->argument[0], inner * next.exponent};
    } else {
      fits = multiply_power(monomial, next.base, next.exponent);
    }
    if (!fits) return false;
  }
  return true;
}

static int exponent_of(const picus_monomial *monomial, int32_t base) {
  for (int k = 0; k < monomial->count; k++)
    if (monomial->factor[k].base == base) return monomial->factor[k].exponent;
  return 0;
}

bool picus_monomial_equal(const picus_monomial *a, const picus_monomial *b) {
  if (a->count != b->count || a->coefficient != b->coefficient) return false;
  for (int k = 0; k < a->count; k++)
    if (exponent_of(b, a->factor[k].base) != a->factor[k].exponent) return false;
  return true;
}

static void sort_factors(picus_monomial *monomial) {
  for (int i = 1; i < monomial->count; i++) {
    picus_factor moved = monomial->factor[i];
    int k = i;
    for (; k > 0 && monomial->factor[k - 1].base > moved.base; k--) monomial->factor[k] = monomial->factor[k - 1];
    monomial->factor[k] = moved;
  }
}

/* The product of all factors whose exponents have the given sign. */
static int32_t build_side(picus_pool *pool, const picus_monomial *monomial, int sign) {
  int32_t product = PICUS_ID_ONE;
  for (int k = 0; k < monomial->count; k++) {
    int exponent = sign * monomial->factor[k].exponent;
    if (exponent <= 0) continue;
    int32_t power = make_integer_power(pool, monomial->factor[k].base, exponent);
    product = product == PICUS_ID_ONE ? power : picus_intern(pool, PICUS_MULTIPLY, product, power, -1);
  }
  return product;
}

int32_t picus_monomial_build(picus_pool *pool, const picus_monomial *monomial) {
  picus_monomial sorted = *monomial;
  sort_factors(&sorted);
  int32_t above = build_side(pool, &sorted, 1), below = build_side(pool, &sorted, -1);
  int32_t term = below == PICUS_ID_ONE ? above : picus_intern(pool, PICUS_DIVIDE, above, below, -1);
  return picus_make_scaled(pool, monomial->coefficient, term);
}

/* --- products ----------------------------------------------------------------------------------------------------- */

static double value_at(const picus_pool *pool, int32_t id) { return pool->nodes[id].value; }

static bool has_op(const picus_pool *pool, int32_t id, picus_op op) { return pool->nodes[id].op == (int32_t)op; }

/* c * x, with the number in front. */
static bool is_number_times(const picus_pool *pool, int32_t id) {
  return has_op(pool, id, PICUS_MULTIPLY) && picus_is_number(pool, picus_argument_at(pool, id, 0));
}

/* c / x. */
static bool is_number_over(const picus_pool *pool, int32_t id) {
  return has_op(pool, id, PICUS_DIVIDE) && picus_is_number(pool, picus_argument_at(pool, id, 0));
}

bool picus_has_factor(const picus_pool *pool, int32_t id) {
  return has_op(pool, id, PICUS_NEGATE) || is_number_times(pool, id);
}

/* A numeric factor is safe to collect while it is neither lost to zero nor to infinity. */
static bool is_safe_factor(double factor) { return isnormal(factor); }

bool picus_is_negative(const picus_pool *pool, int32_t id) {
  const picus_node *node = picus_node_at(pool, id);
  if (node->op == PICUS_NUMBER) return node->value < 0;
  if (node->op == PICUS_SUBTRACT) return node->argument[0] > node->argument[1];
  if (is_number_times(pool, id) || is_number_over(pool, id)) return value_at(pool, node->argument[0]) < 0;
  return node->op == PICUS_NEGATE;
}

picus_scaled_term picus_split_factor(picus_pool *pool, int32_t id) {
  const picus_node *node = picus_node_at(pool, id);
  if (node->op == PICUS_NUMBER) return (picus_scaled_term){node->value, PICUS_ID_ONE};
  if (node->op == PICUS_NEGATE) return (picus_scaled_term){-1, node->argument[0]};
  if (is_number_times(pool, id)) return (picus_scaled_term){value_at(pool, node->argument[0]), node->argument[1]};
  if (is_number_over(pool, id) && node->argument[0] != PICUS_ID_ONE) {
    double factor = value_at(pool, node->argument[0]);
    return (picus_scaled_term){factor, picus_intern(pool, PICUS_DIVIDE, PICUS_ID_ONE, node->argument[1], -1)};
  }
  return (picus_scaled_term){1, id};
}

/* As above, and of a - b and b - a only one appears as a factor. */
static picus_scaled_term split_signed_factor(picus_pool *pool, int32_t id) {
  const picus_node *node = picus_node_at(pool, id);
  if (node->op == PICUS_SUBTRACT && node->argument[0] > node->argument[1])
    return (picus_scaled_term){-1, picus_intern(pool, PICUS_SUBTRACT, node->argument[1], node->argument[0], -1)};
  return picus_split_factor(pool, id);
}

/* True if the other sign costs nothing. */
static bool has_number(const picus_pool *pool, int32_t id) {
  return picus_is_number(pool, id) || is_number_times(pool, id) || is_number_over(pool, id);
}

/* -a; of a sum with a numeric factor somewhere, -(c*x + y) = (-c)*x - y, which saves the negation. */
static int32_t negated(picus_pool *pool, int32_t a) {
  picus_op op = picus_op_at(pool, a);
  int32_t first = picus_argument_at(pool, a, 0), second = picus_argument_at(pool, a, 1);
  if (op == PICUS_NEGATE) return first;
  if (op == PICUS_SUBTRACT) return picus_add_two(pool, second, -1, first);
  if (op == PICUS_ADD && has_number(pool, second))
    return picus_add_two(pool, picus_make_scaled(pool, -1, second), -1, first);
  if (op == PICUS_ADD && has_number(pool, first))
    return picus_add_two(pool, picus_make_scaled(pool, -1, first), -1, second);
  return picus_intern(pool, PICUS_NEGATE, a, -1, -1);
}

int32_t picus_make_scaled(picus_pool *pool, double factor, int32_t a) {
  if (a < 0) return a;
  if (picus_is_number(pool, a)) return picus_fold(pool, PICUS_MULTIPLY, factor, value_at(pool, a));
  if (factor == 0) return PICUS_ID_ZERO;
  if (factor == 1) return a;
  if (is_number_times(pool, a) || is_number_over(pool, a)) {
    double collected = factor * value_at(pool, picus_argument_at(pool, a, 0));
    int32_t rest = picus_argument_at(pool, a, 1);
    if (is_safe_factor(collected) && is_number_times(pool, a)) return picus_make_scaled(pool, collected, rest);
    if (is_safe_factor(collected))
      return picus_intern(pool, PICUS_DIVIDE, picus_make_number(pool, collected), rest, -1);
  }
  if (factor == -1) return negated(pool, a);
  if (has_op(pool, a, PICUS_SUBTRACT) && picus_is_negative(pool, a)) { /* of c*(x-y) and -c*(y-x) only one is used */
    factor = -factor;
    a = picus_intern(pool, PICUS_SUBTRACT, picus_argument_at(pool, a, 1), picus_argument_at(pool, a, 0), -1);
  }
  if (has_op(pool, a, PICUS_NEGATE)) return picus_make_scaled(pool, -factor, picus_argument_at(pool, a, 0));
  return picus_intern(pool, PICUS_MULTIPLY, picus_make_number(pool, factor), a, -1);
}

/* True if a factor of one appears in the other such that both combined are simpler: x and 1/x. */
static bool cancels(const picus_monomial *a, const picus_monomial *b, int sign) {
  for (int i = 0; i < a->count; i++)
    for (int k = 0; k < b->count; k++)
      if (a->factor[i].base == b->factor[k].base && (a->factor[i].exponent < 0) != (sign * b->factor[k].exponent < 0))
        return true;
  return false;
}

/* a * b^sign as one list of powers, if that is simpler than the two of them; else invalid. */
static int32_t merged(picus_pool *pool, int32_t a, int32_t b, int sign) {
  picus_monomial powers_a = {.coefficient = 1}, powers_b = {.coefficient = 1};
  if (!picus_monomial_multiply(pool, &powers_a, a, 1) || !picus_monomial_multiply(pool, &powers_b, b, 1))
    return PICUS_ID_INVALID;
  bool one_base = powers_a.count == 1 && powers_b.count == 1 && powers_a.factor[0].base == powers_b.factor[0].base;
  bool square = one_base && a == b && sign > 0 && powers_a.factor[0].exponent == 1;
  if (square || (!one_base && !cancels(&powers_a, &powers_b, sign))) return PICUS_ID_INVALID;
  if (!picus_monomial_multiply(pool, &powers_a, b, sign)) return PICUS_ID_INVALID;
  return picus_monomial_build(pool, &powers_a);
}

static int32_t multiply_terms(picus_pool *pool, int32_t a, int32_t b) {
  if (a == PICUS_ID_ONE) return b;
  if (b == PICUS_ID_ONE) return a;
  const picus_node *first = picus_node_at(pool, a), *second = picus_node_at(pool, b);
  if (a == b && first->op == PICUS_SQRT) return first->argument[0];
  if (a == b && first->op == PICUS_ABS) return multiply_terms(pool, first->argument[0], first->argument[0]);
  if (a != b && first->op == PICUS_DIVIDE && second->op == PICUS_DIVIDE) {
    int32_t a_below = first->argument[1], b_below = second->argument[1];
    int32_t above = picus_make_product(pool, first->argument[0], second->argument[0]);
    return picus_make_quotient(pool, above, picus_make_product(pool, a_below, b_below));
  }
  int32_t simpler = merged(pool, a, b, 1);
  if (simpler >= 0) return simpler;
  return a < b ? picus_intern(pool, PICUS_MULTIPLY, a, b, -1) : picus_intern(pool, PICUS_MULTIPLY, b, a, -1);
}

int32_t picus_make_product(picus_pool *pool, int32_t a, int32_t b) {
  if (a < 0 || b < 0) return PICUS_ID_INVALID;
  if (a == PICUS_ID_ZERO || b == PICUS_ID_ZERO) return PICUS_ID_ZERO;
  if (picus_is_number(pool, a)) return picus_make_scaled(pool, value_at(pool, a), b);
  if (picus_is_number(pool, b)) return picus_make_scaled(pool, value_at(pool, b), a);
  picus_scaled_term split_a = split_signed_factor(pool, a), split_b = split_signed_factor(pool, b);
  if (split_a.term < 0 || split_b.term < 0) return PICUS_ID_INVALID;
  double factor = split_a.factor * split_b.factor;
  if (!is_safe_factor(factor)) return picus_intern(pool, PICUS_MULTIPLY, a < b ? a : b, a < b ? b : a, -1);
  return picus_make_scaled(pool, factor, multiply_terms(pool, split_a.term, split_b.term));
}

static int32_t divide_terms(picus_pool *pool, int32_t a, int32_t b) {
  if (b == PICUS_ID_ONE) return a;
  if (a == b) return PICUS_ID_ONE;
  const picus_node *above = picus_node_at(pool, a), *below = picus_node_at(pool, b);
  if (below->op == PICUS_SQRT && below->argument[0] == a) return b;
  if (above->op == PICUS_DIVIDE || below->op == PICUS_DIVIDE) { /* (p/q) / (r/s) = (p s) / (q r) */
    int32_t p = a, q = PICUS_ID_ONE, r = b, s = PICUS_ID_ONE;
    if (above->op == PICUS_DIVIDE) p = above->argument[0], q = above->argument[1];
    if (below->op == PICUS_DIVIDE) r = below->argument[0], s = below->argument[1];
    int32_t numerator = picus_make_product(pool, p, s);
    return picus_make_quotient(pool, numerator, picus_make_product(pool, q, r));
  }
  int32_t simpler = a == PICUS_ID_ONE ? PICUS_ID_INVALID : merged(pool, a, b, -1);
  return simpler >= 0 ? simpler : picus_intern(pool, PICUS_DIVIDE, a, b, -1);
}

int32_t picus_make_quotient(picus_pool *pool, int32_t a, int32_t b) {
  if (a < 0 || b < 0) return PICUS_ID_INVALID;
  if (picus_is_number(pool, a) && picus_is_number(pool, b))
    return picus_fold(pool, PICUS_DIVIDE, value_at(pool, a), value_at(pool, b));
  if (b == PICUS_ID_ZERO) {
    char text[120];
    picus_expr_format(pool, (picus_expr){a}, text, sizeof text);
    return picus_pool_fail(pool, PICUS_ERROR_NUMBER, "%s is divided by 0", text);
  }
  if (a == PICUS_ID_ZERO) return PICUS_ID_ZERO;
  picus_scaled_term split_a = split_signed_factor(pool, a), split_b = split_signed_factor(pool, b);
  if (split_a.term < 0 || split_b.term < 0) return PICUS_ID_INVALID;
  double factor = split_a.factor / split_b.factor;
  if (!is_safe_factor(factor)) return picus_intern(pool, PICUS_DIVIDE, a, b, -1);
  return picus_make_scaled(pool, factor, divide_terms(pool, split_a.term, split_b.term));
}

/* ---- powers */

static bool is_small_integer(double value) { return value == floor(value) && fabs(value) <= PICUS_LARGEST_EXPONENT; }

/* a^n for n >= 1 of a term without numeric factor. */
static int32_t positive_power(picus_pool *pool, int32_t a, int exponent) {
  const picus_node *node = picus_node_at(pool, a);
  if (exponent == 1) return a;
  if (exponent == 2) return multiply_terms(pool, a, a);
  if (exponent % 2 == 0 && node->op == PICUS_SQRT) return make_integer_power(pool, node->argument[0], exponent / 2);
  if (exponent % 2 == 0 && node->op == PICUS_ABS) return make_integer_power(pool, node->argument[0], exponent);
  int inner = integer_exponent(pool, a);
  bool square = node->op == PICUS_MULTIPLY && node->argument[0] == node->argument[1];
  if (square) inner = 2;
  if (inner > 0 && inner <= PICUS_LARGEST_EXPONENT / exponent)
    return make_integer_power(pool, node->argument[0], inner * exponent);
  return picus_intern(pool, PICUS_POWER, a, picus_make_number(pool, exponent), -1);
}

static int32_t make_integer_power(picus_pool *pool, int32_t a, int exponent) {
  if (a < 0) return a;
  if (exponent == 0) return PICUS_ID_ONE;
  if (exponent < 0) return picus_make_quotient(pool, PICUS_ID_ONE, make_integer_power(pool, a, -exponent));
  picus_scaled_term split = split_signed_factor(pool, a);
  if (split.term < 0) return PICUS_ID_INVALID;
  double factor = picus_apply(PICUS_POWER, split.factor, exponent, 0);
  if (!is_safe_factor(factor)) return picus_intern(pool, PICUS_POWER, a, picus_make_number(pool, exponent), -1);
  return picus_make_scaled(pool, factor, positive_power(pool, split.term, exponent));
}

int32_t picus_make_power(picus_pool *pool, int32_t a, int32_t b) {
  if (a < 0 || b < 0) return PICUS_ID_INVALID;
  if (a == PICUS_ID_ONE) return PICUS_ID_ONE;
  if (!picus_is_number(pool, b)) return picus_intern(pool, PICUS_POWER, a, b, -1);
  double exponent = value_at(pool, b);
  if (picus_is_number(pool, a)) return picus_fold(pool, PICUS_POWER, value_at(pool, a), exponent);
  if (is_small_integer(exponent)) return make_integer_power(pool, a, (int)exponent);
  if (exponent == 0.5) return picus_make_unary(pool, PICUS_SQRT, a);
  if (exponent == -0.5) return picus_make_quotient(pool, PICUS_ID_ONE, picus_make_unary(pool, PICUS_SQRT, a));
  if (has_op(pool, a, PICUS_EXP))
    return picus_make_unary(pool, PICUS_EXP, picus_make_scaled(pool, exponent, picus_argument_at(pool, a, 0)));
  return picus_intern(pool, PICUS_POWER, a, b, -1);
}
