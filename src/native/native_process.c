/* Runs a program: no shell, no input, a limit of time. */
#define _POSIX_C_SOURCE 200809L
#include "native/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

native_end picus_native_run(const native_process *process) {
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
