/* A reference that Picus finds, against the solution of test/data, which was found without time stepping. */
#ifndef PICUS_TEST_REFERENCE_TRUTH_H
#define PICUS_TEST_REFERENCE_TRUTH_H

#include "record_fake.h"
#include "support/reference.h"
#include "support/simulate.h"

#include <picus/reference.h>

enum { TRUTH_PAIRS = 6, TRUTH_TIMES = 8 };

typedef struct truth {
  const char *model, *overrides, *scheme, *table;
  const char *pairs[TRUTH_PAIRS][2]; /* column of the model, column of the table */
  double t_end, sample;
  double accuracy;           /* asked for */
  double table_accuracy;     /* relative to the range of a column */
  double times[TRUTH_TIMES]; /* of switching points that the event log must hold */
  const char *time_table;    /* or all of them, in a table */
} truth;

/* Searches with the options of the model as far as the truth does not say others. */
static inline picus_status truth_search(simulation *s, const truth *is, const picus_reference_options *options,
                                        picus_reference_report *report) {
  picus_sim_options o;
  if (!simulation_load(s, is->model, is->overrides, &o)) return PICUS_ERROR_ARGUMENT;
  o.scheme = is->scheme ? is->scheme : "moreau";
  o.t_end = is->t_end;
  o.sample = is->sample;
  picus_run_description run = {.model = s->model, .system = s->system, .options = &o, .command = "test"};
  return picus_reference_search(s->context, &run, options, report);
}

static inline bool truth_is_at_switching(const picus_switching *list, long count, double t) {
  for (long k = 0; k < count; k++)
    if (fabs(list[k].t - t) < 1e-8) return true;
  return false;
}

/* Largest error of a column relative to its range; velocities not at switching points. */
static inline double truth_error(picus_result *result, const reference_table *table, const char *const *pair) {
  const double *t, *values;
  const picus_switching *list;
  int column = picus_result_find(result, pair[0]);
  if (!CHECK(column >= 0 && picus_result_values(result, 0, &t) == PICUS_OK &&
             picus_result_values(result, column, &values) == PICUS_OK &&
             picus_result_switchings(result, &list) == PICUS_OK))
    return NAN;
  bool is_velocity = picus_result_column(result, column).kind == PICUS_COLUMN_VELOCITY;
  double worst = 0, low = INFINITY, high = -INFINITY;
  long compared = 0, rows = picus_result_row_count(result);
  for (long i = 0; i < rows && i < table->row_count; i++) {
    CHECK_NEAR(t[i], reference_value(table, i, "t"), 1e-13);
    low = fmin(low, values[i]);
    high = fmax(high, values[i]);
    if (is_velocity && truth_is_at_switching(list, picus_result_switching_count(result), t[i])) continue;
    compared++;
    worst = fmax(worst, fabs(values[i] - reference_value(table, i, pair[1])));
  }
  CHECK(2 * compared > rows);
  return worst / (high - low);
}

static inline double truth_time_error(picus_result *result, const truth *is) {
  const picus_switching *list;
  if (!CHECK(picus_result_switchings(result, &list) == PICUS_OK)) return NAN;
  long count = picus_result_switching_count(result);
  double worst = 0;
  for (int k = 0; k < TRUTH_TIMES && is->times[k] > 0; k++) {
    double nearest = INFINITY;
    for (long i = 0; i < count; i++) nearest = fmin(nearest, fabs(list[i].t - is->times[k]));
    worst = fmax(worst, nearest);
  }
  reference_table *table = is->time_table ? reference_read(is->time_table) : NULL;
  for (long i = 0; table && i < table->row_count && reference_value(table, i, "t") < is->t_end; i++)
    worst = i < count ? fmax(worst, fabs(list[i].t - reference_value(table, i, "t"))) : INFINITY;
  reference_free(table);
  return worst;
}

/* The accuracy asked for is reached, the one believed is honest, and switching times are as right as states. */
static inline void truth_check(const truth *is) {
  simulation s;
  picus_reference_report report;
  picus_reference_options options = picus_default_reference_options();
  options.accuracy = is->accuracy;
  options.path = scratch("reference.h5");
  picus_status status = truth_search(&s, is, &options, &report);
  if (status != PICUS_OK) printf("  %s\n", picus_last_error(s.context)->message);
  CHECK(status == PICUS_OK && report.reached && report.accuracy <= is->accuracy);
  picus_result *result = NULL;
  reference_table *table = reference_read(is->table);
  if (CHECK(table && picus_result_open(s.context, options.path, &result) == PICUS_OK)) {
    double worst = 0, times = truth_time_error(result, is);
    for (int k = 0; k < TRUTH_PAIRS && is->pairs[k][0]; k++)
      worst = fmax(worst, truth_error(result, table, is->pairs[k]));
    printf("  %s %s: asked %.0e, estimated %.1e, true %.1e, times %.1e s; %d attempts, %ld base steps\n", is->model,
           is->scheme ? is->scheme : "moreau", is->accuracy, report.accuracy, worst, times, report.attempt_count,
           report.base_steps);
    CHECK(worst <= report.accuracy + is->table_accuracy);
    CHECK(times <= 1e-8 && times <= report.accuracy * is->t_end + 1e-13);
    CHECK(picus_result_number(result, "reference.accuracy") == report.accuracy);
    CHECK(picus_result_number(result, "reference.attempts") == report.attempt_count);
    CHECK(picus_result_number(result, "reference.reached") == 1);
    CHECK_TEXT(picus_result_text(result, "status"), "done");
  }
  reference_free(table);
  picus_result_close(result);
  simulation_close(&s);
  scratch_remove("reference.h5");
}

#endif
