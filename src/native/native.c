/* From tapes to loaded code: key, cache, compiler, load, compare with the interpreter. */
#include "base/elementary.h"
#include "native/internal.h"
#include "platform/processes.h"

#include <math.h>
#include <picus/version.h>
#include <stdio.h>
#include <string.h>

struct picus_native {
  picus_context *context;
  void *handle;
};

/* In the order of the text. */
typedef struct native_calls {
  double (*of_one[11])(double);
  double (*of_two[2])(double, double);
  double (*table)(const void *tables, double x, double zone, double code);
  const void *tables; /* of the tape */
} native_calls;

static double power(double base, double exponent) { return picus_apply(PICUS_POWER, base, exponent, 0); }

static double table(const void *tables, double x, double zone, double code) {
  return picus_table_at(tables, x, zone, code);
}

static const native_calls calls = {{picus_exp, picus_ln, picus_sin, picus_cos, picus_tan, picus_asin, picus_acos,
                                    picus_atan, picus_sinh, picus_cosh, picus_tanh},
                                   {picus_atan2, power},
                                   table,
                                   NULL};

/* What becomes an object. */
typedef struct native_job {
  picus_context *context;
  const picus_native_request *request;
  native_compiler compiler;
  native_text text;
  char key[PICUS_SHA256_TEXT_SIZE];
  char path[PICUS_PATH_SIZE]; /* of the object */
  char folder[PICUS_PATH_SIZE];
  void *handle;
} native_job;

static void add_text(picus_sha256 *hash, const char *text) { picus_sha256_add(hash, text, strlen(text) + 1); }

/* All that the object depends on. The machine too: several may share a home folder. */
static void make_key(native_job *job) {
  picus_sha256 hash;
  char machine[128];
  unsigned char digest[PICUS_SHA256_SIZE];
  picus_sha256_begin(&hash);
  add_text(&hash, PICUS_VERSION);
  add_text(&hash, picus_machine_name(machine, sizeof machine));
  for (int i = 0; i < job->compiler.word_count; i++) add_text(&hash, job->compiler.words[i]);
  add_text(&hash, job->compiler.version);
  for (int i = 0; picus_native_flags[i]; i++) add_text(&hash, picus_native_flags[i]);
  picus_sha256_add(&hash, job->text.bytes, job->text.length);
  picus_sha256_end(&hash, digest);
  picus_sha256_text(digest, job->key);
}

/* --- build and load ---------------------------------------------------------------------------------------------- */

static native_end build_in(native_job *job, const char *work, char *note) {
  char source[PICUS_PATH_SIZE], object[PICUS_PATH_SIZE];
  const int a = snprintf(source, sizeof source, "%s/" NATIVE_SOURCE_NAME, work);
  const int b = snprintf(object, sizeof object, "%s/" NATIVE_OBJECT_NAME, work);
  if (a < 0 || b < 0 || (size_t)a >= sizeof source || (size_t)b >= sizeof object) {
    picus_native_note(note, "the name of the cache is too long");
    return NATIVE_FAILED;
  }
  if (!picus_native_save_source(source, &job->text, note)) return NATIVE_FAILED;
  const native_end end = picus_native_compile(job->request, &job->compiler, source, object, note);
  if (end != NATIVE_DONE) return end;
  return picus_native_publish(job->context, object, job->path, note) ? NATIVE_DONE : NATIVE_FAILED;
}

static native_end build(native_job *job, char *note) {
  char work[PICUS_PATH_SIZE];
  if (!picus_native_begin_work(job->folder, work, note)) return NATIVE_FAILED;
  const native_end end = build_in(job, work, note);
  picus_native_end_work(work);
  const long most = job->request->cache_most ? job->request->cache_most : PICUS_NATIVE_CACHE_MOST;
  picus_native_trim(job->context, job->folder, job->key, most);
  return end;
}

/* false: it is not there, damaged, of others, or for another machine. */
static bool load(native_job *job, char *note) {
  if (!picus_native_is_intact(job->context, job->path)) {
    picus_native_note(note, "the object in the cache is damaged, or others may write it");
    return false;
  }
  const char *reason;
  job->handle = picus_code_load(job->path, &reason);
  if (!job->handle) {
    picus_native_note(note, "the object cannot be loaded: %s", reason);
    return false;
  }
  const char *key = picus_code_find(job->handle, "picus_native_key");
  if (key && strcmp(key, job->key) == 0 && picus_code_find(job->handle, "picus_native_functions")) {
    picus_native_note_use(job->path);
    return true;
  }
  picus_native_note(note, "the object in the cache is another one");
  picus_code_unload(job->handle);
  job->handle = NULL;
  return false;
}

static native_end load_or_build(native_job *job, bool *compiled, char *note) {
  if (load(job, note)) return NATIVE_DONE;
  *compiled = true;
  const native_end end = build(job, note);
  if (end != NATIVE_DONE) return end;
  return load(job, note) ? NATIVE_DONE : NATIVE_FAILED;
}

/* --- tapes with code --------------------------------------------------------------------------------------------- */

static picus_status attach(picus_tape *tape, const picus_tape_code *code, int32_t *next) {
  int32_t *first = picus_allocate(tape->context, (size_t)tape->stage_count + 1, sizeof *first);
  if (!first) return PICUS_ERROR_MEMORY;
  for (int s = 0; s < tape->stage_count; s++) first[s + 1] = first[s] + picus_native_function_count(tape, s);
  tape->first_code = first;
  tape->code = code + *next;
  tape->code_calls = &calls;
  if (tape->table_count > 0) {
    native_calls *own = picus_allocate(tape->context, 1, sizeof *own);
    if (!own) return PICUS_ERROR_MEMORY;
    *own = calls;
    own->tables = tape->tables;
    tape->code_calls = tape->own_calls = own;
  }
  *next += first[tape->stage_count];
  return PICUS_OK;
}

static void detach(const picus_native_request *request) {
  for (int t = 0; t < request->tape_count; t++) {
    picus_tape *tape = request->tapes[t];
    if (!tape) continue;
    picus_release(tape->context, tape->first_code);
    picus_release(tape->context, tape->own_calls);
    tape->first_code = NULL;
    tape->code = NULL;
    tape->own_calls = NULL;
  }
}

static bool is_same(double a, double b) {
  uint64_t bits_a, bits_b;
  memcpy(&bits_a, &a, sizeof a);
  memcpy(&bits_b, &b, sizeof b);
  return bits_a == bits_b || (isnan(a) && isnan(b));
}

/* Compares the code with the interpreter at one point, whatever the numbers mean. */
static picus_status compare(picus_context *context, const picus_tape *tape, bool *same) {
  const size_t count = (size_t)picus_tape_register_count(tape);
  double *expected = picus_allocate(context, count, sizeof *expected);
  double *got = picus_allocate(context, count, sizeof *got);
  const picus_status status = expected && got ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    for (int i = 0; i < tape->variable_count; i++)
      expected[i] = got[i] = 0.25 + 0.5 * (double)(picus_mix((uint64_t)i + 1) >> 11) * 0x1p-53;
    picus_tape_prepare(tape, expected);
    picus_tape_prepare(tape, got);
    picus_tape_fill(tape, expected);
    picus_tape_run_stages(tape, 0, tape->stage_count - 1, got);
    for (int32_t i = 0; i < tape->first_output[tape->stage_count]; i++)
      if (!is_same(expected[tape->output_register[i]], got[tape->output_register[i]])) *same = false;
  }
  picus_release(context, expected);
  picus_release(context, got);
  return status;
}

static picus_status attach_all(native_job *job, bool *same) {
  const picus_tape_code *code = picus_code_find(job->handle, "picus_native_functions");
  picus_status status = PICUS_OK;
  int32_t next = 0;
  for (int t = 0; !status && t < job->request->tape_count; t++) {
    picus_tape *tape = job->request->tapes[t];
    if (!tape || tape->stage_count == 0) continue;
    status = attach(tape, code, &next);
    if (!status) status = compare(job->context, tape, same);
  }
  return status;
}

/* --- creation ---------------------------------------------------------------------------------------------------- */

static picus_status use(native_job *job, picus_native_outcome *outcome) {
  bool same = true;
  picus_native *native = picus_allocate(job->context, 1, sizeof *native);
  picus_status status = native ? attach_all(job, &same) : PICUS_ERROR_MEMORY;
  if (!status && same) {
    *native = (picus_native){job->context, job->handle};
    outcome->code = native;
    outcome->note[0] = '\0';
    return PICUS_OK;
  }
  if (!same) picus_native_note(outcome->note, "the compiled code has other values");
  detach(job->request);
  picus_release(job->context, native);
  picus_code_unload(job->handle);
  return status;
}

static picus_status write_source(native_job *job) {
  picus_native_write_tapes(&job->text, job->request->tape_count, job->request->tapes);
  if (job->text.failed) return PICUS_ERROR_MEMORY;
  make_key(job);
  picus_native_write(&job->text, "const char picus_native_key[] = \"%s\";\n", job->key);
  return job->text.failed ? PICUS_ERROR_MEMORY : PICUS_OK;
}

static picus_status create(native_job *job, picus_native_outcome *outcome) {
  char *note = outcome->note;
  if (!picus_native_open_cache(job->request->cache, job->folder, note)) return PICUS_OK;
  native_end end = picus_native_find_compiler(job->request, &job->compiler, note);
  if (end == NATIVE_DONE) {
    const picus_status status = write_source(job);
    if (status) return status;
    const int length = snprintf(job->path, sizeof job->path, "%s/%s.so", job->folder, job->key);
    if (length < 0 || (size_t)length >= sizeof job->path) {
      picus_native_note(note, "the name of the cache is too long");
      return PICUS_OK;
    }
    end = load_or_build(job, &outcome->compiled, note);
  }
  if (end == NATIVE_INTERRUPTED) return picus_fail(job->context, PICUS_INTERRUPTED, "the compiler was interrupted");
  return end == NATIVE_DONE ? use(job, outcome) : PICUS_OK;
}

picus_status picus_native_create(picus_context *context, const picus_native_request *request,
                                 picus_native_outcome *outcome) {
  *outcome = (picus_native_outcome){0};
  for (int t = 0; t < request->tape_count; t++) {
    const picus_tape *tape = request->tapes[t];
    if (tape) outcome->operations += tape->first_instruction[tape->stage_count];
  }
  if (outcome->operations == 0) return PICUS_OK;
  const long most = request->most_operations ? request->most_operations : PICUS_NATIVE_OPERATIONS_MOST;
  if (outcome->operations > most) {
    picus_native_note(outcome->note, "%ld operations are too many for a compiler", outcome->operations);
    return PICUS_OK;
  }
  native_job *job = picus_allocate(context, 1, sizeof *job);
  if (!job) return PICUS_ERROR_MEMORY;
  job->context = context;
  job->request = request;
  job->text.context = context;
  picus_status status = create(job, outcome);
  picus_release(context, job->text.bytes);
  picus_release(context, job);
  if (!status) picus_clear_error(context); /* of files that could not be read */
  return status;
}

void picus_native_destroy(picus_native *native) {
  if (!native) return;
  picus_code_unload(native->handle);
  picus_release(native->context, native);
}
