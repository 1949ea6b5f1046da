/* Gauss-Seidel sweeps over bodies until the residual is small.
 *
 * First with Anderson's mixing, which takes the slow directions out. Granular matter that settles stops it: its
 * contacts change modes for ever, and the residual stays. Then plain sweeps follow, whose changes are a drift: with the
 * present modes there is no fixed point, and P moves on at a constant or slowly falling rate until a contact slips or
 * opens. So the drift over some sweeps is extrapolated up to the next such event. */
#include "solver/body_problem.h"

#include "solver/anderson.h"

#include <float.h>
#include <string.h>

enum {
  FIRST_LOOK = 4,     /* sweeps before the residual is evaluated: then it is known what a change promises */
  LOOK_EVERY = 32,    /* sweeps between two evaluations, at most */
  STAGNATION = 200,   /* sweeps in which the residual must fall */
  DRIFT = 10,         /* sweeps over which a drift is measured, twice */
  DRIFT_PATIENCE = 20 /* times STAGNATION: a drift may last */
};
#define MARGIN (1 + 1e-3)   /* of residuals that bodies give, for round-off */
#define SAFE 1e-10          /* tolerance above which round-off is within the margin */
#define WORTH_GOING_ON 0.9  /* the residual must fall by this factor, */
#define WORTH_FOLLOWED 0.5  /* and by this one if other methods follow */
#define SAME_DIRECTION 0.95 /* cosine of two drifts, one after the other */
#define LEAST_RATIO 0.3     /* of the second to the first */
#define LIKE_BEFORE 0.05    /* percussions whose best multiple differs by less from 1 start as they are */
#define MOST_MULTIPLE 4.0   /* of percussions at the start */

enum { VECTORS = 2 * PICUS_ANDERSON_DEPTH + 3 + 3 }; /* sums of the mixing need less than one of them */

typedef struct body_sweeps {
  const picus_solver_options *options;
  picus_body_problem problem;
  picus_anderson mixing;
  double *before;        /* x before the sweep */
  double *start, *drift; /* x before the drift is measured, and its first half */
  double *P;             /* the best percussions so far, in rows of the problem; also scratch of the caller */
  double *trial;         /* rows of the problem */
  body_pass last;
  double promise; /* relative residual over relative change of a sweep, at the last look */
  double best, reference, gain;
  int patience; /* sweeps in which the residual must fall */
  int sweeps, looked_at, gained_at;
} body_sweeps;

/* The residual of x. That of the bodies is cheaper, and differs from the true one by round-off: it has to do unless x
 * seems to be good enough for a tolerance where this matters. */
static double residual_of(body_sweeps *s) {
  const double quick = MARGIN * picus_body_problem_residual(&s->problem), tolerance = s->options->tolerance;
  if (quick > tolerance || (quick <= tolerance && tolerance > SAFE)) return quick;
  picus_body_problem_get(&s->problem, s->problem.x, s->trial);
  return picus_contact_judge(s->problem.problem, s->trial, NULL, NULL, NULL).relative;
}

/* The residual of x; keeps it if it is the best so far. */
static double look(body_sweeps *s) {
  const double relative = residual_of(s);
  if (relative < s->best) {
    s->best = relative;
    picus_body_problem_get(&s->problem, s->problem.x, s->P);
  }
  if (s->best < s->gain * s->reference) {
    s->reference = s->best;
    s->gained_at = s->sweeps;
  }
  s->looked_at = s->sweeps;
  return relative;
}

/* A sweep, and a look if its change promises enough or the last one is long ago. true: it was the last one needed. */
static bool sweep_and_look(body_sweeps *s) {
  s->last = picus_body_problem_sweep(&s->problem);
  s->sweeps++;
  const double scale = fmax(s->last.percussion, s->problem.free_percussion);
  const double change = scale > 0 ? s->last.change / scale : 0;
  const bool promising = s->promise * change <= s->options->tolerance;
  const int next = s->looked_at > 0 ? s->looked_at + LOOK_EVERY : FIRST_LOOK;
  if (!promising && s->sweeps < next && s->sweeps < s->options->max_iterations) return false;
  const double relative = look(s);
  if (change > 0) s->promise = relative / change;
  return relative <= s->options->tolerance;
}

static bool may_go_on(const body_sweeps *s, int patience) {
  return s->sweeps < s->options->max_iterations && s->sweeps - s->gained_at < patience && isfinite(s->last.change) &&
         s->last.change > 0;
}

static bool sweep_mixed(body_sweeps *s) {
  picus_body_problem *b = &s->problem;
  const size_t bytes = (size_t)b->x_count * sizeof *b->x;
  while (may_go_on(s, s->patience)) {
    memcpy(s->before, b->x, bytes);
    if (sweep_and_look(s)) return true;
    if (!isfinite(s->last.change)) return false;
    picus_anderson_mix(&s->mixing, s->before, b->x);
    picus_body_problem_load(b);
  }
  return false;
}

static double product(const picus_body_problem *b, const double *x, const double *y) {
  double sum = 0;
  for (int k = 0; k < b->x_count; k++) sum += b->weight[k] * x[k] * y[k];
  return sum;
}

/* Moves on along the second half of the drift if it goes on like the first one: as a geometric series, and up to the
 * first contact that changes its mode. */
static void extrapolate(body_sweeps *s) {
  picus_body_problem *b = &s->problem;
  double *second = s->before; /* x - (start + drift) */
  for (int k = 0; k < b->x_count; k++) second[k] = b->x[k] - s->start[k] - s->drift[k];
  const double square = product(b, s->drift, s->drift), along = product(b, s->drift, second),
               other = product(b, second, second);
  if (!(square > 0 && other > 0) || !(along > SAME_DIRECTION * sqrt(square) * sqrt(other))) return;
  const double ratio = along / square;
  if (!(ratio > LEAST_RATIO)) return;
  const double most = ratio < 1 ? ratio / (1 - ratio) : INFINITY, reach = picus_body_problem_reach(b, second, most);
  if (!(reach > 0 && reach < DBL_MAX)) return;
  for (int k = 0; k < b->x_count; k++) b->x[k] += reach * second[k];
  picus_body_problem_load(b);
}

static bool sweep_drifting(body_sweeps *s) {
  picus_body_problem *b = &s->problem;
  const size_t bytes = (size_t)b->x_count * sizeof *b->x;
  s->gained_at = s->sweeps;
  while (may_go_on(s, DRIFT_PATIENCE * STAGNATION)) {
    memcpy(s->start, b->x, bytes);
    for (int k = 0; k < 2 * DRIFT && may_go_on(s, DRIFT_PATIENCE * STAGNATION); k++) {
      if (sweep_and_look(s)) return true;
      if (k != DRIFT - 1) continue;
      for (int i = 0; i < b->x_count; i++) s->drift[i] = b->x[i] - s->start[i];
    }
    if (isfinite(s->last.change)) extrapolate(s);
  }
  return false;
}

/* Granular matter that bounces needs all percussions of a step to be larger or smaller than those of the last one, or
 * zero. Sweeps would carry this from layer to layer; one number for all of them does it at once, and keeps them in
 * their cones. */
static void start_with_multiple(picus_body_problem *b) {
  const double multiple = fmin(picus_body_problem_best_multiple(b), MOST_MULTIPLE);
  if (fabs(multiple - 1) < LIKE_BEFORE) return;
  for (int k = 0; k < b->x_count; k++) b->x[k] *= multiple;
  picus_body_problem_load(b);
}

static void start(body_sweeps *s, double *vectors) {
  picus_body_problem *b = &s->problem;
  const size_t n = (size_t)b->x_count;
  s->before = vectors;
  s->start = vectors + n;
  s->drift = vectors + 2 * n;
  picus_anderson_start(&s->mixing, b->x_count, b->weight, vectors + 3 * n);
  s->mixing.context = b->is_coloured ? b->context : NULL;
  for (int k = 0; k < b->problem->size; k++)
    if (!isfinite(s->P[k])) s->P[k] = 0;
  picus_body_problem_put(b, s->P);
  picus_body_problem_load(b);
  start_with_multiple(b);
}

bool picus_gs_bodies(const picus_gs_task *task, double *P, int *iterations, picus_status *status) {
  const picus_contact_problem *problem = task->problem;
  body_sweeps s = {
      .options = task->options, .P = P, .promise = 1, .best = INFINITY, .reference = INFINITY, .last = {1, 0}};
  const bool alone = !task->limits->others_follow;
  s.gain = alone ? WORTH_GOING_ON : WORTH_FOLLOWED;
  s.patience = task->limits->patience > 0 ? task->limits->patience : STAGNATION;
  double *vectors;
  s.problem = (picus_body_problem){
      .problem = problem, .is_coloured = problem->law_count > PICUS_COLOURED_LAWS, .context = task->memory->context};
  if (!picus_body_problem_create(task->memory, VECTORS + 1, &s.problem, &vectors)) return false;
  start(&s, vectors);
  s.trial = vectors + (size_t)VECTORS * (size_t)s.problem.x_count;
  bool solved = sweep_mixed(&s);
  if (!solved && alone) solved = sweep_drifting(&s);
  *iterations += s.sweeps;
  *status = solved || s.best <= task->options->tolerance ? PICUS_OK : PICUS_NOT_CONVERGED;
  return true;
}
