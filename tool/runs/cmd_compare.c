/* picus compare: the differences of a result from a reference, or of schemes from each other. */
#include "cli/cli.h"
#include "trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- two results -------------------------------------------------------------------------------------------------- */

static void print_rows(FILE *file, const picus_comparison *c) {
  cli_fprint(file, "  %ld of %ld rows are at times of the reference", c->common, c->rows);
  if (c->interpolated) cli_fprint(file, ", %ld at times in between (interpolated)", c->interpolated);
  long left = c->rows - c->common - c->interpolated;
  if (left) cli_fprint(file, ", %ld are not compared", left);
  cli_fprint(file, "\n");
  if (c->at_switching)
    cli_fprint(
        file,
        "  %ld of these are at a switching point of one of the two; only their coordinates and gaps are compared\n",
        c->at_switching);
  if (isfinite(c->accuracy))
    cli_fprint(file, "  estimated error of the reference: %.2g of the range of each column\n", c->accuracy);
  if (!isnan(c->asked))
    cli_fprint(file,
               "  NOT REACHED: the reference was to be accurate to %.2g%s; errors below its own have no meaning\n",
               c->asked, isfinite(c->accuracy) ? "" : ", and its error is unknown");
}

static void print_columns(FILE *file, const picus_comparison *c) {
  cli_fprint(file, "\n%-20s %-8s %12s %12s %12s %12s %14s\n", "column", "unit", "largest", "over range", "l1", "l2",
             "largest at t");
  for (int k = 0; k < c->column_count; k++) {
    const picus_column_error *e = &c->columns[k];
    char share[32] = "-";
    if (e->scale > 0) snprintf(share, sizeof share, "%.3g", e->uniform / e->scale);
    cli_fprint(file, "%-20s %-8s %12.3g %12s %12.3g %12.3g %14.9g\n", e->name, e->unit, e->uniform, share, e->l1, e->l2,
               e->t_worst);
  }
}

static void print_laws(FILE *file, const picus_comparison *c) {
  if (c->law_count == 0) {
    cli_fprint(file, "\nno switching points to compare\n");
    return;
  }
  cli_fprint(file, "\n%-20s %10s %10s %10s %12s %16s %14s\n", "switching points", "matched", "missing", "extra",
             "unresolved", "largest dt, s", "at t");
  for (int k = 0; k < c->law_count; k++) {
    const picus_law_match *m = &c->laws[k];
    cli_fprint(file, "%-20s %10ld %10ld %10ld %12ld", m->law, m->matched, m->missing, m->extra, m->unresolved);
    if (m->matched)
      cli_fprint(file, " %16.3g %14.9g\n", m->time_difference, m->t_worst);
    else
      cli_fprint(file, " %16s %14s\n", "-", "-");
  }
}

/* The differences of two results, column by column and law by law; the paths are for the title. */
static void print_comparison(FILE *file, const picus_comparison *c, const char *path, const char *reference) {
  cli_fprint(file, "%s compared with %s\n", path, reference);
  print_rows(file, c);
  print_columns(file, c);
  print_laws(file, c);
}

int cli_compare_files(picus_context *context, const char *path, const char *reference, int column_count,
                      const char *const *columns) {
  picus_result *result = NULL, *other = NULL;
  picus_comparison *comparison = NULL;
  picus_status status = picus_result_open(context, path, &result);
  if (!status) status = picus_result_open(context, reference, &other);
  if (!status) status = cli_thin_pair(context, result, other);
  if (!status) status = picus_result_compare(context, result, other, column_count, columns, &comparison);
  if (!status) print_comparison(stdout, comparison, path, reference);
  int code = status ? cli_report_error(context, EXIT_WRONG_INPUT) : EXIT_DONE;
  picus_comparison_destroy(context, comparison);
  picus_result_close(other);
  picus_result_close(result);
  return code;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static const cli_option options[] = {
    {"columns", "A,B,...",
     "columns to compare; default all coordinates, velocities, gaps, energies and observed values. schemes: "
     "coordinates and velocities",
     false},
    {"schemes", "LIST", "run a model with these schemes: all, or names with commas, also adaptive or adaptive:SCHEME",
     false},
    {"dt", "X,Y,...", "schemes: step sizes in s; default the model's, a half and a quarter of it", false},
    {"tolerances", "X,Y,...",
     "schemes: atol = rtol of adaptive runs, as in 'picus run --adaptive --atol X --rtol X'; default 1e-5,1e-7,1e-9",
     false},
    {"dt-min", "X", "schemes: smallest step of adaptive runs in s; default as in 'picus run --adaptive'", false},
    {"reference", "REF.h5|EXACT.csv",
     "schemes: measure errors against this result, or this table with columns t and coordinates: a closed form; "
     "default: a search",
     false},
    {"accuracy", "X", "schemes: requested accuracy of that search; default 1e-8", false},
    {"t-end", "X", "schemes: end of the runs in s", false},
    {"sample", "X", "schemes: time between compared rows in s; default: the model's, or a thousandth of the run",
     false},
    CLI_LOAD_OPTIONS,
    CLI_NATIVE_OPTION,
    {"csv", "F.csv", "schemes: write the table as CSV; - is standard output", false},
    {"figure", "F.svg", "schemes: plot error over CPU time; .png, .svg or .pdf", false},
    {"quiet", NULL, "schemes: no progress bar", false},
};

static const char *const examples[] = {"picus compare run.h5 reference.h5",
                                       "errors of all columns and of the switching times",
                                       "picus compare run.h5 reference.h5 --columns phiS,omegaS",
                                       "errors of two columns",
                                       "picus compare slope --schemes all --figure slope.svg",
                                       "every scheme on one model: errors, orders, cost",
                                       "picus compare woodpecker --schemes moreau,rattle --dt 1e-4,1e-5 --t-end 0.2",
                                       "two schemes, two step sizes",
                                       NULL};

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

/* Options that belong to --schemes only; false: already reported. */
static bool check_options(const cli_arguments *a, bool schemes) {
  for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
    if (schemes || strcmp(options[k].name, "columns") == 0 || !cli_given(a, options[k].name)) continue;
    cli_complain("--%s needs --schemes LIST and a model", options[k].name);
    return false;
  }
  const int wanted = schemes ? 1 : 2;
  if (cli_operand_count(a) == wanted) return true;
  if (schemes)
    cli_complain("with --schemes, compare takes one model");
  else
    cli_complain("compare takes a result and a reference; for the schemes on one model add --schemes LIST");
  return false;
}

static int run(const cli_arguments *a) {
  const bool schemes = cli_given(a, "schemes");
  if (!check_options(a, schemes)) return EXIT_WRONG_INPUT;
  if (schemes) return cli_compare_schemes(a);
  picus_context *context = cli_context(false);
  if (!context) return EXIT_RUN_FAILED;
  int code = compare(context, a);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_compare = {
    .name = "compare",
    .operands = "RESULT.h5 REFERENCE.h5 | MODEL --schemes LIST",
    .operands_least = 1,
    .operands_most = 2,
    .operand_kind = "result",
    .summary = "Measure the difference of a result from a reference, or compare schemes",
    .description =
        "The reference is a file of 'picus reference', or any other result of the same model with the same "
        "parameters.\n"
        "For each column: the largest error, the largest error relative to the range of the column (which counts as "
        "at\n"
        "least a millionth of the largest range of its kind), l1 = sum |e| dt and l2 = sqrt(sum e^2 dt). Rows at "
        "common\n"
        "times are compared and, where the reference is dense enough, rows in between. Record both with the same\n"
        "--sample. Switching points are matched law by law in order of time: the numbers of matched, missing and "
        "extra\n"
        "ones, and the largest difference of their times. Unresolved switching points are distinct only with the "
        "finer\n"
        "steps, such as the last impacts before an accumulation point.\n"
        "With --schemes: runs one model with every scheme and step size and prints errors, orders, penetration, drift\n"
        "of joints, energy error, residual, iterations, steps, time and the columns with the largest errors. Schemes\n"
        "that cannot run the model are listed with the reason. Exit code 1 also if the search for a reference missed\n"
        "its accuracy, which the table states.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
