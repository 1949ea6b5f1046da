/* Matrix Market files. */
#ifndef PICUS_MODEL_FILE_MATRIX_MARKET_H
#define PICUS_MODEL_FILE_MATRIX_MARKET_H

#include <picus/flexible.h>

/* As picus_matrix_read, but refuses a matrix of more than so many entries, both triangles counted. */
picus_status picus_matrix_read_limited(picus_context *context, const char *path, size_t most, picus_matrix *out);

#endif
