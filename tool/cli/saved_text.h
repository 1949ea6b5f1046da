/* Texts as output files: complete or absent, as base/output_file.h writes them. */
#ifndef PICUS_CLI_SAVED_TEXT_H
#define PICUS_CLI_SAVED_TEXT_H

#include "cli.h"

#include "base/output_file.h"

typedef void (*cli_text_writer)(FILE *file, const void *user);
/* Writes a text at once. false: already reported. */
bool cli_save_text(picus_context *context, const char *path, cli_text_writer write, const void *user);

/* A text that grows. */
typedef struct cli_growing_text {
  picus_output_file file;
  FILE *stream; /* NULL: not open */
} cli_growing_text;
bool cli_growing_text_open(picus_context *context, const char *path, cli_growing_text *text);
/* It gets its name with what it has. Nothing to do if it is not open. false: already reported. */
bool cli_growing_text_close(cli_growing_text *text);
void cli_growing_text_drop(cli_growing_text *text); /* an older file stays */

/* The next line with its end, in a text that grows and is to be freed; 0: there is none. */
size_t cli_next_line(FILE *file, char **line, size_t *size);

#endif
