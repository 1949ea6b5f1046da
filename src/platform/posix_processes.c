/* Programs and loaded code on POSIX systems. */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np */
#include "platform/processes.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ; /* NOLINT(readability-redundant-declaration): only some systems declare it */

/* --- starting a program ------------------------------------------------------------------------------------------- */

static int give_streams(const picus_program *p, posix_spawn_file_actions_t *actions) {
  int error = p->input >= 0 ? posix_spawn_file_actions_adddup2(actions, p->input, STDIN_FILENO)
                            : posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!error && p->output >= 0) error = posix_spawn_file_actions_adddup2(actions, p->output, STDOUT_FILENO);
  if (!error && p->errors >= 0) error = posix_spawn_file_actions_adddup2(actions, p->errors, STDERR_FILENO);
  if (!error && p->folder) error = posix_spawn_file_actions_addchdir_np(actions, p->folder);
  return error;
}

/* Signals are the default ones: a program may ignore those that another one waits for. */
static void set_signals(posix_spawnattr_t *attributes, bool is_group) {
  static const int usual[] = {SIGCHLD, SIGPIPE, SIGINT, SIGTERM};
  sigset_t defaults, none;
  sigemptyset(&none);
  sigemptyset(&defaults);
  for (size_t k = 0; k < sizeof usual / sizeof *usual; k++) sigaddset(&defaults, usual[k]);
  posix_spawnattr_setsigdefault(attributes, &defaults);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setpgroup(attributes, 0);
  posix_spawnattr_setflags(
      attributes, (short)(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (is_group ? POSIX_SPAWN_SETPGROUP : 0)));
}

int picus_process_start(const picus_program *p, picus_process *out) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  pid_t child;
  *out = (picus_process){0};
  if (posix_spawn_file_actions_init(&actions)) return ENOMEM;
  if (posix_spawnattr_init(&attributes)) {
    posix_spawn_file_actions_destroy(&actions);
    return ENOMEM;
  }
  set_signals(&attributes, p->is_group);
  int error = give_streams(p, &actions);
  char *const *words = (char *const *)p->words; /* they are not changed; the interface is older than const */
  if (!error)
    error = p->path ? posix_spawn(&child, p->path, &actions, &attributes, words, environ)
                    : posix_spawnp(&child, p->words[0], &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (!error) *out = (picus_process){.own = child, .is_group = p->is_group};
  return error;
}

picus_process_state picus_process_look(picus_process *process, bool waits, int *code) {
  int status = 0;
  pid_t got;
  *code = 0;
  do got = waitpid((pid_t)process->own, &status, waits ? 0 : WNOHANG);
  while (got < 0 && errno == EINTR);
  if (got == 0) return PICUS_PROCESS_RUNS;
  *process = (picus_process){0};
  if (got < 0) return PICUS_PROCESS_UNKNOWN; /* a host that ignores SIGCHLD */
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  return WIFEXITED(status) ? PICUS_PROCESS_ENDED : PICUS_PROCESS_KILLED;
}

static void send(const picus_process *process, int number) {
  const pid_t id = (pid_t)process->own;
  if (id > 0) (void)kill(process->is_group ? -id : id, number);
}

void picus_process_ask_to_end(const picus_process *process) { send(process, SIGTERM); }
void picus_process_kill(const picus_process *process) { send(process, SIGKILL); }

int picus_process_become(const char *path, const char *const *words) {
  (void)execv(path, (char *const *)words);
  return errno;
}

/* --- pipes -------------------------------------------------------------------------------------------------------- */

int picus_pipe(int ends[2]) {
  if (pipe(ends)) return errno;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
}

int picus_pipe_read(int descriptor, int milliseconds, void *bytes, size_t *size) {
  struct pollfd ready = {.fd = descriptor, .events = POLLIN};
  const size_t room = *size;
  *size = 0;
  const int count = poll(&ready, 1, milliseconds);
  if (count <= 0) return count == 0 || errno == EINTR ? EAGAIN : errno;
  const ssize_t got = read(descriptor, bytes, room);
  if (got < 0) return errno == EINTR ? EAGAIN : errno;
  *size = (size_t)got;
  return 0;
}

/* --- files of programs
 * ------------------------------------------------------------------------------------------------ */

bool picus_find_program(const char *name, char *path, size_t size) {
  const char *folders = getenv("PATH");
  while (folders && *folders) {
    const size_t length = strcspn(folders, ":");
    const int written = snprintf(path, size, "%.*s/%s", (int)length, folders, name);
    if (length > 0 && written > 0 && (size_t)written < size && access(path, X_OK) == 0) return true;
    folders += length + (folders[length] == ':');
  }
  return false;
}

int picus_own_program(char *path, size_t size) {
  const ssize_t length = readlink("/proc/self/exe", path, size - 1);
  path[length > 0 ? length : 0] = '\0';
  return length < 0 ? errno : 0;
}

/* --- code that is loaded ------------------------------------------------------------------------------------------ */

void *picus_code_load(const char *path, const char **reason) {
  void *code = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const char *known = code ? NULL : dlerror();
  *reason = known ? known : "unknown reason";
  return code;
}

void *picus_code_find(void *code, const char *name) { return dlsym(code, name); }
void picus_code_unload(void *code) { dlclose(code); }

const char *picus_machine_name(char *name, size_t size) {
  struct utsname machine;
  snprintf(name, size, "%s", uname(&machine) >= 0 ? machine.machine : "");
  return name;
}
