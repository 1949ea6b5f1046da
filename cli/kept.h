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
} cli_kept_file;

typedef struct cli_kept {
  cli_kept_file files[CLI_KEPT_FILES];
} cli_kept;

/* Before the run: --out, --csv and --events. */
cli_kept cli_kept_begin(const cli_arguments *arguments);
/* After a failed run: reports on standard error the contents of each file. Rows are counted in the files. */
void cli_kept_tell(const cli_kept *kept, picus_context *context);

#endif
