/* Contacts read back from a result file that may be damaged. */
#include "base/internal.h"
#include "hdf5/read.h"
#include "result_file/contact_table.h"

#include <limits.h>
#include <string.h>

static picus_status damaged(picus_context *context, const char *path) {
  return picus_fail(context, PICUS_ERROR_IO, "the table of contacts in '%s' is damaged", path);
}

static hid_t open_list(hid_t group, const char *name) {
  hid_t list = picus_hdf5_open(group, name);
  if (list < 0 || picus_hdf5_content_of(list) == PICUS_HDF5_NUMBERS) return list;
  H5Oclose(list);
  return -1;
}

/* How many contacts all lists have. false: one is missing, or they differ although they must not. */
static bool measure_lists(hid_t group, bool is_partial, int64_t *count) {
  int64_t shortest = INT64_MAX, longest = 0;
  for (int k = -1; k < PICUS_CONTACT_FIELDS; k++) {
    hid_t list = open_list(group, k < 0 ? "row" : picus_contact_fields[k].name);
    int64_t length = list >= 0 ? picus_hdf5_list_length(list) : -1;
    if (list >= 0) H5Oclose(list);
    if (length < 0) return false;
    if (length < shortest) shortest = length;
    if (length > longest) longest = length;
  }
  *count = shortest;
  return is_partial || shortest == longest;
}

static picus_status find_rows(picus_context *context, const char *path, hid_t group, bool is_partial, long rows,
                              picus_contact_index *out) {
  int64_t contacts = 0;
  size_t counted = 0;
  double *counts = NULL;
  if (!measure_lists(group, is_partial, &contacts)) return damaged(context, path);
  picus_status status = picus_hdf5_read_numbers(context, group, "count", &counted, &counts);
  if (!status && !is_partial && counted < (size_t)rows) status = damaged(context, path);
  if ((size_t)rows > counted) rows = (long)counted;
  if (!status) out->first = picus_allocate(context, (size_t)rows + 1, sizeof *out->first);
  if (!status && !out->first) status = PICUS_ERROR_MEMORY;
  long complete = 0;
  for (; !status && complete < rows; complete++) {
    const double count = counts[complete];
    if (!(count >= 0 && count <= INT_MAX)) {
      status = damaged(context, path);
      break;
    }
    const int64_t end = out->first[complete] + (int64_t)count;
    if (end > contacts) break;
    out->first[complete + 1] = end;
  }
  if (!status && !is_partial && complete < rows) status = damaged(context, path);
  out->rows = complete;
  picus_release(context, counts);
  return status;
}

picus_status picus_hdf5_contacts_measure(picus_context *context, const char *path, hid_t file, bool is_partial,
                                         long rows, picus_contact_index *out) {
  *out = (picus_contact_index){.rows = -1};
  hid_t group = picus_hdf5_open_group(file, "picus/contacts");
  if (group < 0) return PICUS_OK;
  picus_status status = find_rows(context, path, group, is_partial, rows, out);
  H5Oclose(group);
  return status;
}

/* Part of a list, 8 bytes each. */
static bool read_part(hid_t group, const char *name, hid_t type, const picus_contact_range *range, void *values) {
  const picus_hdf5_part part = {.rank = 1, .first = {(hsize_t)range->first}, .count = {range->count}};
  hid_t list = open_list(group, name);
  const bool done = list >= 0 && picus_hdf5_list_has(list, range->first + (int64_t)range->count) &&
                    picus_hdf5_read_part(list, type, &part, values, NULL);
  if (list >= 0) H5Oclose(list);
  return done;
}

static bool read_field(hid_t group, const picus_record_field *field, const picus_contact_range *range, void *values,
                       picus_contact_point *contacts) {
  const bool is_key = field->kind == PICUS_FIELD_KEY;
  if (!read_part(group, field->name, is_key ? H5T_NATIVE_UINT64 : H5T_NATIVE_DOUBLE, range, values)) return false;
  for (size_t i = 0; i < range->count; i++)
    if (is_key)
      contacts[i].key = ((const uint64_t *)values)[i];
    else
      picus_record_set(&contacts[i], field, ((const double *)values)[i]);
  return true;
}

/* Counts have no check sum, but the compressed rows of the contacts have. */
static bool are_of_rows(hid_t group, const picus_contact_range *range, int64_t *rows) {
  long row = range->row;
  if (!read_part(group, "row", H5T_NATIVE_INT64, range, rows)) return false;
  for (size_t i = 0; i < range->count; i++) {
    while (row < range->index->rows && range->index->first[row + 1] <= range->first + (int64_t)i) row++;
    if (rows[i] != row) return false;
  }
  return true;
}

picus_status picus_hdf5_contacts_read(picus_context *context, const char *path, hid_t file, int body_count,
                                      picus_contact_range range, picus_contact_point *contacts) {
  hid_t group = picus_hdf5_open_group(file, "picus/contacts");
  double *values = picus_allocate(context, range.count, sizeof *values);
  picus_status status = values ? PICUS_OK : PICUS_ERROR_MEMORY;
  bool done = group >= 0;
  for (int k = 0; !status && done && k < PICUS_CONTACT_FIELDS; k++)
    done = read_field(group, &picus_contact_fields[k], &range, values, contacts);
  if (!status && !done) status = damaged(context, path);
  if (!status && !are_of_rows(group, &range, (int64_t *)(void *)values))
    status = picus_fail(
        context, PICUS_ERROR_IO,
        "the table of contacts in '%s' is damaged: the contacts from row %ld are not at their stated positions", path,
        range.row);
  for (size_t i = 0; !status && i < range.count; i++)
    for (int k = 0; k < 2; k++)
      if (contacts[i].body[k] < 0 || contacts[i].body[k] >= body_count) contacts[i].body[k] = -1;
  picus_release(context, values);
  if (group >= 0) H5Oclose(group);
  return status;
}
