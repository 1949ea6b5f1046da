/* The elementary functions: errors against MPFR over random and hard arguments, the values of C17 annex F, monotony,
 * and the bits that all machines have. */
#include "base/elementary.h"
#include "base/precise.h"
#include "support/check.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* A function of one or two numbers with the arguments to try. */
typedef struct function {
  const char *name;
  double (*one)(double x);
  double (*two)(double x, double y);
  double low, high; /* usual arguments */
  double bound;     /* largest error, in distances of doubles (ulp), measured and rounded up */
} function;

static const function functions[] = {
    {"sin", picus_sin, NULL, -7, 7, 0.92},     {"cos", picus_cos, NULL, -7, 7, 0.92},
    {"tan", picus_tan, NULL, -7, 7, 0.80},     {"asin", picus_asin, NULL, -1, 1, 0.65},
    {"acos", picus_acos, NULL, -1, 1, 0.65},   {"atan", picus_atan, NULL, -4, 4, 0.65},
    {"exp", picus_exp, NULL, -745, 710, 0.80}, {"log", picus_ln, NULL, 0, 20, 0.51},
    {"log10", picus_log10, NULL, 0, 20, 0.51}, {"sinh", picus_sinh, NULL, -20, 20, 0.55},
    {"cosh", picus_cosh, NULL, -20, 20, 0.55}, {"tanh", picus_tanh, NULL, -5, 5, 0.60},
    {"cbrt", picus_cbrt, NULL, -8, 8, 0.55},   {"atan2", NULL, picus_atan2, -3, 3, 0.65},
    {"pow", NULL, picus_pow, 0, 10, 0.80},     {"hypot", NULL, picus_hypot, -5, 5, 0.65},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static double value_of(const function *f, double x, double y) { return f->one ? f->one(x) : f->two(x, y); }

/* --- arguments -----------------------------------------------------------------------------------------------------
 */

static uint64_t random_bits(test_random *random) {
  const uint64_t high = (uint64_t)test_uniform(random, 0, 4294967296.0);
  const uint64_t low = (uint64_t)test_uniform(random, 0, 4294967296.0);
  return high << 32 | low;
}

/* 1 to 2 times a power of two. Calls follow each other as in the text: the order of operands is the compiler's. */
static double with_exponent(test_random *random, int least, int most) {
  const double fraction = test_uniform(random, 1, 2);
  return ldexp(fraction, test_integer(random, least, most));
}

/* Any double, by its bits. */
static double any_double(test_random *random) { return picus_from_bits(random_bits(random)); }

/* A double next to a multiple of a landmark: of pi/2, a power of two, a table's middle. */
static double next_to_landmark(test_random *random) {
  static const double landmarks[] = {
      1.5707963267948966, 0.78539816339744831, 1, 0.5, 0.6931471805599453, 0.125, 1.0 / 64, 0.6875, 0.25,
      2.302585092994046};
  const double landmark = landmarks[test_integer(random, 0, sizeof landmarks / sizeof *landmarks - 1)];
  const double x = landmark * test_integer(random, -40, 40), beside = with_exponent(random, -60, -4);
  return test_integer(random, 0, 1) ? x + beside : x - beside;
}

static double argument(test_random *random, const function *f) {
  switch (test_integer(random, 0, 4)) {
  case 0:
    return any_double(random);
  case 1:
    return next_to_landmark(random);
  case 2: {
    const double size = with_exponent(random, -40, 40);
    return test_integer(random, 0, 1) ? size : -size;
  }
  default:
    return test_uniform(random, f->low, f->high);
  }
}

/* --- errors --------------------------------------------------------------------------------------------------------
 */

#ifdef PICUS_TEST_MPFR
#include <mpfr.h>

enum { DIGITS = 200 }; /* binary */

static void exact_value(const function *f, double x, double y, mpfr_t value) {
  static int (*const ones[])(mpfr_t, const mpfr_t, mpfr_rnd_t) = {mpfr_sin,  mpfr_cos,  mpfr_tan, mpfr_asin,  mpfr_acos,
                                                                  mpfr_atan, mpfr_exp,  mpfr_log, mpfr_log10, mpfr_sinh,
                                                                  mpfr_cosh, mpfr_tanh, mpfr_cbrt};
  static int (*const twos[])(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t) = {mpfr_atan2, mpfr_pow, mpfr_hypot};
  const int index = (int)(f - functions), one_count = sizeof ones / sizeof *ones;
  mpfr_t a, b;
  mpfr_inits2(64, a, b, (mpfr_ptr)0);
  mpfr_set_d(a, x, MPFR_RNDN);
  mpfr_set_d(b, y, MPFR_RNDN);
  if (index < one_count)
    ones[index](value, a, MPFR_RNDN);
  else
    twos[index - one_count](value, a, b, MPFR_RNDN);
  mpfr_clears(a, b, (mpfr_ptr)0);
}

/* The distance of a value from the exact one, in distances of doubles next to it; infinite if one of them alone is not
 * finite or a zero has the wrong sign. */
static double error_of(double value, const mpfr_t exact) {
  const double rounded = mpfr_get_d(exact, MPFR_RNDN);
  if (isnan(rounded) || isnan(value)) return isnan(rounded) && isnan(value) ? 0 : INFINITY;
  if (isinf(rounded) || isinf(value))
    return rounded == value ? 0 : (fabs(rounded) > 0x1.ffffp1023 && fabs(value) > 0x1.ffffp1023 ? 1 : INFINITY);
  if (rounded == 0 && value == 0) return !signbit(rounded) == !signbit(value) ? 0 : INFINITY;
  int exponent = mpfr_zero_p(exact) ? -1073 : (int)mpfr_get_exp(exact);
  if (exponent < -1021) exponent = -1021;
  mpfr_t difference;
  mpfr_init2(difference, DIGITS);
  mpfr_sub_d(difference, exact, value, MPFR_RNDN);
  mpfr_mul_2si(difference, difference, 53 - exponent, MPFR_RNDN);
  const double error = fabs(mpfr_get_d(difference, MPFR_RNDN));
  mpfr_clear(difference);
  return error;
}

typedef struct worst_error {
  double error, x, y;
} worst_error;

static void try_arguments(const function *f, double x, double y, worst_error *worst) {
  mpfr_t exact;
  mpfr_init2(exact, DIGITS);
  exact_value(f, x, y, exact);
  const double error = error_of(value_of(f, x, y), exact);
  mpfr_clear(exact);
  if (error > worst->error) *worst = (worst_error){error, x, y};
}

/* Angles next to multiples of pi/2, where the reduction cancels most digits: the nearest of all doubles, and of floats.
 */
static const double hard_angles[] = {0x1.6ac5b262ca1ffp+849,
                                     0x1.1784daep+84,
                                     0x1.921fb54442d18p+0,
                                     0x1.921fb6p+0,
                                     0x1.0ccb7c19ac3c1p+4,
                                     0x1.fffffffffffffp+1023,
                                     0x1p+1023,
                                     0x1p+20,
                                     0x1.fffffffffffffp+19,
                                     0x1p-1074,
                                     0x1p-1022,
                                     0x1p-30,
                                     0x1.0000000000001p-30,
                                     0x1.ce1b4ee0d7a38p+499,
                                     1e22,
                                     0x1.c44ad2b2f4be7p+8};

static void errors_are_below_one_ulp(void) {
  const long count = test_size(2000, 40000, 2000000);
  test_random random = {71};
  for (int i = 0; i < FUNCTIONS; i++) {
    const function *f = &functions[i];
    worst_error worst = {0, 0, 0};
    for (size_t k = 0; k < sizeof hard_angles / sizeof *hard_angles; k++) {
      try_arguments(f, hard_angles[k], 1, &worst);
      try_arguments(f, -hard_angles[k], 1.5, &worst);
    }
    for (long k = 0; k < count; k++) {
      const double x = argument(&random, f), y = argument(&random, f);
      try_arguments(f, x, y, &worst);
    }
    if (test_is_long()) printf("%-6s %.4f ulp at %a, %a\n", f->name, worst.error, worst.x, worst.y);
    if (!CHECK(worst.error < f->bound)) printf("%s: %.4f ulp at %a, %a\n", f->name, worst.error, worst.x, worst.y);
  }
}

/* Powers of numbers next to 1, whose exponents are large, and whole and broken exponents. */
static void powers_of_hard_numbers(void) {
  const long count = test_size(2000, 40000, 2000000);
  const function *power = &functions[FUNCTIONS - 2];
  test_random random = {72};
  worst_error worst = {0, 0, 0};
  for (long k = 0; k < count; k++) {
    const double near_one = 1 + (k % 2 ? 1 : -1) * with_exponent(&random, -53, -2);
    const double exponent = test_uniform(&random, -700, 700) / fmax(fabs(log(near_one)), 1e-300);
    try_arguments(power, near_one, exponent, &worst);
    try_arguments(power, test_uniform(&random, -10, 10), test_integer(&random, -300, 300), &worst);
    try_arguments(power, with_exponent(&random, -1074, -900), test_uniform(&random, -1, 1), &worst);
  }
  if (test_is_long()) printf("powers %.4f ulp at %a, %a\n", worst.error, worst.x, worst.y);
  CHECK(worst.error < power->bound);
}
#else
static void errors_are_below_one_ulp(void) { test_skip("built without MPFR (libmpfr-dev)"); }
static void powers_of_hard_numbers(void) { test_skip("built without MPFR (libmpfr-dev)"); }
#endif

/* --- special values ------------------------------------------------------------------------------------------------
 */

static bool same(double a, double b) { return isnan(a) ? isnan(b) : picus_bits(a) == picus_bits(b); }

static void special_values_of_one_number(void) {
  const double pi = 3.14159265358979312, inf = INFINITY;
  const struct {
    double (*f)(double);
    double x, value;
  } rows[] = {{picus_sin, 0, 0},       {picus_sin, inf, NAN},       {picus_cos, 0, 1},         {picus_cos, -inf, NAN},
              {picus_tan, 0, 0},       {picus_tan, inf, NAN},       {picus_asin, 0, 0},        {picus_asin, 1, pi / 2},
              {picus_asin, 1.1, NAN},  {picus_acos, 1, 0},          {picus_acos, -1, pi},      {picus_acos, 0, pi / 2},
              {picus_acos, -1.1, NAN}, {picus_atan, 0, 0},          {picus_atan, inf, pi / 2}, {picus_exp, 0, 1},
              {picus_exp, -0.0, 1},    {picus_exp, inf, inf},       {picus_exp, -inf, 0},      {picus_exp, 709.79, inf},
              {picus_exp, -745.2, 0},  {picus_ln, 0, -inf},         {picus_ln, -0.0, -inf},    {picus_ln, 1, 0},
              {picus_ln, -1, NAN},     {picus_ln, inf, inf},        {picus_ln, -inf, NAN},     {picus_log10, 0, -inf},
              {picus_log10, 1000, 3},  {picus_log10, 1e-300, -300}, {picus_log10, -2, NAN},    {picus_log10, inf, inf},
              {picus_sinh, 0, 0},      {picus_sinh, inf, inf},      {picus_sinh, 711, inf},    {picus_cosh, 0, 1},
              {picus_cosh, -inf, inf}, {picus_cosh, 711, inf},      {picus_tanh, 0, 0},        {picus_tanh, inf, 1},
              {picus_tanh, 30, 1},     {picus_cbrt, 0, 0},          {picus_cbrt, 27, 3},       {picus_cbrt, inf, inf}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (!CHECK(same(rows[k].f(rows[k].x), rows[k].value)))
      printf("row %zu: %.17g of %.17g\n", k, rows[k].f(rows[k].x), rows[k].x);
  for (int i = 0; i < FUNCTIONS; i++) CHECK(isnan(value_of(&functions[i], NAN, 0.5)));
}

/* The signs of odd and even functions, also of zero. */
static void odd_and_even(void) {
  double (*const odd[])(double) = {picus_sin, picus_tan, picus_asin, picus_atan, picus_sinh, picus_tanh, picus_cbrt};
  double (*const even[])(double) = {picus_cos, picus_cosh};
  test_random random = {73};
  for (int k = 0; k < 2000; k++) {
    const double x = k == 0 ? 0 : k % 2 ? test_uniform(&random, 0, 1) : fabs(any_double(&random));
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) CHECK(same(odd[i](-x), -odd[i](x)));
    for (size_t i = 0; i < sizeof even / sizeof *even; i++) CHECK(same(even[i](-x), even[i](x)));
  }
}

static void special_values_of_two_numbers(void) {
  const double pi = 3.14159265358979312, inf = INFINITY;
  const struct {
    double (*f)(double, double);
    double x, y, value;
  } rows[] = {{picus_pow, 0, 0, 1},
              {picus_pow, NAN, 0, 1},
              {picus_pow, 1, NAN, 1},
              {picus_pow, 0, -3, inf},
              {picus_pow, -0.0, -3, -inf},
              {picus_pow, -0.0, -2, inf},
              {picus_pow, -0.0, 3, -0.0},
              {picus_pow, -0.0, 2.5, 0},
              {picus_pow, -1, inf, 1},
              {picus_pow, 0.5, -inf, inf},
              {picus_pow, 0.5, inf, 0},
              {picus_pow, 2, inf, inf},
              {picus_pow, 2, -inf, 0},
              {picus_pow, -inf, 3, -inf},
              {picus_pow, -inf, -3, -0.0},
              {picus_pow, -inf, 2, inf},
              {picus_pow, inf, -1, 0},
              {picus_pow, inf, 0.5, inf},
              {picus_pow, -2, 0.5, NAN},
              {picus_pow, -2, 3, -8},
              {picus_pow, 2, 1023, 0x1p1023},
              {picus_pow, 2, 1024, inf},
              {picus_pow, 2, -1074, 0x1p-1074},
              {picus_pow, 2, -1076, 0},
              {picus_pow, -2, 1025, -inf},
              {picus_pow, 1.0000000000000002, 1e300, inf},
              {picus_pow, 1.0000000000000002, -1e300, 0},
              {picus_pow, 10, 22, 1e22},
              {picus_pow, -1, 0x1p53, 1},
              {picus_pow, 0.9999999999999999, 1e25, 0},
              {picus_atan2, 0, -1, pi},
              {picus_atan2, -0.0, -1, -pi},
              {picus_atan2, 0, 1, 0},
              {picus_atan2, -0.0, 1, -0.0},
              {picus_atan2, 0, -0.0, pi},
              {picus_atan2, 0, 0, 0},
              {picus_atan2, 1, 0, pi / 2},
              {picus_atan2, -1, -0.0, -pi / 2},
              {picus_atan2, inf, inf, pi / 4},
              {picus_atan2, -inf, -inf, -3 * (pi / 4)},
              {picus_atan2, 1, inf, 0},
              {picus_atan2, -1, -inf, -pi},
              {picus_atan2, inf, 1, pi / 2},
              {picus_atan2, 1e-300, 1e300, 0},
              {picus_atan2, 1e300, -1e-300, pi / 2},
              {picus_atan2, 0x1p-1074, 0x1p-1074, pi / 4},
              {picus_atan2, 0x1p1023, 0x1p1023, pi / 4},
              {picus_hypot, inf, NAN, inf},
              {picus_hypot, NAN, -inf, inf},
              {picus_hypot, 0, 0, 0},
              {picus_hypot, -3, 4, 5},
              {picus_hypot, 3e300, 4e300, 5e300},
              {picus_hypot, 0x1.8p-1070, 0x1p-1069, 0x1.4p-1069},
              {picus_hypot, 0x1.8p1023, 0x1.8p1023, inf},
              {picus_hypot, 0, -7, 7}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (!CHECK(same(rows[k].f(rows[k].x, rows[k].y), rows[k].value)))
      printf("row %zu: %.17g of %.17g, %.17g\n", k, rows[k].f(rows[k].x, rows[k].y), rows[k].x, rows[k].y);
}

/* Rising functions never fall between neighbours: where polynomials, intervals of tables and exponents meet. */
static void rising_functions_never_fall(void) {
  double (*const rising[])(double) = {picus_asin, picus_atan, picus_exp,  picus_ln,  picus_log10,
                                      picus_sinh, picus_tanh, picus_cbrt, picus_sin, picus_tan};
  const double joints[] = {0x1p-30,
                           0.125,
                           0.25,
                           0.6875,
                           1,
                           0.99609375,
                           1.0078125,
                           0.5,
                           0.75,
                           0.7071067811865476,
                           0.78539816339744831,
                           0x1p-60,
                           0.140625,
                           0.0027076061740622863,
                           0.9,
                           0.171875};
  for (size_t i = 0; i < sizeof rising / sizeof *rising; i++)
    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++) {
      double x = joints[k];
      for (int n = 0; n < 500; n++) x = nextafter(x, 0);
      for (int n = 0; n < 1000 && x <= 1; n++) {
        const double next = nextafter(x, 2);
        if (next <= 1 && !CHECK(rising[i](next) >= rising[i](x))) printf("function %zu at %a\n", i, x);
        x = next;
      }
    }
}

static void sine_and_cosine_together(void) {
  test_random random = {74};
  for (int k = 0; k < 20000; k++) {
    const double x = argument(&random, &functions[0]);
    double sine, cosine;
    picus_sin_cos(x, &sine, &cosine);
    CHECK(same(sine, picus_sin(x)) && same(cosine, picus_cos(x)));
  }
}

/* A checksum of results (FNV-1a; 64 bits) that every compiler and every machine must reach. */
static void the_bits_of_all_machines(void) {
  static const uint64_t expected[FUNCTIONS] = {
      0x4f975efdaeb150fcu, 0xba3b2c65783e15a1u, 0xecd761674a5730abu, 0x9668170ba3b75d35u,
      0xf43778f19465fd27u, 0x1ddcf9bed3d10543u, 0x7301c0aef0c20c4fu, 0xeea16b3ba43caf65u,
      0x88dac6e759d50cd4u, 0x01009c5729f6b546u, 0xf22f7134c4a68bd0u, 0xbb42f235c9c3572bu,
      0xc025002a642c9a6fu, 0x1a5cc678f494f0d4u, 0x390f08cdbe9f8ab7u, 0x74eee48df340e8e0u};
  for (int i = 0; i < FUNCTIONS; i++) {
    test_random random = {75};
    uint64_t sum = 0xcbf29ce484222325u;
    for (int k = 0; k < 20000; k++) {
      const double x = argument(&random, &functions[i]), y = argument(&random, &functions[i]);
      const double value = value_of(&functions[i], x, y);
      sum = (sum ^ (isnan(value) ? 1 : picus_bits(value))) * 0x100000001b3u;
    }
    if (!CHECK(sum == expected[i])) printf("%s: 0x%016llx\n", functions[i].name, (unsigned long long)sum);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"errors_are_below_one_ulp", errors_are_below_one_ulp},
                                    {"powers_of_hard_numbers", powers_of_hard_numbers},
                                    {"special_values_of_one_number", special_values_of_one_number},
                                    {"special_values_of_two_numbers", special_values_of_two_numbers},
                                    {"odd_and_even", odd_and_even},
                                    {"rising_functions_never_fall", rising_functions_never_fall},
                                    {"sine_and_cosine_together", sine_and_cosine_together},
                                    {"the_bits_of_all_machines", the_bits_of_all_machines}};
  return test_main(argc, argv, "elementary", cases, sizeof cases / sizeof *cases);
}
