/* Reading pieces of an HDF5 file that may be anything, and may end too early. */
#include "hdf5/read.h"
#include "base/internal.h"
#include "hdf5/records.h"
#include "hdf5/support.h"

#include <string.h>

/* --- files that are cut ------------------------------------------------------------------------------------------- */

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

/* The file of an object, if it is cut; else NULL. */
static picus_staged_file *cut_file(hid_t object) {
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

/* The leading rows of a dataset of a cut file that are there, of those that it declares. rank 0: 1 or 0. If a dataset
 * of a fixed size lacks rows, missing bytes count as read. */
static int64_t whole_rows(picus_staged_file *staged, hid_t dataset, int rank, const hsize_t *extent) {
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

/* --- objects and lists -------------------------------------------------------------------------------------------- */

enum { TEXT_LIMIT = 1 << 26 }; /* bytes; a longer text is not one of ours */

void picus_names_release(picus_context *context, picus_name_list *list) {
  for (size_t k = 0; k < list->count; k++) picus_release(context, list->names[k]);
  picus_release(context, list->names);
  *list = (picus_name_list){0};
}

static picus_status add_name(picus_context *context, picus_name_list *list, const char *name, size_t length) {
  picus_status status = picus_grow(context, &list->names, list->count, &list->capacity, sizeof *list->names);
  if (status) return status;
  char *copy = picus_allocate(context, length + 1, 1);
  if (!copy) return PICUS_ERROR_MEMORY;
  memcpy(copy, name, length);
  list->names[list->count++] = copy;
  return PICUS_OK;
}

typedef struct listing {
  picus_context *context;
  picus_name_list *list;
  int64_t *order; /* creation order of each name, if known */
  size_t order_capacity;
  bool is_ordered;
  picus_status status;
} listing;

static herr_t list_link(hid_t group, const char *name, const H5L_info_t *link, void *user) {
  (void)group;
  listing *l = user;
  if (link->type != H5L_TYPE_HARD) return 0;
  l->status = picus_grow(l->context, &l->order, l->list->count, &l->order_capacity, sizeof *l->order);
  if (!l->status) l->status = add_name(l->context, l->list, name, strlen(name));
  if (l->status) return 1;
  l->order[l->list->count - 1] = link->corder;
  l->is_ordered = l->is_ordered && link->corder_valid;
  return 0;
}

/* Insertion: links are almost always in order of creation. */
static void sort_by_creation(const listing *l) {
  for (size_t k = 1; k < l->list->count; k++) {
    char *name = l->list->names[k];
    int64_t order = l->order[k];
    size_t i = k;
    for (; i > 0 && l->order[i - 1] > order; i--) {
      l->list->names[i] = l->list->names[i - 1];
      l->order[i] = l->order[i - 1];
    }
    l->list->names[i] = name;
    l->order[i] = order;
  }
}

static bool knows_order(hid_t group) {
  unsigned flags = 0;
  hid_t creation = H5Gget_create_plist(group);
  bool known = creation >= 0 && H5Pget_link_creation_order(creation, &flags) >= 0 && (flags & H5P_CRT_ORDER_TRACKED);
  if (creation >= 0) H5Pclose(creation);
  return known;
}

/* The fields of a table in their order. */
static picus_status list_fields(picus_context *context, hid_t dataset, picus_name_list *list) {
  hid_t type = H5Dget_type(dataset);
  const int count = type >= 0 ? H5Tget_nmembers(type) : 0;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < count; k++) {
    char *name = H5Tget_member_name(type, (unsigned)k);
    status = name ? add_name(context, list, name, strlen(name)) : PICUS_ERROR_MEMORY;
    if (name) H5free_memory(name);
  }
  if (type >= 0) H5Tclose(type);
  return status;
}

/* In the native order of HDF5, sorted here: for a sorted listing of a damaged group, HDF5 1.10 frees uninitialized
 * pointers. */
picus_status picus_hdf5_list(picus_context *context, const char *path, hid_t group, picus_name_list *list) {
  if (H5Iget_type(group) == H5I_DATASET) return list_fields(context, group, list);
  listing l = {.context = context, .list = list, .is_ordered = true};
  H5_index_t by = knows_order(group) ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
  if (H5Literate(group, by, H5_ITER_NATIVE, NULL, list_link, &l) < 0)
    l.status = picus_fail(context, PICUS_ERROR_IO, "a list of names in '%s' cannot be read: the file is damaged", path);
  if (!l.status && l.is_ordered) sort_by_creation(&l);
  picus_release(context, l.order);
  return l.status;
}

/* Text, number or neither; list or scalar. Picus does not write texts of variable length; HDF5 1.10 does not check the
 * address of a damaged one. */
static picus_hdf5_content content(hid_t type, hid_t space) {
  const bool is_text = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
  const bool is_number = picus_hdf5_is_plain_number(type);
  const H5S_class_t shape = H5Sget_simple_extent_type(space);
  if (shape != H5S_SCALAR && shape != H5S_SIMPLE) return PICUS_HDF5_NOTHING;
  const int rank = shape == H5S_SCALAR ? 0 : H5Sget_simple_extent_ndims(space);
  if (rank < 0 || rank > 1) return PICUS_HDF5_NOTHING;
  if (is_text) return rank == 0 ? PICUS_HDF5_TEXT : PICUS_HDF5_TEXTS;
  if (is_number) return rank == 0 ? PICUS_HDF5_NUMBER : PICUS_HDF5_NUMBERS;
  return picus_hdf5_has_fields(type) ? PICUS_HDF5_TABLE : PICUS_HDF5_NOTHING;
}

static picus_hdf5_content dataset_content(hid_t dataset) {
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  picus_hdf5_content found = type >= 0 && space >= 0 ? content(type, space) : PICUS_HDF5_NOTHING;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return found;
}

picus_hdf5_content picus_hdf5_content_of(hid_t object) {
  H5I_type_t kind = object >= 0 ? H5Iget_type(object) : H5I_BADID;
  if (kind == H5I_GROUP) return PICUS_HDF5_GROUP;
  return kind == H5I_DATASET ? dataset_content(object) : PICUS_HDF5_NOTHING;
}

/* Data in the file itself: not in external files, which a foreign result could point anywhere, not in other datasets.
 */
static bool is_stored_here(hid_t dataset, bool *is_filtered) {
  hid_t creation = H5Dget_create_plist(dataset);
  H5D_layout_t layout = creation >= 0 ? H5Pget_layout(creation) : H5D_LAYOUT_ERROR;
  bool here = layout == H5D_COMPACT || layout == H5D_CHUNKED ||
              (layout == H5D_CONTIGUOUS && H5Pget_external_count(creation) == 0);
  *is_filtered = creation >= 0 && H5Pget_nfilters(creation) > 0;
  if (creation >= 0) H5Pclose(creation);
  return here;
}

static size_t element_size(hid_t dataset) {
  hid_t type = H5Dget_type(dataset);
  size_t size = type >= 0 ? H5Tget_size(type) : 0;
  if (type >= 0) H5Tclose(type);
  return size;
}

enum { BEST_COMPRESSION = 1032 }; /* of deflate */

/* The bytes of count elements are in the file. HDF5 itself reads beyond the end of some damaged datasets. */
static bool is_complete(hid_t dataset, hsize_t count) {
  bool is_filtered;
  if (!is_stored_here(dataset, &is_filtered)) return false;
  hsize_t size = element_size(dataset), stored = H5Dget_storage_size(dataset);
  if (size == 0 || count > INT64_MAX / sizeof(double) || count > INT64_MAX / size) return false;
  if (stored > INT64_MAX / BEST_COMPRESSION) return false;
  return count * size <= stored * (is_filtered ? BEST_COMPRESSION : 1);
}

/* The same for a scalar. */
static bool has_scalar(hid_t dataset) {
  picus_staged_file *cut = cut_file(dataset);
  return is_complete(dataset, 1) && (!cut || whole_rows(cut, dataset, 0, NULL) == 1);
}

/* How many rows of those that a dataset declares are in the file, of `width` values each. A cut file may lack the end
 * of it. -1: it is damaged. */
static int64_t stored_rows(hid_t dataset, int rank, const hsize_t *extent, hsize_t width) {
  picus_staged_file *cut = cut_file(dataset);
  bool is_filtered;
  if (!cut) return is_complete(dataset, extent[0] * width) ? (int64_t)extent[0] : -1;
  const hsize_t size = element_size(dataset), bytes = picus_staged_size(cut);
  const int64_t rows = is_stored_here(dataset, &is_filtered) ? whole_rows(cut, dataset, rank, extent) : -1;
  if (rows < 1) return rows;
  const double most = (double)bytes * (is_filtered ? BEST_COMPRESSION : 1); /* else they are of a hostile file */
  return size > 0 && (double)rows * (double)width * (double)size <= most ? rows : -1;
}

picus_status picus_hdf5_read_text(picus_context *context, hid_t dataset, char **out) {
  *out = NULL;
  size_t size = element_size(dataset);
  if (dataset_content(dataset) != PICUS_HDF5_TEXT || size > TEXT_LIMIT || !has_scalar(dataset)) return PICUS_OK;
  hid_t type = H5Dget_type(dataset);
  char *text = picus_allocate(context, size + 1, 1); /* zeroed: terminated with any padding */
  if (text && type >= 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0)
    *out = text;
  else
    picus_release(context, text);
  if (type >= 0) H5Tclose(type);
  return text ? PICUS_OK : PICUS_ERROR_MEMORY;
}

bool picus_hdf5_read_number(hid_t dataset, double *value) {
  return dataset_content(dataset) == PICUS_HDF5_NUMBER && has_scalar(dataset) &&
         H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
}

static hsize_t extent_of(hid_t dataset) {
  hsize_t extent = 0;
  hid_t space = H5Dget_space(dataset);
  if (space >= 0 && H5Sget_simple_extent_dims(space, &extent, NULL) != 1) extent = 0;
  if (space >= 0) H5Sclose(space);
  return extent;
}

/* A write that was cut within the header of a dataset may leave its new extent without the place of its first chunk.
 * The index of a cut file may be missing. */
static bool lacks_chunks(hid_t dataset) {
  if (cut_file(dataset)) return false;
  hid_t creation = H5Dget_create_plist(dataset);
  const bool is_chunked = creation >= 0 && H5Pget_layout(creation) == H5D_CHUNKED;
  if (creation >= 0) H5Pclose(creation);
  return is_chunked && H5Dget_storage_size(dataset) == 0;
}

int64_t picus_hdf5_list_length(hid_t dataset) {
  picus_hdf5_content found = dataset_content(dataset);
  if (found != PICUS_HDF5_NUMBERS && found != PICUS_HDF5_TEXTS && found != PICUS_HDF5_TABLE) return -1;
  hsize_t length = extent_of(dataset);
  bool is_filtered;
  if (length == 0 || lacks_chunks(dataset)) return is_stored_here(dataset, &is_filtered) ? 0 : -1;
  return stored_rows(dataset, 1, &length, 1);
}

bool picus_hdf5_list_has(hid_t dataset, int64_t count) {
  if (!cut_file(dataset)) return picus_hdf5_list_length(dataset) >= count;
  return (int64_t)extent_of(dataset) >= count;
}

/* The extents of a table whose extents after the first one are as wanted; false: it has another shape. */
static bool table_extent(hid_t dataset, int rank, const hsize_t *size, hsize_t extent[PICUS_HDF5_MOST_RANK]) {
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  bool fits = type >= 0 && space >= 0 && picus_hdf5_is_plain_number(type) && rank <= PICUS_HDF5_MOST_RANK &&
              H5Sget_simple_extent_type(space) == H5S_SIMPLE && H5Sget_simple_extent_ndims(space) == rank &&
              H5Sget_simple_extent_dims(space, extent, NULL) == rank;
  for (int k = 1; fits && k < rank; k++) fits = extent[k] == size[k - 1];
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return fits;
}

int64_t picus_hdf5_table_length(hid_t dataset, int rank, const hsize_t *size) {
  hsize_t extent[PICUS_HDF5_MOST_RANK] = {0}, count = 1;
  bool is_filtered;
  if (!table_extent(dataset, rank, size, extent)) return -1;
  if (extent[0] == 0 || lacks_chunks(dataset)) return is_stored_here(dataset, &is_filtered) ? 0 : -1;
  for (int k = 0; k + 1 < rank; k++) {
    if (size[k] == 0 || count > INT64_MAX / size[k]) return -1;
    count *= size[k];
  }
  if (extent[0] > INT64_MAX / count) return -1;
  return stored_rows(dataset, rank, extent, count);
}

static hid_t open_list(hid_t group, const char *name, picus_hdf5_content wanted, size_t *count) {
  *count = 0;
  hid_t dataset = picus_hdf5_open(group, name);
  if (dataset < 0) return -1;
  int64_t length = picus_hdf5_content_of(dataset) == wanted ? picus_hdf5_list_length(dataset) : -1;
  if (length > 0) {
    *count = (size_t)length;
    return dataset;
  }
  H5Oclose(dataset);
  return -1;
}

/* The first values of a list, which may declare more. */
static bool read_values(hid_t dataset, hid_t type, size_t count, void *values) {
  const picus_hdf5_part part = {.rank = 1, .count = {count}};
  return picus_hdf5_read_part(dataset, type, &part, values, NULL);
}

static picus_status split_texts(picus_context *context, const char *bytes, size_t count, size_t size, size_t stride,
                                picus_name_list *list) {
  picus_status status = PICUS_OK;
  for (size_t k = 0; !status && k < count; k++) {
    const char *text = bytes + k * stride, *end = memchr(text, '\0', size);
    status = add_name(context, list, text, end ? (size_t)(end - text) : size);
  }
  return status;
}

/* --- fields of tables --------------------------------------------------------------------------------------------- */

/* The elements of a table that has a field of a kind, as they are in the file. */
typedef struct elements {
  picus_hdf5_place field;
  size_t count;
  char *bytes; /* to be released; NULL: there is no such field */
} elements;

static size_t element_count(hid_t dataset) {
  hid_t space = H5Dget_space(dataset);
  const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  if (space >= 0) H5Sclose(space);
  if (rank == 0) return has_scalar(dataset);
  const int64_t length = rank == 1 ? picus_hdf5_list_length(dataset) : 0;
  return length > 0 ? (size_t)length : 0;
}

static bool read_all(hid_t dataset, hid_t type, size_t count, char *bytes) {
  hid_t space = H5Dget_space(dataset);
  const bool is_record = space >= 0 && H5Sget_simple_extent_ndims(space) == 0;
  if (space >= 0) H5Sclose(space);
  return is_record ? H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0
                   : read_values(dataset, type, count, bytes);
}

static picus_status read_elements(picus_context *context, hid_t dataset, const char *name, bool texts, elements *out) {
  *out = (elements){.count = picus_hdf5_content_of(dataset) == PICUS_HDF5_TABLE ? element_count(dataset) : 0};
  hid_t type = out->count > 0 ? H5Dget_type(dataset) : -1;
  picus_status status = PICUS_OK;
  if (type >= 0 && picus_hdf5_find_field(type, name, &out->field)) {
    if (out->field.is_text == texts) {
      out->bytes = picus_allocate(context, out->count, out->field.stride);
      if (!out->bytes) status = PICUS_ERROR_MEMORY;
    }
    if (out->bytes && !read_all(dataset, type, out->count, out->bytes)) {
      picus_release(context, out->bytes);
      out->bytes = NULL;
    }
    if (!out->bytes) H5Tclose(out->field.type);
  }
  if (type >= 0) H5Tclose(type);
  return status;
}

/* A field as values of 8 bytes of a type. */
static picus_status read_field(picus_context *context, hid_t dataset, const char *name, hid_t type, size_t *count,
                               void **values) {
  elements e;
  *count = 0;
  *values = NULL;
  picus_status status = read_elements(context, dataset, name, false, &e);
  if (status || !e.bytes) return status;
  char *numbers = picus_allocate(context, e.count, sizeof(uint64_t));
  for (size_t k = 0; numbers && k < e.count; k++)
    memcpy(numbers + k * e.field.size, e.bytes + k * e.field.stride + e.field.offset, e.field.size);
  if (!numbers)
    status = PICUS_ERROR_MEMORY;
  else if (H5Tconvert(e.field.type, type, e.count, numbers, NULL, H5P_DEFAULT) >= 0)
    *values = numbers;
  if (*values)
    *count = e.count;
  else
    picus_release(context, numbers);
  H5Tclose(e.field.type);
  picus_release(context, e.bytes);
  return status;
}

static picus_status read_text_field(picus_context *context, hid_t dataset, const char *name, picus_name_list *list) {
  elements e;
  picus_status status = read_elements(context, dataset, name, true, &e);
  if (status || !e.bytes) return status;
  status = split_texts(context, e.bytes + e.field.offset, e.count, e.field.size, e.field.stride, list);
  H5Tclose(e.field.type);
  picus_release(context, e.bytes);
  return status;
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

/* A list as values of 8 bytes of a type. */
static picus_status read_list(picus_context *context, hid_t group, const char *name, hid_t type, size_t *count,
                              void **values) {
  *values = NULL;
  if (H5Iget_type(group) == H5I_DATASET) return read_field(context, group, name, type, count, values);
  hid_t dataset = open_list(group, name, PICUS_HDF5_NUMBERS, count);
  if (dataset < 0) return PICUS_OK;
  *values = picus_allocate(context, *count, sizeof(uint64_t));
  picus_status status = *values ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status && !read_values(dataset, type, *count, *values)) {
    picus_release(context, *values);
    *values = NULL;
    *count = 0;
  }
  H5Oclose(dataset);
  return status;
}

picus_status picus_hdf5_read_numbers(picus_context *context, hid_t group, const char *name, size_t *count,
                                     double **values) {
  void *list;
  picus_status status = read_list(context, group, name, H5T_NATIVE_DOUBLE, count, &list);
  *values = list;
  return status;
}

picus_status picus_hdf5_read_keys(picus_context *context, hid_t group, const char *name, size_t *count,
                                  uint64_t **keys) {
  void *list;
  picus_status status = read_list(context, group, name, H5T_NATIVE_UINT64, count, &list);
  *keys = list;
  return status;
}

hid_t picus_hdf5_open_group(hid_t parent, const char *path) {
  hid_t group = picus_hdf5_open(parent, path);
  if (group < 0 || picus_hdf5_content_of(group) == PICUS_HDF5_GROUP) return group;
  H5Oclose(group);
  return -1;
}

picus_status picus_hdf5_read_texts(picus_context *context, hid_t group, const char *name, picus_name_list *list) {
  size_t count;
  if (H5Iget_type(group) == H5I_DATASET) return read_text_field(context, group, name, list);
  hid_t dataset = open_list(group, name, PICUS_HDF5_TEXTS, &count);
  if (dataset < 0) return PICUS_OK;
  hid_t type = H5Dget_type(dataset);
  size_t size = type >= 0 ? H5Tget_size(type) : 0;
  picus_status status = PICUS_OK;
  if (size > 0) {
    char *bytes = picus_allocate(context, count, size);
    if (!bytes)
      status = PICUS_ERROR_MEMORY;
    else if (read_values(dataset, type, count, bytes))
      status = split_texts(context, bytes, count, size, size, list);
    picus_release(context, bytes);
  }
  if (type >= 0) H5Tclose(type);
  H5Oclose(dataset);
  return status;
}
