/* Dense and block-sparse G (factored: factors.c): one set of queries for all forms, and conversions. */
#include "base/internal.h"
#include "contact/internal.h"

#include <string.h>

void picus_contact_first_rows(const picus_contact_problem *problem, int *first_row) {
  first_row[0] = 0;
  for (int i = 0; i < problem->law_count; i++) first_row[i + 1] = first_row[i] + problem->laws[i].dim;
}

/* --- single blocks -------------------------------------------------------------------------------------------- */

int picus_contact_block_count(const picus_contact_problem *problem, int law) {
  if (problem->G) return problem->law_count;
  return problem->blocks->row_start[law + 1] - problem->blocks->row_start[law];
}

static const double *block_of_whole(const picus_contact_problem *problem, int first_row, int first_column,
                                    size_t *stride) {
  *stride = (size_t)problem->size;
  return problem->G + (size_t)first_row * *stride + (size_t)first_column;
}

picus_block picus_contact_block_at(const picus_contact_problem *problem, const int *first_row, int law, int number) {
  picus_block block = {.law = number};
  if (problem->G) {
    block.values = block_of_whole(problem, first_row[law], first_row[number], &block.stride);
  } else {
    int place = problem->blocks->row_start[law] + number;
    block.law = problem->blocks->column[place];
    block.values = problem->blocks->values + problem->blocks->offset[place];
    block.stride = (size_t)problem->laws[block.law].dim;
  }
  block.first_row = first_row[block.law];
  block.dim = problem->laws[block.law].dim;
  return block;
}

/* Place of block (i, j), or -1: by bisection, for the columns increase. */
static int find_block(const picus_block_matrix *blocks, int i, int j) {
  int low = blocks->row_start[i], high = blocks->row_start[i + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (blocks->column[middle] == j) return middle;
    if (blocks->column[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

static const double *stored_block(const picus_contact_problem *problem, int i, int j, size_t *stride) {
  int place = find_block(problem->blocks, i, j);
  *stride = (size_t)problem->laws[j].dim;
  return place < 0 ? NULL : problem->blocks->values + problem->blocks->offset[place];
}

const double *picus_contact_block(const picus_contact_problem *problem, const int *first_row, int i, int j,
                                  size_t *stride) {
  if (problem->G) return block_of_whole(problem, first_row[i], first_row[j], stride);
  return stored_block(problem, i, j, stride);
}

const double *picus_contact_diagonal_block(const picus_contact_problem *problem, int law, int first_row,
                                           size_t *stride) {
  if (problem->G) return block_of_whole(problem, first_row, first_row, stride);
  return stored_block(problem, law, law, stride);
}

/* --- xi = G P + c --------------------------------------------------------------------------------------------- */

static void multiply_whole(const picus_contact_problem *problem, int first_row, int dim, const double *P, double *xi) {
  int size = problem->size;
  for (int k = 0; k < dim; k++) {
    const double *row = problem->G + (size_t)(first_row + k) * (size_t)size;
    double sum = problem->c[first_row + k];
    for (int j = 0; j < size; j++) sum += row[j] * P[j];
    xi[k] = sum;
  }
}

/* Entry by entry from the left, as for a dense G: the two agree in every digit. */
static void multiply_blocks(const picus_contact_problem *problem, int law, const double *P, double *xi) {
  const picus_block_matrix *blocks = problem->blocks;
  int dim = problem->laws[law].dim;
  const double *c = problem->c + blocks->first_row[law];
  for (int k = 0; k < dim; k++) xi[k] = c[k];
  for (int b = blocks->row_start[law]; b < blocks->row_start[law + 1]; b++) {
    int first = blocks->first_row[blocks->column[b]], columns = blocks->first_row[blocks->column[b] + 1] - first;
    const double *values = blocks->values + blocks->offset[b];
    for (int k = 0; k < dim; k++)
      for (int l = 0; l < columns; l++) xi[k] += values[k * columns + l] * P[first + l];
  }
}

/* The two most frequent kinds of rows, with their sums in registers: planar and spatial contacts among themselves. */
static bool multiply_planar(const picus_contact_problem *problem, int law, const double *P, double *xi) {
  const picus_block_matrix *blocks = problem->blocks;
  const double *c = problem->c + blocks->first_row[law];
  double x = c[0], y = c[1];
  for (int b = blocks->row_start[law], end = blocks->row_start[law + 1]; b < end; b++) {
    int first = blocks->first_row[blocks->column[b]];
    if (blocks->first_row[blocks->column[b] + 1] - first != 2) return false;
    const double *v = blocks->values + blocks->offset[b];
    double p = P[first], q = P[first + 1];
    x = (x + v[0] * p) + v[1] * q;
    y = (y + v[2] * p) + v[3] * q;
  }
  xi[0] = x;
  xi[1] = y;
  return true;
}

static bool multiply_spatial(const picus_contact_problem *problem, int law, const double *P, double *xi) {
  const picus_block_matrix *blocks = problem->blocks;
  const double *c = problem->c + blocks->first_row[law];
  double x = c[0], y = c[1], z = c[2];
  for (int b = blocks->row_start[law], end = blocks->row_start[law + 1]; b < end; b++) {
    int first = blocks->first_row[blocks->column[b]];
    if (blocks->first_row[blocks->column[b] + 1] - first != 3) return false;
    const double *v = blocks->values + blocks->offset[b];
    double p = P[first], q = P[first + 1], r = P[first + 2];
    x = ((x + v[0] * p) + v[1] * q) + v[2] * r;
    y = ((y + v[3] * p) + v[4] * q) + v[5] * r;
    z = ((z + v[6] * p) + v[7] * q) + v[8] * r;
  }
  xi[0] = x;
  xi[1] = y;
  xi[2] = z;
  return true;
}

static void multiply_law(const picus_contact_problem *problem, int law, const double *P, double *xi) {
  int dim = problem->laws[law].dim;
  bool done = false;
  if (dim == 2) done = multiply_planar(problem, law, P, xi);
  if (dim == 3) done = multiply_spatial(problem, law, P, xi);
  if (!done) multiply_blocks(problem, law, P, xi);
}

void picus_contact_law_velocity(const picus_contact_problem *problem, int law, int first_row, const double *P,
                                double *xi) {
  if (problem->factors) {
    picus_factors_velocities(problem, law, xi);
    for (int k = 0; k < problem->laws[law].dim; k++) xi[k] = problem->c[first_row + k] + xi[k];
  } else if (problem->G)
    multiply_whole(problem, first_row, problem->laws[law].dim, P, xi);
  else
    multiply_law(problem, law, P, xi);
}

double picus_contact_row_velocity(const picus_contact_problem *problem, int law, int first_row, int row,
                                  const double *P) {
  double sum = problem->c[first_row + row];
  if (problem->factors) return sum + picus_factors_velocity(problem, law, row);
  if (problem->G) {
    const double *values = problem->G + (size_t)(first_row + row) * (size_t)problem->size;
    for (int j = 0; j < problem->size; j++) sum += values[j] * P[j];
    return sum;
  }
  const picus_block_matrix *blocks = problem->blocks;
  for (int b = blocks->row_start[law]; b < blocks->row_start[law + 1]; b++) {
    int columns = problem->laws[blocks->column[b]].dim;
    const double *values = blocks->values + blocks->offset[b] + row * columns;
    const double *P_j = P + blocks->first_row[blocks->column[b]];
    for (int l = 0; l < columns; l++) sum += values[l] * P_j[l];
  }
  return sum;
}

void picus_contact_multiply(const picus_contact_problem *problem, const double *P, double *xi) {
  if (problem->G) {
    multiply_whole(problem, 0, problem->size, P, xi);
    return;
  }
  if (problem->factors) {
    picus_contact_load(problem, P);
    for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim)
      picus_contact_law_velocity(problem, i, row, P, xi + row);
    return;
  }
  for (int i = 0; i < problem->law_count; i++) multiply_law(problem, i, P, xi + problem->blocks->first_row[i]);
}

/* --- from one to the other ------------------------------------------------------------------------------------ */

void picus_contact_expand(const picus_contact_problem *problem, double *G) {
  size_t size = (size_t)problem->size;
  if (problem->G) {
    memcpy(G, problem->G, size * size * sizeof *G);
    return;
  }
  if (problem->factors) {
    picus_factors_expand(problem, G);
    return;
  }
  const picus_block_matrix *blocks = problem->blocks;
  memset(G, 0, size * size * sizeof *G);
  for (int i = 0; i < problem->law_count; i++)
    for (int b = blocks->row_start[i]; b < blocks->row_start[i + 1]; b++) {
      size_t columns = (size_t)problem->laws[blocks->column[b]].dim;
      double *corner = G + (size_t)blocks->first_row[i] * size + (size_t)blocks->first_row[blocks->column[b]];
      for (size_t k = 0; k < (size_t)problem->laws[i].dim; k++)
        memcpy(corner + k * size, blocks->values + blocks->offset[b] + k * columns, columns * sizeof *G);
    }
}

picus_status picus_block_storage_create(picus_context *context, int law_count, size_t block_count, size_t value_count,
                                        picus_block_storage *out) {
  size_t laws = (size_t)law_count + 1;
  *out = (picus_block_storage){.context = context};
  out->first_row = picus_allocate(context, laws, sizeof(int));
  out->row_start = picus_allocate(context, laws, sizeof(int));
  out->column = picus_allocate(context, block_count, sizeof(int));
  out->offset = picus_allocate(context, block_count, sizeof(size_t));
  out->values = picus_allocate(context, value_count, sizeof(double));
  if (!out->first_row || !out->row_start || !out->column || !out->offset || !out->values) {
    picus_block_storage_destroy(out);
    return PICUS_ERROR_MEMORY;
  }
  out->matrix = (picus_block_matrix){.first_row = out->first_row,
                                     .row_start = out->row_start,
                                     .column = out->column,
                                     .offset = out->offset,
                                     .values = out->values};
  return PICUS_OK;
}

void picus_block_storage_destroy(picus_block_storage *storage) {
  picus_context *context = storage->context;
  picus_release(context, storage->first_row);
  picus_release(context, storage->row_start);
  picus_release(context, storage->column);
  picus_release(context, storage->offset);
  picus_release(context, storage->values);
  *storage = (picus_block_storage){.context = context};
}

/* Contacts and their rolling laws have the same blocks: for either the rows of both. */
static int pair_rows(const picus_contact_problem *problem, int law, int *row) {
  if (picus_law_is_rolled(problem, law)) return problem->laws[law].dim + problem->laws[law + 1].dim;
  if (problem->laws[law].kind != PICUS_ROLLING) return problem->laws[law].dim;
  *row -= problem->laws[law - 1].dim;
  return problem->laws[law - 1].dim + problem->laws[law].dim;
}

static bool is_kept(const picus_contact_problem *problem, int i, int j, int row, int column) {
  size_t stride;
  const int rows = pair_rows(problem, i, &row), columns = pair_rows(problem, j, &column);
  if (row == column) return true;
  const double *values = block_of_whole(problem, row, column, &stride);
  for (int k = 0; k < rows; k++)
    for (int l = 0; l < columns; l++)
      if (values[(size_t)k * stride + (size_t)l] != 0) return true;
  return false;
}

/* Visits each stored block, row by row: counts them, and stores them if there is storage. */
static void visit_kept(const picus_contact_problem *problem, picus_block_storage *storage, size_t *blocks,
                       size_t *values) {
  *blocks = *values = 0;
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim) {
    for (int j = 0, column = 0; j < problem->law_count; column += problem->laws[j++].dim) {
      if (!is_kept(problem, i, j, row, column)) continue;
      size_t rows = (size_t)problem->laws[i].dim, columns = (size_t)problem->laws[j].dim, stride;
      const double *source = block_of_whole(problem, row, column, &stride);
      if (storage) {
        storage->column[*blocks] = j;
        storage->offset[*blocks] = *values;
        for (size_t k = 0; k < rows; k++)
          memcpy(storage->values + *values + k * columns, source + k * stride, columns * sizeof *source);
      }
      *blocks += 1;
      *values += rows * columns;
    }
    if (storage) storage->row_start[i + 1] = (int)*blocks;
  }
}

picus_status picus_block_storage_from_dense(picus_context *context, const picus_contact_problem *problem,
                                            picus_block_storage *out) {
  size_t blocks, values;
  visit_kept(problem, NULL, &blocks, &values);
  picus_status status = picus_block_storage_create(context, problem->law_count, blocks, values, out);
  if (status) return status;
  picus_contact_first_rows(problem, out->first_row);
  out->row_start[0] = 0;
  visit_kept(problem, out, &blocks, &values);
  return PICUS_OK;
}
