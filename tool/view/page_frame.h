/* What surrounds the data of a page: its head with the policy, its styles and its scripts, from the embedded parts. */
#ifndef PICUS_VIEW_PAGE_FRAME_H
#define PICUS_VIEW_PAGE_FRAME_H

#include "view/json.h"

typedef struct picus_page_frame {
  const char *body; /* names of parts */
  const char *const *styles, *const *scripts;
  int style_count, script_count;
  bool runs_wasm; /* the policy allows WebAssembly */
} picus_page_frame;
/* Up to the start of the body, and from the scripts to the end. */
void picus_page_begin(const picus_page_frame *frame, picus_json *out);
void picus_page_end(const picus_page_frame *frame, picus_json *out);
bool picus_page_has(const char *part);
const char *picus_page_bytes(const char *part, size_t *size); /* "" and 0: there is no such part */

#endif
