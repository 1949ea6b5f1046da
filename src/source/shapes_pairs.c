/* Pairs of bodies and of materials to which contacts of shapes belong. */
#include "base/internal.h"
#include "expr/internal.h"
#include "expr/tape.h"
#include "model/internal.h"
#include "source/shapes_source.h"

/* --- bodies and frames -------------------------------------------------------------------------------------------- */

static int count_carriers(const void *self) { return ((const shapes_source *)self)->carrier_count; }
static const char *name_carrier(const void *self, int k) { return ((const shapes_source *)self)->carriers[k].name; }

static bool carriers_are_apart(const shapes_source *s, int a, int b) {
  const int x = s->carriers[a].moving, y = s->carriers[b].moving;
  for (int k = 0; x >= 0 && y >= 0 && k < s->apart_count; k++)
    if ((s->apart[k][0] == x && s->apart[k][1] == y) || (s->apart[k][0] == y && s->apart[k][1] == x)) return true;
  return false;
}

/* Neither shapes of one body nor two frames touch. */
static bool carriers_meet(const void *self, int a, int b) {
  const shapes_source *s = self;
  if (a == b || (s->carriers[a].frame >= 0 && s->carriers[b].frame >= 0)) return false;
  return (s->carriers[a].mask & s->carriers[b].groups) && !carriers_are_apart(s, a, b);
}

static void carriers_of_law(const void *self, const system_law *law, int members[2]) {
  const shapes_source *s = self;
  for (int k = 0; k < 2; k++) members[k] = s->carrier_of[law->members[k]];
}

/* --- materials ---------------------------------------------------------------------------------------------------- */

static int count_materials(const void *self) { return ((const shapes_source *)self)->material_count; }
static const char *name_material(const void *self, int k) { return ((const shapes_source *)self)->material_names[k]; }

static bool materials_meet(const void *self, int a, int b) {
  const shapes_source *s = self;
  for (int i = 0; i < s->collider_count; i++) {
    if (s->material_of[i] != a) continue;
    for (int j = 0; j < s->collider_count; j++)
      if (s->material_of[j] == b && (s->colliders[i].mask & s->colliders[j].groups) &&
          carriers_meet(s, s->carrier_of[i], s->carrier_of[j]))
        return true;
  }
  return false;
}

static void materials_of_law(const void *self, const system_law *law, int members[2]) {
  const shapes_source *s = self;
  for (int k = 0; k < 2; k++) members[k] = s->material_of[law->members[k]];
}

static int count_axes(const void *self) { return ((const shapes_source *)self)->planar ? 2 : 3; }

const law_pairing picus_shapes_pairings[] = {
    [PICUS_PAIRS_BODIES] = {count_carriers, name_carrier, carriers_meet, carriers_of_law, count_axes},
    [PICUS_PAIRS_MATERIALS] = {count_materials, name_material, materials_meet, materials_of_law, count_axes}};

/* --- materials that vary ------------------------------------------------------------------------------------------ */

/* Materials of shapes whose coefficients vary: mu, rolling radius, eN and eF as expressions of time, inputs and the
 * slip speed of the contact. Each pair of materials has a tape of its own. */

enum { MATERIAL_OUTPUTS = 6 };

/* Registers of time and inputs; the slip speed is set by law. */
static void load_time(const shapes_source *s, const source_point *point, double *registers) {
  registers[0] = point->t;
  for (int i = 0; i < s->input_count; i++) {
    const formula_input *at = &s->inputs[i];
    registers[at->value] = point->inputs[i].value;
    if (at->rate < 0) continue;
    registers[at->rate] = point->inputs[i].rate;
    registers[at->since] = point->inputs[i].since;
  }
}

static picus_status compile_material(picus_model *model, shapes_source *s, const picus_model_material_pair *pair) {
  picus_pool *pool = model->pool;
  const picus_expr zero = picus_number(pool, 0);
  const bool mu = picus_expr_given(pair->mu_formula), rolls = picus_expr_given(pair->rolling_formula);
  s->speed_variable = picus_expr_given(model->slip_speed) ? picus_expr_variable_index(pool, model->slip_speed) : -1;
  picus_expr out[MATERIAL_OUTPUTS] = {
      mu ? pair->mu_formula : picus_number(pool, pair->mu),
      zero,
      picus_expr_given(pair->eN_formula) ? pair->eN_formula : picus_number(pool, pair->eN),
      picus_expr_given(pair->eF_formula) ? pair->eF_formula : picus_number(pool, pair->eF),
      rolls ? pair->rolling_formula : picus_number(pool, pair->rolling),
      zero};
  if (s->speed_variable >= 0) {
    out[1] = picus_derivative(pool, out[0], s->speed_variable);
    out[5] = picus_derivative(pool, out[4], s->speed_variable);
  }
  const picus_tape_stage stage = {MATERIAL_OUTPUTS, out};
  picus_status status = picus_pool_status(pool);
  if (!status) status = picus_tape_create(pool, 1, &stage, &s->varying[s->varying_count]);
  if (!status) s->varying_count++;
  return status;
}

/* The values at the start, without slip. */
static picus_status note_material_start(const picus_model *model, const shapes_source *s, shape_material *m) {
  const picus_tape *tape = s->varying[m->varying - 1];
  double value[MATERIAL_OUTPUTS];
  double *registers = picus_allocate(model->context, (size_t)picus_tape_register_count(tape), sizeof *registers);
  if (!registers) return PICUS_ERROR_MEMORY;
  picus_tape_prepare(tape, registers);
  registers[0] = s->system->t_start;
  picus_model_fill_inputs(model, registers);
  picus_tape_run(tape, 0, registers);
  picus_tape_read(tape, 0, registers, value);
  picus_release(model->context, registers);
  m->mu = value[0];
  m->eN = value[2];
  m->eF = value[3];
  m->rolling = value[4];
  return PICUS_OK;
}

picus_status picus_shapes_add_varying(picus_model *model, shapes_source *s, const picus_model_material_pair *pair,
                                      shape_material *m) {
  const bool rolls = picus_expr_given(pair->rolling_formula);
  if (!picus_expr_given(pair->mu_formula) && !picus_expr_given(pair->eN_formula) &&
      !picus_expr_given(pair->eF_formula) && !rolls)
    return PICUS_OK;
  const shape_material *known = &s->materials[pair->a * s->material_count + pair->b]; /* of other shapes */
  picus_status status = PICUS_OK;
  m->can_roll = rolls;
  m->varying = known->varying;
  if (m->varying == 0) {
    status = compile_material(model, s, pair);
    m->varying = s->varying_count;
  }
  if (!status) status = picus_shapes_note_inputs(model, s);
  if (!status) status = note_material_start(model, s, m);
  return status;
}

size_t picus_shapes_material_registers(const shapes_source *s) {
  size_t most = 0;
  for (int k = 0; k < s->varying_count; k++)
    most = picus_larger_size(most, (size_t)picus_tape_register_count(s->varying[k]));
  return most;
}

void picus_shapes_coefficients(const void *self, const source_point *point, const present_laws *laws,
                               const double *speed, law_coefficients *out) {
  const shapes_source *s = self;
  double *registers = ((shapes_work *)point->work)->material_registers;
  const picus_tape *ready = NULL;
  for (int i = 0; i < laws->count; i++) {
    const int *shape = laws->laws[i].members;
    const int varying = s->materials[s->material_of[shape[0]] * s->material_count + s->material_of[shape[1]]].varying;
    if (varying == 0) continue;
    const picus_tape *tape = s->varying[varying - 1];
    double value[MATERIAL_OUTPUTS];
    if (tape != ready) {
      picus_tape_prepare(tape, registers);
      load_time(s, point, registers);
      ready = tape;
    }
    if (s->speed_variable >= 0) registers[s->speed_variable] = speed[i];
    picus_tape_run(tape, 0, registers);
    picus_tape_read(tape, 0, registers, value);
    const int radius = laws->laws[i].data.kind == PICUS_ROLLING ? 4 : 0;
    out[i] = (law_coefficients){value[radius], value[radius + 1], value[2], value[3]};
  }
}
