/* Pools packed for later. A packed node has its operation and arguments, or the value of a number in their place; all
 * else follows from them. */
#include "expr/internal.h"

#include <string.h>

typedef struct packed_node {
  int32_t op;
  int32_t argument[3];
} packed_node;

struct picus_packed_pool {
  picus_context *context;
  int32_t count, variable_count;
  packed_node *nodes;
  int32_t *variable_ids;
  size_t *name_start; /* variable_count: into names */
  char *names;
  int table_count;
  picus_table **tables;
};

static packed_node pack(const picus_node *node) {
  packed_node packed = {node->op, {node->argument[0], node->argument[1], node->argument[2]}};
  if (node->op == PICUS_NUMBER) memcpy(packed.argument, &node->value, sizeof node->value);
  return packed;
}

static picus_node unpack(const packed_node *packed) {
  picus_node node = {.op = packed->op, .argument = {packed->argument[0], packed->argument[1], packed->argument[2]}};
  if (packed->op != PICUS_NUMBER) return node;
  memcpy(&node.value, packed->argument, sizeof node.value);
  node.argument[0] = node.argument[1] = PICUS_ID_INVALID;
  return node;
}

static picus_status pack_variables(const picus_pool *pool, picus_packed_pool *packed) {
  const size_t count = (size_t)pool->variable_count;
  size_t letters = 0;
  for (size_t k = 0; k < count; k++) letters += strlen(pool->variable_names[k]) + 1;
  packed->variable_ids = picus_allocate(packed->context, count, sizeof *packed->variable_ids);
  packed->name_start = picus_allocate(packed->context, count, sizeof *packed->name_start);
  packed->names = picus_allocate(packed->context, letters, 1);
  if (!packed->variable_ids || !packed->name_start || !packed->names) return PICUS_ERROR_MEMORY;
  for (size_t k = 0, at = 0; k < count; k++) {
    const size_t size = strlen(pool->variable_names[k]) + 1;
    memcpy(packed->names + at, pool->variable_names[k], size);
    packed->variable_ids[k] = pool->variable_ids[k];
    packed->name_start[k] = at;
    at += size;
  }
  packed->variable_count = pool->variable_count;
  return PICUS_OK;
}

picus_status picus_pool_pack(picus_context *context, const picus_pool *pool, picus_packed_pool **out) {
  *out = NULL;
  picus_packed_pool *packed = picus_allocate(context, 1, sizeof *packed);
  if (!packed) return PICUS_ERROR_MEMORY;
  packed->context = context;
  packed->count = pool->count;
  packed->nodes = picus_allocate(context, (size_t)pool->count, sizeof *packed->nodes);
  picus_status status = packed->nodes ? pack_variables(pool, packed) : PICUS_ERROR_MEMORY;
  if (!status) status = picus_tables_copy(context, pool->table_count, pool->tables, &packed->tables);
  if (!status) packed->table_count = pool->table_count;
  if (status) {
    picus_packed_pool_destroy(packed);
    return status;
  }
  for (int32_t id = 0; id < pool->count; id++) packed->nodes[id] = pack(&pool->nodes[id]);
  *out = packed;
  return PICUS_OK;
}

void picus_packed_pool_destroy(picus_packed_pool *packed) {
  if (!packed) return;
  picus_release(packed->context, packed->nodes);
  picus_release(packed->context, packed->variable_ids);
  picus_release(packed->context, packed->name_start);
  picus_release(packed->context, packed->names);
  picus_tables_release(packed->context, packed->table_count, packed->tables);
  picus_release(packed->context, packed);
}

static picus_status unpack_variables(const picus_packed_pool *packed, picus_pool *pool) {
  const size_t count = (size_t)packed->variable_count;
  pool->variable_ids = picus_allocate(pool->context, count, sizeof *pool->variable_ids);
  pool->variable_names = picus_allocate(pool->context, count, sizeof *pool->variable_names);
  if (!pool->variable_ids || !pool->variable_names) return PICUS_ERROR_MEMORY;
  pool->variable_id_capacity = pool->variable_name_capacity = count;
  for (size_t k = 0; k < count; k++) {
    pool->variable_names[k] = picus_copy_text(pool->context, packed->names + packed->name_start[k]);
    if (!pool->variable_names[k]) return PICUS_ERROR_MEMORY;
    pool->variable_ids[k] = packed->variable_ids[k];
    pool->variable_count++;
  }
  return PICUS_OK;
}

picus_status picus_pool_unpack(picus_context *context, const picus_packed_pool *packed, picus_pool **out) {
  *out = NULL;
  picus_pool *pool = picus_allocate(context, 1, sizeof *pool);
  if (!pool) return PICUS_ERROR_MEMORY;
  pool->context = context;
  picus_status status = picus_pool_reserve(pool, (size_t)packed->count);
  if (!status) picus_pool_append_none(pool);
  for (int32_t id = 1; !status && id < packed->count; id++) picus_pool_append(pool, unpack(&packed->nodes[id]));
  if (!status) status = unpack_variables(packed, pool);
  if (!status) status = picus_tables_copy(context, packed->table_count, packed->tables, &pool->tables);
  if (!status) {
    pool->table_count = packed->table_count;
    pool->table_capacity = (size_t)packed->table_count;
  }
  if (status) {
    picus_pool_destroy(pool);
    return status;
  }
  *out = pool;
  return PICUS_OK;
}
