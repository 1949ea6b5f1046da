/* Objects as bytes, for checkpoints. One function for each structure measures, writes and reads it, so that the three
 * cannot differ:
 *
 *   void picus_thing_archive(thing *x, picus_archive *a) {
 *     picus_archive_mark(a, "thing");
 *     picus_archive_double(a, &x->mass);
 *     picus_archive_doubles(a, x->values, x->count);
 *   }
 *
 * The first failure stays: later calls do nothing. Bytes that are read may come from anybody, so nothing read is a
 * length, an index or a choice before it has been checked. Numbers have the form of the machine; the header of a
 * checkpoint names it. */
#ifndef PICUS_BASE_ARCHIVE_H
#define PICUS_BASE_ARCHIVE_H

#include <picus/base.h>
#include <stdint.h>

typedef enum archive_direction { ARCHIVE_MEASURES, ARCHIVE_WRITES, ARCHIVE_READS } archive_direction;

typedef struct picus_archive {
  picus_context *context;
  archive_direction direction;
  unsigned char *to;         /* of an archive that writes, */
  const unsigned char *from; /* and of one that reads */
  size_t size, at;           /* bytes there, and bytes done */
  picus_status status;
  const char *part; /* that is being done, for messages */
} picus_archive;

static inline bool picus_archive_reads(const picus_archive *a) { return a->direction == ARCHIVE_READS && !a->status; }

/* The beginning of a part. A reader that finds another one fails. */
void picus_archive_mark(picus_archive *a, const char *part);
void picus_archive_bytes(picus_archive *a, void *bytes, size_t size);
void picus_archive_double(picus_archive *a, double *value);
void picus_archive_doubles(picus_archive *a, double *values, size_t count);
void picus_archive_int(picus_archive *a, int *value);
void picus_archive_long(picus_archive *a, long *value);
void picus_archive_word(picus_archive *a, uint64_t *value);
void picus_archive_bool(picus_archive *a, bool *value);
/* An int between two others. */
void picus_archive_choice(picus_archive *a, int *value, int least, int most);
/* A number of elements that follow, each of at least so many bytes: a reader knows then that they can be there. */
void picus_archive_count(picus_archive *a, size_t *count, size_t element);
/* A text in a fixed place, which ends within it. */
void picus_archive_text(picus_archive *a, char *text, size_t size);
/* The reader fails unless it finds the same value. */
void picus_archive_same(picus_archive *a, uint64_t value, const char *what);
/* The archive does not fit, or a value in it is impossible. Returns its status. */
picus_status picus_archive_reject(picus_archive *a, const char *why);

/* A part that a reader may leave out: its length precedes it. begin returns a place for end; at begin a reader gets the
 * bytes of the part in *length. */
size_t picus_archive_begin_length(picus_archive *a, size_t *length);
void picus_archive_end_length(picus_archive *a, size_t place);

/* A check sum (CRC-64 of ECMA-182). */
uint64_t picus_check_sum(const void *bytes, size_t size);

#endif
