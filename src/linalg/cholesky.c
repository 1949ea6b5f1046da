/* Cholesky factorization: own loops for small matrices, where a library call costs more than the work, LAPACK above. */
#include "linalg/internal.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SMALL = 24 };

/* A pivot below this share of its diagonal entry is rounding noise: the matrix is singular. */
static double smallest_pivot(int n, double diagonal) { return (double)n * 4 * DBL_EPSILON * diagonal; }

static int factor_small(int n, const double *A, double *L) {
  for (int i = 0; i < n; i++) {
    double *Li = L + (size_t)i * (size_t)n;
    const double *Ai = A + (size_t)i * (size_t)n;
    for (int j = 0; j < i; j++) {
      const double *Lj = L + (size_t)j * (size_t)n;
      Li[j] = (Ai[j] - picus_dot(j, Li, Lj)) / Lj[j];
    }
    double diagonal = Ai[i];
    double pivot = diagonal - picus_dot(i, Li, Li);
    if (!(pivot > smallest_pivot(n, diagonal))) return i; /* also for NaN */
    Li[i] = sqrt(pivot);
  }
  return -1;
}

/* The lower triangle by rows is LAPACK's upper triangle by columns: A = U^T U with U = L^T. */
static int factor_large(int n, const double *A, double *L) {
  if (A != L) memcpy(L, A, (size_t)n * (size_t)n * sizeof *L);
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, L[(size_t)i * (size_t)n + (size_t)i]);
  lapack_int failed = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, L, n);
  if (failed > 0) return (int)failed - 1;
  for (int i = 0; i < n; i++) {
    double pivot = L[(size_t)i * (size_t)n + (size_t)i];
    if (!(pivot * pivot > DBL_EPSILON * DBL_EPSILON * largest)) return i;
  }
  return -1;
}

int picus_cholesky_factor(int n, const double *A, double *L) {
  return n <= SMALL ? factor_small(n, A, L) : factor_large(n, A, L);
}

void picus_cholesky_solve(int n, const double *L, double *x) {
  if (n > SMALL) {
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', n, 1, L, n, x, n);
    return;
  }
  for (int i = 0; i < n; i++) { /* L y = x */
    const double *Li = L + (size_t)i * (size_t)n;
    x[i] = (x[i] - picus_dot(i, Li, x)) / Li[i];
  }
  for (int i = n - 1; i >= 0; i--) { /* L^T x = y */
    double sum = x[i];
    for (int k = i + 1; k < n; k++) sum -= L[(size_t)k * (size_t)n + (size_t)i] * x[k];
    x[i] = sum / L[(size_t)i * (size_t)n + (size_t)i];
  }
}

void picus_cholesky_inverse(int n, const double *L, double *inverse) {
  for (int i = 0; i < n; i++) { /* row i of the symmetric inverse is its column i */
    double *row = inverse + (size_t)i * (size_t)n;
    memset(row, 0, (size_t)n * sizeof *row);
    row[i] = 1;
    picus_cholesky_solve(n, L, row);
  }
}
