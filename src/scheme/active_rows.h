/* Rows of the active laws of a contact problem: relative velocities and Newton's impact law. */
#ifndef PICUS_SCHEME_ACTIVE_ROWS_H
#define PICUS_SCHEME_ACTIVE_ROWS_H

#include "linalg/internal.h"
#include "scheme/internal.h"

/* c of a row with the restitution e; turning: what its velocity changes from the start to the middle of the step. */
static inline double picus_newtons_sum(double e, double turning, double gamma_begin, double gamma_free) {
  return gamma_free + turning + e * (gamma_begin - turning);
}

/* Newton's law gamma_E = -e gamma_B, as gamma_free + e gamma_begin + G P = 0: with the directions of the request, or
 * with those of the ends of the step. */
static inline double picus_newtons_law(const contact_state *c, int law, const active_row *row, double dt,
                                       double gamma_begin, double gamma_free) {
  double e = row->restitution;
  if (e != 0 && c->restitution != PICUS_RESTITUTION_ALWAYS)
    e = picus_step_restitution_at(c, law, row->global - c->set->laws[law].data.first_row, dt, gamma_begin);
  return picus_newtons_sum(e, c->laws_at_end ? c->turning[row->global] : 0, gamma_begin, gamma_free);
}

/* W^T u and W^T v of a row of a law with one part. */
static inline row_products picus_active_row_dots(const active_row *row, const double *W, const double *u,
                                                 const double *v) {
  const double *w = W + row->W0;
  row_products sum = {0, 0};
  u += row->u0;
  v += row->u0;
  for (int i = row->from; i < row->to; i++) {
    sum.u += w[i] * u[i];
    sum.v += w[i] * v[i];
  }
  return sum;
}

/* The same for a row of any law. */
static inline row_products picus_active_law_dots(const law_set *set, int law, const active_row *row, const double *W,
                                                 const double *u, const double *v) {
  if (row->n > 0) return picus_active_row_dots(row, W, u, v);
  return picus_law_row_dots(set->system, &set->laws[law], W + row->W0, u, v);
}

/* u += factor A^-1 w of a row of a law with one part, where A does not couple parts. */
static inline void picus_active_row_add(const active_row *row, const double *solved, double factor, double *u) {
  u += row->u0;
  picus_add_multiple(row->n, u, factor, solved, u);
}

#endif
