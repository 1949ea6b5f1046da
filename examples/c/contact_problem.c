/* A standalone contact problem: a block slides to the right on two corners. Which percussions act on them in 1 ms?
 * Velocities (vx, vy, omega); corners at (-b, -a) and (b, -a) from the centre of mass. */
#include <picus/contact.h>
#include <stdio.h>

enum { NU = 3, ROWS = 4 };

int main(void) {
  const double m = 2, J = 0.05, a = 0.1, b = 0.2, g = 9.81, mu = 0.3, e = 0, dt = 1e-3;
  const double inverse_mass[NU] = {1 / m, 1 / m, 1 / J}, u[NU] = {1, 0, 0}, h[NU] = {0, -m * g, 0};
  const double W[ROWS][NU] = {
      {0, 1, -b}, {1, 0, a}, {0, 1, b}, {1, 0, a}}; /* rows of W^T: normal, slip, normal, slip */
  const picus_law laws[2] = {{PICUS_COULOMB, 2, mu}, {PICUS_COULOMB, 2, mu}};
  double G[ROWS * ROWS] = {0}, c[ROWS] = {0};

  /* G = W^T M^-1 W,  c = W^T (u + M^-1 h dt) + e W^T u, the coefficient of restitution e on normal rows only */
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < NU; k++) {
      c[i] += W[i][k] * (u[k] + inverse_mass[k] * h[k] * dt) + (i % 2 == 0 ? e * W[i][k] * u[k] : 0);
      for (int j = 0; j < ROWS; j++) G[i * ROWS + j] += W[i][k] * inverse_mass[k] * W[j][k];
    }
  const picus_contact_problem problem = {.law_count = 2, .laws = laws, .size = ROWS, .G = G, .c = c};

  picus_context *context;
  picus_solver *solver = NULL;
  picus_solve_info info;
  double P[ROWS] = {0}; /* a cold start; in a simulation, the solution of the last step */
  picus_mode modes[2] = {PICUS_OPEN, PICUS_OPEN};
  static const char *const words[] = {"open", "stick", "slip"};
  if (picus_context_create(NULL, &context)) return 1;
  picus_status status = picus_contact_problem_check(context, &problem);
  if (!status) status = picus_solver_create(context, NULL, &solver);
  if (!status) status = picus_solver_solve(solver, &problem, P, modes, &info);
  if (!status) {
    for (int i = 0; i < 2; i++)
      printf("corner %d: PN = %.6f N s, PF = %.6f N s, %s\n", i + 1, P[2 * i], P[2 * i + 1], words[modes[i]]);
    printf("solver %s, residual %.1e\n", info.solver, info.residual.relative);
  } else
    fprintf(stderr, "%s\n", picus_last_error(context)->message);
  picus_solver_destroy(solver);
  picus_context_destroy(context);
  return status;
}
