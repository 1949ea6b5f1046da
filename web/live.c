/* Picus for a page: a model as text, its simulation, and what the page shows of it. Functions marked LIVE are called
 * from JavaScript (tool/view/page/live.js); texts are UTF-8, lists of numbers are doubles in the memory of the module.
 */
#include "base/internal.h"
#include "record/internal.h"
#include "view/contact.h"
#include "view/json.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIVE __attribute__((used)) extern

enum {
  EVENT_NUMBERS = 7,
  CONTACT_NUMBERS = 11,
  HANDLES_MOST = 200,
  SPLITS_MOST = 10,
  ROWS_MOST = 4096,
  NAMES_MOST = 20000
};

/* Doubles that grow. */
typedef struct numbers {
  double *values;
  size_t count, capacity;
} numbers;

typedef struct live {
  picus_context *context;
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
  picus_recorder *recorder;
  picus_drawing *drawing;
  picus_summary summary;
  picus_sim_options options;
  int column_count;
  int *variable_column; /* of the variables of the drawing */
  double *variables, *steps;
  numbers rows, events, contacts;
  char **law_names; /* of detected laws, in the order of their first events */
  size_t law_name_count, law_name_capacity;
  long row_count, event_count, contact_count;
  bool has_handles;
  char error[1000];
  int error_line;
  picus_json text;
} live;

static void note_error(live *l) {
  const picus_error *error = picus_last_error(l->context);
  snprintf(l->error, sizeof l->error, "%s", error && error->message ? error->message : "out of memory");
  l->error_line = error ? error->line : 0;
}

/* --- what a recorder gives ---------------------------------------------------------------------------------------- */

static picus_status append(live *l, numbers *list, const double *values, size_t count) {
  while (list->count + count > list->capacity) {
    const size_t capacity = 2 * list->capacity + count + 64;
    double *larger = picus_reallocate(l->context, list->values, capacity, sizeof *larger);
    if (!larger) return PICUS_ERROR_MEMORY;
    list->values = larger;
    list->capacity = capacity;
  }
  memcpy(list->values + list->count, values, count * sizeof *values);
  list->count += count;
  return PICUS_OK;
}

static picus_status take_rows(void *self, long row_count, int column_count, const double *rows) {
  live *l = self;
  if (l->row_count + row_count > ROWS_MOST) l->rows.count = 0, l->row_count = 0; /* the page did not take them */
  l->row_count += row_count;
  return append(l, &l->rows, rows, (size_t)row_count * (size_t)column_count);
}

static picus_status take_events(void *self, long count, const picus_switching *list) {
  live *l = self;
  if (l->event_count + count > 16 * ROWS_MOST) l->events.count = 0, l->event_count = 0;
  for (long k = 0; k < count; k++) {
    const picus_switching *e = &list[k];
    const double values[EVENT_NUMBERS] = {e->t,  e->law, (double)e->from, (double)e->to, (double)e->impact,
                                          e->PN, e->lost};
    if (append(l, &l->events, values, EVENT_NUMBERS)) return PICUS_ERROR_MEMORY;
  }
  l->event_count += count;
  return PICUS_OK;
}

/* A detected law before its first event. */
static picus_status take_law(void *self, const picus_switching *first) {
  live *l = self;
  picus_status status =
      picus_grow(l->context, &l->law_names, l->law_name_count, &l->law_name_capacity, sizeof *l->law_names);
  if (status) return status;
  char *name = picus_copy_text(l->context, first->name ? first->name : "");
  if (!name) return PICUS_ERROR_MEMORY;
  l->law_names[l->law_name_count++] = name;
  return PICUS_OK;
}

static void forget_laws(live *l) {
  for (size_t k = 0; k < l->law_name_count; k++) picus_release(l->context, l->law_names[k]);
  l->law_name_count = 0;
}

/* The contacts of shapes of the last row: place, normal, percussion since the row before, mu, mode. */
static picus_status take_contacts(void *self, const picus_contact_sample *sample) {
  live *l = self;
  l->contacts.count = 0;
  l->contact_count = sample->count;
  for (int k = 0; k < sample->count; k++) {
    const picus_scene_contact c = picus_contact_shown(&sample->contacts[k], 1);
    const double values[CONTACT_NUMBERS] = {c.place[0], c.place[1], c.place[2], c.normal[0], c.normal[1],   c.normal[2],
                                            c.force[0], c.force[1], c.force[2], c.mu,        (double)c.mode};
    if (append(l, &l->contacts, values, CONTACT_NUMBERS)) return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

/* A recorder that begins at the current state, with its first row. */
static picus_status begin_recording(live *l) {
  const picus_run_description run = {l->model, l->system, &l->options, ""};
  picus_recorder_destroy(l->recorder);
  l->recorder = NULL;
  l->rows.count = l->events.count = l->contacts.count = 0;
  l->row_count = l->event_count = l->contact_count = 0;
  forget_laws(l);
  picus_status status = picus_recorder_create(l->context, &run, &l->recorder);
  const picus_sink sink = {.self = l,
                           .write = take_rows,
                           .write_law = take_law,
                           .write_switchings = take_events,
                           .write_contacts = take_contacts};
  if (!status) status = picus_recorder_add_sink(l->recorder, sink);
  if (!status) status = picus_sim_record_begin(l->sim, l->recorder, &l->summary);
  if (!status) status = picus_sim_record_row(l->sim, l->recorder);
  if (!status) status = picus_recorder_flush(l->recorder);
  l->column_count = status ? 0 : picus_recorder_column_count(l->recorder);
  return status;
}

/* --- a model ------------------------------------------------------------------------------------------------------ */

static void release(live *l) {
  picus_recorder_destroy(l->recorder);
  picus_sim_destroy(l->sim);
  picus_system_destroy(l->system);
  picus_drawing_destroy(l->drawing);
  picus_model_destroy(l->model);
  picus_release(l->context, l->variable_column);
  picus_release(l->context, l->variables);
  picus_release(l->context, l->steps);
  picus_release(l->context, l->rows.values);
  picus_release(l->context, l->events.values);
  picus_release(l->context, l->contacts.values);
  forget_laws(l);
  picus_release(l->context, l->law_names);
  picus_clear_error(l->context);
}

/* Settings are lines "p NAME NUMBER", a parameter, "o NAME NUMBER" and "w NAME TEXT", options of the run. */
typedef struct settings {
  char *text; /* cut into words */
  picus_override overrides[256];
  picus_setting options[32];
  int override_count, option_count;
} settings;

static picus_status read_settings(live *l, const char *lines, settings *s) {
  s->text = picus_copy_text(l->context, lines);
  if (!s->text) return PICUS_ERROR_MEMORY;
  for (char *line = s->text, *next; line && *line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    char *name = strchr(line, ' '), *value = name ? strchr(name + 1, ' ') : NULL;
    const bool fits = line[0] == 'p' ? s->override_count < 256 : s->option_count < 32;
    if (!value || !fits || name != line + 1)
      return picus_fail(l->context, PICUS_ERROR_ARGUMENT, "'%.40s' is not a setting of a live page", line);
    *value++ = 0;
    char *end;
    const double number = strtod(value, &end);
    if (line[0] != 'w' && (*end || end == value || !isfinite(number)))
      return picus_fail(l->context, PICUS_ERROR_ARGUMENT, "'%.40s' of '%.40s' is not a number", value, name + 1);
    if (line[0] == 'p')
      s->overrides[s->override_count++] = (picus_override){name + 1, number};
    else
      s->options[s->option_count++] = (picus_setting){name + 1, line[0] == 'w' ? value : NULL, number};
  }
  return PICUS_OK;
}

static picus_status read_drawing(live *l) {
  picus_status status = picus_model_make_drawing(l->model, &l->drawing);
  if (status || !l->drawing) return status;
  const picus_drawing *d = l->drawing;
  l->variable_column = picus_allocate(l->context, (size_t)d->variable_count + 1, sizeof *l->variable_column);
  l->variables = picus_allocate(l->context, (size_t)d->variable_count + 1, sizeof *l->variables);
  l->steps = picus_allocate(l->context, (size_t)d->step_count + 1, sizeof *l->steps);
  if (!l->variable_column || !l->variables || !l->steps) return PICUS_ERROR_MEMORY;
  for (int v = 0; v < d->variable_count; v++) {
    l->variable_column[v] = -1;
    for (int c = 0; c < l->column_count; c++)
      if (strcmp(picus_recorder_column(l->recorder, c).name, d->variables[v]) == 0) l->variable_column[v] = c;
  }
  return PICUS_OK;
}

/* Handles are a help: a model that they do not fit, because it has inputs of their names, goes without. */
static picus_status load_model(live *l, const char *text, const settings *s, bool handles) {
  const picus_load_options load = {.override_count = s->override_count,
                                   .overrides = s->overrides,
                                   .memory_limit = (size_t)256 << 20,
                                   .instruction_limit = 50000000,
                                   .has_files = true};
  picus_status status = picus_model_load_text(l->context, "model.lua", text, strlen(text), &load, &l->model);
  if (!status) status = picus_model_choose_options(l->model, s->option_count, s->options, &l->options);
  if (!status && handles && picus_model_add_handles(l->model, HANDLES_MOST)) {
    picus_model_destroy(l->model);
    l->model = NULL;
    return load_model(l, text, s, false);
  }
  const picus_derivation derivation = {.node_limit = 50000000, .memory_limit = (size_t)512 << 20};
  if (!status) status = picus_system_create_within(l->model, &derivation, &l->system);
  l->has_handles = !status && handles && picus_model_handle_count(l->model) > 0;
  return status;
}

/* The page runs until it is stopped, or until steps are near the round-off of the time. */
static double latest_time(const picus_sim_options *o) {
  const double least = !o->adaptive ? o->dt : o->dt_min > 0 ? o->dt_min : o->dt / 100;
  return o->t_start + fmin(1e9, 1e15 * least);
}

static picus_status load(live *l, const char *text, const settings *s) {
  picus_status status = load_model(l, text, s, true);
  l->options.t_end = latest_time(&l->options);
  l->options.sample = 0;
  if (!status) status = picus_sim_create(l->context, l->system, &l->options, &l->sim);
  if (!status) status = begin_recording(l);
  if (!status) status = read_drawing(l);
  return status;
}

LIVE live *live_create(void);
LIVE live *live_create(void) {
  picus_context *context;
  if (picus_context_create(NULL, &context)) return NULL;
  live *l = picus_allocate(context, 1, sizeof *l);
  if (l) l->context = context;
  if (!l || picus_json_begin(context, &l->text)) return NULL;
  return l;
}

/* The motion goes on from the state of the old simulation, if the new one has such a state. */
static void keep_state(const live *old, live *next) {
  if (!old->sim || picus_system_nq(old->system) != picus_system_nq(next->system) ||
      picus_system_nu(old->system) != picus_system_nu(next->system))
    return;
  const picus_state at = picus_sim_state(old->sim);
  if (picus_sim_set_state(next->sim, at.t, at.q, at.u)) picus_clear_error(next->context);
}

/* A new model in place of the old one, which stays if this fails. Returns 0, or the status of the failure. */
LIVE int live_load(live *l, const char *text, const char *lines, int keeps);
LIVE int live_load(live *l, const char *text, const char *lines, int keeps) {
  live next = {.context = l->context};
  settings *s = picus_allocate(l->context, 1, sizeof *s);
  picus_status status = s ? read_settings(l, lines, s) : PICUS_ERROR_MEMORY;
  l->error[0] = 0;
  l->error_line = 0;
  if (!status) status = load(&next, text, s);
  if (!status && keeps) keep_state(l, &next);
  if (status) note_error(l);
  if (s) picus_release(l->context, s->text);
  picus_release(l->context, s);
  if (status) {
    release(&next);
    return status;
  }
  live old = *l;
  next.text = l->text;
  *l = next;
  release(&old);
  picus_status begun = begin_recording(l); /* its sink has pointed to `next` */
  if (begun) note_error(l);
  return begun;
}

LIVE const char *live_error(const live *l);
LIVE const char *live_error(const live *l) { return l->error; }
LIVE int live_error_line(const live *l);
LIVE int live_error_line(const live *l) { return l->error_line; }

/* --- its description as JSON -------------------------------------------------------------------------------------- */

static void put_key(picus_json *out, const char *name) {
  picus_json_string(out, name);
  picus_json_put(out, ":");
}
static void put_text(picus_json *out, const char *name, const char *value) {
  put_key(out, name);
  picus_json_string(out, value ? value : "");
  picus_json_put(out, ",");
}
static void put_number(picus_json *out, const char *name, double value) {
  put_key(out, name);
  picus_json_number(out, value);
  picus_json_put(out, ",");
}

/* Names of the inputs that picus_model_add_handles adds: push_x, push1 and so on. */
static bool is_of_handles(const char *name) {
  return strncmp(name, "push", 4) == 0 && (name[4] == '_' || (name[4] >= '0' && name[4] <= '9'));
}

static void put_parameters(const live *l, picus_json *out) {
  picus_json_put(out, "\"parameters\":[");
  for (int k = 0; k < picus_model_parameter_count(l->model); k++) {
    const picus_parameter p = picus_model_parameter(l->model, k);
    picus_json_put(out, k ? ",{" : "{");
    put_text(out, "name", p.name);
    put_text(out, "unit", p.unit);
    put_text(out, "description", p.description);
    put_number(out, "value", p.value);
    put_number(out, "usual", p.default_value);
    double low = NAN, high = NAN;
    picus_model_parameter_range(l->model, k, &low, &high);
    put_number(out, "low", low);
    put_number(out, "high", high);
    picus_json_put(out, "\"end\":0}");
  }
  picus_json_put(out, "],\"inputs\":[");
  bool first = true;
  for (int k = 0; k < picus_system_input_count(l->system); k++) {
    const picus_system_input input = picus_system_input_at(l->system, k);
    if (l->has_handles && is_of_handles(input.name)) continue;
    picus_json_put(out, first ? "{" : ",{");
    first = false;
    put_text(out, "name", input.name);
    put_text(out, "unit", input.unit);
    put_text(out, "description", input.label);
    put_number(out, "value", input.start);
    put_number(out, "index", k);
    picus_json_put(out, "\"end\":0}");
  }
  picus_json_put(out, "],");
}

static void put_columns(const live *l, picus_json *out) {
  picus_json_put(out, "\"columns\":[");
  for (int k = 0; k < l->column_count; k++) {
    const picus_column c = picus_recorder_column(l->recorder, k);
    picus_json_put(out, k ? ",{" : "{");
    put_text(out, "name", c.name);
    put_text(out, "unit", c.unit);
    put_text(out, "label", c.label);
    put_number(out, "kind", c.kind);
    picus_json_put(out, "\"end\":0}");
  }
  picus_json_put(out, "],\"laws\":[");
  for (int k = 0; k < picus_system_law_count(l->system); k++) {
    const picus_system_law law = picus_system_law_at(l->system, k);
    picus_json_put(out, k ? ",{" : "{");
    put_text(out, "name", law.name);
    put_number(out, "mu", law.mu);
    put_number(out, "kind", law.kind);
    picus_json_put(out, "\"end\":0}");
  }
  picus_json_put(out, "],\"plots\":[");
  for (int k = 0; k < picus_model_plot_count(l->model); k++) {
    const picus_plot_panel panel = picus_model_plot(l->model, k);
    picus_json_put(out, k ? ",{" : "{");
    put_text(out, "x", panel.x);
    picus_json_put(out, "\"y\":[");
    for (int i = 0; i < panel.count; i++) {
      if (i > 0) picus_json_put(out, ",");
      picus_json_string(out, panel.y[i]);
    }
    picus_json_put(out, "]}");
  }
  picus_json_put(out, "],\"schemes\":[");
  for (int k = 0; picus_scheme_at(k); k++) {
    if (k > 0) picus_json_put(out, ",");
    picus_json_string(out, picus_scheme_at(k)->name);
  }
  picus_json_put(out, "],");
}

/* A coordinate: a number, or the list with the step that computes it; null: not given. */
static void put_step(const picus_drawing *d, picus_json *out, int step) {
  if (step < 0)
    picus_json_put(out, "null");
  else if (d->steps[step].op == PICUS_NUMBER)
    picus_json_number(out, d->steps[step].value);
  else
    picus_json_format(out, "[%d]", step);
}
static void put_steps(const picus_drawing *d, picus_json *out, const int *steps, int count) {
  picus_json_put(out, "[");
  for (int k = 0; k < count; k++) {
    if (k > 0) picus_json_put(out, ",");
    put_step(d, out, steps[k]);
  }
  picus_json_put(out, "]");
}

static void put_shape(const picus_drawing *d, picus_json *out, const picus_draw_shape *s) {
  const int n = d->planar ? 2 : 3;
  picus_json_put(out, "{");
  put_text(out, "kind", picus_draw_kind_name(s->kind));
  put_text(out, "name", s->name);
  put_text(out, "text", s->text);
  put_text(out, "line", s->line);
  put_text(out, "fill", s->fill);
  put_number(out, "width", s->width);
  put_number(out, "frame", s->frame);
  put_number(out, "first", s->first_point);
  picus_json_put(out, "\"radius\":");
  put_step(d, out, s->radius);
  picus_json_put(out, ",\"points\":[");
  for (int k = 0; k < s->count; k++) {
    if (k > 0) picus_json_put(out, ",");
    put_steps(d, out, d->points[s->first_point + k], n);
  }
  picus_json_put(out, "],\"faces\":[");
  for (int k = 0; k < s->face_count; k++) {
    const int *f = d->faces[s->first_face + k];
    picus_json_format(out, "%s%d,%d,%d", k ? "," : "", f[0], f[1], f[2]);
  }
  picus_json_put(out, "]}");
}

static void put_drawing(const live *l, picus_json *out) {
  const picus_drawing *d = l->drawing;
  const int n = d->planar ? 2 : 3;
  picus_json_format(out, "\"drawing\":{\"planar\":%s,\"frames\":[", d->planar ? "true" : "false");
  for (int k = 0; k < d->frame_count; k++) {
    const picus_draw_frame *f = &d->frames[k];
    picus_json_put(out, k ? ",{" : "{");
    put_text(out, "name", f->name);
    picus_json_put(out, "\"position\":");
    put_steps(d, out, f->position, 3);
    picus_json_put(out, ",\"rotation\":");
    put_steps(d, out, f->rotation, 9);
    picus_json_put(out, "}");
  }
  picus_json_put(out, "],\"shapes\":[");
  for (int k = 0; k < d->shape_count; k++) {
    if (k > 0) picus_json_put(out, ",");
    put_shape(d, out, &d->shapes[k]);
  }
  picus_json_put(out, "],\"sites\":[");
  for (int k = 0; k < d->site_count; k++) {
    const picus_draw_site *s = &d->sites[k];
    picus_json_put(out, k ? ",{" : "{");
    put_text(out, "law", s->law);
    picus_json_put(out, "\"place\":");
    put_steps(d, out, s->place, n);
    picus_json_put(out, ",\"normal\":");
    if (s->normal[0] < 0)
      picus_json_put(out, "null");
    else
      put_steps(d, out, s->normal, n);
    for (int i = 0; i < 2; i++) {
      picus_json_format(out, ",\"tangent%d\":", i + 1);
      if (s->tangent[i][0] < 0)
        picus_json_put(out, "null");
      else
        put_steps(d, out, s->tangent[i], n);
    }
    picus_json_put(out, "}");
  }
  picus_json_put(out, "],\"handles\":[");
  for (int k = 0; l->has_handles && k < picus_model_handle_count(l->model); k++) {
    const picus_handle h = picus_model_handle(l->model, k);
    picus_json_format(out, "%s{\"frame\":%d,\"points\":[", k ? "," : "", h.frame);
    for (int i = 0; h.frame == 0 && i < h.count; i++) picus_json_format(out, "%s%d", i ? "," : "", h.point[i]);
    picus_json_put(out, "]}");
  }
  picus_json_put(out, "]},");
}

LIVE const char *live_describe(live *l);
LIVE const char *live_describe(live *l) {
  picus_json *out = &l->text;
  out->size = 0;
  out->status = PICUS_OK;
  picus_json_put(out, "{");
  put_text(out, "name", picus_model_name(l->model));
  put_text(out, "description", picus_model_description(l->model));
  put_text(out, "scheme", l->options.scheme);
  put_number(out, "adaptive", l->options.adaptive);
  put_number(out, "dt", l->options.dt);
  put_number(out, "t_end", picus_model_sim_options(l->model).t_end);
  put_number(out, "coordinates", picus_system_nq(l->system));
  put_parameters(l, out);
  put_columns(l, out);
  if (l->drawing) put_drawing(l, out);
  picus_json_put(out, "\"end\":0}");
  picus_json_add(out, "", 1);
  if (out->status) {
    snprintf(l->error, sizeof l->error, "out of memory");
    return "";
  }
  return out->bytes;
}

/* --- running ------------------------------------------------------------------------------------------------------ */

/* A step of the given size; where it is not solved, it is subdivided, as a run does. */
static picus_status step_within(live *l, double dt, int splits) {
  picus_step_info info;
  picus_status status = picus_sim_step(l->sim, dt, &info);
  if (status > 0 && splits < SPLITS_MOST) {
    status = step_within(l, dt / 2, splits + 1);
    return status ? status : step_within(l, dt / 2, splits + 1);
  }
  return status ? status : picus_sim_record_step(l->sim, l->recorder, &info, &l->summary);
}

static picus_status one_step(live *l, double t_stop) {
  if (!l->options.adaptive) return step_within(l, l->options.dt, 0);
  picus_step_info info;
  picus_status status = picus_sim_advance(l->sim, t_stop, &info);
  return status ? status : picus_sim_record_step(l->sim, l->recorder, &info, &l->summary);
}

static int fail(live *l, picus_status status) {
  if (status) note_error(l);
  return status;
}

/* Steps until the time is reached, at most so many; a row at the end if there was a step. */
LIVE int live_run(live *l, double t_stop, int steps);
LIVE int live_run(live *l, double t_stop, int steps) {
  picus_status status = PICUS_OK;
  const double slack = l->options.adaptive ? 0 : 0.5 * l->options.dt;
  l->error[0] = 0;
  int count = 0;
  while (!status && count < steps && picus_sim_state(l->sim).t < t_stop - slack) {
    status = one_step(l, t_stop);
    count++;
  }
  if (count == 0) return 0; /* a second row at this time would have no percussions */
  picus_status shown = picus_sim_record_row(l->sim, l->recorder);
  if (!shown) shown = picus_recorder_flush(l->recorder);
  return fail(l, status ? status : shown);
}

LIVE double live_time(const live *l);
LIVE double live_time(const live *l) { return picus_sim_state(l->sim).t; }
LIVE int live_column_count(const live *l);
LIVE int live_column_count(const live *l) { return l->column_count; }
LIVE int live_row_count(const live *l);
LIVE int live_row_count(const live *l) { return (int)l->row_count; }
LIVE const double *live_rows(const live *l);
LIVE const double *live_rows(const live *l) { return l->rows.values; }
LIVE int live_event_count(const live *l);
LIVE int live_event_count(const live *l) { return (int)l->event_count; }
LIVE const double *live_events(const live *l);
LIVE const double *live_events(const live *l) { return l->events.values; }
LIVE int live_contact_count(const live *l);
LIVE int live_contact_count(const live *l) { return (int)l->contact_count; }
LIVE const double *live_contacts(const live *l);
LIVE const double *live_contacts(const live *l) { return l->contacts.values; }

/* The name of the law of an event. */
LIVE const char *live_law_name(const live *l, int law);
LIVE const char *live_law_name(const live *l, int law) {
  const int fixed = picus_system_law_count(l->system);
  if (law < 0 || law >= fixed + (int)l->law_name_count) return "";
  return law < fixed ? picus_system_law_at(l->system, law).name : l->law_names[law - fixed];
}

/* The page has taken rows and events. Bodies that are stirred for long meet in ever new pairs: the recorder starts
 * again before their names fill the memory. */
LIVE int live_taken(live *l);
LIVE int live_taken(live *l) {
  const picus_status status = l->law_name_count > NAMES_MOST ? begin_recording(l) : PICUS_OK;
  l->rows.count = l->events.count = 0;
  l->row_count = l->event_count = 0;
  return fail(l, status);
}

/* The values of all steps of the drawing at the last row; NULL: there is none. */
LIVE const double *live_drawing(live *l);
LIVE const double *live_drawing(live *l) {
  if (!l->drawing || l->row_count < 1) return NULL;
  const double *row = l->rows.values + (size_t)(l->row_count - 1) * (size_t)l->column_count;
  for (int v = 0; v < l->drawing->variable_count; v++)
    l->variables[v] = l->variable_column[v] >= 0 ? row[l->variable_column[v]] : NAN;
  picus_drawing_evaluate(l->drawing, l->variables, l->steps);
  return l->steps;
}

LIVE int live_step_count(const live *l);
LIVE int live_step_count(const live *l) { return l->drawing ? l->drawing->step_count : 0; }

/* Dissipated by laws, work of forces, work of moving surfaces: J since the start. */
LIVE double live_balance(live *l, int which);
LIVE double live_balance(live *l, int which) {
  double sum = 0;
  if (which == 1) {
    for (int k = 0; k < picus_system_work_count(l->system); k++) sum += picus_sim_work(l->sim, k);
    return sum;
  }
  const picus_vanished_laws gone = picus_sim_vanished_laws(l->sim);
  const int count = picus_sim_present_count(l->sim);
  picus_law_state *states = picus_allocate(l->context, (size_t)count + 1, sizeof *states);
  if (!states || picus_sim_present_laws(l->sim, states)) {
    picus_release(l->context, states);
    return NAN;
  }
  sum = which == 0 ? gone.dissipated : gone.driven;
  for (int k = 0; k < count; k++) sum += which == 0 ? states[k].dissipated : states[k].driven;
  picus_release(l->context, states);
  return sum;
}

LIVE int live_set_input(live *l, int index, double value);
LIVE int live_set_input(live *l, int index, double value) {
  return fail(l, picus_sim_set_input_at(l->sim, index, value, 0));
}

/* Pulls place (a, b, c) of a handle towards x, y, z; stiffness 0 lets go. */
LIVE int live_push(live *l, int handle, const double *numbers, double stiffness, double time);
LIVE int live_push(live *l, int handle, const double *numbers, double stiffness, double time) {
  picus_push push = {.handle = handle, .stiffness = stiffness, .time = time};
  memcpy(push.place, numbers, sizeof push.place);
  memcpy(push.target, numbers + 3, sizeof push.target);
  return l->has_handles ? fail(l, picus_sim_push(l->sim, &push)) : 0;
}

/* A snapshot of the simulation; the page keeps the bytes. capacity 0 asks for their number. */
LIVE int live_save(live *l, void *bytes, int capacity);
LIVE int live_save(live *l, void *bytes, int capacity) {
  size_t size = 0;
  picus_status status = picus_sim_save(l->sim, capacity ? bytes : NULL, (size_t)capacity, &size);
  return status && capacity ? -1 : (int)size;
}
LIVE int live_back(live *l, const void *bytes, int size);
LIVE int live_back(live *l, const void *bytes, int size) {
  picus_status status = picus_sim_load(l->sim, bytes, (size_t)size, PICUS_LOAD_SAME_MODEL);
  return fail(l, status ? status : begin_recording(l));
}
