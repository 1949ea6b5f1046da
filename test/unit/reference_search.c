/* The search for a reference: it reaches what is asked for, what it believes is true, and it says when it cannot. */
#define _POSIX_C_SOURCE 200809L
#include "reference_truth.h"

static const truth falling_mass = {
    .model = "falling-mass",
    .overrides = "",
    .table = "falling_point_mass.csv",
    .pairs = {{"z", "z"}, {"vz", "v_right"}},
    .t_end = 0.8,
    .sample = 1e-3,
    .accuracy = 1e-10,
    .table_accuracy = 1e-14,
    .times = {0.1194619265114655, 0.2867086236275172, 0.4037813116087534, 0.4857321931956187, 0.6769509168983046}};
static const truth sliding_mass = {.model = "sliding-mass",
                                   .overrides = "",
                                   .table = "sliding_point_mass.csv",
                                   .pairs = {{"x", "x"}, {"y", "y"}, {"vx", "ux"}, {"vy", "uy"}},
                                   .t_end = 4,
                                   .sample = 0.04,
                                   .accuracy = 1e-10,
                                   .table_accuracy = 1e-13,
                                   .times = {3.6656500437508606}};

static void falling_mass_is_true(void) {
  truth_check(&falling_mass);
  truth coarse = falling_mass; /* what is easily reached must be honest, too */
  coarse.accuracy = 1e-7;
  truth_check(&coarse);
}

static void sliding_mass_is_true(void) { truth_check(&sliding_mass); }

static void impact_oscillator_is_true(void) {
  truth is = {
      .model = "impact-oscillator",
      .overrides = "",
      .table = "impact_oscillator.csv",
      .pairs = {{"x", "x"}, {"v", "v_right"}},
      .t_end = 2,
      .sample = 5e-3,
      .accuracy = 1e-10,
      .table_accuracy = 1e-13,
      .times = {0.1395076798203084, 0.456188907937245, 0.8085980714963302, 1.1924024490498917, 1.5989361283819443}};
  truth_check(&is);
  is.scheme = "rattle";
  truth_check(&is);
}

static void slope_is_true(void) {
  truth is = {.model = "slope",
              .overrides = "case=1",
              .table = "mass_on_slope_case1.csv",
              .pairs = {{"x", "x"}, {"y", "y"}, {"ux", "ux"}, {"uy", "uy"}},
              .t_end = 3.2768,
              .sample = 1.6e-3,
              .accuracy = 1e-10,
              .table_accuracy = 1e-13,
              .times = {2.097352278603155}};
  truth_check(&is);
}

static void woodpecker_is_true(void) {
  truth is = {
      .model = "woodpecker",
      .overrides = "",
      .table = "woodpecker_A_1ms.csv",
      .pairs = {{"y", "y"}, {"phiM", "phiM"}, {"phiS", "phiS"}, {"v", "v"}, {"omegaM", "omM"}, {"omegaS", "omS"}},
      .t_end = 0.2,
      .sample = 1e-3,
      .accuracy = 1e-10,
      .table_accuracy = 1e-11,
      .time_table = "woodpecker_A_switching.csv"};
  truth_check(&is);
}

/* Below rounding: said, with what was reached, and the best run is kept. */
static void unreachable_accuracy_is_said(void) {
  simulation s;
  picus_reference_report report;
  picus_reference_options options = picus_default_reference_options();
  options.accuracy = 1e-17;
  options.path = scratch("reference.h5");
  CHECK(truth_search(&s, &sliding_mass, &options, &report) == PICUS_NOT_CONVERGED);
  const char *message = picus_last_error(s.context)->message;
  printf("  %s\n", message);
  CHECK(strstr(message, "the accuracy 1e-17 was not reached") && strstr(message, "round-off"));
  CHECK(!report.reached && report.best >= 1 && report.accuracy < 1e-10 && report.accuracy > 1e-16);
  picus_result *result = NULL;
  reference_table *table = reference_read(sliding_mass.table);
  if (CHECK(table && picus_result_open(s.context, options.path, &result) == PICUS_OK)) {
    CHECK(picus_result_number(result, "reference.reached") == 0);
    CHECK(picus_result_number(result, "reference.asked") == 1e-17);
    CHECK(picus_result_number(result, "reference.accuracy") == report.accuracy);
    for (int k = 0; k < 4; k++)
      CHECK(truth_error(result, table, sliding_mass.pairs[k]) <= report.accuracy + sliding_mass.table_accuracy);
  }
  FILE *part = fopen(scratch("reference.h5.part"), "rb");
  if (!CHECK(part == NULL)) fclose(part);
  reference_free(table);
  picus_result_close(result);
  simulation_close(&s);
  scratch_remove("reference.h5");
}

static void work_is_limited(void) {
  simulation s;
  picus_reference_report report;
  picus_reference_options options = picus_default_reference_options();
  options.work_most = 4000;
  CHECK(truth_search(&s, &falling_mass, &options, &report) == PICUS_NOT_CONVERGED);
  CHECK(strstr(picus_last_error(s.context)->message, "the work limit is reached"));
  CHECK(report.attempt_count >= 1 && report.base_steps >= 4000 && report.base_steps < 40000);
  simulation_close(&s);
}

static int stop_in_third(void *user, int attempt, double t, double t_end, long steps) {
  (void)t, (void)t_end, (void)steps;
  int *calls = user;
  ++*calls;
  return attempt >= 3;
}

static void interrupted_search_keeps_the_best(void) {
  simulation s;
  picus_reference_report report;
  int calls = 0;
  picus_reference_options options = picus_default_reference_options();
  options.progress = stop_in_third;
  options.user = &calls;
  options.path = scratch("reference.h5");
  CHECK(truth_search(&s, &falling_mass, &options, &report) == PICUS_INTERRUPTED);
  CHECK(calls > 2 && report.attempt_count == 2 && report.best == 1 && !report.reached);
  picus_result *result = NULL;
  if (CHECK(picus_result_open(s.context, options.path, &result) == PICUS_OK)) {
    CHECK(picus_result_number(result, "reference.attempts") == 2);
    CHECK_TEXT(picus_result_text(result, "status"), "done");
  }
  picus_result_close(result);
  simulation_close(&s);
  scratch_remove("reference.h5");
}

static void wrong_options_are_refused(void) {
  static const double accuracies[] = {0, -1e-3, (double)NAN, (double)INFINITY};
  picus_reference_report report;
  picus_reference_options options = picus_default_reference_options();
  for (int k = 0; k < 4; k++) {
    simulation s;
    options.accuracy = accuracies[k];
    CHECK(truth_search(&s, &falling_mass, &options, &report) == PICUS_ERROR_ARGUMENT);
    CHECK(report.attempt_count == 0 && report.best == -1);
    simulation_close(&s);
  }
  options = picus_default_reference_options();
  truth wrong[3] = {falling_mass, falling_mass, falling_mass};
  wrong[0].t_end = 0;
  wrong[1].scheme = "schatzman-paoli"; /* looks back at earlier steps: cannot be extrapolated */
  wrong[2].scheme = "no-such-scheme";
  for (int k = 0; k < 3; k++) {
    simulation s;
    CHECK(truth_search(&s, &wrong[k], &options, &report) < 0 && report.attempt_count == 0);
    simulation_close(&s);
  }
  simulation s;
  options.path = "/no/such/folder/reference.h5";
  CHECK(truth_search(&s, &falling_mass, &options, &report) == PICUS_ERROR_IO);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"falling_mass_is_true", falling_mass_is_true},
      {"sliding_mass_is_true", sliding_mass_is_true},
      {"impact_oscillator_is_true", impact_oscillator_is_true},
      {"slope_is_true", slope_is_true},
      {"woodpecker_is_true", woodpecker_is_true},
      {"unreachable_accuracy_is_said", unreachable_accuracy_is_said},
      {"work_is_limited", work_is_limited},
      {"interrupted_search_keeps_the_best", interrupted_search_keeps_the_best},
      {"wrong_options_are_refused", wrong_options_are_refused},
  };
  int code = test_main(argc, argv, "reference_search", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return code;
}
