/* The font of all figures, found by the system's fontconfig. A static program brings it along instead (own_font.c). */
#include "plot/font.h"

void picus_select_font(cairo_t *cairo) {
  cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
}
