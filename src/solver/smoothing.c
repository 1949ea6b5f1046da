/* Rounded projections. For a normal row the root of p (p - a) = kappa^2 (Chen, Harker 1993; Kanzow 1996). For friction
 * in a ball of radius r, p points along a, and its length f follows from the central path of the second-order cone:
 *   |a| = f + kappa^2 f / (r^2 - f^2),     0 <= f < r. */
#include "solver/smoothing.h"

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
  double root = hypot(a, 2 * kappa);
  double p = a > 0 ? 0.5 * (a + root) : 2 * kappa * (kappa / (root - a));
  *slope = p / root;
  return p;
}

void picus_smooth_projection(const picus_law *law, double radius, double kappa, const double *a, double *p,
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

void picus_smooth_rolling_projection(const picus_smooth_rolling *law, const double *a, double *p,
                                     picus_law_matrix derivative, double *by_normal) {
  double slope, by_radius[PICUS_LAW_ROWS] = {0};
  const double radius = law->slope * round_positive(law->kappa, law->normal, &slope);
  round_ball(&(rounded_ball){0, law->dim, radius, law->kappa}, a, p, derivative, by_radius);
  for (int k = 0; by_normal && k < law->dim; k++) by_normal[k] = by_radius[k] * law->slope * slope;
}
