/* Percussions of one law to which no other one is coupled, in closed form. */
#ifndef PICUS_SWEEP_CLOSED_FORM_H
#define PICUS_SWEEP_CLOSED_FORM_H

#include "contact/internal.h"

/* P, residual and mode of a contact to which no other law is coupled, with its block G = [NN NT; TN TT]: without
 * friction or with friction along a line by its cases; with friction in space by one scalar equation (local.h). P is a
 * candidate: its residual decides. false: a number is not finite, or the contact acts on nothing. */
void picus_planar_cases(const double *G, const double *c, double mu, double *P);
void picus_spatial_percussion(const picus_law *law, const double *G, const double *c, double *P);
/* Inline: for steps of microseconds, with the number of rows as a constant. */
static inline bool picus_solve_contact(const picus_law *law, const double *G, const double *c, double *P,
                                       picus_mode *mode, picus_residual *residual) {
  if (law->dim == 1) {
    P[0] = c[0] < 0 && G[0] > 0 ? -c[0] / G[0] : 0;
    return picus_judge_plain_contact(G[0], c[0], P[0], mode, residual);
  }
  if (law->dim > 2) {
    picus_spatial_percussion(law, G, c, P);
    return picus_judge_spatial_contact(law, G, c, P, mode, residual);
  }
  picus_planar_cases(G, c, law->radius, P);
  return picus_judge_planar_contact(G, c, law->radius, P, mode, residual);
}

#endif
