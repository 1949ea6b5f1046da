/* Matrices of expressions, most entries of which are the number 0 and are not kept. */
#ifndef PICUS_SYSTEM_EXPR_MATRIX_H
#define PICUS_SYSTEM_EXPR_MATRIX_H

#include <picus/expr.h>

typedef struct expr_entry {
  int row, column;
  picus_expr value;
} expr_entry;

typedef struct expr_matrix {
  int rows;
  size_t count, capacity;
  expr_entry *entries; /* once sorted: by increasing row, then column */
  size_t *row_start;   /* rows + 1, once sorted */
} expr_matrix;

picus_status picus_expr_matrix_create(picus_context *context, int rows, expr_matrix *out);
void picus_expr_matrix_release(picus_context *context, expr_matrix *matrix);
/* Adds to an entry; zeros are left out. */
picus_status picus_expr_matrix_add(picus_context *context, const picus_pool *pool, expr_matrix *matrix,
                                   expr_entry entry);
/* Sorts the entries; those at the same position are summed in the order in which they were added. */
picus_status picus_expr_matrix_sort(picus_context *context, picus_pool *pool, expr_matrix *matrix);
/* The entry at a place of a sorted matrix; NULL: it is 0. */
const expr_entry *picus_expr_matrix_at(const expr_matrix *matrix, int row, int column);
bool picus_expr_matrix_is_constant(const picus_pool *pool, const expr_matrix *matrix);

#endif
