/* picus show: parameters and source of a model. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

static const cli_option options[] = {
    CLI_LOAD_OPTIONS,
    {"source", NULL, "print the source only", false},
};

static const char *const examples[] = {
    "picus show woodpecker", "parameters with defaults and units, and the model file",
    "picus show woodpecker --source > my-woodpecker.lua", "a copy as a template for a custom model", NULL};

static void print_symbols(const picus_model *model) {
  int count = picus_model_parameter_count(model);
  cli_print("%s: %s\n\n", picus_model_name(model), picus_model_description(model));
  cli_print("%-10s %-14s %-10s %s\n", "parameter", "default", "unit", "meaning");
  for (int i = 0; i < count; i++) {
    picus_parameter p = picus_model_parameter(model, i);
    cli_print("%-10s %-14.9g %-10s %s", p.name, p.default_value, p.unit[0] ? p.unit : "-", p.description);
    if (p.value != p.default_value) cli_print(" (set to %.9g)", p.value);
    cli_print("\n");
  }
  cli_print("\n");
  if (picus_model_input_count(model) == 0) return;
  cli_print("%-10s %-14s %-14s %s\n", "input", "start", "rate", "unit");
  for (int i = 0; i < picus_model_input_count(model); i++) {
    picus_input_def input = picus_model_input(model, i);
    char rate[32] = "-"; /* it has none */
    if (input.has_rate) snprintf(rate, sizeof rate, "%.9g", input.rate);
    cli_print("%-10s %-14.9g %-14s %s\n", input.name, input.start, rate, input.unit[0] ? input.unit : "-");
  }
  cli_print("\n");
}

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(true);
  if (!context) return EXIT_RUN_FAILED;
  cli_model loaded;
  int code = cli_load(context, a, &loaded);
  if (code == EXIT_DONE) {
    if (!cli_given(a, "source")) print_symbols(loaded.model);
    const char *source = picus_model_source(loaded.model);
    cli_print_source(source);
    size_t length = strlen(source);
    if (length && source[length - 1] != '\n') cli_print("\n");
  }
  cli_unload(&loaded);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_show = {.name = "show",
                              .operands = "MODEL",
                              .operands_least = 1,
                              .operands_most = 1,
                              .operand_kind = "model",
                              .summary = "Show the parameters, inputs and source of a model",
                              .description = "MODEL is a model file or the name of a shipped model.",
                              .options = options,
                              .option_count = sizeof options / sizeof options[0],
                              .examples = examples,
                              .run = run};
