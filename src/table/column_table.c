/* Columns in a result file beside those that are datasets of their own: the table of many columns, and the checksums
 * of columns; column_table.h describes both layouts. */
#include "table/column_table.h"
#include "base/checksums.h"
#include "base/internal.h"
#include "hdf5/read.h"
#include "hdf5/support.h"

#include <limits.h>
#include <string.h>

/* --- table of many columns ---------------------------------------------------------------------------------------- */

enum {
  RANK = 2,
  MOST_OWN = 3000, /* columns of 500 planar bodies, which take about a second as datasets */
  CHUNK_BYTES = 65536
};

static bool is_many(picus_column_kind kind) {
  switch (kind) {
  case PICUS_COLUMN_COORDINATE:
  case PICUS_COLUMN_VELOCITY:
  case PICUS_COLUMN_INPUT: /* between the states and the laws */
  case PICUS_COLUMN_GAP:
  case PICUS_COLUMN_LAW_VELOCITY:
  case PICUS_COLUMN_PERCUSSION:
  case PICUS_COLUMN_MODE:
  case PICUS_COLUMN_FORCE:
  case PICUS_COLUMN_IMPULSE:
    return true;
  case PICUS_COLUMN_TIME:
  case PICUS_COLUMN_ENERGY:
  case PICUS_COLUMN_STEP:
  case PICUS_COLUMN_OBSERVABLE:
  case PICUS_COLUMN_WORK:
    break;
  }
  return false;
}

picus_hdf5_columns picus_hdf5_columns_choose(int column_count, const picus_column *columns) {
  int first = 0, end;
  while (first < column_count && !is_many(columns[first].kind)) first++;
  for (end = first; end < column_count && is_many(columns[end].kind);) end++;
  return (picus_hdf5_columns){.values = -1, .first = first, .width = end - first > MOST_OWN ? end - first : 0};
}

bool picus_hdf5_columns_has(const picus_hdf5_columns *table, int column) {
  return column >= table->first && column - table->first < table->width;
}

/* --- writing --- */

static void choose_chunk(const picus_hdf5_columns *table, long block_rows, double expected_rows, hsize_t chunk[RANK]) {
  chunk[0] = (hsize_t)block_rows;
  if (expected_rows >= 1 && expected_rows < (double)block_rows) chunk[0] = (hsize_t)expected_rows;
  chunk[1] = CHUNK_BYTES / (chunk[0] * sizeof(double));
  if (chunk[1] < 1) chunk[1] = 1;
  if (chunk[1] > (hsize_t)table->width) chunk[1] = (hsize_t)table->width;
}

bool picus_hdf5_columns_create(hid_t file, long block_rows, double expected_rows, picus_hdf5_columns *table) {
  if (table->width == 0) return true;
  const hsize_t size[RANK] = {0, (hsize_t)table->width}, most[RANK] = {H5S_UNLIMITED, (hsize_t)table->width};
  hsize_t chunk[RANK];
  choose_chunk(table, block_rows, expected_rows, chunk);
  hid_t picus = H5Gopen2(file, "picus", H5P_DEFAULT);
  hid_t group = picus >= 0 ? picus_hdf5_create_group(picus, "table") : -1;
  hid_t space = H5Screate_simple(RANK, size, most), access = picus_hdf5_list_access();
  hid_t creation = picus_hdf5_table_creation(RANK, chunk);
  bool done = group >= 0 && space >= 0 && access >= 0 && creation >= 0;
  if (done) table->values = H5Dcreate2(group, "values", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, access);
  done = done && table->values >= 0 && picus_hdf5_put_integer(group, "first", table->first);
  if (creation >= 0) H5Pclose(creation);
  if (access >= 0) H5Pclose(access);
  if (space >= 0) H5Sclose(space);
  if (group >= 0) H5Gclose(group);
  if (picus >= 0) H5Gclose(picus);
  return done;
}

bool picus_hdf5_columns_append(const picus_hdf5_columns *table, const picus_row_block *block) {
  if (table->width == 0) return true;
  const hsize_t width = (hsize_t)table->width, count = (hsize_t)block->count, start = (hsize_t)block->start;
  const hsize_t length[RANK] = {start + count, width}, whole[RANK] = {count, (hsize_t)block->column_count};
  const hsize_t from[RANK] = {0, (hsize_t)table->first}, to[RANK] = {start, 0}, size[RANK] = {count, width};
  hid_t memory = H5Screate_simple(RANK, whole, NULL), target = H5Screate_simple(RANK, length, NULL);
  bool done = memory >= 0 && target >= 0 && H5Sselect_hyperslab(memory, H5S_SELECT_SET, from, NULL, size, NULL) >= 0 &&
              H5Sselect_hyperslab(target, H5S_SELECT_SET, to, NULL, size, NULL) >= 0 &&
              H5Dset_extent(table->values, length) >= 0 &&
              H5Dwrite(table->values, H5T_NATIVE_DOUBLE, memory, target, H5P_DEFAULT, block->rows) >= 0;
  if (target >= 0) H5Sclose(target);
  if (memory >= 0) H5Sclose(memory);
  return done;
}

bool picus_hdf5_columns_close(picus_hdf5_columns *table) {
  bool done = table->width == 0 || table->values < 0 || H5Dclose(table->values) >= 0;
  table->values = -1;
  return done;
}

/* --- reading --- */

static hid_t open_values(hid_t group) {
  hid_t values = picus_hdf5_open(group, "values");
  if (values < 0 || H5Iget_type(values) == H5I_DATASET) return values;
  H5Oclose(values);
  return -1;
}

static int width_of(hid_t values) {
  hsize_t size[RANK] = {0, 0};
  hid_t space = H5Dget_space(values);
  const bool is_table = space >= 0 && H5Sget_simple_extent_ndims(space) == RANK &&
                        H5Sget_simple_extent_dims(space, size, NULL) == RANK && size[1] >= 1 && size[1] <= INT_MAX;
  if (space >= 0) H5Sclose(space);
  return is_table ? (int)size[1] : 0;
}

/* The width of a chunk, unless many rows of it would take much memory. */
static int band_of(hid_t values, const picus_stored_columns *table) {
  enum { MOST_BYTES = 64 << 20 };
  hsize_t chunk[RANK] = {1, 1};
  hid_t creation = H5Dget_create_plist(values);
  if (creation < 0 || H5Pget_layout(creation) != H5D_CHUNKED || H5Pget_chunk(creation, RANK, chunk) != RANK)
    chunk[1] = 1;
  if (creation >= 0) H5Pclose(creation);
  const double most = table->rows > 0 ? MOST_BYTES / ((double)table->rows * sizeof(double)) : 1;
  double band = chunk[1] < (hsize_t)table->width ? (double)chunk[1] : table->width;
  if (band > most) band = most;
  return band >= 1 ? (int)band : 1;
}

static bool read_first(hid_t group, double *first) {
  hid_t number = picus_hdf5_open(group, "first");
  const bool done = number >= 0 && H5Iget_type(number) == H5I_DATASET && picus_hdf5_read_number(number, first);
  if (number >= 0) H5Oclose(number);
  return done;
}

static bool measure(hid_t group, size_t column_count, picus_stored_columns *out) {
  double first = 0;
  hid_t values = open_values(group);
  const int width = values >= 0 ? width_of(values) : 0;
  out->rows = width > 0 ? picus_hdf5_table_length(values, RANK, &(hsize_t){(hsize_t)width}) : -1;
  const bool is_sound = out->rows >= 0 && out->rows <= LONG_MAX && read_first(group, &first) && first >= 0 &&
                        first + width <= (double)column_count;
  if (is_sound) {
    out->first = (int)first;
    out->width = width;
    out->band = band_of(values, out);
  }
  if (values >= 0) H5Oclose(values);
  return is_sound;
}

picus_status picus_hdf5_columns_measure(picus_context *context, const char *path, hid_t file, size_t column_count,
                                        picus_stored_columns *out) {
  *out = (picus_stored_columns){0};
  hid_t group = picus_hdf5_open_group(file, "picus/table");
  if (group < 0) return PICUS_OK;
  const bool is_sound = measure(group, column_count, out);
  H5Oclose(group);
  if (is_sound) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_IO, "the table of columns in '%s' is damaged", path);
}

bool picus_hdf5_columns_read(hid_t file, const picus_column_range *range, double *values,
                             char reason[PICUS_REASON_SIZE]) {
  const picus_hdf5_part part = {.rank = RANK,
                                .first = {(hsize_t)range->row, (hsize_t)range->first},
                                .count = {(hsize_t)range->rows, (hsize_t)range->width}};
  hid_t group = picus_hdf5_open_group(file, "picus/table");
  hid_t table = group >= 0 ? open_values(group) : -1;
  const bool done = picus_hdf5_read_part(table, H5T_NATIVE_DOUBLE, &part, values, reason);
  if (table >= 0) H5Oclose(table);
  if (group >= 0) H5Oclose(group);
  return done;
}

/* --- checksums of columns ----------------------------------------------------------------------------------------- */

enum { END = 2, MOST_CHUNK = 64, USUAL_BLOCK = 1024 };

bool picus_row_sums_create(picus_context *context, hid_t file, picus_summed_rows rows, picus_row_sums *out) {
  const size_t width = rows.width;
  const hsize_t size[RANK] = {0, END + width}, most[RANK] = {H5S_UNLIMITED, END + width};
  const double blocks = rows.expected_rows / USUAL_BLOCK + 1;
  const bool is_short = blocks < MOST_CHUNK && rows.expected_rows > 0;
  const hsize_t chunk[RANK] = {is_short ? (hsize_t)blocks : MOST_CHUNK / 4, size[1]};
  *out = (picus_row_sums){.context = context, .list = -1, .width = width, .block = (uint64_t)rows.block};
  out->row = picus_allocate(context, END + width, sizeof *out->row);
  if (!out->row) return false;
  hid_t picus = H5Gopen2(file, "picus", H5P_DEFAULT), space = H5Screate_simple(RANK, size, most);
  hid_t creation = picus_hdf5_list_creation(1), access = picus_hdf5_list_access();
  if (picus >= 0 && space >= 0 && creation >= 0 && access >= 0 && H5Pset_chunk(creation, RANK, chunk) >= 0)
    out->list = H5Dcreate2(picus, "sums", H5T_STD_U32LE, space, H5P_DEFAULT, creation, access);
  if (access >= 0) H5Pclose(access);
  if (creation >= 0) H5Pclose(creation);
  if (space >= 0) H5Sclose(space);
  if (picus >= 0) H5Gclose(picus);
  return out->list >= 0;
}

bool picus_row_sums_close(picus_row_sums *sums) {
  if (!sums->context) return true;
  const bool done = sums->list < 0 || H5Dclose(sums->list) >= 0;
  picus_release(sums->context, sums->row);
  *sums = (picus_row_sums){0};
  return done;
}

/* Whether the last block has room for more rows. */
static bool continues(const picus_row_sums *sums) { return sums->end % sums->block != 0; }

void picus_row_sums_add(picus_row_sums *sums, size_t column, const double *values, size_t count) {
  const size_t size = count * sizeof *values;
  const uint32_t sum = picus_fletcher32(values, size);
  uint32_t *to = &sums->row[END + column];
  *to = continues(sums) ? picus_fletcher32_join(*to, sum, size) : sum;
}

bool picus_row_sums_append(picus_row_sums *sums, uint64_t end) {
  if (continues(sums)) sums->count--;
  const hsize_t start[RANK] = {sums->count, 0}, size[RANK] = {1, END + sums->width};
  const hsize_t length[RANK] = {sums->count + 1, size[1]};
  sums->row[0] = (uint32_t)(end & 0xffffffffu);
  sums->row[1] = (uint32_t)(end >> 32);
  hid_t memory = H5Screate_simple(RANK, size, NULL), target = H5Screate_simple(RANK, length, NULL);
  const bool done = memory >= 0 && target >= 0 &&
                    H5Sselect_hyperslab(target, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                    H5Dset_extent(sums->list, length) >= 0 &&
                    H5Dwrite(sums->list, H5T_NATIVE_UINT32, memory, target, H5P_DEFAULT, sums->row) >= 0;
  if (target >= 0) H5Sclose(target);
  if (memory >= 0) H5Sclose(memory);
  sums->count++;
  sums->end = end;
  return done;
}

/* --- reading --- */

/* The first rows of a list, which may declare more in a cut file. */
static bool read_rows(hid_t list, hsize_t count, hsize_t width, uint32_t *rows) {
  const picus_hdf5_part part = {.rank = RANK, .count = {count, width}};
  return picus_hdf5_read_part(list, H5T_NATIVE_UINT32, &part, rows, NULL);
}

picus_status picus_row_sums_read(picus_context *context, hid_t file, size_t width, picus_stored_sums *out) {
  const hsize_t row = END + width;
  *out = (picus_stored_sums){.width = width};
  hid_t picus = picus_hdf5_open_group(file, "picus");
  hid_t list = picus >= 0 ? picus_hdf5_open(picus, "sums") : -1;
  const int64_t count = list >= 0 && H5Iget_type(list) == H5I_DATASET ? picus_hdf5_table_length(list, RANK, &row) : -1;
  picus_status status = PICUS_OK;
  if (count > 0 && count < LONG_MAX / (long)row) {
    out->rows = picus_allocate(context, (size_t)count * (size_t)row, sizeof *out->rows);
    if (!out->rows)
      status = PICUS_ERROR_MEMORY;
    else if (read_rows(list, (hsize_t)count, row, out->rows))
      out->count = (size_t)count;
  }
  if (list >= 0) H5Oclose(list);
  if (picus >= 0) H5Oclose(picus);
  return status;
}

bool picus_row_sums_find_damage(const picus_stored_sums *sums, const picus_summed_column *c, long *first, long *end) {
  uint64_t begin = 0;
  for (size_t k = 0; k < sums->count; k++) {
    const uint32_t *row = sums->rows + k * (END + sums->width);
    const uint64_t until = (uint64_t)row[1] << 32 | row[0];
    if (until <= begin || until > (uint64_t)c->rows) return false; /* of a block that is not there */
    *first = (long)begin;
    *end = (long)until;
    if (picus_fletcher32(c->values + begin, (size_t)(until - begin) * sizeof *c->values) != row[END + c->column])
      return true;
    begin = until;
  }
  return false;
}
