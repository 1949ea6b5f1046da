/* The parts of a model of formulas: coordinates and velocities that rates and M connect belong to one part, and so do
 * those of a body. Bodies that meet in contacts, joints and springs only are parts of their own, so that their matrices
 * are small and their laws narrow. Parts that forces connect are a group; a group that is small is one part. */
#include "base/disjoint_sets.h"
#include "base/internal.h"
#include "expr/internal.h"
#include "formulas/formulas.h"

#include <stdlib.h>

/* Sets of elements: all coordinates, then all velocities. */
typedef struct element_sets {
  picus_model *model;
  const equations *eq;
  int *parent;
  picus_id_stack variables;
  size_t capacity; /* of the list of parts */
} element_sets;

/* The element belongs together with all that an expression contains. */
static picus_status unite_with(element_sets *sets, int element, picus_expr expr) {
  picus_status status = picus_expr_variables(sets->model->pool, expr, &sets->variables);
  for (size_t k = 0; !status && k < sets->variables.count; k++) {
    const picus_model_variable variable = picus_model_variable_of(sets->model, sets->variables.ids[k]);
    if (variable.kind == PICUS_VARIABLE_COORDINATE) picus_sets_join(sets->parent, element, variable.index);
    if (variable.kind == PICUS_VARIABLE_VELOCITY) picus_sets_join(sets->parent, element, sets->eq->nq + variable.index);
  }
  return status;
}

/* A law acts on all of a body, or nothing of it. */
static void unite_body(element_sets *sets, const picus_model_body *body) {
  const int first = body->nq > 0 ? body->q0 : sets->eq->nq + body->u0;
  for (int k = 0; k < body->nq; k++) picus_sets_join(sets->parent, first, body->q0 + k);
  for (int k = 0; k < body->nu; k++) picus_sets_join(sets->parent, first, sets->eq->nq + body->u0 + k);
}

static picus_status unite_all(element_sets *sets, bool by_forces) {
  const equations *eq = sets->eq;
  picus_status status = PICUS_OK;
  for (int k = 0; k < eq->nq + eq->nu; k++) sets->parent[k] = k;
  for (int i = 0; i < sets->model->body_count; i++) unite_body(sets, &sets->model->bodies[i]);
  for (int k = 0; !status && k < eq->nq; k++) status = unite_with(sets, k, eq->rate[k]);
  for (int j = 0; !status && by_forces && j < eq->nu; j++) status = unite_with(sets, eq->nq + j, eq->h[j]);
  for (size_t k = 0; !status && k < eq->M.count; k++) {
    picus_sets_join(sets->parent, eq->nq + eq->M.entries[k].row, eq->nq + eq->M.entries[k].column);
    status = unite_with(sets, eq->nq + eq->M.entries[k].row, eq->M.entries[k].value);
  }
  return status;
}

/* How far the sets of the elements up to one of them reach: the last coordinate and velocity in them. */
typedef struct reach {
  int q, u;
} reach;

static reach join(reach a, reach b) { return (reach){picus_larger_int(a.q, b.q), picus_larger_int(a.u, b.u)}; }

/* For every element the reach of its set, then of all coordinates, or all velocities, up to it. */
static void find_reaches(element_sets *sets, reach *reaches) {
  const int nq = sets->eq->nq, count = nq + sets->eq->nu;
  for (int k = 0; k < count; k++) reaches[k] = (reach){-1, -1};
  for (int k = 0; k < count; k++) {
    const int root = picus_set_root(sets->parent, k);
    reaches[root] = join(reaches[root], k < nq ? (reach){k, -1} : (reach){-1, k - nq});
  }
  for (int k = 0; k < count; k++)
    reaches[k] = reaches[picus_set_root(sets->parent, k)]; /* roots come first: they are the smallest */
  for (int k = 1; k < count; k++)
    if (k != nq) reaches[k] = join(reaches[k], reaches[k - 1]);
}

/* The smallest part that starts with a coordinate q0 and a velocity u0: as far as the sets within it reach. */
static reach end_of_part(const equations *eq, const reach *reaches, int q0, int u0, int q_end) {
  reach end = {q0 < q_end ? q0 : q0 - 1, q0 < q_end ? u0 - 1 : u0};
  for (bool grows = true; grows;) {
    reach next = end;
    if (end.q >= q0) next = join(next, reaches[end.q]);
    if (end.u >= u0) next = join(next, reaches[eq->nq + end.u]);
    grows = next.q != end.q || next.u != end.u;
    end = next;
  }
  return end;
}

static picus_status add_part(picus_context *context, formulas_source *formulas, size_t *capacity, system_part part) {
  picus_status status = picus_grow(context, &formulas->parts, (size_t)formulas->part_count, capacity, sizeof part);
  if (!status) formulas->parts[formulas->part_count++] = part;
  return status;
}

/* Cuts a range of coordinates and velocities that no set leaves into the smallest parts. */
static picus_status cut(element_sets *sets, const reach *reaches, system_part range, formulas_source *formulas) {
  picus_status status = PICUS_OK;
  const int q_end = range.q0 + range.nq, u_end = range.u0 + range.nu;
  for (int q = range.q0, u = range.u0; !status && (q < q_end || u < u_end);) {
    const reach end = end_of_part(sets->eq, reaches, q, u, q_end);
    const system_part part = {.q0 = q, .nq = end.q + 1 - q, .u0 = u, .nu = end.u + 1 - u, .group = range.group};
    status = add_part(sets->model->context, formulas, &sets->capacity, part);
    q = end.q + 1;
    u = end.u + 1;
  }
  return status;
}

/* Groups are first cut as parts, then each large one into its own parts. */
static picus_status cut_groups(element_sets *sets, reach *reaches, formulas_source *formulas) {
  const equations *eq = sets->eq;
  formulas_source groups = {0};
  picus_status status = unite_all(sets, true);
  if (!status) find_reaches(sets, reaches);
  if (!status) status = cut(sets, reaches, (system_part){.nq = eq->nq, .nu = eq->nu}, &groups);
  sets->capacity = 0;
  if (!status) status = unite_all(sets, false);
  if (!status) find_reaches(sets, reaches);
  for (int g = 0; !status && g < groups.part_count; g++) {
    system_part *group = &groups.parts[g];
    group->group = g;
    if (group->nu <= eq->largest_dense)
      status = add_part(sets->model->context, formulas, &sets->capacity, *group);
    else
      status = cut(sets, reaches, *group, formulas);
  }
  picus_release(sets->model->context, groups.parts);
  return status;
}

/* In a small system the parts would cost more than they save. */
static picus_status find_parts(element_sets *sets, formulas_source *formulas) {
  const equations *eq = sets->eq;
  picus_context *context = sets->model->context;
  if (eq->nu <= PICUS_INVERSE_LARGEST)
    return add_part(context, formulas, &sets->capacity, (system_part){.nq = eq->nq, .nu = eq->nu});
  const size_t count = (size_t)eq->nq + (size_t)eq->nu;
  sets->parent = picus_allocate(context, count, sizeof *sets->parent);
  reach *reaches = picus_allocate(context, count, sizeof *reaches);
  picus_status status = sets->parent && reaches ? cut_groups(sets, reaches, formulas) : PICUS_ERROR_MEMORY;
  picus_release(context, sets->parent);
  picus_release(context, reaches);
  return status;
}

/* --- which parts forces couple ------------------------------------------------------------------------------------ */

typedef struct part_pair {
  int row, column;
} part_pair;

typedef struct coupling_walk {
  element_sets *sets;
  const formulas_source *formulas;
  int *part_of; /* of all coordinates, then of all velocities */
  part_pair *pairs;
  size_t count, capacity;
} coupling_walk;

static bool has_groups(const formulas_source *formulas) {
  for (int p = 1; p < formulas->part_count; p++)
    if (formulas->parts[p].group == formulas->parts[p - 1].group) return true;
  return false;
}

static picus_status note_pair(coupling_walk *walk, int row, int column) {
  picus_context *context = walk->sets->model->context;
  picus_status status = picus_grow(context, &walk->pairs, walk->count, &walk->capacity, sizeof *walk->pairs);
  if (!status) walk->pairs[walk->count++] = (part_pair){row, column};
  return status;
}

/* With every pair also the mirrored one, so that patterns are symmetric. */
static picus_status note_force(coupling_walk *walk, int p, picus_expr h) {
  const picus_model *model = walk->sets->model;
  picus_id_stack *variables = &walk->sets->variables;
  picus_status status = picus_expr_variables(model->pool, h, variables);
  for (size_t k = 0; !status && k < variables->count; k++) {
    const picus_model_variable variable = picus_model_variable_of(model, variables->ids[k]);
    int other = -1;
    if (variable.kind == PICUS_VARIABLE_COORDINATE) other = walk->part_of[variable.index];
    if (variable.kind == PICUS_VARIABLE_VELOCITY) other = walk->part_of[walk->sets->eq->nq + variable.index];
    if (other < 0 || other == p) continue;
    status = note_pair(walk, p, other);
    if (!status) status = note_pair(walk, other, p);
  }
  return status;
}

static int compare_pairs(const void *a, const void *b) {
  const part_pair *x = a, *y = b;
  if (x->row != y->row) return x->row < y->row ? -1 : 1;
  return (x->column > y->column) - (x->column < y->column);
}

static void note_parts(coupling_walk *walk) {
  const formulas_source *formulas = walk->formulas;
  for (int p = 0; p < formulas->part_count; p++) {
    const system_part *part = &formulas->parts[p];
    for (int i = part->q0; i < part->q0 + part->nq; i++) walk->part_of[i] = p;
    for (int i = part->u0; i < part->u0 + part->nu; i++) walk->part_of[walk->sets->eq->nq + i] = p;
  }
}

static picus_status find_pairs(coupling_walk *walk) {
  const formulas_source *formulas = walk->formulas;
  picus_status status = PICUS_OK;
  note_parts(walk);
  for (int p = 0; !status && p < formulas->part_count; p++) {
    const system_part *part = &formulas->parts[p];
    status = note_pair(walk, p, p);
    for (int j = part->u0; !status && j < part->u0 + part->nu; j++) status = note_force(walk, p, walk->sets->eq->h[j]);
  }
  if (status || walk->count == 0) return status;
  qsort(walk->pairs, walk->count, sizeof *walk->pairs, compare_pairs);
  size_t kept = 0;
  for (size_t k = 0; k < walk->count; k++)
    if (kept == 0 || compare_pairs(&walk->pairs[kept - 1], &walk->pairs[k]) != 0) walk->pairs[kept++] = walk->pairs[k];
  walk->count = kept;
  return PICUS_OK;
}

/* The lists of all parts one after the other. */
static picus_status list_coupled(coupling_walk *walk, formulas_source *formulas) {
  formulas->coupled = picus_allocate(walk->sets->model->context, walk->count, sizeof *formulas->coupled);
  if (!formulas->coupled) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < walk->count; k++) {
    system_part *part = &formulas->parts[walk->pairs[k].row];
    if (part->coupled_count++ == 0) part->coupled = formulas->coupled + k;
    formulas->coupled[k] = walk->pairs[k].column;
  }
  return PICUS_OK;
}

static picus_status find_coupled(element_sets *sets, formulas_source *formulas) {
  if (!has_groups(formulas)) return PICUS_OK;
  picus_context *context = sets->model->context;
  coupling_walk walk = {.sets = sets, .formulas = formulas};
  walk.part_of = picus_allocate(context, (size_t)sets->eq->nq + (size_t)sets->eq->nu, sizeof *walk.part_of);
  picus_status status = walk.part_of ? find_pairs(&walk) : PICUS_ERROR_MEMORY;
  if (!status) status = list_coupled(&walk, formulas);
  picus_release(context, walk.part_of);
  picus_release(context, walk.pairs);
  return status;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static bool has_identity_rates(const picus_model *model, const equations *eq, const system_part *part) {
  if (part->nq != part->nu) return false;
  for (int k = 0; k < part->nq; k++)
    if (eq->rate[part->q0 + k].id != model->velocities[part->u0 + k].symbol.id) return false;
  return true;
}

/* The positions of a body before its quaternion, for instance. */
static int count_straight(const picus_model *model, const equations *eq, const system_part *part) {
  int count = 0;
  while (count < part->nq && count < part->nu &&
         eq->rate[part->q0 + count].id == model->velocities[part->u0 + count].symbol.id)
    count++;
  for (size_t k = eq->B.row_start[part->q0 + count]; k < eq->B.row_start[part->q0 + part->nq]; k++)
    if (eq->B.entries[k].column < part->u0 + count) return 0;
  return count;
}

static bool has_constant_mass(const picus_model *model, const equations *eq, const system_part *part) {
  for (size_t k = eq->M.row_start[part->u0]; k < eq->M.row_start[part->u0 + part->nu]; k++)
    if (!picus_expr_is_number(model->pool, eq->M.entries[k].value, NULL)) return false;
  return true;
}

/* Whether forces contain no velocities. */
static picus_status look_for_velocities(element_sets *sets, int count, const picus_expr *forces, bool *none) {
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < count && *none; i++) {
    if (!picus_expr_valid(forces[i])) continue; /* of a node without one */
    status = picus_expr_variables(sets->model->pool, forces[i], &sets->variables);
    for (size_t k = 0; !status && k < sets->variables.count; k++) {
      const picus_variable_kind kind = picus_model_variable_of(sets->model, sets->variables.ids[k]).kind;
      *none = *none && kind != PICUS_VARIABLE_VELOCITY && kind != PICUS_VARIABLE_DISPLACEMENT_VELOCITY;
    }
  }
  return status;
}

/* Gyroscopic torques are no formulas: see picus_rigid_set_parts. */
static picus_status find_position_forces(element_sets *sets, formulas_source *formulas) {
  bool none = true;
  picus_status status = look_for_velocities(sets, sets->eq->nu, sets->eq->h, &none);
  if (!status) status = look_for_velocities(sets, sets->model->node_count, sets->eq->node_force, &none);
  for (int p = 0; p < formulas->part_count; p++) formulas->parts[p].position_forces = none;
  return status;
}

picus_status picus_formulas_find_parts(picus_model *model, const equations *eq, formulas_source *formulas) {
  element_sets sets = {.model = model, .eq = eq};
  picus_status status = find_parts(&sets, formulas);
  if (!status) status = find_coupled(&sets, formulas);
  formulas->identity_rates = true;
  for (int p = 0; p < formulas->part_count; p++) {
    system_part *part = &formulas->parts[p];
    part->identity_rates = has_identity_rates(model, eq, part);
    part->straight = count_straight(model, eq, part);
    part->mass_constant = has_constant_mass(model, eq, part);
    formulas->identity_rates = formulas->identity_rates && part->identity_rates;
  }
  if (!status) status = find_position_forces(&sets, formulas);
  picus_release(model->context, sets.variables.ids);
  return status;
}

/* --- the parts of laws -------------------------------------------------------------------------------------------- */

/* The parts on which the laws of a model act: the parts of all variables in their expressions. */

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

static void place_parts(const formulas_source *formulas, law_walk *walk) {
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
  if (!status) place_parts(formulas, &walk);
  for (int i = 0; !status && i < model->law_count; i++) status = set_parts(&walk, i, &system->fixed.laws[i]);
  picus_release(system->context, walk.part_of_q);
  picus_release(system->context, walk.part_of_u);
  picus_release(model->context, walk.variables.ids);
  picus_release(model->context, walk.parts.ids);
  return status;
}
