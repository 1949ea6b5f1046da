/* A sparse factor of the constraints of a large system, in the metric of M: R^T R = S W^T M^-1 W S + D, with scales S
 * and a diagonal D. */
#ifndef PICUS_SYSTEM_CONSTRAINT_FACTOR_H
#define PICUS_SYSTEM_CONSTRAINT_FACTOR_H

#include "linalg/row_factor.h"
#include "system/law_rows.h"

typedef struct constraint_factor {
  const picus_system *system;
  int count; /* constraints: laws with one row */
  /* constraints that act on each part: entries part_start[p] ... part_start[p + 1] - 1 */
  size_t *part_start;  /* part_count + 1 */
  int *constraint;     /* of each entry, increasing within a part */
  size_t *at;          /* of each entry: where the velocities of the part begin in W */
  int *part_order;     /* parts with constraints, */
  int used_parts;      /* so many */
  double *w, *x;       /* rows of the part in hand, and M^-1 of them, orthonormal in the metric of M */
  double *coefficient; /* row by row: what each constraint of the part has of the orthonormal ones */
  picus_row_factor R;
} constraint_factor;

/* laws: the constraints, increasing. On failure nothing is left. */
picus_status picus_constraint_factor_create(picus_context *context, const picus_system *system, int count,
                                            const int *laws, constraint_factor *out);
void picus_constraint_factor_release(picus_context *context, constraint_factor *factor); /* a zeroed one is fine */
/* From M, factored, and W of the evaluation. scale: S, 0 leaves a constraint out; diagonal: D, or NULL. */
void picus_constraint_factor_fill(constraint_factor *factor, const picus_evaluation *evaluation, const double *scale,
                                  const double *diagonal);

#endif
