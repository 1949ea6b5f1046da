/* What the implicit schemes share: the residual of a step, the first iterate of Newton's iteration, factors of rates.
 */
#ifndef PICUS_SCHEME_IMPLICIT_H
#define PICUS_SCHEME_IMPLICIT_H

#include "step_problem/law_arrays.h"
#include "stepper/internal.h"

#include <float.h>
#include <math.h>

/* Almost all steps take fewer iterations; from this number on, round-off is measured. */
enum { PICUS_UNSETTLED = 5 };

/* The residual of a step, for the schemes with a Newton iteration: the largest of several residuals, its bound and its
 * place. Residuals of different units are compared in sqrt(J): momentum balances as r_i / sqrt(M_ii), relative
 * velocities as xi_r / sqrt(G_rr). */
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

/* Where Newton's iteration of a step begins: the change of velocity in the last steps is continued as a polynomial in
 * time. Its order is the one that would have served the last step best, so a jump costs one step, not several. A guess
 * changes the number of iterations, not their tolerance. */

enum { PICUS_GUESS_ORDER = 3 };

typedef struct velocity_guess {
  int nu, most;                          /* velocities, and the highest order */
  double *change[PICUS_GUESS_ORDER + 1]; /* of the last steps, the last one first */
  int known;                             /* of these */
  int order;                             /* changes that the next guess continues; 0: none */
  double dt;                             /* of the last step */
} velocity_guess;

picus_status picus_velocity_guess_create(law_arrays *arrays, int nu, int most, velocity_guess *out);
static inline void picus_velocity_guess_forget(velocity_guess *guess) { guess->known = guess->order = 0; }
/* u at the end of a step that begins with u_begin. */
void picus_velocity_guess_find(const velocity_guess *guess, double dt, const double *u_begin, double *u);
/* The step ended with u. The weights make velocities of different units comparable. */
void picus_velocity_guess_note(velocity_guess *guess, double dt, const double *u_begin, const double *u,
                               const double *weight);
void picus_velocity_guess_archive(velocity_guess *guess, picus_archive *archive);

/* Factors of the rates of a part whose q' is not u, for implicit schemes: 1 - share d(B u + beta)/dq, with the share of
 * the step in which q follows its rate at the end. If rates are linear in q, as those of quaternions, the coordinates
 * before the first turning one need no factors. */

typedef struct rate_factors {
  int first, size; /* from this coordinate of the part on, so many */
  double *matrix;  /* size x size */
  double *factor;  /* the same, factored, */
  int *pivots;
  bool is_factored; /* if it is */
} rate_factors;

picus_status picus_rate_factors_create(stepper *s, int part, rate_factors *out);
/* drate_dq: d(B u + beta)/dq of the part, which is overwritten. A body that spins as before keeps its factors. */
picus_status picus_rate_factors_renew(stepper *s, int part, double share, double *drate_dq, rate_factors *factors);
/* x: of the coordinates of the part. */
void picus_rate_factors_solve(const rate_factors *factors, double *x);

#endif
