/* Opening HDF5 files for reading. */
#define _POSIX_C_SOURCE 200809L
#include "base/internal.h"
#include "io/hdf5_read.h"
#include "io/hdf5_support.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Problems that need no HDF5 to see. */
static picus_status check_file(picus_context *context, const char *path) {
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

static picus_status refuse(picus_context *context, const char *name) {
  char reason[PICUS_REASON_SIZE];
  picus_hdf5_reason(reason);
  return picus_fail(context, PICUS_ERROR_IO, "'%s' is not an HDF5 file, or is damaged: %s", name, reason);
}

/* Without locks: a file may lie on a file system that has none, and one that is being written is readable too. */
picus_status picus_hdf5_open(picus_context *context, const char *path, hid_t *out) {
  *out = -1;
  picus_status status = check_file(context, path);
  if (status) return status;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 10, 7)
  if (access >= 0) H5Pset_file_locking(access, false, true);
#endif
  if (access >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0) *out = H5Fopen(path, H5F_ACC_RDONLY, access);
  if (*out < 0) status = refuse(context, path);
  if (access >= 0) H5Pclose(access);
  return status;
}

picus_status picus_hdf5_open_bytes(picus_context *context, const char *name, const void *bytes, size_t size,
                                   hid_t *out) {
  enum { GROWTH = 1 << 16 }; /* of a file in memory; it is only read */
  *out = -1;
  picus_status status = PICUS_OK;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  /* HDF5 makes a copy of the image and does not write to this one */
  if (access >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
      H5Pset_fapl_core(access, GROWTH, false) >= 0 && H5Pset_file_image(access, (void *)(uintptr_t)bytes, size) >= 0)
    *out = H5Fopen(name, H5F_ACC_RDONLY, access);
  if (*out < 0) status = refuse(context, name);
  if (access >= 0) H5Pclose(access);
  return status;
}
