/* Files that are complete or not there: parts, locks, links, what killed processes leave. */
#define _POSIX_C_SOURCE 200809L
#include "base/output_file.h"
#include "record_fake.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static picus_context *context;
static char log_text[4096];

static void note(void *user, picus_log_level level, const char *message) {
  (void)user;
  (void)level;
  snprintf(log_text, sizeof log_text, "%s", message);
}

static bool begin(void) {
  picus_context_def def = picus_default_context_def();
  def.log = note;
  log_text[0] = '\0';
  return CHECK(picus_context_create(&def, &context) == PICUS_OK);
}

static void end(void) {
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

static void put(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  if (!CHECK(file != NULL)) return;
  fputs(text, file);
  fclose(file);
}

static bool holds(const char *path, const char *text) {
  size_t size;
  char *bytes = read_whole(path, &size);
  bool same = bytes && size == strlen(text) && memcmp(bytes, text, size) == 0;
  free(bytes);
  return same;
}

static bool exists(const char *path) {
  struct stat facts;
  return lstat(path, &facts) == 0;
}

static bool says(const char *words) { return strstr(picus_last_error(context)->message, words) != NULL; }

static void the_old_file_stays_until_the_new_one_is_complete(void) {
  REQUIRE(begin());
  picus_output_file file;
  const char *path = scratch("a"), *part = scratch("a.part");
  put(path, "old");
  REQUIRE(picus_output_open(context, path, &file) == PICUS_OK);
  CHECK(picus_output_write(&file, "new", 3) == PICUS_OK);
  CHECK(holds(path, "old") && holds(part, "new"));
  CHECK(picus_output_publish(&file) == PICUS_OK);
  CHECK(holds(path, "new") && !exists(part));
  REQUIRE(picus_output_open(context, path, &file) == PICUS_OK);
  CHECK(picus_output_write(&file, "newer", 5) == PICUS_OK);
  picus_output_discard(&file);
  CHECK(holds(path, "new") && !exists(part));
  scratch_remove("a");
  end();
}

static void a_second_writer_is_refused(void) {
  REQUIRE(begin());
  picus_output_file first, second;
  const char *path = scratch("a");
  REQUIRE(picus_output_open(context, path, &first) == PICUS_OK);
  CHECK(picus_output_write(&first, "1", 1) == PICUS_OK);
  CHECK(picus_is_being_written(scratch("a.part")));
  CHECK(picus_output_open(context, path, &second) == PICUS_ERROR_IO && says("another run is writing"));
  CHECK(!second.path && holds(scratch("a.part"), "1"));
  CHECK(picus_output_publish(&first) == PICUS_OK && holds(path, "1"));
  REQUIRE(picus_output_open(context, path, &second) == PICUS_OK);
  CHECK(picus_output_publish(&second) == PICUS_OK);
  scratch_remove("a");
  end();
}

/* A process that dies with the lock, at once. */
static void die_with(const char *path, const char *text) {
  (void)fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    picus_output_file file;
    if (picus_output_open(context, path, &file)) _exit(1);
    if (picus_output_write(&file, text, strlen(text))) _exit(2);
    raise(SIGKILL);
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

static void the_part_of_a_killed_process_is_kept_aside(void) {
  REQUIRE(begin());
  picus_output_file file;
  const char *path = scratch("a");
  die_with(path, "one");
  CHECK(holds(scratch("a.part"), "one") && !picus_is_being_written(scratch("a.part")));
  die_with(path, "two");
  CHECK(holds(scratch("a.part"), "two") && holds(scratch("a.part.1"), "one"));
  REQUIRE(picus_output_open(context, path, &file) == PICUS_OK);
  CHECK(strstr(log_text, "belongs to a run that was killed") && strstr(log_text, "a.part.2"));
  CHECK(picus_output_publish(&file) == PICUS_OK && holds(path, "") && !exists(scratch("a.part")));
  CHECK(holds(scratch("a.part.1"), "one") && holds(scratch("a.part.2"), "two"));
  scratch_remove("a");
  end();
}

static void an_empty_part_is_taken_over(void) {
  REQUIRE(begin());
  picus_output_file file;
  const char *path = scratch("a");
  die_with(path, "");
  REQUIRE(picus_output_open(context, path, &file) == PICUS_OK);
  CHECK(log_text[0] == '\0' && !exists(scratch("a.part.1")));
  picus_output_discard(&file);
  put(scratch("b"), "");
  REQUIRE(link(scratch("b"), scratch("a.part")) == 0); /* empty, but also another file */
  REQUIRE(picus_output_save(context, path, "text", 4) == PICUS_OK);
  CHECK(holds(path, "text") && holds(scratch("b"), "") && exists(scratch("a.part.1")));
  scratch_remove("a");
  scratch_remove("b");
  end();
}

static void links_lead_to_the_file_behind_them(void) {
  REQUIRE(begin());
  picus_output_file file;
  const char *path = scratch("link"), *target = scratch("a");
  put(target, "old");
  REQUIRE(symlink("a", path) == 0 && symlink("link", scratch("link2")) == 0);
  REQUIRE(picus_output_save(context, scratch("link2"), "new", 3) == PICUS_OK);
  CHECK(holds(target, "new"));
  struct stat facts;
  CHECK(lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode));
  remove(target); /* now the links lead to nothing */
  REQUIRE(picus_output_save(context, scratch("link2"), "newer", 5) == PICUS_OK);
  CHECK(holds(target, "newer"));
  REQUIRE(link(target, scratch("hard")) == 0); /* the other name of a replaced file keeps the content */
  REQUIRE(picus_output_save(context, target, "newest", 6) == PICUS_OK);
  CHECK(holds(scratch("hard"), "newer") && holds(target, "newest"));
  REQUIRE(symlink("loop", scratch("loop")) == 0);
  CHECK(picus_output_open(context, scratch("loop"), &file) == PICUS_ERROR_IO && says("cannot create"));
  REQUIRE(symlink("a", scratch("b.part")) == 0); /* a link in the place of a part is not followed */
  CHECK(picus_output_open(context, scratch("b"), &file) == PICUS_ERROR_IO && says("b.part"));
  CHECK(holds(target, "newest"));
  static const char *const names[] = {"a", "link", "link2", "hard", "loop", "b"};
  for (int k = 0; k < 6; k++) scratch_remove(names[k]);
  end();
}

static void the_same_file_by_any_name(void) {
  char folder[256], alias[300];
  put(scratch("a"), "x");
  REQUIRE(link(scratch("a"), scratch("hard")) == 0 && symlink("a", scratch("soft")) == 0);
  REQUIRE(symlink("new", scratch("dangling")) == 0);
  snprintf(folder, sizeof folder, "%s", scratch("a"));
  *strrchr(folder, '/') = '\0';
  snprintf(alias, sizeof alias, "%s/././a", folder);
  CHECK(picus_same_file(scratch("a"), alias) && picus_same_file(scratch("a"), scratch("hard")));
  CHECK(picus_same_file(scratch("soft"), scratch("hard")));
  CHECK(!picus_same_file(scratch("a"), scratch("new")) && !picus_same_file(scratch("a"), scratch("b")));
  snprintf(alias, sizeof alias, "%s/./new", folder);
  CHECK(picus_same_file(alias, scratch("new")) && picus_same_file(scratch("dangling"), alias));
  CHECK(!picus_same_file("/dev/null", "/dev/null"));
  CHECK(picus_output_touches(scratch("b"), scratch("b.part")) &&
        !picus_output_touches(scratch("b.part"), scratch("b")));
  CHECK(!picus_output_touches(scratch("b"), scratch("c")));
  static const char *const names[] = {"a", "hard", "soft", "dangling"};
  for (int k = 0; k < 4; k++) scratch_remove(names[k]);
}

static void names_that_are_derived_from_an_output(void) {
  static const char *const derived[] = {".part",
                                        ".part.1",
                                        ".part.9999",
                                        ".checkpoint",
                                        ".checkpoint.12",
                                        ".checkpoint.before",
                                        ".checkpoint.before.3",
                                        ".checkpoint.part",
                                        ".checkpoint.7.part.1",
                                        ".attempt",
                                        ".attempt.part"};
  static const char *const others[] = {"",     ".",      ".h5",     ".1",      ".before",      ".parts",
                                       "part", ".part.", ".part.x", ".part-1", ".checkpoints", ".checkpoint.h5",
                                       ".Part"};
  char name[64];
  for (size_t k = 0; k < sizeof derived / sizeof derived[0]; k++) {
    CHECK(picus_is_derived_ending(derived[k]));
    snprintf(name, sizeof name, "some.folder/w.h5%s", derived[k]);
    CHECK(picus_has_derived_ending(name));
  }
  for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
    CHECK(!picus_is_derived_ending(others[k]));
    snprintf(name, sizeof name, "w.part/w.h5%s", others[k]);
    CHECK(!picus_has_derived_ending(name));
  }
}

/* Two runs never share a part, whatever name is given to one of them. */
static void the_part_of_another_writer_is_no_output(void) {
  REQUIRE(begin());
  picus_output_file file, other;
  const char *path = scratch("p"), *part = scratch("p.part"), *hard = scratch("hard"), *soft = scratch("soft");
  REQUIRE(picus_output_open(context, path, &file) == PICUS_OK);
  CHECK(picus_output_write(&file, "rows", 4) == PICUS_OK);
  CHECK(link(part, hard) == 0 && symlink(part, soft) == 0);
  CHECK(picus_output_check(context, part) == PICUS_ERROR_IO && says("does not end with '.part'"));
  CHECK(picus_output_open(context, soft, &other) == PICUS_ERROR_IO && says("does not end with '.part'"));
  CHECK(picus_output_open(context, hard, &other) == PICUS_ERROR_IO && says("another run is writing the file"));
  CHECK(picus_output_save(context, part, "x", 1) == PICUS_ERROR_IO);
  CHECK(holds(part, "rows"));
  CHECK(picus_output_publish(&file) == PICUS_OK && holds(path, "rows"));
  CHECK(picus_output_save(context, hard, "new", 3) == PICUS_OK); /* it has ended */
  CHECK(holds(path, "rows") && holds(hard, "new"));
  static const char *const names[] = {"p", "hard", "soft"};
  for (int k = 0; k < 3; k++) scratch_remove(names[k]);
  end();
}

static void places_where_no_file_can_be(void) {
  REQUIRE(begin());
  char name[300], path[400];
  CHECK(picus_output_check(context, "") == PICUS_ERROR_ARGUMENT);
  CHECK(picus_output_check(context, "no/such/folder/x") == PICUS_ERROR_IO && says("No such file or directory"));
  CHECK(picus_output_check(context, "/") == PICUS_ERROR_IO && says("directory"));
  CHECK(picus_output_check(context, "/dev/null/x") == PICUS_ERROR_IO && says("Not a directory"));
  memset(name, 'n', sizeof name);
  name[255] = '\0';
  snprintf(path, sizeof path, "%s", scratch(""));
  for (int length = 255; length >= 249; length--) { /* with ".part" a name has at most 255 bytes */
    name[length] = '\0';
    snprintf(path, sizeof path, "%s%s", scratch(""), name);
    CHECK(picus_output_check(context, path) == (length <= 250 ? PICUS_OK : PICUS_ERROR_IO));
    if (length > 250) CHECK(says("must leave room for '.part'"));
  }
  REQUIRE(picus_output_save(context, path, "x", 1) == PICUS_OK && holds(path, "x"));
  remove(path);
  REQUIRE(mkdir(scratch("d"), 0777) == 0 && mkdir(scratch("e.part"), 0777) == 0);
  CHECK(picus_output_check(context, scratch("d")) == PICUS_ERROR_IO && says("Is a directory"));
  CHECK(picus_output_save(context, scratch("e"), "x", 1) == PICUS_ERROR_IO && says("e.part"));
  rmdir(scratch("d"));
  rmdir(scratch("e.part"));
  CHECK(picus_output_check(context, scratch("a")) == PICUS_OK && !exists(scratch("a")) && !exists(scratch("a.part")));
  end();
}

static void devices_and_pipes_are_written_directly(void) {
  REQUIRE(begin());
  picus_output_file file;
  REQUIRE(picus_output_open(context, "/dev/null", &file) == PICUS_OK);
  CHECK(!file.part && picus_output_write(&file, "x", 1) == PICUS_OK && picus_output_publish(&file) == PICUS_OK);
  CHECK(picus_output_save(context, "/dev/full", "x", 1) == PICUS_ERROR_IO && says("No space left"));
  int ends[2];
  char path[64], read_back[8] = "";
  REQUIRE(pipe(ends) == 0);
  static const char *const forms[] = {"/dev/fd/%d", "/proc/self/fd/%d", "/proc/self/./fd/%d"};
  for (int k = 0; k < 3; k++) {
    snprintf(path, sizeof path, forms[k], ends[1]);
    CHECK(picus_output_save(context, path, "piped", 5) == PICUS_OK);
    CHECK(read(ends[0], read_back, 5) == 5 && strcmp(read_back, "piped") == 0);
  }
  close(ends[0]);
  close(ends[1]);
  put(scratch("log"), "before ");
  int log = open(scratch("log"), O_WRONLY | O_APPEND);
  snprintf(path, sizeof path, "/dev/fd/%d", log);
  CHECK(picus_output_save(context, path, "behind", 6) == PICUS_OK);
  CHECK(holds(scratch("log"), "before behind"));
  close(log);
  scratch_remove("log");
  end();
}

static void a_new_file_is_as_accessible_as_the_old_one(void) {
  REQUIRE(begin());
  struct stat facts;
  put(scratch("a"), "old");
  REQUIRE(chmod(scratch("a"), 0640) == 0);
  CHECK(picus_output_save(context, scratch("a"), "new", 3) == PICUS_OK);
  CHECK(stat(scratch("a"), &facts) == 0 && (facts.st_mode & 0777) == 0640);
  if (chown(scratch("a"), 12345, 54321) == 0) { /* root keeps the file of another user theirs */
    CHECK(picus_output_save(context, scratch("a"), "newer", 5) == PICUS_OK);
    CHECK(stat(scratch("a"), &facts) == 0 && facts.st_uid == 12345 && facts.st_gid == 54321);
  }
  scratch_remove("a");
  end();
}

/* While another run publishes the file again and again, its name is never taken for a device, which would be truncated.
 */
static void a_file_that_is_being_replaced_is_no_device(void) {
  REQUIRE(begin());
  char from[300];
  snprintf(from, sizeof from, "%s", scratch("b"));
  put(scratch("a"), "old");
  const pid_t child = fork();
  if (child == 0) {
    for (;;) {
      put(from, "new");
      if (rename(from, scratch("a"))) _exit(1);
    }
  }
  int direct = 0;
  for (int k = 0; k < 100000; k++) direct += picus_output_is_direct(scratch("a"));
  CHECK(direct == 0);
  kill(child, SIGKILL);
  CHECK(waitpid(child, NULL, 0) == child);
  scratch_remove("a");
  if (exists(from)) scratch_remove("b");
  end();
}

/* Several processes at once into one name: each that was let in has published all of its text, none is mixed. */
static void many_writers_at_once(void) {
  REQUIRE(begin());
  enum { PROCESSES = 6, ROUNDS = 60 };
  pid_t children[PROCESSES];
  (void)fflush(stdout);
  for (int p = 0; p < PROCESSES; p++) {
    children[p] = fork();
    if (children[p] > 0) continue;
    char text[2000];
    memset(text, 'a' + p, sizeof text);
    for (int k = 0; k < ROUNDS; k++) {
      picus_output_file file;
      if (picus_output_open(context, scratch("a"), &file)) {
        if (!says("another run is writing")) _exit(1);
        continue;
      }
      for (int piece = 0; piece < 4; piece++)
        if (picus_output_write(&file, text + 500 * piece, 500)) _exit(2);
      if (picus_output_publish(&file)) _exit(3);
    }
    _exit(0);
  }
  size_t size;
  int looks = 0, status;
  for (bool alive = true; alive; looks++) {
    char *bytes = read_whole(scratch("a"), &size);
    CHECK(!bytes || size == 2000);
    for (size_t k = 1; bytes && k < size; k++)
      if (bytes[k] != bytes[0] && !CHECK(bytes[k] == bytes[0])) break;
    free(bytes);
    siginfo_t info = {0};
    alive = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
  }
  for (int p = 0; p < PROCESSES; p++)
    CHECK(waitpid(children[p], &status, 0) == children[p] && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(!exists(scratch("a.part")) && !exists(scratch("a.part.1")));
  scratch_remove("a");
  end();
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"the_old_file_stays_until_the_new_one_is_complete", the_old_file_stays_until_the_new_one_is_complete},
      {"a_second_writer_is_refused", a_second_writer_is_refused},
      {"the_part_of_a_killed_process_is_kept_aside", the_part_of_a_killed_process_is_kept_aside},
      {"an_empty_part_is_taken_over", an_empty_part_is_taken_over},
      {"links_lead_to_the_file_behind_them", links_lead_to_the_file_behind_them},
      {"the_same_file_by_any_name", the_same_file_by_any_name},
      {"names_that_are_derived_from_an_output", names_that_are_derived_from_an_output},
      {"the_part_of_another_writer_is_no_output", the_part_of_another_writer_is_no_output},
      {"places_where_no_file_can_be", places_where_no_file_can_be},
      {"devices_and_pipes_are_written_directly", devices_and_pipes_are_written_directly},
      {"a_new_file_is_as_accessible_as_the_old_one", a_new_file_is_as_accessible_as_the_old_one},
      {"a_file_that_is_being_replaced_is_no_device", a_file_that_is_being_replaced_is_no_device},
      {"many_writers_at_once", many_writers_at_once},
  };
  int result = test_main(argc, argv, "output_file", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return result;
}
