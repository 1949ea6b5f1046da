/* Lemke's complementary pivoting with the lexicographic ratio test (Murty 1988, chapter 2).
 *
 * The artificial z0 makes y = A x + b + z0 >= 0 feasible. From there complementary variables enter one after the other,
 * until z0 leaves (a solution) or nothing limits the entering variable (a ray). Ties of the ratio test are broken as if
 * b_j were b_j + epsilon^j with a vanishing epsilon, so that no basis comes back. */
#include "simultaneous/pivoting.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { MOST_REFINEMENTS = 3, PIVOTS_BETWEEN_REFINEMENTS = 16 };

static double *row_of(const picus_pivoting *p, int i) { return p->table + (ptrdiff_t)i * (p->size + 2); }

static double constant(const picus_pivoting *p, int i) { return row_of(p, i)[p->size + 1]; }

double picus_pivoting_value(const picus_pivoting *p, int variable) {
  int place = p->place[variable];
  return place < 0 ? 0 : constant(p, place);
}

double picus_pivoting_ray(const picus_pivoting *p, int variable) {
  int place = p->place[variable];
  if (place < 0) return -1 - place == p->ray_column ? 1 : 0;
  return row_of(p, place)[p->ray_column];
}

void picus_pivoting_start(picus_pivoting *p) {
  int n = p->size;
  for (int i = 0; i < n; i++) {
    double *row = row_of(p, i);
    for (int j = 0; j < n; j++) row[j] = p->A[(ptrdiff_t)i * n + j];
    row[n] = 1;
    row[n + 1] = p->b[i];
    p->basic[i] = n + i;
    p->nonbasic[i] = i;
    p->place[i] = -1 - i;
    p->place[n + i] = i;
  }
  p->nonbasic[n] = 2 * n;
  p->place[2 * n] = -1 - n;
}

/* How much the basic variable of a row moves when b_j moves: an entry of the inverse of the basis. */
static double inverse_entry(const picus_pivoting *p, int row, int j) {
  int place = p->place[p->size + j];
  if (place < 0) return -row_of(p, row)[-1 - place]; /* y_j is nonbasic */
  return place == row ? 1 : 0;
}

/* The residual of y = A x + b + z0 with the current constants; returns the largest entry. */
static double find_defect(picus_pivoting *p) {
  int n = p->size;
  double largest = 0, z0 = picus_pivoting_value(p, 2 * n);
  for (int i = 0; i < n; i++) {
    const double *A = p->A + (ptrdiff_t)i * n;
    double sum = p->b[i] + z0 - picus_pivoting_value(p, n + i);
    for (int j = 0; j < n; j++)
      if (A[j] != 0) sum += A[j] * picus_pivoting_value(p, j);
    p->defect[i] = sum;
    largest = fmax(largest, fabs(sum));
  }
  return largest;
}

/* Pivots leave round-off in the constants, and with it wrong choices in the ratio test. Refinement removes it: the
 * residual with the original data, through the inverse of the basis, while that helps. */
static void refine(picus_pivoting *p) {
  int n = p->size;
  double before = INFINITY, now = find_defect(p);
  for (int step = 0; step < MOST_REFINEMENTS && now > DBL_EPSILON && now < before / 2; step++) {
    for (int i = 0; i < n; i++) {
      double change = 0;
      for (int j = 0; j < n; j++) change += inverse_entry(p, i, j) * p->defect[j];
      row_of(p, i)[n + 1] += change;
    }
    before = now;
    now = find_defect(p);
  }
}

/* Exchanges the basic variable of a row with the nonbasic variable of a column. */
static void pivot(picus_pivoting *p, int row, int column) {
  int n = p->size, width = n + 2;
  double *pivot_row = row_of(p, row), inverse = 1 / pivot_row[column];
  for (int j = 0; j < width; j++) pivot_row[j] *= -inverse;
  pivot_row[column] = inverse;
  for (int i = 0; i < n; i++) {
    double *other = row_of(p, i), factor = other[column];
    if (i == row || factor == 0) continue;
    other[column] = 0;
    for (int j = 0; j < width; j++) other[j] += factor * pivot_row[j];
  }
  int leaving = p->basic[row], entering = p->nonbasic[column];
  p->basic[row] = entering;
  p->nonbasic[column] = leaving;
  p->place[entering] = row;
  p->place[leaving] = -1 - column;
}

/* Negative: row i limits the entering variable earlier than row k, for equal constants: by the perturbation. */
static double lexicographic_difference(const picus_pivoting *p, int column, int i, int k) {
  double scale_i = -row_of(p, i)[column], scale_k = -row_of(p, k)[column];
  for (int j = 0; j < p->size; j++) {
    double a = inverse_entry(p, i, j) / scale_i, b = inverse_entry(p, k, j) / scale_k;
    if (fabs(a - b) > 1e-11 * fmax(fabs(a), fabs(b))) return a - b;
  }
  return 0;
}

/* The row whose variable reaches zero first when the variable of the column grows; -1: none, a ray. z0 leaves as soon
 * as it may. */
static int leaving_row(const picus_pivoting *p, int column) {
  int n = p->size, best = -1;
  double largest = 0, best_ratio = INFINITY;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(row_of(p, i)[column]));
  double smallest_pivot = 64 * DBL_EPSILON * n * fmax(largest, 1);
  for (int i = 0; i < n; i++) {
    double coefficient = row_of(p, i)[column];
    if (!(coefficient < -smallest_pivot)) continue;
    double ratio = fmax(constant(p, i), 0) / -coefficient;
    double tie = 1e-13 * fmax(fabs(ratio), fmax(1, best_ratio < INFINITY ? best_ratio : 0));
    bool earlier = best < 0 || ratio < best_ratio - tie;
    if (!earlier && ratio <= best_ratio + tie)
      earlier = p->basic[i] == 2 * n || (p->basic[best] != 2 * n && lexicographic_difference(p, column, i, best) < 0);
    if (!earlier) continue;
    best = i;
    best_ratio = ratio;
  }
  return best;
}

/* The row that z0 replaces first: the most negative constant, and the last one among equals (smallest epsilon^j). */
static int first_row(const picus_pivoting *p) {
  int worst = -1;
  double value = 0;
  for (int i = 0; i < p->size; i++)
    if (constant(p, i) < value || (worst >= 0 && constant(p, i) == value)) {
      worst = i;
      value = constant(p, i);
    }
  return worst;
}

picus_status picus_pivoting_run(picus_pivoting *p, int max_pivots, int *pivots) {
  int n = p->size, row = first_row(p), column = n;
  if (row < 0) return PICUS_OK; /* b >= 0: x = 0 */
  for (int count = 0; count < max_pivots; count++) {
    int leaving = p->basic[row];
    pivot(p, row, column);
    ++*pivots;
    if (leaving == 2 * n || count % PIVOTS_BETWEEN_REFINEMENTS == PIVOTS_BETWEEN_REFINEMENTS - 1) refine(p);
    if (leaving == 2 * n) return PICUS_OK;
    int entering = leaving < n ? leaving + n : leaving - n; /* the complement */
    column = -1 - p->place[entering];
    row = leaving_row(p, column);
    if (row < 0) {
      p->ray_column = column;
      return PICUS_NO_SOLUTION;
    }
  }
  return PICUS_NOT_CONVERGED;
}
