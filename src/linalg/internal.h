/* Linear systems: symmetric positive definite ones (dense and banded), dense ones without symmetry, and sparse ones.
 * Matrices are row-major. */
#ifndef PICUS_LINALG_INTERNAL_H
#define PICUS_LINALG_INTERNAL_H

#include "base/archive.h"
#include "base/internal.h"

#include <picus/base.h>
#include <string.h>

/* L L^T = A: reads the lower triangle of A. L (n x n; may be A itself) becomes the input of picus_cholesky_solve: the
 * factor in one of its triangles, and arbitrary values in the other. Returns -1, or the index of the first pivot that
 * is not positive beyond round-off: A is not positive definite there. */
int picus_cholesky_factor(int n, const double *A, double *L);
/* x := A^-1 x with the factor; its two halves, x := L^-1 x and x := L^-T x. */
void picus_cholesky_solve(int n, const double *L, double *x);
void picus_cholesky_forward(int n, const double *L, double *x);
void picus_cholesky_backward(int n, const double *L, double *x);
/* A^-1 in full from the factor (n x n), for small matrices that are used very often. */
void picus_cholesky_inverse(int n, const double *L, double *inverse);

/* The same for a symmetric band matrix: L holds the lower band by rows, n x (band + 1), the diagonal last; it becomes
 * the factor. Returns -1 or the index of the first pivot that is not positive beyond round-off. */
int picus_banded_factor(int n, int band, double *L);
void picus_banded_solve(int n, int band, const double *L, double *x);

/* Dense systems without symmetry. A (n x n) becomes its LU factors with row exchanges, noted in pivots (n ints). false:
 * a pivot is zero or not finite. */
bool picus_lu_factor(int n, double *A, int *pivots);
/* x := A^-1 x with the factors. */
void picus_lu_solve(int n, const double *LU, const int *pivots, double *x);
/* The sign of the determinant, 1 or -1. */
int picus_lu_sign(int n, const double *LU, const int *pivots);

/* Dense linear system A x = b of order n > 0 (row-major, overwritten; b becomes x), scaled so that the entries of A are
 * of order 1, by elimination with full pivoting. Returns the rank. If it is less than n, x is the solution of smallest
 * norm, provided that there is one: rows without a pivot are ignored. scratch: n doubles; order: n ints. */
int picus_solve_dense(int n, double *A, double *b, double *scratch, int *order);

/* Gram-Schmidt, the longest row first, until the rest is less than `least` of the first: rows of Q (rows x columns)
 * become an orthonormal basis of all of them, as many as the returned rank. */
int picus_orthonormal_rows(int rows, int columns, double least, double *Q);
/* Gram-Schmidt in the metric of a matrix M: removes from a pair w, x = M^-1 w its parts along pairs that are
 * orthonormal, W_i . X_j = 1 if i = j, else 0. along: NULL, or numbers with a stride that are increased by these parts.
 * Once; round-off needs a second time. */
typedef struct picus_dual_rows {
  int n, count; /* numbers of each, one after the other */
  const double *W, *X;
} picus_dual_rows;
void picus_remove_dual_rows(const picus_dual_rows *pairs, double *w, double *x, double *along, size_t stride);

/* A sparse system by rows: the columns of row i, in increasing order, are column[row_start[i]] ... column[row_start[i +
 * 1] - 1], with values at the same positions. Initialize with zeros. The factorization library allocates its memory,
 * because the size of the factors is known only while they are computed. */
typedef struct picus_sparse_system {
  int order;      /* rows and columns */
  int *row_start; /* order + 1 */
  int *column;
  double *values;
  /* private to sparse_lu.c */
  size_t row_capacity, entry_capacity, analysed_capacity;
  int *analysed; /* the pattern that symbolic belongs to: order, row_start, column */
  void *symbolic, *numeric;
  double *pivoted; /* the values for which the pivots of numeric were chosen */
  size_t pivoted_capacity;
} picus_sparse_system;
/* Allocates for a matrix; previous contents of the arrays are lost. false: out of memory. */
bool picus_sparse_reserve(picus_sparse_system *system, int order, size_t entries);
/* Factors the matrix in the arrays. The elimination order is recomputed only when the pattern has changed, and the
 * pivots only when the previous ones have become poor. false: singular, too much work (more than most_operations,
 * estimated), or out of memory. */
bool picus_sparse_factor(picus_sparse_system *system, double most_operations);
/* Operations of a factorization of a matrix with this pattern, estimated; -1: out of memory. */
double picus_sparse_operations(int order, const int *row_start, const int *column);
/* The next factors have new pivots, chosen for their matrix alone. The elimination order stays: it follows from the
 * pattern. */
void picus_sparse_forget_pivots(picus_sparse_system *system);
/* The pattern and the values that the pivots were chosen for. A reader has the same pivots afterwards, so that its next
 * factors have the same bits; it must factor before it solves. fixed: the pattern is that of the arrays, not any. */
void picus_sparse_archive(picus_sparse_system *system, bool fixed, picus_archive *archive);
/* x := A^-1 x with the factors. */
void picus_sparse_solve(const picus_sparse_system *system, double *x);
int picus_sparse_sign(const picus_sparse_system *system); /* of the determinant, 1 or -1 */
void picus_sparse_release(picus_sparse_system *system);   /* a structure of zeros again */

/* An order of elimination with little fill-in for a symmetric pattern, by rows with increasing columns: node[k] is the
 * k-th to be eliminated. false: out of memory. */
bool picus_sparse_order(int order, const int *row_start, const int *column, int *node);

/* A sparse matrix of dense blocks with a symmetric pattern. Node i has the unknowns first[i] ... first[i + 1] - 1, at
 * most PICUS_BLOCK_MOST, and the neighbours column[row_start[i]] ... in increasing order, itself among them. */
enum { PICUS_BLOCK_MOST = 32 };
typedef struct picus_block_pattern {
  int count;
  const int *first, *row_start, *column;
} picus_block_pattern;
typedef struct picus_block_lu {
  picus_context *context;         /* all else starts as zeros; memory grows and is kept */
  int count, order, widest, sign; /* nodes, unknowns */
  /* private to block_lu.c; places are those in the order of elimination */
  int node_capacity;
  int *place, *node;          /* of each node; of each place */
  int *size, *first, *width;  /* of each place: unknowns, the first of them, numbers in a row of its panels */
  int *start, *list, *offset; /* members of the panels, places beyond its own, and where they are in a row */
  size_t list_capacity;
  size_t *panel; /* of each place: first number of its block, after which come the panels */
  double *values;
  size_t value_capacity;
  int *pivots, *work;
  int *analysed; /* the pattern: first, row_start, column */
  size_t analysed_count, analysed_capacity;
} picus_block_lu;
/* The order of elimination and memory for the factors, which stay for the same pattern. false: out of memory. */
bool picus_block_lu_analyse(picus_block_lu *f, const picus_block_pattern *pattern);
void picus_block_lu_clear(picus_block_lu *f);
/* Adds a block, whose rows are `stride` numbers apart. */
void picus_block_lu_add(picus_block_lu *f, int row_node, int column_node, const double *block, int stride);
/* Where a number of a block is, for callers that set many of the same pattern: row and column within the nodes. */
typedef struct picus_block_place {
  int node, within;
} picus_block_place;
double *picus_block_lu_number(picus_block_lu *f, picus_block_place row, picus_block_place column);
bool picus_block_lu_factor(picus_block_lu *f); /* false: singular; f->sign: of the determinant */
/* The size of the pivot in a column of a node, after factor. */
double picus_block_lu_pivot(const picus_block_lu *f, int node, int column);
void picus_block_lu_solve(const picus_block_lu *f, double *x);
double picus_block_lu_operations(const picus_block_lu *f); /* of the factorization, about */
void picus_block_lu_release(picus_block_lu *f);

/* Eigenvalues of the symmetric A (n x n, destroyed), increasing; row i of V becomes the unit eigenvector of values[i].
 * For small matrices. */
void picus_symmetric_eigen(int n, double *A, double *values, double *V);

/* Vectors of a step have a few numbers, most often three, the velocities of a planar body. Vectors of flexible
 * components have thousands. So there is straight code for two and three numbers, a plain loop for few, and a loop over
 * four numbers at a time for many. out may be x or y. */
enum { PICUS_SHORT_VECTOR = 16 };
static inline void picus_copy(int n, const double *x, double *out) {
  if (n == 3) {
    const double x0 = x[0], x1 = x[1], x2 = x[2];
    out[0] = x0;
    out[1] = x1;
    out[2] = x2;
    return;
  }
  if (n == 2) {
    const double x0 = x[0], x1 = x[1];
    out[0] = x0;
    out[1] = x1;
    return;
  }
  if (n == 1) {
    out[0] = x[0];
    return;
  }
  if (n > PICUS_SHORT_VECTOR) {
    memcpy(out, x, (size_t)n * sizeof *out);
    return;
  }
  for (int i = 0; i < n; i++) out[i] = x[i];
}
/* Whether finite numbers are the same; most of the time they are. */
static inline bool picus_equal(int n, const double *x, const double *y) {
  if (n > PICUS_SHORT_VECTOR && memcmp((const void *)x, (const void *)y, (size_t)n * sizeof *x) == 0) return true;
  for (int i = 0; i < n; i++)
    if (x[i] != y[i]) return false;
  return true;
}
static inline void picus_clear(int n, double *out) {
  if (n > PICUS_SHORT_VECTOR) {
    memset(out, 0, (size_t)n * sizeof *out);
    return;
  }
  for (int i = 0; i < n; i++) out[i] = 0;
}
/* out := x + b y */
static inline void picus_add_multiple(int n, const double *x, double b, const double *y, double *out) {
  if (n == 3) {
    const double s0 = x[0] + b * y[0], s1 = x[1] + b * y[1], s2 = x[2] + b * y[2];
    out[0] = s0;
    out[1] = s1;
    out[2] = s2;
    return;
  }
  if (n == 2) {
    const double s0 = x[0] + b * y[0], s1 = x[1] + b * y[1];
    out[0] = s0;
    out[1] = s1;
    return;
  }
  if (n == 1) {
    out[0] = x[0] + b * y[0];
    return;
  }
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    double s0 = x[i] + b * y[i], s1 = x[i + 1] + b * y[i + 1], s2 = x[i + 2] + b * y[i + 2];
    double s3 = x[i + 3] + b * y[i + 3];
    out[i] = s0;
    out[i + 1] = s1;
    out[i + 2] = s2;
    out[i + 3] = s3;
  }
  for (; i < n; i++) out[i] = x[i] + b * y[i];
}
/* out := x + b D y with the diagonal d of D */
static inline void picus_add_products(int n, const double *x, double b, const double *d, const double *y, double *out) {
  if (n == 3) {
    const double s0 = x[0] + b * (y[0] * d[0]), s1 = x[1] + b * (y[1] * d[1]), s2 = x[2] + b * (y[2] * d[2]);
    out[0] = s0;
    out[1] = s1;
    out[2] = s2;
    return;
  }
  if (n == 2) {
    const double s0 = x[0] + b * (y[0] * d[0]), s1 = x[1] + b * (y[1] * d[1]);
    out[0] = s0;
    out[1] = s1;
    return;
  }
  for (int i = 0; i < n; i++) out[i] = x[i] + b * (y[i] * d[i]);
}
/* out := x - y */
static inline void picus_subtract(int n, const double *x, const double *y, double *out) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    double s0 = x[i] - y[i], s1 = x[i + 1] - y[i + 1], s2 = x[i + 2] - y[i + 2], s3 = x[i + 3] - y[i + 3];
    out[i] = s0;
    out[i + 1] = s1;
    out[i + 2] = s2;
    out[i + 3] = s3;
  }
  for (; i < n; i++) out[i] = x[i] - y[i];
}
/* out := a x + b y */
static inline void picus_combine(int n, double a, const double *x, double b, const double *y, double *out) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    double s0 = a * x[i] + b * y[i], s1 = a * x[i + 1] + b * y[i + 1], s2 = a * x[i + 2] + b * y[i + 2];
    double s3 = a * x[i + 3] + b * y[i + 3];
    out[i] = s0;
    out[i + 1] = s1;
    out[i + 2] = s2;
    out[i + 3] = s3;
  }
  for (; i < n; i++) out[i] = a * x[i] + b * y[i];
}

static inline double picus_dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* a -= f0 u0, for numbers first ... n - 1 of the rows. */
static inline void picus_subtract_row(int first, int n, double f0, const double *restrict u0, double *restrict a) {
  for (int j = first; j < n; j++) a[j] -= f0 * u0[j];
}

/* Four rows of a matrix, one below the other. */
typedef struct picus_four_rows {
  const double *first;
  ptrdiff_t stride; /* from one to the next */
} picus_four_rows;

/* a -= f u and b -= g u, for `count` numbers of the four rows u: eight factors stay in registers, and every number of u
 * is loaded once for sixteen operations. */
static inline void picus_subtract_four(int count, picus_four_rows u, const double f[4], const double g[4],
                                       double *restrict a, double *restrict b) {
  const double *u0 = u.first, *u1 = u0 + u.stride, *u2 = u1 + u.stride, *u3 = u2 + u.stride;
  double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3], g0 = g[0], g1 = g[1], g2 = g[2], g3 = g[3];
  for (int j = 0; j < count; j++) {
    a[j] -= (f0 * u0[j] + f1 * u1[j]) + (f2 * u2[j] + f3 * u3[j]);
    b[j] -= (g0 * u0[j] + g1 * u1[j]) + (g2 * u2[j] + g3 * u3[j]);
  }
}

/* y := A x, A rows x columns. */
static inline void picus_matrix_vector(int rows, int columns, const double *A, const double *x, double *y) {
  for (int i = 0; i < rows; i++) y[i] = picus_dot(columns, A + (size_t)i * (size_t)columns, x);
}

#endif
