/* picus reference: a solution of known accuracy. */
#include "cli/paths.h"
#include "cli/run_options.h"

#include <math.h>

static const cli_option options[] = {
    {"accuracy", "X", "requested accuracy, relative to the range of each column; default 1e-10", false},
    {"t-end", "X", "end of the run in s", false},
    {"sample", "X", "time between rows in s; default: the model's, or a thousandth of the run", false},
    {"scheme", "NAME", "base scheme; default: rattle, or the scheme of a model with adaptive runs", false},
    {"solver", "NAME", "contact solver; default: the model's, or auto", false},
    CLI_LOAD_OPTIONS,
    CLI_NATIVE_OPTION,
    {"dt-max", "X", "largest step size in s of the first attempt; default: the model's, or from its time scales",
     false},
    {"restitution", "NAME", "when e acts: impacts (default), always, or modified as e^(dt / dt_min)", false},
    {"work", "N", "limit of base steps, all attempts together; default 20000000", false},
    {"out", "F.h5", "write the solution to an HDF5 file", false},
    CLI_THREADS_OPTION,
    {"quiet", NULL, "no progress bar, no notes, no table", false},
};

static const char *const examples[] = {
    "picus reference woodpecker --accuracy 1e-8 --sample 1e-3 --out woodpecker-ref.h5",
    "one second of the woodpecker toy to eight digits", "picus reference slope --accuracy 1e-9 --scheme moreau",
    "another base scheme", NULL};

typedef struct watcher {
  const char *name;
  bool quiet;
  int attempt;
  double t_start;
  char title[96];
  cli_progress progress;
} watcher;

static int show_progress(void *user, int attempt, double t, double t_end, long steps) {
  watcher *w = user;
  if (attempt != w->attempt) {
    w->attempt = attempt;
    snprintf(w->title, sizeof w->title, "%.60s, attempt %d", w->name, attempt);
    cli_progress_begin(&w->progress, w->title, w->quiet, w->t_start);
  }
  return cli_progress_update(&w->progress, t, t_end, steps);
}

static void show_attempt(void *user, int attempt, const picus_reference_attempt *is) {
  watcher *w = user;
  cli_progress_end(&w->progress);
  if (w->quiet) return;
  cli_print("%7d %10.2g %10.2g %10.2g %6d %12ld %9.3g %10ld ", attempt, is->dt_min, is->dt_max, is->tolerance,
            is->order_max, is->summary.adaptive.base_steps, is->summary.seconds, is->switchings);
  if (isnan(is->difference))
    cli_print("%12s", "-");
  else
    cli_print("%12.2g  %s", is->difference, is->worst);
  if (is->unlike) cli_print("; %ld switching points without counterpart", is->unlike);
  cli_print("\n");
  fflush(stdout);
}

static bool read_options(const cli_arguments *a, picus_sim_options *o, picus_reference_options *r) {
  r->path = cli_value(a, "out", 0);
  return cli_read_run_options(a, o) && cli_number(a, "accuracy", &r->accuracy) && cli_integer(a, "work", &r->work_most);
}

static void print_head(const picus_model *model, const picus_sim_options *o, double accuracy) {
  cli_print("%s: reference to t = %.9g s, scheme %s, requested accuracy %g\n", picus_model_name(model), o->t_end,
            o->scheme, accuracy);
  cli_print("%7s %10s %10s %10s %6s %12s %9s %10s %12s\n", "attempt", "dt_min", "dt_max", "tolerance", "order",
            "base steps", "seconds", "switchings", "difference");
}

static void print_outcome(const picus_reference_report *r, const char *path) {
  if (r->best < 0) return;
  const picus_reference_attempt *best = &r->attempts[r->best];
  if (isfinite(r->accuracy))
    cli_print("attempt %d: estimated error %.2g of the range of each column; switching times agree to %.2g s\n",
              r->best + 1, r->accuracy, best->time_difference);
  cli_print("%ld base steps in all attempts\n", r->base_steps);
  if (path)
    cli_print("attempt %d is stored in %s\n", r->best + 1, path);
  else
    cli_print("the solution is not stored; use --out FILE.h5\n");
}

static int search(picus_context *context, const cli_arguments *a, const cli_model *loaded) {
  picus_sim_options o = picus_model_sim_options(loaded->model);
  picus_reference_options r = picus_default_reference_options();
  if (!read_options(a, &o, &r)) return EXIT_WRONG_INPUT;
  cli_choose_base(context, a, loaded, &o);
  bool quiet = cli_given(a, "quiet");
  watcher w = {.name = picus_model_name(loaded->model), .quiet = quiet, .t_start = o.t_start};
  picus_run_description run = {
      .model = loaded->model, .system = loaded->system, .options = &o, .command = cli_command_line(a)};
  r.progress = show_progress;
  r.attempted = show_attempt;
  r.user = &w;
  picus_reference_report report;
  if (!quiet) print_head(loaded->model, &o, r.accuracy);
  cli_catch_interrupts();
  picus_status status = picus_reference_search(context, &run, &r, &report);
  cli_progress_end(&w.progress);
  if (status) {
    fflush(stdout);
    cli_report_error(context, EXIT_RUN_FAILED);
  }
  if (!quiet) print_outcome(&report, r.path);
  if (!status) return EXIT_DONE;
  return report.attempt_count == 0 && status < 0 ? EXIT_WRONG_INPUT : EXIT_RUN_FAILED;
}

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(cli_given(a, "quiet"));
  if (!context) return EXIT_RUN_FAILED;
  cli_model loaded = {0};
  int code = cli_use_threads(context, a) ? cli_load(context, a, &loaded) : EXIT_WRONG_INPUT;
  if (code == EXIT_DONE && !cli_paths_check_model(a, loaded.model, context)) code = EXIT_WRONG_INPUT;
  if (code == EXIT_DONE) code = search(context, a, &loaded);
  cli_unload(&loaded);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_reference = {
    .name = "reference",
    .operands = "MODEL",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "model",
    .summary = "Compute a solution of known accuracy",
    .description =
        "Repeats an adaptive run with smaller dt_min and tolerance until two runs agree to the requested accuracy: in\n"
        "each coordinate and velocity relative to the range of its values, and in the switching times relative to the\n"
        "duration. It estimates the error and stores the best run, with its switching points, as a result for\n"
        "'picus compare' and 'picus run --against'. If the accuracy cannot be reached (because of round-off, a motion\n"
        "that amplifies it or is not unique, or too much work), it reports the reason and exits with 1; the best run\n"
        "is still stored.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
