/* Switching functions in formulas: how they are found, held and evaluated. */
#ifndef PICUS_FORMULAS_SWITCH_FORMULAS_H
#define PICUS_FORMULAS_SWITCH_FORMULAS_H

#include "derive/equations.h"
#include "expr/internal.h"
#include "system/switches.h"

/* Lists the switching functions of the equations, and of the motion of frames with shapes, in the system. */
picus_status picus_switches_find(picus_model *model, const equations *equations, picus_system *system);
/* Adds the zeros of those that are timed to the stop times. */
void picus_switches_add_stops(picus_system *system);
/* Replaces each expression by one in which the switching functions can be held. */
picus_status picus_switches_rewrite(picus_context *context, picus_pool *pool, const picus_system *system, size_t count,
                                    picus_expr *exprs);
/* A tape for a, then b, of all switching functions; NULL: there are none. */
picus_status picus_switches_compile(picus_model *model, const picus_system *system, picus_tape **out);
/* Writes sides, one for each switching function, into the registers of a tape. */
void picus_switches_load(const picus_system *system, const double *sides, double *registers);

#endif
