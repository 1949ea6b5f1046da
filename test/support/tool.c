#define _POSIX_C_SOURCE 200809L
#include "support/tool.h"
#include "support/check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 4000 };

static const char *tool_path(void) {
  const char *path = getenv("PICUS");
  return path && *path ? path : TEST_PICUS;
}

bool tool_takes_faults(void) { return sizeof TEST_SHIM > 1; }

bool tool_skips_faults(void) {
  if (!tool_takes_faults()) test_skip("sanitizers and faults stand in for the same functions");
  return !tool_takes_faults();
}

static void redirect(int descriptor, const char *path) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || dup2(file, descriptor) < 0) _exit(97);
  close(file);
}

static void path_of(pid_t process, const char *what, char path[64]) {
  snprintf(path, 64, "tool-%ld.%s", (long)process, what);
}

const char *tool_errors_path(pid_t process) {
  static char path[64];
  path_of(process, "err", path);
  return path;
}

/* The library of faults as LD_PRELOAD takes it: blanks and colons separate its names, so a path that has some is
 * reached through a link in the folder of the test. */
static const char *shim_name(void) {
  static const char link[] = "./.faults.so";
  if (!strpbrk(TEST_SHIM, " :")) return TEST_SHIM;
  if (symlink(TEST_SHIM, link) != 0 && errno != EEXIST) _exit(97);
  return link;
}

/* In the new process. */
static void become_tool(const char *command, const char *faults) {
  char line[LINE], path[64], *words[TOOL_WORDS + 2] = {(char *)"picus"}, *rest = line, *word;
  int count = 1;
  if (snprintf(line, sizeof line, "%s", command) >= LINE) _exit(97);
  while (count <= TOOL_WORDS && (word = strtok_r(rest, " ", &rest))) words[count++] = word;
  words[count] = NULL;
  int null = open("/dev/null", O_RDONLY);
  if (null < 0 || dup2(null, STDIN_FILENO) < 0) _exit(97);
  path_of(getpid(), "out", path);
  redirect(STDOUT_FILENO, path);
  path_of(getpid(), "err", path);
  redirect(STDERR_FILENO, path);
  if (faults && (setenv("LD_PRELOAD", shim_name(), 1) != 0 || setenv("PICUS_FAULTS", faults, 1) != 0)) _exit(97);
  execv(tool_path(), words);
  _exit(98);
}

pid_t tool_start(const char *command, const char *faults) {
  fflush(NULL);
  pid_t process = fork();
  if (process == 0) become_tool(command, faults);
  return process;
}

static void read_text(pid_t process, const char *what, char text[TOOL_TEXT]) {
  char path[64];
  path_of(process, what, path);
  FILE *file = fopen(path, "rb");
  size_t size = file ? fread(text, 1, TOOL_TEXT - 1, file) : 0;
  text[size] = '\0';
  if (file) fclose(file);
  remove(path);
}

tool_end tool_wait(pid_t process) {
  tool_end end = {.code = -1};
  int status = 0;
  if (process < 0) return end;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status)) end.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  read_text(process, "err", end.errors);
  read_text(process, "out", end.output);
  return end;
}

tool_end tool_run(const char *command, const char *faults) { return tool_wait(tool_start(command, faults)); }

bool tool_count(const char *command, int kind_count, const char *const *kinds, long *calls) {
  static const char path[] = "tool-calls";
  char found[32];
  long number;
  remove(path);
  setenv("PICUS_FAULT_COUNTS", path, 1);
  tool_end end = tool_run(command, "sync:1+:SKIP");
  unsetenv("PICUS_FAULT_COUNTS");
  if (end.code != 0) printf("  %s: exit code %d, signal %d\n%s", command, end.code, end.signal, end.errors);
  FILE *file = end.code == 0 ? fopen(path, "r") : NULL;
  while (file && fscanf(file, "%31s %ld", found, &number) == 2)
    for (int k = 0; k < kind_count; k++)
      if (strcmp(found, kinds[k]) == 0) calls[k] = number;
  if (file) fclose(file);
  remove(path);
  return file != NULL;
}
