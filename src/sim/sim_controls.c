/* What the simulation does itself between two steps: signals of laws, events, and states that are sampled, in this
 * order.
 *
 * A state is sampled at times that follow from the times at both ends of a step alone, so that there is nothing to
 * save, and a step that is rejected leaves no trace. Next values are evaluated together, from the state at the end of
 * the step and the values of all states before.
 *
 * An event of an expression is seen by its switching function. Adaptive steps end at the zero, and their ends have the
 * sides of the function before and after. With fixed steps, signs at both ends of a step are compared. What an event or
 * a sample sets may make other expressions jump over 0: these events happen next, at the same time. An event does not
 * cause itself. Events of laws compare the modes, or the number of impacts, at both ends of a step. */
#include "base/internal.h"
#include "contact/internal.h"
#include "model/internal.h"
#include "sim/internal.h"
#include "sim/run.h"
#include "system/switches.h"

#include <float.h>
#include <math.h>
#include <picus/model.h>
#include <stdio.h>
#include <string.h>

#define SAME_TIME 1e-9 /* part of a period by which a time may miss that of a sample */
enum { ROUNDS_MOST = 100, HURRIED_MOST = 8, UNKNOWN_MODE = -1 };

/* What is known of an event at the end of the last step. */
struct event_memory {
  int sign;       /* of its expression; 0: it is 0, or nothing is known */
  int mode;       /* of its law, or UNKNOWN_MODE */
  double impacts; /* of its law */
  double t;       /* of the last time it happened, */
  int hurried;    /* and how often in a row it happened at once again */
  double count;
  int leads_to; /* the side to which the motion leads just after it happened, in adaptive runs; 0: not known */
  bool is_due, was_due;
};

/* --- creation ----------------------------------------------------------------------------------------------------- */

picus_status picus_controls_create(picus_sim *sim) {
  const system_controls *c = sim->system->controls;
  if (!c) return PICUS_OK;
  const size_t switches = (size_t)sim->system->switch_count, state = (size_t)sim->system->nq + (size_t)sim->system->nu;
  sim->actions = picus_allocate(sim->context, (size_t)c->action_count, sizeof *sim->actions);
  sim->events = picus_allocate(sim->context, (size_t)c->event_count, sizeof *sim->events);
  sim->event_values = picus_allocate(sim->context, 2 * switches, sizeof *sim->event_values);
  sim->jump = picus_allocate(sim->context, state, sizeof *sim->jump);
  if (!sim->actions || !sim->events || !sim->event_values || !sim->jump) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < c->event_count; k++) sim->events[k].t = -INFINITY;
  picus_controls_begin(sim);
  return PICUS_OK;
}

void picus_controls_release_sim(picus_sim *sim) {
  picus_release(sim->context, sim->actions);
  picus_release(sim->context, sim->events);
  picus_release(sim->context, sim->event_values);
  picus_release(sim->context, sim->jump);
}

/* --- signs of expressions ----------------------------------------------------------------------------------------- */

static int sign_of(double value) { return (value > 0) - (value < 0); }

static void evaluate_switches(picus_sim *sim) {
  stepper *s = &sim->stepper;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  picus_evaluate_switches(s->evaluation, sim->event_values, sim->event_values + sim->system->switch_count);
}

/* After evaluate_switches; of functions of time just after it, without round-off. */
static int sign_now(const picus_sim *sim, const system_event *e) {
  const int k = e->switching;
  const double timed = picus_switch_side_after(sim->system, k, sim->stepper.t);
  const double value = isnan(timed) ? sim->event_values[k] - sim->event_values[sim->system->switch_count + k] : timed;
  return e->reversed ? -sign_of(value) : sign_of(value);
}

static void note_laws(picus_sim *sim) {
  const system_controls *c = sim->system->controls;
  const contact_state *contacts = &sim->stepper.contacts;
  for (int k = 0; k < c->event_count; k++) {
    const int law = c->events[k].law;
    if (law < 0) continue;
    sim->events[k].mode = (int)contacts->modes[law];
    sim->events[k].impacts = (double)contacts->history.impacts[law];
  }
}

/* Before the first step no law has a mode: only contacts with a gap, or of bodies that approach or separate, are open.
 * As in the event log, the mode of all others follows from the first step, and is no change. */
static void note_first_laws(picus_sim *sim) {
  const system_controls *c = sim->system->controls;
  note_laws(sim);
  const picus_status status = picus_sim_laws(sim, sim->laws);
  for (int k = 0; k < c->event_count; k++) {
    const int law = c->events[k].law;
    if (law < 0 || sim->events[k].mode != PICUS_OPEN) continue;
    const picus_law_state *state = &sim->laws[law];
    const bool is_apart = !status && picus_law_can_open(&sim->system->fixed.laws[law].data) &&
                          (state->gap > 0 || state->normal_velocity != 0);
    if (!is_apart) sim->events[k].mode = UNKNOWN_MODE;
  }
}

/* The signs after all that was done are those before the next step. */
static void note_signs(picus_sim *sim) {
  const system_controls *c = sim->system->controls;
  evaluate_switches(sim);
  for (int k = 0; k < c->event_count; k++)
    if (c->events[k].switching >= 0) sim->events[k].sign = sign_now(sim, &c->events[k]);
}

void picus_controls_begin(picus_sim *sim) {
  if (!sim->system->controls || sim->system->controls->event_count == 0) return;
  note_signs(sim);
  note_first_laws(sim);
}

/* --- which events happen ------------------------------------------------------------------------------------------ */

static bool is_wanted(const system_event *e, int before, int after) {
  if (after == before || before == 0) return false;
  if (e->direction == PICUS_EVENT_RISES) return before < 0;
  return e->direction != PICUS_EVENT_FALLS || before > 0;
}

/* The sign at an end of the step that the driver made. */
static int side_at(const picus_sim *sim, const system_event *e, int end) {
  const int side = sim->driver.ends[end]->sides[e->switching] > 0 ? 1 : -1;
  return e->reversed ? -side : side;
}

static bool law_has_changed(const picus_sim *sim, const system_event *e, const event_memory *before) {
  const contact_state *contacts = &sim->stepper.contacts;
  const picus_mode now = contacts->modes[e->law], then = (picus_mode)before->mode;
  if (e->change != PICUS_EVENT_IMPACT && before->mode == UNKNOWN_MODE) return false;
  switch ((picus_event_change)e->change) {
  case PICUS_EVENT_OPENS:
    return now == PICUS_OPEN && then != PICUS_OPEN;
  case PICUS_EVENT_CLOSES:
    return now != PICUS_OPEN && then == PICUS_OPEN;
  case PICUS_EVENT_STICKS:
    return now == PICUS_STICK && then != PICUS_STICK;
  case PICUS_EVENT_SLIPS:
    return now == PICUS_SLIP && then != PICUS_SLIP;
  case PICUS_EVENT_IMPACT:
    break;
  }
  return (double)contacts->history.impacts[e->law] > before->impacts;
}

/* By the motion in the last step. */
static bool find_due(picus_sim *sim, bool is_driven) {
  const system_controls *c = sim->system->controls;
  bool any = false;
  if (!is_driven) evaluate_switches(sim);
  for (int k = 0; k < c->event_count; k++) {
    const system_event *e = &c->events[k];
    event_memory *m = &sim->events[k];
    if (e->switching < 0)
      m->is_due = law_has_changed(sim, e, m);
    else if (is_driven)
      m->is_due = is_wanted(e, side_at(sim, e, 0), side_at(sim, e, 1));
    else
      m->is_due = is_wanted(e, m->sign, sign_now(sim, e));
    m->was_due = false;
    any = any || m->is_due;
  }
  return any;
}

/* By what was set: from the signs before it. */
static bool find_caused(picus_sim *sim) {
  const system_controls *c = sim->system->controls;
  bool any = false;
  evaluate_switches(sim);
  for (int k = 0; k < c->event_count; k++) {
    event_memory *m = &sim->events[k];
    if (c->events[k].switching < 0) { /* a law does what it does once in a step */
      m->is_due = false;
      continue;
    }
    const int now = sign_now(sim, &c->events[k]);
    m->is_due = now != 0 && !m->was_due && is_wanted(&c->events[k], m->sign, now);
    m->sign = now;
    any = any || m->is_due;
  }
  return any;
}

/* --- what they do ------------------------------------------------------------------------------------------------- */

static picus_status fail_value(picus_sim *sim, const char *what, const char *name, double value) {
  return picus_fail(sim->context, PICUS_ERROR_NUMBER, "%s '%s' is %g at t = %.9g; it must be finite", what, name, value,
                    sim->stepper.t);
}

static picus_status fail_hurry(picus_sim *sim, const system_event *e) {
  return picus_fail(
      sim->context, PICUS_ERROR_MODEL,
      "event '%s' happens again and again at t = %.9g, at intervals shorter than dt_min; use a contact for "
      "an impact, or an event that happens once",
      e->name, sim->stepper.t);
}

static void set_input(picus_sim *sim, int input, double value) {
  sim->inputs[input] = (input_value){.value = value, .since = sim->stepper.t};
  sim->inputs_wait = true;
}

#define SWITCHED_GAP 1e-5 /* m, as in the initial state */

/* A contact that is switched on must not be deep inside, nor a constraint open: a step would close that at once. With
 * fixed steps an event happens up to a step late. */
static picus_status check_switched_on(picus_sim *sim, const system_event *e) {
  const system_setting *settings = sim->system->controls->settings + e->first_setting;
  picus_status status = picus_sim_laws(sim, sim->laws);
  for (int k = 0; !status && k < e->setting_count; k++) {
    if (settings[k].kind != SETTING_SWITCH || sim->inputs[settings[k].index].value != 0) continue;
    for (int i = 0; i < sim->system->fixed.law_count; i++) {
      const system_law *law = &sim->system->fixed.laws[i];
      const picus_law_state *state = &sim->laws[i];
      if (law->off_input != settings[k].index + 1 || !law->data.has_gap) continue;
      const double late = sim->options.adaptive ? 0 : 2 * sim->options.dt * fabs(state->normal_velocity);
      const bool is_contact = picus_law_can_open(&law->data);
      if (is_contact ? state->gap >= -SWITCHED_GAP - late : fabs(state->gap) <= SWITCHED_GAP) continue;
      return picus_fail(sim->context, PICUS_ERROR_MODEL,
                        "event '%s' switches '%s' on at t = %.9g, but its gap is %.3g m; %s", e->name, law->data.name,
                        sim->stepper.t, state->gap,
                        is_contact ? "switch it on where it is open"
                                   : "switch it on where it is closed, set coordinates in the event, or use a "
                                     "constraint on the velocity");
    }
  }
  return status;
}

/* Inputs act at once; coordinates and velocities are in the stepper, which learns of it at the end. */
static picus_status happen(picus_sim *sim, int k, controls_result *result) {
  const system_event *e = &sim->system->controls->events[k];
  event_memory *m = &sim->events[k];
  stepper *s = &sim->stepper;
  if (s->t > m->t) m->hurried = sim->options.adaptive && s->t - m->t < sim->options.dt_min ? m->hurried + 1 : 0;
  m->t = s->t;
  m->count++;
  const picus_run_hooks *hooks = sim->run ? sim->run->hooks : NULL;
  if (hooks && hooks->model_event) hooks->model_event(hooks->user, sim, k);
  const picus_state state = picus_sim_state(sim);
  if (sim->run && sim->run->recorder) {
    picus_status status = picus_recorder_take_event(sim->run->recorder, k, &state, s->evaluation->inputs);
    if (status) return status;
  }
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  picus_evaluate_actions(s->evaluation, sim->actions);
  bool comes_on = false;
  for (int i = e->first_setting; i < e->first_setting + e->setting_count; i++) {
    const system_setting *to = &sim->system->controls->settings[i];
    const double value = sim->actions[to->action];
    if (!isfinite(value)) return fail_value(sim, "a value that is set by event", e->name, value);
    const bool is_switch = to->kind == SETTING_SWITCH, is_input = to->kind == SETTING_INPUT || is_switch;
    comes_on = comes_on || (is_switch && value == 0 && sim->inputs[to->index].value != 0);
    if (is_input)
      set_input(sim, to->index, value);
    else if (to->kind == SETTING_COORDINATE)
      s->q[to->index] = value;
    else
      s->u[to->index] = value;
    result->jumps = result->jumps || !is_input;
    result->switches = result->switches || is_switch;
  }
  bool unread;
  picus_sim_apply_inputs(sim, &unread);
  result->happened++;
  if (e->stops) result->stopped_by = e->name;
  if (comes_on) {
    picus_status status = check_switched_on(sim, e);
    if (status) return status;
  }
  return m->hurried < HURRIED_MOST ? PICUS_OK : fail_hurry(sim, e);
}

static picus_status fail_loop(picus_sim *sim) {
  const system_controls *c = sim->system->controls;
  const char *names[2] = {"", ""};
  for (int k = c->event_count - 1; k >= 0; k--)
    if (sim->events[k].is_due || sim->events[k].was_due) {
      names[1] = names[0];
      names[0] = c->events[k].name;
    }
  return picus_fail(
      sim->context, PICUS_ERROR_MODEL,
      "events cause each other without end at t = %.9g: '%s'%s%s%s; what one of them sets makes the other "
      "one happen",
      sim->stepper.t, names[0], *names[1] ? " and '" : "", names[1], *names[1] ? "'" : "");
}

static picus_status happen_in_order(picus_sim *sim, controls_result *result) {
  const system_controls *c = sim->system->controls;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < c->event_count; k++) {
    event_memory *m = &sim->events[k];
    m->was_due = m->is_due;
    if (m->is_due) status = happen(sim, k, result);
  }
  return status;
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

static double samples_until(const picus_sim *sim, const system_sampled *s, double t) {
  return floor((t - sim->options.t_start) / s->every + SAME_TIME);
}

static long samples_due(const picus_sim *sim, const system_sampled *s, double t_before) {
  if (!(s->every > 0)) return 0;
  const double due = samples_until(sim, s, sim->stepper.t) - samples_until(sim, s, t_before);
  return due > 0 ? (long)due : 0;
}

static bool is_sample_due(const picus_sim *sim, double t_before, long round) {
  const system_controls *c = sim->system->controls;
  for (int k = 0; k < c->sampled_count; k++)
    if (samples_due(sim, &c->sampled[k], t_before) > round) return true;
  return false;
}

int picus_controls_times(const picus_sim *sim, double after, double before, double *times) {
  const system_controls *c = sim->system->controls;
  int found = 0;
  for (int k = 0; c && k < c->sampled_count; k++) {
    const system_sampled *s = &c->sampled[k];
    if (!(s->every > 0)) continue;
    const double first = samples_until(sim, s, after) + 1;
    for (double i = first; sim->options.t_start + i * s->every < before; i++) {
      if (found == PICUS_SAMPLES_MOST) return found;
      if (times) times[found] = sim->options.t_start + i * s->every;
      found++;
    }
  }
  return found;
}

/* Those that are due once more, from the values before. */
static picus_status sample_once(picus_sim *sim, double t_before, long round) {
  const system_controls *c = sim->system->controls;
  stepper *s = &sim->stepper;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  picus_evaluate_actions(s->evaluation, sim->actions);
  for (int k = 0; k < c->sampled_count; k++) {
    const system_sampled *state = &c->sampled[k];
    if (samples_due(sim, state, t_before) <= round) continue;
    const double value = sim->actions[state->action];
    if (!isfinite(value))
      return fail_value(sim, "the next value of state", sim->system->input_names[state->input].name, value);
    if (value != sim->inputs[state->input].value) set_input(sim, state->input, value);
  }
  bool unread;
  picus_sim_apply_inputs(sim, &unread);
  return PICUS_OK;
}

/* Signals act on actions only: the steps continue as before. */
static picus_status take_signals(picus_sim *sim, double dt) {
  const system_controls *c = sim->system->controls;
  if (c->signal_count == 0) return PICUS_OK;
  picus_status status = picus_sim_laws(sim, sim->laws);
  for (int k = 0; !status && k < c->signal_count; k++) {
    const system_signal *s = &c->signals[k];
    const picus_law_state *law = &sim->laws[s->law];
    const bool has_normal = picus_normal_rows(sim->system->fixed.laws[s->law].data.kind) > 0;
    double value = s->signal == PICUS_SIGNAL_GAP ? law->gap : (double)law->mode;
    if (s->signal == PICUS_SIGNAL_FORCE) value = dt > 0 ? (has_normal ? law->PN : law->PF[0]) / dt : 0;
    sim->inputs[s->input] = (input_value){.value = value, .since = sim->stepper.t};
  }
  if (!status) picus_stepper_set_inputs(&sim->stepper, sim->inputs);
  return status;
}

/* --- after a step ------------------------------------------------------------------------------------------------- */

/* The stepper has another state: its energy changes without a force. */
static picus_status jump(picus_sim *sim, double energy) {
  stepper *s = &sim->stepper;
  const size_t nq = (size_t)sim->system->nq, nu = (size_t)sim->system->nu;
  double kinetic, potential;
  memcpy(sim->jump, s->q, nq * sizeof *s->q);
  memcpy(sim->jump + nq, s->u, nu * sizeof *s->u);
  picus_stepper_jump(s, sim->jump, sim->jump + nq);
  picus_status status = picus_sim_energy(sim, &kinetic, &potential);
  if (!status && sim->system->event_work >= 0) s->works.work[sim->system->event_work] += kinetic + potential - energy;
  return status;
}

/* Where the expressions of the events that happened go within dt_min, with the velocities that were set. */
static picus_status look_ahead(picus_sim *sim) {
  const system_controls *c = sim->system->controls;
  stepper *s = &sim->stepper;
  const int count = sim->system->switch_count;
  const double dt = sim->options.dt_min;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  picus_status status = picus_evaluate_rate(s->evaluation, sim->jump);
  if (status) return status;
  for (int i = 0; i < sim->system->nq; i++) sim->jump[i] = s->q[i] + dt * sim->jump[i];
  picus_evaluation_set_point(s->evaluation, s->t + dt, sim->jump, s->u);
  picus_evaluate_switches(s->evaluation, sim->event_values, sim->event_values + count);
  for (int k = 0; k < c->event_count; k++) {
    const system_event *e = &c->events[k];
    if (e->switching < 0 || sim->events[k].t < s->t) continue;
    const double a = sim->event_values[e->switching], b = sim->event_values[count + e->switching];
    const int sign = fabs(a - b) > 4 * DBL_EPSILON * (fabs(a) + fabs(b)) ? sign_of(a - b) : 0;
    sim->events[k].leads_to = e->reversed ? -sign : sign;
  }
  return PICUS_OK;
}

/* A step that begins with an event and should lead to one side, but ends on the other: the way back was too short to be
 * seen. */
static picus_status check_ways(picus_sim *sim) {
  const system_controls *c = sim->system->controls;
  for (int k = 0; k < c->event_count; k++) {
    event_memory *m = &sim->events[k];
    const int expected = m->leads_to;
    m->leads_to = 0;
    if (expected == 0 || m->is_due || side_at(sim, &c->events[k], 1) == expected) continue;
    if (is_wanted(&c->events[k], expected, -expected)) return fail_hurry(sim, &c->events[k]);
  }
  return PICUS_OK;
}

/* Events that the motion causes, then samples, then events that both cause, and so on. */
static picus_status act(picus_sim *sim, double t_before, controls_result *result) {
  picus_status status = happen_in_order(sim, result);
  for (long round = 0; !status && is_sample_due(sim, t_before, round); round++)
    status = sample_once(sim, t_before, round);
  if (sim->system->controls->event_count == 0) return status;
  for (int round = 0; !status && find_caused(sim); round++)
    status = round < ROUNDS_MOST ? happen_in_order(sim, result) : fail_loop(sim);
  return status;
}

picus_status picus_controls_act(picus_sim *sim, double t_before, const controls_step *step, controls_result *result) {
  const system_controls *c = sim->system->controls;
  double kinetic = 0, potential = 0;
  *result = (controls_result){0};
  const bool has_due = c->event_count > 0 && find_due(sim, step->is_driven);
  picus_status status = step->is_driven ? check_ways(sim) : PICUS_OK;
  if (status) return status;
  if (!has_due && !is_sample_due(sim, t_before, 0)) {
    if (c->event_count > 0 && !step->is_driven) note_signs(sim);
    if (c->event_count > 0) note_laws(sim);
    return PICUS_OK;
  }
  if (c->event_count > 0) note_signs(sim);
  status = take_signals(sim, step->dt);
  if (!status && sim->system->event_work >= 0) status = picus_sim_energy(sim, &kinetic, &potential);
  if (!status) status = act(sim, t_before, result);
  if (!status && result->jumps) status = jump(sim, kinetic + potential);
  /* steps begin with dt_min: a law that is switched has its new mode in the event log at once */
  if (!status && step->is_driven && (result->jumps || result->switches)) picus_driver_jump(&sim->driver);
  if (!status && result->happened > 0 && step->is_driven) status = look_ahead(sim);
  if (c->event_count > 0) {
    note_signs(sim);
    note_laws(sim);
  }
  return status;
}

void picus_controls_archive(picus_sim *sim, picus_archive *a) {
  const system_controls *c = sim->system->controls;
  if (!c) return;
  picus_archive_mark(a, "events");
  for (int k = 0; k < c->event_count; k++) {
    event_memory *m = &sim->events[k];
    picus_archive_choice(a, &m->sign, -1, 1);
    picus_archive_choice(a, &m->mode, UNKNOWN_MODE, PICUS_SLIP);
    picus_archive_double(a, &m->impacts);
    picus_archive_double(a, &m->t);
    picus_archive_choice(a, &m->hurried, 0, HURRIED_MOST);
    picus_archive_choice(a, &m->leads_to, -1, 1);
    picus_archive_double(a, &m->count);
  }
}

/* --- for programs ------------------------------------------------------------------------------------------------- */

int picus_sim_event_count(const picus_sim *sim) {
  return sim->system->controls ? sim->system->controls->event_count : 0;
}

picus_event_state picus_sim_event(const picus_sim *sim, int index) {
  if (index < 0 || index >= picus_sim_event_count(sim)) return (picus_event_state){.name = "", .t = NAN};
  const event_memory *m = &sim->events[index];
  return (picus_event_state){sim->system->controls->events[index].name, (long)m->count, m->count > 0 ? m->t : NAN};
}
