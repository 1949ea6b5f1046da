/* Products as lists of powers: c * x1^n1 * x2^n2 ... with integer exponents. This form finds equal products regardless
 * of grouping, and cancels common factors of quotients. Only products of moderate size are treated, so that building
 * stays linear in the number of operations. */
#include "expr/internal.h"

#include <math.h>
#include <stdlib.h>

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

int picus_integer_exponent(const picus_pool *pool, int32_t id) {
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
    int inner = picus_integer_exponent(pool, next.base);
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
    int32_t power = picus_make_integer_power(pool, monomial->factor[k].base, exponent);
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
