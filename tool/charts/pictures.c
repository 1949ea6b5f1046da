/* Pictures of results as files, and picus plot --at. */
#include "pictures.h"

#include "base/internal.h"
#include "base/output_file.h"
#include "plot/figure.h"
#include "view/grains.h"

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

picus_status cli_save_picture(picus_context *context, const picus_picture *picture, const picus_camera *camera,
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

/* --- picus plot --at ---------------------------------------------------------------------------------------------- */

/* picus plot --at: the scene of a result at a time, with arrows of forces, chains of forces or slopes; or the
 * distribution of its forces. */

typedef struct scene_job {
  picus_context *context;
  picus_scene *scene;
  long row;
  long pixels; /* 0: the default */
  const char *path;
  picus_camera camera;
} scene_job;

/* Adds to the picture, and prints what it shows. */
typedef picus_status (*show_function)(const scene_job *job, picus_picture *picture);

static void tell_time(const scene_job *job) { cli_print("%s: t = %.9g s", job->path, job->scene->t[job->row]); }

/* What the colours and the arrows mean. */
static void tell_arrows(const scene_job *job, const picus_contact_list *list, double usual) {
  long number[3] = {0};
  for (size_t k = 0; k < list->count; k++) number[list->contacts[k].mode]++;
  tell_time(job);
  if (list->count > 0)
    cli_print("; contacts: %ld closed or stick (green), %ld slip (orange), %ld open (grey)", number[1], number[2],
              number[0]);
  if (usual > 0) cli_print("; usual force %.4g N", usual);
  cli_print("\n");
}

static picus_status show_arrows(const scene_job *job, picus_picture *picture) {
  picus_contact_list list = {0};
  double usual = 0;
  picus_status status = picus_scene_contacts(job->scene, job->row, &list);
  if (!status) status = picus_picture_add_contacts(picture, job->scene, &job->camera, &list);
  if (!status) status = picus_usual_force(job->context, &list, &usual);
  if (!status) tell_arrows(job, &list, usual);
  picus_contact_list_release(job->context, &list);
  return status;
}

static picus_status show_chains(const scene_job *job, picus_picture *picture) {
  picus_force_links links = {0};
  double most = 0;
  picus_status status = picus_scene_force_links(job->scene, job->row, &links);
  if (!status) status = picus_picture_add_links(picture, &job->camera, &links);
  for (size_t k = 0; k < links.count; k++) most = fmax(most, links.links[k].force);
  if (!status) {
    tell_time(job);
    cli_print("; %zu loaded contacts, mean force %.4g N, largest %.4g N\n", links.count, links.mean, most);
  }
  picus_force_links_release(job->context, &links);
  return status;
}

static picus_status show_slope(const scene_job *job, picus_picture *picture) {
  static const char *const names[2] = {"left", "right"};
  const double degree = acos(-1) / 180;
  picus_heap heap;
  picus_status status = picus_scene_heap(job->scene, job->row, &heap);
  if (!status) status = picus_picture_add_heap(picture, job->scene, &job->camera, &heap);
  if (status) return status;
  tell_time(job);
  for (int side = 0; side < 2; side++)
    if (heap.flank[side].found)
      cli_print("; slope%s%s %.3g deg", job->scene->drawing->planar ? " on the " : "",
                job->scene->drawing->planar ? names[side] : "", heap.flank[side].angle / degree);
  cli_print(heap.flank[0].found || heap.flank[1].found ? "\n" : "; no flank of three columns or more\n");
  return PICUS_OK;
}

static picus_status draw(scene_job *job, show_function show) {
  picus_picture picture = {.context = job->context};
  const int width = job->pixels > 0 ? (int)job->pixels : 1200;
  job->camera = picus_camera_fit(job->scene, NULL, job->row, job->row, width, (int)(0.75 * width));
  picus_status status = picus_picture_draw(&picture, job->scene, &job->camera, job->row);
  if (!status) status = show(job, &picture);
  if (!status) status = cli_save_picture(job->context, &picture, &job->camera, job->path);
  picus_picture_release(&picture);
  return status;
}

static picus_status add_density(picus_figure *figure, const picus_force_distribution *distribution) {
  picus_panel_def panel = picus_default_panel_def();
  picus_series_def series = picus_default_series_def();
  int index = 0;
  panel.x.label = "F_N / mean of F_N";
  panel.y.label = "probability density";
  panel.y.scale = PICUS_AXIS_LOG;
  series.x = distribution->ratio;
  series.y = distribution->density;
  series.count = PICUS_FORCE_CLASSES;
  series.style = PICUS_SERIES_LINE_POINTS;
  picus_status status = picus_figure_add_panel(figure, &panel, &index);
  if (!status) status = picus_figure_add_series(figure, index, &series);
  return status;
}

static picus_status draw_distribution(const scene_job *job) {
  picus_force_links links = {0};
  picus_figure *figure = NULL;
  picus_figure_def def = picus_default_figure_def();
  def.pixels = (int)job->pixels;
  picus_status status = picus_scene_force_links(job->scene, job->row, &links);
  if (!status && links.count == 0)
    status =
        picus_fail(job->context, PICUS_ERROR_MODEL,
                   "there is no loaded contact at t = %g s, so no distribution of forces", job->scene->t[job->row]);
  const picus_force_distribution distribution = picus_force_distribution_of(&links);
  if (!status) status = picus_figure_create(job->context, &def, &figure);
  if (!status) status = add_density(figure, &distribution);
  if (!status) status = picus_figure_save(figure, job->path);
  if (!status) {
    tell_time(job);
    cli_print("; normal forces of %zu contacts, mean %.4g N\n", links.count, links.mean);
  }
  picus_figure_destroy(figure);
  picus_force_links_release(job->context, &links);
  return status;
}

static int show(scene_job *job, const char *what) {
  static const struct {
    const char *name;
    show_function show; /* NULL: not a scene */
  } known[] = {{"arrows", show_arrows}, {"chains", show_chains}, {"slope", show_slope}, {"distribution", NULL}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (strcmp(known[k].name, what) != 0) continue;
    const picus_status status = known[k].show ? draw(job, known[k].show) : draw_distribution(job);
    return status ? cli_report_error(job->context, EXIT_WRONG_INPUT) : EXIT_DONE;
  }
  cli_complain("--show takes arrows, chains, slope or distribution, not '%s'", what);
  return EXIT_WRONG_INPUT;
}

int cli_plot_scene(const cli_arguments *a, picus_context *context, const char *path) {
  picus_result *result = NULL;
  scene_job job = {.context = context, .path = path};
  double t = 0;
  int code = EXIT_WRONG_INPUT;
  if (!cli_number(a, "at", &t) || !cli_integer(a, "pixels", &job.pixels)) return EXIT_WRONG_INPUT;
  if (cli_operand_count(a) > 1)
    cli_complain("--at draws the scene of one result, without columns");
  else if (job.pixels < 0 || job.pixels > 8192)
    cli_complain("--pixels takes at most 8192 with --at");
  else if (cli_open_thinned(context, cli_operand(a, 0), &result) || picus_scene_create(context, result, &job.scene))
    code = cli_report_error(context, EXIT_WRONG_INPUT);
  else {
    job.row = picus_scene_row(job.scene, t);
    code = show(&job, cli_given(a, "show") ? cli_value(a, "show", 0) : "arrows");
  }
  picus_scene_destroy(job.scene);
  picus_result_close(result);
  return code;
}
