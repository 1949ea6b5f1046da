/* Objects as bytes; see archive.h. */
#include "base/archive.h"

#include "base/internal.h"

#include <limits.h>
#include <string.h>

enum { MARK = 16 }; /* bytes of the name of a part */

picus_status picus_archive_reject(picus_archive *a, const char *why) {
  if (a->status) return a->status;
  a->status = picus_fail(a->context, PICUS_ERROR_IO, "the checkpoint cannot be used: %s (in its part '%s')", why,
                         a->part ? a->part : "");
  return a->status;
}

void picus_archive_bytes(picus_archive *a, void *bytes, size_t size) {
  if (a->status || size == 0) return;
  if (a->direction != ARCHIVE_MEASURES && size > a->size - a->at) {
    picus_archive_reject(a, "it ends too early");
    return;
  }
  if (a->direction == ARCHIVE_WRITES) memcpy(a->to + a->at, bytes, size);
  if (a->direction == ARCHIVE_READS) memcpy(bytes, a->from + a->at, size);
  a->at += size;
}

void picus_archive_mark(picus_archive *a, const char *part) {
  char own[MARK] = {0}, found[MARK];
  a->part = part;
  for (size_t i = 0; i < MARK && part[i]; i++) own[i] = part[i];
  memcpy(found, own, MARK);
  picus_archive_bytes(a, found, MARK);
  if (!a->status && memcmp(found, own, MARK) != 0) picus_archive_reject(a, "another part is in its place");
}

void picus_archive_double(picus_archive *a, double *value) { picus_archive_bytes(a, value, sizeof *value); }
void picus_archive_doubles(picus_archive *a, double *values, size_t count) {
  picus_archive_bytes(a, values, count * sizeof *values);
}
void picus_archive_word(picus_archive *a, uint64_t *value) { picus_archive_bytes(a, value, sizeof *value); }

void picus_archive_long(picus_archive *a, long *value) {
  int64_t number = *value;
  picus_archive_bytes(a, &number, sizeof number);
  if (!picus_archive_reads(a)) return;
  if (number < LONG_MIN / 2 || number > LONG_MAX / 2)
    picus_archive_reject(a, "a number is out of range");
  else
    *value = (long)number;
}

void picus_archive_choice(picus_archive *a, int *value, int least, int most) {
  long number = *value;
  picus_archive_long(a, &number);
  if (!picus_archive_reads(a)) return;
  if (number < least || number > most)
    picus_archive_reject(a, "a number is out of range");
  else
    *value = (int)number;
}

void picus_archive_int(picus_archive *a, int *value) { picus_archive_choice(a, value, INT_MIN / 2, INT_MAX / 2); }

void picus_archive_bool(picus_archive *a, bool *value) {
  int number = *value;
  picus_archive_choice(a, &number, 0, 1);
  *value = number == 1;
}

void picus_archive_count(picus_archive *a, size_t *count, size_t element) {
  uint64_t number = *count;
  picus_archive_word(a, &number);
  if (!picus_archive_reads(a)) return;
  if (element > 0 && number > (a->size - a->at) / element)
    picus_archive_reject(a, "a list is longer than the rest of it");
  else
    *count = (size_t)number;
}

void picus_archive_text(picus_archive *a, char *text, size_t size) {
  picus_archive_bytes(a, text, size);
  if (picus_archive_reads(a) && !memchr(text, 0, size)) {
    text[0] = 0;
    picus_archive_reject(a, "a text has no end");
  }
}

void picus_archive_same(picus_archive *a, uint64_t value, const char *what) {
  uint64_t found = value;
  picus_archive_word(a, &found);
  if (!a->status && found != value) picus_archive_reject(a, what);
}

size_t picus_archive_begin_length(picus_archive *a, size_t *length) {
  uint64_t number = 0;
  const size_t place = a->at;
  picus_archive_word(a, &number);
  if (picus_archive_reads(a) && number > a->size - a->at) picus_archive_reject(a, "a part is longer than the rest");
  *length = a->status ? 0 : (size_t)number;
  return place;
}

void picus_archive_end_length(picus_archive *a, size_t place) {
  const uint64_t length = a->at - place - sizeof length;
  if (a->direction == ARCHIVE_WRITES && !a->status) memcpy(a->to + place, &length, sizeof length);
}

uint64_t picus_check_sum(const void *bytes, size_t size) {
  static const uint64_t polynomial = 0x42f0e1eba9ea3693u;
  uint64_t table[256], sum = ~(uint64_t)0;
  const unsigned char *byte = bytes;
  for (uint64_t i = 0; i < 256; i++) {
    uint64_t x = i << 56;
    for (int k = 0; k < 8; k++) x = x >> 63 ? x << 1 ^ polynomial : x << 1;
    table[i] = x;
  }
  for (size_t i = 0; i < size; i++) sum = table[(sum >> 56 ^ byte[i]) & 255] ^ sum << 8;
  return ~sum;
}
