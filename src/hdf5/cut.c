#include "hdf5/cut.h"
#include "base/internal.h"
#include "hdf5/support.h"

#include <string.h>

enum { MOST_RANK = 4 };

/* --- the length that a file should have --- */

static uint64_t number_at(const unsigned char *bytes) {
  uint64_t number = 0;
  for (int k = 7; k >= 0; k--) number = number << 8 | bytes[k];
  return number;
}

/* Superblocks with addresses of 8 bytes have the end of the file at a fixed place (HDF5 file format specification,
 * II.A). */
void picus_hdf5_find_cut(picus_staged_file *staged) {
  enum { SIZE = 64, VERSION = 8, MOST_VERSION = 3 };
  static const unsigned char signature[VERSION] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  static const int end_of_file[MOST_VERSION + 1] = {40, 44, 28, 28}, address_size[MOST_VERSION + 1] = {13, 13, 9, 9};
  unsigned char bytes[SIZE];
  if (!picus_staged_read(staged, 0, SIZE, bytes) || memcmp(bytes, signature, sizeof signature) != 0) return;
  const int version = bytes[VERSION];
  if (version > MOST_VERSION || bytes[address_size[version]] != 8) return;
  const uint64_t length = number_at(bytes + end_of_file[version]);
  picus_staged_renew(staged); /* after the superblock: a file that was written meanwhile is longer than it says */
  if (length <= INT64_MAX) picus_staged_expect(staged, length);
}

picus_staged_file *picus_hdf5_cut_file(hid_t object) {
  picus_staged_file *staged = picus_hdf5_staged_of(object);
  return staged && picus_staged_is_cut(staged) ? staged : NULL;
}

/* --- rows that are there --- */

/* The chunks of a dataset. */
typedef struct chunks {
  picus_staged_file *staged;
  hid_t dataset;
  int rank;
  hsize_t extent[MOST_RANK], size[MOST_RANK];
  void *bytes; /* of one chunk */
  size_t room;
} chunks;

/* Whether the index has the chunk, and the file its bytes. */
static bool has_chunk(chunks *c, const hsize_t *place) {
  hsize_t size = 0;
  uint32_t filters;
  picus_staged_take_miss(c->staged);
  if (H5Dget_chunk_storage_size(c->dataset, place, &size) < 0 || size == 0 || size > picus_staged_size(c->staged))
    return false;
  if (size > c->room) {
    void *larger = picus_reallocate(picus_staged_context(c->staged), c->bytes, (size_t)size, 1);
    if (!larger) return false;
    c->bytes = larger;
    c->room = (size_t)size;
  }
  return H5Dread_chunk(c->dataset, H5P_DEFAULT, place, &filters, c->bytes) >= 0 && !picus_staged_take_miss(c->staged);
}

/* All chunks that begin with a row. */
static bool has_row_of_chunks(chunks *c, hsize_t row) {
  hsize_t place[MOST_RANK] = {row};
  for (;;) {
    if (!has_chunk(c, place)) return false;
    int k = c->rank - 1;
    while (k > 0 && (place[k] += c->size[k]) >= c->extent[k]) place[k--] = 0;
    if (k <= 0) return true;
  }
}

static hsize_t count_chunk_rows(chunks *c) {
  hsize_t row = 0;
  while (row < c->extent[0] && has_row_of_chunks(c, row)) row += c->size[0];
  picus_release(picus_staged_context(c->staged), c->bytes);
  return row < c->extent[0] ? row : c->extent[0];
}

static hsize_t whole_chunk_rows(picus_staged_file *staged, hid_t dataset, hid_t creation, int rank,
                                const hsize_t *extent) {
  chunks c = {.staged = staged, .dataset = dataset, .rank = rank};
  if (rank < 1 || rank > MOST_RANK || H5Pget_chunk(creation, rank, c.size) != rank) return 0;
  memcpy(c.extent, extent, (size_t)rank * sizeof *extent);
  for (int k = 0; k < rank; k++)
    if (c.size[k] == 0 || c.extent[k] > INT64_MAX - c.size[k]) return 0;
  const bool had_missed = picus_staged_take_miss(staged);
  picus_staged_probe(staged, true);
  const hsize_t rows = count_chunk_rows(&c);
  picus_staged_probe(staged, false);
  picus_staged_take_miss(staged);
  if (had_missed) picus_staged_miss(staged);
  return rows;
}

static bool has_contiguous(const picus_staged_file *staged, hid_t dataset) {
  const haddr_t address = H5Dget_offset(dataset);
  const hsize_t size = H5Dget_storage_size(dataset), length = picus_staged_size(staged);
  return address != HADDR_UNDEF && size <= length && address <= length - size;
}

static bool may_grow(hid_t dataset, int rank) {
  hsize_t extent[MOST_RANK], most[MOST_RANK] = {0};
  hid_t space = H5Dget_space(dataset);
  const bool grows = space >= 0 && rank > 0 && H5Sget_simple_extent_ndims(space) == rank &&
                     H5Sget_simple_extent_dims(space, extent, most) == rank && most[0] == H5S_UNLIMITED;
  if (space >= 0) H5Sclose(space);
  return grows;
}

int64_t picus_hdf5_whole_rows(picus_staged_file *staged, hid_t dataset, int rank, const hsize_t *extent) {
  if (rank > MOST_RANK) return 0;
  hid_t creation = H5Dget_create_plist(dataset);
  const hsize_t all = rank > 0 ? extent[0] : 1;
  hsize_t rows = 0;
  if (creation < 0) return 0;
  switch (H5Pget_layout(creation)) {
  case H5D_COMPACT:
    rows = all;
    break;
  case H5D_CONTIGUOUS:
    rows = has_contiguous(staged, dataset) ? all : 0;
    break;
  case H5D_CHUNKED:
    rows = whole_chunk_rows(staged, dataset, creation, rank, extent);
    break;
  default:
    break;
  }
  H5Pclose(creation);
  if (rows < all && !may_grow(dataset, rank)) picus_staged_miss(staged);
  return rows <= INT64_MAX ? (int64_t)rows : 0;
}
