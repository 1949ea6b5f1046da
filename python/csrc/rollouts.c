/* Rollouts: many runs of one model on the threads of the library. */
#include "core.h"

/* Names of a list; NULL with an exception. The texts belong to the list. */
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

/* Called by any thread: only the main one learns of Ctrl-C. */
static int look(void *user, long done, long count) {
  (void)done, (void)count;
  return interrupted(user, &((owner_object *)user)->last_look);
}

/* An array, or None. */
static int get_array(PyObject *object, const char *name, Py_ssize_t count, Py_buffer *buffer, const double **out) {
  if (object == Py_None) return 1;
  if (!get_numbers(object, name, count, buffer)) return 0;
  *out = buffer->buf;
  return 1;
}

PyObject *make_rollout(PyObject *module, PyObject *args, PyObject *kwargs) {
  static char *keys[] = {"cls", "model",  "options",   "count",  "names",   "values",  "q",
                         "u",   "inputs", "intervals", "forces", "columns", "threads", NULL};
  PyObject *type, *model_handle, *dict, *names, *values, *q, *u, *inputs, *forces;
  Py_buffer buffers[4] = {{0}};
  picus_rollout_def def = picus_default_rollout_def();
  int threads, ok;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO!O!lO!OOOO!lOzi", keys, &type, state_of(module)->model,
                                   &model_handle, &PyDict_Type, &dict, &def.count, &PyList_Type, &names, &values, &q,
                                   &u, &PyList_Type, &inputs, &def.interval_count, &forces, &def.columns, &threads))
    return NULL;
  owner_object *model = owner_of(model_handle);
  if (!model || !picus_model_of(model_handle)) return NULL;
  def.model = model->model;
  def.system = model->system;
  const char **parameter_names = get_names(names, &def.parameter_count);
  const char **input_names = parameter_names ? get_names(inputs, &def.input_count) : NULL;
  def.parameters = parameter_names;
  def.inputs = input_names;
  ok = input_names && get_array(values, "parameters", def.count * def.parameter_count, &buffers[0], &def.values) &&
       get_array(q, "q", def.count * picus_system_nq(def.system), &buffers[1], &def.q) &&
       get_array(u, "u", def.count * picus_system_nu(def.system), &buffers[2], &def.u) &&
       get_array(forces, "inputs", def.count * def.interval_count * def.input_count, &buffers[3], &def.input_values);
  picus_sim_options options;
  owner_object *owner = NULL;
  picus_status status = PICUS_OK;
  if (ok) {
    ok = get_run_options(model, dict, &options) && (owner = new_owner(module, (PyObject *)model)) &&
         make_context(owner, threads);
  }
  if (ok) {
    def.options = &options;
    def.progress = look;
    def.user = owner;
    Py_BEGIN_ALLOW_THREADS status = picus_rollout_create(owner->context, &def, &owner->rollout);
    Py_END_ALLOW_THREADS ok = !restore_exception(owner) && (!status || raise_error(owner->context, status));
  }
  for (int k = 0; k < 4; k++)
    if (buffers[k].obj) PyBuffer_Release(&buffers[k]);
  PyMem_Free(input_names);
  PyMem_Free(parameter_names);
  if (ok) return new_handle(type, state_of(module)->rollout, owner);
  release_owner(owner);
  return NULL;
}

static PyObject *values(PyObject *self, PyObject *unused) {
  picus_rollout *r = picus_rollout_of(self);
  (void)unused;
  if (!r) return NULL;
  const Py_ssize_t count = picus_rollout_count(r) * picus_rollout_rows(r) * picus_rollout_column_count(r);
  return new_view(((handle_object *)self)->owner, picus_rollout_values(r), count, "d");
}

static PyObject *ends(PyObject *self, PyObject *unused) {
  picus_rollout *r = picus_rollout_of(self);
  (void)unused;
  if (!r) return NULL;
  return new_view(((handle_object *)self)->owner, picus_rollout_ends(r),
                  picus_rollout_count(r) * (Py_ssize_t)sizeof(picus_rollout_end), "B");
}

static PyObject *message(PyObject *self, PyObject *run) {
  picus_rollout *r = picus_rollout_of(self);
  int ok = r != NULL;
  const long k = integer_argument(run, 0, r ? picus_rollout_count(r) - 1 : 0, &ok);
  return ok ? text_object(picus_rollout_ends(r)[k].message) : NULL;
}

static PyMethodDef methods[] = {{"values", values, METH_NOARGS, "View of runs x rows x columns."},
                                {"ends", ends, METH_NOARGS, "Bytes of RolloutEnd."},
                                {"message", message, METH_O, "Why a run ended; empty: it reached t_end."},
                                ROLLOUT_METHODS{NULL, NULL, 0, NULL}};
HANDLE_TYPE(rollout_spec, "picus._core.Rollout", Py_TPFLAGS_BASETYPE, methods, "The rows of many runs.")
