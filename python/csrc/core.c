/* The module picus._core: its types, its constants, and how values and errors cross the border. */
#include "core.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

core_state *state_of(PyObject *module) { return PyModule_GetState(module); }

/* --- owners and handles ----------------------------------------------------------------------------------------- */

owner_object *new_owner(PyObject *module, PyObject *below) {
  PyTypeObject *type = state_of(module)->owner;
  allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  owner_object *owner = (owner_object *)alloc(type, 0);
  if (!owner) return NULL;
  Py_INCREF(module);
  owner->module = module;
  Py_XINCREF(below);
  owner->below = below;
  owner->process = (long)getpid();
  owner->threads = 1;
  return owner;
}

void release_owner(owner_object *owner) { Py_XDECREF((PyObject *)owner); }

int make_context(owner_object *owner, int threads) {
  picus_status status = picus_context_create(NULL, &owner->context);
  if (status) return PyErr_NoMemory() != NULL;
  if (threads == 1) return 1;
  status = picus_context_set_threads(owner->context, threads);
  if (status) return raise_error(owner->context, status) != NULL;
  owner->threads = picus_context_threads(owner->context);
  return 1;
}

static int threads_are_lost(const owner_object *owner) {
  return owner->threads > 1 && owner->process != (long)getpid();
}

static int owner_traverse(PyObject *self, visitproc visit, void *arg) {
  owner_object *owner = (owner_object *)self;
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(owner->module);
  Py_VISIT(owner->below);
  Py_VISIT(owner->callables);
  for (int k = 0; k < 3; k++) Py_VISIT(owner->kept[k]);
  return 0;
}

/* Functions of a user may refer to the object that calls them. */
static int owner_clear(PyObject *self) {
  Py_CLEAR(((owner_object *)self)->callables);
  return 0;
}

static void owner_dealloc(PyObject *self) {
  owner_object *owner = (owner_object *)self;
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  if (!threads_are_lost(owner)) { /* threads of another process cannot be ended here: their memory stays */
    picus_sim_destroy(owner->sim);
    picus_memory_destroy(owner->memory);
    picus_result_close(owner->result);
    picus_rollout_destroy(owner->rollout);
    picus_study_destroy(owner->study);
    picus_orbit_destroy(owner->orbit);
    picus_system_destroy(owner->system);
    picus_model_reader_destroy(owner->reader);
    picus_model_destroy(owner->model);
    picus_context_destroy(owner->context);
  }
  Py_XDECREF(owner->below);
  Py_XDECREF(owner->callables);
  Py_XDECREF(owner->folder);
  for (int k = 0; k < 3; k++) Py_XDECREF(owner->kept[k]);
  Py_XDECREF(owner->module);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static PyType_Slot owner_slots[] = {{Py_tp_dealloc, owner_dealloc},
                                    {Py_tp_traverse, owner_traverse},
                                    {Py_tp_clear, owner_clear},
                                    {Py_tp_doc, "Owns objects of the C library; views of their arrays refer to it."},
                                    {0, NULL}};
static PyType_Spec owner_spec = {"picus._core.Owner", sizeof(owner_object), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 owner_slots};

int handle_traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT((PyObject *)((handle_object *)self)->owner);
  return 0;
}

void handle_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  release_owner(((handle_object *)self)->owner);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

PyObject *new_handle(PyObject *type_object, PyTypeObject *base, owner_object *owner) {
  if (!owner) return NULL;
  PyTypeObject *type = (PyTypeObject *)type_object;
  if (!PyType_Check(type_object) || !PyType_IsSubtype(type, base)) {
    PyErr_Format(PyExc_TypeError, "expected a class derived from %R", base);
    release_owner(owner);
    return NULL;
  }
  allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  handle_object *handle = (handle_object *)alloc(type, 0);
  if (!handle) {
    release_owner(owner);
    return NULL;
  }
  handle->owner = owner;
  return (PyObject *)handle;
}

owner_object *owner_of(PyObject *self) {
  owner_object *owner = ((handle_object *)self)->owner;
  if (!owner) {
    PyErr_Format(PyExc_TypeError, "this %R was not made completely: call __init__ of its base class first",
                 Py_TYPE(self));
    return NULL;
  }
  if (owner->is_busy) {
    PyErr_SetString(PyExc_RuntimeError,
                    "this simulation is running in another thread; use one simulation per thread, or copies");
    return NULL;
  }
  if (threads_are_lost(owner)) {
    PyErr_SetString(PyExc_RuntimeError,
                    "this object has threads, which a fork does not copy; make it again in the new process");
    return NULL;
  }
  return owner;
}

picus_model *picus_model_of(PyObject *self) {
  owner_object *owner = owner_of(self);
  if (owner && !owner->model) PyErr_SetString(PyExc_TypeError, "this model consists of functions: it has no such data");
  return owner ? owner->model : NULL;
}
picus_system *picus_system_of(PyObject *self) {
  owner_object *owner = owner_of(self);
  return owner ? owner->system : NULL;
}
picus_sim *picus_sim_of(PyObject *self) {
  owner_object *owner = owner_of(self);
  return owner ? owner->sim : NULL;
}
picus_memory *picus_memory_of(PyObject *self) {
  owner_object *owner = owner_of(self);
  return owner ? owner->memory : NULL;
}
picus_result *picus_result_of(PyObject *self) {
  owner_object *owner = owner_of(self);
  return owner ? owner->result : NULL;
}
picus_rollout *picus_rollout_of(PyObject *self) {
  owner_object *owner = owner_of(self);
  return owner ? owner->rollout : NULL;
}
picus_orbit *picus_orbit_of(PyObject *self) {
  owner_object *owner = owner_of(self);
  return owner ? owner->orbit : NULL;
}

picus_study *picus_study_of(PyObject *self) {
  owner_object *owner = owner_of(self);
  return owner ? owner->study : NULL;
}

/* --- views ------------------------------------------------------------------------------------------------------ */

typedef struct view_object {
  PyObject_HEAD PyObject *owner;
  const void *data;
  Py_ssize_t count, size;
  char format[2];
} view_object;

PyObject *new_view(owner_object *owner, const void *data, Py_ssize_t count, const char *format) {
  static const double nothing = 0;
  PyTypeObject *type = state_of(owner->module)->view;
  allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  view_object *view = (view_object *)alloc(type, 0);
  if (!view) return NULL;
  Py_INCREF((PyObject *)owner);
  view->owner = (PyObject *)owner;
  view->data = data ? data : &nothing;
  view->count = data ? count : 0;
  view->size = *format == 'd' ? (Py_ssize_t)sizeof(double) : 1;
  view->format[0] = *format;
  return (PyObject *)view;
}

static int view_buffer(PyObject *self, Py_buffer *buffer, int flags) {
  view_object *view = (view_object *)self;
  if (flags & PyBUF_WRITABLE) {
    PyErr_SetString(PyExc_BufferError,
                    "this memory belongs to a simulation and is read-only; copy it, or use set_state");
    buffer->obj = NULL;
    return -1;
  }
  Py_INCREF(self);
  *buffer = (Py_buffer){.buf = (void *)view->data,
                        .obj = self,
                        .len = view->count * view->size,
                        .itemsize = view->size,
                        .readonly = 1,
                        .ndim = 1,
                        .format = flags & PyBUF_FORMAT ? view->format : NULL,
                        .shape = flags & PyBUF_ND ? &view->count : NULL,
                        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &view->size : NULL};
  return 0;
}

static void view_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  Py_XDECREF(((view_object *)self)->owner);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static Py_ssize_t view_length(PyObject *self) { return ((view_object *)self)->count; }

static PyType_Slot view_slots[] = {{Py_tp_dealloc, view_dealloc},
                                   {Py_bf_getbuffer, view_buffer},
                                   {Py_sq_length, view_length},
                                   {Py_tp_doc, "Read-only memory of the C library, for numpy.frombuffer."},
                                   {0, NULL}};
static PyType_Spec view_spec = {"picus._core.View", sizeof(view_object), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, view_slots};

/* --- errors ----------------------------------------------------------------------------------------------------- */

static PyObject *raise_at(picus_status status, const char *message, const char *file, int line) {
  PyObject *errors = PyImport_ImportModule("picus.errors");
  if (!errors) return NULL;
  /* interned: the cache of attributes keeps the names that are looked up, each new one again */
  PyObject *name = PyUnicode_InternFromString("make"), *make = name ? PyObject_GetAttr(errors, name) : NULL;
  PyObject *text = text_object(message), *place = text_object(file);
  PyObject *error = make && text && place ? PyObject_CallFunction(make, "iOOi", (int)status, text, place, line) : NULL;
  if (error) PyErr_SetObject((PyObject *)Py_TYPE(error), error);
  Py_XDECREF(error);
  Py_XDECREF(make);
  Py_XDECREF(name);
  Py_XDECREF(place);
  Py_XDECREF(text);
  Py_DECREF(errors);
  return NULL;
}

PyObject *raise_text(picus_status status, const char *message) { return raise_at(status, message, "", 0); }

PyObject *raise_error(const picus_context *context, picus_status status) {
  const picus_error *error = picus_last_error(context);
  if (error->status != status) return raise_text(status, picus_status_text(status));
  return raise_at(status, error->message, error->file, error->line);
}

PyObject *picus_sim_failed(PyObject *self) {
  const picus_context *context = ((handle_object *)self)->owner->context;
  return raise_error(context, picus_last_error(context)->status);
}
PyObject *picus_result_failed(PyObject *self) { return picus_sim_failed(self); }
PyObject *picus_study_failed(PyObject *self) { return picus_sim_failed(self); }

void keep_exception(owner_object *owner) {
  if (owner->kept[0])
    PyErr_Clear(); /* the first one counts */
  else
    PyErr_Fetch(&owner->kept[0], &owner->kept[1], &owner->kept[2]);
}

int restore_exception(owner_object *owner) {
  if (!owner->kept[0]) return 0;
  PyErr_Restore(owner->kept[0], owner->kept[1], owner->kept[2]);
  memset(owner->kept, 0, sizeof owner->kept);
  return 1;
}

int is_due(double *last) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  const double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
  if (fabs(seconds - *last) < 0.03) return 0;
  *last = seconds;
  return 1;
}

int interrupted(owner_object *owner, double *last) {
  if (last && !is_due(last)) return 0;
  PyGILState_STATE gil = PyGILState_Ensure();
  const int stop = PyErr_CheckSignals() != 0;
  if (stop) keep_exception(owner);
  PyGILState_Release(gil);
  return stop;
}

/* --- values ----------------------------------------------------------------------------------------------------- */

PyObject *text_object(const char *text) {
  if (!text) Py_RETURN_NONE;
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

PyObject *panels_object(int count, picus_plot_panel (*panel)(const void *, int), const void *of) {
  PyObject *list = PyList_New(0);
  for (int k = 0; list && k < count; k++) {
    const picus_plot_panel one = panel(of, k);
    PyObject *names = PyList_New(0);
    for (int i = 0; names && i < one.count; i++) {
      PyObject *name = text_object(one.y[i]);
      if (!name || PyList_Append(names, name)) Py_CLEAR(names);
      Py_XDECREF(name);
    }
    PyObject *item = names ? Py_BuildValue("(sN)", one.x, names) : NULL;
    if (!item || PyList_Append(list, item)) Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

static PyObject *texts_object(int count, const char *const *texts) {
  PyObject *items[PICUS_NODE_COMPONENTS];
  for (int k = 0; k < count; k++) items[k] = text_object(texts[k]);
  return list_of(count, items);
}

static PyObject *node_table_object(const picus_node_table *table) {
  const int n = table->component_count;
  const Py_ssize_t positions = table->positions ? 3 * table->node_count : 0;
  const Py_ssize_t elements = table->elements ? 2 * table->element_count : 0;
  PyObject *dict = PyDict_New();
  put(&dict, "name", text_object(table->name));
  put(&dict, "first", PyLong_FromLong(table->first));
  put(&dict, "node_count", PyLong_FromLong(table->node_count));
  put(&dict, "displacements", texts_object(n, table->displacements));
  put(&dict, "velocities", texts_object(n, table->velocities));
  put(&dict, "displacement_units", texts_object(n, table->displacement_units));
  put(&dict, "velocity_units", texts_object(n, table->velocity_units));
  put(&dict, "positions",
      PyByteArray_FromStringAndSize((const char *)table->positions, positions * (Py_ssize_t)sizeof(double)));
  put(&dict, "elements",
      PyByteArray_FromStringAndSize((const char *)table->elements, elements * (Py_ssize_t)sizeof(int)));
  return dict;
}

PyObject *node_tables_object(int count, picus_node_table (*table)(const void *, int), const void *of) {
  PyObject *list = PyList_New(0);
  for (int k = 0; list && k < count; k++) {
    const picus_node_table one = table(of, k);
    PyObject *item = node_table_object(&one);
    if (!item || PyList_Append(list, item)) Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

PyObject *list_of(int count, PyObject **items) {
  PyObject *list = PyList_New(count);
  for (int k = 0; k < count; k++) {
    if (!items[k] && list) {
      Py_DECREF(list);
      list = NULL;
    }
    if (list)
      PyList_SetItem(list, k, items[k]);
    else
      Py_XDECREF(items[k]);
  }
  return list;
}

void put(PyObject **dict, const char *key, PyObject *value) {
  if (*dict && (!value || PyDict_SetItemString(*dict, key, value))) {
    Py_DECREF(*dict);
    *dict = NULL;
  }
  Py_XDECREF(value);
}

int has_arguments(const char *name, Py_ssize_t count, Py_ssize_t wanted) {
  if (count == wanted) return 1;
  PyErr_Format(PyExc_TypeError, "%s() takes %zd arguments, not %zd", name, wanted, count);
  return 0;
}

long integer_argument(PyObject *object, long least, long most, int *ok) {
  if (!*ok) return 0;
  PyObject *integer = PyNumber_Index(object);
  if (!integer) return *ok = 0;
  long value = PyLong_AsLong(integer);
  Py_DECREF(integer);
  if (value == -1 && PyErr_Occurred()) return *ok = 0;
  if (value >= least && value <= most) return value;
  PyErr_Format(PyExc_OverflowError, "the integer %ld is not in the range %ld to %ld", value, least, most);
  return *ok = 0;
}

double number_argument(PyObject *object, int *ok) {
  if (!*ok) return 0;
  double value = PyFloat_AsDouble(object);
  if (value == -1 && PyErr_Occurred()) *ok = 0;
  return value;
}

int flag_argument(PyObject *object, int *ok) {
  int value = *ok ? PyObject_IsTrue(object) : 0;
  if (value < 0) *ok = 0;
  return value > 0;
}

const char *text_argument(PyObject *object, int *ok) {
  Py_ssize_t length;
  if (!*ok) return "";
  if (!PyUnicode_Check(object)) {
    PyErr_Format(PyExc_TypeError, "expected a str, not %R", Py_TYPE(object));
    *ok = 0;
    return "";
  }
  const char *text = PyUnicode_AsUTF8AndSize(object, &length);
  if (text && strlen(text) == (size_t)length) return text;
  if (text) PyErr_SetString(PyExc_ValueError, "the text has a NUL character");
  *ok = 0;
  return "";
}

static int get_items(PyObject *object, const char *name, Py_ssize_t count, const char *formats, size_t size,
                     Py_buffer *buffer) {
  if (PyObject_GetBuffer(object, buffer, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)) return 0;
  const char *format = buffer->format ? buffer->format : "B";
  while (*format == '<' || *format == '=' || *format == '@') format++;
  const int fits = strchr(formats, *format) && *format && !format[1] && buffer->itemsize == (Py_ssize_t)size;
  if (fits && (count < 0 || buffer->len == count * (Py_ssize_t)size)) return 1;
  if (fits)
    PyErr_Format(PyExc_ValueError, "%s has %zd numbers; it must have %zd", name, buffer->len / (Py_ssize_t)size, count);
  else
    PyErr_Format(PyExc_TypeError, "%s must be a contiguous array of %s", name,
                 size == sizeof(double) ? "float64" : "int32");
  PyBuffer_Release(buffer);
  return 0;
}

int get_numbers(PyObject *object, const char *name, Py_ssize_t count, Py_buffer *buffer) {
  return get_items(object, name, count, "d", sizeof(double), buffer);
}
int get_integers(PyObject *object, const char *name, Py_ssize_t count, Py_buffer *buffer) {
  return get_items(object, name, count, "il", sizeof(int), buffer);
}

PyObject *find_item(PyObject *dict, const char *key, int *ok) {
  if (!*ok) return NULL;
  PyObject *name = PyUnicode_FromString(key);
  PyObject *item = name ? PyDict_GetItemWithError(dict, name) : NULL;
  Py_XDECREF(name);
  if (!item && PyErr_Occurred()) *ok = 0;
  return item;
}

picus_setting *get_settings(PyObject *dict, int *count) {
  PyObject *key, *value;
  Py_ssize_t at = 0;
  int ok = 1;
  if (!PyDict_Check(dict)) {
    PyErr_SetString(PyExc_TypeError, "options must be a dictionary");
    return NULL;
  }
  picus_setting *settings = PyMem_Calloc((size_t)PyDict_Size(dict) + 1, sizeof *settings);
  if (!settings) return (picus_setting *)PyErr_NoMemory();
  for (*count = 0; ok && PyDict_Next(dict, &at, &key, &value); ++*count) {
    picus_setting *s = &settings[*count];
    s->name = text_argument(key, &ok);
    if (PyUnicode_Check(value))
      s->text = text_argument(value, &ok);
    else
      s->number = number_argument(value, &ok);
  }
  if (ok) return settings;
  PyMem_Free(settings);
  return NULL;
}

picus_override *get_overrides(PyObject *dict, int *count) {
  PyObject *key, *value;
  Py_ssize_t at = 0;
  int ok = 1;
  picus_override *overrides = PyMem_Calloc((size_t)PyDict_Size(dict) + 1, sizeof *overrides);
  if (!overrides) return (picus_override *)PyErr_NoMemory();
  for (*count = 0; ok && PyDict_Next(dict, &at, &key, &value); ++*count) {
    overrides[*count].name = text_argument(key, &ok);
    overrides[*count].value = number_argument(value, &ok);
  }
  if (ok) return overrides;
  PyMem_Free(overrides);
  return NULL;
}

/* --- the module ------------------------------------------------------------------------------------------------- */

static PyObject *shipped_models(PyObject *module, PyObject *unused) {
  PyObject *list = PyList_New(0);
  (void)module, (void)unused;
  for (int k = 0; list && k < picus_shipped_model_count(); k++) {
    PyObject *name = text_object(picus_shipped_model_name(k));
    if (!name || PyList_Append(list, name)) Py_CLEAR(list);
    Py_XDECREF(name);
  }
  return list;
}

static PyObject *shipped_text(PyObject *module, PyObject *name) {
  int ok = 1;
  size_t length;
  (void)module;
  const char *key = text_argument(name, &ok);
  return ok ? text_object(picus_shipped_model_text(key, &length)) : NULL;
}

/* Names and summaries of a list of the library. */
static PyObject *names(PyObject *module, PyObject *which) {
  PyObject *dict = PyDict_New();
  int ok = 1;
  (void)module;
  const char *kind = text_argument(which, &ok);
  if (!ok) Py_CLEAR(dict);
  for (int k = 0; dict && strcmp(kind, "schemes") == 0 && picus_scheme_at(k); k++)
    put(&dict, picus_scheme_at(k)->name, text_object(picus_scheme_at(k)->summary));
  for (int k = 0; dict && strcmp(kind, "solvers") == 0 && picus_solver_at(k); k++)
    put(&dict, picus_solver_at(k)->name, text_object(picus_solver_at(k)->summary));
  return dict;
}

static PyObject *status_name(PyObject *module, PyObject *status) {
  int ok = 1;
  (void)module;
  const int number = (int)integer_argument(status, INT_MIN, INT_MAX, &ok);
  return ok ? text_object(picus_status_name((picus_status)number)) : NULL;
}

static PyMethodDef functions[] = {
    {"load_model", (PyCFunction)(void (*)(void))load_model, METH_VARARGS | METH_KEYWORDS, "Reads and derives a model."},
    {"model_from_functions", (PyCFunction)(void (*)(void))model_from_functions, METH_VARARGS | METH_KEYWORDS,
     "Makes a model from functions for its matrices."},
    {"new_reader", new_reader, METH_VARARGS, "Makes a reader of a text that comes piece by piece."},
    {"new_simulation", new_simulation, METH_VARARGS, "Makes a simulation of a model."},
    {"open_result", open_result, METH_VARARGS, "Opens a result file."},
    {"compare_results", compare_results, METH_VARARGS, "Compares two result files."},
    {"search_reference", (PyCFunction)(void (*)(void))search_reference, METH_VARARGS | METH_KEYWORDS,
     "Searches for a reference solution."},
    {"rollout", (PyCFunction)(void (*)(void))make_rollout, METH_VARARGS | METH_KEYWORDS, "Makes many runs of a model."},
    {"study", make_study, METH_VARARGS, "Makes a study of a model."},
    {"orbit", make_orbit, METH_VARARGS, "Finds a periodic orbit of a model."},
    {"follow_branch", follow_branch, METH_VARARGS, "Follows periodic orbits over a parameter."},
    {"differentiate", differentiate, METH_VARARGS, "Makes a run with its derivatives."},
    {"solve_contacts", (PyCFunction)(void (*)(void))solve_contacts, METH_VARARGS | METH_KEYWORDS,
     "Solves a contact problem."},
    {"read_problem", read_problem, METH_VARARGS, "Reads a contact problem in the layout of FCLIB."},
    {"shipped_models", shipped_models, METH_NOARGS, "Names of the models that come with Picus."},
    {"shipped_text", shipped_text, METH_O, "The text of one of them; None: there is no such model."},
    {"names", names, METH_O, "Names and summaries of 'schemes' or 'solvers'."},
    {"status_name", status_name, METH_O, "PICUS_OK and so on."},
    {NULL, NULL, 0, NULL}};

static int add_constants(PyObject *module) {
  for (const constant *c = constants; c->name; c++)
    if (PyModule_AddIntConstant(module, c->name, c->value)) return -1;
#ifdef PICUS_WITHOUT_HDF5
  const long has_hdf5 = 0;
#else
  const long has_hdf5 = 1;
#endif
  if (PyModule_AddIntConstant(module, "HAS_HDF5", has_hdf5)) return -1;
  return PyModule_AddStringConstant(module, "VERSION", PICUS_VERSION);
}

/* row_types: name: (size, {field: (letters, offset, length)}) */
static int add_rows(PyObject *module) {
  PyObject *all = PyDict_New();
  for (const row_type *r = row_types; all && r->name; r++) {
    PyObject *fields = PyDict_New();
    for (const row_field *f = r->fields; fields && f->name; f++)
      put(&fields, f->name, Py_BuildValue("(sni)", f->letters, (Py_ssize_t)f->offset, f->length));
    put(&all, r->name, fields ? Py_BuildValue("(nN)", (Py_ssize_t)r->size, fields) : NULL);
  }
  if (!all) return -1;
  const int failed = PyModule_AddObjectRef(module, "row_types", all);
  Py_DECREF(all);
  return failed;
}

static int execute(PyObject *module) {
  core_state *state = state_of(module);
  const struct {
    PyType_Spec *spec;
    PyTypeObject **type;
  } types[] = {{&owner_spec, &state->owner},           {&view_spec, &state->view},     {&model_spec, &state->model},
               {&simulation_spec, &state->simulation}, {&record_spec, &state->record}, {&result_spec, &state->result},
               {&rollout_spec, &state->rollout},       {&study_spec, &state->study},   {&orbit_spec, &state->orbit},
               {&reader_spec, &state->reader}};
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    *types[k].type = (PyTypeObject *)PyType_FromModuleAndSpec(module, types[k].spec, NULL);
    if (!*types[k].type || PyModule_AddType(module, *types[k].type)) return -1;
  }
  return add_constants(module) || add_rows(module) ? -1 : 0;
}

static int visit_state(PyObject *module, visitproc visit, void *arg) {
  core_state *s = state_of(module);
  Py_VISIT(s->model);
  Py_VISIT(s->simulation);
  Py_VISIT(s->owner);
  Py_VISIT(s->view);
  Py_VISIT(s->record);
  Py_VISIT(s->result);
  Py_VISIT(s->rollout);
  Py_VISIT(s->study);
  Py_VISIT(s->orbit);
  Py_VISIT(s->reader);
  return 0;
}

static int clear_state(PyObject *module) {
  core_state *s = state_of(module);
  Py_CLEAR(s->model);
  Py_CLEAR(s->simulation);
  Py_CLEAR(s->owner);
  Py_CLEAR(s->view);
  Py_CLEAR(s->record);
  Py_CLEAR(s->result);
  Py_CLEAR(s->rollout);
  Py_CLEAR(s->study);
  Py_CLEAR(s->orbit);
  Py_CLEAR(s->reader);
  return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, {0, NULL}};
static struct PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                        .m_name = "picus._core",
                                        .m_doc = "The C library of Picus.",
                                        .m_size = sizeof(core_state),
                                        .m_methods = functions,
                                        .m_slots = slots,
                                        .m_traverse = visit_state,
                                        .m_clear = clear_state};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
