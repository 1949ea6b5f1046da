/* The results of a study as CSV and HDF5: all points in their order, nothing that differs from run to run. */
#include "base/decimal.h"
#include "base/output_file.h"
#include "study/internal.h"
#include "table/table_file.h"

#include <stdio.h>
#include <string.h>

/* --- CSV ---------------------------------------------------------------------------------------------------------- */

/* A growing text. */
typedef struct text {
  picus_context *context;
  char *bytes;
  size_t size, capacity;
  bool failed;
} text;

static void add(text *to, const char *bytes, size_t size) {
  if (to->failed) return;
  if (to->size + size > to->capacity) {
    const size_t capacity = 2 * (to->size + size) + 4096;
    char *larger = picus_reallocate(to->context, to->bytes, capacity, 1);
    to->failed = larger == NULL;
    if (to->failed) return;
    to->bytes = larger;
    to->capacity = capacity;
  }
  memcpy(to->bytes + to->size, bytes, size);
  to->size += size;
}

/* In quotes if it has signs of CSV. */
static void add_text(text *to, const char *word) {
  if (!strpbrk(word, ",\"\n\r")) {
    add(to, word, strlen(word));
    return;
  }
  add(to, "\"", 1);
  for (; *word; word++) {
    if (*word == '"') add(to, "\"", 1);
    add(to, word, 1);
  }
  add(to, "\"", 1);
}

static void add_numbers(text *to, const picus_decimal_powers *powers, const double *values, int count) {
  for (int k = 0; k < count; k++) {
    char number[PICUS_DECIMAL_SIZE];
    add(to, ",", 1);
    add(to, number, (size_t)(picus_decimal_write(powers, values[k], number) - number));
  }
}

static void add_row(text *to, const picus_decimal_powers *powers, const picus_study *study, long k) {
  char number[32];
  add(to, number, (size_t)snprintf(number, sizeof number, "%ld", k));
  add_numbers(to, powers, study->points + k * study->axis_count, study->axis_count);
  add_numbers(to, powers, study->results + k * study->value_count, study->value_count);
  add(to, ",", 1);
  add_text(to, picus_status_name(study->rows[k].status));
  add(to, ",", 1);
  if (study->rows[k].message) add_text(to, study->rows[k].message);
  add(to, "\n", 1);
}

static void add_head(text *to, const picus_study *study) {
  add_text(to, "point");
  for (int k = 0; k < study->axis_count; k++) {
    add(to, ",", 1);
    add_text(to, study->axes[k].name);
  }
}

/* A line for each point. */
static void add_points(text *to, const picus_decimal_powers *powers, const picus_study *study) {
  add_head(to, study);
  for (int k = 0; k < study->value_count; k++) {
    add(to, ",", 1);
    add_text(to, study->values[k].name);
  }
  add(to, ",status,message\n", strlen(",status,message\n"));
  for (long k = 0; k < study->count; k++) add_row(to, powers, study, k);
}

/* A line for each state of the section. */
static void add_states(text *to, const picus_decimal_powers *powers, const picus_study *study) {
  const int width = study->section.width;
  add_head(to, study);
  for (int k = 0; k < width; k++) {
    add(to, ",", 1);
    add_text(to, study->section.columns[k]);
  }
  add(to, "\n", 1);
  for (long k = 0; k < study->count; k++)
    for (long i = 0; i < study->rows[k].section_count; i++) {
      char number[32];
      add(to, number, (size_t)snprintf(number, sizeof number, "%ld", k));
      add_numbers(to, powers, study->points + k * study->axis_count, study->axis_count);
      add_numbers(to, powers, study->rows[k].section + i * width, width);
      add(to, "\n", 1);
    }
}

static picus_status write_csv(const picus_study *study, const char *path,
                              void (*fill)(text *to, const picus_decimal_powers *powers, const picus_study *study)) {
  picus_decimal_powers *powers = picus_allocate(study->context, 1, sizeof *powers);
  text all = {.context = study->context};
  if (!powers) return PICUS_ERROR_MEMORY;
  picus_decimal_prepare(powers);
  fill(&all, powers, study);
  const picus_status status =
      all.failed ? PICUS_ERROR_MEMORY : picus_output_save(study->context, path, all.bytes, all.size);
  picus_release(study->context, all.bytes);
  picus_release(study->context, powers);
  return status;
}

picus_status picus_study_write_csv(const picus_study *study, const char *path) {
  return write_csv(study, path, add_points);
}

picus_status picus_study_write_section_csv(const picus_study *study, const char *path) {
  if (!study->section.kind)
    return picus_fail(study->context, PICUS_ERROR_ARGUMENT, "the study has no section; name one in its definition");
  return write_csv(study, path, add_states);
}

/* --- HDF5 --------------------------------------------------------------------------------------------------------- */

/* The column `k` of a table by rows. */
static void take_column(const double *table, int width, int k, long count, double *to) {
  for (long i = 0; i < count; i++) to[i] = table[i * width + k];
}

const char *picus_study_axis_group(picus_axis_kind kind) {
  static const char *const groups[] = {"parameters", "start", "options"};
  return groups[kind];
}

static int list_axes(const picus_study *study, picus_table_list *lists, double *numbers) {
  int count = 0;
  for (int kind = PICUS_AXIS_PARAMETER; kind <= PICUS_AXIS_OPTION; kind++)
    for (int k = 0; k < study->axis_count; k++) {
      if ((int)study->axes[k].kind != kind) continue;
      double *to = numbers + count * study->count;
      take_column(study->points, study->axis_count, k, study->count, to);
      lists[count++] = (picus_table_list){picus_study_axis_group((picus_axis_kind)kind), study->axes[k].name,
                                          (size_t)study->count, to, NULL};
    }
  return count;
}

static int list_values(const picus_study *study, picus_table_list *lists, double *numbers) {
  for (int k = 0; k < study->value_count; k++) {
    double *to = numbers + k * study->count;
    take_column(study->results, study->value_count, k, study->count, to);
    lists[k] = (picus_table_list){"values", study->values[k].name, (size_t)study->count, to, NULL};
  }
  return study->value_count;
}

static size_t count_states(const picus_study *study) {
  size_t count = 0;
  for (long k = 0; k < study->count; k++) count += (size_t)study->rows[k].section_count;
  return count;
}

/* The states of all points, one after the other, and the point of each. */
static int list_section(const picus_study *study, size_t states, picus_table_list *lists, double *numbers) {
  const int width = study->section.width;
  size_t at = 0;
  for (long k = 0; k < study->count; k++)
    for (long i = 0; i < study->rows[k].section_count; i++, at++) {
      numbers[at] = (double)k;
      for (int c = 0; c < width; c++) numbers[(size_t)(c + 1) * states + at] = study->rows[k].section[i * width + c];
    }
  lists[0] = (picus_table_list){"section", "point", states, numbers, NULL};
  for (int c = 0; c < width; c++)
    lists[c + 1] =
        (picus_table_list){"section", study->section.columns[c], states, numbers + (size_t)(c + 1) * states, NULL};
  return width + 1;
}

/* Axes, values, states at sections, and how each run ended, as lists of one file. */
picus_status picus_study_write_hdf5(const picus_study *study, const char *path) {
  picus_context *context = study->context;
  const size_t count = (size_t)study->count, width = (size_t)study->axis_count + (size_t)study->value_count;
  const size_t states = count_states(study), columns = study->section.kind ? (size_t)study->section.width + 1 : 0;
  picus_table_list *lists = picus_allocate(context, width + columns + 2, sizeof *lists);
  double *numbers = picus_allocate(context, width * count + columns * states, sizeof *numbers);
  const char **texts = picus_allocate(context, 2 * count, sizeof *texts);
  picus_status status = lists && numbers && texts ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    int used = list_axes(study, lists, numbers);
    used += list_values(study, lists + used, numbers + used * study->count);
    if (columns) used += list_section(study, states, lists + used, numbers + width * count);
    for (size_t k = 0; k < count; k++) {
      texts[k] = picus_status_name(study->rows[k].status);
      texts[count + k] = study->rows[k].message ? study->rows[k].message : "";
    }
    lists[used++] = (picus_table_list){"runs", "status", count, NULL, texts};
    lists[used++] = (picus_table_list){"runs", "message", count, NULL, texts + count};
    const picus_table_text about[] = {{"format", "picus study 1"},
                                      {"version", PICUS_VERSION},
                                      {"model", picus_model_name(study->model)},
                                      {"source", picus_model_source(study->model)},
                                      {"command", study->command}};
    status = picus_table_save(
        context, path,
        &(picus_table_content){
            .list_count = used, .lists = lists, .text_count = (int)(sizeof about / sizeof *about), .texts = about});
  }
  picus_release(context, lists);
  picus_release(context, numbers);
  picus_release(context, texts);
  return status;
}
