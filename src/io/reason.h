/* Can a file be read, and why not. */
#ifndef PICUS_IO_REASON_H
#define PICUS_IO_REASON_H

#include "base/reason.h"

#include <picus/base.h>

/* Checks for a readable regular file; otherwise fails with a message. */
picus_status picus_check_readable(picus_context *context, const char *path);

#endif
