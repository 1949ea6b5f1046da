/* picus run: simulate a model, record it and print a summary. */
#include "base/file_names.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "checkpoints.h"
#include "cli/cli.h"
#include "cli/paths.h"
#include "cli/run_options.h"
#include "cli/saved_text.h"
#include "run_parts.h"

#include <stdlib.h>
#include <string.h>

static void write_decision(void *user, const picus_decision *d) {
  fprintf(user, "%.17g,%.9g,%d,%s,%d,%.6g,%ld,%.17g,%.17g,%.17g,%.9g\n", d->t, d->dt, (int)d->kind,
          picus_decision_name((int)d->kind), d->order, d->error, d->base_steps, d->t_accepted, d->t_previous,
          d->t_no_increase, d->dt_next);
}

/* --decisions: what an adaptive run tried and what it decided, as CSV. It is not open if that is not given. false:
 * already reported.
 */
static bool decisions_begin(const cli_arguments *arguments, picus_context *context, picus_sim *sim,
                            cli_growing_text *text) {
  const char *path = cli_value(arguments, "decisions", 0);
  *text = (cli_growing_text){.stream = NULL};
  if (!path) return true;
  if (!cli_growing_text_open(context, path, text)) return false;
  fputs("t (s),dt (s),kind,decision,order,error,base_steps,t_accepted (s),t_previous (s),t_no_increase (s),"
        "dt_next (s)\n",
        text->stream);
  picus_sim_watch_decisions(sim, write_decision, text->stream);
  return true;
}

static const cli_option options[] = {
    PICUS_RUN_OPTIONS(CLI_RUN_OPTION) CLI_LOAD_OPTIONS,
    CLI_NATIVE_OPTION,
    {"out", "F.h5", "write the results to an HDF5 file", false},
    {"csv", "F.csv", "write the results as CSV, with full precision; - is standard output", false},
    {"events", "F.csv", "write the switching points of all laws as CSV; the HDF5 file always contains them", false},
    {"event-limit", "N",
     "switching points of contacts that come and go to keep in the event log, 0 for none, -1 for all; default 1000000",
     false},
    {"contacts", "F.csv", "write contacts that come and go as CSV; the HDF5 file always contains them", false},
    {"start", "RESULT.h5@T",
     "start from the state of a result, by names: from its last row up to the time T, or from its last row without @T; "
     "or NAME=VALUE: the initial value of a coordinate or a velocity",
     true},
    {"json", NULL, "print one line of values for other programs, and write no files", false},
    {"collect", "LIST", "values of --json, as in picus sweep; default: the last coordinates and velocities", false},
    {"against", "REF.h5", "compare the results with a reference; needs --out", false},
    {"view", "F.html", "write a page that shows the motion, as picus view does; needs --out", false},
    {"checkpoint", "EVERY",
     "save a checkpoint in F.h5.checkpoint every 60 (s), 5m, 2h, 1000steps, or 0.5t (s of the motion); needs --out",
     false},
    {"checkpoint-keep", "N", "keep the last N checkpoints, as F.h5.checkpoint.1, .2, ..., to go back to; default 1",
     false},
    {"nice-exit-after", "TIME", "end after a time such as 3h50m with a checkpoint and exit code 75; needs --out",
     false},
    {"progress-file", "F", "write how far the run is to a small file (JSON), about once a second", false},
    {"columns", "LIST", "record the columns whose names match, such as 'y phiM beak.*', and the time; default: all",
     false},
    {"precision", "NAME", "of numbers in files: double (default), or single, which takes half of the space", false},
    {"uncompressed", NULL, "HDF5 without compression: twice the space, half of the time for a row", false},
    {"fixed", NULL, "fixed step size dt, even if the model is adaptive", false},
    {"decisions", "F.csv", "adaptive: write every attempted step and the decision about it as CSV", false},
    {"sensitivity", "LIST",
     "adaptive: follow the motion with its derivatives by parameters, or by initial values of coordinates and "
     "velocities, such as 'mu,eN,phiS': columns dx_dmu",
     false},
    {"dump-worst", "DIR", "write the hardest contact problems of the run to files in DIR", false},
    {"worst", "N", "number of problems for --dump-worst; default 3", false},
    CLI_THREADS_OPTION,
    {"quiet", NULL, "no progress bar, no notes, no summary", false},
};

static const char *const examples[] = {
    "picus run woodpecker --out woodpecker.h5",
    "the woodpecker toy with the defaults of its model",
    "picus run bouncing-ball --set e=0.8 --dt 1e-3 --csv ball.csv",
    "another coefficient of restitution and step size, results as CSV",
    "picus run my-model.lua --sample 0.01 --out my-model.h5",
    "a custom model, one row every 10 ms",
    "picus run woodpecker --adaptive --dt-min 1e-11 --atol 1e-11 --rtol 1e-11",
    "switching points resolved; large steps of high order in between",
    "picus run woodpecker --start woodpecker.h5@0.2 --set mM=4e-4 --out other.h5",
    "from a state of another run, with another mass",
    "picus run woodpecker --set mu=0.35 --t-end 1 --json --collect 'y impacts'",
    "one line for programs that vary parameters",
    "picus run woodpecker --dump-worst hard",
    "store the hardest contact problems for picus solve",
    "picus run woodpecker --sensitivity mu,eN1 --t-end 0.3 --sample 0.01 --csv d.csv",
    "the motion with its derivatives by two parameters",
    NULL};

/* Pairs of options of which one replaces the other, and options that need another one. */
static bool check_together(const cli_arguments *a, const picus_sim_options *o) {
  static const struct { const char *one, *other; } pairs[] = {{"every", "sample"}, {"order", "order-max"}};
  static const struct {
    const char *name, *file;
  } needs_out[] = {{"against", "the file to compare"}, {"view", "the file with the motion"}};
  for (size_t k = 0; k < 2; k++)
    if (cli_given(a, pairs[k].one) && cli_given(a, pairs[k].other)) {
      cli_complain("--%s and --%s exclude each other", pairs[k].one, pairs[k].other);
      return false;
    }
  for (size_t k = 0; k < 2; k++)
    if (cli_given(a, needs_out[k].name) && !cli_given(a, "out")) {
      cli_complain("--%s needs --out FILE.h5, %s", needs_out[k].name, needs_out[k].file);
      return false;
    }
  if (!cli_given(a, "decisions") || o->adaptive) return true;
  cli_complain("--decisions needs an adaptive run: give --adaptive");
  return false;
}

static bool check_storage(const cli_arguments *a) {
  static const char *const names[] = {"columns", "precision", "uncompressed"};
  static const char *const precisions[] = {"double", "single", NULL};
  int precision = 0;
  const bool has_rows = cli_given(a, "out") || cli_given(a, "csv");
  for (int k = 0; k < 3; k++) {
    if (!cli_given(a, names[k]) || cli_given(a, "out") || (has_rows && k < 2)) continue;
    cli_complain("--%s needs --out FILE.h5%s, the file with the rows", names[k], k < 2 ? " or --csv FILE.csv" : "");
    return false;
  }
  return cli_read_word(a, "precision", precisions, &precision);
}

static bool read_options(const cli_arguments *a, picus_sim_options *o) {
  long events = 0; /* make_recorder takes it */
  return cli_choose_adaptive(a, o) && check_together(a, o) && cli_read_run_options(a, o) &&
         cli_integer(a, "event-limit", &events) && check_storage(a);
}

static bool keeps_results(const cli_arguments *a) {
  return cli_given(a, "out") || cli_given(a, "csv") || cli_given(a, "events") || cli_given(a, "contacts");
}

/* What files have of each row, and how. */
static picus_status choose_storage(const cli_arguments *a, picus_recorder *recorder) {
  const bool is_single = cli_given(a, "precision") && strcmp(cli_value(a, "precision", 0), "single") == 0;
  picus_status status =
      cli_given(a, "columns") ? picus_recorder_select(recorder, cli_value(a, "columns", 0)) : PICUS_OK;
  if (!status) status = picus_recorder_set_single(recorder, is_single);
  return status ? status : picus_recorder_set_compressed(recorder, !cli_given(a, "uncompressed"));
}

/* A recorder for the requested files, or without one for the sums by pair; *out stays NULL if there is no need. */
static picus_status make_recorder(picus_context *context, const cli_arguments *a, const picus_run_description *run,
                                  picus_recorder **out) {
  *out = NULL;
  const bool sums = run->options && run->options->pairs != PICUS_PAIRS_NONE && picus_system_laws_appear(run->system);
  if (!keeps_results(a) && !sums) return PICUS_OK;
  if (cli_given(a, "contacts") && !picus_system_laws_appear(run->system))
    return picus_fail(
        context, PICUS_ERROR_ARGUMENT,
        "--contacts needs detected contacts; the contacts of '%s' are declared and have columns, see --csv",
        picus_model_name(run->model));
  long events;
  picus_status status = picus_recorder_create(context, run, out);
  if (!status && cli_given(a, "event-limit") && cli_integer(a, "event-limit", &events))
    picus_recorder_limit_events(*out, events);
  if (!status) status = choose_storage(a, *out);
  if (!status && cli_given(a, "out")) status = picus_recorder_add_hdf5(*out, cli_value(a, "out", 0));
  if (!status && cli_given(a, "csv")) status = picus_recorder_add_csv(*out, cli_value(a, "csv", 0));
  if (!status && cli_given(a, "events")) status = picus_recorder_add_switching_csv(*out, cli_value(a, "events", 0));
  if (!status && cli_given(a, "contacts")) status = picus_recorder_add_contact_csv(*out, cli_value(a, "contacts", 0));
  return status;
}

/* The files of a run, with those of the run that it continues. */
static void list_paths(cli_paths *paths, const cli_arguments *a, const cli_resumed *resumed) {
  cli_paths_list(paths, a);
  if (resumed && !picus_same_file(cli_value(a, "out", 0), resumed->result))
    cli_paths_read_run(paths, "a file of the run", resumed->result);
}

/* All files that are known so far, before anything is opened. */
static bool check_paths(picus_context *context, const cli_arguments *a, const cli_resumed *resumed) {
  cli_paths paths = {0};
  list_paths(&paths, a, resumed);
  return cli_paths_check(&paths, context);
}

/* Also those that the model has named, and the files of the hardest problems, which have the name of the model. */
static bool check_all_paths(picus_context *context, const cli_arguments *a, const cli_resumed *resumed,
                            const picus_model *model, int worst) {
  cli_paths paths = {0};
  list_paths(&paths, a, resumed);
  cli_paths_read_files(&paths, cli_operand(a, 0), model);
  for (int k = 0; k < worst; k++) {
    char *name = cli_worst_path(cli_value(a, "dump-worst", 0), picus_model_name(model), k + 1);
    if (!name) paths.failed = true;
    cli_paths_write_member(&paths, "--dump-worst", name);
    free(name);
  }
  return cli_paths_check(&paths, context);
}

/* "-" on the command line has become a descriptor. */
static const char *file_words(const char *path) { return strncmp(path, "/dev/fd/", 8) == 0 ? "standard output" : path; }

/* Prints where the results of a complete run are; for other runs, cli_kept_tell checks the files. */
static void say_where(const cli_arguments *a, const picus_system *system, const picus_summary *summary) {
  if (keeps_results(a) && summary->status) return;
  if (cli_given(a, "out")) cli_print("  results         %ld rows in %s\n", summary->rows, cli_value(a, "out", 0));
  if (cli_given(a, "csv"))
    cli_print("  results         %ld rows in %s\n", summary->rows, file_words(cli_value(a, "csv", 0)));
  if (cli_given(a, "events")) cli_print("  events          in %s\n", file_words(cli_value(a, "events", 0)));
  if (cli_given(a, "contacts")) cli_print("  contacts        in %s\n", file_words(cli_value(a, "contacts", 0)));
  if (summary->events_cut)
    cli_print("  event log       contains detected contacts up to t = %.6g s; --event-limit -1 keeps all\n",
              summary->events_until);
  if (picus_system_laws_appear(system) && cli_given(a, "csv") && !cli_given(a, "out") && !cli_given(a, "contacts"))
    cli_print("  contacts        not stored; use --contacts FILE.csv, or --out FILE.h5\n");
  if (picus_system_node_table_count(system) > 0 && cli_given(a, "csv") && !cli_given(a, "out"))
    cli_print("  nodes           tables not stored; use --out FILE.h5\n");
  if (!keeps_results(a)) cli_print("  results         not stored; use --out FILE.h5\n");
}

/* false, already reported: the problems could not be written. */
static bool dump_worst(picus_context *context, const cli_arguments *a, const cli_model *loaded, picus_sim *sim,
                       cli_worst *worst) {
  if (!cli_given(a, "dump-worst")) return true;
  const cli_worst_origin origin = {picus_model_name(loaded->model), cli_command_line(a),
                                   &picus_sim_options_of(sim)->solver};
  return cli_worst_write(worst, context, cli_value(a, "dump-worst", 0), &origin, cli_given(a, "quiet") ? NULL : stdout);
}

/* Compares the results in the file with the reference, if requested. */
static int compare(picus_context *context, const cli_arguments *a) {
  if (!cli_given(a, "against")) return EXIT_DONE;
  cli_print("\n");
  return cli_compare_files(context, cli_value(a, "out", 0), cli_value(a, "against", 0), 0, NULL);
}

/* The page, if requested, also of a run that failed after some rows. */
static int view(picus_context *context, const cli_arguments *a, const picus_summary *summary) {
  const char *path = cli_value(a, "out", 0);
  if (!cli_given(a, "view") || (summary->status && summary->rows == 0)) return EXIT_DONE;
  return cli_write_page(context, 1, &path, cli_value(a, "view", 0), cli_given(a, "quiet"));
}

/* Checkpoints and the progress, which a run calls. */
typedef struct run_watch {
  cli_checkpoints *checkpoints;
  cli_progress progress;
  cli_progress_file file;
} run_watch;

static int show_progress(void *user, double t, double t_end, long steps) {
  run_watch *watch = user;
  cli_progress_file_write(&watch->file, &(cli_progress_state){"running", t, t_end, watch->checkpoints->last_t, steps},
                          false);
  return cli_progress_update(&watch->progress, t, t_end, steps);
}
static picus_status look_at_clock(void *user, picus_sim *sim, bool is_end) {
  return cli_checkpoints_look(((run_watch *)user)->checkpoints, sim, is_end);
}
static int count_step(void *user, picus_sim *sim, const picus_step_info *info) {
  if (info) cli_checkpoints_step(((run_watch *)user)->checkpoints, sim);
  return 0;
}

static void begin_progress(run_watch *watch, picus_context *context, const cli_arguments *a, picus_sim *sim,
                           const char *model) {
  const picus_sim_options *o = picus_sim_options_of(sim);
  const double t = picus_sim_state(sim).t;
  cli_progress_begin(&watch->progress, model, cli_given(a, "quiet"), o->t_start);
  cli_progress_file_begin(&watch->file, context, cli_value(a, "progress-file", 0), model);
  cli_progress_file_start(&watch->file, o->t_start, t);
}

/* After all that may fail has been reported. */
static void end_progress(run_watch *watch, picus_sim *sim, const picus_summary *summary) {
  const char *status = "failed";
  if (!summary->status) status = "done";
  if (summary->status == PICUS_INTERRUPTED) status = "interrupted";
  const cli_progress_state state = {status, picus_sim_state(sim).t, picus_sim_options_of(sim)->t_end,
                                    watch->checkpoints->last_t, summary->steps};
  cli_progress_file_write(&watch->file, &state, true);
}

/* What a run does besides recording. */
typedef struct run_extras {
  cli_worst *worst;
  cli_checkpoints checkpoints;
  const cli_resumed *resumed; /* NULL: it starts anew */
} run_extras;

/* The run itself, with its progress and checkpoints; what is printed and kept if it fails. */
static int simulate(picus_context *context, const cli_arguments *a, const cli_model *loaded, picus_sim *sim,
                    picus_recorder *recorder, run_extras *extras) {
  bool quiet = cli_given(a, "quiet");
  cli_checkpoints *checkpoints = &extras->checkpoints;
  run_watch watch = {.checkpoints = checkpoints};
  if (!quiet) cli_print_stability(loaded->model, loaded->system, sim);
  begin_progress(&watch, context, a, sim, picus_model_name(loaded->model));
  picus_run_hooks hooks = {.progress = show_progress,
                           .user = &watch,
                           .step = cli_checkpoints_count_steps(checkpoints) ? count_step : NULL,
                           .checkpoint = checkpoints->path ? look_at_clock : NULL};
  picus_summary summary;
  if (cli_given(a, "dump-worst")) picus_sim_watch_contacts(sim, cli_worst_watch, extras->worst);
  cli_catch_interrupts();
  cli_kept kept = cli_kept_begin(a);
  cli_growing_text decisions;
  if (recorder && cli_kept_watch(&kept, recorder)) return cli_report_error(context, EXIT_RUN_FAILED);
  if (!decisions_begin(a, context, sim, &decisions)) return EXIT_WRONG_INPUT;
  const double begun = cli_cpu_seconds();
  picus_status status = picus_sim_run(sim, recorder, &hooks, &summary);
  const double cpu = cli_cpu_seconds() - begun;
  cli_progress_end(&watch.progress);
  if (status) {
    /* the run did not start because a file could not be created: the input is wrong, not the simulation */
    bool no_file = status == PICUS_ERROR_IO || status == PICUS_ERROR_ARGUMENT;
    const bool has_begun = !no_file || summary.steps > 0 || summary.rows > 0;
    cli_report_error(context, EXIT_RUN_FAILED);
    if (has_begun) cli_kept_tell(&kept, context);
    if (!has_begun) {
      cli_growing_text_drop(&decisions);
      return EXIT_WRONG_INPUT;
    }
  }
  const bool written = cli_growing_text_close(&decisions);
  end_progress(&watch, sim, &summary);
  if (!quiet) {
    cli_print_summary(stdout, loaded->model, sim, recorder, &summary, cpu);
    say_where(a, loaded->system, &summary);
  }
  if (!dump_worst(context, a, loaded, sim, extras->worst)) return EXIT_WRONG_INPUT;
  int code = view(context, a, &summary);
  if (status == PICUS_INTERRUPTED && checkpoints->is_over) return EXIT_TRY_AGAIN;
  if (status || !written) return EXIT_RUN_FAILED;
  return code ? code : compare(context, a);
}

/* From the start, or from the checkpoint. */
static int begin(picus_context *context, const cli_arguments *a, const cli_model *loaded, picus_sim *sim,
                 picus_recorder *recorder, run_extras *extras) {
  const cli_resumed *given = extras->resumed, *resumed = given && !given->from_start ? given : NULL;
  const bool is_own = given && picus_same_file(cli_value(a, "out", 0), given->result);
  picus_result *result = NULL;
  picus_facts source = {0};
  int code = EXIT_WRONG_INPUT;
  if (cli_given(a, "out") && !is_own &&
      cli_older_checkpoint_watch(context, a, loaded->model, resumed != NULL, recorder))
    return cli_report_error(context, EXIT_RUN_FAILED);
  if (cli_progress_file_check(context, cli_value(a, "progress-file", 0)) &&
      cli_checkpoints_begin(&extras->checkpoints, context, a) &&
      (!resumed || cli_resumed_begin(context, resumed, sim, recorder, &result, &source))) {
    extras->checkpoints.recorder = recorder;
    extras->checkpoints.model = loaded->model;
    extras->checkpoints.number = resumed ? resumed->checkpoint->facts.number : 0;
    cli_checkpoints_start(&extras->checkpoints, sim);
    code = simulate(context, a, loaded, sim, recorder, extras);
  }
  cli_checkpoints_end(&extras->checkpoints);
  picus_result_close(result);
  if (is_own && (code == EXIT_DONE || code == EXIT_TRY_AGAIN)) cli_resumed_remove_part(given->result, &source);
  return code;
}

int cli_run_from(const cli_arguments *a, const cli_resumed *resumed) {
  picus_context *context =
      cli_context(cli_given(a, "quiet") || cli_given(a, "sensitivity")); /* notes would come for each parameter */
  if (!context) return EXIT_RUN_FAILED;
  cli_model loaded = {0};
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  cli_worst worst = {0};
  run_extras extras = {.worst = &worst, .resumed = resumed};
  /* files first: a path that cannot be written must not show after a long derivation */
  int code = EXIT_WRONG_INPUT;
  if (cli_use_threads(context, a) && check_paths(context, a, resumed))
    code = cli_resumed_load(context, a, resumed, &loaded);
  if (code == EXIT_DONE) {
    code = EXIT_WRONG_INPUT;
    picus_sim_options o = picus_model_sim_options(loaded.model);
    bool fine = read_options(a, &o);
    if (cli_given(a, "sensitivity")) o.adaptive = true;
    if (o.adaptive) cli_choose_base(context, a, &loaded, &o);
    if (fine) cli_keep_heeded(context, a, loaded.model, &o);
    if (fine && cli_given(a, "sensitivity")) {
      fine = false;
      code = check_all_paths(context, a, resumed, loaded.model, worst.wanted)
                 ? cli_run_sensitivities(context, a, &loaded, &o)
                 : EXIT_WRONG_INPUT;
    }
    if (fine && cli_worst_begin(&worst, a) && check_all_paths(context, a, resumed, loaded.model, worst.wanted) &&
        cli_worst_make_folder(a)) {
      picus_status status = picus_sim_create(context, loaded.system, &o, &sim);
      picus_run_description description = {loaded.model, loaded.system, sim ? picus_sim_options_of(sim) : NULL,
                                           cli_command_line(a)};
      if (!status && cli_given(a, "start") && (!resumed || resumed->from_start))
        status = cli_take_start(context, a, sim);
      if (!status) status = make_recorder(context, a, &description, &recorder);
      code = status ? cli_report_error(context, EXIT_WRONG_INPUT) : begin(context, a, &loaded, sim, recorder, &extras);
    }
  }
  cli_worst_release(&worst);
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  cli_unload(&loaded);
  picus_context_destroy(context);
  return code;
}

static int run(const cli_arguments *a) {
  if (cli_given(a, "json") && cli_given(a, "sensitivity")) {
    cli_complain("--sensitivity and --json exclude each other");
    return EXIT_WRONG_INPUT;
  }
  if (cli_given(a, "json")) return cli_run_json(a);
  if (!cli_given(a, "collect")) return cli_run_from(a, NULL);
  cli_complain("--collect needs --json, or picus sweep");
  return EXIT_WRONG_INPUT;
}

const cli_command cli_run = {
    .name = "run",
    .operands = "MODEL",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "model",
    .summary = "Simulate a model and record the results",
    .description =
        "MODEL is a model file (.lua) or the name of a shipped model ('picus list'). Options override those of\n"
        "simulate { ... } in the model. On a terminal, a progress bar shows the rate and the remaining time; Ctrl-C\n"
        "ends the run and keeps its results so far. The summary shows steps, solver iterations, the worst residual,\n"
        "penetration and the energy balance. Results are written to NAME.part, which is renamed to NAME at the end of\n"
        "the run; until then an older file NAME stays.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
