/* picus plot: figures of a result file. Without columns, the model's own figure. */
#include "cli.h"

#include "base/internal.h"
#include "plot/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"x", "COLUMN", "column for the x axis; default t", false},
    {"out", "FILE", "where to draw: .png, .svg or .pdf; default: the result's name with .png", false},
    {"from", "X", "first time shown, in s", false},
    {"to", "X", "last time shown, in s", false},
    {"together", NULL, "all columns in one panel, whatever their units", false},
    {"title", "TEXT", "title of the figure", false},
};

static const char *const examples[] = {"picus plot woodpecker.h5",
                                       "the figure the model asks for",
                                       "picus plot woodpecker.h5 y phiM beak.gap",
                                       "time series, one panel for each unit",
                                       "picus plot woodpecker.h5 omegaS --x phiS --out cycle.pdf",
                                       "a phase portrait for a paper",
                                       NULL};

static const char *next_column(const void *user, int k) {
  const picus_result *result = user;
  return k < picus_result_column_count(result) ? picus_result_column(result, k).name : NULL;
}

static bool find_column(const picus_result *result, const char *name, int *column) {
  *column = picus_result_find(result, name);
  if (*column >= 0) return true;
  const char *nearest = picus_nearest_name(name, next_column, result);
  if (nearest)
    cli_complain("the result has no column '%s'; did you mean '%s'?", name, nearest);
  else
    cli_complain("the result has no column '%s'; 'picus info' lists them", name);
  return false;
}

/* The rows between --from and --to. */
typedef struct row_range {
  size_t first, count;
} row_range;

static bool choose_rows(const cli_arguments *a, picus_result *result, row_range *rows) {
  double from = -INFINITY, to = INFINITY;
  long count = picus_result_row_count(result);
  *rows = (row_range){0, (size_t)count};
  if (!cli_number(a, "from", &from) || !cli_number(a, "to", &to)) return false;
  const double *t;
  int column = picus_result_find(result, "t");
  if (column < 0 || picus_result_values(result, column, &t) != PICUS_OK) return true;
  long first = 0, end = count;
  while (first < end && t[first] < from) first++;
  while (end > first && t[end - 1] > to) end--;
  *rows = (row_range){(size_t)first, (size_t)(end - first)};
  return true;
}

typedef struct drawing {
  picus_context *context;
  picus_result *result;
  picus_figure *figure;
  row_range rows;
} drawing;

static void axis_label(const picus_column *column, char *text, size_t size) {
  /* a label of the model's own wins over the symbol made from the name */
  const char *name = strcmp(column->label, column->name) == 0 ? column->name : column->label;
  if (name == column->name) {
    picus_figure_symbol_with_unit(name, column->unit, size, text);
    return;
  }
  if (column->unit[0])
    snprintf(text, size, "%s (%s)", name, column->unit);
  else
    snprintf(text, size, "%s", name);
}

static void series_label(const picus_column *column, char *text, size_t size) {
  if (strcmp(column->label, column->name) == 0)
    picus_figure_symbol(column->name, size, text);
  else
    snprintf(text, size, "%s", column->label);
}

static bool have_one_unit(const drawing *d, int count, const int *columns) {
  const char *unit = picus_result_column(d->result, columns[0]).unit;
  for (int i = 1; i < count; i++)
    if (strcmp(picus_result_column(d->result, columns[i]).unit, unit) != 0) return false;
  return true;
}

static const char *const mode_names[] = {"open", "stick", "slip"};

static picus_status add_panel(drawing *d, int x, int count, const int *y) {
  enum { LABEL = 256 };
  char x_label[LABEL], y_label[LABEL];
  picus_column x_column = picus_result_column(d->result, x), first = picus_result_column(d->result, y[0]);
  bool one_unit = have_one_unit(d, count, y);
  axis_label(&x_column, x_label, sizeof x_label);
  if (count == 1)
    axis_label(&first, y_label, sizeof y_label);
  else
    snprintf(y_label, sizeof y_label, "%s", one_unit ? first.unit : ""); /* else the legend gives the units */
  picus_panel_def panel = picus_default_panel_def();
  panel.x.label = x_label;
  panel.y.label = y_label;
  bool modes = first.kind == PICUS_COLUMN_MODE;
  if (modes) {
    panel.y.name_count = 3;
    panel.y.names = mode_names;
  }
  int index;
  picus_status status = picus_figure_add_panel(d->figure, &panel, &index);
  const double *x_values, *y_values;
  if (status == PICUS_OK) status = picus_result_values(d->result, x, &x_values);
  for (int i = 0; status == PICUS_OK && i < count; i++) {
    picus_column column = picus_result_column(d->result, y[i]);
    char label[LABEL];
    if (one_unit)
      series_label(&column, label, sizeof label);
    else
      axis_label(&column, label, sizeof label);
    status = picus_result_values(d->result, y[i], &y_values);
    if (status != PICUS_OK) break;
    picus_series_def series = picus_default_series_def();
    series.label = count > 1 ? label : NULL;
    series.count = d->rows.count;
    series.x = x_values + d->rows.first;
    series.y = y_values + d->rows.first;
    series.style = modes ? PICUS_SERIES_STEPS : PICUS_SERIES_LINE;
    status = picus_figure_add_series(d->figure, index, &series);
  }
  return status;
}

/* Columns that the user named: time series with the same unit share a panel; against another x each has its own. */
static bool draw_columns(drawing *d, const cli_arguments *a, int *code) {
  int count = cli_operand_count(a) - 1, x;
  const char *x_name = cli_given(a, "x") ? cli_value(a, "x", 0) : "t";
  int *columns = calloc((size_t)count + 1, sizeof *columns), *panel = calloc((size_t)count + 1, sizeof *panel);
  bool *done = calloc((size_t)count + 1, sizeof *done);
  bool fine = columns && panel && done && find_column(d->result, x_name, &x);
  for (int i = 0; fine && i < count; i++) fine = find_column(d->result, cli_operand(a, i + 1), &columns[i]);
  picus_status status = PICUS_OK;
  bool share = strcmp(x_name, "t") == 0 || cli_given(a, "together");
  for (int i = 0; fine && status == PICUS_OK && i < count; i++) {
    if (done[i]) continue;
    int size = 0;
    const char *unit = picus_result_column(d->result, columns[i]).unit;
    picus_column_kind kind = picus_result_column(d->result, columns[i]).kind;
    for (int k = i; k < count; k++) {
      picus_column other = picus_result_column(d->result, columns[k]);
      bool alike = strcmp(other.unit, unit) == 0 && (other.kind == PICUS_COLUMN_MODE) == (kind == PICUS_COLUMN_MODE);
      if (k != i && !(share && (alike || cli_given(a, "together")))) continue;
      panel[size++] = columns[k];
      done[k] = true;
    }
    status = add_panel(d, x, size, panel);
  }
  free(columns);
  free(panel);
  free(done);
  if (status != PICUS_OK) *code = cli_report_error(d->context, EXIT_WRONG_INPUT);
  return fine && status == PICUS_OK;
}

static bool draw_model_panel(drawing *d, const picus_plot_panel *wanted, int *code) {
  int x;
  int *columns = calloc((size_t)wanted->count + 1, sizeof *columns);
  bool fine = columns && find_column(d->result, wanted->x, &x);
  for (int i = 0; fine && i < wanted->count; i++) fine = find_column(d->result, wanted->y[i], &columns[i]);
  picus_status status = fine && wanted->count ? add_panel(d, x, wanted->count, columns) : PICUS_OK;
  free(columns);
  if (status != PICUS_OK) *code = cli_report_error(d->context, EXIT_WRONG_INPUT);
  return fine && status == PICUS_OK;
}

/* The model's figure, or all coordinates over time if it has none. */
static bool draw_default(drawing *d, int *code) {
  int count = picus_result_plot_count(d->result);
  for (int i = 0; i < count; i++) {
    picus_plot_panel panel = picus_result_plot(d->result, i);
    if (!draw_model_panel(d, &panel, code)) return false;
  }
  for (int i = 0; count == 0 && i < picus_result_column_count(d->result); i++) {
    picus_column column = picus_result_column(d->result, i);
    picus_plot_panel panel = {"t", 1, &column.name};
    if (column.kind == PICUS_COLUMN_COORDINATE && !draw_model_panel(d, &panel, code)) return false;
  }
  return true;
}

/* RESULT.h5 -> RESULT.png */
static char *default_path(const char *result) {
  size_t length = strlen(result);
  const char *dot = strrchr(result, '.'), *slash = strrchr(result, '/');
  if (dot && (!slash || dot > slash)) length = (size_t)(dot - result);
  char *path = malloc(length + sizeof ".png");
  if (path) {
    memcpy(path, result, length);
    strcpy(path + length, ".png");
  }
  return path;
}

static int draw(const cli_arguments *a, picus_context *context, const char *path) {
  drawing d = {.context = context};
  int code = EXIT_WRONG_INPUT;
  picus_status status = picus_figure_check_path(context, path);
  if (status == PICUS_OK) status = picus_result_open(context, cli_operand(a, 0), &d.result);
  picus_figure_def def = picus_default_figure_def();
  def.title = cli_value(a, "title", 0);
  if (status == PICUS_OK) status = picus_figure_create(context, &def, &d.figure);
  if (status != PICUS_OK) {
    cli_report_error(context, code);
  } else if (choose_rows(a, d.result, &d.rows) &&
             (cli_operand_count(a) > 1 ? draw_columns(&d, a, &code) : draw_default(&d, &code))) {
    status = picus_figure_save(d.figure, path);
    code = status == PICUS_OK ? EXIT_DONE : cli_report_error(context, EXIT_WRONG_INPUT);
    if (status == PICUS_OK) printf("%s\n", path);
  }
  picus_figure_destroy(d.figure);
  picus_result_close(d.result);
  return code;
}

static int run(const cli_arguments *a) {
  if (cli_given(a, "x") && cli_operand_count(a) < 2) {
    cli_complain("--x needs at least one column to draw against it: picus plot RESULT.h5 Y --x X");
    return EXIT_WRONG_INPUT;
  }
  picus_context *context = cli_context(false);
  if (!context) return EXIT_RUN_FAILED;
  char *made = cli_given(a, "out") ? NULL : default_path(cli_operand(a, 0));
  const char *path = cli_given(a, "out") ? cli_value(a, "out", 0) : made;
  int code = path ? draw(a, context, path) : EXIT_RUN_FAILED;
  free(made);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_plot = {
    .name = "plot",
    .operands = "RESULT.h5 [Y]...",
    .operands_least = 1,
    .operands_most = -1,
    .operand_kind = "result",
    .summary = "Draw columns of a result",
    .description = "Draws the columns Y over time, those with the same unit in one panel; with --x, phase portraits.\n"
                   "Without columns it draws the figure that the model asks for. 'picus info' lists the columns.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
