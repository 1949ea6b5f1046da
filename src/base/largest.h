/* The largest number of an array, by its absolute value. */
#ifndef PICUS_BASE_LARGEST_H
#define PICUS_BASE_LARGEST_H

#include <math.h>
#include <stddef.h>

/* 0: there is none above 0, and *place stays. */
static inline double picus_largest_of(size_t count, const double *values, size_t *place) {
  double largest = 0;
  for (size_t i = 0; i < count; i++)
    if (fabs(values[i]) > largest) {
      largest = fabs(values[i]);
      *place = i;
    }
  return largest;
}

#endif
