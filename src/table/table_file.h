/* Tables as an HDF5 file: groups of lists, and texts. */
#ifndef PICUS_TABLE_TABLE_FILE_H
#define PICUS_TABLE_TABLE_FILE_H

#include <picus/base.h>

typedef struct picus_table_list {
  const char *group, *name;
  size_t count;             /* may be 0 */
  const double *values;     /* count; NULL: texts */
  const char *const *texts; /* count */
} picus_table_list;
typedef struct picus_table_text {
  const char *name, *text;
} picus_table_text;
/* In the order in which they are written; the lists of a group follow each other. */
typedef struct picus_table_content {
  int list_count, text_count;
  const picus_table_list *lists;
  const picus_table_text *texts;
} picus_table_content;

/* The file is complete or absent. The same content gives the same bytes. */
picus_status picus_table_save(picus_context *context, const char *path, const picus_table_content *content);

/* The content of such a file in memory, as it was saved; what is neither list nor text is left out. To be released in
 * any case. PICUS_ERROR_ARGUMENT: its text "format" does not begin with the given one. */
picus_status picus_table_load(picus_context *context, const char *path, const char *format, picus_table_content *out);
void picus_table_release(picus_context *context, picus_table_content *content);
/* NULL: there is none. */
const picus_table_list *picus_table_find(const picus_table_content *content, const char *group, const char *name);
const char *picus_table_text_of(const picus_table_content *content, const char *name);

#endif
