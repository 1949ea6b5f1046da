/* Text that grows. A failed allocation is remembered, so that one look at `status` at the end suffices. */
#ifndef PICUS_BASE_GROWING_TEXT_H
#define PICUS_BASE_GROWING_TEXT_H

#include <picus/base.h>
#include <stdarg.h>

/* Zeroed but for its context before the first use; `bytes`, which the owner releases, ends with a zero byte. */
typedef struct picus_growing_text {
  picus_context *context;
  char *bytes;
  size_t size, capacity;
  picus_status status;
} picus_growing_text;

void picus_growing_add(picus_growing_text *text, const char *bytes, size_t size);
void picus_growing_put(picus_growing_text *text, const char *plain);
void picus_growing_format(picus_growing_text *text, const char *format, ...) PICUS_PRINTF(2, 3);
void picus_growing_format_list(picus_growing_text *text, const char *format, va_list arguments);

#endif
