/* The columns of many bodies and laws in a result file: one dataset picus/table/values, rows x columns, compressed, in
 * place of a dataset for each of them, because HDF5 takes about a millisecond and 3 kB for every dataset. The columns
 * of the table follow each other in picus/columns, from number picus/table/first on. To be called while HDF5 is quiet.
 *
 * A chunk has the rows of one block of the recorder. So it is written once, and after a crash its index points to what
 * was committed, as in the tables of nodes and contacts. */
#ifndef PICUS_TABLE_COLUMN_TABLE_H
#define PICUS_TABLE_COLUMN_TABLE_H

#include "base/input_file.h"

#include <hdf5.h>
#include <picus/base.h>
#include <picus/result.h>
#include <stdint.h>

/* One that is written; width 0: there is none. */
typedef struct picus_hdf5_columns {
  hid_t values;
  int first, width; /* its columns */
} picus_hdf5_columns;

/* The columns that a table has: those of states and laws, if they are many. */
picus_hdf5_columns picus_hdf5_columns_choose(int column_count, const picus_column *columns);
bool picus_hdf5_columns_has(const picus_hdf5_columns *table, int column);
/* false: it failed. block_rows: of the recorder; expected_rows: of the run; 0: unknown. */
bool picus_hdf5_columns_create(hid_t file, long block_rows, double expected_rows, picus_hdf5_columns *table);
/* A block of rows: row-major, of all columns of the result. */
typedef struct picus_row_block {
  long start, count;
  int column_count;
  const double *rows;
} picus_row_block;
bool picus_hdf5_columns_append(const picus_hdf5_columns *table, const picus_row_block *block);
bool picus_hdf5_columns_close(picus_hdf5_columns *table);

/* One that is read; width 0: the file has none. */
typedef struct picus_stored_columns {
  int first, width;
  int64_t rows;
  int band; /* columns that are uncompressed together */
} picus_stored_columns;
/* column_count: of the file. */
picus_status picus_hdf5_columns_measure(picus_context *context, const char *path, hid_t file, size_t column_count,
                                        picus_stored_columns *out);
/* A rectangle of the table. */
typedef struct picus_column_range {
  int first, width; /* from the first column of the table */
  long row, rows;   /* the first one, and how many */
} picus_column_range;
/* reason: of a failure. */
bool picus_hdf5_columns_read(hid_t file, const picus_column_range *range, double *values,
                             char reason[PICUS_REASON_SIZE]);

/* --- checksums of columns ----------------------------------------------------------------------------------------- */

/* Check sums of columns: one for each column and block of rows, in the dataset picus/sums of a result file. The chunks
 * of a column get rows again and again, so a filter of HDF5 would write committed rows anew, which a process that is
 * killed could leave damaged. Blocks begin at multiples of their size, whenever rows are written: the last sums grow
 * with their block. A row of the dataset: the row at which the block ends (two numbers of 32 bits, the lower
 * one first), then the sum of each column that is a dataset, of its values as numbers of 64 bits. Compressed chunks
 * have none: zlib sums them. To be called while HDF5 is quiet. */

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
