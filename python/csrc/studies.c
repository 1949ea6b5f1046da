/* Studies: many runs of a model with a few values of each, and a journal. */
#include "core.h"

#include <string.h>

/* What varies: kinds and numbers of values of the axes, all values one after the other, and pairs of ends of ranges. */
typedef struct axis_arguments {
  PyObject *names;
  Py_buffer kinds, counts, values, ranges;
  picus_study_axis *axes;
  int count;
} axis_arguments;

static int get_axes(axis_arguments *a, PyObject *kinds, PyObject *counts, PyObject *values, PyObject *ranges) {
  a->count = (int)PyList_Size(a->names);
  if (!get_integers(kinds, "kinds", a->count, &a->kinds) || !get_integers(counts, "counts", a->count, &a->counts) ||
      !get_numbers(ranges, "ranges", 2 * (Py_ssize_t)a->count, &a->ranges))
    return 0;
  const int *kind = a->kinds.buf, *number = a->counts.buf;
  const double *range = a->ranges.buf;
  Py_ssize_t total = 0;
  int ok = 1;
  for (int k = 0; k < a->count; k++) {
    ok = ok && number[k] >= 0 && kind[k] >= PICUS_AXIS_PARAMETER && kind[k] <= PICUS_AXIS_OPTION;
    total += ok ? number[k] : 0;
  }
  if (!ok) return PyErr_SetString(PyExc_ValueError, "the axes of a study have wrong kinds or counts"), 0;
  if (!get_numbers(values, "values", total, &a->values)) return 0;
  a->axes = PyMem_Calloc((size_t)a->count + 1, sizeof *a->axes);
  if (!a->axes) return PyErr_NoMemory(), 0;
  const double *value = a->values.buf;
  for (int k = 0; ok && k < a->count; k++) {
    a->axes[k] = (picus_study_axis){.kind = (picus_axis_kind)kind[k],
                                    .name = text_argument(PyList_GetItem(a->names, k), &ok),
                                    .count = number[k],
                                    .values = value,
                                    .low = range[2 * k],
                                    .high = range[2 * k + 1]};
    value += number[k];
  }
  return ok;
}

static void release_axes(axis_arguments *a) {
  Py_buffer *const all[] = {&a->kinds, &a->counts, &a->values, &a->ranges};
  for (int k = 0; k < 4; k++)
    if (all[k]->obj) PyBuffer_Release(all[k]);
  PyMem_Free(a->axes);
}

/* Texts of a list; they belong to it. */
static const char **get_texts(PyObject *list, int *count) {
  int ok = 1;
  *count = (int)PyList_Size(list);
  const char **texts = PyMem_Calloc((size_t)*count + 1, sizeof *texts);
  if (!texts) return (const char **)PyErr_NoMemory();
  for (int k = 0; ok && k < *count; k++) texts[k] = text_argument(PyList_GetItem(list, k), &ok);
  if (ok) return texts;
  PyMem_Free(texts);
  return NULL;
}

PyObject *make_study(PyObject *module, PyObject *args) {
  PyObject *type, *model_handle, *dict, *kinds, *counts, *values, *ranges, *collect;
  axis_arguments axes = {0};
  picus_study_def def = picus_default_study_def();
  int sampling, continuation, threads;
  unsigned long long seed;
  if (!PyArg_ParseTuple(args, "OO!O!O!OOOOilKiO!zdli", &type, state_of(module)->model, &model_handle, &PyDict_Type,
                        &dict, &PyList_Type, &axes.names, &kinds, &counts, &values, &ranges, &sampling, &def.samples,
                        &seed, &continuation, &PyList_Type, &collect, &def.section, &def.section_period,
                        &def.section_last, &threads))
    return NULL;
  owner_object *model = owner_of(model_handle), *owner = NULL;
  if (!model || !picus_model_of(model_handle)) return NULL;
  picus_sim_options options;
  def.model = model->model;
  def.system = model->system;
  def.options = &options;
  def.sampling = (picus_sampling)sampling;
  def.seed = seed;
  def.continuation = (picus_continuation)continuation;
  const char **texts = get_texts(collect, &def.collect_count);
  int ok = texts && get_axes(&axes, kinds, counts, values, ranges) && get_run_options(model, dict, &options) &&
           (owner = new_owner(module, (PyObject *)model)) && make_context(owner, threads);
  if (ok) {
    def.collect = texts;
    def.axes = axes.axes;
    def.axis_count = axes.count;
    const picus_status status = picus_study_create(owner->context, &def, &owner->study);
    ok = !status || raise_error(owner->context, status);
  }
  release_axes(&axes);
  PyMem_Free(texts);
  if (ok) return new_handle(type, state_of(module)->study, owner);
  release_owner(owner);
  return NULL;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

typedef struct study_call {
  owner_object *owner;
  PyObject *progress; /* NULL: none */
} study_call;

/* Called by any thread: only the main one learns of Ctrl-C. */
static int look(void *user, long done, long count) {
  const study_call *call = user;
  owner_object *owner = call->owner;
  if (!call->progress) return interrupted(owner, &owner->last_look);
  if (done < count && !is_due(&owner->last_look)) return 0;
  PyGILState_STATE gil = PyGILState_Ensure();
  PyObject *answer = PyErr_CheckSignals() ? NULL : PyObject_CallFunction(call->progress, "ll", done, count);
  if (!answer) keep_exception(owner);
  Py_XDECREF(answer);
  PyGILState_Release(gil);
  return !answer;
}

static PyObject *make_runs(PyObject *self, PyObject *args) {
  owner_object *owner = owner_of(self);
  PyObject *progress = NULL;
  picus_study_run_options options = {.progress = look};
  if (!owner || !PyArg_ParseTuple(args, "ziiO", &options.journal, &options.part, &options.part_count, &progress))
    return NULL;
  study_call call = {owner, progress == Py_None ? NULL : progress};
  picus_status status;
  options.user = &call;
  owner->is_busy = 1;
  Py_BEGIN_ALLOW_THREADS status = picus_study_run(owner->study, &options);
  Py_END_ALLOW_THREADS owner->is_busy = 0;
  if (restore_exception(owner)) return NULL;
  if (status) return raise_error(owner->context, status);
  Py_RETURN_NONE;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static PyObject *points(PyObject *self, PyObject *unused) {
  const picus_study *s = picus_study_of(self);
  (void)unused;
  if (!s) return NULL;
  const Py_ssize_t count = picus_study_count(s) * picus_study_axis_count(s);
  return new_view(((handle_object *)self)->owner, picus_study_row_at(s, 0).point, count, "d");
}

static PyObject *values(PyObject *self, PyObject *unused) {
  const picus_study *s = picus_study_of(self);
  (void)unused;
  if (!s) return NULL;
  const Py_ssize_t count = picus_study_count(s) * picus_study_value_count(s);
  return new_view(((handle_object *)self)->owner, picus_study_row_at(s, 0).values, count, "d");
}

/* (status, or None if the run was not made, message, seconds) */
static PyObject *end_of(PyObject *self, PyObject *point) {
  const picus_study *s = picus_study_of(self);
  int ok = s != NULL;
  const long k = integer_argument(point, 0, s ? picus_study_count(s) - 1 : 0, &ok);
  if (!ok) return NULL;
  const picus_study_row row = picus_study_row_at(s, k);
  if (!row.is_done) return Py_BuildValue("(Osd)", Py_None, "", 0.0);
  return Py_BuildValue("(iNd)", (int)row.status, text_object(row.message), row.seconds);
}

/* All states of the section, as bytes: point, then the numbers of the state. */
static PyObject *section_states(PyObject *self, PyObject *unused) {
  const picus_study *s = picus_study_of(self);
  (void)unused;
  if (!s) return NULL;
  const int width = picus_study_section_width(s);
  Py_ssize_t count = 0;
  for (long k = 0; k < picus_study_count(s); k++) count += picus_study_row_at(s, k).section_count;
  PyObject *bytes = PyBytes_FromStringAndSize(NULL, count * (width + 1) * (Py_ssize_t)sizeof(double));
  char *to = bytes ? PyBytes_AsString(bytes) : NULL;
  for (long k = 0; to && k < picus_study_count(s); k++) {
    const picus_study_row row = picus_study_row_at(s, k);
    const double point = (double)k;
    for (long i = 0; i < row.section_count; i++, to += ((size_t)width + 1) * sizeof(double)) {
      memcpy(to, &point, sizeof point);
      memcpy(to + sizeof point, row.section + i * width, (size_t)width * sizeof(double));
    }
  }
  return bytes;
}

static PyMethodDef methods[] = {{"make_runs", make_runs, METH_VARARGS, "Makes the runs that are missing."},
                                {"points", points, METH_NOARGS, "View of points x axes."},
                                {"results", values, METH_NOARGS, "View of points x values."},
                                {"section_states", section_states, METH_NOARGS, "States of the section, as bytes."},
                                {"end_of", end_of, METH_O, "Status, message and seconds of a run."},
                                STUDY_METHODS{NULL, NULL, 0, NULL}};
HANDLE_TYPE(study_spec, "picus._core.Study", Py_TPFLAGS_BASETYPE, methods, "Many runs of a model.")
