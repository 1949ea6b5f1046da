/* Folds of the path of the solver homotopy (Allgower, Georg: Introduction to Numerical Continuation Methods, 2003).
 *
 * Friction makes the path turn back: kappa, which should fall to 0, rises for a while. There the path is followed by
 * arc length in (p / kappa, log kappa): a step along the tangent, then Newton with the condition that the correction is
 * orthogonal to it. The tangent has two signs. The determinant of dF/dp decides: it is positive at kappa = infinity,
 * where kappa falls, and changes its sign at every fold, as kappa does its direction. */
#include "solver/homotopy.h"

#include <string.h>

#define FIRST_ARC 0.05
#define LARGEST_ARC 1e8
#define LARGEST_CHANGE 2.0 /* of log kappa in an arc */
#define SMALLEST_ARC 1e-7
#define LOG_DIFFERENCE 1e-6 /* of kappa, for dF / d log kappa */
#define CENTRED 0.1         /* as in ordinary steps */
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
  picus_homotopy_evaluate(h, h->p, h->F, &h->largest);
  h->kappa = kappa * exp(LOG_DIFFERENCE);
  picus_homotopy_evaluate(h, h->p, h->by_kappa, &largest);
  h->kappa = kappa;
  for (int k = 0; k < size; k++) h->by_kappa[k] = -(h->by_kappa[k] - h->F[k]) / LOG_DIFFERENCE;
  picus_coupled_solve(&h->system, h->by_kappa);
}

/* The tangent at h->p, towards a falling kappa where the determinant is positive. */
static bool find_tangent(arc *a) {
  homotopy *h = a->h;
  if (!picus_homotopy_linearize(h)) return false;
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
  if (!picus_homotopy_linearize(h)) return false;
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
  h->kappa = exp(*log_kappa);
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
  h->kappa = exp(log_kappa);
  for (int corrections = 0; corrections <= CORRECTIONS; corrections++) {
    picus_homotopy_evaluate(h, h->p, h->F, &h->largest);
    if (h->largest <= CENTRED * h->kappa) {
      a->log_kappa = log_kappa;
      return corrections;
    }
    if (corrections == CORRECTIONS || !picus_homotopy_may_go_on(h) || !correct(a, &log_kappa)) break;
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

bool picus_homotopy_pass_folds(homotopy *h) {
  arc a = {.h = h, .size = h->scaled.problem->size, .log_kappa = log(h->kappa), .length = FIRST_ARC};
  double turned = a.log_kappa; /* log kappa where it began to fall last */
  bool falls = true;
  for (int arcs = 0; arcs < ARCS_MOST && picus_homotopy_may_go_on(h) && find_tangent(&a); arcs++) {
    if (a.determinant > 0 && !falls) turned = a.log_kappa;
    falls = a.determinant > 0;
    if (falls && arcs > 0 && a.log_kappa < turned + log(BEYOND)) return true;
    if (!advance(&a)) return false;
  }
  return false;
}
