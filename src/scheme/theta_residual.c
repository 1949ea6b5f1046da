/* Is the step solved? The Newton loop stops on what the step really lacks: the balance of momentum, the laws at the end
 * of the step, and the gaps where positions are projected.
 *
 * Balances of velocities with different units are compared as r_i / sqrt(M_ii), in sqrt(J), and so are errors of law
 * velocities as xi_r / sqrt(G_rr). Both must be small against the terms of the balance themselves, M (w - w_begin),
 * dt h and W P, which shrink with dt: a shorter step is solved as accurately, relative to what happens in it. What
 * rounding alone can cause is allowed on top. */
#include "scheme/theta_step.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void note_worst(theta_step *t, double residual, const char *kind, const char *name) {
  if (residual <= t->residual || isnan(t->residual)) return; /* what is no number is the worst */
  t->residual = residual;
  t->worst_kind = kind;
  t->worst = name;
}

/* fmax without its care for what is no number: that shows in the residual itself. */
static double larger(double a, double b) { return a > b ? a : b; }

static double largest_of(int n, const double *x) {
  double largest = 0;
  for (int i = 0; i < n; i++) largest = larger(largest, fabs(x[i]));
  return largest;
}

/* Weights of balances, sqrt(M_ii) and its inverse. */
static void weigh(stepper *s) {
  theta_step *t = s->implicit;
  if (t->weighed && s->system->constants.mass) return;
  t->weighed = true;
  for (int p = 0; p < s->system->part_count; p++) {
    const system_part *part = &s->system->parts[p];
    for (int i = 0; i < part->nu; i++) {
      double root = sqrt(picus_part_matrix_diagonal(&s->evaluation->mass.blocks[p], i));
      t->root_mass[part->u0 + i] = root;
      t->weight[part->u0 + i] = 1 / root;
    }
  }
}

/* What the balance may lack: tolerance times its largest term, and the rounding of w, q and u. */
static double allowed(stepper *s, const double *impulse) {
  theta_step *t = s->implicit;
  double rounding = 0, scale = 0;
  weigh(s);
  for (int p = 0; p < s->system->part_count; p++) {
    const system_part *part = &s->system->parts[p];
    double q = largest_of(part->nq, t->q + part->q0), u = largest_of(part->nu, t->u_theta + part->u0);
    for (int i = part->u0; i < part->u0 + part->nu; i++) {
      double terms = fabs(t->momentum[i]) + t->force_dt * fabs(t->h[i]) + fabs(impulse[i]);
      scale = larger(scale, t->weight[i] * terms);
      double forces = t->weight[i] * t->force_dt * (t->stiffness[i] * q + t->damping[i] * u);
      double velocity = t->root_mass[i] * larger(fabs(t->w[i]), fabs(t->w_begin[i]));
      rounding = larger(rounding, larger(forces, velocity));
    }
  }
  return s->options.newton_tolerance * scale + 8 * DBL_EPSILON * rounding;
}

/* Positions count by what they change in the balance: S dq. */
static void measure_rates(stepper *s) {
  theta_step *t = s->implicit;
  if (s->system->constants.identity_rates) return;
  double *slope = s->u_next;
  memset(slope, 0, (size_t)s->system->nu * sizeof *slope);
  picus_theta_add_slope(s, t->rate_change, slope);
  for (int i = 0; i < s->system->nu; i++)
    note_worst(t, t->weight[i] * fabs(slope[i]), "the positions that act on", s->system->u_names[i].name);
  double q = largest_of(s->system->nq, t->q), travel = 0; /* and by the travel of the step */
  for (int i = 0; i < s->system->nq; i++) travel = fmax(travel, fabs(t->q[i] - s->q[i]));
  double may = s->options.newton_tolerance * travel + 8 * DBL_EPSILON * q;
  for (int i = 0; i < s->system->nq; i++)
    if (!(fabs(t->rate_change[i]) <= may)) {
      double share = may > 0 ? fabs(t->rate_change[i]) / may : INFINITY;
      note_worst(t, share * t->bound, "the position", s->system->q_names[i].name);
    }
}

/* Whether gaps and W decide anything in the loop. */
bool picus_theta_laws_matter(const stepper *s, const theta_rules *rules) {
  return rules->activate || rules->projection == PROJECT_ALL || s->problem.active_count > 0;
}

/* True if the iterate solves the step. Leaves residual, bound and the place of the worst for a message. */
bool picus_theta_is_settled(stepper *s, const theta_rules *rules, const contact_request *request) {
  theta_step *t = s->implicit;
  double *impulse = s->h;
  memset(impulse, 0, (size_t)s->system->nu * sizeof *impulse);
  picus_step_problem_add_impulse(s, t->end, impulse);
  t->residual = 0;
  t->worst = t->worst_kind = "";
  t->bound = allowed(s, impulse);
  double worst = -1;
  int at = 0;
  for (int i = 0; i < s->system->nu; i++) {
    double lacks = t->weight[i] * fabs(t->balance[i] - impulse[i]);
    if (lacks <= worst || isnan(worst)) continue;
    worst = lacks;
    at = i;
  }
  note_worst(t, worst, "the balance of", s->system->u_names[at].name);
  measure_rates(s);
  if (!s->system->constants.directions || rules->look != picus_theta_look) {
    int law = 0;
    double change = picus_step_problem_change(s, request, t->w, &law);
    if (s->system->law_count) note_worst(t, change, "the law", s->system->laws[law].data.name);
  }
  bool settled = t->residual <= t->bound;
  if (rules->projection == PROJECT_NOTHING || !picus_theta_laws_matter(s, rules)) return settled;
  return !picus_projection_needed(s, rules->projection) && settled;
}

picus_status picus_theta_not_converged(stepper *s) {
  theta_step *t = s->implicit;
  const step_problem *p = &s->problem;
  const char *contact = p->active_count ? s->system->laws[p->active[0]].data.name : NULL;
  double largest = -1;
  int at = 0;
  for (int k = 0; k < p->active_count; k++) { /* the law with the largest percussion is named, too */
    const picus_system_law *law = &s->system->laws[p->active[k]].data;
    for (int r = 0; r < law->dim; r++, at++)
      if (fabs(p->P[at]) > largest) {
        largest = fabs(p->P[at]);
        contact = law->name;
      }
  }
  return picus_fail(
      s->context, PICUS_NOT_CONVERGED,
      "Newton's iteration in the step from t = %.9g with dt = %.3g did not converge in %d iterations: the "
      "residual of %s '%s' is %.3g and should be %.3g; %d active laws%s%s%s",
      s->t, t->dt, s->options.newton_max, t->worst_kind, t->worst, t->residual, t->bound, p->active_count,
      contact ? ", the largest percussion at '" : "", contact ? contact : "", contact ? "'" : "");
}
