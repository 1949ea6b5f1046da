/* Fuzz target: options of the run in a foreign checkpoint, one a line, which picus resume would continue. What is
 * accepted without --allow-paths writes below the folder of the result, to no hidden name, through no link, and over no
 * file of the user. The words survive their way into a text and back. */
#define _XOPEN_SOURCE 700
#include "cli/cli.h"
#include "cli/paths.h"
#include "fuzz.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 24, LONGEST = 300 };
static char folder[PATH_MAX]; /* of the result */

static void make_file(const char *path, const char *text) {
  fuzz_demand(fuzz_write_file(path, (const uint8_t *)text, strlen(text)));
}

/* The user's folder: files of the user, of an earlier part of the run, links that lead out. */
static void make_folder(void) {
  fuzz_demand(mkdir("outside", 0700) == 0 && mkdir("mine", 0700) == 0 && chdir("mine") == 0);
  fuzz_demand(mkdir("sub", 0700) == 0 && mkdir(".hidden", 0700) == 0);
  make_file("w.h5", "");
  make_file("precious.csv", "precious");
  make_file("sub/precious.csv", "precious");
  make_file("own.csv", "t,x\n0,1\n");
  fuzz_demand(symlink("precious.csv", "link.csv") == 0 && symlink("../outside", "out") == 0);
  fuzz_demand(symlink("/", "root") == 0 && symlink("sub", "inner") == 0);
  fuzz_demand(getcwd(folder, sizeof folder) != NULL);
}

static int is_device(const char *path) {
  return !strcmp(path, "/dev/null") || !strcmp(path, "/dev/stdout") || !strcmp(path, "/dev/stderr");
}

/* Of a path whose folder exists: where it is, without links; "" if it has no folder. */
static void find_place(const char *path, char place[PATH_MAX]) {
  char copy[PATH_MAX], *name, parent[PATH_MAX];
  snprintf(copy, sizeof copy, "%s", path);
  for (size_t n = strlen(copy); n > 1 && copy[n - 1] == '/';) copy[--n] = '\0';
  name = strrchr(copy, '/');
  if (name) *name++ = '\0';
  place[0] = '\0';
  if (!realpath(name ? (copy[0] ? copy : "/") : ".", parent)) return;
  if (snprintf(place, PATH_MAX, "%s/%s", parent, name ? name : copy) >= PATH_MAX) place[0] = '\0';
}

static void judge(void *user, const cli_output *output) {
  char place[PATH_MAX], bytes[16] = "";
  struct stat facts;
  (void)user;
  if (output->option && strcmp(output->option->name, "out") == 0) return; /* given by its own rules */
  if (is_device(output->path)) return;
  find_place(output->path, place);
  const size_t length = strlen(folder);
  fuzz_demand(strncmp(place, folder, length) == 0 && place[length] == '/');
  fuzz_demand(!strstr(place + length, "/."));
  if (lstat(place, &facts) != 0) return;
  fuzz_demand(!S_ISLNK(facts.st_mode));
  FILE *file = S_ISREG(facts.st_mode) ? fopen(place, "rb") : NULL;
  if (file) fuzz_demand(fread(bytes, 1, 8, file) == 0 || memcmp(bytes, "precious", 8) != 0);
  if (file) fclose(file);
}

static void try_command(int count, char **words) {
  char *resume_words[] = {(char *)"picus", (char *)"resume", (char *)"w.h5", NULL};
  cli_arguments *run = cli_parse(&cli_run, count, words), *resume = cli_parse(&cli_resume, 3, resume_words);
  fuzz_demand(resume != NULL);
  if (run && !cli_wants_help(run) && cli_foreign_paths_check(run, resume, "w.h5"))
    (void)cli_for_each_output(run, judge, NULL);
  cli_arguments_free(resume);
  if (run) cli_arguments_free(run);
}

static void check_words(int count, char **words) {
  int again = 0;
  char *text = cli_join_words(count, (const char *const *)words), **list = text ? cli_split_words(text, &again) : NULL;
  fuzz_demand(text && list && again == count);
  for (int k = 1; k < count; k++) fuzz_demand(strcmp(list[k], words[k]) == 0);
  free(list);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static char text[MOST][LONGEST + 1];
  char *words[MOST + 1] = {(char *)"picus", (char *)"run", (char *)"bouncing-ball"};
  int count = 3;
  if (!folder[0]) make_folder();
  for (size_t from = 0, to; from < size; from = to + 1) {
    const uint8_t *end = memchr(bytes + from, '\n', size - from);
    to = end ? (size_t)(end - bytes) : size;
    if (count == MOST || to - from > LONGEST || memchr(bytes + from, 0, to - from)) return 0;
    memcpy(text[count], bytes + from, to - from);
    text[count][to - from] = '\0';
    words[count] = text[count];
    count++;
  }
  words[count] = NULL;
  check_words(count, words);
  try_command(count, words);
  return 0;
}
