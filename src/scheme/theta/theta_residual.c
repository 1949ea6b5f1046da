/* Is the step solved? The Newton loop stops on the true residual of the step: the momentum balance, the laws at the end
 * of the step, and the gaps if positions are projected.
 *
 * Balances and relative velocities, in sqrt(J), must be small relative to the terms of the balance, M (w - w_begin), dt
 * h and W P, which shrink with dt: a shorter step is solved with the same relative accuracy. The effect of round-off is
 * allowed in addition.
 *
 * Percussions may cancel in W P, as at a light body that carries a heavy one: the positions of the light body move with
 * the round-off of velocities, and W P with them. If the iteration stalls, the terms of W P count one by one. */
#include "scheme/theta/theta_step.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define STALLED 0.5 /* of the residual before: the iteration does not settle */

/* fmax without its NaN handling: a NaN shows in the residual itself. */
static double largest_of(int n, const double *x) {
  double largest = 0;
  for (int i = 0; i < n; i++) largest = picus_larger(largest, fabs(x[i]));
  return largest;
}

/* The bound of the balance: tolerance times its largest term, plus the round-off of w, q and u. */
static double allowed(stepper *s, const double *impulse) {
  theta_step *t = theta_of(s);
  double rounding = 0, scale = 0;
  picus_newton_residual_weigh(s, &t->residual);
  for (int p = 0; p < s->system->part_count; p++) {
    const system_part *part = &s->system->parts[p];
    double q = 0, u = 0; /* on which its forces depend */
    for (int k = 0; k < part->coupled_count; k++) {
      const system_part *other = &s->system->parts[part->coupled[k]];
      q = picus_larger(q, largest_of(other->nq, t->q + other->q0));
      u = picus_larger(u, largest_of(other->nu, t->u_theta + other->u0));
    }
    for (int i = part->u0; i < part->u0 + part->nu; i++) {
      double terms = fabs(t->momentum[i]) + t->shape.force_dt * fabs(t->h[i]) + fabs(impulse[i]);
      scale = picus_larger(scale, t->residual.weight[i] * terms);
      double forces = t->residual.weight[i] * t->shape.force_dt * (t->stiffness[i] * q + t->damping[i] * u);
      double velocity = t->residual.root_mass[i] * picus_larger(fabs(t->w[i]), fabs(t->shape.w_begin[i]));
      rounding = picus_larger(rounding, picus_larger(forces, velocity));
    }
  }
  for (int k = 0; k < s->system->coupling_count; k++) {
    const system_coupling *c = &s->system->couplings[k];
    double forces = 0;
    for (int j = 0; j < c->nq; j++) forces += fabs(t->coupling_q[c->by_q + (size_t)j] * t->q[c->q0 + j]);
    for (int j = 0; j < c->nu; j++) forces += fabs(t->coupling_u[c->by_u + (size_t)j] * t->u_theta[c->u0 + j]);
    rounding = picus_larger(rounding, t->residual.weight[c->row] * t->shape.force_dt * forces);
  }
  return t->residual.tolerance.balance * scale + 8 * DBL_EPSILON * rounding;
}

/* The largest sum of |W_i P|, which does not cancel, as the terms of the balance. */
static double terms_of_percussions(stepper *s) {
  const theta_step *t = theta_of(s);
  const step_problem *p = &s->problem;
  double *sum = s->u_next, most = 0;
  picus_clear(s->system->nu, sum);
  for (int k = 0, at = 0; k < p->active_count; k++) {
    const system_law *law = &s->set->laws[p->active[k]];
    const double *W = picus_law_row(law, t->end->W, 0);
    for (int r = 0; r < law->data.dim; r++, at++)
      for (int b = 0; b < law->part_count; b++) {
        const system_part *part = &s->system->parts[law->parts[b]];
        for (int i = 0; i < part->nu; i++) sum[part->u0 + i] += fabs(W[i] * p->P[at]);
        W += part->nu;
      }
  }
  for (int i = 0; i < s->system->nu; i++) most = picus_larger(most, t->residual.weight[i] * sum[i]);
  return most;
}

/* Positions count by their effect on the balance: S dq. */
static void measure_rates(stepper *s) {
  theta_step *t = theta_of(s);
  if (s->system->constants.identity_rates) return;
  double *slope = s->u_next;
  memset(slope, 0, (size_t)s->system->nu * sizeof *slope);
  picus_theta_add_slope(s, t->rate_change, slope);
  for (int i = 0; i < s->system->nu; i++)
    picus_newton_residual_note(&t->residual, t->residual.weight[i] * fabs(slope[i]), "the positions that act on",
                               s->system->u_names[i].name);
  double q = largest_of(s->system->nq, t->q), travel = 0; /* and by the travel of the step */
  for (int i = 0; i < s->system->nq; i++) travel = fmax(travel, fabs(t->q[i] - s->q[i]));
  double may = t->residual.tolerance.balance * travel + 8 * DBL_EPSILON * q;
  for (int i = 0; i < s->system->nq; i++)
    if (!(fabs(t->rate_change[i]) <= may)) {
      double share = may > 0 ? fabs(t->rate_change[i]) / may : INFINITY;
      picus_newton_residual_note(&t->residual, share * t->residual.bound, "the position", s->system->q_names[i].name);
    }
}

/* True if the iterate solves the step. Leaves residual, bound and the place of the worst for a message. */
bool picus_theta_is_settled(stepper *s, const theta_rules *rules, const contact_request *request, double before) {
  theta_step *t = theta_of(s);
  double *impulse = s->h;
  picus_clear(s->system->nu, impulse);
  picus_step_problem_add_impulse(&s->problem, t->end, impulse);
  picus_newton_residual_clear(&t->residual, allowed(s, impulse));
  double worst = -1;
  int at = 0;
  for (int i = 0; i < s->system->nu; i++) {
    double lacks = t->residual.weight[i] * fabs(t->balance[i] - impulse[i]);
    if (lacks <= worst || isnan(worst)) continue;
    worst = lacks;
    at = i;
  }
  measure_rates(s);
  /* with constant W and laws at velocity level the contact problem is exact: its solution fulfils them */
  if (!s->system->constants.directions || rules->look != picus_theta_look) {
    int law = 0;
    double change = picus_step_problem_change(&s->problem, request, t->w, &law);
    if (s->set->law_count) picus_newton_residual_note(&t->residual, change, "the law", s->set->laws[law].data.name);
  }
  bool settled = t->residual.value <= t->residual.bound; /* but for the balance */
  if (settled && worst > t->residual.bound && worst > STALLED * before)
    t->residual.bound += t->residual.tolerance.balance * terms_of_percussions(s);
  picus_newton_residual_note(&t->residual, worst, "the balance of", s->system->u_names[at].name);
  settled = t->residual.value <= t->residual.bound;
  if (rules->projection == PROJECT_NOTHING || !picus_theta_laws_matter(s, rules)) return settled;
  return !picus_projection_needed(s, rules->projection) && settled;
}
