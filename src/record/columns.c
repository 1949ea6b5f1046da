/* The columns of a system, a state as a row of them, and the columns that patterns select. */
#include "base/internal.h"
#include "record/internal.h"
#include "scheme/internal.h"
#include "system/internal.h"

#include <stdio.h>
#include <string.h>

/* --- columns of a system ------------------------------------------------------------------------------------------ */

static void release_texts(picus_context *context, picus_column *column) {
  picus_release(context, (void *)column->name);
  picus_release(context, (void *)column->unit);
  picus_release(context, (void *)column->label);
}

picus_status picus_columns_add(picus_context *context, picus_column_list *list, picus_column column) {
  picus_status status = picus_grow(context, &list->columns, list->count, &list->capacity, sizeof *list->columns);
  if (status) return status;
  picus_column copy = {.name = picus_copy_text(context, column.name),
                       .unit = picus_copy_text(context, column.unit ? column.unit : ""),
                       .label = picus_copy_text(context, column.label ? column.label : column.name),
                       .kind = column.kind};
  if (!copy.name || !copy.unit || !copy.label) {
    release_texts(context, &copy);
    return PICUS_ERROR_MEMORY;
  }
  list->columns[list->count++] = copy;
  return PICUS_OK;
}

void picus_columns_release(picus_context *context, picus_column_list *list) {
  for (size_t k = 0; k < list->count; k++) release_texts(context, &list->columns[k]);
  picus_release(context, list->columns);
  *list = (picus_column_list){0};
}

void picus_columns_keep(picus_context *context, picus_column_list *list, const bool *chosen, int *places) {
  size_t count = 0;
  for (size_t k = 0; k < list->count; k++) {
    if (!chosen[k]) {
      release_texts(context, &list->columns[k]);
      continue;
    }
    places[count] = (int)k;
    list->columns[count++] = list->columns[k];
  }
  list->count = count;
}

/* A column LAW.name: the law's name stands before the name and the label that are given. */
static picus_status add_law_column(picus_context *context, picus_column_list *list, const char *law,
                                   picus_column column) {
  size_t size = strlen(law) + strlen(column.name) + strlen(column.label) + 8;
  char *name = picus_allocate(context, 2 * size, 1);
  if (!name) return PICUS_ERROR_MEMORY;
  char *label = name + size;
  snprintf(name, size, "%s.%s", law, column.name);
  snprintf(label, size, "%s %s", law, column.label);
  picus_status status = picus_columns_add(context, list, (picus_column){name, column.unit, label, column.kind});
  picus_release(context, name);
  return status;
}

picus_row_extras picus_row_extras_of(const picus_system *system, const picus_sim_options *options) {
  if (!options) return (picus_row_extras){0};
  const scheme_ops *scheme = options->scheme ? picus_scheme_find(options->scheme) : NULL;
  const double accepted = options->solver.accept_residual; /* negative: as the system needs it */
  return (picus_row_extras){.steps = options->adaptive,
                            .forces = scheme && scheme->description.forces,
                            .stages = options->implicit.stages && !options->adaptive && scheme && scheme->has_stages,
                            .residual = accepted > 0 || (accepted < 0 && system->appears)};
}

/* The forces and the impulse of one row of a law: row is "N", "F", "F1", "R1", ..., or "" for a constraint. */
static picus_status add_forces(picus_context *context, picus_column_list *list, const picus_system_law *law,
                               const char *row) {
  const bool is_constraint = row[0] == '\0', is_normal = row[0] == 'N';
  const bool rolls = row[0] == 'R';
  const char *kind = is_constraint ? "" : is_normal ? "normal " : rolls ? "rolling " : "friction ";
  const char *index = is_constraint || is_normal ? "" : row + 1, *space = index[0] ? " " : "";
  char name[24], label[64];
  static const struct {
    const char *sign, *quantity[2], *when, *unit[2];
    picus_column_kind kind;
  } parts[] = {{"+", {"force", "torque"}, " at the start of the step", {"N", "N m"}, PICUS_COLUMN_FORCE},
               {"-", {"force", "torque"}, " at the end of the step", {"N", "N m"}, PICUS_COLUMN_FORCE},
               {"", {"impulse", "impulse"}, "", {"N s", "N m s"}, PICUS_COLUMN_IMPULSE}};
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < 3; k++) {
    snprintf(name, sizeof name, "%s%s%s", k < 2 ? "lambda" : "Lambda", row, parts[k].sign);
    snprintf(label, sizeof label, "%s%s%s%s%s", kind, parts[k].quantity[rolls], space, index, parts[k].when);
    const picus_column column = {name, is_constraint ? "" : parts[k].unit[rolls], label, parts[k].kind};
    status = add_law_column(context, list, law->name, column);
  }
  return status;
}

static bool has_normal(const picus_system_law *law) {
  return law->kind != PICUS_RESERVOIR && law->kind != PICUS_ROLLING;
}

/* The percussions of one row of a law in both stages: P1N and P2N, P1F1 and P2F1, or P1 and P2 of a constraint. */
static picus_status add_stages(picus_context *context, picus_column_list *list, const picus_system_law *law,
                               const char *row) {
  const bool rolls = row[0] == 'R';
  const char *kind = row[0] == '\0' ? "" : row[0] == 'N' ? "normal " : rolls ? "rolling " : "friction ";
  const char *unit = row[0] == '\0' ? "" : rolls ? "N m s" : "N s";
  const char *index = row[0] && row[1] ? row + 1 : "", *space = index[0] ? " " : "";
  char name[24], label[64];
  picus_status status = PICUS_OK;
  for (int k = 1; !status && k <= 2; k++) {
    snprintf(name, sizeof name, "P%d%s", k, row);
    snprintf(label, sizeof label, "%spercussion%s%s of stage %d", kind, space, index, k);
    status = add_law_column(context, list, law->name, (picus_column){name, unit, label, PICUS_COLUMN_PERCUSSION});
  }
  return status;
}

typedef picus_status (*add_row_fn)(picus_context *context, picus_column_list *list, const picus_system_law *law,
                                   const char *row);

/* Columns of each row of a law. */
static picus_status add_law_rows(picus_context *context, picus_column_list *list, const picus_system_law *law,
                                 add_row_fn add) {
  static const char *const spatial[] = {"F1", "F2", "F3"}, *const rolling[] = {"R1", "R2", "R3"};
  const bool rolls = law->kind == PICUS_ROLLING;
  picus_status status = PICUS_OK;
  const bool is_contact = law->kind == PICUS_COULOMB || (law->kind == PICUS_UNILATERAL && law->has_gap);
  if (has_normal(law)) status = add(context, list, law, is_contact ? "N" : "");
  for (int k = 0; !status && k < law->slips && k < 3; k++)
    status = add(context, list, law,
                 law->displaced    ? ""
                 : law->slips == 1 ? (rolls ? "R" : "F")
                 : rolls           ? rolling[k]
                                   : spatial[k]);
  return status;
}

/* Gaps of contacts are lengths; the unit of a constraint expression is unknown. */
static picus_status add_law(picus_context *context, picus_column_list *list, const picus_system_law *law) {
  static const picus_column contact[] = {{"vN", "m/s", "gap velocity", PICUS_COLUMN_LAW_VELOCITY},
                                         {"PN", "N s", "normal percussion", PICUS_COLUMN_PERCUSSION}};
  static const picus_column constraint[] = {{"v", "", "velocity", PICUS_COLUMN_LAW_VELOCITY},
                                            {"P", "", "percussion", PICUS_COLUMN_PERCUSSION}};
  static const picus_column planar = {"PF", "N s", "friction percussion", PICUS_COLUMN_PERCUSSION};
  static const picus_column spatial[] = {{"PF1", "N s", "friction percussion 1", PICUS_COLUMN_PERCUSSION},
                                         {"PF2", "N s", "friction percussion 2", PICUS_COLUMN_PERCUSSION},
                                         {"PF3", "N s", "friction percussion 3", PICUS_COLUMN_PERCUSSION}};
  static const picus_column planar_rolling = {"PR", "N m s", "rolling percussion", PICUS_COLUMN_PERCUSSION};
  static const picus_column rolling[] = {{"PR1", "N m s", "rolling percussion 1", PICUS_COLUMN_PERCUSSION},
                                         {"PR2", "N m s", "rolling percussion 2", PICUS_COLUMN_PERCUSSION},
                                         {"PR3", "N m s", "rolling percussion 3", PICUS_COLUMN_PERCUSSION}};
  const bool rolls = law->kind == PICUS_ROLLING;
  static const picus_column mode = {"mode", "", "mode", PICUS_COLUMN_MODE};
  bool is_contact = law->has_gap && (law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB);
  const picus_column gap = {"gap", is_contact ? "m" : "", law->displaced ? "displacement" : "gap", PICUS_COLUMN_GAP};
  picus_status status = law->has_gap || law->displaced ? add_law_column(context, list, law->name, gap) : PICUS_OK;
  for (int k = 0; !status && is_contact && k < 2; k++) status = add_law_column(context, list, law->name, contact[k]);
  for (int k = 0; !status && has_normal(law) && !is_contact && k < 2; k++)
    status = add_law_column(context, list, law->name, constraint[k]);
  if (!status && law->displaced) status = add_law_column(context, list, law->name, constraint[1]);
  for (int k = 0; !status && !law->displaced && k < law->slips && k < 3; k++)
    status = add_law_column(context, list, law->name,
                            law->slips == 1 ? (rolls ? planar_rolling : planar) : (rolls ? rolling[k] : spatial[k]));
  return status ? status : add_law_column(context, list, law->name, mode);
}

/* Works by name, and those of laws whose surfaces move. */
static picus_status add_works(picus_context *context, const picus_system *system, picus_column_list *list) {
  static const picus_column of_law = {"work", "J", "work of the drive", PICUS_COLUMN_WORK};
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < picus_system_work_count(system); k++) {
    picus_column column = {picus_system_work_name(system, k), "J", "", PICUS_COLUMN_WORK};
    status = add_law_column(context, list, "E.work", column);
  }
  for (int k = 0; !status && k < picus_system_law_count(system); k++) {
    const picus_system_law law = picus_system_law_at(system, k);
    if (law.moves) status = add_law_column(context, list, law.name, of_law);
  }
  return status;
}

picus_status picus_columns_of_state(picus_context *context, const picus_system *system, picus_column_list *list) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < picus_system_nq(system); k++)
    if (picus_system_q_recorded(system, k)) status = picus_columns_add(context, list, picus_system_q_column(system, k));
  for (int k = 0; !status && k < picus_system_nu(system); k++)
    if (picus_system_u_recorded(system, k)) status = picus_columns_add(context, list, picus_system_u_column(system, k));
  for (int k = 0; !status && k < picus_system_input_count(system); k++)
    if (!system->input_names[k].unrecorded)
      status = picus_columns_add(context, list, picus_system_input_column(system, k));
  return status;
}

picus_status picus_columns_of_system(picus_context *context, const picus_system *system, picus_row_extras extras,
                                     picus_column_list *list) {
  static const picus_column time = {"t", "s", "time", PICUS_COLUMN_TIME};
  static const picus_column energies[] = {{"E.kin", "J", "kinetic energy", PICUS_COLUMN_ENERGY},
                                          {"E.pot", "J", "potential energy", PICUS_COLUMN_ENERGY},
                                          {"E.total", "J", "total energy", PICUS_COLUMN_ENERGY}};
  static const picus_column steps[] = {{"dt", "s", "step size", PICUS_COLUMN_STEP},
                                       {"order", "", "order of the step", PICUS_COLUMN_STEP}};
  static const picus_column residual = {"solver.residual", "", "residual of the contact problems", PICUS_COLUMN_STEP};
  picus_status status = picus_columns_add(context, list, time);
  if (!status) status = picus_columns_of_state(context, system, list);
  for (int k = 0; !status && k < picus_system_law_count(system); k++) {
    picus_system_law law = picus_system_law_at(system, k);
    status = add_law(context, list, &law);
    if (!status && extras.forces) status = add_law_rows(context, list, &law, add_forces);
    if (!status && extras.stages) status = add_law_rows(context, list, &law, add_stages);
  }
  for (int k = 0; !status && k < 3; k++) status = picus_columns_add(context, list, energies[k]);
  for (int k = 0; !status && extras.steps && k < 2; k++) status = picus_columns_add(context, list, steps[k]);
  if (!status && extras.residual) status = picus_columns_add(context, list, residual);
  for (int k = 0; !status && k < picus_system_observable_count(system); k++)
    status = picus_columns_add(context, list, picus_system_observable(system, k));
  return status ? status : add_works(context, system, list);
}

/* P: its percussion since the last row. */
static double *fill_law(double *row, const picus_system_law *law, const picus_law_state *state, const double *P) {
  if (law->has_gap || law->displaced) *row++ = state->gap;
  if (has_normal(law)) {
    *row++ = state->normal_velocity;
    *row++ = *P++;
  }
  for (int k = 0; k < law->slips; k++) *row++ = *P++;
  *row++ = (double)state->mode;
  return row;
}

static double *fill_forces(double *row, const picus_system_law *law, const picus_law_state *state) {
  for (int k = 0; k < law->dim; k++) {
    *row++ = state->force_begin[k];
    *row++ = state->force_end[k];
    *row++ = state->impulse[k];
  }
  return row;
}

/* P, P1: of the complete steps since the last row, and of their first stages. */
static double *fill_stages(double *row, const picus_system_law *law, const double *P, const double *P1) {
  for (int k = 0; k < law->dim; k++) {
    *row++ = P1[k];
    *row++ = P[k] - P1[k];
  }
  return row;
}

double *picus_columns_fill_state(const picus_system *system, const picus_state *state, const input_value *inputs,
                                 double *row) {
  for (int k = 0; k < state->nq; k++)
    if (picus_system_q_recorded(system, k)) *row++ = state->q[k];
  for (int k = 0; k < state->nu; k++)
    if (picus_system_u_recorded(system, k)) *row++ = state->u[k];
  for (int k = 0; k < system->input_count; k++)
    if (!system->input_names[k].unrecorded) *row++ = picus_input_at(&inputs[k], state->t);
  return row;
}

picus_status picus_columns_fill(const picus_row_view *view, picus_row_extras extras, double *row) {
  const picus_system *system = view->system;
  const picus_state *state = &view->state;
  *row++ = state->t;
  row = picus_columns_fill_state(system, state, view->evaluation->inputs, row);
  for (int k = 0; k < system->fixed.law_count; k++) {
    const picus_system_law *law = &system->fixed.laws[k].data;
    row = fill_law(row, law, &view->laws[k], view->P + law->first_row);
    if (extras.forces) row = fill_forces(row, law, &view->laws[k]);
    if (extras.stages) row = fill_stages(row, law, view->P + law->first_row, view->P1 + law->first_row);
  }
  *row++ = view->kinetic;
  *row++ = view->potential;
  *row++ = view->kinetic + view->potential;
  if (extras.steps) {
    *row++ = view->dt;
    *row++ = view->order;
  }
  if (extras.residual) *row++ = view->residual;
  picus_status status = picus_system_observe(view->evaluation, row);
  row += system->observable_count;
  for (int k = 0; k < system->work_count; k++) *row++ = view->works[k];
  for (int k = 0; k < picus_system_law_count(system); k++)
    if (system->fixed.laws[k].data.moves) *row++ = view->laws[k].driven;
  return status;
}

/* --- selection by patterns ---------------------------------------------------------------------------------------- */

/* '*' stands for any letters, '?' for one. After a star, the shortest match that works is taken: only the last star
 * needs to be tried again. */
static bool matches(const char *pattern, size_t length, const char *name) {
  const char *end = pattern + length, *star = NULL, *retry = NULL;
  while (*name) {
    if (pattern < end && *pattern == '*') {
      star = ++pattern;
      retry = name;
    } else if (pattern < end && (*pattern == '?' || *pattern == *name)) {
      pattern++;
      name++;
    } else if (star) {
      pattern = star;
      name = ++retry;
    } else {
      return false;
    }
  }
  while (pattern < end && *pattern == '*') pattern++;
  return pattern == end;
}

static const char *column_name(const void *user, int k) {
  const picus_column_list *list = user;
  return k < (int)list->count ? list->columns[k].name : NULL;
}

static picus_status fail_unknown(picus_context *context, const picus_column_list *list, const char *word,
                                 size_t length) {
  enum { MOST = 60 };
  char name[MOST + 1] = "";
  memcpy(name, word, length < MOST ? length : MOST);
  const char *nearest = picus_nearest_name(name, column_name, list);
  return picus_fail(context, PICUS_ERROR_NAME, "no column of the results matches '%s'%s%s%s", name,
                    nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

picus_status picus_columns_choose(picus_context *context, const picus_column_list *list, const char *patterns,
                                  bool *chosen) {
  static const char separators[] = ", \t\r\n";
  bool is_empty = true;
  for (size_t k = 0; k < list->count; k++) chosen[k] = list->columns[k].kind == PICUS_COLUMN_TIME;
  for (const char *word = patterns + strspn(patterns, separators); *word; word += strspn(word, separators)) {
    const size_t length = strcspn(word, separators);
    bool found = false;
    for (size_t k = 0; k < list->count; k++) {
      if (!matches(word, length, list->columns[k].name)) continue;
      chosen[k] = found = true;
    }
    if (!found) return fail_unknown(context, list, word, length);
    is_empty = false;
    word += length;
  }
  if (!is_empty) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT, "the list of columns to record is empty; '*' stands for all");
}
