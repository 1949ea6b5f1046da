#include "hdf5_edits.h"
#include "fuzz.h"

#include <hdf5.h>
#include <string.h>

enum {
  PATCHES_MOST = 8,
  PATCH_SIZE = 24,
  OBJECTS_MOST = 256,
  PATH_SIZE = 128,
  EDITS_MOST = 8,
  DATA_MOST = 1 << 16,
  TEXT_SIZE = 32
};

/* The input, eaten from its beginning; zeros where it has ended. */
typedef struct input {
  const uint8_t *at;
  size_t left;
} input;

static uint8_t next_byte(input *in) {
  if (in->left == 0) return 0;
  in->left--;
  return *in->at++;
}

static uint32_t next_number(input *in) {
  uint32_t value = next_byte(in);
  return value < 128 ? value
                     : value << 24 | (uint32_t)next_byte(in) << 16 | (uint32_t)next_byte(in) << 8 | next_byte(in);
}

static void next_text(input *in, char text[TEXT_SIZE]) {
  size_t length = next_byte(in) % TEXT_SIZE;
  for (size_t i = 0; i < length; i++) text[i] = (char)next_byte(in);
  text[length] = '\0';
}

typedef struct object_list {
  int count;
  char path[OBJECTS_MOST][PATH_SIZE];
} object_list;

static herr_t note_object(hid_t file, const char *name, const H5L_info_t *info, void *user) {
  (void)file;
  (void)info;
  object_list *list = user;
  if (list->count < OBJECTS_MOST && strlen(name) < PATH_SIZE) strcpy(list->path[list->count++], name);
  return 0;
}

static hid_t some_type(input *in) {
  const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_NATIVE_INT, H5T_NATIVE_SCHAR,
                         H5T_NATIVE_UINT64, H5T_STD_I16BE,    H5T_IEEE_F64BE, H5T_C_S1,
                         H5T_NATIVE_LLONG,  H5T_STD_REF_OBJ,  H5T_NATIVE_B64};
  uint8_t which = next_byte(in) % (sizeof types / sizeof *types + 2);
  if (which < sizeof types / sizeof *types) return H5Tcopy(types[which]);
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, which % 2 ? H5T_VARIABLE : 1 + (size_t)next_byte(in));
  return type;
}

/* Any of a scalar, nothing, and arrays of one or two dimensions. */
static hid_t some_space(input *in) {
  uint8_t kind = next_byte(in);
  hsize_t size[2] = {next_number(in) % 5000, next_number(in) % 50};
  if (kind % 4 == 0) return H5Screate(H5S_SCALAR);
  if (kind % 4 == 1) return H5Screate(H5S_NULL);
  return H5Screate_simple(kind % 4 - 1, size, NULL);
}

static int is_variable_text(hid_t type) { return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0; }

/* Some bytes of a dataset's values are replaced. */
static void change_values(hid_t dataset, input *in) {
  static uint8_t data[DATA_MOST];
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
  size_t size = type >= 0 ? H5Tget_size(type) * (size_t)(points > 0 ? points : 0) : 0;
  int plain =
      type >= 0 && !is_variable_text(type) && H5Tget_class(type) != H5T_COMPOUND && H5Tget_class(type) != H5T_VLEN;
  if (plain && size > 0 && size <= DATA_MOST && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0) {
    size_t at = next_number(in) % size, count = 1 + next_byte(in) % 16u;
    for (size_t i = at; i < size && i < at + count; i++) data[i] = next_byte(in);
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  }
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
}

static void make_dataset(hid_t file, const char *path, input *in) {
  hid_t type = some_type(in), space = some_space(in);
  hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (dataset >= 0) {
    change_values(dataset, in);
    H5Dclose(dataset);
  }
  H5Sclose(space);
  H5Tclose(type);
}

static void change_length(hid_t dataset, input *in) {
  hsize_t length[2] = {next_number(in) % 10000, next_number(in) % 10};
  H5Dset_extent(dataset, length);
}

static void change_attribute(hid_t object, input *in) {
  char name[256] = "", text[TEXT_SIZE];
  hsize_t at = next_byte(in) % 8u;
  H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, at, name, sizeof name, H5P_DEFAULT);
  if (name[0]) H5Adelete(object, name);
  next_text(in, text);
  if (next_byte(in) % 4 == 0) return;
  hid_t type = some_type(in), space = some_space(in);
  hid_t attribute = H5Acreate2(object, name[0] ? name : "unit", type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0) {
    static uint8_t data[DATA_MOST];
    const char *pointer = text;
    hssize_t points = H5Sget_simple_extent_npoints(space);
    memcpy(data, text, TEXT_SIZE);
    if (is_variable_text(type)) {
      if (points == 1) H5Awrite(attribute, type, &pointer);
    } else if (points > 0 && (size_t)points * H5Tget_size(type) <= DATA_MOST)
      H5Awrite(attribute, type, data);
    H5Aclose(attribute);
  }
  H5Sclose(space);
  H5Tclose(type);
}

static void change_link(hid_t file, const object_list *list, const char *path, input *in) {
  char text[TEXT_SIZE];
  next_text(in, text);
  const char *other = list->path[next_byte(in) % list->count];
  switch (next_byte(in) % 5) {
  case 0:
    if (text[0]) H5Lmove(file, path, file, text, H5P_DEFAULT, H5P_DEFAULT);
    return;
  case 1:
    H5Lmove(file, path, file, other, H5P_DEFAULT, H5P_DEFAULT);
    return;
  case 2:
    H5Ldelete(file, path, H5P_DEFAULT);
    H5Lcreate_soft(other, file, path, H5P_DEFAULT, H5P_DEFAULT);
    return;
  case 3:
    H5Ldelete(file, path, H5P_DEFAULT);
    H5Lcreate_hard(file, other, file, path, H5P_DEFAULT, H5P_DEFAULT);
    return;
  default:
    H5Ldelete(file, path, H5P_DEFAULT);
    H5Lcreate_external("/dev/null", "/", file, path, H5P_DEFAULT, H5P_DEFAULT);
  }
}

/* Bytes of the file that change after HDF5 has closed it. */
typedef struct patch {
  long place;
  uint8_t bytes[PATCH_SIZE];
  size_t size;
} patch;

typedef struct patch_list {
  patch patches[PATCHES_MOST];
  int count;
} patch_list;

/* The layout message of a dataset, in a header of the first version; -1: it is not found. */
static long find_layout(const char *file_path, haddr_t header) {
  uint8_t bytes[1024];
  FILE *file = fopen(file_path, "rb");
  const size_t size = file && fseek(file, (long)header, SEEK_SET) == 0 ? fread(bytes, 1, sizeof bytes, file) : 0;
  if (file) fclose(file);
  for (size_t at = 0; at + 16 <= size; at += 8)
    if (bytes[at] == 8 && bytes[at + 1] == 0 && bytes[at + 8] == 3 && bytes[at + 9] < 3) return (long)(header + at + 8);
  return -1;
}

/* Its storage, rank and sizes of chunks: HDF5 trusts them. */
static void patch_layout(const char *file_path, hid_t file, const char *name, input *in, patch_list *list) {
  H5L_info_t link;
  if (list->count == PATCHES_MOST || H5Lget_info(file, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
    return;
  H5Fflush(file, H5F_SCOPE_LOCAL);
  const long place = find_layout(file_path, link.u.address);
  if (place < 0) return;
  patch *p = &list->patches[list->count++];
  p->place = place + next_byte(in) % 23; /* version, storage, rank, address (8), sizes (4 each) */
  p->size = 1 + next_byte(in) % 8u;
  for (size_t k = 0; k < p->size; k++) p->bytes[k] = next_byte(in);
}

static void apply_patches(const char *path, const patch_list *list) {
  FILE *file = list->count ? fopen(path, "r+b") : NULL;
  for (int k = 0; file && k < list->count; k++)
    if (fseek(file, list->patches[k].place, SEEK_SET) == 0)
      fwrite(list->patches[k].bytes, 1, list->patches[k].size, file);
  if (file) fclose(file);
}

static void edit_once(const char *file_path, hid_t file, const object_list *list, input *in, patch_list *patches) {
  const char *path = list->path[next_byte(in) % list->count];
  uint8_t what = next_byte(in);
  what = what >= 240 ? 8 : what % 8;
  hid_t object = what == 2 || what == 3 || what >= 6 ? -1 : H5Oopen(file, path, H5P_DEFAULT);
  int is_dataset = object >= 0 && H5Iget_type(object) == H5I_DATASET;
  if (what <= 1 && is_dataset) change_values(object, in);
  if (what == 4 && is_dataset) change_length(object, in);
  if (what == 5 && object >= 0) change_attribute(object, in);
  if (object >= 0) H5Oclose(object);
  if (what == 2 || what == 3) H5Ldelete(file, path, H5P_DEFAULT);
  if (what == 3) make_dataset(file, path, in);
  if (what == 6) change_link(file, list, path, in);
  if (what == 7) {
    H5Ldelete(file, path, H5P_DEFAULT);
    hid_t group = H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group >= 0) H5Gclose(group);
  }
  if (what == 8) patch_layout(file_path, file, path, in, patches);
}

void fuzz_edit_hdf5(const char *path, const uint8_t *bytes, size_t size) {
  static object_list list;
  patch_list patches = {.count = 0};
  input in = {bytes, size};
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  if (file < 0) return;
  for (int k = 0; k < EDITS_MOST && in.left > 0; k++) {
    list.count = 0;
    H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, note_object, &list);
    if (list.count > 0) edit_once(path, file, &list, &in, &patches);
  }
  H5Fclose(file);
  apply_patches(path, &patches);
}

long fuzz_open_objects(void) { return (long)H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL); }

void fuzz_begin_hdf5(void) { H5dont_atexit(); }

int fuzz_original_read(fuzz_original *original, const char *path) {
  enum { MOST = 1 << 22 };
  FILE *file = fopen(path, "rb");
  original->bytes = malloc(MOST);
  original->size = file && original->bytes ? fread(original->bytes, 1, MOST, file) : 0;
  if (file) fclose(file);
  return original->size > 0 && original->size < MOST;
}

int fuzz_original_write(const fuzz_original *original, const char *path) {
  return fuzz_write_file(path, original->bytes, original->size);
}
