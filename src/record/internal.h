/* What the run driver asks of the recorder. */
#ifndef PICUS_RECORD_INTERNAL_H
#define PICUS_RECORD_INTERNAL_H

#include <picus/record.h>

picus_status picus_recorder_begin(picus_recorder *recorder);
picus_status picus_recorder_take_row(picus_recorder *recorder, picus_sim *sim);
picus_status picus_recorder_end(picus_recorder *recorder, const picus_summary *summary);
long picus_recorder_rows(const picus_recorder *recorder);

#endif
