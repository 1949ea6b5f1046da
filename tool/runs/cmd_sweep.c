/* picus sweep: many runs of a model over parameters, initial states and options. */
#include "cli/paths.h"
#include "cli/run_options.h"
#include "sweep.h"

#include <stdlib.h>

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
     "keep the states of each run at an event of the model, at switching points of a law ('beak', 'beak:closes', "
     "'beak:opens', 'beak:sticks', 'beak:slips', 'beak:impact'), or where an expression is 0 ('phiS - 0.1', "
     "'phiS:rises', 'phiS:falls')",
     false},
    {"section-every", "T", "keep the states of each run at multiples of T, s: for systems with a period", false},
    {"last", "N", "the last states of each run that a section keeps; default 100", false},
    {"section-csv", "F.csv", "write the states of the section as CSV, with full precision", false},
    {"basins", "F.csv", "write the point, its varied values and the number of the attractor on which its run ends",
     false},
    {"basins-tol", "X", "largest difference of the same attractor, of the range of a number; default 1e-3", false},
    {"out", "F.h5", "write the points and their values to an HDF5 file", false},
    {"csv", "F.csv", "write them as CSV, with full precision", false},
    {"part", "I/N", "make only part I of N, for the jobs of a cluster; its runs are in the journal", false},
    {"merge", "N", "write the files from the journals of N parts, without runs", false},
    {"so-far", NULL,
     "write the files with the runs that journals have so far, without runs; the others are interrupted", false},
    {"check", "FILE.h5",
     "an earlier file of the same runs: its values must come out again, bit for bit; to collect more values", false},
    {"orders", NULL, "print the differences between successive points, and the orders of convergence, such as over dt",
     false},
    {"nice-exit-after", "TIME", "end after a time such as 3h50m with exit code 75; the journal has all runs that ended",
     false},
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

static int print_estimate(cli_sweep_job *s, picus_study *study) {
  const long count = picus_study_count(study), points[3] = {0, count / 2, count - 1};
  const int tried = count < 3 ? 1 : 3, threads = picus_context_threads(s->context);
  double seconds;
  if (picus_study_try(study, tried, points, &seconds)) return cli_report_error(s->context, EXIT_RUN_FAILED);
  const double all = seconds / tried * (double)count;
  cli_print("%ld runs, about %.3g s of one core each, %.3g s with %d threads\n", count, seconds / tried, all / threads,
            threads);
  return EXIT_DONE;
}

/* The model with the parameters of the first point. */
static int load(cli_sweep_job *s, cli_model *out) {
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

/* Everything before the first run. */
static int prepare(cli_sweep_job *s, cli_model *loaded, picus_study **study) {
  const cli_arguments *a = s->arguments;
  const bool alone = cli_ranks_count(s->ranks) == 1;
  if (!alone && !cli_given(a, "threads")) (void)picus_context_set_threads(s->context, 1); /* a process for each core */
  if ((alone || cli_given(a, "threads")) && !cli_use_threads(s->context, a)) return EXIT_WRONG_INPUT;
  if (!cli_sweep_read(s)) return EXIT_WRONG_INPUT;
  if (!alone && !*s->journal && !cli_given(a, "dry-run")) {
    cli_complain("several processes need the name of a file for the results");
    return EXIT_WRONG_INPUT;
  }
  int code = load(s, loaded);
  if (code == EXIT_DONE && !cli_paths_check_model(a, loaded->model, s->context)) code = EXIT_WRONG_INPUT;
  return code == EXIT_DONE ? cli_sweep_create(s, loaded, study) : code;
}

/* A process of a job waits until the first one is prepared: what is wrong is said once. */
static int sweep(cli_sweep_job *s) {
  const cli_arguments *a = s->arguments;
  const bool is_first = cli_ranks_number(s->ranks) == 0,
             is_for_one = cli_given(a, "dry-run") || cli_given(a, "merge") || cli_given(a, "so-far");
  cli_model loaded = {0};
  picus_study *study = NULL;
  int code = is_first ? EXIT_DONE : cli_ranks_agree(s->ranks, EXIT_DONE);
  if (is_first)
    code = cli_ranks_agree(s->ranks, prepare(s, &loaded, &study));
  else if (code == EXIT_DONE && !is_for_one)
    (void)prepare(s, &loaded, &study); /* the others hear of it */
  if (code == EXIT_DONE && is_for_one && is_first)
    code = cli_given(a, "dry-run") ? print_estimate(s, study) : cli_sweep_collect(s, study);
  else if (code == EXIT_DONE && !is_for_one)
    code = cli_sweep_run(s, study);
  picus_study_destroy(study);
  cli_unload(&loaded);
  cli_sweep_release(s);
  return code;
}

cli_ranks *cli_sweep_find_ranks(const cli_arguments *a) {
  int count;
  char **words = cli_split_words(cli_command_line(a), &count);
  cli_ranks *ranks = words ? cli_ranks_begin(words, cli_given(a, "part")) : NULL;
  free(words);
  return ranks;
}

int cli_sweep_by(const cli_arguments *a, cli_ranks *ranks) {
  picus_context *context = cli_context(true); /* notes of a run would come as often as there are runs */
  cli_sweep_job s = {.arguments = a, .context = context, .ranks = ranks};
  const int code = context ? sweep(&s) : EXIT_RUN_FAILED;
  picus_context_destroy(context);
  return code;
}

static int run(const cli_arguments *a) {
  cli_ranks *ranks = cli_sweep_find_ranks(a);
  const int code = ranks ? cli_sweep_by(a, ranks) : EXIT_RUN_FAILED;
  cli_ranks_end(ranks);
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
        "the number of threads. Started by mpirun or srun, the processes of the job share the runs.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};

/* cmd_study.c: the same options, and a file that gives the rest. */
static const char *const study_examples[] = {"picus study mu.lua",
                                             "the study of a file; results in mu.h5",
                                             "picus study mu.lua --set mu=0.2,0.3 --csv mu.csv",
                                             "with other values, and results as CSV",
                                             "picus study mu.lua --dry-run",
                                             "number of runs, and an estimate of their time",
                                             NULL};

const cli_command cli_study = {
    .name = "study",
    .operands = "FILE.lua",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "",
    .summary = "Make the runs of a study file",
    .description =
        "A study file says in Lua what 'picus sweep' is told by options: the model, what varies, what is collected.\n"
        "  study { \"woodpecker\", collect = {\"y\", \"impacts\"} }\n"
        "  set { \"mu\", from = 0.1, to = 0.5, count = 20 }\n"
        "  simulate { t_end = 0.5, dt = 1e-4 }\n"
        "Options on the command line add to the file, or replace what it says. Without --out, --csv and\n"
        "--section-csv, results are in FILE.h5. A model with a path is relative to the folder of the file.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = study_examples,
    .run = cli_study_run};
