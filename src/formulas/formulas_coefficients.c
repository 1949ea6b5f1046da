/* Coefficients of laws that vary: mu, reservoir, rolling radius, eN and eF as expressions of time, coordinates, inputs
 * and the slip speed of their law. They have a tape of their own, which models with constant coefficients do not have;
 * so has each pair of materials of shapes (source/shapes_pairs.c).
 *
 * The slip speed is a variable: a scheme decides at which velocity its law takes it. Only the switching functions of
 * these expressions belong to a state; their slip speed is that of the state. */
#include "base/elementary.h"
#include "base/internal.h"
#include "expr/internal.h"
#include "expr/tape.h"
#include "formulas/formulas.h"
#include "formulas/switch_formulas.h"

#include <math.h>

enum { OUTPUTS = 4, SLIPS = 3 }; /* of each law */

static void note_law(const picus_model *model, formula_coefficients *varying, int index, picus_expr *out) {
  picus_pool *pool = model->pool;
  const picus_model_law *law = &model->laws[index];
  const bool by_mu = law->kind == PICUS_MODEL_CONTACT || law->load_count > 0;
  const double radius = by_mu ? law->mu : law->reservoir + law->rolling;
  const double constants[PICUS_COEFFICIENTS] = {radius, law->eN, law->eF};
  picus_expr value[PICUS_COEFFICIENTS];
  for (int k = 0; k < PICUS_COEFFICIENTS; k++)
    value[k] = picus_expr_given(law->varying[k]) ? law->varying[k] : picus_number(pool, constants[k]);
  varying->law[varying->count] = index;
  varying->speed_variable[varying->count++] = law->slip_speed;
  out[0] = value[PICUS_COEFFICIENT_RADIUS];
  out[1] = law->slip_speed > 0 ? picus_derivative(pool, out[0], law->slip_speed) : picus_number(pool, 0);
  out[2] = value[PICUS_COEFFICIENT_EN];
  out[3] = value[PICUS_COEFFICIENT_EF];
}

/* Whether a switching function has the slip speed of a law. */
static bool switches_by_speed(const picus_model *model, const picus_system *system, int variable) {
  for (int k = 0; variable > 0 && k < system->switch_count; k++)
    if (picus_expr_depends_on(model->pool, system->switches[k].a, variable) ||
        picus_expr_depends_on(model->pool, system->switches[k].b, variable))
      return true;
  return false;
}

/* The slip velocities, if a switching function needs them. */
static picus_status compile_slips(picus_model *model, const picus_system *system, formula_coefficients *varying,
                                  picus_expr *out) {
  bool needed = false;
  for (int i = 0; i < varying->count; i++) {
    const picus_model_law *law = &model->laws[varying->law[i]];
    needed = needed || switches_by_speed(model, system, varying->speed_variable[i]);
    for (int k = 0; k < SLIPS; k++) out[SLIPS * i + k] = k < law->slips ? law->slip[k] : picus_number(model->pool, 0);
  }
  const picus_tape_stage stage = {SLIPS * varying->count, out};
  if (!needed) return PICUS_OK;
  picus_status status =
      picus_switches_rewrite(model->context, model->pool, system, (size_t)SLIPS * (size_t)varying->count, out);
  return status ? status : picus_tape_create(model->pool, 1, &stage, &varying->slip_tape);
}

/* What data of laws say: the values at the start, without slip. */
static picus_status note_start(const picus_model *model, picus_system *system, const formula_coefficients *varying) {
  const size_t count = (size_t)picus_tape_register_count(varying->tape);
  double *registers = picus_allocate(model->context, count, sizeof *registers);
  if (!registers) return PICUS_ERROR_MEMORY;
  picus_tape_prepare(varying->tape, registers);
  registers[picus_expr_variable_index(model->pool, model->time)] = system->t_start;
  for (int i = 0; i < model->coordinate_count; i++)
    registers[model->coordinates[i].variable] = model->coordinates[i].start;
  picus_model_fill_inputs(model, registers);
  picus_tape_run(varying->tape, 0, registers);
  for (int i = 0; i < varying->count; i++) {
    double value[OUTPUTS];
    system_law *law = &system->fixed.laws[varying->law[i]];
    picus_tape_read_range(varying->tape, (picus_tape_range){0, OUTPUTS * i, OUTPUTS}, registers, value);
    law->data.varies = true;
    law->data.mu = law->data.kind == PICUS_COULOMB || law->data.loaded ? value[0] : 0;
    law->data.reservoir = law->data.kind == PICUS_RESERVOIR && !law->data.loaded ? value[0] : 0;
    law->data.rolling = law->data.kind == PICUS_ROLLING ? value[0] : 0;
    law->data.eN = value[2];
    law->data.eF = value[3];
  }
  picus_release(model->context, registers);
  return PICUS_OK;
}

picus_status picus_formulas_compile_coefficients(picus_model *model, picus_system *system, formulas_source *formulas) {
  formula_coefficients *varying = &formulas->varying;
  size_t count = 0;
  for (int i = 0; i < model->law_count; i++) count += picus_model_law_varies(&model->laws[i]);
  if (count == 0) return PICUS_OK;
  varying->law = picus_allocate(model->context, count, sizeof *varying->law);
  varying->speed_variable = picus_allocate(model->context, count, sizeof *varying->speed_variable);
  picus_expr *outputs = picus_allocate(model->context, OUTPUTS * count, sizeof *outputs);
  picus_status status = varying->law && varying->speed_variable && outputs ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (int i = 0; !status && i < model->law_count; i++)
    if (picus_model_law_varies(&model->laws[i]))
      note_law(model, varying, i, outputs + OUTPUTS * (size_t)varying->count);
  const picus_tape_stage stage = {(int)(OUTPUTS * count), outputs};
  if (!status) status = picus_pool_status(model->pool);
  if (!status) status = picus_switches_rewrite(model->context, model->pool, system, OUTPUTS * count, outputs);
  if (!status) status = picus_tape_create(model->pool, 1, &stage, &varying->tape);
  if (!status) status = compile_slips(model, system, varying, outputs);
  if (!status) status = note_start(model, system, varying);
  picus_release(model->context, outputs);
  system->varies = true;
  return status;
}

void picus_formulas_release_coefficients(picus_context *context, formulas_source *formulas) {
  formula_coefficients *varying = &formulas->varying;
  picus_tape_destroy(varying->tape);
  picus_tape_destroy(varying->slip_tape);
  picus_release(context, varying->law);
  picus_release(context, varying->speed_variable);
}

picus_status picus_formulas_coefficient_work(picus_context *context, const formulas_source *formulas,
                                             formulas_work *work) {
  const formula_coefficients *varying = &formulas->varying;
  const struct {
    const picus_tape *tape;
    double **registers;
  } list[] = {{varying->tape, &work->coefficient_registers}, {varying->slip_tape, &work->slip_registers}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    if (!list[k].tape) continue;
    *list[k].registers = picus_allocate(context, (size_t)picus_tape_register_count(list[k].tape), sizeof(double));
    if (!*list[k].registers) return PICUS_ERROR_MEMORY;
    picus_tape_prepare(list[k].tape, *list[k].registers);
  }
  return PICUS_OK;
}

void picus_formulas_coefficients(const formulas_source *formulas, const source_point *point, formula_load load,
                                 const double *speed, law_coefficients *out) {
  const formula_coefficients *varying = &formulas->varying;
  double *registers = ((formulas_work *)point->work)->coefficient_registers;
  int done = 0;
  load(formulas, point, registers);
  for (int i = 0; i < varying->count; i++)
    if (varying->speed_variable[i] > 0) registers[varying->speed_variable[i]] = speed[varying->law[i]];
  picus_tape_run_to(varying->tape, 0, &done, registers);
  for (int i = 0; i < varying->count; i++) {
    double value[OUTPUTS];
    picus_tape_read_range(varying->tape, (picus_tape_range){0, OUTPUTS * i, OUTPUTS}, registers, value);
    out[varying->law[i]] = (law_coefficients){value[0], value[1], value[2], value[3]};
  }
}

void picus_formulas_load_slip_speeds(const formulas_source *formulas, const source_point *point, formula_load load,
                                     double *registers) {
  const formula_coefficients *varying = &formulas->varying;
  double *slips = ((formulas_work *)point->work)->slip_registers;
  int done = 0;
  load(formulas, point, slips);
  picus_tape_run_to(varying->slip_tape, 0, &done, slips);
  for (int i = 0; i < varying->count; i++) {
    double slip[SLIPS];
    picus_tape_read_range(varying->slip_tape, (picus_tape_range){0, SLIPS * i, SLIPS}, slips, slip);
    if (varying->speed_variable[i] > 0)
      registers[varying->speed_variable[i]] = picus_hypot(picus_hypot(slip[0], slip[1]), slip[2]);
  }
}
