/* picus sweep: many runs of a model over parameters, initial states and options. */
#include "base/file_names.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "paths.h"
#include "run_options.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"set", "NAME=VALUES", "vary a parameter of the model, or the initial value of an input", true},
    {"start", "NAME=VALUES", "vary the initial value of a coordinate or a velocity", true},
    {"vary", "NAME=VALUES", "vary a run option that is a number, such as dt, rtol or t_end", true},
    {"sampling", "NAME", "points: grid (default), list, random, latin or sobol", false},
    {"samples", "N", "number of random, latin or sobol points", false},
    {"seed", "N", "seed of random and latin points; default 0", false},
    {"continue", "NAME", "start each run where the one before ended: forth, or forth-and-back for hysteresis", false},
    {"collect", "LIST",
     "values of each run, such as 'y max(phiM) mean(E.kin) impacts'; default: the last coordinates and velocities",
     false},
    {"section", "NAME",
     "keep the states of each run at an event of the model, or at switching points of a law: 'beak', 'beak:closes', "
     "'beak:opens', 'beak:sticks', 'beak:slips', 'beak:impact'",
     false},
    {"section-every", "T", "keep the states of each run at multiples of T, s: for systems with a period", false},
    {"last", "N", "the last states of each run that a section keeps; default 100", false},
    {"section-csv", "F.csv", "write the states of the section as CSV, with full precision", false},
    {"out", "F.h5", "write the points and their values to an HDF5 file", false},
    {"csv", "F.csv", "write them as CSV, with full precision", false},
    {"part", "I/N", "make only part I of N, for the jobs of a cluster; its runs are in the journal", false},
    {"merge", "N", "write the files from the journals of N parts, without runs", false},
    {"dry-run", NULL, "make three runs, print the number of runs and an estimate of their time", false},
    PICUS_RUN_OPTIONS(CLI_RUN_OPTION) CLI_LIMIT_OPTIONS,
    CLI_NATIVE_OPTION,
    {"fixed", NULL, "fixed step size dt, even if the model is adaptive", false},
    {"threads", "N", "runs at the same time; the results do not depend on it; default: all cores", false},
    {"quiet", NULL, "no progress bar, no summary", false},
};

static const char *const examples[] = {
    "picus sweep woodpecker --set mu=0.1:0.5:200 --t-end 1 --collect 'y impacts' --out mu.h5",
    "200 friction coefficients",
    "picus sweep bouncing-ball --set e=0.5,0.8 --start y=1:2:11 --collect 'max(y) impacts' --csv ball.csv",
    "22 combinations of two coefficients and eleven heights",
    "picus sweep woodpecker --set mu=0.1:0.5 --set eN=0:0.5 --sampling sobol --samples 1024 --out s.h5",
    "1024 points of Sobol's sequence",
    "picus sweep woodpecker --set mu=0.2:0.4:100 --t-end 5 --section beak:impact --section-csv beak.csv",
    "a bifurcation diagram: picus plot beak.csv --x mu phiS --dots",
    NULL};

enum { MOST_VALUES = 100000000 };

/* What the command line varies. */
typedef struct sweep {
  const cli_arguments *arguments;
  picus_context *context;
  int count;
  picus_study_axis *axes; /* names and values are its own */
  char *collect_text;     /* a copy, cut into words */
  const char **collect;
  picus_study_def def;
  long part, part_count, merge;
  char journal[PICUS_PATH_SIZE];
} sweep;

static void release(sweep *s) {
  for (int k = 0; s->axes && k < s->count; k++) {
    free((void *)s->axes[k].name);
    free((void *)s->axes[k].values);
  }
  free(s->axes);
  free(s->collect);
  free(s->collect_text);
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* The numbers of a text between signs; -1, already reported: one of them is none. */
static int read_numbers(sweep *s, const char *text, char sign, int most, double *numbers) {
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
static bool read_range(sweep *s, picus_study_axis *axis, const char *text) {
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

static bool read_list(sweep *s, picus_study_axis *axis, const char *text) {
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
static bool read_axis(sweep *s, const char *option, picus_axis_kind kind, const char *text) {
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

static bool read_axes(sweep *s) {
  static const struct {
    const char *option;
    picus_axis_kind kind;
  } kinds[] = {{"set", PICUS_AXIS_PARAMETER}, {"start", PICUS_AXIS_START}, {"vary", PICUS_AXIS_OPTION}};
  int given = 0;
  for (size_t i = 0; i < 3; i++)
    for (int k = 0; cli_value(s->arguments, kinds[i].option, k); k++) given++;
  s->axes = calloc((size_t)given + 1, sizeof *s->axes);
  for (size_t i = 0; s->axes && i < 3; i++)
    for (int k = 0; cli_value(s->arguments, kinds[i].option, k); k++)
      if (!read_axis(s, kinds[i].option, kinds[i].kind, cli_value(s->arguments, kinds[i].option, k))) return false;
  return s->axes != NULL;
}

/* Words between blanks and commas, but not those in brackets. */
static bool read_collect(sweep *s) {
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

static bool read_part(sweep *s) {
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

static bool read_sampling(sweep *s) {
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

static const char *const result_options[] = {"out", "csv", "section-csv"};
enum { RESULT_OPTIONS = sizeof result_options / sizeof *result_options };

/* The file of results after which the journal is named; "": there are none. */
static const char *results_of(const cli_arguments *a) {
  for (int k = 0; k < RESULT_OPTIONS; k++)
    if (cli_given(a, result_options[k])) return cli_value(a, result_options[k], 0);
  return "";
}

/* The journal is next to the results: NAME.journal, of a part NAME.journal.I-of-N. */
static bool journal_name(const sweep *s, long part, long part_count, char name[PICUS_PATH_SIZE]) {
  const char *path = results_of(s->arguments);
  const int length = part_count ? snprintf(name, PICUS_PATH_SIZE, "%s.journal.%ld-of-%ld", path, part, part_count)
                                : snprintf(name, PICUS_PATH_SIZE, "%s.journal", path);
  return length > 0 && length < PICUS_PATH_SIZE;
}

/* The states that each run keeps. */
static bool read_section(sweep *s) {
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

static bool read_arguments(sweep *s) {
  const cli_arguments *a = s->arguments;
  s->def = picus_default_study_def();
  for (int k = 0; k < RESULT_OPTIONS; k++)
    if (!check_result_name(a, result_options[k])) return false;
  if (!read_axes(s) || !read_collect(s) || !read_sampling(s) || !read_section(s) || !read_part(s) ||
      !cli_integer(a, "merge", &s->merge))
    return false;
  s->def.axis_count = s->count;
  s->def.axes = s->axes;
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
  if (cli_given(a, "dry-run")) return true;
  if (!cli_given(a, "out") && picus_output_is_direct(results_of(a))) {
    if (!s->part_count && !s->merge) return true; /* without a journal */
    cli_complain("--part and --merge need the name of a file for the results");
    return false;
  }
  if (journal_name(s, s->part, s->part_count, s->journal)) return true;
  cli_complain("the name of the results is too long");
  return false;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

typedef struct watcher {
  cli_progress progress;
} watcher;

static int show(void *user, long done, long count) {
  watcher *w = user;
  char text[64];
  snprintf(text, sizeof text, "%ld of %ld runs", done, count);
  cli_progress_show(&w->progress, (double)done / (double)count, text);
  return cli_interrupted(NULL);
}

static long count_failed(const picus_study *study) {
  long failed = 0;
  for (long k = 0; k < picus_study_count(study); k++) {
    const picus_study_row row = picus_study_row_at(study, k);
    failed += row.is_done && row.status;
  }
  return failed;
}

static int print_estimate(sweep *s, picus_study *study) {
  const long count = picus_study_count(study), points[3] = {0, count / 2, count - 1};
  const int tried = count < 3 ? 1 : 3, threads = picus_context_threads(s->context);
  double seconds;
  if (picus_study_try(study, tried, points, &seconds)) return cli_report_error(s->context, EXIT_RUN_FAILED);
  const double all = seconds / tried * (double)count;
  cli_print("%ld runs, about %.3g s of one core each, %.3g s with %d threads\n", count, seconds / tried, all / threads,
            threads);
  return EXIT_DONE;
}

static int write_files(sweep *s, const picus_study *study) {
  const cli_arguments *a = s->arguments;
  picus_status status = PICUS_OK;
  if (cli_given(a, "out")) status = picus_study_write_hdf5(study, cli_value(a, "out", 0));
  if (!status && cli_given(a, "csv")) status = picus_study_write_csv(study, cli_value(a, "csv", 0));
  if (!status && cli_given(a, "section-csv"))
    status = picus_study_write_section_csv(study, cli_value(a, "section-csv", 0));
  return status ? cli_report_error(s->context, EXIT_RUN_FAILED) : EXIT_DONE;
}

static void print_end(const sweep *s, const picus_study *study, long before) {
  const cli_arguments *a = s->arguments;
  const long failed = count_failed(study), done = picus_study_done(study);
  if (cli_given(a, "quiet")) return;
  cli_print("%s: %ld of %ld runs", cli_operand(a, 0), done, picus_study_count(study));
  if (before) cli_print(", %ld of them from the journal", before);
  if (failed) cli_print(", %ld failed: see their messages", failed);
  cli_print("\n");
  if (s->part_count) cli_print("part %ld of %ld is in %s\n", s->part, s->part_count, s->journal);
  for (int k = 0; !s->part_count && *s->journal && k < RESULT_OPTIONS; k++)
    if (cli_given(a, result_options[k])) cli_print("results in %s\n", cli_value(a, result_options[k], 0));
}

/* --merge: the runs of all parts, which must be complete. */
static int merge(sweep *s, picus_study *study) {
  char name[PICUS_PATH_SIZE];
  for (long part = 1; part <= s->merge; part++)
    if (!journal_name(s, part, s->merge, name) || picus_study_read_journal(study, name))
      return cli_report_error(s->context, EXIT_WRONG_INPUT);
  const long missing = picus_study_count(study) - picus_study_done(study);
  for (long k = 0; missing && k < picus_study_count(study); k++) {
    if (picus_study_row_at(study, k).is_done) continue;
    cli_complain("%ld of %ld runs are missing; complete --part %ld/%ld first", missing, picus_study_count(study),
                 (long)picus_study_part_of(study, k, (int)s->merge), s->merge);
    return EXIT_RUN_FAILED;
  }
  const int code = write_files(s, study);
  if (code == EXIT_DONE) print_end(s, study, 0);
  return code;
}

static int make_runs(sweep *s, picus_study *study) {
  watcher w;
  const char *journal = *s->journal ? s->journal : NULL;
  picus_status status = journal ? picus_study_read_journal(study, journal) : PICUS_OK;
  const long before = picus_study_done(study);
  const picus_study_run_options run = {
      .journal = journal, .part = (int)s->part, .part_count = (int)s->part_count, .progress = show, .user = &w};
  cli_catch_interrupts();
  cli_progress_begin(&w.progress, cli_operand(s->arguments, 0), cli_given(s->arguments, "quiet"), 0);
  if (!status) status = picus_study_run(study, &run);
  cli_progress_end(&w.progress);
  if (status) {
    cli_report_error(s->context, EXIT_RUN_FAILED);
    if (status == PICUS_INTERRUPTED && journal)
      cli_complain("%ld of %ld runs are in '%s'; the same command goes on with the others", picus_study_done(study),
                   picus_study_count(study), s->journal);
    return status == PICUS_ERROR_IO || status == PICUS_ERROR_ARGUMENT ? EXIT_WRONG_INPUT : EXIT_RUN_FAILED;
  }
  int code = s->part_count ? EXIT_DONE : write_files(s, study);
  if (code == EXIT_DONE && !s->part_count && journal && picus_study_remove_journal(study, journal))
    code = cli_report_error(s->context, EXIT_RUN_FAILED);
  if (code == EXIT_DONE) print_end(s, study, before);
  return code;
}

static int study_model(sweep *s, const cli_model *loaded) {
  const cli_arguments *a = s->arguments;
  picus_sim_options o = picus_model_sim_options(loaded->model);
  picus_study *study;
  if (!cli_choose_adaptive(a, &o) || !cli_read_run_options(a, &o)) return EXIT_WRONG_INPUT;
  if (o.adaptive) cli_choose_base(s->context, a, loaded, &o);
  cli_keep_heeded(s->context, a, loaded->model, &o);
  picus_study_def def = s->def;
  def.model = loaded->model;
  def.system = loaded->system;
  def.options = &o;
  if (picus_study_create(s->context, &def, &study)) return cli_report_error(s->context, EXIT_WRONG_INPUT);
  const int code = cli_given(a, "dry-run") ? print_estimate(s, study)
                   : s->merge              ? merge(s, study)
                                           : make_runs(s, study);
  picus_study_destroy(study);
  return code;
}

/* The model with the parameters of the first point. */
static int load(sweep *s, cli_model *out) {
  picus_override *overrides = calloc((size_t)s->count + 1, sizeof *overrides);
  int count = 0;
  if (!overrides) return EXIT_RUN_FAILED;
  for (int k = 0; k < s->count; k++)
    if (s->axes[k].kind == PICUS_AXIS_PARAMETER)
      overrides[count++] = (picus_override){s->axes[k].name, s->axes[k].count ? s->axes[k].values[0] : s->axes[k].low};
  const int code = cli_load_with(s->context, s->arguments, NULL, count, overrides, out);
  free(overrides);
  return code;
}

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(true); /* notes of a run would come as often as there are runs */
  sweep s = {.arguments = a, .context = context};
  cli_model loaded = {0};
  if (!context) return EXIT_RUN_FAILED;
  int code = cli_use_threads(context, a) && read_arguments(&s) ? EXIT_DONE : EXIT_WRONG_INPUT;
  if (code == EXIT_DONE) code = load(&s, &loaded);
  if (code == EXIT_DONE && !cli_paths_check_model(a, loaded.model, context)) code = EXIT_WRONG_INPUT;
  if (code == EXIT_DONE) code = study_model(&s, &loaded);
  cli_unload(&loaded);
  release(&s);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_sweep = {
    .name = "sweep",
    .operands = "MODEL",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "model",
    .summary = "Make many runs over parameters, initial states and options",
    .description =
        "VALUES are a number, a list 0.1,0.2,0.5, a range FROM:TO:COUNT, or FROM:TO for samples. All combinations are\n"
        "run (--sampling grid), or the k-th values of all lists together (list), or samples of the ranges. A column "
        "of\n"
        "--collect is its last value; min(NAME), max(NAME) and mean(NAME) are taken over all steps; totals are steps,\n"
        "contact_steps, impacts, chatter, model_events, iterations, worst_residual, penetration, dissipated, driven\n"
        "and work. Each run that ends is added to the journal F.h5.journal, so that after an interruption the same\n"
        "command makes only the missing runs. A run that fails is a row with its message. The files do not depend on\n"
        "the number of threads.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
