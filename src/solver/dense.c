/* Small dense linear systems: full pivoting finds the rank, and a singular system gets its minimum-norm solution, so
 * that redundant supports share their load. */
#include "solver/internal.h"

#include <float.h>
#include <stddef.h>

typedef struct elimination {
  int n;
  double *A, *b; /* b follows the row exchanges */
  int *column;   /* column[k]: the unknown in column k after the exchanges */
} elimination;

static void swap(double *a, double *b) {
  double t = *a;
  *a = *b;
  *b = t;
}

static double *entry(const elimination *e, int i, int j) { return e->A + (ptrdiff_t)i * e->n + j; }

/* Largest entry of the block that is left, moved to its corner. Returns its absolute value. */
static double bring_pivot(elimination *e, int k) {
  int row = k, column = k, n = e->n;
  double largest = -1;
  for (int i = k; i < n; i++) {
    const double *a = entry(e, i, 0);
    for (int j = k; j < n; j++)
      if (fabs(a[j]) > largest) {
        largest = fabs(a[j]);
        row = i;
        column = j;
      }
  }
  if (row != k) {
    for (int j = 0; j < n; j++) swap(entry(e, row, j), entry(e, k, j));
    swap(&e->b[row], &e->b[k]);
  }
  if (column != k) {
    for (int i = 0; i < n; i++) swap(entry(e, i, column), entry(e, i, k));
    int t = e->column[column];
    e->column[column] = e->column[k];
    e->column[k] = t;
  }
  return largest;
}

static void eliminate_below(elimination *e, int k) {
  int n = e->n;
  const double *pivot_row = entry(e, k, 0);
  double inverse = 1 / pivot_row[k];
  for (int i = k + 1; i < n; i++) {
    double *row = entry(e, i, 0);
    double factor = row[k] * inverse;
    if (factor == 0) continue;
    for (int j = k + 1; j < n; j++) row[j] -= factor * pivot_row[j];
    e->b[i] -= factor * e->b[k];
  }
}

/* Upper triangle of order rank: x := U^-1 x. */
static void back_substitute(const elimination *e, int rank, double *x) {
  for (int i = rank - 1; i >= 0; i--) {
    const double *row = entry(e, i, 0);
    double sum = x[i];
    for (int j = i + 1; j < rank; j++) sum -= row[j] * x[j];
    x[i] = sum / row[i];
  }
}

/* Takes the part along the null space out of x. The null vectors z = (-U11^-1 U12 e_j, e_j) are built and made
 * orthonormal one after the other (Gram-Schmidt) in the rows of A below the rank, which hold nothing any more. */
static void remove_null_space(elimination *e, int rank, double *x) {
  int n = e->n;
  for (int k = rank; k < n; k++) {
    double *z = entry(e, k, 0);
    for (int j = 0; j < n; j++) z[j] = 0;
    for (int i = 0; i < rank; i++) z[i] = -*entry(e, i, k);
    z[k] = 1;
    back_substitute(e, rank, z);
    for (int pass = 0; pass < 2; pass++) /* twice is enough: the second removes the round-off of the first */
      for (int l = rank; l < k; l++) {
        const double *other = entry(e, l, 0);
        double dot = 0;
        for (int j = 0; j < n; j++) dot += z[j] * other[j];
        for (int j = 0; j < n; j++) z[j] -= dot * other[j];
      }
    double square = 0, along = 0;
    for (int j = 0; j < n; j++) square += z[j] * z[j];
    double length = sqrt(square);
    for (int j = 0; j < n; j++) z[j] /= length;
    for (int j = 0; j < n; j++) along += z[j] * x[j];
    for (int j = 0; j < n; j++) x[j] -= along * z[j];
  }
}

int picus_solve_dense(int n, double *A, double *b, int *order) {
  elimination e = {n, A, b, order};
  double largest = 0;
  int rank = 0;
  for (int k = 0; k < n; k++) e.column[k] = k;
  for (; rank < n; rank++) {
    double pivot = bring_pivot(&e, rank);
    if (rank == 0) largest = pivot;
    if (!(pivot > 64 * DBL_EPSILON * n * largest)) break; /* also when nothing is left of NaN */
    eliminate_below(&e, rank);
  }
  for (int k = rank; k < n; k++) b[k] = 0;
  back_substitute(&e, rank, b);
  if (rank < n) remove_null_space(&e, rank, b);
  double *sorted = A; /* its first row is free now; unknown column[k] has the value b[k] */
  for (int k = 0; k < n; k++) sorted[e.column[k]] = b[k];
  for (int k = 0; k < n; k++) b[k] = sorted[k];
  return rank;
}
