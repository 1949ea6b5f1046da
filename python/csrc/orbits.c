/* Derivatives of runs, and periodic orbits. */
#include "core.h"

/* Names of a list; they belong to it. */
static const char **get_names(PyObject *list, int *count) {
  int ok = 1;
  *count = (int)PyList_Size(list);
  const char **names = PyMem_Calloc((size_t)*count + 1, sizeof *names);
  if (!names) return (const char **)PyErr_NoMemory();
  for (int k = 0; ok && k < *count; k++) names[k] = text_argument(PyList_GetItem(list, k), &ok);
  if (ok) return names;
  PyMem_Free(names);
  return NULL;
}

/* Options of an adaptive run, whose sequence of switching points is followed. */
static int get_options(owner_object *model, PyObject *dict, picus_sim_options *out) {
  int ok = 1;
  if (!get_run_options(model, dict, out)) return 0;
  if (!out->adaptive && !find_item(dict, "scheme", &ok) && ok)
    out->scheme = picus_adaptive_scheme(model->context, model->system, out->t_start);
  out->adaptive = true;
  return ok;
}

/* --- derivatives -------------------------------------------------------------------------------------------------- */

typedef struct sensitivity_files {
  const char *columns, *hdf5, *csv;
} sensitivity_files;

/* The rows with their derivatives, to memory and to files. */
static picus_status record_rows(owner_object *owner, const picus_sensitivity *s, const picus_run_description *run,
                                const sensitivity_files *files) {
  picus_recorder *recorder = NULL;
  picus_status status = picus_sensitivity_recorder(s, run, &recorder);
  if (!status && files->columns) status = picus_recorder_select(recorder, files->columns);
  if (!status) status = picus_memory_create(owner->context, &owner->memory);
  if (!status) status = picus_recorder_add_memory(recorder, owner->memory, 0);
  if (!status && files->hdf5) status = picus_recorder_add_hdf5(recorder, files->hdf5);
  if (!status && files->csv) status = picus_recorder_add_csv(recorder, files->csv);
  if (!status) status = picus_sensitivity_record(s, recorder);
  picus_recorder_destroy(recorder);
  return status;
}

PyObject *differentiate(PyObject *module, PyObject *args) {
  PyObject *type, *model_handle, *dict, *names;
  sensitivity_files files;
  if (!PyArg_ParseTuple(args, "OO!O!O!zzz", &type, state_of(module)->model, &model_handle, &PyDict_Type, &dict,
                        &PyList_Type, &names, &files.columns, &files.hdf5, &files.csv))
    return NULL;
  owner_object *model = owner_of(model_handle), *owner = NULL;
  if (!model || !picus_model_of(model_handle)) return NULL;
  picus_sim_options options;
  picus_sensitivity_def def = {.model = model->model, .system = model->system, .options = &options};
  picus_sensitivity *s = NULL;
  const char **texts = get_names(names, &def.name_count);
  def.names = texts;
  int ok = texts && get_options(model, dict, &options) && (owner = new_owner(module, (PyObject *)model)) &&
           make_context(owner, 1);
  if (ok) {
    const picus_run_description run = {model->model, model->system, &options, "python"};
    picus_status status;
    Py_BEGIN_ALLOW_THREADS status = picus_sensitivity_create(owner->context, &def, &s);
    if (!status) status = record_rows(owner, s, &run, &files);
    picus_sensitivity_destroy(s);
    Py_END_ALLOW_THREADS ok = !status || raise_error(owner->context, status);
  }
  PyMem_Free(texts);
  if (ok) return new_handle(type, state_of(module)->record, owner);
  release_owner(owner);
  return NULL;
}

/* --- orbits ------------------------------------------------------------------------------------------------------- */

PyObject *make_orbit(PyObject *module, PyObject *args) {
  PyObject *type, *model_handle, *dict;
  picus_orbit_def def = {0};
  if (!PyArg_ParseTuple(args, "OO!O!zdii", &type, state_of(module)->model, &model_handle, &PyDict_Type, &dict,
                        &def.section, &def.period, &def.skip, &def.turns))
    return NULL;
  owner_object *model = owner_of(model_handle), *owner = NULL;
  if (!model || !picus_model_of(model_handle)) return NULL;
  picus_sim_options options;
  def.model = model->model;
  def.system = model->system;
  def.options = &options;
  int ok =
      get_options(model, dict, &options) && (owner = new_owner(module, (PyObject *)model)) && make_context(owner, 1);
  if (ok) {
    picus_status status;
    Py_BEGIN_ALLOW_THREADS status = picus_orbit_create(owner->context, &def, &owner->orbit);
    Py_END_ALLOW_THREADS ok = !status || raise_error(owner->context, status);
  }
  if (ok) return new_handle(type, state_of(module)->orbit, owner);
  release_owner(owner);
  return NULL;
}

static PyObject *orbit_view(PyObject *self, const double *(*numbers)(const picus_orbit *), int is_matrix) {
  const picus_orbit *orbit = picus_orbit_of(self);
  if (!orbit) return NULL;
  const Py_ssize_t n = picus_orbit_state_count(orbit);
  return new_view(((handle_object *)self)->owner, numbers(orbit), is_matrix ? n * n : n, "d");
}
static PyObject *state_view(PyObject *self, PyObject *unused) {
  (void)unused;
  return orbit_view(self, picus_orbit_state, 0);
}
static PyObject *shift_view(PyObject *self, PyObject *unused) {
  (void)unused;
  return orbit_view(self, picus_orbit_shift, 0);
}
static PyObject *monodromy_view(PyObject *self, PyObject *unused) {
  (void)unused;
  return orbit_view(self, picus_orbit_monodromy, 1);
}

static PyMethodDef methods[] = {{"state_view", state_view, METH_NOARGS, "View of coordinates and velocities."},
                                {"shift_view", shift_view, METH_NOARGS, "View of their growth in a period."},
                                {"monodromy_view", monodromy_view, METH_NOARGS, "View of the derivative, by rows."},
                                ORBIT_METHODS{NULL, NULL, 0, NULL}};
HANDLE_TYPE(orbit_spec, "picus._core.Orbit", Py_TPFLAGS_BASETYPE, methods, "A periodic orbit.")

/* --- branches ----------------------------------------------------------------------------------------------------- */

static int look(void *user, const picus_orbit_branch_row *row) {
  owner_object *owner = user;
  (void)row;
  return interrupted(owner, &owner->last_look);
}

/* [(kind, note), ...] of the orbits. */
static PyObject *kinds_of(const picus_orbit_branch *branch) {
  PyObject *list = PyList_New(0);
  for (long k = 0; list && k < picus_orbit_branch_count(branch); k++) {
    const picus_orbit_branch_row row = picus_orbit_branch_row_at(branch, k);
    PyObject *pair = Py_BuildValue("(NN)", text_object(picus_orbit_kind_name((int)row.kind)), text_object(row.note));
    if (!pair || PyList_Append(list, pair)) Py_CLEAR(list);
    Py_XDECREF(pair);
  }
  return list;
}

static PyObject *sequences_of(const picus_orbit_branch *branch) {
  PyObject *list = PyList_New(0);
  for (int k = 0; list && k < picus_orbit_branch_sequence_count(branch); k++) {
    PyObject *text = text_object(picus_orbit_branch_sequence(branch, k));
    if (!text || PyList_Append(list, text)) Py_CLEAR(list);
    Py_XDECREF(text);
  }
  return list;
}

static picus_status follow(owner_object *owner, const picus_orbit_branch_def *def, const picus_run_description *run,
                           picus_orbit_branch **branch) {
  picus_recorder *recorder = NULL;
  picus_status status = picus_orbit_branch_create(owner->context, def, branch);
  if (!status) status = picus_orbit_branch_recorder(*branch, run, &recorder);
  if (!status) status = picus_memory_create(owner->context, &owner->memory);
  if (!status) status = picus_recorder_add_memory(recorder, owner->memory, 0);
  if (!status) status = picus_orbit_branch_record(*branch, recorder);
  picus_recorder_destroy(recorder);
  return status;
}

/* (record, kinds and notes, sequences) */
PyObject *follow_branch(PyObject *module, PyObject *args) {
  PyObject *type, *model_handle, *dict;
  picus_orbit_branch_def def = {.row = look};
  if (!PyArg_ParseTuple(args, "OO!O!zdziisddddli", &type, state_of(module)->model, &model_handle, &PyDict_Type, &dict,
                        &def.orbit.section, &def.orbit.period, &def.orbit.period_text, &def.orbit.skip,
                        &def.orbit.turns, &def.parameter, &def.from, &def.to, &def.step, &def.step_least, &def.most,
                        &def.doublings))
    return NULL;
  owner_object *model = owner_of(model_handle), *owner = NULL;
  if (!model || !picus_model_of(model_handle)) return NULL;
  picus_sim_options options;
  picus_orbit_branch *branch = NULL;
  def.orbit.model = model->model;
  def.orbit.system = model->system;
  def.orbit.options = &options;
  int ok =
      get_options(model, dict, &options) && (owner = new_owner(module, (PyObject *)model)) && make_context(owner, 1);
  if (ok) {
    const picus_run_description run = {model->model, model->system, &options, "python"};
    picus_status status;
    def.user = owner;
    Py_BEGIN_ALLOW_THREADS status = follow(owner, &def, &run, &branch);
    Py_END_ALLOW_THREADS ok = !restore_exception(owner) && (!status || raise_error(owner->context, status));
  }
  PyObject *kinds = ok ? kinds_of(branch) : NULL, *sequences = ok ? sequences_of(branch) : NULL, *record = NULL;
  picus_orbit_branch_destroy(branch);
  if (kinds && sequences)
    record = new_handle(type, state_of(module)->record, owner);
  else
    release_owner(owner);
  if (record) return Py_BuildValue("(NNN)", record, kinds, sequences);
  Py_XDECREF(kinds);
  Py_XDECREF(sequences);
  return NULL;
}
