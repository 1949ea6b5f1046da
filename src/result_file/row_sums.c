#include "result_file/row_sums.h"
#include "base/checksums.h"
#include "base/internal.h"
#include "hdf5/read.h"
#include "hdf5/support.h"

#include <limits.h>
#include <string.h>

enum { RANK = 2, END = 2, MOST_CHUNK = 64, USUAL_BLOCK = 1024 };

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
    out->rows = picus_allocate(context, (size_t)count * row, sizeof *out->rows);
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
