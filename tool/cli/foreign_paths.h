/* Files that a checkpoint names. It may come from somebody else, so `picus resume` writes to them only where that can
 * do no harm, or with --allow-paths. */
#ifndef PICUS_CLI_FOREIGN_PATHS_H
#define PICUS_CLI_FOREIGN_PATHS_H

#include "cli.h"

/* run: the command of the checkpoint, completed by the options of picus resume, `resume`; result: its operand. Accepted
 * are files in the folder of the result or below, without hidden names and links, that are missing or that an earlier
 * part of the run may have written: their first bytes tell. The result must be no link, unless --out is given. false:
 * others are named; already reported. */
bool cli_foreign_paths_check(const cli_arguments *run, const cli_arguments *resume, const char *result);

#endif
