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

/* The largest error of a drawn point over all rows of the file. */
static double worst_error(picus_scene *s, const picus_thinning *thin) {
  const size_t width = (size_t)s->track_count;
  double *mixed = calloc(width + 1, sizeof *mixed), worst = 0;
  for (long k = 0; mixed && k + 1 < thin->count; k++)
    for (long row = thin->rows[k]; row <= thin->rows[k + 1]; row++) {
      const double *a = thin->tracks + (size_t)k * width, *b = a + width;
      double step = s->t[thin->rows[k + 1]] - s->t[thin->rows[k]];
      double w = step > 0 ? (s->t[row] - s->t[thin->rows[k]]) / step : 0;
      for (size_t i = 0; i < width; i++) mixed[i] = a[i] + w * (b[i] - a[i]);
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

static bool has_events(picus_scene *s, const picus_thinning *thin) {
  const picus_switching *list;
  if (picus_result_switchings(s->result, &list)) return false;
  for (long k = 0; k < picus_result_switching_count(s->result); k++) {
    bool found = false;
    for (long i = 0; i < thin->count && !found; i++)
      found = fabs(s->t[thin->rows[i]] - list[k].t) <= 0.5 * list[k].dt + 1e-15;
    if (!found) return false;
  }
  return true;
}

static void try_thinning(const char *name, double tolerance, long most) {
  picus_result *result = NULL;
  picus_scene *scene = NULL;
  picus_thinning thin;
  if (record(name, "view-thin.h5", &result) && CHECK(picus_scene_create(context, result, &scene) == PICUS_OK)) {
    picus_thinning_options options = {.tolerance = tolerance, .most = most};
    if (CHECK(picus_scene_thin(scene, &options, &thin) == PICUS_OK)) {
      double worst = worst_error(scene, &thin);
      printf("  %s: %ld of %ld rows, error %.2g of %.2g m allowed\n", name, thin.count, scene->rows, worst,
             thin.tolerance);
      CHECK(thin.rows[0] == 0 && thin.rows[thin.count - 1] == scene->rows - 1);
      CHECK(thin.count <= most + 1);
      CHECK(worst <= 1.001 * sqrt(3) * thin.tolerance); /* the bound holds for each coordinate */
      if (thin.events_kept) CHECK(has_events(scene, &thin));
      picus_thinning_release(context, &thin);
    }
  }
  picus_scene_destroy(scene);
  picus_result_close(result);
}

static void thinned_rows_keep_their_bound(void) {
  REQUIRE(begin());
  try_thinning("slider-crank", 1e-4, 20000);
  try_thinning("slider-crank-bodies", 1e-4, 20000);
  try_thinning("pendulum-in-ring", 1e-3, 20000);
  try_thinning("tippedisk", 1e-3, 20000);
  try_thinning("pendulum-in-ring", 1e-4, 100); /* the tolerance has to grow */
  end();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"texts cannot leave their string", texts_cannot_leave_their_string},
                                    {"numbers and bytes", numbers_and_bytes},
                                    {"thinned rows keep their bound", thinned_rows_keep_their_bound}};
  return test_main(argc, argv, "view", cases, sizeof cases / sizeof cases[0]);
}
