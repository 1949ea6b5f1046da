/* The residual of a step, for the schemes with a Newton iteration: the largest of several residuals, its bound and its
 * place. Residuals of different units are compared in sqrt(J): momentum balances as r_i / sqrt(M_ii), relative
 * velocities as xi_r / sqrt(G_rr). */
#ifndef PICUS_SCHEME_NEWTON_RESIDUAL_H
#define PICUS_SCHEME_NEWTON_RESIDUAL_H

#include "stepper/internal.h"

/* Almost all steps take fewer iterations; from this number on, round-off is measured. */
enum { PICUS_UNSETTLED = 5 };

#include <float.h>
#include <math.h>

typedef struct newton_residual {
  newton_goal tolerance; /* for the bound, and for gaps */
  double value, bound;
  const char *kind, *name;    /* of the worst */
  double *weight, *root_mass; /* nu: 1 / sqrt(M_ii) and its inverse */
  bool weighed;
} newton_residual;

picus_status picus_newton_residual_create(stepper *s, newton_residual *out); /* a zeroed one */
/* Weights by the mass matrix of the stepper's evaluation; a constant one is read once. */
void picus_newton_residual_fill_weights(const stepper *s, newton_residual *residual);
static inline void picus_newton_residual_weigh(const stepper *s, newton_residual *residual) {
  if (!residual->weighed || !s->system->constants.mass) picus_newton_residual_fill_weights(s, residual);
}
/* Nothing noted yet. A residual below the smallest normal number has no digits that a further iteration could improve.
 */
static inline void picus_newton_residual_clear(newton_residual *residual, double bound) {
  residual->value = 0;
  residual->bound = bound + DBL_MIN;
  residual->kind = residual->name = "";
}
static inline void picus_newton_residual_note(newton_residual *residual, double value, const char *kind,
                                              const char *name) {
  if (value <= residual->value || isnan(residual->value)) return; /* NaN is the worst */
  residual->value = value;
  residual->kind = kind;
  residual->name = name;
}
#define PICUS_STALLED 0.5 /* of the residual before */
/* Iterations no longer reduce the residual, which was `before` one iteration ago. */
static inline bool picus_newton_residual_stalls(const newton_residual *residual, double before) {
  return residual->value > PICUS_STALLED * before;
}
/* The iterate is judged by the goal of the run. */
static inline void picus_newton_residual_try(const stepper *s, newton_residual *residual) {
  residual->tolerance = s->newton_goal;
}
/* The iterate misses the goal. True if it is as good as iterations can make it, because the residual was `before` one
 * iteration ago: it is then judged again, by the tolerances of the options. */
bool picus_newton_residual_give_up(const stepper *s, newton_residual *residual, double before);
/* The largest sum of |W_i P|, in sqrt(J): percussions of bodies that are wedged cancel, and may be far above the
 * momentum of the step. Writes to s->u_next. */
double picus_newton_residual_percussions(stepper *s, const newton_residual *r, const step_problem *p,
                                         const picus_evaluation *directions);
/* The message for an iteration that did not converge, with the worst place and the law of the largest percussion. */
picus_status picus_newton_residual_fail(const stepper *s, const step_problem *p, const newton_residual *residual,
                                        double dt);

#endif
