/* The columns of many bodies and laws in a result file: one dataset picus/table/values, rows x columns, compressed, in
 * place of a dataset for each of them, because HDF5 takes about a millisecond and 3 kB for every dataset. The columns
 * of the table follow each other in picus/columns, from number picus/table/first on. To be called while HDF5 is quiet.
 *
 * A chunk has the rows of one block of the recorder. So it is written once, and after a crash its index points to what
 * was committed, as in the tables of nodes and contacts. */
#ifndef PICUS_RESULT_FILE_COLUMN_TABLE_H
#define PICUS_RESULT_FILE_COLUMN_TABLE_H

#include "base/input_file.h"

#include <hdf5.h>
#include <picus/result.h>

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

#endif
