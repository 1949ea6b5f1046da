/* The CSV sink: a line of names, then a line of numbers for each row. Every number reads back as the same double.
 *
 * Lines go to the file in whole lines, so that after a failed write the file can be cut behind the last complete one
 * and the number of rows in it is known. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "base/internal.h"
#include "io/decimal.h"
#include "io/reason.h"
#include "record/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 }; /* bytes after which the buffer is written */

typedef struct csv_sink {
  picus_context *context;
  char *path;
  int descriptor; /* -1: not open */
  long rows;      /* complete in the file */
  off_t length;   /* of the complete lines in the file */
  char *buffer;   /* whole lines that wait to be written */
  size_t used;
  picus_decimal_powers powers;
} csv_sink;

static picus_status fail(csv_sink *sink, const char *what, int error) {
  char reason[PICUS_REASON_SIZE];
  picus_system_reason(error, reason);
  if (sink->rows == 0) return picus_fail(sink->context, PICUS_ERROR_IO, "cannot %s '%s': %s", what, sink->path, reason);
  return picus_fail(sink->context, PICUS_ERROR_IO, "cannot %s '%s': %s; its first %ld rows are safe", what, sink->path,
                    reason, sink->rows);
}

/* Behind the last complete line, where the file can be cut (a pipe or a device cannot). */
static void cut_to_complete_lines(const csv_sink *sink) {
  struct stat facts;
  if (fstat(sink->descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) return;
  while (ftruncate(sink->descriptor, sink->length) != 0 && errno == EINTR) continue;
}

static void count_lines(csv_sink *sink, size_t written, bool is_header) {
  for (size_t k = written; k > 0; k--) {
    if (sink->buffer[k - 1] != '\n') continue;
    sink->length += (off_t)k;
    break;
  }
  for (size_t k = 0; k < written && !is_header; k++) sink->rows += sink->buffer[k] == '\n';
}

static picus_status write_buffer(csv_sink *sink, bool is_header) {
  size_t written = 0;
  int error = 0;
  while (written < sink->used && !error) {
    ssize_t done = write(sink->descriptor, sink->buffer + written, sink->used - written);
    if (done >= 0)
      written += (size_t)done;
    else if (errno != EINTR)
      error = errno;
  }
  count_lines(sink, written, is_header);
  sink->used = 0;
  if (!error) return PICUS_OK;
  cut_to_complete_lines(sink);
  return fail(sink, "write", error);
}

/* Names with a separator in them go in quotes (RFC 4180). */
static size_t quoted_size(const char *name) {
  size_t size = 3;
  for (; *name; name++) size += *name == '"' ? 2 : 1;
  return size;
}

static void put_name(csv_sink *sink, const char *name) {
  bool in_quotes = strpbrk(name, ",\"\r\n") != NULL;
  char *to = sink->buffer + sink->used;
  if (in_quotes) *to++ = '"';
  for (; *name; name++) {
    if (*name == '"') *to++ = '"';
    *to++ = *name;
  }
  if (in_quotes) *to++ = '"';
  sink->used = (size_t)(to - sink->buffer);
}

static picus_status write_header(csv_sink *sink, int column_count, const picus_column *columns) {
  for (int k = 0; k < column_count; k++) {
    put_name(sink, columns[k].name);
    sink->buffer[sink->used++] = k + 1 < column_count ? ',' : '\n';
  }
  return write_buffer(sink, true);
}

static picus_status sink_open(void *self, const picus_run_description *run, int column_count,
                              const picus_column *columns) {
  (void)run;
  csv_sink *sink = self;
  size_t line = (size_t)column_count * (PICUS_DECIMAL_SIZE + 1), header = 1;
  for (int k = 0; k < column_count; k++) header += quoted_size(columns[k].name);
  sink->buffer = picus_allocate(sink->context, BLOCK + (line > header ? line : header), 1);
  if (!sink->buffer) return PICUS_ERROR_MEMORY;
  picus_decimal_prepare(&sink->powers);
  sink->descriptor = open(sink->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (sink->descriptor < 0) return fail(sink, "create", errno);
  picus_status status = write_header(sink, column_count, columns);
  if (!status) return PICUS_OK;
  close(sink->descriptor);
  sink->descriptor = -1;
  return status;
}

static picus_status sink_write(void *self, long row_count, int column_count, const double *rows) {
  csv_sink *sink = self;
  for (long row = 0; row < row_count; row++) {
    char *to = sink->buffer + sink->used;
    for (int k = 0; k < column_count; k++) {
      to = picus_decimal_write(&sink->powers, *rows++, to);
      *to++ = k + 1 < column_count ? ',' : '\n';
    }
    sink->used = (size_t)(to - sink->buffer);
    picus_status status = sink->used >= BLOCK ? write_buffer(sink, false) : PICUS_OK;
    if (status) return status;
  }
  return write_buffer(sink, false);
}

static picus_status sink_close(void *self, const picus_summary *summary) {
  (void)summary;
  csv_sink *sink = self;
  if (sink->descriptor < 0) return PICUS_OK;
  int error = close(sink->descriptor) == 0 || errno == EINTR ? 0 : errno;
  sink->descriptor = -1;
  return error ? fail(sink, "complete", error) : PICUS_OK;
}

static void sink_destroy(void *self) {
  csv_sink *sink = self;
  if (sink->descriptor >= 0) close(sink->descriptor);
  picus_release(sink->context, sink->buffer);
  picus_release(sink->context, sink->path);
  picus_release(sink->context, sink);
}

static picus_status sink_create(picus_context *context, const char *path, picus_sink *out) {
  csv_sink *sink = picus_allocate(context, 1, sizeof *sink);
  if (!sink) return PICUS_ERROR_MEMORY;
  sink->context = context;
  sink->descriptor = -1;
  sink->path = picus_copy_text(context, path);
  if (!sink->path) {
    picus_release(context, sink);
    return PICUS_ERROR_MEMORY;
  }
  *out = (picus_sink){sink, sink_open, sink_write, sink_close, sink_destroy};
  return PICUS_OK;
}

picus_status picus_recorder_add_csv(picus_recorder *recorder, const char *path) {
  return picus_recorder_add_file(recorder, path, sink_create);
}
