/* picus run --sensitivity. */
#ifndef PICUS_CLI_SENSITIVITIES_H
#define PICUS_CLI_SENSITIVITIES_H

#include "cli.h"

/* Computes and writes derivatives of a motion instead of a run; returns an exit code. options are made adaptive. */
int cli_run_sensitivities(picus_context *context, const cli_arguments *a, const cli_model *loaded,
                          picus_sim_options *options);

#endif
