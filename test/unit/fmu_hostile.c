/* FMUs and importers that make mistakes: calls in a wrong order, any order of calls with odd values and forged states,
 * damaged resources. */
#define _POSIX_C_SOURCE 200809L
#include "base/archive.h"
#include "support/check.h"
#include "support/fmu_calls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- wrong calls
 * ------------------------------------------------------------------------------------------------------ */

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
  test_fmu_write("ball.lua", test_fmu_ball);
  if (test_fmu_export("ball.lua", 2, &fmu) && test_fmi2_find(&fmu, &f)) {
    message_log log = {0};
    const unsigned far = 100000, height = test_fmu_variable(&fmu, "h")->reference;
    double value = NAN;
    const double nan = NAN;
    int number;
    no_instance(&f);
    void *c = test_fmi2_instantiate(&fmu, &f, &log);
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

/* --- any order of calls
 * ----------------------------------------------------------------------------------------------- */

/* One instance, by the functions of one version. The numbers of their statuses are the same. */
typedef struct subject {
  const test_fmu *fmu;
  fmi2 f;
  fmi3 g; /* of 3.0 */
  void *c;
} subject;

static bool is_three(const subject *s) { return s->fmu->version == 3; }

static int state_get(const subject *s, void **state) {
  return is_three(s) ? (int)s->g.GetFMUState(s->c, state) : (int)s->f.GetFMUstate(s->c, state);
}
static int state_set(const subject *s, void *state) {
  return is_three(s) ? (int)s->g.SetFMUState(s->c, state) : (int)s->f.SetFMUstate(s->c, state);
}
static int state_free(const subject *s, void **state) {
  return is_three(s) ? (int)s->g.FreeFMUState(s->c, state) : (int)s->f.FreeFMUstate(s->c, state);
}
static int state_read(const subject *s, const char *bytes, size_t size, void **state) {
  return is_three(s) ? (int)s->g.DeserializeFMUState(s->c, (const uint8_t *)bytes, size, state)
                     : (int)s->f.DeSerializeFMUstate(s->c, bytes, size, state);
}
static int get_value(const subject *s, unsigned reference, double *value) {
  return is_three(s) ? (int)s->g.GetFloat64(s->c, &reference, 1, value, 1)
                     : (int)s->f.GetReal(s->c, &reference, 1, value);
}

/* All that an instance is, as bytes. */
typedef struct image {
  char *bytes;
  size_t size;
} image;

static image take_image(const subject *s) {
  image out = {0};
  void *state = NULL;
  double t;
  get_value(s, 0, &t); /* makes the simulation, if the values allow one */
  if (CHECK(state_get(s, &state) == fmi2OK) &&
      CHECK(is_three(s) ? s->g.SerializedFMUStateSize(s->c, state, &out.size) == fmi3OK
                        : s->f.SerializedFMUstateSize(s->c, state, &out.size) == fmi2OK)) {
    out.bytes = malloc(out.size);
    CHECK(is_three(s) ? s->g.SerializeFMUState(s->c, state, (uint8_t *)out.bytes, out.size) == fmi3OK
                      : s->f.SerializeFMUstate(s->c, state, out.bytes, out.size) == fmi2OK);
  }
  CHECK(state_free(s, &state) == fmi2OK);
  return out;
}

/* A value that no importer should pass, in one of four cases. */
static double odd_value(test_random *random) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, 0, -0.0, 1e300, -1e-300, 5e-324};
  const int k = test_integer(random, 0, 31);
  return k < 8 ? odd[k] : test_uniform(random, -1, 2);
}

static void get_all(const subject *s, double *values) {
  for (int k = 0; k < s->fmu->variable_count; k++) get_value(s, s->fmu->variables[k].reference, &values[k]);
}

/* The bytes of a state with one bit changed, and a check sum that agrees. If it is refused, all values stay. */
static void set_forged(const subject *s, image now, test_random *random) {
  enum { MOST = 64 };
  double before[MOST] = {0}, after[MOST] = {0};
  void *forged = NULL;
  const size_t last = now.size - sizeof(uint64_t);
  const int at = test_integer(random, 0, (int)last - 1), bit = test_integer(random, 0, 7);
  char *bytes = malloc(now.size);
  REQUIRE(s->fmu->variable_count <= MOST);
  memcpy(bytes, now.bytes, now.size);
  bytes[at] ^= (char)(1 << bit);
  const uint64_t sum = picus_check_sum(bytes, last);
  memcpy(bytes + last, &sum, sizeof sum);
  CHECK(state_read(s, bytes, now.size, &forged) == fmi2OK);
  get_all(s, before);
  const int status = state_set(s, forged);
  get_all(s, after);
  CHECK(status == fmi2OK || memcmp(before, after, sizeof before) == 0);
  CHECK(state_free(s, &forged) == fmi2OK);
  free(bytes);
}

/* A state that can be taken can be set. After a step that overflowed there is none; a state of before can be set. */
static bool set_again(const subject *s, void **good, bool overflows) {
  const int status = state_get(s, good);
  CHECK(status == fmi2OK || overflows);
  return CHECK(state_set(s, *good) == fmi2OK);
}

/* What one call gets: references, at most one of them too far, and values. */
typedef struct arguments {
  unsigned refs[2];
  double values[2];
  int flags;
} arguments;

static arguments choose_arguments(const subject *s, test_random *random) {
  arguments a;
  for (int k = 0; k < 2; k++) {
    a.refs[k] = (unsigned)test_integer(random, 0, s->fmu->variable_count);
    a.values[k] = odd_value(random);
  }
  a.flags = test_integer(random, 0, 3);
  return a;
}

static double odd_step(const arguments *a) { return fabs(a->values[0]) > 1e200 ? a->values[0] : a->values[0] * 0.3; }

/* One call; *made is true if a step may have been made before it failed. */
static int random_call2(const subject *s, image now, void **state, test_random *random, bool *made) {
  const fmi2 *f = &s->f;
  const arguments a = choose_arguments(s, random);
  const int orders[2] = {1, test_integer(random, 0, 9) == 0 ? 2 : 1};
  double out[2], t = 0;
  *made = false;
  switch (test_integer(random, 0, 15)) {
  case 0:
    return (int)f->SetupExperiment(s->c, a.flags & 1, a.values[0], a.values[1], a.flags & 2, 3);
  case 1:
    return (int)f->EnterInitializationMode(s->c);
  case 2:
    return (int)f->ExitInitializationMode(s->c);
  case 3:
    return (int)f->GetReal(s->c, a.refs, 2, out);
  case 4:
  case 5:
    return (int)f->SetReal(s->c, a.refs, 2, a.values);
  case 6:
    return (int)f->SetRealInputDerivatives(s->c, a.refs, 2, orders, a.values);
  case 7:
    return (int)f->GetFMUstate(s->c, state);
  case 8:
    return *state ? (int)f->SetFMUstate(s->c, *state) : (int)fmi2OK;
  case 9:
    set_forged(s, now, random);
    return fmi2OK;
  case 10:
    return test_integer(random, 0, 20) == 0 ? (int)f->Terminate(s->c) : (int)fmi2OK;
  case 11:
    return test_integer(random, 0, 5) == 0 ? (int)f->Reset(s->c) : (int)fmi2OK;
  default:
    *made = true;
    if (f->GetRealStatus(s->c, fmi2LastSuccessfulTime, &t) != fmi2OK) return fmi2Error;
    return (int)f->DoStep(s->c, t, odd_step(&a), 0);
  }
}

/* A step from where the instance is; its results agree with each other and with the time, whatever happens. */
static int random_step3(const subject *s, const arguments *a) {
  bool needs_events = true, terminates = true, early = true;
  double t = 0, after = 0, last = NAN;
  if (s->g.GetFloat64(s->c, &(unsigned){0}, 1, &t, 1) != fmi3OK) return fmi3Error;
  const double h = odd_step(a);
  const int status =
      (int)s->g.DoStep(s->c, t, h, a->flags & 1, &needs_events, &terminates, &early, a->flags == 3 ? NULL : &last);
  if (status == fmi3OK && s->g.GetFloat64(s->c, &(unsigned){0}, 1, &after, 1) == fmi3OK)
    CHECK(after == last && last > t && last <= t + h && early == (last < t + h) &&
          (!terminates || early || last == t + h));
  return status;
}

static int random_call3(const subject *s, image now, void **state, test_random *random, bool *made) {
  const fmi3 *g = &s->g;
  const arguments a = choose_arguments(s, random);
  bool b[5];
  double out[2], next;
  int32_t number;
  const size_t count = test_integer(random, 0, 9) == 0 ? 3 : 2; /* of values, for two references */
  *made = false;
  switch (test_integer(random, 0, 17)) {
  case 0:
    return (int)g->EnterInitializationMode(s->c, a.flags & 1, a.values[0], a.values[1], a.flags & 2, 3);
  case 1:
    return (int)g->ExitInitializationMode(s->c);
  case 2:
    return (int)g->GetFloat64(s->c, a.refs, 2, out, count == 3 ? 1 : 2);
  case 3:
  case 4:
    return count == 3 ? (int)g->SetFloat64(s->c, a.refs, 2, a.values, 1)
                      : (int)g->SetFloat64(s->c, a.refs, 2, a.values, 2);
  case 5:
    return (int)g->EnterEventMode(s->c);
  case 6:
  case 7:
    return (int)g->EnterStepMode(s->c);
  case 8:
    return (int)g->UpdateDiscreteStates(s->c, b, b + 1, b + 2, b + 3, b + 4, &next);
  case 9:
    return (int)g->GetFMUState(s->c, state);
  case 10:
    return *state ? (int)g->SetFMUState(s->c, *state) : (int)fmi3OK;
  case 11:
    set_forged(s, now, random);
    return fmi3OK;
  case 12:
    return test_integer(random, 0, 20) == 0 ? (int)g->Terminate(s->c) : (int)fmi3OK;
  case 13:
    return test_integer(random, 0, 5) == 0 ? (int)g->Reset(s->c) : (int)fmi3OK;
  case 14:
    return (int)g->GetInt32(s->c, a.refs, 1, &number, 1);
  default:
    *made = true;
    return random_step3(s, &a);
  }
}

typedef struct call_tally {
  int refused, ended;
} call_tally;

/* Any order of calls, with odd values and forged states: an error at worst, which changes nothing unless it is that of
 * a step. A state that was set is the same when it is taken again. */
static void call_at_random(const subject *s, int rounds, test_random *random, call_tally *tally) {
  void *state = NULL, *good = NULL;
  for (int k = 0; k < rounds; k++) {
    const image before = take_image(s);
    bool made;
    const int status =
        is_three(s) ? random_call3(s, before, &state, random, &made) : random_call2(s, before, &state, random, &made);
    tally->ended += status == fmi2Discard;
    if (!set_again(s, &good, made && status == fmi2Error)) break;
    if (status == fmi2Error && !made) {
      const image after = take_image(s);
      CHECK(after.size == before.size && memcmp(after.bytes, before.bytes, after.size) == 0);
      free(after.bytes);
      tally->refused++;
    }
    free(before.bytes);
  }
  CHECK(state_free(s, &state) == fmi2OK && state_free(s, &good) == fmi2OK);
}

static void random_calls(void) {
  test_fmu fmu;
  test_fmu_write("busy.lua", test_fmu_busy);
  if (test_fmu_export("busy.lua", 2, &fmu)) {
    subject s = {.fmu = &fmu};
    test_random random = {40};
    const int rounds = (int)test_size(300, 2000, 100000);
    call_tally tally = {0};
    if (test_fmi2_find(&fmu, &s.f)) s.c = test_fmi2_instantiate(&fmu, &s.f, NULL);
    if (CHECK(s.c != NULL)) call_at_random(&s, rounds, &random, &tally);
    s.f.FreeInstance(s.c);
    CHECK(tally.refused > rounds / 10 && tally.ended > 0);
  }
  test_fmu_close(&fmu);
}

/* A start time so large that no step changes it: the model cannot be made for it, and the instance is as before. */
static void a_failed_initialization_changes_nothing(void) {
  test_fmu fmu;
  test_fmu_write("busy.lua", test_fmu_busy);
  if (test_fmu_export("busy.lua", 3, &fmu)) {
    subject s = {.fmu = &fmu};
    message_log log = {0};
    if (test_fmi3_find(&fmu, &s.g)) s.c = test_fmi3_instantiate(&fmu, &s.g, false, false, &log);
    if (CHECK(s.c != NULL)) {
      const image before = take_image(&s);
      CHECK(s.g.EnterInitializationMode(s.c, false, 0, 1e300, false, 0) == fmi3Error && log.count == 1);
      const image after = take_image(&s);
      CHECK(after.size == before.size && memcmp(after.bytes, before.bytes, after.size) == 0);
      free(before.bytes);
      free(after.bytes);
    }
    s.g.FreeInstance(s.c);
  }
  test_fmu_close(&fmu);
}

/* With and without event mode and early return. */
static void random_calls_of_three(void) {
  test_fmu fmu;
  test_fmu_write("busy.lua", test_fmu_busy);
  if (test_fmu_export("busy.lua", 3, &fmu)) {
    subject s = {.fmu = &fmu};
    test_random random = {30};
    const int rounds = (int)test_size(75, 500, 25000);
    call_tally tally = {0};
    for (int k = 0; k < 4 && test_fmi3_find(&fmu, &s.g); k++) {
      s.c = test_fmi3_instantiate(&fmu, &s.g, k & 1, k & 2, NULL);
      if (CHECK(s.c != NULL)) call_at_random(&s, rounds, &random, &tally);
      s.g.FreeInstance(s.c);
    }
    CHECK(tally.refused > rounds / 3);
  }
  test_fmu_close(&fmu);
}

/* --- damaged resources
 * ------------------------------------------------------------------------------------------------ */

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
  void *c = test_fmi2_instantiate(fmu, f, &log);
  CHECK(c == NULL && log.count == 1);
  if (!CHECK(strstr(log.last, message))) fprintf(stderr, "%s\n", log.last);
  f->FreeInstance(c);
}

static void damaged_resources_are_errors(void) {
  test_fmu fmu;
  fmi2 f;
  test_fmu_write("ball.lua", test_fmu_ball);
  if (test_fmu_export("ball.lua", 2, &fmu) && test_fmi2_find(&fmu, &f)) {
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
    CHECK(test_fmi2_instantiate(&fmu, &f, &log) == NULL && strstr(log.last, "zero byte"));
    write_resource(&fmu, "picus.txt", "picus-fmu 2\n", 12);
    CHECK(test_fmi2_instantiate(&fmu, &f, &log) == NULL && strstr(log.last, "picus-fmu 1"));
    char path[2 * FMU_PATH];
    snprintf(path, sizeof path, "%s/picus.txt", fmu.resources);
    CHECK(unlink(path) == 0 && test_fmi2_instantiate(&fmu, &f, &log) == NULL && strstr(log.last, "picus.txt"));
  }
  test_fmu_close(&fmu);
}

static void damaged_models_are_errors(void) {
  test_fmu fmu;
  fmi2 f;
  test_fmu_write("ball.lua", test_fmu_ball);
  if (test_fmu_export("ball.lua", 2, &fmu) && test_fmi2_find(&fmu, &f)) {
    message_log log = {0};
    for (size_t size = 0; size + 70 < strlen(test_fmu_ball);
         size += 29) { /* without a simulate { ... } that is complete */
      write_resource(&fmu, "model.lua", test_fmu_ball, size);
      void *c = test_fmi2_instantiate(&fmu, &f, &log);
      if (!CHECK(c == NULL)) fprintf(stderr, "%zu bytes\n", size);
      f.FreeInstance(c);
    }
    write_resource(&fmu, "model.lua", "while true do end", 17);
    CHECK(test_fmi2_instantiate(&fmu, &f, &log) == NULL);
    char token[FMU_NAME];
    snprintf(token, sizeof token, "%s", fmu.token);
    fmu.token[5] = 'x';
    CHECK(test_fmi2_instantiate(&fmu, &f, &log) == NULL && strstr(log.last, "of different FMUs"));
  }
  test_fmu_close(&fmu);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"wrong_calls_are_errors", wrong_calls_are_errors},
      {"random_calls", random_calls},
      {"random_calls_of_three", random_calls_of_three},
      {"a_failed_initialization_changes_nothing", a_failed_initialization_changes_nothing},
      {"damaged_resources_are_errors", damaged_resources_are_errors},
      {"damaged_models_are_errors", damaged_models_are_errors}};
  return test_main(argc, argv, "fmu_hostile", cases, sizeof cases / sizeof cases[0]);
}
