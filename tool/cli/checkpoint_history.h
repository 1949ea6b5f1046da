/* Earlier checkpoints of a run, RESULT.h5.checkpoint.1, .2, ...: the same files as RESULT.h5.checkpoint was, under
 * their numbers. */
#ifndef PICUS_CLI_CHECKPOINT_HISTORY_H
#define PICUS_CLI_CHECKPOINT_HISTORY_H

#include <picus/base.h>
#include <stdbool.h>

/* The checkpoint at `path` becomes number `number` of the history, which has the last `keep` of them; 1: none. Returns
 * false if that was not possible. */
bool cli_history_add(picus_context *context, const char *path, long number, long keep);
/* Those of a run that went another way. */
void cli_history_drop_after(const char *path, long number);
/* The history of one path becomes that of another; what cannot be renamed stays. */
void cli_history_rename(const char *path, const char *other);
bool cli_history_exists(const char *path);
/* The latest checkpoint at or before t; to be freed. NULL: there is none, reported. */
char *cli_history_find(picus_context *context, const char *path, double t);
/* The latest one before t; NULL: there is none, which is not reported. */
char *cli_history_find_before(picus_context *context, const char *path, double t);

#endif
