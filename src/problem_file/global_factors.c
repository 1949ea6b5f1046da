/* The factors of G from the entries that a file's global form gives. */
#include "base/internal.h"
#include "problem_file/internal.h"

#include <limits.h>
#include <stdlib.h>

typedef struct factor_builder {
  const picus_problem_content *content;
  int *law_of_row, *first_row; /* size, law_count + 1 */
  size_t *start, *list;        /* numbers of the entries by law: law_count + 2, count */
  int *seen,
      *place;   /* of each unknown: 1 + the last law that uses it, and its position among the columns of that law */
  int *columns; /* of one law: at most unknowns */
} factor_builder;

static int compare_integers(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static void sort_entries(factor_builder *b) {
  const picus_problem_content *content = b->content;
  for (int i = 0; i < content->law_count; i++) {
    b->first_row[i + 1] = b->first_row[i] + content->laws[i].dim;
    for (int row = b->first_row[i]; row < b->first_row[i + 1]; row++) b->law_of_row[row] = i;
  }
  size_t *next = b->start + 1;
  for (size_t k = 0; k < content->W.count; k++) ++next[b->law_of_row[content->W.entries[k].row] + 1];
  for (int i = 1; i <= content->law_count; i++) next[i] += next[i - 1];
  for (size_t k = 0; k < content->W.count; k++) b->list[next[b->law_of_row[content->W.entries[k].row]]++] = k;
}

/* The unknowns of law i in order, and the place of each. */
static int find_columns(factor_builder *b, int i) {
  int count = 0;
  for (size_t k = b->start[i]; k < b->start[i + 1]; k++) {
    int unknown = b->content->W.entries[b->list[k]].column;
    if (b->seen[unknown] == i + 1) continue;
    b->seen[unknown] = i + 1;
    b->columns[count++] = unknown;
  }
  qsort(b->columns, (size_t)count, sizeof *b->columns, compare_integers);
  for (int n = 0; n < count; n++) b->place[b->columns[n]] = n;
  return count;
}

static void fill_law(const factor_builder *b, int i, int count, picus_factor_storage *out) {
  for (int n = 0; n < count; n++) out->column[out->start[i] + n] = b->columns[n];
  for (size_t k = b->start[i]; k < b->start[i + 1]; k++) {
    const picus_entry *W = &b->content->W.entries[b->list[k]], *change = &b->content->change.entries[b->list[k]];
    size_t at = out->offset[i] + (size_t)(W->row - b->first_row[i]) * (size_t)count + (size_t)b->place[W->column];
    out->W[at] += W->value;
    out->change[at] += change->value;
  }
}

static picus_status allocate_numbers(picus_factor_storage *out, size_t columns, size_t numbers) {
  if (columns > INT_MAX)
    return picus_fail(out->context, PICUS_ERROR_UNSUPPORTED,
                      "the factors of G have %zu columns, but at most %d are supported", columns, INT_MAX);
  out->column = picus_allocate(out->context, columns, sizeof *out->column);
  out->W = picus_allocate(out->context, numbers, sizeof *out->W);
  out->change = picus_allocate(out->context, numbers, sizeof *out->change);
  return out->column && out->W && out->change ? PICUS_OK : PICUS_ERROR_MEMORY;
}

/* Counts first, then stores. */
static picus_status build(factor_builder *b, picus_factor_storage *out) {
  const picus_problem_content *content = b->content;
  size_t columns = 0, numbers = 0;
  sort_entries(b);
  for (int i = 0; i < content->law_count; i++) {
    int count = find_columns(b, i);
    out->offset[i] = numbers;
    numbers += (size_t)content->laws[i].dim * (size_t)count;
    columns += (size_t)count;
    if (columns <= INT_MAX) out->start[i + 1] = (int)columns;
  }
  for (int k = 0; k < content->unknowns; k++) b->seen[k] = 0;
  picus_status status = allocate_numbers(out, columns, numbers);
  for (int i = 0; !status && i < content->law_count; i++) fill_law(b, i, find_columns(b, i), out);
  return status;
}

void picus_factor_storage_destroy(picus_factor_storage *storage) {
  picus_context *context = storage->context;
  if (!context) return;
  picus_release(context, storage->start);
  picus_release(context, storage->column);
  picus_release(context, storage->offset);
  picus_release(context, storage->W);
  picus_release(context, storage->change);
  picus_release(context, storage->scratch);
  *storage = (picus_factor_storage){0};
}

picus_status picus_factor_storage_from_content(picus_context *context, const picus_problem_content *content,
                                               picus_factor_storage *out) {
  size_t laws = (size_t)content->law_count, unknowns = (size_t)content->unknowns;
  factor_builder b = {.content = content};
  *out = (picus_factor_storage){.context = context};
  b.law_of_row = picus_allocate(context, (size_t)content->size, sizeof *b.law_of_row);
  b.first_row = picus_allocate(context, laws + 1, sizeof *b.first_row);
  b.start = picus_allocate(context, laws + 2, sizeof *b.start);
  b.list = picus_allocate(context, content->W.count, sizeof *b.list);
  b.seen = picus_allocate(context, unknowns, sizeof *b.seen);
  b.place = picus_allocate(context, unknowns, sizeof *b.place);
  b.columns = picus_allocate(context, unknowns, sizeof *b.columns);
  out->start = picus_allocate(context, laws + 1, sizeof *out->start);
  out->offset = picus_allocate(context, laws, sizeof *out->offset);
  out->scratch = picus_allocate(context, unknowns, sizeof *out->scratch);
  picus_status status = PICUS_ERROR_MEMORY;
  if (b.law_of_row && b.first_row && b.start && b.list && b.seen && b.place && b.columns && out->start && out->offset &&
      out->scratch)
    status = build(&b, out);
  picus_release(context, b.law_of_row);
  picus_release(context, b.first_row);
  picus_release(context, b.start);
  picus_release(context, b.list);
  picus_release(context, b.seen);
  picus_release(context, b.place);
  picus_release(context, b.columns);
  if (status) picus_factor_storage_destroy(out);
  out->matrix = (picus_factored_matrix){.unknowns = content->unknowns,
                                        .start = out->start,
                                        .column = out->column,
                                        .offset = out->offset,
                                        .W = out->W,
                                        .change = out->change,
                                        .scratch = out->scratch};
  return status;
}
