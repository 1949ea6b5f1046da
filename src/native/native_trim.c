/* The cache has a limit of size: what was not used for the longest time goes first. A folder that a killed compiler
 * left behind goes when it is a day old. Others may work in the cache at the same time: an object that goes while they
 * load it is compiled again. */
#define _XOPEN_SOURCE 700
#include "native/internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STALE_SECONDS = 24 * 3600, NAME_SIZE = PICUS_SHA256_TEXT_SIZE + 3 }; /* key.so and its end */

typedef struct cached_object {
  char name[NAME_SIZE];
  struct timespec used;
  off_t size;
} cached_object;

typedef struct cached_objects {
  picus_context *context;
  cached_object *list;
  size_t count, capacity;
  off_t size; /* of all */
} cached_objects;

static bool is_object(const char *name) {
  return strlen(name) == NAME_SIZE - 1 && strspn(name, "0123456789abcdef") == PICUS_SHA256_TEXT_SIZE - 1 &&
         strcmp(name + PICUS_SHA256_TEXT_SIZE - 1, ".so") == 0;
}

static bool is_work(const char *name) { return strncmp(name, NATIVE_WORK_PREFIX, sizeof NATIVE_WORK_PREFIX - 1) == 0; }

/* false: out of memory. */
static bool add(cached_objects *objects, const char *name, const struct stat *facts) {
  if (objects->count == objects->capacity) {
    const size_t more = 2 * objects->capacity + 16;
    cached_object *list = picus_reallocate(objects->context, objects->list, more, sizeof *list);
    if (!list) return false;
    objects->list = list;
    objects->capacity = more;
  }
  cached_object *object = &objects->list[objects->count++];
  *object = (cached_object){.used = facts->st_mtim, .size = facts->st_size};
  memcpy(object->name, name, NAME_SIZE);
  objects->size += facts->st_size;
  return true;
}

/* A folder of files alone, in the folder `at`. */
static void remove_work(int at, const char *name) {
  const int inside = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = inside >= 0 ? fdopendir(inside) : NULL;
  if (!folder) {
    if (inside >= 0) close(inside);
    return;
  }
  for (const struct dirent *entry; (entry = readdir(folder));) unlinkat(inside, entry->d_name, 0);
  closedir(folder);
  unlinkat(at, name, AT_REMOVEDIR);
}

static bool look_at(cached_objects *objects, int folder, const char *name, time_t now) {
  struct stat facts;
  const bool object = is_object(name);
  if ((!object && !is_work(name)) || fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW)) return true;
  if (object) return !S_ISREG(facts.st_mode) || add(objects, name, &facts);
  if (S_ISDIR(facts.st_mode) && now - facts.st_mtime > STALE_SECONDS) remove_work(folder, name);
  return true;
}

static int by_use(const void *a, const void *b) {
  const struct timespec x = ((const cached_object *)a)->used, y = ((const cached_object *)b)->used;
  if (x.tv_sec != y.tv_sec) return x.tv_sec < y.tv_sec ? -1 : 1;
  return (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

void picus_native_note_use(const char *path) { utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW); }

void picus_native_trim(picus_context *context, const char *path, const char *kept, long most) {
  cached_objects objects = {.context = context};
  DIR *folder = opendir(path);
  bool whole = folder != NULL;
  const time_t now = time(NULL);
  for (const struct dirent *entry; whole && (entry = readdir(folder));)
    whole = look_at(&objects, dirfd(folder), entry->d_name, now);
  if (whole && objects.count > 0) qsort(objects.list, objects.count, sizeof *objects.list, by_use);
  for (size_t k = 0; whole && k < objects.count && objects.size > most; k++) {
    const cached_object *object = &objects.list[k];
    if (strncmp(object->name, kept, PICUS_SHA256_TEXT_SIZE - 1) == 0) continue;
    if (!unlinkat(dirfd(folder), object->name, 0)) objects.size -= object->size;
  }
  picus_release(context, objects.list);
  if (folder) closedir(folder);
}
