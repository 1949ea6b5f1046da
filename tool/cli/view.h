/* Pages of picus view, also for picus run --view. */
#ifndef PICUS_CLI_VIEW_H
#define PICUS_CLI_VIEW_H

#include "cli.h"

/* Writes the page of some results; prints where it is unless quiet. Returns the exit code; errors are reported. */
int cli_write_page(picus_context *context, int count, const char *const *paths, const char *page, bool quiet);

#endif
