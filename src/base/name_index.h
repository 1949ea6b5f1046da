/* Names found by hashing: results of many bodies have a million columns. */
#ifndef PICUS_BASE_NAME_INDEX_H
#define PICUS_BASE_NAME_INDEX_H

#include <picus/base.h>
#include <stddef.h>
#include <stdint.h>

uint64_t picus_hash_text(const char *text);

/* The k-th name. */
typedef const char *(*picus_name_at_fn)(const void *user, size_t k);

/* Numbers of names, found by name. A zeroed one is empty. */
typedef struct picus_name_index {
  int32_t *slots; /* -1: free */
  size_t capacity;
} picus_name_index;
/* Of equal names the first one counts. The names are asked for again in each search. */
picus_status picus_name_index_build(picus_context *context, size_t count, picus_name_at_fn name_at, const void *user,
                                    picus_name_index *out);
void picus_name_index_release(picus_context *context, picus_name_index *index);
int picus_name_index_find(const picus_name_index *index, const char *name, picus_name_at_fn name_at,
                          const void *user); /* -1: there is none */

#endif
