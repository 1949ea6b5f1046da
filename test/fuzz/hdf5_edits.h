/* Damage to HDF5 files by HDF5's own functions: numbers, names, types, lengths, links and attributes change as the
 * input says, while the bookkeeping of HDF5 stays whole. Arbitrary bytes would find mistakes of HDF5 1.10, which has
 * many, and none of Picus. The exception are layouts of datasets, which Picus reads before HDF5: any bytes. */
#ifndef PICUS_FUZZ_HDF5_EDITS_H
#define PICUS_FUZZ_HDF5_EDITS_H

#include <stddef.h>
#include <stdint.h>

/* Before anything else: HDF5 does not survive its own end with what it has left open. */
void fuzz_begin_hdf5(void);
/* Changes the file as the bytes say. */
void fuzz_edit_hdf5(const char *path, const uint8_t *bytes, size_t size);

/* Objects of HDF5 that are open; HDF5 itself leaves some behind after some edits, but reading must not add to them. */
long fuzz_open_objects(void);

/* A file as it was, kept in memory, to begin each input with. */
typedef struct fuzz_original {
  uint8_t *bytes;
  size_t size;
} fuzz_original;
int fuzz_original_read(fuzz_original *original, const char *path); /* once; 0: that failed */
int fuzz_original_write(const fuzz_original *original, const char *path);

#endif
