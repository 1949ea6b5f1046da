/* The recorder in its run: a buffer of rows in front of the sinks. */
#include "record/recorder_state.h"
#include "system/node_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void keep_error(const picus_context *context, picus_status status, kept_error *kept) {
  const picus_error *error = picus_last_error(context);
  bool has_sentence = error->status == status;
  kept->status = status;
  snprintf(kept->message, sizeof kept->message, "%s", has_sentence ? error->message : picus_status_text(status));
  snprintf(kept->file, sizeof kept->file, "%s", has_sentence ? error->file : "");
  kept->line = has_sentence ? error->line : 0;
}

static picus_status restore_error(picus_context *context, const kept_error *kept) {
  if (!kept->status) return PICUS_OK;
  return picus_fail_at(context, kept->status, kept->file[0] ? kept->file : NULL, kept->line, "%s", kept->message);
}

/* Notes the error of a sink, which gets nothing more to write, and returns it. */
static picus_status sink_failed(picus_recorder *recorder, recorder_sink *sink, picus_status status) {
  sink->failed = true;
  if (!recorder->first_error.status) keep_error(recorder->context, status, &recorder->first_error);
  return status;
}

static size_t table_size(const picus_system *system, int table) {
  const picus_node_table t = picus_system_node_table(system, table);
  return (size_t)t.node_count * (size_t)t.component_count;
}

/* Memory for a row of the largest table of nodes, if a sink takes them. */
static picus_status prepare_nodes(picus_recorder *recorder) {
  bool wanted = false;
  size_t most = 0;
  for (size_t k = 0; k < recorder->sink_count; k++) wanted = wanted || recorder->sinks[k].sink.write_nodes;
  if (!wanted || !recorder->has_system) return PICUS_OK;
  for (int i = 0; i < picus_system_node_table_count(recorder->run.system); i++)
    if (table_size(recorder->run.system, i) > most) most = table_size(recorder->run.system, i);
  if (most == 0) return PICUS_OK;
  recorder->nodes = picus_allocate(recorder->context, 2 * most, sizeof *recorder->nodes);
  return recorder->nodes ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_recorder_begin(picus_recorder *recorder) {
  if (recorder->has_begun)
    return picus_fail(recorder->context, PICUS_ERROR_ARGUMENT, "a recorder serves one run; create another one");
  recorder->has_begun = true;
  picus_clear_error(recorder->context); /* errors found from now on belong to this run */
  picus_status prepared = prepare_nodes(recorder);
  if (prepared) return prepared;
  recorder->buffer = picus_allocate_unset(recorder->context, (size_t)recorder->capacity * recorder->columns.count,
                                          sizeof *recorder->buffer);
  if (!recorder->buffer) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < recorder->sink_count; k++) {
    recorder_sink *sink = &recorder->sinks[k];
    picus_status status = PICUS_OK;
    if (sink->sink.open)
      status =
          sink->sink.open(sink->sink.self, &recorder->run, (int)recorder->columns.count, recorder->columns.columns);
    if (status) return sink_failed(recorder, sink, status);
    sink->is_open = true;
  }
  return PICUS_OK;
}

/* All of them; to a sink that has no function for laws that come and go, pieces without these. */
static picus_status write_switchings(const picus_recorder *recorder, const picus_sink *sink) {
  const picus_switching *all = recorder->switchings;
  const long count = recorder->buffered_switchings;
  if (sink->write_law || recorder->told_laws == 0) return sink->write_switchings(sink->self, count, all);
  picus_status status = PICUS_OK;
  for (long k = 0, end; !status && k < count; k = end + 1) {
    for (end = k; end < count && all[end].law < recorder->fixed_laws;) end++;
    if (end > k) status = sink->write_switchings(sink->self, end - k, all + k);
  }
  return status;
}

/* Writes the buffers of one sink; switching points first, so that they never end before the rows. Where many of them
 * fill their buffer, rows wait for their own. */
static picus_status write_buffers(const picus_recorder *recorder, const picus_sink *sink, bool with_rows) {
  picus_status status = PICUS_OK;
  if (sink->write_switchings && recorder->buffered_switchings > 0) status = write_switchings(recorder, sink);
  const state_log *states = &recorder->state_log;
  if (!status && sink->write_states && states->count > 0)
    status = sink->write_states(sink->self, (long)states->count, (int)states->width, states->entries);
  if (!status && with_rows && sink->write && recorder->buffered > 0)
    status = sink->write(sink->self, recorder->buffered, (int)recorder->columns.count, recorder->buffer);
  return status;
}

/* The buffers to all sinks that work; the first error of this call. */
static picus_status flush(picus_recorder *recorder, bool with_rows) {
  kept_error error = {0};
  for (size_t k = 0; k < recorder->sink_count; k++) {
    recorder_sink *sink = &recorder->sinks[k];
    if (!sink->is_open || sink->failed) continue;
    picus_status status = write_buffers(recorder, &sink->sink, with_rows);
    if (!status) continue;
    sink_failed(recorder, sink, status);
    if (!error.status) keep_error(recorder->context, status, &error);
  }
  if (with_rows && recorder->buffered > 0)
    recorder->last_row = picus_check_sum(recorder->buffer + (size_t)(recorder->buffered - 1) * recorder->columns.count,
                                         recorder->columns.count * sizeof *recorder->buffer);
  if (with_rows) recorder->buffered = 0;
  recorder->buffered_switchings = 0;
  recorder->state_log.count = 0;
  return restore_error(recorder->context, &error);
}

/* If all sinks have failed, recording is pointless. */
static bool all_failed(const picus_recorder *recorder) {
  for (size_t k = 0; k < recorder->sink_count; k++)
    if (!recorder->sinks[k].failed) return false;
  return recorder->sink_count > 0;
}

static picus_status check_running(picus_recorder *recorder) {
  if (!recorder->has_begun || recorder->has_ended)
    return picus_fail(recorder->context, PICUS_ERROR_ARGUMENT, "rows can be recorded only during a run");
  return all_failed(recorder) ? restore_error(recorder->context, &recorder->first_error) : PICUS_OK;
}

picus_status picus_recorder_add_row(picus_recorder *recorder, picus_row_fn fill, void *source) {
  picus_status status = check_running(recorder);
  if (!status) status = fill(source, recorder->buffer + (size_t)recorder->buffered * recorder->columns.count);
  if (status) return status;
  recorder->rows++;
  return ++recorder->buffered == recorder->capacity ? flush(recorder, true) : PICUS_OK;
}

/* The first switching point of a law that comes and goes. */
static picus_status tell_law(picus_recorder *recorder, const picus_switching *first) {
  picus_status status = PICUS_OK;
  recorder->told_laws++;
  for (size_t k = 0; k < recorder->sink_count; k++) {
    recorder_sink *sink = &recorder->sinks[k];
    if (!sink->is_open || sink->failed || !sink->sink.write_law) continue;
    picus_status told = sink->sink.write_law(sink->sink.self, first);
    if (told) status = sink_failed(recorder, sink, told);
  }
  return status;
}

picus_status picus_recorder_add_switching(picus_recorder *recorder, const picus_switching *switching) {
  picus_status status = check_running(recorder);
  if (status || !recorder->switchings) return status;
  if (recorder->has_system && switching->law == recorder->fixed_laws + recorder->told_laws) {
    status = tell_law(recorder, switching);
    if (status) return status;
  }
  recorder->switching_count++;
  recorder->switchings[recorder->buffered_switchings] = *switching;
  recorder->switchings[recorder->buffered_switchings++].name = NULL; /* lives for this step only */
  return recorder->buffered_switchings == BUFFER_SWITCHINGS ? flush(recorder, false) : PICUS_OK;
}

/* Where switching points of a step go. */
typedef struct switching_target {
  picus_recorder *recorder;
  const picus_step_view *step;
} switching_target;

static picus_state state_of(const picus_step_view *step) {
  return (picus_state){.t = step->t, .nq = step->system->nq, .nu = step->system->nu, .q = step->q, .u = step->u};
}

static picus_status flush_full_states(picus_recorder *recorder) {
  const state_log *log = &recorder->state_log;
  return log->count == log->capacity ? flush(recorder, false) : PICUS_OK;
}

picus_status picus_recorder_add_state(picus_recorder *recorder, const double *numbers) {
  state_log *log = &recorder->state_log;
  if (!log->system) return PICUS_OK;
  memcpy(picus_state_log_add(log), numbers, log->width * sizeof *numbers);
  return flush_full_states(recorder);
}

static picus_status take_state(picus_recorder *recorder, const state_entry *entry) {
  state_log *log = &recorder->state_log;
  if (!log->system) return PICUS_OK;
  picus_state_log_fill(log, entry, picus_state_log_add(log));
  return flush_full_states(recorder);
}

static picus_status add_switching(void *user, const picus_switching *switching) {
  const switching_target *to = user;
  picus_recorder *recorder = to->recorder;
  const bool changes = switching->source >= 0;
  const state_entry entry = {-1, recorder->switching_count, state_of(to->step), to->step->inputs};
  recorder->changing_events += changes;
  picus_status status = picus_recorder_add_switching(recorder, switching);
  if (status || changes || !picus_state_log_takes_switchings(&recorder->state_log)) return status;
  return take_state(recorder, &entry);
}

picus_status picus_recorder_take_event(picus_recorder *recorder, int event, const picus_state *state,
                                       const input_value *inputs) {
  const state_entry entry = {event, -1, *state, inputs};
  return take_state(recorder, &entry);
}

void picus_recorder_limit_events(picus_recorder *recorder, long most) { recorder->event_limit = most; }

/* Heaps have hundreds of switching points a step, and the list of their contacts grows. */
static void cut_events(picus_recorder *recorder, double t) {
  const long limit = recorder->event_limit;
  if (!recorder->event_log || recorder->events_cut || limit < 0 || recorder->changing_events < limit) return;
  recorder->events_cut = true;
  recorder->events_until = t;
  picus_event_log_leave_contacts(recorder->event_log);
}

bool picus_recorder_cut_events(const picus_recorder *recorder, double *until) {
  *until = recorder->events_until;
  return recorder->events_cut;
}

/* P1: percussions of the first stage; NULL: the scheme has none. */
static picus_status check_source(const picus_recorder *recorder, const picus_system *system, const double *P1) {
  if (!recorder->has_system || system != recorder->run.system)
    return picus_fail(recorder->context, PICUS_ERROR_ARGUMENT, "the recorder was created for another system");
  if (!recorder->extras.stages || P1) return PICUS_OK;
  return picus_fail(recorder->context, PICUS_ERROR_ARGUMENT,
                    "the recorder has columns for the stages of rattle, which the scheme of this simulation lacks; "
                    "create both with the same options");
}

picus_status picus_recorder_watch(picus_recorder *recorder, const picus_step_view *step, const picus_law_state *laws) {
  picus_status status = check_source(recorder, step->system, step->P1);
  if (!status && recorder->event_log) picus_event_log_begin(recorder->event_log, step, laws);
  if (!status && step->set && step->set->present) cut_events(recorder, step->t); /* a limit of 0 */
  return status;
}

/* The last step becomes one of those before; `last` is free for the step. */
static void begin_sums(percussion_sums *s, const picus_step_view *step, const picus_step_info *info) {
  const double left = 1 - s->told;
  if (s->is_on && left > 0) {
    for (size_t i = 0; i < s->count; i++) s->before[i] += left * s->last[i];
    s->is_bare = false;
  }
  if (!s->is_on) s->is_bare = true;
  s->is_on = true;
  s->told = 0;
  s->begin = step->t - info->dt;
  s->end = step->t;
}

static void add_percussions(percussion_sums *s, const picus_step_view *step, const picus_step_info *info) {
  begin_sums(s, step, info);
  memcpy(s->last, step->P, s->rows * sizeof *s->last);
  if (s->count > s->rows) memcpy(s->last + s->rows, step->P1, s->rows * sizeof *s->last);
}

static picus_status add_pairs(picus_recorder *recorder, const picus_step_view *step, const picus_step_info *info) {
  percussion_sums *sums = &recorder->pair_percussions;
  begin_sums(sums, step, info);
  return picus_pair_sums_follow(recorder->context, &recorder->pairs, step, sums->last);
}

/* The share of the last step until t. */
static double share_at(const percussion_sums *s, double t) {
  return t < s->end && s->end > s->begin ? fmax(0, (t - s->begin) / (s->end - s->begin)) : 1;
}

/* A row inside of a step leaves the residual of the step to the next one. */
static double take_residual(residual_sum *r, double share) {
  const double largest = fmax(r->before, r->last);
  r->before = 0;
  if (share >= 1) r->last = 0;
  return largest;
}

/* The sums for a row with a share of the last step; they begin anew. */
static const double *take_percussions(percussion_sums *s, double share) {
  if (s->is_bare && s->told == 0 && share == 1) { /* a row for every step: its bits are those of the step */
    memcpy(s->since_row, s->last, s->count * sizeof *s->last);
  } else {
    for (size_t i = 0; i < s->count; i++) s->since_row[i] = s->before[i] + (share - s->told) * s->last[i];
    memset(s->before, 0, s->count * sizeof *s->before);
  }
  s->told = share;
  s->is_bare = true;
  return s->since_row;
}

picus_status picus_recorder_take_step(picus_recorder *recorder, const picus_step_view *step,
                                      const picus_step_info *info) {
  picus_event_log *log = recorder->event_log;
  if (step->system->appears && picus_recorder_wants_contacts(recorder)) {
    const double left = recorder->sums.is_on ? 1 - recorder->sums.told : 0;
    picus_status status = picus_contact_sums_add(recorder->context, &recorder->contact_sums, step, left);
    if (status) return status;
  }
  add_percussions(&recorder->sums, step, info);
  if (recorder->pairs.count > 0) {
    picus_status status = add_pairs(recorder, step, info);
    if (status) return status;
  }
  recorder->residual.before = fmax(recorder->residual.before, recorder->residual.last);
  recorder->residual.last = info->solver.residual;
  picus_status status = PICUS_OK;
  if (log && step->ends && step->ends[0])
    status = picus_switch_log_take(recorder->context, &recorder->switch_log, step->ends);
  if (status) return status;
  switching_target target = {recorder, step};
  const bool behind = log && picus_event_log_is_behind(log, step);
  if (behind) status = picus_event_log_follow(log, step, info, add_switching, &target);
  if (status) return status;
  const int first = log ? picus_event_log_look(log, step, info) : -1;
  if (first >= 0) status = picus_event_log_note(log, step, info, first, add_switching, &target);
  if (behind || first >= 0) cut_events(recorder, step->t);
  return status;
}

typedef struct row_source {
  const picus_row_view *view;
  const picus_recorder *recorder;
  const double *pair_percussions; /* since the last row */
} row_source;

/* Rounded here, so that all files and a resumed run have the same numbers. */
static void round_row(const picus_recorder *recorder, double *row) {
  for (size_t k = 0; k < recorder->columns.count; k++)
    if (picus_storage_is_single(&recorder->storage, &recorder->columns.columns[k])) row[k] = (float)row[k];
}

static picus_status fill_row(void *source, double *row) {
  const row_source *from = source;
  const picus_recorder *recorder = from->recorder;
  double *whole = recorder->chosen ? recorder->whole_row : row;
  picus_status status = picus_columns_fill(from->view, recorder->extras, whole);
  if (recorder->pairs.kind != PICUS_PAIRS_NONE)
    picus_pair_sums_fill(&recorder->pairs, from->view, from->pair_percussions, whole + recorder->first_of_pairs);
  for (size_t k = 0; recorder->chosen && k < recorder->columns.count; k++) row[k] = whole[recorder->chosen[k]];
  if (recorder->storage.is_single) round_row(recorder, row);
  return status;
}

picus_status picus_recorder_add_contacts(picus_recorder *recorder, double t, int count,
                                         const picus_contact_point *contacts) {
  picus_status status = check_running(recorder);
  if (!status) status = picus_recorder_extend_tail(recorder, count, contacts);
  const picus_contact_sample sample = {.row = recorder->rows, .t = t, .count = count, .contacts = contacts};
  for (size_t k = 0; !status && k < recorder->sink_count; k++) {
    recorder_sink *sink = &recorder->sinks[k];
    if (!sink->is_open || sink->failed || !sink->sink.write_contacts) continue;
    picus_status written = sink->sink.write_contacts(sink->sink.self, &sample);
    if (written) status = sink_failed(recorder, sink, written);
  }
  return status;
}

static picus_status take_contacts(picus_recorder *recorder, const picus_row_view *row, double share) {
  contact_points *contacts = &recorder->contacts;
  const percussion_sums *s = &recorder->sums;
  picus_status status = picus_contact_sums_take(recorder->context, s->is_on ? &recorder->contact_sums : NULL, row,
                                                share - s->told, contacts);
  return status ? status : picus_recorder_add_contacts(recorder, row->state.t, (int)contacts->count, contacts->points);
}

picus_status picus_recorder_add_nodes(picus_recorder *recorder, const picus_node_sample *sample) {
  picus_status status = check_running(recorder);
  for (size_t k = 0; !status && k < recorder->sink_count; k++) {
    recorder_sink *sink = &recorder->sinks[k];
    if (!sink->is_open || sink->failed || !sink->sink.write_nodes) continue;
    picus_status written = sink->sink.write_nodes(sink->sink.self, sample);
    if (written) status = sink_failed(recorder, sink, written);
  }
  return status;
}

static picus_status take_nodes(picus_recorder *recorder, const picus_row_view *row) {
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < picus_system_node_table_count(row->system); i++) {
    double *velocities = recorder->nodes + table_size(row->system, i);
    picus_system_fill_nodes(row->system, i, &row->state, recorder->nodes, velocities);
    const picus_node_sample sample = {.row = recorder->rows,
                                      .t = row->state.t,
                                      .table = i,
                                      .displacements = recorder->nodes,
                                      .velocities = velocities};
    status = picus_recorder_add_nodes(recorder, &sample);
  }
  return status;
}

picus_status picus_recorder_take_row(picus_recorder *recorder, const picus_row_view *row) {
  picus_status status = check_source(recorder, row->system, row->P1);
  const double share = share_at(&recorder->sums, row->state.t);
  if (!status && row->set && picus_recorder_wants_contacts(recorder)) status = take_contacts(recorder, row, share);
  if (!status && recorder->nodes) status = take_nodes(recorder, row);
  if (status) return status;
  picus_row_view since = *row;
  if (recorder->sums.is_on) {
    since.P = take_percussions(&recorder->sums, share);
    since.P1 = recorder->extras.stages ? since.P + recorder->sums.rows : NULL;
  }
  since.residual = take_residual(&recorder->residual, share);
  const double *by_pair = recorder->pairs.count > 0 ? take_percussions(&recorder->pair_percussions, share) : NULL;
  row_source source = {&since, recorder, by_pair};
  return picus_recorder_add_row(recorder, fill_row, &source);
}

picus_status picus_recorder_end(picus_recorder *recorder, const picus_summary *summary) {
  if (recorder->has_ended) return PICUS_OK;
  recorder->has_ended = true;
  kept_error of_run = {0};
  if (summary->status) keep_error(recorder->context, summary->status, &of_run);
  flush(recorder, true);
  for (size_t k = 0; k < recorder->sink_count; k++) {
    recorder_sink *sink = &recorder->sinks[k];
    if (!sink->is_open) continue;
    restore_error(recorder->context, &of_run); /* a sink may store the reason in its file */
    picus_status status = sink->sink.close ? sink->sink.close(sink->sink.self, summary) : PICUS_OK;
    if (status) sink_failed(recorder, sink, status);
  }
  const kept_error *first = &recorder->first_error;
  if (!of_run.status) return restore_error(recorder->context, first);
  if (first->status && strcmp(first->message, of_run.message) != 0)
    picus_log(recorder->context, PICUS_LOG_WARNING, "%s", first->message);
  restore_error(recorder->context, &of_run);
  return first->status;
}

static bool needs_whole_blocks(const picus_recorder *recorder) {
  return recorder->whole_blocks && recorder->whole_blocks(recorder->tail.self);
}

picus_status picus_recorder_flush(picus_recorder *recorder) {
  picus_status status = check_running(recorder);
  if (!status) status = flush(recorder, !needs_whole_blocks(recorder));
  return status ? status : restore_error(recorder->context, &recorder->first_error);
}
