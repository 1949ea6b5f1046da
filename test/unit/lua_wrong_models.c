/* Every wrong model file is refused with the right status, line and sentence; nothing leaks. */
#include "support/check.h"
#include "support/wrong_models.h"

#include <picus/picus.h>
#include <stdio.h>
#include <string.h>

static bool as_expected(const wrong_model *wrong, picus_status status, const picus_error *error) {
  bool right = status != PICUS_OK && error->status == status;
  right = right && strcmp(picus_status_name(status), wrong->status) == 0;
  right = right && error->line == wrong->line;
  if (wrong->line > 0) right = right && strcmp(error->file, "wrong.lua") == 0;
  right = right && strstr(error->message, wrong->fragment) != NULL;
  if (!right)
    printf("  %s: got %s at %s:%d: %s\n", wrong->name, picus_status_name(status), error->file, error->line,
           error->message);
  return right;
}

static void try_model(picus_context *context, const wrong_model *wrong) {
  picus_model *model = NULL;
  picus_system *system = NULL;
  size_t before = picus_context_memory(context);
  /* sanitizers take half a minute to fill the usual memory with small tables */
  const picus_load_options options = {.memory_limit = (size_t)test_size(64, 1024, 1024) << 20};
  picus_status status = picus_model_load_text(context, "wrong.lua", wrong->text, strlen(wrong->text), &options, &model);
  if (wrong->stage == WRONG_SYSTEM) {
    if (!CHECK(status == PICUS_OK)) as_expected(wrong, status, picus_last_error(context));
    if (status == PICUS_OK) status = picus_system_create(model, &system);
  } else {
    CHECK(model == NULL);
  }
  CHECK(as_expected(wrong, status, picus_last_error(context)));
  picus_system_destroy(system);
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == before);
}

static void try_stage(wrong_stage stage) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  int count = 0;
  for (int i = 0; i < wrong_model_count; i++) {
    if (wrong_models[i].stage != stage) continue;
    try_model(context, &wrong_models[i]);
    count++;
  }
  CHECK(count > 15);
  picus_context_destroy(context);
}

static void refused_while_loading(void) { try_stage(WRONG_LOAD); }
static void refused_as_a_system(void) { try_stage(WRONG_SYSTEM); }

static void names_of_cases_differ(void) {
  for (int i = 0; i < wrong_model_count; i++)
    for (int j = 0; j < i; j++) CHECK(strcmp(wrong_models[i].name, wrong_models[j].name) != 0);
  CHECK(wrong_model_count >= 100);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"refused_while_loading", refused_while_loading},
      {"refused_as_a_system", refused_as_a_system},
      {"names_of_cases_differ", names_of_cases_differ},
  };
  return test_main(argc, argv, "lua_wrong_models", cases, sizeof cases / sizeof *cases);
}
