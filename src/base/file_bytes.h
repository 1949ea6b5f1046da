/* All bytes of a file. */
#ifndef PICUS_BASE_FILE_BYTES_H
#define PICUS_BASE_FILE_BYTES_H

#include <picus/base.h>

/* Memory grows with what is read: an endless device ends at `most` bytes, with PICUS_ERROR_FILE_LIMIT. The block is
 * one of the context, to be released; it has a zero behind the last byte. */
picus_status picus_file_bytes(picus_context *context, const char *path, size_t most, unsigned char **bytes,
                              size_t *size);

#endif
