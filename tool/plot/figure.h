/* Figures for papers: panels of curves, drawn to PNG, SVG or PDF by the same code.
 *
 * A figure consists of arrays and labels, not of results: the command line tool maps columns to series. Series are not
 * copied: x and y must stay valid and unchanged until the figure is saved for the last time. Labels are copied.
 *
 * Labels are UTF-8 with a little markup: _x and _{...} set subscripts, ^x and ^{...} superscripts; \_ \^ \{ \} \\ are
 * the characters themselves. A subscript directly followed by a superscript (or the reverse) is set one above the
 * other. Inside braces no further level opens. Bytes that are not UTF-8 are shown as U+FFFD.
 *
 * Lengths are points (1/72 inch). Same input, same bytes in the file. */
#ifndef PICUS_PLOT_FIGURE_H
#define PICUS_PLOT_FIGURE_H

#include <picus/base.h>

typedef struct picus_figure picus_figure;

/* Usual widths of a figure in a two-column journal. */
#define PICUS_FIGURE_SINGLE_COLUMN 252.0 /* 3.5 in */
#define PICUS_FIGURE_DOUBLE_COLUMN 504.0 /* 7 in */

typedef enum picus_figure_arrangement {
  PICUS_FIGURE_AUTOMATIC, /* stacked if every panel has the same x label and shows functions of x, else a grid */
  PICUS_FIGURE_STACKED,   /* one above the other with one common x axis; more than six panels: several columns */
  PICUS_FIGURE_GRID       /* side by side, each with its own axes */
} picus_figure_arrangement;

typedef struct picus_figure_def {
  const char *title; /* above all panels; NULL or "": none */
  picus_figure_arrangement arrangement;
  int columns;   /* of panels; 0: chosen by their number */
  double width;  /* 0: single column for one panel, double column for several */
  double height; /* 0: from the panels' natural proportions */
  int pixels;    /* width of a PNG; 0: 1600 */
} picus_figure_def;

typedef enum picus_axis_scale { PICUS_AXIS_LINEAR, PICUS_AXIS_LOG } picus_axis_scale;

typedef struct picus_axis_def {
  const char *label; /* with unit: "φ_S (rad)"; NULL or "": none */
  picus_axis_scale scale;
  double low, high; /* NAN: from the data. With x fixed, an automatic y uses only the points inside the range of x */
  /* Names of the values 0, 1, 2, ... as on an axis of contact modes; they replace numbers and set the automatic range.
   * name_count 0: an axis of numbers. */
  int name_count;
  const char *const *names;
} picus_axis_def;

typedef enum picus_legend_place {
  PICUS_LEGEND_AUTOMATIC, /* inside, if it hides no data; otherwise above the panel */
  PICUS_LEGEND_OUTSIDE,   /* above the panel */
  PICUS_LEGEND_NONE
} picus_legend_place;

typedef struct picus_panel_def {
  const char *title;
  picus_axis_def x, y;
  bool equal_aspect; /* one unit (or decade) of x is as long as one of y: ranges not fixed grow to make it so */
  picus_legend_place legend;
} picus_panel_def;

typedef enum picus_series_style {
  PICUS_SERIES_LINE,
  PICUS_SERIES_STEPS,       /* y[i] holds from x[i] to x[i+1] */
  PICUS_SERIES_POINTS,      /* the more points, the smaller the dots */
  PICUS_SERIES_LINE_POINTS, /* every row is marked; the more there are, the smaller the dots */
  PICUS_SERIES_MARKS,       /* small black dots */
  PICUS_SERIES_BAR,     /* a bar at the given level: from x[i] to x[i+1], black if y[i] is 0, a gap if 2, else grey */
  PICUS_SERIES_DENSITY, /* darker where more points lie */
  PICUS_SERIES_CELLS    /* rectangles around the points, of one size, on linear axes */
} picus_series_style;

/* How a line is drawn: by its colour, or as said. */
typedef enum picus_dashing { PICUS_DASHES_BY_COLOUR, PICUS_DASHES_NONE, PICUS_DASHES_ALWAYS } picus_dashing;

/* Values that are not finite, larger than 1e300 in magnitude, or not positive on a log axis are not drawn; a line is
 * interrupted there. */
typedef struct picus_series_def {
  const char *label; /* in the legend; NULL or "": not in it */
  size_t count;
  const double *x, *y; /* count values each */
  picus_series_style style;
  int colour; /* index into the palette, wrapping around; negative: the next one of the panel */
  int level;  /* of a bar: the value on the axis y at which it lies; its thickness is half of the distance of levels */
  int ramp;   /* of cells: the colour is one of so many between dark blue and yellow; 0: of the palette */
  double cell[2];        /* of cells: width and height in units of the axes */
  picus_dashing dashing; /* of a line */
} picus_series_def;

typedef enum picus_reference_kind {
  PICUS_REFERENCE_HORIZONTAL, /* at y = value */
  PICUS_REFERENCE_VERTICAL,   /* at x = value */
  PICUS_REFERENCE_SLOPE       /* y proportional to x^value, on two log axes: the order in a convergence plot */
} picus_reference_kind;

/* A thin dashed line behind the data, with a label. */
typedef struct picus_reference_def {
  picus_reference_kind kind;
  double value;
  const char *label; /* NULL: none, but "slope p" for a slope; "": none */
  int series;        /* a slope runs just below this series of the panel; negative: below all of them */
} picus_reference_def;

/* The numbers of values that cannot be drawn, over all series added so far. NAN does not count: it is an intended
 * gap. */
typedef struct picus_figure_ignored {
  size_t infinite;     /* infinite, or beyond 1e300 */
  size_t not_positive; /* zero or negative (or below 1e-300) on a log axis */
} picus_figure_ignored;

picus_figure_def picus_default_figure_def(void);
picus_panel_def picus_default_panel_def(void); /* linear axes, automatic ranges */
picus_series_def picus_default_series_def(void);
picus_reference_def picus_default_reference_def(void);

/* def may be NULL. */
picus_status picus_figure_create(picus_context *context, const picus_figure_def *def, picus_figure **out);
void picus_figure_destroy(picus_figure *figure);

/* At most 100 panels. The panel's index is returned in *panel, counted from 0; panel may be NULL. */
picus_status picus_figure_add_panel(picus_figure *figure, const picus_panel_def *def, int *panel);
picus_status picus_figure_add_series(picus_figure *figure, int panel, const picus_series_def *def);
picus_status picus_figure_add_reference(picus_figure *figure, int panel, const picus_reference_def *def);
picus_figure_ignored picus_figure_ignored_values(const picus_figure *figure);

/* The format comes from the path's ending: .png, .svg, .pdf. The file is written in one go after the figure has been
 * drawn in memory, so that a failure to draw leaves an old file alone. */
picus_status picus_figure_save(const picus_figure *figure, const char *path);
/* Checks before a long computation whether save supports the file extension. */
picus_status picus_figure_check_path(picus_context *context, const char *path);

/* The symbol for the name of a column, as in a paper, in markup: phiS -> φ_S, omegaM -> ω_M, theta1 -> θ_1, vx -> v_x,
 * uphi -> u_φ, beak.gap -> g_{beak}, beak.PN -> P_{N,beak}, E.kin -> E_{kin}, dt -> Δt. Unknown names stay unchanged
 * (with \ before characters of the markup). Cut between characters if size is too small. */
void picus_figure_symbol(const char *name, size_t size, char *symbol);
/* The same with the unit in parentheses: "φ_S (rad)"; unit NULL or "": the symbol alone. */
void picus_figure_symbol_with_unit(const char *name, const char *unit, size_t size, char *label);

#endif
