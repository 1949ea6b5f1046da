/* Matrix Market files. */
#ifndef PICUS_MODEL_FILE_MATRIX_MARKET_H
#define PICUS_MODEL_FILE_MATRIX_MARKET_H

#include <picus/flexible.h>

/* As picus_matrix_read, but rejects a matrix with more than this many entries, counting both triangles. */
picus_status picus_matrix_read_limited(picus_context *context, const char *path, size_t most, picus_matrix *out);

#endif
