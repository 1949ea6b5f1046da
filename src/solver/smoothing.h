/* Projections on the sets of the laws, rounded off: the functions that the solver "homotopy" works with. */
#ifndef PICUS_SOLVER_SMOOTHING_H
#define PICUS_SOLVER_SMOOTHING_H

#include "solver/coupled.h"

/* The smoothed projection of a on the set of a law, and its derivative (NULL: not needed). For kappa > 0 the pair p =
 * projection, y = p - a lies on the central path of the law's complementarity conditions, p_N y_N = kappa^2,      (r,
 * p_F) o (s, y_F) = (kappa^2, 0),      r = mu p_N or the radius of a reservoir, with the Jordan product of the
 * second-order cone; for kappa = 0 it is the projection itself. */
void picus_smooth_projection(const picus_law *law, double radius, double kappa, const double *a, double *p,
                             picus_law_matrix derivative);

/* The same for a rolling law whose contact has the argument normal in its normal row: r = slope p_N. by_normal: the
 * derivative with respect to this argument (NULL: not needed). */
typedef struct picus_smooth_rolling {
  int dim;
  double slope, kappa, normal;
} picus_smooth_rolling;
void picus_smooth_rolling_projection(const picus_smooth_rolling *law, const double *a, double *p,
                                     picus_law_matrix derivative, double *by_normal);

#endif
