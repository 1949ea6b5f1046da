/* Files at once: see whole_file.h. */
#include "hdf5/whole_file.h"
#include "base/input_file.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "hdf5/staged.h"

#include <errno.h>

/* By Picus' own driver, which does not collect metadata: HDF5 1.10 does not survive that in some damaged files. */
static picus_status open_and_read(picus_context *context, picus_staged_file *staged, const char *path,
                                  picus_hdf5_read_fn read, void *user) {
  char reason[PICUS_REASON_SIZE] = "";
  hid_t file = picus_hdf5_open_staged(context, staged, path, H5F_ACC_RDONLY, reason);
  if (file >= 0) {
    picus_status status = read(user, file);
    H5Fclose(file);
    return status;
  }
  if (picus_staged_error(staged) == ENOMEM) return PICUS_ERROR_MEMORY;
  return picus_fail(context, PICUS_ERROR_IO, "'%s' is not an HDF5 file, or is damaged: %s", path, reason);
}

picus_status picus_hdf5_read_whole(picus_context *context, const char *path, picus_hdf5_read_fn read, void *user) {
  char reason[PICUS_REASON_SIZE];
  int error = 0;
  picus_status status = picus_check_readable(context, path);
  if (!status) status = picus_hdf5_check_room(context);
  if (status) return status;
  picus_staged_file *staged = picus_staged_open(context, path, PICUS_STAGED_READ, &error);
  if (!staged && error == ENOMEM) return PICUS_ERROR_MEMORY;
  if (!staged) {
    picus_system_reason(error, reason);
    return picus_fail(context, PICUS_ERROR_IO, "cannot read '%s': %s", path, reason);
  }
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  status = open_and_read(context, staged, path, read, user);
  status = picus_hdf5_read_status(context, staged, path, status);
  picus_hdf5_quiet_end(quiet);
  picus_staged_close(staged);
  return status;
}

/* Writes all of the file that is open; false, with the reason, if it cannot. */
static bool create_and_write(picus_context *context, picus_staged_file *staged, const char *path,
                             picus_hdf5_write_fn write, void *user, char reason[PICUS_REASON_SIZE]) {
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  hid_t file = picus_hdf5_create_staged(context, staged, path);
  bool done = file >= 0 && write(user, file);
  if (!done) picus_hdf5_reason(reason);
  if (file >= 0) done = H5Fclose(file) >= 0 && done;
  done = done && picus_staged_commit(staged);
  if (picus_staged_error(staged)) picus_system_reason(picus_staged_error(staged), reason);
  picus_hdf5_quiet_end(quiet);
  return done;
}

picus_status picus_hdf5_write_whole(picus_context *context, const char *path, picus_hdf5_write_fn write, void *user) {
  char reason[PICUS_REASON_SIZE] = "";
  int error = 0;
  picus_output_file output;
  picus_clear_error(context); /* the functions below return only true or false; the error slot shows a lack of memory */
  picus_status status = picus_hdf5_check_room(context);
  if (!status) status = picus_output_check_regular(context, path, "an HDF5 file");
  if (!status) status = picus_output_open(context, path, &output);
  if (status) return status;
  picus_staged_file *staged = picus_staged_attach(context, output.descriptor, PICUS_STAGED_CREATE, &error);
  if (error) picus_system_reason(error, reason);
  const bool done = staged && create_and_write(context, staged, path, write, user, reason);
  picus_staged_close(staged);
  if (done) return picus_output_publish(&output);
  picus_output_discard(&output);
  if (error == ENOMEM || picus_last_error(context)->status == PICUS_ERROR_MEMORY) return PICUS_ERROR_MEMORY;
  return picus_fail(context, PICUS_ERROR_IO, "cannot write '%s': %s", path, reason);
}
