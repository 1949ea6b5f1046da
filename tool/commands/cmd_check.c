/* picus check: build a model and describe it, without running it. */
#include "cli/paths.h"
#include "cli/run_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const cli_option options[] = {
    CLI_LOAD_OPTIONS,
    {"assemble", NULL,
     "first make the initial state consistent: joints close, then closed contacts that approach have an impact", false},
    {"start-impact", NULL, "only the impact of closed contacts that approach, as start_impact of simulate { ... }",
     false},
    {"modes", "N", "print the N lowest natural frequencies", false},
    {"equilibrium", NULL, "frequencies at the static equilibrium, with contacts that are closed there", false},
    {"friction", NULL, "with --equilibrium: friction acts while the loads are applied", false},
    {"out", "F.h5", "write the mode shapes to a result file", false}};

static const char *const examples[] = {"picus check woodpecker",
                                       "sizes, contacts, initial state, constant parts",
                                       "picus check mechanism.lua --assemble",
                                       "the nearest initial state with all joints closed",
                                       "picus check beam.lua --modes 5 --equilibrium",
                                       "frequencies about the static equilibrium",
                                       NULL};

static const char *kind_name(const picus_system_law *law) {
  switch (law->kind) {
  case PICUS_BILATERAL:
    return law->has_gap ? "constraint" : "velocity constraint";
  case PICUS_UNILATERAL:
    return law->has_gap ? "contact, frictionless" : "one-way clutch";
  case PICUS_COULOMB:
    return law->slips == 1   ? "contact, planar friction"
           : law->slips == 2 ? "contact, spatial friction"
                             : "contact, friction with spin";
  case PICUS_ROLLING:
    return law->slips == 1 ? "rolling friction, planar" : "rolling friction, spatial";
  case PICUS_RESERVOIR:
    break;
  }
  return law->displaced ? "preload" : law->loaded ? "friction of a guide" : "friction element";
}

static void print_law(const picus_system_law *law, const picus_law_state *state) {
  cli_print("  %-12s %-26s", law->name, kind_name(law));
  if (law->has_gap || law->displaced) cli_print(" gap %-11.4g", state->gap);
  const bool rolling = law->kind == PICUS_ROLLING;
  if (law->kind != PICUS_RESERVOIR && !rolling) cli_print(" velocity %-11.4g", state->normal_velocity);
  for (int k = 0; k < law->slips; k++) cli_print(" %s %-11.4g", rolling ? "roll" : "slip", state->slip[k]);
  if (rolling) cli_print(" rolling %g", law->rolling);
  if (law->kind == PICUS_COULOMB) cli_print(" mu %g, eN %g, eF %g", law->mu, law->eN, law->eF);
  if (law->kind == PICUS_UNILATERAL && law->has_gap) cli_print(" eN %g", law->eN);
  if (law->impact != PICUS_IMPACT_OF_RUN) cli_print(" impact %s", picus_impact_law_name((int)law->impact));
  if (law->displaced)
    cli_print(" reservoir %g", law->reservoir);
  else if (law->loaded)
    cli_print(" mu %g, eF %g", law->mu, law->eF);
  else if (law->kind == PICUS_RESERVOIR)
    cli_print(" reservoir %g, eF %g", law->reservoir, law->eF);
  cli_print("\n");
}

static void print_redundant(const picus_system *system, const picus_constraint_report *report, const bool *redundant) {
  enum { SHOWN = 12 };
  int shown = 0;
  cli_print("  redundant    %d constraints that follow from the others:", report->constraints - report->rank);
  for (int i = 0; i < picus_system_law_count(system); i++) {
    if (!redundant[i] || shown > SHOWN) continue;
    cli_print(" %s", shown++ < SHOWN ? picus_system_law_at(system, i).name : "...");
  }
  cli_print("\n");
}

/* Degrees of freedom and redundancy in the initial state, and its constraint errors. */
static picus_status print_constraints(picus_context *context, const picus_system *system, picus_state state) {
  picus_constraint_report report = {0};
  picus_evaluation *evaluation;
  bool *redundant = calloc((size_t)picus_system_law_count(system) + 1, sizeof *redundant);
  if (!redundant) return PICUS_ERROR_MEMORY;
  picus_status status = picus_evaluation_create(context, system, &evaluation);
  if (!status) {
    picus_evaluation_set_point(evaluation, state.t, state.q, state.u);
    status = picus_system_examine_constraints(evaluation, &report, redundant);
    picus_evaluation_destroy(evaluation);
  }
  if (!status && report.constraints > 0) {
    cli_print("  constraints  %d of rank %d: %d velocities, %d degrees of freedom\n", report.constraints, report.rank,
              picus_system_nu(system), report.freedom);
    if (report.rank < report.constraints) print_redundant(system, &report, redundant);
    cli_print("  start        largest constraint error %.2g, velocity error %.2g\n", report.worst_position,
              report.worst_velocity);
    if (report.worst_velocity > 1e-6)
      cli_print("               initial velocities violate '%s' and will jump in the first step; --assemble shows "
                "consistent ones, assemble = true in simulate { ... } uses them\n",
                picus_system_law_at(system, report.worst_velocity_law).name);
  }
  free(redundant);
  return status;
}

static const char *constancy(bool constant, const char *otherwise) {
  return constant ? "constant, computed once" : otherwise;
}

/* Names and start values; of a long list the first ones and the last. */
static void print_states(const picus_system *system, int count, const double *values,
                         const char *(*name)(const picus_system *system, int index)) {
  enum { SHOWN = 20 };
  for (int i = 0; i < count; i++) {
    if (count > SHOWN && i == SHOWN - 2) {
      cli_print(" ...");
      i = count - 1;
    }
    cli_print(" %s = %.9g", name(system, i), values[i]);
  }
}

/* Sizes and properties of the equations, and the laws. */
static picus_status print_system(picus_context *context, const picus_system *system, picus_sim *sim) {
  int laws = picus_system_law_count(system);
  picus_state state = picus_sim_state(sim);
  cli_print("  coordinates  %d:", state.nq);
  print_states(system, state.nq, state.q, picus_system_q_name);
  cli_print("\n  velocities   %d:", state.nu);
  print_states(system, state.nu, state.u, picus_system_u_name);
  picus_system_constants constant = picus_system_constant_parts(system);
  cli_print("\n  mass matrix  %s\n", constancy(constant.mass, "depends on the state or time"));
  cli_print("  directions W %s\n", laws ? constancy(constant.directions, "depend on the state or time")
                                   : picus_system_laws_appear(system)
                                       ? "of contacts between shapes, found before each step"
                                       : "none: no contacts, friction or constraints");
  cli_print("  kinematics   %s\n", constant.identity_rates ? "q' = u" : "q' = B u + beta");
  picus_status status = print_constraints(context, system, state);
  if (status) return status;
  double kinetic, potential;
  status = picus_sim_energy(sim, &kinetic, &potential);
  if (status) return status;
  cli_print("  energy       %.9g J kinetic, %.9g J potential\n", kinetic, potential);
  picus_law_state *states = calloc((size_t)laws + 1, sizeof *states);
  if (!states) return PICUS_ERROR_MEMORY;
  status = picus_sim_laws(sim, states);
  if (!status && laws) cli_print("initial state:\n");
  for (int i = 0; !status && i < laws; i++) {
    picus_system_law law = picus_system_law_at(system, i);
    print_law(&law, &states[i]);
  }
  free(states);
  return status;
}

/* Forces of contacts and friction in the equilibrium. */
static void print_forces(const picus_system *system, const double *force) {
  for (int i = 0; i < picus_system_law_count(system); i++) {
    const picus_system_law law = picus_system_law_at(system, i);
    const int normal = law.dim - law.slips;
    double friction = 0;
    for (int k = normal; k < law.dim; k++) friction = hypot(friction, force[law.first_row + k]);
    if (law.kind == PICUS_BILATERAL || (normal && !(force[law.first_row] > 0))) continue;
    if (law.kind == PICUS_ROLLING && friction == 0) continue;
    cli_print("  %s:", law.name);
    if (normal) cli_print(" force %.6g N%s", force[law.first_row], law.slips ? "," : "");
    if (law.slips) cli_print(" friction %.6g %s", friction, law.kind == PICUS_ROLLING ? "N m" : "N");
    cli_print("\n");
  }
}

static void print_modes(const picus_modes *modes, const char *state) {
  const bool whirls = picus_modes_at(modes, 0).shape_imaginary != NULL;
  cli_print("modes about the %s:\n", state);
  cli_print("  %4s %14s %14s %12s%s\n", "mode", "rad/s", "Hz", "damping", whirls ? "  whirl" : "");
  for (int i = 0; i < picus_modes_count(modes); i++) {
    const picus_natural_mode mode = picus_modes_at(modes, i);
    const double hertz = mode.omega / (2 * 3.14159265358979323846);
    if (mode.omega < 0)
      cli_print("  %4d unstable, grows as exp(%.6g t)\n", i + 1, -mode.omega);
    else
      cli_print("  %4d %14.8g %14.8g %12.4g%s\n", i + 1, mode.omega, hertz, mode.damping,
                mode.whirl > 0   ? "  forward"
                : mode.whirl < 0 ? "  backward"
                                 : "");
  }
  const double last = picus_modes_at(modes, picus_modes_count(modes) - 1).omega;
  if (last > 0 && picus_modes_resolution(modes) > 0.01 * last)
    cli_print("  round-off hides frequencies below about %.3g rad/s; fewer elements have more accurate ones\n",
              picus_modes_resolution(modes));
}

/* The shapes into a result file, and the frequencies as its numbers modes.omega1 and so on. */
static picus_status write_modes(picus_context *context, const cli_model *loaded, picus_sim *sim,
                                const picus_modes *modes, const char *path) {
  picus_run_description run = {loaded->model, loaded->system, picus_sim_options_of(sim), "picus check --modes"};
  picus_recorder *recorder = NULL;
  picus_status status = picus_recorder_create(context, &run, &recorder);
  if (!status) status = picus_recorder_add_hdf5(recorder, path);
  if (!status) status = picus_sim_record_modes(sim, modes, recorder);
  picus_recorder_destroy(recorder);
  if (status) return status;
  const int count = picus_modes_count(modes);
  double *omega = calloc((size_t)count, sizeof *omega);
  char(*texts)[24] = calloc((size_t)count, sizeof *texts);
  const char **names = calloc((size_t)count, sizeof *names);
  status = omega && texts && names ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (int i = 0; !status && i < count; i++) {
    snprintf(texts[i], sizeof texts[i], "omega%d", i + 1);
    names[i] = texts[i];
    omega[i] = picus_modes_at(modes, i).omega;
  }
  if (!status) status = picus_result_add_numbers(context, path, "modes", count, names, omega);
  free(omega);
  free(texts);
  free(names);
  return status;
}

static picus_status find_modes(picus_context *context, const cli_arguments *a, const cli_model *loaded, picus_sim *sim,
                               long count) {
  if (!cli_given(a, "modes")) return PICUS_OK;
  picus_modes *modes = NULL;
  picus_modes_options wanted = picus_default_modes_options();
  const bool friction = cli_given(a, "friction");
  const size_t nq = (size_t)picus_system_nq(loaded->system), rows = (size_t)picus_system_row_count(loaded->system);
  double *q = calloc(nq + rows + 1, sizeof *q);
  picus_status status = q ? PICUS_OK : PICUS_ERROR_MEMORY;
  wanted.count = (int)count;
  wanted.contacts = cli_given(a, "equilibrium");
  wanted.equilibrium = wanted.contacts && !friction;
  if (!status && friction) {
    status = picus_sim_find_equilibrium(sim, q, q + nq);
    wanted.q = q;
    if (!status) cli_print("static equilibrium with friction:\n");
    if (!status) print_forces(loaded->system, q + nq);
  }
  if (!status) status = picus_modes_create(context, loaded->system, &wanted, &modes);
  if (!status)
    print_modes(modes, friction          ? "static equilibrium with friction"
                       : wanted.contacts ? "static equilibrium"
                                         : "initial state");
  free(q);
  if (!status && cli_given(a, "out")) status = write_modes(context, loaded, sim, modes, cli_value(a, "out", 0));
  picus_modes_destroy(modes);
  return status;
}

/* The number of modes is an integer; files and equilibria need it. */
static bool reads_modes(const cli_arguments *a, long *count) {
  *count = 1;
  if (!cli_integer(a, "modes", count)) return false;
  if (!cli_given(a, "modes") && (cli_given(a, "out") || cli_given(a, "equilibrium"))) {
    cli_complain("--out and --equilibrium belong to --modes; give the number of modes");
    return false;
  }
  if (cli_given(a, "friction") && !cli_given(a, "equilibrium")) {
    cli_complain("--friction belongs to --equilibrium; give both");
    return false;
  }
  if (*count >= 1 && *count <= 1000) return true;
  cli_complain("--modes %ld: the number of modes must be 1 to 1000", *count);
  return false;
}

static void print_run(const picus_sim_options *o) {
  cli_print("run: scheme %s, ", o->scheme);
  if (o->adaptive)
    cli_print("adaptive, dt = %g ... %g s, ", o->dt_min, o->dt_max);
  else
    cli_print("dt = %g s, ", o->dt);
  cli_print("t = %g ... %g s, solver %s, tolerance %g\n", o->t_start, o->t_end, o->solver.solver, o->solver.tolerance);
}

static int run(const cli_arguments *a) {
  long modes;
  if (!reads_modes(a, &modes)) return EXIT_WRONG_INPUT;
  picus_context *context = cli_context(false);
  if (!context) return EXIT_RUN_FAILED;
  cli_model loaded;
  picus_sim *sim = NULL;
  int code = cli_load(context, a, &loaded);
  if (code == EXIT_DONE && !cli_paths_check_model(a, loaded.model, context)) code = EXIT_WRONG_INPUT;
  if (code == EXIT_DONE) {
    picus_sim_options o = picus_model_sim_options(loaded.model);
    (void)cli_read_run_options(a, &o); /* flags only */
    bool has_step = o.dt > 0 || (o.adaptive && o.dt_min > 0 && o.dt_max > 0);
    if (!has_step) o.dt = 1e-12; /* a model without run defaults can still be checked; stable for stiff parts as well */
    cli_print("%s: the model is valid\n", picus_model_name(loaded.model));
    if (!picus_sim_create(context, loaded.system, &o, &sim) && !print_system(context, loaded.system, sim)) {
      if (has_step) {
        print_run(picus_sim_options_of(sim));
        cli_print_stability(loaded.model, loaded.system, sim);
      } else
        cli_print("run: no step size; give --dt to 'picus run'\n");
      if (find_modes(context, a, &loaded, sim, modes)) code = cli_report_error(context, EXIT_WRONG_INPUT);
    } else
      code = cli_report_error(context, EXIT_WRONG_INPUT);
  }
  picus_sim_destroy(sim);
  cli_unload(&loaded);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_check = {
    .name = "check",
    .operands = "MODEL",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "model",
    .summary = "Check a model and describe it, without running it",
    .description =
        "Prints sizes, degrees of freedom, redundant constraints, the initial gaps and velocities of all contacts,\n"
        "the initial energies, and which parts of the equations of motion are constant. With --modes also the lowest\n"
        "natural frequencies, at rest and with all constraints.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
