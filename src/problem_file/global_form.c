/* Sparse matrices as lists of entries, and from the global to the local form, or to the factors of G. M falls apart
 * into connected parts (bodies, or bodies coupled by implicit forces); in each part with its unknowns v_p and the
 * columns D_p that act on it,
 *
 *   G += D_p^T M_p^-1 D_p ,     c += D_p^T M_p^-1 f_p ;      factors: D_p^T and (M_p^-1 D_p)^T . */
#include "base/disjoint_sets.h"
#include "base/internal.h"
#include "problem_file/internal.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* --- entries ------------------------------------------------------------------------------------------------------ */

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

void picus_entries_of_laws_release(picus_context *context, picus_entries_of_laws *by_law) {
  picus_release(context, by_law->law_of_row);
  picus_release(context, by_law->first_row);
  picus_release(context, by_law->start);
  picus_release(context, by_law->list);
  *by_law = (picus_entries_of_laws){0};
}

picus_status picus_entries_by_law(picus_context *context, const picus_problem_content *content,
                                  const picus_entries *matrix, picus_entries_of_laws *out) {
  const size_t laws = (size_t)content->law_count;
  out->law_of_row = picus_allocate(context, (size_t)content->size, sizeof *out->law_of_row);
  out->first_row = picus_allocate(context, laws + 1, sizeof *out->first_row);
  out->start = picus_allocate(context, laws + 2, sizeof *out->start);
  out->list = picus_allocate(context, matrix->count, sizeof *out->list);
  if (!out->law_of_row || !out->first_row || !out->start || !out->list) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < content->law_count; i++) {
    out->first_row[i + 1] = out->first_row[i] + content->laws[i].dim;
    for (int row = out->first_row[i]; row < out->first_row[i + 1]; row++) out->law_of_row[row] = i;
  }
  size_t *next = out->start + 1;
  for (size_t k = 0; k < matrix->count; k++) ++next[out->law_of_row[matrix->entries[k].row] + 1];
  for (int i = 1; i <= content->law_count; i++) next[i] += next[i - 1];
  for (size_t k = 0; k < matrix->count; k++) out->list[next[out->law_of_row[matrix->entries[k].row]]++] = k;
  return PICUS_OK;
}

int picus_compare_integers(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* --- elimination of the unknowns ---------------------------------------------------------------------------------- */

enum { LARGEST_PART = 4096, LARGEST_TABLE = 1 << 27 }; /* unknowns of a part of M; numbers in one table of it: 1 GiB */

typedef struct condensation {
  picus_context *context;
  const char *name;
  const picus_entries *M;
  const picus_entries *D; /* by columns */
  const double *f;
  int *part;                /* of each unknown: the smallest unknown of its part */
  int *place;               /* of each unknown within its part */
  int *unknowns;            /* of the part that starts with an unknown: its size */
  size_t *M_start, *M_list; /* entries of M by part */
  size_t *D_start, *D_list; /* entries of D by part, within it by columns */
  picus_problem_content *out;
} condensation;

static void find_parts(condensation *c) {
  int n = c->M->rows;
  for (int k = 0; k < n; k++) c->part[k] = k;
  for (size_t e = 0; e < c->M->count; e++) picus_sets_join(c->part, c->M->entries[e].row, c->M->entries[e].column);
  for (int k = 0; k < n; k++) c->part[k] = picus_set_root(c->part, k);
}

/* Numbers of the entries sorted by the part of their rows. */
static picus_status sort_by_part(const condensation *c, const picus_entries *matrix, size_t **start, size_t **list) {
  size_t n = (size_t)c->M->rows;
  *start = picus_allocate(c->context, n + 2, sizeof **start);
  *list = picus_allocate(c->context, matrix->count, sizeof **list);
  if (!*start || !*list) return PICUS_ERROR_MEMORY;
  size_t *next = *start + 1; /* start of the next part, while filling */
  for (size_t e = 0; e < matrix->count; e++) ++next[(size_t)c->part[matrix->entries[e].row] + 1];
  for (size_t k = 1; k <= n; k++) next[k] += next[k - 1];
  for (size_t e = 0; e < matrix->count; e++) (*list)[next[c->part[matrix->entries[e].row]]++] = e;
  return PICUS_OK;
}

static void swap_rows(size_t width, double *A, size_t i, size_t k) {
  for (size_t j = 0; i != k && j < width; j++) {
    double swap = A[k * width + j];
    A[k * width + j] = A[i * width + j];
    A[i * width + j] = swap;
  }
}

/* X := A^-1 X by elimination with row pivots, X of n x columns; A is destroyed. scale (n) is scratch: a pivot is zero
 * if it is so against its column. false: A is singular. */
static bool eliminate(int n, int columns, double *A, double *X, double *scale) {
  size_t rows = (size_t)n, width = (size_t)columns;
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < rows; j++) scale[j] = fmax(scale[j], fabs(A[i * rows + j]));
  for (size_t k = 0; k < rows; k++) {
    size_t pivot = k;
    for (size_t i = k; i < rows; i++)
      if (fabs(A[i * rows + k]) > fabs(A[pivot * rows + k])) pivot = i;
    if (!(fabs(A[pivot * rows + k]) > n * DBL_EPSILON * scale[k])) return false;
    swap_rows(rows, A, pivot, k);
    swap_rows(width, X, pivot, k);
    for (size_t i = k + 1; i < rows; i++) {
      double factor = A[i * rows + k] / A[k * rows + k];
      if (factor == 0) continue;
      for (size_t j = k + 1; j < rows; j++) A[i * rows + j] -= factor * A[k * rows + j];
      for (size_t j = 0; j < width; j++) X[i * width + j] -= factor * X[k * width + j];
    }
  }
  for (size_t k = rows; k-- > 0;) {
    for (size_t j = 0; j < width; j++) X[k * width + j] /= A[k * rows + k];
    for (size_t i = 0; i < k; i++) {
      double factor = A[i * rows + k];
      if (factor == 0) continue;
      for (size_t j = 0; j < width; j++) X[i * width + j] -= factor * X[k * width + j];
    }
  }
  return true;
}

/* A part, dense: M, the columns of D that act on it, and M^-1 of these and of f (the last column). */
typedef struct dense_part {
  int unknowns, columns;
  bool symmetric;
  int *column; /* columns: their numbers in D */
  double *M, *D, *X, *scale;
} dense_part;

static int count_columns(const condensation *c, size_t part) {
  int columns = 0;
  for (size_t k = c->D_start[part]; k < c->D_start[part + 1]; k++)
    if (k == c->D_start[part] || c->D->entries[c->D_list[k]].column != c->D->entries[c->D_list[k - 1]].column)
      columns++;
  return columns;
}

static picus_status check_part(const condensation *c, const dense_part *p) {
  size_t n = (size_t)p->unknowns, m = (size_t)p->columns;
  if (p->unknowns > LARGEST_PART)
    return picus_fail(c->context, PICUS_ERROR_UNSUPPORTED,
                      "M of '%s' couples %d unknowns, but at most %d are supported; write the local form instead",
                      c->name, p->unknowns, LARGEST_PART);
  if ((m + 1) * n > LARGEST_TABLE || (m * m > LARGEST_TABLE && !c->out->keeps_factors))
    return picus_fail(c->context, PICUS_ERROR_UNSUPPORTED,
                      "in '%s', %zu contact rows act on one body; the local form would be too large", c->name, m);
  return PICUS_OK;
}

static bool allocate_part(const condensation *c, dense_part *p) {
  size_t n = (size_t)p->unknowns, m = (size_t)p->columns;
  p->column = picus_allocate(c->context, m, sizeof *p->column);
  p->M = picus_allocate(c->context, n * n, sizeof *p->M);
  p->D = picus_allocate(c->context, n * m, sizeof *p->D);
  p->X = picus_allocate(c->context, n * (m + 1), sizeof *p->X);
  p->scale = picus_allocate(c->context, n, sizeof *p->scale);
  return p->column && p->M && p->D && p->X && p->scale;
}

static void fill_part(const condensation *c, size_t part, dense_part *p) {
  size_t n = (size_t)p->unknowns, m = (size_t)p->columns;
  for (size_t k = c->M_start[part]; k < c->M_start[part + 1]; k++) {
    const picus_entry *e = &c->M->entries[c->M_list[k]];
    p->M[(size_t)c->place[e->row] * n + (size_t)c->place[e->column]] += e->value;
  }
  p->symmetric = true;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) p->symmetric = p->symmetric && p->M[i * n + j] == p->M[j * n + i];
  size_t at = 0;
  for (size_t k = c->D_start[part]; k < c->D_start[part + 1]; k++) {
    const picus_entry *e = &c->D->entries[c->D_list[k]];
    if (k > c->D_start[part] && e->column != p->column[at]) at++;
    p->column[at] = e->column;
    p->D[(size_t)c->place[e->row] * m + at] += e->value;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++) p->X[i * (m + 1) + j] = p->D[i * m + j];
}

static picus_status add_products(const condensation *c, const dense_part *p) {
  size_t n = (size_t)p->unknowns, m = (size_t)p->columns;
  picus_entries *G = &c->out->G;
  picus_status status = PICUS_OK;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; !status && j < (p->symmetric ? i + 1 : m); j++) {
      double sum = 0;
      for (size_t k = 0; k < n; k++) sum += p->D[k * m + i] * p->X[k * (m + 1) + j];
      status = picus_entries_add(c->context, G, p->column[i], p->column[j], sum);
      if (!status && p->symmetric && j < i) status = picus_entries_add(c->context, G, p->column[j], p->column[i], sum);
    }
  return status;
}

/* All unknowns of the part, even if D is zero: M couples them. */
static picus_status add_factors(const condensation *c, const dense_part *p, const int *members) {
  size_t n = (size_t)p->unknowns, m = (size_t)p->columns;
  picus_status status = PICUS_OK;
  for (size_t i = 0; i < m; i++)
    for (size_t k = 0; !status && k < n; k++) {
      status = picus_entries_add(c->context, &c->out->W, p->column[i], members[k], p->D[k * m + i]);
      if (!status)
        status = picus_entries_add(c->context, &c->out->change, p->column[i], members[k], p->X[k * (m + 1) + i]);
    }
  return status;
}

static picus_status add_part(const condensation *c, const dense_part *p, const int *members) {
  size_t n = (size_t)p->unknowns, m = (size_t)p->columns;
  for (size_t i = 0; i < m; i++)
    for (size_t k = 0; k < n; k++) c->out->c[p->column[i]] += p->D[k * m + i] * p->X[k * (m + 1) + m];
  return c->out->keeps_factors ? add_factors(c, p, members) : add_products(c, p);
}

static picus_status condense_part(const condensation *c, int part, const int *members) {
  int unknowns = c->unknowns[part];
  dense_part p = {.unknowns = unknowns, .columns = count_columns(c, (size_t)part)};
  if (p.columns == 0) return PICUS_OK;
  picus_status status = check_part(c, &p);
  if (!status && !allocate_part(c, &p)) status = PICUS_ERROR_MEMORY;
  if (!status) {
    fill_part(c, (size_t)part, &p);
    /* f is one more column: M^-1 [D f] gives G = D^T M^-1 D and c */
    for (size_t k = 0; k < (size_t)unknowns; k++)
      p.X[k * (size_t)(p.columns + 1) + (size_t)p.columns] = c->f[members[k]];
    if (eliminate(unknowns, p.columns + 1, p.M, p.X, p.scale))
      status = add_part(c, &p, members);
    else
      status = picus_fail(c->context, PICUS_ERROR_SINGULAR,
                          "M of '%s' has no inverse: the block of %d unknowns that starts at row %d is singular",
                          c->name, unknowns, part);
  }
  picus_release(c->context, p.column);
  picus_release(c->context, p.M);
  picus_release(c->context, p.D);
  picus_release(c->context, p.X);
  picus_release(c->context, p.scale);
  return status;
}

/* members: the unknowns by parts, n. */
static picus_status condense(condensation *c, int *members) {
  int n = c->M->rows;
  find_parts(c);
  for (int k = 0; k < n; k++) c->place[k] = c->unknowns[c->part[k]]++;
  picus_status status = sort_by_part(c, c->M, &c->M_start, &c->M_list);
  if (!status) status = sort_by_part(c, c->D, &c->D_start, &c->D_list);
  int *start = status ? NULL : picus_allocate(c->context, (size_t)n, sizeof *start);
  if (!start) return status ? status : PICUS_ERROR_MEMORY;
  for (int k = 0, first = 0; k < n; first += c->unknowns[k], k++) start[k] = first;
  for (int k = 0; k < n; k++) members[start[c->part[k]] + c->place[k]] = k;
  for (int k = 0; !status && k < n; k++)
    if (c->part[k] == k) status = condense_part(c, k, members + start[k]);
  picus_release(c->context, start);
  return status;
}

picus_status picus_problem_condense(picus_context *context, const char *name, const picus_entries *M, picus_entries *D,
                                    const double *f, picus_problem_content *out) {
  size_t *start;
  picus_status status = picus_entries_by_column(context, D, &start);
  if (status) return status;
  picus_release(context, start);
  out->has_factors = out->keeps_factors;
  out->unknowns = M->rows;
  condensation c = {.context = context, .name = name, .M = M, .D = D, .f = f, .out = out};
  c.part = picus_allocate(context, (size_t)M->rows, sizeof *c.part);
  c.place = picus_allocate(context, (size_t)M->rows, sizeof *c.place);
  c.unknowns = picus_allocate(context, (size_t)M->rows, sizeof *c.unknowns);
  int *members = picus_allocate(context, (size_t)M->rows, sizeof *members);
  status = c.part && c.place && c.unknowns && members ? condense(&c, members) : PICUS_ERROR_MEMORY;
  picus_release(context, members);
  picus_release(context, c.unknowns);
  picus_release(context, c.part);
  picus_release(context, c.place);
  picus_release(context, c.M_start);
  picus_release(context, c.M_list);
  picus_release(context, c.D_start);
  picus_release(context, c.D_list);
  return status;
}

/* --- factors of laws ---------------------------------------------------------------------------------------------- */

/* The factors of G from the entries that a file's global form gives. */

typedef struct factor_builder {
  const picus_problem_content *content;
  picus_entries_of_laws by_law; /* of W */
  int *seen,
      *place;   /* of each unknown: 1 + the last law that uses it, and its position among the columns of that law */
  int *columns; /* of one law: at most unknowns */
} factor_builder;

/* The unknowns of law i in order, and the place of each. */
static int find_columns(factor_builder *b, int i) {
  int count = 0;
  for (size_t k = b->by_law.start[i]; k < b->by_law.start[i + 1]; k++) {
    int unknown = b->content->W.entries[b->by_law.list[k]].column;
    if (b->seen[unknown] == i + 1) continue;
    b->seen[unknown] = i + 1;
    b->columns[count++] = unknown;
  }
  qsort(b->columns, (size_t)count, sizeof *b->columns, picus_compare_integers);
  for (int n = 0; n < count; n++) b->place[b->columns[n]] = n;
  return count;
}

static void fill_law(const factor_builder *b, int i, int count, picus_factor_storage *out) {
  for (int n = 0; n < count; n++) out->column[out->start[i] + n] = b->columns[n];
  for (size_t k = b->by_law.start[i]; k < b->by_law.start[i + 1]; k++) {
    const picus_entry *W = &b->content->W.entries[b->by_law.list[k]],
                      *change = &b->content->change.entries[b->by_law.list[k]];
    size_t at =
        out->offset[i] + (size_t)(W->row - b->by_law.first_row[i]) * (size_t)count + (size_t)b->place[W->column];
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
  b.seen = picus_allocate(context, unknowns, sizeof *b.seen);
  b.place = picus_allocate(context, unknowns, sizeof *b.place);
  b.columns = picus_allocate(context, unknowns, sizeof *b.columns);
  out->start = picus_allocate(context, laws + 1, sizeof *out->start);
  out->offset = picus_allocate(context, laws, sizeof *out->offset);
  out->scratch = picus_allocate(context, unknowns, sizeof *out->scratch);
  picus_status status = picus_entries_by_law(context, content, &content->W, &b.by_law);
  if (!b.seen || !b.place || !b.columns || !out->start || !out->offset || !out->scratch) status = PICUS_ERROR_MEMORY;
  if (!status) status = build(&b, out);
  picus_entries_of_laws_release(context, &b.by_law);
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
