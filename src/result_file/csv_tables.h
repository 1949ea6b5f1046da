/* Exports from a result file to CSV. */
#ifndef PICUS_RESULT_FILE_CSV_TABLES_H
#define PICUS_RESULT_FILE_CSV_TABLES_H

#include <picus/result.h>

/* Rows. */
picus_status picus_csv_export_rows(picus_context *context, picus_result *result, const char *path);

/* The nodes of a flexible component: a line for each node of each row. */
picus_status picus_csv_export_nodes(picus_context *context, picus_result *result, int table, const char *path);

/* Contacts that come and go. */
picus_status picus_csv_export_contacts(picus_context *context, picus_result *result, const char *path);

/* Switching points. law: of which; -1: of all. */
picus_status picus_csv_export_switchings(picus_context *context, const picus_result *result, int law, long count,
                                         const picus_switching *switchings, const char *path);

#endif
