/* The table of contacts in a result file, written and read back; contact_table.h describes its layout. */
#include "table/contact_table.h"
#include "base/internal.h"
#include "hdf5/read.h"
#include "hdf5/support.h"
#include "system/law_set.h"
#include "table/event_table.h"

#include <limits.h>
#include <string.h>

/* --- writing ------------------------------------------------------------------------------------------------------ */

enum {
  LEVEL = 4,     /* of deflate: higher ones cost twice the time for a few per cent */
  LAW_CHUNK = 64 /* few laws in most runs: small files */
};

static hid_t create_list(hid_t group, const char *name, const char *unit, hid_t type, hid_t creation) {
  hsize_t none = 0, unlimited = H5S_UNLIMITED;
  hid_t space = H5Screate_simple(1, &none, &unlimited), access = picus_hdf5_list_access();
  hid_t list = space >= 0 && access >= 0 ? H5Dcreate2(group, name, type, space, H5P_DEFAULT, creation, access) : -1;
  bool done = list >= 0 && (!unit[0] || picus_hdf5_put_attribute(list, "unit", unit));
  if (access >= 0) H5Pclose(access);
  if (space >= 0) H5Sclose(space);
  if (done) return list;
  if (list >= 0) H5Dclose(list);
  return -1;
}

/* Sorted by bytes and compressed, if this HDF5 can compress. */
static hid_t compressed_creation(void) {
  hid_t creation = picus_hdf5_list_creation(PICUS_CONTACT_CHUNK);
  if (creation < 0 || H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) return creation;
  if (H5Pset_fill_time(creation, H5D_FILL_TIME_IFSET) >= 0 && H5Pset_shuffle(creation) >= 0 &&
      H5Pset_deflate(creation, LEVEL) >= 0)
    return creation;
  H5Pclose(creation);
  return -1;
}

static bool create_lists(picus_hdf5_contacts *table, hid_t picus) {
  hid_t group = picus_hdf5_create_group(picus, "contacts");
  hid_t creation = compressed_creation(), plain = picus_hdf5_list_creation(PICUS_COUNT_PIECE);
  bool done = group >= 0 && creation >= 0 && plain >= 0;
  if (done) {
    table->count_list = create_list(group, "count", "", H5T_STD_I32LE, plain);
    table->row_list = create_list(group, "row", "", H5T_STD_I64LE, creation);
    done = table->count_list >= 0 && table->row_list >= 0;
  }
  for (int k = 0; done && k < PICUS_CONTACT_FIELDS; k++) {
    const picus_record_field *field = &picus_contact_fields[k];
    table->lists[k] = create_list(group, field->name, field->unit, picus_hdf5_field_type(field->kind), creation);
    done = table->lists[k] >= 0;
  }
  if (plain >= 0) H5Pclose(plain);
  if (creation >= 0) H5Pclose(creation);
  if (group >= 0) H5Gclose(group);
  return done;
}

static bool create_laws(picus_hdf5_contacts *table, hid_t picus) {
  static const char *const names[PICUS_LAW_LISTS] = {"name", "key", "source", "slips", "rolls"};
  hid_t group = picus_hdf5_create_group(picus, "contact_laws"), creation = picus_hdf5_list_creation(LAW_CHUNK);
  table->name_type = picus_hdf5_text_type(PICUS_LAW_NAME);
  const hid_t types[PICUS_LAW_LISTS] = {table->name_type, H5T_STD_U64LE, H5T_STD_I32LE, H5T_STD_I32LE, H5T_STD_I32LE};
  bool done = group >= 0 && creation >= 0 && table->name_type >= 0;
  for (int k = 0; done && k < PICUS_LAW_LISTS; k++) {
    table->laws[k] = create_list(group, names[k], "", types[k], creation);
    done = table->laws[k] >= 0;
  }
  if (creation >= 0) H5Pclose(creation);
  if (group >= 0) H5Gclose(group);
  return done;
}

static bool write_bodies(picus_context *context, hid_t picus, const picus_system *system) {
  const int count = picus_system_body_count(system);
  if (count == 0) return true;
  hid_t group = picus_hdf5_create_group(picus, "bodies");
  const char **names = picus_allocate(context, (size_t)count, sizeof *names);
  for (int k = 0; names && k < count; k++) names[k] = picus_system_body_name(system, k);
  bool done = group >= 0 && names && picus_hdf5_put_texts(context, group, "name", (size_t)count, names);
  picus_release(context, names);
  if (group >= 0) H5Gclose(group);
  return done;
}

bool picus_hdf5_contacts_create(picus_context *context, hid_t file, const picus_system *system,
                                picus_hdf5_contacts *out) {
  if (!system || !system->appears) return true;
  *out = (picus_hdf5_contacts){.context = context, .is_open = true, .row_list = -1, .count_list = -1, .name_type = -1};
  for (int k = 0; k < PICUS_CONTACT_FIELDS; k++) out->lists[k] = -1;
  for (int k = 0; k < PICUS_LAW_LISTS; k++) out->laws[k] = -1;
  out->waiting = picus_allocate(context, PICUS_CONTACT_CHUNK, sizeof *out->waiting);
  out->waiting_row = picus_allocate(context, PICUS_CONTACT_CHUNK, sizeof *out->waiting_row);
  out->counts = picus_allocate(context, PICUS_COUNT_PIECE, sizeof *out->counts);
  out->values = picus_allocate(context, 1, sizeof *out->values);
  if (!out->waiting || !out->waiting_row || !out->counts || !out->values) return false;
  hid_t picus = H5Gopen2(file, "picus", H5P_DEFAULT);
  bool done = picus >= 0 && create_lists(out, picus) && create_laws(out, picus) && write_bodies(context, picus, system);
  if (picus >= 0) H5Gclose(picus);
  return done;
}

bool picus_hdf5_contacts_close(picus_hdf5_contacts *table) {
  bool done = true;
  if (!table->is_open) return true;
  for (int k = 0; k < PICUS_CONTACT_FIELDS; k++)
    if (table->lists[k] >= 0 && H5Dclose(table->lists[k]) < 0) done = false;
  for (int k = 0; k < PICUS_LAW_LISTS; k++)
    if (table->laws[k] >= 0 && H5Dclose(table->laws[k]) < 0) done = false;
  if (table->row_list >= 0 && H5Dclose(table->row_list) < 0) done = false;
  if (table->count_list >= 0 && H5Dclose(table->count_list) < 0) done = false;
  if (table->name_type >= 0) H5Tclose(table->name_type);
  picus_release(table->context, table->waiting);
  picus_release(table->context, table->waiting_row);
  picus_release(table->context, table->counts);
  picus_release(table->context, table->values);
  *table = (picus_hdf5_contacts){0};
  return done;
}

/* Values to append to lists of one length. */
typedef struct list_end {
  hsize_t first, count, length;
  hid_t memory, target;
} list_end;

static bool open_end(long first, size_t count, list_end *end) {
  *end = (list_end){.first = (hsize_t)first, .count = count, .length = (hsize_t)first + count};
  end->memory = H5Screate_simple(1, &end->count, NULL);
  end->target = H5Screate_simple(1, &end->length, NULL);
  return end->memory >= 0 && end->target >= 0 &&
         H5Sselect_hyperslab(end->target, H5S_SELECT_SET, &end->first, NULL, &end->count, NULL) >= 0;
}
static void close_end(list_end *end) {
  if (end->target >= 0) H5Sclose(end->target);
  if (end->memory >= 0) H5Sclose(end->memory);
}
static bool append(hid_t list, const list_end *end, hid_t type, const void *values) {
  return H5Dset_extent(list, &end->length) >= 0 &&
         H5Dwrite(list, type, end->memory, end->target, H5P_DEFAULT, values) >= 0;
}

static bool append_field(picus_hdf5_contacts *table, int k, const list_end *end) {
  const picus_record_field *field = &picus_contact_fields[k];
  if (field->kind == PICUS_FIELD_KEY) {
    for (size_t i = 0; i < table->waiting_count; i++) table->values->keys[i] = table->waiting[i].key;
    return append(table->lists[k], end, H5T_NATIVE_UINT64, table->values->keys);
  }
  for (size_t i = 0; i < table->waiting_count; i++)
    table->values->numbers[i] = picus_record_value(&table->waiting[i], field);
  return append(table->lists[k], end, H5T_NATIVE_DOUBLE, table->values->numbers);
}

/* The contacts that wait: a full chunk, or at the end of the run the rest. */
static bool write_chunk(picus_hdf5_contacts *table) {
  list_end end;
  if (table->waiting_count == 0) return true;
  bool done = open_end(table->contacts, table->waiting_count, &end);
  done = done && append(table->row_list, &end, H5T_NATIVE_INT64, table->waiting_row);
  for (int k = 0; done && k < PICUS_CONTACT_FIELDS; k++) done = append_field(table, k, &end);
  close_end(&end);
  table->contacts += (long)table->waiting_count;
  table->waiting_count = 0;
  return done;
}

static bool write_counts(picus_hdf5_contacts *table) {
  list_end end;
  if (table->count_count == 0) return true;
  bool done =
      open_end(table->rows, table->count_count, &end) && append(table->count_list, &end, H5T_NATIVE_INT, table->counts);
  close_end(&end);
  table->rows += (long)table->count_count;
  table->count_count = 0;
  return done;
}

bool picus_hdf5_contacts_append(picus_hdf5_contacts *table, const picus_contact_sample *sample) {
  if (!table->is_open) return true;
  for (int i = 0; i < sample->count; i++) {
    table->waiting_row[table->waiting_count] = sample->row;
    table->waiting[table->waiting_count++] = sample->contacts[i];
    if (table->waiting_count < PICUS_CONTACT_CHUNK) continue;
    if (!write_chunk(table)) return false;
    table->complete_rows = sample->row;
  }
  if (table->waiting_count == 0) table->complete_rows = sample->row + 1;
  table->next_row = sample->row + 1;
  table->counts[table->count_count++] = sample->count;
  return table->count_count < PICUS_COUNT_PIECE || write_counts(table);
}

bool picus_hdf5_contacts_flush(picus_hdf5_contacts *table, bool is_end) {
  if (!table->is_open) return true;
  return (!is_end || write_chunk(table)) && write_counts(table);
}

void picus_hdf5_contacts_note_commit(picus_hdf5_contacts *table) {
  const long counted = table->next_row - (long)table->count_count;
  table->safe_rows = counted < table->complete_rows ? counted : table->complete_rows;
}

bool picus_hdf5_contacts_add_law(picus_hdf5_contacts *table, const picus_switching *first) {
  char name[PICUS_LAW_NAME] = ""; /* zeros to its end */
  list_end end;
  if (!table->is_open) return true;
  picus_contact_law_name(first, name);
  const int source = first->source, slips = first->slips, rolls = first->rolls;
  bool done = open_end(table->law_count, 1, &end) &&
              append(table->laws[PICUS_LAW_NAMES], &end, table->name_type, name) &&
              append(table->laws[PICUS_LAW_KEYS], &end, H5T_NATIVE_UINT64, &first->key) &&
              append(table->laws[PICUS_LAW_SOURCES], &end, H5T_NATIVE_INT, &source) &&
              append(table->laws[PICUS_LAW_SLIPS], &end, H5T_NATIVE_INT, &slips) &&
              append(table->laws[PICUS_LAW_ROLLS], &end, H5T_NATIVE_INT, &rolls);
  close_end(&end);
  table->law_count++;
  return done;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* The file may be damaged: every length and index is checked. */

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
