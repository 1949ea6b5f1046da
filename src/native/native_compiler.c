/* The system's compiler: which one, which version, and its run, without a shell, without input and within a limit of
 * time. */
#include "native/internal.h"
#include "platform/files.h"
#include "platform/processes.h"
#include "platform/threads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- running a program -------------------------------------------------------------------------------------------- */

/* A program to run: no shell, no input, a limit of time. */
typedef struct native_process {
  const char *const *words; /* ended by NULL; the first one is looked for in $PATH */
  double seconds;           /* limit */
  int (*interrupt)(void *user);
  void *user;
  char *output; /* the first of what it prints, ended by zero */
  size_t output_size;
} native_process;

enum { POLL_MILLISECONDS = 50 }; /* between two looks at the interrupt */

/* Keeps the first of what comes; false: the end. */
static bool take_output(const native_process *process, int input, size_t *length, int *error) {
  char bytes[1024];
  size_t got = sizeof bytes;
  *error = picus_pipe_read(input, POLL_MILLISECONDS, bytes, &got);
  if (*error) return *error == EAGAIN;
  const size_t room = process->output_size - 1 - *length, part = got < room ? got : room;
  memcpy(process->output + *length, bytes, part);
  *length += part;
  process->output[*length] = '\0';
  return got > 0;
}

/* Until the program and its children have closed their output. */
static native_end follow(const native_process *process, int input) {
  const double begin = picus_clock_steady();
  size_t length = 0;
  int error = 0;
  for (;;) {
    if (!take_output(process, input, &length, &error)) return error ? NATIVE_FAILED : NATIVE_DONE;
    if (process->interrupt && process->interrupt(process->user)) return NATIVE_INTERRUPTED;
    if (picus_clock_steady() - begin > process->seconds) return NATIVE_TOO_LONG;
  }
}

/* A host that ignores the end of processes learns no exit code: what the program made decides then. */
static native_end reap(picus_process *child, native_end end) {
  int code;
  const picus_process_state state = picus_process_look(child, true, &code);
  if (end != NATIVE_DONE || state == PICUS_PROCESS_UNKNOWN) return end;
  return state == PICUS_PROCESS_ENDED && code == 0 ? NATIVE_DONE : NATIVE_FAILED;
}

/* Runs a program without a shell and waits for it; all of its children end with it. NATIVE_FAILED: its exit code is not
 * 0. */
static native_end run_program(const native_process *process) {
  int ends[2];
  picus_process child;
  process->output[0] = '\0';
  if (picus_pipe(ends)) return NATIVE_FAILED;
  const int error = picus_process_start(
      &(picus_program){.words = process->words, .input = -1, .output = ends[1], .errors = ends[1], .is_group = true},
      &child);
  (void)picus_file_close(ends[1]);
  native_end end = error == ENOENT || error == EACCES || error == ENOTDIR ? NATIVE_NOT_FOUND : NATIVE_FAILED;
  if (!error) {
    end = follow(process, ends[0]);
    if (end != NATIVE_DONE) picus_process_kill(&child);
    end = reap(&child, end);
  }
  (void)picus_file_close(ends[0]);
  return end;
}

/* --- the compiler ------------------------------------------------------------------------------------------------- */

/* Each operation is rounded by itself, as the interpreter does. The object needs no library: all functions that it
 * calls are given to it. */
const char *const picus_native_flags[] = {
    "-std=c11",        "-O1",       "-fPIC", "-shared", "-ffp-contract=off", "-fno-fast-math",
    "-fno-math-errno", "-nostdlib", "-w",    NULL};

enum { FLAGS_MOST = 16 };
static const double version_seconds = 10;

/* Splits the command at blanks. false: it has none or too many words, or is too long. */
static bool split(const char *command, native_compiler *compiler) {
  const size_t length = strlen(command);
  compiler->word_count = 0;
  if (length >= sizeof compiler->command) return false;
  memcpy(compiler->command, command, length + 1);
  for (char *next = compiler->command; *(next += strspn(next, " \t")) != '\0';) {
    if (compiler->word_count == NATIVE_WORDS_MOST) return false;
    compiler->words[compiler->word_count++] = next;
    next += strcspn(next, " \t");
    if (*next != '\0') *next++ = '\0';
  }
  compiler->words[compiler->word_count] = NULL;
  return compiler->word_count > 0;
}

static native_end try_compiler(const picus_native_request *request, const char *command, native_compiler *compiler) {
  if (!split(command, compiler)) return NATIVE_NOT_FOUND;
  const char *words[NATIVE_WORDS_MOST + 2] = {NULL};
  memcpy(words, compiler->words, (size_t)compiler->word_count * sizeof *words);
  words[compiler->word_count] = "--version";
  const native_process process = {.words = words,
                                  .seconds = version_seconds,
                                  .interrupt = request->interrupt,
                                  .user = request->user,
                                  .output = compiler->version,
                                  .output_size = sizeof compiler->version};
  return run_program(&process);
}

native_end picus_native_find_compiler(const picus_native_request *request, native_compiler *compiler, char *note) {
  static const char *const usual[] = {"cc", "gcc", "clang"};
  const char *given = request->compiler ? request->compiler : getenv("CC");
  native_end end = NATIVE_NOT_FOUND;
  if (given && given[0]) {
    end = try_compiler(request, given, compiler);
    if (end != NATIVE_DONE) picus_native_note(note, "the C compiler '%s' does not run", given);
    return end;
  }
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
    end = try_compiler(request, usual[i], compiler);
    if (end == NATIVE_DONE || end == NATIVE_INTERRUPTED) return end;
  }
  picus_native_note(note, "there is no C compiler: none of cc, gcc and clang runs");
  return end;
}

static void cut_after_first_error(char *text) {
  char *error = strstr(text, "error:");
  char *from = error ? error : text;
  from[strcspn(from, "\n")] = '\0';
  if (error) memmove(text, error, strlen(error) + 1);
}

native_end picus_native_compile(const picus_native_request *request, const native_compiler *compiler,
                                const char *source, const char *object, char *note) {
  const char *words[NATIVE_WORDS_MOST + FLAGS_MOST + 4] = {NULL};
  int count = 0;
  for (int i = 0; i < compiler->word_count; i++) words[count++] = compiler->words[i];
  for (int i = 0; picus_native_flags[i]; i++) words[count++] = picus_native_flags[i];
  words[count++] = "-o";
  words[count++] = object;
  words[count] = source;
  char output[4096];
  const native_process process = {.words = words,
                                  .seconds = request->seconds,
                                  .interrupt = request->interrupt,
                                  .user = request->user,
                                  .output = output,
                                  .output_size = sizeof output};
  const native_end end = run_program(&process);
  if (end == NATIVE_TOO_LONG)
    picus_native_note(note, "the compiler took more than %g s", request->seconds);
  else if (end != NATIVE_DONE) {
    cut_after_first_error(output);
    picus_native_note(note, "the compiler failed: %s", output[0] ? output : "it printed no message");
  }
  return end;
}
