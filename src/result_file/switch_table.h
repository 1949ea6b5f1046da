/* Changes of switching functions in a result file: in picus/switches the texts of the functions, the number of all
 * changes, and parallel lists of which `sum` has a check sum of each change. They are written at the end of a run. To
 * be called while HDF5 is quiet. */
#ifndef PICUS_RESULT_FILE_SWITCH_TABLE_H
#define PICUS_RESULT_FILE_SWITCH_TABLE_H

#include "record/internal.h"

#include <hdf5.h>

/* false: it failed. */
bool picus_hdf5_put_switches(picus_context *context, hid_t file, const switch_log *log);

#endif
