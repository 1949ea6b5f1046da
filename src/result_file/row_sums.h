/* Check sums of columns: one for each column and block of rows, in the dataset picus/sums of a result file. The chunks
 * of a column get rows again and again, so a filter of HDF5 would write committed rows anew, which a process that is
 * killed could leave damaged. Blocks begin at multiples of their size, whenever rows are written: the last sums grow
 * with their block. A row of the dataset: the row at which the block ends (two numbers of 32 bits, the lower
 * one first), then the sum of each column that is a dataset, of its values as numbers of 64 bits. Compressed chunks
 * have none: zlib sums them. To be called while HDF5 is quiet. */
#ifndef PICUS_RESULT_FILE_ROW_SUMS_H
#define PICUS_RESULT_FILE_ROW_SUMS_H

#include <hdf5.h>
#include <picus/base.h>
#include <stdint.h>

/* Those that are written; a zeroed one is closed. */
typedef struct picus_row_sums {
  picus_context *context;
  hid_t list;
  size_t width;        /* columns */
  uint64_t block, end; /* rows of a block, and of all blocks so far */
  hsize_t count;       /* blocks */
  uint32_t *row;       /* of the block that is being written */
} picus_row_sums;
/* What a file will have. */
typedef struct picus_summed_rows {
  size_t width;         /* columns that are datasets */
  long block;           /* rows */
  double expected_rows; /* 0: unknown */
} picus_summed_rows;
bool picus_row_sums_create(picus_context *context, hid_t file, picus_summed_rows rows,
                           picus_row_sums *out); /* false: it failed */
bool picus_row_sums_close(picus_row_sums *sums);
/* The next values of a column, up to the end of a block. */
void picus_row_sums_add(picus_row_sums *sums, size_t column, const double *values, size_t count);
/* After the values of all columns, which then have so many. */
bool picus_row_sums_append(picus_row_sums *sums, uint64_t end);

/* Those of a file. */
typedef struct picus_stored_sums {
  size_t count, width;
  uint32_t *rows; /* NULL: there are none */
} picus_stored_sums;
picus_status picus_row_sums_read(picus_context *context, hid_t file, size_t width, picus_stored_sums *out);
typedef struct picus_summed_column {
  size_t column; /* among those that are datasets */
  long rows;
  const double *values;
} picus_summed_column;
/* The first rows, from *first to *end - 1, that are not those that were written; false: all blocks are right. */
bool picus_row_sums_find_damage(const picus_stored_sums *sums, const picus_summed_column *c, long *first, long *end);

#endif
