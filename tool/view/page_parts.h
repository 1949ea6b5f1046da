/* What the files of the page share. */
#ifndef PICUS_VIEW_PAGE_PARTS_H
#define PICUS_VIEW_PAGE_PARTS_H

#include "view/page.h"

/* A result on its way into the page. */
typedef struct page {
  picus_json *out;
  picus_result *result;
  picus_scene *scene; /* NULL: the result has no drawing */
  size_t share;       /* results in the page; each may have this part of its limits */
  picus_thinning thin;
  bool apart;   /* each moving object has rows of its own */
  int *columns; /* numbers of columns in the page */
  const double **values;
  int column_count;
  int left_out; /* columns that did not fit */
  int bits;     /* of columns and tracks: 64, 32 or 16 */
} page;

/* Members of an object of JSON; all but the first end with a comma. */
void picus_page_key(picus_json *out, const char *name);
void picus_page_text(picus_json *out, const char *name, const char *value);
void picus_page_number(picus_json *out, const char *name, double value);
/* One list of numbers: {"b": base64, "e": "f64" | "f32" | "u16" | "i16" | "i32", "a": least, "s": step}. 16 bits are
 * fractions of the range (u16); 65535 is NaN. */
picus_status picus_page_list(picus_json *out, picus_context *context, long count, const double *values, int bits);

/* Chooses columns and rows; 64-bit numbers if they fit, otherwise shorter ones. */
picus_status picus_page_choose(page *p, picus_context *context);
/* The tracks, and the contacts that come and go, as members of the drawing. */
picus_status picus_page_tracks(const page *p, picus_context *context);
picus_status picus_page_touching(const page *p, picus_context *context);

#endif
