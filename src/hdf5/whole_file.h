/* Files that are read or written at once, by a function that has the open file. */
#ifndef PICUS_HDF5_WHOLE_FILE_H
#define PICUS_HDF5_WHOLE_FILE_H

#include "hdf5/support.h"

/* The file may be anything: if it cannot be opened, the message says why. */
typedef picus_status (*picus_hdf5_read_fn)(void *user, hid_t file);
picus_status picus_hdf5_read_whole(picus_context *context, const char *path, picus_hdf5_read_fn read, void *user);

/* The file appears when all of it is written; an earlier one stays until then. The function returns false if it fails.
 */
typedef bool (*picus_hdf5_write_fn)(void *user, hid_t file);
picus_status picus_hdf5_write_whole(picus_context *context, const char *path, picus_hdf5_write_fn write, void *user);

#endif
