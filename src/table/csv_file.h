/* A CSV file written in complete lines, so that after a failed write it can be truncated after the last complete line
 * and its number of rows is known. Every number reads back as the same double. */
#ifndef PICUS_TABLE_CSV_FILE_H
#define PICUS_TABLE_CSV_FILE_H

#include "base/decimal.h"
#include "base/output_file.h"

#include <picus/base.h>
#include <picus/result.h>

enum { PICUS_CSV_BLOCK = 1 << 16 }; /* bytes after which the buffer should be written */

typedef struct picus_csv_file {
  picus_context *context;
  char *path;
  picus_output_file output;
  bool failed;    /* a write failed: later rows are dropped */
  long rows;      /* complete in the file, without the header */
  int64_t length; /* of the complete lines in the file */
  char *buffer;   /* complete lines to be written; space for a block and one more line */
  size_t used;
  long lines; /* in the buffer */
  picus_decimal_powers powers;
} picus_csv_file;

/* A zeroed file takes its path; nothing is touched yet. */
picus_status picus_csv_name(picus_csv_file *file, picus_context *context, const char *path);
/* Creates the file. longest_line: bytes of a line at most, the header included. */
picus_status picus_csv_open(picus_csv_file *file, size_t longest_line);
/* The file gets its name, unless nothing is in it because a write or the run failed: then an older one stays. */
picus_status picus_csv_close(picus_csv_file *file, bool is_worthless);
void picus_csv_release(picus_csv_file *file);

size_t picus_csv_text_size(const char *text); /* bytes it takes at most, with the separator */
void picus_csv_put_text(picus_csv_file *file, const char *text);
void picus_csv_put_number(picus_csv_file *file, double value);
void picus_csv_put_single(picus_csv_file *file, float value); /* reads back as the same float */
/* Between cells, and after the last one. */
void picus_csv_end_cell(picus_csv_file *file, bool is_last);
picus_status picus_csv_write(picus_csv_file *file, bool is_header);

/* A copy of data of a result: begin takes the name of its file, which must not be the result; end closes the file and
 * releases it, or removes an incomplete one, because the data are stored elsewhere. status: of what was written. */
picus_status picus_csv_begin_export(picus_context *context, const char *result, const char *path, picus_csv_file **out);
picus_status picus_csv_end_export(picus_csv_file *csv, picus_status status);

#endif
