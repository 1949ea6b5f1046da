/* Drawings: from the model file and from C, through a result file, back to points. */
#define _POSIX_C_SOURCE 200809L
#include "support/check.h"

#include <hdf5.h>
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

/* Runs a model for some steps into a file and opens the file. */
static bool record_model(picus_model *model, const char *path, double t_end, picus_result **result) {
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  picus_status status = picus_system_create(model, &system);
  picus_sim_options options = picus_model_sim_options(model);
  if (t_end > 0) options.t_end = t_end;
  if (!status) status = picus_sim_create(context, system, &options, &sim);
  picus_run_description run = {.system = system, .model = model, .command = "test"};
  if (sim) run.options = picus_sim_options_of(sim);
  if (!status) status = picus_recorder_create(context, &run, &recorder);
  if (!status) status = picus_recorder_add_hdf5(recorder, path);
  if (!status) status = picus_sim_run(sim, recorder, NULL, NULL);
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  if (!status) status = picus_result_open(context, path, result);
  if (status) printf("  %s\n", picus_last_error(context)->message);
  return CHECK(status == PICUS_OK);
}

static bool load_and_record(const char *name, double t_end, picus_result **result) {
  picus_model *model = NULL;
  char path[64];
  snprintf(path, sizeof path, "drawing-%s.h5", name);
  bool fine =
      CHECK(picus_model_load(context, name, NULL, &model) == PICUS_OK) && record_model(model, path, t_end, result);
  picus_model_destroy(model);
  remove(path);
  return fine;
}

typedef struct scene {
  const picus_drawing *d;
  double *variables, *values;
} scene;

/* The values of all steps in a row of the result. */
static bool evaluate(picus_result *result, long row, scene *s) {
  if (!CHECK(picus_result_drawing(result, &s->d) == PICUS_OK) || !CHECK(s->d != NULL)) return false;
  s->variables = calloc((size_t)s->d->variable_count + 1, sizeof(double));
  s->values = calloc((size_t)s->d->step_count + 1, sizeof(double));
  bool fine = s->variables && s->values;
  for (int k = 0; fine && k < s->d->variable_count; k++) {
    const double *column;
    int index = picus_result_find(result, s->d->variables[k]);
    fine = CHECK(index >= 0) && CHECK(picus_result_values(result, index, &column) == PICUS_OK);
    if (fine) s->variables[k] = column[row];
  }
  if (fine) picus_drawing_evaluate(s->d, s->variables, s->values);
  return fine;
}

static void release(scene *s) {
  free(s->variables);
  free(s->values);
  *s = (scene){0};
}

static double value_of(const scene *s, int step) { return step >= 0 ? s->values[step] : 0; }

static double number_at(picus_result *result, const char *name, long row) {
  const double *column = NULL;
  int index = picus_result_find(result, name);
  if (index < 0 || picus_result_values(result, index, &column)) return NAN;
  return column[row];
}

static const picus_draw_shape *find_shape(const picus_drawing *d, picus_draw_kind kind, const char *name, int skip) {
  for (int k = 0; k < d->shape_count; k++)
    if (d->shapes[k].kind == kind && strcmp(d->shapes[k].name, name) == 0 && skip-- == 0) return &d->shapes[k];
  return NULL;
}

/* The points of the file are those of the mechanism: crank and rod of the slider-crank. */
static void points_follow_the_motion(void) {
  REQUIRE(begin());
  picus_result *result = NULL;
  scene s = {0};
  if (load_and_record("slider-crank", 0.01, &result)) {
    long row = picus_result_row_count(result) - 1;
    if (CHECK(row > 100) && evaluate(result, row, &s)) {
      CHECK(s.d->planar);
      const picus_draw_shape *rod = find_shape(s.d, PICUS_DRAW_LINE, "rod", 0);
      if (CHECK(rod && rod->count == 2 && rod->frame == 0)) {
        const int *a = s.d->points[rod->first_point], *b = s.d->points[rod->first_point + 1];
        double theta1 = number_at(result, "theta1", row), theta2 = number_at(result, "theta2", row);
        CHECK_NEAR(value_of(&s, a[0]), 0.153 * cos(theta1), 1e-15);
        CHECK_NEAR(value_of(&s, a[1]), 0.153 * sin(theta1), 1e-15);
        CHECK_NEAR(value_of(&s, b[0]), 0.153 * cos(theta1) + 0.306 * cos(theta2), 1e-15);
        CHECK_NEAR(value_of(&s, b[1]), 0.153 * sin(theta1) + 0.306 * sin(theta2), 1e-15);
        CHECK_TEXT(rod->line, "orange");
        CHECK(rod->width == 5);
      }
    }
    release(&s);
  }
  picus_result_close(result);
  end();
}

/* Frames of bodies: position and rotation from the columns. */
static void frames_follow_their_bodies(void) {
  REQUIRE(begin());
  picus_result *result = NULL;
  scene s = {0};
  if (load_and_record("slider-crank-bodies", 0.01, &result)) {
    long row = picus_result_row_count(result) - 1;
    if (evaluate(result, row, &s)) {
      CHECK(s.d->planar && s.d->frame_count == 4);
      CHECK_TEXT(s.d->frames[0].name, "");
      for (int k = 1; k < s.d->frame_count; k++) {
        const picus_draw_frame *f = &s.d->frames[k];
        const char *suffix = strcmp(f->name, "crank") == 0 ? "1" : strcmp(f->name, "rod") == 0 ? "2" : "3";
        char column[8];
        snprintf(column, sizeof column, "x%s", suffix);
        CHECK(value_of(&s, f->position[0]) == number_at(result, column, row));
        snprintf(column, sizeof column, "y%s", suffix);
        CHECK(value_of(&s, f->position[1]) == number_at(result, column, row));
        snprintf(column, sizeof column, "phi%s", suffix);
        double phi = number_at(result, column, row);
        CHECK_NEAR(value_of(&s, f->rotation[0]), cos(phi), 1e-15);
        CHECK_NEAR(value_of(&s, f->rotation[1]), -sin(phi), 1e-15);
        CHECK_NEAR(value_of(&s, f->rotation[3]), sin(phi), 1e-15);
        CHECK(value_of(&s, f->rotation[8]) == 1);
      }
    }
    release(&s);
  }
  picus_result_close(result);
  end();
}

/* Every contact of a shipped model is drawn where it is: while its place moves, the gap changes by the motion along the
 * normal. The mean of two normals makes the error of third order in the step, and 1e-3 of the motion is far above it.
 * This holds for surfaces at rest; models whose displacements are drawn enlarged or whose contacts have two moving
 * bodies are left out. */
static void check_site(picus_result *result, const scene *a, const scene *b, int k, long row) {
  const picus_draw_site *site = &a->d->sites[k];
  char column[80];
  snprintf(column, sizeof column, "%.70s.gap", site->law);
  double expected = number_at(result, column, row + 1) - number_at(result, column, row);
  if (isnan(expected)) return; /* a friction element */
  double along = 0, moved = 0, length = 0;
  for (int i = 0; i < 3; i++) {
    double d = value_of(b, site->place[i]) - value_of(a, site->place[i]);
    double n = (value_of(a, site->normal[i]) + value_of(b, site->normal[i])) / 2;
    along += n * d;
    moved += d * d;
    length += n * n;
  }
  CHECK_NEAR(length, 1, 1e-2);
  if (!CHECK_NEAR(along, expected, 1e-3 * sqrt(moved) + 1e-13)) printf("  contact %s, row %ld\n", site->law, row);
}

/* Contacts that the model names; those that come and go have their places in the table of contacts. */
static int contacts_of(picus_result *result) {
  int count = 0;
  for (int k = 0; k < picus_result_law_count(result); k++) {
    const picus_result_law law = picus_result_law_at(result, k);
    if (law.source < 0 && strcmp(law.kind, "bilateral") != 0) count++;
  }
  return count;
}

static bool is_among(const char *model, const char *const *names) {
  for (; *names; names++)
    if (strcmp(model, *names) == 0) return true;
  return false;
}
static bool touches_surfaces_at_rest(const char *model) {
  static const char *const others[] = {
      "elastic-bar", "cantilever-stop", "rotor", "circuit-breaker", "slider-crank-clearance", "quarter-car", NULL};
  return !is_among(model, others);
}
static bool is_spatial(const char *model) {
  return is_among(model, (const char *const[]){"tippedisk", "slider-crank-clearance", "tower", "wall", "kapla-tower",
                                               "box-tumbling", "spheres", "rolling-box", "elastic-balls", "collapse",
                                               "turntable", "rattleback", NULL});
}

static void try_shipped(const char *name) {
  picus_result *result = NULL;
  scene a = {0}, b = {0};
  static const char *const costly[] = {
      "woodpecker",      "wall",    "tower", "dominoes", "newtons-cradle",  "kapla-tower",   "disks",    "card-house",
      "chain-over-edge", "spheres", "chute", "hopper",   "column-collapse", "elastic-balls", "collapse", NULL};
  double t_end = is_among(name, costly) ? 0.03 : 0;
  if (load_and_record(name, t_end, &result)) {
    long rows = picus_result_row_count(result);
    for (long row = rows / 4; row < rows - 1; row += rows / 3) {
      if (evaluate(result, row, &a) && evaluate(result, row + 1, &b)) {
        CHECK(a.d->shape_count > 1);
        CHECK(a.d->planar != is_spatial(name));
        CHECK(a.d->site_count == contacts_of(result));
        for (int k = 0; k < a.d->step_count; k++) CHECK(isfinite(a.values[k]));
        for (int k = 0; k < a.d->site_count && touches_surfaces_at_rest(name); k++) check_site(result, &a, &b, k, row);
      }
      release(&a);
      release(&b);
    }
  }
  picus_result_close(result);
}

static void shipped_models_are_drawn(void) {
  REQUIRE(begin());
  for (int k = 0; k < picus_shipped_model_count(); k += (int)test_size(3, 3, 1))
    try_shipped(picus_shipped_model_name(k));
  end();
}

/* The same from C, with all kinds of shapes. */
static picus_status build(picus_model *model) {
  picus_coordinate_def x = {.name = "x", .velocity = "v", .start = 1, .unit = "m"};
  picus_expr q, u;
  picus_pool *pool = picus_model_pool(model);
  picus_status status = picus_model_add_coordinate(model, &x, &q, &u);
  if (!status) status = picus_model_add_kinetic(model, picus_mul(pool, u, u));
  if (!status) status = picus_model_set_run_number(model, "dt", 0.1);
  if (!status) status = picus_model_set_run_number(model, "t_end", 0.2);
  picus_expr zero = picus_number(pool, 0), one = picus_number(pool, 1);
  const picus_draw_vector points[4] = {
      {{q, zero, one}}, {{one, picus_neg(pool, q), zero}}, {{picus_model_time(model), one, one}}, {{zero, zero, q}}};
  static const int faces[6] = {0, 1, 2, 1, 2, 3};
  static const int counts[PICUS_DRAW_KINDS] = {2, 3, 1, 2, 2, 1, 2, 1, 2, 2, 4};
  for (int k = 0; !status && k < PICUS_DRAW_KINDS; k++) {
    picus_draw_def def = picus_default_draw_def((picus_draw_kind)k);
    def.points = points;
    def.count = counts[k];
    def.radius = q;
    def.text = "<b>text</b>";
    def.fill = "#12aBef";
    if (k == PICUS_DRAW_MESH) def.faces = faces, def.face_count = 2;
    status = picus_model_add_draw(model, &def);
  }
  return status;
}

static void all_shapes_from_c(void) {
  REQUIRE(begin());
  picus_model *model = NULL;
  picus_result *result = NULL;
  scene s = {0};
  REQUIRE(picus_model_create(context, "shapes", &model) == PICUS_OK);
  picus_status status = build(model);
  if (status) printf("  %s\n", picus_last_error(context)->message);
  if (CHECK(!status) && record_model(model, "drawing-c.h5", 0, &result) && evaluate(result, 1, &s)) {
    CHECK(!s.d->planar && s.d->shape_count == PICUS_DRAW_KINDS && s.d->face_count == 2);
    double x = number_at(result, "x", 1);
    for (int k = 0; k < s.d->shape_count; k++) {
      const picus_draw_shape *shape = &s.d->shapes[k];
      CHECK((int)shape->kind == k);
      CHECK(value_of(&s, shape->radius) == x);
      CHECK(value_of(&s, s.d->points[shape->first_point][0]) == x);
      if (shape->count > 1) CHECK(value_of(&s, s.d->points[shape->first_point + 1][1]) == -x);
      if (shape->count > 2) CHECK(value_of(&s, s.d->points[shape->first_point + 2][0]) == number_at(result, "t", 1));
      CHECK_TEXT(shape->fill, "#12aBef");
      CHECK_TEXT(shape->text, "<b>text</b>");
    }
  }
  release(&s);
  picus_result_close(result);
  picus_model_destroy(model);
  remove("drawing-c.h5");
  end();
}

/* A change of one number in a list of the drawing, which makes it wrong. */
static bool spoil(const char *path, const char *list, int index, double value) {
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t set = H5Dopen2(file, list, H5P_DEFAULT), space = H5Dget_space(set);
  hsize_t at = (hsize_t)index, one = 1;
  hid_t memory = H5Screate_simple(1, &one, NULL);
  bool done = H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &one, NULL) >= 0 &&
              H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &value) >= 0;
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(set);
  return H5Fclose(file) >= 0 && done;
}

static void damaged_drawings_are_refused(void) {
  static const struct {
    const char *list;
    int index;
    double value;
  } faults[] = {{"picus/drawing/points", 0, 1e9},
                {"picus/drawing/points", 1, -2},
                {"picus/drawing/points", 2, 0.5},
                {"picus/drawing/points", 2, NAN},
                {"picus/drawing/faces", 4, 4},
                {"picus/drawing/faces", 0, -1},
                {"picus/drawing/shapes/frame", 0, 1},
                {"picus/drawing/shapes/count", 0, 1e6},
                {"picus/drawing/shapes/first_point", 3, 1e8},
                {"picus/drawing/shapes/radius", 1, INFINITY},
                {"picus/drawing/shapes/count", 0, 0},
                {"picus/drawing/shapes/face_count", 10, 3}};
  REQUIRE(begin());
  picus_model *model = NULL;
  REQUIRE(picus_model_create(context, "shapes", &model) == PICUS_OK);
  CHECK(build(model) == PICUS_OK);
  for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
    picus_result *result = NULL;
    const picus_drawing *drawing;
    CHECK(record_model(model, "drawing-bad.h5", 0, &result));
    picus_result_close(result);
    CHECK(spoil("drawing-bad.h5", faults[k].list, faults[k].index, faults[k].value));
    REQUIRE(picus_result_open(context, "drawing-bad.h5", &result) == PICUS_OK);
    CHECK(picus_result_drawing(result, &drawing) == PICUS_ERROR_IO);
    CHECK(drawing == NULL);
    CHECK(strstr(picus_last_error(context)->message, "the drawing of 'drawing-bad.h5' is damaged") != NULL);
    picus_result_close(result);
  }
  picus_model_destroy(model);
  remove("drawing-bad.h5");
  end();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"points follow the motion", points_follow_the_motion},
                                    {"frames follow their bodies", frames_follow_their_bodies},
                                    {"shipped models are drawn", shipped_models_are_drawn},
                                    {"all shapes from C", all_shapes_from_c},
                                    {"damaged drawings are refused", damaged_drawings_are_refused}};
  return test_main(argc, argv, "drawing", cases, sizeof cases / sizeof cases[0]);
}
