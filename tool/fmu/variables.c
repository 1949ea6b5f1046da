/* The list of variables, the same for the description of an FMU and for its instances. */
#include "fmu/variables.h"
#include "base/internal.h"

#include <stdio.h>
#include <string.h>

/* Columns follow all others and differ from each other. */
static bool is_taken(const fmu_variables *v, const char *name) {
  for (size_t k = 0; k < v->count && v->list[k].kind < FMU_OUTPUT; k++)
    if (strcmp(v->list[k].name, name) == 0) return true;
  return false;
}

/* The name, or if another variable has it, with the kind before it: "parameter.m". */
static char *unique_name(picus_context *context, const fmu_variables *v, const fmu_variable *x) {
  static const char *const kinds[] = {[FMU_TIME] = "time",
                                      [FMU_PARAMETER] = "parameter",
                                      [FMU_INPUT] = "input",
                                      [FMU_OUTPUT] = "result",
                                      [FMU_LOCAL] = "result"};
  const size_t size = strlen(x->own_name) + 40;
  char *name = picus_allocate(context, size, 1);
  if (!name) return NULL;
  snprintf(name, size, "%s", x->own_name);
  bool taken = is_taken(v, name);
  if (taken) snprintf(name, size, "%s.%s", kinds[x->kind], x->own_name);
  for (int k = 2; taken && is_taken(v, name); k++) snprintf(name, size, "%s.%s.%d", kinds[x->kind], x->own_name, k);
  return name;
}

static picus_status add(picus_context *context, fmu_variables *v, fmu_variable x, const char *unit, const char *text) {
  picus_status status = picus_grow(context, &v->list, v->count, &v->capacity, sizeof *v->list);
  if (status) return status;
  x.name = unique_name(context, v, &x);
  x.own_name = picus_copy_text(context, x.own_name);
  x.unit = picus_copy_text(context, unit ? unit : "");
  x.text = picus_copy_text(context, text ? text : "");
  v->list[v->count++] = x; /* released with the list */
  return x.name && x.own_name && x.unit && x.text ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static picus_status add_parameters(picus_context *context, const picus_model *model, fmu_variables *out) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < picus_model_parameter_count(model); k++) {
    const picus_parameter p = picus_model_parameter(model, k);
    fmu_variable x = {.kind = FMU_PARAMETER, .index = k, .own_name = (char *)p.name, .start = p.value};
    status = add(context, out, x, p.unit, p.description);
  }
  return status;
}

static picus_status add_inputs(picus_context *context, const picus_system *system, fmu_variables *out) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < picus_system_input_count(system); k++) {
    const picus_system_input input = picus_system_input_at(system, k);
    const fmu_variable x = {.kind = FMU_INPUT, .index = k, .own_name = (char *)input.name, .start = input.start};
    status = add(context, out, x, input.unit, input.label);
  }
  return status;
}

/* What an importer connects are the coordinates, velocities and observed values; the values of laws, energies and works
 * are local. */
static picus_status add_columns(picus_context *context, const picus_recorder *columns, fmu_variables *out) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < picus_recorder_column_count(columns); k++) {
    const picus_column c = picus_recorder_column(columns, k);
    if (c.kind == PICUS_COLUMN_TIME || c.kind == PICUS_COLUMN_INPUT || c.kind == PICUS_COLUMN_STEP) continue;
    const bool is_output =
        c.kind == PICUS_COLUMN_COORDINATE || c.kind == PICUS_COLUMN_VELOCITY || c.kind == PICUS_COLUMN_OBSERVABLE;
    const fmu_variable x = {.kind = is_output ? FMU_OUTPUT : FMU_LOCAL,
                            .index = k,
                            .own_name = (char *)c.name,
                            .is_discrete = c.kind == PICUS_COLUMN_MODE};
    status = add(context, out, x, c.unit, c.label);
  }
  return status;
}

picus_status fmu_variables_create(picus_context *context, const picus_model *model, const picus_system *system,
                                  const picus_recorder *columns, fmu_variables *out) {
  *out = (fmu_variables){0};
  const fmu_variable time = {.kind = FMU_TIME, .own_name = (char *)"time"};
  picus_status status = add(context, out, time, "s", "time");
  if (!status) status = add_parameters(context, model, out);
  if (!status) status = add_inputs(context, system, out);
  if (!status) status = add_columns(context, columns, out);
  if (status) fmu_variables_release(context, out);
  return status;
}

void fmu_variables_release(picus_context *context, fmu_variables *variables) {
  for (size_t k = 0; k < variables->count; k++) {
    picus_release(context, variables->list[k].name);
    picus_release(context, variables->list[k].own_name);
    picus_release(context, variables->list[k].unit);
    picus_release(context, variables->list[k].text);
  }
  picus_release(context, variables->list);
  *variables = (fmu_variables){0};
}

bool fmu_variables_agree(const fmu_variables *a, const fmu_variables *b) {
  if (a->count != b->count) return false;
  for (size_t k = 0; k < a->count; k++)
    if (a->list[k].kind != b->list[k].kind || strcmp(a->list[k].name, b->list[k].name) != 0) return false;
  return true;
}
