/* Powers of numbers in model files: a^b is the function of Picus, whatever the operands look like, and all else in the
 * text stays as it is. */
#include "base/elementary.h"
#include "support/check.h"

#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char message[1024];
static int line;

static picus_status try(const char *text) {
  picus_context *context;
  picus_model *model = NULL;
  if (!CHECK(picus_context_create(NULL, &context) == PICUS_OK)) return PICUS_OK;
  picus_status status = picus_model_load_text(context, "powers.lua", text, strlen(text), NULL, &model);
  snprintf(message, sizeof message, "%s", picus_last_error(context)->message);
  line = picus_last_error(context)->line;
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  return status;
}

/* What must hold in a model file; names that the rows use. */
static const char names[] = "local t = {x = 3, 2, f = function(self, a) return a or self.x end, s = {y = {5}}}\n"
                            "local function g(...) return select(1, ...) end\n"
                            "local function h(a) return type(a) == 'table' and #a or #a end\n"
                            "local function twice() return g end\n";

static void operands_of_all_kinds(void) {
  static const char *const rows[] = {"2^3 == 8",
                                     "2^-1 == 0.5",
                                     "-2^2 == -4",
                                     "2^3^2 == 512",
                                     "(2^3)^2 == 64",
                                     "2^-2^2 == 1/16",
                                     "2^-(-3) == 8",
                                     "t.x^2 == 9",
                                     "t[1]^t.x == 8",
                                     "t.s.y[1]^2 == 25",
                                     "t:f(4)^2 == 16",
                                     "t:f()^t:f(2) == 9",
                                     "g(2)^g(3) == 8",
                                     "h{1, 2}^h'abc' == 8",
                                     "h\"ab\"^2 == 4",
                                     "h[[abc]]^2 == 9",
                                     "h[==[a]]c]==]^2 == 16",
                                     "(g)(2)^2 == 4",
                                     "g (2) ^ 2 == 4",
                                     "twice()(3)^2 == 9",
                                     "twice{}(3)^2 == 9",

                                     "2^#'abc' == 8",
                                     "2^-#'ab' == 0.25",
                                     "2*3^2 == 18",
                                     "3^2*2 == 18",
                                     "1 + 2^2 < 6",
                                     "2^2 .. '' == '4.0'",
                                     "1e1^2 == 100",
                                     "0x10^2 == 256",
                                     "0x1p4^2 == 256",
                                     ".5^2 == 0.25",
                                     "5.^2 == 25",
                                     "1e-1^-1 == 10",
                                     "3e+0^2 == 9",
                                     "'2'^3 == 8",
                                     "2^'3' == 8",
                                     "({2})[1]^2 == 4",
                                     "not (2^2 == 5)",
                                     "2^(1 + 2) == 8",
                                     "(1 + 1)^(2^1) == 4",
                                     "g(2^3, 4)^2 == 64",
                                     "t[2^0]^2 == 4",
                                     "({2^2})[1] == 4",
                                     "g(function() return 2^2 end)()^2 == 16",
                                     "2^3 --[[ ^ comment ]] ^ 2 == 512",
                                     "'a^b' == 'a' .. '^b'",
                                     "[[2^3]] == '2^' .. 3",
                                     "'\\'2^3' == '\\'' .. '2^3'",
                                     "'\\z\n  2^3' == '2' .. '^3'",
                                     "10 // 2^2 == 2",
                                     "2^2 % 3 == 1",
                                     "2^62 | 0 == 4611686018427387904",
                                     "~0 ~ 2^1|0 ~= 0",
                                     "1 << 2^2|0 == 16",
                                     "2^0.5 == sqrt(2)",
                                     "nil == nil and 2^1 == 2",
                                     "10^-5 == 1e-5",
                                     "10^300^1 == 1e300",
                                     "(-8)^(1/3) ~= (-8)^(1/3)",
                                     "2^1024 == math.huge",
                                     "g(...)^2 == 0"};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char text[1024];
    snprintf(text, sizeof text, "%slocal function check(...) assert(%s) end\ncheck(0)", names, rows[k]);
    if (!CHECK(try(text) == PICUS_OK)) printf("%s: %s\n", rows[k], message);
  }
}

/* Statements around powers. */
static void statements_around_powers(void) {
  static const char *const texts[] = {
      "local a = 2^3\n(print)(a)\nassert(a == 8)",
      "local a = not 2^-3^2 --\n(print)(a)\nassert(a == false)",
      "local a = 2^2\nlocal b = a;\n(print)(b^2)",
      "local t = {2^2, x = 3^2; 4^2}\nassert(t[1] == 4 and t.x == 9 and t[2] == 16)",
      "local s = 0\nfor i = 2^0, 2^2, 2^0 do s = s + i^2 end\nassert(s == 30)",
      "local i = 0\nwhile i^2 < 10 do i = i + 1 end\nassert(i == 4)",
      "local i = 0\nrepeat i = i + 1 until i^2 > 10\nassert(i == 4)",
      "if 2^2 == 4 then goto done elseif 2^2 == 5 then error('') end ::done:: local x = 2^2",
      "local x <const> = 2^3\nassert(x == 8)",
      "local function f() return 2^2, 3^2 end local a, b = f() assert(a == 4 and b == 9)",
      "local t = {} t.x, t.y = 2^2, 3^2 assert(t.y == 9)",
      "local t = {} t[2^2] = 5^2 assert(t[4] == 25)",
      "#!/usr/bin/env ^\nassert(2^2 == 4)",
      "local t = {[2^2] = 1, ['^'] = 2}\nassert(t[4] == 1)",
      "local q = coordinates{{'x', velocity = 'v'}}\nkinetic(q.x^2 + 2^q.x + q.x^q.x)"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    if (!CHECK(try(texts[k]) == PICUS_OK)) printf("%s: %s\n", texts[k], message);
  }
}

/* Mistakes are Lua's, with their lines. */
static void mistakes_keep_their_lines(void) {
  static const struct {
    const char *text, *message;
    int line;
  } rows[] = {{"local a = 1\nlocal b = 2^", "unexpected symbol", 2},
              {"local a = ^2", "unexpected symbol", 1},
              {"local a = y z^2", "", 1},
              {"local a = 1\n\nlocal b = {}^2", "attempt to perform arithmetic on a table value", 3},
              {"local f = function() return\nnil^2 end\nf()", "attempt to perform arithmetic on a nil value", 2},
              {"local a = (2^3", "')' expected", 1},
              {"local a = 2^)", "unexpected symbol", 1},
              {"local a = 2^3]", "", 1},
              {"local a = 'x\n^2", "unfinished string", 1},
              {"local a = [[x^2", "unfinished long string", 1},
              {"a^2 = 3", "", 1},
              {"local a = 2^function() end", "attempt to perform arithmetic", 1}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    CHECK(try(rows[k].text) != PICUS_OK);
    if (!CHECK(strstr(message, rows[k].message) && line == rows[k].line))
      printf("%s: %d %s\n", rows[k].text, line, message);
    CHECK(!strstr(message, "_POWER"));
  }
}

/* --- random expressions --------------------------------------------------------------------------------------------
 */

typedef struct writer {
  char text[20000];
  size_t length;
} writer;

static void put(writer *to, const char *text) {
  const size_t length = strlen(text);
  if (to->length + length >= sizeof to->text) return;
  memcpy(to->text + to->length, text, length + 1);
  to->length += length;
}

static const char *blank(test_random *random) {
  static const char *const blanks[] = {"", " ", "", " --[[^]] ", "\n", " -- 2^2\n", "  "};
  return blanks[test_integer(random, 0, sizeof blanks / sizeof *blanks - 1)];
}

/* A value, an expression with as few brackets as Lua needs, or (calls) the same with p(a, b) for a^b. Both are written
 * from the same random numbers. binds: 0 sum, 1 product, 2 sign, 3 power, 4 value. */
static void put_expression(writer *to, test_random *random, int depth, int binds, bool calls) {
  static const char *const values[] = {"1.5",         "v",   "t.x",   "t[1]",    "f(0.5)",
                                       "f(0.5, 2^0)", "(v)", "t:m()", "0x1.8p0", "#'ab'"};
  const int kind = depth > 0 ? test_integer(random, 0, 5) : 5;
  const char *first = blank(random), *second = blank(random);
  if (kind == 5) {
    put(to, values[test_integer(random, 0, binds == 4 ? 8 : 9)]);
  } else if (kind == 4) {
    if (binds > 2) put(to, "(");
    put(to, " - ");
    put_expression(to, random, depth - 1, 2, calls);
    if (binds > 2) put(to, ")");
  } else if (kind >= 2) {
    if (binds == 4 || calls) put(to, "(");
    if (calls) put(to, "p(");
    put_expression(to, random, depth - 1, 4, calls);
    put(to, first);
    put(to, calls ? "," : "^");
    put(to, second);
    put_expression(to, random, depth - 1, 2, calls);
    if (calls) put(to, ")");
    if (binds == 4 || calls) put(to, ")");
  } else {
    if (binds > kind) put(to, "(");
    put_expression(to, random, depth - 1, kind, calls);
    put(to, kind == 0 ? " + " : " * ");
    put_expression(to, random, depth - 1, kind + 1, calls);
    if (binds > kind) put(to, ")");
  }
}

static void random_expressions(void) {
  static writer with_signs, with_calls;
  static char text[60000];
  const long count = test_size(100, 1000, 20000);
  for (long k = 0; k < count; k++) {
    with_signs.length = with_calls.length = 0;
    put_expression(&with_signs, &(test_random){(unsigned long long)k}, 6, 0, false);
    put_expression(&with_calls, &(test_random){(unsigned long long)k}, 6, 0, true);
    snprintf(
        text, sizeof text,
        "local v, f = 0.75, function(a, b) return a + 1 end\nlocal t = {1.25, x = 0.5, m = function() return 2 end}\n"
        "local function p(a, b) return a^b end\nlocal a = %s\nlocal b = %s\nassert(a == b or a ~= a and b ~= b)",
        with_signs.text, with_calls.text);
    if (!CHECK(try(text) == PICUS_OK)) {
      printf("%s\n%s\n", message, text);
      return;
    }
  }
}

/* Long chains neither recurse nor take long. */
static void long_chains_end(void) {
  enum { LINKS = 200000 };
  char *text = malloc(5 * LINKS + 100), *end = text;
  REQUIRE(text);
  end += sprintf(end, "local a = 1");
  for (int k = 0; k < LINKS; k++) end += sprintf(end, "^1");
  CHECK(try(text) != PICUS_OK);
  end = text + sprintf(text, "local a = ");
  for (int k = 0; k < LINKS; k++) *end++ = '(';
  sprintf(end, "1^1");
  CHECK(try(text) != PICUS_OK);
  end = text + sprintf(text, "local a = 0");
  for (int k = 0; k < LINKS; k++) end += sprintf(end, "+1^%s", k % 2 ? "1" : "-1");
  CHECK(try(text) == PICUS_OK);
  free(text);
}

/* The bits are those of the function. */
static void powers_have_the_bits_of_picus(void) {
  test_random random = {5};
  for (int k = 0; k < 300; k++) {
    const double a = test_uniform(&random, 0, 10), b = test_uniform(&random, -20, 20);
    char text[256];
    snprintf(text, sizeof text, "assert(%a^%a == %a)\nassert(%a^2 == %a)", a, b, picus_pow(a, b), a, a * a);
    if (!CHECK(try(text) == PICUS_OK)) printf("%s\n", text);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"operands_of_all_kinds", operands_of_all_kinds},
                                    {"statements_around_powers", statements_around_powers},
                                    {"mistakes_keep_their_lines", mistakes_keep_their_lines},
                                    {"random_expressions", random_expressions},
                                    {"long_chains_end", long_chains_end},
                                    {"powers_have_the_bits_of_picus", powers_have_the_bits_of_picus}};
  return test_main(argc, argv, "lua_powers", cases, sizeof cases / sizeof *cases);
}
