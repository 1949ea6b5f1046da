/* Runs that are stopped for a while, ended by signals anywhere, or meet another process in their file; clocks that
 * jump; files that may not grow. Signals come from the run itself, at its n-th call that changes a file: no test waits
 * for a time. */
#define _POSIX_C_SOURCE 200809L
#include "support/check.h"
#include "support/same_results.h"
#include "support/tool.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUN "run woodpecker --t-end 0.02 --dt 1e-4 --quiet --checkpoint "

static void clear(void) {
  static const char *const names[] = {
      "s.h5", "s.h5.part", "s.h5.part.1", "s.h5.checkpoint", "s.h5.checkpoint.part", "whole.h5", "whole.h5.checkpoint"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) remove(names[k]);
}

/* The run without faults, and its number of calls that change files; 0: the case cannot go on. */
static long prepare(void) {
  static const char *const change = "change";
  long calls = 0;
  if (tool_skips_faults()) return 0;
  clear();
  CHECK(tool_count(RUN "7steps --out whole.h5", 1, &change, &calls) && calls > 100);
  return calls;
}

static bool is_whole(void) {
  char why[SAME_RESULTS_WHY] = "";
  const bool same = same_results("whole.h5", "s.h5", why);
  if (!same) printf("  %s\n", why);
  return same;
}

static bool has_stopped(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, WUNTRACED) < 0 && errno == EINTR) continue;
  return WIFSTOPPED(status);
}

static void stopped_and_continued(void) {
  const long calls = prepare();
  for (int k = 1; calls > 0 && k < 5; k++) {
    char faults[64];
    remove("s.h5");
    snprintf(faults, sizeof faults, "change:%ld:STOP,sync:1+:SKIP", k * calls / 5);
    pid_t run = tool_start(RUN "7steps --out s.h5", faults);
    REQUIRE(has_stopped(run));
    CHECK(kill(run, SIGCONT) == 0);
    tool_end end = tool_wait(run);
    CHECK(end.code == 0 && end.errors[0] == '\0');
    CHECK(is_whole());
  }
  clear();
}

/* While one process is stopped in the middle of its work, others want its file. */
static void two_processes(void) {
  static const char *const others[] = {RUN "7steps --out s.h5", "resume s.h5 --quiet", "run bouncing-ball --out s.h5"};
  static const char *const first[] = {RUN "7steps --out s.h5", "resume s.h5 --quiet"};
  const long calls = prepare();
  if (calls == 0) return;
  CHECK(tool_run(RUN "7steps --out s.h5", "sync:7:KILL,sync:1+:SKIP").signal == SIGKILL);
  for (int i = 1; i >= 0; i--) { /* one that goes on, then one that begins */
    pid_t run = tool_start(first[i], "sync:3:STOP,sync:1+:SKIP");
    REQUIRE(has_stopped(run));
    for (int k = 0; k < 3; k++) {
      tool_end other = tool_run(others[k], NULL);
      CHECK(other.code == 2 && strstr(other.errors, "another run is writing 's.h5'"));
      if (other.code != 2) printf("  %s: %d %s\n", others[k], other.code, other.errors);
    }
    CHECK(kill(run, SIGCONT) == 0);
    tool_end end = tool_wait(run);
    CHECK(end.code == 0 && end.errors[0] == '\0');
    CHECK(is_whole());
  }
  clear();
}

static void signals(void) {
  static const char *const names[] = {"TERM", "INT", "HUP"};
  static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
  static const char *const change = "change";
  long calls = prepare();
  int resumed = 0;
  if (calls > 0) CHECK(tool_count(RUN "1h --out s.h5", 1, &change, &calls) && calls > 30);
  for (int k = 0; calls > 0 && k < 12; k++) {
    char faults[64];
    remove("s.h5");
    remove("s.h5.checkpoint");
    snprintf(faults, sizeof faults, "change:%ld:%s,sync:1+:SKIP", 1 + k * calls / 12, names[k % 3]);
    tool_end end = tool_run(RUN "1h --out s.h5", faults);
    /* before the run begins there is nothing to save, and the signal ends the process as it ends any */
    const bool ended = end.code == 1 && strstr(end.errors, "interrupted at t = ") != NULL;
    CHECK(end.code == 0 || ended || end.signal == numbers[k % 3]);
    if (!ended) continue;
    resumed++;
    CHECK(tool_run("resume s.h5 --quiet", NULL).code == 0);
    CHECK(is_whole());
  }
  if (calls > 0) CHECK(resumed > 0);
  clear();
}

/* Intervals of checkpoints and --nice-exit-after are those of a clock that does not jump. */
static void clocks(void) {
  static const char *const jumps[] = {"time:1+:1000000", "time:3+:1000000", "time:3+:-1000000", "time:1+:-1000000"};
  if (prepare() == 0) return;
  for (int k = 0; k < 4; k++) {
    remove("s.h5");
    remove("s.h5.checkpoint");
    tool_end end = tool_run(RUN "100h --out s.h5 --nice-exit-after 100h", jumps[k]);
    CHECK(end.code == 0 && end.errors[0] == '\0');
    CHECK(is_whole());
  }
  clear();
}

/* A file that must not grow is a full disk. */
static void limits(void) {
  static const double shares[] = {0.01, 0.1, 0.5, 0.75, 0.97}; /* of the whole file */
  struct rlimit old;
  struct stat facts;
  REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
  if (prepare() == 0) return;
  REQUIRE(stat("whole.h5", &facts) == 0);
  for (int k = 0; k < 5; k++) {
    const struct rlimit tight = {(rlim_t)(shares[k] * (double)facts.st_size), old.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &tight) == 0);
    tool_end end = tool_run(RUN "7steps --out s.h5", NULL);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &old) == 0);
    CHECK((end.code == 1 || end.code == 2) && strstr(end.errors, "File too large"));
    const bool goes_on = access("s.h5.checkpoint", F_OK) == 0;
    CHECK(tool_run(goes_on ? "resume s.h5 --quiet" : RUN "7steps --out s.h5", NULL).code == 0);
    CHECK(is_whole());
    remove("s.h5");
    remove("s.h5.checkpoint");
  }
  clear();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"stopped_and_continued", stopped_and_continued},
                                    {"two_processes", two_processes},
                                    {"signals", signals},
                                    {"clocks", clocks},
                                    {"limits", limits}};
  return test_main(argc, argv, "faults_signals", cases, sizeof cases / sizeof *cases);
}
