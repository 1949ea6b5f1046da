/* After a failed run: which rows its files contain. A sink notes which files the run writes, so that no other file is
 * counted. */
#include "run_parts.h"

#include "base/output_file.h"
#include "cli/saved_text.h"
#include "platform/files.h"

#include <math.h>
#include <stdlib.h>

cli_kept cli_kept_begin(const cli_arguments *a) {
  cli_kept kept = {.files = {{.path = cli_value(a, "out", 0), .rows_are = "rows"},
                             {.path = cli_value(a, "csv", 0), .rows_are = "rows", .is_table = true},
                             {.path = cli_value(a, "events", 0), .rows_are = "switching points", .is_table = true},
                             {.path = cli_value(a, "contacts", 0), .rows_are = "contacts", .is_table = true}}};
  for (int k = 0; k < CLI_KEPT_FILES; k++)
    if (kept.files[k].path) kept.files[k].old = cli_mark_file(kept.files[k].path);
  return kept;
}

/* The files are open, in their parts: a file keeps its inode when it is renamed. */
static picus_status mark_own(void *self, const picus_run_description *run, int columns, const picus_column *column) {
  (void)run, (void)columns, (void)column;
  cli_kept *kept = self;
  char part[PICUS_PATH_SIZE];
  for (int k = 0; k < CLI_KEPT_FILES; k++) {
    cli_kept_file *file = &kept->files[k];
    if (file->path && picus_part_name(file->path, part) == 0) file->own = cli_mark_file(part);
  }
  return PICUS_OK;
}

static picus_status write_nothing(void *self, long rows, int columns, const double *values) {
  (void)self, (void)rows, (void)columns, (void)values;
  return PICUS_OK;
}

picus_status cli_kept_watch(cli_kept *kept, picus_recorder *recorder) {
  return picus_recorder_add_sink(recorder, (picus_sink){.self = kept, .open = mark_own, .write = write_nothing});
}

/* The number of lines after the first, and the number at the start of the last line. */
static long count_table(const char *path, double *t) {
  FILE *file = picus_stream_read(path);
  char *line = NULL;
  size_t size = 0;
  long lines = 0;
  if (!file) return 0;
  for (size_t length; (length = cli_next_line(file, &line, &size)) > 0;) {
    if (line[length - 1] != '\n') break;
    if (lines++ > 0) *t = strtod(line, NULL);
  }
  free(line);
  fclose(file);
  return lines > 0 ? lines - 1 : 0;
}

/* -1: already reported. */
static long count_result(picus_context *context, const char *path, double *t) {
  picus_result *result = NULL;
  const double *times;
  if (picus_result_open(context, path, &result)) {
    cli_report_error(context, EXIT_RUN_FAILED);
    return -1;
  }
  long rows = picus_result_row_count(result);
  int column = picus_result_find(result, "t");
  cli_thin(result);
  if (rows > 0 && column >= 0 && !picus_result_values(result, column, &times))
    *t = times[picus_result_row_count(result) - 1];
  else if (rows > 0) {
    cli_report_error(context, EXIT_RUN_FAILED);
    rows = -1;
  }
  picus_result_close(result);
  return rows;
}

static void tell_file(const cli_kept_file *file, picus_context *context) {
  double t = NAN;
  if (picus_output_is_direct(file->path)) return; /* a pipe or device: it cannot be checked */
  if (cli_is_marked(file->path, file->old)) {
    if (file->old.exists)
      cli_complain("%s contains nothing of this run; it is unchanged", file->path);
    else
      cli_complain("%s was not written", file->path);
    return;
  }
  if (!file->own.exists || !cli_is_marked(file->path, file->own)) {
    cli_complain("%s contains nothing of this run: another program has written it", file->path);
    return;
  }
  long rows = file->is_table ? count_table(file->path, &t) : count_result(context, file->path, &t);
  if (rows < 0) return;
  if (isfinite(t))
    cli_complain("results up to t = %.9g s are kept: %ld %s in %s", t, rows, file->rows_are, file->path);
  else
    cli_complain("%s are missing in %s", file->rows_are, file->path);
}

void cli_kept_tell(const cli_kept *kept, picus_context *context) {
  for (int k = 0; k < CLI_KEPT_FILES; k++)
    if (kept->files[k].path) tell_file(&kept->files[k], context);
}
