/* Switching functions of a model of formulas.
 *
 * Comparisons, min, max, abs and sign make expressions smooth in pieces only. A method of higher order needs steps that
 * stay in one piece, so expressions are compiled in a form in which a caller may hold the side of each switching
 * function s = a - b: less(a, b) becomes when(held, below, less(a, b)), max(a, b) becomes when of this, b and a, and so
 * on. While nothing is held, the values are the same bit for bit, and a model without switching functions is compiled
 * as it is.
 *
 * A table is held in one of its zones, which is one more operand of it (expr/point_table.c): one function serves all of
 * its knots. Of a table whose argument is linear in time the times of the knots are known, and adaptive steps end
 * there.
 *
 * Derivatives compare the same a and b, so the equations of motion have all switching functions of their Jacobians. An
 * equality holds at single points only, and is left alone. */
#include "formulas/switch_formulas.h"

#include "base/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 80 };
#define VARIABLE_NAME "side of a switching function"

/* --- search ------------------------------------------------------------------------------------------------------- */

typedef struct switch_search {
  picus_model *model;
  picus_system *system;
  bool *reached;      /* nodes of the pool */
  picus_id_map pairs; /* of switching functions found so far */
} switch_search;

/* The operands that an operation compares; false: it does not. Of a table: x, and a number for the table that is no id.
 */
static bool compares(const picus_pool *pool, int32_t id, int32_t *a, int32_t *b) {
  const picus_op op = picus_op_at(pool, id);
  if (op == PICUS_TABLE) {
    *a = picus_argument_at(pool, id, 0);
    *b = -1 - (int32_t)pool->nodes[picus_argument_at(pool, id, 2)].value / PICUS_TABLE_ORDERS;
    return true;
  }
  *a = picus_argument_at(pool, id, 0);
  *b = PICUS_ID_ZERO;
  if (op == PICUS_ABS || op == PICUS_SIGN) return true;
  if (op != PICUS_MIN && op != PICUS_MAX && op != PICUS_LESS && op != PICUS_LESS_EQUAL) return false;
  *b = picus_argument_at(pool, id, 1);
  return true;
}

static uint64_t pair_of(int32_t a, int32_t b) { return (uint64_t)(uint32_t)a << 32 | (uint32_t)b; }

/* The number of the switching function of a and b; *reversed: of b and a. -1: none. */
static int find(const picus_id_map *pairs, int32_t a, int32_t b, bool *reversed) {
  *reversed = false;
  if (pairs->count == 0) return -1;
  const int k = picus_id_map_get(pairs, pair_of(a, b));
  if (k >= 0) return k;
  *reversed = true;
  return picus_id_map_get(pairs, pair_of(b, a));
}

static void reach(const switch_search *search, picus_expr expr) {
  if (picus_expr_valid(expr)) search->reached[expr.id] = true;
}

static void reach_all(const switch_search *search, int count, const picus_expr *exprs) {
  for (int i = 0; i < count; i++) reach(search, exprs[i]);
}

static void reach_entries(const switch_search *search, const expr_matrix *matrix) {
  for (size_t i = 0; i < matrix->count; i++) reach(search, matrix->entries[i].value);
}

static void reach_frames(const switch_search *search) {
  const picus_model_collisions *from = &search->model->collisions;
  for (int k = 0; k < from->carrier_count; k++) {
    if (from->carriers[k].body >= 0) continue;
    reach_all(search, 3, from->carriers[k].position);
    reach_all(search, 9, from->carriers[k].rotation);
    reach_all(search, 3, from->carriers[k].velocity);
    reach_all(search, 3, from->carriers[k].spin);
  }
}

/* Everything that steps evaluate. */
static void reach_equations(const switch_search *search, const equations *eq) {
  reach_all(search, eq->nq, eq->rate);
  reach_all(search, eq->law_count, eq->gap);
  reach_all(search, eq->nu, eq->h);
  reach_all(search, search->model->node_count, eq->node_force);
  reach_entries(search, &eq->M);
  reach_entries(search, &eq->W);
  reach_all(search, eq->row_count, eq->chi);
  for (int i = 0; i < eq->work_count; i++) reach(search, eq->works[i].power);
  for (int i = 0; i < search->model->law_count; i++)
    for (int k = 0; k < PICUS_COEFFICIENTS; k++)
      if (picus_expr_given(search->model->laws[i].varying[k])) reach(search, search->model->laws[i].varying[k]);
  for (int i = 0; i < search->model->event_count; i++) reach(search, search->model->events[i].when);
  reach_frames(search);
}

/* Arguments have smaller ids than their operations. */
static void reach_arguments(const picus_pool *pool, int32_t count, bool *reached) {
  for (int32_t id = count - 1; id >= 0; id--)
    for (int k = 0; reached[id] && k < picus_op_arity(picus_op_at(pool, id)); k++)
      reached[picus_argument_at(pool, id, k)] = true;
}

static int count_comparisons(const picus_pool *pool, int32_t count, const bool *reached) {
  int comparisons = 0;
  int32_t a, b;
  for (int32_t id = 0; id < count; id++) comparisons += reached[id] && compares(pool, id, &a, &b);
  return comparisons;
}

/* The variables of all switching functions are one after the other. An earlier derivation of the model may have made
 * some of them. */
static int find_variables(const picus_pool *pool) {
  const int count = picus_variable_count(pool);
  for (int i = 0; i < count; i++)
    if (strcmp(picus_variable_name(pool, i), VARIABLE_NAME) == 0) return i;
  return count;
}

static int variable_at(picus_pool *pool, int index) {
  if (index < picus_variable_count(pool) && strcmp(picus_variable_name(pool, index), VARIABLE_NAME) == 0) return index;
  return picus_expr_variable_index(pool, picus_variable(pool, VARIABLE_NAME));
}

/* Whether a value is linear in t and depends on nothing else. */
static picus_status find_line(picus_model *model, picus_expr value, bool *is_line, double *slope, double *at_zero) {
  picus_pool *pool = model->pool;
  const int time = picus_expr_variable_index(pool, model->time);
  picus_id_stack variables = {0};
  const picus_expr rate = picus_derivative(pool, value, time);
  *is_line = false;
  picus_status status = picus_expr_variables(pool, value, &variables);
  const bool only_time = !status && variables.count == 1 && variables.ids[0] == time;
  picus_release(model->context, variables.ids);
  if (status || !only_time || !picus_expr_is_number(pool, rate, slope) || *slope == 0) return status;
  const picus_expr there = picus_substitute(pool, value, time, picus_number(pool, 0));
  *is_line = picus_expr_is_number(pool, there, at_zero) && isfinite(*at_zero / *slope);
  return PICUS_OK;
}

static picus_status find_time(picus_model *model, system_switch *s) {
  double slope, at_zero;
  bool is_line;
  if (s->table) return find_line(model, s->a, &s->runs_with_time, &s->x_rate, &s->x_zero);
  picus_status status = find_line(model, picus_sub(model->pool, s->a, s->b), &is_line, &slope, &at_zero);
  if (status || !is_line) return status;
  s->is_timed = true;
  s->rises = slope > 0;
  s->t_zero = -at_zero / slope + 0.0; /* no -0 */
  return PICUS_OK;
}

static picus_status describe(picus_model *model, system_switch *s) {
  char a[TEXT_SIZE], b[TEXT_SIZE], text[2 * TEXT_SIZE + 4];
  if (s->table) {
    picus_expr_format(model->pool, s->a, a, sizeof a);
    snprintf(text, sizeof text, "%s = a knot of a table", a);
    s->text = picus_copy_text(model->context, text);
    return s->text ? PICUS_OK : PICUS_ERROR_MEMORY;
  }
  const bool number_first = picus_expr_is_number(model->pool, s->a, NULL);
  picus_expr_format(model->pool, number_first ? s->b : s->a, a, sizeof a);
  picus_expr_format(model->pool, number_first ? s->a : s->b, b, sizeof b);
  snprintf(text, sizeof text, "%s = %s", a, b);
  s->is_swapped = number_first;
  s->text = picus_copy_text(model->context, text);
  return s->text ? PICUS_OK : PICUS_ERROR_MEMORY;
}

/* Of a table: b = x - s, so that a - b is s with the round-off of x. */
static void set_table(picus_pool *pool, int32_t id, int32_t x, system_switch *s) {
  const int32_t code = picus_table_value_code(pool, id, PICUS_TABLE_DISTANCE);
  const int32_t inside = picus_intern(pool, PICUS_TABLE, x, picus_argument_at(pool, id, 1), code);
  s->b.id = picus_intern(pool, PICUS_SUBTRACT, x, inside, -1);
  s->table = picus_table_of(pool, id);
}

static picus_status add(switch_search *search, int32_t id, int32_t a, int32_t b, int *variable) {
  picus_model *model = search->model;
  system_switch *s = &search->system->switches[search->system->switch_count];
  *s = (system_switch){.a = {a}, .b = {b}, .key = pair_of(a, b)};
  if (picus_op_at(model->pool, id) == PICUS_TABLE) set_table(model->pool, id, a, s);
  s->variables = variable_at(model->pool, *variable);
  for (int i = 1; i < SWITCH_VARIABLES; i++) (void)variable_at(model->pool, s->variables + i);
  *variable = s->variables + SWITCH_VARIABLES;
  picus_status status = picus_pool_status(model->pool);
  if (!status) status = describe(model, s);
  if (!status) status = picus_id_map_put(model->context, &search->pairs, s->key, search->system->switch_count++);
  return status ? status : find_time(model, s);
}

/* Whether a slip speed is compared with 0: static and kinetic friction. That is no switching function: the speed stays
 * 0 while a law sticks and leaves 0 at once, so that the mode of the law tells the side. */
static bool is_slip_or_stick(const picus_pool *pool, int32_t a, int32_t b) {
  const int32_t speed = a == PICUS_ID_ZERO ? b : a;
  if ((a != PICUS_ID_ZERO && b != PICUS_ID_ZERO) || speed < 0 || picus_op_at(pool, speed) != PICUS_VARIABLE)
    return false;
  const int variable = picus_expr_variable_index(pool, (picus_expr){speed});
  return strcmp(picus_variable_name(pool, variable), "slip_speed()") == 0;
}

static picus_status list_comparisons(switch_search *search, int32_t count) {
  const picus_pool *pool = search->model->pool;
  int variable = find_variables(pool);
  picus_status status = PICUS_OK;
  for (int32_t id = 0; !status && id < count; id++) {
    int32_t a, b;
    bool reversed;
    if (!search->reached[id] || !compares(pool, id, &a, &b) || find(&search->pairs, a, b, &reversed) >= 0) continue;
    if (is_slip_or_stick(pool, a, b)) {
      search->system->has_rest_friction = true;
      continue;
    }
    status = add(search, id, a, b, &variable);
  }
  return status;
}

/* Events happen where their expressions are 0, whether or not the equations compare them with 0. */
static picus_status list_events(switch_search *search) {
  picus_model *model = search->model;
  int variable = find_variables(model->pool) + search->system->switch_count * SWITCH_VARIABLES;
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < model->event_count; i++) {
    picus_model_event *e = &model->events[i];
    if (!picus_expr_valid(e->when)) continue;
    e->switching = find(&search->pairs, e->when.id, PICUS_ID_ZERO, &e->reversed);
    if (e->switching >= 0) continue;
    e->reversed = false;
    e->switching = search->system->switch_count;
    status = add(search, PICUS_ID_NONE, e->when.id, PICUS_ID_ZERO, &variable);
  }
  return status;
}

picus_status picus_switches_find(picus_model *model, const equations *eq, picus_system *system) {
  const int32_t count = model->pool->count;
  switch_search search = {.model = model, .system = system};
  search.reached = picus_allocate(model->context, (size_t)count, sizeof *search.reached);
  if (!search.reached) return PICUS_ERROR_MEMORY;
  reach_equations(&search, eq);
  reach_arguments(model->pool, count, search.reached);
  const int comparisons = count_comparisons(model->pool, count, search.reached) + model->event_count;
  picus_status status = PICUS_OK;
  if (comparisons > 0) {
    system->switches = picus_allocate(model->context, (size_t)comparisons, sizeof *system->switches);
    status = system->switches ? list_comparisons(&search, count) : PICUS_ERROR_MEMORY;
    if (!status) status = list_events(&search);
  }
  picus_release(model->context, search.reached);
  picus_id_map_clear(model->context, &search.pairs);
  return status;
}

/* A stop time of the model that means the same time is kept, and the zero moved there. */
void picus_switches_add_stops(picus_system *system) {
  for (int k = 0; k < system->switch_count; k++) {
    system_switch *s = &system->switches[k];
    bool is_known = !s->is_timed;
    for (int i = 0; !is_known && i < system->stop_count; i++) {
      is_known = fabs(system->stop_times[i] - s->t_zero) <= 1e-14 * fabs(s->t_zero);
      if (is_known) s->t_zero = system->stop_times[i];
    }
    if (!is_known) system->stop_times[system->stop_count++] = s->t_zero;
  }
}

/* --- expressions whose sides can be held -------------------------------------------------------------------------- */

/* An operation without simplification: the order of operations stays. */
static int32_t variable(const picus_pool *pool, const system_switch *s, switch_variable which) {
  return pool->variable_ids[s->variables + (int)which];
}

static int32_t choose(picus_pool *pool, int32_t condition, int32_t a, int32_t b) {
  return picus_intern(pool, PICUS_WHEN, condition, a, b);
}

/* x < y, or x <= y, unless the side is held. */
static int32_t compare(picus_pool *pool, const system_switch *s, bool reversed, picus_op op,
                       const int32_t operands[2]) {
  const int32_t below = variable(pool, s, reversed ? VARIABLE_ABOVE : VARIABLE_BELOW);
  return choose(pool, variable(pool, s, VARIABLE_HELD), below, picus_intern(pool, op, operands[0], operands[1], -1));
}

/* The same operation of the mapped operands, whose side can be held. */
static int32_t make_holdable(picus_pool *pool, const system_switch *s, bool reversed, picus_op op,
                             const int32_t mapped[3]) {
  const int32_t x = mapped[0], y = mapped[1], held = variable(pool, s, VARIABLE_HELD);
  const int32_t sign = variable(pool, s, reversed ? VARIABLE_OPPOSITE : VARIABLE_SIGN);
  switch (op) {
  case PICUS_MAX: /* x < y ? y : x */
    return choose(pool, compare(pool, s, reversed, PICUS_LESS, (int32_t[]){x, y}), y, x);
  case PICUS_MIN: /* y < x ? y : x */
    return choose(pool, compare(pool, s, !reversed, PICUS_LESS, (int32_t[]){y, x}), y, x);
  case PICUS_ABS:
    return choose(pool, held, picus_intern(pool, PICUS_MULTIPLY, sign, x, -1), picus_intern(pool, op, x, -1, -1));
  case PICUS_TABLE: /* its zone */
    return picus_intern(pool, op, x, held, mapped[2]);
  case PICUS_SIGN:
    return choose(pool, held, sign, picus_intern(pool, op, x, -1, -1));
  default: /* less, or less_equal */
    return compare(pool, s, reversed, op, (int32_t[]){x, y});
  }
}

typedef struct rewriting {
  picus_pool *pool;
  const picus_system *system;
  picus_id_map pairs;
  bool *reached;
  int32_t *map; /* for each node that is reached: the one in its place */
} rewriting;

static int32_t rewrite_node(const rewriting *r, int32_t id) {
  picus_pool *pool = r->pool;
  const picus_op op = picus_op_at(pool, id);
  const int arity = picus_op_arity(op);
  int32_t mapped[3] = {-1, -1, -1}, a, b;
  bool changed = false, reversed;
  for (int k = 0; k < arity; k++) {
    mapped[k] = r->map[picus_argument_at(pool, id, k)];
    changed = changed || mapped[k] != picus_argument_at(pool, id, k);
  }
  const int k = compares(pool, id, &a, &b) ? find(&r->pairs, a, b, &reversed) : -1;
  if (k >= 0) return make_holdable(pool, &r->system->switches[k], reversed, op, mapped);
  return changed ? picus_intern(pool, op, mapped[0], mapped[1], mapped[2]) : id;
}

static picus_status begin_rewriting(picus_context *context, rewriting *r) {
  const size_t nodes = (size_t)r->pool->count;
  r->reached = picus_allocate(context, nodes, sizeof *r->reached);
  r->map = picus_allocate(context, nodes, sizeof *r->map);
  picus_status status = r->reached && r->map ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (int k = 0; !status && k < r->system->switch_count; k++)
    status = picus_id_map_put(context, &r->pairs, r->system->switches[k].key, k);
  return status;
}

static void rewrite(const rewriting *r, size_t count, picus_expr *exprs) {
  const int32_t nodes = r->pool->count;
  for (size_t i = 0; i < count; i++)
    if (picus_expr_valid(exprs[i])) r->reached[exprs[i].id] = true;
  reach_arguments(r->pool, nodes, r->reached);
  for (int32_t id = 0; id < nodes; id++)
    if (r->reached[id]) r->map[id] = rewrite_node(r, id);
  for (size_t i = 0; i < count; i++)
    if (picus_expr_valid(exprs[i])) exprs[i].id = r->map[exprs[i].id];
}

picus_status picus_switches_rewrite(picus_context *context, picus_pool *pool, const picus_system *system, size_t count,
                                    picus_expr *exprs) {
  if (system->switch_count == 0) return PICUS_OK;
  rewriting r = {.pool = pool, .system = system};
  picus_status status = begin_rewriting(context, &r);
  if (!status) rewrite(&r, count, exprs);
  picus_release(context, r.reached);
  picus_release(context, r.map);
  picus_id_map_clear(context, &r.pairs);
  return status ? status : picus_pool_status(pool);
}

/* --- values ------------------------------------------------------------------------------------------------------- */

picus_status picus_switches_compile(picus_model *model, const picus_system *system, picus_tape **out) {
  const size_t count = (size_t)system->switch_count;
  *out = NULL;
  if (count == 0) return PICUS_OK;
  picus_expr *outputs = picus_allocate(model->context, 2 * count, sizeof *outputs);
  if (!outputs) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) {
    outputs[k] = system->switches[k].a;
    outputs[count + k] = system->switches[k].b;
  }
  const picus_tape_stage stage = {2 * system->switch_count, outputs};
  picus_status status = picus_switches_rewrite(model->context, model->pool, system, 2 * count, outputs);
  if (!status) status = picus_tape_create(model->pool, 1, &stage, out);
  picus_release(model->context, outputs);
  return status;
}

void picus_switches_load(const picus_system *system, const double *sides, double *registers) {
  for (int k = 0; k < system->switch_count; k++) {
    double *const at = registers + system->switches[k].variables;
    if (system->switches[k].table) {
      at[VARIABLE_HELD] = isnan(sides[k]) ? 0 : fabs(sides[k]);
      continue;
    }
    at[VARIABLE_HELD] = !isnan(sides[k]);
    at[VARIABLE_ABOVE] = sides[k] > 0;
    at[VARIABLE_BELOW] = !(sides[k] > 0);
    at[VARIABLE_SIGN] = sides[k] > 0 ? 1 : -1;
    at[VARIABLE_OPPOSITE] = -at[VARIABLE_SIGN];
  }
}
