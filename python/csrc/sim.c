/* Simulations: steps, runs with their callbacks, checkpoints, and views of the state. */
#include "core.h"

#include <string.h>

static owner_object *model_owner(const owner_object *owner) { return (owner_object *)owner->below; }

/* After a function of the library: the exception of a callback, of a function of the model, or its own error. 1: none.
 */
static int is_fine(owner_object *owner, picus_status status) {
  owner_object *model = model_owner(owner);
  const int had_one = restore_exception(owner);
  if (had_one) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    if (restore_exception(model)) PyErr_Clear();
    PyErr_Restore(type, value, trace);
    return 0;
  }
  if (restore_exception(model)) return 0;
  return status ? raise_error(owner->context, status) != NULL : 1;
}

/* --- creation --------------------------------------------------------------------------------------------------- */

int get_run_options(owner_object *model, PyObject *dict, picus_sim_options *out) {
  int count, ok = 1;
  picus_setting *settings = get_settings(dict, &count);
  if (!settings) return 0;
  picus_model *empty = NULL; /* options by name need a model */
  picus_status status = model->model ? PICUS_OK : picus_model_create(model->context, "functions", &empty);
  picus_model *given = model->model ? model->model : empty;
  if (!status) status = picus_model_choose_options(given, count, settings, out);
  PyMem_Free(settings);
  /* as picus run: a model for fixed steps has a scheme for them */
  if (!status && out->adaptive && !picus_model_sim_options(given).adaptive && !find_item(dict, "scheme", &ok) && ok)
    out->scheme = picus_adaptive_scheme(model->context, model->system, out->t_start);
  if (status) raise_error(model->context, status);
  picus_model_destroy(empty);
  return ok && !status;
}

PyObject *new_simulation(PyObject *module, PyObject *args) {
  PyObject *type, *model_handle, *dict;
  int threads = 1;
  if (!PyArg_ParseTuple(args, "OO!O!|i", &type, state_of(module)->model, &model_handle, &PyDict_Type, &dict, &threads))
    return NULL;
  owner_object *model = owner_of(model_handle);
  owner_object *owner = model ? new_owner(module, (PyObject *)model) : NULL;
  picus_sim_options options;
  if (!owner || !make_context(owner, threads) || !get_run_options(model, dict, &options)) {
    release_owner(owner);
    return NULL;
  }
  picus_status status;
  Py_BEGIN_ALLOW_THREADS status = picus_sim_create(owner->context, model->system, &options, &owner->sim);
  Py_END_ALLOW_THREADS if (is_fine(owner, status)) return new_handle(type, state_of(module)->simulation, owner);
  release_owner(owner);
  return NULL;
}

/* --- steps ------------------------------------------------------------------------------------------------------ */

/* Many steps without the interpreter's lock; Ctrl-C ends them after a complete step. */
static picus_status make_steps(owner_object *owner, long count, double dt) {
  enum { STEPS_BETWEEN_LOOKS = 64 };
  picus_status status = PICUS_OK;
  owner->is_busy = 1;
  Py_BEGIN_ALLOW_THREADS for (long k = 1; !status && k <= count; k++) {
    status = picus_sim_step(owner->sim, dt, &owner->info);
    if (k % STEPS_BETWEEN_LOOKS == 0 && interrupted(owner, &owner->last_look)) break;
  }
  Py_END_ALLOW_THREADS owner->is_busy = 0;
  return status;
}

static PyObject *step(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  owner_object *owner = owner_of(self);
  int ok = 1;
  if (!owner) return NULL;
  if (count == 0) {
    picus_status status = picus_sim_step(owner->sim, 0, &owner->info);
    if (status && !is_fine(owner, status)) return NULL;
    Py_RETURN_NONE;
  }
  if (count > 2) {
    has_arguments("step", count, 2);
    return NULL;
  }
  const long steps = integer_argument(args[0], 0, LONG_MAX, &ok);
  const double dt = count > 1 ? number_argument(args[1], &ok) : 0;
  if (!ok) return NULL;
  picus_status status = steps == 1 ? picus_sim_step(owner->sim, dt, &owner->info) : make_steps(owner, steps, dt);
  if (!is_fine(owner, status)) return NULL;
  Py_RETURN_NONE;
}

static PyObject *advance(PyObject *self, PyObject *stop) {
  owner_object *owner = owner_of(self);
  int ok = owner != NULL;
  const double t_stop = number_argument(stop, &ok);
  if (!ok) return NULL;
  if (!is_fine(owner, picus_sim_advance(owner->sim, t_stop, &owner->info))) return NULL;
  Py_RETURN_NONE;
}

/* --- runs ------------------------------------------------------------------------------------------------------- */

/* What a run calls. */
typedef struct run_calls {
  owner_object *owner;
  PyObject *handle; /* the simulation, as callbacks get it */
  PyObject *step, *event, *progress;
  picus_run_hooks hooks;
} run_calls;

/* The result of a callback: 1 ends the run, because it is true or because it is an exception. */
static int take_answer(owner_object *owner, PyObject *answer) {
  const int is_true = answer ? PyObject_IsTrue(answer) : -1;
  if (is_true < 0) keep_exception(owner);
  Py_XDECREF(answer);
  return is_true != 0;
}

/* While a callback runs, it may use the simulation: the library itself rejects what would change the state. */
static PyGILState_STATE enter(owner_object *owner) {
  PyGILState_STATE gil = PyGILState_Ensure();
  owner->is_busy = 0;
  return gil;
}
static void leave(owner_object *owner, PyGILState_STATE gil) {
  owner->is_busy = 1;
  PyGILState_Release(gil);
}

static int call_step(void *user, picus_sim *sim, const picus_step_info *info) {
  run_calls *run = user;
  (void)sim;
  PyGILState_STATE gil = enter(run->owner);
  if (info) run->owner->info = *info;
  const int stop = take_answer(run->owner, PyObject_CallFunctionObjArgs(run->step, run->handle, NULL));
  leave(run->owner, gil);
  return stop;
}

static int call_event(void *user, picus_sim *sim, const picus_switching *event) {
  run_calls *run = user;
  PyGILState_STATE gil = enter(run->owner);
  PyObject *dict = picus_switching_dict(event);
  if (event->source < 0) put(&dict, "name", text_object(picus_system_law_at(picus_sim_system(sim), event->law).name));
  PyObject *answer = dict ? PyObject_CallFunctionObjArgs(run->event, run->handle, dict, NULL) : NULL;
  const int stop = take_answer(run->owner, answer);
  Py_XDECREF(dict);
  leave(run->owner, gil);
  return stop;
}

static int call_progress(void *user, double t, double t_end, long steps) {
  run_calls *run = user;
  PyGILState_STATE gil = enter(run->owner);
  int stop = PyErr_CheckSignals() != 0;
  if (stop)
    keep_exception(run->owner);
  else if (run->progress)
    stop = take_answer(run->owner, PyObject_CallFunction(run->progress, "ddl", t, t_end, steps));
  leave(run->owner, gil);
  return stop;
}

static PyObject *given(PyObject *object) { return object == Py_None ? NULL : object; }

/* Adds what the user wants to the recorder. */
static picus_status add_sinks(picus_recorder *recorder, owner_object *kept, const char *columns, unsigned parts,
                              const char *hdf5, const char *csv) {
  picus_status status = columns ? picus_recorder_select(recorder, columns) : PICUS_OK;
  if (!status && kept) status = picus_recorder_add_memory(recorder, kept->memory, parts);
  if (!status && hdf5) status = picus_recorder_add_hdf5(recorder, hdf5);
  if (!status && csv) status = picus_recorder_add_csv(recorder, csv);
  return status;
}

static picus_status run_it(owner_object *owner, picus_recorder *recorder, const picus_run_hooks *hooks) {
  picus_status status;
  owner->is_busy = 1;
  Py_BEGIN_ALLOW_THREADS status = picus_sim_run(owner->sim, recorder, hooks, &owner->summary);
  picus_recorder_destroy(recorder);
  Py_END_ALLOW_THREADS owner->is_busy = 0;
  return status;
}

/* The rows until a failure are the attribute `record` of its exception. Returns NULL. */
static PyObject *fail_with(PyObject *record_type, owner_object *kept) {
  PyObject *type, *value, *trace;
  if (!kept || !kept->memory) {
    release_owner(kept);
    return NULL;
  }
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  PyObject *record = new_handle(record_type, state_of(kept->module)->record, kept);
  if (!record || PyObject_SetAttrString(value, "record", record)) PyErr_Clear();
  Py_XDECREF(record);
  PyErr_Restore(type, value, trace);
  return NULL;
}

static PyObject *run(PyObject *self, PyObject *args, PyObject *kwargs) {
  static char *keys[] = {"t_end", "record_type", "columns", "switchings", "contacts", "nodes", "hdf5",
                         "csv",   "command",     "step",    "event",      "progress", "stops", NULL};
  PyObject *record_type, *on_step = Py_None, *on_event = Py_None, *progress = Py_None, *stops = Py_None;
  double t_end;
  const char *columns = NULL, *hdf5 = NULL, *csv = NULL, *command = "";
  int switchings = 1, contacts = 0, nodes = 0;
  owner_object *owner = owner_of(self);
  if (!owner ||
      !PyArg_ParseTupleAndKeywords(args, kwargs, "dO|zpppzzsOOOO", keys, &t_end, &record_type, &columns, &switchings,
                                   &contacts, &nodes, &hdf5, &csv, &command, &on_step, &on_event, &progress, &stops))
    return NULL;
  if (!is_fine(owner, picus_sim_set_end(owner->sim, t_end))) return NULL;
  Py_buffer times = {0};
  if (stops != Py_None && !get_numbers(stops, "stops", -1, &times)) return NULL;
  run_calls calls = {owner, self, given(on_step), given(on_event), given(progress), {0}};
  calls.hooks = (picus_run_hooks){.progress = call_progress,
                                  .user = &calls,
                                  .stop_count = (int)(times.len / (Py_ssize_t)sizeof(double)),
                                  .stop_times = times.buf,
                                  .step = calls.step ? call_step : NULL,
                                  .event = calls.event ? call_event : NULL};
  const owner_object *model = model_owner(owner);
  const picus_run_description description = {model->model, model->system, picus_sim_options_of(owner->sim), command};
  owner_object *kept = NULL;
  picus_recorder *recorder = NULL;
  picus_status status = PICUS_OK;
  int ok = 1;
  if (record_type != Py_None) {
    kept = new_owner(owner->module, (PyObject *)model);
    ok = kept && make_context(kept, 1);
    if (ok && picus_memory_create(kept->context, &kept->memory)) ok = PyErr_NoMemory() != NULL;
  }
  if (ok && (kept || hdf5 || csv)) {
    status = picus_recorder_create(owner->context, &description, &recorder);
    const unsigned parts = (switchings ? PICUS_MEMORY_SWITCHINGS | PICUS_MEMORY_STATES : 0U) |
                           (contacts ? PICUS_MEMORY_CONTACTS : 0U) | (nodes ? PICUS_MEMORY_NODES : 0U);
    if (!status) status = add_sinks(recorder, kept, columns, parts, hdf5, csv);
    if (status) picus_recorder_destroy(recorder);
  }
  if (ok && !status) status = run_it(owner, recorder, &calls.hooks);
  if (times.obj) PyBuffer_Release(&times);
  /* a callback that returned something true has ended the run as its user wants */
  const int is_stopped = status == PICUS_INTERRUPTED && !owner->kept[0] && !model->kept[0];
  if (!ok || !is_fine(owner, is_stopped ? PICUS_OK : status)) return fail_with(record_type, kept);
  if (!kept) Py_RETURN_NONE;
  return new_handle(record_type, state_of(owner->module)->record, kept);
}

/* --- state ------------------------------------------------------------------------------------------------------ */

static PyObject *get_t(PyObject *self, void *unused) {
  const owner_object *owner = ((handle_object *)self)->owner;
  (void)unused;
  return owner ? PyFloat_FromDouble(picus_sim_state(owner->sim).t) : (PyObject *)owner_of(self);
}

static PyObject *view_of(PyObject *self, int is_velocity) {
  owner_object *owner = ((handle_object *)self)->owner;
  if (!owner) return (PyObject *)owner_of(self);
  const picus_state state = picus_sim_state(owner->sim);
  return is_velocity ? new_view(owner, state.u, state.nu, "d") : new_view(owner, state.q, state.nq, "d");
}
static PyObject *q_view(PyObject *self, PyObject *unused) {
  (void)unused;
  return view_of(self, 0);
}
static PyObject *u_view(PyObject *self, PyObject *unused) {
  (void)unused;
  return view_of(self, 1);
}

static PyObject *set_state(PyObject *self, PyObject *args) {
  double t;
  PyObject *q, *u;
  Py_buffer positions, velocities;
  owner_object *owner = owner_of(self);
  if (!owner || !PyArg_ParseTuple(args, "dOO", &t, &q, &u)) return NULL;
  const picus_state state = picus_sim_state(owner->sim);
  if (!get_numbers(q, "q", state.nq, &positions)) return NULL;
  if (!get_numbers(u, "u", state.nu, &velocities)) {
    PyBuffer_Release(&positions);
    return NULL;
  }
  picus_status status = picus_sim_set_state(owner->sim, t, positions.buf, velocities.buf);
  PyBuffer_Release(&velocities);
  PyBuffer_Release(&positions);
  if (!is_fine(owner, status)) return NULL;
  Py_RETURN_NONE;
}

/* Pulls at a handle; without arguments it lets go. */
static PyObject *push(PyObject *self, PyObject *args) {
  owner_object *owner = owner_of(self);
  picus_push p = {0};
  double *a = p.place, *b = p.target;
  if (!owner || !PyArg_ParseTuple(args, "|i(ddd)(ddd)dd", &p.handle, &a[0], &a[1], &a[2], &b[0], &b[1], &b[2],
                                  &p.stiffness, &p.time))
    return NULL;
  if (!is_fine(owner, picus_sim_push(owner->sim, PyTuple_Size(args) ? &p : NULL))) return NULL;
  Py_RETURN_NONE;
}

/* The states of all present laws, as bytes of LawState. */
static PyObject *laws(PyObject *self, PyObject *unused) {
  owner_object *owner = owner_of(self);
  (void)unused;
  if (!owner) return NULL;
  const Py_ssize_t count = picus_sim_present_count(owner->sim);
  PyObject *bytes = PyByteArray_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(picus_law_state));
  if (!bytes) return NULL;
  memset(PyByteArray_AsString(bytes), 0, (size_t)count * sizeof(picus_law_state));
  if (is_fine(owner, picus_sim_present_laws(owner->sim, (picus_law_state *)PyByteArray_AsString(bytes)))) return bytes;
  Py_DECREF(bytes);
  return NULL;
}

static PyObject *energy(PyObject *self, PyObject *unused) {
  owner_object *owner = owner_of(self);
  double kinetic = 0, potential = 0;
  (void)unused;
  if (!owner || !is_fine(owner, picus_sim_energy(owner->sim, &kinetic, &potential))) return NULL;
  return Py_BuildValue("(dd)", kinetic, potential);
}

static PyObject *info(PyObject *self, PyObject *unused) {
  owner_object *owner = owner_of(self);
  (void)unused;
  return owner ? picus_step_info_dict(&owner->info) : NULL;
}
static PyObject *summary(PyObject *self, PyObject *unused) {
  owner_object *owner = owner_of(self);
  (void)unused;
  return owner ? picus_summary_dict(&owner->summary) : NULL;
}
static PyObject *options(PyObject *self, PyObject *unused) {
  owner_object *owner = owner_of(self);
  (void)unused;
  return owner ? picus_sim_options_dict(picus_sim_options_of(owner->sim)) : NULL;
}

/* --- checkpoints ------------------------------------------------------------------------------------------------ */

static PyObject *save(PyObject *self, PyObject *unused) {
  owner_object *owner = owner_of(self);
  size_t size = 0;
  (void)unused;
  if (!owner || !is_fine(owner, picus_sim_save(owner->sim, NULL, 0, &size))) return NULL;
  PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (bytes && is_fine(owner, picus_sim_save(owner->sim, PyBytes_AsString(bytes), size, &size))) return bytes;
  Py_XDECREF(bytes);
  return NULL;
}

static PyObject *load(PyObject *self, PyObject *args) {
  Py_buffer bytes;
  int is_changed = 0;
  owner_object *owner = owner_of(self);
  if (!owner || !PyArg_ParseTuple(args, "y*|p", &bytes, &is_changed)) return NULL;
  picus_status status = picus_sim_load(owner->sim, bytes.buf, (size_t)bytes.len,
                                       is_changed ? PICUS_LOAD_CHANGED_MODEL : PICUS_LOAD_SAME_MODEL);
  PyBuffer_Release(&bytes);
  if (!is_fine(owner, status)) return NULL;
  Py_RETURN_NONE;
}

/* The picus_sim, for extensions of others; the capsule keeps it alive. */
static void drop_owner(PyObject *capsule) { release_owner(PyCapsule_GetContext(capsule)); }
static PyObject *get_handle(PyObject *self, void *unused) {
  owner_object *owner = owner_of(self);
  (void)unused;
  PyObject *capsule = owner ? PyCapsule_New(owner->sim, "picus_sim", drop_owner) : NULL;
  if (!capsule) return NULL;
  Py_INCREF((PyObject *)owner);
  PyCapsule_SetContext(capsule, owner);
  return capsule;
}

static PyMethodDef methods[] = {
    {"step", (PyCFunction)(void (*)(void))step, METH_FASTCALL,
     "step(n=1, dt=0, /)\n--\n\nMakes n steps of size dt; 0: dt of the options.\n\n"
     "If a step fails, the state is that before it. Several steps run without the interpreter's lock."},
    {"advance", advance, METH_O,
     "advance(t_stop, /)\n--\n\nMakes one step of an adaptive simulation, which ends at t_stop or earlier."},
    {"_run", (PyCFunction)(void (*)(void))run, METH_VARARGS | METH_KEYWORDS, "Runs to t_end."},
    {"_q", q_view, METH_NOARGS, "View of q."},
    {"_u", u_view, METH_NOARGS, "View of u."},
    {"_set_state", set_state, METH_VARARGS, "Sets t, q and u."},
    {"_push", push, METH_VARARGS, "Pulls at a handle, or lets go."},
    {"_laws", laws, METH_NOARGS, "Bytes of LawState."},
    {"energy", energy, METH_NOARGS, "energy()\n--\n\nKinetic and potential energy at the current state, J."},
    {"_info", info, METH_NOARGS, "Data of the last step."},
    {"_summary", summary, METH_NOARGS, "Totals of the last run."},
    {"_options", options, METH_NOARGS, "Options of the run."},
    {"save", save, METH_NOARGS,
     "save()\n--\n\nA checkpoint as bytes: everything that later steps depend on.\n\n"
     "A simulation with the same model and options that loads it makes the same steps, bit for bit."},
    {"load", load, METH_VARARGS,
     "load(checkpoint, changed=False, /)\n--\n\nContinues from the bytes of save().\n\n"
     "changed: the parameters of the model may differ from those of the checkpoint."},
    SIMULATION_METHODS{NULL, NULL, 0, NULL}};
static PyGetSetDef properties[] = {
    {"t", get_t, NULL, "Current time, s.", NULL},
    {"handle", get_handle, NULL, "The picus_sim as a PyCapsule of this name, for extensions in C.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_dealloc, handle_dealloc}, {Py_tp_traverse, handle_traverse},       {Py_tp_methods, methods},
    {Py_tp_getset, properties},      {Py_tp_doc, "A simulation of a model."}, {0, NULL}};
PyType_Spec simulation_spec = {
    "picus._core.Simulation", sizeof(handle_object), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
