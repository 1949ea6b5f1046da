/* Derivatives: closed forms, kinks, random formulas against differences, symmetry of second derivatives, depth. */
#include "expr_random.h"
#include "expr_support.h"

#include <float.h>
#include <math.h>

static double value_at(picus_pool *pool, picus_expr expr, const double *point) {
  double value = NAN;
  picus_expr_evaluate(pool, expr, point, &value);
  return value;
}

/* Formula, its derivative by x as it should come out, exactly. */
static void closed_forms(void) {
  static const char *const rows[][2] = {
      {"7", "0"},
      {"x", "1"},
      {"y", "0"},
      {"-x", "-1"},
      {"sqrt(x)", "0.5/sqrt(x)"},
      {"exp(x)", "exp(x)"},
      {"log(x)", "1/x"},
      {"sin(x)", "cos(x)"},
      {"cos(x)", "-sin(x)"},
      {"tan(x)", "1 + tan(x)^2"},
      {"asin(x)", "1/sqrt((1 - x)*(1 + x))"},
      {"acos(x)", "-1/sqrt((1 - x)*(1 + x))"},
      {"atan(x)", "1/(1 + x^2)"},
      {"sinh(x)", "cosh(x)"},
      {"cosh(x)", "sinh(x)"},
      {"tanh(x)", "1 - tanh(x)^2"},
      {"abs(x)", "when(x < 0, -1, 1)"},
      {"sign(x)", "0"},
      {"not x", "0"},
      {"x + y", "1"},
      {"x - y", "1"},
      {"y - x", "-1"},
      {"x*y", "y"},
      {"x*x", "2*x"},
      {"x/y", "1/y"},
      {"y/x", "-y/(x*x)"},
      {"1/x", "-1/(x*x)"},
      {"x^3", "3*x^2"},
      {"x^4", "4*x^3"},
      {"x^-1", "-1/x^2"},
      {"x^-3", "-3/x^4"},
      {"x^2.5", "2.5*x^1.5"},
      {"x^1.5", "1.5*sqrt(x)"},
      {"x^0.3", "0.3*x^(-0.7)"},
      {"2^x", "2^x*log(2)"},
      {"y^x", "y^x*log(y)"},
      {"x^y", "y*x^(y - 1)"},
      {"x^x", "x*x^(x - 1) + x^x*log(x)"},
      {"atan2(y, x)", "-y/(x^2 + y^2)"},
      {"atan2(x, y)", "y/(x^2 + y^2)"},
      {"min(x, y)", "when(y < x, 0, 1)"},
      {"max(x, y)", "when(x < y, 0, 1)"},
      {"x < y", "0"},
      {"x <= y", "0"},
      {"x == y", "0"},
      {"x and y", "0"},
      {"x or y", "0"},
      {"when(x < y, x^2, 3*x)", "when(x < y, 2*x, 3)"},
      {"when(x < y, x, x + y)", "1"},
      {"sin(x*y)", "cos(x*y)*y"},
      {"exp(-x^2)", "-2*x*exp(-x^2)"},
      {"log(x^2 + y^2)", "2*x/(x^2 + y^2)"},
      {"(x*y)^5", "5*(x*y)^4*y"},
      {"3*x^2 + 2*x*y - 7", "6*x + 2*y"},
  };
  formulas f = formulas_open("x y");
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char text[200], wanted[200], message[700];
    picus_expr derivative = picus_derivative(f.pool, read_formula(f.pool, rows[k][0]), 0);
    picus_expr expected = read_formula(f.pool, rows[k][1]);
    picus_expr_format(f.pool, derivative, text, sizeof text);
    picus_expr_format(f.pool, expected, wanted, sizeof wanted);
    snprintf(message, sizeof message, "(%s)' = %s, not %s", rows[k][0], wanted, text);
    test_check(picus_expr_valid(derivative) && derivative.id == expected.id, __FILE__, __LINE__, message);
  }
  CHECK(picus_pool_status(f.pool) == PICUS_OK);
  formulas_close(f);
}

/* Lagrange's equations: constant entries of the mass matrix fold to numbers, and gyroscopic terms that cancel vanish.
 */
static void lagrange_terms(void) {
  formulas f = formulas_open("x phi v omega");
  picus_expr energy = read_formula(f.pool, "0.5*3*v^2 + 0.5*2*((v + 0.7*cos(phi)*omega)^2 + (0.7*sin(phi)*omega)^2)");
  picus_expr momentum_x = picus_derivative(f.pool, energy, 2), momentum_phi = picus_derivative(f.pool, energy, 3);
  double value = 0;
  CHECK(picus_expr_is_number(f.pool, picus_derivative(f.pool, momentum_x, 2), &value));
  CHECK_NEAR(value, 5, 1e-15);
  CHECK(picus_expr_is_number(f.pool, picus_derivative(f.pool, momentum_phi, 3), &value));
  CHECK_NEAR(value, 2 * 0.7 * 0.7, 1e-15);
  CHECK(picus_derivative(f.pool, momentum_x, 3).id == read_formula(f.pool, "2*0.7*cos(phi)").id);
  picus_expr coupling = picus_derivative(f.pool, picus_derivative(f.pool, momentum_x, 3), 1);
  CHECK(coupling.id == read_formula(f.pool, "-1.4*sin(phi)").id);
  /* dT/dphi - d2T/(domega dphi) omega = 0: the pendulum feels no gyroscopic force on a cart */
  picus_expr force = picus_derivative(f.pool, energy, 1);
  picus_expr omega = read_formula(f.pool, "omega");
  force = picus_sub(f.pool, force, picus_mul(f.pool, picus_derivative(f.pool, momentum_phi, 1), omega));
  const double point[] = {0.1, 0.8, 1.7, -2.3};
  CHECK_NEAR(value_at(f.pool, force, point), 0, 1e-14);
  formulas_close(f);
}

/* Where the formula has a kink or an undefined branch, the derivative is that of the branch that is evaluated. */
static void kinks_and_branches(void) {
  static const struct {
    const char *formula;
    double x, derivative;
  } rows[] = {
      {"abs(x)", 0, 1},
      {"abs(x)", -2, -1},
      {"min(x, 3*x)", 0, 1},
      {"max(x, 3*x)", 0, 1},
      {"max(x, 0)", -1, 0},
      {"max(x, 0)", 1, 1},
      {"when(0 < x, sqrt(x), 0)", 0, 0},
      {"when(0 < x, sqrt(x), 0)", -1, 0},
      {"when(0 < x, sqrt(x), 0)", 4, 0.25},
      {"when(0 < x, log(x), 1/x)", 2, 0.5},
      {"when(0 < x, x*log(x), 5*x)", 0, 5},
      {"x^2.5", 0, 0},
      {"x^1.5", 0, 0},
      {"x^3", 0, 0},
      {"x^1", 0, 1},
      {"max(x, 0)^1.5", -1, 0},
      {"max(x, 0)^1.5", 4, 3},
      {"sqrt(when(x < 1, 1, x))", 0, 0},
      {"when(x == 0, 1, sin(x)/x)", 0, 0},
  };
  formulas f = formulas_open("x");
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    picus_expr derivative = picus_derivative(f.pool, read_formula(f.pool, rows[k].formula), 0);
    double value = value_at(f.pool, derivative, &rows[k].x);
    if (!CHECK_NEAR(value, rows[k].derivative, 1e-15)) printf("    %s at %g\n", rows[k].formula, rows[k].x);
  }
  formulas_close(f);
}

/* ---- random formulas */

/* Central differences with steps h, h/2, h/4, ... extrapolated to h = 0 (Richardson), with the change of the last two
 * columns as the estimate of the error. */
enum { LEVELS = 5 };
static const double first_step = 1.0 / 16;

typedef struct stencil {
  double values[2 * LEVELS][MOST_OPERATIONS]; /* of all parts of the formula, at + and - step, h, h/2, ... */
} stencil;

static void evaluate_stencil(const random_formulas *from, const double *point, int variable, stencil *around) {
  double moved[RANDOM_VARIABLES], step = first_step;
  memcpy(moved, point, sizeof moved);
  for (int i = 0; i < LEVELS; i++, step /= 2) {
    moved[variable] = point[variable] + step;
    plain_values(from, moved, around->values[2 * i]);
    moved[variable] = point[variable] - step;
    plain_values(from, moved, around->values[2 * i + 1]);
  }
}

static double difference_quotient(const stencil *around, int at, double *error) {
  double table[LEVELS][LEVELS], step = first_step;
  for (int i = 0; i < LEVELS; i++, step /= 2) {
    table[i][0] = (around->values[2 * i][at] - around->values[2 * i + 1][at]) / (2 * step);
    double weight = 4;
    for (int k = 1; k <= i; k++, weight *= 4)
      table[i][k] = table[i][k - 1] + (table[i][k - 1] - table[i - 1][k - 1]) / (weight - 1);
  }
  *error = fabs(table[LEVELS - 1][LEVELS - 1] - table[LEVELS - 2][LEVELS - 2]);
  return table[LEVELS - 1][LEVELS - 1];
}

/* No kink or jump between the points of the differences: the two sides of each comparison keep their order (or are
 * equal everywhere). */
static bool is_smooth_around(const random_formulas *from, const stencil *around) {
  for (int s = 0; s < from->switch_count; s++) {
    int less = 0, greater = 0;
    for (int k = 0; k < 2 * LEVELS; k++) {
      double a = around->values[k][from->switches[s][0]], b = around->values[k][from->switches[s][1]];
      less += a < b;
      greater += a > b;
    }
    bool is_equal = less == 0 && greater == 0;
    if (!is_equal && less != 2 * LEVELS && greater != 2 * LEVELS) return false;
  }
  return true;
}

static void print_formula(picus_pool *pool, picus_expr formula) {
  char text[400];
  picus_expr_format(pool, formula, text, sizeof text);
  printf("    %s\n", text);
}

typedef struct comparison {
  int compared, not_zero, rough;
} comparison;

/* The extrapolated differences are good to about (values' rounding) / step, that is 1e-16 * 100 * size; their own
 * estimate of the error comes on top. A point where that estimate is poor says nothing and is left out. */
static void compare_with_differences(random_formulas *from, comparison *result) {
  static stencil around;
  random_forget(from);
  int at = random_formula(from, test_integer(&from->random, 2, 5));
  picus_expr formula = random_expr(from, at);
  REQUIRE(picus_expr_valid(formula));
  int variable = random_dependence(from, formula);
  if (from->switch_count == MOST_SWITCHES || variable < 0) return;
  picus_expr derivative = picus_derivative(from->pool, formula, variable);
  REQUIRE(picus_expr_valid(derivative));
  double point[RANDOM_VARIABLES], error;
  random_point(from, point);
  evaluate_stencil(from, point, variable, &around);
  if (!is_smooth_around(from, &around)) return;
  double exact = value_at(from->pool, derivative, point), value = value_at(from->pool, formula, point);
  double differences = difference_quotient(&around, at, &error);
  double size = 1 + fabs(value) + fabs(exact);
  if (!(error < 1e-6 * size)) {
    result->rough++;
    return;
  }
  result->compared++;
  result->not_zero += exact != 0;
  if (!CHECK_NEAR(exact, differences, 10 * error + 1e-11 * size)) print_formula(from->pool, formula);
}

static void random_derivatives_match_differences(void) {
  static random_formulas from;
  comparison result = {0};
  for (unsigned block = 0; block < 60; block++) {
    formulas f = formulas_open("");
    random_formulas_open(&from, f.pool, 1000 + block);
    for (int k = 0; k < 100; k++) compare_with_differences(&from, &result);
    formulas_close(f);
  }
  printf("  %d derivatives compared, %d of them not zero; %d points left out as rough\n", result.compared,
         result.not_zero, result.rough);
  CHECK(result.not_zero >= 2000);
  CHECK(result.rough < result.not_zero / 20);
}

/* Schwarz: the order of differentiation does not matter. */
static void compare_second_derivatives(random_formulas *from, int *compared) {
  random_forget(from);
  picus_expr formula = random_expr(from, random_formula(from, test_integer(&from->random, 2, 4)));
  int a = random_dependence(from, formula), b = random_dependence(from, formula);
  if (a < 0 || a == b) return;
  picus_expr ab = picus_derivative(from->pool, picus_derivative(from->pool, formula, a), b);
  picus_expr ba = picus_derivative(from->pool, picus_derivative(from->pool, formula, b), a);
  REQUIRE(picus_expr_valid(ab) && picus_expr_valid(ba));
  double point[RANDOM_VARIABLES];
  random_point(from, point);
  double first = value_at(from->pool, ab, point), second = value_at(from->pool, ba, point);
  *compared += first != 0;
  if (!CHECK_NEAR(first, second, 1e-10 * (1 + fabs(first)))) print_formula(from->pool, formula);
}

static void second_derivatives_are_symmetric(void) {
  static random_formulas from;
  int compared = 0;
  for (unsigned block = 0; block < 100; block++) {
    formulas f = formulas_open("");
    random_formulas_open(&from, f.pool, 2000 + block);
    for (int k = 0; k < 100; k++) compare_second_derivatives(&from, &compared);
    formulas_close(f);
  }
  printf("  %d pairs of second derivatives that are not zero\n", compared);
  CHECK(compared >= 1000);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"closed_forms", closed_forms},
      {"lagrange_terms", lagrange_terms},
      {"kinks_and_branches", kinks_and_branches},
      {"random_derivatives_match_differences", random_derivatives_match_differences},
      {"second_derivatives_are_symmetric", second_derivatives_are_symmetric},
  };
  return test_main(argc, argv, "expr_derivative", cases, sizeof cases / sizeof *cases);
}
