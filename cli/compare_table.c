/* Errors of a result against a table in a CSV file: a closed form, or numbers of another program. */
#include "base/internal.h"
#include "csv_table.h"
#include "trials.h"

#include <math.h>
#include <string.h>

#define SAME_TIME 1e-9 /* of the run: times that differ by less are one time */

static const double *find_times(const cli_csv_table *table) {
  for (int k = 0; k < table->column_count; k++)
    if (strcmp(table->columns[k].name, "t") == 0 && table->row_count > 0) return table->columns[k].values;
  return NULL;
}

/* The rows of a table whose times a result has. */
typedef struct common_rows {
  const double *t, *t_table;
  size_t row_count, table_count;
  double slack;
} common_rows;

/* Over the common rows; false: there are none, or a value is no number. */
static bool find_error(const common_rows *c, const double *values, const double *table, picus_column_error *out) {
  double least = INFINITY, most = -INFINITY, before = NAN;
  long common = 0;
  *out = (picus_column_error){0};
  for (size_t i = 0, k = 0; k < c->table_count; k++) {
    while (i < c->row_count && c->t[i] < c->t_table[k] - c->slack) i++;
    if (i == c->row_count) break;
    if (!(fabs(c->t[i] - c->t_table[k]) <= c->slack)) continue;
    const double e = fabs(values[i] - table[k]);
    if (!isfinite(e)) return false;
    out->uniform = fmax(out->uniform, e);
    if (common++ > 0) out->l1 += e * (c->t[i] - before);
    before = c->t[i];
    least = fmin(least, table[k]);
    most = fmax(most, table[k]);
  }
  out->range = most - least;
  return common > 1;
}

static picus_status take_columns(picus_context *context, picus_result *result, const char *path,
                                 const cli_csv_table *table, cli_trial *t, const char *chosen) {
  common_rows c = {.t_table = find_times(table), .table_count = table->row_count};
  const double duration = t->summary.t_end - t->summary.t_start;
  int found = 0;
  if (!c.t_table) return picus_fail(context, PICUS_ERROR_ARGUMENT, "'%s' has no column 't' with times", path);
  picus_status status = picus_result_values(result, picus_result_find(result, "t"), &c.t);
  c.row_count = (size_t)picus_result_row_count(result);
  c.slack = SAME_TIME * duration;
  for (int k = 0; k < table->column_count && !status; k++) {
    const cli_csv_column *column = &table->columns[k];
    const int index = picus_result_find(result, column->name);
    picus_column_error error;
    const double *values;
    if (index < 0 || (chosen && !cli_is_listed(chosen, column->name))) continue;
    const picus_column_kind kind = picus_result_column(result, index).kind;
    if (kind != PICUS_COLUMN_COORDINATE && kind != PICUS_COLUMN_VELOCITY) continue;
    status = picus_result_values(result, index, &values);
    if (!status && !find_error(&c, values, column->values, &error))
      status = picus_fail(context, PICUS_ERROR_ARGUMENT,
                          "'%s' and the rows of the run have no two times in common with numbers for '%s'; give the "
                          "time between the rows of the table by --sample",
                          path, column->name);
    if (!status) cli_trial_take_error(t, kind, &error);
    found++;
  }
  if (!status && found == 0)
    status = picus_fail(context, PICUS_ERROR_ARGUMENT, "'%s' has no column of a coordinate or velocity", path);
  return status;
}

bool cli_is_table(const char *path) {
  const size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".csv") == 0;
}

picus_status cli_compare_table(picus_context *context, picus_result *result, const char *path, const char *chosen,
                               cli_trial *t) {
  cli_csv_table table = {0};
  picus_status status = cli_csv_read(context, path, NULL, &table);
  if (!status) status = take_columns(context, result, path, &table, t, chosen);
  cli_csv_release(context, &table);
  return status;
}
