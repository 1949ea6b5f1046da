/* The scheme of Schatzman and Paoli (Paoli and Schatzman 2002; Acary 2012, 3.2): central differences, contacts at
 * position level, without friction.
 *
 *   M (q_{k+1} - 2 q_k + q_{k-1}) = dt^2 h(t_k, q_th, u_th) + dt W P,
 *   0 <= g((q_{k+1} + e q_{k-1}) / (1 + e)) _|_ P >= 0.
 *
 * With the velocities of the half steps, w = (q_{k+1} - q_k) / dt and w_begin = (q_k - q_{k-1}) / dt_before, this is
 * the step of theta_step.h with dt_h = (dt + dt_before) / 2, for steps of any size and for q' = B w + beta. The law
 * becomes one for xi = (1 + e) g / dt, which changes with w as W^T w.
 *
 * Differences of second order belong to t_k, so forces must belong to t_k as well: they are taken at
 *
 *   q_th = q_k + theta/2 (q_{k+1} - 2 q_k + q_{k-1}),   u_th = w at t_k, interpolated.
 *
 * theta = 0 is the explicit rule, theta = 1/2 the mean of the two half steps (Newmark's beta = theta/2), which keeps
 * the energy of linear systems at any step size. Acary's (20a) takes them at theta q_{k+1} + (1 - theta) q_k, theta dt
 * too late: a spring k then damps like a damper k theta dt.
 *
 * The velocity of the state belongs to the end of the step: w + dt/2 times the acceleration of the step, without the
 * percussions if there was an impact. (20b) of Acary, (q_{k+1} - q_{k-1}) / 2 dt, is the velocity at t_k.
 *
 * An impact with e > 0 takes two steps: the first leaves a gap of up to -v dt, which the second opens with e v. If the
 * second step is shorter than the first, it would open the gap faster. Around steps of changing size a contact
 * therefore leaves with e v at most, where v is its fastest approach since it closed.
 *
 * The memory of the scheme: dt_before (0: none), whether a size has changed while a gap was below zero, w_begin,
 * q_{k-1}, and v of each law. */
#include "scheme/theta/theta_step.h"
#include "stepper/impacts.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double *remembered_w(const stepper *s) { return s->memory + 2; }
static double *remembered_q(const stepper *s) { return remembered_w(s) + s->system->nu; }
static double *approaches(const stepper *s) { return s->law_memory; }

static picus_status create(stepper *s) {
  picus_status status = picus_theta_create_at_positions(s);
  if (status) return status;
  s->memory_size = 2 + (size_t)s->system->nu + (size_t)s->system->nq;
  status = PICUS_FIXED(&s->arrays, sizeof *s->memory, s->memory_size, &s->memory);
  if (!status) status = picus_stepper_remember_laws(s, 0, 1);
  if (!status) status = picus_evaluation_request(theta_of(s)->end, PICUS_JACOBIANS_OF_RATES); /* of rate_by_w */
  if (status) return status;
  s->judged.u_begin = remembered_w(s);
  return PICUS_SCRATCH(&s->arrays, sizeof(double), picus_by_W, &theta_of(s)->W_aside);
}

/* Where a step evaluates its forces. */
static theta_shape shape_of(const stepper *s, double dt) {
  const double before = s->memory[0] > 0 ? s->memory[0] : dt;
  return (theta_shape){.force_dt = 0.5 * (dt + before),
                       .u_share = before / (dt + before),
                       .q_share = 0.5 * s->theta,
                       .w_begin = remembered_w(s),
                       .rate_by_w = true};
}

/* The initial acceleration without percussions: A a = h with the matrix of the step, so that stiff forces do not excite
 * motions that the step cannot resolve. */
static picus_status start_acceleration(stepper *s, double dt, double *a) {
  theta_step *t = theta_of(s);
  picus_evaluation *e = s->evaluation;
  t->dt = dt;
  t->shape = shape_of(s, dt);
  t->shape.w_begin = s->u;
  memcpy(t->w, s->u, (size_t)s->system->nu * sizeof *t->w);
  memcpy(t->q, s->q, (size_t)s->system->nq * sizeof *t->q);
  picus_evaluation_set_point(t->end, s->t, s->q, s->u);
  picus_evaluation_set_point(e, s->t, s->q, s->u);
  picus_status status = picus_evaluation_update_mass(e);
  if (!status) status = picus_evaluate_force(e, a);
  if (!status) status = picus_theta_tangent_update(s);
  if (!status) picus_system_matrix_solve(&t->tangent, a);
  return status;
}

/* The step before the first one: q_{-1} = q - dt q' + dt^2/2 q'' to second order. */
static picus_status remember_start(stepper *s, double dt, double *w, double *q_before) {
  picus_evaluation *e = s->evaluation;
  double *a = s->h;
  picus_status status = start_acceleration(s, dt, a);
  if (status) return status;
  for (int i = 0; i < s->system->nu; i++) w[i] = s->u[i] - 0.5 * dt * a[i];
  picus_evaluation_set_point(e, s->t, s->q, w);
  status = picus_evaluate_rate(e, s->rate);
  for (int i = 0; i < s->system->nq; i++) q_before[i] = s->q[i] - dt * s->rate[i];
  return status;
}

static double size_before(const stepper *s) { return s->memory[0] > 0 ? s->memory[0] : theta_of(s)->dt; }

static bool is_irregular(const stepper *s) {
  const double dt = theta_of(s)->dt;
  return s->memory[1] != 0 || fabs(size_before(s) - dt) > 1e-6 * dt;
}

static double restitution_of(const stepper *s, int law) {
  return s->contacts.row_restitution[s->set->laws[law].data.first_row];
}

/* Gaps and W of the laws with restitution e, at (q_{k+1} + e q_{k-1}) / (1 + e), with q_{k-1} one step of the present
 * size before q_k. */
static picus_status look_with(stepper *s, double e) {
  theta_step *t = theta_of(s);
  const double *q_before = remembered_q(s);
  const double ahead = 1 / (1 + e), back = e * t->dt / (size_before(s) * (1 + e));
  double *q = s->q_next;
  for (int i = 0; i < s->system->nq; i++) q[i] = s->q[i] + ahead * (t->q[i] - s->q[i]) - back * (s->q[i] - q_before[i]);
  picus_evaluation_set_point(t->end, t->t_end, q, t->w);
  picus_status status = picus_evaluate_gaps(t->end, s->gap);
  return status ? status : picus_evaluation_update_directions(t->end);
}

/* xi = (1 + e) g / dt as W^T w + offset, and the effect of the round-off of g; friction rows, which cannot act, are
 * velocities. */
static void fill_offset(stepper *s, const system_law *law, const double *W, double gap, double e) {
  theta_step *t = theta_of(s);
  const int row = law->data.first_row, normal = law->data.has_gap ? 1 : 0;
  for (int r = normal; r < law->data.dim; r++) t->offset[row + r] = t->end->chi[row + r];
  if (!normal) return;
  const double scale = (1 + e) / t->dt;
  const row_products velocity = picus_law_row_dots(s->system, law, W, t->w, t->shape.w_begin);
  t->offset[row] = scale * gap - velocity.u;
  if (e > 0 && is_irregular(s)) { /* xi = gamma - e v instead, if that is the weaker condition */
    const double approach = fmax(approaches(s)[law - s->set->laws], -velocity.v - t->end->chi[row]);
    t->offset[row] = fmax(t->offset[row], t->end->chi[row] - e * fmax(approach, 0));
  }
  const double terms = picus_law_gap_terms(s, law, W, t->q) + fabs(gap);
  t->rounding[row] = scale * (8 * DBL_EPSILON * terms + t->gap_noise[law - s->set->laws]);
}

static bool restitutions_differ(const stepper *s) {
  for (int i = 1; i < s->set->law_count; i++)
    if (restitution_of(s, i) != restitution_of(s, 0)) return true;
  return false;
}

/* Laws with the same coefficient of restitution are evaluated together; rows of the others are saved meanwhile. */
static picus_status look(stepper *s) {
  theta_step *t = theta_of(s);
  const bool differ = restitutions_differ(s);
  double *W = differ ? t->W_aside : t->end->W;
  picus_stepper_find_largest(s, t->q);
  for (int first = 0; first < s->set->law_count; first++) {
    const double e = restitution_of(s, first);
    bool seen = false;
    for (int i = 0; i < first && !seen; i++) seen = restitution_of(s, i) == e;
    if (seen) continue;
    picus_status status = look_with(s, e);
    if (status) return status;
    for (int i = first; i < s->set->law_count; i++) {
      const system_law *law = &s->set->laws[i];
      if (restitution_of(s, i) != e) continue;
      double *rows = W + picus_law_row_at(law, 0);
      if (differ) picus_copy(law->data.dim * picus_law_row_size(law), picus_law_row(law, t->end->W, 0), rows);
      fill_offset(s, law, rows, s->gap[i], e);
    }
  }
  if (differ) memcpy(t->end->W, W, s->set->W_size * sizeof *W);
  return PICUS_OK;
}

static const theta_rules rules = {
    .projection = PROJECT_NOTHING, .activate = picus_theta_activate_crossed, .look = look};

/* Whether there is an impact in the step, or the second half of one. */
static bool is_impulsive(stepper *s) {
  const step_problem *p = &s->problem;
  bool jumps = false;
  impact_count count = {0};
  for (int k = 0, at = 0; !jumps && k < p->active_count; at += p->laws[k++].dim)
    jumps = picus_law_can_open(&s->set->laws[p->active[k]].data) && p->P[at] > 0 && picus_law_jumps(s, k, at, &count);
  return jumps;
}

/* u at the end of the step: w + dt/2 (w - w_begin) / dt_h. An impact is over by then, so its percussions A^-1 W P are
 * not part of the acceleration. */
static void end_velocity(const stepper *s, bool impact, double *u) {
  const theta_step *t = theta_of(s);
  const step_problem *p = &s->problem;
  const double ahead = 0.5 * t->dt / t->shape.force_dt;
  for (int i = 0; i < s->system->nu; i++) u[i] = t->w[i] + ahead * (t->w[i] - t->shape.w_begin[i]);
  for (int k = 0, at = 0; impact && k < p->active_count; k++) {
    const system_law *law = &s->set->laws[p->active[k]];
    for (int r = 0; r < law->data.dim; r++, at++)
      picus_law_solved_add(&t->tangent, law, p->solved[at], -ahead * p->P[at], u);
  }
}

/* Data for the next step about contacts with restitution: the approach velocity of closed ones, and whether a gap is
 * still negative around a change of step size. */
static void remember_approaches(stepper *s) {
  const step_problem *p = &s->problem;
  double *approach = approaches(s);
  bool below = false;
  for (int i = 0, k = 0, at = 0; i < s->set->law_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    const bool active = k < p->active_count && p->active[k] == i;
    approach[i] = active && p->modes[k] != PICUS_OPEN ? picus_larger(approach[i], -p->gamma_begin[at]) : 0;
    below = below || (theta_of(s)->gap[i] < 0 && restitution_of(s, i) > 0);
    at += active ? law->dim : 0;
    k += active;
  }
  s->memory[1] = below && is_irregular(s);
}

/* The laws were evaluated between the steps; the stored gaps are those at the end of the step. */
static picus_status accept(stepper *s, double dt, picus_step_info *info) {
  theta_step *t = theta_of(s);
  picus_evaluation_set_point(t->end, t->t_end, t->q, t->w);
  picus_status status = picus_evaluate_gaps(t->end, t->gap);
  if (status) return status;
  picus_theta_accept(s, info);
  end_velocity(s, is_impulsive(s), s->u_next);
  remember_approaches(s);
  s->memory[0] = dt;
  picus_copy(s->system->nu, t->w, remembered_w(s));
  picus_copy(s->system->nq, s->q, remembered_q(s));
  picus_theta_advance(s, s->u_next);
  return PICUS_OK;
}

static picus_status step(stepper *s, double dt, picus_step_info *info) {
  if (s->memory[0] == 0) {
    picus_status status = remember_start(s, dt, remembered_w(s), remembered_q(s));
    if (status) return status;
  }
  theta_shape shape = shape_of(s, dt);
  const double back = shape.q_share * dt / (s->memory[0] > 0 ? s->memory[0] : dt);
  for (int i = 0; i < s->system->nq; i++) s->q_change[i] = -back * (s->q[i] - remembered_q(s)[i]);
  shape.shift = s->q_change;
  picus_status status = picus_theta_begin(s, dt, &shape);
  if (!status) status = picus_theta_iterate(s, &rules, info);
  return status ? status : accept(s, dt, info);
}

const scheme_ops picus_schatzman_paoli_scheme = {
    .description =
        {.name = "schatzman-paoli",
         .summary = "Schatzman-Paoli: central differences, contacts at position level, no friction, order 1; order 2 "
                    "without contacts and joints",
         .reference = "Paoli and Schatzman 2002; Acary 2012, section 3.2",
         .implicit = true},
    .not_adaptive = "uses earlier steps and cannot change their size",
    .penetrates = PENETRATES_BY_RESTITUTION,
    .jacobians = PICUS_THETA_JACOBIANS & ~PICUS_JACOBIANS_OF_RATES, /* these at another point */
    .create = create,
    .check_law = picus_theta_check_position_law,
    PICUS_THETA_SHARED,
    .step = step};
