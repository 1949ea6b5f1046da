/* modelDescription.xml for FMI 2.0 (2.2, 4.3) and 3.0 (2.4, 4.4). Value references are the numbers of the variables. In
 * 2.0 the structure names a variable by its index from 1, in 3.0 by its value reference. */
#include "fmu/model_description.h"
#include "base/printable.h"

#include <math.h>
#include <picus/version.h>
#include <string.h>

/* --- pieces of XML ------------------------------------------------------------------------------------------------ */

/* Characters that XML does not allow become blanks and question marks. */
static void put_text(picus_json *to, const char *text) {
  for (const unsigned char *c = (const unsigned char *)text; *c;) {
    uint32_t code = 0;
    const int length = picus_utf8_decode(c, &code);
    const bool is_allowed = length > 0 && code >= 0x20 && code != 0x7f && code != 0xfffe && code != 0xffff;
    const char *entity = *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : *c == '"' ? "&quot;" : NULL;
    if (entity)
      picus_json_put(to, entity);
    else if (is_allowed)
      picus_json_add(to, (const char *)c, (size_t)length);
    else
      picus_json_put(to, *c < 0x20 ? " " : "?");
    c += length > 0 ? length : 1;
  }
}

/* Nothing if the value is empty. */
static void put_attribute(picus_json *to, const char *name, const char *value) {
  if (!value || !*value) return;
  picus_json_put(to, " ");
  picus_json_put(to, name);
  picus_json_put(to, "=\"");
  put_text(to, value);
  picus_json_put(to, "\"");
}

static void put_number(picus_json *to, const char *name, double value) {
  if (!isfinite(value)) return;
  picus_json_format(to, " %s=\"", name);
  picus_json_number(to, value);
  picus_json_put(to, "\"");
}

/* --- parts -------------------------------------------------------------------------------------------------------- */

static void put_head(const fmu_description *d, picus_json *to) {
  picus_json_put(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
  put_attribute(to, "fmiVersion", d->version == 2 ? "2.0" : "3.0");
  put_attribute(to, "modelName", d->name);
  put_attribute(to, d->version == 2 ? "guid" : "instantiationToken", d->token);
  put_attribute(to, "description", d->text);
  picus_json_format(to, " generationTool=\"Picus %s\"", PICUS_VERSION);
  put_attribute(to, "variableNamingConvention", "flat");
  picus_json_put(to, ">\n");
}

static void put_interface(const fmu_description *d, picus_json *to) {
  picus_json_put(to, "  <CoSimulation");
  put_attribute(to, "modelIdentifier", d->identifier);
  put_attribute(to, "canHandleVariableCommunicationStepSize", "true");
  if (d->version == 2) {
    put_attribute(to, "canInterpolateInputs", d->has_rates ? "true" : "false");
    put_attribute(to, "canNotUseMemoryManagementFunctions", "true");
    put_attribute(to, "canGetAndSetFMUstate", "true");
    put_attribute(to, "canSerializeFMUstate", "true");
  } else {
    put_attribute(to, "canGetAndSetFMUState", "true");
    put_attribute(to, "canSerializeFMUState", "true");
    put_attribute(to, "mightReturnEarlyFromDoStep", "true");
    put_attribute(to, "hasEventMode", "true");
    if (!d->options->adaptive) put_number(to, "fixedInternalStepSize", d->options->dt);
  }
  picus_json_put(to, "/>\n");
}

static bool is_first_with_unit(const fmu_variables *v, size_t index) {
  for (size_t k = 0; k < index; k++)
    if (strcmp(v->list[k].unit, v->list[index].unit) == 0) return false;
  return true;
}

/* All units that variables have. Few differ, so the search ends early. */
static void put_units(const fmu_description *d, picus_json *to) {
  picus_json_put(to, "  <UnitDefinitions>\n");
  for (size_t k = 0; k < d->variables->count; k++) {
    const char *unit = d->variables->list[k].unit;
    if (!*unit || !is_first_with_unit(d->variables, k)) continue;
    picus_json_put(to, "    <Unit");
    put_attribute(to, "name", unit);
    picus_json_put(to, "/>\n");
  }
  picus_json_put(to, "  </UnitDefinitions>\n");
}

static void put_categories(picus_json *to) {
  static const char *const categories[][2] = {{"logStatusError", "calls that failed"},
                                              {"logStatusDiscard", "steps that ended early"},
                                              {"logStatusWarning", "warnings of the library"},
                                              {"logAll", "notes of the library"}};
  picus_json_put(to, "  <LogCategories>\n");
  for (size_t k = 0; k < sizeof categories / sizeof *categories; k++) {
    picus_json_put(to, "    <Category");
    put_attribute(to, "name", categories[k][0]);
    put_attribute(to, "description", categories[k][1]);
    picus_json_put(to, "/>\n");
  }
  picus_json_put(to, "  </LogCategories>\n");
}

/* A communication step of a thousandth of the run, but not below the step size of the model. */
static void put_experiment(const fmu_description *d, picus_json *to) {
  const picus_sim_options *o = d->options;
  const double duration = o->t_end - o->t_start;
  picus_json_put(to, "  <DefaultExperiment");
  put_number(to, "startTime", o->t_start);
  if (duration > 0) put_number(to, "stopTime", o->t_end);
  if (o->adaptive && o->rtol > 0 && o->rtol < 1) put_number(to, "tolerance", o->rtol);
  if (o->sample > 0)
    put_number(to, "stepSize", o->sample);
  else if (duration > 0)
    put_number(to, "stepSize", o->adaptive ? duration / 1000 : fmax(1, floor(duration / 1000 / o->dt)) * o->dt);
  picus_json_put(to, "/>\n");
}

static const char *causality_of(const fmu_variable *v) {
  static const char *const names[] = {[FMU_TIME] = "independent",
                                      [FMU_PARAMETER] = "parameter",
                                      [FMU_INPUT] = "input",
                                      [FMU_OUTPUT] = "output",
                                      [FMU_LOCAL] = "local"};
  return names[v->kind];
}

static void put_variable(const fmu_description *d, size_t number, picus_json *to) {
  const fmu_variable *v = &d->variables->list[number];
  const bool is_given = v->kind == FMU_PARAMETER || v->kind == FMU_INPUT;
  picus_json_put(to, d->version == 2 ? "    <ScalarVariable" : "    <Float64");
  put_attribute(to, "name", v->name);
  picus_json_format(to, " valueReference=\"%zu\"", number);
  put_attribute(to, "causality", causality_of(v));
  put_attribute(to, "variability", v->kind == FMU_PARAMETER ? "fixed" : v->is_discrete ? "discrete" : "continuous");
  if (v->kind == FMU_PARAMETER) put_attribute(to, "initial", "exact");
  if (v->kind == FMU_OUTPUT || v->kind == FMU_LOCAL) put_attribute(to, "initial", "calculated");
  put_attribute(to, "description", v->text);
  if (d->version == 2) picus_json_put(to, "><Real");
  put_attribute(to, "unit", v->unit);
  if (is_given) put_number(to, "start", v->start);
  picus_json_put(to, d->version == 2 ? "/></ScalarVariable>\n" : "/>\n");
}

/* Without dependencies: each output may depend on all inputs and states. */
static void put_unknowns(const fmu_description *d, const char *element, picus_json *to) {
  for (size_t k = 0; k < d->variables->count; k++)
    if (d->variables->list[k].kind == FMU_OUTPUT)
      picus_json_format(to, d->version == 2 ? "      <%s index=\"%zu\"/>\n" : "    <%s valueReference=\"%zu\"/>\n",
                        element, d->version == 2 ? k + 1 : k);
}

static void put_structure(const fmu_description *d, picus_json *to) {
  picus_json_put(to, "  <ModelStructure>\n");
  bool has_outputs = false;
  for (size_t k = 0; k < d->variables->count; k++) has_outputs |= d->variables->list[k].kind == FMU_OUTPUT;
  if (d->version == 3) {
    put_unknowns(d, "Output", to);
    put_unknowns(d, "InitialUnknown", to);
  } else if (has_outputs) {
    picus_json_put(to, "    <Outputs>\n");
    put_unknowns(d, "Unknown", to);
    picus_json_put(to, "    </Outputs>\n    <InitialUnknowns>\n");
    put_unknowns(d, "Unknown", to);
    picus_json_put(to, "    </InitialUnknowns>\n");
  }
  picus_json_put(to, "  </ModelStructure>\n");
}

void fmu_description_write(const fmu_description *d, picus_json *to) {
  put_head(d, to);
  put_interface(d, to);
  put_units(d, to);
  put_categories(to);
  put_experiment(d, to);
  picus_json_put(to, "  <ModelVariables>\n");
  for (size_t k = 0; k < d->variables->count; k++) put_variable(d, k, to);
  picus_json_put(to, "  </ModelVariables>\n");
  put_structure(d, to);
  picus_json_put(to, "</fmiModelDescription>\n");
}
