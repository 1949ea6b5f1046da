/* Building formulas: sharing, simplification, failures, questions, text. */
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

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"simplifications", simplifications},
      {"woodpecker_mass_matrix_is_constant", woodpecker_mass_matrix_is_constant},
  };
  return test_main(argc, argv, "expr_build", cases, sizeof cases / sizeof *cases);
}
