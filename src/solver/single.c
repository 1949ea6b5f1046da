/* One law alone, in closed form: the hot path of every model with a single active contact. */
#include "solver/internal.h"
#include "solver/local.h"

/* Planar Coulomb contact, xi = G P + c with G = [a b; d e]. Open if c_N >= 0. Otherwise sticking if the percussion that
 * stops both velocities lies in the friction cone; otherwise slipping against P_T = s mu P_N, first in the direction in
 * which the sticking percussion leaves the cone. If several of these are solutions (Painleve), the first counts. */
void picus_solve_planar_contact(const double *G, const double *c, double mu, double *P) {
  double a = G[0], b = G[1], d = G[2], e = G[3], cN = c[0], cT = c[1];
  P[0] = P[1] = 0;
  if (cN >= 0) return;
  double determinant = a * e - b * d;
  double normal = cT * b - cN * e, tangential = cN * d - a * cT; /* times the determinant */
  if (determinant > 0 && fabs(tangential) <= mu * normal) {
    P[0] = normal / determinant;
    P[1] = tangential / determinant;
    picus_prox_ball(1, mu * P[0], P + 1);
    return;
  }
  double slip = mu * ((determinant > 0 ? tangential : -cT) < 0 ? -1 : 1); /* s mu */
  for (int attempt = 0; attempt < 2; attempt++, slip = -slip) {
    double stiffness = a + slip * b;
    if (!(stiffness > 0)) continue;
    double PN = -cN / stiffness;
    if (slip * ((d + slip * e) * PN + cT) > 0) continue; /* friction would drive the slip */
    P[0] = PN;
    P[1] = slip * PN;
    return;
  }
  if (a > 0) P[0] = -cN / a; /* no tangential mobility, or no solution: the residual decides */
}

/* Friction in more than one direction: one scalar equation (local.h). */
static bool single_spatial_friction(const picus_contact_problem *problem, const double *block, double *P) {
  picus_local_law local;
  picus_local_prepare(problem->laws, block, (size_t)problem->size, &local);
  picus_local_solve(&local, problem->c, P);
  picus_contact_project(problem, P);
  return true;
}

bool picus_solve_single_law(const picus_contact_problem *problem, double *P) {
  if (problem->law_count != 1 || problem->size != problem->laws[0].dim) return false;
  if (problem->size > PICUS_LAW_ROWS) return false;
  const picus_law *law = problem->laws;
  size_t stride; /* the number of rows: there is no other law */
  double own[PICUS_OWN_BLOCK];
  const double *block = picus_operator_of(problem)->own_block(problem, 0, 0, own, &stride);
  double G = block[0], c = problem->c[0];
  switch (law->kind) {
  case PICUS_COULOMB:
    if (law->dim < 2 || law->dim > 4 || !isfinite(law->radius)) return false;
    if (law->dim > 2) return single_spatial_friction(problem, block, P);
    picus_solve_planar_contact(block, problem->c, law->radius, P);
    return true;
  case PICUS_UNILATERAL:
    picus_solve_plain_contact(G, c, P);
    return true;
  case PICUS_BILATERAL:
    P[0] = G > 0 ? -c / G : 0;
    return true;
  case PICUS_RESERVOIR:
    if (law->dim < 1 || law->dim > 3 || !isfinite(law->radius)) return false;
    if (law->dim > 1) return single_spatial_friction(problem, block, P);
    P[0] = G > 0 ? -c / G : c > 0 ? -law->radius : c < 0 ? law->radius : 0;
    picus_prox_ball(1, law->radius, P);
    return true;
  case PICUS_ROLLING: /* not without its contact */
    return false;
  }
  return false;
}
