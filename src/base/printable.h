/* Text from outside (names, messages, files) made fit for a terminal: what could move the cursor, change colours or
 * titles, or turn the direction of writing is shown as \xHH or \n. What is valid UTF-8 and printable stays, and so do
 * tabs. */
#ifndef PICUS_BASE_PRINTABLE_H
#define PICUS_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes at most size bytes, the end included, and returns the length that all of it has, as snprintf does. What does
 * not fit is left out between characters. keeps_lines: line feeds stay. */
size_t picus_printable(const char *text, bool keeps_lines, char *out, size_t size);

#endif
