/* Contact problems of heaps that settle, a part of their contacts slipping. The smoothed path from everywhere to the
 * solution has folds there: ordinary steps in kappa stop at 4e-8 and 2e-9 of the scale. */
#include "support/check.h"

#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>

/* From nothing, by one solver; what it needs and reaches. */
static void solve(const char *file, const char *name, int most_iterations) {
  char path[256];
  picus_context *context;
  picus_problem *problem;
  picus_solver *solver;
  picus_solve_info info;
  picus_solver_options options = picus_default_solver_options();
  options.solver = name;
  options.tolerance = 1e-10;
  snprintf(path, sizeof path, "%s/problems/%s.hdf5", TEST_DATA, file);
  REQUIRE(!picus_context_create(NULL, &context));
  REQUIRE(!picus_problem_read(context, path, &problem));
  REQUIRE(!picus_solver_create(context, &options, &solver));
  const picus_contact_problem *contacts = picus_problem_contacts(problem);
  double *P = calloc((size_t)contacts->size, sizeof *P);
  picus_mode *modes = calloc((size_t)contacts->law_count, sizeof *modes);
  REQUIRE(P && modes);
  picus_status status = picus_solver_solve(solver, contacts, P, modes, &info);
  printf("  %s, %s: %d iterations, residual %.1e\n", file, name, info.iterations, info.residual.relative);
  CHECK(status == PICUS_OK && info.residual.relative <= 1e-10);
  CHECK(info.iterations <= most_iterations);
  free(P);
  free(modes);
  picus_solver_destroy(solver);
  picus_problem_destroy(problem);
  picus_context_destroy(context);
}

static void heap_that_settles(void) {
  solve("heap-64-settling", "homotopy", 400);
  solve("heap-64-settling", "auto", 800);
}

static void heap_that_slips(void) {
  solve("heap-64-slipping", "homotopy", 400);
  solve("heap-64-slipping", "auto", 800);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"heap_that_settles", heap_that_settles}, {"heap_that_slips", heap_that_slips}};
  return test_main(argc, argv, "solver_folds", cases, sizeof cases / sizeof cases[0]);
}
