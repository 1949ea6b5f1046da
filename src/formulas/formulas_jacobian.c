/* Jacobians of a model of formulas, as two tapes with a stage for each, holding only entries that are not zero. */
#include "formulas/formulas.h"

#include "base/internal.h"
#include "expr/internal.h"
#include "formulas/switch_formulas.h"

#include <stdio.h>

typedef struct jacobian_builder {
  const jacobian_sources *from;
  picus_context *context;
  formula_jacobians *out;
  picus_gradient gradient;
  picus_expr *v, *P;           /* symbols of the given v and P */
  picus_expr *Mv, *gamma, *WP; /* nu, rows, nu: sums of products whose derivatives are needed */
  expr_matrix lists[JACOBIAN_COUNT];
} jacobian_builder;

static bool wants(const jacobian_builder *b, jacobian_kind kind) { return b->out->kinds & PICUS_JACOBIAN(kind); }

static void release_builder(jacobian_builder *b) {
  void *const arrays[] = {b->v, b->P, b->Mv, b->gamma, b->WP};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) picus_release(b->context, arrays[i]);
  for (int k = 0; k < JACOBIAN_COUNT; k++) picus_expr_matrix_release(b->context, &b->lists[k]);
  picus_gradient_release(b->context, &b->gradient);
}

static picus_status new_variables(jacobian_builder *b, const char *letter, int count, int **indices,
                                  picus_expr **symbols) {
  picus_pool *pool = b->from->pool;
  *indices = picus_allocate(b->context, (size_t)count, sizeof **indices);
  *symbols = picus_allocate(b->context, (size_t)count, sizeof **symbols);
  if (!*indices || !*symbols) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s.%d", letter, i);
    (*symbols)[i] = picus_variable(pool, name);
    (*indices)[i] = picus_expr_variable_index(pool, (*symbols)[i]);
  }
  return picus_pool_status(pool);
}

static picus_expr plus_product(picus_pool *pool, picus_expr sum, picus_expr a, picus_expr b) {
  return picus_add(pool, sum, picus_mul(pool, a, b));
}

/* M v row by row, with symbols for v: one derivative of a product replaces those of all entries. */
static picus_status make_momentum(jacobian_builder *b) {
  picus_pool *pool = b->from->pool;
  const equations *eq = b->from->eq;
  if (!wants(b, JACOBIAN_MASS_Q)) return PICUS_OK;
  b->Mv = picus_allocate(b->context, (size_t)eq->nu, sizeof(picus_expr));
  if (!b->Mv) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < eq->nu; i++) b->Mv[i] = picus_number(pool, 0);
  for (size_t k = 0; k < eq->M.count && picus_pool_may_go_on(pool, 1); k++) {
    const expr_entry *e = &eq->M.entries[k];
    b->Mv[e->row] = plus_product(pool, b->Mv[e->row], e->value, b->v[e->column]);
    if (e->row != e->column) b->Mv[e->column] = plus_product(pool, b->Mv[e->column], e->value, b->v[e->row]);
  }
  return picus_pool_status(pool);
}

/* The velocity of a column of W^T, which may be that of a node. */
static picus_expr velocity_of(const jacobian_builder *b, int column) {
  const formulas_source *formulas = b->from->formulas;
  const int nu = b->from->eq->nu;
  const int variable = column < nu ? formulas->u_variable[column] : formulas->nodes.v_variable[column - nu];
  return (picus_expr){b->from->pool->variable_ids[variable]};
}

/* W^T u + chi from rows of W^T, W P from its columns, with symbols for P; that of nodes only where it is needed. */
static picus_status make_law_products(jacobian_builder *b) {
  picus_pool *pool = b->from->pool;
  const equations *eq = b->from->eq;
  const bool WP = wants(b, JACOBIAN_DIRECTION_Q), nodes = wants(b, JACOBIAN_TURNING_Q);
  const int sums = eq->nu + (nodes ? b->from->formulas->nodes.count : 0);
  const bool gamma = wants(b, JACOBIAN_VELOCITY_T) || wants(b, JACOBIAN_VELOCITY_Q);
  b->gamma = picus_allocate(b->context, gamma ? (size_t)eq->row_count : 0, sizeof(picus_expr));
  b->WP = picus_allocate(b->context, WP ? (size_t)sums : 0, sizeof(picus_expr));
  if (!b->gamma || !b->WP) return PICUS_ERROR_MEMORY;
  for (int r = 0; gamma && r < eq->row_count; r++) b->gamma[r] = eq->chi[r];
  for (int i = 0; WP && i < sums; i++) b->WP[i] = picus_number(pool, 0);
  for (size_t k = 0; (gamma || WP) && k < eq->W.count && picus_pool_may_go_on(pool, 1); k++) {
    const expr_entry *e = &eq->W.entries[k];
    const bool of_node = e->column >= eq->nu;
    if (gamma) b->gamma[e->row] = plus_product(pool, b->gamma[e->row], e->value, velocity_of(b, e->column));
    if (WP && (nodes || !of_node)) b->WP[e->column] = plus_product(pool, b->WP[e->column], e->value, b->P[e->row]);
  }
  return picus_pool_status(pool);
}

static picus_status make_products(jacobian_builder *b) {
  picus_status status = PICUS_OK;
  if (wants(b, JACOBIAN_MASS_Q)) status = new_variables(b, "v", b->from->eq->nu, &b->out->v_variable, &b->v);
  if (!status && wants(b, JACOBIAN_DIRECTION_Q))
    status = new_variables(b, "P", b->from->eq->row_count, &b->out->P_variable, &b->P);
  if (!status) status = make_momentum(b);
  return status ? status : make_law_products(b);
}

static picus_model_variable variable_of(const jacobian_builder *b, int variable) {
  return variable < b->from->variable_count ? b->from->variables[variable] : (picus_model_variable){0};
}

/* The column of a variable among all coordinates, or all velocities, of the model, then those of nodes; -1: none. */
static int column_of(const jacobian_builder *b, int variable, picus_variable_kind wanted) {
  const picus_model_variable v = variable_of(b, variable);
  if (v.kind == wanted) return v.index;
  if (wanted == PICUS_VARIABLE_COORDINATE && v.kind == PICUS_VARIABLE_DISPLACEMENT) return b->from->eq->nq + v.index;
  if (wanted == PICUS_VARIABLE_VELOCITY && v.kind == PICUS_VARIABLE_DISPLACEMENT_VELOCITY)
    return b->from->eq->nu + v.index;
  return -1;
}

/* Adds the derivatives of one expression whose columns are in a range. */
typedef struct column_range {
  picus_variable_kind by; /* coordinates, velocities, or time */
  int first, end;
} column_range;
static picus_status add_row(jacobian_builder *b, int row, picus_expr expr, column_range columns, expr_matrix *list) {
  picus_pool *pool = b->from->pool;
  picus_status status = picus_pool_look(pool) ? picus_gradient_find(pool, expr, &b->gradient) : picus_pool_status(pool);
  for (size_t k = 0; !status && k < b->gradient.count; k++) {
    const picus_slope *slope = &b->gradient.slopes[k];
    const int column = column_of(b, slope->variable, columns.by);
    if (column < columns.first || column >= columns.end) continue;
    status = picus_expr_matrix_add(b->context, pool, list, (expr_entry){row, column, slope->value});
  }
  return status;
}

/* Derivatives of a list of expressions by all coordinates, or all velocities, of the model, or by time; those of
 * relative velocities also by displacements of nodes. */
static picus_status add_derivatives(jacobian_builder *b, int rows, const picus_expr *exprs, column_range columns,
                                    expr_matrix *list) {
  picus_status status = picus_expr_matrix_create(b->context, rows, list);
  for (int i = 0; !status && exprs && i < rows; i++) status = add_row(b, i, exprs[i], columns, list);
  return status ? status : picus_expr_matrix_sort(b->context, b->from->pool, list);
}

/* Forces of the model, or W P, by nodes, then those on nodes by anything. */
static picus_status add_couplings(jacobian_builder *b, jacobian_kind kind) {
  const equations *eq = b->from->eq;
  const int nodes = b->from->formulas->nodes.count;
  const bool by_q = kind != JACOBIAN_COUPLING_U, laws = kind == JACOBIAN_TURNING_Q;
  const picus_variable_kind by = by_q ? PICUS_VARIABLE_COORDINATE : PICUS_VARIABLE_VELOCITY;
  const int own = by_q ? eq->nq : eq->nu;
  expr_matrix *list = &b->lists[kind];
  picus_status status = picus_expr_matrix_create(b->context, eq->nu + nodes, list);
  for (int j = 0; !status && j < eq->nu; j++)
    status = add_row(b, j, laws ? b->WP[j] : eq->h[j], (column_range){by, own, own + nodes}, list);
  for (int i = 0; !status && i < nodes; i++) {
    const picus_expr force = laws ? b->WP[eq->nu + i] : eq->node_force[i];
    if (picus_expr_valid(force)) status = add_row(b, eq->nu + i, force, (column_range){by, 0, own + nodes}, list);
  }
  return status ? status : picus_expr_matrix_sort(b->context, b->from->pool, list);
}

/* The entries of all Jacobians that were requested. */
static picus_status collect(jacobian_builder *b) {
  const equations *eq = b->from->eq;
  const struct {
    int rows;
    const picus_expr *exprs;
    picus_variable_kind by;
  } wanted[JACOBIAN_COUNT] = {
      [JACOBIAN_FORCE_Q] = {eq->nu, eq->h, PICUS_VARIABLE_COORDINATE},
      [JACOBIAN_FORCE_U] = {eq->nu, eq->h, PICUS_VARIABLE_VELOCITY},
      [JACOBIAN_GAP_Q] = {eq->law_count, eq->gap, PICUS_VARIABLE_COORDINATE},
      [JACOBIAN_RATE_Q] = {eq->nq, eq->rate, PICUS_VARIABLE_COORDINATE},
      [JACOBIAN_RATE_U] = {eq->nq, eq->rate, PICUS_VARIABLE_VELOCITY},
      [JACOBIAN_MASS_Q] = {eq->nu, b->Mv, PICUS_VARIABLE_COORDINATE},
      [JACOBIAN_VELOCITY_Q] = {eq->row_count, b->gamma, PICUS_VARIABLE_COORDINATE},
      [JACOBIAN_VELOCITY_T] = {eq->row_count, b->gamma, PICUS_VARIABLE_TIME},
      [JACOBIAN_DIRECTION_Q] = {eq->nu, b->WP, PICUS_VARIABLE_COORDINATE},
  };
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < JACOBIAN_COUNT; k++) {
    if (!wants(b, (jacobian_kind)k)) continue;
    if (k == JACOBIAN_COUPLING_U || k == JACOBIAN_COUPLING_Q || k == JACOBIAN_TURNING_Q) {
      status = add_couplings(b, (jacobian_kind)k);
      continue;
    }
    column_range columns = {wanted[k].by, 0, wanted[k].by == PICUS_VARIABLE_VELOCITY ? eq->nu : eq->nq};
    if (wanted[k].by == PICUS_VARIABLE_TIME) columns.end = 1;
    if (k == JACOBIAN_VELOCITY_Q) columns.end += b->from->formulas->nodes.count;
    status = add_derivatives(b, wanted[k].rows, wanted[k].exprs, columns, &b->lists[k]);
  }
  return status;
}

/* --- places ------------------------------------------------------------------------------------------------------ */

/* The place of a coordinate of the system in a law's rows over coordinates. */
static size_t place_in_row(const picus_system *system, const system_law *law, int coordinate) {
  size_t place = 0;
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &system->parts[law->parts[b]];
    if (coordinate >= part->q0 && coordinate < part->q0 + part->nq) return place + (size_t)(coordinate - part->q0);
    place += (size_t)part->nq;
  }
  return place;
}

static void place_gaps(const picus_system *system, formula_entries *entries) {
  for (int k = 0; k < entries->count; k++) {
    const system_law *law = &system->fixed.laws[entries->row[k]];
    entries->at[k] = law->gap_q0 + place_in_row(system, law, entries->column[k]);
  }
}

/* Columns beyond the coordinates of the model are those of nodes. */
static int coordinate_of(const formulas_source *formulas, int column) {
  return column < formulas->nq ? column : formulas->nodes.q[column - formulas->nq];
}

static void place_couplings(const picus_system *system, const formulas_source *formulas, jacobian_kind kind,
                            formula_entries *entries) {
  const bool by_q = kind != JACOBIAN_COUPLING_U, laws = kind == JACOBIAN_TURNING_Q;
  const system_coupling *couplings = laws ? system->turning : system->couplings;
  const int count = laws ? system->turning_count : system->coupling_count;
  for (int k = 0; k < entries->count; k++) {
    const int i = entries->row[k], j = entries->column[k], own = by_q ? formulas->nq : formulas->nu;
    const int row = i < formulas->nu ? i : formulas->nodes.u[i - formulas->nu];
    const int *nodes = by_q ? formulas->nodes.q : formulas->nodes.u;
    entries->at[k] = picus_coupling_place(couplings, count, row, by_q, j < own ? j : nodes[j - own]);
  }
}

static void place_velocities(const picus_system *system, const formulas_source *formulas, formula_entries *entries) {
  for (int k = 0, i = 0; k < entries->count; k++) {
    while (entries->row[k] >= system->fixed.laws[i].data.first_row + system->fixed.laws[i].data.dim) i++;
    const system_law *law = &system->fixed.laws[i];
    entries->at[k] = law->Q0 + (size_t)(entries->row[k] - law->data.first_row) * (size_t)law->q_width +
                     place_in_row(system, law, coordinate_of(formulas, entries->column[k]));
  }
}

/* Where each entry goes: into a block of a part, into the rows of a law, or into a dense matrix of the source. */
static picus_status place(const jacobian_builder *b, jacobian_kind kind, formula_entries *entries) {
  const formulas_source *formulas = b->from->formulas;
  switch (kind) {
  case JACOBIAN_FORCE_Q:
    return picus_formula_entries_place(b->context, formulas, (entry_matrix){false, true, true}, entries);
  case JACOBIAN_MASS_Q:
    return picus_formula_entries_place(b->context, formulas, (entry_matrix){false, true, false}, entries);
  case JACOBIAN_FORCE_U:
    return picus_formula_entries_place(b->context, formulas, (entry_matrix){false, false, true}, entries);
  case JACOBIAN_RATE_Q:
    return picus_formula_entries_place(b->context, formulas, (entry_matrix){true, true, false}, entries);
  case JACOBIAN_RATE_U:
    return picus_formula_entries_place(b->context, formulas, (entry_matrix){true, false, false}, entries);
  case JACOBIAN_GAP_Q:
    place_gaps(b->from->system, entries);
    break;
  case JACOBIAN_VELOCITY_Q:
    place_velocities(b->from->system, formulas, entries);
    break;
  case JACOBIAN_COUPLING_U:
  case JACOBIAN_COUPLING_Q:
  case JACOBIAN_TURNING_Q:
    place_couplings(b->from->system, formulas, kind, entries);
    break;
  case JACOBIAN_VELOCITY_T:
    for (int k = 0; k < entries->count; k++) entries->at[k] = (size_t)entries->row[k];
    break;
  default:
    for (int k = 0; k < entries->count; k++)
      entries->at[k] = (size_t)entries->row[k] * (size_t)formulas->nq + (size_t)entries->column[k];
  }
  return PICUS_OK;
}

static bool rows_are_numbers(const picus_pool *pool, const expr_matrix *list, int first, int count) {
  for (size_t k = list->row_start[first]; k < list->row_start[first + count]; k++)
    if (!picus_expr_is_number(pool, list->entries[k].value, NULL)) return false;
  return true;
}

static picus_status note_constant(const jacobian_builder *b, jacobian_kind kind) {
  const formulas_source *formulas = b->from->formulas;
  if (!wants(b, kind)) return PICUS_OK;
  bool *constant = picus_allocate(b->context, (size_t)formulas->part_count, sizeof *constant);
  if (!constant) return PICUS_ERROR_MEMORY;
  b->out->constant[kind] = constant;
  const jacobian_kind coupling = kind == JACOBIAN_FORCE_U ? JACOBIAN_COUPLING_U : JACOBIAN_COUPLING_Q;
  if (wants(b, coupling))
    b->out->couplings_constant[coupling - JACOBIAN_COUPLING_U] =
        picus_expr_matrix_is_constant(b->from->pool, &b->lists[coupling]);
  for (int p = 0; p < formulas->part_count; p++) {
    const system_part *part = &formulas->parts[p];
    constant[p] = rows_are_numbers(b->from->pool, &b->lists[kind], part->u0, part->nu);
  }
  return PICUS_OK;
}

/* Forces and laws have tapes of their own: few schemes need both at the same point. */
static picus_status compile_groups(const jacobian_builder *b, const picus_tape_stage *stages) {
  const int first[] = {0, JACOBIAN_FIRST_OF_LAWS, JACOBIAN_COUNT};
  picus_status status = PICUS_OK;
  for (int g = 0; !status && g < JACOBIAN_GROUP_COUNT; g++) {
    const unsigned group = PICUS_JACOBIAN(first[g + 1]) - PICUS_JACOBIAN(first[g]);
    if (b->out->kinds & group)
      status = picus_tape_create(b->from->pool, first[g + 1] - first[g], stages + first[g], &b->out->tape[g]);
  }
  return status;
}

static picus_status compile(const jacobian_builder *b) {
  picus_tape_stage stages[JACOBIAN_COUNT];
  picus_status status = PICUS_OK;
  size_t total = 0, at = 0;
  for (int k = 0; k < JACOBIAN_COUNT; k++) total += b->lists[k].count;
  picus_expr *outputs = picus_allocate(b->context, total, sizeof *outputs);
  if (!outputs) return PICUS_ERROR_MEMORY;
  for (int k = 0; !status && k < JACOBIAN_COUNT; k++) {
    formula_entries *entries = &b->out->entries[k];
    stages[k] = (picus_tape_stage){(int)b->lists[k].count, outputs + at};
    if (!wants(b, (jacobian_kind)k)) continue;
    status = picus_formula_entries_create(b->context, &b->lists[k], entries);
    if (!status) status = place(b, (jacobian_kind)k, entries);
    for (size_t i = 0; i < b->lists[k].count; i++) outputs[at++] = b->lists[k].entries[i].value;
  }
  if (!status) status = picus_switches_rewrite(b->context, b->from->pool, b->from->system, at, outputs);
  if (!status) status = compile_groups(b, stages);
  picus_release(b->context, outputs);
  return status;
}

void picus_formula_jacobians_destroy(picus_context *context, formula_jacobians *jacobians) {
  if (!jacobians) return;
  for (int g = 0; g < JACOBIAN_GROUP_COUNT; g++) picus_tape_destroy(jacobians->tape[g]);
  picus_native_destroy(jacobians->native.code);
  for (int k = 0; k < JACOBIAN_COUNT; k++) picus_formula_entries_release(context, &jacobians->entries[k]);
  picus_release(context, jacobians->v_variable);
  picus_release(context, jacobians->P_variable);
  picus_release(context, jacobians->constant[JACOBIAN_FORCE_U]);
  picus_release(context, jacobians->constant[JACOBIAN_FORCE_Q]);
  picus_release(context, jacobians);
}

picus_status picus_formulas_derive_jacobians(const jacobian_sources *from, unsigned kinds, formula_jacobians **out) {
  *out = NULL;
  picus_context *context = from->pool->context;
  jacobian_builder b = {.from = from, .context = context, .out = picus_allocate(context, 1, sizeof *b.out)};
  if (!b.out) return PICUS_ERROR_MEMORY;
  b.out->kinds = kinds;
  picus_status status = make_products(&b);
  if (!status) status = collect(&b);
  if (!status) status = note_constant(&b, JACOBIAN_FORCE_U);
  if (!status) status = note_constant(&b, JACOBIAN_FORCE_Q);
  if (!status) status = compile(&b);
  release_builder(&b);
  if (status)
    picus_formula_jacobians_destroy(context, b.out);
  else
    *out = b.out;
  return status;
}
