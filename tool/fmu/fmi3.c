/* The functions of FMI 3.0 for co-simulation, with early return at impacts and at events of the model. */
#include "fmu/fmi.h"
#include "fmu/instance.h"
#include "fmu/not_provided.h"

#include <math.h>
#include <picus/base.h>
#include <stdlib.h>
#include <string.h>

// NOLINTBEGIN(readability-function-size): the standard fixes the parameters of its functions

typedef struct component {
  fmu_instance *instance;
  void *environment;
  fmi3LogMessageCallback log;
  bool logs, has_event_mode, may_return;
} component;

/* --- messages ----------------------------------------------------------------------------------------------------- */

static void tell(const component *x, fmi3Status status, const char *category, const char *message) {
  if (x->log) x->log(x->environment, status, category, message);
}

static void log_note(void *user, picus_log_level level, const char *message) {
  const component *x = user;
  if (x->logs)
    tell(x, level == PICUS_LOG_WARNING ? fmi3Warning : fmi3OK,
         level == PICUS_LOG_WARNING ? "logStatusWarning" : "logAll", message);
}

static fmi3Status answer(const component *x, picus_status status) {
  if (!status) return fmi3OK;
  tell(x, fmi3Error, "logStatusError", fmu_instance_message(x->instance));
  return fmi3Error;
}

fmi3Status fmu_refuse3(void *c, const char *message) {
  const component *x = c;
  if (x) tell(x, fmi3Error, "logStatusError", message);
  return fmi3Error;
}

/* NULL: the call is not allowed where the instance is, told already; or there is no instance. */
static component *enter(void *c, const char *call, int phases) {
  component *x = c;
  if (!x || !fmu_allow(x->instance, call, phases)) return x;
  (void)answer(x, PICUS_ERROR_ARGUMENT);
  return NULL;
}

const char *fmi3GetVersion(void) { return "3.0"; }

/* All categories, whichever the importer names. */
fmi3Status fmi3SetDebugLogging(void *c, bool on, size_t count, const char *const categories[]) {
  (void)count;
  (void)categories;
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi3Error;
  x->logs = on;
  return fmi3OK;
}

/* --- life --------------------------------------------------------------------------------------------------------- */

void fmi3FreeInstance(void *c) {
  component *x = c;
  if (!x) return;
  fmu_instance_destroy(x->instance);
  free(x);
}

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible, bool logs,
                                  bool event_mode, bool early_return, const uint32_t *required, size_t required_count,
                                  void *environment, fmi3LogMessageCallback log,
                                  fmi3IntermediateUpdateCallback update) {
  (void)visible; /* it has no window */
  (void)required;
  (void)update; /* there are no intermediate updates */
  component *x = calloc(1, sizeof *x);
  if (!x) return NULL;
  *x = (component){
      .environment = environment, .log = log, .logs = logs, .has_event_mode = event_mode, .may_return = early_return};
  if (!name || !*name || !token || !resources)
    fmu_refuse3(x, "fmi3InstantiateCoSimulation needs a name, a token and the folder of the resources");
  else if (required_count > 0)
    fmu_refuse3(x, "this FMU has no intermediate updates, so it can require no variables for them");
  else if (!fmu_instance_create(token, resources, log_note, x, &x->instance))
    return x;
  else
    fmu_refuse3(x, x->instance ? fmu_instance_message(x->instance) : "out of memory");
  fmi3FreeInstance(x);
  return NULL;
}

fmi3Status fmi3EnterInitializationMode(void *c, bool has_tolerance, double tolerance, double start, bool has_stop,
                                       double stop) {
  component *x = enter(c, __func__, FMU_INSTANTIATED);
  if (!x) return fmi3Error;
  if (has_stop && !(stop > start))
    return fmu_refuse3(x, "fmi3EnterInitializationMode: the stop time is not after the start time");
  const picus_status status = fmu_begin_experiment(x->instance, start, has_tolerance ? tolerance : NAN);
  if (!status) fmu_enter(x->instance, FMU_INITIALIZING);
  return answer(x, status);
}

fmi3Status fmi3ExitInitializationMode(void *c) {
  component *x = enter(c, __func__, FMU_INITIALIZING);
  if (!x) return fmi3Error;
  const picus_status status = fmu_build(x->instance);
  if (!status) fmu_enter(x->instance, x->has_event_mode ? FMU_EVENT : FMU_STEPPING);
  return answer(x, status);
}

fmi3Status fmi3EnterEventMode(void *c) {
  component *x = enter(c, __func__, FMU_STEPPING);
  if (!x) return fmi3Error;
  if (!x->has_event_mode) return fmu_refuse3(x, "fmi3EnterEventMode: the instance was made without an event mode");
  fmu_enter(x->instance, FMU_EVENT);
  return fmi3OK;
}

fmi3Status fmi3EnterStepMode(void *c) {
  component *x = enter(c, __func__, FMU_EVENT);
  if (!x) return fmi3Error;
  fmu_enter(x->instance, FMU_STEPPING);
  return fmi3OK;
}

fmi3Status fmi3Terminate(void *c) {
  component *x = enter(c, __func__, FMU_EVENT | FMU_STEPPING);
  if (!x) return fmi3Error;
  fmu_enter(x->instance, FMU_TERMINATED);
  return fmi3OK;
}

fmi3Status fmi3Reset(void *c) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi3Error;
  fmu_reset(x->instance);
  return fmi3OK;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static fmi3Status check_lists(component *x, const void *refs, size_t count, const void *values, size_t value_count) {
  if (count && (!refs || !values)) return fmu_refuse3(x, "the list of references or of values is missing");
  return value_count == count ? fmi3OK : fmu_refuse3(x, "all variables of this FMU are scalars: one value for each");
}

fmi3Status fmi3GetFloat64(void *c, const uint32_t *refs, size_t count, double *values, size_t value_count) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi3Error;
  if (check_lists(x, refs, count, values, value_count)) return fmi3Error;
  return answer(x, fmu_get(x->instance, refs, count, values));
}

fmi3Status fmi3SetFloat64(void *c, const uint32_t *refs, size_t count, const double *values, size_t value_count) {
  component *x = enter(c, __func__, FMU_INSTANTIATED | FMU_INITIALIZING | FMU_EVENT | FMU_STEPPING);
  if (!x) return fmi3Error;
  if (check_lists(x, refs, count, values, value_count)) return fmi3Error;
  return answer(x, fmu_set(x->instance, refs, count, values));
}

/* --- states ------------------------------------------------------------------------------------------------------- */

fmi3Status fmi3GetFMUState(void *c, void **state) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi3Error;
  return state ? answer(x, fmu_state_get(x->instance, state))
               : fmu_refuse3(x, "fmi3GetFMUState: no place for the state");
}

fmi3Status fmi3SetFMUState(void *c, void *state) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi3Error;
  return answer(x, fmu_state_set(x->instance, state));
}

fmi3Status fmi3FreeFMUState(void *c, void **state) {
  if (!enter(c, __func__, FMU_ANYWHERE)) return fmi3Error;
  fmu_state_release(state);
  return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize(void *c, void *state, size_t *size) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi3Error;
  return size ? answer(x, fmu_state_size(x->instance, state, size)) : fmu_refuse3(x, "there is no place for the size");
}

fmi3Status fmi3SerializeFMUState(void *c, void *state, uint8_t *bytes, size_t size) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi3Error;
  return bytes ? answer(x, fmu_state_write(x->instance, state, bytes, size))
               : fmu_refuse3(x, "there is no place for the bytes of the state");
}

fmi3Status fmi3DeserializeFMUState(void *c, const uint8_t *bytes, size_t size, void **state) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi3Error;
  if (!bytes || !state) return fmu_refuse3(x, "fmi3DeserializeFMUState: no bytes, or no place for the state");
  return answer(x, fmu_state_read(x->instance, bytes, size, state));
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

fmi3Status fmi3EvaluateDiscreteStates(void *c) {
  if (!enter(c, __func__, FMU_INITIALIZING | FMU_EVENT)) return fmi3Error;
  return fmi3OK;
}

/* The event is over when the step that had it ends: velocities have their values after the impact. */
fmi3Status fmi3UpdateDiscreteStates(void *c, bool *needs_update, bool *terminates, bool *nominals_changed,
                                    bool *values_changed, bool *has_next_event, double *next_event) {
  component *x = enter(c, __func__, FMU_EVENT);
  if (!x) return fmi3Error;
  if (needs_update) *needs_update = false;
  if (terminates) *terminates = fmu_has_ended(x->instance);
  if (nominals_changed) *nominals_changed = false;
  if (values_changed) *values_changed = false;
  if (has_next_event) *has_next_event = false;
  if (next_event) *next_event = 0;
  return fmi3OK;
}

fmi3Status fmi3DoStep(void *c, double t, double h, bool no_return, bool *needs_events, bool *terminates,
                      bool *returned_early, double *last_time) {
  (void)no_return; /* states of before can be set at any time */
  component *x = enter(c, __func__, FMU_STEPPING);
  if (!x) return fmi3Error;
  if (!needs_events || !terminates || !returned_early || !last_time)
    return fmu_refuse3(x, "fmi3DoStep: no place for one of its results");
  *needs_events = *terminates = *returned_early = false;
  *last_time = fmu_time(x->instance);
  fmu_step step;
  const picus_status status = fmu_make_step(x->instance, t, h, x->may_return, &step);
  *last_time = step.t;
  if (status) return answer(x, status);
  *terminates = fmu_has_ended(x->instance);
  *returned_early = step.t < t + h;
  *needs_events = x->has_event_mode && x->may_return && step.event;
  return fmi3OK;
}

// NOLINTEND(readability-function-size)
