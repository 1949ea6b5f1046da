/* The columns of a result: their lists, their values, their check sums. */
#include "base/archive.h"
#include "base/internal.h"
#include "result_file/result_internal.h"
#include "table/description.h"

#include <limits.h>
#include <string.h>

void picus_result_release_columns(picus_result *result) {
  picus_context *context = result->context;
  for (size_t k = 0; result->values && k < result->columns.count; k++) picus_release(context, result->values[k]);
  picus_release(context, result->values);
  picus_name_index_release(context, &result->column_names);
  picus_columns_release(context, &result->columns);
  picus_release(context, result->sums.rows);
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
  hid_t object = picus_hdf5_open(result->file, name);
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

picus_status picus_result_read_columns(picus_result *result, hid_t picus) {
  lengths seen = {INT64_MAX, 0};
  hid_t table = picus_hdf5_open(picus, "columns");
  picus_status status = PICUS_OK;
  const picus_hdf5_content content = picus_hdf5_content_of(table);
  if (content == PICUS_HDF5_TABLE || content == PICUS_HDF5_GROUP) status = read_table(result, table, &seen);
  if (table >= 0) H5Oclose(table);
  if (status) return status;
  if (result->columns.count == 0)
    return picus_fail(result->context, PICUS_ERROR_IO, "'%s' has no columns", result->path);
  /* A process that was killed while it wrote a block leaves some columns a block longer than others. */
  if (seen.shortest != seen.longest && !result->is_cut && strcmp(picus_result_text(result, "status"), "running") != 0)
    return picus_fail(result->context, PICUS_ERROR_IO, "the columns of '%s' differ in length: the file is damaged",
                      result->path);
  result->rows = (long)seen.shortest;
  result->values = picus_allocate(result->context, result->columns.count, sizeof *result->values);
  if (!result->values) return PICUS_ERROR_MEMORY;
  return picus_name_index_build(result->context, result->columns.count, column_name, &result->columns,
                                &result->column_names);
}

int picus_result_column_count(const picus_result *result) { return (int)result->columns.count; }

picus_column picus_result_column(const picus_result *result, int index) {
  if (index < 0 || (size_t)index >= result->columns.count) return (picus_column){.name = "", .unit = "", .label = ""};
  return result->columns.columns[index];
}

int picus_result_find(const picus_result *result, const char *name) {
  return picus_name_index_find(&result->column_names, name, column_name, &result->columns);
}

long picus_result_row_count(const picus_result *result) { return result->rows; }

/* Rows of a column, which may be longer than the others. */
static bool read_rows(picus_result *result, const char *name, hsize_t first, hsize_t count, double *values,
                      char reason[PICUS_REASON_SIZE]) {
  const picus_hdf5_part part = {.rank = 1, .first = {first}, .count = {count}};
  hid_t dataset = picus_hdf5_open(result->file, name);
  const bool done = picus_hdf5_read_part(dataset, H5T_NATIVE_DOUBLE, &part, values, reason);
  if (dataset >= 0) H5Oclose(dataset);
  return done;
}

/* Which rows of a column cannot be read: those of the first block that fails. */
static picus_status report_rows(picus_result *result, const char *name, double *values) {
  enum { BLOCK = 1024 };
  char reason[PICUS_REASON_SIZE] = "";
  for (long first = 0; first < result->rows; first += BLOCK) {
    const long count = result->rows - first < BLOCK ? result->rows - first : BLOCK;
    if (read_rows(result, name, (hsize_t)first, (hsize_t)count, values, reason)) continue;
    return picus_fail(result->context, PICUS_ERROR_IO,
                      "column '%s' of '%s' is damaged: rows %ld to %ld cannot be read: %s", name, result->path, first,
                      first + count - 1, reason);
  }
  return picus_fail(result->context, PICUS_ERROR_IO, "cannot read column '%s' of '%s'", name, result->path);
}

void picus_result_thin(picus_result *result, long most, long shown) {
  if (result->rows <= most || shown < 2 || result->rows <= shown || picus_result_is_thin(result)) return;
  result->all_rows = result->rows;
  result->rows = shown;
  picus_log(result->context, PICUS_LOG_NOTE, "'%s' has %ld rows: %ld of them are read, evenly spread", result->path,
            result->all_rows, shown);
}

long picus_result_shown_rows(const picus_result *result, long rows) {
  if (!picus_result_is_thin(result) || rows < 0) return rows;
  long low = 0, high = result->rows;
  while (low < high) {
    const long middle = low + (high - low) / 2;
    if (picus_result_file_row(result, middle) < rows)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The rows that are shown, one by one: each is in a chunk of its own. */
static bool read_thinned(picus_result *result, const char *name, double *values, char reason[PICUS_REASON_SIZE]) {
  hid_t dataset = picus_hdf5_open(result->file, name);
  bool done = true;
  for (long k = 0; done && k < result->rows; k++) {
    const picus_hdf5_part part = {.rank = 1, .first = {(hsize_t)picus_result_file_row(result, k)}, .count = {1}};
    done = picus_hdf5_read_part(dataset, H5T_NATIVE_DOUBLE, &part, values + k, reason);
  }
  if (dataset >= 0) H5Oclose(dataset);
  return done;
}

static picus_status read_column(picus_result *result, const void *what, void *values) {
  if (picus_result_is_thin(result)) {
    char why[PICUS_REASON_SIZE];
    if (read_thinned(result, what, values, why)) return PICUS_OK;
    return picus_fail(result->context, PICUS_ERROR_IO, "column '%s' of '%s' is damaged: %s", (const char *)what,
                      result->path, why);
  }
  char reason[PICUS_REASON_SIZE];
  if (result->rows == 0 || read_rows(result, what, 0, (hsize_t)result->rows, values, reason)) return PICUS_OK;
  return report_rows(result, what, values);
}

static picus_status read_band(picus_result *result, const void *what, void *values) {
  char reason[PICUS_REASON_SIZE];
  const picus_column_range *range = what;
  bool done = true;
  if (!picus_result_is_thin(result))
    done = result->rows == 0 || picus_hdf5_columns_read(result->file, range, values, reason);
  for (long k = 0; done && picus_result_is_thin(result) && k < result->rows; k++) {
    const picus_column_range one = {range->first, range->width, picus_result_file_row(result, k), 1};
    done = picus_hdf5_columns_read(result->file, &one, (double *)values + k * range->width, reason);
  }
  if (done) return PICUS_OK;
  return picus_fail(result->context, PICUS_ERROR_IO, "cannot read the table of columns of '%s': %s", result->path,
                    reason);
}

/* Columns of the table that are uncompressed together. */
static picus_status load_band(picus_result *result, int column) {
  const picus_stored_columns *t = &result->table;
  const int place = column - t->first, first = place - place % t->band;
  const picus_column_range range = {first, t->width - first < t->band ? t->width - first : t->band, 0, result->rows};
  const size_t rows = (size_t)result->rows, width = (size_t)range.width;
  picus_status status = PICUS_OK;
  double *band = picus_result_load_block(result, read_band, &range, rows * width, sizeof *band, &status);
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
  if (picus_result_is_thin(result)) return PICUS_OK; /* of complete blocks only */
  if (result->is_live) return PICUS_OK;              /* what has been read twice is as it is in the file */
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
                    "column '%s' of '%s' is damaged: rows %ld to %ld do not have their checksum", c->name, result->path,
                    first, end - 1);
}

static picus_status load_column(picus_result *result, int column) {
  picus_status status = PICUS_OK;
  double **values = &result->values[column];
  *values = picus_result_load_block(result, read_column, result->columns.columns[column].name, (size_t)result->rows,
                                    sizeof **values, &status);
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
    picus_status filled =
        picus_result_fill_block(result, read_column, result->columns.columns[column].name, bytes, values);
    return filled || result->rows == 0 ? filled : check_sums(result, column, values);
  }
  picus_status status = picus_result_values(result, column, &kept);
  if (!status && kept && bytes > 0) memcpy(values, kept, bytes);
  return status;
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
  picus_event_states states = {0};
  if (!is_long_enough(result, &mark)) return false;
  if (mark.states > 0 && (picus_result_event_states(result, &states) || states.count < mark.states)) return false;
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
