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
  bool points;      /* mark rows: */
  bool tables_only; /* those of tables, which stand beside results, without lines */
  double slope;     /* NAN: none */
  plot_range ranges[PLOT_MOST_RANGES];
  int range_count;
} plot_drawing;

/* Reports an error of the library; true if there is none. */
bool plot_report(const plot_drawing *d, picus_status status);
/* Columns named by the user: time series with the same unit share a panel; with another x, each column has its own
 * panel. False on any error, already reported. */
bool plot_draw_columns(plot_drawing *d);
/* The model's figure, or all coordinates over time if it has none. */
bool plot_draw_default(plot_drawing *d);

#endif
