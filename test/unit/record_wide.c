/* HDF5 results with so many columns that they are one table: values, names, crashes, damage. */
#define _POSIX_C_SOURCE 200809L
#include "record_fake.h"
#include "unit/counted_writes.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { COLUMNS = 3100 }; /* more than 3000: in the table */

PICUS_API const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

static picus_context *context;

static bool write_fake(const char *path, int columns, long rows, double expected_rows) {
  fake f;
  bool fine = CHECK(fake_open(&f, context, columns, expected_rows) == PICUS_OK) &&
              CHECK(picus_recorder_add_hdf5(f.recorder, path) == PICUS_OK) &&
              CHECK(picus_recorder_begin(f.recorder) == PICUS_OK) && CHECK(fake_rows(&f, rows) == PICUS_OK) &&
              CHECK(fake_end(&f, PICUS_OK) == PICUS_OK);
  if (!fine) printf("  %s\n", picus_last_error(context)->message);
  picus_recorder_destroy(f.recorder);
  return fine;
}

static bool reads_back(const char *path, int columns, long rows) {
  picus_result *result;
  if (!CHECK(picus_result_open(context, path, &result) == PICUS_OK)) return false;
  bool fine = CHECK(picus_result_row_count(result) == rows) && CHECK(fake_matches(result, columns));
  picus_result_close(result);
  return fine;
}

/* Lengths around the end of a block, of a known and of an unknown number of rows, on both sides of the limit. */
static void rows_read_back(void) {
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  const long block = picus_recorder_block_rows(COLUMNS);
  const long rows[] = {0, 1, 7, block, block + 1};
  for (int k = 0; k < 5; k++) {
    REQUIRE(write_fake(scratch("wide.h5"), COLUMNS, rows[k], k % 2 ? 0 : (double)rows[k]));
    CHECK(reads_back(scratch("wide.h5"), COLUMNS, rows[k]));
  }
  for (int columns = 3000; columns <= 3002; columns++) { /* one of them is the time */
    REQUIRE(write_fake(scratch("wide.h5"), columns, 5, 5));
    CHECK(reads_back(scratch("wide.h5"), columns, 5));
  }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  scratch_remove("wide.h5");
}

/* The columns of 50 000 disks. Each is found by its name: a search among all of them would take minutes. */
static void hundreds_of_thousands_of_columns(void) {
  enum { MANY = 300001, ROWS = 3 };
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(write_fake(scratch("many.h5"), MANY, ROWS, ROWS));
  picus_result *result;
  REQUIRE(picus_result_open(context, scratch("many.h5"), &result) == PICUS_OK);
  int wrong = 0;
  for (int k = 1; k < MANY; k++) {
    char name[16];
    snprintf(name, sizeof name, "q%d", k);
    wrong += picus_result_find(result, name) != k;
  }
  CHECK(wrong == 0 && picus_result_find(result, "q") == -1 && picus_result_find(result, "") == -1);
  CHECK(fake_matches(result, MANY));
  picus_result_close(result);
  size_t size = 0;
  char *bytes = read_whole(scratch("many.h5"), &size);
  printf("  %.1f bytes for each column, of which %d are numbers\n", (double)size / MANY, 8 * ROWS);
  CHECK(bytes && (double)size < 60.0 * MANY); /* a dataset for each column takes 3 kB */
  free(bytes);
  picus_context_destroy(context);
  scratch_remove("many.h5");
}

static void two_runs_give_the_same_bytes(void) {
  char *bytes[2];
  size_t sizes[2] = {0, 0};
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int k = 0; k < 2; k++) {
    REQUIRE(write_fake(scratch("same.h5"), COLUMNS, 100, 100));
    bytes[k] = read_whole(scratch("same.h5"), &sizes[k]);
  }
  CHECK(bytes[0] && bytes[1] && sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
  free(bytes[0]);
  free(bytes[1]);
  picus_context_destroy(context);
  scratch_remove("same.h5");
}

/* --- crashes --- */

/* Writes so many blocks, dies at the n-th write of the next one. The number of its writes goes to the pipe if it is
 * completed. */
static void die_in_block(const char *path, long blocks, long n, int pipe_end) {
  fake f;
  const long block = picus_recorder_block_rows(COLUMNS);
  if (picus_context_create(NULL, &context) || fake_open(&f, context, COLUMNS, 1e5)) _exit(1);
  if (picus_recorder_add_hdf5(f.recorder, path) || picus_recorder_begin(f.recorder)) _exit(2);
  if (fake_rows(&f, blocks * block)) _exit(3);
  writes_left = n;
  writes_done = 0;
  if (fake_rows(&f, block)) _exit(4);
  if (write(pipe_end, &writes_done, sizeof writes_done) != sizeof writes_done) _exit(5);
  _exit(0);
}

static bool try_dying(const char *path, long blocks, long n, long *writes) {
  int ends[2], status = 0;
  if (!CHECK(pipe(ends) == 0)) return true;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) die_in_block(path, blocks, n, ends[1]);
  close(ends[1]);
  const bool completed = read(ends[0], writes, sizeof *writes) == sizeof *writes;
  close(ends[0]);
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return completed;
}

static void every_write_of_a_commit_leaves_a_readable_file(void) {
  const long block = picus_recorder_block_rows(COLUMNS);
  const char *path = scratch("between.h5");
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  const long blocks = 1;
  long writes = 0, ignored;
  REQUIRE(try_dying(path, blocks, -1, &writes) && writes > 100); /* chunks, then metadata */
  const long at[] = {writes / 2, writes - 4, writes - 3, writes - 2, writes - 1};
  for (size_t k = 0; k < sizeof at / sizeof *at; k += (size_t)test_size(2, 2, 1)) {
    scratch_remove("between.h5");
    REQUIRE(!try_dying(path, blocks, at[k], &ignored));
    if (!CHECK(reads_back(path, COLUMNS, blocks * block))) printf("  write %ld of %ld\n", at[k], writes);
  }
  scratch_remove("between.h5");
  picus_context_destroy(context);
}

/* A file that may grow to so many bytes: the rows before stay. */
static void write_limited(const char *path, rlim_t bytes) {
  const struct rlimit limit = {bytes, bytes};
  fake f;
  signal(SIGXFSZ, SIG_IGN);
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || picus_context_create(NULL, &context)) _exit(1);
  if (fake_open(&f, context, COLUMNS, 0) || picus_recorder_add_hdf5(f.recorder, path)) _exit(2);
  if (picus_recorder_begin(f.recorder)) _exit(3);
  picus_status status = fake_rows(&f, 4 * picus_recorder_block_rows(COLUMNS));
  if (status != PICUS_ERROR_IO || !strstr(picus_last_error(context)->message, "File too large")) _exit(4);
  fake_end(&f, status);
  picus_recorder_destroy(f.recorder);
  _exit(picus_context_memory(context) == 0 ? 0 : 5);
}

static void a_full_disk_keeps_the_blocks_before_it(void) {
  const long block = picus_recorder_block_rows(COLUMNS);
  int status = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) write_limited(scratch("full.h5"), 45 << 20);
  CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_result *result;
  REQUIRE(picus_result_open(context, scratch("full.h5"), &result) == PICUS_OK);
  const long rows = picus_result_row_count(result);
  printf("  %ld blocks are left\n", rows / block);
  CHECK(rows >= block && rows < 4 * block && rows % block == 0 && fake_matches(result, COLUMNS));
  CHECK(picus_result_number(result, "statistics.rows") == (double)rows);
  picus_result_close(result);
  picus_context_destroy(context);
  scratch_remove("full.h5");
}

/* --- damage --- */

/* Opens or complains, with the name of the file. */
static int try_file(const char *path) {
  picus_result *result;
  int wrong = 0;
  if (picus_context_create(NULL, &context)) return 1;
  picus_status status = picus_result_open(context, path, &result);
  const double *values;
  for (int k = 0; !status && k < picus_result_column_count(result); k += 50)
    status = picus_result_values(result, k, &values);
  if (status && status != PICUS_ERROR_MEMORY) wrong += strstr(picus_last_error(context)->message, path) == NULL;
  picus_result_close(result);
  wrong += picus_context_memory(context) != 0;
  picus_context_destroy(context);
  return wrong;
}

/* In a process of its own: HDF5 itself complains at its exit about what such files have made of it. */
static void try_damaged(char *bytes, size_t size, unsigned seed) {
  test_random random = {seed};
  int wrong = 0;
  const int files = (int)test_size(20, 30, 150);
  for (int k = 0; k < files; k++) {
    int places[40] = {0};
    char before[40] = {0};
    const int count = test_integer(&random, 1, 40);
    for (int i = 0; i < count; i++) {
      places[i] = test_integer(&random, 0, (int)size - 1);
      before[i] = bytes[places[i]];
      bytes[places[i]] = (char)test_integer(&random, 0, 255);
    }
    wrong += !write_whole(scratch("bad.h5"), bytes, k % 3 ? size : size / 150 * (size_t)k);
    wrong += try_file(scratch("bad.h5"));
    for (int i = count - 1; i >= 0; i--) bytes[places[i]] = before[i];
  }
  _exit(wrong ? 2 : 0);
}

static void damaged_tables(void) {
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(write_fake(scratch("good.h5"), COLUMNS, 4, 4));
  picus_context_destroy(context);
  size_t size = 0;
  char *bytes = read_whole(scratch("good.h5"), &size);
  REQUIRE(bytes);
  for (unsigned seed = 5; seed < 8; seed++) { /* 5: a chunk has the size 0, by which HDF5 1.10 divides */
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) try_damaged(bytes, size, seed);
    if (!CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0))
      printf("  seed %u\n", seed);
  }
  free(bytes);
  scratch_remove("good.h5");
  scratch_remove("bad.h5");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"rows_read_back", rows_read_back},
      {"hundreds_of_thousands_of_columns", hundreds_of_thousands_of_columns},
      {"two_runs_give_the_same_bytes", two_runs_give_the_same_bytes},
      {"every_write_of_a_commit_leaves_a_readable_file", every_write_of_a_commit_leaves_a_readable_file},
      {"a_full_disk_keeps_the_blocks_before_it", a_full_disk_keeps_the_blocks_before_it},
      {"damaged_tables", damaged_tables},
  };
  int result = test_main(argc, argv, "record_wide", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return result;
}
