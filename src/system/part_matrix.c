/* Square matrices of parts, dense or sparse: values, factors, solves. */
#include "system/part_matrix.h"

#include "base/internal.h"
#include "system/internal.h"

#include <math.h>
#include <string.h>

static size_t square(int n) { return (size_t)n * (size_t)n; }

/* The half bandwidth, or -1 if a band factor would have far more entries than the matrix. */
static int band_of(int order, const part_pattern *pattern) {
  int band = 0;
  for (int i = 0; i < order; i++)
    for (int k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++) {
      int distance = pattern->column[k] > i ? pattern->column[k] - i : i - pattern->column[k];
      if (distance > band) band = distance;
    }
  return (size_t)order * (size_t)(band + 1) <= 4 * (size_t)pattern->row_start[order] ? band : -1;
}

static picus_status create_sparse(picus_context *context, part_matrix *m) {
  const int n = m->order;
  m->count = (size_t)m->pattern->row_start[n];
  m->band = band_of(n, m->pattern);
  m->values = picus_allocate(context, m->count, sizeof(double));
  if (m->band >= 0) m->factor = picus_allocate(context, (size_t)n * (size_t)(m->band + 1), sizeof(double));
  if (!m->values || (m->band >= 0 && !m->factor)) return PICUS_ERROR_MEMORY;
  if (!picus_sparse_reserve(&m->sparse, n, m->count))
    return picus_fail(context, PICUS_ERROR_MEMORY, "out of memory for a sparse matrix of order %d", n);
  memcpy(m->sparse.row_start, m->pattern->row_start, ((size_t)n + 1) * sizeof(int));
  memcpy(m->sparse.column, m->pattern->column, m->count * sizeof(int));
  return PICUS_OK;
}

static picus_status create_dense(picus_context *context, part_matrix *m) {
  const int n = m->order;
  m->count = square(n);
  m->values = picus_allocate(context, m->count, sizeof(double));
  m->factor = picus_allocate(context, m->count, sizeof(double));
  m->pivots = picus_allocate(context, (size_t)n, sizeof(int));
  const bool small = n <= PICUS_INVERSE_LARGEST;
  if (small) {
    m->inverse = picus_allocate(context, m->count, sizeof(double));
    m->known = picus_allocate(context, m->count, sizeof(double));
  } else
    m->block_size = picus_allocate(context, (size_t)n, sizeof(int));
  bool all = m->values && m->factor && m->pivots && (small ? m->inverse && m->known : m->block_size != NULL);
  return all ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_part_matrix_create(picus_context *context, int order, const part_pattern *pattern,
                                      part_matrix *out) {
  *out = (part_matrix){.order = order, .pattern = pattern};
  return pattern ? create_sparse(context, out) : create_dense(context, out);
}

void picus_part_matrix_release(picus_context *context, part_matrix *m) {
  picus_release(context, m->values);
  picus_release(context, m->factor);
  picus_release(context, m->inverse);
  picus_release(context, m->known);
  picus_release(context, m->pivots);
  picus_release(context, m->block_size);
  picus_sparse_release(&m->sparse);
  *m = (part_matrix){0};
}

/* The lower band of the values. false: they are not symmetric. */
static bool fill_band(part_matrix *m) {
  const part_pattern *p = m->pattern;
  const int n = m->order, width = m->band + 1;
  memset(m->factor, 0, (size_t)n * (size_t)width * sizeof(double));
  for (int i = 0; i < n; i++)
    for (int k = p->row_start[i]; k < p->row_start[i + 1] && p->column[k] <= i; k++)
      m->factor[(size_t)i * (size_t)width + (size_t)(m->band - i + p->column[k])] = m->values[k];
  for (int i = 0; i < n; i++)
    for (int k = p->row_start[i + 1] - 1; k >= p->row_start[i] && p->column[k] > i; k--) {
      const int j = p->column[k];
      if (m->factor[(size_t)j * (size_t)width + (size_t)(m->band - j + i)] != m->values[k]) return false;
    }
  return true;
}

void picus_system_matrix_archive(const system_matrix *matrix, picus_archive *a) {
  picus_archive_same(a, (uint64_t)matrix->block_count, "a matrix has another number of blocks");
  for (int i = 0; i < matrix->block_count; i++) {
    part_matrix *m = &matrix->blocks[i];
    if (!m->pattern) continue;
    picus_sparse_archive(&m->sparse, true, a);
    /* the pattern is the one of the system, whatever was read */
    if (!picus_archive_reads(a)) continue;
    if (memcmp(m->sparse.row_start, m->pattern->row_start, ((size_t)m->order + 1) * sizeof(int)) != 0 ||
        memcmp(m->sparse.column, m->pattern->column, m->count * sizeof(int)) != 0)
      picus_archive_reject(a, "a sparse matrix has another pattern");
  }
}

static bool factor_sparse(part_matrix *m) {
  memcpy(m->sparse.values, m->values, m->count * sizeof(double));
  m->factored = picus_sparse_factor(&m->sparse, INFINITY) ? FACTOR_SPARSE : FACTOR_NONE;
  return m->factored == FACTOR_SPARSE;
}

/* Without a band: the diagonal must be positive, and the matrix regular. */
static int factor_sparse_positive(part_matrix *m) {
  for (int i = 0; i < m->order; i++)
    for (int k = m->pattern->row_start[i]; k < m->pattern->row_start[i + 1]; k++)
      if (m->pattern->column[k] == i && !(m->values[k] > 0)) return i;
  return factor_sparse(m) ? -1 : 0;
}

/* Finds the blocks along the diagonal that have no entries between them. false: one is too large to be inverted. */
static bool find_blocks(part_matrix *m) {
  const size_t n = (size_t)m->order;
  if (!m->block_size) return false;
  size_t begin = 0, end = 0; /* of the block of row i, as far as its rows reach */
  m->block_count = 0;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = n - 1; j > end; j--)
      if (m->values[i * n + j] != 0 || m->values[j * n + i] != 0) end = j;
    if (end - begin >= PICUS_INVERSE_LARGEST) return false;
    if (i < end) continue;
    m->block_size[m->block_count++] = (int)(end - begin + 1);
    begin = end = i + 1;
  }
  return true;
}

/* The inverse of an n x n block by its LU factors, column by column. */
static void invert_by_lu(int n, const double *LU, const int *pivots, double *inverse) {
  for (int j = 0; j < n; j++) {
    double column[PICUS_INVERSE_LARGEST] = {0};
    column[j] = 1;
    picus_lu_solve(n, LU, pivots, column);
    for (int i = 0; i < n; i++) inverse[i * n + j] = column[i];
  }
}

/* Inverts block by block into the memory of the factor, one after the other. Returns -1, or the first row of a block
 * that is singular or, if required, not positive definite. */
static int invert_blocks(part_matrix *m, bool positive) {
  double *inverse = m->factor;
  int first = 0;
  for (int b = 0; b < m->block_count; b++) {
    const int n = m->block_size[b];
    double block[PICUS_INVERSE_LARGEST * PICUS_INVERSE_LARGEST] = {0};
    int pivots[PICUS_INVERSE_LARGEST] = {0}, failed = -1;
    for (int i = 0; i < n; i++)
      memcpy(block + i * n, m->values + (size_t)(first + i) * (size_t)m->order + first, (size_t)n * sizeof *block);
    if (positive)
      failed = picus_cholesky_factor(n, block, block);
    else if (!picus_lu_factor(n, block, pivots))
      failed = 0;
    if (failed >= 0) return first + failed;
    if (positive)
      picus_cholesky_inverse(n, block, inverse);
    else
      invert_by_lu(n, block, pivots, inverse);
    inverse += n * n;
    first += n;
  }
  m->factored = FACTOR_BLOCKS;
  return -1;
}

static void solve_blocks(const part_matrix *m, double *x) {
  const double *inverse = m->factor;
  for (int b = 0; b < m->block_count; b++) {
    const int n = m->block_size[b];
    double y[PICUS_INVERSE_LARGEST] = {0};
    picus_matrix_vector(n, n, inverse, x, y);
    memcpy(x, y, (size_t)n * sizeof *x);
    inverse += n * n;
    x += n;
  }
}

/* The inverse is in its place. */
static void use_inverse(part_matrix *m) {
  const int n = m->order;
  m->factored = FACTOR_INVERSE;
  m->is_diagonal = true;
  for (int i = 0; i < n && m->is_diagonal; i++)
    for (int j = 0; j < n && m->is_diagonal; j++) m->is_diagonal = i == j || m->inverse[i * n + j] == 0;
  for (int i = 0; i < n && m->is_diagonal; i++) m->diagonal[i] = m->inverse[i * (n + 1)];
}

int picus_part_matrix_factor_positive(part_matrix *m, bool often) {
  m->factored = FACTOR_NONE;
  m->is_known = false;
  if (m->pattern && m->band < 0) return factor_sparse_positive(m);
  int failed;
  if (m->pattern) {
    failed = fill_band(m) ? picus_banded_factor(m->order, m->band, m->factor) : 0;
    if (failed < 0) m->factored = FACTOR_BANDED;
    return failed;
  }
  if (find_blocks(m)) return invert_blocks(m, true);
  failed = picus_cholesky_factor(m->order, m->values, m->factor);
  if (failed >= 0) return failed;
  m->factored = FACTOR_CHOLESKY;
  if (often && m->inverse) {
    picus_cholesky_inverse(m->order, m->factor, m->inverse);
    use_inverse(m);
  }
  return -1;
}

static bool factor_small(part_matrix *m, bool often) {
  const size_t bytes = m->count * sizeof(double);
  if (m->is_known && m->often == often && memcmp((const void *)m->known, (const void *)m->values, bytes) == 0)
    return true;
  m->is_known = false;
  m->factored = FACTOR_NONE;
  memcpy(m->factor, m->values, bytes);
  if (!picus_lu_factor(m->order, m->factor, m->pivots)) return false;
  m->factored = FACTOR_LU;
  memcpy(m->known, m->values, bytes);
  m->is_known = true;
  m->often = often;
  if (!often) return true;
  invert_by_lu(m->order, m->factor, m->pivots, m->inverse);
  use_inverse(m);
  return true;
}

bool picus_part_matrix_factor(part_matrix *m, bool often) {
  if (m->known) return factor_small(m, often);
  m->factored = FACTOR_NONE;
  if (m->pattern) {
    if (m->band >= 0 && fill_band(m) && picus_banded_factor(m->order, m->band, m->factor) < 0) {
      m->factored = FACTOR_BANDED;
      return true;
    }
    return factor_sparse(m);
  }
  if (find_blocks(m)) return invert_blocks(m, false) < 0;
  memcpy(m->factor, m->values, m->count * sizeof(double));
  if (!picus_lu_factor(m->order, m->factor, m->pivots)) return false;
  m->factored = FACTOR_LU;
  return true;
}

static inline void multiply_inverse(const part_matrix *m, int order, double *x) {
  double y[PICUS_INVERSE_LARGEST];
  picus_matrix_vector(order, order, m->inverse, x, y);
  for (int i = 0; i < order; i++) x[i] = y[i];
}

void picus_part_matrix_solve_factored(const part_matrix *m, double *x) {
  switch (m->factored) {
  case FACTOR_INVERSE:
    if (m->order == 3) /* planar bodies: constants for the compiler */
      multiply_inverse(m, 3, x);
    else
      multiply_inverse(m, m->order, x);
    return;
  case FACTOR_BLOCKS:
    solve_blocks(m, x);
    return;
  case FACTOR_CHOLESKY:
    picus_cholesky_solve(m->order, m->factor, x);
    return;
  case FACTOR_LU:
    picus_lu_solve(m->order, m->factor, m->pivots, x);
    return;
  case FACTOR_BANDED:
    picus_banded_solve(m->order, m->band, m->factor, x);
    return;
  case FACTOR_SPARSE:
    picus_sparse_solve(&m->sparse, x);
    return;
  case FACTOR_NONE:
    return;
  }
}

part_pattern picus_part_pattern(int n, const int *row_start, const int *column) {
  bool tridiagonal = n > 2;
  for (int i = 0; i < n && tridiagonal; i++) {
    const int first = i > 0 ? i - 1 : 0, last = i < n - 1 ? i + 1 : i, k = row_start[i];
    tridiagonal =
        row_start[i + 1] - k == last - first + 1 && column[k] == first && column[row_start[i + 1] - 1] == last;
  }
  return (part_pattern){row_start, column, tridiagonal};
}

static double row_product(const part_pattern *p, int i, const double *values, const double *x) {
  double sum = 0;
  for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++) sum += values[k] * x[p->column[k]];
  return sum;
}

void picus_pattern_multiply(int n, const part_pattern *pattern, const double *values, const double *restrict x,
                            double *restrict y) {
  int i = 0;
  if (pattern->tridiagonal) { /* 0 + ...: the same bits as a row by its list */
    y[0] = row_product(pattern, 0, values, x);
    const double *row = values + 2;
    for (i = 1; i < n - 1; i++, row += 3) y[i] = 0 + row[0] * x[i - 1] + row[1] * x[i] + row[2] * x[i + 1];
  }
  for (; i < n; i++) y[i] = row_product(pattern, i, values, x);
}

void picus_part_matrix_multiply(const part_matrix *m, const double *x, double *y) {
  if (m->pattern)
    picus_pattern_multiply(m->order, m->pattern, m->values, x, y);
  else if (m->factored == FACTOR_INVERSE && m->is_diagonal) /* and constant: 0 + ..., the bits of a complete row */
    for (int i = 0; i < m->order; i++) y[i] = 0 + m->values[i * (m->order + 1)] * x[i];
  else
    picus_matrix_vector(m->order, m->order, m->values, x, y);
}

double picus_part_matrix_diagonal(const part_matrix *m, int row) {
  if (!m->pattern) return m->values[(size_t)row * (size_t)(m->order + 1)];
  int k = m->pattern->row_start[row];
  while (m->pattern->column[k] != row) k++;
  return m->values[k];
}

void picus_part_matrix_place(const double *values, int order, const part_pattern *pattern, dense_place to) {
  for (int i = 0; i < order; i++) {
    double *row = to.first + (size_t)i * to.width;
    if (!pattern) {
      memcpy(row, values + (size_t)i * (size_t)order, (size_t)order * sizeof *row);
      continue;
    }
    for (int k = pattern->row_start[i]; k < pattern->row_start[i + 1]; k++) row[pattern->column[k]] = values[k];
  }
}

picus_status picus_system_matrix_create(picus_context *context, const picus_system *system, matrix_blocks kind,
                                        system_matrix *out) {
  const bool differ = system->group_count < system->part_count || system->coupling_count > 0;
  const bool by_group = kind == MATRIX_BY_GROUPS && differ;
  const int count = by_group ? system->group_count : system->part_count;
  *out = (system_matrix){.system = system, .by_group = by_group};
  out->blocks = picus_allocate(context, (size_t)count, sizeof *out->blocks);
  picus_status status = out->blocks ? PICUS_OK : PICUS_ERROR_MEMORY;
  out->block_count = status ? 0 : count;
  for (int k = 0; !status && k < count; k++) {
    const int order = by_group ? system->groups[k].nu : system->parts[k].nu;
    const part_pattern *pattern = by_group ? system->groups[k].pattern : system->parts[k].pattern;
    status = picus_part_matrix_create(context, order, pattern, &out->blocks[k]);
  }
  return status;
}

void picus_system_matrix_release(picus_context *context, system_matrix *matrix) {
  for (int k = 0; k < matrix->block_count; k++) picus_part_matrix_release(context, &matrix->blocks[k]);
  picus_release(context, matrix->blocks);
  *matrix = (system_matrix){0};
}

/* Rows of a part of a mixed group, where dh/du was. */
static double *mixed_rows(const system_part *part, const part_matrix *M, double factor, double *rows) {
  const size_t width = (size_t)part->u_width, nu = (size_t)part->nu;
  if (part->pattern || part->coupled_count == 1) {
    for (size_t k = 0; k < M->count; k++) rows[k] = M->values[k] - factor * rows[k];
    return rows;
  }
  for (size_t k = 0; k < nu * width; k++) rows[k] *= -factor;
  for (size_t i = 0; i < nu; i++)
    for (size_t j = 0; j < nu; j++) rows[i * width + (size_t)part->u_own + j] += M->values[i * nu + j];
  return rows;
}

void picus_system_matrix_clear(const system_matrix *matrix, int g) {
  if (!matrix->by_group || !matrix->system->groups[g].mixed) return; /* its parts set all values */
  const part_matrix *block = &matrix->blocks[g];
  memset(block->values, 0, block->count * sizeof *block->values);
}

void picus_system_matrix_place_rows(const system_matrix *matrix, int p, const double *rows) {
  const system_part *part = &matrix->system->parts[p];
  if (!matrix->by_group || !part->place) return; /* they are in their places */
  double *values = matrix->blocks[part->group].values;
  const size_t count =
      part->pattern ? (size_t)part->pattern->row_start[part->nu] : (size_t)part->nu * (size_t)part->u_width;
  for (size_t k = 0; k < count; k++) values[part->place[k]] = rows[k];
}

void picus_system_matrix_add_couplings(const system_matrix *matrix, int g, double factor, const double *dh_du) {
  const system_group *group = &matrix->system->groups[g];
  for (int k = 0; matrix->by_group && k < group->coupling_count; k++) {
    const system_coupling *c = &matrix->system->couplings[group->coupling0 + k];
    double *row = matrix->blocks[g].values + c->at;
    for (int j = 0; j < c->nu; j++) row[j] -= factor * dh_du[c->by_u + (size_t)j];
  }
}

double *picus_system_matrix_set_rows(const system_matrix *matrix, int p, const system_matrix *mass, double factor,
                                     double *dh_du) {
  const system_part *part = &matrix->system->parts[p];
  const part_matrix *M = &mass->blocks[p];
  if (matrix->by_group && part->place) return mixed_rows(part, M, factor, dh_du);
  double *rows = matrix->blocks[matrix->by_group ? part->group : p].values;
  if (part->coupled_count == 1 && !(matrix->by_group && matrix->system->groups[part->group].part_count > 1)) {
    for (size_t k = 0; k < M->count; k++) rows[k] = M->values[k] - factor * dh_du[k];
    return rows;
  }
  const system_group *group = &matrix->system->groups[part->group];
  const size_t width = (size_t)part->u_width, nu = (size_t)part->nu;
  rows += group->row_start[part->u0 - group->u0];
  for (size_t k = 0; k < nu * width; k++) rows[k] = -factor * dh_du[k];
  for (size_t i = 0; i < nu; i++)
    for (size_t j = 0; j < nu; j++) rows[i * width + (size_t)part->u_own + j] += M->values[i * nu + j];
  return rows;
}

/* The velocities of blocks follow each other. */
void picus_system_matrix_solve(const system_matrix *matrix, double *x) {
  const part_matrix *block = matrix->blocks, *end = block + matrix->block_count;
  for (; block < end; x += block++->order) picus_part_matrix_solve(block, x);
}

void picus_system_matrix_multiply(const system_matrix *matrix, const double *x, double *y) {
  for (int k = 0, u0 = 0; k < matrix->block_count; u0 += matrix->blocks[k++].order)
    picus_part_matrix_multiply(&matrix->blocks[k], x + u0, y + u0);
}
