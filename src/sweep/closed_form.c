/* One law alone, in closed form: the method of every model with a single active contact. */
#include "sweep/closed_form.h"

#include "sweep/local.h"
#include "sweep/method.h"

/* Planar Coulomb contact, xi = G P + c with G = [a b; d e]. Open if c_N >= 0. Otherwise sticking if the percussion that
 * stops both velocities lies in the friction cone; otherwise slipping against P_T = s mu P_N, first in the direction in
 * which the sticking percussion leaves the cone. If several of these are solutions (Painleve), the first counts. */
void picus_planar_cases(const double *G, const double *c, double mu, double *P) {
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

void picus_spatial_percussion(const picus_law *law, const double *G, const double *c, double *P) {
  picus_local_law local;
  picus_local_prepare(law, G, (size_t)law->dim, &local);
  picus_local_solve(&local, c, P);
  P[0] = picus_prox_positive(P[0]);
  picus_prox_ball(law->dim - 1, law->radius * P[0], P + 1);
}

/* Of a problem with one law, which fits. P is a candidate: its residual decides. */
static picus_status solve_one_law(const picus_solver_options *options, const picus_contact_problem *problem,
                                  picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  const picus_law *law = problem->laws;
  const picus_operator *G = picus_operator_of(problem);
  size_t stride; /* the number of rows: there is no other law */
  double own[PICUS_OWN_BLOCK];
  const double *block = G->own_block(problem, 0, 0, own, &stride);
  const double G_N = block[0], c = problem->c[0];
  (void)options;
  if (law->kind != PICUS_UNILATERAL && law->kind != PICUS_BILATERAL && !isfinite(law->radius))
    return PICUS_NOT_CONVERGED;
  ++*iterations;
  if (law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB) {
    picus_residual judged;
    if (picus_solve_contact(law, block, problem->c, P, modes, &judged) && G->is_whole && memory.judged)
      *memory.judged = judged;
  } else if (law->kind == PICUS_BILATERAL)
    P[0] = G_N > 0 ? -c / G_N : 0;
  else if (law->dim == 1) { /* a reservoir */
    P[0] = G_N > 0 ? -c / G_N : c > 0 ? -law->radius : c < 0 ? law->radius : 0;
    picus_prox_ball(1, law->radius, P);
  } else { /* friction alone, in more than one direction */
    picus_local_law local;
    picus_local_prepare(law, block, stride, &local);
    picus_local_solve(&local, problem->c, P);
    picus_contact_project(problem, P);
  }
  return PICUS_OK;
}

const picus_solver_ops picus_closed_form_solver = {
    .description = {"direct", "one law in closed form", "Glocker, Studer 2005, section 4 (the cases)"},
    .takes_factors = true,
    .solve = solve_one_law,
};
