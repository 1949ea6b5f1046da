/* The user's cache of shared objects. Loading one runs it, so nobody else may be able to write there: folder and file
 * belong to the user, and nobody else may write them. A file ends with the hash of what is before it: what a full disk,
 * a crash or a mistake damaged is compiled again. */
#include "base/input_file.h"
#include "native/internal.h"
#include "platform/files.h"
#include "platform/threads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- files -------------------------------------------------------------------------------------------------------- */

enum { SEAL_MARK_SIZE = 8, SEAL_SIZE = SEAL_MARK_SIZE + PICUS_SHA256_SIZE };
static const char seal_mark[SEAL_MARK_SIZE + 1] = "PicusSo1";

void picus_native_note(char *note, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(note, PICUS_NATIVE_NOTE_SIZE, format, arguments);
  va_end(arguments);
}

static void note_reason(char *note, const char *path, const char *what, int error) {
  char reason[PICUS_REASON_SIZE];
  picus_system_reason(error, reason);
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
  if (base && picus_is_absolute(base)) return join(folder, base, "picus") ? NULL : "XDG_CACHE_HOME is too long";
  if (!home || !home[0]) return "HOME is not set";
  if (!picus_is_absolute(home)) return "HOME is not an absolute path";
  return join(folder, home, ".cache/picus") ? NULL : "HOME is too long";
}

/* All folders of the path that are missing. 0, or the reason. */
static int make_folders(char *path) {
  int refused = 0; /* the first folder that could not be made and may exist all the same */
  for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
    *slash = '\0';
    const int error = picus_folder_make_private(path);
    *slash = '/';
    if (!error || error == EEXIST)
      refused = 0;
    else if (error == EROFS || error == EACCES)
      refused = refused ? refused : error;
    else
      return error == ENOENT && refused ? refused : error;
  }
  const int error = picus_folder_make_private(path);
  if (!error || error == EEXIST) return 0;
  return error == ENOENT && refused ? refused : error;
}

static bool is_ours(const picus_facts *facts) { return facts->is_mine && facts->is_private; }

bool picus_native_open_cache(const char *given, char folder[PICUS_PATH_SIZE], char *note) {
  picus_facts facts;
  if (picus_user_is_changed()) {
    picus_native_note(note, "programs that run for another user load no code");
    return false;
  }
  const char *reason = choose_folder(given, folder);
  if (reason) {
    picus_native_note(note, "there is no folder for the cache: %s", reason);
    return false;
  }
  const int error = make_folders(folder);
  if (error) {
    note_reason(note, folder, "created", error);
    return false;
  }
  if (picus_facts_of(folder, &facts) || facts.kind != PICUS_FOLDER || !is_ours(&facts)) {
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
  picus_facts facts;
  unsigned char *bytes = NULL, seal[SEAL_SIZE];
  size_t size = 0;
  if (picus_facts_of_name(path, &facts) || facts.kind != PICUS_REGULAR_FILE || !is_ours(&facts)) return false;
  bool intact = !picus_file_bytes(context, path, NATIVE_OBJECT_MOST, &bytes, &size) && size > SEAL_SIZE;
  if (intact) {
    seal_of(bytes, size - SEAL_SIZE, seal);
    intact = memcmp(seal, bytes + size - SEAL_SIZE, SEAL_SIZE) == 0;
  }
  picus_release(context, bytes);
  return intact;
}

bool picus_native_begin_work(const char *folder, char work[PICUS_PATH_SIZE], char *note) {
  int error = join(work, folder, NATIVE_WORK_PREFIX "XXXXXX") ? 0 : ENAMETOOLONG;
  if (!error) error = picus_folder_make_unique(work);
  if (error) note_reason(note, folder, "written", error);
  return !error;
}

/* Writes to a file of the work folder; the note names the reason of a failure. */
static bool save(const char *path, unsigned how, const void *bytes, size_t size, char *note) {
  int descriptor,
      error = picus_file_open(path, how | PICUS_OPEN_WRITE | PICUS_OPEN_NO_LINK | PICUS_OPEN_PRIVATE, &descriptor);
  if (!error) {
    error = picus_file_write(descriptor, bytes, size, NULL);
    if (!error) error = picus_file_make_private(descriptor);
    const int at_close = picus_file_close(descriptor);
    if (!error) error = at_close;
  }
  if (error) note_reason(note, path, "written", error);
  return !error;
}

bool picus_native_save_source(const char *path, const native_text *text, char *note) {
  return save(path, PICUS_OPEN_NEW, text->bytes, text->length, note);
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
  if (!save(object, PICUS_OPEN_APPEND, seal, sizeof seal, note)) return false;
  const int error = picus_rename(object, path);
  if (error) note_reason(note, path, "written", error);
  return !error;
}

void picus_native_end_work(const char *work) {
  static const char *const names[] = {NATIVE_SOURCE_NAME, NATIVE_OBJECT_NAME};
  char path[PICUS_PATH_SIZE];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (join(path, work, names[i])) (void)picus_remove(path);
  (void)picus_folder_remove(work);
}

/* --- limit of size ------------------------------------------------------------------------------------------------ */

/* The cache has a limit of size: what was not used for the longest time goes first. A folder that a killed compiler
 * left behind goes when it is a day old. Others may work in the cache at the same time: an object that goes while they
 * load it is compiled again. */

enum { NAME_SIZE = PICUS_SHA256_TEXT_SIZE + 3 }; /* key.so and its end */
static const int64_t STALE_NANOSECONDS = 24 * 3600 * INT64_C(1000000000);

typedef struct cached_object {
  char name[NAME_SIZE];
  int64_t used, size;
} cached_object;

typedef struct cached_objects {
  picus_context *context;
  const char *folder;
  int64_t now;
  cached_object *list;
  size_t count, capacity;
  int64_t size; /* of all */
  bool lacks_memory;
} cached_objects;

static bool is_object(const char *name) {
  return strlen(name) == NAME_SIZE - 1 && strspn(name, "0123456789abcdef") == PICUS_SHA256_TEXT_SIZE - 1 &&
         strcmp(name + PICUS_SHA256_TEXT_SIZE - 1, ".so") == 0;
}

static bool is_work(const char *name) { return strncmp(name, NATIVE_WORK_PREFIX, sizeof NATIVE_WORK_PREFIX - 1) == 0; }

/* false: out of memory. */
static bool add(cached_objects *objects, const char *name, const picus_facts *facts) {
  if (objects->count == objects->capacity) {
    const size_t more = 2 * objects->capacity + 16;
    cached_object *list = picus_reallocate(objects->context, objects->list, more, sizeof *list);
    if (!list) return false;
    objects->list = list;
    objects->capacity = more;
  }
  cached_object *object = &objects->list[objects->count++];
  *object = (cached_object){.used = facts->changed, .size = facts->size};
  memcpy(object->name, name, NAME_SIZE);
  objects->size += facts->size;
  return true;
}

static bool remove_file(void *user, const char *name) {
  char path[PICUS_PATH_SIZE];
  if (join(path, user, name)) (void)picus_remove(path);
  return true;
}

static bool look_at(void *user, const char *name) {
  cached_objects *objects = user;
  char path[PICUS_PATH_SIZE];
  picus_facts facts;
  const bool object = is_object(name);
  if ((!object && !is_work(name)) || !join(path, objects->folder, name) || picus_facts_of_name(path, &facts))
    return true;
  if (object) {
    objects->lacks_memory = facts.kind == PICUS_REGULAR_FILE && !add(objects, name, &facts);
    return !objects->lacks_memory;
  }
  if (facts.kind != PICUS_FOLDER || objects->now - facts.changed <= STALE_NANOSECONDS) return true;
  (void)picus_folder_list(path, remove_file, path); /* a folder of files alone */
  (void)picus_folder_remove(path);
  return true;
}

static int by_use(const void *a, const void *b) {
  const int64_t x = ((const cached_object *)a)->used, y = ((const cached_object *)b)->used;
  return (x > y) - (x < y);
}

void picus_native_note_use(const char *path) { (void)picus_note_use(path); }

void picus_native_trim(picus_context *context, const char *path, const char *kept, long most) {
  cached_objects objects = {.context = context, .folder = path, .now = (int64_t)(1e9 * picus_clock_date())};
  char name[PICUS_PATH_SIZE];
  const bool whole = !picus_folder_list(path, look_at, &objects) && !objects.lacks_memory;
  if (whole && objects.count > 0) qsort(objects.list, objects.count, sizeof *objects.list, by_use);
  for (size_t k = 0; whole && k < objects.count && objects.size > most; k++) {
    const cached_object *object = &objects.list[k];
    if (strncmp(object->name, kept, PICUS_SHA256_TEXT_SIZE - 1) == 0) continue;
    if (join(name, path, object->name) && !picus_remove(name)) objects.size -= object->size;
  }
  picus_release(context, objects.list);
}
