/* The parts on which the laws of a model act: those of all variables in their expressions. */
#include "base/internal.h"
#include "expr/internal.h"
#include "formulas/formulas.h"

#include <stdlib.h>

typedef struct law_walk {
  picus_model *model;
  const picus_system *system;
  int *part_of_q, *part_of_u; /* of the model's own coordinates and velocities */
  picus_id_stack variables, parts;
} law_walk;

/* The part to which a variable belongs; -1: none. */
static int part_of(const law_walk *walk, int index) {
  const picus_model_variable variable = picus_model_variable_of(walk->model, index);
  switch (variable.kind) {
  case PICUS_VARIABLE_COORDINATE:
    return walk->part_of_q[variable.index];
  case PICUS_VARIABLE_VELOCITY:
    return walk->part_of_u[variable.index];
  case PICUS_VARIABLE_DISPLACEMENT:
  case PICUS_VARIABLE_DISPLACEMENT_VELOCITY:
    return walk->system->sources[1 + walk->model->nodes[variable.index].structure].part0;
  default:
    return -1;
  }
}

static picus_status add_parts(law_walk *walk, picus_expr expr) {
  if (!picus_expr_valid(expr)) return PICUS_OK;
  picus_status status = picus_expr_variables(walk->model->pool, expr, &walk->variables);
  for (size_t k = 0; !status && k < walk->variables.count; k++) {
    const int part = part_of(walk, walk->variables.ids[k]);
    if (part >= 0) status = picus_id_stack_push(walk->model->context, &walk->parts, part);
  }
  return status;
}

static int compare(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static picus_status add_law_parts(law_walk *walk, const picus_model_law *law) {
  picus_status status = add_parts(walk, law->gap);
  if (!status) status = add_parts(walk, law->position);
  if (!status) status = add_parts(walk, law->rate);
  if (!status) status = add_parts(walk, law->velocity);
  for (int s = 0; !status && s < law->slips; s++) status = add_parts(walk, law->slip[s]);
  return status;
}

/* A contact and its rolling law have the same parts: solvers eliminate P_N of the one from the other. */
static picus_status set_parts(law_walk *walk, int index, system_law *out) {
  const picus_model_law *law = &walk->model->laws[index];
  const bool is_rolled = index + 1 < walk->model->law_count && law[1].kind == PICUS_MODEL_ROLLING;
  picus_id_stack *parts = &walk->parts;
  parts->count = 0;
  picus_status status = add_law_parts(walk, law);
  if (!status && is_rolled) status = add_law_parts(walk, law + 1);
  if (!status && law->kind == PICUS_MODEL_ROLLING) status = add_law_parts(walk, law - 1);
  if (status || parts->count == 0) return status; /* a law of time alone: the layout chooses */
  qsort(parts->ids, parts->count, sizeof *parts->ids, compare);
  out->parts = picus_allocate(walk->system->context, parts->count, sizeof *out->parts);
  if (!out->parts) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < parts->count; k++)
    if (k == 0 || parts->ids[k] != parts->ids[k - 1]) out->parts[out->part_count++] = parts->ids[k];
  return PICUS_OK;
}

static void note_parts(const formulas_source *formulas, law_walk *walk) {
  for (int p = 0; p < formulas->part_count; p++) {
    const system_part *part = &formulas->parts[p];
    for (int i = part->q0; i < part->q0 + part->nq; i++) walk->part_of_q[i] = p;
    for (int i = part->u0; i < part->u0 + part->nu; i++) walk->part_of_u[i] = p;
  }
}

picus_status picus_formulas_set_law_parts(picus_model *model, picus_system *system) {
  const formulas_source *formulas = system->sources[0].self;
  law_walk walk = {.model = model,
                   .system = system,
                   .part_of_q = picus_allocate(system->context, (size_t)formulas->nq, sizeof(int)),
                   .part_of_u = picus_allocate(system->context, (size_t)formulas->nu, sizeof(int))};
  picus_status status = walk.part_of_q && walk.part_of_u ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) note_parts(formulas, &walk);
  for (int i = 0; !status && i < model->law_count; i++) status = set_parts(&walk, i, &system->fixed.laws[i]);
  picus_release(system->context, walk.part_of_q);
  picus_release(system->context, walk.part_of_u);
  picus_release(model->context, walk.variables.ids);
  picus_release(model->context, walk.parts.ids);
  return status;
}
