/* picus run --start. */
#ifndef PICUS_CLI_START_STATE_H
#define PICUS_CLI_START_STATE_H

#include "cli.h"

/* Gives a simulation that has not stepped the state of a result, and initial values. An error is in the context. */
picus_status cli_take_start(picus_context *context, const cli_arguments *a, picus_sim *sim);

#endif
