/* HDF5 results of runs that ended badly: on a full disk, killed, cut off. What was said to be safe must be there. */
#define _POSIX_C_SOURCE 200809L
#include "hdf5/staged.h"
#include "record_fake.h"
#include "unit/counted_writes.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum { COLUMNS = 7, BLOCK = 8192 };

/* Opens what a process left behind: its rows, or -1; they must be the fake's. */
static long rows_left(const char *path, char *status, size_t status_size) {
  picus_context *context;
  picus_result *result;
  if (picus_context_create(NULL, &context)) return -1;
  long rows = -1;
  if (picus_result_open(context, path, &result))
    printf("  %s\n", picus_last_error(context)->message);
  else if (!fake_matches(result, COLUMNS))
    printf("  wrong values; %s\n", picus_last_error(context)->message);
  else {
    rows = picus_result_row_count(result);
    snprintf(status, status_size, "%s", picus_result_text(result, "status"));
  }
  picus_result_close(result);
  picus_context_destroy(context);
  return rows;
}

/* --- the disk is full --- */

/* Runs in a process of its own whose files are limited to so many bytes. Exit codes: 0 wrote all, 1 could not begin, 2
 * a write failed with the right sentence (the safe rows go to the pipe), others: something is wrong. */
static void write_with_limit(const char *path, rlim_t bytes, long rows, int pipe_end) {
  struct rlimit limit = {bytes, bytes};
  signal(SIGXFSZ, SIG_IGN);
  picus_context *context;
  fake f;
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || picus_context_create(NULL, &context)) _exit(10);
  if (fake_open(&f, context, COLUMNS, (double)rows) || picus_recorder_add_hdf5(f.recorder, path)) _exit(11);
  picus_status status = picus_recorder_begin(f.recorder);
  const char *message = picus_last_error(context)->message;
  if (status) _exit(status == PICUS_ERROR_IO && strstr(message, "File too large") ? 1 : 12);
  status = fake_rows(&f, rows);
  if (!status) status = fake_end(&f, PICUS_OK);
  long safe = 0;
  if (status) {
    const char *where = strstr(message, "its first ");
    if (status != PICUS_ERROR_IO || !strstr(message, "File too large")) _exit(13);
    if (where) safe = strtol(where + 10, NULL, 10);
    if (write(pipe_end, &safe, sizeof safe) != sizeof safe) _exit(14);
    fake_end(&f, status);
  }
  picus_recorder_destroy(f.recorder);
  if (picus_context_memory(context) != 0) _exit(15);
  _exit(status ? 2 : 0);
}

static void a_full_disk_keeps_what_was_safe(void) {
  enum { ROWS = 20000 };
  int ends[3] = {0}; /* how often a process could not begin, failed on the way, wrote all */
  long previous = -1;
  for (rlim_t bytes = 0; bytes < 1600000; bytes += bytes < 60000 ? 5000 : 77777) {
    const char *path = scratch("full.h5");
    int pipe_ends[2], exit_status = 0;
    REQUIRE(pipe(pipe_ends) == 0);
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) write_with_limit(path, bytes, ROWS, pipe_ends[1]);
    CHECK(waitpid(child, &exit_status, 0) == child);
    REQUIRE(WIFEXITED(exit_status) && WEXITSTATUS(exit_status) <= 2);
    int outcome = WEXITSTATUS(exit_status);
    ends[outcome]++;
    char status[2048] = "";
    long safe = ROWS;
    if (outcome == 2) CHECK(read(pipe_ends[0], &safe, sizeof safe) == sizeof safe);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    struct stat facts;
    if (outcome == 1 || safe == 0) { /* nothing was written: there is no file, and no part */
      CHECK(stat(path, &facts) != 0 && stat(scratch("full.h5.part"), &facts) != 0);
      continue;
    }
    CHECK(rows_left(path, status, sizeof status) == safe);
    CHECK(safe >= previous); /* more room, more rows */
    previous = safe;
    scratch_remove("full.h5");
    if (outcome == 2) CHECK(strncmp(status, "failed: cannot write", 20) == 0);
    if (outcome == 0) CHECK_TEXT(status, "done");
  }
  CHECK(ends[1] > 0 && ends[2] > 10 && ends[0] > 0);
  scratch_remove("full.h5");
}

/* --- the process dies --- */

static void write_for_ever(const char *path, long rows, bool stop) {
  picus_context *context;
  fake f;
  if (picus_context_create(NULL, &context) || fake_open(&f, context, COLUMNS, 1e6)) _exit(1);
  if (picus_recorder_add_hdf5(f.recorder, path) || picus_recorder_begin(f.recorder)) _exit(2);
  if (fake_rows(&f, rows)) _exit(3);
  if (stop) _exit(0);
  for (;;) fake_rows(&f, BLOCK);
}

static void an_exit_without_goodbye_keeps_the_blocks(void) {
  static const long rows[] = {0, 1, BLOCK, BLOCK + 1, 5 * BLOCK + 77, 20 * BLOCK};
  for (int k = 0; k < 6; k++) {
    const char *path = scratch("exit.h5");
    int exit_status = 0;
    char status[64] = "";
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) write_for_ever(path, rows[k], true);
    CHECK(waitpid(child, &exit_status, 0) == child && WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == 0);
    CHECK(rows_left(path, status, sizeof status) == rows[k] / BLOCK * BLOCK);
    CHECK_TEXT(status, "running");
    scratch_remove("exit.h5");
  }
}

/* Killed at random moments, most of them in the middle of a write: the file is readable each time. */
static void a_killed_process_leaves_a_readable_file(void) {
  test_random random = {3};
  long most = 0;
  for (int k = 0; k < 25; k++) {
    const char *path = scratch("killed.h5"), *part = scratch("killed.h5.part");
    int exit_status = 0;
    char status[64] = "";
    struct stat facts;
    scratch_remove("killed.h5");
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) write_for_ever(path, 0, false);
    for (int waited = 0; waited < 5000 && (stat(part, &facts) != 0 || facts.st_size < 100000); waited++)
      nanosleep(&(struct timespec){0, 1000000}, NULL); /* until some rows are there */
    nanosleep(&(struct timespec){0, (long)test_uniform(&random, 0, 1.5e7)}, NULL);
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, &exit_status, 0) == child && WIFSIGNALED(exit_status));
    long rows = rows_left(path, status, sizeof status);
    CHECK(rows >= 0 && rows % BLOCK == 0);
    CHECK_TEXT(status, "running");
    if (rows > most) most = rows;
  }
  CHECK(most >= BLOCK);
  scratch_remove("killed.h5");
}

/* --- the process dies between two writes of a commit --- */

/* Writes whole blocks, then dies at the n-th write of the next one. The number of writes of that block goes to the
 * pipe, if it is completed. Chunks are small: every block needs new ones, and soon the chunk indices split. */
static void die_in_block(const char *path, long blocks, long n, int pipe_end) {
  picus_context *context;
  fake f;
  if (picus_context_create(NULL, &context) || fake_open(&f, context, COLUMNS, 200)) _exit(1);
  if (picus_recorder_add_hdf5(f.recorder, path) || picus_recorder_begin(f.recorder)) _exit(2);
  if (fake_rows(&f, blocks * BLOCK)) _exit(3);
  writes_left = n;
  writes_done = 0;
  if (fake_rows(&f, BLOCK)) _exit(4);
  if (write(pipe_end, &writes_done, sizeof writes_done) != sizeof writes_done) _exit(5);
  _exit(0);
}

/* Forks die_in_block; true if the block was completed, with its number of writes. */
static bool try_dying(const char *path, long blocks, long n, long *writes) {
  int pipe_ends[2], exit_status = 0;
  if (!CHECK(pipe(pipe_ends) == 0)) return true;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) die_in_block(path, blocks, n, pipe_ends[1]);
  close(pipe_ends[1]);
  bool completed = read(pipe_ends[0], writes, sizeof *writes) == sizeof *writes;
  close(pipe_ends[0]);
  CHECK(waitpid(child, &exit_status, 0) == child && WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == 0);
  return completed;
}

static void every_write_of_a_commit_leaves_a_readable_file(void) {
  /* 32 chunks a block, 64 to a node of the index, of which a split leaves 57 on the left: in block 3 the root splits,
   * in block 4 a leaf, in block 10 a leaf that had already 60, so that it loses some of the last commit. */
  static const long before[] = {0, 2, 3, 9};
  int older = 0, newer = 0;
  for (int k = 0; k < 4; k++) {
    long blocks = before[k], writes = 0, ignored;
    char status[64];
    const char *path = scratch("between.h5");
    REQUIRE(try_dying(path, blocks, -1, &writes) && writes > 0);
    for (long n = writes > 12 ? writes - 12 : 0; n < writes; n++) {
      scratch_remove("between.h5");
      REQUIRE(!try_dying(path, blocks, n, &ignored));
      long rows = rows_left(path, status, sizeof status);
      if (!CHECK(rows == blocks * BLOCK || rows == (blocks + 1) * BLOCK))
        printf("  %ld rows after write %ld of %ld in block %ld\n", rows, n, writes, blocks + 1);
      older += rows == blocks * BLOCK;
      newer += rows == (blocks + 1) * BLOCK;
    }
  }
  CHECK(older == 48 && newer == 0); /* the shortest column gets its rows with the last write */
  scratch_remove("between.h5");
}

/* --- the staged file by itself --- */

/* Pieces staged at random against a plain array of bytes; before a commit the file must not change below its end. */
static void staging_against_an_array(void) {
  enum { SIZE = 4096 };
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  int error;
  picus_staged_file *file = picus_staged_open(context, scratch("staged"), PICUS_STAGED_CREATE, &error);
  REQUIRE(file);
  unsigned char image[SIZE] = {0}, committed[SIZE] = {0}, bytes[SIZE];
  size_t length = 0, committed_length = 0, size;
  test_random random = {5};
  for (int k = 0; k < 3000; k++) {
    size_t address = (size_t)test_integer(&random, 0, 3000), count = (size_t)test_integer(&random, 1, 200);
    for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)test_integer(&random, 1, 255);
    picus_staged_write_metadata(file, address, count, test_integer(&random, 0, 5), bytes);
    memcpy(image + address, bytes, count);
    if (address + count > length) length = address + count;
    CHECK(picus_staged_length(file) == length);
    address = (size_t)test_integer(&random, 0, 3000);
    REQUIRE(picus_staged_read(file, address, 500, bytes) && memcmp(bytes, image + address, 500) == 0);
    if (test_integer(&random, 0, 19) > 0) continue;
    char *on_disk = read_whole(scratch("staged"), &size);
    REQUIRE(on_disk && size == committed_length && memcmp(on_disk, committed, size) == 0);
    free(on_disk);
    picus_staged_set_length(file, length);
    REQUIRE(picus_staged_commit(file));
    memcpy(committed, image, SIZE);
    committed_length = length;
    on_disk = read_whole(scratch("staged"), &size);
    REQUIRE(on_disk && size == length && memcmp(on_disk, image, size) == 0);
    free(on_disk);
  }
  /* what is not committed disappears with the file; a shorter length cuts it */
  picus_staged_write_metadata(file, 0, 4, 0, "lost");
  picus_staged_write_data(file, length, 4, "lost");
  picus_staged_close(file);
  char *on_disk = read_whole(scratch("staged"), &size);
  CHECK(on_disk && size == committed_length && memcmp(on_disk, committed, size) == 0);
  free(on_disk);
  file = picus_staged_open(context, scratch("staged"), PICUS_STAGED_CHANGE, &error);
  REQUIRE(file);
  CHECK(picus_staged_length(file) == committed_length);
  picus_staged_set_length(file, 100);
  CHECK(picus_staged_commit(file) && picus_staged_error(file) == 0);
  picus_staged_close(file);
  on_disk = read_whole(scratch("staged"), &size);
  CHECK(on_disk && size == 100 && memcmp(on_disk, committed, 100) == 0);
  free(on_disk);
  CHECK(picus_staged_open(context, "no/such/folder/file", PICUS_STAGED_CREATE, &error) == NULL && error == ENOENT);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  scratch_remove("staged");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"staging_against_an_array", staging_against_an_array},
      {"a_full_disk_keeps_what_was_safe", a_full_disk_keeps_what_was_safe},
      {"an_exit_without_goodbye_keeps_the_blocks", an_exit_without_goodbye_keeps_the_blocks},
      {"every_write_of_a_commit_leaves_a_readable_file", every_write_of_a_commit_leaves_a_readable_file},
      {"a_killed_process_leaves_a_readable_file", a_killed_process_leaves_a_readable_file},
  };
  int result = test_main(argc, argv, "record_crash", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return result;
}
