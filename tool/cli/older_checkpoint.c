#define _POSIX_C_SOURCE 200809L
#include "older_checkpoint.h"
#include "checkpoint_file.h"
#include "checkpoint_history.h"
#include "command_words.h"

#include "base/file_names.h"
#include "base/internal.h"
#include "base/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct older_checkpoint {
  picus_context *context;
  const cli_arguments *arguments;
  const picus_model *model;
  bool is_branch, is_aside;
  struct stat result;  /* before the run */
  char *path, *before; /* RESULT.h5.checkpoint, RESULT.h5.checkpoint.before */
} older_checkpoint;

static char *before_name(const char *path) {
  const size_t size = strlen(path) + sizeof ".before";
  char *name = malloc(size);
  if (name) snprintf(name, size, "%s.before", path);
  return name;
}

/* --- the same run? ------------------------------------------------------------------------------------------------ */

/* Options that do not change the numbers of a run, nor where they go. */
static bool is_indifferent(const char *name) {
  static const char *const names[] = {"out",     "checkpoint", "checkpoint-keep", "nice-exit-after", "progress-file",
                                      "threads", "quiet"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
    if (strcmp(names[k], name) == 0) return true;
  return false;
}

/* "--NAME=VALUE" and "--NAME". */
static bool word_is_indifferent(const char *word) {
  char name[64];
  if (strncmp(word, "--", 2) != 0) return false;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
  return is_indifferent(name);
}

static bool word_is(const char *word, const char *name, const char *value) {
  const size_t length = strlen(name);
  if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, name, length) != 0) return false;
  word += 2 + length;
  return *value ? *word == '=' && strcmp(word + 1, value) == 0 : *word == 0;
}

/* The next word of a checkpoint that counts; NULL: it has no more. */
static const char *next_word(const cli_checkpoint *c, int *at) {
  while (*at < c->word_count && word_is_indifferent(c->words[*at])) ++*at;
  return *at < c->word_count ? c->words[(*at)++] : NULL;
}

/* Words are written in the order of the table of options, then operands. */
static bool same_command(const cli_checkpoint *c, const cli_arguments *a) {
  int at = 2; /* behind "picus run" */
  for (int i = 0; i < cli_run.option_count; i++) {
    const char *name = cli_run.options[i].name;
    for (int k = 0; !is_indifferent(name) && cli_value(a, name, k); k++) {
      const char *word = next_word(c, &at);
      if (!word || !word_is(word, name, cli_value(a, name, k))) return false;
    }
  }
  const char *end = next_word(c, &at);
  if (!end || strcmp(end, "--") != 0 || c->word_count - at != cli_operand_count(a)) return false;
  for (int k = 0; at < c->word_count; k++)
    if (strcmp(c->words[at++], cli_operand(a, k)) != 0) return false;
  return true;
}

static bool same_model(const cli_checkpoint_facts *f, const picus_model *model) {
  if (strcmp(f->model_text, picus_model_source(model)) != 0 || f->file_count != picus_model_file_count(model))
    return false;
  for (int k = 0; k < f->file_count; k++) {
    const picus_model_file file = picus_model_file_at(model, k);
    if (strcmp(f->files[k].name, file.name) != 0 || f->files[k].size != file.size ||
        (file.size > 0 && memcmp(f->files[k].bytes, file.bytes, file.size) != 0))
      return false;
  }
  return true;
}

/* A checkpoint that cannot be read is of another run. */
static bool is_own(const older_checkpoint *o) {
  cli_checkpoint c = {0};
  if (o->is_branch) return false;
  const bool is_read = !cli_checkpoint_open(o->context, o->path, &c);
  const bool same = is_read && same_command(&c, o->arguments) && same_model(&c.facts, o->model);
  cli_checkpoint_free(&c);
  picus_clear_error(o->context);
  return same;
}

/* --- sink --------------------------------------------------------------------------------------------------------- */

static bool exists(const char *path) { return access(path, F_OK) == 0; }

/* Killed between two names, nothing is lost: this run has no row yet. */
static picus_status set_aside(void *self, const picus_run_description *run, int columns, const picus_column *column) {
  (void)run, (void)columns, (void)column;
  older_checkpoint *o = self;
  if (stat(cli_value(o->arguments, "out", 0), &o->result) != 0) o->result = (struct stat){0};
  if (exists(o->path) && is_own(o)) return PICUS_OK;
  if (exists(o->path) || cli_history_exists(o->path)) cli_history_drop_after(o->before, 0);
  cli_history_rename(o->path, o->before);
  if (!exists(o->path)) return PICUS_OK;
  if (rename(o->path, o->before) != 0)
    return picus_fail(o->context, PICUS_ERROR_IO, "cannot rename '%s', the checkpoint of an earlier run: %s", o->path,
                      strerror(errno));
  o->is_aside = true;
  picus_log(o->context, PICUS_LOG_NOTE, "the checkpoint of an earlier run is now '%s'", o->before);
  return PICUS_OK;
}

static picus_status write_nothing(void *self, long rows, int columns, const double *values) {
  (void)self, (void)rows, (void)columns, (void)values;
  return PICUS_OK;
}

/* Whether runs that were killed have left parts of the result, which may have the rows of the checkpoint. */
static bool has_parts(const older_checkpoint *o) {
  char part[PICUS_PATH_SIZE], number[PICUS_PATH_SIZE + 16];
  if (picus_part_name(cli_value(o->arguments, "out", 0), part) != 0) return true;
  for (int k = 1; k < PICUS_PARTS_MOST; k++) {
    snprintf(number, sizeof number, "%s.%d", part, k);
    if (exists(number)) return true;
  }
  return false;
}

/* The run has left nothing: the older result, or none, is in its place, and there is no part of this run. */
static bool left_nothing(const older_checkpoint *o) {
  char part[PICUS_PATH_SIZE];
  struct stat now = {0};
  const char *out = cli_value(o->arguments, "out", 0);
  if (stat(out, &now) != 0) now = (struct stat){0};
  return now.st_ino == o->result.st_ino && now.st_dev == o->result.st_dev && picus_part_name(out, part) == 0 &&
         !exists(part) && !exists(o->path);
}

static picus_status settle(void *self, const picus_summary *summary) {
  older_checkpoint *o = self;
  if (summary->status && o->is_aside && left_nothing(o) && rename(o->before, o->path) == 0)
    cli_history_rename(o->before, o->path);
  if (!summary->status && !has_parts(o)) {
    remove(o->before);
    cli_history_drop_after(o->before, 0);
  }
  return PICUS_OK;
}

static void destroy(void *self) {
  older_checkpoint *o = self;
  free(o->path);
  free(o->before);
  free(o);
}

picus_status cli_older_checkpoint_watch(picus_context *context, const cli_arguments *arguments,
                                        const picus_model *model, bool is_branch, picus_recorder *recorder) {
  older_checkpoint *o = calloc(1, sizeof *o);
  char *path = cli_checkpoint_path(cli_value(arguments, "out", 0)), *before = path ? before_name(path) : NULL;
  if (!o || !before) {
    free(o);
    free(path);
    free(before);
    return picus_fail(context, PICUS_ERROR_MEMORY, "out of memory");
  }
  *o = (older_checkpoint){.context = context,
                          .arguments = arguments,
                          .model = model,
                          .is_branch = is_branch,
                          .path = path,
                          .before = before};
  const picus_sink sink = {.self = o, .open = set_aside, .write = write_nothing, .close = settle, .destroy = destroy};
  if (exists(path) || exists(before) || cli_history_exists(path)) return picus_recorder_add_sink(recorder, sink);
  destroy(o);
  return PICUS_OK;
}

void cli_older_checkpoint_tell(picus_context *context, const char *result) {
  char *path = cli_checkpoint_path(result), *before = path ? before_name(path) : NULL;
  const char *const words[] = {"picus", "resume", result, "--out", "OTHER.h5"};
  char *command = cli_join_words(5, words);
  if (before && command && !exists(path) && exists(before))
    picus_log(context, PICUS_LOG_NOTE,
              "'%s' is the checkpoint of an earlier run; to continue that run: rename it to '%s', then %s", before,
              path, command);
  free(command);
  free(path);
  free(before);
}
