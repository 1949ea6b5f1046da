/* The ledger of switching points in a result file: parallel lists in picus/events. To be called while HDF5 is quiet. */
#ifndef PICUS_IO_HDF5_LEDGER_H
#define PICUS_IO_HDF5_LEDGER_H

#include "io/switching_fields.h"

#include <hdf5.h>

/* A zeroed one is closed. */
typedef struct picus_hdf5_ledger {
  bool is_open;
  hid_t lists[PICUS_SWITCHING_FIELDS]; /* -1: not needed */
  long count;                          /* handed to HDF5 */
} picus_hdf5_ledger;

/* slips: the most of any law; directions beyond are left out. false: it failed. */
bool picus_hdf5_ledger_create(picus_hdf5_ledger *ledger, hid_t file, int slips);
bool picus_hdf5_ledger_append(picus_hdf5_ledger *ledger, long count, const picus_switching *switchings);
bool picus_hdf5_ledger_close(picus_hdf5_ledger *ledger);

/* How many there are in a file; -1: it has no ledger. is_running: lists may differ in length, as after a killed
 * process; the shortest length counts. path: for messages. */
picus_status picus_hdf5_ledger_measure(picus_context *context, const char *path, hid_t file, bool is_running,
                                       long *count);
/* The first so many, in the caller's memory. Laws must lie below law_count. */
picus_status picus_hdf5_ledger_read(picus_context *context, const char *path, hid_t file, int law_count, long count,
                                    picus_switching *switchings);

#endif
