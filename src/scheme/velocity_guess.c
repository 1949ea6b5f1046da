/* Changes of velocity, continued from step to step. */
#include "scheme/velocity_guess.h"

#include "base/internal.h"
#include "linalg/internal.h"

#include <math.h>

#define SAME_SIZE 1e-6 /* of steps, relative: their times are rounded */

/* One more than a guess continues, to find its order; there is no choice if the highest order is 1. */
static int number_of_changes(const velocity_guess *g) { return g->most > 1 ? g->most + 1 : 1; }

picus_status picus_velocity_guess_create(law_arrays *arrays, int nu, int most, velocity_guess *out) {
  *out = (velocity_guess){.nu = nu, .most = most};
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < number_of_changes(out); k++)
    status = PICUS_FIXED(arrays, sizeof(double), (size_t)nu, &out->change[k]);
  return status;
}

void picus_velocity_guess_find(const velocity_guess *g, double dt, const double *u_begin, double *u) {
  if (g->order == 0) {
    picus_copy(g->nu, u_begin, u);
    return;
  }
  const double ratio = dt / g->dt; /* the same acceleration */
  const int order = fabs(ratio - 1) < SAME_SIZE ? g->order : 1;
  const double *c0 = g->change[0], *c1 = g->change[1], *c2 = g->change[2];
  if (order == 1)
    picus_add_multiple(g->nu, u_begin, ratio, c0, u);
  else if (order == 2)
    for (int i = 0; i < g->nu; i++) u[i] = u_begin[i] + ratio * (2 * c0[i] - c1[i]);
  else
    for (int i = 0; i < g->nu; i++) u[i] = u_begin[i] + ratio * (3 * (c0[i] - c1[i]) + c2[i]);
}

/* The change of velocity of a step, one more of the same size than before, becomes the first one. */
static void push(velocity_guess *g, double dt, const double *u_begin, const double *u) {
  const int changes = number_of_changes(g);
  double *oldest = g->change[changes - 1];
  if (g->known > 0 && fabs(dt / g->dt - 1) > SAME_SIZE) g->known = 0;
  for (int k = changes - 1; k > 0; k--) g->change[k] = g->change[k - 1];
  g->change[0] = oldest;
  picus_subtract(g->nu, u, u_begin, oldest);
  g->known = g->known < changes ? g->known + 1 : changes;
  g->dt = dt;
}

void picus_velocity_guess_note(velocity_guess *g, double dt, const double *u_begin, const double *u,
                               const double *weight) {
  push(g, dt, u_begin, u);
  g->order = 1;
  if (g->known < 2) return;
  double *const *c = g->change;
  double missed[PICUS_GUESS_ORDER + 1] = {0}; /* by the guess of each order; at rest that of order 0 is best */
  for (int i = 0; i < g->nu; i++) {
    const double first = c[0][i] - c[1][i];
    missed[0] = picus_larger(missed[0], weight[i] * fabs(c[0][i]));
    missed[1] = picus_larger(missed[1], weight[i] * fabs(first));
    if (g->known < 3) continue;
    const double before = c[1][i] - c[2][i];
    missed[2] = picus_larger(missed[2], weight[i] * fabs(first - before));
    if (g->known < 4) continue;
    missed[3] = picus_larger(missed[3], weight[i] * fabs(first - 2 * before + (c[2][i] - c[3][i])));
  }
  if (missed[0] <= missed[1]) g->order = 0;
  for (int k = 2; k < g->known; k++) /* after a jump all orders miss alike */
    if (missed[k] < 0.5 * missed[g->order]) g->order = k;
}

void picus_velocity_guess_archive(velocity_guess *g, picus_archive *a) {
  const int changes = number_of_changes(g);
  picus_archive_mark(a, "guess");
  picus_archive_choice(a, &g->known, 0, changes);
  picus_archive_choice(a, &g->order, 0, g->most);
  picus_archive_double(a, &g->dt);
  for (int k = 0; k < changes; k++) picus_archive_doubles(a, g->change[k], (size_t)g->nu);
  if (picus_archive_reads(a) && (g->order > g->known || (g->order > 0 && !(g->dt > 0))))
    picus_archive_reject(a, "its guess of the next velocity is not valid");
}
