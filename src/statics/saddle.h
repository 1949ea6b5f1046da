/* The tangent of a system at a state at rest: sparse K, M and C over all velocities, and the directions of laws that
 * hold. With a factor of (K + s M, W; W^T, 0) it gives modes and equilibria. */
#ifndef PICUS_SYSTEM_SADDLE_H
#define PICUS_SYSTEM_SADDLE_H

#include "system/internal.h"

typedef struct saddle {
  picus_context *context;
  const picus_system *system;
  picus_evaluation *evaluation;
  bool turning; /* changes of W with q take part in K */
  int nu, rows; /* velocities; rows of laws that can hold: those of bilateral laws and of contacts */
  int *row_law; /* rows: the law of each, and its row k */
  int *row_of_law;
  bool *holds; /* rows */
  /* entries of K = -dh/dq B, M and C = -dh/du by rows, each place once */
  int *row_start, *column;
  double *K, *M, *C;
  double *scale; /* nu + rows: of rows and columns of the factored matrix */
  picus_sparse_system factor;
  double *x;          /* nu + rows: right-hand side and solution */
  double *correction; /* nu + rows */
} saddle;

picus_status picus_saddle_create(picus_context *context, const picus_system *system, saddle *out);
/* The same without room for changes of W: needs no derivatives but those of forces and rates. */
picus_status picus_saddle_create_plain(picus_context *context, const picus_system *system, saddle *out);
void picus_saddle_release(saddle *s);
/* The matrices at q and u = 0. P (rows of the system, or NULL): percussion rates whose change of direction with q adds
 * to K. */
picus_status picus_saddle_set_state(saddle *s, double t, const double *q, const double *P);
/* The same at a moving state, without percussions. */
picus_status picus_saddle_set_motion(saddle *s, double t, const double *q, const double *u);
/* Factors (k K + m M, W; W^T, 0) with the laws that hold. */
picus_status picus_saddle_factor(saddle *s, double k, double m);
/* s->x := solution; its first nu numbers are velocities, then one multiplier -P for each row. */
void picus_saddle_solve(saddle *s);
/* y := A x with A = s->K, s->M or s->C. */
void picus_saddle_multiply(const saddle *s, const double *A, const double *x, double *y);
/* The largest |K_ii| / M_ii: about the square of the largest angular frequency. */
double picus_saddle_largest_quotient(const saddle *s);

/* q becomes the static equilibrium, P (rows of the system) its forces; contacts that are closed there hold. */
picus_status picus_saddle_find_equilibrium(saddle *s, double t, double *q, double *P);
/* Forces of the laws that hold at q: those that let the least acceleration remain. */
picus_status picus_saddle_find_forces(saddle *s, double t, const double *q, double *P);

#endif
