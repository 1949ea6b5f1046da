/* Percussions of both stages of rattle (option stages): closed forms of a ball at rest, in an impact and in slip, sums
 * over rows that are several steps apart, constraints, and schemes without stages. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/result.h>
#include <stdio.h>
#include <string.h>

typedef struct stage_run {
  const char *model, *overrides, *scheme;
  double dt, t_end;
  long every;
  double sample;
  bool adaptive, plain; /* plain: without the option */
} stage_run;

static bool run_stages(const stage_run *run, recorded_rows *rows) {
  simulation s;
  picus_sim_options options;
  picus_summary summary;
  *rows = (recorded_rows){0};
  bool done = simulation_load(&s, run->model, run->overrides, &options);
  if (done) {
    options.scheme = run->scheme ? run->scheme : "rattle";
    options.dt = run->dt;
    options.t_end = run->t_end;
    options.every = run->sample > 0 ? 0 : run->every > 0 ? run->every : 1;
    options.sample = run->sample;
    options.adaptive = run->adaptive;
    options.implicit.stages = !run->plain;
    done = simulation_start(&s, &options) && simulation_run(&s, rows, &summary);
  }
  simulation_close(&s);
  return done;
}

/* m g dt/2 in each stage: the weight of half a step. In the last column of the row the sum is that of the step. */
static void a_ball_at_rest(void) {
  recorded_rows rows;
  REQUIRE(run_stages(&(stage_run){.model = "rotating-ball", .overrides = "y0=0.1", .dt = 1e-2, .t_end = 0.2}, &rows));
  CHECK(rows.row_count == 21);
  CHECK(recorded_value(&rows, 0, "ground.P1N") == 0 && recorded_value(&rows, 0, "ground.P2N") == 0);
  for (long k = 1; k < rows.row_count; k++) {
    CHECK_NEAR(recorded_value(&rows, k, "ground.P1N"), 0.5 * 9.81e-2, 1e-15);
    CHECK_NEAR(recorded_value(&rows, k, "ground.P2N"), 0.5 * 9.81e-2, 1e-15);
    CHECK(recorded_value(&rows, k, "ground.P1F") == 0 && recorded_value(&rows, k, "ground.P2F") == 0);
  }
  recorded_rows_free(&rows);
}

/* The step of an impact from (g0, u0): the first stage stops at the floor, u_h = - g0 / dt, the second one has the rest
 * of the percussion m (-(1 + e) u0) + m g dt. */
static void an_impact(void) {
  const double dt = 1e-2, g = 9.81, e = 0.5;
  recorded_rows rows;
  REQUIRE(run_stages(&(stage_run){.model = "rotating-ball", .overrides = "", .dt = dt, .t_end = 0.6}, &rows));
  int impacts = 0;
  for (long k = 1; k < rows.row_count; k++) {
    const double P = recorded_value(&rows, k, "ground.PN"), P1 = recorded_value(&rows, k, "ground.P1N");
    CHECK(recorded_value(&rows, k, "ground.P2N") == P - P1); /* bit for bit */
    if (P == 0) {
      CHECK(P1 == 0);
      continue;
    }
    const double gap = recorded_value(&rows, k - 1, "ground.gap"), u = recorded_value(&rows, k - 1, "uy");
    CHECK_NEAR(P1, -gap / dt - u + 0.5 * g * dt, 1e-12);
    CHECK_NEAR(P, -(1 + e) * u + g * dt, 1e-12);
    CHECK(P1 > 0 && P - P1 > 0);
    impacts++;
  }
  CHECK(impacts == 1);
  recorded_rows_free(&rows);
}

/* A ball that slides after an impact without rebound: friction is mu times the normal percussion in both stages. */
static void friction_of_a_slip(void) {
  recorded_rows rows;
  REQUIRE(run_stages(&(stage_run){.model = "rotating-ball", .overrides = "omega=50,eN=0", .dt = 1e-2, .t_end = 0.7},
                     &rows));
  for (long k = 50; k < rows.row_count; k++)
    for (int stage = 1; stage <= 2; stage++) {
      char normal[16], friction[16];
      snprintf(normal, sizeof normal, "ground.P%dN", stage);
      snprintf(friction, sizeof friction, "ground.P%dF", stage);
      CHECK_NEAR(recorded_value(&rows, k, normal), 0.5 * 9.81e-2, 1e-15);
      CHECK_NEAR(recorded_value(&rows, k, friction), -0.2 * 0.5 * 9.81e-2, 1e-15);
    }
  recorded_rows_free(&rows);
}

/* Rows of ten steps have their sums, and samples inside of steps lose nothing. The motion has the same bits with and
 * without the columns. */
static void rows_have_sums(void) {
  recorded_rows each, tenth, sampled, plain;
  stage_run run = {.model = "slider-crank-bodies", .overrides = "", .dt = 1e-4, .t_end = 0.02};
  REQUIRE(run_stages(&run, &each));
  run.every = 10;
  REQUIRE(run_stages(&run, &tenth));
  run.sample = 0.03e-2;
  REQUIRE(run_stages(&run, &sampled));
  run = (stage_run){.model = "slider-crank-bodies", .overrides = "", .dt = 1e-4, .t_end = 0.02, .plain = true};
  REQUIRE(run_stages(&run, &plain));
  static const char *const columns[] = {"corner1.P1N", "corner2.P1N", "corner2.P2N", "corner2.P1F", "corner2.P2F"};
  for (int c = 0; c < 5; c++) {
    double all = 0, of_samples = 0, largest = 0;
    for (long k = 1; k < sampled.row_count; k++) of_samples += recorded_value(&sampled, k, columns[c]);
    for (long k = 1; k < tenth.row_count; k++) {
      double sum = 0;
      for (long j = 10 * k - 9; j <= 10 * k; j++) sum += recorded_value(&each, j, columns[c]);
      CHECK_NEAR(recorded_value(&tenth, k, columns[c]), sum, 1e-14);
      largest = fmax(largest, fabs(sum));
      if (recorded_value(&tenth, k, "t") <= recorded_value(&sampled, sampled.row_count - 1, "t") + 1e-9) all += sum;
    }
    CHECK(largest > 0 || c == 0);
    CHECK_NEAR(of_samples, all, 0.01 * fabs(all) + 1e-12);
  }
  for (long k = 0; k < each.row_count; k++)
    CHECK(recorded_value(&each, k, "phi3") == recorded_value(&plain, k, "phi3"));
  CHECK(recorded_column(&plain, "corner1.P1N") < 0 && each.column_count > plain.column_count);
  recorded_rows_free(&each);
  recorded_rows_free(&tenth);
  recorded_rows_free(&sampled);
  recorded_rows_free(&plain);
}

/* Joints have P1 and P2; spatial friction has P1F1 and so on. */
static void names_of_rows(void) {
  recorded_rows rows;
  REQUIRE(run_stages(&(stage_run){.model = "tippedisk", .overrides = "", .dt = 1e-3, .t_end = 2e-3}, &rows));
  int spatial = 0;
  for (int c = 0; c < rows.column_count; c++) spatial += strstr(rows.names[c], ".P2F3") != NULL;
  CHECK(spatial == 1);
  recorded_rows_free(&rows);
  REQUIRE(run_stages(&(stage_run){.model = "slider-crank-bodies", .overrides = "", .dt = 1e-4, .t_end = 2e-4}, &rows));
  int constraints = 0;
  for (int c = 0; c < rows.column_count; c++) {
    const char *dot = strrchr(rows.names[c], '.');
    constraints += dot && strcmp(dot, ".P1") == 0;
  }
  CHECK(constraints == 6);
  recorded_rows_free(&rows);
}

/* Other schemes and adaptive runs have no such columns, and the option is not heeded. */
static void runs_without_stages(void) {
  recorded_rows rows;
  REQUIRE(run_stages(
      &(stage_run){.model = "rotating-ball", .overrides = "", .scheme = "moreau", .dt = 1e-2, .t_end = 0.1}, &rows));
  CHECK(recorded_column(&rows, "ground.PN") >= 0 && recorded_column(&rows, "ground.P1N") < 0);
  recorded_rows_free(&rows);
  REQUIRE(run_stages(
      &(stage_run){.model = "rotating-ball", .overrides = "", .dt = 1e-2, .t_end = 0.1, .adaptive = true}, &rows));
  CHECK(recorded_column(&rows, "ground.P1N") < 0);
  recorded_rows_free(&rows);
}

/* A recorder that was made for rattle, and a simulation of another scheme. */
static void another_scheme_is_refused(void) {
  simulation s;
  picus_sim_options options;
  picus_recorder *recorder = NULL;
  recorded_rows rows = {0};
  REQUIRE(simulation_load(&s, "rotating-ball", "", &options));
  options.scheme = "moreau";
  options.t_end = 0.1;
  REQUIRE(simulation_start(&s, &options));
  options.scheme = "rattle";
  options.implicit.stages = true;
  const picus_run_description run = {.model = s.model, .system = s.system, .options = &options};
  REQUIRE(picus_recorder_create(s.context, &run, &recorder) == PICUS_OK);
  CHECK(picus_recorder_add_sink(recorder, recorded_rows_sink(&rows)) == PICUS_OK);
  CHECK(picus_sim_run(s.sim, recorder, NULL, NULL) == PICUS_ERROR_ARGUMENT);
  CHECK(strstr(picus_last_error(s.context)->message, "stages of rattle") != NULL);
  picus_recorder_destroy(recorder);
  recorded_rows_free(&rows);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"a_ball_at_rest", a_ball_at_rest},
                                    {"an_impact", an_impact},
                                    {"friction_of_a_slip", friction_of_a_slip},
                                    {"rows_have_sums", rows_have_sums},
                                    {"names_of_rows", names_of_rows},
                                    {"runs_without_stages", runs_without_stages},
                                    {"another_scheme_is_refused", another_scheme_is_refused}};
  return test_main(argc, argv, "rattle_stages", cases, sizeof cases / sizeof cases[0]);
}
