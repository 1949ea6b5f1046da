#include "base/name_index.h"
#include "base/internal.h"

#include <string.h>

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
