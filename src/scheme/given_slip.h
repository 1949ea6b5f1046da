/* Contact problems in which the direction of persistent slip is given.
 *
 * The law of friction lets P_F oppose the slip that a problem leads to, at the end of a step or of a stage. If the
 * direction turns, this is a right-endpoint rule, of order 1. A scheme of higher order gives the direction d instead:
 * P_F = - mu P_N d. P_F is then no longer unknown: the columns of such a law in G become one,
 *
 *   xi_i = (G_iN - mu G_iF d) P_N + ...,     0 <= xi_N _|_ P_N >= 0,
 *
 * and the problem has two or three rows less. With P_F = - a d, a friction element has no unknowns.
 *
 * If a law does not slip in this direction at the point that the problem leads to, it is close to sticking or has an
 * impact: its own direction counts. An impact, whose percussion does not vanish with dt, needs this for the right
 * limit, so problems with impacts use the laws alone. Slip along a line has no direction that could turn. */
#ifndef PICUS_SCHEME_GIVEN_SLIP_H
#define PICUS_SCHEME_GIVEN_SLIP_H

#include "stepper/internal.h"

typedef struct given_slip {
  stepper *stepper;
  bool possible; /* there are laws whose slip has a direction */
  int given_count;
  bool *given;       /* law_count: whose direction is given */
  double *direction; /* row_count: d in the friction rows of these */
  /* the problem that is left */
  step_problem *problem; /* of all active laws */
  int law_count, size;
  picus_law *laws;
  int *law_of; /* law_count: which of the active laws */
  int *row_of; /* size: which of their rows */
  int *number; /* active laws: which of the laws that are left; -1: none */
  delassus_matrix G;
  double *c, *P;
  double *known; /* percussions that are known, of all active rows */
  picus_mode *modes;
} given_slip;

picus_status picus_given_slip_create(stepper *s, given_slip *out);
void picus_given_slip_release(given_slip *a); /* a zeroed one is fine */
/* Gives law i the direction of this slip velocity, in its friction rows, if it has one and is of a kind that slips in
 * two dimensions or more. */
bool picus_given_slip_set(given_slip *a, int i, const double *velocity);

/* A contact problem, and the evaluation that has its laws at the point that it leads to. */
typedef struct slip_request {
  step_problem *problem;
  const contact_request *contacts;
  const picus_evaluation *laws;
  bool is_explicit; /* the directions do not depend on the solution: see changes_little */
} slip_request;
/* Solves the problem with the directions in `given` of its active laws. *taken: all these laws slip that way at the
 * point that it leads to as well, u and the percussions are its result. Otherwise the problem is left to the laws. */
picus_status picus_given_slip_solve(given_slip *a, const slip_request *request, double *u, picus_step_info *info,
                                    bool *taken);

#endif
