/* A study beside another one: the orders of convergence along its points, and its values beside those of a file that an
 * earlier study of the same runs has written. */
#include "base/elementary.h"
#include "study/internal.h"
#include "table/table_file.h"

#include <math.h>
#include <string.h>

/* --- convergence -------------------------------------------------------------------------------------------------- */

static const picus_study_order no_order = {-1, NAN, NAN, NAN};

/* The axis whose values change from a point to the next, the others staying as they are; -1: several do. */
static int changing_axis(const picus_study *study, long point) {
  const double *here = study->points + point * study->axis_count, *next = here + study->axis_count;
  int found = -1;
  for (int k = 0; k < study->axis_count; k++) {
    if (here[k] == next[k]) continue;
    if (found >= 0) return -1;
    found = k;
  }
  return found;
}

static double distance(const picus_study *study, long point, int value) {
  const double *here = study->results + point * study->value_count + value;
  return fabs(here[0] - here[study->value_count]);
}

picus_study_order picus_study_order_at(const picus_study *study, long point, int value) {
  if (point < 0 || point + 1 >= study->count || value < 0 || value >= study->value_count) return no_order;
  const int axis = changing_axis(study, point);
  if (axis < 0) return no_order;
  picus_study_order order = {axis, study->points[point * study->axis_count + axis], distance(study, point, value), NAN};
  if (point + 2 >= study->count || changing_axis(study, point + 1) != axis) return order;
  const double *x = study->points + point * study->axis_count + axis;
  const double ratio = x[0] / x[study->axis_count], next = x[study->axis_count] / x[2 * study->axis_count];
  if (ratio > 1 && fabs(ratio - next) < 1e-6 * ratio) /* the differences form a geometric sequence */
    order.order = picus_ln(order.difference / distance(study, point + 1, value)) / picus_ln(ratio);
  return order;
}

/* --- a file of the same runs -------------------------------------------------------------------------------------- */

/* A file of the same runs. */
typedef struct earlier {
  const picus_study *study;
  const char *path;
  picus_table_content content;
} earlier;

/* Numbers are equal bit for bit, or both are none. */
static bool are_same(double a, double b) {
  uint64_t bits_a, bits_b;
  memcpy(&bits_a, &a, sizeof bits_a);
  memcpy(&bits_b, &b, sizeof bits_b);
  return bits_a == bits_b || (isnan(a) && isnan(b));
}

/* ours: the first value here, of rows of so many; of_runs: only those of runs that were made. */
static picus_status check_column(const earlier *e, const picus_table_list *list, const char *name, const double *ours,
                                 int width, bool of_runs) {
  const picus_study *study = e->study;
  if (!list || !list->values || list->count != (size_t)study->count)
    return picus_fail(study->context, PICUS_ERROR_ARGUMENT, "'%s' is of another study: it has no '%s' of %ld points",
                      e->path, name, study->count);
  for (long k = 0; k < study->count; k++)
    if ((!of_runs || study->rows[k].is_done) && !are_same(list->values[k], ours[k * width]))
      return picus_fail(study->context, PICUS_ERROR_ARGUMENT,
                        "'%s' has other values: %s of point %ld is %.17g there and %.17g here", e->path, name, k,
                        list->values[k], ours[k * width]);
  return PICUS_OK;
}

static int find_value(const picus_study *study, const char *name) {
  for (int k = 0; k < study->value_count; k++)
    if (strcmp(study->values[k].name, name) == 0) return k;
  return -1;
}

static picus_status check_values(const earlier *e) {
  const picus_study *study = e->study;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < e->content.list_count; k++) {
    const picus_table_list *list = &e->content.lists[k];
    if (strcmp(list->group, "values") != 0) continue;
    const int value = find_value(study, list->name);
    status = value >= 0 ? check_column(e, list, list->name, study->results + value, study->value_count, true)
                        : picus_fail(study->context, PICUS_ERROR_ARGUMENT,
                                     "'%s' has the values '%s', which this study does not collect: collect them, too",
                                     e->path, list->name);
  }
  return status;
}

picus_status picus_study_check(const picus_study *study, const char *path) {
  earlier e = {.study = study, .path = path};
  picus_status status = picus_table_load(study->context, path, "picus study", &e.content);
  const char *source = status ? NULL : picus_table_text_of(&e.content, "source");
  if (!status && (!source || strcmp(source, picus_model_source(study->model)) != 0))
    status =
        picus_fail(study->context, PICUS_ERROR_ARGUMENT, "'%s' is of another study: its model is another one", path);
  for (int k = 0; !status && k < study->axis_count; k++) {
    const char *name = study->axes[k].name;
    const picus_table_list *list = picus_table_find(&e.content, picus_study_axis_group(study->axes[k].kind), name);
    status = check_column(&e, list, name, study->points + k, study->axis_count, false);
  }
  if (!status) status = check_values(&e);
  picus_table_release(study->context, &e.content);
  return status;
}
