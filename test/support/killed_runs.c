#define _POSIX_C_SOURCE 200809L
#include "support/killed_runs.h"
#include "support/check.h"
#include "support/same_results.h"
#include "support/tool.h"

#include <picus/result.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many calls of a run change files, and rename them. */
typedef struct change_counts {
  long all, renames;
} change_counts;

typedef struct tally {
  int each; /* kills of a run, at most */
  long kills, resumed, again, equal, chains;
} tally;

void killed_runs_save(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  REQUIRE(file != NULL);
  fputs(text, file);
  CHECK(fclose(file) == 0);
}

void killed_runs_clear(void) {
  static const char *const ends[] = {"", ".part", ".checkpoint", ".checkpoint.part", ".checkpoint.before"};
  char path[64];
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
    for (int k = 0; k < 60; k++) {
      snprintf(path, sizeof path, k ? "pieces.h5%s.%d" : "pieces.h5%s", ends[i], k);
      remove(path);
    }
}

static void some_kill(test_random *random, change_counts calls, char faults[64]) {
  static const char *const whats[] = {"KILL", "KILLED", "TORN"};
  long n = 1 + (long)test_uniform(random, 0, (double)calls.all);
  if (test_integer(random, 0, 9) == 0) n = calls.all - test_integer(random, 0, 5); /* the end of the run */
  snprintf(faults, 64, "change:%ld:%s,sync:1+:SKIP", n > 0 ? n : 1, whats[test_integer(random, 0, 2)]);
  if (test_integer(random, 0, 1) == 0)
    snprintf(faults, 64, "rename:%ld:KILLED,sync:1+:SKIP", 1 + (long)test_uniform(random, 0, (double)calls.renames));
}

/* The command of a run is in its part, unless it was killed while it made the part. */
static bool has_command(void) {
  picus_context *context = NULL;
  picus_result *part = NULL;
  const bool has = !picus_context_create(NULL, &context) && !picus_result_open(context, "pieces.h5.part", &part);
  picus_result_close(part);
  picus_context_destroy(context);
  return has;
}

/* A run with kills, until it has come to its end. Without a checkpoint, `picus resume` begins it again. */
static bool come_to_end(const char *command, change_counts calls, test_random *random, tally *t, char path[600]) {
  bool goes_on = false;
  for (int k = 0; k <= t->each; k++) {
    char faults[64] = "sync:1+:SKIP";
    if (k < t->each && (k == 0 || test_integer(random, 0, 2) > 0)) some_kill(random, calls, faults);
    goes_on = access("pieces.h5.checkpoint", F_OK) == 0;
    const bool resumes = goes_on || has_command();
    const size_t used = strlen(path);
    snprintf(path + used, 600 - used, " | %s %s", resumes ? "resume" : "run", faults);
    tool_end end = tool_run(resumes ? "resume pieces.h5 --quiet" : command, faults);
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

/* The run without kills. */
static change_counts run_whole(const killed_runs *runs, const killed_command *c, const char *whole) {
  static const char *const kinds[] = {"change", "rename"};
  char command[400];
  long calls[2] = {0, 0};
  snprintf(command, sizeof command, "%s --out %s --checkpoint %s --quiet", c->words, whole, c->checkpoint);
  if (CHECK(tool_count(command, 2, kinds, calls) && calls[0] > 30) && runs->is_fine && !CHECK(runs->is_fine(whole)))
    printf("  %s\n", c->words);
  return (change_counts){calls[0], calls[1]};
}

static void try_once(const killed_command *c, const char *whole, change_counts calls, test_random *random, tally *t) {
  char command[400], why[SAME_RESULTS_WHY] = "", path[600] = "";
  killed_runs_clear();
  snprintf(command, sizeof command, "%s --out pieces.h5 --checkpoint %s --quiet", c->words, c->checkpoint);
  t->chains++;
  const bool same = come_to_end(command, calls, random, t, path) && same_results(whole, "pieces.h5", why);
  if (same) t->equal++;
  if (!CHECK(same)) printf("  turn %ld: %s%s\n  %s\n", t->chains, c->words, path, why);
}

void killed_runs_try(const killed_runs *runs) {
  const char *kills = getenv("RESUME_KILLS"), *given_seed = getenv("RESUME_SEED");
  const long wanted = kills ? strtol(kills, NULL, 10) : runs->wanted;
  const unsigned long seed = given_seed ? strtoul(given_seed, NULL, 10) : 20;
  change_counts calls[KILLED_MOST] = {{0}};
  test_random random = {seed};
  tally t = {.each = kills ? 4 : runs->each};
  if (tool_skips_faults()) return;
  REQUIRE(runs->count <= KILLED_MOST);
  for (long turn = 0; t.resumed < wanted || turn < runs->count; turn++) {
    const int k = (int)(turn % runs->count);
    char whole[32];
    snprintf(whole, sizeof whole, "whole-%d.h5", k);
    if (calls[k].all == 0) calls[k] = run_whole(runs, &runs->commands[k], whole);
    try_once(&runs->commands[k], whole, calls[k], &random, &t);
    REQUIRE(turn < 20 * (wanted + 1));
  }
  printf("  seed %lu: %ld runs, %ld kills, %ld resumed, %ld begun again without a checkpoint, %ld with equal results\n",
         seed, t.chains, t.kills, t.resumed, t.again, t.equal);
  CHECK(t.resumed >= t.kills / 3);
  killed_runs_clear();
}
