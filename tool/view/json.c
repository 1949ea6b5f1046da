/* A text that grows, and JSON written into it. */
#include "view/json.h"
#include "base/internal.h"
#include "base/printable.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

picus_status picus_json_begin(picus_context *context, picus_json *text) {
  *text = (picus_json){.context = context, .powers = picus_allocate(context, 1, sizeof(picus_decimal_powers))};
  if (!text->powers) return text->status = PICUS_ERROR_MEMORY;
  picus_decimal_prepare(text->powers);
  return PICUS_OK;
}

void picus_json_release(picus_json *text) {
  picus_release(text->context, text->bytes);
  picus_release(text->context, text->powers);
  *text = (picus_json){0};
}

static bool reserve(picus_json *text, size_t more) {
  if (text->status) return false;
  if (more <= text->capacity - text->size) return true;
  size_t capacity = text->size + more + text->capacity / 2 + 1024;
  char *bytes = picus_reallocate(text->context, text->bytes, capacity, 1);
  if (!bytes) {
    text->status = PICUS_ERROR_MEMORY;
    return false;
  }
  text->bytes = bytes;
  text->capacity = capacity;
  return true;
}

void picus_json_add(picus_json *text, const char *bytes, size_t size) {
  if (!reserve(text, size)) return;
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
}

void picus_json_put(picus_json *text, const char *plain) { picus_json_add(text, plain, strlen(plain)); }

void picus_json_format(picus_json *text, const char *format, ...) {
  char line[501];
  va_list arguments;
  va_start(arguments, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the line above initializes it
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  picus_json_put(text, line);
}

void picus_json_string(picus_json *text, const char *any) {
  picus_json_put(text, "\"");
  for (const unsigned char *c = (const unsigned char *)any; *c;) {
    uint32_t code = 0;
    const int length = picus_utf8_decode(c, &code);
    const bool is_separator = code == 0x2028 || code == 0x2029;
    if (length == 0) {
      picus_json_put(text, "\\ufffd");
      c++;
    } else if (length == 1 && (*c < ' ' || *c == 127 || strchr("<>&'\"\\", *c))) {
      picus_json_format(text, "\\u%04x", *c);
      c++;
    } else {
      if (is_separator)
        picus_json_put(text, " ");
      else
        picus_json_add(text, (const char *)c, (size_t)length);
      c += length;
    }
  }
  picus_json_put(text, "\"");
}

void picus_json_number(picus_json *text, double value) {
  char digits[PICUS_DECIMAL_SIZE];
  if (!isfinite(value)) {
    picus_json_put(text, "null");
    return;
  }
  if (text->status) return;
  picus_json_add(text, digits, (size_t)(picus_decimal_write(text->powers, value, digits) - digits));
}

void picus_json_letters(picus_json *text, const void *bytes, size_t size) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *from = bytes;
  if (!reserve(text, 4 * ((size + 2) / 3))) return;
  char *to = text->bytes + text->size;
  for (size_t k = 0; k < size; k += 3) {
    size_t left = size - k;
    unsigned long word =
        (unsigned long)from[k] << 16 | (left > 1 ? (unsigned long)from[k + 1] << 8 : 0) | (left > 2 ? from[k + 2] : 0);
    *to++ = letters[word >> 18 & 63];
    *to++ = letters[word >> 12 & 63];
    *to++ = left > 1 ? letters[word >> 6 & 63] : '=';
    *to++ = left > 2 ? letters[word & 63] : '=';
  }
  text->size = (size_t)(to - text->bytes);
}

void picus_json_base64(picus_json *text, const void *bytes, size_t size) {
  picus_json_put(text, "\"");
  picus_json_letters(text, bytes, size);
  picus_json_put(text, "\"");
}
