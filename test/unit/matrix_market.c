/* Matrix Market files: what is read, and what is refused with which sentence. */
#define _POSIX_C_SOURCE 200809L
#include "support/check.h"

#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[64];

static void write_bytes(const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!CHECK(file)) return;
  CHECK(fwrite(bytes, 1, size, file) == size);
  fclose(file);
}

static double entry(const picus_matrix *m, int row, int column) {
  double sum = 0;
  for (size_t k = 0; k < m->count; k++)
    if (m->row[k] == row && m->column[k] == column) sum += m->value[k];
  return sum;
}

/* Reads a text that must be a 3 x 3 matrix with these entries. */
static void check_read(const char *text, const double expected[9]) {
  picus_context *context;
  picus_matrix m;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  write_bytes(text, strlen(text));
  picus_status status = picus_matrix_read(context, path, &m);
  if (!CHECK(status == PICUS_OK)) printf("  %s\n", picus_last_error(context)->message);
  if (status == PICUS_OK) CHECK(m.order == 3);
  for (int i = 0; status == PICUS_OK && i < 9; i++) CHECK_NEAR(entry(&m, i / 3, i % 3), expected[i], 0);
  picus_matrix_release(context, &m);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

static void formats(void) {
  static const double general[9] = {1, 0, -2.5, 0, 0, 0, 3e-5, 0, 7};
  static const double symmetric[9] = {2, -1, 0, -1, 2, -1, 0, -1, 2};
  check_read(
      "%%MatrixMarket matrix coordinate real general\n% a comment\n\n3 3 4\n1 1 1\n 1  3\t-2.5 \n3 1 3e-5\n3 3 7\n",
      general);
  check_read("%%MatrixMarket MATRIX Coordinate Real General\r\n3 3 4\r\n1 1 1\r\n1 3 -2.5\r\n3 1 3e-5\r\n3 3 7.\r\n",
             general);
  check_read("%%MatrixMarket matrix coordinate real general\n3 3 5\n1 1 0.5\n1 1 0.5\n1 3 -2.5\n3 1 3e-5\n3 3 7",
             general); /* entries at one place add up */
  check_read(
      "%%MatrixMarket matrix coordinate integer symmetric\n3 3 5\n1 1 2\n2 1 -1\n2 2 2\n3 2 -1\n3 3 2\n\n% end\n",
      symmetric);
  check_read("%%MatrixMarket matrix array real general\n3 3\n1\n0\n3e-5\n0\n0\n0\n-2.5\n0\n7\n", general);
  check_read("%%MatrixMarket matrix array real symmetric\n3 3\n2 -1 0\n2 -1\n2\n", symmetric);
}

typedef struct refusal {
  const char *text, *fragment;
} refusal;

#define COORDINATE "%%MatrixMarket matrix coordinate real general\n"
static const refusal refusals[] = {
    {"", "is empty"},
    {"hello\n", "not a Matrix Market file"},
    {"%%MatrixMarket matrix coordinate real\n3 3 1\n1 1 1\n", "not a Matrix Market file"},
    {"%%MatrixMarket vector coordinate real general\n3 1 1\n", "'vector', not a matrix"},
    {"%%MatrixMarket matrix banded real general\n3 3 1\n", "the format is 'banded'"},
    {"%%MatrixMarket matrix coordinate complex general\n3 3 1\n1 1 1 0\n", "complex"},
    {"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n1 1\n", "a pattern without values"},
    {"%%MatrixMarket matrix coordinate quaternion general\n3 3 1\n", "the field is 'quaternion'"},
    {"%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n", "must be general or symmetric"},
    {COORDINATE, "ends before the size"},
    {COORDINATE "3 3\n", "'rows columns entries'"},
    {COORDINATE "3 3 1 1\n", "'rows columns entries'"},
    {COORDINATE "3 4 1\n1 1 1\n", "3 x 4, not square"},
    {COORDINATE "0 0 0\n", "0 x 0, not square"},
    {COORDINATE "-3 -3 1\n", "not a valid matrix size"},
    {COORDINATE "99999999999999999999 99999999999999999999 1\n", "not a valid matrix size"},
    {COORDINATE "4000000000 4000000000 1\n", "not a valid matrix size"},
    {COORDINATE "3 3 10\n", "not a valid number of entries"},
    {COORDINATE "3 3 -1\n", "not a valid number of entries"},
    {COORDINATE "2000000000 2000000000 4000000000\n", "4000000000 entries exceed the limit"},
    {COORDINATE "2000000000 2000000000 2000000000\n1 1 1\n", "ends after 1 of the 2000000000"},
    {COORDINATE "3 3 2\n1 1 1\n", "ends after 1 of the 2"},
    {COORDINATE "3 3 1\n1 1 1\n2 2 1\n", "more entries than the 1"},
    {COORDINATE "3 3 1\n0 1 1\n", "from 1 to 3"},
    {COORDINATE "3 3 1\n1 4 1\n", "from 1 to 3"},
    {COORDINATE "3 3 1\n-1 1 1\n", "from 1 to 3"},
    {COORDINATE "3 3 1\n1.5 1 1\n", "from 1 to 3"},
    {COORDINATE "3 3 1\n1 1\n", "'row column value'"},
    {COORDINATE "3 3 1\n1 1 1 1\n", "'row column value'"},
    {COORDINATE "3 3 1\n1 1 nan\n", "'nan' is not a finite number"},
    {COORDINATE "3 3 1\n1 1 -inf\n", "'-inf' is not a finite number"},
    {COORDINATE "3 3 1\n1 1 1e999\n", "not a finite number"},
    {COORDINATE "3 3 1\n1 1 1,5\n", "not a finite number"},
    {COORDINATE "3 3 1\n1 1 one\n", "not a finite number"},
    {"%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n1 2 1\n", "above the diagonal"},
    {"%%MatrixMarket matrix array real general\n3 3\n1\n2\n", "ends after 2 of its 9"},
    {"%%MatrixMarket matrix array real general\n1 1\n1 2\n", "more entries"},
    {"%%MatrixMarket matrix array real general\n1 1\n1\n2\n", "more entries"},
    {"%%MatrixMarket matrix array real general\n1000000 1000000\n1\n", "too large"},
};

static void hostile_files(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    picus_matrix m;
    write_bytes(refusals[i].text, strlen(refusals[i].text));
    CHECK(picus_matrix_read(context, path, &m) == PICUS_ERROR_IO);
    if (!CHECK(strstr(picus_last_error(context)->message, refusals[i].fragment)))
      printf("  %s\n  instead of ... %s ...\n", picus_last_error(context)->message, refusals[i].fragment);
    CHECK(m.order == 0 && m.count == 0 && !m.row && picus_context_memory(context) == 0);
  }
  picus_context_destroy(context);
}

static void other_files(void) {
  picus_context *context;
  picus_matrix m;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  CHECK(picus_matrix_read(context, "no-such-file.mtx", &m) == PICUS_ERROR_IO);
  CHECK(picus_matrix_read(context, ".", &m) == PICUS_ERROR_IO);
  CHECK(picus_matrix_read(context, "/dev/zero", &m) == PICUS_ERROR_IO);
  remove(path);
  REQUIRE(mkfifo(path, 0600) == 0);
  CHECK(picus_matrix_read(context, path, &m) == PICUS_ERROR_IO); /* and does not wait for a writer */
  CHECK(strstr(picus_last_error(context)->message, "not a regular file"));
  remove(path);
  static char long_line[5000];
  memset(long_line, '1', sizeof long_line - 1);
  write_bytes(long_line, sizeof long_line - 1);
  CHECK(picus_matrix_read(context, path, &m) == PICUS_ERROR_IO);
  CHECK(strstr(picus_last_error(context)->message, "longer than"));
  picus_context_destroy(context);
}

/* A good file with some bytes changed, cut off or repeated: it is read or refused, and nothing is lost. */
static void damaged_files(void) {
  static const char good[] =
      "%%MatrixMarket matrix coordinate real symmetric\n% bar\n4 4 7\n1 1 2.5e-1\n2 1 -1\n2 2 2\n"
      "3 2 -1\n3 3 2\n4 3 -1\n4 4 1\n";
  static const char letters[] = "0123456789.-+eE% \n\tinfa,\x80\xff";
  test_random random = {20120129};
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  int accepted = 0;
  for (int trial = 0; trial < 3000; trial++) {
    char bytes[2 * sizeof good];
    size_t size = sizeof good - 1;
    memcpy(bytes, good, size);
    for (int k = test_integer(&random, 1, 4); k > 0; k--)
      bytes[test_integer(&random, 0, (int)size - 1)] = letters[test_integer(&random, 0, (int)sizeof letters - 1)];
    if (trial % 3 == 0) size = (size_t)test_integer(&random, 0, (int)size);
    picus_matrix m;
    write_bytes(bytes, size);
    picus_status status = picus_matrix_read(context, path, &m);
    CHECK(status == PICUS_OK || (status == PICUS_ERROR_IO && *picus_last_error(context)->message));
    for (size_t k = 0; status == PICUS_OK && k < m.count; k++)
      CHECK(m.row[k] >= 0 && m.row[k] < m.order && m.column[k] >= 0 && m.column[k] < m.order &&
            m.value[k] - m.value[k] == 0);
    accepted += status == PICUS_OK;
    picus_matrix_release(context, &m);
    CHECK(picus_context_memory(context) == 0);
  }
  printf("  %d of 3000 damaged files were still readable\n", accepted);
  CHECK(accepted > 10);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"formats", formats},
                                    {"hostile_files", hostile_files},
                                    {"other_files", other_files},
                                    {"damaged_files", damaged_files}};
  snprintf(path, sizeof path, "matrix-%ld.mtx", (long)getpid());
  int result = test_main(argc, argv, "matrix_market", cases, sizeof cases / sizeof cases[0]);
  remove(path);
  return result;
}
