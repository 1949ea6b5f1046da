/* Lemke's pivoting for the standard linear complementarity problem  y = A x + b,  0 <= y _|_ x >= 0. */
#ifndef PICUS_SOLVER_LEMKE_H
#define PICUS_SOLVER_LEMKE_H

#include <picus/base.h>

/* A dictionary: each basic variable is a linear function of the nonbasic ones. Variables are numbered: x_j is j, y_j
 * is size + j, the artificial z0 is 2 size. */
typedef struct picus_lemke {
  int size;
  double *table; /* size rows of size + 2: coefficients of the nonbasic variables, then the constant */
  int *basic;    /* size: the variable of each row */
  int *nonbasic; /* size + 1: the variable of each column */
  int *place;    /* 2 size + 1: row of a basic variable, or -1 - column of a nonbasic one */
} picus_lemke;

/* Sets y basic with table = [A 1 b]; A (row-major) and b should have entries of order 1. */
void picus_lemke_start(picus_lemke *lemke, const double *A, const double *b);

/* PICUS_OK: the constants of the table are a solution (nonbasic variables are 0). PICUS_NO_SOLUTION: ended in a ray.
 * PICUS_NOT_CONVERGED: more than max_pivots. Adds to *pivots. */
picus_status picus_lemke_run(picus_lemke *lemke, int max_pivots, int *pivots);

/* How much basic variable i moves when b_j moves: entry (i, j) of the inverse of the basis. */
double picus_lemke_inverse(const picus_lemke *lemke, int row, int j);

#endif
