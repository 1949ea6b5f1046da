/* picus export MODEL --fmu: a model for other programs. */
#ifndef PICUS_CLI_FMU_EXPORT_H
#define PICUS_CLI_FMU_EXPORT_H

#include "cli/cli.h"

/* The exit code; errors are reported. */
int cli_export_fmu(const cli_arguments *arguments);

#endif
