/* Expressions as texts, with the words of model files: numbers, + - * / ^ and functions; time, coordinates, velocities,
 * displacements, inputs and parameters by their names.
 *
 * As in a model file, what consists of numbers alone is computed at once, in floating point, and everything else is
 * built in the order of the text. So a text gives the expression that the same line of a model file gives, bit for
 * bit. Texts may come from anybody: their length, the depth of their parentheses and the work on the pool are
 * limited. */
#include "base/elementary.h"
#include "expr/internal.h"
#include "expr/words.h"
#include "model/internal.h"
#include "platform/texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_CHARACTERS = 100000,
  MOST_DEPTH = 150,
  MOST_NODES = 4000000, /* of the pool, created or looked up: a second */
  LONGEST_NUMBER = 60,
  LONGEST_NAME = 120,
  SHOWN = 30 /* characters of the text before and behind a fault */
};

typedef enum value_kind { VALUE_NUMBER, VALUE_EXPR, VALUE_TRUTH, VALUE_CONDITION } value_kind;

typedef struct value {
  value_kind kind;
  double number;   /* of a number */
  bool truth;      /* of a condition between numbers */
  picus_expr expr; /* of the others */
} value;

typedef struct reader {
  picus_model *model;
  picus_pool *pool;
  const char *text;
  size_t at, length;
  int depth;
  picus_plain_locale plain; /* numbers have a point, whatever the locale of the program */
} reader;

static bool read_sum(reader *r, value *out);

/* ---- failures */

/* A part of the text around a place, in printable characters. */
static void show(const reader *r, size_t at, char *out, size_t size) {
  const size_t begin = at > SHOWN ? at - SHOWN : 0;
  const size_t end = r->length - at > SHOWN ? at + SHOWN : r->length;
  size_t n = (size_t)snprintf(out, size, "%s", begin > 0 ? "..." : "");
  for (size_t k = begin; k < end && n + 4 < size; k++)
    out[n++] = r->text[k] >= ' ' && r->text[k] < 127 ? r->text[k] : '?';
  snprintf(out + n, size - n, "%s", end < r->length ? "..." : "");
}

static bool fail(const reader *r, size_t at, picus_status status, const char *format, ...) PICUS_PRINTF(4, 5);
static bool fail(const reader *r, size_t at, picus_status status, const char *format, ...) {
  char sentence[PICUS_EXPR_FAILURE_SIZE - 120], excerpt[2 * SHOWN + 8];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  show(r, at, excerpt, sizeof excerpt);
  picus_model_note_failed_expr(r->model, status, "column %zu of \"%s\": %s", at + 1, excerpt, sentence);
  return false;
}

/* The pool could not build an expression; it keeps the reason. */
static bool fail_build(const reader *r, size_t at) {
  const picus_pool_watch *watch = r->pool->watch;
  if (watch && watch->exceeded)
    return fail(r, at, PICUS_ERROR_FILE_LIMIT, "the expression is too large; build it in several parts");
  return fail(r, at, r->pool->status ? r->pool->status : PICUS_ERROR_ARGUMENT, "%s", r->pool->message);
}

/* ---- values */

static bool is_condition(const value *v) { return v->kind == VALUE_TRUTH || v->kind == VALUE_CONDITION; }

static bool set_expr(const reader *r, size_t at, value_kind kind, picus_expr expr, value *out) {
  if (!picus_expr_valid(expr)) return fail_build(r, at);
  *out = (value){.kind = kind, .expr = expr};
  return true;
}

static bool to_expr(const reader *r, size_t at, const value *v, picus_expr *out) {
  if (is_condition(v))
    return fail(r, at, PICUS_ERROR_FILE_SYNTAX, "a condition is not a number; use when(condition, a, b)");
  if (v->kind == VALUE_NUMBER && !isfinite(v->number))
    return fail(r, at, PICUS_ERROR_NUMBER, "a number is not finite but %s; check the numbers before it",
                isnan(v->number) ? "nan" : "inf");
  *out = v->kind == VALUE_NUMBER ? picus_number(r->pool, v->number) : v->expr;
  return picus_expr_valid(*out) || fail_build(r, at);
}

static double calculate(picus_op op, double a, double b) {
  if (op == PICUS_POWER) return b == 2 ? a * a : picus_pow(a, b); /* as Lua does */
  return picus_apply(op, a, b, 0);
}

/* a op b; op is an operator, min or max. */
static bool combine(const reader *r, size_t at, picus_op op, const value *b, value *a) {
  if (a->kind == VALUE_NUMBER && b->kind == VALUE_NUMBER) {
    a->number = calculate(op, a->number, b->number);
    return true;
  }
  picus_expr left = {0}, right = {0};
  if (!to_expr(r, at, a, &left) || !to_expr(r, at, b, &right)) return false;
  return set_expr(r, at, VALUE_EXPR, picus_binary(r->pool, op, left, right), a);
}

static bool negate(const reader *r, size_t at, value *a) {
  picus_expr expr = {0};
  if (a->kind == VALUE_NUMBER) {
    a->number = -a->number;
    return true;
  }
  return to_expr(r, at, a, &expr) && set_expr(r, at, VALUE_EXPR, picus_neg(r->pool, expr), a);
}

/* ---- characters */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static char next(reader *r) {
  while (r->at < r->length && strchr(" \t\r\n", r->text[r->at])) r->at++;
  return r->at < r->length ? r->text[r->at] : '\0';
}

static bool take(reader *r, char c) {
  if (next(r) != c) return false;
  r->at++;
  return true;
}

/* What is found is not what a text of an expression may have here. */
static bool fail_character(reader *r, const char *wanted) {
  const char c = next(r);
  const size_t at = r->at;
  if (c == '\0') return fail(r, at, PICUS_ERROR_FILE_SYNTAX, "the text ends here, but %s is needed", wanted);
  if (strchr("<>=~", c))
    return fail(r, at, PICUS_ERROR_FILE_SYNTAX,
                "expressions have no comparison '%c'; use lt(a, b), le, gt, ge, eq or ne inside when(condition, a, b)",
                c);
  if (strchr("%/&|!", c))
    return fail(r, at, PICUS_ERROR_FILE_SYNTAX, "there is no operator '%c' here; operators are + - * / ^", c);
  if (c == ')') return fail(r, at, PICUS_ERROR_FILE_SYNTAX, "this ')' is wrong here: %s is needed", wanted);
  if (c < ' ' || c >= 127)
    return fail(r, at, PICUS_ERROR_FILE_SYNTAX, "this character is not part of expressions; %s is needed", wanted);
  return fail(r, at, PICUS_ERROR_FILE_SYNTAX, "'%c' is found where %s is needed", c, wanted);
}

/* ---- numbers and names */

static bool read_number(reader *r, value *out) {
  const size_t begin = r->at;
  size_t end = begin;
  while (end < r->length && is_digit(r->text[end])) end++;
  if (end < r->length && r->text[end] == '.') end++;
  while (end < r->length && is_digit(r->text[end])) end++;
  if (end < r->length && (r->text[end] == 'e' || r->text[end] == 'E')) {
    size_t power = end + 1;
    if (power < r->length && (r->text[power] == '+' || r->text[power] == '-')) power++;
    if (power < r->length && is_digit(r->text[power])) end = power;
    while (end < r->length && is_digit(r->text[end])) end++;
  }
  if (end - begin > LONGEST_NUMBER)
    return fail(r, begin, PICUS_ERROR_FILE_SYNTAX, "a number has more than %d characters; shorten it", LONGEST_NUMBER);
  if (end < r->length && (is_letter(r->text[end]) || r->text[end] == '.'))
    return fail(r, end, PICUS_ERROR_FILE_SYNTAX, "a number ends here; write * between factors, as in 2*x");
  char number[LONGEST_NUMBER + 1];
  memcpy(number, r->text + begin, end - begin);
  number[end - begin] = '\0';
  picus_locale_enter(&r->plain);
  *out = (value){.kind = VALUE_NUMBER, .number = strtod(number, NULL)};
  picus_locale_leave(&r->plain);
  r->at = end;
  if (isfinite(out->number)) return true;
  return fail(r, begin, PICUS_ERROR_NUMBER, "the number %s is too large; numbers are less than 1.8e308", number);
}

/* Letters, digits and _, and points between names, as in rod.x3. */
static bool read_name(reader *r, char name[LONGEST_NAME + 1]) {
  size_t end = r->at;
  while (end < r->length && (is_letter(r->text[end]) || is_digit(r->text[end]) ||
                             (r->text[end] == '.' && end + 1 < r->length && is_letter(r->text[end + 1]))))
    end++;
  if (end - r->at > LONGEST_NAME)
    return fail(r, r->at, PICUS_ERROR_NAME, "a name has more than %d characters; no name of the model is so long",
                LONGEST_NAME);
  memcpy(name, r->text + r->at, end - r->at);
  name[end - r->at] = '\0';
  r->at = end;
  return true;
}

static const char *next_name(const void *user, int k) {
  const picus_model *model = user;
  const int symbols = model->coordinate_count + model->velocity_count;
  return k < symbols ? picus_model_next_symbol(model, k) : picus_model_next_parameter(model, k - symbols);
}

static const char *next_word(const void *user, int k) {
  (void)user;
  const picus_word *word = picus_word_at(k);
  return word ? word->name : NULL;
}

static bool fail_name(const reader *r, size_t at, const char *name) {
  static const char *const logic[][2] = {{"and", "all(a, b)"}, {"or", "any(a, b)"}, {"not", "no(a)"}};
  for (size_t k = 0; k < sizeof logic / sizeof *logic; k++)
    if (strcmp(name, logic[k][0]) == 0)
      return fail(r, at, PICUS_ERROR_FILE_SYNTAX, "'%s' is not part of expressions; use %s", name, logic[k][1]);
  if (picus_word_named(name)) return fail(r, at, PICUS_ERROR_NAME, "'%s' is a function; write %s(...)", name, name);
  const char *nearest = picus_nearest_name(name, next_name, r->model);
  return fail(r, at, PICUS_ERROR_NAME, "there is no coordinate, velocity, input or parameter '%.60s'; %s%s%s", name,
              nearest ? "did you mean '" : "define it before it is used", nearest ? nearest : "", nearest ? "'?" : "");
}

static bool read_symbol(const reader *r, size_t at, const char *name, value *out) {
  const int parameter = picus_model_find_parameter(r->model, name);
  const picus_name_kind kind = picus_model_find_name(r->model, name).kind;
  const bool is_symbol = kind == PICUS_NAME_COORDINATE || kind == PICUS_NAME_VELOCITY || kind == PICUS_NAME_INPUT ||
                         strcmp(name, "t") == 0;
  if (parameter >= 0 && is_symbol)
    return fail(r, at, PICUS_ERROR_NAME,
                "'%.60s' is a parameter and also time, a coordinate, a velocity or an input; rename one of them", name);
  if (parameter >= 0 || strcmp(name, "pi") == 0) {
    const double number = parameter >= 0 ? r->model->parameters[parameter].value : 3.14159265358979323846;
    *out = (value){.kind = VALUE_NUMBER, .number = number};
    return true;
  }
  int structure;
  bool is_velocity;
  if (!is_symbol && picus_model_find_displacement(r->model, name, &structure, &is_velocity) < 0)
    return fail_name(r, at, name);
  const picus_expr symbol = picus_model_symbol(r->model, name);
  if (!picus_expr_valid(symbol)) return false; /* memory; the context has the message */
  *out = (value){.kind = VALUE_EXPR, .expr = symbol};
  return true;
}

/* ---- functions */

/* A condition that is known while the text is read joins with the others as in a model file: it decides, or vanishes.
 */
static bool join(const reader *r, size_t at, const picus_word *word, const value *b, value *a) {
  const bool neutral = word->op == PICUS_AND;
  if (!is_condition(b))
    return fail(r, at, PICUS_ERROR_FILE_SYNTAX,
                "%s needs conditions; lt, le, gt, ge, eq, ne, all, any and no make them", word->name);
  if (a->kind == VALUE_TRUTH && a->truth != neutral) return true;
  if (b->kind == VALUE_TRUTH) {
    if (b->truth != neutral) *a = *b;
    return true;
  }
  if (a->kind == VALUE_CONDITION)
    return set_expr(r, at, VALUE_CONDITION, picus_binary(r->pool, word->op, a->expr, b->expr), a);
  *a = *b;
  return true;
}

static bool call_when(const reader *r, size_t at, const value *arguments, value *out) {
  picus_expr a, b;
  if (!is_condition(&arguments[0]))
    return fail(r, at, PICUS_ERROR_FILE_SYNTAX,
                "when needs a condition first; lt, le, gt, ge, eq, ne, all, any and no make conditions");
  if (arguments[0].kind == VALUE_TRUTH) {
    *out = arguments[0].truth ? arguments[1] : arguments[2];
    return true;
  }
  if (!to_expr(r, at, &arguments[1], &a) || !to_expr(r, at, &arguments[2], &b)) return false;
  return set_expr(r, at, VALUE_EXPR, picus_when(r->pool, arguments[0].expr, a, b), out);
}

static bool call_no(const reader *r, size_t at, const value *a, value *out) {
  if (!is_condition(a)) return fail(r, at, PICUS_ERROR_FILE_SYNTAX, "no needs a condition, as in no(lt(a, b))");
  if (a->kind == VALUE_CONDITION)
    return set_expr(r, at, VALUE_CONDITION, picus_unary(r->pool, PICUS_NOT, a->expr), out);
  *out = (value){.kind = VALUE_TRUTH, .truth = !a->truth};
  return true;
}

/* Functions of one or two numbers or expressions, and comparisons. */
static bool call_plain(const reader *r, size_t at, const picus_word *word, int count, const value *arguments,
                       value *out) {
  const bool compares = word->kind == PICUS_WORD_COMPARE;
  const double numbers[2] = {arguments[0].number, arguments[1].number};
  if (arguments[0].kind == VALUE_NUMBER && (count == 1 || arguments[1].kind == VALUE_NUMBER)) {
    *out = compares ? (value){.kind = VALUE_TRUTH, .truth = picus_word_compare(word, numbers[0], numbers[1])}
                    : (value){.kind = VALUE_NUMBER, .number = picus_word_calculate(word, count, numbers)};
    return true;
  }
  picus_expr exprs[2] = {{0}, {0}};
  for (int k = 0; k < count; k++)
    if (!to_expr(r, at, &arguments[k], &exprs[k])) return false;
  if (compares) return set_expr(r, at, VALUE_CONDITION, picus_word_condition(r->pool, word, exprs[0], exprs[1]), out);
  return set_expr(r, at, VALUE_EXPR, picus_word_build(r->pool, word, count, exprs), out);
}

static bool call(const reader *r, size_t at, const picus_word *word, int count, const value *arguments, value *out) {
  switch (word->kind) {
  case PICUS_WORD_EXTREME:
  case PICUS_WORD_COMBINE:
    *out = arguments[0]; /* joined while they were read */
    return true;
  case PICUS_WORD_NO:
    return call_no(r, at, &arguments[0], out);
  case PICUS_WORD_WHEN:
    return call_when(r, at, arguments, out);
  case PICUS_WORD_UNARY:
  case PICUS_WORD_LOG:
  case PICUS_WORD_ATAN:
  case PICUS_WORD_COMPARE:
    break;
  }
  return call_plain(r, at, word, count, arguments, out);
}

/* Argument number count: of min, max, all and any it joins the first one. */
static bool read_argument(reader *r, const picus_word *word, int count, value arguments[3]) {
  value read;
  const size_t at = r->at;
  if (!read_sum(r, &read)) return false;
  if (word->kind == PICUS_WORD_COMBINE) return join(r, at, word, &read, &arguments[0]);
  if (word->kind == PICUS_WORD_EXTREME && count > 0) return combine(r, at, word->op, &read, &arguments[0]);
  if (word->kind == PICUS_WORD_EXTREME && is_condition(&read))
    return fail(r, at, PICUS_ERROR_FILE_SYNTAX, "a condition is not a number; use when(condition, a, b)");
  if (count < 3) arguments[count] = read;
  return true;
}

static bool read_call(reader *r, size_t at, const char *name, value *out) {
  const picus_word *word = picus_word_named(name);
  if (!word) {
    const char *nearest = picus_nearest_name(name, next_word, NULL);
    return fail(r, at, PICUS_ERROR_NAME, "there is no function '%.60s'%s%s%s", name, nearest ? "; did you mean '" : "",
                nearest ? nearest : "; write * between factors", nearest ? "'?" : "");
  }
  value arguments[3] = {{.kind = VALUE_NUMBER}, {.kind = VALUE_NUMBER}, {.kind = VALUE_NUMBER}};
  if (word->kind == PICUS_WORD_COMBINE) arguments[0] = (value){.kind = VALUE_TRUTH, .truth = word->op == PICUS_AND};
  int count = 0;
  if (next(r) != ')') {
    do {
      if (!read_argument(r, word, count, arguments)) return false;
      count++;
    } while (take(r, ','));
  }
  if (!take(r, ')')) return fail_character(r, "an operator, ',' or ')'");
  if (count < word->least || (word->most && count > word->most))
    return fail(r, at, PICUS_ERROR_FILE_SYNTAX, "%s takes %d%s argument%s, not %d", name, word->least,
                word->most == 0 ? " or more" : (word->most > word->least ? " or 2" : ""), word->most == 1 ? "" : "s",
                count);
  return call(r, at, word, count, arguments, out);
}

/* ---- the grammar: sums of products of signed powers, as in Lua */

static bool enter(reader *r) {
  if (r->depth++ < MOST_DEPTH) return true;
  return fail(r, r->at, PICUS_ERROR_FILE_LIMIT, "parentheses, signs and powers are nested more than %d deep; simplify",
              MOST_DEPTH);
}

static bool read_atom(reader *r, value *out) {
  const char c = next(r);
  const size_t at = r->at;
  if (is_digit(c) || (c == '.' && at + 1 < r->length && is_digit(r->text[at + 1]))) return read_number(r, out);
  if (is_letter(c)) {
    char name[LONGEST_NAME + 1];
    if (!read_name(r, name)) return false;
    return take(r, '(') ? read_call(r, at, name, out) : read_symbol(r, at, name, out);
  }
  if (!take(r, '(')) return fail_character(r, "a number, a name or '('");
  if (!read_sum(r, out)) return false;
  return take(r, ')') || fail_character(r, "an operator or ')'");
}

/* -x^2 is -(x^2), and 2^-x^2 is 2^(-(x^2)). */
static bool read_signed(reader *r, value *out) {
  if (!enter(r)) return false;
  const bool is_negative = take(r, '-');
  const size_t at = r->at;
  bool read = is_negative ? read_signed(r, out) && negate(r, at, out) : read_atom(r, out);
  if (read && !is_negative && take(r, '^')) {
    value exponent;
    read = read_signed(r, &exponent) && combine(r, at, PICUS_POWER, &exponent, out);
  }
  r->depth--;
  return read;
}

static bool read_product(reader *r, value *out) {
  if (!read_signed(r, out)) return false;
  for (char c = next(r); c == '*' || c == '/'; c = next(r)) {
    const size_t at = r->at++;
    value factor;
    if (!read_signed(r, &factor)) return false;
    if (!combine(r, at, c == '*' ? PICUS_MULTIPLY : PICUS_DIVIDE, &factor, out)) return false;
  }
  return true;
}

static bool read_sum(reader *r, value *out) {
  if (!read_product(r, out)) return false;
  for (char c = next(r); c == '+' || c == '-'; c = next(r)) {
    const size_t at = r->at++;
    value term;
    if (!read_product(r, &term)) return false;
    if (!combine(r, at, c == '+' ? PICUS_ADD : PICUS_SUBTRACT, &term, out)) return false;
  }
  return true;
}

/* ---- the whole text */

static bool read_text(reader *r, picus_expr *out) {
  value result;
  if (r->length > MOST_CHARACTERS)
    return fail(r, 0, PICUS_ERROR_FILE_LIMIT, "the text has more than %d characters; build it in several parts",
                MOST_CHARACTERS);
  if (!read_sum(r, &result)) return false;
  if (next(r) != '\0') return fail_character(r, "an operator");
  return to_expr(r, 0, &result, out);
}

picus_expr picus_expr_parse(picus_model *model, const char *text) {
  reader r = {.model = model, .pool = model->pool, .text = text ? text : ""};
  picus_expr result = PICUS_FAILED_EXPR;
  while (r.length <= MOST_CHARACTERS && r.text[r.length]) r.length++;
  if (picus_pool_status(r.pool)) {
    picus_pool_report(r.pool); /* nothing can be built any more */
    return result;
  }
  if (!picus_locale_create(&r.plain)) {
    picus_model_note_failed_expr(model, PICUS_ERROR_MEMORY, "out of memory");
    return result;
  }
  picus_pool_watch watch = {.most = MOST_NODES}, *before = r.pool->watch;
  if (!before) picus_pool_set_watch(r.pool, &watch);
  const bool read = read_text(&r, &result);
  if (!before) r.pool->watch = NULL;
  if (!read && r.pool->status != PICUS_ERROR_MEMORY) r.pool->status = PICUS_OK; /* nothing of the text is used */
  picus_locale_destroy(&r.plain);
  return read ? result : PICUS_FAILED_EXPR;
}
