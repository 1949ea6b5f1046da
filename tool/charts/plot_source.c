/* Results and tables as columns for figures. */
#include "plot_source.h"

#include "base/internal.h"

#include <math.h>
#include <string.h>

static bool ends_with(const char *text, const char *ending) {
  size_t length = strlen(text), end = strlen(ending);
  return length > end && strcmp(text + length - end, ending) == 0;
}

/* Also of incomplete files. */
static bool has_ending(const char *path, const char *ending) {
  char part[16];
  snprintf(part, sizeof part, "%s.part", ending);
  return ends_with(path, ending) || ends_with(path, part);
}

bool plot_source_is_file(const char *operand) {
  return has_ending(operand, ".h5") || has_ending(operand, ".hdf5") || has_ending(operand, ".csv");
}

size_t plot_source_name_length(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t length = strlen(path);
  if (plot_source_is_file(path) && ends_with(path, ".part")) length -= strlen(".part");
  for (size_t k = length; k > (size_t)(name - path) + 1; k--)
    if (path[k - 1] == '.') return k - 1;
  return length;
}

/* folder/NAME.h5 -> NAME, with \ before characters of the markup */
static char *label_of_path(picus_context *context, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t length = plot_source_name_length(path) - (size_t)(name - path);
  char *label = picus_allocate(context, 2 * length + 1, 1), *to = label;
  for (size_t i = 0; label && i < length; i++) {
    if (strchr("_^{}\\", name[i])) *to++ = '\\';
    *to++ = name[i];
  }
  return label;
}

/* Besides the columns drawn: the x axis by default, and what choosing rows and forces need. */
static bool wants_column(const void *user, const char *name, int column) {
  const cli_csv_filter *drawn = user;
  return column == 0 || strcmp(name, "t") == 0 || strcmp(name, "dt") == 0 || drawn->wants(drawn->user, name, column);
}

static picus_status find_states(plot_source *source);

/* The file of a study becomes a table. */
static picus_status take_study(plot_source *source) {
  picus_context *context = source->context;
  const picus_study_table *study = source->study;
  const int count = picus_study_table_column_count(study);
  const size_t rows = (size_t)picus_study_table_rows(study);
  source->table.columns = picus_allocate(context, (size_t)count + 1, sizeof *source->table.columns);
  if (!source->table.columns) return PICUS_ERROR_MEMORY;
  source->table.row_count = rows;
  for (int k = 0; k < count; k++) {
    cli_csv_column *column = &source->table.columns[source->table.column_count++];
    *column = (cli_csv_column){.name = picus_copy_text(context, picus_study_table_column(study, k)),
                               .unit = picus_copy_text(context, ""),
                               .is_read = true,
                               .values = picus_allocate(context, rows + 1, sizeof *column->values)};
    if (!column->name || !column->unit || !column->values) return PICUS_ERROR_MEMORY;
    if (rows > 0) memcpy(column->values, picus_study_table_values(study, k), rows * sizeof *column->values);
  }
  return PICUS_OK;
}

bool plot_source_open(picus_context *context, const char *path, const char *label, bool of_section,
                      const cli_csv_filter *filter, plot_source *source) {
  const cli_csv_filter wanted = {wants_column, filter};
  *source = (plot_source){.context = context, .path = path};
  picus_status status = PICUS_OK;
  if (has_ending(path, ".csv"))
    status = cli_csv_read(context, path, filter ? &wanted : NULL, &source->table);
  else if (!picus_study_table_open(context, path, of_section, &source->study))
    status = take_study(source);
  else if (of_section || picus_result_open(context, path, &source->result))
    status = picus_last_error(context)->status;
  if (!status) {
    if (source->result) cli_thin(source->result);
    source->count = source->result ? (size_t)picus_result_row_count(source->result) : source->table.row_count;
    source->label = label ? picus_copy_text(context, label) : label_of_path(context, path);
    status = find_states(source);
    const size_t columns = (size_t)plot_source_column_count(source);
    for (int k = 0; k < PLOT_READINGS; k++) {
      source->forces[k] = picus_allocate(context, columns, sizeof **source->forces);
      if (!source->forces[k]) status = PICUS_ERROR_MEMORY;
    }
    source->marks = picus_allocate(context, columns, sizeof *source->marks);
    source->stems = picus_allocate(context, columns, sizeof *source->stems);
    if (!source->label || !source->marks || !source->stems) status = PICUS_ERROR_MEMORY;
  }
  if (status) cli_report_error(context, EXIT_WRONG_INPUT);
  return !status;
}

void plot_source_close(plot_source *source) {
  for (int i = 0; i < plot_source_column_count(source); i++) {
    for (int k = 0; k < PLOT_READINGS; k++)
      if (source->forces[k]) picus_release(source->context, source->forces[k][i]);
    if (source->marks) picus_release(source->context, source->marks[i]);
    if (!source->stems) continue;
    picus_release(source->context, source->stems[i].t);
    picus_release(source->context, source->stems[i].P);
  }
  for (int k = 0; k < PLOT_READINGS; k++) picus_release(source->context, source->forces[k]);
  picus_release(source->context, source->marks);
  picus_release(source->context, source->stems);
  picus_release(source->context, source->impacts);
  for (int i = 0; i < source->state_count; i++) picus_release(source->context, source->states[i].values);
  picus_release(source->context, source->states);
  picus_release(source->context, source->contacts);
  picus_release(source->context, source->label);
  if (source->result)
    picus_result_close(source->result);
  else
    cli_csv_release(source->context, &source->table);
  picus_study_table_close(source->study);
}

/* Columns made from the table of contacts. */
enum { CONTACT_NUMBER, CONTACT_COORDINATION, CONTACT_OVERLAP, CONTACT_COLUMNS };
static const picus_column contact_columns[CONTACT_COLUMNS] = {
    {"contacts.number", "", "number of contacts", PICUS_COLUMN_OBSERVABLE},
    {"contacts.coordination", "", "coordination number", PICUS_COLUMN_OBSERVABLE},
    {"contacts.overlap", "m", "deepest overlap", PICUS_COLUMN_OBSERVABLE}};

/* Columns of the result, and those of the table of contacts. */
static int own_column_count(const plot_source *source) {
  return picus_result_column_count(source->result) +
         (picus_result_contact_rows(source->result) >= 0 ? CONTACT_COLUMNS : 0);
}

int plot_source_column_count(const plot_source *source) {
  if (!source->result) return source->table.column_count;
  return own_column_count(source) + source->state_count;
}

/* The two laws of a contact with friction, NAME.unilateral and NAME.friction, from NAME.mode: 0 if the law is in its
 * constraint state, 1 if it impresses a force, as an open contact does (Studer et al. 2008, section 7). */
static picus_status find_states(plot_source *source) {
  const int count = source->result ? picus_result_column_count(source->result) : 0;
  source->states = picus_allocate(source->context, 2 * (size_t)count + 1, sizeof *source->states);
  if (!source->states) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < count; i++) {
    const char *name = picus_result_column(source->result, i).name;
    if (!ends_with(name, ".mode")) continue;
    for (int k = 0; k < 2; k++) {
      plot_state *state = &source->states[source->state_count++];
      *state = (plot_state){.mode = i, .of_friction = k == 1};
      snprintf(state->name, sizeof state->name, "%.*s.%s", (int)(strlen(name) - strlen(".mode")), name,
               k == 0 ? "unilateral" : "friction");
    }
  }
  return PICUS_OK;
}

picus_column plot_source_column(const plot_source *source, int index) {
  if (source->result) {
    const int own = picus_result_column_count(source->result), all = own_column_count(source);
    if (index >= all)
      return (picus_column){source->states[index - all].name, "", source->states[index - all].name,
                            PICUS_COLUMN_OBSERVABLE};
    return index < own ? picus_result_column(source->result, index) : contact_columns[index - own];
  }
  const cli_csv_column *column = &source->table.columns[index];
  return (picus_column){column->name, column->unit, column->name, PICUS_COLUMN_OBSERVABLE};
}

static const char *next_column(const void *user, int k) {
  const plot_source *source = user;
  return k < plot_source_column_count(source) ? plot_source_column(source, k).name : NULL;
}

static int find(const plot_source *source, const char *name) {
  for (int i = 0; i < plot_source_column_count(source); i++)
    if (strcmp(plot_source_column(source, i).name, name) == 0) return i;
  return -1;
}

bool plot_source_find(const plot_source *source, const char *name, int *column) {
  *column = find(source, name);
  if (*column >= 0) return true;
  const char *nearest = picus_nearest_name(name, next_column, source);
  if (nearest)
    cli_complain("'%s' has no column '%s'; did you mean '%s'?", source->path, name, nearest);
  else
    cli_complain("'%s' has no column '%s'; 'picus info' lists the columns of a result", source->path, name);
  return false;
}

/* Values of one row. Each closed contact counts for each of its bodies. */
static void measure_contacts(int count, const picus_contact_point *contacts, int bodies, double out[CONTACT_COLUMNS]) {
  double closed = 0, touching = 0, deepest = 0;
  for (int k = 0; k < count; k++) {
    const picus_contact_point *c = &contacts[k];
    deepest = fmax(deepest, -c->gap);
    if (c->mode == PICUS_OPEN) continue;
    closed++;
    touching += (c->body[0] >= 0) + (c->body[1] >= 0);
  }
  out[CONTACT_NUMBER] = closed;
  out[CONTACT_COORDINATION] = bodies > 0 ? touching / bodies : (double)NAN;
  out[CONTACT_OVERLAP] = deepest;
}

static picus_status make_contacts(plot_source *source) {
  picus_result *result = source->result;
  const long rows = picus_result_row_count(result);
  picus_status status = PICUS_OK;
  source->contacts = picus_allocate(source->context, CONTACT_COLUMNS * (size_t)rows, sizeof *source->contacts);
  if (!source->contacts) return PICUS_ERROR_MEMORY;
  for (long row = 0; !status && row < rows; row++) {
    const picus_contact_point *contacts = NULL;
    double values[CONTACT_COLUMNS] = {NAN, NAN, NAN}; /* of a killed run the last rows have none */
    if (row < picus_result_contact_rows(result)) {
      status = picus_result_contacts(result, row, &contacts);
      if (!status)
        measure_contacts(picus_result_contact_count(result, row), contacts, picus_result_body_count(result), values);
    }
    for (int k = 0; k < CONTACT_COLUMNS; k++) source->contacts[k * rows + row] = values[k];
  }
  return status;
}

static bool contact_values(plot_source *source, int column, const double **values) {
  if (!source->contacts && make_contacts(source)) {
    cli_report_error(source->context, EXIT_WRONG_INPUT);
    return false;
  }
  *values = source->contacts + column * picus_result_row_count(source->result);
  return true;
}

static bool all_values(plot_source *source, int column, const double **values);

static bool state_values(plot_source *source, plot_state *state, const double **values) {
  const size_t rows = (size_t)picus_result_row_count(source->result);
  const double *mode = NULL;
  if (!state->values) {
    if (!all_values(source, state->mode, &mode)) return false;
    state->values = picus_allocate(source->context, rows + 1, sizeof *state->values);
    if (!state->values) return cli_report_error(source->context, EXIT_RUN_FAILED) == EXIT_DONE;
    for (size_t i = 0; i < rows && mode; i++)
      state->values[i] = state->of_friction ? mode[i] != PICUS_STICK : mode[i] == PICUS_OPEN;
  }
  *values = state->values;
  return true;
}

static bool all_values(plot_source *source, int column, const double **values) {
  *values = NULL;
  if (source->result && column >= own_column_count(source))
    return state_values(source, &source->states[column - own_column_count(source)], values);
  if (source->result && column >= picus_result_column_count(source->result))
    return contact_values(source, column - picus_result_column_count(source->result), values);
  if (source->result) {
    if (!picus_result_values(source->result, column, values)) return true;
    cli_report_error(source->context, EXIT_WRONG_INPUT);
    return false;
  }
  const cli_csv_column *c = &source->table.columns[column];
  *values = c->values;
  if (c->text_line == 0) return true;
  cli_complain("column '%s' of '%s' contains text in line %ld and cannot be drawn", c->name, source->path,
               c->text_line);
  return false;
}

bool plot_source_choose_rows(plot_source *source, double from, double to) {
  const double *t = NULL;
  int column = find(source, "t");
  if (column < 0) return true;
  if (!all_values(source, column, &t)) return false;
  if (!t) return true; /* no rows */
  size_t end = source->first + source->count;
  while (source->first < end && t[source->first] < from) source->first++;
  while (end > source->first && t[end - 1] > to) end--;
  source->count = end - source->first;
  return true;
}

/* The size of the step that ended in this row, for files of earlier versions, whose percussions are those of one step:
 * as recorded in adaptive runs, otherwise that of the run, or the shorter last step. */
static double step_size(const double *recorded, const double *t, double dt, size_t row) {
  if (recorded) return recorded[row];
  if (row > 0 && t[row] - t[row - 1] < 0.999 * dt) return t[row] - t[row - 1];
  return dt;
}

/* Marks the rows with an impact of any law since the row before: all percussions of such a row contain impulses. */
static bool find_impacts(plot_source *source) {
  const picus_switching *list = NULL;
  const double *t = NULL;
  const int t_column = find(source, "t");
  const size_t rows = (size_t)picus_result_row_count(source->result);
  const long listed = picus_result_switching_count(source->result);
  if (source->impacts) return true;
  if (listed < 0 || t_column < 0) {
    cli_complain("'%s' has no event log with impacts", source->path);
    return false;
  }
  if (!all_values(source, t_column, &t)) return false;
  source->impacts = picus_allocate(source->context, rows + 1, sizeof *source->impacts);
  if (!source->impacts || picus_result_switchings(source->result, &list))
    return cli_report_error(source->context, EXIT_RUN_FAILED) == EXIT_DONE;
  size_t row = 0;
  for (long k = 0; k < listed; k++) {
    if (list[k].impact == 0) continue;
    while (row < rows && t[row] < list[k].t) row++;
    if (row < rows) source->impacts[row] = true;
  }
  return true;
}

static bool make_force(plot_source *source, int column, plot_reading reading, const double *percussion) {
  const double *t = NULL, *recorded = NULL;
  int t_column = find(source, "t"), dt_column = find(source, "dt");
  size_t rows = (size_t)picus_result_row_count(source->result);
  double dt = picus_result_number(source->result, "options.dt");
  if (reading == PLOT_SMOOTH_FORCE && !find_impacts(source)) return false;
  if (t_column < 0 || !all_values(source, t_column, &t) || (rows > 0 && !t)) return false;
  if (dt_column >= 0 && !all_values(source, dt_column, &recorded)) return false;
  const bool summed = picus_result_number(source->result, "options.summed_percussions") == 1;
  double *force = picus_allocate(source->context, rows, sizeof *force);
  if (!force) return cli_report_error(source->context, EXIT_RUN_FAILED) == EXIT_DONE;
  for (size_t i = 0; i < rows; i++) {
    double step = summed && i > 0 ? t[i] - t[i - 1] : step_size(recorded, t, dt, i);
    bool drawn = step > 0 && !(reading == PLOT_SMOOTH_FORCE && source->impacts[i]);
    force[i] = drawn ? percussion[i] / step : (double)NAN;
  }
  if (rows > 0) force[0] = NAN; /* no step precedes the first row */
  source->forces[reading][column] = force;
  return true;
}

bool plot_source_values(plot_source *source, int column, plot_reading reading, const double **values) {
  if (!all_values(source, column, values)) return false;
  if (reading != PLOT_PERCUSSION && source->result && *values) {
    double **force = &source->forces[reading][column];
    if (!*force && !make_force(source, column, reading, *values)) return false;
    *values = *force;
  }
  if (*values) *values += source->first;
  return true;
}

static bool make_stems(plot_source *source, int column, plot_stems *stems) {
  const double *t = NULL, *P = NULL;
  if (!find_impacts(source) || !plot_source_values(source, find(source, "t"), PLOT_PERCUSSION, &t) ||
      !plot_source_values(source, column, PLOT_PERCUSSION, &P))
    return false;
  size_t impacts = 0;
  for (size_t i = 0; i < source->count; i++) impacts += source->impacts[source->first + i];
  stems->t = picus_allocate(source->context, 3 * impacts + 1, sizeof *stems->t);
  stems->P = picus_allocate(source->context, 3 * impacts + 1, sizeof *stems->P);
  if (!stems->t || !stems->P) return cli_report_error(source->context, EXIT_RUN_FAILED) == EXIT_DONE;
  for (size_t i = 0; i < source->count; i++) {
    if (!source->impacts[source->first + i]) continue;
    const double ends[] = {0, P[i], NAN};
    for (int k = 0; k < 3; k++) {
      stems->t[stems->count] = t[i];
      stems->P[stems->count++] = ends[k];
    }
  }
  return true;
}

bool plot_source_stems(plot_source *source, int column, plot_stems *stems) {
  if (!source->stems[column].t && !make_stems(source, column, &source->stems[column])) return false;
  *stems = source->stems[column];
  return true;
}

/* --- switching points --------------------------------------------------------------------------------------------- */

/* The event log is ordered by time: both lists are walked once. */
static size_t interpolate(const picus_switching *list, long listed, size_t rows, const double *t, const double *y,
                          double *out) {
  size_t row = 1, found = 0;
  for (long k = 0; k < listed && rows > 1; k++) {
    const double time = list[k].t;
    if (time < t[0] || time > t[rows - 1]) continue;
    while (row + 1 < rows && t[row] < time) row++;
    const double length = t[row] - t[row - 1];
    out[found++] = length > 0 ? y[row - 1] + (time - t[row - 1]) / length * (y[row] - y[row - 1]) : y[row];
  }
  return found;
}

bool plot_source_at_switches(plot_source *source, int column, plot_reading reading, const double **values,
                             size_t *count) {
  const picus_switching *list = NULL;
  const double *t = NULL, *y = NULL;
  const int t_column = find(source, "t");
  const long listed = source->result ? picus_result_switching_count(source->result) : -1;
  if (listed < 0 || t_column < 0) {
    cli_complain("'%s' has no event log with switching points", source->path);
    return false;
  }
  if (!source->marks[column]) {
    if (!plot_source_values(source, t_column, PLOT_PERCUSSION, &t) || !plot_source_values(source, column, reading, &y))
      return false;
    source->marks[column] = picus_allocate(source->context, (size_t)listed + 1, sizeof **source->marks);
    if (!source->marks[column] || picus_result_switchings(source->result, &list))
      return cli_report_error(source->context, EXIT_RUN_FAILED) == EXIT_DONE;
    source->mark_count = interpolate(list, listed, source->count, t, y, source->marks[column]);
  }
  *count = source->mark_count;
  *values = source->marks[column];
  return true;
}
