/* Lists of entries, sorted once they are complete. */
#include "derive/expr_matrix.h"

#include "base/internal.h"

#include <stdlib.h>

picus_status picus_expr_matrix_create(picus_context *context, int rows, expr_matrix *out) {
  *out = (expr_matrix){.rows = rows, .row_start = picus_allocate(context, (size_t)rows + 1, sizeof *out->row_start)};
  return out->row_start ? PICUS_OK : PICUS_ERROR_MEMORY;
}

void picus_expr_matrix_release(picus_context *context, expr_matrix *matrix) {
  picus_release(context, matrix->entries);
  picus_release(context, matrix->row_start);
  *matrix = (expr_matrix){0};
}

static bool is_zero(const picus_pool *pool, picus_expr expr) {
  double value;
  return picus_expr_is_number(pool, expr, &value) && value == 0;
}

picus_status picus_expr_matrix_add(picus_context *context, const picus_pool *pool, expr_matrix *m, expr_entry entry) {
  if (is_zero(pool, entry.value)) return PICUS_OK;
  picus_status status = picus_grow(context, &m->entries, m->count, &m->capacity, sizeof *m->entries);
  if (status) return status;
  m->entries[m->count++] = entry;
  return PICUS_OK;
}

static bool is_before(const expr_entry *a, const expr_entry *b) {
  return a->row < b->row || (a->row == b->row && a->column < b->column);
}

/* Merge sort: entries at the same position keep their order, and almost sorted lists take little time. */
static void merge(expr_entry *entries, size_t half, size_t count, expr_entry *scratch) {
  size_t i = 0, j = half;
  if (!is_before(&entries[half], &entries[half - 1])) return;
  for (size_t k = 0; k < count; k++) {
    const bool second = i == half || (j < count && is_before(&entries[j], &entries[i]));
    scratch[k] = entries[second ? j++ : i++];
  }
  for (size_t k = 0; k < count; k++) entries[k] = scratch[k];
}

static void sort(expr_entry *entries, size_t count, expr_entry *scratch) {
  for (size_t half = 1; half < count; half *= 2)
    for (size_t at = 0; at + half < count; at += 2 * half)
      merge(entries + at, half, count - at < 2 * half ? count - at : 2 * half, scratch);
}

/* One entry for each place; sums that cancel are left out. */
static void combine(picus_pool *pool, expr_matrix *m) {
  size_t kept = 0;
  for (size_t k = 0; k < m->count;) {
    expr_entry sum = m->entries[k++];
    for (; k < m->count && !is_before(&sum, &m->entries[k]); k++)
      sum.value = picus_add(pool, sum.value, m->entries[k].value);
    if (!is_zero(pool, sum.value)) m->entries[kept++] = sum;
  }
  m->count = kept;
}

picus_status picus_expr_matrix_sort(picus_context *context, picus_pool *pool, expr_matrix *m) {
  expr_entry *scratch = picus_allocate(context, m->count, sizeof *scratch);
  if (!scratch) return PICUS_ERROR_MEMORY;
  sort(m->entries, m->count, scratch);
  picus_release(context, scratch);
  combine(pool, m);
  size_t k = 0;
  for (int row = 0; row < m->rows; row++) {
    m->row_start[row] = k;
    while (k < m->count && m->entries[k].row == row) k++;
  }
  m->row_start[m->rows] = k;
  return picus_pool_status(pool);
}

const expr_entry *picus_expr_matrix_at(const expr_matrix *m, int row, int column) {
  size_t low = m->row_start[row], high = m->row_start[row + 1];
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (m->entries[middle].column == column) return &m->entries[middle];
    if (m->entries[middle].column < column)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

bool picus_expr_matrix_is_constant(const picus_pool *pool, const expr_matrix *m) {
  for (size_t k = 0; k < m->count; k++)
    if (!picus_expr_is_number(pool, m->entries[k].value, NULL)) return false;
  return true;
}
