/* Results read back: columns at the root of the file, texts and numbers under /picus. */
#include "base/internal.h"
#include "io/hdf5_read.h"
#include "io/hdf5_support.h"
#include "record/internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A text or number under its key. Details, such as the unit of a parameter, are found but not listed. */
typedef struct entry {
  char *key;
  char *text; /* NULL: a number */
  double number;
  bool is_detail;
} entry;

typedef struct panel {
  char *x;
  picus_name_list y;
} panel;

struct picus_result {
  picus_context *context;
  char *path;
  hid_t file;
  picus_column_list columns;
  double **values; /* one for each column; NULL: not loaded yet */
  long rows;
  entry *entries;
  size_t entry_count, entry_capacity;
  panel *panels;
  size_t panel_count, panel_capacity;
};

static void release(picus_result *result) {
  picus_context *context = result->context;
  if (result->file >= 0) H5Fclose(result->file);
  for (size_t k = 0; result->values && k < result->columns.count; k++) picus_release(context, result->values[k]);
  picus_release(context, result->values);
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
static picus_status add_entry(picus_result *result, char *key, char *text, double number, bool is_detail) {
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
  result->entries[result->entry_count++] = (entry){key, text, number, is_detail};
  return PICUS_OK;
}

static picus_status read_unit(picus_result *result, const char *group, const char *name, hid_t dataset) {
  char *unit;
  picus_status status = picus_hdf5_read_attribute(result->context, dataset, "unit", &unit);
  if (status || !unit) return status;
  return add_entry(result, join_key(result->context, group, name, "unit"), unit, NAN, true);
}

static picus_status read_scalar(picus_result *result, const char *group, const char *name, hid_t object) {
  picus_hdf5_content content = picus_hdf5_content_of(object);
  char *text = NULL;
  double number = NAN;
  picus_status status = PICUS_OK;
  if (content == PICUS_HDF5_TEXT) status = picus_hdf5_read_text(result->context, object, &text);
  bool found = text || (content == PICUS_HDF5_NUMBER && picus_hdf5_read_number(object, &number));
  if (status || !found) return status;
  status = add_entry(result, join_key(result->context, group, name, NULL), text, number, false);
  return status || content == PICUS_HDF5_TEXT ? status : read_unit(result, group, name, object);
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

/* The table of laws becomes keys laws.NAME.kind, laws.NAME.mu, ... */
static picus_status read_laws(picus_result *result, hid_t group) {
  enum { NUMBERS = 4 };
  static const char *const titles[NUMBERS] = {"mu", "reservoir", "eN", "eF"};
  picus_context *context = result->context;
  picus_name_list names = {0}, kinds = {0};
  double *numbers[NUMBERS] = {NULL};
  size_t counts[NUMBERS] = {0};
  picus_status status = picus_hdf5_read_texts(context, group, "name", &names);
  if (!status) status = picus_hdf5_read_texts(context, group, "kind", &kinds);
  for (int i = 0; !status && i < NUMBERS; i++)
    status = picus_hdf5_read_numbers(context, group, titles[i], &counts[i], &numbers[i]);
  for (size_t k = 0; !status && k < names.count; k++) {
    if (k < kinds.count) {
      status = add_entry(result, join_key(context, "laws", names.names[k], "kind"), kinds.names[k], NAN, false);
      kinds.names[k] = NULL; /* taken over */
    }
    for (int i = 0; !status && i < NUMBERS; i++)
      if (k < counts[i])
        status = add_entry(result, join_key(context, "laws", names.names[k], titles[i]), NULL, numbers[i][k], false);
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
    else
      status = read_group(result, name, object);
    if (object >= 0) H5Oclose(object);
  }
  picus_names_release(result->context, &names);
  return status;
}

static picus_status add_column(picus_result *result, const char *name, hid_t dataset) {
  picus_context *context = result->context;
  char *unit = NULL, *label = NULL, *kind = NULL;
  picus_status status = picus_hdf5_read_attribute(context, dataset, "unit", &unit);
  if (!status) status = picus_hdf5_read_attribute(context, dataset, "label", &label);
  if (!status) status = picus_hdf5_read_attribute(context, dataset, "kind", &kind);
  if (!status)
    status = picus_columns_add(context, &result->columns,
                               (picus_column){.name = name,
                                              .unit = unit,
                                              .label = label,
                                              .kind = kind ? picus_hdf5_kind_of(kind) : PICUS_COLUMN_OBSERVABLE});
  picus_release(context, kind);
  picus_release(context, label);
  picus_release(context, unit);
  return status;
}

typedef struct lengths {
  int64_t shortest, longest;
} lengths;

static picus_status read_column(picus_result *result, const char *name, hid_t object, lengths *seen) {
  if (H5Iget_type(object) != H5I_DATASET) return PICUS_OK;
  if (picus_hdf5_content_of(object) != PICUS_HDF5_NUMBERS)
    return picus_fail(result->context, PICUS_ERROR_IO, "'%s' in '%s' is not a column of numbers: not a result of Picus",
                      name, result->path);
  int64_t length = picus_hdf5_list_length(object);
  if (length < 0 || length > LONG_MAX)
    return picus_fail(result->context, PICUS_ERROR_IO,
                      "column '%s' of '%s' claims more rows than the file holds: the file is damaged", name,
                      result->path);
  if (result->columns.count == 0 || length < seen->shortest) seen->shortest = length;
  if (result->columns.count == 0 || length > seen->longest) seen->longest = length;
  return add_column(result, name, object);
}

static picus_status list_root(picus_result *result, picus_name_list *names) {
  hid_t root = H5Gopen2(result->file, "/", H5P_DEFAULT);
  if (root < 0)
    return picus_fail(result->context, PICUS_ERROR_IO, "'%s' cannot be read: the file is damaged", result->path);
  picus_status status = picus_hdf5_list(result->context, result->path, root, names);
  H5Gclose(root);
  return status;
}

static picus_status read_columns(picus_result *result) {
  lengths seen = {0, 0};
  picus_name_list names = {0};
  picus_status status = list_root(result, &names);
  for (size_t k = 0; !status && k < names.count; k++) {
    hid_t object = H5Oopen(result->file, names.names[k], H5P_DEFAULT);
    if (object < 0)
      status = picus_fail(result->context, PICUS_ERROR_IO, "'%s' in '%s' cannot be read: the file is damaged",
                          names.names[k], result->path);
    else
      status = read_column(result, names.names[k], object, &seen);
    if (object >= 0) H5Oclose(object);
  }
  picus_names_release(result->context, &names);
  if (status) return status;
  if (result->columns.count == 0)
    return picus_fail(result->context, PICUS_ERROR_IO, "'%s' has no columns", result->path);
  /* A process that was killed while it wrote a block leaves some columns a block longer than others. */
  if (seen.shortest != seen.longest && strcmp(picus_result_text(result, "status"), "running") != 0)
    return picus_fail(result->context, PICUS_ERROR_IO, "the columns of '%s' differ in length: the file is damaged",
                      result->path);
  result->rows = (long)seen.shortest;
  result->values = picus_allocate(result->context, result->columns.count, sizeof *result->values);
  return result->values ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static picus_status load(picus_result *result) {
  const char *path = result->path;
  picus_status status = picus_hdf5_open(result->context, path, &result->file);
  if (status) return status;
  hid_t picus = H5Lexists(result->file, "picus", H5P_DEFAULT) > 0 ? H5Oopen(result->file, "picus", H5P_DEFAULT) : -1;
  if (picus_hdf5_content_of(picus) == PICUS_HDF5_GROUP) status = read_description(result, picus);
  if (picus >= 0) H5Oclose(picus);
  if (!status && !picus_result_text(result, "version")[0])
    status = picus_fail(result->context, PICUS_ERROR_IO,
                        "'%s' is an HDF5 file, but not a result of Picus: it does not say picus/version", path);
  return status ? status : read_columns(result);
}

picus_status picus_result_open(picus_context *context, const char *path, picus_result **out) {
  *out = NULL;
  picus_result *result = picus_allocate(context, 1, sizeof *result);
  if (!result) return PICUS_ERROR_MEMORY;
  result->context = context;
  result->file = -1;
  result->path = picus_copy_text(context, path);
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  picus_status status = result->path ? load(result) : PICUS_ERROR_MEMORY;
  if (status) release(result);
  picus_hdf5_quiet_end(quiet);
  if (!status) *out = result;
  return status;
}

void picus_result_close(picus_result *result) {
  if (!result) return;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  release(result);
  picus_hdf5_quiet_end(quiet);
}

int picus_result_column_count(const picus_result *result) { return (int)result->columns.count; }

picus_column picus_result_column(const picus_result *result, int index) { return result->columns.columns[index]; }

int picus_result_find(const picus_result *result, const char *name) {
  for (size_t k = 0; k < result->columns.count; k++)
    if (strcmp(result->columns.columns[k].name, name) == 0) return (int)k;
  return -1;
}

long picus_result_row_count(const picus_result *result) { return result->rows; }

/* The first rows of a column, which may be longer than the others. */
static bool read_rows(picus_result *result, const char *name, double *values) {
  hsize_t first = 0, count = (hsize_t)result->rows;
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

picus_status picus_result_values(picus_result *result, int column, const double **values) {
  *values = NULL;
  if (column < 0 || column >= (int)result->columns.count)
    return picus_fail(result->context, PICUS_ERROR_ARGUMENT, "'%s' has no column number %d", result->path, column);
  if (!result->values[column]) {
    double *loaded = picus_allocate(result->context, (size_t)result->rows, sizeof *loaded);
    if (!loaded) return PICUS_ERROR_MEMORY;
    const char *name = result->columns.columns[column].name;
    char reason[PICUS_REASON_SIZE];
    picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
    bool done = result->rows == 0 || read_rows(result, name, loaded);
    if (!done) picus_hdf5_reason(reason);
    picus_hdf5_quiet_end(quiet);
    if (!done) {
      picus_release(result->context, loaded);
      return picus_fail(result->context, PICUS_ERROR_IO, "cannot read column '%s' of '%s': %s", name, result->path,
                        reason);
    }
    result->values[column] = loaded;
  }
  *values = result->values[column];
  return PICUS_OK;
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
  for (size_t k = 0; k < result->entry_count; k++) {
    if (result->entries[k].is_detail || index-- > 0) continue;
    if (is_text) *is_text = result->entries[k].text != NULL;
    return result->entries[k].key;
  }
  return NULL;
}

int picus_result_plot_count(const picus_result *result) { return (int)result->panel_count; }

picus_plot_panel picus_result_plot(const picus_result *result, int index) {
  const panel *p = &result->panels[index];
  return (picus_plot_panel){p->x, (int)p->y.count, (const char *const *)p->y.names};
}
