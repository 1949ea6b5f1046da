/* Checkpoints of picus run: those it saves, and the one that an earlier run has left beside its result. */
#ifndef PICUS_CLI_CHECKPOINTS_H
#define PICUS_CLI_CHECKPOINTS_H

#include "cli/cli.h"

#include <picus/base.h>
#include <stdbool.h>
#include <stdint.h>

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
/* Before the first step, at the time at which the run starts or continues. */
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
 * is_branch: the run continues from the checkpoint of another result, so no older checkpoint is its own. */
picus_status cli_older_checkpoint_watch(picus_context *context, const cli_arguments *arguments,
                                        const picus_model *model, bool is_branch, picus_recorder *recorder);
/* For a result without a checkpoint: a note about the one that was set aside, if there is one. */
void cli_older_checkpoint_tell(picus_context *context, const char *result);

/* The file of a checkpoint of picus run, RESULT.h5.checkpoint: the time, the words of the command, the model with all
 * files that it names, what the result had then, the bytes of picus_sim_save, and a check sum. */

/* All but the bytes of the simulation. */
typedef struct cli_checkpoint_facts {
  double t;
  long number;            /* of checkpoints of the run, from 1 */
  bool is_end;            /* after the last step of the run */
  const char *model_name; /* for messages; a path or the name of a shipped model */
  const char *model_text;
  int file_count;
  const picus_model_file *files;
  picus_row_mark mark;
} cli_checkpoint_facts;

/* The words of the command are those of `arguments`, as they were understood. */
picus_status cli_checkpoint_write(picus_context *context, const char *path, const cli_arguments *arguments,
                                  const cli_checkpoint_facts *facts, picus_sim *sim, size_t sim_size);

typedef struct cli_checkpoint {
  cli_checkpoint_facts facts;
  int word_count;
  char **words;         /* "picus", "run", ... */
  unsigned char *bytes; /* of the simulation */
  size_t size;
  picus_model_file *files;
  unsigned char *all;
  picus_context *context;
} cli_checkpoint;
/* To be freed in any case. */
picus_status cli_checkpoint_open(picus_context *context, const char *path, cli_checkpoint *out);
/* The same; false: already reported. */
bool cli_checkpoint_read(picus_context *context, const char *path, cli_checkpoint *out);
/* What the checkpoint of a run has that was killed before its first one: the command and the model, of the part of its
 * result. false: there is no such part, or its run makes no checkpoints; nothing is reported. To be freed in any case.
 */
bool cli_checkpoint_of_part(picus_context *context, const char *result, cli_checkpoint *out);
void cli_checkpoint_free(cli_checkpoint *checkpoint); /* a zeroed one is fine */
char *cli_checkpoint_path(const char *result);        /* to be freed; NULL: out of memory, reported */
/* "--NAME=VALUE", or "--NAME" for an empty value; to be freed. NULL: out of memory. */
char *cli_option_word(const char *name, const char *value);

/* --- earlier checkpoints ------------------------------------------------------------------------------------------ */

/* Earlier checkpoints of a run, RESULT.h5.checkpoint.1, .2, ...: the same files as RESULT.h5.checkpoint was, under
 * their numbers. */

/* The checkpoint at `path` becomes number `number` of the history, which has the last `keep` of them; 1: none. Returns
 * false if that was not possible. */
bool cli_history_add(picus_context *context, const char *path, long number, long keep);
/* Those of a run that went another way. */
void cli_history_drop_after(const char *path, long number);
/* The history of one path becomes that of another; what cannot be renamed stays. */
void cli_history_rename(const char *path, const char *other);
bool cli_history_exists(const char *path);
/* The latest checkpoint at or before t; to be freed. NULL: there is none, reported. */
char *cli_history_find(picus_context *context, const char *path, double t);
/* The latest one before t; NULL: there is none, which is not reported. */
char *cli_history_find_before(picus_context *context, const char *path, double t);

#endif
