/* Journals: see journal.h. A record is its size (4 bytes), the Fletcher checksum of its bytes and size (4 bytes), and
 * its bytes; numbers are of the machine that writes. */
#define _GNU_SOURCE /* F_OFD_SETLK */
#define _FILE_OFFSET_BITS 64
#include "base/journal.h"
#include "base/checksums.h"
#include "base/file_names.h"
#include "base/input_file.h"
#include "base/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef F_OFD_SETLK
#define F_OFD_SETLK F_SETLK
#endif

enum { HEAD = 8 };

struct picus_journal {
  picus_context *context;
  char *path;
  unsigned char *record; /* head and bytes of the record that is written */
  int descriptor;
  double synced; /* s, when it reached the disk last */
};

static double now(void) {
  struct timespec time_now;
  clock_gettime(CLOCK_MONOTONIC, &time_now);
  return (double)time_now.tv_sec + 1e-9 * (double)time_now.tv_nsec;
}

static picus_status fail(picus_context *context, const char *what, const char *path, int error) {
  char reason[PICUS_REASON_SIZE];
  picus_system_reason(error, reason);
  return picus_fail(context, PICUS_ERROR_IO, "cannot %s the journal '%s': %s", what, path, reason);
}

static uint32_t checksum(const unsigned char *bytes, uint32_t size) {
  return picus_fletcher32(bytes, size) ^ (size * 2654435761u);
}

static bool read_all(int descriptor, unsigned char *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t count = read(descriptor, bytes + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += (size_t)count;
  }
  return true;
}

/* The next complete record; false: there is none. */
static bool next_record(int descriptor, unsigned char *record, uint32_t *size) {
  unsigned char head[HEAD];
  uint32_t sum;
  if (!read_all(descriptor, head, HEAD)) return false;
  memcpy(size, head, 4);
  memcpy(&sum, head + 4, 4);
  return *size > 0 && *size <= PICUS_JOURNAL_RECORD && read_all(descriptor, record, *size) &&
         checksum(record, *size) == sum;
}

static picus_status check_title(picus_context *context, const char *path, picus_journal_title title,
                                const unsigned char *record, uint32_t size) {
  if (size == title.size && memcmp(record, title.bytes, size) == 0) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "the journal '%s' belongs to another study: a model, option, value or version of Picus differs; "
                    "remove it, or choose another name for the results",
                    path);
}

/* Who reads the records. */
typedef struct reader {
  picus_context *context;
  const char *path;
  picus_journal_title title;
  picus_journal_fn read_one;
  void *user;
} reader;

/* Reads from the start; *end receives where the last complete record ends, 0: the title is not complete. */
static picus_status read_records(const reader *r, int descriptor, off_t *end) {
  picus_context *context = r->context;
  uint32_t size;
  unsigned char *record = picus_allocate(context, PICUS_JOURNAL_RECORD, 1);
  picus_status status = record ? PICUS_OK : PICUS_ERROR_MEMORY;
  *end = 0;
  while (!status && next_record(descriptor, record, &size)) {
    if (*end == 0)
      status = check_title(context, r->path, r->title, record, size);
    else
      status = r->read_one(r->user, record, size);
    *end += (off_t)HEAD + (off_t)size;
  }
  picus_release(context, record);
  return status;
}

/* The record in journal->record. */
static void make_record(picus_journal *journal, const void *bytes, size_t size) {
  const uint32_t length = (uint32_t)size, sum = checksum(bytes, length);
  memcpy(journal->record, &length, 4);
  memcpy(journal->record + 4, &sum, 4);
  memcpy(journal->record + HEAD, bytes, size);
}

/* A file without a complete title is only overwritten if it is the start of one, whose writer was killed. */
static bool is_begun_title(picus_journal *journal, picus_journal_title title, off_t size) {
  unsigned char is[256];
  make_record(journal, title.bytes, title.size);
  return size < (off_t)(HEAD + title.size) && size <= (off_t)sizeof is &&
         lseek(journal->descriptor, 0, SEEK_SET) == 0 && read_all(journal->descriptor, is, (size_t)size) &&
         memcmp(is, journal->record, (size_t)size) == 0;
}

/* Another process that goes on with the same study would compute everything a second time. */
static picus_status lock(picus_journal *journal) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(journal->descriptor, F_OFD_SETLK, &whole) == 0) return PICUS_OK;
  if (errno != EAGAIN && errno != EACCES) return PICUS_OK; /* a file system without locks */
  return picus_fail(journal->context, PICUS_ERROR_IO,
                    "another process writes the journal '%s'; wait until it ends, or choose another name for the "
                    "results",
                    journal->path);
}

static picus_status open_journal(picus_journal *journal, const reader *r) {
  picus_context *context = journal->context;
  struct stat facts;
  off_t end;
  journal->descriptor = open(journal->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0666);
  if (journal->descriptor < 0) return fail(context, "open", journal->path, errno);
  if (fstat(journal->descriptor, &facts) != 0 || !S_ISREG(facts.st_mode))
    return picus_fail(context, PICUS_ERROR_IO, "the journal '%s' is not a regular file", journal->path);
  picus_status status = lock(journal);
  if (!status) status = read_records(r, journal->descriptor, &end);
  if (status) return status;
  if (end == 0 && facts.st_size > 0 && !is_begun_title(journal, r->title, facts.st_size))
    return picus_fail(context, PICUS_ERROR_IO, "'%s' is not a journal of a study; choose another name for the results",
                      journal->path);
  if (ftruncate(journal->descriptor, end) != 0 || lseek(journal->descriptor, end, SEEK_SET) != end)
    return fail(context, "go on with", journal->path, errno);
  const int error = end == 0 ? picus_journal_add(journal, r->title.bytes, r->title.size) : 0;
  return error ? fail(context, "write", journal->path, error) : PICUS_OK;
}

picus_status picus_journal_open(picus_context *context, const char *path, picus_journal_title title,
                                picus_journal_fn read_one, void *user, picus_journal **out) {
  picus_journal *journal = picus_allocate(context, 1, sizeof *journal);
  *out = NULL;
  if (!journal) return PICUS_ERROR_MEMORY;
  *journal = (picus_journal){.context = context, .descriptor = -1, .synced = now()};
  journal->path = picus_copy_text(context, path);
  journal->record = picus_allocate(context, HEAD + PICUS_JOURNAL_RECORD, 1);
  picus_status status = journal->path && journal->record ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) status = open_journal(journal, &(reader){context, path, title, read_one, user});
  if (status)
    picus_journal_close(journal);
  else
    *out = journal;
  return status;
}

picus_status picus_journal_read(picus_context *context, const char *path, picus_journal_title title,
                                picus_journal_fn read_one, void *user) {
  off_t end;
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return errno == ENOENT ? PICUS_OK : fail(context, "read", path, errno);
  const picus_status status = read_records(&(reader){context, path, title, read_one, user}, descriptor, &end);
  close(descriptor);
  return status;
}

int picus_journal_add(picus_journal *journal, const void *record, size_t size) {
  if (size == 0 || size > PICUS_JOURNAL_RECORD) return EMSGSIZE;
  make_record(journal, record, size);
  for (size_t done = 0; done < HEAD + size;) {
    const ssize_t count = write(journal->descriptor, journal->record + done, HEAD + size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    done += (size_t)count;
  }
  const double time_now = now();
  if (time_now - journal->synced < 1) return 0;
  journal->synced = time_now;
  return fsync(journal->descriptor) == 0 ? 0 : errno;
}

void picus_journal_close(picus_journal *journal) {
  if (!journal) return;
  picus_context *context = journal->context;
  if (journal->descriptor >= 0) {
    fsync(journal->descriptor);
    close(journal->descriptor);
  }
  picus_release(context, journal->record);
  picus_release(context, journal->path);
  picus_release(context, journal);
}

void picus_journal_remove(picus_journal *journal) {
  if (!journal) return;
  unlink(journal->path); /* while it is locked: no other process goes on with it */
  picus_journal_close(journal);
}
