/* Checkpoints of picus run: those it saves, and the one that an earlier run has left beside its result. */
#ifndef PICUS_CLI_CHECKPOINTS_H
#define PICUS_CLI_CHECKPOINTS_H

#include "checkpoint_file.h"
#include "cli.h"

/* A run that saves checkpoints. */
typedef struct cli_checkpoints {
  picus_context *context;
  const cli_arguments *arguments;
  picus_recorder *recorder;
  const picus_model *model;
  char *path;         /* NULL: none */
  double seconds;     /* from one to the next; 0: not by the clock */
  double interval;    /* of simulated time, s; 0: not by it */
  double next;        /* simulated time of the next one */
  long steps;         /* 0: not by steps */
  double last, begin; /* s, by the clock */
  long steps_left;
  long number, keep; /* of the last one; so many are kept */
  double last_t;     /* of the last one; NAN: none yet */
  double exit_after; /* s; 0: never */
  bool is_over;      /* the run ends because of it */
  bool told_failure, has_saved;
} cli_checkpoints;
/* --nice-exit-after, s; 0: not given. false: already reported. */
bool cli_read_exit_time(const cli_arguments *arguments, double *seconds);
/* Reads --checkpoint, --checkpoint-keep and --nice-exit-after. false: already reported. */
bool cli_checkpoints_begin(cli_checkpoints *c, picus_context *context, const cli_arguments *arguments);
void cli_checkpoints_end(cli_checkpoints *c);
/* Before the first step, at the time at which the run starts or goes on. */
void cli_checkpoints_start(cli_checkpoints *c, picus_sim *sim);
bool cli_checkpoints_count_steps(const cli_checkpoints *c); /* cli_checkpoints_step is to be called */
picus_status cli_checkpoints_look(cli_checkpoints *c, picus_sim *sim, bool is_end);
void cli_checkpoints_step(cli_checkpoints *c, picus_sim *sim);

/* --- the checkpoint of an earlier run ----------------------------------------------------------------------------- */

/* The checkpoint that an earlier run has left beside the result of this one. */

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
