/* Reference solutions from CSV files in test/data. */
#ifndef PICUS_TEST_REFERENCE_H
#define PICUS_TEST_REFERENCE_H

typedef struct reference_table {
  int column_count;
  long row_count;
  char **names;
  double *values; /* row_count x column_count, row-major; text cells are NAN */
} reference_table;

/* Reads test/data/NAME; NULL, with a failed check, if it is not there or empty. */
reference_table *reference_read(const char *name);
void reference_free(reference_table *table);
int reference_column(const reference_table *table, const char *name); /* -1: no such column */
double reference_value(const reference_table *table, long row, const char *column);

#endif
