/* Evaluation of a model of formulas. */
#include "formulas/formulas.h"

#include "base/internal.h"
#include "expr/tape.h"
#include "formulas/switch_formulas.h"

#include <string.h>

static void work_destroy(const void *self, picus_context *context, void *memory) {
  (void)self;
  formulas_work *work = memory;
  picus_formulas_release_requests(context, work);
  picus_release(context, work->registers);
  picus_release(context, work->law_registers);
  picus_release(context, work->power_registers);
  picus_release(context, work->switch_registers);
  picus_release(context, work->coefficient_registers);
  picus_release(context, work->slip_registers);
  picus_release(context, work->action_registers);
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
  const size_t actions = source->action_tape ? (size_t)picus_tape_register_count(source->action_tape) : 0;
  work->action_registers = picus_allocate(context, actions, sizeof(double));
  if (!work->registers || !work->law_registers || !work->output || !work->power_registers || !work->switch_registers ||
      !work->action_registers) {
    work_destroy(self, context, work);
    return PICUS_ERROR_MEMORY;
  }
  picus_tape_prepare(source->tape, work->registers);
  picus_tape_prepare(source->law_tape, work->law_registers);
  if (source->power_tape) picus_tape_prepare(source->power_tape, work->power_registers);
  if (source->switch_tape) picus_tape_prepare(source->switch_tape, work->switch_registers);
  if (source->action_tape) picus_tape_prepare(source->action_tape, work->action_registers);
  if (picus_formulas_coefficient_work(context, source, work)) {
    work_destroy(self, context, work);
    return PICUS_ERROR_MEMORY;
  }
  *out = work;
  return PICUS_OK;
}

static inline void load_point(const formulas_source *source, const source_point *point, double *registers) {
  registers[source->time] = point->t;
  const int both = source->nq < source->nu ? source->nq : source->nu;
  for (int i = 0; i < both; i++) {
    registers[source->q_variable[i]] = point->q[i];
    registers[source->u_variable[i]] = point->u[i];
  }
  for (int i = both; i < source->nq; i++) registers[source->q_variable[i]] = point->q[i];
  for (int i = both; i < source->nu; i++) registers[source->u_variable[i]] = point->u[i];
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

static inline void forget_stages(formulas_work *work) {
  work->stages_done = work->law_stages_done = 0;
  for (int k = 0; k < work->request_count; k++)
    for (int g = 0; g < JACOBIAN_GROUP_COUNT; g++) work->requests[k].stages_done[g] = -1;
}

static void set_point(const void *self, const source_point *point) {
  formulas_work *work = point->work;
  const formulas_source *source = self;
  if (point->laws_only)
    load_laws(source, point);
  else
    load_point(source, point, work->registers);
  forget_stages(work);
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
  if (source->varying.tape) load_inputs(source, point, work->coefficient_registers);
  if (source->varying.slip_tape) load_inputs(source, point, work->slip_registers);
  if (source->action_tape) load_inputs(source, point, work->action_registers);
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

static picus_status motion(const void *self, const source_point *point, double *gap, double *h) {
  const formulas_source *source = self;
  formulas_work *work = point->work;
  double *registers = work->registers;
  load_point(source, point, registers);
  forget_stages(work);
  picus_tape_run_to(source->tape, STAGE_FORCE, &work->stages_done, registers);
  const int32_t *gap_of = picus_tape_outputs(source->tape, (picus_tape_range){.stage = STAGE_GAPS});
  const int32_t *h_of = picus_tape_outputs(source->tape, (picus_tape_range){.stage = STAGE_FORCE});
  for (int i = 0, count = source->law_count; i < count; i++) gap[i] = registers[gap_of[i]];
  for (int i = 0, nu = source->nu; i < nu; i++) h[i] = registers[h_of[i]];
  if (picus_rigid_turns(&source->rigid)) picus_rigid_add_torques(&source->rigid, point->u, h);
  return PICUS_OK;
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

static void coefficients(const void *self, const source_point *point, const double *speed, law_coefficients *out) {
  const formulas_source *source = self;
  if (source->varying.count > 0) picus_formulas_coefficients(source, point, load_point, speed, out);
}

static void switches(const void *self, const source_point *point, double *a, double *b) {
  const formulas_source *source = self;
  const int count = source->system->switch_count;
  double *registers = ((formulas_work *)point->work)->switch_registers;
  int done = 0;
  load_point(source, point, registers);
  if (source->varying.slip_tape) picus_formulas_load_slip_speeds(source, point, load_point, registers);
  picus_tape_run_to(source->switch_tape, 0, &done, registers);
  picus_tape_read_range(source->switch_tape, (picus_tape_range){0, 0, count}, registers, a);
  picus_tape_read_range(source->switch_tape, (picus_tape_range){0, count, count}, registers, b);
}

static void actions(const void *self, const source_point *point, double *values) {
  const formulas_source *source = self;
  double *registers = ((formulas_work *)point->work)->action_registers;
  int done = 0;
  load_point(source, point, registers);
  picus_tape_run_to(source->action_tape, 0, &done, registers);
  picus_tape_read(source->action_tape, 0, registers, values);
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
  picus_formulas_release_coefficients(context, source);
  picus_tape_destroy(source->action_tape);
  picus_formulas_release_native(context, source); /* after the tapes, which use the code */
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
                                       .motion = motion,
                                       .mass = mass,
                                       .directions = directions,
                                       .energy = energy,
                                       .powers = powers,
                                       .observe = observe,
                                       .switches = switches,
                                       .coefficients = coefficients,
                                       .actions = actions,
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
