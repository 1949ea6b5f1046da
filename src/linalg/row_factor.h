/* Sparse triangular factor R of rows v: R^T R = sum of v v^T. For ranks, and for least squares. */
#ifndef PICUS_LINALG_ROW_FACTOR_H
#define PICUS_LINALG_ROW_FACTOR_H

#include "base/internal.h"

/* Patterns of the rows: columns column[start[r]] ... column[start[r + 1] - 1], increasing. */
typedef struct picus_row_patterns {
  int count;
  const size_t *start; /* count + 1 */
  const int *column;
} picus_row_patterns;

typedef struct picus_row_factor {
  picus_context *context;
  int order;
  size_t *start; /* order + 1: rows of R, each with increasing columns from its diagonal on */
  int *column;
  double *value;
  int *next;    /* order: the second column of a row; -1: none */
  int *last;    /* order: the last column of a row that may be nonzero now; -1: the row is empty */
  double *work; /* order: zeros between calls */
} picus_row_factor;

/* Places for rows that have one of the patterns, or a part of one. On failure nothing is left. */
picus_status picus_row_factor_create(picus_context *context, int order, const picus_row_patterns *rows,
                                     picus_row_factor *out);
void picus_row_factor_release(picus_row_factor *factor); /* a zeroed one is fine */
void picus_row_factor_clear(picus_row_factor *factor);   /* no rows */
/* Adds a row: columns are increasing, values may be 0. */
void picus_row_factor_add(picus_row_factor *factor, int count, const int *columns, const double *values);
/* Drops each column whose distance to the columns before it that are not dropped is not larger than the tolerance;
 * returns the number of the others. */
int picus_row_factor_drop(picus_row_factor *factor, double tolerance, bool *dropped);
/* x := (R^T R)^-1 x. false: R is singular. */
bool picus_row_factor_solve(const picus_row_factor *factor, double *x);

#endif
