/* A table from a CSV file: a line of headings, then lines of numbers. Picus writes such files for runs, switching
 * points and solvers; other programs write them as well. */
#ifndef PICUS_CLI_CSV_TABLE_H
#define PICUS_CLI_CSV_TABLE_H

#include <picus/base.h>

typedef struct cli_csv_column {
  char *name; /* the heading, without a unit in parentheses at its end */
  char *unit; /* text in the parentheses; "" */
  double *values;
  size_t capacity;
  long text_line; /* first line with text in this column; 0: all numbers */
} cli_csv_column;

typedef struct cli_csv_table {
  int column_count;
  cli_csv_column *columns;
  size_t row_count;
} cli_csv_table;

/* Cells are separated by commas and may be quoted. An empty cell and a text are NAN. Release *out in any case. */
picus_status cli_csv_read(picus_context *context, const char *path, cli_csv_table *out);
void cli_csv_release(picus_context *context, cli_csv_table *table);

#endif
