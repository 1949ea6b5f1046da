/* The source of expressions when a system is created: its variables, constants and nodes, its parts, and the tape of
 * its outputs. formulas.c evaluates it. */
#include "formulas/formulas.h"

#include "base/internal.h"
#include "expr/tape.h"
#include "formulas/switch_formulas.h"

#include <string.h>

static picus_status note_nodes(picus_model *model, const equations *eq, formulas_source *source) {
  const size_t count = (size_t)model->node_count;
  formula_nodes *nodes = &source->nodes;
  if (count == 0) return PICUS_OK;
  nodes->x_variable = picus_allocate(model->context, count, sizeof(int));
  nodes->v_variable = picus_allocate(model->context, count, sizeof(int));
  nodes->q = picus_allocate(model->context, count, sizeof(int));
  nodes->u = picus_allocate(model->context, count, sizeof(int));
  nodes->load = picus_allocate(model->context, count, sizeof(int));
  if (!nodes->x_variable || !nodes->v_variable || !nodes->q || !nodes->u || !nodes->load) return PICUS_ERROR_MEMORY;
  nodes->count = model->node_count;
  for (size_t i = 0; i < count; i++) {
    nodes->x_variable[i] = model->nodes[i].x_variable;
    nodes->v_variable[i] = model->nodes[i].v_variable;
    if (picus_expr_valid(eq->node_force[i])) nodes->load[nodes->load_count++] = (int)i;
  }
  return PICUS_OK;
}

static picus_status note_variables(picus_model *model, formulas_source *source) {
  source->time = picus_expr_variable_index(model->pool, model->time);
  source->q_variable = picus_allocate(model->context, (size_t)source->nq, sizeof(int));
  source->u_variable = picus_allocate(model->context, (size_t)source->nu, sizeof(int));
  if (!source->q_variable || !source->u_variable) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < source->nq; i++) source->q_variable[i] = model->coordinates[i].variable;
  for (int i = 0; i < source->nu; i++) source->u_variable[i] = model->velocities[i].variable;
  source->inputs = picus_allocate(model->context, (size_t)model->input_count, sizeof *source->inputs);
  if (!source->inputs) return PICUS_ERROR_MEMORY;
  source->input_count = model->input_count;
  for (int i = 0; i < source->input_count; i++) {
    const picus_model_input_entry *input = &model->inputs[i];
    source->inputs[i] = (formula_input){input->value_variable, input->rate_variable, input->since_variable};
  }
  return PICUS_OK;
}

static bool all_numbers(const picus_pool *pool, const picus_expr *exprs, int count) {
  for (int i = 0; i < count; i++)
    if (!picus_expr_is_number(pool, exprs[i], NULL)) return false;
  return true;
}

picus_status picus_formulas_create(picus_model *model, const equations *eq, system_source *out) {
  formulas_source *source = picus_allocate(model->context, 1, sizeof *source);
  if (!source) return PICUS_ERROR_MEMORY;
  *out = (system_source){.ops = &picus_formulas_ops, /* on failure the caller destroys it with its system */
                         .self = source,
                         .law_count = eq->law_count,
                         .work_count = eq->work_count,
                         .observable_count = model->observable_count,
                         .directions_constant = picus_expr_matrix_is_constant(model->pool, &eq->W) &&
                                                all_numbers(model->pool, eq->chi, eq->row_count)};
  source->nq = eq->nq;
  source->nu = eq->nu;
  source->law_count = eq->law_count;
  source->row_count = eq->row_count;
  picus_status status = note_variables(model, source);
  if (!status) status = note_nodes(model, eq, source);
  if (!status) status = picus_formulas_find_parts(model, eq, source);
  if (!status) status = picus_rigid_create(model, eq, &source->rigid);
  if (!status) status = picus_rigid_set_parts(model->context, source->parts, source->part_count, &source->rigid);
  out->part_count = source->part_count;
  out->has_loads = source->nodes.load_count > 0;
  return status;
}

void picus_formulas_describe(const system_source *source, system_part *parts) {
  const formulas_source *formulas = source->self;
  for (int p = 0; p < formulas->part_count; p++) parts[p] = formulas->parts[p];
}

/* M with both halves. */
static picus_status mirror_mass(picus_model *model, const equations *eq, expr_matrix *out) {
  picus_status status = picus_expr_matrix_create(model->context, eq->nu, out);
  for (size_t k = 0; !status && k < eq->M.count; k++) {
    const expr_entry entry = eq->M.entries[k], mirrored = {entry.column, entry.row, entry.value};
    status = picus_expr_matrix_add(model->context, model->pool, out, entry);
    if (!status && entry.row != entry.column)
      status = picus_expr_matrix_add(model->context, model->pool, out, mirrored);
  }
  return status ? status : picus_expr_matrix_sort(model->context, model->pool, out);
}

static picus_expr *append(picus_expr *next, const picus_expr *exprs, int count) {
  for (int i = 0; i < count; i++) *next++ = exprs[i];
  return next;
}

static picus_expr *append_entries(picus_expr *next, const expr_matrix *matrix) {
  for (size_t i = 0; i < matrix->count; i++) *next++ = matrix->entries[i].value;
  return next;
}

/* The outputs of all stages one after the other, in the order of formula_stage; NULL: out of memory. */
static picus_expr *list_outputs(picus_model *model, const equations *eq, const expr_matrix *M,
                                formulas_source *source) {
  int total = 0;
  const int counts[STAGE_COUNT] = {[STAGE_RATE] = eq->nq,        [STAGE_GAPS] = eq->law_count,
                                   [STAGE_FORCE] = eq->nu,       [STAGE_LOADS] = source->nodes.load_count,
                                   [STAGE_MASS] = (int)M->count, [STAGE_DIRECTIONS] = (int)eq->W.count + eq->row_count,
                                   [STAGE_ENERGY] = 2,           [STAGE_OBSERVE] = model->observable_count};
  memcpy(source->stage_outputs, counts, sizeof counts);
  for (int s = 0; s < STAGE_COUNT; s++) total += counts[s];
  picus_expr *outputs = picus_allocate(model->context, (size_t)total, sizeof *outputs);
  if (!outputs) return NULL;
  picus_expr *next = append(outputs, eq->rate, eq->nq);
  next = append(next, eq->gap, eq->law_count);
  next = append(next, eq->h, eq->nu);
  for (int i = 0; i < source->nodes.load_count; i++) *next++ = eq->node_force[source->nodes.load[i]];
  next = append_entries(next, M);
  next = append_entries(next, &eq->W);
  next = append(next, eq->chi, eq->row_count);
  *next++ = eq->kinetic;
  *next++ = eq->potential;
  for (int i = 0; i < model->observable_count; i++) *next++ = model->observables[i].value;
  return outputs;
}

static picus_status compile_tape(picus_model *model, const equations *eq, const expr_matrix *M,
                                 formulas_source *source) {
  picus_expr *outputs = list_outputs(model, eq, M, source);
  if (!outputs) return PICUS_ERROR_MEMORY;
  picus_tape_stage stages[STAGE_COUNT];
  const picus_expr *next = outputs;
  for (int s = 0; s < STAGE_COUNT; s++) {
    stages[s] = (picus_tape_stage){source->stage_outputs[s], next};
    next += source->stage_outputs[s];
  }
  source->longest_output = source->nodes.load_count > 2 ? source->nodes.load_count : 2; /* loads, energies */
  const size_t held = (size_t)(stages[STAGE_OBSERVE].outputs - outputs); /* observed values belong to no step */
  picus_status status = picus_switches_rewrite(model->context, model->pool, source->system, held, outputs);
  if (!status) status = picus_tape_create(model->pool, STAGE_COUNT, stages, &source->tape);
  const picus_tape_stage laws[LAW_STAGE_COUNT] = {
      [LAW_STAGE_GAPS] = stages[STAGE_GAPS], [LAW_STAGE_DIRECTIONS] = stages[STAGE_DIRECTIONS]};
  if (!status) status = picus_tape_create(model->pool, LAW_STAGE_COUNT, laws, &source->law_tape);
  picus_release(model->context, outputs);
  return status;
}

static picus_status compile_powers(picus_model *model, const equations *eq, formulas_source *source) {
  const size_t count = (size_t)eq->work_count;
  if (count == 0) return PICUS_OK;
  picus_expr *outputs = picus_allocate(model->context, 2 * count, sizeof *outputs);
  if (!outputs) return PICUS_ERROR_MEMORY;
  for (size_t i = 0; i < count; i++) {
    outputs[i] = eq->works[i].power;
    outputs[count + i] = eq->works[i].stored;
  }
  const picus_tape_stage stage = {2 * eq->work_count, outputs};
  source->work_count = eq->work_count;
  picus_status status = picus_switches_rewrite(model->context, model->pool, source->system, 2 * count, outputs);
  if (!status) status = picus_tape_create(model->pool, 1, &stage, &source->power_tape);
  picus_release(model->context, outputs);
  return status;
}

void picus_formulas_place_nodes(const picus_model *model, picus_system *system) {
  formula_nodes *nodes = &((formulas_source *)system->sources[0].self)->nodes;
  for (int i = 0; i < nodes->count; i++) {
    const system_source *structure = &system->sources[1 + model->nodes[i].structure];
    nodes->q[i] = structure->q0 + model->nodes[i].index;
    nodes->u[i] = structure->u0 + model->nodes[i].index;
  }
}

/* The place of a velocity of the system in a row of the law. */
static size_t place_in_row(const picus_system *system, const system_law *law, int velocity) {
  size_t place = 0;
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &system->parts[law->parts[b]];
    if (velocity >= part->u0 && velocity < part->u0 + part->nu) return place + (size_t)(velocity - part->u0);
    place += (size_t)part->nu;
  }
  return place;
}

/* Columns beyond the model's own velocities are those of nodes. */
static void place_directions(picus_system *system, const formula_nodes *nodes, int nu, formula_entries *W) {
  for (int k = 0, i = 0; k < W->count; k++) {
    while (W->row[k] >= system->fixed.laws[i].data.first_row + system->fixed.laws[i].data.dim) i++;
    system_law *law = &system->fixed.laws[i];
    const int velocity = W->column[k] < nu ? W->column[k] : nodes->u[W->column[k] - nu];
    const size_t place = place_in_row(system, law, velocity);
    W->at[k] = law->W0 + (size_t)(W->row[k] - law->data.first_row) * (size_t)law->width + place;
    if (law->to == 0 || (int)place < law->from) law->from = (int)place;
    if ((int)place >= law->to) law->to = (int)place + 1;
  }
}

picus_status picus_formulas_compile(picus_model *model, const equations *eq, picus_system *system) {
  formulas_source *source = system->sources[0].self;
  expr_matrix M = {0};
  source->system = system;
  memcpy(source->parts, system->parts, (size_t)source->part_count * sizeof *source->parts); /* now with their widths */
  picus_status status = picus_formula_entries_create(model->context, &eq->W, &source->W);
  if (!status) place_directions(system, &source->nodes, eq->nu, &source->W);
  if (!status) status = mirror_mass(model, eq, &M);
  if (!status) status = picus_formula_entries_create(model->context, &M, &source->mass);
  if (!status) status = picus_formula_entries_place(model->context, source, (entry_matrix){0}, &source->mass);
  if (!status) status = compile_tape(model, eq, &M, source);
  if (!status) status = compile_powers(model, eq, source);
  if (!status) status = picus_switches_compile(model, system, &source->switch_tape);
  if (!status) status = picus_formulas_compile_coefficients(model, system, source);
  picus_expr_matrix_release(model->context, &M);
  return status;
}

/* --- places of entries -------------------------------------------------------------------------------------------- */

/* The positions of the entries of expression matrices in the matrices of numbers. */

picus_status picus_formula_entries_create(picus_context *context, const expr_matrix *matrix, formula_entries *out) {
  *out = (formula_entries){.count = (int)matrix->count,
                           .row = picus_allocate(context, matrix->count, sizeof(int)),
                           .column = picus_allocate(context, matrix->count, sizeof(int)),
                           .at = picus_allocate(context, matrix->count, sizeof(size_t))};
  if (!out->row || !out->column || !out->at) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < matrix->count; k++) {
    out->row[k] = matrix->entries[k].row;
    out->column[k] = matrix->entries[k].column;
  }
  return PICUS_OK;
}

void picus_formula_entries_release(picus_context *context, formula_entries *entries) {
  picus_release(context, entries->row);
  picus_release(context, entries->column);
  picus_release(context, entries->at);
  picus_release(context, entries->part_start);
  *entries = (formula_entries){0};
}

/* Whether a part has the column, and its place among the columns of the part. */
static bool has_column(const system_part *part, bool q_columns, int column, int *place) {
  const int first = q_columns ? part->q0 : part->u0, count = q_columns ? part->nq : part->nu;
  if (column < first || column >= first + count) return false;
  *place += column - first;
  return true;
}

/* The place of a column in dh/dq or dh/du of a part, among the columns of all coupled parts. */
static size_t coupled_column(const formulas_source *formulas, const system_part *part, bool q_columns, int column) {
  int place = 0;
  for (int k = 0; k < part->coupled_count; k++) {
    const system_part *other = &formulas->parts[part->coupled[k]];
    if (has_column(other, q_columns, column, &place)) return (size_t)place;
    place += q_columns ? other->nq : other->nu;
  }
  return (size_t)place;
}

picus_status picus_formula_entries_place(picus_context *context, const formulas_source *formulas, entry_matrix matrix,
                                         formula_entries *entries) {
  entries->part_start = picus_allocate(context, (size_t)formulas->part_count + 1, sizeof *entries->part_start);
  if (!entries->part_start) return PICUS_ERROR_MEMORY;
  int k = 0;
  for (int p = 0; p < formulas->part_count; p++) {
    const system_part *part = &formulas->parts[p];
    const int row0 = matrix.q_rows ? part->q0 : part->u0, rows = matrix.q_rows ? part->nq : part->nu;
    const int column0 = matrix.q_columns ? part->q0 : part->u0;
    const int own = matrix.q_columns ? part->nq : part->nu, all = matrix.q_columns ? part->q_width : part->u_width;
    entries->part_start[p] = k;
    for (; k < entries->count && entries->row[k] < row0 + rows; k++) {
      const size_t row = (size_t)(entries->row[k] - row0);
      if (matrix.coupled)
        entries->at[k] = row * (size_t)all + coupled_column(formulas, part, matrix.q_columns, entries->column[k]);
      else
        entries->at[k] = row * (size_t)own + (size_t)(entries->column[k] - column0);
    }
  }
  entries->part_start[formulas->part_count] = k;
  return PICUS_OK;
}
