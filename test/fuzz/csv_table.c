/* Fuzz target: any bytes as a table for picus plot. What is read has as many values in every column; what is refused is
 * refused with a sentence; nothing is lost. */
#define _POSIX_C_SOURCE 200809L
#include "cli/csv_table.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static volatile double keep_reading; /* or the compiler sees that nobody wants the sums */

static void read_values(const cli_csv_table *table) {
  fuzz_demand(table->column_count >= 0);
  for (int i = 0; i < table->column_count; i++) {
    const cli_csv_column *column = &table->columns[i];
    double sum = (double)(strlen(column->name) + strlen(column->unit));
    for (size_t k = 0; k < table->row_count; k++) sum += isfinite(column->values[k]) ? column->values[k] : 0;
    keep_reading = sum;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  char path[64];
  picus_context *context = NULL;
  cli_csv_table table;
  snprintf(path, sizeof path, "fuzz-table-%ld.csv", (long)getpid());
  if (!fuzz_write_file(path, bytes, size) || picus_context_create(NULL, &context)) return 0;
  if (fuzz_accepted(context, cli_csv_read(context, path, NULL, &table))) read_values(&table);
  cli_csv_release(context, &table);
  fuzz_end(context);
  remove(path);
  return 0;
}
