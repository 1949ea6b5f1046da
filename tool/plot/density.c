/* Series as pictures: how many points lie in a cell of the panel (density), and cells of equal size (maps). Both are
 * bitmaps, also inside vector files, so that their cost and size do not depend on the number of points. */
#include "plot/internal.h"

#include <math.h>

enum { MOST_CELLS = 4096 }; /* of a map, along each axis */

/* --- painting ----------------------------------------------------------------------------------------------------- */

static uint32_t channel(double colour, double opacity) { return (uint32_t)lround(255 * colour * opacity); }

static uint32_t pixel_of(const double colour[3], double opacity) {
  return channel(1, opacity) << 24 | channel(colour[0], opacity) << 16 | channel(colour[1], opacity) << 8 |
         channel(colour[2], opacity);
}

static picus_status new_picture(picus_context *context, int columns, int rows, cairo_surface_t **out) {
  *out = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, columns, rows);
  if (cairo_surface_status(*out) == CAIRO_STATUS_SUCCESS) return PICUS_OK;
  cairo_surface_destroy(*out);
  return picus_fail(context, PICUS_ERROR_MEMORY, "out of memory while drawing a picture of %d x %d cells", columns,
                    rows);
}

static void set_pixel(cairo_surface_t *picture, int column, int row, uint32_t pixel) {
  unsigned char *data = cairo_image_surface_get_data(picture);
  const size_t stride = (size_t)cairo_image_surface_get_stride(picture);
  ((uint32_t *)(void *)(data + (size_t)row * stride))[column] = pixel;
}

/* Paints the picture into a box, each of its pixels as a rectangle of one colour; destroys it. */
static void paint(cairo_t *cairo, cairo_surface_t *picture, picus_box box) {
  cairo_surface_mark_dirty(picture);
  cairo_save(cairo);
  cairo_translate(cairo, box.x, box.y);
  cairo_scale(cairo, box.width / cairo_image_surface_get_width(picture),
              box.height / cairo_image_surface_get_height(picture));
  cairo_set_source_surface(cairo, picture, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
  cairo_paint(cairo);
  cairo_restore(cairo);
  cairo_surface_destroy(picture);
}

/* --- density ------------------------------------------------------------------------------------------------------ */

typedef struct density {
  picus_box box;
  int columns, rows;
  double *counts;
} density;

static picus_status count_point(void *self, double x, double y, bool start) {
  density *d = self;
  (void)start;
  int column = (int)((x - d->box.x) / d->box.width * d->columns), row = (int)((y - d->box.y) / d->box.height * d->rows);
  column = column < 0 ? 0 : column >= d->columns ? d->columns - 1 : column;
  row = row < 0 ? 0 : row >= d->rows ? d->rows - 1 : row;
  d->counts[(size_t)row * (size_t)d->columns + (size_t)column]++;
  return PICUS_OK;
}

/* Cells are about as large as dots would be (curve.c): the more points, the smaller. */
static double cell_size(size_t count) { return count <= 10000 ? 0.9 : count <= 100000 ? 0.7 : PICUS_PLOT_DENSITY_CELL; }

/* A single point can be seen, and ten thousand in a cell differ from a thousand. */
static double opacity_of(double count, double most) {
  return count == 0 ? 0 : most <= 1 ? 1 : 0.4 + 0.6 * log(count) / log(most);
}

picus_status picus_density_draw(picus_context *context, const picus_panel_view *view, size_t index, picus_canvas canvas,
                                const double colour[3]) {
  const double cell = fmax(cell_size(view->panel->series[index].count), canvas.pixel); /* points */
  density d = {
      .box = view->box, .columns = (int)ceil(view->box.width / cell), .rows = (int)ceil(view->box.height / cell)};
  const picus_frame frame = picus_panel_frame(view);
  cairo_surface_t *picture = NULL;
  const size_t cells = (size_t)d.columns * (size_t)d.rows;
  double most = 0;
  d.counts = picus_allocate(context, cells, sizeof *d.counts);
  if (!d.counts) return PICUS_ERROR_MEMORY;
  picus_status status = picus_trace_points(&view->panel->series[index], &frame, (picus_pen){count_point, &d});
  for (size_t k = 0; k < cells; k++) most = fmax(most, d.counts[k]);
  if (!status) status = new_picture(context, d.columns, d.rows, &picture);
  for (size_t k = 0; !status && k < cells; k++)
    set_pixel(picture, (int)(k % (size_t)d.columns), (int)(k / (size_t)d.columns),
              pixel_of(colour, opacity_of(d.counts[k], most)));
  if (!status) paint(canvas.cairo, picture, view->box);
  picus_release(context, d.counts);
  return status;
}

/* --- cells of a map ----------------------------------------------------------------------------------------------- */

/* From dark blue over green to yellow, of rising lightness: control points of a map in the manner of viridis. */
void picus_ramp_colour(int step, int count, double colour[3]) {
  static const double stops[][3] = {{0.16, 0.09, 0.36}, {0.20, 0.29, 0.55}, {0.13, 0.47, 0.56},
                                    {0.16, 0.63, 0.50}, {0.52, 0.78, 0.30}, {0.96, 0.90, 0.25}};
  enum { LAST = sizeof stops / sizeof stops[0] - 1 };
  const double place = count > 1 ? (double)step / (count - 1) * LAST : 0;
  const int k = place >= LAST ? LAST - 1 : place < 0 ? 0 : (int)place;
  for (int i = 0; i < 3; i++) colour[i] = stops[k][i] + (place - k) * (stops[k + 1][i] - stops[k][i]);
}

/* The cells of the series between the first and the last one, as a picture with a pixel for each. */
picus_status picus_cells_draw(picus_context *context, const picus_panel_view *view, size_t index, picus_canvas canvas,
                              const double colour[3]) {
  const picus_plot_series *series = &view->panel->series[index];
  const picus_frame frame = picus_panel_frame(view);
  const double width = series->cell[0], height = series->cell[1];
  double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
  cairo_surface_t *picture = NULL;
  for (size_t i = 0; i < series->count; i++) {
    if (!isfinite(series->x[i]) || !isfinite(series->y[i])) continue;
    left = fmin(left, series->x[i]), right = fmax(right, series->x[i]);
    low = fmin(low, series->y[i]), high = fmax(high, series->y[i]);
  }
  const double columns = round((right - left) / width) + 1, rows = round((high - low) / height) + 1;
  if (!(columns <= MOST_CELLS && rows <= MOST_CELLS))
    return picus_fail(context, PICUS_ERROR_DIMENSION, "a map has at most %d cells along an axis, not %g", MOST_CELLS,
                      fmax(columns, rows));
  picus_status status = new_picture(context, (int)columns, (int)rows, &picture);
  if (status) return status;
  for (size_t i = 0; i < series->count; i++) {
    if (!isfinite(series->x[i]) || !isfinite(series->y[i])) continue;
    set_pixel(picture, (int)lround((series->x[i] - left) / width), (int)lround((high - series->y[i]) / height),
              pixel_of(colour, 1));
  }
  const picus_box box = frame.box;
  const double x0 = picus_axis_map_apply(&frame.x, left - width / 2),
               x1 = picus_axis_map_apply(&frame.x, right + width / 2);
  const double y0 = picus_axis_map_apply(&frame.y, low - height / 2),
               y1 = picus_axis_map_apply(&frame.y, high + height / 2);
  paint(canvas.cairo, picture,
        (picus_box){box.x + box.width * x0, box.y + box.height * (1 - y1), box.width * (x1 - x0),
                    box.height * (y1 - y0)});
  return PICUS_OK;
}
