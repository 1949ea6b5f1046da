/* Memory that is refused to the tool, once or from some allocation on, in commands that read and compare: each fails
 * with a message that says so, or succeeds. Runs and their files are in slow_faults. */
#define _POSIX_C_SOURCE 200809L
#include "support/check.h"
#include "support/tool.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct work {
  const char *command;
  int tries;
} work;

/* Refuses allocations that are spread evenly over the command. */
static void refuse(const work *w, long *refused) {
  static const char *const kind = "memory";
  long count = 0;
  if (!CHECK(tool_count(w->command, 1, &kind, &count) && count > 0)) return;
  for (int k = 0; k < w->tries; k++) {
    char faults[64];
    const long n = 1 + (long)((double)count * (k + 0.5) / w->tries);
    snprintf(faults, sizeof faults, "memory:%ld%s:ENOMEM", n, k % 2 ? "+" : "");
    const tool_end end = tool_run(w->command, faults);
    *refused += end.code != 0;
    if (!CHECK(end.code == 0 || (end.signal == 0 && strstr(end.errors, "memory"))))
      printf("  PICUS_FAULTS=%s picus %s: exit code %d, signal %d: %s\n", faults, w->command, end.code, end.signal,
             end.errors);
  }
}

static void every_command_says_it(void) {
  static const work works[] = {
      {"reproduce --list", 70},
      {"check woodpecker --modes 1", 80},
      {"compare bouncing-ball --schemes moreau --tolerances 1e-3 --accuracy 1e-4 --t-end 0.1 --quiet", 9},
  };
  if (tool_skips_faults()) return;
  for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
    long refused = 0;
    refuse(&works[k], &refused);
    CHECK(refused > works[k].tries / 4);
  }
}

/* A table has no row for a solver that had no memory: its residual would be 0. */
static void no_row_is_made_up(void) {
  static const char command[] = "solve box.hdf5 --solver all";
  if (tool_skips_faults()) return;
  REQUIRE(symlink(TEST_DATA "/problems/box-4-corners.hdf5", "box.hdf5") == 0); /* a name without blanks */
  for (int n = 40; n < 120; n += 16) {
    char faults[64];
    snprintf(faults, sizeof faults, "memory:%d+:ENOMEM", n);
    const tool_end end = tool_run(command, faults);
    CHECK(end.code == 2 && strstr(end.errors, "memory") && !strstr(end.output, "PICUS_ERROR"));
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"every_command_says_it", every_command_says_it},
                                    {"no_row_is_made_up", no_row_is_made_up}};
  return test_main(argc, argv, "faults_memory", cases, sizeof cases / sizeof cases[0]);
}
