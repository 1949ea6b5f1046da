/* Proximal Newton method, for redundant contacts that creep: only "auto" uses it.
 *
 * In scaled percussions p (newton.h) with velocities x = G' p + c' a proximal step from k solves
 *
 *   p = prox(k - x / delta),      that is the problem with x + delta (p - k) in place of x,
 *
 * whose G' + delta is regular, by Newton's method with the same 1 / delta as the step r in the arguments of all
 * projections. Across the range of G', where contacts creep with velocities of any small size, percussions and
 * velocities over delta are then of one size, and the directions of creep are found as if contacts slid. (With r of the
 * diagonal of G', as in newton.c, an error of p above the creep itself hides its direction.)
 *
 * delta follows the success of the steps: Rockafellar 1976. Alart, Curnier 1991 (the same equations, as those of an
 * augmented Lagrangian). */
#include "simultaneous/newton.h"

#include <string.h>

#define FIRST_WEIGHT 100.0 /* delta over the relative residual at the start */
#define LEAST_WEIGHT 1e-12
#define LARGEST_WEIGHT 0.1
#define USELESS_WEIGHT 1.0 /* percussions would hardly move */
#define EASIER 0.5         /* of delta after a step that was easy */
#define HARDER 2.0         /* after one that was hard */
#define FAILED 8.0         /* after one that failed */
#define REDUCTION 1e-6     /* of the square of the defect, in a step */
#define ROUNDING 1e-14     /* a defect over the percussions */
#define OUTSIDE 0.1        /* of the velocities delta (p - k): what p may be outside of its sets */

enum { MOST_INNER = 8, EASY = 2, HARD = 5, MOST_HALVINGS = 6, VECTORS = 7 };

typedef struct proximal {
  const picus_solver_options *options;
  const picus_contact_problem *problem;
  picus_newton_scale *scales;
  picus_newton_system system;
  double *P, *xi, *anchor, *anchor_xi, *trial, *best_P, *z;
  double delta, merit; /* merit: square of the defect of the proximal step, at P */
  double size;         /* of scaled percussions at the anchor, squared */
  double best;         /* relative residual of best_P */
  int steps;
} proximal;

static size_t doubles_for(size_t bytes) { return (bytes + sizeof(double) - 1) / sizeof(double); }

static picus_memory_need proximal_need(int law_count, int size) {
  const size_t laws = (size_t)law_count, n = (size_t)size, dense = picus_newton_dense_order(size);
  return (picus_memory_need){.doubles = VECTORS * n + doubles_for(laws * sizeof(picus_newton_scale)) +
                                        doubles_for(laws * sizeof(picus_law_step)) + dense * dense,
                             .ints = laws + 1 + dense};
}

static double *take(double **next, size_t count) {
  double *taken = *next;
  *next += count;
  return taken;
}

/* Divides the memory of the method among its vectors, and scales each law by the root of its stiffness. */
static proximal prepare(const picus_solver_options *options, const picus_contact_problem *problem,
                        picus_solver_memory memory) {
  const size_t n = (size_t)problem->size, laws = (size_t)problem->law_count;
  const size_t dense = picus_newton_dense_order(problem->size);
  double *next = memory.doubles;
  proximal x = {.options = options, .problem = problem, .best = INFINITY};
  x.P = take(&next, n);
  x.xi = take(&next, n);
  x.anchor = take(&next, n);
  x.anchor_xi = take(&next, n);
  x.trial = take(&next, n);
  x.best_P = take(&next, n);
  x.z = take(&next, n);
  x.scales = (picus_newton_scale *)(void *)take(&next, doubles_for(laws * sizeof(picus_newton_scale)));
  x.system = (picus_newton_system){
      .problem = problem, .scales = x.scales, .first_row = memory.ints, .pivots = memory.ints + laws + 1};
  x.system.steps = (picus_law_step *)(void *)take(&next, doubles_for(laws * sizeof(picus_law_step)));
  x.system.dense = take(&next, dense * dense);
  x.system.sparse = memory.reduced;
  x.system.blocks = memory.blocks;
  picus_contact_first_rows(problem, memory.ints);
  for (int i = 0; i < problem->law_count; i++)
    x.scales[i].s = 1 / sqrt(picus_law_stiffness(problem, i, x.system.first_row[i]));
  return x;
}

/* --- points --------------------------------------------------------------------------------------------------- */

/* Scaled percussions of a law, and velocities with the proximal term. */
static void rows_of(const proximal *x, const double *P, const double *xi, int law, double *p, double *v) {
  const int row = x->system.first_row[law];
  const double s = x->scales[law].s;
  for (int k = 0; k < x->problem->laws[law].dim; k++) {
    p[k] = P[row + k] / s;
    v[k] = s * xi[row + k] + x->delta * (P[row + k] - x->anchor[row + k]) / s;
  }
}

/* How the contact of a rolling law looks to it. */
static picus_newton_contact contact_of(const proximal *x, int law) {
  double p[PICUS_LAW_ROWS] = {0}, v[PICUS_LAW_ROWS] = {0};
  const double slope = x->problem->laws[law].radius * x->scales[law - 1].s / x->scales[law].s;
  rows_of(x, x->P, x->xi, law - 1, p, v);
  const double argument = picus_newton_normal_argument(x->scales[law - 1], p, v);
  return (picus_newton_contact){slope * picus_prox_positive(argument), slope * p[0], slope, argument > 0};
}

/* xi and merit of P. */
static void evaluate(proximal *x) {
  double p[PICUS_LAW_ROWS] = {0}, v[PICUS_LAW_ROWS] = {0};
  picus_operator_of(x->problem)->multiply(x->problem, x->P, x->xi);
  x->merit = 0;
  for (int i = 0; i < x->problem->law_count; i++) {
    const picus_law *law = &x->problem->laws[i];
    rows_of(x, x->P, x->xi, i, p, v);
    x->merit += law->kind == PICUS_ROLLING
                    ? picus_newton_rolling_defect(law->dim, contact_of(x, i).argument, x->scales[i], p, v)
                    : picus_newton_defect(law, PICUS_ALART_CURNIER, x->scales[i], p, v);
  }
}

/* The true residual of P in the sets of its laws; keeps the best P. */
static double look(proximal *x) {
  picus_contact_project(x->problem, x->P);
  const double relative = picus_contact_judge(x->problem, x->P, NULL, NULL, NULL).relative;
  if (relative < x->best) {
    x->best = relative;
    memcpy(x->best_P, x->P, (size_t)x->problem->size * sizeof *x->P);
  }
  return relative;
}

/* --- Newton's method in a proximal step ------------------------------------------------------------------------ */

/* The share of the proximal term in the equations of a law. Rows across a slip are scaled back from 1 / delta. */
static void add_weight(picus_law_step *step, int dim, double delta) {
  for (int k = 0; k < step->unknowns; k++) {
    double share = step->whole;
    for (int l = 0; !step->whole && l < dim; l++) share += step->B[k][l] * step->E[l][k];
    const double scale = 1 / share;
    for (int l = 0; !step->whole && l < dim; l++) step->B[k][l] *= scale;
    step->target[k] *= scale;
    step->own[k] = step->own[k] * scale + delta;
  }
}

static void linearize(proximal *x) {
  double p[PICUS_LAW_ROWS] = {0}, v[PICUS_LAW_ROWS] = {0};
  for (int i = 0; i < x->problem->law_count; i++) {
    const picus_law *law = &x->problem->laws[i];
    picus_law_step *step = &x->system.steps[i];
    rows_of(x, x->P, x->xi, i, p, v);
    if (law->kind == PICUS_ROLLING) {
      const picus_newton_contact contact = contact_of(x, i);
      picus_newton_linearize_rolling(law->dim, contact.argument, &contact, x->scales[i], p, v, step);
    } else
      picus_newton_linearize(law, PICUS_ALART_CURNIER, x->scales[i], p, v, step);
    add_weight(step, law->dim, x->delta);
  }
}

/* P = trial + s (known + E z). */
static void place(proximal *x, bool with_unknowns) {
  for (int i = 0; i < x->problem->law_count; i++) {
    const picus_law_step *step = &x->system.steps[i];
    const int row = x->system.first_row[i];
    for (int k = 0; k < x->problem->laws[i].dim; k++) {
      const double change = with_unknowns ? picus_newton_change(step, k, x->z) : step->known[k];
      x->P[row + k] = x->trial[row + k] + x->scales[i].s * change;
    }
  }
}

/* z = target - B v at P. */
static void right_hand_side(proximal *x) {
  double p[PICUS_LAW_ROWS] = {0}, v[PICUS_LAW_ROWS] = {0};
  for (int i = 0; i < x->problem->law_count; i++) {
    const picus_law_step *step = &x->system.steps[i];
    rows_of(x, x->P, x->xi, i, p, v);
    if (x->system.by_blocks)
      for (int k = step->unknowns; k < x->problem->laws[i].dim; k++) x->z[step->first + k] = 0;
    for (int k = 0; k < step->unknowns; k++) {
      double velocity = step->whole ? v[k] : 0;
      for (int l = 0; !step->whole && l < x->problem->laws[i].dim; l++) velocity += step->B[k][l] * v[l];
      x->z[step->first + k] = step->target[k] - velocity;
    }
  }
}

/* One step, shortened until the defect is less. false: it stays what it is. */
static bool newton_step(proximal *x) {
  const double before = x->merit;
  const int size = x->problem->size;
  x->steps++;
  linearize(x);
  if (!picus_newton_factor(&x->system, 0)) return false;
  memcpy(x->trial, x->P, (size_t)size * sizeof *x->P); /* where the step comes from */
  place(x, false);
  picus_operator_of(x->problem)->multiply(x->problem, x->P, x->xi);
  right_hand_side(x);
  picus_newton_solve(&x->system, x->z);
  place(x, true);
  evaluate(x);
  for (int k = 0; k < MOST_HALVINGS && !(x->merit < before); k++) {
    for (int r = 0; r < size; r++) x->P[r] = 0.5 * (x->trial[r] + x->P[r]);
    evaluate(x);
  }
  return x->merit < before;
}

/* --- proximal steps --------------------------------------------------------------------------------------------- */

static void put_anchor(proximal *x) {
  x->size = 0;
  for (int i = 0; i < x->problem->law_count; i++) {
    const double s = x->scales[i].s;
    x->scales[i].normal_r = x->scales[i].friction_r = 1 / x->delta;
    for (int k = x->system.first_row[i]; k < x->system.first_row[i + 1]; k++) {
      x->anchor[k] = x->P[k];
      x->size += (x->P[k] / s) * (x->P[k] / s) + s * x->problem->c[k] * s * x->problem->c[k];
    }
  }
  evaluate(x);
}

/* Whether velocities hardly change if P is put into its sets: its friction left its circle along the tangent. */
static bool is_inside(proximal *x) {
  double outside = 0, moved = 0;
  memcpy(x->trial, x->P, (size_t)x->problem->size * sizeof *x->P);
  picus_contact_project(x->problem, x->trial);
  for (int i = 0; i < x->problem->law_count; i++)
    for (int k = x->system.first_row[i]; k < x->system.first_row[i + 1]; k++) {
      const double out = (x->P[k] - x->trial[k]) / x->scales[i].s, change = (x->P[k] - x->anchor[k]) / x->scales[i].s;
      outside += out * out;
      moved += change * change;
    }
  return outside <= OUTSIDE * x->delta * OUTSIDE * x->delta * moved || outside <= ROUNDING * ROUNDING * x->size;
}

/* Newton steps it took; 0: it failed, and P is the anchor. */
static int proximal_step(proximal *x) {
  put_anchor(x);
  const double goal = REDUCTION * x->merit, rounding = ROUNDING / x->delta;
  for (int k = 1; k <= MOST_INNER && x->steps < x->options->max_iterations; k++) {
    if (!newton_step(x)) break;
    if ((x->merit <= goal || x->merit <= rounding * rounding * x->size) && is_inside(x)) return k;
  }
  memcpy(x->P, x->anchor, (size_t)x->problem->size * sizeof *x->P);
  return 0;
}

static picus_status proximal_solve(const picus_solver_options *options, const picus_contact_problem *problem,
                                   picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  (void)modes;
  proximal x = prepare(options, problem, memory);
  memcpy(x.P, P, (size_t)problem->size * sizeof *P);
  x.delta = fmin(fmax(FIRST_WEIGHT * look(&x), LEAST_WEIGHT), LARGEST_WEIGHT);
  while (x.best > options->tolerance && x.steps < options->max_iterations && x.delta <= USELESS_WEIGHT) {
    const int taken = proximal_step(&x);
    if (taken == 0) {
      x.delta *= FAILED;
      continue;
    }
    look(&x);
    if (taken <= EASY) x.delta = fmax(EASIER * x.delta, LEAST_WEIGHT);
    if (taken >= HARD) x.delta *= HARDER;
  }
  if (x.best < INFINITY) memcpy(P, x.best_P, (size_t)problem->size * sizeof *P);
  *iterations += x.steps;
  return x.best <= options->tolerance ? PICUS_OK : PICUS_NOT_CONVERGED;
}

const picus_solver_ops picus_proximal_solver = {
    .description = {"proximal", "proximal Newton method, for redundant contacts that creep",
                    "Rockafellar 1976; Alart, Curnier 1991"},
    .factorizes = true,
    .need = proximal_need,
    .solve = proximal_solve,
};
