/* The pool of expressions: nodes stored once, variables, the first failure, questions about expressions, limits of the
 * work on it, and the value of an expression node by node. A small hash map to ids (open addressing, linear probing)
 * and a growing stack serve it and the other files of this room. */
#include "expr/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- hash map and stack ------------------------------------------------------------------------------------------- */

int32_t picus_id_map_get(const picus_id_map *map, uint64_t key) {
  if (map->capacity == 0) return PICUS_ID_INVALID;
  size_t mask = map->capacity - 1;
  for (size_t slot = (size_t)picus_mix(key) & mask;; slot = (slot + 1) & mask) {
    if (map->values[slot] == 0) return PICUS_ID_INVALID;
    if (map->keys[slot] == key) return map->values[slot] - 1;
  }
}

static void insert(picus_id_map *map, uint64_t key, int32_t stored) {
  size_t mask = map->capacity - 1, slot = (size_t)picus_mix(key) & mask;
  while (map->values[slot] != 0 && map->keys[slot] != key) slot = (slot + 1) & mask;
  if (map->values[slot] == 0) map->count++;
  map->keys[slot] = key;
  map->values[slot] = stored;
}

static picus_status enlarge(picus_context *context, picus_id_map *map) {
  picus_id_map larger = {.capacity = map->capacity ? 2 * map->capacity : 64};
  larger.keys = picus_allocate(context, larger.capacity, sizeof *larger.keys);
  larger.values = picus_allocate(context, larger.capacity, sizeof *larger.values);
  if (!larger.keys || !larger.values) {
    picus_id_map_clear(context, &larger);
    return PICUS_ERROR_MEMORY;
  }
  for (size_t slot = 0; slot < map->capacity; slot++)
    if (map->values[slot] != 0) insert(&larger, map->keys[slot], map->values[slot]);
  picus_id_map_clear(context, map);
  *map = larger;
  return PICUS_OK;
}

picus_status picus_id_map_put(picus_context *context, picus_id_map *map, uint64_t key, int32_t id) {
  if (2 * (map->count + 1) > map->capacity && enlarge(context, map)) return PICUS_ERROR_MEMORY;
  insert(map, key, id + 1);
  return PICUS_OK;
}

void picus_id_map_clear(picus_context *context, picus_id_map *map) {
  picus_release(context, map->keys);
  picus_release(context, map->values);
  *map = (picus_id_map){0};
}

picus_status picus_id_stack_push(picus_context *context, picus_id_stack *stack, int32_t id) {
  if (picus_grow(context, &stack->ids, stack->count, &stack->capacity, sizeof *stack->ids)) return PICUS_ERROR_MEMORY;
  stack->ids[stack->count++] = id;
  return PICUS_OK;
}

/* --- the pool ----------------------------------------------------------------------------------------------------- */

/* ---- failures */

static void keep_first_failure(picus_pool *pool, picus_status status, const char *message) {
  if (pool->status) return;
  pool->status = status;
  snprintf(pool->message, sizeof pool->message, "%s", message);
}

int32_t picus_pool_fail(picus_pool *pool, picus_status status, const char *format, ...) {
  char message[sizeof pool->message];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  picus_fail(pool->context, status, "%s", message);
  keep_first_failure(pool, status, message);
  return PICUS_ID_INVALID;
}

int32_t picus_pool_out_of_memory(picus_pool *pool) {
  keep_first_failure(pool, PICUS_ERROR_MEMORY, picus_last_error(pool->context)->message);
  return PICUS_ID_INVALID;
}

picus_status picus_pool_report(picus_pool *pool) {
  if (!pool->status) picus_pool_fail(pool, PICUS_ERROR_ARGUMENT, "an expression is invalid");
  return picus_fail(pool->context, pool->status, "%s", pool->message);
}

bool picus_pool_owns(picus_pool *pool, int32_t id) {
  if (id > 0 && id < pool->count) return true;
  if (id > 0)
    picus_pool_fail(pool, PICUS_ERROR_ARGUMENT, "an expression belongs to another pool (id %d)", (int)id);
  else if (id == PICUS_ID_NONE)
    picus_pool_fail(pool, PICUS_ERROR_ARGUMENT,
                    "an operand is no expression, a picus_expr of zeros; assign it before it is used");
  else if (!pool->status) {
    picus_pool_fail(pool, PICUS_ERROR_ARGUMENT, "an invalid expression is used");
    pool->used_invalid = true;
  }
  return false;
}

/* ---- nodes */

/* Products are found by their powers, so that (a*b)*c and a*(b*c) are one node; all others by their arguments. */
static uint32_t node_hash(const picus_node *node, bool by_powers) {
  if (by_powers) return (uint32_t)picus_mix(node->product ^ UINT64_C(0x9E3779B97F4A7C15));
  uint64_t bits;
  memcpy(&bits, &node->value, sizeof bits);
  uint64_t hash = picus_mix((uint64_t)node->op + 1);
  for (int k = 0; k < 3; k++) hash = picus_mix(hash + (uint32_t)(node->argument[k] + 1) * UINT64_C(0x9E3779B97F4A7C15));
  return (uint32_t)picus_mix(hash ^ bits);
}

static bool same_node(const picus_node *a, const picus_node *b) {
  return a->op == b->op && memcmp(a->argument, b->argument, sizeof a->argument) == 0 && a->value == b->value;
}

static bool is_pure_product(const picus_pool *pool, const picus_node *node) {
  return picus_is_pure_product(pool, (picus_op)node->op, node->argument[0], node->argument[1]);
}

/* The powers of a product, which may not be stored yet; false for all other nodes, and for products that are too large
 * to be compared power by power. */
static bool find_powers(const picus_pool *pool, const picus_node *node, picus_monomial *powers) {
  *powers = (picus_monomial){.coefficient = 1};
  if (!is_pure_product(pool, node)) return false;
  int first = node->op == PICUS_POWER ? (int)pool->nodes[node->argument[1]].value : 1;
  if (!picus_monomial_multiply(pool, powers, node->argument[0], first)) return false;
  int second = node->op == PICUS_DIVIDE ? -1 : 1;
  if (node->op != PICUS_POWER && !picus_monomial_multiply(pool, powers, node->argument[1], second)) return false;
  return powers->coefficient == 1;
}

/* powers is NULL for nodes that are not products. */
static bool matches(const picus_pool *pool, const picus_node *candidate, const picus_node *node,
                    const picus_monomial *powers) {
  if (same_node(candidate, node)) return true;
  picus_monomial candidate_powers;
  return powers && candidate->product == node->product && find_powers(pool, candidate, &candidate_powers) &&
         picus_monomial_equal(&candidate_powers, powers);
}

/* The slot of the node, or the free slot for it. */
static size_t find_slot(const picus_pool *pool, const picus_node *node, uint32_t hash, const picus_monomial *powers) {
  size_t mask = pool->slot_count - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    const picus_slot *slot = &pool->slots[at];
    if (slot->stored == 0) return at;
    if (slot->hash == hash && matches(pool, &pool->nodes[slot->stored - 1], node, powers)) return at;
  }
}

static picus_status enlarge_slots(picus_pool *pool) {
  size_t slot_count = pool->slot_count ? 2 * pool->slot_count : 64, mask = slot_count - 1;
  picus_slot *slots = picus_allocate(pool->context, slot_count, sizeof *slots);
  if (!slots) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < pool->slot_count; k++) {
    if (pool->slots[k].stored == 0) continue;
    size_t at = pool->slots[k].hash & mask;
    while (slots[at].stored != 0) at = (at + 1) & mask;
    slots[at] = pool->slots[k];
  }
  picus_release(pool->context, pool->slots);
  pool->slots = slots;
  pool->slot_count = slot_count;
  return PICUS_OK;
}

static picus_status make_room(picus_pool *pool) {
  size_t count = (size_t)pool->count;
  if (pool->count == INT32_MAX - 1)
    return picus_fail(pool->context, PICUS_ERROR_MEMORY, "a pool holds at most %d expressions", INT32_MAX - 1);
  picus_status status = picus_grow(pool->context, &pool->nodes, count, &pool->node_capacity, sizeof *pool->nodes);
  if (!status) status = picus_grow(pool->context, &pool->visits, count, &pool->visit_capacity, sizeof *pool->visits);
  if (!status && 2 * (count + 1) > pool->slot_count) status = enlarge_slots(pool);
  return status;
}

/* The key of products: a sum over the factors, so that the order of multiplication does not matter. */
static uint64_t product_key(const picus_pool *pool, const picus_node *node, int32_t id) {
  const picus_node *nodes = pool->nodes;
  switch ((picus_op)node->op) {
  case PICUS_NUMBER:
    return 0;
  case PICUS_NEGATE:
    return nodes[node->argument[0]].product;
  case PICUS_MULTIPLY:
    return nodes[node->argument[0]].product + nodes[node->argument[1]].product;
  case PICUS_DIVIDE:
    return nodes[node->argument[0]].product - nodes[node->argument[1]].product;
  case PICUS_POWER:
    if (is_pure_product(pool, node))
      return (uint64_t)(int64_t)nodes[node->argument[1]].value * nodes[node->argument[0]].product;
    break;
  default:
    break;
  }
  return picus_mix((uint32_t)id + UINT64_C(0x632BE59BD9B4E019));
}

static int32_t intern_node(picus_pool *pool, picus_node node) {
  if (!picus_pool_may_go_on(pool, 1)) return PICUS_ID_INVALID;
  if (pool->slot_count == 0 && enlarge_slots(pool)) return picus_pool_out_of_memory(pool);
  picus_monomial found;
  const picus_monomial *powers = find_powers(pool, &node, &found) ? &found : NULL;
  if (powers) node.product = product_key(pool, &node, PICUS_ID_INVALID);
  uint32_t hash = node_hash(&node, powers != NULL);
  size_t at = find_slot(pool, &node, hash, powers), slot_count = pool->slot_count;
  if (pool->slots[at].stored != 0) return pool->slots[at].stored - 1;
  if (make_room(pool)) return picus_pool_out_of_memory(pool);
  if (pool->slot_count != slot_count) at = find_slot(pool, &node, hash, powers);
  int32_t id = pool->count++;
  if (!powers) node.product = product_key(pool, &node, id);
  pool->nodes[id] = node;
  pool->slots[at] = (picus_slot){hash, id + 1};
  return id;
}

static picus_node plain_node(const picus_pool *pool, picus_op op, int32_t a, int32_t b, int32_t c) {
  picus_node node = {.op = (int32_t)op, .argument = {a, b, c}};
  for (int k = 0; k < 3; k++)
    if (node.argument[k] >= 0) node.variables |= pool->nodes[node.argument[k]].variables;
  return node;
}

int32_t picus_intern(picus_pool *pool, picus_op op, int32_t a, int32_t b, int32_t c) {
  int arity = picus_op_arity(op);
  if (a < 0 || (arity > 1 && b < 0) || (arity > 2 && c < 0)) return PICUS_ID_INVALID;
  return intern_node(pool, plain_node(pool, op, a, b, c));
}

int32_t picus_find_unary(const picus_pool *pool, picus_op op, int32_t a) {
  picus_node node = plain_node(pool, op, a, -1, -1);
  return pool->slots[find_slot(pool, &node, node_hash(&node, false), NULL)].stored - 1;
}

int32_t picus_intern_number(picus_pool *pool, double value) {
  value += 0.0; /* no negative zero */
  return intern_node(pool, (picus_node){.op = PICUS_NUMBER, .argument = {-1, -1, -1}, .value = value});
}

picus_status picus_pool_reserve(picus_pool *pool, size_t count) {
  size_t slot_count = 64;
  while (slot_count < 2 * (count + 1)) slot_count *= 2;
  pool->nodes = picus_allocate(pool->context, count, sizeof *pool->nodes);
  pool->visits = picus_allocate(pool->context, count, sizeof *pool->visits);
  pool->slots = picus_allocate(pool->context, slot_count, sizeof *pool->slots);
  if (!pool->nodes || !pool->visits || !pool->slots) return PICUS_ERROR_MEMORY;
  pool->node_capacity = pool->visit_capacity = count;
  pool->slot_count = slot_count;
  return PICUS_OK;
}

void picus_pool_append_none(picus_pool *pool) {
  pool->nodes[pool->count++] = (picus_node){.op = PICUS_OP_COUNT, .argument = {-1, -1, -1}};
}

void picus_pool_append(picus_pool *pool, picus_node node) {
  picus_monomial powers;
  if (node.op == PICUS_VARIABLE)
    node.variables = 1ULL << (node.argument[0] & 63);
  else
    for (int k = 0; k < 3; k++)
      if (node.argument[k] >= 0) node.variables |= pool->nodes[node.argument[k]].variables;
  node.product = product_key(pool, &node, pool->count);
  const uint32_t hash = node_hash(&node, find_powers(pool, &node, &powers));
  size_t at = hash & (pool->slot_count - 1);
  while (pool->slots[at].stored != 0) at = (at + 1) & (pool->slot_count - 1);
  pool->nodes[pool->count++] = node;
  pool->slots[at] = (picus_slot){hash, pool->count};
}

/* ---- the pool */

picus_status picus_pool_create(picus_context *context, picus_pool **out) {
  *out = NULL;
  picus_pool *pool = picus_allocate(context, 1, sizeof *pool);
  if (!pool) return PICUS_ERROR_MEMORY;
  pool->context = context;
  if (make_room(pool)) {
    picus_pool_destroy(pool);
    return PICUS_ERROR_MEMORY;
  }
  picus_pool_append_none(pool);
  picus_intern_number(pool, 0);
  picus_intern_number(pool, 1);
  if (pool->status) {
    picus_pool_destroy(pool);
    return PICUS_ERROR_MEMORY;
  }
  *out = pool;
  return PICUS_OK;
}

void picus_pool_destroy(picus_pool *pool) {
  if (!pool) return;
  picus_context *context = pool->context;
  for (int32_t k = 0; k < pool->variable_count; k++) picus_release(context, pool->variable_names[k]);
  picus_release(context, pool->variable_names);
  picus_release(context, pool->variable_ids);
  picus_id_map_clear(context, &pool->derivatives);
  picus_tables_release(context, pool->table_count, pool->tables);
  picus_release(context, pool->slots);
  picus_release(context, pool->visits);
  picus_release(context, pool->nodes);
  picus_release(context, pool);
}

picus_status picus_pool_status(const picus_pool *pool) { return pool->status; }
int picus_pool_size(const picus_pool *pool) { return pool->count; }

/* ---- variables */

static int32_t add_variable(picus_pool *pool, const char *name) {
  size_t count = (size_t)pool->variable_count;
  if (picus_grow(pool->context, &pool->variable_names, count, &pool->variable_name_capacity,
                 sizeof *pool->variable_names) ||
      picus_grow(pool->context, &pool->variable_ids, count, &pool->variable_id_capacity, sizeof *pool->variable_ids))
    return picus_pool_out_of_memory(pool);
  char *copy = picus_copy_text(pool->context, name);
  if (!copy) return picus_pool_out_of_memory(pool);
  int32_t number = pool->variable_count;
  picus_node node = {.op = PICUS_VARIABLE, .argument = {number, -1, -1}, .variables = 1ULL << (number & 63)};
  int32_t id = intern_node(pool, node);
  if (id < 0) {
    picus_release(pool->context, copy);
    return id;
  }
  pool->variable_names[count] = copy;
  pool->variable_ids[count] = id;
  pool->variable_count++;
  return id;
}

picus_expr picus_variable(picus_pool *pool, const char *name) {
  if (!name) return (picus_expr){picus_pool_fail(pool, PICUS_ERROR_ARGUMENT, "a variable needs a name")};
  return (picus_expr){add_variable(pool, name)};
}

int picus_variable_count(const picus_pool *pool) { return pool->variable_count; }

const char *picus_variable_name(const picus_pool *pool, int variable) {
  return variable >= 0 && variable < pool->variable_count ? pool->variable_names[variable] : NULL;
}

/* ---- questions */

static bool is_stored(const picus_pool *pool, picus_expr expr) { return expr.id > 0 && expr.id < pool->count; }

bool picus_expr_valid(picus_expr expr) { return expr.id > 0; }

bool picus_expr_is_number(const picus_pool *pool, picus_expr expr, double *value) {
  if (!is_stored(pool, expr) || !picus_is_number(pool, expr.id)) return false;
  if (value) *value = pool->nodes[expr.id].value;
  return true;
}

int picus_expr_variable_index(const picus_pool *pool, picus_expr expr) {
  if (!is_stored(pool, expr) || pool->nodes[expr.id].op != PICUS_VARIABLE) return -1;
  return pool->nodes[expr.id].argument[0];
}

picus_op picus_expr_op(const picus_pool *pool, picus_expr expr) {
  return is_stored(pool, expr) ? picus_op_at(pool, expr.id) : PICUS_OP_COUNT;
}

picus_expr picus_expr_argument(const picus_pool *pool, picus_expr expr, int k) {
  if (!is_stored(pool, expr) || k < 0 || k >= picus_op_arity(picus_op_at(pool, expr.id)))
    return (picus_expr){PICUS_ID_INVALID};
  return (picus_expr){pool->nodes[expr.id].argument[k]};
}

/* Breadth first over the nodes whose signature allows the variable. */
static bool reaches(const picus_pool *pool, int32_t id, int variable) {
  picus_visit *visits = pool->visits;
  int32_t count = 0, target = pool->variable_ids[variable];
  bool found = false;
  visits[id].seen = true;
  visits[count++].queued = id;
  for (int32_t next = 0; next < count && !found; next++) {
    const picus_node *node = &pool->nodes[visits[next].queued];
    found = visits[next].queued == target;
    for (int k = 0; k < picus_op_arity((picus_op)node->op); k++) {
      int32_t argument = node->argument[k];
      if (visits[argument].seen || !picus_may_depend_on(pool, argument, variable)) continue;
      visits[argument].seen = true;
      visits[count++].queued = argument;
    }
  }
  for (int32_t k = 0; k < count; k++) visits[visits[k].queued].seen = false;
  if (pool->watch) pool->watch->nodes += (uint64_t)count;
  return found;
}

bool picus_expr_depends_on(const picus_pool *pool, picus_expr expr, int variable) {
  if (!is_stored(pool, expr) || variable < 0 || variable >= pool->variable_count) return false;
  if (!picus_may_depend_on(pool, expr.id, variable)) return false;
  return pool->variable_count <= 64 || reaches(pool, expr.id, variable);
}

/* --- limits of the work ------------------------------------------------------------------------------------------- */

/* Every node created or looked up counts, so that a limit does not depend on the speed of the machine. */
enum { BETWEEN_LOOKS = 1 << 15 }; /* nodes: a few milliseconds */

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

void picus_pool_set_watch(picus_pool *pool, picus_pool_watch *watch) {
  pool->watch = watch;
  watch->nodes = 0;
  watch->next = smaller(BETWEEN_LOOKS, watch->most);
}

void picus_pool_unwatch(picus_pool *pool, bool memory_was_limited) {
  bool ended = pool->watch->exceeded || pool->watch->interrupted;
  if (ended || (memory_was_limited && pool->status == PICUS_ERROR_MEMORY)) pool->status = PICUS_OK;
  pool->watch = NULL;
}

bool picus_pool_look(picus_pool *pool) {
  picus_pool_watch *watch = pool->watch;
  if (!watch) return true;
  if (pool->status) return false;
  watch->exceeded = watch->nodes > watch->most;
  watch->interrupted = !watch->exceeded && watch->interrupt && watch->interrupt(watch->user) != 0;
  watch->next = watch->nodes + smaller(BETWEEN_LOOKS, watch->most - smaller(watch->nodes, watch->most) + 1);
  if (watch->exceeded) picus_pool_fail(pool, PICUS_ERROR_FILE_LIMIT, "more nodes than allowed");
  if (watch->interrupted) picus_pool_fail(pool, PICUS_INTERRUPTED, "interrupted while deriving the equations");
  if (pool->status) watch->next = 0; /* nothing goes on */
  return !pool->status;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static void mark_needed(const picus_pool *pool, int32_t id, bool *needed) {
  needed[id] = true;
  for (; id >= 0; id--) {
    if (!needed[id]) continue;
    const picus_node *node = picus_node_at(pool, id);
    for (int k = 0; k < picus_op_arity((picus_op)node->op); k++) needed[node->argument[k]] = true;
  }
}

static double node_value(const picus_pool *pool, const picus_node *node, const double *variables,
                         const double *values) {
  if (node->op == PICUS_NUMBER) return node->value;
  if (node->op == PICUS_VARIABLE) return variables[node->argument[0]];
  double argument[3] = {0, 0, 0};
  for (int k = 0; k < picus_op_arity((picus_op)node->op); k++) argument[k] = values[node->argument[k]];
  if (node->op == PICUS_TABLE)
    return picus_table_at((const picus_table *const *)pool->tables, argument[0], argument[1], argument[2]);
  return picus_apply((picus_op)node->op, argument[0], argument[1], argument[2]);
}

picus_status picus_expr_evaluate(picus_pool *pool, picus_expr expr, const double *variables, double *value) {
  if (!picus_pool_owns(pool, expr.id)) return picus_pool_report(pool);
  size_t count = (size_t)expr.id + 1;
  double *values = picus_allocate(pool->context, count, sizeof *values);
  bool *needed = values ? picus_allocate(pool->context, count, sizeof *needed) : NULL;
  picus_status status = needed ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    mark_needed(pool, expr.id, needed);
    for (int32_t id = 0; id <= expr.id; id++)
      if (needed[id]) values[id] = node_value(pool, picus_node_at(pool, id), variables, values);
    *value = values[expr.id];
  }
  picus_release(pool->context, needed);
  picus_release(pool->context, values);
  return status;
}
