/* Untrusted text (names, messages, files) made safe for a terminal: characters that could move the cursor, change
 * colours or titles, or change the direction of writing are shown as \xHH or \n. Valid printable UTF-8 and tabs
 * stay. */
#ifndef PICUS_BASE_PRINTABLE_H
#define PICUS_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes at most size bytes including the terminator, and returns the full length, as snprintf does. Text that does not
 * fit is cut between characters. keeps_lines: line feeds stay. */
size_t picus_printable(const char *text, bool keeps_lines, char *out, size_t size);

/* The length of the UTF-8 character at the start of a text, with its code point; 0: it is not one (RFC 3629). */
int picus_utf8_decode(const unsigned char *text, uint32_t *code);
/* Do two texts have the same characters, if letters of ASCII may have either case? expected is in lower case. */
bool picus_same_letters(const char *text, const char *expected, size_t length);
bool picus_same_word(const char *text, const char *expected);

#endif
