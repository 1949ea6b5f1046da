/* What a study keeps of a run: last values, extrema and means of columns, and totals of the summary. The rows are
 * folded as they come, so that memory does not grow with the length of a run. */
#include "study/internal.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* --- totals ------------------------------------------------------------------------------------------------------- */

typedef struct total {
  const char *name;
  bool is_count;
  size_t offset; /* in picus_summary */
} total;
static const total totals[] = {
    {"steps", true, offsetof(picus_summary, steps)},
    {"contact_steps", true, offsetof(picus_summary, contact_steps)},
    {"impacts", true, offsetof(picus_summary, impacts)},
    {"chatter", true, offsetof(picus_summary, chatter)},
    {"model_events", true, offsetof(picus_summary, model_events)},
    {"iterations", true, offsetof(picus_summary, solver.iterations)},
    {"worst_residual", false, offsetof(picus_summary, solver.worst_residual)},
    {"penetration", false, offsetof(picus_summary, gaps.penetration)},
    {"dissipated", false, offsetof(picus_summary, energy.dissipated)},
    {"driven", false, offsetof(picus_summary, energy.driven)},
    {"work", false, offsetof(picus_summary, energy.work)},
};
enum { TOTALS = sizeof totals / sizeof *totals };

static int find_total(const char *name) {
  for (int k = 0; k < TOTALS; k++)
    if (strcmp(totals[k].name, name) == 0) return k;
  return -1;
}

static double total_of(const picus_summary *summary, int k) {
  const char *place = (const char *)summary + totals[k].offset;
  return totals[k].is_count ? (double)*(const long *)place : *(const double *)place;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static const char *const functions[] = {"", "min", "max", "mean"};

static picus_status add_value(picus_study *study, size_t *capacity, collect_kind kind, const char *column) {
  picus_context *context = study->context;
  const size_t length = strlen(column) + 16;
  if (picus_grow(context, &study->values, (size_t)study->value_count, capacity, sizeof *study->values))
    return PICUS_ERROR_MEMORY;
  collected *value = &study->values[study->value_count];
  *value = (collected){.kind = kind, .column = picus_copy_text(context, column)};
  value->name = picus_allocate(context, length, 1);
  study->value_count++; /* release_values takes it from here on */
  if (!value->column || !value->name) return PICUS_ERROR_MEMORY;
  if (kind == COLLECT_LAST || kind == COLLECT_TOTAL)
    snprintf(value->name, length, "%s", column);
  else
    snprintf(value->name, length, "%s(%s)", functions[kind], column);
  return PICUS_OK;
}

int picus_study_find_last(const picus_study *study, const char *column) {
  for (int k = 0; k < study->value_count; k++)
    if (study->values[k].kind == COLLECT_LAST && strcmp(study->values[k].column, column) == 0) return k;
  return -1;
}

/* Adds all columns that match a pattern; without one, all coordinates and velocities that are not collected yet. */
static picus_status add_columns(picus_study *study, size_t *capacity, collect_kind kind, const char *pattern) {
  const picus_run_description run = {study->model, study->system, &study->options, ""};
  picus_recorder *recorder;
  picus_status status = picus_recorder_create(study->context, &run, &recorder);
  if (!status && pattern) status = picus_recorder_select(recorder, pattern);
  const int count = status ? 0 : picus_recorder_column_count(recorder);
  for (int k = 0; !status && k < count; k++) {
    const picus_column column = picus_recorder_column(recorder, k);
    const bool is_state = column.kind == PICUS_COLUMN_COORDINATE || column.kind == PICUS_COLUMN_VELOCITY;
    const bool is_new = is_state && picus_study_find_last(study, column.name) < 0;
    if (pattern ? column.kind != PICUS_COLUMN_TIME || strcmp(pattern, column.name) == 0 : is_new)
      status = add_value(study, capacity, kind, column.name);
  }
  picus_recorder_destroy(recorder);
  return status;
}

/* "max(y)" into its function and "y". */
static picus_status split(picus_study *study, const char *text, collect_kind *kind, char pattern[256]) {
  const char *open = strchr(text, '('), *close = strrchr(text, ')');
  const size_t length = open ? (size_t)(open - text) : 0;
  *kind = COLLECT_LAST;
  if (!open && strlen(text) < 256) {
    snprintf(pattern, 256, "%s", text);
    return PICUS_OK;
  }
  for (int k = 1; open && close && close[1] == '\0' && close - open < 256 && k < COLLECT_TOTAL; k++) {
    if (strlen(functions[k]) != length || strncmp(functions[k], text, length) != 0) continue;
    *kind = (collect_kind)k;
    snprintf(pattern, 256, "%.*s", (int)(close - open - 1), open + 1);
    return PICUS_OK;
  }
  return picus_fail(study->context, PICUS_ERROR_NAME,
                    "'%.100s' cannot be collected: the functions are min(NAME), max(NAME) and mean(NAME)", text);
}

static picus_status find_one(picus_study *study, size_t *capacity, const char *text) {
  collect_kind kind;
  char pattern[256];
  picus_status status = split(study, text, &kind, pattern);
  if (!status && kind == COLLECT_LAST && find_total(pattern) >= 0)
    return add_value(study, capacity, COLLECT_TOTAL, pattern);
  return status ? status : add_columns(study, capacity, kind, pattern);
}

/* The patterns of the columns that runs record: all that are collected, and those of states at given times. */
static picus_status join_columns(picus_study *study) {
  size_t size = 8, used;
  for (int k = 0; k < study->value_count; k++) size += strlen(study->values[k].column) + 1;
  for (int k = 0; k < study->section.width; k++) size += strlen(study->section.columns[k]) + 1;
  study->columns = picus_allocate(study->context, size, 1);
  if (!study->columns) return PICUS_ERROR_MEMORY;
  used = (size_t)snprintf(study->columns, size, "t");
  for (int k = 0; k < study->value_count; k++)
    if (study->values[k].kind != COLLECT_TOTAL)
      used += (size_t)snprintf(study->columns + used, size - used, " %s", study->values[k].column);
  for (int k = 0; study->section.kind == SECTION_TIMES && k < study->section.width; k++)
    used += (size_t)snprintf(study->columns + used, size - used, " %s", study->section.columns[k]);
  return PICUS_OK;
}

picus_status picus_study_find_values(picus_study *study, const picus_study_def *def) {
  enum { ALL_STEPS = 1000000000 };
  size_t capacity = 0;
  picus_status status = def->collect_count ? PICUS_OK : add_columns(study, &capacity, COLLECT_LAST, NULL);
  for (int k = 0; !status && k < def->collect_count; k++) status = find_one(study, &capacity, def->collect[k]);
  if (!status && def->collect_count && def->continuation) status = add_columns(study, &capacity, COLLECT_LAST, NULL);
  study->options.sample = 0;
  study->options.every = ALL_STEPS; /* the first and the last row */
  for (int k = 0; k < study->value_count; k++)
    if (study->values[k].kind != COLLECT_LAST && study->values[k].kind != COLLECT_TOTAL) study->options.every = 1;
  if (!status) status = picus_study_find_section(study, def);
  return status ? status : join_columns(study);
}

void picus_study_release_values(picus_study *study) {
  for (int k = 0; k < study->value_count; k++) {
    picus_release(study->context, study->values[k].name);
    picus_release(study->context, study->values[k].column);
  }
  picus_release(study->context, study->values);
  picus_release(study->context, study->columns);
}

/* --- folding ------------------------------------------------------------------------------------------------------ */

/* The columns of this run: parameters may have changed their order. */
static picus_status open_fold(void *self, const picus_run_description *run, int column_count,
                              const picus_column *columns) {
  study_fold *fold = self;
  (void)run;
  for (int k = 0; k < fold->study->value_count; k++) {
    const collected *value = &fold->study->values[k];
    fold->columns[k] = -1;
    for (int c = 0; c < column_count && fold->columns[k] < 0; c++)
      if (strcmp(columns[c].name, value->column) == 0) fold->columns[k] = c;
    if (fold->columns[k] < 0 && value->kind != COLLECT_TOTAL)
      return picus_fail(fold->context, PICUS_ERROR_NAME, "the run has no column '%s'", value->column);
  }
  return PICUS_OK;
}

static void fold_row(study_fold *fold, const double *row) {
  const double t = row[0]; /* the time is always the first column */
  for (int k = 0; k < fold->study->value_count; k++) {
    if (fold->study->values[k].kind == COLLECT_TOTAL) continue;
    const double x = row[fold->columns[k]];
    double *value = &fold->values[k];
    switch (fold->study->values[k].kind) {
    case COLLECT_MIN:
      *value = !fold->has_rows || x < *value || isnan(x) ? x : *value;
      break;
    case COLLECT_MAX:
      *value = !fold->has_rows || x > *value || isnan(x) ? x : *value;
      break;
    case COLLECT_MEAN:
      *value = fold->has_rows ? *value + 0.5 * (fold->last[k] + x) * (t - fold->t_last) : 0;
      break;
    default:
      *value = x;
    }
    fold->last[k] = x;
  }
  if (!fold->has_rows) fold->t_first = t;
  fold->t_last = t;
  fold->has_rows = true;
}

static picus_status write_fold(void *self, long row_count, int column_count, const double *rows) {
  for (long i = 0; i < row_count; i++) fold_row(self, rows + i * column_count);
  return PICUS_OK;
}

picus_sink picus_study_fold_sink(study_fold *fold) {
  return (picus_sink){.self = fold, .open = open_fold, .write = write_fold};
}

void picus_study_fold_end(study_fold *fold, const picus_summary *summary) {
  for (int k = 0; k < fold->study->value_count; k++) {
    const collected *value = &fold->study->values[k];
    if (value->kind == COLLECT_TOTAL) fold->values[k] = total_of(summary, find_total(value->column));
    if (value->kind != COLLECT_MEAN) continue;
    fold->values[k] = fold->t_last > fold->t_first ? fold->values[k] / (fold->t_last - fold->t_first) : fold->last[k];
  }
}
