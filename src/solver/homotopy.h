/* What the solver homotopy and its passage through folds share: a point of the path, F and its derivative there. */
#ifndef PICUS_SOLVER_HOMOTOPY_H
#define PICUS_SOLVER_HOMOTOPY_H

#include "solver/smoothing.h"

typedef struct homotopy {
  const picus_solver_options *options;
  picus_scaled_problem scaled;
  picus_coupled_system system;
  double *p, *x, *F, *step, *trial, *trial_F, *anchor, *best_p;
  double *tangent, *by_kappa; /* for folds */
  double length, largest;     /* of F at p: Euclidean, and its largest entry */
  double kappa, eps;          /* smoothing; weight of the proximal term that ties p to anchor */
  double best;                /* relative residual of best_p */
  int factorizations, improved_at;
  int failures; /* of proximal steps, one after the other */
} homotopy;

/* F at p, its largest entry in *largest; returns its length. */
double picus_homotopy_evaluate(homotopy *h, const double *p, double *F, double *largest);
/* Factors dF/dp at h->p. false: singular. */
bool picus_homotopy_linearize(homotopy *h);
bool picus_homotopy_may_go_on(const homotopy *h);
/* Follows the path from the point h->p, h->kappa, around folds where kappa rises for a while, until kappa can fall
 * again in ordinary steps. false: it does not get there, and h->p is somewhere else. */
bool picus_homotopy_pass_folds(homotopy *h);

#endif
