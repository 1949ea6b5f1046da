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
#ifndef PICUS_STEP_PROBLEM_GIVEN_SLIP_H
#define PICUS_STEP_PROBLEM_GIVEN_SLIP_H

#include "step_problem/step_problem.h"

struct given_slip {
  const contact_state *contacts;
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
};

picus_status picus_given_slip_create(const contact_state *contacts, given_slip *out);
/* Gives law i the direction of this slip velocity, in its friction rows, if it has one and is of a kind that slips in
 * two dimensions or more. */
bool picus_given_slip_set(given_slip *a, int i, const double *velocity);

/* A problem with the directions in `given` of its active laws. false: none of them has one. */
bool picus_given_slip_begin(given_slip *a, step_problem *problem);
/* The problem that is left, once that of all laws is prepared; then percussions and modes of all laws from its own. */
solver_call picus_given_slip_condense(given_slip *a);
void picus_given_slip_expand(given_slip *a);
/* Whether a contact closed faster than forces explain: an impact is left to the laws. */
bool picus_given_slip_was_struck(const given_slip *a);
/* Whether all these laws slip that way at the point that the problem leads to as well; the others lose their direction,
 * and *some tells whether one is left. */
bool picus_given_slip_holds(given_slip *a, const contact_request *request, const double *u, bool *some);

#endif
