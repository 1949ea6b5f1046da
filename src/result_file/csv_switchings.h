/* Switching points of a result as CSV. law: of which; -1: of all. */
#ifndef PICUS_RESULT_FILE_CSV_SWITCHINGS_H
#define PICUS_RESULT_FILE_CSV_SWITCHINGS_H

#include <picus/result.h>

picus_status picus_csv_export_switchings(picus_context *context, const picus_result *result, int law, long count,
                                         const picus_switching *switchings, const char *path);

#endif
