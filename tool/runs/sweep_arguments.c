/* The command line of picus sweep: what varies, what is collected, where it goes. */
#include "base/internal.h"
#include "base/output_file.h"
#include "checkpoints.h"
#include "cli/run_options.h"
#include "sweep.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 100000000 };

void cli_sweep_release(cli_sweep_job *s) {
  for (int k = 0; s->axes && k < s->count; k++) {
    free((void *)s->axes[k].name);
    free((void *)s->axes[k].values);
  }
  free(s->axes);
  free(s->collect);
  free(s->collect_text);
  free(s->command);
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* The numbers of a text between signs; -1, already reported: one of them is none. */
static int read_numbers(cli_sweep_job *s, const char *text, char sign, int most, double *numbers) {
  char *copy = malloc(strlen(text) + 1), *word = copy;
  int count = 0;
  if (!copy) return -1;
  memcpy(copy, text, strlen(text) + 1);
  while (word && count >= 0) {
    char *next = strchr(word, sign);
    if (next) *next++ = '\0';
    const double value = count < most ? cli_number_of(s->context, word) : NAN;
    if (isnan(value)) cli_complain("'%s' in '%s' is not a number", word, text);
    if (!isnan(value)) numbers[count] = value;
    count = isnan(value) ? -1 : count + 1;
    word = next;
  }
  free(copy);
  return count;
}

/* FROM:TO:COUNT, or FROM:TO for samples. */
static bool read_range(cli_sweep_job *s, picus_study_axis *axis, const char *text) {
  double range[3] = {0};
  const int count = read_numbers(s, text, ':', 3, range);
  if (count < 2) return false;
  axis->low = range[0];
  axis->high = range[1];
  if (count == 2) return true;
  if (!(range[2] >= 2 && range[2] <= MOST_VALUES) || range[2] != floor(range[2])) {
    cli_complain("the range '%s' needs an integer of at least 2 as its number of values", text);
    return false;
  }
  axis->count = (long)range[2];
  double *values = malloc((size_t)axis->count * sizeof *values);
  axis->values = values;
  for (long k = 0; values && k < axis->count; k++)
    values[k] = range[0] + (range[1] - range[0]) * ((double)k / (double)(axis->count - 1));
  if (values) values[axis->count - 1] = range[1];
  return values != NULL;
}

static bool read_list(cli_sweep_job *s, picus_study_axis *axis, const char *text) {
  int most = 1;
  for (const char *c = text; *c; c++) most += *c == ',';
  double *values = malloc((size_t)most * sizeof *values);
  axis->values = values;
  axis->count = values ? read_numbers(s, text, ',', most, values) : -1;
  if (axis->count > 0) return true;
  axis->count = 0;
  return false;
}

/* NAME=VALUES */
static bool read_axis(cli_sweep_job *s, const char *option, picus_axis_kind kind, const char *text) {
  picus_study_axis *axis = &s->axes[s->count];
  const char *equals = strchr(text, '=');
  *axis = (picus_study_axis){.kind = kind};
  if (!equals || equals == text || !equals[1]) {
    cli_complain("--%s takes NAME=VALUE, NAME=VALUE,VALUE,... or NAME=FROM:TO:COUNT, not '%s'", option, text);
    return false;
  }
  char *name = malloc((size_t)(equals - text) + 1);
  if (!name) return false;
  memcpy(name, text, (size_t)(equals - text));
  name[equals - text] = '\0';
  axis->name = name;
  s->count++;
  return strchr(equals, ':') ? read_range(s, axis, equals + 1) : read_list(s, axis, equals + 1);
}

bool cli_sweep_read_axes(cli_sweep_job *s, int count, const cli_sweep_axis *kinds) {
  int given = 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; cli_value(s->arguments, kinds[i].option, k); k++) given++;
  s->axes = calloc((size_t)given + 1, sizeof *s->axes);
  for (int i = 0; s->axes && i < count; i++)
    for (int k = 0; cli_value(s->arguments, kinds[i].option, k); k++)
      if (!read_axis(s, kinds[i].option, kinds[i].kind, cli_value(s->arguments, kinds[i].option, k))) return false;
  s->def.axis_count = s->count;
  s->def.axes = s->axes;
  return s->axes != NULL;
}

/* Words between blanks and commas, but not those in brackets. */
bool cli_sweep_read_collect(cli_sweep_job *s) {
  const char *given = cli_value(s->arguments, "collect", 0);
  int depth = 0, count = 0;
  bool inside = false;
  if (!given) return true;
  s->collect_text = malloc(strlen(given) + 1);
  s->collect = calloc(strlen(given) + 1, sizeof *s->collect);
  if (!s->collect_text || !s->collect) return false;
  memcpy(s->collect_text, given, strlen(given) + 1);
  for (char *c = s->collect_text; *c; c++) {
    depth += (*c == '(') - (*c == ')');
    const bool ends = depth == 0 && strchr(" ,\t\n", *c) != NULL;
    if (ends) *c = '\0';
    if (!ends && !inside) s->collect[count++] = c;
    inside = !ends;
  }
  s->def.collect = s->collect;
  s->def.collect_count = count;
  return true;
}

static bool read_part(cli_sweep_job *s) {
  const char *text = cli_value(s->arguments, "part", 0);
  char *end;
  if (!text) return true;
  s->part = strtol(text, &end, 10);
  if (*end == '/') s->part_count = strtol(end + 1, &end, 10);
  if (*end == '\0' && s->part >= 1 && s->part_count <= INT_MAX && s->part <= s->part_count) return true;
  cli_complain("--part takes I/N with I from 1 to N, not '%s'", text);
  return false;
}

static const char *sampling_at(int k) { return picus_sampling_name(k); }

static bool read_sampling(cli_sweep_job *s) {
  const char *words[8] = {NULL};
  static const char *const ways[] = {"forth", "forth-and-back", NULL};
  int sampling = PICUS_SAMPLING_GRID, way = -1;
  long seed = 0;
  for (int k = 0; k < 7 && sampling_at(k); k++) words[k] = sampling_at(k);
  s->def.samples = 0;
  if (!cli_read_word(s->arguments, "sampling", words, &sampling) ||
      !cli_read_word(s->arguments, "continue", ways, &way) || !cli_integer(s->arguments, "samples", &s->def.samples) ||
      !cli_integer(s->arguments, "seed", &seed))
    return false;
  s->def.sampling = (picus_sampling)sampling;
  s->def.seed = (uint64_t)seed;
  s->def.continuation = (picus_continuation)(way + 1);
  if ((sampling >= PICUS_SAMPLING_RANDOM) == cli_given(s->arguments, "samples")) return true;
  cli_complain(sampling >= PICUS_SAMPLING_RANDOM ? "--sampling %s needs --samples N"
                                                 : "--samples needs --sampling random, latin or sobol, not %s",
               words[sampling]);
  return false;
}

const char *const cli_sweep_results[] = {"out", "csv", "section-csv", "basins", NULL};

/* The file of results after which the journal is named; "": there are none. */
static const char *results_of(const cli_arguments *a) {
  for (int k = 0; cli_sweep_results[k]; k++)
    if (cli_given(a, cli_sweep_results[k])) return cli_value(a, cli_sweep_results[k], 0);
  return "";
}

bool cli_sweep_journal_of_part(const cli_sweep_job *s, long part, long part_count, char name[PICUS_PATH_SIZE]) {
  const int length = snprintf(name, PICUS_PATH_SIZE, "%s.%ld-of-%ld", s->journal, part, part_count);
  return length > 0 && length < PICUS_PATH_SIZE;
}

/* The states that each run keeps. */
static bool read_section(cli_sweep_job *s) {
  const cli_arguments *a = s->arguments;
  s->def.section = cli_value(a, "section", 0);
  if (!cli_integer(a, "last", &s->def.section_last)) return false;
  if (cli_given(a, "section-every")) {
    s->def.section_period = cli_number_of(s->context, cli_value(a, "section-every", 0));
    if (!(s->def.section_period > 0)) {
      cli_complain("--section-every takes a time above 0, not '%s'", cli_value(a, "section-every", 0));
      return false;
    }
  }
  if (s->def.section || cli_given(a, "section-every") || (!cli_given(a, "last") && !cli_given(a, "section-csv")))
    return true;
  cli_complain("--last and --section-csv need --section NAME or --section-every T");
  return false;
}

/* Results must not have the name of a journal. */
static bool check_result_name(const cli_arguments *a, const char *option) {
  const char *path = cli_value(a, option, 0), *slash = path ? strrchr(path, '/') : NULL;
  if (!path || !strstr(slash ? slash : path, ".journal")) return true;
  cli_complain("--%s %s: names with .journal are kept for the journals of studies; choose another name", option, path);
  return false;
}

bool cli_sweep_read(cli_sweep_job *s) {
  static const cli_sweep_axis axes[] = {
      {"set", PICUS_AXIS_PARAMETER}, {"start", PICUS_AXIS_START}, {"vary", PICUS_AXIS_OPTION}};
  const cli_arguments *a = s->arguments;
  s->def = picus_default_study_def();
  for (int k = 0; cli_sweep_results[k]; k++)
    if (!check_result_name(a, cli_sweep_results[k])) return false;
  if (!cli_sweep_read_axes(s, 3, axes) || !cli_sweep_read_collect(s) || !read_sampling(s) || !read_section(s) ||
      !read_part(s) || !cli_integer(a, "merge", &s->merge) || !cli_read_exit_time(a, &s->exit_after) ||
      !cli_sweep_make_command(s))
    return false;
  if (cli_given(a, "sample") || cli_given(a, "every")) {
    cli_complain("a sweep stores no rows: it has no --sample and --every, but --collect");
    return false;
  }
  if (!*results_of(a) && !cli_given(a, "dry-run")) {
    cli_complain("a sweep needs --out FILE.h5 or --csv FILE.csv for its results");
    return false;
  }
  if (cli_given(a, "merge") && (s->merge < 1 || s->part_count)) {
    cli_complain("--merge takes the number of parts, and no --part");
    return false;
  }
  if (cli_given(a, "so-far") && (s->part_count || s->merge)) {
    cli_complain("--so-far reads all journals of the study; it has no --part and --merge");
    return false;
  }
  if (cli_given(a, "dry-run")) return true;
  if (!cli_given(a, "out") && picus_output_is_direct(results_of(a))) {
    if (!s->part_count && !s->merge && !cli_given(a, "so-far")) return true; /* without a journal */
    cli_complain("--part, --merge and --so-far need the name of a file for the results");
    return false;
  }
  const int length = snprintf(s->journal, sizeof s->journal, "%s.journal", results_of(a));
  if (length > 0 && length < (int)sizeof s->journal) return true;
  cli_complain("the name of the results is too long");
  return false;
}

/* --- the command of one run --------------------------------------------------------------------------------------- */

/* The command of a run of a sweep, without what varies: files of studies keep it. */

/* Options that picus run and picus sweep share, but that are of a study, or change no number. */
static bool is_of_study(const char *option) {
  static const char *const others[] = {"set", "start", "out", "csv", "collect", "threads", "quiet", "nice-exit-after"};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    if (strcmp(others[k], option) == 0) return true;
  return false;
}

/* Does the axis of an option vary it? t_end: --t-end */
static bool is_varied(const cli_sweep_job *s, const char *option) {
  for (int k = 0; k < s->count; k++) {
    const char *name = s->axes[k].name;
    if (s->axes[k].kind != PICUS_AXIS_OPTION || strlen(name) != strlen(option)) continue;
    size_t i = 0;
    while (name[i] && (name[i] == option[i] || (name[i] == '_' && option[i] == '-'))) i++;
    if (!name[i]) return true;
  }
  return false;
}

bool cli_sweep_make_command(cli_sweep_job *s) {
  const cli_arguments *a = s->arguments;
  const char **words = calloc(2 * (size_t)cli_run.option_count + 4, sizeof *words);
  char **names = calloc((size_t)cli_run.option_count + 1, sizeof *names);
  int count = 0, named = 0;
  bool fine = words && names;
  if (fine) {
    words[count++] = "picus";
    words[count++] = "run";
    words[count++] = cli_operand(a, 0);
  }
  for (int k = 0; fine && k < cli_run.option_count; k++) {
    const cli_option *option = &cli_run.options[k];
    const char *value = cli_value(a, option->name, 0);
    if (!value || is_of_study(option->name) || is_varied(s, option->name)) continue;
    const size_t size = strlen(option->name) + 3;
    char *name = names[named++] = malloc(size);
    fine = name != NULL;
    if (!fine) break;
    snprintf(name, size, "--%s", option->name);
    words[count++] = name;
    if (option->argument) words[count++] = value;
  }
  s->command = fine ? cli_join_words(count, words) : NULL;
  while (named > 0) free(names[--named]);
  free(names);
  free((void *)words);
  if (!s->command) cli_complain("out of memory");
  return s->command != NULL;
}
