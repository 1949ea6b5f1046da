/* What methods for all laws at once share: the scaling of a problem, and the laws that some reject. */
#ifndef PICUS_SIMULTANEOUS_SCALING_H
#define PICUS_SIMULTANEOUS_SCALING_H

#include "sweep/method.h"

/* Rejection by the solvers that support only friction along a line. */
const char *picus_refuse_spatial_friction(const picus_contact_problem *problem, int *law);

/* Units out of the way: d_i = 1 / sqrt(|G_ii|), so that D G D has a unit diagonal. A zero diagonal gets the mean. */
void picus_scale_factors(const picus_contact_problem *problem, double *d);

/* The same for rows that share a ball, by the mean of their diagonals, so that it stays round. */
void picus_scale_balls_alike(const picus_contact_problem *problem, double *d);

#endif
