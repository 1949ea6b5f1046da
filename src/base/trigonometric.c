/* Sine, cosine and tangent: the angle is reduced by multiples of pi/2 to at most pi/4, where a polynomial of degree 13
 * or 14 is exact to 2^-58. */
#include "base/elementary.h"
#include "base/elementary_tables.h"

#include <math.h>

/* Adding and subtracting it rounds to an integer, whose last bits are those of the sum. */
#define TO_INTEGER 0x1.8p52

/* An angle less quarters * pi/2: angle + tail. */
typedef struct reduced_angle {
  double angle, tail;
  unsigned quarters; /* modulo 4 */
} reduced_angle;

/* Angles that are their own sine and tangent, zeros with their sign among them. */
static bool is_tiny(double x) { return fabs(x) < 0x1p-30; }

/* --- large angles and those next to multiples of pi/2 --------------------------------------------------------------
 */

enum { WINDOW = 6, PRODUCT = WINDOW + 2 }; /* words of 32 bits */

/* mantissa times 192 bits of 2/pi from bit `first` on; the lowest word first. */
static void multiply_by_window(uint64_t mantissa, int first, uint32_t product[PRODUCT]) {
  const uint32_t factors[2] = {(uint32_t)mantissa, (uint32_t)(mantissa >> 32)};
  const int word = first / 32, shift = first % 32;
  memset(product, 0, PRODUCT * sizeof *product);
  for (int i = 0; i < WINDOW; i++) {
    const uint32_t *at = &two_over_pi_bits[word + WINDOW - 1 - i];
    const uint64_t both = (uint64_t)at[0] << 32 | at[1];
    const uint32_t window = (uint32_t)(both << shift >> 32);
    uint64_t carry = 0;
    for (int j = 0; j < 2; j++) {
      carry += (uint64_t)window * factors[j] + product[i + j];
      product[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    product[i + 2] = (uint32_t)carry;
  }
}

static void shift_left(uint32_t product[PRODUCT], int bits) {
  const int words = bits / 32, rest = bits % 32;
  for (int i = PRODUCT - 1; i >= 0; i--) {
    const uint64_t high = i >= words ? product[i - words] : 0, low = i > words ? product[i - words - 1] : 0;
    product[i] = (uint32_t)((high << 32 | low) << rest >> 32);
  }
}

/* x 2/pi modulo 4 for x > 2^-30, in binary: M. H. Payne, R. N. Hanek, Radian reduction for trigonometric functions, ACM
 * SIGNUM 18 (1983). x = m 2^e with an integer m; bits of 2/pi that multiply it to multiples of 4 are left out. No
 * double is closer to a multiple of pi/2 than 2^-62, so that 192 bits leave more than 70 of the rest. */
static reduced_angle reduce_positive(double x) {
  const uint64_t bits = picus_bits(x), mantissa = (bits & 0xfffffffffffff) | (uint64_t)1 << 52;
  const int exponent = (int)(bits >> 52) - 1075, first = exponent > 2 ? exponent - 2 : 0;
  uint32_t product[PRODUCT];
  multiply_by_window(mantissa, first, product);
  shift_left(product, 62 + exponent - first); /* the point is now behind the two leading bits */
  unsigned quarters = product[PRODUCT - 1] >> 30;
  const bool above = product[PRODUCT - 1] >> 29 & 1; /* a half: count the next quarter, and from there back */
  quarters += above;
  product[PRODUCT - 1] &= 0x3fffffff;
  precise fraction = {0, 0};
  for (int i = PRODUCT - 1; i >= 0; i--) {
    const double word = above ? (double)(i == PRODUCT - 1 ? 0x3fffffff - product[i] : ~product[i]) : (double)product[i];
    const precise sum = sum_of(fraction.high, word * power_of_two(32 * (i - PRODUCT) + 2));
    fraction = sum_of_ordered(sum.high, sum.low + fraction.low);
  }
  if (above) fraction.high = -fraction.high, fraction.low = -fraction.low;
  const precise angle = precise_times(fraction, (precise){HALF_PI_HIGH, HALF_PI_LOW});
  return (reduced_angle){angle.high, angle.low, quarters & 3};
}

static reduced_angle reduce_exactly(double x) {
  if (is_tiny(x)) return (reduced_angle){x, 0, 0};
  if (!isfinite(x)) return (reduced_angle){isnan(x) ? x : NAN, 0, 0};
  reduced_angle reduced = reduce_positive(fabs(x));
  if (x < 0) reduced = (reduced_angle){-reduced.angle, -reduced.tail, -reduced.quarters & 3};
  return reduced;
}

/* --- all others ----------------------------------------------------------------------------------------------------
 */

/* pi/2 is subtracted in three parts: the products with the first two are exact, as n has at most 20 bits, and so is the
 * first difference; the third has an error of 2^-100. false: the angle is
 * too large for that, or the rest too small. */
static inline bool reduce_quickly(double x, reduced_angle *reduced) {
  if (!(fabs(x) < 0x1p20)) return false;
  const double shifted = x * TWO_OVER_PI + TO_INTEGER, n = shifted - TO_INTEGER;
  const double first = x - n * HALF_PI_1, second = n * HALF_PI_2, rest = first - second;
  const double tail = ((first - rest) - second) - n * HALF_PI_3, angle = rest + tail;
  if (is_tiny(angle)) return false;
  *reduced = (reduced_angle){angle, (rest - angle) + tail, (unsigned)picus_bits(shifted) & 3};
  return true;
}

/* sin(r + tail) - r */
static inline double sine_rest(double r, double tail) {
  const double z = r * r, z2 = z * z;
  const double p = (sine[0] + z * sine[1]) + z2 * ((sine[2] + z * sine[3]) + z2 * (sine[4] + z * sine[5]));
  return z * r * p + tail * (1 - 0.5 * z);
}

static inline double sine_of(double r, double tail) { return r + sine_rest(r, tail); }

/* cos(r + tail) - (1 - r^2/2) */
static inline double cosine_rest(double r, double z, double tail) {
  const double z2 = z * z;
  const double p = (cosine[0] + z * cosine[1]) + z2 * ((cosine[2] + z * cosine[3]) + z2 * (cosine[4] + z * cosine[5]));
  return z2 * p - r * tail;
}

static inline double cosine_of(double r, double tail) {
  const double z = r * r, half = 0.5 * z, whole = 1 - half;
  return whole + (((1 - whole) - half) + cosine_rest(r, z, tail));
}

double picus_sin(double x) {
  reduced_angle r;
  if (!reduce_quickly(x, &r)) {
    if (is_tiny(x)) return x;
    r = reduce_exactly(x);
  }
  const double value = r.quarters & 1 ? cosine_of(r.angle, r.tail) : sine_of(r.angle, r.tail);
  return r.quarters & 2 ? -value : value;
}

double picus_cos(double x) {
  reduced_angle r;
  if (!reduce_quickly(x, &r)) r = reduce_exactly(x);
  const double value = r.quarters & 1 ? sine_of(r.angle, r.tail) : cosine_of(r.angle, r.tail);
  return (r.quarters + 1) & 2 ? -value : value;
}

void picus_sin_cos(double x, double *sine_of_x, double *cosine_of_x) {
  reduced_angle r;
  if (!reduce_quickly(x, &r)) {
    *sine_of_x = x;
    *cosine_of_x = 1;
    if (is_tiny(x)) return;
    r = reduce_exactly(x);
  }
  const double s = sine_of(r.angle, r.tail), c = cosine_of(r.angle, r.tail);
  const double first = r.quarters & 1 ? c : s, second = r.quarters & 1 ? s : c;
  *sine_of_x = r.quarters & 2 ? -first : first;
  *cosine_of_x = (r.quarters + 1) & 2 ? -second : second;
}

/* sin(r + tail) in twice the precision: the cubic term has more digits, too. */
static precise precise_sine(double r, double tail, precise square) {
  const double z = square.high, z2 = z * z;
  const double p = z * sine[1] + z2 * ((sine[2] + z * sine[3]) + z2 * (sine[4] + z * sine[5]));
  const precise cube = precise_times(square, (precise){r, 0}), cubic = precise_times(cube, (precise){sine[0], 0});
  const precise sum = sum_of_ordered(r, cubic.high);
  return sum_of_ordered(sum.high, sum.low + (cubic.low + (cube.high * p + tail * (1 - 0.5 * z))));
}

static precise precise_cosine(double r, double tail, precise square) {
  const precise whole = sum_of_ordered(1, -0.5 * square.high);
  return sum_of_ordered(whole.high, whole.low + (cosine_rest(r, square.high, tail) - 0.5 * square.low));
}

double picus_tan(double x) {
  reduced_angle r;
  if (!reduce_quickly(x, &r)) {
    if (is_tiny(x)) return x;
    r = reduce_exactly(x);
    if (is_tiny(r.angle) && !(r.quarters & 1)) return r.angle + r.tail;
  }
  if (isnan(r.angle)) return r.angle;
  const precise square = product_of(r.angle, r.angle);
  const precise s = precise_sine(r.angle, r.tail, square), c = precise_cosine(r.angle, r.tail, square);
  const precise value = r.quarters & 1 ? precise_over(c, s) : precise_over(s, c);
  return r.quarters & 1 ? -(value.high + value.low) : value.high + value.low;
}
