/* picus compare: the differences of a result from a reference. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"columns", "A,B,...",
     "columns to compare; default all coordinates, velocities, gaps, energies and observed values", false},
};

static const char *const examples[] = {
    "picus compare run.h5 reference.h5", "errors of all columns and of the switching times",
    "picus compare run.h5 reference.h5 --columns phiS,omegaS", "errors of two columns", NULL};

/* Splits "a,b,c" at its commas; returns the number of parts. */
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
    .summary = "Measure the difference of a result from a reference",
    .description =
        "The reference is a file of 'picus reference', or any other result of the same model with the same "
        "parameters.\n"
        "For each column: the largest error, the largest error relative to the range of the column, l1 = sum |e| dt\n"
        "and l2 = sqrt(sum e^2 dt). Rows at common times are compared and, where the reference is dense enough, rows\n"
        "in between. Record both with the same --sample. Switching points are matched law by law in order of time:\n"
        "the numbers of matched, missing and extra ones, and the largest difference of their times. Unresolved\n"
        "switching points are distinct only with the finer steps, such as the last impacts before an accumulation\n"
        "point.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
