/* picus run --json. */
#ifndef PICUS_CLI_RUN_JSON_H
#define PICUS_CLI_RUN_JSON_H

#include "cli.h"

/* Makes the run and prints its line; returns the exit code. */
int cli_run_json(const cli_arguments *a);

#endif
