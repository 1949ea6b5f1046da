/* CSV tables: what is read, and what is refused with which sentence. */
#define _POSIX_C_SOURCE 200809L
#include "cli/csv_table.h"
#include "support/check.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[64];
static picus_context *context;
static cli_csv_table table;

static picus_status read_bytes(const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!CHECK(file)) return PICUS_ERROR_IO;
  CHECK(fwrite(bytes, 1, size, file) == size);
  fclose(file);
  return cli_csv_read(context, path, NULL, &table);
}

static picus_status read_text(const char *text) { return read_bytes(text, strlen(text)); }

static void done(void) {
  cli_csv_release(context, &table);
  CHECK(picus_context_memory(context) == 0);
}

static void headings_and_numbers(void) {
  REQUIRE(read_text("t (s), beak.gap (m) ,\"a, \"\"b\"\"\",(x)\n0,1e-3,-2,3\n0.5,,inf,4\n") == PICUS_OK);
  REQUIRE(table.column_count == 4 && table.row_count == 2);
  CHECK(strcmp(table.columns[0].name, "t") == 0 && strcmp(table.columns[0].unit, "s") == 0);
  CHECK(strcmp(table.columns[1].name, "beak.gap") == 0 && strcmp(table.columns[1].unit, "m") == 0);
  CHECK(strcmp(table.columns[2].name, "a, \"b\"") == 0 && strcmp(table.columns[2].unit, "") == 0);
  CHECK(strcmp(table.columns[3].name, "(x)") == 0);
  CHECK(table.columns[0].values[1] == 0.5 && table.columns[1].values[0] == 1e-3 && table.columns[2].values[0] == -2);
  CHECK(isnan(table.columns[1].values[1]) && isinf(table.columns[2].values[1]) && table.columns[1].text_line == 0);
  done();
}

static void line_ends_and_blank_lines(void) {
  REQUIRE(read_text("a,b\r\n1,2\r\n\r\n3,4") == PICUS_OK);
  REQUIRE(table.row_count == 2);
  CHECK(table.columns[1].values[0] == 2 && table.columns[1].values[1] == 4);
  done();
  REQUIRE(read_text("a,b") == PICUS_OK);
  CHECK(table.column_count == 2 && table.row_count == 0);
  done();
}

static void texts_are_marked(void) {
  REQUIRE(read_text("law,t\nbeak,1\n2x,2\n") == PICUS_OK);
  CHECK(table.columns[0].text_line == 2 && isnan(table.columns[0].values[0]) && isnan(table.columns[0].values[1]));
  CHECK(table.columns[1].text_line == 0);
  done();
}

static void long_lines(void) {
  enum { CELLS = 5000 };
  static char text[CELLS * 16];
  char *to = text;
  for (int i = 0; i < CELLS; i++) to += sprintf(to, "c%d%c", i, i + 1 < CELLS ? ',' : '\n');
  for (int i = 0; i < CELLS; i++) to += sprintf(to, "%d%c", i, i + 1 < CELLS ? ',' : '\n');
  CHECK(read_text(text) == PICUS_OK);
  CHECK(table.column_count == CELLS && table.columns[CELLS - 1].values[0] == CELLS - 1);
  done();
}

static void check_refused(const char *bytes, size_t size, const char *sentence) {
  CHECK(read_bytes(bytes, size) == PICUS_ERROR_IO);
  if (!CHECK(strstr(picus_last_error(context)->message, sentence)))
    printf("  says: %s\n", picus_last_error(context)->message);
  done();
}

static void refusals(void) {
  check_refused("", 0, "is empty");
  check_refused("a,b\n1,2\n3\n", 10, "line 3 has 1 cells, but there are 2 headings");
  check_refused("a,b\n1,2,3\n", 10, "line 2 has 3 cells");
  check_refused("a,b\n1,\0\n", 8, "line 2 contains a zero byte");
  unlink(path);
  CHECK(cli_csv_read(context, path, NULL, &table) == PICUS_ERROR_IO);
  done();
}

static bool wants_named(const void *user, const char *name, int column) {
  (void)column;
  return strcmp(user, name) == 0;
}

/* Rows that end anywhere in the blocks that are read; of three columns one is wanted. */
static void only_wanted_columns(void) {
  enum { ROWS = 20000 };
  FILE *file = fopen(path, "wb");
  REQUIRE(file);
  fputs("a,wanted (m),text\n", file);
  for (int k = 0; k < ROWS; k++) fprintf(file, "%d,%d.5,no number\n", k, k);
  fclose(file);
  REQUIRE(cli_csv_read(context, path, &(cli_csv_filter){wants_named, "wanted"}, &table) == PICUS_OK);
  REQUIRE(table.row_count == ROWS && table.column_count == 3);
  CHECK(!table.columns[0].values && !table.columns[2].values && table.columns[2].text_line == 0);
  for (int k = 0; k < ROWS; k++)
    if (!CHECK(table.columns[1].values[k] == k + 0.5)) break;
  done();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"headings_and_numbers", headings_and_numbers}, {"line_ends_and_blank_lines", line_ends_and_blank_lines},
      {"texts_are_marked", texts_are_marked},         {"long_lines", long_lines},
      {"only_wanted_columns", only_wanted_columns},   {"refusals", refusals}};
  snprintf(path, sizeof path, "csv_table-%ld.csv", (long)getpid());
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int code = test_main(argc, argv, "csv_table", cases, sizeof cases / sizeof cases[0]);
  picus_context_destroy(context);
  unlink(path);
  return code;
}
