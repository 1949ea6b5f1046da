/* FMUs, as an importer sees them: the archive, the description, runs against those of the library, states, events,
 * threads, calls in a wrong order, damaged resources. */
#define _POSIX_C_SOURCE 200809L
#include "support/fmu.h"
#include "base/archive.h"
#include "fmu/fmi.h"
#include "support/check.h"
#include "support/tool.h"

#include <math.h>
#include <picus/picus.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- functions of both versions ----------------------------------------------------------------------------------- */

typedef struct fmi2 {
  void *(*Instantiate)(const char *, fmi2Type, const char *, const char *, const fmi2CallbackFunctions *, int, int);
  void (*FreeInstance)(void *);
  fmi2Status (*SetupExperiment)(void *, int, double, double, int, double);
  fmi2Status (*EnterInitializationMode)(void *);
  fmi2Status (*ExitInitializationMode)(void *);
  fmi2Status (*Terminate)(void *);
  fmi2Status (*Reset)(void *);
  fmi2Status (*GetReal)(void *, const unsigned *, size_t, double *);
  fmi2Status (*SetReal)(void *, const unsigned *, size_t, const double *);
  fmi2Status (*GetInteger)(void *, const unsigned *, size_t, int *);
  fmi2Status (*SetRealInputDerivatives)(void *, const unsigned *, size_t, const int *, const double *);
  fmi2Status (*DoStep)(void *, double, double, int);
  fmi2Status (*GetFMUstate)(void *, void **);
  fmi2Status (*SetFMUstate)(void *, void *);
  fmi2Status (*FreeFMUstate)(void *, void **);
  fmi2Status (*SerializedFMUstateSize)(void *, void *, size_t *);
  fmi2Status (*SerializeFMUstate)(void *, void *, char *, size_t);
  fmi2Status (*DeSerializeFMUstate)(void *, const char *, size_t, void **);
  fmi2Status (*GetRealStatus)(void *, fmi2StatusKind, double *);
  fmi2Status (*GetBooleanStatus)(void *, fmi2StatusKind, int *);
} fmi2;

typedef struct fmi3 {
  void *(*InstantiateCoSimulation)(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *,
                                   size_t, void *, fmi3LogMessageCallback, fmi3IntermediateUpdateCallback);
  void (*FreeInstance)(void *);
  fmi3Status (*EnterInitializationMode)(void *, bool, double, double, bool, double);
  fmi3Status (*ExitInitializationMode)(void *);
  fmi3Status (*EnterEventMode)(void *);
  fmi3Status (*EnterStepMode)(void *);
  fmi3Status (*UpdateDiscreteStates)(void *, bool *, bool *, bool *, bool *, bool *, double *);
  fmi3Status (*GetFloat64)(void *, const uint32_t *, size_t, double *, size_t);
  fmi3Status (*SetFloat64)(void *, const uint32_t *, size_t, const double *, size_t);
  fmi3Status (*DoStep)(void *, double, double, bool, bool *, bool *, bool *, double *);
  fmi3Status (*GetFMUState)(void *, void **);
  fmi3Status (*SetFMUState)(void *, void *);
  fmi3Status (*FreeFMUState)(void *, void **);
} fmi3;

#define FIND2(f, fmu, name) test_fmu_find(fmu, "fmi2" #name, &(f)->name)
#define FIND3(f, fmu, name) test_fmu_find(fmu, "fmi3" #name, &(f)->name)

static bool find_fmi2(const test_fmu *fmu, fmi2 *f) {
  return FIND2(f, fmu, Instantiate) && FIND2(f, fmu, FreeInstance) && FIND2(f, fmu, SetupExperiment) &&
         FIND2(f, fmu, EnterInitializationMode) && FIND2(f, fmu, ExitInitializationMode) && FIND2(f, fmu, Terminate) &&
         FIND2(f, fmu, Reset) && FIND2(f, fmu, GetReal) && FIND2(f, fmu, SetReal) && FIND2(f, fmu, GetInteger) &&
         FIND2(f, fmu, SetRealInputDerivatives) && FIND2(f, fmu, DoStep) && FIND2(f, fmu, GetFMUstate) &&
         FIND2(f, fmu, SetFMUstate) && FIND2(f, fmu, FreeFMUstate) && FIND2(f, fmu, SerializedFMUstateSize) &&
         FIND2(f, fmu, SerializeFMUstate) && FIND2(f, fmu, DeSerializeFMUstate) && FIND2(f, fmu, GetRealStatus) &&
         FIND2(f, fmu, GetBooleanStatus);
}

static bool find_fmi3(const test_fmu *fmu, fmi3 *f) {
  return FIND3(f, fmu, InstantiateCoSimulation) && FIND3(f, fmu, FreeInstance) &&
         FIND3(f, fmu, EnterInitializationMode) && FIND3(f, fmu, ExitInitializationMode) &&
         FIND3(f, fmu, EnterEventMode) && FIND3(f, fmu, EnterStepMode) && FIND3(f, fmu, UpdateDiscreteStates) &&
         FIND3(f, fmu, GetFloat64) && FIND3(f, fmu, SetFloat64) && FIND3(f, fmu, DoStep) &&
         FIND3(f, fmu, GetFMUState) && FIND3(f, fmu, SetFMUState) && FIND3(f, fmu, FreeFMUState);
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

typedef struct message_log {
  int count;
  char last[600];
} message_log;

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

static void *instantiate(const test_fmu *fmu, const fmi2 *f, message_log *log) {
  const fmi2CallbackFunctions callbacks = {.logger = take_message, .componentEnvironment = log};
  char uri[FMU_PATH + 10];
  snprintf(uri, sizeof uri, "file://%s", fmu->resources);
  return f->Instantiate("one", fmi2CoSimulation, fmu->token, uri, &callbacks, 0, 0);
}

/* An instance that is ready for its first step; NULL: said already. */
static void *begin(const test_fmu *fmu, const fmi2 *f, message_log *log) {
  void *c = instantiate(fmu, f, log);
  if (CHECK(c != NULL) && CHECK(f->SetupExperiment(c, 0, 0, 0, 0, 0) == fmi2OK) &&
      CHECK(f->EnterInitializationMode(c) == fmi2OK) && CHECK(f->ExitInitializationMode(c) == fmi2OK))
    return c;
  return NULL;
}

static void write_model(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (!CHECK(file != NULL)) return;
  fputs(text, file);
  fclose(file);
}

/* The ball of the reference FMUs (Modelica Association): dropped from 1 m, e = 0.7. */
static const char ball[] = "model('ball', 'a ball drops from 1 m & bounces <hard>')\n"
                           "local p = parameters {g = {9.81, 'm/s^2'}, e = {0.7}, h0 = {1, 'm'}, h1 = {1, 'm'}}\n"
                           "local q, u = coordinates {{'h', velocity = 'v', start = {p.h0, 0}, unit = 'm'}}\n"
                           "kinetic(u.v^2 / 2)\n"
                           "potential(p.g * q.h)\n"
                           "contact {'ground', gap = q.h, eN = p.e}\n"
                           "observe {'twice', 2 * q.h}\n"
                           "simulate {scheme = 'moreau', dt = 1e-3, t_end = 3}\n";

/* A mass that two inputs push, one of them with a rate. */
static const char cart[] = "model('cart', 'pushed by inputs')\n"
                           "local p = parameters {m = {2, 'kg'}}\n"
                           "local i = inputs {{'F', unit = 'N', label = 'force'}, {'G', rate = 0, unit = 'N'}}\n"
                           "local q, u = coordinates {{'x', velocity = 'v', start = {0, 0}, unit = 'm'}}\n"
                           "kinetic(p.m * u.v^2 / 2)\n"
                           "force {x = i.F + i.G}\n"
                           "simulate {scheme = 'moreau', dt = 2^-10, t_end = 1}\n";

/* --- the archive and its description ------------------------------------------------------------------------------ */

static void check_structure(const test_fmu *fmu, int outputs) {
  const char *tag = fmu->version == 2 ? "<Unknown index=\"" : "<Output valueReference=\"";
  const char *structure = strstr(fmu->description, "<ModelStructure>");
  int listed = 0;
  REQUIRE(structure != NULL);
  for (const char *at = structure; (at = strstr(at, tag)); at++) {
    const unsigned k = (unsigned)strtoul(at + strlen(tag), NULL, 10) - (fmu->version == 2);
    REQUIRE(k < (unsigned)fmu->variable_count);
    CHECK_TEXT(fmu->variables[k].causality, "output");
    listed++;
  }
  CHECK(listed == (fmu->version == 2 ? 2 * outputs : outputs)); /* 2.0: as initial unknowns, too */
}

static void check_description(const char *command, int version, int parameters, int inputs, int outputs) {
  test_fmu fmu;
  int found[3] = {0};
  static const char *const kinds[] = {"parameter", "input", "output"};
  if (test_fmu_export(command, version, &fmu)) {
    CHECK(fmu.version == version);
    CHECK(strlen(fmu.token) == 64);
    CHECK_TEXT(fmu.variables[0].causality, "independent");
    for (int k = 0; k < fmu.variable_count; k++) {
      CHECK(fmu.variables[k].reference == (unsigned)k);
      for (int i = 0; i < k; i++) CHECK(strcmp(fmu.variables[i].name, fmu.variables[k].name) != 0);
      for (int i = 0; i < 3; i++) found[i] += strcmp(fmu.variables[k].causality, kinds[i]) == 0;
      const bool has_start = !isnan(fmu.variables[k].start);
      CHECK(has_start ==
            (strcmp(fmu.variables[k].causality, "parameter") == 0 || strcmp(fmu.variables[k].causality, "input") == 0));
    }
    CHECK(found[0] == parameters && found[1] == inputs && found[2] == outputs);
    check_structure(&fmu, outputs);
  }
  test_fmu_close(&fmu);
}

static void descriptions_are_complete(void) {
  write_model("ball.lua", ball);
  write_model("cart.lua", cart);
  for (int version = 2; version <= 3; version++) {
    check_description("ball.lua", version, 4, 0, 3);
    check_description("cart.lua", version, 1, 2, 2);
    check_description("woodpecker", version, 24, 0, 6);
  }
}

static bool has_same_bytes(const char *a, const char *b) {
  FILE *one = fopen(a, "rb"), *other = fopen(b, "rb");
  bool same = one && other;
  for (int c = 0; same && c != EOF;) {
    c = fgetc(one);
    same = c == fgetc(other);
  }
  if (one) fclose(one);
  if (other) fclose(other);
  return same;
}

static void an_export_has_the_same_bytes_again(void) {
  CHECK(tool_run("export woodpecker --fmu a.fmu --quiet --set mu=0.35", NULL).code == 0);
  CHECK(tool_run("export woodpecker --fmu b.fmu --quiet --set mu=0.35", NULL).code == 0);
  CHECK(tool_run("export woodpecker --fmu c.fmu --quiet --set mu=0.36", NULL).code == 0);
  CHECK(has_same_bytes("a.fmu", "b.fmu"));
  CHECK(!has_same_bytes("a.fmu", "c.fmu"));
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

/* Rows of the library's own run, for the same options. */
typedef struct own_run {
  picus_context *context;
  picus_model *model;
  picus_system *system;
  picus_memory *memory;
} own_run;

static bool run_library(const char *name, int count, const picus_setting *settings, own_run *r) {
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  picus_sim_options o;
  *r = (own_run){0};
  if (!CHECK(picus_context_create(NULL, &r->context) == PICUS_OK)) return false;
  picus_status status = picus_model_load(r->context, name, NULL, &r->model);
  if (!status) status = picus_model_choose_options(r->model, count, settings, &o);
  if (!status) status = picus_system_create(r->model, &r->system);
  if (!status) status = picus_sim_create(r->context, r->system, &o, &sim);
  const picus_run_description run = {r->model, r->system, &o, ""};
  if (!status) status = picus_recorder_create(r->context, &run, &recorder);
  if (!status) status = picus_memory_create(r->context, &r->memory);
  if (!status) status = picus_recorder_add_memory(recorder, r->memory, 0);
  if (!status) status = picus_sim_run(sim, recorder, NULL, NULL);
  if (status) fprintf(stderr, "%s\n", picus_last_error(r->context)->message);
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  return CHECK(status == PICUS_OK);
}

static void release_run(own_run *r) {
  picus_memory_destroy(r->memory);
  picus_system_destroy(r->system);
  picus_model_destroy(r->model);
  picus_context_destroy(r->context);
}

/* All coordinates, velocities, gaps and modes of all rows, bit for bit. Percussions of rows are sums over several
 * steps, those of the FMU belong to the last one. */
static int compare_row(const test_fmu *fmu, const fmi2 *f, void *c, const own_run *r, long row) {
  int compared = 0;
  for (int k = 0; k < picus_memory_column_count(r->memory); k++) {
    const picus_column column = picus_memory_column(r->memory, k);
    if (column.kind != PICUS_COLUMN_COORDINATE && column.kind != PICUS_COLUMN_VELOCITY &&
        column.kind != PICUS_COLUMN_GAP && column.kind != PICUS_COLUMN_MODE && column.kind != PICUS_COLUMN_ENERGY)
      continue;
    const test_variable *v = test_fmu_variable(fmu, column.name);
    double value = NAN;
    if (!v || !CHECK(f->GetReal(c, &v->reference, 1, &value) == fmi2OK)) return 0;
    if (!CHECK(value == picus_memory_values(r->memory, k)[row])) fprintf(stderr, "%s in row %ld\n", column.name, row);
    compared++;
  }
  return compared;
}

static void compare_with_library(const char *model, double dt, double h, double t_end, bool adaptive) {
  char command[200];
  const picus_setting settings[] = {
      {"dt", NULL, dt}, {"sample", NULL, h}, {"t_end", NULL, t_end}, {"every", NULL, 0}, {"adaptive", NULL, adaptive}};
  test_fmu fmu;
  fmi2 f;
  own_run r;
  snprintf(command, sizeof command, "%s --dt %.17g --t-end 9", model, dt);
  if (test_fmu_export(command, 2, &fmu) && find_fmi2(&fmu, &f) && run_library(model, 5, settings, &r)) {
    void *c = begin(&fmu, &f, NULL);
    const long rows = picus_memory_row_count(r.memory);
    CHECK(rows == (long)(t_end / h + 0.5) + 1);
    for (long row = 1; c && row < rows; row++) {
      if (!CHECK(f.DoStep(c, (double)(row - 1) * h, h, 1) == fmi2OK)) break;
      CHECK(compare_row(&fmu, &f, c, &r, row) > 5);
    }
    f.FreeInstance(c);
  }
  release_run(&r);
  test_fmu_close(&fmu);
}

/* Times that are sums of powers of two are the same in both. */
static void steps_are_those_of_a_run(void) {
  compare_with_library("woodpecker", 0x1p-15, 0x1p-9, 0.25, false);
  compare_with_library("bouncing-ball", 0x1p-8, 0x1p-5, 3.5, false);
  compare_with_library("tippedisk", 0x1p-10, 0x1p-7, 0.125, false);
}

/* h(t) of the ball between its impacts. */
static double ball_height(double t, double e) {
  const double g = 9.81;
  double v = sqrt(2 * g), begin = sqrt(2 / g);
  if (t < begin) return 1 - g * t * t / 2;
  for (v *= e; v > 1e-9; v *= e) {
    if (t < begin + 2 * v / g) return v * (t - begin) - g * (t - begin) * (t - begin) / 2;
    begin += 2 * v / g;
  }
  return 0;
}

/* Against the closed form, and against the figures that the reference FMU publishes (BouncingBall_out.csv): it makes
 * explicit Euler steps of 1e-3 s, so its height is larger by g t dt / 2 before the first impact. */
static void adaptive_ball(void) {
  static const double published[][2] = {{0.1, 0.9514405}, {0.18, 0.84196090}};
  const double h = 0.01;
  test_fmu fmu;
  fmi2 f;
  write_model("ball.lua", ball);
  if (test_fmu_export("ball.lua --adaptive --dt-min 1e-9", 2, &fmu) && find_fmi2(&fmu, &f)) {
    const test_variable *height = test_fmu_variable(&fmu, "h"), *twice = test_fmu_variable(&fmu, "twice");
    void *c = begin(&fmu, &f, NULL);
    for (int k = 0; c && height && twice && k < 200; k++) {
      double value, other;
      const double t = (k + 1) * h;
      if (!CHECK(f.DoStep(c, k * h, h, 1) == fmi2OK)) break;
      CHECK(f.GetReal(c, &height->reference, 1, &value) == fmi2OK &&
            f.GetReal(c, &twice->reference, 1, &other) == fmi2OK && other == 2 * value);
      CHECK_NEAR(value, ball_height(t, 0.7), 1e-7);
      for (int i = 0; i < 2; i++)
        if (fabs(published[i][0] - t) < 1e-9) CHECK_NEAR(value + 9.81 * t * 1e-3 / 2, published[i][1], 1e-9);
    }
    f.FreeInstance(c);
  }
  test_fmu_close(&fmu);
}

/* A step that is no multiple of dt ends with a shorter one. */
static void odd_steps(void) {
  test_fmu fmu;
  fmi2 f;
  write_model("ball.lua", ball);
  if (test_fmu_export("ball.lua", 3, &fmu)) { /* both interfaces are in the library */
    const test_variable *height = test_fmu_variable(&fmu, "h"), *time = test_fmu_variable(&fmu, "time");
    if (height && time && find_fmi2(&fmu, &f)) {
      void *c = begin(&fmu, &f, NULL);
      double t = 0, value;
      for (int k = 0; c && k < 40; k++) {
        const double h = k % 3 == 0 ? 0.0137 : k % 3 == 1 ? 1e-4 : 0.0105;
        CHECK(f.DoStep(c, t, h, 1) == fmi2OK);
        t += h;
        CHECK(f.GetReal(c, &time->reference, 1, &value) == fmi2OK && value == t);
        CHECK(f.GetReal(c, &height->reference, 1, &value) == fmi2OK);
        if (t < 0.45) CHECK_NEAR(value, 1 - 9.81 * t * t / 2, 1e-12); /* exact: constant acceleration */
      }
      f.FreeInstance(c);
    }
  }
  test_fmu_close(&fmu);
}

/* --- inputs and parameters ---------------------------------------------------------------------------------------- */

/* A force that jumps and one that grows: v by the force at midpoints, which is exact for both. */
static void inputs_act(void) {
  const double h = 0x1p-6, m = 2;
  test_fmu fmu;
  fmi2 f;
  write_model("cart.lua", cart);
  if (test_fmu_export("cart.lua --set F=5", 2, &fmu) && find_fmi2(&fmu, &f)) {
    const test_variable *F = test_fmu_variable(&fmu, "F"), *G = test_fmu_variable(&fmu, "G");
    const test_variable *v = test_fmu_variable(&fmu, "v");
    void *c = begin(&fmu, &f, NULL);
    double expected = 0, value;
    const int order = 1;
    CHECK(F && F->start == 5 && f.GetReal(c, &F->reference, 1, &value) == fmi2OK && value == 5);
    for (int k = 0; c && F && G && v && k < 32; k++) {
      const double jumps = k % 2 ? 3.0 : -1.0 * k, grows = 0.5 * k, rate = k % 4 == 2 ? 8 : -k;
      CHECK(f.SetReal(c, &F->reference, 1, &jumps) == fmi2OK && f.SetReal(c, &G->reference, 1, &grows) == fmi2OK);
      CHECK(f.SetRealInputDerivatives(c, &G->reference, 1, &order, &rate) == fmi2OK);
      CHECK((f.SetRealInputDerivatives(c, &F->reference, 1, &order, &rate) == fmi2OK) == (rate == 0)); /* it has none */
      CHECK(f.GetReal(c, &F->reference, 1, &value) == fmi2OK && value == jumps);
      CHECK(f.DoStep(c, k * h, h, 1) == fmi2OK);
      CHECK(f.GetReal(c, &G->reference, 1, &value) == fmi2OK);
      CHECK_NEAR(value, grows + rate * h, 1e-13);
      expected += (jumps + grows + rate * h / 2) * h / m;
      CHECK(f.GetReal(c, &v->reference, 1, &value) == fmi2OK);
      CHECK_NEAR(value, expected, 1e-13);
    }
    f.FreeInstance(c);
  }
  test_fmu_close(&fmu);
}

/* A parameter set before the initialization acts as --set does. */
static void parameters_act(void) {
  test_fmu fmu, other;
  fmi2 f, g;
  write_model("ball.lua", ball);
  if (test_fmu_export("ball.lua", 2, &fmu) && test_fmu_export("ball.lua --set h0=0.5 --set e=0.25", 2, &other) &&
      find_fmi2(&fmu, &f) && find_fmi2(&other, &g)) {
    const test_variable *h0 = test_fmu_variable(&fmu, "h0"), *e = test_fmu_variable(&fmu, "e");
    const test_variable *height = test_fmu_variable(&fmu, "h");
    message_log log = {0};
    void *c = instantiate(&fmu, &f, &log), *d = begin(&other, &g, NULL);
    const double half = 0.5, quarter = 0.25;
    double one = 0, two = 1;
    if (c && d && h0 && e && height) {
      CHECK(f.SetReal(c, &h0->reference, 1, &half) == fmi2OK);
      CHECK(f.SetupExperiment(c, 0, 0, 0, 0, 0) == fmi2OK && f.EnterInitializationMode(c) == fmi2OK);
      CHECK(f.GetReal(c, &height->reference, 1, &one) == fmi2OK && one == 0.5);
      CHECK(f.SetReal(c, &e->reference, 1, &quarter) == fmi2OK && f.ExitInitializationMode(c) == fmi2OK);
      for (int k = 0; k < 100; k++) {
        CHECK(f.DoStep(c, k * 0.01, 0.01, 1) == fmi2OK && g.DoStep(d, k * 0.01, 0.01, 1) == fmi2OK);
        CHECK(f.GetReal(c, &height->reference, 1, &one) == fmi2OK &&
              g.GetReal(d, &height->reference, 1, &two) == fmi2OK && one == two);
      }
      CHECK(log.count == 0);
      CHECK(f.SetReal(c, &e->reference, 1, &half) == fmi2Error && strstr(log.last, "'e' is fixed"));
    }
    f.FreeInstance(c);
    g.FreeInstance(d);
  }
  test_fmu_close(&fmu);
  test_fmu_close(&other);
}

/* --- states ------------------------------------------------------------------------------------------------------- */

/* All outputs after some steps. */
static void steps(const test_fmu *fmu, const fmi2 *f, void *c, int from, int to, double h, double *values) {
  for (int k = from; k < to; k++) CHECK(f->DoStep(c, k * h, h, 0) == fmi2OK);
  for (int k = 0; k < fmu->variable_count; k++)
    CHECK(f->GetReal(c, &fmu->variables[k].reference, 1, &values[k]) == fmi2OK);
}

static void check_states(const char *command, double h) {
  test_fmu fmu;
  fmi2 f;
  if (test_fmu_export(command, 2, &fmu) && find_fmi2(&fmu, &f)) {
    const size_t bytes = (size_t)fmu.variable_count * sizeof(double);
    double *first = malloc(bytes), *again = malloc(bytes);
    message_log log = {0};
    void *c = begin(&fmu, &f, &log), *state = NULL, *copy = NULL;
    size_t size = 0;
    steps(&fmu, &f, c, 0, 30, h, first);
    CHECK(f.GetFMUstate(c, &state) == fmi2OK && f.SerializedFMUstateSize(c, state, &size) == fmi2OK);
    char *text = malloc(size);
    CHECK(f.SerializeFMUstate(c, state, text, size - 1) == fmi2Error &&
          f.SerializeFMUstate(c, state, text, size) == fmi2OK);
    steps(&fmu, &f, c, 30, 60, h, first);
    CHECK(f.SetFMUstate(c, state) == fmi2OK);
    steps(&fmu, &f, c, 30, 60, h, again);
    CHECK(memcmp(first, again, bytes) == 0);
    void *d = instantiate(&fmu, &f, &log); /* in another instance, at its beginning, from bytes */
    CHECK(f.DeSerializeFMUstate(d, text, size, &copy) == fmi2OK && f.SetFMUstate(d, copy) == fmi2OK);
    steps(&fmu, &f, d, 30, 60, h, again);
    CHECK(memcmp(first, again, bytes) == 0);
    CHECK(f.FreeFMUstate(d, &copy) == fmi2OK && !copy && f.FreeFMUstate(c, &state) == fmi2OK && !state);
    for (size_t at = 0; at < size; at += 1 + size / 40) { /* damaged, or cut off */
      text[at] = (char)(text[at] ^ 64);
      CHECK(f.DeSerializeFMUstate(d, text, size, &copy) != fmi2OK || f.SetFMUstate(d, copy) == fmi2Error);
      text[at] = (char)(text[at] ^ 64);
      CHECK(f.DeSerializeFMUstate(d, text, at, &copy) != fmi2OK || f.SetFMUstate(d, copy) == fmi2Error);
    }
    CHECK(f.FreeFMUstate(d, &copy) == fmi2OK && log.count > 40);
    CHECK(f.Reset(c) == fmi2OK && f.SetupExperiment(c, 0, 0, 0, 0, 0) == fmi2OK &&
          f.EnterInitializationMode(c) == fmi2OK && f.ExitInitializationMode(c) == fmi2OK);
    steps(&fmu, &f, c, 0, 60, h, again);
    CHECK(memcmp(first, again, bytes) == 0);
    f.FreeInstance(c);
    f.FreeInstance(d);
    free(text);
    free(first);
    free(again);
  }
  test_fmu_close(&fmu);
}

static void states_are_exact(void) {
  write_model("ball.lua", ball);
  check_states("woodpecker --dt 1e-4", 1e-3);
  check_states("ball.lua --adaptive", 0.02);
  check_states("disks --dt 1e-3 --set n=4", 5e-3);
}

/* A state of another instance with other parameters brings its parameters along. */
static void states_have_parameters(void) {
  test_fmu fmu;
  fmi2 f;
  write_model("ball.lua", ball);
  if (test_fmu_export("ball.lua", 2, &fmu) && find_fmi2(&fmu, &f)) {
    const test_variable *h0 = test_fmu_variable(&fmu, "h0"), *height = test_fmu_variable(&fmu, "h");
    void *c = instantiate(&fmu, &f, NULL), *d = begin(&fmu, &f, NULL), *state = NULL;
    const double two = 2;
    double value = 0;
    if (c && d && h0 && height) {
      CHECK(f.SetReal(c, &h0->reference, 1, &two) == fmi2OK && f.GetFMUstate(c, &state) == fmi2OK);
      CHECK(f.SetFMUstate(d, state) == fmi2OK && f.GetReal(d, &height->reference, 1, &value) == fmi2OK && value == 2);
      CHECK(f.GetReal(d, &h0->reference, 1, &value) == fmi2OK && value == 2);
      CHECK(f.FreeFMUstate(c, &state) == fmi2OK);
    }
    f.FreeInstance(c);
    f.FreeInstance(d);
  }
  test_fmu_close(&fmu);
}

/* --- events (3.0) ------------------------------------------------------------------------------------------------- */

static void *begin3(const test_fmu *fmu, const fmi3 *f, bool events, bool early, message_log *log) {
  void *c = f->InstantiateCoSimulation("one", fmu->token, fmu->resources, false, false, events, early, NULL, 0, log,
                                       take_message3, NULL);
  if (CHECK(c != NULL) && CHECK(f->EnterInitializationMode(c, false, 0, 0, true, 3) == fmi3OK) &&
      CHECK(f->ExitInitializationMode(c) == fmi3OK))
    return c;
  return NULL;
}

static void leave_event_mode(const fmi3 *f, void *c) {
  bool more = true, end = true, nominals, values, has_next;
  double next;
  CHECK(f->UpdateDiscreteStates(c, &more, &end, &nominals, &values, &has_next, &next) == fmi3OK && !more && !end);
  CHECK(f->EnterStepMode(c) == fmi3OK);
}

/* The first impacts, each at its time within the smallest step. */
static void early_returns_at_impacts(void) {
  test_fmu fmu;
  fmi3 f;
  write_model("ball.lua", ball);
  if (test_fmu_export("ball.lua --adaptive --dt-min 1e-8", 3, &fmu) && find_fmi3(&fmu, &f)) {
    const test_variable *velocity = test_fmu_variable(&fmu, "v");
    message_log log = {0};
    void *c = begin3(&fmu, &f, true, true, &log);
    double t = 0, impact = sqrt(2 / 9.81), v = sqrt(2 * 9.81), value;
    leave_event_mode(&f, c);
    for (int found = 0, calls = 0; c && velocity && found < 5 && calls < 400; calls++) {
      const double end = 0.05 * (floor(t / 0.05 + 1e-9) + 1);
      bool needs_events, terminates, early;
      double last;
      if (!CHECK(f.DoStep(c, t, end - t, true, &needs_events, &terminates, &early, &last) == fmi3OK)) break;
      CHECK(!terminates && early == (last < t + (end - t)) && last > t);
      t = last;
      if (!needs_events) continue;
      CHECK_NEAR(t, impact, 1e-7);
      CHECK(f.EnterEventMode(c) == fmi3OK && f.GetFloat64(c, &velocity->reference, 1, &value, 1) == fmi3OK);
      v *= 0.7;
      CHECK_NEAR(value, v, 1e-5);
      impact += 2 * v / 9.81;
      leave_event_mode(&f, c);
      if (++found == 5) CHECK(calls < 100);
    }
    CHECK(impact > 1.5);
    f.FreeInstance(c);
    CHECK(log.count == 0);
  }
  test_fmu_close(&fmu);
}

/* Without early return a step ends where it shall, whatever happens in it, and has the bits of 2.0. */
static void without_early_return(void) {
  test_fmu fmu;
  fmi3 f;
  fmi2 g;
  write_model("ball.lua", ball);
  if (test_fmu_export("ball.lua", 3, &fmu) && find_fmi3(&fmu, &f) && find_fmi2(&fmu, &g)) {
    const test_variable *height = test_fmu_variable(&fmu, "h");
    void *c = begin3(&fmu, &f, false, false, NULL), *d = begin(&fmu, &g, NULL);
    for (int k = 0; c && d && height && k < 50; k++) {
      bool needs_events, terminates, early;
      double last, one = 0, two = 1;
      CHECK(f.DoStep(c, k * 0.05, 0.05, true, &needs_events, &terminates, &early, &last) == fmi3OK);
      CHECK(!needs_events && !terminates && !early && last == k * 0.05 + 0.05);
      CHECK(g.DoStep(d, k * 0.05, 0.05, 1) == fmi2OK);
      CHECK(f.GetFloat64(c, &height->reference, 1, &one, 1) == fmi3OK &&
            g.GetReal(d, &height->reference, 1, &two) == fmi2OK && one == two);
    }
    f.FreeInstance(c);
    g.FreeInstance(d);
  }
  test_fmu_close(&fmu);
}

/* --- many instances ----------------------------------------------------------------------------------------------- */

typedef struct job {
  const test_fmu *fmu;
  const fmi2 *f;
  double *values;
} job;

static void *work(void *user) {
  const job *j = user;
  void *c = begin(j->fmu, j->f, NULL);
  if (c) steps(j->fmu, j->f, c, 0, 100, 1e-3, j->values);
  j->f->FreeInstance(c);
  return NULL;
}

static void instances_on_threads(void) {
  enum { THREADS = 8 };
  test_fmu fmu;
  fmi2 f;
  if (test_fmu_export("woodpecker --dt 1e-4", 2, &fmu) && find_fmi2(&fmu, &f)) {
    pthread_t threads[THREADS];
    job jobs[THREADS];
    const size_t bytes = (size_t)fmu.variable_count * sizeof(double);
    for (int k = 0; k < THREADS; k++) {
      jobs[k] = (job){&fmu, &f, malloc(bytes)};
      CHECK(pthread_create(&threads[k], NULL, work, &jobs[k]) == 0);
    }
    for (int k = 0; k < THREADS; k++) pthread_join(threads[k], NULL);
    for (int k = 1; k < THREADS; k++) CHECK(memcmp(jobs[0].values, jobs[k].values, bytes) == 0);
    for (int k = 0; k < THREADS; k++) free(jobs[k].values);
  }
  test_fmu_close(&fmu);
}

/* --- wrong calls -------------------------------------------------------------------------------------------------- */

static void no_instance(const fmi2 *f) {
  void *state = NULL;
  double value;
  CHECK(f->SetupExperiment(NULL, 0, 0, 0, 0, 0) == fmi2Error && f->EnterInitializationMode(NULL) == fmi2Error);
  CHECK(f->DoStep(NULL, 0, 1, 0) == fmi2Error && f->Reset(NULL) == fmi2Error && f->Terminate(NULL) == fmi2Error);
  CHECK(f->GetFMUstate(NULL, &state) == fmi2Error &&
        f->GetRealStatus(NULL, fmi2LastSuccessfulTime, &value) == fmi2Error);
  f->FreeInstance(NULL);
}

static void wrong_calls_are_errors(void) {
  test_fmu fmu;
  fmi2 f;
  write_model("ball.lua", ball);
  if (test_fmu_export("ball.lua", 2, &fmu) && find_fmi2(&fmu, &f)) {
    message_log log = {0};
    const unsigned far = 100000, height = test_fmu_variable(&fmu, "h")->reference;
    double value = NAN;
    const double nan = NAN;
    int number;
    no_instance(&f);
    void *c = instantiate(&fmu, &f, &log);
    CHECK(f.DoStep(c, 0, 1, 0) == fmi2Error && strstr(log.last, "fmi2DoStep is not allowed while"));
    CHECK(f.ExitInitializationMode(c) == fmi2Error && f.Terminate(c) == fmi2Error);
    CHECK(f.SetupExperiment(c, 0, 0, NAN, 0, 0) == fmi2Error && f.SetupExperiment(c, 1, -1, 0, 0, 0) == fmi2Error);
    CHECK(f.SetupExperiment(c, 0, 0, 0, 0, 0) == fmi2OK && f.EnterInitializationMode(c) == fmi2OK);
    CHECK(f.SetupExperiment(c, 0, 0, 0, 0, 0) == fmi2Error && f.EnterInitializationMode(c) == fmi2Error);
    CHECK(f.GetReal(c, &far, 1, &value) == fmi2Error && strstr(log.last, "value reference 100000"));
    CHECK(f.GetReal(c, NULL, 1, &value) == fmi2Error && f.GetReal(c, NULL, 0, NULL) == fmi2OK);
    CHECK(f.SetReal(c, &height, 1, &value) == fmi2Error && f.GetInteger(c, &height, 1, &number) == fmi2Error);
    CHECK(f.SetReal(c, &test_fmu_variable(&fmu, "e")->reference, 1, &nan) == fmi2Error);
    CHECK(f.ExitInitializationMode(c) == fmi2OK);
    CHECK(f.DoStep(c, 0, 0, 0) == fmi2Error && f.DoStep(c, 0, -1, 0) == fmi2Error &&
          f.DoStep(c, 0, NAN, 0) == fmi2Error);
    CHECK(f.DoStep(c, 1, 0.1, 0) == fmi2Error && strstr(log.last, "but the time of the instance is 0 s"));
    CHECK(f.DoStep(c, 0, 0.1, 0) == fmi2OK && f.SetFMUstate(c, &value) == fmi2Error);
    CHECK(f.GetRealStatus(c, fmi2LastSuccessfulTime, &value) == fmi2OK && value == 0.1);
    CHECK(f.Terminate(c) == fmi2OK && f.DoStep(c, 0.1, 0.1, 0) == fmi2Error);
    CHECK(f.GetReal(c, &height, 1, &value) == fmi2OK);
    f.FreeInstance(c);
    CHECK(log.count > 15);
  }
  test_fmu_close(&fmu);
}

/* A ball that two inputs push; its third impact ends the run. */
static const char busy[] = "model('busy', 'pushed, and ended by an event')\n"
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

/* All that an instance is, as bytes. */
typedef struct image {
  char *bytes;
  size_t size;
} image;

static image take_image(const fmi2 *f, void *c) {
  image out = {0};
  void *state = NULL;
  const unsigned time = 0;
  double t;
  f->GetReal(c, &time, 1, &t); /* makes the simulation, if the values allow one */
  if (CHECK(f->GetFMUstate(c, &state) == fmi2OK) && CHECK(f->SerializedFMUstateSize(c, state, &out.size) == fmi2OK)) {
    out.bytes = malloc(out.size);
    CHECK(f->SerializeFMUstate(c, state, out.bytes, out.size) == fmi2OK);
  }
  CHECK(f->FreeFMUstate(c, &state) == fmi2OK);
  return out;
}

/* A value that no importer should pass, in one of four cases. */
static double odd_value(test_random *random) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, 0, -0.0, 1e300, -1e-300, 5e-324};
  const int k = test_integer(random, 0, 31);
  return k < 8 ? odd[k] : test_uniform(random, -1, 2);
}

static void get_all(const test_fmu *fmu, const fmi2 *f, void *c, double *values) {
  for (int k = 0; k < fmu->variable_count; k++) f->GetReal(c, &fmu->variables[k].reference, 1, &values[k]);
}

/* The bytes of a state with one bit changed, and a check sum that agrees. If it is refused, all values stay. */
static void set_forged(const test_fmu *fmu, const fmi2 *f, void *c, image now, test_random *random) {
  enum { MOST = 64 };
  double before[MOST] = {0}, after[MOST] = {0};
  void *forged = NULL;
  const size_t last = now.size - sizeof(uint64_t);
  const int at = test_integer(random, 0, (int)last - 1), bit = test_integer(random, 0, 7);
  char *bytes = malloc(now.size);
  REQUIRE(fmu->variable_count <= MOST);
  memcpy(bytes, now.bytes, now.size);
  bytes[at] ^= (char)(1 << bit);
  const uint64_t sum = picus_check_sum(bytes, last);
  memcpy(bytes + last, &sum, sizeof sum);
  CHECK(f->DeSerializeFMUstate(c, bytes, now.size, &forged) == fmi2OK);
  get_all(fmu, f, c, before);
  const fmi2Status status = f->SetFMUstate(c, forged);
  get_all(fmu, f, c, after);
  CHECK(status == fmi2OK || memcmp(before, after, sizeof before) == 0);
  CHECK(f->FreeFMUstate(c, &forged) == fmi2OK);
  free(bytes);
}

/* A state that can be taken can be set. After a step that overflowed there is none; a state of before can be set. */
static bool set_again(const fmi2 *f, void *c, void **good, bool overflows) {
  const fmi2Status status = f->GetFMUstate(c, good);
  CHECK(status == fmi2OK || overflows);
  return CHECK(f->SetFMUstate(c, *good) == fmi2OK);
}

/* One call; *made is true if a step may have been made before it failed. */
static fmi2Status random_call(const test_fmu *fmu, const fmi2 *f, void *c, image now, void **state, test_random *random,
                              bool *made) {
  unsigned refs[2];
  double values[2], out[2], t = 0;
  for (int k = 0; k < 2; k++) {
    refs[k] = (unsigned)test_integer(random, 0, fmu->variable_count); /* at most one too far */
    values[k] = odd_value(random);
  }
  const int orders[2] = {1, test_integer(random, 0, 9) == 0 ? 2 : 1};
  const int kind = test_integer(random, 0, 15), flags = test_integer(random, 0, 3);
  *made = false;
  switch (kind) {
  case 0:
    return f->SetupExperiment(c, flags & 1, values[0], values[1], flags & 2, 3);
  case 1:
    return f->EnterInitializationMode(c);
  case 2:
    return f->ExitInitializationMode(c);
  case 3:
    return f->GetReal(c, refs, 2, out);
  case 4:
  case 5:
    return f->SetReal(c, refs, 2, values);
  case 6:
    return f->SetRealInputDerivatives(c, refs, 2, orders, values);
  case 7:
    return f->GetFMUstate(c, state);
  case 8:
    return *state ? f->SetFMUstate(c, *state) : fmi2OK;
  case 9:
    set_forged(fmu, f, c, now, random);
    return fmi2OK;
  case 10:
    return test_integer(random, 0, 20) == 0 ? f->Terminate(c) : fmi2OK;
  case 11:
    return test_integer(random, 0, 5) == 0 ? f->Reset(c) : fmi2OK;
  default:
    *made = true;
    if (f->GetRealStatus(c, fmi2LastSuccessfulTime, &t) != fmi2OK) return fmi2Error;
    return f->DoStep(c, t, fabs(values[0]) > 1e200 ? values[0] : values[0] * 0.3, 0);
  }
}

/* Any order of calls, with odd values and forged states: an error at worst, which changes nothing unless it is that of
 * a step. A state that was set is the same when it is taken again. */
static void random_calls(void) {
  test_fmu fmu;
  fmi2 f;
  write_model("busy.lua", busy);
  if (test_fmu_export("busy.lua", 2, &fmu) && find_fmi2(&fmu, &f)) {
    test_random random = {40};
    void *c = instantiate(&fmu, &f, NULL), *state = NULL, *good = NULL;
    const int rounds = (int)test_size(300, 2000, 100000);
    int refused = 0, ended = 0;
    for (int k = 0; c && k < rounds; k++) {
      const image before = take_image(&f, c);
      bool made;
      const fmi2Status status = random_call(&fmu, &f, c, before, &state, &random, &made);
      ended += status == fmi2Discard;
      if (!set_again(&f, c, &good, made && status == fmi2Error)) break;
      if (status == fmi2Error && !made) {
        const image after = take_image(&f, c);
        CHECK(after.size == before.size && memcmp(after.bytes, before.bytes, after.size) == 0);
        free(after.bytes);
        refused++;
      }
      free(before.bytes);
    }
    CHECK(f.FreeFMUstate(c, &state) == fmi2OK && f.FreeFMUstate(c, &good) == fmi2OK);
    f.FreeInstance(c);
    CHECK(c != NULL && refused > rounds / 10 && ended > 0);
  }
  test_fmu_close(&fmu);
}

/* A run that an event has ended stays so, through a state and in another instance. */
static void an_end_is_part_of_the_state(void) {
  test_fmu fmu;
  fmi2 f;
  write_model("busy.lua", busy);
  if (test_fmu_export("busy.lua", 2, &fmu) && find_fmi2(&fmu, &f)) {
    message_log log = {0};
    void *c = begin(&fmu, &f, &log), *d = begin(&fmu, &f, &log), *state = NULL;
    double t = 0;
    int is_over = 0;
    CHECK(f.DoStep(c, 0, 3, 0) == fmi2Discard && f.GetFMUstate(c, &state) == fmi2OK);
    CHECK(f.GetRealStatus(c, fmi2LastSuccessfulTime, &t) == fmi2OK && t > 0 && t < 1);
    CHECK(f.SetFMUstate(d, state) == fmi2OK && f.GetBooleanStatus(d, fmi2Terminated, &is_over) == fmi2OK && is_over);
    CHECK(f.DoStep(d, t, 0.1, 0) == fmi2Error && strstr(log.last, "an event of the model has ended the run"));
    CHECK(f.DoStep(d, t, 0.1, 0) == fmi2Error && f.FreeFMUstate(d, &state) == fmi2OK);
    CHECK(f.Reset(d) == fmi2OK && f.GetRealStatus(d, fmi2LastSuccessfulTime, &t) == fmi2OK && t == 0);
    f.FreeInstance(c);
    f.FreeInstance(d);
  }
  test_fmu_close(&fmu);
}

/* --- damaged resources -------------------------------------------------------------------------------------------- */

static void write_resource(const test_fmu *fmu, const char *name, const char *bytes, size_t size) {
  char path[2 * FMU_PATH];
  snprintf(path, sizeof path, "%s/%s", fmu->resources, name);
  FILE *file = fopen(path, "wb");
  if (CHECK(file != NULL)) CHECK(fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static void refuse_settings(const test_fmu *fmu, const fmi2 *f, const char *rest, const char *message) {
  char text[400];
  message_log log = {0};
  const int size = snprintf(text, sizeof text, "picus-fmu 1\ntoken %s\n%s", fmu->token, rest);
  write_resource(fmu, "picus.txt", text, (size_t)size);
  void *c = instantiate(fmu, f, &log);
  CHECK(c == NULL && log.count == 1);
  if (!CHECK(strstr(log.last, message))) fprintf(stderr, "%s\n", log.last);
  f->FreeInstance(c);
}

static void damaged_resources_are_errors(void) {
  test_fmu fmu;
  fmi2 f;
  write_model("ball.lua", ball);
  if (test_fmu_export("ball.lua", 2, &fmu) && find_fmi2(&fmu, &f)) {
    message_log log = {0};
    refuse_settings(&fmu, &f, "", "ends without a token and a model");
    refuse_settings(&fmu, &f, "model x\nnumber dt", "has no end: the file is cut off");
    refuse_settings(&fmu, &f, "model x\nnumber dt 1e999\n", "no number");
    refuse_settings(&fmu, &f, "model x\nnumber dt nan\n", "no number");
    refuse_settings(&fmu, &f, "model x\nnumber every 1e300\n", "beyond its range");
    refuse_settings(&fmu, &f, "model x\nnumber wings 2\n", "does not have");
    refuse_settings(&fmu, &f, "model x\nword scheme\n", "a name without a value");
    refuse_settings(&fmu, &f, "model x\nnumber dt 1\nword scheme nobody\n", "nobody");
    refuse_settings(&fmu, &f, "model x\nword dt 3\n", "a value of another kind");
    refuse_settings(&fmu, &f, "model x\nset wings 3\n", "wings");
    refuse_settings(&fmu, &f, "model x\ndata ../../etc/passwd\n", "data-1");
    refuse_settings(&fmu, &f, "model x\nfly 3 4\n", "does not know");
    refuse_settings(&fmu, &f, "nonsense\n", "not a fact");
    write_resource(&fmu, "picus.txt", "picus-fmu 1\0token", 17);
    CHECK(instantiate(&fmu, &f, &log) == NULL && strstr(log.last, "zero byte"));
    write_resource(&fmu, "picus.txt", "picus-fmu 2\n", 12);
    CHECK(instantiate(&fmu, &f, &log) == NULL && strstr(log.last, "picus-fmu 1"));
    char path[2 * FMU_PATH];
    snprintf(path, sizeof path, "%s/picus.txt", fmu.resources);
    CHECK(unlink(path) == 0 && instantiate(&fmu, &f, &log) == NULL && strstr(log.last, "picus.txt"));
  }
  test_fmu_close(&fmu);
}

static void damaged_models_are_errors(void) {
  test_fmu fmu;
  fmi2 f;
  write_model("ball.lua", ball);
  if (test_fmu_export("ball.lua", 2, &fmu) && find_fmi2(&fmu, &f)) {
    message_log log = {0};
    for (size_t size = 0; size + 70 < sizeof ball; size += 29) { /* without a simulate { ... } that is complete */
      write_resource(&fmu, "model.lua", ball, size);
      void *c = instantiate(&fmu, &f, &log);
      if (!CHECK(c == NULL)) fprintf(stderr, "%zu bytes\n", size);
      f.FreeInstance(c);
    }
    write_resource(&fmu, "model.lua", "while true do end", 17);
    CHECK(instantiate(&fmu, &f, &log) == NULL);
    char token[FMU_NAME];
    snprintf(token, sizeof token, "%s", fmu.token);
    fmu.token[5] = 'x';
    CHECK(instantiate(&fmu, &f, &log) == NULL && strstr(log.last, "of different FMUs"));
  }
  test_fmu_close(&fmu);
}

static void wrong_options_of_the_tool(void) {
  static const char *const commands[] = {"export woodpecker --fmu x.fmu --fmi 4",
                                         "export woodpecker --fmu x.fmu --vtk x",
                                         "export woodpecker --fmi 2",
                                         "export woodpecker --fmu x.fmu --fmu-library /nowhere",
                                         "export woodpecker --fmu x.fmu --scheme nobody",
                                         "export woodpecker --fmu x.fmu --dt -1",
                                         "export nobody --fmu x.fmu",
                                         "export woodpecker --fmu /nowhere/x.fmu"};
  for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
    const tool_end end = tool_run(commands[k], NULL);
    if (!CHECK(end.code == 2 && end.errors[0])) fprintf(stderr, "%s: %s\n", commands[k], end.errors);
    CHECK(access("x.fmu", F_OK) != 0);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"descriptions_are_complete", descriptions_are_complete},
                                    {"an_export_has_the_same_bytes_again", an_export_has_the_same_bytes_again},
                                    {"steps_are_those_of_a_run", steps_are_those_of_a_run},
                                    {"adaptive_ball", adaptive_ball},
                                    {"odd_steps", odd_steps},
                                    {"inputs_act", inputs_act},
                                    {"parameters_act", parameters_act},
                                    {"states_are_exact", states_are_exact},
                                    {"states_have_parameters", states_have_parameters},
                                    {"early_returns_at_impacts", early_returns_at_impacts},
                                    {"without_early_return", without_early_return},
                                    {"instances_on_threads", instances_on_threads},
                                    {"wrong_calls_are_errors", wrong_calls_are_errors},
                                    {"random_calls", random_calls},
                                    {"an_end_is_part_of_the_state", an_end_is_part_of_the_state},
                                    {"damaged_resources_are_errors", damaged_resources_are_errors},
                                    {"damaged_models_are_errors", damaged_models_are_errors},
                                    {"wrong_options_of_the_tool", wrong_options_of_the_tool}};
  return test_main(argc, argv, "fmu", cases, sizeof cases / sizeof cases[0]);
}
