/* The files of a command: what it reads and what it writes. Before anything is opened they are compared, by device and
 * inode and whatever their names are: no output may be an input, or another output, or where one of them grows. */
#ifndef PICUS_CLI_PATHS_H
#define PICUS_CLI_PATHS_H

#include "cli.h"

typedef struct cli_paths {
  struct cli_path *list;
  int count, capacity;
  bool failed; /* out of memory */
} cli_paths;

/* what: as a sentence names it, "the model", "--out"; it and the path must outlive the check. A path NULL is none. */
void cli_paths_read(cli_paths *paths, const char *what, const char *path);
void cli_paths_write(cli_paths *paths, const char *what, const char *path);
/* The operand of a command that takes a model, unless it is one that ships with Picus. */
void cli_paths_read_model(cli_paths *paths, const cli_arguments *arguments);
/* Can all outputs be written, and is none of them another file of the command? false, already said: no. Nothing is
 * touched. Forgets the paths. */
bool cli_paths_check(cli_paths *paths, picus_context *context);

/* Which file had a name at some moment. */
typedef struct cli_file_mark {
  bool exists;
  uint64_t device, inode;
} cli_file_mark;
cli_file_mark cli_mark_file(const char *path);
bool cli_is_marked(const char *path, cli_file_mark mark); /* it still has the name, or still none has */

#endif
