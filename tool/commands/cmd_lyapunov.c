/* picus lyapunov: Lyapunov exponents of a motion. */
#include "cli/cli.h"
#include "cli/paths.h"
#include "cli/run_options.h"

#include <math.h>
#include <picus/orbit.h>
#include <stdlib.h>

static const cli_option options[] = {
    {"exponents", "N", "number of the largest exponents; default 1", false},
    {"skip-time", "T", "time at the start that does not count, s; default a tenth of the run", false},
    {"interval", "T", "longest time between two orthonormalizations, s; default 1/400 of the run", false},
    PICUS_RUN_OPTIONS(CLI_RUN_OPTION) CLI_LOAD_OPTIONS,
    CLI_NATIVE_OPTION,
    {"quiet", NULL, "no notes", false},
};

static const char *const examples[] = {
    "picus lyapunov forced-impact-oscillator --set sigma=0 --set omega=2.8 --t-end 2000",
    "the largest exponent of a motion with impacts; above 0: it is chaotic", NULL};

static bool read_time(picus_context *context, const cli_arguments *a, const char *name, double *out) {
  if (!cli_given(a, name)) return true;
  *out = cli_number_of(context, cli_value(a, name, 0));
  if (isfinite(*out) && *out >= 0) return true;
  cli_complain("--%s takes a time, not '%.100s'", name, cli_value(a, name, 0));
  return false;
}

static int print(const picus_lyapunov_def *def, const picus_lyapunov *found, double t) {
  cli_print("%d Lyapunov exponent%s until t = %.9g s\n\n  %20s %14s\n", def->count, def->count > 1 ? "s" : "", t, "1/s",
            "error");
  for (int k = 0; k < def->count; k++) cli_print("  %20.9g %14.2g\n", found[k].exponent, found[k].error);
  return EXIT_DONE;
}

static int find(picus_context *context, const cli_arguments *a, const cli_model *loaded) {
  picus_sim_options o;
  long count = 1;
  if (!cli_read_adaptive_options(context, a, loaded, &o) || !cli_integer(a, "exponents", &count))
    return EXIT_WRONG_INPUT;
  picus_lyapunov_def def = {.model = loaded->model,
                            .system = loaded->system,
                            .options = &o,
                            .interrupt = cli_interrupted,
                            .skip = 0.1 * (o.t_end - o.t_start),
                            .count = count < 1 || count > 1000000 ? 0 : (int)count};
  if (!read_time(context, a, "skip-time", &def.skip) || !read_time(context, a, "interval", &def.interval))
    return EXIT_WRONG_INPUT;
  picus_lyapunov *found = calloc((size_t)def.count + 1, sizeof *found);
  if (!found) return EXIT_RUN_FAILED;
  double t = o.t_start;
  cli_catch_interrupts();
  const picus_status status = picus_lyapunov_find(context, &def, found, &t);
  const bool is_input = status == PICUS_ERROR_ARGUMENT || status == PICUS_ERROR_NAME;
  if (!is_input && t > o.t_start + def.skip) (void)print(&def, found, t);
  const int code = status ? cli_report_error(context, is_input ? EXIT_WRONG_INPUT : EXIT_RUN_FAILED) : EXIT_DONE;
  free(found);
  return code;
}

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(true); /* notes of a run would come as often as there are intervals */
  cli_model loaded = {0};
  if (!context) return EXIT_RUN_FAILED;
  int code = cli_load(context, a, &loaded);
  if (code == EXIT_DONE) code = find(context, a, &loaded);
  cli_unload(&loaded);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_lyapunov = {
    .name = "lyapunov",
    .operands = "MODEL",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "model",
    .summary = "Lyapunov exponents of a motion",
    .description =
        "The mean rates at which small differences of the motion until t_end grow, from its derivatives with their\n"
        "jumps at impacts and changes of friction. A motion with a positive exponent is chaotic. An autonomous\n"
        "motion has the exponent 0, that of a shift in time. The error is the standard error of the mean.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
