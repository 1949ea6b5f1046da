/* Which derivatives forces on nodes, and forces by nodes, add to those of the parts. */
#include "base/internal.h"
#include "expr/internal.h"
#include "formulas/formulas.h"

#include <stdlib.h>

typedef struct coupling_walk {
  picus_model *model;
  picus_system *system;
  int *part_of_q, *part_of_u; /* of the coordinates and velocities of the formulas */
  picus_id_stack variables;
  system_coupling *list; /* so far */
  int count;
  size_t capacity;
} coupling_walk;

static int part_of_node(const coupling_walk *walk, int node) {
  return walk->system->sources[1 + walk->model->nodes[node].structure].part0;
}

static picus_status note(coupling_walk *walk, system_coupling coupling) {
  picus_status status =
      picus_grow(walk->system->context, &walk->list, (size_t)walk->count, &walk->capacity, sizeof *walk->list);
  if (!status) walk->list[walk->count++] = coupling;
  return status;
}

/* The columns by which a variable takes part; false: none, or dh/dq and dh/du of the part have them already. */
static bool find_columns(const coupling_walk *walk, picus_model_variable variable, bool row_is_node,
                         system_coupling *c) {
  const formulas_source *formulas = walk->system->sources[0].self;
  if (variable.kind == PICUS_VARIABLE_DISPLACEMENT || variable.kind == PICUS_VARIABLE_DISPLACEMENT_VELOCITY) {
    c->part = part_of_node(walk, variable.index);
    c->q0 = formulas->nodes.q[variable.index];
    c->u0 = formulas->nodes.u[variable.index];
    c->nq = c->nu = 1;
    return true;
  }
  const bool coordinate = variable.kind == PICUS_VARIABLE_COORDINATE;
  if (!row_is_node || (!coordinate && variable.kind != PICUS_VARIABLE_VELOCITY)) return false;
  c->part = coordinate ? walk->part_of_q[variable.index] : walk->part_of_u[variable.index];
  const system_part *part = &walk->system->parts[c->part];
  c->q0 = part->q0;
  c->nq = part->nq;
  c->u0 = part->u0;
  c->nu = part->nu;
  return true;
}

static picus_status note_force(coupling_walk *walk, int row, int row_part, bool row_is_node, picus_expr h) {
  picus_status status = picus_expr_variables(walk->model->pool, h, &walk->variables);
  for (size_t k = 0; !status && k < walk->variables.count; k++) {
    system_coupling coupling = {.row = row, .row_part = row_part};
    const picus_model_variable variable = picus_model_variable_of(walk->model, walk->variables.ids[k]);
    if (find_columns(walk, variable, row_is_node, &coupling)) status = note(walk, coupling);
  }
  return status;
}

/* Parts without velocities may begin where others do: the part decides after the row. */
static int compare(const void *a, const void *b) {
  const system_coupling *x = a, *y = b;
  if (x->row != y->row) return x->row < y->row ? -1 : 1;
  if (x->part != y->part) return x->part < y->part ? -1 : 1;
  return (x->u0 > y->u0) - (x->u0 < y->u0);
}

/* Each once, with the places of their values; numbers of these. */
static void sort_list(coupling_walk *walk, size_t *by_q, size_t *by_u) {
  int kept = 0;
  *by_q = *by_u = 0;
  if (walk->count == 0) return;
  qsort(walk->list, (size_t)walk->count, sizeof *walk->list, compare);
  for (int k = 0; k < walk->count; k++) {
    if (kept > 0 && compare(&walk->list[kept - 1], &walk->list[k]) == 0) continue;
    system_coupling *c = &walk->list[kept++];
    *c = walk->list[k];
    c->by_q = *by_q;
    c->by_u = *by_u;
    *by_q += (size_t)c->nq;
    *by_u += (size_t)c->nu;
  }
  walk->count = kept;
}

static void note_parts(coupling_walk *walk) {
  const formulas_source *formulas = walk->system->sources[0].self;
  for (int p = 0; p < formulas->part_count; p++) {
    const system_part *part = &walk->system->parts[p];
    for (int i = part->q0; i < part->q0 + part->nq; i++) walk->part_of_q[i] = p;
    for (int i = part->u0; i < part->u0 + part->nu; i++) walk->part_of_u[i] = p;
  }
}

static picus_status find_forces(coupling_walk *walk, const equations *eq) {
  const formulas_source *formulas = walk->system->sources[0].self;
  picus_status status = PICUS_OK;
  for (int j = 0; !status && j < eq->nu; j++) status = note_force(walk, j, walk->part_of_u[j], false, eq->h[j]);
  for (int i = 0; !status && i < formulas->nodes.count; i++)
    if (picus_expr_valid(eq->node_force[i]))
      status = note_force(walk, formulas->nodes.u[i], part_of_node(walk, i), true, eq->node_force[i]);
  sort_list(walk, &walk->system->coupling_q, &walk->system->coupling_u);
  walk->system->couplings = walk->list;
  walk->system->coupling_count = walk->count;
  return status;
}

/* The entries of W that depend on displacements, or belong to nodes and depend on anything. */
static picus_status find_turning(coupling_walk *walk, const equations *eq) {
  const formulas_source *formulas = walk->system->sources[0].self;
  picus_status status = PICUS_OK;
  size_t by_u;
  for (size_t k = 0; !status && k < eq->W.count; k++) {
    const expr_entry *entry = &eq->W.entries[k];
    const int node = entry->column - eq->nu;
    if (picus_expr_is_number(walk->model->pool, entry->value, NULL)) continue;
    status = node < 0 ? note_force(walk, entry->column, walk->part_of_u[entry->column], false, entry->value)
                      : note_force(walk, formulas->nodes.u[node], part_of_node(walk, node), true, entry->value);
  }
  sort_list(walk, &walk->system->turning_q, &by_u);
  walk->system->turning = walk->list;
  walk->system->turning_count = walk->count;
  return status;
}

picus_status picus_formulas_find_couplings(picus_model *model, const equations *eq, picus_system *system) {
  if (model->node_count == 0) return PICUS_OK;
  coupling_walk walk = {.model = model, .system = system};
  walk.part_of_q = picus_allocate(model->context, (size_t)eq->nq, sizeof *walk.part_of_q);
  walk.part_of_u = picus_allocate(model->context, (size_t)eq->nu, sizeof *walk.part_of_u);
  picus_status status = walk.part_of_q && walk.part_of_u ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    note_parts(&walk);
    status = find_forces(&walk, eq);
  }
  walk.list = NULL;
  walk.count = 0;
  walk.capacity = 0;
  if (!status) status = find_turning(&walk, eq);
  picus_release(model->context, walk.part_of_q);
  picus_release(model->context, walk.part_of_u);
  picus_release(model->context, walk.variables.ids);
  return status;
}

size_t picus_coupling_place(const system_coupling *couplings, int count, int row, bool by_coordinate, int column) {
  int low = 0, high = count; /* the first of the row, then one after the other */
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (couplings[middle].row < row)
      low = middle + 1;
    else
      high = middle;
  }
  for (;; low++) {
    const system_coupling *c = &couplings[low];
    const int inside = column - (by_coordinate ? c->q0 : c->u0);
    if (inside >= 0 && inside < (by_coordinate ? c->nq : c->nu))
      return (by_coordinate ? c->by_q : c->by_u) + (size_t)inside;
  }
}
