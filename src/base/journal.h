/* A file that only grows, record by record, so that whoever kills its writer loses at most the record that was being
 * written. A record has its length and a checksum; what follows the last complete record is cut off when the file is
 * opened to continue it. The first record is the title: a journal of another one is not continued.
 *
 * The file is locked while it is open for writing. */
#ifndef PICUS_BASE_JOURNAL_H
#define PICUS_BASE_JOURNAL_H

#include <picus/base.h>

typedef struct picus_journal picus_journal;

/* Called with each record after the title, in their order; another status than PICUS_OK ends the reading. */
typedef picus_status (*picus_journal_fn)(void *user, const unsigned char *record, size_t size);
typedef struct picus_journal_title {
  const unsigned char *bytes;
  size_t size;
} picus_journal_title;

/* Opens a journal to continue it, or creates it; reads its records. PICUS_ERROR_ARGUMENT: it has another title.
 * Lifetime: `*out` until `picus_journal_close`. */
picus_status picus_journal_open(picus_context *context, const char *path, picus_journal_title title,
                                picus_journal_fn read, void *user, picus_journal **out);
/* Only reads; a missing file has no records. */
picus_status picus_journal_read(picus_context *context, const char *path, picus_journal_title title,
                                picus_journal_fn read, void *user);
/* Appends a record, by one call of the system. No allocation, no message: the system's error number, 0 if it is done.
 * Records reach the disk once a second, and when the journal is closed. */
enum { PICUS_JOURNAL_RECORD = 1 << 20 }; /* the most bytes of a record */
int picus_journal_add(picus_journal *journal, const void *record, size_t size);
void picus_journal_close(picus_journal *journal); /* NULL is fine */
/* The same, and removes the file. */
void picus_journal_remove(picus_journal *journal);

#endif
