/* The font file in the program, which CMake embeds for PICUS_STATIC. */
#ifndef PICUS_PLOT_OWN_FONT_H
#define PICUS_PLOT_OWN_FONT_H

#include <stddef.h>

typedef struct picus_font_file {
  const char *name, *bytes;
  size_t length;
} picus_font_file;

extern const picus_font_file picus_font_files[]; /* one, ended by zeros */

#endif
