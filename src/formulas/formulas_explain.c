/* The expression of a value that is not finite, from the tapes. */
#include "formulas/formulas.h"

#include "expr/tape.h"
#include "system/switches.h"

#include <math.h>
#include <stdio.h>

enum { FORMULA_SIZE = 100, OPERATION_SIZE = 60 }; /* letters of a formula in a message */

/* The register of the value in one of the tapes; -1: the part has no expression for it. */
typedef struct formula_place {
  const picus_tape *tape;
  double *registers;
  int at;
  const formula_jacobians *jacobians; /* that hold it; NULL: none */
} formula_place;

typedef struct name_source {
  const formulas_source *self;
  const picus_system *system;
  const system_source *source;
  const formula_jacobians *jacobians; /* NULL: the value is none of them */
} name_source;

static int index_of(const int *variables, int count, int variable) {
  for (int i = 0; variables && i < count; i++)
    if (variables[i] == variable) return i;
  return -1;
}

static const char *variable_name(const void *user, int variable) {
  const name_source *from = user;
  const formulas_source *self = from->self;
  const formula_nodes *nodes = &self->nodes;
  int i;
  if (variable == self->time) return "t";
  if ((i = index_of(self->q_variable, self->nq, variable)) >= 0)
    return from->system->q_names[from->source->q0 + i].name;
  if ((i = index_of(self->u_variable, self->nu, variable)) >= 0)
    return from->system->u_names[from->source->u0 + i].name;
  if ((i = index_of(nodes->x_variable, nodes->count, variable)) >= 0) return from->system->q_names[nodes->q[i]].name;
  if ((i = index_of(nodes->v_variable, nodes->count, variable)) >= 0) return from->system->u_names[nodes->u[i]].name;
  for (i = 0; i < self->input_count; i++)
    if (variable == self->inputs[i].value || variable == self->inputs[i].rate || variable == self->inputs[i].since)
      return from->system->input_names[i].name;
  for (i = 0; i < from->system->switch_count; i++)
    if (picus_switch_has_variable(from->system, i, variable)) return NULL;
  return index_of(from->jacobians ? from->jacobians->P_variable : NULL, self->row_count, variable) >= 0 ? "P" : "v";
}

static int load_of(const formulas_source *self, int velocity) {
  for (int k = 0; k < self->nodes.load_count; k++)
    if (self->nodes.u[self->nodes.load[k]] == velocity) return k;
  return -1;
}

/* The output that holds an entry of a matrix; -1: the entry is always zero. */
static int entry_output(const formula_entries *entries, int row, int column) {
  for (int k = 0; k < entries->count; k++)
    if (entries->row[k] == row && entries->column[k] == column) return k;
  return -1;
}

/* The output of a stage with this value; -1: none. */
static int output_of(const formulas_source *self, value_place place) {
  if (place.quantity == QUANTITY_LOAD) return load_of(self, place.row);
  if (place.quantity == QUANTITY_MASS) return entry_output(&self->mass, place.row, place.column);
  return place.row;
}

/* The first output of a row of W or chi that is not finite. */
static int direction_output(const formulas_source *self, const picus_tape *tape, int stage, const double *registers,
                            int row) {
  const int chi = self->W.count + row;
  for (int k = 0; k < self->W.count; k++)
    if (self->W.row[k] == row && !isfinite(registers[picus_tape_output(tape, stage, k)])) return k;
  return isfinite(registers[picus_tape_output(tape, stage, chi)]) ? -1 : chi;
}

/* The tape, stage and output that have a value, for its message. */
static formula_place find(const formulas_source *self, const source_point *point, value_place wanted) {
  static const int stages[] = {[QUANTITY_RATE] = STAGE_RATE,
                               [QUANTITY_GAP] = STAGE_GAPS,
                               [QUANTITY_FORCE] = STAGE_FORCE,
                               [QUANTITY_LOAD] = STAGE_LOADS,
                               [QUANTITY_MASS] = STAGE_MASS,
                               [QUANTITY_DIRECTION] = STAGE_DIRECTIONS,
                               [QUANTITY_ENERGY] = STAGE_ENERGY,
                               [QUANTITY_OBSERVABLE] = STAGE_OBSERVE,
                               [QUANTITY_FORCE_Q] = JACOBIAN_FORCE_Q,
                               [QUANTITY_FORCE_U] = JACOBIAN_FORCE_U,
                               [QUANTITY_MASS_Q] = JACOBIAN_MASS_Q,
                               [QUANTITY_RATE_Q] = JACOBIAN_RATE_Q,
                               [QUANTITY_RATE_U] = JACOBIAN_RATE_U,
                               [QUANTITY_GAP_Q] = JACOBIAN_GAP_Q,
                               [QUANTITY_VELOCITY_Q] = JACOBIAN_VELOCITY_Q,
                               [QUANTITY_DIRECTION_Q] = JACOBIAN_DIRECTION_Q};
  const formulas_work *work = point->work;
  const part_quantity quantity = wanted.quantity;
  const bool of_laws = point->laws_only && (quantity == QUANTITY_GAP || quantity == QUANTITY_DIRECTION);
  formula_place place = {self->tape, work->registers, -1, NULL};
  int stage = stages[quantity], output;
  if (quantity >= QUANTITY_FORCE_Q) {
    const jacobian_kind kind = (jacobian_kind)stage;
    const jacobian_group group = picus_jacobian_group(kind);
    const jacobian_work *request = work->jacobian_of[kind];
    if (!request) return place;
    place = (formula_place){request->jacobians->tape[group], request->registers[group], -1, request->jacobians};
    stage = picus_jacobian_stage(kind);
    output = entry_output(&request->jacobians->entries[kind], wanted.row, wanted.column);
  } else {
    if (of_laws) {
      place = (formula_place){self->law_tape, work->law_registers, -1, NULL};
      stage = quantity == QUANTITY_GAP ? LAW_STAGE_GAPS : LAW_STAGE_DIRECTIONS;
    }
    output = quantity == QUANTITY_DIRECTION ? direction_output(self, place.tape, stage, place.registers, wanted.row)
                                            : output_of(self, wanted);
  }
  if (output >= 0) place.at = picus_tape_output(place.tape, stage, output);
  return place;
}

void picus_formulas_explain(const system_source *source, const source_point *point, const picus_system *system,
                            value_place wanted, char *text, size_t size) {
  formula_place place = find(source->self, point, wanted);
  if (place.at < 0 || isfinite(place.registers[place.at])) return; /* not from formulas: a body moves too fast */
  picus_tape_fill(place.tape, place.registers);
  const name_source names = {source->self, system, source, place.jacobians};
  const picus_tape_view view = {place.tape, place.registers, variable_name, &names};
  char whole[FORMULA_SIZE], inner[FORMULA_SIZE], operation[OPERATION_SIZE];
  const int culprit = picus_tape_culprit(&view, place.at);
  picus_tape_text(&view, place.at, whole, sizeof whole);
  picus_tape_text(&view, culprit, inner, sizeof inner);
  picus_tape_operation_text(&view, culprit, operation, sizeof operation);
  const bool has_operation = operation[0] != '\0', is_whole = culprit == place.at;
  snprintf(text, size, "%s%s%s%s%s%s", inner, has_operation ? " = " : " is ", has_operation ? operation : "",
           has_operation ? "" : (isnan(place.registers[culprit]) ? "nan" : "infinite"), is_whole ? "" : " in ",
           is_whole ? "" : whole);
}
