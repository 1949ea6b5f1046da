/* The file of a study as a table: a row for each point, or for each state of its section. */
#include "base/decimal.h"
#include "options/table.h"
#include "study/internal.h"
#include "table/table_file.h"

#include <stdio.h>
#include <string.h>

typedef struct table_column {
  char *name;           /* its own; "last q" if "q" varies as well */
  const double *values; /* of the file, or own */
  double *own;          /* NULL: those of the file */
  picus_axis_kind kind; /* of an axis */
  const char *axis;     /* NULL: it is none */
} table_column;

struct picus_study_table {
  picus_context *context;
  picus_table_content file;
  long rows;
  int column_count;
  table_column *columns;
  size_t capacity;
};

static bool has_column(const picus_study_table *t, const char *name) {
  for (int k = 0; k < t->column_count; k++)
    if (strcmp(t->columns[k].name, name) == 0) return true;
  return false;
}

static picus_status add_column(picus_study_table *t, const char *name, table_column column) {
  char other[256];
  snprintf(other, sizeof other, "last %s", name);
  picus_status status = picus_grow(t->context, &t->columns, (size_t)t->column_count, &t->capacity, sizeof *t->columns);
  if (!status) column.name = picus_copy_text(t->context, has_column(t, name) ? other : name);
  if (status || !column.name) {
    picus_release(t->context, column.own);
    return PICUS_ERROR_MEMORY;
  }
  if (column.own) column.values = column.own;
  t->columns[t->column_count++] = column;
  return PICUS_OK;
}

/* The values of an axis at the points of the states. */
static picus_status spread(const picus_study_table *t, const double *values, size_t count, const double *points,
                           double **out) {
  *out = picus_allocate(t->context, (size_t)t->rows, sizeof **out);
  if (!*out && t->rows > 0) return PICUS_ERROR_MEMORY;
  for (long k = 0; k < t->rows; k++) {
    const double point = points[k];
    (*out)[k] = point >= 0 && point < (double)count ? values[(size_t)point] : 0;
  }
  return PICUS_OK;
}

static picus_status add_points(picus_study_table *t, const double *points) {
  table_column column = {.values = points};
  if (!points) {
    column.own = picus_allocate(t->context, (size_t)t->rows, sizeof *column.own);
    if (!column.own && t->rows > 0) return PICUS_ERROR_MEMORY;
    for (long k = 0; k < t->rows; k++) column.own[k] = (double)k;
  }
  return add_column(t, "point", column);
}

static picus_status add_axes(picus_study_table *t, const double *points) {
  picus_status status = PICUS_OK;
  for (int kind = PICUS_AXIS_PARAMETER; kind <= PICUS_AXIS_OPTION; kind++)
    for (int k = 0; !status && k < t->file.list_count; k++) {
      const picus_table_list *list = &t->file.lists[k];
      table_column column = {.values = list->values, .kind = (picus_axis_kind)kind, .axis = list->name};
      if (strcmp(list->group, picus_study_axis_group((picus_axis_kind)kind)) != 0 || !list->values) continue;
      if (points)
        status = spread(t, list->values, list->count, points, &column.own);
      else if (list->count != (size_t)t->rows)
        continue;
      if (!status) status = add_column(t, list->name, column);
    }
  return status;
}

static picus_status add_group(picus_study_table *t, const char *group) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < t->file.list_count; k++) {
    const picus_table_list *list = &t->file.lists[k];
    const bool is_wanted = strcmp(list->group, group) == 0 && list->values && list->count == (size_t)t->rows;
    if (is_wanted && strcmp(list->name, "point") != 0)
      status = add_column(t, list->name, (table_column){.values = list->values});
  }
  return status;
}

static picus_status fill(picus_study_table *t, const char *path, bool of_section) {
  const picus_table_list *runs = picus_table_find(&t->file, "runs", "status");
  const picus_table_list *states = picus_table_find(&t->file, "section", "point");
  if (of_section && (!states || (states->count > 0 && !states->values)))
    return picus_fail(t->context, PICUS_ERROR_ARGUMENT, "the study '%s' has no section", path);
  if (!of_section && !runs) return picus_fail(t->context, PICUS_ERROR_IO, "'%s' has no points: it is damaged", path);
  t->rows = (long)(of_section ? states->count : runs->count);
  const double *points = of_section ? states->values : NULL;
  picus_status status = add_points(t, points);
  if (!status) status = add_axes(t, points);
  return status ? status : add_group(t, of_section ? "section" : "values");
}

picus_status picus_study_table_open(picus_context *context, const char *path, bool of_section,
                                    picus_study_table **out) {
  *out = NULL;
  picus_study_table *t = picus_allocate(context, 1, sizeof *t);
  if (!t) return PICUS_ERROR_MEMORY;
  t->context = context;
  picus_status status = picus_table_load(context, path, "picus study", &t->file);
  if (!status) status = fill(t, path, of_section);
  if (status)
    picus_study_table_close(t);
  else
    *out = t;
  return status;
}

void picus_study_table_close(picus_study_table *t) {
  if (!t) return;
  for (int k = 0; k < t->column_count; k++) {
    picus_release(t->context, t->columns[k].name);
    picus_release(t->context, t->columns[k].own);
  }
  picus_release(t->context, t->columns);
  picus_table_release(t->context, &t->file);
  picus_release(t->context, t);
}

long picus_study_table_rows(const picus_study_table *t) { return t->rows; }
int picus_study_table_column_count(const picus_study_table *t) { return t->column_count; }
const char *picus_study_table_column(const picus_study_table *t, int column) {
  return column >= 0 && column < t->column_count ? t->columns[column].name : "";
}
const double *picus_study_table_values(const picus_study_table *t, int column) {
  return column >= 0 && column < t->column_count ? t->columns[column].values : NULL;
}

const char *picus_study_table_command(const picus_study_table *t) {
  const char *command = picus_table_text_of(&t->file, "command");
  return command ? command : "";
}

void picus_study_table_word(const picus_study_table *t, int column, size_t size, char *text) {
  const table_column *c = column >= 0 && column < t->column_count ? &t->columns[column] : NULL;
  const int option = c && c->axis && c->kind == PICUS_AXIS_OPTION ? picus_option_find(c->axis) : -1;
  if (size > 0) text[0] = '\0';
  if (!c || !c->axis) return;
  if (c->kind == PICUS_AXIS_OPTION)
    snprintf(text, size, "--%s ", option >= 0 ? picus_option_table[option].flag : c->axis);
  else
    snprintf(text, size, "--%s %s=", c->kind == PICUS_AXIS_START ? "start" : "set", c->axis);
}
