/* Results of more rows than 32 bits count, and than memory has room for: they are opened, and some of their rows read.
 */
#define _POSIX_C_SOURCE 200809L
#include "record_fake.h"
#include "support/tool.h"

#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { CHUNK = 1 << 14, SHOWN = 4096 };
static const long HUGE_ROWS = (1L << 31) + 3 * CHUNK + 12345;

static bool write_fake(const char *path, int columns, long rows) {
  picus_context *context;
  fake f;
  if (picus_context_create(NULL, &context)) return false;
  bool done = !fake_open(&f, context, columns, (double)rows) && !picus_recorder_add_hdf5(f.recorder, path) &&
              !picus_recorder_begin(f.recorder) && !fake_rows(&f, rows) && !fake_end(&f, PICUS_OK);
  picus_recorder_destroy(f.recorder);
  picus_context_destroy(context);
  return CHECK(done);
}

/* --- thinned results --- */

/* The rows that are shown are evenly spread, with the first and the last one, whatever their number. */
static void rows_are_evenly_spread(void) {
  static const long all[] = {2, 3, 100, 101, 9000, 20000}, shown[] = {2, 3, 7, 100, 4096};
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int i = 0; i < 6; i++) {
    REQUIRE(write_fake(scratch("thin.h5"), 4, all[i]));
    for (int j = 0; j < 5; j++) {
      picus_result *result;
      const double *t, *x;
      REQUIRE(picus_result_open(context, scratch("thin.h5"), &result) == PICUS_OK);
      picus_result_thin(result, 50, shown[j]);
      const bool is_thin = all[i] > 50 && all[i] > shown[j];
      const long rows = picus_result_row_count(result);
      REQUIRE(rows == (is_thin ? shown[j] : all[i]));
      REQUIRE(!picus_result_values(result, 0, &t) && !picus_result_values(result, 2, &x));
      double least = INFINITY, most = 0;
      for (long k = 0; k < rows; k++) {
        const long row = lround(t[k] * 1e3);
        CHECK(x[k] == fake_value(row, 2));
        if (k > 0 && k < rows - 1) least = fmin(least, t[k] - t[k - 1]), most = fmax(most, t[k] - t[k - 1]);
      }
      CHECK(t[0] == 0 && t[rows - 1] == fake_value(all[i] - 1, 0));
      CHECK(rows < 4 || most - least < 1.001e-3); /* a row more or less */
      picus_result_close(result);
    }
  }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  scratch_remove("thin.h5");
}

static void tables_of_many_columns(void) {
  enum { COLUMNS = 3100, ROWS = 60 };
  picus_context *context;
  picus_result *result;
  const double *x;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK && write_fake(scratch("wide.h5"), COLUMNS, ROWS));
  REQUIRE(picus_result_open(context, scratch("wide.h5"), &result) == PICUS_OK);
  picus_result_thin(result, 10, 5);
  for (int k = 1; k < COLUMNS; k += 500) {
    REQUIRE(picus_result_values(result, k, &x) == PICUS_OK);
    for (int row = 0; row < 5; row++) CHECK(x[row] == fake_value(row * (ROWS - 1) / 4, k));
  }
  picus_result_close(result);
  picus_context_destroy(context);
  scratch_remove("wide.h5");
}

/* --- more rows than 2^31 --- */

/* A column whose chunks have the same bytes, all but the last one, which ends with another value. */
static bool write_column(hid_t file, const char *name, double value, double last) {
  const hsize_t rows = (hsize_t)HUGE_ROWS, unlimited = H5S_UNLIMITED, chunk = CHUNK, one = 1, end = rows - 1;
  static double values[CHUNK];
  static unsigned char bytes[2 * sizeof values];
  hid_t space = H5Screate_simple(1, &rows, &unlimited), memory = H5Screate_simple(1, &chunk, NULL);
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE), single = H5Screate_simple(1, &one, NULL);
  H5Pset_chunk(creation, 1, &chunk);
  H5Pset_deflate(creation, 1);
  H5Ldelete(file, name, H5P_DEFAULT);
  hid_t list = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  for (int k = 0; k < CHUNK; k++) values[k] = value;
  hsize_t first = 0, size = 0;
  uint32_t mask = 0;
  bool done = list >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &chunk, NULL) >= 0 &&
              H5Dwrite(list, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0 && H5Dflush(list) >= 0 &&
              H5Dget_chunk_storage_size(list, &first, &size) >= 0 && size < sizeof bytes &&
              H5Dread_chunk(list, H5P_DEFAULT, &first, &mask, bytes) >= 0;
  for (first = chunk; done && first < rows; first += chunk)
    done = H5Dwrite_chunk(list, H5P_DEFAULT, 0, &first, (size_t)size, bytes) >= 0;
  done = done && H5Sselect_hyperslab(space, H5S_SELECT_SET, &end, NULL, &one, NULL) >= 0 &&
         H5Dwrite(list, H5T_NATIVE_DOUBLE, single, space, H5P_DEFAULT, &last) >= 0;
  H5Dclose(list);
  H5Pclose(creation);
  H5Sclose(single);
  H5Sclose(memory);
  H5Sclose(space);
  return done;
}

static bool write_huge(const char *path) {
  if (!write_fake(path, 2, 5)) return false;
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  const bool done = write_column(file, "t", 0.5, 7.5) && write_column(file, "q1", -2, 3);
  return CHECK(H5Fclose(file) >= 0 && done);
}

/* Runs in a process that has 400 MB, less than a 30th of a column. */
static tool_end run_small(const char *command) {
  const rlim_t most = 400L << 20;
  tool_end end = {.code = -1};
  int ends[2], status;
  if (pipe(ends) != 0) return end;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
    end = tool_run(command, NULL);
    _exit(write(ends[1], &end, sizeof end) == sizeof end ? 0 : 1);
  }
  close(ends[1]);
  if (read(ends[0], &end, sizeof end) != sizeof end) end.code = -2;
  close(ends[0]);
  waitpid(child, &status, 0);
  return end;
}

static void check_command(const char *text, const char *output, const char *errors) {
  char command[400];
  snprintf(command, sizeof command, text, scratch("huge.h5"), scratch("huge.h5"));
  const tool_end end = run_small(command);
  if (!CHECK(end.code == 0) || !CHECK(strstr(end.output, output)) || !CHECK(strstr(end.errors, errors)))
    printf("  %s: %d %s%s\n", command, end.code, end.output, end.errors);
}

static void opened_without_reading_all(void) {
  char rows[64], note[64];
  picus_context *context;
  picus_result *result;
  const double *t;
  if (!tool_takes_faults()) {
    test_skip("sanitizers need more address space");
    return;
  }
  REQUIRE(write_huge(scratch("huge.h5")));
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(picus_result_open(context, scratch("huge.h5"), &result) == PICUS_OK);
  CHECK(picus_result_row_count(result) == HUGE_ROWS);
  picus_result_thin(result, 1L << 30, SHOWN);
  REQUIRE(picus_result_values(result, 0, &t) == PICUS_OK);
  CHECK(picus_result_row_count(result) == SHOWN && t[SHOWN - 2] == 0.5 && t[SHOWN - 1] == 7.5);
  picus_result_close(result);
  picus_context_destroy(context);

  snprintf(rows, sizeof rows, "%ld rows\n", HUGE_ROWS);
  snprintf(note, sizeof note, "has %ld rows: %d of them are read, evenly spread", HUGE_ROWS, SHOWN);
  check_command("info %s", rows, note);
  check_command("events %s", "", "");
  check_command("plot %s q1 --out %s.svg", "", note);
  check_command("view %s --out %s.html", "", note);
  check_command("compare %s %s --columns q1", "q1", note);
  scratch_remove("huge.h5.html");
  scratch_remove("huge.h5.svg");
  scratch_remove("huge.h5");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"rows_are_evenly_spread", rows_are_evenly_spread},
                                    {"tables_of_many_columns", tables_of_many_columns},
                                    {"opened_without_reading_all", opened_without_reading_all}};
  const int result = test_main(argc, argv, "slow_result_huge", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return result;
}
