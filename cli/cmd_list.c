/* picus list: the shipped models. */
#include "cli.h"

static const cli_option options[] = {{"names", NULL, "print names only, one per line", false}};

static const char *const examples[] = {"picus list", "all shipped models, one line each", NULL};

static const char *name_at(int i) { return i < picus_shipped_model_count() ? picus_shipped_model_name(i) : NULL; }

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(true);
  if (!context) return EXIT_RUN_FAILED;
  int code = EXIT_DONE;
  const int width = cli_widest(name_at);
  for (int i = 0; i < picus_shipped_model_count(); i++) {
    const char *name = picus_shipped_model_name(i);
    picus_model *model = NULL;
    if (cli_given(a, "names"))
      cli_print("%s\n", name);
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
