/* Numbers of twice the precision: sums high + low of doubles with |low| <= ulp(high)/2 or little more. No fused
 * multiplication: all machines compute the same.
 *
 * T. J. Dekker, A floating-point technique for extending the available precision, Numer. Math. 18 (1971). */
#ifndef PICUS_BASE_PRECISE_H
#define PICUS_BASE_PRECISE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct precise {
  double high, low;
} precise;

static inline uint64_t picus_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double picus_from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* 2^k, -1022 <= k <= 1023. */
static inline double power_of_two(int k) { return picus_from_bits((uint64_t)(k + 1023) << 52); }

/* The 26 leading bits of x: products of such numbers are exact, and so is the rest x - leading_bits(x) of 27 bits; the
 * products of a rest are exact with a number of 26 bits. */
static inline double leading_bits(double x) { return picus_from_bits(picus_bits(x) & ~(uint64_t)0x7ffffff); }

/* a + b exactly; |a| >= |b| or a = 0. */
static inline precise sum_of_ordered(double a, double b) {
  const double sum = a + b;
  return (precise){sum, b - (sum - a)};
}

/* a + b exactly. */
static inline precise sum_of(double a, double b) {
  const double sum = a + b, b_rounded = sum - a;
  return (precise){sum, (a - (sum - b_rounded)) + (b - b_rounded)};
}

/* a b, with a relative error of at most 2^-104 without underflow; a, b finite. */
static inline precise product_of(double a, double b) {
  const double a1 = leading_bits(a), a2 = a - a1, b1 = leading_bits(b), b2 = b - b1, product = a * b;
  return (precise){product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

static inline precise precise_times(precise a, precise b) {
  const precise product = product_of(a.high, b.high);
  return sum_of_ordered(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/* a + b; may cancel to the precision of the lower parts. */
static inline precise precise_plus(precise a, precise b) {
  const precise sum = sum_of(a.high, b.high);
  return sum_of_ordered(sum.high, sum.low + (a.low + b.low));
}

static inline precise precise_over(precise a, precise b) {
  const double quotient = a.high / b.high;
  const precise back = product_of(quotient, b.high);
  const double rest = ((a.high - back.high) - back.low) + a.low - quotient * b.low;
  return sum_of_ordered(quotient, rest / b.high);
}

#endif
