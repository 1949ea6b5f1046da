/* The recorder: a buffer of rows in front of the sinks. */
#include "base/file_names.h"
#include "base/internal.h"
#include "model/internal.h"
#include "record/contact_sums.h"
#include "system/node_tables.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_MOST = 1000000 }; /* of contacts that come and go, some ten bytes each in a file */
enum {
  BUFFER_ROWS = 1024,     /* writing single rows costs about 35 times as much as blocks of this size */
  MOST_ROWS = 8192,       /* with few columns more, because each block of a column costs a fixed time, */
  MORE_BYTES = 7u << 18,  /* up to this size, */
  MOST_BYTES = 16u << 20, /* and with very many columns fewer */
  BUFFER_SWITCHINGS = 256,
  MESSAGE_SIZE = 1024
};

typedef struct recorder_sink {
  picus_sink sink;
  char *path; /* of a file; NULL: a user's sink */
  bool is_open, failed;
} recorder_sink;

/* A copy of the context's error slot. */
typedef struct kept_error {
  picus_status status;
  char message[MESSAGE_SIZE];
  char file[MESSAGE_SIZE];
  int line;
} kept_error;

/* Percussions since the last row, so that rows apart by many steps lose none: rows of the system. Inside of a step they
 * grow linearly. */
typedef struct percussion_sums {
  size_t count;
  double *before;      /* of complete steps since the last row */
  double *last;        /* of the last step, */
  double begin, end;   /* which took this time, s, */
  double told;         /* and whose share is in a row already */
  double *since_row;   /* for a row */
  bool is_on, is_bare; /* steps have been given; none is in before */
} percussion_sums;

/* The largest residual of steps since the last row: of complete ones, and of the last one. */
typedef struct residual_sum {
  double before, last;
} residual_sum;

/* Contacts of the last rows, which a file keeps only when it has a block of them. */
typedef struct contact_tail {
  bool is_on;                   /* the run is going to be saved */
  picus_safe_rows_fn safe_rows; /* NULL: nobody keeps contacts */
  void *self;
  long first_row;
  size_t row_count, row_capacity, count, capacity;
  int *counts; /* of each row */
  picus_contact_point *contacts;
} contact_tail;

/* Rows of an incomplete block that a checkpoint had. */
typedef struct kept_rows {
  size_t count;
  double *rows; /* row-major */
} kept_rows;

struct picus_recorder {
  picus_context *context;
  picus_run_description run;
  picus_column_list columns;
  picus_storage storage;
  int *chosen; /* places of the columns in a row of all columns of the system; NULL: all are recorded */
  double *whole_row;
  recorder_sink *sinks;
  size_t sink_count, sink_capacity;
  double *buffer;
  long capacity, buffered, rows;
  picus_whole_blocks_fn whole_blocks; /* of the sink in the tail; NULL: no sink needs them */
  kept_rows kept;
  bool has_begun, has_ended;
  kept_error first_error;
  picus_row_extras extras;    /* of its rows */
  bool has_system;            /* rows and switching points are those of run.system; false: of another source */
  picus_event_log *event_log; /* NULL: no sink takes switching points */
  picus_switching *switchings;
  long buffered_switchings;
  contact_points contacts; /* of the row that is being taken */
  double *nodes;           /* displacements and velocities of a table in a row; NULL: no sink takes them */
  percussion_sums sums;
  residual_sum residual;
  contact_sums contact_sums;         /* the same for laws that come and go, if a sink takes them */
  long event_limit, changing_events; /* of contacts that come and go; negative: none */
  bool events_cut;
  double events_until;       /* s, if they were cut */
  int fixed_laws, told_laws; /* laws of the system; laws that come and go and had a switching point */
  /* for checkpoints */
  long switching_count;
  uint64_t last_row; /* check sum of the last row that was written */
  contact_tail tail;
  picus_replay_fn replay; /* NULL: the run begins anew */
  void *replay_user;
};

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

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static picus_status check_columns(picus_context *context, const picus_column_list *list) {
  const char **names = picus_allocate(context, list->count, sizeof *names);
  if (!names) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < list->count; k++) names[k] = list->columns[k].name;
  qsort(names, list->count, sizeof *names, compare_names);
  picus_status status = PICUS_OK;
  for (size_t k = 1; k < list->count && !status; k++)
    if (strcmp(names[k - 1], names[k]) == 0)
      status = picus_fail(context, PICUS_ERROR_NAME, "two columns of the results are named '%s'; rename one of them",
                          names[k]);
  picus_release(context, names);
  return status;
}

long picus_recorder_block_rows(size_t column_count) {
  const size_t row = column_count ? column_count * sizeof(double) : 1;
  size_t rows = BUFFER_ROWS;
  while (rows < MOST_ROWS && 2 * rows * row <= MORE_BYTES) rows *= 2;
  if (rows * row > MOST_BYTES) rows = MOST_BYTES / row;
  return rows > 0 ? (long)rows : 1;
}

static picus_status allocate_buffer(picus_recorder *recorder) {
  picus_release(recorder->context, recorder->buffer);
  recorder->capacity = picus_recorder_block_rows(recorder->columns.count);
  recorder->buffer =
      picus_allocate(recorder->context, (size_t)recorder->capacity * recorder->columns.count, sizeof *recorder->buffer);
  return recorder->buffer ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_recorder_create_core(picus_context *context, const picus_run_description *run,
                                        picus_column_list *columns, picus_recorder **out) {
  *out = NULL;
  picus_status status = check_columns(context, columns);
  picus_recorder *recorder = status ? NULL : picus_allocate(context, 1, sizeof *recorder);
  if (!recorder) {
    picus_columns_release(context, columns);
    return status ? status : PICUS_ERROR_MEMORY;
  }
  recorder->context = context;
  recorder->run = *run;
  recorder->columns = *columns;
  *columns = (picus_column_list){0};
  recorder->event_limit = EVENTS_MOST;
  if (allocate_buffer(recorder)) {
    picus_recorder_destroy(recorder);
    return PICUS_ERROR_MEMORY;
  }
  *out = recorder;
  return PICUS_OK;
}

picus_status picus_recorder_create(picus_context *context, const picus_run_description *run, picus_recorder **out) {
  *out = NULL;
  picus_column_list columns = {0};
  picus_status status =
      picus_columns_of_system(context, run->system, picus_row_extras_of(run->system, run->options), &columns);
  if (status) {
    picus_columns_release(context, &columns);
    return status;
  }
  picus_recorder *recorder;
  status = picus_recorder_create_core(context, run, &columns, &recorder);
  if (status) return status;
  recorder->has_system = true;
  recorder->fixed_laws = picus_system_law_count(run->system);
  percussion_sums *sums = &recorder->sums;
  sums->count = (size_t)picus_system_row_count(run->system);
  sums->before = picus_allocate(context, 3 * sums->count, sizeof *sums->before);
  if (!sums->before) {
    picus_recorder_destroy(recorder);
    return PICUS_ERROR_MEMORY;
  }
  sums->last = sums->before + sums->count;
  sums->since_row = sums->last + sums->count;
  recorder->extras = picus_row_extras_of(run->system, run->options);
  *out = recorder;
  return PICUS_OK;
}

void picus_recorder_destroy(picus_recorder *recorder) {
  if (!recorder) return;
  picus_context *context = recorder->context;
  for (size_t k = 0; k < recorder->sink_count; k++) {
    if (recorder->sinks[k].sink.destroy) recorder->sinks[k].sink.destroy(recorder->sinks[k].sink.self);
    picus_release(context, recorder->sinks[k].path);
  }
  picus_columns_release(context, &recorder->columns);
  picus_release(context, recorder->chosen);
  picus_release(context, recorder->whole_row);
  picus_release(context, recorder->sinks);
  picus_release(context, recorder->buffer);
  picus_event_log_destroy(recorder->event_log);
  picus_release(context, recorder->switchings);
  picus_release(context, recorder->contacts.points);
  picus_contact_sums_release(context, &recorder->contact_sums);
  picus_release(context, recorder->nodes);
  picus_release(context, recorder->sums.before);
  picus_release(context, recorder->kept.rows);
  picus_release(context, recorder->tail.counts);
  picus_release(context, recorder->tail.contacts);
  picus_release(context, recorder);
}

static picus_status check_not_begun(const picus_recorder *recorder) {
  if (!recorder->has_begun) return PICUS_OK;
  return picus_fail(recorder->context, PICUS_ERROR_ARGUMENT, "the columns of a recorder are fixed when the run starts");
}

picus_status picus_recorder_select(picus_recorder *recorder, const char *patterns) {
  picus_context *context = recorder->context;
  const size_t count = recorder->columns.count;
  picus_status status = check_not_begun(recorder);
  if (!status && recorder->chosen)
    status = picus_fail(context, PICUS_ERROR_ARGUMENT, "the columns of the recorder have been selected already");
  if (status) return status;
  bool *wanted = picus_allocate(context, count, sizeof *wanted);
  int *places = picus_allocate(context, count, sizeof *places);
  double *whole = picus_allocate(context, count, sizeof *whole);
  status = wanted && places && whole ? picus_columns_choose(context, &recorder->columns, patterns, wanted)
                                     : PICUS_ERROR_MEMORY;
  if (!status) {
    picus_columns_keep(context, &recorder->columns, wanted, places);
    recorder->chosen = places;
    recorder->whole_row = whole;
    status = allocate_buffer(recorder);
  } else {
    picus_release(context, places);
    picus_release(context, whole);
  }
  picus_release(context, wanted);
  return status;
}

picus_status picus_recorder_set_single(picus_recorder *recorder, bool is_single) {
  picus_status status = check_not_begun(recorder);
  if (!status) recorder->storage.is_single = is_single;
  return status;
}

picus_status picus_recorder_set_compressed(picus_recorder *recorder, bool is_compressed) {
  picus_status status = check_not_begun(recorder);
  if (!status) recorder->storage.is_plain = !is_compressed;
  return status;
}

/* Memory for switching points, and the event log that finds them if there is a system; for the first sink that needs
 * it. */
static picus_status prepare_event_log(picus_recorder *recorder) {
  if (recorder->switchings) return PICUS_OK;
  if (recorder->has_system && !recorder->event_log) {
    picus_status status = picus_event_log_create(recorder->context, recorder->run.system, &recorder->event_log);
    if (status) return status;
  }
  recorder->switchings = picus_allocate(recorder->context, BUFFER_SWITCHINGS, sizeof *recorder->switchings);
  return recorder->switchings ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static picus_status add_sink(picus_recorder *recorder, picus_sink sink, const char *path) {
  picus_context *context = recorder->context;
  picus_status status = PICUS_OK;
  if (recorder->has_begun)
    status = picus_fail(context, PICUS_ERROR_ARGUMENT, "a sink must be added before the run starts");
  if (!status && !sink.write && !sink.write_switchings && !sink.write_contacts && !sink.write_nodes)
    status = picus_fail(context, PICUS_ERROR_ARGUMENT,
                        "a sink needs a function write, write_switchings, write_contacts or write_nodes");
  if (!status && sink.write_switchings) status = prepare_event_log(recorder);
  if (!status)
    status =
        picus_grow(context, &recorder->sinks, recorder->sink_count, &recorder->sink_capacity, sizeof *recorder->sinks);
  char *copy = !status && path ? picus_copy_text(context, path) : NULL;
  if (!status && path && !copy) status = PICUS_ERROR_MEMORY;
  if (status) {
    if (sink.destroy) sink.destroy(sink.self);
    return status;
  }
  recorder->sinks[recorder->sink_count++] = (recorder_sink){.sink = sink, .path = copy};
  return PICUS_OK;
}

picus_status picus_recorder_add_sink(picus_recorder *recorder, picus_sink sink) {
  return add_sink(recorder, sink, NULL);
}

double picus_expected_rows(const picus_sim_options *options) {
  if (!options) return 0;
  double duration = options->t_end - options->t_start, rows = 0;
  if (options->sample > 0) rows += duration / options->sample + 1;
  if (options->every > 0 && options->dt > 0 && !options->adaptive && !(options->sample > 0))
    rows += duration / (options->dt * (double)options->every) + 2;
  return rows > 0 ? rows : 0; /* also for NaN */
}

bool picus_run_left_nothing(const picus_summary *summary) {
  return summary->status && summary->rows == 0 && summary->steps == 0;
}

/* Two files of a recorder must not be the same file, regardless of their names, and none may be a file that the model
 * was read from. */
static picus_status check_file(const picus_recorder *recorder, const char *path) {
  const picus_model *model = recorder->run.model;
  if (!path || !*path)
    return picus_fail(recorder->context, PICUS_ERROR_ARGUMENT, "the name of a file for results is empty");
  for (size_t k = 0; model && k < model->file_count; k++)
    if (picus_output_touches(path, model->files[k]))
      return picus_fail(recorder->context, PICUS_ERROR_ARGUMENT,
                        "the model was read from '%s', so results in '%s' would overwrite it; choose another name",
                        model->files[k], path);
  for (size_t k = 0; k < recorder->sink_count; k++) {
    const char *other = recorder->sinks[k].path;
    if (!other) continue;
    if (strcmp(other, path) == 0)
      return picus_fail(recorder->context, PICUS_ERROR_ARGUMENT,
                        "'%s' is given twice for results; choose different names", path);
    if (picus_output_touches(other, path) || picus_output_touches(path, other))
      return picus_fail(recorder->context, PICUS_ERROR_ARGUMENT,
                        "'%s' and '%s' are the same file; choose different names", other, path);
  }
  return PICUS_OK;
}

picus_status picus_recorder_add_file(picus_recorder *recorder, const char *path, picus_sink_create_fn create) {
  picus_status checked = check_file(recorder, path);
  if (checked) return checked;
  picus_sink sink;
  picus_status status = create(recorder->context, path, &sink);
  return status ? status : add_sink(recorder, sink, path);
}

int picus_recorder_column_count(const picus_recorder *recorder) { return (int)recorder->columns.count; }

picus_column picus_recorder_column(const picus_recorder *recorder, int index) {
  return recorder->columns.columns[index];
}

bool picus_recorder_wants_rows(const picus_recorder *recorder) {
  for (size_t k = 0; k < recorder->sink_count; k++)
    if (recorder->sinks[k].sink.write || recorder->sinks[k].sink.write_contacts || recorder->sinks[k].sink.write_nodes)
      return true;
  return recorder->sink_count == 0;
}

bool picus_recorder_wants_contacts(const picus_recorder *recorder) {
  for (size_t k = 0; k < recorder->sink_count; k++)
    if (recorder->sinks[k].sink.write_contacts) return true;
  return false;
}

picus_status picus_recorder_status(const picus_recorder *recorder) { return recorder->first_error.status; }

long picus_recorder_rows(const picus_recorder *recorder) { return recorder->rows; }

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

static picus_status add_switching(void *user, const picus_switching *switching) {
  picus_recorder *recorder = user;
  recorder->changing_events += switching->source >= 0;
  return picus_recorder_add_switching(recorder, switching);
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

static picus_status check_system(const picus_recorder *recorder, const picus_system *system) {
  if (recorder->has_system && system == recorder->run.system) return PICUS_OK;
  return picus_fail(recorder->context, PICUS_ERROR_ARGUMENT, "the recorder was created for another system");
}

picus_status picus_recorder_watch(picus_recorder *recorder, const picus_step_view *step, const picus_law_state *laws) {
  picus_status status = check_system(recorder, step->system);
  if (!status && recorder->event_log) picus_event_log_begin(recorder->event_log, step, laws);
  if (!status && step->set && step->set->present) cut_events(recorder, step->t); /* a limit of 0 */
  return status;
}

static void add_percussions(percussion_sums *s, const picus_step_view *step, const picus_step_info *info) {
  const double left = 1 - s->told;
  if (s->is_on && left > 0) {
    for (size_t i = 0; i < s->count; i++) s->before[i] += left * s->last[i];
    s->is_bare = false;
  }
  for (size_t i = 0; i < s->count; i++) s->last[i] = step->P[i];
  if (!s->is_on) s->is_bare = true;
  s->is_on = true;
  s->told = 0;
  s->begin = step->t - info->dt;
  s->end = step->t;
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
  recorder->residual.before = fmax(recorder->residual.before, recorder->residual.last);
  recorder->residual.last = info->residual;
  picus_status status = PICUS_OK;
  const bool behind = log && picus_event_log_is_behind(log, step);
  if (behind) status = picus_event_log_follow(log, step, info, add_switching, recorder);
  if (status) return status;
  const int first = log ? picus_event_log_look(log, step, info) : -1;
  if (first >= 0) status = picus_event_log_note(log, step, info, first, add_switching, recorder);
  if (behind || first >= 0) cut_events(recorder, step->t);
  return status;
}

typedef struct row_source {
  const picus_row_view *view;
  const picus_recorder *recorder;
} row_source;

/* Rounded here, so that all files and a run that goes on have the same numbers. */
static void round_row(const picus_recorder *recorder, double *row) {
  for (size_t k = 0; k < recorder->columns.count; k++)
    if (picus_storage_is_single(&recorder->storage, &recorder->columns.columns[k])) row[k] = (float)row[k];
}

static picus_status fill_row(void *source, double *row) {
  const row_source *from = source;
  const picus_recorder *recorder = from->recorder;
  double *whole = recorder->chosen ? recorder->whole_row : row;
  picus_status status = picus_columns_fill(from->view, recorder->extras, whole);
  for (size_t k = 0; recorder->chosen && k < recorder->columns.count; k++) row[k] = whole[recorder->chosen[k]];
  if (recorder->storage.is_single) round_row(recorder, row);
  return status;
}

/* Rows that are in the file with their contacts are forgotten. */
static void trim_tail(picus_recorder *recorder) {
  contact_tail *tail = &recorder->tail;
  const long stored = tail->safe_rows(tail->self), written = recorder->rows - recorder->buffered;
  const long safe = stored < written ? stored : written;
  size_t rows = 0, contacts = 0;
  while (rows < tail->row_count && tail->first_row + (long)rows < safe) contacts += (size_t)tail->counts[rows++];
  if (rows == 0) return;
  memmove(tail->counts, tail->counts + rows, (tail->row_count - rows) * sizeof *tail->counts);
  if (tail->count > contacts)
    memmove(tail->contacts, tail->contacts + contacts, (tail->count - contacts) * sizeof *tail->contacts);
  tail->row_count -= rows;
  tail->count -= contacts;
  tail->first_row += (long)rows;
}

static picus_status extend_tail(picus_recorder *recorder, int count, const picus_contact_point *contacts) {
  contact_tail *tail = &recorder->tail;
  if (!tail->is_on || !tail->safe_rows) return PICUS_OK;
  trim_tail(recorder);
  if (tail->row_count == 0) tail->first_row = recorder->rows;
  picus_status status =
      picus_grow(recorder->context, &tail->counts, tail->row_count, &tail->row_capacity, sizeof *tail->counts);
  while (!status && tail->count + (size_t)count > tail->capacity)
    status = picus_grow(recorder->context, &tail->contacts, tail->capacity, &tail->capacity, sizeof *tail->contacts);
  if (status) return status;
  tail->counts[tail->row_count++] = count;
  if (count > 0) memcpy(tail->contacts + tail->count, contacts, (size_t)count * sizeof *contacts);
  tail->count += (size_t)count;
  return PICUS_OK;
}

picus_status picus_recorder_add_contacts(picus_recorder *recorder, double t, int count,
                                         const picus_contact_point *contacts) {
  picus_status status = check_running(recorder);
  if (!status) status = extend_tail(recorder, count, contacts);
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
  picus_status status = check_system(recorder, row->system);
  const double share = share_at(&recorder->sums, row->state.t);
  if (!status && row->set) status = take_contacts(recorder, row, share);
  if (!status && recorder->nodes) status = take_nodes(recorder, row);
  if (status) return status;
  picus_row_view since = *row;
  if (recorder->sums.is_on) since.P = take_percussions(&recorder->sums, share);
  since.residual = take_residual(&recorder->residual, share);
  row_source source = {&since, recorder};
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

/* --- checkpoints ------------------------------------------------------------------------------------------------ */

static bool needs_whole_blocks(const picus_recorder *recorder) {
  return recorder->whole_blocks && recorder->whole_blocks(recorder->tail.self);
}

picus_status picus_recorder_flush(picus_recorder *recorder) {
  picus_status status = check_running(recorder);
  if (!status) status = flush(recorder, !needs_whole_blocks(recorder));
  return status ? status : restore_error(recorder->context, &recorder->first_error);
}

static void archive_sums(percussion_sums *s, picus_archive *a) {
  picus_archive_same(a, s->count, "the rows of the laws are others");
  picus_archive_doubles(a, s->before, s->count);
  picus_archive_doubles(a, s->last, s->count);
  picus_archive_double(a, &s->begin);
  picus_archive_double(a, &s->end);
  picus_archive_double(a, &s->told);
  picus_archive_bool(a, &s->is_on);
  picus_archive_bool(a, &s->is_bare);
}

static void read_tail(contact_tail *tail, picus_archive *a) {
  size_t count = 0;
  while (!a->status && tail->row_capacity < tail->row_count)
    a->status = picus_grow(a->context, &tail->counts, tail->row_capacity, &tail->row_capacity, sizeof *tail->counts);
  while (!a->status && tail->capacity < tail->count)
    a->status = picus_grow(a->context, &tail->contacts, tail->capacity, &tail->capacity, sizeof *tail->contacts);
  for (size_t i = 0; !a->status && i < tail->row_count; i++) {
    picus_archive_choice(a, &tail->counts[i], 0, INT_MAX / 2);
    count += a->status ? 0 : (size_t)tail->counts[i];
  }
  if (!a->status && count != tail->count) picus_archive_reject(a, "contacts of rows are missing");
  for (size_t i = 0; !a->status && i < tail->count; i++) picus_contact_point_archive(&tail->contacts[i], a);
  if (a->status) tail->row_count = tail->count = 0;
}

static void archive_tail(picus_recorder *recorder, picus_archive *a) {
  contact_tail *tail = &recorder->tail;
  if (a->direction != ARCHIVE_READS && tail->safe_rows) trim_tail(recorder);
  picus_archive_long(a, &tail->first_row);
  picus_archive_count(a, &tail->row_count, sizeof(int64_t));
  picus_archive_count(a, &tail->count, sizeof(uint64_t));
  if (a->direction == ARCHIVE_READS) {
    if (a->status) tail->row_count = tail->count = 0;
    read_tail(tail, a);
    return;
  }
  for (size_t i = 0; i < tail->row_count; i++) picus_archive_int(a, &tail->counts[i]);
  for (size_t i = 0; i < tail->count; i++) picus_contact_point_archive(&tail->contacts[i], a);
}

/* The rows in the buffer, with which the run goes on. */
static void archive_rows(picus_recorder *recorder, picus_archive *a) {
  const size_t width = recorder->columns.count;
  if (a->direction != ARCHIVE_READS) {
    size_t count = (size_t)recorder->buffered;
    picus_archive_count(a, &count, width * sizeof(double));
    picus_archive_doubles(a, recorder->buffer, count * width);
    return;
  }
  kept_rows *kept = &recorder->kept;
  picus_archive_count(a, &kept->count, width * sizeof(double));
  if (!a->status && (kept->count >= (size_t)recorder->capacity || kept->count > (size_t)recorder->rows))
    picus_archive_reject(a, "it has more rows than there can be");
  if (!a->status && kept->count > 0) {
    kept->rows = picus_allocate(recorder->context, kept->count * width, sizeof *kept->rows);
    if (!kept->rows) a->status = PICUS_ERROR_MEMORY;
  }
  if (a->status) kept->count = 0;
  picus_archive_doubles(a, kept->rows, kept->count * width);
}

void picus_recorder_archive(picus_recorder *recorder, const law_set *set, picus_archive *a) {
  bool has_log = recorder->event_log != NULL;
  const bool keeps_log = has_log;
  picus_archive_mark(a, "recorder");
  picus_archive_same(a, recorder->columns.count, "the columns of the results are others");
  picus_archive_long(a, &recorder->rows);
  picus_archive_choice(a, &recorder->told_laws, 0, INT_MAX / 2);
  picus_archive_long(a, &recorder->switching_count);
  picus_archive_long(a, &recorder->event_limit);
  picus_archive_long(a, &recorder->changing_events);
  picus_archive_bool(a, &recorder->events_cut);
  picus_archive_double(a, &recorder->events_until);
  picus_archive_word(a, &recorder->last_row);
  archive_rows(recorder, a);
  archive_tail(recorder, a);
  archive_sums(&recorder->sums, a);
  picus_archive_double(a, &recorder->residual.before);
  picus_archive_double(a, &recorder->residual.last);
  picus_contact_sums_archive(&recorder->contact_sums, a);
  picus_archive_bool(a, &has_log);
  if (has_log != keeps_log)
    picus_archive_reject(a, "it was made with an event log and the run has none, or the other way");
  if (!a->status && has_log) picus_event_log_archive(recorder->event_log, set, a);
}

void *picus_recorder_last_sink(const picus_recorder *recorder) {
  return recorder->sinks[recorder->sink_count - 1].sink.self;
}

void picus_recorder_set_keeper(picus_recorder *recorder, picus_safe_rows_fn safe_rows,
                               picus_whole_blocks_fn whole_blocks) {
  recorder->tail.safe_rows = safe_rows;
  recorder->tail.self = picus_recorder_last_sink(recorder);
  recorder->whole_blocks = whole_blocks;
}

const picus_storage *picus_recorder_storage(const picus_recorder *recorder) { return &recorder->storage; }

bool picus_storage_is_single(const picus_storage *storage, const picus_column *column) {
  return storage->is_single && column->kind != PICUS_COLUMN_TIME && column->kind != PICUS_COLUMN_MODE;
}

picus_row_mark picus_recorder_mark(const picus_recorder *recorder) {
  const contact_tail *tail = &recorder->tail;
  const bool keeps_contacts = tail->is_on && tail->safe_rows && picus_recorder_wants_contacts(recorder);
  return (picus_row_mark){.rows = recorder->rows - recorder->buffered,
                          .last_row = recorder->last_row,
                          .switchings = recorder->switching_count,
                          .contact_rows = keeps_contacts && tail->row_count > 0 ? tail->first_row : 0};
}

void picus_recorder_keep_contacts(picus_recorder *recorder) { recorder->tail.is_on = true; }

void picus_recorder_set_replay(picus_recorder *recorder, picus_replay_fn replay, void *user) {
  recorder->replay = replay;
  recorder->replay_user = user;
}

static void release_kept(picus_recorder *recorder) {
  picus_release(recorder->context, recorder->kept.rows);
  recorder->kept = (kept_rows){0};
}

/* Without the earlier rows: those that nobody has written come first. */
static void take_kept(picus_recorder *recorder) {
  const kept_rows *kept = &recorder->kept;
  if (kept->count > 0) memcpy(recorder->buffer, kept->rows, kept->count * recorder->columns.count * sizeof *kept->rows);
  recorder->buffered = (long)kept->count;
  release_kept(recorder);
}

/* Everything is counted again. */
picus_status picus_recorder_replay(picus_recorder *recorder) {
  if (!recorder->replay) {
    take_kept(recorder);
    return PICUS_OK;
  }
  contact_tail tail = recorder->tail; /* of the earlier recorder */
  const picus_told told = {.rows = recorder->rows,
                           .switchings = recorder->switching_count,
                           .last_row = recorder->last_row,
                           .written = recorder->rows - (long)recorder->kept.count,
                           .kept = recorder->kept.rows,
                           .first_row = tail.first_row,
                           .row_count = tail.row_count,
                           .counts = tail.counts,
                           .contacts = tail.contacts};
  const int told_laws = recorder->told_laws;
  recorder->tail = (contact_tail){.is_on = tail.is_on, .safe_rows = tail.safe_rows, .self = tail.self};
  recorder->rows = recorder->switching_count = recorder->told_laws = 0;
  recorder->last_row = 0;
  picus_status status = recorder->replay(recorder->replay_user, recorder, &told);
  if (!status) status = picus_recorder_flush(recorder);
  if (!status && (recorder->rows != told.rows || recorder->switching_count != told.switchings ||
                  recorder->told_laws != told_laws || recorder->last_row != told.last_row))
    status = picus_fail(recorder->context, PICUS_ERROR_IO, "the results are not those of the run of the checkpoint");
  picus_release(recorder->context, tail.counts);
  picus_release(recorder->context, tail.contacts);
  release_kept(recorder);
  return status;
}

picus_context *picus_recorder_context(const picus_recorder *recorder) { return recorder->context; }
