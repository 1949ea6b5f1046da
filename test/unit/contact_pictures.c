/* Contacts that come and go in pictures, files of VTK and pages: the points and forces of the table. */
#define _POSIX_C_SOURCE 200809L
#include "contact_fake.h"

#include "view/page.h"
#include "view/picture.h"
#include "view/vtk.h"

typedef struct album {
  balls b;
  picus_result *result;
  picus_scene *scene;
} album;

/* PICUS_KEEP_RESULT names a file that the result is also copied to, to look at. */
static void keep(const char *path) {
  const char *copy = getenv("PICUS_KEEP_RESULT");
  size_t size = 0;
  char *bytes = copy ? read_whole(path, &size) : NULL;
  if (bytes) CHECK(write_whole(copy, bytes, size));
  free(bytes);
}

static bool open_album(album *a) {
  picus_sim_options options = picus_default_sim_options();
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  rollers of = balls_falling(5);
  of.drawn = true;
  *a = (album){0};
  options.dt = 1e-3;
  options.t_end = 0.6;
  options.every = 1;
  if (!CHECK(balls_open(&a->b, of, NULL))) return false;
  picus_run_description run = {a->b.model, a->b.system, &options, "test"};
  const char *path = scratch("album.h5");
  picus_status status = picus_sim_create(a->b.context, a->b.system, &options, &sim);
  if (!status) status = picus_recorder_create(a->b.context, &run, &recorder);
  if (!status) status = picus_recorder_add_hdf5(recorder, path);
  if (!status) status = picus_sim_run(sim, recorder, NULL, NULL);
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  if (!status) status = picus_result_open(a->b.context, path, &a->result);
  if (!status) status = picus_scene_create(a->b.context, a->result, &a->scene);
  if (status) printf("  %s\n", picus_last_error(a->b.context)->message);
  keep(path);
  return CHECK(status == PICUS_OK);
}

static void close_album(album *a) {
  picus_scene_destroy(a->scene);
  picus_result_close(a->result);
  scratch_remove("album.h5");
  balls_close(&a->b);
}

/* A row with many contacts, of more than one mode if there is one. */
static long fullest_row(const picus_result *result) {
  long best = 0;
  for (long row = 0; row < picus_result_row_count(result); row++)
    if (picus_result_contact_count(result, row) > picus_result_contact_count(result, best)) best = row;
  return best;
}

static void forces_are_those_of_the_table(void) {
  album a;
  if (!open_album(&a)) return;
  picus_contact_list list = {0};
  const picus_contact_point *points;
  long closed = 0;
  for (long row = 0; row < picus_result_row_count(a.result); row++) {
    REQUIRE(!picus_scene_contacts(a.scene, row, &list) && !picus_result_contacts(a.result, row, &points));
    REQUIRE(list.count == (size_t)picus_result_contact_count(a.result, row));
    for (size_t k = 0; k < list.count; k++) {
      const picus_scene_contact *c = &list.contacts[k];
      CHECK(c->gap == points[k].gap && c->mode == points[k].mode && c->mu == 0.3);
      for (int i = 0; i < 3; i++) {
        CHECK(c->place[i] == points[k].point[i]);
        CHECK_NEAR(c->force[i], 1e3 * (points[k].PN * points[k].normal[i] + points[k].PF[0] * points[k].tangent[i]),
                   1e-9);
      }
      closed += c->mode != PICUS_OPEN;
    }
  }
  CHECK(closed > 100);
  picus_contact_list_release(a.b.context, &list);
  close_album(&a);
}

static void arrows_start_at_contacts_and_have_colours(void) {
  album a;
  if (!open_album(&a)) return;
  picus_contact_list list = {0};
  picus_picture picture = {.context = a.b.context};
  const long row = fullest_row(a.result);
  const picus_camera camera = picus_camera_fit(a.scene, NULL, row, row, 800, 600);
  REQUIRE(!picus_picture_draw(&picture, a.scene, &camera, row));
  const size_t shapes = picture.stroke_count;
  REQUIRE(!picus_scene_contacts(a.scene, row, &list));
  REQUIRE(!picus_picture_add_contacts(&picture, a.scene, &camera, &list));
  size_t at = shapes;
  double usual = 0;
  int equal = 0, below = 0, above = 0;
  REQUIRE(!picus_usual_force(a.b.context, &list, &usual) && usual > 0);
  for (size_t k = 0; k < list.count; k++) {
    const picus_scene_contact *c = &list.contacts[k];
    const double x = camera.x + camera.scale * c->place[0], y = camera.y - camera.scale * c->place[1];
    const long colour = c->mode == PICUS_SLIP ? 0xd55e00 : c->mode == PICUS_STICK ? 0x009e73 : 0x8b949e;
    if (c->mode != PICUS_OPEN) {
      const picus_stroke *line = &picture.strokes[at++];
      double(*p)[2] = picture.points + line->first;
      CHECK(line->kind == PICUS_STROKE_LINE && line->count == 2 && line->line == colour);
      CHECK_NEAR(p[0][0], x, 1e-9);
      CHECK_NEAR(p[0][1], y, 1e-9);
      const double length = hypot(p[1][0] - p[0][0], p[1][1] - p[0][1]), force = hypot(c->force[0], c->force[1]);
      equal += force == usual;
      below += force < usual;
      above += force > usual;
      const double expected = force <= usual ? force / usual : 1 + 0.35 * log(force / usual);
      CHECK_NEAR(length, 0.2 * 600 * expected, 1e-9);
      if (length > 1e-6) /* parallel, and y of a picture points down */
        CHECK_NEAR((p[1][0] - p[0][0]) * -c->force[1] - (p[1][1] - p[0][1]) * c->force[0], 0, 1e-9 * length * force);
      if (length > 0.5) at++; /* its head */
    }
    const picus_stroke *dot = &picture.strokes[at++];
    CHECK(dot->kind == PICUS_STROKE_CIRCLE && dot->line == colour);
    CHECK_NEAR(picture.points[dot->first][0], x, 1e-9);
    CHECK_NEAR(picture.points[dot->first][1], y, 1e-9);
  }
  CHECK(list.count > 3 && at == picture.stroke_count);
  CHECK(equal > 0 && abs(above - below) <= equal); /* a median */
  picus_contact_list_release(a.b.context, &list);
  picus_picture_release(&picture);
  close_album(&a);
}

/* What is not finite disappears. */
static void contacts_without_a_place_are_left_out(void) {
  album a;
  if (!open_album(&a)) return;
  picus_scene_contact contacts[3] = {{.place = {NAN, 0, 0}, .force = {0, 1, 0}, .mode = PICUS_STICK},
                                     {.place = {0, 0, 0}, .force = {INFINITY, 1, 0}, .mode = PICUS_SLIP},
                                     {.place = {0.1, 0.1, 0}, .force = {0, 1, 0}, .mode = PICUS_STICK}};
  const picus_contact_list list = {contacts, 3, 3};
  picus_picture picture = {.context = a.b.context};
  const picus_camera camera = picus_camera_fit(a.scene, NULL, 0, 0, 400, 300);
  REQUIRE(!picus_picture_add_contacts(&picture, a.scene, &camera, &list));
  CHECK(picture.stroke_count == 4); /* the dot of the second one; line, head and dot of the third */
  picus_picture_release(&picture);
  close_album(&a);
}

static void vtk_has_a_point_for_each_contact(void) {
  album a;
  if (!open_album(&a)) return;
  picus_json file;
  char head[64];
  const long row = fullest_row(a.result);
  REQUIRE(!picus_json_begin(a.b.context, &file) && !picus_vtk_contacts(a.scene, row, &file));
  picus_json_add(&file, "", 1);
  snprintf(head, sizeof head, "NumberOfPoints=\"%d\"", picus_result_contact_count(a.result, row));
  CHECK(strstr(file.bytes, head) != NULL);
  picus_json_release(&file);
  close_album(&a);
}

static void the_page_has_the_contacts(void) {
  album a;
  if (!open_album(&a)) return;
  picus_json page;
  const picus_page_source source = {a.result, "album.h5"};
  REQUIRE(!picus_json_begin(a.b.context, &page) && !picus_page_write(a.b.context, 1, &source, &page));
  picus_json_add(&page, "", 1);
  const char *touch = strstr(page.bytes, "\"touch\":{\"all\":");
  if (CHECK(touch != NULL)) CHECK(strtod(touch + 15, NULL) > 100);
  picus_json_release(&page);
  close_album(&a);
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      {"forces_are_those_of_the_table", forces_are_those_of_the_table},
      {"arrows_start_at_contacts_and_have_colours", arrows_start_at_contacts_and_have_colours},
      {"contacts_without_a_place_are_left_out", contacts_without_a_place_are_left_out},
      {"vtk_has_a_point_for_each_contact", vtk_has_a_point_for_each_contact},
      {"the_page_has_the_contacts", the_page_has_the_contacts},
  };
  int code = test_main(argc, argv, "contact_pictures", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return code;
}
