/* Evaluation of a model of formulas. */
#include "system/formulas.h"

#include "base/internal.h"
#include "expr/tape.h"
#include "system/switches.h"

#include <string.h>

static void work_destroy(const void *self, picus_context *context, void *memory) {
  (void)self;
  formulas_work *work = memory;
  picus_formulas_release_requests(context, work);
  picus_release(context, work->registers);
  picus_release(context, work->law_registers);
  picus_release(context, work->power_registers);
  picus_release(context, work->switch_registers);
  picus_release(context, work->output);
  picus_release(context, work);
}

static picus_status work_create(const void *self, picus_context *context, void **out) {
  const formulas_source *source = self;
  formulas_work *work = picus_allocate(context, 1, sizeof *work);
  if (!work) return PICUS_ERROR_MEMORY;
  work->registers = picus_allocate(context, (size_t)picus_tape_register_count(source->tape), sizeof(double));
  work->law_registers = picus_allocate(context, (size_t)picus_tape_register_count(source->law_tape), sizeof(double));
  work->output = picus_allocate(context, (size_t)source->longest_output, sizeof(double));
  const size_t powers = source->power_tape ? (size_t)picus_tape_register_count(source->power_tape) : 0;
  work->power_registers = picus_allocate(context, powers, sizeof(double));
  const size_t switches = source->switch_tape ? (size_t)picus_tape_register_count(source->switch_tape) : 0;
  work->switch_registers = picus_allocate(context, switches, sizeof(double));
  if (!work->registers || !work->law_registers || !work->output || !work->power_registers || !work->switch_registers) {
    work_destroy(self, context, work);
    return PICUS_ERROR_MEMORY;
  }
  picus_tape_prepare(source->tape, work->registers);
  picus_tape_prepare(source->law_tape, work->law_registers);
  if (source->power_tape) picus_tape_prepare(source->power_tape, work->power_registers);
  if (source->switch_tape) picus_tape_prepare(source->switch_tape, work->switch_registers);
  *out = work;
  return PICUS_OK;
}

static inline void load_point(const formulas_source *source, const source_point *point, double *registers) {
  registers[source->time] = point->t;
  for (int i = 0; i < source->nq; i++) registers[source->q_variable[i]] = point->q[i];
  for (int i = 0; i < source->nu; i++) registers[source->u_variable[i]] = point->u[i];
  const formula_nodes *nodes = &source->nodes;
  for (int i = 0; i < nodes->count; i++) {
    registers[nodes->x_variable[i]] = point->system_q[nodes->q[i]];
    registers[nodes->v_variable[i]] = point->system_u[nodes->u[i]];
  }
}

static void load_laws(const formulas_source *source, const source_point *point) {
  formulas_work *work = point->work;
  load_point(source, point, work->law_registers);
  if (!source->identity_rates) load_point(source, point, work->registers);
}

static void set_point(const void *self, const source_point *point) {
  formulas_work *work = point->work;
  const formulas_source *source = self;
  if (point->laws_only)
    load_laws(source, point);
  else
    load_point(source, point, work->registers);
  work->stages_done = work->law_stages_done = 0;
  for (int k = 0; k < work->request_count; k++)
    for (int g = 0; g < JACOBIAN_GROUP_COUNT; g++) work->requests[k].stages_done[g] = -1;
}

/* Tapes do not write into the registers of variables: inputs and sides stay there. */
static void load_inputs(const formulas_source *source, const source_point *point, double *registers) {
  for (int i = 0; i < source->input_count; i++) {
    const formula_input *at = &source->inputs[i];
    registers[at->value] = point->inputs[i].value;
    if (at->rate < 0) continue;
    registers[at->rate] = point->inputs[i].rate;
    registers[at->since] = point->inputs[i].since;
  }
  picus_switches_load(source->system, point->sides, registers);
}

void picus_formulas_set_inputs(const void *self, const source_point *point) {
  formulas_work *work = point->work;
  const formulas_source *source = self;
  load_inputs(source, point, work->registers);
  load_inputs(source, point, work->law_registers);
  if (source->power_tape) load_inputs(source, point, work->power_registers);
  if (source->switch_tape) load_inputs(source, point, work->switch_registers);
  for (int k = 0; k < work->request_count; k++)
    for (int g = 0; g < JACOBIAN_GROUP_COUNT; g++)
      if (work->requests[k].registers[g]) load_inputs(source, point, work->requests[k].registers[g]);
}

/* Runs the tape up to a stage and reads the stage's outputs. */
static inline void read_stage(const formulas_source *source, const source_point *point, formula_stage stage,
                              double *values) {
  formulas_work *work = point->work;
  picus_tape_run_to(source->tape, (int)stage, &work->stages_done, work->registers);
  const picus_tape_range range = {(int)stage, 0, source->stage_outputs[stage]};
  picus_tape_read_range(source->tape, range, work->registers, values);
}

static picus_status rate(const void *self, picus_context *context, const source_point *point, double *q_dot) {
  (void)context;
  const formulas_source *source = self;
  read_stage(source, point, STAGE_RATE, q_dot);
  if (picus_rigid_turns(&source->rigid)) picus_rigid_rates(&source->rigid, point->q, point->u, q_dot);
  return PICUS_OK;
}

static picus_status gaps(const void *self, picus_context *context, const source_point *point, double *gap) {
  (void)context;
  const formulas_source *source = self;
  formulas_work *work = point->work;
  if (!point->laws_only) {
    read_stage(source, point, STAGE_GAPS, gap);
    return PICUS_OK;
  }
  picus_tape_run_to(source->law_tape, LAW_STAGE_GAPS, &work->law_stages_done, work->law_registers);
  const picus_tape_range range = {LAW_STAGE_GAPS, 0, source->law_count};
  picus_tape_read_range(source->law_tape, range, work->law_registers, gap);
  return PICUS_OK;
}

static picus_status force(const void *self, picus_context *context, const source_point *point, double *h) {
  (void)context;
  const formulas_source *source = self;
  read_stage(source, point, STAGE_FORCE, h);
  if (picus_rigid_turns(&source->rigid)) picus_rigid_add_torques(&source->rigid, point->u, h);
  return PICUS_OK;
}

static void run_short(const void *self, double *registers) {
  const formulas_source *source = self;
  picus_tape_run_stages(source->tape, STAGE_RATE, STAGE_FORCE, registers);
}

static short_formulas find_short(const void *self, const source_point *point) {
  const formulas_source *source = self;
  const picus_tape *tape = source->tape;
  return (short_formulas){.run = run_short,
                          .self = self,
                          .registers = ((formulas_work *)point->work)->registers,
                          .time = source->time,
                          .q = source->q_variable,
                          .u = source->u_variable,
                          .gap = picus_tape_outputs(tape, (picus_tape_range){.stage = STAGE_GAPS}),
                          .force = picus_tape_outputs(tape, (picus_tape_range){.stage = STAGE_FORCE})};
}

static picus_status loads(const void *self, picus_context *context, const source_point *point, double *system_h) {
  (void)context;
  const formulas_source *source = self;
  formulas_work *work = point->work;
  read_stage(source, point, STAGE_LOADS, work->output);
  for (int k = 0; k < source->nodes.load_count; k++)
    system_h[source->nodes.u[source->nodes.load[k]]] += work->output[k];
  return PICUS_OK;
}

static picus_status mass(const void *self, picus_context *context, const source_point *point, int index, double *M) {
  (void)context;
  const formulas_source *source = self;
  formulas_work *work = point->work;
  const formula_entries *entries = &source->mass;
  const int first = entries->part_start[index], count = entries->part_start[index + 1] - first;
  picus_tape_run_to(source->tape, STAGE_MASS, &work->stages_done, work->registers);
  picus_tape_place(source->tape, (picus_tape_range){STAGE_MASS, first, count}, work->registers, entries->at + first, M);
  if (picus_rigid_any(&source->rigid)) picus_rigid_mass(&source->rigid, &source->parts[index], index, M);
  return PICUS_OK;
}

/* Entries of W and chi from the tape that has been run. */
static inline void read_directions(const formulas_source *source, const picus_tape *tape, int stage,
                                   const double *registers, double *W, double *chi) {
  picus_tape_place(tape, (picus_tape_range){stage, 0, source->W.count}, registers, source->W.at, W);
  picus_tape_read_range(tape, (picus_tape_range){stage, source->W.count, source->row_count}, registers, chi);
}

static picus_status directions(const void *self, picus_context *context, const source_point *point, double *W,
                               double *chi) {
  (void)context;
  const formulas_source *source = self;
  formulas_work *work = point->work;
  if (point->laws_only) {
    picus_tape_run_to(source->law_tape, LAW_STAGE_DIRECTIONS, &work->law_stages_done, work->law_registers);
    read_directions(source, source->law_tape, LAW_STAGE_DIRECTIONS, work->law_registers, W, chi);
  } else {
    picus_tape_run_to(source->tape, STAGE_DIRECTIONS, &work->stages_done, work->registers);
    read_directions(source, source->tape, STAGE_DIRECTIONS, work->registers, W, chi);
  }
  return PICUS_OK;
}

static picus_status energy(const void *self, picus_context *context, const source_point *point, double *kinetic,
                           double *potential) {
  (void)context;
  const formulas_source *source = self;
  formulas_work *work = point->work;
  read_stage(source, point, STAGE_ENERGY, work->output);
  *kinetic = work->output[0];
  *potential = work->output[1];
  if (picus_rigid_any(&source->rigid)) picus_rigid_add_energy(&source->rigid, point->q, point->u, kinetic, potential);
  return PICUS_OK;
}

/* Once in a step at most, so that it loads its point itself. */
static void powers(const void *self, const source_point *point, double *power, double *stored) {
  const formulas_source *source = self;
  double *registers = ((formulas_work *)point->work)->power_registers;
  int done = 0;
  load_point(source, point, registers);
  picus_tape_run_to(source->power_tape, 0, &done, registers);
  picus_tape_read_range(source->power_tape, (picus_tape_range){0, 0, source->work_count}, registers, power);
  picus_tape_read_range(source->power_tape, (picus_tape_range){0, source->work_count, source->work_count}, registers,
                        stored);
}

static void switches(const void *self, const source_point *point, double *a, double *b) {
  const formulas_source *source = self;
  const int count = source->system->switch_count;
  double *registers = ((formulas_work *)point->work)->switch_registers;
  int done = 0;
  load_point(source, point, registers);
  picus_tape_run_to(source->switch_tape, 0, &done, registers);
  picus_tape_read_range(source->switch_tape, (picus_tape_range){0, 0, count}, registers, a);
  picus_tape_read_range(source->switch_tape, (picus_tape_range){0, count, count}, registers, b);
}

static picus_status observe(const void *self, picus_context *context, const source_point *point, double *values) {
  (void)context;
  read_stage(self, point, STAGE_OBSERVE, values);
  return PICUS_OK;
}

/* A given vector of a Jacobian has changed: its stage and those after it must be run again. Returns the registers;
 * NULL: the Jacobian is zero. */
static double *forget_from(formulas_work *work, jacobian_kind kind) {
  jacobian_work *request = work->jacobian_of[kind];
  if (!request) return NULL;
  int *done = &request->stages_done[picus_jacobian_group(kind)];
  if (*done > picus_jacobian_stage(kind)) *done = picus_jacobian_stage(kind);
  return request->registers[picus_jacobian_group(kind)];
}

/* Some of the entries of a Jacobian to their places; the others are left as they are. */
static void fill(const formulas_source *source, const source_point *point, jacobian_kind kind, int first, int count,
                 double *values) {
  if (count == 0) return;
  jacobian_work *request = ((formulas_work *)point->work)->jacobian_of[kind];
  const formula_jacobians *jacobians = request->jacobians;
  const jacobian_group group = picus_jacobian_group(kind);
  const int stage = picus_jacobian_stage(kind);
  double *registers = request->registers[group];
  int *done = &request->stages_done[group];
  if (*done < 0) {
    load_point(source, point, registers);
    *done = 0;
  }
  picus_tape_run_to(jacobians->tape[group], stage, done, registers);
  picus_tape_place(jacobians->tape[group], (picus_tape_range){stage, first, count}, registers,
                   jacobians->entries[kind].at + first, values);
}

static const formula_entries *entries_of(const source_point *point, jacobian_kind kind) {
  const jacobian_work *request = ((const formulas_work *)point->work)->jacobian_of[kind];
  return request ? &request->jacobians->entries[kind] : NULL;
}

static void fill_part(const formulas_source *source, const source_point *point, jacobian_kind kind, int index,
                      double *matrix) {
  const formula_entries *entries = entries_of(point, kind);
  if (!entries) return;
  const int *start = entries->part_start + index;
  fill(source, point, kind, start[0], start[1] - start[0], matrix);
}

static picus_status fill_laws(const formulas_source *source, const source_point *point, jacobian_kind kind,
                              double *values) {
  const formula_entries *entries = entries_of(point, kind);
  if (entries) fill(source, point, kind, 0, entries->count, values);
  return PICUS_OK;
}

static bool tangent_constant(const void *self, const source_point *point, int index, jacobian_kind kind) {
  const formulas_source *source = self;
  const jacobian_work *request = ((const formulas_work *)point->work)->jacobian_of[kind];
  if (kind == JACOBIAN_COUPLING_U || kind == JACOBIAN_COUPLING_Q)
    return request && request->jacobians->couplings_constant[kind - JACOBIAN_COUPLING_U];
  return request && request->jacobians->constant[kind][index] && !picus_rigid_part_turns(&source->rigid, index);
}

/* dh/du of the formulas, and of the bodies beneath them. */
static void fill_damping(const formulas_source *source, const source_point *point, int index, double *dh_du) {
  fill_part(source, point, JACOBIAN_FORCE_U, index, dh_du);
  if (picus_rigid_turns(&source->rigid))
    picus_rigid_add_damping(&source->rigid, &source->parts[index], index, point->u, dh_du);
}

static picus_status damping_jacobian(const void *self, picus_context *context, const source_point *point, int index,
                                     double *dh_du) {
  (void)context;
  fill_damping(self, point, index, dh_du);
  return PICUS_OK;
}

static picus_status force_jacobian(const void *self, picus_context *context, const source_point *point, int index,
                                   double *dh_dq, double *dh_du) {
  (void)context;
  fill_damping(self, point, index, dh_du);
  fill_part(self, point, JACOBIAN_FORCE_Q, index, dh_dq);
  return PICUS_OK;
}

static picus_status couplings(const void *self, picus_context *context, const source_point *point, double *dh_dq,
                              double *dh_du) {
  (void)context;
  fill_laws(self, point, JACOBIAN_COUPLING_U, dh_du);
  if (dh_dq) fill_laws(self, point, JACOBIAN_COUPLING_Q, dh_dq);
  return PICUS_OK;
}

static picus_status rate_jacobian(const void *self, picus_context *context, const source_point *point, int index,
                                  double *drate_dq, double *B) {
  (void)context;
  const formulas_source *source = self;
  fill_part(source, point, JACOBIAN_RATE_Q, index, drate_dq);
  fill_part(source, point, JACOBIAN_RATE_U, index, B);
  if (picus_rigid_turns(&source->rigid))
    picus_rigid_rate_slopes(&source->rigid, &source->parts[index], index, point, drate_dq, B);
  return PICUS_OK;
}

static void set_momentum(const void *self, const source_point *point, const double *v) {
  const formulas_source *source = self;
  formulas_work *work = point->work;
  double *registers = forget_from(work, JACOBIAN_MASS_Q);
  if (!registers) return;
  const int *variable = work->jacobian_of[JACOBIAN_MASS_Q]->jacobians->v_variable;
  for (int i = 0; i < source->nu; i++) registers[variable[i]] = v[i];
}

static picus_status mass_jacobian(const void *self, picus_context *context, const source_point *point, int index,
                                  double *dMv_dq) {
  (void)context;
  fill_part(self, point, JACOBIAN_MASS_Q, index, dMv_dq);
  return PICUS_OK;
}

static picus_status gap_jacobian(const void *self, picus_context *context, const source_point *point, double *dg_dq) {
  (void)context;
  return fill_laws(self, point, JACOBIAN_GAP_Q, dg_dq);
}

static picus_status velocity_jacobian(const void *self, picus_context *context, const source_point *point,
                                      double *dgamma_dq) {
  (void)context;
  return fill_laws(self, point, JACOBIAN_VELOCITY_Q, dgamma_dq);
}

static picus_status velocity_drift(const void *self, picus_context *context, const source_point *point,
                                   double *dgamma_dt) {
  (void)context;
  return fill_laws(self, point, JACOBIAN_VELOCITY_T, dgamma_dt);
}

static picus_status direction_jacobian(const void *self, picus_context *context, const source_point *point,
                                       const double *P, double *dWP_dq) {
  (void)context;
  const formulas_source *source = self;
  formulas_work *work = point->work;
  double *registers = forget_from(work, JACOBIAN_DIRECTION_Q);
  if (!registers) return PICUS_OK;
  const int *variable = work->jacobian_of[JACOBIAN_DIRECTION_Q]->jacobians->P_variable;
  for (int r = 0; r < source->row_count; r++) registers[variable[r]] = P[r];
  return fill_laws(source, point, JACOBIAN_DIRECTION_Q, dWP_dq);
}

static picus_status turning(const void *self, picus_context *context, const source_point *point, const double *P,
                            double *dWP_dq) {
  (void)context;
  const formulas_source *source = self;
  formulas_work *work = point->work;
  double *registers = forget_from(work, JACOBIAN_TURNING_Q);
  if (!registers) return PICUS_OK;
  const int *variable = work->jacobian_of[JACOBIAN_TURNING_Q]->jacobians->P_variable;
  for (int r = 0; r < source->row_count; r++) registers[variable[r]] = P[r];
  return fill_laws(source, point, JACOBIAN_TURNING_Q, dWP_dq);
}

static void destroy(void *self, picus_context *context) {
  formulas_source *source = self;
  picus_tape_destroy(source->tape);
  picus_tape_destroy(source->law_tape);
  picus_tape_destroy(source->power_tape);
  picus_tape_destroy(source->switch_tape);
  picus_formulas_release_later(context, source);
  picus_formula_entries_release(context, &source->mass);
  picus_formula_entries_release(context, &source->W);
  picus_rigid_release(context, &source->rigid);
  picus_release(context, source->parts);
  picus_release(context, source->coupled);
  picus_release(context, source->q_variable);
  picus_release(context, source->u_variable);
  picus_release(context, source->inputs);
  picus_release(context, source->nodes.x_variable);
  picus_release(context, source->nodes.v_variable);
  picus_release(context, source->nodes.q);
  picus_release(context, source->nodes.u);
  picus_release(context, source->nodes.load);
  picus_release(context, source);
}

const source_ops picus_formulas_ops = {.kind = "formulas",
                                       .work_create = work_create,
                                       .work_destroy = work_destroy,
                                       .set_point = set_point,
                                       .request = picus_formulas_request,
                                       .tangent_constant = tangent_constant,
                                       .set_inputs = picus_formulas_set_inputs,
                                       .rate = rate,
                                       .force = force,
                                       .loads = loads,
                                       .gaps = gaps,
                                       .find_short = find_short,
                                       .mass = mass,
                                       .directions = directions,
                                       .energy = energy,
                                       .powers = powers,
                                       .observe = observe,
                                       .switches = switches,
                                       .force_jacobian = force_jacobian,
                                       .damping_jacobian = damping_jacobian,
                                       .couplings = couplings,
                                       .gap_jacobian = gap_jacobian,
                                       .rate_jacobian = rate_jacobian,
                                       .set_momentum = set_momentum,
                                       .mass_jacobian = mass_jacobian,
                                       .velocity_jacobian = velocity_jacobian,
                                       .velocity_drift = velocity_drift,
                                       .direction_jacobian = direction_jacobian,
                                       .turning = turning,
                                       .explain = picus_formulas_explain,
                                       .destroy = destroy};

/* --- creation ---------------------------------------------------------------------------------------------------- */

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
  picus_expr_matrix_release(model->context, &M);
  return status;
}
