/* What the HDF5 sink writes beside the tables of src/table, in files that also read it back: states at events and
 * changes of switching functions. To be called while HDF5 is quiet. */
#ifndef PICUS_RESULT_FILE_SINK_TABLES_H
#define PICUS_RESULT_FILE_SINK_TABLES_H

#include "record/internal.h"

#include <hdf5.h>

/* States at events (state_table.c). A zeroed one is closed. */
typedef struct picus_hdf5_states {
  bool is_open;
  hid_t values, sums;
  size_t count; /* entries */
} picus_hdf5_states;
bool picus_hdf5_states_create(picus_context *context, hid_t file, const picus_system *system, picus_hdf5_states *out);
bool picus_hdf5_states_append(picus_hdf5_states *states, size_t count, size_t width, const double *entries);
bool picus_hdf5_states_close(picus_hdf5_states *states);

/* Changes of switching functions (switch_changes.c). false: it failed. */
bool picus_hdf5_put_switches(picus_context *context, hid_t file, const switch_log *log);

#endif
