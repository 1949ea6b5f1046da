/* Gauss-Seidel sweeps over bodies until the residual is small, with Anderson's mixing, which takes the slow directions
 * out. Granular matter that settles stops it: its contacts change modes for ever, and the residual stays. */
#include "sweep/body_problem.h"

#include "sweep/anderson.h"

#include <float.h>
#include <string.h>

enum {
  FIRST_LOOK = 4,  /* sweeps before the residual is evaluated: then it is known what a change promises */
  LOOK_EVERY = 32, /* sweeps between two evaluations, at most */
  STAGNATION = 200 /* sweeps in which the residual must fall */
};
#define MARGIN (1 + 1e-3)    /* of residuals that bodies give, for round-off */
#define SAFE 1e-10           /* tolerance above which round-off is within the margin */
#define WORTH_CONTINUING 0.9 /* the residual must fall by this factor, */
#define WORTH_FOLLOWED 0.5   /* and by this one if other methods follow */
#define LIKE_BEFORE 0.05     /* percussions whose best multiple differs by less from 1 start as they are */
#define MOST_MULTIPLE 4.0    /* of percussions at the start */

enum { VECTORS = 2 * PICUS_ANDERSON_DEPTH + 3 + 1 }; /* sums of the mixing need less than one of them */

typedef struct body_sweeps {
  const picus_solver_options *options;
  picus_body_problem problem;
  picus_anderson mixing;
  double *before; /* x before the sweep */
  double *P;      /* the best percussions so far, in rows of the problem; also scratch of the caller */
  double *trial;  /* rows of the problem */
  body_pass last;
  double promise; /* relative residual over relative change of a sweep, at the last look */
  double best, reference, gain;
  int patience; /* sweeps in which the residual must fall */
  int sweeps, looked_at, gained_at;
} body_sweeps;

/* The residual of x; keeps it if it is the best so far. The residual of the bodies takes less than the true one and
 * differs from it by round-off: it suffices unless x seems to be good enough for a tolerance where this matters. */
static double look(body_sweeps *s) {
  const double tolerance = s->options->tolerance;
  double relative = MARGIN * picus_body_problem_residual(&s->problem);
  if (!(relative > tolerance) && !(relative <= tolerance && tolerance > SAFE)) {
    picus_body_problem_get(&s->problem, s->problem.x, s->trial);
    relative = picus_contact_judge(s->problem.problem, s->trial, NULL, NULL, NULL).relative;
  }
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

/* As long as the residual falls. */
static bool sweep_mixed(body_sweeps *s) {
  picus_body_problem *b = &s->problem;
  const size_t bytes = (size_t)b->x_count * sizeof *b->x;
  while (s->sweeps < s->options->max_iterations && s->sweeps - s->gained_at < s->patience && s->last.change > 0) {
    memcpy(s->before, b->x, bytes);
    if (sweep_and_look(s)) return true;
    if (!isfinite(s->last.change)) return false;
    picus_anderson_mix(&s->mixing, s->before, b->x);
    picus_body_problem_load(b);
  }
  return false;
}

/* From a multiple of P. Granular matter that bounces needs all percussions of a step to be larger or smaller than in
 * the step before, or zero. Sweeps would carry this from layer to layer; one number for all of them does it at once,
 * and keeps them in their cones. */
static void start(body_sweeps *s, double *vectors) {
  picus_body_problem *b = &s->problem;
  const size_t n = (size_t)b->x_count;
  s->before = vectors;
  picus_anderson_start(&s->mixing, b->x_count, b->weight, vectors + n);
  s->mixing.context = b->is_coloured ? b->context : NULL;
  for (int k = 0; k < b->problem->size; k++)
    if (!isfinite(s->P[k])) s->P[k] = 0;
  picus_body_problem_put(b, s->P);
  picus_body_problem_load(b);
  const double multiple = fmin(picus_body_problem_best_multiple(b), MOST_MULTIPLE);
  if (fabs(multiple - 1) < LIKE_BEFORE) return;
  for (int k = 0; k < b->x_count; k++) b->x[k] *= multiple;
  picus_body_problem_load(b);
}

bool picus_gs_bodies(const picus_gs_task *task, double *P, int *iterations, picus_status *status) {
  const picus_contact_problem *problem = task->problem;
  body_sweeps s = {
      .options = task->options, .P = P, .promise = 1, .best = INFINITY, .reference = INFINITY, .last = {1, 0}};
  const bool alone = !task->limits->others_follow;
  s.gain = alone ? WORTH_CONTINUING : WORTH_FOLLOWED;
  s.patience = task->limits->patience > 0 ? task->limits->patience : STAGNATION;
  double *vectors;
  s.problem = (picus_body_problem){
      .problem = problem, .is_coloured = problem->law_count > PICUS_COLOURED_LAWS, .context = task->memory->context};
  if (!picus_body_problem_create(task->memory, VECTORS + 1, &s.problem, &vectors)) return false;
  start(&s, vectors);
  s.trial = vectors + (size_t)VECTORS * (size_t)s.problem.x_count;
  const bool solved = sweep_mixed(&s);
  *iterations += s.sweeps;
  *status = solved || s.best <= task->options->tolerance ? PICUS_OK : PICUS_NOT_CONVERGED;
  return true;
}
