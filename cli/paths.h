/* The input and output files of a command. They are compared before any is opened, by device and inode, regardless of
 * their names: no output may be an input, another output, or the .part file of an output. */
#ifndef PICUS_CLI_PATHS_H
#define PICUS_CLI_PATHS_H

#include "cli.h"

typedef struct cli_paths {
  struct cli_path *list;
  int count, capacity;
  bool failed; /* out of memory */
} cli_paths;

/* what: the name in messages, "the model", "--out"; it and the path must outlive the check. A NULL path is ignored. */
void cli_paths_read(cli_paths *paths, const char *what, const char *path);
void cli_paths_write(cli_paths *paths, const char *what, const char *path);
/* The model operand of a command, unless it is a shipped model. */
void cli_paths_read_model(cli_paths *paths, const cli_arguments *arguments);
/* Checks that all outputs can be written and that none is another file of the command. false: already reported. No file
 * is changed. Clears the paths. */
bool cli_paths_check(cli_paths *paths, picus_context *context);

/* Identity of the file that had a name at some moment. */
typedef struct cli_file_mark {
  bool exists;
  uint64_t device, inode;
} cli_file_mark;
cli_file_mark cli_mark_file(const char *path);
bool cli_is_marked(const char *path, cli_file_mark mark); /* the same file still has the name, or there is still none */

#endif
