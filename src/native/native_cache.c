/* The user's cache of shared objects. Loading one runs it, so nobody else may be able to write there: folder and file
 * belong to the user, and nobody else may write them. A file ends with the hash of what is before it: what a full disk,
 * a crash or a mistake damaged is compiled again. */
#define _XOPEN_SOURCE 700
#include "base/input_file.h"
#include "native/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
