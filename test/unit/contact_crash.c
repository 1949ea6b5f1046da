/* Tables of contacts in files of runs that ended badly, and in files that lie: what can be read is right, and what is
 * wrong is said. */
#define _POSIX_C_SOURCE 200809L
#include "contact_fake.h"
#include "unit/counted_writes.h"

#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum { COLUMNS = 113, BLOCK = 1024 };

/* Opens what a process left behind: its rows with all their contacts, or -1. */
static long rows_left(const char *path, long *rows) {
  picus_context *context;
  picus_result *result = NULL;
  long with_contacts = -1;
  *rows = 0;
  if (picus_context_create(NULL, &context)) return -1;
  if (picus_result_open(context, path, &result))
    printf("  %s\n", picus_last_error(context)->message);
  else if (!fake_matches(result, COLUMNS) || !fake_contacts_match(result))
    printf("  wrong values; %s\n", picus_last_error(context)->message);
  else {
    with_contacts = picus_result_contact_rows(result);
    *rows = picus_result_row_count(result);
  }
  picus_result_close(result);
  picus_context_destroy(context);
  return with_contacts;
}

static void open_fake(fake *f, balls *b, const char *path, double expected) {
  if (!balls_open(b, balls_falling(3), NULL) || fake_contacts_open(f, b, COLUMNS, expected)) _exit(1);
  if (picus_recorder_add_hdf5(f->recorder, path) || picus_recorder_begin(f->recorder)) _exit(2);
}

/* --- the process dies --------------------------------------------------------------------------------------------- */

static void write_for_ever(const char *path) {
  fake f;
  balls b;
  open_fake(&f, &b, path, 1e6);
  for (;;)
    if (fake_contact_rows(&f, BLOCK)) _exit(3);
}

static void a_killed_process_leaves_its_contacts(void) {
  test_random random = {11};
  long most = 0;
  /* on a loaded machine the first blocks may come late: more and longer attempts until one is seen */
  for (int k = 0; k < 8 || (most < BLOCK && k < 40); k++) {
    const char *path = scratch("killed.h5"), *part = scratch("killed.h5.part");
    int exit_status = 0;
    struct stat facts;
    scratch_remove("killed.h5");
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) write_for_ever(path);
    for (int waited = 0; waited < 20000 && (stat(part, &facts) != 0 || facts.st_size < 2000000); waited++)
      nanosleep(&(struct timespec){0, 1000000}, NULL); /* until some blocks are there */
    nanosleep(&(struct timespec){0, (long)test_uniform(&random, 0, k < 8 ? 6e7 : 9e8)}, NULL);
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, &exit_status, 0) == child && WIFSIGNALED(exit_status));
    long rows, with_contacts = rows_left(path, &rows);
    CHECK(with_contacts >= 0 && with_contacts <= rows && rows % BLOCK == 0);
    CHECK(rows == 0 || with_contacts > rows - 400); /* at most an incomplete chunk is missing */
    if (rows > most) most = rows;
  }
  CHECK(most >= BLOCK);
  scratch_remove("killed.h5");
}

/* A file of few contacts in a row; dies at the n-th write of the block after `blocks` ones, or of the end. */
static void die_in_block(const char *path, long blocks, long n, bool at_end, int pipe_end) {
  fake f;
  balls b;
  open_fake(&f, &b, path, 10);
  for (long k = 0; k < blocks; k++)
    if (fake_contact_rows(&f, BLOCK)) _exit(3);
  writes_left = n;
  writes_done = 0;
  if (at_end ? fake_end(&f, PICUS_OK) : fake_contact_rows(&f, BLOCK)) _exit(4);
  if (write(pipe_end, &writes_done, sizeof writes_done) != sizeof writes_done) _exit(5);
  _exit(0);
}

static bool try_dying(const char *path, long blocks, long n, bool at_end, long *writes) {
  int pipe_ends[2], exit_status = 0;
  if (!CHECK(pipe(pipe_ends) == 0)) return true;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) die_in_block(path, blocks, n, at_end, pipe_ends[1]);
  close(pipe_ends[1]);
  bool completed = read(pipe_ends[0], writes, sizeof *writes) == sizeof *writes;
  close(pipe_ends[0]);
  CHECK(waitpid(child, &exit_status, 0) == child && WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == 0);
  return completed;
}

/* At some of the many writes of a block, and at all of its last ones, where the commit is. */
static void every_write_leaves_a_readable_table(void) {
  for (int k = 0; k < 2; k++) {
    const bool at_end = k == 1;
    long writes = 0, ignored, rows;
    const char *path = scratch("between.h5");
    REQUIRE(try_dying(path, 1, -1, at_end, &writes) && writes > 0);
    scratch_remove("between.h5");
    const long one_by_one = test_size(5, 5, 25);
    for (long n = 0; n < writes; n += n + one_by_one < writes ? (writes / 8 > 0 ? writes / 8 : 1) : 1) {
      REQUIRE(!try_dying(path, 1, n, at_end, &ignored));
      const long with_contacts = rows_left(path, &rows);
      if (!CHECK(with_contacts > rows - 400 && with_contacts <= rows && rows >= BLOCK))
        printf("  %ld rows, %ld with contacts after write %ld of %ld\n", rows, with_contacts, n, writes);
      scratch_remove("between.h5");
    }
  }
}

/* --- the disk is full --------------------------------------------------------------------------------------------- */

static void write_with_limit(const char *path, rlim_t bytes) {
  struct rlimit limit = {bytes, bytes};
  fake f;
  balls b;
  signal(SIGXFSZ, SIG_IGN);
  if (!balls_open(&b, balls_falling(3), NULL) || fake_contacts_open(&f, &b, COLUMNS, 100)) _exit(11);
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || picus_recorder_add_hdf5(f.recorder, path)) _exit(10);
  picus_status status = picus_recorder_begin(f.recorder);
  if (status) _exit(strstr(picus_last_error(b.context)->message, "File too large") ? 1 : 12);
  status = fake_contact_rows(&f, 2000);
  if (!status) status = fake_end(&f, PICUS_OK);
  if (status) {
    if (status != PICUS_ERROR_IO || !strstr(picus_last_error(b.context)->message, "File too large")) _exit(13);
    fake_end(&f, status);
  }
  picus_recorder_destroy(f.recorder);
  picus_system_destroy(b.system);
  picus_model_destroy(b.model);
  if (picus_context_memory(b.context) != 0) _exit(15);
  _exit(status ? 2 : 0);
}

static void a_full_disk_keeps_the_contacts_before(void) {
  int ends[3] = {0};
  long previous = 0;
  static const rlim_t limits[] = {20000, 150000, 400000, 1500000, 2500000, 1000000000};
  for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
    const char *path = scratch("full.h5");
    int exit_status = 0;
    struct stat facts;
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) write_with_limit(path, limits[k]);
    CHECK(waitpid(child, &exit_status, 0) == child);
    if (!CHECK(WIFEXITED(exit_status) && WEXITSTATUS(exit_status) <= 2)) continue;
    ends[WEXITSTATUS(exit_status)]++;
    if (stat(path, &facts) != 0) continue; /* no rows */
    long rows, with_contacts = rows_left(path, &rows);
    CHECK(with_contacts >= previous && with_contacts <= rows && with_contacts > rows - 400);
    previous = with_contacts;
    scratch_remove("full.h5");
  }
  CHECK(ends[1] > 0 && ends[2] > 1 && ends[0] > 0 && previous == 2000);
}

/* --- files that lie ----------------------------------------------------------------------------------------------- */

/* The few functions of HDF5 that change a file; see record_hostile.c. */
extern int64_t H5T_IEEE_F64LE_g, H5T_STD_I32LE_g, H5T_NATIVE_DOUBLE_g, H5T_C_S1_g;
int64_t H5Fopen(const char *name, unsigned flags, int64_t access);
int H5Fclose(int64_t file);
int64_t H5Screate_simple(int rank, const uint64_t *extent, const uint64_t *largest);
int H5Sclose(int64_t space);
int64_t H5Dcreate2(int64_t parent, const char *name, int64_t type, int64_t space, int64_t link, int64_t creation,
                   int64_t access);
int64_t H5Dopen2(int64_t parent, const char *name, int64_t access);
int H5Dset_extent(int64_t dataset, const uint64_t *extent);
int H5Dwrite(int64_t dataset, int64_t type, int64_t memory, int64_t file, int64_t transfer, const void *values);
int H5Dclose(int64_t dataset);
int H5Ldelete(int64_t parent, const char *name, int64_t access);

enum { ROWS = 50, READ_WRITE = 1 };

static int64_t change(const char *path) {
  balls b;
  fake f;
  if (!CHECK(balls_open(&b, balls_falling(3), NULL))) return -1;
  bool fine = !fake_contacts_open(&f, &b, COLUMNS, ROWS) && !picus_recorder_add_hdf5(f.recorder, path) &&
              !picus_recorder_begin(f.recorder) && !fake_contact_rows(&f, ROWS) && !fake_end(&f, PICUS_OK);
  picus_recorder_destroy(f.recorder);
  balls_close(&b);
  return CHECK(fine) ? H5Fopen(path, READ_WRITE, 0) : -1;
}

/* Opens and reads everything; the message of the first error, "" if there is none. */
static void read_all(const char *path, char *message, size_t size) {
  picus_context *context;
  picus_result *result = NULL;
  const picus_contact_point *contacts;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_status status = picus_result_open(context, path, &result);
  for (long row = 0; !status && row < picus_result_contact_rows(result); row++) {
    status = picus_result_contacts(result, row, &contacts);
    for (int k = 0; !status && k < picus_result_contact_count(result, row); k++)
      for (int side = 0; side < 2; side++)
        CHECK(contacts[k].body[side] < picus_result_body_count(result) && contacts[k].body[side] >= -1 &&
              (int)contacts[k].mode >= 0 && (int)contacts[k].mode <= 2);
  }
  snprintf(message, size, "%s", status ? picus_last_error(context)->message : "");
  if (!status && picus_result_contact_rows(result) >= 0 &&
      !CHECK(!picus_result_export_contacts(result, scratch("lies.csv"))))
    printf("  %s\n", picus_last_error(context)->message);
  picus_result_close(result);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  scratch_remove("lies.csv");
}

static void expect(const char *path, const char *part) {
  char message[1024] = "";
  read_all(path, message, sizeof message);
  if (!CHECK(part ? strstr(message, part) != NULL : message[0] == '\0'))
    printf("  expected \"%s\", got \"%s\"\n", part ? part : "", message);
}

static void add_list(int64_t file, const char *name, int64_t type, int rank, uint64_t length) {
  uint64_t extent[2] = {length, 2};
  int64_t space = H5Screate_simple(rank, extent, NULL);
  int64_t dataset = H5Dcreate2(file, name, type, space, 0, 0, 0);
  CHECK(dataset >= 0 && H5Dclose(dataset) >= 0 && H5Sclose(space) >= 0);
}

/* rank 0: it is missing */
static void replace_list(const char *name, bool is_text, int rank, const char *complaint) {
  const char *path = scratch("lies.h5");
  int64_t file = change(path);
  REQUIRE(file >= 0);
  CHECK(H5Ldelete(file, name, 0) >= 0);
  if (rank > 0) add_list(file, name, is_text ? H5T_C_S1_g : H5T_IEEE_F64LE_g, rank, ROWS);
  CHECK(H5Fclose(file) >= 0);
  expect(path, complaint);
}

static void lists_that_are_missing_or_wrong(void) {
  static const char damaged[] = "the table of contacts in";
  replace_list("picus/contacts", false, 0, NULL); /* a run without such laws */
  replace_list("picus/contacts", false, 1, NULL);
  replace_list("picus/bodies", false, 0, NULL); /* bodies without names */
  replace_list("picus/contacts/PN", false, 0, damaged);
  replace_list("picus/contacts/key", true, 1, damaged);
  replace_list("picus/contacts/mode", false, 2, damaged);
  replace_list("picus/contacts/row", false, 0, damaged);
  replace_list("picus/contacts/count", false, 0, damaged);
  replace_list("picus/contacts/count", true, 1, damaged);
  replace_list("picus/contact_laws/name", false, 2, NULL);
  scratch_remove("lies.h5");
}

static void lengths_that_are_wrong(void) {
  static const uint64_t lengths[] = {0, 1, 100000, (uint64_t)1 << 40, (uint64_t)1 << 62};
  static const char *const names[] = {"picus/contacts/gap", "picus/contacts/count"};
  char path[128];
  snprintf(path, sizeof path, "%s", scratch("lies.h5"));
  for (int k = 0; k < 10; k++) {
    int64_t file = change(path), dataset = file >= 0 ? H5Dopen2(file, names[k / 5], 0) : -1;
    REQUIRE(dataset >= 0);
    CHECK(H5Dset_extent(dataset, &lengths[k % 5]) >= 0 && H5Dclose(dataset) >= 0 && H5Fclose(file) >= 0);
    /* counts beyond the rows are of no use, but harmless if they are in the file */
    char message[1024] = "";
    read_all(path, message, sizeof message);
    CHECK(strstr(message, "the table of contacts in") != NULL || (k >= 5 && lengths[k % 5] > ROWS && !message[0]));
  }
  scratch_remove("lies.h5");
}

/* Every list full of one number. */
static void numbers_that_are_wrong(void) {
  static const double numbers[] = {NAN, -1, 1e300, INFINITY, 2147483647.0, 7};
  char path[128];
  snprintf(path, sizeof path, "%s", scratch("lies.h5"));
  static double values[200000];
  for (int k = -1; k < 26; k += (int)test_size(3, 3, 1)) {
    static const char *const names[] = {"count", "key", "source", "body1", "body2", "x",   "y",   "z",     "nx",
                                        "ny",    "nz",  "tx",     "ty",    "tz",    "gap", "vN",  "slip1", "slip2",
                                        "slip3", "PN",  "PF1",    "PF2",   "PF3",   "PR1", "PR2", "mu",    "mode"};
    char name[64];
    snprintf(name, sizeof name, "picus/contacts/%s", names[k + 1]);
    for (int i = 0; i < 6; i += k < 0 || k > 23 ? 1 : 5) {
      for (int j = 0; j < 200000; j++) values[j] = numbers[i];
      int64_t file = change(path), dataset = file >= 0 ? H5Dopen2(file, name, 0) : -1;
      REQUIRE(dataset >= 0);
      CHECK(H5Dwrite(dataset, H5T_NATIVE_DOUBLE_g, 0, 0, 0, values) >= 0);
      CHECK(H5Dclose(dataset) >= 0 && H5Fclose(file) >= 0);
      /* NAN as an integer is 0 or the smallest one: both are possible numbers of contacts, or wrong ones */
      char message[1024] = "";
      read_all(path, message, sizeof message);
      if (k >= 0) CHECK_TEXT(message, "");
      if (k < 0 && i > 0 && i < 5) CHECK(strstr(message, "is damaged") != NULL);
    }
  }
  scratch_remove("lies.h5");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"a_killed_process_leaves_its_contacts", a_killed_process_leaves_its_contacts},
      {"every_write_leaves_a_readable_table", every_write_leaves_a_readable_table},
      {"a_full_disk_keeps_the_contacts_before", a_full_disk_keeps_the_contacts_before},
      {"lists_that_are_missing_or_wrong", lists_that_are_missing_or_wrong},
      {"lengths_that_are_wrong", lengths_that_are_wrong},
      {"numbers_that_are_wrong", numbers_that_are_wrong},
  };
  int result = test_main(argc, argv, "contact_crash", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return result;
}
