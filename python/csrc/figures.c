/* The module picus._figure: the figures of picus plot, for results where matplotlib is not installed. A module of its
 * own, because the drawing library takes longer to load than all of Picus. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "plot/figure.h"

#include <string.h>

enum { MOST_ARRAYS = 4096 };

/* The arrays of a figure stay until it is saved. */
typedef struct drawing {
  picus_context *context;
  picus_figure *figure;
  Py_buffer arrays[MOST_ARRAYS];
  int array_count;
} drawing;

static int fail(const drawing *d, picus_status status) {
  if (status && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, picus_last_error(d->context)->message);
  return !status;
}

static const Py_buffer *get_array(drawing *d, PyObject *object) {
  Py_buffer *array = &d->arrays[d->array_count];
  if (d->array_count == MOST_ARRAYS) {
    PyErr_SetString(PyExc_ValueError, "a figure may have 2048 curves at most");
    return NULL;
  }
  if (PyObject_GetBuffer(object, array, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)) return NULL;
  d->array_count++;
  if (array->format && strcmp(array->format, "d") == 0) return array;
  PyErr_SetString(PyExc_TypeError, "the columns of a figure must be contiguous arrays of float64");
  return NULL;
}

static int is_tuple(PyObject *item, const char *message) {
  if (!PyTuple_Check(item)) PyErr_SetString(PyExc_TypeError, message);
  return PyTuple_Check(item);
}

/* (label, x, y) */
static int add_series(drawing *d, int panel, PyObject *item) {
  PyObject *x, *y;
  picus_series_def series = picus_default_series_def();
  if (!is_tuple(item, "a series must be (label, x, y)")) return 0;
  if (!PyArg_ParseTuple(item, "sOO", &series.label, &x, &y)) return 0;
  const Py_buffer *across = get_array(d, x), *up = across ? get_array(d, y) : NULL;
  if (!up) return 0;
  if (across->len != up->len) {
    PyErr_SetString(PyExc_ValueError, "x and y of a series must have the same length");
    return 0;
  }
  series.x = across->buf;
  series.y = up->buf;
  series.count = (size_t)up->len / sizeof(double);
  return fail(d, picus_figure_add_series(d->figure, panel, &series));
}

/* (x label, y label, [series, ...]) */
static int add_panel(drawing *d, PyObject *item) {
  PyObject *list;
  int panel;
  picus_panel_def def = picus_default_panel_def();
  if (!is_tuple(item, "a panel must be (x label, y label, [series])")) return 0;
  if (!PyArg_ParseTuple(item, "ssO!", &def.x.label, &def.y.label, &PyList_Type, &list)) return 0;
  if (!fail(d, picus_figure_add_panel(d->figure, &def, &panel))) return 0;
  for (Py_ssize_t k = 0; k < PyList_Size(list); k++)
    if (!add_series(d, panel, PyList_GetItem(list, k))) return 0;
  return 1;
}

static int draw(drawing *d, const char *path, const char *title, PyObject *panels) {
  picus_status status = picus_context_create(NULL, &d->context);
  if (status) return PyErr_NoMemory() != NULL;
  picus_figure_def def = picus_default_figure_def();
  def.title = title;
  if (!fail(d, picus_figure_create(d->context, &def, &d->figure))) return 0;
  for (Py_ssize_t k = 0; k < PyList_Size(panels); k++)
    if (!add_panel(d, PyList_GetItem(panels, k))) return 0;
  Py_BEGIN_ALLOW_THREADS status = picus_figure_save(d->figure, path);
  Py_END_ALLOW_THREADS return fail(d, status);
}

static PyObject *save(PyObject *module, PyObject *args) {
  const char *path, *title;
  PyObject *panels;
  (void)module;
  if (!PyArg_ParseTuple(args, "ssO!", &path, &title, &PyList_Type, &panels)) return NULL;
  drawing *d = PyMem_Calloc(1, sizeof *d);
  if (!d) return PyErr_NoMemory();
  const int ok = draw(d, path, title, panels);
  picus_figure_destroy(d->figure);
  picus_context_destroy(d->context);
  for (int k = 0; k < d->array_count; k++) PyBuffer_Release(&d->arrays[k]);
  PyMem_Free(d);
  if (!ok) return NULL;
  Py_RETURN_NONE;
}

/* The name of a column as in a paper, with its unit. */
static PyObject *symbol(PyObject *module, PyObject *args) {
  const char *name, *unit;
  char label[256];
  (void)module;
  if (!PyArg_ParseTuple(args, "ss", &name, &unit)) return NULL;
  picus_figure_symbol_with_unit(name, unit, sizeof label, label);
  return PyUnicode_DecodeUTF8(label, (Py_ssize_t)strlen(label), "replace");
}

static PyMethodDef functions[] = {
    {"save", save, METH_VARARGS, "Draws panels, (x label, y label, [(label, x, y), ...]), into a PNG, SVG or PDF."},
    {"symbol", symbol, METH_VARARGS, "The name of a column as in a paper, with its unit."},
    {NULL, NULL, 0, NULL}};
static PyModuleDef_Slot slots[] = {{0, NULL}};
static struct PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                        .m_name = "picus._figure",
                                        .m_doc = "The figures of Picus.",
                                        .m_methods = functions,
                                        .m_slots = slots};

PyMODINIT_FUNC PyInit__figure(void) { return PyModuleDef_Init(&definition); }
