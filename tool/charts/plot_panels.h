/* The panels of a figure of picus plot: which columns share one, their axes, curves, bars and marks. */
#ifndef PICUS_CLI_PLOT_PANELS_H
#define PICUS_CLI_PLOT_PANELS_H

#include "plot_source.h"

#include "plot/figure.h"

enum { PLOT_LABEL = 256, PLOT_MOST_RANGES = 32 };

/* The range of the y axis of panels with a column; NAN: from the data. */
typedef struct plot_range {
  char name[PLOT_LABEL];
  double low, high;
  bool used;
} plot_range;

/* A figure while it is made, with what the command line asks of it. */
typedef struct plot_drawing {
  picus_context *context;
  const cli_arguments *arguments;
  int source_count;
  plot_source *sources;
  picus_figure *figure;
  int panel_count;      /* with one column each */
  plot_reading reading; /* of percussions over time */
  bool separate;        /* a panel of impulses besides that of forces */
  bool impulses;        /* this is the panel of impulses */
  bool columns_apart, results_apart, log_x, log_y;
  bool bars, switches, switches_named;
  bool dots;        /* rows are points without lines */
  bool density;     /* of them: darker where more lie */
  bool points;      /* mark rows: */
  bool tables_only; /* those of tables, which stand beside results, without lines */
  double slope;     /* NAN: none */
  plot_range ranges[PLOT_MOST_RANGES];
  int range_count;
  double **kept; /* numbers of the figure, until it is saved */
  size_t kept_count, kept_capacity;
} plot_drawing;

/* Reports an error of the library; true if there is none. */
bool plot_report(const plot_drawing *d, picus_status status);
/* Columns named by the user: time series with the same unit share a panel; with another x, each column has its own
 * panel. False on any error, already reported. */
bool plot_draw_columns(plot_drawing *d);
/* Numbers that live as long as the drawing; NULL: already reported. */
double *plot_keep(plot_drawing *d, size_t count);
void plot_release_kept(plot_drawing *d);
/* plot_maps.c: the first column of the command line over --x, coloured by the column of --map. */
bool plot_draw_map(plot_drawing *d);
/* The modes of laws over time as bars: black sticks or is closed, grey slips. Without columns: of all laws. */
bool plot_draw_modes(plot_drawing *d);
/* plot_branch.c: branches of orbits over --x. */
bool plot_draw_branch(plot_drawing *d);
bool plot_draw_multipliers(plot_drawing *d);
bool plot_is_multiplier(const char *name);
/* plot_page.c: the points of a table on a page. */
bool plot_is_page(const char *path);
bool plot_write_page(plot_drawing *d, const char *path);
/* "phi_S (rad)", for an axis. */
void plot_axis_label(const plot_drawing *d, const picus_column *column, char *text, size_t size);
/* The model's figure, or all coordinates over time if it has none. */
bool plot_draw_default(plot_drawing *d);

#endif
