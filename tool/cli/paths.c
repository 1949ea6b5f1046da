/* The input and output files of a command, compared by the files that they are; paths.h gives the rules. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "paths.h"
#include "base/file_names.h"
#include "base/output_file.h"
#include "platform/files.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- families of files -------------------------------------------------------------------------------------------- */

/* A file and those whose names Picus derives from its name: F, F.part, F.part.1, F.checkpoint, ...
 * (base/file_names.h). */

typedef struct file_id {
  uint64_t device, inode;
} file_id;

typedef enum family_kind {
  FAMILY_ALL,   /* the file and all that is derived from its name */
  FAMILY_READ,  /* what a reader opens: the file, or its part if there is only that */
  FAMILY_MEMBER /* a file in an output folder, whose links are not followed, and its part */
} family_kind;

typedef struct file_family {
  bool has_folder;
  file_id folder; /* of the file, after resolving links */
  char *name;     /* in that folder */
  int count, capacity;
  file_id *files; /* the regular files that exist */
} file_family;

static bool add_file(file_family *family, const picus_facts *facts) {
  if (facts->kind != PICUS_REGULAR_FILE) return true; /* writes to pipes and devices are independent */
  if (family->count == family->capacity) {
    const int capacity = family->capacity ? 2 * family->capacity : 2;
    file_id *files = realloc(family->files, (size_t)capacity * sizeof *files);
    if (!files) return false;
    family->files = files;
    family->capacity = capacity;
  }
  family->files[family->count++] = (file_id){facts->device, facts->inode};
  return true;
}

static bool add_path(file_family *family, const char *path) {
  picus_facts facts;
  return picus_facts_of(path, &facts) || add_file(family, &facts);
}

typedef struct derived_search {
  file_family *family;
  const char *folder;
  bool fine;
} derived_search;

static bool add_if_derived(void *user, const char *name) {
  derived_search *s = user;
  const size_t length = strlen(s->family->name);
  char path[2 * PICUS_PATH_SIZE];
  if (strncmp(name, s->family->name, length) != 0 || !picus_is_derived_ending(name + length)) return true;
  snprintf(path, sizeof path, "%s/%s", s->folder, name);
  s->fine = add_path(s->family, path);
  return s->fine;
}

/* All files of the folder whose names are derived from that of the file. */
static bool add_derived(file_family *family, const char *folder) {
  derived_search search = {family, folder, true};
  (void)picus_folder_list(folder, add_if_derived, &search);
  return search.fine;
}

/* false: out of memory. To be released in any case. */
static bool family_find(const char *path, family_kind kind, file_family *out) {
  char target[PICUS_PATH_SIZE], folder[PICUS_PATH_SIZE], part[PICUS_PATH_SIZE];
  picus_facts facts;
  *out = (file_family){.has_folder = false};
  if (kind == FAMILY_READ) {
    picus_find_written(path, target);
    return add_path(out, target);
  }
  if (kind == FAMILY_MEMBER)
    snprintf(target, sizeof target, "%s", path);
  else if (picus_follow_links(path, target) != 0)
    return true; /* picus_output_check reports it */
  picus_folder_name(target, folder);
  out->name = strdup(picus_last_name(target));
  if (!out->name || !add_path(out, target)) return false;
  out->has_folder = !picus_facts_of(folder, &facts);
  if (!out->has_folder) return true;
  out->folder = (file_id){facts.device, facts.inode};
  if (kind == FAMILY_ALL) return add_derived(out, folder);
  return picus_part_name(target, part) != 0 || add_path(out, part);
}

static void family_release(file_family *family) {
  free(family->name);
  free(family->files);
  *family = (file_family){.has_folder = false};
}

static bool is_same(file_id a, file_id b) { return a.device == b.device && a.inode == b.inode; }

/* A file that exists. */
static bool family_share(const file_family *a, const file_family *b) {
  for (int i = 0; i < a->count; i++)
    for (int k = 0; k < b->count; k++)
      if (is_same(a->files[i], b->files[k])) return true;
  return false;
}

static bool same_folder(const file_family *a, const file_family *b) {
  return a->has_folder && b->has_folder && is_same(a->folder, b->folder);
}

/* Whether they will have the same name, or the name of one is derived from that of the other. */
static bool family_same_name(const file_family *a, const file_family *b) {
  return same_folder(a, b) && strcmp(a->name, b->name) == 0;
}

static bool family_derived_name(const file_family *a, const file_family *b) {
  const size_t length_a = same_folder(a, b) ? strlen(a->name) : 0, length_b = length_a ? strlen(b->name) : 0;
  const file_family *longer = length_a > length_b ? a : b, *shorter = longer == a ? b : a;
  const size_t length = length_a < length_b ? length_a : length_b;
  return length_a != length_b && strncmp(longer->name, shorter->name, length) == 0 &&
         picus_is_derived_ending(longer->name + length);
}

/* --- the list of files -------------------------------------------------------------------------------------------- */

typedef enum path_kind {
  PATH_INPUT,
  PATH_INPUT_RUN,
  PATH_OUTPUT,
  PATH_OUTPUT_CONTINUED,
  PATH_OUTPUT_FOLDER,
  PATH_OUTPUT_MEMBER
} path_kind;

typedef struct cli_path {
  char *what, *path;
  path_kind kind;
  file_family family;
} cli_path;

static bool is_output(const cli_path *path) { return path->kind >= PATH_OUTPUT; }

/* --- the list ----------------------------------------------------------------------------------------------------- */

static bool has_room(cli_paths *paths) {
  if (paths->count < paths->capacity) return true;
  const int capacity = paths->capacity ? 2 * paths->capacity : 8;
  cli_path *list = realloc(paths->list, (size_t)capacity * sizeof *list);
  if (!list) return false;
  paths->list = list;
  paths->capacity = capacity;
  return true;
}

static void add(cli_paths *paths, const char *what, const char *path, path_kind kind) {
  if (!path || paths->failed) return;
  paths->failed = !has_room(paths);
  if (paths->failed) return;
  cli_path *entry = &paths->list[paths->count++];
  *entry = (cli_path){.what = strdup(what), .path = strdup(path), .kind = kind};
  const family_kind family = kind == PATH_INPUT ? FAMILY_READ : kind == PATH_OUTPUT_MEMBER ? FAMILY_MEMBER : FAMILY_ALL;
  paths->failed = !entry->what || !entry->path || !family_find(path, family, &entry->family);
}

void cli_paths_read(cli_paths *paths, const char *what, const char *path) { add(paths, what, path, PATH_INPUT); }
void cli_paths_read_run(cli_paths *paths, const char *what, const char *path) {
  add(paths, what, path, PATH_INPUT_RUN);
}
void cli_paths_write(cli_paths *paths, const char *what, const char *path) { add(paths, what, path, PATH_OUTPUT); }
void cli_paths_continue(cli_paths *paths, const char *what, const char *path) {
  add(paths, what, path, PATH_OUTPUT_CONTINUED);
}
void cli_paths_write_folder(cli_paths *paths, const char *what, const char *path) {
  char plain[PICUS_PATH_SIZE];
  if (!path || snprintf(plain, sizeof plain, "%s", path) >= (int)sizeof plain) return; /* creating it fails */
  for (size_t length = strlen(plain); length > 1 && plain[length - 1] == '/';) plain[--length] = '\0';
  add(paths, what, plain, PATH_OUTPUT_FOLDER);
}
void cli_paths_write_member(cli_paths *paths, const char *what, const char *path) {
  add(paths, what, path, PATH_OUTPUT_MEMBER);
}

void cli_paths_read_files(cli_paths *paths, const char *name, const picus_model *model) {
  char folder[PICUS_PATH_SIZE], path[2 * PICUS_PATH_SIZE];
  picus_folder_name(name, folder);
  for (int k = 0; k < picus_model_file_count(model); k++) {
    snprintf(path, sizeof path, "%s/%s", folder, picus_model_file_at(model, k).name);
    cli_paths_read(paths, "a file of the model,", path);
  }
}

static void clear(cli_paths *paths) {
  for (int k = 0; k < paths->count; k++) {
    free(paths->list[k].what);
    free(paths->list[k].path);
    family_release(&paths->list[k].family);
  }
  free(paths->list);
  *paths = (cli_paths){0};
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

/* Two outputs, or an output folder that has the name of an output. */
static bool outputs_collide(const cli_path *output, const cli_path *other) {
  if (family_same_name(&output->family, &other->family)) {
    cli_complain("%s %s and %s %s are the same file; choose different names", other->what, other->path, output->what,
                 output->path);
    return true;
  }
  if (!family_derived_name(&output->family, &other->family) && !family_share(&output->family, &other->family))
    return false;
  cli_complain("%s %s and %s %s are the same file, or the name of one is kept for files of the other; choose different "
               "names",
               other->what, other->path, output->what, output->path);
  return true;
}

static bool collide(const cli_path *output, const cli_path *other) {
  const bool are_members = output->kind == PATH_OUTPUT_MEMBER && other->kind == PATH_OUTPUT_MEMBER;
  if (is_output(other)) return !are_members && outputs_collide(output, other);
  if (!family_share(&output->family, &other->family)) return false;
  cli_complain("%s %s would overwrite %s %s; choose another name", output->what, output->path, other->what,
               other->path);
  return true;
}

/* --- may it be written? ------------------------------------------------------------------------------------------- */

/* A name that belongs to the files of some run, also by links. */
static bool check_name(const cli_path *output) {
  char target[PICUS_PATH_SIZE];
  if (picus_follow_links(output->path, target) != 0 || !picus_has_derived_ending(target)) return true;
  cli_complain(
      "%s %s: names that end with .part, .checkpoint or .attempt, with or without a number, are kept for files "
      "of runs; choose another name",
      output->what, output->path);
  return false;
}

/* Links in an output folder are not followed: they may lead out of it. */
static bool check_member(const cli_path *output, picus_context *context) {
  picus_facts facts;
  if (!output->family.has_folder) return true; /* creating the folder reports what is wrong with it */
  if (!picus_facts_of_name(output->path, &facts) && facts.kind != PICUS_REGULAR_FILE) {
    cli_complain(
        "'%s' is %s; files in the folder of %s replace regular files only: remove it, or choose another folder",
        output->path,
        facts.kind == PICUS_SYMBOLIC_LINK ? "a symbolic link"
        : facts.kind == PICUS_FOLDER      ? "a folder"
                                          : "not a regular file",
        output->what);
    return false;
  }
  if (!picus_output_check(context, output->path)) return true;
  cli_report_error(context, EXIT_WRONG_INPUT);
  return false;
}

static bool check_folder(const cli_path *output) {
  picus_facts facts;
  if (picus_facts_of(output->path, &facts) || facts.kind == PICUS_FOLDER) return true;
  cli_complain("cannot create the folder '%s' of %s: %s", output->path, output->what, strerror(ENOTDIR));
  return false;
}

static bool check_output(const cli_path *output, picus_context *context) {
  if (output->kind == PATH_OUTPUT_MEMBER) return check_member(output, context);
  if (output->kind == PATH_OUTPUT_FOLDER) return check_folder(output);
  if (output->kind == PATH_OUTPUT_CONTINUED) return true;
  if (!check_name(output)) return false;
  if (!picus_output_check(context, output->path)) return true;
  cli_report_error(context, EXIT_WRONG_INPUT);
  return false;
}

/* An output against all other paths of the command; each pair of outputs once. */
static bool compare_output(const cli_paths *paths, int k) {
  const cli_path *output = &paths->list[k];
  for (int i = 0; is_output(output) && i < paths->count; i++) {
    if (i == k || (is_output(&paths->list[i]) && i > k)) continue;
    if (collide(output, &paths->list[i])) return false;
  }
  return true;
}

bool cli_paths_check(cli_paths *paths, picus_context *context) {
  bool fine = !paths->failed;
  if (paths->failed) cli_complain("out of memory");
  for (int k = 0; fine && k < paths->count; k++) fine = compare_output(paths, k);
  for (int k = 0; fine && k < paths->count; k++)
    fine = !is_output(&paths->list[k]) || check_output(&paths->list[k], context);
  clear(paths);
  return fine;
}

bool cli_paths_check_arguments(const cli_arguments *arguments) {
  cli_paths paths = {0};
  cli_paths_list(&paths, arguments);
  bool writes = paths.failed;
  for (int k = 0; k < paths.count; k++) writes = writes || is_output(&paths.list[k]);
  picus_context *context = writes ? cli_context(true) : NULL;
  const bool fine = !writes || (context && cli_paths_check(&paths, context));
  clear(&paths);
  picus_context_destroy(context);
  return fine;
}

bool cli_paths_check_model(const cli_arguments *arguments, const picus_model *model, picus_context *context) {
  cli_paths paths = {0};
  cli_paths_list(&paths, arguments);
  cli_paths_read_files(&paths, cli_operand(arguments, 0), model);
  return cli_paths_check(&paths, context);
}

/* --- identity ----------------------------------------------------------------------------------------------------- */

cli_file_mark cli_mark_file(const char *path) {
  picus_facts facts;
  if (picus_facts_of(path, &facts)) return (cli_file_mark){0};
  return (cli_file_mark){true, facts.device, facts.inode};
}

bool cli_is_marked(const char *path, cli_file_mark mark) {
  cli_file_mark now = cli_mark_file(path);
  return now.exists == mark.exists && now.device == mark.device && now.inode == mark.inode;
}
