/* Schemes compared on one model: a trial is one run with one scheme and one step size or tolerance. */
#ifndef PICUS_CLI_TRIALS_H
#define PICUS_CLI_TRIALS_H

#include "cli/cli.h"

enum { CLI_TRIAL_NAME = 64, CLI_TRIAL_REASON = 256 };

typedef struct cli_trial {
  char scheme[CLI_TRIAL_NAME]; /* "rattle" or "adaptive rattle" */
  bool adaptive;
  double step; /* dt in s, or atol = rtol of an adaptive run */
  bool done;   /* else: why not */
  char reason[CLI_TRIAL_REASON];
  picus_summary summary;
  double seconds; /* processor time */
  /* Errors against the reference: of coordinates, largest |e| over the scale of the column; of velocities, the mean of
   * |e| over the scale. The largest over the columns; NAN: none. */
  double position_error, velocity_error;
  char worst_position[CLI_TRIAL_NAME], worst_velocity[CLI_TRIAL_NAME]; /* columns with these errors */
  double position_order, velocity_order; /* from the trial before with the same scheme; NAN: none */
} cli_trial;

typedef struct cli_trials {
  const char *model;
  double t_end;
  char reference[CLI_TRIAL_REASON]; /* what the errors are measured against */
  char missed[CLI_TRIAL_REASON];    /* why its requested accuracy was not reached; empty: it was */
  double accuracy;                  /* estimated error of a reference that missed it, 0: any error has a meaning */
  cli_trial *list;
  int count, capacity;
} cli_trials;

/* The trials of --schemes, --dt and --tolerances. false: already reported. */
bool cli_trials_choose(cli_trials *trials, const cli_arguments *arguments, const char *base, double dt);
void cli_trials_release(cli_trials *trials);
/* Fills in the orders once all trials have run; errors that the reference does not resolve have none. */
void cli_trials_find_orders(cli_trials *trials);

void cli_trials_print(const cli_trials *trials);
/* false: already reported. */
bool cli_trials_write_csv(const cli_trials *trials, picus_context *context, const char *path);
bool cli_trials_draw(const cli_trials *trials, picus_context *context, const char *path);

/* picus compare MODEL --schemes; returns the exit code. */
int cli_compare_schemes(const cli_arguments *arguments);

#endif
