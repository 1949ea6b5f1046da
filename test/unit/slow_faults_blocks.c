/* Killed runs of several blocks of rows go on to the very results of the run that was never stopped: contacts, nodes,
 * switching points and rows reach the file at different times, and a checkpoint must have all that the file lacks.
 *
 * Each kind of table with each kind of storage. At least RESUME_KILLS killed runs go on (4); the seed is RESUME_SEED.
 */
#define _POSIX_C_SOURCE 200809L
#include "record/internal.h"
#include "support/check.h"
#include "support/killed_runs.h"

#include <picus/result.h>
#include <stdio.h>
#include <stdlib.h>

/* Contacts that come and go, many switching points, and so many columns that a block has 1024 rows. */
static const char *const shapes =
    "gravity {0, -9.81}\n"
    "material {'default', mu = 0.3, eN = 0.5}\n"
    "for i = 1, 6 do\n"
    "  disk {'d' .. i, radius = 0.5, density = 1, position = {1.1 * i, 0.51 + 0.01 * i}, velocity = {3 - i, 0}}\n"
    "end\n"
    "for i = 7, 20 do disk {'d' .. i, radius = 0.5, density = 1, position = {2 * i, 99}} end\n"
    "rectangle {'r', size = {3, 0.2}, density = 1, position = {3, 1.3}, omega = 1}\n"
    "half_space {'floor', normal = {0, 1}, position = {0, 0}, extent = 9}\n"
    "simulate {dt = 2e-4, t_end = 0.7}\n";

/* A beam, whose nodes have a table. */
static const char *const beam = "beam {'beam', length = 0.4, elements = 4, rectangle = {0.002, 0.02}, density = 7800,\n"
                                "  young = 2.1e7, supports = {{0, 'clamped'}}, record = {4}}\n"
                                "force {['beam.uy4'] = 0.1}\n";

/* More columns than have datasets of their own. */
static const char *const wide =
    "gravity {0, -9.81}\n"
    "for i = 1, 510 do\n"
    "  disk {'d' .. i, radius = 0.4, density = 1, position = {i, i % 9 == 7 and 0.41 or 9}, velocity = {0, -1}}\n"
    "end\n"
    "half_space {'floor', normal = {0, 1}, position = {0, 0}, extent = 2}\n"
    "simulate {dt = 1e-5, t_end = 0.021}\n";

/* The first four differ in their tables; the others are tried if RESUME_KILLS asks for more. */
static const killed_command commands[] = {
    {"run shapes.lua", "130steps"},
    {"run shapes-beam.lua --precision single", "130steps"},
    {"run woodpecker --dt 1e-5 --t-end 0.3", "1500steps"},
    {"run cantilever-stop --set N=4 --dt 2e-5 --t-end 0.55", "1700steps"},
    {"run shapes.lua --adaptive --sample 1e-5 --t-end 0.033 --uncompressed", "0.002t"},
    {"run disks --set n=20 --dt 5e-4 --t-end 1.6 --threads 2", "150steps"},
    {"run woodpecker --adaptive --dt-min 1e-8 --t-end 0.3 --sample 1e-5 --precision single", "200steps"},
    {"run box-tumbling --dt 1e-4 --t-end 2.6", "1000steps"},

    {"run spheres --set n=9 --dt 4e-4 --t-end 1.3 --tol 1e-9", "150steps"},
    {"run shapes.lua --uncompressed", "130steps"},
    {"run shapes.lua --precision single", "130steps"},
    {"run shapes.lua --precision single --uncompressed --checkpoint-keep 3", "130steps"},
    {"run shapes.lua --columns *_d* --event-limit 300 --scheme rattle", "130steps"},
    {"run shapes.lua --adaptive --sample 1e-5 --t-end 0.033", "0.002t"},
    {"run woodpecker --dt 1e-5 --t-end 0.3 --uncompressed", "1500steps"},
    {"run cantilever-stop --set N=4 --dt 2e-5 --t-end 0.55 --uncompressed --precision single", "1700steps"},
    {"run shapes-beam.lua", "130steps"},
    {"run wide.lua --threads 2", "150steps"},
};

/* At least three blocks of rows. */
static bool has_blocks(const char *path) {
  picus_context *context = NULL;
  picus_result *result = NULL;
  bool has = false;
  if (!picus_context_create(NULL, &context) && !picus_result_open(context, path, &result)) {
    const long block = picus_recorder_block_rows((size_t)picus_result_column_count(result));
    has = picus_result_row_count(result) > 3 * block;
    if (!has) printf("  %ld rows, blocks of %ld\n", picus_result_row_count(result), block);
  }
  picus_result_close(result);
  picus_context_destroy(context);
  return has;
}

static void blocks(void) {
  enum { COUNT = sizeof commands / sizeof commands[0], FEW = 4 };
  char both[2000];
  snprintf(both, sizeof both, "%s%s", beam, shapes);
  killed_runs_save("shapes.lua", shapes);
  killed_runs_save("shapes-beam.lua", both);
  killed_runs_save("wide.lua", wide);
  killed_runs_try(&(killed_runs){commands, getenv("RESUME_KILLS") ? COUNT : FEW, FEW, 1, has_blocks});
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"blocks", blocks}};
  return test_main(argc, argv, "slow_faults_blocks", cases, sizeof cases / sizeof *cases);
}
