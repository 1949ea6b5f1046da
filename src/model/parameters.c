/* Parameters: plain numbers with a default, a unit and a description; overrides win over defaults. */
#include "model/internal.h"

#include <string.h>

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

void picus_model_take_override(picus_model *model, const char *name, double *value) {
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
  picus_model_take_override(model, name, &parameter.value);
  model->parameters[model->parameter_count++] = parameter;
  if (value) *value = parameter.value;
  return PICUS_OK;
}

int picus_model_parameter_count(const picus_model *model) { return model->parameter_count; }

picus_parameter picus_model_parameter(const picus_model *model, int index) {
  if (index < 0 || index >= model->parameter_count) return (picus_parameter){.name = "", .unit = "", .description = ""};
  return model->parameters[index];
}
