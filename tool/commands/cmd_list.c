/* picus list: the shipped models. */
#include "cli/cli.h"

#include <string.h>

static const cli_option options[] = {{"names", NULL, "print names only, one per line", false}};

static const char *const examples[] = {"picus list", "all shipped models, one line each", NULL};

static const char *name_at(int i) { return i < picus_shipped_model_count() ? picus_shipped_model_name(i) : NULL; }

/* The rest of a text after a prefix; NULL: it starts otherwise. */
static const char *after(const char *text, const char *prefix) {
  const size_t length = strlen(prefix);
  return text && strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* The description in model("NAME", "DESCRIPTION"), if this is the first line of a model file after its comments: then
 * the file need not run, which takes some milliseconds. false: the file has another form. */
static bool read_description(const char *name, char *description, size_t size) {
  const char *text = picus_shipped_model_text(name, NULL);
  while (text && (*text == '\n' || strncmp(text, "--", 2) == 0)) {
    if (strncmp(text, "--[", 3) == 0) text = NULL; /* may be a comment of several lines */
    if (text) text = strchr(text, '\n');
    if (text) text++;
  }
  text = after(after(after(text, "model(\""), name), "\", \"");
  const size_t length = text ? strcspn(text, "\"\\\n") : size;
  if (length >= size || !after(text + length, "\")\n")) return false;
  memcpy(description, text, length);
  description[length] = '\0';
  return true;
}

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(true);
  if (!context) return EXIT_RUN_FAILED;
  int code = EXIT_DONE;
  const int width = cli_widest(name_at);
  for (int i = 0; i < picus_shipped_model_count(); i++) {
    const char *name = picus_shipped_model_name(i);
    picus_model *model = NULL;
    char description[256];
    if (cli_given(a, "names"))
      cli_print("%s\n", name);
    else if (read_description(name, description, sizeof description))
      cli_print("%-*s  %s\n", width, name, description);
    else if (!picus_model_load(context, name, NULL, &model))
      cli_print("%-*s  %s\n", width, name, picus_model_description(model));
    else
      code = cli_report_error(context, EXIT_RUN_FAILED);
    picus_model_destroy(model);
  }
  picus_context_destroy(context);
  return code;
}

const cli_command cli_list = {.name = "list",
                              .operands = "",
                              .operands_least = 0,
                              .operands_most = 0,
                              .operand_kind = "",
                              .summary = "List the shipped models",
                              .description = "Run a shipped model by its name: 'picus run NAME'.",
                              .options = options,
                              .option_count = sizeof options / sizeof options[0],
                              .examples = examples,
                              .run = run};
