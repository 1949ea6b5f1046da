/* Sections of studies: states at impacts against closed forms, states at multiples of a period against the rows of
 * single runs, events of the model, journals, and what is rejected. */

#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/study.h>
#include <stdio.h>
#include <string.h>

static const double restitutions[] = {0.7, 0.8, 0.9};
static const picus_study_axis restitution = {PICUS_AXIS_PARAMETER, "e", 3, restitutions, 0, 0};

/* A ball that falls from the height 1; the ground has the switching points, "apex" is an event of the model. */
static const char ball[] = "model \"ball\"\n"
                           "local p = parameters {e = {0.7}}\n"
                           "local q, u = coordinates {{\"q\", velocity = \"v\", start = 1}}\n"
                           "kinetic(u.v^2 / 2)\n"
                           "potential(10 * q.q)\n"
                           "contact {\"ground\", gap = q.q, eN = p.e}\n"
                           "on {\"apex\", when = u.v, direction = \"falls\"}\n";

static picus_study_def def_of(const simulation *s, const picus_sim_options *options, const char *section, double period,
                              long last) {
  static const char *const impacts[] = {"impacts"};
  picus_study_def def = picus_default_study_def();
  def.model = s->model;
  def.system = s->system;
  def.options = options;
  def.axis_count = 1;
  def.axes = &restitution;
  def.collect_count = 1;
  def.collect = impacts;
  def.section = section;
  def.section_period = period;
  def.section_last = last;
  return def;
}

static bool load(simulation *s, picus_sim_options *options, double t_end) {
  if (!simulation_load_text(s, ball, options)) return false;
  options->adaptive = true;
  options->dt_max = 0.01;
  options->dt_min = 1e-9;
  options->atol = options->rtol = 1e-9;
  options->t_end = t_end;
  return true;
}

static picus_study *run(simulation *s, const picus_study_def *def) {
  picus_study *study = NULL;
  CHECK(picus_study_create(s->context, def, &study) == PICUS_OK);
  CHECK(study && picus_study_run(study, &(picus_study_run_options){0}) == PICUS_OK);
  return study;
}

/* After impact n the ball has the velocity e^n v0, at t0 (1 + 2 (e + ... + e^(n - 1))), with t0 = sqrt(1/5), v0 = 10
 * t0. */
static void impacts_are_those_of_the_closed_form(void) {
  enum { LAST = 3 };
  picus_sim_options options;
  simulation s;
  REQUIRE(load(&s, &options, 1.7));
  const picus_study_def def = def_of(&s, &options, "ground:impact", 0, LAST);
  picus_study *study = run(&s, &def);
  REQUIRE(picus_study_section_width(study) == 3 && strcmp(picus_study_section_column(study, 2), "v") == 0);
  for (long k = 0; k < 3; k++) {
    const picus_study_row row = picus_study_row_at(study, k);
    const double e = restitutions[k], t0 = sqrt(0.2);
    const long impacts = (long)row.values[0];
    CHECK(impacts >= 2 && row.section_count == (impacts < LAST ? impacts : LAST));
    for (long i = 0; i < row.section_count; i++) {
      const long n = impacts - row.section_count + i + 1;
      double t = t0;
      for (long m = 1; m < n; m++) t += 2 * t0 * pow(e, (double)m);
      CHECK_NEAR(row.section[3 * i], t, 1e-7);
      CHECK_NEAR(row.section[3 * i + 1], 0, 1e-7);
      CHECK_NEAR(row.section[3 * i + 2], 10 * t0 * pow(e, (double)n), 1e-7);
    }
  }
  picus_study_destroy(study);
  simulation_close(&s);
}

/* The apex after impact n has the height e^(2 n). */
static void events_of_the_model_make_a_section(void) {
  picus_sim_options options;
  simulation s;
  REQUIRE(load(&s, &options, 1.3));
  const picus_study_def def = def_of(&s, &options, "apex", 0, 100);
  picus_study *study = run(&s, &def);
  const picus_study_row row = picus_study_row_at(study, 1);
  REQUIRE(row.section_count >= 1);
  for (long i = 0; i < row.section_count; i++) {
    CHECK_NEAR(row.section[3 * i + 1], pow(0.8, 2 * (double)(i + 1)), 1e-6);
    CHECK_NEAR(row.section[3 * i + 2], 0, 1e-6);
  }
  picus_study_destroy(study);
  simulation_close(&s);
}

/* Opening and closing are the two halves of all switching points of a contact without friction. */
static void changes_are_parts_of_all_switching_points(void) {
  static const char *const names[] = {"ground", "ground:closes", "ground:opens", "ground:sticks"};
  long count[4];
  picus_sim_options options;
  simulation s;
  REQUIRE(load(&s, &options, 1.2));
  for (int k = 0; k < 4; k++) {
    const picus_study_def def = def_of(&s, &options, names[k], 0, 100);
    picus_study *study = run(&s, &def);
    count[k] = picus_study_row_at(study, 2).section_count;
    picus_study_destroy(study);
  }
  CHECK(count[1] >= 1 && count[0] == count[1] + count[2] && count[3] == 0);
  simulation_close(&s);
}

static void periods_are_the_rows_of_single_runs(void) {
  enum { LAST = 4 };
  picus_sim_options options;
  recorded_rows rows;
  simulation s;
  REQUIRE(load(&s, &options, 2));
  const picus_study_def def = def_of(&s, &options, NULL, 0.25, LAST);
  picus_study *study = run(&s, &def);
  const picus_study_row row = picus_study_row_at(study, 0);
  CHECK(row.section_count == LAST);
  options.sample = 0.25;
  REQUIRE(simulation_start(&s, &options) && simulation_run(&s, &rows, NULL) && rows.row_count == 9);
  for (long i = 0; i < LAST; i++) {
    CHECK(row.section[3 * i] == recorded_value(&rows, 5 + i, "t"));
    CHECK(row.section[3 * i + 1] == recorded_value(&rows, 5 + i, "q"));
    CHECK(row.section[3 * i + 2] == recorded_value(&rows, 5 + i, "v"));
  }
  recorded_rows_free(&rows);
  picus_study_destroy(study);
  simulation_close(&s);
}

/* A journal that was cut anywhere leads to the same states. */
static void journals_keep_the_states(void) {
  picus_sim_options options;
  simulation s;
  char bytes[4096];
  REQUIRE(load(&s, &options, 1.2));
  const picus_study_def def = def_of(&s, &options, "ground", 0, 5);
  picus_study *whole = run(&s, &def), *first;
  remove("section.journal");
  REQUIRE(picus_study_create(s.context, &def, &first) == PICUS_OK);
  REQUIRE(picus_study_run(first, &(picus_study_run_options){.journal = "section.journal"}) == PICUS_OK);
  picus_study_destroy(first);
  FILE *file = fopen("section.journal", "rb");
  REQUIRE(file);
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  REQUIRE(size > 200 && size < sizeof bytes);
  for (size_t cut = 0; cut <= size; cut += 37) {
    picus_study *study;
    file = fopen("section.journal", "wb");
    REQUIRE(file);
    fwrite(bytes, 1, cut, file);
    fclose(file);
    REQUIRE(picus_study_create(s.context, &def, &study) == PICUS_OK);
    CHECK(picus_study_run(study, &(picus_study_run_options){.journal = "section.journal"}) == PICUS_OK);
    for (long k = 0; k < 3; k++) {
      const picus_study_row is = picus_study_row_at(study, k), wanted = picus_study_row_at(whole, k);
      CHECK(is.section_count == wanted.section_count);
      CHECK(memcmp(is.section, wanted.section, 3 * sizeof(double) * (size_t)wanted.section_count) == 0);
    }
    picus_study_destroy(study);
  }
  picus_study_destroy(whole);
  simulation_close(&s);
}

static void check_rejected(simulation *s, picus_study_def def, picus_status status, const char *message) {
  picus_study *study;
  CHECK(picus_study_create(s->context, &def, &study) == status && !study);
  CHECK(strstr(picus_last_error(s->context)->message, message) != NULL);
}

static void wrong_sections_are_rejected(void) {
  picus_sim_options options;
  simulation s;
  REQUIRE(load(&s, &options, 1));
  check_rejected(&s, def_of(&s, &options, "grund", 0, 1), PICUS_ERROR_NAME, "did you mean 'ground'?");
  check_rejected(&s, def_of(&s, &options, "ground:jumps", 0, 1), PICUS_ERROR_NAME, ":closes, :opens");
  check_rejected(&s, def_of(&s, &options, "apex:closes", 0, 1), PICUS_ERROR_NAME, "needs a law or an event");
  check_rejected(&s, def_of(&s, &options, "ground", 1, 1), PICUS_ERROR_ARGUMENT, "not both");
  check_rejected(&s, def_of(&s, &options, "ground", 0, 0), PICUS_ERROR_ARGUMENT, "keeps 1 to");
  check_rejected(&s, def_of(&s, &options, "ground", 0, 1000000), PICUS_ERROR_ARGUMENT, "keeps 1 to");
  check_rejected(&s, def_of(&s, &options, NULL, -1, 1), PICUS_ERROR_ARGUMENT, "above 0");
  check_rejected(&s, def_of(&s, &options, NULL, (double)NAN, 1), PICUS_ERROR_ARGUMENT, "above 0");
  check_rejected(&s, def_of(&s, &options, NULL, 0.3, 1), PICUS_ERROR_ARGUMENT, "does not last a multiple");
  static const char *const extremum[] = {"max(q)"};
  picus_study_def def = def_of(&s, &options, NULL, 0.5, 1);
  def.collect = extremum;
  check_rejected(&s, def, PICUS_ERROR_UNSUPPORTED, "needs all steps");
  simulation_close(&s);
}

/* The ball falls through the height 0.5 once in each flight of e^n that is high enough, n = 0, 1, ...: its height is
 * h = e^2n at the time t0 (1 + 2 (e + ... + e^(n - 1)) + e^n), and it reaches 0.5 the time sqrt((h - 0.5) / 5) later.
 */
static void zeros_of_an_expression_make_a_section(void) {
  static const char text[] = "q - 0.5:falls";
  simulation s = {0};
  picus_sim_options options;
  REQUIRE(load(&s, &options, 3));
  CHECK(picus_model_add_crossing(s.model, "q - 0.5 +") == PICUS_ERROR_FILE_SYNTAX);
  CHECK(picus_model_add_crossing(s.model, ":falls") == PICUS_ERROR_FILE_SYNTAX);
  CHECK(picus_model_add_crossing(s.model, "nothing") == PICUS_ERROR_NAME);
  CHECK(picus_model_add_crossing(s.model, "e:rises") == PICUS_ERROR_ARGUMENT); /* a number */
  CHECK(picus_model_add_crossing(s.model, "") == PICUS_ERROR_ARGUMENT);
  REQUIRE(picus_model_add_crossing(s.model, text) == PICUS_OK);
  CHECK(picus_model_add_crossing(s.model, text) == PICUS_ERROR_NAME);
  picus_system_destroy(s.system);
  REQUIRE(picus_system_create(s.model, &s.system) == PICUS_OK);
  const picus_study_def def = def_of(&s, &options, text, 0, 10);
  picus_study *study = run(&s, &def); /* its runs load the model again */
  for (long k = 0; k < 3; k++) {
    const double e = restitutions[k], t0 = sqrt(0.2);
    const picus_study_row row = picus_study_row_at(study, k);
    const int width = picus_study_section_width(study);
    double t = t0, h = 1, apex = 0;
    REQUIRE(!row.status);
    long n = 0;
    for (; h > 0.5; n++) {
      REQUIRE(n < row.section_count);
      CHECK_NEAR(row.section[n * width], apex + sqrt((h - 0.5) / 5), 1e-8);
      CHECK_NEAR(row.section[n * width + 1], 0.5, 1e-9);
      CHECK_NEAR(row.section[n * width + 2], -sqrt(20 * (h - 0.5)), 1e-7);
      apex = t + pow(e, (double)n + 1) * t0;
      t += 2 * pow(e, (double)n + 1) * t0;
      h *= e * e;
    }
    CHECK(row.section_count == n);
  }
  picus_study_destroy(study);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"impacts_are_those_of_the_closed_form", impacts_are_those_of_the_closed_form},
      {"events_of_the_model_make_a_section", events_of_the_model_make_a_section},
      {"zeros_of_an_expression_make_a_section", zeros_of_an_expression_make_a_section},
      {"changes_are_parts_of_all_switching_points", changes_are_parts_of_all_switching_points},
      {"periods_are_the_rows_of_single_runs", periods_are_the_rows_of_single_runs},
      {"journals_keep_the_states", journals_keep_the_states},
      {"wrong_sections_are_rejected", wrong_sections_are_rejected}};
  return test_main(argc, argv, "study_sections", cases, (int)(sizeof cases / sizeof *cases));
}
