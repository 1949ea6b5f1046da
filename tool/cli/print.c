/* All output of the tool. Formats belong to the tool; text arguments come from models, files and the command line and
 * are made printable first, so that none can control the terminal. */
#include "cli.h"

#include "base/printable.h"
#include "platform/console.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
  va_list list;
} arguments;

/* A conversion of a format: %-20s, %*d, %.9g, %zu, ... */
typedef struct conversion {
  char text[32]; /* with numbers in place of * */
  char size;     /* 'l', 'z' or 0 */
  char type;
} conversion;

/* Appends digits, or the next argument for *, to the text. */
static const char *copy_number(const char *format, arguments *from, conversion *c) {
  size_t used = strlen(c->text);
  if (*format == '*') {
    snprintf(c->text + used, sizeof c->text - used, "%d", va_arg(from->list, int));
    return format + 1;
  }
  while (isdigit((unsigned char)*format) && used < sizeof c->text - 8) c->text[used++] = *format++;
  return format;
}

static void append(conversion *c, char letter) {
  size_t used = strlen(c->text);
  if (used + 1 < sizeof c->text) c->text[used] = letter;
}

/* Reads the conversion after a %; returns the rest of the format. */
static const char *read_conversion(const char *format, arguments *from, conversion *c) {
  *c = (conversion){.text = "%"};
  while (*format && strchr("-+ #0", *format)) append(c, *format++);
  format = copy_number(format, from, c);
  if (*format == '.') {
    append(c, *format++);
    format = copy_number(format, from, c);
  }
  if (*format == 'l' || *format == 'z') append(c, c->size = *format++);
  append(c, c->type = *format);
  return *format ? format + 1 : format;
}

static void print_text(FILE *file, const char *format, const char *text) {
  char few[1024]; /* also what is left to say when memory has run out, if need be cut */
  size_t size = picus_printable(text, false, NULL, 0) + 1;
  char *many = size > sizeof few ? malloc(size) : NULL, *shown = many ? many : few;
  picus_printable(text, false, shown, many ? size : sizeof few);
  fprintf(file, format, shown);
  free(many);
}

static void print_integer(FILE *file, const conversion *c, arguments *from) {
  if (c->size == 'z')
    fprintf(file, c->text, va_arg(from->list, size_t));
  else if (c->size == 'l')
    fprintf(file, c->text, va_arg(from->list, long));
  else
    fprintf(file, c->text, va_arg(from->list, int));
}

static void print_argument(FILE *file, const conversion *c, arguments *from) {
  switch (c->type) {
  case '%':
    fputc('%', file);
    break;
  case 's':
    print_text(file, c->text, va_arg(from->list, const char *));
    break;
  case 'g':
  case 'f':
  case 'e':
    fprintf(file, c->text, va_arg(from->list, double));
    break;
  default: /* d, i, u, x, c */
    print_integer(file, c, from);
  }
}

static void print_all(FILE *file, const char *format, arguments *from) {
  conversion c;
  while (*format) {
    size_t plain = strcspn(format, "%");
    fwrite(format, 1, plain, file);
    format += plain;
    if (!*format) break;
    format = read_conversion(format + 1, from, &c);
    print_argument(file, &c, from);
  }
}

void cli_fprint(FILE *file, const char *format, ...) {
  arguments all;
  va_start(all.list, format);
  print_all(file, format, &all);
  va_end(all.list);
}

void cli_print(const char *format, ...) {
  arguments all;
  va_start(all.list, format);
  print_all(stdout, format, &all);
  va_end(all.list);
}

void cli_complain(const char *format, ...) {
  arguments all;
  fputs("picus: ", stderr);
  va_start(all.list, format);
  print_all(stderr, format, &all);
  va_end(all.list);
  fputc('\n', stderr);
}

void cli_print_source(const char *source) {
  size_t size = picus_printable(source, true, NULL, 0) + 1;
  char *shown = picus_console_is_terminal(stdout) ? malloc(size) : NULL;
  if (shown) picus_printable(source, true, shown, size);
  fputs(shown ? shown : source, stdout);
  free(shown);
}
