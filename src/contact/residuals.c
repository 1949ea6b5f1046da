/* The residuals of a report: one for each condition, and the measure of FCLIB and Siconos. */
#include "contact/internal.h"

#include <float.h>

typedef struct worst_defect {
  double value;
  int law; /* -1: none yet */
} worst_defect;

static void note(worst_defect *worst, double value, int law) {
  if (worst->law >= 0 && value <= worst->value) return;
  worst->value = value;
  worst->law = law;
}

typedef struct friction_defects {
  double outside, dissipation; /* of the ball, and of maximum dissipation; both percussions */
} friction_defects;

/* Friction P with slip xi in a ball: its distance from the ball, and |radius xi + |xi| P| = 0, maximum dissipation, as
 * a percussion: a slip that is slow compared with the radius determines the direction of P less than a fast one. */
static friction_defects judge_friction(int dim, double radius, double rho, const double *P, const double *xi) {
  double defect[PICUS_LAW_ROWS] = {0}, slip = picus_length(dim, xi), length = picus_length(dim, P);
  friction_defects found = {.outside = length > radius ? length - radius : 0};
  if (slip == 0) return found;
  for (int k = 0; k < dim; k++) defect[k] = P[k] + radius * (xi[k] / slip);
  double free_friction = rho * slip;
  found.dissipation = picus_length(dim, defect) * (free_friction < radius ? free_friction / radius : 1);
  return found;
}

/* Projection on the friction cone |x_T| <= mu x_N, orthogonal in all its rows; in place. */
static void project_on_cone(int dim, double mu, double *x) {
  double tangential = picus_length(dim - 1, x + 1);
  if (tangential <= mu * x[0]) return;
  if (mu * tangential <= -x[0]) {
    for (int k = 0; k < dim; k++) x[k] = 0;
    return;
  }
  double normal = (mu * tangential + x[0]) / (1 + mu * mu);
  x[0] = normal;
  for (int k = 1; k < dim; k++) x[k] *= mu * normal / tangential;
}

/* Square of |P - proj_K(P - u)|, u the velocity of De Saxce's bipotential: xi + mu |xi_T| e_N. */
static double de_saxce_square(const picus_law *law, const double *P, const double *xi) {
  double x[PICUS_LAW_ROWS] = {0}, square = 0;
  for (int k = 0; k < law->dim; k++) x[k] = P[k] - xi[k];
  switch (law->kind) {
  case PICUS_BILATERAL:
    break;
  case PICUS_UNILATERAL:
    x[0] = picus_prox_positive(x[0]);
    break;
  case PICUS_COULOMB:
    x[0] -= law->radius * picus_length(law->dim - 1, xi + 1);
    project_on_cone(law->dim, law->radius, x);
    break;
  case PICUS_RESERVOIR:
    picus_prox_ball(law->dim, law->radius, x);
    break;
  }
  for (int k = 0; k < law->dim; k++) square += (P[k] - x[k]) * (P[k] - x[k]);
  return square;
}

typedef struct findings {
  worst_defect signorini, cone, dissipation;
  double de_saxce, c; /* sums of squares */
} findings;

static void judge_law(const picus_law *law, int number, double rho, const double *P, const double *xi, findings *f) {
  if (law->kind != PICUS_RESERVOIR) {
    bool bilateral = law->kind == PICUS_BILATERAL;
    double gap = rho * xi[0], smaller = gap < P[0] ? gap : P[0];
    note(&f->signorini, bilateral ? fabs(gap) : fabs(smaller), number);
    if (!bilateral) note(&f->cone, P[0] < 0 ? -P[0] : 0, number);
  }
  if (law->kind == PICUS_COULOMB || law->kind == PICUS_RESERVOIR) {
    int normal_rows = law->kind == PICUS_COULOMB;
    double radius = normal_rows ? law->radius * picus_prox_positive(P[0]) : law->radius;
    friction_defects friction = judge_friction(law->dim - normal_rows, radius, rho, P + normal_rows, xi + normal_rows);
    note(&f->cone, friction.outside, number);
    note(&f->dissipation, friction.dissipation, number);
  }
  f->de_saxce += de_saxce_square(law, P, xi);
}

static picus_residuals infinite_residuals(void) {
  return (picus_residuals){INFINITY, INFINITY, INFINITY, -1, -1, -1, INFINITY, INFINITY};
}

picus_residuals picus_contact_residuals(const picus_contact_problem *problem, const double *P) {
  findings f = {{0, -1}, {0, -1}, {0, -1}, 0, 0};
  if (!picus_contact_problem_fits(problem) || picus_contact_first_not_finite(problem) >= 0) return infinite_residuals();
  picus_contact_load(problem, P);
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim) {
    const picus_law *law = &problem->laws[i];
    double xi[PICUS_LAW_ROWS] = {0}, rho = 1 / picus_law_stiffness(problem, i, row);
    picus_contact_law_velocity(problem, i, row, P, xi);
    for (int k = 0; k < law->dim; k++) {
      if (!isfinite(xi[k]) || !isfinite(P[row + k])) return infinite_residuals();
      f.c += problem->c[row + k] * problem->c[row + k];
    }
    judge_law(law, i, rho, P + row, xi, &f);
  }
  double scale = picus_contact_scale(problem, P), c = sqrt(f.c), natural = sqrt(f.de_saxce);
  if (!(scale > 0)) scale = 1;
  /* defects of the laws relative to the percussions of the problem; De Saxce's as FCLIB and Siconos divide it */
  return (picus_residuals){.signorini = f.signorini.value / scale,
                           .cone = f.cone.value / scale,
                           .dissipation = f.dissipation.value / scale,
                           .worst_signorini = f.signorini.law,
                           .worst_cone = f.cone.law,
                           .worst_dissipation = f.dissipation.law,
                           .de_saxce = c > DBL_EPSILON ? natural / c : natural,
                           .fclib = natural / (1 + sqrt(c))};
}
