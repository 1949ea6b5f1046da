/* picus linearize: eigenvalues about an equilibrium with contacts. */
#include "cli/cli.h"
#include "cli/paths.h"
#include "cli/run_options.h"

#include <math.h>
#include <picus/orbit.h>

static const cli_option options[] = {
    {"settle", "T", "a motion of this time before, s; default 0: the initial state", false},
    {"equilibrium", NULL, "first find the equilibrium with the same contacts near the state", false},
    PICUS_RUN_OPTIONS(CLI_RUN_OPTION) CLI_LOAD_OPTIONS,
    CLI_NATIVE_OPTION,
    {"quiet", NULL, "no notes", false},
};

static const char *const examples[] = {
    "picus linearize stribeck-belt --set v0=0.1 --set x0=0.025 --equilibrium",
    "the sliding equilibrium of a mass on a belt: unstable where friction falls with speed", NULL};

static const char *const mode_names[] = {[PICUS_OPEN] = "open", [PICUS_STICK] = "sticks", [PICUS_SLIP] = "slips"};

static void print(const cli_arguments *a, const picus_linearization *l, const picus_system *system) {
  const picus_linearization_data d = picus_linearization_data_of(l);
  const int n = picus_linearization_count(l), nq = picus_system_nq(system);
  int zeros = 0;
  cli_print("%s: %s at t = %.9g s, rates %.2g\n\nstate\n", cli_operand(a, 0), d.is_stable ? "stable" : "unstable", d.t,
            d.rate);
  for (int k = 0; k < n; k++)
    cli_print("  %-16s %21.15g\n", k < nq ? picus_system_q_name(system, k) : picus_system_u_name(system, k - nq),
              picus_linearization_state(l)[k]);
  for (int k = 0; k < picus_system_law_count(system); k++)
    cli_print("  %-16s %21s\n", picus_system_law_at(system, k).name, mode_names[picus_linearization_mode(l, k)]);
  cli_print("\neigenvalues, 1/s       re                    im      frequency, Hz\n");
  for (int k = 0; k < n; k++) {
    const picus_multiplier v = picus_linearization_value(l, k);
    if (v.re == 0 && v.im == 0)
      zeros++;
    else
      cli_print("  %22.12g %21.12g %14.6g\n", v.re, v.im, fabs(v.im) / (2 * acos(-1)));
  }
  if (zeros) cli_print("  %d exactly 0: by constraints, contacts that are closed or stick, and free motions\n", zeros);
}

static int linearize(picus_context *context, const cli_arguments *a, const cli_model *loaded) {
  picus_sim_options o;
  picus_linearization *l = NULL;
  if (!cli_read_adaptive_options(context, a, loaded, &o)) return EXIT_WRONG_INPUT;
  picus_linearization_def def = {.model = loaded->model,
                                 .system = loaded->system,
                                 .options = &o,
                                 .equilibrium = cli_given(a, "equilibrium"),
                                 .interrupt = cli_interrupted};
  if (cli_given(a, "settle")) def.settle = cli_number_of(context, cli_value(a, "settle", 0));
  if (!(def.settle >= 0) || !isfinite(def.settle)) {
    cli_complain("--settle takes a time, not '%.100s'", cli_value(a, "settle", 0));
    return EXIT_WRONG_INPUT;
  }
  cli_catch_interrupts();
  if (picus_linearization_create(context, &def, &l)) return cli_report_error(context, EXIT_RUN_FAILED);
  print(a, l, loaded->system);
  picus_linearization_destroy(l);
  return EXIT_DONE;
}

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(cli_given(a, "quiet"));
  cli_model loaded = {0};
  if (!context) return EXIT_RUN_FAILED;
  int code = cli_load(context, a, &loaded);
  if (code == EXIT_DONE) code = linearize(context, a, &loaded);
  cli_unload(&loaded);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_linearize = {
    .name = "linearize",
    .operands = "MODEL",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "model",
    .summary = "Eigenvalues about an equilibrium with contacts that stick or slide",
    .description =
        "The motion near the state is linear while the same contacts are closed, stick and slide. Forces of sliding\n"
        "friction follow the normal forces and the slip velocity, so a sliding equilibrium may be unstable:\n"
        "squeal and stick-slip begin there. `picus check --modes` has natural frequencies of large systems.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
