/* The page of picus view: texts that nobody can escape from, rows that keep their bound. */
#include "support/check.h"
#include "view/page.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static picus_context *context;

static bool begin(void) { return picus_context_create(NULL, &context) == PICUS_OK; }

static void end(void) {
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

static void check_string(const char *any, const char *expected) {
  picus_json text;
  REQUIRE(picus_json_begin(context, &text) == PICUS_OK);
  picus_json_string(&text, any);
  picus_json_add(&text, "", 1);
  CHECK_TEXT(text.bytes, expected);
  picus_json_release(&text);
}

static void texts_cannot_leave_their_string(void) {
  REQUIRE(begin());
  check_string("beak", "\"beak\"");
  check_string("</script><script>alert(1)</script>",
               "\"\\u003c/script\\u003e\\u003cscript\\u003ealert(1)\\u003c/script\\u003e\"");
  check_string("a\"b\\c'd&e", "\"a\\u0022b\\u005cc\\u0027d\\u0026e\"");
  check_string("\n\x01\x7f", "\"\\u000a\\u0001\\u007f\"");
  check_string("\xc3\xa9", "\"\xc3\xa9\"");
  check_string("\xe2\x80\xa8", "\" \"");                                /* a line separator */
  check_string("\xff\xc3", "\"\\ufffd\\ufffd\"");                       /* not UTF-8, and cut */
  check_string("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");            /* a surrogate */
  check_string("\xc0\xbc", "\"\\ufffd\\ufffd\"");                       /* a long form of < */
  check_string("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); /* beyond Unicode */
  end();
}

static void numbers_and_bytes(void) {
  static const struct {
    const char *bytes, *expected;
  } known[] = {{"", "\"\""},        {"f", "\"Zg==\""},        {"fo", "\"Zm8=\""},
               {"foo", "\"Zm9v\""}, {"foob", "\"Zm9vYg==\""}, {"foobar", "\"Zm9vYmFy\""}}; /* RFC 4648 */
  REQUIRE(begin());
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    picus_json text;
    REQUIRE(picus_json_begin(context, &text) == PICUS_OK);
    picus_json_base64(&text, known[k].bytes, strlen(known[k].bytes));
    picus_json_add(&text, "", 1);
    CHECK_TEXT(text.bytes, known[k].expected);
    picus_json_release(&text);
  }
  picus_json text;
  REQUIRE(picus_json_begin(context, &text) == PICUS_OK);
  const double numbers[] = {0.1, NAN, INFINITY, -2};
  for (int k = 0; k < 4; k++) {
    picus_json_number(&text, numbers[k]);
    picus_json_put(&text, " ");
  }
  picus_json_add(&text, "", 1);
  CHECK_TEXT(text.bytes, "0.1 null null -2 ");
  picus_json_release(&text);
  end();
}

/* ---- thinning */

static bool record(const char *name, const char *path, picus_result **result) {
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  picus_status status = picus_model_load(context, name, NULL, &model);
  if (!status) status = picus_system_create(model, &system);
  if (!status) {
    picus_sim_options options = picus_model_sim_options(model);
    status = picus_sim_create(context, system, &options, &sim);
  }
  picus_run_description run = {.system = system, .model = model, .command = "test"};
  if (sim) run.options = picus_sim_options_of(sim);
  if (!status) status = picus_recorder_create(context, &run, &recorder);
  if (!status) status = picus_recorder_add_hdf5(recorder, path);
  if (!status) status = picus_sim_run(sim, recorder, NULL, NULL);
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  if (!status) status = picus_result_open(context, path, result);
  if (status) printf("  %s\n", picus_last_error(context)->message);
  remove(path);
  return CHECK(status == PICUS_OK);
}

/* The rotation matrix of a pose. */
static void rotate(bool planar, const double *pose, const double v[3], double out[3]) {
  if (planar) {
    out[0] = cos(pose[2]) * v[0] - sin(pose[2]) * v[1];
    out[1] = sin(pose[2]) * v[0] + cos(pose[2]) * v[1];
    out[2] = v[2];
    return;
  }
  double p[4], length = 0;
  for (int i = 0; i < 4; i++) length += pose[3 + i] * pose[3 + i];
  for (int i = 0; i < 4; i++) p[i] = pose[3 + i] / sqrt(length);
  const double c[3] = {p[2] * v[2] - p[3] * v[1], p[3] * v[0] - p[1] * v[2], p[1] * v[1] - p[2] * v[0]};
  const double d[3] = {p[2] * c[2] - p[3] * c[1], p[3] * c[0] - p[1] * c[2], p[1] * c[1] - p[2] * c[0]};
  for (int i = 0; i < 3; i++) out[i] = v[i] + 2 * (p[0] * c[i] + d[i]);
}

/* A point as the page computes it, from tracks. */
static void from_tracks(const picus_scene *s, const double *tracks, int frame, const int steps[3], double out[3]) {
  double local[3];
  for (int i = 0; i < 3; i++)
    local[i] = steps[i] >= 0 && s->step_track[steps[i]] >= 0 ? tracks[s->step_track[steps[i]]]
                                                             : picus_scene_value(s, steps[i]);
  int pose = s->pose_track[frame];
  if (pose < 0) {
    memcpy(out, local, sizeof local);
    return;
  }
  rotate(s->drawing->planar, tracks + pose, local, out);
  for (int i = 0; i < (s->drawing->planar ? 2 : 3); i++) out[i] += tracks[pose + i];
}

/* The tracks of a group at a row of the file, between those that it keeps. */
static void mix(const picus_scene *s, const picus_track_group *group, long row, double *tracks) {
  long k = 0;
  while (k + 2 < group->row_count && group->rows[k + 1] <= row) k++;
  const long next = k + 1 < group->row_count ? k + 1 : k;
  const double *a = group->values + (size_t)k * (size_t)group->count;
  const double *b = group->values + (size_t)next * (size_t)group->count;
  const double step = s->t[group->rows[next]] - s->t[group->rows[k]];
  const double w = step > 0 ? (s->t[row] - s->t[group->rows[k]]) / step : 0;
  for (int i = 0; i < group->count; i++) tracks[group->first + i] = a[i] + w * (b[i] - a[i]);
}

/* The largest error of a drawn point over all rows of the file, or over those that every group keeps. */
static double worst_error(picus_scene *s, const picus_thinning *thin, bool only_common) {
  double *mixed = calloc((size_t)s->track_count + 1, sizeof *mixed), worst = 0;
  for (long row = 0; mixed && row < s->rows; row++) {
    bool common = true;
    for (int k = 0; k < thin->group_count; k++) {
      const picus_track_group *group = &thin->groups[k];
      bool has = false;
      for (long i = 0; i < group->row_count && !has && group->rows[i] <= row; i++) has = group->rows[i] == row;
      common = common && has;
      mix(s, group, row, mixed);
    }
    if (only_common && !common) continue;
    picus_scene_evaluate(s, row);
    for (int i = 0; i < s->drawing->shape_count; i++) {
      const picus_draw_shape *shape = &s->drawing->shapes[i];
      for (int j = 0; j < shape->count; j++) {
        double exact[3], shown[3], square = 0;
        picus_scene_point(s, shape->frame, s->drawing->points[shape->first_point + j], exact);
        from_tracks(s, mixed, shape->frame, s->drawing->points[shape->first_point + j], shown);
        for (int c = 0; c < 3; c++) square += (exact[c] - shown[c]) * (exact[c] - shown[c]);
        worst = fmax(worst, sqrt(square));
      }
    }
  }
  free(mixed);
  return worst;
}

static bool has_events(picus_scene *s, const picus_track_group *group) {
  const picus_switching *list;
  if (picus_result_switchings(s->result, &list)) return false;
  for (long k = 0; k < picus_result_switching_count(s->result); k++) {
    bool found = false;
    for (long i = 0; i < group->row_count && !found; i++)
      found = fabs(s->t[group->rows[i]] - list[k].t) <= 0.5 * list[k].dt + 1e-15;
    if (!found) return false;
  }
  return true;
}

static size_t value_count(const picus_thinning *thin) {
  size_t count = 0;
  for (int k = 0; k < thin->group_count; k++)
    count += (size_t)thin->groups[k].row_count * ((size_t)thin->groups[k].count + 1);
  return count;
}

static void check_group(picus_scene *scene, const picus_thinning *thin, const picus_track_group *group) {
  CHECK(group->rows[0] == 0 && group->rows[group->row_count - 1] == scene->rows - 1);
  for (long i = 1; i < group->row_count; i++) CHECK(group->rows[i] > group->rows[i - 1]);
  if (thin->events_kept) CHECK(has_events(scene, group));
}

static void try_thinning(const char *name, const picus_thinning_options *options) {
  picus_result *result = NULL;
  picus_scene *scene = NULL;
  picus_thinning thin;
  if (record(name, "view-thin.h5", &result) && CHECK(picus_scene_create(context, result, &scene) == PICUS_OK)) {
    if (CHECK(picus_scene_thin(scene, options, &thin) == PICUS_OK)) {
      double worst = worst_error(scene, &thin, false), exact = worst_error(scene, &thin, true);
      printf("  %s: %zu values of %d groups, %ld rows, error %.2g of %.2g m allowed\n", name, value_count(&thin),
             thin.group_count, scene->rows, worst, thin.tolerance);
      for (int k = 0; k < thin.group_count; k++) check_group(scene, &thin, &thin.groups[k]);
      CHECK(thin.rows[0] == 0 && thin.rows[thin.count - 1] == scene->rows - 1);
      CHECK(thin.count <= options->most + 1);
      if (options->apart)
        CHECK(value_count(&thin) <= options->most_values + (size_t)(scene->track_count + scene->group_count));
      CHECK(worst <= 1.001 * thin.tolerance);
      CHECK(exact < 1e-12 * scene->size);
      picus_thinning_release(context, &thin);
    }
  }
  picus_scene_destroy(scene);
  picus_result_close(result);
}

static void thinned_rows_keep_their_bound(void) {
  REQUIRE(begin());
  picus_thinning_options options = {.tolerance = 1e-4, .most = 20000};
  try_thinning("slider-crank", &options);
  try_thinning("slider-crank-bodies", &options);
  options.tolerance = 1e-3;
  try_thinning("pendulum-in-ring", &options);
  try_thinning("tippedisk", &options);
  options = (picus_thinning_options){.tolerance = 1e-4, .most = 100};
  try_thinning("pendulum-in-ring", &options); /* the tolerance has to grow */
  end();
}

static void objects_with_their_own_rows_keep_their_bound(void) {
  REQUIRE(begin());
  picus_thinning_options options = {.tolerance = 1e-4, .most = 20000, .apart = true, .most_values = 1000000};
  try_thinning("slider-crank-bodies", &options);
  options.most_values = 2000; /* too few for the switching points, and the tolerance has to grow */
  try_thinning("slider-crank-bodies", &options);
  try_thinning("newtons-cradle", &options);
  try_thinning("tippedisk", &options);
  end();
}

static void too_many_rows_are_told(void) {
  picus_result *result = NULL;
  picus_scene *scene = NULL;
  picus_thinning thin;
  const picus_thinning_options options = {.tolerance = 1e-6, .most = 10, .strict = true};
  REQUIRE(begin());
  if (record("pendulum-in-ring", "view-strict.h5", &result) &&
      CHECK(picus_scene_create(context, result, &scene) == PICUS_OK)) {
    CHECK(picus_scene_thin(scene, &options, &thin) == PICUS_ERROR_UNSUPPORTED);
    CHECK(thin.group_count == 0 && !thin.rows);
  }
  picus_scene_destroy(scene);
  picus_result_close(result);
  end();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"texts cannot leave their string", texts_cannot_leave_their_string},
      {"numbers and bytes", numbers_and_bytes},
      {"thinned rows keep their bound", thinned_rows_keep_their_bound},
      {"objects with their own rows keep their bound", objects_with_their_own_rows_keep_their_bound},
      {"too many rows are told", too_many_rows_are_told}};
  return test_main(argc, argv, "view", cases, sizeof cases / sizeof cases[0]);
}
