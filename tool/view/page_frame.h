/* What surrounds the data of a page: its head with the policy, its styles and its scripts, from the embedded parts; and
 * the pages of a diagram and of picus live. */
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

/* The page of a diagram: the points of a table, with their numbers and the commands of their runs. */

typedef struct picus_diagram_column {
  const char *name, *unit;
  const char *word; /* what precedes a value in the command of a run: "--set mu="; "": it does not vary */
  const double *values;
} picus_diagram_column;
typedef struct picus_diagram {
  const char *title;
  const char *command; /* of a run, without what varies; "": unknown */
  int column_count, x, y;
  const picus_diagram_column *columns;
  long rows;
} picus_diagram;
enum { PICUS_DIAGRAM_NUMBERS = 20000000 }; /* the most that a page has */
picus_status picus_diagram_write(picus_context *context, const picus_diagram *diagram, picus_json *out);

/* The page of picus live: one HTML file with a model as text, and the library itself as WebAssembly. */

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
