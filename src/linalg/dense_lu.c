/* LU factorization with row exchanges: own loops for small matrices, where a library call costs more than the work,
 * LAPACK above. */
#include "linalg/internal.h"

#include <lapacke.h>
#include <math.h>

enum { SMALL = 24 };

static void exchange_rows(int n, double *a, double *b) {
  for (int j = 0; j < n; j++) {
    double t = a[j];
    a[j] = b[j];
    b[j] = t;
  }
}

static bool factor_small(int n, double *A, int *pivots) {
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[pivot * n + k])) pivot = i;
    pivots[k] = pivot;
    if (pivot != k) exchange_rows(n, A + k * n, A + pivot * n);
    const double *row = A + k * n;
    if (!(fabs(row[k]) > 0) || !isfinite(row[k])) return false;
    double inverse = 1 / row[k];
    for (int i = k + 1; i < n; i++) {
      double *below = A + i * n, factor = below[k] * inverse;
      below[k] = factor;
      if (factor == 0) continue;
      for (int j = k + 1; j < n; j++) below[j] -= factor * row[j];
    }
  }
  return true;
}

static void solve_small(int n, const double *LU, const int *pivots, double *x) {
  for (int k = 0; k < n; k++) {
    double t = x[k];
    x[k] = x[pivots[k]];
    x[pivots[k]] = t;
  }
  for (int i = 1; i < n; i++) x[i] -= picus_dot(i, LU + i * n, x);
  for (int i = n - 1; i >= 0; i--) {
    const double *row = LU + i * n;
    x[i] = (x[i] - picus_dot(n - 1 - i, row + i + 1, x + i + 1)) / row[i];
  }
}

/* A by rows is LAPACK's transpose of A by columns: it factors A^T and solves with the transpose of that. */
bool picus_lu_factor(int n, double *A, int *pivots) {
  if (n <= SMALL) return factor_small(n, A, pivots);
  if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivots) != 0) return false;
  for (int i = 0; i < n; i++)
    if (!isfinite(A[(size_t)i * (size_t)(n + 1)])) return false;
  return true;
}

void picus_lu_solve(int n, const double *LU, const int *pivots, double *x) {
  if (n <= SMALL)
    solve_small(n, LU, pivots, x);
  else
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, LU, n, pivots, x, n);
}
