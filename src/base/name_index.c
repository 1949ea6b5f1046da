/* Names that are looked up: an index that finds a name among many by hashing, and the nearest known name for messages
 * about unknown ones. */
#include "base/name_index.h"
#include "base/internal.h"

#include <ctype.h>
#include <string.h>

/* --- exact names -------------------------------------------------------------------------------------------------- */

uint64_t picus_hash_text(const char *text) {
  uint64_t value = 14695981039346656037u; /* FNV-1a */
  for (; *text; text++) value = (value ^ (unsigned char)*text) * 1099511628211u;
  return value ^ (value >> 32);
}

/* The slot of the name, or the free slot for it. The table is never full. */
static size_t slot_of(const picus_name_index *index, const char *name, picus_name_at_fn name_at, const void *user) {
  size_t i = (size_t)picus_hash_text(name) & (index->capacity - 1);
  while (index->slots[i] >= 0 && strcmp(name_at(user, (size_t)index->slots[i]), name) != 0)
    i = (i + 1) & (index->capacity - 1);
  return i;
}

picus_status picus_name_index_build(picus_context *context, size_t count, picus_name_at_fn name_at, const void *user,
                                    picus_name_index *out) {
  size_t capacity = 16;
  while (capacity < 2 * count) capacity *= 2;
  *out = (picus_name_index){.slots = picus_allocate(context, capacity, sizeof *out->slots), .capacity = capacity};
  if (!out->slots || count > INT32_MAX) return PICUS_ERROR_MEMORY;
  memset(out->slots, 0xFF, capacity * sizeof *out->slots);
  for (size_t k = 0; k < count; k++) {
    const size_t slot = slot_of(out, name_at(user, k), name_at, user);
    if (out->slots[slot] < 0) out->slots[slot] = (int32_t)k;
  }
  return PICUS_OK;
}

void picus_name_index_release(picus_context *context, picus_name_index *index) {
  picus_release(context, index->slots);
  *index = (picus_name_index){0};
}

int picus_name_index_find(const picus_name_index *index, const char *name, picus_name_at_fn name_at, const void *user) {
  return index->capacity ? (int)index->slots[slot_of(index, name, name_at, user)] : -1;
}

/* --- nearest names ------------------------------------------------------------------------------------------------ */

enum { LONGEST_NAME = 64 };

static int smaller(int a, int b) { return a < b ? a : b; }

/* Costs of a typing error: a wrong, missing or extra letter costs LETTER, two exchanged neighbours a little less, upper
 * instead of lower case almost nothing. */
enum { LETTER = 4, EXCHANGE = 3, CASE = 1 };

static int replacement_price(char a, char b) {
  if (a == b) return 0;
  return tolower((unsigned char)a) == tolower((unsigned char)b) ? CASE : LETTER;
}

/* Edit distance with exchanges (optimal string alignment); names longer than LONGEST_NAME are never near. */
static int edit_distance(const char *a, const char *b) {
  size_t na = strlen(a), nb = strlen(b);
  if (na > LONGEST_NAME || nb > LONGEST_NAME) return LETTER * LONGEST_NAME;
  int rows[3][LONGEST_NAME + 1]; /* the last three rows of the table */
  for (size_t j = 0; j <= nb; j++) rows[0][j] = LETTER * (int)j;
  for (size_t i = 1; i <= na; i++) {
    int *row = rows[i % 3];
    const int *last = rows[(i + 2) % 3], *before_last = rows[(i + 1) % 3];
    row[0] = LETTER * (int)i;
    for (size_t j = 1; j <= nb; j++) {
      int changed = last[j - 1] + replacement_price(a[i - 1], b[j - 1]);
      row[j] = smaller(changed, LETTER + smaller(last[j], row[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = smaller(row[j], before_last[j - 2] + EXCHANGE);
    }
  }
  return rows[na % 3][nb];
}

const char *picus_nearest_name(const char *name, const char *(*next)(const void *user, int k), const void *user) {
  const char *nearest = NULL;
  int nearest_distance = LETTER * smaller(3, (int)(strlen(name) + 2) / 2); /* further away is not a slip of the pen */
  for (int k = 0;; k++) {
    const char *candidate = next(user, k);
    if (!candidate) return nearest;
    int distance = edit_distance(name, candidate);
    if (distance > nearest_distance || (nearest && distance == nearest_distance)) continue;
    nearest = candidate;
    nearest_distance = distance;
  }
}
