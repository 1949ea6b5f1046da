/* Blocks of values of a result, which a run may write meanwhile. */
#define _POSIX_C_SOURCE 200809L
#include "base/internal.h"
#include "result_file/result_internal.h"

#include <string.h>
#include <time.h>

void picus_result_wait(void) { nanosleep(&(struct timespec){0, 2000000}, NULL); }

/* Clears what HDF5 has cached of the file. */
static picus_status look_again(picus_result *result) {
  if (result->file >= 0) H5Fclose(result->file);
  picus_staged_renew(result->staged);
  result->file = picus_hdf5_open_staged(result->context, result->staged, result->path, H5F_ACC_RDONLY, NULL);
  if (result->file >= 0) return PICUS_OK;
  return picus_fail(result->context, PICUS_ERROR_IO, "'%s' cannot be read while it is written", result->path);
}

/* While a run writes the file, reads until two results agree: the index of a list may change between two reads, and
 * HDF5 treats missing chunks as never written. */
static picus_status read_live(picus_result *result, picus_result_read_fn read, const void *what, size_t size,
                              void *values) {
  void *before = picus_allocate(result->context, size, 1);
  if (!before) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  bool agree = false;
  for (int k = 0, good = 0; k < PICUS_RESULT_TRIES && !agree && status != PICUS_ERROR_MEMORY; k++) {
    status = k > 0 ? look_again(result) : PICUS_OK;
    if (!status) status = read(result, what, values);
    agree = good > 0 && !status && memcmp(values, before, size) == 0;
    good = status ? 0 : 1;
    if (status)
      picus_result_wait();
    else
      memcpy(before, values, size);
  }
  picus_release(result->context, before);
  if (agree || status) return status;
  return picus_fail(result->context, PICUS_ERROR_IO, "'%s' changes faster than it can be read; try again",
                    result->path);
}

picus_status picus_result_fill_block(picus_result *result, picus_result_read_fn read, const void *what, size_t size,
                                     void *block) {
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  picus_status status = result->is_live ? read_live(result, read, what, size, block) : read(result, what, block);
  picus_hdf5_quiet_end(quiet);
  return picus_hdf5_read_status(result->context, result->staged, result->path, status);
}

/* A block of values that a function fills from the file; NULL: the status gives the reason. */
void *picus_result_load_block(picus_result *result, picus_result_read_fn read, const void *what, size_t count,
                              size_t size, picus_status *status) {
  void *block = picus_allocate(result->context, count, size);
  *status = block ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!block) return NULL;
  *status = picus_result_fill_block(result, read, what, count * size, block);
  if (!*status) return block;
  picus_release(result->context, block);
  return NULL;
}
