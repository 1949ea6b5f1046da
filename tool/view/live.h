/* The page of picus live: one HTML file with a model as text, and the library itself as WebAssembly. */
#ifndef PICUS_VIEW_LIVE_H
#define PICUS_VIEW_LIVE_H

#include "view/json.h"

/* Values of parameters that the page begins with. */
typedef struct picus_live_value {
  const char *name;
  double value;
} picus_live_value;
typedef struct picus_live_model {
  const char *name, *text;
  bool has_space; /* it has a drawing in space */
  int value_count;
  const picus_live_value *values;
} picus_live_model;
/* Whether this tool was built with the library for the browser. */
bool picus_live_is_built(void);
picus_status picus_live_write(picus_context *context, int count, const picus_live_model *models, picus_json *out);

#endif
