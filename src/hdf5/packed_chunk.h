/* Chunks as the filters shuffle and deflate of HDF5 leave them, which every reader of HDF5 undoes.
 *
 * HDF5's own deflate compresses all bytes in the same way. But in a column of numbers the bytes of each significance,
 * which shuffle brings together, are constant, almost constant, or noise. So each of these planes is written as one
 * byte and its repetitions, compressed by run lengths and Huffman codes, or copied. This takes a
 * fraction of the time of deflate at level 1, and somewhat more space. */
#ifndef PICUS_HDF5_PACKED_CHUNK_H
#define PICUS_HDF5_PACKED_CHUNK_H

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

#endif
