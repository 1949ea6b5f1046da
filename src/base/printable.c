/* Untrusted text made safe for a terminal: printable.h states which characters are shown as codes. */
#include "base/printable.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

int picus_utf8_decode(const unsigned char *text, uint32_t *code) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  int length = text[0] < 0x80 ? 1 : (text[0] & 0xE0) == 0xC0 ? 2 : (text[0] & 0xF0) == 0xE0 ? 3 : 0;
  if ((text[0] & 0xF8) == 0xF0) length = 4;
  if (length == 0) return 0;
  *code = length == 1 ? text[0] : text[0] & (0x7Fu >> length);
  for (int k = 1; k < length; k++) {
    if ((text[k] & 0xC0) != 0x80) return 0; /* also at the end of the text */
    *code = *code << 6 | (text[k] & 0x3F);
  }
  bool is_surrogate = *code >= 0xD800 && *code <= 0xDFFF;
  return *code < least[length] || *code > 0x10FFFF || is_surrogate ? 0 : length;
}

/* Controls of ISO 6429 (C0, delete, C1), and those of Unicode that change the direction of writing or break lines. */
static bool is_control(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x200E && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

/* One character, or one byte that is none, as it shall appear; at most 16 bytes. Returns how many bytes it takes. */
static int show(const unsigned char *text, bool keeps_lines, char shown[24]) {
  uint32_t code = 0;
  int length = picus_utf8_decode(text, &code);
  shown[0] = '\0';
  if (length > 0 && (!is_control(code) || code == '\t' || (keeps_lines && code == '\n'))) {
    memcpy(shown, text, (size_t)length);
    shown[length] = '\0';
    return length;
  }
  if (code == '\n') {
    memcpy(shown, "\\n", 3);
    return 1;
  }
  if (length == 0) length = 1;
  for (int k = 0; k < length; k++) snprintf(shown + 4 * (size_t)k, 8, "\\x%02x", text[k]);
  return length;
}

size_t picus_printable(const char *text, bool keeps_lines, char *out, size_t size) {
  char shown[24];
  size_t all = 0;
  bool fits = size > 0;
  if (fits) out[0] = '\0';
  for (const unsigned char *from = (const unsigned char *)text; *from;) {
    from += show(from, keeps_lines, shown);
    size_t length = strlen(shown);
    fits = fits && all + length < size;
    if (fits) memcpy(out + all, shown, length + 1);
    all += length;
  }
  return all;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool picus_same_letters(const char *text, const char *expected, size_t length) {
  size_t k = 0;
  while (k < length && lower(text[k]) == expected[k] && expected[k]) k++;
  return k == length;
}

bool picus_same_word(const char *text, const char *expected) {
  const size_t length = strlen(expected);
  return strlen(text) == length && picus_same_letters(text, expected, length);
}
