/* The functions of FMI 3.0 for co-simulation, with early return at impacts and at events of the model. */
#include "fmu/fmi.h"
#include "fmu/instance.h"

#include <math.h>
#include <picus/base.h>
#include <stdlib.h>
#include <string.h>

// NOLINTBEGIN(readability-function-size): the standard fixes the parameters of its functions
#pragma GCC diagnostic ignored "-Wunused-parameter" /* for the same reason */

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

static fmi3Status refuse(const component *x, const char *message) {
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

fmi3Status fmi3SetDebugLogging(void *c, bool on, size_t count, const char *const categories[]) {
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
  component *x = calloc(1, sizeof *x);
  if (!x) return NULL;
  *x = (component){
      .environment = environment, .log = log, .logs = logs, .has_event_mode = event_mode, .may_return = early_return};
  if (!name || !*name || !token || !resources)
    refuse(x, "fmi3InstantiateCoSimulation needs a name, a token and the folder of the resources");
  else if (required_count > 0)
    refuse(x, "this FMU has no intermediate updates, so it can require no variables for them");
  else if (!fmu_instance_create(token, resources, log_note, x, &x->instance))
    return x;
  else
    refuse(x, x->instance ? fmu_instance_message(x->instance) : "out of memory");
  fmi3FreeInstance(x);
  return NULL;
}

static void *no_such_interface(void *environment, fmi3LogMessageCallback log) {
  if (log) log(environment, fmi3Error, "logStatusError", "this FMU is for co-simulation only");
  return NULL;
}

void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible, bool logs,
                                   void *environment, fmi3LogMessageCallback log) {
  return no_such_interface(environment, log);
}

void *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources, bool visible,
                                        bool logs, void *environment, fmi3LogMessageCallback log,
                                        void (*clock)(void *environment), void (*lock)(void), void (*unlock)(void)) {
  return no_such_interface(environment, log);
}

fmi3Status fmi3EnterInitializationMode(void *c, bool has_tolerance, double tolerance, double start, bool has_stop,
                                       double stop) {
  component *x = enter(c, __func__, FMU_INSTANTIATED);
  if (!x) return fmi3Error;
  if (has_stop && !(stop > start))
    return refuse(x, "fmi3EnterInitializationMode: the stop time is not after the start time");
  picus_status status = fmu_set_experiment(x->instance, start, has_tolerance ? tolerance : NAN);
  if (!status) status = fmu_build(x->instance);
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
  if (!x->has_event_mode) return refuse(x, "fmi3EnterEventMode: the instance was made without an event mode");
  fmu_enter(x->instance, FMU_EVENT);
  return fmi3OK;
}

fmi3Status fmi3EnterStepMode(void *c) {
  component *x = enter(c, __func__, FMU_EVENT);
  if (!x) return fmi3Error;
  fmu_enter(x->instance, FMU_STEPPING);
  return fmi3OK;
}

fmi3Status fmi3EnterConfigurationMode(void *c) { return refuse(c, "this FMU has no structural parameters"); }
fmi3Status fmi3ExitConfigurationMode(void *c) { return refuse(c, "this FMU has no structural parameters"); }

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

static fmi3Status check_lists(const component *x, const void *refs, size_t count, const void *values,
                              size_t value_count) {
  if (count && (!refs || !values)) return refuse(x, "the list of references or of values is missing");
  return value_count == count ? fmi3OK : refuse(x, "all variables of this FMU are scalars: one value for each");
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

static fmi3Status no_such_type(const component *x, size_t count) {
  return x && count == 0 ? fmi3OK : refuse(x, "all variables of this FMU are of the type Float64");
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type
#define FMI3_DEFINE(name, type)                                                                                        \
  fmi3Status fmi3Get##name(void *c, const uint32_t *refs, size_t count, type *values, size_t value_count) {            \
    return no_such_type(c, count);                                                                                     \
  }                                                                                                                    \
  fmi3Status fmi3Set##name(void *c, const uint32_t *refs, size_t count, const type *values, size_t value_count) {      \
    return no_such_type(c, count);                                                                                     \
  }
FMI3_OTHER_TYPES(FMI3_DEFINE)
#undef FMI3_DEFINE
// NOLINTEND(bugprone-macro-parentheses)

fmi3Status fmi3GetString(void *c, const uint32_t *refs, size_t count, const char **values, size_t value_count) {
  return no_such_type(c, count);
}
fmi3Status fmi3SetString(void *c, const uint32_t *refs, size_t count, const char *const *values, size_t value_count) {
  return no_such_type(c, count);
}
fmi3Status fmi3GetBinary(void *c, const uint32_t *refs, size_t count, size_t *sizes, const uint8_t **values,
                         size_t value_count) {
  return no_such_type(c, count);
}
fmi3Status fmi3SetBinary(void *c, const uint32_t *refs, size_t count, const size_t *sizes, const uint8_t *const *values,
                         size_t value_count) {
  return no_such_type(c, count);
}
fmi3Status fmi3GetClock(void *c, const uint32_t *refs, size_t count, bool *values) { return no_such_type(c, count); }
fmi3Status fmi3SetClock(void *c, const uint32_t *refs, size_t count, const bool *values) {
  return no_such_type(c, count);
}

/* --- what this FMU does not provide, as its description states ---------------------------------------------------- */

fmi3Status fmi3GetNumberOfVariableDependencies(void *c, uint32_t ref, size_t *count) {
  return refuse(c, "this FMU has no dependencies by element");
}
fmi3Status fmi3GetVariableDependencies(void *c, uint32_t dependent, size_t *of_dependent, uint32_t *independents,
                                       size_t *of_independents, fmi3DependencyKind *kinds, size_t count) {
  return refuse(c, "this FMU has no dependencies by element");
}
fmi3Status fmi3GetDirectionalDerivative(void *c, const uint32_t *unknowns, size_t unknown_count, const uint32_t *knowns,
                                        size_t known_count, const double *seed, size_t seed_count, double *sensitivity,
                                        size_t sensitivity_count) {
  return refuse(c, "this FMU has no directional derivatives");
}
fmi3Status fmi3GetAdjointDerivative(void *c, const uint32_t *unknowns, size_t unknown_count, const uint32_t *knowns,
                                    size_t known_count, const double *seed, size_t seed_count, double *sensitivity,
                                    size_t sensitivity_count) {
  return refuse(c, "this FMU has no adjoint derivatives");
}
fmi3Status fmi3GetOutputDerivatives(void *c, const uint32_t *refs, size_t count, const int32_t *orders, double *values,
                                    size_t value_count) {
  return c && count == 0 ? fmi3OK : refuse(c, "this FMU has no derivatives of outputs");
}

static fmi3Status no_clocks(const component *x, size_t count) {
  return x && count == 0 ? fmi3OK : refuse(x, "this FMU has no clocks");
}

fmi3Status fmi3GetIntervalDecimal(void *c, const uint32_t *refs, size_t count, double *intervals,
                                  fmi3IntervalQualifier *qualifiers) {
  return no_clocks(c, count);
}
fmi3Status fmi3GetIntervalFraction(void *c, const uint32_t *refs, size_t count, uint64_t *counters,
                                   uint64_t *resolutions, fmi3IntervalQualifier *qualifiers) {
  return no_clocks(c, count);
}
fmi3Status fmi3GetShiftDecimal(void *c, const uint32_t *refs, size_t count, double *shifts) {
  return no_clocks(c, count);
}
fmi3Status fmi3GetShiftFraction(void *c, const uint32_t *refs, size_t count, uint64_t *counters,
                                uint64_t *resolutions) {
  return no_clocks(c, count);
}
fmi3Status fmi3SetIntervalDecimal(void *c, const uint32_t *refs, size_t count, const double *intervals) {
  return no_clocks(c, count);
}
fmi3Status fmi3SetIntervalFraction(void *c, const uint32_t *refs, size_t count, const uint64_t *counters,
                                   const uint64_t *resolutions) {
  return no_clocks(c, count);
}
fmi3Status fmi3SetShiftDecimal(void *c, const uint32_t *refs, size_t count, const double *shifts) {
  return no_clocks(c, count);
}
fmi3Status fmi3SetShiftFraction(void *c, const uint32_t *refs, size_t count, const uint64_t *counters,
                                const uint64_t *resolutions) {
  return no_clocks(c, count);
}

/* --- states ------------------------------------------------------------------------------------------------------- */

fmi3Status fmi3GetFMUState(void *c, void **state) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi3Error;
  return state ? answer(x, fmu_state_get(x->instance, state)) : refuse(x, "fmi3GetFMUState: no place for the state");
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
  return size ? answer(x, fmu_state_size(x->instance, state, size)) : refuse(x, "there is no place for the size");
}

fmi3Status fmi3SerializeFMUState(void *c, void *state, uint8_t *bytes, size_t size) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi3Error;
  return bytes ? answer(x, fmu_state_write(x->instance, state, bytes, size))
               : refuse(x, "there is no place for the bytes of the state");
}

fmi3Status fmi3DeserializeFMUState(void *c, const uint8_t *bytes, size_t size, void **state) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi3Error;
  if (!bytes || !state) return refuse(x, "fmi3DeserializeFMUState: no bytes, or no place for the state");
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
  component *x = enter(c, __func__, FMU_STEPPING);
  if (!x) return fmi3Error;
  if (!needs_events || !terminates || !returned_early || !last_time)
    return refuse(x, "fmi3DoStep: no place for one of its results");
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

/* --- functions of the other kinds of FMUs ------------------------------------------------------------------------- */

static fmi3Status not_here(const component *x) { return refuse(x, "this FMU is for co-simulation only"); }

fmi3Status fmi3EnterContinuousTimeMode(void *c) { return not_here(c); }
fmi3Status fmi3CompletedIntegratorStep(void *c, bool no_return, bool *enter_events, bool *terminates) {
  return not_here(c);
}
fmi3Status fmi3SetTime(void *c, double t) { return not_here(c); }
fmi3Status fmi3SetContinuousStates(void *c, const double *states, size_t count) { return not_here(c); }
fmi3Status fmi3GetContinuousStateDerivatives(void *c, double *derivatives, size_t count) { return not_here(c); }
fmi3Status fmi3GetEventIndicators(void *c, double *indicators, size_t count) { return not_here(c); }
fmi3Status fmi3GetContinuousStates(void *c, double *states, size_t count) { return not_here(c); }
fmi3Status fmi3GetNominalsOfContinuousStates(void *c, double *nominals, size_t count) { return not_here(c); }
fmi3Status fmi3GetNumberOfEventIndicators(void *c, size_t *count) { return not_here(c); }
fmi3Status fmi3GetNumberOfContinuousStates(void *c, size_t *count) { return not_here(c); }
fmi3Status fmi3ActivateModelPartition(void *c, uint32_t clock, double t) { return not_here(c); }
// NOLINTEND(readability-function-size)
