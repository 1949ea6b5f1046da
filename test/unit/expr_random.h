/* Random formulas for property tests. Each is kept twice: as the expression that Picus builds, and as the plain list of
 * operations it was asked for, which is evaluated here without any simplification. */
#ifndef PICUS_TEST_EXPR_RANDOM_H
#define PICUS_TEST_EXPR_RANDOM_H

#include "support/check.h"

#include <math.h>
#include <picus/expr.h>

enum { RANDOM_VARIABLES = 4, MOST_OPERATIONS = 2048, MOST_SWITCHES = 64 };

typedef struct plain_operation {
  picus_op op;
  int argument[3]; /* places in the list; of a variable: its number */
  double number;
  picus_expr expr; /* what Picus made of it */
} plain_operation;

typedef struct random_formulas {
  picus_pool *pool;
  test_random random;
  picus_expr variable[RANDOM_VARIABLES];
  plain_operation list[MOST_OPERATIONS];
  int count;
  int switches[MOST_SWITCHES][2]; /* pairs of places: where they are equal, the formula has a kink or a jump */
  int switch_count;
} random_formulas;

static inline void random_formulas_open(random_formulas *from, picus_pool *pool, unsigned long long seed) {
  static const char *const names[RANDOM_VARIABLES] = {"x", "y", "z", "w"};
  *from = (random_formulas){.pool = pool, .random = {seed}};
  for (int k = 0; k < RANDOM_VARIABLES; k++) from->variable[k] = picus_variable(pool, names[k]);
}

/* ---- building */

static inline int place_number(random_formulas *from, double value) {
  from->list[from->count] = (plain_operation){PICUS_NUMBER, {0, 0, 0}, value, picus_number(from->pool, value)};
  return from->count++;
}

static inline int place_variable(random_formulas *from, int variable) {
  from->list[from->count] = (plain_operation){PICUS_VARIABLE, {variable, 0, 0}, 0, from->variable[variable]};
  return from->count++;
}

static inline int place(random_formulas *from, picus_op op, int a, int b, int c) {
  const plain_operation *list = from->list;
  int arity = picus_op_arity(op);
  picus_expr expr = arity == 1   ? picus_unary(from->pool, op, list[a].expr)
                    : arity == 2 ? picus_binary(from->pool, op, list[a].expr, list[b].expr)
                                 : picus_when(from->pool, list[a].expr, list[b].expr, list[c].expr);
  from->list[from->count] = (plain_operation){op, {a, b, c}, 0, expr};
  return from->count++;
}

/* offset + amplitude sin(a): within known bounds, whatever a is. */
static inline int bounded(random_formulas *from, double offset, double amplitude, int a) {
  int wave = place(from, PICUS_SIN, a, 0, 0), scaled = place_number(from, amplitude);
  scaled = place(from, PICUS_MULTIPLY, scaled, wave, 0);
  int shift = place_number(from, offset);
  return place(from, PICUS_ADD, scaled, shift, 0);
}

static inline void note_switch(random_formulas *from, int a, int b) {
  if (from->switch_count == MOST_SWITCHES) return;
  from->switches[from->switch_count][0] = a;
  from->switches[from->switch_count++][1] = b;
}

static inline int random_leaf(random_formulas *from) {
  if (test_integer(&from->random, 0, 3) == 0) return place_number(from, test_integer(&from->random, -4, 4) * 0.5);
  return place_variable(from, test_integer(&from->random, 0, RANDOM_VARIABLES - 1));
}

/* ---- all operations, with arguments kept inside the domains of the functions */

static inline int random_unary(random_formulas *from, picus_op op, int a) {
  switch (op) {
  case PICUS_SQRT:
  case PICUS_LOG:
    return place(from, op, bounded(from, 1.5, 1, a), 0, 0);
  case PICUS_EXP:
  case PICUS_SINH:
  case PICUS_COSH:
    return place(from, op, bounded(from, 0, 1.2, a), 0, 0);
  case PICUS_TAN:
  case PICUS_ASIN:
  case PICUS_ACOS:
    return place(from, op, bounded(from, 0, 0.8, a), 0, 0);
  case PICUS_ABS:
  case PICUS_SIGN:
  case PICUS_NOT:
    note_switch(from, a, place_number(from, 0));
    return place(from, op, a, 0, 0);
  default:
    return place(from, op, a, 0, 0);
  }
}

static inline int random_power(random_formulas *from, int a, int b) {
  static const double exponents[] = {2, 3, 4, 5, 7, -1, -2, -3, 0.5, 1.5, 2.5, -0.5, -1.5, 0.3, -0.7, 18};
  int k = test_integer(&from->random, 0, 20);
  int base = k < 4 ? bounded(from, 0, 1, a) : bounded(from, 1.2, 0.5, a);
  int exponent = k < 16 ? place_number(from, exponents[k]) : bounded(from, 0, 1.5, b);
  return place(from, PICUS_POWER, base, exponent, 0);
}

static inline int random_binary(random_formulas *from, picus_op op, int a, int b) {
  switch (op) {
  case PICUS_DIVIDE:
  case PICUS_ATAN2:
    return place(from, op, a, bounded(from, 2, 1, b), 0);
  case PICUS_POWER:
    return random_power(from, a, b);
  case PICUS_MIN:
  case PICUS_MAX:
  case PICUS_LESS:
  case PICUS_LESS_EQUAL:
  case PICUS_EQUAL:
    note_switch(from, a, b);
    break;
  case PICUS_AND:
  case PICUS_OR:
    note_switch(from, a, place_number(from, 0));
    note_switch(from, b, place_number(from, 0));
    break;
  default:
    break;
  }
  return place(from, op, a, b, 0);
}

/* A formula of at most the given depth; returns its place. */
static inline int random_formula(random_formulas *from, int depth) {
  if (depth == 0 || from->count > MOST_OPERATIONS / 2) return random_leaf(from);
  picus_op op = (picus_op)test_integer(&from->random, PICUS_NUMBER, PICUS_WHEN);
  bool plain = test_integer(&from->random, 0, 2) == 0; /* plain arithmetic is most of what people write */
  if (plain) op = (picus_op)test_integer(&from->random, PICUS_ADD, PICUS_MULTIPLY);
  if (picus_op_arity(op) == 0) return random_leaf(from);
  int a = random_formula(from, depth - 1);
  if (picus_op_arity(op) == 1) return random_unary(from, op, a);
  int b = random_formula(from, depth - 1);
  if (picus_op_arity(op) == 2) return random_binary(from, op, a, b);
  int condition = random_binary(from, PICUS_LESS, a, b), c = random_formula(from, depth - 1);
  return place(from, PICUS_WHEN, condition, c, random_formula(from, depth - 1));
}

/* Sums, products, quotients, powers and trigonometric squares of few different parts: much to collect and cancel. */
static inline int random_algebra(random_formulas *from, int depth) {
  int kind = test_integer(&from->random, 0, depth == 0 ? 2 : 12);
  if (kind == 0) return place_number(from, test_integer(&from->random, -3, 3));
  if (kind == 1) return place_variable(from, test_integer(&from->random, 0, 1));
  if (kind == 2) {
    int angle = place_variable(from, 2);
    return place(from, test_integer(&from->random, 0, 1) ? PICUS_SIN : PICUS_COS, angle, 0, 0);
  }
  int a = random_algebra(from, depth - 1);
  if (kind == 3) return place(from, PICUS_NEGATE, a, 0, 0);
  if (kind == 4) return place(from, PICUS_POWER, a, place_number(from, test_integer(&from->random, -1, 3)), 0);
  if (kind == 5) return place(from, PICUS_SQRT, place(from, PICUS_MULTIPLY, a, a, 0), 0, 0);
  int b = random_algebra(from, depth - 1);
  picus_op op = kind < 8 ? PICUS_ADD : kind < 10 ? PICUS_SUBTRACT : kind < 12 ? PICUS_MULTIPLY : PICUS_DIVIDE;
  return place(from, op, a, b, 0);
}

static inline void random_forget(random_formulas *from) { from->count = from->switch_count = 0; }

static inline picus_expr random_expr(const random_formulas *from, int at) { return from->list[at].expr; }

/* A variable that the formula depends on; -1: it is constant. */
static inline int random_dependence(random_formulas *from, picus_expr formula) {
  int start = test_integer(&from->random, 0, RANDOM_VARIABLES - 1);
  for (int k = 0; k < RANDOM_VARIABLES; k++)
    if (picus_expr_depends_on(from->pool, formula, (start + k) % RANDOM_VARIABLES))
      return (start + k) % RANDOM_VARIABLES;
  return -1;
}

static inline void random_point(random_formulas *from, double *point) {
  for (int k = 0; k < RANDOM_VARIABLES; k++) point[k] = test_uniform(&from->random, -2, 2);
}

/* ---- values without simplification */

static inline double plain_value(picus_op op, double a, double b, double c) {
  switch (op) {
  case PICUS_NEGATE:
    return -a;
  case PICUS_SQRT:
    return sqrt(a);
  case PICUS_EXP:
    return exp(a);
  case PICUS_LOG:
    return log(a);
  case PICUS_SIN:
    return sin(a);
  case PICUS_COS:
    return cos(a);
  case PICUS_TAN:
    return tan(a);
  case PICUS_ASIN:
    return asin(a);
  case PICUS_ACOS:
    return acos(a);
  case PICUS_ATAN:
    return atan(a);
  case PICUS_SINH:
    return sinh(a);
  case PICUS_COSH:
    return cosh(a);
  case PICUS_TANH:
    return tanh(a);
  case PICUS_ABS:
    return fabs(a);
  case PICUS_SIGN:
    return a < 0 ? -1 : a > 0 ? 1 : 0;
  case PICUS_NOT:
    return a == 0 ? 1 : 0;
  case PICUS_ADD:
    return a + b;
  case PICUS_SUBTRACT:
    return a - b;
  case PICUS_MULTIPLY:
    return a * b;
  case PICUS_DIVIDE:
    return a / b;
  case PICUS_POWER:
    return pow(a, b);
  case PICUS_ATAN2:
    return atan2(a, b);
  case PICUS_MIN:
    return fmin(a, b);
  case PICUS_MAX:
    return fmax(a, b);
  case PICUS_LESS:
    return a < b ? 1 : 0;
  case PICUS_LESS_EQUAL:
    return a <= b ? 1 : 0;
  case PICUS_EQUAL:
    return a == b ? 1 : 0;
  case PICUS_AND:
    return a != 0 && b != 0 ? 1 : 0;
  case PICUS_OR:
    return a != 0 || b != 0 ? 1 : 0;
  case PICUS_WHEN:
    return a != 0 ? b : c;
  default:
    return NAN;
  }
}

/* Values of the whole list at a point. */
static inline void plain_values(const random_formulas *from, const double *point, double *values) {
  for (int k = 0; k < from->count; k++) {
    const plain_operation *at = &from->list[k];
    if (at->op == PICUS_NUMBER)
      values[k] = at->number;
    else if (at->op == PICUS_VARIABLE)
      values[k] = point[at->argument[0]];
    else
      values[k] = plain_value(at->op, values[at->argument[0]], values[at->argument[1]], values[at->argument[2]]);
  }
}

#endif
