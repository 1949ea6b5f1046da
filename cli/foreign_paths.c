#define _POSIX_C_SOURCE 200809L
#include "foreign_paths.h"
#include "paths.h"

#include "base/file_names.h"

#include <string.h>
#include <sys/stat.h>

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
  FILE *file = fopen(path, "rb");
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

static bool is_accepted(const cli_option *option, const char *path, const char *folder) {
  struct stat facts;
  if (is_harmless(path)) return true;
  if (!cli_path_is_in(folder, path)) return false;
  if (lstat(path, &facts) != 0) return true;
  if (cli_option_role(option) == CLI_WRITES_FOLDER) return S_ISDIR(facts.st_mode); /* its files have names of Picus */
  return S_ISREG(facts.st_mode) && may_be_own(option->name, path);
}

bool cli_foreign_paths_check(const cli_arguments *run, const cli_arguments *resume, const char *result) {
  char folder[PICUS_PATH_SIZE], list[2 * PICUS_PATH_SIZE] = "";
  const cli_command *command = cli_command_of(run);
  if (cli_given(resume, "allow-paths")) return true;
  picus_folder_name(result, folder);
  for (int k = 0; k < command->option_count; k++) {
    const cli_option *option = &command->options[k];
    const char *path = cli_option_role(option) >= CLI_WRITES ? cli_value(run, option->name, 0) : NULL;
    if (!path || strcmp(option->name, "out") == 0 || cli_given(resume, option->name)) continue;
    if (is_accepted(option, path, folder)) continue;
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s--%s %s", used ? ", " : "", option->name, path);
  }
  if (!list[0]) return true;
  cli_complain("the checkpoint of '%s' names files that are not below its folder, or that no part of its run has "
               "written: %s; if the run is yours, allow them with --allow-paths",
               result, list);
  return false;
}
