/* The fuzz target on damaged files: changed numbers, cut ends, changed bytes anywhere. Seeded, so that what fails can
 * be repeated. Bytes of HDF5's own bookkeeping are changed in a process of its own: HDF5 itself does not survive all of
 * it, and what is counted here is that Picus does where HDF5 does. */
#define _POSIX_C_SOURCE 200809L
#include "scenes.h"
#include "support/check.h"

#include <hdf5.h>
#include <picus/picus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct bytes {
  uint8_t *at;
  size_t size;
} bytes;

static bytes read_bytes(const char *path) {
  bytes b = {malloc(1 << 20), 0};
  FILE *file = fopen(path, "rb");
  if (b.at && file) b.size = fread(b.at, 1, 1 << 20, file);
  if (file) fclose(file);
  return b;
}

/* A small problem in a file: a planar chain, which has bilateral rows, with a guess. */
static bytes make_file(const char *path) {
  picus_context *context = NULL;
  picus_problem *problem = NULL;
  scene_def def = {"chain", 3, 2, 1};
  bytes none = {NULL, 0};
  if (picus_context_create(NULL, &context)) return none;
  if (scene_create(context, &def, &problem) == PICUS_OK) {
    picus_problem_notes notes = *picus_problem_notes_of(problem);
    notes.guess = picus_problem_contacts(problem)->c;
    CHECK(picus_problem_write(context, path, picus_problem_contacts(problem), &notes) == PICUS_OK);
  }
  picus_problem_destroy(problem);
  picus_context_destroy(context);
  return read_bytes(path);
}

/* Where the numbers of a dataset lie in the file. */
static const char *const datasets[] = {
    "fclib_local/spacedim",  "fclib_local/W/m",       "fclib_local/W/n", "fclib_local/W/nz", "fclib_local/W/p",
    "fclib_local/W/i",       "fclib_local/W/x",       "fclib_local/V/m", "fclib_local/V/n",  "fclib_local/V/p",
    "fclib_local/V/i",       "fclib_local/R/p",       "fclib_local/R/i", "fclib_local/R/nz", "fclib_local/vectors/mu",
    "fclib_local/vectors/q", "fclib_local/vectors/s", "guesses/1/r",     "guesses/1/l"};
enum { DATASETS = sizeof datasets / sizeof datasets[0] };

typedef struct range {
  size_t first, size;
} range;

static bool find_ranges(const char *path, range ranges[DATASETS]) {
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  bool found = file >= 0;
  for (int k = 0; found && k < DATASETS; k++) {
    hid_t set = H5Dopen2(file, datasets[k], H5P_DEFAULT);
    haddr_t at = set >= 0 ? H5Dget_offset(set) : HADDR_UNDEF;
    found = at != HADDR_UNDEF;
    if (found) ranges[k] = (range){(size_t)at, (size_t)H5Dget_storage_size(set)};
    if (set >= 0) H5Dclose(set);
  }
  if (file >= 0) H5Fclose(file);
  return found;
}

static void changed_numbers(void) {
  static const uint8_t values[] = {0x00, 0x01, 0x7f, 0x80, 0xff, 0xfe, 0x02, 0x10};
  const char *path = "mutations-numbers.hdf5";
  range ranges[DATASETS];
  bytes good = make_file(path);
  REQUIRE(good.size > 0 && find_ranges(path, ranges));
  uint8_t *bad = malloc(good.size);
  test_random random = {11};
  for (int turn = 0; bad && turn < test_size(200, 400, 2000); turn++) {
    memcpy(bad, good.at, good.size);
    for (int changes = test_integer(&random, 1, 3); changes > 0; changes--) {
      const range *r = &ranges[test_integer(&random, 0, DATASETS - 1)];
      size_t at = r->first + (size_t)test_integer(&random, 0, (int)r->size - 1);
      if (test_integer(&random, 0, 1))
        bad[at] = values[test_integer(&random, 0, 7)];
      else
        bad[at] = (uint8_t)(bad[at] ^ (1u << test_integer(&random, 0, 7)));
    }
    CHECK(LLVMFuzzerTestOneInput(bad, good.size) == 0);
  }
  free(bad);
  free(good.at);
  remove(path);
}

static void cut_ends(void) {
  const char *path = "mutations-cut.hdf5";
  bytes good = make_file(path);
  REQUIRE(good.size > 0);
  for (size_t size = 0; size <= good.size; size += 1 + good.size / 200)
    CHECK(LLVMFuzzerTestOneInput(good.at, size) == 0);
  free(good.at);
  remove(path);
}

/* Exit code 0: fine; by a signal: somebody crashed. */
static bool survives(const uint8_t *at, size_t size) {
  (void)fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    (void)freopen("/dev/null", "w", stderr);
    _exit(LLVMFuzzerTestOneInput(at, size));
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void changed_bytes(void) {
  const char *path = "mutations-bytes.hdf5";
  bytes good = make_file(path);
  REQUIRE(good.size > 0);
  uint8_t *bad = malloc(good.size);
  test_random random = {12};
  int crashed = 0, turns = 150;
  for (int turn = 0; bad && turn < turns; turn++) {
    memcpy(bad, good.at, good.size);
    for (int changes = test_integer(&random, 1, 4); changes > 0; changes--)
      bad[test_integer(&random, 0, (int)good.size - 1)] = (uint8_t)test_integer(&random, 0, 255);
    crashed += !survives(bad, good.size);
  }
  if (crashed) printf("  %d of %d damaged files crashed the reader\n", crashed, turns);
  CHECK(crashed == 0);
  free(bad);
  free(good.at);
  remove(path);
}

static const test_case cases[] = {
    {"numbers are changed", changed_numbers}, {"the end is missing", cut_ends}, {"bytes are changed", changed_bytes}};

int main(int argc, char **argv) {
  return test_main(argc, argv, "problem_file_mutations", cases, (int)(sizeof cases / sizeof cases[0]));
}
