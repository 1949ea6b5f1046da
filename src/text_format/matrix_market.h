/* Matrix Market files. */
#ifndef PICUS_MODEL_FILE_MATRIX_MARKET_H
#define PICUS_MODEL_FILE_MATRIX_MARKET_H

#include <picus/flexible.h>
#include <picus/model.h>

/* As picus_matrix_read, from bytes; name is that of messages. Rejects a matrix with more than `most` entries, counting
 * both triangles. */
picus_status picus_matrix_parse(picus_context *context, const char *name, const picus_model_file *file, size_t most,
                                picus_matrix *out);

#endif
