/* The sinks that write files. */
#ifndef PICUS_IO_SINKS_H
#define PICUS_IO_SINKS_H

#include <picus/record.h>

/* Nothing touches the file before the sink is opened. */
picus_status picus_hdf5_sink_create(picus_context *context, const char *path, picus_sink *out);
picus_status picus_csv_sink_create(picus_context *context, const char *path, picus_sink *out);

#endif
