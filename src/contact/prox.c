/* Projections on the sets of admissible percussions: R, R>=0 and balls (Studer 2008, eq. 20). */
#include "contact/internal.h"

double picus_scaled_length(int dim, const double *x) {
  double largest = 0;
  for (int k = 0; k < dim; k++) {
    if (!isfinite(x[k])) return INFINITY;
    if (fabs(x[k]) > largest) largest = fabs(x[k]);
  }
  if (largest == 0) return 0;
  double sum = 0;
  for (int k = 0; k < dim; k++) sum += (x[k] / largest) * (x[k] / largest);
  return largest * sqrt(sum);
}

void picus_prox_ball(int dim, double radius, double *x) {
  if (dim == 1) { /* no square root, and the boundary is met exactly */
    if (x[0] > radius) x[0] = radius;
    if (x[0] < -radius) x[0] = -radius;
    return;
  }
  double length = picus_length(dim, x);
  if (length <= radius) return;
  for (int k = 0; k < dim; k++) x[k] = radius * (x[k] / length);
}

/* n = (n_0 + sum slope |x|) / (1 + sum slope^2) over the balls that x leaves at this n: one of four cases. */
void picus_prox_cone(double *n, int count, picus_cone_ball *balls) {
  double length[2] = {0}, found = *n;
  for (int k = 0; k < count; k++) length[k] = picus_length(balls[k].dim, balls[k].x);
  for (int outside = 0; outside < 1 << count; outside++) {
    double top = *n, bottom = 1;
    for (int k = 0; k < count; k++) {
      if (!(outside >> k & 1)) continue;
      top += balls[k].slope * length[k];
      bottom += balls[k].slope * balls[k].slope;
    }
    found = picus_prox_positive(top / bottom);
    bool fits = true;
    for (int k = 0; k < count; k++) fits = fits && (length[k] > balls[k].slope * found) == (outside >> k & 1);
    if (fits) break;
  }
  *n = found;
  for (int k = 0; k < count; k++) picus_prox_ball(balls[k].dim, balls[k].slope * found, balls[k].x);
}

/* The percussions of one law, projected on its set. */
static void project_law(const picus_contact_problem *problem, int i, double *P) {
  const picus_law *law = &problem->laws[i];
  switch (law->kind) {
  case PICUS_BILATERAL:
    break;
  case PICUS_UNILATERAL:
    P[0] = picus_prox_positive(P[0]);
    break;
  case PICUS_COULOMB:
    P[0] = picus_prox_positive(P[0]);
    picus_prox_ball(law->dim - 1, law->radius * P[0], P + 1);
    break;
  case PICUS_RESERVOIR:
    picus_prox_ball(law->dim, law->radius, P);
    break;
  case PICUS_ROLLING:
    picus_prox_ball(law->dim, law->radius * picus_rolling_normal(problem, i, P), P);
    break;
  }
}

bool picus_contact_project(const picus_contact_problem *problem, double *P) {
  bool changed = false;
  for (int i = 0; i < problem->law_count; P += problem->laws[i].dim, i++) {
    const int dim = problem->laws[i].dim;
    double before[PICUS_LAW_ROWS] = {0};
    if (problem->laws[i].kind == PICUS_BILATERAL) continue;
    for (int k = 0; k < dim; k++) before[k] = P[k];
    project_law(problem, i, P);
    for (int k = 0; k < dim; k++) changed |= P[k] != before[k];
  }
  return changed;
}
