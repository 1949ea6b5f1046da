/* Half-explicit Runge-Kutta methods (Brasey and Hairer 1993; Schindler et al. 2015, Appendix B). Stage l determines its
 * forces by the laws at the point that row l of the tableau leads to:
 *
 *   U_{l+1} = u_0 + dt sum_{j <= l} a_{l+1,j} M_j^-1 (h_j + W_j lambda_j),     gamma(Q_{l+1}, U_{l+1}) against
 * lambda_l, Q_{l+1} = q_0 + dt sum_{j <= l} a_{l+1,j} q'(Q_j, U_j),
 *
 * and the last row, b, leads to the end of the step. Contacts that are closed at the start act in all stages. If a
 * contact closes, everything that is connected with it goes through the stages again without contact forces, and
 * impulses follow, as in half_explicit.c. A contact that jams has an impulse while it is closed (Painleve's rod). The
 * stages would apply it with weights that are meant for forces: such a step is one of half_explicit.c.
 *
 * The forces of single stages have a low order. The forces reported are those at acceleration level at the ends of the
 * step, which have the order of the method; with friction see half_explicit_forces.c. */
#include "base/elementary.h"
#include "scheme/half_explicit/half_explicit.h"

#include "base/internal.h"
#include "scheme/linear_motion.h"
#include "stepper/impacts.h"

#include <math.h>
#include <string.h>

static void restart(stepper *s) {
  picus_half_explicit_restart(s);
  picus_step_problem_forget(&half_explicit_of(s)->forces);
}

#define ROUND_OFF 1e-12 /* of a relative velocity, against its terms */

static picus_status attempt(stepper *s, double dt, bool *impact, picus_step_info *info);

/* What half-explicit-rk needs beyond the other half-explicit schemes: its tableau, and the rates and accelerations of
 * all stages. A stage that passes through rest has used the friction of its slip, so friction may not jump there. */
static picus_status create(stepper *s) {
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu;
  picus_status status = picus_half_explicit_check_options(s);
  if (!status && s->system->has_rest_friction)
    status = picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                        "the scheme half-explicit-rk does not support friction that jumps where slip begins, as by "
                        "gt(slip_speed(), 0); use half-explicit or rattle");
  if (!status) status = picus_half_explicit_create(s, attempt, false);
  if (status) return status;
  half_explicit_step *r = half_explicit_of(s);
  r->forces_at_ends = true;
  r->needs_forecast = false;
  r->opens_by_law = true;
  r->tableau = picus_tableau_of(&s->half_explicit);
  const size_t stages = (size_t)r->tableau->stages;
  status = PICUS_FIXED(&s->arrays, sizeof(double), stages * nq, &r->rates);
  if (!status) status = PICUS_FIXED(&s->arrays, sizeof(double), stages * nu, &r->accelerations);
  if (!status) status = PICUS_FIXED(&s->arrays, sizeof(double), nq, &r->q_stage);
  if (!status) status = PICUS_FIXED(&s->arrays, sizeof(double), nu, &r->u_stage);
  if (!status) status = picus_half_explicit_sliding_create(s);
  return status ? status : picus_half_explicit_forces_create(s);
}

/* --- stages ------------------------------------------------------------------------------------------------------- */

/* Two evaluations take turns, so that a stage and the point it leads to have their own; the last one is r->end. */
static picus_evaluation *evaluation_of(stepper *s, int stage) {
  half_explicit_step *r = half_explicit_of(s);
  if (stage == 0) return r->begin;
  return (r->tableau->stages - stage) % 2 == 0 ? r->end : s->evaluation;
}

/* q', M^-1 h and the point that the stage leads to. Without forces of laws: u_free. */
static picus_status look_at_stage(stepper *s, int stage, bool keeps_end) {
  half_explicit_step *r = half_explicit_of(s);
  picus_evaluation *e = evaluation_of(s, stage);
  const int nq = s->system->nq, nu = s->system->nu;
  const double *row = r->tableau->rows[stage];
  double *rate = r->rates + (size_t)stage * (size_t)nq,
         *free_acceleration = r->accelerations + (size_t)stage * (size_t)nu;
  picus_status status = s->system->constants.identity_rates ? PICUS_OK : picus_evaluate_rate(e, rate);
  if (s->system->constants.identity_rates) picus_copy(nq, e->u, rate);
  if (!status) status = picus_evaluate_force(e, free_acceleration);
  if (!status) status = picus_evaluation_factor_mass(e);
  if (status) return status;
  picus_evaluation_solve_mass(e, free_acceleration);
  picus_copy(nu, s->u, s->u_free);
  picus_clear(nq, s->rate);
  for (int j = 0; j <= stage; j++) {
    picus_add_multiple(nu, s->u_free, r->dt * row[j], r->accelerations + (size_t)j * (size_t)nu, s->u_free);
    picus_add_multiple(nq, s->rate, row[j], r->rates + (size_t)j * (size_t)nq, s->rate);
  }
  if (stage < r->tableau->stages - 1)
    picus_add_multiple(nq, s->q, r->dt, s->rate, r->q_stage);
  else if (!keeps_end)
    picus_step_advance(s, r->dt, s->rate);
  return PICUS_OK;
}

/* The energy that forces lambda of a stage dissipate, by the quadrature of the method, and their share of the step. */
static void add_share(stepper *s, int stage) {
  half_explicit_step *r = half_explicit_of(s);
  const picus_evaluation *e = evaluation_of(s, stage);
  const picus_tableau *t = r->tableau;
  const double share = t->rows[t->stages - 1][stage] / t->rows[stage][stage];
  int at = 0;
  for (int k = 0; k < r->first.active_count; k++) {
    const system_law *law = &s->set->laws[r->first.active[k]];
    for (int j = 0, row = law->data.first_row; j < law->data.dim; j++, row++, at++) {
      const double P = share * r->first.P[at];
      r->P2[row] += P;
      r->energies.lost[row] -= P * picus_law_velocity(e, law, j, e->u);
      r->energies.driven[row] -= P * e->chi[row];
      r->P1[row] = r->first.P[at] / (r->dt * t->rows[stage][stage]); /* the force, for the next guess */
    }
  }
}

/* Forces of the chosen laws, by their velocities at the point that the stage leads to. */
static picus_status solve_stage(stepper *s, int stage, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  picus_evaluation *e = evaluation_of(s, stage), *next = evaluation_of(s, stage + 1);
  const bool constant = s->system->constants.directions, is_last = stage == r->tableau->stages - 1;
  const double coefficient = r->tableau->rows[stage][stage];
  const double t = is_last ? r->t_end : s->t + r->dt * picus_tableau_node(r->tableau, stage);
  const int nu = s->system->nu;
  picus_status status = PICUS_OK;
  picus_evaluation_set_point(next, t, is_last ? s->q_next : r->q_stage, s->u);
  picus_step_problem_choose(&r->first, r->chosen);
  if (r->first.active_count > 0) {
    status = picus_evaluation_update_directions(e);
    if (!status) status = picus_evaluation_update_directions(next);
    if (!status && s->has_preloads) status = picus_evaluate_gaps(e, r->gap_forecast);
    if (status) return status;
    picus_step_problem_guess(&r->first, r->dt * coefficient, r->P1);
  }
  const contact_request request = {.t = s->t,
                                   .dt = r->dt * coefficient,
                                   .directions = e,
                                   .matrix = &e->mass,
                                   .symmetric = constant,
                                   .u_begin = s->u,
                                   .u_free = s->u_free,
                                   .offset = next->chi,
                                   .ahead = s->has_preloads ? r->gap_forecast : NULL,
                                   .ahead_dt = r->dt,
                                   .rows = constant ? NULL : next->W,
                                   .rows_chi = is_last ? next->chi : NULL,
                                   .slip = picus_half_explicit_slip(s, &r->first, e, next)};
  status = picus_step_problem_solve(&r->first, &request, r->u_stage, info);
  if (status) return status;
  add_share(s, stage);
  double *acceleration = r->accelerations + (size_t)stage * (size_t)nu;
  for (int i = 0; i < nu; i++) acceleration[i] += (r->u_stage[i] - s->u_free[i]) / (r->dt * coefficient);
  picus_evaluation_set_velocity(next, r->u_stage);
  return PICUS_OK;
}

/* Whether a closed contact that has not pressed so far has an impulse in the first stage: its velocity jumps by more
 * than forces and the motion of the bodies explain (accept.c). */
static bool jams(stepper *s) {
  const half_explicit_step *r = half_explicit_of(s);
  const half_explicit_memory memory = picus_half_explicit_memory(s, s->law_memory);
  const picus_evaluation *next = evaluation_of(s, 1);
  const double dt = r->dt * r->tableau->rows[0][0];
  int at = 0;
  for (int k = 0; k < r->first.active_count; at += s->set->laws[r->first.active[k++]].data.dim) {
    const system_law *law = &s->set->laws[r->first.active[k]];
    const bool grows = r->first.P[at] > PICUS_GROWN * dt * memory.force_end[law->data.first_row];
    if (!grows || law->data.slips == 0 || !picus_law_can_open(&law->data)) continue;
    double jump = 0, explained = 0;
    for (int j = 0; j < law->data.dim; j++) {
      const double *row = picus_law_row(law, next->W, j), begin = picus_law_velocity(next, law, j, s->u);
      const double motion = fabs(begin - picus_law_velocity(r->begin, law, j, s->u));
      const double terms = picus_law_row_terms(s->system, law, row, s->u) + fabs(next->chi[law->data.first_row + j]);
      const double forces = picus_law_row_change(s->system, law, row, s->u, s->u_free);
      jump = picus_hypot(jump, picus_law_velocity(next, law, j, r->u_stage) - begin);
      explained = picus_larger(explained, forces + 2 * motion + ROUND_OFF * terms);
    }
    if (jump > PICUS_EXPLAINED * explained) return true;
  }
  return false;
}

/* A step of half_explicit.c, for which q~ is needed. */
static picus_status jam(stepper *s, double dt, bool *impact, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  r->needs_forecast = true;
  picus_status status = picus_half_explicit_trapezoidal(s, dt, impact, info);
  r->needs_forecast = false;
  return status;
}

/* All stages with the chosen laws; the velocity at the end into r->u_before. keeps_end: q_next stays. It ends early if
 * a contact jams. */
static picus_status run_stages(stepper *s, bool keeps_end, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  r->jams = false;
  const picus_tableau *t = r->tableau;
  const half_explicit_memory memory = picus_half_explicit_memory(s, s->law_memory);
  const int nu = s->system->nu, rows = s->set->row_count;
  picus_clear(rows, r->P2);
  picus_clear(rows, r->energies.lost);
  picus_clear(rows, r->energies.driven);
  memcpy(r->P1, memory.force_end, (size_t)rows * sizeof *r->P1);
  picus_copy(nu, s->u, r->u_unloaded);
  for (int stage = 0; stage < t->stages; stage++) {
    picus_status status = look_at_stage(s, stage, keeps_end);
    if (status) return status;
    picus_works_add_stage(s, evaluation_of(s, stage), r->dt * t->rows[t->stages - 1][stage], stage == 0);
    picus_add_multiple(nu, r->u_unloaded, r->dt * t->rows[t->stages - 1][stage],
                       r->accelerations + (size_t)stage * (size_t)nu, r->u_unloaded);
    if ((status = solve_stage(s, stage, info))) return status;
    r->jams = stage == 0 && r->first.active_count > 0 && (info->paradox.kind == PICUS_PARADOX_LOCKED || jams(s));
    if (r->jams) return PICUS_OK;
  }
  picus_copy(nu, r->u_stage, r->u_before);
  return PICUS_OK;
}

/* --- step --------------------------------------------------------------------------------------------------------- */

static bool has_friction(const stepper *s, const bool *chosen) {
  for (int i = 0; i < s->set->law_count; i++)
    if (chosen[i] && s->set->laws[i].data.slips > 0) return true;
  return false;
}

/* Forces of the last stage; none in laws that are open or had an impact. */
static void take_last_stage(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  memcpy(r->force_end, r->P1, (size_t)s->set->row_count * sizeof *r->force_end);
  for (int i = 0; i < s->set->law_count; i++)
    if (!r->closed_end[i] || r->impulsive[i])
      picus_clear(s->set->laws[i].data.dim, r->force_end + s->set->laws[i].data.first_row);
}

/* lambda- at the state at the end, at acceleration level. With friction the modes of the last stage are needed; in a
 * step that ends before one of them changes, the forces are those of the last stage. */
static picus_status find_forces(stepper *s, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  picus_evaluation *e = r->end;
  picus_evaluation_set_velocity(e, s->u_next);
  picus_status status = picus_evaluate_force(e, s->h);
  if (status) return status;
  picus_evaluation_solve_mass(e, s->h);
  if (has_friction(s, r->closed_end)) {
    bool found = false;
    /* a preload has no acceleration that tells its force */
    if (!s->has_preloads) status = picus_half_explicit_sliding_forces(s, e, s->h, &found);
    if (!status && !found) take_last_stage(s);
    return status;
  }
  picus_half_explicit_choose_pressing(s, e, s->h, r->closed_end);
  return picus_half_explicit_forces(s, &(force_point){e, s->h}, r->a_end, r->force_end, info);
}

static void remember(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  const half_explicit_memory memory = picus_half_explicit_memory(s, s->law_memory);
  const size_t size = (size_t)s->set->row_count * sizeof(double);
  memcpy(memory.force_begin, memory.force_end, size);
  memcpy(memory.force_end, r->force_end, size);
  memcpy(memory.impulse, r->Lambda, size);
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    for (int j = 0, row = law->data.first_row; j < law->data.dim && r->closed_end[i]; j++, row++) {
      const double before = picus_law_velocity(r->end, law, j, r->u_before);
      const double after = picus_law_velocity(r->end, law, j, s->u_next);
      const double lost = -0.5 * r->Lambda[row] * (before + after) + picus_half_explicit_transfer(r, row);
      r->energies.lost[row] += lost;
      r->energies.driven[row] -= r->Lambda[row] * r->end->chi[row];
      memory.impulse_loss[i] += lost;
    }
  }
  picus_clear(s->set->row_count, r->P1); /* P2 is the percussion of the forces */
}

static picus_status finish(stepper *s, bool impact, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  picus_status status = picus_half_explicit_prepare_record(s);
  if (status) return status;
  picus_clear(s->set->row_count, r->Lambda);
  picus_copy(s->system->nu, r->u_before, s->u_next);
  picus_half_explicit_keep_common_modes(&s->problem, &r->first);
  if (impact) {
    if ((status = picus_half_explicit_impulse_stage(s, info))) return status;
    picus_half_explicit_keep_common_modes(&s->problem, &r->other);
  }
  return find_forces(s, info);
}

/* Contacts that are closed at the end: by their gap, or because they pressed in the last stage. A gap drifts by less
 * than O(dt^2), to both sides, and must not open a contact. */
static picus_status find_closed_at_end(stepper *s) {
  half_explicit_step *r = half_explicit_of(s);
  picus_status status = picus_evaluate_gaps(r->end, r->gap_end);
  r->opens_by_law = false;
  if (!status) status = picus_half_explicit_find_closed_at_end(s);
  r->opens_by_law = true;
  for (int k = 0; k < r->first.active_count && !status; k++)
    if (r->first.modes[k] != PICUS_OPEN &&
        r->gap_end[r->first.active[k]] <= picus_half_explicit_drift(s, r->end, r->first.active[k]))
      r->closed_end[r->first.active[k]] = true;
  return status;
}

/* One step by the stages of the tableau. If contacts are struck at its end, and the step may be left, the caller makes
 * a shorter one up to the impact; else the stages are repeated with the contacts that are kept, and the impact ends it.
 */
static picus_status attempt(stepper *s, double dt, bool *impact, picus_step_info *info) {
  half_explicit_step *r = half_explicit_of(s);
  const bool may_leave = *impact;
  picus_status status = picus_half_explicit_begin(s, dt, info);
  if (status) return status;
  memcpy(r->acting, r->closed_begin, (size_t)s->set->law_count * sizeof *r->acting);
  memcpy(r->chosen, r->closed_begin, (size_t)s->set->law_count * sizeof *r->chosen);
  memset(r->impulsive, 0, (size_t)s->set->law_count * sizeof *r->impulsive);
  if ((status = run_stages(s, false, info))) return status;
  if (r->jams) {
    *impact = may_leave;
    return jam(s, dt, impact, info);
  }
  if ((status = find_closed_at_end(s))) return status;
  if ((status = picus_evaluation_factor_mass(r->end))) return status;
  status = picus_half_explicit_find_impulsive(s, impact);
  if (status || (*impact && may_leave)) return status;
  if (*impact) {
    picus_half_explicit_choose_kept(s, r->acting);
    if ((status = run_stages(s, true, info))) return status;
    if (r->jams) {
      *impact = false;
      return jam(s, dt, impact, info);
    }
    if ((status = picus_evaluation_factor_mass(r->end))) return status;
  }
  if ((status = finish(s, *impact, info))) return status;
  remember(s);
  picus_works_accept_stages(s);
  picus_half_explicit_accept(s, info);
  return PICUS_OK;
}

static void linear_step(const linear_motion *m, double dt, double *x, double *v) {
  const picus_tableau *t = m->tableau;
  const int n = m->n;
  double *X = m->work, *V = X + n, *rates = V + n, *accelerations = rates + (size_t)t->stages * (size_t)n;
  picus_copy(n, x, X);
  picus_copy(n, v, V);
  for (int stage = 0; stage < t->stages; stage++) {
    picus_copy(n, V, rates + (size_t)stage * (size_t)n);
    picus_linear_acceleration(m, X, V, accelerations + (size_t)stage * (size_t)n);
    picus_copy(n, x, X);
    picus_copy(n, v, V);
    for (int j = 0; j <= stage; j++) {
      picus_add_multiple(n, X, dt * t->rows[stage][j], rates + (size_t)j * (size_t)n, X);
      picus_add_multiple(n, V, dt * t->rows[stage][j], accelerations + (size_t)j * (size_t)n, V);
    }
  }
  picus_copy(n, X, x);
  picus_copy(n, V, v);
}

#define DESCRIPTION                                                                                                    \
  {                                                                                                                    \
    .name = "half-explicit-rk",                                                                                        \
    .summary = "half-explicit Runge-Kutta: explicit forces, order 3 or 4 in smooth motion, impacts by impulses",       \
    .reference = "Brasey and Hairer 1993; Schindler, Rezaei, Kursawe, Acary 2015, Appendix B", .forces = true          \
  }
#define SCHEME(tableau_order)                                                                                          \
  {                                                                                                                    \
    .description = DESCRIPTION, .order = (tableau_order), .power = 1, .explicit_forces = true, .velocity_level = true, \
    .penetrates = PENETRATES_BY_APPROACH, .create = create, .restart = restart, .change_laws = restart,                \
    .linear_step = linear_step, .has_impact_laws = true, .has_adhesion = true, .step = picus_half_explicit_step        \
  }
const scheme_ops picus_half_explicit_rk_schemes[PICUS_TABLEAU_ORDER_MOST] = {SCHEME(1), SCHEME(2), SCHEME(3),
                                                                             SCHEME(4)};
