/* picus plot: figures of results and tables. Without columns: the default figure of the model. */
#include "cli.h"
#include "paths.h"
#include "pictures.h"
#include "plot_source.h"

#include "plot/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"x", "COLUMN", "column for the x axis; default t, for a table its first column", false},
    {"out", "F.png", "figure file: .png, .svg or .pdf; default: name of the first result with .png", false},
    {"label", "TEXT", "legend text of a result, in the order of the results", true},
    {"from", "X", "start of the time axis in s", false},
    {"to", "X", "end of the time axis in s", false},
    {"together", NULL, "all columns in one panel, regardless of their units", false},
    {"apart", "WHAT", "one panel per column (columns) or per result (results)", true},
    {"log", "AXES", "logarithmic axes: x, y or xy", false},
    {"slope", "P", "with --log xy: dashed line proportional to x^P", false},
    {"points", NULL, "mark every row by a point; tables beside results: points alone, for their rows only", false},
    {"bars", NULL, "columns NAME.unilateral and NAME.friction as bars: black while the law is a constraint, else grey",
     false},
    {"switches", NULL, "mark the switching points of the event log by black dots", false},
    {"forces", NULL, "mean forces: percussions divided by the time between rows", false},
    {"at", "T", "the drawing of the model at this time, with contact points and forces coloured by mode", false},
    {"show", "WHAT",
     "with --at: arrows (default), chains (forces as lines between bodies), slope (of a pile) or distribution (of the "
     "forces)",
     false},
    {"columns", "N", "number of panels per row; default from their number", false},
    {"pixels", "N", "width of a PNG in pixels; default 1600", false},
    {"title", "TEXT", "title of the figure", false},
};

static const char *const examples[] = {
    "picus plot woodpecker.h5",
    "the default figure of the model",
    "picus plot woodpecker.h5 y phiM beak.gap",
    "time series, one panel per unit",
    "picus plot woodpecker.h5 omegaS --x phiS --out cycle.pdf",
    "a phase portrait for a paper",
    "picus plot coarse.h5 fine.h5 y --label 'dt = 1e-3' --label 'dt = 1e-5'",
    "two runs in one panel",
    "picus plot errors.csv jean combined --x dt --log xy --slope 1 --points",
    "a convergence study from a table",
    "picus plot woodpecker.h5 omegaS beak.unilateral beak.friction --bars --switches",
    "the modes of a contact as bars, and its switching points",
    "picus plot tower.h5 --at 0.5 --out tower.svg",
    "the scene at a time, with the forces of its contacts",
    "picus plot hopper.h5 --at 0.5 --show chains",
    "the chains of forces in a pile",
    "picus plot tower.h5 contacts.coordination contacts.overlap",
    "contacts per body, and the deepest overlap, over time",
    NULL};

typedef struct drawing {
  picus_context *context;
  const cli_arguments *arguments;
  int source_count;
  plot_source *sources;
  picus_figure *figure;
  int panel_count; /* with one column each */
  bool forces, columns_apart, results_apart, log_x, log_y;
  bool bars, switches, switches_named;
  bool points;      /* mark rows: */
  bool tables_only; /* those of tables, which stand beside results, without lines */
  double slope;     /* NAN: none */
} drawing;

enum { LABEL = 256, BARS_IN_PANEL = 8 };

static bool is_force(const drawing *d, const picus_column *column) {
  return d->forces && column->kind == PICUS_COLUMN_PERCUSSION;
}

/* The unit in the figure: a percussion in N s becomes a force in N. */
static void unit_of(const drawing *d, const picus_column *column, char *unit, size_t size) {
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
static void series_label(const drawing *d, const picus_column *column, char *text, size_t size) {
  if (strcmp(column->label, column->name) == 0)
    picus_figure_symbol(column->name, size, text);
  else
    snprintf(text, size, "%s", column->label);
  if (is_force(d, column)) name_force(text);
}

static void axis_label(const drawing *d, const picus_column *column, char *text, size_t size) {
  char unit[LABEL], name[LABEL];
  unit_of(d, column, unit, sizeof unit);
  series_label(d, column, name, sizeof name);
  int used = snprintf(text, size, unit[0] ? "%s (%s)" : "%s", name, unit);
  if (used < 0) text[0] = '\0';
}

static bool same_unit(const drawing *d, const picus_column *a, const picus_column *b) {
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
static bool plan_column(const drawing *d, const panel_plan *plan, int source, int k, int *column) {
  return plot_source_find(&d->sources[source], k < 0 ? plan->x : plan->y[k], column);
}

static bool have_one_unit(const drawing *d, const panel_plan *plan) {
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

static bool report(const drawing *d, picus_status status) {
  if (status) cli_report_error(d->context, EXIT_WRONG_INPUT);
  return !status;
}

/* The name of a curve: its column if the panel has several, its result if there are several. */
static void curve_label(const drawing *d, const panel_plan *plan, const plot_source *source, const picus_column *column,
                        char *text, size_t size) {
  char name[LABEL] = "";
  if (plan->count > 1) {
    if (plan->one_unit)
      series_label(d, column, name, sizeof name);
    else
      axis_label(d, column, name, sizeof name);
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

static picus_series_style style_of(const drawing *d, const plot_source *source, const picus_column *column) {
  if (column->kind == PICUS_COLUMN_MODE || is_state(column)) return PICUS_SERIES_STEPS;
  if (!d->points || (d->tables_only && source->result)) return PICUS_SERIES_LINE;
  return d->tables_only ? PICUS_SERIES_POINTS : PICUS_SERIES_LINE_POINTS;
}

/* The switching points of a result, on its curve. The legend names them once. */
static bool add_switches(drawing *d, plot_source *source, int panel, int x, int y) {
  picus_series_def marks = picus_default_series_def();
  const picus_column column = plot_source_column(source, y);
  if (!plot_source_at_switches(source, x, false, &marks.x, &marks.count) ||
      !plot_source_at_switches(source, y, is_force(d, &column), &marks.y, &marks.count))
    return false;
  marks.label = d->switches_named ? NULL : "switching points";
  d->switches_named = true;
  marks.style = PICUS_SERIES_MARKS;
  return report(d, picus_figure_add_series(d->figure, panel, &marks));
}

static bool add_curve(drawing *d, const panel_plan *plan, int panel, int s, int k) {
  int x, y;
  plot_source *source = &d->sources[s];
  picus_series_def series = picus_default_series_def();
  if (!plan_column(d, plan, s, -1, &x) || !plan_column(d, plan, s, k, &y)) return false;
  picus_column column = plot_source_column(source, y);
  if (!plot_source_values(source, x, false, &series.x) ||
      !plot_source_values(source, y, is_force(d, &column), &series.y))
    return false;
  char label[2 * LABEL];
  curve_label(d, plan, source, &column, label, sizeof label);
  series.label = label;
  series.count = source->count;
  series.style = style_of(d, source, &column);
  if (!report(d, picus_figure_add_series(d->figure, panel, &series))) return false;
  return !d->switches || !source->result || series.style == PICUS_SERIES_STEPS || add_switches(d, source, panel, x, y);
}

static bool add_panel(drawing *d, panel_plan *plan) {
  char x_label[LABEL], y_label[LABEL], unit[LABEL];
  int x = 0, y = 0, index = 0;
  if (!plan_column(d, plan, plan->first_source, -1, &x)) return false;
  for (int k = plan->count; k-- > 0;)
    if (!plan_column(d, plan, plan->first_source, k, &y)) return false;
  const plot_source *source = &d->sources[plan->first_source];
  picus_column x_column = plot_source_column(source, x), first = plot_source_column(source, y);
  plan->one_unit = have_one_unit(d, plan);
  axis_label(d, &x_column, x_label, sizeof x_label);
  axis_label(d, &first, y_label, sizeof y_label);
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
  bool fine = report(d, picus_figure_add_panel(d->figure, &panel, &index));
  for (int k = 0; fine && k < plan->count; k++)
    for (int s = 0; fine && s < plan->source_count; s++) fine = add_curve(d, plan, index, plan->first_source + s, k);
  if (fine && !isnan(d->slope)) {
    picus_reference_def reference = picus_default_reference_def();
    reference.kind = PICUS_REFERENCE_SLOPE;
    reference.value = d->slope;
    fine = report(d, picus_figure_add_reference(d->figure, index, &reference));
  }
  return fine;
}

/* The same panel once for all results, or once for each. */
static bool add_panels(drawing *d, panel_plan plan) {
  plan.first_source = 0;
  plan.source_count = d->results_apart ? 1 : d->source_count;
  bool fine = true;
  for (; fine && plan.first_source < d->source_count; plan.first_source += plan.source_count)
    fine = add_panel(d, &plan);
  return fine;
}

/* The states of laws of one result as bars, the first one at the top. */
static bool add_bars(drawing *d, const panel_plan *plan, int s) {
  char names[BARS_IN_PANEL][LABEL], x_label[LABEL];
  const char *texts[BARS_IN_PANEL];
  plot_source *source = &d->sources[s];
  int x = 0, y = 0, index = 0;
  picus_panel_def panel = picus_default_panel_def();
  if (!plan_column(d, plan, s, -1, &x)) return false;
  const picus_column x_column = plot_source_column(source, x);
  axis_label(d, &x_column, x_label, sizeof x_label);
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
  bool fine = report(d, picus_figure_add_panel(d->figure, &panel, &index));
  for (int k = 0; fine && k < plan->count; k++) {
    picus_series_def bar = picus_default_series_def();
    bar.style = PICUS_SERIES_BAR;
    bar.level = plan->count - 1 - k;
    bar.count = source->count;
    fine = plan_column(d, plan, s, k, &y) && plot_source_values(source, x, false, &bar.x) &&
           plot_source_values(source, y, false, &bar.y) && report(d, picus_figure_add_series(d->figure, index, &bar));
  }
  return fine;
}

/* May these two columns share a panel over time? */
static bool alike(const drawing *d, int a, int b) {
  picus_column first = plot_source_column(&d->sources[0], a), other = plot_source_column(&d->sources[0], b);
  return same_unit(d, &first, &other) && (first.kind == PICUS_COLUMN_MODE) == (other.kind == PICUS_COLUMN_MODE);
}

static bool is_bar(const drawing *d, int column) {
  const picus_column of_first = plot_source_column(&d->sources[0], column);
  return d->bars && is_state(&of_first);
}

static const char *default_x(const drawing *d) {
  const plot_source *first = &d->sources[0];
  bool nameless = !first->result && plot_source_column_count(first) > 0;
  for (int i = 0; nameless && i < plot_source_column_count(first); i++)
    nameless = strcmp(plot_source_column(first, i).name, "t") != 0;
  return nameless ? plot_source_column(first, 0).name : "t";
}

/* Columns named by the user: time series with the same unit share a panel; with another x, each column has its own
 * panel. */
static bool draw_columns(drawing *d) {
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

/* The model's figure, or all coordinates over time if it has none. */
static bool draw_default(drawing *d) {
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

/* RESULT.h5 -> RESULT.png, also for RESULT.h5.part */
char *cli_default_figure(const char *result) {
  size_t length = plot_source_name_length(result);
  char *path = malloc(length + sizeof ".png");
  if (path) {
    memcpy(path, result, length);
    strcpy(path + length, ".png");
  }
  return path;
}

/* The number of operands that are results: the first, and the following ones with the name of a file. */
static int count_sources(const cli_arguments *a) {
  int count = 1;
  while (count < cli_operand_count(a) && plot_source_is_file(cli_operand(a, count))) count++;
  return count;
}

/* Does the command line name this column? */
static bool is_named(const void *user, const char *name, int column) {
  const cli_arguments *a = user;
  (void)column;
  if (cli_given(a, "x") && strcmp(cli_value(a, "x", 0), name) == 0) return true;
  for (int k = 1; k < cli_operand_count(a); k++)
    if (strcmp(cli_operand(a, k), name) == 0) return true;
  return false;
}

static bool open_sources(drawing *d) {
  const cli_arguments *a = d->arguments;
  int count = count_sources(a);
  double from = -INFINITY, to = INFINITY;
  if (cli_value(a, "label", count)) {
    cli_complain("more labels than results, starting with '%s'; give at most one --label per result",
                 cli_value(a, "label", count));
    return false;
  }
  if (cli_given(a, "x") && cli_operand_count(a) == count) {
    cli_complain("--x needs at least one column Y: picus plot RESULT.h5 Y --x X");
    return false;
  }
  if (!cli_number(a, "from", &from) || !cli_number(a, "to", &to)) return false;
  const cli_csv_filter named = {is_named, a};
  d->sources = calloc((size_t)count, sizeof *d->sources);
  bool fine = d->sources != NULL;
  if (!fine) cli_complain("out of memory");
  for (int i = 0; fine && i < count; i++) {
    fine = plot_source_open(d->context, cli_operand(a, i), cli_value(a, "label", i), &named, &d->sources[i]);
    d->source_count = i + 1;
    fine = fine && plot_source_choose_rows(&d->sources[i], from, to);
  }
  return fine;
}

static bool read_axes(drawing *d) {
  const cli_arguments *a = d->arguments;
  const char *axes = cli_given(a, "log") ? cli_value(a, "log", 0) : "";
  d->log_x = strchr(axes, 'x') != NULL;
  d->log_y = strchr(axes, 'y') != NULL;
  if (strspn(axes, "xy") != strlen(axes) || (cli_given(a, "log") && !axes[0])) {
    cli_complain("--log takes x, y or xy, not '%s'", axes);
    return false;
  }
  if (cli_given(a, "slope") && !(d->log_x && d->log_y)) {
    cli_complain("--slope needs --log xy, as powers of x are straight lines on two logarithmic axes only");
    return false;
  }
  return cli_number(a, "slope", &d->slope);
}

static bool read_apart(drawing *d) {
  const char *what;
  for (int k = 0; (what = cli_value(d->arguments, "apart", k)) != NULL; k++) {
    if (strcmp(what, "columns") == 0)
      d->columns_apart = true;
    else if (strcmp(what, "results") == 0)
      d->results_apart = true;
    else {
      cli_complain("--apart takes columns or results, not '%s'", what);
      return false;
    }
  }
  return true;
}

static bool create_figure(drawing *d) {
  const cli_arguments *a = d->arguments;
  picus_figure_def def = picus_default_figure_def();
  long columns = 0, pixels = 0;
  if (!cli_integer(a, "columns", &columns) || !cli_integer(a, "pixels", &pixels)) return false;
  if (columns < 0 || columns > 10 || pixels < 0 || pixels > 20000) {
    cli_complain("--columns takes 1 to 10, --pixels at most 20000");
    return false;
  }
  def.title = cli_value(a, "title", 0);
  def.columns = (int)columns;
  def.pixels = (int)pixels;
  if (columns > 0) def.arrangement = PICUS_FIGURE_GRID;
  return report(d, picus_figure_create(d->context, &def, &d->figure));
}

/* Rows are marked on request; where tables stand beside results, those of the tables. */
static bool choose_points(drawing *d) {
  int results = 0;
  for (int i = 0; i < d->source_count; i++) results += d->sources[i].result != NULL;
  if (d->switches && results == 0) {
    cli_complain("--switches needs a result with an event log; '%s' is a table", d->sources[0].path);
    return false;
  }
  d->points = cli_given(d->arguments, "points");
  d->tables_only = results > 0 && results < d->source_count;
  return true;
}

/* Reports points that a logarithmic axis cannot show. */
static void tell_ignored(const drawing *d) {
  picus_figure_ignored ignored = picus_figure_ignored_values(d->figure);
  if (ignored.not_positive > 0)
    cli_fprint(stderr, "picus: %zu values are not positive and cannot be drawn on the logarithmic axis\n",
               ignored.not_positive);
}

static int draw(const cli_arguments *a, picus_context *context, const char *path) {
  drawing d = {.context = context,
               .arguments = a,
               .forces = cli_given(a, "forces"),
               .bars = cli_given(a, "bars"),
               .switches = cli_given(a, "switches"),
               .slope = NAN};
  int code = EXIT_WRONG_INPUT;
  if (report(&d, picus_figure_check_path(context, path)) && read_axes(&d) && read_apart(&d) && open_sources(&d) &&
      choose_points(&d) && create_figure(&d) &&
      (cli_operand_count(a) > d.source_count ? draw_columns(&d) : draw_default(&d)) &&
      report(&d, picus_figure_save(d.figure, path))) {
    code = EXIT_DONE;
    tell_ignored(&d);
    cli_print("%s\n", path);
  }
  picus_figure_destroy(d.figure);
  for (int i = 0; i < d.source_count; i++) plot_source_close(&d.sources[i]);
  free(d.sources);
  return code;
}

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(false);
  if (!context) return EXIT_RUN_FAILED;
  if (cli_given(a, "show") && !cli_given(a, "at")) {
    cli_complain("--show needs --at T, the time of the scene");
    picus_context_destroy(context);
    return EXIT_WRONG_INPUT;
  }
  char *made = cli_given(a, "out") ? NULL : cli_default_figure(cli_operand(a, 0));
  const char *path = cli_given(a, "out") ? cli_value(a, "out", 0) : made;
  int code = !path ? EXIT_RUN_FAILED : cli_given(a, "at") ? cli_plot_scene(a, context, path) : draw(a, context, path);
  free(made);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_plot = {
    .name = "plot",
    .operands = "RESULT.h5... [Y]...",
    .operands_least = 1,
    .operands_most = -1,
    .operand_kind = "result",
    .summary = "Draw columns of results",
    .description =
        "Draws the columns Y over time, columns with the same unit in one panel; with --x, phase portraits.\n"
        "Without columns it draws the default figure of the model. 'picus info' lists the columns. Several results\n"
        "are drawn in the same panels. Operands that end in .h5, .hdf5 or .csv are results, the others are columns.\n"
        "A .csv file is a table of numbers with a line of headings, NAME or NAME (UNIT).\n"
        "Laws with a mode have two more columns, NAME.unilateral and NAME.friction: 0 while the law acts as a\n"
        "constraint (closed, sticking), 1 while its force is prescribed (open or sliding). --bars draws them as bars.\n"
        "Results with detected contacts have three more columns: contacts.number, contacts.coordination (closed\n"
        "contacts per body, the mean of all bodies) and contacts.overlap (the deepest). With --at, the figure is "
        "the\n"
        "drawing of the model at the row nearest to that time; arrows are the mean forces of its row. In piles,\n"
        "--show chains draws normal forces as lines between the centres of bodies; the line width grows with the "
        "force;\n"
        "--show slope fits lines to the flanks of the pile and prints their angles; --show distribution draws the\n"
        "density of the normal forces over their mean.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
