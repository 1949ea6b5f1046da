/* The functions of FMI 2.0 for co-simulation. */
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
  fmi2CallbackFunctions callbacks;
  char *name;
  int logs;
} component;

/* --- messages ----------------------------------------------------------------------------------------------------- */

static void tell(const component *x, fmi2Status status, const char *category, const char *message) {
  if (x->callbacks.logger)
    x->callbacks.logger(x->callbacks.componentEnvironment, x->name, status, category, "%s", message);
}

static void log_note(void *user, picus_log_level level, const char *message) {
  const component *x = user;
  if (x->logs)
    tell(x, level == PICUS_LOG_WARNING ? fmi2Warning : fmi2OK,
         level == PICUS_LOG_WARNING ? "logStatusWarning" : "logAll", message);
}

/* What the importer gets for a status of the library: errors are told whether it logs or not. */
static fmi2Status answer(const component *x, picus_status status) {
  if (!status) return fmi2OK;
  tell(x, fmi2Error, "logStatusError", fmu_instance_message(x->instance));
  return fmi2Error;
}

fmi2Status fmu_refuse2(void *c, const char *message) {
  const component *x = c;
  if (x) tell(x, fmi2Error, "logStatusError", message);
  return fmi2Error;
}

/* NULL: the call is not allowed where the instance is, told already; or there is no instance. */
static component *enter(void *c, const char *call, int phases) {
  component *x = c;
  if (!x || !fmu_allow(x->instance, call, phases)) return x;
  (void)answer(x, PICUS_ERROR_ARGUMENT);
  return NULL;
}

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }

/* All categories, whichever the importer names. */
fmi2Status fmi2SetDebugLogging(void *c, int on, size_t count, const char *const categories[]) {
  (void)count;
  (void)categories;
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi2Error;
  x->logs = on != 0;
  return fmi2OK;
}

/* --- life --------------------------------------------------------------------------------------------------------- */

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The path of a URI such as file:///tmp/a%20b/resources; other texts are paths already. NULL: out of memory. */
static char *path_of(const char *uri) {
  static const char scheme[] = "file:";
  const bool is_uri = strncmp(uri, scheme, sizeof scheme - 1) == 0;
  if (is_uri) uri += sizeof scheme - 1;
  if (strncmp(uri, "//localhost/", 12) == 0) uri += 11;
  if (strncmp(uri, "///", 3) == 0) uri += 2;
  char *path = malloc(strlen(uri) + 1), *to = path;
  for (; path && *uri; uri++) {
    const int high = is_uri && *uri == '%' ? digit_of(uri[1]) : -1, low = high >= 0 ? digit_of(uri[2]) : -1;
    const bool is_coded = low >= 0 && (high || low); /* no zero byte */
    *to++ = is_coded ? (char)(high * 16 + low) : *uri;
    if (is_coded) uri += 2;
  }
  if (path) *to = '\0';
  return path;
}

static component *create(const char *name, const fmi2CallbackFunctions *functions, int logs) {
  component *x = calloc(1, sizeof *x);
  if (!x) return NULL;
  x->name = malloc(strlen(name) + 1);
  if (!x->name) {
    free(x);
    return NULL;
  }
  memcpy(x->name, name, strlen(name) + 1);
  if (functions) x->callbacks = *functions;
  x->logs = logs != 0;
  return x;
}

void fmi2FreeInstance(void *c) {
  component *x = c;
  if (!x) return;
  fmu_instance_destroy(x->instance);
  free(x->name);
  free(x);
}

void *fmi2Instantiate(const char *name, fmi2Type type, const char *guid, const char *resources,
                      const fmi2CallbackFunctions *functions, int visible, int logs) {
  (void)visible; /* it has no window */
  component *x = create(name && *name ? name : "picus", functions, logs);
  if (!x) return NULL;
  char *path = resources ? path_of(resources) : NULL;
  if (!name || !*name || !guid || !path)
    fmu_refuse2(x, "fmi2Instantiate needs a name, a GUID and the folder of the resources");
  else if (type != fmi2CoSimulation)
    fmu_refuse2(x, "this FMU is for co-simulation; it has no model exchange");
  else if (!fmu_instance_create(guid, path, log_note, x, &x->instance)) {
    free(path);
    return x;
  } else
    fmu_refuse2(x, x->instance ? fmu_instance_message(x->instance) : "out of memory");
  free(path);
  fmi2FreeInstance(x);
  return NULL;
}

fmi2Status fmi2SetupExperiment(void *c, int has_tolerance, double tolerance, double start, int has_stop, double stop) {
  component *x = enter(c, __func__, FMU_INSTANTIATED);
  if (!x) return fmi2Error;
  if (has_stop && !(stop > start))
    return fmu_refuse2(x, "fmi2SetupExperiment: the stop time is not after the start time");
  return answer(x, fmu_set_experiment(x->instance, start, has_tolerance ? tolerance : NAN));
}

fmi2Status fmi2EnterInitializationMode(void *c) {
  component *x = enter(c, __func__, FMU_INSTANTIATED);
  if (!x) return fmi2Error;
  const picus_status status = fmu_build(x->instance);
  if (!status) fmu_enter(x->instance, FMU_INITIALIZING);
  return answer(x, status);
}

fmi2Status fmi2ExitInitializationMode(void *c) {
  component *x = enter(c, __func__, FMU_INITIALIZING);
  if (!x) return fmi2Error;
  const picus_status status = fmu_build(x->instance);
  if (!status) fmu_enter(x->instance, FMU_STEPPING);
  return answer(x, status);
}

fmi2Status fmi2Terminate(void *c) {
  component *x = enter(c, __func__, FMU_STEPPING);
  if (!x) return fmi2Error;
  fmu_enter(x->instance, FMU_TERMINATED);
  return fmi2OK;
}

fmi2Status fmi2Reset(void *c) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi2Error;
  fmu_reset(x->instance);
  return fmi2OK;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

fmi2Status fmi2GetReal(void *c, const unsigned *refs, size_t count, double *values) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi2Error;
  if (count && (!refs || !values)) return fmu_refuse2(x, "fmi2GetReal: the list of references or of values is missing");
  return answer(x, fmu_get(x->instance, refs, count, values));
}

fmi2Status fmi2SetReal(void *c, const unsigned *refs, size_t count, const double *values) {
  component *x = enter(c, __func__, FMU_INSTANTIATED | FMU_INITIALIZING | FMU_STEPPING);
  if (!x) return fmi2Error;
  if (count && (!refs || !values)) return fmu_refuse2(x, "fmi2SetReal: the list of references or of values is missing");
  return answer(x, fmu_set(x->instance, refs, count, values));
}

fmi2Status fmi2SetRealInputDerivatives(void *c, const unsigned *refs, size_t count, const int *orders,
                                       const double *values) {
  component *x = enter(c, __func__, FMU_INITIALIZING | FMU_STEPPING);
  if (!x) return fmi2Error;
  if (count && (!refs || !orders || !values)) return fmu_refuse2(x, "fmi2SetRealInputDerivatives: a list is missing");
  return answer(x, fmu_set_rates(x->instance, refs, count, orders, values));
}

/* --- states ------------------------------------------------------------------------------------------------------- */

enum { WITH_STATE = FMU_INITIALIZING | FMU_STEPPING | FMU_TERMINATED };

fmi2Status fmi2GetFMUstate(void *c, void **state) {
  component *x = enter(c, __func__, WITH_STATE | FMU_INSTANTIATED);
  if (!x) return fmi2Error;
  return state ? answer(x, fmu_state_get(x->instance, state))
               : fmu_refuse2(x, "fmi2GetFMUstate: no place for the state");
}

fmi2Status fmi2SetFMUstate(void *c, void *state) {
  component *x = enter(c, __func__, WITH_STATE | FMU_INSTANTIATED);
  if (!x) return fmi2Error;
  return answer(x, fmu_state_set(x->instance, state));
}

fmi2Status fmi2FreeFMUstate(void *c, void **state) {
  if (!enter(c, __func__, FMU_ANYWHERE)) return fmi2Error;
  fmu_state_release(state);
  return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(void *c, void *state, size_t *size) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi2Error;
  return size ? answer(x, fmu_state_size(x->instance, state, size)) : fmu_refuse2(x, "there is no place for the size");
}

fmi2Status fmi2SerializeFMUstate(void *c, void *state, char *bytes, size_t size) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi2Error;
  return bytes ? answer(x, fmu_state_write(x->instance, state, bytes, size))
               : fmu_refuse2(x, "there is no place for the bytes of the state");
}

fmi2Status fmi2DeSerializeFMUstate(void *c, const char *bytes, size_t size, void **state) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi2Error;
  if (!bytes || !state) return fmu_refuse2(x, "fmi2DeSerializeFMUstate: no bytes, or no place for the state");
  return answer(x, fmu_state_read(x->instance, bytes, size, state));
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

fmi2Status fmi2DoStep(void *c, double t, double h, int no_return) {
  (void)no_return; /* states of before can be set at any time */
  component *x = enter(c, __func__, FMU_STEPPING);
  if (!x) return fmi2Error;
  fmu_step step;
  const picus_status status = fmu_make_step(x->instance, t, h, false, &step);
  if (!status && fmu_has_ended(x->instance)) {
    tell(x, fmi2Discard, "logStatusDiscard", "an event of the model ended the run before the end of the step");
    return fmi2Discard;
  }
  return answer(x, status);
}

fmi2Status fmi2GetRealStatus(void *c, fmi2StatusKind kind, double *value) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi2Error;
  if (kind != fmi2LastSuccessfulTime || !value)
    return fmu_refuse2(x, "fmi2GetRealStatus has fmi2LastSuccessfulTime only");
  const picus_status status = fmu_build(x->instance);
  if (!status) *value = fmu_time(x->instance);
  return answer(x, status);
}

fmi2Status fmi2GetBooleanStatus(void *c, fmi2StatusKind kind, int *value) {
  component *x = enter(c, __func__, FMU_ANYWHERE);
  if (!x) return fmi2Error;
  if (kind != fmi2Terminated || !value) return fmu_refuse2(x, "fmi2GetBooleanStatus has fmi2Terminated only");
  *value = fmu_has_ended(x->instance);
  return fmi2OK;
}

// NOLINTEND(readability-function-size)
