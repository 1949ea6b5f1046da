/* Results read back: columns at the root of the file, texts and numbers under /picus. */
#define _POSIX_C_SOURCE 200809L
#include "base/archive.h"
#include "base/internal.h"
#include "base/name_index.h"
#include "base/output_file.h"
#include "base/readable.h"
#include "hdf5/read.h"
#include "hdf5/support.h"
#include "record/internal.h"
#include "result_file/column_table.h"
#include "result_file/contact_table.h"
#include "result_file/csv_contacts.h"
#include "result_file/csv_nodes.h"
#include "result_file/csv_rows.h"
#include "result_file/csv_switchings.h"
#include "result_file/description.h"
#include "result_file/drawing.h"
#include "result_file/event_log.h"
#include "result_file/node_table.h"
#include "result_file/row_sums.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TRIES = 50 }; /* of reading a file that changes meanwhile */

/* A text or number under its key. */
typedef struct entry {
  char *key;
  char *text; /* NULL: a number */
  double number;
} entry;

typedef struct panel {
  char *x;
  picus_name_list y;
} panel;

typedef struct result_law {
  char *name, *kind;
  int slips;
  int source; /* -1: a law of the system */
  uint64_t key;
} result_law;

struct picus_result {
  picus_context *context;
  char *path;
  picus_staged_file *staged;
  hid_t file;
  bool is_live; /* a run writes to it */
  picus_column_list columns;
  picus_name_index column_names;
  picus_stored_columns table; /* of many columns */
  double **values;            /* one for each column; NULL: not loaded yet */
  long rows;
  entry *entries;
  size_t entry_count, entry_capacity;
  panel *panels;
  size_t panel_count, panel_capacity;
  result_law *laws;
  size_t law_count, law_capacity;
  long switching_count;        /* -1: no event log */
  picus_switching *switchings; /* NULL: not loaded yet */
  picus_contact_index contact_index;
  picus_name_list bodies;
  picus_contact_point *contacts; /* of some rows: opening and uncompressing lists for each row would take too long */
  size_t contact_capacity;
  long contact_row, contact_row_end; /* these rows */
  picus_node_index nodes;
  bool has_read_sums;
  picus_stored_sums sums;
  bool has_read_drawing;
  picus_drawing *drawing; /* NULL: none, or not read yet */
};

static void release(picus_result *result) {
  picus_context *context = result->context;
  if (result->file >= 0) H5Fclose(result->file);
  picus_staged_close(result->staged);
  for (size_t k = 0; result->values && k < result->columns.count; k++) picus_release(context, result->values[k]);
  picus_release(context, result->values);
  picus_name_index_release(context, &result->column_names);
  picus_columns_release(context, &result->columns);
  for (size_t k = 0; k < result->entry_count; k++) {
    picus_release(context, result->entries[k].key);
    picus_release(context, result->entries[k].text);
  }
  picus_release(context, result->entries);
  for (size_t k = 0; k < result->panel_count; k++) {
    picus_release(context, result->panels[k].x);
    picus_names_release(context, &result->panels[k].y);
  }
  picus_release(context, result->panels);
  for (size_t k = 0; k < result->law_count; k++) {
    picus_release(context, result->laws[k].name);
    picus_release(context, result->laws[k].kind);
  }
  picus_release(context, result->laws);
  picus_release(context, result->switchings);
  picus_release(context, result->contact_index.first);
  picus_names_release(context, &result->bodies);
  picus_release(context, result->contacts);
  picus_node_index_release(context, &result->nodes);
  picus_release(context, result->sums.rows);
  picus_drawing_destroy(result->drawing);
  picus_release(context, result->path);
  picus_release(context, result);
}

/* "a.b.c" of three parts, of which any may be NULL. */
static char *join_key(picus_context *context, const char *a, const char *b, const char *c) {
  const char *parts[3] = {a, b, c};
  size_t size = 1;
  for (int k = 0; k < 3; k++) size += parts[k] ? strlen(parts[k]) + 1 : 0;
  char *key = picus_allocate(context, size, 1), *to = key;
  for (int k = 0; key && k < 3; k++)
    if (parts[k]) to += snprintf(to, size - (size_t)(to - key), to == key ? "%s" : ".%s", parts[k]);
  return key;
}

/* Takes key and text over, also on failure. */
static picus_status add_entry(picus_result *result, char *key, char *text, double number) {
  picus_context *context = result->context;
  picus_status status = key ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status)
    status =
        picus_grow(context, &result->entries, result->entry_count, &result->entry_capacity, sizeof *result->entries);
  if (status) {
    picus_release(context, key);
    picus_release(context, text);
    return status;
  }
  result->entries[result->entry_count++] = (entry){key, text, number};
  return PICUS_OK;
}

static picus_status read_scalar(picus_result *result, const char *group, const char *name, hid_t object) {
  picus_hdf5_content content = picus_hdf5_content_of(object);
  char *text = NULL;
  double number = NAN;
  picus_status status = PICUS_OK;
  if (content == PICUS_HDF5_TEXT) status = picus_hdf5_read_text(result->context, object, &text);
  bool found = text || (content == PICUS_HDF5_NUMBER && picus_hdf5_read_number(object, &number));
  if (status || !found) return status;
  return add_entry(result, join_key(result->context, group, name, NULL), text, number);
}

static picus_status read_group(picus_result *result, const char *name, hid_t group) {
  picus_name_list names = {0};
  picus_status status = picus_hdf5_list(result->context, result->path, group, &names);
  for (size_t k = 0; !status && k < names.count; k++) {
    hid_t object = H5Oopen(group, names.names[k], H5P_DEFAULT);
    status = read_scalar(result, name, names.names[k], object);
    if (object >= 0) H5Oclose(object);
  }
  picus_names_release(result->context, &names);
  return status;
}

/* slips: of a file that may be damaged. */
static picus_status add_law(picus_result *result, const char *name, const char *kind, double slips) {
  picus_context *context = result->context;
  picus_status status =
      picus_grow(context, &result->laws, result->law_count, &result->law_capacity, sizeof *result->laws);
  if (status) return status;
  result_law *law = &result->laws[result->law_count++];
  *law = (result_law){.name = picus_copy_text(context, name),
                      .kind = picus_copy_text(context, kind),
                      .slips = slips >= 0 && slips <= 3 ? (int)slips : 0,
                      .source = -1};
  return law->name && law->kind ? PICUS_OK : PICUS_ERROR_MEMORY;
}

/* The table of laws becomes keys laws.NAME.kind, laws.NAME.mu, ... */
static picus_status read_laws(picus_result *result, hid_t group) {
  enum { SLIPS = 4, NUMBERS = 5 };
  static const char *const titles[NUMBERS] = {"mu", "reservoir", "eN", "eF", "slips"};
  picus_context *context = result->context;
  picus_name_list names = {0}, kinds = {0};
  double *numbers[NUMBERS] = {NULL};
  size_t counts[NUMBERS] = {0};
  picus_status status = picus_hdf5_read_texts(context, group, "name", &names);
  if (!status) status = picus_hdf5_read_texts(context, group, "kind", &kinds);
  for (int i = 0; !status && i < NUMBERS; i++)
    status = picus_hdf5_read_numbers(context, group, titles[i], &counts[i], &numbers[i]);
  for (size_t k = 0; !status && k < names.count; k++) {
    status = add_law(result, names.names[k], k < kinds.count ? kinds.names[k] : "",
                     k < counts[SLIPS] ? numbers[SLIPS][k] : 0);
    if (!status && k < kinds.count) {
      status = add_entry(result, join_key(context, "laws", names.names[k], "kind"), kinds.names[k], NAN);
      kinds.names[k] = NULL; /* taken over */
    }
    for (int i = 0; !status && i < NUMBERS; i++)
      if (k < counts[i])
        status = add_entry(result, join_key(context, "laws", names.names[k], titles[i]), NULL, numbers[i][k]);
  }
  for (int i = 0; i < NUMBERS; i++) picus_release(context, numbers[i]);
  picus_names_release(context, &kinds);
  picus_names_release(context, &names);
  return status;
}

static picus_status read_panel(picus_result *result, hid_t group) {
  picus_context *context = result->context;
  picus_status status =
      picus_grow(context, &result->panels, result->panel_count, &result->panel_capacity, sizeof *result->panels);
  if (status) return status;
  panel *p = &result->panels[result->panel_count];
  *p = (panel){0};
  hid_t x = H5Lexists(group, "x", H5P_DEFAULT) > 0 ? H5Oopen(group, "x", H5P_DEFAULT) : -1;
  if (picus_hdf5_content_of(x) == PICUS_HDF5_TEXT) status = picus_hdf5_read_text(context, x, &p->x);
  if (x >= 0) H5Oclose(x);
  if (status || !p->x) return status;
  result->panel_count++;
  return picus_hdf5_read_texts(context, group, "y", &p->y);
}

static picus_status read_panels(picus_result *result, hid_t group) {
  picus_name_list names = {0};
  picus_status status = picus_hdf5_list(result->context, result->path, group, &names);
  for (size_t k = 0; !status && k < names.count; k++) {
    hid_t object = H5Oopen(group, names.names[k], H5P_DEFAULT);
    if (picus_hdf5_content_of(object) == PICUS_HDF5_GROUP) status = read_panel(result, object);
    if (object >= 0) H5Oclose(object);
  }
  picus_names_release(result->context, &names);
  return status;
}

static picus_status read_description(picus_result *result, hid_t picus) {
  picus_name_list names = {0};
  picus_status status = picus_hdf5_list(result->context, result->path, picus, &names);
  for (size_t k = 0; !status && k < names.count; k++) {
    const char *name = names.names[k];
    hid_t object = H5Oopen(picus, name, H5P_DEFAULT);
    if (picus_hdf5_content_of(object) != PICUS_HDF5_GROUP)
      status = read_scalar(result, NULL, name, object);
    else if (strcmp(name, "laws") == 0)
      status = read_laws(result, object);
    else if (strcmp(name, "plots") == 0)
      status = read_panels(result, object);
    else if (strcmp(name, "table") != 0)
      status = read_group(result, name, object);
    if (object >= 0) H5Oclose(object);
  }
  picus_names_release(result->context, &names);
  return status;
}

/* The laws that come and go and have switching points: they follow those of the system. */
static picus_status read_contact_laws(picus_result *result) {
  picus_context *context = result->context;
  picus_name_list names = {0};
  double *slips = NULL, *sources = NULL, *rolls = NULL;
  uint64_t *keys = NULL;
  size_t slip_count = 0, source_count = 0, key_count = 0, roll_count = 0;
  hid_t group = picus_hdf5_open_group(result->file, "picus/contact_laws");
  if (group < 0) return PICUS_OK;
  picus_status status = picus_hdf5_read_texts(context, group, "name", &names);
  if (!status) status = picus_hdf5_read_numbers(context, group, "slips", &slip_count, &slips);
  if (!status) status = picus_hdf5_read_numbers(context, group, "source", &source_count, &sources);
  if (!status) status = picus_hdf5_read_numbers(context, group, "rolls", &roll_count, &rolls);
  if (!status) status = picus_hdf5_read_keys(context, group, "key", &key_count, &keys);
  size_t count = names.count < slip_count ? names.count : slip_count;
  if (source_count < count) count = source_count;
  if (key_count < count) count = key_count;
  if (roll_count < count) count = roll_count;
  for (size_t k = 0; !status && k < count; k++) {
    status = add_law(result, names.names[k],
                     rolls[k] > 0   ? "rolling"
                     : slips[k] > 0 ? "coulomb"
                                    : "unilateral",
                     slips[k]);
    if (status) break;
    result_law *law = &result->laws[result->law_count - 1];
    law->source = sources[k] >= 0 && sources[k] <= INT_MAX ? (int)sources[k] : 0;
    law->key = keys[k];
  }
  picus_release(context, keys);
  picus_release(context, rolls);
  picus_release(context, sources);
  picus_release(context, slips);
  picus_names_release(context, &names);
  H5Oclose(group);
  return status;
}

static picus_status read_bodies(picus_result *result) {
  hid_t group = picus_hdf5_open_group(result->file, "picus/bodies");
  if (group < 0) return PICUS_OK;
  picus_status status = picus_hdf5_read_texts(result->context, group, "name", &result->bodies);
  H5Oclose(group);
  return status;
}

/* Contacts of a run that died, or whose disk was full, may end before its rows; nodes may be in two places. */
static picus_status read_tables(picus_result *result) {
  const char *text = picus_result_text(result, "status");
  const bool is_partial = strcmp(text, "done") != 0 && strcmp(text, "interrupted") != 0;
  picus_status status = read_contact_laws(result);
  if (!status) status = read_bodies(result);
  if (!status)
    status = picus_hdf5_contacts_measure(result->context, result->path, result->file, is_partial, result->rows,
                                         &result->contact_index);
  if (!status)
    status =
        picus_hdf5_nodes_measure(result->context, result->path, result->file, is_partial, result->rows, &result->nodes);
  return status;
}

/* The lengths of the columns that were met. */
typedef struct lengths {
  int64_t shortest, longest;
} lengths;

static void note_length(int64_t length, lengths *seen) {
  if (length < seen->shortest) seen->shortest = length;
  if (length > seen->longest) seen->longest = length;
}

static picus_status measure_column(picus_result *result, const char *name, lengths *seen) {
  hid_t object = H5Lexists(result->file, name, H5P_DEFAULT) > 0 ? H5Oopen(result->file, name, H5P_DEFAULT) : -1;
  bool is_column = picus_hdf5_content_of(object) == PICUS_HDF5_NUMBERS;
  int64_t length = is_column ? picus_hdf5_list_length(object) : -1;
  if (object >= 0) H5Oclose(object);
  if (!is_column)
    return picus_fail(result->context, PICUS_ERROR_IO, "column '%s' of '%s' is missing or is not a list of numbers",
                      name, result->path);
  if (length < 0 || length > LONG_MAX)
    return picus_fail(result->context, PICUS_ERROR_IO,
                      "column '%s' of '%s' declares more rows than the file contains: the file is damaged", name,
                      result->path);
  note_length(length, seen);
  return PICUS_OK;
}

static const char *text_at(const picus_name_list *list, size_t k) { return k < list->count ? list->names[k] : NULL; }

static bool is_in_table(const picus_result *result, size_t column) {
  const picus_stored_columns *t = &result->table;
  return column >= (size_t)t->first && column - (size_t)t->first < (size_t)t->width;
}

/* The list of columns under /picus, each with its dataset at the root or a place in the table. */
static picus_status read_table(picus_result *result, hid_t table, lengths *seen) {
  enum { NAME, UNIT, LABEL, KIND, LISTS };
  static const char *const titles[LISTS] = {"name", "unit", "label", "kind"};
  picus_context *context = result->context;
  picus_name_list lists[LISTS] = {{0}};
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < LISTS; i++) status = picus_hdf5_read_texts(context, table, titles[i], &lists[i]);
  if (!status)
    status = picus_hdf5_columns_measure(context, result->path, result->file, lists[NAME].count, &result->table);
  if (!status && result->table.width > 0) note_length(result->table.rows, seen);
  for (size_t k = 0; !status && k < lists[NAME].count; k++) {
    const char *name = lists[NAME].names[k], *kind = text_at(&lists[KIND], k);
    if (!is_in_table(result, k)) status = measure_column(result, name, seen);
    if (!status)
      status = picus_columns_add(context, &result->columns,
                                 (picus_column){.name = name,
                                                .unit = text_at(&lists[UNIT], k),
                                                .label = text_at(&lists[LABEL], k),
                                                .kind = kind ? picus_column_kind_of(kind) : PICUS_COLUMN_OBSERVABLE});
  }
  for (int i = 0; i < LISTS; i++) picus_names_release(context, &lists[i]);
  return status;
}

static const char *column_name(const void *columns, size_t k) {
  return ((const picus_column_list *)columns)->columns[k].name;
}

static picus_status read_columns(picus_result *result, hid_t picus) {
  lengths seen = {INT64_MAX, 0};
  hid_t table = H5Lexists(picus, "columns", H5P_DEFAULT) > 0 ? H5Oopen(picus, "columns", H5P_DEFAULT) : -1;
  picus_status status = PICUS_OK;
  if (picus_hdf5_content_of(table) == PICUS_HDF5_GROUP) status = read_table(result, table, &seen);
  if (table >= 0) H5Oclose(table);
  if (status) return status;
  if (result->columns.count == 0)
    return picus_fail(result->context, PICUS_ERROR_IO, "'%s' has no columns", result->path);
  /* A process that was killed while it wrote a block leaves some columns a block longer than others. */
  if (seen.shortest != seen.longest && strcmp(picus_result_text(result, "status"), "running") != 0)
    return picus_fail(result->context, PICUS_ERROR_IO, "the columns of '%s' differ in length: the file is damaged",
                      result->path);
  result->rows = (long)seen.shortest;
  result->values = picus_allocate(result->context, result->columns.count, sizeof *result->values);
  if (!result->values) return PICUS_ERROR_MEMORY;
  return picus_name_index_build(result->context, result->columns.count, column_name, &result->columns,
                                &result->column_names);
}

/* Everything under /picus, then the columns. */
static picus_status read_all(picus_result *result) {
  hid_t picus = H5Lexists(result->file, "picus", H5P_DEFAULT) > 0 ? H5Oopen(result->file, "picus", H5P_DEFAULT) : -1;
  bool is_group = picus_hdf5_content_of(picus) == PICUS_HDF5_GROUP;
  picus_status status = is_group ? read_description(result, picus) : PICUS_OK;
  if (!status && !picus_result_text(result, "version")[0])
    status = picus_fail(result->context, PICUS_ERROR_IO,
                        "'%s' is an HDF5 file but not a result of Picus: it has no picus/version", result->path);
  if (!status) status = read_columns(result, picus);
  /* one that is still written to may have lists of which some are a block longer */
  bool is_running = strcmp(picus_result_text(result, "status"), "running") == 0;
  if (!status)
    status =
        picus_hdf5_event_log_measure(result->context, result->path, result->file, is_running, &result->switching_count);
  if (!status) status = read_tables(result);
  if (picus >= 0) H5Oclose(picus);
  return status;
}

/* With Picus' own driver: it takes no locks, so the file system need not support them and a result can be read while it
 * is written; and it does not aggregate metadata, which crashes HDF5 1.10 for some damaged files. */
static picus_status load(picus_result *result) {
  char reason[PICUS_REASON_SIZE];
  int error;
  result->staged = picus_staged_open(result->context, result->path, PICUS_STAGED_READ, &error);
  if (!result->staged && error == ENOMEM) return PICUS_ERROR_MEMORY;
  if (!result->staged) {
    picus_system_reason(error, reason);
    return picus_fail(result->context, PICUS_ERROR_IO, "cannot read '%s': %s", result->path, reason);
  }
  result->file = picus_hdf5_open_staged(result->context, result->staged, result->path, H5F_ACC_RDONLY);
  if (result->file >= 0) return read_all(result);
  if (picus_staged_error(result->staged) == ENOMEM) return PICUS_ERROR_MEMORY;
  if (picus_staged_length(result->staged) == 0 && picus_is_being_written(result->path))
    return picus_fail(result->context, PICUS_ERROR_IO, "the run is unfinished: '%s' is still empty", result->path);
  picus_hdf5_reason(reason);
  return picus_fail(result->context, PICUS_ERROR_IO, "'%s' is not an HDF5 file, or is damaged: %s", result->path,
                    reason);
}

static void wait_a_moment(void) { nanosleep(&(struct timespec){0, 2000000}, NULL); }

static picus_status open_once(picus_context *context, const char *path, picus_result **out) {
  picus_status status = picus_check_readable(context, path);
  if (status) return status;
  picus_result *result = picus_allocate(context, 1, sizeof *result);
  if (!result) return PICUS_ERROR_MEMORY;
  result->context = context;
  result->file = -1;
  result->switching_count = -1;
  result->contact_index.rows = -1;
  result->path = picus_copy_text(context, path);
  result->is_live = picus_is_being_written(path);
  status = result->path ? load(result) : PICUS_ERROR_MEMORY;
  status = picus_hdf5_read_status(context, result->staged, path, status);
  if (status)
    release(result);
  else
    *out = result;
  return status;
}

/* A file is readable at any moment while a run writes it, but two successive reads may belong to different blocks: then
 * it is read again. */
picus_status picus_result_open(picus_context *context, const char *path, picus_result **out) {
  char found[PICUS_PATH_SIZE];
  *out = NULL;
  picus_status status = picus_hdf5_check_room(context); /* before the first call, which starts HDF5 */
  if (status) return status;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  for (int k = 0; k < TRIES && !*out; k++) {
    if (k > 0) wait_a_moment();
    picus_find_written(path, found);
    status = open_once(context, found, out);
    if (!picus_is_being_written(found)) break;
  }
  picus_hdf5_quiet_end(quiet);
  if (status) return status;
  bool is_running = strcmp(picus_result_text(*out, "status"), "running") == 0;
  if (is_running || picus_is_being_written(found))
    picus_tell_incomplete(context, found, (*out)->rows);
  else if (picus_is_part(found))
    picus_log(context, PICUS_LOG_NOTE, "'%s' was not renamed: its run was killed, or could not rename it", found);
  else
    picus_tell_newer(context, found);
  return PICUS_OK;
}

void picus_result_close(picus_result *result) {
  if (!result) return;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  release(result);
  picus_hdf5_quiet_end(quiet);
}

void picus_result_skip_exit(void) { H5dont_atexit(); }

int picus_result_column_count(const picus_result *result) { return (int)result->columns.count; }

picus_column picus_result_column(const picus_result *result, int index) { return result->columns.columns[index]; }

int picus_result_find(const picus_result *result, const char *name) {
  return picus_name_index_find(&result->column_names, name, column_name, &result->columns);
}

long picus_result_row_count(const picus_result *result) { return result->rows; }

/* Rows of a column, which may be longer than the others. */
static bool read_rows(picus_result *result, const char *name, hsize_t first, hsize_t count, double *values) {
  hid_t dataset = H5Dopen2(result->file, name, H5P_DEFAULT);
  hid_t source = dataset >= 0 ? H5Dget_space(dataset) : -1;
  hid_t memory = H5Screate_simple(1, &count, NULL);
  bool done = source >= 0 && memory >= 0 &&
              H5Sselect_hyperslab(source, H5S_SELECT_SET, &first, NULL, &count, NULL) >= 0 &&
              H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, source, H5P_DEFAULT, values) >= 0;
  if (memory >= 0) H5Sclose(memory);
  if (source >= 0) H5Sclose(source);
  if (dataset >= 0) H5Dclose(dataset);
  return done;
}

/* Which rows of a column cannot be read: those of the first block that fails. */
static picus_status report_rows(picus_result *result, const char *name, double *values) {
  enum { BLOCK = 1024 };
  char reason[PICUS_REASON_SIZE];
  picus_hdf5_reason(reason);
  for (long first = 0; first < result->rows; first += BLOCK) {
    const long count = result->rows - first < BLOCK ? result->rows - first : BLOCK;
    if (read_rows(result, name, (hsize_t)first, (hsize_t)count, values)) continue;
    return picus_fail(result->context, PICUS_ERROR_IO, "cannot read column '%s' of '%s', rows %ld to %ld: %s", name,
                      result->path, first, first + count - 1, reason);
  }
  return picus_fail(result->context, PICUS_ERROR_IO, "cannot read column '%s' of '%s': %s", name, result->path, reason);
}

static picus_status read_column(picus_result *result, const void *what, void *values) {
  if (result->rows == 0 || read_rows(result, what, 0, (hsize_t)result->rows, values)) return PICUS_OK;
  return report_rows(result, what, values);
}

/* Clears what HDF5 has cached of the file. */
static picus_status look_again(picus_result *result) {
  if (result->file >= 0) H5Fclose(result->file);
  picus_staged_renew(result->staged);
  result->file = picus_hdf5_open_staged(result->context, result->staged, result->path, H5F_ACC_RDONLY);
  if (result->file >= 0) return PICUS_OK;
  return picus_fail(result->context, PICUS_ERROR_IO, "'%s' cannot be read while it is written", result->path);
}

/* what: the name of a column, or a range of contacts */
typedef picus_status (*read_fn)(picus_result *result, const void *what, void *values);

/* While a run writes the file, reads until two results agree: the index of a list may change between two reads, and
 * HDF5 treats missing chunks as never written. */
static picus_status read_live(picus_result *result, read_fn read, const void *what, size_t size, void *values) {
  void *before = picus_allocate(result->context, size, 1);
  if (!before) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  bool agree = false;
  for (int k = 0, good = 0; k < TRIES && !agree && status != PICUS_ERROR_MEMORY; k++) {
    status = k > 0 ? look_again(result) : PICUS_OK;
    if (!status) status = read(result, what, values);
    agree = good > 0 && !status && memcmp(values, before, size) == 0;
    good = status ? 0 : 1;
    if (status)
      wait_a_moment();
    else
      memcpy(before, values, size);
  }
  picus_release(result->context, before);
  if (agree || status) return status;
  return picus_fail(result->context, PICUS_ERROR_IO, "'%s' changes faster than it can be read; try again",
                    result->path);
}

static picus_status fill_block(picus_result *result, read_fn read, const void *what, size_t size, void *block) {
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  picus_status status = result->is_live ? read_live(result, read, what, size, block) : read(result, what, block);
  picus_hdf5_quiet_end(quiet);
  return picus_hdf5_read_status(result->context, result->staged, result->path, status);
}

/* A block of values that a function fills from the file; NULL: the status gives the reason. */
static void *load_block(picus_result *result, read_fn read, const void *what, size_t count, size_t size,
                        picus_status *status) {
  void *block = picus_allocate(result->context, count, size);
  *status = block ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!block) return NULL;
  *status = fill_block(result, read, what, count * size, block);
  if (!*status) return block;
  picus_release(result->context, block);
  return NULL;
}

static picus_status read_band(picus_result *result, const void *range, void *values) {
  char reason[PICUS_REASON_SIZE];
  if (result->rows == 0 || picus_hdf5_columns_read(result->file, range, values)) return PICUS_OK;
  picus_hdf5_reason(reason);
  return picus_fail(result->context, PICUS_ERROR_IO, "cannot read the table of columns of '%s': %s", result->path,
                    reason);
}

/* Columns of the table that are uncompressed together. */
static picus_status load_band(picus_result *result, int column) {
  const picus_stored_columns *t = &result->table;
  const int place = column - t->first, first = place - place % t->band;
  const picus_column_range range = {first, t->width - first < t->band ? t->width - first : t->band, result->rows};
  const size_t rows = (size_t)result->rows, width = (size_t)range.width;
  picus_status status = PICUS_OK;
  double *band = load_block(result, read_band, &range, rows * width, sizeof *band, &status);
  for (size_t i = 0; !status && i < width; i++) {
    double **values = &result->values[(size_t)(t->first + first) + i];
    if (*values) continue;
    *values = picus_allocate(result->context, rows, sizeof **values);
    if (!*values) status = PICUS_ERROR_MEMORY;
    for (size_t k = 0; *values && k < rows; k++) (*values)[k] = band[k * width + i];
  }
  picus_release(result->context, band);
  return status;
}

/* Whether the values of a column are those that were written. */
static picus_status check_sums(picus_result *result, int column, const double *values) {
  const picus_column *c = &result->columns.columns[column];
  const picus_stored_columns *t = &result->table;
  long first, end;
  picus_status status = PICUS_OK;
  if (result->is_live) return PICUS_OK; /* what has been read twice is as it is in the file */
  if (!result->has_read_sums) {
    picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
    status =
        picus_row_sums_read(result->context, result->file, result->columns.count - (size_t)t->width, &result->sums);
    picus_hdf5_quiet_end(quiet);
    result->has_read_sums = true;
  }
  const picus_summed_column summed = {(size_t)(column < t->first ? column : column - t->width), result->rows, values};
  if (status || !picus_row_sums_find_damage(&result->sums, &summed, &first, &end)) return status;
  return picus_fail(result->context, PICUS_ERROR_IO,
                    "column '%s' of '%s' is damaged: rows %ld to %ld do not have their check sum", c->name,
                    result->path, first, end - 1);
}

static picus_status load_column(picus_result *result, int column) {
  picus_status status = PICUS_OK;
  double **values = &result->values[column];
  *values = load_block(result, read_column, result->columns.columns[column].name, (size_t)result->rows, sizeof **values,
                       &status);
  if (!status && result->rows > 0) status = check_sums(result, column, *values);
  if (!status) return PICUS_OK;
  picus_release(result->context, *values);
  *values = NULL;
  return status;
}

picus_status picus_result_values(picus_result *result, int column, const double **values) {
  picus_status status = PICUS_OK;
  *values = NULL;
  if (column < 0 || column >= (int)result->columns.count)
    return picus_fail(result->context, PICUS_ERROR_ARGUMENT, "'%s' has no column number %d", result->path, column);
  if (!result->values[column] && is_in_table(result, (size_t)column))
    status = load_band(result, column);
  else if (!result->values[column])
    status = load_column(result, column);
  *values = result->values[column];
  return status;
}

picus_status picus_result_read(picus_result *result, int column, double *values) {
  const double *kept = NULL;
  const size_t bytes = (size_t)result->rows * sizeof *values;
  const bool is_known = column >= 0 && column < (int)result->columns.count;
  if (is_known && !result->values[column] && !is_in_table(result, (size_t)column)) {
    picus_status filled = fill_block(result, read_column, result->columns.columns[column].name, bytes, values);
    return filled || result->rows == 0 ? filled : check_sums(result, column, values);
  }
  picus_status status = picus_result_values(result, column, &kept);
  if (!status && kept && bytes > 0) memcpy(values, kept, bytes);
  return status;
}

static const entry *find_entry(const picus_result *result, const char *key) {
  for (size_t k = 0; k < result->entry_count; k++)
    if (strcmp(result->entries[k].key, key) == 0) return &result->entries[k];
  return NULL;
}

const char *picus_result_text(const picus_result *result, const char *key) {
  const entry *found = find_entry(result, key);
  return found && found->text ? found->text : "";
}

double picus_result_number(const picus_result *result, const char *key) {
  const entry *found = find_entry(result, key);
  return found ? found->number : NAN;
}

const char *picus_result_key(const picus_result *result, int index, bool *is_text) {
  if (index < 0 || (size_t)index >= result->entry_count) return NULL;
  if (is_text) *is_text = result->entries[index].text != NULL;
  return result->entries[index].key;
}

int picus_result_plot_count(const picus_result *result) { return (int)result->panel_count; }

picus_plot_panel picus_result_plot(const picus_result *result, int index) {
  const panel *p = &result->panels[index];
  return (picus_plot_panel){p->x, (int)p->y.count, (const char *const *)p->y.names};
}

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

int picus_result_law_count(const picus_result *result) { return (int)result->law_count; }

picus_result_law picus_result_law_at(const picus_result *result, int index) {
  const result_law *law = &result->laws[index];
  return (picus_result_law){law->name, law->kind, law->slips, law->source, law->key};
}

long picus_result_switching_count(const picus_result *result) { return result->switching_count; }

static picus_status read_switchings(picus_result *result, const void *what, void *switchings) {
  (void)what;
  picus_switching *list = switchings;
  if (result->switching_count == 0) return PICUS_OK;
  picus_status status = picus_hdf5_event_log_read(result->context, result->path, result->file, (int)result->law_count,
                                                  result->switching_count, list);
  for (long k = 0; !status && k < result->switching_count; k++) {
    const result_law *law = &result->laws[list[k].law];
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
    result->switchings =
        load_block(result, read_switchings, "", (size_t)result->switching_count, sizeof **switchings, &status);
  *switchings = result->switchings;
  return status;
}

static picus_status check_output(const picus_result *result, const char *path) {
  if (!picus_output_touches(path, result->path)) return PICUS_OK;
  return picus_fail(result->context, PICUS_ERROR_ARGUMENT, "'%s' is the result itself; choose another file", path);
}

picus_status picus_result_export_switchings(picus_result *result, int law, const char *path) {
  const picus_switching *switchings;
  picus_status status = picus_result_switchings(result, &switchings);
  if (status) return status;
  if ((status = check_output(result, path))) return status;
  return picus_csv_export_switchings(result->context, result, law, result->switching_count, switchings, path);
}

/* --- contacts ----------------------------------------------------------------------------------------------------- */

long picus_result_contact_rows(const picus_result *result) { return result->contact_index.rows; }

int picus_result_contact_count(const picus_result *result, long row) {
  const picus_contact_index *index = &result->contact_index;
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
  while (end < index->rows && index->first[end + 1] - index->first[row] <= MANY) end++;
  const picus_contact_range range = {index->first[row], (size_t)(index->first[end] - index->first[row])};
  result->contact_row = result->contact_row_end = 0;
  picus_status status = reserve_contacts(result, range.count);
  if (status) return status;
  memset(result->contacts, 0, range.count * sizeof *result->contacts); /* compared as bytes in live files */
  status = fill_block(result, read_contacts, &range, range.count * sizeof *result->contacts, result->contacts);
  if (status) return status;
  result->contact_row = row;
  result->contact_row_end = end;
  return PICUS_OK;
}

picus_status picus_result_contacts(picus_result *result, long row, const picus_contact_point **contacts) {
  *contacts = NULL;
  if (result->contact_index.rows < 0)
    return picus_fail(result->context, PICUS_ERROR_ARGUMENT,
                      "'%s' has no table of contacts: all contacts of its model are laws of their own, with columns",
                      result->path);
  if (picus_result_contact_count(result, row) == 0) return PICUS_OK;
  picus_status status = PICUS_OK;
  if (row < result->contact_row || row >= result->contact_row_end) status = load_contacts(result, row);
  if (!status)
    *contacts =
        result->contacts + (result->contact_index.first[row] - result->contact_index.first[result->contact_row]);
  return status;
}

int picus_result_body_count(const picus_result *result) { return (int)result->bodies.count; }

const char *picus_result_body(const picus_result *result, int body) {
  return body >= 0 && (size_t)body < result->bodies.count ? result->bodies.names[body] : "";
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
  return result->nodes.tables[table].shown;
}

int picus_result_find_node_table(const picus_result *result, const char *name) {
  for (int i = 0; i < result->nodes.count; i++)
    if (strcmp(result->nodes.tables[i].shown.name, name) == 0) return i;
  return -1;
}

long picus_result_node_table_rows(const picus_result *result, int table) { return result->nodes.tables[table].rows; }

static picus_status read_nodes(picus_result *result, const void *what, void *values) {
  return picus_hdf5_nodes_read(result->context, result->path, result->file, what, values);
}

picus_status picus_result_node_table_read(picus_result *result, int table, long first, long count,
                                          double *const values[2]) {
  if (table < 0 || table >= result->nodes.count)
    return picus_fail(result->context, PICUS_ERROR_ARGUMENT, "'%s' has no table of nodes number %d", result->path,
                      table);
  const picus_stored_nodes *from = &result->nodes.tables[table];
  if (first < 0 || count < 0 || first > from->rows || count > from->rows - first)
    return picus_fail(result->context, PICUS_ERROR_ARGUMENT,
                      "rows %ld to %ld of the nodes of '%s' are not in '%s', which has %ld of them", first,
                      first + count - 1, from->shown.name, result->path, from->rows);
  const size_t width = (size_t)from->shown.node_count * (size_t)from->shown.component_count;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && count > 0 && k < PICUS_NODE_LISTS; k++) {
    const picus_node_range range = {from, k, first, count};
    if (values[k]) status = fill_block(result, read_nodes, &range, (size_t)count * width * sizeof(double), values[k]);
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

/* As long as the mark says; a file that a run has just begun has none of it. */
static bool is_long_enough(const picus_result *result, const picus_row_mark *mark) {
  bool is_long = result->columns.count > 0 && result->rows >= mark->rows &&
                 (mark->switchings == 0 || result->switching_count >= mark->switchings) &&
                 (mark->contact_rows == 0 || result->contact_index.rows >= mark->contact_rows);
  for (int k = 0; is_long && k < result->nodes.count; k++) is_long = result->nodes.tables[k].rows >= mark->rows;
  return is_long;
}

bool picus_result_holds(picus_result *result, picus_row_mark mark) {
  picus_context *context = result->context;
  const size_t count = result->columns.count;
  if (!is_long_enough(result, &mark)) return false;
  if (mark.rows <= 0) return true;
  double *row = picus_allocate(context, count, sizeof *row);
  bool holds = row != NULL;
  for (size_t k = 0; holds && k < count; k++) {
    const double *values = NULL;
    holds = !picus_result_values(result, (int)k, &values) && values;
    if (holds) row[k] = values[mark.rows - 1];
  }
  holds = holds && picus_check_sum(row, count * sizeof *row) == mark.last_row;
  picus_release(context, row);
  return holds;
}
