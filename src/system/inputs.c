/* Inputs of a system: their description, and their values in an evaluation. The system itself stays constant. */
#include "system/internal.h"

#include "base/internal.h"

#include <math.h>
#include <string.h>

int picus_system_input_count(const picus_system *system) { return system->input_count; }

picus_system_input picus_system_input_at(const picus_system *system, int index) {
  if (index < 0 || index >= system->input_count) return (picus_system_input){.name = "", .unit = "", .label = ""};
  const system_input *input = &system->inputs[index];
  const system_name *name = &system->input_names[index];
  return (picus_system_input){.name = name->name,
                              .unit = name->unit,
                              .label = name->label,
                              .start = input->start,
                              .rate = input->rate,
                              .has_rate = input->has_rate};
}

int picus_system_find_input(const picus_system *system, const char *name) {
  for (int i = 0; name && i < system->input_count; i++)
    if (strcmp(system->input_names[i].name, name) == 0) return i;
  return -1;
}

static picus_status check_number(picus_context *context, const char *name, const char *what, double value) {
  if (isfinite(value)) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_NUMBER, "the %s of input '%s' must be a finite number, not %s", what, name,
                    isnan(value) ? "nan" : (value > 0 ? "inf" : "-inf"));
}

picus_status picus_system_check_input(picus_context *context, const picus_system *system, int index,
                                      const picus_input *input) {
  if (index < 0 || index >= system->input_count)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "there is no input %d; the system has %d inputs, counted from 0",
                      index, system->input_count);
  const char *name = system->input_names[index].name;
  picus_status status = check_number(context, name, "value", input->value);
  if (!status) status = check_number(context, name, "rate", input->rate);
  if (!status) status = check_number(context, name, "time", input->t);
  if (!status && input->rate != 0 && !system->inputs[index].has_rate)
    status =
        picus_fail(context, PICUS_ERROR_ARGUMENT,
                   "input '%s' has no rate, but gets the rate %g; give it a rate in the model, or set it with rate "
                   "0",
                   name, input->rate);
  return status;
}

static void note_inputs(picus_evaluation *e) {
  const picus_system *s = e->system;
  for (int i = 0; i < s->source_count; i++) {
    const source_ops *ops = s->sources[i].ops;
    if (ops->set_inputs) ops->set_inputs(s->sources[i].self, &e->points[i]);
    if (ops->set_point) ops->set_point(s->sources[i].self, &e->points[i]);
  }
  if (!s->constants.directions) e->directions_ready = false;
  if (!s->constants.mass) e->mass_ready = e->mass_factored = false; /* by sides: it does not depend on inputs */
}

void picus_evaluation_set_inputs(picus_evaluation *e, const input_value *inputs) {
  if (e->system->input_count == 0) return;
  for (; e; e = e->follower) {
    memcpy(e->inputs, inputs, (size_t)e->system->input_count * sizeof *inputs);
    note_inputs(e);
  }
}

void picus_evaluation_hold(picus_evaluation *e, const double *sides) {
  const size_t size = (size_t)e->system->switch_count * sizeof *sides;
  for (; size > 0 && e; e = e->follower) {
    if (memcmp((const unsigned char *)e->sides, (const unsigned char *)sides, size) == 0) continue;
    memcpy(e->sides, sides, size);
    note_inputs(e);
  }
}

void picus_evaluation_start_inputs(picus_evaluation *e, double t) {
  const picus_system *s = e->system;
  if (s->input_count == 0) return;
  for (int i = 0; i < s->input_count; i++) e->inputs[i] = (input_value){s->inputs[i].start, s->inputs[i].rate, t};
  note_inputs(e);
}

void picus_evaluation_follow(picus_evaluation *leader, picus_evaluation *follower) {
  follower->follower = leader->follower;
  leader->follower = follower;
  const picus_system *s = leader->system;
  if (s->input_count == 0 && s->switch_count == 0) return;
  if (s->input_count > 0) memcpy(follower->inputs, leader->inputs, (size_t)s->input_count * sizeof *leader->inputs);
  if (s->switch_count > 0) memcpy(follower->sides, leader->sides, (size_t)s->switch_count * sizeof *leader->sides);
  note_inputs(follower);
}

picus_status picus_evaluation_set_input(picus_evaluation *e, int index, const picus_input *input) {
  picus_status status = picus_system_check_input(e->context, e->system, index, input);
  if (status) return status;
  e->inputs[index] = (input_value){input->value, input->rate, input->t};
  note_inputs(e);
  return PICUS_OK;
}
