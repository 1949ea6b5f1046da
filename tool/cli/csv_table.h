/* A table from a CSV file: a line of headings, then lines of numbers. Picus writes such files for runs, switching
 * points and solvers; other programs write them as well. */
#ifndef PICUS_CLI_CSV_TABLE_H
#define PICUS_CLI_CSV_TABLE_H

#include <picus/base.h>

typedef struct cli_csv_column {
  char *name;     /* the heading, without a unit in parentheses at its end */
  char *unit;     /* text in the parentheses; "" */
  bool is_read;   /* the filter wants its values */
  double *values; /* NULL: not read, or no rows */
  size_t capacity;
  long text_line; /* first line with text in this column; 0: all numbers */
} cli_csv_column;

typedef struct cli_csv_table {
  int column_count;
  cli_csv_column *columns;
  size_t row_count;
} cli_csv_table;

/* Most of the time for a large table goes into numbers: those of columns that nobody wants are not read. */
typedef struct cli_csv_filter {
  bool (*wants)(const void *user, const char *name, int column);
  const void *user;
} cli_csv_filter;

/* Cells are separated by commas and may be quoted. An empty cell and a text are NAN. filter NULL: all columns. Release
 * *out in any case. */
picus_status cli_csv_read(picus_context *context, const char *path, const cli_csv_filter *filter, cli_csv_table *out);
void cli_csv_release(picus_context *context, cli_csv_table *table);

#endif
