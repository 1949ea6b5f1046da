/* Contact problems for the tests of the solvers, and a residual of their own. */
#ifndef PICUS_TEST_SOLVER_CASES_H
#define PICUS_TEST_SOLVER_CASES_H

#include "support/check.h"

#include <math.h>
#include <picus/contact.h>
#include <string.h>

enum { CASE_LAWS = 40, CASE_ROWS = 80 };

/* A problem that owns its numbers. Not copied: problem points into it. */
typedef struct contact_case {
  picus_contact_problem problem;
  picus_law laws[CASE_LAWS];
  double G[CASE_ROWS * CASE_ROWS], c[CASE_ROWS];
  double P[CASE_ROWS];
  picus_mode modes[CASE_LAWS];
  picus_solve_info info;
} contact_case;

static inline void case_clear(contact_case *x) {
  memset(x, 0, sizeof *x);
  x->problem = (picus_contact_problem){.laws = x->laws, .G = x->G, .c = x->c};
}

static inline void case_add(contact_case *x, picus_law_kind kind, int dim, double radius) {
  x->laws[x->problem.law_count++] = (picus_law){kind, dim, radius};
  x->problem.size += dim;
}

/* A law of any kind; spatial: with friction in up to three directions. */
static inline void case_add_random(contact_case *x, test_random *random, double largest_mu, bool spatial) {
  switch (test_integer(random, 0, 5)) {
  case 0:
    case_add(x, PICUS_BILATERAL, 1, 0);
    break;
  case 1:
    case_add(x, PICUS_UNILATERAL, 1, 0);
    break;
  case 2:
    case_add(x, PICUS_RESERVOIR, spatial ? test_integer(random, 1, 3) : 1, test_uniform(random, 0, 0.3));
    break;
  default:
    case_add(x, PICUS_COULOMB, spatial ? test_integer(random, 2, 4) : 2, test_uniform(random, 0, largest_mu));
  }
}
static inline void case_cold(contact_case *x) {
  memset(x->P, 0, sizeof x->P);
  memset(x->modes, 0, sizeof x->modes);
}

/* G = V^T V for V with dof rows: the Delassus matrix of a system with dof degrees of freedom, V = M^-1/2 W. */
static inline void case_random_G(contact_case *x, test_random *random, int dof) {
  static double V[2 * CASE_ROWS][CASE_ROWS];
  int n = x->problem.size;
  for (int k = 0; k < dof; k++)
    for (int j = 0; j < n; j++) V[k][j] = test_uniform(random, -1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < dof; k++) sum += V[k][i] * V[k][j];
      x->G[i * n + j] = sum;
    }
}

static inline void case_random_c(contact_case *x, test_random *random) {
  for (int i = 0; i < x->problem.size; i++) x->c[i] = test_uniform(random, -1, 1);
}

/* The friction law written down independently of the library: |P| <= radius, and the slip xi is zero or P is the whole
 * radius against it. The error is in percussions, with rho turning slips into percussions. */
static inline double case_ball_error(int dim, double radius, double rho, const double *P, const double *xi) {
  double PP = 0, xx = 0, off = 0;
  for (int k = 0; k < dim; k++) {
    PP += P[k] * P[k];
    xx += xi[k] * xi[k];
  }
  double outside = fmax(sqrt(PP) - radius, 0), slip = sqrt(xx);
  if (slip == 0) return outside;
  for (int k = 0; k < dim; k++) off = hypot(off, P[k] + radius * xi[k] / slip);
  /* a slip that is slow compared with the radius shows the direction of P less than one that is fast */
  return fmax(outside, off * rho * slip / fmax(radius, rho * slip));
}

static inline double case_normal_error(double rho, double P, double xi) {
  return fmax(fmax(-P, -rho * xi), fmin(fabs(P), fabs(rho * xi)));
}

/* How far P is from fulfilling the laws, relative to the largest percussion or free percussion. */
static inline double case_error(const contact_case *x, const double *P) {
  int n = x->problem.size;
  double worst = 0, scale = 0;
  for (int i = 0, row = 0; i < x->problem.law_count; row += x->laws[i].dim, i++) {
    const picus_law *law = &x->laws[i];
    double xi[4] = {0}, trace = 0, error = 0;
    for (int k = 0; k < law->dim; k++) {
      trace += x->G[(row + k) * n + row + k];
      for (int j = 0; j < n; j++) xi[k] += x->G[(row + k) * n + j] * P[j];
      xi[k] += x->c[row + k];
    }
    double rho = trace > 0 ? law->dim / trace : 1;
    for (int k = 0; k < law->dim; k++) scale = fmax(scale, fmax(fabs(P[row + k]), rho * fabs(x->c[row + k])));
    switch (law->kind) {
    case PICUS_BILATERAL:
      error = fabs(rho * xi[0]);
      break;
    case PICUS_UNILATERAL:
      error = case_normal_error(rho, P[row], xi[0]);
      break;
    case PICUS_COULOMB:
      error = fmax(case_normal_error(rho, P[row], xi[0]),
                   case_ball_error(law->dim - 1, law->radius * fmax(P[row], 0), rho, P + row + 1, xi + 1));
      break;
    case PICUS_RESERVOIR:
      error = case_ball_error(law->dim, law->radius, rho, P + row, xi);
      break;
    case PICUS_ROLLING:
      error = case_ball_error(law->dim, law->radius * fmax(P[row - law[-1].dim], 0), rho, P + row, xi);
      break;
    }
    if (!(error <= worst)) worst = error;
  }
  return scale > 0 ? worst / scale : worst;
}

/* The largest case_error of a P in the sets of its laws whose picus_residual.relative is at most so much.
 *
 * Scales: the residual's is made of lengths of at most four rows, this one's of single rows: a factor of at most 2.
 * Normal rows: both measure |min(P_N, rho xi_N)|; bilateral rows: rho |xi|.
 * Friction of radius R with |P| <= R, slip s = rho |xi| against the unit vector q = -xi / |xi|: here |P - R q| s /
 * max(R, s), there e = |P - p|, p the projection of y = P + s q on the ball. |y| <= R: e = s, and |P - R q| <= 2 R: a
 * factor of at most 2. |y| > R: s q = t p - d with t = |y| / R - 1 and d = P - p, |d| = e. So s (P - R q) = (s - R t) p
 * + (s + R) d, and |s - R t| = ||s q| - |t p|| <= |d|: together at most (2 R + s) e, which is 3 e max(R, s). That
 * makes 6. A residual that counts percussions without bounds less (docs/solvers.md) is larger for it. The rest is the
 * rounding of xi, whose terms are added in another order here. */
static inline double case_error_bound(double relative) { return 6 * relative + 1e-13; }

/* Solves x with a named solver from the start in x->P and x->modes. */
static inline picus_status case_solve(contact_case *x, picus_context *context, picus_solver_options options) {
  picus_solver *solver = NULL;
  picus_status status = picus_solver_create(context, &options, &solver);
  if (status == PICUS_OK) status = picus_solver_solve(solver, &x->problem, x->P, x->modes, &x->info);
  picus_solver_destroy(solver);
  return status;
}

/* A named solver alone and to a tight tolerance, from a cold start. */
static inline picus_status case_solve_alone(contact_case *x, picus_context *context, const char *name) {
  picus_solver_options options = picus_default_solver_options();
  options.solver = name;
  options.no_fallback = true;
  options.max_iterations = 200000;
  options.tolerance = 1e-13;
  case_cold(x);
  return case_solve(x, context, options);
}

/* Largest difference of two percussion vectors over the largest entry. */
static inline double case_difference(int size, const double *a, const double *b) {
  double difference = 0, scale = 0;
  for (int k = 0; k < size; k++) {
    difference = fmax(difference, fabs(a[k] - b[k]));
    scale = fmax(scale, fmax(fabs(a[k]), fabs(b[k])));
  }
  return scale > 0 ? difference / scale : 0;
}

#endif
