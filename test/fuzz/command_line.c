/* Fuzz target: command lines of the tool, one argument a line. Whatever they are, the exit code is 0, 1 or 2, and what
 * fails says so on standard error. The commands work on a result, its table, a contact problem and a model with
 * matrices, which have further names as links; command lines that may take long or leave the folder are left out. No
 * command changes the files of its first operand, whatever its outputs are called. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "fuzz.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 24, LONGEST = 200 };

typedef struct command_line {
  int count;
  char text[MOST][LONGEST + 1];
  char *words[MOST + 1];
} command_line;

static void add(command_line *line, const char *word, size_t length) {
  memcpy(line->text[line->count], word, length);
  line->text[line->count][length] = '\0';
  line->words[line->count] = line->text[line->count];
  line->count++;
  line->words[line->count] = NULL;
}

static command_line from_words(const char *const *words) {
  command_line line = {0};
  for (int k = 0; words[k]; k++) add(&line, words[k], strlen(words[k]));
  return line;
}

/* false: too many or too long words, or a zero within one */
static bool from_bytes(const uint8_t *bytes, size_t size, command_line *out) {
  out->count = 0;
  add(out, "picus", 5);
  for (size_t from = 0, to; from < size; from = to + 1) {
    const uint8_t *end = memchr(bytes + from, '\n', size - from);
    to = end ? (size_t)(end - bytes) : size;
    if (out->count == MOST || to - from > LONGEST || memchr(bytes + from, 0, to - from)) return false;
    add(out, (const char *)bytes + from, to - from);
  }
  return true;
}

static bool is_long(const command_line *line) {
  if (line->count < 2) return false;
  bool found = !strcmp(line->words[1], "reproduce") || !strcmp(line->words[1], "reference");
  bool runs = !strcmp(line->words[1], "run"), bounded = false;
  for (int k = 2; k < line->count; k++) {
    const char *word = line->words[k];
    const double value = k + 1 < line->count ? strtod(line->words[k + 1], NULL) : 0;
    if (!strcmp(word, "--t-end")) bounded = value <= 0.02;
    if (!strcmp(word, "--dt") || !strncmp(word, "--dt=", 5)) found = found || !(value >= 1e-3);
    found = found || strchr(word, '/') || strstr(word, "dt-min") || strstr(word, "t-start") || strstr(word, "tol") ||
            strstr(word, "schemes");
    found = found || (strcmp(word, "bouncing-ball") != 0 && picus_shipped_model_text(word, NULL));
  }
  return found || (runs && !bounded);
}

/* Files that a command reads, by its operand. */
static const struct family {
  const char *operand;
  const char *files[4];
  bool is_result; /* which picus run and picus resume may replace */
} families[] = {{"r.h5", {"r.h5"}, true},
                {"soft.h5", {"r.h5"}, true},
                {"hard.h5", {"r.h5"}, true},
                {"r.csv", {"r.csv"}, false},
                {"p.hdf5", {"p.hdf5"}, false},
                {"k.lua", {"k.lua", "K.mtx", "M.mtx"}, false},
                {"soft.lua", {"k.lua", "K.mtx", "M.mtx"}, false}};

typedef struct file_marks {
  const struct family *family; /* NULL: none */
  struct stat facts[4];
} file_marks;

static file_marks mark_files(const command_line *line) {
  file_marks marks = {NULL, {{0}}};
  const bool runs = line->count > 2 && (!strcmp(line->words[1], "run") || !strcmp(line->words[1], "resume"));
  for (size_t k = 0; line->count > 2 && k < sizeof families / sizeof families[0]; k++)
    if (strcmp(line->words[2], families[k].operand) == 0 && !(runs && families[k].is_result))
      marks.family = &families[k];
  for (int k = 0; marks.family && marks.family->files[k]; k++)
    if (stat(marks.family->files[k], &marks.facts[k]) != 0) return (file_marks){NULL, {{0}}};
  return marks;
}

static void check_marks(const file_marks *marks) {
  struct stat now;
  for (int k = 0; marks->family && marks->family->files[k]; k++) {
    const struct stat *before = &marks->facts[k];
    fuzz_demand(stat(marks->family->files[k], &now) == 0 && now.st_ino == before->st_ino);
    fuzz_demand(now.st_size == before->st_size && now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
                now.st_mtim.tv_nsec == before->st_mtim.tv_nsec);
  }
}

static int run(command_line *line, off_t *said) {
  fflush(stderr);
  const int before = dup(STDERR_FILENO), file = open("said", O_RDWR | O_CREAT | O_TRUNC, 0600);
  fuzz_demand(before >= 0 && file >= 0 && dup2(file, STDERR_FILENO) >= 0);
  const int code = cli_dispatch(line->count, line->words);
  fflush(stderr);
  struct stat state;
  fuzz_demand(fstat(file, &state) == 0 && dup2(before, STDERR_FILENO) >= 0);
  *said = state.st_size;
  close(file);
  close(before);
  return code;
}

static void make_examples(void) {
  static const char *const words[] = {"picus",   "run",   "bouncing-ball", "--t-end", "3",
                                      "--quiet", "--out", "r.h5",          "--csv",   "r.csv",
                                      "--worst", "1",     "--dump-worst",  ".",       NULL};
  command_line line = from_words(words);
  off_t said;
  fuzz_demand(run(&line, &said) == EXIT_DONE && rename("bouncing-ball-worst-1.hdf5", "p.hdf5") == 0);
  static const char model[] =
      "structure {'s', mass = 'M.mtx', stiffness = 'K.mtx'}\nsimulate {dt = 1e-2, t_end = 0.02}\n";
  static const char matrix[] = "%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 2.0\n";
  static const char *const links[] = {"soft.h5", "hard.h5", "soft.mtx", "soft.lua", "soft.svg"};
  for (size_t k = 0; k < sizeof links / sizeof links[0]; k++) remove(links[k]);
  fuzz_demand(fuzz_write_file("k.lua", (const uint8_t *)model, sizeof model - 1) &&
              fuzz_write_file("K.mtx", (const uint8_t *)matrix, sizeof matrix - 1) &&
              fuzz_write_file("M.mtx", (const uint8_t *)matrix, sizeof matrix - 1));
  fuzz_demand(symlink("r.h5", "soft.h5") == 0 && link("r.h5", "hard.h5") == 0 && symlink("K.mtx", "soft.mtx") == 0 &&
              symlink("k.lua", "soft.lua") == 0 && symlink("K.mtx", "soft.svg") == 0);
}

static bool lacks_examples(void) {
  static const char *const names[] = {"p.hdf5", "r.h5", "r.csv", "k.lua", "K.mtx", "M.mtx"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
    if (access(names[k], F_OK) != 0) return true;
  return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  command_line line;
  off_t said = 0;
  if (!from_bytes(bytes, size, &line) || is_long(&line)) return 0;
  if (lacks_examples()) make_examples();
  const file_marks marks = mark_files(&line);
  const int code = run(&line, &said);
  check_marks(&marks);
  fuzz_demand(code >= EXIT_DONE && code <= EXIT_WRONG_INPUT);
  fuzz_demand(code == EXIT_DONE || said > 0);
  return 0;
}
