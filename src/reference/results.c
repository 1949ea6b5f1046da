/* Two result files: whether they belong together, and their comparison. */
#include "base/internal.h"
#include "reference/internal.h"

#include <math.h>
#include <string.h>

static picus_status check_model(picus_context *context, const picus_result *result, const picus_result *reference) {
  const char *name = picus_result_text(result, "model.name"), *other = picus_result_text(reference, "model.name");
  if (strcmp(name, other) != 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "the result belongs to the model '%s', the reference to '%s'; compare results of the same model",
                      name, other);
  if (strcmp(picus_result_text(result, "model.source"), picus_result_text(reference, "model.source")) != 0)
    picus_log(context, PICUS_LOG_WARNING,
              "the model '%s' was changed between the two runs; run both with the same text to compare schemes", name);
  return PICUS_OK;
}

static picus_status check_parameters(picus_context *context, const picus_result *result,
                                     const picus_result *reference) {
  static const char prefix[] = "parameters.";
  const char *key;
  bool is_text;
  for (int k = 0; (key = picus_result_key(reference, k, &is_text)); k++) {
    if (is_text || strncmp(key, prefix, sizeof prefix - 1) != 0) continue;
    double is = picus_result_number(result, key), should = picus_result_number(reference, key);
    if (is == should) continue;
    const char *name = key + sizeof prefix - 1;
    if (isnan(is))
      return picus_fail(context, PICUS_ERROR_ARGUMENT,
                        "the parameter '%s' exists only in the reference: the model was changed between the two runs",
                        name);
    return picus_fail(
        context, PICUS_ERROR_ARGUMENT,
        "the parameter '%s' is %.9g in the result and %.9g in the reference; compare results with the same parameters",
        name, is, should);
  }
  return PICUS_OK;
}

/* The laws of the system, without contacts that come and go: these differ from run to run. */
static int own_laws(const picus_result *result) {
  int count = 0;
  while (count < picus_result_law_count(result) && picus_result_law_at(result, count).source < 0) count++;
  return count;
}

static picus_status check_laws(picus_context *context, const picus_result *result, const picus_result *reference) {
  const int count = own_laws(reference);
  bool same = own_laws(result) == count;
  for (int k = 0; same && k < count; k++)
    same = strcmp(picus_result_law_at(result, k).name, picus_result_law_at(reference, k).name) == 0;
  return same ? PICUS_OK
              : picus_fail(context, PICUS_ERROR_ARGUMENT,
                           "the two results have different laws: the model was changed between the two runs; repeat "
                           "one of them");
}

static picus_status check_times(picus_context *context, const trajectory *of, const trajectory *reference) {
  if (of->row_count == 0 || reference->row_count == 0) return PICUS_OK; /* reported later */
  double begin = of->values[0][0], other = reference->values[0][0];
  if (begin == other) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "the result starts at t = %.9g s, the reference at %.9g s; compare results with the same t_start",
                    begin, other);
}

static picus_status check_states(picus_context *context, const trajectory *of, const trajectory *reference) {
  for (int k = 0; k < reference->column_count; k++) {
    picus_column_kind kind = reference->columns[k].kind;
    if (kind != PICUS_COLUMN_COORDINATE && kind != PICUS_COLUMN_VELOCITY) continue;
    if (picus_trajectory_find_near(of, reference->columns[k].name, k) < 0)
      return picus_fail(context, PICUS_ERROR_ARGUMENT,
                        "the column '%s' exists only in the reference: the model was changed between the two runs, or "
                        "other columns were recorded; name those to compare",
                        reference->columns[k].name);
  }
  return PICUS_OK;
}

picus_status picus_result_compare(picus_context *context, picus_result *result, picus_result *reference,
                                  int column_count, const char *const *columns, picus_comparison **out) {
  enum { DEFAULT_DIGITS = 9 }; /* of values in between if the accuracy of the reference is unknown */
  trajectory of = {0}, other = {0};
  *out = NULL;
  if (column_count < 0) return picus_fail(context, PICUS_ERROR_ARGUMENT, "%d columns cannot be compared", column_count);
  picus_status status = check_model(context, result, reference);
  if (!status) status = check_parameters(context, result, reference);
  if (!status) status = picus_trajectory_of_result(context, result, &of);
  if (!status) status = picus_trajectory_of_result(context, reference, &other);
  if (!status) status = check_laws(context, result, reference);
  if (!status && column_count == 0) status = check_states(context, &of, &other);
  if (!status) status = check_times(context, &of, &other);
  double accuracy = picus_result_number(reference, "reference.accuracy");
  double interpolate = isfinite(accuracy) ? accuracy : pow(10, -DEFAULT_DIGITS);
  const compared_columns compared = {COMPARE_MOTION, column_count, columns};
  if (!status) status = picus_trajectories_compare(context, &of, &other, compared, interpolate, out);
  if (!status) (*out)->accuracy = accuracy;
  if (!status && picus_result_number(reference, "reference.reached") == 0)
    (*out)->asked = picus_result_number(reference, "reference.asked");
  picus_trajectory_release(context, &of);
  picus_trajectory_release(context, &other);
  return status;
}
