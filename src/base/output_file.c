/* Output files: written as NAME.part under a lock, and renamed when they are complete; output_file.h states what a
 * reader finds at any moment. */
#include "base/output_file.h"
#include "base/input_file.h"
#include "base/internal.h"
#include "platform/files.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static picus_status fail(picus_context *context, const char *what, const char *path, int error) {
  char reason[PICUS_REASON_SIZE];
  picus_system_reason(error, reason);
  return picus_fail(context, PICUS_ERROR_IO, "cannot %s '%s': %s", what, path, reason);
}

static void close_descriptor(picus_output_file *file) {
  if (file->descriptor >= 0) (void)picus_file_close(file->descriptor);
  file->descriptor = -1;
}

void picus_output_release(picus_output_file *file) {
  if (!file->path) return;
  close_descriptor(file);
  picus_release(file->context, file->path);
  picus_release(file->context, file->target);
  picus_release(file->context, file->part);
  *file = (picus_output_file){.descriptor = -1};
}

/* --- may it be written? ----------------------------------------------------------------------------------------- */

/* A file that is there: it must be one that could be written to, though it will be replaced. */
static int check_present(const char *target, const picus_facts *facts) {
  int descriptor;
  if (facts->kind == PICUS_FOLDER) return EISDIR;
  if (facts->kind != PICUS_REGULAR_FILE) return picus_check_writable(target);
  const int error = picus_file_open(target, PICUS_OPEN_WRITE, &descriptor);
  if (!error) (void)picus_file_close(descriptor);
  return error;
}

/* The folder in which the part is made. */
static int check_folder(const char *target) {
  char folder[PICUS_PATH_SIZE];
  picus_facts facts;
  picus_folder_name(target, folder);
  const int error = picus_facts_of(folder, &facts);
  if (error) return error;
  return facts.kind == PICUS_FOLDER ? picus_check_writable(folder) : ENOTDIR;
}

/* Does the name leave room for ".part"? */
static bool part_fits(const char *part) {
  picus_facts facts;
  return picus_facts_of_name(part, &facts) != ENAMETOOLONG;
}

static picus_status check_part(picus_context *context, const char *path, const char *target, const char *part) {
  int error = check_folder(target);
  if (error) return fail(context, "create", path, error);
  if (part_fits(part)) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_IO,
                    "the name '%s' is too long; it must leave room for '.part', the suffix of an incomplete file",
                    path);
}

/* A device or a pipe; also a link without the name of its file, such as those below /proc, however they are reached:
 * the path leads to a file, and its target to another one or to none. Another run that publishes the file between two
 * looks makes them differ as well, but not in all tries. */
static bool is_direct(const char *path, const char *target) {
  enum { TRIES = 16 };
  picus_facts named, facts;
  if (strncmp(target, "/proc/", 6) == 0 || strncmp(target, "/dev/fd/", 8) == 0) return true;
  for (int k = 0; k < TRIES; k++) {
    if (picus_facts_of(path, &named)) return false;
    if (named.kind != PICUS_REGULAR_FILE) return true;
    if (!picus_facts_of(target, &facts) && picus_same_facts(&facts, &named)) return false;
  }
  return true;
}

bool picus_output_is_direct(const char *path) {
  char target[PICUS_PATH_SIZE];
  return picus_follow_links(path, target) == 0 && is_direct(path, target);
}

/* A name under which another process may be writing: that of an incomplete file, or a second name of one. */
static picus_status check_others(picus_context *context, const char *path, const char *target) {
  if (picus_is_part(target))
    return picus_fail(context, PICUS_ERROR_IO,
                      "'%s' is the name of an incomplete file; choose a name that does not end with '.part'", path);
  if (!picus_is_being_written(target)) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_IO,
                    "another run is writing the file '%s'; wait until it ends, or choose another name", path);
}

/* The target after resolving links, and its part; part is empty if the file is written directly. */
static picus_status locate(picus_context *context, const char *path, char *target, char *part) {
  picus_facts named;
  target[0] = part[0] = '\0';
  if (!path || !*path) return picus_fail(context, PICUS_ERROR_ARGUMENT, "the name of a file is empty");
  int error = picus_follow_links(path, target);
  if (!error) error = picus_facts_of(path, &named);
  if (!error)
    error = check_present(path, &named);
  else if (error == ENOENT)
    error = 0;
  if (error) return fail(context, "create", path, error);
  if (is_direct(path, target)) return PICUS_OK;
  error = picus_part_name(target, part);
  if (error) return fail(context, "create", path, error);
  const picus_status status = check_others(context, path, target);
  return status ? status : check_part(context, path, target, part);
}

picus_status picus_output_check(picus_context *context, const char *path) {
  char target[PICUS_PATH_SIZE], part[PICUS_PATH_SIZE];
  return locate(context, path, target, part);
}

picus_status picus_output_check_regular(picus_context *context, const char *path, const char *kind) {
  char target[PICUS_PATH_SIZE], part[PICUS_PATH_SIZE];
  picus_status status = locate(context, path, target, part);
  if (status || *part) return status;
  return picus_fail(context, PICUS_ERROR_IO, "cannot create '%s': %s must be a regular file", path, kind);
}

/* --- opening ---------------------------------------------------------------------------------------------------- */

/* Does a name still lead to the file that was opened by it? */
static bool is_named(const char *name, int descriptor) {
  picus_facts named, opened;
  return !picus_facts_of_name(name, &named) && !picus_facts_of_open(descriptor, &opened) &&
         picus_same_facts(&named, &opened);
}

/* Renames a part that no process writes any more. */
static int move_aside(const char *part, char aside[PICUS_PATH_SIZE]) {
  for (int k = 1; k < PICUS_PARTS_MOST; k++) {
    if (snprintf(aside, PICUS_PATH_SIZE, "%s.%d", part, k) >= PICUS_PATH_SIZE) return ENAMETOOLONG;
    const int error = picus_move_aside(part, aside);
    if (error != EEXIST) return error;
  }
  return EEXIST;
}

static picus_status keep_killed(const picus_output_file *file) {
  char aside[PICUS_PATH_SIZE];
  int error = move_aside(file->part, aside);
  if (error) {
    char reason[PICUS_REASON_SIZE];
    picus_system_reason(error, reason);
    return picus_fail(file->context, PICUS_ERROR_IO,
                      "'%s' belongs to a run that was killed and cannot be renamed: %s; rename or remove it",
                      file->part, reason);
  }
  picus_log(file->context, PICUS_LOG_WARNING,
            "'%s' belongs to a run that was killed; it is kept as '%s', delete it if you do not need its rows",
            file->part, aside);
  return PICUS_OK;
}

/* Decides about a part that was opened and locked. */
typedef enum part_state { PART_MINE, PART_GONE, PART_FAILED } part_state;

static part_state judge_part(const picus_output_file *file, picus_status *status) {
  picus_facts facts;
  int error = picus_facts_of_open(file->descriptor, &facts);
  if (error || facts.kind != PICUS_REGULAR_FILE) {
    *status = error ? fail(file->context, "create", file->part, error)
                    : picus_fail(file->context, PICUS_ERROR_IO,
                                 "cannot create '%s': it exists and is not a regular file", file->part);
    return PART_FAILED;
  }
  error = picus_file_lock(file->descriptor);
  if (error == EAGAIN) {
    *status = picus_fail(file->context, PICUS_ERROR_IO,
                         "another run is writing '%s', in '%s'; wait until it ends, or choose another name", file->path,
                         file->part);
    return PART_FAILED;
  }                                                              /* other errors: a file system without locks */
  if (!is_named(file->part, file->descriptor)) return PART_GONE; /* its run has ended since it was opened */
  /* another process could change a part of another owner or with another name */
  if (!picus_facts_of_open(file->descriptor, &facts) && facts.size == 0 && facts.names == 1 && facts.is_mine)
    return PART_MINE;
  *status = keep_killed(file);
  return *status ? PART_FAILED : PART_GONE;
}

static picus_status open_part(picus_output_file *file) {
  enum { MOST_TRIES = 100 };
  for (int k = 0; k < MOST_TRIES; k++) {
    picus_status status = PICUS_OK;
    const int error = picus_file_open(
        file->part, PICUS_OPEN_READ | PICUS_OPEN_WRITE | PICUS_OPEN_CREATE | PICUS_OPEN_NO_LINK, &file->descriptor);
    if (error) return fail(file->context, "create", file->part, error);
    part_state state = judge_part(file, &status);
    if (state == PART_FAILED) return status;
    if (state == PART_MINE) {
      picus_file_copy_access(file->descriptor, file->target);
      return PICUS_OK;
    }
    close_descriptor(file);
  }
  return fail(file->context, "create", file->part, EBUSY);
}

/* N of /proc/self/fd/N and /dev/fd/N; -1: another path. */
static int descriptor_number(const char *target) {
  static const char *const folders[] = {"/proc/self/fd/", "/dev/fd/"};
  for (int k = 0; k < 2; k++) {
    size_t length = strlen(folders[k]);
    if (strncmp(target, folders[k], length) != 0) continue;
    char *end;
    long number = strtol(target + length, &end, 10);
    if (end != target + length && !*end && number >= 0 && number < 1 << 20) return (int)number;
  }
  return -1;
}

/* An open descriptor continues at its position; a name is opened again. */
static picus_status open_direct(picus_output_file *file) {
  int number = descriptor_number(file->target);
  const unsigned how = PICUS_OPEN_WRITE | PICUS_OPEN_CREATE | PICUS_OPEN_EMPTY | PICUS_OPEN_WAITS;
  const int error = number >= 0 ? picus_file_duplicate(number, &file->descriptor)
                                : picus_file_open(file->path, how, &file->descriptor);
  return error ? fail(file->context, "create", file->path, error) : PICUS_OK;
}

picus_status picus_output_open(picus_context *context, const char *path, picus_output_file *file) {
  char target[PICUS_PATH_SIZE], part[PICUS_PATH_SIZE];
  *file = (picus_output_file){.descriptor = -1};
  picus_status status = locate(context, path, target, part);
  if (status) return status;
  *file = (picus_output_file){.context = context, .path = picus_copy_text(context, path), .descriptor = -1};
  if (!file->path) return PICUS_ERROR_MEMORY;
  file->target = picus_copy_text(context, target);
  if (*part) file->part = picus_copy_text(context, part);
  if (!file->target || (*part && !file->part)) status = PICUS_ERROR_MEMORY;
  if (!status) status = *part ? open_part(file) : open_direct(file);
  if (status) picus_output_release(file);
  return status;
}

picus_status picus_output_check_room(const picus_output_file *file, double rows, double least, double most) {
  const double limit = 1e12, room = file->part ? picus_file_free_bytes(file->descriptor)
                                               : INFINITY; /* no number of rows that anybody could use is larger */
  if (rows > limit)
    return picus_fail(file->context, PICUS_ERROR_ARGUMENT,
                      "%.3g rows for '%s' exceed the limit of %.3g; increase sample or every, or reduce t_end", rows,
                      file->path, limit);
  if (rows * least > room)
    return picus_fail(
        file->context, PICUS_ERROR_IO,
        "%.3g rows take at least %.3g bytes and do not fit into '%s', where %.3g bytes are free; increase "
        "sample or every, or reduce t_end",
        rows, rows * least, file->path, room);
  if (rows * most > room)
    picus_log(file->context, PICUS_LOG_WARNING,
              "%.3g rows take %.3g bytes in '%s' unless they can be compressed, and %.3g bytes are free; free some "
              "space, or increase sample or every",
              rows, rows * most, file->path, room);
  return PICUS_OK;
}

/* --- the end ---------------------------------------------------------------------------------------------------- */

picus_status picus_output_write(picus_output_file *file, const void *bytes, size_t size) {
  const int error = picus_file_write(file->descriptor, bytes, size, NULL);
  return error ? fail(file->context, "write", file->path, error) : PICUS_OK;
}

picus_status picus_output_take(picus_output_file *file, const char *other) {
  int descriptor, error = picus_file_open(other, PICUS_OPEN_READ | PICUS_OPEN_WRITE, &descriptor);
  if (error) return fail(file->context, "open", other, error);
  (void)picus_file_lock(descriptor); /* before it has the name under which others find it */
  error = picus_rename(other, file->part);
  if (error) {
    (void)picus_file_close(descriptor);
    return fail(file->context, "create", file->part, error);
  }
  close_descriptor(file);
  file->descriptor = descriptor;
  picus_file_copy_access(descriptor, file->target);
  return PICUS_OK;
}

/* The new name survives a loss of power. */
static void sync_folder(const char *target) {
  char folder[PICUS_PATH_SIZE];
  picus_folder_name(target, folder);
  picus_folder_sync(folder);
}

/* keeps_part: its data is worth keeping if it cannot get its name. */
static picus_status give_name(const picus_output_file *file, bool keeps_part) {
  char reason[PICUS_REASON_SIZE];
  if (!is_named(file->part, file->descriptor))
    return picus_fail(file->context, PICUS_ERROR_IO, "'%s' was moved or removed before '%s' was complete", file->part,
                      file->path);
  int error = picus_file_sync(file->descriptor);
  if (!error) error = picus_rename(file->part, file->target);
  if (!error) {
    sync_folder(file->target);
    return PICUS_OK;
  }
  picus_system_reason(error, reason);
  if (!keeps_part) {
    (void)picus_remove(file->part);
    return fail(file->context, "complete", file->path, error);
  }
  return picus_fail(file->context, PICUS_ERROR_IO, "cannot complete '%s': %s; its data is in '%s'", file->path, reason,
                    file->part);
}

static picus_status publish(picus_output_file *file, bool keeps_part) {
  picus_status status = PICUS_OK;
  if (file->part)
    status = give_name(file, keeps_part);
  else {
    const int error = picus_file_close(file->descriptor); /* some errors show only here */
    if (error) status = fail(file->context, "complete", file->path, error);
    file->descriptor = -1;
  }
  picus_output_release(file);
  return status;
}

picus_status picus_output_publish(picus_output_file *file) { return publish(file, true); }

void picus_output_discard(picus_output_file *file) {
  if (!file->path) return;
  if (file->part && file->descriptor >= 0 && is_named(file->part, file->descriptor)) (void)picus_remove(file->part);
  picus_output_release(file);
}

picus_status picus_output_save(picus_context *context, const char *path, const void *bytes, size_t size) {
  picus_output_file file;
  picus_status status = picus_output_open(context, path, &file);
  if (status) return status;
  status = picus_output_write(&file, bytes, size);
  if (!status) return publish(&file, false);
  picus_output_discard(&file);
  return status;
}

/* --- readers ---------------------------------------------------------------------------------------------------- */

void picus_find_written(const char *path, char found[PICUS_PATH_SIZE]) {
  picus_facts facts;
  const bool missing = picus_facts_of(path, &facts) == ENOENT;
  if (missing && picus_part_name(path, found) == 0 && !picus_facts_of(found, &facts)) return;
  snprintf(found, PICUS_PATH_SIZE, "%s", path);
}

bool picus_is_part(const char *path) {
  size_t length = strlen(path);
  return length > 5 && strcmp(path + length - 5, ".part") == 0;
}

bool picus_is_being_written(const char *path) {
  int descriptor;
  if (picus_file_open(path, PICUS_OPEN_READ, &descriptor)) return false;
  const bool locked = picus_file_is_locked(descriptor);
  (void)picus_file_close(descriptor);
  return locked;
}

void picus_tell_newer(picus_context *context, const char *path) {
  char part[PICUS_PATH_SIZE];
  picus_facts facts;
  if (picus_part_name(path, part) != 0 || picus_facts_of(part, &facts)) return;
  if (picus_is_being_written(part))
    picus_log(context, PICUS_LOG_NOTE, "a newer run is writing '%s'; '%s' is outdated", part, path);
  else
    picus_log(context, PICUS_LOG_NOTE, "a newer run was killed and left its rows in '%s'; '%s' is outdated", part,
              path);
}

void picus_tell_incomplete(picus_context *context, const char *path, long rows) {
  if (picus_is_being_written(path))
    picus_log(context, PICUS_LOG_NOTE, "the run is unfinished: '%s' has %ld rows so far", path, rows);
  else
    picus_log(context, PICUS_LOG_NOTE, "the run was killed: '%s' has the %ld rows written before", path, rows);
}
