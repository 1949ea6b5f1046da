/* The columns of a system, and a state as a row of them. */
#include "base/internal.h"
#include "record/internal.h"
#include "system/internal.h"

#include <stdio.h>
#include <string.h>

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
  static const picus_column mode = {"mode", "", "mode", PICUS_COLUMN_MODE};
  bool is_contact = law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB;
  const picus_column gap = {"gap", is_contact ? "m" : "", "gap", PICUS_COLUMN_GAP};
  picus_status status = law->has_gap ? add_law_column(context, list, law->name, gap) : PICUS_OK;
  for (int k = 0; !status && is_contact && k < 2; k++) status = add_law_column(context, list, law->name, contact[k]);
  for (int k = 0; !status && law->kind == PICUS_BILATERAL && k < 2; k++)
    status = add_law_column(context, list, law->name, constraint[k]);
  for (int k = 0; !status && k < law->slips && k < 3; k++)
    status = add_law_column(context, list, law->name, law->slips == 1 ? planar : spatial[k]);
  return status ? status : add_law_column(context, list, law->name, mode);
}

picus_status picus_columns_of_system(picus_context *context, const picus_system *system, bool adaptive,
                                     picus_column_list *list) {
  static const picus_column time = {"t", "s", "time", PICUS_COLUMN_TIME};
  static const picus_column energies[] = {{"E.kin", "J", "kinetic energy", PICUS_COLUMN_ENERGY},
                                          {"E.pot", "J", "potential energy", PICUS_COLUMN_ENERGY},
                                          {"E.total", "J", "total energy", PICUS_COLUMN_ENERGY}};
  static const picus_column steps[] = {{"dt", "s", "step size", PICUS_COLUMN_STEP},
                                       {"order", "", "order of the step", PICUS_COLUMN_STEP}};
  picus_status status = picus_columns_add(context, list, time);
  for (int k = 0; !status && k < picus_system_nq(system); k++)
    if (picus_system_q_recorded(system, k)) status = picus_columns_add(context, list, picus_system_q_column(system, k));
  for (int k = 0; !status && k < picus_system_nu(system); k++)
    if (picus_system_u_recorded(system, k)) status = picus_columns_add(context, list, picus_system_u_column(system, k));
  for (int k = 0; !status && k < picus_system_input_count(system); k++)
    status = picus_columns_add(context, list, picus_system_input_column(system, k));
  for (int k = 0; !status && k < picus_system_law_count(system); k++) {
    picus_system_law law = picus_system_law_at(system, k);
    status = add_law(context, list, &law);
  }
  for (int k = 0; !status && k < 3; k++) status = picus_columns_add(context, list, energies[k]);
  for (int k = 0; !status && adaptive && k < 2; k++) status = picus_columns_add(context, list, steps[k]);
  for (int k = 0; !status && k < picus_system_observable_count(system); k++)
    status = picus_columns_add(context, list, picus_system_observable(system, k));
  return status;
}

static double *fill_law(double *row, const picus_system_law *law, const picus_law_state *state) {
  if (law->has_gap) *row++ = state->gap;
  if (law->kind != PICUS_RESERVOIR) {
    *row++ = state->normal_velocity;
    *row++ = state->PN;
  }
  for (int k = 0; k < law->slips; k++) *row++ = state->PF[k];
  *row++ = (double)state->mode;
  return row;
}

picus_status picus_columns_fill(const picus_row_view *view, bool adaptive, double *row) {
  const picus_system *system = view->system;
  const picus_state *state = &view->state;
  *row++ = state->t;
  for (int k = 0; k < state->nq; k++)
    if (picus_system_q_recorded(system, k)) *row++ = state->q[k];
  for (int k = 0; k < state->nu; k++)
    if (picus_system_u_recorded(system, k)) *row++ = state->u[k];
  for (int k = 0; k < system->input_count; k++) *row++ = picus_input_at(&view->evaluation->inputs[k], state->t);
  for (int k = 0; k < picus_system_law_count(system); k++) {
    picus_system_law law = picus_system_law_at(system, k);
    row = fill_law(row, &law, &view->laws[k]);
  }
  *row++ = view->kinetic;
  *row++ = view->potential;
  *row++ = view->kinetic + view->potential;
  if (adaptive) {
    *row++ = view->dt;
    *row++ = view->order;
  }
  return picus_system_observe(view->evaluation, row);
}
