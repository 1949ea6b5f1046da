/* For tests of native code: a cache of their own, systems with and without it. */
#ifndef PICUS_TEST_NATIVE_SUPPORT_H
#define PICUS_TEST_NATIVE_SUPPORT_H

#include "support/check.h"

#include <dirent.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char native_folder[64]; /* of the case; the cache is the folder cache in it */

static inline const char *native_path(const char *name) {
  static char paths[16][512];
  static int next;
  char *path = paths[next++ % 16];
  snprintf(path, sizeof paths[0], "%s/%s", native_folder, name);
  return path;
}

static inline bool native_begin(void) {
  snprintf(native_folder, sizeof native_folder, "/tmp/picus-native-XXXXXX");
  return CHECK(mkdtemp(native_folder) != NULL);
}

static inline void native_end(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", native_folder);
  CHECK(system(command) == 0);
}

static inline picus_derivation native_options(const char *cache) {
  return (picus_derivation){.native = true, .native_cache = cache};
}

/* Two numbers are the same: all bits, or both are none. */
static inline bool native_same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b); }

static inline int native_count(const char *path, const char *end) { /* names in a folder that end so */
  DIR *folder = opendir(path);
  int count = 0;
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    const size_t length = strlen(entry->d_name), tail = strlen(end);
    if (entry->d_name[0] != '.' && length >= tail) count += strcmp(entry->d_name + length - tail, end) == 0;
  }
  if (folder) closedir(folder);
  return count;
}

#endif
