/* Results: rows in memory, result files, comparisons and references. */
#include "core.h"

#include <string.h>

#ifndef PICUS_WITHOUT_HDF5
#include "view/page.h"
#endif

/* --- states at events ------------------------------------------------------------------------------------------- */

static PyObject *numbers_of_states(const picus_event_states *all) {
  const Py_ssize_t width = all->column_count * (Py_ssize_t)sizeof(double);
  PyObject *bytes = PyByteArray_FromStringAndSize(NULL, all->count * width);
  for (long k = 0; bytes && k < all->count; k++)
    memcpy(PyByteArray_AsString(bytes) + k * width, all->states[k].values, (size_t)width);
  return bytes;
}

/* Columns, numbers, and of each state the name of its event or the number of its switching point. */
static PyObject *states_object(const picus_event_states *all) {
  PyObject *columns = PyList_New(0), *of = PyList_New(0), *dict = PyDict_New();
  for (int k = 0; columns && k < all->column_count; k++) {
    PyObject *name = text_object(all->columns[k]);
    if (!name || PyList_Append(columns, name)) Py_CLEAR(columns);
    Py_XDECREF(name);
  }
  for (long k = 0; of && k < all->count; k++) {
    const picus_state_at_event *state = &all->states[k];
    PyObject *item = state->event ? text_object(state->event) : PyLong_FromLong(state->switching);
    if (!item || PyList_Append(of, item)) Py_CLEAR(of);
    Py_XDECREF(item);
  }
  put(&dict, "columns", columns);
  put(&dict, "of", of);
  put(&dict, "values", numbers_of_states(all));
  return dict;
}

/* --- rows in memory --------------------------------------------------------------------------------------------- */

static PyObject *record_values(PyObject *self, PyObject *column) {
  picus_memory *memory = picus_memory_of(self);
  int ok = memory != NULL;
  const int k = (int)integer_argument(column, INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  return new_view(((handle_object *)self)->owner, picus_memory_values(memory, k), picus_memory_row_count(memory), "d");
}

static PyObject *record_switchings(PyObject *self, PyObject *unused) {
  picus_memory *memory = picus_memory_of(self);
  (void)unused;
  if (!memory) return NULL;
  const Py_ssize_t count = picus_memory_switching_count(memory);
  return new_view(((handle_object *)self)->owner, picus_memory_switchings(memory),
                  count * (Py_ssize_t)sizeof(picus_switching), "B");
}

/* Names of laws by their number in switching points, with those of detected contacts. */
static PyObject *record_laws(PyObject *self, PyObject *unused) {
  picus_memory *memory = picus_memory_of(self);
  PyObject *dict = memory ? PyDict_New() : NULL;
  (void)unused;
  const picus_switching *all = memory ? picus_memory_switchings(memory) : NULL;
  for (long k = 0; dict && k < picus_memory_switching_count(memory); k++) {
    if (!all[k].name) continue;
    PyObject *number = PyLong_FromLong(all[k].law), *name = text_object(all[k].name);
    if (!number || !name || PyDict_SetItem(dict, number, name)) Py_CLEAR(dict);
    Py_XDECREF(number);
    Py_XDECREF(name);
  }
  return dict;
}

static PyObject *record_event_states(PyObject *self, PyObject *unused) {
  picus_memory *memory = picus_memory_of(self);
  picus_event_states all;
  (void)unused;
  if (!memory) return NULL;
  if (picus_memory_event_states(memory, &all)) return PyErr_NoMemory();
  return states_object(&all);
}

static PyObject *record_contacts(PyObject *self, PyObject *row) {
  picus_memory *memory = picus_memory_of(self);
  int ok = memory != NULL, count;
  const long k = integer_argument(row, LONG_MIN, LONG_MAX, &ok);
  if (!ok) return NULL;
  const picus_contact_point *contacts = picus_memory_contacts(memory, k, &count);
  return new_view(((handle_object *)self)->owner, contacts, count * (Py_ssize_t)sizeof *contacts, "B");
}

/* The system of the run stays with its model. */
static const picus_system *record_system(const owner_object *owner) { return ((owner_object *)owner->below)->system; }

static picus_node_table table_of_system(const void *system, int k) { return picus_system_node_table(system, k); }
static PyObject *record_node_tables(PyObject *self, PyObject *unused) {
  owner_object *owner = owner_of(self);
  (void)unused;
  if (!owner) return NULL;
  int count = 0;
  while (picus_memory_nodes(owner->memory, count, false)) count++;
  return node_tables_object(count, table_of_system, record_system(owner));
}

static PyObject *record_nodes(PyObject *self, PyObject *args) {
  owner_object *owner = owner_of(self);
  int table, velocities;
  if (!owner || !PyArg_ParseTuple(args, "ip", &table, &velocities)) return NULL;
  const picus_node_table t = picus_system_node_table(record_system(owner), table);
  const Py_ssize_t size = (Py_ssize_t)t.node_count * t.component_count;
  return new_view(owner, picus_memory_nodes(owner->memory, table, velocities),
                  picus_memory_row_count(owner->memory) * size, "d");
}

static PyMethodDef record_methods[] = {{"values", record_values, METH_O, "View of a column."},
                                       {"switchings", record_switchings, METH_NOARGS, "Bytes of Switching."},
                                       {"event_states", record_event_states, METH_NOARGS, "States at events."},
                                       {"laws", record_laws, METH_NOARGS, "Names of detected laws by their number."},
                                       {"contacts", record_contacts, METH_O, "Bytes of ContactPoint of a row."},
                                       {"node_tables", record_node_tables, METH_NOARGS, "Tables of nodes."},
                                       {"nodes", record_nodes, METH_VARARGS, "View of the nodes of all rows."},
                                       RECORD_METHODS{NULL, NULL, 0, NULL}};
HANDLE_TYPE(record_spec, "picus._core.Record", Py_TPFLAGS_BASETYPE, record_methods, "The rows of a run, in memory.")

/* --- result files ----------------------------------------------------------------------------------------------- */

PyObject *open_result(PyObject *module, PyObject *args) {
  PyObject *type;
  const char *path;
  if (!PyArg_ParseTuple(args, "Os", &type, &path)) return NULL;
  owner_object *owner = new_owner(module, NULL);
  if (!owner || !make_context(owner, 1)) {
    release_owner(owner);
    return NULL;
  }
  picus_status status;
  Py_BEGIN_ALLOW_THREADS status = picus_result_open(owner->context, path, &owner->result);
  Py_END_ALLOW_THREADS if (!status) return new_handle(type, state_of(module)->result, owner);
  raise_error(owner->context, status);
  release_owner(owner);
  return NULL;
}

static PyObject *result_values(PyObject *self, PyObject *column) {
  owner_object *owner = owner_of(self);
  const double *values;
  int ok = owner != NULL;
  const int k = (int)integer_argument(column, INT_MIN, INT_MAX, &ok);
  if (!ok) return NULL;
  picus_status status = picus_result_values(owner->result, k, &values);
  if (status) return raise_error(owner->context, status);
  return new_view(owner, values, picus_result_row_count(owner->result), "d");
}

static PyObject *result_switchings(PyObject *self, PyObject *unused) {
  owner_object *owner = owner_of(self);
  const picus_switching *all = NULL;
  (void)unused;
  if (!owner) return NULL;
  const Py_ssize_t count = picus_result_switching_count(owner->result);
  picus_status status = count > 0 ? picus_result_switchings(owner->result, &all) : PICUS_OK;
  if (status) return raise_error(owner->context, status);
  return new_view(owner, all, count * (Py_ssize_t)sizeof *all, "B");
}

static PyObject *result_event_states(PyObject *self, PyObject *unused) {
  owner_object *owner = owner_of(self);
  picus_event_states all;
  (void)unused;
  if (!owner) return NULL;
  picus_status status = picus_result_event_states(owner->result, &all);
  return status ? raise_error(owner->context, status) : states_object(&all);
}

static PyObject *result_contacts(PyObject *self, PyObject *row) {
  owner_object *owner = owner_of(self);
  const picus_contact_point *contacts = NULL;
  int ok = owner != NULL;
  const long k = integer_argument(row, LONG_MIN, LONG_MAX, &ok);
  if (!ok) return NULL;
  const int count = picus_result_contact_count(owner->result, k);
  picus_status status = count > 0 ? picus_result_contacts(owner->result, k, &contacts) : PICUS_OK;
  if (status) return raise_error(owner->context, status);
  /* the library reuses this memory for the next row, so it is copied */
  return PyByteArray_FromStringAndSize((const char *)contacts, count * (Py_ssize_t)sizeof *contacts);
}

static picus_node_table table_of_result(const void *result, int k) { return picus_result_node_table_at(result, k); }
static PyObject *result_node_tables(PyObject *self, PyObject *unused) {
  picus_result *result = picus_result_of(self);
  (void)unused;
  return result ? node_tables_object(picus_result_node_table_count(result), table_of_result, result) : NULL;
}

/* Displacements or velocities of the nodes in all rows that have them, read from the file. */
static PyObject *result_nodes(PyObject *self, PyObject *args) {
  owner_object *owner = owner_of(self);
  int table, velocities;
  if (!owner || !PyArg_ParseTuple(args, "ip", &table, &velocities)) return NULL;
  const picus_node_table t = picus_result_node_table_at(owner->result, table);
  const long rows = picus_result_node_table_rows(owner->result, table);
  const Py_ssize_t size = (Py_ssize_t)t.node_count * t.component_count * (Py_ssize_t)sizeof(double);
  PyObject *bytes = PyByteArray_FromStringAndSize(NULL, rows * size);
  if (!bytes) return NULL;
  double *values[2] = {NULL, NULL};
  values[velocities] = (double *)PyByteArray_AsString(bytes);
  picus_status status = picus_result_node_table_read(owner->result, table, 0, rows, values);
  if (!status) return bytes;
  Py_DECREF(bytes);
  return raise_error(owner->context, status);
}

/* All texts and numbers stored with the run. */
static PyObject *result_notes(PyObject *self, PyObject *unused) {
  picus_result *result = picus_result_of(self);
  PyObject *dict = result ? PyDict_New() : NULL;
  bool is_text;
  const char *key;
  (void)unused;
  for (int k = 0; dict && (key = picus_result_key(result, k, &is_text)); k++)
    put(&dict, key,
        is_text ? text_object(picus_result_text(result, key)) : PyFloat_FromDouble(picus_result_number(result, key)));
  return dict;
}

static picus_plot_panel result_panel(const void *result, int k) { return picus_result_plot(result, k); }
static PyObject *result_plots(PyObject *self, PyObject *unused) {
  picus_result *result = picus_result_of(self);
  (void)unused;
  return result ? panels_object(picus_result_plot_count(result), result_panel, result) : NULL;
}

/* The page of picus view, as text of HTML. */
static PyObject *result_page(PyObject *self, PyObject *name) {
#ifdef PICUS_WITHOUT_HDF5
  (void)self, (void)name;
  return raise_text(PICUS_ERROR_UNSUPPORTED, "this build of Picus has no HDF5, so it cannot make pages of results");
#else
  owner_object *owner = owner_of(self);
  int ok = owner != NULL;
  const char *title = text_argument(name, &ok);
  if (!ok) return NULL;
  picus_json text = {0};
  const picus_page_source source = {owner->result, title};
  picus_status status = picus_json_begin(owner->context, &text);
  if (!status) status = picus_page_write(owner->context, 1, &source, &text);
  PyObject *page =
      status ? raise_error(owner->context, status) : PyUnicode_DecodeUTF8(text.bytes, (Py_ssize_t)text.size, "replace");
  if (text.powers) picus_json_release(&text);
  return page;
#endif
}

static PyMethodDef result_methods[] = {{"values", result_values, METH_O, "View of a column."},
                                       {"switchings", result_switchings, METH_NOARGS, "Bytes of Switching."},
                                       {"event_states", result_event_states, METH_NOARGS, "States at events."},
                                       {"contacts", result_contacts, METH_O, "Bytes of ContactPoint of a row."},
                                       {"notes", result_notes, METH_NOARGS, "Texts and numbers of the run."},
                                       {"plots", result_plots, METH_NOARGS, "Panels of the default figure."},
                                       {"node_tables", result_node_tables, METH_NOARGS, "Tables of nodes."},
                                       {"nodes", result_nodes, METH_VARARGS, "Bytes of the nodes of all rows."},
                                       {"page", result_page, METH_O, "The page that shows the motion."},
                                       RESULT_METHODS{NULL, NULL, 0, NULL}};
HANDLE_TYPE(result_spec, "picus._core.Result", Py_TPFLAGS_BASETYPE, result_methods, "A result file.")

/* --- comparisons and references --------------------------------------------------------------------------------- */

static PyObject *comparison_dict(const picus_comparison *c) {
  PyObject *dict = PyDict_New(), *columns = PyDict_New(), *laws = PyDict_New();
  for (int k = 0; columns && k < c->column_count; k++)
    put(&columns, c->columns[k].name, picus_column_error_dict(&c->columns[k]));
  for (int k = 0; laws && k < c->law_count; k++) put(&laws, c->laws[k].law, picus_law_match_dict(&c->laws[k]));
  put(&dict, "rows", PyLong_FromLong(c->rows));
  put(&dict, "common", PyLong_FromLong(c->common));
  put(&dict, "interpolated", PyLong_FromLong(c->interpolated));
  put(&dict, "accuracy", PyFloat_FromDouble(c->accuracy));
  put(&dict, "columns", columns);
  put(&dict, "laws", laws);
  return dict;
}

PyObject *compare_results(PyObject *module, PyObject *args) {
  const char *paths[2];
  picus_result *results[2] = {NULL, NULL};
  picus_comparison *comparison = NULL;
  if (!PyArg_ParseTuple(args, "ss", &paths[0], &paths[1])) return NULL;
  owner_object *owner = new_owner(module, NULL);
  if (!owner || !make_context(owner, 1)) {
    release_owner(owner);
    return NULL;
  }
  picus_status status = PICUS_OK;
  Py_BEGIN_ALLOW_THREADS for (int k = 0; !status && k < 2; k++) status =
      picus_result_open(owner->context, paths[k], &results[k]);
  if (!status) status = picus_result_compare(owner->context, results[0], results[1], 0, NULL, &comparison);
  Py_END_ALLOW_THREADS PyObject *dict = status ? raise_error(owner->context, status) : comparison_dict(comparison);
  picus_comparison_destroy(owner->context, comparison);
  for (int k = 0; k < 2; k++) picus_result_close(results[k]);
  release_owner(owner);
  return dict;
}

static int watch_search(void *user, int attempt, double t, double t_end, long steps) {
  (void)attempt, (void)t, (void)t_end, (void)steps;
  return interrupted(user, NULL);
}

PyObject *search_reference(PyObject *module, PyObject *args, PyObject *kwargs) {
  static char *keys[] = {"model", "options", "path", "accuracy", "work", NULL};
  PyObject *model_handle, *dict;
  const char *path;
  double accuracy, work = 2e7;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O!sd|d", keys, state_of(module)->model, &model_handle, &PyDict_Type,
                                   &dict, &path, &accuracy, &work))
    return NULL;
  owner_object *model = owner_of(model_handle);
  picus_sim_options options;
  if (!model || !picus_model_of(model_handle) || !get_run_options(model, dict, &options)) return NULL;
  owner_object *owner = new_owner(module, (PyObject *)model);
  picus_reference_report *report = PyMem_Calloc(1, sizeof *report);
  PyObject *result = NULL;
  if (!report) PyErr_NoMemory();
  if (owner && report && make_context(owner, 1)) {
    const picus_run_description run = {model->model, model->system, &options, "picus.reference"};
    const picus_reference_options search = {
        .accuracy = accuracy, .work_most = (long)work, .path = path, .progress = watch_search, .user = owner};
    picus_status status;
    Py_BEGIN_ALLOW_THREADS status = picus_reference_search(owner->context, &run, &search, report);
    Py_END_ALLOW_THREADS const int is_answer = !status || status == PICUS_NOT_CONVERGED;
    if (!restore_exception(owner) && !is_answer) raise_error(owner->context, status);
    if (is_answer && !PyErr_Occurred())
      result = Py_BuildValue("{sOsdsisl}", "reached", report->reached ? Py_True : Py_False, "accuracy",
                             report->accuracy, "attempts", report->attempt_count, "base_steps", report->base_steps);
  }
  release_owner(owner);
  PyMem_Free(report);
  return result;
}
