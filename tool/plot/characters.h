/* Characters of texts that may not be valid UTF-8. */
#ifndef PICUS_PLOT_CHARACTERS_H
#define PICUS_PLOT_CHARACTERS_H

#include <stddef.h>

/* Copies the first character of text as valid UTF-8 (at most 4 bytes and a 0), and returns how many bytes of text it
 * took; 0 at the end of the text. */
size_t picus_label_character(const char *text, char character[5]);

#endif
