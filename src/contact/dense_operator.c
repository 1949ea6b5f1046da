/* G as an operator, dense: all entries are stored, row-major. */
#include "base/disjoint_sets.h"
#include "base/internal.h"
#include "contact/internal.h"

#include <string.h>

/* The numbers from a row and a column on. */
static const double *entries(const picus_contact_problem *problem, int row, int column) {
  return problem->G + (size_t)row * (size_t)problem->size + (size_t)column;
}

/* --- velocities ----------------------------------------------------------------------------------------------- */

static void multiply(const picus_contact_problem *problem, const double *P, double *xi) {
  picus_evaluate_rows(problem->G, problem->c, problem->size, problem->size, P, xi);
}

/* With constants for planar and spatial contacts, by far the most frequent laws. */
static void law_velocity(const picus_contact_problem *problem, int law, int first_row, const double *P, double *xi) {
  const double *rows = entries(problem, first_row, 0), *c = problem->c + first_row;
  const int dim = problem->laws[law].dim;
  if (dim == 2)
    picus_evaluate_rows(rows, c, problem->size, 2, P, xi);
  else if (dim == 3)
    picus_evaluate_rows(rows, c, problem->size, 3, P, xi);
  else
    picus_evaluate_rows(rows, c, problem->size, dim, P, xi);
}

static double row_velocity(const picus_contact_problem *problem, int law, int first_row, int row, const double *P) {
  double xi;
  (void)law;
  picus_evaluate_rows(entries(problem, first_row + row, 0), problem->c + first_row + row, problem->size, 1, P, &xi);
  return xi;
}

/* --- numbers -------------------------------------------------------------------------------------------------- */

static const double *own_block(const picus_contact_problem *problem, int law, int first_row,
                               double own[PICUS_OWN_BLOCK], size_t *stride) {
  (void)law;
  (void)own;
  *stride = (size_t)problem->size;
  return entries(problem, first_row, first_row);
}

static double trace(const picus_contact_problem *problem, int law, int first_row) {
  double sum = 0;
  for (int k = first_row; k < first_row + problem->laws[law].dim; k++) sum += fabs(*entries(problem, k, k));
  return sum;
}

static double row_sum(const picus_contact_problem *problem, int law, int first_row, int row, const double *weight,
                      double start) {
  const double *numbers = entries(problem, first_row + row, 0);
  (void)law;
  for (int j = 0; j < problem->size; j++) start += fabs(weight ? numbers[j] * weight[j] : numbers[j]);
  return start;
}

static int block_count(const picus_contact_problem *problem, int law) {
  (void)law;
  return problem->law_count;
}

static picus_block block_at(const picus_contact_problem *problem, const int *first_row, int law, int number) {
  return (picus_block){.values = entries(problem, first_row[law], first_row[number]),
                       .stride = (size_t)problem->size,
                       .law = number,
                       .first_row = first_row[number],
                       .dim = problem->laws[number].dim};
}

static double neighbours(const picus_contact_problem *problem) { return problem->law_count; }

/* --- other forms ---------------------------------------------------------------------------------------------- */

/* Contacts and their rolling laws have the same blocks: for either the rows of both. */
static int pair_rows(const picus_contact_problem *problem, int law, int *row) {
  if (picus_law_is_rolled(problem, law)) return problem->laws[law].dim + problem->laws[law + 1].dim;
  if (problem->laws[law].kind != PICUS_ROLLING) return problem->laws[law].dim;
  *row -= problem->laws[law - 1].dim;
  return problem->laws[law - 1].dim + problem->laws[law].dim;
}

static bool is_kept(const picus_contact_problem *problem, int i, int j, int row, int column) {
  const size_t stride = (size_t)problem->size;
  const int rows = pair_rows(problem, i, &row), columns = pair_rows(problem, j, &column);
  if (row == column) return true;
  const double *values = entries(problem, row, column);
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
      size_t rows = (size_t)problem->laws[i].dim, columns = (size_t)problem->laws[j].dim;
      const double *source = entries(problem, row, column);
      if (storage) {
        storage->column[*blocks] = j;
        storage->offset[*blocks] = *values;
        for (size_t k = 0; k < rows; k++)
          memcpy(storage->values + *values + k * columns, source + k * (size_t)problem->size, columns * sizeof *source);
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

/* --- well formed? --------------------------------------------------------------------------------------------- */

static picus_status check_numbers(picus_context *context, const picus_contact_problem *problem, int law,
                                  int first_row) {
  for (int row = first_row; row < first_row + problem->laws[law].dim; row++)
    for (int j = 0; j < problem->size; j++)
      if (!isfinite(*entries(problem, row, j)))
        return picus_fail(context, PICUS_ERROR_NUMBER, "G[%d][%d], in the rows of law %d, is not a finite number", row,
                          j, law);
  return PICUS_OK;
}

static int first_not_finite(const picus_contact_problem *problem) {
  const size_t size = (size_t)problem->size;
  int law = 0;
  if (picus_all_finite(problem->G, size * size)) return problem->law_count;
  for (int row = 0; law < problem->law_count; row += problem->laws[law++].dim)
    if (!picus_all_finite(entries(problem, row, 0), (size_t)problem->laws[law].dim * size)) break;
  return law;
}

/* --- islands -------------------------------------------------------------------------------------------------- */

static bool is_alone(const picus_contact_problem *problem, int law, int first_row) {
  const int end = first_row + problem->laws[law].dim;
  for (int row = first_row; row < end; row++) {
    const double *numbers = entries(problem, row, 0);
    for (int j = 0; j < first_row; j++)
      if (numbers[j] != 0) return false;
    for (int j = end; j < problem->size; j++)
      if (numbers[j] != 0) return false;
  }
  return true;
}

static picus_island_sizes island_sizes(const picus_contact_problem *problem) {
  return (picus_island_sizes){.numbers = (size_t)problem->size * (size_t)problem->size};
}

static int join(picus_islands *x) {
  const int laws = x->problem->law_count, size = x->problem->size;
  int joined = 0;
  for (int i = 0; i < laws && joined < laws - 1; i++) /* most mechanisms are one island: the first rows show it */
    for (int row = x->problem_row[i]; row < x->problem_row[i + 1]; row++) {
      const double *numbers = entries(x->problem, row, 0);
      for (int k = 0, j = 0; k < size; k++) {
        if (numbers[k] == 0) continue; /* NaN is not 0 */
        while (k >= x->problem_row[j + 1]) j++;
        if (x->island[i] != x->island[j]) joined += picus_sets_join(x->island, i, j);
      }
    }
  return joined;
}

static void divide(picus_islands *x) {
  size_t at = 0;
  for (int k = 0; k < x->count; k++) {
    x->begin[k] = at;
    for (int i = x->first_law[k]; i < x->first_law[k + 1]; i++)
      for (int row = x->problem_row[x->law[i]]; row < x->problem_row[x->law[i] + 1]; row++)
        for (int j = x->first_law[k]; j < x->first_law[k + 1]; j++) {
          const size_t dim = (size_t)x->laws[j].dim;
          memcpy(x->G + at, entries(x->problem, row, x->problem_row[x->law[j]]), dim * sizeof *x->G);
          at += dim;
        }
  }
}

static void restrict_to(const picus_islands *x, int number, picus_island *out) {
  out->problem.G = x->G + x->begin[number];
}

const picus_operator picus_dense_operator = {
    .is_whole = true,
    .multiply = multiply,
    .law_velocity = law_velocity,
    .row_velocity = row_velocity,
    .own_block = own_block,
    .trace = trace,
    .row_sum = row_sum,
    .block_count = block_count,
    .block_at = block_at,
    .neighbours = neighbours,
    .store_blocks = picus_block_storage_from_dense,
    .check_numbers = check_numbers,
    .first_not_finite = first_not_finite,
    .is_alone = is_alone,
    .island_sizes = island_sizes,
    .join = join,
    .divide = divide,
    .restrict_to = restrict_to,
};
