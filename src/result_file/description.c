/* Writes the group /picus of a result file: everything about a run besides its rows. */
#include "result_file/description.h"
#include "base/internal.h"
#include "hdf5/support.h"
#include "model/internal.h"
#include "options/table.h"

#include <errno.h>
#include <math.h>
#include <picus/result.h>
#include <picus/sim.h>
#include <picus/version.h>
#include <stdio.h>
#include <string.h>

/* --- the description ---------------------------------------------------------------------------------------------- */

static const char *const column_kinds[] = {
    [PICUS_COLUMN_TIME] = "time",
    [PICUS_COLUMN_COORDINATE] = "coordinate",
    [PICUS_COLUMN_VELOCITY] = "velocity",
    [PICUS_COLUMN_GAP] = "gap",
    [PICUS_COLUMN_LAW_VELOCITY] = "law velocity",
    [PICUS_COLUMN_PERCUSSION] = "percussion",
    [PICUS_COLUMN_MODE] = "mode",
    [PICUS_COLUMN_ENERGY] = "energy",
    [PICUS_COLUMN_STEP] = "step",
    [PICUS_COLUMN_OBSERVABLE] = "observable",
    [PICUS_COLUMN_INPUT] = "input",
    [PICUS_COLUMN_FORCE] = "force",
    [PICUS_COLUMN_IMPULSE] = "impulse",
    [PICUS_COLUMN_WORK] = "work",
};

const char *picus_column_kind_name(picus_column_kind kind) { return column_kinds[kind]; }

picus_column_kind picus_column_kind_of(const char *name) {
  for (int k = 0; k <= PICUS_COLUMN_WORK; k++)
    if (strcmp(name, column_kinds[k]) == 0) return (picus_column_kind)k;
  return PICUS_COLUMN_OBSERVABLE;
}

static bool put_text(picus_context *context, hid_t group, const char *name, const char *text) {
  return picus_hdf5_put_text(context, group, name, text ? text : "", 0);
}

/* The columns in their order, as a table. The same texts are attributes of the columns, for users who inspect one
 * column. */
static bool describe_columns(picus_context *context, hid_t parent, int count, const picus_column *columns) {
  enum { LISTS = 4 };
  static const char *const titles[LISTS] = {"name", "unit", "label", "kind"};
  size_t n = (size_t)count;
  hid_t group = picus_hdf5_create_group(parent, "columns");
  const char **texts = picus_allocate(context, LISTS * n, sizeof *texts);
  bool done = group >= 0 && texts;
  for (size_t k = 0; done && k < n; k++) {
    texts[k] = columns[k].name;
    texts[n + k] = columns[k].unit;
    texts[2 * n + k] = columns[k].label;
    texts[3 * n + k] = picus_column_kind_name(columns[k].kind);
  }
  for (size_t i = 0; done && i < LISTS; i++) done = picus_hdf5_put_texts(context, group, titles[i], n, texts + i * n);
  picus_release(context, texts);
  if (group >= 0) H5Gclose(group);
  return done;
}

static bool describe_model(picus_context *context, hid_t parent, const picus_model *model) {
  hid_t group = picus_hdf5_create_group(parent, "model");
  bool done = group >= 0 && put_text(context, group, "name", picus_model_name(model)) &&
              put_text(context, group, "description", picus_model_description(model)) &&
              put_text(context, group, "source", picus_model_source(model));
  if (group >= 0) H5Gclose(group);
  return done;
}

static bool describe_parameter(hid_t group, const picus_parameter *parameter) {
  if (!picus_hdf5_put_number(group, parameter->name, parameter->value)) return false;
  hid_t dataset = H5Dopen2(group, parameter->name, H5P_DEFAULT);
  bool done = dataset >= 0 && picus_hdf5_put_attribute(dataset, "unit", parameter->unit ? parameter->unit : "") &&
              picus_hdf5_put_attribute(dataset, "description", parameter->description ? parameter->description : "") &&
              picus_hdf5_put_number_attribute(dataset, "default", parameter->default_value);
  if (dataset >= 0) H5Dclose(dataset);
  return done;
}

static bool describe_parameters(hid_t parent, const picus_model *model) {
  hid_t group = picus_hdf5_create_group(parent, "parameters");
  bool done = group >= 0;
  for (int k = 0; done && k < picus_model_parameter_count(model); k++) {
    picus_parameter parameter = picus_model_parameter(model, k);
    done = describe_parameter(group, &parameter);
  }
  if (group >= 0) H5Gclose(group);
  return done;
}

static bool describe_units(picus_context *context, hid_t parent, const picus_model *model) {
  hid_t group = picus_hdf5_create_group(parent, "units");
  bool done = group >= 0;
  for (int k = 0; done && k < picus_model_parameter_count(model); k++) {
    picus_parameter parameter = picus_model_parameter(model, k);
    if (parameter.unit && parameter.unit[0]) done = put_text(context, group, parameter.name, parameter.unit);
  }
  if (group >= 0) H5Gclose(group);
  return done;
}

/* The rows of the tableau, separated by semicolons. */
static bool describe_tableau(picus_context *context, hid_t group, const picus_tableau *given) {
  const picus_tableau *t = given->stages > 0 ? given : picus_tableau_named(picus_tableau_name(0));
  char text[2000];
  size_t at = 0;
  for (int i = 0; i < t->stages; i++)
    for (int j = 0; j <= i && at < sizeof text; j++)
      at += (size_t)snprintf(text + at, sizeof text - at, "%s%.17g", j ? ", " : i ? "; " : "", t->rows[i][j]);
  return put_text(context, group, "tableau", text);
}

static bool describe_option(picus_context *context, hid_t group, const picus_run_options *options, int k) {
  const picus_option *option = &picus_option_table[k];
  const char *text = picus_option_text(options, k);
  const double number = picus_option_number(options, k);
  if (option->kind == PICUS_OPTION_OF_TABLEAU)
    return describe_tableau(context, group, &options->sim.half_explicit.tableau);
  if (text) return put_text(context, group, option->name, text);
  if (option->kind == PICUS_OPTION_NUMBER) return picus_hdf5_put_number(group, option->name, number);
  return picus_hdf5_put_integer(group, option->name, (long)number);
}

/* Every option that the run heeds; sums by pair only if there are any. */
static bool is_described(int k, const picus_sim_options *options) {
  return picus_option_applies(k, options) && (k != PICUS_OPTION_pairs || options->pairs != PICUS_PAIRS_NONE);
}

static bool describe_options(picus_context *context, hid_t parent, const picus_run_description *run) {
  hid_t group = picus_hdf5_create_group(parent, "options");
  const picus_run_options options = {.sim = *run->options, .assemble = run->model && run->model->run.values.assemble};
  bool done = group >= 0 && picus_hdf5_put_integer(group, "summed_percussions", 1);
  for (int k = 0; done && k < PICUS_OPTION_TOTAL; k++)
    done = !is_described(k, run->options) || describe_option(context, group, &options, k);
  if (group >= 0) H5Gclose(group);
  return done;
}

static const char *kind_name(picus_law_kind kind) {
  switch (kind) {
  case PICUS_BILATERAL:
    return "bilateral";
  case PICUS_UNILATERAL:
    return "unilateral";
  case PICUS_COULOMB:
    return "coulomb";
  case PICUS_RESERVOIR:
    return "reservoir";
  case PICUS_ROLLING:
    return "rolling";
  }
  return "unknown";
}

/* The laws as a table of parallel lists, so that thousands of them stay cheap. */
static bool describe_laws(picus_context *context, hid_t parent, const picus_system *system) {
  enum { NUMBERS = 6 };
  static const char *const titles[NUMBERS] = {"mu", "reservoir", "eN", "eF", "slips", "rolling"};
  int count = picus_system_law_count(system);
  hid_t group = picus_hdf5_create_group(parent, "laws");
  if (group < 0 || count == 0) return group >= 0 && H5Gclose(group) >= 0;
  size_t n = (size_t)count;
  const char **texts = picus_allocate(context, 2 * n, sizeof *texts);
  double *numbers = picus_allocate(context, NUMBERS * n, sizeof *numbers);
  bool done = texts && numbers;
  for (int k = 0; done && k < count; k++) {
    picus_system_law law = picus_system_law_at(system, k);
    const double values[NUMBERS] = {law.mu, law.reservoir, law.eN, law.eF, (double)law.slips, law.rolling};
    texts[k] = law.name;
    texts[n + (size_t)k] = kind_name(law.kind);
    for (size_t i = 0; i < NUMBERS; i++) numbers[i * n + (size_t)k] = values[i];
  }
  done = done && picus_hdf5_put_texts(context, group, "name", n, texts) &&
         picus_hdf5_put_texts(context, group, "kind", n, texts + n);
  for (size_t i = 0; done && i < NUMBERS; i++) done = picus_hdf5_put_numbers(group, titles[i], n, numbers + i * n);
  picus_release(context, numbers);
  picus_release(context, texts);
  H5Gclose(group);
  return done;
}

static bool describe_panel(picus_context *context, hid_t parent, int number, picus_plot_panel panel) {
  char name[16];
  snprintf(name, sizeof name, "%d", number);
  hid_t group = picus_hdf5_create_group(parent, name);
  bool done = group >= 0 && put_text(context, group, "x", panel.x) &&
              (panel.count == 0 || picus_hdf5_put_texts(context, group, "y", (size_t)panel.count, panel.y));
  if (group >= 0) H5Gclose(group);
  return done;
}

static bool describe_plots(picus_context *context, hid_t parent, const picus_model *model) {
  hid_t group = picus_hdf5_create_group(parent, "plots");
  bool done = group >= 0;
  for (int k = 0; done && k < picus_model_plot_count(model); k++)
    done = describe_panel(context, group, k + 1, picus_model_plot(model, k));
  if (group >= 0) H5Gclose(group);
  return done;
}

/* The numbers of a summary. A law is stored by its name instead of its index. */
static const struct {
  const char *name;
  size_t offset;
  bool is_integer;
} statistics[] = {
#define INTEGER(field)                                                                                                 \
  { #field, offsetof(picus_summary, field), true }
#define NUMBER(field)                                                                                                  \
  { #field, offsetof(picus_summary, field), false }
    INTEGER(steps),
    INTEGER(rows),
    NUMBER(t_start),
    NUMBER(t_end),
    NUMBER(seconds),
    INTEGER(contact_steps),
    {"solver_iterations", offsetof(picus_summary, solver.iterations), true},
    {"solver_iterations_max", offsetof(picus_summary, solver.iterations_max), true},
    {"fallbacks", offsetof(picus_summary, solver.fallbacks), true},
    {"accepted", offsetof(picus_summary, solver.accepted), true},
    {"accepted_t", offsetof(picus_summary, solver.worst_accepted.t), false},
    {"accepted_residual", offsetof(picus_summary, solver.worst_accepted.relative), false},
    {"accepted_laws", offsetof(picus_summary, solver.worst_accepted.laws), true},
    INTEGER(shortened),
    {"worst_residual", offsetof(picus_summary, solver.worst_residual), false},
    {"worst_residual_t", offsetof(picus_summary, solver.worst_residual_t), false},
    INTEGER(impacts),
    INTEGER(chatter),
    {"worst_penetration", offsetof(picus_summary, gaps.penetration), false},
    {"worst_penetration_t", offsetof(picus_summary, gaps.penetration_t), false},
    {"worst_constraint", offsetof(picus_summary, gaps.constraint), false},
    {"worst_constraint_t", offsetof(picus_summary, gaps.constraint_t), false},
    {"newton_iterations", offsetof(picus_summary, implicit.newton_iterations), true},
    {"newton_iterations_max", offsetof(picus_summary, implicit.newton_iterations_max), true},
    {"projection_iterations", offsetof(picus_summary, implicit.projection_iterations), true},
    {"projection_iterations_max", offsetof(picus_summary, implicit.projection_iterations_max), true},
    {"set_iterations", offsetof(picus_summary, implicit.set_iterations), true},
    {"set_iterations_max", offsetof(picus_summary, implicit.set_iterations_max), true},
    {"prox_first", offsetof(picus_summary, implicit.prox_first), true},
    {"prox_first_max", offsetof(picus_summary, implicit.prox_first_max), true},
    {"prox_second", offsetof(picus_summary, implicit.prox_second), true},
    {"prox_second_max", offsetof(picus_summary, implicit.prox_second_max), true},
    {"prox_failed", offsetof(picus_summary, implicit.prox_failed), true},
    {"worst_projection", offsetof(picus_summary, implicit.worst_projection), false},
    {"energy_start", offsetof(picus_summary, energy.start), false},
    {"energy_end", offsetof(picus_summary, energy.end), false},
    {"dissipated", offsetof(picus_summary, energy.dissipated), false},
    {"dissipated_by_impulses", offsetof(picus_summary, energy.dissipated_by_impulses), false},
    {"spurious", offsetof(picus_summary, energy.spurious), false},
    {"driven", offsetof(picus_summary, energy.driven), false},
    {"work", offsetof(picus_summary, energy.work), false},
    {"base_steps", offsetof(picus_summary, adaptive.base_steps), true},
    {"rejected", offsetof(picus_summary, adaptive.rejected), true},
    {"switching_points", offsetof(picus_summary, adaptive.switching_points), true},
    {"order_largest", offsetof(picus_summary, adaptive.order_largest), true},
    {"dt_least", offsetof(picus_summary, adaptive.dt_least), false},
    {"dt_largest", offsetof(picus_summary, adaptive.dt_largest), false},
    {"missed", offsetof(picus_summary, adaptive.missed), true},
    {"rounded", offsetof(picus_summary, adaptive.rounded), true},
    {"worst_miss", offsetof(picus_summary, adaptive.worst_miss), false},
    {"worst_miss_t", offsetof(picus_summary, adaptive.worst_miss_t), false},
    INTEGER(switched),
    NUMBER(switched_t),
    {"passed", offsetof(picus_summary, gaps.passed.count), true},
    {"passed_t", offsetof(picus_summary, gaps.passed.t), false},
    {"unexplained", offsetof(picus_summary, gaps.unexplained.steps), true},
    {"unexplained_t", offsetof(picus_summary, gaps.unexplained.t), false},
    INTEGER(events_cut),
    NUMBER(events_until),
    {"repeated", offsetof(picus_summary, shapes.repeated), true},
    {"repetitions_max", offsetof(picus_summary, shapes.repetitions_max), true},
    {"overlaps", offsetof(picus_summary, shapes.overlaps.steps), true},
    {"overlaps_t", offsetof(picus_summary, shapes.overlaps.t), false},
    {"overlaps_depth", offsetof(picus_summary, shapes.overlaps.depth), false},
    {"indeterminate", offsetof(picus_summary, indeterminate.steps), true},
    {"indeterminate_t", offsetof(picus_summary, indeterminate.t), false},
    {"inconsistent", offsetof(picus_summary, inconsistent.steps), true},
    {"inconsistent_t", offsetof(picus_summary, inconsistent.t), false},
    {"steep", offsetof(picus_summary, steep.steps), true},
    {"steep_t", offsetof(picus_summary, steep.t), false},
    {"locked", offsetof(picus_summary, locked.steps), true},
    {"locked_t", offsetof(picus_summary, locked.t), false},
    {"impact_gains", offsetof(picus_summary, impact_energy.gains), true},
    {"impact_gained", offsetof(picus_summary, impact_energy.gained), false},
    {"impact_gained_t", offsetof(picus_summary, impact_energy.gained_t), false},
    {"impact_limited", offsetof(picus_summary, impact_energy.limited), true},
#undef INTEGER
#undef NUMBER
};
enum { STATISTICS = sizeof statistics / sizeof statistics[0] };

/* The laws with the largest residuals that were accepted. */
static const char *const accepted_names[PICUS_WORST_LAWS] = {"accepted_law_1", "accepted_law_2", "accepted_law_3"};

/* Room for the name of any law, also of one that comes and goes. */
static size_t longest_law_name(const picus_system *system) {
  size_t longest = PICUS_SUMMARY_NAME - 1;
  for (int k = 0; system && k < picus_system_law_count(system); k++) {
    size_t length = strlen(picus_system_law_at(system, k).name);
    if (length > longest) longest = length;
  }
  return longest < PICUS_TEXT_ROOM ? longest : PICUS_TEXT_ROOM;
}

static bool describe_statistics(picus_context *context, hid_t parent, const picus_system *system) {
  hid_t group = picus_hdf5_create_group(parent, "statistics");
  bool done = group >= 0;
  for (int k = 0; done && k < STATISTICS; k++)
    done = statistics[k].is_integer ? picus_hdf5_put_integer(group, statistics[k].name, 0)
                                    : picus_hdf5_put_number(group, statistics[k].name, 0);
  for (int k = 0; done && k < PICUS_WORST_LAWS; k++)
    done = picus_hdf5_put_text(context, group, accepted_names[k], "", PICUS_SUMMARY_NAME - 1);
  done = done && picus_hdf5_put_text(context, group, "worst_penetration_law", "", longest_law_name(system)) &&
         picus_hdf5_put_text(context, group, "worst_constraint_law", "", longest_law_name(system));
  if (group >= 0) H5Gclose(group);
  return done;
}

bool picus_hdf5_describe(picus_context *context, hid_t file, const picus_run_description *run, int column_count,
                         const picus_column *columns) {
  hid_t group = picus_hdf5_create_group(file, "picus");
  bool done = group >= 0 && put_text(context, group, "version", PICUS_VERSION) &&
              put_text(context, group, "command", run->command) &&
              picus_hdf5_put_text(context, group, "status", "running", PICUS_TEXT_ROOM) &&
              describe_columns(context, group, column_count, columns) &&
              (!run->model || describe_model(context, group, run->model)) &&
              (!run->model || describe_parameters(group, run->model)) &&
              (!run->model || describe_units(context, group, run->model)) &&
              (!run->options || describe_options(context, group, run)) &&
              (!run->system || describe_laws(context, group, run->system)) &&
              (!run->model || describe_plots(context, group, run->model)) &&
              (!run->model || picus_hdf5_describe_drawing(context, group, run->model)) &&
              describe_statistics(context, group, run->system);
  if (group >= 0) H5Gclose(group);
  return done;
}

/* otherwise: the name of a law that is not one of the system. */
static bool replace_law(hid_t group, const picus_system *system, const char *name, int law, const char *otherwise) {
  if (!system || law < 0) return true;
  const bool is_own = law < picus_system_law_count(system);
  return picus_hdf5_replace_text(group, name, is_own ? picus_system_law_at(system, law).name : otherwise);
}

/* The statistics began as zeros and empty texts: those that have not changed need no write. */
static bool replace_statistic(hid_t group, int k, const picus_summary *summary) {
  const void *field = (const char *)summary + statistics[k].offset;
  long integer = 0;
  double number = 0;
  if (statistics[k].is_integer) {
    memcpy(&integer, field, sizeof integer);
    return integer == 0 || picus_hdf5_replace_integer(group, statistics[k].name, integer);
  }
  memcpy(&number, field, sizeof number);
  return (number == 0 && !signbit(number)) || picus_hdf5_replace_number(group, statistics[k].name, number);
}

bool picus_hdf5_finish(hid_t file, const picus_system *system, const picus_summary *summary, const char *status) {
  hid_t group = H5Gopen2(file, "picus/statistics", H5P_DEFAULT);
  bool done = group >= 0;
  for (int k = 0; done && k < STATISTICS; k++) done = replace_statistic(group, k, summary);
  for (int k = 0; done && k < PICUS_WORST_LAWS; k++) {
    const char *name = summary->solver.worst_accepted.name[k];
    done = !name[0] || picus_hdf5_replace_text(group, accepted_names[k], name);
  }
  done = done &&
         replace_law(group, system, "worst_penetration_law", summary->gaps.penetration_law,
                     summary->gaps.penetration_name) &&
         replace_law(group, system, "worst_constraint_law", summary->gaps.constraint_law, "");
  if (group >= 0) H5Gclose(group);
  return done && picus_hdf5_replace_text(file, "picus/status", status);
}

/* --- numbers that are added later --------------------------------------------------------------------------------- */

/* Numbers that are known only after a result file is complete, such as the accuracy of a reference. */

static bool put_numbers(hid_t file, const char *group_name, int count, const char *const *names,
                        const double *numbers) {
  hid_t parent = H5Gopen2(file, "picus", H5P_DEFAULT);
  hid_t group = parent >= 0 ? picus_hdf5_create_group(parent, group_name) : -1;
  bool done = group >= 0;
  for (int k = 0; done && k < count; k++) done = picus_hdf5_put_number(group, names[k], numbers[k]);
  if (group >= 0) H5Gclose(group);
  if (parent >= 0) H5Gclose(parent);
  return done;
}

static picus_status cannot_change(picus_context *context, const char *path, int error) {
  char reason[PICUS_REASON_SIZE];
  if (error == ENOMEM || picus_last_error(context)->status == PICUS_ERROR_MEMORY)
    return picus_fail(context, PICUS_ERROR_MEMORY, "cannot add numbers to '%s': out of memory", path);
  if (error)
    picus_system_reason(error, reason);
  else
    picus_hdf5_reason(reason);
  return picus_fail(context, PICUS_ERROR_IO, "cannot add numbers to '%s': %s", path, reason);
}

picus_status picus_result_add_numbers(picus_context *context, const char *path, const char *group, int count,
                                      const char *const *names, const double *numbers) {
  int error = 0;
  picus_clear_error(context); /* an error found at the end belongs to this call */
  if (count < 0) return picus_fail(context, PICUS_ERROR_ARGUMENT, "%d numbers cannot be added to '%s'", count, path);
  if (picus_hdf5_check_room(context)) return PICUS_ERROR_MEMORY;
  picus_staged_file *staged = picus_staged_open(context, path, PICUS_STAGED_CHANGE, &error);
  if (!staged) return cannot_change(context, path, error);
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  hid_t file = picus_hdf5_open_staged(context, staged, path, H5F_ACC_RDWR, NULL);
  bool done = file >= 0 && put_numbers(file, group, count, names, numbers);
  picus_status status = done ? PICUS_OK : cannot_change(context, path, picus_staged_error(staged));
  if (file >= 0 && H5Fclose(file) < 0 && !status) status = cannot_change(context, path, 0);
  if (!status && !picus_staged_commit(staged)) status = cannot_change(context, path, picus_staged_error(staged));
  picus_staged_close(staged);
  picus_hdf5_quiet_end(quiet);
  return status;
}
