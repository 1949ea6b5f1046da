/* Can a file be read? */
#ifndef PICUS_BASE_READABLE_H
#define PICUS_BASE_READABLE_H

#include <picus/base.h>

/* Checks for a readable regular file; otherwise fails with a message. */
picus_status picus_check_readable(picus_context *context, const char *path);

#endif
