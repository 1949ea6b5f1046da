/* Solver "homotopy": Newton's method on smoothed projections.
 *
 * In scaled variables (coupled.h) a solution is a root of  F(p) = p - proj(p - x),  x = G' p + c'.  The projections are
 * smoothed with the parameter kappa (below), which makes F smooth and its roots the central path of an
 * interior-point method; in contrast to that, the iterates need not stay inside the cones, so that a slipping contact
 * may turn its direction in one step. kappa follows the path down from 1; at kappa = 0 the method is the semismooth
 * Newton method.
 *
 * Friction is not monotone: the path can turn back, and is followed around its folds by arc length. If
 * Newton can no longer follow, proximal steps take over (Rockafellar 1976): x + eps (p - p_old) in place of x, which
 * can be solved for large enough eps, with eps adapted to the success. They move along the slow directions of an almost
 * singular G with the largest steps for which Newton converges. */
#include "base/elementary.h"
#include "simultaneous/coupled.h"

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
#define FEW_LOOSE 0.2 /* share of the laws that open or slip where almost all stick (bench/notes/auto.md 5) */

enum {
  VECTORS = 10,
  FIRST_CENTRING = 30, /* Newton steps to the start of the path */
  CENTRING = 6,        /* from one point of the path to the next */
  PROXIMAL_STEPS = 8,  /* Newton steps in a proximal step */
  MOST_FOLDS = 400,
  PATIENCE = 200 /* factorizations without progress, in addition to four for every row */
};

/* A point of the path, F and its derivative there. */
typedef struct homotopy {
  const picus_solver_options *options;
  picus_scaled_problem scaled;
  picus_coupled_system system;
  double *p, *x, *F, *step, *trial, *trial_F, *anchor, *best_p;
  double *tangent, *by_kappa; /* for folds */
  double length, largest;     /* of F at p: Euclidean, and its largest entry */
  double kappa, eps;          /* smoothing; weight of the proximal term that ties p to anchor */
  double best;                /* relative residual of best_p */
  int factorizations, improved_at;
  int failures; /* of proximal steps, one after the other */
} homotopy;

bool picus_nearly_all_stick(const picus_contact_problem *problem, const picus_mode *modes) {
  int loose = 0;
  for (int i = 0; i < problem->law_count; i++) loose += modes[i] != PICUS_STICK;
  return loose <= FEW_LOOSE * problem->law_count;
}

/* --- rounded projections ------------------------------------------------------------------------------------------
 *
 * For a normal row the root of p (p - a) = kappa^2 (Chen, Harker 1993; Kanzow 1996). For friction
 * in a ball of radius r, p points along a, and its length f follows from the central path of the second-order cone:
 *   |a| = f + kappa^2 f / (r^2 - f^2),     0 <= f < r. */
enum { MOST_NEWTON_STEPS = 60 };

/* The root in [0, 1) of  g + beta g / (1 - g^2) = alpha: Newton, kept inside the bracket. */
static double saturation(double alpha, double beta) {
  double low = 0, high = alpha < 1 ? alpha : 1, g = alpha / (1 + alpha + beta);
  for (int k = 0; k < MOST_NEWTON_STEPS; k++) {
    double left = (alpha - g) * (1 - g) * (1 + g) - beta * g;
    double slope = (1 - g) * (1 + g) + 2 * g * (alpha - g) + beta;
    if (left > 0)
      low = g;
    else
      high = g;
    double next = g + left / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (fabs(next - g) <= 1e-16) return next;
    g = next;
  }
  return g;
}

typedef struct rounded_length {
  double value, by_length, by_radius; /* f, df/d|a|, df/dr */
} rounded_length;

static rounded_length round_length(double length, double radius, double kappa) {
  if (kappa == 0 && length < radius) return (rounded_length){length, 1, 0};
  if (kappa == 0) return (rounded_length){radius, 0, 1};
  double beta = (kappa / radius) * (kappa / radius), alpha = length / radius;
  if (!(beta < 1e200)) return (rounded_length){0, 0, 0}; /* a ball that is a point, compared with kappa */
  double g = saturation(alpha, beta), inside = (1 - g) * (1 + g), slope = inside + 2 * g * (alpha - g) + beta;
  return (rounded_length){radius * g, inside / slope, 2 * (alpha - g) / slope};
}

/* The ball of the friction rows of a law, which are its last. */
typedef struct rounded_ball {
  int first, dim; /* its rows in the law */
  double radius, kappa;
} rounded_ball;

/* a, p and derivative are those of the law; by_radius receives dp/dr of the friction rows. */
static void round_ball(const rounded_ball *ball, const double *a, double *p, picus_law_matrix derivative,
                       double *by_radius) {
  const int first = ball->first;
  double length = picus_length(ball->dim, a + first);
  rounded_length f = round_length(length, ball->radius, ball->kappa);
  double ratio = length > 0 ? f.value / length : f.by_length;
  for (int k = 0; k < ball->dim; k++) {
    double direction = length > 0 ? a[first + k] / length : 0;
    p[first + k] = f.value * direction;
    by_radius[k] = f.by_radius * direction;
    if (!derivative) continue;
    for (int l = 0; l < ball->dim; l++) {
      double along = length > 0 ? direction * (a[first + l] / length) : 0;
      derivative[first + k][first + l] = (f.by_length - ratio) * along + (k == l ? ratio : 0);
    }
  }
}

static double round_positive(double kappa, double a, double *slope) {
  if (kappa == 0) {
    *slope = a > 0;
    return picus_prox_positive(a);
  }
  double root = sqrt(a * a + 4 * kappa * kappa); /* scaled: no square overflows */
  double p = a > 0 ? 0.5 * (a + root) : 2 * kappa * (kappa / (root - a));
  *slope = p / root;
  return p;
}

/* The smoothed projection of a on the set of a law, and its derivative (NULL: not needed). For kappa > 0 the pair p =
 * projection, y = p - a lies on the central path of the law's complementarity conditions, p_N y_N = kappa^2,      (r,
 * p_F) o (s, y_F) = (kappa^2, 0),      r = mu p_N or the radius of a reservoir, with the Jordan product of the
 * second-order cone; for kappa = 0 it is the projection itself. */
static void smooth_projection(const picus_law *law, double radius, double kappa, const double *a, double *p,
                              picus_law_matrix derivative) {
  double slope = 1, by_radius[PICUS_LAW_ROWS];
  switch (law->kind) {
  case PICUS_BILATERAL:
    p[0] = a[0];
    break;
  case PICUS_UNILATERAL:
    p[0] = round_positive(kappa, a[0], &slope);
    break;
  case PICUS_COULOMB:
    p[0] = round_positive(kappa, a[0], &slope);
    round_ball(&(rounded_ball){1, law->dim - 1, radius * p[0], kappa}, a, p, derivative, by_radius);
    for (int k = 1; derivative && k < law->dim; k++) { /* by way of the radius mu p_N */
      derivative[0][k] = 0;
      derivative[k][0] = by_radius[k - 1] * radius * slope;
    }
    break;
  case PICUS_RESERVOIR:
    round_ball(&(rounded_ball){0, law->dim, radius, kappa}, a, p, derivative, by_radius);
    return;
  case PICUS_ROLLING: /* below */
    return;
  }
  if (derivative) derivative[0][0] = slope;
}

/* The same for a rolling law whose contact has the argument normal in its normal row: r = slope p_N. by_normal: the
 * derivative with respect to this argument (NULL: not needed). */
typedef struct smooth_rolling {
  int dim;
  double slope, kappa, normal;
} smooth_rolling;
static void smooth_rolling_projection(const smooth_rolling *law, const double *a, double *p,
                                      picus_law_matrix derivative, double *by_normal) {
  double slope, by_radius[PICUS_LAW_ROWS] = {0};
  const double radius = law->slope * round_positive(law->kappa, law->normal, &slope);
  round_ball(&(rounded_ball){0, law->dim, radius, law->kappa}, a, p, derivative, by_radius);
  for (int k = 0; by_normal && k < law->dim; k++) by_normal[k] = by_radius[k] * law->slope * slope;
}

/* --- points of the path ------------------------------------------------------------------------------------------ */

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
  double a[PICUS_LAW_ROWS] = {0};
  for (int k = 0; k < l->dim; k++) a[k] = argument_of(h, p, row + k);
  if (l->kind == PICUS_ROLLING) {
    const smooth_rolling rolling = {l->dim, picus_scaled_radius(&h->scaled, law), h->kappa,
                                    argument_of(h, p, h->scaled.first_row[law - 1])};
    smooth_rolling_projection(&rolling, a, projection, derivative, derivative ? h->system.B_N[law] : NULL);
    return;
  }
  smooth_projection(l, picus_scaled_radius(&h->scaled, law), h->kappa, a, projection, derivative);
}

static double evaluate(homotopy *h, const double *p, double *F, double *largest) {
  const picus_contact_problem *problem = h->scaled.problem;
  double sum = 0;
  *largest = 0;
  picus_scaled_velocity(&h->scaled, p, h->x);
  for (int i = 0; i < problem->law_count; i++) {
    int row = h->scaled.first_row[i];
    double projection[PICUS_LAW_ROWS] = {0};
    project_law(h, i, p, projection, NULL);
    for (int k = 0; k < problem->laws[i].dim; k++) {
      double value = F[row + k] = p[row + k] - projection[k];
      sum += value * value;
      if (!(fabs(value) <= *largest)) *largest = fabs(value);
    }
  }
  return sqrt(sum);
}

static void evaluate_here(homotopy *h) { h->length = evaluate(h, h->p, h->F, &h->largest); }

/* With the derivative S' of the rounded projections:  dF = (1 - (1 - eps) S') dp + S' G' dp. */
static bool linearize(homotopy *h) {
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
  if (!linearize(h)) return false;
  for (int k = 0; k < size; k++) h->step[k] = -h->F[k];
  picus_coupled_solve(&h->system, h->step);
  double share = 1, largest;
  for (int halvings = 0; halvings <= most_halvings; halvings++, share /= 2) {
    for (int k = 0; k < size; k++) h->trial[k] = h->p[k] + share * h->step[k];
    double length = evaluate(h, h->trial, h->trial_F, &largest);
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

static bool may_continue(const homotopy *h) {
  return h->factorizations < h->options->max_iterations &&
         h->factorizations - h->improved_at <= PATIENCE + 4 * h->scaled.problem->size;
}

/* --- folds ----------------------------------------------------------------------------------------------------------
 *
 * Folds of the path of the solver homotopy (Allgower, Georg: Introduction to Numerical Continuation Methods, 2003).
 *
 * Friction makes the path turn back: kappa, which should fall to 0, rises for a while. There the path is followed by
 * arc length in (p / kappa, log kappa): a step along the tangent, then Newton with the condition that the correction is
 * orthogonal to it. The tangent has two signs. The determinant of dF/dp decides: it is positive at kappa = infinity,
 * where kappa falls, and changes its sign at every fold, as kappa does its direction. */
#define FIRST_ARC 0.05
#define LARGEST_ARC 1e8
#define LARGEST_CHANGE 2.0 /* of log kappa in an arc */
#define SMALLEST_ARC 1e-7
#define LOG_DIFFERENCE 1e-6 /* of kappa, for dF / d log kappa */
#define BEYOND 0.7          /* the fold is passed where kappa has fallen by so much after it */

enum { CORRECTIONS = 12, ARCS_MOST = 400 };

/* A point of the path and the direction in which it is followed; the part of p is h->tangent. */
typedef struct arc {
  homotopy *h;
  int size;
  double log_kappa;
  double weight;      /* of p in lengths: 1 / kappa at the start of the arc */
  double by_log;      /* of the tangent */
  double length;      /* of the next arc */
  double determinant; /* its sign at the last point */
} arc;

static double product(int size, const double *a, const double *b) {
  double sum = 0;
  for (int k = 0; k < size; k++) sum += a[k] * b[k];
  return sum;
}

/* h->by_kappa := -(dF/dp)^-1 dF / d log kappa: how p changes along the path with log kappa. dF/dp is factored. */
static void find_change(homotopy *h, int size) {
  const double kappa = h->kappa;
  double largest;
  evaluate(h, h->p, h->F, &h->largest);
  h->kappa = kappa * picus_exp(LOG_DIFFERENCE);
  evaluate(h, h->p, h->by_kappa, &largest);
  h->kappa = kappa;
  for (int k = 0; k < size; k++) h->by_kappa[k] = -(h->by_kappa[k] - h->F[k]) / LOG_DIFFERENCE;
  picus_coupled_solve(&h->system, h->by_kappa);
}

/* The tangent at h->p, towards a falling kappa where the determinant is positive. */
static bool find_tangent(arc *a) {
  homotopy *h = a->h;
  if (!linearize(h)) return false;
  find_change(h, a->size);
  a->weight = 1 / h->kappa;
  const double change = a->weight * sqrt(product(a->size, h->by_kappa, h->by_kappa) / a->size);
  const double length = sqrt(1 + change * change);
  if (!(length < INFINITY)) return false;
  a->determinant = picus_coupled_sign(&h->system);
  a->by_log = (a->determinant > 0 ? -1 : 1) / length;
  for (int k = 0; k < a->size; k++) h->tangent[k] = a->by_log * h->by_kappa[k];
  return true;
}

/* The distance from the plane through the predicted point, orthogonal to the tangent. */
static double distance(const arc *a, const double *p, double log_kappa) {
  const homotopy *h = a->h;
  double sum = a->by_log * (log_kappa - a->log_kappa);
  const double weight = a->weight * a->weight / a->size;
  for (int k = 0; k < a->size; k++) sum += weight * h->tangent[k] * (p[k] - h->anchor[k]);
  return sum - a->length;
}

/* One Newton step of F = 0 and distance = 0. */
static bool correct(arc *a, double *log_kappa) {
  homotopy *h = a->h;
  if (!linearize(h)) return false;
  find_change(h, a->size);
  for (int k = 0; k < a->size; k++) h->step[k] = -h->F[k];
  picus_coupled_solve(&h->system, h->step);
  const double weight = a->weight * a->weight / a->size;
  const double along = weight * product(a->size, h->tangent, h->step);
  const double slope = weight * product(a->size, h->tangent, h->by_kappa) + a->by_log;
  const double change = -(distance(a, h->p, *log_kappa) + along) / slope;
  if (!(fabs(change) < 2)) return false;
  for (int k = 0; k < a->size; k++) h->p[k] += h->step[k] + change * h->by_kappa[k];
  *log_kappa += change;
  h->kappa = picus_exp(*log_kappa);
  return true;
}

/* A step of the present length. Returns the number of corrections, or -1: h->p and kappa are those before. */
static int make_arc(arc *a) {
  homotopy *h = a->h;
  const size_t bytes = (size_t)a->size * sizeof *h->p;
  const double kappa = h->kappa;
  double log_kappa = a->log_kappa + a->length * a->by_log;
  memcpy(h->anchor, h->p, bytes);
  for (int k = 0; k < a->size; k++) h->p[k] += a->length * h->tangent[k];
  h->kappa = picus_exp(log_kappa);
  for (int corrections = 0; corrections <= CORRECTIONS; corrections++) {
    evaluate(h, h->p, h->F, &h->largest);
    if (h->largest <= CENTRED * h->kappa) {
      a->log_kappa = log_kappa;
      return corrections;
    }
    if (corrections == CORRECTIONS || !may_continue(h) || !correct(a, &log_kappa)) break;
  }
  memcpy(h->p, h->anchor, bytes);
  h->kappa = kappa;
  return -1;
}

/* Makes the next arc, shorter until it succeeds. */
static bool advance(arc *a) {
  a->length = fmin(a->length, LARGEST_CHANGE / fabs(a->by_log));
  for (; a->length >= SMALLEST_ARC; a->length *= 0.4) {
    const int corrections = make_arc(a);
    if (corrections < 0) continue;
    if (corrections <= 2) a->length = fmin(2 * a->length, LARGEST_ARC);
    if (corrections >= 4) a->length *= 0.6;
    return true;
  }
  return false;
}

static bool pass_folds(homotopy *h) {
  arc a = {.h = h, .size = h->scaled.problem->size, .log_kappa = picus_ln(h->kappa), .length = FIRST_ARC};
  double turned = a.log_kappa; /* log kappa where it began to fall last */
  bool falls = true;
  for (int arcs = 0; arcs < ARCS_MOST && may_continue(h) && find_tangent(&a); arcs++) {
    if (a.determinant > 0 && !falls) turned = a.log_kappa;
    falls = a.determinant > 0;
    if (falls && arcs > 0 && a.log_kappa < turned + picus_ln(BEYOND)) return true;
    if (!advance(&a)) return false;
  }
  return false;
}

/* --- ordinary and proximal steps ------------------------------------------------------------------------------------
 */

static void drop_anchor(homotopy *h) { memcpy(h->anchor, h->p, (size_t)h->scaled.problem->size * sizeof *h->p); }
static void go_back(homotopy *h) { memcpy(h->p, h->anchor, (size_t)h->scaled.problem->size * sizeof *h->p); }

/* Newton steps from p to the path at the present kappa; returns their number, or -1 if they do not get there. */
static int centre(homotopy *h, int most_steps) {
  evaluate_here(h);
  for (int steps = 0; steps <= most_steps; steps++) {
    if (h->largest <= CENTRED * h->kappa) return steps;
    if (steps == most_steps || !may_continue(h) || !newton_step(h, 3, 0.3)) return -1;
  }
  return -1;
}

/* Steps down the path while they get along. true: solved. false: it turns back, or cannot be followed any further; p
 * and kappa are its last point. */
static bool descend(homotopy *h) {
  double shrink = 0.3, kappa = h->kappa;
  while (may_continue(h) && kappa > SMALLEST_KAPPA && shrink < SLOWEST_SHRINK) {
    if (look(h)) return true;
    drop_anchor(h);
    h->kappa = kappa * shrink;
    int steps = centre(h, CENTRING);
    if (steps >= 0) {
      kappa = h->kappa;
      if (steps <= 2) shrink = fmax(shrink * shrink, 0.01);
      if (steps >= 5) shrink = picus_pow(shrink, 0.7);
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
    if (!(h->kappa > SMALLEST_KAPPA) || !may_continue(h) || !pass_folds(h)) return look(h);
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
  while (may_continue(h) && h->eps < LARGEST_EPS && proximal_step(h))
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
