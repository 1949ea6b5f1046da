/* L D L^T factorization of a symmetric band matrix with plain loops: bands are narrow in practice (finite elements in a
 * row), and for these a library call costs more than the work. L has a unit diagonal, whose place holds D^-1: a solve
 * then waits for one product and one difference per row, and for no division. */
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
    for (int j = first; j < i; j++) { /* L_ij D_j */
      const double *Lj = row_of(L, j, band);
      for (int k = first; k < j; k++) Li[j] -= Li[k] * Lj[k]; /* row j reaches at least as far to the left */
    }
    const double diagonal = Li[i];
    double pivot = diagonal;
    for (int j = first; j < i; j++) {
      const double scaled = Li[j];
      Li[j] *= row_of(L, j, band)[j];
      pivot -= scaled * Li[j];
    }
    if (!(pivot > (double)(band + 1) * 4 * DBL_EPSILON * diagonal)) return i; /* also for NaN */
    Li[i] = 1 / pivot;
  }
  return -1;
}

static void solve_tridiagonal(int n, const double *L, double *x) {
  double last = x[0]; /* in a register: the next row waits for it */
  for (int i = 1; i < n; i++) x[i] = last = x[i] - L[2 * i] * last;
  x[n - 1] = last *= L[2 * n - 1];
  for (int i = n - 1; i > 0; i--) x[i - 1] = last = x[i - 1] * L[2 * i - 1] - L[2 * i] * last;
}

void picus_banded_solve(int n, int band, const double *L, double *x) {
  if (band == 1) {
    solve_tridiagonal(n, L, x);
    return;
  }
  for (int i = 0; i < n; i++) { /* L y = x */
    const double *Li = constant_row_of(L, i, band);
    for (int k = first_column(i, band); k < i; k++) x[i] -= Li[k] * x[k];
  }
  for (int i = 0; i < n; i++) x[i] *= constant_row_of(L, i, band)[i]; /* D z = y */
  for (int i = n - 1; i >= 0; i--) {                                  /* L^T x = z, row by row of L */
    const double *Li = constant_row_of(L, i, band);
    for (int k = first_column(i, band); k < i; k++) x[k] -= Li[k] * x[i];
  }
}
