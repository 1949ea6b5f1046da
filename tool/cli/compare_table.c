/* Errors of a result against a table in a CSV file: a closed form, or numbers of another program. */
#include "base/internal.h"
#include "csv_table.h"
#include "trials.h"

#include <math.h>
#include <string.h>

#define SAME_TIME 1e-9    /* of the run: times that differ by less are one time */
#define SMALL_COLUMN 1e-6 /* of the largest range of its kind: the least scale of a column */
#define ROUND_OFF 1e-12   /* of that range: errors of smaller columns that mean nothing */

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

/* What a run is compared with. */
typedef struct table_reference {
  const char *path, *chosen;
  const cli_csv_table *table;
  common_rows rows;
  picus_column_kind *kinds; /* of the columns in the run; PICUS_COLUMN_TIME: not compared */
  picus_column_error *errors;
} table_reference;

static picus_status find_errors(picus_context *context, picus_result *result, const table_reference *r) {
  picus_status status = PICUS_OK;
  int found = 0;
  for (int k = 0; k < r->table->column_count && !status; k++) {
    const cli_csv_column *column = &r->table->columns[k];
    const int index = picus_result_find(result, column->name);
    const double *values;
    if (index < 0 || (r->chosen && !cli_is_listed(r->chosen, column->name))) continue;
    const picus_column_kind kind = picus_result_column(result, index).kind;
    if (kind != PICUS_COLUMN_COORDINATE && kind != PICUS_COLUMN_VELOCITY) continue;
    status = picus_result_values(result, index, &values);
    if (!status && !find_error(&r->rows, values, column->values, &r->errors[k]))
      status = picus_fail(context, PICUS_ERROR_ARGUMENT,
                          "'%s' and the rows of the run have no two times in common with numbers for '%s'; give the "
                          "time between the rows of the table by --sample",
                          r->path, column->name);
    r->errors[k].name = column->name;
    r->kinds[k] = kind;
    found++;
  }
  if (!status && found == 0)
    status = picus_fail(context, PICUS_ERROR_ARGUMENT, "'%s' has no column of a coordinate or velocity", r->path);
  return status;
}

/* Scales as in picus_result_compare. */
static void take_errors(const table_reference *r, cli_trial *t) {
  double largest[PICUS_COLUMN_VELOCITY + 1] = {0};
  for (int k = 0; k < r->table->column_count; k++)
    largest[r->kinds[k]] = fmax(largest[r->kinds[k]], r->errors[k].range);
  for (int k = 0; k < r->table->column_count; k++) {
    picus_column_error *e = &r->errors[k];
    e->scale = fmax(e->range, SMALL_COLUMN * largest[r->kinds[k]]);
    if (e->scale > e->range && e->uniform <= ROUND_OFF * largest[r->kinds[k]]) e->scale = largest[r->kinds[k]];
    cli_trial_take_error(t, r->kinds[k], e);
  }
}

static picus_status compare_columns(picus_context *context, picus_result *result, table_reference *r, cli_trial *t) {
  r->rows = (common_rows){.t_table = find_times(r->table), .table_count = r->table->row_count};
  if (!r->rows.t_table) return picus_fail(context, PICUS_ERROR_ARGUMENT, "'%s' has no column 't' with times", r->path);
  picus_status status = picus_result_values(result, picus_result_find(result, "t"), &r->rows.t);
  r->rows.row_count = (size_t)picus_result_row_count(result);
  r->rows.slack = SAME_TIME * (t->summary.t_end - t->summary.t_start);
  r->kinds = picus_allocate(context, (size_t)r->table->column_count, sizeof *r->kinds);
  r->errors = picus_allocate(context, (size_t)r->table->column_count, sizeof *r->errors);
  if (!status && (!r->kinds || !r->errors)) status = PICUS_ERROR_MEMORY;
  if (!status) status = find_errors(context, result, r);
  if (!status) take_errors(r, t);
  picus_release(context, r->kinds);
  picus_release(context, r->errors);
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
  table_reference r = {.path = path, .chosen = chosen, .table = &table};
  if (!status) status = compare_columns(context, result, &r, t);
  cli_csv_release(context, &table);
  return status;
}
