/* Texts compiled into the tool; see cmake/EmbedTexts.cmake. */
#ifndef PICUS_CLI_SHIPPED_TEXTS_H
#define PICUS_CLI_SHIPPED_TEXTS_H

#include <stddef.h>

typedef struct cli_shipped_text {
  const char *name;
  const char *text; /* terminated */
  size_t length;
} cli_shipped_text;

/* The item files of 'picus reproduce', and the pages of the manual about model files; both ended by NULL. */
extern const cli_shipped_text cli_shipped_items[];
extern const int cli_shipped_items_count;
extern const cli_shipped_text cli_shipped_pages[];
extern const int cli_shipped_pages_count;

#endif
