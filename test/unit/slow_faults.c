/* Calls of the system that fail, in every command that writes or reads files: disks that are full or broken, quotas,
 * folders that cannot be written, memory that is refused, writes that are short or slow.
 *
 * Each fault strikes the n-th call of a kind, once or from there on; n is random over the calls that the command makes.
 * The command must not crash; it ends with 0, 1 or 2 and one sentence that is true; inputs stay as they are, an older
 * output stays or is replaced by a complete one. After the fault, `picus resume` or the same command ends with the
 * results of a run without faults.
 *
 * PICUS_TEST_FAULTS faults are made (20, in make test-long 1000) from the seed PICUS_TEST_SEED; both are printed. */
#define _POSIX_C_SOURCE 200809L
#include "support/check.h"
#include "support/same_results.h"
#include "support/tool.h"

#include <errno.h>
#include <picus/picus.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const few = "gravity {0, -9.81}\n"
                               "material {'default', mu = 0.3, eN = 0.2}\n"
                               "disk {'a', radius = 0.5, density = 1, position = {0, 0.5}, velocity = {1, 0}}\n"
                               "disk {'b', radius = 0.5, density = 1, position = {0.1, 1.51}}\n"
                               "half_space {'floor', normal = {0, 1}, position = {0, 0}, extent = 2}\n"
                               "simulate {dt = 1e-3, t_end = 0.06}\n";

/* Rows, contacts and switching points of several blocks: so many columns that a block has 1024 rows. */
static const char *const blocks =
    "gravity {0, -9.81}\n"
    "material {'default', mu = 0.3, eN = 0.5}\n"
    "for i = 1, 20 do\n"
    "  disk {'d' .. i, radius = 0.5, density = 1, position = {1.1 * i, 0.51 + 0.01 * i}, velocity = {3 - i % 7, 0}}\n"
    "end\n"
    "half_space {'floor', normal = {0, 1}, position = {0, 0}, extent = 9}\n"
    "simulate {dt = 2e-4, t_end = 0.45}\n";

enum { FILES_MOST = 4 };

typedef struct work {
  const char *command;
  const char *inputs[FILES_MOST];  /* must not change */
  const char *outputs[FILES_MOST]; /* without faults they are good-NAME */
  const char *repeats;             /* after a fault, if a checkpoint is there; NULL: the command itself */
} work;

static const work works[] = {
    {"run few.lua --every 2 --out a.h5 --checkpoint 7steps --quiet", {"few.lua"}, {"a.h5"}, "resume a.h5 --quiet"},
    {"resume b.h5 --quiet", {"few.lua"}, {"b.h5"}, "resume b.h5 --quiet"},
    {"run woodpecker --t-end 0.01 --dt 1e-4 --out c.h5 --csv c.csv --events c-events.csv --checkpoint 20steps "
     "--quiet",
     {NULL},
     {"c.h5", "c.csv", "c-events.csv"},
     "resume c.h5 --quiet"},
    {"run woodpecker --adaptive --t-end 0.02 --sample 1e-3 --out d.h5 --checkpoint 5steps --quiet",
     {NULL},
     {"d.h5"},
     "resume d.h5 --quiet"},
    {"plot w.h5 y --out e.svg", {"w.h5"}, {"e.svg"}, NULL},
    {"plot w.h5 --out f.png", {"w.h5"}, {"f.png"}, NULL},
    {"export w.h5 --table rows --csv g.csv", {"w.h5"}, {"g.csv"}, NULL},
    {"export v.h5 --table contacts --csv h.csv", {"v.h5"}, {"h.csv"}, NULL},
    {"view v.h5 --out i.html", {"v.h5"}, {"i.html"}, NULL},
    {"render w.h5 --strip 3 --out j.svg", {"w.h5"}, {"j.svg"}, NULL},
    {"render v.h5 --frames 5 --out k.svg", {"v.h5"}, {"k.svg"}, NULL},
    {"solve p.hdf5", {"p.hdf5"}, {NULL}, NULL},
    {"reference bouncing-ball --t-end 0.3 --accuracy 1e-4 --sample 0.1 --out l.h5 --quiet", {NULL}, {"l.h5"}, NULL},
    {"info v.h5", {"v.h5"}, {NULL}, NULL},
    {"events v.h5", {"v.h5"}, {NULL}, NULL},
    {"compare w.h5 w.h5", {"w.h5"}, {NULL}, NULL},
    {"run few.lua --t-end 0.02 --dump-worst worst --decisions m.csv --adaptive --quiet", {"few.lua"}, {NULL}, NULL},
    {"run blocks.lua --out n.h5 --checkpoint 130steps --quiet", {"blocks.lua"}, {"n.h5"}, "resume n.h5 --quiet"},
};
enum { WORKS = sizeof works / sizeof works[0], SHORT_WORKS = WORKS - 1 }; /* the last one takes too long to repeat */

typedef struct fault_kind {
  const char *name;
  const char *whats[8];
} fault_kind;

static const fault_kind kinds[] = {
    {"write", {"ENOSPC", "EIO", "EDQUOT", "EINTR", "SHORT", "DELAY"}},
    {"sync", {"EIO", "ENOSPC", "EDQUOT"}},
    {"rename", {"EROFS", "EACCES", "ENOSPC", "EIO"}},
    {"unlink", {"EROFS", "EACCES"}},
    {"truncate", {"EIO", "EINTR", "ENOSPC"}},
    {"open", {"EMFILE", "EACCES", "EROFS", "EIO", "ENOSPC"}},
    {"read", {"EIO", "EINTR", "SHORT"}},
    {"memory", {"ENOMEM"}},
    {"change", {"EIO", "ENOSPC", "EROFS", "EDQUOT"}},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], MEMORY = 7 };

static const struct {
  const char *name;
  int number;
} errors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EDQUOT", EDQUOT}, {"EROFS", EROFS},
              {"EACCES", EACCES}, {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM}, {"EINTR", EINTR}};

/* --- files ------------------------------------------------------------------------------------------------------ */

static char *read_file(const char *path, size_t *size) {
  enum { MOST = 1 << 24 };
  FILE *file = fopen(path, "rb");
  char *bytes = file ? malloc(MOST) : NULL;
  *size = bytes ? fread(bytes, 1, MOST, file) : 0;
  if (file) fclose(file);
  return bytes;
}

static bool save_file(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  const bool written = file && fwrite(bytes, 1, size, file) == size;
  return file && fclose(file) == 0 && written;
}

static bool copy_file(const char *from, const char *to) {
  size_t size;
  char *bytes = read_file(from, &size);
  const bool done = bytes && save_file(to, bytes, size);
  free(bytes);
  return done;
}

static bool same_bytes(const char *a, const char *b) {
  size_t sizes[2];
  char *bytes[2] = {read_file(a, &sizes[0]), read_file(b, &sizes[1])};
  const bool same = bytes[0] && bytes[1] && sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0;
  free(bytes[0]);
  free(bytes[1]);
  return same;
}

static bool is_result(const char *path) { return strstr(path, ".h5") != NULL; }

static const char *with(const char *prefix, const char *name) {
  static char texts[4][128];
  static int turn;
  char *text = texts[turn++ % 4];
  snprintf(text, sizeof texts[0], "%s%s", prefix, name);
  return text;
}

static bool exists(const char *path) { return access(path, F_OK) == 0; }

/* The output as it must be. */
static bool is_good(const char *output) {
  char why[SAME_RESULTS_WHY] = "";
  const char *good = with("good-", output);
  const bool same = is_result(output) ? same_results(good, output, why) : same_bytes(good, output);
  if (!same) printf("  %s is not as it must be: %s\n", output, why);
  return same;
}

static bool opens(const char *path) {
  picus_context *context;
  picus_result *result = NULL;
  if (picus_context_create(NULL, &context)) return false;
  const bool opened = picus_result_open(context, path, &result) == PICUS_OK;
  picus_result_close(result);
  picus_context_destroy(context);
  return opened;
}

/* After a fault: the older file, or a result that can be read and says how far it goes, or the good file. */
static bool is_unharmed(const char *output) {
  if (!exists(output)) return !exists(with("old-", output));
  if (same_bytes(with("old-", output), output)) return true;
  return is_result(output) ? opens(output) : is_good(output);
}

/* --- before and after a fault ----------------------------------------------------------------------------------- */

static void remove_parts(const char *output) {
  char path[160];
  static const char *const ends[] = {".part", ".checkpoint", ".checkpoint.part", ".attempt", ".attempt.part"};
  for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++)
    for (int i = 0; i < 4; i++) {
      snprintf(path, sizeof path, i ? "%s%s.%d" : "%s%s", output, ends[k], i);
      remove(path);
    }
}

/* Every output has an older file in its place, but a result that goes on is the first half of its run. */
static void prepare(const work *w) {
  for (int k = 0; k < FILES_MOST && w->outputs[k]; k++) {
    remove_parts(w->outputs[k]);
    CHECK(copy_file(with("old-", w->outputs[k]), w->outputs[k]));
  }
  if (strncmp(w->command, "resume", 6) != 0) return;
  CHECK(copy_file("old-b.h5.checkpoint", "b.h5.checkpoint"));
  CHECK(copy_file("old-b.h5.part", "b.h5.part"));
}

/* The number of calls of every kind that a command makes, and its good outputs. */
static bool measure(const work *w, long counts[KINDS]) {
  const char *names[KINDS];
  for (int i = 0; i < KINDS; i++) names[i] = kinds[i].name;
  prepare(w);
  if (!tool_count(w->command, KINDS, names, counts)) return false;
  for (int k = 0; k < FILES_MOST && w->outputs[k]; k++)
    if (!exists(with("good-", w->outputs[k])) && !copy_file(w->outputs[k], with("good-", w->outputs[k]))) return false;
  return true;
}

static bool succeeds(const char *command) {
  tool_end end = tool_run(command, NULL);
  if (end.code != 0) printf("  %s: exit code %d, signal %d: %s\n", command, end.code, end.signal, end.errors);
  return end.code == 0;
}

static const char *const setup[] = {
    "run woodpecker --t-end 0.02 --dt 1e-4 --out w.h5 --quiet",
    "run few.lua --out v.h5 --quiet --dump-worst worst",
    "run few.lua --every 2 --out good-b.h5 --quiet",
    "run bouncing-ball --t-end 0.02 --out old-l.h5 --quiet",
};

static bool set_up(void) {
  mkdir("worst", 0777);
  if (!save_file("few.lua", few, strlen(few)) || !save_file("blocks.lua", blocks, strlen(blocks))) return false;
  for (size_t k = 0; k < sizeof setup / sizeof setup[0]; k++) {
    tool_end end = tool_run(setup[k], NULL);
    if (end.code != 0) {
      printf("  %s: exit code %d: %s", setup[k], end.code, end.errors);
      return false;
    }
  }
  /* killed with some blocks and checkpoints */
  static const char killed[] = "run few.lua --every 2 --out old-b.h5 --checkpoint 7steps --quiet";
  if (tool_run(killed, "rename:5:KILL,sync:1+:SKIP").signal != SIGKILL || !exists("old-b.h5.part")) return false;
  if (!copy_file("worst/few-worst-1.hdf5", "p.hdf5")) return false;
  for (int k = 0; k < WORKS; k++)
    for (int i = 0; i < FILES_MOST && works[k].outputs[i]; i++) {
      const char *old = with("old-", works[k].outputs[i]);
      if (exists(old)) continue;
      if (is_result(old) ? !copy_file("old-l.h5", old) : !save_file(old, "t,old\n", 6)) return false;
    }
  for (int k = 0; k < WORKS; k++)
    for (int i = 0; i < FILES_MOST && works[k].inputs[i]; i++)
      if (!copy_file(works[k].inputs[i], with("before-", works[k].inputs[i]))) return false;
  return true;
}

/* --- messages --------------------------------------------------------------------------------------------------- */

/* Lines that say what is left, not what failed. */
static bool is_remark(const char *line) {
  static const char *const remarks[] = {
      "results up to t =", "contains nothing of this run", " was not written", " are missing in ", "picus: note:",
      "picus: warning:",   "picus: to continue:"};
  for (size_t k = 0; k < sizeof remarks / sizeof remarks[0]; k++)
    if (strstr(line, remarks[k])) return true;
  return false;
}

/* The results were looked at, to say what they have. */
static bool is_afterwards(const char *line) { return strstr(line, "cannot read") || strstr(line, "out of memory"); }

/* How many lines say what failed; -1: one is no message of the tool. A checkpoint that fails does not end the run; what
 * else fails then has a line of its own, and so has a result that cannot be looked at after the run. */
static int sentences(const char *text, char first[TOOL_TEXT]) {
  char copy[TOOL_TEXT], *rest = copy, *line;
  int count = 0;
  bool had_checkpoint = false;
  snprintf(copy, sizeof copy, "%s", text);
  first[0] = '\0';
  while ((line = strtok_r(rest, "\n", &rest))) {
    if (strncmp(line, "picus: ", 7) != 0) return -1;
    if (is_remark(line) || (count > 0 && is_afterwards(line))) continue;
    if (had_checkpoint) count = 0;
    had_checkpoint = strstr(line, "a checkpoint cannot be written") != NULL;
    if (count++ == 0) snprintf(first, TOOL_TEXT, "%s", line);
  }
  return count;
}

static const char *reason(const char *what) {
  for (size_t k = 0; k < sizeof errors / sizeof errors[0]; k++)
    if (strcmp(errors[k].name, what) == 0) return errors[k].number == ENOMEM ? "memory" : strerror(errors[k].number);
  return NULL;
}

/* What is transient must not be noticed. */
static bool is_transient(const char *what) {
  return strcmp(what, "EINTR") == 0 || strcmp(what, "SHORT") == 0 || strcmp(what, "DELAY") == 0;
}

static bool message_is_true(const tool_end *end, const char *what, bool stays) {
  char first[TOOL_TEXT];
  const int count = sentences(end->errors, first);
  if (end->code == 0 && count == 0) return true;
  if (is_transient(what) && !(stays && strcmp(what, "EINTR") == 0)) return false;
  if (count != 1) return false;
  const char *why = reason(what);
  return why && strstr(first, why) != NULL;
}

/* --- one fault -------------------------------------------------------------------------------------------------- */

typedef struct outcome {
  long faults, noticed, failed, resumed;
} outcome;

static bool goes_on(const work *w) { return w->repeats && exists(with(w->outputs[0], ".checkpoint")); }

static bool strike(const work *w, const char *faults, const char *what, bool stays, outcome *o) {
  prepare(w);
  tool_end end = tool_run(w->command, faults);
  o->faults++;
  if (end.errors[0] || end.code != 0) o->noticed++;
  if (end.code != 0) o->failed++;
  bool fine = true;
  if (end.signal || end.code < 0 || end.code > 2) {
    printf("  exit code %d, signal %d\n", end.code, end.signal);
    fine = false;
  }
  if (!message_is_true(&end, what, stays)) {
    printf("  exit code %d, and its message is not the one that is true\n", end.code);
    fine = false;
  }
  for (int k = 0; k < FILES_MOST && w->inputs[k]; k++)
    if (!same_bytes(with("before-", w->inputs[k]), w->inputs[k]))
      fine = false, printf("  %s has changed\n", w->inputs[k]);
  for (int k = 0; k < FILES_MOST && w->outputs[k]; k++)
    if (!is_unharmed(w->outputs[k])) fine = false, printf("  %s is harmed\n", w->outputs[k]);
  if (end.code == 0)
    for (int k = 0; k < FILES_MOST && w->outputs[k]; k++) fine = is_good(w->outputs[k]) && fine;
  const bool resumes = goes_on(w);
  if (resumes) o->resumed++;
  if (end.code != 0 || resumes) {
    fine = succeeds(resumes ? w->repeats : w->command) && fine;
    for (int k = 0; k < FILES_MOST && w->outputs[k]; k++) fine = is_good(w->outputs[k]) && fine;
  }
  if (!fine) printf("  after: %s\n", end.errors);
  return fine;
}

static long from_environment(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtol(text, NULL, 10) : otherwise;
}

/* A fault, and how it is written in PICUS_FAULTS. */
static bool some_fault(test_random *random, const work *w, const long counts[KINDS], outcome *o, char faults[128]) {
  int kind;
  do kind = test_integer(random, 0, KINDS - 1);
  while (counts[kind] == 0);
  int most = 0;
  while (most < 8 && kinds[kind].whats[most]) most++;
  const char *what = kinds[kind].whats[test_integer(random, 0, most - 1)];
  const long n = 1 + (long)test_uniform(random, 0, (double)counts[kind]);
  bool stays = test_integer(random, 0, 1) == 1;
  if (strcmp(what, "EINTR") == 0) stays = false; /* for ever it would be waited for ever */
  snprintf(faults, 128, "%s:%ld%s:%s,sync:1+:SKIP", kinds[kind].name, n, stays ? "+" : "", what);
  return strike(w, faults, what, stays, o);
}

/* Every allocation of the tool, in turn: once, and from there on. PICUS_TEST_MEMORY is the distance of two (1499, in
 * make test-long 1). */
static void memory(void) {
  const long stride = from_environment("PICUS_TEST_MEMORY", 1499), only = from_environment("PICUS_TEST_WORK", -1);
  outcome o = {0};
  if (tool_skips_faults()) return;
  REQUIRE(set_up());
  for (int k = 0; k < SHORT_WORKS; k++) {
    long counts[KINDS];
    if (only >= 0 && k != only) continue;
    REQUIRE(measure(&works[k], counts));
    for (long n = 1; n <= counts[MEMORY]; n += stride)
      for (int stays = 0; stays < 2; stays++) {
        char faults[128];
        snprintf(faults, sizeof faults, "memory:%ld%s:ENOMEM,sync:1+:SKIP", n, stays ? "+" : "");
        if (!CHECK(strike(&works[k], faults, "ENOMEM", stays == 1, &o)))
          printf("  PICUS_FAULTS=%s picus %s\n", faults, works[k].command);
      }
  }
  printf("  %ld allocations refused, %ld noticed, %ld commands failed\n", o.faults, o.noticed, o.failed);
}

/* A checkpoint that never gets its name leaves nothing behind, however often it is tried; the run says it once. */
static void nameless_checkpoints(void) {
  if (tool_skips_faults()) return;
  REQUIRE(save_file("few.lua", few, strlen(few)));
  remove_parts("a.h5");
  tool_end end = tool_run("run few.lua --out a.h5 --checkpoint 3steps --quiet", "sync:1+:EIO");
  CHECK(end.code == 1);
  CHECK(strstr(end.errors, "a checkpoint cannot be written, and there is no earlier one: ") &&
        strstr(end.errors, "Input/output error"));
  CHECK(!exists("a.h5.checkpoint") && !exists("a.h5.checkpoint.part") && !exists("a.h5.checkpoint.part.1"));
  CHECK(exists("a.h5.part") && strstr(end.errors, "its data is in 'a.h5.part'")); /* results are worth keeping */
  remove_parts("a.h5");
}

/* A search for a reference whose attempt cannot be stored leaves the older reference. */
static void older_reference(void) {
  if (tool_skips_faults()) return;
  static const char search[] = "reference bouncing-ball --t-end 0.3 --accuracy 1e-4 --sample 0.1 --out l.h5 --quiet";
  static const char *const failing[] = {"truncate:4+:EIO,sync:1+:SKIP", "rename:2:EIO,sync:1+:SKIP"};
  for (int k = 0; k < 2; k++) {
    REQUIRE(save_file("l.h5", "old\n", 4) && save_file("old-l.h5", "old\n", 4));
    CHECK(tool_run(search, failing[k]).code == 1);
    CHECK(same_bytes("l.h5", "old-l.h5"));
  }
  remove("l.h5");
  remove("old-l.h5");
}

static void faults(void) {
  const long wanted = from_environment("PICUS_TEST_FAULTS", 20), seed = from_environment("PICUS_TEST_SEED", 7);
  const long only = from_environment("PICUS_TEST_WORK", -1);
  static long counts[WORKS][KINDS];
  test_random random = {(unsigned long long)seed};
  outcome o = {0};
  if (tool_skips_faults()) return;
  REQUIRE(set_up());
  for (int k = 0; k < WORKS; k++) REQUIRE(measure(&works[k], counts[k]));
  for (long k = 0; k < wanted; k++) {
    const int which = only >= 0 ? (int)only % WORKS : (int)(k % WORKS);
    char faults[128];
    if (!CHECK(some_fault(&random, &works[which], counts[which], &o, faults)))
      printf("  seed %ld, fault %ld: PICUS_FAULTS=%s picus %s\n", seed, k, faults, works[which].command);
  }
  printf("  seed %ld: %ld faults, %ld noticed, %ld commands failed, %ld went on from a checkpoint\n", seed, o.faults,
         o.noticed, o.failed, o.resumed);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"nameless_checkpoints", nameless_checkpoints},
                                    {"older_reference", older_reference},
                                    {"faults", faults},
                                    {"memory", memory}};
  return test_main(argc, argv, "slow_faults", cases, sizeof cases / sizeof *cases);
}
