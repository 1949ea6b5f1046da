/* A picture of lines, areas, circles and texts in pixels, saved as PNG. */
#ifndef PICUS_PLOT_SKETCH_H
#define PICUS_PLOT_SKETCH_H

#include <picus/base.h>

typedef struct picus_sketch picus_sketch;
typedef enum picus_mark_kind {
  PICUS_MARK_LINE,
  PICUS_MARK_AREA,
  PICUS_MARK_CIRCLE,
  PICUS_MARK_TEXT,
  PICUS_MARK_BALL /* a circle, shaded */
} picus_mark_kind;
/* Colours are 0xrrggbb; -1: none. */
typedef struct picus_mark {
  picus_mark_kind kind;
  int count;
  const double (*points)[2];
  double radius, width;
  long line, fill;
  const char *text;
} picus_mark;

/* White at first. */
picus_status picus_sketch_create(picus_context *context, int width, int height, picus_sketch **out);
/* What is added next appears only in this part of the picture. */
void picus_sketch_clip(picus_sketch *sketch, double x, double y, double width, double height);
void picus_sketch_add(picus_sketch *sketch, const picus_mark *mark);
/* Its pixels: blue, green, red and a byte without meaning each; *size bytes. Lifetime: until the next change. */
const unsigned char *picus_sketch_pixels(picus_sketch *sketch, size_t *size);
picus_status picus_sketch_save(picus_sketch *sketch, const char *path);
void picus_sketch_destroy(picus_sketch *sketch);

#endif
