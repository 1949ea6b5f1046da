/* Reading square matrices from Matrix Market files (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats,
 * NISTIR 5935, 1996):
 *
 *   %%MatrixMarket matrix coordinate|array real|integer general|symmetric
 *   % comments
 *   rows columns [entries]
 *   i j value          (coordinate; counted from 1)   or   value   (array; by columns, of a symmetric one the lower
 *                                                                    triangle)
 *
 * Files are untrusted: every number is checked, and memory grows with the data read, not with the declared size. */
#define _POSIX_C_SOURCE 200809L
#include "base/input_file.h"
#include "base/internal.h"
#include "platform/files.h"
#include "platform/texts.h"
#include "text_format/internal.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 1024, WORDS_MOST = 5, LARGEST_ARRAY = 20000 };

typedef struct matrix_reader {
  picus_context *context;
  const char *path;
  FILE *file;
  picus_plain_locale plain; /* decimal points, regardless of the user's locale */
  long line;
  char text[LONGEST_LINE];
  bool array, symmetric;
  int order;
  unsigned long long announced; /* entries in the file */
  size_t most;                  /* entries of the matrix that are allowed */
  picus_matrix matrix;
  size_t row_capacity, column_capacity, value_capacity;
} matrix_reader;

static picus_status fail(matrix_reader *r, const char *format, ...) PICUS_PRINTF(2, 3);
static picus_status fail(matrix_reader *r, const char *format, ...) {
  char sentence[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  return picus_fail(r->context, PICUS_ERROR_IO, "'%s', line %ld: %s", r->path, r->line, sentence);
}

/* The next line into r->text, without its end; *ended: there is none. */
static picus_status next_line(matrix_reader *r, bool *ended) {
  *ended = false;
  errno = 0;
  if (!fgets(r->text, sizeof r->text, r->file)) {
    if (ferror(r->file)) {
      char reason[PICUS_REASON_SIZE];
      picus_system_reason(errno, reason);
      return picus_fail(r->context, PICUS_ERROR_IO, "cannot read '%s': %s", r->path, reason);
    }
    *ended = true;
    return PICUS_OK;
  }
  r->line++;
  size_t length = strlen(r->text);
  if (length + 1 == sizeof r->text && r->text[length - 1] != '\n')
    return fail(r, "the line is longer than %d characters", LONGEST_LINE - 2);
  while (length > 0 && isspace((unsigned char)r->text[length - 1])) r->text[--length] = '\0';
  return PICUS_OK;
}

/* The next line that is neither empty nor a comment. */
static picus_status next_data(matrix_reader *r, bool *ended) {
  for (;;) {
    picus_status status = next_line(r, ended);
    if (status || *ended) return status;
    const char *text = r->text + strspn(r->text, " \t");
    if (*text && *text != '%') return PICUS_OK;
  }
}

static bool same_word(const char *a, const char *b) {
  for (; *a && *b; a++, b++)
    if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) return false;
  return *a == *b;
}

/* Splits the line into at most WORDS_MOST words; returns their number, WORDS_MOST + 1 if there are more. */
static int split_words(char *text, char *words[WORDS_MOST]) {
  int count = 0;
  char *rest = NULL;
  for (char *word = strtok_r(text, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
    if (count == WORDS_MOST) return WORDS_MOST + 1;
    words[count++] = word;
  }
  return count;
}

static picus_status read_head(matrix_reader *r) {
  bool ended;
  char *words[WORDS_MOST] = {0};
  picus_status status = next_line(r, &ended);
  if (status) return status;
  if (ended) return picus_fail(r->context, PICUS_ERROR_IO, "'%s' is empty", r->path);
  if (split_words(r->text, words) != 5 || !same_word(words[0], "%%MatrixMarket"))
    return fail(r, "not a Matrix Market file; it must start with a line such as '%%%%MatrixMarket matrix coordinate "
                   "real symmetric'");
  if (!same_word(words[1], "matrix")) return fail(r, "the file contains a '%.40s', not a matrix", words[1]);
  r->array = same_word(words[2], "array");
  if (!r->array && !same_word(words[2], "coordinate"))
    return fail(r, "the format is '%.40s'; it must be coordinate or array", words[2]);
  if (same_word(words[3], "complex")) return fail(r, "the matrix is complex; it must be real");
  if (same_word(words[3], "pattern")) return fail(r, "the file contains a pattern without values");
  if (!same_word(words[3], "real") && !same_word(words[3], "integer") && !same_word(words[3], "double"))
    return fail(r, "the field is '%.40s'; it must be real or integer", words[3]);
  r->symmetric = same_word(words[4], "symmetric");
  if (!r->symmetric && !same_word(words[4], "general"))
    return fail(r, "the matrix is '%.40s'; it must be general or symmetric", words[4]);
  return PICUS_OK;
}

/* A count without sign, at most `most`. */
static bool read_count(const char *word, unsigned long long most, unsigned long long *count) {
  if (!word || !isdigit((unsigned char)word[0])) return false;
  char *end;
  errno = 0;
  *count = strtoull(word, &end, 10);
  return !*end && !errno && *count <= most;
}

static bool read_value(matrix_reader *r, const char *word, double *value) {
  char *end;
  picus_locale_enter(&r->plain);
  *value = strtod(word, &end);
  picus_locale_leave(&r->plain);
  return end != word && !*end && isfinite(*value);
}

static picus_status read_sizes(matrix_reader *r) {
  bool ended;
  char *words[WORDS_MOST] = {0};
  unsigned long long rows, columns;
  const int expected = r->array ? 2 : 3;
  picus_status status = next_data(r, &ended);
  if (status) return status;
  if (ended) return fail(r, "the file ends before the size of the matrix");
  if (split_words(r->text, words) != expected)
    return fail(r, "the line with the size of the matrix must be %s",
                r->array ? "'rows columns'" : "'rows columns entries'");
  if (!read_count(words[0], INT_MAX - 1, &rows) || !read_count(words[1], INT_MAX - 1, &columns))
    return fail(r, "'%.20s' x '%.20s' is not a valid matrix size", words[0], words[1]);
  if (rows != columns || rows == 0) return fail(r, "the matrix is %llu x %llu, not square", rows, columns);
  if (r->array && rows > LARGEST_ARRAY)
    return fail(r, "a full matrix of %llu rows is too large; write it in the coordinate format", rows);
  r->order = (int)rows;
  unsigned long long places = rows * rows; /* below 2^62 */
  r->announced = r->array ? (r->symmetric ? rows * (rows + 1) / 2 : places) : 0;
  if (!r->array && !read_count(words[2], places, &r->announced))
    return fail(r, "'%.30s' is not a valid number of entries for a matrix of %llu rows", words[2], rows);
  if (r->announced > r->most / (r->symmetric ? 2 : 1))
    return fail(r, "%llu entries%s exceed the limit of %zu", r->announced,
                r->symmetric ? ", and their mirror images," : "", r->most);
  return PICUS_OK;
}

static picus_status add_entry(matrix_reader *r, int row, int column, double value) {
  picus_matrix *m = &r->matrix;
  picus_status status = picus_grow(r->context, &m->row, m->count, &r->row_capacity, sizeof(int));
  if (!status) status = picus_grow(r->context, &m->column, m->count, &r->column_capacity, sizeof(int));
  if (!status) status = picus_grow(r->context, &m->value, m->count, &r->value_capacity, sizeof(double));
  if (status) return status;
  m->row[m->count] = row;
  m->column[m->count] = column;
  m->value[m->count++] = value;
  return PICUS_OK;
}

/* Adds the entry and, of a symmetric matrix, its mirror image. */
static picus_status add_both(matrix_reader *r, int i, int j, double value) {
  picus_status status = add_entry(r, i, j, value);
  return status || !r->symmetric || i == j ? status : add_entry(r, j, i, value);
}

static picus_status read_coordinate(matrix_reader *r) {
  char *words[WORDS_MOST] = {0};
  unsigned long long row, column;
  double value;
  const unsigned long long n = (unsigned long long)r->order;
  if (split_words(r->text, words) != 3) return fail(r, "an entry must be 'row column value'");
  if (!read_count(words[0], n, &row) || !read_count(words[1], n, &column) || row == 0 || column == 0)
    return fail(r, "'%.20s' and '%.20s' are not a row and a column from 1 to %d", words[0], words[1], r->order);
  if (!read_value(r, words[2], &value)) return fail(r, "'%.40s' is not a finite number", words[2]);
  if (r->symmetric && column > row)
    return fail(r, "entry (%llu, %llu) is above the diagonal; a symmetric matrix needs its lower triangle only", row,
                column);
  return add_both(r, (int)row - 1, (int)column - 1, value);
}

static picus_status read_coordinates(matrix_reader *r) {
  for (unsigned long long k = 0; k < r->announced; k++) {
    bool ended;
    picus_status status = next_data(r, &ended);
    if (!status && ended)
      status = fail(r, "the file ends after %llu of the %llu entries that it declares", k, r->announced);
    if (!status) status = read_coordinate(r);
    if (status) return status;
  }
  return PICUS_OK;
}

/* By columns; a line may contain several values. Zeros are not stored. */
static picus_status read_array(matrix_reader *r) {
  unsigned long long k = 0;
  int row = 0, column = 0;
  while (k < r->announced) {
    bool ended;
    picus_status status = next_data(r, &ended);
    if (!status && ended) status = fail(r, "the file ends after %llu of its %llu entries", k, r->announced);
    if (status) return status;
    char *rest = NULL;
    for (char *word = strtok_r(r->text, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest), k++) {
      double value;
      if (k == r->announced) return fail(r, "there are more entries than the %llu of the matrix", r->announced);
      if (!read_value(r, word, &value)) return fail(r, "'%.40s' is not a finite number", word);
      if (value != 0 && (status = add_both(r, row, column, value))) return status;
      if (++row == r->order) row = r->symmetric ? column + 1 : 0, column++;
    }
  }
  return PICUS_OK;
}

static picus_status read_all(matrix_reader *r) {
  bool ended;
  picus_status status = read_head(r);
  if (!status) status = read_sizes(r);
  if (!status) status = r->array ? read_array(r) : read_coordinates(r);
  if (!status) status = next_data(r, &ended);
  if (!status && !ended) status = fail(r, "there are more entries than the %llu declared", r->announced);
  r->matrix.order = r->order;
  return status;
}

/* Reads the open file, and closes it; NULL: it could not be opened. */
static picus_status read_open(picus_context *context, const char *path, FILE *file, size_t most, picus_matrix *out) {
  const int error = errno;
  matrix_reader r = {.context = context, .path = path, .file = file, .most = most};
  const bool has_locale = picus_locale_create(&r.plain);
  picus_status status = PICUS_OK;
  if (!file) {
    char reason[PICUS_REASON_SIZE];
    picus_system_reason(error, reason);
    status = picus_fail(context, PICUS_ERROR_IO, "cannot read '%s': %s", path, reason);
  } else
    status =
        has_locale ? read_all(&r) : picus_fail(context, PICUS_ERROR_MEMORY, "out of memory while reading '%s'", path);
  if (file) fclose(file);
  if (has_locale) picus_locale_destroy(&r.plain);
  if (status)
    picus_matrix_release(context, &r.matrix);
  else
    *out = r.matrix;
  return status;
}

picus_status picus_matrix_read(picus_context *context, const char *path, picus_matrix *out) {
  *out = (picus_matrix){0};
  picus_status status = picus_check_readable(context, path);
  if (status) return status;
  errno = 0;
  return read_open(context, path, picus_stream_read(path), INT_MAX, out);
}

picus_status picus_matrix_parse(picus_context *context, const char *name, const picus_model_file *file, size_t most,
                                picus_matrix *out) {
  *out = (picus_matrix){0};
  if (file->size == 0) return picus_fail(context, PICUS_ERROR_IO, "'%s' is empty", name);
  errno = 0;
  return read_open(context, name, picus_stream_of_bytes(file->bytes, file->size), most, out);
}

void picus_matrix_release(picus_context *context, picus_matrix *matrix) {
  picus_release(context, matrix->row);
  picus_release(context, matrix->column);
  picus_release(context, matrix->value);
  *matrix = (picus_matrix){0};
}
