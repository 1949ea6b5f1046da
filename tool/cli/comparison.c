/* A comparison of two results as text. */
#include "cli.h"

#include <math.h>
#include <string.h>

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

void cli_print_comparison(FILE *file, const picus_comparison *c, const char *path, const char *reference) {
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
  if (!status) cli_print_comparison(stdout, comparison, path, reference);
  int code = status ? cli_report_error(context, EXIT_WRONG_INPUT) : EXIT_DONE;
  picus_comparison_destroy(context, comparison);
  picus_result_close(other);
  picus_result_close(result);
  return code;
}
