/* Figures as a whole: formats, same bytes for same input, hostile data, wrong arguments, failing memory and files. */
#define _POSIX_C_SOURCE 200809L /* folders, links */
#include "plot/figure.h"
#include "support/check.h"

#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static picus_context *context;
static char folder[60];

static const char *in_folder(const char *name) {
  static char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* ---- Building figures ---- */

static picus_figure *create(const picus_figure_def *def) {
  picus_figure *figure = NULL;
  CHECK(picus_figure_create(context, def, &figure) == PICUS_OK);
  return figure;
}

static int add_panel(picus_figure *figure, const char *x, const char *y, picus_axis_scale scale) {
  picus_panel_def def = picus_default_panel_def();
  def.x.label = x;
  def.y.label = y;
  def.x.scale = def.y.scale = scale;
  int panel = -1;
  CHECK(picus_figure_add_panel(figure, &def, &panel) == PICUS_OK);
  return panel;
}

static void add_series(picus_figure *figure, int panel, const char *label, size_t count, const double *x,
                       const double *y, picus_series_style style) {
  picus_series_def def = picus_default_series_def();
  def.label = label;
  def.count = count;
  def.x = x;
  def.y = y;
  def.style = style;
  CHECK(picus_figure_add_series(figure, panel, &def) == PICUS_OK);
}

static void add_slope(picus_figure *figure, int panel, double slope) {
  picus_reference_def def = picus_default_reference_def();
  def.kind = PICUS_REFERENCE_SLOPE;
  def.value = slope;
  CHECK(picus_figure_add_reference(figure, panel, &def) == PICUS_OK);
}

enum { POINTS = 500 };
static double times[POINTS], angles[POINTS], rates[POINTS], steps[POINTS], errors[POINTS];

static void fill_data(void) {
  for (int i = 0; i < POINTS; i++) {
    times[i] = i * 2e-3;
    angles[i] = sin(20 * times[i]) * exp(-times[i]);
    rates[i] = 20 * cos(20 * times[i]);
    steps[i] = pow(10, -6 * (double)i / POINTS);
    errors[i] = 3 * steps[i] * steps[i];
  }
}

/* Every feature at once. */
static picus_figure *rich_figure(void) {
  picus_figure_def def = picus_default_figure_def();
  def.title = "All kinds of panels";
  picus_figure *figure = create(&def);
  int panel = add_panel(figure, "t (s)", "φ_S (rad)", PICUS_AXIS_LINEAR);
  add_series(figure, panel, "φ_S", POINTS, times, angles, PICUS_SERIES_LINE);
  add_series(figure, panel, "φ_M", POINTS, times, rates, PICUS_SERIES_STEPS);
  panel = add_panel(figure, "φ_S (rad)", "ω_S (rad/s)", PICUS_AXIS_LINEAR);
  add_series(figure, panel, NULL, POINTS, angles, rates, PICUS_SERIES_LINE);
  panel = add_panel(figure, "Δt (s)", "error", PICUS_AXIS_LOG);
  add_series(figure, panel, "scheme", 12, steps, errors, PICUS_SERIES_LINE_POINTS);
  add_slope(figure, panel, 2);
  panel = add_panel(figure, "x", "y", PICUS_AXIS_LINEAR);
  add_series(figure, panel, "points", POINTS, angles, rates, PICUS_SERIES_POINTS);
  return figure;
}

/* ---- Reading files ---- */

static unsigned char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  *size = 0;
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*size + 1);
  if (bytes && fread(bytes, 1, *size, file) != *size) *size = 0;
  if (bytes) bytes[*size] = '\0';
  fclose(file);
  return bytes;
}

static bool contains(const unsigned char *bytes, size_t size, const char *text) {
  size_t n = strlen(text);
  for (size_t i = 0; i + n <= size; i++)
    if (memcmp(bytes + i, text, n) == 0) return true;
  return false;
}

static bool same_files(const char *first, const char *second) {
  char path[200];
  size_t size_first, size_second;
  snprintf(path, sizeof path, "%s", in_folder(first));
  unsigned char *a = read_file(path, &size_first), *b = read_file(in_folder(second), &size_second);
  bool same = a && b && size_first > 0 && size_first == size_second && memcmp(a, b, size_first) == 0;
  free(a);
  free(b);
  return same;
}

/* ---- Cases ---- */

static void three_formats(void) {
  picus_figure *figure = rich_figure();
  size_t size;
  REQUIRE(picus_figure_save(figure, in_folder("a.png")) == PICUS_OK);
  unsigned char *bytes = read_file(in_folder("a.png"), &size);
  CHECK(size > 1000 && memcmp(bytes, "\x89PNG\r\n\x1A\n", 8) == 0);
  free(bytes);
  REQUIRE(picus_figure_save(figure, in_folder("a.svg")) == PICUS_OK);
  bytes = read_file(in_folder("a.svg"), &size);
  CHECK(size > 1000 && contains(bytes, size, "<svg") && contains(bytes, size, "</svg>"));
  CHECK(contains(bytes, size, "width=\"504pt\""));
  free(bytes);
  REQUIRE(picus_figure_save(figure, in_folder("a.PDF")) == PICUS_OK);
  bytes = read_file(in_folder("a.PDF"), &size);
  CHECK(size > 1000 && memcmp(bytes, "%PDF-", 5) == 0 && contains(bytes, size, "%%EOF"));
  CHECK(!contains(bytes, size, "CreationDate"));
  free(bytes);
  picus_figure_destroy(figure);
}

static void picture_has_the_asked_size(void) {
  picus_figure_def def = picus_default_figure_def();
  for (int pixels = 0; pixels <= 800; pixels += 800) {
    def.pixels = pixels;
    def.height = pixels ? 126 : 0;
    picus_figure *figure = create(&def);
    int panel = add_panel(figure, "t (s)", "x (m)", PICUS_AXIS_LINEAR);
    add_series(figure, panel, NULL, POINTS, times, angles, PICUS_SERIES_LINE);
    REQUIRE(picus_figure_save(figure, in_folder("size.png")) == PICUS_OK);
    cairo_surface_t *picture = cairo_image_surface_create_from_png(in_folder("size.png"));
    CHECK(cairo_image_surface_get_width(picture) == (pixels ? pixels : 1600));
    if (pixels) CHECK(cairo_image_surface_get_height(picture) == 400);
    cairo_surface_destroy(picture);
    picus_figure_destroy(figure);
  }
}

/* Ink must stay away from the very edge: nothing is clipped. */
static void texts_are_not_clipped(void) {
  static const char *const labels[] = {"t (s)", "a rather long label with many words that would not fit (kg m^2/s^2)",
                                       "y^{−1}_{max}"};
  static double large[POINTS];
  for (int i = 0; i < POINTS; i++) large[i] = -1.5e6 + 1e-4 * angles[i];
  for (int trial = 0; trial < 9; trial++) {
    picus_figure_def small = picus_default_figure_def();
    small.pixels = 800;
    picus_figure *figure = create(&small);
    int panel = add_panel(figure, labels[trial % 3], labels[trial / 3], PICUS_AXIS_LINEAR);
    add_series(figure, panel, labels[1], POINTS, trial % 2 ? times : large, large, PICUS_SERIES_LINE);
    REQUIRE(picus_figure_save(figure, in_folder("clip.png")) == PICUS_OK);
    picus_figure_destroy(figure);
    cairo_surface_t *picture = cairo_image_surface_create_from_png(in_folder("clip.png"));
    int width = cairo_image_surface_get_width(picture), height = cairo_image_surface_get_height(picture);
    int stride = cairo_image_surface_get_stride(picture);
    const unsigned char *data = cairo_image_surface_get_data(picture);
    REQUIRE(data);
    int dark = 0;
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        bool edge = x < 3 || y < 3 || x >= width - 3 || y >= height - 3;
        if (edge && data[y * stride + 4 * x] < 250) dark++;
      }
    CHECK(dark == 0);
    cairo_surface_destroy(picture);
  }
}

static void same_input_gives_same_bytes(void) {
  enum { CROWD = 30000 }; /* drawn as a picture */
  static double crowd_x[CROWD], crowd_y[CROWD];
  test_random random = {7};
  for (int i = 0; i < CROWD; i++) {
    crowd_x[i] = test_uniform(&random, -1, 1);
    crowd_y[i] = test_uniform(&random, -1, 1);
  }
  static const char *const endings[] = {".png", ".svg", ".pdf"};
  for (int i = 0; i < 3; i++) {
    char names[2][20];
    for (int k = 0; k < 2; k++) {
      picus_figure *figure = rich_figure();
      int panel = add_panel(figure, "x", "dense", PICUS_AXIS_LINEAR);
      add_series(figure, panel, NULL, CROWD, crowd_x, crowd_y, PICUS_SERIES_LINE);
      snprintf(names[k], sizeof names[k], "same%d%s", k, endings[i]);
      CHECK(picus_figure_save(figure, in_folder(names[k])) == PICUS_OK);
      CHECK(picus_figure_save(figure, in_folder("between.svg")) == PICUS_OK); /* must leave no trace */
      picus_figure_destroy(figure);
    }
    CHECK(same_files(names[0], names[1]));
  }
}

static void hostile_data(void) {
  static double noise[3000];
  test_random random = {5};
  static const double strange[] = {0,     -0.0, 1,      NAN,    INFINITY, -INFINITY, 5e-324, -5e-324,
                                   1e308, 1e16, -1e308, 1e-310, 1e300,    1e-300,    -1,     1 + 1e-15};
  static const char *const paths[] = {"hostile.png", "hostile.svg", "hostile.pdf"};
  for (int trial = 0; trial < 100; trial++) {
    int count = trial < 60 ? test_integer(&random, 0, 6) : test_integer(&random, 0, 1500);
    bool calm = test_integer(&random, 0, 3) == 0; /* always the same value */
    double only = strange[test_integer(&random, 0, 15)];
    for (int i = 0; i < 2 * count; i++) {
      bool usual = test_integer(&random, 0, 1);
      noise[i] = calm ? only : usual ? test_uniform(&random, -1, 1) : strange[test_integer(&random, 0, 15)];
    }
    picus_figure_def small = picus_default_figure_def();
    small.pixels = 400;
    picus_figure *figure = create(&small);
    picus_panel_def def = picus_default_panel_def();
    def.x.label = trial % 3 ? "x (m)" : "\xFF\xFE broken_";
    def.y.label = "y";
    def.x.scale = test_integer(&random, 0, 1) ? PICUS_AXIS_LOG : PICUS_AXIS_LINEAR;
    def.y.scale = test_integer(&random, 0, 1) ? PICUS_AXIS_LOG : PICUS_AXIS_LINEAR;
    def.equal_aspect = test_integer(&random, 0, 2) == 0;
    int panel;
    CHECK(picus_figure_add_panel(figure, &def, &panel) == PICUS_OK);
    picus_series_style style = (picus_series_style)test_integer(&random, 0, 3);
    add_series(figure, panel, "series", (size_t)count, noise, noise + count, style);
    if (def.x.scale == PICUS_AXIS_LOG && def.y.scale == PICUS_AXIS_LOG) add_slope(figure, panel, 1.5);
    if (!CHECK(picus_figure_save(figure, in_folder(paths[trial % 3])) == PICUS_OK))
      printf("  trial %d: %s\n", trial, picus_last_error(context)->message);
    picus_figure_destroy(figure);
  }
}

static void random_label(test_random *random, size_t size, char *label) {
  int length = test_integer(random, 0, test_integer(random, 0, 3) ? 12 : (int)size - 1);
  for (int i = 0; i < length; i++) {
    static const char likely[] = "ab _^{}\\x1";
    bool usual = test_integer(random, 0, 9) > 0;
    label[i] = usual ? likely[test_integer(random, 0, 9)] : (char)test_integer(random, 1, 255);
  }
  label[length] = '\0';
}

static picus_axis_def random_axis(test_random *random, char label[600]) {
  static const char *const names[] = {"open", "a very long name for closed and sticking", "slip"};
  picus_axis_def axis = {.low = NAN, .high = NAN, .label = label};
  random_label(random, 600, label);
  int kind = test_integer(random, 0, 4);
  if (kind == 0) axis.scale = PICUS_AXIS_LOG;
  if (kind == 1) axis.name_count = 3, axis.names = names;
  double end = pow(10, test_uniform(random, -8, 8));
  if (test_integer(random, 0, 2) == 0) axis.low = end;
  if (test_integer(random, 0, 2) == 0) axis.high = end * (1 + pow(10, test_uniform(random, -16, 3)));
  if (axis.low >= axis.high) axis.high = NAN;
  return axis;
}

static void add_random_panel(picus_figure *figure, test_random *random, size_t count, const double *data) {
  char labels[4][600];
  random_label(random, 600, labels[3]);
  picus_panel_def def = {.x = random_axis(random, labels[0]), .y = random_axis(random, labels[1]), .title = labels[3]};
  def.equal_aspect = test_integer(random, 0, 2) == 0;
  def.legend = (picus_legend_place)test_integer(random, 0, 2);
  int panel = -1;
  CHECK(picus_figure_add_panel(figure, &def, &panel) == PICUS_OK);
  for (int s = test_integer(random, 0, 3); s > 0; s--) {
    random_label(random, 600, labels[2]);
    size_t used = (size_t)test_integer(random, 0, (int)count / 2);
    add_series(figure, panel, labels[2], used, data, data + used, (picus_series_style)test_integer(random, 0, 3));
  }
  for (int r = test_integer(random, 0, 2); r > 0; r--) {
    picus_reference_def line = {.value = test_uniform(random, -3, 3), .label = labels[3], .series = -1};
    bool log = def.x.scale == PICUS_AXIS_LOG && def.y.scale == PICUS_AXIS_LOG;
    line.kind = (picus_reference_kind)test_integer(random, 0, log ? 2 : 1);
    CHECK(picus_figure_add_reference(figure, panel, &line) == PICUS_OK);
  }
}

/* Labels of any bytes and length, tiny and long figures, ranges anywhere: a figure comes out. */
static void random_figures(void) {
  static double data[600];
  test_random random = {8};
  static const char *const paths[] = {"random.png", "random.svg", "random.pdf"};
  for (int i = 0; i < 600; i++) data[i] = i < 200 ? i : test_uniform(&random, -5, 5);
  for (int trial = 0; trial < 120; trial++) {
    char title[600];
    random_label(&random, sizeof title, title);
    picus_figure_def def = {.title = title, .pixels = 300};
    def.arrangement = (picus_figure_arrangement)test_integer(&random, 0, 2);
    def.columns = test_integer(&random, 0, 4);
    def.width = test_integer(&random, 0, 1) ? test_uniform(&random, 50, 600) : 0;
    def.height = test_integer(&random, 0, 1) ? test_uniform(&random, 50, 600) : 0;
    picus_figure *figure = create(&def);
    for (int p = test_integer(&random, 1, 7); p > 0; p--) add_random_panel(figure, &random, 600, data);
    if (!CHECK(picus_figure_save(figure, in_folder(paths[trial % 3])) == PICUS_OK))
      printf("  trial %d: %s\n", trial, picus_last_error(context)->message);
    picus_figure_destroy(figure);
  }
}

static void what_cannot_be_drawn_is_counted(void) {
  double x[] = {1, 2, 3, 4, 5}, y[] = {1, INFINITY, NAN, -INFINITY, -2};
  picus_figure *figure = create(NULL);
  int panel = add_panel(figure, "x", "y", PICUS_AXIS_LINEAR);
  add_series(figure, panel, NULL, 5, x, y, PICUS_SERIES_LINE);
  picus_figure_ignored ignored = picus_figure_ignored_values(figure);
  CHECK(ignored.infinite == 2 && ignored.not_positive == 0);
  panel = add_panel(figure, "x", "y", PICUS_AXIS_LOG);
  add_series(figure, panel, NULL, 5, x, y, PICUS_SERIES_LINE);
  ignored = picus_figure_ignored_values(figure);
  CHECK(ignored.infinite == 4 && ignored.not_positive == 1);
  picus_figure_destroy(figure);
}

/* Dense curves become pictures: the file stays small however many points there are. */
static void dense_data_give_small_files(void) {
  enum { COUNT = 60000 };
  double *x = malloc(COUNT * sizeof *x), *y = malloc(COUNT * sizeof *y);
  REQUIRE(x && y);
  test_random random = {6};
  for (int i = 0; i < COUNT; i++) {
    x[i] = test_uniform(&random, -1, 1);
    y[i] = test_uniform(&random, -1, 1);
  }
  for (int style = PICUS_SERIES_LINE; style <= PICUS_SERIES_POINTS; style += 2) {
    picus_figure *figure = create(NULL);
    int panel = add_panel(figure, "x", "y", PICUS_AXIS_LINEAR);
    add_series(figure, panel, NULL, COUNT, x, y, (picus_series_style)style);
    size_t size;
    static const char *const paths[] = {"dense.svg", "dense.pdf", "dense.png"};
    for (int i = 0; i < 3; i++) {
      CHECK(picus_figure_save(figure, in_folder(paths[i])) == PICUS_OK);
      free(read_file(in_folder(paths[i]), &size));
      CHECK(size > 1000 && size < 2000000);
    }
    picus_figure_destroy(figure);
  }
  free(x);
  free(y);
}

static void many_panels_and_series(void) {
  picus_figure *figure = create(NULL);
  for (int p = 0; p < 100; p++) {
    int panel = add_panel(figure, "t (s)", "x", PICUS_AXIS_LINEAR);
    for (int s = 0; s < (p == 0 ? 40 : 1); s++)
      add_series(figure, panel, "a long label", POINTS, times, angles, PICUS_SERIES_LINE);
  }
  CHECK(picus_figure_save(figure, in_folder("many.svg")) == PICUS_OK);
  picus_panel_def def = picus_default_panel_def();
  CHECK(picus_figure_add_panel(figure, &def, NULL) == PICUS_ERROR_DIMENSION);
  picus_figure_destroy(figure);
}

static void expect_error(picus_status status, picus_status expected, const char *part) {
  const picus_error *error = picus_last_error(context);
  if (!CHECK(status == expected && strstr(error->message, part)))
    printf("  %s instead of %s with \"%s\": %s\n", picus_status_name(status), picus_status_name(expected), part,
           error->message);
}

static void wrong_panels(void) {
  picus_figure *figure = create(NULL);
  expect_error(picus_figure_save(figure, in_folder("none.png")), PICUS_ERROR_ARGUMENT, "no panel");
  picus_panel_def def = picus_default_panel_def();
  def.x.low = 2, def.x.high = 1;
  expect_error(picus_figure_add_panel(figure, &def, NULL), PICUS_ERROR_ARGUMENT, "from 2 to 1");
  def = picus_default_panel_def();
  def.y.high = INFINITY;
  expect_error(picus_figure_add_panel(figure, &def, NULL), PICUS_ERROR_NUMBER, "y axis");
  def = picus_default_panel_def();
  def.y.low = 0;
  def.y.scale = PICUS_AXIS_LOG;
  expect_error(picus_figure_add_panel(figure, &def, NULL), PICUS_ERROR_ARGUMENT, "logarithmic");
  def = picus_default_panel_def();
  def.y.name_count = 3;
  expect_error(picus_figure_add_panel(figure, &def, NULL), PICUS_ERROR_ARGUMENT, "names");
  picus_figure_destroy(figure);
}

static void wrong_series_and_references(void) {
  picus_figure *figure = create(NULL);
  int panel = add_panel(figure, "x", "y", PICUS_AXIS_LINEAR);
  picus_series_def series = picus_default_series_def();
  expect_error(picus_figure_add_series(figure, 1, &series), PICUS_ERROR_ARGUMENT, "no panel 1");
  expect_error(picus_figure_add_series(figure, -1, &series), PICUS_ERROR_ARGUMENT, "no panel -1");
  series.count = 3;
  series.x = times;
  expect_error(picus_figure_add_series(figure, panel, &series), PICUS_ERROR_ARGUMENT, "lacks its y");
  picus_reference_def reference = picus_default_reference_def();
  reference.kind = PICUS_REFERENCE_SLOPE;
  reference.value = 1;
  expect_error(picus_figure_add_reference(figure, panel, &reference), PICUS_ERROR_ARGUMENT, "two logarithmic axes");
  reference.kind = PICUS_REFERENCE_HORIZONTAL;
  reference.value = NAN;
  expect_error(picus_figure_add_reference(figure, panel, &reference), PICUS_ERROR_NUMBER, "reference line");
  panel = add_panel(figure, "x", "y", PICUS_AXIS_LOG);
  reference = (picus_reference_def){.kind = PICUS_REFERENCE_SLOPE, .value = 1, .series = 2};
  expect_error(picus_figure_add_reference(figure, panel, &reference), PICUS_ERROR_ARGUMENT, "series 2");
  picus_figure_destroy(figure);
}

static void wrong_figures(void) {
  picus_figure *figure = NULL;
  picus_figure_def def = picus_default_figure_def();
  def.width = -5;
  expect_error(picus_figure_create(context, &def, &figure), PICUS_ERROR_ARGUMENT, "width");
  def = picus_default_figure_def();
  def.height = NAN;
  expect_error(picus_figure_create(context, &def, &figure), PICUS_ERROR_ARGUMENT, "height");
  def = picus_default_figure_def();
  def.pixels = 1000000;
  expect_error(picus_figure_create(context, &def, &figure), PICUS_ERROR_ARGUMENT, "pixels");
  def = picus_default_figure_def();
  def.columns = -1;
  expect_error(picus_figure_create(context, &def, &figure), PICUS_ERROR_ARGUMENT, "columns");
  CHECK(figure == NULL);
  picus_figure_destroy(NULL);
}

static void wrong_paths(void) {
  picus_figure *figure = rich_figure();
  expect_error(picus_figure_save(figure, in_folder("a.gif")), PICUS_ERROR_ARGUMENT, ".png, .svg or .pdf");
  expect_error(picus_figure_save(figure, "png"), PICUS_ERROR_ARGUMENT, ".png, .svg or .pdf");
  expect_error(picus_figure_save(figure, ".png"), PICUS_ERROR_ARGUMENT, ".png, .svg or .pdf");
  expect_error(picus_figure_check_path(context, "x.eps"), PICUS_ERROR_ARGUMENT, "x.eps");
  CHECK(picus_figure_check_path(context, "x.Svg") == PICUS_OK);
  expect_error(picus_figure_save(figure, in_folder("missing/a.png")), PICUS_ERROR_IO, "No such file");
  CHECK(mkdir(in_folder("folder.pdf"), 0700) == 0);
  expect_error(picus_figure_save(figure, in_folder("folder.pdf")), PICUS_ERROR_IO, "directory");
  rmdir(in_folder("folder.pdf"));
  char link[200];
  snprintf(link, sizeof link, "%s", in_folder("full.png"));
  if (access("/dev/full", W_OK) == 0 && symlink("/dev/full", link) == 0) {
    expect_error(picus_figure_save(figure, link), PICUS_ERROR_IO, "No space");
    unlink(link);
  }
  picus_figure_destroy(figure);
}

/* ---- Failing memory ---- */

typedef struct limited {
  long left; /* allocations that still succeed */
} limited;

static void *allocate_limited(void *user, void *old, size_t old_size, size_t new_size) {
  (void)old_size;
  limited *limit = user;
  if (new_size == 0) {
    free(old);
    return NULL;
  }
  return limit->left-- > 0 ? realloc(old, new_size) : NULL;
}

static picus_status build_and_save(picus_context *on, const char *path) {
  static const char *const modes[] = {"open", "stick", "slip"};
  picus_figure *figure;
  picus_status status = picus_figure_create(on, NULL, &figure);
  if (status) return status;
  picus_panel_def panel = picus_default_panel_def();
  panel.title = "title";
  panel.y.name_count = 3;
  panel.y.names = modes;
  picus_series_def series = picus_default_series_def();
  series = (picus_series_def){.label = "a", .count = POINTS, .x = times, .y = rates, .colour = -1};
  picus_reference_def line = picus_default_reference_def();
  line.value = 1;
  line.label = "wall";
  status = picus_figure_add_panel(figure, &panel, NULL);
  if (!status) status = picus_figure_add_series(figure, 0, &series);
  if (!status) status = picus_figure_add_reference(figure, 0, &line);
  if (!status) status = picus_figure_save(figure, path);
  picus_figure_destroy(figure);
  return status;
}

static void every_refused_allocation_is_an_error(void) {
  static const char *const names[] = {"memory.png", "memory.svg", "memory.pdf"};
  for (int i = 0; i < 3; i++) {
    int refused = 0;
    for (long allowed = 1;; allowed++) {
      limited limit = {allowed};
      picus_context_def def = {.allocate = allocate_limited, .allocate_user = &limit};
      picus_context *scarce;
      REQUIRE(picus_context_create(&def, &scarce) == PICUS_OK);
      unlink(in_folder(names[i]));
      picus_status status = build_and_save(scarce, in_folder(names[i]));
      CHECK(picus_context_memory(scarce) == 0);
      bool written = access(in_folder(names[i]), F_OK) == 0;
      CHECK(written == (status == PICUS_OK));
      if (status) CHECK(status == PICUS_ERROR_MEMORY && picus_last_error(scarce)->status == PICUS_ERROR_MEMORY);
      picus_context_destroy(scarce);
      if (status == PICUS_OK) break;
      REQUIRE(++refused < 1000);
    }
    CHECK(refused >= 15);
  }
}

static void remove_folder(void) {
  static const char *const names[] = {"a.png",      "a.svg",       "a.PDF",       "size.png",    "clip.png",
                                      "same0.png",  "same1.png",   "same0.svg",   "same1.svg",   "same0.pdf",
                                      "same1.pdf",  "between.svg", "hostile.png", "hostile.svg", "hostile.pdf",
                                      "dense.svg",  "dense.pdf",   "dense.png",   "many.svg",    "memory.png",
                                      "memory.svg", "memory.pdf",  "random.png",  "random.svg",  "random.pdf"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) unlink(in_folder(names[i]));
  rmdir(folder);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"three_formats", three_formats},
      {"picture_has_the_asked_size", picture_has_the_asked_size},
      {"texts_are_not_clipped", texts_are_not_clipped},
      {"same_input_gives_same_bytes", same_input_gives_same_bytes},
      {"hostile_data", hostile_data},
      {"random_figures", random_figures},
      {"what_cannot_be_drawn_is_counted", what_cannot_be_drawn_is_counted},
      {"dense_data_give_small_files", dense_data_give_small_files},
      {"many_panels_and_series", many_panels_and_series},
      {"wrong_panels", wrong_panels},
      {"wrong_series_and_references", wrong_series_and_references},
      {"wrong_figures", wrong_figures},
      {"wrong_paths", wrong_paths},
      {"every_refused_allocation_is_an_error", every_refused_allocation_is_an_error},
  };
  snprintf(folder, sizeof folder, "/tmp/picus-plot-%ld", (long)getpid());
  if (mkdir(folder, 0700) != 0 || picus_context_create(NULL, &context) != PICUS_OK) return 1;
  fill_data();
  int failed = test_main(argc, argv, "plot_figure", cases, sizeof cases / sizeof cases[0]);
  if (picus_context_memory(context) != 0) printf("%zu bytes were not released\n", picus_context_memory(context));
  failed |= picus_context_memory(context) != 0;
  picus_context_destroy(context);
  remove_folder();
  return failed;
}
