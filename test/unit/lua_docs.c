/* The examples of docs/model-format.md and docs/bodies.md are model files that work. */
#include "support/check.h"

#include <picus/picus.h>
#include <stdio.h>
#include <string.h>

static char page[65536];

static bool read_page(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  page[fread(page, 1, sizeof page - 1, file)] = '\0';
  fclose(file);
  return true;
}

/* Loads one example; whole models are also made into systems. */
static void try_example(picus_context *context, const char *text, size_t length) {
  picus_model *model;
  picus_status status = picus_model_load_text(context, "example", text, length, NULL, &model);
  if (!status && picus_model_velocity_count(model) > 0) {
    picus_system *system;
    bool has_dynamics = false;
    for (size_t i = 0; i + 4 < length; i++)
      if (strncmp(text + i, "mass", 4) == 0 || strncmp(text + i, "kinetic", 7) == 0) has_dynamics = true;
    if (has_dynamics) {
      status = picus_system_create(model, &system);
      picus_system_destroy(system);
    }
  }
  if (!CHECK(status == PICUS_OK))
    printf("  line %d of\n%.*s\n  %s\n", picus_last_error(context)->line, (int)length, text,
           picus_last_error(context)->message);
  picus_model_destroy(model);
}

static void load_examples(const char *path, int least) {
  REQUIRE(read_page(path));
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  int count = 0;
  for (const char *at = strstr(page, "```lua\n"); at; at = strstr(at, "```lua\n")) {
    at += 7;
    const char *end = strstr(at, "```");
    REQUIRE(end);
    try_example(context, at, (size_t)(end - at));
    at = end + 3;
    count++;
  }
  CHECK(count >= least);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

#define MODEL_FORMAT TEST_DATA "/../../docs/model-format.md"
#define BODIES TEST_DATA "/../../docs/bodies.md"
static void examples_load(void) { load_examples(MODEL_FORMAT, 8); }
static void examples_of_bodies_load(void) { load_examples(BODIES, 4); }

/* Every keyword and function that a file can use is on the page of model files. */
static void words_are_documented(void) {
  static const char *const words[] = {
      "abs",       "acos",          "all",          "any",         "asin",        "assert",
      "atan",      "atan2",         "constraint",   "contact",     "coordinates", "cos",
      "clutch",    "preload",       "cosh",         "dissipation", "eq",          "error",
      "exp",       "force",         "force_vector", "friction",    "ge",          "gt",
      "ipairs",    "kinetic",       "le",           "log",         "lt",          "mass",
      "math",      "max",           "min",          "model",       "ne",          "next",
      "no",        "observe",       "pairs",        "parameters",  "pi",          "plot",
      "potential", "print",         "rates",        "select",      "sign",        "simulate",
      "sin",       "sinh",          "sqrt",         "stop_time",   "string",      "table",
      "tan",       "tanh",          "tonumber",     "tostring",    "type",        "velocities",
      "when",      "velocity_unit", "reservoir",    "position",    "tolerance",   "theta",
      "every",     "sample",        "t_start",      "t_end",       "label",       "unit",
      "inputs"};
  REQUIRE(read_page(MODEL_FORMAT));
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!CHECK(strstr(page, words[i]) != NULL)) printf("  missing: %s\n", words[i]);
  static const char *const of_bodies[] = {
      "particle",    "planar_body",   "spatial_body",  "frame",         "gravity",      "ground",
      "revolute",    "spherical",     "prismatic",     "cylindrical",   "universal",    "weld",
      "distance",    "gear",          "motor",         "linear_motor",  "spring",       "torsion_spring",
      "actuator",    "body_force",    "plane_contact", "notch_contact", "ball_contact", "hole_contact",
      "rim_contact", "level_contact", "spin_radius",   "assemble",      "follower",     "journal_contact"};
  for (size_t i = 0; i < sizeof of_bodies / sizeof *of_bodies; i++)
    if (!CHECK(strstr(page, of_bodies[i]) != NULL)) printf("  missing: %s\n", of_bodies[i]);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"examples_load", examples_load},
      {"examples_of_bodies_load", examples_of_bodies_load},
      {"words_are_documented", words_are_documented},
  };
  return test_main(argc, argv, "lua_docs", cases, sizeof cases / sizeof *cases);
}
