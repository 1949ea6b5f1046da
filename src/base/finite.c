/* Are all numbers of an array finite? */
#include "base/internal.h"

bool picus_many_finite(const double *values, size_t count) {
  double a = 0, b = 0, c = 0, d = 0; /* four products side by side: none waits for another */
  const double *end = values + count;
  for (; end - values >= 4; values += 4) {
    a *= values[0];
    b *= values[1];
    c *= values[2];
    d *= values[3];
  }
  for (; values < end; values++) a *= *values;
  return (a + b) + (c + d) == 0;
}
