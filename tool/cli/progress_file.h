/* The progress of a run in a small file, for batch queues: JSON, replaced as a whole. */
#ifndef PICUS_CLI_PROGRESS_FILE_H
#define PICUS_CLI_PROGRESS_FILE_H

#include "cli.h"

typedef struct cli_progress_file {
  picus_context *context;
  const char *path; /* NULL: none */
  const char *model;
  double t_start, t_begin;   /* of the run, and where this process began, s */
  double begin, last, pause; /* by the clock, s */
  bool told_failure;
} cli_progress_file;

/* How far the run is. */
typedef struct cli_progress_state {
  const char *status;            /* "running", "done", "interrupted", "failed" */
  double t, t_end, checkpoint_t; /* NAN: no checkpoint */
  long steps;                    /* of the run, also those before its checkpoint */
} cli_progress_state;

/* Whether there may be one at the path; NULL: none is wanted. A pipe or a device cannot be replaced as a whole, and
 * would make the run wait. false: already reported. */
bool cli_progress_file_check(picus_context *context, const char *path);
void cli_progress_file_begin(cli_progress_file *f, picus_context *context, const char *path, const char *model);
/* Where the run starts (t_start) or goes on (t). */
void cli_progress_file_start(cli_progress_file *f, double t_start, double t);
/* From time to time, or now. A file that cannot be written does not end the run; that is reported once. */
void cli_progress_file_write(cli_progress_file *f, const cli_progress_state *state, bool is_due);

#endif
