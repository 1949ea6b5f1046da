/* Models: from files, from texts, and from functions for the matrices of their equations. */
#include "core.h"

#include <stdint.h>
#include <string.h>

/* --- from files and texts --------------------------------------------------------------------------------------- */

static int stop_derivation(void *user) { return interrupted(user, &((owner_object *)user)->last_look); }

/* handles: the most that a simulation can pull at; 0: none. */
static int derive(owner_object *owner, int handles) {
  const picus_derivation derivation = {.interrupt = stop_derivation, .user = owner};
  picus_status status = handles ? picus_model_add_handles(owner->model, handles) : PICUS_OK;
  if (status) return raise_error(owner->context, status) != NULL;
  Py_BEGIN_ALLOW_THREADS status = picus_system_create_within(owner->model, &derivation, &owner->system);
  Py_END_ALLOW_THREADS if (restore_exception(owner)) return 0;
  return status ? raise_error(owner->context, status) != NULL : 1;
}

/* The files of a dictionary of names and bytes; NULL with an exception if they are others. */
static picus_model_file *get_files(PyObject *dict, int *count) {
  PyObject *key, *value;
  Py_ssize_t at = 0, size;
  int ok = 1;
  char *bytes;
  picus_model_file *files = PyMem_Calloc((size_t)PyDict_Size(dict) + 1, sizeof *files);
  if (!files) return (picus_model_file *)PyErr_NoMemory();
  for (*count = 0; ok && PyDict_Next(dict, &at, &key, &value); ++*count) {
    files[*count].name = text_argument(key, &ok);
    if (ok && PyBytes_AsStringAndSize(value, &bytes, &size)) ok = 0;
    if (!ok) break;
    files[*count].bytes = bytes;
    files[*count].size = (size_t)size;
  }
  if (ok) return files;
  PyMem_Free(files);
  return NULL;
}

static int load(owner_object *owner, const char *path, const char *text, Py_ssize_t length, PyObject *parameters,
                PyObject *named, const char *folder) {
  picus_load_options options = {.has_files = named != Py_None, .folder = folder};
  picus_override *overrides = get_overrides(parameters, &options.override_count);
  picus_model_file *files = overrides && options.has_files ? get_files(named, &options.file_count) : NULL;
  picus_status status = PICUS_OK;
  const int ok = overrides && (!options.has_files || files);
  options.overrides = overrides;
  options.files = files;
  if (ok) {
    Py_BEGIN_ALLOW_THREADS status =
        text ? picus_model_load_text(owner->context, path, text, (size_t)length, &options, &owner->model)
             : picus_model_load(owner->context, path, &options, &owner->model);
    Py_END_ALLOW_THREADS
  }
  if (ok && status) raise_error(owner->context, status);
  PyMem_Free(files);
  PyMem_Free(overrides);
  return ok && !status;
}

PyObject *load_model(PyObject *module, PyObject *args, PyObject *kwargs) {
  static char *keys[] = {"cls", "path", "parameters", "text", "files", "folder", "handles", NULL};
  PyObject *type, *parameters, *files = Py_None;
  const char *path, *text = NULL, *folder = NULL;
  Py_ssize_t length = 0;
  int handles = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OsO!|z#Ozi", keys, &type, &path, &PyDict_Type, &parameters, &text,
                                   &length, &files, &folder, &handles))
    return NULL;
  if (files != Py_None && !PyDict_Check(files)) {
    PyErr_SetString(PyExc_TypeError, "files must be None or a dictionary");
    return NULL;
  }
  owner_object *owner = new_owner(module, NULL);
  if (owner && make_context(owner, 1) && load(owner, path, text, length, parameters, files, folder) &&
      derive(owner, handles))
    return new_handle(type, state_of(module)->model, owner);
  release_owner(owner);
  return NULL;
}

/* --- readers: a builder finds its mistakes at the keyword --------------------------------------------------------- */

PyObject *new_reader(PyObject *module, PyObject *args) {
  const char *name, *folder = NULL;
  if (!PyArg_ParseTuple(args, "s|z", &name, &folder)) return NULL;
  owner_object *owner = new_owner(module, NULL);
  if (owner && folder) owner->folder = PyBytes_FromString(folder);
  if (!owner || (folder && !owner->folder) || !make_context(owner, 1)) {
    release_owner(owner);
    return NULL;
  }
  owner->reading.folder = folder ? PyBytes_AsString(owner->folder) : NULL;
  picus_status status = picus_model_reader_create(owner->context, name, &owner->reading, &owner->reader);
  PyTypeObject *type = state_of(module)->reader;
  if (!status) return new_handle((PyObject *)type, type, owner);
  raise_error(owner->context, status);
  release_owner(owner);
  return NULL;
}

static PyObject *add_piece(PyObject *self, PyObject *args) {
  owner_object *owner = owner_of(self);
  const char *text;
  Py_ssize_t length;
  if (!owner || !PyArg_ParseTuple(args, "s#", &text, &length)) return NULL;
  picus_status status = picus_model_reader_add(owner->reader, text, (size_t)length);
  if (status) return raise_error(owner->context, status);
  Py_RETURN_NONE;
}

static PyMethodDef reader_methods[] = {{"add", add_piece, METH_VARARGS, "Runs the next piece of the text."},
                                       {NULL, NULL, 0, NULL}};
HANDLE_TYPE(reader_spec, "picus._core.Reader", 0, reader_methods,
            "Reads the text of a model piece by piece, to find mistakes early.")

/* --- from functions --------------------------------------------------------------------------------------------- */

/* Calls a function of the user with t, q and u, and copies the arrays that it returns. A function of NULL leaves zeros.
 */
static int call(owner_object *owner, const char *name, double t, const double *q, const double *u, int out_count,
                double *const *out, const Py_ssize_t *sizes) {
  PyGILState_STATE gil = PyGILState_Ensure();
  int failed = 1;
  const Py_ssize_t nq = owner->nq, nu = owner->nu;
  int ok = 1;
  PyObject *function = owner->callables ? find_item(owner->callables, name, &ok) : NULL;
  PyObject *convert = owner->callables ? find_item(owner->callables, "convert", &ok) : NULL;
  /* the arrays of q and u are copies: a user may keep them */
  PyObject *result = NULL;
  if (function && convert)
    result = PyObject_CallFunction(convert, "Ody#y#i", function, t, (const char *)q, nq * (Py_ssize_t)sizeof *q,
                                   (const char *)(u ? u : q), (u ? nu : 0) * (Py_ssize_t)sizeof *u, out_count);
  if (result && PyTuple_Check(result) && PyTuple_Size(result) == out_count) {
    failed = 0;
    for (int k = 0; !failed && k < out_count; k++) {
      Py_buffer buffer;
      failed = !get_numbers(PyTuple_GetItem(result, k), name, sizes[k], &buffer);
      if (failed) break;
      memcpy(out[k], buffer.buf, (size_t)buffer.len);
      PyBuffer_Release(&buffer);
    }
  } else if (result)
    PyErr_Format(PyExc_TypeError, "the function %s must return %d arrays", name, out_count);
  else if (!PyErr_Occurred())
    PyErr_Format(PyExc_RuntimeError, "the function %s is gone", name);
  if (failed) keep_exception(owner);
  Py_XDECREF(result);
  PyGILState_Release(gil);
  return failed;
}

static Py_ssize_t laws(const owner_object *o) { return o->laws; }
static Py_ssize_t rows(const owner_object *o) { return o->rows; }
static Py_ssize_t nu_of(const owner_object *o) { return o->nu; }
static Py_ssize_t nq_of(const owner_object *o) { return o->nq; }

static int call_mass(void *user, double t, const double *q, double *M) {
  return call(user, "mass", t, q, NULL, 1, (double *[]){M}, (Py_ssize_t[]){nu_of(user) * nu_of(user)});
}
static int call_force(void *user, double t, const double *q, const double *u, double *h) {
  return call(user, "force", t, q, u, 1, (double *[]){h}, (Py_ssize_t[]){nu_of(user)});
}
static int call_gaps(void *user, double t, const double *q, double *gap) {
  return call(user, "gaps", t, q, NULL, 1, (double *[]){gap}, (Py_ssize_t[]){laws(user)});
}
static int call_directions(void *user, double t, const double *q, double *W, double *chi) {
  return call(user, "directions", t, q, NULL, 2, (double *[]){W, chi},
              (Py_ssize_t[]){rows(user) * nu_of(user), rows(user)});
}
static int call_rate(void *user, double t, const double *q, const double *u, double *q_dot) {
  return call(user, "rate", t, q, u, 1, (double *[]){q_dot}, (Py_ssize_t[]){nq_of(user)});
}
static int call_energy(void *user, double t, const double *q, const double *u, double *kinetic, double *potential) {
  return call(user, "energy", t, q, u, 2, (double *[]){kinetic, potential}, (Py_ssize_t[]){1, 1});
}

/* A function as given: one of Python, or the address of one in C, such as cfunc.address of numba. */
static int choose(PyObject *callables, const char *name, void *python, void **out) {
  int ok = 1;
  PyObject *function = find_item(callables, name, &ok);
  if (!function || function == Py_None) return ok;
  if (PyLong_Check(function)) {
    enum { FIRST_PAGE = 4096 }; /* numbers below are no addresses */
    const unsigned long long address = PyLong_AsUnsignedLongLong(function);
    if (PyErr_Occurred()) return 0;
    if (address < FIRST_PAGE || address > UINTPTR_MAX >> 1) {
      PyErr_Format(PyExc_ValueError, "%s: %llu is not the address of a function", name, address);
      return 0;
    }
    *out = (void *)(uintptr_t)address;
    return 1;
  }
  if (!PyCallable_Check(function)) {
    PyErr_Format(PyExc_TypeError, "%s must be a function, or the address of one in C", name);
    return 0;
  }
  *out = python;
  return 1;
}

/* (name, kind, has_gap, slips, mu or reservoir, eN, eF) for each law */
static picus_system_law *get_laws(PyObject *list, int *count) {
  *count = (int)PyList_Size(list);
  picus_system_law *laws = PyMem_Calloc((size_t)*count + 1, sizeof *laws);
  if (!laws) return (picus_system_law *)PyErr_NoMemory();
  for (int k = 0; k < *count; k++) {
    picus_system_law *l = &laws[k];
    int kind, has_gap;
    double radius;
    PyObject *item = PyList_GetItem(list, k);
    if (!PyTuple_Check(item)) PyErr_SetString(PyExc_TypeError, "a law must be a tuple");
    if (PyTuple_Check(item) &&
        PyArg_ParseTuple(item, "sipiddd", &l->name, &kind, &has_gap, &l->slips, &radius, &l->eN, &l->eF)) {
      l->kind = (picus_law_kind)kind;
      l->has_gap = has_gap;
      *(l->kind == PICUS_RESERVOIR ? &l->reservoir : &l->mu) = radius;
      continue;
    }
    PyMem_Free(laws);
    return NULL;
  }
  return laws;
}

PyObject *model_from_functions(PyObject *module, PyObject *args, PyObject *kwargs) {
  static char *keys[] = {"cls", "q", "u", "laws", "functions", "constant_mass", "constant_directions", NULL};
  PyObject *type, *q, *u, *list, *callables;
  int constant_mass = 0, constant_directions = 0, law_count = 0;
  Py_buffer q_start, u_start;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOOO!O!|pp", keys, &type, &q, &u, &PyList_Type, &list, &PyDict_Type,
                                   &callables, &constant_mass, &constant_directions))
    return NULL;
  if (!get_numbers(q, "q", -1, &q_start)) return NULL;
  if (!get_numbers(u, "u", -1, &u_start)) {
    PyBuffer_Release(&q_start);
    return NULL;
  }
  picus_system_functions f = {.nq = (int)(q_start.len / (Py_ssize_t)sizeof(double)),
                              .nu = (int)(u_start.len / (Py_ssize_t)sizeof(double)),
                              .q_start = q_start.buf,
                              .u_start = u_start.buf,
                              .mass_is_constant = constant_mass,
                              .directions_are_constant = constant_directions};
  picus_system_law *all = get_laws(list, &law_count);
  f.laws = all;
  f.law_count = law_count;
  owner_object *owner = all ? new_owner(module, NULL) : NULL;
  int ok = owner && make_context(owner, 1) && choose(callables, "mass", call_mass, (void **)&f.mass) &&
           choose(callables, "force", call_force, (void **)&f.force) &&
           choose(callables, "gaps", call_gaps, (void **)&f.gaps) &&
           choose(callables, "directions", call_directions, (void **)&f.directions) &&
           choose(callables, "rate", call_rate, (void **)&f.rate) &&
           choose(callables, "energy", call_energy, (void **)&f.energy);
  if (ok) {
    Py_INCREF(callables);
    owner->callables = callables;
    owner->nq = f.nq;
    owner->nu = f.nu;
    owner->laws = law_count;
    for (int k = 0; k < law_count; k++)
      owner->rows += all[k].slips + (all[k].kind != PICUS_RESERVOIR && all[k].kind != PICUS_ROLLING);
    picus_status status = picus_system_from_functions(owner->context, &f, owner, &owner->system);
    ok = !restore_exception(owner) && (!status || raise_error(owner->context, status));
  }
  PyMem_Free(all);
  PyBuffer_Release(&u_start);
  PyBuffer_Release(&q_start);
  if (ok) return new_handle(type, state_of(module)->model, owner);
  release_owner(owner);
  return NULL;
}

/* --- methods ---------------------------------------------------------------------------------------------------- */

/* Names and bytes of the files that the model file names, for load_model. */
static PyObject *files(PyObject *self, PyObject *unused) {
  picus_model *model = picus_model_of(self);
  PyObject *dict = model ? PyDict_New() : NULL;
  (void)unused;
  for (int k = 0; dict && k < picus_model_file_count(model); k++) {
    const picus_model_file file = picus_model_file_at(model, k);
    put(&dict, file.name, PyBytes_FromStringAndSize(file.bytes, (Py_ssize_t)file.size));
  }
  return dict;
}

static picus_plot_panel panel(const void *model, int k) { return picus_model_plot(model, k); }
static PyObject *plots(PyObject *self, PyObject *unused) {
  picus_model *model = picus_model_of(self);
  (void)unused;
  return model ? panels_object(picus_model_plot_count(model), panel, model) : NULL;
}

static PyObject *start(PyObject *self, PyObject *unused) {
  picus_system *system = picus_system_of(self);
  (void)unused;
  if (!system) return NULL;
  const Py_ssize_t nq = picus_system_nq(system), nu = picus_system_nu(system);
  const Py_ssize_t size = (Py_ssize_t)sizeof(double);
  PyObject *q = PyByteArray_FromStringAndSize(NULL, nq * size), *u = PyByteArray_FromStringAndSize(NULL, nu * size);
  if (q && u) picus_system_start(system, (double *)PyByteArray_AsString(q), (double *)PyByteArray_AsString(u));
  if (q && u) return Py_BuildValue("(NN)", q, u);
  Py_XDECREF(q);
  Py_XDECREF(u);
  return NULL;
}

static PyMethodDef methods[] = {{"files", files, METH_NOARGS, "Files that the model file names, with their bytes."},
                                {"plots", plots, METH_NOARGS, "Panels of the default figure: (x, [y, ...])."},
                                {"start", start, METH_NOARGS, "Initial q and u as bytes of float64."},
                                MODEL_METHODS{NULL, NULL, 0, NULL}};
HANDLE_TYPE(model_spec, "picus._core.Model", Py_TPFLAGS_BASETYPE, methods,
            "A model and its equations, which do not change.")
