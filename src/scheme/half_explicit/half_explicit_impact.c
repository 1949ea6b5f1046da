/* A step of a half-explicit scheme: with an impact, in parts if the options say so; and with the impact at its start.
 */
#include "base/elementary.h"
#include "base/internal.h"
#include "scheme/half_explicit/half_explicit.h"
#include "solver/internal.h"
#include "stepper/impacts.h"

#include <math.h>
#include <string.h>

/* A step with an impact in shorter ones (section 6.2). Percussions and impulses are sums over the parts, forces are
 * means, or those at the ends of the step. */
static picus_status step_in_parts(stepper *s, double dt, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  const int parts = s->half_explicit.impact_substeps, rows = s->set->row_count;
  const double t = s->t;
  picus_status status = PICUS_OK;
  picus_snapshot_save(s, &r->start);
  picus_clear(4 * rows, r->sums);
  for (int k = 0; k < parts && !status; k++) {
    bool impact = false;
    status = r->attempt(s, dt / parts, &impact, info);
    if (status) break;
    picus_system_normalise(s->system, s->q);
    if (k == 0) memcpy(r->sums + 4 * (size_t)rows, s->law_memory, (size_t)rows * sizeof *r->sums);
    for (int i = 0; i < 3 * rows; i++) r->sums[i] += s->law_memory[i];
    for (int i = 0; i < rows; i++) r->sums[3 * rows + i] += s->contacts.P[i];
    s->t = t + (k + 1) * (dt / parts);
  }
  s->t = t; /* the caller adds dt */
  if (status) {
    picus_snapshot_restore(&r->start, s);
    return status;
  }
  for (int i = 0; i < rows; i++) {
    s->law_memory[i] = r->forces_at_ends ? r->sums[4 * rows + i] : r->sums[i] / parts;
    if (!r->forces_at_ends) s->law_memory[rows + i] = r->sums[rows + i] / parts;
    s->law_memory[2 * rows + i] = r->sums[2 * rows + i];
    s->contacts.P[i] = r->sums[3 * rows + i];
  }
  picus_step_problem_disown(&s->problem);
  return PICUS_OK;
}

picus_status picus_half_explicit_step(stepper *s, double dt, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  bool impact = r->can_divide;
  picus_status status = r->attempt(s, dt, &impact, info);
  if (!status && impact && r->can_divide) status = step_in_parts(s, dt, info);
  if (status)
    picus_half_explicit_start_undo(s);
  else if (r->start_impact.acts)
    picus_half_explicit_start_accept(s, info);
  return status;
}

/* The laws that an impact in the step concerns. */

static bool strikes(const stepper *s, const half_explicit_step *r, int i) {
  return r->closed_end[i] && !r->closed_begin[i] && picus_law_can_open(&s->set->laws[i].data);
}

picus_status picus_half_explicit_find_impulsive(stepper *s, bool *any) {
  half_explicit_step *r = half_explicit_of(s);
  const law_set *set = s->set;
  velocity_components *c = &r->components;
  *any = false;
  for (int i = 0; i < set->law_count && !*any; i++) *any = strikes(s, r, i);
  if (!*any) return PICUS_OK;
  picus_status status = picus_evaluation_update_directions(r->end);
  if (status) return status;
  picus_components_clear(c);
  picus_components_join_matrix(c, &r->begin->mass);
  picus_components_join_matrix(c, &r->end->mass);
  for (int i = 0; i < set->law_count; i++) {
    if (r->acting[i]) picus_components_join_law(c, &set->laws[i], r->begin->W);
    if (r->acting[i] || r->closed_end[i]) picus_components_join_law(c, &set->laws[i], r->end->W);
  }
  for (int i = 0; i < set->law_count; i++)
    if (strikes(s, r, i)) picus_components_mark(c, &set->laws[i], r->end->W);
  for (int i = 0; i < set->law_count; i++)
    r->impulsive[i] = picus_components_is_marked(c, &set->laws[i], r->end->W) ||
                      (r->acting[i] && picus_components_is_marked(c, &set->laws[i], r->begin->W));
  return PICUS_OK;
}

/* The impact at the start of a step, of closed laws that are approached (closed_at_start.c):
 *
 *   M_0 (u_0 - u_-) = W_0 Lambda,     gamma(q_0, u_0) + e gamma(q_0, u_-)   against   Lambda of all closed laws.
 *
 * Forces must not remove the approach: they have no restitution, and the stages of a method apply them with weights
 * that are meant for bounded forces. What the step leaves at the laws includes this impulse. It is added after the
 * step, which may fail. */

picus_status picus_half_explicit_start_create(stepper *s) {
  start_impact *x = &half_explicit_of(s)->start_impact;
  picus_status status = PICUS_FIXED(&s->arrays, sizeof *x->u, (size_t)s->system->nu, &x->u);
  if (!status)
    status =
        PICUS_SCRATCH(&s->arrays, sizeof(double), picus_by_row, &x->impulse, &x->energies.lost, &x->energies.driven);
  if (!status) status = PICUS_SCRATCH(&s->arrays, sizeof *x->modes, picus_by_law, &x->modes);
  if (!status) status = PICUS_SCRATCH(&s->arrays, sizeof *x->jumps, picus_by_law, &x->jumps);
  if (!status) status = PICUS_SCRATCH(&s->arrays, sizeof *x->kinds, picus_by_law, &x->kinds);
  return status ? status : PICUS_SCRATCH(&s->arrays, sizeof *x->counted, picus_by_law, &x->counted);
}

/* --- which laws are approached ------------------------------------------------------------------------------------ */

/* The change of velocities by the percussions of the last step, of one law or of all (-1), into s->u_next. */
static void find_last_change(stepper *s, int only) {
  half_explicit_step *r = half_explicit_of(s);
  picus_clear(s->system->nu, s->u_next);
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    for (int j = 0, row = law->data.first_row; j < law->data.dim && (only < 0 || only == i); j++, row++)
      picus_law_row_add(s->system, law, picus_law_row(law, r->begin->W, j), s->contacts.P[row], s->u_next);
  }
  picus_evaluation_solve_mass(r->begin, s->u_next);
}

static double left_in(stepper *s, int i, int k);

static approach_rule rule_of(stepper *s) {
  const half_explicit_step *r = half_explicit_of(s);
  return (approach_rule){r->begin, r->u_forced, left_in};
}

/* The largest terms of the velocities of closed laws: round-off reaches one law from all others, and the solver judges
 * them together. */
static double fastest(stepper *s) {
  const half_explicit_step *r = half_explicit_of(s);
  const approach_rule rule = rule_of(s);
  double most = 0;
  for (int i = 0; i < s->set->law_count; i++)
    for (int k = 0; k < s->set->laws[i].data.dim && r->closed_begin[i]; k++)
      most = picus_larger(most, picus_approach_terms(s, &rule, i, k));
  return most;
}

/* Round-off that the percussions of the last step left in the velocity of a row, over the residual of the solver. */
static double left_by_last_step(stepper *s, int i, int k) {
  const system_law *law = &s->set->laws[i];
  const double *row = picus_law_row(law, half_explicit_of(s)->begin->W, k);
  find_last_change(s, -1);
  const double by_all = picus_law_row_terms(s->system, law, row, s->u_next);
  find_last_change(s, i);
  return by_all + picus_law_row_terms(s->system, law, row, s->u_next);
}

/* The velocity of a law that the accelerations of half_explicit_acc left in the last step, as far as all forces of a
 * step explain it. */
static double drift_of(stepper *s, int i) {
  const half_explicit_step *r = half_explicit_of(s);
  const system_law *law = &s->set->laws[i];
  const double *row = picus_law_row(law, r->begin->W, 0);
  const double explained = picus_law_row_change(s->system, law, row, s->u, r->u_forced) +
                           picus_law_row_terms(s->system, law, row, r->pressed) +
                           r->dt * fabs(r->law_accelerations[law->data.first_row]);
  return fmin(fabs(picus_half_explicit_memory(s, s->law_memory).left[i]), explained);
}

/* What the last step may have left in row k of a law, beside its own round-off: that of all laws and percussions. */
static double left_in(stepper *s, int i, int k) {
  const double drift = half_explicit_of(s)->velocities_drift && k == 0 ? drift_of(s, i) : 0;
  return drift + picus_approach_residual(s) * (fastest(s) + left_by_last_step(s, i, k));
}

static picus_status find_approached(stepper *s, bool *any) {
  const half_explicit_step *r = half_explicit_of(s);
  const bool *closed = r->closed_begin;
  const int count = s->set->law_count;
  int i = 0;
  while (i < count && !closed[i]) i++;
  if (i == count) return PICUS_OK;
  const approach_rule rule = rule_of(s);
  picus_status status = picus_evaluation_update_directions(r->begin);
  if (!status && r->velocities_drift && !s->system->constants.directions) /* the accelerations that they may drift by */
    status = picus_evaluate_acceleration_terms(r->begin, r->law_accelerations);
  for (; i < count && !status && !*any; i++) *any = closed[i] && picus_law_is_approached(s, &rule, i);
  return status;
}

/* --- the impulse -------------------------------------------------------------------------------------------------- */

/* The impulse of a law, what it dissipates, and whether its velocity jumps by more than the forces of a step explain.
 */
static void keep_law(stepper *s, int k, int at) {
  half_explicit_step *r = half_explicit_of(s);
  start_impact *x = &r->start_impact;
  const step_problem *p = &r->other;
  const system_law *law = &s->set->laws[p->active[k]];
  double jump = 0, forces = 0;
  for (int j = 0, row = law->data.first_row; j < law->data.dim; j++, row++) {
    const double *W = picus_law_row(law, r->begin->W, j), chi = r->begin->chi[row], P = p->P[at + j];
    const row_products gamma = picus_law_row_dots(s->system, law, W, s->u, s->u_next);
    x->impulse[row] += P;
    x->energies.lost[row] += -0.5 * P * (gamma.u + gamma.v + 2 * chi) + (p->transfer ? p->transfer[at + j] : 0);
    x->energies.driven[row] += -P * chi;
    x->passed += 0.5 * fabs(P * (gamma.u + chi));
    jump = picus_hypot(jump, gamma.v - gamma.u);
    forces = picus_larger(forces, picus_law_row_change(s->system, law, W, s->u, r->u_forced));
  }
  const int i = p->active[k];
  const bool stays = s->contacts.velocity_accuracy.atol > 0 && s->contacts.modes[i] != PICUS_OPEN;
  if (p->modes[k] != PICUS_OPEN) x->modes[i] = p->modes[k];
  if (x->jumps[i] || stays || !(p->P[at] > 0 && jump > PICUS_EXPLAINED * forces)) return;
  x->jumps[i] = true;
  x->kinds[i] = picus_impacts_judge(s, i, r->dt);
}

/* No law has an impulse yet. */
static void clear_impulses(stepper *s) {
  start_impact *x = &half_explicit_of(s)->start_impact;
  for (int i = 0; i < s->set->law_count; i++) {
    x->modes[i] = PICUS_OPEN;
    x->jumps[i] = false;
    x->kinds[i] = JUMP_NOT_COUNTED;
    x->counted[i] = s->contacts.history.impacts[i];
  }
  picus_clear(s->set->row_count, x->impulse);
  picus_clear(s->set->row_count, x->energies.lost);
  picus_clear(s->set->row_count, x->energies.driven);
  x->passed = 0;
  picus_copy(s->system->nu, s->u, x->u);
  x->acts = true;
}

/* The impact at the start of a step: percussions of all closed contacts, from the velocities of the state and without
 * forces, with what they dissipate. The state itself changes only when the step is accepted.
 *
 * By Newton's law a contact that parts before an impact may approach after it. A second impulse, without restitution,
 * then stops it: the forces of the stages would do so as well, but the work of a method's stages is not that of a jump.
 */
static picus_status strike(stepper *s, bool restores, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  for (int i = 0; i < s->set->law_count; i++)
    r->chosen[i] = r->closed_begin[i] && picus_law_strikes(&s->set->laws[i].data);
  picus_step_problem_choose(&r->other, r->chosen);
  contact_request request = picus_impact_request(s->t, r->dt, r->begin, s->u);
  request.offset = restores ? NULL : r->begin->chi;
  request.restores = restores;
  request.friction.share = 0.5;
  picus_status status = picus_step_problem_solve(&r->other, &request, s->u_next, info);
  if (status) return status;
  if (restores) clear_impulses(s);
  for (int k = 0, at = 0; k < r->other.active_count; k++) {
    keep_law(s, k, at);
    at += s->set->laws[r->other.active[k]].data.dim;
  }
  picus_copy(s->system->nu, s->u_next, s->u);
  return PICUS_OK;
}

picus_status picus_half_explicit_strike(stepper *s, picus_step_info *info, bool *struck) {
  half_explicit_step *r = half_explicit_of(s);
  start_impact *x = &r->start_impact;
  *struck = false;
  if (x->acts && (x->stopped || !r->tableau)) return PICUS_OK; /* in this step */
  const bool restores = !x->acts;
  picus_status status = find_approached(s, struck);
  if (status || !*struck) return status;
  x->stopped = !restores;
  return strike(s, restores, info);
}

void picus_half_explicit_start_undo(stepper *s) {
  start_impact *x = &half_explicit_of(s)->start_impact;
  if (x->acts) picus_copy(s->system->nu, x->u, s->u);
  x->acts = x->stopped = false;
}

/* Adds the impact at the start of the step to the results of the step: percussions, energies, modes, counts. */
void picus_half_explicit_start_accept(stepper *s, picus_step_info *info) {
  start_impact *x = &half_explicit_of(s)->start_impact;
  const half_explicit_memory memory = picus_half_explicit_memory(s, s->law_memory);
  contact_state *state = &s->contacts;
  double lost = 0;
  for (int i = 0; i < s->set->law_count && x->acts; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    for (int j = 0, row = law->first_row; j < law->dim; j++, row++) {
      state->P[row] += x->impulse[row];
      memory.impulse[row] += x->impulse[row];
      memory.impulse_loss[i] += x->energies.lost[row];
      state->dissipated[i] += x->energies.lost[row];
      state->driven[i] += x->energies.driven[row];
      info->dissipated += x->energies.lost[row];
      lost += x->energies.lost[row];
    }
    /* as after an impact at the end of a step, the contact opens in the next one */
    if (x->jumps[i] && state->modes[i] == PICUS_OPEN) state->modes[i] = x->modes[i];
    if (state->history.impacts[i] == x->counted[i]) picus_impacts_add(s, i, x->kinds[i], info);
  }
  if (x->acts) picus_impacts_note_gain(lost, x->passed, info);
  if (x->acts) picus_step_problem_disown(&s->problem); /* P of laws that are open now is cleared in the next step */
  x->acts = x->stopped = false;
}
