/* What the fuzz targets share. Built for libFuzzer by the presets asan and fuzz, run by scripts/fuzz. */
#ifndef PICUS_FUZZ_H
#define PICUS_FUZZ_H

#include <picus/picus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static inline void fuzz_demand(int condition) {
  if (!condition) abort();
}

static inline int fuzz_write_file(const char *path, const uint8_t *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file) return 0;
  size_t written = fwrite(bytes, 1, size, file);
  return fclose(file) == 0 && written == size;
}

/* What is refused is refused with a sentence. Returns whether it was not refused. */
static inline int fuzz_accepted(const picus_context *context, picus_status status) {
  const picus_error *error = picus_last_error(context);
  if (status != PICUS_OK) fuzz_demand(error->message[0] != '\0' || error->status == PICUS_ERROR_MEMORY);
  return status == PICUS_OK;
}

/* The end of an input: nothing is lost. */
static inline void fuzz_end(picus_context *context) {
  fuzz_demand(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

#endif
