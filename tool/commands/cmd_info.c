/* picus info: the contents of a result file. */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {{"all", NULL, "also print options and statistics that are 0 or empty", false},
                                     {"source", NULL, "print the source text of the model only", false}};

static const char *const examples[] = {"picus info woodpecker.h5", "ranges of its columns, and options of the run",
                                       NULL};

/* Unit of the parameter of a key "parameters.NAME"; "" for other keys. */
static const char *unit_of(const picus_result *result, const char *key) {
  static const char prefix[] = "parameters.";
  char name[256];
  if (strncmp(key, prefix, sizeof prefix - 1) != 0) return "";
  snprintf(name, sizeof name, "units.%s", key + sizeof prefix - 1);
  return picus_result_text(result, name);
}

/* Options, parameters and statistics. Entries that are 0 or empty mostly count what did not happen. */
static void print_keys(const picus_result *result, bool all) {
  bool is_text;
  int hidden = 0;
  cli_print("\n");
  for (int i = 0;; i++) {
    const char *key = picus_result_key(result, i, &is_text);
    if (!key) break;
    if (strcmp(key, "model.source") == 0 || strncmp(key, "units.", 6) == 0) continue; /* units follow their numbers */
    const bool may_hide = strncmp(key, "options.", 8) == 0 || strncmp(key, "statistics.", 11) == 0;
    const bool is_shown = all || !may_hide ||
                          (is_text ? picus_result_text(result, key)[0] != '\0' : picus_result_number(result, key) != 0);
    if (!is_shown)
      hidden++;
    else if (is_text)
      cli_print("%-36s %s\n", key, picus_result_text(result, key));
    else
      cli_print("%-36s %.9g%s%s\n", key, picus_result_number(result, key), unit_of(result, key)[0] ? " " : "",
                unit_of(result, key));
  }
  if (hidden) cli_print("%d entries that are 0 or empty are not shown; --all shows them\n", hidden);
}

/* The table of contacts: its size, and the deepest overlap. */
static picus_status print_contacts(picus_result *result) {
  const long rows = picus_result_contact_rows(result), all = picus_result_row_count(result);
  const picus_contact_point *contacts;
  double total = 0, deepest = 0;
  int most = 0;
  if (rows < 0) return PICUS_OK;
  for (long row = 0; row < rows; row++) {
    const int count = picus_result_contact_count(result, row);
    picus_status status = picus_result_contacts(result, row, &contacts);
    if (status) return status;
    total += count;
    if (count > most) most = count;
    for (int k = 0; k < count; k++) deepest = fmin(deepest, contacts[k].gap);
  }
  cli_print("%.0f detected contacts in the table 'contacts', at most %d in a row, deepest overlap %.6g m\n", total,
            most, deepest < 0 ? -deepest : 0);
  cli_print("made from it by 'picus plot': contacts.number, contacts.coordination, contacts.overlap\n");
  if (rows < all) cli_print("the contacts of the last %ld rows are missing: the run did not finish\n", all - rows);
  return PICUS_OK;
}

/* The largest size of a displacement in a table of nodes, rotations left out. */
static picus_status find_largest(picus_result *result, int table, long block, double *values, double *largest) {
  const picus_node_table t = picus_result_node_table_at(result, table);
  const size_t components = (size_t)t.component_count;
  const long rows = picus_result_node_table_rows(result, table);
  picus_status status = PICUS_OK;
  *largest = 0;
  for (long row = 0; !status && row < rows; row += block) {
    const long count = rows - row < block ? rows - row : block;
    status = picus_result_node_table_read(result, table, row, count, (double *const[2]){values, NULL});
    for (size_t i = 0; !status && i < (size_t)count * (size_t)t.node_count; i++) {
      double square = 0;
      for (size_t k = 0; k < components; k++)
        if (t.displacements[k][0] != 'r') square += values[components * i + k] * values[components * i + k];
      *largest = fmax(*largest, sqrt(square));
    }
  }
  return status;
}

/* The tables of nodes: their sizes, and the largest displacement. */
static picus_status print_nodes(picus_result *result) {
  const long all = picus_result_row_count(result);
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < picus_result_node_table_count(result); i++) {
    const picus_node_table t = picus_result_node_table_at(result, i);
    const long missing = all - picus_result_node_table_rows(result, i);
    const size_t width = (size_t)t.node_count * (size_t)t.component_count, block = 1 + 65536 / width;
    double largest = 0, *values = malloc(block * width * sizeof *values);
    if (!values) return PICUS_ERROR_MEMORY;
    status = find_largest(result, i, (long)block, values, &largest);
    free(values);
    if (status) return status;
    cli_print("%d nodes of '%s' in the table 'nodes/%s':", t.node_count, t.name, t.name);
    for (int k = 0; k < t.component_count; k++) cli_print(" %s", t.displacements[k]);
    cli_print(", largest displacement %.6g%s%s\n", largest, t.displacement_units[0][0] ? " " : "",
              t.displacement_units[0]);
    if (missing > 0) cli_print("the nodes of the last %ld rows are missing: the run did not finish\n", missing);
  }
  return status;
}

/* The ranges of all columns, of which only one is in memory at a time. */
static picus_status print_ranges(picus_result *result) {
  const long rows = picus_result_row_count(result);
  double *values = malloc(((size_t)rows + 1) * sizeof *values);
  picus_status status = values ? PICUS_OK : PICUS_ERROR_MEMORY;
  cli_print("%-20s %-8s %-22s %s\n", "column", "unit", "smallest", "largest");
  for (int i = 0; !status && i < picus_result_column_count(result); i++) {
    status = picus_result_read(result, i, values);
    if (status) break;
    double low = NAN, high = NAN;
    for (long k = 0; k < rows; k++) {
      low = fmin(low, values[k]);
      high = fmax(high, values[k]);
    }
    picus_column column = picus_result_column(result, i);
    if (rows == 0)
      cli_print("%-20s %-8s %-22s %s\n", column.name, column.unit, "-", "-");
    else
      cli_print("%-20s %-8s %-22.12g %.12g\n", column.name, column.unit, low, high);
  }
  free(values);
  return status;
}

static picus_status print_columns(picus_result *result) {
  long rows = picus_result_row_count(result);
  long switchings = picus_result_switching_count(result);
  cli_print("%ld rows%s\n", rows, rows == 0 ? ": rows are written in blocks, and none is complete" : "");
  if (switchings >= 0) cli_print("%ld switching points, see 'picus events'\n", switchings);
  cli_thin(result); /* the ranges are those of some rows, then; a note says so */
  picus_status contacts = print_contacts(result);
  if (contacts) return contacts;
  picus_status nodes = print_nodes(result);
  if (nodes) return nodes;
  return print_ranges(result);
}

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(false);
  if (!context) return EXIT_RUN_FAILED;
  picus_result *result = NULL;
  picus_status status = picus_result_open(context, cli_operand(a, 0), &result);
  if (!status && cli_given(a, "source"))
    cli_print_source(picus_result_text(result, "model.source"));
  else if (!status) {
    status = print_columns(result);
    if (!status) print_keys(result, cli_given(a, "all"));
  }
  int code = status ? cli_report_error(context, EXIT_WRONG_INPUT) : EXIT_DONE;
  picus_result_close(result);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_info = {
    .name = "info",
    .operands = "RESULT.h5",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "result",
    .summary = "Describe the contents of a result file",
    .description = "Prints the columns with their ranges, then the version, command, options, parameters and\n"
                   "statistics of the run. If the run is unfinished or was killed, it opens RESULT.h5.part.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
