/* Two columns of a table in a text file. */
#ifndef PICUS_TEXT_FORMAT_DATA_COLUMNS_H
#define PICUS_TEXT_FORMAT_DATA_COLUMNS_H

#include <picus/model.h>

/* A column by its name in the head of the file, or by its number, from 1 on. */
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
