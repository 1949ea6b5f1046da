/* Text that grows: JSON for the page. A failed allocation is remembered, so that one check at the end suffices. */
#ifndef PICUS_VIEW_JSON_H
#define PICUS_VIEW_JSON_H

#include "base/decimal.h"

#include <picus/base.h>

typedef struct picus_json {
  picus_context *context;
  char *bytes;
  size_t size, capacity;
  picus_status status;
  picus_decimal_powers *powers;
} picus_json;

picus_status picus_json_begin(picus_context *context, picus_json *text);
void picus_json_release(picus_json *text);
void picus_json_add(picus_json *text, const char *bytes, size_t size);
void picus_json_put(picus_json *text, const char *plain);
void picus_json_format(picus_json *text, const char *format, ...) PICUS_PRINTF(2, 3); /* at most 500 bytes */
/* A string of JSON that is also safe inside of a script element: no <, >, &, quotes or line separators of the given
 * text remain, invalid UTF-8 is replaced. */
void picus_json_string(picus_json *text, const char *any);
/* A number of JSON; null if it is not finite. */
void picus_json_number(picus_json *text, double value);
/* The bytes in base64, plain and as a string of JSON. */
void picus_json_letters(picus_json *text, const void *bytes, size_t size);
void picus_json_base64(picus_json *text, const void *bytes, size_t size);

#endif
