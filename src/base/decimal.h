/* The shortest decimal text that reads back as the same double or float, regardless of the locale.
 *
 * R. Giulietti, The Schubfach way to render doubles (2021). */
#ifndef PICUS_BASE_DECIMAL_H
#define PICUS_BASE_DECIMAL_H

#include <stdint.h>

enum {
  PICUS_DECIMAL_LEAST = -292, /* powers of ten that doubles need */
  PICUS_DECIMAL_MOST = 324,
  PICUS_DECIMAL_SIZE = 25 /* the longest text: sign, 17 digits, point, e-308; not terminated */
};

/* 10^k, k = LEAST ... MOST, as the 128-bit integer g with 10^k = g 2^(floor(log2 10^k) - 127), rounded up. */
typedef struct picus_decimal_powers {
  struct {
    uint64_t high, low;
  } power[PICUS_DECIMAL_MOST - PICUS_DECIMAL_LEAST + 1];
} picus_decimal_powers;

void picus_decimal_prepare(picus_decimal_powers *powers);
/* Writes as "%.17g" would, but with only as many digits as distinguish the value from its neighbours; "nan", "inf",
 * "-inf". Returns the end of the text. */
char *picus_decimal_write(const picus_decimal_powers *powers, double value, char *to);
char *picus_decimal_write_single(const picus_decimal_powers *powers, float value, char *to);

#endif
