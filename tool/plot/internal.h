/* The parts of the figure library: the contents of a figure, and the data derived from it for drawing.
 *
 *   figure.c    what the user adds                      symbol.c   names of columns as symbols
 *   label.c     markup -> text, measured and drawn      ticks.c    tick positions and their labels
 *   ranges.c    what the data cover, ranges of axes     legend.c   its size and place
 *   layout.c    margins and boxes of all panels         cover.c    where data are that labels should not hide
 *   trace.c     data -> few points, within a tolerance  curve.c    how series look; pictures of dense data
 *   draw.c      frame, grid, texts                      reference.c  reference lines and their labels
 *   density.c   series as pictures: density, maps
 *   save.c      surfaces, formats, files; same bytes for the same figure */
#ifndef PICUS_PLOT_INTERNAL_H
#define PICUS_PLOT_INTERNAL_H

#include "base/internal.h"
#include "plot/characters.h"
#include "plot/figure.h"
#include "plot/label.h"

#include <cairo.h>

/* ---- What a figure holds ---- */

typedef struct picus_plot_axis {
  char *label; /* never NULL */
  picus_axis_scale scale;
  double low, high; /* NAN: automatic */
  int name_count;
  char **names;
} picus_plot_axis;

typedef struct picus_plot_series {
  char *label; /* never NULL */
  size_t count;
  const double *x, *y;
  picus_series_style style;
  int colour, level, ramp;
  double cell[2];
  picus_dashing dashing;
} picus_plot_series;

typedef struct picus_plot_reference {
  picus_reference_kind kind;
  double value;
  char *label;
  int series;
} picus_plot_reference;

typedef struct picus_plot_panel {
  char *title;
  picus_plot_axis x, y;
  bool equal_aspect;
  picus_legend_place legend;
  picus_plot_series *series;
  size_t series_count, series_capacity;
  picus_plot_reference *references;
  size_t reference_count, reference_capacity;
} picus_plot_panel;

enum { PICUS_FIGURE_MOST_PANELS = 100 };

struct picus_figure {
  picus_context *context;
  picus_figure_def def; /* its title points to .title */
  char *title;
  picus_plot_panel *panels;
  size_t panel_count, panel_capacity;
  picus_figure_ignored ignored;
};

/* ---- Data and ranges (ranges.c) ---- */

/* The largest magnitude that is drawn, and the smallest on a log axis. Differences of such numbers do not overflow. */
#define PICUS_PLOT_LARGEST 1e300
#define PICUS_PLOT_SMALLEST 1e-300

typedef struct picus_extent {
  double low, high; /* low > high: of nothing */
} picus_extent;

/* The range of the drawable points of a series. */
typedef struct picus_series_extent {
  picus_extent x, y;
  size_t drawable;
  size_t extreme[4]; /* index of the first point with least x, most x, least y, most y */
  bool ordered;      /* x never decreases, or never increases */
} picus_series_extent;

bool picus_plot_drawable(double value, picus_axis_scale scale);
picus_extent picus_extent_of_nothing(void);
/* Only points with x in window count. */
picus_series_extent picus_series_measure(const picus_plot_series *series, picus_axis_scale x_scale,
                                         picus_axis_scale y_scale, picus_extent window);
/* The range of an axis: fixed ends unchanged (moved apart if they coincide up to round-off), automatic ones with
 * padding, a fraction of the range. Never empty, never too narrow for ticks to differ. */
picus_extent picus_axis_range(const picus_plot_axis *axis, picus_extent data, double padding);

/* The scale in use: fraction 0 at low, 1 at high. */
typedef struct picus_axis_map {
  picus_axis_scale scale;
  double start, length; /* of the value, or of its decimal logarithm */
} picus_axis_map;
picus_axis_map picus_axis_map_make(picus_axis_scale scale, picus_extent range);
double picus_axis_map_apply(const picus_axis_map *map, double value); /* within +-1e7 */

/* ---- Ticks (ticks.c) ---- */

enum { PICUS_TICKS_MOST = 9, PICUS_TICKS_MINOR_MOST = 128, PICUS_TICK_LABEL_SIZE = 96 };

typedef struct picus_ticks {
  int count, minor_count;
  double value[PICUS_TICKS_MOST]; /* increasing, inside the range */
  char label[PICUS_TICKS_MOST][PICUS_TICK_LABEL_SIZE];
  double minor[PICUS_TICKS_MINOR_MOST];
  char note[160]; /* "×10^{−3}", "+10^{6}": common factor and offset of the labels; "" */
} picus_ticks;

/* Three to nine ticks for a range made by picus_axis_range, as near to wanted as the steps 1, 2, 5 allow. */
void picus_ticks_linear(picus_extent range, int wanted, picus_ticks *ticks);
void picus_ticks_log(picus_extent range, int wanted, picus_ticks *ticks);
/* At the values 0, 1, ... that lie in the range; the names of every second, third, ... one if there are too many. */
void picus_ticks_named(picus_extent range, int name_count, char *const *names, picus_ticks *ticks);

/* ---- Curves (trace.c) ---- */

typedef struct picus_box {
  double x, y, width, height; /* y downwards, as in cairo */
} picus_box;

/* Receives a curve point by point; start: the pen moves there without drawing. */
typedef struct picus_pen {
  picus_status (*move)(void *self, double x, double y, bool start);
  void *self;
} picus_pen;

/* How values become positions in the panel. */
typedef struct picus_frame {
  picus_box box;
  picus_axis_map x, y;
} picus_frame;

typedef struct picus_trace_options {
  double column;    /* of ordered data, first, least, most and last per column of this width survive */
  double tolerance; /* other points go if the curve stays this close to them */
} picus_trace_options;

/* Hands the curve of a series (with corners for steps), clipped a little outside the box, to the pen. */
picus_status picus_trace_line(const picus_plot_series *series, const picus_series_extent *extent,
                              const picus_frame *frame, picus_trace_options options, picus_pen pen);
/* Passes every drawable point inside the box to the pen, as a start. */
picus_status picus_trace_points(const picus_plot_series *series, const picus_frame *frame, picus_pen pen);

/* A part of a bar: x from left to right inside the box, with its middle at y. */
typedef struct picus_bar_part {
  double left, right, y, thickness;
  int shade; /* 0: black, 1: grey, 2: a gap */
} picus_bar_part;
/* The next part of a bar from row *row on, which moves behind it; false: none is left. */
bool picus_trace_bar(const picus_plot_series *series, const picus_frame *frame, size_t *row, picus_bar_part *part);

/* Hands a straight line between two points, given in data coordinates, to the pen. */
picus_status picus_trace_segment(const picus_frame *frame, const double x[2], const double y[2], picus_pen pen);

/* A pen that collects points up to a limit; then full is set, and the tracing ends as interrupted. */
typedef struct picus_path {
  picus_context *context;
  struct picus_path_point {
    double x, y;
    bool start;
  } * points;
  size_t count, capacity, limit;
  bool full;
} picus_path;
picus_pen picus_path_pen(picus_path *path);

/* ---- Layout (ranges.c, layout.c, cover.c, reference.c, legend.c) ---- */

typedef struct picus_axis_view {
  picus_extent range;
  picus_ticks ticks;
} picus_axis_view;

typedef struct picus_legend_view {
  bool shown, outside;
  int entries;       /* shown, in the order of the series; more exist if hidden > 0 */
  int hidden;        /* entries without space: "and 12 more" */
  int rows, columns; /* of entries */
  double column_width, row_height;
  picus_box box;
} picus_legend_view;

/* A reference line as drawn, in data coordinates. */
typedef struct picus_reference_view {
  double x[2], y[2];
  bool shown;
  picus_box label; /* in the figure; width 0: none */
} picus_reference_view;

typedef struct picus_panel_view {
  const picus_plot_panel *panel;
  picus_series_extent *extents;     /* one per series */
  picus_reference_view *references; /* one per reference */
  bool empty;                       /* nothing to draw */
  bool x_labelled;                  /* tick labels and label of x are shown: not inside a stack */
  int row, column;
  picus_axis_view x, y;
  picus_extent natural_x, natural_y; /* before they grow for equal aspect */
  picus_box box;                     /* the frame */
  double label_left;                 /* left edge of the y label */
  double tick_room;                  /* for the tick labels of y */
  picus_legend_view legend;
} picus_panel_view;

typedef struct picus_layout {
  const picus_figure *figure;
  double width, height;
  bool stacked;
  int rows, columns;
  picus_panel_view *panels;
} picus_layout;

/* cairo: any context, for measuring. */
picus_status picus_layout_create(const picus_figure *figure, cairo_t *cairo, picus_layout **out);
void picus_layout_destroy(picus_layout *layout);
picus_frame picus_panel_frame(const picus_panel_view *view);

/* Measures the data; sets extents, references, ranges and whether the panels are stacked. */
void picus_layout_find_ranges(picus_layout *layout);
/* Makes horizontal and vertical reference lines cross the complete panel. */
void picus_panel_span_references(picus_panel_view *view);

/* A coarse map of the data of a panel. */
typedef struct picus_cover picus_cover;
picus_status picus_cover_create(picus_context *context, const picus_panel_view *view, picus_cover **out);
void picus_cover_destroy(picus_cover *cover);
picus_pen picus_cover_pen(picus_cover *cover); /* never fails */
void picus_cover_add_box(picus_cover *cover, picus_box box);
/* How much a box with some air around it would hide; 0: nothing. */
int picus_cover_hidden(const picus_cover *cover, picus_box box, double air);

/* Finds places for the labels of the reference lines, and adds both to the cover. */
void picus_references_place(picus_panel_view *view, picus_cover *cover, cairo_t *cairo);

/* Size of the legend if it may be this wide; view->legend gets rows, columns and box size. */
void picus_legend_measure(picus_panel_view *view, cairo_t *cairo, double max_width);
/* Finds its place in the panel. If it would hide data everywhere: sets outside, or, as a last resort, takes the place
 * where it hides least. */
void picus_legend_place_inside(picus_panel_view *view, const picus_cover *cover, bool last_chance);
void picus_legend_draw(const picus_panel_view *view, cairo_t *cairo);

/* ---- Drawing (curve.c, draw.c) ---- */

/* How fine the surface is. */
typedef struct picus_canvas {
  cairo_t *cairo;
  double pixel; /* in points; 0: the format is made of vectors */
} picus_canvas;

picus_status picus_layout_draw(const picus_layout *layout, picus_canvas canvas);
picus_status picus_series_draw(picus_context *context, const picus_panel_view *view, size_t index, picus_canvas canvas);
/* density.c: series that are bitmaps. */
picus_status picus_density_draw(picus_context *context, const picus_panel_view *view, size_t index, picus_canvas canvas,
                                const double colour[3]);
picus_status picus_cells_draw(picus_context *context, const picus_panel_view *view, size_t index, picus_canvas canvas,
                              const double colour[3]);
/* A step of the colours of maps, of so many. */
void picus_ramp_colour(int step, int count, double colour[3]);
/* Its line from (x, y) to (x + length, y) with a marker in the middle, for the legend. */
void picus_series_draw_sample(const picus_plot_series *series, cairo_t *cairo, double x, double y, double length);
void picus_reference_draw(const picus_panel_view *view, size_t index, cairo_t *cairo);

/* Sizes of everything, in points. */
#define PICUS_PLOT_LABEL_FONT 8.0
#define PICUS_PLOT_TICK_FONT 7.0
#define PICUS_PLOT_TICK_LENGTH 3.0
#define PICUS_PLOT_GAP 3.0       /* between a text and its object */
#define PICUS_PLOT_GAP_BELOW 4.5 /* the frame: labels of x and y do not touch in the corner */
#define PICUS_PLOT_DENSITY_CELL 0.5
#define PICUS_PLOT_EDGE 3.0 /* white around the figure */

#endif
