/* The rank of small dense matrices. Elimination with full pivoting finds it, and a singular system gets its
 * minimum-norm solution, so that redundant supports share their load. Gram-Schmidt finds an orthonormal basis of rows.
 */
#include "linalg/internal.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { LANES = 4 };

typedef struct elimination {
  int n;
  double *A, *b; /* b follows the row exchanges */
  double *most;  /* of each row that is left, its largest entry in the columns that are left; 0: no number */
  int *column;   /* column[k]: the unknown in column k after the exchanges */
} elimination;

static void swap(double *a, double *b) {
  double t = *a;
  *a = *b;
  *b = t;
}

static double *entry(const elimination *e, int i, int j) { return e->A + (ptrdiff_t)i * e->n + j; }

/* The largest entry of a row from column k on; of long rows by four chains of comparisons that do not wait for one
 * another. */
static inline double most_of_row(const double *row, int k, int n) {
  double most = 0;
  if (n - k >= 2 * LANES) {
    double of_lane[LANES] = {0};
    for (; k + LANES <= n; k += LANES)
      for (int l = 0; l < LANES; l++) of_lane[l] = picus_larger(of_lane[l], fabs(row[k + l]));
    most = picus_larger(picus_larger(of_lane[0], of_lane[1]), picus_larger(of_lane[2], of_lane[3]));
  }
  for (; k < n; k++) most = picus_larger(most, fabs(row[k]));
  return most;
}

/* Where the largest entry of the block that is left stands; the first one if there are several. */
static inline void find_pivot(const elimination *e, int k, int *row, int *column) {
  const double most = most_of_row(e->most, k, e->n);
  *row = *column = k;
  while (*row < e->n - 1 && e->most[*row] != most) ++*row;
  const double *a = entry(e, *row, 0);
  while (*column < e->n - 1 && fabs(a[*column]) != most) ++*column;
}

/* Largest entry of the block that is left, moved to its corner. Returns its absolute value. */
static double bring_pivot(elimination *e, int k) {
  int row, column, n = e->n;
  find_pivot(e, k, &row, &column);
  if (row != k) {
    for (int j = k; j < n; j++) swap(entry(e, row, j), entry(e, k, j));
    swap(&e->b[row], &e->b[k]);
    swap(&e->most[row], &e->most[k]);
  }
  if (column != k) {
    for (int i = 0; i < n; i++) swap(entry(e, i, column), entry(e, i, k));
    int t = e->column[column];
    e->column[column] = e->column[k];
    e->column[k] = t;
  }
  return e->most[k];
}

/* Rows that feel nothing of the pivot keep their largest entry: of a chain of contacts these are most of the rows. */
static void eliminate_below(elimination *e, int k) {
  int n = e->n;
  const double *pivot_row = entry(e, k, 0);
  double inverse = 1 / pivot_row[k];
  for (int i = k + 1; i < n; i++) {
    double *row = entry(e, i, 0);
    if (row[k] == 0) continue;
    double factor = row[k] * inverse;
    if (factor != 0) { /* it may be too small for a number */
      picus_add_multiple(n - k - 1, row + k + 1, -factor, pivot_row + k + 1, row + k + 1);
      e->b[i] -= factor * e->b[k];
    }
    e->most[i] = most_of_row(row, k + 1, n);
  }
}

/* Upper triangle of order rank: x := U^-1 x, for `lanes` rows of n numbers from x on. Sums of one row wait for each
 * other, those of several rows do not. */
static inline void substitute_lanes(const elimination *e, int rank, int lanes, double *x) {
  const ptrdiff_t n = e->n;
  for (int i = rank - 1; i >= 0; i--) {
    const double *row = entry(e, i, 0);
    double sum[LANES];
    for (int l = 0; l < lanes; l++) sum[l] = x[l * n + i];
    for (int j = i + 1; j < rank; j++) {
      if (row[j] == 0) continue; /* most are, if contacts form a chain */
      for (int l = 0; l < lanes; l++) sum[l] -= row[j] * x[l * n + j];
    }
    for (int l = 0; l < lanes; l++) x[l * n + i] = sum[l] / row[i];
  }
}

/* The same for any number of rows; a number of lanes that is known to the compiler takes no loop. */
static void back_substitute(const elimination *e, int rank, int count, double *x) {
  for (; count >= LANES; count -= LANES, x += LANES * (ptrdiff_t)e->n) substitute_lanes(e, rank, LANES, x);
  if (count == 3) substitute_lanes(e, rank, 3, x);
  if (count == 2) substitute_lanes(e, rank, 2, x);
  if (count == 1) substitute_lanes(e, rank, 1, x);
}

/* Takes the part along the unit vector z, whose numbers end before `end`, out of `lanes` rows of n numbers from x on.
 */
static inline void remove_from_lanes(int n, int end, const double *z, int lanes, double *x) {
  double along[LANES] = {0};
  for (int j = 0; j < end; j++)
    for (int l = 0; l < lanes; l++) along[l] += x[l * (ptrdiff_t)n + j] * z[j];
  for (int l = 0; l < lanes; l++) picus_add_multiple(end, x + l * (ptrdiff_t)n, -along[l], z, x + l * (ptrdiff_t)n);
}

/* Takes the part along null vector k out of `count` rows from x on. Behind its own place a null vector is zero. */
static void remove_direction(const elimination *e, int k, int count, double *x) {
  const int n = e->n;
  const double *z = entry(e, k, 0);
  for (; count >= LANES; count -= LANES, x += LANES * (ptrdiff_t)n) remove_from_lanes(n, k + 1, z, LANES, x);
  if (count == 3) remove_from_lanes(n, k + 1, z, 3, x);
  if (count == 2) remove_from_lanes(n, k + 1, z, 2, x);
  if (count == 1) remove_from_lanes(n, k + 1, z, 1, x);
}

static void divide(int n, double by, double *x) {
  for (; n >= LANES; n -= LANES, x += LANES)
    for (int l = 0; l < LANES; l++) x[l] /= by;
  for (int j = 0; j < n; j++) x[j] /= by;
}

/* Takes the part along the null space out of x. The null vectors z = (-U11^-1 U12 e_j, e_j) are built and made
 * orthonormal (Gram-Schmidt) in the rows of A below the rank, which hold nothing any more. Twice is enough: the second
 * time, when the vectors before are final, removes the round-off of the first. */
static void remove_null_space(elimination *e, int rank, double *x) {
  int n = e->n;
  for (int k = rank; k < n; k++) {
    double *z = entry(e, k, 0);
    for (int j = 0; j < n; j++) z[j] = 0;
    for (int i = 0; i < rank; i++) z[i] = -*entry(e, i, k);
    z[k] = 1;
  }
  back_substitute(e, rank, n - rank, entry(e, rank, 0));
  for (int k = rank; k < n; k++) {
    double *z = entry(e, k, 0);
    for (int l = rank; l < k; l++) remove_direction(e, l, 1, z);
    divide(k + 1, sqrt(picus_dot(k + 1, z, z)), z);
    remove_direction(e, k, 1, x);
    remove_direction(e, k, n - k - 1, z + n);
  }
}

int picus_solve_dense(int n, double *A, double *b, double *scratch, int *order) {
  elimination e = {n, A, b, scratch, order};
  double largest = 0;
  int rank = 0;
  for (int k = 0; k < n; k++) {
    e.column[k] = k;
    e.most[k] = most_of_row(entry(&e, k, 0), 0, n);
  }
  for (; rank < n; rank++) {
    double pivot = bring_pivot(&e, rank);
    if (rank == 0) largest = pivot;
    if (!(pivot > 64 * DBL_EPSILON * n * largest)) break; /* also when nothing is left of NaN */
    eliminate_below(&e, rank);
  }
  for (int k = rank; k < n; k++) b[k] = 0;
  back_substitute(&e, rank, 1, b);
  if (rank < n) remove_null_space(&e, rank, b);
  double *sorted = A; /* its first row is free now; unknown column[k] has the value b[k] */
  for (int k = 0; k < n; k++) sorted[e.column[k]] = b[k];
  for (int k = 0; k < n; k++) b[k] = sorted[k];
  return rank;
}

/* --- orthonormal rows -------------------------------------------------------------------------------------------- */

int picus_orthonormal_rows(int rows, int columns, double least, double *Q) {
  const ptrdiff_t m = columns;
  double first = 0;
  int rank = 0;
  for (; rank < rows && rank < columns; rank++) {
    double *q = Q + rank * m, length = 0;
    int longest = rank;
    for (int r = rank; r < rows; r++) {
      const double candidate = sqrt(picus_dot(columns, Q + r * m, Q + r * m));
      if (candidate > length) {
        length = candidate;
        longest = r;
      }
    }
    if (rank == 0) first = length;
    if (!(length > least * first)) break;
    for (int r = longest; r > rank; r--) /* the others keep their order: of equal ones the first counts */
      for (int j = 0; j < columns; j++) swap(&Q[r * m + j], &Q[(r - 1) * m + j]);
    /* it has lost digits: cleaned once more, then removed from the other rows */
    for (int k = 0; k < rank; k++) picus_add_multiple(columns, q, -picus_dot(columns, q, Q + k * m), Q + k * m, q);
    divide(columns, sqrt(picus_dot(columns, q, q)), q);
    for (int r = rank + 1; r < rows; r++)
      picus_add_multiple(columns, Q + r * m, -picus_dot(columns, q, Q + r * m), q, Q + r * m);
  }
  return rank;
}

void picus_remove_dual_rows(const picus_dual_rows *pairs, double *w, double *x, double *along, size_t stride) {
  const int n = pairs->n;
  const double *W = pairs->W, *X = pairs->X;
  for (int j = 0; j < pairs->count; j++, W += n, X += n) {
    const double product = picus_dot(n, W, x);
    if (along) along[(size_t)j * stride] += product;
    picus_add_multiple(n, w, -product, W, w);
    picus_add_multiple(n, x, -product, X, x);
  }
}
