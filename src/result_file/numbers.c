/* Numbers that are known only after a result file is complete, such as the accuracy of a reference. */
#include "base/internal.h"
#include "hdf5/support.h"

#include <errno.h>
#include <picus/result.h>
#include <stdio.h>

static bool put_numbers(hid_t file, const char *group_name, int count, const char *const *names,
                        const double *numbers) {
  hid_t parent = H5Gopen2(file, "picus", H5P_DEFAULT);
  hid_t group = parent >= 0 ? picus_hdf5_create_group(parent, group_name) : -1;
  bool done = group >= 0;
  for (int k = 0; done && k < count; k++) done = picus_hdf5_put_number(group, names[k], numbers[k]);
  if (group >= 0) H5Gclose(group);
  if (parent >= 0) H5Gclose(parent);
  return done;
}

static picus_status cannot_change(picus_context *context, const char *path, int error) {
  char reason[PICUS_REASON_SIZE];
  if (error == ENOMEM || picus_last_error(context)->status == PICUS_ERROR_MEMORY)
    return picus_fail(context, PICUS_ERROR_MEMORY, "cannot add numbers to '%s': out of memory", path);
  if (error)
    picus_system_reason(error, reason);
  else
    picus_hdf5_reason(reason);
  return picus_fail(context, PICUS_ERROR_IO, "cannot add numbers to '%s': %s", path, reason);
}

picus_status picus_result_add_numbers(picus_context *context, const char *path, const char *group, int count,
                                      const char *const *names, const double *numbers) {
  int error = 0;
  picus_clear_error(context); /* an error found at the end belongs to this call */
  if (count < 0) return picus_fail(context, PICUS_ERROR_ARGUMENT, "%d numbers cannot be added to '%s'", count, path);
  if (picus_hdf5_check_room(context)) return PICUS_ERROR_MEMORY;
  picus_staged_file *staged = picus_staged_open(context, path, PICUS_STAGED_CHANGE, &error);
  if (!staged) return cannot_change(context, path, error);
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  hid_t file = picus_hdf5_open_staged(context, staged, path, H5F_ACC_RDWR, NULL);
  bool done = file >= 0 && put_numbers(file, group, count, names, numbers);
  picus_status status = done ? PICUS_OK : cannot_change(context, path, picus_staged_error(staged));
  if (file >= 0 && H5Fclose(file) < 0 && !status) status = cannot_change(context, path, 0);
  if (!status && !picus_staged_commit(staged)) status = cannot_change(context, path, picus_staged_error(staged));
  picus_staged_close(staged);
  picus_hdf5_quiet_end(quiet);
  return status;
}
