/* picus compare MODEL --schemes: every scheme on one model, measured against one reference: a solution of known
 * accuracy, a result or a table. */
#include "base/internal.h"
#include "cli/csv_table.h"
#include "cli/paths.h"
#include "cli/run_options.h"
#include "platform/files.h"
#include "plot/figure.h"
#include "trials.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- errors of a trial -------------------------------------------------------------------------------------------- */

/* Whether a name stands in a list with commas. */
static bool is_listed(const char *list, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = list; at; at = strchr(at, ',')) {
    if (*at == ',') at++;
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) return true;
  }
  return false;
}

static void take_larger(double value, const char *column, double *most, char *worst) {
  if (!isfinite(value) || *most >= value) return;
  *most = value;
  snprintf(worst, CLI_TRIAL_NAME, "%s", column);
}

/* The errors of a trial are the largest ones of the columns, relative to their scales. */
static void take_error(cli_trial *t, picus_column_kind kind, const picus_column_error *e) {
  const double duration = t->summary.t_end - t->summary.t_start, scale = e->scale > 0 ? e->scale : 1;
  if (kind == PICUS_COLUMN_COORDINATE) take_larger(e->uniform / scale, e->name, &t->position_error, t->worst_position);
  if (kind == PICUS_COLUMN_VELOCITY)
    take_larger(e->l1 / (scale * duration), e->name, &t->velocity_error, t->worst_velocity);
}

/* --- errors against a table --------------------------------------------------------------------------------------- */

/* A table in a CSV file: a closed form, or numbers of another program. */

#define SAME_TIME 1e-9    /* of the run: times that differ by less are one time */
#define SMALL_COLUMN 1e-6 /* of the largest range of its kind: the least scale of a column */
#define ROUND_OFF 1e-12   /* of that range: errors of smaller columns that mean nothing */

static const double *find_times(const cli_csv_table *table) {
  for (int k = 0; k < table->column_count; k++)
    if (strcmp(table->columns[k].name, "t") == 0 && table->row_count > 0) return table->columns[k].values;
  return NULL;
}

/* The rows of a table whose times a result has. */
typedef struct common_rows {
  const double *t, *t_table;
  size_t row_count, table_count;
  double slack;
} common_rows;

/* Over the common rows; false: there are none, or a value is no number. */
static bool find_error(const common_rows *c, const double *values, const double *table, picus_column_error *out) {
  double least = INFINITY, most = -INFINITY, before = NAN;
  long common = 0;
  *out = (picus_column_error){0};
  for (size_t i = 0, k = 0; k < c->table_count; k++) {
    while (i < c->row_count && c->t[i] < c->t_table[k] - c->slack) i++;
    if (i == c->row_count) break;
    if (!(fabs(c->t[i] - c->t_table[k]) <= c->slack)) continue;
    const double e = fabs(values[i] - table[k]);
    if (!isfinite(e)) return false;
    out->uniform = fmax(out->uniform, e);
    if (common++ > 0) out->l1 += e * (c->t[i] - before);
    before = c->t[i];
    least = fmin(least, table[k]);
    most = fmax(most, table[k]);
  }
  out->range = most - least;
  return common > 1;
}

/* What a run is compared with. */
typedef struct table_reference {
  const char *path, *chosen;
  const cli_csv_table *table;
  common_rows rows;
  picus_column_kind *kinds; /* of the columns in the run; PICUS_COLUMN_TIME: not compared */
  picus_column_error *errors;
} table_reference;

static picus_status find_errors(picus_context *context, picus_result *result, const table_reference *r) {
  picus_status status = PICUS_OK;
  int found = 0;
  for (int k = 0; k < r->table->column_count && !status; k++) {
    const cli_csv_column *column = &r->table->columns[k];
    const int index = picus_result_find(result, column->name);
    const double *values;
    if (index < 0 || (r->chosen && !is_listed(r->chosen, column->name))) continue;
    const picus_column_kind kind = picus_result_column(result, index).kind;
    if (kind != PICUS_COLUMN_COORDINATE && kind != PICUS_COLUMN_VELOCITY) continue;
    status = picus_result_values(result, index, &values);
    if (!status && !find_error(&r->rows, values, column->values, &r->errors[k]))
      status = picus_fail(context, PICUS_ERROR_ARGUMENT,
                          "'%s' and the rows of the run have no two times in common with numbers for '%s'; give the "
                          "time between the rows of the table by --sample",
                          r->path, column->name);
    r->errors[k].name = column->name;
    r->kinds[k] = kind;
    found++;
  }
  if (!status && found == 0)
    status = picus_fail(context, PICUS_ERROR_ARGUMENT, "'%s' has no column of a coordinate or velocity", r->path);
  return status;
}

/* Scales as in picus_result_compare. */
static void take_table_errors(const table_reference *r, cli_trial *t) {
  double largest[PICUS_COLUMN_VELOCITY + 1] = {0};
  for (int k = 0; k < r->table->column_count; k++)
    largest[r->kinds[k]] = fmax(largest[r->kinds[k]], r->errors[k].range);
  for (int k = 0; k < r->table->column_count; k++) {
    picus_column_error *e = &r->errors[k];
    e->scale = fmax(e->range, SMALL_COLUMN * largest[r->kinds[k]]);
    if (e->scale > e->range && e->uniform <= ROUND_OFF * largest[r->kinds[k]]) e->scale = largest[r->kinds[k]];
    take_error(t, r->kinds[k], e);
  }
}

static picus_status compare_columns(picus_context *context, picus_result *result, table_reference *r, cli_trial *t) {
  r->rows = (common_rows){.t_table = find_times(r->table), .table_count = r->table->row_count};
  if (!r->rows.t_table) return picus_fail(context, PICUS_ERROR_ARGUMENT, "'%s' has no column 't' with times", r->path);
  picus_status status = picus_result_values(result, picus_result_find(result, "t"), &r->rows.t);
  r->rows.row_count = (size_t)picus_result_row_count(result);
  r->rows.slack = SAME_TIME * (t->summary.t_end - t->summary.t_start);
  r->kinds = picus_allocate(context, (size_t)r->table->column_count, sizeof *r->kinds);
  r->errors = picus_allocate(context, (size_t)r->table->column_count, sizeof *r->errors);
  if (!status && (!r->kinds || !r->errors)) status = PICUS_ERROR_MEMORY;
  if (!status) status = find_errors(context, result, r);
  if (!status) take_table_errors(r, t);
  picus_release(context, r->kinds);
  picus_release(context, r->errors);
  return status;
}

/* A reference that is a CSV file with a column t and values of coordinates and velocities: a closed form. chosen: names
 * with commas; NULL: all. */
static bool is_table(const char *path) {
  const size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".csv") == 0;
}

static picus_status compare_table(picus_context *context, picus_result *result, const char *path, const char *chosen,
                                  cli_trial *t) {
  cli_csv_table table = {0};
  picus_status status = cli_csv_read(context, path, NULL, &table);
  table_reference r = {.path = path, .chosen = chosen, .table = &table};
  if (!status) status = compare_columns(context, result, &r, t);
  cli_csv_release(context, &table);
  return status;
}

/* --- runs of all schemes ------------------------------------------------------------------------------------------ */

/* The comparison under way. */
typedef struct comparing {
  picus_context *context;
  const cli_arguments *arguments;
  cli_model loaded;
  picus_sim_options options; /* of the model, with t_end and sample of the command line */
  bool quiet;
  char folder[256], reference[320], result[320];
  cli_progress progress;
  char title[192];
  cli_trials trials;
} comparing;

/* --- files -------------------------------------------------------------------------------------------------------- */

/* A folder for the results, which are compared and removed one by one. */
static bool make_folder(comparing *c) {
  const char *parent = picus_folder_for_temporary_files();
  int length = snprintf(c->folder, sizeof c->folder, "%s/picus-XXXXXX", parent);
  if (length < 0 || (size_t)length >= sizeof c->folder || picus_folder_make_unique(c->folder)) {
    cli_complain("cannot create a folder for results in '%s'; set TMPDIR to one that can be written", parent);
    c->folder[0] = '\0';
    return false;
  }
  snprintf(c->result, sizeof c->result, "%s/trial.h5", c->folder);
  return true;
}

static void remove_folder(comparing *c) {
  if (!c->folder[0]) return;
  char own[320];
  snprintf(own, sizeof own, "%s/reference.h5", c->folder);
  (void)picus_remove(own);
  (void)picus_remove(c->result);
  (void)picus_folder_remove(c->folder);
}

static void keep_message(comparing *c, char *text, size_t size) {
  snprintf(text, size, "%s", picus_last_error(c->context)->message);
}

/* --- the reference ------------------------------------------------------------------------------------------------ */

static int show_progress(void *user, int attempt, double t, double t_end, long steps) {
  comparing *c = user;
  char title[sizeof c->title];
  snprintf(title, sizeof title, "%.60s, reference, attempt %d", c->trials.model, attempt);
  if (strcmp(title, c->title) != 0) {
    cli_progress_end(&c->progress);
    memcpy(c->title, title, sizeof title);
    cli_progress_begin(&c->progress, c->title, c->quiet, c->options.t_start);
  }
  return cli_progress_update(&c->progress, t, t_end, steps);
}

/* Searches for a reference. One that misses its accuracy still serves, but the table, a message and the exit code say
 * so: errors below its own one have no meaning. */
static bool search_reference(comparing *c, const char *base) {
  picus_sim_options o = c->options;
  o.scheme = base;
  o.gap_term = false;
  snprintf(c->reference, sizeof c->reference, "%s/reference.h5", c->folder);
  picus_reference_options r = picus_default_reference_options();
  r.accuracy = 1e-8;
  if (!cli_number(c->arguments, "accuracy", &r.accuracy)) return false;
  r.path = c->reference;
  r.progress = show_progress;
  r.user = c;
  picus_run_description run = {c->loaded.model, c->loaded.system, &o, cli_command_line(c->arguments)};
  picus_reference_report report;
  picus_status status = picus_reference_search(c->context, &run, &r, &report);
  cli_progress_end(&c->progress);
  if (status && status != PICUS_NOT_CONVERGED) {
    cli_report_error(c->context, EXIT_RUN_FAILED);
    return false;
  }
  if (status && report.best < 0) {
    cli_report_error(c->context, EXIT_RUN_FAILED);
    cli_complain("there is no reference to compare with; give a result of this model by --reference RESULT.h5");
    return false;
  }
  snprintf(c->trials.reference, sizeof c->trials.reference,
           "an adaptive run with %s, estimated error %.1e of each range", base, report.accuracy);
  if (status) {
    keep_message(c, c->trials.missed, sizeof c->trials.missed);
    c->trials.accuracy = report.accuracy;
  }
  return true;
}

static bool find_reference(comparing *c, const char *base) {
  const char *given = cli_value(c->arguments, "reference", 0);
  if (!given) return search_reference(c, base);
  if (strlen(given) >= sizeof c->reference) {
    cli_complain("the name of the reference is too long");
    return false;
  }
  snprintf(c->reference, sizeof c->reference, "%s", given);
  snprintf(c->trials.reference, sizeof c->trials.reference, "%.200s", given);
  return true;
}

/* --- one trial ---------------------------------------------------------------------------------------------------- */

static void take_errors(const comparing *c, cli_trial *t, picus_result *result, const picus_comparison *e) {
  const char *chosen = cli_value(c->arguments, "columns", 0);
  for (int k = 0; k < e->column_count; k++) {
    const picus_column_error *column = &e->columns[k];
    const int index = picus_result_find(result, column->name);
    if (index < 0 || (chosen && !is_listed(chosen, column->name))) continue;
    take_error(t, picus_result_column(result, index).kind, column);
  }
}

static picus_status measure(comparing *c, cli_trial *t) {
  picus_result *result = NULL, *reference = NULL;
  picus_comparison *errors = NULL;
  picus_status status = picus_result_open(c->context, c->result, &result);
  if (!status && is_table(c->reference)) {
    status = compare_table(c->context, result, c->reference, cli_value(c->arguments, "columns", 0), t);
    picus_result_close(result);
    return status;
  }
  if (!status) status = picus_result_open(c->context, c->reference, &reference);
  if (!status) status = picus_result_compare(c->context, result, reference, 0, NULL, &errors);
  if (!status) take_errors(c, t, result, errors);
  picus_comparison_destroy(c->context, errors);
  picus_result_close(reference);
  picus_result_close(result);
  return status;
}

static picus_sim_options options_of(const comparing *c, const cli_trial *t) {
  picus_sim_options o = c->options;
  const char *space = strchr(t->scheme, ' ');
  o.scheme = space ? space + 1 : t->scheme;
  o.adaptive = t->adaptive;
  cli_keep_heeded(c->context, c->arguments, c->loaded.model, &o);
  if (t->adaptive) {
    o.atol = o.rtol = t->step; /* the rest is that of 'picus run --adaptive' */
  } else
    o.dt = t->step;
  return o;
}

static picus_status simulate(comparing *c, cli_trial *t) {
  const picus_sim_options o = options_of(c, t);
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  picus_status status = picus_sim_create(c->context, c->loaded.system, &o, &sim);
  if (!status) {
    picus_run_description run = {c->loaded.model, c->loaded.system, picus_sim_options_of(sim),
                                 cli_command_line(c->arguments)};
    status = picus_recorder_create(c->context, &run, &recorder);
  }
  if (!status) status = picus_recorder_add_hdf5(recorder, c->result);
  if (!status) {
    snprintf(c->title, sizeof c->title, "%td of %d: %.50s, %s, %.3g", t - c->trials.list + 1, c->trials.count,
             c->trials.model, t->scheme, t->step);
    cli_progress_begin(&c->progress, c->title, c->quiet, o.t_start);
    picus_run_hooks hooks = {.progress = cli_progress_update, .user = &c->progress};
    const double begin = cli_cpu_seconds();
    status = picus_sim_run(sim, recorder, &hooks, &t->summary);
    t->seconds = cli_cpu_seconds() - begin;
    cli_progress_end(&c->progress);
  }
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  return status;
}

/* A scheme that cannot run the model, or fails on it, is a line of the table, not an end. Lack of memory is: it says
 * nothing about the scheme. */
static picus_status try_scheme(comparing *c, cli_trial *t) {
  picus_status status = simulate(c, t);
  if (!status) status = measure(c, t);
  t->done = !status;
  if (status) keep_message(c, t->reason, sizeof t->reason);
  (void)picus_remove(c->result);
  return status == PICUS_INTERRUPTED || status == PICUS_ERROR_MEMORY ? status : PICUS_OK;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static bool read_options(comparing *c) {
  picus_sim_options *o = &c->options;
  *o = picus_model_sim_options(c->loaded.model);
  o->every = 1;
  if (!cli_read_run_option(c->arguments, PICUS_OPTION_t_end, o) ||
      !cli_read_run_option(c->arguments, PICUS_OPTION_sample, o) ||
      !cli_read_run_option(c->arguments, PICUS_OPTION_dt_min, o))
    return false;
  if (!(o->t_end > o->t_start)) {
    cli_complain("the run has no end: give --t-end");
    return false;
  }
  c->trials.t_end = o->t_end;
  return true;
}

/* Every listed column must be a coordinate or a velocity: these have errors. */
static bool check_columns(const comparing *c) {
  const picus_system *system = c->loaded.system;
  const int nq = picus_system_nq(system), nu = picus_system_nu(system);
  for (const char *at = cli_value(c->arguments, "columns", 0); at; at = strchr(at, ',')) {
    if (*at == ',') at++;
    const int length = (int)strcspn(at, ",");
    bool known = false;
    for (int i = 0; i < nq + nu && !known; i++) {
      const char *name = i < nq ? picus_system_q_name(system, i) : picus_system_u_name(system, i - nq);
      known = (int)strlen(name) == length && strncmp(name, at, (size_t)length) == 0;
    }
    if (known) continue;
    cli_complain("--columns: the model has no coordinate or velocity '%.*s'", length, at);
    return false;
  }
  return true;
}

/* About a thousand rows, at multiples of the largest dt, so that steps are not cut at rows. */
static void choose_sample(comparing *c) {
  double dt = 0;
  for (int k = 0; k < c->trials.count; k++)
    if (!c->trials.list[k].adaptive) dt = fmax(dt, c->trials.list[k].step);
  if (c->options.sample > 0) return;
  c->options.sample = (c->options.t_end - c->options.t_start) / 1000;
  if (dt > 0) c->options.sample = fmax(1, round(c->options.sample / dt)) * dt;
}

static int finish(comparing *c, picus_status status) {
  cli_trials_find_orders(&c->trials);
  cli_trials_print(&c->trials);
  const char *csv = cli_value(c->arguments, "csv", 0), *figure = cli_value(c->arguments, "figure", 0);
  bool fine = !csv || cli_trials_write_csv(&c->trials, c->context, csv);
  fine = (!figure || cli_trials_draw(&c->trials, c->context, figure)) && fine;
  bool any = false;
  for (int k = 0; k < c->trials.count; k++) any = any || c->trials.list[k].done;
  if (!any && status != PICUS_ERROR_MEMORY) cli_complain("no scheme completed the run");
  const bool missed = c->trials.missed[0] != '\0';
  if (missed)
    cli_complain(
        "the reference did not reach its accuracy, so errors below its estimated error have no meaning; compare "
        "up to a smaller --t-end, or give a closed form by --reference EXACT.csv");
  return status || !any || !fine || missed ? EXIT_RUN_FAILED : EXIT_DONE;
}

static int compare(comparing *c) {
  c->trials.model = picus_model_name(c->loaded.model);
  if (!read_options(c) || !check_columns(c)) return EXIT_WRONG_INPUT;
  const char *base =
      c->options.adaptive ? c->options.scheme : picus_adaptive_scheme(c->context, c->loaded.system, c->options.t_start);
  if (!cli_trials_choose(&c->trials, c->arguments, base, c->options.dt)) return EXIT_WRONG_INPUT;
  choose_sample(c);
  if (!make_folder(c)) return EXIT_RUN_FAILED;
  cli_catch_interrupts();
  if (!find_reference(c, base)) return EXIT_RUN_FAILED;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < c->trials.count; k++) {
    snprintf(c->trials.list[k].reason, CLI_TRIAL_REASON, "not run");
    status = try_scheme(c, &c->trials.list[k]);
    if (status) c->trials.count = k; /* what was interrupted is left out */
  }
  if (status == PICUS_ERROR_MEMORY) cli_report_error(c->context, EXIT_RUN_FAILED);
  return finish(c, status);
}

static bool check_figure(picus_context *context, const char *path) {
  if (!path || !picus_figure_check_path(context, path)) return true;
  cli_report_error(context, EXIT_WRONG_INPUT);
  return false;
}

int cli_compare_schemes(const cli_arguments *arguments) {
  comparing c = {.arguments = arguments, .quiet = cli_given(arguments, "quiet"), .context = cli_context(true)};
  if (!c.context) return EXIT_RUN_FAILED;
  bool fine = check_figure(c.context, cli_value(arguments, "figure", 0));
  int code = fine ? cli_load(c.context, arguments, &c.loaded) : EXIT_WRONG_INPUT;
  if (code == EXIT_DONE && !cli_paths_check_model(arguments, c.loaded.model, c.context)) code = EXIT_WRONG_INPUT;
  if (code == EXIT_DONE) code = compare(&c);
  remove_folder(&c);
  cli_trials_release(&c.trials);
  cli_unload(&c.loaded);
  picus_context_destroy(c.context);
  return code;
}
