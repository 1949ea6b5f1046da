/* Small dense matrices: systems whose rows may depend on each other, and eigenvalues. */
#include "base/elementary.h"
#include "base/internal.h"
#include "flow/internal.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* --- systems ------------------------------------------------------------------------------------------------------ */

static void swap_ints(int *a, int *b) {
  const int kept = *a;
  *a = *b;
  *b = kept;
}

/* The largest value from (k, k) on, by places in the permutations. */
static double find_pivot(const pivoted *p, int k, int *row, int *column) {
  const int n = p->size;
  double largest = 0;
  for (int i = k; i < n; i++)
    for (int j = k; j < n; j++) {
      const double value = fabs(p->A[p->row[i] * n + p->column[j]]);
      if (value <= largest) continue;
      largest = value;
      *row = i;
      *column = j;
    }
  return largest;
}

void picus_pivoted_factor(pivoted *p, int size, double smallest) {
  const int n = p->size = size;
  double first = 0;
  for (int i = 0; i < n; i++) p->row[i] = p->column[i] = i;
  for (p->rank = 0; p->rank < n; p->rank++) {
    const int k = p->rank;
    int row = k, column = k;
    const double pivot = find_pivot(p, k, &row, &column);
    if (k == 0) first = pivot;
    if (!(pivot > smallest * first)) return;
    swap_ints(&p->row[k], &p->row[row]);
    swap_ints(&p->column[k], &p->column[column]);
    const double *upper = p->A + p->row[k] * n;
    for (int i = k + 1; i < n; i++) {
      double *line = p->A + p->row[i] * n;
      const double factor = line[p->column[k]] /= upper[p->column[k]];
      for (int j = k + 1; j < n; j++) line[p->column[j]] -= factor * upper[p->column[j]];
    }
  }
}

void picus_pivoted_solve(const pivoted *p, double *x, double *work) {
  const int n = p->size;
  for (int i = 0; i < p->rank; i++) {
    work[i] = x[p->row[i]];
    for (int j = 0; j < i; j++) work[i] -= p->A[p->row[i] * n + p->column[j]] * work[j];
  }
  for (int i = 0; i < n; i++) x[i] = 0;
  for (int i = p->rank - 1; i >= 0; i--) {
    double sum = work[i];
    for (int j = i + 1; j < p->rank; j++) sum -= p->A[p->row[i] * n + p->column[j]] * x[p->column[j]];
    x[p->column[i]] = sum / p->A[p->row[i] * n + p->column[i]];
  }
}

/* --- eigenvalues -------------------------------------------------------------------------------------------------- */

#define DEPENDENT 1e-9 /* values this small, relative to 1 and to the largest one, are round-off */

/* A (n x n) of rank r is a sum of r products l u^T. Its eigenvalues other than 0 are those of the r x r matrix of all
 * u^T l, which replaces it; returns r. L and U: n x n. */
static int compress(int n, double *A, double *L, double *U, double scale) {
  int rank = 0;
  for (; rank < n; rank++) {
    size_t place = 0;
    if (!(picus_largest_of((size_t)n * (size_t)n, A, &place) > DEPENDENT * scale)) break;
    const size_t i = place / (size_t)n, j = place % (size_t)n;
    double *l = L + rank * n, *u = U + rank * n;
    const double pivot = A[place];
    for (int k = 0; k < n; k++) {
      l[k] = A[(size_t)(k * n) + j] / pivot;
      u[k] = A[i * (size_t)n + (size_t)k];
    }
    for (int k = 0; k < n; k++)
      for (int m = 0; m < n; m++) A[k * n + m] -= l[k] * u[m];
  }
  for (int k = 0; k < rank; k++)
    for (int m = 0; m < rank; m++) {
      double sum = 0;
      for (int i = 0; i < n; i++) sum += U[k * n + i] * L[m * n + i];
      A[k * rank + m] = sum;
    }
  return rank;
}

static double modulus(double complex z) { return picus_hypot(creal(z), cimag(z)); }

/* CMPLX, which clang does not have with the headers of glibc. */
static double complex complex_of(double real, double imaginary) {
  const double parts[2] = {real, imaginary};
  double complex z;
  memcpy(&z, parts, sizeof z);
  return z;
}

/* The square root with a real part that is not negative. */
static double complex root_of(double complex z) {
  const double large = sqrt(0.5 * (modulus(z) + fabs(creal(z))));
  if (large == 0) return 0;
  const double small = 0.5 * cimag(z) / large;
  return creal(z) >= 0 ? complex_of(large, small) : complex_of(fabs(small), copysign(large, cimag(z)));
}

/* The rotation (c, s) that takes (a, b) to (r, 0). */
static void find_rotation(double complex a, double complex b, double *c, double complex *s) {
  const double length = picus_hypot(modulus(a), modulus(b));
  *c = length > 0 ? modulus(a) / length : 1;
  *s = length > 0 ? (modulus(a) > 0 ? a / modulus(a) : 1) * conj(b) / length : 0;
}

/* To upper Hessenberg form by similarity rotations. */
static void reduce(int n, double complex *H) {
  for (int j = 0; j < n - 2; j++)
    for (int i = n - 1; i > j + 1; i--) {
      double c;
      double complex s;
      find_rotation(H[(i - 1) * n + j], H[i * n + j], &c, &s);
      for (int k = 0; k < n; k++) {
        const double complex a = H[(i - 1) * n + k], b = H[i * n + k];
        H[(i - 1) * n + k] = c * a + s * b;
        H[i * n + k] = c * b - conj(s) * a;
      }
      for (int k = 0; k < n; k++) {
        const double complex a = H[k * n + i - 1], b = H[k * n + i];
        H[k * n + i - 1] = c * a + conj(s) * b;
        H[k * n + i] = c * b - s * a;
      }
    }
}

/* Wilkinson's shift: the eigenvalue of the last 2 x 2 block nearest to its last entry. */
static double complex find_shift(const double complex *H, int n, int m) {
  const double complex a = H[(m - 1) * n + m - 1], b = H[(m - 1) * n + m], c = H[m * n + m - 1], d = H[m * n + m];
  const double complex half = (a - d) / 2, root = root_of(half * half + b * c);
  const double complex far = modulus(half + root) > modulus(half - root) ? half + root : half - root;
  return modulus(far) > 0 ? d - b * c / far : d;
}

/* One step H := R Q + shift with H - shift = Q R, on rows and columns from `low` to m. */
static void turn(double complex *H, int n, int low, int m, double complex shift) {
  double c = 1, c_before = 1;
  double complex s = 0, s_before = 0;
  for (int i = low; i <= m; i++) H[i * n + i] -= shift;
  for (int i = low; i <= m; i++) {
    if (i < m) {
      find_rotation(H[i * n + i], H[(i + 1) * n + i], &c, &s);
      for (int k = i; k <= m; k++) {
        const double complex a = H[i * n + k], b = H[(i + 1) * n + k];
        H[i * n + k] = c * a + s * b;
        H[(i + 1) * n + k] = c * b - conj(s) * a;
      }
    }
    for (int k = low; i > low && k <= i; k++) {
      const double complex a = H[k * n + i - 1], b = H[k * n + i];
      H[k * n + i - 1] = c_before * a + conj(s_before) * b;
      H[k * n + i] = c_before * b - s_before * a;
    }
    c_before = c;
    s_before = s;
  }
  for (int i = low; i <= m; i++) H[i * n + i] += shift;
}

static bool is_small(const double complex *H, int n, int i) {
  return modulus(H[i * n + i - 1]) <= DBL_EPSILON * (modulus(H[i * n + i]) + modulus(H[(i - 1) * n + i - 1]));
}

/* Diagonalizes by shifted steps; eigenvalues are on the diagonal. */
static bool iterate(int n, double complex *H) {
  int m = n - 1;
  for (int step = 0; m > 0; step++) {
    if (is_small(H, n, m)) {
      m--;
      step = -1;
      continue;
    }
    if (step > 300) return false;
    int low = m - 1;
    while (low > 0 && !is_small(H, n, low)) low--;
    const bool is_stuck = step % 11 == 10;
    turn(H, n, low, m, is_stuck ? H[m * n + m] + modulus(H[m * n + m - 1]) : find_shift(H, n, m));
  }
  return true;
}

/* Larger ones first; of a pair that with the positive imaginary part. */
static void sort(int n, picus_multiplier *values) {
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0; k--) {
      const double here = picus_hypot(values[k].re, values[k].im),
                   before = picus_hypot(values[k - 1].re, values[k - 1].im);
      const bool is_pair = fabs(here - before) <= 1e-12 * here;
      if (is_pair ? values[k].im <= values[k - 1].im : here <= before) break;
      const picus_multiplier kept = values[k];
      values[k] = values[k - 1];
      values[k - 1] = kept;
    }
}

/* A is real, so its eigenvalues are real or in pairs. */
static picus_multiplier clean(double complex value, double scale) {
  const bool is_real = fabs(cimag(value)) <= 1e-13 * scale;
  return (picus_multiplier){creal(value), is_real ? 0 : cimag(value)};
}

bool picus_eigenvalues(int n, double *A, picus_multiplier *values, double *work) {
  const size_t square = (size_t)n * (size_t)n;
  double *L = work, *U = work + square;
  double complex *H = (double complex *)(work + 2 * square);
  size_t place = 0;
  const double scale = fmax(1, picus_largest_of(square, A, &place));
  int size = n;
  for (int rank = n; rank > 0; size = rank) {
    rank = compress(size, A, L, U, scale);
    if (rank == size) break;
  }
  for (int i = 0; i < size * size; i++) H[i] = A[i];
  reduce(size, H);
  if (!iterate(size, H)) return false;
  for (int i = 0; i < n; i++) values[i] = i < size ? clean(H[i * size + i], scale) : (picus_multiplier){0, 0};
  sort(n, values);
  return true;
}
