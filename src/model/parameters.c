/* Values that are set from outside.
 *
 * Parameters are plain numbers with a default, a unit and a description; overrides win over defaults. Inputs are
 * values that a program sets while the simulation runs. An input without a rate is a variable of its own. An input
 * with a rate is value + rate (t - since), so that its derivative by time is its rate wherever one is taken: in gap
 * velocities, in the motion of frames, in the positions that motors prescribe. */
#include "model/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- parameters --------------------------------------------------------------------------------------------------- */

int picus_model_find_parameter(const picus_model *model, const char *name) {
  for (int i = 0; i < model->parameter_count; i++)
    if (strcmp(model->parameters[i].name, name) == 0) return i;
  return -1;
}

static picus_model_override_entry *find_override(picus_model *model, const char *name) {
  for (int i = 0; i < model->override_count; i++)
    if (strcmp(model->overrides[i].name, name) == 0) return &model->overrides[i];
  return NULL;
}

/* The override of this name, if there is one, replaces the value. */
static void take_override(picus_model *model, const char *name, double *value) {
  picus_model_override_entry *override = find_override(model, name);
  if (!override) return;
  override->met = true; /* --set came before the model's own definition */
  *value = override->value;
}

picus_status picus_model_override(picus_model *model, const char *name, double value) {
  picus_status status = picus_model_check_form(model, "parameter", name);
  if (!status) status = picus_model_check_finite(model, value, "the value of parameter", name);
  if (status) return status;
  if (picus_model_find_parameter(model, name) >= 0)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                            "parameter '%s' is already defined; override it before its definition", name);
  if (picus_model_find_name(model, name).kind == PICUS_NAME_INPUT)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                            "input '%s' is already defined; override it before its definition", name);
  picus_model_override_entry *entry = find_override(model, name);
  if (entry) {
    entry->value = value;
    return PICUS_OK;
  }
  status = picus_grow(model->context, &model->overrides, (size_t)model->override_count, &model->override_capacity,
                      sizeof *model->overrides);
  if (status) return status;
  const char *kept = picus_model_keep_text(model, name);
  if (!kept) return PICUS_ERROR_MEMORY;
  model->overrides[model->override_count++] = (picus_model_override_entry){kept, value, false};
  return PICUS_OK;
}

picus_status picus_model_vary(picus_model *model, const char *name, double value) {
  const picus_place place = model->place;
  model->place = (picus_place){NULL, 0}; /* the value is not from the file */
  const picus_status status = picus_model_check_finite(model, value, "the value of parameter", name);
  model->place = place;
  if (status) return status;
  const int index = picus_model_find_parameter(model, name);
  find_override(model, name)->value = value;
  if (index >= 0) model->parameters[index].value = value;
  return PICUS_OK;
}

picus_status picus_model_add_parameter(picus_model *model, const char *name, double default_value, const char *unit,
                                       const char *description, double *value) {
  picus_status status = picus_model_check_form(model, "parameter", name);
  if (!status) status = picus_model_check_finite(model, default_value, "the value of parameter", name);
  if (status) return status;
  if (picus_model_find_parameter(model, name) >= 0)
    return picus_model_fail(model, PICUS_ERROR_NAME, "parameter '%s' is defined twice", name);
  if (picus_model_find_name(model, name).kind == PICUS_NAME_INPUT)
    return picus_model_fail(model, PICUS_ERROR_NAME,
                            "the name '%s' of a parameter is already used by an input; choose another name", name);
  status = picus_grow(model->context, &model->parameters, (size_t)model->parameter_count, &model->parameter_capacity,
                      sizeof *model->parameters);
  if (status) return status;
  picus_parameter parameter = {.name = picus_model_keep_text(model, name),
                               .value = default_value,
                               .default_value = default_value,
                               .unit = picus_model_keep_text(model, unit),
                               .description = picus_model_keep_text(model, description)};
  if (!parameter.name || !parameter.unit || !parameter.description) return PICUS_ERROR_MEMORY;
  take_override(model, name, &parameter.value);
  model->parameters[model->parameter_count++] = parameter;
  if (value) *value = parameter.value;
  return PICUS_OK;
}

picus_status picus_model_set_parameter_range(picus_model *model, const char *name, double low, double high) {
  const int index = picus_model_find_parameter(model, name ? name : "");
  if (index < 0)
    return picus_model_fail_unknown(model, model->place, "parameter", name ? name : "", picus_model_next_parameter,
                                    model);
  if (!(isfinite(low) && isfinite(high) && low < high))
    return picus_model_fail(
        model, PICUS_ERROR_ARGUMENT,
        "the range of parameter '%s' is %g to %g; it needs two finite numbers, the smaller one first", name, low, high);
  picus_status status = picus_grow(model->context, &model->ranges, (size_t)model->range_count, &model->range_capacity,
                                   sizeof *model->ranges);
  if (!status) model->ranges[model->range_count++] = (picus_model_range){index, low, high};
  return status;
}

bool picus_model_parameter_range(const picus_model *model, int index, double *low, double *high) {
  for (int k = model->range_count - 1; k >= 0; k--) {
    if (model->ranges[k].parameter != index) continue;
    *low = model->ranges[k].low;
    *high = model->ranges[k].high;
    return true;
  }
  return false;
}

int picus_model_parameter_count(const picus_model *model) { return model->parameter_count; }

picus_parameter picus_model_parameter(const picus_model *model, int index) {
  if (index < 0 || index >= model->parameter_count) return (picus_parameter){.name = "", .unit = "", .description = ""};
  return model->parameters[index];
}

/* --- inputs ------------------------------------------------------------------------------------------------------- */

picus_input_def picus_default_input_def(void) { return (picus_input_def){.name = NULL}; }

int picus_model_input_count(const picus_model *model) { return model->input_count; }

picus_input_def picus_model_input(const picus_model *model, int index) {
  if (index < 0 || index >= model->input_count) return (picus_input_def){.name = "", .unit = "", .label = ""};
  return model->inputs[index].def;
}

static picus_status check_input(picus_model *model, const picus_input_def *def) {
  picus_status status = picus_model_check_name(model, "input", def->name);
  if (!status) status = picus_model_check_finite(model, def->start, "the initial value of input", def->name);
  if (!status) status = picus_model_check_finite(model, def->rate, "the initial rate of input", def->name);
  if (status) return status;
  if (picus_model_find_parameter(model, def->name) >= 0)
    return picus_model_fail(model, PICUS_ERROR_NAME,
                            "the name '%s' of an input is already used by a parameter; choose another name", def->name);
  if (def->rate != 0 && !def->has_rate)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                            "input '%s' has the initial rate %g but no rate; set has_rate, or omit the rate", def->name,
                            def->rate);
  return PICUS_OK;
}

static picus_status own_symbol(picus_model *model, const char *name, picus_expr *symbol, int *variable) {
  *symbol = picus_variable(model->pool, name);
  picus_status status = picus_model_own_variable(model, *symbol, PICUS_VARIABLE_INPUT, model->input_count);
  if (!status) *variable = picus_expr_variable_index(model->pool, *symbol);
  return status;
}

/* The symbols of an input, and the expression that formulas see. */
static picus_status make_symbols(picus_model *model, picus_model_input_entry *input) {
  picus_pool *pool = model->pool;
  picus_status status = own_symbol(model, input->def.name, &input->symbol, &input->value_variable);
  if (status || !input->def.has_rate) return status;
  char name[160];
  picus_expr rate, since;
  snprintf(name, sizeof name, "%.120s.rate", input->def.name);
  status = own_symbol(model, name, &rate, &input->rate_variable);
  snprintf(name, sizeof name, "%.120s.since", input->def.name);
  if (!status) status = own_symbol(model, name, &since, &input->since_variable);
  if (status) return status;
  input->symbol = picus_add(pool, input->symbol, picus_mul(pool, rate, picus_sub(pool, model->time, since)));
  return picus_pool_status(pool);
}

picus_status picus_model_add_input(picus_model *model, const picus_input_def *def, picus_expr *value) {
  if (value) *value = PICUS_FAILED_EXPR;
  picus_status status = check_input(model, def);
  if (!status)
    status = picus_grow(model->context, &model->inputs, (size_t)model->input_count, &model->input_capacity,
                        sizeof *model->inputs);
  if (!status) status = picus_model_reserve_names(model, 1);
  if (status) return status;
  const char *label = def->label && *def->label ? def->label : def->name;
  picus_model_input_entry input = {.def = {.name = picus_model_keep_text(model, def->name),
                                           .start = def->start,
                                           .rate = def->rate,
                                           .has_rate = def->has_rate,
                                           .unit = picus_model_keep_text(model, def->unit),
                                           .label = picus_model_keep_text(model, label)},
                                   .rate_variable = -1,
                                   .since_variable = -1};
  if (!input.def.name || !input.def.unit || !input.def.label) return PICUS_ERROR_MEMORY;
  take_override(model, input.def.name, &input.def.start);
  status = make_symbols(model, &input);
  if (status) return status;
  picus_model_register_name(model, input.def.name, PICUS_NAME_INPUT, model->input_count);
  model->inputs[model->input_count++] = input;
  if (value) *value = input.symbol;
  return PICUS_OK;
}

void picus_model_fill_inputs(const picus_model *model, double *x) {
  for (int i = 0; i < model->input_count; i++) {
    const picus_model_input_entry *input = &model->inputs[i];
    x[input->value_variable] = input->def.start;
    if (!input->def.has_rate) continue;
    x[input->rate_variable] = input->def.rate;
    x[input->since_variable] = model->run.values.sim.t_start;
  }
}

picus_status picus_model_refuse_inputs(picus_model *model, const picus_dependencies *on, const char *what) {
  if (on->input < 0) return PICUS_OK;
  return picus_model_fail(model, PICUS_ERROR_UNSUPPORTED,
                          "%s depends on the input '%s'; inputs may appear in forces, potentials, dissipations, rates, "
                          "laws, motors, frames and observed values only",
                          what, model->inputs[on->input].def.name);
}

picus_status picus_model_require_rates(picus_model *model, const picus_dependencies *on, const char *what,
                                       const char *name) {
  if (on->steady_input < 0) return PICUS_OK;
  const char *input = model->inputs[on->steady_input].def.name;
  return picus_model_fail(model, PICUS_ERROR_MODEL,
                          "%s '%s' depends on the input '%s', which has no rate, so its velocity is unknown; give "
                          "the input a rate: inputs { { \"%s\", rate = 0, ... } }",
                          what, name, input, input);
}
