#include "base/growing_text.h"
#include "base/internal.h"

#include <stdio.h>
#include <string.h>

/* Room for so many bytes more and the zero behind them. */
static bool reserve(picus_growing_text *text, size_t more) {
  if (text->status) return false;
  if (more < text->capacity - text->size) return true;
  const size_t capacity = 2 * text->capacity + more + 1024;
  char *larger = picus_reallocate(text->context, text->bytes, capacity, 1);
  if (!larger) {
    text->status = PICUS_ERROR_MEMORY;
    return false;
  }
  text->bytes = larger;
  text->capacity = capacity;
  return true;
}

void picus_growing_add(picus_growing_text *text, const char *bytes, size_t size) {
  if (!reserve(text, size)) return;
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
  text->bytes[text->size] = '\0';
}

void picus_growing_put(picus_growing_text *text, const char *plain) { picus_growing_add(text, plain, strlen(plain)); }

void picus_growing_format_list(picus_growing_text *text, const char *format, va_list arguments) {
  va_list again;
  char first[1];
  va_copy(again, arguments);
  const int length = vsnprintf(first, sizeof first, format, arguments);
  if (length > 0 && reserve(text, (size_t)length)) {
    vsnprintf(text->bytes + text->size, (size_t)length + 1, format, again);
    text->size += (size_t)length;
  }
  va_end(again);
}

void picus_growing_format(picus_growing_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the line above initializes it
  picus_growing_format_list(text, format, arguments);
  va_end(arguments);
}
