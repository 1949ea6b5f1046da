/* Can a file be read? Problems that need no HDF5 to see. */
#define _POSIX_C_SOURCE 200809L
#include "base/readable.h"
#include "base/internal.h"
#include "base/reason.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

picus_status picus_check_readable(picus_context *context, const char *path) {
  char reason[PICUS_REASON_SIZE];
  struct stat facts = {0};
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), error = errno;
  if (descriptor >= 0) {
    error = fstat(descriptor, &facts) == 0 ? 0 : errno;
    if (!error && S_ISDIR(facts.st_mode)) error = EISDIR;
    close(descriptor);
  }
  if (!error && S_ISREG(facts.st_mode)) return PICUS_OK;
  if (!error) return picus_fail(context, PICUS_ERROR_IO, "cannot read '%s': it is not a regular file", path);
  picus_system_reason(error, reason);
  return picus_fail(context, PICUS_ERROR_IO, "cannot read '%s': %s", path, reason);
}
