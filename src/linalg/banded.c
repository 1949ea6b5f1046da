/* Cholesky factorization of a symmetric band matrix by own loops: narrow bands are the ones that occur (finite elements
 * in a row), and for those a library call costs more than the work. */
#include "linalg/internal.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

static int first_column(int i, int band) { return i > band ? i - band : 0; }

/* Row i of the lower band, so that row[j] is the entry (i, j). */
static double *row_of(double *L, int i, int band) { return L + (ptrdiff_t)i * (band + 1) + band - i; }
static const double *constant_row_of(const double *L, int i, int band) {
  return L + (ptrdiff_t)i * (band + 1) + band - i;
}

int picus_banded_factor(int n, int band, double *L) {
  for (int i = 0; i < n; i++) {
    double *Li = row_of(L, i, band);
    const int first = first_column(i, band);
    for (int j = first; j < i; j++) {
      const double *Lj = row_of(L, j, band);
      double sum = Li[j];
      for (int k = first; k < j; k++) sum -= Li[k] * Lj[k]; /* row j reaches at least as far to the left */
      Li[j] = sum / Lj[j];
    }
    double diagonal = Li[i], pivot = diagonal;
    for (int k = first; k < i; k++) pivot -= Li[k] * Li[k];
    if (!(pivot > (double)(band + 1) * 4 * DBL_EPSILON * diagonal)) return i; /* also for NaN */
    Li[i] = sqrt(pivot);
  }
  return -1;
}

void picus_banded_solve(int n, int band, const double *L, double *x) {
  for (int i = 0; i < n; i++) { /* L y = x */
    const double *Li = constant_row_of(L, i, band);
    double sum = x[i];
    for (int k = first_column(i, band); k < i; k++) sum -= Li[k] * x[k];
    x[i] = sum / Li[i];
  }
  for (int i = n - 1; i >= 0; i--) { /* L^T x = y, row by row of L */
    const double *Li = constant_row_of(L, i, band);
    x[i] /= Li[i];
    for (int k = first_column(i, band); k < i; k++) x[k] -= Li[k] * x[i];
  }
}
