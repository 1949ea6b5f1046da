/* The nodes of a flexible component as CSV: a line for each node of each row. */
#ifndef PICUS_RESULT_FILE_CSV_NODES_H
#define PICUS_RESULT_FILE_CSV_NODES_H

#include <picus/result.h>

picus_status picus_csv_export_nodes(picus_context *context, picus_result *result, int table, const char *path);

#endif
