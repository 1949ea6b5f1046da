/* What the solvers share: projections, the judge of a candidate P, and the rounding that no solver can beat. */
#ifndef PICUS_CONTACT_INTERNAL_H
#define PICUS_CONTACT_INTERNAL_H

#include <math.h>
#include <picus/contact.h>

enum { PICUS_LAW_ROWS = 4 }; /* the most rows a law can have */

/* Euclidean length of a law's rows. Squares of very small or very large numbers leave the range of a double: then the
 * rows are scaled first. */
double picus_scaled_length(int dim, const double *x);
static inline double picus_length(int dim, const double *x) {
  double largest = fabs(x[0]), sum = x[0] * x[0];
  if (dim == 1) return largest;
  for (int k = 1; k < dim; k++) {
    largest = fabs(x[k]) > largest ? fabs(x[k]) : largest;
    sum += x[k] * x[k];
  }
  if (sum > 1e-280 && sum < 1e280) return sqrt(sum);
  return largest == 0 ? sum : picus_scaled_length(dim, x);
}

/* Projections, in place: on R>=0, on the ball of a radius, and of all of P on the sets of its laws (first P_N, then
 * the friction in the ball that this P_N allows). */
static inline double picus_prox_positive(double x) { return x > 0 ? x : 0; }
void picus_prox_ball(int dim, double radius, double *x);
void picus_contact_project(const picus_contact_problem *problem, double *P);

/* Mean of the absolute diagonal of a law's block G_ii; for a law that acts on nothing (zero block) the mean over all of
 * G, and 1 if that is zero too. Its inverse is the rho_i of the residual. */
double picus_law_stiffness(const picus_contact_problem *problem, int first_row, int dim);

/* The residual of P and the modes it shows, from one evaluation of xi = G P + c. xi and argument (size doubles each;
 * the arguments P - rho xi of the projections) and modes may be NULL. */
picus_residual picus_contact_judge(const picus_contact_problem *problem, const double *P, double *xi, double *argument,
                                   picus_mode *modes);

/* The part of picus_residual.relative that rounding alone can cause when xi is evaluated in double precision. */
double picus_contact_rounding_floor(const picus_contact_problem *problem, const double *P);

/* -1 or the first law with a number that is not finite in its rows or its radius. */
int picus_contact_first_not_finite(const picus_contact_problem *problem);
/* Whether dimensions and row counts fit together, without a sentence. */
bool picus_contact_problem_fits(const picus_contact_problem *problem);

#endif
