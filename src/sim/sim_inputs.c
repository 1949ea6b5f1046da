/* The inputs of a simulation. They act from the next step on: a step and everything that repeats it, in halves, after a
 * rejection or as substeps, has the inputs with which it began. Inputs that are set while a run makes a step wait for
 * its end. */
#include "sim/internal.h"

#include "base/internal.h"

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
