/* Limits of deriving equations and Jacobians. */
#include "derive/limits.h"

/* 4 GiB; a quarter of the address space where a size has 32 bits */
static const size_t default_memory_limit = SIZE_MAX > UINT32_MAX ? (size_t)(UINT64_C(4) << 30) : SIZE_MAX / 4;
static const uint64_t default_node_limit = 10000000000;
static const double default_native_seconds = 300;

picus_derivation picus_derivation_complete(const picus_derivation *given) {
  picus_derivation most = given ? *given : (picus_derivation){0};
  if (!most.memory_limit) most.memory_limit = default_memory_limit;
  if (!most.node_limit) most.node_limit = default_node_limit;
  if (!(most.native_seconds > 0)) most.native_seconds = default_native_seconds;
  return most;
}

void picus_limits_begin(picus_context *context, const derivation_limits *limits, picus_pool_watch *watch) {
  const picus_derivation *most = &limits->most;
  *watch = (picus_pool_watch){.most = most->node_limit, .interrupt = most->interrupt, .user = most->user};
  picus_memory_limit(context, most->memory_limit);
}

void picus_limits_watch(picus_pool *pool, picus_pool_watch *watch) { picus_pool_set_watch(pool, watch); }

static picus_status fail_limit(picus_context *context, const derivation_limits *limits, uint64_t limit,
                               const char *unit) {
  return picus_fail(context, PICUS_ERROR_FILE_LIMIT,
                    "deriving the equations of '%s' exceeds the limit of %llu %s (%d velocities, %d laws); increase it "
                    "(--derive-memory, --derive-nodes), or make the model smaller",
                    limits->model, (unsigned long long)limit, unit, limits->velocity_count, limits->law_count);
}

picus_status picus_limits_end(picus_context *context, picus_pool *pool, const derivation_limits *limits,
                              picus_pool_watch *watch, picus_status status) {
  const bool refused = picus_memory_unlimit(context);
  if (pool && pool->watch) picus_pool_unwatch(pool, refused);
  if (refused && status) return fail_limit(context, limits, limits->most.memory_limit >> 20, "MB of memory");
  if (watch->exceeded) return fail_limit(context, limits, watch->most, "expression nodes");
  if (watch->interrupted)
    return picus_fail(context, PICUS_INTERRUPTED, "interrupted while deriving the equations of '%s'", limits->model);
  return status;
}
