/* Characters of texts: valid UTF-8 as it is, anything else as the replacement character. */
#include "plot/characters.h"

#include <string.h>

/* Length of the valid UTF-8 sequence at text, 0 if there is none (RFC 3629: no overlong forms, no surrogates). */
static size_t valid_sequence(const unsigned char *text) {
  unsigned char lead = text[0];
  if (lead < 0x80) return lead ? 1 : 0;
  size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  for (size_t i = 1; i < length; i++)
    if ((text[i] & 0xC0) != 0x80) return 0;
  if ((lead == 0xE0 && text[1] < 0xA0) || (lead == 0xED && text[1] > 0x9F)) return 0;
  if ((lead == 0xF0 && text[1] < 0x90) || (lead == 0xF4 && text[1] > 0x8F)) return 0;
  return length;
}

size_t picus_label_character(const char *text, char character[5]) {
  const unsigned char *bytes = (const unsigned char *)text;
  memset(character, 0, 5);
  if (!bytes[0]) return 0;
  size_t length = valid_sequence(bytes);
  if (length == 0) {
    memcpy(character, "\xEF\xBF\xBD", 3); /* U+FFFD */
    return 1;
  }
  memcpy(character, text, length);
  if (bytes[0] < 0x20 || bytes[0] == 0x7F) character[0] = ' ';
  return length;
}
