/* Reads CSV tables. Files are untrusted: lines may have any length and any number of cells. */
#include "csv_table.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "platform/files.h"
#include "platform/texts.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct csv_reader {
  picus_context *context;
  const char *path;
  FILE *file;
  bool is_part;                 /* unfinished, or left by a process that was killed: the last line may be incomplete */
  picus_plain_locale plain;     /* decimal points, regardless of the user's locale */
  const cli_csv_filter *filter; /* NULL: all columns */
  char block[1 << 16];          /* of the file, */
  size_t next, filled;          /* from here to there not read yet */
  long line;
  char *text; /* the current line */
  size_t used, capacity;
  size_t column_capacity;
  cli_csv_table *table;
} csv_reader;

/* Appends bytes to the current line; there is room for a zero behind it. */
static picus_status append(csv_reader *r, const char *bytes, size_t count) {
  picus_status status = PICUS_OK;
  while (!status && r->used + count >= r->capacity)
    status = picus_grow(r->context, &r->text, r->capacity, &r->capacity, 1);
  if (!status && count > 0) memcpy(r->text + r->used, bytes, count);
  if (!status) r->used += count;
  return status;
}

/* The bytes up to the next end of a line into r->text; *at_end: the file ended before. */
static picus_status gather_line(csv_reader *r, bool *at_end) {
  r->used = 0;
  errno = 0;
  for (*at_end = false;;) {
    if (r->next == r->filled) {
      r->next = 0;
      r->filled = fread(r->block, 1, sizeof r->block, r->file);
      if (ferror(r->file))
        return picus_fail(r->context, PICUS_ERROR_IO, "cannot read '%s': %s", r->path, strerror(errno));
      if ((*at_end = r->filled == 0)) return append(r, "", 0);
    }
    const char *from = r->block + r->next, *end = memchr(from, '\n', r->filled - r->next);
    const size_t count = end ? (size_t)(end - from) : r->filled - r->next;
    picus_status status = append(r, from, count);
    r->next += count + (end ? 1 : 0);
    if (status || end) return status;
  }
}

/* The next line into r->text, without its end; *ended: there is none. */
static picus_status next_line(csv_reader *r, bool *ended) {
  bool at_end;
  picus_status status = gather_line(r, &at_end);
  if (status) return status;
  *ended = at_end && (r->used == 0 || (r->is_part && r->line > 0));
  if (r->used > 0 && r->text[r->used - 1] == '\r') r->used--;
  r->text[r->used] = '\0';
  if (memchr(r->text, '\0', r->used))
    return picus_fail(r->context, PICUS_ERROR_IO, "'%s' is not a CSV file: line %ld contains a zero byte", r->path,
                      r->line + 1);
  r->line++;
  return PICUS_OK;
}

/* Cuts the next cell off the line at *next, in place, and unquotes it; NULL after the last one. */
static char *next_cell(char **next) {
  char *cell = *next, *from = cell, *to = cell;
  if (!cell) return NULL;
  bool quoted = *from == '"';
  if (quoted) from++;
  while (*from && (quoted || *from != ',')) {
    if (quoted && *from == '"') {
      from++;
      if (*from != '"') {
        quoted = false;
        continue;
      }
    }
    *to++ = *from++;
  }
  *next = *from ? from + 1 : NULL;
  *to = '\0';
  while (isspace((unsigned char)*cell)) cell++;
  while (to > cell && isspace((unsigned char)to[-1])) *--to = '\0';
  return cell;
}

/* "dt (s)" is the column dt with the unit s. */
static picus_status add_column(csv_reader *r, char *heading) {
  cli_csv_table *table = r->table;
  picus_status status =
      picus_grow(r->context, &table->columns, (size_t)table->column_count, &r->column_capacity, sizeof *table->columns);
  if (status) return status;
  char *open = strrchr(heading, '('), *end = heading + strlen(heading);
  bool has_unit = open && open > heading && end[-1] == ')';
  if (has_unit) {
    end[-1] = '\0';
    *open = '\0';
    for (char *last = open; last > heading && isspace((unsigned char)last[-1]);) *--last = '\0';
  }
  cli_csv_column *column = &table->columns[table->column_count++];
  *column =
      (cli_csv_column){.name = picus_copy_text(r->context, heading),
                       .unit = picus_copy_text(r->context, has_unit ? open + 1 : ""),
                       .is_read = !r->filter || r->filter->wants(r->filter->user, heading, table->column_count - 1)};
  return column->name && column->unit ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static picus_status read_headings(csv_reader *r) {
  bool ended = false;
  picus_status status = next_line(r, &ended);
  if (!status && ended) return picus_fail(r->context, PICUS_ERROR_IO, "'%s' is empty", r->path);
  char *next = status ? NULL : r->text;
  for (char *cell; !status && (cell = next_cell(&next)) != NULL;) status = add_column(r, cell);
  return status;
}

static picus_status add_value(csv_reader *r, cli_csv_column *column, const char *cell) {
  picus_status status =
      picus_grow(r->context, &column->values, r->table->row_count, &column->capacity, sizeof *column->values);
  if (status) return status;
  char *end;
  double value = strtod(cell, &end);
  if (*end) value = NAN;
  if (*end && column->text_line == 0) column->text_line = r->line;
  column->values[r->table->row_count] = end == cell ? (double)NAN : value;
  return PICUS_OK;
}

static picus_status read_row(csv_reader *r, bool *ended) {
  cli_csv_table *table = r->table;
  picus_status status = next_line(r, ended);
  if (status || *ended || r->used == 0) return status;
  int count = 0;
  char *next = r->text;
  for (char *cell; !status && (cell = next_cell(&next)) != NULL; count++)
    if (count < table->column_count && table->columns[count].is_read)
      status = add_value(r, &table->columns[count], cell);
  if (!status && count != table->column_count)
    return picus_fail(r->context, PICUS_ERROR_IO, "'%s', line %ld has %d cells, but there are %d headings", r->path,
                      r->line, count, table->column_count);
  table->row_count++;
  return status;
}

static picus_status read_table(csv_reader *r) {
  bool ended = false;
  picus_status status = read_headings(r);
  picus_locale_enter(&r->plain);
  while (!status && !ended) status = read_row(r, &ended);
  picus_locale_leave(&r->plain);
  return status;
}

picus_status cli_csv_read(picus_context *context, const char *path, const cli_csv_filter *filter, cli_csv_table *out) {
  *out = (cli_csv_table){0};
  char found[PICUS_PATH_SIZE];
  picus_find_written(path, found);
  path = found;
  csv_reader r = {.context = context, .path = path, .is_part = picus_is_part(path), .filter = filter, .table = out};
  errno = 0;
  r.file = picus_stream_read(path);
  if (!r.file) return picus_fail(context, PICUS_ERROR_IO, "cannot read '%s': %s", path, strerror(errno));
  const bool has_locale = picus_locale_create(&r.plain);
  picus_status status = has_locale ? read_table(&r) : picus_fail(context, PICUS_ERROR_MEMORY, "out of memory");
  fclose(r.file);
  if (has_locale) picus_locale_destroy(&r.plain);
  picus_release(context, r.text);
  if (!status && r.is_part)
    picus_tell_incomplete(context, path, (long)out->row_count);
  else if (!status)
    picus_tell_newer(context, path);
  return status;
}

void cli_csv_release(picus_context *context, cli_csv_table *table) {
  for (int i = 0; i < table->column_count; i++) {
    picus_release(context, table->columns[i].name);
    picus_release(context, table->columns[i].unit);
    picus_release(context, table->columns[i].values);
  }
  picus_release(context, table->columns);
  *table = (cli_csv_table){0};
}
