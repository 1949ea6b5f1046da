/* Which files the options and operands of a command name: its table tells. */
#define _XOPEN_SOURCE 700
#include "paths.h"

#include "base/file_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

cli_path_role cli_option_role(const cli_option *option) {
  const char *text = option->argument;
  if (!text) return CLI_NO_PATH;
  if (strcmp(text, "DIR") == 0) return CLI_WRITES_FOLDER;
  if (text[0] == 'F' && (!text[1] || text[1] == '.')) return CLI_WRITES;
  return strcmp(text, "FILE") == 0 || strncmp(text, "REF.", 4) == 0 ? CLI_READS : CLI_NO_PATH;
}

bool cli_is_folder_name(const char *path) {
  const size_t length = strlen(path);
  return length > 0 && path[length - 1] == '/';
}

static void list_option(cli_paths *paths, const cli_option *option, const char *value) {
  char what[64];
  snprintf(what, sizeof what, "--%s", option->name);
  switch (cli_option_role(option)) {
  case CLI_READS:
    cli_paths_read(paths, what, value);
    break;
  case CLI_WRITES:
    if (cli_is_folder_name(value))
      cli_paths_write_folder(paths, what, value);
    else
      cli_paths_write(paths, what, value);
    break;
  case CLI_WRITES_FOLDER:
    if (*value) cli_paths_write_folder(paths, what, value);
    break;
  case CLI_NO_PATH:
    break;
  }
}

/* As picus_model_load decides. */
static bool is_shipped(const char *name) {
  for (int k = 0; k < picus_shipped_model_count(); k++)
    if (strcmp(picus_shipped_model_name(k), name) == 0) return true;
  return false;
}

/* A run that is resumed writes its result and its checkpoints again, unless --out gives another result. */
static void list_resumed(cli_paths *paths, const cli_arguments *a) {
  const char *result = cli_operand(a, 0), *out = cli_value(a, "out", 0);
  if (!out)
    cli_paths_write(paths, "the result", result);
  else if (!picus_same_file(out, result))
    cli_paths_read_run(paths, "the result", result);
}

static void list_operands(cli_paths *paths, const cli_arguments *a) {
  const cli_command *command = cli_command_of(a);
  const bool is_model = strcmp(command->operand_kind, "model") == 0 || cli_given(a, "schemes");
  char what[64];
  if (command == &cli_resume) {
    list_resumed(paths, a);
    return;
  }
  if (!*command->operand_kind) return;
  snprintf(what, sizeof what, "the %s", is_model ? "model" : command->operand_kind);
  for (int k = 0; k < cli_operand_count(a); k++)
    if (!is_model || !is_shipped(cli_operand(a, k))) cli_paths_read(paths, what, cli_operand(a, k));
}

void cli_paths_list(cli_paths *paths, const cli_arguments *a) {
  const cli_command *command = cli_command_of(a);
  list_operands(paths, a);
  for (int i = 0; i < command->option_count; i++)
    for (int k = 0; cli_value(a, command->options[i].name, k); k++)
      list_option(paths, &command->options[i], cli_value(a, command->options[i].name, k));
}

/* --- paths that somebody else has chosen ---------------------------------------------------------------------------
 */

bool cli_path_is_plain(const char *path) {
  if (!*path || *path == '/') return false;
  for (const char *at = path; *at;) {
    const size_t length = strcspn(at, "/");
    if (*at == '.' && length != 1) return false; /* "..", or a hidden name */
    at += length + (at[length] == '/');
  }
  return true;
}

bool cli_path_is_in(const char *folder, const char *path) {
  char plain[PICUS_PATH_SIZE], parent[PICUS_PATH_SIZE];
  struct stat facts;
  if (snprintf(plain, sizeof plain, "%s", path) >= (int)sizeof plain) return false;
  for (size_t length = strlen(plain); length > 1 && plain[length - 1] == '/';) plain[--length] = '\0';
  picus_folder_name(plain, parent);
  char *outer = realpath(folder, NULL), *inner = realpath(parent, NULL);
  const size_t length = outer ? strlen(outer) : 0;
  const bool is_below = outer && inner && strncmp(outer, inner, length) == 0 &&
                        (!inner[length] || (inner[length] == '/' && cli_path_is_plain(inner + length + 1)));
  free(outer);
  free(inner);
  return is_below && cli_path_is_plain(picus_last_name(plain)) &&
         (lstat(plain, &facts) != 0 || !S_ISLNK(facts.st_mode));
}
