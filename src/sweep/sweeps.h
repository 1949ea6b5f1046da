/* Shared by the solvers that sweep over the laws: rounds of sweeps, residuals, extrapolation, and termination. */
#ifndef PICUS_SWEEP_SWEEPS_H
#define PICUS_SWEEP_SWEEPS_H

#include "sweep/anderson.h"
#include "sweep/method.h"

typedef struct picus_sweeps picus_sweeps;
struct picus_sweeps {
  const picus_solver_options *options;
  const picus_contact_problem *problem;
  double *P;
  /* The method: one sweep changes P by picus_sweeps_set or picus_sweeps_set_row; shorten takes smaller steps from now
   * on. */
  void (*sweep)(picus_sweeps *x);
  void (*shorten)(picus_sweeps *x);
  void *method;
  double *step;           /* a percussion over a velocity for each row; 0: the row acts on nothing */
  picus_anderson *mixing; /* NULL: none, but extrapolation at the end of a round */
  int patience;           /* sweeps without the residual falling by a tenth before it counts as stagnation */
  int first_round;        /* sweeps before the first evaluation of the residual */
  bool residual_suffices; /* a small residual is the end; false: the last change must be small relative to P too */
  const picus_limits *limits;

  /* Kept by sweeps.c. */
  double *best_P, *before_last, *before_last_two; /* the best P so far; P before the last one, two sweeps */
  double change, percussion;                      /* of one sweep: largest |P_new - P_old| and |P_new| of a row */
  double residual_per_change; /* at the last evaluation: predicts from the change of a sweep when to evaluate again */
  double caution;             /* it must predict so many times less than the tolerance: predictions have failed */
  double rounding;            /* of percussions that stop the free motion */
  double best, worth_improving, latest; /* relative residuals */
  double previous;                      /* the previous residual, after previous_sweeps */
  int previous_sweeps;
  double first; /* and the first one, after first_at */
  int first_at;
  int sweeps, looked_at, improved_at, shortened;
  double others;    /* the work of the others, in sweeps; 0: not estimated yet */
  int doubts;       /* evaluations, one after the other, by which they would take less */
  int looks, stays; /* since the last progress: residuals seen, and how many did not fall */
};

/* What most methods do to shorten. */
void picus_sweeps_halve_steps(picus_sweeps *x);
/* Doubles that sweeps.c needs for problems of this size, in addition to those of the method. */
size_t picus_sweeps_need(int size);
/* x has its problem, P, method and steps; memory: picus_sweeps_need. Adds to *iterations; leaves the best P. */
picus_status picus_sweeps_run(picus_sweeps *x, double *memory, int *iterations);

static inline void picus_sweeps_set(picus_sweeps *x, int row, double value) {
  double change = fabs(value - x->P[row]), size = fabs(value);
  if (!(change <= x->change)) x->change = change; /* also keeps a NaN */
  if (size > x->percussion) x->percussion = size;
  x->P[row] = value;
}

/* The k-th row of a law; for a factored G, also updates the velocities. */
static inline void picus_sweeps_set_row(picus_sweeps *x, int law, int first_row, int k, double value) {
  double change = value - x->P[first_row + k];
  picus_sweeps_set(x, first_row + k, value);
  picus_contact_move(x->problem, law, k, change);
}

/* --- work: what sweeps and factorizations cost, so that "auto" can weigh the one against the other ------------- */

/* Estimates from sizes and couplings alone: the same problem has the same work on every machine. The unit is about a
 * nanosecond; only ratios count. The second one analyses the pattern of G, which takes as long as two to five sweeps.
 */
double picus_sweep_work(const picus_contact_problem *problem);
/* share: of the rows that are unknown. */
double picus_factor_work(const picus_contact_problem *problem, double share);

#endif
