/* Sensitivities: the derivatives of a motion by initial values and parameters, at rows and as columns of results. */
#include "flow/internal.h"
#include "record/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct picus_sensitivity {
  picus_context *context;
  const picus_system *system;
  int n, count; /* of the state; names */
  int starts;   /* names that are initial values come first in a flow */
  char **names;
  int *place;   /* count: of each name among the columns of the flow */
  int *initial; /* count: number of the coordinate or velocity; -1: a parameter */
  long rows, filled;
  double *times, *states, *values; /* rows; x n; x count x n */
  picus_orbit_point *points;
  int point_count;
};

/* --- names ---------------------------------------------------------------------------------------------------------
 */

static const char *state_name(const picus_system *system, int k) {
  return k < system->nq ? picus_system_q_name(system, k) : picus_system_u_name(system, k - system->nq);
}

static int find_state(const picus_system *system, const char *name) {
  for (int k = 0; k < system->nq + system->nu; k++)
    if (strcmp(state_name(system, k), name) == 0) return k;
  return -1;
}

static bool is_parameter(const picus_model *model, const char *name) {
  for (int k = 0; k < picus_model_parameter_count(model); k++)
    if (strcmp(picus_model_parameter(model, k).name, name) == 0) return true;
  return false;
}

static picus_status find_names(picus_sensitivity *s, const picus_sensitivity_def *def) {
  s->count = def->name_count > 0 ? def->name_count : s->n;
  s->names = picus_allocate(s->context, (size_t)s->count, sizeof *s->names);
  s->place = picus_allocate(s->context, (size_t)s->count, sizeof *s->place);
  s->initial = picus_allocate(s->context, (size_t)s->count, sizeof *s->initial);
  if (!s->names || !s->place || !s->initial) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < s->count; k++) {
    const char *name = def->name_count > 0 ? def->names[k] : state_name(s->system, k);
    const bool is_of_model = def->name_count > 0 && is_parameter(def->model, name);
    s->initial[k] = is_of_model ? -1 : find_state(s->system, name);
    if (!is_of_model && s->initial[k] < 0)
      return picus_fail(s->context, PICUS_ERROR_NAME, "the model has no parameter, coordinate or velocity '%s'", name);
    for (int i = 0; i < k; i++)
      if (strcmp(s->names[i], name) == 0)
        return picus_fail(s->context, PICUS_ERROR_ARGUMENT, "'%s' is given twice for sensitivities", name);
    if (!(s->names[k] = picus_copy_text(s->context, name))) return PICUS_ERROR_MEMORY;
    s->starts += s->initial[k] >= 0;
  }
  for (int k = 0, start = 0, parameter = 0; k < s->count; k++)
    s->place[k] = s->initial[k] >= 0 ? start++ : s->starts + parameter++;
  return PICUS_OK;
}

static picus_status create_flow(const picus_sensitivity *s, const picus_sensitivity_def *def, flow *out) {
  const char **parameters = picus_allocate(s->context, (size_t)s->count, sizeof *parameters);
  if (!parameters) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < s->count; k++)
    if (s->initial[k] < 0) parameters[s->place[k] - s->starts] = s->names[k];
  const flow_def of = {.model = def->model,
                       .system = s->system,
                       .columns = s->count,
                       .parameter_count = s->count - s->starts,
                       .parameters = parameters};
  const picus_status status = picus_flow_create(s->context, &of, out);
  picus_release(s->context, parameters);
  return status;
}

/* --- rows ----------------------------------------------------------------------------------------------------------
 */

static picus_status keep_row(void *user, double t, const double *y) {
  picus_sensitivity *s = user;
  const size_t n = (size_t)s->n, row = (size_t)s->filled++;
  s->times[row] = t;
  memcpy(s->states + row * n, y, n * sizeof *y);
  for (int k = 0; k < s->count; k++)
    memcpy(s->values + (row * (size_t)s->count + (size_t)k) * n, y + (size_t)(1 + s->place[k]) * n, n * sizeof *y);
  return PICUS_OK;
}

/* Rows at multiples of sample, and at t_end. */
static picus_status make_rows(picus_sensitivity *s, const picus_sim_options *o, double **stops) {
  const double duration = o->t_end - o->t_start, samples = o->sample > 0 ? floor(duration / o->sample + 1e-9) : 0;
  if (samples * (double)s->n * (1 + s->count) > 1e9)
    return picus_fail(s->context, PICUS_ERROR_MEMORY, "%.3g rows of sensitivities do not fit in memory", samples);
  s->rows = o->sample > 0 ? (long)samples + 1 : 1;
  const bool has_end = o->sample > 0 && o->t_start + samples * o->sample >= o->t_end - 1e-9 * o->sample;
  if (o->sample > 0 && !has_end) s->rows++;
  const size_t rows = (size_t)s->rows, n = (size_t)s->n;
  *stops = picus_allocate(s->context, rows, sizeof **stops);
  s->times = picus_allocate(s->context, rows, sizeof *s->times);
  s->states = picus_allocate(s->context, rows * n, sizeof *s->states);
  s->values = picus_allocate(s->context, rows * n * (size_t)s->count, sizeof *s->values);
  if (!*stops || !s->times || !s->states || !s->values) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k + 1 < rows; k++) (*stops)[k] = o->t_start + (double)k * o->sample;
  (*stops)[rows - 1] = o->t_end;
  return PICUS_OK;
}

static picus_status follow(picus_sensitivity *s, flow *f, sequence *found, const picus_sim_options *o) {
  flow_margins margins;
  double *stops = NULL, *y = picus_allocate(s->context, (size_t)s->n * (size_t)(1 + s->count), sizeof *y);
  picus_status status = y ? make_rows(s, o, &stops) : PICUS_ERROR_MEMORY;
  flow_path path = {.sequence = found,
                    .count = found->count,
                    .is_of_run = true,
                    .t = o->t_start,
                    .t_end = o->t_end,
                    .stop_count = (int)s->rows,
                    .stops = stops,
                    .stop = keep_row,
                    .user = s};
  if (!status) {
    picus_system_start(s->system, y, y + s->system->nq);
    for (int k = 0; k < s->count; k++)
      if (s->initial[k] >= 0) y[(1 + s->place[k]) * s->n + s->initial[k]] = 1;
    picus_flow_differentiate_start(f, y);
    status = picus_flow_project(f, &found->phases[path.first].modes, path.t, y);
  }
  if (!status) status = picus_flow_admit(f, found, &path, y, &margins);
  if (!status) status = picus_flow_follow(f, &path, y);
  s->points = f->points;
  s->point_count = (int)f->point_count;
  f->points = NULL;
  picus_release(s->context, stops);
  picus_release(s->context, y);
  return status;
}

/* --- interface ------------------------------------------------------------------------------------------------------
 */

static picus_status create(picus_sensitivity *s, const picus_sensitivity_def *def) {
  sequence found = {0};
  flow f = {0};
  if (def->options->start_impact)
    return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                      "sensitivities begin at the initial state of the model: without start_impact");
  picus_status status = find_names(s, def);
  if (!status && s->count > s->starts && !*picus_model_source(def->model))
    status = picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                        "sensitivities by parameters need a model with a source, which is read again");
  if (!status)
    status = picus_sequence_record(s->context, s->system, def->options, &(flow_start){0}, (flow_interrupt){0}, &found);
  if (!status) status = create_flow(s, def, &f);
  if (!status) status = follow(s, &f, &found, def->options);
  if (f.context) picus_flow_release(&f);
  if (found.context) picus_sequence_release(&found);
  return status;
}

picus_status picus_sensitivity_create(picus_context *context, const picus_sensitivity_def *def,
                                      picus_sensitivity **out) {
  *out = NULL;
  if (!def->model || !def->system || !def->options)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "sensitivities need a model, its system and options");
  picus_sensitivity *s = picus_allocate(context, 1, sizeof *s);
  if (!s) return PICUS_ERROR_MEMORY;
  *s = (picus_sensitivity){.context = context, .system = def->system, .n = def->system->nq + def->system->nu};
  const picus_status status = picus_flow_explain(context, create(s, def));
  if (status)
    picus_sensitivity_destroy(s);
  else
    *out = s;
  return status;
}

void picus_sensitivity_destroy(picus_sensitivity *s) {
  if (!s) return;
  for (int k = 0; s->names && k < s->count; k++) picus_release(s->context, s->names[k]);
  void *const blocks[] = {s->names, s->place, s->initial, s->times, s->states, s->values, s->points};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) picus_release(s->context, blocks[k]);
  picus_release(s->context, s);
}

int picus_sensitivity_state_count(const picus_sensitivity *s) { return s->n; }
int picus_sensitivity_count(const picus_sensitivity *s) { return s->count; }
const char *picus_sensitivity_name(const picus_sensitivity *s, int index) {
  return index >= 0 && index < s->count ? s->names[index] : "";
}
long picus_sensitivity_rows(const picus_sensitivity *s) { return s->rows; }
const double *picus_sensitivity_times(const picus_sensitivity *s) { return s->times; }
const double *picus_sensitivity_states(const picus_sensitivity *s) { return s->states; }
const double *picus_sensitivity_values(const picus_sensitivity *s) { return s->values; }
int picus_sensitivity_point_count(const picus_sensitivity *s) { return s->point_count; }
picus_orbit_point picus_sensitivity_point(const picus_sensitivity *s, int index) {
  return index >= 0 && index < s->point_count ? s->points[index] : picus_no_point;
}

const picus_orbit_point picus_no_point = {.t = NAN, .name = "", .law = -1, .velocity = NAN};

const char *picus_orbit_change_name(int change) {
  static const char *const names[] = {"impact",   "closes", "opens",  "slips", "sticks",
                                      "reverses", "event",  "switch", "time"};
  return change >= 0 && change < (int)(sizeof names / sizeof *names) ? names[change] : NULL;
}

/* --- results --------------------------------------------------------------------------------------------------------
 */

static picus_status add_column(picus_context *context, picus_column_list *list, const char *name, const char *unit) {
  return picus_columns_add(context, list, (picus_column){.name = name, .unit = unit, .label = name});
}

static picus_status list_columns(const picus_sensitivity *s, picus_column_list *list) {
  const picus_system *system = s->system;
  picus_status status = add_column(s->context, list, "t", "s");
  for (int i = 0; !status && i < s->n; i++)
    status = add_column(s->context, list, state_name(system, i),
                        i < system->nq ? system->q_names[i].unit : system->u_names[i - system->nq].unit);
  for (int k = 0; !status && k < s->count; k++)
    for (int i = 0; !status && i < s->n; i++) {
      char name[256];
      snprintf(name, sizeof name, "d%s_d%s%s", state_name(system, i), s->names[k], s->initial[k] >= 0 ? "(0)" : "");
      status = add_column(s->context, list, name, "");
    }
  return status;
}

picus_status picus_sensitivity_recorder(const picus_sensitivity *s, const picus_run_description *run,
                                        picus_recorder **out) {
  picus_column_list list = {0};
  *out = NULL;
  const picus_status status = list_columns(s, &list);
  if (!status) return picus_recorder_create_core(s->context, run, &list, out);
  picus_columns_release(s->context, &list);
  return status;
}

typedef struct row_source {
  const picus_sensitivity *s;
  long row;
} row_source;

static picus_status fill_row(void *source, double *row) {
  const row_source *from = source;
  const picus_sensitivity *s = from->s;
  const size_t n = (size_t)s->n, all = n * (size_t)s->count, k = (size_t)from->row;
  row[0] = s->times[k];
  memcpy(row + 1, s->states + k * n, n * sizeof *row);
  memcpy(row + 1 + n, s->values + k * all, all * sizeof *row);
  return PICUS_OK;
}

picus_status picus_sensitivity_record(const picus_sensitivity *s, picus_recorder *recorder) {
  picus_summary summary = {.t_start = s->times[0], .t_end = s->times[s->rows - 1], .rows = s->rows};
  picus_status status = picus_recorder_begin(recorder);
  for (row_source from = {.s = s}; !status && from.row < s->rows; from.row++)
    status = picus_recorder_add_row(recorder, fill_row, &from);
  summary.status = status;
  const picus_status closed = picus_recorder_end(recorder, &summary);
  return status ? status : closed;
}
