/* What picus plot draws from: results and tables, by columns. */
#ifndef PICUS_CLI_PLOT_SOURCE_H
#define PICUS_CLI_PLOT_SOURCE_H

#include "cli.h"

#include "csv_table.h"

typedef struct plot_source {
  picus_context *context;
  const char *path;
  picus_result *result; /* NULL: a table */
  cli_csv_table table;
  char *label;         /* in the legend, where several files are drawn */
  size_t first, count; /* the rows that are shown */
  double **forces;     /* of the percussions that were drawn as forces; NULL: none yet */
} plot_source;

/* Does this operand name a file to draw from, not a column? By its ending. */
bool plot_source_is_file(const char *operand);
/* The length of a path without its ending, .h5 or the like, and .part. */
size_t plot_source_name_length(const char *path);
/* label NULL: the name of the file without folder and ending. False, already said, on any mistake. */
bool plot_source_open(picus_context *context, const char *path, const char *label, plot_source *source);
void plot_source_close(plot_source *source);

/* Shows only rows with from <= t <= to; all rows of a table without t. */
bool plot_source_choose_rows(plot_source *source, double from, double to);

int plot_source_column_count(const plot_source *source);
picus_column plot_source_column(const plot_source *source, int index);
/* The column of this name; false, already said, if there is none. */
bool plot_source_find(const plot_source *source, const char *name, int *column);
/* The values of the rows that are shown. as_force: a percussion over the size of its step. */
bool plot_source_values(plot_source *source, int column, bool as_force, const double **values);

#endif
