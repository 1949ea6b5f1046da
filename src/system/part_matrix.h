/* Square matrices over the velocities of a system: block diagonal, one block for each part. A block is dense, or has
 * the sparsity pattern that its part declares; users of a block need not distinguish the two. */
#ifndef PICUS_SYSTEM_PART_MATRIX_H
#define PICUS_SYSTEM_PART_MATRIX_H

#include "base/archive.h"
#include "linalg/internal.h"

#include <picus/system.h>

/* The sparsity pattern of the nu x nu matrices of a part: the entries of row i are in the columns column[row_start[i]]
 * ... column[row_start[i + 1] - 1], increasing, including the diagonal, and with (i, j) also (j, i). The values of such
 * a matrix are a list of row_start[nu] numbers in this order. */
typedef struct part_pattern {
  const int *row_start; /* nu + 1 */
  const int *column;
  bool tridiagonal; /* it is known that row i has the columns i - 1, i, i + 1, as far as they exist */
} part_pattern;
part_pattern picus_part_pattern(int n, const int *row_start, const int *column);
/* y := A x with the values of such a matrix; y is not x. */
void picus_pattern_multiply(int n, const part_pattern *pattern, const double *values, const double *restrict x,
                            double *restrict y);

typedef enum part_factor {
  FACTOR_NONE,
  FACTOR_INVERSE,  /* dense and small: the inverse itself, a product beats two triangular solves */
  FACTOR_BLOCKS,   /* dense, decoupled in small blocks along the diagonal, as rigid bodies: the inverse of each */
  FACTOR_CHOLESKY, /* dense, symmetric positive definite */
  FACTOR_LU,       /* dense */
  FACTOR_BANDED,   /* sparse, symmetric positive definite, of a narrow band */
  FACTOR_SPARSE    /* sparse */
} part_factor;

enum { PICUS_INVERSE_LARGEST = 8 }; /* dense matrices up to this size are inverted if that pays */

/* What the blocks of spheres and disks need comes first. */
typedef struct part_matrix {
  int order;
  part_factor factored; /* kind of the factor below */
  bool is_diagonal;     /* the inverse, if it is factored so, which then has this diagonal */
  double diagonal[PICUS_INVERSE_LARGEST];
  const part_pattern *pattern; /* NULL: dense, row-major */
  size_t count;                /* values: order x order, or entries of the pattern */
  double *values;
  int band;                 /* of the pattern; -1: too wide to be worth a band factor */
  double *factor, *inverse; /* dense: order x order; band: order x (band + 1) */
  double *known;            /* dense and small: the values of the factor, if it is one of picus_part_matrix_factor; */
  bool is_known, often;     /* it is; for many solves */
  int *pivots;              /* dense */
  int block_count;
  int *block_size;            /* dense, too large for an inverse: order, of which block_count are used */
  picus_sparse_system sparse; /* pattern only */
} part_matrix;

picus_status picus_part_matrix_create(picus_context *context, int order, const part_pattern *pattern, part_matrix *out);
void picus_part_matrix_release(picus_context *context, part_matrix *matrix); /* a zeroed one is fine */

/* Factors the values of a symmetric positive definite matrix. Returns -1, or the row whose pivot is not positive: the
 * matrix is not positive definite there. often: it will be solved with so often that a small inverse pays. */
int picus_part_matrix_factor_positive(part_matrix *matrix, bool often);
/* Factors the values of any matrix, unless a small one has the values of the last time. false: singular. */
bool picus_part_matrix_factor(part_matrix *matrix, bool often);

void picus_part_matrix_solve_factored(const part_matrix *matrix, double *x);
/* x := A^-1 x with the factor. */
static inline void picus_part_matrix_solve(const part_matrix *matrix, double *x) {
  if (matrix->factored != FACTOR_INVERSE || !matrix->is_diagonal) {
    picus_part_matrix_solve_factored(matrix, x);
    return;
  }
  for (int i = 0; i < matrix->order; i++) x[i] *= matrix->diagonal[i]; /* the same bits without the zeros */
}
/* y := A x with the values. */
void picus_part_matrix_multiply(const part_matrix *matrix, const double *x, double *y);
/* The diagonal entry of a row. */
double picus_part_matrix_diagonal(const part_matrix *matrix, int row);
/* The position of a block in a dense matrix: its first entry, and the number of columns of the matrix. */
typedef struct dense_place {
  double *first;
  size_t width;
} dense_place;
static inline dense_place picus_dense_place(double *matrix, int width, int row, int column) {
  return (dense_place){matrix + (size_t)row * (size_t)width + column, (size_t)width};
}
/* Writes values into a dense matrix; entries outside the pattern stay. */
void picus_part_matrix_place(const double *values, int order, const part_pattern *pattern, dense_place to);

/* A block diagonal matrix over all velocities. M has a block for each part; iteration matrices, which contain the
 * derivatives of forces, have one for each group of parts that forces couple. Often these are the same. */
typedef struct system_matrix {
  const picus_system *system;
  bool by_group; /* and a group has several parts, or couplings */
  int block_count;
  part_matrix *blocks; /* one for each part, or for each group */
} system_matrix;
typedef enum matrix_blocks { MATRIX_BY_PARTS, MATRIX_BY_GROUPS } matrix_blocks;
picus_status picus_system_matrix_create(picus_context *context, const picus_system *system, matrix_blocks kind,
                                        system_matrix *out);
/* A group is filled in four steps: clear; for each of its parts set rows, add to them, and place them; then couplings.
 * Rows of a part: M - factor dh/du, dh/du over all coupled parts. They are laid out as dh/du, which may be where they
 * are: it is lost. */
void picus_system_matrix_clear(const system_matrix *matrix, int group);
double *picus_system_matrix_set_rows(const system_matrix *matrix, int part, const system_matrix *M, double factor,
                                     double *dh_du);
void picus_system_matrix_place_rows(const system_matrix *matrix, int part, const double *rows);
/* -factor dh/du of the couplings of a group. */
void picus_system_matrix_add_couplings(const system_matrix *matrix, int group, double factor, const double *dh_du);
void picus_system_matrix_release(picus_context *context, system_matrix *matrix); /* a zeroed one is fine */
/* What the factors of the next values depend on besides these: a matrix that is read must be factored anew. */
void picus_system_matrix_archive(const system_matrix *matrix, picus_archive *archive);
void picus_system_matrix_solve(const system_matrix *matrix, double *x); /* x := A^-1 x */
void picus_system_matrix_multiply(const system_matrix *matrix, const double *x, double *y);

#endif
