/* Limits of deriving equations and Jacobians, and the messages of a derivation that exceeds them. */
#ifndef PICUS_SYSTEM_LIMITS_H
#define PICUS_SYSTEM_LIMITS_H

#include "expr/internal.h"

#include <picus/system.h>

/* What is derived, for the messages. */
typedef struct derivation_limits {
  picus_derivation most; /* complete: the limits are numbers */
  const char *model;
  int velocity_count, law_count;
} derivation_limits;

/* given: NULL, or with zeros for defaults. */
picus_derivation picus_derivation_complete(const picus_derivation *given);

/* Between begin and end, memory of the context is limited; the pool is watched from picus_limits_watch on, if it is
 * called. The end returns the status of the derivation, or an exceeded limit as the cause of its failure. */
void picus_limits_begin(picus_context *context, const derivation_limits *limits, picus_pool_watch *watch);
void picus_limits_watch(picus_pool *pool, picus_pool_watch *watch);
picus_status picus_limits_end(picus_context *context, picus_pool *pool, const derivation_limits *limits,
                              picus_pool_watch *watch, picus_status status);

#endif
