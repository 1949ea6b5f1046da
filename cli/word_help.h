/* The pages of the manual that describe model files, compiled into the tool; see cmake/EmbedTexts.cmake. */
#ifndef PICUS_CLI_WORD_HELP_H
#define PICUS_CLI_WORD_HELP_H

#include <stddef.h>

typedef struct cli_shipped_page {
  const char *name;
  const char *text; /* terminated */
  size_t length;
} cli_shipped_page;
extern const cli_shipped_page cli_shipped_pages[]; /* ended by NULL */
extern const int cli_shipped_pages_count;

#endif
