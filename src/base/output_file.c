/* Output files: written as NAME.part under a lock, and renamed when they are complete; output_file.h states what a
 * reader finds at any moment. */
#define _GNU_SOURCE /* locks that belong to an open file, not to a process: F_OFD_SETLK */
#define _FILE_OFFSET_BITS 64
#include "base/output_file.h"
#include "base/input_file.h"
#include "base/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#ifndef F_OFD_SETLK
#define F_OFD_SETLK F_SETLK
#define F_OFD_GETLK F_GETLK
#endif

static picus_status fail(picus_context *context, const char *what, const char *path, int error) {
  char reason[PICUS_REASON_SIZE];
  picus_system_reason(error, reason);
  return picus_fail(context, PICUS_ERROR_IO, "cannot %s '%s': %s", what, path, reason);
}

static void close_descriptor(picus_output_file *file) {
  if (file->descriptor >= 0) close(file->descriptor);
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
static int check_present(const char *target, const struct stat *facts) {
  if (S_ISDIR(facts->st_mode)) return EISDIR;
  if (!S_ISREG(facts->st_mode)) return access(target, W_OK) == 0 ? 0 : errno;
  int descriptor = open(target, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return errno;
  close(descriptor);
  return 0;
}

/* The folder in which the part is made. */
static int check_folder(const char *target) {
  char folder[PICUS_PATH_SIZE];
  struct stat facts;
  picus_folder_name(target, folder);
  if (stat(folder, &facts) != 0) return errno;
  if (!S_ISDIR(facts.st_mode)) return ENOTDIR;
  return access(folder, W_OK | X_OK) == 0 ? 0 : errno;
}

/* Does the name leave room for ".part"? */
static bool part_fits(const char *part) {
  struct stat facts;
  return lstat(part, &facts) == 0 || errno != ENAMETOOLONG;
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
  struct stat named, facts;
  if (strncmp(target, "/proc/", 6) == 0 || strncmp(target, "/dev/fd/", 8) == 0) return true;
  for (int k = 0; k < TRIES; k++) {
    if (stat(path, &named) != 0) return false;
    if (!S_ISREG(named.st_mode)) return true;
    if (stat(target, &facts) == 0 && facts.st_ino == named.st_ino && facts.st_dev == named.st_dev) return false;
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
  struct stat named;
  target[0] = part[0] = '\0';
  if (!path || !*path) return picus_fail(context, PICUS_ERROR_ARGUMENT, "the name of a file is empty");
  int error = picus_follow_links(path, target);
  bool exists = !error && stat(path, &named) == 0;
  if (!error && !exists && errno != ENOENT) error = errno;
  if (exists) error = check_present(path, &named);
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

/* Locks the complete file; 0, or the error number. */
static int lock(int descriptor) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, F_OFD_SETLK, &whole) == 0 ? 0 : errno;
}

/* Does a name still lead to the file that was opened by it? */
static bool is_named(const char *name, int descriptor) {
  struct stat named, opened;
  return lstat(name, &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino &&
         named.st_dev == opened.st_dev;
}

/* Renames a part that no process writes any more. link never replaces a file; without hard links, checking first must
 * suffice. */
static int move_aside(const char *part, char aside[PICUS_PATH_SIZE]) {
  struct stat facts;
  for (int k = 1; k < PICUS_PARTS_MOST; k++) {
    if (snprintf(aside, PICUS_PATH_SIZE, "%s.%d", part, k) >= PICUS_PATH_SIZE) return ENAMETOOLONG;
    if (link(part, aside) == 0) return unlink(part) == 0 ? 0 : errno;
    if (errno == EEXIST) continue;
    if (errno == ENAMETOOLONG) return errno;
    if (lstat(aside, &facts) == 0) continue;
    return rename(part, aside) == 0 ? 0 : errno;
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
  struct stat facts;
  int error = fstat(file->descriptor, &facts) == 0 ? 0 : errno;
  if (error || !S_ISREG(facts.st_mode)) {
    *status = error ? fail(file->context, "create", file->part, error)
                    : picus_fail(file->context, PICUS_ERROR_IO,
                                 "cannot create '%s': it exists and is not a regular file", file->part);
    return PART_FAILED;
  }
  error = lock(file->descriptor);
  if (error == EAGAIN || error == EACCES) {
    *status = picus_fail(file->context, PICUS_ERROR_IO,
                         "another run is writing '%s', in '%s'; wait until it ends, or choose another name", file->path,
                         file->part);
    return PART_FAILED;
  }                                                              /* other errors: a file system without locks */
  if (!is_named(file->part, file->descriptor)) return PART_GONE; /* its run has ended since it was opened */
  /* another process could change a part of another owner or with another name */
  if (fstat(file->descriptor, &facts) == 0 && facts.st_size == 0 && facts.st_nlink == 1 && facts.st_uid == geteuid())
    return PART_MINE;
  *status = keep_killed(file);
  return *status ? PART_FAILED : PART_GONE;
}

/* A new file belongs to whom the one belongs that it will replace, as far as that can be done, and is as accessible. */
static void copy_access(const picus_output_file *file) {
  struct stat facts;
  if (stat(file->target, &facts) != 0) return;
  (void)!fchown(file->descriptor, facts.st_uid, facts.st_gid);
  (void)!fchmod(file->descriptor, facts.st_mode & 0777);
}

static picus_status open_part(picus_output_file *file) {
  enum { MOST_TRIES = 100 };
  for (int k = 0; k < MOST_TRIES; k++) {
    picus_status status = PICUS_OK;
    file->descriptor = open(file->part, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (file->descriptor < 0) return fail(file->context, "create", file->part, errno);
    part_state state = judge_part(file, &status);
    if (state == PART_FAILED) return status;
    if (state == PART_MINE) {
      copy_access(file);
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
  file->descriptor = number >= 0 ? fcntl(number, F_DUPFD_CLOEXEC, 0)
                                 : open(file->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return file->descriptor < 0 ? fail(file->context, "create", file->path, errno) : PICUS_OK;
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

/* INFINITY: unknown. */
static double free_bytes(const picus_output_file *file) {
  struct statvfs disk;
  if (!file->part || fstatvfs(file->descriptor, &disk) != 0 || disk.f_blocks == 0) return INFINITY;
  return (double)disk.f_bavail * (double)disk.f_frsize;
}

picus_status picus_output_check_room(const picus_output_file *file, double rows, double least, double most) {
  const double limit = 1e12, room = free_bytes(file); /* no number of rows that anybody could use is larger */
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
  const char *from = bytes;
  while (size > 0) {
    ssize_t done = write(file->descriptor, from, size);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return fail(file->context, "write", file->path, errno);
    from += done;
    size -= (size_t)done;
  }
  return PICUS_OK;
}

picus_status picus_output_take(picus_output_file *file, const char *other) {
  int descriptor = open(other, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return fail(file->context, "open", other, errno);
  lock(descriptor); /* before it has the name under which others find it */
  if (rename(other, file->part) != 0) {
    int error = errno;
    close(descriptor);
    return fail(file->context, "create", file->part, error);
  }
  close_descriptor(file);
  file->descriptor = descriptor;
  copy_access(file);
  return PICUS_OK;
}

/* The new name survives a loss of power, if the file system supports it. */
static void sync_folder(const char *target) {
  char folder[PICUS_PATH_SIZE];
  picus_folder_name(target, folder);
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)fsync(descriptor);
  close(descriptor);
}

/* keeps_part: its data is worth keeping if it cannot get its name. */
static picus_status give_name(const picus_output_file *file, bool keeps_part) {
  char reason[PICUS_REASON_SIZE];
  if (!is_named(file->part, file->descriptor))
    return picus_fail(file->context, PICUS_ERROR_IO, "'%s' was moved or removed before '%s' was complete", file->part,
                      file->path);
  int error = fsync(file->descriptor) == 0 || errno == EINVAL ? 0 : errno;
  if (!error) error = rename(file->part, file->target) == 0 ? 0 : errno;
  if (!error) {
    sync_folder(file->target);
    return PICUS_OK;
  }
  picus_system_reason(error, reason);
  if (!keeps_part) {
    unlink(file->part);
    return fail(file->context, "complete", file->path, error);
  }
  return picus_fail(file->context, PICUS_ERROR_IO, "cannot complete '%s': %s; its data is in '%s'", file->path, reason,
                    file->part);
}

static picus_status publish(picus_output_file *file, bool keeps_part) {
  picus_status status = PICUS_OK;
  if (file->part)
    status = give_name(file, keeps_part);
  else if (close(file->descriptor) != 0 && errno != EINTR) /* some errors show only here */
    status = fail(file->context, "complete", file->path, errno);
  if (!file->part) file->descriptor = -1;
  picus_output_release(file);
  return status;
}

picus_status picus_output_publish(picus_output_file *file) { return publish(file, true); }

void picus_output_discard(picus_output_file *file) {
  if (!file->path) return;
  if (file->part && file->descriptor >= 0 && is_named(file->part, file->descriptor)) unlink(file->part);
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
  struct stat facts;
  bool missing = stat(path, &facts) != 0 && errno == ENOENT;
  if (missing && picus_part_name(path, found) == 0 && stat(found, &facts) == 0) return;
  snprintf(found, PICUS_PATH_SIZE, "%s", path);
}

bool picus_is_part(const char *path) {
  size_t length = strlen(path);
  return length > 5 && strcmp(path + length - 5, ".part") == 0;
}

bool picus_is_being_written(const char *path) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  bool locked = fcntl(descriptor, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
  close(descriptor);
  return locked;
}

void picus_tell_newer(picus_context *context, const char *path) {
  char part[PICUS_PATH_SIZE];
  struct stat facts;
  if (picus_part_name(path, part) != 0 || stat(part, &facts) != 0) return;
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
