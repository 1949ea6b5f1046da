/* What a result has beside its columns: switching points, contacts, nodes, the drawing. */
#include "base/internal.h"
#include "base/output_file.h"
#include "result_file/csv_tables.h"
#include "result_file/result_internal.h"
#include "table/description.h"
#include "table/event_table.h"

#include <string.h>

picus_status picus_result_drawing(picus_result *result, const picus_drawing **drawing) {
  picus_status status = PICUS_OK;
  if (!result->has_read_drawing) {
    picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
    status = picus_hdf5_read_drawing(result->context, result->path, result->file, &result->drawing);
    picus_hdf5_quiet_end(quiet);
    status = picus_hdf5_read_status(result->context, result->staged, result->path, status);
    result->has_read_drawing = !status;
  }
  *drawing = result->drawing;
  return status;
}

long picus_result_switching_count(const picus_result *result) { return result->switching_count; }

static picus_status read_switchings(picus_result *result, const void *what, void *switchings) {
  (void)what;
  picus_switching *list = switchings;
  if (result->switching_count == 0) return PICUS_OK;
  picus_status status = picus_hdf5_event_log_read(result->context, result->path, result->file, (int)result->law_count,
                                                  result->switching_count, list);
  for (long k = 0; !status && k < result->switching_count; k++) {
    const picus_stored_law *law = &result->laws[list[k].law];
    list[k].source = law->source;
    list[k].key = law->key;
    list[k].slips = law->source >= 0 ? law->slips : 0;
  }
  return status;
}

picus_status picus_result_switchings(picus_result *result, const picus_switching **switchings) {
  *switchings = NULL;
  if (result->switching_count < 0)
    return picus_fail(result->context, PICUS_ERROR_IO,
                      "'%s' has no event log: an earlier version of Picus wrote it; run the model again", result->path);
  picus_status status = PICUS_OK;
  if (!result->switchings)
    result->switchings = picus_result_load_block(result, read_switchings, "", (size_t)result->switching_count,
                                                 sizeof **switchings, &status);
  *switchings = result->switchings;
  return status;
}

static picus_status check_output(const picus_result *result, const char *path) {
  if (!picus_output_touches(path, result->path)) return PICUS_OK;
  return picus_fail(result->context, PICUS_ERROR_ARGUMENT, "'%s' is the result itself; choose another file", path);
}

picus_status picus_result_export_switchings(picus_result *result, int law, const char *path) {
  const picus_switching *switchings;
  if (law < -1 || law >= picus_result_law_count(result))
    return picus_fail(result->context, PICUS_ERROR_ARGUMENT, "'%s' has no law number %d", result->path, law);
  picus_status status = picus_result_switchings(result, &switchings);
  if (status) return status;
  if ((status = check_output(result, path))) return status;
  return picus_csv_export_switchings(result->context, result, law, result->switching_count, switchings, path);
}

/* --- contacts ----------------------------------------------------------------------------------------------------- */

long picus_result_contact_rows(const picus_result *result) {
  return picus_result_shown_rows(result, result->contact_index.rows);
}

int picus_result_contact_count(const picus_result *result, long shown) {
  const picus_contact_index *index = &result->contact_index;
  const long row = picus_result_file_row(result, shown);
  return row >= 0 && row < index->rows ? (int)(index->first[row + 1] - index->first[row]) : 0;
}

static picus_status read_contacts(picus_result *result, const void *what, void *contacts) {
  return picus_hdf5_contacts_read(result->context, result->path, result->file, (int)result->bodies.count,
                                  *(const picus_contact_range *)what, contacts);
}

static picus_status reserve_contacts(picus_result *result, size_t count) {
  if (count <= result->contact_capacity) return PICUS_OK;
  picus_contact_point *larger = picus_reallocate(result->context, result->contacts, count + count / 4, sizeof *larger);
  if (!larger) return PICUS_ERROR_MEMORY;
  result->contacts = larger;
  result->contact_capacity = count + count / 4;
  return PICUS_OK;
}

/* The contacts of a row, and of later ones as long as they are not many. */
static picus_status load_contacts(picus_result *result, long row) {
  enum { MANY = 32768 };
  const picus_contact_index *index = &result->contact_index;
  long end = row + 1;
  while (end < index->rows && !picus_result_is_thin(result) && index->first[end + 1] - index->first[row] <= MANY) end++;
  const picus_contact_range range = {index->first[row], (size_t)(index->first[end] - index->first[row]), index, row};
  result->contact_row = result->contact_row_end = 0;
  picus_status status = reserve_contacts(result, range.count);
  if (status) return status;
  memset(result->contacts, 0, range.count * sizeof *result->contacts); /* compared as bytes in live files */
  status =
      picus_result_fill_block(result, read_contacts, &range, range.count * sizeof *result->contacts, result->contacts);
  if (status) return status;
  result->contact_row = row;
  result->contact_row_end = end;
  return PICUS_OK;
}

picus_status picus_result_contacts(picus_result *result, long shown, const picus_contact_point **contacts) {
  const long row = picus_result_file_row(result, shown);
  *contacts = NULL;
  if (result->contact_index.rows < 0)
    return picus_fail(result->context, PICUS_ERROR_ARGUMENT,
                      "'%s' has no table of contacts: all contacts of its model are declared and have columns",
                      result->path);
  if (picus_result_contact_count(result, shown) == 0) return PICUS_OK;
  picus_status status = PICUS_OK;
  if (row < result->contact_row || row >= result->contact_row_end) status = load_contacts(result, row);
  if (!status)
    *contacts =
        result->contacts + (result->contact_index.first[row] - result->contact_index.first[result->contact_row]);
  return status;
}

picus_status picus_result_export_contacts(picus_result *result, const char *path) {
  if (result->contact_index.rows < 0) {
    const picus_contact_point *none;
    return picus_result_contacts(result, 0, &none);
  }
  picus_status status = check_output(result, path);
  return status ? status : picus_csv_export_contacts(result->context, result, path);
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

int picus_result_node_table_count(const picus_result *result) { return result->nodes.count; }

picus_node_table picus_result_node_table_at(const picus_result *result, int table) {
  if (table < 0 || table >= result->nodes.count) return (picus_node_table){.name = ""};
  return result->nodes.tables[table].shown;
}

int picus_result_find_node_table(const picus_result *result, const char *name) {
  for (int i = 0; i < result->nodes.count; i++)
    if (strcmp(result->nodes.tables[i].shown.name, name) == 0) return i;
  return -1;
}

long picus_result_node_table_rows(const picus_result *result, int table) {
  if (table < 0 || table >= result->nodes.count) return 0;
  return picus_result_shown_rows(result, result->nodes.tables[table].rows);
}

static picus_status read_nodes(picus_result *result, const void *what, void *values) {
  return picus_hdf5_nodes_read(result->context, result->path, result->file, what, values);
}

picus_status picus_result_node_table_read(picus_result *result, int table, long first, long count,
                                          double *const values[2]) {
  if (table < 0 || table >= result->nodes.count)
    return picus_fail(result->context, PICUS_ERROR_ARGUMENT, "'%s' has no table of nodes number %d", result->path,
                      table);
  const picus_stored_nodes *from = &result->nodes.tables[table];
  const long rows = picus_result_node_table_rows(result, table);
  if (first < 0 || count < 0 || first > rows || count > rows - first)
    return picus_fail(result->context, PICUS_ERROR_ARGUMENT,
                      "rows %ld to %ld of the nodes of '%s' are not in '%s', which has %ld of them", first,
                      first + count - 1, from->shown.name, result->path, rows);
  const size_t width = (size_t)from->shown.node_count * (size_t)from->shown.component_count;
  const long at_once = !picus_result_is_thin(result) ? count : 1;
  picus_status status = PICUS_OK;
  for (int k = 0; k < PICUS_NODE_LISTS; k++)
    for (long row = 0; !status && values[k] && row < count; row += at_once) {
      const picus_node_range range = {from, k, picus_result_file_row(result, first + row), at_once};
      status = picus_result_fill_block(result, read_nodes, &range, (size_t)at_once * width * sizeof(double),
                                       values[k] + (size_t)row * width);
    }
  return status;
}

picus_status picus_result_export_nodes(picus_result *result, int table, const char *path) {
  if (table < 0 || table >= result->nodes.count) return picus_result_node_table_read(result, table, 0, 0, NULL);
  picus_status status = check_output(result, path);
  return status ? status : picus_csv_export_nodes(result->context, result, table, path);
}

picus_status picus_result_export_rows(picus_result *result, const char *path) {
  picus_status status = check_output(result, path);
  return status ? status : picus_csv_export_rows(result->context, result, path);
}
