/* Can a file be read, and why not. */
#ifndef PICUS_IO_REASON_H
#define PICUS_IO_REASON_H

#include "base/reason.h"

#include <picus/base.h>

/* A regular file that may be opened for reading, or a sentence. */
picus_status picus_check_readable(picus_context *context, const char *path);

#endif
