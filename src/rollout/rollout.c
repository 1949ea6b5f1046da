/* Many runs of one model side by side. Workers take the next run from a counter; each has a context of its own, and
 * each run writes only to its own block, so that the numbers depend neither on the workers nor on their order. */
#include "base/internal.h"
#include "base/tasks.h"
#include "model_file/loader.h"

#include <math.h>
#include <picus/result.h>
#include <picus/rollout.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { ALL_STEPS = 1000000000 }; /* so many steps apart, rows are the first and the last one */

struct picus_rollout {
  picus_context *context;
  long count, rows;
  int column_count;
  char **columns;
  double *values;
  picus_rollout_end *ends;
};

typedef struct worker {
  picus_context *context;
  picus_loader *loader; /* NULL: nothing has been loaded */
} worker;

/* What the workers share. */
typedef struct shared {
  const picus_rollout_def *def;
  picus_sim_options options; /* of def, but that only the last row is recorded if there are no samples */
  picus_rollout *rollout;
  picus_lock *allocation; /* of the allocator, */
  picus_lock *telling;    /* and of the progress */
  worker *workers;
  double *stops; /* at which inputs change */
  atomic_long next, done;
  atomic_bool is_stopped;
} shared;

/* One run. */
typedef struct one_run {
  shared *all;
  long index;
  worker *worker;
  picus_context *context;     /* of the worker */
  picus_model *model;         /* its own, which the loader has; NULL: that of the rollout */
  picus_system *own;          /* of this model */
  const picus_system *system; /* own, or shared */
  picus_sim *sim;
  picus_memory *memory;
  long interval; /* whose inputs act; -1: none yet */
} one_run;

picus_rollout_def picus_default_rollout_def(void) { return (picus_rollout_def){.count = 1}; }

/* --- one run ---------------------------------------------------------------------------------------------------- */

static int tell(shared *all) {
  const picus_rollout_def *def = all->def;
  if (def->progress && !atomic_load(&all->is_stopped)) {
    picus_lock_take(all->telling);
    if (!atomic_load(&all->is_stopped) && def->progress(def->user, atomic_load(&all->done), def->count) != 0)
      atomic_store(&all->is_stopped, true);
    picus_lock_give(all->telling);
  }
  return atomic_load(&all->is_stopped);
}

static int look(void *user, double t, double t_end, long steps) {
  (void)t, (void)t_end, (void)steps;
  return tell(((one_run *)user)->all);
}

/* The inputs of the interval that begins at the current time. */
static int set_inputs(void *user, picus_sim *sim, const picus_step_info *info) {
  one_run *run = user;
  const picus_rollout_def *def = run->all->def;
  const double t = picus_sim_state(sim).t;
  long interval = run->interval < 0 ? 0 : run->interval;
  (void)info;
  while (interval + 1 < def->interval_count && t >= run->all->stops[interval]) interval++;
  if (interval == run->interval) return 0;
  run->interval = interval;
  const double *values = def->input_values + ((size_t)run->index * (size_t)def->interval_count + (size_t)interval) *
                                                 (size_t)def->input_count;
  for (int k = 0; k < def->input_count; k++)
    if (picus_sim_set_input(sim, def->inputs[k], values[k], 0)) return 1;
  return 0;
}

/* The model with the parameters of the run. */
static picus_status load(one_run *run) {
  const picus_rollout_def *def = run->all->def;
  worker *w = run->worker;
  const int count = def->parameter_count;
  run->system = def->system;
  if (count == 0) return PICUS_OK;
  picus_status status = PICUS_OK;
  if (!w->loader) {
    picus_context_rewind(w->context);
    status = picus_loader_create(w->context, def->model, count, def->parameters, &w->loader);
  }
  if (!status) status = picus_loader_load(w->loader, def->values + (size_t)run->index * (size_t)count, &run->model);
  if (!status) status = picus_system_create(run->model, &run->own);
  run->system = run->own;
  return status;
}

static picus_status start(one_run *run) {
  const picus_rollout_def *def = run->all->def;
  const picus_sim_options *options = def->of_runs ? &def->of_runs[run->index] : &run->all->options;
  picus_status status = picus_sim_create(run->context, run->system, options, &run->sim);
  if (status || (!def->q && !def->u)) return status;
  const picus_state state = picus_sim_state(run->sim);
  const double *q = def->q ? def->q + (size_t)run->index * (size_t)state.nq : state.q;
  const double *u = def->u ? def->u + (size_t)run->index * (size_t)state.nu : state.u;
  return picus_sim_set_state(run->sim, state.t, q, u);
}

/* Copies the rows that the run has; without samples the last one, if it is that of t_end. */
static void keep_rows(const one_run *run, picus_rollout_end *end) {
  picus_rollout *rollout = run->all->rollout;
  const size_t width = (size_t)rollout->column_count;
  double *to = rollout->values + (size_t)run->index * (size_t)rollout->rows * width;
  const bool has_samples = run->all->options.sample > 0;
  const long have = picus_memory_row_count(run->memory), first = has_samples || have == 0 ? 0 : have - 1;
  end->rows = have - first < rollout->rows ? have - first : rollout->rows;
  if (!has_samples && end->status) end->rows = 0;
  for (int k = 0; k < rollout->column_count; k++) {
    const double *from = picus_memory_values(run->memory, picus_memory_find(run->memory, rollout->columns[k]));
    for (long i = 0; i < end->rows; i++) to[(size_t)i * width + (size_t)k] = from[first + i];
  }
}

/* Parameters may have changed the columns, or their order. */
static picus_status find_all_columns(const one_run *run, const picus_recorder *recorder) {
  const picus_rollout *rollout = run->all->rollout;
  const int count = picus_recorder_column_count(recorder);
  for (int k = 0; run->own && k < rollout->column_count; k++) {
    bool found = false;
    for (int c = k; !found && c < k + count; c++) /* most have their places */
      found = strcmp(picus_recorder_column(recorder, c % count).name, rollout->columns[k]) == 0;
    if (!found)
      return picus_fail(run->context, PICUS_ERROR_NAME, "the run has no column '%s': its parameters changed the model",
                        rollout->columns[k]);
  }
  return PICUS_OK;
}

/* Runs with a recorder of the columns. */
static picus_status record(one_run *run, picus_summary *summary) {
  const picus_rollout_def *def = run->all->def;
  picus_recorder *recorder = NULL;
  const picus_run_description description = {run->model ? run->model : def->model, run->system,
                                             picus_sim_options_of(run->sim), ""};
  const picus_run_hooks hooks = {.progress = look,
                                 .user = run,
                                 .stop_count = def->input_count ? (int)def->interval_count - 1 : 0,
                                 .stop_times = run->all->stops,
                                 .step = def->input_count ? set_inputs : NULL};
  picus_status status = picus_recorder_create(run->context, &description, &recorder);
  if (!status && def->columns) status = picus_recorder_select(recorder, def->columns);
  if (!status && def->begin) status = def->begin(def->user, run->index, run->context, run->sim, recorder);
  if (!status && !def->begin) status = find_all_columns(run, recorder);
  if (!status && !def->begin) status = picus_memory_create(run->context, &run->memory);
  if (!status && run->memory) status = picus_recorder_add_memory(recorder, run->memory, 0);
  if (!status) status = picus_sim_run(run->sim, recorder, &hooks, summary);
  picus_recorder_destroy(recorder);
  return status;
}

static void make_run(shared *all, worker *w, long index) {
  one_run run = {.all = all, .index = index, .worker = w, .context = w->context, .interval = -1};
  picus_rollout_end *end = &all->rollout->ends[index];
  picus_summary summary = {0};
  picus_status status = load(&run);
  if (!status) status = start(&run);
  if (!status) status = record(&run, &summary);
  end->status = status;
  end->steps = summary.steps;
  end->impacts = summary.impacts;
  end->t = run.sim ? picus_sim_state(run.sim).t : NAN;
  if (status) snprintf(end->message, sizeof end->message, "%s", picus_last_error(w->context)->message);
  if (run.memory) keep_rows(&run, end);
  picus_memory_destroy(run.memory);
  picus_sim_destroy(run.sim);
  picus_system_destroy(run.own);
  if (all->def->ended && !(status == PICUS_INTERRUPTED && atomic_load(&all->is_stopped))) {
    picus_lock_take(all->telling);
    all->def->ended(all->def->user, index, end, &summary);
    picus_lock_give(all->telling);
  }
  atomic_fetch_add(&all->done, 1);
}

/* Takes chains until there are no more. */
static picus_status work(void *user, int number) {
  shared *all = user;
  const long *chains = all->def->chains;
  const long count = chains ? all->def->chain_count : all->def->count;
  for (long next; !atomic_load(&all->is_stopped) && (next = atomic_fetch_add(&all->next, 1)) < count;) {
    const long end = chains ? chains[next + 1] : next + 1;
    for (long index = chains ? chains[next] : next; index < end && !atomic_load(&all->is_stopped); index++) {
      make_run(all, &all->workers[number], index);
      tell(all);
    }
  }
  return PICUS_OK;
}

/* --- all runs --------------------------------------------------------------------------------------------------- */

static bool has_parameter(const picus_rollout_def *def, const char *name) {
  for (int k = 0; k < picus_model_parameter_count(def->model); k++)
    if (strcmp(picus_model_parameter(def->model, k).name, name) == 0) return true;
  return picus_system_find_input(def->system, name) >= 0;
}

static picus_status check(picus_context *context, const picus_rollout_def *def) {
  const picus_sim_options *o = def->options;
  if (!def->model || !def->system || !o)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a rollout needs a model, its system and options");
  if (def->of_runs && !def->begin)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a rollout with options of each run needs the function begin");
  if (def->count < 1) return picus_fail(context, PICUS_ERROR_ARGUMENT, "a rollout of %ld runs", def->count);
  if (def->parameter_count < 0 || def->input_count < 0 || def->interval_count < 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a rollout has a negative number of parameters or inputs");
  if (def->parameter_count > 0 && (!def->parameters || !def->values))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the parameters of a rollout need names and values");
  if (def->parameter_count > 0 && !*picus_model_source(def->model))
    return picus_fail(context, PICUS_ERROR_UNSUPPORTED,
                      "parameters of a rollout need a model with a source, which is read again for each run");
  for (int k = 0; k < def->parameter_count; k++)
    if (!has_parameter(def, def->parameters[k]))
      return picus_fail(context, PICUS_ERROR_NAME, "the model has no parameter '%s'", def->parameters[k]);
  if (def->input_count > 0 && (!def->inputs || !def->input_values || def->interval_count < 1))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the inputs of a rollout need names, values and intervals");
  for (int k = 0; k < def->input_count; k++)
    if (picus_system_find_input(def->system, def->inputs[k]) < 0)
      return picus_fail(context, PICUS_ERROR_NAME, "the model has no input '%s'", def->inputs[k]);
  return PICUS_OK;
}

/* The names of the columns, as a recorder of the shared system has them. */
static picus_status find_columns(picus_rollout *rollout, const picus_rollout_def *def) {
  picus_context *context = rollout->context;
  picus_recorder *recorder = NULL;
  const picus_run_description run = {def->model, def->system, def->options, ""};
  picus_status status = picus_recorder_create(context, &run, &recorder);
  if (!status && def->columns) status = picus_recorder_select(recorder, def->columns);
  const int count = status ? 0 : picus_recorder_column_count(recorder);
  if (!status && !(rollout->columns = picus_allocate(context, (size_t)count, sizeof *rollout->columns)))
    status = PICUS_ERROR_MEMORY;
  for (; !status && rollout->column_count < count; rollout->column_count++) {
    char **name = &rollout->columns[rollout->column_count];
    *name = picus_copy_text(context, picus_recorder_column(recorder, rollout->column_count).name);
    if (!*name) status = PICUS_ERROR_MEMORY;
  }
  picus_recorder_destroy(recorder);
  return status;
}

static picus_status make_room(picus_rollout *rollout, const picus_rollout_def *def) {
  const picus_sim_options *o = def->options;
  const double samples = def->begin ? 0 : o->sample > 0 ? floor((o->t_end - o->t_start) / o->sample + 1e-9) + 1 : 1;
  const double bytes = (double)def->count * samples * rollout->column_count * (double)sizeof(double);
  if (!(bytes < 9e15))
    return picus_fail(rollout->context, PICUS_ERROR_MEMORY, "a rollout with %g rows does not fit in memory",
                      samples * (double)def->count);
  rollout->count = def->count;
  rollout->rows = (long)samples;
  const size_t numbers = (size_t)def->count * (size_t)rollout->rows * (size_t)rollout->column_count;
  rollout->values = picus_allocate(rollout->context, numbers, sizeof *rollout->values);
  rollout->ends = picus_allocate(rollout->context, (size_t)def->count, sizeof *rollout->ends);
  if (!rollout->values || !rollout->ends) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < numbers; k++) rollout->values[k] = NAN;
  for (long k = 0; k < def->count; k++) rollout->ends[k] = (picus_rollout_end){.status = PICUS_INTERRUPTED, .t = NAN};
  return PICUS_OK;
}

static picus_status find_stops(shared *all) {
  const picus_rollout_def *def = all->def;
  const picus_sim_options *o = def->options;
  const long count = def->input_count ? def->interval_count - 1 : 0;
  all->stops = picus_allocate(all->rollout->context, (size_t)count, sizeof *all->stops);
  if (!all->stops) return PICUS_ERROR_MEMORY;
  for (long k = 0; k < count; k++)
    all->stops[k] = o->t_start + (o->t_end - o->t_start) * (double)(k + 1) / (double)def->interval_count;
  return PICUS_OK;
}

static picus_status run_all(shared *all, int count) {
  picus_context *context = all->rollout->context;
  picus_status status = find_stops(all);
  if (!status) status = picus_lock_create(context, &all->allocation);
  if (!status) status = picus_lock_create(context, &all->telling);
  if (!status && !(all->workers = picus_allocate(context, (size_t)count, sizeof *all->workers)))
    status = PICUS_ERROR_MEMORY;
  for (int k = 0; !status && k < count; k++)
    status = (all->def->parameter_count ? picus_context_create_rewindable : picus_context_create_beside)(
        context, all->allocation, &all->workers[k].context);
  if (!status) status = picus_tasks_run(context, count, work, all);
  for (int k = 0; all->workers && k < count; k++) picus_context_destroy(all->workers[k].context);
  picus_release(context, all->workers);
  picus_lock_destroy(context, all->telling);
  picus_lock_destroy(context, all->allocation);
  picus_release(context, all->stops);
  if (status || !atomic_load(&all->is_stopped)) return status;
  return picus_fail(context, PICUS_INTERRUPTED, "the rollout was interrupted after %ld of %ld runs",
                    atomic_load(&all->done), all->def->count);
}

picus_status picus_rollout_create(picus_context *context, const picus_rollout_def *def, picus_rollout **out) {
  *out = NULL;
  picus_status status = check(context, def);
  if (status) return status;
  picus_rollout *rollout = picus_allocate(context, 1, sizeof *rollout);
  if (!rollout) return PICUS_ERROR_MEMORY;
  rollout->context = context;
  status = find_columns(rollout, def);
  if (!status) status = make_room(rollout, def);
  const int threads = picus_context_threads(context);
  shared all = {.def = def, .options = *def->options, .rollout = rollout};
  if (!def->begin && !(all.options.sample > 0)) all.options.every = ALL_STEPS;
  if (!status) status = run_all(&all, def->count < threads ? (int)def->count : threads);
  if (status)
    picus_rollout_destroy(rollout);
  else
    *out = rollout;
  return status;
}

void picus_rollout_destroy(picus_rollout *rollout) {
  if (!rollout) return;
  picus_context *context = rollout->context;
  for (int k = 0; k < rollout->column_count; k++) picus_release(context, rollout->columns[k]);
  picus_release(context, rollout->columns);
  picus_release(context, rollout->values);
  picus_release(context, rollout->ends);
  picus_release(context, rollout);
}

long picus_rollout_count(const picus_rollout *rollout) { return rollout->count; }
long picus_rollout_rows(const picus_rollout *rollout) { return rollout->rows; }
int picus_rollout_column_count(const picus_rollout *rollout) { return rollout->column_count; }

const char *picus_rollout_column(const picus_rollout *rollout, int column) {
  return column >= 0 && column < rollout->column_count ? rollout->columns[column] : "";
}

const double *picus_rollout_values(const picus_rollout *rollout) { return rollout->values; }
const picus_rollout_end *picus_rollout_ends(const picus_rollout *rollout) { return rollout->ends; }
