/* The functions of a program that a run calls; see callbacks.h. */
#include "sim/callbacks.h"

#include "base/internal.h"

static picus_status begin_log(run_callbacks *c) {
  picus_sim *sim = c->sim;
  const picus_step_view view = picus_sim_step_view(sim);
  picus_status status = picus_event_log_create(sim->context, sim->system, &c->log);
  if (!status) status = picus_sim_laws(sim, sim->laws);
  if (!status) picus_event_log_begin(c->log, &view, sim->laws);
  return status;
}

picus_status picus_callbacks_begin(run_callbacks *c, picus_sim *sim, const picus_run_hooks *hooks, bool resumes) {
  *c = (run_callbacks){.sim = sim};
  if (!hooks || (!hooks->step && !hooks->event)) return PICUS_OK;
  c->hooks = hooks;
  picus_status status = resumes ? PICUS_OK : picus_callbacks_step(c, NULL);
  return status || !hooks->event ? status : begin_log(c);
}

void picus_callbacks_release(run_callbacks *c) {
  picus_event_log_destroy(c->log);
  *c = (run_callbacks){0};
}

static picus_status call_event(void *user, const picus_switching *event) {
  run_callbacks *c = user;
  if (c->hooks->event(c->hooks->user, c->sim, event) != 0) c->is_stopped = true;
  return PICUS_OK;
}

picus_status picus_callbacks_note(run_callbacks *c, const picus_step_view *view, const picus_step_info *info) {
  if (!c->log) return PICUS_OK;
  picus_status status = PICUS_OK;
  if (picus_event_log_is_behind(c->log, view)) status = picus_event_log_follow(c->log, view, info, call_event, c);
  if (status) return status;
  const int first = picus_event_log_look(c->log, view, info);
  return first < 0 ? PICUS_OK : picus_event_log_note(c->log, view, info, first, call_event, c);
}

picus_status picus_callbacks_step(run_callbacks *c, const picus_step_info *info) {
  if (!c->hooks) return PICUS_OK;
  picus_sim *sim = c->sim;
  bool changed;
  if (!c->is_stopped && c->hooks->step && c->hooks->step(c->hooks->user, sim, info) != 0) c->is_stopped = true;
  picus_sim_apply_inputs(sim, &changed);
  if (!c->is_stopped) return PICUS_OK;
  return picus_fail(sim->context, PICUS_INTERRUPTED, "the program stopped the run at t = %.9g of %.9g", sim->stepper.t,
                    sim->options.t_end);
}
