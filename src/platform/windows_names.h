/* What the files of Windows share: names in UTF-16, errors as numbers of <errno.h>. */
#ifndef PICUS_PLATFORM_WINDOWS_NAMES_H
#define PICUS_PLATFORM_WINDOWS_NAMES_H

#include <stddef.h>
#include <wchar.h>

enum { PICUS_WIDE_SIZE = 4096 };
typedef wchar_t picus_wide[PICUS_WIDE_SIZE];

int picus_wide_of(const char *text, picus_wide out);                 /* 0, or an error number */
int picus_text_of_wide(const wchar_t *text, char *out, size_t size); /* the same */
int picus_windows_error(unsigned long code);                         /* of GetLastError */
int picus_last_windows_error(void);
void *picus_windows_handle(int descriptor); /* INVALID_HANDLE_VALUE: none */

#endif
