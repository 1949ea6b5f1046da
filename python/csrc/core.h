/* The extension picus._core: what its files share.
 *
 * Each object owns a context, because a context serves one thread at a time. A Model does not change once it exists, so
 * that threads may share it. A Simulation refuses calls from another thread while one of its functions runs without the
 * interpreter's lock. Arrays are views whose owner is the object below (not the one that Python's users hold), so that
 * they live as long as anyone needs them and make no cycles. */
#ifndef PICUS_PYTHON_CORE_H
#define PICUS_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <limits.h>
#include <picus/picus.h>
#include <stddef.h>
#include <structmember.h>

/* --- objects ---------------------------------------------------------------------------------------------------- */

/* Types and the module itself, which objects keep alive. */
typedef struct core_state {
  PyTypeObject *model, *simulation, *owner, *view, *record, *result, *rollout, *study, *orbit, *reader;
} core_state;

/* Owns a context and what lives on it; released in the order of its fields. Views and simulations refer to it. */
typedef struct owner_object {
  PyObject_HEAD PyObject *module;
  picus_context *context;
  picus_sim *sim;
  picus_memory *memory;
  picus_result *result;
  picus_rollout *rollout;
  picus_study *study;
  picus_orbit *orbit;
  picus_system *system;
  picus_model *model;
  picus_model_reader *reader;
  picus_load_options reading; /* options of the reader */
  PyObject *folder;           /* bytes of its folder; NULL: none */
  PyObject *below;            /* the owner of what this one uses; NULL: none */
  PyObject *callables;        /* of a system of functions: dictionary */
  int nq, nu, laws, rows;     /* of a system of functions */
  double last_look;           /* for Ctrl-C */
  PyObject *kept[3];          /* exception of a callback, until the function that runs it returns */
  picus_step_info info;
  picus_summary summary;
  long process; /* that made it: threads do not survive a fork */
  int is_busy;  /* one of its functions runs without the interpreter's lock */
  int threads;
} owner_object;

/* What Python's users hold. */
typedef struct handle_object {
  PyObject_HEAD owner_object *owner;
} handle_object;

core_state *state_of(PyObject *module);
/* An object of a class derived from base. Takes the owner over, also on failure. */
PyObject *new_handle(PyObject *type, PyTypeObject *base, owner_object *owner);
int handle_traverse(PyObject *self, visitproc visit, void *arg);
void handle_dealloc(PyObject *self);

/* A type of handles, SPEC. BASE: Py_TPFLAGS_BASETYPE if classes of Python extend it, or 0. A line without ; at its end.
 */
#define HANDLE_TYPE(SPEC, NAME, BASE, METHODS, TEXT)                                                                   \
  static PyType_Slot SPEC##_slots[] = {{Py_tp_dealloc, handle_dealloc},                                                \
                                       {Py_tp_traverse, handle_traverse},                                              \
                                       {Py_tp_methods, METHODS},                                                       \
                                       {Py_tp_doc, TEXT},                                                              \
                                       {0, NULL}};                                                                     \
  PyType_Spec SPEC = {NAME, sizeof(handle_object), 0,                                                                  \
                      Py_TPFLAGS_DEFAULT | (BASE) | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,            \
                      SPEC##_slots};
owner_object *new_owner(PyObject *module, PyObject *below);
void release_owner(owner_object *owner);
int make_context(owner_object *owner, int threads);
/* A view of numbers ("d") or bytes ("B") that keep alive. */
PyObject *new_view(owner_object *owner, const void *data, Py_ssize_t count, const char *format);

/* The objects in C, NULL with an exception if they are in use elsewhere or not there. */
owner_object *owner_of(PyObject *self);
picus_model *picus_model_of(PyObject *self);
picus_system *picus_system_of(PyObject *self);
picus_sim *picus_sim_of(PyObject *self);
picus_memory *picus_memory_of(PyObject *self);
picus_result *picus_result_of(PyObject *self);
picus_rollout *picus_rollout_of(PyObject *self);
picus_study *picus_study_of(PyObject *self);
picus_orbit *picus_orbit_of(PyObject *self);

/* --- errors ----------------------------------------------------------------------------------------------------- */

/* The exception of the last error of a context. Returns NULL. */
PyObject *raise_error(const picus_context *context, picus_status status);
PyObject *raise_text(picus_status status, const char *message);
PyObject *picus_sim_failed(PyObject *self);
PyObject *picus_result_failed(PyObject *self);
PyObject *picus_study_failed(PyObject *self);
/* An exception of a callback is kept until the library has returned; restore: 1 if there was one. */
void keep_exception(owner_object *owner);
/* Has the user pressed Ctrl-C? Takes the interpreter's lock, at most every 30 ms if last is not NULL. */
int interrupted(owner_object *owner, double *last);
/* 30 ms after *last, which becomes the time now. */
int is_due(double *last);
int restore_exception(owner_object *owner);

/* --- values ----------------------------------------------------------------------------------------------------- */

/* [(x, [y, ...]), ...] of the panels of a figure; both functions are of one object of the library. */
PyObject *panels_object(int count, picus_plot_panel (*panel)(const void *, int), const void *of);
/* Tables of nodes as dictionaries: names, sizes, and bytes of their arrays. */
PyObject *node_tables_object(int count, picus_node_table (*table)(const void *, int), const void *of);
PyObject *text_object(const char *text); /* NULL: None; other bytes than UTF-8 are replaced */
PyObject *list_of(int count, PyObject **items);
void put(PyObject **dict, const char *key, PyObject *value); /* takes the value over; *dict is NULL after a failure */
int has_arguments(const char *name, Py_ssize_t count, Py_ssize_t wanted);
long integer_argument(PyObject *object, long least, long most, int *ok);
double number_argument(PyObject *object, int *ok);
int flag_argument(PyObject *object, int *ok);
const char *text_argument(PyObject *object, int *ok);
/* A contiguous buffer of count doubles, read only; 0 with an exception if it is another. Release the buffer if 1. */
int get_numbers(PyObject *object, const char *name, Py_ssize_t count, Py_buffer *buffer);
/* The same of 32-bit integers. */
int get_integers(PyObject *object, const char *name, Py_ssize_t count, Py_buffer *buffer);
/* The value of a key; NULL: there is none, or *ok is 0 with an exception. */
PyObject *find_item(PyObject *dict, const char *key, int *ok);
/* Run options of a dictionary; the array belongs to the caller (PyMem_Free), its texts to the dictionary. */
picus_setting *get_settings(PyObject *dict, int *count);
/* The options of a run of the model with those of the dictionary; 0 with an exception. */
int get_run_options(owner_object *model, PyObject *dict, picus_sim_options *out);
picus_override *get_overrides(PyObject *dict, int *count);

/* Rows of structures, for numpy.dtype. */
typedef struct row_field {
  const char *name, *letters;
  size_t offset;
  int length; /* 0: a single number */
} row_field;
typedef struct row_type {
  const char *name;
  size_t size;
  const row_field *fields;
} row_type;
typedef struct constant {
  const char *name;
  long value;
} constant;

#include "generated.h"

/* --- parts of the module ---------------------------------------------------------------------------------------- */

extern PyType_Spec model_spec, simulation_spec, record_spec, result_spec, rollout_spec, study_spec, orbit_spec,
    reader_spec;
PyObject *load_model(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *new_reader(PyObject *module, PyObject *args);
PyObject *model_from_functions(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *new_simulation(PyObject *module, PyObject *args);
PyObject *open_result(PyObject *module, PyObject *args);
PyObject *compare_results(PyObject *module, PyObject *args);
PyObject *search_reference(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *make_rollout(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *make_study(PyObject *module, PyObject *args);
PyObject *make_orbit(PyObject *module, PyObject *args);
PyObject *differentiate(PyObject *module, PyObject *args);
PyObject *follow_branch(PyObject *module, PyObject *args);
PyObject *solve_contacts(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *read_problem(PyObject *module, PyObject *args);

#endif
