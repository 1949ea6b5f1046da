/* Comparing two motions: differences that are known are found, and what does not belong together is refused. */
#define _POSIX_C_SOURCE 200809L
#include "record_fake.h"
#include "reference/internal.h"
#include "support/allocations.h"
#include "support/simulate.h"

/* --- motions made by hand -------------------------------------------------------------------------------------------
 */

enum { ROWS_MOST = 64, COLUMNS = 3 };

typedef struct motion {
  double values[COLUMNS][ROWS_MOST];
  const double *views[COLUMNS];
  picus_switching switchings[32];
  trajectory view;
} motion;

static const picus_column columns[COLUMNS] = {{"t", "s", "time", PICUS_COLUMN_TIME},
                                              {"x", "m", "x", PICUS_COLUMN_COORDINATE},
                                              {"v", "m/s", "v", PICUS_COLUMN_VELOCITY}};
static const char *const laws[2] = {"wall", "floor"};

/* Rows at first + k spacing: x = t^3 plus shift, v = 3 t^2. */
static void motion_make(motion *m, double first, double spacing, long rows, double shift) {
  *m = (motion){.view = {.column_count = COLUMNS, .columns = columns, .row_count = rows, .law_count = 2, .laws = laws}};
  for (long i = 0; i < rows; i++) {
    double t = first + (double)i * spacing;
    m->values[0][i] = t;
    m->values[1][i] = t * t * t + shift;
    m->values[2][i] = 3 * t * t;
  }
  for (int k = 0; k < COLUMNS; k++) m->views[k] = m->values[k];
  m->view.values = m->views;
  m->view.switchings = m->switchings;
}

static void motion_switch(motion *m, double t, double dt, int law, picus_mode from, picus_mode to) {
  m->switchings[m->view.switching_count++] = (picus_switching){.t = t, .dt = dt, .law = law, .from = from, .to = to};
}

static picus_comparison *compare(picus_context *context, const motion *a, const motion *b, double interpolate) {
  picus_comparison *comparison = NULL;
  const compared_columns all = {.kind = COMPARE_MOTION};
  picus_status status = picus_trajectories_compare(context, &a->view, &b->view, all, interpolate, &comparison);
  if (status != PICUS_OK) printf("  %s\n", picus_last_error(context)->message);
  return CHECK(status == PICUS_OK) ? comparison : NULL;
}

static void known_norms(void) {
  picus_context *context;
  motion a, b;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  motion_make(&a, 0, 0.1, 11, 0.5);
  motion_make(&b, 0, 0.05, 21, 0);
  a.values[2][4] += 2; /* v at t = 0.4 alone */
  picus_comparison *c = compare(context, &a, &b, 0);
  REQUIRE(c);
  CHECK(c->rows == 11 && c->common == 11 && c->interpolated == 0 && c->at_switching == 0 && c->column_count == 2);
  CHECK_TEXT(c->columns[0].name, "x");
  CHECK_NEAR(c->columns[0].uniform, 0.5, 1e-15);
  CHECK_NEAR(c->columns[0].l1, 0.5, 1e-14); /* over a duration of 1 s */
  CHECK_NEAR(c->columns[0].l2, 0.5, 1e-14);
  CHECK_NEAR(c->columns[0].range, 1, 1e-15);
  CHECK_NEAR(c->columns[1].uniform, 2, 1e-14);
  CHECK_NEAR(c->columns[1].t_worst, 0.4, 1e-15);
  CHECK_NEAR(c->columns[1].l1, 0.2, 1e-13);
  CHECK_NEAR(c->columns[1].l2, sqrt(0.4), 1e-13);
  picus_comparison_destroy(context, c);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* Percussions of steps of different sizes are compared as mean forces: 3 N, and once 5 N in the coarse run; the rows at
 * a switching point are left out. */
static void percussions_are_forces(void) {
  static const picus_column with_percussion[COLUMNS] = {{"t", "s", "time", PICUS_COLUMN_TIME},
                                                        {"x", "m", "x", PICUS_COLUMN_COORDINATE},
                                                        {"wall.PN", "N s", "percussion", PICUS_COLUMN_PERCUSSION}};
  static const char *const names[] = {"wall.PN"};
  picus_context *context;
  picus_comparison *c = NULL;
  motion a, b;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  motion_make(&a, 0, 0.1, 11, 0);
  motion_make(&b, 0, 0.05, 21, 0);
  a.view.columns = b.view.columns = with_percussion;
  for (int i = 0; i < 11; i++) a.values[2][i] = i ? 0.3 : 0;
  for (int i = 0; i < 21; i++) b.values[2][i] = i ? 0.15 : 0;
  a.values[2][4] = 0.5;
  const compared_columns named = {.kind = COMPARE_MOTION, .name_count = 1, .names = names};
  REQUIRE(picus_trajectories_compare(context, &a.view, &b.view, named, 0, &c) == PICUS_OK);
  CHECK_TEXT(c->columns[0].unit, "N");
  CHECK_NEAR(c->columns[0].uniform, 2, 1e-13);
  CHECK_NEAR(c->columns[0].t_worst, 0.4, 1e-15);
  CHECK_NEAR(c->columns[0].l1, 0.2, 1e-13);
  CHECK_NEAR(c->columns[0].l2, sqrt(0.4), 1e-13);
  CHECK_NEAR(c->columns[0].range, 0, 1e-13);
  picus_comparison_destroy(context, c);
  motion_switch(&a, 0.4, 1e-3, 0, PICUS_OPEN, PICUS_STICK);
  motion_switch(&b, 0.4, 1e-3, 0, PICUS_OPEN, PICUS_STICK);
  REQUIRE(picus_trajectories_compare(context, &a.view, &b.view, named, 0, &c) == PICUS_OK);
  CHECK_NEAR(c->columns[0].uniform, 0, 1e-13);
  picus_comparison_destroy(context, c);
  motion_make(&b, 0.025, 0.05, 20, 0); /* no common time */
  b.view.columns = with_percussion;
  CHECK(picus_trajectories_compare(context, &a.view, &b.view, named, 0, &c) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* Times in between: a cubic is met by six samples exactly; across a switching point, or where the samples are too
 * coarse for what they hold, the row is left out. */
static void times_in_between(void) {
  picus_context *context;
  motion a, b;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  motion_make(&a, 0, 0.1, 11, 0.25);
  for (int i = 0; i < 11; i++) { /* 0, 0.03, 0.13, ...: only the first is a common time */
    double t = i == 0 ? 0 : 0.1 * i - 0.07;
    a.values[0][i] = t;
    a.values[1][i] = t * t * t + 0.25;
    a.values[2][i] = 3 * t * t;
  }
  motion_make(&b, 0, 0.1, 11, 0);
  picus_comparison *c = compare(context, &a, &b, 0);
  REQUIRE(c);
  CHECK(c->common == 1 && c->interpolated == 0);
  picus_comparison_destroy(context, c);
  c = compare(context, &a, &b, 1e-12);
  REQUIRE(c);
  CHECK(c->common == 1 && c->interpolated == 10);
  CHECK_NEAR(c->columns[0].uniform, 0.25, 1e-14);
  CHECK(c->columns[1].uniform < 1e-14);
  picus_comparison_destroy(context, c);
  motion_switch(&b, 0.95, 1e-6, 0, PICUS_OPEN, PICUS_STICK);
  c = compare(context, &a, &b, 1e-12);
  REQUIRE(c);
  CHECK(c->common == 1 && c->interpolated > 3 && c->interpolated < 8);
  picus_comparison_destroy(context, c);
  b.view.switching_count = -1; /* without an event log nobody knows where it is smooth */
  c = compare(context, &a, &b, 1e-12);
  REQUIRE(c);
  CHECK(c->common == 1 && c->interpolated == 0 && c->law_count == 0);
  picus_comparison_destroy(context, c);
  b.view.switching_count = 0;
  for (int i = 0; i < 11; i++) b.values[1][i] += sin(25 * b.values[0][i]);
  c = compare(context, &a, &b, 1e-9);
  REQUIRE(c);
  CHECK(c->common == 1 && c->interpolated == 0);
  picus_comparison_destroy(context, c);
  picus_context_destroy(context);
}

/* Velocities are not compared between the two times at which the motions switch; positions are. */
static void rows_at_switching_points(void) {
  picus_context *context;
  motion a, b;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  motion_make(&a, 0, 0.1, 11, 0);
  motion_make(&b, 0, 0.1, 11, 0);
  motion_switch(&a, 0.502, 1e-4, 1, PICUS_OPEN, PICUS_STICK);
  motion_switch(&b, 0.499, 1e-6, 1, PICUS_OPEN, PICUS_STICK);
  a.values[2][5] = 100;
  a.values[1][5] += 0.001;
  picus_comparison *c = compare(context, &a, &b, 0);
  REQUIRE(c);
  CHECK(c->common == 11 && c->at_switching == 1 && c->columns[1].uniform == 0);
  CHECK_NEAR(c->columns[0].uniform, 0.001, 1e-15);
  picus_comparison_destroy(context, c);
  a.switchings[0].t = 0.497; /* now the row lies behind both */
  c = compare(context, &a, &b, 0);
  REQUIRE(c);
  CHECK(c->at_switching == 0 && c->columns[1].uniform > 90);
  picus_comparison_destroy(context, c);
  picus_context_destroy(context);
}

static void switching_points_are_matched(void) {
  picus_context *context;
  motion a, b;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  motion_make(&a, 0, 0.1, 11, 0);
  motion_make(&b, 0, 0.1, 11, 0);
  /* wall: the same sequence, shifted by more than the distance between impacts */
  for (int k = 0; k < 4; k++) {
    picus_mode from = k % 2 ? PICUS_STICK : PICUS_OPEN, to = k % 2 ? PICUS_OPEN : PICUS_STICK;
    motion_switch(&b, 0.1 + 0.1 * k, 1e-6, 0, from, to);
    motion_switch(&a, 0.1 + 0.1 * k + (k == 3 ? 0.25 : 0.2), 1e-6, 0, from, to);
  }
  /* floor: an accumulation that b follows further, then stick to slip in both; a misses the impact at 0.05 and has
   * one at 0.9 of its own */
  motion_switch(&b, 0.05, 1e-6, 1, PICUS_OPEN, PICUS_STICK);
  motion_switch(&b, 0.050001, 1e-6, 1, PICUS_STICK, PICUS_OPEN);
  for (int k = 0; k < 6; k++) {
    double t = 0.5 - 1e-3 * pow(0.1, k);
    motion_switch(&b, t, 1e-9, 1, PICUS_OPEN, PICUS_STICK);
    if (k < 5) motion_switch(&b, t + 1e-9, 1e-9, 1, PICUS_STICK, PICUS_OPEN);
    if (k < 3) motion_switch(&a, t + 1e-7, 1e-6, 1, PICUS_OPEN, PICUS_STICK);
    if (k < 2) motion_switch(&a, t + 1e-6, 1e-6, 1, PICUS_STICK, PICUS_OPEN);
  }
  motion_switch(&b, 0.8, 1e-9, 1, PICUS_STICK, PICUS_SLIP);
  motion_switch(&a, 0.8 + 3e-6, 1e-6, 1, PICUS_STICK, PICUS_SLIP);
  motion_switch(&a, 0.9, 1e-6, 1, PICUS_SLIP, PICUS_STICK);
  picus_comparison *c = compare(context, &a, &b, 0);
  REQUIRE(c && CHECK(c->law_count == 2));
  const picus_law_match *wall = &c->laws[0], *floor_law = &c->laws[1];
  CHECK_TEXT(wall->law, "wall");
  CHECK(wall->matched == 4 && wall->missing == 0 && wall->extra == 0 && wall->unresolved == 0);
  CHECK_NEAR(wall->time_difference, 0.25, 1e-12);
  CHECK_NEAR(wall->t_worst, 0.4, 1e-12);
  printf("  floor: %ld matched, %ld missing, %ld extra, %ld unresolved, %.2g s\n", floor_law->matched,
         floor_law->missing, floor_law->extra, floor_law->unresolved, floor_law->time_difference);
  CHECK(floor_law->matched == 6 && floor_law->missing == 2 && floor_law->extra == 1 && floor_law->unresolved == 6);
  CHECK_NEAR(floor_law->time_difference, 3e-6, 1e-12);
  picus_comparison_destroy(context, c);
  picus_context_destroy(context);
}

/* Contacts that come and go have switching points in one of the two runs, in any order; their names may be cut off, so
 * that keys tell them apart. */
static void laws_of_one_run_only(void) {
  static const char *const laws_a[] = {"wall", "a/b", "a/b", "a/c"}, *const laws_b[] = {"wall", "c/d", "a/b", "a/b"};
  static const uint64_t keys_a[] = {0, 7, 9, 11}, keys_b[] = {0, 12, 9, 7};
  picus_context *context;
  motion a, b;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  motion_make(&a, 0, 0.1, 11, 0.125);
  motion_make(&b, 0, 0.1, 11, 0);
  a.view.law_count = b.view.law_count = 4;
  a.view.laws = laws_a;
  a.view.law_keys = keys_a;
  b.view.laws = laws_b;
  b.view.law_keys = keys_b;
  motion_switch(&a, 0.1001, 1e-6, 1, PICUS_OPEN, PICUS_STICK);
  motion_switch(&b, 0.1, 1e-6, 3, PICUS_OPEN, PICUS_STICK);
  motion_switch(&a, 0.2002, 1e-6, 2, PICUS_OPEN, PICUS_SLIP);
  motion_switch(&b, 0.2, 1e-6, 2, PICUS_OPEN, PICUS_SLIP);
  motion_switch(&a, 0.3, 1e-6, 3, PICUS_OPEN, PICUS_SLIP);
  motion_switch(&b, 0.4, 1e-6, 1, PICUS_OPEN, PICUS_SLIP);
  picus_comparison *c = compare(context, &a, &b, 0);
  REQUIRE(c && CHECK(c->law_count == 5));
  static const struct {
    const char *law;
    long matched, missing, extra;
    double difference;
  } right[] = {
      {"wall", 0, 0, 0, 0}, {"c/d", 0, 1, 0, 0}, {"a/b", 1, 0, 0, 2e-4}, {"a/b", 1, 0, 0, 1e-4}, {"a/c", 0, 0, 1, 0}};
  for (int k = 0; k < 5; k++) {
    CHECK_TEXT(c->laws[k].law, right[k].law);
    CHECK(c->laws[k].matched == right[k].matched && c->laws[k].missing == right[k].missing &&
          c->laws[k].extra == right[k].extra);
    CHECK_NEAR(c->laws[k].time_difference, right[k].difference, 1e-12);
  }
  CHECK_NEAR(c->columns[0].uniform, 0.125, 1e-15);
  picus_comparison_destroy(context, c);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* A column of round-off has the scale of the columns of its kind, not its own range. */
static void columns_of_round_off(void) {
  static const picus_column two[COLUMNS] = {{"t", "s", "time", PICUS_COLUMN_TIME},
                                            {"x", "m", "x", PICUS_COLUMN_COORDINATE},
                                            {"y", "m", "y", PICUS_COLUMN_COORDINATE}};
  static const struct {
    double noise, error, scale;
  } cases[] = {{1e-16, 5e-16, 1}, {1e-16, 1e-9, 1e-6}, {1e-3, 1e-9, 1e-3}, {0, 1e-9, 1e-6}, {1e-3, 1e-16, 1e-3}};
  picus_context *context;
  motion a, b;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    motion_make(&a, 0, 0.1, 11, 0);
    motion_make(&b, 0, 0.1, 11, 0);
    a.view.columns = b.view.columns = two;
    for (int i = 0; i < 11; i++) {
      b.values[2][i] = i % 2 ? cases[k].noise : 0;
      a.values[2][i] = b.values[2][i] + (i == 5 ? cases[k].error : 0);
    }
    picus_comparison *c = compare(context, &a, &b, 0);
    REQUIRE(c);
    CHECK_NEAR(c->columns[0].scale, 1, 1e-15);
    CHECK_NEAR(c->columns[1].scale, cases[k].scale, 1e-15 * cases[k].scale);
    picus_comparison_destroy(context, c);
  }
  picus_context_destroy(context);
}

/* --- files -----------------------------------------------------------------------------------------------------------
 */

static bool record(const char *model, const char *overrides, double dt, double sample, double t_end, const char *path) {
  simulation s;
  if (!simulation_open_sampled(&s, model, overrides, dt, t_end, sample)) return false;
  picus_run_description run = {.model = s.model, .system = s.system, .options = picus_sim_options_of(s.sim)};
  picus_recorder *recorder = NULL;
  bool fine = CHECK(picus_recorder_create(s.context, &run, &recorder) == PICUS_OK) &&
              CHECK(picus_recorder_add_hdf5(recorder, path) == PICUS_OK) &&
              CHECK(picus_sim_run(s.sim, recorder, NULL, NULL) == PICUS_OK);
  picus_recorder_destroy(recorder);
  simulation_close(&s);
  return fine;
}

static picus_status compare_files(picus_context *context, const char *a, const char *b, const char *column,
                                  picus_comparison *copy, double *uniform) {
  picus_result *result = NULL, *reference = NULL;
  picus_comparison *comparison = NULL;
  picus_status status = picus_result_open(context, a, &result);
  if (!status) status = picus_result_open(context, b, &reference);
  if (!status)
    status = picus_result_compare(context, result, reference, column ? 1 : 0, column ? &column : NULL, &comparison);
  if (!status) {
    *copy = *comparison;
    *uniform = comparison->columns[0].uniform;
  }
  picus_comparison_destroy(context, comparison);
  picus_result_close(result);
  picus_result_close(reference);
  return status;
}

/* The bouncing ball, q = 1 - t^2 till the first impact. Moreau's rule with a step that does not vary is exact in
 * flight, but the impact is seen late: the error is that of the impact, of the order of dt. */
static void files_are_compared(void) {
  picus_context *context;
  picus_comparison c = {0};
  double coarse = 0, fine = 0, self = 1;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(record("bouncing-ball", "", 1e-3, 0.05, 5, scratch("coarse.h5")));
  REQUIRE(record("bouncing-ball", "", 1e-4, 0.05, 5, scratch("fine.h5")));
  REQUIRE(record("bouncing-ball", "", 1e-5, 0.05, 5, scratch("exact.h5")));
  CHECK(compare_files(context, scratch("coarse.h5"), scratch("exact.h5"), "q", &c, &coarse) == PICUS_OK);
  CHECK(c.rows == 101 && c.common == 101 && c.column_count == 1 && c.law_count == 1 && isnan(c.accuracy));
  CHECK(compare_files(context, scratch("fine.h5"), scratch("exact.h5"), "q", &c, &fine) == PICUS_OK);
  CHECK(compare_files(context, scratch("fine.h5"), scratch("fine.h5"), NULL, &c, &self) == PICUS_OK);
  printf("  errors of q: %.2g at dt = 1e-3, %.2g at 1e-4\n", coarse, fine);
  CHECK(coarse > 1e-4 && coarse < 1e-2 && fine > 1e-5 && fine < 1e-3 && self == 0);
  scratch_remove("coarse.h5");
  scratch_remove("fine.h5");
  scratch_remove("exact.h5");
  picus_context_destroy(context);
}

static void wrong_pairs_are_refused(void) {
  picus_context *context;
  picus_comparison c = {0};
  double ignored;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(record("bouncing-ball", "", 1e-2, 0.1, 1, scratch("a.h5")));
  REQUIRE(record("bouncing-ball", "e=0.25", 1e-2, 0.1, 1, scratch("b.h5")));
  REQUIRE(record("falling-mass", "", 1e-2, 0.1, 1, scratch("c.h5")));
  CHECK(compare_files(context, scratch("a.h5"), scratch("c.h5"), NULL, &c, &ignored) == PICUS_ERROR_ARGUMENT);
  CHECK_TEXT(picus_last_error(context)->message, "the result belongs to the model 'bouncing-ball', the reference to "
                                                 "'falling-mass'; compare results of the same model");
  CHECK(compare_files(context, scratch("b.h5"), scratch("a.h5"), NULL, &c, &ignored) == PICUS_ERROR_ARGUMENT);
  CHECK_TEXT(
      picus_last_error(context)->message,
      "the parameter 'e' is 0.25 in the result and 0.5 in the reference; compare results with the same parameters");
  CHECK(compare_files(context, scratch("a.h5"), scratch("a.h5"), "nothing", &c, &ignored) == PICUS_ERROR_NAME);
  CHECK_TEXT(picus_last_error(context)->message, "the result has no column 'nothing'");
  CHECK(compare_files(context, scratch("a.h5"), scratch("a.h5"), "t", &c, &ignored) == PICUS_ERROR_NAME);
  CHECK(compare_files(context, scratch("a.h5"), scratch("a.h5"), "ground.mode", &c, &ignored) == PICUS_ERROR_NAME);
  CHECK(compare_files(context, scratch("a.h5"), scratch("missing.h5"), NULL, &c, &ignored) == PICUS_ERROR_IO);
  CHECK(picus_result_add_numbers(context, scratch("missing.h5"), "x", 0, NULL, NULL) == PICUS_ERROR_IO);
  scratch_remove("a.h5");
  scratch_remove("b.h5");
  scratch_remove("c.h5");
  picus_context_destroy(context);
}

/* --- memory ----------------------------------------------------------------------------------------------------------
 */

/* A whole search and a comparison of its file with itself. */
static picus_status search_and_compare(picus_context *context) {
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_reference_report report;
  picus_reference_options options = picus_default_reference_options();
  picus_comparison ignored;
  double error;
  options.accuracy = 1e-4;
  options.path = scratch("refused.h5");
  picus_status status = picus_model_load(context, "impact-oscillator", NULL, &model);
  if (!status) status = picus_system_create(model, &system);
  if (!status) {
    picus_sim_options o = picus_model_sim_options(model);
    o.t_end = 0.3;
    o.sample = 0.01;
    picus_run_description run = {.model = model, .system = system, .options = &o, .command = "test"};
    status = picus_reference_search(context, &run, &options, &report);
  }
  picus_system_destroy(system);
  picus_model_destroy(model);
  return status ? status : compare_files(context, options.path, options.path, NULL, &ignored, &error);
}

static void memory_may_be_refused(void) {
  long stride = test_is_reduced() ? 53 : 11;
  for (long n = 1;; n += stride) {
    test_allocations b = test_grant_first(n);
    picus_context_def def = {.allocate = test_allocate, .allocate_user = &b};
    picus_context *context;
    if (picus_context_create(&def, &context) != PICUS_OK) continue;
    picus_status status = search_and_compare(context);
    if (!CHECK(status == PICUS_OK || (status == PICUS_ERROR_MEMORY && picus_last_error(context)->message[0])))
      printf("  allocation %ld: %s\n", n, picus_last_error(context)->message);
    CHECK(picus_context_memory(context) == 0);
    picus_context_destroy(context);
    CHECK(b.outstanding == 0);
    if (status == PICUS_OK) {
      printf("  %ld allocations\n", n);
      break;
    }
    REQUIRE(n < 1000000);
  }
  scratch_remove("refused.h5");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"known_norms", known_norms},
      {"percussions_are_forces", percussions_are_forces},
      {"times_in_between", times_in_between},
      {"rows_at_switching_points", rows_at_switching_points},
      {"laws_of_one_run_only", laws_of_one_run_only},
      {"columns_of_round_off", columns_of_round_off},
      {"switching_points_are_matched", switching_points_are_matched},
      {"files_are_compared", files_are_compared},
      {"wrong_pairs_are_refused", wrong_pairs_are_refused},
      {"memory_may_be_refused", memory_may_be_refused},
  };
  int code = test_main(argc, argv, "reference_compare", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return code;
}
