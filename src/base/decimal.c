#include "base/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Powers of ten. Repeated multiplication or division of a long number by 10 is exact except for floor, and a floor of
 * floors is the floor of the complete quotient, so the leading 128 bits are right. */

enum { WORDS = 40, FRACTION_BITS = 32 * 36 }; /* 10^324 has 1077 bits; 2^FRACTION_BITS / 10^292 has 182 left */

typedef struct long_number {
  uint32_t word[WORDS]; /* lowest first */
} long_number;

static void multiply_by_ten(long_number *n) {
  uint64_t carry = 0;
  for (int k = 0; k < WORDS; k++) {
    carry += (uint64_t)n->word[k] * 10;
    n->word[k] = (uint32_t)carry;
    carry >>= 32;
  }
}

static void divide_by_ten(long_number *n) {
  uint64_t rest = 0;
  for (int k = WORDS - 1; k >= 0; k--) {
    rest = rest << 32 | n->word[k];
    n->word[k] = (uint32_t)(rest / 10);
    rest %= 10;
  }
}

static bool bit(const long_number *n, int place) {
  return place >= 0 && (n->word[place / 32] >> (place % 32) & 1) != 0;
}

static int highest_bit(const long_number *n) {
  int place = 32 * WORDS - 1;
  while (!bit(n, place)) place--;
  return place;
}

static uint64_t bits_from(const long_number *n, int highest) {
  uint64_t bits = 0;
  for (int k = 0; k < 64; k++) bits = bits << 1 | bit(n, highest - k);
  return bits;
}

static void take_leading(const long_number *n, bool cut, uint64_t *high, uint64_t *low) {
  int highest = highest_bit(n);
  *high = bits_from(n, highest);
  *low = bits_from(n, highest - 64);
  for (int place = highest - 128; place >= 0 && !cut; place--) cut = bit(n, place);
  if (cut && ++*low == 0) ++*high;
}

void picus_decimal_prepare(picus_decimal_powers *powers) {
  long_number n = {{1}};
  for (int k = 0; k <= PICUS_DECIMAL_MOST; k++, multiply_by_ten(&n))
    take_leading(&n, false, &powers->power[k - PICUS_DECIMAL_LEAST].high, &powers->power[k - PICUS_DECIMAL_LEAST].low);
  n = (long_number){0};
  n.word[FRACTION_BITS / 32] = 1;
  for (int k = -1; k >= PICUS_DECIMAL_LEAST; k--) {
    divide_by_ten(&n);
    take_leading(&n, true, &powers->power[k - PICUS_DECIMAL_LEAST].high, &powers->power[k - PICUS_DECIMAL_LEAST].low);
  }
}

/* The decimal digits x 10^exponent. */
typedef struct decimal {
  uint64_t digits;
  int exponent;
} decimal;

static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low) {
  uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
  uint64_t other = a0 * b1 + (uint32_t)middle;
  *low = a * b;
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* floor(g x / 2^128), its last bit set if bits were cut off. g is too large by less than one unit, so a remainder of
 * one unit of 2^-64 counts as zero. */
static uint64_t scale_to_odd(uint64_t g_high, uint64_t g_low, uint64_t x) {
  uint64_t low, ignored;
  uint64_t high = multiply(g_high, x, &low);
  uint64_t carry = multiply(g_low, x, &ignored);
  low += carry;
  if (low < carry) high++;
  return high | (low > 1);
}

static int floor_log2_of_power(int k) { return (int)floor(k * 3.3219280948873623); }

/* value = c 2^q. All numbers between the midpoints to its neighbours read back as it. In units of 10^k / 4, with k such
 * that the interval is between one and ten units of 10^k wide, these are [lower, upper]; take a multiple of 10^(k+1) in
 * it if there is one, else the multiple of 10^k closest to the value (section 9 of the paper). */
static decimal shortest(const picus_decimal_powers *powers, uint64_t c, int q, bool lower_is_closer) {
  int k = (int)floor(q * 0.30102999566398120 - (lower_is_closer ? 0.12493873660829995 : 0));
  int shift = q + floor_log2_of_power(-k) + 1;
  uint64_t g_high = powers->power[-k - PICUS_DECIMAL_LEAST].high, g_low = powers->power[-k - PICUS_DECIMAL_LEAST].low;
  uint64_t lower = scale_to_odd(g_high, g_low, (4 * c - (lower_is_closer ? 1 : 2)) << shift);
  uint64_t exact = scale_to_odd(g_high, g_low, 4 * c << shift);
  uint64_t upper = scale_to_odd(g_high, g_low, (4 * c + 2) << shift);
  if (c % 2 == 1) { /* reading rounds half to even: the ends belong to the interval only of an even c */
    lower++;
    upper--;
  }
  uint64_t s = exact / 4;
  if (s >= 10) {
    uint64_t tens = s / 10;
    bool below_fits = lower <= 40 * tens, above_fits = 40 * tens + 40 <= upper;
    if (below_fits != above_fits) return (decimal){tens + above_fits, k + 1};
  }
  bool below_fits = lower <= 4 * s, above_fits = 4 * s + 4 <= upper;
  if (below_fits != above_fits) return (decimal){s + above_fits, k};
  uint64_t middle = 4 * s + 2;
  bool up = exact > middle || (exact == middle && s % 2 == 1);
  return (decimal){s + up, k};
}

static char *write_exponent(int exponent, char *to) {
  *to++ = 'e';
  *to++ = exponent < 0 ? '-' : '+';
  if (exponent < 0) exponent = -exponent;
  if (exponent >= 100) *to++ = (char)('0' + exponent / 100);
  *to++ = (char)('0' + exponent / 10 % 10);
  *to++ = (char)('0' + exponent % 10);
  return to;
}

static char *write_zeros(int count, char *to) {
  for (; count > 0; count--) *to++ = '0';
  return to;
}

static char *write_digits(const char *digits, int count, char *to) {
  memcpy(to, digits, (size_t)count);
  return to + count;
}

/* Fixed notation as in "%.17g": exponents -4 ... 16. */
static char *write_decimal(decimal d, char *to) {
  char text[20];
  int count = 0, begin = (int)sizeof text;
  while (d.digits % 10 == 0) {
    d.digits /= 10;
    d.exponent++;
  }
  for (; d.digits > 0; d.digits /= 10, count++) text[--begin] = (char)('0' + d.digits % 10);
  const char *digits = text + begin;
  int leading = d.exponent + count - 1; /* exponent of the first digit */
  if (leading < -4 || leading > 16) {
    *to++ = digits[0];
    if (count > 1) {
      *to++ = '.';
      to = write_digits(digits + 1, count - 1, to);
    }
    return write_exponent(leading, to);
  }
  if (leading < 0) {
    to = write_zeros(1, to);
    *to++ = '.';
    return write_digits(digits, count, write_zeros(-leading - 1, to));
  }
  if (count <= leading + 1) return write_zeros(leading + 1 - count, write_digits(digits, count, to));
  to = write_digits(digits, leading + 1, to);
  *to++ = '.';
  return write_digits(digits + leading + 1, count - leading - 1, to);
}

char *picus_decimal_write(const picus_decimal_powers *powers, double value, char *to) {
  if (isnan(value)) return write_digits("nan", 3, to);
  if (signbit(value)) *to++ = '-';
  if (isinf(value)) return write_digits("inf", 3, to);
  if (value == 0) return write_zeros(1, to);
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
  int exponent = (int)(bits >> 52 & 0x7FF);
  double size = fabs(value);
  if (size < 9007199254740992.0 && size == floor(size)) return write_decimal((decimal){(uint64_t)size, 0}, to);
  if (exponent == 0) return write_decimal(shortest(powers, fraction, -1074, false), to);
  bool lower_is_closer = fraction == 0 && exponent > 1;
  return write_decimal(shortest(powers, fraction | (uint64_t)1 << 52, exponent - 1075, lower_is_closer), to);
}
