/* G as an operator, block-sparse: the blocks of coupled laws are stored. And the memory of such blocks. */
#include "base/disjoint_sets.h"
#include "base/internal.h"
#include "contact/internal.h"

#include <string.h>

void picus_contact_first_rows(const picus_contact_problem *problem, int *first_row) {
  first_row[0] = 0;
  for (int i = 0; i < problem->law_count; i++) first_row[i + 1] = first_row[i] + problem->laws[i].dim;
}

/* --- velocities ----------------------------------------------------------------------------------------------- */

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

/* The most frequent kinds of rows, with their sums in registers: planar and spatial contacts among themselves, */
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

/* and joints. */
static bool multiply_row(const picus_contact_problem *problem, int law, const double *P, double *xi) {
  const picus_block_matrix *blocks = problem->blocks;
  double x = problem->c[blocks->first_row[law]];
  for (int b = blocks->row_start[law], end = blocks->row_start[law + 1]; b < end; b++) {
    int first = blocks->first_row[blocks->column[b]];
    if (blocks->first_row[blocks->column[b] + 1] - first != 1) return false;
    x += blocks->values[blocks->offset[b]] * P[first];
  }
  xi[0] = x;
  return true;
}

static void multiply_law(const picus_contact_problem *problem, int law, const double *P, double *xi) {
  int dim = problem->laws[law].dim;
  bool done = false;
  if (dim == 1) done = multiply_row(problem, law, P, xi);
  if (dim == 2) done = multiply_planar(problem, law, P, xi);
  if (dim == 3) done = multiply_spatial(problem, law, P, xi);
  if (!done) multiply_blocks(problem, law, P, xi);
}

static void multiply(const picus_contact_problem *problem, const double *P, double *xi) {
  for (int i = 0; i < problem->law_count; i++) multiply_law(problem, i, P, xi + problem->blocks->first_row[i]);
}

static void law_velocity(const picus_contact_problem *problem, int law, int first_row, const double *P, double *xi) {
  (void)first_row;
  multiply_law(problem, law, P, xi);
}

static double row_velocity(const picus_contact_problem *problem, int law, int first_row, int row, const double *P) {
  const picus_block_matrix *blocks = problem->blocks;
  double sum = problem->c[first_row + row];
  for (int b = blocks->row_start[law]; b < blocks->row_start[law + 1]; b++) {
    int columns = problem->laws[blocks->column[b]].dim;
    const double *values = blocks->values + blocks->offset[b] + row * columns;
    const double *P_j = P + blocks->first_row[blocks->column[b]];
    for (int l = 0; l < columns; l++) sum += values[l] * P_j[l];
  }
  return sum;
}

/* --- numbers -------------------------------------------------------------------------------------------------- */

/* The columns of a law increase: its own block is found by bisection. */
static const double *own_block(const picus_contact_problem *problem, int law, int first_row,
                               double own[PICUS_OWN_BLOCK], size_t *stride) {
  const picus_block_matrix *blocks = problem->blocks;
  int low = blocks->row_start[law], high = blocks->row_start[law + 1];
  (void)first_row;
  (void)own;
  *stride = (size_t)problem->laws[law].dim;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (blocks->column[middle] == law) return blocks->values + blocks->offset[middle];
    if (blocks->column[middle] < law)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL; /* of a problem that does not fit */
}

static double trace(const picus_contact_problem *problem, int law, int first_row) {
  size_t stride;
  const double *block = own_block(problem, law, first_row, NULL, &stride);
  double sum = 0;
  for (size_t k = 0; k < stride; k++) sum += fabs(block[k * (stride + 1)]);
  return sum;
}

static double row_sum(const picus_contact_problem *problem, int law, int first_row, int row, const double *weight,
                      double start) {
  const picus_block_matrix *blocks = problem->blocks;
  (void)first_row;
  for (int b = blocks->row_start[law]; b < blocks->row_start[law + 1]; b++) {
    const int first = blocks->first_row[blocks->column[b]], columns = blocks->first_row[blocks->column[b] + 1] - first;
    const double *values = blocks->values + blocks->offset[b] + row * columns, *w = weight ? weight + first : NULL;
    if (w && columns == 3) { /* contacts in space, without a loop */
      start = ((start + fabs(values[0] * w[0])) + fabs(values[1] * w[1])) + fabs(values[2] * w[2]);
      continue;
    }
    for (int l = 0; l < columns; l++) start += fabs(w ? values[l] * w[l] : values[l]);
  }
  return start;
}

static int block_count(const picus_contact_problem *problem, int law) {
  return problem->blocks->row_start[law + 1] - problem->blocks->row_start[law];
}

static picus_block block_at(const picus_contact_problem *problem, const int *first_row, int law, int number) {
  const picus_block_matrix *blocks = problem->blocks;
  const int place = blocks->row_start[law] + number, column = blocks->column[place];
  return (picus_block){.values = blocks->values + blocks->offset[place],
                       .stride = (size_t)problem->laws[column].dim,
                       .law = column,
                       .first_row = first_row[column],
                       .dim = problem->laws[column].dim};
}

static double neighbours(const picus_contact_problem *problem) {
  return (double)problem->blocks->row_start[problem->law_count] / problem->law_count;
}

/* --- other forms ---------------------------------------------------------------------------------------------- */

static void expand(const picus_contact_problem *problem, double *G) {
  const picus_block_matrix *blocks = problem->blocks;
  const size_t size = (size_t)problem->size;
  memset(G, 0, size * size * sizeof *G);
  for (int i = 0; i < problem->law_count; i++)
    for (int b = blocks->row_start[i]; b < blocks->row_start[i + 1]; b++) {
      size_t columns = (size_t)problem->laws[blocks->column[b]].dim;
      double *corner = G + (size_t)blocks->first_row[i] * size + (size_t)blocks->first_row[blocks->column[b]];
      for (size_t k = 0; k < (size_t)problem->laws[i].dim; k++)
        memcpy(corner + k * size, blocks->values + blocks->offset[b] + k * columns, columns * sizeof *G);
    }
}

picus_contact_problem picus_contact_to_dense(const picus_contact_problem *problem, double *G) {
  picus_contact_problem dense = *problem;
  if (picus_operator_of(problem)->is_whole) return dense;
  picus_operator_of(problem)->expand(problem, G);
  dense.G = G, dense.blocks = NULL, dense.factors = NULL;
  return dense;
}

picus_status picus_contact_to_blocks(picus_context *context, const picus_contact_problem *problem,
                                     picus_block_storage *storage, picus_contact_problem *out) {
  const picus_operator *G = picus_operator_of(problem);
  *storage = (picus_block_storage){.context = context};
  *out = *problem;
  if (!G->store_blocks || problem->law_count == 0) return PICUS_OK;
  out->G = NULL, out->blocks = &storage->matrix, out->factors = NULL;
  return G->store_blocks(context, problem, storage);
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

/* --- well formed? --------------------------------------------------------------------------------------------- */

bool picus_lists_agree(const int *start, const int *column, int law) {
  const int count = start[law + 1] - start[law];
  if (count != start[law] - start[law - 1]) return false;
  for (int k = start[law]; k < start[law + 1]; k++)
    if (column[k] != column[k - count]) return false;
  return true;
}

/* Every row that has the block of a rolling law has that of its contact, and the other way round. */
static bool rolling_blocks_fit(const picus_contact_problem *problem, int law) {
  const picus_block_matrix *blocks = problem->blocks;
  if (problem->laws[law].kind == PICUS_ROLLING && !picus_lists_agree(blocks->row_start, blocks->column, law))
    return false;
  for (int b = blocks->row_start[law]; b < blocks->row_start[law + 1]; b++) {
    const int j = blocks->column[b];
    const bool follows = b > blocks->row_start[law] && blocks->column[b - 1] == j - 1;
    const bool is_followed = b + 1 < blocks->row_start[law + 1] && blocks->column[b + 1] == j + 1;
    if (problem->laws[j].kind == PICUS_ROLLING && !follows) return false;
    if (picus_law_is_rolled(problem, j) && !is_followed) return false;
  }
  return true;
}

/* The blocks of one law: increasing columns, including the law itself. */
static bool block_row_fits(const picus_contact_problem *problem, int law, bool rolling) {
  const picus_block_matrix *blocks = problem->blocks;
  int begin = blocks->row_start[law], end = blocks->row_start[law + 1], previous = -1;
  bool diagonal = false;
  if (begin > end) return false;
  for (int b = begin; b < end; b++) {
    if (blocks->column[b] <= previous || blocks->column[b] >= problem->law_count) return false;
    previous = blocks->column[b];
    diagonal = diagonal || previous == law;
  }
  return diagonal && (!rolling || rolling_blocks_fit(problem, law));
}

/* Whether all arrays are there, rows begin where laws put them, and columns increase with the diagonal among them. */
static picus_status check_pattern(picus_context *context, const picus_contact_problem *problem) {
  const picus_block_matrix *blocks = problem->blocks;
  if (!(blocks && blocks->first_row && blocks->row_start && blocks->column && blocks->offset && blocks->values))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "an array of the blocks of G is missing");
  if (blocks->row_start[0] != 0)
    return picus_fail(context, PICUS_ERROR_DIMENSION, "the blocks of law 0 start at %d; they must start at 0",
                      blocks->row_start[0]);
  const bool rolling = picus_contact_has_rolling(problem);
  for (int i = 0, row = 0; i <= problem->law_count; row += i < problem->law_count ? problem->laws[i].dim : 0, i++) {
    if (blocks->first_row[i] != row)
      return picus_fail(context, PICUS_ERROR_DIMENSION,
                        "first_row[%d] of the blocks is %d; for these laws it must be %d", i, blocks->first_row[i],
                        row);
    if (i < problem->law_count && !block_row_fits(problem, i, rolling))
      return picus_fail(context, PICUS_ERROR_DIMENSION,
                        "the blocks of law %d must have increasing columns from 0 to %d, including the diagonal block; "
                        "a rolling law has the blocks of its contact",
                        i, problem->law_count - 1);
  }
  return PICUS_OK;
}

static picus_status check_numbers(picus_context *context, const picus_contact_problem *problem, int law,
                                  int first_row) {
  const picus_block_matrix *blocks = problem->blocks;
  (void)first_row;
  for (int b = blocks->row_start[law]; b < blocks->row_start[law + 1]; b++) {
    const int j = blocks->column[b];
    if (!picus_all_finite(blocks->values + blocks->offset[b],
                          (size_t)problem->laws[law].dim * (size_t)problem->laws[j].dim))
      return picus_fail(context, PICUS_ERROR_NUMBER,
                        "the block of G between laws %d and %d has a number that is not finite", law, j);
  }
  return PICUS_OK;
}

static int first_not_finite(const picus_contact_problem *problem) {
  int law = 0;
  while (law < problem->law_count && !check_numbers(NULL, problem, law, 0)) law++;
  return law;
}

/* --- islands -------------------------------------------------------------------------------------------------- */

static bool is_alone(const picus_contact_problem *problem, int law, int first_row) {
  const picus_block_matrix *b = problem->blocks;
  (void)first_row;
  return b->row_start[law + 1] - b->row_start[law] == 1 && b->column[b->row_start[law]] == law;
}

static picus_island_sizes island_sizes(const picus_contact_problem *problem) {
  return (picus_island_sizes){.columns = (size_t)problem->blocks->row_start[problem->law_count]};
}

static int join(picus_islands *x) {
  const picus_block_matrix *b = x->problem->blocks;
  int joined = 0;
  for (int i = 0; i < x->problem->law_count; i++)
    for (int k = b->row_start[i]; k < b->row_start[i + 1]; k++)
      if (x->island[i] != x->island[b->column[k]]) joined += picus_sets_join(x->island, i, b->column[k]);
  return joined;
}

void picus_islands_copy_columns(picus_islands *x, const int *start, const int *column, const int *number) {
  int at = 0;
  for (int k = 0; k < x->count; k++) {
    const int begin = at;
    x->begin[k] = (size_t)at;
    for (int i = x->first_law[k]; i < x->first_law[k + 1]; i++) {
      const int law = x->law[i];
      x->start[i + k] = at - begin;
      for (int c = start[law]; c < start[law + 1]; c++) x->column[at++] = number[column[c]];
    }
    x->start[x->first_law[k + 1] + k] = at - begin;
  }
}

static void divide(picus_islands *x) {
  const picus_block_matrix *b = x->problem->blocks;
  size_t at = 0;
  picus_islands_copy_columns(x, b->row_start, b->column, x->place);
  for (int i = 0; i < x->problem->law_count; i++)
    for (int k = b->row_start[x->law[i]]; k < b->row_start[x->law[i] + 1]; k++) x->offset[at++] = b->offset[k];
}

static void restrict_to(const picus_islands *x, int number, picus_island *out) {
  const int first = x->first_law[number] + number;
  const size_t begin = x->begin[number];
  out->blocks = (picus_block_matrix){.first_row = x->row_of + first,
                                     .row_start = x->start + first,
                                     .column = x->column + begin,
                                     .offset = x->offset + begin,
                                     .values = x->problem->blocks->values};
  out->problem.blocks = &out->blocks;
}

const picus_operator picus_block_operator = {
    .multiply = multiply,
    .law_velocity = law_velocity,
    .row_velocity = row_velocity,
    .own_block = own_block,
    .trace = trace,
    .row_sum = row_sum,
    .block_count = block_count,
    .block_at = block_at,
    .neighbours = neighbours,
    .expand = expand,
    .check_pattern = check_pattern,
    .check_numbers = check_numbers,
    .first_not_finite = first_not_finite,
    .is_alone = is_alone,
    .island_sizes = island_sizes,
    .join = join,
    .divide = divide,
    .restrict_to = restrict_to,
};
