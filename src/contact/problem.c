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
  }
  return NULL;
}

/* Fewest and most rows of a law; false: an unknown kind. */
static bool row_range(picus_law_kind kind, int *low, int *high) {
  if (!kind_name(kind)) return false;
  *low = kind == PICUS_COULOMB ? 2 : 1;
  *high = kind == PICUS_COULOMB ? 4 : kind == PICUS_RESERVOIR ? 3 : 1;
  return true;
}

bool picus_contact_problem_fits(const picus_contact_problem *problem) {
  int rows = 0, low, high;
  if (problem->law_count < 0 || problem->size < 0) return false;
  for (int i = 0; i < problem->law_count; i++) {
    int dim = problem->laws[i].dim;
    if (!row_range(problem->laws[i].kind, &low, &high) || dim < low || dim > high) return false;
    if (dim > problem->size - rows) return false;
    rows += dim;
  }
  return rows == problem->size;
}

static bool rows_are_finite(const picus_contact_problem *problem, int first_row, int dim) {
  size_t size = (size_t)problem->size;
  const double *row = problem->G + (size_t)first_row * size;
  double sum = 0; /* stays 0 unless a number is not finite */
  for (size_t k = 0; k < (size_t)dim * size; k++) sum += 0 * row[k];
  for (int k = 0; k < dim; k++) sum += 0 * problem->c[first_row + k];
  return sum == 0;
}

static bool has_radius(picus_law_kind kind) { return kind == PICUS_COULOMB || kind == PICUS_RESERVOIR; }

int picus_contact_first_not_finite(const picus_contact_problem *problem) {
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i].dim, i++) {
    const picus_law *law = &problem->laws[i];
    if (!rows_are_finite(problem, row, law->dim)) return i;
    if (has_radius(law->kind) && !isfinite(law->radius)) return i;
  }
  return -1;
}

static picus_status check_law(picus_context *context, const picus_law *law, int number) {
  int low, high;
  if (!row_range(law->kind, &low, &high))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "law %d of the contact problem has the unknown kind %d", number,
                      (int)law->kind);
  if (law->dim < low || law->dim > high)
    return picus_fail(context, PICUS_ERROR_DIMENSION, "law %d (%s) has %d rows, but needs %d to %d", number,
                      kind_name(law->kind), law->dim, low, high);
  if (!has_radius(law->kind)) return PICUS_OK;
  const char *quantity = law->kind == PICUS_COULOMB ? "friction coefficient" : "largest percussion";
  if (!isfinite(law->radius))
    return picus_fail(context, PICUS_ERROR_NUMBER, "the %s of law %d is not a finite number", quantity, number);
  if (law->radius < 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the %s of law %d is %g, but cannot be negative", quantity, number,
                      law->radius);
  return PICUS_OK;
}

static picus_status check_numbers(picus_context *context, const picus_contact_problem *problem) {
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i].dim, i++)
    for (int r = row; r < row + problem->laws[i].dim; r++) {
      if (!isfinite(problem->c[r]))
        return picus_fail(context, PICUS_ERROR_NUMBER, "c[%d], in the rows of law %d, is not a finite number", r, i);
      for (int j = 0; j < problem->size; j++)
        if (!isfinite(problem->G[(size_t)r * (size_t)problem->size + (size_t)j]))
          return picus_fail(context, PICUS_ERROR_NUMBER, "G[%d][%d], in the rows of law %d, is not a finite number", r,
                            j, i);
    }
  return PICUS_OK;
}

picus_status picus_contact_problem_check(picus_context *context, const picus_contact_problem *problem) {
  if (problem->law_count < 0 || problem->size < 0)
    return picus_fail(context, PICUS_ERROR_DIMENSION, "a contact problem cannot have %d laws and %d rows",
                      problem->law_count, problem->size);
  if ((problem->law_count > 0 && !problem->laws) || (problem->size > 0 && !(problem->G && problem->c)))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the contact problem lacks its laws, its G or its c");
  long long rows = 0;
  for (int i = 0; i < problem->law_count; i++) {
    picus_status status = check_law(context, &problem->laws[i], i);
    if (status != PICUS_OK) return status;
    rows += problem->laws[i].dim;
  }
  if (rows != problem->size)
    return picus_fail(context, PICUS_ERROR_DIMENSION, "the %d laws have %lld rows together, but the problem has %d",
                      problem->law_count, rows, problem->size);
  return check_numbers(context, problem);
}
