/* Pages, pictures and files for ParaView of damaged results: a message or something safe, never a crash, and never more
 * scripts than the page has of its own. */
#include "support/check.h"
#include "view/page.h"
#include "view/picture.h"
#include "view/vtk.h"

#include <math.h>
#include <picus/picus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The few functions of HDF5 that damage files. The tests are linked with HDF5 but compiled without its headers. */
extern int64_t H5T_NATIVE_DOUBLE_g;
int64_t H5Fopen(const char *name, unsigned flags, int64_t access);
int H5Fclose(int64_t file);
int H5Ldelete(int64_t parent, const char *name, int64_t access);
int H5Lmove(int64_t from, const char *name, int64_t to, const char *new_name, int64_t creation, int64_t access);
int64_t H5Dopen2(int64_t parent, const char *name, int64_t access);
int64_t H5Dget_space(int64_t dataset);
int64_t H5Sget_simple_extent_npoints(int64_t space);
int H5Sclose(int64_t space);
int H5Dwrite(int64_t dataset, int64_t type, int64_t memory, int64_t file, int64_t list, const void *values);
int H5Dset_extent(int64_t dataset, const uint64_t *extent);
int H5Dclose(int64_t dataset);
int H5Eset_auto2(int64_t stack, void *function, void *data);

enum { READ_WRITE = 1 };
static const char path[] = "view-hostile.h5";
static picus_context *context;

static bool begin(void) {
  H5Eset_auto2(0, NULL, NULL);
  return picus_context_create(NULL, &context) == PICUS_OK;
}

static void end(void) {
  remove(path);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* Disks that fall on a bar: contacts that come and go, nodes, switching points, a drawing with names that are markup.
 */
static const char text[] =
    "model('</script><script>x', '<img src=x onerror=x>')\n"
    "gravity {0, -9.81}\n"
    "half_space {'floor', normal = {0, 1}, position = {0, 0}, extent = 1}\n"
    "for k = 1, 3 do disk {'d' .. k, suffix = tostring(k), radius = 0.1, density = 1,\n"
    "  position = {0.3 * k, 0.11}} end\n"
    "bar {'bar', length = 1, elements = 3, area = 1e-4, density = 1000, young = 1e6, start = {0, 1}}\n"
    "plot {y = 'E.kin'}\n"
    "simulate {scheme = 'moreau', dt = 0.002, t_end = 0.04}\n";

static bool record(void) {
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  FILE *file = fopen("view-hostile.lua", "w");
  if (!CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0)) return false;
  picus_status status = picus_model_load(context, "view-hostile.lua", NULL, &model);
  if (!status) status = picus_system_create(model, &system);
  if (!status) {
    picus_sim_options options = picus_model_sim_options(model);
    status = picus_sim_create(context, system, &options, &sim);
  }
  picus_run_description run = {.system = system, .model = model, .command = "<script>"};
  if (sim) run.options = picus_sim_options_of(sim);
  if (!status) status = picus_recorder_create(context, &run, &recorder);
  if (!status) status = picus_recorder_add_hdf5(recorder, path);
  if (!status) status = picus_sim_run(sim, recorder, NULL, NULL);
  if (status) printf("  %s\n", picus_last_error(context)->message);
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  remove("view-hostile.lua");
  return CHECK(status == PICUS_OK);
}

/* ---- everything that shows a result */

static int count_of(const picus_json *page, const char *word) {
  int count = 0;
  for (size_t k = 0; k + strlen(word) <= page->size; k++)
    if (memcmp(page->bytes + k, word, strlen(word)) == 0) count++;
  return count;
}

/* A failure has a message. */
static picus_status told(picus_status status) {
  if (status) CHECK(picus_last_error(context)->message[0] != '\0');
  return status;
}

static picus_status write_page(picus_result *result) {
  picus_json page;
  const picus_page_source source = {result, "<script>"};
  if (!CHECK(picus_json_begin(context, &page) == PICUS_OK)) return PICUS_ERROR_MEMORY;
  const picus_status status = told(picus_page_write(context, 1, &source, &page));
  if (!status) {
    /* its data, what pages share, plots, the page; with a drawing also the planar view */
    const int scripts = count_of(&page, "\"drawing\":") > 0 ? 6 : 5;
    CHECK(count_of(&page, "<script") == scripts && count_of(&page, "</script") == scripts);
    CHECK(count_of(&page, "<img") == 0 && count_of(&page, "<b>") == 0);
  }
  picus_json_release(&page);
  return status;
}

static void draw_row(picus_scene *scene, long row) {
  picus_picture picture = {.context = context};
  picus_json file;
  const picus_camera camera = picus_camera_fit(scene, NULL, 0, scene->rows - 1, 100, 80);
  if (!CHECK(picus_json_begin(context, &file) == PICUS_OK)) return;
  picus_status status = picus_picture_draw(&picture, scene, &camera, row);
  if (!status) status = picus_picture_svg(&picture, &camera, &file);
  if (!status) CHECK(count_of(&file, "nan") == 0 && count_of(&file, "inf") == 0 && count_of(&file, "<b>") == 0);
  if (!status) status = picus_vtk_shapes(scene, row, &file);
  if (!status) status = picus_vtk_contacts(scene, row, &file);
  told(status);
  picus_json_release(&file);
  picus_picture_release(&picture);
}

static void write_nodes(picus_result *result) {
  picus_json file;
  if (!CHECK(picus_json_begin(context, &file) == PICUS_OK)) return;
  for (int k = 0; k < picus_result_node_table_count(result); k++)
    if (picus_result_node_table_at(result, k).positions)
      told(picus_vtk_nodes(context, result, k, picus_result_row_count(result) - 1, &file));
  picus_json_release(&file);
}

/* true: there was a page. */
static bool show(void) {
  picus_result *result = NULL;
  picus_scene *scene = NULL;
  if (told(picus_result_open(context, path, &result))) return false;
  const bool has_page = write_page(result) == PICUS_OK;
  if (!told(picus_scene_create(context, result, &scene))) draw_row(scene, scene->rows - 1);
  if (picus_result_row_count(result) > 0) write_nodes(result);
  picus_scene_destroy(scene);
  picus_result_close(result);
  return has_page;
}

/* ---- damage */

static void markup_stays_text(void) {
  REQUIRE(begin());
  if (record()) CHECK(show());
  end();
}

static void without_a_part(void) {
  static const char *const parts[] = {"picus/drawing",
                                      "picus/drawing/points",
                                      "picus/drawing/shapes",
                                      "picus/drawing/steps",
                                      "picus/drawing/frames",
                                      "picus/contacts",
                                      "picus/contacts/count",
                                      "picus/contacts/PN",
                                      "picus/contacts/mode",
                                      "picus/contact_laws",
                                      "picus/bodies",
                                      "picus/events",
                                      "picus/events/t",
                                      "picus/events/law",
                                      "picus/laws",
                                      "picus/columns",
                                      "picus/plots",
                                      "picus/model",
                                      "picus/options",
                                      "picus/nodes",
                                      "picus/nodes/bar",
                                      "picus/status",
                                      "picus/statistics",
                                      "picus",
                                      "t",
                                      "E.kin"};
  int removed = 0, pages = 0;
  REQUIRE(begin());
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    if (!record()) break;
    const int64_t file = H5Fopen(path, READ_WRITE, 0);
    if (H5Ldelete(file, parts[k], 0) >= 0) removed++;
    CHECK(H5Fclose(file) >= 0);
    if (show()) pages++;
  }
  printf("  %d parts removed, %d pages\n", removed, pages);
  CHECK(removed >= 20 && pages >= 4);
  end();
}

/* All numbers of a list become this one. */
static bool overwrite(const char *list, double value) {
  const int64_t file = H5Fopen(path, READ_WRITE, 0), set = H5Dopen2(file, list, 0);
  H5Ldelete(file, "picus/sums", 0); /* else the numbers count as damaged, and are not drawn */
  bool done = false;
  if (set >= 0) {
    const int64_t space = H5Dget_space(set), count = H5Sget_simple_extent_npoints(space);
    double *values = calloc((size_t)(count > 0 ? count : 1), sizeof *values);
    for (int64_t k = 0; values && k < count; k++) values[k] = value;
    done = values && H5Dwrite(set, H5T_NATIVE_DOUBLE_g, 0, 0, 0, values) >= 0;
    free(values);
    H5Sclose(space);
    H5Dclose(set);
  }
  CHECK(H5Fclose(file) >= 0);
  return done;
}

static void with_wrong_numbers(void) {
  static const char *const lists[] = {"t",
                                      "x1",
                                      "phi2",
                                      "E.kin",
                                      "picus/contacts/x",
                                      "picus/contacts/PN",
                                      "picus/contacts/count",
                                      "picus/contacts/mode",
                                      "picus/events/t",
                                      "picus/events/law",
                                      "picus/nodes/bar/elements",
                                      "picus/nodes/bar/positions",
                                      "picus/drawing/points",
                                      "picus/contacts/body1"};
  static const double values[] = {1e6, -1, 0, 1e308};
  int written = 0;
  REQUIRE(begin());
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      if (!record()) break;
      if (overwrite(lists[k], values[i])) written++;
      show();
    }
  if (record() && overwrite("x1", (double)NAN)) CHECK(show());
  if (record() && overwrite("x1", (double)INFINITY)) CHECK(show());
  printf("  %d lists overwritten\n", written);
  CHECK(written >= 30);
  end();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"markup stays text", markup_stays_text},
                                    {"without a part", without_a_part},
                                    {"with wrong numbers", with_wrong_numbers}};
  return test_main(argc, argv, "view_hostile", cases, sizeof cases / sizeof cases[0]);
}
