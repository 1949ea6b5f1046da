#include "support/study.h"

#include "support/check.h"
#include "support/reference.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>

const int study_factors[STUDY_SIZES] = {1, 2, 3, 4, 5, 7, 10, 14, 19, 27, 38, 53};

typedef struct norms {
  double uniform, l1, l2;
  long impacts, chatter;
} norms;

static void add_error(norms *e, double error, double sample) {
  e->uniform = fmax(e->uniform, error);
  e->l1 += error * sample;
  e->l2 += error * error * sample;
}

static void add_errors(const study *c, const recorded_rows *rows, const reference_table *table, norms *e) {
  for (long k = 0; k < rows->row_count; k++) {
    double square = 0;
    for (int i = 0; i < STUDY_PAIRS && c->pairs[i][0]; i++) {
      double difference =
          recorded_value(rows, k, c->pairs[i][0]) - reference_value(table, k * c->stride, c->pairs[i][1]);
      CHECK(isfinite(difference));
      square += difference * difference;
    }
    add_error(e, sqrt(square), c->sample);
  }
}

static void add_oscillator_errors(const recorded_rows *rows, double sample, norms *e) {
  for (long k = 0; k < rows->row_count; k++)
    add_error(e, fabs(recorded_value(rows, k, "q") - study_oscillator(recorded_value(rows, k, "t"))), sample);
}

/* table NULL: the oscillator. */
static norms run_once(const study *c, const reference_table *table, const study_variant *variant, double dt) {
  simulation s;
  recorded_rows rows = {0};
  norms e = {NAN, NAN, NAN, 0, 0};
  picus_summary summary;
  picus_sim_options options;
  if (simulation_load(&s, c->model, c->overrides, &options)) {
    options.scheme = variant->scheme;
    options.dt = dt;
    options.t_end = c->t_end;
    options.sample = c->sample;
    options.every = 0;
    if (variant->prepare) variant->prepare(&options);
    if (simulation_start(&s, &options) && simulation_run(&s, &rows, &summary)) {
      CHECK_NEAR(recorded_value(&rows, rows.row_count - 1, "t"), c->t_end, 1e-12);
      e = (norms){.impacts = summary.impacts, .chatter = summary.chatter};
      if (table)
        add_errors(c, &rows, table, &e);
      else
        add_oscillator_errors(&rows, c->sample, &e);
      e.l2 = sqrt(e.l2);
    }
  }
  recorded_rows_free(&rows);
  simulation_close(&s);
  return e;
}

void study_check_order(const char *norm, const double *dt, const double *error, double low, double high) {
  double order = observed_order(STUDY_SIZES, dt, error);
  printf("    %-8s %.2e ... %.2e  order %.2f\n", norm, error[0], error[STUDY_SIZES - 1], order);
  CHECK(order > low && order < high);
}

static void run_sizes(const study *c, const reference_table *table, const study_variant *variant) {
  double dt[STUDY_SIZES], uniform[STUDY_SIZES], l1[STUDY_SIZES], l2[STUDY_SIZES];
  for (int i = 0; i < STUDY_SIZES; i++) {
    dt[i] = c->sample / (double)(study_factors[i] * c->coarsest);
    norms e = run_once(c, table, variant, dt[i]);
    uniform[i] = e.uniform, l1[i] = e.l1, l2[i] = e.l2;
  }
  if (variant->label) printf("  with %s\n", variant->label);
  printf("  %s %s, dt = %.2g ... %.2g\n", c->model, c->overrides, dt[0], dt[STUDY_SIZES - 1]);
  study_check_order("uniform", dt, uniform, 0.85, 1.5);
  study_check_order("l1", dt, l1, 0.85, 1.5);
  study_check_order("l2", dt, l2, 0.85, 1.5);
  CHECK(uniform[STUDY_SIZES - 1] < c->largest_error);
}

study_result study_measure(const study *c, const study_variant *variant, int sizes) {
  reference_table *table = c->reference[0] ? reference_read(c->reference) : NULL;
  double dt[STUDY_SIZES], uniform[STUDY_SIZES];
  norms e = {0};
  for (int i = 0; i < sizes; i++) {
    dt[i] = c->sample / (double)(study_factors[i] * c->coarsest);
    e = run_once(c, table, variant, dt[i]);
    uniform[i] = e.uniform;
  }
  if (table) reference_free(table);
  return (study_result){observed_order(sizes, dt, uniform), e.uniform, e.impacts, e.chatter};
}

void study_bound(const study *c, const study_variant *variant, double constant) {
  reference_table *table = reference_read(c->reference);
  REQUIRE(table);
  double largest = 0;
  for (int i = 0; i < STUDY_SIZES; i++) {
    const double dt = c->sample / (double)(study_factors[i] * c->coarsest);
    norms e = run_once(c, table, variant, dt);
    largest = e.uniform / dt <= largest ? largest : e.uniform / dt;
  }
  printf("  %s, %s %s: errors up to %.3g dt\n", variant->label, c->model, c->overrides, largest);
  CHECK(largest < constant);
  reference_free(table);
}

void study_run(const study *c, const study_variant *variant) {
  reference_table *table = reference_read(c->reference);
  REQUIRE(table);
  run_sizes(c, table, variant);
  reference_free(table);
}

double study_oscillator(double t) {
  double start = 0, q = 1, v = -1; /* of the current arc */
  for (int arc = 0; arc < 100; arc++) {
    /* q cos s + v sin s = 0 for the first s > 0; right after an impact q = 0 and s = pi */
    double s = q > 0 ? atan2(q, -v) : acos(-1.0);
    if (t < start + s) return q * cos(t - start) + v * sin(t - start);
    double before = -q * sin(s) + v * cos(s);
    start += s;
    q = 0;
    v = -0.5 * before;
  }
  return 0;
}

void study_run_oscillator(const study_variant *variant) {
  static const study c = {"linear-oscillator", "", "", 0.05, 1, 10, {{0}}, 1, 2e-3};
  run_sizes(&c, NULL, variant);
}
