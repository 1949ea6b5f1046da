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

static bool has_radius(picus_law_kind kind) {
  return kind == PICUS_COULOMB || kind == PICUS_RESERVOIR || kind == PICUS_ROLLING;
}

int picus_contact_first_not_finite(const picus_contact_problem *problem) {
  const int of_G = picus_operator_of(problem)->first_not_finite(problem);
  const bool c_is_finite = picus_all_finite(problem->c, (size_t)problem->size);
  for (int i = 0, row = 0; i < of_G; row += problem->laws[i++].dim) {
    const picus_law *law = &problem->laws[i];
    if (!c_is_finite && !picus_all_finite(problem->c + row, (size_t)law->dim)) return i;
    if (has_radius(law->kind) && !isfinite(law->radius)) return i;
  }
  return of_G < problem->law_count ? of_G : -1;
}

static picus_status check_rows(picus_context *context, const picus_contact_problem *problem, int number) {
  const picus_law *law = &problem->laws[number];
  const picus_law_kind kind = law->kind, before = number > 0 ? problem->laws[number - 1].kind : PICUS_BILATERAL;
  const int low = kind == PICUS_COULOMB ? 2 : 1;
  const int high = kind == PICUS_COULOMB ? 4 : kind == PICUS_RESERVOIR || kind == PICUS_ROLLING ? 3 : 1;
  if (!kind_name(kind))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "law %d of the contact problem has the unknown kind %d", number,
                      (int)law->kind);
  if (law->dim < low || law->dim > high)
    return picus_fail(context, PICUS_ERROR_DIMENSION, "law %d (%s) has %d rows; it needs %d to %d", number,
                      kind_name(law->kind), law->dim, low, high);
  if (kind == PICUS_ROLLING && before != PICUS_UNILATERAL && before != PICUS_COULOMB)
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "law %d is a rolling law; the law before it must be its contact, unilateral or Coulomb", number);
  return PICUS_OK;
}

/* The rows of the laws and the pattern of G. */
static picus_status check_structure(picus_context *context, const picus_contact_problem *problem) {
  if (problem->law_count < 0 || problem->size < 0)
    return picus_fail(context, PICUS_ERROR_DIMENSION, "a contact problem cannot have %d laws and %d rows",
                      problem->law_count, problem->size);
  long long rows = 0;
  for (int i = 0; i < problem->law_count; i++) {
    picus_status status = check_rows(context, problem, i);
    if (status) return status;
    rows += problem->laws[i].dim;
  }
  if (rows != problem->size)
    return picus_fail(context, PICUS_ERROR_DIMENSION, "the %d laws have %lld rows in total, but the problem has %d",
                      problem->law_count, rows, problem->size);
  const picus_operator *G = picus_operator_of(problem);
  return problem->size > 0 && G->check_pattern ? G->check_pattern(context, problem) : PICUS_OK;
}

bool picus_contact_problem_fits(const picus_contact_problem *problem) { return !check_structure(NULL, problem); }

static picus_status check_radius(picus_context *context, const picus_law *law, int number) {
  if (!has_radius(law->kind)) return PICUS_OK;
  const char *quantity = law->kind == PICUS_ROLLING   ? "rolling radius"
                         : law->kind == PICUS_COULOMB ? "friction coefficient"
                                                      : "largest percussion";
  if (!isfinite(law->radius))
    return picus_fail(context, PICUS_ERROR_NUMBER, "the %s of law %d is not a finite number", quantity, number);
  if (law->radius < 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the %s of law %d is %g; it must not be negative", quantity,
                      number, law->radius);
  return PICUS_OK;
}

static picus_status check_numbers(picus_context *context, const picus_contact_problem *problem) {
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i].dim, i++) {
    for (int r = row; r < row + problem->laws[i].dim; r++)
      if (!isfinite(problem->c[r]))
        return picus_fail(context, PICUS_ERROR_NUMBER, "c[%d], in the rows of law %d, is not a finite number", r, i);
    picus_status status = picus_operator_of(problem)->check_numbers(context, problem, i, row);
    if (status) return status;
  }
  return PICUS_OK;
}

picus_status picus_contact_problem_check(picus_context *context, const picus_contact_problem *problem) {
  int ways = (problem->G != NULL) + (problem->blocks != NULL) + (problem->factors != NULL);
  if ((problem->law_count > 0 && !problem->laws) || (problem->size > 0 && !(ways && problem->c)))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the contact problem has no laws, no G or no c");
  if (ways > 1)
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "the contact problem has more than one G; use one that is dense, block-sparse or factored");
  picus_status status = check_structure(context, problem);
  for (int i = 0; i < problem->law_count && !status; i++) status = check_radius(context, &problem->laws[i], i);
  return status ? status : check_numbers(context, problem);
}
