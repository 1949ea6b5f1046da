/* Texts of the operating system: the locale of numbers, reasons of errors, streams into memory. */
#ifndef PICUS_PLATFORM_TEXTS_H
#define PICUS_PLATFORM_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The locale C, in which numbers have decimal points and only the letters of ASCII have another case, for the calls of
 * this thread between enter and leave, whatever the program has set. Other threads are not affected. */
typedef struct picus_plain_locale {
#ifdef _WIN32
  int mode;
  char before[512];
#else
  void *plain, *before;
#endif
} picus_plain_locale;

bool picus_locale_create(picus_plain_locale *locale); /* false: out of memory */
void picus_locale_enter(picus_plain_locale *locale);
void picus_locale_leave(picus_plain_locale *locale);
void picus_locale_destroy(picus_plain_locale *locale); /* of one that was created */

void picus_error_text(int error, char *text, size_t size); /* of a number of <errno.h> */

/* To read one or more bytes, which stay where they are; NULL: errno says why. */
FILE *picus_stream_of_bytes(const void *bytes, size_t size);

/* What is written to the stream is the text when it is closed. */
typedef struct picus_text_stream {
  FILE *stream;
  char *text; /* to be freed by free */
  size_t size;
} picus_text_stream;
bool picus_text_open(picus_text_stream *out);   /* false: out of memory */
bool picus_text_close(picus_text_stream *text); /* false: out of memory; there is nothing to be freed then */

#endif
