/* The range of the data of each panel, with its reference lines, and the ranges of all axes. */
#include "plot/internal.h"

#include <math.h>
#include <string.h>

/* --- extents ------------------------------------------------------------------------------------------------------ */

/* Below this width, relative to the values, a range is round-off: neither ticks nor pixels could be distinguished. */
#define NARROWEST 1e-12
/* Values below this are drawn as zeros. */
#define NEGLIGIBLE 1e-290
/* The same two for the decimal logarithm. */
#define NARROWEST_DECADES 1e-9
#define LARGEST_EXPONENT 304.0

bool picus_plot_drawable(double value, picus_axis_scale scale) {
  return fabs(value) <= PICUS_PLOT_LARGEST && (scale == PICUS_AXIS_LINEAR || value >= PICUS_PLOT_SMALLEST);
}

picus_extent picus_extent_of_nothing(void) { return (picus_extent){INFINITY, -INFINITY}; }

static picus_extent extent_join(picus_extent a, picus_extent b) {
  return (picus_extent){fmin(a.low, b.low), fmax(a.high, b.high)};
}

picus_series_extent picus_series_measure(const picus_plot_series *series, picus_axis_scale x_scale,
                                         picus_axis_scale y_scale, picus_extent window) {
  picus_series_extent extent = {.x = picus_extent_of_nothing(), .y = picus_extent_of_nothing()};
  bool rises = true, falls = true;
  double previous = NAN;
  for (size_t i = 0; i < series->count; i++) {
    double x = series->x[i], y = series->y[i];
    if (!picus_plot_drawable(x, x_scale) || !picus_plot_drawable(y, y_scale)) continue;
    if (x < previous) rises = false;
    if (x > previous) falls = false;
    previous = x;
    if (x < window.low || x > window.high) continue; /* y follows from the part of the curve that is seen */
    extent.drawable++;
    if (x < extent.x.low) extent.x.low = x, extent.extreme[0] = i;
    if (x > extent.x.high) extent.x.high = x, extent.extreme[1] = i;
    if (y < extent.y.low) extent.y.low = y, extent.extreme[2] = i;
    if (y > extent.y.high) extent.y.high = y, extent.extreme[3] = i;
  }
  if (series->style == PICUS_SERIES_CELLS && extent.drawable > 0) {
    extent.x = (picus_extent){extent.x.low - series->cell[0] / 2, extent.x.high + series->cell[0] / 2};
    extent.y = (picus_extent){extent.y.low - series->cell[1] / 2, extent.y.high + series->cell[1] / 2};
  }
  extent.ordered = rises || falls;
  return extent;
}

/* The range from data and fixed ends (NAN: not fixed). A range not wider than narrowest has a single value, or data on
 * the wrong side of a fixed end: it is widened. */
static picus_extent range_between(picus_extent fixed, picus_extent data, double padding, double narrowest,
                                  double surroundings) {
  bool low_is_fixed = !isnan(fixed.low), high_is_fixed = !isnan(fixed.high);
  double low = low_is_fixed ? fixed.low : data.low, high = high_is_fixed ? fixed.high : data.high;
  double width = high - low;
  if (width > narrowest)
    return (picus_extent){low_is_fixed ? low : low - padding * width, high_is_fixed ? high : high + padding * width};
  if (low_is_fixed && high_is_fixed) return (picus_extent){low - narrowest, high + narrowest};
  if (low_is_fixed) return (picus_extent){low, low + 2 * surroundings};
  if (high_is_fixed) return (picus_extent){high - 2 * surroundings, high};
  return (picus_extent){low - surroundings, high + surroundings};
}

/* Default range if there are no data. */
static picus_extent data_or(picus_extent data, picus_extent fixed, double low, double high) {
  if (data.low <= data.high) return data;
  if (!isnan(fixed.low)) return (picus_extent){fixed.low, fixed.low};
  if (!isnan(fixed.high)) return (picus_extent){fixed.high, fixed.high};
  return (picus_extent){low, high};
}

static picus_extent linear_range(picus_extent fixed, picus_extent data, double padding) {
  data = data_or(data, fixed, 0, 1);
  double low = isnan(fixed.low) ? data.low : fixed.low, high = isnan(fixed.high) ? data.high : fixed.high;
  double size = fmax(fabs(low), fabs(high));
  return range_between(fixed, data, padding, fmax(NARROWEST * size, NEGLIGIBLE), size > NEGLIGIBLE ? 0.05 * size : 1);
}

static double bounded_power(double exponent) {
  return pow(10, fmin(fmax(exponent, -LARGEST_EXPONENT), LARGEST_EXPONENT));
}

/* The same for exponents; fixed ends are not changed by the round-off of the logarithm. */
static picus_extent log_range(picus_extent fixed, picus_extent data, double padding) {
  picus_extent fixed_exponents = {log10(fixed.low), log10(fixed.high)};
  picus_extent exponents = data_or(data, fixed, 0.1, 10);
  exponents = (picus_extent){log10(exponents.low), log10(exponents.high)};
  picus_extent range = range_between(fixed_exponents, exponents, padding, NARROWEST_DECADES, 0.5);
  return (picus_extent){range.low == fixed_exponents.low ? fixed.low : bounded_power(range.low),
                        range.high == fixed_exponents.high ? fixed.high : bounded_power(range.high)};
}

picus_extent picus_axis_range(const picus_plot_axis *axis, picus_extent data, double padding) {
  if (axis->name_count > 0) {
    data = (picus_extent){-0.4, axis->name_count - 0.6};
    padding = 0;
  }
  picus_extent fixed = {axis->low, axis->high};
  return axis->scale == PICUS_AXIS_LOG ? log_range(fixed, data, padding) : linear_range(fixed, data, padding);
}

picus_axis_map picus_axis_map_make(picus_axis_scale scale, picus_extent range) {
  bool log = scale == PICUS_AXIS_LOG;
  double start = log ? log10(range.low) : range.low;
  return (picus_axis_map){scale, start, (log ? log10(range.high) : range.high) - start};
}

double picus_axis_map_apply(const picus_axis_map *map, double value) {
  double along = map->scale == PICUS_AXIS_LOG ? log10(value) : value;
  double fraction = (along - map->start) / map->length;
  return fraction > 1e7 ? 1e7 : fraction < -1e7 ? -1e7 : fraction; /* cairo's coordinates are bounded */
}

/* --- ranges of panels --------------------------------------------------------------------------------------------- */

static bool is_plain_curve(const picus_plot_series *series, const picus_series_extent *extent) {
  return extent->ordered && (series->style == PICUS_SERIES_LINE || series->style == PICUS_SERIES_STEPS ||
                             series->style == PICUS_SERIES_BAR || series->style == PICUS_SERIES_MARKS);
}

/* The line y = C x^slope just below the series it belongs to, over the left half of its x. */
static picus_reference_view slope_line(const picus_panel_view *view, const picus_plot_reference *reference) {
  picus_extent x = picus_extent_of_nothing(), y = picus_extent_of_nothing();
  double least = INFINITY; /* of log10(y / x^slope) */
  const picus_plot_panel *panel = view->panel;
  for (size_t s = 0; s < panel->series_count; s++) {
    if (reference->series >= 0 && (size_t)reference->series != s) continue;
    const picus_plot_series *series = &panel->series[s];
    x = extent_join(x, view->extents[s].x);
    y = extent_join(y, view->extents[s].y);
    for (size_t i = 0; i < series->count; i++)
      if (picus_plot_drawable(series->x[i], PICUS_AXIS_LOG) && picus_plot_drawable(series->y[i], PICUS_AXIS_LOG))
        least = fmin(least, log10(series->y[i]) - reference->value * log10(series->x[i]));
  }
  picus_reference_view line = {.shown = x.low <= x.high};
  if (!line.shown) return line;
  double start = log10(x.low), width = log10(x.high) - start;
  double level = least - fmax(0.12, 0.06 * (log10(y.high) - log10(y.low)));
  double from = width > 0 ? start + 0.08 * width : start - 0.2, to = width > 0 ? start + 0.55 * width : start + 0.2;
  line.x[0] = pow(10, from);
  line.x[1] = pow(10, to);
  line.y[0] = pow(10, fmin(fmax(level + reference->value * from, -300), 300));
  line.y[1] = pow(10, fmin(fmax(level + reference->value * to, -300), 300));
  return line;
}

static picus_extent fixed_window(const picus_plot_axis *axis) {
  return (picus_extent){isnan(axis->low) ? -INFINITY : axis->low, isnan(axis->high) ? INFINITY : axis->high};
}

/* A reference line belongs to the range of the axis that it meets. */
static void measure_reference(picus_panel_view *view, size_t r, picus_extent *x, picus_extent *y) {
  const picus_plot_reference *reference = &view->panel->references[r];
  picus_reference_view *line = &view->references[r];
  picus_extent at = {reference->value, reference->value};
  if (reference->kind == PICUS_REFERENCE_SLOPE) {
    *line = slope_line(view, reference);
    if (line->shown) *y = extent_join(*y, (picus_extent){fmin(line->y[0], line->y[1]), fmax(line->y[0], line->y[1])});
  } else if (reference->kind == PICUS_REFERENCE_HORIZONTAL) {
    line->shown = picus_plot_drawable(reference->value, view->panel->y.scale);
    if (line->shown) *y = extent_join(*y, at);
  } else {
    line->shown = picus_plot_drawable(reference->value, view->panel->x.scale);
    if (line->shown) *x = extent_join(*x, at);
  }
}

/* What the series of a panel are: all curves over x, all cells of a map. */
typedef struct panel_kind {
  bool curves, cells;
} panel_kind;

/* Measures the series and reference lines; x and y receive their ranges. */
static void measure_panel(picus_panel_view *view, picus_extent *x, picus_extent *y, panel_kind *kind) {
  const picus_plot_panel *panel = view->panel;
  *x = *y = picus_extent_of_nothing();
  *kind = (panel_kind){true, panel->series_count > 0};
  view->empty = true;
  for (size_t s = 0; s < panel->series_count; s++) {
    picus_series_extent *extent = &view->extents[s];
    *extent = picus_series_measure(&panel->series[s], panel->x.scale, panel->y.scale, fixed_window(&panel->x));
    if (extent->drawable == 0) continue;
    view->empty = false;
    kind->curves = kind->curves && is_plain_curve(&panel->series[s], extent);
    kind->cells = kind->cells && panel->series[s].style == PICUS_SERIES_CELLS;
    *x = extent_join(*x, extent->x);
    *y = extent_join(*y, extent->y);
  }
  for (size_t r = 0; r < panel->reference_count; r++) measure_reference(view, r, x, y);
}

void picus_panel_span_references(picus_panel_view *view) {
  for (size_t r = 0; r < view->panel->reference_count; r++) {
    const picus_plot_reference *reference = &view->panel->references[r];
    picus_reference_view *line = &view->references[r];
    bool horizontal = reference->kind == PICUS_REFERENCE_HORIZONTAL;
    if (reference->kind == PICUS_REFERENCE_SLOPE) continue;
    line->x[0] = horizontal ? view->x.range.low : reference->value;
    line->x[1] = horizontal ? view->x.range.high : reference->value;
    line->y[0] = horizontal ? reference->value : view->y.range.low;
    line->y[1] = horizontal ? reference->value : view->y.range.high;
  }
}

static bool shows_functions_of_one_x(const picus_layout *layout) {
  const picus_plot_panel *first = layout->panels[0].panel;
  for (size_t p = 0; p < layout->figure->panel_count; p++) {
    const picus_panel_view *view = &layout->panels[p];
    if (strcmp(view->panel->x.label, first->x.label) != 0 || view->panel->x.scale != first->x.scale) return false;
    if (view->panel->equal_aspect) return false;
    for (size_t s = 0; s < view->panel->series_count; s++)
      if (!view->extents[s].ordered) return false;
  }
  return layout->figure->panel_count > 1 && first->x.label[0];
}

/* Ranges of all axes; in a stack all x axes are the same. */
void picus_layout_find_ranges(picus_layout *layout) {
  size_t count = layout->figure->panel_count;
  picus_extent shared = picus_extent_of_nothing();
  bool all_curves = true;
  for (size_t p = 0; p < count; p++) {
    picus_panel_view *view = &layout->panels[p];
    picus_extent x, y;
    panel_kind kind;
    measure_panel(view, &x, &y, &kind);
    view->x.range = picus_axis_range(&view->panel->x, x, kind.curves || kind.cells ? 0 : 0.05);
    view->y.range = picus_axis_range(&view->panel->y, y, kind.cells ? 0 : 0.06);
    shared = extent_join(shared, x);
    all_curves = all_curves && kind.curves;
  }
  picus_figure_arrangement wanted = layout->figure->def.arrangement;
  layout->stacked =
      wanted == PICUS_FIGURE_STACKED || (wanted == PICUS_FIGURE_AUTOMATIC && shows_functions_of_one_x(layout));
  for (size_t p = 0; p < count; p++) {
    picus_panel_view *view = &layout->panels[p];
    if (layout->stacked) view->x.range = picus_axis_range(&view->panel->x, shared, all_curves ? 0 : 0.05);
    picus_panel_span_references(view);
  }
}
