/* A study: its points are run as rollouts, a few thousand at a time, and each run that ends becomes a record of the
 * journal at once. */
#include "options/table.h"
#include "study/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

picus_study_def picus_default_study_def(void) { return (picus_study_def){.samples = 1, .section_last = 100}; }

/* --- creating ----------------------------------------------------------------------------------------------------- */

static int find_name(const char *(*name)(const picus_system *system, int index), const picus_system *system,
                     const char *wanted) {
  const char *is;
  for (int k = 0; (is = name(system, k)) != NULL; k++)
    if (strcmp(is, wanted) == 0) return k;
  return -1;
}

static picus_status check_name(picus_study *study, const study_axis *axis) {
  const picus_system *system = study->system;
  if (axis->kind == PICUS_AXIS_START && find_name(picus_system_q_name, system, axis->name) < 0 &&
      find_name(picus_system_u_name, system, axis->name) < 0)
    return picus_fail(study->context, PICUS_ERROR_NAME, "the model has no coordinate or velocity '%s' to start from",
                      axis->name);
  if (axis->kind == PICUS_AXIS_OPTION && axis->option < 0) {
    const char *nearest = picus_nearest_name(axis->name, picus_option_name_at, NULL);
    return picus_fail(study->context, PICUS_ERROR_NAME, "there is no option '%s'%s%s%s", axis->name,
                      nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
  }
  const bool is_fixed = axis->kind == PICUS_AXIS_OPTION &&
                        (picus_option_takes_text(axis->option) || picus_option_is_early(axis->option) ||
                         axis->option == PICUS_OPTION_sample || axis->option == PICUS_OPTION_every);
  if (is_fixed)
    return picus_fail(study->context, PICUS_ERROR_UNSUPPORTED,
                      "the option '%s' cannot vary in a study; numbers such as dt, rtol and t_end can", axis->name);
  return PICUS_OK;
}

static picus_status check_values(const picus_study *study, int k) {
  const study_axis *axis = &study->axes[k];
  char range[PICUS_RANGE_TEXT];
  for (long i = 0; axis->kind == PICUS_AXIS_OPTION && i < study->count; i++) {
    const double value = study->points[i * study->axis_count + k];
    if (picus_option_allows(axis->option, value)) continue;
    picus_option_range(axis->option, value, range);
    return picus_fail(study->context, PICUS_ERROR_ARGUMENT, "%s must be %s, not %.9g", axis->name, range, value);
  }
  return PICUS_OK;
}

static picus_status copy_axes(picus_study *study, const picus_study_def *def) {
  picus_status status = PICUS_OK;
  study->axes = picus_allocate(study->context, (size_t)def->axis_count, sizeof *study->axes);
  if (!study->axes) return PICUS_ERROR_MEMORY;
  for (; !status && study->axis_count < def->axis_count; study->axis_count++) {
    const picus_study_axis *from = &def->axes[study->axis_count];
    study_axis *axis = &study->axes[study->axis_count];
    *axis = (study_axis){.kind = from->kind, .name = picus_copy_text(study->context, from->name), .option = -1};
    if (!axis->name) return PICUS_ERROR_MEMORY;
    if (axis->kind == PICUS_AXIS_OPTION) axis->option = picus_option_find(axis->name);
    status = check_name(study, axis);
    for (int k = 0; !status && k < study->axis_count; k++)
      if (strcmp(study->axes[k].name, axis->name) == 0)
        status = picus_fail(study->context, PICUS_ERROR_NAME, "'%s' is varied twice", axis->name);
  }
  return status;
}

/* --- the title of its journals ------------------------------------------------------------------------------------ */

static void hash_text(picus_sha256 *hash, const char *text) { picus_sha256_add(hash, text, strlen(text) + 1); }

static void hash_options(picus_sha256 *hash, const picus_sim_options *options) {
  const picus_run_options all = {.sim = *options};
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
    const char *text = picus_option_text(&all, k);
    const double number = text ? 0 : picus_option_number(&all, k);
    hash_text(hash, text ? text : "");
    picus_sha256_add(hash, &number, sizeof number);
  }
}

static void hash_section(picus_sha256 *hash, const study_section *section) {
  const double numbers[] = {(double)section->kind, (double)section->change, section->period, (double)section->last};
  hash_text(hash, section->name ? section->name : "");
  picus_sha256_add(hash, numbers, sizeof numbers);
}

/* All that decides about the rows. */
static void make_title(picus_study *study) {
  picus_sha256 hash;
  picus_sha256_begin(&hash);
  hash_text(&hash, "picus study 1 " PICUS_VERSION);
  hash_text(&hash, picus_model_name(study->model));
  hash_text(&hash, picus_model_source(study->model));
  for (int k = 0; k < picus_model_file_count(study->model); k++) {
    const picus_model_file file = picus_model_file_at(study->model, k);
    hash_text(&hash, file.name);
    picus_sha256_add(&hash, file.bytes, file.size);
  }
  hash_options(&hash, &study->options);
  for (int k = 0; k < study->axis_count; k++) {
    const int kind = (int)study->axes[k].kind;
    picus_sha256_add(&hash, &kind, sizeof kind);
    hash_text(&hash, study->axes[k].name);
  }
  picus_sha256_add(&hash, study->points, (size_t)(study->count * study->axis_count) * sizeof *study->points);
  for (int k = 0; k < study->value_count; k++) hash_text(&hash, study->values[k].name);
  if (study->chain > 1) picus_sha256_add(&hash, &study->chain, sizeof study->chain);
  if (study->section.kind) hash_section(&hash, &study->section);
  picus_sha256_end(&hash, study->title);
}

static picus_status make_rows(picus_study *study) {
  const size_t numbers = (size_t)study->count * (size_t)study->value_count;
  study->rows = picus_allocate(study->context, (size_t)study->count, sizeof *study->rows);
  study->results = picus_allocate(study->context, numbers, sizeof *study->results);
  if (!study->rows || !study->results) return PICUS_ERROR_MEMORY;
  for (long k = 0; k < study->count; k++) study->rows[k].status = PICUS_INTERRUPTED;
  for (size_t k = 0; k < numbers; k++) study->results[k] = NAN;
  return PICUS_OK;
}

/* Runs that continue need the whole state. */
static picus_status check_chain(const picus_study *study) {
  const char *name;
  for (int k = 0; study->chain > 1 && (name = picus_system_q_name(study->system, k)) != NULL; k++)
    if (picus_study_find_last(study, name) < 0)
      return picus_fail(study->context, PICUS_ERROR_UNSUPPORTED,
                        "runs of this model cannot continue each other: '%s' is no column of results", name);
  return PICUS_OK;
}

picus_status picus_study_create(picus_context *context, const picus_study_def *def, picus_study **out) {
  *out = NULL;
  if (!def->model || !def->system || !def->options)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a study needs a model, its system and options");
  picus_study *study = picus_allocate(context, 1, sizeof *study);
  if (!study) return PICUS_ERROR_MEMORY;
  *study = (picus_study){.context = context, .model = def->model, .system = def->system, .options = *def->options};
  study->command = picus_copy_text(context, def->command ? def->command : "");
  picus_status status = study->command ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) status = picus_study_make_points(context, def, &study->count, &study->points);
  if (!status) study->chain = picus_study_chain(def, study->count);
  if (!status) status = copy_axes(study, def);
  for (int k = 0; !status && k < study->axis_count; k++) status = check_values(study, k);
  if (!status) status = picus_study_find_values(study, def);
  if (!status) status = check_chain(study);
  if (!status) status = make_rows(study);
  if (!status) make_title(study);
  if (status)
    picus_study_destroy(study);
  else
    *out = study;
  return status;
}

void picus_study_destroy(picus_study *study) {
  if (!study) return;
  picus_context *context = study->context;
  for (int k = 0; k < study->axis_count; k++) picus_release(context, study->axes[k].name);
  for (long k = 0; study->rows && k < study->count; k++) {
    picus_release(context, study->rows[k].message);
    picus_release(context, study->rows[k].section);
  }
  picus_study_release_values(study);
  picus_study_release_section(study);
  picus_release(context, study->axes);
  picus_release(context, study->command);
  picus_release(context, study->points);
  picus_release(context, study->results);
  picus_release(context, study->rows);
  picus_release(context, study);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

long picus_study_count(const picus_study *study) { return study->count; }
long picus_study_done(const picus_study *study) { return study->done; }
int picus_study_axis_count(const picus_study *study) { return study->axis_count; }
int picus_study_value_count(const picus_study *study) { return study->value_count; }

const char *picus_study_axis_name(const picus_study *study, int axis) {
  return axis >= 0 && axis < study->axis_count ? study->axes[axis].name : "";
}

const char *picus_study_value_name(const picus_study *study, int value) {
  return value >= 0 && value < study->value_count ? study->values[value].name : "";
}

picus_study_row picus_study_row_at(const picus_study *study, long point) {
  if (point < 0 || point >= study->count) return (picus_study_row){.message = ""};
  const study_row *row = &study->rows[point];
  return (picus_study_row){.point = study->points + point * study->axis_count,
                           .is_done = row->is_done,
                           .status = row->status,
                           .message = row->message ? row->message : "",
                           .values = study->results + point * study->value_count,
                           .seconds = row->seconds,
                           .section_count = row->section_count,
                           .section = row->section};
}

int picus_study_section_width(const picus_study *study) { return study->section.width; }
const char *picus_study_section_column(const picus_study *study, int column) {
  return column >= 0 && column < study->section.width ? study->section.columns[column] : "";
}

picus_status picus_study_keep(picus_study *study, long point, const study_row *row, const study_record *record) {
  picus_context *context = study->context;
  const size_t size = (size_t)record->section_count * (size_t)study->section.width;
  char *message = *record->message ? picus_copy_text(context, record->message) : NULL;
  double *section = size ? picus_allocate(context, size, sizeof *section) : NULL;
  if ((*record->message && !message) || (size && !section)) {
    picus_release(context, message);
    picus_release(context, section);
    return PICUS_ERROR_MEMORY;
  }
  if (size) memcpy(section, record->section, size * sizeof *section);
  picus_release(context, study->rows[point].message);
  picus_release(context, study->rows[point].section);
  study->done += !study->rows[point].is_done;
  study->rows[point] = (study_row){true, row->status, row->seconds, message, section, record->section_count};
  memcpy(study->results + point * study->value_count, record->values,
         (size_t)study->value_count * sizeof *record->values);
  return PICUS_OK;
}
