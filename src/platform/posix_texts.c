/* Texts on POSIX systems. */
#define _POSIX_C_SOURCE 200809L
#include "platform/texts.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

bool picus_locale_create(picus_plain_locale *locale) {
  locale->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return locale->plain != NULL;
}

void picus_locale_enter(picus_plain_locale *locale) { locale->before = uselocale((locale_t)locale->plain); }
void picus_locale_leave(picus_plain_locale *locale) { uselocale((locale_t)locale->before); }
void picus_locale_destroy(picus_plain_locale *locale) { freelocale((locale_t)locale->plain); }

void picus_error_text(int error, char *text, size_t size) {
  if (strerror_r(error, text, size) != 0) snprintf(text, size, "error %d", error);
}

FILE *picus_stream_of_bytes(const void *bytes, size_t size) { return fmemopen((void *)bytes, size, "r"); }

bool picus_text_open(picus_text_stream *out) {
  *out = (picus_text_stream){0};
  out->stream = open_memstream(&out->text, &out->size);
  return out->stream != NULL;
}

bool picus_text_close(picus_text_stream *text) {
  const bool failed = ferror(text->stream) != 0;
  const bool fine = fclose(text->stream) == 0 && !failed;
  text->stream = NULL;
  if (fine) return true;
  free(text->text);
  text->text = NULL;
  return false;
}
