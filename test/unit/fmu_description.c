/* modelDescription.xml against what the published schemas of FMI 2.0.4 and 3.0.2 demand of the elements that Picus
 * writes, and against rules of the standards that no schema can state: names, references, units, starts, the structure.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/internal.h"
#include "support/check.h"
#include "support/fmu_calls.h"
#include "support/tool.h"
#include "text_format/xml.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the schemas -------------------------------------------------------------------------------------------------- */

/* Children in their order. */
typedef struct child_rule {
  int version; /* 0: both */
  const char *parent, *child;
  int least, most; /* most 0: any number */
} child_rule;
static const child_rule children[] = {
    {0, "fmiModelDescription", "CoSimulation", 1, 1},
    {0, "fmiModelDescription", "UnitDefinitions", 0, 1},
    {0, "fmiModelDescription", "LogCategories", 0, 1},
    {0, "fmiModelDescription", "DefaultExperiment", 0, 1},
    {0, "fmiModelDescription", "ModelVariables", 1, 1},
    {0, "fmiModelDescription", "ModelStructure", 1, 1},
    {0, "UnitDefinitions", "Unit", 1, 0},
    {0, "LogCategories", "Category", 1, 0},
    {2, "ModelVariables", "ScalarVariable", 1, 0},
    {2, "ScalarVariable", "Real", 1, 1},
    {2, "ModelStructure", "Outputs", 0, 1},
    {2, "ModelStructure", "InitialUnknowns", 0, 1},
    {2, "Outputs", "Unknown", 1, 0},
    {2, "InitialUnknowns", "Unknown", 1, 0},
    {3, "ModelVariables", "Float64", 1, 0},
    {3, "ModelStructure", "Output", 0, 0},
    {3, "ModelStructure", "InitialUnknown", 0, 0},
};

typedef struct attribute_rule {
  int version;
  const char *element, *name;
  bool is_needed;
  const char *type; /* "text", "number", "count", "flag"; others: the words, between blanks */
} attribute_rule;
#define CAUSALITIES " parameter calculatedParameter input output local independent "
#define VARIABILITIES " constant fixed tunable discrete continuous "
#define INITIALS " exact approx calculated "
static const attribute_rule attributes[] = {
    {2, "fmiModelDescription", "fmiVersion", true, " 2.0 "},
    {3, "fmiModelDescription", "fmiVersion", true, " 3.0 "},
    {0, "fmiModelDescription", "modelName", true, "text"},
    {2, "fmiModelDescription", "guid", true, "text"},
    {3, "fmiModelDescription", "instantiationToken", true, "text"},
    {0, "fmiModelDescription", "description", false, "text"},
    {0, "fmiModelDescription", "generationTool", false, "text"},
    {0, "fmiModelDescription", "variableNamingConvention", false, " flat structured "},
    {0, "CoSimulation", "modelIdentifier", true, "text"},
    {0, "CoSimulation", "canHandleVariableCommunicationStepSize", false, "flag"},
    {2, "CoSimulation", "canInterpolateInputs", false, "flag"},
    {2, "CoSimulation", "canNotUseMemoryManagementFunctions", false, "flag"},
    {2, "CoSimulation", "canGetAndSetFMUstate", false, "flag"},
    {2, "CoSimulation", "canSerializeFMUstate", false, "flag"},
    {3, "CoSimulation", "canGetAndSetFMUState", false, "flag"},
    {3, "CoSimulation", "canSerializeFMUState", false, "flag"},
    {3, "CoSimulation", "mightReturnEarlyFromDoStep", false, "flag"},
    {3, "CoSimulation", "hasEventMode", false, "flag"},
    {3, "CoSimulation", "fixedInternalStepSize", false, "number"},
    {0, "Unit", "name", true, "text"},
    {0, "Category", "name", true, "text"},
    {0, "Category", "description", false, "text"},
    {0, "DefaultExperiment", "startTime", false, "number"},
    {0, "DefaultExperiment", "stopTime", false, "number"},
    {0, "DefaultExperiment", "tolerance", false, "number"},
    {0, "DefaultExperiment", "stepSize", false, "number"},
    {2, "ScalarVariable", "name", true, "text"},
    {2, "ScalarVariable", "valueReference", true, "count"},
    {2, "ScalarVariable", "description", false, "text"},
    {2, "ScalarVariable", "causality", false, CAUSALITIES},
    {2, "ScalarVariable", "variability", false, VARIABILITIES},
    {2, "ScalarVariable", "initial", false, INITIALS},
    {2, "Real", "unit", false, "text"},
    {2, "Real", "start", false, "number"},
    {3, "Float64", "name", true, "text"},
    {3, "Float64", "valueReference", true, "count"},
    {3, "Float64", "description", false, "text"},
    {3, "Float64", "causality", false, CAUSALITIES},
    {3, "Float64", "variability", false, VARIABILITIES},
    {3, "Float64", "initial", false, INITIALS},
    {3, "Float64", "unit", false, "text"},
    {3, "Float64", "start", false, "number"},
    {2, "Unknown", "index", true, "count"},
    {3, "Output", "valueReference", true, "count"},
    {3, "InitialUnknown", "valueReference", true, "count"},
};

/* --- a checker ---------------------------------------------------------------------------------------------------- */

typedef struct checker {
  xml_document d;
  int version, root;
  char wrong[300]; /* the first mistake; "": none */
} checker;

static void mistake(checker *c, int element, const char *what, const char *which) {
  if (c->wrong[0]) return;
  const xml_element *e = &c->d.elements[element];
  snprintf(c->wrong, sizeof c->wrong, "line %d: <%s>: %s %s", e->line, e->name, what, which);
}

static bool holds(const checker *c, int version) { return version == 0 || version == c->version; }

static bool fits(const char *type, const char *value) {
  char *end = NULL;
  if (strcmp(type, "text") == 0) return true;
  if (strcmp(type, "flag") == 0) return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
  if (strcmp(type, "number") == 0) return isfinite(strtod(value, &end)) && end != value && !*end;
  if (strcmp(type, "count") == 0)
    return *value && strspn(value, "0123456789") == strlen(value) && strtod(value, NULL) < 4294967296.0;
  char word[80];
  snprintf(word, sizeof word, " %.70s ", value);
  return strstr(type, word) != NULL;
}

static void check_attributes(checker *c, int element) {
  const xml_element *e = &c->d.elements[element];
  for (int k = 0; k < e->attribute_count; k++) {
    const xml_attribute *a = &c->d.attributes[e->first_attribute + k];
    const attribute_rule *rule = NULL;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
      if (holds(c, attributes[i].version) && strcmp(attributes[i].element, e->name) == 0 &&
          strcmp(attributes[i].name, a->name) == 0)
        rule = &attributes[i];
    if (!rule) mistake(c, element, "unknown attribute", a->name);
    if (rule && !fits(rule->type, a->value)) mistake(c, element, "wrong value of", a->name);
  }
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    if (holds(c, attributes[i].version) && attributes[i].is_needed && strcmp(attributes[i].element, e->name) == 0 &&
        !picus_xml_value(&c->d, element, attributes[i].name))
      mistake(c, element, "no attribute", attributes[i].name);
}

static void check_element(checker *c, int element) {
  const xml_element *e = &c->d.elements[element];
  int at = e->first_child;
  check_attributes(c, element);
  for (size_t i = 0; i < sizeof children / sizeof *children; i++) {
    const child_rule *rule = &children[i];
    int count = 0;
    if (!holds(c, rule->version) || strcmp(rule->parent, e->name) != 0) continue;
    for (; at >= 0 && picus_xml_is(&c->d, at, rule->child); at = c->d.elements[at].next, count++) check_element(c, at);
    if (count < rule->least) mistake(c, element, "too few of", rule->child);
    if (rule->most > 0 && count > rule->most) mistake(c, element, "too many of", rule->child);
  }
  if (at >= 0) mistake(c, element, "unexpected, or out of order:", c->d.elements[at].name);
}

/* --- rules of the standards --------------------------------------------------------------------------------------- */

static const char *value_of(const checker *c, int element, const char *name) {
  const char *value = element >= 0 ? picus_xml_value(&c->d, element, name) : NULL;
  return value ? value : "";
}
static bool is_word(const checker *c, int element, const char *name, const char *word) {
  return strcmp(value_of(c, element, name), word) == 0;
}

/* Whether a later sister has the same value. */
static bool is_repeated(const checker *c, int element, const char *name) {
  for (int k = c->d.elements[element].next; k >= 0; k = c->d.elements[k].next)
    if (strcmp(value_of(c, k, name), value_of(c, element, name)) == 0) return true;
  return false;
}

static int first_of(const checker *c, int element, const char *child) {
  const int found = element >= 0 ? picus_xml_child(&c->d, element, child) : -1;
  return found >= 0 ? c->d.elements[found].first_child : -1;
}

static bool has_unit(const checker *c, const char *unit) {
  for (int k = first_of(c, c->root, "UnitDefinitions"); k >= 0; k = c->d.elements[k].next)
    if (is_word(c, k, "name", unit)) return true;
  return false;
}

/* FMI 2.0, 2.2.7, and FMI 3.0, 2.4.7.4 and 2.4.7.5: what goes with each causality. */
static void check_variable(checker *c, int v) {
  const int type = c->version == 2 ? picus_xml_child(&c->d, v, "Real") : v;
  const bool has_start = type >= 0 && picus_xml_value(&c->d, type, "start"),
             has_initial = picus_xml_value(&c->d, v, "initial");
  const char *unit = value_of(c, type, "unit"), *name = value_of(c, v, "name");
  const bool is_time = is_word(c, v, "causality", "independent"), is_input = is_word(c, v, "causality", "input"),
             is_parameter = is_word(c, v, "causality", "parameter");
  if (!*name || is_repeated(c, v, "name")) mistake(c, v, "no name, or that of another variable:", name);
  if (is_repeated(c, v, "valueReference")) mistake(c, v, "the reference of another variable:", name);
  if (*unit && !has_unit(c, unit)) mistake(c, v, "undefined unit", unit);
  if (is_time && (has_start || has_initial || !is_word(c, v, "variability", "continuous")))
    mistake(c, v, "the time is continuous, with neither start nor initial:", name);
  if (is_input && (has_initial || !has_start)) mistake(c, v, "an input has a start and no initial:", name);
  if (is_parameter && (!has_start || !is_word(c, v, "initial", "exact") || !is_word(c, v, "variability", "fixed")))
    mistake(c, v, "a parameter is fixed, exact, with a start:", name);
  if (!is_time && !is_input && !is_parameter &&
      (has_start || !is_word(c, v, "initial", "calculated") || is_word(c, v, "variability", "fixed")))
    mistake(c, v, "a result is calculated, without a start:", name);
}

/* A list of outputs: all of them, in their order. 2.0 names a variable by its number from 1, 3.0 by its reference. */
static void check_outputs(checker *c, int list, const char *element) {
  int number = 1;
  for (int v = first_of(c, c->root, "ModelVariables"); v >= 0; v = c->d.elements[v].next, number++) {
    if (!is_word(c, v, "causality", "output")) continue;
    while (list >= 0 && !picus_xml_is(&c->d, list, element)) list = c->d.elements[list].next;
    const char *expected = value_of(c, v, "valueReference");
    char text[20];
    snprintf(text, sizeof text, "%d", number);
    if (list < 0 || !is_word(c, list, c->version == 2 ? "index" : "valueReference", c->version == 2 ? text : expected))
      mistake(c, v, "not in its place in the structure:", value_of(c, v, "name"));
    if (list >= 0) list = c->d.elements[list].next;
  }
  while (list >= 0 && !picus_xml_is(&c->d, list, element)) list = c->d.elements[list].next;
  if (list >= 0) mistake(c, list, "no output, or one that is listed twice", "");
}

static void check_structure(checker *c) {
  const int structure = picus_xml_child(&c->d, c->root, "ModelStructure");
  if (structure < 0) return;
  if (c->version == 2) {
    check_outputs(c, first_of(c, structure, "Outputs"), "Unknown");
    check_outputs(c, first_of(c, structure, "InitialUnknowns"), "Unknown");
  } else {
    check_outputs(c, c->d.elements[structure].first_child, "Output");
    check_outputs(c, c->d.elements[structure].first_child, "InitialUnknown");
  }
}

static void check_experiment(checker *c) {
  const int e = picus_xml_child(&c->d, c->root, "DefaultExperiment");
  const char *stop = value_of(c, e, "stopTime"), *step = value_of(c, e, "stepSize"),
             *tolerance = value_of(c, e, "tolerance");
  if (e < 0) return;
  if (*stop && !(strtod(stop, NULL) > strtod(value_of(c, e, "startTime"), NULL))) mistake(c, e, "empty", "");
  if ((*step && !(strtod(step, NULL) > 0)) || (*tolerance && !(strtod(tolerance, NULL) > 0)))
    mistake(c, e, "a step size or tolerance that is not positive", "");
}

static void check_rules(checker *c) {
  const int interface = picus_xml_child(&c->d, c->root, "CoSimulation");
  const char *identifier = value_of(c, interface, "modelIdentifier");
  int times = 0;
  for (const char *i = identifier; *i; i++)
    if (!(isalnum((unsigned char)*i) || *i == '_') || isdigit((unsigned char)*identifier))
      mistake(c, interface, "no name in C:", identifier);
  for (int k = first_of(c, c->root, "UnitDefinitions"); k >= 0; k = c->d.elements[k].next)
    if (is_repeated(c, k, "name")) mistake(c, k, "twice:", value_of(c, k, "name"));
  for (int k = first_of(c, c->root, "LogCategories"); k >= 0; k = c->d.elements[k].next)
    if (is_repeated(c, k, "name")) mistake(c, k, "twice:", value_of(c, k, "name"));
  for (int v = first_of(c, c->root, "ModelVariables"); v >= 0; v = c->d.elements[v].next) {
    check_variable(c, v);
    times += is_word(c, v, "causality", "independent");
  }
  if (times != 1) mistake(c, c->root, "not one independent variable", "");
  check_structure(c);
  check_experiment(c);
}

/* The first mistake, into `wrong`; "": none. */
static void check_text(const char *text, int version, char wrong[300]) {
  checker c = {.version = version};
  picus_context *context = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  c.d.context = context;
  if (picus_xml_read(&c.d, "modelDescription.xml", text, strlen(text), &c.root))
    snprintf(c.wrong, sizeof c.wrong, "%s", picus_last_error(context)->message);
  else if (!picus_xml_is(&c.d, c.root, "fmiModelDescription"))
    mistake(&c, c.root, "no description", "");
  else {
    check_element(&c, c.root);
    check_rules(&c);
  }
  snprintf(wrong, 300, "%s", c.wrong);
  picus_xml_release(&c.d);
  picus_context_destroy(context);
}

/* --- cases -------------------------------------------------------------------------------------------------------- */

static void check_description(const char *command, int version, const int *counts) {
  static const char *const kinds[] = {"parameter", "input", "output"};
  test_fmu fmu;
  char wrong[300];
  if (test_fmu_export(command, version, &fmu)) {
    int found[3] = {0};
    CHECK(fmu.version == version && strlen(fmu.token) == 64);
    check_text(fmu.description, version, wrong);
    if (!CHECK(!wrong[0])) fprintf(stderr, "%s, FMI %d: %s\n", command, version, wrong);
    for (int k = 0; k < fmu.variable_count; k++)
      for (int i = 0; i < 3; i++) found[i] += strcmp(fmu.variables[k].causality, kinds[i]) == 0;
    for (int i = 0; counts && i < 3; i++) CHECK(found[i] == counts[i]);
  }
  test_fmu_close(&fmu);
}

static void descriptions_follow_the_schemas(void) {
  static const int of_ball[3] = {4, 0, 3}, of_cart[3] = {1, 2, 2}, of_woodpecker[3] = {24, 0, 6};
  test_fmu_write("ball.lua", test_fmu_ball);
  test_fmu_write("cart.lua", test_fmu_cart);
  for (int version = 2; version <= 3; version++) {
    check_description("ball.lua", version, of_ball);
    check_description("cart.lua", version, of_cart);
    check_description("woodpecker", version, of_woodpecker);
    check_description("disks --set n=3 --adaptive", version, NULL);
    if (test_is_long()) check_description("tippedisk --sample 0.01", version, NULL);
    if (test_is_long()) check_description("slider-crank --scheme rattle", version, NULL);
    if (test_is_long()) check_description("wall", version, NULL);
  }
}

/* Texts of a model that would be signs of XML, and a run whose end is its start. */
static void hostile_texts_stay_texts(void) {
  static const char model[] =
      "model('<a b=\"1\"&amp;>', 'it\\'s \"quoted\" & <bold>\\n\\ttwo lines \xc3\xa4 \xe2\x80\xa8 ]]>')\n"
      "local p = parameters {m = {1, '<kg>', 'a \"mass\" & more'}, time = {2}}\n"
      "local i = inputs {{'F', unit = '\xc2\xb5N', label = '<!-- F -->'}}\n"
      "local q, u = coordinates {{'x', velocity = 'v', start = {0, 0}, unit = '\"'}}\n"
      "kinetic(p.m * u.v^2 / 2)\n"
      "force {x = i.F}\n"
      "observe {'y', p.time * q.x, unit = \"'\", label = '\\1\\127'}\n"
      "simulate {scheme = 'moreau', dt = 1e-3, t_end = 1}\n";
  test_fmu_write("hostile.lua", model);
  for (int version = 2; version <= 3; version++) check_description("hostile.lua", version, (const int[]){2, 1, 3});
}

/* One mistake after the other in a good description. */
static void mistakes_are_found(void) {
  static const struct {
    int version;
    const char *old, *new, *wrong;
  } mistakes[] = {
      {2, "guid=", "token=", "unknown attribute token"},
      {2, " modelName=\"ball\"", "", "no attribute modelName"},
      {2, "fmiVersion=\"2.0\"", "fmiVersion=\"3.0\"", "wrong value of fmiVersion"},
      {2, "canSerializeFMUstate=\"true\"", "canSerializeFMUstate=\"yes\"", "wrong value of canSerializeFMUstate"},
      {2, "valueReference=\"0\"", "valueReference=\"-1\"", "wrong value of valueReference"},
      {2, "valueReference=\"2\"", "valueReference=\"1\"", "the reference of another variable"},
      {2, "name=\"h\"", "name=\"v\"", "that of another variable"},
      {2, "causality=\"independent\"", "causality=\"output\"", ""},
      {2, "initial=\"exact\"", "initial=\"sharp\"", "wrong value of initial"},
      {2, "initial=\"exact\"", "initial=\"approx\"", "a parameter is fixed"},
      {2, "<Unknown index=\"6\"/>", "", "not in its place"},
      {2, "<Unit name=\"m\"/>", "<Unit name=\"n\"/>", "undefined unit m"},
      {2, "<Unit name=\"m\"/>", "<Unit name=\"s\"/>", "twice: s"},
      {2, "<DefaultExperiment", "<LogCategories/><DefaultExperiment", "too few of Category"},
      {2, "</ModelVariables>", "<Float64 name=\"x\" valueReference=\"99\"/></ModelVariables>", "out of order: Float64"},
      {2, "stopTime=\"3\"", "stopTime=\"-3\"", "empty"},
      {2, "start=\"0.7\"", "", "a parameter is fixed"},
      {2, "start=\"0.7\"", "start=\"1e999\"", "wrong value of start"},
      {2, "modelIdentifier=\"ball\"", "modelIdentifier=\"7 ball\"", "no name in C"},
      {3, "<Output valueReference=\"6\"/>", "<Output valueReference=\"7\"/>", "not in its place"},
      {3, "<ModelStructure>", "<ModelStructure><InitialUnknown valueReference=\"6\"/>", ""},
      {3, "hasEventMode=\"true\"", "hasEventMode=\"1.5\"", "wrong value of hasEventMode"},
      {3, "instantiationToken", "guid", "unknown attribute guid"},
      {3, "</fmiModelDescription>", "<CoSimulation modelIdentifier=\"a\"/></fmiModelDescription>", "out of order"},
  };
  test_fmu fmus[2];
  test_fmu_write("ball.lua", test_fmu_ball);
  if (test_fmu_export("ball.lua", 2, &fmus[0]) && test_fmu_export("ball.lua", 3, &fmus[1]))
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
      const char *good = fmus[mistakes[k].version - 2].description, *at = strstr(good, mistakes[k].old);
      char wrong[300];
      if (!test_check(at != NULL, __FILE__, __LINE__, mistakes[k].old)) continue;
      const size_t room = strlen(good) + strlen(mistakes[k].new) + 1;
      char *bad = malloc(room);
      snprintf(bad, room, "%.*s%s%s", (int)(at - good), good, mistakes[k].new, at + strlen(mistakes[k].old));
      check_text(bad, mistakes[k].version, wrong);
      if (!CHECK(wrong[0] && strstr(wrong, mistakes[k].wrong))) fprintf(stderr, "%s: '%s'\n", mistakes[k].old, wrong);
      free(bad);
    }
  test_fmu_close(&fmus[0]);
  test_fmu_close(&fmus[1]);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"descriptions_follow_the_schemas", descriptions_follow_the_schemas},
                                    {"hostile_texts_stay_texts", hostile_texts_stay_texts},
                                    {"mistakes_are_found", mistakes_are_found}};
  return test_main(argc, argv, "fmu_description", cases, sizeof cases / sizeof cases[0]);
}
