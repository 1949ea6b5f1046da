/* picus study: a study file becomes the command line of picus sweep, with which it shares everything else. */
#include "cli/paths.h"
#include "sweep.h"

#include <picus/study_file.h>
#include <stdlib.h>
#include <string.h>

/* The words of the command line that is made. Those in `own` are to be freed. */
typedef struct word_list {
  int count, own_count;
  char **words, **own;
} word_list;

static void add(word_list *list, const char *word) { list->words[list->count++] = (char *)(uintptr_t)word; }

/* "--option=value", or "--option". */
static bool add_option(word_list *list, const char *option, const char *value) {
  const size_t size = strlen(option) + (value ? strlen(value) : 0) + 4;
  char *word = malloc(size);
  if (!word) return false;
  snprintf(word, size, "--%s%s%s", option, value ? "=" : "", value ? value : "");
  list->own[list->own_count++] = word;
  add(list, word);
  return true;
}

static const cli_option *find_option(const char *name) {
  for (int k = 0; k < cli_sweep.option_count; k++)
    if (strcmp(cli_sweep.options[k].name, name) == 0) return &cli_sweep.options[k];
  return NULL;
}

/* Does the command line replace this word of the file? What varies is replaced by its name. */
static bool is_replaced(const cli_arguments *a, const char *name, const char *word) {
  const cli_option *option = find_option(name);
  if (!option || !option->repeatable) return cli_given(a, name);
  const size_t length = strcspn(word, "=") + 1;
  const char *value;
  for (int k = 0; (value = cli_value(a, name, k)) != NULL; k++)
    if (strncmp(value, word, length) == 0) return true;
  return false;
}

static bool add_file(word_list *list, const cli_arguments *a, const picus_study_file *file) {
  bool fine = true;
  for (int k = 0; fine && k < picus_study_file_count(file); k++) {
    const char *option = picus_study_file_option(file, k), *value = picus_study_file_value(file, k);
    if (!is_replaced(a, option, value)) fine = add_option(list, option, value);
  }
  return fine;
}

static bool add_given(word_list *list, const cli_arguments *a) {
  bool fine = true;
  for (int i = 0; fine && i < cli_sweep.option_count; i++) {
    const cli_option *option = &cli_sweep.options[i];
    const char *value;
    for (int k = 0; fine && (value = cli_value(a, option->name, k)) != NULL; k++)
      fine = add_option(list, option->name, option->argument ? value : NULL);
  }
  return fine;
}

static int count_given(const cli_arguments *a) {
  int count = 0;
  for (int i = 0; i < cli_sweep.option_count; i++)
    for (int k = 0; cli_value(a, cli_sweep.options[i].name, k); k++) count++;
  return count;
}

static bool has_word(const picus_study_file *file, const char *option) {
  for (int k = 0; k < picus_study_file_count(file); k++)
    if (strcmp(picus_study_file_option(file, k), option) == 0) return true;
  return false;
}

/* Results without a name get that of the study: mu.lua -> mu.h5. */
static bool add_results(word_list *list, const cli_arguments *a, const picus_study_file *file) {
  const char *path = cli_operand(a, 0);
  const size_t length = strlen(path), stem = length > 4 && strcmp(path + length - 4, ".lua") == 0 ? length - 4 : length;
  for (int k = 0; cli_sweep_results[k]; k++)
    if (cli_given(a, cli_sweep_results[k]) || has_word(file, cli_sweep_results[k])) return true;
  char *name = malloc(stem + sizeof ".h5");
  if (!name) return false;
  memcpy(name, path, stem);
  memcpy(name + stem, ".h5", sizeof ".h5");
  const bool fine = add_option(list, "out", name);
  free(name);
  return fine;
}

/* The same as a command line of picus sweep; NULL: already reported. */
static cli_arguments *make_sweep(const cli_arguments *a, const picus_study_file *file, word_list *list) {
  const size_t most = (size_t)(picus_study_file_count(file) + count_given(a)) + 8;
  list->words = calloc(most, sizeof *list->words);
  list->own = calloc(most, sizeof *list->own);
  bool fine = list->words && list->own;
  if (fine) {
    add(list, "picus");
    add(list, "sweep");
    fine = add_file(list, a, file) && add_given(list, a) && add_results(list, a, file);
    add(list, "--");
    add(list, picus_study_file_model(file));
  }
  if (!fine) {
    cli_complain("out of memory");
    return NULL;
  }
  return cli_parse(&cli_sweep, list->count, list->words);
}

int cli_study_run(const cli_arguments *a) {
  picus_context *context = cli_context(true);
  picus_study_file *file = NULL;
  word_list list = {0};
  cli_arguments *sweep = NULL;
  int code = EXIT_WRONG_INPUT;
  if (!context) return EXIT_RUN_FAILED;
  cli_ranks *ranks = cli_sweep_find_ranks(a); /* may become another program, which reads the file again */
  if (!ranks)
    code = EXIT_RUN_FAILED;
  else if (picus_study_file_read(context, cli_operand(a, 0), &file))
    (void)cli_report_error(context, EXIT_WRONG_INPUT);
  else
    sweep = make_sweep(a, file, &list);
  if (sweep && cli_paths_check_arguments(sweep)) code = cli_sweep_by(sweep, ranks);
  cli_ranks_end(ranks);
  cli_arguments_free(sweep);
  for (int k = 0; k < list.own_count; k++) free(list.own[k]);
  free(list.own);
  free(list.words);
  picus_study_file_destroy(file);
  picus_context_destroy(context);
  return code;
}
