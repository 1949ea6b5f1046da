/* The font of all figures: DejaVu Sans, which has the Greek letters and signs of mechanics. */
#ifndef PICUS_PLOT_FONT_H
#define PICUS_PLOT_FONT_H

#include <cairo.h>

void picus_select_font(cairo_t *cairo);

#endif
