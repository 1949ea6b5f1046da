#include "rows_by_hand.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHUNK_ROWS = 1024 };

typedef struct hand {
  rows_format format;
  const char *path;
  FILE *file;
  hid_t h5, table;
  hsize_t rows;
} hand;

static picus_status status_of(bool good) { return good ? PICUS_OK : PICUS_ERROR_IO; }

static picus_status open_table(hand *h, int columns) {
  const hsize_t none[2] = {0, (hsize_t)columns}, most[2] = {H5S_UNLIMITED, (hsize_t)columns};
  const hsize_t chunk[2] = {CHUNK_ROWS, (hsize_t)columns};
  const hid_t space = H5Screate_simple(2, none, most), how = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(how, 2, chunk);
  if (h->format == ROWS_HDF5_DEFLATED) {
    H5Pset_shuffle(how);
    H5Pset_deflate(how, 1);
  }
  h->h5 = H5Fcreate(h->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  h->table = H5Dcreate2(h->h5, "rows", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT);
  H5Pclose(how);
  H5Sclose(space);
  return status_of(h->table >= 0);
}

static picus_status open_file(void *self, const picus_run_description *run, int column_count,
                              const picus_column *columns) {
  hand *h = self;
  (void)run;
  (void)columns;
  if (h->format >= ROWS_HDF5) return open_table(h, column_count);
  if (h->format != ROWS_NOWHERE) h->file = fopen(h->path, "w");
  return status_of(h->format == ROWS_NOWHERE || h->file);
}

static picus_status append(hand *h, hsize_t count, hsize_t columns, const double *rows) {
  const hsize_t all[2] = {h->rows + count, columns}, first[2] = {h->rows, 0}, block[2] = {count, columns};
  bool good = H5Dset_extent(h->table, all) >= 0;
  const hid_t in_file = H5Dget_space(h->table), in_memory = H5Screate_simple(2, block, NULL);
  good = good && H5Sselect_hyperslab(in_file, H5S_SELECT_SET, first, NULL, block, NULL) >= 0 &&
         H5Dwrite(h->table, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, rows) >= 0;
  H5Sclose(in_memory);
  H5Sclose(in_file);
  h->rows += count;
  return status_of(good);
}

static picus_status print(FILE *file, long row_count, int column_count, const double *rows) {
  for (long k = 0; k < row_count; k++)
    for (int j = 0; j < column_count; j++)
      fprintf(file, j + 1 < column_count ? "%.17g," : "%.17g\n", rows[k * column_count + j]);
  return status_of(!ferror(file));
}

static picus_status write_rows(void *self, long row_count, int column_count, const double *rows) {
  hand *h = self;
  const size_t count = (size_t)row_count * (size_t)column_count;
  switch (h->format) {
  case ROWS_NOWHERE:
    return PICUS_OK;
  case ROWS_RAW:
    return status_of(fwrite(rows, sizeof *rows, count, h->file) == count);
  case ROWS_TEXT:
    return print(h->file, row_count, column_count, rows);
  case ROWS_HDF5:
  case ROWS_HDF5_DEFLATED:
    return append(h, (hsize_t)row_count, (hsize_t)column_count, rows);
  }
  return PICUS_OK;
}

static picus_status close_file(void *self, const picus_summary *summary) {
  hand *h = self;
  (void)summary;
  bool good = true;
  if (h->file) good = fclose(h->file) == 0;
  if (h->table >= 0) H5Dclose(h->table);
  if (h->h5 >= 0) good = H5Fclose(h->h5) >= 0 && good;
  h->file = NULL;
  h->table = h->h5 = -1;
  return status_of(good);
}

picus_status rows_by_hand(picus_recorder *recorder, rows_format format, const char *path) {
  hand *h = malloc(sizeof *h);
  if (!h) return PICUS_ERROR_MEMORY;
  *h = (hand){.format = format, .path = path, .h5 = -1, .table = -1};
  const picus_sink sink = {.self = h, .open = open_file, .write = write_rows, .close = close_file, .destroy = free};
  return picus_recorder_add_sink(recorder, sink);
}
