/* The data of a dataset that may be of somebody else. HDF5 finds the chunks; Picus reads them from their place in the
 * file and undoes their filters, with all lengths checked. HDF5 1.10 takes a stored chunk to be as long as the header
 * of its dataset says, and reads beyond the end of its buffer if it is shorter. */
#include "base/internal.h"
#include "hdf5/packed_chunk.h"
#include "hdf5/read.h"
#include "hdf5/support.h"

#include <stdio.h>
#include <string.h>

enum { RANK = PICUS_HDF5_MOST_RANK };

/* A dataset in chunks, and the part of it that is read. */
typedef struct chunked {
  hid_t dataset, stored, wanted; /* and types of values */
  picus_staged_file *staged;
  const picus_hdf5_part *part;
  int rank;
  hsize_t extent[RANK], chunk[RANK];
  size_t stored_size, wanted_size; /* of a value */
  size_t length;                   /* bytes of a chunk */
  bool converts;
  bool omits_at_edge; /* chunks that reach beyond the extents have no filters */
  picus_filter filters[PICUS_MOST_FILTERS];
  int filter_count;
  picus_unpacker *unpacker;
  unsigned char *strip; /* values that are converted */
  size_t strip_size;
  unsigned char *values; /* to be filled */
  char *reason;
} chunked;

/* --- copies of boxes of values --- */

/* `count` values along each extent, from a larger box into another one; both point to the first value. */
typedef struct copy {
  int rank;
  const hsize_t *count, *from_extent, *to_extent;
  size_t size; /* of a value */
} copy;

static void copy_box(const copy *c, const unsigned char *from, unsigned char *to) {
  hsize_t index[RANK] = {0};
  const int last = c->rank - 1;
  const size_t run = (size_t)c->count[last] * c->size;
  for (;;) {
    hsize_t a = 0, b = 0;
    for (int k = 0; k < c->rank; k++) {
      a = a * c->from_extent[k] + index[k];
      b = b * c->to_extent[k] + index[k];
    }
    memcpy(to + (size_t)b * c->size, from + (size_t)a * c->size, run);
    int k = last - 1;
    while (k >= 0 && ++index[k] == c->count[k]) index[k--] = 0;
    if (k < 0) return;
  }
}

/* The place of a value in a box. */
static size_t place_of(int rank, const hsize_t *extent, const hsize_t *index) {
  hsize_t place = 0;
  for (int k = 0; k < rank; k++) place = place * extent[k] + index[k];
  return (size_t)place;
}

/* --- chunks --- */

static bool fail(chunked *c, const char *reason) {
  snprintf(c->reason, PICUS_REASON_SIZE, "%s", reason);
  return false;
}

static bool lack_memory(chunked *c) {
  picus_staged_lack_memory(c->staged);
  return fail(c, "out of memory");
}

/* HDF5 finds a chunk when it wants to read it; the file then only takes note of the place. */
static bool find_chunk(chunked *c, const hsize_t *start, uint64_t *address, size_t *size, uint32_t *omitted) {
  char nothing;
  picus_staged_take_place(c->staged, address, size);
  picus_staged_probe(c->staged, true);
  const bool done = H5Dread_chunk(c->dataset, H5P_DEFAULT, start, omitted, &nothing) >= 0;
  if (!done) picus_hdf5_reason(c->reason);
  picus_staged_probe(c->staged, false);
  if (!done) return false;
  if (picus_staged_take_place(c->staged, address, size) && *size > 0 && *size <= picus_staged_size(c->staged))
    return true;
  return fail(c, "a chunk is not in the file");
}

static bool reaches_beyond(const chunked *c, const hsize_t *start) {
  for (int k = 0; k < c->rank; k++)
    if (c->chunk[k] > c->extent[k] - start[k]) return true;
  return false;
}

/* The values of a chunk; NULL: a reason. */
static const unsigned char *load_chunk(chunked *c, const hsize_t *start) {
  uint64_t address;
  size_t size;
  uint32_t omitted = 0;
  if (!find_chunk(c, start, &address, &size, &omitted)) return NULL;
  if (c->omits_at_edge && reaches_beyond(c, start)) omitted = UINT32_MAX;
  if (c->filter_count == 0 && size != c->length) {
    snprintf(c->reason, PICUS_REASON_SIZE, "a chunk has %zu bytes in place of %zu", size, c->length);
    return NULL;
  }
  unsigned char *bytes = picus_unpacker_room(c->unpacker, size);
  if (!bytes) {
    lack_memory(c);
    return NULL;
  }
  if (!picus_staged_read(c->staged, address, size, bytes)) {
    fail(c, "the file cannot be read");
    return NULL;
  }
  return picus_unpacker_unpack(c->unpacker, size, omitted, c->reason);
}

/* Values of a box of a chunk, converted in a strip of their own, into a box of the part. */
static bool convert_box(chunked *c, const copy *whole, const unsigned char *from, unsigned char *to) {
  const size_t widest = c->stored_size > c->wanted_size ? c->stored_size : c->wanted_size;
  size_t count = 1;
  for (int k = 0; k < c->rank; k++) count *= (size_t)whole->count[k];
  if (count > c->strip_size) {
    unsigned char *larger = picus_reallocate(picus_staged_context(c->staged), c->strip, count, widest);
    if (!larger) return lack_memory(c);
    c->strip = larger;
    c->strip_size = count;
  }
  copy gather = *whole, scatter = *whole;
  gather.size = c->stored_size;
  gather.to_extent = scatter.from_extent = whole->count;
  copy_box(&gather, from, c->strip);
  if (H5Tconvert(c->stored, c->wanted, count, c->strip, NULL, H5P_DEFAULT) < 0)
    return fail(c, "its numbers cannot be converted");
  copy_box(&scatter, c->strip, to);
  return true;
}

static bool read_chunk(chunked *c, const hsize_t *start) {
  hsize_t in_chunk[RANK], in_part[RANK], count[RANK];
  const unsigned char *bytes = load_chunk(c, start);
  if (!bytes) return false;
  for (int k = 0; k < c->rank; k++) {
    const hsize_t first = c->part->first[k], end = first + c->part->count[k], until = start[k] + c->chunk[k];
    const hsize_t from = first > start[k] ? first : start[k];
    in_chunk[k] = from - start[k];
    in_part[k] = from - first;
    count[k] = (end < until ? end : until) - from;
  }
  const copy box = {c->rank, count, c->chunk, c->part->count, c->wanted_size};
  const unsigned char *from = bytes + place_of(c->rank, c->chunk, in_chunk) * c->stored_size;
  unsigned char *to = c->values + place_of(c->rank, c->part->count, in_part) * c->wanted_size;
  if (c->converts) return convert_box(c, &box, from, to);
  copy_box(&box, from, to);
  return true;
}

static bool read_chunks(chunked *c) {
  hsize_t start[RANK] = {0};
  for (int k = 0; k < c->rank; k++) start[k] = c->part->first[k] - c->part->first[k] % c->chunk[k];
  for (;;) {
    if (!read_chunk(c, start)) return false;
    int k = c->rank - 1;
    while (k >= 0 && (start[k] += c->chunk[k]) >= c->part->first[k] + c->part->count[k]) {
      start[k] = c->part->first[k] - c->part->first[k] % c->chunk[k];
      k--;
    }
    if (k < 0) return true;
  }
}

/* --- the description of a dataset --- */

static bool read_filters(chunked *c, hid_t creation) {
  const int count = H5Pget_nfilters(creation);
  if (count < 0 || count > PICUS_MOST_FILTERS) return fail(c, "it has too many filters");
  for (int k = 0; k < count; k++) {
    unsigned flags = 0, values[1] = {0};
    size_t value_count = 1;
    switch (H5Pget_filter2(creation, (unsigned)k, &flags, &value_count, values, 0, NULL, NULL)) {
    case H5Z_FILTER_DEFLATE:
      c->filters[k] = (picus_filter){.kind = PICUS_FILTER_DEFLATE};
      break;
    case H5Z_FILTER_SHUFFLE:
      c->filters[k] = (picus_filter){.kind = PICUS_FILTER_SHUFFLE, .width = value_count > 0 ? values[0] : 0};
      break;
    case H5Z_FILTER_FLETCHER32:
      c->filters[k] = (picus_filter){.kind = PICUS_FILTER_SUM};
      break;
    default:
      return fail(c, "its filters are not deflate, shuffle and fletcher32");
    }
  }
  c->filter_count = count;
  return true;
}

/* Sizes whose product fits: object.c has compared the size of a chunk with the file, the caller that of the part. */
static bool read_sizes(chunked *c, hid_t creation, hid_t space) {
  unsigned options = 0;
  hsize_t values = 1;
  c->stored_size = H5Tget_size(c->stored);
  c->wanted_size = H5Tget_size(c->wanted);
  c->converts = H5Tequal(c->stored, c->wanted) <= 0;
  if (c->rank < 1 || c->rank > RANK || H5Sget_simple_extent_ndims(space) != c->rank ||
      H5Sget_simple_extent_dims(space, c->extent, NULL) != c->rank ||
      H5Pget_chunk(creation, c->rank, c->chunk) != c->rank || H5Pget_chunk_opts(creation, &options) < 0 ||
      c->stored_size == 0 || c->wanted_size == 0)
    return fail(c, "its chunks have another rank");
  c->omits_at_edge = (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
  for (int k = 0; k < c->rank; k++) {
    if (c->part->first[k] > c->extent[k] || c->part->count[k] > c->extent[k] - c->part->first[k] ||
        c->extent[k] > INT64_MAX)
      return fail(c, "it is too short");
    if (c->chunk[k] == 0 || c->chunk[k] > UINT32_MAX / values) return fail(c, "its chunks are too large");
    values *= c->chunk[k];
  }
  if (values > SIZE_MAX / 4 / c->stored_size) return fail(c, "its chunks are too large");
  c->length = (size_t)values * c->stored_size;
  return true;
}

static bool read_chunked(chunked *c, hid_t creation, hid_t space) {
  picus_context *context = picus_staged_context(c->staged);
  if (!read_sizes(c, creation, space) || !read_filters(c, creation)) return false;
  c->unpacker = picus_unpacker_create(context, c->filters, c->filter_count, c->length);
  const bool done = c->unpacker ? read_chunks(c) : lack_memory(c);
  picus_unpacker_destroy(c->unpacker);
  picus_release(context, c->strip);
  return done;
}

/* Data in one piece: HDF5 reads into the buffer of the caller. */
static bool read_piece(hid_t dataset, hid_t type, hid_t space, const picus_hdf5_part *part, void *values) {
  hid_t memory = H5Screate_simple(part->rank, part->count, NULL);
  const bool done = memory >= 0 && H5Sget_simple_extent_ndims(space) == part->rank &&
                    H5Sselect_hyperslab(space, H5S_SELECT_SET, part->first, NULL, part->count, NULL) >= 0 &&
                    H5Dread(dataset, type, memory, space, H5P_DEFAULT, values) >= 0;
  if (memory >= 0) H5Sclose(memory);
  return done;
}

bool picus_hdf5_read_part(hid_t dataset, hid_t type, const picus_hdf5_part *part, void *values,
                          char reason[PICUS_REASON_SIZE]) {
  char why[PICUS_REASON_SIZE] = "";
  bool done = false, is_chunked = false;
  for (int k = 0; k < part->rank; k++)
    if (part->count[k] == 0) return dataset >= 0;
  hid_t stored = dataset >= 0 ? H5Dget_type(dataset) : -1, space = stored >= 0 ? H5Dget_space(dataset) : -1;
  hid_t creation = space >= 0 ? H5Dget_create_plist(dataset) : -1;
  picus_staged_file *staged = creation >= 0 ? picus_hdf5_staged_of(dataset) : NULL;
  if (staged) {
    is_chunked = H5Pget_layout(creation) == H5D_CHUNKED;
    chunked c = {.dataset = dataset, .stored = stored, .wanted = type, .staged = staged, .part = part};
    c.rank = part->rank;
    c.values = values;
    c.reason = why;
    done = is_chunked ? read_chunked(&c, creation, space) : read_piece(dataset, type, space, part, values);
  }
  if (!done && !is_chunked) picus_hdf5_reason(why);
  if (!done && reason) memcpy(reason, why, sizeof why);
  if (creation >= 0) H5Pclose(creation);
  if (space >= 0) H5Sclose(space);
  if (stored >= 0) H5Tclose(stored);
  return done;
}
