/* picus render: pictures and animations of a result, without a browser. */
#include "base/internal.h"
#include "base/output_file.h"
#include "cli/cli.h"
#include "cli/paths.h"
#include "pictures.h"
#include "platform/console.h"
#include "platform/files.h"
#include "platform/processes.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- films -------------------------------------------------------------------------------------------------------- */

/* Pictures that ffmpeg, a program of its own, turns into MP4 or WebM. */

typedef struct film_writer {
  picus_context *context;
  const char *path;
  picus_output_file file; /* whose part ffmpeg writes */
  picus_process process;
  int pipe;
} film_writer;
typedef struct film_format {
  int width, height; /* pixels */
  double rate;       /* pictures per second */
} film_format;

static const char *ending_of(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot ? dot + 1 : "";
}

/* By its ending: .mp4 or .webm. */
static bool is_film(const char *path) {
  return strcmp(ending_of(path), "mp4") == 0 || strcmp(ending_of(path), "webm") == 0;
}

/* Starts ffmpeg, which reads raw pixels from a pipe; the number of an error of the system, or 0. */
static int start_ffmpeg(const char *program, film_writer *film, const film_format *f, int input) {
  char size[40], rate[40], output[PICUS_PATH_SIZE + 16];
  snprintf(size, sizeof size, "%dx%d", f->width, f->height);
  snprintf(rate, sizeof rate, "%.6f", f->rate);
  /* a name such as http:x is a file, too */
  const int length = snprintf(output, sizeof output, "file:%s", film->file.part);
  if (length < 0 || (size_t)length >= sizeof output) return ENAMETOOLONG;
  /* widths and heights of films are even */
  const char *const words[] = {"ffmpeg",
                               "-loglevel",
                               "error",
                               "-f",
                               "rawvideo",
                               "-pixel_format",
                               "bgr0",
                               "-video_size",
                               size,
                               "-framerate",
                               rate,
                               "-i",
                               "pipe:0",
                               "-vf",
                               "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
                               "-pix_fmt",
                               "yuv420p",
                               "-map_metadata",
                               "-1",
                               "-fflags",
                               "+bitexact",
                               "-f",
                               ending_of(film->path),
                               "-y",
                               output,
                               NULL};
  return picus_process_start(
      &(picus_program){.words = words, .path = program, .input = input, .output = -1, .errors = -1}, &film->process);
}

/* Starts ffmpeg. A message says so if it is not installed. */
static picus_status film_open(picus_context *context, const char *path, const film_format *format, film_writer *film) {
  char program[PICUS_PATH_SIZE];
  int ends[2];
  *film = (film_writer){.context = context, .path = path, .pipe = -1, .file = {.descriptor = -1}};
  if (!picus_find_program("ffmpeg", program, sizeof program))
    return picus_fail(context, PICUS_ERROR_UNSUPPORTED,
                      "films need ffmpeg, which is not installed; install it, or write pictures with --out FOLDER/");
  picus_status status = picus_output_open(context, path, &film->file);
  if (status) return status;
  if (!film->file.part) return picus_fail(context, PICUS_ERROR_ARGUMENT, "a film needs a regular file, not '%s'", path);
  int error = picus_pipe(ends);
  if (error) return picus_fail(context, PICUS_ERROR_IO, "cannot start ffmpeg: %s", strerror(error));
  film->pipe = ends[1];
  picus_console_ignore_broken_pipes(); /* if ffmpeg ends early, its exit code says so */
  error = start_ffmpeg(program, film, format, ends[0]);
  (void)picus_file_close(ends[0]);
  return error ? picus_fail(context, PICUS_ERROR_IO, "cannot start ffmpeg: %s", strerror(error)) : PICUS_OK;
}

/* Adds a picture: width x height pixels of 4 bytes, blue first. */
static picus_status film_add(film_writer *film, const void *pixels, size_t size) {
  if (!picus_file_write(film->pipe, pixels, size, NULL)) return PICUS_OK;
  return picus_fail(film->context, PICUS_ERROR_IO, "ffmpeg does not take the pictures of '%s'", film->path);
}

/* Waits for ffmpeg. The file appears if all went well; with a failure before, nothing remains. */
static picus_status film_close(film_writer *film, picus_status status) {
  int code = 0;
  if (film->pipe >= 0) (void)picus_file_close(film->pipe);
  if (film->process.own) {
    const picus_process_state state = picus_process_look(&film->process, true, &code);
    if (!status && (state != PICUS_PROCESS_ENDED || code != 0))
      status = picus_fail(film->context, PICUS_ERROR_IO, "ffmpeg could not write '%s'", film->path);
  }
  if (!status)
    status = picus_output_publish(&film->file);
  else
    picus_output_discard(&film->file);
  *film = (film_writer){.pipe = -1};
  return status;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static const cli_option options[] = {
    {"out", "F.svg",
     "an animated SVG; F.mp4, F.webm: a film, by ffmpeg; F.png: one picture; a name that ends with /: a folder for "
     "frame-0001.png, ...",
     false},
    {"frames", "N", "number of pictures; default 100, of a film 25 for each second", false},
    {"strip", "N", "a filmstrip: N poses next to each other, as SVG or PNG", false},
    {"from", "T", "start at this time; default: the start of the run", false},
    {"to", "T", "end at this time; default: the end of the run", false},
    {"camera", "VIEW",
     "spatial models: corner (default), x, y or z, from which to look, or azimuth,elevation in degrees", false},
    {"perspective", NULL, "spatial models: near things are larger; otherwise a parallel projection", false},
    {"contacts", NULL, "also contacts, coloured by their modes, and their forces", false},
    {"seconds", "S", "duration of the animation or film; default 6", false},
    {"width", "PIXELS", "width of a picture; default 480", false},
    {"height", "PIXELS", "height of a picture; default 360", false},
    {"quiet", NULL, "print nothing", false},
};

static const char *const examples[] = {
    "picus render woodpecker.h5 --from 0 --to 0.4 --out woodpecker.svg",
    "an animation for a web page",
    "picus render woodpecker.h5 --strip 6 --to 0.15 --out strip.svg",
    "six poses for a paper",
    "picus render woodpecker.h5 --to 1 --seconds 20 --out woodpecker.mp4",
    "a film in slow motion",
    "picus render spheres.h5 --camera -40,20 --perspective --contacts --width 1920 --height 1080 --out spheres.png",
    "a large picture from a chosen side",
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
    status = picus_picture_pose(&picture, job->scene, &moved, rows[k], job->animation.contacts);
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
  const film_format format = {job->camera.width, job->camera.height, a->count / a->seconds};
  film_writer film;
  picus_status status = film_open(job->context, job->out, &format, &film);
  for (int k = 0; !status && k < a->count; k++) {
    picus_sketch *sketch = NULL;
    size_t size;
    status = sketch_poses(job, 1, &a->rows[k], &sketch);
    if (status) break;
    const unsigned char *pixels = picus_sketch_pixels(sketch, &size);
    status = film_add(&film, pixels, size);
    picus_sketch_destroy(sketch);
  }
  return film_close(&film, status);
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
  const int error = picus_folder_make(job->out);
  if (error && error != EEXIST)
    return picus_fail(job->context, PICUS_ERROR_IO, "cannot create the folder '%s': %s", job->out, strerror(error));
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

/* Two numbers with a comma between them. */
static bool read_two(const char *text, double *values) {
  char *end;
  values[0] = strtod(text, &end);
  if (end == text || *end != ',') return false;
  const char *second = end + 1;
  values[1] = strtod(second, &end);
  return end != second && *end == '\0';
}

/* --camera and --perspective. */
static bool read_view(const cli_arguments *a, const picus_scene *scene, picus_view *view) {
  static const struct {
    const char *name;
    double azimuth, elevation; /* degrees */
  } known[] = {{"x", 0, 0}, {"y", -90, 0}, {"z", -90, 90}};
  const double degree = acos(-1) / 180;
  const char *text = cli_value(a, "camera", 0);
  double angles[2];
  *view = picus_default_view();
  view->perspective = cli_given(a, "perspective");
  if (scene->drawing->planar && (text || view->perspective)) {
    cli_complain("--camera and --perspective are for spatial models; this one is planar");
    return false;
  }
  if (!text || strcmp(text, "corner") == 0) return true;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (strcmp(known[k].name, text) != 0) continue;
    view->azimuth = known[k].azimuth * degree;
    view->elevation = known[k].elevation * degree;
    return true;
  }
  if (!read_two(text, angles) || !(fabs(angles[0]) <= 360) || !(fabs(angles[1]) <= 90)) {
    cli_complain("--camera takes corner, x, y, z or two angles, such as -40,20, not '%s'", text);
    return false;
  }
  view->azimuth = angles[0] * degree;
  view->elevation = angles[1] * degree;
  return true;
}

/* Whether the name of the output is of a form that can be made. */
static bool check_form(const render_job *job) {
  const bool film = is_film(job->out);
  if (!film && !ends_with(job->out, "/") && !ends_with(job->out, ".png") && !ends_with(job->out, ".svg"))
    cli_complain("--out must end with .svg, .png, .mp4, .webm or /, not '%s'", job->out);
  else if (job->strip && film)
    cli_complain("--strip is a picture, .svg or .png, not a film");
  else
    return true;
  return false;
}

/* What was asked for on the command line, checked; then the pictures. */
static int render(const cli_arguments *a, render_job *job) {
  const picus_scene *s = job->scene;
  const bool strip = job->strip, folder = ends_with(job->out, "/"), png = ends_with(job->out, ".png"),
             film = is_film(job->out);
  int count = 100, width = 480, height = 360;
  double from = s->t[0], to = s->t[s->rows - 1];
  picus_view view;
  job->animation.seconds = 6;
  if (!read_whole(a, "frames", MOST_FRAMES, &count) || !read_whole(a, "width", MOST_PIXELS, &width) ||
      !read_whole(a, "height", MOST_PIXELS, &height) || !cli_number(a, "from", &from) || !cli_number(a, "to", &to) ||
      !cli_number(a, "seconds", &job->animation.seconds))
    return EXIT_WRONG_INPUT;
  if (strip && !read_whole(a, "strip", 50, &count)) return EXIT_WRONG_INPUT;
  if (!(job->animation.seconds > 0 && job->animation.seconds <= 3600) || !(to >= from)) {
    cli_complain("--seconds must be positive and at most 3600, and --to must not be before --from");
    return EXIT_WRONG_INPUT;
  }
  if (!check_form(job)) return EXIT_WRONG_INPUT;
  if (film && !cli_given(a, "frames")) count = (int)fmax(2, round(25 * job->animation.seconds));
  if (png && !strip) count = 1;
  if (folder && !check_frames(a, job, count)) return EXIT_WRONG_INPUT;
  if (!read_view(a, s, &view)) return EXIT_WRONG_INPUT;
  job->camera = picus_camera_fit(job->scene, &view, picus_scene_row(s, from), picus_scene_row(s, to), width, height);
  job->camera.thick = fmax(1, fmin(width / 640.0, height / 480.0));
  job->animation.contacts = cli_given(a, "contacts");
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
        "next to each other. Spatial models are drawn with far surfaces first. Lines and marks grow with the picture.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
