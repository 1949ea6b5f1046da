/* A CSV file in complete lines: a buffer of lines, and a file that is cut to its complete lines after a failed write.
 */
#include "table/csv_file.h"
#include "base/input_file.h"
#include "base/internal.h"
#include "platform/files.h"

#include <string.h>

static picus_status fail(const picus_csv_file *file, const char *what, int error) {
  char reason[PICUS_REASON_SIZE];
  picus_system_reason(error, reason);
  if (file->rows == 0 && !file->output.part)
    return picus_fail(file->context, PICUS_ERROR_IO, "cannot %s '%s': %s", what, file->path, reason);
  if (file->rows == 0)
    return picus_fail(file->context, PICUS_ERROR_IO, "cannot %s '%s': %s; it contains no rows", what, file->path,
                      reason);
  return picus_fail(file->context, PICUS_ERROR_IO, "cannot %s '%s': %s; its first %ld rows are safe", what, file->path,
                    reason, file->rows);
}

/* Truncates the file after the last complete line, if it can be truncated: a pipe or a device cannot. */
static void cut_to_complete_lines(const picus_csv_file *file) {
  if (!file->output.part) return;
  (void)picus_file_resize(file->output.descriptor, (uint64_t)file->length);
}

static void count_lines(picus_csv_file *file, size_t written, bool is_header) {
  if (written == file->used && written > 0 && file->buffer[written - 1] == '\n') {
    file->length += (int64_t)written;
    if (!is_header) file->rows += file->lines;
    return;
  }
  for (size_t k = written; k > 0; k--) {
    if (file->buffer[k - 1] != '\n') continue;
    file->length += (int64_t)k;
    break;
  }
  for (size_t k = 0; k < written && !is_header; k++) file->rows += file->buffer[k] == '\n';
}

picus_status picus_csv_write(picus_csv_file *file, bool is_header) {
  size_t written;
  const int error = picus_file_write(file->output.descriptor, file->buffer, file->used, &written);
  count_lines(file, written, is_header);
  file->used = 0;
  file->lines = 0;
  if (!error) return PICUS_OK;
  cut_to_complete_lines(file);
  file->failed = true;
  return fail(file, "write", error);
}

size_t picus_csv_text_size(const char *text) {
  size_t size = 3;
  for (; *text; text++) size += *text == '"' ? 2 : 1;
  return size;
}

/* Texts with a separator in them go in quotes (RFC 4180). */
void picus_csv_put_text(picus_csv_file *file, const char *text) {
  bool in_quotes = strpbrk(text, ",\"\r\n") != NULL;
  char *to = file->buffer + file->used;
  if (in_quotes) *to++ = '"';
  for (; *text; text++) {
    if (*text == '"') *to++ = '"';
    *to++ = *text;
  }
  if (in_quotes) *to++ = '"';
  file->used = (size_t)(to - file->buffer);
}

void picus_csv_put_number(picus_csv_file *file, double value) {
  file->used = (size_t)(picus_decimal_write(&file->powers, value, file->buffer + file->used) - file->buffer);
}

void picus_csv_put_single(picus_csv_file *file, float value) {
  file->used = (size_t)(picus_decimal_write_single(&file->powers, value, file->buffer + file->used) - file->buffer);
}

void picus_csv_end_cell(picus_csv_file *file, bool is_last) {
  file->buffer[file->used++] = is_last ? '\n' : ',';
  file->lines += is_last;
}

picus_status picus_csv_name(picus_csv_file *file, picus_context *context, const char *path) {
  file->context = context;
  file->output.descriptor = -1;
  file->path = picus_copy_text(context, path);
  return file->path ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_csv_open(picus_csv_file *file, size_t longest_line) {
  file->buffer = picus_allocate(file->context, PICUS_CSV_BLOCK + longest_line, 1);
  if (!file->buffer) return PICUS_ERROR_MEMORY;
  picus_decimal_prepare(&file->powers);
  return picus_output_open(file->context, file->path, &file->output);
}

picus_status picus_csv_close(picus_csv_file *file, bool is_worthless) {
  if (file->output.descriptor < 0) return PICUS_OK;
  if (file->rows > 0 || !(file->failed || is_worthless)) return picus_output_publish(&file->output);
  picus_output_discard(&file->output);
  return PICUS_OK;
}

void picus_csv_release(picus_csv_file *file) {
  if (file->rows > 0)
    picus_output_release(&file->output); /* never closed: the part keeps its contents */
  else
    picus_output_discard(&file->output);
  picus_release(file->context, file->buffer);
  picus_release(file->context, file->path);
}

picus_status picus_csv_begin_export(picus_context *context, const char *result, const char *path,
                                    picus_csv_file **out) {
  *out = NULL;
  if (picus_output_touches(path, result))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "'%s' is the result itself; choose another file", path);
  picus_csv_file *csv = picus_allocate(context, 1, sizeof *csv); /* the powers of ten are too many for the stack */
  if (!csv) return PICUS_ERROR_MEMORY;
  picus_status status = picus_csv_name(csv, context, path);
  if (status) return picus_csv_end_export(csv, status);
  *out = csv;
  return PICUS_OK;
}

picus_status picus_csv_end_export(picus_csv_file *csv, picus_status status) {
  picus_context *context = csv->context;
  if (!status)
    status = picus_csv_close(csv, false);
  else if (csv->path)
    picus_output_discard(&csv->output);
  picus_csv_release(csv);
  picus_release(context, csv);
  return status;
}
