#include "support/reference.h"

#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 4096, COLUMNS_MOST = 64 };

static char *copy_text(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  return copy ? strcpy(copy, text) : NULL;
}

static void read_header(reference_table *table, char *line) {
  table->names = calloc(COLUMNS_MOST, sizeof *table->names);
  for (char *word = strtok(line, ",\n"); word && table->column_count < COLUMNS_MOST; word = strtok(NULL, ",\n"))
    table->names[table->column_count++] = copy_text(word);
}

static void read_row(const reference_table *table, char *line, double *row) {
  char *word = line;
  for (int i = 0; i < table->column_count; i++) {
    char *end;
    row[i] = word ? strtod(word, &end) : NAN;
    if (word && end == word) row[i] = NAN;
    word = word ? strchr(word, ',') : NULL;
    if (word) word++;
  }
}

reference_table *reference_read(const char *name) {
  char path[LINE_SIZE], line[LINE_SIZE];
  snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
  FILE *file = fopen(path, "r");
  if (!CHECK(file != NULL)) return NULL;
  reference_table *table = calloc(1, sizeof *table);
  if (table && fgets(line, sizeof line, file)) read_header(table, line);
  long capacity = 0;
  while (table && fgets(line, sizeof line, file)) {
    if (table->row_count == capacity) {
      capacity = capacity ? 2 * capacity : 256;
      table->values = realloc(table->values, (size_t)capacity * (size_t)table->column_count * sizeof *table->values);
    }
    read_row(table, line, table->values + (size_t)table->row_count++ * (size_t)table->column_count);
  }
  fclose(file);
  CHECK(table && table->row_count > 0);
  return table;
}

void reference_free(reference_table *table) {
  if (!table) return;
  for (int i = 0; i < table->column_count; i++) free(table->names[i]);
  free(table->names);
  free(table->values);
  free(table);
}

int reference_column(const reference_table *table, const char *name) {
  for (int i = 0; i < table->column_count; i++)
    if (strcmp(table->names[i], name) == 0) return i;
  return -1;
}

double reference_value(const reference_table *table, long row, const char *column) {
  int index = reference_column(table, column);
  return index < 0 || row >= table->row_count
             ? NAN
             : table->values[(size_t)row * (size_t)table->column_count + (size_t)index];
}
