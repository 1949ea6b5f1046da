/* The parts of picus run: continuing from a checkpoint, --json, --start, --sensitivity, and what its files contain. */
#ifndef PICUS_CLI_RUN_PARTS_H
#define PICUS_CLI_RUN_PARTS_H

#include "checkpoints.h"
#include "cli/cli.h"
#include "cli/paths.h"
#include "platform/files.h"

/* How a run continues. */
typedef struct cli_resumed {
  const cli_checkpoint *checkpoint;
  const char *result; /* whose checkpoint it is */
  bool force_model;
  bool from_start; /* of the checkpoint only the model counts */
} cli_resumed;
/* picus run, from the start (NULL) or from a checkpoint. */
int cli_run_from(const cli_arguments *arguments, const cli_resumed *resumed);

/* As cli_load: the model of the checkpoint, whatever has become of its files; with --force-model as it is now. */
int cli_resumed_load(picus_context *context, const cli_arguments *arguments, const cli_resumed *resumed,
                     cli_model *out);
/* The state of the checkpoint for the simulation, and the earlier results for the recorder. *result is to be closed
 * after the run; *source says which file it is. false: already reported. */
bool cli_resumed_begin(picus_context *context, const cli_resumed *resumed, picus_sim *sim, picus_recorder *recorder,
                       picus_result **result, picus_facts *source);
/* The part that the run went on from is in the new file. */
void cli_resumed_remove_part(const char *out, const picus_facts *part);
/* Whether the result, or a part of it, is cut but can be read. */
bool cli_resumed_is_cut(const char *result);
/* Whether a part of the result has all that the checkpoint has counted. */
bool cli_resumed_fits(picus_context *context, const cli_resumed *resumed);
/* Whether the result is complete, and the checkpoint is that of its end. */
bool cli_resumed_is_complete(picus_context *context, const cli_resumed *resumed);

/* picus run --json. */

/* Makes the run and prints its line; returns the exit code. */
int cli_run_json(const cli_arguments *a);

/* picus run --start. */

/* Gives a simulation that has not stepped the state of a result, and initial values. An error is in the context. */
picus_status cli_take_start(picus_context *context, const cli_arguments *a, picus_sim *sim);

/* picus run --sensitivity. */

/* Computes and writes derivatives of a motion instead of a run; returns an exit code. options are made adaptive. */
int cli_run_sensitivities(picus_context *context, const cli_arguments *a, const cli_model *loaded,
                          picus_sim_options *options);

/* Reports which results of a run its files contain. */

enum { CLI_KEPT_FILES = 4 };

typedef struct cli_kept_file {
  const char *path; /* NULL: not requested */
  const char *rows_are;
  bool is_table;     /* CSV */
  cli_file_mark old; /* before the run */
  cli_file_mark own; /* what the run writes, as soon as it is open */
} cli_kept_file;

typedef struct cli_kept {
  cli_kept_file files[CLI_KEPT_FILES];
} cli_kept;

/* Before the run: --out, --csv and --events. */
cli_kept cli_kept_begin(const cli_arguments *arguments);
/* As the last sink of the run: notes which files it writes, so that no other file is counted. The sink refers to
 * `kept`, which must live until the run ends. */
picus_status cli_kept_watch(cli_kept *kept, picus_recorder *recorder);
/* After a failed run: reports on standard error the contents of each file. Rows are counted in the files. */
void cli_kept_tell(const cli_kept *kept, picus_context *context);

#endif
