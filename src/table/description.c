/* Writes the group /picus of a result file: everything about a run besides its rows. */
#include "table/description.h"
#include "base/internal.h"
#include "hdf5/records.h"
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
  size_t n = (size_t)count;
  const char **texts = picus_allocate(context, 4 * n, sizeof *texts);
  if (!texts) return false;
  for (size_t k = 0; k < n; k++) {
    texts[k] = columns[k].name;
    texts[n + k] = columns[k].unit ? columns[k].unit : "";
    texts[2 * n + k] = columns[k].label;
    texts[3 * n + k] = picus_column_kind_name(columns[k].kind);
  }
  const picus_hdf5_field fields[] = {{.name = "name", .texts = texts},
                                     {.name = "unit", .texts = texts + n},
                                     {.name = "label", .texts = texts + 2 * n},
                                     {.name = "kind", .texts = texts + 3 * n}};
  const bool done =
      picus_hdf5_put_table(context, parent, "columns", n, (picus_hdf5_fields){sizeof fields / sizeof *fields, fields});
  picus_release(context, texts);
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

static const char *given(const char *text) { return text ? text : ""; }

static bool describe_parameters(picus_context *context, hid_t parent, const picus_model *model) {
  const size_t n = (size_t)picus_model_parameter_count(model);
  if (n == 0) return true;
  const char **texts = picus_allocate(context, 3 * n, sizeof *texts);
  double *numbers = picus_allocate(context, 2 * n, sizeof *numbers);
  bool done = texts && numbers;
  for (size_t k = 0; done && k < n; k++) {
    const picus_parameter parameter = picus_model_parameter(model, (int)k);
    texts[k] = parameter.name;
    texts[n + k] = given(parameter.unit);
    texts[2 * n + k] = given(parameter.description);
    numbers[k] = parameter.value;
    numbers[n + k] = parameter.default_value;
  }
  const size_t m = done ? n : 0; /* nothing is added to a missing block */
  const picus_hdf5_field fields[] = {{.name = "name", .texts = texts},
                                     {.name = "value", .numbers = numbers},
                                     {.name = "unit", .texts = texts + m},
                                     {.name = "default", .numbers = numbers + m},
                                     {.name = "description", .texts = texts + 2 * m}};
  done = done && picus_hdf5_put_table(context, parent, "parameters", n,
                                      (picus_hdf5_fields){sizeof fields / sizeof *fields, fields});
  picus_release(context, numbers);
  picus_release(context, texts);
  return done;
}

/* The fields of the record of options, and their values. */
typedef struct option_record {
  size_t count;
  picus_hdf5_field fields[PICUS_OPTION_TOTAL + 1];
  double numbers[PICUS_OPTION_TOTAL + 1];
  long integers[PICUS_OPTION_TOTAL + 1];
  const char *texts[PICUS_OPTION_TOTAL + 1];
  char tableau[2000];
} option_record;

/* The rows of the tableau, separated by semicolons. */
static const char *write_tableau(const picus_tableau *given, size_t size, char *text) {
  const picus_tableau *t = given->stages > 0 ? given : picus_tableau_named(picus_tableau_name(0));
  size_t at = 0;
  for (int i = 0; i < t->stages; i++)
    for (int j = 0; j <= i && at < size; j++)
      at += (size_t)snprintf(text + at, size - at, "%s%.17g", j ? ", " : i ? "; " : "", t->rows[i][j]);
  return text;
}

static void add_option(option_record *record, const picus_run_options *options, int k) {
  const picus_option *option = &picus_option_table[k];
  const double number = picus_option_number(options, k);
  const size_t at = record->count++;
  picus_hdf5_field *field = &record->fields[at];
  *field = (picus_hdf5_field){.name = option->name};
  record->texts[at] = option->kind == PICUS_OPTION_OF_TABLEAU
                          ? write_tableau(&options->sim.half_explicit.tableau, sizeof record->tableau, record->tableau)
                          : picus_option_text(options, k);
  if (record->texts[at]) {
    field->texts = &record->texts[at];
  } else if (option->kind == PICUS_OPTION_NUMBER) {
    record->numbers[at] = number;
    field->numbers = &record->numbers[at];
  } else {
    record->integers[at] = (long)number;
    field->integers = &record->integers[at];
  }
}

/* Every option that the run heeds; sums by pair only if there are any. */
static bool is_described(int k, const picus_sim_options *options) {
  return picus_option_applies(k, options) && (k != PICUS_OPTION_pairs || options->pairs != PICUS_PAIRS_NONE);
}

static bool describe_options(picus_context *context, hid_t parent, const picus_run_description *run) {
  const picus_run_options options = {.sim = *run->options, .assemble = run->model && run->model->run.values.assemble};
  option_record *record = picus_allocate(context, 1, sizeof *record);
  if (!record) return false;
  record->integers[0] = 1;
  record->fields[record->count++] = (picus_hdf5_field){.name = "summed_percussions", .integers = record->integers};
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++)
    if (is_described(k, run->options)) add_option(record, &options, k);
  const bool done =
      picus_hdf5_put_record(context, parent, "options", (picus_hdf5_fields){record->count, record->fields});
  picus_release(context, record);
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

static bool describe_laws(picus_context *context, hid_t parent, const picus_system *system) {
  enum { NUMBERS = 6 };
  static const char *const titles[NUMBERS] = {"mu", "reservoir", "eN", "eF", "slips", "rolling"};
  const size_t n = (size_t)picus_system_law_count(system);
  if (n == 0) return true;
  const char **texts = picus_allocate(context, 2 * n, sizeof *texts);
  double *numbers = picus_allocate(context, NUMBERS * n, sizeof *numbers);
  bool done = texts && numbers;
  for (size_t k = 0; done && k < n; k++) {
    const picus_system_law law = picus_system_law_at(system, (int)k);
    const double values[NUMBERS] = {law.mu, law.reservoir, law.eN, law.eF, (double)law.slips, law.rolling};
    texts[k] = law.name;
    texts[n + k] = kind_name(law.kind);
    for (size_t i = 0; i < NUMBERS; i++) numbers[i * n + k] = values[i];
  }
  const size_t m = done ? n : 0; /* nothing is added to a missing block */
  picus_hdf5_field fields[2 + NUMBERS] = {{.name = "name", .texts = texts}, {.name = "kind", .texts = texts + m}};
  for (size_t i = 0; i < NUMBERS; i++)
    fields[2 + i] = (picus_hdf5_field){.name = titles[i], .numbers = numbers + i * m};
  done = done && picus_hdf5_put_table(context, parent, "laws", n, (picus_hdf5_fields){2 + NUMBERS, fields});
  picus_release(context, numbers);
  picus_release(context, texts);
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

/* The name of a law; otherwise: of one that is not one of the system. */
static const char *law_name(const picus_system *system, int law, const char *otherwise) {
  if (!system || law < 0) return "";
  return law < picus_system_law_count(system) ? picus_system_law_at(system, law).name : otherwise;
}

enum { STATISTIC_FIELDS = STATISTICS + PICUS_WORST_LAWS + 2 };

/* The fields of the record of statistics, and their values. */
typedef struct statistics_record {
  picus_hdf5_field fields[STATISTIC_FIELDS];
  double numbers[STATISTICS];
  long integers[STATISTICS];
  const char *texts[PICUS_WORST_LAWS + 2];
} statistics_record;

static void fill_statistics(statistics_record *record, const picus_system *system, const picus_summary *summary) {
  picus_hdf5_field *field = record->fields;
  for (int k = 0; k < STATISTICS; k++, field++) {
    const void *value = (const char *)summary + statistics[k].offset;
    *field = (picus_hdf5_field){.name = statistics[k].name};
    if (statistics[k].is_integer) {
      memcpy(&record->integers[k], value, sizeof *record->integers);
      field->integers = &record->integers[k];
    } else {
      memcpy(&record->numbers[k], value, sizeof *record->numbers);
      field->numbers = &record->numbers[k];
    }
  }
  for (int k = 0; k < PICUS_WORST_LAWS; k++, field++) {
    record->texts[k] = summary->solver.worst_accepted.name[k];
    *field = (picus_hdf5_field){.name = accepted_names[k], .texts = &record->texts[k], .room = PICUS_SUMMARY_NAME - 1};
  }
  const char **worst = record->texts + PICUS_WORST_LAWS;
  const size_t room = longest_law_name(system);
  worst[0] = law_name(system, summary->gaps.penetration_law, summary->gaps.penetration_name);
  worst[1] = law_name(system, summary->gaps.constraint_law, "");
  field[0] = (picus_hdf5_field){.name = "worst_penetration_law", .texts = &worst[0], .room = room};
  field[1] = (picus_hdf5_field){.name = "worst_constraint_law", .texts = &worst[1], .room = room};
}

/* Zeros, until the run ends. */
static bool describe_statistics(picus_context *context, hid_t parent, const picus_system *system) {
  const picus_summary nothing = {.gaps = {.penetration_law = -1, .constraint_law = -1}};
  statistics_record record;
  fill_statistics(&record, system, &nothing);
  return picus_hdf5_put_record(context, parent, "statistics", (picus_hdf5_fields){STATISTIC_FIELDS, record.fields});
}

bool picus_hdf5_describe(picus_context *context, hid_t file, const picus_run_description *run, int column_count,
                         const picus_column *columns) {
  hid_t group = picus_hdf5_create_group(file, "picus");
  bool done = group >= 0 && put_text(context, group, "version", PICUS_VERSION) &&
              put_text(context, group, "command", run->command) &&
              picus_hdf5_put_text(context, group, "status", "running", PICUS_TEXT_ROOM) &&
              describe_columns(context, group, column_count, columns) &&
              (!run->model || describe_model(context, group, run->model)) &&
              (!run->model || describe_parameters(context, group, run->model)) &&
              (!run->options || describe_options(context, group, run)) &&
              (!run->system || describe_laws(context, group, run->system)) &&
              (!run->model || describe_plots(context, group, run->model)) &&
              (!run->model || picus_hdf5_describe_drawing(context, group, run->model)) &&
              describe_statistics(context, group, run->system);
  if (group >= 0) H5Gclose(group);
  return done;
}

bool picus_hdf5_finish(picus_context *context, hid_t file, const picus_system *system, const picus_summary *summary,
                       const char *status) {
  statistics_record record;
  fill_statistics(&record, system, summary);
  return picus_hdf5_replace_record(context, file, "picus/statistics",
                                   (picus_hdf5_fields){STATISTIC_FIELDS, record.fields}) &&
         picus_hdf5_replace_text(file, "picus/status", status);
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
