/* What the files of a flow share: the motion (flow.c), the end of a phase (flow_end.c), derivatives at it
 * (flow_saltation.c) and at the start (flow_start.c), and its conditions (flow_check.c). */
#ifndef PICUS_FLOW_FLOW_H
#define PICUS_FLOW_FLOW_H

#include "contact/internal.h"
#include "expr/internal.h"
#include "flow/internal.h"

enum { STEPS_LEAST = 12, STEPS_MOST = 5000 }; /* of a phase */

/* flow.c: the modes of the laws, also for other values of parameters. */
void picus_flow_set_modes(flow *f, const mode_set *modes);
/* Tolerances of numbers as large as those of a state. */
void picus_flow_set_tolerances(flow *f, const double *y);
/* From t over d, which may be negative, in steps of at most `longest`; the state alone or together with its tangents.
 */
picus_status picus_flow_carry(flow *f, bool together, double t, double d, double longest, double *y);
/* One step over an interval, of the state alone or together with its tangents; *columns: of the extrapolation, 0: it
 * has not converged. */
picus_status picus_flow_try_step(flow *f, bool together, smooth_interval over, const double *y, double *end,
                                 int *columns);
picus_status picus_flow_fail_steps(const flow *f, double t);

/* What a switching point is called. */
picus_orbit_change picus_flow_change_of(const phase_end *e, const trigger *g);

/* flow_end.c: advances the state x from *t to the end of a phase; *which is its trigger. */
picus_status picus_flow_find_end(flow *f, const phase *p, const phase_end *e, double *t, double *x, int *which);
/* The law of a trigger, or the text of its switch. */
const char *picus_flow_trigger_name(const flow *f, const trigger *g);

/* flow_saltation.c. time: s, in which the state changes. The changes dt of the time of a switching point, into f->dt.
 */
picus_status picus_flow_find_time_changes(flow *f, const trigger *g, double t, double time, const double *y);
/* The rate of a trigger along the motion, and its changes along all tangents at fixed times, into f->dt. */
picus_status picus_flow_differentiate_trigger(flow *f, const trigger *g, double t, double time, const double *y,
                                              double *rate);
/* The tangents y through the reset, before the rates f+ are subtracted. */
picus_status picus_flow_jump_tangents(flow *f, const phase_end *e, double t, double time, double *y);
/* The state after the end of a phase. */
picus_status picus_flow_reset(flow *f, field *b, const phase_end *e, double t, const double *x, double *x_after);
/* The row of gamma of a trigger that is one. */
int picus_flow_row_of(const flow *f, const trigger *g);

/* flow_check.c: a phase that was followed. */
struct stretch;
picus_status picus_flow_check_phase(flow *f, flow_check *c, const struct stretch *s);
#endif
