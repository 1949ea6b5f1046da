/* Rows of a result file as CSV. */
#ifndef PICUS_RESULT_FILE_CSV_ROWS_H
#define PICUS_RESULT_FILE_CSV_ROWS_H

#include <picus/result.h>

picus_status picus_csv_export_rows(picus_context *context, picus_result *result, const char *path);

#endif
