/* Native code of formulas: the same bits as the interpreter; what keeps formulas from it is a note, not a failure; a
 * cache that is damaged, foreign or shared does no harm. */
#define _XOPEN_SOURCE 700
#include "native/native.h"
#include "expr/tape.h"
#include "expr_random.h"
#include "expr_support.h"
#include "native_support.h"
#include "support/allocations.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>

/* ---- random formulas */

enum { OUTPUTS = 60, STAGES = 3, POINTS = 20 };

/* Adds many formulas, so that their functions are split, and some of their derivatives. */
static picus_tape *random_tape(random_formulas *from) {
  static picus_expr output[STAGES][OUTPUTS];
  picus_tape_stage stages[STAGES];
  picus_tape *tape = NULL;
  for (int s = 0; s < STAGES; s++) {
    for (int k = 0; k < OUTPUTS; k++) {
      random_forget(from);
      output[s][k] = random_expr(from, random_formula(from, test_integer(&from->random, 0, 4)));
      const int variable = random_dependence(from, output[s][k]);
      if (variable >= 0 && k % 3) output[s][k] = picus_derivative(from->pool, output[s][k], variable);
    }
    stages[s] = (picus_tape_stage){OUTPUTS, output[s]};
  }
  CHECK(picus_tape_create(from->pool, STAGES, stages, &tape) == PICUS_OK);
  return tape;
}

/* The code of a tape, also far outside of the domains of functions, against its interpreter. */
static int compare_at_points(random_formulas *from, const picus_tape *tape) {
  const size_t count = (size_t)picus_tape_register_count(tape);
  double *expected = calloc(count, sizeof *expected), *got = calloc(count, sizeof *got);
  double values[OUTPUTS], others[OUTPUTS];
  int compared = 0;
  for (int k = 0; expected && got && k < POINTS; k++) {
    picus_tape_prepare(tape, expected);
    picus_tape_prepare(tape, got);
    random_point(from, expected);
    for (int i = 0; i < RANDOM_VARIABLES; i++) got[i] = expected[i] *= k < POINTS / 2 ? 1 : 1e3;
    picus_tape_fill(tape, expected);
    for (int s = 0; s < STAGES; s++) {
      picus_tape_run(tape, s, got);
      picus_tape_read(tape, s, got, values);
      picus_tape_read(tape, s, expected, others);
      for (int i = 0; i < OUTPUTS; i++, compared++) CHECK(native_same(values[i], others[i]));
    }
  }
  free(expected);
  free(got);
  return compared;
}

static void random_formulas_have_the_same_bits(void) {
  static random_formulas from;
  static const char *const compilers[] = {"gcc", "clang"};
  if (!native_begin()) return;
  for (unsigned k = 0; k < 2; k++) {
    formulas f = formulas_open("");
    random_formulas_open(&from, f.pool, 9100 + k);
    picus_tape *tapes[] = {random_tape(&from), NULL, random_tape(&from)};
    const picus_native_request request = {
        .tape_count = 3, .tapes = tapes, .cache = native_path("cache"), .compiler = compilers[k], .seconds = 300};
    picus_native_outcome outcome;
    CHECK(picus_native_create(f.context, &request, &outcome) == PICUS_OK);
    int compared = 0;
    if (outcome.code)
      compared = compare_at_points(&from, tapes[0]) + compare_at_points(&from, tapes[2]);
    else /* one of both may not be installed */
      CHECK(strstr(outcome.note, "does not run") != NULL);
    printf("  %s: %ld operations, %d values compared %s\n", compilers[k], outcome.operations, compared, outcome.note);
    picus_tape_destroy(tapes[0]);
    picus_tape_destroy(tapes[2]);
    picus_native_destroy(outcome.code);
    formulas_close(f);
  }
  native_end();
}

/* Every exponent that is computed by multiplications. */
static void powers_have_the_same_bits(void) {
  formulas f = formulas_open("");
  const picus_expr x = picus_variable(f.pool, "x"), y = picus_variable(f.pool, "y");
  picus_expr outputs[140];
  int count = 0;
  if (!native_begin()) return;
  for (int half = -34; half <= 34; half++)
    outputs[count++] = picus_binary(f.pool, PICUS_POWER, x, picus_number(f.pool, 0.5 * half));
  outputs[count++] = picus_binary(f.pool, PICUS_POWER, x, y);
  picus_tape *tape = NULL;
  REQUIRE(picus_tape_create(f.pool, 1, &(picus_tape_stage){count, outputs}, &tape) == PICUS_OK);
  picus_native_outcome outcome;
  const picus_native_request request = {.tape_count = 1, .tapes = &tape, .cache = native_path("cache"), .seconds = 300};
  CHECK(picus_native_create(f.context, &request, &outcome) == PICUS_OK && outcome.code);
  double registers[512], expected[512];
  REQUIRE(picus_tape_register_count(tape) <= 512 && tape->variable_count == 2);
  static const double bases[] = {0.3, 1.7, -2.1, 0, -0.0, 1e-20, 1e30, INFINITY, NAN};
  for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) {
    picus_tape_prepare(tape, registers);
    registers[0] = bases[k];
    registers[1] = 0.5 * (double)k - 2;
    memcpy(expected, registers, sizeof expected);
    picus_tape_fill(tape, expected);
    picus_tape_run(tape, 0, registers);
    for (int i = 0; i < count; i++) {
      const int at = tape->output_register[i];
      CHECK(native_same(registers[at], expected[at]));
    }
  }
  picus_tape_destroy(tape);
  picus_native_destroy(outcome.code);
  formulas_close(f);
  native_end();
}

/* ---- systems */

/* Formulas of every kind: rates, M, W, forces, an input, observed values, powers. */
static const char TEXT[] = "local q, u = coordinates {{'a', velocity = 'w', start = {1, -1}},\n"
                           "  {'r', velocity = 'v', start = {1, 0}}}\n"
                           "kinetic((u.v^2 + (q.r * u.w)^2) / 2)\npotential(-q.r * cos(q.a) + 10 * (q.r - 1)^2)\n"
                           "force {a = -0.1 * u.w * abs(u.w) + sin(3 * t)}\n"
                           "contact {'stop', gap = 1.1 - q.r, slip = q.r * u.w, mu = 0.2}\n"
                           "observe {'height', -q.r * cos(q.a)}\n"
                           "simulate {dt = 0.01, t_end = 0.5}\n";

typedef struct motion {
  picus_status status;
  picus_native_report report;
  double q[2], u[2];
} motion;

static motion move(const char *text, const picus_derivation *derivation, const char *scheme) {
  motion m = {.status = PICUS_ERROR_MEMORY};
  picus_context *context = NULL;
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  if (picus_context_create(NULL, &context)) return m;
  m.status = picus_model_load_text(context, "text", text, strlen(text), NULL, &model);
  if (!m.status) m.status = picus_system_create_within(model, derivation, &system);
  if (!m.status) {
    picus_sim_options options = picus_model_sim_options(model);
    options.scheme = scheme;
    m.status = picus_sim_create(context, system, &options, &sim);
  }
  if (!m.status) m.status = picus_sim_run(sim, NULL, NULL, NULL);
  if (!m.status) {
    const picus_state state = picus_sim_state(sim);
    memcpy(m.q, state.q, sizeof m.q);
    memcpy(m.u, state.u, sizeof m.u);
  }
  if (system) m.report = picus_system_native(system);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  return m;
}

/* Runs and compares with the interpreter; returns what became of the code. */
static picus_native_report run_native(const picus_derivation *derivation, const char *scheme) {
  const motion plain = move(TEXT, NULL, scheme), native = move(TEXT, derivation, scheme);
  CHECK(plain.status == PICUS_OK && native.status == PICUS_OK);
  CHECK(memcmp(plain.q, native.q, sizeof plain.q) == 0 && memcmp(plain.u, native.u, sizeof plain.u) == 0);
  return native.report;
}

static void schemes_compile_what_they_need(void) {
  if (!native_begin()) return;
  const picus_derivation derivation = native_options(native_path("cache"));
  picus_native_report report = run_native(&derivation, "moreau");
  CHECK(report.objects == 1 && report.compiled == 1 && report.operations > 20 && report.interpreted == 0);
  report = run_native(&derivation, "moreau-jean");
  CHECK(report.objects == 2 && report.compiled == 1 && report.note[0] == '\0'); /* Jacobians */
  report = run_native(&derivation, "rattle");
  CHECK(report.objects >= 2 && report.compiled >= 1);
  report = run_native(&derivation, "rattle");
  CHECK(report.objects >= 2 && report.compiled == 0);
  CHECK(native_count(native_path("cache"), "") == native_count(native_path("cache"), ".so")); /* nothing is left over */
  native_end();
}

/* Objects do not depend on the values of constants. */
static void parameters_share_an_object(void) {
  if (!native_begin()) return;
  const picus_derivation derivation = native_options(native_path("cache"));
  char other[sizeof TEXT];
  CHECK(move(TEXT, &derivation, "moreau").report.compiled == 1);
  memcpy(other, TEXT, sizeof TEXT);
  char *stiffness = strstr(other, "10 * (q.r");
  REQUIRE(stiffness != NULL);
  memcpy(stiffness, "17", 2);
  const motion plain = move(other, NULL, "moreau"), native = move(other, &derivation, "moreau");
  CHECK(native.report.objects == 1 && native.report.compiled == 0);
  CHECK(memcmp(plain.q, native.q, sizeof plain.q) == 0);
  native_end();
}

/* ---- what keeps formulas from native code */

static bool save_script(const char *path, const char *text) {
  const int file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0700);
  const bool fine = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
  if (file >= 0) close(file);
  return CHECK(fine);
}

static void expect_note(const picus_derivation *derivation, const char *part) {
  const picus_native_report report = run_native(derivation, "moreau-jean");
  CHECK(report.objects == 0 && report.operations == 0 && report.interpreted > 20);
  if (!CHECK(strstr(report.note, part) != NULL)) printf("  note: %s\n", report.note);
}

static void compilers_that_do_not_work(void) {
  if (!native_begin()) return;
  picus_derivation derivation = native_options(native_path("cache"));
  derivation.native_compiler = "/nowhere/cc -O1";
  expect_note(&derivation, "'/nowhere/cc -O1' does not run");
  derivation.native_compiler = "   ";
  expect_note(&derivation, "does not run");
  derivation.native_compiler = native_path("refuses");
  REQUIRE(save_script(derivation.native_compiler,
                      "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho 'tapes.c:1: error: not today' >&2\nexit 1\n"));
  expect_note(&derivation, "the compiler failed: error: not today");
  derivation.native_compiler = native_path("silent");
  REQUIRE(save_script(derivation.native_compiler, "#!/bin/sh\nexit 0\n"));
  expect_note(&derivation, "the compiler left no object");
  derivation.native_compiler = native_path("text");
  REQUIRE(save_script(derivation.native_compiler,
                      "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && echo no object >\"$2\"; shift; done\n"));
  expect_note(&derivation, "cannot be loaded");
  derivation.native_compiler = native_path("hangs");
  derivation.native_seconds = 0.05;
  REQUIRE(save_script(derivation.native_compiler, "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\nsleep 1000\n"));
  expect_note(&derivation, "took more than 0.05 s");
  native_end();
}

/* A compiler that makes a mistake: sums become differences. */
static void wrong_code_is_not_used(void) {
  if (!native_begin()) return;
  picus_derivation derivation = native_options(native_path("cache"));
  derivation.native_compiler = native_path("wrong");
  REQUIRE(save_script(derivation.native_compiler,
                      "#!/bin/sh\nfor word; do case $word in *.c) sed -i '/^#define P/s/ + / - /' \"$word\";; esac\n"
                      "done\nexec cc \"$@\"\n"));
  expect_note(&derivation, "other values");
  native_end();
}

static void caches_that_do_not_work(void) {
  if (!native_begin()) return;
  picus_derivation derivation = native_options("/dev/null/picus");
  expect_note(&derivation, "/dev/null/picus cannot be created");
  derivation.native_cache = "";
  expect_note(&derivation, "no folder for the cache");
  derivation.native_cache = native_path("shared");
  REQUIRE(mkdir(derivation.native_cache, 0700) == 0 && chmod(derivation.native_cache, 0777) == 0);
  expect_note(&derivation, "the user alone may write");
  derivation.native_cache = native_path("file");
  REQUIRE(save_script(derivation.native_cache, "text"));
  expect_note(&derivation, "the user alone may write");
  if (geteuid() != 0) { /* root may write everywhere */
    derivation.native_cache = native_path("closed");
    REQUIRE(mkdir(derivation.native_cache, 0500) == 0);
    expect_note(&derivation, "cannot be written");
  }
  native_end();
}

static int stop(void *user) { return ++*(int *)user > 1; }

static void compiling_has_limits(void) {
  int asked = 0;
  if (!native_begin()) return;
  formulas f = formulas_open("");
  const picus_expr x = picus_variable(f.pool, "x");
  picus_expr sine = picus_unary(f.pool, PICUS_SIN, x);
  picus_tape *tape = NULL;
  REQUIRE(picus_tape_create(f.pool, 1, &(picus_tape_stage){1, &sine}, &tape) == PICUS_OK);
  const char *hangs = native_path("hangs");
  REQUIRE(save_script(hangs, "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\nsleep 1000\n"));
  const picus_native_request request = {.tape_count = 1,
                                        .tapes = &tape,
                                        .cache = native_path("cache"),
                                        .compiler = hangs,
                                        .seconds = 1000,
                                        .interrupt = stop,
                                        .user = &asked};
  picus_native_outcome outcome;
  CHECK(picus_native_create(f.context, &request, &outcome) == PICUS_INTERRUPTED && !outcome.code);
  picus_expr cosine[] = {sine, picus_unary(f.pool, PICUS_COS, x)};
  picus_tape_destroy(tape);
  REQUIRE(picus_tape_create(f.pool, 1, &(picus_tape_stage){2, cosine}, &tape) == PICUS_OK);
  const picus_native_request small = {.tape_count = 1, .tapes = &tape, .most_operations = 1};
  CHECK(picus_native_create(f.context, &small, &outcome) == PICUS_OK && !outcome.code);
  CHECK(strstr(outcome.note, "2 operations are too many") != NULL);
  CHECK(native_count(native_path("cache"), "") == 0);
  picus_tape_destroy(tape);
  formulas_close(f);
  native_end();
}

/* ---- the cache */

static void first_object(char path[1024]) {
  DIR *folder = opendir(native_path("cache"));
  path[0] = '\0';
  for (struct dirent *entry; folder && (entry = readdir(folder));)
    if (strstr(entry->d_name, ".so")) snprintf(path, 1024, "%s/%s", native_path("cache"), entry->d_name);
  if (folder) closedir(folder);
}

static bool change_byte(const char *path, long at, int from) {
  FILE *file = fopen(path, "r+b");
  if (!CHECK(file != NULL)) return false;
  fseek(file, at, from);
  const int byte = fgetc(file);
  fseek(file, -1, SEEK_CUR);
  fputc(byte ^ 1, file);
  return CHECK(fclose(file) == 0);
}

static void damaged_objects_are_made_again(void) {
  char path[1024];
  if (!native_begin()) return;
  const picus_derivation derivation = native_options(native_path("cache"));
  CHECK(run_native(&derivation, "moreau").compiled == 1);
  first_object(path);
  for (int damage = 0; damage < 9; damage++) {
    CHECK(run_native(&derivation, "moreau").compiled == 0);
    if (damage == 0) change_byte(path, 100, SEEK_SET);
    if (damage == 1) change_byte(path, -1, SEEK_END);
    if (damage == 2) CHECK(truncate(path, 1000) == 0);
    if (damage == 3) CHECK(truncate(path, 0) == 0);
    if (damage == 4) CHECK(chmod(path, 0720) == 0); /* others may have written it */
    if (damage == 5) CHECK(rename(path, native_path("real")) == 0 && symlink(native_path("real"), path) == 0);
    if (damage == 6) CHECK(save_script(path, "not even sealed, but longer than a seal would be: 0123456789"));
    if (damage == 7) CHECK(unlink(path) == 0);
    if (damage == 8 && (geteuid() != 0 || chown(path, 12345, 12345))) break; /* only root can give files away */
    const picus_native_report report = run_native(&derivation, "moreau");
    CHECK(report.objects == 1 && report.compiled == 1);
  }
  CHECK(native_count(native_path("cache"), "") == 1);
  native_end();
}

/* An intact object under the name of another one. */
static void exchanged_objects_are_made_again(void) {
  static const char OTHER[] = "local q, u = coordinates {{'x', velocity = 'v', start = {1, -1}},\n"
                              "  {'y', velocity = 'w', start = {1, 0}}}\n"
                              "kinetic(u.v^2 + u.w^2)\npotential(q.x^2 * q.y^4)\nsimulate {dt = 0.01, t_end = 0.5}\n";
  char path[1024], copy[2100];
  if (!native_begin()) return;
  const picus_derivation derivation = native_options(native_path("cache"));
  CHECK(move(OTHER, &derivation, "moreau").report.compiled == 1);
  first_object(path);
  REQUIRE(rename(path, native_path("other")) == 0);
  CHECK(run_native(&derivation, "moreau").compiled == 1);
  first_object(path);
  snprintf(copy, sizeof copy, "cp '%s' '%s'", native_path("other"), path);
  REQUIRE(system(copy) == 0);
  const picus_native_report report = run_native(&derivation, "moreau");
  CHECK(report.objects == 1 && report.compiled == 1);
  native_end();
}

/* The tape of a function, compiled or loaded. */
typedef struct one_function {
  picus_op function;
  long most;
  bool compiled;
} one_function;

static void use_function(one_function *of) {
  formulas f = formulas_open("");
  const picus_expr value = picus_unary(f.pool, of->function, picus_variable(f.pool, "x"));
  picus_tape *tape = NULL;
  picus_native_outcome outcome = {0};
  REQUIRE(picus_tape_create(f.pool, 1, &(picus_tape_stage){1, &value}, &tape) == PICUS_OK);
  const picus_native_request request = {
      .tape_count = 1, .tapes = &tape, .cache = native_path("cache"), .seconds = 300, .cache_most = of->most};
  CHECK(picus_native_create(f.context, &request, &outcome) == PICUS_OK && outcome.code);
  of->compiled = outcome.compiled;
  picus_tape_destroy(tape);
  picus_native_destroy(outcome.code);
  formulas_close(f);
}

static bool set_age(const char *path, long seconds) {
  const struct timespec then[2] = {{.tv_sec = time(NULL) - seconds}, {.tv_sec = time(NULL) - seconds}};
  return CHECK(utimensat(AT_FDCWD, path, then, 0) == 0);
}

static bool exists(const char *path) {
  struct stat facts;
  return lstat(path, &facts) == 0;
}

static void the_cache_has_a_limit(void) {
  char sine[1024], cosine[1024];
  struct stat facts;
  if (!native_begin()) return;
  one_function a = {PICUS_SIN, 0, false}, b = {PICUS_COS, 0, false}, c = {PICUS_TAN, 0, false};
  use_function(&a);
  first_object(sine);
  REQUIRE(stat(sine, &facts) == 0 && rename(sine, native_path("kept")) == 0);
  use_function(&b);
  first_object(cosine);
  REQUIRE(rename(native_path("kept"), sine) == 0 && strcmp(sine, cosine) != 0);
  set_age(sine, 5000);
  set_age(cosine, 1000);
  use_function(&a); /* it is the younger one now */
  CHECK(!a.compiled);
  REQUIRE(mkdir(native_path("cache/build-killed"), 0700) == 0 && mkdir(native_path("cache/build-others"), 0700) == 0);
  REQUIRE(save_script(native_path("cache/build-killed/tapes.c"), "int unfinished") &&
          save_script(native_path("cache/build-killed/cc1.tmp"), "") &&
          save_script(native_path("cache/notes.so"), "of the user"));
  set_age(native_path("cache/build-killed"), 90000);
  set_age(native_path("cache/notes.so"), 90000);
  c.most = (long)facts.st_size * 5 / 2;
  use_function(&c);
  CHECK(c.compiled && exists(sine) && !exists(cosine) && !exists(native_path("cache/build-killed")));
  CHECK(exists(native_path("cache/build-others")) && exists(native_path("cache/notes.so")));
  b.most = 1; /* what was just compiled stays all the same */
  use_function(&b);
  CHECK(b.compiled && exists(cosine) && native_count(native_path("cache"), ".so") == 2);
  native_end();
}

static void many_compile_at_the_same_time(void) {
  enum { PROCESSES = 6 };
  pid_t child[PROCESSES];
  if (!native_begin()) return;
  const picus_derivation derivation = native_options(native_path("cache"));
  fflush(stdout);
  for (int k = 0; k < PROCESSES; k++) {
    child[k] = fork();
    if (child[k] == 0) {
      const motion m = move(TEXT, &derivation, "moreau");
      _exit(m.status == PICUS_OK && m.report.objects == 1 && m.report.interpreted == 0 ? 0 : 1);
    }
  }
  for (int k = 0; k < PROCESSES; k++) {
    int code = -1;
    CHECK(child[k] > 0 && waitpid(child[k], &code, 0) == child[k] && code == 0);
  }
  CHECK(native_count(native_path("cache"), "") == 1 && native_count(native_path("cache"), ".so") == 1);
  CHECK(run_native(&derivation, "moreau").compiled == 0);
  native_end();
}

/* ---- messages and memory */

/* Registers between the operations do not exist in native code: the message is the same all the same. */
static void messages_are_the_same(void) {
  static const char BROKEN[] = "local q, u = coordinates {{'x', velocity = 'v', start = {1, -1}}}\n"
                               "kinetic(u.v^2)\nforce {x = 3 * sqrt(0.2 - t) * q.x + 1}\n"
                               "simulate {dt = 0.01, t_end = 0.5}\n";
  char message[2][512];
  if (!native_begin()) return;
  const picus_derivation derivation = native_options(native_path("cache"));
  for (int native = 0; native < 2; native++) {
    picus_context *context = NULL;
    picus_model *model = NULL;
    picus_system *system = NULL;
    picus_sim *sim = NULL;
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    REQUIRE(picus_model_load_text(context, "text", BROKEN, strlen(BROKEN), NULL, &model) == PICUS_OK);
    REQUIRE(picus_system_create_within(model, native ? &derivation : NULL, &system) == PICUS_OK);
    const picus_sim_options options = picus_model_sim_options(model);
    REQUIRE(picus_sim_create(context, system, &options, &sim) == PICUS_OK);
    CHECK(picus_sim_run(sim, NULL, NULL, NULL) < 0);
    snprintf(message[native], sizeof message[native], "%s", picus_last_error(context)->message);
    CHECK(picus_system_native(system).objects == native);
    picus_sim_destroy(sim);
    picus_system_destroy(system);
    picus_model_destroy(model);
    picus_context_destroy(context);
  }
  CHECK(strstr(message[0], "sqrt(0.2 - t) = sqrt(-0.005)") != NULL);
  CHECK_TEXT(message[1], message[0]);
  native_end();
}

/* Each allocation may be refused: memory has run out, or formulas are interpreted. Nothing is lost. */
static void refused_memory(void) {
  if (!native_begin()) return;
  int refused = 0;
  for (long n = -1; n < 100; n++) { /* the first one fills the cache */
    test_allocations a = test_grant_all();
    const picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
    formulas f = {0};
    REQUIRE(picus_context_create(&def, &f.context) == PICUS_OK && picus_pool_create(f.context, &f.pool) == PICUS_OK);
    picus_expr sine = picus_unary(f.pool, PICUS_SIN, picus_variable(f.pool, "x"));
    picus_tape *tape = NULL;
    REQUIRE(picus_tape_create(f.pool, 1, &(picus_tape_stage){1, &sine}, &tape) == PICUS_OK);
    const picus_native_request request = {
        .tape_count = 1, .tapes = &tape, .cache = native_path("cache"), .seconds = 300};
    picus_native_outcome outcome;
    if (n >= 0) {
      a.granted = a.calls + n;
      a.refused = 1;
    }
    const long before = a.calls;
    const picus_status status = picus_native_create(f.context, &request, &outcome);
    CHECK(status == PICUS_OK || (status == PICUS_ERROR_MEMORY && !outcome.code));
    const bool reached = n >= 0 && a.calls > before + n;
    CHECK(reached || (status == PICUS_OK && outcome.code));
    refused += reached;
    double registers[2] = {0.5};
    picus_tape_run(tape, 0, registers);
    CHECK(registers[1] == sin(0.5));
    picus_tape_destroy(tape);
    picus_native_destroy(outcome.code);
    formulas_close(f);
    if (n >= 0 && !reached) break;
  }
  CHECK(refused >= 5);
  native_end();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"random_formulas_have_the_same_bits", random_formulas_have_the_same_bits},
      {"powers_have_the_same_bits", powers_have_the_same_bits},
      {"schemes_compile_what_they_need", schemes_compile_what_they_need},
      {"parameters_share_an_object", parameters_share_an_object},
      {"compilers_that_do_not_work", compilers_that_do_not_work},
      {"wrong_code_is_not_used", wrong_code_is_not_used},
      {"caches_that_do_not_work", caches_that_do_not_work},
      {"compiling_has_limits", compiling_has_limits},
      {"damaged_objects_are_made_again", damaged_objects_are_made_again},
      {"exchanged_objects_are_made_again", exchanged_objects_are_made_again},
      {"the_cache_has_a_limit", the_cache_has_a_limit},
      {"many_compile_at_the_same_time", many_compile_at_the_same_time},
      {"messages_are_the_same", messages_are_the_same},
      {"refused_memory", refused_memory},
  };
  return test_main(argc, argv, "native", cases, sizeof cases / sizeof *cases);
}
