/* Fuzz target: any bytes as a Matrix Market file. What is read must have its entries inside and finite; what is refused
 * must be refused with a sentence; nothing is lost. Built for libFuzzer by -DPICUS_BUILD_FUZZ=ON with clang; the test
 * matrix_market reads damaged files without one. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <picus/picus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(int condition) {
  if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "fuzz-matrix-%ld.mtx", (long)getpid());
  FILE *file = fopen(path, "wb");
  if (!file) return 0;
  size_t written = fwrite(bytes, 1, size, file);
  picus_context *context = NULL;
  if (fclose(file) != 0 || written != size || picus_context_create(NULL, &context)) return 0;
  picus_matrix m;
  if (picus_matrix_read(context, path, &m) == PICUS_OK) {
    for (size_t k = 0; k < m.count; k++) {
      demand(m.row[k] >= 0 && m.row[k] < m.order && m.column[k] >= 0 && m.column[k] < m.order);
      demand(isfinite(m.value[k]));
    }
  } else {
    demand(picus_last_error(context)->message[0] != '\0' || picus_last_error(context)->status == PICUS_ERROR_MEMORY);
  }
  picus_matrix_release(context, &m);
  demand(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  remove(path);
  return 0;
}
