/* The page of picus view: one HTML file with the motion of results, their plots, and the code that shows them. */
#ifndef PICUS_VIEW_PAGE_H
#define PICUS_VIEW_PAGE_H

#include "view/json.h"
#include "view/scene.h"

/* The parts of the page, embedded by the build from tool/view/page. */
typedef struct picus_page_part {
  const char *name;
  const char *bytes;
  size_t size;
  const char *hash; /* SHA-256, 32 bytes */
} picus_page_part;
extern const picus_page_part picus_page_parts[];
extern const int picus_page_part_count;

/* A result and the name that the page shows for it. */
typedef struct picus_page_source {
  picus_result *result;
  const char *name;
} picus_page_source;
picus_status picus_page_write(picus_context *context, int count, const picus_page_source *sources, picus_json *out);

#endif
