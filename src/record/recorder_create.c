/* A recorder before its run: its columns, its memory, and the sinks that are added. */
#include "base/file_names.h"
#include "model/internal.h"
#include "record/recorder_state.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS_MOST = 1000000 }; /* of contacts that come and go, some ten bytes each in a file */
enum {
  BUFFER_ROWS = 1024,    /* writing single rows costs about 35 times as much as blocks of this size */
  MOST_ROWS = 8192,      /* with few columns more, because each block of a column costs a fixed time, */
  MORE_BYTES = 7u << 18, /* up to this size, */
  MOST_BYTES = 16u << 20 /* and with very many columns fewer */
};

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
  recorder->capacity = picus_recorder_block_rows(recorder->columns.count);
  *out = recorder;
  return PICUS_OK;
}

static picus_status create_sums(picus_context *context, size_t rows, size_t count, percussion_sums *sums) {
  sums->rows = rows;
  sums->count = count;
  sums->before = picus_allocate(context, 3 * count, sizeof *sums->before);
  if (!sums->before) return PICUS_ERROR_MEMORY;
  sums->last = sums->before + count;
  sums->since_row = sums->last + count;
  return PICUS_OK;
}

picus_status picus_recorder_create(picus_context *context, const picus_run_description *run, picus_recorder **out) {
  *out = NULL;
  picus_column_list columns = {0};
  pair_sums pairs = {0};
  picus_status status =
      picus_columns_of_system(context, run->system, picus_row_extras_of(run->system, run->options), &columns);
  const size_t first_of_pairs = columns.count;
  if (!status && run->options) status = picus_pair_sums_create(context, run->system, run->options->pairs, &pairs);
  if (!status) status = picus_pair_sums_add_columns(context, &pairs, &columns);
  if (status) {
    picus_pair_sums_release(context, &pairs);
    picus_columns_release(context, &columns);
    return status;
  }
  picus_recorder *recorder;
  status = picus_recorder_create_core(context, run, &columns, &recorder);
  if (status) {
    picus_pair_sums_release(context, &pairs);
    return status;
  }
  recorder->has_system = true;
  recorder->fixed_laws = picus_system_law_count(run->system);
  recorder->extras = picus_row_extras_of(run->system, run->options);
  recorder->pairs = pairs;
  recorder->first_of_pairs = first_of_pairs;
  const size_t rows = (size_t)picus_system_row_count(run->system), of_pairs = picus_pair_sums_size(&pairs);
  status = create_sums(context, rows, recorder->extras.stages ? 2 * rows : rows, &recorder->sums);
  if (!status) status = create_sums(context, of_pairs, of_pairs, &recorder->pair_percussions);
  if (status)
    picus_recorder_destroy(recorder);
  else
    *out = recorder;
  return status;
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
  picus_switch_log_release(context, &recorder->switch_log);
  picus_state_log_release(context, &recorder->state_log);
  picus_release(context, recorder->switchings);
  picus_release(context, recorder->contacts.points);
  picus_contact_sums_release(context, &recorder->contact_sums);
  picus_pair_sums_release(context, &recorder->pairs);
  picus_release(context, recorder->pair_percussions.before);
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
    recorder->capacity = picus_recorder_block_rows(recorder->columns.count);
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
    recorder->switch_log.system = recorder->run.system;
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
  if (!status && sink.write_states && recorder->has_system && !recorder->state_log.system)
    status = picus_state_log_begin(context, &recorder->state_log, recorder->run.system);
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
  if (index < 0 || (size_t)index >= recorder->columns.count) return (picus_column){.name = "", .unit = "", .label = ""};
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

bool picus_recorder_wants_places(const picus_recorder *recorder) {
  return picus_recorder_wants_contacts(recorder) || recorder->pairs.count > 0;
}

bool picus_recorder_follows_places(const picus_recorder *recorder) {
  return picus_pair_sums_need_places(&recorder->pairs);
}

int picus_recorder_pair_count(const picus_recorder *recorder) { return recorder->pairs.count; }

picus_pair_total picus_recorder_pair(const picus_recorder *recorder, int index) {
  const pair_sums *pairs = &recorder->pairs;
  if (index < 0 || index >= pairs->count) return (picus_pair_total){.name = ""};
  return (picus_pair_total){.name = pairs->names[index],
                            .dissipated = picus_pair_sums_dissipated(pairs, index),
                            .PN = pairs->total_PN[index]};
}

picus_status picus_recorder_status(const picus_recorder *recorder) { return recorder->first_error.status; }

long picus_recorder_rows(const picus_recorder *recorder) { return recorder->rows; }

void *picus_recorder_last_sink(const picus_recorder *recorder) {
  return recorder->sinks[recorder->sink_count - 1].sink.self;
}

void picus_recorder_set_keeper(picus_recorder *recorder, picus_safe_rows_fn safe_rows,
                               picus_whole_blocks_fn whole_blocks) {
  recorder->tail.safe_rows = safe_rows;
  recorder->tail.self = picus_recorder_last_sink(recorder);
  recorder->whole_blocks = whole_blocks;
}

const switch_log *picus_recorder_switch_log(const picus_recorder *recorder) { return &recorder->switch_log; }

const picus_storage *picus_recorder_storage(const picus_recorder *recorder) { return &recorder->storage; }

bool picus_storage_is_single(const picus_storage *storage, const picus_column *column) {
  return storage->is_single && column->kind != PICUS_COLUMN_TIME && column->kind != PICUS_COLUMN_MODE;
}

picus_context *picus_recorder_context(const picus_recorder *recorder) { return recorder->context; }
