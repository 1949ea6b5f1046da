/* The range of the data, and the range of an axis. */
#include "plot/internal.h"

#include <math.h>

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

picus_extent picus_extent_join(picus_extent a, picus_extent b) {
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
