/* The CSV sink: a line of names, then a line of numbers for each row; and the same from a result file. */
#include "result_file/csv_rows.h"
#include "base/internal.h"
#include "record/internal.h"
#include "result_file/csv_file.h"

/* A file of rows, and how their numbers are written. */
typedef struct csv_sink {
  picus_csv_file file;
  const picus_column *columns;
  const picus_storage *storage; /* of the recorder */
} csv_sink;

static picus_status write_header(picus_csv_file *file, int column_count, const picus_column *columns) {
  for (int k = 0; k < column_count; k++) {
    picus_csv_put_text(file, columns[k].name);
    picus_csv_end_cell(file, k + 1 == column_count);
  }
  return picus_csv_write(file, true);
}

static picus_status open_file(picus_csv_file *file, int column_count, const picus_column *columns) {
  size_t line = (size_t)column_count * (PICUS_DECIMAL_SIZE + 1), header = 1;
  for (int k = 0; k < column_count; k++) header += picus_csv_text_size(columns[k].name);
  return picus_csv_open(file, line > header ? line : header);
}

static picus_status sink_open(void *self, const picus_run_description *run, int column_count,
                              const picus_column *columns) {
  enum { LEAST = 2 }; /* bytes of a number with its separator */
  csv_sink *sink = self;
  picus_csv_file *file = &sink->file;
  sink->columns = columns;
  picus_status status = open_file(file, column_count, columns);
  if (!status)
    status = picus_output_check_room(&file->output, picus_expected_rows(run->options), LEAST * (double)column_count, 0);
  if (!status) status = write_header(file, column_count, columns);
  return status;
}

static picus_status sink_write(void *self, long row_count, int column_count, const double *rows) {
  csv_sink *sink = self;
  picus_csv_file *file = &sink->file;
  for (long row = 0; row < row_count; row++) {
    for (int k = 0; k < column_count; k++) {
      if (picus_storage_is_single(sink->storage, &sink->columns[k]))
        picus_csv_put_single(file, (float)*rows++);
      else
        picus_csv_put_number(file, *rows++);
      picus_csv_end_cell(file, k + 1 == column_count);
    }
    picus_status status = file->used >= PICUS_CSV_BLOCK ? picus_csv_write(file, false) : PICUS_OK;
    if (status) return status;
  }
  return picus_csv_write(file, false);
}

static picus_status sink_close(void *self, const picus_summary *summary) {
  return picus_csv_close(&((csv_sink *)self)->file, picus_run_left_nothing(summary));
}

static void sink_destroy(void *self) {
  csv_sink *sink = self;
  picus_context *context = sink->file.context;
  picus_csv_release(&sink->file);
  picus_release(context, sink);
}

static picus_status sink_create(picus_context *context, const char *path, picus_sink *out) {
  csv_sink *sink = picus_allocate(context, 1, sizeof *sink);
  if (!sink) return PICUS_ERROR_MEMORY;
  picus_status status = picus_csv_name(&sink->file, context, path);
  if (status) sink_destroy(sink);
  *out =
      (picus_sink){.self = sink, .open = sink_open, .write = sink_write, .close = sink_close, .destroy = sink_destroy};
  return status;
}

picus_status picus_recorder_add_csv(picus_recorder *recorder, const char *path) {
  picus_status status = picus_recorder_add_file(recorder, path, sink_create);
  if (status) return status;
  csv_sink *sink = picus_recorder_last_sink(recorder);
  sink->storage = picus_recorder_storage(recorder);
  return PICUS_OK;
}

/* --- from a result ---------------------------------------------------------------------------------------------- */

/* Columns and their values. */
typedef struct result_columns {
  picus_column *columns;
  const double **values;
  int count;
  long rows;
} result_columns;

static picus_status load_columns(picus_context *context, picus_result *result, result_columns *out) {
  *out = (result_columns){.count = picus_result_column_count(result), .rows = picus_result_row_count(result)};
  out->columns = picus_allocate(context, (size_t)out->count, sizeof *out->columns);
  out->values = picus_allocate(context, (size_t)out->count, sizeof *out->values);
  if (!out->columns || !out->values) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < out->count; k++) {
    out->columns[k] = picus_result_column(result, k);
    status = picus_result_values(result, k, &out->values[k]);
  }
  return status;
}

static picus_status write_columns(picus_csv_file *file, const result_columns *from) {
  picus_status status = write_header(file, from->count, from->columns);
  for (long row = 0; !status && row < from->rows; row++) {
    for (int k = 0; k < from->count; k++) {
      picus_csv_put_number(file, from->values[k][row]);
      picus_csv_end_cell(file, k + 1 == from->count);
    }
    if (file->used >= PICUS_CSV_BLOCK) status = picus_csv_write(file, false);
  }
  return status ? status : picus_csv_write(file, false);
}

picus_status picus_csv_export_rows(picus_context *context, picus_result *result, const char *path) {
  result_columns from = {0};
  picus_csv_file *file = picus_allocate(context, 1, sizeof *file); /* the powers of ten are too many for the stack */
  if (!file) return PICUS_ERROR_MEMORY;
  picus_status status = picus_csv_name(file, context, path);
  if (!status) status = load_columns(context, result, &from);
  if (!status) status = open_file(file, from.count, from.columns);
  if (!status) status = write_columns(file, &from);
  if (!status)
    status = picus_csv_close(file, false);
  else if (file->path)
    picus_output_discard(&file->output); /* an incomplete copy of data stored elsewhere is useless */
  picus_release(context, from.values);
  picus_release(context, from.columns);
  picus_csv_release(file);
  picus_release(context, file);
  return status;
}
