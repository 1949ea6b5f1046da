/* Runs that are killed (SIGKILL) go on from their checkpoints to the very results of the run that was never stopped.
 *
 * A run dies at its n-th call that changes a file: before it, after it, or after half of its bytes. n is random over
 * all calls that the run makes. So kills hit every place of the protocol, whatever the load of the machine. What goes
 * on is killed again, up to three times. At least RESUME_KILLS killed runs go on (25); the seed is RESUME_SEED. */
#define _POSIX_C_SOURCE 200809L
#include "support/check.h"
#include "support/same_results.h"
#include "support/tool.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Contacts that come and go. */
static const char *const model =
    "gravity {0, -9.81}\n"
    "material {'default', mu = 0.3, eN = 0.2}\n"
    "disk {'a', radius = 0.5, density = 1, position = {0, 0.5}, velocity = {1, 0}}\n"
    "disk {'b', radius = 0.5, density = 1, position = {0.1, 1.51}}\n"
    "disk {'c', radius = 0.4, density = 1, position = {1.1, 0.9}, velocity = {-1, 0}}\n"
    "rectangle {'d', size = {0.3, 0.2}, density = 1, position = {-0.9, 0.12}, velocity = {0, -1}, omega = 1}\n"
    "half_space {'floor', normal = {0, 1}, position = {0, 0}, extent = 2}\n"
    "simulate {dt = 1e-3, t_end = 0.1}\n";

/* More columns than have datasets of their own: they are in one table, and its first rows in the checkpoint only. */
static const char *const wide =
    "gravity {0, -9.81}\n"
    "for i = 1, 510 do\n"
    "  disk {'d' .. i, radius = 0.4, density = 1, position = {i, i == 7 and 0.41 or 9}, velocity = {0, -1}}\n"
    "end\n"
    "half_space {'floor', normal = {0, 1}, position = {0, 0}, extent = 2}\n"
    "simulate {dt = 1e-3, t_end = 0.04}\n";

/* Every scheme, adaptive steps, contacts that come and go, nodes, wide tables. */
static const char *const commands[] = {
    "run woodpecker --t-end 0.02 --dt 1e-4",
    "run few.lua --every 2 --checkpoint-keep 3",
    "run woodpecker --adaptive --dt-min 1e-8 --t-end 0.05 --sample 1e-3",
    "run wide.lua",
    "run cantilever-stop --t-end 0.02 --sample 0.00035",
    "run few.lua --scheme rattle",
    "run woodpecker --scheme rattle --dt 5e-4 --t-end 0.05 --every 3",
    "run few.lua --adaptive --sample 1e-3 --t-end 0.02",
    "run woodpecker --scheme moreau-jean --dt 5e-4 --t-end 0.05",
    "run slider-crank --scheme moreau-combined --t-end 0.02",
    "run woodpecker --scheme moreau-projected --dt 5e-4 --t-end 0.05",
    "run few.lua --scheme moreau-jean --sample 0.0015",
    "run bouncing-ball --scheme schatzman-paoli",
    "run woodpecker --scheme moreau-explicit --dt 5e-4 --t-end 0.05",
    "run woodpecker --scheme half-explicit --dt 5e-4 --t-end 0.05",
    "run bouncing-ball --scheme half-explicit-acc",
    "run woodpecker --scheme half-explicit-rk --dt 5e-4 --t-end 0.05",
    "run few.lua --scheme moreau-projected",
    "run bouncing-ball --scheme trapezoidal-position",
    "run woodpecker --scheme moreau --adaptive --dt-min 1e-6 --t-end 0.02",
};
enum { COMMANDS = sizeof commands / sizeof commands[0], KILLS_EACH = 4 };

typedef struct tally {
  long kills, resumed, again, equal, chains;
} tally;

static void save_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  REQUIRE(file != NULL);
  fputs(text, file);
  CHECK(fclose(file) == 0);
}

/* Names that a run with results in pieces.h5 leaves. */
static void clear(void) {
  static const char *const ends[] = {"", ".part", ".checkpoint", ".checkpoint.part", ".checkpoint.before"};
  char path[64];
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
    for (int k = 0; k < 60; k++) {
      snprintf(path, sizeof path, k ? "pieces.h5%s.%d" : "pieces.h5%s", ends[i], k);
      remove(path);
    }
}

static void some_kill(test_random *random, long calls, char faults[64]) {
  static const char *const whats[] = {"KILL", "KILLED", "TORN"};
  long n = 1 + (long)test_uniform(random, 0, (double)calls);
  if (test_integer(random, 0, 9) == 0) n = calls - test_integer(random, 0, 5); /* the end of the run */
  snprintf(faults, 64, "change:%ld:%s,sync:1+:SKIP", n > 0 ? n : 1, whats[test_integer(random, 0, 2)]);
}

/* A run with kills, until it has come to its end. */
static bool come_to_end(const char *command, long calls, test_random *random, tally *t, char *path, size_t path_size) {
  bool goes_on = false;
  for (int k = 0; k <= KILLS_EACH; k++) {
    char faults[64] = "sync:1+:SKIP";
    if (k < KILLS_EACH && (k == 0 || test_integer(random, 0, 2) > 0)) some_kill(random, calls, faults);
    goes_on = access("pieces.h5.checkpoint", F_OK) == 0;
    const size_t used = strlen(path);
    snprintf(path + used, path_size - used, " | %s %s", goes_on ? "resume" : "run", faults);
    tool_end end = tool_run(goes_on ? "resume pieces.h5 --quiet" : command, faults);
    if (goes_on) t->resumed++;
    if (!goes_on && k > 0) t->again++;
    if (end.signal == SIGKILL)
      t->kills++;
    else {
      if (end.code != 0) printf("  exit code %d, signal %d: %s", end.code, end.signal, end.errors);
      return end.code == 0;
    }
  }
  printf("  it did not come to its end\n");
  return false;
}

static void kills(void) {
  const long wanted = getenv("RESUME_KILLS") ? strtol(getenv("RESUME_KILLS"), NULL, 10) : 25;
  const unsigned long seed = getenv("RESUME_SEED") ? strtoul(getenv("RESUME_SEED"), NULL, 10) : 20;
  long calls[COMMANDS] = {0};
  test_random random = {seed};
  tally t = {0};
  if (tool_skips_faults()) return;
  save_text("few.lua", model);
  save_text("wide.lua", wide);
  for (long turn = 0; t.resumed < wanted || turn < COMMANDS; turn++) {
    const int k = (int)(turn % COMMANDS);
    char command[256], whole[32], why[SAME_RESULTS_WHY] = "", path[600] = "";
    snprintf(whole, sizeof whole, "whole-%d.h5", k);
    if (calls[k] == 0) {
      snprintf(command, sizeof command, "%s --out %s --checkpoint 7steps --quiet", commands[k], whole);
      static const char *const change = "change";
      REQUIRE(tool_count(command, 1, &change, &calls[k]) && calls[k] > 30);
    }
    clear();
    snprintf(command, sizeof command, "%s --out pieces.h5 --checkpoint 7steps --quiet", commands[k]);
    t.chains++;
    const bool same =
        come_to_end(command, calls[k], &random, &t, path, sizeof path) && same_results(whole, "pieces.h5", why);
    if (same) t.equal++;
    if (!CHECK(same)) printf("  seed %lu, turn %ld: %s%s\n  %s\n", seed, turn, commands[k], path, why);
    REQUIRE(turn < 20 * (wanted + 1));
  }
  printf("  seed %lu: %ld runs, %ld kills, %ld resumed, %ld begun again without a checkpoint, %ld with equal results\n",
         seed, t.chains, t.kills, t.resumed, t.again, t.equal);
  CHECK(t.resumed >= t.kills / 3);
  clear();
}

/* Runs that were killed before their first checkpoint leave parts; the one that goes on is found behind all of them. */
static void many_parts(void) {
  static const char command[] = "run woodpecker --t-end 0.02 --dt 1e-4 --out pieces.h5 --checkpoint 7steps --quiet";
  char why[SAME_RESULTS_WHY] = "";
  if (tool_skips_faults()) return;
  clear();
  REQUIRE(tool_run("run woodpecker --t-end 0.02 --dt 1e-4 --out whole.h5 --quiet", NULL).code == 0);
  for (int k = 0; k < 12; k++) CHECK(tool_run(command, "sync:1:KILL").signal == SIGKILL);
  CHECK(tool_run(command, "sync:7:KILL,sync:1+:SKIP").signal == SIGKILL);
  CHECK(tool_run("resume pieces.h5 --quiet", "write:40:KILL,sync:1+:SKIP").signal == SIGKILL);
  CHECK(access("pieces.h5.part.11", F_OK) == 0);
  CHECK(tool_run("resume pieces.h5 --quiet", NULL).code == 0);
  if (!CHECK(same_results("whole.h5", "pieces.h5", why))) printf("  %s\n", why);
  clear();
}

/* A write of metadata that is cut within the header of a dataset: the first rows of all lists come at the end of the
 * run, because its checkpoint has kept them. Each of its last calls is cut. */
static void torn_headers(void) {
  static const char command[] =
      "run few.lua --adaptive --sample 1e-3 --t-end 0.005 --out pieces.h5 --checkpoint 7steps "
      "--quiet";
  static const char *const change = "change";
  char why[SAME_RESULTS_WHY] = "", faults[64];
  long calls = 0;
  int torn = 0;
  if (tool_skips_faults()) return;
  save_text("few.lua", model);
  clear();
  REQUIRE(tool_count(command, 1, &change, &calls) && rename("pieces.h5", "whole.h5") == 0);
  for (long n = calls; n > calls - 14 && n > 0; n--) {
    clear();
    snprintf(faults, sizeof faults, "change:%ld:TORN,sync:1+:SKIP", n);
    if (tool_run(command, faults).signal != SIGKILL || access("pieces.h5.checkpoint", F_OK) != 0) continue;
    torn++;
    tool_end end = tool_run("resume pieces.h5 --quiet", "sync:1+:SKIP");
    if (!CHECK(end.code == 0 && same_results("whole.h5", "pieces.h5", why)))
      printf("  %s: %s%s\n", faults, end.errors, why);
  }
  CHECK(torn > 8);
  clear();
}

/* A checkpoint is never taken for that of another run which was begun into the same file: it is set aside, with all
 * that a resume needs. The same run begun again makes the same numbers, and may use it. */
static void another_run_into_the_file(void) {
  static const char first[] = "run woodpecker --t-end 0.02 --dt 1e-4 --out pieces.h5 --checkpoint 7steps "
                              "--checkpoint-keep 3 --quiet";
  static const char other[] = "run woodpecker --t-end 0.02 --dt 5e-5 --out pieces.h5 --checkpoint 7steps --quiet";
  char why[SAME_RESULTS_WHY] = "";
  if (tool_skips_faults()) return;
  clear();
  REQUIRE(tool_run("run woodpecker --t-end 0.02 --dt 1e-4 --out whole.h5 --quiet", NULL).code == 0);
  CHECK(tool_run(first, "sync:7:KILL,sync:1+:SKIP").signal == SIGKILL);
  CHECK(tool_run(first, "sync:1:KILL").signal == SIGKILL);
  CHECK(tool_run(other, "write:1+:ENOSPC").code != 0); /* it leaves nothing, so the first run keeps its checkpoint */
  CHECK(tool_run("resume pieces.h5 --quiet --out branch.h5", NULL).code == 0);
  if (!CHECK(same_results("whole.h5", "branch.h5", why))) printf("  %s\n", why);
  CHECK(tool_run(other, "sync:1:KILL").signal == SIGKILL);
  for (int k = 0; k < 2; k++) {
    tool_end end = tool_run(k ? "resume pieces.h5 --from 0.01" : "resume pieces.h5", NULL);
    CHECK(end.code == 2 && strstr(end.errors, "there is no checkpoint"));
    CHECK(k || strstr(end.errors, "'pieces.h5.checkpoint.before' is the checkpoint of an earlier run"));
  }
  CHECK(rename("pieces.h5.checkpoint.before", "pieces.h5.checkpoint") == 0);
  CHECK(tool_run("resume pieces.h5 --quiet --out branch.h5", NULL).code == 0);
  if (!CHECK(same_results("whole.h5", "branch.h5", why))) printf("  %s\n", why);
  CHECK(tool_run(other, NULL).code == 0);
  CHECK(tool_run("resume pieces.h5", NULL).code == 0); /* is complete */
  CHECK(access("pieces.h5.checkpoint.before", F_OK) == 0);
  clear();
  remove("branch.h5");
  remove("branch.h5.checkpoint");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"kills", kills},
                                    {"many_parts", many_parts},
                                    {"torn_headers", torn_headers},
                                    {"another_run_into_the_file", another_run_into_the_file}};
  return test_main(argc, argv, "faults_kills", cases, 4);
}
