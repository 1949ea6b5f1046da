/* Adaptive runs of shipped models against their references: the examples of Studer, Leine and Glocker 2008, section 10,
 * switching times, and states inside of steps. */
#include "support/check.h"
#include "support/reference.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool run(const char *model, const char *overrides, adaptive_run options, recorded_rows *rows,
                picus_summary *summary) {
  simulation s;
  *rows = (recorded_rows){0};
  bool fine = simulation_open_adaptive(&s, model, overrides, options) && simulation_run(&s, rows, summary);
  simulation_close(&s);
  return fine;
}

/* Times at which the mode of a law changes, from rows of every step; from the second row on, as the first one knows no
 * mode. */
enum { CHANGES_MOST = 256 };
typedef struct mode_change {
  double t;
  int from, to;
} mode_change;
static int mode_changes(const recorded_rows *rows, const char *law, mode_change *changes) {
  char column[64];
  snprintf(column, sizeof column, "%s.mode", law);
  int count = 0;
  for (long i = 2; i < rows->row_count && count < CHANGES_MOST; i++) {
    int from = (int)recorded_value(rows, i - 1, column), to = (int)recorded_value(rows, i, column);
    if (from != to) changes[count++] = (mode_change){recorded_value(rows, i, "t"), from, to};
  }
  return count;
}

static double largest_difference(const recorded_rows *rows, const char *column, const reference_table *table,
                                 const char *reference_column) {
  double worst = 0;
  CHECK(rows->row_count == table->row_count);
  for (long i = 0; i < rows->row_count && i < table->row_count; i++) {
    CHECK_NEAR(recorded_value(rows, i, "t"), reference_value(table, i, "t"), 1e-12);
    worst = fmax(worst, fabs(recorded_value(rows, i, column) - reference_value(table, i, reference_column)));
  }
  return worst;
}

/* --- 10.1 -----------------------------------------------------------------------------------------------------------
 */

static double largest_step_after(const recorded_rows *rows, double t) {
  double largest = 0;
  for (long i = 0; i < rows->row_count; i++)
    if (recorded_value(rows, i, "t") > t) largest = fmax(largest, recorded_value(rows, i, "dt"));
  return largest;
}

/* Fig. 10: impacts resolved, two rows in flight, the accumulation point at 0.677 s passed, and the step grows again. */
static void falling_mass_passes_the_accumulation_point(void) {
  static const double impacts[] = {0.1194619265114655, 0.2867086236275172, 0.4037813116087534, 0.4857321931956187};
  recorded_rows rows;
  picus_summary summary = {0};
  mode_change changes[CHANGES_MOST] = {0};
  REQUIRE(run("falling-mass", "", (adaptive_run){.dt_min = 1e-5, .dt_max = 0.05}, &rows, &summary));
  int count = mode_changes(&rows, "table", changes), closings = 0;
  for (int i = 0; i < count; i++)
    if (changes[i].to != PICUS_OPEN && closings < 4) CHECK_NEAR(changes[i].t, impacts[closings++], 4e-5);
  CHECK(closings == 4);
  for (long i = 1; i < rows.row_count; i++) /* the parabola needs no more than two rows, of even powers */
    if (recorded_value(&rows, i, "table.mode") == PICUS_OPEN) CHECK(recorded_value(&rows, i, "order") <= 4);
  CHECK(largest_step_after(&rows, 0.7) == 0.05);
  CHECK(fabs(recorded_value(&rows, rows.row_count - 1, "z")) < 1e-6);
  CHECK(recorded_value(&rows, rows.row_count - 1, "table.mode") == PICUS_STICK);
  printf("  %ld steps, %ld base steps, %ld switching points\n", summary.steps, summary.adaptive.base_steps,
         summary.adaptive.switching_points);
  recorded_rows_free(&rows);
}

static double step_after_accumulation(bool natural, const char *restitution, int order, double tolerance,
                                      long *switching_points) {
  recorded_rows rows;
  picus_summary summary = {0};
  adaptive_run options = {.dt_min = 1e-5,
                          .dt_max = 0.05,
                          .natural_substeps = natural,
                          .restitution = restitution,
                          .order = order,
                          .tolerance = tolerance};
  if (!run("falling-mass", "", options, &rows, &summary)) return NAN;
  double largest = largest_step_after(&rows, 0.75);
  *switching_points = summary.adaptive.switching_points;
  recorded_rows_free(&rows);
  return largest;
}

/* Fig. 9: where restitution acts in every step, 1, 2, 3, ... substeps make extrapolation pump energy into the resting
 * contact, and the step stays small; with odd numbers, with the modified restitution of section 8.2, or where
 * restitution acts in impacts alone, it does not. The test of the error sees the steps that pump. */
static void natural_substeps_fail_after_the_accumulation_point(void) {
  long failed_points = 0, points = 0;
  double failed = step_after_accumulation(true, "always", 4, 0, &failed_points);
  double odd = step_after_accumulation(false, "always", 4, 0, &points);
  printf("  order 4, largest step after 0.75 s: %.2g s (%ld switching points), odd substeps %.2g s (%ld)\n", failed,
         failed_points, odd, points);
  CHECK(failed < 1e-3 && failed_points > 1000);
  CHECK(odd == 0.05 && points < 100);
  CHECK(step_after_accumulation(true, "modified", 4, 0, &points) == 0.05);
  CHECK(step_after_accumulation(true, "impacts", 4, 0, &points) == 0.05 && points < 100);
  CHECK(step_after_accumulation(true, "impacts", 0, 1e-8, &points) == 0.05);
}

/* The finer dt_min, the more impacts are resolved; the work grows with log^2, not with 1 / dt_min. */
static void accumulation_points_cost_bounded_work(void) {
  static const struct {
    const char *model, *overrides;
  } models[] = {{"falling-mass", ""}, {"bouncing-ball", ""}, {"rotating-ball", "eN=0.5"}, {"ball-in-box", ""}};
  for (int m = 0; m < 4; m++)
    for (double dt_min = 1e-6; dt_min > 5e-15; dt_min *= 1e-4) {
      recorded_rows rows;
      picus_summary summary = {0};
      REQUIRE(
          run(models[m].model, models[m].overrides, (adaptive_run){.dt_min = dt_min, .dt_max = 0.05}, &rows, &summary));
      printf("  %-13s dt_min = %.0e: %ld base steps, %ld switching points\n", models[m].model, dt_min,
             summary.adaptive.base_steps, summary.adaptive.switching_points);
      CHECK(summary.adaptive.base_steps < 10000 && summary.adaptive.switching_points < 1000);
      CHECK(largest_step_after(&rows, 1.3) > 0.04 && summary.gaps.penetration < 10 * dt_min);
      recorded_rows_free(&rows);
    }
}

/* A lasting contact with restitution on a curved surface: (-e)^n is no polynomial in 1 / n, and extrapolation does not
 * gain orders where it acts in every step. The modified restitution, and restitution in impacts alone, restore them.
 * Without an impact restitution does not change the motion. */
static void restitution_in_impacts_restores_the_order(void) {
  static const char *const names[] = {"always", "modified", "impacts"};
  picus_summary summary[3] = {{0}};
  for (int k = 0; k < 3; k++) {
    bool modified = k > 0;
    recorded_rows rows;
    adaptive_run options = {
        .dt_min = 1e-9, .dt_max = 0.05, .tolerance = modified ? 1e-10 : 1e-6, .order_max = 8, .restitution = names[k]};
    REQUIRE(run("slope", "case=2,eN=0.5", options, &rows, &summary[k]));
    double error = fabs(recorded_value(&rows, rows.row_count - 1, "x") - 2.980388542798626);
    printf("  tolerance %.0e, %s: x off by %.1e, %ld base steps\n", options.tolerance, names[k], error,
           summary[k].adaptive.base_steps);
    CHECK(error < (modified ? 1e-10 : 1e-6));
    recorded_rows_free(&rows);
  }
  CHECK(summary[1].adaptive.base_steps < summary[0].adaptive.base_steps / 10 &&
        summary[2].adaptive.base_steps < summary[0].adaptive.base_steps / 10);
}

/* --- 10.2 -----------------------------------------------------------------------------------------------------------
 */

static void sliding_mass_stops_at_the_right_time(void) {
  recorded_rows rows;
  picus_summary summary = {0};
  mode_change changes[CHANGES_MOST] = {0};
  adaptive_run options = {.dt_min = 1e-9, .dt_max = 0.5, .tolerance = 1e-11, .order_max = 8};
  REQUIRE(run("sliding-mass", "", options, &rows, &summary));
  REQUIRE(mode_changes(&rows, "table", changes) == 1 && summary.adaptive.switching_points == 1);
  CHECK(changes[0].from == PICUS_SLIP && changes[0].to == PICUS_STICK);
  CHECK_NEAR(changes[0].t, 3.6656500437508606, 1e-8);
  bool at_event = false; /* the force is switched off at t = 3: a step ends there exactly */
  double least = 1, order = 0;
  for (long i = 0; i < rows.row_count; i++) {
    double t = recorded_value(&rows, i, "t");
    at_event = at_event || t == 3;
    if (t > 0.3 && t < 0.7) least = fmin(least, recorded_value(&rows, i, "dt"));
    order = fmax(order, recorded_value(&rows, i, "order"));
    if (t > 1) CHECK(recorded_value(&rows, i, "dt") > 0);
  }
  CHECK(at_event && least < 0.1 && order > 2); /* small steps of high order where the mass turns round */
  long last = rows.row_count - 1;
  printf("  stop at t - 3.66565004375 = %.1e s, x, y off by %.1e, %.1e m, %ld base steps\n",
         changes[0].t - 3.6656500437508606, recorded_value(&rows, last, "x") + 1.711878974036901,
         recorded_value(&rows, last, "y") + 0.2987708687605685, summary.adaptive.base_steps);
  CHECK_NEAR(recorded_value(&rows, last, "x"), -1.711878974036901, 1e-8);
  CHECK_NEAR(recorded_value(&rows, last, "y"), -0.2987708687605685, 1e-8);
  recorded_rows_free(&rows);
}

/* --- 10.3 -----------------------------------------------------------------------------------------------------------
 */

static double oscillator_error(int order, double dt_max, picus_summary *summary) {
  recorded_rows rows;
  double dt_min = fmax(pow(dt_max, order), 1e-15);
  if (!run("impact-oscillator", "", (adaptive_run){.dt_min = dt_min, .dt_max = dt_max, .order = order}, &rows, summary))
    return NAN;
  long last = rows.row_count - 1;
  double error = recorded_value(&rows, last, "x") + 0.01303663110665511;
  recorded_rows_free(&rows);
  return error;
}

/* The largest distance of the values to the line through them with the least squares, over the largest value. */
static double deviation_from_line(int count, const double *x, const double *values) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, largest = 0, worst = 0;
  for (int i = 0; i < count; i++) {
    sx += x[i];
    sy += values[i];
    sxx += x[i] * x[i];
    sxy += x[i] * values[i];
  }
  double slope = (count * sxy - sx * sy) / (count * sxx - sx * sx), level = (sy - slope * sx) / count;
  for (int i = 0; i < count; i++) {
    largest = fmax(largest, fabs(values[i]));
    worst = fmax(worst, fabs(values[i] - level - slope * x[i]));
  }
  return worst / largest;
}

/* Fig. 12(e): order p with dt_min = dt_max^p. Impacts leave an error of -A dt_max^p. The smooth motion leaves one of
 * dt_max^p, but B dt_max^(p+1) for odd p: no force depends on velocities, so that Moreau's rule is its own inverse. The
 * two have different signs, and a slope in a double logarithmic plot says nothing near their common zero. So the error
 * over dt_max^p must be a straight line over dt_max. In steps of order 1 impacts lie anywhere. */
static void impact_oscillator_converges_with_the_order(void) {
  enum { SIZES = 8 };
  static const double first[] = {0.004, 0.016, 0.03, 0.03, 0.035, 0.035};
  for (int order = 1; order <= 6; order++) {
    double dt[SIZES] = {0}, error[SIZES] = {0}, scaled[SIZES] = {0};
    picus_summary summary = {0};
    printf("  order %d:", order);
    for (int i = 0; i < SIZES; i++) {
      dt[i] = first[order - 1] * pow(0.8, i);
      error[i] = oscillator_error(order, dt[i], &summary);
      scaled[i] = error[i] / pow(dt[i], order);
      error[i] = fabs(error[i]);
      printf(" %.1e", error[i]);
    }
    double slope = observed_order(SIZES, dt, error), deviation = deviation_from_line(SIZES, dt, scaled);
    printf("  slope %.2f, off the line by %.2f, %ld base steps at last\n", slope, deviation,
           summary.adaptive.base_steps);
    if (order == 1) CHECK(fabs(slope - 1) < 0.5);
    if (order > 1) CHECK(deviation < 0.15);
    if (order % 2 == 0) CHECK(fabs(slope - order) < 0.5);
  }
}

/* --- switching times ------------------------------------------------------------------------------------------------
 */

typedef struct expected_switch {
  const char *model, *overrides, *law;
  int from, to; /* -1: any */
  double t;
} expected_switch;

static void switching_times_to_1e_8_s(void) {
  static const expected_switch expected[] = {
      {"impact-oscillator", "", "stop", 0, 1, 0.1395076798203084},
      {"impact-oscillator", "", "stop", 0, 1, 0.456188907937245},
      {"impact-oscillator", "", "stop", 0, 1, 0.8085980714963302},
      {"impact-oscillator", "", "stop", 0, 1, 1.1924024490498917},
      {"impact-oscillator", "", "stop", 0, 1, 1.5989361283819443},
      {"sliding-mass", "", "table", 2, 1, 3.6656500437508606},
      {"rotating-ball", "omega=50,eN=0", "ground", 0, 2, 0.4283529368781193},
      {"rotating-ball", "omega=50,eN=0", "ground", 2, 1, 0.72811999417504},
      {"rotating-ball", "omega=10,eN=0", "ground", 0, 1, 0.4283529368781193},
      {"slope", "case=1", "slope", 2, 1, 2.097352278603155},
      {"slope", "case=2", "slope", 2, 1, 1.929586120330021},
      {"slope", "case=3", "slope", 2, 1, 2.219785424249797},
      {"slope", "case=4", "slope", 0, 2, 0.3162277660168379},
      {"slope", "case=4", "slope", 2, 1, 2.187883174130931},
  };
  double worst = 0;
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    const expected_switch *e = &expected[i];
    recorded_rows rows;
    picus_summary summary = {0};
    mode_change changes[CHANGES_MOST] = {0};
    adaptive_run options = {.dt_min = 1e-10, .dt_max = 0.05, .tolerance = 1e-11, .order_max = 8};
    REQUIRE(run(e->model, e->overrides, options, &rows, &summary));
    double nearest = INFINITY;
    int count = mode_changes(&rows, e->law, changes);
    for (int k = 0; k < count; k++)
      if (changes[k].from == e->from && changes[k].to == e->to) nearest = fmin(nearest, fabs(changes[k].t - e->t));
    if (!CHECK(nearest < 1e-8)) printf("  %s %s at %.9f: nearest %.1e s off\n", e->model, e->overrides, e->t, nearest);
    worst = fmax(worst, nearest);
    recorded_rows_free(&rows);
  }
  printf("  all within %.1e s\n", worst);
}

/* Slope, case 3: planar friction turns round at 0.1076556 s, from slip to slip, and that is a switching point. */
static void a_reversal_of_slip_is_a_switching_point(void) {
  recorded_rows rows;
  picus_summary summary = {0};
  adaptive_run options = {.dt_min = 1e-9, .dt_max = 0.05, .tolerance = 1e-10, .order_max = 8};
  REQUIRE(run("slope", "case=3", options, &rows, &summary));
  CHECK(summary.adaptive.switching_points >= 2 && summary.adaptive.switching_points <= 3);
  double least = 1, at = 0;
  for (long i = 1; i < rows.row_count; i++) {
    double t = recorded_value(&rows, i, "t");
    if (t < 0.05 || t > 1 || recorded_value(&rows, i, "dt") >= least) continue;
    least = recorded_value(&rows, i, "dt");
    at = t;
  }
  CHECK(least < 1.5e-9);
  CHECK_NEAR(at, 0.1076556385518922, 1e-8);
  recorded_rows_free(&rows);
}

/* Any one-step scheme makes the substeps; one that looks back is refused. */
static void every_one_step_scheme_can_be_the_base(void) {
  static const char *const schemes[] = {"moreau", "moreau-jean", "moreau-projected", "moreau-combined", "rattle"};
  for (int i = 0; i < 5; i++) {
    recorded_rows rows;
    picus_summary summary = {0};
    adaptive_run options = {.dt_min = 1e-9, .dt_max = 0.05, .tolerance = 1e-9, .order_max = 8, .scheme = schemes[i]};
    REQUIRE(run("slope", "case=4", options, &rows, &summary));
    double error = fabs(recorded_value(&rows, rows.row_count - 1, "x") - 3.163866134325354);
    printf("  %-16s x off by %.1e, %ld steps, %ld base steps, %ld switching points\n", schemes[i], error, summary.steps,
           summary.adaptive.base_steps, summary.adaptive.switching_points);
    CHECK(error < 1e-8 && summary.adaptive.base_steps < 20000);
    recorded_rows_free(&rows);
  }
  simulation s;
  picus_sim_options options;
  REQUIRE(simulation_load(&s, "bouncing-ball", "", &options));
  options.adaptive = true;
  options.scheme = "schatzman-paoli";
  picus_sim *sim = NULL;
  CHECK(picus_sim_create(s.context, s.system, &options, &sim) == PICUS_ERROR_UNSUPPORTED && !sim);
  simulation_close(&s);
}

/* --- states inside of steps ------------------------------------------------------------------------------------------
 */

/* Samples every 1.6 ms in steps of up to 50 ms: as accurate as the steps, and they do not change them. */
static void samples_are_as_accurate_as_steps(void) {
  static const struct {
    const char *overrides, *table;
  } cases[] = {{"case=1", "mass_on_slope_case1.csv"},
               {"case=2", "mass_on_slope_case2.csv"},
               {"case=3", "mass_on_slope_case3.csv"},
               {"case=4", "mass_on_slope_case4.csv"}};
  for (int c = 0; c < 4; c++) {
    recorded_rows rows, steps;
    picus_summary summary = {0}, plain = {0};
    adaptive_run options = {.dt_min = 1e-11, .dt_max = 0.05, .tolerance = 1e-11, .order_max = 8};
    REQUIRE(run("slope", cases[c].overrides, options, &steps, &plain));
    options.sample = 1.6e-3;
    REQUIRE(run("slope", cases[c].overrides, options, &rows, &summary));
    CHECK(summary.steps == plain.steps && summary.adaptive.base_steps == plain.adaptive.base_steps);
    reference_table *table = reference_read(cases[c].table);
    REQUIRE(table);
    double x = largest_difference(&rows, "x", table, "x"), u = largest_difference(&rows, "ux", table, "ux");
    long last = rows.row_count - 1;
    double end = fabs(recorded_value(&steps, steps.row_count - 1, "x") - reference_value(table, last, "x"));
    printf("  %s: %ld steps, %ld samples; x off by %.1e, ux by %.1e at most, x at the end by %.1e\n",
           cases[c].overrides, summary.steps, rows.row_count, x, u, end);
    CHECK(x < 1e-10 && u < 2e-10);
    reference_free(table);
    recorded_rows_free(&rows);
    recorded_rows_free(&steps);
  }
}

/* Where few samples fall into a step each of them is a step of its own; where many do, a polynomial is made: both give
 * the same. */
static void few_and_many_samples_agree(void) {
  recorded_rows few, many;
  picus_summary summary = {0};
  adaptive_run options = {.dt_min = 1e-9, .dt_max = 0.04, .tolerance = 1e-9, .sample = 0.02};
  REQUIRE(run("impact-oscillator", "", options, &few, &summary));
  options.sample = 0.02 / 64;
  REQUIRE(run("impact-oscillator", "", options, &many, &summary));
  REQUIRE(few.row_count == 101 && many.row_count == 6401);
  double worst = 0;
  for (long i = 0; i < few.row_count; i++)
    worst = fmax(worst, fabs(recorded_value(&few, i, "v") - recorded_value(&many, 64 * i, "v")));
  printf("  largest difference of velocities %.1e m/s\n", worst);
  CHECK(worst < 1e-8);
  recorded_rows_free(&few);
  recorded_rows_free(&many);
}

/* --- rounding
 * --------------------------------------------------------------------------------------------------------- */

/* A friction law whose argument lies on the boundary of its set, but for rounding, all the time: no switching points.
 * Sliding down an incline at its angle of friction the mass keeps its speed, and at rest it may stick or slip. */
static const char incline[] = "model('incline', 'at the angle of friction')\n"
                              "local q, u = coordinates {{'x', velocity = 'vx', start = {0, %s}},\n"
                              "                          {'y', velocity = 'vy', start = {0, 0}}}\n"
                              "kinetic(3 * (u.vx^2 + u.vy^2) / 2)\n"
                              "force {x = 3 * 9.81 * sin(0.3), y = -3 * 9.81 * cos(0.3)}\n"
                              "contact {'plane', gap = q.y, slip = u.vx, mu = tan(0.3)}\n"
                              "simulate {adaptive = true, dt_min = 1e-8, dt_max = 0.1, t_end = 5}\n";

/* A tolerance that rounding forbids does not lead to steps of dt_min. */
static void tolerances_below_rounding_are_not_waited_for(void) {
  recorded_rows rows;
  picus_summary summary = {0};
  adaptive_run options = {.dt_min = 1e-10, .dt_max = 0.05, .tolerance = 1e-18, .order_max = 8};
  REQUIRE(run("slope", "case=2", options, &rows, &summary));
  printf("  %ld steps, %ld base steps\n", summary.steps, summary.adaptive.base_steps);
  CHECK(summary.adaptive.base_steps < 1000000 && summary.adaptive.switching_points == 1);
  CHECK_NEAR(recorded_value(&rows, rows.row_count - 1, "x"), 2.980388542798626, 1e-11);
  recorded_rows_free(&rows);
}

static void rounding_makes_no_switching_points(void) {
  static const char *const speeds[] = {"0", "0.7"};
  for (int i = 0; i < 2; i++) {
    char source[1024];
    snprintf(source, sizeof source, incline, speeds[i]);
    simulation s = {0};
    picus_summary summary = {0};
    REQUIRE(picus_context_create(NULL, &s.context) == PICUS_OK);
    REQUIRE(picus_model_load_text(s.context, "incline", source, strlen(source), NULL, &s.model) == PICUS_OK);
    REQUIRE(picus_system_create(s.model, &s.system) == PICUS_OK);
    picus_sim_options options = picus_model_sim_options(s.model);
    CHECK(options.adaptive && options.dt_min == 1e-8 && options.dt_max == 0.1);
    REQUIRE(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_OK);
    REQUIRE(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
    printf("  speed %s: %ld steps, %ld switching points, x = %.12g\n", speeds[i], summary.steps,
           summary.adaptive.switching_points, picus_sim_state(s.sim).q[0]);
    CHECK(summary.adaptive.switching_points == 0 && summary.steps < 200);
    simulation_close(&s);
  }
}

/* --- ends and failures ------------------------------------------------------------------------------------------- */

/* An impact just before the end of the run: the last step is not confirmed by a step behind it, and yet it must not run
 * through the table. */
static void an_impact_just_before_the_end(void) {
  const double impact = 0.1194619265114655;
  for (int k = 1; k <= 20; k++) {
    recorded_rows rows;
    picus_summary summary = {0};
    adaptive_run options = {.dt_min = 1e-8, .dt_max = 0.05, .t_end = impact + k * 1e-4};
    REQUIRE(run("falling-mass", "", options, &rows, &summary));
    long last = rows.row_count - 1;
    double after = options.t_end - impact, v = 0.7 * 1.1719214990774767;
    CHECK(recorded_value(&rows, last, "t") == options.t_end);
    CHECK_NEAR(recorded_value(&rows, last, "z"), v * after - 0.5 * 9.81 * after * after, 3e-8);
    recorded_rows_free(&rows);
  }
}

/* A mass that flies into a wall, with a force that cannot be evaluated far inside of it: long steps would go there. */
static int wall_mass(void *user, double t, const double *q, double *M) {
  (void)user, (void)t, (void)q;
  M[0] = 1;
  return 0;
}
static int wall_force(void *user, double t, const double *q, const double *u, double *h) {
  (void)t, (void)u;
  int *refused = user;
  h[0] = 0;
  if (q[0] >= -0.001) return 0;
  ++*refused;
  return 1;
}
/* As a search for neighbours may say it: far away, and no more than that. No step can predict the impact. */
static int wall_gap(void *user, double t, const double *q, double *gap) {
  (void)user, (void)t;
  gap[0] = q[0] > 0.3 ? q[0] + 5 : q[0];
  return 0;
}
static int wall_direction(void *user, double t, const double *q, double *W, double *chi) {
  (void)user, (void)t, (void)q, (void)chi;
  W[0] = 1;
  return 0;
}

static void base_steps_that_fail_are_made_shorter(void) {
  static const double q_start[] = {1}, u_start[] = {-1};
  static const picus_system_law wall = {.name = "wall", .kind = PICUS_UNILATERAL, .has_gap = true, .eN = 0.5};
  picus_system_functions functions = {.nq = 1,
                                      .nu = 1,
                                      .q_start = q_start,
                                      .u_start = u_start,
                                      .law_count = 1,
                                      .laws = &wall,
                                      .mass = wall_mass,
                                      .force = wall_force,
                                      .gaps = wall_gap,
                                      .directions = wall_direction};
  int refused = 0;
  simulation s = {0};
  picus_summary summary = {0};
  REQUIRE(picus_context_create(NULL, &s.context) == PICUS_OK);
  REQUIRE(picus_system_from_functions(s.context, &functions, &refused, &s.system) == PICUS_OK);
  picus_sim_options options = picus_default_sim_options();
  options.adaptive = true;
  options.dt_min = 1e-8;
  options.dt_max = 0.5;
  options.t_end = 2;
  REQUIRE(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_OK);
  REQUIRE(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
  CHECK(refused > 0 && summary.shortened > 0);
  CHECK_NEAR(picus_sim_state(s.sim).q[0], 0.5, 1e-7);
  simulation_close(&s);
}

/* A run that fails for good ends where its last accepted step ended. */
static int no_force_after_a_while(void *user, double t, const double *q, const double *u, double *h) {
  (void)user, (void)q, (void)u;
  h[0] = -1;
  return t > 0.7;
}

static void a_run_that_fails_keeps_its_last_step(void) {
  picus_system_functions functions = {.nq = 1, .nu = 1, .mass = wall_mass, .force = no_force_after_a_while};
  simulation s = {0};
  picus_summary summary = {0};
  REQUIRE(picus_context_create(NULL, &s.context) == PICUS_OK);
  REQUIRE(picus_system_from_functions(s.context, &functions, NULL, &s.system) == PICUS_OK);
  picus_sim_options options = picus_default_sim_options();
  options.adaptive = true;
  options.dt_min = 1e-6;
  options.dt_max = 0.5;
  options.t_end = 2;
  REQUIRE(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_OK);
  CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_ERROR_STEP);
  double t = picus_sim_state(s.sim).t;
  CHECK(t > 0.699 && t < 0.7 + 1e-6 && summary.t_end == t && summary.steps > 0);
  CHECK_NEAR(picus_sim_state(s.sim).q[0], -0.5 * t * t, 1e-9);
  CHECK_NEAR(picus_sim_state(s.sim).u[0], -t, 1e-9);
  simulation_close(&s);
}

/* With these steps the pendulum is inside of the ring at the end of one and behind it in the middle of the next one:
 * the substeps never look where the gap is negative, the end of the step does. */
static void a_gap_that_is_negative_at_the_end_of_a_step_is_seen(void) {
  recorded_rows rows;
  picus_summary summary = {0};
  mode_change changes[CHANGES_MOST] = {0};
  adaptive_run options = {.dt_min = 1e-8, .dt_max = 0.25, .t_end = 0.1};
  REQUIRE(run("pendulum-in-ring", "", options, &rows, &summary));
  REQUIRE(mode_changes(&rows, "ring", changes) >= 1);
  CHECK_NEAR(changes[0].t, 0.045152364098576, 5e-8);
  recorded_rows_free(&rows);
}

/* --- options and memory ------------------------------------------------------------------------------------------- */

static void wrong_options_are_refused(void) {
  simulation s;
  REQUIRE(simulation_open_adaptive(&s, "falling-mass", "", (adaptive_run){0}));
  const picus_sim_options good = *picus_sim_options_of(s.sim);
  picus_sim_options wrong[10];
  for (int i = 0; i < 10; i++) wrong[i] = good;
  wrong[0].dt_min = -1;
  wrong[1].dt_max = good.dt_min / 2;
  wrong[2].dt_max = INFINITY;
  wrong[3].atol = 0;
  wrong[4].rtol = -1;
  wrong[5].order_max = 0;
  wrong[6].order_max = PICUS_ORDER_MOST + 1;
  wrong[7].order = -1;
  wrong[8].dt_min = 1e-18;
  wrong[9].substeps = (picus_substeps)7;
  for (int i = 0; i < 10; i++) {
    picus_sim *sim = NULL;
    if (!CHECK(picus_sim_create(s.context, s.system, &wrong[i], &sim) == PICUS_ERROR_ARGUMENT)) printf("  %d\n", i);
    CHECK(sim == NULL && picus_last_error(s.context)->message[0] != '\0');
  }
  simulation_close(&s);
}

/* dt_min follows from dt where it is not given. */
static void sizes_follow_from_dt(void) {
  simulation s;
  REQUIRE(simulation_open_adaptive(&s, "woodpecker", "", (adaptive_run){0}));
  const picus_sim_options *o = picus_sim_options_of(s.sim);
  CHECK_NEAR(o->dt_min, 1e-7, 1e-20);
  simulation_close(&s);
}

static long allocations;
static void *counting(void *user, void *old, size_t old_size, size_t new_size) {
  (void)user, (void)old_size;
  if (new_size == 0) {
    free(old);
    return NULL;
  }
  allocations++;
  return realloc(old, new_size);
}

/* However long the run: what it needs is allocated before. */
static void steps_allocate_nothing(void) {
  long counts[2] = {0};
  for (int i = 0; i < 2; i++) {
    picus_context_def def = picus_default_context_def();
    def.allocate = counting;
    simulation s = {0};
    REQUIRE(picus_context_create(&def, &s.context) == PICUS_OK);
    REQUIRE(picus_model_load(s.context, "woodpecker", NULL, &s.model) == PICUS_OK);
    REQUIRE(picus_system_create(s.model, &s.system) == PICUS_OK);
    picus_sim_options options = picus_model_sim_options(s.model);
    options.adaptive = true;
    options.t_end = i == 0 ? 0.01 : 1;
    REQUIRE(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_OK);
    allocations = 0;
    REQUIRE(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK);
    counts[i] = allocations;
    simulation_close(&s);
  }
  CHECK(counts[0] == counts[1]);
}

/* --- a forced impact oscillator ----------------------------------------------------------------------------------- */

typedef struct forced_motion {
  double sigma, omega, phase, v; /* of an impact of the periodic motion */
  double trace, determinant;     /* of the map over a period */
} forced_motion;

/* The state after a time, from a state at a phase of the force. */
static bool swing(const forced_motion *m, double phase, const double start[2], double t_end, double end[2]) {
  recorded_rows rows;
  picus_summary summary;
  char values[160];
  snprintf(values, sizeof values, "sigma=%.17g,omega=%.17g,phase=%.17g,x0=%.17g,v0=%.17g", m->sigma, m->omega, phase,
           start[0], start[1]);
  bool fine =
      run("forced-impact-oscillator", values,
          (adaptive_run){.dt_min = 1e-11, .tolerance = 1e-12, .t_end = t_end, .scheme = "moreau"}, &rows, &summary);
  for (int k = 0; fine && k < 2; k++) end[k] = recorded_value(&rows, rows.row_count - 1, k ? "v" : "x");
  recorded_rows_free(&rows);
  return fine;
}

/* Motions with one impact per period, and the multipliers of their linearization, in closed form: linear flow and one
 * equation for the phase. From a half of the period on, where a start has no impact nearby. */
static void forced_impact_oscillator_is_periodic(void) {
  static const forced_motion motions[] = {
      {1, 1, 0.0759521649383133, 1.69573293759488, -2 * 0.584295314342,
       0.584295314342 * 0.584295314342 + 0.005600351492 * 0.005600351492},
      {0, 2, 1.52487128018069, 3.90164929088864, 0.677299098384 + 0.690179159232, 0.677299098384 * 0.690179159232}};
  const double pi = acos(-1), zeta = 0.05, e = 0.8, delta = 1e-5;
  for (int k = 0; k < 2; k++) {
    const forced_motion *m = &motions[k];
    const double period = 2 * pi / m->omega, impact[2] = {m->sigma, -e * m->v};
    double middle[2], end[2], slope[2][2];
    REQUIRE(swing(m, m->phase, impact, period / 2, middle) && swing(m, m->phase + pi, middle, period, end));
    printf("  omega = %g: returns to %.1e and %.1e\n", m->omega, end[0] - middle[0], end[1] - middle[1]);
    CHECK_NEAR(end[0], middle[0], 1e-9);
    CHECK_NEAR(end[1], middle[1], 1e-9);
    for (int i = 0; i < 2; i++) {
      double sides[2][2], start[2];
      for (int side = 0; side < 2; side++) {
        memcpy(start, middle, sizeof start);
        start[i] += side ? delta : -delta;
        REQUIRE(swing(m, m->phase + pi, start, period, sides[side]));
      }
      for (int j = 0; j < 2; j++) slope[j][i] = (sides[1][j] - sides[0][j]) / (2 * delta);
    }
    const double trace = slope[0][0] + slope[1][1];
    const double determinant = slope[0][0] * slope[1][1] - slope[0][1] * slope[1][0];
    printf("    trace and determinant are wrong by %.1e and %.1e\n", trace - m->trace, determinant - m->determinant);
    CHECK_NEAR(trace, m->trace, 1e-5);
    CHECK_NEAR(determinant, m->determinant, 1e-5);
    CHECK_NEAR(determinant, e * e * exp(-2 * zeta * period), 1e-5);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"falling_mass_passes_the_accumulation_point", falling_mass_passes_the_accumulation_point},
      {"natural_substeps_fail_after_the_accumulation_point", natural_substeps_fail_after_the_accumulation_point},
      {"accumulation_points_cost_bounded_work", accumulation_points_cost_bounded_work},
      {"restitution_in_impacts_restores_the_order", restitution_in_impacts_restores_the_order},
      {"sliding_mass_stops_at_the_right_time", sliding_mass_stops_at_the_right_time},
      {"impact_oscillator_converges_with_the_order", impact_oscillator_converges_with_the_order},
      {"forced_impact_oscillator_is_periodic", forced_impact_oscillator_is_periodic},
      {"switching_times_to_1e_8_s", switching_times_to_1e_8_s},
      {"a_reversal_of_slip_is_a_switching_point", a_reversal_of_slip_is_a_switching_point},
      {"every_one_step_scheme_can_be_the_base", every_one_step_scheme_can_be_the_base},
      {"samples_are_as_accurate_as_steps", samples_are_as_accurate_as_steps},
      {"few_and_many_samples_agree", few_and_many_samples_agree},
      {"rounding_makes_no_switching_points", rounding_makes_no_switching_points},
      {"tolerances_below_rounding_are_not_waited_for", tolerances_below_rounding_are_not_waited_for},
      {"an_impact_just_before_the_end", an_impact_just_before_the_end},
      {"base_steps_that_fail_are_made_shorter", base_steps_that_fail_are_made_shorter},
      {"a_gap_that_is_negative_at_the_end_of_a_step_is_seen", a_gap_that_is_negative_at_the_end_of_a_step_is_seen},
      {"a_run_that_fails_keeps_its_last_step", a_run_that_fails_keeps_its_last_step},
      {"wrong_options_are_refused", wrong_options_are_refused},
      {"sizes_follow_from_dt", sizes_follow_from_dt},
      {"steps_allocate_nothing", steps_allocate_nothing},
  };
  return test_main(argc, argv, "adaptive_models", cases, sizeof cases / sizeof cases[0]);
}
