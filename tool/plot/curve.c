/* The appearance of series: lines, markers, and bitmaps of curves with more points than a vector file should hold. */
#include "plot/internal.h"

#include <math.h>

/* --- bitmaps of long curves --------------------------------------------------------------------------------------- */

/* Curves with more points than a vector file should hold: a bitmap of the cells they pass, spread to the width of the
 * line and averaged to pixels. */

#define MARGIN 5.0 /* around the box: more than curves are clipped to */

/* A pen that blackens cells of a fine grid: cost and file size no longer depend on the number of points. */
typedef struct dense_ink {
  picus_context *context;
  double left, top;  /* of cell (0, 0) */
  double resolution; /* pixels per point */
  int fineness;      /* cells per pixel and direction */
  int pixel_columns, pixel_rows;
  int columns, rows; /* of cells */
  size_t words;      /* per row of cells */
  uint64_t *cells, *spread;
  uint64_t *row, *grown; /* one row each, while spreading */
  int at[2];             /* the cell of the pen */
} dense_ink;

static void ink_destroy(dense_ink *ink) {
  if (!ink) return;
  picus_release(ink->context, ink->cells);
  picus_release(ink->context, ink->spread);
  picus_release(ink->context, ink->row);
  picus_release(ink->context, ink->grown);
  picus_release(ink->context, ink);
}

/* resolution: pixels per point; fineness: cells per pixel and direction. */
static picus_status ink_create(picus_context *context, picus_box box, double resolution, int fineness,
                               dense_ink **out) {
  *out = NULL;
  dense_ink *ink = picus_allocate(context, 1, sizeof *ink);
  if (!ink) return PICUS_ERROR_MEMORY;
  ink->context = context;
  ink->resolution = resolution;
  ink->fineness = fineness;
  ink->left = floor((box.x - MARGIN) * resolution) / resolution; /* on a pixel of the picture, so that none is split */
  ink->top = floor((box.y - MARGIN) * resolution) / resolution;
  ink->pixel_columns = (int)ceil((box.width + 2 * MARGIN) * resolution) + 1;
  ink->pixel_rows = (int)ceil((box.height + 2 * MARGIN) * resolution) + 1;
  ink->columns = ink->pixel_columns * fineness;
  ink->rows = ink->pixel_rows * fineness;
  ink->words = (size_t)ink->columns / 64 + 1;
  ink->cells = picus_allocate(context, (size_t)ink->rows * ink->words, sizeof *ink->cells);
  ink->spread = picus_allocate(context, (size_t)ink->rows * ink->words, sizeof *ink->spread);
  ink->row = picus_allocate(context, ink->words, sizeof *ink->row);
  ink->grown = picus_allocate(context, ink->words, sizeof *ink->grown);
  if (!ink->cells || !ink->spread || !ink->row || !ink->grown) {
    ink_destroy(ink);
    return PICUS_ERROR_MEMORY;
  }
  *out = ink;
  return PICUS_OK;
}

static int clamp(double value, int most) { return value < 0 ? 0 : value > most ? most : (int)value; }

static void blacken(dense_ink *ink, int column, int row) {
  ink->cells[(size_t)row * ink->words + (size_t)column / 64] |= (uint64_t)1 << (column % 64);
}

static picus_status ink_move(void *self, double x, double y, bool start) {
  dense_ink *ink = self;
  double scale = ink->resolution * ink->fineness;
  int to[2] = {clamp((x - ink->left) * scale, ink->columns - 1), clamp((y - ink->top) * scale, ink->rows - 1)};
  if (!start) { /* from cell to cell, in fixed-point numbers with 32 binary digits after the point */
    int dx = to[0] - ink->at[0], dy = to[1] - ink->at[1];
    int across = dx < 0 ? -dx : dx, along = dy < 0 ? -dy : dy, steps = across > along ? across : along;
    const int64_t one = (int64_t)1 << 32;
    int64_t column = ink->at[0] * one + one / 2, row = ink->at[1] * one + one / 2;
    int64_t column_step = steps > 1 ? dx * one / steps : 0, row_step = steps > 1 ? dy * one / steps : 0;
    for (int i = 1; i < steps; i++) {
      column += column_step;
      row += row_step;
      blacken(ink, (int)(column >> 32), (int)(row >> 32));
    }
  }
  blacken(ink, to[0], to[1]);
  ink->at[0] = to[0];
  ink->at[1] = to[1];
  return PICUS_OK;
}

static picus_pen ink_pen(dense_ink *ink) { return (picus_pen){ink_move, ink}; }

/* row |= row shifted by distance (below 64) to both sides. */
static void widen(dense_ink *ink, int distance) {
  size_t words = ink->words;
  for (size_t i = 0; i < words; i++) {
    uint64_t below = i > 0 ? ink->row[i - 1] >> (64 - distance) : 0;
    uint64_t above = i + 1 < words ? ink->row[i + 1] << (64 - distance) : 0;
    ink->grown[i] = ink->row[i] | ink->row[i] << distance | below | ink->row[i] >> distance | above;
  }
  uint64_t *swap = ink->row;
  ink->row = ink->grown;
  ink->grown = swap;
}

static void add_row(dense_ink *ink, int row) {
  if (row < 0 || row >= ink->rows) return;
  uint64_t *target = ink->spread + (size_t)row * ink->words;
  for (size_t i = 0; i < ink->words; i++) target[i] |= ink->row[i];
}

/* Every black cell becomes a disc: from the top row of the disc to its middle row, the row of cells is widened to the
 * disc's width there. A row of width w can be widened by up to 2w + 1 at once without holes. */
static void spread_to_discs(dense_ink *ink, double radius) {
  int reach = (int)floor(radius);
  for (int row = 0; row < ink->rows; row++) {
    bool black = false;
    for (size_t i = 0; i < ink->words; i++) {
      ink->row[i] = ink->cells[(size_t)row * ink->words + i];
      black = black || ink->row[i];
    }
    if (!black) continue;
    int width = 0;
    for (int off = reach; off >= 0; off--) {
      int wanted = (int)floor(sqrt(radius * radius - (double)off * off));
      while (width < wanted) {
        int more = wanted - width < 2 * width + 1 ? wanted - width : 2 * width + 1;
        if (more > 63) more = 63;
        widen(ink, more);
        width += more;
      }
      add_row(ink, row - off);
      if (off) add_row(ink, row + off);
    }
  }
}

/* How many cells of a pixel are black. */
static int black_cells(const dense_ink *ink, int pixel_column, int pixel_row) {
  int count = 0;
  for (int i = 0; i < ink->fineness; i++) {
    const uint64_t *row = ink->spread + (size_t)(pixel_row * ink->fineness + i) * ink->words;
    for (int j = 0; j < ink->fineness; j++) {
      int column = pixel_column * ink->fineness + j;
      count += (int)(row[column / 64] >> (column % 64) & 1);
    }
  }
  return count;
}

static uint32_t channel(double colour, double opacity) { return (uint32_t)lround(255 * colour * opacity); }

/* Spreads every blackened cell to a disc of this radius and paints the result in cairo's source colour. */
static picus_status ink_paint(dense_ink *ink, cairo_t *cairo, double radius, const double colour[3]) {
  spread_to_discs(ink, radius * ink->resolution * ink->fineness);
  cairo_surface_t *picture = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, ink->pixel_columns, ink->pixel_rows);
  if (cairo_surface_status(picture) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy(picture);
    return picus_fail(ink->context, PICUS_ERROR_MEMORY, "out of memory while drawing a curve with very many points");
  }
  unsigned char *data = cairo_image_surface_get_data(picture);
  size_t stride = (size_t)cairo_image_surface_get_stride(picture);
  /* a pixel is as opaque as many of its cells are black */
  for (int y = 0; y < ink->pixel_rows; y++) {
    uint32_t *line = (uint32_t *)(void *)(data + (size_t)y * stride);
    for (int x = 0; x < ink->pixel_columns; x++) {
      double opacity = (double)black_cells(ink, x, y) / (ink->fineness * ink->fineness);
      line[x] = channel(1, opacity) << 24 | channel(colour[0], opacity) << 16 | channel(colour[1], opacity) << 8 |
                channel(colour[2], opacity);
    }
  }
  cairo_surface_mark_dirty(picture);
  cairo_save(cairo);
  cairo_translate(cairo, ink->left, ink->top);
  cairo_scale(cairo, 1 / ink->resolution, 1 / ink->resolution);
  cairo_set_source_surface(cairo, picture, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST); /* the cells have smoothed it already */
  cairo_paint(cairo);
  cairo_restore(cairo);
  cairo_surface_destroy(picture);
  return PICUS_OK;
}

/* --- series ------------------------------------------------------------------------------------------------------- */

/* A series that needs more points or dots than this is drawn as a picture, also inside vector files. */
enum { MOST_PATH_POINTS = 20000, MOST_DOTS = 10000 };
enum { CHUNK = 100 }; /* points stroked at a time */

#define LINE_WIDTH 0.9
#define SMALLEST_SHAPE 1.5 /* radius of markers that differ by their shape */
#define MARK_RADIUS 1.4    /* less: all marks are dots */
#define THIN_LINE_WIDTH 0.5
#define LONGEST_THICK 8000.0 /* length of a curve drawn with the usual width */
#define LONGEST_DASHED 20000.0
#define TURN 6.283185307179586

/* Colours that stay apart for colour-blind readers; the first three also in lightness, for grey prints (after the
 * high-contrast and bright schemes of P. Tol 2021). From the fourth on, dashes help. */
static const double palette[][3] = {{0.00, 0.27, 0.53}, {0.80, 0.24, 0.22}, {0.87, 0.66, 0.16}, {0.07, 0.50, 0.40},
                                    {0.53, 0.20, 0.55}, {0.30, 0.68, 0.90}, {0.35, 0.35, 0.35}};
enum { COLOURS = sizeof palette / sizeof palette[0] };

static const struct {
  int count;
  double lengths[4];
} dashes[] = {{2, {4, 1.8}}, {4, {5, 1.6, 1.2, 1.6}}, {2, {1.6, 1.4}}, {2, {7, 2}}};
enum { SOLID = 3, DASHES = sizeof dashes / sizeof dashes[0] };

static const double ink_black[3] = {0, 0, 0};
#define BAR_GREY 0.75

static const double *colour_of(const picus_plot_series *series) {
  return series->style == PICUS_SERIES_MARKS ? ink_black : palette[series->colour % COLOURS];
}

static bool is_picture(const picus_plot_series *series) {
  return series->style == PICUS_SERIES_DENSITY || series->style == PICUS_SERIES_CELLS;
}

static bool has_line(const picus_plot_series *series) {
  return series->style != PICUS_SERIES_POINTS && series->style != PICUS_SERIES_MARKS && !is_picture(series);
}

static double marker_radius(const picus_plot_series *series) {
  if (is_picture(series)) return 0;
  if (series->style == PICUS_SERIES_LINE || series->style == PICUS_SERIES_STEPS) return 0;
  if (series->style == PICUS_SERIES_MARKS) return series->count <= 1000 ? MARK_RADIUS : 0.6;
  if (series->count <= (series->style == PICUS_SERIES_LINE_POINTS ? 200 : 100)) return 2.0;
  return series->count <= 1000 ? 1.0 : series->count <= 10000 ? 0.6 : 0.35;
}

static bool is_dashed(const picus_plot_series *series) {
  return series->dashing == PICUS_DASHES_BY_COLOUR ? series->colour >= SOLID : series->dashing == PICUS_DASHES_ALWAYS;
}

static void set_line(cairo_t *cairo, const picus_plot_series *series) {
  const double *colour = colour_of(series);
  int pattern = is_dashed(series) && series->colour >= SOLID ? (series->colour - SOLID) % DASHES : 0;
  cairo_set_source_rgb(cairo, colour[0], colour[1], colour[2]);
  cairo_set_line_width(cairo, LINE_WIDTH);
  cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(cairo, is_dashed(series) ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
  cairo_set_dash(cairo, dashes[pattern].lengths, is_dashed(series) ? dashes[pattern].count : 0, 0);
}

/* ---- Markers ---- */

static void polygon(cairo_t *cairo, double x, double y, double radius, int corners, double turn) {
  for (int i = 0; i < corners; i++) {
    double angle = turn + TURN * i / corners;
    cairo_line_to(cairo, x + radius * cos(angle), y + radius * sin(angle));
  }
  cairo_close_path(cairo);
}

/* Shapes of about the same area: disc, square, triangle, diamond, triangle down. */
static void add_marker(cairo_t *cairo, const picus_plot_series *series, double x, double y, double radius) {
  cairo_new_sub_path(cairo);
  switch (radius < SMALLEST_SHAPE ? 0 : series->colour % 5) {
  case 1:
    polygon(cairo, x, y, 1.25 * radius, 4, TURN / 8);
    break;
  case 2:
    polygon(cairo, x, y, 1.4 * radius, 3, -TURN / 4);
    break;
  case 3:
    polygon(cairo, x, y, 1.35 * radius, 4, 0);
    break;
  case 4:
    polygon(cairo, x, y, 1.4 * radius, 3, TURN / 4);
    break;
  default:
    cairo_arc(cairo, x, y, radius, 0, TURN);
    cairo_close_path(cairo);
  }
}

static void set_fill(cairo_t *cairo, const picus_plot_series *series) {
  const double *colour = colour_of(series);
  cairo_set_source_rgb(cairo, colour[0], colour[1], colour[2]);
}

static void picture_colour(const picus_plot_series *series, double colour[3]) {
  for (int k = 0; k < 3; k++) colour[k] = colour_of(series)[k];
  if (series->ramp > 0) picus_ramp_colour(series->colour, series->ramp, colour);
}

void picus_series_draw_sample(const picus_plot_series *series, cairo_t *cairo, double x, double y, double length) {
  cairo_save(cairo);
  if (is_picture(series)) {
    double colour[3];
    picture_colour(series, colour);
    cairo_set_source_rgb(cairo, colour[0], colour[1], colour[2]);
    cairo_rectangle(cairo, x + length - 8, y - 3, 8, 6);
    cairo_fill(cairo);
  }
  if (has_line(series)) {
    set_line(cairo, series);
    cairo_move_to(cairo, x, y);
    cairo_line_to(cairo, x + length, y);
    cairo_stroke(cairo);
  }
  if (marker_radius(series) > 0) {
    set_fill(cairo, series);
    add_marker(cairo, series, x + length / 2, y, fmax(marker_radius(series), 1.2));
    cairo_fill(cairo);
  }
  cairo_restore(cairo);
}

/* ---- Curves ---- */

/* A point without neighbours, as between two gaps. */
static bool is_alone(const picus_path *path, size_t i) {
  return path->points[i].start && (i + 1 == path->count || path->points[i + 1].start);
}

/* Long curves that cross themselves many times show more of their structure with a thin line. */
static double line_width(double path_length) { return path_length > LONGEST_THICK ? THIN_LINE_WIDTH : LINE_WIDTH; }

static double path_length(const picus_path *path) {
  double length = 0;
  for (size_t i = 1; i < path->count; i++)
    if (!path->points[i].start)
      length += hypot(path->points[i].x - path->points[i - 1].x, path->points[i].y - path->points[i - 1].y);
  return length;
}

/* Points without neighbours, which a line does not show. */
static void dot_points_alone(const picus_path *path, cairo_t *cairo) {
  cairo_set_dash(cairo, NULL, 0, 0);
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_width(cairo, 2 * LINE_WIDTH);
  for (size_t i = 0; i < path->count; i++) {
    if (!is_alone(path, i)) continue;
    cairo_move_to(cairo, path->points[i].x, path->points[i].y);
    cairo_line_to(cairo, path->points[i].x, path->points[i].y);
  }
  cairo_stroke(cairo);
}

/* Strokes the path in pieces: cairo's time for one stroke grows faster than its length. Dashed lines are not split, as
 * their pattern would restart; lines that fill the panel with thousands of dashes become solid. */
static void stroke_path(const picus_path *path, cairo_t *cairo, bool dashed) {
  size_t in_piece = 0;
  double length = path_length(path);
  cairo_set_line_width(cairo, line_width(length));
  if (dashed && length > LONGEST_DASHED) {
    dashed = false;
    cairo_set_dash(cairo, NULL, 0, 0);
  }
  for (size_t i = 0; i < path->count; i++) {
    double x = path->points[i].x, y = path->points[i].y;
    if (path->points[i].start)
      cairo_move_to(cairo, x, y);
    else
      cairo_line_to(cairo, x, y);
    if (++in_piece < CHUNK || dashed) continue;
    cairo_stroke(cairo);
    cairo_move_to(cairo, x, y);
    in_piece = 0;
  }
  cairo_stroke(cairo);
  dot_points_alone(path, cairo);
}

/* line: how the curve is traced; NULL: only its points. radius: of the pen. */
static picus_status draw_as_picture(picus_context *context, const picus_panel_view *view, size_t index,
                                    picus_canvas canvas, const picus_trace_options *line, double radius) {
  const picus_plot_series *series = &view->panel->series[index];
  picus_frame frame = picus_panel_frame(view);
  dense_ink *ink;
  double longer = fmax(view->box.width, view->box.height);
  double resolution = canvas.pixel > 0 ? 1 / canvas.pixel : fmin(6, 20000 / longer); /* 432 dots per inch */
  int fineness =
      (int)fmin(fmax(round(4.5 / (radius * resolution)), 2), 4); /* round dots, but no more cells than needed */
  picus_status status = ink_create(context, view->box, resolution, fineness, &ink);
  if (status) return status;
  picus_pen pen = ink_pen(ink);
  status = line ? picus_trace_line(series, &view->extents[index], &frame, *line, pen)
                : picus_trace_points(series, &frame, pen);
  if (!status) status = ink_paint(ink, canvas.cairo, radius, colour_of(series));
  ink_destroy(ink);
  return status;
}

static picus_status draw_line(picus_context *context, const picus_panel_view *view, size_t index, picus_canvas canvas) {
  const picus_plot_series *series = &view->panel->series[index];
  picus_frame frame = picus_panel_frame(view);
  double finest = canvas.pixel > 0 ? canvas.pixel / 2 : 0.25;
  picus_trace_options options = {.column = finest, .tolerance = finest / 5};
  picus_path path = {.context = context, .limit = MOST_PATH_POINTS};
  picus_status status = picus_trace_line(series, &view->extents[index], &frame, options, picus_path_pen(&path));
  if (path.full) {
    status = draw_as_picture(context, view, index, canvas, &options, THIN_LINE_WIDTH / 2);
  } else if (!status) {
    set_line(canvas.cairo, series);
    stroke_path(&path, canvas.cairo, is_dashed(series));
  }
  picus_release(context, path.points);
  return status;
}

/* A pen that draws a marker for every row. Dots are strokes of no length with a round end: a tenth of the file size of
 * a circle. */
typedef struct marker_pen {
  cairo_t *cairo;
  const picus_plot_series *series;
  double radius;
  size_t drawn;
} marker_pen;

static picus_status marker_move(void *self, double x, double y, bool start) {
  marker_pen *pen = self;
  (void)start;
  if (pen->radius < SMALLEST_SHAPE) {
    cairo_move_to(pen->cairo, x, y);
    cairo_line_to(pen->cairo, x, y);
    if (pen->drawn % CHUNK == 0) cairo_stroke(pen->cairo);
  } else {
    add_marker(pen->cairo, pen->series, x, y, pen->radius);
    cairo_fill(pen->cairo);
  }
  pen->drawn++;
  return PICUS_OK;
}

static picus_status draw_markers(picus_context *context, const picus_panel_view *view, size_t index,
                                 picus_canvas canvas) {
  const picus_plot_series *series = &view->panel->series[index];
  picus_frame frame = picus_panel_frame(view);
  double radius = marker_radius(series);
  if (series->count > MOST_DOTS) return draw_as_picture(context, view, index, canvas, NULL, radius);
  marker_pen pen = {.cairo = canvas.cairo, .series = series, .radius = radius};
  set_fill(canvas.cairo, series);
  cairo_set_dash(canvas.cairo, NULL, 0, 0);
  cairo_set_line_cap(canvas.cairo, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_width(canvas.cairo, 2 * radius);
  picus_status status = picus_trace_points(series, &frame, (picus_pen){marker_move, &pen});
  cairo_stroke(canvas.cairo);
  return status;
}

/* The grey parts, then the black ones, which are at least as wide as a thin line: a short contact can be seen. A line
 * shows where there is neither. */
static void draw_bar(const picus_panel_view *view, const picus_plot_series *series, cairo_t *cairo) {
  const picus_frame frame = picus_panel_frame(view);
  for (int pass = 0; pass < 2; pass++) {
    const bool black = pass == 1;
    const int shade = black ? 0 : 1;
    const double grey = black ? 0 : BAR_GREY;
    picus_bar_part part;
    size_t row = 0;
    cairo_set_source_rgb(cairo, grey, grey, grey);
    while (picus_trace_bar(series, &frame, &row, &part)) {
      const double width = fmax(part.right - part.left, black ? THIN_LINE_WIDTH : 0);
      const double thickness = part.shade == 2 ? THIN_LINE_WIDTH : part.thickness;
      if (part.shade != shade && !(part.shade == 2 && !black)) continue;
      cairo_rectangle(cairo, part.left, part.y - thickness / 2, width, thickness);
      cairo_fill(cairo);
    }
  }
}

picus_status picus_series_draw(picus_context *context, const picus_panel_view *view, size_t index,
                               picus_canvas canvas) {
  const picus_plot_series *series = &view->panel->series[index];
  picus_status status = PICUS_OK;
  if (view->extents[index].drawable == 0) return PICUS_OK;
  if (series->style == PICUS_SERIES_BAR) {
    draw_bar(view, series, canvas.cairo);
    return PICUS_OK;
  }
  if (is_picture(series)) {
    double colour[3];
    picture_colour(series, colour);
    return series->style == PICUS_SERIES_CELLS ? picus_cells_draw(context, view, index, canvas, colour)
                                               : picus_density_draw(context, view, index, canvas, colour);
  }
  if (has_line(series)) status = draw_line(context, view, index, canvas);
  if (!status && marker_radius(series) > 0) status = draw_markers(context, view, index, canvas);
  cairo_set_dash(canvas.cairo, NULL, 0, 0);
  return status;
}
