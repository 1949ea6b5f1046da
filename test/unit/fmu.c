/* FMUs, as an importer sees them: runs against those of the library, inputs, parameters, states, events, threads, odd
 * paths. */
#define _POSIX_C_SOURCE 200809L
#include "support/check.h"
#include "support/fmu_calls.h"
#include "support/tool.h"

#include <math.h>
#include <picus/picus.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- exports
 * ---------------------------------------------------------------------------------------------------------- */

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

/* --- runs
 * ------------------------------------------------------------------------------------------------------------- */

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
  if (test_fmu_export(command, 2, &fmu) && test_fmi2_find(&fmu, &f) && run_library(model, 5, settings, &r)) {
    void *c = test_fmi2_begin(&fmu, &f, NULL);
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
  test_fmu_write("ball.lua", test_fmu_ball);
  if (test_fmu_export("ball.lua --adaptive --dt-min 1e-9", 2, &fmu) && test_fmi2_find(&fmu, &f)) {
    const test_variable *height = test_fmu_variable(&fmu, "h"), *twice = test_fmu_variable(&fmu, "twice");
    void *c = test_fmi2_begin(&fmu, &f, NULL);
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
  test_fmu_write("ball.lua", test_fmu_ball);
  if (test_fmu_export("ball.lua", 3, &fmu)) { /* both interfaces are in the library */
    const test_variable *height = test_fmu_variable(&fmu, "h"), *time = test_fmu_variable(&fmu, "time");
    if (height && time && test_fmi2_find(&fmu, &f)) {
      void *c = test_fmi2_begin(&fmu, &f, NULL);
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

/* --- inputs and parameters
 * -------------------------------------------------------------------------------------------- */

/* A force that jumps and one that grows: v by the force at midpoints, which is exact for both. */
static void inputs_act(void) {
  const double h = 0x1p-6, m = 2;
  test_fmu fmu;
  fmi2 f;
  test_fmu_write("cart.lua", test_fmu_cart);
  if (test_fmu_export("cart.lua --set F=5", 2, &fmu) && test_fmi2_find(&fmu, &f)) {
    const test_variable *F = test_fmu_variable(&fmu, "F"), *G = test_fmu_variable(&fmu, "G");
    const test_variable *v = test_fmu_variable(&fmu, "v");
    void *c = test_fmi2_begin(&fmu, &f, NULL);
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
  test_fmu_write("ball.lua", test_fmu_ball);
  if (test_fmu_export("ball.lua", 2, &fmu) && test_fmu_export("ball.lua --set h0=0.5 --set e=0.25", 2, &other) &&
      test_fmi2_find(&fmu, &f) && test_fmi2_find(&other, &g)) {
    const test_variable *h0 = test_fmu_variable(&fmu, "h0"), *e = test_fmu_variable(&fmu, "e");
    const test_variable *height = test_fmu_variable(&fmu, "h");
    message_log log = {0};
    void *c = test_fmi2_instantiate(&fmu, &f, &log), *d = test_fmi2_begin(&other, &g, NULL);
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

/* --- states
 * ----------------------------------------------------------------------------------------------------------- */

/* All outputs after some steps. */
static void steps(const test_fmu *fmu, const fmi2 *f, void *c, int from, int to, double h, double *values) {
  for (int k = from; k < to; k++) CHECK(f->DoStep(c, k * h, h, 0) == fmi2OK);
  for (int k = 0; k < fmu->variable_count; k++)
    CHECK(f->GetReal(c, &fmu->variables[k].reference, 1, &values[k]) == fmi2OK);
}

static void check_states(const char *command, double h) {
  test_fmu fmu;
  fmi2 f;
  if (test_fmu_export(command, 2, &fmu) && test_fmi2_find(&fmu, &f)) {
    const size_t bytes = (size_t)fmu.variable_count * sizeof(double);
    double *first = malloc(bytes), *again = malloc(bytes);
    message_log log = {0};
    void *c = test_fmi2_begin(&fmu, &f, &log), *state = NULL, *copy = NULL;
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
    void *d = test_fmi2_instantiate(&fmu, &f, &log); /* in another instance, at its beginning, from bytes */
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
  test_fmu_write("ball.lua", test_fmu_ball);
  check_states("woodpecker --dt 1e-4", 1e-3);
  check_states("ball.lua --adaptive", 0.02);
  check_states("disks --dt 1e-3 --set n=4", 5e-3);
}

/* A state of another instance with other parameters brings its parameters along. */
static void states_have_parameters(void) {
  test_fmu fmu;
  fmi2 f;
  test_fmu_write("ball.lua", test_fmu_ball);
  if (test_fmu_export("ball.lua", 2, &fmu) && test_fmi2_find(&fmu, &f)) {
    const test_variable *h0 = test_fmu_variable(&fmu, "h0"), *height = test_fmu_variable(&fmu, "h");
    void *c = test_fmi2_instantiate(&fmu, &f, NULL), *d = test_fmi2_begin(&fmu, &f, NULL), *state = NULL;
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
  test_fmu_write("ball.lua", test_fmu_ball);
  if (test_fmu_export("ball.lua --adaptive --dt-min 1e-8", 3, &fmu) && test_fmi3_find(&fmu, &f)) {
    const test_variable *velocity = test_fmu_variable(&fmu, "v");
    message_log log = {0};
    void *c = test_fmi3_begin(&fmu, &f, true, true, &log);
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
  test_fmu_write("ball.lua", test_fmu_ball);
  if (test_fmu_export("ball.lua", 3, &fmu) && test_fmi3_find(&fmu, &f) && test_fmi2_find(&fmu, &g)) {
    const test_variable *height = test_fmu_variable(&fmu, "h");
    void *c = test_fmi3_begin(&fmu, &f, false, false, NULL), *d = test_fmi2_begin(&fmu, &g, NULL);
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

/* --- many instances
 * --------------------------------------------------------------------------------------------------- */

typedef struct job {
  const test_fmu *fmu;
  const fmi2 *f;
  double *values;
} job;

static void *work(void *user) {
  const job *j = user;
  void *c = test_fmi2_begin(j->fmu, j->f, NULL);
  if (c) steps(j->fmu, j->f, c, 0, 100, 1e-3, j->values);
  j->f->FreeInstance(c);
  return NULL;
}

static void instances_on_threads(void) {
  enum { THREADS = 8 };
  test_fmu fmu;
  fmi2 f;
  if (test_fmu_export("woodpecker --dt 1e-4", 2, &fmu) && test_fmi2_find(&fmu, &f)) {
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

/* A run that an event has ended stays so, through a state and in another instance. */
static void an_end_is_part_of_the_state(void) {
  test_fmu fmu;
  fmi2 f;
  test_fmu_write("busy.lua", test_fmu_busy);
  if (test_fmu_export("busy.lua", 2, &fmu) && test_fmi2_find(&fmu, &f)) {
    message_log log = {0};
    void *c = test_fmi2_begin(&fmu, &f, &log), *d = test_fmi2_begin(&fmu, &f, &log), *state = NULL;
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

/* --- paths
 * ------------------------------------------------------------------------------------------------------------ */

/* A path as a URI, all bytes but letters, digits and strokes by their numbers. */
static void write_uri(const char *path, char *uri) {
  uri += sprintf(uri, "file://");
  for (const unsigned char *c = (const unsigned char *)path; *c; c++) {
    const bool is_plain = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '/' || *c == '-';
    uri += is_plain ? sprintf(uri, "%c", *c) : sprintf(uri, "%%%02x", *c);
  }
}

static void check_paths(const test_fmu *fmu) {
  const fmi2CallbackFunctions callbacks = {0};
  char uri[3 * FMU_PATH + 10];
  fmi2 f;
  fmi3 g;
  if (!test_fmi2_find(fmu, &f) || !test_fmi3_find(fmu, &g)) return;
  write_uri(fmu->resources, uri);
  void *coded = f.Instantiate("one", fmi2CoSimulation, fmu->token, uri, &callbacks, 0, 0);
  void *plain = f.Instantiate("two", fmi2CoSimulation, fmu->token, fmu->resources, &callbacks, 0, 0);
  void *path = test_fmi3_begin(fmu, &g, false, false, NULL);
  if (!CHECK(coded && plain && path)) fprintf(stderr, "%s\n%s\n", uri, fmu->resources);
  f.FreeInstance(coded);
  f.FreeInstance(plain);
  g.FreeInstance(path);
}

/* Folders with blanks, letters beyond ASCII, signs of URIs, and deep ones. */
static void odd_paths(void) {
  static const char *const folders[] = {
      "a b", "\xc3\xbcml\xc3\xa4ut", "50%25 #1 & more", "it's",
      "deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep"};
  char here[FMU_PATH];
  test_fmu fmu;
  REQUIRE(getcwd(here, sizeof here) != NULL);
  for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
    char part[FMU_PATH];
    for (const char *end = folders[k]; *end; end++) { /* one folder in the other */
      if (end[1] && end[1] != '/') continue;
      snprintf(part, sizeof part, "%.*s", (int)(end + 1 - folders[k]), folders[k]);
      mkdir(part, 0777);
    }
    REQUIRE(chdir(folders[k]) == 0);
    test_fmu_write("ball.lua", test_fmu_ball);
    if (test_fmu_export("ball.lua", 2, &fmu)) check_paths(&fmu);
    test_fmu_close(&fmu);
    REQUIRE(chdir(here) == 0);
  }
}

/* --- the tool
 * --------------------------------------------------------------------------------------------------------- */

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
  static const test_case cases[] = {{"odd_paths", odd_paths},
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

                                    {"an_end_is_part_of_the_state", an_end_is_part_of_the_state},

                                    {"wrong_options_of_the_tool", wrong_options_of_the_tool}};
  return test_main(argc, argv, "fmu", cases, sizeof cases / sizeof cases[0]);
}
