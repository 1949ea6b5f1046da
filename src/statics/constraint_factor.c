/* A sparse factor of the constraints of a large system. Constraints meet in the parts they act on. In each part their
 * rows are written in an orthonormal basis of the metric of M, which has few vectors; these are the rows of a sparse
 * matrix A with A^T A = W^T M^-1 W. */
#include "statics/constraint_factor.h"

#include "linalg/internal.h"

/* A row of a part that is shorter than this beyond the rows before it adds nothing that the rank would notice. */
static const double negligible = 1e-10;

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
static const system_law *law_at(const constraint_factor *f, const int *laws, int k) {
  return &f->system->fixed.laws[laws[k]];
}

/* The entries of each part, by counting. */
static picus_status list_entries(picus_context *context, const int *laws, constraint_factor *f) {
  const picus_system *s = f->system;
  f->part_start = picus_allocate(context, (size_t)s->part_count + 2, sizeof *f->part_start);
  if (!f->part_start) return PICUS_ERROR_MEMORY;
  size_t *next = f->part_start + 1; /* moves to the start of the next part while the entries of a part are listed */
  for (int k = 0; k < f->count; k++)
    for (int b = 0; b < law_at(f, laws, k)->part_count; b++) next[law_at(f, laws, k)->parts[b] + 1]++;
  for (int p = 0; p < s->part_count; p++) next[p + 1] += next[p];
  const size_t entries = next[s->part_count];
  f->constraint = picus_allocate(context, entries, sizeof *f->constraint);
  f->at = picus_allocate(context, entries, sizeof *f->at);
  if (!f->constraint || !f->at) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < f->count; k++) {
    const system_law *law = law_at(f, laws, k);
    size_t at = picus_law_row_at(law, 0);
    for (int b = 0; b < law->part_count; b++) {
      const size_t entry = next[law->parts[b]]++;
      f->constraint[entry] = k;
      f->at[entry] = at;
      at += (size_t)s->parts[law->parts[b]].nu;
    }
  }
  return PICUS_OK;
}

/* Parts by their first constraint: rows that are rotated into R in this order meet rows that end where they end. */
static picus_status order_parts(picus_context *context, constraint_factor *f) {
  const int parts = f->system->part_count;
  f->part_order = picus_allocate(context, (size_t)parts, sizeof *f->part_order);
  int *next = picus_allocate(context, (size_t)f->count + 1, sizeof *next);
  picus_status status = f->part_order && next ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (int p = 0; !status && p < parts; p++)
    if (f->part_start[p] < f->part_start[p + 1]) next[f->constraint[f->part_start[p]] + 1]++;
  for (int k = 0; !status && k < f->count; k++) next[k + 1] += next[k];
  if (!status) f->used_parts = next[f->count];
  for (int p = 0; !status && p < parts; p++)
    if (f->part_start[p] < f->part_start[p + 1]) f->part_order[next[f->constraint[f->part_start[p]]]++] = p;
  picus_release(context, next);
  return status;
}

static picus_status allocate_scratch(picus_context *context, constraint_factor *f) {
  size_t vectors = 0, coefficients = 0;
  for (int p = 0; p < f->system->part_count; p++) {
    const size_t count = f->part_start[p + 1] - f->part_start[p], nu = (size_t)f->system->parts[p].nu;
    const size_t rank = smaller(count, nu);
    vectors = picus_larger_size(vectors, (rank + 1) * nu);
    coefficients = picus_larger_size(coefficients, (rank + 1) * count);
  }
  f->w = picus_allocate(context, vectors, sizeof *f->w);
  f->x = picus_allocate(context, vectors, sizeof *f->x);
  f->coefficient = picus_allocate(context, coefficients, sizeof *f->coefficient);
  return f->w && f->x && f->coefficient ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_constraint_factor_create(picus_context *context, const picus_system *system, int count,
                                            const int *laws, constraint_factor *f) {
  *f = (constraint_factor){.system = system, .count = count};
  picus_status status = list_entries(context, laws, f);
  if (!status) status = order_parts(context, f);
  if (!status) status = allocate_scratch(context, f);
  if (!status) {
    const picus_row_patterns parts = {system->part_count, f->part_start, f->constraint};
    status = picus_row_factor_create(context, count, &parts, &f->R);
  }
  if (status) picus_constraint_factor_release(context, f);
  return status;
}

void picus_constraint_factor_release(picus_context *context, constraint_factor *f) {
  picus_release(context, f->part_start);
  picus_release(context, f->constraint);
  picus_release(context, f->at);
  picus_release(context, f->part_order);
  picus_release(context, f->w);
  picus_release(context, f->x);
  picus_release(context, f->coefficient);
  picus_row_factor_release(&f->R);
  *f = (constraint_factor){0};
}

/* Takes the row at the place `rank` apart into those before it and a rest, by Gram-Schmidt, twice for safety. along:
 * what it has of each; the rest becomes the next of them unless it is negligible. */
static bool split(const constraint_factor *f, int nu, size_t rank, size_t width, double *along) {
  const size_t n = (size_t)nu;
  double *w = f->w + rank * n, *x = f->x + rank * n;
  const double length = sqrt(fmax(0, picus_dot(nu, w, x)));
  const picus_dual_rows before = {nu, (int)rank, f->w, f->x};
  for (int pass = 0; pass < 2; pass++) picus_remove_dual_rows(&before, w, x, along, width);
  const double left = sqrt(fmax(0, picus_dot(nu, w, x)));
  if (!(left > negligible * length)) return false;
  along[rank * width] = left;
  for (int i = 0; i < nu; i++) w[i] /= left, x[i] /= left;
  return true;
}

static void add_part(constraint_factor *f, const picus_evaluation *e, int p, const double *scale) {
  const int nu = f->system->parts[p].nu;
  const size_t first = f->part_start[p], width = f->part_start[p + 1] - first, n = (size_t)nu;
  const size_t most = smaller(width, n);
  size_t rank = 0;
  for (size_t i = 0; i < (most + 1) * width; i++) f->coefficient[i] = 0;
  for (size_t i = 0; i < width; i++) {
    const double factor = scale[f->constraint[first + i]], *row = e->W + f->at[first + i];
    if (factor == 0) continue;
    for (size_t j = 0; j < n; j++) f->w[rank * n + j] = f->x[rank * n + j] = factor * row[j];
    picus_part_matrix_solve(&e->mass.blocks[p], f->x + rank * n);
    if (split(f, nu, rank, width, f->coefficient + i) && rank < most) rank++;
  }
  for (size_t r = 0; r < rank; r++)
    picus_row_factor_add(&f->R, (int)width, f->constraint + first, f->coefficient + r * width);
}

void picus_constraint_factor_fill(constraint_factor *f, const picus_evaluation *e, const double *scale,
                                  const double *diagonal) {
  picus_row_factor_clear(&f->R);
  for (int k = 0; diagonal && k < f->count;
       k++) { /* first, while R has nothing else: later they would move through it */
    const double row = sqrt(diagonal[k]);
    picus_row_factor_add(&f->R, 1, &k, &row);
  }
  for (int i = 0; i < f->used_parts; i++) add_part(f, e, f->part_order[i], scale);
}
