/* The drift of gaps in heaps. Contacts that stay closed drift from gap 0: a ball that rolls in a groove leaves it by
 * (v dt)^2 / 2 r in each step, and so do residuals of the solver. The gap term would take this back by velocities. But
 * a heap at rest has more contact rows than its bodies can move in, and friction that holds does not permit these
 * velocities: percussions would have to grow until contacts slip, for a gap of a nanometre (gap_term.c).
 *
 * So positions are moved instead, by a displacement dt w that is no velocity of the bodies: w = M^-1 W_N lambda along
 * the normals alone, for which there is room, with
 *
 *   f + dt (gamma + W_N^T w) = 0     for contacts that are closed after the step, and
 *   f + dt (gamma + W_N^T w) >= 0    for the others, with lambda >= 0,
 *
 * where f + dt gamma is the gap before the next velocity acts. It begins where a gap has used up half of its slack, and
 * ends where all are within a small share of it. Gauss-Seidel's method visits only contacts whose bodies have moved
 * since: corrections stay where they are needed. */
#include "stepper/internal.h"

#include <math.h>
#include <string.h>

#define BEGINS 0.5 /* of the slack of a gap, */
#define ENDS 0.05  /* and of the slack of an overlap */
enum { SWEEPS = 20 };

picus_status picus_gap_drift_create(stepper *s) {
  gap_drift *d = &s->gap_term.drift;
  const law_array arrays[] = {picus_scratch(&d->gap, sizeof(double), picus_by_law),
                              picus_scratch(&d->lambda, sizeof(double), picus_by_law),
                              picus_scratch(&d->seen, sizeof *d->seen, picus_by_law)};
  d->w = picus_allocate(s->context, (size_t)s->system->nu, sizeof *d->w);
  d->moved = picus_allocate(s->context, (size_t)s->system->part_count, sizeof *d->moved);
  if (!d->w || !d->moved) return PICUS_ERROR_MEMORY;
  return picus_law_arrays_add(&s->arrays, sizeof arrays / sizeof arrays[0], arrays);
}

void picus_gap_drift_release(stepper *s) {
  picus_release(s->context, s->gap_term.drift.w);
  picus_release(s->context, s->gap_term.drift.moved);
}

/* The gaps before the next velocity acts. true: one of the closed contacts has drifted too far. */
static bool look_at_gaps(stepper *s, double dt, double share) {
  const step_problem *p = &s->problem;
  const gap_term *g = &s->gap_term;
  bool far = false;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const int law = p->active[k];
    if (!picus_law_can_open(&s->set->laws[law].data)) continue;
    const double gap = g->ahead[law] + dt * (p->gamma_free[at] + p->argument[at]), way = share * dt * g->most[law];
    g->drift.gap[k] = fmax(gap, -PICUS_OVERLAP_SLACK * way); /* what overlaps from the start is left to the gap term */
    if (p->modes[k] == PICUS_OPEN) continue;
    g->drift.gap[k] = fmin(g->drift.gap[k], PICUS_GAP_SLACK * way);
    far = far || picus_gap_is_beyond(gap, BEGINS * way);
  }
  return far;
}

static bool has_moved(const gap_drift *d, const system_law *law, int since) {
  for (int b = 0; b < law->part_count; b++)
    if (d->moved[law->parts[b]] > since) return true;
  return false;
}

/* What lambda of contact k lacks, with its present gap. */
static double missing(const stepper *s, int k, double dt, double enough) {
  const gap_drift *d = &s->gap_term.drift;
  const picus_factored_matrix *f = &s->problem.G.factors;
  const double *W = f->W + f->offset[k], *change = f->change + f->offset[k];
  double gamma = 0, G = 0;
  for (int i = 0, c = f->start[k]; c < f->start[k + 1]; i++, c++) {
    gamma += W[i] * d->w[f->column[c]];
    G += W[i] * change[i];
  }
  const double gap = d->gap[k] + dt * gamma;
  if (!(G > 0) || fabs(gap) <= enough) return 0;
  const double lambda = -gap / (dt * G);
  return s->problem.modes[k] == PICUS_OPEN ? fmax(lambda, -d->lambda[k]) : lambda;
}

/* Adds to lambda of contact k; its bodies have moved at the time `now`. */
static void push(stepper *s, int k, double lambda, int now) {
  gap_drift *d = &s->gap_term.drift;
  const picus_factored_matrix *f = &s->problem.G.factors;
  const system_law *law = &s->set->laws[s->problem.active[k]];
  const double *change = f->change + f->offset[k];
  for (int i = 0, c = f->start[k]; c < f->start[k + 1]; i++, c++) d->w[f->column[c]] += lambda * change[i];
  for (int b = 0; b < law->part_count; b++) d->moved[law->parts[b]] = now;
  d->lambda[k] += lambda;
}

/* true: something has moved. now: counts the visits. */
static bool sweep(stepper *s, double dt, double share, bool first, int *now) {
  const step_problem *p = &s->problem;
  gap_drift *d = &s->gap_term.drift;
  bool moved = false;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->set->laws[p->active[k]];
    if (!picus_law_can_open(&law->data) || !(first || has_moved(d, law, d->seen[k]))) continue;
    const double lambda = missing(s, k, dt, ENDS * PICUS_OVERLAP_SLACK * share * dt * s->gap_term.most[p->active[k]]);
    d->seen[k] = ++*now;
    if (lambda == 0) continue;
    push(s, k, lambda, *now);
    moved = true;
  }
  return moved;
}

bool picus_gap_drift_find(stepper *s, double dt) {
  const step_problem *p = &s->problem;
  gap_drift *d = &s->gap_term.drift;
  const double share = picus_solver_granular_share(s->contacts.solver, s->set->law_count);
  if (!(share > 0) || !p->G.is_factored || s->sleep.on || !look_at_gaps(s, dt, share)) return false;
  memset(d->w, 0, (size_t)s->system->nu * sizeof *d->w);
  memset(d->moved, 0, (size_t)s->system->part_count * sizeof *d->moved);
  memset(d->lambda, 0, (size_t)p->active_count * sizeof *d->lambda);
  int now = 0;
  for (int k = 0; k < SWEEPS && sweep(s, dt, share, k == 0, &now); k++) {
  }
  return picus_all_finite(d->w, (size_t)s->system->nu);
}

/* Forces do work on the displacement, w^T M (u_free - u_begin) = lambda^T W_N^T (u_free - u_begin): bodies that return
 * to each other lose what they would have lost if they had never parted. */
void picus_gap_drift_settle(stepper *s, picus_step_info *info) {
  const step_problem *p = &s->problem;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const double energy = s->gap_term.drift.lambda[k] * (p->gamma_free[at] - p->gamma_begin[at]);
    s->contacts.dissipated[p->active[k]] += energy; /* 0 if the law has no gap: lambda is 0 */
    info->dissipated += energy;
  }
}
