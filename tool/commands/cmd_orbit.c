/* picus orbit: a periodic orbit of a model by shooting. */
#include "cli/cli.h"
#include "cli/paths.h"
#include "cli/run_options.h"

#include <math.h>
#include <picus/orbit.h>

static const cli_option options[] = {
    {"section", "NAME",
     "where a period begins: an event of the model, switching points of a law ('beak', 'beak:impact', 'beak:closes', "
     "'beak:opens', 'beak:sticks', 'beak:slips'), or where an expression is 0 ('phiS:rises', 'y - 0.1:falls'); "
     "default: "
     "the first switching points that occur again",
     false},
    {"period", "T", "the period of the forces, s, for models that depend on time; with parameters, such as 2*pi/omega",
     false},
    {"skip", "N", "passages of the section, or periods, before the first guess; default 0", false},
    {"turns", "N", "passages of the section, or periods, in one period of the orbit; default 1", false},
    PICUS_RUN_OPTIONS(CLI_RUN_OPTION) CLI_LOAD_OPTIONS,
    CLI_NATIVE_OPTION,
    {"quiet", NULL, "no notes", false},
};

static const char *const examples[] = {
    "picus orbit woodpecker --section lower:slips",
    "period, drop and multipliers of the woodpecker toy",
    "picus orbit forced-impact-oscillator --period 6.283185307179586",
    "a forced oscillator: one impact in each period of the force",
    "picus orbit simplest-walker --set theta0=0.1939 --set omega0=-0.2039 --t-end 20",
    "an unstable gait, which no simulation stays on",
    NULL};

typedef struct orbit_command {
  const cli_arguments *arguments;
  picus_context *context;
  picus_orbit_def def;
} orbit_command;

static bool read_count(const cli_arguments *a, const char *name, int *out) {
  long value = *out;
  if (!cli_integer(a, name, &value)) return false;
  *out = (int)value;
  if (value >= 0 && value < 1000000) return true;
  cli_complain("--%s takes a number from 0 to 999999, not %ld", name, value);
  return false;
}

static bool read_arguments(orbit_command *c) {
  const cli_arguments *a = c->arguments;
  c->def.section = cli_value(a, "section", 0);
  if (!read_count(a, "skip", &c->def.skip) || !read_count(a, "turns", &c->def.turns)) return false;
  c->def.period_text = cli_value(a, "period", 0);
  if (!c->def.section || !cli_given(a, "period")) return true;
  cli_complain("--section and --period exclude each other");
  return false;
}

/* --- what is printed -----------------------------------------------------------------------------------------------
 */

static const char *state_name(const picus_system *system, int k) {
  const int nq = picus_system_nq(system);
  return k < nq ? picus_system_q_name(system, k) : picus_system_u_name(system, k - nq);
}

static void print_state(const picus_orbit *orbit, const picus_system *system) {
  const picus_orbit_data d = picus_orbit_data_of(orbit);
  cli_print("\nstate at t = %.9g s%s\n", d.t, *picus_orbit_section(orbit) ? ", after the section" : "");
  for (int k = 0; k < picus_orbit_state_count(orbit); k++) {
    const double shift = picus_orbit_shift(orbit)[k];
    cli_print("  %-16s %21.15g", state_name(system, k), picus_orbit_state(orbit)[k]);
    if (shift != 0) cli_print("   grows by %.15g in each period", shift);
    cli_print("\n");
  }
}

static void print_multipliers(const picus_orbit *orbit) {
  const int count = picus_orbit_multiplier_count(orbit);
  int zeros = 0;
  cli_print("\nmultipliers           re                    im             modulus\n");
  for (int k = 0; k < count; k++) {
    const picus_multiplier m = picus_orbit_multiplier(orbit, k);
    if (m.re == 0 && m.im == 0)
      zeros++;
    else
      cli_print("  %22.12g %21.12g %19.12g\n", m.re, m.im, hypot(m.re, m.im));
  }
  if (zeros) cli_print("  %d exactly 0: by the section, by constraints, and by contacts that close or stick\n", zeros);
}

static void print_points(const picus_orbit *orbit) {
  cli_print("\nswitching points: t after the start of the period, s\n");
  for (int k = 0; k < picus_orbit_point_count(orbit); k++) {
    const picus_orbit_point p = picus_orbit_point_at(orbit, k);
    cli_print("  %18.12g  %-10s %s", p.t - picus_orbit_data_of(orbit).t, picus_orbit_change_name((int)p.change),
              p.name);
    if (p.change == PICUS_CHANGE_IMPACT) cli_print(", approach velocity %.9g", p.velocity);
    cli_print("\n");
  }
}

static void print_margin(const picus_system *system, const char *what, double value, int law) {
  if (law >= 0 && isfinite(value)) cli_print("  %-34s %.9g, %s\n", what, value, picus_system_law_at(system, law).name);
}

static void print_orbit(const orbit_command *c, const picus_orbit *orbit, const picus_system *system) {
  const picus_orbit_data d = picus_orbit_data_of(orbit);
  cli_print("%s: %s periodic orbit", cli_operand(c->arguments, 0), d.is_stable ? "a stable" : "an unstable");
  if (*picus_orbit_section(orbit)) cli_print(", section %s", picus_orbit_section(orbit));
  cli_print("\n  period                             %.15g s\n", d.period);
  cli_print("  steps of Newton's method           %d, states repeat to %.2g of their size\n", d.iterations, d.residual);
  if (isfinite(d.recheck))
    cli_print("  check by an adaptive run           the state repeats to %.2g of its size%s\n", d.recheck,
              d.recheck_agrees ? "" : ", with other switching points");
  else
    cli_print("  check by an adaptive run           the run failed\n");
  print_margin(system, "smallest approach velocity", d.velocity, d.velocity_law);
  print_margin(system, "smallest reserve of friction", d.reserve, d.reserve_law);
  print_margin(system, "smallest gap, of its largest", d.gap, d.gap_law);
  print_state(orbit, system);
  print_multipliers(orbit);
  print_points(orbit);
}

/* --- the command -----------------------------------------------------------------------------------------------------
 */

static int find(orbit_command *c, const cli_model *loaded) {
  const cli_arguments *a = c->arguments;
  cli_long_work work = cli_long_work_begin(a, loaded->system);
  picus_sim_options o;
  picus_orbit *orbit;
  if (!cli_read_adaptive_options(c->context, a, loaded, &o)) return EXIT_WRONG_INPUT;
  picus_orbit_def def = c->def;
  def.model = loaded->model;
  def.system = loaded->system;
  def.options = &o;
  def.interrupt = cli_long_work_ends;
  def.user = &work;
  cli_catch_interrupts();
  const picus_status status = picus_orbit_create(c->context, &def, &orbit);
  if (status)
    return cli_report_error(c->context, status == PICUS_ERROR_NAME || status == PICUS_ERROR_ARGUMENT ? EXIT_WRONG_INPUT
                                                                                                     : EXIT_RUN_FAILED);
  print_orbit(c, orbit, loaded->system);
  picus_orbit_destroy(orbit);
  return EXIT_DONE;
}

static int run(const cli_arguments *a) {
  orbit_command c = {.arguments = a, .context = cli_context(cli_given(a, "quiet"))};
  cli_model loaded = {0};
  if (!c.context) return EXIT_RUN_FAILED;
  int code = read_arguments(&c) ? EXIT_DONE : EXIT_WRONG_INPUT;
  if (code == EXIT_DONE) code = cli_load(c.context, a, &loaded);
  if (code == EXIT_DONE) code = find(&c, &loaded);
  cli_unload(&loaded);
  picus_context_destroy(c.context);
  return code;
}

const cli_command cli_orbit = {
    .name = "orbit",
    .operands = "MODEL",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "model",
    .summary = "Find a periodic orbit, stable or not, with its multipliers",
    .description =
        "An adaptive run until t_end shows the sequence of switching points and gives a first guess; Newton's method\n"
        "then finds the orbit with this sequence to about twelve digits. Its multipliers are the eigenvalues of the\n"
        "derivative of the return map: the orbit is stable if all are inside the unit circle. Coordinates that\n"
        "nothing depends on, such as the height of the woodpecker, may grow from period to period.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
