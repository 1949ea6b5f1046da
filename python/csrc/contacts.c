/* Contact problems alone: arrays in, percussions out. */
#include "core.h"

#include <string.h>

/* The problem as Python gives it: dense G, or its blocks. */
typedef struct given_problem {
  picus_contact_problem problem;
  picus_block_matrix blocks;
  picus_law *laws;
  Py_buffer c, G, kinds, radii, arrays[3];
  int *first_row;
  size_t *offset;
} given_problem;

static void release(given_problem *g) {
  Py_buffer *all[] = {&g->c, &g->G, &g->kinds, &g->radii, &g->arrays[0], &g->arrays[1], &g->arrays[2]};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (all[k]->obj) PyBuffer_Release(all[k]);
  PyMem_Free(g->laws);
  PyMem_Free(g->first_row);
  PyMem_Free(g->offset);
}

/* kinds: (kind, dim) of each law as int32. */
static int make_laws(given_problem *g, PyObject *kinds, PyObject *radii) {
  if (!get_integers(kinds, "laws", -1, &g->kinds)) return 0;
  const Py_ssize_t count = g->kinds.len / (Py_ssize_t)(2 * sizeof(int));
  if (!get_numbers(radii, "mu", count, &g->radii)) return 0;
  g->laws = PyMem_Calloc((size_t)count + 1, sizeof *g->laws);
  g->first_row = PyMem_Calloc((size_t)count + 1, sizeof *g->first_row);
  if (!g->laws || !g->first_row) return PyErr_NoMemory() != NULL;
  const int *numbers = g->kinds.buf;
  for (Py_ssize_t k = 0; k < count; k++) {
    if (numbers[2 * k + 1] < 1 || numbers[2 * k + 1] > 4) {
      PyErr_Format(PyExc_ValueError, "law %zd has %d rows; it must have 1 to 4", k, numbers[2 * k + 1]);
      return 0;
    }
    g->laws[k] = (picus_law){(picus_law_kind)numbers[2 * k], numbers[2 * k + 1], ((const double *)g->radii.buf)[k]};
    g->first_row[k] = g->problem.size;
    g->problem.size += g->laws[k].dim;
  }
  g->first_row[count] = g->problem.size;
  g->problem.law_count = (int)count;
  g->problem.laws = g->laws;
  return 1;
}

/* Blocks (row_start, column, values): the rest follows from the sizes of the laws. */
static int make_blocks(given_problem *g, PyObject *parts) {
  PyObject *start, *column, *values;
  const int laws = g->problem.law_count;
  if (!PyArg_ParseTuple(parts, "OOO", &start, &column, &values)) return 0;
  if (!get_integers(start, "row_start", laws + 1, &g->arrays[0])) return 0;
  const int *row_start = g->arrays[0].buf;
  const int count = row_start[laws];
  if (row_start[0] != 0 || count < 0 || !get_integers(column, "column", count, &g->arrays[1])) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "row_start must begin with 0");
    return 0;
  }
  const int *columns = g->arrays[1].buf;
  if (!(g->offset = PyMem_Calloc((size_t)count + 1, sizeof *g->offset))) return PyErr_NoMemory() != NULL;
  size_t size = 0;
  for (int i = 0; i < laws; i++)
    for (int k = row_start[i]; k < row_start[i + 1]; k++) {
      if (k < 0 || k >= count || columns[k] < 0 || columns[k] >= laws) {
        PyErr_SetString(PyExc_ValueError, "row_start must rise, and columns must be numbers of laws");
        return 0;
      }
      g->offset[k] = size;
      size += (size_t)(g->laws[i].dim * g->laws[columns[k]].dim);
    }
  if (!get_numbers(values, "values", (Py_ssize_t)size, &g->arrays[2])) return 0;
  g->blocks = (picus_block_matrix){g->first_row, row_start, columns, g->offset, g->arrays[2].buf};
  g->problem.blocks = &g->blocks;
  return 1;
}

static int make_problem(given_problem *g, PyObject *kinds, PyObject *radii, PyObject *G, PyObject *c) {
  if (!make_laws(g, kinds, radii) || !get_numbers(c, "c", g->problem.size, &g->c)) return 0;
  g->problem.c = g->c.buf;
  if (PyTuple_Check(G)) return make_blocks(g, G);
  if (!get_numbers(G, "G", (Py_ssize_t)g->problem.size * g->problem.size, &g->G)) return 0;
  g->problem.G = g->G.buf;
  return 1;
}

static int get_options(PyObject *dict, picus_solver_options *o) {
  int ok = 1;
  PyObject *solver = find_item(dict, "solver", &ok);
  *o = picus_default_solver_options();
  if (solver) o->solver = text_argument(solver, &ok);
  static const char *const names[] = {"tolerance",   "max_iterations", "relaxation",     "facets",
                                      "no_fallback", "minimum_norm",   "accept_residual"};
  for (int k = 0; ok && k < 7; k++) {
    PyObject *value = find_item(dict, names[k], &ok);
    if (!value) continue;
    if (k == 0) o->tolerance = number_argument(value, &ok);
    if (k == 1) o->max_iterations = (int)integer_argument(value, 1, INT_MAX, &ok);
    if (k == 2) o->relaxation = number_argument(value, &ok);
    if (k == 3) o->facets = (int)integer_argument(value, 0, INT_MAX, &ok);
    if (k == 4) o->no_fallback = flag_argument(value, &ok);
    if (k == 5) o->minimum_norm = flag_argument(value, &ok);
    if (k == 6) o->accept_residual = number_argument(value, &ok);
  }
  return ok;
}

/* Solves and returns (P, modes, xi, info, residuals). */
static PyObject *solve(picus_context *context, const picus_contact_problem *problem,
                       const picus_solver_options *options, PyObject *guess) {
  const Py_ssize_t size = problem->size, laws = problem->law_count;
  PyObject *P = PyByteArray_FromStringAndSize(NULL, size * (Py_ssize_t)sizeof(double));
  PyObject *modes = PyByteArray_FromStringAndSize(NULL, laws * (Py_ssize_t)sizeof(picus_mode));
  PyObject *xi = PyByteArray_FromStringAndSize(NULL, size * (Py_ssize_t)sizeof(double)), *result = NULL;
  picus_solver *solver = NULL;
  picus_solve_info info = {0};
  Py_buffer start = {0};
  int ok = P && modes && xi && (guess == Py_None || get_numbers(guess, "guess", size, &start));
  if (ok) {
    double *numbers = (double *)PyByteArray_AsString(P);
    picus_mode *states = (picus_mode *)PyByteArray_AsString(modes);
    memset(numbers, 0, (size_t)size * sizeof *numbers);
    memset(states, 0, (size_t)laws * sizeof *states);
    if (start.obj) memcpy(numbers, start.buf, (size_t)start.len);
    picus_status status;
    picus_residuals residuals;
    Py_BEGIN_ALLOW_THREADS status = picus_contact_problem_check(context, problem);
    if (!status) status = picus_solver_create(context, options, &solver);
    if (!status) {
      status = picus_solver_solve(solver, problem, numbers, states, &info);
      picus_contact_residual(problem, numbers, (double *)PyByteArray_AsString(xi));
      residuals = picus_contact_residuals(problem, numbers);
      info.status = status;
      if (status > 0) status = PICUS_OK; /* the caller sees it in the status: the best P is of use */
    }
    Py_END_ALLOW_THREADS if (status) raise_error(context, status);
    else result =
        Py_BuildValue("(OOONN)", P, modes, xi, picus_solve_info_dict(&info), picus_residuals_dict(&residuals));
    picus_solver_destroy(solver);
  }
  if (start.obj) PyBuffer_Release(&start);
  Py_XDECREF(P);
  Py_XDECREF(modes);
  Py_XDECREF(xi);
  return result;
}

PyObject *solve_contacts(PyObject *module, PyObject *args, PyObject *kwargs) {
  static char *keys[] = {"laws", "mu", "G", "c", "options", "guess", NULL};
  PyObject *kinds, *radii, *G, *c, *dict, *guess = Py_None, *result = NULL;
  given_problem given = {.problem = {.law_count = 0}};
  picus_solver_options options;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOOOO!|O", keys, &kinds, &radii, &G, &c, &PyDict_Type, &dict, &guess))
    return NULL;
  owner_object *owner = new_owner(module, NULL);
  if (owner && make_context(owner, 1) && make_problem(&given, kinds, radii, G, c) && get_options(dict, &options))
    result = solve(owner->context, &given.problem, &options, guess);
  release(&given);
  release_owner(owner);
  return result;
}

/* A problem file as arrays: (laws, mu, (row_start, column, values), c, title, guess, solution). */
static PyObject *bytes_of(const void *data, size_t size) {
  if (!data) Py_RETURN_NONE;
  return PyByteArray_FromStringAndSize(data, (Py_ssize_t)size);
}

static PyObject *arrays_of(const picus_contact_problem *p, const picus_problem_notes *notes) {
  const size_t laws = (size_t)p->law_count, size = (size_t)p->size;
  PyObject *kinds = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(2 * laws * sizeof(int)));
  PyObject *radii = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(laws * sizeof(double)));
  for (size_t k = 0; kinds && radii && k < laws; k++) {
    ((int *)PyByteArray_AsString(kinds))[2 * k] = (int)p->laws[k].kind;
    ((int *)PyByteArray_AsString(kinds))[2 * k + 1] = p->laws[k].dim;
    ((double *)PyByteArray_AsString(radii))[k] = p->laws[k].radius;
  }
  const picus_block_matrix *b = p->blocks;
  const size_t blocks = b ? (size_t)b->row_start[laws] : 0;
  size_t values = 0;
  for (size_t i = 0; b && i < laws; i++)
    for (int k = b->row_start[i]; k < b->row_start[i + 1]; k++)
      values += (size_t)(p->laws[i].dim * p->laws[b->column[k]].dim);
  PyObject *G =
      b ? Py_BuildValue("(NNN)", bytes_of(b->row_start, (laws + 1) * sizeof(int)),
                        bytes_of(b->column, blocks * sizeof(int)), bytes_of(b->values, values * sizeof(double)))
        : bytes_of(p->G, size * size * sizeof(double));
  if (kinds && radii && G)
    return Py_BuildValue("(NNNNNNN)", kinds, radii, G, bytes_of(p->c, size * sizeof(double)), text_object(notes->title),
                         bytes_of(notes->guess, size * sizeof(double)),
                         bytes_of(notes->solution, size * sizeof(double)));
  Py_XDECREF(kinds);
  Py_XDECREF(radii);
  Py_XDECREF(G);
  return NULL;
}

PyObject *read_problem(PyObject *module, PyObject *args) {
  const char *path;
  picus_problem *problem = NULL;
  PyObject *result = NULL;
  if (!PyArg_ParseTuple(args, "s", &path)) return NULL;
  owner_object *owner = new_owner(module, NULL);
  if (owner && make_context(owner, 1)) {
    picus_status status = picus_problem_read(owner->context, path, &problem);
    result = status ? raise_error(owner->context, status)
                    : arrays_of(picus_problem_contacts(problem), picus_problem_notes_of(problem));
    picus_problem_destroy(problem);
  }
  release_owner(owner);
  return result;
}
