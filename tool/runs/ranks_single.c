/* One process alone. If a launcher of MPI started `picus`, `picus-mpi` takes its place. */
#include "base/file_names.h"
#include "cli/cli.h"
#include "platform/files.h"
#include "platform/processes.h"
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

struct cli_ranks {
  long entries, taken;
};

/* Processes of the job, by what Open MPI and Slurm's pmix tell each of them; 1: no job of several. */
static long launched(void) {
  const char *count = getenv("OMPI_COMM_WORLD_SIZE");
  if (!count && getenv("PMIX_RANK")) count = getenv("SLURM_STEP_NUM_TASKS");
  return count ? strtol(count, NULL, 10) : 1;
}

/* picus-mpi in the folder of this program. Returns only if there is none. */
static void become_mpi(char *const *words) {
  static const char name[] = "picus-mpi";
  char path[PICUS_PATH_SIZE + sizeof name];
  if (picus_own_program(path, PICUS_PATH_SIZE)) return;
  const char *last = picus_last_separator(path);
  if (!last) return;
  memcpy(path + (last - path) + 1, name, sizeof name);
  (void)picus_process_become(path, (const char *const *)words);
}

cli_ranks *cli_ranks_begin(char *const *words, bool is_alone) {
  const long count = is_alone ? 1 : launched();
  if (count > 1) {
    become_mpi(words);
    cli_complain("%ld processes were started for one study, but this Picus was built without MPI: install Open MPI's "
                 "development package and build it again, or start parts with --part I/N",
                 count);
    return NULL;
  }
  cli_ranks *ranks = calloc(1, sizeof *ranks);
  if (!ranks) cli_complain("out of memory");
  return ranks;
}

void cli_ranks_end(cli_ranks *ranks) { free(ranks); }

int cli_ranks_number(const cli_ranks *ranks) { return (void)ranks, 0; }

int cli_ranks_count(const cli_ranks *ranks) { return (void)ranks, 1; }

int cli_ranks_agree(cli_ranks *ranks, int value) { return (void)ranks, value; }

void cli_ranks_set_queue(cli_ranks *ranks, long entries, long least) {
  (void)least;
  *ranks = (cli_ranks){.entries = entries};
}

void cli_ranks_claim(cli_ranks *ranks, long *first, long *count) {
  *first = ranks->taken;
  *count = ranks->entries - ranks->taken;
  ranks->taken = ranks->entries;
}

long cli_ranks_serve(cli_ranks *ranks, long done) { return (void)ranks, done; }

void cli_ranks_leave_queue(cli_ranks *ranks, int status) { (void)ranks, (void)status; }
