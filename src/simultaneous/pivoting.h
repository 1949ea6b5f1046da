/* Lemke's pivoting for the standard linear complementarity problem  y = A x + b,  0 <= y _|_ x >= 0. */
#ifndef PICUS_SIMULTANEOUS_PIVOTING_H
#define PICUS_SIMULTANEOUS_PIVOTING_H

#include <picus/base.h>

/* A dictionary: each basic variable is a linear function of the nonbasic ones. Variables are numbered: x_j is j, y_j
 * is size + j, the artificial z0 is 2 size. The caller sets size, the data and the memory. */
typedef struct picus_pivoting {
  int size;
  const double *A, *b; /* size x size, row-major, and size; entries should be of order 1 */
  double *table;       /* size rows of size + 2: coefficients of the nonbasic variables, then the constant */
  double *defect;      /* size */
  int *basic;          /* size: the variable of each row */
  int *nonbasic;       /* size + 1: the variable of each column */
  int *place;          /* 2 size + 1: row of a basic variable, or -1 - column of a nonbasic one */
  int ray_column;      /* set by picus_pivoting_run if it ends in a ray: the variables that grow without bound */
} picus_pivoting;

/* Makes y basic: table = [A 1 b]. */
void picus_pivoting_start(picus_pivoting *p);

/* PICUS_OK: a solution. PICUS_NO_SOLUTION: ended in a ray. PICUS_NOT_CONVERGED: more than max_pivots. Adds to *pivots.
 */
picus_status picus_pivoting_run(picus_pivoting *p, int max_pivots, int *pivots);

/* Value of a variable: its row's constant, or 0 if it is nonbasic. */
double picus_pivoting_value(const picus_pivoting *p, int variable);

/* After PICUS_NO_SOLUTION: how fast a variable grows along the ray. */
double picus_pivoting_ray(const picus_pivoting *p, int variable);

#endif
