/* The work of a sweep and of a factorization. The coefficients are fitted to measured times of gs and newton
 * (bench/README.md, "Profile"): within a factor of 1.5 for 6 to 4000 rows. */
#include "solver/work.h"

#include "linalg/internal.h"
#include "solver/coupled.h"

#define NUMBER_SWEPT 0.7   /* for each number of G */
#define LAW_SWEPT 50.0     /* for each law: its own problem, and its share of the mixing */
#define ROW_FACTORED 300.0 /* for each row: assembly, and the other parts of a step; */
#define ROW_ANALYSED 500.0 /* the same with an elimination order, where zeros are skipped */
#define NUMBER_FACTORED 4.0
#define DENSE_CUBE 0.04       /* for the cube of the rows: elimination without zeros */
#define SPARSE_OPERATION 0.75 /* elimination that skips zeros */

static double numbers_of(const picus_contact_problem *problem) {
  const picus_block_matrix *b = picus_contact_pattern(problem);
  double numbers = 0;
  if (!b) return (double)problem->size * problem->size;
  for (int i = 0; i < problem->law_count; i++) {
    int width = 0;
    for (int k = b->row_start[i]; k < b->row_start[i + 1]; k++) width += problem->laws[b->column[k]].dim;
    numbers += (double)width * problem->laws[i].dim;
  }
  return numbers;
}

double picus_sweep_work(const picus_contact_problem *problem) {
  return NUMBER_SWEPT * numbers_of(problem) + LAW_SWEPT * problem->law_count;
}

double picus_factor_work(const picus_contact_problem *problem, double share) {
  const double rows = share * problem->size, dense = DENSE_CUBE * rows * rows * rows + ROW_FACTORED * rows;
  const picus_block_matrix *pattern = picus_contact_pattern(problem);
  if (problem->size <= PICUS_SPARSE_ROWS || !pattern) return dense;
  /* each block as one number, with the mean of the rows of a law */
  const double operations = picus_sparse_operations(problem->law_count, pattern->row_start, pattern->column);
  const double dim = rows / problem->law_count;
  if (operations < 0) return dense;
  return SPARSE_OPERATION * operations * dim * dim * dim + ROW_ANALYSED * rows +
         NUMBER_FACTORED * share * share * numbers_of(problem);
}
