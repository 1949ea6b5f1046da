/* Chunks as the filters shuffle and deflate of HDF5 leave them, which every reader of HDF5 undoes.
 *
 * HDF5's own deflate compresses all bytes in the same way. But in a column of numbers the bytes of each significance,
 * which shuffle brings together, are constant, almost constant, or noise. So each of these planes is written as one
 * byte and its repetitions, compressed by run lengths and Huffman codes, or copied. This takes a
 * fraction of the time of deflate at level 1, and somewhat more space. */
#ifndef PICUS_HDF5_PACKED_CHUNK_H
#define PICUS_HDF5_PACKED_CHUNK_H

#include "base/input_file.h"

#include <picus/base.h>
#include <stddef.h>
#include <stdint.h>

typedef struct picus_packer picus_packer;

/* For chunks of up to so many values. NULL: out of memory, with its message. */
picus_packer *picus_packer_create(picus_context *context, size_t most_values);
void picus_packer_destroy(picus_packer *packer); /* NULL is fine */

typedef enum picus_packed_type { PICUS_PACKED_DOUBLE, PICUS_PACKED_SINGLE, PICUS_PACKED_BYTE } picus_packed_type;
/* The bytes of a chunk of `length` values, of which the first `count` are given and the others are zeros. They are
 * valid until the next call. NULL: out of memory. */
const void *picus_packer_pack(picus_packer *packer, picus_packed_type type, const double *values, size_t count,
                              size_t length, size_t *size);

/* --- unpacking ---------------------------------------------------------------------------------------------------- */

/* Chunks as the filters of HDF5 leave them (deflate, shuffle, Fletcher's check sum), which are undone here. The bytes
 * may be anything: a chunk is the one that was written, or it is rejected. HDF5 1.10 takes what its filters yield for a
 * whole chunk, and reads beyond it if it is shorter. */
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
