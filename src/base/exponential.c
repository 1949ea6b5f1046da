/* Exponential function, logarithm, power, and what follows from them. */
#include "base/elementary.h"
#include "base/elementary_tables.h"

#include <math.h>

#define TO_INTEGER 0x1.8p52

/* --- the exponential function --------------------------------------------------------------------------------------
 */

/* e^(x + tail) = value 2^exponent with 1 <= value < 2 and an error of 2^-60; |x| < 1100. With n = 128 k + j next to
 * 128 x / ln 2 it is 2^k 2^(j/128) e^r, |r| <= ln 2 / 256. */
static precise exponential_of(double x, double tail, int *exponent) {
  const double shifted = x * EXP_STEPS + TO_INTEGER, n = shifted - TO_INTEGER;
  const double r = (x - n * EXP_STEP_HIGH) - (n * EXP_STEP_LOW - tail);
  const int steps = (int)n, j = steps & 127;
  const double p = r + r * r * ((exponential[0] + r * exponential[1]) + r * r * (exponential[2] + r * exponential[3]));
  *exponent = (steps - j) / 128;
  return sum_of_ordered(exponentials[j].high, exponentials[j].low + exponentials[j].high * p);
}

/* value 2^k without overflow before the end; -1080 <= k <= 1024. */
static double scaled(precise value, int k) {
  if (k > 1023) return (value.high + value.low) * power_of_two(1023) * 2;
  if (k > -1022) return (value.high + value.low) * power_of_two(k);
  return (value.high + value.low) * power_of_two(k + 128) * 0x1p-128;
}

/* e^(x + tail) for any x. */
static double exponential_value(double x, double tail) {
  int exponent;
  if (x > 710) return INFINITY;
  if (x < -746) return 0;
  const precise value = exponential_of(x, tail, &exponent);
  return scaled(value, exponent);
}

double picus_exp(double x) {
  if (isnan(x)) return x;
  return exponential_value(x, 0);
}

/* --- logarithms ----------------------------------------------------------------------------------------------------
 */

/* log x with a relative error of about 2^-65; x positive and finite. x = 2^k m with 11/16 <= m < 11/8; with c next to
 * 1/m from the table it is k log 2 - log c + log(1 + r), r = m c - 1. Next to 1, c is 1. */
static precise logarithm_of(double x) {
  const uint64_t origin = (uint64_t)0x3fe6 << 48; /* 11/16 */
  int k = 0;
  if (x < 0x1p-1022) x *= 0x1p54, k = -54;
  const uint64_t bits = picus_bits(x), above = bits - origin + ((uint64_t)1024 << 52);
  const int binade = (int)(above >> 52) - 1024, j = (int)(above >> 45 & 127);
  const double m = picus_from_bits(bits - ((uint64_t)(int64_t)binade << 52)), c = inverses[j];
  k += binade;
  const double m1 = picus_from_bits(picus_bits(m) & ~(uint64_t)0x1fffff); /* products with c are exact */
  const precise r = sum_of(m1 * c - 1, (m - m1) * c);
  const precise square = product_of(r.high, r.high);
  const double z = r.high;
  const double p =
      ((logarithm[0] + z * logarithm[1]) + square.high * (logarithm[2] + z * logarithm[3])) +
      square.high * square.high * ((logarithm[4] + z * logarithm[5]) + square.high * (logarithm[6] + z * logarithm[7]));
  const precise constant = sum_of_ordered(k * LN2_HIGH + logarithms[j].high, k * LN2_LOW + logarithms[j].low);
  const precise linear = sum_of(constant.high, r.high);
  const precise sum = sum_of(linear.high, -0.5 * square.high);
  const double rest = r.low - (0.5 * square.low + r.high * r.low) + z * square.high * p;
  return sum_of_ordered(sum.high, sum.low + (linear.low + (constant.low + rest)));
}

double picus_ln(double x) {
  if (isnan(x)) return x;
  if (x == 0) return -INFINITY;
  if (x < 0) return NAN;
  if (x > 0x1.fffffffffffffp1023) return x;
  const precise value = logarithm_of(x);
  return value.high + value.low;
}

double picus_log10(double x) {
  if (!(x > 0 && x <= 0x1.fffffffffffffp1023)) return picus_ln(x);
  const precise value = precise_times(logarithm_of(x), (precise){INVERSE_LN10_HIGH, INVERSE_LN10_LOW});
  return value.high + value.low;
}

/* --- powers --------------------------------------------------------------------------------------------------------
 */

static bool is_integer(double y) { return y == floor(y); }
static bool is_odd(double y) { return fabs(y) < 0x1p53 && is_integer(y) && fmod(y, 2) != 0; }

/* x^y where one of them is 0 or infinite; neither is a NaN, x is not 1, y is not 0. */
static double power_of_extreme(double x, double y) {
  if (isinf(y)) {
    if (x == -1) return 1;
    return (fabs(x) > 1) == (y > 0) ? INFINITY : 0;
  }
  const double size = (x == 0) == (y > 0) ? 0 : INFINITY;
  return is_odd(y) ? copysign(size, x) : size;
}

/* e^(y log x): the logarithm has 65 bits, so that the exponent, at most 746, is exact to 2^-56. */
double picus_pow(double x, double y) {
  if (x == 1 || y == 0) return 1;
  if (isnan(x) || isnan(y)) return x + y;
  if (x == 0 || isinf(x) || isinf(y)) return power_of_extreme(x, y);
  if (x < 0 && !is_integer(y)) return NAN;
  const double sign = x < 0 && is_odd(y) ? -1 : 1;
  const precise log = logarithm_of(fabs(x));
  if (fabs(y) > 0x1p80) y = copysign(0x1p80, y); /* infinite or 0 already, as no logarithm is less than 2^-54 */
  const precise exponent = precise_times(log, (precise){y, 0});
  return sign * exponential_value(exponent.high, exponent.low);
}

/* e^(log x / 3), the logarithm in twice the precision. */
double picus_cbrt(double x) {
  if (x == 0 || !isfinite(x)) return x;
  double size = fabs(x), unit = 1;
  if (size < 0x1p-900) size *= 0x1p300, unit = 0x1p-100;
  const precise log = precise_over(logarithm_of(size), (precise){3, 0});
  const double root = exponential_value(log.high, log.low);
  return copysign(root * unit, x);
}

/* --- hyperbolic functions -------------------------------------------------------------------------------------------
 */

/* e^x and e^-x halved, for |x| < 700. */
static void halves(double x, precise *up, precise *down) {
  int exponent;
  const precise value = exponential_of(x, 0, &exponent);
  const double half = power_of_two(exponent - 1);
  *up = (precise){value.high * half, value.low * half};
  *down = precise_over((precise){0.25, 0}, *up);
}

/* e^x / 2 for x >= 40, where e^-x does not count. */
static double half_of_large(double x) {
  int exponent;
  if (x > 712) return INFINITY;
  const precise value = exponential_of(x, 0, &exponent);
  return scaled(value, exponent - 1);
}

double picus_sinh(double x) {
  const double size = fabs(x), z = x * x;
  precise up, down;
  if (isnan(x) || size < 0x1p-30) return x;
  if (size >= 40) return copysign(half_of_large(size), x);
  const double *c = hyperbolic_sine;
  if (size < 0.25) return x + x * z * (c[0] + z * (c[1] + z * (c[2] + z * (c[3] + z * (c[4] + z * c[5])))));
  halves(size, &up, &down);
  const precise value = precise_plus(up, (precise){-down.high, -down.low});
  return copysign(value.high + value.low, x);
}

double picus_cosh(double x) {
  const double size = fabs(x);
  precise up, down;
  if (isnan(x)) return x;
  if (size >= 40) return half_of_large(size);
  halves(size, &up, &down);
  const precise value = precise_plus(up, down);
  return value.high + value.low;
}

double picus_tanh(double x) {
  const double size = fabs(x), z = x * x;
  precise up, down;
  if (isnan(x) || size < 0x1p-30) return x;
  if (size >= 22) return copysign(1, x);
  if (size < 0.25) {
    double p = hyperbolic_tangent[8];
    for (int k = 7; k >= 0; k--) p = hyperbolic_tangent[k] + z * p;
    return x + x * z * p;
  }
  halves(size, &up, &down);
  const precise value = precise_over(precise_plus(up, (precise){-down.high, -down.low}), precise_plus(up, down));
  return copysign(value.high + value.low, x);
}
