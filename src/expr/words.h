/* The functions that model files and texts of expressions have: one list, so that both know the same words. */
#ifndef PICUS_EXPR_WORDS_H
#define PICUS_EXPR_WORDS_H

#include <picus/expr.h>

typedef enum picus_word_kind {
  PICUS_WORD_UNARY,   /* a function of one number */
  PICUS_WORD_LOG,     /* log(x), log(x, base) */
  PICUS_WORD_ATAN,    /* atan(y), atan(y, x), atan2(y, x) */
  PICUS_WORD_EXTREME, /* min and max of one argument or more */
  PICUS_WORD_COMPARE, /* conditions: lt, le, gt, ge, eq, ne */
  PICUS_WORD_COMBINE, /* all and any of conditions */
  PICUS_WORD_NO,      /* the opposite of a condition */
  PICUS_WORD_WHEN     /* when(condition, a, b) */
} picus_word_kind;

typedef struct picus_word {
  const char *name;
  picus_word_kind kind;
  picus_op op;
  int least, most;               /* number of arguments; most 0: any */
  double (*calculate)(double x); /* of unary functions */
  bool swapped, negated;         /* of comparisons: gt is lt with its arguments swapped, ne is not eq */
} picus_word;

const picus_word *picus_word_at(int index);           /* NULL: no such word */
const picus_word *picus_word_named(const char *name); /* NULL: no such word */

/* Unary functions, log and atan: of one or two numbers, and of expressions, which are built in the same order by all
 * callers. */
double picus_word_calculate(const picus_word *word, int count, const double *numbers);
picus_expr picus_word_build(picus_pool *pool, const picus_word *word, int count, const picus_expr *arguments);
/* Comparisons. */
bool picus_word_compare(const picus_word *word, double a, double b);
picus_expr picus_word_condition(picus_pool *pool, const picus_word *word, picus_expr a, picus_expr b);

#endif
