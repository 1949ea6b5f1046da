/* Maps, that is a column as the colour of cells over two others, and the modes of laws over time as bars. */
#include "plot_panels.h"

#include "base/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLASSES = 10, PARTS = 9, MOST_COLOURS = 6, LABEL = PLOT_LABEL, MOST_BARS = 12, RED = 1 };

double *plot_keep(plot_drawing *d, size_t count) {
  double *numbers = picus_allocate(d->context, count + 1, sizeof *numbers);
  if (!numbers || picus_grow(d->context, &d->kept, d->kept_count, &d->kept_capacity, sizeof *d->kept)) {
    picus_release(d->context, numbers);
    cli_report_error(d->context, EXIT_RUN_FAILED);
    return NULL;
  }
  d->kept[d->kept_count++] = numbers;
  return numbers;
}

void plot_release_kept(plot_drawing *d) {
  for (size_t k = 0; k < d->kept_count; k++) picus_release(d->context, d->kept[k]);
  picus_release(d->context, d->kept);
}

/* --- maps --------------------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sorted and different values; their number. */
static size_t distinct(const double *values, size_t count, double *sorted) {
  size_t used = 0, found = 0;
  for (size_t i = 0; i < count; i++)
    if (isfinite(values[i])) sorted[used++] = values[i];
  qsort(sorted, used, sizeof *sorted, compare_numbers);
  for (size_t i = 0; i < used; i++)
    if (found == 0 || sorted[i] != sorted[found - 1]) sorted[found++] = sorted[i];
  return found;
}

/* The distance of the values of a grid; false, already reported: they have none. */
static bool find_cell(const char *name, const double *sorted, size_t count, double *cell) {
  *cell = count > 1 ? (sorted[count - 1] - sorted[0]) / (double)(count - 1) : 1;
  for (size_t k = 1; k < count; k++)
    if (fabs(sorted[k] - sorted[k - 1] - *cell) > 1e-3 * *cell) {
      cli_complain("--map needs a regular grid, but the values of '%s' have different distances", name);
      return false;
    }
  return true;
}

/* Classes of a column: its values, if they are few whole numbers, or equal parts of its range. */
typedef struct class_list {
  int count;
  bool are_values;
  double low, high; /* of parts */
  double values[MOST_CLASSES];
} class_list;

static class_list find_classes(const double *sorted, size_t count) {
  class_list c = {.count = PARTS, .are_values = count <= MOST_CLASSES};
  for (size_t k = 0; k < count && c.are_values; k++) {
    c.are_values = sorted[k] == floor(sorted[k]);
    c.values[k] = sorted[k];
  }
  if (c.are_values) c.count = (int)count;
  if (count > 0) c.low = sorted[0], c.high = sorted[count - 1];
  if (!(c.high > c.low) && !c.are_values) c.count = 1;
  return c;
}

static int class_of(const class_list *c, double value) {
  if (!isfinite(value)) return -1;
  for (int k = 0; c->are_values; k++)
    if (c->values[k] == value) return k;
  const int k = c->high > c->low ? (int)((value - c->low) / (c->high - c->low) * c->count) : 0;
  return k < c->count ? k : c->count - 1;
}

static void class_label(const class_list *c, int k, char *text, size_t size) {
  const double width = (c->high - c->low) / c->count;
  if (c->are_values)
    snprintf(text, size, "%g", c->values[k]);
  else
    snprintf(text, size, "%.3g to %.3g", c->low + k * width, c->low + (k + 1) * width);
}

typedef struct map_data {
  const double *x, *y, *z;
  size_t count;
  double cell[2];
  class_list classes;
} map_data;

static bool add_class(plot_drawing *d, const map_data *m, int k, int panel) {
  size_t count = 0, used = 0;
  char label[LABEL];
  for (size_t i = 0; i < m->count; i++) count += class_of(&m->classes, m->z[i]) == k;
  if (count == 0) return true;
  double *x = plot_keep(d, count), *y = x ? plot_keep(d, count) : NULL;
  if (!y) return false;
  for (size_t i = 0; i < m->count; i++) {
    if (class_of(&m->classes, m->z[i]) != k) continue;
    x[used] = m->x[i];
    y[used++] = m->y[i];
  }
  class_label(&m->classes, k, label, sizeof label);
  picus_series_def series = picus_default_series_def();
  series.label = label;
  series.count = count;
  series.x = x;
  series.y = y;
  series.style = PICUS_SERIES_CELLS;
  series.colour = k;
  series.ramp = m->classes.are_values && m->classes.count <= MOST_COLOURS ? 0 : m->classes.count;
  series.cell[0] = m->cell[0];
  series.cell[1] = m->cell[1];
  return plot_report(d, picus_figure_add_series(d->figure, panel, &series));
}

static bool find_cells(plot_drawing *d, const char *x, const char *y, map_data *m) {
  double *sorted = plot_keep(d, m->count);
  return sorted && find_cell(x, sorted, distinct(m->x, m->count, sorted), &m->cell[0]) &&
         find_cell(y, sorted, distinct(m->y, m->count, sorted), &m->cell[1]);
}

bool plot_draw_map(plot_drawing *d) {
  const cli_arguments *a = d->arguments;
  plot_source *source = &d->sources[0];
  const char *names[3] = {cli_value(a, "x", 0), cli_operand(a, d->source_count), cli_value(a, "map", 0)};
  const double *values[3];
  char labels[3][LABEL];
  int columns[3], panel = 0;
  if (!names[0] || cli_operand_count(a) != d->source_count + 1 || d->source_count != 1) {
    cli_complain("--map takes one table, --x and one column Y: picus plot TABLE Y --x X --map Z");
    return false;
  }
  for (int k = 0; k < 3; k++) {
    if (!plot_source_find(source, names[k], &columns[k]) ||
        !plot_source_values(source, columns[k], PLOT_PERCUSSION, &values[k]))
      return false;
    const picus_column column = plot_source_column(source, columns[k]);
    plot_axis_label(d, &column, labels[k], LABEL);
  }
  map_data m = {.x = values[0], .y = values[1], .z = values[2], .count = source->count};
  double *sorted = plot_keep(d, m.count);
  if (!sorted || !find_cells(d, names[0], names[1], &m)) return false;
  m.classes = find_classes(sorted, distinct(m.z, m.count, sorted));
  picus_panel_def def = picus_default_panel_def();
  def.title = labels[2];
  def.x.label = labels[0];
  def.y.label = labels[1];
  def.legend = PICUS_LEGEND_OUTSIDE;
  bool fine = plot_report(d, picus_figure_add_panel(d->figure, &def, &panel));
  for (int k = 0; fine && k < m.classes.count; k++) fine = add_class(d, &m, k, panel);
  return fine;
}

/* --- modes -------------------------------------------------------------------------------------------------------- */

/* Mode to shade of a bar: open is a gap, sticking black, slip grey. */
static const double *shades_of(plot_drawing *d, plot_source *source, int column) {
  const double *mode = NULL;
  if (!plot_source_values(source, column, PLOT_PERCUSSION, &mode)) return NULL;
  double *shades = plot_keep(d, source->count);
  for (size_t i = 0; shades && i < source->count; i++)
    shades[i] = mode[i] == PICUS_OPEN ? 2 : mode[i] == PICUS_STICK ? 0 : 1;
  return shades;
}

/* The columns of modes: those of the command line, which may leave out ".mode", or all; their number. */
static int find_modes(const plot_drawing *d, plot_source *source, int columns[MOST_BARS]) {
  const cli_arguments *a = d->arguments;
  int count = 0;
  for (int k = d->source_count; k < cli_operand_count(a) && count < MOST_BARS; k++) {
    char name[LABEL];
    const char *word = cli_operand(a, k);
    const size_t length = strlen(word);
    const bool is_full = length > 5 && strcmp(word + length - 5, ".mode") == 0;
    snprintf(name, sizeof name, "%s%s", word, is_full ? "" : ".mode");
    if (!plot_source_find(source, name, &columns[count++])) return -1;
  }
  for (int k = 0; cli_operand_count(a) == d->source_count && k < plot_source_column_count(source); k++)
    if (plot_source_column(source, k).kind == PICUS_COLUMN_MODE && count < MOST_BARS) columns[count++] = k;
  return count;
}

/* Ticks at the impacts of a law, which may close and open at the same instant. */
static bool add_impacts(plot_drawing *d, plot_source *source, const char *law, const double *times, int level,
                        int panel) {
  const picus_switching *list = NULL;
  const long listed = picus_result_switching_count(source->result);
  size_t used = 0;
  if (listed <= 0 || source->count == 0) return true;
  double *x = plot_keep(d, 3 * (size_t)listed), *y = x ? plot_keep(d, 3 * (size_t)listed) : NULL;
  if (!y || picus_result_switchings(source->result, &list)) return false;
  for (long k = 0; k < listed; k++) {
    const double ends[] = {level - 0.25, level + 0.25, NAN};
    if (list[k].t < times[0] || list[k].t > times[source->count - 1]) continue; /* --from, --to */
    if (list[k].impact == 0 || strcmp(picus_result_law_at(source->result, list[k].law).name, law) != 0) continue;
    for (int i = 0; i < 3; i++, used++) x[used] = list[k].t, y[used] = ends[i];
  }
  picus_series_def ticks = picus_default_series_def();
  ticks.x = x;
  ticks.y = y;
  ticks.count = used;
  ticks.colour = RED;
  return plot_report(d, picus_figure_add_series(d->figure, panel, &ticks));
}

bool plot_draw_modes(plot_drawing *d) {
  plot_source *source = &d->sources[0];
  int columns[MOST_BARS], t = 0, panel = 0;
  char names[MOST_BARS][LABEL], t_label[LABEL];
  const char *texts[MOST_BARS];
  const double *times;
  if (!source->result) {
    cli_complain("--modes needs a result; '%s' is a table", source->path);
    return false;
  }
  const int count = find_modes(d, source, columns);
  if (count < 0 || !plot_source_find(source, "t", &t) || !plot_source_values(source, t, PLOT_PERCUSSION, &times))
    return false;
  if (count == 0) {
    cli_complain("'%s' has no modes of laws", source->path);
    return false;
  }
  for (int k = 0; k < count; k++) {
    snprintf(names[count - 1 - k], LABEL, "%s", plot_source_column(source, columns[k]).name);
    char *dot = strrchr(names[count - 1 - k], '.');
    if (dot) *dot = '\0';
    texts[count - 1 - k] = names[count - 1 - k];
  }
  const picus_column t_column = plot_source_column(source, t);
  plot_axis_label(d, &t_column, t_label, sizeof t_label);
  picus_panel_def def = picus_default_panel_def();
  def.title = "black: sticks or is closed, grey: slips, line: open, red: impact";
  def.legend = PICUS_LEGEND_NONE;
  def.x.label = t_label;
  def.y.name_count = count;
  def.y.names = texts;
  bool fine = plot_report(d, picus_figure_add_panel(d->figure, &def, &panel));
  for (int k = 0; fine && k < count; k++) {
    picus_series_def bar = picus_default_series_def();
    bar.style = PICUS_SERIES_BAR;
    bar.level = count - 1 - k;
    bar.count = source->count;
    bar.x = times;
    bar.y = shades_of(d, source, columns[k]);
    fine = bar.y && plot_report(d, picus_figure_add_series(d->figure, panel, &bar)) &&
           add_impacts(d, source, texts[count - 1 - k], times, bar.level, panel);
  }
  return fine;
}
