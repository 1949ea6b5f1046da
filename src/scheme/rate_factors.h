/* Factors of the rates of a part whose q' is not u, for implicit schemes: 1 - share d(B u + beta)/dq, with the share of
 * the step in which q follows its rate at the end. If rates are linear in q, as those of quaternions, the coordinates
 * before the first turning one need no factors. */
#ifndef PICUS_SCHEME_RATE_FACTORS_H
#define PICUS_SCHEME_RATE_FACTORS_H

#include "stepper/internal.h"

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
