/* Runs that are killed (SIGKILL) go on from their checkpoints to the very results of the run that was never stopped.
 *
 * At least RESUME_KILLS killed runs go on (25); the seed is RESUME_SEED. These runs are shorter than a block of rows;
 * slow_faults_blocks has longer ones. */
#define _POSIX_C_SOURCE 200809L
#include "support/check.h"
#include "support/killed_runs.h"
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
static const killed_command commands[] = {
    {"run woodpecker --t-end 0.02 --dt 1e-4", "7steps"},
    {"run few.lua --every 2 --checkpoint-keep 3", "7steps"},
    {"run woodpecker --adaptive --dt-min 1e-8 --t-end 0.05 --sample 1e-3", "7steps"},
    {"run wide.lua", "7steps"},
    {"run cantilever-stop --t-end 0.02 --sample 0.00035", "7steps"},
    {"run few.lua --scheme rattle", "7steps"},
    {"run woodpecker --scheme rattle --dt 5e-4 --t-end 0.05 --every 3", "7steps"},
    {"run few.lua --adaptive --sample 1e-3 --t-end 0.02", "7steps"},
    {"run woodpecker --scheme moreau-jean --dt 5e-4 --t-end 0.05", "7steps"},
    {"run slider-crank --scheme moreau-combined --t-end 0.02", "7steps"},
    {"run woodpecker --scheme moreau-projected --dt 5e-4 --t-end 0.05", "7steps"},
    {"run few.lua --scheme moreau-jean --sample 0.0015", "7steps"},
    {"run bouncing-ball --scheme schatzman-paoli", "7steps"},
    {"run woodpecker --scheme moreau-explicit --dt 5e-4 --t-end 0.05", "7steps"},
    {"run woodpecker --scheme half-explicit --dt 5e-4 --t-end 0.05", "7steps"},
    {"run bouncing-ball --scheme half-explicit-acc", "7steps"},
    {"run woodpecker --scheme half-explicit-rk --dt 5e-4 --t-end 0.05", "7steps"},
    {"run few.lua --scheme moreau-projected", "7steps"},
    {"run bouncing-ball --scheme trapezoidal-position", "7steps"},
    {"run woodpecker --scheme moreau --adaptive --dt-min 1e-6 --t-end 0.02", "7steps"},
};

static void kills(void) {
  killed_runs_save("few.lua", model);
  killed_runs_save("wide.lua", wide);
  killed_runs_try(&(killed_runs){commands, sizeof commands / sizeof commands[0], 16, 4, NULL});
}

/* Runs that were killed before their first checkpoint leave parts; the one that goes on is found behind all of them. */
static void many_parts(void) {
  static const char command[] = "run woodpecker --t-end 0.02 --dt 1e-4 --out pieces.h5 --checkpoint 7steps --quiet";
  char why[SAME_RESULTS_WHY] = "";
  if (tool_skips_faults()) return;
  killed_runs_clear();
  REQUIRE(tool_run("run woodpecker --t-end 0.02 --dt 1e-4 --out whole.h5 --quiet", NULL).code == 0);
  for (int k = 0; k < 12; k++) CHECK(tool_run(command, "sync:1:KILL").signal == SIGKILL);
  CHECK(tool_run(command, "sync:7:KILL,sync:1+:SKIP").signal == SIGKILL);
  CHECK(tool_run("resume pieces.h5 --quiet", "write:40:KILL,sync:1+:SKIP").signal == SIGKILL);
  CHECK(access("pieces.h5.part.11", F_OK) == 0);
  CHECK(tool_run("resume pieces.h5 --quiet", NULL).code == 0);
  if (!CHECK(same_results("whole.h5", "pieces.h5", why))) printf("  %s\n", why);
  killed_runs_clear();
}

/* The same command, with the options of the resume, and never that of a run which makes no checkpoints. */
static void before_the_first_checkpoint(void) {
  static const char command[] = "run woodpecker --t-end 0.3 --dt 1e-5 --columns y*,phi* --out pieces.h5 --quiet";
  char with[200], why[SAME_RESULTS_WHY] = "";
  if (tool_skips_faults()) return;
  snprintf(with, sizeof with, "%s --checkpoint 1h", command);
  REQUIRE(tool_run("run woodpecker --t-end 0.3 --dt 1e-5 --columns y*,phi* --out whole.h5 --quiet", NULL).code == 0);
  for (int k = 0; k < 3; k++) { /* after its first commits */
    static const char *const faults[] = {"truncate:2:KILLED", "truncate:3:KILLED", "truncate:4:KILLED"};
    killed_runs_clear();
    CHECK(tool_run(with, faults[k]).signal == SIGKILL && access("pieces.h5.checkpoint", F_OK) != 0);
    tool_end end = tool_run("resume pieces.h5", NULL);
    CHECK(end.code == 0 && strstr(end.errors, "the run restarts from the beginning"));
    if (!CHECK(same_results("whole.h5", "pieces.h5", why))) printf("  %s%s\n", end.errors, why);
  }
  killed_runs_clear();
  CHECK(tool_run(command, "truncate:3:KILLED").signal == SIGKILL);
  tool_end end = tool_run("resume pieces.h5", NULL);
  CHECK(end.code == 2 && strstr(end.errors, "there is no checkpoint") && access("pieces.h5", F_OK) != 0);
  killed_runs_clear();
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
  killed_runs_save("few.lua", model);
  killed_runs_clear();
  REQUIRE(tool_count(command, 1, &change, &calls) && rename("pieces.h5", "whole.h5") == 0);
  for (long n = calls; n > calls - 14 && n > 0; n--) {
    killed_runs_clear();
    snprintf(faults, sizeof faults, "change:%ld:TORN,sync:1+:SKIP", n);
    if (tool_run(command, faults).signal != SIGKILL || access("pieces.h5.checkpoint", F_OK) != 0) continue;
    torn++;
    tool_end end = tool_run("resume pieces.h5 --quiet", "sync:1+:SKIP");
    if (!CHECK(end.code == 0 && same_results("whole.h5", "pieces.h5", why)))
      printf("  %s: %s%s\n", faults, end.errors, why);
  }
  CHECK(torn > 8);
  killed_runs_clear();
}

/* Many columns and nodes: a checkpoint of rows that wait for their block would lack the nodes of these rows. */
static void wide_with_nodes(void) {
  static const char beam[] = "beam {'beam', length = 0.4, elements = 4, rectangle = {0.002, 0.02}, density = 7800,\n"
                             "  young = 2.1e7, supports = {{0, 'clamped'}}, record = {4}}\n";
  char both[2000], why[SAME_RESULTS_WHY] = "";
  if (tool_skips_faults()) return;
  killed_runs_clear();
  snprintf(both, sizeof both, "%s%s", beam, wide);
  killed_runs_save("wide-beam.lua", both);
  REQUIRE(tool_run("run wide-beam.lua --t-end 0.02 --out whole.h5 --quiet", NULL).code == 0);
  CHECK(tool_run("run wide-beam.lua --t-end 0.02 --out pieces.h5 --checkpoint 7steps --quiet",
                 "rename:2:KILLED,sync:1+:SKIP")
            .signal == SIGKILL);
  const tool_end end = tool_run("resume pieces.h5 --quiet", "sync:1+:SKIP");
  if (!CHECK(end.code == 0 && same_results("whole.h5", "pieces.h5", why))) printf("  %s%s\n", end.errors, why);
  killed_runs_clear();
}

/* A checkpoint is never taken for that of another run which was begun into the same file: it is set aside, with all
 * that a resume needs. The same run begun again makes the same numbers, and may use it. */
static void another_run_into_the_file(void) {
  static const char first[] = "run woodpecker --t-end 0.02 --dt 1e-4 --out pieces.h5 --checkpoint 7steps "
                              "--checkpoint-keep 3 --quiet";
  static const char other[] = "run woodpecker --t-end 0.02 --dt 5e-5 --out pieces.h5 --checkpoint 7steps --quiet";
  char why[SAME_RESULTS_WHY] = "";
  if (tool_skips_faults()) return;
  killed_runs_clear();
  REQUIRE(tool_run("run woodpecker --t-end 0.02 --dt 1e-4 --out whole.h5 --quiet", NULL).code == 0);
  CHECK(tool_run(first, "sync:7:KILL,sync:1+:SKIP").signal == SIGKILL);
  CHECK(tool_run(first, "sync:1:KILL").signal == SIGKILL);
  CHECK(tool_run(other, "write:1+:ENOSPC").code != 0); /* it leaves nothing, so the first run keeps its checkpoint */
  CHECK(tool_run("resume pieces.h5 --quiet --out branch.h5", NULL).code == 0);
  if (!CHECK(same_results("whole.h5", "branch.h5", why))) printf("  %s\n", why);
  CHECK(tool_run(other, "sync:1:KILL").signal == SIGKILL);
  tool_end end = tool_run("resume pieces.h5 --from 0.01", NULL);
  CHECK(end.code == 2 && strstr(end.errors, "there is no checkpoint"));
  end = tool_run("resume pieces.h5", "sync:1:KILL"); /* begins the other run again */
  CHECK(end.signal == SIGKILL && strstr(end.errors, "the run restarts from the beginning"));
  CHECK(strstr(end.errors, "'pieces.h5.checkpoint.before' is the checkpoint of an earlier run"));
  CHECK(rename("pieces.h5.checkpoint.before", "pieces.h5.checkpoint") == 0);
  CHECK(tool_run("resume pieces.h5 --quiet --out branch.h5", NULL).code == 0);
  if (!CHECK(same_results("whole.h5", "branch.h5", why))) printf("  %s\n", why);
  CHECK(tool_run(other, NULL).code == 0);
  CHECK(tool_run("resume pieces.h5", NULL).code == 0); /* is complete */
  CHECK(access("pieces.h5.checkpoint.before", F_OK) == 0);
  killed_runs_clear();
  remove("branch.h5");
  remove("branch.h5.checkpoint");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"kills", kills},
                                    {"many_parts", many_parts},
                                    {"before_the_first_checkpoint", before_the_first_checkpoint},
                                    {"torn_headers", torn_headers},
                                    {"wide_with_nodes", wide_with_nodes},
                                    {"another_run_into_the_file", another_run_into_the_file}};
  return test_main(argc, argv, "faults_kills", cases, sizeof cases / sizeof *cases);
}
