/* The trapezoidal rule with contacts at position level and an implicit contact force (Acary 2012, 6.2 and Fig. 11):
 *
 *   M (u_{k+1} - u_k) = dt h(t_th, q_th, u_th) + W P,   q_{k+1} = q_k + dt/2 (u_k + u_{k+1}),   theta = 1/2,
 *   0 <= g(q_{k+1}) _|_ P >= 0.
 *
 * It shows why contact laws belong to velocities: with g_k = g_{k+1} = 0 the relative velocities satisfy gamma_{k+1} =
 * - gamma_k, so the velocity of a closed contact flips its sign in every step, and the force oscillates. There is no
 * restitution and no friction. The law becomes one for xi = g / (dt/2), which changes with u as W^T u. */
#include "scheme/theta/theta_step.h"

#include <float.h>
#include <math.h>

static const double theta = 0.5;

static void fill_offset(stepper *s, int i) {
  theta_step *t = theta_of(s);
  const system_law *law = &s->set->laws[i];
  const int row = law->data.first_row, normal = law->data.has_gap ? 1 : 0;
  const double *W = picus_law_row(law, t->end->W, 0), scale = 1 / (theta * t->dt);
  for (int r = normal; r < law->data.dim; r++) t->offset[row + r] = t->end->chi[row + r]; /* friction that cannot act */
  if (!normal) return;
  t->offset[row] = scale * t->gap[i] - picus_law_row_dot(s->system, law, W, t->w);
  const double terms = picus_law_gap_terms(s, law, W, t->q) + fabs(t->gap[i]);
  t->rounding[row] = scale * (8 * DBL_EPSILON * terms + t->gap_noise[i]);
}

static picus_status look(stepper *s) {
  theta_step *t = theta_of(s);
  picus_evaluation_set_point(t->end, t->t_end, t->q, t->w);
  picus_status status = picus_evaluate_gaps(t->end, t->gap);
  if (!status) status = picus_evaluation_update_directions(t->end);
  if (status) return status;
  picus_stepper_find_largest(s, t->q);
  for (int i = 0; i < s->set->law_count; i++) fill_offset(s, i);
  return PICUS_OK;
}

static picus_status step(stepper *s, double dt, picus_step_info *info) {
  static const theta_rules rules = {
      .projection = PROJECT_NOTHING, .activate = picus_theta_activate_crossed, .look = look};
  const theta_shape shape = {.force_dt = dt, .t_share = theta, .u_share = theta, .q_share = theta, .w_begin = s->u};
  picus_status status = picus_theta_begin(s, dt, &shape);
  if (!status) status = picus_theta_iterate(s, &rules, info);
  if (status) return status;
  picus_theta_accept(s, info);
  picus_theta_advance(s, theta_of(s)->w);
  return PICUS_OK;
}

const scheme_ops picus_trapezoidal_position_scheme = {
    .description = {.name = "trapezoidal-position",
                    .summary =
                        "counterexample, do not use: trapezoidal rule with contacts at position level; velocities "
                        "and forces of closed contacts oscillate",
                    .reference = "Acary 2012, section 6.2, Fig. 11",
                    .implicit = true},
    .not_adaptive = "lets velocities of closed contacts oscillate from step to step",
    .penetrates = PENETRATES_NOT,
    .jacobians = PICUS_THETA_JACOBIANS,
    .create = picus_theta_create_at_positions,
    .check_law = picus_theta_check_position_law,
    PICUS_THETA_SHARED,
    .step = step};
