/* The inputs of a simulation. They act from the next step on: a step and everything that repeats it, in halves, after a
 * rejection or as substeps, has the inputs with which it began. Inputs that are set while a run makes a step wait for
 * its end. */
#include "sim/internal.h"

#include "base/internal.h"

#include <picus/bodies.h>
#include <stdio.h>
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
  if (same_bits(now.value, value) && same_bits(now.rate, rate)) return PICUS_OK; /* the steps continue as before */
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

/* --- pushes: inputs that picus_model_add_handles has added ---------------------------------------------------------
 */

static int stiffness_input(const picus_system *system, int handle) {
  char name[PICUS_HANDLE_NAME];
  snprintf(name, sizeof name, PICUS_HANDLE_INPUT "%d", handle + 1);
  return picus_system_find_input(system, name);
}

static picus_status let_go(picus_sim *sim, int except) {
  picus_status status = PICUS_OK;
  for (int k = 0, input; !status && (input = stiffness_input(sim->system, k)) >= 0; k++)
    if (k != except) status = picus_sim_set_input_at(sim, input, 0, 0);
  return status;
}

picus_status picus_sim_push(picus_sim *sim, const picus_push *push) {
  static const char *const names[] = {"push_x", "push_y", "push_z", "push_a", "push_b", "push_c", "push_time"};
  if (!push || push->stiffness == 0) return let_go(sim, -1);
  const int input = push->handle >= 0 ? stiffness_input(sim->system, push->handle) : -1;
  if (input < 0 || picus_system_find_input(sim->system, names[0]) < 0)
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT,
                      "there is no handle %d to pull at; picus_model_add_handles adds those of the drawing, counted "
                      "from 0",
                      push->handle);
  if (!(push->stiffness >= 0 && push->time >= 0))
    return picus_fail(sim->context, PICUS_ERROR_ARGUMENT,
                      "a push needs a stiffness and a damping time that are not negative, not %g N/m and %g s",
                      push->stiffness, push->time);
  const double values[] = {push->target[0], push->target[1], push->target[2], push->place[0],
                           push->place[1],  push->place[2],  push->time};
  picus_status status = let_go(sim, push->handle);
  for (size_t k = 0; !status && k < sizeof values / sizeof *values; k++)
    status = picus_sim_set_input(sim, names[k], values[k], 0);
  return status ? status : picus_sim_set_input_at(sim, input, push->stiffness, 0);
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
