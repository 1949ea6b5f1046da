/* Is a contact problem well formed? */
#include "base/internal.h"
#include "contact/internal.h"

static const char *kind_name(picus_law_kind kind) {
  switch (kind) {
  case PICUS_BILATERAL:
    return "bilateral";
  case PICUS_UNILATERAL:
    return "unilateral";
  case PICUS_COULOMB:
    return "Coulomb";
  case PICUS_RESERVOIR:
    return "reservoir";
  case PICUS_ROLLING:
    return "rolling";
  }
  return NULL;
}

/* Fewest and most rows of a law; false: an unknown kind. */
static bool row_range(picus_law_kind kind, int *low, int *high) {
  if (!kind_name(kind)) return false;
  *low = kind == PICUS_COULOMB ? 2 : 1;
  *high = kind == PICUS_COULOMB ? 4 : kind == PICUS_RESERVOIR || kind == PICUS_ROLLING ? 3 : 1;
  return true;
}

/* Whether a law has a normal percussion for the rolling law behind it. */
static bool can_roll(const picus_contact_problem *problem, int law) {
  if (law < 0) return false;
  return problem->laws[law].kind == PICUS_UNILATERAL || problem->laws[law].kind == PICUS_COULOMB;
}

/* Solvers eliminate P_N of the contact from the rows of a rolling law: both have the same columns. */
static bool same_ints(int count, const int *a, const int *b) {
  for (int k = 0; k < count; k++)
    if (a[k] != b[k]) return false;
  return true;
}

static bool lists_agree(const int *start, const int *column, int law) {
  const int count = start[law + 1] - start[law];
  return count == start[law] - start[law - 1] && same_ints(count, column + start[law], column + start[law - 1]);
}

/* Every row that has the block of a rolling law has that of its contact, and the other way round. */
static bool rolling_blocks_fit(const picus_contact_problem *problem, int law) {
  const picus_block_matrix *blocks = problem->blocks;
  if (problem->laws[law].kind == PICUS_ROLLING && !lists_agree(blocks->row_start, blocks->column, law)) return false;
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
static bool block_row_fits(const picus_contact_problem *problem, int law) {
  const picus_block_matrix *blocks = problem->blocks;
  int begin = blocks->row_start[law], end = blocks->row_start[law + 1], previous = -1;
  bool diagonal = false;
  if (begin > end) return false;
  for (int b = begin; b < end; b++) {
    if (blocks->column[b] <= previous || blocks->column[b] >= problem->law_count) return false;
    previous = blocks->column[b];
    diagonal = diagonal || previous == law;
  }
  return diagonal && rolling_blocks_fit(problem, law);
}

/* The pattern of the blocks; the laws have been found to fit. */
static bool blocks_fit(const picus_contact_problem *problem) {
  const picus_block_matrix *blocks = problem->blocks;
  if (!blocks || blocks->row_start[0] != 0) return false;
  int row = 0;
  for (int i = 0; i < problem->law_count; row += problem->laws[i++].dim)
    if (blocks->first_row[i] != row || !block_row_fits(problem, i)) return false;
  return blocks->first_row[problem->law_count] == row;
}

/* The columns of one law: increasing, within the velocities. */
static bool columns_fit(const picus_factored_matrix *f, int law) {
  int previous = -1;
  if (f->start[law] > f->start[law + 1]) return false;
  for (int c = f->start[law]; c < f->start[law + 1]; c++) {
    if (f->column[c] <= previous || f->column[c] >= f->unknowns) return false;
    previous = f->column[c];
  }
  return true;
}

static bool rolling_columns_fit(const picus_contact_problem *problem, int law) {
  return problem->laws[law].kind != PICUS_ROLLING ||
         lists_agree(problem->factors->start, problem->factors->column, law);
}

static bool factors_fit(const picus_contact_problem *problem) {
  if (problem->factors->unknowns < 0 || problem->factors->start[0] != 0) return false;
  for (int i = 0; i < problem->law_count; i++)
    if (!columns_fit(problem->factors, i) || !rolling_columns_fit(problem, i)) return false;
  return true;
}

bool picus_contact_problem_fits(const picus_contact_problem *problem) {
  int rows = 0, low, high;
  if (problem->law_count < 0 || problem->size < 0) return false;
  for (int i = 0; i < problem->law_count; i++) {
    int dim = problem->laws[i].dim;
    if (!row_range(problem->laws[i].kind, &low, &high) || dim < low || dim > high) return false;
    if (dim > problem->size - rows) return false;
    if (problem->laws[i].kind == PICUS_ROLLING && !can_roll(problem, i - 1)) return false;
    rows += dim;
  }
  if (rows != problem->size) return false;
  if (problem->factors) return problem->size == 0 || factors_fit(problem);
  return problem->G || problem->size == 0 || blocks_fit(problem);
}

/* 0, or NaN if a number is not finite. */
static double zero_times(size_t count, const double *x) {
  double sums[4] = {0, 0, 0, 0}; /* side by side: a sum waits for the one before */
  size_t k = 0;
  for (; k + 4 <= count; k += 4)
    for (int i = 0; i < 4; i++) sums[i] += 0 * x[k + (size_t)i];
  for (; k < count; k++) sums[0] += 0 * x[k];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* The same for the numbers of a law in both factors. */
static double zero_times_factors(const picus_contact_problem *problem, int law) {
  const picus_factored_matrix *f = problem->factors;
  size_t count = (size_t)problem->laws[law].dim * (size_t)(f->start[law + 1] - f->start[law]);
  return zero_times(count, f->W + f->offset[law]) + zero_times(count, f->change + f->offset[law]);
}

static bool rows_are_finite(const picus_contact_problem *problem, int law, int first_row) {
  size_t dim = (size_t)problem->laws[law].dim, size = (size_t)problem->size;
  double sum = zero_times(dim, problem->c + first_row);
  if (problem->G) return sum + zero_times(dim * size, problem->G + (size_t)first_row * size) == 0;
  if (problem->factors && problem->factors->trace && isfinite(problem->factors->trace[law]))
    return sum == 0; /* a finite sum of products with all numbers of the law */
  if (problem->factors) return sum + zero_times_factors(problem, law) == 0;
  const picus_block_matrix *blocks = problem->blocks;
  for (int b = blocks->row_start[law]; b < blocks->row_start[law + 1]; b++)
    sum += zero_times(dim * (size_t)problem->laws[blocks->column[b]].dim, blocks->values + blocks->offset[b]);
  return sum == 0;
}

static bool has_radius(picus_law_kind kind) {
  return kind == PICUS_COULOMB || kind == PICUS_RESERVOIR || kind == PICUS_ROLLING;
}

/* All of a dense G and of c at once. */
static bool whole_is_finite(const picus_contact_problem *problem) {
  const size_t size = (size_t)problem->size;
  return problem->G && picus_all_finite(problem->G, size * size) && picus_all_finite(problem->c, size);
}

int picus_contact_first_not_finite(const picus_contact_problem *problem) {
  const bool known = whole_is_finite(problem);
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i].dim, i++) {
    const picus_law *law = &problem->laws[i];
    if (!known && !rows_are_finite(problem, i, row)) return i;
    if (has_radius(law->kind) && !isfinite(law->radius)) return i;
  }
  return -1;
}

static const char *radius_name(picus_law_kind kind) {
  if (kind == PICUS_ROLLING) return "rolling radius";
  return kind == PICUS_COULOMB ? "friction coefficient" : "largest percussion";
}

static picus_status check_law(picus_context *context, const picus_contact_problem *problem, int number) {
  const picus_law *law = &problem->laws[number];
  int low, high;
  if (!row_range(law->kind, &low, &high))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "law %d of the contact problem has the unknown kind %d", number,
                      (int)law->kind);
  if (law->dim < low || law->dim > high)
    return picus_fail(context, PICUS_ERROR_DIMENSION, "law %d (%s) has %d rows; it needs %d to %d", number,
                      kind_name(law->kind), law->dim, low, high);
  if (law->kind == PICUS_ROLLING && !can_roll(problem, number - 1))
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "law %d is a rolling law; the law before it must be its contact, unilateral or Coulomb", number);
  if (!has_radius(law->kind)) return PICUS_OK;
  const char *quantity = radius_name(law->kind);
  if (!isfinite(law->radius))
    return picus_fail(context, PICUS_ERROR_NUMBER, "the %s of law %d is not a finite number", quantity, number);
  if (law->radius < 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the %s of law %d is %g; it must not be negative", quantity,
                      number, law->radius);
  return PICUS_OK;
}

static picus_status check_blocks(picus_context *context, const picus_contact_problem *problem) {
  const picus_block_matrix *blocks = problem->blocks;
  if (!(blocks->first_row && blocks->row_start && blocks->column && blocks->offset && blocks->values))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "an array of the blocks of G is missing");
  if (blocks->row_start[0] != 0)
    return picus_fail(context, PICUS_ERROR_DIMENSION, "the blocks of law 0 start at %d; they must start at 0",
                      blocks->row_start[0]);
  for (int i = 0, row = 0; i <= problem->law_count; row += i < problem->law_count ? problem->laws[i].dim : 0, i++) {
    if (blocks->first_row[i] != row)
      return picus_fail(context, PICUS_ERROR_DIMENSION,
                        "first_row[%d] of the blocks is %d; for these laws it must be %d", i, blocks->first_row[i],
                        row);
    if (i < problem->law_count && !block_row_fits(problem, i))
      return picus_fail(context, PICUS_ERROR_DIMENSION,
                        "the blocks of law %d must have increasing columns from 0 to %d, including the diagonal block; "
                        "a rolling law has the blocks of its contact",
                        i, problem->law_count - 1);
  }
  return PICUS_OK;
}

static picus_status check_factors(picus_context *context, const picus_contact_problem *problem) {
  const picus_factored_matrix *f = problem->factors;
  if (!(f->start && f->column && f->offset && f->W && f->change && f->scratch))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "an array of the factors of G is missing");
  if (f->unknowns < 0 || f->start[0] != 0)
    return picus_fail(context, PICUS_ERROR_DIMENSION,
                      "the factors of G have %d velocities, and the columns of law 0 start at %d instead of 0",
                      f->unknowns, f->start[0]);
  for (int i = 0; i < problem->law_count; i++)
    if (!columns_fit(f, i))
      return picus_fail(context, PICUS_ERROR_DIMENSION,
                        "the columns of law %d in the factors of G must increase, from 0 to %d", i, f->unknowns - 1);
  for (int i = 0; i < problem->law_count; i++)
    if (!rolling_columns_fit(problem, i))
      return picus_fail(context, PICUS_ERROR_DIMENSION,
                        "the rolling law %d has other columns in the factors of G than its contact, law %d; give both "
                        "the same ones",
                        i, i - 1);
  return PICUS_OK;
}

static picus_status check_factor_numbers(picus_context *context, const picus_contact_problem *problem, int law) {
  if (zero_times_factors(problem, law) == 0) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_NUMBER,
                    "the factors of G have a number that is not finite in the rows of law %d", law);
}

static picus_status check_block_numbers(picus_context *context, const picus_contact_problem *problem, int law) {
  const picus_block_matrix *blocks = problem->blocks;
  for (int b = blocks->row_start[law]; b < blocks->row_start[law + 1]; b++) {
    int j = blocks->column[b];
    size_t count = (size_t)problem->laws[law].dim * (size_t)problem->laws[j].dim;
    if (zero_times(count, blocks->values + blocks->offset[b]) != 0)
      return picus_fail(context, PICUS_ERROR_NUMBER,
                        "the block of G between laws %d and %d has a number that is not finite", law, j);
  }
  return PICUS_OK;
}

static picus_status check_row_numbers(picus_context *context, const picus_contact_problem *problem, int law, int row) {
  for (int j = 0; j < problem->size; j++)
    if (!isfinite(problem->G[(size_t)row * (size_t)problem->size + (size_t)j]))
      return picus_fail(context, PICUS_ERROR_NUMBER, "G[%d][%d], in the rows of law %d, is not a finite number", row, j,
                        law);
  return PICUS_OK;
}

static picus_status check_numbers(picus_context *context, const picus_contact_problem *problem) {
  picus_status status = PICUS_OK;
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i].dim, i++) {
    for (int r = row; r < row + problem->laws[i].dim && !status; r++) {
      if (!isfinite(problem->c[r]))
        return picus_fail(context, PICUS_ERROR_NUMBER, "c[%d], in the rows of law %d, is not a finite number", r, i);
      if (problem->G) status = check_row_numbers(context, problem, i, r);
    }
    if (problem->blocks && !status) status = check_block_numbers(context, problem, i);
    if (problem->factors && !status) status = check_factor_numbers(context, problem, i);
    if (status) return status;
  }
  return PICUS_OK;
}

picus_status picus_contact_problem_check(picus_context *context, const picus_contact_problem *problem) {
  if (problem->law_count < 0 || problem->size < 0)
    return picus_fail(context, PICUS_ERROR_DIMENSION, "a contact problem cannot have %d laws and %d rows",
                      problem->law_count, problem->size);
  int ways = (problem->G != NULL) + (problem->blocks != NULL) + (problem->factors != NULL);
  if ((problem->law_count > 0 && !problem->laws) || (problem->size > 0 && !(ways && problem->c)))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the contact problem has no laws, no G or no c");
  if (ways > 1)
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "the contact problem has more than one G; use one that is dense, block-sparse or factored");
  long long rows = 0;
  for (int i = 0; i < problem->law_count; i++) {
    picus_status status = check_law(context, problem, i);
    if (status) return status;
    rows += problem->laws[i].dim;
  }
  if (rows != problem->size)
    return picus_fail(context, PICUS_ERROR_DIMENSION, "the %d laws have %lld rows in total, but the problem has %d",
                      problem->law_count, rows, problem->size);
  if (problem->blocks && problem->law_count > 0) {
    picus_status status = check_blocks(context, problem);
    if (status) return status;
  }
  if (problem->factors && problem->law_count > 0) {
    picus_status status = check_factors(context, problem);
    if (status) return status;
  }
  return check_numbers(context, problem);
}
