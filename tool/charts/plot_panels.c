/* Columns of results as panels of a figure. */
#include "plot_panels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = PLOT_LABEL, BARS_IN_PANEL = 8, MOST_EVENTS = 1000 };

static plot_reading reading_of(const plot_drawing *d, const picus_column *column) {
  return column->kind == PICUS_COLUMN_PERCUSSION && !d->impulses ? d->reading : PLOT_PERCUSSION;
}

static bool is_force(const plot_drawing *d, const picus_column *column) {
  return reading_of(d, column) != PLOT_PERCUSSION;
}

/* The unit in the figure: a percussion in N s becomes a force in N. */
static void unit_of(const plot_drawing *d, const picus_column *column, char *unit, size_t size) {
  snprintf(unit, size, "%s", column->unit);
  size_t length = strlen(unit);
  if (is_force(d, column) && length > 2 && strcmp(unit + length - 2, " s") == 0) unit[length - 2] = '\0';
}

/* "wall normal percussion" -> "wall normal force", P_{N,wall} -> F_{N,wall} */
static void name_force(char *text) {
  static const char word[] = "percussion", force[] = "force";
  char *found = strstr(text, word);
  if (found) {
    memcpy(found, force, sizeof force - 1);
    memmove(found + sizeof force - 1, found + sizeof word - 1, strlen(found + sizeof word - 1) + 1);
  } else if (text[0] == 'P' && text[1] == '_') {
    text[0] = 'F';
  }
}

/* A label given in the model replaces the symbol made from the name. */
static void series_label(const plot_drawing *d, const picus_column *column, char *text, size_t size) {
  if (strcmp(column->label, column->name) == 0)
    picus_figure_symbol(column->name, size, text);
  else
    snprintf(text, size, "%s", column->label);
  if (is_force(d, column)) name_force(text);
}

void plot_axis_label(const plot_drawing *d, const picus_column *column, char *text, size_t size) {
  char unit[LABEL], name[LABEL];
  unit_of(d, column, unit, sizeof unit);
  series_label(d, column, name, sizeof name);
  int used = snprintf(text, size, unit[0] ? "%s (%s)" : "%s", name, unit);
  if (used < 0) text[0] = '\0';
}

static bool same_unit(const plot_drawing *d, const picus_column *a, const picus_column *b) {
  char unit_a[LABEL], unit_b[LABEL];
  unit_of(d, a, unit_a, sizeof unit_a);
  unit_of(d, b, unit_b, sizeof unit_b);
  return strcmp(unit_a, unit_b) == 0;
}

/* Contents of a panel: columns by name, of some of the results. */
typedef struct panel_plan {
  const char *x;
  int count;
  const char *const *y;
  int first_source, source_count;
  bool one_unit; /* of all its columns; set by add_panel */
} panel_plan;

/* The index of the k-th column of the plan in a result; k = -1: of x. */
static bool plan_column(const plot_drawing *d, const panel_plan *plan, int source, int k, int *column) {
  return plot_source_find(&d->sources[source], k < 0 ? plan->x : plan->y[k], column);
}

static bool have_one_unit(const plot_drawing *d, const panel_plan *plan) {
  int first, other;
  const plot_source *source = &d->sources[plan->first_source];
  if (!plan_column(d, plan, plan->first_source, 0, &first)) return false;
  picus_column a = plot_source_column(source, first);
  for (int k = 1; k < plan->count; k++) {
    if (!plan_column(d, plan, plan->first_source, k, &other)) return false;
    picus_column b = plot_source_column(source, other);
    if (!same_unit(d, &a, &b)) return false;
  }
  return true;
}

static const char *const mode_names[] = {"open", "stick", "slip"};
static const char *const state_names[] = {"constraint", "impressed"};

bool plot_report(const plot_drawing *d, picus_status status) {
  if (status) cli_report_error(d->context, EXIT_WRONG_INPUT);
  return !status;
}

/* The name of a curve: its column if the panel has several, its result if there are several. */
static void curve_label(const plot_drawing *d, const panel_plan *plan, const plot_source *source,
                        const picus_column *column, char *text, size_t size) {
  char name[LABEL] = "";
  if (plan->count > 1) {
    if (plan->one_unit)
      series_label(d, column, name, sizeof name);
    else
      plot_axis_label(d, column, name, sizeof name);
  }
  bool with_source = plan->source_count > 1; /* a panel of one result has the name of the result as title */
  int used = snprintf(text, size, "%s%s%s", name, name[0] && with_source ? ", " : "", with_source ? source->label : "");
  if (used < 0) text[0] = '\0';
}

/* The state of a law: 0 constraint, 1 impressed force. */
static bool is_state(const picus_column *column) {
  const char *dot = strrchr(column->name, '.');
  return dot && (strcmp(dot, ".unilateral") == 0 || strcmp(dot, ".friction") == 0);
}

static picus_series_style style_of(const plot_drawing *d, const plot_source *source, const picus_column *column) {
  if (column->kind == PICUS_COLUMN_MODE || is_state(column)) return PICUS_SERIES_STEPS;
  if (d->density) return PICUS_SERIES_DENSITY;
  if (d->dots) return PICUS_SERIES_POINTS;
  if (!d->points || (d->tables_only && source->result)) return PICUS_SERIES_LINE;
  return d->tables_only ? PICUS_SERIES_POINTS : PICUS_SERIES_LINE_POINTS;
}

/* The switching points of a result, on its curve. The legend names them once. */
static bool add_switches(plot_drawing *d, plot_source *source, int panel, int x, int y) {
  picus_series_def marks = picus_default_series_def();
  const picus_column column = plot_source_column(source, y);
  if (!plot_source_at_switches(source, x, PLOT_PERCUSSION, &marks.x, &marks.count) ||
      !plot_source_at_switches(source, y, reading_of(d, &column), &marks.y, &marks.count))
    return false;
  marks.label = d->switches_named ? NULL : "switching points";
  d->switches_named = true;
  marks.style = PICUS_SERIES_MARKS;
  return plot_report(d, picus_figure_add_series(d->figure, panel, &marks));
}

/* The percussions of the rows with an impact; a table has none. */
static bool add_stems(plot_drawing *d, plot_source *source, int panel, int y, picus_series_def *series) {
  plot_stems stems = {0};
  if (!source->result) return true;
  if (!plot_source_stems(source, y, &stems)) return false;
  series->x = stems.t;
  series->y = stems.P;
  series->count = stems.count;
  return plot_report(d, picus_figure_add_series(d->figure, panel, series));
}

static bool add_curve(plot_drawing *d, const panel_plan *plan, int panel, int s, int k) {
  int x, y;
  plot_source *source = &d->sources[s];
  picus_series_def series = picus_default_series_def();
  if (!plan_column(d, plan, s, -1, &x) || !plan_column(d, plan, s, k, &y)) return false;
  picus_column column = plot_source_column(source, y);
  char label[2 * LABEL];
  curve_label(d, plan, source, &column, label, sizeof label);
  series.label = label;
  if (d->impulses) return add_stems(d, source, panel, y, &series);
  if (!plot_source_values(source, x, PLOT_PERCUSSION, &series.x) ||
      !plot_source_values(source, y, reading_of(d, &column), &series.y))
    return false;
  series.count = source->count;
  series.style = style_of(d, source, &column);
  if (!plot_report(d, picus_figure_add_series(d->figure, panel, &series))) return false;
  return !d->switches || !source->result || series.style == PICUS_SERIES_STEPS || add_switches(d, source, panel, x, y);
}

/* The lines of events of the results of a panel. The first line of a name is labelled. */
static bool add_events(plot_drawing *d, const panel_plan *plan, int panel) {
  const char *name;
  bool fine = true;
  for (int k = 0; fine && (name = cli_value(d->arguments, "events", k)) != NULL; k++)
    for (int s = 0; fine && s < plan->source_count; s++) {
      plot_source *source = &d->sources[plan->first_source + s];
      picus_reference_def line = picus_default_reference_def();
      double *times = NULL;
      long count = 0;
      if (!source->result && d->source_count > 1) continue; /* a table beside results */
      fine = plot_source_event_times(source, name, MOST_EVENTS, &times, &count);
      line.kind = PICUS_REFERENCE_VERTICAL;
      for (long i = 0; fine && i < count; i++) {
        line.value = times[i];
        line.label = i == 0 && s == 0 ? name : "";
        fine = plot_report(d, picus_figure_add_reference(d->figure, panel, &line));
      }
      free(times);
    }
  return fine;
}

/* The range that --range gives to one of the columns of a panel. */
static void set_range(plot_drawing *d, const panel_plan *plan, picus_axis_def *axis) {
  for (int i = 0; i < d->range_count; i++)
    for (int k = 0; k < plan->count; k++) {
      if (strcmp(plan->y[k], d->ranges[i].name) != 0) continue;
      d->ranges[i].used = true;
      axis->low = d->ranges[i].low;
      axis->high = d->ranges[i].high;
    }
}

/* A panel with its columns from all results: labels, units, and what shares an axis. */
static bool add_panel(plot_drawing *d, panel_plan *plan) {
  char x_label[LABEL], y_label[LABEL], unit[LABEL];
  int x = 0, y = 0, index = 0;
  if (!plan_column(d, plan, plan->first_source, -1, &x)) return false;
  for (int k = plan->count; k-- > 0;)
    if (!plan_column(d, plan, plan->first_source, k, &y)) return false;
  const plot_source *source = &d->sources[plan->first_source];
  picus_column x_column = plot_source_column(source, x), first = plot_source_column(source, y);
  plan->one_unit = have_one_unit(d, plan);
  plot_axis_label(d, &x_column, x_label, sizeof x_label);
  plot_axis_label(d, &first, y_label, sizeof y_label);
  unit_of(d, &first, unit, sizeof unit);
  picus_panel_def panel = picus_default_panel_def();
  panel.title = d->results_apart && d->source_count > 1 ? source->label : NULL;
  if (plan->count == 1 && d->panel_count++ > 0)
    panel.legend = PICUS_LEGEND_NONE; /* the first panel names the results */
  panel.x.label = x_label;
  panel.y.label = plan->count == 1 ? y_label : plan->one_unit ? unit : ""; /* otherwise the legend shows the units */
  panel.x.scale = d->log_x ? PICUS_AXIS_LOG : PICUS_AXIS_LINEAR;
  if (first.kind == PICUS_COLUMN_MODE) {
    panel.y.name_count = 3;
    panel.y.names = mode_names;
  } else if (is_state(&first)) {
    panel.y.name_count = 2;
    panel.y.names = state_names;
  } else {
    panel.y.scale = d->log_y ? PICUS_AXIS_LOG : PICUS_AXIS_LINEAR;
  }
  if (!d->impulses) set_range(d, plan, &panel.y);
  bool fine = plot_report(d, picus_figure_add_panel(d->figure, &panel, &index));
  for (int k = 0; fine && k < plan->count; k++)
    for (int s = 0; fine && s < plan->source_count; s++) fine = add_curve(d, plan, index, plan->first_source + s, k);
  if (fine && strcmp(plan->x, "t") == 0) fine = add_events(d, plan, index);
  if (fine && !isnan(d->slope)) {
    picus_reference_def reference = picus_default_reference_def();
    reference.kind = PICUS_REFERENCE_SLOPE;
    reference.value = d->slope;
    fine = plot_report(d, picus_figure_add_reference(d->figure, index, &reference));
  }
  return fine;
}

/* With --impacts separate: the percussions among the columns of a panel over time once more, at impacts only. */
static bool add_impulse_panel(plot_drawing *d, panel_plan plan) {
  const char **percussions = calloc((size_t)plan.count + 1, sizeof *percussions);
  const char *const *columns = plan.y;
  const int count = plan.count;
  int column = 0;
  bool fine = percussions != NULL;
  plan.y = percussions;
  plan.count = 0;
  for (int k = 0; fine && k < count; k++) {
    fine = plot_source_find(&d->sources[plan.first_source], columns[k], &column);
    if (fine && plot_source_column(&d->sources[plan.first_source], column).kind == PICUS_COLUMN_PERCUSSION)
      percussions[plan.count++] = columns[k];
  }
  d->impulses = true;
  if (fine && plan.count > 0) fine = add_panel(d, &plan);
  d->impulses = false;
  free(percussions);
  return fine;
}

/* The same panel once for all results, or once for each. */
static bool add_panels(plot_drawing *d, panel_plan plan) {
  plan.first_source = 0;
  plan.source_count = d->results_apart ? 1 : d->source_count;
  const bool separate = d->separate && strcmp(plan.x, "t") == 0;
  bool fine = true;
  for (; fine && plan.first_source < d->source_count; plan.first_source += plan.source_count)
    fine = add_panel(d, &plan) && (!separate || add_impulse_panel(d, plan));
  return fine;
}

/* The states of laws of one result as bars, the first one at the top. */
static bool add_bars(plot_drawing *d, const panel_plan *plan, int s) {
  char names[BARS_IN_PANEL][LABEL], x_label[LABEL];
  const char *texts[BARS_IN_PANEL];
  plot_source *source = &d->sources[s];
  int x = 0, y = 0, index = 0;
  picus_panel_def panel = picus_default_panel_def();
  if (!plan_column(d, plan, s, -1, &x)) return false;
  const picus_column x_column = plot_source_column(source, x);
  plot_axis_label(d, &x_column, x_label, sizeof x_label);
  for (int k = 0; k < plan->count; k++) {
    if (!plan_column(d, plan, s, k, &y)) return false;
    const picus_column column = plot_source_column(source, y);
    series_label(d, &column, names[plan->count - 1 - k], LABEL);
    texts[plan->count - 1 - k] = names[plan->count - 1 - k];
  }
  panel.title = d->source_count > 1 ? source->label : NULL;
  panel.legend = PICUS_LEGEND_NONE;
  panel.x.label = x_label;
  panel.y.name_count = plan->count;
  panel.y.names = texts;
  bool fine = plot_report(d, picus_figure_add_panel(d->figure, &panel, &index));
  for (int k = 0; fine && k < plan->count; k++) {
    picus_series_def bar = picus_default_series_def();
    bar.style = PICUS_SERIES_BAR;
    bar.level = plan->count - 1 - k;
    bar.count = source->count;
    fine = plan_column(d, plan, s, k, &y) && plot_source_values(source, x, PLOT_PERCUSSION, &bar.x) &&
           plot_source_values(source, y, PLOT_PERCUSSION, &bar.y) &&
           plot_report(d, picus_figure_add_series(d->figure, index, &bar));
  }
  return fine;
}

/* May these two columns share a panel over time? */
static bool alike(const plot_drawing *d, int a, int b) {
  picus_column first = plot_source_column(&d->sources[0], a), other = plot_source_column(&d->sources[0], b);
  return same_unit(d, &first, &other) && (first.kind == PICUS_COLUMN_MODE) == (other.kind == PICUS_COLUMN_MODE);
}

static bool is_bar(const plot_drawing *d, int column) {
  const picus_column of_first = plot_source_column(&d->sources[0], column);
  return d->bars && is_state(&of_first);
}

static const char *default_x(const plot_drawing *d) {
  const plot_source *first = &d->sources[0];
  bool nameless = !first->result && plot_source_column_count(first) > 0;
  for (int i = 0; nameless && i < plot_source_column_count(first); i++)
    nameless = strcmp(plot_source_column(first, i).name, "t") != 0;
  return nameless ? plot_source_column(first, 0).name : "t";
}

bool plot_draw_columns(plot_drawing *d) {
  const cli_arguments *a = d->arguments;
  int count = cli_operand_count(a) - d->source_count;
  bool together = cli_given(a, "together");
  panel_plan plan = {.x = cli_given(a, "x") ? cli_value(a, "x", 0) : default_x(d)};
  bool share = !d->columns_apart && (strcmp(plan.x, "t") == 0 || !d->sources[0].result);
  int *columns = calloc((size_t)count + 1, sizeof *columns);
  const char **names = calloc((size_t)count + 1, sizeof *names);
  bool *done = calloc((size_t)count + 1, sizeof *done);
  bool fine = columns && names && done;
  if (!fine) cli_complain("out of memory");
  for (int i = 0; fine && i < count; i++)
    fine = plot_source_find(&d->sources[0], cli_operand(a, d->source_count + i), &columns[i]);
  int bars_named = 0;
  for (int i = 0; fine && i < count; i++) bars_named += is_bar(d, columns[i]);
  if (fine && d->bars && bars_named == 0) {
    cli_complain("--bars needs a column NAME.unilateral or NAME.friction of a contact");
    fine = false;
  }
  for (int i = 0; fine && i < count; i++) {
    if (done[i]) continue;
    const bool bars = is_bar(d, columns[i]);
    plan.count = 0; /* this column and all later ones that may join it */
    for (int k = i; k < count; k++) {
      const bool joins = bars || is_bar(d, columns[k]) ? bars && is_bar(d, columns[k]) && plan.count < BARS_IN_PANEL
                                                       : together || (share && alike(d, columns[i], columns[k]));
      if (done[k] || (k != i && !joins)) continue;
      names[plan.count++] = cli_operand(a, d->source_count + k);
      done[k] = true;
    }
    plan.y = names;
    if (!bars) fine = add_panels(d, plan);
    for (int s = 0; fine && bars && s < d->source_count; s++) fine = add_bars(d, &plan, s);
  }
  free(columns);
  free(names);
  free(done);
  return fine;
}

bool plot_draw_default(plot_drawing *d) {
  const picus_result *result = d->sources[0].result;
  if (!result) {
    cli_complain("'%s' is a table; name the columns to draw", d->sources[0].path);
    return false;
  }
  int count = picus_result_plot_count(result);
  bool fine = true;
  for (int i = 0; fine && i < count; i++) {
    picus_plot_panel panel = picus_result_plot(result, i);
    fine = panel.count == 0 || add_panels(d, (panel_plan){.x = panel.x, .count = panel.count, .y = panel.y});
  }
  for (int i = 0; fine && count == 0 && i < picus_result_column_count(result); i++) {
    picus_column column = picus_result_column(result, i);
    if (column.kind == PICUS_COLUMN_COORDINATE)
      fine = add_panels(d, (panel_plan){.x = "t", .count = 1, .y = &column.name});
  }
  return fine;
}
