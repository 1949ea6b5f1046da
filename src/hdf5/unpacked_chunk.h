/* Chunks as the filters of HDF5 leave them (deflate, shuffle, Fletcher's check sum), which are undone here. The bytes
 * may be anything: a chunk is the one that was written, or it is rejected. HDF5 1.10 takes what its filters yield for a
 * whole chunk, and reads beyond it if it is shorter. */
#ifndef PICUS_HDF5_UNPACKED_CHUNK_H
#define PICUS_HDF5_UNPACKED_CHUNK_H

#include "base/input_file.h"

#include <picus/base.h>
#include <stddef.h>
#include <stdint.h>

typedef enum picus_filter_kind { PICUS_FILTER_DEFLATE, PICUS_FILTER_SHUFFLE, PICUS_FILTER_SUM } picus_filter_kind;
typedef struct picus_filter {
  picus_filter_kind kind;
  size_t width; /* of a value, of shuffle */
} picus_filter;
enum { PICUS_MOST_FILTERS = 8 };

typedef struct picus_unpacker picus_unpacker;
/* For chunks of so many bytes, on which these filters were used in this order. NULL: out of memory, with its message.
 */
picus_unpacker *picus_unpacker_create(picus_context *context, const picus_filter *filters, int count, size_t length);
void picus_unpacker_destroy(picus_unpacker *unpacker); /* NULL is fine */

/* Space for the `size` bytes of a chunk as the file has it; NULL: out of memory. */
unsigned char *picus_unpacker_room(picus_unpacker *unpacker, size_t size);
/* The bytes of the chunk in this space, valid until the next call. Bit k of `omitted`: the chunk was written without
 * filter k. NULL: it is damaged. */
const unsigned char *picus_unpacker_unpack(picus_unpacker *unpacker, size_t size, uint32_t omitted,
                                           char reason[PICUS_REASON_SIZE]);

#endif
