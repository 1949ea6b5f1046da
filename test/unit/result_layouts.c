/* Results and contact problems whose datasets state impossible chunks or storage: HDF5 1.10 divides by sizes of chunks
 * and calls functions that such storage does not have. Every file ends with a sentence or is read, never by a signal,
 * and takes no memory that its size does not explain. */
#define _POSIX_C_SOURCE 200809L
#include "record_fake.h"

#include <hdf5.h>
#include <picus/contact.h>
#include <picus/result.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { COLUMNS = 5, ROWS = 40, LONGEST = 1 << 20 };

static bool write_result(const char *path) {
  picus_context *context = NULL;
  fake f = {.recorder = NULL};
  const bool done =
      picus_context_create(NULL, &context) == PICUS_OK && fake_open(&f, context, COLUMNS, 0) == PICUS_OK &&
      picus_recorder_add_hdf5(f.recorder, path) == PICUS_OK && picus_recorder_begin(f.recorder) == PICUS_OK &&
      fake_rows(&f, ROWS) == PICUS_OK && fake_end(&f, PICUS_OK) == PICUS_OK;
  picus_recorder_destroy(f.recorder);
  picus_context_destroy(context);
  return done;
}

static int read_result(picus_context *context, const char *path) {
  picus_result *result = NULL;
  picus_status status = picus_result_open(context, path, &result);
  const double *values;
  for (int k = 0; !status && k < picus_result_column_count(result); k++)
    status = picus_result_values(result, k, &values);
  picus_result_close(result);
  return status && !strstr(picus_last_error(context)->message, path) ? 1 : 0;
}

static int read_problem(picus_context *context, const char *path) {
  picus_problem *problem = NULL;
  const picus_status status = picus_problem_read(context, path, &problem);
  picus_problem_destroy(problem);
  return status && !strstr(picus_last_error(context)->message, path) ? 1 : 0;
}

typedef int (*reader)(picus_context *context, const char *path);

/* One file, which is left where it is if it is the end of this process. */
static int read_once(reader read, const char *path) {
  picus_context *context = NULL;
  int wrong = picus_context_create(NULL, &context) ? 1 : read(context, path);
  wrong += context && picus_context_memory(context) != 0;
  picus_context_destroy(context);
  return wrong;
}

/* The most memory that a reader took, in kB. */
static long most_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_CHILDREN, &usage) == 0 ? usage.ru_maxrss : -1;
}

typedef bool (*kind_of_message)(const unsigned char *bytes);
static bool is_layout(const unsigned char *b) { return b[0] == 8 && b[8] == 3 && b[9] <= 2; }
static bool is_type_with_fields(const unsigned char *b) { return b[0] == 3 && b[8] == 0x16; }

/* The place of a message of a dataset in its file; 0: it is not found. Headers of the first version: type, size, flags
 * and reserved bytes, then the message. */
static size_t message_place(const char *path, const char *name, const unsigned char *bytes, size_t size,
                            kind_of_message is_wanted) {
  H5L_info_t link;
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  const bool found = file >= 0 && H5Lget_info(file, name, &link, H5P_DEFAULT) >= 0;
  if (file >= 0) H5Fclose(file);
  for (size_t at = found ? (size_t)link.u.address : size; at + 64 < size; at += 8)
    if (bytes[at + 1] == 0 && is_wanted(bytes + at)) return at + 8;
  return 0;
}

static int failures; /* of this process */

static void try_bytes(reader read, const char *path, const unsigned char *bytes, size_t size) {
  failures += !write_whole(path, bytes, size) || read_once(read, path);
}

static void put(unsigned char *bytes, uint64_t number, int width) {
  for (int k = 0; k < width; k++) bytes[k] = (unsigned char)(number >> 8 * k);
}

/* Version 3 of the message: version, storage, rank, address (8), sizes of chunks (4 each). */
static void change_layout(reader read, const char *path, unsigned char *bytes, size_t size, size_t at) {
  static const uint32_t sizes[] = {0, 3, 1u << 16, 1u << 31, UINT32_MAX};
  unsigned char good[64];
  memcpy(good, bytes + at, sizeof good);
  for (int what = 0; what < 3; what++) /* each size of a chunk, then all */
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
      bytes[at + 1] = 2;
      for (int i = 0; i < 3; i++)
        if (what == 2 || i == what) put(bytes + at + 11 + 4 * i, sizes[k], 4);
      for (int rank = 0; rank < 4; rank++) {
        bytes[at + 2] = (unsigned char)rank;
        try_bytes(read, path, bytes, size);
      }
      memcpy(bytes + at, good, sizeof good);
    }
  for (int version = 1; version < 5; version++)
    for (int storage = 0; storage < 4; storage++) {
      bytes[at] = (unsigned char)version;
      bytes[at + 1] = (unsigned char)storage;
      try_bytes(read, path, bytes, size);
      bytes[at + 1] = 2, bytes[at + 2] = (unsigned char)storage; /* versions 1 and 2 have it here */
      try_bytes(read, path, bytes, size);
      memset(bytes + at + 5, 0, 20); /* no size in any version */
      try_bytes(read, path, bytes, size);
      memcpy(bytes + at, good, sizeof good);
    }
}

typedef void (*changer)(reader read, const char *path, unsigned char *bytes, size_t size, size_t at);

/* In a process of its own: HDF5 complains at its exit about what such files have made of it. */
static void try_changes(reader read, const char *path, const char *name, unsigned char *bytes, size_t size, size_t at,
                        changer change) {
  int status = 0;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    failures = 0;
    change(read, path, bytes, size, at);
    _exit(failures > 0);
  }
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  if (!CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0))
    printf("  %s: %s %d\n", name, WIFSIGNALED(status) ? "signal" : "exit code",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void try_layouts(reader read, const char *path, const char *name) {
  size_t size = 0;
  unsigned char *bytes = (unsigned char *)read_whole(path, &size);
  REQUIRE(bytes);
  const size_t at = message_place(path, name, bytes, size, is_layout);
  REQUIRE(at > 0);
  try_changes(read, path, name, bytes, size, at, change_layout);
  free(bytes);
}

static void results(void) {
  const char *path = scratch("layout.h5");
  static const char *const names[] = {"t", "picus/columns"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    scratch_remove("layout.h5");
    REQUIRE(write_result(path));
    REQUIRE(read_once(read_result, path) == 0);
    try_layouts(read_result, path, names[k]);
  }
  const long memory = most_memory();
  printf("  at most %ld MB\n", memory / 1024);
  CHECK(memory >= 0 && memory < 1000000);
  scratch_remove("layout.h5");
}

/* The type of the table of columns with bytes changed: names without end, fields beyond the element, types
 * with pointers. */
static void change_type(reader read, const char *path, unsigned char *bytes, size_t size, size_t at) {
  static const unsigned char values[] = {0, 9, 0x80, 0xFF};
  const size_t every = (size_t)test_size(7, 3, 1);
  const size_t length = bytes[at - 6] | (size_t)bytes[at - 5] << 8;
  for (size_t k = 0; k < length; k += every) {
    const unsigned char good = bytes[at + k];
    for (size_t i = 0; i < sizeof values; i++) {
      bytes[at + k] = values[i];
      try_bytes(read, path, bytes, size);
    }
    bytes[at + k] = good;
  }
}

static void fields(void) {
  const char *path = scratch("fields.h5");
  size_t size = 0;
  REQUIRE(write_result(path));
  REQUIRE(read_once(read_result, path) == 0);
  unsigned char *bytes = (unsigned char *)read_whole(path, &size);
  REQUIRE(bytes);
  const size_t at = message_place(path, "picus/columns", bytes, size, is_type_with_fields);
  REQUIRE(at > 0);
  try_changes(read_result, path, "fields", bytes, size, at, change_type);
  free(bytes);
  scratch_remove("fields.h5");
}

/* The problem of two contacts, written by somebody else: compressed, in chunks, in the formats of HDF5 1.8 and later.
 */
static bool copy_object(hid_t from, hid_t to, const char *name);

static herr_t copy_link(hid_t group, const char *name, const H5L_info_t *link, void *to) {
  (void)link;
  return copy_object(group, *(hid_t *)to, name) ? 0 : -1;
}

static bool copy_dataset(hid_t dataset, hid_t to, const char *name) {
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset), creation = H5Pcreate(H5P_DATASET_CREATE);
  const bool is_list = H5Sget_simple_extent_ndims(space) == 1;
  const hsize_t chunk = is_list && H5Sget_simple_extent_npoints(space) > 1 ? 2 : 1;
  if (is_list) H5Pset_chunk(creation, 1, &chunk), H5Pset_deflate(creation, 1);
  char *values = calloc((size_t)H5Sget_simple_extent_npoints(space) + 1, H5Tget_size(type));
  hid_t copy = H5Dcreate2(to, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  const bool done = values && copy >= 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
                    H5Dwrite(copy, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  free(values);
  H5Dclose(copy);
  H5Pclose(creation);
  H5Sclose(space);
  H5Tclose(type);
  return done;
}

static bool copy_object(hid_t from, hid_t to, const char *name) {
  hid_t object = H5Oopen(from, name, H5P_DEFAULT);
  bool done = object >= 0;
  if (done && H5Iget_type(object) == H5I_DATASET)
    done = copy_dataset(object, to, name);
  else if (done) {
    hid_t group = H5Gcreate2(to, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    done = group >= 0 && H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_link, &group) >= 0;
    H5Gclose(group);
  }
  if (object >= 0) H5Oclose(object);
  return done;
}

static bool copy_file(const char *from, const char *to, H5F_libver_t low, hsize_t user_block) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_libver_bounds(access, low, H5F_LIBVER_LATEST);
  H5Pset_userblock(creation, user_block);
  hid_t source = H5Fopen(from, H5F_ACC_RDONLY, H5P_DEFAULT), target = H5Fcreate(to, H5F_ACC_TRUNC, creation, access);
  const bool done =
      source >= 0 && target >= 0 && H5Literate(source, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_link, &target) >= 0;
  H5Fclose(target);
  H5Fclose(source);
  H5Pclose(creation);
  H5Pclose(access);
  return done;
}

static bool write_problem(const char *path) {
  const picus_law laws[2] = {{PICUS_COULOMB, 2, 0.3}, {PICUS_COULOMB, 2, 0.5}};
  const double G[16] = {2, 0.1, 0, 0, 0.1, 3, 0.2, 0, 0, 0.2, 2, 0, 0, 0, 0, 4}, c[4] = {-1, 0.5, -2, 0.2};
  const picus_contact_problem problem = {.law_count = 2, .laws = laws, .size = 4, .G = G, .c = c};
  const picus_problem_notes notes = {.title = "two contacts"};
  picus_context *context = NULL;
  const bool done = picus_context_create(NULL, &context) == PICUS_OK &&
                    picus_problem_write(context, path, &problem, &notes) == PICUS_OK;
  picus_context_destroy(context);
  return done;
}

/* Sound files of all formats are read. */
static void formats(void) {
  static const H5F_libver_t formats_of_hdf5[] = {H5F_LIBVER_EARLIEST, H5F_LIBVER_V18, H5F_LIBVER_LATEST};
  REQUIRE(write_problem(scratch("own.hdf5")));
  for (int k = 0; k < 6; k++) {
    picus_context *context = NULL;
    picus_problem *problem = NULL;
    REQUIRE(copy_file(scratch("own.hdf5"), scratch("copy.hdf5"), formats_of_hdf5[k % 3], k < 3 ? 0 : 512));
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    if (!CHECK(picus_problem_read(context, scratch("copy.hdf5"), &problem) == PICUS_OK))
      printf("  format %d: %s\n", k, picus_last_error(context)->message);
    CHECK(problem && picus_problem_contacts(problem)->size == 4 && picus_problem_contacts(problem)->c[2] == -2);
    picus_problem_destroy(problem);
    picus_context_destroy(context);
  }
  scratch_remove("own.hdf5");
  scratch_remove("copy.hdf5");
}

static void problems(void) {
  const char *path = scratch("copy.hdf5");
  static const char *const names[] = {"fclib_local/W/x", "fclib_local/spacedim"};
  REQUIRE(write_problem(scratch("own.hdf5")));
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    REQUIRE(copy_file(scratch("own.hdf5"), path, H5F_LIBVER_EARLIEST, 0));
    try_layouts(read_problem, path, names[k]);
  }
  const long memory = most_memory();
  printf("  at most %ld MB\n", memory / 1024);
  CHECK(memory >= 0 && memory < 1000000);
  scratch_remove("own.hdf5");
  scratch_remove("copy.hdf5");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"results", results}, {"fields", fields}, {"problems", problems}, {"formats", formats}};
  const int result = test_main(argc, argv, "result_layouts", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return result;
}
