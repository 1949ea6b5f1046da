/* picus branch: periodic orbits of a model over a parameter. */
#include "cli/cli.h"
#include "cli/paths.h"
#include "cli/run_options.h"
#include "platform/threads.h"

#include <math.h>
#include <picus/orbit.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"parameter", "NAME", "parameter of the model over which the orbits are followed", false},
    {"from", "X", "its value at the first orbit", false},
    {"to", "X", "its value at the end", false},
    {"section", "NAME",
     "where a period begins: an event of the model, switching points of a law ('beak', 'beak:impact', 'beak:closes', "
     "'beak:opens', 'beak:sticks', 'beak:slips'), or where an expression is 0 ('phiS:rises', 'y - 0.1:falls'); "
     "default: "
     "the first switching points that occur again",
     false},
    {"period", "T", "the period of the forces, s, with parameters of the model, such as 2*pi/omega", false},
    {"skip", "N", "passages of the section, or periods, before the first guess; default 0", false},
    {"turns", "N", "passages of the section, or periods, in one period of the orbit; default 1", false},
    {"at", "flip", "follow the doubled orbits from the first flip on", false},
    {"doublings", "N", "with --at flip: the number of flips at which the branch doubles; default 1", false},
    {"longest", "S", "longest step along the branch, of the range from - to; default 0.02", false},
    {"orbits", "N", "the most orbits; default 1000", false},
    {"out", "F.h5", "write the orbits to an HDF5 file", false},
    {"csv", "F.csv", "write the orbits as CSV, with full precision", false},
    PICUS_RUN_OPTIONS(CLI_RUN_OPTION) CLI_LOAD_OPTIONS,
    CLI_NATIVE_OPTION,
    {"quiet", NULL, "only the special orbits", false},
};

static const char *const examples[] = {
    "picus branch simplest-walker --parameter slope --from 0.009 --to 0.02 --section heel_strike --csv walker.csv",
    "the long gait until its flip, and beyond",
    "picus branch forced-impact-oscillator --parameter sigma --from 1 --to 12 --period 2*pi/omega",
    "an oscillator with a stop that moves away: a fold, grazing, and the motion without impacts",
    "picus branch woodpecker --parameter mu --from 0.3 --to 0.1 --section lower:slips",
    "the woodpecker with less friction",
    NULL};

typedef struct branch_command {
  const cli_arguments *arguments;
  picus_context *context;
  const picus_system *system;
  picus_orbit_branch_def def;
  const picus_run_description *description;
  double written, cost; /* s: when the files were written last, and how long that took */
  bool is_quiet;
} branch_command;

static bool read_count(const cli_arguments *a, const char *name, long *out) {
  if (!cli_integer(a, name, out)) return false;
  if (*out >= 0 && *out < 1000000) return true;
  cli_complain("--%s takes a number from 0 to 999999, not %ld", name, *out);
  return false;
}

static bool read_number(branch_command *c, const char *name, double *out) {
  const char *text = cli_value(c->arguments, name, 0);
  if (!text) {
    cli_complain("picus branch needs --%s", name);
    return false;
  }
  *out = cli_number_of(c->context, text);
  if (isfinite(*out)) return true;
  cli_complain("--%s takes a number, not '%.100s'", name, text);
  return false;
}

static bool read_arguments(branch_command *c) {
  const cli_arguments *a = c->arguments;
  picus_orbit_branch_def *d = &c->def;
  long skip = 0, turns = 0, doublings = 1;
  d->parameter = cli_value(a, "parameter", 0);
  d->orbit.section = cli_value(a, "section", 0);
  d->orbit.period_text = cli_value(a, "period", 0);
  if (!d->parameter) {
    cli_complain("picus branch needs --parameter");
    return false;
  }
  if (!read_number(c, "from", &d->from) || !read_number(c, "to", &d->to)) return false;
  if (cli_given(a, "longest") && !read_number(c, "longest", &d->step)) return false;
  if (!read_count(a, "skip", &skip) || !read_count(a, "turns", &turns) || !read_count(a, "orbits", &d->most) ||
      !read_count(a, "doublings", &doublings))
    return false;
  d->orbit.skip = (int)skip;
  d->orbit.turns = (int)turns;
  if (cli_given(a, "at") && strcmp(cli_value(a, "at", 0), "flip") != 0) {
    cli_complain("--at takes flip, not '%.100s'", cli_value(a, "at", 0));
    return false;
  }
  d->doublings = cli_given(a, "at") ? (int)doublings : 0;
  if (!d->orbit.section || !d->orbit.period_text) return true;
  cli_complain("--section and --period exclude each other");
  return false;
}

/* --- what is printed ---------------------------------------------------------------------------------------------- */

static void print_sequences(const picus_orbit_branch *branch) {
  cli_print("\nsequences of switching points\n");
  for (int k = 0; k < picus_orbit_branch_sequence_count(branch); k++) {
    const char *text = picus_orbit_branch_sequence(branch, k);
    cli_print("  %2d  %s\n", k, *text ? text : "none");
  }
}

/* --- files ---------------------------------------------------------------------------------------------------------
 */

static picus_status write_files(const branch_command *c, const picus_orbit_branch *branch) {
  const cli_arguments *a = c->arguments;
  picus_recorder *recorder = NULL;
  if (!cli_given(a, "out") && !cli_given(a, "csv")) return PICUS_OK;
  picus_status status = picus_orbit_branch_recorder(branch, c->description, &recorder);
  if (!status && cli_given(a, "out")) status = picus_recorder_add_hdf5(recorder, cli_value(a, "out", 0));
  if (!status && cli_given(a, "csv")) status = picus_recorder_add_csv(recorder, cli_value(a, "csv", 0));
  if (!status) status = picus_orbit_branch_record(branch, recorder);
  picus_recorder_destroy(recorder);
  return status;
}

/* The files have all orbits, whatever ends the program, but for those of a time in which they could not be written ten
 * times. */
static int keep_rows(branch_command *c, const picus_orbit_branch *branch) {
  const double before = picus_clock_steady();
  if (before - c->written < 10 * c->cost) return 0;
  const picus_status status = write_files(c, branch);
  c->written = picus_clock_steady();
  c->cost = c->written - before;
  return status ? 1 : 0;
}

static int print_row(void *user, const picus_orbit_branch_row *row) {
  branch_command *c = user;
  const bool is_special = row->kind != PICUS_ORBIT_REGULAR;
  if (c->is_quiet && !is_special) return 0;
  cli_print("%21.15g %19.12g  %-8s", row->parameter, row->period, row->is_stable ? "stable" : "unstable");
  if (row->multiplier_count > 0) {
    const picus_multiplier m = row->multipliers[0];
    cli_print(m.im != 0 ? " %12.6g +- %-9.3g i" : " %12.6g               ", m.re, fabs(m.im));
  }
  cli_print(" %3d", row->sequence);
  if (is_special) cli_print("  %s", picus_orbit_kind_name((int)row->kind));
  if (*row->note) cli_print(": %s", row->note);
  cli_print("\n");
  return cli_interrupted(NULL) || keep_rows(c, row->branch);
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int follow(branch_command *c, const cli_model *loaded) {
  const cli_arguments *a = c->arguments;
  picus_sim_options o;
  cli_long_work work = cli_long_work_begin(a, loaded->system);
  picus_orbit_branch *branch = NULL;
  if (!cli_read_adaptive_options(c->context, a, loaded, &o)) return EXIT_WRONG_INPUT;
  c->def.orbit.model = loaded->model;
  c->def.orbit.system = loaded->system;
  c->def.orbit.options = &o;
  c->def.orbit.interrupt = cli_long_work_ends;
  c->def.orbit.user = &work;
  c->def.row = print_row;
  c->def.user = c;
  cli_catch_interrupts();
  cli_print("%21s %19s  %-8s %28s %3s\n", c->def.parameter, "period", "", "largest multiplier  ", "seq");
  const picus_run_description run = {loaded->model, loaded->system, &o, cli_command_line(a)};
  c->description = &run;
  picus_status status = picus_orbit_branch_create(c->context, &c->def, &branch);
  int code = EXIT_DONE;
  if (status)
    code = cli_report_error(c->context, status == PICUS_ERROR_NAME || status == PICUS_ERROR_ARGUMENT ? EXIT_WRONG_INPUT
                                                                                                     : EXIT_RUN_FAILED);
  if (branch) {
    print_sequences(branch);
    if (write_files(c, branch)) code = cli_report_error(c->context, EXIT_RUN_FAILED);
  }
  picus_orbit_branch_destroy(branch);
  return code;
}

static int run(const cli_arguments *a) {
  branch_command c = {.arguments = a, .context = cli_context(true), .is_quiet = cli_given(a, "quiet")};
  cli_model loaded = {0};
  if (!c.context) return EXIT_RUN_FAILED;
  int code = read_arguments(&c) ? EXIT_DONE : EXIT_WRONG_INPUT;
  if (code == EXIT_DONE) code = cli_load(c.context, a, &loaded);
  if (code == EXIT_DONE) code = follow(&c, &loaded);
  cli_unload(&loaded);
  picus_context_destroy(c.context);
  return code;
}

const cli_command cli_branch = {
    .name = "branch",
    .operands = "MODEL",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "model",
    .summary = "Follow periodic orbits, stable or not, over a parameter",
    .description =
        "The orbit at --from is found as by picus orbit; continuation then follows it, through folds, until --to. "
        "Flips,\n"
        "folds and Neimark-Sacker points are located. Where the sequence of switching points changes (grazing, a new\n"
        "impact, a stick phase that is lost or born), the place is located and named, and the branch continues with "
        "the\n"
        "neighbouring sequence; else its last line says why it ends.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
