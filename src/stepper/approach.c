/* Closed laws that are approached: their relative velocity at the start of a step points into them. Such a law has an
 * impact before anything else.
 *
 * The velocity comes from outside: the initial state, a state or an input that a program sets, a surface whose velocity
 * jumps, a contact that appears closed. It is none if it is no larger than what earlier steps may have left: residuals
 * of the solver relative to the terms of the velocity, in an adaptive run the tolerance of velocities in a law that
 * stays closed, and what the steps of the scheme leave beside them. */
#include "stepper/impacts.h"

#include "base/internal.h"

#include <math.h>

#define RESIDUALS 10  /* of the solver: a step may leave a few of them */
#define ACCEPTED 1e-8 /* the residual up to which steps are accepted where contacts come and go */
#define TOLERANCES 10 /* of an adaptive run: steps in a row that leave errors of one sign */

double picus_approach_residual(const stepper *s) {
  const double tolerance = picus_solver_tolerance(s->contacts.solver, s->set->law_count);
  return RESIDUALS * picus_larger(tolerance, s->system->appears ? ACCEPTED : 0);
}

double picus_approach_terms(const stepper *s, const approach_rule *rule, int i, int k) {
  const system_law *law = &s->set->laws[i];
  const double *row = picus_law_row(law, rule->at->W, k);
  return picus_law_row_terms(s->system, law, row, s->u) + fabs(rule->at->chi[law->data.first_row + k]) +
         picus_law_row_change(s->system, law, row, s->u, rule->u_forced);
}

/* By the solver and by the tolerance. */
static double noise_of(const stepper *s, const approach_rule *rule, int i, int k) {
  const contact_state *c = &s->contacts;
  const double terms = picus_approach_terms(s, rule, i, k), noise = picus_approach_residual(s) * terms;
  const bool stays_closed = c->modes[i] != PICUS_OPEN || !picus_law_can_open(&s->set->laws[i].data);
  if (!(c->velocity_accuracy.atol > 0) || !stays_closed) return noise;
  return noise + TOLERANCES * (c->velocity_accuracy.atol + c->velocity_accuracy.rtol * terms);
}

bool picus_law_is_approached(stepper *s, const approach_rule *rule, int i) {
  const system_law *law = &s->set->laws[i];
  const bool one_way = picus_law_can_open(&law->data) || picus_law_is_clutch(&law->data);
  if (!one_way && law->data.kind != PICUS_BILATERAL) return false; /* friction elements have bounded forces */
  for (int k = 0; k < (one_way ? 1 : law->data.dim); k++) {
    const double gamma = picus_law_velocity(rule->at, law, k, s->u), into = one_way ? -gamma : fabs(gamma);
    if (into <= 0) continue;
    const double noise = noise_of(s, rule, i, k);
    if (into > noise && into > noise + rule->left(s, i, k)) return true;
  }
  return false;
}
