/* Contacts that are closed at the start of a step of rattle and are approached (closed_at_start.c). The step is then an
 * impact, and Newton's law holds for all contacts that are closed at its start:
 *
 *   gamma(t_1, q_1, u_1) + e gamma(t_0, q_0, u_0)   against   P.
 *
 * The first stage has no restitution. Percussions of other contacts may open a contact in it, and the second stage
 * would leave this contact out. With the larger percussions of restitution the contact may then violate its law. In a
 * step in which this happens, all contacts that are closed at the start take part in the second stage. */
#include "scheme/rattle/rattle.h"
#include "stepper/impacts.h"

#include "base/internal.h"
#include "solver/internal.h"

#include <float.h>
#include <math.h>

#define GAP_ROUNDINGS 8 /* of the terms of a gap */
#define AT_ONCE 1e-6    /* of a step: a gap that closes in this time is the residual of the last step */

/* Whether a contact that the second stage leaves out violates its law with u_end. It left its surface in the first
 * stage; contacts that are about to close did not, and need no look at their gaps. */
static bool is_violated(const stepper *s, int i, const double *u_end) {
  const rattle_step *r = rattle_of(s);
  const system_law *law = &s->set->laws[i];
  const int row = law->data.first_row;
  if (!picus_law_can_open(&law->data) || r->forecast[i] < 0) return false;
  const double *W = picus_law_row(law, r->end->W, 0);
  const double xi = picus_law_row_dot(s->system, law, W, u_end) + r->offset[row];
  if (xi >= 0 || picus_law_velocity(s->evaluation, law, 0, r->u) <= 0) return false;
  const double terms = picus_law_row_terms(s->system, law, W, u_end) + fabs(r->offset[row]);
  return xi < -picus_approach_residual(s) * terms;
}

static bool is_closed_at_start(const stepper *s, int i) {
  const rattle_step *r = rattle_of(s);
  const system_law *law = &s->set->laws[i];
  const int row = law->data.first_row;
  const double gap = r->gap_begin[i], gamma = r->gamma_begin[row];
  const double *W = picus_law_row(law, s->evaluation->W, 0);
  const double terms = picus_law_gap_terms(s, law, W, s->q) + fabs(s->evaluation->chi[row] * r->t_begin);
  const double rounding = GAP_ROUNDINGS * DBL_EPSILON * terms + r->gap_noise[i];
  return gap <= rounding || gap <= picus_step_largest_closed_gap(&s->contacts, i) || gap <= -AT_ONCE * r->dt * gamma;
}

/* Steps leave an approach that forces and the turning of the contact's directions explain in contacts that chatter. */
static double explained(stepper *s, int i, int k) {
  const rattle_step *r = rattle_of(s);
  const system_law *law = &s->set->laws[i];
  const double *W = picus_law_row(law, s->evaluation->W, k);
  const double by_forces = picus_law_row_change(s->system, law, W, s->u, r->u_unloaded);
  const double by_motion = picus_law_velocity(r->end, law, k, s->u) - r->gamma_begin[law->data.first_row + k];
  return PICUS_EXPLAINED * (by_forces + 2 * fabs(by_motion));
}

picus_status picus_rattle_join_closed(stepper *s, const double *u_end, bool *join) {
  rattle_step *r = rattle_of(s);
  const approach_rule rule = {s->evaluation, r->u_unloaded, explained};
  bool violated = false, strikes = false;
  *join = false;
  if (!picus_step_may_strike(s)) return PICUS_OK;
  for (int i = 0; i < s->set->law_count && !violated; i++) violated = is_violated(s, i, u_end);
  if (!violated) return PICUS_OK;
  picus_status status = picus_evaluate_gaps(s->evaluation, r->gap_begin);
  if (status) return status;
  picus_stepper_find_largest(s, s->q);
  s->judged.find_free(s);
  violated = false;
  for (int i = 0; i < s->set->law_count; i++) {
    if (!picus_law_can_open(&s->set->laws[i].data) || !is_closed_at_start(s, i)) continue;
    violated = violated || is_violated(s, i, u_end);
    strikes = strikes || picus_law_is_approached(s, &rule, i);
  }
  *join = violated && strikes;
  for (int i = 0; i < s->set->law_count && *join; i++)
    if (picus_law_can_open(&s->set->laws[i].data) && is_closed_at_start(s, i)) r->forecast[i] = -1;
  return PICUS_OK;
}
