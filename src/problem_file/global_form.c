/* From the global to the local form, or to the factors of G. M falls apart into connected parts (bodies, or bodies
 * coupled by implicit forces); in each part with its unknowns v_p and the columns D_p that act on it,
 *
 *   G += D_p^T M_p^-1 D_p ,     c += D_p^T M_p^-1 f_p ;      factors: D_p^T and (M_p^-1 D_p)^T . */
#include "base/disjoint_sets.h"
#include "base/internal.h"
#include "problem_file/internal.h"

#include <float.h>
#include <math.h>

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
