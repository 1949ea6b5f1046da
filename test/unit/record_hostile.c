/* Files that are no results, damaged results, and results that lie: a sentence each, never a crash. */
#define _POSIX_C_SOURCE 200809L
#include "record_fake.h"

#include <stdint.h>
#include <sys/wait.h>

/* The few functions of HDF5 that make foreign files. The tests are linked with HDF5 but compiled without its headers,
 * which belong to src/hdf5, src/table and src/result_file alone. */
extern int64_t H5T_IEEE_F64LE_g, H5T_STD_I32LE_g, H5T_C_S1_g, H5P_CLS_DATASET_CREATE_ID_g;
int H5open(void);
int64_t H5Fcreate(const char *name, unsigned flags, int64_t creation, int64_t access);
int64_t H5Fopen(const char *name, unsigned flags, int64_t access);
int H5Fclose(int64_t file);
int64_t H5Gcreate2(int64_t parent, const char *name, int64_t link, int64_t creation, int64_t access);
int H5Gclose(int64_t group);
int64_t H5Screate_simple(int rank, const uint64_t *extent, const uint64_t *largest);
int H5Sclose(int64_t space);
int64_t H5Pcreate(int64_t kind);
int H5Pset_chunk(int64_t creation, int rank, const uint64_t *extent);
int H5Pset_external(int64_t creation, const char *name, long offset, uint64_t size);
int H5Pclose(int64_t list);
int64_t H5Dcreate2(int64_t parent, const char *name, int64_t type, int64_t space, int64_t link, int64_t creation,
                   int64_t access);
int64_t H5Dopen2(int64_t parent, const char *name, int64_t access);
int H5Dset_extent(int64_t dataset, const uint64_t *extent);
int H5Dclose(int64_t dataset);
int H5Ldelete(int64_t parent, const char *name, int64_t access);
int H5Lcreate_external(const char *file, const char *object, int64_t parent, const char *name, int64_t creation,
                       int64_t access);
int H5Lcreate_soft(const char *target, int64_t parent, const char *name, int64_t creation, int64_t access);

typedef int (*error_function)(int64_t stack, void *data);
int H5Eget_auto2(int64_t stack, error_function *function, void **data);
int H5Eset_auto2(int64_t stack, error_function function, void *data);

enum { READ_WRITE = 1, TRUNCATE = 2, COLUMNS = 5, ROWS = 300 };

/* Damaged files make HDF5 ask for absurd amounts of memory, which it handles when refused. */
PICUS_API const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

static int complaints; /* checks of try_file that failed: a process of its own must tell them */

/* Tries to open; a failure must carry a sentence with the file's name. What opens is read to the end. */
static picus_status try_file(const char *path, char *message, size_t size) {
  picus_context *context;
  picus_result *result;
  if (picus_context_create(NULL, &context)) return PICUS_ERROR_MEMORY;
  picus_status status = picus_result_open(context, path, &result);
  if (status) {
    complaints += !CHECK(result == NULL && picus_last_error(context)->status == status);
    complaints += !CHECK(strstr(picus_last_error(context)->message, path) != NULL);
  } else {
    const double *values;
    for (int k = 0; k < picus_result_column_count(result) && !status; k++)
      status = picus_result_values(result, k, &values);
    const picus_switching *switchings; /* the fake's have no laws, so they are refused after they have been read */
    if (picus_result_switchings(result, &switchings))
      complaints += !CHECK(strstr(picus_last_error(context)->message, path) != NULL);
    bool is_text;
    const char *key;
    for (int k = 0; (key = picus_result_key(result, k, &is_text)) != NULL; k++)
      complaints += !CHECK(picus_result_text(result, key) != NULL);
    for (int k = 0; k < picus_result_plot_count(result); k++)
      complaints += !CHECK(picus_result_plot(result, k).x != NULL);
    picus_result_close(result);
  }
  snprintf(message, size, "%s", picus_last_error(context)->message);
  complaints += !CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  return status;
}

static void expect(const char *path, const char *part_of_message) {
  char message[1024];
  picus_status status = try_file(path, message, sizeof message);
  bool fine = part_of_message ? status != PICUS_OK && strstr(message, part_of_message) != NULL : status == PICUS_OK;
  if (!CHECK(fine)) printf("  expected \"%s\", got \"%s\"\n", part_of_message ? part_of_message : "done", message);
}

static picus_status add_switchings(picus_recorder *recorder) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < 40; k++)
    status = picus_recorder_add_switching(recorder, &(picus_switching){.t = k, .to = PICUS_SLIP, .limit = NAN});
  return status;
}

static bool write_good(const char *path, bool finish) {
  picus_context *context;
  if (picus_context_create(NULL, &context)) return false;
  fake f;
  bool fine = fake_open(&f, context, COLUMNS, ROWS) == PICUS_OK &&
              picus_recorder_add_hdf5(f.recorder, path) == PICUS_OK && picus_recorder_begin(f.recorder) == PICUS_OK &&
              add_switchings(f.recorder) == PICUS_OK && fake_rows(&f, ROWS) == PICUS_OK &&
              (!finish || fake_end(&f, PICUS_OK) == PICUS_OK);
  picus_recorder_destroy(f.recorder);
  picus_context_destroy(context);
  return CHECK(fine);
}

static void what_is_no_hdf5_file(void) {
  const char *path = scratch("other");
  expect(scratch("missing"), "No such file or directory");
  expect(scratch_folder, "Is a directory");
  expect("/dev/null", "not a regular file");
  CHECK(write_whole(path, "", 0));
  expect(path, "is not an HDF5 file");
  CHECK(write_whole(path, "t,y\n0,1\n", 8));
  expect(path, "is not an HDF5 file");
  char bytes[4096] = "\x89HDF\r\n\x1a\n";
  CHECK(write_whole(path, bytes, 8));
  expect(path, "is not an HDF5 file, or is damaged");
  CHECK(write_whole(path, bytes, sizeof bytes));
  expect(path, "is not an HDF5 file, or is damaged");
  scratch_remove("other");
}

/* --- well formed, but not ours or not true --- */

static void add_list(int64_t parent, const char *name, int64_t type, int rank, uint64_t length) {
  uint64_t extent[2] = {length, 2};
  int64_t space = H5Screate_simple(rank, extent, NULL);
  int64_t dataset = H5Dcreate2(parent, name, type, space, 0, 0, 0);
  CHECK(dataset >= 0 && H5Dclose(dataset) >= 0 && H5Sclose(space) >= 0);
}

static void foreign_files(void) {
  const char *path = scratch("foreign.h5");
  int64_t file = H5Fcreate(path, TRUNCATE, 0, 0);
  REQUIRE(file >= 0);
  add_list(file, "t", H5T_IEEE_F64LE_g, 1, 10);
  CHECK(H5Fclose(file) >= 0);
  expect(path, "not a result of Picus");
  file = H5Fcreate(path, TRUNCATE, 0, 0);
  add_list(file, "picus", H5T_IEEE_F64LE_g, 1, 10);
  CHECK(H5Fclose(file) >= 0);
  expect(path, "not a result of Picus");
  file = H5Fcreate(path, TRUNCATE, 0, 0);
  int64_t group = H5Gcreate2(file, "picus", 0, 0, 0);
  add_list(group, "version", H5T_STD_I32LE_g, 1, 1);
  CHECK(H5Gclose(group) >= 0 && H5Fclose(file) >= 0);
  expect(path, "not a result of Picus");
  scratch_remove("foreign.h5");
}

/* A good file with one thing changed by HDF5 itself. */
static int64_t change(const char *path, bool finish) {
  return write_good(path, finish) ? H5Fopen(path, READ_WRITE, 0) : -1;
}

static void set_length(int64_t file, const char *name, uint64_t length) {
  int64_t dataset = H5Dopen2(file, name, 0);
  CHECK(dataset >= 0 && H5Dset_extent(dataset, &length) >= 0 && H5Dclose(dataset) >= 0);
}

/* A column replaced by something else. */
static void replace_column(const char *name, bool is_text, int rank) {
  const char *path = scratch("wrong.h5");
  int64_t file = change(path, true);
  REQUIRE(file >= 0);
  CHECK(H5Ldelete(file, name, 0) >= 0);
  if (rank > 0) add_list(file, name, is_text ? H5T_C_S1_g : H5T_IEEE_F64LE_g, rank, ROWS);
  CHECK(H5Fclose(file) >= 0);
  char complaint[64];
  snprintf(complaint, sizeof complaint, "column '%s' of", name);
  expect(path, complaint);
}

static void columns_that_are_wrong(void) {
  replace_column("q1", false, 0);
  replace_column("q1", true, 1);
  replace_column("q3", false, 2);
  replace_column("t", false, 1); /* a list that was never written */
  const char *path = scratch("wrong.h5");
  static const uint64_t lengths[] = {0, ROWS - 1, ROWS + 1, 100000, (uint64_t)1 << 50, (uint64_t)1 << 62};
  for (int k = 0; k < 6; k++) {
    int64_t file = change(path, true);
    REQUIRE(file >= 0);
    set_length(file, "q2", lengths[k]);
    CHECK(H5Fclose(file) >= 0);
    expect(path, lengths[k] > 1000000 ? "declares more rows" : "differ in length"); /* it is compressed */
  }
  scratch_remove("wrong.h5");
}

static void without_columns(void) {
  const char *path = scratch("empty.h5");
  int64_t file = change(path, true);
  REQUIRE(file >= 0);
  CHECK(H5Ldelete(file, "picus/columns", 0) >= 0 && H5Fclose(file) >= 0);
  expect(path, "has no columns");
  scratch_remove("empty.h5");
}

static void data_elsewhere_is_not_followed(void) {
  const char *path = scratch("outside.h5");
  int64_t file = change(path, true);
  REQUIRE(file >= 0);
  int64_t creation = H5Pcreate(H5P_CLS_DATASET_CREATE_ID_g);
  uint64_t extent = ROWS;
  int64_t space = H5Screate_simple(1, &extent, NULL);
  CHECK(H5Pset_external(creation, "/etc/passwd", 0, ROWS * 8) >= 0);
  CHECK(H5Ldelete(file, "q1", 0) >= 0);
  int64_t dataset = H5Dcreate2(file, "q1", H5T_IEEE_F64LE_g, space, 0, creation, 0);
  CHECK(dataset >= 0 && H5Dclose(dataset) >= 0);
  CHECK(H5Sclose(space) >= 0 && H5Pclose(creation) >= 0 && H5Fclose(file) >= 0);
  expect(path, "column 'q1'");
  file = change(path, true);
  REQUIRE(file >= 0);
  CHECK(H5Lcreate_external("/etc/passwd", "/", file, "link", 0, 0) >= 0);
  CHECK(H5Lcreate_external("/etc/passwd", "/", file, "picus/link", 0, 0) >= 0);
  CHECK(H5Lcreate_soft("/picus", file, "picus/loop", 0, 0) >= 0);
  CHECK(H5Fclose(file) >= 0);
  expect(path, NULL); /* what else is in the file does not matter */
  scratch_remove("outside.h5");
}

/* A run that was killed while a block was written: what all columns have is the result. */
static void a_run_cut_off_has_the_rows_of_its_shortest_column(void) {
  picus_context *context;
  fake f;
  const char *path = scratch("cut.h5.part"); /* where its rows are: it has never ended */
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(fake_open(&f, context, COLUMNS, 5000) == PICUS_OK);
  CHECK(picus_recorder_add_hdf5(f.recorder, scratch("cut.h5")) == PICUS_OK &&
        picus_recorder_begin(f.recorder) == PICUS_OK);
  CHECK(fake_rows(&f, 8192) == PICUS_OK);
  picus_recorder_destroy(f.recorder);
  int64_t file = H5Fopen(path, READ_WRITE, 0);
  REQUIRE(file >= 0);
  set_length(file, "q3", 1024);
  CHECK(H5Fclose(file) >= 0);
  picus_result *result;
  REQUIRE(picus_result_open(context, path, &result) == PICUS_OK);
  CHECK(picus_result_row_count(result) == 1024 && fake_matches(result, COLUMNS));
  picus_result_close(result);
  picus_context_destroy(context);
  scratch_remove("cut.h5");
}

/* Bytes changed at random: opened or refused, but alive. In a process of its own, because HDF5 itself complains at its
 * exit about what such files have made of it. */
static void try_damaged(const char *bytes, size_t size) {
  char *damaged = malloc(size);
  test_random random = {99};
  int refused = 0;
  for (int k = 0; damaged && k < 300; k++) {
    memcpy(damaged, bytes, size);
    for (int i = test_integer(&random, 1, 6); i > 0; i--)
      damaged[test_integer(&random, 0, (int)size - 1)] = (char)test_integer(&random, 0, 255);
    char message[1024];
    if (!write_whole(scratch("bad.h5"), damaged, size)) _exit(1);
    refused += try_file(scratch("bad.h5"), message, sizeof message) != PICUS_OK;
  }
  free(damaged);
  _exit(refused > 20 && complaints == 0 ? 0 : 2);
}

static void random_damage(void) {
  REQUIRE(write_good(scratch("good.h5"), true));
  size_t size = 0;
  int status = 0;
  char *bytes = read_whole(scratch("good.h5"), &size);
  REQUIRE(bytes);
  fflush(stdout);
  pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) try_damaged(bytes, size);
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  free(bytes);
  scratch_remove("good.h5");
  scratch_remove("bad.h5");
}

static int count_errors(int64_t stack, void *data) {
  (void)stack;
  ++*(int *)data;
  return 0;
}

/* A program that uses HDF5 itself keeps its way of hearing of errors, and hears none of ours. */
static void the_error_handler_of_the_host_is_left_alone(void) {
  error_function before, after;
  void *before_data, *after_data;
  int heard = 0;
  CHECK(H5Eget_auto2(0, &before, &before_data) >= 0 && H5Eset_auto2(0, count_errors, &heard) >= 0);
  REQUIRE(write_good(scratch("quiet.h5"), true));
  expect(scratch("quiet.h5"), NULL);
  CHECK(write_whole(scratch("quiet.h5"), "nothing", 7));
  expect(scratch("quiet.h5"), "is not an HDF5 file");
  CHECK(H5Eget_auto2(0, &after, &after_data) >= 0 && after == count_errors && after_data == &heard && heard == 0);
  CHECK(H5Fopen(scratch("quiet.h5"), 0, 0) < 0 && heard > 0);
  CHECK(H5Eset_auto2(0, before, before_data) >= 0);
  scratch_remove("quiet.h5");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"what_is_no_hdf5_file", what_is_no_hdf5_file},
      {"foreign_files", foreign_files},
      {"columns_that_are_wrong", columns_that_are_wrong},
      {"without_columns", without_columns},
      {"data_elsewhere_is_not_followed", data_elsewhere_is_not_followed},
      {"a_run_cut_off_has_the_rows_of_its_shortest_column", a_run_cut_off_has_the_rows_of_its_shortest_column},
      {"random_damage", random_damage},
      {"the_error_handler_of_the_host_is_left_alone", the_error_handler_of_the_host_is_left_alone},
  };
  H5open();
  int result = test_main(argc, argv, "record_hostile", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return result;
}
