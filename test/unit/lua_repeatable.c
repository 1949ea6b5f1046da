/* What a model file shows is the same in every run: no addresses, no order of addresses. */
#include "support/check.h"

#include <picus/picus.h>
#include <stdio.h>
#include <string.h>

static char notes[4096];

static void note(void *user, picus_log_level level, const char *message) {
  (void)user;
  (void)level;
  size_t used = strlen(notes);
  snprintf(notes + used, sizeof notes - used, "%s;", message);
}

/* Runs a text and returns what it printed; "" and the sentence on failure. */
static const char *printed(const char *text, char *sentence, size_t size) {
  picus_context_def def = picus_default_context_def();
  picus_context *context;
  picus_model *model = NULL;
  def.log = note;
  notes[0] = sentence[0] = '\0';
  if (!CHECK(picus_context_create(&def, &context) == PICUS_OK)) return "";
  if (picus_model_load_text(context, "text.lua", text, strlen(text), NULL, &model)) {
    snprintf(sentence, size, "%s", picus_last_error(context)->message);
    notes[0] = '\0';
  }
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  return notes;
}

static void addresses_are_not_shown(void) {
  static const struct {
    const char *text, *shown;
  } cases[] = {
      {"print({})", "table;"},
      {"print(print, function() end)", "function\tfunction;"},
      {"print(tostring({}) .. '!')", "table!;"},
      {"print(string.format('%s|%5s|%%|%d', {}, print, 3))", "table|function|%|3;"},
      {"print(('%s'):format({}))", "table;"},
      {"print(tostring(nil), tostring(true), tostring(2), tostring(0.1), tostring('x'))", "nil\ttrue\t2\t0.1\tx;"},
      {"local q = coordinates { { 'x', velocity = 'v' } } print(string.format('%s', q.x + 1))", "x + 1;"},
      {"local t = { [{}] = 1 } for k, v in pairs(t) do print(k, v) end", "table\t1;"},
      {"local t = { [true] = 1, [false] = 2, a = 3, [1] = 4 } for k, v in pairs(t) do print(k, v) end",
       "1\t4;a\t3;false\t2;true\t1;"},
  };
  char sentence[1024];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    CHECK_TEXT(printed(cases[k].text, sentence, sizeof sentence), cases[k].shown);
    CHECK_TEXT(sentence, "");
  }
}

static void what_cannot_be_repeated_is_refused(void) {
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"print(string.format('%p', {}))", "prints an address"},
      {"print(string.format('%s %-20p', 1, {}))", "prints an address"},
      {"for k in pairs({ [{}] = 1, [{}] = 2 }) do end", "has no reproducible order"},
      {"next({ [print] = 1, [pairs] = 2 })", "has no reproducible order"},
      {"string.format('%d', {})", "number expected"},
      {"string.format('%s')", "bad argument #2"},
      {"string.format('%')", "no value"},
      {"string.format()", "bad argument #1"},
      {"tostring()", "bad argument #1"},
  };
  char sentence[1024];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    printed(cases[k].text, sentence, sizeof sentence);
    if (!CHECK(strstr(sentence, cases[k].says) != NULL)) printf("  %s: %s\n", cases[k].text, sentence);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"addresses_are_not_shown", addresses_are_not_shown},
      {"what_cannot_be_repeated_is_refused", what_cannot_be_repeated_is_refused},
  };
  return test_main(argc, argv, "lua_repeatable", cases, sizeof cases / sizeof cases[0]);
}
