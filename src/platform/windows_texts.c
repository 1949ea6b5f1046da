/* Texts on Windows. Streams into memory are files that the system removes when they are closed. */
#include "platform/files.h"
#include "platform/texts.h"
#include "platform/windows_names.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

bool picus_locale_create(picus_plain_locale *locale) {
  *locale = (picus_plain_locale){0};
  return true;
}

/* A locale whose name is too long is left alone: it comes back as C. */
void picus_locale_enter(picus_plain_locale *locale) {
  locale->mode = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
  const char *before = setlocale(LC_ALL, NULL);
  snprintf(locale->before, sizeof locale->before, "%s",
           before && strlen(before) < sizeof locale->before ? before : "C");
  if (strcmp(locale->before, "C") != 0) (void)setlocale(LC_ALL, "C");
}

void picus_locale_leave(picus_plain_locale *locale) {
  if (strcmp(locale->before, "C") != 0) (void)setlocale(LC_ALL, locale->before);
  (void)_configthreadlocale(locale->mode);
}

void picus_locale_destroy(picus_plain_locale *locale) { (void)locale; }

void picus_error_text(int error, char *text, size_t size) {
  if (strerror_s(text, size, error) != 0) snprintf(text, size, "error %d", error);
}

static FILE *temporary_file(void) {
  picus_wide folder, name;
  const DWORD length = GetTempPathW(PICUS_WIDE_SIZE, folder);
  if (length == 0 || length >= PICUS_WIDE_SIZE || !GetTempFileNameW(folder, L"pic", 0, name)) {
    errno = picus_last_windows_error();
    return NULL;
  }
  HANDLE handle = CreateFileW(name, GENERIC_READ | GENERIC_WRITE | DELETE, FILE_SHARE_DELETE, NULL, CREATE_ALWAYS,
                              FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
  if (handle == INVALID_HANDLE_VALUE) {
    errno = picus_last_windows_error();
    return NULL;
  }
  const int descriptor = _open_osfhandle((intptr_t)handle, _O_RDWR | _O_BINARY | _O_NOINHERIT);
  FILE *file = descriptor >= 0 ? _fdopen(descriptor, "w+b") : NULL;
  if (!file && descriptor >= 0)
    _close(descriptor);
  else if (!file)
    CloseHandle(handle);
  return file;
}

FILE *picus_stream_of_bytes(const void *bytes, size_t size) {
  FILE *file = temporary_file();
  if (!file) return NULL;
  if (fwrite(bytes, 1, size, file) == size && fseek(file, 0, SEEK_SET) == 0) return file;
  fclose(file);
  return NULL;
}

bool picus_text_open(picus_text_stream *out) {
  *out = (picus_text_stream){.stream = temporary_file()};
  return out->stream != NULL;
}

bool picus_text_close(picus_text_stream *text) {
  FILE *file = text->stream;
  const int64_t size = _ftelli64(file);
  text->text = size >= 0 ? malloc((size_t)size + 1) : NULL;
  bool fine = text->text && !ferror(file) && fseek(file, 0, SEEK_SET) == 0 &&
              fread(text->text, 1, (size_t)size, file) == (size_t)size;
  fine = fclose(file) == 0 && fine;
  text->stream = NULL;
  if (fine) {
    text->text[size] = '\0';
    text->size = (size_t)size;
    return true;
  }
  free(text->text);
  text->text = NULL;
  return false;
}
