/* The parts of a model of formulas: coordinates and velocities that rates, forces and M connect belong to one part, and
 * so do those of a body. Bodies that meet in contacts and joints only are parts of their own, so that their matrices
 * are small. */
#include "base/internal.h"
#include "expr/internal.h"
#include "system/formulas.h"

/* Sets of elements: all coordinates, then all velocities. */
typedef struct element_sets {
  picus_model *model;
  const equations *eq;
  int *parent;
  picus_id_stack variables;
} element_sets;

static int root_of(element_sets *sets, int element) {
  while (sets->parent[element] != element) {
    sets->parent[element] = sets->parent[sets->parent[element]];
    element = sets->parent[element];
  }
  return element;
}

static void unite(element_sets *sets, int a, int b) {
  a = root_of(sets, a);
  b = root_of(sets, b);
  if (a < b)
    sets->parent[b] = a;
  else
    sets->parent[a] = b;
}

/* The element belongs together with all that an expression contains. */
static picus_status unite_with(element_sets *sets, int element, picus_expr expr) {
  picus_status status = picus_expr_variables(sets->model->pool, expr, &sets->variables);
  for (size_t k = 0; !status && k < sets->variables.count; k++) {
    const picus_model_variable variable = picus_model_variable_of(sets->model, sets->variables.ids[k]);
    if (variable.kind == PICUS_VARIABLE_COORDINATE) unite(sets, element, variable.index);
    if (variable.kind == PICUS_VARIABLE_VELOCITY) unite(sets, element, sets->eq->nq + variable.index);
  }
  return status;
}

/* A law acts on all of a body, or nothing of it. */
static void unite_body(element_sets *sets, const picus_model_body *body) {
  const int first = body->nq > 0 ? body->q0 : sets->eq->nq + body->u0;
  for (int k = 0; k < body->nq; k++) unite(sets, first, body->q0 + k);
  for (int k = 0; k < body->nu; k++) unite(sets, first, sets->eq->nq + body->u0 + k);
}

static picus_status unite_all(element_sets *sets) {
  const equations *eq = sets->eq;
  picus_status status = PICUS_OK;
  for (int k = 0; k < eq->nq + eq->nu; k++) sets->parent[k] = k;
  for (int i = 0; i < sets->model->body_count; i++) unite_body(sets, &sets->model->bodies[i]);
  for (int k = 0; !status && k < eq->nq; k++) status = unite_with(sets, k, eq->rate[k]);
  for (int j = 0; !status && j < eq->nu; j++) status = unite_with(sets, eq->nq + j, eq->h[j]);
  for (size_t k = 0; !status && k < eq->M.count; k++) {
    unite(sets, eq->nq + eq->M.entries[k].row, eq->nq + eq->M.entries[k].column);
    status = unite_with(sets, eq->nq + eq->M.entries[k].row, eq->M.entries[k].value);
  }
  return status;
}

/* How far the sets of the elements up to one of them reach: the last coordinate and velocity in them. */
typedef struct reach {
  int q, u;
} reach;

static int larger(int a, int b) { return a > b ? a : b; }
static reach join(reach a, reach b) { return (reach){larger(a.q, b.q), larger(a.u, b.u)}; }

/* For every element the reach of its set, then of all coordinates, or all velocities, up to it. */
static void find_reaches(element_sets *sets, reach *reaches) {
  const int nq = sets->eq->nq, count = nq + sets->eq->nu;
  for (int k = 0; k < count; k++) reaches[k] = (reach){-1, -1};
  for (int k = 0; k < count; k++) {
    const int root = root_of(sets, k);
    reaches[root] = join(reaches[root], k < nq ? (reach){k, -1} : (reach){-1, k - nq});
  }
  for (int k = 0; k < count; k++) reaches[k] = reaches[root_of(sets, k)]; /* roots come first: they are the smallest */
  for (int k = 1; k < count; k++)
    if (k != nq) reaches[k] = join(reaches[k], reaches[k - 1]);
}

/* The smallest part that starts with a coordinate q0 and a velocity u0: as far as the sets within it reach. */
static reach end_of_part(const equations *eq, const reach *reaches, int q0, int u0) {
  reach end = {q0 < eq->nq ? q0 : q0 - 1, q0 < eq->nq ? u0 - 1 : u0};
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

static picus_status cut(element_sets *sets, const reach *reaches, formulas_source *formulas) {
  const equations *eq = sets->eq;
  size_t capacity = 0;
  picus_status status = PICUS_OK;
  for (int q = 0, u = 0; !status && (q < eq->nq || u < eq->nu);) {
    const reach end = end_of_part(eq, reaches, q, u);
    const system_part part = {.q0 = q, .nq = end.q + 1 - q, .u0 = u, .nu = end.u + 1 - u};
    status = add_part(sets->model->context, formulas, &capacity, part);
    q = end.q + 1;
    u = end.u + 1;
  }
  return status;
}

/* In a small system the parts would cost more than they save. */
static picus_status find_parts(element_sets *sets, formulas_source *formulas) {
  const equations *eq = sets->eq;
  picus_context *context = sets->model->context;
  size_t capacity = 0;
  if (eq->nu <= PICUS_INVERSE_LARGEST)
    return add_part(context, formulas, &capacity, (system_part){.nq = eq->nq, .nu = eq->nu});
  const size_t count = (size_t)eq->nq + (size_t)eq->nu;
  sets->parent = picus_allocate(context, count, sizeof *sets->parent);
  reach *reaches = picus_allocate(context, count, sizeof *reaches);
  picus_status status = sets->parent && reaches ? unite_all(sets) : PICUS_ERROR_MEMORY;
  if (!status) find_reaches(sets, reaches);
  if (!status) status = cut(sets, reaches, formulas);
  picus_release(context, sets->parent);
  picus_release(context, reaches);
  picus_release(context, sets->variables.ids);
  return status;
}

static bool has_identity_rates(const picus_model *model, const equations *eq, const system_part *part) {
  if (part->nq != part->nu) return false;
  for (int k = 0; k < part->nq; k++)
    if (eq->rate[part->q0 + k].id != model->velocities[part->u0 + k].symbol.id) return false;
  return true;
}

static bool has_constant_mass(const picus_model *model, const equations *eq, const system_part *part) {
  for (size_t k = eq->M.row_start[part->u0]; k < eq->M.row_start[part->u0 + part->nu]; k++)
    if (!picus_expr_is_number(model->pool, eq->M.entries[k].value, NULL)) return false;
  return true;
}

picus_status picus_formulas_find_parts(picus_model *model, const equations *eq, formulas_source *formulas) {
  element_sets sets = {.model = model, .eq = eq};
  picus_status status = find_parts(&sets, formulas);
  formulas->identity_rates = true;
  for (int p = 0; p < formulas->part_count; p++) {
    system_part *part = &formulas->parts[p];
    part->identity_rates = has_identity_rates(model, eq, part);
    part->mass_constant = has_constant_mass(model, eq, part);
    formulas->identity_rates = formulas->identity_rates && part->identity_rates;
  }
  return status;
}
