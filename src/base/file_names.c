/* The file that a path names, by device and inode, and the names that Picus derives from that of an output. */
#include "base/file_names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char part_ending[] = ".part";

/* Links below /proc, and those of /dev/fd that lead there, refer to open files, not to names. */
static bool is_magic(const char *path) { return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/fd/", 8) == 0; }

void picus_folder_name(const char *path, char folder[PICUS_PATH_SIZE]) {
  const char *slash = picus_last_separator(path);
  if (!slash)
    snprintf(folder, PICUS_PATH_SIZE, ".");
  else
    snprintf(folder, PICUS_PATH_SIZE, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* Replaces a link by its target, relative to the folder of the link. 0, or the error number. */
static int replace_link(char target[PICUS_PATH_SIZE], const char *says) {
  char folder[PICUS_PATH_SIZE];
  picus_folder_name(target, folder);
  int length = picus_is_absolute(says) ? snprintf(target, PICUS_PATH_SIZE, "%s", says)
                                       : snprintf(target, PICUS_PATH_SIZE, "%s/%s", folder, says);
  return length < PICUS_PATH_SIZE ? 0 : ENAMETOOLONG;
}

int picus_follow_links(const char *path, char target[PICUS_PATH_SIZE]) {
  enum { MOST_LINKS = 40 };
  char says[PICUS_PATH_SIZE];
  if (snprintf(target, PICUS_PATH_SIZE, "%s", path) >= PICUS_PATH_SIZE) return ENAMETOOLONG;
  for (int k = 0; k < MOST_LINKS; k++) {
    if (is_magic(target)) return 0;
    if (picus_read_link(target, says)) return 0; /* not a link, or missing; opening it reports any error */
    int error = replace_link(target, says);
    if (error) return error;
  }
  return ELOOP;
}

int picus_part_name(const char *path, char part[PICUS_PATH_SIZE]) {
  int error = picus_follow_links(path, part);
  size_t length = strlen(part);
  if (!error && length + sizeof part_ending > PICUS_PATH_SIZE) error = ENAMETOOLONG;
  if (!error) memcpy(part + length, part_ending, sizeof part_ending);
  return error;
}

const char *picus_last_name(const char *path) {
  const char *slash = picus_last_separator(path);
  return slash ? slash + 1 : path;
}

/* --- derived names ---------------------------------------------------------------------------------------------- */

/* The length of an ending at the start of a text, ".part" or another; 0: none. */
static size_t ending_length(const char *text) {
  static const char *const endings[] = {part_ending, ".checkpoint", ".attempt"};
  for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
    const size_t length = strlen(endings[k]);
    if (strncmp(text, endings[k], length) == 0 && (!text[length] || text[length] == '.')) return length;
  }
  return 0;
}

/* The same for what may follow an ending: ".before", or a number. */
static size_t follower_length(const char *text) {
  static const char before[] = ".before";
  const size_t length = sizeof before - 1, digits = *text == '.' ? strspn(text + 1, "0123456789") : 0;
  if (strncmp(text, before, length) == 0 && (!text[length] || text[length] == '.')) return length;
  return digits > 0 && (!text[1 + digits] || text[1 + digits] == '.') ? 1 + digits : 0;
}

bool picus_is_derived_ending(const char *rest) {
  if (ending_length(rest) == 0) return false;
  while (*rest) {
    const size_t length = ending_length(rest), more = length ? length : follower_length(rest);
    if (more == 0) return false;
    rest += more;
  }
  return true;
}

bool picus_has_derived_ending(const char *path) {
  for (const char *at = strchr(picus_last_name(path), '.'); at; at = strchr(at + 1, '.'))
    if (picus_is_derived_ending(at)) return true;
  return false;
}

/* --- the same file? --------------------------------------------------------------------------------------------- */

/* Two files that are not there yet: the same name in the same folder. */
static bool will_be_same(const char *a, const char *b) {
  char first[PICUS_PATH_SIZE], second[PICUS_PATH_SIZE], folder[PICUS_PATH_SIZE];
  picus_facts first_folder, second_folder;
  if (picus_follow_links(a, first) || picus_follow_links(b, second)) return false;
  if (strcmp(picus_last_name(first), picus_last_name(second)) != 0) return false;
  picus_folder_name(first, folder);
  if (picus_facts_of(folder, &first_folder)) return false;
  picus_folder_name(second, folder);
  return !picus_facts_of(folder, &second_folder) && picus_same_facts(&first_folder, &second_folder);
}

bool picus_same_file(const char *a, const char *b) {
  picus_facts first, second;
  const bool has_first = !picus_facts_of(a, &first), has_second = !picus_facts_of(b, &second);
  if (has_first && has_second) return picus_same_facts(&first, &second) && first.kind == PICUS_REGULAR_FILE;
  return !has_first && !has_second && will_be_same(a, b);
}

bool picus_output_touches(const char *output, const char *file) {
  char part[PICUS_PATH_SIZE];
  return picus_same_file(output, file) || (picus_part_name(output, part) == 0 && picus_same_file(part, file));
}
