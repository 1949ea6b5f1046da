/* The defects that a report names: one for each condition, and the measure of FCLIB and Siconos. */
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
  case PICUS_ROLLING: /* with its contact, below */
    return 0;
  }
  for (int k = 0; k < law->dim; k++) square += (P[k] - x[k]) * (P[k] - x[k]);
  return square;
}

/* The defect of a contact (rows P, xi) and its rolling law (rows behind) together: their cones share P_N. */
static double de_saxce_square_of_rolling(const picus_law *laws, const double *P, const double *xi) {
  double x[2 * PICUS_LAW_ROWS] = {0}, square = 0;
  const int slips = laws[0].dim - 1, rows = laws[0].dim + laws[1].dim;
  for (int k = 0; k < rows; k++) x[k] = P[k] - xi[k];
  x[0] -= laws[1].radius * picus_length(laws[1].dim, xi + 1 + slips);
  if (slips > 0) x[0] -= laws[0].radius * picus_length(slips, xi + 1);
  picus_cone_ball balls[2] = {{laws[1].dim, laws[1].radius, x + 1 + slips}, {slips, laws[0].radius, x + 1}};
  picus_prox_cone(x, slips > 0 ? 2 : 1, balls);
  for (int k = 0; k < rows; k++) square += (P[k] - x[k]) * (P[k] - x[k]);
  return square;
}

typedef struct findings {
  worst_defect signorini, cone, dissipation;
  double de_saxce, c; /* sums of squares */
} findings;

/* law: rolling laws with the radius that their contact allows. */
static void judge_law(const picus_law *law, int number, double rho, const double *P, const double *xi, findings *f) {
  if (picus_normal_rows(law->kind)) {
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
}

/* Contacts with a rolling law wait for it. rows: xi of this law and, in front of it, of the law before. */
static void add_de_saxce(const picus_contact_problem *problem, int law, const double *P, const double *xi,
                         findings *f) {
  if (picus_law_is_rolled(problem, law)) return;
  const picus_law *l = &problem->laws[law];
  const int before = l->kind == PICUS_ROLLING ? l[-1].dim : 0;
  f->de_saxce += before > 0 ? de_saxce_square_of_rolling(l - 1, P - before, xi - before) : de_saxce_square(l, P, xi);
}

static picus_residuals infinite_residuals(void) {
  return (picus_residuals){INFINITY, INFINITY, INFINITY, -1, -1, -1, INFINITY, INFINITY};
}

/* All defects of P in one pass over the laws, each with its own velocities xi = G P + c. */
picus_residuals picus_contact_residuals(const picus_contact_problem *problem, const double *P) {
  findings f = {{0, -1}, {0, -1}, {0, -1}, 0, 0};
  if (!picus_contact_problem_fits(problem) || picus_contact_first_not_finite(problem) >= 0) return infinite_residuals();
  double velocities[2 * PICUS_LAW_ROWS] = {0};
  picus_contact_load(problem, P);
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim) {
    const picus_law *law = &problem->laws[i];
    const int before = law->kind == PICUS_ROLLING ? problem->laws[i - 1].dim : 0;
    double *xi = velocities + before, rho = 1 / picus_law_stiffness(problem, i, row);
    picus_operator_of(problem)->law_velocity(problem, i, row, P, xi);
    for (int k = 0; k < law->dim; k++) {
      if (!isfinite(xi[k]) || !isfinite(P[row + k])) return infinite_residuals();
      f.c += problem->c[row + k] * problem->c[row + k];
    }
    const picus_law fixed = picus_law_with_normal(*law, before > 0 ? P[row - before] : 0);
    judge_law(&fixed, i, rho, P + row, xi, &f);
    add_de_saxce(problem, i, P + row, xi, &f);
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
