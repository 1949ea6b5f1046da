/* Dense LU factorization with row exchanges, by own loops: the matrices of contact problems have tens to hundreds of
 * rows, for which the threads of a BLAS library cost more than they save, and results must not depend on them.
 *
 * Four columns are eliminated together, and the rest of the matrix is updated two rows at a time
 * (picus_subtract_four). */
#include "linalg/internal.h"

#include <math.h>
#include <stddef.h>

enum { PANEL = 4 };

static inline void exchange_rows(int n, double *a, double *b) {
  for (int j = 0; j < n; j++) {
    double t = a[j];
    a[j] = b[j];
    b[j] = t;
  }
}

static inline double *row_of(double *A, int n, int i) { return A + (ptrdiff_t)i * n; }

/* Brings the largest entry of column k to its diagonal. false: there is none. */
static inline bool choose_pivot(int n, double *A, int k, int *pivots) {
  int pivot = k;
  double largest = -1;
  for (int i = k; i < n; i++) {
    double size = fabs(row_of(A, n, i)[k]);
    if (!(size <= largest)) { /* also selects a NaN, which is rejected below */
      largest = size;
      pivot = i;
    }
  }
  pivots[k] = pivot;
  if (pivot != k) exchange_rows(n, row_of(A, n, k), row_of(A, n, pivot));
  return largest > 0 && isfinite(largest);
}

/* Columns first ... last - 1, with the multipliers in place of the zeros. */
static inline bool eliminate_panel(int n, double *A, int first, int last, int *pivots) {
  for (int k = first; k < last; k++) {
    if (!choose_pivot(n, A, k, pivots)) return false;
    const double *pivot_row = row_of(A, n, k);
    double inverse = 1 / pivot_row[k];
    for (int i = k + 1; i < n; i++) {
      double *row = row_of(A, n, i);
      row[k] *= inverse;
      for (int j = k + 1; j < last; j++) row[j] -= row[k] * pivot_row[j];
    }
  }
  return true;
}

static inline void update_rest(int n, double *A, int first) {
  int last = first + PANEL, i = last;
  const picus_four_rows pivot_rows = {row_of(A, n, first) + last, n};
  for (; i + 1 < n; i += 2) {
    double *a = row_of(A, n, i), *b = row_of(A, n, i + 1);
    picus_subtract_four(n - last, pivot_rows, a + first, b + first, a + last, b + last);
  }
  for (; i < n; i++)
    for (int k = first; k < last; k++) {
      double *a = row_of(A, n, i);
      picus_subtract_row(last, n, a[k], row_of(A, n, k), a);
    }
}

/* Inline, here and below, so that the compiler can make n a constant. */
static inline bool factor_size(int n, double *A, int *pivots) {
  for (int first = 0; first < n; first += PANEL) {
    int last = first + PANEL < n ? first + PANEL : n;
    if (!eliminate_panel(n, A, first, last, pivots)) return false;
    for (int i = first + 1; i < last; i++) /* the pivot rows themselves */
      for (int k = first; k < i; k++) picus_subtract_row(last, n, row_of(A, n, i)[k], row_of(A, n, k), row_of(A, n, i));
    if (last < n) update_rest(n, A, first);
  }
  return true;
}

/* Planar joints and bodies, quaternions and bodies in space have their own code: loops of a few numbers cost more than
 * the numbers. */
bool picus_lu_factor(int n, double *A, int *pivots) {
  if (n == 2) return factor_size(2, A, pivots);
  if (n == 3) return factor_size(3, A, pivots);
  if (n == 4) return factor_size(4, A, pivots);
  if (n == 6) return factor_size(6, A, pivots);
  return factor_size(n, A, pivots);
}

int picus_lu_sign(int n, const double *LU, const int *pivots) {
  int sign = 1;
  for (int k = 0; k < n; k++) {
    if (pivots[k] != k) sign = -sign;
    if (LU[(ptrdiff_t)k * n + k] < 0) sign = -sign;
  }
  return sign;
}

static inline void solve_size(int n, const double *LU, const int *pivots, double *x) {
  for (int k = 0; k < n; k++) {
    double t = x[k];
    x[k] = x[pivots[k]];
    x[pivots[k]] = t;
  }
  for (int i = 1; i < n; i++) x[i] -= picus_dot(i, LU + (ptrdiff_t)i * n, x);
  for (int i = n - 1; i >= 0; i--) {
    const double *row = LU + (ptrdiff_t)i * n;
    x[i] = (x[i] - picus_dot(n - 1 - i, row + i + 1, x + i + 1)) / row[i];
  }
}

void picus_lu_solve(int n, const double *LU, const int *pivots, double *x) {
  if (n == 2)
    solve_size(2, LU, pivots, x);
  else if (n == 3)
    solve_size(3, LU, pivots, x);
  else if (n == 4)
    solve_size(4, LU, pivots, x);
  else if (n == 6)
    solve_size(6, LU, pivots, x);
  else
    solve_size(n, LU, pivots, x);
}
