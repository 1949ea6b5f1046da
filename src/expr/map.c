/* A small hash map to ids (open addressing, linear probing) and a growing stack. */
#include "expr/internal.h"

int32_t picus_id_map_get(const picus_id_map *map, uint64_t key) {
  if (map->capacity == 0) return PICUS_ID_INVALID;
  size_t mask = map->capacity - 1;
  for (size_t slot = picus_mix(key) & mask;; slot = (slot + 1) & mask) {
    if (map->values[slot] == 0) return PICUS_ID_INVALID;
    if (map->keys[slot] == key) return map->values[slot] - 1;
  }
}

static void insert(picus_id_map *map, uint64_t key, int32_t stored) {
  size_t mask = map->capacity - 1, slot = picus_mix(key) & mask;
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
