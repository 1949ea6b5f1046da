/* The larger of two numbers, of each kind that sizes and measures have. */
#ifndef PICUS_BASE_LARGER_H
#define PICUS_BASE_LARGER_H

#include <stddef.h>

/* fmax without its call; a NaN in `value` is not larger, a NaN in `largest` stays. */
static inline double picus_larger(double largest, double value) { return value > largest ? value : largest; }
static inline int picus_larger_int(int a, int b) { return a > b ? a : b; }
static inline size_t picus_larger_size(size_t a, size_t b) { return a > b ? a : b; }

#endif
