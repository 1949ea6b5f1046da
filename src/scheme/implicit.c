/* What the implicit schemes share: the residual of a Newton iteration with the message for one that does not converge,
 * its first iterate, and factors of rates. */
#include "scheme/implicit.h"

#include "base/internal.h"
#include "linalg/internal.h"

#include <math.h>
#include <string.h>

picus_status picus_newton_residual_create(stepper *s, newton_residual *r) {
  picus_newton_residual_clear(r, 0);
  return PICUS_FIXED(&s->arrays, sizeof(double), (size_t)s->system->nu, &r->weight, &r->root_mass);
}

void picus_newton_residual_fill_weights(const stepper *s, newton_residual *r) {
  r->weighed = true;
  for (int p = 0; p < s->system->part_count; p++) {
    const system_part *part = &s->system->parts[p];
    for (int i = 0; i < part->nu; i++) {
      double root = sqrt(picus_part_matrix_diagonal(&s->evaluation->mass.blocks[p], i));
      r->root_mass[part->u0 + i] = root;
      r->weight[part->u0 + i] = 1 / root;
    }
  }
}

bool picus_newton_residual_give_up(const stepper *s, newton_residual *r, double before) {
  const newton_goal by_options = {s->options.newton_tolerance, s->options.projection_tolerance};
  const bool is_goal = r->tolerance.balance < by_options.balance || r->tolerance.gap < by_options.gap;
  if (!is_goal || !picus_newton_residual_stalls(r, before)) return false;
  r->tolerance = by_options;
  return true;
}

double picus_newton_residual_percussions(stepper *s, const newton_residual *r, const step_problem *p,
                                         const picus_evaluation *directions) {
  double *sum = s->u_next, most = 0;
  picus_clear(s->system->nu, sum);
  for (int k = 0, at = 0; k < p->active_count; k++) {
    const system_law *law = &s->set->laws[p->active[k]];
    const double *W = picus_law_row(law, directions->W, 0);
    for (int row = 0; row < law->data.dim; row++, at++)
      for (int b = 0; b < law->part_count; b++) {
        const system_part *part = &s->system->parts[law->parts[b]];
        for (int i = 0; i < part->nu; i++) sum[part->u0 + i] += fabs(W[i] * p->P[at]);
        W += part->nu;
      }
  }
  for (int i = 0; i < s->system->nu; i++) most = picus_larger(most, r->weight[i] * sum[i]);
  return most;
}

picus_status picus_newton_residual_fail(const stepper *s, const step_problem *p, const newton_residual *residual,
                                        double dt) {
  const char *contact = p->active_count ? s->set->laws[p->active[0]].data.name : NULL;
  double largest = -1;
  int at = 0;
  for (int k = 0; k < p->active_count; k++) { /* also names the law with the largest percussion */
    const picus_system_law *law = &s->set->laws[p->active[k]].data;
    for (int r = 0; r < law->dim; r++, at++)
      if (fabs(p->P[at]) > largest) {
        largest = fabs(p->P[at]);
        contact = law->name;
      }
  }
  return picus_fail(s->context, PICUS_NOT_CONVERGED,
                    "the Newton iteration in the step from t = %.9g with dt = %.3g did not converge in %d iterations: "
                    "the residual of %s '%s' is %.3g, tolerance %.3g; %d active laws%s%s%s",
                    s->t, dt, s->options.newton_max, residual->kind, residual->name, residual->value, residual->bound,
                    p->active_count, contact ? ", largest percussion at '" : "", contact ? contact : "",
                    contact ? "'" : "");
}

/* --- the first iterate -------------------------------------------------------------------------------------------- */

/* Changes of velocity, continued from step to step. */

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

/* --- factors of rates --------------------------------------------------------------------------------------------- */

/* Factors of the rates of a part: their matrix is compared with the last one, because comparing takes less than
 * factoring. */

picus_status picus_rate_factors_create(stepper *s, int p, rate_factors *out) {
  const system_part *part = &s->system->parts[p];
  *out = (rate_factors){.first = part->linear_rates ? part->straight : 0};
  out->size = part->nq - out->first;
  const size_t size = (size_t)out->size;
  const picus_status status = PICUS_FIXED(&s->arrays, sizeof(double), size * size, &out->matrix, &out->factor);
  return status ? status : PICUS_FIXED(&s->arrays, sizeof(int), size, &out->pivots);
}

picus_status picus_rate_factors_renew(stepper *s, int p, double share, double *drate_dq, rate_factors *x) {
  const size_t nq = (size_t)s->system->parts[p].nq, first = (size_t)x->first, size = (size_t)x->size;
  double *matrix = drate_dq; /* becomes the matrix in place */
  for (size_t i = 0, at = 0; i < size; i++)
    for (size_t j = 0; j < size; j++, at++)
      matrix[at] = (i == j ? 1 : 0) - share * matrix[(first + i) * nq + first + j];
  const size_t bytes = size * size * sizeof(double);
  if (x->is_factored && memcmp((const void *)matrix, (const void *)x->matrix, bytes) == 0) return PICUS_OK;
  memcpy(x->matrix, matrix, bytes);
  memcpy(x->factor, matrix, bytes);
  x->is_factored = picus_lu_factor(x->size, x->factor, x->pivots);
  if (x->is_factored) return PICUS_OK;
  return picus_fail(s->context, PICUS_NOT_CONVERGED,
                    "the iteration for the positions of the step from t = %.9g did not converge: the step is too "
                    "large for the rates q'",
                    s->t);
}

void picus_rate_factors_solve(const rate_factors *x, double *b) {
  picus_lu_solve(x->size, x->factor, x->pivots, b + x->first);
}
