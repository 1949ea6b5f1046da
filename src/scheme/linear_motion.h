/* Steps of a scheme in free linear motion x'' = -K x - C x': they decide which step sizes are stable. */
#ifndef PICUS_SCHEME_LINEAR_MOTION_H
#define PICUS_SCHEME_LINEAR_MOTION_H

#include "stepper/internal.h"

struct linear_motion {
  int n;
  const double *K, *C;          /* n x n */
  const picus_tableau *tableau; /* of a Runge-Kutta method */
  double *work;                 /* PICUS_LINEAR_WORK n */
};
enum { PICUS_LINEAR_WORK = 2 * PICUS_STAGES_MOST + 4 };

/* a = -K x - C v */
void picus_linear_acceleration(const linear_motion *m, const double *x, const double *v, double *a);

/* The growth per step that shows instability: the fastest motions grow e-fold within 1000 steps, or at once. Schemes of
 * order 1 add a little energy to every vibration; this is their error, not instability. */
#define PICUS_GROWTH_SHOWN 1e-3
#define PICUS_GROWTH_CERTAIN 0.05

/* log of the factor by which a step of size dt enlarges the motions that grow most, beyond the growth that the motions
 * themselves have. powers: 8 n^2. *mode: n numbers, NULL or the velocities that grow most. */
double picus_linear_growth(const scheme_ops *scheme, const linear_motion *m, double dt, double *powers, double *mode);
/* The largest step size whose growth, and that of all smaller ones, does not exceed `tolerated` per step; INFINITY:
 * none does. */
double picus_linear_limit(const scheme_ops *scheme, const linear_motion *m, double tolerated, double *powers);
/* The same for one motion, x'' = -stiffness x - damping x'. */
double picus_oscillator_limit(const scheme_ops *scheme, const picus_tableau *tableau, double stiffness, double damping,
                              double tolerated);

#endif
