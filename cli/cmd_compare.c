/* picus compare: how far a result is from a reference. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"columns", "A,B,...", "compare these columns only", false},
};

static const char *const examples[] = {"picus compare run.h5 reference.h5",
                                       "errors of all columns, and of the switching times",
                                       "picus compare run.h5 reference.h5 --columns phiS,omegaS", "two of them", NULL};

/* Cuts "a,b,c" at its commas; returns how many parts there are. */
static int cut(char *text, const char **parts) {
  int count = 0;
  parts[count++] = text;
  for (; *text; text++)
    if (*text == ',') {
      *text = '\0';
      parts[count++] = text + 1;
    }
  return count;
}

static int compare(picus_context *context, const cli_arguments *a) {
  const char *list = cli_value(a, "columns", 0);
  if (!list) return cli_compare_files(context, cli_operand(a, 0), cli_operand(a, 1), 0, NULL);
  size_t size = strlen(list) + 1;
  char *text = malloc(size);
  const char **names = malloc(size * sizeof *names);
  int code = EXIT_RUN_FAILED;
  if (text && names) {
    memcpy(text, list, size);
    int count = cut(text, names);
    code = cli_compare_files(context, cli_operand(a, 0), cli_operand(a, 1), count, names);
  } else
    cli_complain("out of memory");
  free(names);
  free(text);
  return code;
}

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(false);
  if (!context) return EXIT_RUN_FAILED;
  int code = compare(context, a);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_compare = {
    .name = "compare",
    .operands = "RESULT.h5 REFERENCE.h5",
    .operands_least = 2,
    .operands_most = 2,
    .operand_kind = "result",
    .summary = "Say how far a result is from a reference",
    .description =
        "The reference is a file of 'picus reference', or any other result of the same model with the same "
        "parameters.\n"
        "For each column: the largest error, the same as a part of the column's range, l1 = sum |e| dt and\n"
        "l2 = sqrt(sum e^2 dt), over the rows at common times and, where the reference is dense enough, at times in\n"
        "between. Record both with the same --sample. Switching points are matched law by law in the order of time:\n"
        "how many belong together, the largest difference of their times, which are missing or extra. Unresolved are\n"
        "those that only the finer steps tell apart, as the last impacts before an accumulation point.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
