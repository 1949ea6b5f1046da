#include "result_file/csv_nodes.h"
#include "base/internal.h"
#include "result_file/csv_file.h"

static const char *const place_names[] = {"x", "y", "z"};

typedef struct node_csv {
  picus_csv_file file;
  picus_node_table table;
  long block;        /* rows that are read at once: opening and uncompressing lists for each row would take too long */
  double *values[2]; /* displacements and velocities of so many rows */
} node_csv;

static void put_name(node_csv *csv, const char *name) {
  picus_csv_end_cell(&csv->file, false);
  picus_csv_put_text(&csv->file, name);
}

static void put_value(node_csv *csv, double value) {
  picus_csv_end_cell(&csv->file, false);
  picus_csv_put_number(&csv->file, value);
}

/* t, row, node, x, y, z, ux, ..., vx, ...; the position only if it is known, the one without displacements. */
static picus_status open_csv(node_csv *csv) {
  const picus_node_table *t = &csv->table;
  size_t line = 64 + 6 * PICUS_DECIMAL_SIZE;
  for (int k = 0; k < t->component_count; k++)
    line += picus_csv_text_size(t->displacements[k]) + picus_csv_text_size(t->velocities[k]) + 2 * PICUS_DECIMAL_SIZE;
  picus_status status = picus_csv_open(&csv->file, line);
  if (status) return status;
  picus_csv_put_text(&csv->file, "t");
  put_name(csv, "row");
  put_name(csv, "node");
  for (int k = 0; t->positions && k < 3; k++) put_name(csv, place_names[k]);
  for (int k = 0; k < t->component_count; k++) put_name(csv, t->displacements[k]);
  for (int k = 0; k < t->component_count; k++) put_name(csv, t->velocities[k]);
  picus_csv_end_cell(&csv->file, true);
  return picus_csv_write(&csv->file, true);
}

/* at: its number in the block */
static picus_status write_row(node_csv *csv, long row, size_t at, double time) {
  const picus_node_table *t = &csv->table;
  const size_t components = (size_t)t->component_count, first = at * (size_t)t->node_count;
  picus_status status = PICUS_OK;
  for (size_t i = 0; !status && i < (size_t)t->node_count; i++) {
    picus_csv_put_number(&csv->file, time);
    put_value(csv, (double)row);
    put_value(csv, (double)t->first + (double)i);
    for (size_t k = 0; t->positions && k < 3; k++) put_value(csv, t->positions[3 * i + k]);
    for (int part = 0; part < 2; part++)
      for (size_t k = 0; k < components; k++) put_value(csv, csv->values[part][components * (first + i) + k]);
    picus_csv_end_cell(&csv->file, true);
    if (csv->file.used >= PICUS_CSV_BLOCK) status = picus_csv_write(&csv->file, false);
  }
  return status;
}

static picus_status write_rows(node_csv *csv, picus_result *result, int table) {
  const double *t = NULL;
  const long rows = picus_result_node_table_rows(result, table);
  picus_status status = picus_result_values(result, 0, &t);
  for (long row = 0; !status && row < rows; row += csv->block) {
    const long count = rows - row < csv->block ? rows - row : csv->block;
    status = picus_result_node_table_read(result, table, row, count, csv->values);
    for (long k = 0; !status && k < count; k++) status = write_row(csv, row + k, (size_t)k, t[row + k]);
  }
  return status ? status : picus_csv_write(&csv->file, false);
}

static picus_status reserve(picus_context *context, node_csv *csv) {
  const size_t width = (size_t)csv->table.node_count * (size_t)csv->table.component_count;
  enum { BLOCK_VALUES = 65536 };
  csv->block = 1 + (long)(BLOCK_VALUES / width);
  for (int k = 0; k < 2; k++) csv->values[k] = picus_allocate(context, (size_t)csv->block * width, sizeof(double));
  return csv->values[0] && csv->values[1] ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_csv_export_nodes(picus_context *context, picus_result *result, int table, const char *path) {
  node_csv *csv = picus_allocate(context, 1, sizeof *csv); /* the powers of ten are too many for the stack */
  if (!csv) return PICUS_ERROR_MEMORY;
  csv->table = picus_result_node_table_at(result, table);
  picus_status status = reserve(context, csv);
  if (!status) status = picus_csv_name(&csv->file, context, path);
  if (!status) status = open_csv(csv);
  if (!status) status = write_rows(csv, result, table);
  if (!status)
    status = picus_csv_close(&csv->file, false);
  else if (csv->file.path)
    picus_output_discard(&csv->file.output); /* an incomplete copy of data stored elsewhere is useless */
  if (csv->file.context) picus_csv_release(&csv->file);
  for (int k = 0; k < 2; k++) picus_release(context, csv->values[k]);
  picus_release(context, csv);
  return status;
}
