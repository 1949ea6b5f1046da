/* The functions of model files and of texts of expressions. */
#include "expr/words.h"
#include "base/elementary.h"

#include <math.h>
#include <string.h>

static double sign(double x) { return isnan(x) ? x : (x > 0) - (x < 0); }

static const picus_word words[] = {
    {"sqrt", PICUS_WORD_UNARY, PICUS_SQRT, 1, 1, sqrt, false, false},
    {"exp", PICUS_WORD_UNARY, PICUS_EXP, 1, 1, picus_exp, false, false},
    {"sin", PICUS_WORD_UNARY, PICUS_SIN, 1, 1, picus_sin, false, false},
    {"cos", PICUS_WORD_UNARY, PICUS_COS, 1, 1, picus_cos, false, false},
    {"tan", PICUS_WORD_UNARY, PICUS_TAN, 1, 1, picus_tan, false, false},
    {"asin", PICUS_WORD_UNARY, PICUS_ASIN, 1, 1, picus_asin, false, false},
    {"acos", PICUS_WORD_UNARY, PICUS_ACOS, 1, 1, picus_acos, false, false},
    {"sinh", PICUS_WORD_UNARY, PICUS_SINH, 1, 1, picus_sinh, false, false},
    {"cosh", PICUS_WORD_UNARY, PICUS_COSH, 1, 1, picus_cosh, false, false},
    {"tanh", PICUS_WORD_UNARY, PICUS_TANH, 1, 1, picus_tanh, false, false},
    {"abs", PICUS_WORD_UNARY, PICUS_ABS, 1, 1, fabs, false, false},
    {"sign", PICUS_WORD_UNARY, PICUS_SIGN, 1, 1, sign, false, false},
    {"log", PICUS_WORD_LOG, PICUS_LOG, 1, 2, NULL, false, false},
    {"atan", PICUS_WORD_ATAN, PICUS_ATAN, 1, 2, NULL, false, false},
    {"atan2", PICUS_WORD_ATAN, PICUS_ATAN2, 2, 2, NULL, false, false},
    {"min", PICUS_WORD_EXTREME, PICUS_MIN, 1, 0, NULL, false, false},
    {"max", PICUS_WORD_EXTREME, PICUS_MAX, 1, 0, NULL, false, false},
    {"lt", PICUS_WORD_COMPARE, PICUS_LESS, 2, 2, NULL, false, false},
    {"le", PICUS_WORD_COMPARE, PICUS_LESS_EQUAL, 2, 2, NULL, false, false},
    {"gt", PICUS_WORD_COMPARE, PICUS_LESS, 2, 2, NULL, true, false},
    {"ge", PICUS_WORD_COMPARE, PICUS_LESS_EQUAL, 2, 2, NULL, true, false},
    {"eq", PICUS_WORD_COMPARE, PICUS_EQUAL, 2, 2, NULL, false, false},
    {"ne", PICUS_WORD_COMPARE, PICUS_EQUAL, 2, 2, NULL, false, true},
    {"all", PICUS_WORD_COMBINE, PICUS_AND, 0, 0, NULL, false, false},
    {"any", PICUS_WORD_COMBINE, PICUS_OR, 0, 0, NULL, false, false},
    {"no", PICUS_WORD_NO, PICUS_NOT, 1, 1, NULL, false, false},
    {"when", PICUS_WORD_WHEN, PICUS_WHEN, 3, 3, NULL, false, false},
};
enum { WORDS = sizeof words / sizeof *words };

const picus_word *picus_word_at(int index) { return index >= 0 && index < WORDS ? &words[index] : NULL; }

const picus_word *picus_word_named(const char *name) {
  for (int i = 0; i < WORDS; i++)
    if (strcmp(words[i].name, name) == 0) return &words[i];
  return NULL;
}

double picus_word_calculate(const picus_word *word, int count, const double *numbers) {
  const double x = numbers[0];
  if (word->kind == PICUS_WORD_UNARY) return word->calculate(x);
  if (word->kind == PICUS_WORD_ATAN) return count == 2 ? picus_atan2(x, numbers[1]) : picus_atan(x);
  if (count == 1) return picus_ln(x);
  return numbers[1] == 10 ? picus_log10(x) : picus_ln(x) / picus_ln(numbers[1]);
}

picus_expr picus_word_build(picus_pool *pool, const picus_word *word, int count, const picus_expr *arguments) {
  if (word->kind == PICUS_WORD_ATAN)
    return count == 2 ? picus_binary(pool, PICUS_ATAN2, arguments[0], arguments[1])
                      : picus_unary(pool, PICUS_ATAN, arguments[0]);
  const picus_expr result = picus_unary(pool, word->op, arguments[0]);
  if (count == 1) return result;
  return picus_div(pool, result, picus_unary(pool, PICUS_LOG, arguments[1]));
}

bool picus_word_compare(const picus_word *word, double a, double b) {
  const double left = word->swapped ? b : a, right = word->swapped ? a : b;
  bool holds = left == right;
  if (word->op == PICUS_LESS) holds = left < right;
  if (word->op == PICUS_LESS_EQUAL) holds = left <= right;
  return holds != word->negated;
}

picus_expr picus_word_condition(picus_pool *pool, const picus_word *word, picus_expr a, picus_expr b) {
  const picus_expr holds = picus_binary(pool, word->op, word->swapped ? b : a, word->swapped ? a : b);
  return word->negated ? picus_unary(pool, PICUS_NOT, holds) : holds;
}
