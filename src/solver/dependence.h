/* Constraints that depend on others: the rows of G that belong to them follow from the rows of the others, and so
 * should their right-hand sides. They do so to round-off at most where all constraints hold. Where positions have
 * drifted, or where equations are linearized, c has a part that no percussions can balance, and rows that differ from
 * dependent ones by the drift alone would stop the mechanism.
 *
 * So the constraints that follow from the others are left out of the problem: the others have a solution, and the
 * bodies move as if the constraints were independent. Percussions are then shared among all of them, with minimum norm.
 *
 * What constraints prescribe (motors) is another right-hand side. A constraint contradicts the others if its prescribed
 * velocity is not the same combination of theirs as its row is of their rows. A row is such a combination but for its
 * distance from them, of which G has the square: so the round-off of G hides distances below its square root. Where the
 * combination depends on positions, it also has the error of these.
 */
#ifndef PICUS_SOLVER_DEPENDENCE_H
#define PICUS_SOLVER_DEPENDENCE_H

#include "solver/internal.h"

/* Larger problems are solved as they are: the elimination is dense, and would take longer than their solvers. */

/* Starts as zeros. Arrays are private. */
typedef struct picus_dependence {
  picus_context *context;
  int constraints, most;       /* of the system (-1: not known); how many of them depend on others, where all hold */
  picus_prescribed prescribed; /* of the laws of the whole problem */
  picus_left_out found;        /* in the last problem */
  int capacity;                /* rows */
  int count, rank;             /* constraints of the problem; independent ones */
  int *row, *law;              /* count: in the problem; the first `rank` are independent */
  double *B, *b;          /* count x count, count: G and c of the constraints, scaled, as far as they are eliminated */
  double *scale;          /* size: of each row of the problem */
  double *offset, *terms; /* count: prescribed velocities, eliminated like b; the sum of the absolute values in each */
  double *p, *null;       /* count; (count - rank) x count: percussions, and those that do nothing */
  double *whole, *full;   /* size x size: a G that is not dense; size: percussions */
  /* the problem without the constraints left out */
  picus_contact_problem kept;
  picus_law *laws;
  int *numbers, *own; /* of its laws: in the whole, in the problem */
  int *from;          /* its rows, in the problem */
  bool *out;          /* laws of the problem */
  double *G, *c, *P;
  picus_mode *modes;
} picus_dependence;

picus_status picus_dependence_reserve(picus_dependence *d, int size);
void picus_dependence_release(picus_dependence *d);

/* Whether constraints have to be left out: then d->kept is the problem without them, with initial P and modes.
 * numbers: of the laws in a larger problem, or NULL. false: the problem can be solved as it is, to the tolerance.
 * In both cases d->found says whether prescribed velocities contradict each other. */
bool picus_dependence_find(picus_dependence *d, const picus_contact_problem *problem, double tolerance,
                           const int *numbers, const double *P, const picus_mode *modes);
/* Only d->found.contradicts. */
void picus_dependence_judge(picus_dependence *d, const picus_contact_problem *problem);
/* The solution of d->kept becomes that of the problem. */
void picus_dependence_share(picus_dependence *d, const picus_contact_problem *problem, double *P, picus_mode *modes);

#endif
