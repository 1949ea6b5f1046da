/* Checkpoints of picus run, and the run that goes on from one (picus resume). */
#ifndef PICUS_CLI_CHECKPOINTS_H
#define PICUS_CLI_CHECKPOINTS_H

#include "checkpoint_file.h"

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
/* Reads --checkpoint, --checkpoint-keep and --nice-exit-after. false: already reported. */
bool cli_checkpoints_begin(cli_checkpoints *c, picus_context *context, const cli_arguments *arguments);
void cli_checkpoints_end(cli_checkpoints *c);
/* Before the first step, at the time at which the run starts or goes on. */
void cli_checkpoints_start(cli_checkpoints *c, picus_sim *sim);
bool cli_checkpoints_count_steps(const cli_checkpoints *c); /* cli_checkpoints_step is to be called */
picus_status cli_checkpoints_look(cli_checkpoints *c, picus_sim *sim, bool is_end);
void cli_checkpoints_step(cli_checkpoints *c, picus_sim *sim);

#endif
