/* The linearization about a state that contacts, sticking and sliding friction hold in equilibrium: eigenvalues of the
 * smooth motion in their modes. Sliding friction follows the normal forces, so the matrix is not symmetric, and an
 * equilibrium may be unstable without a negative stiffness. */
#include "base/elementary.h"
#include "flow/flow.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define RESTS 1e-9 /* of the size of a rate: it is zero */
#define SHORT 1e-4 /* of the run: a run that shows the contacts of a start */
enum { NEWTON_MOST = 30 };

struct picus_linearization {
  picus_context *context;
  const picus_system *system;
  int n;
  picus_linearization_data data;
  double *x, *A; /* n; n x n */
  picus_multiplier *values;
  picus_mode *modes; /* laws */
};

typedef struct linearizing {
  picus_linearization *out;
  const picus_linearization_def *def;
  sequence found;
  flow f;
  const phase *p;
  double *y, *scaled, *step, *work; /* n (1 + n); n x n; n; PICUS_EIGEN_WORK n^2 */
  pivoted newton;
} linearizing;

/* The last phase of a run until t_start + settle, and its state there. */
static picus_status find_phase(linearizing *l) {
  picus_sim_options o = *l->def->options;
  const flow_interrupt interrupt = {l->def->interrupt, l->def->user};
  o.t_end = o.t_start + (l->def->settle > 0 ? l->def->settle : SHORT * (o.t_end - o.t_start));
  picus_status status =
      picus_sequence_record(l->out->context, l->def->system, &o, &(flow_start){0}, interrupt, &l->found);
  if (status) return status;
  if (l->found.count == 0)
    return picus_fail(l->out->context, PICUS_ERROR_ARGUMENT,
                      "the run that shows the contacts has no length; set t_end");
  l->p = &l->found.phases[l->found.count - 1];
  const flow_path path = {.sequence = &l->found,
                          .first = l->found.count - 1,
                          .count = 1,
                          .t = l->p->t_x,
                          .t_end = fmax(o.t_end, l->p->t_x)};
  memcpy(l->out->x, l->p->x, (size_t)l->out->n * sizeof *l->out->x);
  l->f.interrupt = interrupt;
  if (l->def->settle > 0) return picus_flow_follow_state(&l->f, &path, l->out->x);
  if (l->found.count == 1) picus_system_start(l->def->system, l->out->x, l->out->x + l->def->system->nq);
  return PICUS_OK;
}

/* The rate and its derivatives by admissible differences of the state, A = f_x P. */
static picus_status assemble(linearizing *l) {
  picus_linearization *o = l->out;
  const size_t n = (size_t)o->n;
  flow *f = &l->f;
  memcpy(l->y, o->x, n * sizeof *l->y);
  for (size_t c = 0; c < n; c++)
    for (size_t i = 0; i < n; i++) l->y[(c + 1) * n + i] = i == c;
  f->size = l->found.size;
  picus_status status = picus_flow_project_all(f, &l->p->modes, o->data.t, o->n, l->y);
  memcpy(o->x, l->y, n * sizeof *o->x);
  if (!status) status = picus_field_evaluate(&f->base, o->data.t, o->x);
  if (!status) status = picus_field_prepare(&f->base);
  for (size_t c = 0; !status && c < n; c++) {
    status = picus_field_tangent(&f->base, f->size, l->y + (c + 1) * n, l->step);
    for (size_t i = 0; i < n; i++) o->A[i * n + c] = l->step[i];
  }
  return status;
}

/* Scales that make the matrix even: velocities count by a frequency. */
static double find_frequency(const linearizing *l) {
  const picus_linearization *o = l->out;
  const int nq = o->system->nq;
  double largest = 0;
  for (int i = nq; i < o->n; i++)
    for (int j = 0; j < o->n; j++) {
      const double value = fabs(o->A[i * o->n + j]);
      largest = picus_larger(largest, j < nq ? sqrt(value) : value);
    }
  return largest > 0 ? largest : 1;
}

/* Differences of velocities are as large as those of coordinates at this frequency, even at rest. */
static void widen_sizes(linearizing *l) {
  const picus_linearization *o = l->out;
  double largest = 0;
  for (int i = 0; i < o->system->nq; i++) largest = picus_larger(largest, l->found.size[i]);
  for (int i = o->system->nq; i < o->n; i++)
    l->found.size[i] = fmax(l->found.size[i], 1e-2 * o->data.frequency * largest);
}

/* A step of Newton's method towards a rest; its size relative to that of the state. */
static double improve(linearizing *l, double frequency) {
  picus_linearization *o = l->out;
  const int n = o->n, nq = o->system->nq;
  for (int i = 0; i < n; i++) {
    const double row = i < nq ? frequency : frequency * frequency;
    for (int j = 0; j < n; j++) l->newton.A[i * n + j] = o->A[i * n + j] * (j < nq ? 1 : frequency) / row;
    l->step[i] = -l->f.base.rate[i] / row;
  }
  picus_pivoted_factor(&l->newton, n, 1e-10);
  picus_pivoted_solve(&l->newton, l->step, l->work);
  double largest = 0;
  for (int i = 0; i < n; i++) {
    const double scale = i < nq ? 1 : frequency;
    o->x[i] += l->step[i] * scale;
    largest = picus_larger(largest, fabs(l->step[i]) * scale / l->found.size[i]);
  }
  return largest;
}

/* The largest rate, in units of the frequency. */
static double find_rate(const linearizing *l) {
  const picus_linearization *o = l->out;
  const double w = o->data.frequency;
  double largest = 0;
  for (int i = 0; i < o->n; i++)
    largest = picus_larger(largest, fabs(l->f.base.rate[i]) / (i < o->system->nq ? w : w * w));
  return largest;
}

static picus_status find_rest(linearizing *l) {
  picus_linearization *o = l->out;
  double before = INFINITY, largest = 0;
  picus_status status = assemble(l);
  if (status) return status;
  o->data.frequency = find_frequency(l);
  widen_sizes(l);
  for (int k = 0; !status && l->def->equilibrium && k < NEWTON_MOST; k++) {
    const double size = improve(l, o->data.frequency);
    if (!isfinite(size)) break;
    status = assemble(l);
    if (size < 1e-12 || (size < RESTS && size > 0.1 * before)) break;
    before = size;
  }
  if (!status && !l->def->equilibrium) status = assemble(l);
  o->data.rate = find_rate(l);
  for (int i = 0; i < o->system->nq; i++) largest = picus_larger(largest, l->found.size[i]);
  if (status || !l->def->equilibrium || o->data.rate <= RESTS * largest) return status;
  return picus_fail(o->context, PICUS_NO_SOLUTION,
                    "no equilibrium with these contacts is near the state; let it settle first, or begin nearer to it");
}

/* Contacts and friction must hold in the equilibrium. */
static picus_status check_rest(linearizing *l) {
  flow *f = &l->f;
  const field *b = &f->base;
  const phase *p = l->p;
  picus_status status = picus_evaluate_gaps(b->at, f->base.gaps);
  for (int i = 0; !status && i < b->laws; i++) {
    const picus_system_law *law = &b->system->fixed.laws[i].data;
    const bool opens = law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB;
    const char *what = NULL;
    const double *slip = b->lambda + law->first_row + law->dim - law->slips;
    const double bound = b->coefficients[i].radius * (law->kind == PICUS_RESERVOIR ? 1 : b->lambda[law->first_row]);
    const picus_mode mode = p->modes.modes[i];
    if (opens && mode == PICUS_OPEN && law->has_gap && b->gaps[i] < 0) what = "would be penetrated";
    if (opens && mode != PICUS_OPEN && b->lambda[law->first_row] < 0) what = "would pull";
    if (mode == PICUS_STICK && law->slips > 0 && law->kind != PICUS_BILATERAL &&
        picus_length(law->slips, slip) > bound * (1 + RESTS))
      what = "would slip";
    if (what)
      return picus_fail(l->out->context, PICUS_NO_SOLUTION,
                        "the equilibrium with these contacts does not exist: '%s' %s", law->name, what);
  }
  return status;
}

static picus_status find_values(linearizing *l) {
  picus_linearization *o = l->out;
  const int n = o->n, nq = o->system->nq;
  const double w = o->data.frequency;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) l->scaled[i * n + j] = o->A[i * n + j] * (j < nq ? 1 : w) / (i < nq ? 1 : w) / w;
  if (!picus_eigenvalues(n, l->scaled, o->values, l->work))
    return picus_fail(o->context, PICUS_NO_SOLUTION, "the eigenvalues cannot be computed");
  o->data.is_stable = true;
  for (int k = 0; k < n; k++) {
    if (o->values[k].re > RESTS) o->data.is_stable = false;
    o->values[k].re *= w;
    o->values[k].im *= w;
  }
  return PICUS_OK;
}

static picus_status allocate(linearizing *l) {
  picus_linearization *o = l->out;
  const size_t n = (size_t)o->n;
  o->x = picus_allocate(o->context, n, sizeof *o->x);
  o->A = picus_allocate(o->context, n * n, sizeof *o->A);
  o->values = picus_allocate(o->context, n, sizeof *o->values);
  o->modes = picus_allocate(o->context, (size_t)o->system->fixed.law_count, sizeof *o->modes);
  l->y = picus_allocate(o->context, n * (1 + n), sizeof *l->y);
  l->scaled = picus_allocate(o->context, n * n, sizeof *l->scaled);
  l->step = picus_allocate(o->context, n, sizeof *l->step);
  l->work = picus_allocate(o->context, PICUS_EIGEN_WORK * n * n + n, sizeof *l->work);
  l->newton.A = picus_allocate(o->context, n * n, sizeof *l->newton.A);
  l->newton.row = picus_allocate(o->context, n, sizeof *l->newton.row);
  l->newton.column = picus_allocate(o->context, n, sizeof *l->newton.column);
  return o->x && o->A && o->values && o->modes && l->y && l->scaled && l->step && l->work && l->newton.A &&
                 l->newton.row && l->newton.column
             ? PICUS_OK
             : PICUS_ERROR_MEMORY;
}

static void release(linearizing *l) {
  picus_context *context = l->out->context;
  if (l->f.context) picus_flow_release(&l->f);
  if (l->found.context) picus_sequence_release(&l->found);
  void *const blocks[] = {l->y, l->scaled, l->step, l->work, l->newton.A, l->newton.row, l->newton.column};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) picus_release(context, blocks[k]);
}

picus_status picus_linearization_create(picus_context *context, const picus_linearization_def *def,
                                        picus_linearization **out) {
  *out = NULL;
  if (!def->model || !def->system || !def->options)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a linearization needs a model, its system and options");
  if (!(def->settle >= 0) || !isfinite(def->settle))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the time to settle must not be negative");
  picus_linearization *o = picus_allocate(context, 1, sizeof *o);
  if (!o) return PICUS_ERROR_MEMORY;
  *o = (picus_linearization){.context = context, .system = def->system, .n = def->system->nq + def->system->nu};
  linearizing l = {.out = o, .def = def};
  const flow_def of = {.model = def->model, .system = def->system, .columns = o->n};
  o->data.t = def->options->t_start + def->settle;
  picus_status status = allocate(&l);
  if (!status) status = picus_flow_create(context, &of, &l.f);
  if (!status) status = find_phase(&l);
  if (!status) status = find_rest(&l);
  if (!status && def->equilibrium) status = check_rest(&l);
  if (!status) status = find_values(&l);
  for (int i = 0; !status && i < def->system->fixed.law_count; i++) o->modes[i] = l.p->modes.modes[i];
  release(&l);
  status = picus_flow_explain(context, status);
  if (status)
    picus_linearization_destroy(o);
  else
    *out = o;
  return status;
}

void picus_linearization_destroy(picus_linearization *l) {
  if (!l) return;
  void *const blocks[] = {l->x, l->A, l->values, l->modes};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) picus_release(l->context, blocks[k]);
  picus_release(l->context, l);
}

picus_linearization_data picus_linearization_data_of(const picus_linearization *l) { return l->data; }
int picus_linearization_count(const picus_linearization *l) { return l->n; }
const double *picus_linearization_state(const picus_linearization *l) { return l->x; }
const double *picus_linearization_matrix(const picus_linearization *l) { return l->A; }
picus_multiplier picus_linearization_value(const picus_linearization *l, int index) {
  return index >= 0 && index < l->n ? l->values[index] : (picus_multiplier){NAN, NAN};
}
int picus_linearization_mode(const picus_linearization *l, int law) {
  return law >= 0 && law < l->system->fixed.law_count ? (int)l->modes[law] : -1;
}
