/* Contacts that come and go as CSV. */
#ifndef PICUS_RESULT_FILE_CSV_CONTACTS_H
#define PICUS_RESULT_FILE_CSV_CONTACTS_H

#include <picus/result.h>

picus_status picus_csv_export_contacts(picus_context *context, picus_result *result, const char *path);

#endif
