/* picus plot --at: a scene at a time, with contact points and force arrows. */
#include "pictures.h"
#include "paths.h"

#include "base/internal.h"
#include "base/output_file.h"

#include <math.h>
#include <string.h>

void cli_sketch_picture(picus_sketch *sketch, const picus_picture *picture) {
  for (size_t i = 0; i < picture->stroke_count; i++) {
    const picus_stroke *s = &picture->strokes[i];
    const picus_mark mark = {(picus_mark_kind)s->kind,
                             s->count,
                             (const double(*)[2])picture->points + s->first,
                             s->radius,
                             s->width,
                             s->line,
                             s->fill,
                             s->text};
    picus_sketch_add(sketch, &mark);
  }
}

static picus_status save(picus_context *context, const picus_picture *picture, const picus_camera *camera,
                         const char *path) {
  const size_t length = strlen(path);
  picus_sketch *sketch = NULL;
  picus_json svg;
  picus_status status;
  if (length > 4 && strcmp(path + length - 4, ".svg") == 0) {
    status = picus_json_begin(context, &svg);
    if (!status) status = picus_picture_svg(picture, camera, &svg);
    if (!status) status = picus_output_save(context, path, svg.bytes, svg.size);
    picus_json_release(&svg);
    return status;
  }
  if (length < 5 || strcmp(path + length - 4, ".png") != 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a scene is drawn as .png or .svg, not '%s'", path);
  status = picus_sketch_create(context, camera->width, camera->height, &sketch);
  if (!status) cli_sketch_picture(sketch, picture);
  if (!status) status = picus_sketch_save(sketch, path);
  picus_sketch_destroy(sketch);
  return status;
}

/* What the colours and the arrows mean. */
static void tell(const char *path, const picus_scene *scene, long row, const picus_contact_list *list, double usual) {
  long number[3] = {0};
  for (size_t k = 0; k < list->count; k++) number[list->contacts[k].mode]++;
  cli_print("%s: t = %.9g s", path, scene->t[row]);
  if (list->count > 0)
    cli_print("; contacts: %ld closed or stick (green), %ld slip (red), %ld open (grey)", number[1], number[2],
              number[0]);
  if (usual > 0) cli_print("; usual force %.4g N", usual);
  cli_print("\n");
}

static int draw(picus_context *context, picus_scene *scene, double t, long pixels, const char *path) {
  picus_picture picture = {.context = context};
  picus_contact_list list = {0};
  const long row = picus_scene_row(scene, t);
  double usual = 0;
  const int width = pixels > 0 ? (int)pixels : 1200;
  const picus_camera camera = picus_camera_fit(scene, row, row, width, (int)(0.75 * width));
  picus_status status = picus_picture_draw(&picture, scene, &camera, row);
  if (!status) status = picus_scene_contacts(scene, row, &list);
  if (!status) status = picus_picture_add_contacts(&picture, scene, &camera, &list);
  if (!status) status = picus_usual_force(context, &list, &usual);
  if (!status) status = save(context, &picture, &camera, path);
  if (!status) tell(path, scene, row, &list, usual);
  picus_contact_list_release(context, &list);
  picus_picture_release(&picture);
  return status ? cli_report_error(context, EXIT_WRONG_INPUT) : EXIT_DONE;
}

int cli_plot_scene(const cli_arguments *a, picus_context *context, const char *path) {
  picus_result *result = NULL;
  picus_scene *scene = NULL;
  cli_paths paths = {0};
  double t = 0;
  long pixels = 0;
  int code = EXIT_WRONG_INPUT;
  cli_paths_read(&paths, "the result", cli_operand(a, 0));
  cli_paths_write(&paths, "the figure", path);
  if (!cli_paths_check(&paths, context) || !cli_number(a, "at", &t) || !cli_integer(a, "pixels", &pixels))
    return EXIT_WRONG_INPUT;
  if (cli_operand_count(a) > 1)
    cli_complain("--at draws the scene of one result, without columns");
  else if (pixels < 0 || pixels > 8192)
    cli_complain("--pixels takes at most 8192 with --at");
  else if (picus_result_open(context, cli_operand(a, 0), &result) || picus_scene_create(context, result, &scene))
    code = cli_report_error(context, EXIT_WRONG_INPUT);
  else
    code = draw(context, scene, t, pixels, path);
  picus_scene_destroy(scene);
  picus_result_close(result);
  return code;
}
