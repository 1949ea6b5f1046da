/* Cholesky factorization with plain loops instead of a BLAS library, whose threads and memory would burden every user
 * and whose sums depend on the machine. docs/dependencies.md has the measurements.
 *
 * Small matrices are factored row by row of L. Large ones become U^T U with U = L^T in the upper triangle, because rows
 * of U are subtracted from the rows below: PANEL rows of U at a time, and of these SPAN columns, which stay in the
 * cache while all rows below are updated. Every number is the same sum in the same order on every machine. */
#include "linalg/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SMALL = 8, PANEL = 32, SPAN = 128, GROUP = 4 };

/* A pivot below this share of its diagonal entry is round-off: the matrix is singular. Round-off of short sums grows at
 * most like their length, of long sums like its square root. */
static double smallest_share(int n) { return (n <= 24 ? n : fmax(sqrt(n), 24)) * 4 * DBL_EPSILON; }

static int factor_small(int n, const double *A, double *L) {
  const double share = smallest_share(n);
  for (int i = 0; i < n; i++) {
    double *Li = L + (size_t)i * (size_t)n;
    const double *Ai = A + (size_t)i * (size_t)n;
    for (int j = 0; j < i; j++) {
      const double *Lj = L + (size_t)j * (size_t)n;
      Li[j] = (Ai[j] - picus_dot(j, Li, Lj)) / Lj[j];
    }
    double diagonal = Ai[i];
    double pivot = diagonal - picus_dot(i, Li, Li);
    if (!(pivot > share * diagonal)) return i; /* also for NaN */
    Li[i] = sqrt(pivot);
  }
  return -1;
}

/* ---- large matrices */

static double *row_of(double *U, int n, int i) { return U + (ptrdiff_t)i * n; }

/* The lower triangle of A into the upper triangle of U, in tiles that fit the cache. */
static void transpose(int n, const double *A, double *U) {
  enum { TILE = 16 };
  for (int i0 = 0; i0 < n; i0 += TILE)
    for (int j0 = 0; j0 <= i0; j0 += TILE)
      for (int i = i0; i < n && i < i0 + TILE; i++)
        for (int j = j0; j <= i && j < j0 + TILE; j++) row_of(U, n, j)[i] = A[(ptrdiff_t)i * n + j];
}

/* Below the first row the first column is free: it keeps the diagonal of A, by which pivots are judged. */
static void keep_diagonal(int n, double *U) {
  for (int i = 1; i < n; i++) row_of(U, n, i)[0] = row_of(U, n, i)[i];
}

/* Factors rows first ... last - 1, from which all rows above have been subtracted. -1, or the row that fails. */
static int factor_panel(int n, double *U, int first, int last) {
  const double share = smallest_share(n);
  for (int k = first; k < last; k++) {
    double *row = row_of(U, n, k);
    if (!(row[k] > share * row[0])) return k; /* also for NaN */
    const double root = sqrt(row[k]), inverse = 1 / root;
    row[k] = root;
    for (int j = k + 1; j < n; j++) row[j] *= inverse;
    for (int i = k + 1; i < last; i++) picus_subtract_row(i, n, row[i], row, row_of(U, n, i));
  }
  return -1;
}

/* The factors of row i: column i of rows k ... k + GROUP - 1 of U. */
static void take_factors(int n, const double *U, int k, int i, double f[GROUP]) {
  for (int r = 0; r < GROUP; r++) f[r] = U[(ptrdiff_t)(k + r) * n + i];
}

/* Rows first ... first + PANEL - 1 are subtracted from columns j0 ... j1 - 1 of rows i and i + 1. */
static void update_pair(int n, double *U, int first, int i, int j0, int j1) {
  double f[GROUP], g[GROUP];
  for (int k = first; k < first + PANEL; k += GROUP) {
    take_factors(n, U, k, i, f);
    take_factors(n, U, k, i + 1, g);
    picus_subtract_four(j1 - j0, (picus_four_rows){row_of(U, n, k) + j0, n}, f, g, row_of(U, n, i) + j0,
                        row_of(U, n, i + 1) + j0);
  }
}

/* Of two rows, the second starts one column later; the entries left of its diagonal are free, except column 0. */
static void update_rest(int n, double *U, int first) {
  const int next = first + PANEL;
  for (int j0 = next; j0 < n; j0 += SPAN) {
    const int j1 = j0 + SPAN < n ? j0 + SPAN : n;
    int i = next;
    for (; i + 1 < n && i < j1; i += 2) update_pair(n, U, first, i, i > j0 ? i : j0, j1);
    if (i < j1) /* the last row alone */
      for (int k = first; k < next; k++)
        picus_subtract_row(i > j0 ? i : j0, j1, row_of(U, n, k)[i], row_of(U, n, k), row_of(U, n, i));
  }
}

static int factor_large(int n, const double *A, double *U) {
  transpose(n, A, U);
  keep_diagonal(n, U);
  for (int first = 0; first < n; first += PANEL) {
    const int last = first + PANEL < n ? first + PANEL : n;
    int failed = factor_panel(n, U, first, last);
    if (failed >= 0) return failed;
    if (last < n) update_rest(n, U, first);
  }
  return -1;
}

/* ---- both */

int picus_cholesky_factor(int n, const double *A, double *L) {
  return n <= SMALL ? factor_small(n, A, L) : factor_large(n, A, L);
}

void picus_cholesky_forward(int n, const double *L, double *x) {
  for (int k = 0; k < n; k++) {
    const double *row = L + (ptrdiff_t)k * n;
    if (n > SMALL) { /* U^T y = x */
      x[k] /= row[k];
      picus_subtract_row(k + 1, n, x[k], row, x);
    } else
      x[k] = (x[k] - picus_dot(k, row, x)) / row[k];
  }
}

void picus_cholesky_backward(int n, const double *L, double *x) {
  for (int i = n - 1; i >= 0; i--) {
    const double *row = L + (ptrdiff_t)i * n;
    double sum = x[i];
    if (n > SMALL) /* U x = y */
      sum -= picus_dot(n - 1 - i, row + i + 1, x + i + 1);
    else
      for (int k = i + 1; k < n; k++) sum -= L[(ptrdiff_t)k * n + i] * x[k];
    x[i] = sum / row[i];
  }
}

void picus_cholesky_solve(int n, const double *L, double *x) {
  picus_cholesky_forward(n, L, x);
  picus_cholesky_backward(n, L, x);
}

void picus_cholesky_inverse(int n, const double *L, double *inverse) {
  for (int i = 0; i < n; i++) { /* row i of the symmetric inverse is its column i */
    double *row = inverse + (size_t)i * (size_t)n;
    memset(row, 0, (size_t)n * sizeof *row);
    row[i] = 1;
    picus_cholesky_solve(n, L, row);
  }
}
