/* An instance: values that the importer sets, the simulation made from them, a row of results at the current time, and
 * states as bytes. The simulation is made when it is needed first, and again when a parameter or the start of an input
 * has changed. A step of the importer is a run of the library to a new end (picus_sim_run), so it has the same steps as
 * `picus run` between two samples.
 */
#include "fmu/instance.h"
#include "base/archive.h"
#include "base/internal.h"
#include "fmu/package.h"
#include "record/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fmu_instance {
  picus_context *context;
  fmu_package package;
  fmu_variables variables;
  fmu_phase phase;
  double t_start, tolerance; /* NAN: of the package */
  double *values;            /* of all variables: parameters and starts of inputs */
  bool *is_set;              /* by the importer */
  bool is_built;             /* the simulation has these values */
  bool has_ended;            /* an event of the model has ended the run */
  fmu_loaded loaded;
  picus_sim *sim;
  picus_recorder *recorder;
  picus_summary summary;
  double *row; /* of the recorder, at the current state */
  bool row_is_current;
};

/* --- messages ----------------------------------------------------------------------------------------------------- */

const char *fmu_instance_message(const fmu_instance *instance) {
  const picus_error *error = picus_last_error(instance->context);
  return error->message[0] ? error->message : picus_status_text(error->status ? error->status : PICUS_ERROR_MEMORY);
}

picus_status fmu_refuse(fmu_instance *instance, const char *format, ...) {
  char text[500];
  va_list list;
  va_start(list, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the line above initializes it
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return picus_fail(instance->context, PICUS_ERROR_ARGUMENT, "%s", text);
}

static const char *phase_name(fmu_phase phase) {
  switch (phase) {
  case FMU_INSTANTIATED:
    return "instantiated, before its initialization";
  case FMU_INITIALIZING:
    return "in its initialization mode";
  case FMU_EVENT:
    return "in its event mode";
  case FMU_STEPPING:
    return "ready for steps";
  case FMU_TERMINATED:
    return "terminated";
  }
  return "nowhere";
}

picus_status fmu_allow(fmu_instance *instance, const char *call, int phases) {
  if ((int)instance->phase & phases) return PICUS_OK;
  return fmu_refuse(instance, "%s is not allowed while the instance is %s", call, phase_name(instance->phase));
}

void fmu_enter(fmu_instance *instance, fmu_phase phase) { instance->phase = phase; }

double fmu_time(const fmu_instance *instance) {
  return instance->is_built ? picus_sim_state(instance->sim).t : instance->t_start;
}

bool fmu_has_ended(const fmu_instance *instance) { return instance->has_ended; }

/* --- the simulation ----------------------------------------------------------------------------------------------- */

static void release_simulation(fmu_instance *x) {
  picus_recorder_destroy(x->recorder);
  picus_sim_destroy(x->sim);
  fmu_loaded_release(&x->loaded);
  picus_release(x->context, x->row);
  x->recorder = NULL;
  x->sim = NULL;
  x->row = NULL;
  x->is_built = x->row_is_current = false;
}

static picus_status take_rows(void *self, long row_count, int column_count, const double *rows) {
  fmu_instance *x = self;
  const size_t columns = (size_t)column_count;
  if (row_count > 0) memcpy(x->row, rows + (size_t)(row_count - 1) * columns, columns * sizeof *rows);
  return PICUS_OK;
}

/* The columns, and a place for one row of them. */
static picus_status create_recorder(fmu_instance *x) {
  const picus_run_description run = {x->loaded.model, x->loaded.system, &x->loaded.options, ""};
  picus_status status = picus_recorder_create(x->context, &run, &x->recorder);
  if (status) return status;
  x->row = picus_allocate(x->context, (size_t)picus_recorder_column_count(x->recorder), sizeof *x->row);
  if (!x->row) return PICUS_ERROR_MEMORY;
  return picus_recorder_add_sink(x->recorder, (picus_sink){.self = x, .write = take_rows});
}

/* t_end is that of the next step; the largest time keeps the start away from it. */
static void choose_options(fmu_instance *x) {
  picus_sim_options *o = &x->loaded.options;
  o->every = 1;
  o->sample = 0;
  if (o->adaptive && !isnan(x->tolerance)) {
    o->atol *= x->tolerance / (o->rtol > 0 ? o->rtol : o->atol);
    o->rtol = x->tolerance;
  }
  if (!(o->t_end > o->t_start)) o->t_end = o->t_start + 1;
}

static picus_status create_simulation(fmu_instance *x) {
  choose_options(x);
  picus_status status = picus_sim_create(x->context, x->loaded.system, &x->loaded.options, &x->sim);
  if (!status) status = create_recorder(x);
  return status ? status : picus_sim_record_begin(x->sim, x->recorder, &x->summary);
}

/* What the importer has set, as values of the model file. */
static picus_status load(fmu_instance *x) {
  picus_override *values = picus_allocate(x->context, x->variables.count + 1, sizeof *values);
  if (!values) return PICUS_ERROR_MEMORY;
  int count = 0;
  for (size_t k = 0; k < x->variables.count; k++) {
    const fmu_variable *v = &x->variables.list[k];
    if (x->is_set[k]) values[count++] = (picus_override){v->own_name, x->values[k]};
  }
  picus_status status = fmu_package_load(x->context, &x->package, x->t_start, count, values, &x->loaded);
  picus_release(x->context, values);
  return status;
}

/* Values that follow from others. */
static void note_values(fmu_instance *x, const fmu_variables *found) {
  for (size_t k = 0; k < found->count; k++)
    if (!x->is_set[k]) x->values[k] = found->list[k].start;
}

/* The variables are those of the description, whatever the values. */
static picus_status compare_variables(fmu_instance *x) {
  fmu_variables found;
  picus_status status = fmu_variables_create(x->context, x->loaded.model, x->loaded.system, x->recorder, &found);
  if (status) return status;
  if (x->variables.count == 0)
    x->variables = found;
  else if (fmu_variables_agree(&found, &x->variables)) {
    note_values(x, &found);
    fmu_variables_release(x->context, &found);
  } else {
    fmu_variables_release(x->context, &found);
    status = fmu_refuse(x, "a parameter changes which variables the model has; export an FMU with its value instead");
  }
  return status;
}

picus_status fmu_build(fmu_instance *x) {
  if (x->is_built) return PICUS_OK;
  release_simulation(x);
  picus_status status = load(x);
  if (!status) status = create_simulation(x);
  if (!status) status = compare_variables(x);
  if (status) {
    release_simulation(x);
    return status;
  }
  x->is_built = true;
  return PICUS_OK;
}

/* --- life --------------------------------------------------------------------------------------------------------- */

static picus_status create(fmu_instance *x, const char *token, const char *folder) {
  picus_status status = picus_context_set_threads(x->context, 1); /* importers have threads of their own */
  if (!status) status = fmu_package_read(x->context, folder, &x->package);
  if (!status && strcmp(token, x->package.token) != 0)
    status = fmu_refuse(x,
                        "the token of modelDescription.xml, '%.80s', is not that of the resources, '%.80s': they are "
                        "of different FMUs",
                        token, x->package.token);
  if (!status) status = fmu_build(x);
  if (status) return status;
  x->values = picus_allocate(x->context, x->variables.count, sizeof *x->values);
  x->is_set = picus_allocate(x->context, x->variables.count, sizeof *x->is_set);
  if (!x->values || !x->is_set) return PICUS_ERROR_MEMORY;
  note_values(x, &x->variables);
  return PICUS_OK;
}

picus_status fmu_instance_create(const char *token, const char *folder, picus_log_fn log, void *user,
                                 fmu_instance **out) {
  picus_context_def def = picus_default_context_def();
  picus_context *context;
  def.log = log;
  def.log_user = user;
  *out = NULL;
  if (picus_context_create(&def, &context)) return PICUS_ERROR_MEMORY;
  fmu_instance *x = picus_allocate(context, 1, sizeof *x);
  if (!x) {
    picus_context_destroy(context);
    return PICUS_ERROR_MEMORY;
  }
  *x = (fmu_instance){.context = context, .phase = FMU_INSTANTIATED, .t_start = NAN, .tolerance = NAN};
  *out = x;
  return create(x, token, folder);
}

void fmu_instance_destroy(fmu_instance *x) {
  if (!x) return;
  picus_context *context = x->context;
  release_simulation(x);
  fmu_variables_release(context, &x->variables);
  fmu_package_release(context, &x->package);
  picus_release(context, x->values);
  picus_release(context, x->is_set);
  picus_release(context, x);
  picus_context_destroy(context);
}

void fmu_reset(fmu_instance *x) {
  memset(x->is_set, 0, x->variables.count * sizeof *x->is_set);
  note_values(x, &x->variables);
  x->t_start = x->tolerance = NAN;
  x->is_built = x->has_ended = false;
  x->phase = FMU_INSTANTIATED;
}

picus_status fmu_set_experiment(fmu_instance *x, double t_start, double tolerance) {
  if (!isfinite(t_start)) return fmu_refuse(x, "the start time must be a finite number, not %g", t_start);
  if (!isnan(tolerance) && !(tolerance > 0 && tolerance < 1))
    return fmu_refuse(x, "the tolerance must be between 0 and 1, not %g", tolerance);
  if (isnan(x->t_start) ? t_start != x->loaded.options.t_start : t_start != x->t_start) x->is_built = false;
  if (!isnan(tolerance) && x->loaded.options.adaptive) x->is_built = false;
  x->t_start = t_start;
  x->tolerance = tolerance;
  return PICUS_OK;
}

picus_status fmu_begin_experiment(fmu_instance *x, double t_start, double tolerance) {
  const double old_start = x->t_start, old_tolerance = x->tolerance;
  picus_status status = fmu_set_experiment(x, t_start, tolerance);
  if (!status) status = fmu_build(x);
  if (status) x->t_start = old_start, x->tolerance = old_tolerance; /* with them it is built again */
  return status;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* NULL, with a message: there is none. */
static const fmu_variable *find(fmu_instance *x, unsigned ref) {
  if (ref < x->variables.count) return &x->variables.list[ref];
  fmu_refuse(x, "there is no variable with the value reference %u; the last one is %zu", ref, x->variables.count - 1);
  return NULL;
}

/* The row of the current state, which the recorder passes to take_rows. */
static picus_status renew_row(fmu_instance *x) {
  if (x->row_is_current) return PICUS_OK;
  picus_status status = picus_sim_record_row(x->sim, x->recorder);
  if (!status) status = picus_recorder_flush(x->recorder);
  x->row_is_current = !status;
  return status;
}

static picus_status value_of(fmu_instance *x, const fmu_variable *v, double *out) {
  switch (v->kind) {
  case FMU_TIME:
    *out = fmu_time(x);
    return PICUS_OK;
  case FMU_PARAMETER:
    *out = x->values[v - x->variables.list];
    return PICUS_OK;
  case FMU_INPUT:
    *out = picus_sim_input(x->sim, v->index).value;
    return PICUS_OK;
  case FMU_OUTPUT:
  case FMU_LOCAL:
    break;
  }
  picus_status status = renew_row(x);
  *out = status ? NAN : x->row[v->index];
  return status;
}

picus_status fmu_get(fmu_instance *x, const unsigned *refs, size_t count, double *values) {
  for (size_t k = 0; k < count; k++)
    if (!find(x, refs[k])) return PICUS_ERROR_ARGUMENT;
  picus_status status = fmu_build(x);
  for (size_t k = 0; !status && k < count; k++) status = value_of(x, &x->variables.list[refs[k]], &values[k]);
  return status;
}

/* A value before the first step: the model is built with it. Setting what it has already changes nothing, so that what
 * follows from other parameters stays so. */
static picus_status set_start(fmu_instance *x, size_t k, double value) {
  if (value == x->values[k]) return PICUS_OK;
  x->values[k] = value;
  x->is_set[k] = true;
  x->is_built = false;
  return PICUS_OK;
}

static picus_status check_value(fmu_instance *x, unsigned ref, double value) {
  const fmu_variable *v = find(x, ref);
  if (!v) return PICUS_ERROR_ARGUMENT;
  if (!isfinite(value)) return fmu_refuse(x, "the value of '%s' must be a finite number, not %g", v->name, value);
  if (v->kind != FMU_INPUT && v->kind != FMU_PARAMETER)
    return fmu_refuse(x, "'%s' is neither a parameter nor an input, so it cannot be set", v->name);
  if (v->kind == FMU_PARAMETER && x->phase & FMU_RUNNING)
    return fmu_refuse(x, "the parameter '%s' is fixed: it can be set before the end of the initialization only",
                      v->name);
  return PICUS_OK;
}

static picus_status set_one(fmu_instance *x, unsigned ref, double value) {
  if (!(x->phase & FMU_RUNNING)) return set_start(x, ref, value);
  x->row_is_current = false;
  return picus_sim_set_input_at(x->sim, x->variables.list[ref].index, value, 0);
}

/* All values or none. */
picus_status fmu_set(fmu_instance *x, const unsigned *refs, size_t count, const double *values) {
  picus_status status = x->phase & FMU_RUNNING ? fmu_build(x) : PICUS_OK;
  for (size_t k = 0; !status && k < count; k++) status = check_value(x, refs[k], values[k]);
  for (size_t k = 0; !status && k < count; k++) status = set_one(x, refs[k], values[k]);
  return status;
}

static picus_status check_rate(fmu_instance *x, unsigned ref, int order, double rate) {
  const fmu_variable *v = find(x, ref);
  if (!v) return PICUS_ERROR_ARGUMENT;
  if (v->kind != FMU_INPUT) return fmu_refuse(x, "'%s' is not an input, so it has no rate", v->name);
  if (order != 1) return fmu_refuse(x, "inputs have rates, derivatives of order 1, none of order %d", order);
  if (!isfinite(rate)) return fmu_refuse(x, "the rate of '%s' must be a finite number, not %g", v->name, rate);
  if (rate != 0 && !picus_system_input_at(x->loaded.system, v->index).has_rate)
    return fmu_refuse(x, "the input '%s' has no rate in the model", v->name);
  return PICUS_OK;
}

static picus_status set_rate(fmu_instance *x, unsigned ref, double rate) {
  const int input = x->variables.list[ref].index;
  if (!picus_system_input_at(x->loaded.system, input).has_rate) return PICUS_OK;
  return picus_sim_set_input_at(x->sim, input, picus_sim_input(x->sim, input).value, rate);
}

picus_status fmu_set_rates(fmu_instance *x, const unsigned *refs, size_t count, const int *orders,
                           const double *rates) {
  picus_status status = fmu_build(x);
  x->row_is_current = false;
  for (size_t k = 0; !status && k < count; k++) status = check_rate(x, refs[k], orders[k], rates[k]);
  for (size_t k = 0; !status && k < count; k++) status = set_rate(x, refs[k], rates[k]);
  return status;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

typedef struct step_watch {
  bool stops, happened;
} step_watch;

static int watch_impact(void *user, picus_sim *sim, const picus_switching *event) {
  (void)sim;
  if (event->impact) ((step_watch *)user)->happened = true;
  return 0;
}

static void watch_event(void *user, const picus_sim *sim, int event) {
  (void)sim;
  (void)event;
  ((step_watch *)user)->happened = true;
}

static int watch_step(void *user, picus_sim *sim, const picus_step_info *info) {
  (void)sim;
  const step_watch *watch = user;
  return info && watch->stops && watch->happened;
}

static picus_status check_step(fmu_instance *x, double t, double h) {
  const double now = fmu_time(x);
  if (!isfinite(t) || !isfinite(h) || !(h > 0))
    return fmu_refuse(x, "a step from t = %g of the size %g: the size must be a positive number", t, h);
  if (fabs(t - now) > 1e-6 * h)
    return fmu_refuse(x, "a step from t = %.9g s, but the time of the instance is %.9g s", t, now);
  if (!(t + h > now)) return fmu_refuse(x, "a step of %g s at t = %.9g s is below the round-off of the time", h, now);
  return PICUS_OK;
}

picus_status fmu_make_step(fmu_instance *x, double t, double h, bool stops, fmu_step *out) {
  *out = (fmu_step){.t = fmu_time(x)};
  if (x->has_ended) return fmu_refuse(x, "an event of the model has ended the run");
  picus_status status = fmu_build(x);
  if (!status) status = check_step(x, t, h);
  if (!status) status = picus_sim_set_end(x->sim, t + h);
  if (status) return status;
  step_watch watch = {.stops = stops};
  /* the event log costs a look at all laws in each step: only for those who stop */
  const picus_run_hooks hooks = {
      .user = &watch, .step = watch_step, .event = stops ? watch_impact : NULL, .model_event = watch_event};
  picus_summary summary;
  x->row_is_current = false;
  status = picus_sim_run(x->sim, NULL, &hooks, &summary);
  if (status == PICUS_INTERRUPTED && watch.happened) {
    picus_clear_error(x->context);
    status = PICUS_OK;
  }
  x->has_ended = summary.stopped_by[0] != '\0';
  *out = (fmu_step){.t = fmu_time(x), .event = watch.happened};
  return status;
}

/* --- states ------------------------------------------------------------------------------------------------------- */

typedef struct state_block {
  uint64_t mark;
  size_t size;
  unsigned char bytes[];
} state_block;
static const uint64_t state_mark = 0x5069637573464d55u;

static const state_block *block_of(const void *state) {
  const state_block *block = state;
  return block && block->mark == state_mark ? block : NULL;
}

/* What the simulation is made from. Its size is the same for all states of an FMU. */
static void archive_model(fmu_instance *x, picus_archive *a) {
  picus_archive_mark(a, "fmu");
  for (const char *c = x->package.token; *c; c++) picus_archive_same(a, (uint64_t)(unsigned char)*c, "the FMU");
  picus_archive_double(a, &x->t_start);
  picus_archive_double(a, &x->tolerance);
  for (size_t k = 0; k < x->variables.count; k++) {
    if (x->variables.list[k].kind != FMU_PARAMETER && x->variables.list[k].kind != FMU_INPUT) continue;
    picus_archive_bool(a, &x->is_set[k]);
    picus_archive_double(a, &x->values[k]);
    if (picus_archive_reads(a) && !isfinite(x->values[k])) picus_archive_reject(a, "a value is not a number");
  }
}

/* Where the instance is, and whether the bytes of the simulation follow: it may have none yet. */
static void archive_place(fmu_instance *x, picus_archive *a, bool *has_simulation) {
  int phase = (int)x->phase;
  picus_archive_choice(a, &phase, FMU_INSTANTIATED, FMU_TERMINATED);
  picus_archive_bool(a, &x->has_ended);
  picus_archive_bool(a, has_simulation);
  if (!picus_archive_reads(a)) return;
  if ((phase & (phase - 1)) != 0) picus_archive_reject(a, "the phase of the instance is none");
  x->phase = (fmu_phase)phase;
  if (!*has_simulation && x->phase & FMU_RUNNING) picus_archive_reject(a, "a running instance has no simulation");
}

static void archive_values(fmu_instance *x, picus_archive *a, bool *has_simulation) {
  archive_model(x, a);
  archive_place(x, a, has_simulation);
}

static picus_status measure(fmu_instance *x, size_t *values, size_t *simulation) {
  picus_archive a = {.context = x->context, .direction = ARCHIVE_MEASURES};
  archive_values(x, &a, &(bool){x->is_built});
  *values = a.at;
  *simulation = 0;
  return a.status || !x->is_built ? a.status : picus_sim_save(x->sim, NULL, 0, simulation);
}

static picus_status fill(fmu_instance *x, size_t values, size_t simulation, state_block *block) {
  picus_archive a = {.context = x->context, .direction = ARCHIVE_WRITES, .to = block->bytes, .size = values};
  archive_values(x, &a, &(bool){x->is_built});
  picus_status status = a.status;
  if (!status && x->is_built) status = picus_sim_save(x->sim, block->bytes + values, simulation, &simulation);
  const uint64_t sum = picus_check_sum(block->bytes, values + simulation);
  memcpy(block->bytes + values + simulation, &sum, sizeof sum);
  return status;
}

/* NULL, with a message: out of memory. */
static state_block *make_block(fmu_instance *x, size_t size) {
  state_block *block = size < SIZE_MAX - sizeof *block ? malloc(sizeof *block + size) : NULL;
  if (!block) {
    (void)picus_fail(x->context, PICUS_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  block->mark = state_mark;
  block->size = size;
  return block;
}

picus_status fmu_state_get(fmu_instance *x, void **state) {
  if (*state && !block_of(*state)) return fmu_refuse(x, "the state that would be replaced is not one of this FMU");
  size_t values, simulation;
  picus_status status = measure(x, &values, &simulation);
  if (status) return status;
  state_block *block = make_block(x, values + simulation + sizeof(uint64_t));
  if (!block) return PICUS_ERROR_MEMORY;
  status = fill(x, values, simulation, block);
  if (status) {
    free(block);
    return status;
  }
  free(*state);
  *state = block;
  return PICUS_OK;
}

void fmu_state_release(void **state) {
  if (!state || !block_of(*state)) return;
  ((state_block *)*state)->mark = 0;
  free(*state);
  *state = NULL;
}

/* one: NULL, that of an instance whose state cannot be taken */
static bool have_same_model(fmu_instance *x, const state_block *one, const state_block *two) {
  picus_archive a = {.context = x->context, .direction = ARCHIVE_MEASURES};
  archive_model(x, &a);
  return one && one->size >= a.at && two->size >= a.at && memcmp(one->bytes, two->bytes, a.at) == 0;
}

/* From the state `from` to the state `to`. The simulation stays if it was made from the same values. */
static picus_status change_state(fmu_instance *x, const state_block *from, const state_block *to) {
  picus_archive a = {
      .context = x->context, .direction = ARCHIVE_READS, .from = to->bytes, .size = to->size - sizeof(uint64_t)};
  bool has_simulation = false;
  x->row_is_current = false;
  if (!have_same_model(x, from, to)) x->is_built = false;
  archive_values(x, &a, &has_simulation);
  if (a.status) return a.status;
  if (!has_simulation) {
    x->is_built = false;
    return PICUS_OK;
  }
  const picus_status status = fmu_build(x);
  return status ? status : picus_sim_load(x->sim, to->bytes + a.at, a.size - a.at, PICUS_LOAD_SAME_MODEL);
}

/* A state that cannot be set leaves the instance where it is, or as it was created if its own state overflows. */
picus_status fmu_state_set(fmu_instance *x, const void *state) {
  const state_block *to = block_of(state);
  uint64_t sum;
  if (!to || to->size < sizeof sum) return fmu_refuse(x, "this is not a state of an FMU of Picus");
  memcpy(&sum, to->bytes + to->size - sizeof sum, sizeof sum);
  if (sum != picus_check_sum(to->bytes, to->size - sizeof sum)) return fmu_refuse(x, "the state of the FMU is damaged");
  void *here = NULL;
  (void)fmu_state_get(x, &here);
  picus_status status = change_state(x, here, to);
  if (status) {
    char reason[600];
    snprintf(reason, sizeof reason, "%s", picus_last_error(x->context)->message);
    if (!here || change_state(x, to, here)) fmu_reset(x);
    status = picus_fail(x->context, status, "%s", reason);
  }
  fmu_state_release(&here);
  return status;
}

picus_status fmu_state_size(fmu_instance *x, const void *state, size_t *size) {
  const state_block *block = block_of(state);
  if (!block) return fmu_refuse(x, "this is not a state of an FMU of Picus");
  *size = block->size;
  return PICUS_OK;
}

picus_status fmu_state_write(fmu_instance *x, const void *state, void *bytes, size_t size) {
  const state_block *block = block_of(state);
  if (!block) return fmu_refuse(x, "this is not a state of an FMU of Picus");
  if (size < block->size)
    return fmu_refuse(x, "the state has %zu bytes, more than the %zu that it may fill", block->size, size);
  memcpy(bytes, block->bytes, block->size);
  return PICUS_OK;
}

picus_status fmu_state_read(fmu_instance *x, const void *bytes, size_t size, void **state) {
  if (*state && !block_of(*state)) return fmu_refuse(x, "the state that would be replaced is not one of this FMU");
  state_block *block = make_block(x, size);
  if (!block) return PICUS_ERROR_MEMORY;
  memcpy(block->bytes, bytes, size);
  free(*state);
  *state = block;
  return PICUS_OK;
}
