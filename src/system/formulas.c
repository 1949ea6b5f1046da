/* Evaluation of a model of formulas. */
#include "system/formulas.h"

#include "base/internal.h"

#include <string.h>

static void work_destroy(const void *self, picus_context *context, void *memory) {
  (void)self;
  formulas_work *work = memory;
  picus_release(context, work->registers);
  picus_release(context, work->law_registers);
  picus_release(context, work->jacobian_registers);
  picus_release(context, work->output);
  picus_release(context, work);
}

static picus_status work_create(const void *self, picus_context *context, void **out) {
  const formulas_part *part = self;
  formulas_work *work = picus_allocate(context, 1, sizeof *work);
  if (!work) return PICUS_ERROR_MEMORY;
  work->registers = picus_allocate(context, (size_t)picus_tape_register_count(part->tape), sizeof(double));
  work->law_registers = picus_allocate(context, (size_t)picus_tape_register_count(part->law_tape), sizeof(double));
  work->jacobian_registers =
      picus_allocate(context, (size_t)picus_tape_register_count(part->jacobian_tape), sizeof(double));
  work->output = picus_allocate(context, (size_t)part->longest_output, sizeof(double));
  if (!work->registers || !work->law_registers || !work->jacobian_registers || !work->output) {
    work_destroy(self, context, work);
    return PICUS_ERROR_MEMORY;
  }
  picus_tape_prepare(part->tape, work->registers);
  picus_tape_prepare(part->law_tape, work->law_registers);
  picus_tape_prepare(part->jacobian_tape, work->jacobian_registers);
  *out = work;
  return PICUS_OK;
}

static void load_point(const formulas_part *part, const part_point *point, double *registers) {
  registers[part->time] = point->t;
  for (int i = 0; i < part->nq; i++) registers[part->q_variable[i]] = point->q[i];
  for (int i = 0; i < part->nu; i++) registers[part->u_variable[i]] = point->u[i];
  const formula_nodes *nodes = &part->nodes;
  for (int i = 0; i < nodes->count; i++) {
    registers[nodes->x_variable[i]] = point->system_q[nodes->q[i]];
    registers[nodes->v_variable[i]] = point->system_u[nodes->u[i]];
  }
}

static void set_point(const void *self, const part_point *point) {
  formulas_work *work = point->work;
  const formulas_part *part = self;
  if (point->laws_only) load_point(part, point, work->law_registers);
  if (!point->laws_only || !part->identity_rates) load_point(part, point, work->registers);
  work->stages_done = work->law_stages_done = 0;
  work->jacobian_stages_done = -1;
}

/* The same for a stage of the law tape: 0 gaps, 1 directions. */
static void read_law_stage(const formulas_part *part, const part_point *point, int stage, double *values) {
  formulas_work *work = point->work;
  for (; work->law_stages_done <= stage; work->law_stages_done++)
    picus_tape_run(part->law_tape, work->law_stages_done, work->law_registers);
  picus_tape_read(part->law_tape, stage, work->law_registers, values);
}

/* Runs the tape up to a stage and reads the stage's outputs. */
static void read_stage(const formulas_part *part, const part_point *point, formula_stage stage, double *values) {
  formulas_work *work = point->work;
  for (; work->stages_done <= (int)stage; work->stages_done++)
    picus_tape_run(part->tape, work->stages_done, work->registers);
  picus_tape_read(part->tape, (int)stage, work->registers, values);
}

static picus_status rate(const void *self, picus_context *context, const part_point *point, double *q_dot) {
  (void)context;
  read_stage(self, point, STAGE_RATE, q_dot);
  return PICUS_OK;
}

static picus_status gaps(const void *self, picus_context *context, const part_point *point, double *gap) {
  (void)context;
  if (point->laws_only)
    read_law_stage(self, point, 0, gap);
  else
    read_stage(self, point, STAGE_GAPS, gap);
  return PICUS_OK;
}

static picus_status force(const void *self, picus_context *context, const part_point *point, double *h) {
  (void)context;
  read_stage(self, point, STAGE_FORCE, h);
  return PICUS_OK;
}

static picus_status loads(const void *self, picus_context *context, const part_point *point, double *system_h) {
  (void)context;
  const formulas_part *part = self;
  formulas_work *work = point->work;
  read_stage(part, point, STAGE_LOADS, work->output);
  for (int k = 0; k < part->nodes.load_count; k++) system_h[part->nodes.u[part->nodes.load[k]]] += work->output[k];
  return PICUS_OK;
}

static picus_status mass(const void *self, picus_context *context, const part_point *point, double *M) {
  (void)context;
  const formulas_part *part = self;
  formulas_work *work = point->work;
  const size_t n = (size_t)part->nu;
  read_stage(part, point, STAGE_MASS, work->output);
  const double *entry = work->output;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++, entry++) M[i * n + j] = M[j * n + i] = *entry;
  return PICUS_OK;
}

/* Outputs of the stage: own coefficients, chi, coefficients of nodes. */
static void spread_directions(const formulas_part *part, const double *output, double *W, double *chi) {
  const formula_rows *rows = &part->rows;
  const size_t nu = (size_t)part->nu, row_count = (size_t)part->row_count;
  memset(W, 0, rows->width * sizeof *W);
  for (size_t r = 0; r < row_count; r++)
    if (rows->own[r] != SIZE_MAX) memcpy(W + rows->own[r], output + r * nu, nu * sizeof *W);
  memcpy(chi, output + row_count * nu, row_count * sizeof *chi);
  const double *node_values = output + row_count * nu + row_count;
  for (size_t k = 0; k < rows->node_count; k++) W[rows->node_at[k]] = node_values[k];
}

static picus_status directions(const void *self, picus_context *context, const part_point *point, double *W,
                               double *chi) {
  (void)context;
  const formulas_part *part = self;
  formulas_work *work = point->work;
  const size_t W_count = (size_t)part->row_count * (size_t)part->nu;
  if (point->laws_only)
    read_law_stage(part, point, 1, work->output);
  else
    read_stage(part, point, STAGE_DIRECTIONS, work->output);
  if (part->nodes.count > 0) {
    spread_directions(part, work->output, W, chi);
    return PICUS_OK;
  }
  memcpy(W, work->output, W_count * sizeof *W);
  memcpy(chi, work->output + W_count, (size_t)part->row_count * sizeof *chi);
  return PICUS_OK;
}

static picus_status energy(const void *self, picus_context *context, const part_point *point, double *kinetic,
                           double *potential) {
  (void)context;
  formulas_work *work = point->work;
  read_stage(self, point, STAGE_ENERGY, work->output);
  *kinetic = work->output[0];
  *potential = work->output[1];
  return PICUS_OK;
}

static picus_status observe(const void *self, picus_context *context, const part_point *point, double *values) {
  (void)context;
  read_stage(self, point, STAGE_OBSERVE, values);
  return PICUS_OK;
}

/* A given vector of a Jacobian has changed: its stage and those after it must be run again. */
static void forget_from(formulas_work *work, jacobian_kind kind) {
  if (work->jacobian_stages_done > (int)kind) work->jacobian_stages_done = (int)kind;
}

/* One Jacobian at the point, its zero entries left as they are. */
static void fill_jacobian(const formulas_part *part, const part_point *point, jacobian_kind kind, int columns,
                          double *matrix) {
  formulas_work *work = point->work;
  if (work->jacobian_stages_done < 0) {
    load_point(part, point, work->jacobian_registers);
    work->jacobian_stages_done = 0;
  }
  for (; work->jacobian_stages_done <= (int)kind; work->jacobian_stages_done++)
    picus_tape_run(part->jacobian_tape, work->jacobian_stages_done, work->jacobian_registers);
  picus_tape_read(part->jacobian_tape, (int)kind, work->jacobian_registers, work->output);
  const sparse_entries *entries = &part->jacobian[kind];
  for (int i = 0; i < entries->count; i++)
    matrix[(size_t)entries->row[i] * (size_t)columns + (size_t)entries->column[i]] = work->output[i];
}

static picus_status force_jacobian(const void *self, picus_context *context, const part_point *point, double *dh_dq,
                                   double *dh_du) {
  (void)context;
  const formulas_part *part = self;
  fill_jacobian(part, point, JACOBIAN_FORCE_Q, part->nq, dh_dq);
  fill_jacobian(part, point, JACOBIAN_FORCE_U, part->nu, dh_du);
  return PICUS_OK;
}

static picus_status gap_jacobian(const void *self, picus_context *context, const part_point *point, double *dg_dq) {
  (void)context;
  const formulas_part *part = self;
  fill_jacobian(part, point, JACOBIAN_GAP_Q, part->nq, dg_dq);
  return PICUS_OK;
}

static picus_status rate_jacobian(const void *self, picus_context *context, const part_point *point, double *drate_dq,
                                  double *B) {
  (void)context;
  const formulas_part *part = self;
  fill_jacobian(part, point, JACOBIAN_RATE_Q, part->nq, drate_dq);
  fill_jacobian(part, point, JACOBIAN_RATE_U, part->nu, B);
  return PICUS_OK;
}

static picus_status mass_jacobian(const void *self, picus_context *context, const part_point *point, const double *v,
                                  double *dMv_dq) {
  (void)context;
  const formulas_part *part = self;
  formulas_work *work = point->work;
  forget_from(work, JACOBIAN_MASS_Q);
  for (int i = 0; i < part->nu; i++) work->jacobian_registers[part->v_variable[i]] = v[i];
  fill_jacobian(part, point, JACOBIAN_MASS_Q, part->nq, dMv_dq);
  return PICUS_OK;
}

static picus_status velocity_jacobian(const void *self, picus_context *context, const part_point *point,
                                      double *dgamma_dq) {
  (void)context;
  const formulas_part *part = self;
  fill_jacobian(part, point, JACOBIAN_VELOCITY_Q, part->nq, dgamma_dq);
  return PICUS_OK;
}

static picus_status direction_jacobian(const void *self, picus_context *context, const part_point *point,
                                       const double *P, double *dWP_dq) {
  (void)context;
  const formulas_part *part = self;
  formulas_work *work = point->work;
  forget_from(work, JACOBIAN_DIRECTION_Q);
  for (int r = 0; r < part->row_count; r++) work->jacobian_registers[part->P_variable[r]] = P[r];
  fill_jacobian(part, point, JACOBIAN_DIRECTION_Q, part->nq, dWP_dq);
  return PICUS_OK;
}

static void destroy(void *self, picus_context *context) {
  formulas_part *part = self;
  picus_tape_destroy(part->tape);
  picus_tape_destroy(part->law_tape);
  picus_tape_destroy(part->jacobian_tape);
  for (int i = 0; i < JACOBIAN_COUNT; i++) {
    picus_release(context, part->jacobian[i].row);
    picus_release(context, part->jacobian[i].column);
  }
  picus_release(context, part->q_variable);
  picus_release(context, part->u_variable);
  picus_release(context, part->v_variable);
  picus_release(context, part->P_variable);
  picus_release(context, part->nodes.x_variable);
  picus_release(context, part->nodes.v_variable);
  picus_release(context, part->nodes.q);
  picus_release(context, part->nodes.u);
  picus_release(context, part->nodes.load);
  picus_release(context, part->rows.own);
  picus_release(context, part->rows.node);
  picus_release(context, part->rows.node_row);
  picus_release(context, part->rows.node_at);
  picus_release(context, part);
}

const part_ops picus_formulas_ops = {.kind = "formulas",
                                     .work_create = work_create,
                                     .work_destroy = work_destroy,
                                     .set_point = set_point,
                                     .rate = rate,
                                     .force = force,
                                     .loads = loads,
                                     .gaps = gaps,
                                     .mass = mass,
                                     .directions = directions,
                                     .energy = energy,
                                     .observe = observe,
                                     .force_jacobian = force_jacobian,
                                     .gap_jacobian = gap_jacobian,
                                     .rate_jacobian = rate_jacobian,
                                     .mass_jacobian = mass_jacobian,
                                     .velocity_jacobian = velocity_jacobian,
                                     .direction_jacobian = direction_jacobian,
                                     .explain = picus_formulas_explain,
                                     .destroy = destroy};

static bool all_numbers(const picus_pool *pool, const picus_expr *exprs, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!picus_expr_is_number(pool, exprs[i], NULL)) return false;
  return true;
}

static int load_count(const picus_model *model) {
  int count = 0;
  for (int i = 0; i < model->node_count; i++) count += picus_expr_valid(model->nodes[i].force);
  return count;
}

/* The outputs of all stages one after the other, in the order of formula_stage. */
static picus_expr *list_outputs(picus_model *model, const equations *eq, int *counts) {
  const int nu = eq->nu;
  int total = 0;
  counts[STAGE_RATE] = eq->nq;
  counts[STAGE_GAPS] = eq->law_count;
  counts[STAGE_FORCE] = nu;
  counts[STAGE_LOADS] = load_count(model);
  counts[STAGE_MASS] = nu * (nu + 1) / 2;
  counts[STAGE_DIRECTIONS] = eq->row_count * nu + eq->row_count + (int)eq->node_W_count;
  counts[STAGE_ENERGY] = 2;
  counts[STAGE_OBSERVE] = model->observable_count;
  for (int s = 0; s < STAGE_COUNT; s++) total += counts[s];
  picus_expr *outputs = picus_allocate(model->context, (size_t)total, sizeof *outputs), *next = outputs;
  if (!outputs) return NULL;
  for (int i = 0; i < eq->nq; i++) *next++ = eq->rate[i];
  for (int i = 0; i < eq->law_count; i++) *next++ = eq->gap[i];
  for (int i = 0; i < nu; i++) *next++ = eq->h[i];
  for (int i = 0; i < model->node_count; i++)
    if (picus_expr_valid(model->nodes[i].force)) *next++ = model->nodes[i].force;
  for (int i = 0; i < nu; i++)
    for (int j = 0; j <= i; j++) *next++ = eq->M[(size_t)i * (size_t)nu + (size_t)j];
  for (int i = 0; i < eq->row_count * nu; i++) *next++ = eq->W[i];
  for (int i = 0; i < eq->row_count; i++) *next++ = eq->chi[i];
  for (size_t i = 0; i < eq->node_W_count; i++) *next++ = eq->node_W[i].value;
  *next++ = eq->kinetic;
  *next++ = eq->potential;
  for (int i = 0; i < model->observable_count; i++) *next++ = model->observables[i].value;
  return outputs;
}

static picus_status compile_tape(picus_model *model, const equations *eq, formulas_part *part) {
  picus_expr *outputs = list_outputs(model, eq, part->stage_outputs);
  if (!outputs) return PICUS_ERROR_MEMORY;
  picus_tape_stage stages[STAGE_COUNT];
  const picus_expr *next = outputs;
  for (int s = 0; s < STAGE_COUNT; s++) {
    stages[s] = (picus_tape_stage){part->stage_outputs[s], next};
    next += part->stage_outputs[s];
    if (part->stage_outputs[s] > part->longest_output) part->longest_output = part->stage_outputs[s];
  }
  picus_status status = picus_tape_create(model->pool, STAGE_COUNT, stages, &part->tape);
  const picus_tape_stage laws[] = {stages[STAGE_GAPS], stages[STAGE_DIRECTIONS]};
  if (status == PICUS_OK) status = picus_tape_create(model->pool, 2, laws, &part->law_tape);
  picus_release(model->context, outputs);
  return status;
}

static picus_status allocate_nodes(const picus_model *model, size_t entries, formulas_part *part) {
  const size_t count = (size_t)model->node_count;
  formula_nodes *nodes = &part->nodes;
  formula_rows *rows = &part->rows;
  nodes->x_variable = picus_allocate(model->context, count, sizeof(int));
  nodes->v_variable = picus_allocate(model->context, count, sizeof(int));
  nodes->q = picus_allocate(model->context, count, sizeof(int));
  nodes->u = picus_allocate(model->context, count, sizeof(int));
  nodes->load = picus_allocate(model->context, count, sizeof(int));
  rows->own = picus_allocate(model->context, (size_t)part->row_count, sizeof *rows->own);
  rows->node = picus_allocate(model->context, entries, sizeof(int));
  rows->node_row = picus_allocate(model->context, entries, sizeof(int));
  rows->node_at = picus_allocate(model->context, entries, sizeof *rows->node_at);
  bool all = nodes->x_variable && nodes->v_variable && nodes->q && nodes->u && nodes->load && rows->own && rows->node &&
             rows->node_row && rows->node_at;
  return all ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static picus_status note_nodes(picus_model *model, const equations *eq, formulas_part *part) {
  const size_t count = (size_t)model->node_count, entries = eq->node_W_count;
  formula_nodes *nodes = &part->nodes;
  formula_rows *rows = &part->rows;
  if (count == 0) return PICUS_OK;
  picus_status status = allocate_nodes(model, entries, part);
  if (status != PICUS_OK) return status;
  nodes->count = model->node_count;
  for (size_t i = 0; i < count; i++) {
    nodes->x_variable[i] = model->nodes[i].x_variable;
    nodes->v_variable[i] = model->nodes[i].v_variable;
    if (picus_expr_valid(model->nodes[i].force)) nodes->load[nodes->load_count++] = (int)i;
  }
  rows->node_count = entries;
  for (size_t k = 0; k < entries; k++) {
    rows->node[k] = eq->node_W[k].node;
    rows->node_row[k] = eq->node_W[k].row;
  }
  return PICUS_OK;
}

static picus_status note_variables(picus_model *model, formulas_part *part) {
  part->time = picus_expr_variable_index(model->pool, model->time);
  part->q_variable = picus_allocate(model->context, (size_t)part->nq, sizeof(int));
  part->u_variable = picus_allocate(model->context, (size_t)part->nu, sizeof(int));
  if (!part->q_variable || !part->u_variable) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < part->nq; i++) part->q_variable[i] = model->coordinates[i].variable;
  for (int i = 0; i < part->nu; i++) part->u_variable[i] = model->velocities[i].variable;
  return PICUS_OK;
}

picus_status picus_formulas_create(picus_model *model, const equations *eq, system_part *out) {
  formulas_part *part = picus_allocate(model->context, 1, sizeof *part);
  if (!part) return PICUS_ERROR_MEMORY;
  part->nq = eq->nq;
  part->nu = eq->nu;
  part->law_count = eq->law_count;
  part->row_count = eq->row_count;
  part->observable_count = model->observable_count;
  part->identity_rates = eq->identity_rates;
  size_t nu = (size_t)eq->nu, rows = (size_t)eq->row_count;
  *out = (system_part){.ops = &picus_formulas_ops,
                       .self = part,
                       .nq = eq->nq,
                       .nu = eq->nu,
                       .law_count = eq->law_count,
                       .observable_count = model->observable_count,
                       .mass_constant = all_numbers(model->pool, eq->M, nu * nu),
                       .directions_constant =
                           all_numbers(model->pool, eq->W, rows * nu) && all_numbers(model->pool, eq->chi, rows),
                       .identity_rates = eq->identity_rates};
  for (size_t k = 0; k < eq->node_W_count; k++)
    out->directions_constant = out->directions_constant && picus_expr_is_number(model->pool, eq->node_W[k].value, NULL);
  picus_status status = note_variables(model, part);
  if (status == PICUS_OK) status = note_nodes(model, eq, part);
  out->has_loads = part->nodes.load_count > 0;
  if (status == PICUS_OK) status = picus_formulas_compile_jacobians(model, eq, part); /* adds variables: first */
  out->tangents_constant = part->tangents_constant;
  if (status == PICUS_OK) status = compile_tape(model, eq, part);
  return status; /* on failure the caller destroys the part with its system */
}
