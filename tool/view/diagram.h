/* The page of a diagram: the points of a table, with their numbers and the commands of their runs. */
#ifndef PICUS_VIEW_DIAGRAM_H
#define PICUS_VIEW_DIAGRAM_H

#include "view/json.h"

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

#endif
