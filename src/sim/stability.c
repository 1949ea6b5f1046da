/* The largest stable step of a scheme with explicit forces, at a state.
 *
 * M x'' = -K x - C x' is the motion near the state, with bilateral constraints held: K and C are the derivatives of all
 * forces, in the sparse form that modes use. Its fastest motions lie in the space that M^-1 K and M^-1 C span from one
 * vector on, as power iteration uses it: a basis of it, orthonormal in the metric of M, reduces K and C to small
 * matrices (Rayleigh and Ritz). A system of few velocities is reduced to itself, and its limit is exact. The step of
 * the scheme on the reduced motion is a matrix; see linear_motion.c. */
#include "sim/internal.h"

#include "base/internal.h"
#include "scheme/internal.h"
#include "scheme/linear_motion.h"
#include "statics/saddle.h"

#include <math.h>
#include <string.h>

static const double SLOW = 0.01;         /* rad per step: schemes of order 1 add energy that shows from 0.04 on */
enum { SPACE = 16, DERIVED_MOST = 200 }; /* vectors; velocities of a source whose derivatives have to be derived */

typedef struct fast_space {
  saddle *s;
  int count;
  double *V, *MV;   /* vectors are rows: SPACE x nu */
  double *K, *C;    /* SPACE x SPACE */
  double *y, *work; /* nu */
} fast_space;

/* y := A x in the metric of M, with constraints held: M^-1 A x without its part along them. With M for A: x itself. */
static void apply(fast_space *f, const double *A, const double *x, double *y) {
  saddle *s = f->s;
  picus_saddle_multiply(s, A, x, s->x);
  memset(s->x + s->nu, 0, (size_t)s->rows * sizeof *s->x);
  picus_saddle_solve(s);
  memcpy(y, s->x, (size_t)s->nu * sizeof *y);
}

/* Adds y to the basis, if enough of it is not in there yet. */
static void add_vector(fast_space *f, double *y) {
  const int nu = f->s->nu;
  if (f->count == SPACE) return;
  double *My = f->MV + (size_t)f->count * (size_t)nu, *to = f->V + (size_t)f->count * (size_t)nu;
  picus_saddle_multiply(f->s, f->s->M, y, My);
  const double size = sqrt(fmax(picus_dot(nu, y, My), 0));
  if (!(size > 0) || !isfinite(size)) return;
  for (int i = 0; i < nu; i++) f->y[i] = y[i] / size;
  apply(f, f->s->M, f->y, to); /* what constraints hold but for round-off is no motion */
  picus_saddle_multiply(f->s, f->s->M, to, My);
  double left = sqrt(fmax(picus_dot(nu, to, My), 0));
  if (!(left > 0.5)) return;
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < f->count; k++) {
      const double along = picus_dot(nu, f->MV + (size_t)k * (size_t)nu, to);
      for (int i = 0; i < nu; i++) to[i] -= along * f->V[(size_t)k * (size_t)nu + (size_t)i];
    }
    picus_saddle_multiply(f->s, f->s->M, to, My);
    left = sqrt(fmax(picus_dot(nu, to, My), 0));
    if (!(left > (pass ? 0.5 : 1e-7))) return;
    for (int i = 0; i < nu; i++) to[i] /= left, My[i] /= left;
  }
  f->count++;
}

/* A vector with a share of all motions, and most of those that alternate from one velocity to the next, as the fastest
 * ones of a flexible component do; k: another one. */
static void start_vector(fast_space *f, int k) {
  const int nu = f->s->nu;
  for (int i = 0; i < nu; i++) {
    double mass = 1, part = (0.6180339887498949 + 0.1 * k) * (i + 1);
    for (int j = f->s->row_start[i]; j < f->s->row_start[i + 1]; j++)
      if (f->s->column[j] == i && f->s->M[j] > 0) mass = f->s->M[j];
    f->y[i] = (i % 2 ? -1 : 1) * (1 + (part - floor(part))) / sqrt(mass);
  }
  picus_saddle_multiply(f->s, f->s->M, f->y, f->work);
  saddle *s = f->s;
  memcpy(s->x, f->work, (size_t)nu * sizeof *s->x);
  memset(s->x + nu, 0, (size_t)s->rows * sizeof *s->x);
  picus_saddle_solve(s);
  memcpy(f->y, s->x, (size_t)nu * sizeof *f->y);
}

/* From each vector those that stiffness and damping lead to. In a small system that consists of independent ones,
 * further vectors follow until all of its motions are there. */
static void fill_space(fast_space *f) {
  const int nu = f->s->nu;
  for (int start = 0, next = 0; start < SPACE && f->count < SPACE; start++) {
    start_vector(f, start);
    add_vector(f, f->y);
    for (; next < f->count && f->count < SPACE; next++) {
      const double *x = f->V + (size_t)next * (size_t)nu;
      apply(f, f->s->K, x, f->y);
      add_vector(f, f->y);
      apply(f, f->s->C, x, f->y);
      add_vector(f, f->y);
    }
  }
}

static void project(const fast_space *f, const double *A, double *small) {
  const int nu = f->s->nu, n = f->count;
  for (int j = 0; j < n; j++) {
    picus_saddle_multiply(f->s, A, f->V + (size_t)j * (size_t)nu, f->work);
    for (int i = 0; i < n; i++) small[i * n + j] = picus_dot(nu, f->V + (size_t)i * (size_t)nu, f->work);
  }
}

/* The velocity that takes most part in a motion of the space, by its kinetic energy. */
static int fastest_velocity(const fast_space *f, const double *mode) {
  const int nu = f->s->nu;
  memset(f->y, 0, (size_t)nu * sizeof *f->y);
  memset(f->work, 0, (size_t)nu * sizeof *f->work);
  for (int k = 0; k < f->count; k++)
    for (int i = 0; i < nu; i++) {
      f->y[i] += mode[k] * f->V[(size_t)k * (size_t)nu + (size_t)i];
      f->work[i] += mode[k] * f->MV[(size_t)k * (size_t)nu + (size_t)i];
    }
  int fastest = 0;
  for (int i = 1; i < nu; i++)
    if (f->y[i] * f->work[i] > f->y[fastest] * f->work[fastest]) fastest = i;
  return fastest;
}

static double quotient(int n, const double *A, const double *x) {
  double sum = 0, length = 0;
  for (int i = 0; i < n; i++) {
    length += x[i] * x[i];
    for (int j = 0; j < n; j++) sum += x[i] * A[i * n + j] * x[j];
  }
  return length > 0 ? sum / length : 0;
}

static void judge(const fast_space *f, const scheme_ops *scheme, const picus_tableau *tableau, picus_stability *out) {
  double work[(PICUS_LINEAR_WORK + 2) * SPACE], powers[8 * SPACE * SPACE], mode[SPACE];
  const linear_motion motion = {f->count, f->K, f->C, tableau, work};
  out->dt_limit = picus_linear_limit(scheme, &motion, PICUS_GROWTH_SHOWN, powers);
  if (!isfinite(out->dt_limit)) return;
  picus_linear_growth(scheme, &motion, 1.01 * out->dt_limit, powers, mode);
  const double omega = sqrt(fmax(quotient(f->count, f->K, mode), 0)), damping = quotient(f->count, f->C, mode);
  /* A motion that neither vibrates nor is damped grows by itself, unless gyroscopic forces hold it, which the step of
   * an implicit scheme does not contain here. No step size is to blame. */
  const bool is_motion = out->dt_limit * fmax(omega, fabs(damping)) < SLOW;
  if (is_motion) {
    out->dt_limit = INFINITY;
    return;
  }
  out->velocity = fastest_velocity(f, mode);
  out->omega = omega;
  out->damping = damping;
}

/* Derivatives of large sources of formulas may take longer than the run. */
static bool is_cheap(const picus_system *system) {
  for (int k = 0; k < system->source_count; k++) {
    const system_source *source = &system->sources[k];
    const bool has_pattern = source->part_count == 1 && system->parts[source->part0].pattern;
    if (!has_pattern && source->nu > DERIVED_MOST) return false;
  }
  return true;
}

static picus_status examine(picus_sim *sim, saddle *s, picus_stability *out) {
  const stepper *at = &sim->stepper;
  const size_t nu = (size_t)s->nu;
  double *block = picus_allocate(sim->context, 2 * SPACE * nu + 2 * SPACE * SPACE + 2 * nu, sizeof *block);
  if (!block) return PICUS_ERROR_MEMORY;
  fast_space f = {.s = s, .V = block, .MV = block + SPACE * nu, .K = block + 2 * SPACE * nu};
  f.C = f.K + SPACE * SPACE;
  f.y = f.C + SPACE * SPACE;
  f.work = f.y + nu;
  picus_evaluation_set_inputs(s->evaluation, at->evaluation->inputs);
  picus_status status = picus_saddle_set_motion(s, at->t, at->q, at->u);
  if (!status) status = picus_saddle_factor(s, 0, 1);
  if (!status) {
    fill_space(&f);
    project(&f, s->K, f.K);
    project(&f, s->C, f.C);
    judge(&f, at->scheme, picus_tableau_of(&sim->options.half_explicit), out);
  }
  picus_release(sim->context, block);
  return status;
}

picus_status picus_sim_stability(picus_sim *sim, picus_stability *out) {
  *out = (picus_stability){.dt_limit = INFINITY, .velocity = -1};
  if (!sim->stepper.scheme->linear_step || sim->system->nu == 0) return PICUS_OK;
  if (!is_cheap(sim->system)) {
    out->dt_limit = NAN;
    return PICUS_OK;
  }
  saddle s;
  picus_status status = picus_saddle_create_plain(sim->context, sim->system, &s);
  if (status) return status;
  status = examine(sim, &s, out);
  picus_saddle_release(&s);
  return status;
}
