/* For the tests of formulas: a pool with a few variables, and a reader of formulas written as text. */
#ifndef PICUS_TEST_EXPR_SUPPORT_H
#define PICUS_TEST_EXPR_SUPPORT_H

#include "support/check.h"

#include <ctype.h>
#include <picus/expr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct formulas {
  picus_context *context;
  picus_pool *pool;
} formulas;

/* A pool with the variables named, e.g. "x y z". */
static inline formulas formulas_open(const char *names) {
  formulas f = {0};
  if (picus_context_create(NULL, &f.context) != PICUS_OK || picus_pool_create(f.context, &f.pool) != PICUS_OK)
    exit(EXIT_FAILURE);
  char name[32];
  while (*names) {
    size_t length = strcspn(names, " ");
    memcpy(name, names, length);
    name[length] = '\0';
    picus_variable(f.pool, name);
    names += length + strspn(names + length, " ");
  }
  return f;
}

static inline void formulas_close(formulas f) {
  picus_pool_destroy(f.pool);
  CHECK(picus_context_memory(f.context) == 0);
  picus_context_destroy(f.context);
}

/* ---- the reader: precedence climbing over the text that picus_expr_format writes */

typedef struct reader {
  picus_pool *pool;
  const char *at;
} reader;

static inline picus_expr read_level(reader *from, int level);

static inline bool take(reader *from, const char *text) {
  while (*from->at == ' ') from->at++;
  size_t length = strlen(text);
  if (strncmp(from->at, text, length) != 0) return false;
  if (isalpha((unsigned char)*text) && isalnum((unsigned char)from->at[length])) return false;
  from->at += length;
  return true;
}

static inline picus_expr read_call(reader *from, picus_op op) {
  picus_expr argument[3] = {{-1}, {-1}, {-1}};
  int count = 0;
  do argument[count++] = read_level(from, 0);
  while (count < 3 && take(from, ","));
  if (!take(from, ")") || count != picus_op_arity(op)) return (picus_expr){-1};
  if (count == 1) return picus_unary(from->pool, op, argument[0]);
  if (count == 2) return picus_binary(from->pool, op, argument[0], argument[1]);
  return picus_when(from->pool, argument[0], argument[1], argument[2]);
}

static inline picus_expr read_name(reader *from) {
  char name[32] = "";
  for (size_t k = 0; k + 1 < sizeof name && (isalnum((unsigned char)*from->at) || *from->at == '_'); k++)
    name[k] = *from->at++;
  for (int op = 0; op < PICUS_OP_COUNT; op++)
    if (strcmp(picus_op_name((picus_op)op), name) == 0 && take(from, "(")) return read_call(from, (picus_op)op);
  for (int k = 0; k < picus_variable_count(from->pool); k++) {
    if (strcmp(picus_variable_name(from->pool, k), name) != 0) continue;
    /* variables are few: finding the expression again by its index */
    for (int32_t id = 0; id < picus_pool_size(from->pool); id++)
      if (picus_expr_variable_index(from->pool, (picus_expr){id}) == k) return (picus_expr){id};
  }
  return (picus_expr){-1};
}

static inline picus_expr read_atom(reader *from) {
  picus_expr result;
  if (take(from, "(")) {
    result = read_level(from, 0);
    return take(from, ")") ? result : (picus_expr){-1};
  }
  if (isdigit((unsigned char)*from->at)) {
    char *end;
    result = picus_number(from->pool, strtod(from->at, &end));
    from->at = end;
    return result;
  }
  return read_name(from);
}

static inline picus_expr read_unary(reader *from) {
  if (take(from, "-")) return picus_neg(from->pool, read_unary(from));
  if (take(from, "not")) return picus_unary(from->pool, PICUS_NOT, read_unary(from));
  picus_expr base = read_atom(from);
  return take(from, "^") ? picus_binary(from->pool, PICUS_POWER, base, read_unary(from)) : base;
}

static inline bool take_operator(reader *from, int level, picus_op *op) {
  static const struct {
    const char *text;
    int level;
    picus_op op;
  } table[] = {{"or", 0, PICUS_OR},      {"and", 1, PICUS_AND},    {"<=", 2, PICUS_LESS_EQUAL},
               {"==", 2, PICUS_EQUAL},   {"<", 2, PICUS_LESS},     {"+", 3, PICUS_ADD},
               {"-", 3, PICUS_SUBTRACT}, {"*", 4, PICUS_MULTIPLY}, {"/", 4, PICUS_DIVIDE}};
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    if (table[k].level != level || !take(from, table[k].text)) continue;
    *op = table[k].op;
    return true;
  }
  return false;
}

static inline picus_expr read_level(reader *from, int level) {
  if (level == 5) return read_unary(from);
  picus_expr left = read_level(from, level + 1);
  for (picus_op op; take_operator(from, level, &op);)
    left = picus_binary(from->pool, op, left, read_level(from, level + 1));
  return left;
}

static inline picus_expr read_formula(picus_pool *pool, const char *text) {
  reader from = {pool, text};
  picus_expr result = read_level(&from, 0);
  return take(&from, "") && *from.at == '\0' ? result : (picus_expr){-1};
}

/* Both texts must give the same expression; says what they became otherwise. */
#define CHECK_SAME(pool, text, expected) check_same_text((pool), (text), (expected), __FILE__, __LINE__)

static inline bool check_same_text(picus_pool *pool, const char *text, const char *expected, const char *file,
                                   int line) {
  picus_expr a = read_formula(pool, text), b = read_formula(pool, expected);
  char message[600], became[200], wanted[200];
  picus_expr_format(pool, a, became, sizeof became);
  picus_expr_format(pool, b, wanted, sizeof wanted);
  snprintf(message, sizeof message, "%s = %s (became %s and %s)", text, expected, became, wanted);
  return test_check(picus_expr_valid(a) && a.id == b.id, file, line, message);
}

#endif
