/* The scheme rattle (Breuling et al. 2023): orders, closed forms, no penetration, constraints without drift. */
#include "support/allocations.h"
#include "support/check.h"
#include "support/reference.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_MOST = 4, SIZES_MOST = 8 };

typedef struct rattle_run {
  recorded_rows rows;
  picus_summary summary;
} rattle_run;

static bool run_rattle(const char *model, const char *overrides, double dt, double t_end, double sample,
                       rattle_run *out) {
  simulation s;
  picus_sim_options options;
  *out = (rattle_run){0};
  bool done = simulation_load(&s, model, overrides, &options);
  if (done) {
    options.scheme = "rattle";
    options.dt = dt;
    if (t_end > 0) options.t_end = t_end;
    options.sample = sample;
    options.every = sample > 0 ? 0 : 1;
    done = simulation_start(&s, &options) && simulation_run(&s, &out->rows, &out->summary);
  }
  simulation_close(&s);
  return done;
}

typedef struct study {
  const char *model, *overrides, *reference;
  double sample;
  long stride;
  double t_end;
  const char *pairs[PAIRS_MOST][2];
  int first, count; /* step sizes: sample / first, half of it, ... */
  double least_order, most_order;
} study;

/* Uniform error of the pairs over all samples. */
static double largest_error(const study *c, const recorded_rows *rows, const reference_table *table) {
  double largest = 0;
  for (long k = 0; k < rows->row_count; k++)
    for (int i = 0; i < PAIRS_MOST && c->pairs[i][0]; i++) {
      double error = recorded_value(rows, k, c->pairs[i][0]) - reference_value(table, k * c->stride, c->pairs[i][1]);
      largest = fmax(largest, fabs(error));
      CHECK(isfinite(error));
    }
  return largest;
}

static void run_study(const study *c) {
  reference_table *table = reference_read(c->reference);
  REQUIRE(table);
  double dt[SIZES_MOST], error[SIZES_MOST];
  for (int k = 0; k < c->count; k++) {
    rattle_run run;
    dt[k] = c->sample / (c->first * pow(2, k));
    REQUIRE(run_rattle(c->model, c->overrides, dt[k], c->t_end, c->sample, &run));
    error[k] = largest_error(c, &run.rows, table);
    CHECK(run.summary.gaps.penetration <= 1e-12);
    recorded_rows_free(&run.rows);
  }
  double order = observed_order(c->count, dt, error);
  printf("  %s %s: errors %.2e ... %.2e for dt = %.2g ... %.2g, order %.2f\n", c->model, c->overrides, error[0],
         error[c->count - 1], dt[0], dt[c->count - 1], order);
  CHECK(order > c->least_order && order < c->most_order);
  reference_free(table);
}

#define STUDY(name, ...)                                                                                               \
  static void name(void) {                                                                                             \
    static const study c = {__VA_ARGS__};                                                                              \
    run_study(&c);                                                                                                     \
  }

/* Breuling et al. 2023, Fig. 8: order 2 under persistent contact (cases 1 and 2), 1 with a reversal (3) or an impact
 * (4). The stop of the mass (slip to stick) lies within the runs. */
STUDY(slope_1, "slope", "case=1", "mass_on_slope_case1.csv", 0.0256, 16, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 7, 1.7,
      2.3)
STUDY(slope_2, "slope", "case=2", "mass_on_slope_case2.csv", 0.0256, 16, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 7, 1.7,
      2.3)
STUDY(slope_3, "slope", "case=3", "mass_on_slope_case3.csv", 0.0256, 16, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 7, 0.8,
      1.6)
STUDY(slope_4, "slope", "case=4", "mass_on_slope_case4.csv", 0.0256, 16, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 7, 0.7,
      1.5)

/* The same for the velocities, order 2 where nothing jumps (Fig. 8, right). */
STUDY(slope_1_velocities, "slope", "case=1", "mass_on_slope_case1.csv", 0.0256, 16, 3.2768,
      {{"ux", "ux"}, {"uy", "uy"}}, 1, 7, 1.2, 2.3)

/* Section 5.1: impacts with and without friction. */
STUDY(rotating_ball_1, "rotating-ball", "", "rotating_ball_case1.csv", 0.02, 2, 2, {{"y", "y"}}, 2, 7, 0.7, 1.6)
STUDY(rotating_ball_2, "rotating-ball", "omega=50,eN=0", "rotating_ball_case2.csv", 0.02, 2, 2,
      {{"x", "x"}, {"y", "y"}, {"phi", "phi"}}, 2, 7, 0.7, 9) /* all accelerations are constant: better than order 1 */
STUDY(rotating_ball_3, "rotating-ball", "omega=10,eN=0", "rotating_ball_case3.csv", 0.02, 2, 2,
      {{"x", "x"}, {"y", "y"}, {"phi", "phi"}}, 2, 7, 0.7, 1.6)

/* Refinement is safe: the solver's tolerance is relative to what happens in a step. */
STUDY(woodpecker, "woodpecker", "phiM0=-0.10344827586206896", "woodpecker_B_1ms.csv", 0.1, 100, 1,
      {{"y", "y"}, {"phiM", "phiM"}, {"phiS", "phiS"}}, 500, 7, 0.8, 1.5)

/* A position constraint: smooth motion, order 2. */
STUDY(bilateral_slider_crank, "slider-crank", "c=0", "slider_crank_bilateral_J2_5.9e-4.csv", 1e-3, 1, 0.135,
      {{"theta1", "th1"}, {"theta2", "th2"}}, 2, 6, 1.8, 2.2)
STUDY(slider_crank, "slider-crank", "", "slider_crank_H15.csv", 1e-3, 10, 0.04,
      {{"theta1", "th1"}, {"theta2", "th2"}, {"theta3", "th3"}}, 10, 6, 0.7, 2)

/* Closed joints and gaps on both levels, whatever the step size. */
static void constraints_are_kept(void) {
  for (int k = 0; k < 3; k++) {
    rattle_run run;
    double dt = pow(10, -3 - k);
    REQUIRE(run_rattle("slider-crank", "c=0", dt, 0.1, 0, &run));
    printf("  dt = %.0e: constraint error %.1e, newton iterations %g at most\n", dt, run.summary.gaps.constraint,
           (double)run.summary.implicit.newton_iterations_max);
    CHECK(run.summary.gaps.constraint < 1e-12);
    recorded_rows_free(&run.rows);
  }
}

/* Undamped and without impacts, the energy of rattle oscillates and does not drift. */
static void energy_does_not_drift(void) {
  rattle_run run;
  REQUIRE(run_rattle("slider-crank", "c=0,g=0", 2e-4, 20, 0.01, &run));
  double first = recorded_value(&run.rows, 0, "E.total"), early = 0, late = 0;
  for (long k = 0; k < run.rows.row_count; k++) {
    double error = fabs(recorded_value(&run.rows, k, "E.total") - first) / first;
    if (k < run.rows.row_count / 10) early = fmax(early, error);
    if (k > run.rows.row_count * 9 / 10) late = fmax(late, error);
  }
  printf("  relative error of the energy: %.2e in the first tenth, %.2e in the last\n", early, late);
  CHECK(late < 1.2 * early + 1e-10);
  recorded_rows_free(&run.rows);
}

/* The energy that laws take out is what the kinetic and potential energy lose, up to the error of the scheme. */
static void losses_balance(void) {
  double last = INFINITY;
  for (int k = 0; k < 3; k++) {
    rattle_run run;
    REQUIRE(run_rattle("slope", "case=1", 0.0064 / pow(4, k), 3.2768, 0.0256, &run));
    double missing = fabs(run.summary.energy.start - run.summary.energy.end - run.summary.energy.dissipated);
    printf("  missing energy %.2e of %.3g J\n", missing, run.summary.energy.dissipated);
    CHECK(missing < last / 8);
    last = missing;
    recorded_rows_free(&run.rows);
  }
}

static void ends_at_rest(void) {
  rattle_run run;
  REQUIRE(run_rattle("rocking-block", "", 1e-2, 3, 0, &run));
  long last = run.rows.row_count - 1;
  CHECK_NEAR(recorded_value(&run.rows, last, "y"), 0.75, 1e-12);
  CHECK_NEAR(recorded_value(&run.rows, last, "theta"), 0, 1e-12);
  CHECK_NEAR(recorded_value(&run.rows, last, "omega"), 0, 1e-12);
  CHECK(run.summary.gaps.penetration < 1e-14);
  recorded_rows_free(&run.rows);
}

static bool run_slope(const char *overrides, double prox_r, rattle_run *out) {
  simulation s;
  picus_sim_options options;
  *out = (rattle_run){0};
  bool done = simulation_load(&s, "slope", overrides, &options);
  if (done) {
    options.scheme = "rattle";
    options.dt = 1e-2;
    options.t_end = 3.28;
    options.implicit.newton_tolerance = 1e-8;
    options.implicit.slip_direction = PICUS_SLIP_END;
    options.implicit.prox_r = prox_r;
    done = simulation_start(&s, &options) && simulation_run(&s, &out->rows, &out->summary);
  }
  simulation_close(&s);
  return done;
}

/* The mass on the slope by the iteration of the paper: its Table 1 has averages that are multiples of 1/328, so 328
 * steps, and cuts them off at four digits. In a start at rest on the limit of friction, and where slip turns, round-off
 * decides between stick and slip: one iteration of the second stage. Counting changes no bit of the motion. */
static void iterations_of_the_paper(void) {
  static const char *const overrides[] = {"case=1", "case=2", "case=3", "case=4"};
  static const struct {
    int most;
    double first, second;
  } paper[] = {{2, 1.2774, 0.6463}, {2, 1.1737, 0.5945}, {4, 1.3628, 0.6859}, {5, 1.2469, 0.6737}};
  for (int c = 0; c < 4; c++) {
    rattle_run plain, counted;
    REQUIRE(run_slope(overrides[c], 0, &plain) && run_slope(overrides[c], 0.1, &counted));
    const picus_summary *s = &counted.summary;
    printf("  case %d: %ld and %ld iterations in %ld steps\n", c + 1, s->implicit.prox_first, s->implicit.prox_second,
           s->steps);
    CHECK(s->steps == 328 && s->implicit.prox_failed == 0 && plain.summary.implicit.prox_first == 0);
    CHECK_NEAR((double)s->implicit.prox_first / 328, paper[c].first, 1e-4);
    CHECK_NEAR((double)s->implicit.prox_second / 328, paper[c].second, 1.05 / 328);
    CHECK(s->implicit.prox_first_max == paper[c].most && s->implicit.prox_second_max == 2);
    CHECK(plain.rows.row_count == counted.rows.row_count);
    for (long k = 0; k < plain.rows.row_count; k++)
      CHECK(recorded_value(&plain.rows, k, "x") == recorded_value(&counted.rows, k, "x"));
    recorded_rows_free(&plain.rows);
    recorded_rows_free(&counted.rows);
  }
}

/* Three bodies fly, one of them tumbles, and land after different times: heights by the closed form, and a first stage
 * that is solved at its first look. */
static void flights_are_parabolas(void) {
  static const char text[] = "model('flight', 'bodies that fly and land')\n"
                             "gravity {0, 0, -10}\n"
                             "floor {'floor'}\n"
                             "sphere {'ball', suffix = 'a', radius = 0.1, mass = 2, position = {0, 0, 5.1},\n"
                             "  omega = {1, 2, 3}, velocity = {1, 0, 3}}\n"
                             "box {'brick', suffix = 'b', size = {0.2, 0.3, 0.4}, density = 1000,\n"
                             "  position = {4, 0, 20}, omega = {3, 1, 2}, velocity = {0, 1, 2}}\n"
                             "sphere {'low', suffix = 'c', radius = 0.1, mass = 1, position = {-4, 0, 1.1}}\n"
                             "simulate {scheme = 'rattle', dt = 1e-2, t_end = 1}\n";
  static const double z[] = {5.1, 20, 1.1}, v[] = {3, 2, 0};
  static const int at[] = {2, 9, 16};
  simulation s;
  picus_sim_options options;
  REQUIRE(simulation_load_text(&s, text, &options));
  REQUIRE(simulation_start(&s, &options));
  double worst = 0;
  int landed = 0;
  for (int k = 1; k <= 150; k++) {
    picus_step_info info;
    const double t = 1e-2 * k;
    REQUIRE(picus_sim_step(s.sim, 1e-2, &info) == PICUS_OK);
    const picus_state state = picus_sim_state(s.sim);
    for (int b = 0; b < 3; b++) {
      const double height = z[b] + v[b] * t - 5 * t * t;
      if (b == 2 && height < 0.1) continue;
      if (b == 0 && height < 0.1) continue;
      worst = fmax(worst, fabs(state.q[at[b]] - height));
    }
    if (!landed && info.active > 0) landed = k;
    if (!landed) CHECK(info.implicit.newton_iterations == 1);
    CHECK(state.q[16] > 0.1 - 1e-12 && state.q[2] > 0.1 - 1e-12);
  }
  printf("  heights within %.2g m, the first one lands in step %d\n", worst, landed);
  CHECK(worst < 1e-12);
  CHECK(landed == 45); /* 1 m in sqrt(0.2) = 0.447 s */
  simulation_close(&s);
}

static void steps_allocate_nothing(void) {
  static const char *const models[] = {"woodpecker", "slope", "slider-crank-bodies", "tippedisk"};
  for (int i = 0; i < 4; i++) {
    simulation s = {0};
    test_allocations a = test_grant_all();
    picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
    REQUIRE(picus_context_create(&def, &s.context) == PICUS_OK);
    REQUIRE(picus_model_load(s.context, models[i], NULL, &s.model) == PICUS_OK);
    REQUIRE(picus_system_create(s.model, &s.system) == PICUS_OK);
    picus_sim_options options = picus_model_sim_options(s.model);
    options.scheme = "rattle";
    options.implicit.prox_r = 0.1;
    REQUIRE(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_OK);
    CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
    long before = a.calls;
    for (int k = 0; k < 300; k++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
    CHECK(a.calls == before);
    simulation_close(&s);
    CHECK(a.outstanding == 0);
  }
}

/* One iteration is not enough for a long step on a curve: the step is divided, and where that does not help the run
 * ends with a sentence that names law and residual. */
static void steps_that_do_not_converge(void) {
  for (int hopeless = 0; hopeless < 2; hopeless++) {
    simulation s;
    picus_sim_options options;
    picus_summary summary;
    REQUIRE(simulation_load(&s, "slope", "case=1", &options));
    options.scheme = "rattle";
    options.dt = 0.05;
    options.t_end = 1;
    options.implicit.newton_max = 1;
    options.implicit.newton_tolerance = hopeless ? 1e-30 : 1e-6;
    REQUIRE(simulation_start(&s, &options));
    picus_status status = picus_sim_run(s.sim, NULL, NULL, &summary);
    printf("  %ld steps divided: %s\n", summary.shortened, status ? picus_last_error(s.context)->message : "done");
    CHECK(summary.shortened > 0);
    if (hopeless == 0) CHECK(status == PICUS_OK);
    if (status != PICUS_OK) CHECK(strstr(picus_last_error(s.context)->message, "'slope'") != NULL);
    simulation_close(&s);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"slope_1", slope_1},
                                    {"slope_2", slope_2},
                                    {"slope_3", slope_3},
                                    {"slope_4", slope_4},
                                    {"slope_1_velocities", slope_1_velocities},
                                    {"rotating_ball_1", rotating_ball_1},
                                    {"rotating_ball_2", rotating_ball_2},
                                    {"rotating_ball_3", rotating_ball_3},
                                    {"woodpecker", woodpecker},
                                    {"bilateral_slider_crank", bilateral_slider_crank},
                                    {"slider_crank", slider_crank},
                                    {"constraints_are_kept", constraints_are_kept},
                                    {"energy_does_not_drift", energy_does_not_drift},
                                    {"losses_balance", losses_balance},
                                    {"ends_at_rest", ends_at_rest},
                                    {"iterations_of_the_paper", iterations_of_the_paper},
                                    {"flights_are_parabolas", flights_are_parabolas},
                                    {"steps_allocate_nothing", steps_allocate_nothing},
                                    {"steps_that_do_not_converge", steps_that_do_not_converge}};
  return test_main(argc, argv, "scheme_rattle", cases, (int)(sizeof cases / sizeof *cases));
}
