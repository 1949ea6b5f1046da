/* What the HDF5 writers and readers share: silence and reasons of HDF5's error stack, small datasets and attributes,
 * creation of lists and tables that grow. */
#include "hdf5/support.h"
#include "base/internal.h"

#include <stdio.h>
#include <string.h>

enum {
  COMPACT_LIMIT = 16384,     /* bytes of a scalar kept in its dataset's header, which takes at most 64 KiB */
  COMPRESSED_FROM = 1 << 20, /* bytes of a list */
  CHUNK_LENGTH = 32768,      /* of its values */
  ROOM_TO_START = 8 << 20    /* bytes; starting HDF5 and opening a file takes about 3 MB */
};

picus_hdf5_quiet picus_hdf5_quiet_begin(void) {
  picus_hdf5_quiet quiet = {NULL, NULL};
  H5Eget_auto2(H5E_DEFAULT, &quiet.function, &quiet.data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return quiet;
}

void picus_hdf5_quiet_end(picus_hdf5_quiet quiet) { H5Eset_auto2(H5E_DEFAULT, quiet.function, quiet.data); }

picus_status picus_hdf5_check_room(picus_context *context) { return picus_check_heap(context, ROOM_TO_START); }

static herr_t keep_description(unsigned depth, const H5E_error2_t *error, void *reason) {
  if (depth == 0 && error->desc) snprintf(reason, PICUS_REASON_SIZE, "%s", error->desc);
  return 0;
}

void picus_hdf5_reason(char reason[PICUS_REASON_SIZE]) {
  snprintf(reason, PICUS_REASON_SIZE, "unknown reason");
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_description, reason);
}

/* Links are indexed from the first one on: HDF5 1.10 does not survive some damage to the lists of small groups. */
hid_t picus_hdf5_create_group(hid_t parent, const char *name) {
  hid_t creation = H5Pcreate(H5P_GROUP_CREATE), group = -1;
  if (creation >= 0 && H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0 &&
      H5Pset_link_phase_change(creation, 0, 0) >= 0 && H5Pset_obj_track_times(creation, false) >= 0)
    group = H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (creation >= 0) H5Pclose(creation);
  return group;
}

hid_t picus_hdf5_text_type(size_t size) {
  hid_t type = H5Tcopy(H5T_C_S1);
  if (type >= 0 && H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
      (size == H5T_VARIABLE || H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0))
    return type;
  if (type >= 0) H5Tclose(type);
  return -1;
}

/* Of variable length: readers get a plain string of any length. */
bool picus_hdf5_put_attribute(hid_t object, const char *name, const char *text) {
  hid_t space = H5Screate(H5S_SCALAR), type = picus_hdf5_text_type(H5T_VARIABLE);
  hid_t attribute = space >= 0 && type >= 0 ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
  bool done = attribute >= 0 && H5Awrite(attribute, type, &text) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  return done;
}

/* Small ones live in their own header; large lists, which descriptions of many bodies have, are compressed. */
static hid_t dataset_creation(size_t bytes, hsize_t count) {
  const hsize_t chunk = count < CHUNK_LENGTH ? count : CHUNK_LENGTH;
  if (bytes > COMPRESSED_FROM && count > 1) return picus_hdf5_table_creation(1, &chunk);
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  if (creation >= 0 && H5Pset_obj_track_times(creation, false) >= 0 &&
      H5Pset_layout(creation, bytes <= COMPACT_LIMIT ? H5D_COMPACT : H5D_CONTIGUOUS) >= 0)
    return creation;
  if (creation >= 0) H5Pclose(creation);
  return -1;
}

bool picus_hdf5_put_dataset(hid_t group, const char *name, hid_t stored, hid_t space, hid_t type, const void *values) {
  const hsize_t count = space >= 0 ? (hsize_t)H5Sget_simple_extent_npoints(space) : 0;
  const size_t bytes = type >= 0 ? H5Tget_size(type) * (size_t)count : 0;
  hid_t creation = bytes > 0 ? dataset_creation(bytes, count) : -1, dataset = -1;
  if (creation >= 0) dataset = H5Dcreate2(group, name, stored, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  bool done = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  if (dataset >= 0) H5Dclose(dataset);
  if (creation >= 0) H5Pclose(creation);
  return done;
}

static bool put_scalar(hid_t group, const char *name, hid_t stored, hid_t type, const void *value) {
  hid_t space = H5Screate(H5S_SCALAR);
  bool done = picus_hdf5_put_dataset(group, name, stored, space, type, value);
  if (space >= 0) H5Sclose(space);
  return done;
}

static bool put_list(hid_t group, const char *name, hid_t stored, hid_t type, size_t count, const void *values) {
  hsize_t extent = count;
  hid_t space = H5Screate_simple(1, &extent, NULL);
  bool done = picus_hdf5_put_dataset(group, name, stored, space, type, values);
  if (space >= 0) H5Sclose(space);
  return done;
}

bool picus_hdf5_put_number(hid_t group, const char *name, double value) {
  return put_scalar(group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

bool picus_hdf5_put_integer(hid_t group, const char *name, long value) {
  return put_scalar(group, name, H5T_STD_I64LE, H5T_NATIVE_LONG, &value);
}

bool picus_hdf5_put_numbers(hid_t group, const char *name, size_t count, const double *values) {
  return put_list(group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

void picus_hdf5_pad_text(char *to, size_t size, const char *text) {
  size_t length = 0;
  while (length < size && text[length]) length++;
  while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
  memcpy(to, text, length);
  memset(to + length, 0, size - length);
}

bool picus_hdf5_put_texts(picus_context *context, hid_t group, const char *name, size_t count,
                          const char *const *texts) {
  size_t size = 1;
  for (size_t k = 0; k < count; k++)
    if (strlen(texts[k]) > size) size = strlen(texts[k]);
  char *padded = picus_allocate(context, count, size);
  if (!padded) return false;
  for (size_t k = 0; k < count; k++) picus_hdf5_pad_text(padded + k * size, size, texts[k]);
  hid_t type = picus_hdf5_text_type(size);
  bool done = put_list(group, name, type, type, count, padded);
  if (type >= 0) H5Tclose(type);
  picus_release(context, padded);
  return done;
}

bool picus_hdf5_put_text(picus_context *context, hid_t group, const char *name, const char *text, size_t size) {
  size_t room = strlen(text) > size ? strlen(text) : size;
  if (room == 0) room = 1;
  char *padded = picus_allocate(context, room, 1);
  if (!padded) return false;
  picus_hdf5_pad_text(padded, room, text);
  hid_t type = picus_hdf5_text_type(room);
  bool done = put_scalar(group, name, type, type, padded);
  if (type >= 0) H5Tclose(type);
  picus_release(context, padded);
  return done;
}

bool picus_hdf5_replace(hid_t group, const char *name, size_t size, const void *value) {
  hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT), type = dataset >= 0 ? H5Dget_type(dataset) : -1;
  const bool done =
      type >= 0 && H5Tget_size(type) == size && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
  if (type >= 0) H5Tclose(type);
  if (dataset >= 0) H5Dclose(dataset);
  return done;
}

bool picus_hdf5_replace_text(hid_t group, const char *name, const char *text) {
  hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
  hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
  size_t size = type >= 0 ? H5Tget_size(type) : 0;
  char padded[PICUS_TEXT_ROOM];
  bool done = size > 0 && size <= sizeof padded;
  if (done) {
    picus_hdf5_pad_text(padded, size, text);
    done = H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded) >= 0;
  }
  if (type >= 0) H5Tclose(type);
  if (dataset >= 0) H5Dclose(dataset);
  return done;
}

/* No filters, no fill values, no cache: a piece of rows is one write into its place in the file. */
hid_t picus_hdf5_list_creation(hsize_t rows) {
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  if (creation >= 0 && H5Pset_chunk(creation, 1, &rows) >= 0 && H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER) >= 0 &&
      H5Pset_obj_track_times(creation, false) >= 0)
    return creation;
  if (creation >= 0) H5Pclose(creation);
  return -1;
}

hid_t picus_hdf5_table_creation(int rank, const hsize_t *chunk) {
  enum { LEVEL = 1 }; /* of deflate: numbers of a motion hardly get smaller with higher ones */
  hid_t creation = picus_hdf5_list_creation(1);
  const bool compresses = H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0;
  if (creation >= 0 && H5Pset_chunk(creation, rank, chunk) >= 0 &&
      (!compresses || (H5Pset_fill_time(creation, H5D_FILL_TIME_IFSET) >= 0 && H5Pset_shuffle(creation) >= 0 &&
                       H5Pset_deflate(creation, LEVEL) >= 0)))
    return creation;
  if (creation >= 0) H5Pclose(creation);
  return -1;
}

hid_t picus_hdf5_small_transfer(void) {
  hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  if (transfer >= 0 && H5Pset_buffer(transfer, 4096, NULL, NULL) >= 0) return transfer;
  if (transfer >= 0) H5Pclose(transfer);
  return -1;
}

hid_t picus_hdf5_list_access(void) {
  hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  if (access >= 0 && H5Pset_chunk_cache(access, 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT) >= 0) return access;
  if (access >= 0) H5Pclose(access);
  return -1;
}

bool picus_hdf5_limit_cache(hid_t file, size_t list_count) {
  enum { COMMON = 1 << 16, EACH = 1 << 12 }; /* bytes: groups and texts; header, last node and those above of a list */
  H5AC_cache_config_t config = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  if (H5Fget_mdc_config(file, &config) < 0) return false;
  const size_t wanted = COMMON + EACH * list_count;
  if (wanted >= config.max_size) return true;
  config.set_initial_size = true;
  config.max_size = wanted;
  if (config.initial_size > wanted) config.initial_size = wanted;
  if (config.min_size > wanted) config.min_size = wanted;
  return H5Fset_mdc_config(file, &config) >= 0;
}
