/* The parts of a run that goes on from a checkpoint: its model, its earlier results. */
#ifndef PICUS_CLI_RESUMED_H
#define PICUS_CLI_RESUMED_H

#include "checkpoint_file.h"
#include "platform/files.h"

/* How a run goes on. */
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

#endif
