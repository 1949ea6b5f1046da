/* The gap term of schemes at velocity level: a contact may approach by no more than its gap within a step,
 *
 *   gamma + f / dt >= 0      in place of      gamma >= 0,
 *
 * where f is the gap that the step leaves before its new velocity acts: of moreau in the middle of the step, of
 * moreau-explicit at its end, of moreau-jean g + (1 - theta) dt gamma at its start. In all of them the next f is f + dt
 * gamma, up to O(dt^2) of curved surfaces, so that f >= 0 stays true, and the gap at the end of the step, between f and
 * f + dt gamma, is not negative either. Newton's law with e takes its place in impacts that a step resolves. */
#include "base/tasks.h"
#include "contact/internal.h"
#include "stepper/internal.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define ROUNDINGS 64 /* of f + dt gamma: a contact that is no deeper has not been missed */
/* Work on laws, which are independent of each other. */
typedef struct gap_work {
  stepper *s;
  const gap_step *step;
  double *offset;  /* of picus_gap_term_fill */
  const double *u; /* of picus_gap_term_add_missed */
  atomic_bool missed;
} gap_work;

picus_status picus_gap_term_create(stepper *s) {
  gap_term *g = &s->gap_term;
  g->on = true;
  picus_status status = PICUS_SCRATCH(&s->arrays, sizeof(double), picus_by_law, &g->ahead, &g->velocity, &g->most);
  if (!status) status = PICUS_SCRATCH(&s->arrays, sizeof(double), picus_by_row, &g->offset);
  return status ? status : PICUS_SCRATCH(&s->arrays, sizeof *g->chosen, picus_by_law, &g->chosen);
}

/* The velocity e gamma_begin, not positive, of an open contact that the step would cross from the gap f, and whose
 * rebound e v takes longer than two steps: with the velocity `explained` that forces give in a step, its flight takes 2
 * e v / explained steps. 0: slower ones cannot be resolved, and persistent contacts have no restitution. */
static double rebound_of(const stepper *s, int law, const gap_step *step, double f) {
  const system_law *own = &s->set->laws[law];
  const picus_evaluation *e = step->directions;
  const double restitution = s->contacts.row_restitution[own->data.first_row];
  if (!(restitution > 0) || s->contacts.modes[law] != PICUS_OPEN) return 0;
  if (!(f + step->dt * picus_law_velocity(e, own, 0, step->u_free) <= 0)) return 0;
  const double begin =
      step->gamma_begin ? step->gamma_begin[own->data.first_row] : picus_law_velocity(e, own, 0, step->u_begin);
  const double rebound = restitution * begin;
  const double explained =
      picus_law_row_change(s->system, own, picus_law_row(own, e->W, 0), step->u_begin, step->u_free);
  return -rebound > explained ? rebound : 0;
}

/* The velocity v of xi = gamma + v. A gap below zero, by round-off, by a curved surface, by the residual of a solver or
 * from the start, opens no faster than forces would close it in one step: so the motion gains no more than their work
 * on the way. In granular matter the forces of gravity reach a contact over its neighbours, whatever its direction.
 *
 * In granular matter, and for a while after contacts of fewer bodies have crept (solver.c), a contact that was closed
 * has gap 0 within the slack. Matter at rest has more contacts than its bodies can move in: to close or open one of
 * them by the least amount, friction elsewhere must reach its limit, and percussions change as much as for a large
 * amount. Sweeps would take as many times longer as the gap is smaller, and contacts creep. A ball that rolls in a
 * groove leaves its contacts by (v dt)^2 / 2 r in each step, and cannot return to them without slip. */
static double velocity_of(const stepper *s, int law, const gap_step *step, double most) {
  const double ahead = s->gap_term.ahead[law];
  const double share =
      s->contacts.modes[law] != PICUS_OPEN ? picus_solver_granular_share(s->contacts.solver, s->set->law_count) : 0;
  const double f = share > 0 && !picus_gap_is_beyond(ahead, share * (step->dt * most)) ? 0 : ahead;
  const double rebound = rebound_of(s, law, step, f);
  return rebound < 0 ? rebound : fmax(f / step->dt, -most);
}

/* Those within reach of the velocities that u_free has, and of what the forces of the step can give them over other
 * contacts: the others are examined after the solve. */
static bool is_within_reach(const stepper *s, int law, const gap_step *step, double most) {
  const system_law *own = &s->set->laws[law];
  const picus_evaluation *e = step->directions;
  const double *row = picus_law_row(own, e->W, 0);
  const double reach =
      picus_law_row_terms(s->system, own, row, step->u_free) + most + fabs(e->chi[own->data.first_row]);
  return s->gap_term.ahead[law] <= step->dt * reach;
}

static void choose(void *user, int first, int end) {
  const gap_work *work = user;
  stepper *s = work->s;
  gap_term *g = &s->gap_term;
  for (int i = first; i < end; i++) {
    g->chosen[i] = true;
    const system_law *law = &s->set->laws[i];
    if (!picus_law_can_open(&law->data)) continue;
    const gap_step *step = work->step;
    const double most = picus_law_row_most_change(s->system, law, picus_law_row(law, step->directions->W, 0),
                                                  step->u_begin, step->u_free);
    g->most[i] = most;
    g->velocity[i] = velocity_of(s, i, step, most);
    g->chosen[i] = is_within_reach(s, i, step, most);
  }
}

/* The offset of xi with the gap term: the velocity that a gap may have in contacts, and restitution in other rows. */
static void fill(void *user, int first, int end) {
  const gap_work *work = user;
  const stepper *s = work->s;
  const gap_step *step = work->step;
  const picus_evaluation *e = step->directions;
  for (int i = first; i < end; i++) {
    const system_law *law = &s->set->laws[i];
    for (int r = 0; r < law->data.dim; r++) {
      const int row = law->data.first_row + r;
      double *offset = &work->offset[row];
      *offset = e->chi[row];
      if (r == 0 && picus_law_can_open(&law->data)) {
        *offset += s->gap_term.velocity[i];
        continue;
      }
      const double restitution = s->contacts.row_restitution[row];
      if (restitution == 0) continue;
      *offset +=
          restitution * (step->gamma_begin ? step->gamma_begin[row] : picus_law_velocity(e, law, r, step->u_begin));
    }
  }
}

void picus_gap_term_fill(stepper *s, const gap_step *step, double *offset) {
  gap_work work = {.s = s, .step = step, .offset = offset};
  fill(&work, 0, s->set->law_count);
}

static void find_missed(void *user, int first, int end) {
  gap_work *work = user;
  const stepper *s = work->s;
  const gap_term *g = &s->gap_term;
  const picus_evaluation *e = work->step->directions;
  const double dt = work->step->dt;
  for (int i = first; i < end; i++) {
    if (g->chosen[i]) continue;
    const system_law *law = &s->set->laws[i];
    const double gamma = picus_law_velocity(e, law, 0, work->u);
    const double terms = picus_law_row_terms(s->system, law, picus_law_row(law, e->W, 0), work->u);
    if (g->ahead[i] + dt * gamma >= -ROUNDINGS * DBL_EPSILON * (fabs(g->ahead[i]) + dt * terms)) continue;
    g->chosen[i] = true;
    atomic_store(&work->missed, true);
  }
}

picus_status picus_gap_term_add_missed(stepper *s, const gap_step *step, const double *u, picus_step_info *info,
                                       bool *missed) {
  gap_work work = {.s = s, .step = step, .u = u};
  atomic_init(&work.missed, false);
  picus_status status = picus_tasks_over(s->context, s->set->law_count, PICUS_TASK_OF_ROWS, find_missed, &work);
  *missed = !status && atomic_load(&work.missed);
  if (!*missed) return status;
  picus_step_problem_join(&s->problem, s->gap_term.chosen);
  info->active = s->problem.active_count;
  return PICUS_OK;
}

picus_status picus_gap_term_begin(stepper *s, const gap_step *step, double *offset, picus_step_info *info) {
  gap_work work = {.s = s, .step = step, .offset = offset};
  picus_status status = picus_tasks_over(s->context, s->set->law_count, PICUS_TASK_OF_ROWS, choose, &work);
  if (!status) status = picus_tasks_over(s->context, s->set->law_count, PICUS_TASK_OF_ROWS, fill, &work);
  if (status) return status;
  picus_step_problem_choose(&s->problem, s->gap_term.chosen);
  info->active = s->problem.active_count;
  return PICUS_OK;
}

/* The drift of gaps in granular matter. Contacts that stay closed drift from gap 0: a ball that rolls in a groove
 * leaves it by (v dt)^2 / 2 r in each step, and so do residuals of the solver. The gap term would take this back by
 * velocities. But matter at rest has more contact rows than its bodies can move in, and friction that holds does not
 * permit these velocities: percussions would have to grow until contacts slip, for a gap of a nanometre (gap_term.c).
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

#define BEGINS 0.5 /* share of its slack that a gap has used up when the correction begins */
#define ENDS 0.05  /* share of the slack of overlaps up to which a gap counts as corrected */
enum { SWEEPS = 20 };

picus_status picus_gap_drift_create(stepper *s) {
  gap_drift *d = &s->gap_term.drift;
  picus_status status = PICUS_SCRATCH(&s->arrays, sizeof(double), picus_by_law, &d->gap, &d->lambda);
  if (!status) status = PICUS_SCRATCH(&s->arrays, sizeof *d->seen, picus_by_law, &d->seen);
  if (!status) status = PICUS_FIXED(&s->arrays, sizeof *d->w, (size_t)s->system->nu, &d->w);
  return status ? status : PICUS_FIXED(&s->arrays, sizeof *d->moved, (size_t)s->system->part_count, &d->moved);
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

/* One pass over the contacts: all of them if `first`, else those whose bodies have moved since their last visit. true:
 * something has moved. now: counts the visits. */
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
