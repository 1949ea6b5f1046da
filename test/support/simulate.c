#include "support/simulate.h"

#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OVERRIDES_MOST = 16 };

/* "a=1,b=2" into overrides that point into text. */
static int parse_overrides(char *text, picus_override *out) {
  int count = 0;
  for (char *word = strtok(text, ","); word && count < OVERRIDES_MOST; word = strtok(NULL, ",")) {
    char *equals = strchr(word, '=');
    if (!equals) continue;
    *equals = '\0';
    out[count++] = (picus_override){word, strtod(equals + 1, NULL)};
  }
  return count;
}

static bool fine(const simulation *s, picus_status status) {
  if (status == PICUS_OK) return true;
  printf("  %s\n", picus_last_error(s->context)->message);
  return test_check(false, __FILE__, __LINE__, "the simulation can be made and run");
}

bool simulation_load(simulation *s, const char *model, const char *overrides, picus_sim_options *options) {
  *s = (simulation){0};
  if (picus_context_create(NULL, &s->context) != PICUS_OK) return false;
  char text[256];
  snprintf(text, sizeof text, "%s", overrides);
  picus_override list[OVERRIDES_MOST];
  picus_load_options load = {.override_count = parse_overrides(text, list), .overrides = list};
  if (!fine(s, picus_model_load(s->context, model, &load, &s->model))) return false;
  if (!fine(s, picus_system_create(s->model, &s->system))) return false;
  *options = picus_model_sim_options(s->model);
  options->adaptive = false;
  return true;
}

bool simulation_load_text(simulation *s, const char *text, picus_sim_options *options) {
  *s = (simulation){0};
  if (picus_context_create(NULL, &s->context) != PICUS_OK) return false;
  if (!fine(s, picus_model_load_text(s->context, "test.lua", text, strlen(text), NULL, &s->model))) return false;
  if (!fine(s, picus_system_create(s->model, &s->system))) return false;
  *options = picus_model_sim_options(s->model);
  return true;
}

bool simulation_start(simulation *s, const picus_sim_options *options) {
  return fine(s, picus_sim_create(s->context, s->system, options, &s->sim));
}

static bool open_with(simulation *s, const char *model, const char *overrides, double dt, double t_end, double sample,
                      const char *solver) {
  picus_sim_options options;
  if (!simulation_load(s, model, overrides, &options)) return false;
  options.scheme = "moreau";
  if (dt > 0) options.dt = dt;
  if (t_end > 0) options.t_end = t_end;
  if (sample > 0) options.sample = sample;
  if (solver) options.solver.solver = solver;
  return simulation_start(s, &options);
}

bool simulation_open(simulation *s, const char *model, const char *overrides, double dt, double t_end,
                     const char *solver) {
  return open_with(s, model, overrides, dt, t_end, 0, solver);
}

bool simulation_open_sampled(simulation *s, const char *model, const char *overrides, double dt, double t_end,
                             double sample) {
  return open_with(s, model, overrides, dt, t_end, sample, NULL);
}

bool simulation_open_text(simulation *s, const char *text) {
  picus_sim_options options;
  return simulation_load_text(s, text, &options) && simulation_start(s, &options);
}

static bool start_adaptive(simulation *s, picus_sim_options options, adaptive_run run) {
  options.scheme = run.scheme ? run.scheme : "moreau";
  options.adaptive = true;
  if (run.dt_min > 0) options.dt_min = run.dt_min;
  if (run.dt_max > 0) options.dt_max = run.dt_max;
  if (run.tolerance > 0) options.atol = options.rtol = run.tolerance;
  if (run.order_max > 0) options.order_max = run.order_max;
  if (run.t_end > 0) options.t_end = run.t_end;
  options.order = run.order;
  options.sample = run.sample;
  options.substeps = run.natural_substeps ? PICUS_SUBSTEPS_NATURAL : PICUS_SUBSTEPS_ODD;
  for (int k = 0; run.restitution && picus_restitution_name(k); k++)
    if (strcmp(run.restitution, picus_restitution_name(k)) == 0) options.restitution = (picus_restitution)k;
  return simulation_start(s, &options);
}

bool simulation_open_adaptive(simulation *s, const char *model, const char *overrides, adaptive_run run) {
  picus_sim_options options;
  return simulation_load(s, model, overrides, &options) && start_adaptive(s, options, run);
}

bool simulation_open_adaptive_text(simulation *s, const char *text, adaptive_run run) {
  picus_sim_options options;
  return simulation_load_text(s, text, &options) && start_adaptive(s, options, run);
}

void simulation_close(simulation *s) {
  picus_sim_destroy(s->sim);
  picus_system_destroy(s->system);
  picus_model_destroy(s->model);
  picus_context_destroy(s->context);
  *s = (simulation){0};
}

static picus_status rows_open(void *self, const picus_run_description *run, int column_count,
                              const picus_column *columns) {
  (void)run;
  recorded_rows *rows = self;
  rows->column_count = column_count;
  for (int i = 0; i < column_count && i < RECORDED_COLUMNS; i++)
    snprintf(rows->names[i], sizeof rows->names[i], "%s", columns[i].name);
  return PICUS_OK;
}

static picus_status rows_write(void *self, long row_count, int column_count, const double *values) {
  recorded_rows *rows = self;
  if (rows->row_count + row_count > rows->capacity) {
    rows->capacity = 2 * (rows->row_count + row_count);
    rows->values = realloc(rows->values, (size_t)rows->capacity * (size_t)column_count * sizeof *values);
  }
  memcpy(rows->values + (size_t)rows->row_count * (size_t)column_count, values,
         (size_t)row_count * (size_t)column_count * sizeof *values);
  rows->row_count += row_count;
  return PICUS_OK;
}

static picus_status rows_close(void *self, const picus_summary *summary) {
  (void)self;
  (void)summary;
  return PICUS_OK;
}

static void rows_destroy(void *self) { (void)self; }

picus_sink recorded_rows_sink(recorded_rows *rows) {
  return (picus_sink){
      .self = rows, .open = rows_open, .write = rows_write, .close = rows_close, .destroy = rows_destroy};
}

bool simulation_run(simulation *s, recorded_rows *rows, picus_summary *summary) {
  *rows = (recorded_rows){0};
  picus_run_description description = {s->model, s->system, picus_sim_options_of(s->sim), ""};
  picus_recorder *recorder = NULL;
  picus_status status = picus_recorder_create(s->context, &description, &recorder);
  if (status == PICUS_OK) status = picus_recorder_add_sink(recorder, recorded_rows_sink(rows));
  if (status == PICUS_OK) status = picus_sim_run(s->sim, recorder, NULL, summary);
  picus_recorder_destroy(recorder);
  return fine(s, status);
}

void recorded_rows_free(recorded_rows *rows) {
  free(rows->values);
  *rows = (recorded_rows){0};
}

static picus_status switchings_write(void *self, long count, const picus_switching *list) {
  recorded_switchings *kept = self;
  if (kept->count + count > kept->capacity) {
    kept->capacity = 2 * (kept->count + count);
    kept->list = realloc(kept->list, (size_t)kept->capacity * sizeof *list);
  }
  memcpy(kept->list + kept->count, list, (size_t)count * sizeof *list);
  kept->count += count;
  return PICUS_OK;
}

picus_sink recorded_switchings_sink(recorded_switchings *switchings) {
  return (picus_sink){.self = switchings, .write_switchings = switchings_write};
}

bool simulation_run_event_log(simulation *s, const picus_run_hooks *hooks, recorded_switchings *switchings,
                              picus_summary *summary) {
  *switchings = (recorded_switchings){0};
  picus_run_description description = {s->model, s->system, picus_sim_options_of(s->sim), ""};
  picus_recorder *recorder = NULL;
  picus_status status = picus_recorder_create(s->context, &description, &recorder);
  if (status == PICUS_OK) status = picus_recorder_add_sink(recorder, recorded_switchings_sink(switchings));
  if (status == PICUS_OK) status = picus_sim_run(s->sim, recorder, hooks, summary);
  picus_recorder_destroy(recorder);
  return status == PICUS_INTERRUPTED || fine(s, status);
}

void recorded_switchings_free(recorded_switchings *switchings) {
  free(switchings->list);
  *switchings = (recorded_switchings){0};
}

int recorded_column(const recorded_rows *rows, const char *name) {
  for (int i = 0; i < rows->column_count; i++)
    if (strcmp(rows->names[i], name) == 0) return i;
  return -1;
}

double recorded_value(const recorded_rows *rows, long row, const char *name) {
  int column = recorded_column(rows, name);
  return column < 0 || row >= rows->row_count ? NAN
                                              : rows->values[(size_t)row * (size_t)rows->column_count + (size_t)column];
}

double observed_order(int count, const double *dt, const double *error) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < count; i++) {
    double x = log(dt[i]), y = log(error[i]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return ((double)count * sxy - sx * sy) / ((double)count * sxx - sx * sx);
}
