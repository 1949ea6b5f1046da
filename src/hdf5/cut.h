/* Files that end before they should: a copy that was interrupted, a disk that lost their end. HDF5 rejects them. Here
 * they are opened with zeros in place of what is missing, and every list is as long as its first chunks that are
 * complete. To be called while HDF5 is quiet. */
#ifndef PICUS_HDF5_CUT_H
#define PICUS_HDF5_CUT_H

#include "hdf5/staged.h"

#include <hdf5.h>

/* Finds out whether a file, which is opened for reading and which nobody writes, is cut. */
void picus_hdf5_find_cut(picus_staged_file *staged);
/* The file of an object, if it is cut; else NULL. */
picus_staged_file *picus_hdf5_cut_file(hid_t object);
/* The leading rows of a dataset of a cut file that are there, of those that it declares. rank 0: 1 or 0. If a dataset
 * of a fixed size lacks rows, missing bytes count as read. */
int64_t picus_hdf5_whole_rows(picus_staged_file *staged, hid_t dataset, int rank, const hsize_t *extent);

#endif
