/* Checkpoints of picus run, and the run that goes on from one (picus resume). The checkpoint of RESULT.h5 is
 * RESULT.h5.checkpoint: the words of the command, what the result had then, and the bytes of picus_sim_save. */
#ifndef PICUS_CLI_CHECKPOINTS_H
#define PICUS_CLI_CHECKPOINTS_H

#include "cli.h"

#include <stdint.h>

/* What is read from a checkpoint. */
typedef struct cli_checkpoint {
  int word_count;
  char **words;         /* "picus", "run", ... */
  picus_row_mark mark;  /* of the result */
  unsigned char *bytes; /* of the simulation */
  size_t size;
  unsigned char *all;
} cli_checkpoint;
/* false: already reported. */
bool cli_checkpoint_read(picus_context *context, const char *path, cli_checkpoint *out);
void cli_checkpoint_free(cli_checkpoint *checkpoint); /* a zeroed one is fine */
char *cli_checkpoint_path(const char *result);        /* to be freed; NULL: out of memory, reported */
/* "--NAME=VALUE", or "--NAME" for an empty value; to be freed. NULL: out of memory. */
char *cli_option_word(const char *name, const char *value);

/* A run that saves checkpoints. */
typedef struct cli_checkpoints {
  picus_context *context;
  const cli_arguments *arguments;
  picus_recorder *recorder;
  char *path;         /* NULL: none */
  double seconds;     /* from one to the next; 0: not by time */
  long steps;         /* the same; 0: not by steps */
  double last, begin; /* s, by the clock */
  long steps_left;
  double exit_after; /* s; 0: never */
  bool is_over;      /* the run ends because of it */
  bool told_failure;
} cli_checkpoints;
/* Reads --checkpoint and --nice-exit-after. false: already reported. */
bool cli_checkpoints_begin(cli_checkpoints *c, picus_context *context, const cli_arguments *arguments);
void cli_checkpoints_end(cli_checkpoints *c);
picus_status cli_checkpoints_look(cli_checkpoints *c, picus_sim *sim, bool is_end);
void cli_checkpoints_step(cli_checkpoints *c, picus_sim *sim);

/* How a run goes on. */
typedef struct cli_resumed {
  const cli_checkpoint *checkpoint;
  const char *result; /* whose checkpoint it is */
  bool force_model;
} cli_resumed;
/* picus run, from the start (NULL) or from a checkpoint. */
int cli_run_from(const cli_arguments *arguments, const cli_resumed *resumed);

#endif
