/* Tables of numbers as text (CSV): one point in each line, cells with a comma, a semicolon, tabs or spaces between
 * them.
 *
 *   # comments begin with # or %
 *   time, height          (optional: the names of the columns)
 *   0.0,  0.012
 *
 * Files are untrusted: every number is checked, and memory grows with the data read. A cell is copied before it is
 * converted, so that a file need not end with a zero byte. */
#include "base/internal.h"
#include "base/printable.h"
#include "platform/texts.h"
#include "text_format/internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_CELL = 64, COLUMNS_MOST = 10000, SHOWN = 4 * LONGEST_CELL };

typedef struct column_reader {
  picus_context *context;
  const char *name;
  const char *at, *end; /* of the text */
  const char *line_end;
  long line;
  char separator; /* 0: spaces and tabs */
  int column[2];  /* of x and y, from 0 on */
  size_t most, x_capacity, y_capacity;
  data_points points;
} column_reader;

typedef struct text_cell {
  const char *begin;
  size_t length;
} text_cell;

static picus_status fail(const column_reader *r, const char *format, ...) PICUS_PRINTF(2, 3);
static picus_status fail(const column_reader *r, const char *format, ...) {
  char sentence[SHOWN + 512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  return picus_fail(r->context, PICUS_ERROR_IO, "'%s', line %ld: %s", r->name, r->line, sentence);
}

/* --- lines and cells ---------------------------------------------------------------------------------------------- */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The next line that has something to say; false: the text has ended. */
static bool next_line(column_reader *r) {
  while (r->at < r->end) {
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->line_end = end ? end : r->end;
    r->line++;
    while (r->at < r->line_end && is_space(*r->at)) r->at++;
    if (r->at < r->line_end && *r->at != '#' && *r->at != '%') return true;
    r->at = end ? end + 1 : r->end;
  }
  return false;
}

static void end_line(column_reader *r) { r->at = r->line_end < r->end ? r->line_end + 1 : r->end; }

static bool has_in_line(const column_reader *r, char c) { return memchr(r->at, c, (size_t)(r->line_end - r->at)); }

/* The cell at *at, without spaces and quotes around it; *at is left behind it and its separator. */
static text_cell take_cell(const column_reader *r, const char **at) {
  const char *c = *at, *stop;
  while (c < r->line_end && is_space(*c)) c++;
  text_cell cell = {.begin = c};
  for (stop = c; stop < r->line_end; stop++)
    if (r->separator ? *stop == r->separator : is_space(*stop)) break;
  *at = stop < r->line_end ? stop + 1 : stop;
  while (stop > c && is_space(stop[-1])) stop--;
  if (stop - c >= 2 && *c == '"' && stop[-1] == '"') {
    cell.begin++;
    stop--;
  }
  cell.length = (size_t)(stop - cell.begin);
  return cell;
}

static bool has_cell(const column_reader *r, const char *at) {
  while (at < r->line_end && is_space(*at)) at++;
  return at < r->line_end;
}

/* As text for a message. */
static const char *show(text_cell cell, char out[SHOWN]) {
  char plain[LONGEST_CELL];
  const size_t length = cell.length < sizeof plain - 1 ? cell.length : sizeof plain - 1;
  memcpy(plain, cell.begin, length);
  plain[length] = '\0';
  picus_printable(plain, false, out, SHOWN);
  return out;
}

/* A finite decimal number and nothing else. */
static bool to_number(text_cell cell, double *value) {
  char copy[LONGEST_CELL];
  if (cell.length == 0 || cell.length >= sizeof copy) return false;
  for (size_t k = 0; k < cell.length; k++)
    if (!strchr("0123456789+-.eE", cell.begin[k]) || !cell.begin[k]) return false;
  memcpy(copy, cell.begin, cell.length);
  copy[cell.length] = '\0';
  char *end;
  *value = strtod(copy, &end);
  return !*end;
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

static picus_status find_column(column_reader *r, const data_column *wanted, int *column) {
  const char *at = r->at;
  char text[SHOWN];
  *column = wanted->number - 1;
  if (!wanted->name) return PICUS_OK;
  for (int k = 0; has_cell(r, at) && k < COLUMNS_MOST; k++) {
    const text_cell cell = take_cell(r, &at);
    if (cell.length != strlen(wanted->name) || memcmp(cell.begin, wanted->name, cell.length) != 0) continue;
    *column = k;
    return PICUS_OK;
  }
  const text_cell head = {r->at, (size_t)(r->line_end - r->at)};
  return fail(r, "there is no column '%.60s' among '%s'; give one of these names, or a number", wanted->name,
              show(head, text));
}

static bool is_number(text_cell cell) {
  double unread;
  return to_number(cell, &unread);
}

/* Whether the first line has names. One with a number in a column that is wanted is a point: if its other cells are
 * wrong, it must not count as names. */
static bool has_names(const column_reader *r, const data_column wanted[2]) {
  static const char *const no_names[] = {"nan", "inf", "-nan", "-inf", "+inf", "infinity", "-infinity"};
  const char *at = r->at;
  bool names = true;
  for (int k = 0; has_cell(r, at) && k < COLUMNS_MOST && names; k++) {
    const text_cell cell = take_cell(r, &at);
    const bool is_wanted =
        k == 0 || (!wanted[0].name && k == wanted[0].number - 1) || (!wanted[1].name && k == wanted[1].number - 1);
    if (is_wanted && is_number(cell)) names = false;
    for (size_t n = 0; is_wanted && n < sizeof no_names / sizeof *no_names; n++)
      if (cell.length == strlen(no_names[n]) && picus_same_letters(cell.begin, no_names[n], cell.length)) names = false;
  }
  return names;
}

/* The first line: the separator, and the columns by their names if it has names. */
static picus_status read_head(column_reader *r, const data_column wanted[2]) {
  static const char separators[] = {',', ';'};
  for (int k = 1; k >= 0; k--)
    if (has_in_line(r, separators[k])) r->separator = separators[k];
  if (r->separator == ',' && has_in_line(r, ';')) r->separator = ';';
  const bool names = has_names(r, wanted);
  if (!names && (wanted[0].name || wanted[1].name))
    return fail(r, "the file has no line with names, so there is no column '%.60s'; give the number of the column",
                wanted[wanted[0].name ? 0 : 1].name);
  picus_status status = find_column(r, &wanted[0], &r->column[0]);
  if (!status) status = find_column(r, &wanted[1], &r->column[1]);
  if (names)
    end_line(r);
  else
    r->line--; /* it is read again */
  return status;
}

/* What is told at once: text of 16 bits, data of programs, lines of old computers. */
static picus_status check_text(const column_reader *r) {
  const size_t size = (size_t)(r->end - r->at);
  const char *reason = NULL;
  if (size >= 2 && (memcmp(r->at, "\xFF\xFE", 2) == 0 || memcmp(r->at, "\xFE\xFF", 2) == 0))
    reason = "is text of 16 bits a character (UTF-16); save it as UTF-8";
  else if (memchr(r->at, 0, size))
    reason = "contains a zero byte: it is not text";
  else if (memchr(r->at, '\r', size) && !memchr(r->at, '\n', size))
    reason = "ends its lines with a carriage return alone; save it with line feeds";
  return reason ? picus_fail(r->context, PICUS_ERROR_IO, "'%s' %s", r->name, reason) : PICUS_OK;
}

/* --- points ------------------------------------------------------------------------------------------------------- */

static picus_status fail_number(const column_reader *r, int column, text_cell cell) {
  char text[SHOWN];
  if (cell.length == 0) return fail(r, "column %d is empty; every line needs a number there", column + 1);
  if (cell.length >= LONGEST_CELL)
    return fail(r, "column %d has %zu characters and is no number", column + 1, cell.length);
  return fail(r, "'%s' in column %d is not a number, such as 1.5 or -2e-3", show(cell, text), column + 1);
}

static picus_status read_point(column_reader *r, double point[2]) {
  const int last = r->column[0] > r->column[1] ? r->column[0] : r->column[1];
  const char *at = r->at;
  for (int k = 0; k <= last; k++) {
    if (!has_cell(r, at) && k > 0)
      return fail(r, "there %s %d column%s, but column %d is needed", k == 1 ? "is" : "are", k, k == 1 ? "" : "s",
                  last + 1);
    const text_cell cell = take_cell(r, &at);
    for (int which = 0; which < 2; which++) {
      if (r->column[which] != k) continue;
      if (!to_number(cell, &point[which])) return fail_number(r, k, cell);
      if (!isfinite(point[which]))
        return fail(r, "a number in column %d is too large; numbers are less than 1.8e308", k + 1);
    }
  }
  return PICUS_OK;
}

static picus_status add_point(column_reader *r, const double point[2]) {
  data_points *p = &r->points;
  const size_t count = (size_t)p->count;
  if (count > 0 && !(point[0] > p->x[count - 1]))
    return fail(r, "x must increase from line to line, but %.9g follows %.9g; sort the lines and remove double ones",
                point[0], p->x[count - 1]);
  if (count >= r->most || count >= INT_MAX / 2)
    return picus_fail(r->context, PICUS_ERROR_FILE_LIMIT,
                      "'%s' has more than %zu points, which exceeds its memory limit", r->name, count);
  picus_status status = picus_grow(r->context, &p->x, count, &r->x_capacity, sizeof *p->x);
  if (!status) status = picus_grow(r->context, &p->y, count, &r->y_capacity, sizeof *p->y);
  if (status) return status;
  p->x[count] = point[0];
  p->y[count] = point[1];
  p->count++;
  return PICUS_OK;
}

static picus_status read_all(column_reader *r, const data_column wanted[2]) {
  for (int k = 0; k < 2; k++)
    if (!wanted[k].name && (wanted[k].number < 1 || wanted[k].number > COLUMNS_MOST))
      return picus_fail(r->context, PICUS_ERROR_ARGUMENT, "'%s': there is no column %d; columns count from 1 to %d",
                        r->name, wanted[k].number, COLUMNS_MOST);
  picus_status status = check_text(r);
  if (status) return status;
  if (!next_line(r)) return picus_fail(r->context, PICUS_ERROR_IO, "'%s' has no points", r->name);
  status = read_head(r, wanted);
  while (!status && next_line(r)) {
    double point[2] = {0, 0};
    status = read_point(r, point);
    if (!status) status = add_point(r, point);
    end_line(r);
  }
  if (!status && r->points.count < 2)
    status = picus_fail(r->context, PICUS_ERROR_IO, "'%s' has %d point%s; a table needs at least 2", r->name,
                        r->points.count, r->points.count == 1 ? "" : "s");
  return status;
}

picus_status picus_points_parse(picus_context *context, const char *name, const picus_model_file *file,
                                const data_column columns[2], size_t most, data_points *out) {
  const char *begin = file->size > 0 ? (const char *)file->bytes : "";
  const bool has_mark = file->size >= 3 && memcmp(begin, "\xEF\xBB\xBF", 3) == 0; /* of the byte order */
  column_reader r = {.context = context, .name = name, .at = begin + (has_mark ? 3 : 0), .end = begin + file->size};
  r.most = most;
  *out = (data_points){0};
  picus_plain_locale plain;
  if (!picus_locale_create(&plain))
    return picus_fail(context, PICUS_ERROR_MEMORY, "out of memory while reading '%s'", name);
  picus_locale_enter(&plain);
  const picus_status status = read_all(&r, columns);
  picus_locale_leave(&plain);
  picus_locale_destroy(&plain);
  if (status)
    picus_points_release(context, &r.points);
  else
    *out = r.points;
  return status;
}

void picus_points_release(picus_context *context, data_points *points) {
  picus_release(context, points->x);
  picus_release(context, points->y);
  *points = (data_points){0};
}
