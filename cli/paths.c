#define _POSIX_C_SOURCE 200809L
#include "paths.h"

#include "base/file_names.h"
#include "base/output_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct cli_path {
  const char *what, *path;
  bool is_output;
} cli_path;

static void add(cli_paths *paths, cli_path path) {
  if (!path.path) return;
  if (paths->count == paths->capacity) {
    int capacity = paths->capacity ? 2 * paths->capacity : 8;
    cli_path *list = realloc(paths->list, (size_t)capacity * sizeof *list);
    if (!list) {
      paths->failed = true;
      return;
    }
    paths->list = list;
    paths->capacity = capacity;
  }
  paths->list[paths->count++] = path;
}

void cli_paths_read(cli_paths *paths, const char *what, const char *path) { add(paths, (cli_path){what, path, false}); }

void cli_paths_write(cli_paths *paths, const char *what, const char *path) { add(paths, (cli_path){what, path, true}); }

/* As picus_model_load decides. */
static bool is_shipped(const char *name) {
  for (int k = 0; k < picus_shipped_model_count(); k++)
    if (strcmp(picus_shipped_model_name(k), name) == 0) return true;
  return false;
}

void cli_paths_read_model(cli_paths *paths, const cli_arguments *arguments) {
  const char *model = cli_operand(arguments, 0);
  if (model && !is_shipped(model)) cli_paths_read(paths, "the model", model);
}

static bool exists(const char *path) {
  struct stat facts;
  return stat(path, &facts) == 0;
}

/* An output against another path of the command. */
static bool collide(const cli_path *output, const cli_path *other) {
  char found[PICUS_PATH_SIZE];
  if (other->is_output) {
    if (!picus_output_touches(output->path, other->path) && !picus_output_touches(other->path, output->path))
      return false;
    cli_complain("%s %s and %s %s are the same file; choose different names", other->what, other->path, output->what,
                 output->path);
    return true;
  }
  picus_find_written(other->path, found);
  if (!exists(found) || !picus_output_touches(output->path, found)) return false;
  cli_complain("%s %s would overwrite %s %s; choose another name", output->what, output->path, other->what,
               other->path);
  return true;
}

static bool check_output(const cli_paths *paths, int k, picus_context *context) {
  const cli_path *output = &paths->list[k];
  if (!output->is_output) return true;
  for (int i = 0; i < paths->count; i++) {
    if (i == k || (paths->list[i].is_output && i > k)) continue; /* each pair of outputs once */
    if (collide(output, &paths->list[i])) return false;
  }
  if (!picus_output_check(context, output->path)) return true;
  cli_report_error(context, EXIT_WRONG_INPUT);
  return false;
}

bool cli_paths_check(cli_paths *paths, picus_context *context) {
  bool fine = !paths->failed;
  if (paths->failed) cli_complain("out of memory");
  for (int k = 0; fine && k < paths->count; k++) fine = check_output(paths, k, context);
  free(paths->list);
  *paths = (cli_paths){0};
  return fine;
}

cli_file_mark cli_mark_file(const char *path) {
  struct stat facts;
  if (stat(path, &facts) != 0) return (cli_file_mark){0};
  return (cli_file_mark){true, (uint64_t)facts.st_dev, (uint64_t)facts.st_ino};
}

bool cli_is_marked(const char *path, cli_file_mark mark) {
  cli_file_mark now = cli_mark_file(path);
  return now.exists == mark.exists && now.device == mark.device && now.inode == mark.inode;
}
