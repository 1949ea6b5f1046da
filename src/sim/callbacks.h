/* The functions of a program that a run calls: after steps and at switching points. They may set inputs, which act from
 * the next step on. */
#ifndef PICUS_SIM_CALLBACKS_H
#define PICUS_SIM_CALLBACKS_H

#include "sim/internal.h"

typedef struct run_callbacks {
  picus_sim *sim;
  const picus_run_hooks *hooks; /* NULL: there are no functions to call */
  picus_event_log *log;         /* for the function that is called at switching points; NULL: none */
  bool is_stopped;              /* a function wants the run to end */
} run_callbacks;

/* Before the first step: calls `step` without a step, unless the run resumes. The callbacks must be released, even
 * after a failure. */
picus_status picus_callbacks_begin(run_callbacks *c, picus_sim *sim, const picus_run_hooks *hooks, bool resumes);
void picus_callbacks_release(run_callbacks *c); /* a zeroed one is fine */
/* An accepted step, or a part of one: calls `event` for its switching points. */
picus_status picus_callbacks_note(run_callbacks *c, const picus_step_view *view, const picus_step_info *info);
/* After a complete step: calls `step`; inputs that were set act from now on. PICUS_INTERRUPTED: a function wants it. */
picus_status picus_callbacks_step(run_callbacks *c, const picus_step_info *info);

#endif
