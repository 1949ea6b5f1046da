/* Sparse matrices as lists of entries. */
#include "base/internal.h"
#include "problem_file/internal.h"

picus_status picus_entries_add(picus_context *context, picus_entries *matrix, int row, int column, double value) {
  picus_status status =
      picus_grow(context, &matrix->entries, matrix->count, &matrix->capacity, sizeof *matrix->entries);
  if (status) return status;
  matrix->entries[matrix->count++] = (picus_entry){row, column, value};
  return PICUS_OK;
}

picus_status picus_entries_append(picus_context *context, picus_entries *matrix, const picus_entries *other, int rows,
                                  int columns, bool transposed) {
  picus_status status = PICUS_OK;
  for (size_t k = 0; !status && k < other->count; k++) {
    const picus_entry *e = &other->entries[k];
    int row = transposed ? e->column : e->row, column = transposed ? e->row : e->column;
    status = picus_entries_add(context, matrix, rows + row, columns + column, e->value);
  }
  return status;
}

void picus_entries_release(picus_context *context, picus_entries *matrix) {
  picus_release(context, matrix->entries);
  *matrix = (picus_entries){0};
}

/* Counting sort, which keeps the order within a column. */
picus_status picus_entries_by_column(picus_context *context, picus_entries *matrix, size_t **start) {
  size_t columns = (size_t)matrix->columns;
  size_t *place = picus_allocate(context, columns + 1, sizeof *place);
  picus_entry *sorted = picus_allocate(context, matrix->count, sizeof *sorted);
  *start = picus_allocate(context, columns + 1, sizeof **start);
  picus_status status = place && sorted && *start ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    for (size_t k = 0; k < matrix->count; k++) ++(*start)[(size_t)matrix->entries[k].column + 1];
    for (size_t j = 0; j < columns; j++) {
      (*start)[j + 1] += (*start)[j];
      place[j] = (*start)[j];
    }
    for (size_t k = 0; k < matrix->count; k++) sorted[place[matrix->entries[k].column]++] = matrix->entries[k];
    picus_release(context, matrix->entries);
    matrix->entries = sorted;
    matrix->capacity = matrix->count;
    sorted = NULL;
  } else {
    picus_release(context, *start);
    *start = NULL;
  }
  picus_release(context, sorted);
  picus_release(context, place);
  return status;
}
