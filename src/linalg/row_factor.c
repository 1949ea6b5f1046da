/* R^T R = sum of v v^T over sparse rows v, by rotations (George and Heath 1980; Heath 1982). Unlike a Cholesky factor
 * of the sum it squares no numbers, so that a column that almost depends on earlier ones shows its true distance to
 * them.
 *
 * A row of R with diagonal k has the columns of all rows that begin with k, and what is left of rows of R that continue
 * with k. So a row that is rotated into R moves along `next`, and never needs a place that R does not have. */
#include "linalg/row_factor.h"
#include "base/elementary.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* --- places ------------------------------------------------------------------------------------------------------ */

/* Lists of rows, or of diagonals, by their first column. */
typedef struct row_lists {
  int *first, *next; /* -1: none */
} row_lists;

typedef struct row_analysis {
  picus_row_factor *factor;
  const picus_row_patterns *rows;
  row_lists patterns, children;
  int *mark; /* the last diagonal whose row got the column */
  size_t count, capacity;
} row_analysis;

static void list_patterns(row_analysis *a) {
  const picus_row_patterns *rows = a->rows;
  for (int k = 0; k < a->factor->order; k++) a->patterns.first[k] = a->children.first[k] = a->mark[k] = -1;
  for (int r = rows->count - 1; r >= 0; r--) {
    if (rows->start[r] == rows->start[r + 1]) continue;
    const int k = rows->column[rows->start[r]];
    a->patterns.next[r] = a->patterns.first[k];
    a->patterns.first[k] = r;
  }
}

static picus_status add_column(row_analysis *a, int k, int column) {
  if (a->mark[column] == k) return PICUS_OK;
  a->mark[column] = k;
  picus_status status =
      picus_grow(a->factor->context, &a->factor->column, a->count, &a->capacity, sizeof *a->factor->column);
  if (!status) a->factor->column[a->count++] = column;
  return status;
}

static picus_status find_row(row_analysis *a, int k) {
  picus_row_factor *f = a->factor;
  f->start[k] = a->count;
  picus_status status = add_column(a, k, k);
  for (int r = a->patterns.first[k]; !status && r >= 0; r = a->patterns.next[r])
    for (size_t i = a->rows->start[r]; !status && i < a->rows->start[r + 1]; i++)
      status = add_column(a, k, a->rows->column[i]);
  for (int c = a->children.first[k]; !status && c >= 0; c = a->children.next[c])
    for (size_t i = f->start[c] + 1; !status && i < f->start[c + 1]; i++) status = add_column(a, k, f->column[i]);
  if (status) return status;
  qsort(f->column + f->start[k], a->count - f->start[k], sizeof *f->column, compare);
  f->start[k + 1] = a->count;
  f->next[k] = a->count > f->start[k] + 1 ? f->column[f->start[k] + 1] : -1;
  if (f->next[k] < 0) return PICUS_OK;
  a->children.next[k] = a->children.first[f->next[k]];
  a->children.first[f->next[k]] = k;
  return PICUS_OK;
}

static picus_status analyse(picus_row_factor *f, const picus_row_patterns *rows) {
  const size_t n = (size_t)f->order;
  row_analysis a = {
      .factor = f,
      .rows = rows,
      .patterns = {picus_allocate(f->context, n, sizeof(int)),
                   picus_allocate(f->context, (size_t)rows->count, sizeof(int))},
      .children = {picus_allocate(f->context, n, sizeof(int)), picus_allocate(f->context, n, sizeof(int))},
      .mark = picus_allocate(f->context, n, sizeof(int))};
  const bool all = a.patterns.first && a.patterns.next && a.children.first && a.children.next && a.mark;
  picus_status status = all ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) list_patterns(&a);
  for (int k = 0; !status && k < f->order; k++) status = find_row(&a, k);
  int *const arrays[] = {a.patterns.first, a.patterns.next, a.children.first, a.children.next, a.mark};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) picus_release(f->context, arrays[i]);
  return status;
}

picus_status picus_row_factor_create(picus_context *context, int order, const picus_row_patterns *rows,
                                     picus_row_factor *f) {
  const size_t n = (size_t)order;
  *f = (picus_row_factor){.context = context,
                          .order = order,
                          .start = picus_allocate(context, n + 1, sizeof *f->start),
                          .next = picus_allocate(context, n, sizeof *f->next),
                          .last = picus_allocate(context, n, sizeof *f->last),
                          .work = picus_allocate(context, n, sizeof *f->work)};
  picus_status status = f->start && f->next && f->last && f->work ? analyse(f, rows) : PICUS_ERROR_MEMORY;
  if (!status && !(f->value = picus_allocate(context, f->start[n], sizeof *f->value))) status = PICUS_ERROR_MEMORY;
  if (status)
    picus_row_factor_release(f);
  else
    picus_row_factor_clear(f);
  return status;
}

void picus_row_factor_release(picus_row_factor *f) {
  if (!f->context) return;
  picus_release(f->context, f->start);
  picus_release(f->context, f->column);
  picus_release(f->context, f->value);
  picus_release(f->context, f->next);
  picus_release(f->context, f->last);
  picus_release(f->context, f->work);
  *f = (picus_row_factor){0};
}

/* --- numbers ----------------------------------------------------------------------------------------------------- */

void picus_row_factor_clear(picus_row_factor *f) {
  for (int k = 0; k < f->order; k++) f->last[k] = -1;
  for (size_t i = 0; i < f->start[f->order]; i++) f->value[i] = 0;
}

/* The row in work becomes row k of R, which had none. */
static void settle(picus_row_factor *f, int k, int last) {
  for (size_t i = f->start[k]; i < f->start[k + 1] && f->column[i] <= last; i++) {
    f->value[i] = f->work[f->column[i]];
    f->work[f->column[i]] = 0;
  }
  f->last[k] = last;
}

/* Removes column k from the row in work by a rotation with row k of R. */
static void rotate(picus_row_factor *f, int k, int last) {
  double *R = f->value + f->start[k];
  const double length = picus_hypot(*R, f->work[k]), c = *R / length, s = f->work[k] / length;
  *R = length;
  f->work[k] = 0;
  for (size_t i = f->start[k] + 1; i < f->start[k + 1] && f->column[i] <= last; i++) {
    double *r = &f->value[i], *v = &f->work[f->column[i]];
    const double in_R = c * *r + s * *v;
    *v = c * *v - s * *r;
    *r = in_R;
  }
}

/* The row in work, with columns first ... last, into R; work is zero again afterwards. */
static void absorb(picus_row_factor *f, int first, int last) {
  for (int k = first; k >= 0 && k <= last; k = f->next[k]) {
    if (f->work[k] == 0) continue;
    if (f->last[k] < 0) {
      settle(f, k, last);
      return;
    }
    if (f->last[k] > last) last = f->last[k];
    rotate(f, k, last);
    f->last[k] = last;
  }
}

void picus_row_factor_add(picus_row_factor *f, int count, const int *columns, const double *values) {
  if (count == 0) return;
  for (int i = 0; i < count; i++) f->work[columns[i]] = values[i];
  absorb(f, columns[0], columns[count - 1]);
}

int picus_row_factor_drop(picus_row_factor *f, double tolerance, bool *dropped) {
  int rank = 0;
  for (int k = 0; k < f->order; k++) {
    const int last = f->last[k];
    dropped[k] = last < 0 || !(fabs(f->value[f->start[k]]) > tolerance);
    rank += !dropped[k];
    if (!dropped[k] || last < 0) continue;
    for (size_t i = f->start[k]; i < f->start[k + 1]; i++) {
      f->work[f->column[i]] = f->value[i];
      f->value[i] = 0;
    }
    f->work[k] = 0;
    f->last[k] = -1;
    if (f->next[k] >= 0) absorb(f, f->next[k], last);
  }
  return rank;
}

bool picus_row_factor_solve(const picus_row_factor *f, double *x) {
  for (int k = 0; k < f->order; k++) {
    const size_t at = f->start[k];
    if (!(fabs(f->value[at]) > 0) || !isfinite(f->value[at])) return false;
    x[k] /= f->value[at];
    for (size_t i = at + 1; i < f->start[k + 1]; i++) x[f->column[i]] -= f->value[i] * x[k];
  }
  for (int k = f->order - 1; k >= 0; k--) {
    const size_t at = f->start[k];
    for (size_t i = at + 1; i < f->start[k + 1]; i++) x[k] -= f->value[i] * x[f->column[i]];
    x[k] /= f->value[at];
  }
  return true;
}
