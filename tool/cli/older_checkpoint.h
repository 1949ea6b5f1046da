/* The checkpoint that an earlier run has left beside the result of this one. */
#ifndef PICUS_CLI_OLDER_CHECKPOINT_H
#define PICUS_CLI_OLDER_CHECKPOINT_H

#include "cli.h"

/* Before the run, as the last sink. When the files of the run are open, RESULT.h5.checkpoint of another run becomes
 * RESULT.h5.checkpoint.before, and so does its history: until this run has a checkpoint of its own, 'picus resume' must
 * not take that one for it. It gets its name back if the run fails and leaves nothing. It is removed once no file has
 * its rows any more. A checkpoint of the same command and model stays: the run would make that very checkpoint again.
 * is_branch: the run goes on from the checkpoint of another result, so no older checkpoint is its own. */
picus_status cli_older_checkpoint_watch(picus_context *context, const cli_arguments *arguments,
                                        const picus_model *model, bool is_branch, picus_recorder *recorder);
/* For a result without a checkpoint: a note about the one that was set aside, if there is one. */
void cli_older_checkpoint_tell(picus_context *context, const char *result);

#endif
