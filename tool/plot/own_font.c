/* Built instead of font.c for PICUS_STATIC: the font is part of the program, so figures have their letters where the
 * system has no fonts. FreeType lives as long as cairo uses its face. */
#include "plot/own_font.h"
#include "plot/font.h"

#include <cairo-ft.h>
#include <freetype/freetype.h>

static void close_library(void *library) { (void)FT_Done_FreeType(library); } /* and all its faces */

/* Without memory, cairo keeps its built-in letters. */
void picus_select_font(cairo_t *cairo) {
  static const cairo_user_data_key_t key;
  const picus_font_file *file = &picus_font_files[0];
  FT_Library library = NULL;
  FT_Face face = NULL;
  if (FT_Init_FreeType(&library)) return;
  if (FT_New_Memory_Face(library, (const FT_Byte *)file->bytes, (FT_Long)file->length, 0, &face)) {
    close_library(library);
    return;
  }
  cairo_font_face_t *font = cairo_ft_font_face_create_for_ft_face(face, 0);
  if (cairo_font_face_set_user_data(font, &key, library, close_library))
    close_library(library);
  else
    cairo_set_font_face(cairo, font);
  cairo_font_face_destroy(font);
}
