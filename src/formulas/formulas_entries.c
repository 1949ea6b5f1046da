/* The positions of the entries of expression matrices in the matrices of numbers. */
#include "base/internal.h"
#include "formulas/formulas.h"

picus_status picus_formula_entries_create(picus_context *context, const expr_matrix *matrix, formula_entries *out) {
  *out = (formula_entries){.count = (int)matrix->count,
                           .row = picus_allocate(context, matrix->count, sizeof(int)),
                           .column = picus_allocate(context, matrix->count, sizeof(int)),
                           .at = picus_allocate(context, matrix->count, sizeof(size_t))};
  if (!out->row || !out->column || !out->at) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < matrix->count; k++) {
    out->row[k] = matrix->entries[k].row;
    out->column[k] = matrix->entries[k].column;
  }
  return PICUS_OK;
}

void picus_formula_entries_release(picus_context *context, formula_entries *entries) {
  picus_release(context, entries->row);
  picus_release(context, entries->column);
  picus_release(context, entries->at);
  picus_release(context, entries->part_start);
  *entries = (formula_entries){0};
}

/* Whether a part has the column, and its place among the columns of the part. */
static bool has_column(const system_part *part, bool q_columns, int column, int *place) {
  const int first = q_columns ? part->q0 : part->u0, count = q_columns ? part->nq : part->nu;
  if (column < first || column >= first + count) return false;
  *place += column - first;
  return true;
}

/* The place of a column in dh/dq or dh/du of a part, among those of all coupled parts. */
static size_t coupled_column(const formulas_source *formulas, const system_part *part, bool q_columns, int column) {
  int place = 0;
  for (int k = 0; k < part->coupled_count; k++) {
    const system_part *other = &formulas->parts[part->coupled[k]];
    if (has_column(other, q_columns, column, &place)) return (size_t)place;
    place += q_columns ? other->nq : other->nu;
  }
  return (size_t)place;
}

picus_status picus_formula_entries_place(picus_context *context, const formulas_source *formulas, entry_matrix matrix,
                                         formula_entries *entries) {
  entries->part_start = picus_allocate(context, (size_t)formulas->part_count + 1, sizeof *entries->part_start);
  if (!entries->part_start) return PICUS_ERROR_MEMORY;
  int k = 0;
  for (int p = 0; p < formulas->part_count; p++) {
    const system_part *part = &formulas->parts[p];
    const int row0 = matrix.q_rows ? part->q0 : part->u0, rows = matrix.q_rows ? part->nq : part->nu;
    const int column0 = matrix.q_columns ? part->q0 : part->u0;
    const int own = matrix.q_columns ? part->nq : part->nu, all = matrix.q_columns ? part->q_width : part->u_width;
    entries->part_start[p] = k;
    for (; k < entries->count && entries->row[k] < row0 + rows; k++) {
      const size_t row = (size_t)(entries->row[k] - row0);
      if (matrix.coupled)
        entries->at[k] = row * (size_t)all + coupled_column(formulas, part, matrix.q_columns, entries->column[k]);
      else
        entries->at[k] = row * (size_t)own + (size_t)(entries->column[k] - column0);
    }
  }
  entries->part_start[formulas->part_count] = k;
  return PICUS_OK;
}
