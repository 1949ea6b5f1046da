/* Fuzz target: any bytes as a Matrix Market file. What is read must have its entries inside and finite; what is refused
 * must be refused with a sentence; nothing is lost. The test matrix_market reads damaged files without libFuzzer. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <math.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "fuzz-matrix-%ld.mtx", (long)getpid());
  picus_context *context = NULL;
  if (!fuzz_write_file(path, bytes, size) || picus_context_create(NULL, &context)) return 0;
  picus_matrix m;
  if (fuzz_accepted(context, picus_matrix_read(context, path, &m)))
    for (size_t k = 0; k < m.count; k++) {
      fuzz_demand(m.row[k] >= 0 && m.row[k] < m.order && m.column[k] >= 0 && m.column[k] < m.order);
      fuzz_demand(isfinite(m.value[k]));
    }
  picus_matrix_release(context, &m);
  fuzz_end(context);
  remove(path);
  return 0;
}
