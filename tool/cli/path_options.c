/* Which files the options and operands of a command name: its table tells. And which of them picus resume may write
 * if a checkpoint names them. */
#include "base/file_names.h"
#include "paths.h"
#include "platform/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- files of options --------------------------------------------------------------------------------------------- */

static cli_path_role option_role(const cli_option *option) {
  const char *text = option->argument;
  if (!text) return CLI_NO_PATH;
  if (strcmp(text, "DIR") == 0) return CLI_WRITES_FOLDER;
  if (text[0] == 'F' && (!text[1] || text[1] == '.')) return CLI_WRITES;
  return strcmp(text, "FILE") == 0 || strncmp(text, "REF.", 4) == 0 ? CLI_READS : CLI_NO_PATH;
}

static bool is_folder_name(const char *path) {
  const size_t length = strlen(path);
  return length > 0 && path[length - 1] == '/';
}

/* --- outputs ------------------------------------------------------------------------------------------------------ */

static bool visit_default(const cli_arguments *a, cli_output_fn visit, void *user) {
  const cli_command *command = cli_command_of(a);
  if (cli_given(a, "out")) return true;
  if (command->continues)
    visit(user, &(cli_output){.what = "the result", .path = cli_operand(a, 0), .is_continued = true});
  if (!command->default_path) return true;
  char *path = command->default_path(a);
  if (path) visit(user, &(cli_output){.what = command->default_what, .path = path});
  free(path);
  return path != NULL;
}

bool cli_for_each_output(const cli_arguments *a, cli_output_fn visit, void *user) {
  const cli_command *command = cli_command_of(a);
  char what[64];
  for (int i = 0; i < command->option_count; i++) {
    const cli_option *option = &command->options[i];
    const cli_path_role role = option_role(option);
    if (role < CLI_WRITES) continue;
    snprintf(what, sizeof what, "--%s", option->name);
    for (int k = 0; cli_value(a, option->name, k); k++) {
      const char *path = cli_value(a, option->name, k);
      const bool is_folder = role == CLI_WRITES_FOLDER || is_folder_name(path);
      visit(user, &(cli_output){what, path, option, is_folder, false});
    }
  }
  return visit_default(a, visit, user);
}

/* --- the list of a command ---------------------------------------------------------------------------------------- */

static void list_output(void *user, const cli_output *output) {
  cli_paths *paths = user;
  if (output->is_continued)
    cli_paths_continue(paths, output->what, output->path);
  else if (!output->is_folder)
    cli_paths_write(paths, output->what, output->path);
  else if (*output->path)
    cli_paths_write_folder(paths, output->what, output->path);
}

static void list_inputs(cli_paths *paths, const cli_arguments *a) {
  const cli_command *command = cli_command_of(a);
  char what[64];
  for (int i = 0; i < command->option_count; i++) {
    const cli_option *option = &command->options[i];
    snprintf(what, sizeof what, "--%s", option->name);
    for (int k = 0; option_role(option) == CLI_READS && cli_value(a, option->name, k); k++)
      cli_paths_read(paths, what, cli_value(a, option->name, k));
  }
}

/* As picus_model_load decides. */
static bool is_shipped(const char *name) {
  for (int k = 0; k < picus_shipped_model_count(); k++)
    if (strcmp(picus_shipped_model_name(k), name) == 0) return true;
  return false;
}

static void list_operands(cli_paths *paths, const cli_arguments *a) {
  const cli_command *command = cli_command_of(a);
  const bool is_model = strcmp(command->operand_kind, "model") == 0 || cli_given(a, "schemes") || cli_given(a, "fmu");
  char what[64];
  if (command->continues) { /* without --out, or with itself, the result is an output */
    const char *result = cli_operand(a, 0), *out = cli_value(a, "out", 0);
    if (out && !picus_same_file(out, result)) cli_paths_read_run(paths, "a file of the run", result);
    return;
  }
  if (!*command->operand_kind) return;
  snprintf(what, sizeof what, "the %s", is_model ? "model" : command->operand_kind);
  for (int k = 0; k < cli_operand_count(a); k++)
    if (!is_model || !is_shipped(cli_operand(a, k))) cli_paths_read(paths, what, cli_operand(a, k));
}

void cli_paths_list(cli_paths *paths, const cli_arguments *a) {
  list_operands(paths, a);
  list_inputs(paths, a);
  if (!cli_for_each_output(a, list_output, paths)) paths->failed = true;
}

/* --- paths that somebody else has chosen -------------------------------------------------------------------------- */

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
  char plain[PICUS_PATH_SIZE], parent[PICUS_PATH_SIZE], outer[PICUS_PATH_SIZE], inner[PICUS_PATH_SIZE];
  picus_facts facts;
  if (snprintf(plain, sizeof plain, "%s", path) >= (int)sizeof plain) return false;
  for (size_t length = strlen(plain); length > 1 && plain[length - 1] == '/';) plain[--length] = '\0';
  picus_folder_name(plain, parent);
  if (picus_real_path(folder, outer) || picus_real_path(parent, inner)) return false;
  const size_t length = strlen(outer);
  const bool is_below =
      strncmp(outer, inner, length) == 0 &&
      (!inner[length] || (picus_is_separator(inner[length]) && cli_path_is_plain(inner + length + 1)));
  return is_below && cli_path_is_plain(picus_last_name(plain)) &&
         (picus_facts_of_name(plain, &facts) || facts.kind != PICUS_SYMBOLIC_LINK);
}

/* --- files that a checkpoint names -------------------------------------------------------------------------------- */

/* The start of what an option writes. */
static bool is_start(const char *option, const char *bytes) {
  if (strcmp(option, "progress-file") == 0) return strncmp(bytes, "{\"model\": \"", 11) == 0;
  if (strcmp(option, "decisions") == 0) return strncmp(bytes, "t (s),dt (s),kind", 17) == 0;
  if (strcmp(option, "view") == 0) return strstr(bytes, "<title>Picus</title>") != NULL;
  return strncmp(bytes, "t,", 2) == 0 || strncmp(bytes, "t\n", 2) == 0; /* tables */
}

/* Whether the run may have written the file that is there. */
static bool may_be_own(const char *option, const char *path) {
  char bytes[512];
  FILE *file = picus_stream_read(path);
  if (!file) return false;
  const size_t count = fread(bytes, 1, sizeof bytes - 1, file);
  fclose(file);
  bytes[count] = '\0';
  return count == 0 || is_start(option, bytes);
}

/* Nothing is lost there. */
static bool is_harmless(const char *path) {
  static const char *const devices[] = {"/dev/stdout", "/dev/stderr", "/dev/null"};
  for (size_t k = 0; k < sizeof devices / sizeof devices[0]; k++)
    if (strcmp(path, devices[k]) == 0) return true;
  return false;
}

typedef struct foreign_search {
  const cli_arguments *resume;
  char folder[PICUS_PATH_SIZE], list[2 * PICUS_PATH_SIZE]; /* of the result; paths that are not accepted */
} foreign_search;

static bool is_accepted(const cli_output *output, const char *folder) {
  picus_facts facts;
  if (is_harmless(output->path)) return true;
  if (!cli_path_is_in(folder, output->path)) return false;
  if (picus_facts_of_name(output->path, &facts)) return true;
  if (output->is_folder) return facts.kind == PICUS_FOLDER; /* its files have names of Picus */
  return facts.kind == PICUS_REGULAR_FILE && may_be_own(output->option->name, output->path);
}

static void list_path(foreign_search *s, const char *what, const char *path) {
  const size_t used = strlen(s->list);
  snprintf(s->list + used, sizeof s->list - used, "%s%s %s", used ? ", " : "", what, path);
}

/* The result itself may be a link from the same source. */
static void judge_result(foreign_search *s, const char *result) {
  char target[PICUS_PATH_SIZE];
  picus_facts facts;
  if (cli_given(s->resume, "out") || picus_facts_of_name(result, &facts) || facts.kind != PICUS_SYMBOLIC_LINK) return;
  if (picus_follow_links(result, target) == 0) list_path(s, "a link to", target);
}

static void judge_output(void *user, const cli_output *output) {
  foreign_search *s = user;
  const char *name = output->option ? output->option->name : "out"; /* only the result has no option */
  if (strcmp(name, "out") == 0 || cli_given(s->resume, name) || is_accepted(output, s->folder)) return;
  list_path(s, output->what, output->path);
}

bool cli_foreign_paths_check(const cli_arguments *run, const cli_arguments *resume, const char *result) {
  foreign_search s = {.resume = resume};
  if (cli_given(resume, "allow-paths")) return true;
  picus_folder_name(result, s.folder);
  judge_result(&s, result);
  (void)cli_for_each_output(run, judge_output, &s); /* picus run has no outputs by default */
  if (!s.list[0]) return true;
  cli_complain("the run of '%s' would write to files that are not below its folder, or that no part of it has "
               "written: %s; if the run is yours, allow them with --allow-paths",
               result, s.list);
  return false;
}
