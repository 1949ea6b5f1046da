/* Changes of switching functions in a result file: in picus/switches the texts of the functions, the number of all
 * changes, and parallel lists of which `sum` has a check sum of each change. They are written at the end of a run. To
 * be called while HDF5 is quiet. */
#include "base/checksums.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "hdf5/read.h"
#include "hdf5/support.h"
#include "result_file/result_internal.h"
#include "result_file/sink_tables.h"
#include "system/internal.h"
#include "table/csv_file.h"

#include <stdio.h>
#include <string.h>

enum { BELOW, EQUAL, ABOVE }; /* forms of a name */
enum { TIME, FUNCTION, SIDE, SUM, LISTS };
static const char *const list_names[LISTS] = {"t", "function", "side", "sum"};

/* Of a change: its numbers, and their check sum. */
static void fill(const switch_change *c, double numbers[LISTS]) {
  numbers[TIME] = c->t;
  numbers[FUNCTION] = c->function;
  numbers[SIDE] = c->side;
  numbers[SUM] = picus_fletcher32(numbers, SUM * sizeof *numbers);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static bool put_texts(picus_context *context, hid_t group, const picus_system *system) {
  const size_t count = (size_t)system->switch_count;
  const char **texts = picus_allocate(context, count, sizeof *texts);
  for (size_t k = 0; texts && k < count; k++) texts[k] = picus_switch_text(system, (int)k);
  const bool done = texts && picus_hdf5_put_texts(context, group, "name", count, texts);
  picus_release(context, texts);
  return done;
}

static bool put_lists(picus_context *context, hid_t group, const switch_log *log) {
  if (log->count == 0) return true;
  double *values = picus_allocate(context, LISTS * log->count, sizeof *values), numbers[LISTS];
  for (size_t k = 0; values && k < log->count; k++) {
    fill(&log->changes[k], numbers);
    for (size_t i = 0; i < LISTS; i++) values[i * log->count + k] = numbers[i];
  }
  bool done = values != NULL;
  for (size_t i = 0; done && i < LISTS; i++)
    done = picus_hdf5_put_numbers(group, list_names[i], log->count, values + i * log->count);
  picus_release(context, values);
  return done;
}

bool picus_hdf5_put_switches(picus_context *context, hid_t file, const switch_log *log) {
  hid_t picus = H5Gopen2(file, "picus", H5P_DEFAULT);
  hid_t group = picus >= 0 ? picus_hdf5_create_group(picus, "switches") : -1;
  const bool done = group >= 0 && put_texts(context, group, log->system) && put_lists(context, group, log) &&
                    picus_hdf5_put_integer(group, "changes", log->all);
  if (group >= 0) H5Gclose(group);
  if (picus >= 0) H5Gclose(picus);
  return done;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static picus_status damaged_switches(const picus_result *result) {
  return picus_fail(result->context, PICUS_ERROR_IO, "the changes of switching functions in '%s' are damaged",
                    result->path);
}

/* "x < 0.5" from "x = 0.5". */
static char *words_of(picus_context *context, const char *function, char sign) {
  char *text = picus_copy_text(context, function), *equals = text ? strstr(text, " = ") : NULL;
  if (equals) equals[1] = sign;
  return text;
}

static picus_status make_words(picus_context *context, const picus_name_list *from, char sign, picus_name_list *list) {
  list->names = picus_allocate(context, from->count + 1, sizeof *list->names);
  if (!list->names) return PICUS_ERROR_MEMORY;
  for (; list->count < from->count; list->count++) {
    list->names[list->count] = words_of(context, from->names[list->count], sign);
    if (!list->names[list->count]) return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

static picus_status read_names(picus_result *result, hid_t group) {
  picus_context *context = result->context;
  picus_name_list *lists = result->switch_names;
  picus_status status = picus_hdf5_read_texts(context, group, "name", &lists[EQUAL]);
  if (!status) status = make_words(context, &lists[EQUAL], '<', &lists[BELOW]);
  return status ? status : make_words(context, &lists[EQUAL], '>', &lists[ABOVE]);
}

/* A change from its numbers, which may be anything. */
static picus_status take(const picus_result *result, const double numbers[LISTS], picus_switch_change *out) {
  const double function = numbers[FUNCTION];
  if (picus_fletcher32(numbers, SUM * sizeof *numbers) != numbers[SUM] || !(function >= 0) ||
      !(function < (double)result->switch_names[EQUAL].count))
    return damaged_switches(result);
  const size_t k = (size_t)function;
  const bool above = numbers[SIDE] > 0;
  *out = (picus_switch_change){.t = numbers[TIME],
                               .function = result->switch_names[EQUAL].names[k],
                               .from = result->switch_names[above ? BELOW : ABOVE].names[k],
                               .to = result->switch_names[above ? ABOVE : BELOW].names[k],
                               .side = above ? 1 : -1};
  return PICUS_OK;
}

static picus_status take_all(picus_result *result, size_t count, double *const lists[LISTS]) {
  picus_status status = PICUS_OK;
  if (count == 0) return PICUS_OK;
  result->switch_changes = picus_allocate(result->context, count, sizeof *result->switch_changes);
  if (!result->switch_changes) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < count && !status; k++) {
    const double numbers[LISTS] = {lists[TIME][k], lists[FUNCTION][k], lists[SIDE][k], lists[SUM][k]};
    status = take(result, numbers, &result->switch_changes[k]);
  }
  result->switch_change_count = (long)count;
  return status;
}

static picus_status read_lists(picus_result *result, hid_t group) {
  double *lists[LISTS] = {NULL};
  size_t counts[LISTS] = {0};
  picus_status status = read_names(result, group);
  for (int i = 0; i < LISTS && !status; i++) {
    status = picus_hdf5_read_numbers(result->context, group, list_names[i], &counts[i], &lists[i]);
    if (!status && counts[i] != counts[0]) status = damaged_switches(result);
  }
  if (!status) status = take_all(result, counts[0], lists);
  for (int i = 0; i < LISTS; i++) picus_release(result->context, lists[i]);
  return status;
}

static void forget(picus_result *result) {
  for (int k = 0; k < 3; k++) picus_names_release(result->context, &result->switch_names[k]);
  picus_release(result->context, result->switch_changes);
  result->switch_changes = NULL;
  result->switch_change_count = 0;
}

static picus_status read_once(picus_result *result) {
  if (result->has_read_switches) return PICUS_OK;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  hid_t group = picus_hdf5_open_group(result->file, "picus/switches");
  picus_status status = group >= 0 ? read_lists(result, group) : PICUS_OK;
  if (group >= 0) H5Oclose(group);
  picus_hdf5_quiet_end(quiet);
  status = picus_hdf5_read_status(result->context, result->staged, result->path, status);
  result->has_read_switches = !status;
  if (status) forget(result);
  return status;
}

picus_status picus_result_switch_changes(picus_result *result, long *count, const picus_switch_change **changes) {
  picus_status status = read_once(result);
  *count = result->switch_change_count;
  *changes = result->switch_changes;
  return status;
}

/* --- CSV ---------------------------------------------------------------------------------------------------------- */

static void put_line(picus_csv_file *csv, const picus_switch_change *c) {
  const char *const texts[] = {c->function, c->from, c->to};
  picus_csv_put_number(csv, c->t);
  picus_csv_end_cell(csv, false);
  for (int i = 0; i < 3; i++) {
    picus_csv_put_text(csv, texts[i]);
    picus_csv_end_cell(csv, i == 2);
  }
}

static picus_status write_all(picus_csv_file *csv, long count, const picus_switch_change *changes) {
  static const char *const titles[] = {"t", "function", "from", "to"};
  size_t line = 0;
  for (long k = 0; k < count; k++) {
    const size_t size = PICUS_DECIMAL_SIZE + 3 * picus_csv_text_size(changes[k].function);
    if (size > line) line = size;
  }
  for (int i = 0; i < 4; i++) line += picus_csv_text_size(titles[i]);
  picus_status status = picus_csv_open(csv, line);
  if (status) return status;
  for (int i = 0; i < 4; i++) {
    picus_csv_put_text(csv, titles[i]);
    picus_csv_end_cell(csv, i == 3);
  }
  status = picus_csv_write(csv, true);
  for (long k = 0; k < count && !status; k++) {
    put_line(csv, &changes[k]);
    if (csv->used >= PICUS_CSV_BLOCK) status = picus_csv_write(csv, false);
  }
  return status ? status : picus_csv_write(csv, false);
}

picus_status picus_result_export_switch_changes(picus_result *result, const char *path) {
  const picus_switch_change *changes;
  long count;
  picus_csv_file *csv;
  picus_status status = picus_result_switch_changes(result, &count, &changes);
  if (!status) status = picus_csv_begin_export(result->context, result->path, path, &csv);
  return status ? status : picus_csv_end_export(csv, write_all(csv, count, changes));
}
