/* Contacts that are closed at the start of a step in which an impact happens, for the schemes of Moreau's type.
 *
 * An impact concerns all contacts that are closed when it happens. These schemes choose contacts by a look ahead, which
 * leaves out a contact that is closed at the start of the step and parts. The percussions of an impact may push such a
 * contact back into its surface, so that the step would end against Newton's law,
 *
 *   gamma_E + e gamma_B >= 0 .
 *
 * Then it takes part. If the law holds, the problem with this contact has the same solution, and nothing is to be done.
 * In a step without an impact a contact that parts is open, as the schemes define it. */
#include "base/internal.h"
#include "solver/internal.h"
#include "stepper/impacts.h"

#include <float.h>
#include <math.h>

#define RESIDUALS 10    /* a violation of so many residuals, relative to the terms of a velocity, is none */
#define GAP_ROUNDINGS 8 /* of the terms of a gap, in one step */

/* Whether percussions push a contact outside of the problem against its law at the end of the step, up to the
 * restitution of its velocity at the start. */
static bool is_against_law(const stepper *s, int i, const double *u_end, double restituted) {
  const system_law *law = &s->set->laws[i];
  const picus_evaluation *e = s->judged.directions;
  const double gamma = picus_law_velocity(e, law, 0, u_end), xi = gamma + restituted;
  if (xi >= 0 || gamma >= picus_law_velocity(e, law, 0, s->judged.u_free)) return false;
  const double terms = picus_law_row_terms(s->system, law, picus_law_row(law, e->W, 0), u_end) +
                       fabs(e->chi[law->data.first_row]) + fabs(restituted);
  return xi < -RESIDUALS * picus_solver_tolerance(s->contacts.solver, s->set->law_count) * terms;
}

/* Whether law i is a contact that the problem leaves out; *k: place in the problem, for laws in their order. */
static bool is_outside(const stepper *s, int i, int *k) {
  const step_problem *p = &s->problem;
  while (*k < p->active_count && p->active[*k] < i) ++*k;
  const bool inside = *k < p->active_count && p->active[*k] == i;
  return !inside && picus_law_can_open(&s->set->laws[i].data);
}

/* The gap up to which a contact is closed, with the directions of an evaluation. A persistent contact on which no force
 * acts leaves its surface by the round-off of many steps. */
static double closed_gap(const stepper *s, const picus_evaluation *e, int i) {
  const system_law *law = &s->set->laws[i];
  const double terms =
      picus_law_gap_terms(s, law, picus_law_row(law, e->W, 0), s->q) + fabs(e->chi[law->data.first_row] * s->t);
  return picus_larger(PICUS_DRIFT_ROUNDINGS * GAP_ROUNDINGS * DBL_EPSILON * terms,
                      picus_step_largest_closed_gap(&s->contacts, i));
}

/* Whether a contact that ends the step against its law may have been closed at the start: by a gap at the start or in
 * the middle, and twice the way that it parts. All others, of bodies that fall, need no look at the start. */
static bool any_may_be_closed(const stepper *s, const closed_look *look) {
  for (int i = 0, k = 0; i < s->set->law_count; i++) {
    if (!is_outside(s, i, &k) || !is_against_law(s, i, look->u_end, 0)) continue;
    const double parts = picus_law_velocity(s->judged.directions, &s->set->laws[i], 0, s->u);
    const double gap = look->gap[i] - (parts > 0 ? 2 * look->dt * parts : 0);
    const bool is_left = isinf(gap); /* by an adaptive run, because it touches and parts */
    if (is_left || gap <= closed_gap(s, s->judged.directions, i) || picus_step_closes_alike(&s->contacts, i, gap))
      return true;
  }
  return false;
}

static bool any_jumps(stepper *s) {
  const step_problem *p = &s->problem;
  impact_count count = {0};
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim)
    if (p->P[at] != 0 && p->laws[k].kind != PICUS_RESERVOIR && picus_law_jumps(s, k, at, &count)) return true;
  return false;
}

/* Contacts that are closed and against their law join those ahead. late: a step that begins where a surface jumps looks
 * so much later, where its contacts may have parted already. */
static bool close_some(stepper *s, const closed_look *look, const double *gamma_begin, double late) {
  bool some = false;
  for (int i = 0, k = 0; i < s->set->law_count; i++) {
    const double gamma = gamma_begin[s->set->laws[i].data.first_row], gap = s->gap_begin[i] - late * gamma;
    if (!is_outside(s, i, &k)) continue;
    if (gap > closed_gap(s, s->evaluation, i) && !picus_step_closes_alike(&s->contacts, i, gap)) continue;
    const double e = picus_step_restitution(&s->contacts, i, 0, look->dt, gamma);
    if (!is_against_law(s, i, look->u_end, e * gamma)) continue;
    look->ahead[i] = 0;
    some = true;
  }
  return some;
}

picus_status picus_step_join_laws(stepper *s, const closed_look *look, const gap_step *gaps, picus_step_info *info,
                                  bool *joined) {
  if (gaps) return picus_gap_term_add_missed(s, gaps, look->u_end, info, joined);
  *joined = false;
  if (!picus_step_may_strike(s)) return PICUS_OK;
  picus_stepper_find_largest(s, s->q);
  if (!any_may_be_closed(s, look)) return PICUS_OK;
  picus_evaluation *e = s->evaluation;
  picus_status status = PICUS_OK;
  if (any_jumps(s)) {
    double t_begin, t_end, *gamma = s->problem.xi; /* free after the solve */
    picus_step_times(s, look->dt, &t_begin, &t_end);
    picus_evaluation_set_point(e, t_begin, s->q, s->u);
    status = picus_evaluate_gaps(e, s->gap_begin);
    if (!status) status = picus_evaluate_velocities(e, gamma);
    *joined = !status && close_some(s, look, gamma, t_begin - s->t);
  }
  if (*joined) picus_step_problem_activate(&s->problem, look->ahead, info);
  if (status || !look->middle) return status;
  picus_evaluation_set_point(e, look->middle->t, look->middle->q, look->middle->u);
  return picus_evaluation_update_directions(e);
}

picus_status picus_step_join_solved(void *user, picus_step_info *info, bool *joined) {
  stepper *s = user;
  *joined = false;
  if (!s->joining.gaps && !picus_step_may_strike(s)) return PICUS_OK;
  const closed_look look = {s->problem.dt, s->u_next, s->gap, s->joining.ahead, s->joining.middle};
  return picus_step_join_laws(s, &look, s->joining.gaps, info, joined);
}

/* Closed laws that are approached: their relative velocity at the start of a step points into them. Such a law has an
 * impact before anything else.
 *
 * The velocity comes from outside: the initial state, a state or an input that a program sets, a surface whose velocity
 * jumps, a contact that appears closed. It is none if it is no larger than what earlier steps may have left: residuals
 * of the solver relative to the terms of the velocity, in an adaptive run the tolerance of velocities in a law that
 * stays closed, and what the steps of the scheme leave beside them. */

#define RESIDUALS 10  /* a velocity that is left may be so many times the residual of the solver */
#define ACCEPTED 1e-8 /* the residual up to which steps are accepted where contacts come and go */
#define TOLERANCES 10 /* so many steps of an adaptive run may leave errors of the same sign, one after the other */

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

/* The approach velocity of a row that residuals of the solver, and the tolerance of an adaptive run, may have left. */
static double noise_of(const stepper *s, const approach_rule *rule, int i, int k) {
  const contact_state *state = &s->contacts;
  const double terms = picus_approach_terms(s, rule, i, k), noise = picus_approach_residual(s) * terms;
  const bool stays_closed = state->modes[i] != PICUS_OPEN || !picus_law_can_open(&s->set->laws[i].data);
  if (!(state->velocity_accuracy.atol > 0) || !stays_closed) return noise;
  return noise + TOLERANCES * (state->velocity_accuracy.atol + state->velocity_accuracy.rtol * terms);
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
