/* Files that are read, and the reason of a failed system call as text. */
#ifndef PICUS_BASE_INPUT_FILE_H
#define PICUS_BASE_INPUT_FILE_H

#include <picus/base.h>

enum { PICUS_REASON_SIZE = 256 };
void picus_system_reason(int error, char reason[PICUS_REASON_SIZE]); /* text of a system error number */

/* Checks for a readable regular file; otherwise fails with a message. */
picus_status picus_check_readable(picus_context *context, const char *path);

/* A file of more than `most` bytes fails at once, and one that grows while it is read at `most` bytes, with
 * PICUS_ERROR_FILE_LIMIT. The block is
 * one of the context, to be released; it has a zero behind the last byte. */
picus_status picus_file_bytes(picus_context *context, const char *path, size_t most, unsigned char **bytes,
                              size_t *size);

#endif
