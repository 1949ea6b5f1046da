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

typedef struct foreign_search {
  const cli_arguments *resume;
  char folder[PICUS_PATH_SIZE], list[2 * PICUS_PATH_SIZE]; /* of the result; paths that are not accepted */
} foreign_search;

static bool is_accepted(const cli_output *output, const char *folder) {
  struct stat facts;
  if (is_harmless(output->path)) return true;
  if (!cli_path_is_in(folder, output->path)) return false;
  if (lstat(output->path, &facts) != 0) return true;
  if (output->is_folder) return S_ISDIR(facts.st_mode); /* its files have names of Picus */
  return S_ISREG(facts.st_mode) && may_be_own(output->option->name, output->path);
}

static void list_path(foreign_search *s, const char *what, const char *path) {
  const size_t used = strlen(s->list);
  snprintf(s->list + used, sizeof s->list - used, "%s%s %s", used ? ", " : "", what, path);
}

/* The result itself may be a link from the same source. */
static void judge_result(foreign_search *s, const char *result) {
  char target[PICUS_PATH_SIZE];
  struct stat facts;
  if (cli_given(s->resume, "out") || lstat(result, &facts) != 0 || !S_ISLNK(facts.st_mode)) return;
  if (picus_follow_links(result, target) == 0) list_path(s, "a link to", target);
}

static void judge_output(void *user, const cli_output *output) {
  foreign_search *s = user;
  const char *name = output->option->name;
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
