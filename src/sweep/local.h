/* One law alone, solved exactly for the velocity due to the others: the local problem of block Gauss-Seidel.
 *
 * With G_ii = [a w^T; v T] and b the velocity of the law's rows at P_i = 0, the normal row of a closed contact gives
 * P_N = -(b_N + w . P_T) / a, and the friction rows become
 *
 *   xi_T = S P_T + s,   S = T - v w^T / a,   s = b_T - v b_N / a,   |P_T| <= mu P_N(P_T),   xi_T = -lambda P_T
 *
 * with lambda = 0 if it sticks. So (S + lambda) P_T = -s, and lambda >= 0 is the root of one scalar equation,
 * |P_T(lambda)| = mu P_N(lambda). For S positive semidefinite and b_N < 0 it has a root if the contact does not stick:
 * the left side is larger at lambda = 0, the right side for lambda to infinity. A reservoir is the same with S = G_ii
 * and a constant radius. */
#ifndef PICUS_SWEEP_LOCAL_H
#define PICUS_SWEEP_LOCAL_H

#include "contact/internal.h"

enum { PICUS_FRICTION_ROWS = PICUS_LAW_ROWS - 1 };

/* A law as sweeps visit it: prepared once for many solves with the same G_ii. */
typedef struct picus_local_law {
  picus_law_kind kind;
  int dim, friction_rows;
  bool symmetric;   /* axes are the principal axes of S (its columns), stretch its eigenvalues; else axes is S */
  double radius;    /* of the law; of a rolling law: the caller sets rho P_N before each solve */
  double stiffness; /* a; 0: the normal row acts on nothing */
  double normal_rate[PICUS_FRICTION_ROWS]; /* -w / a: d P_N / d P_T, along the axes */
  double coupling[PICUS_FRICTION_ROWS];    /* v / a, along the axes */
  double stretch[PICUS_FRICTION_ROWS];
  double compliance[PICUS_FRICTION_ROWS]; /* 1 / stretch, or 0 if stretch is 0: sticking friction costs no division */
  double rate;                            /* |normal_rate| */
  bool can_jam;                           /* a Coulomb contact on which friction acts in some directions only */
  double axes[PICUS_FRICTION_ROWS * PICUS_FRICTION_ROWS];
  double lambda;               /* of the last solve: initial value of the next one */
  double own[PICUS_OWN_BLOCK]; /* the block of which it was made, dim x dim */
  bool subtracts;              /* a sweep finds b with P_i and subtracts own P_i; else it finds b with P_i = 0 */
} picus_local_law;

/* block: G_ii, stride from row to row. */
void picus_local_prepare(const picus_law *law, const double *block, size_t stride, picus_local_law *local);

/* P_i for the velocity b of the law's rows at P_i = 0, in the set of the law up to round-off. Always finite for finite
 * input of sane size. */
void picus_local_solve(picus_local_law *local, const double *b, double *P);

#endif
