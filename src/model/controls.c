/* States of controllers, and signals of laws.
 *
 * A continuous state is a coordinate without a velocity: steps integrate it, its error counts in adaptive runs, and
 * checkpoints and results have it as they have all coordinates. A sampled or held state is an input that the simulation
 * sets itself, between two steps, so that a step and everything that repeats it see one value. */
#include "model/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int picus_model_find_law(const picus_model *model, const char *name) {
  const picus_name_entry found = picus_model_find_name(model, name ? name : "");
  return found.kind == PICUS_NAME_LAW ? found.index : -1;
}

picus_status picus_model_examine_control(picus_model *model, picus_expr expr, const char *what, const char *name) {
  picus_dependencies unread;
  model->takes_signals = true;
  const picus_status status = picus_model_examine(model, expr, what, name, &unread);
  model->takes_signals = false;
  return status;
}

/* --- states ------------------------------------------------------------------------------------------------------- */

static picus_status add_continuous(picus_model *model, const picus_state_def *def, picus_expr *value) {
  picus_coordinate_def coordinate = picus_default_coordinate_def();
  coordinate.name = def->name;
  coordinate.start = def->start;
  coordinate.unit = def->unit;
  coordinate.label = def->label;
  picus_status status = picus_model_add_coordinate(model, &coordinate, value, NULL);
  if (!status) model->coordinates[model->coordinate_count - 1].is_state = true;
  return status;
}

picus_status picus_model_add_state(picus_model *model, const picus_state_def *def, picus_expr *value) {
  if (value) *value = PICUS_FAILED_EXPR;
  if (def->kind == PICUS_STATE_CONTINUOUS) return add_continuous(model, def, value);
  const bool is_sampled = def->kind == PICUS_STATE_SAMPLED;
  if (is_sampled && !(def->every > 0 && isfinite(def->every)))
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                            "state '%s' is sampled every %g s; give a positive number of seconds",
                            def->name ? def->name : "", def->every);
  picus_status status = picus_grow(model->context, &model->sampled, (size_t)model->sampled_count,
                                   &model->sampled_capacity, sizeof *model->sampled);
  if (status) return status;
  picus_input_def input = picus_default_input_def();
  input.name = def->name;
  input.start = def->start;
  input.unit = def->unit;
  input.label = def->label;
  status = picus_model_add_input(model, &input, value);
  if (status) return status;
  model->sampled[model->sampled_count++] = (picus_model_sampled){
      .input = model->input_count - 1, .every = is_sampled ? def->every : 0, .place = model->place};
  return PICUS_OK;
}

static picus_model_sampled *find_sampled(const picus_model *model, const char *name) {
  const picus_name_entry found = picus_model_find_name(model, name ? name : "");
  for (int k = 0; found.kind == PICUS_NAME_INPUT && k < model->sampled_count; k++)
    if (model->sampled[k].input == found.index) return &model->sampled[k];
  return NULL;
}

static const char *next_sampled(const void *user, int k) {
  const picus_model *model = user;
  return k < model->sampled_count ? model->inputs[model->sampled[k].input].def.name : NULL;
}

picus_status picus_model_set_next(picus_model *model, const char *state, picus_expr next) {
  picus_model_sampled *sampled = find_sampled(model, state);
  if (!sampled)
    return picus_model_fail_unknown(model, model->place, "sampled state", state ? state : "", next_sampled, model);
  if (!(sampled->every > 0))
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                            "state '%s' has no 'every', so that it has no next value; events set it", state);
  if (picus_expr_valid(sampled->next))
    return picus_model_fail(model, PICUS_ERROR_NAME, "the next value of state '%s' is defined twice", state);
  picus_status status = picus_model_examine_control(model, next, "the next value of state", state);
  if (!status) sampled->next = next;
  return status;
}

/* --- signals ------------------------------------------------------------------------------------------------------ */

/* One input for each signal of a law, however often it is used. */
static const picus_model_signal *find_signal(const picus_model *model, const char *law, picus_signal signal) {
  for (int k = 0; k < model->signal_count; k++)
    if (model->signals[k].signal == signal && strcmp(model->signals[k].law, law) == 0) return &model->signals[k];
  return NULL;
}

picus_status picus_model_add_signal(picus_model *model, const char *law, picus_signal signal, picus_expr *value) {
  static const char *const names[] = {"gap", "force", "mode"};
  char name[200];
  *value = PICUS_FAILED_EXPR;
  if (!law || !*law || (int)signal < 0 || signal > PICUS_SIGNAL_MODE)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "a signal needs the name of a law, and gap, force or mode");
  const picus_model_signal *known = find_signal(model, law, signal);
  if (known) {
    *value = model->inputs[known->input].symbol;
    return PICUS_OK;
  }
  picus_status status = picus_grow(model->context, &model->signals, (size_t)model->signal_count,
                                   &model->signal_capacity, sizeof *model->signals);
  const char *kept = status ? NULL : picus_model_keep_text(model, law);
  if (!status && !kept) status = PICUS_ERROR_MEMORY;
  if (status) return status;
  snprintf(name, sizeof name, "%s-of-%.100s", names[signal], law);
  picus_input_def input = picus_default_input_def();
  input.name = name;
  status = picus_model_add_input(model, &input, value);
  if (status) return status;
  model->inputs[model->input_count - 1].is_signal = true;
  model->signals[model->signal_count++] =
      (picus_model_signal){.input = model->input_count - 1, .law = kept, .signal = signal, .place = model->place};
  return PICUS_OK;
}

/* --- the complete model ------------------------------------------------------------------------------------------- */

static const char *next_law(const void *user, int k) {
  const picus_model *model = user;
  return k < model->law_count ? model->laws[k].name : NULL;
}

picus_status picus_model_check_controls(picus_model *model) {
  for (int k = 0; k < model->sampled_count; k++) {
    const picus_model_sampled *s = &model->sampled[k];
    if (s->every > 0 && !picus_expr_valid(s->next))
      return picus_fail_at(model->context, PICUS_ERROR_MODEL, s->place.file, s->place.line,
                           "state '%s' is sampled, but has no next value; add next = expression",
                           model->inputs[s->input].def.name);
  }
  for (int k = 0; k < model->signal_count; k++)
    if (picus_model_find_law(model, model->signals[k].law) < 0)
      return picus_model_fail_unknown(model, model->signals[k].place, "law", model->signals[k].law, next_law, model);
  return PICUS_OK;
}
