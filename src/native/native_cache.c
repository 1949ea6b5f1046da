/* The user's cache of shared objects. Loading one runs it, so nobody else may be able to write there: folder and file
 * belong to the user, and nobody else may write them. A file ends with the hash of what is before it: what a full disk,
 * a crash or a mistake damaged is compiled again. */
#define _XOPEN_SOURCE 700
#include "base/input_file.h"
#include "native/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- files -------------------------------------------------------------------------------------------------------- */

enum { SEAL_MARK_SIZE = 8, SEAL_SIZE = SEAL_MARK_SIZE + PICUS_SHA256_SIZE };
static const char seal_mark[SEAL_MARK_SIZE + 1] = "PicusSo1";

void picus_native_note(char *note, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(note, PICUS_NATIVE_NOTE_SIZE, format, arguments);
  va_end(arguments);
}

static void note_reason(char *note, const char *path, const char *what) {
  char reason[PICUS_REASON_SIZE];
  picus_system_reason(errno, reason);
  picus_native_note(note, "%s cannot be %s: %s", path, what, reason);
}

static bool join(char out[PICUS_PATH_SIZE], const char *folder, const char *name) {
  const int length = snprintf(out, PICUS_PATH_SIZE, "%s/%s", folder, name);
  return length > 0 && length < PICUS_PATH_SIZE;
}

/* The XDG base directory specification: relative folders are ignored. NULL, or why there is no folder. */
static const char *choose_folder(const char *given, char folder[PICUS_PATH_SIZE]) {
  const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (given && !given[0]) return "its name is empty";
  if (given) return snprintf(folder, PICUS_PATH_SIZE, "%s", given) < PICUS_PATH_SIZE ? NULL : "its name is too long";
  if (base && base[0] == '/') return join(folder, base, "picus") ? NULL : "XDG_CACHE_HOME is too long";
  if (!home || !home[0]) return "HOME is not set";
  if (home[0] != '/') return "HOME is not an absolute path";
  return join(folder, home, ".cache/picus") ? NULL : "HOME is too long";
}

/* All folders of the path that are missing. On failure errno has the reason. */
static bool make_folders(char *path) {
  int refused = 0; /* the first folder that could not be made and may exist all the same */
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    const bool failed = mkdir(path, 0700) && errno != EEXIST;
    *slash = '/';
    if (!failed) {
      refused = 0;
    } else if (errno == EROFS || errno == EACCES) {
      refused = refused ? refused : errno;
    } else {
      if (errno == ENOENT && refused) errno = refused;
      return false;
    }
  }
  if (!mkdir(path, 0700) || errno == EEXIST) return true;
  if (errno == ENOENT && refused) errno = refused;
  return false;
}

static bool is_ours(const struct stat *facts) {
  return facts->st_uid == geteuid() && (facts->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool picus_native_open_cache(const char *given, char folder[PICUS_PATH_SIZE], char *note) {
  struct stat facts;
  if (geteuid() != getuid()) {
    picus_native_note(note, "programs that run for another user load no code");
    return false;
  }
  const char *reason = choose_folder(given, folder);
  if (reason) {
    picus_native_note(note, "there is no folder for the cache: %s", reason);
    return false;
  }
  if (!make_folders(folder)) {
    note_reason(note, folder, "created");
    return false;
  }
  if (stat(folder, &facts) || !S_ISDIR(facts.st_mode) || !is_ours(&facts)) {
    picus_native_note(note, "the cache %s is not a folder that the user alone may write", folder);
    return false;
  }
  return true;
}

static void seal_of(const void *bytes, size_t size, unsigned char seal[SEAL_SIZE]) {
  picus_sha256 hash;
  picus_sha256_begin(&hash);
  picus_sha256_add(&hash, bytes, size);
  memcpy(seal, seal_mark, SEAL_MARK_SIZE);
  picus_sha256_end(&hash, seal + SEAL_MARK_SIZE);
}

bool picus_native_is_intact(picus_context *context, const char *path) {
  struct stat facts;
  unsigned char *bytes = NULL, seal[SEAL_SIZE];
  size_t size = 0;
  if (lstat(path, &facts) || !S_ISREG(facts.st_mode) || !is_ours(&facts)) return false;
  bool intact = !picus_file_bytes(context, path, NATIVE_OBJECT_MOST, &bytes, &size) && size > SEAL_SIZE;
  if (intact) {
    seal_of(bytes, size - SEAL_SIZE, seal);
    intact = memcmp(seal, bytes + size - SEAL_SIZE, SEAL_SIZE) == 0;
  }
  picus_release(context, bytes);
  return intact;
}

bool picus_native_begin_work(const char *folder, char work[PICUS_PATH_SIZE], char *note) {
  if (join(work, folder, NATIVE_WORK_PREFIX "XXXXXX") && mkdtemp(work)) return true;
  note_reason(note, folder, "written");
  return false;
}

static bool write_all(int descriptor, const void *bytes, size_t size) {
  const char *next = bytes;
  while (size > 0) {
    const ssize_t written = write(descriptor, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    next += written;
    size -= (size_t)written;
  }
  return true;
}

/* Writes to a file of the work folder; the note names the reason of a failure. */
static bool save(const char *path, int flags, const void *bytes, size_t size, char *note) {
  errno = 0;
  const int descriptor = open(path, flags | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0700);
  bool fine = descriptor >= 0 && write_all(descriptor, bytes, size) && !fchmod(descriptor, 0700);
  const int error = errno;
  if (descriptor >= 0 && close(descriptor)) fine = false;
  if (error) errno = error;
  if (!fine) note_reason(note, path, "written");
  return fine;
}

bool picus_native_save_source(const char *path, const native_text *text, char *note) {
  return save(path, O_CREAT | O_EXCL, text->bytes, text->length, note);
}

bool picus_native_publish(picus_context *context, const char *object, const char *path, char *note) {
  unsigned char *bytes = NULL, seal[SEAL_SIZE];
  size_t size = 0;
  if (picus_file_bytes(context, object, NATIVE_OBJECT_MOST, &bytes, &size)) {
    picus_native_note(note, "the compiler left no object: %s", picus_last_error(context)->message);
    return false;
  }
  seal_of(bytes, size, seal);
  picus_release(context, bytes);
  if (!save(object, O_APPEND, seal, sizeof seal, note)) return false;
  if (!rename(object, path)) return true;
  note_reason(note, path, "written");
  return false;
}

void picus_native_end_work(const char *work) {
  static const char *const names[] = {NATIVE_SOURCE_NAME, NATIVE_OBJECT_NAME};
  char path[PICUS_PATH_SIZE];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (join(path, work, names[i])) unlink(path);
  rmdir(work);
}

/* --- limit of size ------------------------------------------------------------------------------------------------ */

/* The cache has a limit of size: what was not used for the longest time goes first. A folder that a killed compiler
 * left behind goes when it is a day old. Others may work in the cache at the same time: an object that goes while they
 * load it is compiled again. */

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
