/* Schubfach (Giulietti 2021): the shortest decimal text that reads back as the same number, from one product with a
 * power of ten of 128 bits. decimal.h states what is promised. */
#include "base/decimal.h"
#include "base/byte_words.h"

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

/* A number of 192 bits. */
typedef struct product {
  uint64_t high, middle, low;
} product;

static product scale(uint64_t g_high, uint64_t g_low, uint64_t x) {
  product p;
  p.high = multiply(g_high, x, &p.middle);
  uint64_t carry = multiply(g_low, x, &p.low);
  p.middle += carry;
  if (p.middle < carry) p.high++;
  return p;
}

/* g 2^shift, shift = 1 ... 63. */
static product shifted(uint64_t g_high, uint64_t g_low, int shift) {
  return (product){g_high >> (64 - shift), g_high << shift | g_low >> (64 - shift), g_low << shift};
}

static product add(product a, product b) {
  product sum = {a.high + b.high, a.middle + b.middle, a.low + b.low};
  const uint64_t carry = sum.low < a.low;
  sum.high += sum.middle < a.middle;
  sum.middle += carry;
  sum.high += sum.middle < carry;
  return sum;
}

static product subtract(product a, product b) {
  const uint64_t borrow = a.low < b.low;
  product rest = {a.high - b.high, a.middle - b.middle, a.low - b.low};
  rest.high -= a.middle < b.middle;
  rest.high -= rest.middle < borrow;
  rest.middle -= borrow;
  return rest;
}

/* floor(g x / 2^128), its last bit set if bits were cut off. g is too large by less than one unit, so a remainder of
 * one unit of 2^-64 counts as zero. */
static uint64_t to_odd(product p) { return p.high | (p.middle > 1); }

/* floor(k a / 2^shift), without a call of floor; |k| < 2000. The constants are exact for the powers of doubles
 * (Giulietti, section 9.5). */
static int scale_exponent(int k, int64_t a, int64_t b, int shift) {
  const int64_t offset = 8192; /* keeps the shifted number positive */
  return (int)((k * a - b + (offset << shift)) >> shift) - (int)offset;
}

static int floor_log2_of_power(int k) { return scale_exponent(k, 913124641741, 0, 38); }

/* value = c 2^q. All numbers between the midpoints to its neighbours read back as it. In units of 10^k / 4, with k such
 * that the interval is between one and ten units of 10^k wide, these are [lower, upper]; take a multiple of 10^(k+1) in
 * it if there is one, else the multiple of 10^k closest to the value (section 9 of the paper). */
static decimal shortest(const picus_decimal_powers *powers, uint64_t c, int q, bool lower_is_closer) {
  int k = scale_exponent(q, 661971961083, lower_is_closer ? 274743187321 : 0, 41);
  int shift = q + floor_log2_of_power(-k) + 1;
  uint64_t g_high = powers->power[-k - PICUS_DECIMAL_LEAST].high, g_low = powers->power[-k - PICUS_DECIMAL_LEAST].low;
  const product value = scale(g_high, g_low, 4 * c << shift), half = shifted(g_high, g_low, shift + 1);
  uint64_t lower = to_odd(lower_is_closer ? scale(g_high, g_low, (4 * c - 1) << shift) : subtract(value, half));
  uint64_t exact = to_odd(value);
  uint64_t upper = to_odd(add(value, half));
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

/* Up to 23: in parts of eight, the last of which may overlap the one before. */
static char *write_digits(const char *digits, int count, char *to) {
  if (count < 8) {
    for (int k = 0; k < count; k++) to[k] = digits[k];
    return to + count;
  }
  memcpy(to, digits, 8);
  if (count >= 16) memcpy(to + 8, digits + 8, 8);
  memcpy(to + count - 8, digits + count - 8, 8);
  return to + count;
}

/* Eight digits, with zeros in front. Two, then four, then eight bytes at once hold parts of the number below 100 and
 * below 10: the lowest byte is the first digit. */
static void write_eight(uint32_t number, char *to) {
  uint64_t parts = number / 10000 | (uint64_t)(number % 10000) << 32;
  const uint64_t hundreds = ((parts * 10486) >> 20) & 0x0000007F0000007F;
  parts = hundreds | (parts - 100 * hundreds) << 16;
  const uint64_t tens = ((parts * 103) >> 10) & 0x000F000F000F000F;
  parts = tens | (parts - 10 * tens) << 8;
  picus_put_word(parts + 0x3030303030303030, to);
}

enum { MOST_DIGITS = 24 };

/* The digits of a number without zeros at its end, at the end of text; returns where they begin. */
static int write_number(decimal *d, char text[MOST_DIGITS], int *count) {
  enum { PART = 100000000 };
  const uint64_t high = d->digits / PART;
  int begin = MOST_DIGITS - 16, end = MOST_DIGITS;
  write_eight((uint32_t)(d->digits % PART), text + 16);
  write_eight((uint32_t)(high % PART), text + 8);
  if (high >= PART) text[--begin] = (char)('0' + high / PART); /* 17 digits at most */
  while (text[begin] == '0') begin++;
  while (text[end - 1] == '0') end--;
  d->exponent += MOST_DIGITS - end;
  *count = end - begin;
  return begin;
}

/* Fixed notation as in "%.17g": exponents -4 ... 16. */
static char *write_decimal(decimal d, char *to) {
  char text[MOST_DIGITS];
  int count;
  const char *digits = text + write_number(&d, text, &count);
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

/* A number of IEEE 754 in its parts. */
typedef struct binary {
  uint64_t fraction;
  int exponent, fraction_bits, largest; /* the exponent as it is stored; largest: infinity or no number */
  bool is_negative;
} binary;

static char *write_binary(const picus_decimal_powers *powers, binary n, char *to) {
  const int bias = n.largest / 2 + n.fraction_bits; /* value = c 2^(exponent - bias) */
  if (n.exponent == n.largest && n.fraction != 0) return write_digits("nan", 3, to);
  if (n.is_negative) *to++ = '-';
  if (n.exponent == n.largest) return write_digits("inf", 3, to);
  if (n.exponent == 0 && n.fraction == 0) return write_zeros(1, to);
  if (n.exponent == 0) return write_decimal(shortest(powers, n.fraction, 1 - bias, false), to);
  const uint64_t c = n.fraction | (uint64_t)1 << n.fraction_bits;
  const int q = n.exponent - bias;
  if (q <= 0 && q >= -n.fraction_bits && c << (64 + q - 1) << 1 == 0) /* a whole number */
    return write_decimal((decimal){c >> -q, 0}, to);
  return write_decimal(shortest(powers, c, q, n.fraction == 0 && n.exponent > 1), to);
}

char *picus_decimal_write(const picus_decimal_powers *powers, double value, char *to) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const binary n = {.fraction = bits & (((uint64_t)1 << 52) - 1),
                    .exponent = (int)(bits >> 52 & 0x7FF),
                    .fraction_bits = 52,
                    .largest = 0x7FF,
                    .is_negative = bits >> 63 != 0};
  return write_binary(powers, n, to);
}

char *picus_decimal_write_single(const picus_decimal_powers *powers, float value, char *to) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  const binary n = {.fraction = bits & ((UINT32_C(1) << 23) - 1),
                    .exponent = (int)(bits >> 23 & 0xFF),
                    .fraction_bits = 23,
                    .largest = 0xFF,
                    .is_negative = bits >> 31 != 0};
  return write_binary(powers, n, to);
}
