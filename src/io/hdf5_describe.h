/* The group /picus of a result file: everything about a run besides its rows. Layout: docs/results.md. */
#ifndef PICUS_IO_HDF5_DESCRIBE_H
#define PICUS_IO_HDF5_DESCRIBE_H

#include <hdf5.h>
#include <picus/record.h>

/* Before the first row; the run's status is "running" and its statistics are zeros. */
bool picus_hdf5_describe(picus_context *context, hid_t file, const picus_run_description *run, int column_count,
                         const picus_column *columns);
/* At the end, in place: the file does not grow, so this also works on a full disk. */
bool picus_hdf5_finish(hid_t file, const picus_system *system, const picus_summary *summary, const char *status);

#endif
