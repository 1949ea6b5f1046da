/* What the files of picus sweep share. */
#ifndef PICUS_CLI_SWEEP_H
#define PICUS_CLI_SWEEP_H

#include "base/file_names.h"
#include "cli/cli.h"
#include "ranks.h"

/* A sweep as its command line describes it. */
typedef struct cli_sweep_job {
  const cli_arguments *arguments;
  picus_context *context;
  cli_ranks *ranks; /* the processes that make its runs */
  int count;
  picus_study_axis *axes; /* names and values are its own */
  char *collect_text;     /* a copy, cut into words */
  const char **collect;
  picus_study_def def;
  char *command; /* of a run, without what varies */
  long part, part_count, merge;
  double exit_after;             /* s; 0: never */
  char journal[PICUS_PATH_SIZE]; /* next to the results, NAME.journal; "": none */
} cli_sweep_job;

/* cmd_study.c */
int cli_study_run(const cli_arguments *a);
/* cmd_sweep.c. The processes of a job; the program may become picus-mpi with the same words. NULL: already reported. */
cli_ranks *cli_sweep_find_ranks(const cli_arguments *a);
/* picus sweep by these processes. Returns the exit code. */
int cli_sweep_by(const cli_arguments *a, cli_ranks *ranks);

/* sweep_arguments.c. Errors are already reported. */
bool cli_sweep_read(cli_sweep_job *s);
/* Its parts: the axes that some options give, and --collect. */
typedef struct cli_sweep_axis {
  const char *option;
  picus_axis_kind kind;
} cli_sweep_axis;
bool cli_sweep_read_axes(cli_sweep_job *s, int count, const cli_sweep_axis *kinds);
bool cli_sweep_read_collect(cli_sweep_job *s);
void cli_sweep_release(cli_sweep_job *s);
/* sweep_command.c: after the axes. */
bool cli_sweep_make_command(cli_sweep_job *s);
/* The options that name files of results, ended by NULL. */
extern const char *const cli_sweep_results[];
/* The journal of a part, NAME.journal.I-of-N. */
bool cli_sweep_journal_of_part(const cli_sweep_job *s, long part, long part_count, char name[PICUS_PATH_SIZE]);

/* sweep_runs.c: the study of a loaded model. Errors are already reported. Returns the exit code. */
int cli_sweep_create(cli_sweep_job *s, const cli_model *loaded, picus_study **study);
/* Makes the runs that are missing, writes the files, prints the end; takes the runs of journals only. They return the
 * exit code. study NULL: this process could not be prepared, and the other processes end as well. */
int cli_sweep_run(cli_sweep_job *s, picus_study *study);
int cli_sweep_collect(cli_sweep_job *s, picus_study *study);

#endif
