/* The trials as a table, as CSV, and as a plot of error over time. */
#include "plot/figure.h"
#include "saved_text.h"
#include "trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double iterations(const picus_summary *s) {
  return s->contact_steps ? (double)s->solver.iterations / (double)s->contact_steps : 0;
}

static long steps_of(const cli_trial *t) { return t->adaptive ? t->summary.adaptive.base_steps : t->summary.steps; }

typedef struct short_text {
  char text[16];
} short_text;
static short_text as_error(double value) {
  short_text t = {"-"};
  if (!isnan(value)) snprintf(t.text, sizeof t.text, "%.2e", value);
  return t;
}
static short_text as_order(double value) {
  short_text t = {""};
  if (!isnan(value)) snprintf(t.text, sizeof t.text, "%.2f", value);
  return t;
}

static const char *named(const char *column) { return column[0] ? column : "-"; }

static void print_trial(const cli_trial *t) {
  cli_print("%-26s %9.3g", t->scheme, t->step);
  if (!t->done) {
    cli_print("  %s\n", t->reason);
    return;
  }
  const picus_summary *s = &t->summary;
  cli_print(" %9s %5s %9s %5s %9.1e %9.1e %9.1e %9.1e %6.1f %9ld %8.3g  %s, %s\n", as_error(t->position_error).text,
            as_order(t->position_order).text, as_error(t->velocity_error).text, as_order(t->velocity_order).text,
            s->gaps.penetration, s->gaps.constraint, cli_energy_error(s), s->solver.worst_residual, iterations(s),
            steps_of(t), t->seconds, named(t->worst_position), named(t->worst_velocity));
}

void cli_trials_print(const cli_trials *trials) {
  cli_print("%s to t = %.9g s, errors against %s\n", trials->model, trials->t_end, trials->reference);
  if (trials->missed[0]) cli_print("NOT REACHED: %s\n", trials->missed);
  cli_print("\n%-26s %9s %9s %5s %9s %5s %9s %9s %9s %9s %6s %9s %8s  %s\n", "scheme", "dt or tol", "error q", "order",
            "error u", "order", "gaps, m", "joints", "energy, J", "residual", "iter.", "steps", "time, s",
            "worst q, u");
  for (int k = 0; k < trials->count; k++) {
    const cli_trial *t = &trials->list[k];
    const bool same = k > 0 && strcmp(t->scheme, t[-1].scheme) == 0;
    if (same && !t->done && strcmp(t->reason, t[-1].reason) == 0) continue; /* the same with every step size */
    if (k > 0 && !same) cli_print("\n");
    print_trial(t);
  }
  cli_print(
      "\nerror q: largest error of a coordinate over its range; error u: mean error of a velocity over its range;\n"
      "gaps: deepest penetration; joints: largest violation of a constraint; energy: change of energy plus\n"
      "dissipation of the laws; iter.: solver iterations per contact step; steps: base steps in adaptive runs; worst: "
      "columns\n"
      "with these errors. A range counts as at least a millionth of the largest range of coordinates or velocities\n");
}

static void write_number(FILE *file, double value) {
  if (isnan(value))
    fputs(",", file);
  else
    fprintf(file, ",%.9g", value);
}

static void write_trial(FILE *file, const cli_trial *t) {
  const picus_summary *s = &t->summary;
  fprintf(file, "%s,%d,%.9g,%d", t->scheme, t->adaptive, t->step, t->done);
  const double values[] = {t->position_error,   t->position_order,   t->velocity_error,   t->velocity_order,
                           s->gaps.penetration, s->gaps.constraint,  cli_energy_error(s), s->solver.worst_residual,
                           iterations(s),       (double)steps_of(t), t->seconds};
  for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) write_number(file, t->done ? values[k] : NAN);
  fprintf(file, ",%s,%s\n", t->done ? t->worst_position : "", t->done ? t->worst_velocity : "");
}

static void write_table(FILE *file, const void *user) {
  const cli_trials *trials = user;
  fputs("scheme,adaptive,step,done,position_error,position_order,velocity_error,velocity_order,penetration (m),"
        "joints,energy_error (J),residual,iterations,steps,time (s),worst_position,worst_velocity\n",
        file);
  for (int k = 0; k < trials->count; k++) write_trial(file, &trials->list[k]);
}

bool cli_trials_write_csv(const cli_trials *trials, picus_context *context, const char *path) {
  return cli_save_text(context, path, write_table, trials);
}

/* --- figure ------------------------------------------------------------------------------------------------------- */

typedef struct points {
  double *x, *y;
} points;

/* The trials of one scheme as a series; returns where the next scheme begins. */
static int add_series(picus_figure *figure, const cli_trials *trials, int first, points p, picus_status *status) {
  int end = first;
  size_t count = 0;
  const cli_trial *t = trials->list;
  for (; end < trials->count && strcmp(t[end].scheme, t[first].scheme) == 0; end++) {
    if (!t[end].done || isnan(t[end].position_error)) continue;
    p.x[(size_t)first + count] = t[end].seconds;
    p.y[(size_t)first + count++] = t[end].position_error;
  }
  picus_series_def def = picus_default_series_def();
  def.label = t[first].scheme;
  def.count = count;
  def.x = p.x + first;
  def.y = p.y + first;
  def.style = PICUS_SERIES_LINE_POINTS;
  if (count > 0) *status = picus_figure_add_series(figure, 0, &def);
  return end;
}

static picus_status fill(picus_figure *figure, const cli_trials *trials, points p) {
  picus_panel_def panel = picus_default_panel_def();
  panel.x.label = "CPU time (s)";
  panel.y.label = "largest error of a coordinate over its range";
  panel.x.scale = panel.y.scale = PICUS_AXIS_LOG;
  panel.legend = PICUS_LEGEND_OUTSIDE;
  picus_status status = picus_figure_add_panel(figure, &panel, NULL);
  for (int k = 0; !status && k < trials->count;) k = add_series(figure, trials, k, p, &status);
  return status;
}

bool cli_trials_draw(const cli_trials *trials, picus_context *context, const char *path) {
  const size_t count = (size_t)trials->count;
  double *values = malloc((2 * count + 1) * sizeof *values);
  if (!values) {
    cli_complain("out of memory");
    return false;
  }
  picus_figure_def def = picus_default_figure_def();
  def.title = trials->model;
  def.width = PICUS_FIGURE_DOUBLE_COLUMN;
  picus_figure *figure = NULL;
  picus_status status = picus_figure_create(context, &def, &figure);
  if (!status) status = fill(figure, trials, (points){values, values + count});
  if (!status) status = picus_figure_save(figure, path);
  if (status) cli_report_error(context, EXIT_RUN_FAILED);
  picus_figure_destroy(figure);
  free(values);
  return !status;
}
