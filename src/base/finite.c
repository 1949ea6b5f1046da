/* Are all numbers of an array finite? */
#include "base/internal.h"

bool picus_many_finite(const double *values, size_t count) {
  double zero[8] = {0}; /* eight products side by side: none waits for another */
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (size_t k = 0; k < 8; k++) zero[k] *= values[i + k];
  for (; i < count; i++) zero[0] *= values[i];
  return ((zero[0] + zero[1]) + (zero[2] + zero[3])) + ((zero[4] + zero[5]) + (zero[6] + zero[7])) == 0;
}
