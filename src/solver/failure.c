/* Why a problem was not solved, as one message: the fact, the law by its number in the whole, the remedy. */
#include "solver/internal.h"

#include "base/internal.h"

#include <stdio.h>

enum { MORE_TEXT = 160, LAWS_NAMED = 8 };

void picus_write_names(char text[PICUS_NAMES_TEXT], const char *(*next)(const void *user, int k), const void *user) {
  text[0] = '\0';
  for (int k = 0, used = 0; next(user, k) && used >= 0 && used < PICUS_NAMES_TEXT; k++)
    used += snprintf(text + used, (size_t)(PICUS_NAMES_TEXT - used), "%s%s", k ? ", " : "", next(user, k));
}

static int number_of(picus_law_numbers laws, int law) { return laws.numbers && law >= 0 ? laws.numbers[law] : law; }

static const char *tried_at(const void *user, int k) {
  const picus_unsolved *u = user;
  return k < u->tried_count ? u->tried[k] : NULL;
}

/* ": laws 0, 3, 4 cannot be satisfied together", or nothing if none are known. */
static void write_conflict(const picus_unsolved *u, char text[MORE_TEXT]) {
  int count = u->conflict_count, named = count < LAWS_NAMED ? count : LAWS_NAMED;
  size_t used = 0;
  if (count == 0) return;
  used += (size_t)snprintf(text, MORE_TEXT, count == 1 ? ": law" : ": laws");
  for (int k = 0; k < named; k++)
    used += (size_t)snprintf(text + used, MORE_TEXT - used, "%s %d", k ? "," : "", number_of(u->laws, u->conflict[k]));
  if (count > named) used += (size_t)snprintf(text + used, MORE_TEXT - used, " and %d others", count - named);
  (void)snprintf(text + used, MORE_TEXT - used, " cannot be satisfied%s", count > 1 ? " together" : "");
}

picus_status picus_fail_unsolved(picus_context *context, const picus_unsolved *u) {
  char tried[PICUS_NAMES_TEXT], more[MORE_TEXT] = "";
  picus_write_names(tried, tried_at, u);
  if (u->no_solution)
    write_conflict(u, more);
  else if (u->best->facets) /* the problem that was solved instead */
    (void)snprintf(more, MORE_TEXT,
                   " with round friction cones, only with pyramids of %d facets (more facets reduce the error)",
                   u->best->facets);
  return picus_fail(context, u->no_solution ? PICUS_NO_SOLUTION : PICUS_NOT_CONVERGED,
                    "%s%s: the best relative residual is %.3g (tolerance %.3g), worst at law %d of 0 to %d; tried: %s",
                    u->no_solution ? "the contact problem seems to have no solution"
                                   : "the contact problem was not solved",
                    more, u->best->residual.relative, u->tolerance, number_of(u->laws, u->best->residual.worst_law),
                    u->laws.whole_laws - 1, tried);
}

picus_status picus_fail_kind(picus_context *context, const char *solver, picus_law_numbers laws, int law,
                             const char *why) {
  return picus_fail(context, PICUS_ERROR_UNSUPPORTED, "the solver %s cannot solve law %d: %s; choose gs or auto",
                    solver, number_of(laws, law), why);
}

picus_status picus_fail_not_finite(picus_context *context, picus_law_numbers laws, int law) {
  return picus_fail(context, PICUS_NOT_CONVERGED,
                    "the contact problem cannot be solved: a number in the rows or the radius of law %d is not finite",
                    number_of(laws, law));
}

picus_status picus_fail_rows(picus_context *context, const picus_contact_problem *problem) {
  return picus_fail(context, PICUS_ERROR_DIMENSION,
                    "the rows of the %d laws do not match the %d rows of the contact problem", problem->law_count,
                    problem->size);
}
