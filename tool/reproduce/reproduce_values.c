/* Quantities from the outputs of commands. */
#include "charts/plot_source.h"
#include "platform/files.h"
#include "reproduce.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, COLUMNS_MOST = 16 };

typedef struct evaluation {
  picus_context *context;
  const reproduce_run *run;
  const quantity_term *term;
  char *reason;
  size_t size;
} evaluation;

static double none(const evaluation *e, const char *format, ...) PICUS_PRINTF(2, 3);
static double none(const evaluation *e, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(e->reason, e->size, format, list);
  va_end(list);
  return NAN;
}

static const char *word(const evaluation *e, int k) { return e->term->arguments[k]; }
static double number(const evaluation *e, int k) { return strtod(e->term->arguments[k], NULL); }
static bool given(const evaluation *e, int k) { return k < e->term->count; }

static void path_of(const evaluation *e, const char *file, char path[PATH_SIZE]) {
  snprintf(path, PATH_SIZE, "%s/%s", e->run->folder, file);
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

/* A column of a result or a table, over t or the number of the row. NAME/dt: a percussion as mean force. */
typedef struct series {
  plot_source source;
  char path[PATH_SIZE];
  const double *x, *y;
  size_t count;
} series;

static bool find_column(const evaluation *e, series *s, const char *name, const double **values) {
  char plain[128];
  const size_t length = strlen(name);
  const char *slash = strrchr(name, '/');
  const bool force = slash && slash > name && strcmp(slash, "/dt") == 0;
  snprintf(plain, sizeof plain, "%.*s", (int)(force ? length - 3 : length), name);
  int column = -1;
  for (int k = 0; k < plot_source_column_count(&s->source); k++)
    if (strcmp(plot_source_column(&s->source, k).name, plain) == 0) column = k;
  if (column < 0) {
    none(e, "the file '%s' has no column '%s'", s->source.path + strlen(e->run->folder) + 1, plain);
    return false;
  }
  return plot_source_values(&s->source, column, force ? PLOT_FORCE : PLOT_PERCUSSION, values);
}

static bool has_column(const series *s, const char *name) {
  for (int k = 0; k < plot_source_column_count(&s->source); k++)
    if (strcmp(plot_source_column(&s->source, k).name, name) == 0) return true;
  return false;
}

/* Opens the file of argument 0; false: there is a reason. */
static bool open_file(const evaluation *e, const char *file, series *s) {
  path_of(e, file, s->path);
  FILE *probe = picus_stream_read(s->path);
  if (!probe) {
    none(e, "there is no file '%s'", file);
    return false;
  }
  fclose(probe);
  none(e, "the file '%s' cannot be read", file);
  if (!plot_source_open(e->context, s->path, "", false, NULL, &s->source)) return false;
  s->count = s->source.count;
  return true;
}

/* The column of arguments 0 and 1; FROM and TO at from, if given. */
static bool open_series(const evaluation *e, int from, series *s) {
  if (!open_file(e, word(e, 0), s)) return false;
  bool fine = from < 0 || !given(e, from) || plot_source_choose_rows(&s->source, number(e, from), number(e, from + 1));
  s->count = s->source.count;
  fine = fine && find_column(e, s, word(e, 1), &s->y);
  if (fine && has_column(s, "t")) fine = find_column(e, s, "t", &s->x);
  if (fine && s->count == 0) {
    none(e, "no row of '%s' is in the range", word(e, 0));
    fine = false;
  }
  if (!fine) plot_source_close(&s->source);
  return fine;
}

static double row(const evaluation *e, const series *s, long k) {
  if (k < 0) k += (long)s->count + 1;
  if (k < 1 || (size_t)k > s->count) return none(e, "'%s' has %zu rows", word(e, 0), s->count);
  return s->y[k - 1];
}

static double extreme(const series *s, quantity_kind kind) {
  double best = NAN;
  for (size_t k = 0; k < s->count; k++) {
    const double y = kind == QUANTITY_PEAK ? fabs(s->y[k]) : s->y[k];
    if (isnan(y)) continue;
    if (isnan(best) || (kind == QUANTITY_MIN ? y < best : y > best)) best = y;
  }
  return best;
}

static double moment(const series *s, quantity_kind kind) {
  double sum = 0, squares = 0, count = 0;
  for (size_t k = 0; k < s->count; k++)
    if (!isnan(s->y[k])) {
      sum += s->y[k];
      count++;
    }
  if (kind == QUANTITY_SUM) return sum;
  if (kind == QUANTITY_MEAN) return sum / count;
  for (size_t k = 0; k < s->count; k++)
    if (!isnan(s->y[k])) squares += (s->y[k] - sum / count) * (s->y[k] - sum / count);
  return sqrt(squares / count);
}

static double turns(const series *s) {
  double last = 0, count = 0;
  for (size_t k = 0; k < s->count; k++) {
    if (s->y[k] * last < 0) count++;
    if (s->y[k] != 0 && !isnan(s->y[k])) last = s->y[k];
  }
  return count;
}

/* The largest increase since any earlier row. */
static double climb(const series *s) {
  double lowest = NAN, most = 0;
  for (size_t k = 0; k < s->count; k++) {
    if (isnan(s->y[k])) continue;
    if (isnan(lowest) || s->y[k] < lowest) lowest = s->y[k];
    most = fmax(most, s->y[k] - lowest);
  }
  return most;
}

static double at(const evaluation *e, const series *s, double t) {
  if (!s->x) return none(e, "'%s' has no column t", word(e, 0));
  size_t k = 1;
  while (k < s->count && s->x[k] < t) k++;
  const double slack = 1e-9 * fmax(1, fabs(t));
  if (k >= s->count || t < s->x[0] - slack) {
    if (s->count && fabs(s->x[s->count - 1] - t) <= slack) return s->y[s->count - 1];
    return none(e, "t = %g is outside '%s'", t, word(e, 0));
  }
  const double share = (t - s->x[k - 1]) / (s->x[k] - s->x[k - 1]);
  return s->y[k - 1] + share * (s->y[k] - s->y[k - 1]);
}

static double rows_beyond(const evaluation *e, const series *s, quantity_kind kind) {
  const bool above = word(e, 2)[0] == 'a';
  const double limit = number(e, 3);
  double found = NAN, count = 0;
  if (!s->x && kind != QUANTITY_COUNT) return none(e, "'%s' has no column t", word(e, 0));
  for (size_t k = 0; k < s->count; k++) {
    if (!(above ? s->y[k] > limit : s->y[k] < limit)) continue;
    count++;
    if (kind == QUANTITY_COUNT) continue;
    if (isnan(found) || kind == QUANTITY_UNTIL) found = s->x[k];
  }
  if (kind == QUANTITY_COUNT) return count;
  return isnan(found) ? none(e, "'%s' is never %s %g", word(e, 1), word(e, 2), limit) : found;
}

static double of_series(const evaluation *e) {
  const quantity_kind kind = e->term->kind;
  const bool beyond = kind == QUANTITY_COUNT || kind == QUANTITY_FIRST || kind == QUANTITY_UNTIL;
  series s = {0};
  if (!open_series(e, kind == QUANTITY_ROW || kind == QUANTITY_LAST || kind == QUANTITY_AT ? -1 : beyond ? 4 : 2, &s))
    return NAN;
  double value;
  if (kind == QUANTITY_ROW)
    value = row(e, &s, (long)number(e, 2));
  else if (kind == QUANTITY_LAST)
    value = row(e, &s, -1);
  else if (kind == QUANTITY_AT)
    value = at(e, &s, number(e, 2));
  else if (beyond)
    value = rows_beyond(e, &s, kind);
  else if (kind == QUANTITY_TURNS)
    value = turns(&s);
  else if (kind == QUANTITY_CLIMB)
    value = climb(&s);
  else if (kind == QUANTITY_MEAN || kind == QUANTITY_SUM || kind == QUANTITY_RMS)
    value = moment(&s, kind);
  else
    value = extreme(&s, kind);
  plot_source_close(&s.source);
  return value;
}

/* Parts of "a,b,c", in a buffer; returns their number. */
static int cut_columns(const char *list, char *buffer, size_t size, const char *parts[COLUMNS_MOST]) {
  int count = 0;
  snprintf(buffer, size, "%s", list);
  for (char *part = buffer; part && count < COLUMNS_MOST; count++) {
    parts[count] = part;
    part = strchr(part, ',');
    if (part) *part++ = '\0';
  }
  return count;
}

/* Least squares through log y over log x. */
static double slope_of(const evaluation *e, size_t count, const double *x, int ys, const double *const *y) {
  const double from = given(e, 3) ? number(e, 3) : 0, to = given(e, 3) ? number(e, 4) : INFINITY;
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (size_t k = 0; k < count; k++) {
    double most = 0;
    for (int c = 0; c < ys; c++) most = fmax(most, fabs(y[c][k]));
    if (!(x[k] >= from * (1 - 1e-9) && x[k] <= to * (1 + 1e-9)) || !(most > 0) || !(x[k] > 0)) continue;
    const double a = log(x[k]), b = log(most);
    n++, sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  if (n < 2) return none(e, "'%s' has less than two rows for an order", word(e, 0));
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static double order(const evaluation *e) {
  series s = {0};
  char buffer[256];
  const char *names[COLUMNS_MOST];
  const double *x = NULL, *y[COLUMNS_MOST] = {0};
  if (!open_file(e, word(e, 0), &s)) return NAN;
  const int count = cut_columns(word(e, 2), buffer, sizeof buffer, names);
  bool fine = find_column(e, &s, word(e, 1), &x);
  for (int k = 0; fine && k < count; k++) fine = find_column(e, &s, names[k], &y[k]);
  const double value = fine ? slope_of(e, s.count, x, count, y) : NAN;
  plot_source_close(&s.source);
  return value;
}

/* The largest number of columns that are beyond the limit in one row. */
static double most_together(const evaluation *e, size_t rows, int count, const double *const *y) {
  const bool above = word(e, 2)[0] == 'a';
  const double limit = number(e, 3);
  int most = 0;
  for (size_t k = 0; k < rows; k++) {
    int beyond = 0;
    for (int c = 0; c < count; c++) beyond += above ? y[c][k] > limit : y[c][k] < limit;
    if (beyond > most) most = beyond;
  }
  return most;
}

static bool is_same_combination(int count, const double *const *y, size_t i, size_t k) {
  for (int c = 0; c < count; c++)
    if (!(y[c][i] == y[c][k])) return false;
  return true;
}

/* The number of different combinations of values. */
static double combinations(const evaluation *e, size_t rows, int count, const double *const *y) {
  enum { MOST = 256 };
  size_t first[MOST];
  int found = 0;
  for (size_t k = 0; k < rows; k++) {
    int at = found - 1;
    while (at >= 0 && !is_same_combination(count, y, first[at], k)) at--;
    if (at >= 0) continue;
    if (found == MOST) return none(e, "'%s' has more than %d combinations of these values", word(e, 0), MOST);
    first[found++] = k;
  }
  return found;
}

/* Of several columns: the most beyond a limit in one row, or their combinations. */
static double of_columns(const evaluation *e) {
  const bool together = e->term->kind == QUANTITY_TOGETHER;
  const int from = together ? 4 : 2;
  series s = {0};
  char buffer[256];
  const char *names[COLUMNS_MOST];
  const double *y[COLUMNS_MOST] = {0};
  if (!open_file(e, word(e, 0), &s)) return NAN;
  const int count = cut_columns(word(e, 1), buffer, sizeof buffer, names);
  bool fine = !given(e, from) || plot_source_choose_rows(&s.source, number(e, from), number(e, from + 1));
  for (int k = 0; fine && k < count; k++) fine = find_column(e, &s, names[k], &y[k]);
  double value = NAN;
  if (fine && s.source.count == 0)
    none(e, "no row of '%s' is in the range", word(e, 0));
  else if (fine)
    value = together ? most_together(e, s.source.count, count, y) : combinations(e, s.source.count, count, y);
  plot_source_close(&s.source);
  return value;
}

/* --- switching points and statistics ------------------------------------------------------------------------------ */

static double switching(const evaluation *e, picus_result *result) {
  const picus_switching *list = NULL;
  const long count = picus_result_switching_count(result);
  int law = -1;
  for (int k = 0; k < picus_result_law_count(result); k++)
    if (strcmp(picus_result_law_at(result, k).name, word(e, 1)) == 0) law = k;
  if (law < 0) return none(e, "'%s' has no law '%s'", word(e, 0), word(e, 1));
  if (count < 0 || picus_result_switchings(result, &list)) return none(e, "'%s' has no event log", word(e, 0));
  const int slips = picus_result_law_at(result, law).slips;
  long found = 0;
  for (long k = 0; k < count; k++) {
    if (list[k].law != law) continue;
    if (e->term->kind == QUANTITY_EVENT && (strcmp(picus_mode_text(list[k].from, slips), word(e, 2)) != 0 ||
                                            strcmp(picus_mode_text(list[k].to, slips), word(e, 3)) != 0))
      continue;
    found++;
    if (e->term->kind == QUANTITY_EVENT && found == (long)number(e, 4)) return list[k].t;
  }
  if (e->term->kind == QUANTITY_EVENTS) return (double)found;
  return none(e, "'%s' changes from %s to %s only %ld times", word(e, 1), word(e, 2), word(e, 3), found);
}

static double statistic(const evaluation *e, picus_result *result) {
  char name[128];
  snprintf(name, sizeof name, "statistics.%.100s", word(e, 1));
  const double value = picus_result_number(result, name);
  return isnan(value) ? none(e, "'%s' has no statistic '%s'", word(e, 0), word(e, 1)) : value;
}

static double of_result(const evaluation *e) {
  picus_result *result = NULL;
  char path[PATH_SIZE];
  path_of(e, word(e, 0), path);
  if (picus_result_open(e->context, path, &result)) return none(e, "%s", picus_last_error(e->context)->message);
  const double value = e->term->kind == QUANTITY_STATISTIC ? statistic(e, result) : switching(e, result);
  picus_result_close(result);
  return value;
}

/* --- differences of results --------------------------------------------------------------------------------------- */

static double largest(const evaluation *e, const picus_comparison *c) {
  double most = NAN;
  for (int k = 0; k < c->column_count; k++) {
    const picus_column_error *column = &c->columns[k];
    const double error = word(e, 0)[0] == 'u' ? column->uniform : word(e, 0)[1] == '1' ? column->l1 : column->l2;
    if (!(error <= most)) most = error;
  }
  return most;
}

static double error(const evaluation *e) {
  picus_result *result = NULL, *reference = NULL;
  picus_comparison *comparison = NULL;
  char path[PATH_SIZE], buffer[256];
  const char *names[COLUMNS_MOST];
  const int count = cut_columns(word(e, 3), buffer, sizeof buffer, names);
  path_of(e, word(e, 1), path);
  picus_status status = picus_result_open(e->context, path, &result);
  path_of(e, word(e, 2), path);
  if (!status) status = picus_result_open(e->context, path, &reference);
  if (!status) status = picus_result_compare(e->context, result, reference, count, names, &comparison);
  const double value = status ? none(e, "%s", picus_last_error(e->context)->message) : largest(e, comparison);
  picus_comparison_destroy(e->context, comparison);
  picus_result_close(reference);
  picus_result_close(result);
  return value;
}

/* The largest singular value from the Gram matrix, by powers of it. */
static double spectral_norm(int n, const double gram[COLUMNS_MOST][COLUMNS_MOST]) {
  double v[COLUMNS_MOST], w[COLUMNS_MOST], size = 0;
  for (int i = 0; i < n; i++) v[i] = 1 + 0.1 * i;
  for (int k = 0; k < 500; k++) {
    size = 0;
    for (int i = 0; i < n; i++) {
      w[i] = 0;
      for (int j = 0; j < n; j++) w[i] += gram[i][j] * v[j];
      size += w[i] * w[i];
    }
    size = sqrt(size);
    if (!(size > 0)) break;
    for (int i = 0; i < n; i++) v[i] = w[i] / size;
  }
  return sqrt(size);
}

/* Two results side by side: the columns, and for each row of the first the row of the second at the same time. */
typedef struct two_results {
  series of[2];
  int count;
  const double *y[COLUMNS_MOST][2];
} two_results;

/* The row of b at the time of row i of a, not before row k; b->count: there is none. */
static size_t row_at_time(const series *a, size_t i, const series *b, size_t k) {
  const double slack = 1e-9 * fmax(1e-3, fabs(a->x[i]));
  while (k < b->count && b->x[k] < a->x[i] - slack) k++;
  return k < b->count && b->x[k] <= a->x[i] + slack ? k : b->count;
}

/* Products of differences, summed over all rows of the first; their spectral norm. */
static double differences(const two_results *t) {
  double gram[COLUMNS_MOST][COLUMNS_MOST] = {{0}}, d[COLUMNS_MOST];
  for (size_t i = 0, k = 0; i < t->of[0].count; i++) {
    k = row_at_time(&t->of[0], i, &t->of[1], k);
    for (int c = 0; c < t->count; c++) d[c] = t->y[c][0][i] - t->y[c][1][k];
    for (int c = 0; c < t->count; c++)
      for (int f = 0; f < t->count; f++) gram[c][f] += d[c] * d[f];
  }
  return spectral_norm(t->count, gram);
}

/* The norm of one column as papers define it: (sum dt |f_i - g_i|^p)^(1/p) over all rows but the first. */
static double norm_of(const two_results *t, int c, char kind) {
  double sum = 0;
  for (size_t i = 1, k = 0; i < t->of[0].count; i++) {
    k = row_at_time(&t->of[0], i, &t->of[1], k);
    const double dt = t->of[0].x[i] - t->of[0].x[i - 1], d = fabs(t->y[c][0][i] - t->y[c][1][k]);
    sum = kind == 'u' ? fmax(sum, d) : sum + dt * (kind == '1' ? d : d * d);
    if (isnan(d)) return NAN;
  }
  return kind == '2' ? sqrt(sum) : sum;
}

static double of_both(const evaluation *e, const two_results *t) {
  size_t common = 0;
  for (size_t i = 0, k = 0; i < t->of[0].count; i++) {
    k = row_at_time(&t->of[0], i, &t->of[1], k);
    if (k == t->of[1].count) break;
    common++;
  }
  const int first = e->term->kind == QUANTITY_NORM;
  if (common != t->of[0].count)
    return none(e, "%zu of %zu rows of '%s' have a time that '%s' contains", common, t->of[0].count, word(e, first),
                word(e, first + 1));
  if (!first) return differences(t);
  double most = 0;
  for (int c = 0; c < t->count; c++) {
    const double norm = norm_of(t, c, word(e, 0)[0] == 'u' ? 'u' : word(e, 0)[1]);
    if (!(norm <= most)) most = norm;
  }
  return most;
}

/* spectral FILE REFERENCE COLUMNS, norm KIND FILE REFERENCE COLUMNS */
static double of_two(const evaluation *e) {
  const int first = e->term->kind == QUANTITY_NORM;
  two_results *t = calloc(1, sizeof *t);
  char buffer[256];
  const char *names[COLUMNS_MOST];
  int opened = 0;
  bool fine = t != NULL;
  if (t) t->count = cut_columns(word(e, first + 2), buffer, sizeof buffer, names);
  for (int f = 0; fine && f < 2; f++) {
    fine = open_file(e, word(e, first + f), &t->of[f]);
    if (!fine) break;
    opened++;
    fine = find_column(e, &t->of[f], "t", &t->of[f].x);
    for (int k = 0; fine && k < t->count; k++) fine = find_column(e, &t->of[f], names[k], &t->y[k][f]);
  }
  const double value = fine ? of_both(e, t) : NAN;
  for (int f = 0; f < opened; f++) plot_source_close(&t->of[f].source);
  free(t);
  return value;
}

/* --- printed numbers ---------------------------------------------------------------------------------------------- */

/* The K-th number after the label in a text. */
static double number_after(const evaluation *e, const char *text) {
  const char *at_label = strstr(text, word(e, 1));
  if (!at_label) return none(e, "the output of command %s does not contain '%s'", word(e, 0), word(e, 1));
  long k = (long)number(e, 2);
  const char *p = at_label + strlen(word(e, 1));
  while (*p) {
    char *end;
    const bool starts =
        strchr("+-.0123456789", *p) != NULL && (p == text || !strchr("_abcdefghijklmnopqrstuvwxyz", p[-1]));
    const double value = starts ? strtod(p, &end) : 0;
    if (!starts || end == p) {
      p++;
      continue;
    }
    if (--k == 0) return value;
    p = end;
  }
  return none(e, "the output of command %s has fewer numbers after '%s'", word(e, 0), word(e, 1));
}

static double printed(const evaluation *e) {
  enum { MOST = 1 << 20 };
  char name[64], path[PATH_SIZE];
  snprintf(name, sizeof name, "command-%ld.out", (long)number(e, 0));
  path_of(e, name, path);
  FILE *file = picus_stream_read(path);
  char *text = file ? calloc(MOST + 1, 1) : NULL;
  if (!text) {
    if (file) fclose(file);
    return none(e, "command %s has no output", word(e, 0));
  }
  text[fread(text, 1, MOST, file)] = '\0';
  fclose(file);
  const double value = number_after(e, text);
  free(text);
  return value;
}

static double cpu_time(const evaluation *e) {
  const long wanted = (long)number(e, 0);
  long commands = 0;
  for (int k = 0; k < e->run->item->step_count; k++) {
    commands += e->run->item->steps[k].words != NULL;
    if (e->run->item->steps[k].words && commands == wanted) return e->run->cpu[k];
  }
  return none(e, "there is no command %s", word(e, 0));
}

static double of_term(const evaluation *e) {
  switch (e->term->kind) {
  case QUANTITY_NUMBER:
    return number(e, 0);
  case QUANTITY_ORDER:
    return order(e);
  case QUANTITY_TOGETHER:
  case QUANTITY_DISTINCT:
    return of_columns(e);
  case QUANTITY_EVENT:
  case QUANTITY_EVENTS:
  case QUANTITY_STATISTIC:
    return of_result(e);
  case QUANTITY_ERROR:
    return error(e);
  case QUANTITY_SPECTRAL:
  case QUANTITY_NORM:
    return of_two(e);
  case QUANTITY_PRINTED:
    return printed(e);
  case QUANTITY_CPU:
    return cpu_time(e);
  default:
    return of_series(e);
  }
}

double reproduce_evaluate(picus_context *context, const reproduce_run *run, const quantity *what, char *reason,
                          size_t size) {
  evaluation e = {context, run, &what->first, reason, size};
  snprintf(reason, size, "not a number");
  const double first = of_term(&e);
  if (!what->operation || isnan(first)) return first;
  e.term = &what->second;
  const double second = of_term(&e);
  switch (what->operation) {
  case '+':
    return first + second;
  case '-':
    return first - second;
  case '*':
    return first * second;
  default:
    return first / second;
  }
}
