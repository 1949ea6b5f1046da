/* Journals: see journal.h. A record is its size (4 bytes), the Fletcher checksum of its bytes and size (4 bytes), and
 * its bytes; numbers are of the machine that writes. */
#include "base/journal.h"
#include "base/checksums.h"
#include "base/file_names.h"
#include "base/input_file.h"
#include "base/internal.h"
#include "platform/files.h"
#include "platform/threads.h"

#include <errno.h>
#include <string.h>

enum { HEAD = 8 };

struct picus_journal {
  picus_context *context;
  char *path;
  unsigned char *record; /* head and bytes of the record that is written */
  int descriptor;
  double synced; /* s, when it reached the disk last */
};

static picus_status fail(picus_context *context, const char *what, const char *path, int error) {
  char reason[PICUS_REASON_SIZE];
  picus_system_reason(error, reason);
  return picus_fail(context, PICUS_ERROR_IO, "cannot %s the journal '%s': %s", what, path, reason);
}

static uint32_t checksum(const unsigned char *bytes, uint32_t size) {
  return picus_fletcher32(bytes, size) ^ (size * 2654435761u);
}

static bool read_all(int descriptor, unsigned char *bytes, size_t size) {
  size_t done;
  return !picus_file_read(descriptor, bytes, size, &done) && done == size;
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
static picus_status read_records(const reader *r, int descriptor, uint64_t *end) {
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
    *end += HEAD + size;
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
static bool is_begun_title(picus_journal *journal, picus_journal_title title, int64_t size) {
  unsigned char is[256];
  make_record(journal, title.bytes, title.size);
  return size < (int64_t)(HEAD + title.size) && size <= (int64_t)sizeof is &&
         !picus_file_seek(journal->descriptor, 0) && read_all(journal->descriptor, is, (size_t)size) &&
         memcmp(is, journal->record, (size_t)size) == 0;
}

/* Another process that goes on with the same study would compute everything a second time. */
static picus_status lock(picus_journal *journal) {
  if (picus_file_lock(journal->descriptor) != EAGAIN) return PICUS_OK; /* or a file system without locks */
  return picus_fail(journal->context, PICUS_ERROR_IO,
                    "another process writes the journal '%s'; wait until it ends, or choose another name for the "
                    "results",
                    journal->path);
}

static picus_status open_journal(picus_journal *journal, const reader *r) {
  picus_context *context = journal->context;
  picus_facts facts;
  uint64_t end;
  int error = picus_file_open(
      journal->path, PICUS_OPEN_READ | PICUS_OPEN_WRITE | PICUS_OPEN_CREATE | PICUS_OPEN_NO_LINK, &journal->descriptor);
  if (error) return fail(context, "open", journal->path, error);
  if (picus_facts_of_open(journal->descriptor, &facts) || facts.kind != PICUS_REGULAR_FILE)
    return picus_fail(context, PICUS_ERROR_IO, "the journal '%s' is not a regular file", journal->path);
  picus_status status = lock(journal);
  if (!status) status = read_records(r, journal->descriptor, &end);
  if (status) return status;
  if (end == 0 && facts.size > 0 && !is_begun_title(journal, r->title, facts.size))
    return picus_fail(context, PICUS_ERROR_IO, "'%s' is not a journal of a study; choose another name for the results",
                      journal->path);
  error = picus_file_resize(journal->descriptor, end);
  if (!error) error = picus_file_seek(journal->descriptor, end);
  if (error) return fail(context, "go on with", journal->path, error);
  if (end == 0) error = picus_journal_add(journal, r->title.bytes, r->title.size);
  return error ? fail(context, "write", journal->path, error) : PICUS_OK;
}

picus_status picus_journal_open(picus_context *context, const char *path, picus_journal_title title,
                                picus_journal_fn read_one, void *user, picus_journal **out) {
  picus_journal *journal = picus_allocate(context, 1, sizeof *journal);
  *out = NULL;
  if (!journal) return PICUS_ERROR_MEMORY;
  *journal = (picus_journal){.context = context, .descriptor = -1, .synced = picus_clock_steady()};
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
  uint64_t end;
  int descriptor;
  const int error = picus_file_open(path, PICUS_OPEN_READ, &descriptor);
  if (error) return error == ENOENT ? PICUS_OK : fail(context, "read", path, error);
  const picus_status status = read_records(&(reader){context, path, title, read_one, user}, descriptor, &end);
  (void)picus_file_close(descriptor);
  return status;
}

int picus_journal_add(picus_journal *journal, const void *record, size_t size) {
  if (size == 0 || size > PICUS_JOURNAL_RECORD) return EMSGSIZE;
  make_record(journal, record, size);
  const int error = picus_file_write(journal->descriptor, journal->record, HEAD + size, NULL);
  if (error) return error;
  const double time_now = picus_clock_steady();
  if (time_now - journal->synced < 1) return 0;
  journal->synced = time_now;
  return picus_file_sync(journal->descriptor);
}

void picus_journal_close(picus_journal *journal) {
  if (!journal) return;
  picus_context *context = journal->context;
  if (journal->descriptor >= 0) {
    (void)picus_file_sync(journal->descriptor);
    (void)picus_file_close(journal->descriptor);
  }
  picus_release(context, journal->record);
  picus_release(context, journal->path);
  picus_release(context, journal);
}

void picus_journal_remove(picus_journal *journal) {
  if (!journal) return;
  (void)picus_remove(journal->path); /* while it is locked: no other process goes on with it */
  picus_journal_close(journal);
}
