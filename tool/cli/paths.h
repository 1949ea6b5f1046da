/* The input and output files of a command: the one place that knows them all. They are compared before any is opened,
 * by device and inode, regardless of their names: no output may be an input, another output, or a file whose name is
 * derived from that of another output, such as its .part or .checkpoint.
 *
 * cli_dispatch checks all files that options and operands name, of every command. Files that a command finds later,
 * such as the matrices of a model or the files in an output folder, are added to the same list and checked again,
 * before the first one is written. Files are written by base/output_file.h alone; scripts/check-rules verifies it. */
#ifndef PICUS_CLI_PATHS_H
#define PICUS_CLI_PATHS_H

#include "cli.h"

typedef struct cli_paths {
  struct cli_path *list;
  int count, capacity;
  bool failed; /* out of memory */
} cli_paths;

/* what: the name in messages, "the model", "--out". A NULL path is ignored. */
void cli_paths_read(cli_paths *paths, const char *what, const char *path);
/* A result with its parts and checkpoints, which a run continues into another file. */
void cli_paths_read_run(cli_paths *paths, const char *what, const char *path);
void cli_paths_write(cli_paths *paths, const char *what, const char *path);
/* The result of a run that may be continued: compared as an output, but it need not be possible to write it. */
void cli_paths_continue(cli_paths *paths, const char *what, const char *path);
void cli_paths_write_folder(cli_paths *paths, const char *what, const char *path);
/* A file in an output folder, whose name the command chooses. If it exists, it must be a regular file: no link. Members
 * are not compared with each other. */
void cli_paths_write_member(cli_paths *paths, const char *what, const char *path);
/* All files that the options and operands of a command name, by its table. */
void cli_paths_list(cli_paths *paths, const cli_arguments *arguments);
/* The matrices and meshes of a model; name: its file, in whose folder they are. */
void cli_paths_read_files(cli_paths *paths, const char *name, const picus_model *model);
/* Checks that all outputs can be written and that none is another file of the command. false: already reported. No file
 * is changed. Clears the paths. */
bool cli_paths_check(cli_paths *paths, picus_context *context);
/* The same for cli_paths_list alone: what cli_dispatch does. */
bool cli_paths_check_arguments(const cli_arguments *arguments);
/* The same with the files of the model, once it is loaded. */
bool cli_paths_check_model(const cli_arguments *arguments, const picus_model *model, picus_context *context);

/* What an option names: its placeholder tells. F or F.h5: an output file; DIR: an output folder; REF.h5 or FILE: an
 * input. */
typedef enum cli_path_role { CLI_NO_PATH, CLI_READS, CLI_WRITES, CLI_WRITES_FOLDER } cli_path_role;

/* An output that a command line asks for, by an option or by default: the figure of picus plot, the page of picus view,
 * the result of picus resume. */
typedef struct cli_output {
  const char *what;             /* "--out", "the figure" */
  const char *path;             /* until the call returns */
  const cli_option *option;     /* NULL: by default */
  bool is_folder, is_continued; /* continued: if its run is not complete */
} cli_output;
typedef void (*cli_output_fn)(void *user, const cli_output *output);
/* Calls a function with each of them; false: out of memory. */
bool cli_for_each_output(const cli_arguments *arguments, cli_output_fn visit, void *user);

/* For paths that somebody else has chosen. Plain: relative, without ".." and hidden names. */
bool cli_path_is_plain(const char *path);
/* In a folder or below it, as the links between them lead; without hidden names below the folder, and itself no link.
 */
bool cli_path_is_in(const char *folder, const char *path);

/* Identity of the file that had a name at some moment. */
typedef struct cli_file_mark {
  bool exists;
  uint64_t device, inode;
} cli_file_mark;
cli_file_mark cli_mark_file(const char *path);
bool cli_is_marked(const char *path, cli_file_mark mark); /* the same file still has the name, or there is still none */

/* --- files that a checkpoint names -------------------------------------------------------------------------------- */

/* Files that a checkpoint names. It may come from somebody else, so `picus resume` writes to them only where that can
 * do no harm, or with --allow-paths. */

/* run: the command of the checkpoint, completed by the options of picus resume, `resume`; result: its operand. Accepted
 * are files in the folder of the result or below, without hidden names and links, that are missing or that an earlier
 * part of the run may have written: their first bytes tell. The result must be no link, unless --out is given. false:
 * others are named; already reported. */
bool cli_foreign_paths_check(const cli_arguments *run, const cli_arguments *resume, const char *result);

#endif
