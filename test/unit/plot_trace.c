/* Curves with fewer points: what is dropped and what must not be. */
#include "plot/internal.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const picus_box box = {10, 20, 200, 100};

static picus_context *context;

static picus_frame frame_for(picus_extent x, picus_extent y) {
  return (picus_frame){box, picus_axis_map_make(PICUS_AXIS_LINEAR, x), picus_axis_map_make(PICUS_AXIS_LINEAR, y)};
}

static picus_series_extent extent_of(const picus_plot_series *series) {
  return picus_series_measure(series, PICUS_AXIS_LINEAR, PICUS_AXIS_LINEAR, (picus_extent){-INFINITY, INFINITY});
}

/* The traced path of a series in a frame that its data fill; the caller releases path.points. */
static picus_path trace(const picus_plot_series *series, const picus_frame *frame, picus_trace_options options) {
  picus_path path = {.context = context, .limit = 10000000};
  picus_series_extent extent = extent_of(series);
  CHECK(picus_trace_line(series, &extent, frame, options, picus_path_pen(&path)) == PICUS_OK);
  return path;
}

static void place(const picus_frame *frame, double x, double y, double *px, double *py) {
  *px = box.x + box.width * picus_axis_map_apply(&frame->x, x);
  *py = box.y + box.height * (1 - picus_axis_map_apply(&frame->y, y));
}

static double distance_to_segment(double px, double py, const struct picus_path_point *a,
                                  const struct picus_path_point *b) {
  double dx = b->x - a->x, dy = b->y - a->y, square = dx * dx + dy * dy;
  double t = square > 0 ? ((px - a->x) * dx + (py - a->y) * dy) / square : 0;
  t = fmin(fmax(t, 0), 1);
  return hypot(px - a->x - t * dx, py - a->y - t * dy);
}

static double distance_to_path(double px, double py, const picus_path *path) {
  double distance = INFINITY;
  for (size_t i = 0; i < path->count; i++) {
    const struct picus_path_point *b = &path->points[i];
    distance = fmin(distance, hypot(px - b->x, py - b->y));
    if (!b->start) distance = fmin(distance, distance_to_segment(px, py, b - 1, b));
  }
  return distance;
}

static bool has_point(const picus_path *path, double px, double py) {
  for (size_t i = 0; i < path->count; i++)
    if (path->points[i].x == px && path->points[i].y == py) return true;
  return false;
}

static bool keeps_extremes(const picus_plot_series *series, const picus_frame *frame, const picus_path *path) {
  picus_series_extent extent = extent_of(series);
  for (int e = 0; e < 4; e++) {
    double px, py;
    place(frame, series->x[extent.extreme[e]], series->y[extent.extreme[e]], &px, &py);
    if (!has_point(path, px, py)) return false;
  }
  return true;
}

enum { MOST = 3000 };
static double xs[MOST], ys[MOST];

/* A random walk with pauses, jumps and turns. */
static void wander(test_random *random, int count) {
  double x = 0, y = 0, step = pow(10, test_uniform(random, -4, 0));
  for (int i = 0; i < count; i++) {
    int kind = test_integer(random, 0, 20);
    if (kind == 0) step = pow(10, test_uniform(random, -4, 0));
    if (kind > 2) x += test_uniform(random, -step, 1.2 * step), y += test_uniform(random, -step, step);
    xs[i] = x;
    ys[i] = y;
  }
}

static void phase_portraits_stay_within_tolerance(void) {
  test_random random = {11};
  for (int trial = 0; trial < 60; trial++) {
    int count = test_integer(&random, 1, 600);
    wander(&random, count);
    picus_plot_series series = {.count = (size_t)count, .x = xs, .y = ys};
    picus_series_extent extent = extent_of(&series);
    if (extent.x.low == extent.x.high || extent.y.low == extent.y.high) continue;
    picus_frame frame = frame_for(extent.x, extent.y);
    picus_trace_options options = {.column = 0.25, .tolerance = pow(10, test_uniform(&random, -3, 0))};
    if (extent.ordered) continue;
    picus_path path = trace(&series, &frame, options);
    CHECK(path.count <= (size_t)count);
    CHECK(keeps_extremes(&series, &frame, &path));
    for (int i = 0; i < count; i++) {
      double px, py;
      place(&frame, xs[i], ys[i], &px, &py);
      CHECK(distance_to_path(px, py, &path) <= options.tolerance * (1 + 1e-9) + 1e-9);
    }
    picus_release(context, path.points);
  }
}

/* Least and most of what the path passes in a column. */
static void path_extent_in_column(const picus_path *path, double from, double to, double *least, double *most) {
  *least = INFINITY;
  *most = -INFINITY;
  for (size_t i = 0; i < path->count; i++) {
    if (path->points[i].x < from || path->points[i].x >= to) continue;
    *least = fmin(*least, path->points[i].y);
    *most = fmax(*most, path->points[i].y);
  }
}

static void columns_keep_least_and_most(void) {
  test_random random = {12};
  for (int trial = 0; trial < 60; trial++) {
    int count = test_integer(&random, 2, MOST);
    double x = 0;
    for (int i = 0; i < count; i++) {
      x += test_integer(&random, 0, 3) ? test_uniform(&random, 0, 1) : 0;
      xs[i] = x;
      ys[i] = test_uniform(&random, -1, 1) * pow(10, test_uniform(&random, -3, 0));
    }
    if (trial % 2) /* decreasing x is ordered, too */
      for (int i = 0; i < count; i++) xs[i] = -xs[i];
    picus_plot_series series = {.count = (size_t)count, .x = xs, .y = ys};
    picus_series_extent extent = extent_of(&series);
    CHECK(extent.ordered);
    if (extent.x.low == extent.x.high || extent.y.low == extent.y.high) continue;
    picus_frame frame = frame_for(extent.x, extent.y);
    const double width = 0.5, tolerance = 1e-9;
    picus_path path = trace(&series, &frame, (picus_trace_options){.column = width, .tolerance = tolerance});
    CHECK(path.count <= 4 * (size_t)(box.width / width + 2));
    double least[500], most[500];
    for (int c = 0; c < 500; c++) least[c] = INFINITY, most[c] = -INFINITY;
    for (int i = 0; i < count; i++) {
      double px, py;
      place(&frame, xs[i], ys[i], &px, &py);
      int c = (int)floor(px / width);
      least[c] = fmin(least[c], py);
      most[c] = fmax(most[c], py);
    }
    for (int c = 0; c < 500; c++) {
      if (least[c] > most[c]) continue;
      double path_least, path_most;
      path_extent_in_column(&path, c * width, (c + 1) * width, &path_least, &path_most);
      /* a column between two others may lie on a straight line that needs no point in it */
      if (path_least > path_most && most[c] - least[c] < 1e-6) continue;
      CHECK_NEAR(path_least, least[c], 1e-6);
      CHECK_NEAR(path_most, most[c], 1e-6);
    }
    picus_release(context, path.points);
  }
}

static void gaps_break_the_line(void) {
  double x[] = {0, 1, 2, NAN, 3, 4, 5, 6, 7, 8}, y[] = {0, 3, 1, 1, 2, INFINITY, 0, 5, NAN, 4};
  picus_plot_series series = {.count = 10, .x = x, .y = y};
  picus_frame frame = frame_for((picus_extent){0, 8}, (picus_extent){0, 5});
  picus_path path = trace(&series, &frame, (picus_trace_options){.column = 0.25, .tolerance = 0.05});
  int starts = 0;
  for (size_t i = 0; i < path.count; i++) starts += path.points[i].start;
  CHECK(starts == 4);     /* 0 1 2 | 3 | 5 6 | 8 */
  CHECK(path.count == 7); /* nothing else is lost */
  picus_release(context, path.points);
}

static void steps_have_corners(void) {
  double x[] = {0, 1, 2, 3}, y[] = {0, 0, 2, 1};
  picus_plot_series series = {.count = 4, .x = x, .y = y, .style = PICUS_SERIES_STEPS};
  picus_frame frame = frame_for((picus_extent){0, 3}, (picus_extent){0, 2});
  picus_path path = trace(&series, &frame, (picus_trace_options){.column = 0.25, .tolerance = 0.05});
  static const double corners[][2] = {{0, 0}, {2, 0}, {2, 2}, {3, 2}, {3, 1}};
  for (int i = 0; i < 5; i++) {
    double px, py;
    place(&frame, corners[i][0], corners[i][1], &px, &py);
    CHECK(has_point(&path, px, py));
  }
  picus_release(context, path.points);
}

static void far_points_are_clipped_on_their_line(void) {
  double x[] = {0, 1e9, 1e9, 0.5, 0.5}, y[] = {0, 1e9, -1e9, 0.5, -1e12};
  picus_plot_series series = {.count = 5, .x = x, .y = y};
  picus_frame frame = frame_for((picus_extent){0, 1}, (picus_extent){0, 1});
  picus_path path = trace(&series, &frame, (picus_trace_options){.column = 0, .tolerance = 0.05});
  for (size_t i = 0; i < path.count; i++) {
    CHECK(path.points[i].x >= box.x - 5 && path.points[i].x <= box.x + box.width + 5);
    CHECK(path.points[i].y >= box.y - 5 && path.points[i].y <= box.y + box.height + 5);
  }
  REQUIRE(path.count >= 2);
  double px, py;
  place(&frame, 0.5, 0.5, &px, &py);
  CHECK(distance_to_path(px, py, &path) < 1e-3); /* the diagonal passes there */
  picus_release(context, path.points);
}

static void empty_and_hopeless_series(void) {
  double nothing[] = {NAN, INFINITY, -INFINITY};
  picus_frame frame = frame_for((picus_extent){0, 1}, (picus_extent){0, 1});
  picus_plot_series series = {.count = 0};
  picus_path path = trace(&series, &frame, (picus_trace_options){.column = 0.25, .tolerance = 0.05});
  CHECK(path.count == 0);
  series = (picus_plot_series){.count = 3, .x = nothing, .y = nothing};
  path = trace(&series, &frame, (picus_trace_options){.column = 0.25, .tolerance = 0.05});
  CHECK(path.count == 0);
}

static void a_full_path_stops_the_tracing(void) {
  test_random random = {13};
  wander(&random, 1000);
  picus_plot_series series = {.count = 1000, .x = xs, .y = ys};
  picus_series_extent extent = extent_of(&series);
  picus_frame frame = frame_for(extent.x, extent.y);
  picus_path path = {.context = context, .limit = 20};
  picus_trace_options exact = {.column = 0, .tolerance = 0};
  CHECK(picus_trace_line(&series, &extent, &frame, exact, picus_path_pen(&path)) == PICUS_INTERRUPTED);
  CHECK(path.full && path.count == 20);
  picus_release(context, path.points);
}

/* Ten million points of a limit cycle and of a time series: few points survive, in time proportional to the data. */
static void ten_million_points(void) {
  const int count = (int)test_size(1000000, 10000000, 10000000);
  double *x = malloc((size_t)count * sizeof *x), *y = malloc((size_t)count * sizeof *y);
  REQUIRE(x && y);
  for (int i = 0; i < count; i++) {
    x[i] = 1e-3 * i;
    y[i] = (double)((unsigned)i * 2654435761u % 1000003u) - 500000;
  }
  picus_plot_series series = {.count = (size_t)count, .x = x, .y = y};
  picus_series_extent extent = extent_of(&series);
  picus_frame frame = frame_for(extent.x, extent.y);
  clock_t start = clock();
  picus_path path = trace(&series, &frame, (picus_trace_options){.column = 0.25, .tolerance = 0.05});
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  CHECK(path.count < 4 * 810);
  CHECK(seconds < 5);
  CHECK(keeps_extremes(&series, &frame, &path));
  picus_release(context, path.points);
  free(x);
  free(y);
}

/* The shade of a bar at a place: 0 black, 1 grey, -1 none. */
static int shade_at(const picus_plot_series *series, const picus_frame *frame, double x) {
  picus_bar_part part;
  size_t row = 0;
  int found = -1;
  while (picus_trace_bar(series, frame, &row, &part)) {
    CHECK(part.left >= box.x - 1e-9 && part.right <= box.x + box.width + 1e-9);
    if (x > part.left && x < part.right) found = part.shade;
  }
  return found;
}

static void bars_hold_from_row_to_row(void) {
  test_random random = {13};
  const picus_frame frame = frame_for((picus_extent){2, 9}, (picus_extent){-0.4, 2.4});
  for (int trial = 0; trial < 200; trial++) {
    int count = test_integer(&random, 1, 60);
    for (int i = 0; i < count; i++) {
      xs[i] = (i > 0 ? xs[i - 1] : 0) + test_uniform(&random, 0, 0.5);
      ys[i] = test_integer(&random, 0, 2);
    }
    const picus_plot_series series = {.count = (size_t)count, .x = xs, .y = ys, .style = PICUS_SERIES_BAR, .level = 1};
    for (int i = 0; i + 1 < count; i++) {
      const double middle = (xs[i] + xs[i + 1]) / 2;
      double px, py;
      if (middle <= 2 || middle >= 9 || xs[i + 1] - xs[i] < 1e-6) continue;
      place(&frame, middle, 1, &px, &py);
      CHECK(shade_at(&series, &frame, px) == (int)ys[i]);
    }
  }
}

static void bars_have_gaps_and_a_height(void) {
  const double x[] = {0, 1, NAN, 3, 4, 5}, y[] = {0, 0, 0, 1, 1, 0};
  const picus_frame frame = frame_for((picus_extent){0, 5}, (picus_extent){-0.5, 1.5});
  const picus_plot_series series = {.count = 6, .x = x, .y = y, .style = PICUS_SERIES_BAR, .level = 1};
  picus_bar_part part;
  size_t row = 0;
  CHECK(picus_trace_bar(&series, &frame, &row, &part));
  CHECK(part.shade == 0 && part.left == box.x && part.right == box.x + box.width / 5);
  CHECK_NEAR(part.y, box.y + box.height / 4, 1e-12);
  CHECK_NEAR(part.thickness, box.height / 4, 1e-12);
  CHECK(picus_trace_bar(&series, &frame, &row, &part));
  CHECK(part.shade == 1);
  CHECK_NEAR(part.left, box.x + 0.6 * box.width, 1e-9);
  CHECK_NEAR(part.right, box.x + box.width, 1e-9);
  CHECK(!picus_trace_bar(&series, &frame, &row, &part));
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"phase_portraits_stay_within_tolerance", phase_portraits_stay_within_tolerance},
      {"columns_keep_least_and_most", columns_keep_least_and_most},
      {"gaps_break_the_line", gaps_break_the_line},
      {"steps_have_corners", steps_have_corners},
      {"far_points_are_clipped_on_their_line", far_points_are_clipped_on_their_line},
      {"empty_and_hopeless_series", empty_and_hopeless_series},
      {"a_full_path_stops_the_tracing", a_full_path_stops_the_tracing},
      {"ten_million_points", ten_million_points},
      {"bars_hold_from_row_to_row", bars_hold_from_row_to_row},
      {"bars_have_gaps_and_a_height", bars_have_gaps_and_a_height},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int failed = test_main(argc, argv, "plot_trace", cases, sizeof cases / sizeof cases[0]);
  if (picus_context_memory(context) != 0) printf("%zu bytes were not released\n", picus_context_memory(context));
  failed |= picus_context_memory(context) != 0;
  picus_context_destroy(context);
  return failed;
}
