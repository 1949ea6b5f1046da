/* Fuzz target: progress files of models with any name, at any time. They are JSON in UTF-8: one object of strings and
 * numbers. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "fuzz.h"

#include <string.h>

static const char path[] = "fuzz-progress.json";

static const uint8_t *skip(const uint8_t *at) {
  while (*at == ' ' || *at == '\n') at++;
  return at;
}

/* The bytes of a character of UTF-8, by its table in RFC 3629; 0: it is none. */
static int character(const uint8_t *c) {
  if (c[0] < 0x80) return 1;
  const int more = c[0] >= 0xC2 && c[0] <= 0xDF ? 1 : (c[0] & 0xF0) == 0xE0 ? 2 : c[0] >= 0xF0 && c[0] <= 0xF4 ? 3 : 0;
  for (int k = 1; k <= more; k++)
    if ((c[k] & 0xC0) != 0x80) return 0;
  if ((c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F)) return 0;
  if ((c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] > 0x8F)) return 0;
  return more ? more + 1 : 0;
}

static const uint8_t *string(const uint8_t *at) {
  fuzz_demand(*at++ == '"');
  while (*at != '"') {
    fuzz_demand(*at >= 0x20);
    if (*at == '\\') fuzz_demand(strchr("\"\\/bfnrt", *++at) && *at);
    const int size = character(at);
    fuzz_demand(size > 0);
    at += size;
  }
  return at + 1;
}

static const uint8_t *value(const uint8_t *at) {
  char *end;
  if (*at == '"') return string(at);
  if (strncmp((const char *)at, "null", 4) == 0) return at + 4;
  fuzz_demand(*at == '-' || (*at >= '0' && *at <= '9'));
  (void)strtod((const char *)at, &end);
  return (const uint8_t *)end;
}

static void check_json(const uint8_t *at) {
  at = skip(at);
  fuzz_demand(*at == '{');
  do {
    at = skip(string(skip(at + 1)));
    fuzz_demand(*at == ':');
    at = skip(value(skip(at + 1)));
  } while (*at == ',');
  fuzz_demand(*at == '}' && *skip(at + 1) == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static uint8_t text[8192];
  picus_context *context = NULL;
  cli_progress_file file;
  double numbers[3] = {0};
  const size_t front = size < sizeof numbers ? size : sizeof numbers;
  if (picus_context_create(NULL, &context)) return 0;
  memcpy(numbers, bytes, front);
  char *name = calloc(size - front + 1, 1);
  fuzz_demand(name != NULL);
  memcpy(name, bytes + front, size - front);
  cli_progress_file_begin(&file, context, path, name);
  cli_progress_file_start(&file, 0, numbers[0]);
  cli_progress_file_write(&file, &(cli_progress_state){"running", numbers[0], numbers[1], numbers[2], 3}, true);
  FILE *made = fopen(path, "rb");
  fuzz_demand(made != NULL);
  const size_t length = fread(text, 1, sizeof text - 1, made);
  fclose(made);
  text[length] = '\0';
  fuzz_demand(strlen((const char *)text) == length);
  check_json(text);
  free(name);
  remove(path);
  fuzz_end(context);
  return 0;
}
