/* The event log in a result file: parallel lists in picus/events, of which `sum` has a check sum of each switching
 * point. To be called while HDF5 is quiet. */
#ifndef PICUS_TABLE_EVENT_TABLE_H
#define PICUS_TABLE_EVENT_TABLE_H

#include "record/internal.h"
#include "table/record_fields.h"

#include <hdf5.h>

/* A zeroed one is closed. */
typedef struct picus_hdf5_event_log {
  bool is_open;
  hid_t lists[PICUS_SWITCHING_FIELDS]; /* -1: not needed */
  hid_t sums;
  long count; /* handed to HDF5 */
} picus_hdf5_event_log;

/* How a field is stored. */
hid_t picus_hdf5_field_type(picus_field_kind kind);
/* slips: the most of any law; directions beyond are left out. false: it failed. */
bool picus_hdf5_event_log_create(picus_hdf5_event_log *log, hid_t file, int slips);
bool picus_hdf5_event_log_append(picus_hdf5_event_log *log, long count, const picus_switching *switchings);
bool picus_hdf5_event_log_close(picus_hdf5_event_log *log);

/* Their number in a file; -1: it has no event log. is_running: lists may differ in length, as after a killed process;
 * the shortest length counts. path: for messages. */
picus_status picus_hdf5_event_log_measure(picus_context *context, const char *path, hid_t file, bool is_running,
                                          long *count);
/* The first count ones, into memory of the caller. Laws must be below law_count. */
picus_status picus_hdf5_event_log_read(picus_context *context, const char *path, hid_t file, int law_count, long count,
                                       picus_switching *switchings);

#endif
