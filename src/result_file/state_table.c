/* States at events in a result file: picus/event_states has the numbers of all entries, one entry after the other, in
 * `values`, a check sum of each in `sum`, what the numbers of an entry are in `column`, and the names of the events of
 * the model in `name`. */
#include "base/checksums.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "hdf5/read.h"
#include "hdf5/support.h"
#include "result_file/result_internal.h"
#include "result_file/sink_tables.h"
#include "system/internal.h"
#include "table/csv_file.h"

#include <limits.h>
#include <string.h>

/* --- writing ------------------------------------------------------------------------------------------------------ */

enum { CHUNK = 1024 };

static uint32_t sum_of(const double *entry, size_t width) { return picus_fletcher32(entry, width * sizeof *entry); }

static bool put_event_names(picus_context *context, hid_t group, const picus_system *system) {
  const size_t count = system->controls ? (size_t)system->controls->event_count : 0;
  if (count == 0) return true;
  const char **names = picus_allocate(context, count, sizeof *names);
  for (size_t k = 0; names && k < count; k++) names[k] = system->controls->events[k].name;
  const bool done = names && picus_hdf5_put_texts(context, group, "name", count, names);
  picus_release(context, names);
  return done;
}

static bool put_column_names(picus_context *context, hid_t group, const picus_system *system) {
  picus_column_list columns = {0};
  bool done = !picus_state_log_columns(context, system, &columns);
  const char **names = picus_allocate(context, columns.count, sizeof *names);
  for (size_t k = 0; names && k < columns.count; k++) names[k] = columns.columns[k].name;
  done = done && names && picus_hdf5_put_texts(context, group, "column", columns.count, names);
  picus_release(context, names);
  picus_columns_release(context, &columns);
  return done;
}

bool picus_hdf5_states_create(picus_context *context, hid_t file, const picus_system *system, picus_hdf5_states *out) {
  hsize_t none = 0, unlimited = H5S_UNLIMITED;
  *out = (picus_hdf5_states){.is_open = true, .values = -1, .sums = -1};
  hid_t picus = H5Gopen2(file, "picus", H5P_DEFAULT);
  hid_t group = picus >= 0 ? picus_hdf5_create_group(picus, "event_states") : -1;
  hid_t space = H5Screate_simple(1, &none, &unlimited);
  hid_t creation = picus_hdf5_list_creation(CHUNK), access = picus_hdf5_list_access();
  bool done = group >= 0 && space >= 0 && creation >= 0 && access >= 0;
  done = done && put_event_names(context, group, system) && put_column_names(context, group, system);
  if (done) out->values = H5Dcreate2(group, "values", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, access);
  if (done) out->sums = H5Dcreate2(group, "sum", H5T_STD_U32LE, space, H5P_DEFAULT, creation, access);
  if (access >= 0) H5Pclose(access);
  if (creation >= 0) H5Pclose(creation);
  if (space >= 0) H5Sclose(space);
  if (group >= 0) H5Gclose(group);
  if (picus >= 0) H5Gclose(picus);
  return done && out->values >= 0 && out->sums >= 0;
}

bool picus_hdf5_states_close(picus_hdf5_states *states) {
  bool done = true;
  if (states->is_open && states->values >= 0) done = H5Dclose(states->values) >= 0;
  if (states->is_open && states->sums >= 0) done = H5Dclose(states->sums) >= 0 && done;
  *states = (picus_hdf5_states){0};
  return done;
}

static bool append(hid_t list, hid_t type, hsize_t first, hsize_t count, const void *values) {
  const hsize_t length = first + count;
  hid_t memory = H5Screate_simple(1, &count, NULL), target = H5Screate_simple(1, &length, NULL);
  hid_t transfer = picus_hdf5_small_transfer();
  const bool done = memory >= 0 && target >= 0 && transfer >= 0 &&
                    H5Sselect_hyperslab(target, H5S_SELECT_SET, &first, NULL, &count, NULL) >= 0 &&
                    H5Dset_extent(list, &length) >= 0 && H5Dwrite(list, type, memory, target, transfer, values) >= 0;
  if (transfer >= 0) H5Pclose(transfer);
  if (target >= 0) H5Sclose(target);
  if (memory >= 0) H5Sclose(memory);
  return done;
}

bool picus_hdf5_states_append(picus_hdf5_states *states, size_t count, size_t width, const double *entries) {
  enum { PIECE = 256 };
  uint32_t sums[PIECE];
  bool done = true;
  for (size_t k = 0, n; done && k < count; k += n, states->count += n) {
    n = count - k < PIECE ? count - k : PIECE;
    const double *piece = entries + k * width;
    for (size_t i = 0; i < n; i++) sums[i] = sum_of(piece + i * width, width);
    done = append(states->values, H5T_NATIVE_DOUBLE, states->count * width, n * width, piece) &&
           append(states->sums, H5T_NATIVE_UINT32, states->count, n, sums);
  }
  return done;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static picus_status damaged(const picus_result *result) {
  return picus_fail(result->context, PICUS_ERROR_IO, "the states at events in '%s' are damaged", result->path);
}

/* Numbers of a file may be anything. */
static bool is_index(double x, double count) { return x >= -1 && x < count && x == (double)(long)x; }

static picus_status take(picus_result *result, const double *entries, const double *sums) {
  stored_states *s = &result->states;
  const double points = result->switching_count > 0 ? (double)result->switching_count : 0;
  for (size_t k = 0; k < s->count; k++) {
    const double *entry = entries + k * s->width;
    const double event = entry[STATE_EVENT], switching = entry[STATE_SWITCHING];
    if (sum_of(entry, s->width) != (uint32_t)sums[k] || !is_index(event, (double)s->events.count) ||
        !is_index(switching, points) || (event < 0) == (switching < 0))
      return damaged(result);
    s->list[k] = (picus_state_at_event){.t = entry[STATE_TIME],
                                        .event = event < 0 ? NULL : s->events.names[(size_t)event],
                                        .switching = (long)switching,
                                        .values = entry + STATE_TIME};
  }
  return PICUS_OK;
}

/* While a run writes, and after it was killed, one of the lists may be longer. */
static picus_status read_states(picus_result *result, hid_t group) {
  picus_context *context = result->context;
  stored_states *s = &result->states;
  double *sums = NULL;
  size_t numbers = 0, sum_count = 0;
  picus_status status = picus_hdf5_read_texts(context, group, "name", &s->events);
  if (!status) status = picus_hdf5_read_texts(context, group, "column", &s->columns);
  if (!status) status = picus_hdf5_read_numbers(context, group, "values", &numbers, &s->entries);
  if (!status) status = picus_hdf5_read_numbers(context, group, "sum", &sum_count, &sums);
  s->width = s->columns.count;
  const bool is_whole = strcmp(picus_result_text(result, "status"), "running") != 0 && !result->is_cut;
  if (!status && (s->width <= STATE_TIME || s->width > INT_MAX / 2 ||
                  (is_whole && (numbers % s->width != 0 || numbers / s->width != sum_count))))
    status = damaged(result);
  if (!status) s->count = numbers / s->width < sum_count ? numbers / s->width : sum_count;
  if (!status && s->count > 0) {
    s->list = picus_allocate(context, s->count, sizeof *s->list);
    status = s->list ? take(result, s->entries, sums) : PICUS_ERROR_MEMORY;
  }
  picus_release(context, sums);
  return status;
}

void picus_result_release_states(picus_result *result) {
  stored_states *s = &result->states;
  picus_names_release(result->context, &s->events);
  picus_names_release(result->context, &s->columns);
  picus_release(result->context, s->entries);
  picus_release(result->context, s->list);
  *s = (stored_states){0};
}

static picus_status read_once(picus_result *result) {
  if (result->states.is_read) return PICUS_OK;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  hid_t group = picus_hdf5_open_group(result->file, "picus/event_states");
  picus_status status = group >= 0 ? read_states(result, group) : PICUS_OK;
  if (group >= 0) H5Oclose(group);
  picus_hdf5_quiet_end(quiet);
  status = picus_hdf5_read_status(result->context, result->staged, result->path, status);
  if (status) picus_result_release_states(result);
  result->states.is_read = !status;
  return status;
}

const double *picus_result_state_entry(const picus_result *result, long index) {
  return result->states.entries + (size_t)index * result->states.width;
}

picus_status picus_result_event_states(picus_result *result, picus_event_states *out) {
  picus_status status = read_once(result);
  const stored_states *s = &result->states;
  *out = (picus_event_states){0};
  if (!status && s->count > 0)
    *out = (picus_event_states){.count = (long)s->count,
                                .column_count = (int)s->width - STATE_TIME,
                                .columns = (const char *const *)s->columns.names + STATE_TIME,
                                .states = s->list};
  return status;
}

/* --- CSV ---------------------------------------------------------------------------------------------------------- */

static const char *name_of(const picus_result *result, const picus_state_at_event *s) {
  if (s->event) return s->event;
  return picus_result_law_at(result, result->switchings[s->switching].law).name;
}

static void put_line(picus_csv_file *csv, const picus_result *result, const picus_event_states *all,
                     const picus_state_at_event *s) {
  picus_csv_put_text(csv, name_of(result, s));
  picus_csv_end_cell(csv, false);
  if (s->switching >= 0) picus_csv_put_number(csv, (double)s->switching);
  for (int i = 0; i < all->column_count; i++) {
    picus_csv_end_cell(csv, false);
    picus_csv_put_number(csv, s->values[i]);
  }
  picus_csv_end_cell(csv, true);
}

static size_t longest_line(const picus_result *result, const picus_event_states *all) {
  size_t name = picus_csv_text_size("event"), titles = name + picus_csv_text_size("switching");
  for (long k = 0; k < all->count; k++) {
    const size_t size = picus_csv_text_size(name_of(result, &all->states[k]));
    if (size > name) name = size;
  }
  for (int i = 0; i < all->column_count; i++) titles += picus_csv_text_size(all->columns[i]);
  const size_t line = name + ((size_t)all->column_count + 1) * (PICUS_DECIMAL_SIZE + 1);
  return line > titles ? line : titles;
}

static bool is_of(const picus_result *result, const picus_state_at_event *s, int law) {
  return law < 0 || (s->switching >= 0 && result->switchings[s->switching].law == law);
}

static picus_status write_all(picus_csv_file *csv, const picus_result *result, const picus_event_states *all, int law) {
  picus_status status = picus_csv_open(csv, longest_line(result, all));
  if (status) return status;
  picus_csv_put_text(csv, "event");
  picus_csv_end_cell(csv, false);
  picus_csv_put_text(csv, "switching");
  for (int i = 0; i < all->column_count; i++) {
    picus_csv_end_cell(csv, false);
    picus_csv_put_text(csv, all->columns[i]);
  }
  picus_csv_end_cell(csv, true);
  status = picus_csv_write(csv, true);
  for (long k = 0; k < all->count && !status; k++) {
    if (is_of(result, &all->states[k], law)) put_line(csv, result, all, &all->states[k]);
    if (csv->used >= PICUS_CSV_BLOCK) status = picus_csv_write(csv, false);
  }
  return status ? status : picus_csv_write(csv, false);
}

picus_status picus_result_export_event_states(picus_result *result, int law, const char *path) {
  picus_event_states all;
  const picus_switching *points; /* for the names of their laws */
  picus_csv_file *csv;
  if (law < -1 || law >= picus_result_law_count(result))
    return picus_fail(result->context, PICUS_ERROR_ARGUMENT, "'%s' has no law number %d", result->path, law);
  picus_status status = picus_result_event_states(result, &all);
  if (!status && all.count > 0) status = picus_result_switchings(result, &points);
  if (!status) status = picus_csv_begin_export(result->context, result->path, path, &csv);
  return status ? status : picus_csv_end_export(csv, write_all(csv, result, &all, law));
}
