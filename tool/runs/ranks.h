/* The processes that make the runs of one study together: one process alone, or the ranks of an MPI job.
 *
 * ranks_single.c is one process alone, in `picus`; ranks_mpi.c is in `picus-mpi` only, so that the tool does not load
 * MPI for every command. */
#ifndef PICUS_CLI_RANKS_H
#define PICUS_CLI_RANKS_H

#include <stdbool.h>

typedef struct cli_ranks cli_ranks;

/* NULL: not possible, already reported. words: the command line, ended by NULL. is_alone: whatever else is running,
 * this process works alone. Lifetime: until cli_ranks_end. */
cli_ranks *cli_ranks_begin(char *const *words, bool is_alone);
void cli_ranks_end(cli_ranks *ranks);
int cli_ranks_number(const cli_ranks *ranks); /* of this process, from 0 on */
int cli_ranks_count(const cli_ranks *ranks);

/* Waits until all processes are here; returns the largest of their values. */
int cli_ranks_agree(cli_ranks *ranks, int value);

/* A queue of entries that process 0 hands out. First each process sets the number of entries and how many it takes at
 * least. */
void cli_ranks_set_queue(cli_ranks *ranks, long entries, long least);
/* The next entries for this process; *count = 0: none is left. */
void cli_ranks_claim(cli_ranks *ranks, long *first, long *count);
/* Called often, from one thread at a time, while this process works: process 0 answers the others. done: runs that this
 * process has made. Returns the runs of all processes, as far as process 0 has heard of them; of others, its own. */
long cli_ranks_serve(cli_ranks *ranks, long done);
/* This process claims no more. After a status other than 0 the others get nothing more, either. Process 0 returns when
 * none of the others will claim. */
void cli_ranks_leave_queue(cli_ranks *ranks, int status);

#endif
