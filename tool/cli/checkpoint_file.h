/* The file of a checkpoint of picus run, RESULT.h5.checkpoint: the time, the words of the command, the model with all
 * files that it names, what the result had then, the bytes of picus_sim_save, and a check sum. */
#ifndef PICUS_CLI_CHECKPOINT_FILE_H
#define PICUS_CLI_CHECKPOINT_FILE_H

#include "cli.h"

#include <picus/base.h>
#include <stdbool.h>
#include <stdint.h>

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
