/* Solver "homotopy": Newton's method on smoothed projections.
 *
 * In scaled variables (coupled.h) a solution is a root of  F(p) = p - proj(p - x),  x = G' p + c'.  The projections are
 * smoothed with the parameter kappa (smoothing.h), which makes F smooth and its roots the central path of an
 * interior-point method; in contrast to that, the iterates need not stay inside the cones, so that a slipping contact
 * may turn its direction in one step. kappa follows the path down from 1; at kappa = 0 the method is the semismooth
 * Newton method.
 *
 * Friction is not monotone: the path can turn back, and is followed around its folds by arc length
 * (homotopy_folds.c). If Newton can no longer follow, proximal steps take over
 * (Rockafellar 1976): x + eps (p - p_old) in place of x, which can be solved for large enough eps, with eps adapted to
 * the success. They move along the slow directions of an almost singular G with the largest steps for which Newton
 * converges. */
#include "solver/homotopy.h"

#include <string.h>

#define REGULARIZATION 1e-10 /* of G', whose diagonal is 1: redundant contacts make it singular */
#define CENTRED 0.1          /* a point belongs to the path if no entry of F exceeds this share of kappa */
#define LARGEST_START 1e6    /* scaled initial percussions beyond this are meaningless */
#define SMALLEST_KAPPA 1e-14
#define SLOWEST_SHRINK 0.85   /* of kappa: beyond, there is a fold */
#define INNER_REDUCTION 0.05  /* of F, in one proximal step */
#define SLIGHTLY_ROUNDED 0.03 /* kappa as a share of the largest entry of F */
#define SMALLEST_EPS 1e-12
#define WORTH_BODIES 8 /* blocks of G for each law; beyond, the graph of bodies takes less (bench/notes/piles.md) */
#define LARGEST_EPS 1e3

enum {
  VECTORS = 10,
  FIRST_CENTRING = 30, /* Newton steps to the start of the path */
  CENTRING = 6,        /* from one point of the path to the next */
  PROXIMAL_STEPS = 8,  /* Newton steps in a proximal step */
  MOST_FOLDS = 400,
  PATIENCE = 200 /* factorizations without progress, in addition to four for every row */
};

static picus_memory_need homotopy_need(int law_count, int size) {
  picus_memory_need scaled = picus_scaled_need(law_count, size), system = picus_coupled_need(law_count, size);
  return (picus_memory_need){.doubles = scaled.doubles + system.doubles + VECTORS * (size_t)size,
                             .ints = scaled.ints + system.ints};
}

/* --- F and its derivative ------------------------------------------------------------------------------------- */

/* The argument p - x - eps (p - anchor) of a row. */
static double argument_of(const homotopy *h, const double *p, int row) {
  return p[row] - h->x[row] - h->eps * (p[row] - h->anchor[row]);
}

/* Smoothed projection of the arguments of a law, and its derivative if needed; that by the normal row of the contact of
 * a rolling law goes to B_N. */
static void project_law(const homotopy *h, int law, const double *p, double *projection, picus_law_matrix derivative) {
  const picus_law *l = &h->scaled.problem->laws[law];
  int row = h->scaled.first_row[law];
  double a[PICUS_LAW_ROWS];
  for (int k = 0; k < l->dim; k++) a[k] = argument_of(h, p, row + k);
  if (l->kind == PICUS_ROLLING) {
    const picus_smooth_rolling rolling = {l->dim, picus_scaled_radius(&h->scaled, law), h->kappa,
                                          argument_of(h, p, h->scaled.first_row[law - 1])};
    picus_smooth_rolling_projection(&rolling, a, projection, derivative, derivative ? h->system.B_N[law] : NULL);
    return;
  }
  picus_smooth_projection(l, picus_scaled_radius(&h->scaled, law), h->kappa, a, projection, derivative);
}

double picus_homotopy_evaluate(homotopy *h, const double *p, double *F, double *largest) {
  const picus_contact_problem *problem = h->scaled.problem;
  double sum = 0;
  *largest = 0;
  picus_scaled_velocity(&h->scaled, p, h->x);
  for (int i = 0; i < problem->law_count; i++) {
    int row = h->scaled.first_row[i];
    double projection[PICUS_LAW_ROWS];
    project_law(h, i, p, projection, NULL);
    for (int k = 0; k < problem->laws[i].dim; k++) {
      double value = F[row + k] = p[row + k] - projection[k];
      sum += value * value;
      if (!(fabs(value) <= *largest)) *largest = fabs(value);
    }
  }
  return sqrt(sum);
}

static void evaluate_here(homotopy *h) { h->length = picus_homotopy_evaluate(h, h->p, h->F, &h->largest); }

/* With the derivative S' of the rounded projections:  dF = (1 - (1 - eps) S') dp + S' G' dp. */
bool picus_homotopy_linearize(homotopy *h) {
  const picus_contact_problem *problem = h->scaled.problem;
  picus_scaled_velocity(&h->scaled, h->p, h->x);
  for (int i = 0; i < problem->law_count; i++) {
    double projection[PICUS_LAW_ROWS];
    project_law(h, i, h->p, projection, h->system.B[i]);
    for (int k = 0; k < problem->laws[i].dim; k++)
      for (int l = 0; l < problem->laws[i].dim; l++)
        h->system.C[i][k][l] = (k == l) - (1 - h->eps - REGULARIZATION) * h->system.B[i][k][l];
    for (int k = 0; problem->laws[i].kind == PICUS_ROLLING && k < problem->laws[i].dim; k++)
      h->system.C_N[i][k] = -(1 - h->eps - REGULARIZATION) * h->system.B_N[i][k];
  }
  h->factorizations++;
  return picus_coupled_factor(&h->system);
}

/* One Newton step with at most this many halvings, after which |F| must be smaller by the share `descent` of the step.
 * false: p stays unchanged. */
static bool newton_step(homotopy *h, int most_halvings, double descent) {
  int size = h->scaled.problem->size;
  if (!picus_homotopy_linearize(h)) return false;
  for (int k = 0; k < size; k++) h->step[k] = -h->F[k];
  picus_coupled_solve(&h->system, h->step);
  double share = 1, largest;
  for (int halvings = 0; halvings <= most_halvings; halvings++, share /= 2) {
    for (int k = 0; k < size; k++) h->trial[k] = h->p[k] + share * h->step[k];
    double length = picus_homotopy_evaluate(h, h->trial, h->trial_F, &largest);
    if (!(length < (1 - descent * share) * h->length)) continue;
    memcpy(h->p, h->trial, (size_t)size * sizeof *h->p);
    memcpy(h->F, h->trial_F, (size_t)size * sizeof *h->F);
    h->length = length;
    h->largest = largest;
    return true;
  }
  return false;
}

/* --- the path ------------------------------------------------------------------------------------------------- */

/* The true residual of p; keeps p if it is the best so far. true: solved. */
static bool look(homotopy *h) {
  double relative = picus_scaled_judge(&h->scaled, h->p);
  if (relative < 0.9 * h->best) h->improved_at = h->factorizations;
  if (relative < h->best) {
    h->best = relative;
    memcpy(h->best_p, h->p, (size_t)h->scaled.problem->size * sizeof *h->p);
  }
  return relative <= h->options->tolerance;
}

bool picus_homotopy_may_go_on(const homotopy *h) {
  return h->factorizations < h->options->max_iterations &&
         h->factorizations - h->improved_at <= PATIENCE + 4 * h->scaled.problem->size;
}

static void drop_anchor(homotopy *h) { memcpy(h->anchor, h->p, (size_t)h->scaled.problem->size * sizeof *h->p); }
static void go_back(homotopy *h) { memcpy(h->p, h->anchor, (size_t)h->scaled.problem->size * sizeof *h->p); }

/* Newton steps from p to the path at the present kappa; returns their number, or -1 if they do not get there. */
static int centre(homotopy *h, int most_steps) {
  evaluate_here(h);
  for (int steps = 0; steps <= most_steps; steps++) {
    if (h->largest <= CENTRED * h->kappa) return steps;
    if (steps == most_steps || !picus_homotopy_may_go_on(h) || !newton_step(h, 3, 0.3)) return -1;
  }
  return -1;
}

/* Steps down the path while they get along. true: solved. false: it turns back, or cannot be followed any further; p
 * and kappa are its last point. */
static bool descend(homotopy *h) {
  double shrink = 0.3, kappa = h->kappa;
  while (picus_homotopy_may_go_on(h) && kappa > SMALLEST_KAPPA && shrink < SLOWEST_SHRINK) {
    if (look(h)) return true;
    drop_anchor(h);
    h->kappa = kappa * shrink;
    int steps = centre(h, CENTRING);
    if (steps >= 0) {
      kappa = h->kappa;
      if (steps <= 2) shrink = fmax(shrink * shrink, 0.01);
      if (steps >= 5) shrink = pow(shrink, 0.7);
    } else {
      go_back(h);
      shrink = sqrt(shrink);
    }
  }
  h->kappa = kappa;
  return look(h);
}

/* The whole path. true: solved. */
static bool follow_path(homotopy *h) {
  if (centre(h, FIRST_CENTRING) < 0) return look(h);
  for (int folds = 0; folds < MOST_FOLDS; folds++) {
    if (descend(h)) return true;
    if (!(h->kappa > SMALLEST_KAPPA) || !picus_homotopy_may_go_on(h) || !picus_homotopy_pass_folds(h)) return look(h);
  }
  return look(h);
}

/* --- proximal steps ------------------------------------------------------------------------------------------- */

/* One step from p as the anchor; eps learns from it. false: F is zero or out of range, and no step can change that. */
static bool proximal_step(homotopy *h) {
  drop_anchor(h);
  h->kappa = 0;
  evaluate_here(h);
  if (h->failures > 1) { /* p may be at a kink of F, where no branch descends */
    h->kappa = SLIGHTLY_ROUNDED * h->largest;
    evaluate_here(h);
  }
  double start = h->length;
  int steps = 0;
  if (!(start > 0 && start < INFINITY)) return false;
  while (h->length > INNER_REDUCTION * start && steps < PROXIMAL_STEPS && newton_step(h, 5, 0.1)) steps++;
  if (h->length <= INNER_REDUCTION * start) {
    double factor = steps <= 1 ? 0.2 : steps <= 2 ? 0.5 : 1;
    h->eps = fmax(factor * h->eps, SMALLEST_EPS);
    h->failures = 0;
    return true;
  }
  h->eps *= 3;
  h->failures++;
  go_back(h); /* half a step would lead back to where the proximal steps came from */
  return true;
}

static bool relax(homotopy *h) {
  memcpy(h->p, h->best_p, (size_t)h->scaled.problem->size * sizeof *h->p);
  h->eps = 1e-2;
  while (picus_homotopy_may_go_on(h) && h->eps < LARGEST_EPS && proximal_step(h))
    if (look(h)) return true;
  return false;
}

/* -------------------------------------------------------------------------------------------------------------- */

static void prepare(homotopy *h, const picus_solver_options *options, const picus_contact_problem *problem,
                    picus_solver_memory memory, const double *P) {
  size_t size = (size_t)problem->size;
  *h = (homotopy){.options = options, .best = INFINITY};
  picus_scaled_prepare(&h->scaled, problem, &memory);
  picus_coupled_prepare(&h->system, &h->scaled, &memory);
  double **const vectors[VECTORS] = {&h->p,       &h->x,      &h->F,      &h->step,    &h->trial,
                                     &h->trial_F, &h->anchor, &h->best_p, &h->tangent, &h->by_kappa};
  for (int k = 0; k < VECTORS; k++) {
    *vectors[k] = memory.doubles;
    memory.doubles += size;
  }
  picus_scaled_from(&h->scaled, P, h->p);
  for (size_t k = 0; k < size; k++)
    if (!(fabs(h->p[k]) < LARGEST_START)) h->p[k] = 0;
  drop_anchor(h);
  memcpy(h->best_p, h->p, size * sizeof *h->p);
  evaluate_here(h);
  h->kappa = fmin(fmax(h->largest, 1e-10), 1); /* a good initial guess enters the path where it is already narrow */
}

static picus_status homotopy_solve(const picus_solver_options *options, const picus_contact_problem *problem,
                                   picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  homotopy h;
  (void)modes;
  prepare(&h, options, problem, memory, P);
  bool solved = look(&h) || follow_path(&h) || relax(&h);
  picus_scaled_to(&h.scaled, h.best_p, P);
  *iterations += h.factorizations;
  return solved ? PICUS_OK : PICUS_NOT_CONVERGED;
}

/* Bodies with few contacts each: G has hardly more blocks than the graph of the bodies, and they are smaller. */
static bool prefers_bodies(const picus_contact_problem *problem) {
  return picus_operator_of(problem)->neighbours(problem) > WORTH_BODIES;
}

const picus_solver_ops picus_homotopy_solver = {
    .description = {"homotopy",
                    "Newton on smoothed projections, then proximal steps; tight tolerances, redundant contacts",
                    "Chen, Harker 1993; Kanzow 1996 (smoothing); Rockafellar 1976 (proximal steps)"},
    .refusal = NULL,
    .takes_factors = true,
    .prefers_factors = prefers_bodies,
    .factorizes = true,
    .need = homotopy_need,
    .solve = homotopy_solve,
};
