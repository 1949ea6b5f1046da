/* What a reference estimates of itself is not less than its error: balls on random shaken tables, whose motion is known
 * from impact to impact. */
#define _POSIX_C_SOURCE 200809L
#include "record_fake.h"
#include "support/shaken_table.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/reference.h>
#include <stdio.h>
#include <string.h>

/* Largest error of a column over its range; velocities not where an impact is near. */
static double column_error(picus_result *result, const shaken_table *p, const char *name, bool is_velocity) {
  long rows = picus_result_row_count(result);
  const double *t = NULL, *x = NULL;
  double worst = 0, least = INFINITY, largest = -INFINITY;
  if (!CHECK(picus_result_values(result, 0, &t) == PICUS_OK && rows > 10) ||
      !CHECK(picus_result_values(result, picus_result_find(result, name), &x) == PICUS_OK))
    return INFINITY;
  for (long i = 0; i < rows; i++) {
    shaken_table here = *p, before = *p, after = *p;
    here.t_end = t[i];
    before.t_end = t[i] - 1e-6;
    after.t_end = t[i] + 1e-6;
    ball truth = shaken_table_solve(&here);
    bool is_near = shaken_table_solve(&before).impacts != shaken_table_solve(&after).impacts;
    least = fmin(least, x[i]);
    largest = fmax(largest, x[i]);
    if (i > 0 && !(is_velocity && is_near)) worst = fmax(worst, fabs(x[i] - (is_velocity ? truth.v : truth.y)));
  }
  return worst / (largest - least);
}

static bool search(const shaken_table *p, const char *scheme, double accuracy, double *estimate, double *error) {
  char overrides[200];
  simulation s;
  picus_sim_options o;
  picus_reference_report report;
  picus_reference_options options = picus_default_reference_options();
  shaken_table_overrides(p, overrides, sizeof overrides);
  if (!simulation_load(&s, TEST_DATA "/cases/shaken-table.lua", overrides, &o)) return false;
  o.scheme = scheme;
  o.t_end = p->t_end;
  o.sample = p->t_end / 40;
  options.accuracy = accuracy;
  options.work_most = 400000;
  options.path = scratch("estimate.h5");
  picus_run_description run = {.model = s.model, .system = s.system, .options = &o, .command = "test"};
  picus_status status = picus_reference_search(s.context, &run, &options, &report);
  picus_result *result = NULL;
  bool fine = CHECK(status == PICUS_OK || status == PICUS_NOT_CONVERGED) && isfinite(report.accuracy) &&
              CHECK(picus_result_open(s.context, options.path, &result) == PICUS_OK);
  if (fine) {
    *estimate = report.accuracy;
    *error = fmax(column_error(result, p, "y", false), column_error(result, p, "v", true));
  }
  picus_result_close(result);
  simulation_close(&s);
  scratch_remove("estimate.h5");
  return fine;
}

static void estimates_are_safe(void) {
  enum { CASES = 24 };
  static const double accuracies[] = {1e-6, 1e-8, 1e-10};
  static const char *const schemes[] = {"rattle", "moreau"};
  test_random random = {20240708};
  int used = 0, unsafe = 0;
  double worst = 0, mean = 0;
  for (int k = 0; k < CASES; k++) {
    const shaken_table p = shaken_table_random(&random);
    if (shaken_table_amplification(&p) > 1000) continue;
    for (int i = 0; i < 3; i++) {
      double estimate, error;
      if (!search(&p, schemes[k % 3 == 2], accuracies[i], &estimate, &error)) continue;
      used++;
      worst = fmax(worst, error / estimate);
      mean += log10(estimate / error);
      if (error <= estimate) continue;
      unsafe++;
      printf("  case %d, %s, accuracy %.0e: error %.2e, estimate %.2e\n", k, schemes[k % 3 == 2], accuracies[i], error,
             estimate);
    }
  }
  printf("  %d searches; error over estimate %.2g at worst, in the mean 10^%.2g\n", used, worst, -mean / used);
  CHECK(used > 2 * CASES && unsafe == 0);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"estimates_are_safe", estimates_are_safe}};
  int code = test_main(argc, argv, "reference_estimate", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return code;
}
