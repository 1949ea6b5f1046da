/* Comparison of a motion with a reference: errors of columns at common times, and at times in between if the reference
 * is dense enough. Two result files are compared if they belong together. Percussions depend on the step size: they are
 * compared as mean forces between common times. */
#include "base/internal.h"
#include "reference/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- motions ------------------------------------------------------------------------------------------------------ */

enum { STENCIL = 6 };                    /* samples of the reference around a time between two of them */
static const double SMALL_COLUMN = 1e-6; /* a column's scale is at least this part of the largest range of its group */
static const double ROUND_OFF = 1e-12;   /* errors of smaller columns, relative to that range, that mean nothing */

typedef struct pair {
  int of, reference;  /* columns */
  bool is_continuous; /* also at impacts */
  bool is_percussion; /* compared as mean force */
  picus_column_error *error;
} pair;

typedef struct comparing {
  picus_context *context;
  const trajectory *of, *reference;
  const double *t_of, *t_reference;
  switching_match match;
  pair *pairs;
  int pair_count;
  double interpolate;
  double same_time; /* s, times that differ by round-off only */
  picus_comparison *result;
} comparing;

/* --- which columns ------------------------------------------------------------------------------------------------ */

static bool is_wanted(picus_column_kind kind, compared_kind wanted) {
  switch (kind) {
  case PICUS_COLUMN_COORDINATE:
  case PICUS_COLUMN_VELOCITY:
    return true;
  case PICUS_COLUMN_GAP:
  case PICUS_COLUMN_LAW_VELOCITY:
  case PICUS_COLUMN_ENERGY:
  case PICUS_COLUMN_OBSERVABLE:
    return wanted == COMPARE_MOTION;
  case PICUS_COLUMN_TIME:
  case PICUS_COLUMN_INPUT:      /* given, not computed */
  case PICUS_COLUMN_PERCUSSION: /* these belong to a step; percussions can be named */
  case PICUS_COLUMN_FORCE:
  case PICUS_COLUMN_IMPULSE:
  case PICUS_COLUMN_MODE:
  case PICUS_COLUMN_STEP:
  case PICUS_COLUMN_WORK: /* beside the motion */
    return false;
  }
  return false;
}

/* The unit of a percussion over a time. */
static const char *unit_of_force(const char *unit) {
  if (strcmp(unit, "N s") == 0) return "N";
  return strcmp(unit, "N m s") == 0 ? "N m" : "";
}

static void add_pair(comparing *c, int of, int reference) {
  const picus_column column = c->reference->columns[reference];
  const bool is_percussion = column.kind == PICUS_COLUMN_PERCUSSION;
  picus_column_error *error = (picus_column_error *)&c->result->columns[c->pair_count];
  *error = (picus_column_error){
      .name = column.name, .unit = is_percussion ? unit_of_force(column.unit) : column.unit, .t_worst = NAN};
  c->pairs[c->pair_count++] =
      (pair){.of = of,
             .reference = reference,
             .is_continuous = column.kind == PICUS_COLUMN_COORDINATE || column.kind == PICUS_COLUMN_GAP,
             .is_percussion = is_percussion,
             .error = error};
}

static picus_status add_named(comparing *c, const char *name) {
  int of = picus_trajectory_find(c->of, name), reference = picus_trajectory_find(c->reference, name);
  if (of < 0 || reference < 0)
    return picus_fail(c->context, PICUS_ERROR_NAME, "the %s has no column '%s'", of < 0 ? "result" : "reference", name);
  picus_column_kind kind = c->reference->columns[reference].kind;
  if (kind != PICUS_COLUMN_PERCUSSION && !is_wanted(kind, COMPARE_MOTION))
    return picus_fail(c->context, PICUS_ERROR_NAME,
                      "'%s' %s and cannot be compared; use coordinates, velocities, gaps, percussions, energies or "
                      "observed values",
                      name,
                      kind == PICUS_COLUMN_TIME    ? "is the time"
                      : kind == PICUS_COLUMN_INPUT ? "is an input"
                                                   : "belongs to the steps of a run");
  add_pair(c, of, reference);
  return PICUS_OK;
}

static picus_status choose_pairs(comparing *c, compared_columns wanted) {
  picus_status status = PICUS_OK;
  for (int k = 0; wanted.names && !status && k < wanted.name_count; k++) status = add_named(c, wanted.names[k]);
  for (int k = 0; !wanted.names && k < c->reference->column_count; k++) {
    int of = picus_trajectory_find_near(c->of, c->reference->columns[k].name, k);
    if (of >= 0 && is_wanted(c->reference->columns[k].kind, wanted.kind)) add_pair(c, of, k);
  }
  if (!status && c->pair_count == 0)
    status = picus_fail(c->context, PICUS_ERROR_NAME, "the two results have no common column to compare");
  return status;
}

/* --- values of the reference -------------------------------------------------------------------------------------- */

/* The polynomial through count samples (Neville). */
static double polynomial(const double *x, const double *y, int count, double at) {
  double p[STENCIL] = {0};
  for (int k = 0; k < count; k++) p[k] = y[k];
  for (int level = 1; level < count; level++)
    for (int k = 0; k < count - level; k++)
      p[k] = ((at - x[k + level]) * p[k] + (x[k] - at) * p[k + 1]) / (x[k] - x[k + level]);
  return p[0];
}

/* The start of the stencil around t, between the samples next - 1 and next; -1: it contains a switching point, or there
 * are not enough samples. */
static long stencil_at(const comparing *c, long next) {
  long first = next - STENCIL / 2;
  if (first < 0) first = 0;
  if (first + STENCIL > c->reference->row_count) first = c->reference->row_count - STENCIL;
  if (first < 0) return -1;
  return picus_windows_hold(&c->match, c->t_reference[first], c->t_reference[first + STENCIL - 1]) ? -1 : first;
}

/* The value from all samples of the stencil, if it differs from the value without the outer two by less than the
 * allowed error: an upper bound of its own error while the samples are dense enough. */
static bool interpolate(const comparing *c, const pair *p, long first, double t, double *value) {
  const double *x = c->t_reference + first, *y = c->reference->values[p->reference] + first;
  *value = polynomial(x, y, STENCIL, t);
  double error = fabs(*value - polynomial(x + 1, y + 1, STENCIL - 2, t));
  return error <= c->interpolate * p->error->range;
}

/* --- errors ------------------------------------------------------------------------------------------------------- */

/* A row of the result that is compared with the reference between its rows next - 1 and next, or at next. */
typedef struct compared_row {
  long row, next;
  bool is_common, is_left_out; /* left out: the reference is not dense enough */
  bool at_switching;           /* velocities jump at times that differ: positions and gaps only */
} compared_row;

typedef struct row_list {
  compared_row *rows;
  long count, interpolated;
} row_list;

static void list_rows(const comparing *c, row_list *list) {
  long next = 0, count = c->reference->row_count;
  for (long i = 0; i < c->of->row_count; i++) {
    const double t = c->t_of[i];
    while (next < count && c->t_reference[next] < t - c->same_time) next++;
    if (next >= count) break;
    const bool is_common = c->t_reference[next] <= t + c->same_time;
    /* between rows of the reference its switching points must be known: those of all laws */
    const bool can_interpolate = next > 0 && c->interpolate > 0 && c->match.is_known;
    if (!is_common && (!can_interpolate || stencil_at(c, next) < 0)) continue;
    list->interpolated += !is_common;
    list->rows[list->count++] = (compared_row){
        .row = i, .next = next, .is_common = is_common, .at_switching = picus_windows_hold(&c->match, t, t)};
  }
}

static picus_status load_reference(const comparing *c, const pair *p) {
  double low = INFINITY, high = -INFINITY;
  picus_status status = picus_trajectory_load(c->context, c->reference, p->reference);
  for (long i = 0; !status && i < c->reference->row_count; i++) {
    low = fmin(low, c->reference->values[p->reference][i]);
    high = fmax(high, c->reference->values[p->reference][i]);
  }
  p->error->range = high >= low ? high - low : 0;
  return status;
}

/* A row between those of the reference needs all columns. */
static picus_status leave_out(const comparing *c, row_list *list) {
  picus_status status = PICUS_OK;
  double ignored;
  for (int k = 0; !status && list->interpolated > 0 && k < c->pair_count; k++) {
    const pair *p = &c->pairs[k];
    if (p->is_percussion) continue;
    status = load_reference(c, p);
    for (long i = 0; !status && i < list->count; i++) {
      compared_row *r = &list->rows[i];
      if (!r->is_common && !r->is_left_out)
        r->is_left_out = !interpolate(c, p, stencil_at(c, r->next), c->t_of[r->row], &ignored);
    }
    picus_trajectory_unload(c->context, c->reference, p->reference);
  }
  return status;
}

static void add_error(picus_column_error *sums, double t, double dt, double error) {
  sums->l1 += fabs(error) * dt;
  sums->l2 += error * error * dt;
  if (fabs(error) > sums->uniform || isnan(error) || isnan(sums->t_worst)) {
    sums->uniform = fabs(error);
    sums->t_worst = t;
  }
}

static void add_errors(const comparing *c, const pair *p, const row_list *list) {
  double t_last = NAN;
  for (long i = 0; i < list->count; i++) {
    const compared_row *r = &list->rows[i];
    if (r->is_left_out) continue;
    const double t = c->t_of[r->row], dt = isnan(t_last) ? 0 : t - t_last;
    double value;
    t_last = t;
    if (r->at_switching && !p->is_continuous) continue;
    if (r->is_common)
      value = c->reference->values[p->reference][r->next];
    else
      interpolate(c, p, stencil_at(c, r->next), t, &value);
    add_error(p->error, t, dt, c->of->values[p->of][r->row] - value);
  }
  p->error->l2 = sqrt(p->error->l2);
}

/* The sum of rows after `first` up to `last`: a percussion contains the steps since the row before. */
static double sum_of_rows(const double *values, long first, long last) {
  double sum = 0;
  for (long i = first + 1; i <= last; i++) sum += values[i];
  return sum;
}

/* Mean forces between common rows. */
static void add_force_errors(const comparing *c, const pair *p, const row_list *list) {
  const double *of = c->of->values[p->of], *reference = c->reference->values[p->reference];
  const compared_row *last = NULL;
  double low = INFINITY, high = -INFINITY;
  for (long i = 0; i < list->count; i++) {
    const compared_row *r = &list->rows[i], *begin = last;
    if (!r->is_common) continue;
    last = r;
    if (!begin || r->at_switching) continue;
    const double t = c->t_of[r->row], dt = t - c->t_of[begin->row];
    const double force = sum_of_rows(reference, begin->next, r->next) / dt;
    low = fmin(low, force);
    high = fmax(high, force);
    add_error(p->error, t, dt, sum_of_rows(of, begin->row, r->row) / dt - force);
  }
  if (isnan(p->error->t_worst)) p->error->uniform = p->error->l1 = p->error->l2 = NAN; /* no common rows */
  p->error->range = high >= low ? high - low : 0;
  p->error->l2 = sqrt(p->error->l2);
}

/* Column by column: only one of each result is in memory. */
static picus_status compare_columns(const comparing *c, const row_list *list) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < c->pair_count; k++) {
    const pair *p = &c->pairs[k];
    status = load_reference(c, p);
    if (!status) status = picus_trajectory_load(c->context, c->of, p->of);
    if (!status && p->is_percussion) add_force_errors(c, p, list);
    if (!status && !p->is_percussion) add_errors(c, p, list);
    picus_trajectory_unload(c->context, c->reference, p->reference);
    picus_trajectory_unload(c->context, c->of, p->of);
  }
  return status;
}

/* Columns that share a scale: lengths and angles, their rates, energies; observed values have nothing in common. */
typedef enum scale_group { POSITIONS, RATES, ENERGIES, SCALE_GROUPS, ALONE = SCALE_GROUPS } scale_group;

static scale_group group_of(const comparing *c, const pair *p) {
  switch (c->reference->columns[p->reference].kind) {
  case PICUS_COLUMN_COORDINATE:
  case PICUS_COLUMN_GAP:
    return POSITIONS;
  case PICUS_COLUMN_VELOCITY:
  case PICUS_COLUMN_LAW_VELOCITY:
    return RATES;
  case PICUS_COLUMN_ENERGY:
    return ENERGIES;
  default:
    return ALONE;
  }
}

/* A column that is 0 except for round-off has no significant digits: its scale is a small part of the largest range of
 * its group, or that range itself if its error is round-off of values of this size. */
static void find_scales(const comparing *c) {
  double largest[SCALE_GROUPS + 1] = {0};
  for (int k = 0; k < c->pair_count; k++) {
    double *of_group = &largest[group_of(c, &c->pairs[k])];
    *of_group = fmax(*of_group, c->pairs[k].error->range);
  }
  largest[ALONE] = 0;
  for (int k = 0; k < c->pair_count; k++) {
    picus_column_error *error = c->pairs[k].error;
    const double of_group = largest[group_of(c, &c->pairs[k])];
    error->scale = fmax(error->range, SMALL_COLUMN * of_group);
    if (error->scale > error->range && error->uniform <= ROUND_OFF * of_group) error->scale = of_group;
  }
}

static picus_status compare_rows(comparing *c) {
  row_list list = {.rows = picus_allocate(c->context, (size_t)c->of->row_count, sizeof *list.rows)};
  if (!list.rows) return PICUS_ERROR_MEMORY;
  list_rows(c, &list);
  picus_status status = leave_out(c, &list);
  if (!status) status = compare_columns(c, &list);
  if (!status) find_scales(c);
  for (long i = 0; i < list.count; i++) {
    const compared_row *r = &list.rows[i];
    if (r->is_left_out) continue;
    c->result->common += r->is_common;
    c->result->interpolated += !r->is_common;
    c->result->at_switching += r->at_switching;
  }
  picus_release(c->context, list.rows);
  if (status || c->result->common + c->result->interpolated > 0) return status;
  return picus_fail(c->context, PICUS_ERROR_ARGUMENT,
                    "the two results have no common time; record both with the same --sample");
}

static picus_status prepare(comparing *c, compared_columns wanted) {
  size_t most = (size_t)(wanted.names ? wanted.name_count : c->reference->column_count);
  c->result = picus_allocate(c->context, 1, sizeof *c->result);
  c->pairs = picus_allocate(c->context, most, sizeof *c->pairs);
  if (!c->result || !c->pairs) return PICUS_ERROR_MEMORY;
  c->result->columns = picus_allocate(c->context, most, sizeof *c->result->columns);
  if (!c->result->columns) return PICUS_ERROR_MEMORY;
  if (c->of->row_count == 0 || c->reference->row_count == 0)
    return picus_fail(c->context, PICUS_ERROR_ARGUMENT, "the %s has no rows",
                      c->of->row_count == 0 ? "result" : "reference");
  c->t_of = c->of->values[0];
  c->t_reference = c->reference->values[0];
  double t_most = fmax(fabs(c->t_reference[0]), fabs(c->t_reference[c->reference->row_count - 1]));
  c->same_time = 64 * DBL_EPSILON * t_most;
  c->result->rows = c->of->row_count;
  c->result->accuracy = c->result->asked = NAN;
  return choose_pairs(c, wanted);
}

picus_status picus_trajectories_compare(picus_context *context, const trajectory *of, const trajectory *reference,
                                        compared_columns columns, double interpolated, picus_comparison **out) {
  comparing c = {.context = context, .of = of, .reference = reference, .interpolate = interpolated};
  picus_status status = prepare(&c, columns);
  if (!status) status = picus_match_switchings(context, of, reference, &c.match);
  if (!status) status = compare_rows(&c);
  if (c.result) {
    c.result->column_count = c.pair_count;
    c.result->law_count = c.match.law_count;
    c.result->laws = c.match.laws;
    c.match.laws = NULL;
  }
  picus_switching_match_release(context, &c.match);
  picus_release(context, c.pairs);
  if (status) {
    picus_comparison_destroy(context, c.result);
    c.result = NULL;
  }
  *out = c.result;
  return status;
}

void picus_comparison_destroy(picus_context *context, picus_comparison *comparison) {
  if (!comparison) return;
  picus_release(context, (void *)comparison->columns);
  picus_release(context, (void *)comparison->laws);
  picus_release(context, comparison);
}

/* --- result files ------------------------------------------------------------------------------------------------- */

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
