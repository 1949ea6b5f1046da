/* The half-explicit scheme at acceleration level (Schindler et al. 2015, section 3): as half_explicit.c, with forces
 * from the accelerations of the laws,
 *
 *   u' = M^-1 (h + W lambda),     W^T u' + d(W^T)/dt u + dchi/dt   against   lambda,
 *
 * at (q_0, u_0) for lambda+ and at (q_1, u_1) for lambda-, of the contacts that are closed and do not open by their
 * velocity. Without friction. Velocities of closed contacts drift, as nothing but accelerations keeps them. */
#include "scheme/half_explicit/half_explicit.h"

#include "base/internal.h"
#include "scheme/linear_motion.h"

#include <math.h>
#include <string.h>

static void restart(stepper *s) {
  picus_half_explicit_restart(s);
  picus_step_problem_forget(&half_explicit_of(s)->forces);
}

static picus_status check_law(const stepper *s, const picus_system_law *law) {
  const bool friction = (law->kind == PICUS_COULOMB && (law->mu > 0 || law->varies)) ||
                        (law->kind == PICUS_RESERVOIR && (law->reservoir > 0 || law->varies || law->loaded)) ||
                        law->kind == PICUS_ROLLING;
  if (picus_law_is_clutch(law) || law->displaced)
    return picus_fail(
        s->context, PICUS_ERROR_UNSUPPORTED,
        "the scheme 'half-explicit-acc' works at acceleration level and does not support the %s '%s'; use "
        "half-explicit",
        law->displaced ? "preload" : "clutch", law->name);
  if (!friction) return PICUS_OK;
  return picus_fail(
      s->context, PICUS_ERROR_UNSUPPORTED,
      "the scheme 'half-explicit-acc' works at acceleration level and does not support friction, but '%s' "
      "has friction; use half-explicit",
      law->name);
}

static picus_status attempt(stepper *s, double dt, bool *impact, picus_step_info *info);

static picus_status create(stepper *s) {
  picus_status status = picus_half_explicit_check_options(s);
  for (int i = 0; !status && i < s->set->law_count; i++) status = check_law(s, &s->set->laws[i].data);
  if (!status) status = picus_half_explicit_create(s, attempt, true);
  if (status) return status;
  half_explicit_step *r = half_explicit_of(s);
  r->opens_by_law = true;
  status = picus_half_explicit_forces_create(s);
  s->judged.u_free = r->u_explained;
  return status;
}

/* Forces at the start of the step of the laws in r->chosen: dt lambda+, and the velocity that follows. */
static picus_status forces_at_begin(stepper *s, double *u, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  picus_status status = picus_half_explicit_forces(s, &(force_point){r->begin, s->h}, r->a_begin, r->force_begin, info);
  if (status) return status;
  picus_add_multiple(s->system->nu, s->u, r->dt, r->a_begin, u);
  for (int i = 0; i < s->set->row_count; i++) r->P1[i] = r->dt * r->force_begin[i];
  return PICUS_OK;
}

/* The same at its end, and the velocity there without impulses: the trapezoidal rule. */
static picus_status forces_at_end(stepper *s, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  const int nu = s->system->nu;
  for (int i = 0; i < nu; i++) s->u_free[i] = r->change[i] * (2 / r->dt);
  picus_status status = picus_half_explicit_forces(s, &(force_point){r->end, s->u_free}, r->a_end, r->force_end, info);
  if (status) return status;
  for (int i = 0; i < nu; i++) r->u_before[i] = s->u[i] + 0.5 * r->dt * (r->a_begin[i] + r->a_end[i]);
  for (int i = 0; i < nu; i++) /* velocities drift as far as forces of laws explain; only impulses are jumps */
    r->u_explained[i] = s->u[i] + fmax(fabs(r->u_unloaded[i] - s->u[i]), fabs(r->u_before[i] - s->u[i]));
  for (int i = 0; i < s->set->row_count; i++) r->P2[i] = 0.5 * r->dt * r->force_end[i];
  return PICUS_OK;
}

static picus_status begin(stepper *s, double dt, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  const half_explicit_memory memory = picus_half_explicit_memory(s, s->law_memory);
  picus_status status = picus_half_explicit_begin(s, dt, info);
  if (!status) status = picus_evaluation_update_directions(r->begin);
  if (status) return status;
  memcpy(r->force_begin, memory.force_end, (size_t)s->set->row_count * sizeof *r->force_begin);
  picus_half_explicit_choose_pressing(s, r->begin, s->h, r->closed_begin);
  memcpy(r->acting, r->chosen, (size_t)s->set->law_count * sizeof *r->acting);
  return forces_at_begin(s, r->u_1, info);
}

/* Which closed laws have forces at the end, without those that an impact concerns. */
static void choose_at_end(stepper *s, bool impact) {
  half_explicit_step *r = half_explicit_of(s);
  for (int i = 0; i < s->system->nu; i++) s->u_free[i] = r->change[i] * (2 / r->dt);
  picus_half_explicit_choose_pressing(s, r->end, s->u_free, r->closed_end);
  for (int i = 0; i < s->set->law_count && impact; i++)
    if (r->impulsive[i] && picus_law_can_open(&s->set->laws[i].data)) r->chosen[i] = false;
}

/* The accelerations at the end of the step, and its velocity: their mean, or an impulse if a contact has closed. */
static picus_status end(stepper *s, bool impact, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  picus_status status = picus_evaluation_update_directions(r->end);
  picus_copy(s->system->nu, r->u_1, r->u_kept);
  if (!status && impact) {
    picus_half_explicit_choose_kept(s, r->acting);
    status = forces_at_begin(s, r->u_kept, info);
  }
  if (status) return status;
  choose_at_end(s, impact);
  memcpy(r->force_end, r->force_begin, (size_t)s->set->row_count * sizeof *r->force_end);
  if ((status = forces_at_end(s, info))) return status;
  picus_copy(s->system->nu, r->u_before, s->u_next);
  picus_clear(s->set->row_count, r->Lambda);
  if ((status = picus_half_explicit_prepare_record(s))) return status;
  for (int k = 0; k < s->problem.active_count; k++)
    s->problem.modes[k] = picus_law_idle_mode(&s->set->laws[s->problem.active[k]].data);
  picus_half_explicit_keep_common_modes(&s->problem, &r->forces);
  if (!impact) return PICUS_OK;
  status = picus_half_explicit_impulse_stage(s, info);
  if (!status) picus_half_explicit_keep_common_modes(&s->problem, &r->other);
  return status;
}

/* A contact that pressed at the start stays closed: its gap drifts by less than O(dt^2), to both sides. */
static void keep_closed(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  for (int k = 0; k < r->forces.active_count; k++) {
    const int i = r->forces.active[k];
    if (!r->closed_end[i] && r->forces.modes[k] != PICUS_OPEN)
      r->closed_end[i] = r->gap_end[i] <= picus_half_explicit_drift(s, r->end, i);
  }
}

/* The velocities of laws that stay closed: the next step must take them neither for an approach nor for an opening. The
 * velocity after an impulse is none of them, nor what follows from it; before the step is accepted. */
static void remember_drift(stepper *s, bool impact) {
  half_explicit_step *r = half_explicit_of(s);
  const half_explicit_memory memory = picus_half_explicit_memory(s, s->law_memory);
  for (int i = 0; i < s->set->law_count; i++) {
    const bool stays = r->acting[i] && r->closed_end[i] && !(impact && r->impulsive[i]) &&
                       (!picus_law_can_open(&s->set->laws[i].data) || picus_half_explicit_is_drift(s, i));
    memory.left[i] = stays ? picus_law_velocity(r->end, &s->set->laws[i], 0, s->u_next) : 0;
  }
}

static picus_status attempt(stepper *s, double dt, bool *impact, picus_step_info *info) {
  const bool may_leave = *impact;
  picus_status status = begin(s, dt, info);
  if (!status) status = picus_half_explicit_press(s, half_explicit_of(s)->begin, half_explicit_of(s)->force_begin);
  if (!status) status = picus_half_explicit_find_positions(s);
  if (!status) status = picus_half_explicit_look_at_end(s);
  if (!status) keep_closed(s);
  if (!status) status = picus_half_explicit_find_impulsive(s, impact);
  if (status || (*impact && may_leave)) return status;
  if ((status = end(s, *impact, info))) return status;
  picus_half_explicit_remember(s);
  remember_drift(s, *impact);
  picus_half_explicit_accept(s, info);
  return PICUS_OK;
}

const scheme_ops picus_half_explicit_acc_scheme = {
    .description = {.name = "half-explicit-acc",
                    .summary = "half-explicit at acceleration level: order 2 in smooth motion, without friction",
                    .reference = "Schindler, Rezaei, Kursawe, Acary 2015, section 3",
                    .forces = true},
    .order = 2,
    .power = 1,
    .explicit_forces = true,
    .velocity_level = true,
    .penetrates = PENETRATES_BY_APPROACH,
    .create = create,
    .check_law = check_law,
    .restart = restart,
    .change_laws = restart,
    .linear_step = picus_half_explicit_linear_step,
    .has_impact_laws = true,
    .step = picus_half_explicit_step};
