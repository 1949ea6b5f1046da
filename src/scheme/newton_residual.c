/* The residual of a Newton iteration: weights, and the message for one that does not converge. */
#include "scheme/newton_residual.h"

#include "base/internal.h"

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
