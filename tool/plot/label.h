/* Labels: markup as runs of text, their sizes, and drawing them. */
#ifndef PICUS_PLOT_LABEL_H
#define PICUS_PLOT_LABEL_H

#include "plot/characters.h"

#include <cairo.h>
#include <stdbool.h>

typedef enum picus_label_script { PICUS_LABEL_BASE, PICUS_LABEL_SUBSCRIPT, PICUS_LABEL_SUPERSCRIPT } picus_label_script;

/* A stretch of text in one size and height. Long stretches come in several runs. */
typedef struct picus_label_run {
  char text[64]; /* valid UTF-8 */
  picus_label_script script;
  bool first;   /* of its stretch */
  bool stacked; /* a script that directly follows the other kind of script: starts where that one started */
} picus_label_run;

typedef struct picus_label_reader {
  const char *next;
  picus_label_script script, previous;
  bool braced, first;
} picus_label_reader;

picus_label_reader picus_label_read(const char *label);
bool picus_label_next(picus_label_reader *reader, picus_label_run *run); /* false at the end */

typedef struct picus_text_size {
  double width, ascent, descent; /* ascent and descent: of the ink, from the baseline, both positive outwards */
} picus_text_size;

void picus_text_begin(cairo_t *cairo); /* the font and how it is rendered */
picus_text_size picus_text_measure(cairo_t *cairo, const char *label, double font_size);
/* Draws with the baseline at y; align 0, 0.5, 1: x is the left end, the middle, the right end. A text wider than
 * max_width is set smaller. upward: turned by 90 degrees, x being the baseline and y the aligned end. */
typedef struct picus_text_spot {
  double x, y, align, max_width;
  bool upward;
} picus_text_spot;
void picus_text_draw(cairo_t *cairo, const char *label, double font_size, picus_text_spot spot);

/* A label wider than max_width, broken at the space that makes both lines most equal. Very long labels are cut. */
typedef struct picus_text_lines {
  int count;
  char text[2][400];
} picus_text_lines;
picus_text_lines picus_text_split(cairo_t *cairo, const char *label, double font_size, double max_width);

#endif
