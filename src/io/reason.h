/* Why the system refused, in words. */
#ifndef PICUS_IO_REASON_H
#define PICUS_IO_REASON_H

#include <picus/base.h>

enum { PICUS_REASON_SIZE = 256 };
void picus_system_reason(int error, char reason[PICUS_REASON_SIZE]); /* text of a system error number */

/* A regular file that may be opened for reading, or a sentence. */
picus_status picus_check_readable(picus_context *context, const char *path);

#endif
