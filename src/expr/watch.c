/* Limits of the work on a pool. Every node created or looked up counts, so that the limit does not depend on the speed
 * of the machine. */
#include "expr/internal.h"

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
