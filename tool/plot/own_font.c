/* Built instead of font.c for PICUS_STATIC: the font is part of the program, so figures have their letters where the
 * system has no fonts. FreeType and its face live as long as cairo uses them. */
#include "plot/own_font.h"
#include "plot/font.h"

#include <cairo-ft.h>
#include <ft2build.h>
#include <stdlib.h>
#include FT_FREETYPE_H

typedef struct own_font {
  FT_Library library;
  FT_Face face;
} own_font;

static void close_font(void *closed) {
  own_font *own = closed;
  if (own->face) (void)FT_Done_Face(own->face);
  if (own->library) (void)FT_Done_FreeType(own->library);
  free(own);
}

static cairo_font_face_t *open_font(own_font *own) {
  const picus_font_file *file = &picus_font_files[0];
  if (FT_Init_FreeType(&own->library)) return NULL;
  if (FT_New_Memory_Face(own->library, (const FT_Byte *)file->bytes, (FT_Long)file->length, 0, &own->face)) return NULL;
  return cairo_ft_font_face_create_for_ft_face(own->face, 0);
}

void picus_select_font(cairo_t *cairo) {
  static const cairo_user_data_key_t key;
  own_font *own = calloc(1, sizeof *own);
  cairo_font_face_t *face = own ? open_font(own) : NULL;
  if (face && !cairo_font_face_set_user_data(face, &key, own, close_font))
    cairo_set_font_face(cairo, face);
  else if (own)
    close_font(own);
  if (face) cairo_font_face_destroy(face);
}
