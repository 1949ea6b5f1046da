/* Building formulas: sharing, simplification, failures, questions, text. */
#include "expr_random.h"
#include "expr_support.h"

#include <math.h>

static void simplifications(void) {
  static const char *const same[][2] = {
      {"x + 0", "x"},
      {"0 + x", "x"},
      {"x - 0", "x"},
      {"0 - x", "-x"},
      {"x*1", "x"},
      {"x*0", "0"},
      {"0*log(x)", "0"},
      {"x/1", "x"},
      {"0/x", "0"},
      {"x^0", "1"},
      {"x^1", "x"},
      {"x^2", "x*x"},
      {"x^0.5", "sqrt(x)"},
      {"x - x", "0"},
      {"x/x", "1"},
      {"x + x", "2*x"},
      {"--x", "x"},
      {"x - (-y)", "x + y"},
      {"x + (-y)", "x - y"},
      {"(-x) + y", "y - x"},
      {"(-x)*y", "-(x*y)"},
      {"(-x)*(-y)", "x*y"},
      {"2*(3*x)", "6*x"},
      {"(2*x)*(3*y)", "6*(x*y)"},
      {"x*2", "2*x"},
      {"x + y", "y + x"},
      {"x*y", "y*x"},
      {"(x*y)*z", "x*(y*z)"},
      {"z*(y*x)", "(x*y)*z"},
      {"2*x + 3*x", "5*x"},
      {"2*x - 3*x", "-x"},
      {"3*x - 2*x", "x"},
      {"x + y - x", "y"},
      {"(x + y) + (x - y)", "2*x"},
      {"(x + 3) + 5", "x + 8"},
      {"(x + 3) + (y + 5)", "(x + 8) + y"},
      {"x - 3", "x + (-3)"},
      {"3 - (-x)", "x + 3"},
      {"x/4", "0.25*x"},
      {"(3*x)/3", "x"},
      {"(6*x)/(2*y)", "3*(x/y)"},
      {"x/(-y)", "-(x/y)"},
      {"(x*y)/x", "y"},
      {"x/(x*y)", "1/y"},
      {"(x*y*z)/(z*x)", "y"},
      {"(x/y)/z", "x/(y*z)"},
      {"x/(y/z)", "(x*z)/y"},
      {"(x/y)*y", "x"},
      {"(x/y)*(y/z)", "x/z"},
      {"2/x + 3/x", "5/x"},
      {"3*(2/x)", "6/x"},
      {"x*x*x", "x^3"},
      {"x^3*x^2", "x^5"},
      {"x^5/x^3", "x*x"},
      {"x^-1", "1/x"},
      {"x^-3", "1/x^3"},
      {"(x^2)^3", "x^6"},
      {"(2*x)^3", "8*x^3"},
      {"(-x)^3", "-x^3"},
      {"(-x)^2", "x^2"},
      {"(x - y)^2", "(y - x)^2"},
      {"sqrt(x)*sqrt(x)", "x"},
      {"sqrt(x)^4", "x*x"},
      {"x/sqrt(x)", "sqrt(x)"},
      {"sqrt(x*x)", "abs(x)"},
      {"abs(x)^2", "x^2"},
      {"x^-0.5", "1/sqrt(x)"},
      {"1^x", "1"},
      {"exp(x)^3.5", "exp(3.5*x)"},
      {"sin(-x)", "-sin(x)"},
      {"cos(-x)", "cos(x)"},
      {"cos(x - y)", "cos(y - x)"},
      {"sin(x - y)", "-sin(y - x)"},
      {"tan(-x)", "-tan(x)"},
      {"asin(-x)", "-asin(x)"},
      {"atan(-2*x)", "-atan(2*x)"},
      {"sinh(-x)", "-sinh(x)"},
      {"cosh(-x)", "cosh(x)"},
      {"tanh(-x)", "-tanh(x)"},
      {"exp(log(x))", "x"},
      {"log(exp(x))", "x"},
      {"sin(asin(x))", "x"},
      {"cos(acos(x))", "x"},
      {"tan(atan(x))", "x"},
      {"abs(abs(x))", "abs(x)"},
      {"abs(-3*x)", "3*abs(x)"},
      {"abs(x*x)", "x*x"},
      {"abs(exp(x))", "exp(x)"},
      {"sign(-2*x)", "-sign(x)"},
      {"sign(sign(x))", "sign(x)"},
      {"min(x, x)", "x"},
      {"max(x, x)", "x"},
      {"min(x, y)", "min(y, x)"},
      {"min(2, 3)", "2"},
      {"max(2, 3)", "3"},
      {"x < x", "0"},
      {"x <= x", "1"},
      {"x == x", "1"},
      {"2 < 3", "1"},
      {"3 <= 2", "0"},
      {"2 == 2", "1"},
      {"not not (x < y)", "x < y"},
      {"x < y and 1", "x < y"},
      {"x < y and 0", "0"},
      {"x < y or 0", "x < y"},
      {"x < y or 2", "1"},
      {"x < y and x < y", "x < y"},
      {"x and 1", "not not x"},
      {"when(1, x, y)", "x"},
      {"when(0, x, y)", "y"},
      {"when(x < y, z, z)", "z"},
      {"when(not x, y, z)", "when(x, z, y)"},
      {"when(x, when(x, y, z), 1)", "when(x, y, 1)"},
      {"when(x, 1, when(x, y, z))", "when(x, 1, z)"},
      {"sin(x)^2 + cos(x)^2", "1"},
      {"3*sin(x)^2*y + z + 3*cos(x)^2*y", "3*y + z"},
      {"2*cos(x)^2 + 1 + 2*sin(x)^2", "3"},
      {"sin(x)^3 + sin(x)*cos(x)^2", "sin(x)"},
      {"0.1*x*3 - 0.3*x", "0"},
      {"atan2(1, 1)", "0.78539816339744828"},
      {"2^0.5", "1.4142135623730951"},
  };
  formulas f = formulas_open("x y z");
  for (size_t k = 0; k < sizeof same / sizeof *same; k++) CHECK_SAME(f.pool, same[k][0], same[k][1]);
  CHECK(picus_pool_status(f.pool) == PICUS_OK);
  formulas_close(f);
}

/* The woodpecker's kinetic energy (Glocker and Studer 2005): every second derivative is a number. */
static void woodpecker_mass_matrix_is_constant(void) {
  formulas f = formulas_open("v oM oS");
  double mM = 0.0003, JM = 5.0e-9, mS = 0.0045, JS = 7.0e-7, lM = 0.010, lG = 0.015;
  picus_expr energy = read_formula(f.pool, "0.5*0.0003*v^2 + 0.5*5.0e-9*oM^2 + 0.5*7.0e-7*oS^2"
                                           " + 0.5*0.0045*(v + 0.010*oM + 0.015*oS)^2");
  REQUIRE(picus_expr_valid(energy));
  const double expected[3][3] = {{mM + mS, mS * lM, mS * lG},
                                 {mS * lM, JM + mS * lM * lM, mS * lM * lG},
                                 {mS * lG, mS * lM * lG, JS + mS * lG * lG}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      double value = NAN;
      CHECK(picus_expr_is_number(f.pool, picus_derivative(f.pool, picus_derivative(f.pool, energy, i), k), &value));
      CHECK_NEAR(value, expected[i][k], 1e-15 * expected[i][k]);
    }
  formulas_close(f);
}

/* ---- sharing */

static void equal_formulas_are_stored_once(void) {
  static random_formulas from;
  formulas f = formulas_open("");
  random_formulas_open(&from, f.pool, 7);
  for (int k = 0; k < 500; k++) {
    test_random start = from.random;
    random_forget(&from);
    picus_expr first = random_expr(&from, random_formula(&from, 4));
    int size = picus_pool_size(f.pool);
    from.random = start;
    random_forget(&from);
    picus_expr second = random_expr(&from, random_formula(&from, 4));
    CHECK(first.id == second.id && picus_pool_size(f.pool) == size);
  }
  formulas_close(f);
}

/* Sums keep the grouping in which they were written: the author may know which differences are small. */
static void sums_keep_their_grouping(void) {
  formulas f = formulas_open("a b c d");
  picus_expr sum = read_formula(f.pool, "(a - b) + (c - d)");
  double point[] = {1e16, 1e16, 1.25, 1}, value;
  REQUIRE(picus_expr_evaluate(f.pool, sum, point, &value) == PICUS_OK);
  CHECK(value == 0.25);
  formulas_close(f);
}

/* ---- what is built has the value of what was asked for */

static bool is_moderate(const random_formulas *from, const double *values) {
  for (int k = 0; k < from->count; k++) {
    const plain_operation *at = &from->list[k];
    bool divides = at->op == PICUS_DIVIDE || (at->op == PICUS_POWER && from->list[at->argument[1]].number < 0);
    int below = at->argument[at->op == PICUS_DIVIDE ? 1 : 0];
    if (!(fabs(values[k]) < 1e4) || (divides && fabs(values[below]) < 1e-2)) return false;
  }
  return true;
}

static bool same_order(const random_formulas *from, const double *values) {
  for (int s = 0; s < from->switch_count; s++)
    if (fabs(values[from->switches[s][0]] - values[from->switches[s][1]]) < 1e-9) return false;
  return true;
}

static void simplification_keeps_values(void) {
  static random_formulas from;
  static double values[MOST_OPERATIONS];
  int compared = 0;
  for (unsigned block = 0; block < 200; block++) {
    formulas f = formulas_open("");
    random_formulas_open(&from, f.pool, 3000 + block);
    for (int k = 0; k < 100; k++) {
      random_forget(&from);
      int at = k % 2 ? random_formula(&from, 4) : random_algebra(&from, test_integer(&from.random, 2, 6));
      double point[RANDOM_VARIABLES], value;
      random_point(&from, point);
      plain_values(&from, point, values);
      if (!is_moderate(&from, values) || !same_order(&from, values)) continue;
      compared++;
      REQUIRE(picus_expr_evaluate(f.pool, random_expr(&from, at), point, &value) == PICUS_OK);
      /* values up to 1e4 with denominators down to 1e-2: some six digits may be lost to cancellation */
      if (!CHECK_NEAR(value, values[at], 1e-9 * (1 + fabs(values[at])))) {
        char text[400];
        picus_expr_format(f.pool, random_expr(&from, at), text, sizeof text);
        printf("    %s\n", text);
      }
    }
    formulas_close(f);
  }
  printf("  %d values compared\n", compared);
  CHECK(compared > 10000);
}

/* ---- text */

static void text_has_the_right_parentheses(void) {
  static const char *const rows[][2] = {{"x - (y - z)", "x - (y - z)"},
                                        {"x - (y + z)", "x - (y + z)"},
                                        {"x + y - z", "x + y - z"},
                                        {"x/(y*z)", "x/(y*z)"},
                                        {"(x + y)*z", "z*(x + y)"},
                                        {"-(x + y)", "-(x + y)"},
                                        {"-(x*y)", "-(x*y)"},
                                        {"(x*y)^3", "(x*y)^3"},
                                        {"-x^3", "-x^3"},
                                        {"x^y", "x^y"},
                                        {"(-x)^y", "(-x)^y"},
                                        {"x^(-y)", "x^(-y)"},
                                        {"x^-1.5", "x^-1.5"},
                                        {"(x^y)^z", "(x^y)^z"},
                                        {"x^(y^z)", "x^y^z"},
                                        {"x - 3", "x - 3"},
                                        {"3 - x", "3 - x"},
                                        {"-3*x", "-3*x"},
                                        {"y - 3*x", "y - 3*x"},
                                        {"1e-9*x", "1e-09*x"},
                                        {"0.1*x", "0.1*x"},
                                        {"sin(x + y)", "sin(x + y)"},
                                        {"atan2(x, y + 1)", "atan2(x, y + 1)"},
                                        {"when(x < y and y <= z, x, -y)", "when(x < y and y <= z, x, -y)"},
                                        {"not (x < y)", "not (x < y)"},
                                        {"(x or y) and z", "z and (x or y)"},
                                        {"(x < y) + 1", "(x < y) + 1"},
                                        {"max(x, min(y, z))", "max(x, min(y, z))"},
                                        {"(x - 1)*(y + 2)", "(x - 1)*(y + 2)"},
                                        {"2*(x/y)", "2*x/y"},
                                        {"2/(x + 1)", "2/(x + 1)"},
                                        {"abs(x) == y", "y == abs(x)"}};
  formulas f = formulas_open("x y z");
  char text[100], small[5];
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    picus_expr expr = read_formula(f.pool, rows[k][0]);
    size_t length = picus_expr_format(f.pool, expr, text, sizeof text);
    CHECK_TEXT(text, rows[k][1]);
    CHECK(length == strlen(text));
    CHECK(read_formula(f.pool, text).id == expr.id);
  }
  picus_expr_format(f.pool, read_formula(f.pool, "x + (y - z)"), text, sizeof text);
  CHECK_TEXT(text, "x + y - z"); /* equal but for rounding; the parentheses would only be in the way */
  CHECK(picus_expr_format(f.pool, read_formula(f.pool, "sin(x)"), small, sizeof small) == 6);
  CHECK_TEXT(small, "sin(");
  CHECK(picus_expr_format(f.pool, (picus_expr){0}, small, sizeof small) == 7);
  CHECK_TEXT(small, "inva");
  CHECK(picus_expr_format(f.pool, read_formula(f.pool, "sin(x)"), NULL, 0) == 6);
  formulas_close(f);
}

/* Reading the text of a formula again gives a formula with the same values. */
static void text_reads_back(void) {
  static random_formulas from;
  static char text[200000];
  formulas f = formulas_open("");
  random_formulas_open(&from, f.pool, 11);
  for (int k = 0; k < 1000; k++) {
    random_forget(&from);
    picus_expr expr = random_expr(&from, random_formula(&from, 4));
    REQUIRE(picus_expr_format(f.pool, expr, text, sizeof text) == strlen(text));
    picus_expr again = read_formula(f.pool, text);
    double point[RANDOM_VARIABLES], value = NAN, value_again = NAN;
    random_point(&from, point);
    picus_expr_evaluate(f.pool, expr, point, &value);
    picus_expr_evaluate(f.pool, again, point, &value_again);
    if (!CHECK_NEAR(value_again, value, 1e-12 * (1 + fabs(value)))) printf("    %s\n", text);
  }
  formulas_close(f);
}

/* A graph whose text would fill the universe has a length all the same, and its beginning can be written. */
static void text_of_a_shared_graph(void) {
  formulas f = formulas_open("x");
  picus_expr expr = read_formula(f.pool, "x");
  for (int k = 0; k < 200; k++) {
    picus_expr sine = picus_unary(f.pool, PICUS_SIN, expr), cosine = picus_unary(f.pool, PICUS_EXP, expr);
    expr = picus_mul(f.pool, picus_add(f.pool, sine, picus_number(f.pool, 2)), cosine);
  }
  char text[50];
  CHECK(picus_expr_format(f.pool, expr, text, sizeof text) == SIZE_MAX);
  CHECK(strlen(text) == sizeof text - 1);
  formulas_close(f);
}

/* ---- failures */

static void numbers_that_are_not_finite(void) {
  static const char *const rows[][2] = {{"log(-1)", "log(-1) is not a finite number"},
                                        {"1/0", "1 / 0 is not a finite number"},
                                        {"sqrt(-1)", "sqrt(-1) is not a finite number"},
                                        {"asin(2)", "asin(2) is not a finite number"},
                                        {"exp(1000)", "exp(1000) is not a finite number"},
                                        {"(-2)^0.3", "(-2) ^ 0.3 is not a finite number"},
                                        {"1e300*1e300", "1e+300 * 1e+300 is not a finite number"},
                                        {"0^-1", "0 ^ (-1) is not a finite number"},
                                        {"x/0", "x is divided by 0"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    formulas f = formulas_open("x");
    CHECK(!picus_expr_valid(read_formula(f.pool, rows[k][0])));
    CHECK(picus_pool_status(f.pool) == PICUS_ERROR_NUMBER);
    CHECK_TEXT(picus_last_error(f.context)->message, rows[k][1]);
    formulas_close(f);
  }
  formulas f = formulas_open("x");
  CHECK(!picus_expr_valid(picus_number(f.pool, NAN)) && picus_pool_status(f.pool) == PICUS_ERROR_NUMBER);
  CHECK(!picus_expr_valid(picus_number(f.pool, INFINITY)) && !picus_expr_valid(picus_number(f.pool, -INFINITY)));
  formulas_close(f);
}

/* The first failure stays, invalid expressions propagate, and every use says what was wrong in the first place. */
static void failures_propagate(void) {
  formulas f = formulas_open("x");
  picus_expr x = read_formula(f.pool, "x"), bad = picus_unary(f.pool, PICUS_LOG, picus_number(f.pool, -1));
  picus_expr sum = picus_add(f.pool, picus_mul(f.pool, x, bad), x);
  CHECK(!picus_expr_valid(sum) && !picus_expr_valid(picus_when(f.pool, x, x, bad)));
  CHECK(!picus_expr_valid(picus_derivative(f.pool, sum, 0)) && !picus_expr_valid(picus_substitute(f.pool, sum, 0, x)));
  picus_number(f.pool, NAN);
  picus_clear_error(f.context);
  double value;
  CHECK(picus_expr_evaluate(f.pool, sum, &value, &value) == PICUS_ERROR_NUMBER);
  CHECK_TEXT(picus_last_error(f.context)->message, "log(-1) is not a finite number");
  picus_clear_error(f.context);
  picus_tape *tape;
  CHECK(picus_tape_create(f.pool, 1, &(picus_tape_stage){1, &sum}, &tape) == PICUS_ERROR_NUMBER && tape == NULL);
  CHECK_TEXT(picus_last_error(f.context)->message, "log(-1) is not a finite number");
  CHECK(picus_expr_valid(picus_add(f.pool, x, x)));
  formulas_close(f);
}

static void foreign_handles_and_wrong_operations(void) {
  formulas f = formulas_open("x");
  picus_expr x = read_formula(f.pool, "x");
  CHECK(!picus_expr_valid(picus_add(f.pool, x, (picus_expr){1000})));
  CHECK(picus_pool_status(f.pool) == PICUS_ERROR_ARGUMENT);
  formulas_close(f);
  f = formulas_open("x");
  x = read_formula(f.pool, "x");
  CHECK(!picus_expr_valid(picus_unary(f.pool, PICUS_ADD, x)) && picus_pool_status(f.pool) == PICUS_ERROR_ARGUMENT);
  CHECK(!picus_expr_valid(picus_binary(f.pool, PICUS_SIN, x, x)) &&
        !picus_expr_valid(picus_unary(f.pool, PICUS_OP_COUNT, x)));
  CHECK(!picus_expr_valid(picus_derivative(f.pool, x, 1)) && !picus_expr_valid(picus_derivative(f.pool, x, -1)));
  CHECK(!picus_expr_valid(picus_substitute(f.pool, x, 1, x)) && !picus_expr_valid(picus_variable(f.pool, NULL)));
  formulas_close(f);
  f = formulas_open("x");
  CHECK(!picus_expr_valid(picus_neg(f.pool, (picus_expr){-1})) && picus_pool_status(f.pool) == PICUS_ERROR_ARGUMENT);
  formulas_close(f);
}

/* ---- questions */

static void questions(void) {
  formulas f = formulas_open("x y");
  picus_expr x = read_formula(f.pool, "x"), expr = read_formula(f.pool, "sin(x)^y"), two = picus_number(f.pool, 2);
  double value = 0;
  CHECK(picus_expr_is_number(f.pool, two, &value) && value == 2 && picus_expr_is_number(f.pool, two, NULL));
  CHECK(!picus_expr_is_number(f.pool, x, &value) && !picus_expr_is_number(f.pool, (picus_expr){0}, &value));
  CHECK(picus_expr_variable_index(f.pool, x) == 0 && picus_expr_variable_index(f.pool, expr) == -1);
  CHECK(picus_expr_op(f.pool, expr) == PICUS_POWER && picus_expr_op(f.pool, x) == PICUS_VARIABLE);
  CHECK(picus_expr_op(f.pool, picus_expr_argument(f.pool, expr, 0)) == PICUS_SIN);
  CHECK(!picus_expr_valid(picus_expr_argument(f.pool, expr, 2)) &&
        !picus_expr_valid(picus_expr_argument(f.pool, x, 0)));
  CHECK(picus_expr_depends_on(f.pool, expr, 0) && !picus_expr_depends_on(f.pool, read_formula(f.pool, "x + 1"), 1));
  CHECK(!picus_expr_depends_on(f.pool, expr, 2) && !picus_expr_depends_on(f.pool, expr, -1));
  CHECK(picus_variable_count(f.pool) == 2 && picus_variable_name(f.pool, 2) == NULL);
  CHECK_TEXT(picus_variable_name(f.pool, 1), "y");
  CHECK_TEXT(picus_op_name(PICUS_WHEN), "when");
  CHECK_TEXT(picus_op_name(PICUS_LESS_EQUAL), "<=");
  CHECK(picus_op_arity(PICUS_WHEN) == 3 && picus_op_arity(PICUS_VARIABLE) == 0 && picus_op_arity(PICUS_ATAN2) == 2);
  formulas_close(f);
}

/* More variables than bits in a node's signature: dependence and derivatives stay exact. */
static void dependence_with_many_variables(void) {
  formulas f = formulas_open("");
  enum { COUNT = 200 };
  picus_expr variable[COUNT];
  for (int k = 0; k < COUNT; k++) {
    char name[16];
    snprintf(name, sizeof name, "q%d", k);
    variable[k] = picus_variable(f.pool, name);
  }
  for (int k = 0; k + 1 < COUNT; k++) {
    picus_expr spring = picus_sub(f.pool, variable[k + 1], variable[k]);
    picus_expr energy = picus_mul(f.pool, picus_number(f.pool, 0.5), picus_mul(f.pool, spring, spring));
    energy = picus_add(f.pool, energy, picus_unary(f.pool, PICUS_SIN, variable[k]));
    for (int i = 0; i < COUNT; i++) {
      bool depends = i == k || i == k + 1;
      CHECK(picus_expr_depends_on(f.pool, energy, i) == depends);
      CHECK((picus_derivative(f.pool, energy, i).id != picus_number(f.pool, 0).id) == depends);
    }
  }
  formulas_close(f);
}

static void substitution(void) {
  formulas f = formulas_open("x y");
  picus_expr expr = read_formula(f.pool, "sin(x)*y + x^2"), replacement = read_formula(f.pool, "y + 1");
  CHECK(picus_substitute(f.pool, expr, 0, replacement).id == read_formula(f.pool, "sin(y + 1)*y + (y + 1)^2").id);
  CHECK(picus_substitute(f.pool, expr, 0, picus_number(f.pool, 0)).id == picus_number(f.pool, 0).id);
  CHECK(picus_substitute(f.pool, read_formula(f.pool, "y"), 0, replacement).id == read_formula(f.pool, "y").id);
  /* the branch that is not taken is not even looked at */
  picus_expr guarded = read_formula(f.pool, "when(0 < x, log(x), x*y)");
  CHECK(picus_substitute(f.pool, guarded, 0, picus_number(f.pool, -2)).id == read_formula(f.pool, "-2*y").id);
  CHECK(picus_pool_status(f.pool) == PICUS_OK);
  formulas_close(f);
}

/* Bytes that were requested, by an allocator that counts them. */
static void *count_bytes(void *user, void *old, size_t old_size, size_t new_size) {
  (void)old_size;
  *(size_t *)user += new_size;
  if (new_size > 0) return realloc(old, new_size);
  free(old);
  return NULL;
}

/* Texts of many small formulas of a large pool, as those of the switching functions of many contacts: each takes memory
 * for its own nodes, not for all nodes before it. */
static void text_takes_memory_of_its_own_formula_only(void) {
  size_t bytes = 0;
  picus_context_def def = picus_default_context_def();
  def.allocate = count_bytes;
  def.allocate_user = &bytes;
  formulas f = {0};
  if (picus_context_create(&def, &f.context) || picus_pool_create(f.context, &f.pool)) exit(EXIT_FAILURE);
  picus_expr x = picus_variable(f.pool, "x"), last = x;
  char text[80];
  for (int k = 1; k <= 20000; k++)
    last = picus_mul(f.pool, picus_number(f.pool, k + 0.5),
                     picus_unary(f.pool, PICUS_SIN, picus_add(f.pool, x, picus_number(f.pool, k))));
  bytes = 0;
  CHECK(picus_expr_format(f.pool, last, text, sizeof text) == strlen("20000.5*sin(x + 20000)"));
  CHECK_TEXT(text, "20000.5*sin(x + 20000)");
  CHECK(bytes < 10000);
  formulas_close(f);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"simplifications", simplifications},
      {"woodpecker_mass_matrix_is_constant", woodpecker_mass_matrix_is_constant},
      {"equal_formulas_are_stored_once", equal_formulas_are_stored_once},
      {"sums_keep_their_grouping", sums_keep_their_grouping},
      {"simplification_keeps_values", simplification_keeps_values},
      {"text_has_the_right_parentheses", text_has_the_right_parentheses},
      {"text_reads_back", text_reads_back},
      {"text_of_a_shared_graph", text_of_a_shared_graph},
      {"text_takes_memory_of_its_own_formula_only", text_takes_memory_of_its_own_formula_only},
      {"numbers_that_are_not_finite", numbers_that_are_not_finite},
      {"failures_propagate", failures_propagate},
      {"foreign_handles_and_wrong_operations", foreign_handles_and_wrong_operations},
      {"questions", questions},
      {"dependence_with_many_variables", dependence_with_many_variables},
      {"substitution", substitution},
  };
  return test_main(argc, argv, "expr_build", cases, sizeof cases / sizeof *cases);
}
