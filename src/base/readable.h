/* Can a file be read? */
#ifndef PICUS_BASE_READABLE_H
#define PICUS_BASE_READABLE_H

#include <picus/base.h>

/* A regular file that may be opened for reading, or a sentence. */
picus_status picus_check_readable(picus_context *context, const char *path);

#endif
