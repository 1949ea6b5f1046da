/* picus resume: continues a run from its checkpoint. */
#include "base/file_names.h"
#include "base/internal.h"
#include "checkpoints.h"
#include "cli/paths.h"
#include "platform/files.h"
#include "run_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"t-end", "X", "end of the run in s, not before the checkpoint; default: unchanged. A later end extends the run",
     false},
    {"from", "T", "resume from the latest checkpoint at or before t = T; later rows and events are recomputed", false},
    {"out", "F.h5", "branch: write all results to another file; RESULT.h5 and its checkpoint stay unchanged", false},
    {"checkpoint", "EVERY", "as in picus run; default: as before", false},
    {"checkpoint-keep", "N", "as in picus run; default: as before", false},
    {"nice-exit-after", "TIME", "as in picus run; default: none", false},
    {"progress-file", "F", "as in picus run; default: as before", false},
    {"allow-paths", NULL, "write to all files that the checkpoint names, even outside the folder of the result", false},
    {"force-model", NULL, "resume with the current model file, or with changed parameters", false},
    {"set", "NAME=X", "another value of a parameter, with --force-model", true},
    CLI_NATIVE_OPTION,
    CLI_THREADS_OPTION,
    {"quiet", NULL, "no progress bar, no notes, no summary", false},
};

static const char *const examples[] = {"picus run woodpecker --out w.h5 --checkpoint 60",
                                       "saves a checkpoint every minute, w.h5.checkpoint",
                                       "picus resume w.h5",
                                       "continues the run after any interruption",
                                       "picus resume w.h5 --t-end 4",
                                       "extends it",
                                       "picus resume w.h5 --from 0.5 --out other.h5",
                                       "resumes from the last checkpoint before 0.5 s, into another file",
                                       NULL};

/* Options of the run that are given anew, or belong to the part of it that is over. */
static bool is_replaced(const cli_arguments *a, const char *word) {
  static const char *const names[] = {"t-end", "checkpoint", "checkpoint-keep", "progress-file", "threads", "native"};
  static const char *const always[] = {"--out=", "--nice-exit-after=", "--quiet"};
  for (size_t k = 0; k < sizeof always / sizeof always[0]; k++)
    if (strncmp(word, always[k], strlen(always[k])) == 0) return true;
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    const size_t length = strlen(names[k]);
    const bool is_it = strncmp(word, "--", 2) == 0 && strncmp(word + 2, names[k], length) == 0 &&
                       (word[2 + length] == '=' || word[2 + length] == 0);
    if (is_it && cli_given(a, names[k])) return true;
  }
  return false;
}

/* Whether an option is one of picus run, too. */
static bool is_of_run(const char *name) {
  for (int k = 0; k < cli_run.option_count; k++)
    if (strcmp(cli_run.options[k].name, name) == 0) return true;
  return false;
}

/* How many words this command adds at most. */
static int own_most(const cli_arguments *a) {
  int count = 1;
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    for (int k = 0; cli_value(a, options[i].name, k); k++) count++;
  return count;
}

/* The options of this command as those of a run; results go to the file of the operand, wherever it lies from here.
 * Returns how many there are; the last one is NULL if memory ran out. */
static int own_words(const cli_arguments *a, const char *result, char **own) {
  int count = 0;
  own[count++] = cli_option_word("out", cli_given(a, "out") ? cli_value(a, "out", 0) : result);
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
    const char *name = options[i].name;
    if (!is_of_run(name) || strcmp(name, "out") == 0) continue;
    for (int k = 0; own[count - 1] && cli_value(a, name, k); k++)
      own[count++] = cli_option_word(name, cli_value(a, name, k));
  }
  return count;
}

/* The words of the run with those of this command: they come first, before the operand. */
static int go_on(const cli_arguments *a, const cli_resumed *resumed) {
  const cli_checkpoint *c = resumed->checkpoint;
  char **words = calloc((size_t)c->word_count + (size_t)own_most(a) + 1, sizeof *words);
  int code = EXIT_WRONG_INPUT;
  if (!words) return EXIT_RUN_FAILED;
  words[0] = c->words[0];
  words[1] = c->words[1];
  const int own_count = own_words(a, resumed->result, words + 2);
  int count = 2 + own_count;
  const bool complete = words[count - 1] != NULL;
  for (int k = 2; k < c->word_count; k++)
    if (!is_replaced(a, c->words[k])) words[count++] = c->words[k];
  cli_arguments *arguments = complete && strcmp(words[1], "run") == 0 ? cli_parse(&cli_run, count, words) : NULL;
  if (arguments && cli_foreign_paths_check(arguments, a, resumed->result)) code = cli_run_from(arguments, resumed);
  if (!complete) cli_complain("out of memory");
  cli_arguments_free(arguments);
  for (int k = 0; k < own_count; k++) free(words[2 + k]);
  free(words);
  return code;
}

/* Whether nothing is asked for that a complete run does not have. */
static bool only_goes_on(const cli_arguments *a, const cli_checkpoint *c) {
  static const char *const own[] = {"t-end", "out", "from", "force-model"};
  static const char *const outputs[] = {"--csv", "--events", "--contacts", "--view", "--against", "--dump-worst"};
  for (size_t k = 0; k < sizeof own / sizeof own[0]; k++)
    if (cli_given(a, own[k])) return false;
  for (int i = 0; i < c->word_count; i++)
    for (size_t k = 0; k < sizeof outputs / sizeof outputs[0]; k++)
      if (strncmp(c->words[i], outputs[k], strlen(outputs[k])) == 0) return false;
  return true;
}

typedef enum resume_way {
  RESUME_USUAL,
  RESUME_CUT,  /* the result is cut, so that it is not complete */
  RESUME_START /* of the checkpoint only the model counts: the run begins again */
} resume_way;

/* Rows and totals until the checkpoint exist: a run cannot end before it. false: reported. */
static bool check_end(const cli_arguments *a, const cli_checkpoint *c, resume_way way) {
  double t_end = c->facts.t;
  if (!cli_number(a, "t-end", &t_end)) return false;
  if (t_end >= c->facts.t || way == RESUME_START) return true;
  cli_complain(
      "--t-end %.9g is before the checkpoint at t = %.9g; give a later end, or go back to an earlier checkpoint "
      "by --from T (kept by --checkpoint-keep)",
      t_end, c->facts.t);
  return false;
}

static int resume_from(picus_context *context, const cli_arguments *a, const char *path, resume_way way) {
  const char *result = cli_operand(a, 0);
  cli_checkpoint checkpoint = {0};
  int code = EXIT_WRONG_INPUT;
  if (cli_checkpoint_read(context, path, &checkpoint)) {
    const cli_resumed resumed = {&checkpoint, result, cli_given(a, "force-model"), way == RESUME_START};
    if (way == RESUME_USUAL && only_goes_on(a, &checkpoint) && cli_resumed_is_complete(context, &resumed)) {
      if (!cli_given(a, "quiet"))
        cli_print("%s is complete: its run ended at t = %.9g; --t-end makes it longer\n", result, checkpoint.facts.t);
      code = EXIT_DONE;
    } else if (check_end(a, &checkpoint, way))
      code = go_on(a, &resumed);
  } else
    cli_older_checkpoint_tell(context, result);
  cli_checkpoint_free(&checkpoint);
  return code;
}

static bool is_missing(const char *path) {
  picus_facts found;
  return picus_facts_of(path, &found) == ENOENT;
}

/* The run was killed before its first checkpoint: its command is in the part. false: it is not. */
static bool begin_again(picus_context *context, const cli_arguments *a, int *code) {
  const char *result = cli_operand(a, 0);
  cli_checkpoint start = {0};
  const bool is_there = cli_checkpoint_of_part(context, result, &start);
  if (is_there) {
    picus_log(context, PICUS_LOG_NOTE, "there is no checkpoint of '%s' yet: the run restarts from the beginning",
              result);
    cli_older_checkpoint_tell(context, result);
    *code = go_on(a, &(cli_resumed){&start, result, true, true});
  }
  cli_checkpoint_free(&start);
  return is_there;
}

/* A checkpoint that a cut result may still fit. */
typedef struct fitting {
  char path[PICUS_PATH_SIZE];
  double t;
  bool is_read, from_start; /* from_start: the result lacks rows that it has counted */
} fitting;

static void look_at_checkpoint(picus_context *silent, const char *result, fitting *f) {
  cli_checkpoint checkpoint = {0};
  f->is_read = cli_checkpoint_read(silent, f->path, &checkpoint);
  f->t = checkpoint.facts.t;
  f->from_start = !f->is_read || !cli_resumed_fits(silent, &(cli_resumed){.checkpoint = &checkpoint, .result = result});
  cli_checkpoint_free(&checkpoint);
}

/* The latest checkpoint, from the one at f->path back, that a cut result fits; last: the path of the last one of the
 * run. false: already reported. */
static bool find_fitting(picus_context *silent, const char *result, const char *last, fitting *f) {
  for (look_at_checkpoint(silent, result, f); f->is_read && f->from_start; look_at_checkpoint(silent, result, f)) {
    char *before = cli_history_find_before(silent, last, f->t);
    if (!before) return true;
    snprintf(f->path, sizeof f->path, "%s", before);
    free(before);
  }
  return f->is_read;
}

/* chosen: the checkpoint to begin with. */
static int resume_cut(picus_context *context, const cli_arguments *a, const char *last, const char *chosen) {
  const char *result = cli_operand(a, 0);
  picus_context *silent = cli_context(true);
  fitting f = {.is_read = false};
  int code = EXIT_WRONG_INPUT;
  snprintf(f.path, sizeof f.path, "%s", chosen);
  if (silent && find_fitting(silent, result, last, &f)) {
    if (f.from_start)
      picus_log(
          context, PICUS_LOG_WARNING,
          "'%s' is truncated and lacks rows that its checkpoints have counted: the run restarts from the beginning",
          result);
    else if (strcmp(f.path, chosen) != 0)
      picus_log(
          context, PICUS_LOG_WARNING,
          "'%s' is truncated and lacks rows that its last checkpoint has counted: the run continues from t = %.9g",
          result, f.t);
    code = f.from_start ? resume_from(context, a, chosen, RESUME_START) : resume_from(context, a, f.path, RESUME_CUT);
  }
  picus_context_destroy(silent);
  return code;
}

static int run(const cli_arguments *a) {
  char *path = cli_checkpoint_path(cli_operand(a, 0));
  picus_context *context = cli_context(cli_given(a, "quiet"));
  int code = EXIT_WRONG_INPUT;
  double from = 0;
  if (cli_given(a, "set") && !cli_given(a, "force-model"))
    cli_complain("--set changes the model; add --force-model to resume with the changed model");
  else if (path && context && cli_number(a, "from", &from)) {
    char *found = cli_given(a, "from") ? cli_history_find(context, path, from) : NULL;
    const char *chosen = found ? found : path;
    if (!found && cli_given(a, "from"))
      code = EXIT_WRONG_INPUT; /* reported */
    else if (!found && is_missing(path) && begin_again(context, a, &code))
      picus_clear_error(context);
    else if (cli_resumed_is_cut(cli_operand(a, 0)))
      code = resume_cut(context, a, path, chosen);
    else
      code = resume_from(context, a, chosen, RESUME_USUAL);
    free(found);
  }
  free(path);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_resume = {
    .name = "resume",
    .operands = "RESULT.h5",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "result",
    .summary = "Continue an interrupted run",
    .description =
        "RESULT.h5 is the result of a run with --checkpoint, however it ended. Its checkpoint, RESULT.h5.checkpoint,\n"
        "contains the command and the model of the run; the model file may have changed or disappeared. The result is\n"
        "identical to that of an uninterrupted run. The file is rewritten, starting with the rows up to the "
        "checkpoint.\n"
        "The version of Picus and all options must be the same.\n"
        "A checkpoint may come from an untrusted source: tables, pages and other files that it names are written only "
        "in\n"
        "the folder of RESULT.h5 and below, and replace only files that an earlier part of the run may have written.\n"
        "Otherwise the command lists them and ends with exit code 2; --allow-paths accepts them.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run,
    .continues = true};
