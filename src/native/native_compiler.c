/* The system's compiler: which one, which version, and its run, without a shell, without input and within a limit of
 * time. */
#define _POSIX_C_SOURCE 200809L
#include "native/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

extern char **environ;

enum { POLL_MILLISECONDS = 50 }; /* between two looks at the interrupt */

/* Its output goes to the pipe. It has a process group of its own, so that all of its children end with it, and default
 * signals: a host may ignore those that a compiler waits for. */
static int start(const native_process *process, int output, pid_t *child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t defaults, none;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGCHLD);
  sigaddset(&defaults, SIGPIPE);
  if (posix_spawn_file_actions_init(&actions)) return ENOMEM;
  if (posix_spawnattr_init(&attributes)) {
    posix_spawn_file_actions_destroy(&actions);
    return ENOMEM;
  }
  int error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &none);
  /* the words are not changed; the interface is older than const */
  if (!error)
    error = posix_spawnp(child, process->words[0], &actions, &attributes, (char *const *)process->words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Keeps the first of what comes; false: the end. */
static bool take_output(const native_process *process, int input, size_t *length) {
  char bytes[1024];
  const ssize_t got = read(input, bytes, sizeof bytes);
  if (got <= 0) return got < 0 && errno == EINTR;
  const size_t room = process->output_size - 1 - *length, part = (size_t)got < room ? (size_t)got : room;
  memcpy(process->output + *length, bytes, part);
  *length += part;
  process->output[*length] = '\0';
  return true;
}

/* Until the program and its children have closed their output. */
static native_end follow(const native_process *process, int input) {
  const double begin = seconds_now();
  size_t length = 0;
  for (;;) {
    struct pollfd ready = {.fd = input, .events = POLLIN};
    const int count = poll(&ready, 1, POLL_MILLISECONDS);
    if (count < 0 && errno != EINTR) return NATIVE_FAILED;
    if (count > 0 && !take_output(process, input, &length)) return NATIVE_DONE;
    if (process->interrupt && process->interrupt(process->user)) return NATIVE_INTERRUPTED;
    if (seconds_now() - begin > process->seconds) return NATIVE_TOO_LONG;
  }
}

/* A host that ignores SIGCHLD learns no exit code: what the program made decides then. */
static native_end reap(pid_t child, native_end end) {
  int code = 0;
  pid_t got;
  do got = waitpid(child, &code, 0);
  while (got < 0 && errno == EINTR);
  if (end != NATIVE_DONE || got < 0) return end;
  return WIFEXITED(code) && WEXITSTATUS(code) == 0 ? NATIVE_DONE : NATIVE_FAILED;
}

/* Runs a program without a shell and waits for it. NATIVE_FAILED: its exit code is not 0. */
static native_end run_program(const native_process *process) {
  int ends[2];
  pid_t child;
  process->output[0] = '\0';
  if (pipe(ends)) return NATIVE_FAILED;
  /* not for programs that other threads start, nor for this one but as its output */
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  const int error = start(process, ends[1], &child);
  close(ends[1]);
  native_end end = error == ENOENT || error == EACCES || error == ENOTDIR ? NATIVE_NOT_FOUND : NATIVE_FAILED;
  if (!error) {
    end = follow(process, ends[0]);
    if (end != NATIVE_DONE) kill(-child, SIGKILL);
    end = reap(child, end);
  }
  close(ends[0]);
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
