#include "support/fmu_calls.h"
#include "support/check.h"

#include <stdarg.h>
#include <stdio.h>

/* --- functions
 * -------------------------------------------------------------------------------------------------------- */

#define FIND2(f, fmu, name) test_fmu_find(fmu, "fmi2" #name, &(f)->name)
#define FIND3(f, fmu, name) test_fmu_find(fmu, "fmi3" #name, &(f)->name)
bool test_fmi2_find(const test_fmu *fmu, fmi2 *f) {
  return FIND2(f, fmu, Instantiate) && FIND2(f, fmu, FreeInstance) && FIND2(f, fmu, SetupExperiment) &&
         FIND2(f, fmu, EnterInitializationMode) && FIND2(f, fmu, ExitInitializationMode) && FIND2(f, fmu, Terminate) &&
         FIND2(f, fmu, Reset) && FIND2(f, fmu, GetReal) && FIND2(f, fmu, SetReal) && FIND2(f, fmu, GetInteger) &&
         FIND2(f, fmu, SetRealInputDerivatives) && FIND2(f, fmu, DoStep) && FIND2(f, fmu, GetFMUstate) &&
         FIND2(f, fmu, SetFMUstate) && FIND2(f, fmu, FreeFMUstate) && FIND2(f, fmu, SerializedFMUstateSize) &&
         FIND2(f, fmu, SerializeFMUstate) && FIND2(f, fmu, DeSerializeFMUstate) && FIND2(f, fmu, GetRealStatus) &&
         FIND2(f, fmu, GetBooleanStatus);
}

bool test_fmi3_find(const test_fmu *fmu, fmi3 *f) {
  return FIND3(f, fmu, InstantiateCoSimulation) && FIND3(f, fmu, FreeInstance) &&
         FIND3(f, fmu, EnterInitializationMode) && FIND3(f, fmu, ExitInitializationMode) &&
         FIND3(f, fmu, EnterEventMode) && FIND3(f, fmu, EnterStepMode) && FIND3(f, fmu, UpdateDiscreteStates) &&
         FIND3(f, fmu, GetFloat64) && FIND3(f, fmu, SetFloat64) && FIND3(f, fmu, DoStep) &&
         FIND3(f, fmu, GetFMUState) && FIND3(f, fmu, SetFMUState) && FIND3(f, fmu, FreeFMUState) &&
         FIND3(f, fmu, SerializedFMUStateSize) && FIND3(f, fmu, SerializeFMUState) &&
         FIND3(f, fmu, DeserializeFMUState) && FIND3(f, fmu, Terminate) && FIND3(f, fmu, Reset) &&
         FIND3(f, fmu, GetInt32);
}
/* --- messages
 * --------------------------------------------------------------------------------------------------------- */

static void take_message(void *environment, const char *instance, fmi2Status status, const char *category,
                         const char *message, ...) {
  message_log *log = environment;
  va_list list;
  (void)instance;
  if (!log || status != fmi2Error) return;
  CHECK_TEXT(category, "logStatusError");
  va_start(list, message);
  vsnprintf(log->last, sizeof log->last, message, list);
  va_end(list);
  log->count++;
}

static void take_message3(void *environment, fmi3Status status, const char *category, const char *message) {
  message_log *log = environment;
  (void)category;
  if (!log || status != fmi3Error) return;
  snprintf(log->last, sizeof log->last, "%s", message);
  log->count++;
}

/* --- instances
 * -------------------------------------------------------------------------------------------------------- */

void *test_fmi2_instantiate(const test_fmu *fmu, const fmi2 *f, message_log *log) {
  const fmi2CallbackFunctions callbacks = {.logger = take_message, .componentEnvironment = log};
  char uri[FMU_PATH + 10];
  snprintf(uri, sizeof uri, "file://%s", fmu->resources);
  return f->Instantiate("one", fmi2CoSimulation, fmu->token, uri, &callbacks, 0, 0);
}

void *test_fmi3_instantiate(const test_fmu *fmu, const fmi3 *f, bool events, bool early, message_log *log) {
  return f->InstantiateCoSimulation("one", fmu->token, fmu->resources, false, false, events, early, NULL, 0, log,
                                    take_message3, NULL);
}

void *test_fmi2_begin(const test_fmu *fmu, const fmi2 *f, message_log *log) {
  void *c = test_fmi2_instantiate(fmu, f, log);
  if (CHECK(c != NULL) && CHECK(f->SetupExperiment(c, 0, 0, 0, 0, 0) == fmi2OK) &&
      CHECK(f->EnterInitializationMode(c) == fmi2OK) && CHECK(f->ExitInitializationMode(c) == fmi2OK))
    return c;
  return NULL;
}

void *test_fmi3_begin(const test_fmu *fmu, const fmi3 *f, bool events, bool early, message_log *log) {
  void *c = test_fmi3_instantiate(fmu, f, events, early, log);
  if (CHECK(c != NULL) && CHECK(f->EnterInitializationMode(c, false, 0, 0, true, 3) == fmi3OK) &&
      CHECK(f->ExitInitializationMode(c) == fmi3OK))
    return c;
  return NULL;
}

/* --- models
 * ----------------------------------------------------------------------------------------------------------- */

void test_fmu_write(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (!CHECK(file != NULL)) return;
  fputs(text, file);
  fclose(file);
}

const char test_fmu_ball[600] = "model('ball', 'a ball drops from 1 m & bounces <hard>')\n"
                                "local p = parameters {g = {9.81, 'm/s^2'}, e = {0.7}, h0 = {1, 'm'}, h1 = {1, 'm'}}\n"
                                "local q, u = coordinates {{'h', velocity = 'v', start = {p.h0, 0}, unit = 'm'}}\n"
                                "kinetic(u.v^2 / 2)\n"
                                "potential(p.g * q.h)\n"
                                "contact {'ground', gap = q.h, eN = p.e}\n"
                                "observe {'twice', 2 * q.h}\n"
                                "simulate {scheme = 'moreau', dt = 1e-3, t_end = 3}\n";

const char test_fmu_cart[600] = "model('cart', 'pushed by inputs')\n"
                                "local p = parameters {m = {2, 'kg'}}\n"
                                "local i = inputs {{'F', unit = 'N', label = 'force'}, {'G', rate = 0, unit = 'N'}}\n"
                                "local q, u = coordinates {{'x', velocity = 'v', start = {0, 0}, unit = 'm'}}\n"
                                "kinetic(p.m * u.v^2 / 2)\n"
                                "force {x = i.F + i.G}\n"
                                "simulate {scheme = 'moreau', dt = 2^-10, t_end = 1}\n";

const char test_fmu_busy[900] = "model('busy', 'pushed, and ended by an event')\n"
                                "local p = parameters {e = {0.7}, h0 = {0.1, 'm'}}\n"
                                "local i = inputs {{'F', unit = 'N'}, {'G', rate = 0, unit = 'N'}}\n"
                                "local q, u = coordinates {{'h', velocity = 'v', start = {p.h0, 0}, unit = 'm'}}\n"
                                "kinetic(u.v^2 / 2)\n"
                                "potential(9.81 * q.h)\n"
                                "force {h = i.F + i.G}\n"
                                "contact {'ground', gap = q.h, eN = p.e}\n"
                                "local hits = state {'hits'}\n"
                                "on {'hit', law = 'ground', becomes = 'impact', set = {hits = hits + 1}}\n"
                                "stop_when(gt(hits, 2.5))\n"
                                "simulate {scheme = 'moreau', dt = 1e-3, t_end = 3}\n";
