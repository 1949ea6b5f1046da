/* The shipped models of rigid bodies against their independent reference solutions.
 *
 * Slider-crank: after the corner hit at t = 0.0027 the outcome for schemes on velocity level depends on whether the
 * other corner is exactly closed, so that strict comparison (slider's angle and gaps) ends at 0.0026 for moreau; rattle
 * keeps closed contacts closed and follows the reference to its end. */
#include "support/check.h"
#include "support/reference.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>

enum { SIZES = 4, PAIRS_MOST = 6 };

typedef struct comparison {
  const char *model, *reference, *scheme;
  double sample, t_end;             /* the reference has the spacing of the samples */
  const char *pairs[PAIRS_MOST][2]; /* column of the model, column of the reference */
  double dt;                        /* largest step; halved SIZES - 1 times */
  double error;                     /* allowed at the smallest */
  double low, high;                 /* of the observed order */
} comparison;

static double largest_error(const comparison *c, const recorded_rows *rows, const reference_table *table) {
  double worst = 0;
  for (long k = 0; k < rows->row_count; k++)
    for (int i = 0; i < PAIRS_MOST && c->pairs[i][0]; i++) {
      double e = recorded_value(rows, k, c->pairs[i][0]) - reference_value(table, k, c->pairs[i][1]);
      worst = isfinite(e) ? fmax(worst, fabs(e)) : INFINITY;
    }
  return worst;
}

static bool run(const comparison *c, double dt, simulation *s, recorded_rows *rows, picus_summary *summary) {
  picus_sim_options options;
  *rows = (recorded_rows){0};
  if (!simulation_load(s, c->model, "", &options)) return false;
  options.scheme = c->scheme;
  options.dt = dt;
  options.t_end = c->t_end;
  options.sample = c->sample;
  options.every = 0;
  return simulation_start(s, &options) && simulation_run(s, rows, summary);
}

static void compare(const comparison *c) {
  reference_table *table = reference_read(c->reference);
  REQUIRE(table);
  double dt[SIZES] = {0}, error[SIZES] = {0};
  for (int i = 0; i < SIZES; i++) {
    simulation s;
    recorded_rows rows;
    picus_summary summary = {0};
    dt[i] = c->dt / (1 << i);
    error[i] = NAN;
    if (run(c, dt[i], &s, &rows, &summary)) error[i] = largest_error(c, &rows, table);
    recorded_rows_free(&rows);
    simulation_close(&s);
  }
  double order = observed_order(SIZES, dt, error);
  printf("    %s, %s to t = %g: %.2e ... %.2e, order %.2f\n", c->model, c->scheme, c->t_end, error[0], error[SIZES - 1],
         order);
  CHECK(error[SIZES - 1] < c->error);
  CHECK(order > c->low && order < c->high);
  reference_free(table);
}

#define CRANK "slider-crank-bodies", "slider_crank_R23.csv"
static void slider_crank_with_moreau(void) {
  static const comparison begin = {CRANK,
                                   "moreau",
                                   1e-4,
                                   0.0026,
                                   {{"phi1", "th1"},
                                    {"phi2", "th2"},
                                    {"phi3", "th3"},
                                    {"corner1.gap", "g1"},
                                    {"corner2.gap", "g2"},
                                    {"corner3.gap", "g3"}},
                                   2e-5,
                                   5e-5,
                                   0.8,
                                   1.3};
  static const comparison crank = {CRANK, "moreau", 1e-4, 0.04, {{"phi1", "th1"}, {"phi2", "th2"}},
                                   2e-5,  3e-3,     0.85, 1.2};
  compare(&begin);
  compare(&crank);
}

static void slider_crank_with_rattle(void) {
  static const comparison all = {
      CRANK,
      "rattle",
      1e-4,
      0.15,
      {{"phi1", "th1"}, {"phi2", "th2"}, {"phi3", "th3"}, {"corner1.gap", "g1"}, {"corner4.gap", "g4"}},
      1e-4,
      3e-4,
      0.7,
      1.7};
  compare(&all);
}

/* R23 5.2 at its step size: no gap below -1e-10 m, joints closed to 1e-10 m, in every step. */
static void slider_crank_keeps_its_joints_closed(void) {
  static const comparison c = {CRANK, "rattle", 1e-4, 0.15, {{NULL, NULL}}, 1e-4, 0, 0, 0};
  simulation s;
  recorded_rows rows;
  picus_summary summary = {0};
  REQUIRE(run(&c, 1e-4, &s, &rows, &summary));
  CHECK(summary.gaps.penetration < 1e-10);
  CHECK(summary.status == PICUS_OK && summary.steps == 1500);
  static const char *const joints[] = {"bearing_x",  "bearing_y",   "crankpin_x",
                                       "crankpin_y", "sliderpin_x", "sliderpin_y"};
  double open = 0;
  for (long k = 0; k < rows.row_count; k++)
    for (int i = 0; i < 6; i++) {
      char name[32];
      snprintf(name, sizeof name, "%s.gap", joints[i]);
      open = fmax(open, fabs(recorded_value(&rows, k, name)));
    }
  CHECK(open < 1e-10);
  recorded_rows_free(&rows);
  simulation_close(&s);
}

#define DISK "tippedisk", "tippedisk_mu0.3.csv"
static void tippedisk_with_moreau(void) {
  static const comparison height = {DISK, "moreau", 0.01, 1, {{"z", "z"}, {"x", "x"}}, 2e-4, 5e-5, 0.9, 1.1};
  static const comparison turning = {DISK, "moreau", 0.01, 1, {{"beta", "beta"}, {"p0", "p0"}}, 2e-4, 3e-3, 0.9, 1.1};
  compare(&height);
  compare(&turning);
}

/* The direction of slip turns; rattle takes it in the mean of a step and keeps order 2. */
static void tippedisk_with_rattle(void) {
  static const comparison height = {DISK, "rattle", 0.01, 4, {{"z", "z"}}, 2e-3, 3e-5, 1.8, 2.2};
  compare(&height);
}

/* Breuling et al. 2023, Fig. 10: the centre of mass rises above the centre of the disk at t = 0.40 and stays there. */
static void tippedisk_turns_over(void) {
  static const struct {
    const char *scheme;
    double dt, height;
  } runs[] = {{"moreau", 1e-4, 1.5e-4}, {"rattle", 1e-3, 1.5e-4}};
  for (int k = 0; k < 2; k++) {
    comparison c = {DISK, runs[k].scheme, 0.01, 4, {{NULL, NULL}}, runs[k].dt, 0, 0, 0};
    simulation s;
    recorded_rows rows;
    picus_summary summary = {0};
    REQUIRE(run(&c, runs[k].dt, &s, &rows, &summary));
    double up = NAN;
    for (long i = rows.row_count - 1; i >= 0 && recorded_value(&rows, i, "z") > 0.045; i--)
      up = recorded_value(&rows, i, "t");
    CHECK_NEAR(up, 0.40, 0.0101);
    CHECK_NEAR(recorded_value(&rows, rows.row_count - 1, "z"), 0.0474588636011, runs[k].height);
    CHECK(summary.energy.end < summary.energy.start);
    recorded_rows_free(&rows);
    simulation_close(&s);
  }
}

/* The extrapolated solution of an adaptive run, quaternions included, over the first second. */
static void tippedisk_adaptively(void) {
  static const comparison c = {
      DISK, "moreau", 0.01, 1, {{"z", "z"}, {"x", "x"}, {"beta", "beta"}, {"p0", "p0"}, {"p3", "p3"}}, 0, 0, 0, 0};
  reference_table *table = reference_read(c.reference);
  simulation s;
  recorded_rows rows = {0};
  picus_summary summary = {0};
  adaptive_run run = {.dt_min = 1e-5, .dt_max = 1e-2, .tolerance = 1e-11, .t_end = 1, .sample = 0.01};
  REQUIRE(table);
  REQUIRE(simulation_open_adaptive(&s, c.model, "", run));
  REQUIRE(simulation_run(&s, &rows, &summary));
  double error = largest_error(&c, &rows, table), length = 0;
  for (long k = 0; k < rows.row_count; k++) {
    double square = -1;
    for (int i = 0; i < 4; i++) {
      char name[8];
      snprintf(name, sizeof name, "p%d", i);
      square += recorded_value(&rows, k, name) * recorded_value(&rows, k, name);
    }
    length = fmax(length, fabs(square));
  }
  printf("    tippedisk, adaptive moreau: %.2e with %ld steps\n", error, summary.steps);
  CHECK(error < 1e-7 && length < 1e-14);
  recorded_rows_free(&rows);
  reference_free(table);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case list[] = {
      {"slider_crank_with_moreau", slider_crank_with_moreau},
      {"slider_crank_with_rattle", slider_crank_with_rattle},
      {"slider_crank_keeps_its_joints_closed", slider_crank_keeps_its_joints_closed},
      {"tippedisk_with_moreau", tippedisk_with_moreau},
      {"tippedisk_with_rattle", tippedisk_with_rattle},
      {"tippedisk_turns_over", tippedisk_turns_over},
      {"tippedisk_adaptively", tippedisk_adaptively},
  };
  return test_main(argc, argv, "bodies_models", list, sizeof list / sizeof *list);
}
