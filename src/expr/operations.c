/* The operations: names, numbers of arguments, and their values. */
#include "base/elementary.h"
#include "expr/internal.h"

#include <math.h>
#include <stdlib.h>

typedef struct operation {
  const char *name;
  int arity;
} operation;

static const operation operations[PICUS_OP_COUNT] = {
    [PICUS_NUMBER] = {"number", 0}, [PICUS_VARIABLE] = {"variable", 0}, [PICUS_NEGATE] = {"-", 1},
    [PICUS_SQRT] = {"sqrt", 1},     [PICUS_EXP] = {"exp", 1},           [PICUS_LOG] = {"log", 1},
    [PICUS_SIN] = {"sin", 1},       [PICUS_COS] = {"cos", 1},           [PICUS_TAN] = {"tan", 1},
    [PICUS_ASIN] = {"asin", 1},     [PICUS_ACOS] = {"acos", 1},         [PICUS_ATAN] = {"atan", 1},
    [PICUS_SINH] = {"sinh", 1},     [PICUS_COSH] = {"cosh", 1},         [PICUS_TANH] = {"tanh", 1},
    [PICUS_ABS] = {"abs", 1},       [PICUS_SIGN] = {"sign", 1},         [PICUS_NOT] = {"not", 1},
    [PICUS_ADD] = {"+", 2},         [PICUS_SUBTRACT] = {"-", 2},        [PICUS_MULTIPLY] = {"*", 2},
    [PICUS_DIVIDE] = {"/", 2},      [PICUS_POWER] = {"^", 2},           [PICUS_ATAN2] = {"atan2", 2},
    [PICUS_MIN] = {"min", 2},       [PICUS_MAX] = {"max", 2},           [PICUS_LESS] = {"<", 2},
    [PICUS_LESS_EQUAL] = {"<=", 2}, [PICUS_EQUAL] = {"==", 2},          [PICUS_AND] = {"and", 2},
    [PICUS_OR] = {"or", 2},         [PICUS_WHEN] = {"when", 3},         [PICUS_TABLE] = {"table", 3},
};

static bool is_op(picus_op op) { return (int)op >= 0 && op < PICUS_OP_COUNT; }

int picus_op_arity(picus_op op) { return is_op(op) ? operations[op].arity : 0; }
const char *picus_op_name(picus_op op) { return is_op(op) ? operations[op].name : "unknown operation"; }

bool picus_is_boolean_op(picus_op op) { return op == PICUS_NOT || (op >= PICUS_LESS && op <= PICUS_OR); }

double picus_integer_power(double base, int exponent) {
  double square = base, result = 1;
  for (unsigned left = (unsigned)abs(exponent); left; left >>= 1) {
    if (left & 1) result *= square;
    if (left > 1) square *= square;
  }
  return exponent < 0 ? 1 / result : result;
}

bool picus_multiplied_power(double exponent, int *whole, bool *half) {
  if (!(fabs(exponent) <= PICUS_LARGEST_MULTIPLIED_POWER)) return false;
  double down = floor(exponent);
  *whole = (int)down;
  *half = exponent - down == 0.5;
  return *half || exponent == down;
}

/* One definition of the power for all exponents, so that a folded number, an evaluation and a tape agree bit by bit.
 * x^(n+1/2) for positive n as x^n sqrt(x): fast, and finite at 0. */
static double power(double base, double exponent) {
  int whole;
  bool half;
  if (!picus_multiplied_power(exponent, &whole, &half)) return picus_pow(base, exponent);
  if (!half) return picus_integer_power(base, whole);
  if (whole >= 0) return picus_integer_power(base, whole) * sqrt(base);
  return 1 / (picus_integer_power(base, -whole - 1) * sqrt(base));
}

double picus_apply(picus_op op, double a, double b, double c) {
  switch (op) {
  case PICUS_NEGATE:
    return -a;
  case PICUS_SQRT:
    return sqrt(a);
  case PICUS_EXP:
    return picus_exp(a);
  case PICUS_LOG:
    return picus_ln(a);
  case PICUS_SIN:
    return picus_sin(a);
  case PICUS_COS:
    return picus_cos(a);
  case PICUS_TAN:
    return picus_tan(a);
  case PICUS_ASIN:
    return picus_asin(a);
  case PICUS_ACOS:
    return picus_acos(a);
  case PICUS_ATAN:
    return picus_atan(a);
  case PICUS_SINH:
    return picus_sinh(a);
  case PICUS_COSH:
    return picus_cosh(a);
  case PICUS_TANH:
    return picus_tanh(a);
  case PICUS_ABS:
    return fabs(a);
  case PICUS_SIGN:
    return (a > 0) - (a < 0);
  case PICUS_NOT:
    return a == 0;
  case PICUS_ADD:
    return a + b;
  case PICUS_SUBTRACT:
    return a - b;
  case PICUS_MULTIPLY:
    return a * b;
  case PICUS_DIVIDE:
    return a / b;
  case PICUS_POWER:
    return power(a, b);
  case PICUS_ATAN2:
    return picus_atan2(a, b);
  case PICUS_MIN:
    return b < a ? b : a;
  case PICUS_MAX:
    return a < b ? b : a;
  case PICUS_LESS:
    return a < b;
  case PICUS_LESS_EQUAL:
    return a <= b;
  case PICUS_EQUAL:
    return a == b;
  case PICUS_AND:
    return a != 0 && b != 0;
  case PICUS_OR:
    return a != 0 || b != 0;
  case PICUS_WHEN:
    return a != 0 ? b : c;
  case PICUS_NUMBER:
  case PICUS_VARIABLE:
  case PICUS_TABLE: /* needs its points: picus_table_at */
  case PICUS_OP_COUNT:
    break;
  }
  return NAN;
}
