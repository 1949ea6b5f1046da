/* The event log in a result file, written and read back; event_table.h describes its layout. */
#include "table/event_table.h"
#include "base/checksums.h"
#include "base/internal.h"
#include "hdf5/read.h"
#include "hdf5/support.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
  CHUNK = 64, /* most runs have few switching points: small files */
  PIECE = 256
};

hid_t picus_hdf5_field_type(picus_field_kind kind) {
  switch (kind) {
  case PICUS_FIELD_MODE:
    return H5T_STD_I8LE;
  case PICUS_FIELD_LAW:
  case PICUS_FIELD_COUNT:
  case PICUS_FIELD_BODY:
    return H5T_STD_I32LE;
  case PICUS_FIELD_KEY:
    return H5T_STD_U64LE;
  case PICUS_FIELD_NUMBER:
    break;
  }
  return H5T_IEEE_F64LE;
}

static hid_t create_list(hid_t group, const picus_record_field *field, hid_t space, hid_t creation, hid_t access) {
  hid_t list = H5Dcreate2(group, field->name, picus_hdf5_field_type(field->kind), space, H5P_DEFAULT, creation, access);
  if (list >= 0 && (!field->unit[0] || picus_hdf5_put_attribute(list, "unit", field->unit))) return list;
  if (list >= 0) H5Dclose(list);
  return -1;
}

static const char sums_name[] = "sum";

/* Fletcher's check sum of the fields that are in the file, as numbers of 64 bits. */
static uint32_t sum_of(const picus_switching *s, const bool has[PICUS_SWITCHING_FIELDS]) {
  double values[PICUS_SWITCHING_FIELDS];
  size_t count = 0;
  for (int k = 0; k < PICUS_SWITCHING_FIELDS; k++)
    if (has[k]) values[count++] = picus_record_value(s, &picus_switching_fields[k]);
  return picus_fletcher32(values, count * sizeof *values);
}

bool picus_hdf5_event_log_create(picus_hdf5_event_log *log, hid_t file, int slips) {
  *log = (picus_hdf5_event_log){.is_open = true, .sums = -1};
  for (int k = 0; k < PICUS_SWITCHING_FIELDS; k++) log->lists[k] = -1;
  hsize_t none = 0, unlimited = H5S_UNLIMITED;
  hid_t picus = H5Gopen2(file, "picus", H5P_DEFAULT);
  hid_t group = picus >= 0 ? picus_hdf5_create_group(picus, "events") : -1;
  hid_t space = H5Screate_simple(1, &none, &unlimited);
  hid_t creation = picus_hdf5_list_creation(CHUNK), access = picus_hdf5_list_access();
  bool done = group >= 0 && space >= 0 && creation >= 0 && access >= 0;
  for (int k = 0; done && k < PICUS_SWITCHING_FIELDS; k++) {
    if (picus_switching_fields[k].slips > slips) continue;
    log->lists[k] = create_list(group, &picus_switching_fields[k], space, creation, access);
    done = log->lists[k] >= 0;
  }
  if (done) log->sums = H5Dcreate2(group, sums_name, H5T_STD_U32LE, space, H5P_DEFAULT, creation, access);
  done = done && log->sums >= 0;
  if (access >= 0) H5Pclose(access);
  if (creation >= 0) H5Pclose(creation);
  if (space >= 0) H5Sclose(space);
  if (group >= 0) H5Gclose(group);
  if (picus >= 0) H5Gclose(picus);
  return done;
}

bool picus_hdf5_event_log_close(picus_hdf5_event_log *log) {
  bool done = true;
  for (int k = 0; log->is_open && k < PICUS_SWITCHING_FIELDS; k++)
    if (log->lists[k] >= 0 && H5Dclose(log->lists[k]) < 0) done = false;
  if (log->is_open && log->sums >= 0 && H5Dclose(log->sums) < 0) done = false;
  *log = (picus_hdf5_event_log){0};
  return done;
}

/* Appends at most PIECE switching points to the lists. */
static bool append_piece(const picus_hdf5_event_log *log, hsize_t count, const picus_switching *switchings) {
  double piece[PIECE];
  uint32_t sums[PIECE];
  bool has[PICUS_SWITCHING_FIELDS];
  hsize_t first = (hsize_t)log->count, length = first + count;
  hid_t memory = H5Screate_simple(1, &count, NULL), target = H5Screate_simple(1, &length, NULL);
  hid_t transfer = picus_hdf5_small_transfer();
  bool done = memory >= 0 && target >= 0 && transfer >= 0 &&
              H5Sselect_hyperslab(target, H5S_SELECT_SET, &first, NULL, &count, NULL) >= 0;
  for (int k = 0; done && k < PICUS_SWITCHING_FIELDS; k++) {
    if (log->lists[k] < 0) continue;
    for (hsize_t i = 0; i < count; i++) piece[i] = picus_record_value(&switchings[i], &picus_switching_fields[k]);
    done = H5Dset_extent(log->lists[k], &length) >= 0 &&
           H5Dwrite(log->lists[k], H5T_NATIVE_DOUBLE, memory, target, transfer, piece) >= 0;
  }
  for (int k = 0; k < PICUS_SWITCHING_FIELDS; k++) has[k] = log->lists[k] >= 0;
  for (hsize_t i = 0; i < count; i++) sums[i] = sum_of(&switchings[i], has);
  done = done && H5Dset_extent(log->sums, &length) >= 0 &&
         H5Dwrite(log->sums, H5T_NATIVE_UINT32, memory, target, transfer, sums) >= 0;
  if (transfer >= 0) H5Pclose(transfer);
  if (target >= 0) H5Sclose(target);
  if (memory >= 0) H5Sclose(memory);
  return done;
}

bool picus_hdf5_event_log_append(picus_hdf5_event_log *log, long count, const picus_switching *switchings) {
  bool done = log->is_open;
  for (long k = 0; done && k < count; k += PIECE) {
    long piece = count - k < PIECE ? count - k : PIECE;
    done = append_piece(log, (hsize_t)piece, switchings + k);
    log->count += piece;
  }
  return done;
}

/* --- reading ---------------------------------------------------------------------------------------------------- */

static picus_status damaged(picus_context *context, const char *path) {
  return picus_fail(context, PICUS_ERROR_IO, "the event log in '%s' is damaged", path);
}

/* Lists of slip directions, and lists that files of earlier versions lack. */
static bool may_be_missing(const picus_record_field *field) { return field->slips > 0 || field->is_later; }

/* How many switching points all lists of the group have. */
static picus_status measure_lists(picus_context *context, const char *path, hid_t group, bool is_running, long *count) {
  int64_t shortest = INT64_MAX, longest = 0;
  for (int k = -1; k < PICUS_SWITCHING_FIELDS; k++) {
    const picus_record_field *field = k < 0 ? NULL : &picus_switching_fields[k];
    const char *name = field ? field->name : sums_name;
    bool exists = H5Lexists(group, name, H5P_DEFAULT) > 0;
    if (!exists && (!field || may_be_missing(field))) continue;
    hid_t list = exists ? picus_hdf5_open(group, name) : -1;
    bool is_list = picus_hdf5_content_of(list) == PICUS_HDF5_NUMBERS;
    int64_t length = is_list ? picus_hdf5_list_length(list) : -1;
    if (list >= 0) H5Oclose(list);
    if (length < 0 || length > LONG_MAX) return damaged(context, path);
    if (length < shortest) shortest = length;
    if (length > longest) longest = length;
  }
  if (shortest != longest && !is_running) return damaged(context, path);
  *count = (long)shortest;
  return PICUS_OK;
}

picus_status picus_hdf5_event_log_measure(picus_context *context, const char *path, hid_t file, bool is_running,
                                          long *count) {
  *count = -1;
  hid_t group = picus_hdf5_open_group(file, "picus/events");
  if (group < 0) return PICUS_OK;
  picus_status status = measure_lists(context, path, group, is_running, count);
  H5Oclose(group);
  return status;
}

static picus_status read_list(picus_context *context, const char *path, hid_t group, const picus_record_field *field,
                              long count, picus_switching *switchings) {
  size_t length;
  double *values;
  picus_status status = picus_hdf5_read_numbers(context, group, field->name, &length, &values);
  if (status) return status;
  if (length < (size_t)count && !may_be_missing(field)) status = damaged(context, path);
  for (long k = 0; !status && k < count && (size_t)k < length; k++) picus_record_set(&switchings[k], field, values[k]);
  picus_release(context, values);
  return status;
}

/* Files of earlier versions have no sums. */
static picus_status check_sums(picus_context *context, const char *path, hid_t group, long count,
                               const picus_switching *switchings) {
  size_t length;
  double *sums;
  bool has[PICUS_SWITCHING_FIELDS];
  picus_status status = picus_hdf5_read_numbers(context, group, sums_name, &length, &sums);
  for (int k = 0; k < PICUS_SWITCHING_FIELDS; k++)
    has[k] = H5Lexists(group, picus_switching_fields[k].name, H5P_DEFAULT) > 0;
  for (long k = 0; !status && k < count && (size_t)k < length; k++)
    if (sum_of(&switchings[k], has) != (uint32_t)sums[k])
      status = picus_fail(context, PICUS_ERROR_IO,
                          "the event log in '%s' is damaged: switching point %ld does not have its checksum", path, k);
  picus_release(context, sums);
  return status;
}

picus_status picus_hdf5_event_log_read(picus_context *context, const char *path, hid_t file, int law_count, long count,
                                       picus_switching *switchings) {
  hid_t group = picus_hdf5_open_group(file, "picus/events");
  picus_status status = group >= 0 ? PICUS_OK : damaged(context, path);
  for (int k = 0; !status && k < PICUS_SWITCHING_FIELDS; k++)
    status = read_list(context, path, group, &picus_switching_fields[k], count, switchings);
  if (!status) status = check_sums(context, path, group, count, switchings);
  for (long k = 0; !status && k < count; k++)
    if (switchings[k].law < 0 || switchings[k].law >= law_count) status = damaged(context, path);
  if (group >= 0) H5Oclose(group);
  return status;
}
