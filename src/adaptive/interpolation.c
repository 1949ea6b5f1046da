/* States between the ends of an accepted step, of the accuracy of the step.
 *
 * A state inside is the extrapolation step of the same rows from the same start, only shorter: its error is that of a
 * step of this size. If many are needed, only the Chebyshev points are computed this way, and a polynomial through them
 * and the ends, two degrees above the order of the step, gives the rest. */
#include "adaptive/internal.h"
#include "base/elementary.h"

#include "base/internal.h"

#include <math.h>
#include <string.h>

static size_t state_size(const interpolation *d) {
  const picus_system *s = d->extrapolation->stepper->system;
  return (size_t)s->nq + (size_t)s->nu;
}

picus_status picus_interpolation_create(extrapolation *e, interpolation *out) {
  *out = (interpolation){.extrapolation = e};
  for (int i = 0; i < DENSE_NODES_MOST; i++) {
    out->values[i] = picus_allocate(e->context, state_size(out), sizeof(double));
    if (!out->values[i]) return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

void picus_interpolation_release(interpolation *d) {
  for (int i = 0; i < DENSE_NODES_MOST; i++)
    if (d->values[i]) picus_release(d->extrapolation->context, d->values[i]);
  *d = (interpolation){0};
}

void picus_interpolation_set_step(interpolation *d, const stepper_snapshot *begin, const driven_step *step) {
  d->begin = begin;
  d->step = step;
  d->node_count = 0;
}

/* A step of size dt_min in which a law switched has no smooth inside: q runs straight, u is the one after it. */
static void straight(const interpolation *d, double x, double *q, double *u) {
  const picus_system *s = d->extrapolation->stepper->system;
  const stepper_snapshot *begin = d->begin, *end = &d->step->end;
  for (int i = 0; i < s->nq; i++) q[i] = begin->q[i] + x * (end->q[i] - begin->q[i]);
  for (int i = 0; i < s->nu; i++) u[i] = end->u[i];
}

static picus_status make_polynomial(interpolation *d, int node_count) {
  const size_t size = state_size(d) * sizeof(double);
  const int nq = d->extrapolation->stepper->system->nq, last = node_count - 1;
  const double pi = 3.14159265358979323846;
  for (int j = 0; j <= last; j++) {
    double x = 0.5 - 0.5 * picus_cos(pi * j / last);
    d->nodes[j] = x;
    d->weights[j] = (j % 2 ? -1.0 : 1.0) * (j == 0 || j == last ? 0.5 : 1.0); /* barycentric, of these points */
    if (j == 0 || j == last) {
      memcpy(d->values[j], j == 0 ? d->begin->values : d->step->end.values, size);
      continue;
    }
    picus_status status = picus_extrapolation_state(d->extrapolation, d->begin, x * d->step->dt, &d->step->step,
                                                    d->values[j], d->values[j] + nq);
    if (status) return status;
  }
  d->node_count = node_count;
  return PICUS_OK;
}

static void evaluate_polynomial(const interpolation *d, double x, double *q, double *u) {
  const picus_system *s = d->extrapolation->stepper->system;
  double factors[DENSE_NODES_MOST] = {0}, sum = 0;
  for (int j = 0; j < d->node_count; j++) {
    double distance = x - d->nodes[j];
    if (distance == 0) {
      memcpy(q, d->values[j], (size_t)s->nq * sizeof *q);
      memcpy(u, d->values[j] + s->nq, (size_t)s->nu * sizeof *u);
      return;
    }
    factors[j] = d->weights[j] / distance;
    sum += factors[j];
  }
  for (int i = 0; i < s->nq + s->nu; i++) {
    double value = 0;
    for (int j = 0; j < d->node_count; j++) value += factors[j] * d->values[j][i];
    *(i < s->nq ? &q[i] : &u[i - s->nq]) = value / sum;
  }
}

picus_status picus_interpolation_state(interpolation *d, double t, long expected, double *q, double *u) {
  const extrapolated_step *step = &d->step->step;
  double inside = t - d->begin->t, x = inside / d->step->dt;
  if (step->outcome == STEP_RESOLVED && d->step->dt <= d->extrapolation->options.dt_min) {
    straight(d, x, q, u);
    return PICUS_OK;
  }
  int node_count = step->order + 3;
  if (node_count > DENSE_NODES_MOST) node_count = DENSE_NODES_MOST;
  if (d->node_count == 0 && expected > node_count - 2) {
    picus_status status = make_polynomial(d, node_count);
    if (status) return status;
  }
  if (d->node_count == 0) return picus_extrapolation_state(d->extrapolation, d->begin, inside, step, q, u);
  evaluate_polynomial(d, x, q, u);
  return PICUS_OK;
}
