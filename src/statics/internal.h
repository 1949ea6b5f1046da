/* What a state of a system must satisfy, and what its constraints are worth. */
#ifndef PICUS_STATICS_INTERNAL_H
#define PICUS_STATICS_INTERNAL_H

#include "system/internal.h"

/* A system that is complete begins in an allowed state. */
picus_status picus_system_check_start(picus_system *system, const picus_place *law_places);
/* Initial values must be finite, and not so large that products of a few of them leave the range of numbers. */
#define PICUS_LARGEST_STATE 1e100
picus_status picus_system_check_state(picus_context *context, const picus_system *system, const double *q,
                                      const double *u);
/* Constraints, and how many of them depend on others wherever all hold, near a state. */
typedef struct picus_dependent {
  int constraints, dependent;
} picus_dependent;
picus_status picus_system_count_dependent(picus_context *context, const picus_system *system, double t, const double *q,
                                          const double *u, picus_dependent *out);

#endif
