/* Inverse trigonometric functions: all are angles of points, of which the smaller coordinate is divided by the larger
 * one. And the distance of a point, hypot. */
#include "base/elementary.h"
#include "base/elementary_tables.h"

#include <math.h>

/* The angle atan(n/d), 0 <= n <= d, added to or (sign < 0) subtracted from base; d is between 2^-60 and 2^60. With c =
 * k/32 next to n/d, it is atan(c) + atan((n - c d) / (d + c n)), where the second quotient is at most 1/63 and its
 * error counts little; for small angles c is 0, and the quotient has a correction. */
static double angle_of_ratio(precise n, precise d, precise base, double sign) {
  const double ratio = n.high / d.high;
  const int k = ratio < 0.125 ? 0 : (int)(32 * ratio + 0.5);
  const double c = k / 32.0;
  double t = ratio, correction = 0;
  if (k) {
    const double d1 = leading_bits(d.high);
    t = (((n.high - c * d1) - c * (d.high - d1)) + (n.low - c * d.low)) / (d.high + c * n.high);
  } else if (ratio > 0x1p-300) {
    const precise quotient = precise_over(n, d);
    t = quotient.high;
    correction = quotient.low;
  }
  const double z = t * t;
  const double *a = arctangent;
  const double p =
      (a[0] + z * a[1]) + z * z * ((a[2] + z * a[3]) + z * z * ((a[4] + z * a[5]) + z * z * (a[6] + z * a[7])));
  const double small = t * z * p + correction;
  const precise whole = sum_of(base.high, sign * arctangents[k].high);
  const precise sum = sum_of(whole.high, sign * t);
  return sum.high + (sum.low + (whole.low + (base.low + sign * (arctangents[k].low + small))));
}

static const precise nothing = {0, 0}, quarter_turn = {HALF_PI_HIGH, HALF_PI_LOW},
                     half_turn = {2 * HALF_PI_HIGH, 2 * HALF_PI_LOW};

/* The angle of the point (x, y), y >= 0; neither is large or small, or one of them is exactly 0. */
static double angle_of_point(precise y, precise x) {
  const precise size = x.high < 0 ? (precise){-x.high, -x.low} : x;
  const bool steep = y.high > size.high;
  if (steep) return angle_of_ratio(size, y, quarter_turn, x.high < 0 ? 1 : -1);
  return x.high < 0 ? angle_of_ratio(y, size, half_turn, -1) : angle_of_ratio(y, size, nothing, 1);
}

double picus_atan(double x) {
  const double size = fabs(x);
  if (isnan(x) || size < 0x1p-30) return x;
  if (size > 0x1p58) return copysign(HALF_PI_HIGH, x);
  return copysign(angle_of_point((precise){size, 0}, (precise){1, 0}), x);
}

/* The angle of a point of which one coordinate is 0 or infinite. */
static double angle_of_extreme(double y, double x) {
  double angle = HALF_PI_HIGH;
  if (isinf(x) && isinf(y)) return x < 0 ? 3 * (HALF_PI_HIGH / 2) : HALF_PI_HIGH / 2;
  if (isinf(x) || y == 0) angle = signbit(x) ? 2 * HALF_PI_HIGH : 0;
  return angle;
}

double picus_atan2(double y, double x) {
  double height = fabs(y), width = fabs(x);
  if (isnan(x) || isnan(y)) return x + y;
  if (height == 0 || width == 0 || isinf(height) || isinf(width)) return copysign(angle_of_extreme(y, x), y);
  const double ratio = height / width;
  if (ratio > 0x1p60) return copysign(HALF_PI_HIGH, y);
  if (ratio < 0x1p-60) return copysign(x < 0 ? 2 * HALF_PI_HIGH : ratio, y);
  const double larger = height > width ? height : width;
  const double unit = larger > 1 ? 0x1p-512 : 0x1p512;
  if (larger > 0x1p50 || larger < 0x1p-50) height *= unit, width *= unit; /* both exact: their ratio is not extreme */
  const int exponent = (int)(picus_bits(height > width ? height : width) >> 52) - 1023;
  const double scale = power_of_two(-exponent);
  return copysign(angle_of_point((precise){height * scale, 0}, (precise){copysign(width * scale, x), 0}), y);
}

/* sqrt(1 - x^2) for |x| <= 1. */
static precise other_leg(double x) {
  const precise square = product_of(x, x), sum = sum_of_ordered(1, -square.high);
  const precise rest = sum_of_ordered(sum.high, sum.low - square.low);
  if (rest.high <= 0) return nothing;
  const double root = sqrt(rest.high);
  const precise back = product_of(root, root);
  return sum_of_ordered(root, (((rest.high - back.high) - back.low) + rest.low) / (2 * root));
}

double picus_asin(double x) {
  if (isnan(x) || fabs(x) < 0x1p-30) return x;
  if (fabs(x) > 1) return NAN;
  return copysign(angle_of_point((precise){fabs(x), 0}, other_leg(x)), x);
}

double picus_acos(double x) {
  if (isnan(x)) return x;
  if (fabs(x) > 1) return NAN;
  if (x == 1) return 0;
  if (fabs(x) < 0x1p-60) return HALF_PI_HIGH;
  return angle_of_point(other_leg(x), (precise){x, 0});
}

/* sqrt(a^2 + b^2) for a >= b > 0 whose squares neither overflow nor underflow: the root of the rounded sum h, corrected
 * by its residual, h^2 - a^2 - b^2 = d (2 a + d) - b^2 with d = h - a, which is exact. */
static double hypotenuse(double a, double b) {
  const double h = sqrt(a * a + b * b), d = h - a;
  const precise twice = product_of(2 * a, d), square = product_of(b, b);
  const double residual = (twice.high - square.high) + (d * d + (twice.low - square.low));
  return h - residual / (2 * h);
}

double picus_hypot(double x, double y) {
  const double width = fabs(x), height = fabs(y);
  const double a = width > height ? width : height, b = width > height ? height : width;
  if (isinf(x) || isinf(y)) return INFINITY;
  if (isnan(x) || isnan(y)) return x + y;
  if (b <= a * 0x1p-60) return a + b;
  if (a > 0x1p500) return hypotenuse(a * 0x1p-600, b * 0x1p-600) * 0x1p600;
  if (b < 0x1p-400) return hypotenuse(a * 0x1p600, b * 0x1p600) * 0x1p-600;
  return hypotenuse(a, b);
}
