/* Performance profiles as a figure: from the seconds of each solver on each problem to stairs. */
#include "profile.h"

#include "plot/figure.h"

#include <math.h>
#include <stdlib.h>

typedef struct curves {
  const cli_profile *of;
  double *x, *y; /* solvers x (problems + 2) */
  double largest;
} curves;

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double fastest(const cli_profile *p, int problem) {
  double best = INFINITY;
  for (int s = 0; s < p->solvers; s++) best = fmin(best, p->seconds[problem * p->solvers + s]);
  return best;
}

/* The curve of one solver without its last point; returns the number of points. */
static size_t make_curve(curves *c, int solver) {
  const cli_profile *p = c->of;
  double *x = c->x + (size_t)solver * ((size_t)p->problems + 2), *y = c->y + (size_t)solver * ((size_t)p->problems + 2);
  size_t count = 1;
  x[0] = 1;
  y[0] = 0;
  for (int k = 0; k < p->problems; k++) {
    double seconds = p->seconds[k * p->solvers + solver];
    if (isfinite(seconds)) x[count++] = seconds > 0 ? seconds / fastest(p, k) : 1;
  }
  qsort(x + 1, count - 1, sizeof *x, compare_doubles);
  for (size_t k = 1; k < count; k++) {
    y[k] = 100.0 * (double)k / p->problems;
    c->largest = fmax(c->largest, x[k]);
  }
  return count;
}

static picus_status add_curves(curves *c, picus_figure *figure) {
  const cli_profile *p = c->of;
  picus_status status = PICUS_OK;
  size_t room = (size_t)p->problems + 2;
  for (int turn = 0; turn < 2; turn++) /* the first pass finds the end of all curves */
    for (int s = 0; !status && s < p->solvers; s++) {
      size_t count = make_curve(c, s);
      if (turn == 0 || count == 1) continue;
      double *x = c->x + (size_t)s * room, *y = c->y + (size_t)s * room;
      x[count] = 1.2 * c->largest;
      y[count] = y[count - 1];
      picus_series_def series = picus_default_series_def();
      series.label = p->names[s];
      series.count = count + 1;
      series.x = x;
      series.y = y;
      series.style = PICUS_SERIES_STEPS;
      status = picus_figure_add_series(figure, 0, &series);
    }
  return status;
}

static picus_status draw(picus_context *context, const char *path, curves *c) {
  picus_figure *figure = NULL;
  picus_figure_def def = picus_default_figure_def();
  picus_panel_def panel = picus_default_panel_def();
  def.width = PICUS_FIGURE_DOUBLE_COLUMN;
  def.title = c->of->title;
  panel.x.label = "time relative to the fastest solver";
  panel.x.scale = PICUS_AXIS_LOG;
  panel.y.label = "problems solved (%)";
  panel.y.low = 0;
  panel.y.high = 100;
  panel.legend = PICUS_LEGEND_OUTSIDE;
  picus_status status = picus_figure_create(context, &def, &figure);
  if (!status) status = picus_figure_add_panel(figure, &panel, NULL);
  if (!status) status = add_curves(c, figure);
  if (!status) status = picus_figure_save(figure, path);
  picus_figure_destroy(figure);
  return status;
}

picus_status cli_plot_profile(picus_context *context, const char *path, const cli_profile *profile) {
  size_t room = (size_t)profile->solvers * ((size_t)profile->problems + 2);
  curves c = {profile, calloc(room, sizeof(double)), calloc(room, sizeof(double)), 1};
  picus_status status = c.x && c.y ? draw(context, path, &c) : PICUS_ERROR_MEMORY;
  free(c.x);
  free(c.y);
  return status;
}
