/* Checkpoints of picus run: when it saves one, and what becomes of the one that an earlier run has left beside the
 * result. */
#include "checkpoints.h"
#include "base/file_names.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "cli/cli.h"
#include "platform/files.h"
#include "platform/threads.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the checkpoint of an earlier run ----------------------------------------------------------------------------- */

typedef struct older_checkpoint {
  picus_context *context;
  const cli_arguments *arguments;
  const picus_model *model;
  bool is_branch, is_aside;
  picus_facts result;  /* before the run */
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

static bool exists(const char *path) { return picus_path_exists(path); }

/* Killed between two names, nothing is lost: this run has no row yet. */
static picus_status set_aside(void *self, const picus_run_description *run, int columns, const picus_column *column) {
  (void)run, (void)columns, (void)column;
  older_checkpoint *o = self;
  (void)picus_facts_of(cli_value(o->arguments, "out", 0), &o->result);
  if (exists(o->path) && is_own(o)) return PICUS_OK;
  if (exists(o->path) || cli_history_exists(o->path)) cli_history_drop_after(o->before, 0);
  cli_history_rename(o->path, o->before);
  if (!exists(o->path)) return PICUS_OK;
  const int error = picus_rename(o->path, o->before);
  if (error)
    return picus_fail(o->context, PICUS_ERROR_IO, "cannot rename '%s', the checkpoint of an earlier run: %s", o->path,
                      strerror(error));
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
  picus_facts now;
  const char *out = cli_value(o->arguments, "out", 0);
  (void)picus_facts_of(out, &now);
  return picus_same_facts(&now, &o->result) && picus_part_name(out, part) == 0 && !exists(part) && !exists(o->path);
}

static picus_status settle(void *self, const picus_summary *summary) {
  older_checkpoint *o = self;
  if (summary->status && o->is_aside && left_nothing(o) && !picus_rename(o->before, o->path))
    cli_history_rename(o->before, o->path);
  if (!summary->status && !has_parts(o)) {
    (void)picus_remove(o->before);
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

/* --- checkpoints of this run -------------------------------------------------------------------------------------- */

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
  const double time = strtod(text, &end);
  if (end > text && strcmp(end, "t") == 0 && time > 0 && isfinite(time)) {
    c->interval = time;
    return true;
  }
  c->seconds = read_duration(text);
  if (c->seconds > 0) return true;
  cli_complain("--checkpoint is a time of the clock such as 60, 90s, 5m or 2h, a number of steps such as 1000steps, or "
               "a simulated time such as 0.5t, not '%s'",
               text);
  return false;
}

bool cli_read_exit_time(const cli_arguments *a, double *seconds) {
  const char *after = cli_value(a, "nice-exit-after", 0);
  *seconds = after ? read_duration(after) : 0;
  if (!after || *seconds > 0) return true;
  cli_complain("--nice-exit-after is a time such as 90s, 50m or 3h50m, not '%s'", after);
  return false;
}

static bool read_options(cli_checkpoints *c, const cli_arguments *a) {
  const char *interval = cli_value(a, "checkpoint", 0);
  if (interval && !read_interval(c, interval)) return false;
  if (!cli_read_exit_time(a, &c->exit_after)) return false;
  if (!cli_integer(a, "checkpoint-keep", &c->keep)) return false;
  if (c->keep < 1) {
    cli_complain("--checkpoint-keep must be at least 1, not %s", cli_value(a, "checkpoint-keep", 0));
    return false;
  }
  return true;
}

/* What keeps all checkpoints from being written is an error before the run. Those that are kept have numbers of up to
 * 19 digits. */
static bool check_path(const cli_checkpoints *c) {
  enum { MOST = 255, DIGITS = 20 }; /* bytes of a name; of ".N" */
  const char *slash = strrchr(c->path, '/'), *name = slash ? slash + 1 : c->path;
  const size_t ending = c->keep > 1 ? DIGITS : sizeof ".part" - 1;
  if (strlen(name) + ending > MOST) {
    cli_complain("the name of --out is too long for checkpoints; it may have %zu bytes",
                 MOST - ending - (sizeof ".checkpoint" - 1));
    return false;
  }
  if (!picus_output_check_regular(c->context, c->path, "a checkpoint")) return true;
  cli_report_error(c->context, EXIT_WRONG_INPUT);
  return false;
}

bool cli_checkpoints_begin(cli_checkpoints *c, picus_context *context, const cli_arguments *a) {
  static const char *const names[] = {"checkpoint", "nice-exit-after", "checkpoint-keep"};
  const char *given = NULL;
  *c = (cli_checkpoints){.context = context, .arguments = a, .keep = 1, .last_t = NAN};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
    if (!given && cli_given(a, names[k])) given = names[k];
  if (!given) return true;
  if (!cli_given(a, "out")) {
    cli_complain("--%s needs --out FILE.h5, the result to resume", given);
    return false;
  }
  if (strcmp(given, "checkpoint-keep") == 0) {
    cli_complain("--checkpoint-keep needs --checkpoint EVERY");
    return false;
  }
  if (!read_options(c, a)) return false;
  c->path = cli_checkpoint_path(cli_value(a, "out", 0));
  c->begin = c->last = picus_clock_steady();
  return c->path && check_path(c);
}

void cli_checkpoints_end(cli_checkpoints *c) {
  free(c->path);
  c->path = NULL;
}

/* --- when --------------------------------------------------------------------------------------------------------- */

/* The first multiple of the interval behind the present time, whatever it went on from. */
static void set_next(cli_checkpoints *c, picus_sim *sim) {
  const double start = picus_sim_options_of(sim)->t_start, past = (picus_sim_state(sim).t - start) / c->interval;
  c->next = start + (floor(past + 1e-9) + 1) * c->interval;
}

void cli_checkpoints_start(cli_checkpoints *c, picus_sim *sim) {
  if (c->interval > 0) set_next(c, sim);
}

bool cli_checkpoints_count_steps(const cli_checkpoints *c) { return c->steps > 0 || c->interval > 0; }

static picus_status write_file(cli_checkpoints *c, picus_sim *sim, bool is_end) {
  size_t size = 0;
  picus_status status = picus_sim_save(sim, NULL, 0, &size); /* writes the rows so far */
  if (status) return status;
  const int file_count = picus_model_file_count(c->model);
  picus_model_file *files = picus_allocate(c->context, (size_t)file_count, sizeof *files);
  if (!files) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < file_count; k++) files[k] = picus_model_file_at(c->model, k);
  const cli_checkpoint_facts facts = {.t = picus_sim_state(sim).t,
                                      .number = c->number + 1,
                                      .is_end = is_end,
                                      .model_name = cli_operand(c->arguments, 0),
                                      .model_text = picus_model_source(c->model),
                                      .file_count = file_count,
                                      .files = files,
                                      .mark = picus_recorder_mark(c->recorder)};
  status = cli_checkpoint_write(c->context, c->path, c->arguments, &facts, sim, size);
  picus_release(c->context, files);
  if (status) return status;
  if (!c->has_saved) cli_history_drop_after(c->path, c->number);
  c->has_saved = true;
  c->last_t = facts.t;
  c->number++;
  return cli_history_add(c->context, c->path, c->number, c->keep) ? PICUS_OK : PICUS_ERROR_IO;
}

/* A checkpoint that cannot be written does not end the run: the one before stays. It also stays if results could not be
 * written, because it has only rows that they have; the run reports that. */
static void save(cli_checkpoints *c, picus_sim *sim, bool is_end) {
  const picus_status status = write_file(c, sim, is_end);
  if (picus_recorder_status(c->recorder)) return;
  if (status && !c->told_failure)
    cli_complain("a checkpoint cannot be written, %s: %s",
                 c->number > 0 ? "the previous one stays" : "and there is no earlier one", cli_error_text(c->context));
  c->told_failure = status ? true : false;
  c->last = picus_clock_steady();
  c->steps_left = c->steps;
}

picus_status cli_checkpoints_look(cli_checkpoints *c, picus_sim *sim, bool is_end) {
  if (!c->path) return PICUS_OK;
  const double time = picus_clock_steady();
  c->is_over = !is_end && c->exit_after > 0 && time - c->begin >= c->exit_after;
  if (is_end || c->is_over || cli_interrupted(NULL) || (c->seconds > 0 && time - c->last >= c->seconds))
    save(c, sim, is_end);
  if (!c->is_over) return PICUS_OK;
  const char *const words[] = {"picus", "resume", cli_value(c->arguments, "out", 0)};
  char *command = cli_join_words(3, words);
  const picus_status status =
      picus_fail(c->context, PICUS_INTERRUPTED, "--nice-exit-after stopped the run at t = %.9g; to continue: %s",
                 picus_sim_state(sim).t, command ? command : "picus resume RESULT.h5");
  free(command);
  return status;
}

void cli_checkpoints_step(cli_checkpoints *c, picus_sim *sim) {
  const bool is_due = c->interval > 0 && picus_sim_state(sim).t >= c->next - 1e-9 * c->interval;
  if (is_due) set_next(c, sim);
  if (is_due || (c->steps > 0 && --c->steps_left <= 0)) save(c, sim, false);
}
