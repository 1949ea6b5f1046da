#define _POSIX_C_SOURCE 200809L
#include "checkpoints.h"

#include "base/archive.h"
#include "base/internal.h"
#include "base/output_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORDS_MOST = 4096, WORD_LONGEST = 1 << 20 };
static const char head[16] = "picus run ck 2\n";

static double now(void) {
  struct timespec time_now;
  clock_gettime(CLOCK_MONOTONIC, &time_now);
  return (double)time_now.tv_sec + 1e-9 * (double)time_now.tv_nsec;
}

char *cli_checkpoint_path(const char *result) {
  const size_t size = strlen(result) + sizeof ".checkpoint";
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s.checkpoint", result);
  else
    cli_complain("out of memory");
  return path;
}

/* --- options ------------------------------------------------------------------------------------------------------ */

/* "90", "90s", "5m", "3h50m" as seconds; NAN: not a duration. */
static double read_duration(const char *text) {
  double sum = 0;
  if (!*text) return NAN;
  while (*text) {
    char *end;
    const double value = strtod(text, &end);
    if (end == text || !(value >= 0) || !isfinite(value)) return NAN;
    const double unit = *end == 'h' ? 3600 : *end == 'm' ? 60 : 1;
    if (*end && !strchr("hms", *end)) return NAN;
    text = *end ? end + 1 : end;
    sum += unit * value;
  }
  return sum;
}

static bool read_interval(cli_checkpoints *c, const char *text) {
  char *end;
  const long steps = strtol(text, &end, 10);
  if (end > text && strcmp(end, "steps") == 0 && steps >= 1) {
    c->steps = c->steps_left = steps;
    return true;
  }
  c->seconds = read_duration(text);
  if (c->seconds > 0) return true;
  cli_complain("--checkpoint is a time such as 60, 90s, 5m or 2h, or a number of steps such as 1000steps, not '%s'",
               text);
  return false;
}

bool cli_checkpoints_begin(cli_checkpoints *c, picus_context *context, const cli_arguments *a) {
  const char *interval = cli_value(a, "checkpoint", 0), *after = cli_value(a, "nice-exit-after", 0);
  *c = (cli_checkpoints){.context = context, .arguments = a};
  if (!interval && !after) return true;
  if (!cli_given(a, "out")) {
    cli_complain("--%s needs --out FILE.h5, whose run goes on from it", interval ? "checkpoint" : "nice-exit-after");
    return false;
  }
  if (interval && !read_interval(c, interval)) return false;
  if (after) c->exit_after = read_duration(after);
  if (after && !(c->exit_after > 0)) {
    cli_complain("--nice-exit-after is a time such as 90s, 50m or 3h50m, not '%s'", after);
    return false;
  }
  c->path = cli_checkpoint_path(cli_value(a, "out", 0));
  c->begin = c->last = now();
  return c->path != NULL;
}

void cli_checkpoints_end(cli_checkpoints *c) {
  free(c->path);
  c->path = NULL;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

char *cli_option_word(const char *name, const char *value) {
  const size_t room = strlen(name) + strlen(value) + sizeof "--=";
  char *word = malloc(room);
  if (word) snprintf(word, room, *value ? "--%s=%s" : "--%s", name, value);
  return word;
}

static void archive_word(picus_archive *a, const char *word) {
  size_t length = strlen(word) + 1;
  picus_archive_count(a, &length, 1);
  picus_archive_bytes(a, (void *)word, length);
}

static void archive_option(picus_archive *a, const char *name, const char *value) {
  char *word = cli_option_word(name, value);
  if (word)
    archive_word(a, word);
  else
    a->status = PICUS_ERROR_MEMORY;
  free(word);
}

/* As they were understood: options with their values, then operands. */
static void write_words(const cli_arguments *arguments, picus_archive *a) {
  size_t count = 3 + (size_t)cli_operand_count(arguments);
  for (int i = 0; i < cli_run.option_count; i++)
    for (int k = 0; cli_value(arguments, cli_run.options[i].name, k); k++) count++;
  picus_archive_count(a, &count, 1);
  archive_word(a, "picus");
  archive_word(a, "run");
  for (int i = 0; i < cli_run.option_count; i++)
    for (int k = 0; cli_value(arguments, cli_run.options[i].name, k); k++)
      archive_option(a, cli_run.options[i].name, cli_value(arguments, cli_run.options[i].name, k));
  archive_word(a, "--");
  for (int i = 0; i < cli_operand_count(arguments); i++) archive_word(a, cli_operand(arguments, i));
}

static void read_words(cli_checkpoint *c, picus_archive *a) {
  size_t count = 0;
  picus_archive_count(a, &count, 2);
  if (!a->status && (count < 3 || count > WORDS_MOST)) picus_archive_reject(a, "its command is too long");
  c->words = a->status ? NULL : calloc(count + 1, sizeof *c->words);
  if (!a->status && !c->words) a->status = PICUS_ERROR_MEMORY;
  for (size_t k = 0; !a->status && k < count; k++) {
    size_t length = 0;
    picus_archive_count(a, &length, 1);
    if (!a->status && (length < 1 || length > WORD_LONGEST || c->all[a->at + length - 1] != 0))
      picus_archive_reject(a, "a word of its command has no end");
    if (a->status) return;
    c->words[k] = (char *)c->all + a->at;
    c->word_count = (int)k + 1;
    a->at += length;
  }
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void archive_mark(picus_row_mark *mark, picus_archive *a) {
  picus_archive_long(a, &mark->rows);
  picus_archive_word(a, &mark->last_row);
  picus_archive_long(a, &mark->switchings);
  picus_archive_long(a, &mark->contact_rows);
}

static picus_status write_file(cli_checkpoints *c, picus_sim *sim) {
  size_t size = 0;
  picus_archive measured = {.context = c->context, .direction = ARCHIVE_MEASURES};
  picus_status status = picus_sim_save(sim, NULL, 0, &size); /* writes the rows so far */
  if (status) return status;
  picus_row_mark mark = picus_recorder_mark(c->recorder);
  picus_archive_bytes(&measured, (void *)head, sizeof head);
  write_words(c->arguments, &measured);
  archive_mark(&mark, &measured);
  const size_t all = measured.at + size + sizeof(uint64_t);
  picus_archive a = {
      .context = c->context, .direction = ARCHIVE_WRITES, .to = picus_allocate(c->context, all, 1), .size = all};
  if (!a.to) return PICUS_ERROR_MEMORY;
  picus_archive_bytes(&a, (void *)head, sizeof head);
  write_words(c->arguments, &a);
  archive_mark(&mark, &a);
  if (!a.status) a.status = picus_sim_save(sim, a.to + a.at, size, &size);
  a.at += size;
  uint64_t sum = picus_check_sum(a.to, a.at);
  picus_archive_word(&a, &sum);
  if (!a.status) a.status = picus_output_save(c->context, c->path, a.to, all);
  picus_release(c->context, a.to);
  return a.status;
}

/* A checkpoint that cannot be written does not end the run: the one before stays. */
static void save(cli_checkpoints *c, picus_sim *sim) {
  const picus_status status = write_file(c, sim);
  if (status && !c->told_failure)
    cli_complain("a checkpoint cannot be written, the one before stays: %s", picus_last_error(c->context)->message);
  c->told_failure = status ? true : false;
  c->last = now();
  c->steps_left = c->steps;
}

picus_status cli_checkpoints_look(cli_checkpoints *c, picus_sim *sim, bool is_end) {
  if (!c->path) return PICUS_OK;
  const double time = now();
  c->is_over = !is_end && c->exit_after > 0 && time - c->begin >= c->exit_after;
  if (is_end || c->is_over || cli_interrupted(NULL) || (c->seconds > 0 && time - c->last >= c->seconds)) save(c, sim);
  if (!c->is_over) return PICUS_OK;
  return picus_fail(c->context, PICUS_INTERRUPTED,
                    "the time of --nice-exit-after is over at t = %.9g; to go on: picus resume %s",
                    picus_sim_state(sim).t, cli_value(c->arguments, "out", 0));
}

void cli_checkpoints_step(cli_checkpoints *c, picus_sim *sim) {
  if (c->steps > 0 && --c->steps_left <= 0) save(c, sim);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool read_all(const char *path, cli_checkpoint *c, size_t *size) {
  FILE *file = fopen(path, "rb");
  long length = -1;
  if (file && fseek(file, 0, SEEK_END) == 0) length = ftell(file);
  if (length >= 0 && fseek(file, 0, SEEK_SET) == 0) c->all = malloc((size_t)length + 1);
  *size = c->all && file ? fread(c->all, 1, (size_t)length, file) : 0;
  const bool done = c->all && *size == (size_t)length;
  if (file) fclose(file);
  return done;
}

static picus_status take_apart(picus_context *context, cli_checkpoint *c, size_t size) {
  picus_archive a = {.context = context, .direction = ARCHIVE_READS, .from = c->all, .size = size, .part = "command"};
  char found[sizeof head];
  uint64_t sum;
  if (size < sizeof head + sizeof sum || memcmp(c->all, head, sizeof head) != 0)
    return picus_fail(context, PICUS_ERROR_IO, "it is not a checkpoint of picus run");
  a.size -= sizeof sum;
  memcpy(&sum, c->all + a.size, sizeof sum);
  if (sum != picus_check_sum(c->all, a.size)) return picus_fail(context, PICUS_ERROR_IO, "its check sum is wrong");
  picus_archive_bytes(&a, found, sizeof found);
  read_words(c, &a);
  archive_mark(&c->mark, &a);
  c->bytes = c->all + a.at;
  c->size = a.size - a.at;
  return a.status;
}

bool cli_checkpoint_read(picus_context *context, const char *path, cli_checkpoint *out) {
  size_t size;
  *out = (cli_checkpoint){0};
  if (!read_all(path, out, &size)) {
    cli_complain("there is no checkpoint '%s' that can be read; 'picus run ... --checkpoint 60' saves one", path);
    return false;
  }
  if (!take_apart(context, out, size)) return true;
  cli_complain("the checkpoint '%s' cannot be used: %s", path, picus_last_error(context)->message);
  return false;
}

void cli_checkpoint_free(cli_checkpoint *c) {
  free(c->words);
  free(c->all);
  *c = (cli_checkpoint){0};
}
