/* The system's compiler: which one, which version, and its run. */
#include "native/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  return picus_native_run(&process);
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
  const native_end end = picus_native_run(&process);
  if (end == NATIVE_TOO_LONG)
    picus_native_note(note, "the compiler took more than %g s", request->seconds);
  else if (end != NATIVE_DONE) {
    cut_after_first_error(output);
    picus_native_note(note, "the compiler failed: %s", output[0] ? output : "it printed no message");
  }
  return end;
}
