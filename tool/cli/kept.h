/* Reports which results of a run its files contain. */
#ifndef PICUS_CLI_KEPT_H
#define PICUS_CLI_KEPT_H

#include "paths.h"

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
