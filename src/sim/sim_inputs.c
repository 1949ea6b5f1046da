/* The inputs of a simulation. They act from the next step on: a step and everything that repeats it, in halves, after a
 * rejection or as substeps, has the inputs with which it began. Inputs that are set while a run makes a step wait for
 * its end. */
#include "sim/internal.h"

#include "base/internal.h"
#include "contact/internal.h"

#include <math.h>
#include <picus/model.h>
#include <string.h>

static const char *next_input(const void *user, int k) {
  const picus_system *system = user;
  return k < picus_system_input_count(system) ? picus_system_input_at(system, k).name : NULL;
}

picus_input picus_sim_input(const picus_sim *sim, int index) {
  const double t = sim->stepper.t;
  if (index < 0 || index >= sim->system->input_count) return (picus_input){.t = t};
  return (picus_input){picus_input_at(&sim->inputs[index], t), sim->inputs[index].rate, t};
}

static bool same_bits(double a, double b) {
  return memcmp((const unsigned char *)&a, (const unsigned char *)&b, sizeof a) == 0;
}

picus_status picus_sim_set_input_at(picus_sim *sim, int index, double value, double rate) {
  const picus_input input = {value, rate, sim->stepper.t};
  picus_status status = picus_system_check_input(sim->context, sim->system, index, &input);
  if (status) return status;
  const picus_input now = picus_sim_input(sim, index);
  if (same_bits(now.value, value) && same_bits(now.rate, rate)) return PICUS_OK; /* the steps go on as before */
  sim->inputs[index] = (input_value){value, rate, input.t};
  sim->inputs_wait = true;
  bool unread;
  if (!sim->is_running) picus_sim_apply_inputs(sim, &unread);
  return PICUS_OK;
}

picus_status picus_sim_set_input(picus_sim *sim, const char *name, double value, double rate) {
  const int index = picus_system_find_input(sim->system, name);
  if (index >= 0) return picus_sim_set_input_at(sim, index, value, rate);
  const char *nearest = picus_nearest_name(name ? name : "", next_input, sim->system);
  return picus_fail(sim->context, PICUS_ERROR_NAME, "there is no input '%.60s'%s%s%s", name ? name : "",
                    nearest ? "; did you mean '" : "", nearest ? nearest : "",
                    nearest ? "'?" : (sim->system->input_count ? "" : "; the model has none"));
}

/* Where it depends on inputs: setting them does work. */
static double potential_of(picus_sim *sim) {
  stepper *s = &sim->stepper;
  double kinetic = 0, potential = 0;
  if (sim->system->input_work < 0) return 0;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  picus_evaluate_energy_unchecked(s->evaluation, &kinetic, &potential);
  return potential;
}

void picus_sim_apply_inputs(picus_sim *sim, bool *changed) {
  *changed = sim->inputs_wait;
  if (!sim->inputs_wait) return;
  sim->inputs_wait = false;
  const double before = potential_of(sim);
  picus_stepper_set_inputs(&sim->stepper, sim->inputs);
  if (sim->system->input_work >= 0) sim->stepper.works.work[sim->system->input_work] += potential_of(sim) - before;
  sim->driver.is_stale = true;
}

void picus_sim_move_inputs(picus_sim *sim, double t_before) {
  for (int i = 0; i < sim->system->input_count; i++) {
    input_value *input = &sim->inputs[i];
    *input = (input_value){picus_input_at(input, t_before), input->rate, sim->stepper.t};
  }
  picus_stepper_set_inputs(&sim->stepper, sim->inputs);
}

/* --- what the simulation does itself
 * ----------------------------------------------------------------------------------
 *
 * Between two steps, states are sampled: their next values are evaluated together, from the state at the end of the
 * step, the values of all states before, and the signals of laws in the step. Whether a state is due follows from the
 * times at both ends of the step alone, so that there is nothing to save, and a step that is rejected leaves no trace.
 */

#define SAME_TIME 1e-9 /* part of a period by which a time may miss that of a sample */

picus_status picus_controls_create(picus_sim *sim) {
  const system_controls *c = sim->system->controls;
  if (!c) return PICUS_OK;
  sim->actions = picus_allocate(sim->context, (size_t)c->action_count, sizeof *sim->actions);
  return sim->actions ? PICUS_OK : PICUS_ERROR_MEMORY;
}

/* The number of samples until t. */
static double samples_until(const picus_sim *sim, const system_sampled *s, double t) {
  return floor((t - sim->options.t_start) / s->every + SAME_TIME);
}

static long samples_due(const picus_sim *sim, const system_sampled *s, double t_before) {
  if (!(s->every > 0)) return 0;
  const double due = samples_until(sim, s, sim->stepper.t) - samples_until(sim, s, t_before);
  return due > 0 ? (long)due : 0;
}

int picus_controls_times(const picus_sim *sim, double after, double before, double *times) {
  const system_controls *c = sim->system->controls;
  int found = 0;
  for (int k = 0; c && k < c->sampled_count; k++) {
    const system_sampled *s = &c->sampled[k];
    if (!(s->every > 0)) continue;
    const double first = samples_until(sim, s, after) + 1;
    for (double i = first; sim->options.t_start + i * s->every < before * (1 - 1e-15); i++) {
      if (found == PICUS_SAMPLES_MOST) return found;
      if (times) times[found] = sim->options.t_start + i * s->every;
      found++;
    }
  }
  return found;
}

/* Signals act on actions only: the steps go on as before. */
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

static picus_status fail_action(picus_sim *sim, int input, double value) {
  return picus_fail(sim->context, PICUS_ERROR_NUMBER,
                    "the next value of state '%s' is %g at t = %.9g; it must be finite",
                    sim->system->input_names[input].name, value, sim->stepper.t);
}

/* Those that are due once more; *any: there were some. */
static picus_status sample_once(picus_sim *sim, double t_before, long round, bool *any) {
  const system_controls *c = sim->system->controls;
  stepper *s = &sim->stepper;
  *any = false;
  for (int k = 0; k < c->sampled_count && !*any; k++) *any = samples_due(sim, &c->sampled[k], t_before) > round;
  if (!*any) return PICUS_OK;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  picus_evaluate_actions(s->evaluation, sim->actions);
  for (int k = 0; k < c->sampled_count; k++) {
    const system_sampled *state = &c->sampled[k];
    if (samples_due(sim, state, t_before) <= round) continue;
    const double value = sim->actions[state->action];
    if (!isfinite(value)) return fail_action(sim, state->input, value);
    if (same_bits(sim->inputs[state->input].value, value)) continue;
    sim->inputs[state->input] = (input_value){.value = value, .since = s->t};
    sim->inputs_wait = true;
  }
  bool unread;
  picus_sim_apply_inputs(sim, &unread);
  return PICUS_OK;
}

picus_status picus_controls_act(picus_sim *sim, double t_before, double dt) {
  const system_controls *c = sim->system->controls;
  bool any = false;
  for (int k = 0; k < c->sampled_count && !any; k++) any = samples_due(sim, &c->sampled[k], t_before) > 0;
  if (!any) return PICUS_OK;
  picus_status status = take_signals(sim, dt);
  for (long round = 0; !status && any; round++) status = sample_once(sim, t_before, round, &any);
  return status;
}
