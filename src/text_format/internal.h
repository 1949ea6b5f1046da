/* Text formats of others: matrices and columns of numbers. */
#ifndef PICUS_TEXT_FORMAT_INTERNAL_H
#define PICUS_TEXT_FORMAT_INTERNAL_H

#include <picus/flexible.h>
#include <picus/model.h>

/* Matrix Market: as picus_matrix_read, from bytes; name is that of messages. Rejects a matrix with more than `most`
 * entries, counting both triangles. */
picus_status picus_matrix_parse(picus_context *context, const char *name, const picus_model_file *file, size_t most,
                                picus_matrix *out);

/* Columns of a table: a column by its name in the head of the file, or by its number, from 1 on. */
typedef struct data_column {
  const char *name; /* NULL: by its number */
  int number;
} data_column;

/* Points x and y; the caller releases both arrays. */
typedef struct data_points {
  int count;
  double *x, *y;
} data_points;

/* name is that of messages. Rejects more than `most` points. */
picus_status picus_points_parse(picus_context *context, const char *name, const picus_model_file *file,
                                const data_column columns[2], size_t most, data_points *out);
void picus_points_release(picus_context *context, data_points *points); /* zeroed ones are fine */

#endif
