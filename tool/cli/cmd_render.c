/* picus render: pictures and animations of a result, without a browser. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "film.h"
#include "paths.h"
#include "pictures.h"

#include "base/internal.h"
#include "base/output_file.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static const cli_option options[] = {
    {"out", "F.svg",
     "an animated SVG; F.mp4, F.webm: a film, by ffmpeg; F.png: one picture; a name that ends with /: a folder for "
     "frame-0001.png, ...",
     false},
    {"frames", "N", "number of pictures; default 100, of a film 25 for each second", false},
    {"strip", "N", "a filmstrip: N poses next to each other, as SVG or PNG", false},
    {"from", "T", "start at this time; default: the start of the run", false},
    {"to", "T", "end at this time; default: the end of the run", false},
    {"seconds", "S", "duration of the animation or film; default 6", false},
    {"width", "PIXELS", "width of a picture; default 480", false},
    {"height", "PIXELS", "height of a picture; default 360", false},
    {"quiet", NULL, "print nothing", false},
};

static const char *const examples[] = {"picus render woodpecker.h5 --from 0 --to 0.4 --out woodpecker.svg",
                                       "an animation for a web page",
                                       "picus render woodpecker.h5 --strip 6 --to 0.15 --out strip.svg",
                                       "six poses for a paper",
                                       "picus render woodpecker.h5 --to 1 --seconds 20 --out woodpecker.mp4",
                                       "a film in slow motion",
                                       NULL};

enum { MOST_FRAMES = 100000, MOST_PIXELS = 8192, FOOT = 24, PATH_SIZE = 4096 };

typedef struct render_job {
  picus_context *context;
  picus_scene *scene;
  picus_camera camera;
  picus_animation animation;
  const char *out;
  bool strip;
} render_job;

static bool read_whole(const cli_arguments *a, const char *option, long most, int *value) {
  long number = *value;
  if (!cli_integer(a, option, &number)) return false;
  if (number < 1 || number > most) {
    cli_complain("--%s must be an integer from 1 to %ld, not %s", option, most, cli_value(a, option, 0));
    return false;
  }
  *value = (int)number;
  return true;
}

/* The time of a pose, below it. */
static void label_pose(const render_job *job, picus_sketch *sketch, int k, long row) {
  char text[40];
  const picus_camera *c = &job->camera;
  const double at[1][2] = {{(k + 0.5) * c->width, c->height + 0.5 * FOOT}};
  snprintf(text, sizeof text, "t = %.4g s", job->scene->t[row]);
  picus_sketch_clip(sketch, (double)k * c->width, 0, c->width, c->height + FOOT);
  picus_sketch_add(sketch, &(picus_mark){.kind = PICUS_MARK_TEXT, .count = 1, .points = at, .fill = -1, .text = text});
}

/* Draws poses beside each other; those of a strip have their times below. */
static picus_status sketch_poses(const render_job *job, int count, const long *rows, picus_sketch **out) {
  const picus_camera *c = &job->camera;
  picus_sketch *sketch = NULL;
  picus_picture picture = {.context = job->context};
  picus_status status =
      picus_sketch_create(job->context, c->width * count, c->height + (job->strip ? FOOT : 0), &sketch);
  for (int k = 0; !status && k < count; k++) {
    picus_camera moved = *c;
    moved.x += (double)k * c->width;
    moved.width = c->width * (k + 1);
    picus_sketch_clip(sketch, (double)k * c->width, 0, c->width, c->height);
    status = picus_picture_draw(&picture, job->scene, &moved, rows[k]);
    if (!status) cli_sketch_picture(sketch, &picture);
    if (!status && job->strip) label_pose(job, sketch, k, rows[k]);
  }
  picus_picture_release(&picture);
  if (status) picus_sketch_destroy(sketch);
  *out = status ? NULL : sketch;
  return status;
}

static picus_status save_png(const render_job *job, int count, const long *rows, const char *path) {
  picus_sketch *sketch = NULL;
  picus_status status = sketch_poses(job, count, rows, &sketch);
  if (!status) status = picus_sketch_save(sketch, path);
  picus_sketch_destroy(sketch);
  return status;
}

static picus_status save_film(const render_job *job) {
  const picus_animation *a = &job->animation;
  const cli_film_format format = {job->camera.width, job->camera.height, a->count / a->seconds};
  cli_film film;
  picus_status status = cli_film_open(job->context, job->out, &format, &film);
  for (int k = 0; !status && k < a->count; k++) {
    picus_sketch *sketch = NULL;
    size_t size;
    status = sketch_poses(job, 1, &a->rows[k], &sketch);
    if (status) break;
    const unsigned char *pixels = picus_sketch_pixels(sketch, &size);
    status = cli_film_add(&film, pixels, size);
    picus_sketch_destroy(sketch);
  }
  return cli_film_close(&film, status);
}

/* The pictures of a folder have numbers; "": too long. */
static void name_frame(const render_job *job, int k, char path[PATH_SIZE]) {
  if (snprintf(path, PATH_SIZE, "%sframe-%04d.png", job->out, k + 1) >= PATH_SIZE) path[0] = '\0';
}

/* All files that will be written to a folder, before the first one is. */
static bool check_frames(const cli_arguments *a, const render_job *job, int count) {
  cli_paths paths = {0};
  char path[PATH_SIZE];
  cli_paths_list(&paths, a);
  name_frame(job, count, path);
  const bool fits = path[0] != '\0';
  for (int k = 0; fits && k < count; k++) {
    name_frame(job, k, path);
    cli_paths_write_member(&paths, "--out", path);
  }
  if (!fits) cli_complain("the name of the folder '%.60s...' is too long", job->out);
  return cli_paths_check(&paths, job->context) && fits;
}

static picus_status save_sequence(const render_job *job) {
  char path[PATH_SIZE];
  if (mkdir(job->out, 0777) != 0 && errno != EEXIST)
    return picus_fail(job->context, PICUS_ERROR_IO, "cannot create the folder '%s': %s", job->out, strerror(errno));
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < job->animation.count; k++) {
    name_frame(job, k, path);
    status = save_png(job, 1, &job->animation.rows[k], path);
  }
  return status;
}

static picus_status save_svg(const render_job *job, bool strip) {
  picus_json svg;
  picus_status status = picus_json_begin(job->context, &svg);
  if (!status && strip) status = picus_picture_strip(job->scene, &job->camera, &job->animation, &svg);
  if (!status && !strip) status = picus_picture_animate(job->scene, &job->camera, &job->animation, &svg);
  if (!status) status = picus_output_save(job->context, job->out, svg.bytes, svg.size);
  picus_json_release(&svg);
  return status;
}

static bool ends_with(const char *text, const char *ending) {
  size_t n = strlen(text), m = strlen(ending);
  return n >= m && strcmp(text + n - m, ending) == 0;
}

static picus_status choose_rows(render_job *job, int count, double from, double to) {
  long *rows = picus_allocate(job->context, (size_t)count, sizeof *rows);
  if (!rows) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < count; k++)
    rows[k] = picus_scene_row(job->scene, count > 1 ? from + (to - from) * k / (count - 1) : from);
  job->animation.rows = rows;
  job->animation.count = count;
  return PICUS_OK;
}

static int render(const cli_arguments *a, render_job *job) {
  const picus_scene *s = job->scene;
  const bool strip = job->strip, folder = ends_with(job->out, "/"), png = ends_with(job->out, ".png"),
             film = cli_is_film(job->out);
  int count = 100, width = 480, height = 360;
  double from = s->t[0], to = s->t[s->rows - 1];
  job->animation.seconds = 6;
  if (!read_whole(a, "frames", MOST_FRAMES, &count) || !read_whole(a, "width", MOST_PIXELS, &width) ||
      !read_whole(a, "height", MOST_PIXELS, &height) || !cli_number(a, "from", &from) || !cli_number(a, "to", &to) ||
      !cli_number(a, "seconds", &job->animation.seconds))
    return EXIT_WRONG_INPUT;
  if (strip && !read_whole(a, "strip", 50, &count)) return EXIT_WRONG_INPUT;
  if (!folder && !png && !film && !ends_with(job->out, ".svg")) {
    cli_complain("--out must end with .svg, .png, .mp4, .webm or /, not '%s'", job->out);
    return EXIT_WRONG_INPUT;
  }
  if (!(job->animation.seconds > 0 && job->animation.seconds <= 3600) || !(to >= from)) {
    cli_complain("--seconds must be positive and at most 3600, and --to must not be before --from");
    return EXIT_WRONG_INPUT;
  }
  if (strip && film) {
    cli_complain("--strip is a picture, .svg or .png, not a film");
    return EXIT_WRONG_INPUT;
  }
  if (film && !cli_given(a, "frames")) count = (int)fmax(2, round(25 * job->animation.seconds));
  if (png && !strip) count = 1;
  if (folder && !check_frames(a, job, count)) return EXIT_WRONG_INPUT;
  job->camera = picus_camera_fit(job->scene, picus_scene_row(s, from), picus_scene_row(s, to), width, height);
  picus_status status = choose_rows(job, count, from, to);
  if (!status && folder)
    status = save_sequence(job);
  else if (!status && film)
    status = save_film(job);
  else if (!status && png)
    status = save_png(job, count, job->animation.rows, job->out);
  else if (!status)
    status = save_svg(job, strip);
  if (!status && !cli_given(a, "quiet"))
    cli_print("%s: %d picture%s of %d x %d pixels\n", job->out, count, count == 1 ? "" : "s", width, height);
  return status ? cli_report_error(job->context, EXIT_WRONG_INPUT) : EXIT_DONE;
}

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(cli_given(a, "quiet"));
  if (!context) return EXIT_RUN_FAILED;
  render_job job = {.context = context, .out = cli_value(a, "out", 0), .strip = cli_given(a, "strip")};
  picus_result *result = NULL;
  int code = EXIT_WRONG_INPUT;
  if (!job.out)
    cli_complain("render needs --out: F.svg, F.png, F.mp4, F.webm or a folder that ends with /");
  else if (cli_open_thinned(context, cli_operand(a, 0), &result) || picus_scene_create(context, result, &job.scene))
    code = cli_report_error(context, EXIT_WRONG_INPUT);
  else
    code = render(a, &job);
  picus_release(context, (void *)job.animation.rows);
  picus_scene_destroy(job.scene);
  picus_result_close(result);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_render = {
    .name = "render",
    .operands = "RESULT.h5",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "result",
    .summary = "Draw pictures and animations of a result",
    .description =
        "The pictures show the shapes that the model draws, at rows of the result that are equally spaced in time. An\n"
        "animated SVG plays in browsers and on web pages. Films, MP4 or WebM, need ffmpeg. A filmstrip shows some "
        "poses\n"
        "next to each other. Spatial models are drawn in a parallel projection, far surfaces first.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
