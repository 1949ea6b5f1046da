/* The scheme of Schatzman and Paoli (Paoli and Schatzman 2002; Acary 2012, 3.2): central differences, contacts on
 * position level, without friction.
 *
 *   M (q_{k+1} - 2 q_k + q_{k-1}) = dt^2 h + dt W P,   u_{k+1} = (q_{k+1} - q_{k-1}) / 2 dt,
 *   0 <= g((q_{k+1} + e q_{k-1}) / (1 + e)) _|_ P >= 0.
 *
 * With the velocities of the half steps, w = (q_{k+1} - q_k) / dt and w_begin = (q_k - q_{k-1}) / dt_before, this is
 * the step of theta_step.h with dt_h = (dt + dt_before) / 2 and u_end = (dt w + dt_before w_begin) / (dt + dt_before),
 * for steps of any size and for q' = B w + beta. The law becomes one for xi = (1 + e) g / dt, which changes with w as
 * W^T w.
 *
 * The memory of the scheme: dt_before (0: none), w_begin, q_{k-1}. */
#include "scheme/theta_step.h"

#include "base/internal.h"

#include <math.h>
#include <string.h>

static picus_status check_laws(stepper *s) {
  for (int i = 0; i < s->system->law_count; i++) {
    const picus_system_law *law = &s->system->laws[i].data;
    if (law->kind == PICUS_COULOMB || law->kind == PICUS_RESERVOIR)
      return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                        "the scheme schatzman-paoli works on position level and knows no friction, but '%s' has some; "
                        "take moreau-jean or one of the projected schemes",
                        law->name);
    if (!law->has_gap)
      return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                        "the scheme schatzman-paoli works on position level, but the constraint '%s' is one between "
                        "velocities; take moreau-jean or one of the projected schemes",
                        law->name);
  }
  return PICUS_OK;
}

static picus_status create(stepper *s) {
  picus_status status = check_laws(s);
  if (status != PICUS_OK) return status;
  s->memory_size = 1 + (size_t)s->system->nu + (size_t)s->system->nq;
  s->memory = picus_allocate(s->context, s->memory_size, sizeof *s->memory);
  return s->memory ? picus_theta_create(s, false) : PICUS_ERROR_MEMORY;
}

static double *remembered_w(const stepper *s) { return s->memory + 1; }
static double *remembered_q(const stepper *s) { return s->memory + 1 + s->system->nu; }

/* The step before the first one: q_{-1} = q - dt q' + dt^2/2 q'' to second order, without percussions. */
static picus_status remember_start(stepper *s, double dt, double *w, double *q_before) {
  picus_evaluation *e = s->evaluation;
  double *a = s->h;
  picus_evaluation_set_point(e, s->t, s->q, s->u);
  picus_status status = picus_evaluation_factor_mass(e);
  if (status == PICUS_OK) status = picus_evaluate_force(e, a);
  if (status != PICUS_OK) return status;
  picus_evaluation_solve_mass(e, a);
  for (int i = 0; i < s->system->nu; i++) w[i] = s->u[i] - 0.5 * dt * a[i];
  picus_evaluation_set_point(e, s->t, s->q, w);
  status = picus_evaluate_rate(e, s->rate);
  for (int i = 0; i < s->system->nq; i++) q_before[i] = s->q[i] - dt * s->rate[i];
  return status;
}

/* Gaps and W of the laws with restitution e, at (q_{k+1} + e q_{k-1}) / (1 + e). */
static picus_status look_with(stepper *s, double e) {
  theta_step *t = s->implicit;
  const double *q_before = remembered_q(s);
  double *q = s->q_next;
  for (int i = 0; i < s->system->nq; i++) q[i] = (t->q[i] + e * q_before[i]) / (1 + e);
  picus_evaluation_set_point(t->end, t->t_end, q, t->w);
  picus_status status = picus_evaluate_gaps(t->end, s->gap);
  return status == PICUS_OK ? picus_evaluation_update_directions(t->end) : status;
}

/* Laws of the same restitution are looked at together; rows of others are put aside meanwhile. */
static picus_status look(stepper *s) {
  theta_step *t = s->implicit;
  const picus_system *system = s->system;
  double *W = s->problem.inverse_W; /* as large as W, and free between solves */
  for (int first = 0; first < system->law_count; first++) {
    const double e = picus_law_restitution(&system->laws[first].data, 0);
    bool seen = false;
    for (int i = 0; i < first; i++) seen = seen || picus_law_restitution(&system->laws[i].data, 0) == e;
    if (seen) continue;
    picus_status status = look_with(s, e);
    if (status != PICUS_OK) return status;
    for (int i = first; i < system->law_count; i++) {
      const system_law *law = &system->laws[i];
      if (picus_law_restitution(&law->data, 0) != e) continue;
      memcpy(W + law->W0, t->end->W + law->W0, (size_t)law->width * sizeof *W);
      double now = picus_law_row_dot(system, law, W + law->W0, t->w);
      t->offset[law->data.first_row] = (1 + e) / t->dt * s->gap[i] - now;
    }
  }
  if (system->law_count) memcpy(t->end->W, W, system->W_size * sizeof *W);
  return PICUS_OK;
}

/* Contacts that the step would cross without percussions; those that were active in this step stay. */
static void activate(stepper *s, bool first, picus_step_info *info) {
  theta_step *t = s->implicit;
  bool changed = first;
  for (int i = 0; i < s->system->law_count; i++) {
    const system_law *law = &s->system->laws[i];
    double xi = picus_law_row_dot(s->system, law, t->end->W + law->W0, t->w_free) + t->offset[law->data.first_row];
    bool joins = xi <= 0 && (first || t->forecast[i] > 0);
    if (first || joins) t->forecast[i] = joins ? -1 : 1;
    changed = changed || joins;
  }
  if (changed) picus_step_problem_activate(s, t->forecast, info);
}

static const theta_rules rules = {.projection = PROJECT_NOTHING, .activate = activate, .look = look};

/* The laws have been looked at between the steps: what is noted are the gaps where the step ended. */
static picus_status accept(stepper *s, double dt, picus_step_info *info) {
  theta_step *t = s->implicit;
  picus_evaluation_set_point(t->end, t->t_end, t->q, t->u_end);
  picus_status status = picus_evaluate_gaps(t->end, t->gap);
  if (status != PICUS_OK) return status;
  s->memory[0] = dt;
  memcpy(remembered_w(s), t->w, (size_t)s->system->nu * sizeof(double));
  memcpy(remembered_q(s), s->q, (size_t)s->system->nq * sizeof(double));
  picus_theta_accept(s, info);
  return PICUS_OK;
}

static picus_status step(stepper *s, double dt, picus_step_info *info) {
  if (s->memory[0] == 0) {
    picus_status status = remember_start(s, dt, remembered_w(s), remembered_q(s));
    if (status != PICUS_OK) return status;
  }
  const double before = s->memory[0] > 0 ? s->memory[0] : dt;
  picus_status status = picus_theta_begin(s, dt, 0.5 * (dt + before), dt / (dt + before), true, remembered_w(s));
  if (status == PICUS_OK) status = picus_theta_solve(s, &rules, info);
  return status == PICUS_OK ? accept(s, dt, info) : status;
}

const scheme_ops picus_schatzman_paoli_scheme = {
    .description = {.name = "schatzman-paoli",
                    .summary = "Schatzman-Paoli: central differences, contacts on position level, no friction, order 1",
                    .reference = "Paoli and Schatzman 2002; Acary 2012, section 3.2",
                    .implicit = true},
    .penetrates = PENETRATES_BY_RESTITUTION,
    .create = create,
    .release = picus_theta_release,
    .step = step};
