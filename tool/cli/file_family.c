#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "file_family.h"

#include "base/file_names.h"
#include "base/output_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool add(cli_family *family, const struct stat *facts) {
  if (!S_ISREG(facts->st_mode)) return true; /* writes to pipes and devices are independent */
  if (family->count == family->capacity) {
    const int capacity = family->capacity ? 2 * family->capacity : 2;
    cli_file_id *files = realloc(family->files, (size_t)capacity * sizeof *files);
    if (!files) return false;
    family->files = files;
    family->capacity = capacity;
  }
  family->files[family->count++] = (cli_file_id){(uint64_t)facts->st_dev, (uint64_t)facts->st_ino};
  return true;
}

static bool add_path(cli_family *family, const char *path) {
  struct stat facts;
  return stat(path, &facts) != 0 || add(family, &facts);
}

/* All files of the folder whose names are derived from that of the file. */
static bool add_derived(cli_family *family, const char *folder) {
  const size_t length = strlen(family->name);
  bool fine = true;
  DIR *list = opendir(folder);
  for (struct dirent *one; fine && list && (one = readdir(list));) {
    struct stat facts;
    if (strncmp(one->d_name, family->name, length) != 0 || !picus_is_derived_ending(one->d_name + length)) continue;
    if (fstatat(dirfd(list), one->d_name, &facts, 0) == 0) fine = add(family, &facts);
  }
  if (list) closedir(list);
  return fine;
}

bool cli_family_find(const char *path, cli_family_kind kind, cli_family *out) {
  char target[PICUS_PATH_SIZE], folder[PICUS_PATH_SIZE], part[PICUS_PATH_SIZE];
  struct stat facts;
  *out = (cli_family){.has_folder = false};
  if (kind == CLI_FAMILY_READ) {
    picus_find_written(path, target);
    return add_path(out, target);
  }
  if (kind == CLI_FAMILY_MEMBER)
    snprintf(target, sizeof target, "%s", path);
  else if (picus_follow_links(path, target) != 0)
    return true; /* picus_output_check reports it */
  picus_folder_name(target, folder);
  out->name = strdup(picus_last_name(target));
  if (!out->name || !add_path(out, target)) return false;
  out->has_folder = stat(folder, &facts) == 0;
  if (!out->has_folder) return true;
  out->folder = (cli_file_id){(uint64_t)facts.st_dev, (uint64_t)facts.st_ino};
  if (kind == CLI_FAMILY_ALL) return add_derived(out, folder);
  return picus_part_name(target, part) != 0 || add_path(out, part);
}

void cli_family_release(cli_family *family) {
  free(family->name);
  free(family->files);
  *family = (cli_family){.has_folder = false};
}

static bool is_same(cli_file_id a, cli_file_id b) { return a.device == b.device && a.inode == b.inode; }

bool cli_family_share(const cli_family *a, const cli_family *b) {
  for (int i = 0; i < a->count; i++)
    for (int k = 0; k < b->count; k++)
      if (is_same(a->files[i], b->files[k])) return true;
  return false;
}

static bool same_folder(const cli_family *a, const cli_family *b) {
  return a->has_folder && b->has_folder && is_same(a->folder, b->folder);
}

bool cli_family_same_name(const cli_family *a, const cli_family *b) {
  return same_folder(a, b) && strcmp(a->name, b->name) == 0;
}

bool cli_family_derived_name(const cli_family *a, const cli_family *b) {
  const size_t length_a = same_folder(a, b) ? strlen(a->name) : 0, length_b = length_a ? strlen(b->name) : 0;
  const cli_family *longer = length_a > length_b ? a : b, *shorter = longer == a ? b : a;
  const size_t length = length_a < length_b ? length_a : length_b;
  return length_a != length_b && strncmp(longer->name, shorter->name, length) == 0 &&
         picus_is_derived_ending(longer->name + length);
}
