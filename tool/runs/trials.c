/* Schemes compared on one model: which are tried with which step sizes, the orders that follow from their errors, and
 * the trials as a table, as CSV and as a plot of error over time. */
#include "trials.h"
#include "cli/saved_text.h"
#include "plot/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- choice and orders -------------------------------------------------------------------------------------------- */

static const char adaptive_word[] = "adaptive";

static bool add(cli_trials *trials, const char *scheme, bool adaptive, double step) {
  if (trials->count == trials->capacity) {
    int capacity = trials->capacity ? 2 * trials->capacity : 64;
    cli_trial *list = realloc(trials->list, (size_t)capacity * sizeof *list);
    if (!list) {
      cli_complain("out of memory");
      return false;
    }
    trials->list = list;
    trials->capacity = capacity;
  }
  cli_trial *t = &trials->list[trials->count++];
  *t = (cli_trial){.adaptive = adaptive,
                   .step = step,
                   .position_error = NAN,
                   .velocity_error = NAN,
                   .position_order = NAN,
                   .velocity_order = NAN};
  snprintf(t->scheme, sizeof t->scheme, "%s%.40s", adaptive ? "adaptive " : "", scheme);
  return true;
}

/* The next part of a list with commas, copied; NULL: the end. */
static const char *next_part(const char *list, char *part, size_t size) {
  if (!*list) return NULL;
  size_t length = strcspn(list, ",");
  snprintf(part, size, "%.*s", (int)length, list);
  return list + length + (list[length] == ',');
}

/* Positive numbers with commas; the number of them, 0: already reported. */
static int read_steps(const char *option, const char *list, int most, double *steps) {
  char part[64];
  int count = 0;
  for (const char *rest = list; (rest = next_part(rest, part, sizeof part)) != NULL;) {
    char *end;
    double value = strtod(part, &end);
    if (end == part || *end || !(value > 0) || !isfinite(value)) {
      cli_complain("--%s takes positive numbers with commas, not '%s'", option, list);
      return 0;
    }
    if (count == most) {
      cli_complain("--%s takes at most %d numbers", option, most);
      return 0;
    }
    steps[count++] = value;
  }
  if (count == 0) cli_complain("--%s takes positive numbers with commas, not an empty list", option);
  return count;
}

static bool is_scheme(const char *name) {
  for (int k = 0; picus_scheme_at(k); k++)
    if (strcmp(picus_scheme_at(k)->name, name) == 0) return true;
  return false;
}

enum { STEPS_MOST = 20 };
typedef struct steps {
  int dt_count, tolerance_count;
  double dt[STEPS_MOST], tolerance[STEPS_MOST];
} steps;

static bool add_scheme(cli_trials *trials, const steps *s, const char *scheme, bool adaptive) {
  const int count = adaptive ? s->tolerance_count : s->dt_count;
  for (int k = 0; k < count; k++)
    if (!add(trials, scheme, adaptive, adaptive ? s->tolerance[k] : s->dt[k])) return false;
  return true;
}

/* A name of the list: a scheme, "adaptive", or "adaptive:SCHEME". */
static bool add_name(cli_trials *trials, const steps *s, const char *name, const char *base) {
  const size_t length = sizeof adaptive_word - 1;
  const bool adaptive = strncmp(name, adaptive_word, length) == 0 && (!name[length] || name[length] == ':');
  const char *scheme = !adaptive ? name : name[length] ? name + length + 1 : base;
  if (is_scheme(scheme)) return add_scheme(trials, s, scheme, adaptive);
  cli_complain("--schemes takes 'all', or names with commas; there is no scheme '%s' ('picus help' lists them)",
               scheme);
  return false;
}

static bool add_all(cli_trials *trials, const steps *s, const char *base) {
  for (int k = 0; picus_scheme_at(k); k++)
    if (!add_scheme(trials, s, picus_scheme_at(k)->name, false)) return false;
  return add_scheme(trials, s, base, true);
}

static bool read_lists(const cli_arguments *a, double dt, steps *out) {
  *out = (steps){.dt_count = 3, .tolerance_count = 3, .dt = {dt, dt / 2, dt / 4}, .tolerance = {1e-5, 1e-7, 1e-9}};
  if (cli_given(a, "dt")) out->dt_count = read_steps("dt", cli_value(a, "dt", 0), STEPS_MOST, out->dt);
  if (cli_given(a, "tolerances"))
    out->tolerance_count = read_steps("tolerances", cli_value(a, "tolerances", 0), STEPS_MOST, out->tolerance);
  return out->dt_count > 0 && out->tolerance_count > 0;
}

bool cli_trials_choose(cli_trials *trials, const cli_arguments *arguments, const char *base, double dt) {
  steps s;
  if (!read_lists(arguments, dt, &s)) return false;
  const char *list = cli_value(arguments, "schemes", 0);
  if (strcmp(list, "all") == 0) return add_all(trials, &s, base);
  char name[CLI_TRIAL_NAME];
  for (const char *rest = list; (rest = next_part(rest, name, sizeof name)) != NULL;)
    if (!add_name(trials, &s, name, base)) return false;
  if (trials->count > 0) return true;
  cli_complain("--schemes takes 'all', or names with commas, not an empty list");
  return false;
}

void cli_trials_release(cli_trials *trials) {
  free(trials->list);
  *trials = (cli_trials){0};
}

/* The exponent p of e = C h^p through two trials; NAN where it has no meaning. */
static double order(double step, double before, double error, double error_before) {
  double p = log(error / error_before) / log(step / before);
  return error > 0 && error_before > 0 && isfinite(p) ? p : NAN;
}

void cli_trials_find_orders(cli_trials *trials) {
  for (int k = 1; k < trials->count; k++) {
    cli_trial *t = &trials->list[k];
    const cli_trial *b = t - 1;
    if (t->adaptive || b->adaptive || strcmp(t->scheme, b->scheme) != 0 || !t->done || !b->done) continue;
    if (fmin(t->position_error, b->position_error) > trials->accuracy)
      t->position_order = order(t->step, b->step, t->position_error, b->position_error);
    if (fmin(t->velocity_error, b->velocity_error) > trials->accuracy)
      t->velocity_order = order(t->step, b->step, t->velocity_error, b->velocity_error);
  }
}

/* --- output ------------------------------------------------------------------------------------------------------- */

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
