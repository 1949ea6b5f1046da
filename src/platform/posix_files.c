/* Files and folders on POSIX systems. */
#define _GNU_SOURCE /* locks that belong to an open file, not to a process: F_OFD_SETLK */
#define _FILE_OFFSET_BITS 64
#include "platform/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#ifndef F_OFD_SETLK
#define F_OFD_SETLK F_SETLK
#define F_OFD_GETLK F_GETLK
#endif

_Static_assert(PATH_MAX <= PICUS_PATH_SIZE, "paths have room");

/* --- what a name leads to ----------------------------------------------------------------------------------------- */

static int copy_facts(int result, const struct stat *from, picus_facts *to) {
  if (result != 0) {
    *to = (picus_facts){0};
    return errno;
  }
  const mode_t mode = from->st_mode;
  *to = (picus_facts){.kind = S_ISREG(mode)   ? PICUS_REGULAR_FILE
                              : S_ISDIR(mode) ? PICUS_FOLDER
                              : S_ISLNK(mode) ? PICUS_SYMBOLIC_LINK
                                              : PICUS_OTHER_FILE,
                      .device = (uint64_t)from->st_dev,
                      .inode = (uint64_t)from->st_ino,
                      .size = (int64_t)from->st_size,
                      .changed = (int64_t)from->st_mtim.tv_sec * 1000000000 + (int64_t)from->st_mtim.tv_nsec,
                      .names = (int64_t)from->st_nlink,
                      .is_mine = from->st_uid == geteuid(),
                      .is_private = (mode & (S_IWGRP | S_IWOTH)) == 0};
  return 0;
}

int picus_facts_of(const char *path, picus_facts *out) {
  struct stat facts;
  return copy_facts(stat(path, &facts), &facts, out);
}

int picus_facts_of_name(const char *path, picus_facts *out) {
  struct stat facts;
  return copy_facts(lstat(path, &facts), &facts, out);
}

int picus_facts_of_open(int descriptor, picus_facts *out) {
  struct stat facts;
  return copy_facts(fstat(descriptor, &facts), &facts, out);
}

bool picus_path_exists(const char *path) { return access(path, F_OK) == 0; }

bool picus_same_facts(const picus_facts *a, const picus_facts *b) {
  return a->device == b->device && a->inode == b->inode;
}

int picus_check_writable(const char *path) {
  struct stat facts;
  if (stat(path, &facts) != 0) return errno;
  return access(path, S_ISDIR(facts.st_mode) ? W_OK | X_OK : W_OK) == 0 ? 0 : errno;
}

int picus_read_link(const char *path, char text[PICUS_PATH_SIZE]) {
  const ssize_t length = readlink(path, text, PICUS_PATH_SIZE - 1);
  text[length > 0 ? length : 0] = '\0';
  return length < 0 ? errno : 0;
}

int picus_real_path(const char *path, char out[PICUS_PATH_SIZE]) { return realpath(path, out) ? 0 : errno; }
bool picus_is_separator(char c) { return c == '/'; }
const char *picus_last_separator(const char *path) { return strrchr(path, '/'); }
bool picus_is_absolute(const char *path) { return path[0] == '/'; }
bool picus_user_is_changed(void) { return geteuid() != getuid(); }

/* --- open files --------------------------------------------------------------------------------------------------- */

int picus_file_open(const char *path, unsigned how, int *descriptor) {
  static const struct {
    unsigned how;
    int flag;
  } flags[] = {{PICUS_OPEN_CREATE, O_CREAT},
               {PICUS_OPEN_NEW, O_CREAT | O_EXCL},
               {PICUS_OPEN_EMPTY, O_TRUNC},
               {PICUS_OPEN_APPEND, O_APPEND},
               {PICUS_OPEN_NO_LINK, O_NOFOLLOW}};
  const bool reads = how & PICUS_OPEN_READ, writes = how & PICUS_OPEN_WRITE;
  int flag = O_CLOEXEC | (reads && writes ? O_RDWR : writes ? O_WRONLY : O_RDONLY);
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    if (how & flags[k].how) flag |= flags[k].flag;
  if (!(how & PICUS_OPEN_WAITS)) flag |= O_NONBLOCK;
  do *descriptor = open(path, flag, how & PICUS_OPEN_PRIVATE ? 0700 : 0666);
  while (*descriptor < 0 && errno == EINTR);
  return *descriptor < 0 ? errno : 0;
}

int picus_file_close(int descriptor) { return close(descriptor) == 0 || errno == EINTR ? 0 : errno; }

int picus_file_read(int descriptor, void *bytes, size_t size, size_t *done) {
  for (*done = 0; *done < size;) {
    const ssize_t count = read(descriptor, (char *)bytes + *done, size - *done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) break;
    *done += (size_t)count;
  }
  return 0;
}

int picus_file_read_at(int descriptor, uint64_t place, void *bytes, size_t size, size_t *done) {
  for (*done = 0; *done < size;) {
    const ssize_t count = pread(descriptor, (char *)bytes + *done, size - *done, (off_t)(place + *done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) break;
    *done += (size_t)count;
  }
  return 0;
}

int picus_file_write(int descriptor, const void *bytes, size_t size, size_t *done) {
  size_t written = 0;
  int error = 0;
  while (written < size && !error) {
    const ssize_t count = write(descriptor, (const char *)bytes + written, size - written);
    if (count >= 0)
      written += (size_t)count;
    else if (errno != EINTR)
      error = errno;
  }
  if (done) *done = written;
  return error;
}

int picus_file_write_at(int descriptor, uint64_t place, const void *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t count = pwrite(descriptor, (const char *)bytes + done, size - done, (off_t)(place + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return ENOSPC;
    done += (size_t)count;
  }
  return 0;
}

int picus_file_seek(int descriptor, uint64_t place) {
  return lseek(descriptor, (off_t)place, SEEK_SET) == (off_t)place ? 0 : errno;
}

int picus_file_resize(int descriptor, uint64_t size) {
  int result;
  do result = ftruncate(descriptor, (off_t)size);
  while (result != 0 && errno == EINTR);
  return result == 0 ? 0 : errno;
}

/* EINVAL: the file system has nothing to write. */
int picus_file_sync(int descriptor) { return fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno; }

int picus_file_duplicate(int descriptor, int *copy) {
  *copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  return *copy < 0 ? errno : 0;
}

void picus_file_copy_access(int descriptor, const char *path) {
  struct stat facts;
  if (stat(path, &facts) != 0) return;
  (void)!fchown(descriptor, facts.st_uid, facts.st_gid);
  (void)!fchmod(descriptor, facts.st_mode & 0777);
}

int picus_file_make_private(int descriptor) { return fchmod(descriptor, 0700) == 0 ? 0 : errno; }

double picus_file_free_bytes(int descriptor) {
  struct statvfs disk;
  if (fstatvfs(descriptor, &disk) != 0 || disk.f_blocks == 0) return INFINITY;
  return (double)disk.f_bavail * (double)disk.f_frsize;
}

int picus_file_lock(int descriptor) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(descriptor, F_OFD_SETLK, &whole) == 0) return 0;
  return errno == EACCES ? EAGAIN : errno;
}

bool picus_file_is_locked(int descriptor) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

FILE *picus_stream_read(const char *path) { return fopen(path, "rb"); }
FILE *picus_stream_of(int descriptor) { return fdopen(descriptor, "w"); }

/* --- names and folders -------------------------------------------------------------------------------------------- */

int picus_rename(const char *from, const char *to) { return rename(from, to) == 0 ? 0 : errno; }

/* link never replaces a file; without hard links, checking first must suffice. */
int picus_move_aside(const char *from, const char *to) {
  struct stat facts;
  if (link(from, to) == 0) return unlink(from) == 0 ? 0 : errno;
  if (errno == EEXIST || errno == ENAMETOOLONG) return errno;
  if (lstat(to, &facts) == 0) return EEXIST;
  return picus_rename(from, to);
}

int picus_second_name(const char *path, const char *name) { return link(path, name) == 0 ? 0 : errno; }
int picus_remove(const char *path) { return unlink(path) == 0 ? 0 : errno; }

int picus_note_use(const char *path) { return utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno; }

int picus_folder_make(const char *path) { return mkdir(path, 0777) == 0 ? 0 : errno; }
int picus_folder_make_private(const char *path) { return mkdir(path, 0700) == 0 ? 0 : errno; }
int picus_folder_make_unique(char *path) { return mkdtemp(path) ? 0 : errno; }
int picus_folder_remove(const char *path) { return rmdir(path) == 0 ? 0 : errno; }

void picus_folder_sync(const char *path) {
  const int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)fsync(descriptor);
  close(descriptor);
}

int picus_folder_list(const char *path, picus_name_fn visit, void *user) {
  DIR *folder = opendir(path);
  if (!folder) return errno;
  bool more = true;
  for (const struct dirent *entry; more && (entry = readdir(folder)) != NULL;)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) more = visit(user, entry->d_name);
  closedir(folder);
  return 0;
}

const char *picus_folder_for_temporary_files(void) {
  const char *folder = getenv("TMPDIR");
  return folder && *folder ? folder : "/tmp";
}
