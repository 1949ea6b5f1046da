/* Expressions as texts: the same expressions as in model files, faults with their places, hostile texts. */
#include "model/internal.h"
#include "support/check.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static picus_context *context;
static picus_model *model;

/* Names as in a text, without the tables of a model file. */
static const char start[] = "local p = parameters {a = 0.3, b = 2.5, n = 3}\n"
                            "local q, u = coordinates {{'x', velocity = 'v'}, {'phi', velocity = 'omega'}}\n"
                            "local i = inputs {{'F', start = 1}}\n"
                            "kinetic(u.v^2 + u.omega^2)\n"
                            "local a, b, n, x, v, phi, omega, F = p.a, p.b, p.n, q.x, u.v, q.phi, u.omega, i.F\n";

static bool load(const char *text) {
  if (!CHECK(picus_context_create(NULL, &context) == PICUS_OK)) return false;
  const picus_status status = picus_model_load_text(context, "test.lua", text, strlen(text), NULL, &model);
  if (status) printf("  %s\n", picus_last_error(context)->message);
  return CHECK(status == PICUS_OK);
}

static void end(void) {
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

static const char *const texts[] = {
    "x",
    "t",
    "a + b - x",
    "x - a - b - 2",
    "-x^2",
    "2^-x^2",
    "(-x)^2",
    "x^n",
    "b^n*x",
    "a^0.7*x",
    "b^2*x/3/a",
    "x*v*phi/omega",
    "x/(v*phi)",
    "-a*x + -b",
    "- -x",
    "1e-3*x + .5*v + 2.*phi + 1E+2",
    "sqrt(x)*exp(v)*sin(phi)*cos(phi)*tan(x)",
    "asin(x) + acos(x) + sinh(x) + cosh(x) + tanh(x)",
    "abs(x) + sign(v) + abs(-a)*x + sign(-b)*x",
    "log(x) + log(x, 10) + log(b, 10)*x + log(b, 2)*x + log(b)*x + log(b, x)",
    "atan(x) + atan(x, v) + atan2(v, x) + atan(a)*x + atan2(a, b)*x",
    "min(x) + min(a, b)*x + max(a, b, n)*x + min(x, 1, 2) + max(1, 2, x, v)",
    "when(lt(x, 0), x, v) + when(le(x, a), 1, 0) + when(gt(x, v), x, v) + when(ge(a, x), x, 2)",
    "when(eq(x, v), 1, x) + when(ne(x, v), 1, x)",
    "when(lt(a, b), x, v) + when(ne(a, a), x, v) + when(all(), x, v) + when(any(), x, v)",
    "when(all(lt(x, 0), gt(v, 0), lt(a, b)), x, v) + when(any(lt(x, 0), lt(b, a), no(lt(v, 0))), x, phi)",
    "when(all(lt(x, 0), lt(b, a)), x, v) + when(any(lt(x, 0), lt(a, b)), x, v) + when(no(lt(a, b)), x, v)",
    "F*sin(2*pi*t) + 0*x",
    " \t\r\n( ( x ) ) ",
    "3",
    "a*b",
};
enum { TEXTS = sizeof texts / sizeof *texts };

/* Equal expressions of a pool are one node: the ids agree, and so does every bit that follows. */
static void texts_give_the_expressions_of_model_files(void) {
  char file[8000];
  size_t length = (size_t)snprintf(file, sizeof file, "%s", start);
  for (int k = 0; k < TEXTS; k++)
    length += (size_t)snprintf(file + length, sizeof file - length, "observe {'o%d', %s}\n", k, texts[k]);
  REQUIRE(length < sizeof file && load(file));
  for (int k = 0; k < TEXTS; k++) {
    const picus_expr expr = picus_expr_parse(model, texts[k]);
    if (!picus_expr_valid(expr)) printf("  %s\n", picus_last_error(context)->message);
    if (!CHECK(expr.id == model->observables[k].value.id)) printf("  %s\n", texts[k]);
  }
  end();
}

/* Random texts, in both languages. */
static size_t add_random(test_random *random, char *text, size_t size, int depth) {
  static const char *const atoms[] = {"x", "v", "phi", "omega", "t", "F", "a", "b", "n", "0.7", "3", "1e-2", "pi"};
  static const char *const forms[] = {"(",     " + ", ")", "(",      " - ",   ")", "(",        "*",        ")",
                                      "(2 + ", "^2/", ")", "-(",     "/3 + ", ")", "sin(",     " - ",      ")",
                                      "max(",  ", ",  ")", "atan2(", ", ",    ")", "when(lt(", ", 0.2), ", ", x)"};
  const int count = (int)(sizeof forms / sizeof *forms / 3);
  if (depth == 0 || test_uniform(random, 0, 1) < 0.15)
    return (size_t)snprintf(text, size, "%s", atoms[(int)test_uniform(random, 0, 12.999)]);
  const char *const *form = &forms[3 * (int)test_uniform(random, 0, count - 0.001)];
  size_t length = (size_t)snprintf(text, size, "%s", form[0]);
  length += add_random(random, text + length, size - length, depth - 1);
  length += (size_t)snprintf(text + length, size - length, "%s", form[1]);
  length += add_random(random, text + length, size - length, depth - 1);
  return length + (size_t)snprintf(text + length, size - length, "%s", form[2]);
}

static void random_texts(void) {
  enum { COUNT = 300, SIZE = 4000 };
  static char text[COUNT][SIZE], file[COUNT * 700 + SIZE];
  test_random random = {7};
  size_t length = (size_t)snprintf(file, sizeof file, "%s", start);
  int count = 0;
  for (int k = 0; k < COUNT; k++) {
    const size_t size = add_random(&random, text[count], SIZE, 1 + k % 4);
    if (length + size + 40 > sizeof file) break;
    length += (size_t)snprintf(file + length, sizeof file - length, "observe {'o%d', %s + 0*x}\n", count, text[count]);
    count++;
  }
  REQUIRE(load(file));
  for (int k = 0; k < count; k++) {
    strncat(text[k], " + 0*x", SIZE - strlen(text[k]) - 1);
    if (!CHECK(picus_expr_parse(model, text[k]).id == model->observables[k].value.id)) printf("  %s\n", text[k]);
  }
  printf("  %d texts\n", count);
  end();
}

/* Every fault: its status, its column, and a part of the sentence. */
static void faults(void) {
  static const struct {
    const char *text;
    picus_status status;
    int column;
    const char *sentence;
  } rows[] = {
      {"", PICUS_ERROR_FILE_SYNTAX, 1, "the text ends here"},
      {"x +", PICUS_ERROR_FILE_SYNTAX, 4, "the text ends here, but a number, a name or '(' is needed"},
      {"(x", PICUS_ERROR_FILE_SYNTAX, 3, "an operator or ')' is needed"},
      {"x)", PICUS_ERROR_FILE_SYNTAX, 2, "this ')' is wrong here"},
      {"2x", PICUS_ERROR_FILE_SYNTAX, 2, "write * between factors, as in 2*x"},
      {"0x10", PICUS_ERROR_FILE_SYNTAX, 2, "write * between factors"},
      {"1.2.3", PICUS_ERROR_FILE_SYNTAX, 4, "a number ends here"},
      {"x y", PICUS_ERROR_FILE_SYNTAX, 3, "'y' is found where an operator is needed"},
      {"a + phj", PICUS_ERROR_NAME, 5,
       "there is no coordinate, velocity, input or parameter 'phj'; did you mean 'phi'?"},
      {"somewhere", PICUS_ERROR_NAME, 1, "define it before it is used"},
      {"nan", PICUS_ERROR_NAME, 1, "'nan'"},
      {"inf*x", PICUS_ERROR_NAME, 1, "'inf'"},
      {"1e999", PICUS_ERROR_NUMBER, 1, "the number 1e999 is too large"},
      {"1/0*x", PICUS_ERROR_NUMBER, 4, "not finite but inf"},
      {"x/0", PICUS_ERROR_NUMBER, 2, "x is divided by 0"},
      {"log(-1)*x", PICUS_ERROR_NUMBER, 8, "not finite but nan"},
      {"sine(x)", PICUS_ERROR_NAME, 1, "there is no function 'sine'; did you mean 'sin"},
      {"sin", PICUS_ERROR_NAME, 1, "'sin' is a function; write sin(...)"},
      {"sin()", PICUS_ERROR_FILE_SYNTAX, 1, "sin takes 1 argument, not 0"},
      {"sin(x, v)", PICUS_ERROR_FILE_SYNTAX, 1, "sin takes 1 argument, not 2"},
      {"atan(1, 2, x)", PICUS_ERROR_FILE_SYNTAX, 1, "atan takes 1 or 2 arguments, not 3"},
      {"max()", PICUS_ERROR_FILE_SYNTAX, 1, "max takes 1 or more arguments, not 0"},
      {"when(lt(x, 1), 2)", PICUS_ERROR_FILE_SYNTAX, 1, "when takes 3 arguments, not 2"},
      {"when(x, 1, 2)", PICUS_ERROR_FILE_SYNTAX, 1, "when needs a condition first"},
      {"all(x)", PICUS_ERROR_FILE_SYNTAX, 5, "all needs conditions"},
      {"no(x)", PICUS_ERROR_FILE_SYNTAX, 1, "no needs a condition"},
      {"lt(x, 1)", PICUS_ERROR_FILE_SYNTAX, 1, "a condition is not a number; use when(condition, a, b)"},
      {"1 + lt(1, 2)", PICUS_ERROR_FILE_SYNTAX, 3, "a condition is not a number"},
      {"max(lt(x, 1))", PICUS_ERROR_FILE_SYNTAX, 5, "a condition is not a number"},
      {"x < v", PICUS_ERROR_FILE_SYNTAX, 3, "use lt(a, b)"},
      {"x == v", PICUS_ERROR_FILE_SYNTAX, 3, "use lt(a, b)"},
      {"x % 2", PICUS_ERROR_FILE_SYNTAX, 3, "operators are + - * / ^"},
      {"x // 2", PICUS_ERROR_FILE_SYNTAX, 4, "operators are + - * / ^"},
      {"x and v", PICUS_ERROR_FILE_SYNTAX, 3, "'a' is found where an operator"},
      {"not x", PICUS_ERROR_FILE_SYNTAX, 1, "use no(a)"},
      {"x; os.exit()", PICUS_ERROR_FILE_SYNTAX, 2, "';' is found"},
      {"'x'", PICUS_ERROR_FILE_SYNTAX, 1, "is found where a number"},
      {"x \xC2\xB7 v", PICUS_ERROR_FILE_SYNTAX, 3, "this character is not part of expressions"},
      {"x\x01", PICUS_ERROR_FILE_SYNTAX, 2, "this character is not part of expressions"},
  };
  REQUIRE(load(start));
  CHECK(!picus_expr_valid(picus_expr_parse(model, NULL)));
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char column[32];
    snprintf(column, sizeof column, "column %d of \"", rows[k].column);
    bool right = CHECK(!picus_expr_valid(picus_expr_parse(model, rows[k].text)));
    const picus_error *error = picus_last_error(context);
    right = CHECK(error->status == rows[k].status) && right;
    right = CHECK(strstr(error->message, column) && strstr(error->message, rows[k].sentence)) && right;
    if (!right) printf("  \"%s\": %s\n", rows[k].text, error->message);
    CHECK(picus_pool_status(model->pool) == PICUS_OK); /* the model is as before */
  }
  CHECK(picus_expr_valid(picus_expr_parse(model, "x + v")));
  end();
}

/* A definition that is given a wrong text repeats what is wrong with it. */
static void definitions_repeat_the_fault(void) {
  REQUIRE(load(start));
  const picus_contact_def def = {.name = "c", .gap = picus_expr_parse(model, "x - phy")};
  CHECK(picus_model_add_contact(model, &def) == PICUS_ERROR_NAME);
  CHECK_TEXT(picus_last_error(context)->message,
             "the gap of contact 'c' is not a valid expression: column 5 of \"x - phy\": there is no coordinate, "
             "velocity, input or parameter 'phy'; did you mean 'phi'?");
  end();
}

static void one_name_for_two_things(void) {
  REQUIRE(load(start));
  CHECK(picus_model_add_parameter(model, "x", 1, NULL, NULL, NULL) == PICUS_OK);
  CHECK(!picus_expr_valid(picus_expr_parse(model, "2*x")));
  CHECK(strstr(picus_last_error(context)->message, "'x' is a parameter and also") != NULL);
  end();
}

static void displacements_by_name(void) {
  REQUIRE(load("bar {'rod', length = 1, area = 1e-4, density = 7800, young = 2e11, elements = 4}"));
  const picus_expr sum = picus_expr_parse(model, "rod.x2 - rod.x3 + 2*rod.v1");
  CHECK(picus_expr_valid(sum));
  char text[100];
  picus_expr_format(model->pool, sum, text, sizeof text);
  CHECK_TEXT(text, "rod.x2 - rod.x3 + 2*rod.v1");
  end();
}

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* A text of copies of a part, with a beginning and an end. */
static char *repeat(const char *begin, const char *part, size_t count, const char *finish) {
  const size_t size = strlen(part);
  char *text = malloc(strlen(begin) + count * size + strlen(finish) + 1);
  if (!text) exit(EXIT_FAILURE);
  char *to = text + sprintf(text, "%s", begin);
  for (size_t k = 0; k < count; k++, to += size) memcpy(to, part, size);
  strcpy(to, finish);
  return text;
}

/* Whatever the text, an answer comes soon, and the model is as before. */
static void hostile_texts(void) {
  static const struct {
    const char *begin, *part;
    size_t count;
    const char *finish;
    bool valid;
  } rows[] = {
      {"", "(", 5000000, "", false},         {"", "(", 90000, "", false},
      {"x", ")", 90000, "", false},          {"", "-", 90000, "x", false},
      {"x", "^x", 40000, "", false},         {"", "sin(", 20000, "x", false},
      {"", "x+", 3000000, "x", false},       {"", "9", 90000, "", false},
      {"", "z", 90000, "", false},           {"", " ", 99999, "x", true},
      {"", "x*v+", 20000, "x", true},        {"x", "*v", 40000, "", true},
      {"x", "/v", 40000, "", true},          {"", "sin(x)*cos(v)+", 7000, "1", true},
      {"max(x", ",v,phi", 10000, ")", true}, {"all(", "lt(x,v),", 9000, "no(lt(v,x)))", false},
      {"x", "-(x", 140, "", false},          {"1", "e", 90000, "", false},
      {"", "\xff", 90000, "", false},        {"x", "+x*", 149, "x", false},
      {"", "((x+v)*(x-v)+", 60, "1", false},
  };
  REQUIRE(load(start));
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char *text = repeat(rows[k].begin, rows[k].part, rows[k].count, rows[k].finish);
    const double before = seconds();
    const picus_expr expr = picus_expr_parse(model, text);
    const double took = seconds() - before;
    bool right = CHECK(took < 4) && CHECK(picus_expr_valid(expr) == rows[k].valid);
    right = CHECK(picus_pool_status(model->pool) == PICUS_OK) && right;
    right = CHECK(strlen(picus_last_error(context)->message) < 400) && right;
    if (!right)
      printf("  %zu times '%s': %.2f s, %s\n", rows[k].count, rows[k].part, took, picus_last_error(context)->message);
    free(text);
  }
  CHECK(picus_expr_valid(picus_expr_parse(model, "x + v")));
  end();
}

/* Texts of random characters that expressions have, and whole texts with a character changed. */
static void random_characters(void) {
  static const char letters[] = "xvt()+-*/^,.0129eE abnF<=~sinmaxwhenltall";
  REQUIRE(load(start));
  test_random random = {99};
  int valid = 0;
  for (int k = 0; k < 20000; k++) {
    char text[120];
    size_t length = (size_t)test_uniform(&random, 0, 40);
    if (k % 2) length = (size_t)snprintf(text, sizeof text, "%.100s", texts[k / 2 % TEXTS]);
    for (size_t i = 0; i < (k % 2 ? 2 : length); i++)
      text[k % 2 ? (size_t)test_uniform(&random, 0, (double)length) : i] =
          letters[(size_t)test_uniform(&random, 0, sizeof letters - 1.001)];
    text[length] = '\0';
    const picus_expr expr = picus_expr_parse(model, text);
    valid += picus_expr_valid(expr);
    if (!CHECK(picus_pool_status(model->pool) == PICUS_OK)) printf("  %s\n", text);
    if (!picus_expr_valid(expr)) CHECK(strstr(picus_last_error(context)->message, "column ") != NULL);
  }
  printf("  %d of 20000 texts are expressions\n", valid);
  end();
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      {"texts_give_the_expressions_of_model_files", texts_give_the_expressions_of_model_files},
      {"random_texts", random_texts},
      {"faults", faults},
      {"definitions_repeat_the_fault", definitions_repeat_the_fault},
      {"one_name_for_two_things", one_name_for_two_things},
      {"displacements_by_name", displacements_by_name},
      {"hostile_texts", hostile_texts},
      {"random_characters", random_characters},
  };
  return test_main(argc, argv, "expr_parse", cases, (int)(sizeof cases / sizeof *cases));
}
